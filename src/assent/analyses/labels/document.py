"""Labels as blocks of a document: agreement on each, which are confused, which may be merged, which may be one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from assent.analyses.labels.matrix import LabelMatrix, coincidence_matrix, confusion_matrix
from assent.documents.blocks import (
    Block,
    Cell,
    Column,
    Document,
    Find,
    Fold,
    Heading,
    Prose,
    Table,
    coefficient,
    count,
    crossed,
    joined,
    name,
    names,
    notes,
    number,
    share,
    table_of,
    words,
)
from assent.documents.blocks import between as ends
from assent.limits import LABELS_IN_MATRIX, MERGES_SAID, TERMINAL
from assent.text import DASH, counted, escaped, interval, interval_method, level, named, percent, quoted
from assent.text import number as written

if TYPE_CHECKING:
    from assent.analyses.labels.confusions import DisputedPair
    from assent.analyses.labels.merges import Merge, Merges
    from assent.analyses.labels.spellings import Alike
    from assent.analyses.labels.summary import LabelRow, LabelSummary
    from assent.measures.results import Interval

__all__ = [
    "by_label_table",
    "disputed_table",
    "document_of",
    "matrix_blocks",
    "merges_blocks",
    "odd_blocks",
    "takeaway",
]


def document_of(found: LabelSummary) -> Document:
    """Return the labels one by one and two by two, what merging them would do, and what may be one label."""
    pairs = [*found.pairs] if len(found.rows) > 2 else []
    matrices = [coincidence_matrix(found, LABELS_IN_MATRIX), confusion_matrix(found, LABELS_IN_MATRIX)]
    tables = [block for one in matrices if one is not None and len(one.labels) > 1 for block in matrix_blocks(one)]
    confused: list[Block] = [*([disputed_table(pairs)] if pairs else [])]
    # A terminal has no room for large ones.
    confused += tables if len(found.rows) <= TERMINAL.columns else [Fold("Counts as tables", tables)]
    return Document(
        title="Labels",
        summary=found.data.describe(),
        blocks=[
            Prose([_overall(found), takeaway(found.rows, found.pairs)]),
            Heading("Agreement on each label"),
            by_label_table(found.rows, found.overall.title),
            *([Heading("Which labels are confused"), *confused] if tables else []),
            *([] if found.merges is None else merges_blocks(found.merges)),
            *odd_blocks(found.alike, found.unused),
            *notes(found.data._reading_notes(), _notes(found)),
        ],
    )


def _overall(found: LabelSummary) -> str:
    sure = found.interval
    value = "undefined" if found.overall.value != found.overall.value else written(found.overall.value, 3)
    between = "" if sure is None or sure.low != sure.low else f" ({interval(sure.low, sure.high, digits=3)})"
    return f"{found.overall.title} of all labels together: {value}{between}."


def takeaway(rows: Sequence[LabelRow], pairs: Sequence[tuple[DisputedPair, Interval | None]]) -> str:
    """Say which label is agreed on most and least, and which two are confused most."""
    known = [(row.agreement.value, row.label) for row in rows if row.agreement is not None]
    known = [one for one in known if one[0] == one[0]]
    if len(known) < 2:
        return "There is too little to compare labels by."
    weakest, strongest = (pick(known, key=lambda one: one[0]) for pick in (min, max))
    if len(known) == 2 and weakest[0] == strongest[0]:
        return "Two labels: whatever is not one is the other, so they are agreed on alike."
    if written(weakest[0]) == written(strongest[0]):
        told = f"Agreement is {written(weakest[0])} on each of {counted(len(known), 'label')}"
    else:
        told = (
            f"Agreement is highest on {quoted(strongest[1])} ({written(strongest[0])}) and lowest on {quoted(weakest[1])} "
            f"({written(weakest[0])})"
        )
    if not pairs:
        return f"{told}."
    pair = pairs[0][0]
    dispute = f"{quoted(pair.first)} against {quoted(pair.second)}"
    return f"{told}; {dispute} makes up {percent(pair.value)} of all disagreement."


def by_label_table(rows: Sequence[LabelRow], title: str) -> Table:
    """Return what is known of each label."""
    return table_of(
        "by-label",
        "Agreement on each label",
        rows,
        [
            (Column("label", "name"), lambda row: replace(name(row.label), find=Find(labels=(row.label,)))),
            (Column("annotations", minor=True), lambda row: count(row.n_annotations)),
            (Column("share", meaning="Share of annotations with the label.", minor=True), lambda row: share(row.share)),
            (Column("agreement", meaning=f"{title} of this label against all others."), _agreement),
            (Column(_heading([row.interval for row in rows]), term="interval"), lambda row: _ends(row.interval)),
            (
                Column("specific", term="specific agreement", meaning=_SPECIFIC),
                lambda row: share(row.specific),
            ),
            (Column("most confused with", "name", _CONFUSED), _confused),
        ],
        quiet=True,
    )


_SPECIFIC = "Where one annotation has the label, the share of the item's other annotations that have it too."
_CONFUSED = "The label that most often stands against it, and its share of all that do."


def _agreement(row: LabelRow) -> Cell:
    if row.agreement is None:
        return Cell(DASH)
    return words("undefined") if row.agreement.value != row.agreement.value else coefficient(row.agreement.value)


def _confused(row: LabelRow) -> Cell:
    if row.confused_with is None:
        return Cell(DASH)
    return names([(row.confused_with, f"({percent(row.confused_share)})")])


def _heading(intervals: Sequence[Interval | None]) -> str:
    known = next((one for one in intervals if one is not None), None)
    return "interval" if known is None else f"{level(known.level)} interval"


def _ends(sure: Interval | None, *, percents: bool = False, signed: bool = False) -> Cell:
    return Cell(DASH) if sure is None else ends(sure.low, sure.high, digits=3, percents=percents, signed=signed)


def disputed_table(pairs: Sequence[tuple[DisputedPair, Interval | None]]) -> Table:
    """Return the pairs of labels that annotators disagree between."""
    return table_of(
        "disputed",
        "Where they disagree: pairs of labels by their share of all disagreement",
        pairs,
        [
            (Column("labels", "name"), _disputed),
            (Column("share", term="share of disagreement"), lambda one: share(one[0].value)),
            (
                Column(_heading([sure for _, sure in pairs]), meaning="Confidence interval of the share."),
                lambda one: _ends(one[1], percents=True),
            ),
            (
                Column("by chance", meaning="The share if labels were dealt at random.", minor=True),
                lambda one: share(one[0].expected),
            ),
            (Column("items", meaning="Items that were given both labels."), lambda one: count(one[0].n_items)),
        ],
    )


def _disputed(one: tuple[DisputedPair, Interval | None]) -> Cell:
    pair = one[0]
    return replace(joined(pair.first, "or", pair.second), find=Find(labels=(pair.first, pair.second)))


def matrix_blocks(matrix: LabelMatrix) -> list[Block]:
    """Return a matrix of labels against labels in numbers, and what it is."""
    caption = "Coincidences: pairs of annotations of one item, every annotation counted once"
    if matrix.kind == "confusion":
        first, second = quoted(matrix.rows), quoted(matrix.columns)
        caption = f"Confusion: rows are the labels of {first}, columns those of {second}"
    whole = bool((matrix.counts == matrix.counts.round()).all())
    table = crossed(
        table="matrix" if matrix.kind == "coincidence" else "confusion",
        caption=caption,
        corner="label",
        rows=[name(label) for label in matrix.labels],
        columns=[name(label, limit=40) for label in matrix.labels],
        # Every annotation counts once, so that there are halves and thirds of pairs.
        cells=[[count(cell) if whole else number(cell, 1) for cell in line] for line in matrix.counts.tolist()],
    )
    return [Prose([f"{caption}."]), table]


def merges_blocks(found: Merges, most: int | None = None) -> list[Block]:
    """Return what merging two labels would do, and where a walk from merge to merge would lead."""
    rows = found.merges[:most]
    if not rows:
        return []
    clear = next((one for one in rows if one.clear), None)
    told = [
        f"Merging {quoted(clear.first)} and {quoted(clear.second)} would raise {found.title} from {written(found.value)} to "
        f"{written(clear.value)}, beyond doubt, and lose {percent(clear.entropy_share)} of what the labels say "
        f"({written(found.entropy)} bits). Merge only what you need not tell apart."
        if clear is not None
        else "No merge of two labels raises agreement beyond doubt."
    ]
    if found.path and len(found.path) > 1:
        steps = "; ".join(
            f"{step.n_labels} labels {written(step.value)} ({percent(step.entropy_share)} of the bits left)"
            for step in found.path[-MERGES_SAID:]
        )
        told.append(f"Merging on, the best each time: {steps}.")
    return [Heading("Merges worth a thought"), Prose(told), _merges(rows)]


def _merges(rows: Sequence[Merge]) -> Table:
    return table_of(
        "merges",
        "What merging two labels would do",
        rows,
        [
            (Column("labels", "name"), lambda one: joined(one.first, "+", one.second)),
            (Column("value", meaning="The coefficient after the merge."), lambda one: coefficient(one.value)),
            (
                Column("gain", term="gain of a merge", meaning="How much higher that is."),
                lambda one: number(one.gain, 3, signed=True, tone="strong" if one.clear else ""),
            ),
            (
                Column(
                    _heading([one.interval for one in rows]),
                    meaning="Confidence interval of the gain, widened for all merges of two labels.",
                ),
                lambda one: _ends(one.interval, signed=True),
            ),
            (Column("clear", "words", _CLEAR), lambda one: words("yes" if one.clear else "")),
            (Column("bits lost", term="bits lost", optional=True), lambda one: number(one.entropy_lost)),
            (
                Column("information lost", meaning="Share of the entropy of the labels that the merge gives up."),
                lambda one: share(one.entropy_share),
            ),
        ],
        quiet=True,
    )


_CLEAR = "A gain beyond doubt, even as the best of all merges of two labels."


def odd_blocks(alike: Sequence[Alike], unused: Sequence[str]) -> list[Block]:
    """Return labels that may be one label, and those that nobody used."""
    blocks: list[Block] = []
    if alike:
        table = table_of(
            "spellings",
            "Labels that may be one label spelled in two ways",
            alike,
            [
                (Column("label", "name"), lambda one: name(one.second)),
                (Column("given"), lambda one: count(one.second_annotations)),
                (Column("meant to be?", "name"), lambda one: name(one.first)),
                (Column("that given"), lambda one: count(one.first_annotations)),
                (Column("they differ in", "words"), lambda one: words(one.differ)),
            ],
            quiet=True,
        )
        blocks += [Heading("Labels that may be one label"), table]
    if unused:
        never = counted(len(unused), "label was", "labels were")
        blocks.append(Prose([f"{never} never given: {named(unused, 8)}."]))
    return blocks


def _notes(found: LabelSummary) -> list[str]:
    """Say what a reader must know, and how intervals were made."""
    told = [*found.notes, *found.overall.notes, *(() if found.merges is None else found.merges.notes)]
    if found.interval is not None:
        told += [
            f"Intervals: {interval_method(found.interval.method)}, over {escaped(found.interval.unit)}.",
            *found.interval.notes,
        ]
    return told
