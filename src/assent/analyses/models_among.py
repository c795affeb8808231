"""Models among the annotators, by their names: a coefficient of all is not that of the people."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from assent.data.judge_names import looks_like_a_judge
from assent.errors import AssentError
from assent.measures import find
from assent.measures.results import Agreement
from assent.records import Struct
from assent.text import named, value

__all__ = ["ModelsAmong", "models_among"]


class ModelsAmong(Struct, frozen=True, kw_only=True):
    """Annotators who have names of models, and the coefficient without them.

    Parameters
    ----------
    title : str
        Of the coefficient.
    everybody, people : float
        The coefficient with and without them.
    """

    models: tuple[str, ...]
    title: str
    everybody: float
    people: float

    @property
    def sentence(self) -> str:
        """What counts as an annotator here, and what the coefficient is without it."""
        have, them = (
            ("has the name of a model and counts as an annotator", "it")
            if len(self.models) == 1
            else ("have names of models and count as annotators", "them")
        )
        return f"{named(self.models)} {have}: without {them}, {self.title} is {value(self.people)} and not {value(self.everybody)}."


def models_among(data: Any, agreement: Agreement, options: Mapping[str, Any]) -> ModelsAmong | None:
    """Return the annotators who have names of models, and the coefficient without them; None unless they are among two or more others.

    Parameters
    ----------
    agreement : Agreement
        Of everybody.
    options : mapping
        What the measure was called with.
    """
    names = data.annotators or ()
    models = tuple(name for name in names if looks_like_a_judge(name))
    if not models or len(names) - len(models) < 2:
        return None
    try:
        people = find(agreement.measure)(data.without_annotators(models), **options).value
    except AssentError:
        return None
    if math.isnan(people) or math.isnan(agreement.value):
        return None
    return ModelsAmong(models=models, title=agreement.title, everybody=agreement.value, people=people)
