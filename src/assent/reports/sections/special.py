"""Sections that some data have: several labels per annotation, and items that not everybody annotated."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.consensus.methods.counting import GROWN
from assent.analyses.findings.finding import Finding
from assent.analyses.missingness import Missingness, trend_tables
from assent.analyses.sweep import Sweep, sweep
from assent.analyses.sweep.document import sweep_blocks
from assent.data import Annotations
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
    Table,
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
from assent.measures.spa import SCHEMES, spa
from assent.records import Record, plain
from assent.reports.charts.intervals import Row, intervals
from assent.reports.context import ReportContext, attempt
from assent.text import counted, level, percent, quoted
from assent.text import number as written

__all__ = ["MultilabelSection", "SchemeValue", "SparseSection", "multilabel_section", "sparse_section"]

#: Mean numbers of labels that differ by less are called alike.
ALIKE = 0.05


#: Pairs of labels that are listed, and how many annotations at least hold them.
PAIRS_LISTED, LEAST_TOGETHER = 10, 3
_OF_PAIRS = (
    "A pair that is given together far more often than its labels would meet by chance may be a category of its own."
)


class GivenTogether(Record, frozen=True, kw_only=True):
    """Two labels that annotations hold together.

    Parameters
    ----------
    n_annotations : int
        That hold both.
    share : float
        Of all annotations.
    by_chance : float
        Annotations that would hold both if labels met at random in sets as large as these.
    """

    first: str
    second: str
    n_annotations: int
    share: float
    by_chance: float


def given_together(data: Annotations) -> list[GivenTogether]:
    """Return the pairs of labels that most annotations hold together, the most frequent first."""
    sets = data._without_ranks()._parts
    plain_data = data._without_ranks()
    times = np.asarray(plain_data._counts.multiplicities @ plain_data._counts.counts, dtype=np.float64).ravel()
    member = sets.membership.astype(np.float64)
    together = member.T @ (times[:, None] * member)
    given = np.diag(together).copy()
    # Each set draws its pairs from all labels, in proportion to how often two different ones are given.
    pairs_in_sets = float((times * sets.sizes * (sets.sizes - 1)).sum() / 2.0)
    room = (float(given.sum()) ** 2 - float(given @ given)) / 2.0
    first, second = np.triu_indices(len(given), 1)
    order = np.argsort(-together[first, second], kind="stable")[:PAIRS_LISTED]
    found = []
    for at in order.tolist():
        one, two = int(first[at]), int(second[at])
        both = int(together[one, two])
        if both >= LEAST_TOGETHER:
            chance = pairs_in_sets * float(given[one] * given[two]) / room if room else 0.0
            share_of = both / max(1.0, float(times.sum()))
            found.append(
                GivenTogether(
                    first=sets.labels[one],
                    second=sets.labels[two],
                    n_annotations=both,
                    share=share_of,
                    by_chance=chance,
                )
            )
    return found


def in_common(data: Annotations) -> str:
    """Say which label the labels that two annotators have in common hold more of than what was given; empty if none does by much."""
    counts = data._without_ranks()._counts
    given = data._without_ranks()._of_single_labels(counts.counts)
    before = counts.multiplicities @ given
    after = counts.multiplicities @ (given * (given - 1))
    if not after.sum():
        return ""
    before, after = before / before.sum(), after / after.sum()
    most = int(np.argmax(after - before))
    if after[most] - before[most] < GROWN:
        return ""
    return (
        f"Labels in common over-represent frequent ones: {quoted(data.single_labels[most])} makes up {percent(float(after[most]))} of what two annotators have "
        f"in common and {percent(float(before[most]))} of what was given. Do not read label shares off the intersection."
    )


def _pairs_table(pairs: Sequence[GivenTogether]) -> Table:
    return table_of(
        "given-together",
        "Labels that are given together",
        pairs,
        [
            (Column("label", "name"), lambda one: name(one.first)),
            (Column("and", "name"), lambda one: name(one.second)),
            (Column("annotations", meaning="That hold both."), lambda one: count(one.n_annotations)),
            (Column("share"), lambda one: share(one.share)),
            (
                Column(
                    "by chance",
                    meaning="Annotations that would hold both if labels met at random in sets as large as these.",
                ),
                lambda one: number(one.by_chance, 1),
            ),
        ],
        quiet=True,
    )


class MultilabelSection(Result, frozen=True, kw_only=True, eq=False):
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
    pairs : sequence of GivenTogether
        Labels that were given together, the most frequent first.
    common : str
        Which label the labels in common hold more of than the annotations; empty if none.
    findings : sequence of Finding
        What makes the measures mislead.
    """

    measures: Sequence[str]
    shares: Sequence[SetShare]
    ranked: bool
    sweep: Sweep | None
    pairs: Sequence[GivenTogether] = ()
    common: str = ""
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
            "given_together": plain(self.pairs),
            "sweep": None if self.sweep is None else self.sweep.summary(SWEPT_MEMBERS),
            "findings": plain(self.findings),
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
        if self.pairs:
            blocks += [Heading("Labels that are given together"), Prose([_OF_PAIRS]), _pairs_table(self.pairs)]
        blocks += notes([self.common] if self.common else [])
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
        pairs=given_together(data),
        common=in_common(data),
        findings=getattr(context.sections.get("coefficients"), "findings", ()),
    )


class SchemeValue(Record, frozen=True, kw_only=True):
    """SPA with one way to weigh items; NaN where it is undefined."""

    scheme: str
    value: float
    low: float
    high: float


class SparseSection(Result, frozen=True, kw_only=True):
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
        schemes = plain(self.schemes)
        return {"schemes": schemes, "missingness": self.missingness.to_dict(), "notes": []}

    @property
    def shown(self) -> Sequence[SchemeValue]:
        """One row for schemes that say the same: they do where every item has as many annotations."""
        found: dict[tuple[str, ...], list[SchemeValue]] = {}
        for one in self.schemes:
            found.setdefault(tuple(written(x) for x in (one.value, one.low, one.high)), []).append(one)
        return [replace(some[0], scheme=", ".join(one.scheme for one in some)) for some in found.values()]

    def document(self) -> Document:
        """Return SPA with every way to weigh items, and agreement by numbers of annotations."""
        table = table_of(
            "schemes",
            "SPA by how items are weighed",
            self.shown,
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
            partial(_draw_schemes, self.shown),
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
        agreement = spa(context.data, scheme=scheme, scale=context.settings.scale)
        interval = agreement.confidence_interval(confidence)
        schemes.append(SchemeValue(scheme=scheme, value=agreement.value, low=interval.low, high=interval.high))
    return SparseSection(schemes=schemes, level=confidence, missingness=context.gaps)
