"""Sections that some data have: several labels per annotation, and items that not everybody annotated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from assent.analyses.findings.finding import Finding
from assent.analyses.missingness import Missingness, trend_tables
from assent.analyses.sweep import Sweep, sweep
from assent.analyses.sweep.document import sweep_blocks
from assent.data.set_sizes import SetShare
from assent.documents import Document, Result
from assent.documents.blocks import (
    Block,
    Column,
    Figure,
    Fold,
    Heading,
    Prose,
    Section,
    between,
    count,
    name,
    notes,
    number,
    share,
    table_of,
    words,
)
from assent.limits import ANNOTATORS_COMPARED, SET_SIZES_LISTED, SWEPT_MEMBERS
from assent.measures.results import plain
from assent.measures.spa import SCHEMES, spa
from assent.reports.charts.intervals import Row, intervals
from assent.reports.context import ReportContext, attempt
from assent.text import counted, level, quoted
from assent.text import number as written

__all__ = ["MultilabelSection", "SchemeValue", "SparseSection", "multilabel_section", "sparse_section"]

#: Mean numbers of labels that differ by less are called alike.
ALIKE = 0.05


@dataclass(frozen=True, kw_only=True, eq=False)
class MultilabelSection(Result):
    """What is special about sets of labels.

    Parameters
    ----------
    measures : sequence of str
        Names of the measures of sets.
    shares : sequence of SetShare
        How many labels each annotator gives, the most first.
    ranked : bool
        One label of an annotation is the primary one.
    sweep : Sweep or None
        What primary and secondary labels do to agreement.
    findings : sequence of Finding
        What makes the measures mislead.
    """

    measures: Sequence[str]
    shares: Sequence[SetShare]
    ranked: bool
    sweep: Sweep | None
    findings: Sequence[Finding] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the section as plain values, with the first of many annotators and items."""
        return {
            "measures": list(self.measures),
            "set_sizes": [
                {
                    "annotator": one.annotator,
                    "annotations": one.n_annotations,
                    "mean_labels": one.mean_labels,
                    "share_several": one.share,
                }
                for one in self.shares[:SET_SIZES_LISTED]
            ],
            "set_sizes_more": max(0, len(self.shares) - SET_SIZES_LISTED),
            "ranked": self.ranked,
            "sweep": None if self.sweep is None else self.sweep.summary(SWEPT_MEMBERS),
            "findings": [one.to_dict() for one in self.findings],
        }

    def document(self) -> Document:
        """Return the sweep, and how many labels annotators give."""
        blocks: list[Block] = []
        if self.sweep is not None:
            blocks += [
                Heading("Primary and secondary labels"),
                *sweep_blocks(self.sweep),
                *notes(self.sweep.notes),
            ]
        if self.shares:
            more = len(self.shares) - SET_SIZES_LISTED
            table = table_of(
                "set-sizes",
                "How many labels annotators give",
                self.shares[:SET_SIZES_LISTED],
                [
                    (Column("annotator", "name"), lambda one: name(one.annotator)),
                    (Column("annotations"), lambda one: count(one.n_annotations)),
                    (
                        Column("labels per annotation", meaning="Mean number of labels of an annotation."),
                        lambda one: number(one.mean_labels),
                    ),
                    (
                        Column("with several", meaning="Share of annotations with two or more labels."),
                        lambda one: share(one.share),
                    ),
                ],
                more=f"And {counted(more, 'more annotator')}." if more > 0 else "",
                quiet=True,
            )
            blocks += [Heading("How many labels annotators give"), table]
        title = "Several labels per annotation"
        return Document(title, [Section("multilabel", title, self._takeaway, blocks)])

    @property
    def _takeaway(self) -> str:
        if self.sweep is not None:
            return self.sweep.sentence
        if not self.shares:
            return "Annotations can have several labels."
        most, least = self.shares[0], self.shares[-1]
        many = written(most.mean_labels, 1)
        if most.mean_labels - least.mean_labels < ALIKE:
            return f"Annotators give {many} labels to an item on average, all alike."
        return (
            f"{quoted(most.annotator)} gives {many} labels to an item on average, {quoted(least.annotator)} "
            f"{written(least.mean_labels, 1)}."
        )


def multilabel_section(context: ReportContext) -> MultilabelSection:
    """Return what is special about sets of labels."""
    data = context.data
    swept = None
    # A sweep names every item, which data in an engine such as DuckDB are spared.
    if data.local and data._ranked and 2 <= (data.n_annotators or 0) <= ANNOTATORS_COMPARED:
        swept = attempt(lambda: sweep(data, level=context.settings.level, seed=context.settings.seed))
    return MultilabelSection(
        measures=[one.agreement.measure for one in context.measured],
        shares=sorted(data.set_shares(), key=lambda one: -one.mean_labels),
        ranked=data._ranked,
        sweep=swept,
        findings=getattr(context.sections.get("coefficients"), "findings", ()),
    )


@dataclass(frozen=True, kw_only=True)
class SchemeValue:
    """SPA with one way to weigh items; NaN where it is undefined."""

    scheme: str
    value: float
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """Return the value and its interval as plain values."""
        return {"scheme": self.scheme, "value": plain(self.value), "low": plain(self.low), "high": plain(self.high)}


@dataclass(frozen=True, kw_only=True)
class SparseSection(Result):
    """What is special about items that not everybody annotated.

    Parameters
    ----------
    schemes : sequence of SchemeValue
        SPA with every way to weigh items.
    level : float
        Confidence level of their intervals.
    missingness : Missingness
        Whether what is missing has to do with agreement.
    """

    schemes: Sequence[SchemeValue]
    level: float
    missingness: Missingness

    def to_dict(self) -> dict[str, Any]:
        """Return the section as plain values."""
        schemes = [one.to_dict() for one in self.schemes]
        return {"schemes": schemes, "missingness": self.missingness.to_dict(), "notes": []}

    def document(self) -> Document:
        """Return SPA with every way to weigh items, and agreement by numbers of annotations."""
        table = table_of(
            "schemes",
            "SPA by how items are weighed",
            self.schemes,
            [
                (
                    Column("scheme", "words", "How much an item counts that has more or fewer annotations."),
                    lambda one: words(one.scheme),
                ),
                (Column("value", term="value"), lambda one: number(one.value)),
                (Column(f"{level(self.level)} interval", term="interval"), lambda one: between(one.low, one.high)),
            ],
            quiet=True,
        )
        figure = Figure(
            "schemes",
            partial(_draw_schemes, self.schemes),
            "Chart of SPA by scheme with intervals; the table below has the numbers.",
            "SPA, agreement for sparse annotations, with every way to weigh items. If they lie far apart, it "
            "matters which items were annotated often.",
        )
        blocks: list[Block] = [figure, Fold("SPA as a table", [table])]
        first, *others = self.missingness.sentences
        told: list[Block] = [*([Prose(others)] if others else []), *trend_tables(self.missingness)]
        if told:
            blocks += [Heading("Does what is missing have to do with agreement?"), *told]
        return Document("Sparse annotations", [Section("sparse", "Sparse annotations", first, blocks)])


def _draw_schemes(schemes: Sequence[SchemeValue], width: int) -> Any | None:
    rows = [Row(name=one.scheme, value=plain(one.value), low=plain(one.low), high=plain(one.high)) for one in schemes]
    return intervals(rows, title="SPA", width=width)


def sparse_section(context: ReportContext) -> SparseSection | None:
    """Return SPA by scheme and whether what is missing has to do with agreement; None if everybody annotated everything."""
    if context.gaps is None:
        return None
    confidence = context.settings.level
    schemes = []
    for scheme in SCHEMES:
        agreement = spa(context.data, scheme=scheme)
        interval = agreement.confidence_interval(confidence)
        schemes.append(SchemeValue(scheme=scheme, value=agreement.value, low=interval.low, high=interval.high))
    return SparseSection(schemes=schemes, level=confidence, missingness=context.gaps)
