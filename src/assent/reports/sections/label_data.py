"""What annotations with labels are: how much there is, who annotated what, and which labels are in use."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from assent.data import Annotations
from assent.documents.blocks import (
    Block,
    Column,
    Facts,
    Figure,
    Fold,
    Heading,
    Prose,
    count,
    crossed,
    name,
    share,
    table_of,
)
from assent.documents.charts import NARROW
from assent.engines import Rows
from assent.limits import (
    BUSIEST_LISTED,
    COVERED_ANNOTATORS,
    COVERED_BLOCKS,
    DRAWN_ANNOTATORS,
    DRAWN_COVERAGE,
    DRAWN_LABELS,
    LABELS_LISTED,
)
from assent.measures import find
from assent.measures.results import Agreement
from assent.profiles import Array, Ratings
from assent.reports.charts import data as charts
from assent.reports.context import ReportContext
from assent.reports.sections.data import DataSection
from assent.text import DASH, amount, counted, number, percent, quoted

__all__ = ["Coverage", "LabelDataSection", "LabelShare", "LabelUse", "PerItem", "Work", "label_data_section"]

#: So many annotators need no quantiles.
FEW = 8


class PerItem(NamedTuple):
    """How many items have so many annotations."""

    n_annotations: int
    n_items: int


class Work(NamedTuple):
    """What an annotator did."""

    annotator: str
    n_annotations: int
    share: float


class LabelShare(NamedTuple):
    """How often a label was given."""

    label: str
    n_annotations: int
    share: float


class Coverage(NamedTuple):
    """Which share of each block of items each annotator labelled; items with the same annotators stand together."""

    annotators: Sequence[str]
    blocks: Sequence[Sequence[float]]
    items_per_block: int
    more: int


class LabelUse(NamedTuple):
    """Which share of each annotator's annotations has each label."""

    annotators: Sequence[str]
    labels: Sequence[str]
    shares: Sequence[Sequence[float]]


class LabelDataSection(DataSection, frozen=True, kw_only=True, eq=False):
    """What annotations with labels are.

    Parameters
    ----------
    pairable_items, pairable_annotations : int
        Items with two or more annotations, and the annotations of these.
    work : sequence of Work
        The busiest annotators.
    work_more : int
        Annotators that are not listed.
    quantiles : sequence of float or None
        Of the annotations of an annotator: least, quarter, half, three quarters, most.
    label_shares : sequence of LabelShare
        The most frequent labels.
    labels_more : int
        Labels that are not listed.
    entropy : float
        Of the shares of labels, in bits.
    ordered : bool
        The labels are steps of a scale, and stand in their order.
    sampled : str
        What is to be said of the sample of items that tells who annotated what; empty if it is all of them.
    """

    pairable_items: int
    pairable_annotations: int
    per_item: Sequence[PerItem]
    work: Sequence[Work] = ()
    work_more: int = 0
    quantiles: Sequence[float] | None = None
    coverage: Coverage | None = None
    label_shares: Sequence[LabelShare]
    labels_more: int = 0
    label_use: LabelUse | None = None
    entropy: float = 0.0
    ordered: bool = False
    sampled: str = ""

    @property
    def density(self) -> float | None:
        """Annotations as a share of all that there could be."""
        who = self.n_annotators
        return None if not who else self.n_annotations / (self.n_items * who)

    @property
    def n_labels(self) -> int:
        """How many labels there are."""
        return len(self.label_shares) + self.labels_more

    @property
    def mean_labels(self) -> float | None:
        """Labels of an annotation on average, where it may hold several."""
        several = self.described["multilabel"]
        return None if several is None else float(several["mean_labels"])

    @property
    def remarks(self) -> Sequence[str]:
        """What was recognised and what looks odd."""
        return [*super().remarks, *([self.sampled] if self.sampled else [])]

    @property
    def sample(self) -> str:
        """The data as a paper would say it."""
        least, most = self._spread
        spread = "each" if least == most else f"per item on average, from {least} to {most}"
        several = ""
        if self.mean_labels is not None:
            several = f", several labels being allowed ({number(self.mean_labels)} per annotation)"
        return (
            f"{counted(self.n_items, 'item')} with {counted(self.n_annotations, 'annotation')} "
            f"({self.n_annotations / self.n_items:.3g} {spread}) by {self.who}, using {counted(self.n_labels, 'label')}{several}"
        )

    @property
    def _spread(self) -> tuple[int, int]:
        sizes = [one.n_annotations for one in self.per_item]
        return min(sizes, default=0), max(sizes, default=0)

    def gaps(self, agreement: Agreement) -> str:
        """Say what was done with missing labels."""
        single = self.n_items - self.pairable_items
        if self.density is not None and self.density >= 1:
            # Items of which no label is there are not among them.
            lost = any(rows for _, rows in self.dropped)
            return f"Every annotator labelled every item{' that was kept' if lost else ': no label was missing'}."
        measure = find(agreement.measure)
        items = counted(agreement.n_items, "item")
        if measure.complete:
            used = f"only the {items} that every annotator labelled count"
        elif measure.profiles is Ratings:
            used = f"annotators are compared on the items that both labelled, {items} in all"
        else:
            used = f"all annotations of the {items} with two or more of them were compared, without imputation"
        alone = f"; {counted(single, 'item')} with one annotation could not be compared" if single else ""
        known = self.n_annotators is not None
        what = "Not every annotator labelled every item" if known else "It is not known who annotated what"
        return f"{what}: {used}{alone}."

    def to_dict(self) -> dict[str, Any]:
        """Return the section as plain values."""
        coverage, use = self.coverage, self.label_use
        return {
            **self.described,
            "notes": list(self.remarks),
            "pairable_items": self.pairable_items,
            "pairable_annotations": self.pairable_annotations,
            "density": self.density,
            "annotations_per_item": self.n_annotations / self.n_items,
            "per_item": [_plain(one) for one in self.per_item],
            "per_annotator": {
                "shown": [_plain(one) for one in self.work],
                "more": self.work_more,
                "quantiles": None if self.quantiles is None else list(self.quantiles),
            },
            "coverage": None if coverage is None else _plain(coverage),
            "label_shares": [_plain(one) for one in self.label_shares],
            "labels_more": self.labels_more,
            "label_entropy": {"bits": self.entropy, "largest": math.log2(max(1, self.n_labels))},
            "label_by_annotator": None if use is None else _plain(use),
            "unit": self.unit,
        }

    @property
    def takeaway(self) -> str:
        """The section in a sentence."""
        given, left = super().takeaway, self.n_items - self.pairable_items
        if not self.pairable_items:
            return f"{given} No item has two, so nothing can be compared."
        if not left:
            return f"{given} Every item has two or more annotations, so all of them count."
        return f"{given} {counted(left, 'item has', 'items have')} a single annotation and cannot count."

    @property
    def blocks(self) -> list[Block]:
        """What the section shows: numbers, who annotated what, and which labels."""
        least, most = self._spread
        around = number(self.n_annotations / self.n_items, 1) if self.n_items else DASH
        several = "" if self.mean_labels is None else f"{number(self.mean_labels, 1)} per annotation on average"
        facts = [
            ("items", amount(self.n_items), f"{amount(self.pairable_items)} with two or more annotations"),
            ("annotators", amount(self.n_annotators), self._density),
            ("annotations", amount(self.n_annotations), ""),
            ("per item", amount(least), "for every item")
            if least == most
            else ("per item", around, f"from {amount(least)} to {amount(most)}"),
            ("labels", amount(self.n_labels), several),
        ]
        return [Facts(facts), *self.left_out, *self._who_did_what(), *self._labels_in_use()]

    @property
    def _density(self) -> str:
        density = self.density
        if density is None:
            return "not named"
        return "every item by everybody" if density >= 1 else f"each has {percent(density)} of the items on average"

    def _who_did_what(self) -> list[Block]:
        blocks: list[Block] = []
        if len(self.per_item) > 1:
            blocks.append(
                Figure(
                    "annotations-per-item",
                    # Few bars with short names: one drawing fits every page.
                    lambda width: charts.annotations_per_item(self.per_item, min(width, NARROW)),
                    "Bar chart: how many items have how many annotations.",
                    "How many items have how many annotations.",
                    twice=False,
                )
            )
        if self.coverage is not None and charts.uneven(self.coverage):
            shown, all_of_them = min(len(self.coverage.annotators), DRAWN_COVERAGE), self.n_annotators or 0
            rest = f" The {shown:,} busiest annotators of {all_of_them:,}." if shown < all_of_them else ""
            blocks.append(
                Figure(
                    "coverage",
                    partial(charts.coverage, self.coverage),
                    f"Map of who annotated what: a row for each of {counted(shown, 'annotator')}, items from left to right.",
                    "Who annotated what: the fuller a block, the more of its items the annotator has. Items with the "
                    f"same annotators stand together.{rest}",
                )
            )
        if self.work:
            table = table_of(
                "work",
                "Annotations of each annotator",
                self.work,
                [
                    (Column("annotator", "name"), lambda row: name(row.annotator)),
                    (Column("annotations"), lambda row: count(row.n_annotations)),
                    (Column("share of all"), lambda row: share(row.share)),
                ],
                quiet=True,
                more=f"And {counted(self.work_more, 'more annotator')} with fewer annotations."
                if self.work_more
                else "",
            )
            blocks += [Prose([self._workload]), Fold("Annotations of each annotator", [table])]
        return [Heading("Who annotated what"), *blocks] if blocks else []

    @property
    def _workload(self) -> str:
        assert self.quantiles is not None
        least, lower, middle, upper, most = self.quantiles
        if least == most:
            return f"Every annotator has {counted(round(most), 'annotation')}."
        if len(self.work) + self.work_more <= FEW:
            return f"Annotators have between {amount(least)} and {amount(most)} annotations each."
        return (
            f"Half of the annotators have between {amount(lower)} and {amount(upper)} annotations, the median is {amount(middle)}; "
            f"the extremes are {amount(least)} and {amount(most)}."
        )

    def _labels_in_use(self) -> list[Block]:
        rows = self.label_shares
        if not rows:
            return []
        most = max(rows, key=lambda row: row.n_annotations)
        told = f"{quoted(most.label)} is the most frequent label: {percent(most.share)} of annotations have it."
        if self.n_labels > 1:
            told += (
                f" Entropy of the label shares: {number(self.entropy)} of {number(math.log2(self.n_labels))} bits, which equally frequent labels "
                "would have."
            )
        if self.mean_labels is not None:
            told += " Shares add up to more than 100 %, since an annotation can have several labels."
        cut = f"; the {DRAWN_LABELS} most frequent of {self.n_labels:,}" if self.n_labels > DRAWN_LABELS else ""
        table = table_of(
            "label-shares",
            "How often each label was given",
            rows,
            [
                (Column("label", "name"), lambda row: name(row.label)),
                (Column("annotations"), lambda row: count(row.n_annotations)),
                (Column("share"), lambda row: share(row.share)),
            ],
            quiet=True,
            more=f"And {counted(self.labels_more, 'rarer label')}." if self.labels_more else "",
        )
        figure = Figure(
            "label-shares",
            partial(charts.label_shares, rows),
            "Bar chart: share of annotations with each label.",
            f"Share of annotations with each label{cut}.",
        )
        return [Heading("Labels in use"), Prose([told]), figure, Fold("Labels as a table", [table]), *self._label_use()]

    def _label_use(self) -> list[Block]:
        use = self.label_use
        if use is None or len(use.annotators) < 2:
            return []
        some = f" The {DRAWN_LABELS} most frequent labels." if self.n_labels > DRAWN_LABELS else ""
        if (self.n_annotators or 0) > len(use.annotators):
            some += f" The {len(use.annotators)} annotators with the most annotations."
        figure = Figure(
            "labels-by-annotator",
            partial(charts.labels_by_annotator, use),
            "Heat map: share of each annotator's annotations with each label.",
            "Share of an annotator's annotations with each label. A column that is uneven from top to bottom is "
            f"a label that annotators use differently.{some}",
            twice=False,
        )
        table = crossed(
            table="label-use",
            caption="Share of each annotator's annotations with each label",
            corner="annotator",
            rows=[name(who) for who in use.annotators],
            columns=[name(label, limit=40) for label in use.labels],
            cells=[[share(one) for one in line] for line in use.shares],
        )
        return [figure, Fold("Label use as a table", [table])]


def label_data_section(context: ReportContext) -> LabelDataSection:
    """Describe annotations: how many items, annotators, annotations and labels there are, and how they are spread."""
    data = context.data
    counts = data._counts
    sizes, where = np.unique(counts.sizes.astype(np.int64), return_inverse=True)
    items = np.bincount(where, weights=counts.multiplicities).astype(np.int64)
    given = _label_totals(context)
    # Steps of a scale stand in their order, names by how frequent they are.
    steps = context.settings.scale not in (None, "nominal") and data.kind == "labels"
    order = np.arange(len(given)) if steps and len(given) <= LABELS_LISTED else np.argsort(-given, kind="stable")
    listed = order[:LABELS_LISTED].tolist()
    labels = data.single_labels
    return LabelDataSection(
        described=data.to_dict(),
        unit=data.unit,
        pairable_items=counts.pairable_items,
        pairable_annotations=counts.pairable_annotations,
        per_item=[PerItem(int(n), int(k)) for n, k in zip(sizes, items, strict=True)],
        coverage=_coverage(context),
        label_shares=[LabelShare(labels[i], int(given[i]), float(given[i] / data.n_annotations)) for i in listed],
        labels_more=len(labels) - len(listed),
        label_use=_label_use(context, order),
        entropy=_entropy(given),
        ordered=steps,
        sampled="" if context.who is data else context.who.notes[-1],
        **_workload(context),
    )


def _entropy(given: Array) -> float:
    """Return the entropy of how often labels were given, in bits."""
    used = given[given > 0]
    share = used / max(1.0, float(used.sum()))
    return float(-(share * np.log2(share)).sum()) + 0.0


def _plain(row: PerItem | Work | LabelShare | Coverage | LabelUse) -> dict[str, Any]:
    """Return a row, or a table, as plain values: the JSON calls numbers by what they count."""
    told = {key.removeprefix("n_"): one for key, one in row._asdict().items()}
    return {key: list(one) if isinstance(one, tuple) else one for key, one in told.items()}


def _label_totals(context: ReportContext) -> Array:
    """Count the annotations with each single label: (labels,)."""
    counts = context.data._counts
    times = np.asarray(counts.multiplicities @ counts.counts).ravel()
    return np.asarray(context.data._of_single_labels(times), dtype=np.int64)


def _work(data: Annotations) -> tuple[Array, Array]:
    """Return the annotations of each annotator, and the annotators by these, busiest first."""
    ratings = data._ratings
    times = ratings.multiplicities[ratings.profile]
    work = np.bincount(ratings.annotator, weights=times, minlength=len(ratings.annotators)).astype(np.int64)
    return work, np.argsort(-work, kind="stable")


def _workload(context: ReportContext) -> dict[str, Any]:
    data, names = context.data, context.data.annotators
    if names is None:
        return {}
    if context.who is data:
        work, order = _work(data)
    else:
        assert isinstance(data._source, Rows)
        work = np.array([data._source.survey.annotator_rows[name] for name in names])
        order = np.argsort(-work, kind="stable")
    busiest = order[:BUSIEST_LISTED].tolist()
    return {
        "work": [Work(names[i], int(work[i]), float(work[i] / data.n_annotations)) for i in busiest],
        "work_more": max(0, len(names) - BUSIEST_LISTED),
        "quantiles": np.quantile(work, [0.0, 0.25, 0.5, 0.75, 1.0]).tolist(),
    }


def _coverage(context: ReportContext) -> Coverage | None:
    """Return which share of each block of items each annotator labelled; items with the same annotators stand together."""
    if context.who.annotators is None:
        return None
    ratings = context.who._ratings
    _, order = _work(context.who)
    shown = order[:COVERED_ANNOTATORS]
    rank = np.full(len(order), -1)
    rank[shown] = np.arange(len(shown))
    here = np.flatnonzero(rank[ratings.annotator] >= 0)
    # Each kind of item spells who labelled it in bits, the busiest annotator first.
    place = (63 - rank[ratings.annotator[here]]).astype(np.uint64)
    bits = np.zeros(len(ratings.multiplicities), dtype=np.uint64)
    np.bitwise_or.at(bits, ratings.profile[here], np.left_shift(np.uint64(1), place))
    # Of all bits the busiest come first.
    teams, team = np.unique(~bits, return_inverse=True)
    ends = np.cumsum(np.bincount(team.ravel(), weights=ratings.multiplicities)).astype(np.int64)
    items = int(ends[-1])
    per_block = -(-items // COVERED_BLOCKS)
    # A piece is what a team did of a block: it ends where one of them does.
    cuts = np.unique(np.concatenate([ends, np.arange(per_block, items, per_block)]))
    length = np.diff(cuts, prepend=0)
    block = (cuts - 1) // per_block
    did = ~teams[np.searchsorted(ends, cuts)]
    size = np.bincount(block, weights=length)
    shares = [
        np.bincount(block, weights=length * ((did >> np.uint64(63 - i)) & np.uint64(1))) / size
        for i in range(len(shown))
    ]
    return Coverage(
        annotators=[context.who.annotators[i] for i in shown.tolist()],
        blocks=[one.tolist() for one in shares],
        items_per_block=per_block,
        more=len(order) - len(shown),
    )


def _label_use(context: ReportContext, labels: Array) -> LabelUse | None:
    """Return which share of each annotator's annotations has each label."""
    data = context.who
    if data.annotators is None:
        return None
    ratings = data._ratings
    work, order = _work(data)
    who, what = order[:DRAWN_ANNOTATORS], labels[:DRAWN_LABELS]
    width = len(data.labels)
    rank = np.full(len(order), -1)
    rank[who] = np.arange(len(who))
    here = np.flatnonzero(rank[ratings.annotator] >= 0)
    cells = rank[ratings.annotator[here]] * width + ratings.label[here]
    times = ratings.multiplicities[ratings.profile[here]]
    given = np.bincount(cells, weights=times, minlength=len(who) * width).reshape(len(who), width)
    given = data._of_single_labels(given)
    return LabelUse(
        annotators=[data.annotators[i] for i in who.tolist()],
        labels=[data.single_labels[i] for i in what.tolist()],
        shares=(given[:, what] / work[who][:, None]).tolist(),
    )
