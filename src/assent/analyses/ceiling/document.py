"""The human ceiling as blocks of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assent.documents.blocks import (
    Block,
    Cell,
    Column,
    Document,
    Prose,
    Table,
    between,
    coefficient,
    count,
    name,
    notes,
    table_of,
    words,
)
from assent.text import DASH, counted, escaped, interval_method, level, percent, quoted
from assent.text import interval as interval_text
from assent.text import number as number_text

if TYPE_CHECKING:
    from assent.analyses.ceiling.result import AnnotatorScore, Ceiling, Score

__all__ = ["ceiling_blocks", "document_of", "takeaway"]


def document_of(found: Ceiling) -> Document:
    """Return the scores, the annotators, and what the numbers are and are not."""
    return Document(
        title="Human ceiling",
        summary=found.data.describe(),
        blocks=[Prose([takeaway(found)]), *ceiling_blocks(found), *notes(found.data._reading_notes(), _notes(found))],
    )


def takeaway(found: Ceiling) -> str:
    """Say how an annotator scores, and what that means for a model."""
    told = (
        f"Against the majority of the others, an annotator gives the same label on {percent(found.accuracy.value)} of "
        f"{counted(found.n_items, 'item')}: a model that scores so does as well as a person."
    )
    if found.distance is not None:
        ends = found.distance.ends
        sure = "" if ends is None else f" ({interval_text(*ends)})"
        near = (
            f"An annotator is {number_text(found.distance.value)} {found.distance.unit} from the mean of the others{sure}: a model that is as near "
            "does as well as a person."
        )
        if found.of_numbers:
            return near
        told = f"{near} {told}"
    if found.best is None or all(one.accuracy.value == found.best.accuracy.value for one in found.annotators or ()):
        return told
    return f"{told} The best of them, {quoted(found.best.annotator)}, reaches {percent(found.best.accuracy.value)}."


def ceiling_blocks(found: Ceiling) -> list[Block]:
    """Return what annotators score against each other, together and one by one; nothing of measured numbers, which have no majority."""
    if found.of_numbers:
        return []
    heading = _heading(found)
    scores = [
        ("accuracy", found.accuracy, "A label against the majority of the item's other labels."),
        ("macro F1", found.macro_f1, "The mean over labels of F1 against that majority."),
        ("majority share", found.majority_share, "The most that one answer an item can agree with."),
    ]
    together = table_of(
        "ceiling",
        f"An annotator against the majority of the others, on {counted(found.n_items, 'item')}",
        scores,
        [
            (Column("score", "words"), lambda one: words(one[0])),
            (Column("value"), lambda one: coefficient(one[1].value)),
            (Column(heading, term="interval"), lambda one: _interval(one[1])),
            (Column("what it is", "words"), lambda one: words(one[2])),
        ],
    )
    return [together, *([_annotators(found.annotators, heading)] if found.annotators else [])]


def _annotators(scores: tuple[AnnotatorScore, ...], heading: str) -> Table:
    return table_of(
        "ceiling-annotators",
        "Annotators against the majority of the others, the best first",
        scores,
        [
            (Column("annotator", "name"), lambda one: name(one.annotator)),
            (Column("items"), lambda one: count(one.n_items)),
            (Column("accuracy"), lambda one: coefficient(one.accuracy.value)),
            (Column(heading, term="interval"), lambda one: _interval(one.accuracy)),
            (Column("macro F1"), lambda one: coefficient(one.macro_f1)),
        ],
    )


def _heading(found: Ceiling) -> str:
    interval = found.accuracy.interval
    return "interval" if interval is None else f"{level(interval.level)} interval"


def _interval(score: Score) -> Cell:
    return Cell(DASH) if score.interval is None else between(score.interval.low, score.interval.high, digits=3)


def _notes(found: Ceiling) -> list[str]:
    """Say what the numbers are and are not, and how intervals were made."""
    told = [] if found.of_numbers else list(found.notes)
    for score in () if found.of_numbers else (found.accuracy, found.macro_f1, found.majority_share):
        told += [] if score.interval is None else score.interval.notes
    interval = found.accuracy.interval
    return (
        told
        if interval is None
        else [*told, f"Intervals: {interval_method(interval.method)}, over {escaped(interval.unit)}."]
    )
