"""Answers to the usual questions about other kinds of data than labels: a list that each kind owns."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from assent.data import Annotations, Dataset
from assent.data.dataset import kind_in_words
from assent.documents.result import Result
from assent.errors import OptionError, UnsuitableData

__all__ = ["answer", "answers"]

_ANSWERS: dict[tuple[str, str], Callable[..., Result]] = {}
#: Kinds that are asked about elsewhere, before anything is read to answer for others.
_LABELS = (("labels",), ("label-sets", "labels"))
F = TypeVar("F", bound=Callable[..., Result])


def answers(question: str, *kinds: str) -> Callable[[F], F]:
    """Register what answers a question, such as annotators or items, about kinds of data."""

    def register(function: F) -> F:
        for kind in kinds:
            _ANSWERS[question, kind] = function
        return function

    return register


def answer(
    question: str, data: Any, *, always: bool = True, offered: Mapping[str, Any] | None = None, **options: Any
) -> Result | None:
    """Return the answer to a question about data of a kind of its own; None for labels, which are asked about elsewhere.

    Parameters
    ----------
    always : bool
        It is an error if the kind has no answer; else that is None, too.
    offered : mapping, optional
        What an answer may take, or do without.
    **options
        What the answer takes; one that is given (not None, not empty) and that it does not take is refused.

    Raises
    ------
    UnsuitableData
        If the kind has no answer.
    """
    if not isinstance(data, Dataset) or data.kinds in _LABELS:
        return None
    # The answers of our own kinds are read when the first is asked for.
    from assent.analyses import by_distance, orders, spans  # noqa: F401
    from assent.analyses.preferences import tables  # noqa: F401

    if question == "judge":
        import assent.analyses.judge.orders  # noqa: F401

    options = {name: one for name, one in options.items() if one is not None and one not in ((), [])}
    found = next((_ANSWERS[question, kind] for kind in data.kinds if (question, kind) in _ANSWERS), None)
    if found is None and (not always or isinstance(data, Annotations)):
        return None
    if found is None:
        raise UnsuitableData(
            f"There is nothing to say of the {question} of {kind_in_words(data.kind)}: see `assent measure` and `assent items`."
        )
    taken = inspect.signature(found).parameters
    for name in options:
        if name not in taken:
            raise OptionError(f"`{name}` does not fit {kind_in_words(data.kind)}: leave it out.")
    return found(data, **options, **{name: one for name, one in (offered or {}).items() if name in taken})
