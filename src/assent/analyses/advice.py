"""What advice is: patterns of disagreement with their evidence, what they are compatible with, and what would decide.

Agreement alone cannot tell care from clarity from subjectivity: a pattern is described, and nobody is accused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

from assent.data import Annotations
from assent.documents import Document, Result
from assent.documents.blocks import Card, Cards, notes
from assent.records import Record, plain
from assent.text import counted, number

__all__ = ["CAUSES", "COMPATIBLE", "Advice", "Cause", "cause_cards", "takeaway"]

#: The patterns, and what each is called.
CAUSES: Mapping[str, str] = {
    "annotator": "An annotator differs from the others",
    "guideline": "Two labels are taken for each other",
    "prevalence": "One label dominates, and kappa misleads",
    "severity": "Annotators are stricter or more lenient",
    "training": "Annotators lean, or read differently in groups",
    "subjective": "Disagreement is spread evenly",
    "few-items": "There are too few items to tell",
    "none": "Nothing pulls agreement down clearly",
}
#: Causes that a pattern is compatible with, and what would tell them apart.
COMPATIBLE: Mapping[str, tuple[tuple[str, ...], str]] = {
    "annotator": (
        ("haste", "a slip in the tool", "another reading of the guideline", "knowledge that the others lack"),
        "items with a known label, or items that they label twice",
    ),
    "guideline": (
        ("a guideline that does not draw the line", "items that are truly both", "labels that mean nearly the same"),
        "reading these items, or having some of them decided by an expert",
    ),
    "training": (
        ("a guideline that leaves room", "another training or background", "being stricter or more lenient"),
        "the same twenty items, decided aloud by all",
    ),
    "severity": (
        ("a guideline that does not say where one step ends", "another training or background", "habit"),
        "the same twenty items, rated aloud by all, or anchor items for each step",
    ),
    "subjective": (
        ("items on which people rightly differ", "an unclear guideline", "little care by everybody"),
        "items that annotators label twice (do they agree with themselves?), items with a known label, and reading disputed items",
    ),
}
#: What could be won is shown if two digits are more than nothing.
SHOWN = 0.005


class Cause(Record, frozen=True, kw_only=True):
    """One cause of disagreement, with its evidence and what to do first.

    Parameters
    ----------
    key : str
        One of `CAUSES`.
    sentence : str
        What was found, with the numbers.
    first_step : str
        The first thing to do.
    gain : float or None
        By how much the coefficient could rise at most if this were settled; None if that cannot be said.
    evidence : mapping
        The numbers by name, fit for JSON.
    compatible : tuple of str
        Causes that would look like this: the data alone do not tell them apart.
    decides : str
        What would; empty if there is nothing to decide.
    measure : str
        Title of the coefficient that is quoted, of which `gain` is a part.
    """

    key: str
    title: str
    sentence: str
    first_step: str
    gain: float | None
    evidence: Mapping[str, Any]
    compatible: tuple[str, ...] = ()
    decides: str = ""
    measure: str = ""


class Advice(Result, frozen=True, kw_only=True, eq=False):
    """Why annotators disagree and what to do first: a sequence of causes, what could win most coming first.

    Parameters
    ----------
    causes : tuple of Cause
        At least one: "no problem found" if there is none.
    data : Annotations
        What was looked at.
    notes : tuple of str
        What the causes take for granted.
    """

    causes: tuple[Cause, ...]
    data: Annotations
    notes: tuple[str, ...] = ()

    @overload
    def __getitem__(self, place: int) -> Cause: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Cause, ...]: ...
    def __getitem__(self, place: int | slice) -> Cause | tuple[Cause, ...]:
        """Return a cause by its place."""
        return self.causes[place]

    def __iter__(self) -> Iterator[Cause]:
        """Return the causes, one by one."""
        return iter(self.causes)

    def __len__(self) -> int:
        """Return how many causes there are."""
        return len(self.causes)

    def to_dict(self) -> dict[str, Any]:
        """Return the data and the advice as plain values, in the shape the command line prints as JSON."""
        return {
            "data": self.data.to_dict(),
            "advice": plain(self.causes),
            "notes": list(self.notes),
        }

    def document(self) -> Document:
        """Return each cause with its evidence and the first step."""
        return Document(
            "Why they disagree, and what to do first",
            [*notes(self.notes), cause_cards(self.causes), *notes(self.data._reading_notes())],
            summary=self.data.describe(),
        )


def cause_cards(causes: Sequence[Cause], *, told: str = "") -> Cards:
    """Return causes as cards: what was found, the first step unless it was told before, and what could be won."""
    cards = [
        Card(
            title=one.title,
            sentences=[
                one.sentence,
                *_open(one),
                *([] if one.first_step == told else [f"First step: {one.first_step}"]),
            ],
            tone="step",
            mark="" if one.gain is None or one.gain < SHOWN else f"up to +{number(one.gain)} of {one.measure}",
        )
        for one in causes
    ]
    return Cards(cards, ordered=len(cards) > 1)


def _open(cause: Cause) -> list[str]:
    """Say what the pattern is compatible with, and what would decide."""
    if not cause.compatible:
        return []
    *others, last = cause.compatible
    return [f"That may be {', '.join(others)} or {last}. What would tell: {cause.decides}."]


def takeaway(causes: Sequence[Cause]) -> str:
    """Name the pattern that stands out most in a sentence."""
    title = causes[0].title
    if causes[0].key == "none":
        return f"{title}."
    told = f"What stands out: {title[:1].lower()}{title[1:]}."
    more = len(causes) - 1
    return told if not more else f"{told} {counted(more, 'more is', 'more are')} listed below."
