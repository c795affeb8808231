"""What is said about a table: what was left out of it, and why it cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from assent.data.reading_notes import reading_of
from assent.engines import Rows, Survey
from assent.limits import LABELS_NAMED
from assent.records import Struct
from assent.text import counted, escaped, listed, percent, quoted, shown

if TYPE_CHECKING:
    from assent.data.annotations import Annotations

__all__ = [
    "Dropped", "duplicates_message", "empty_message", "left_out", "loss", "nothing_to_compare", "silent_annotators",
]  # fmt: skip

_MISSING = "missing label"


class Dropped(Struct, frozen=True):
    """Rows that were left out, and why: in words and, where it matters to the code, as one of its own."""

    reason: str
    rows: int
    code: Literal["", "missing-label", "unlabelled-item"] = ""


def loss(reason: str, rows: int) -> str:
    """Say how many rows were left out, or missing labels: one row of a wide table may hold several of these.

    >>> loss("no item", 2), loss('missing label ("NA")', 7)
    ('2 rows, no item', '7 missing labels ("NA")')
    """
    if reason.startswith(_MISSING):
        return f"{counted(rows, _MISSING)}{reason.removeprefix(_MISSING)}"
    return f"{counted(rows, 'row')}, {reason}"


def labels_in_use(data: Annotations) -> str:
    """Say which labels there are and, where annotations hold several, how many and whose."""
    labels = data.single_labels
    said = "no labels, each annotation is an empty set"
    if labels:
        said = f"{counted(len(labels), 'label')} ({listed(labels, LABELS_NAMED, lambda label: quoted(label, 20))})"
    if data._sets is None:
        return said
    shares = sorted(data.set_shares(), key=lambda one: -one.share)
    several = sum(one.several for one in shares)
    whose = listed([f"{quoted(one.annotator, 20)} {percent(one.share)}" for one in shares], LABELS_NAMED)
    hold = counted(several, "annotation", "annotations") + f" ({percent(several / data.n_annotations)})"
    return f"{said}; {hold} {'holds' if several == 1 else 'hold'} several labels: {whose}"


def left_out(survey: Survey) -> list[Dropped]:
    """List what a survey found that cannot be used."""
    found = []
    if survey.without_item:
        found.append(Dropped("no item", survey.without_item))
    if survey.without_annotator:
        found.append(Dropped("no annotator", survey.without_annotator))
    for text, rows in sorted(survey.missing.items(), key=lambda pair: pair[0] or ""):
        what = "" if text is None else " (blanks alone)" if text == " " else f" ({shown(text)})"
        found.append(Dropped(f"{_MISSING}{what}", rows, "missing-label"))
    return found


def silent_annotators(survey: Survey) -> list[str]:
    """Say which annotators have no label: one note, or none."""
    if all(survey.annotator_rows.values()):
        return []
    silent = sorted(name for name, count in survey.annotator_rows.items() if not count)
    noun = "annotator has" if len(silent) == 1 else "annotators have"
    return [f"{len(silent):,} {noun} no label: {', '.join(map(shown, silent[:5]))}."]


def duplicates_message(pairs: int, rows: int, item: str, annotator: str, table: Rows) -> tuple[str, str]:
    """Say how many duplicates there are and show one, and what may be done."""
    what = f"{rows:,} rows are {pairs:,} (item, annotator) pairs that occur more than once"
    if table.item_count() == 1:
        return f"All rows have the same item, {shown(item)}, and {what}", "check which column holds the items"
    return (
        f"{what[0].upper()}{what[1:]}, as item {shown(item)} with annotator {shown(annotator)} does",
        "keep one of each with `duplicates` first or last, take them as one annotation with several labels with `multilabel`, name all "
        "columns that make an item with `item` (as in `item` document,sentence), or measure repeats and runs of a model with `assent repeat`, or `run` in `assent judge`",
    )


def empty_message(dropped: Sequence[Dropped]) -> str:
    """Say why there is no annotation."""
    if not dropped:
        return "The table has no rows: there is nothing to measure."
    reasons = "; ".join(loss(one.reason, one.rows) for one in dropped)
    return f"No row of the table has an item, an annotator and a label ({reasons})."


def nothing_to_compare(data: Annotations) -> str:
    """Say why no two annotations can be compared."""
    one = f"Only one annotator, {shown((data.annotators or ('',))[0])}, gave labels: agreement needs two"
    none = (
        f"No item has two annotations ({data.n_items:,} items, {data.n_annotations:,} annotations), so there is nothing "
        "to compare"
    )
    if data._export is not None:
        # An export has no columns to choose among.
        read = f"read as {escaped(data._export.format)}, question {shown(data._export.question)}"
        return (
            f"{one if data.n_annotators == 1 else none} ({read}); name the files of all annotators, and see with `assent look` "
            "what was left out."
        )
    if data.n_annotators == 1:
        return f"{one}; check which column holds the annotators{reading_of(data.notes)}."
    return f"{none}: check which column holds the items{reading_of(data.notes)}."
