"""What data of any kind are: how much there is, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assent.data.messages import loss
from assent.documents import Document, Result
from assent.documents.blocks import Block, Facts, Prose, Section, notes
from assent.measures.results import Agreement
from assent.reports.context import ReportContext
from assent.text import amount, counted

__all__ = ["DataSection", "data_section"]


class DataSection(Result, frozen=True, kw_only=True, eq=False):
    """What data of any kind are, as they say it themselves.

    Parameters
    ----------
    described : mapping
        What `to_dict` of the data gives: items, annotators, annotations, what was left out, and whatever the kind adds.
    unit : str
        What a new sample would draw anew: items, or the name of the cluster column.
    nouns : tuple of str
        What an item and an annotation are called.
    """

    described: Mapping[str, Any]
    unit: str = "items"
    nouns: tuple[str, str] = ("item", "annotation")

    @property
    def n_items(self) -> int:
        """How many items there are."""
        return int(self.described["items"])

    @property
    def n_annotators(self) -> int | None:
        """How many annotators there are; None if the data do not say who annotated."""
        known: int | None = self.described["annotators"]
        return known

    @property
    def n_annotations(self) -> int:
        """How many annotations there are."""
        return int(self.described["annotations"])

    @property
    def dropped(self) -> Sequence[tuple[str, int]]:
        """Why rows were left out, and how many."""
        return [(one["reason"], one["rows"]) for one in self.described.get("dropped", ())]

    @property
    def remarks(self) -> Sequence[str]:
        """What was recognised and what looks odd."""
        return list(self.described.get("notes", ()))

    @property
    def who(self) -> str:
        """The annotators in a sentence."""
        known = self.n_annotators
        return "an unknown number of annotators" if known is None else counted(known, "annotator")

    @property
    def summary(self) -> str:
        """How much there is, in one line."""
        by = counted(self.n_annotators, "annotator") if self.n_annotators else ""
        return ", ".join(filter(None, [self.what, by, counted(self.n_annotations, self.nouns[1])]))

    @property
    def what(self) -> str:
        """The items in a sentence, with the objects that they hold if they do."""
        objects = self.described.get("objects")
        of = "" if objects is None else f" of {counted(objects, 'object')}"
        return f"{counted(self.n_items, self.nouns[0])}{of}"

    @property
    def sample(self) -> str:
        """The data as a paper would say it."""
        return f"{self.what} with {counted(self.n_annotations, self.nouns[1])} by {self.who}"

    def gaps(self, agreement: Agreement) -> str:
        """Say what was done with missing annotations; nothing if there is nothing to say."""
        return ""

    def to_dict(self) -> dict[str, Any]:
        """Return the section as plain values."""
        return {**self.described, "unit": self.unit}

    def document(self) -> Document:
        """Return how much data there are and what was left out."""
        section = Section("data", "Data", self.takeaway, [*self.blocks, *notes(self.remarks)])
        return Document("Data", [section])

    @property
    def takeaway(self) -> str:
        """The section in a sentence."""
        by = f" by {counted(self.n_annotators, 'annotator')}" if self.n_annotators else ""
        return f"{counted(self.n_annotations, self.nouns[1])} of {self.what}{by}."

    @property
    def blocks(self) -> list[Block]:
        """What the section shows."""
        items, annotations = (f"{noun}s" for noun in self.nouns)
        many = [(items, self.n_items), ("annotators", self.n_annotators), (annotations, self.n_annotations)]
        return [Facts([(what, amount(known), "") for what, known in many]), *self.left_out]

    @property
    def left_out(self) -> list[Block]:
        """What was left out, in a sentence each."""
        return [Prose(self.losses or ["Nothing was left out: every row with a label was used."])]

    @property
    def losses(self) -> list[str]:
        """What was left out, in a sentence each; nothing if nothing was."""
        return [f"Left out: {loss(reason, rows)}." for reason, rows in self.dropped]


def data_section(context: ReportContext) -> DataSection:
    """Describe data of any kind by what they say of themselves."""
    data = context.data
    return DataSection(described=data.to_dict(), unit=getattr(data, "unit", "items"), nouns=data._nouns)
