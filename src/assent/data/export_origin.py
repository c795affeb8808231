"""Which question of which tool's export some data are, and what else the export said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import field
from msgspec.structs import replace

from assent.records import Record, Struct

__all__ = ["ExportOrigin", "Question"]


class Question(Record, frozen=True, kw_only=True):
    """One question of a file that holds several.

    Parameters
    ----------
    kind : str
        What its answers are: label, set, number, ranking, text or spans.
    n_annotations : int
        How many answers, or spans, there are.
    """

    name: str
    kind: str
    n_annotations: int


class ExportOrigin(Struct, frozen=True, kw_only=True):
    """Where data from the export of a tool come from.

    Parameters
    ----------
    format : str
        The tool and the form, such as ``Label Studio JSON``.
    question : str
        The question that was read.
    questions : tuple of Question
        All questions of the export, in its order.
    models : tuple of str
        Annotators that are programs.
    gold : mapping of item to answer
        What the tool marks as right: curation, review, control tasks.
    texts : mapping of item to str
        What the items say, as far as the export holds it.
    text_field : str
        What the tool calls that.
    """

    format: str
    question: str
    questions: tuple[Question, ...]
    models: tuple[str, ...] = ()
    gold: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    text_field: str = "text"

    def renamed(self, names: Mapping[str, str]) -> ExportOrigin:
        """Return the same with other names for the annotators."""
        return replace(self, models=tuple(names.get(name, name) for name in self.models))

    def relabelled(self, names: Mapping[str, str]) -> ExportOrigin:
        """Return the same with other names for the labels of right answers that are sets."""
        gold = {
            item: tuple(dict.fromkeys(names.get(label, label) for label in one)) if isinstance(one, tuple) else one
            for item, one in self.gold.items()
        }
        return replace(self, gold=gold)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, as they stand beside what the data are."""
        return {
            "format": self.format,
            "question": self.question,
            "questions": [one.to_dict() for one in self.questions],
            "models": list(self.models),
            "gold": len(self.gold),
        }
