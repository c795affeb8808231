"""The labels: which are agreed on, which are confused, and which merges are worth a thought."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from assent.analyses.labels import LabelRow, LabelSummary, labels
from assent.analyses.labels.document import (
    by_label_table,
    disputed_table,
    matrix_blocks,
    merges_blocks,
    odd_blocks,
    takeaway,
)
from assent.analyses.labels.matrix import LabelMatrix, coincidence_matrix, confusion_matrix
from assent.analyses.labels.spellings import Alike, similar_labels
from assent.data.natural_order import many_numbers
from assent.documents import Document, Result
from assent.documents.blocks import Block, Figure, Fold, Heading, Section, notes
from assent.limits import DRAWN_LABELS, DRAWN_WITH_ZEROS, LABELS_IN_REPORT_MATRIX, MEASURED_LABELS, PAIRS_IN_REPORT
from assent.measures import krippendorff_alpha
from assent.records import plain
from assent.reports.charts.heat import FADED, faded
from assent.reports.charts.labels import agreement_on_labels, confused_items, confusions, labelled_items
from assent.reports.context import ReportContext, attempt
from assent.text import quoted

__all__ = ["LabelsSection", "labels_section", "single_labels_section"]


class LabelsSection(Result, frozen=True, kw_only=True, eq=False):
    """Agreement label by label, the pairs that are confused, and what merging them would do.

    Parameters
    ----------
    found : LabelSummary or None
        None for sets of labels, of which each single one is looked at alone.
    rows : tuple of LabelRow
        The most frequent first.
    measure, title : str
        The coefficient.
    numbers : int
        How many different numbers they are, where they were measured on a scale of numbers: they are near or far, and none is looked at alone. 0 for labels.
    """

    found: LabelSummary | None
    rows: tuple[LabelRow, ...]
    matrix: LabelMatrix | None
    alike: tuple[Alike, ...]
    unused: tuple[str, ...]
    measure: str
    title: str
    notes: tuple[str, ...]
    numbers: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the section as plain values."""
        found = self.found
        merges = None if found is None else found.merges
        return {
            "matrix": plain(self.matrix),
            "by_label": [_row(row) for row in self.rows],
            "disputed": [] if found is None else [_flat(pair.to_dict(interval)) for pair, interval in found.pairs],
            "merges": [] if merges is None else [one.to_dict() for one in merges.merges],
            "path": None if merges is None or merges.path is None else [step.to_dict() for step in merges.path],
            "spellings": plain(self.alike),
            "unused": list(self.unused),
            "measure": self.measure,
            "title": self.title,
            "overall": None if found is None else plain(found.overall.value),
            "notes": list(self.notes),
        }

    def document(self) -> Document:
        """Return the section of the report."""
        if self.numbers:
            said = f"{self.numbers:,} different numbers were compared by how far apart they are: none of them is a label to look at alone."
            return Document("Labels", [Section("labels", "Labels", said, [])])
        found = self.found
        pairs = () if found is None else found.pairs
        confused: list[Block] = [*self._confusions()]
        if len(self.rows) > 2 and pairs:
            confused.append(disputed_table(pairs))
        blocks = [
            Heading("Agreement on each label"),
            self._agreement(),
            by_label_table(self.rows, self.title),
            *([Heading("Which labels are confused"), *confused] if confused else []),
            *([] if found is None or found.merges is None else merges_blocks(found.merges)),
            *odd_blocks(self.alike, self.unused),
            *notes(self.notes),
        ]
        return Document("Labels", [Section("labels", "Labels", takeaway(self.rows, pairs), blocks)])

    def _agreement(self) -> Figure:
        some = f" The {DRAWN_LABELS} most frequent labels." if len(self.rows) > DRAWN_LABELS else ""
        return Figure(
            "labels",
            partial(agreement_on_labels, self.rows),
            "Chart of agreement on each label with intervals; the table below has the numbers.",
            f"{self.title} of each label against all others, with its interval.{some}",
            find=labelled_items(self.rows),
        )

    def _confusions(self) -> Sequence[Block]:
        matrix = self.matrix
        if matrix is None or len(matrix.labels) < 2:
            return ()
        caption = (
            "Where one annotation has the label of the row, the share of the item's other annotations with that of the "
            "column. The fuller the diagonal, the better."
        )
        if matrix.kind == "confusion":
            caption = (
                f"How often {quoted(matrix.rows)} gave the label of the row where {quoted(matrix.columns)} gave "
                "that of the column. Shades are shares of a row."
            )
        if len(matrix.labels) < len(self.rows):
            caption += f" The {len(matrix.labels)} most frequent labels."
        if len(matrix.labels) > DRAWN_WITH_ZEROS:
            caption += " A blank cell is a 0."
        if faded(matrix.totals.tolist()):
            caption += f" {FADED}"
        figure = Figure(
            "confusions",
            partial(confusions, matrix),
            "Heat map of labels given to the same items; the numbers are in the table that follows.",
            caption,
            twice=False,
            find=confused_items(matrix),
        )
        return figure, Fold("Counts as a table", matrix_blocks(matrix))


def labels_section(context: ReportContext) -> LabelsSection:
    """Return agreement label by label, the pairs that are confused, and what merging them would do."""
    settings = context.settings
    found = labels(context.data, scale=settings.scale, top=PAIRS_IN_REPORT, level=settings.level)
    assert isinstance(found, LabelSummary), "these are labels"
    rows = sorted(found.rows, key=lambda row: -row.n_annotations)
    if settings.scale not in (None, "nominal") and len(rows) <= DRAWN_LABELS:
        # Steps of a scale stand in their order, names by how frequent they are.
        place = {label: i for i, label in enumerate(context.data.labels)}
        rows.sort(key=lambda row: place.get(row.label, len(place)))
    said = [*found.notes, *(found.merges.notes if found.merges is not None else ()), *_listed(len(rows))]
    most, far = LABELS_IN_REPORT_MATRIX, settings.scale in ("interval", "ratio")
    return LabelsSection(
        found=found,
        rows=tuple(rows[:MEASURED_LABELS]),
        matrix=confusion_matrix(found, most) or coincidence_matrix(found, most),
        alike=found.alike,
        unused=found.unused,
        measure=found.overall.measure,
        title=found.overall.title,
        notes=tuple(dict.fromkeys(said)),
        numbers=len(rows) if far and many_numbers(context.data.labels, context.data._decimal) else 0,
    )


def _listed(number: int) -> list[str]:
    if number <= MEASURED_LABELS:
        return []
    return [f"The {MEASURED_LABELS} most frequent of {number:,} labels are listed."]


def _row(row: LabelRow) -> dict[str, Any]:
    """Return what is known of a label, with what its coefficient is made of."""
    agreement = row.agreement
    return {
        **_flat(row.to_dict()),
        "observed": None if agreement is None else plain(agreement.observed),
        "expected": None if agreement is None else plain(agreement.expected),
    }


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Give the interval of a row as two numbers beside it."""
    ends = row["ci"] or {"low": None, "high": None}
    return {**row, "low": ends["low"], "high": ends["high"]}


def single_labels_section(context: ReportContext) -> LabelsSection:
    """Return agreement on each single label of sets: given or not."""
    data = context.data._without_ranks()
    times = data._of_single_labels(np.asarray(data._counts.multiplicities @ data._counts.counts).ravel())
    given = data._of_single_labels(data._counts.counts > 0) > 0
    items = data._counts.multiplicities @ given
    rows = []
    for i in np.argsort(-times, kind="stable")[:MEASURED_LABELS].tolist():
        label = data.single_labels[i]
        measured = attempt(lambda label=label: krippendorff_alpha(data._binarize(label))) if times[i] else None  # type: ignore[misc]
        rows.append(
            LabelRow(
                label=label,
                n_annotations=int(times[i]),
                share=float(times[i] / data.n_annotations),
                n_items=int(items[i]),
                agreement=measured,
                interval=None if measured is None else measured.confidence_interval(context.settings.level),
                specific=math.nan,
                specific_interval=None,
                confused_with=None,
                confused_share=None,
            )
        )
    used = {label: int(times[i]) for i, label in enumerate(data.single_labels)}
    said = "Agreement on a label is whether it was given or not, whatever else was given beside it."
    return LabelsSection(
        found=None,
        rows=tuple(rows),
        matrix=None,
        alike=similar_labels(used),
        unused=tuple(label for label, number in used.items() if not number),
        measure="krippendorff-alpha",
        title="Krippendorff's alpha",
        notes=(said, *_listed(len(used))),
    )
