"""The section on the data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assent.reports.charts.sections import MOST_COVERED, MOST_LABELS
from assent.reports.page.blocks import (
    Block,
    Column,
    Facts,
    Fold,
    Heading,
    Notes,
    Prose,
    Section,
    Table,
    count,
    crossed,
    name,
    share,
)
from assent.reports.page.pictures import Pictures
from assent.reports.page.wording import counted, quoted
from assent.text import percent

__all__ = ["data_section"]

#: So many annotators need no quantiles.
FEW = 8


def data_section(report: Mapping[str, Any], draw: Pictures) -> Section:
    """Return what the data are: how many, who annotated what, which labels, what was left out."""
    data = report["data"]
    return Section(
        name="data",
        title="Data",
        takeaway=_takeaway(data),
        blocks=[
            Facts(_facts(data)),
            *_left_out(data),
            *_spread(data, draw),
            *_labels(data, draw),
            *([Notes(data["notes"])] if data["notes"] else []),
        ],
    )


def _takeaway(data: Mapping[str, Any]) -> str:
    who = data["annotators"]
    by = "" if not who else f" by {counted(who, 'annotator')}"
    usable = data["pairable_items"]
    given = f"{counted(data['annotations'], 'annotation')} of {counted(data['items'], 'item')}{by}"
    if not usable:
        return f"{given}. No item has two, so nothing can be compared."
    if usable == data["items"]:
        return f"{given}. Every item has two or more annotations, so all of them count."
    return f"{given}. {counted(data['items'] - usable, 'item has', 'items have')} a single annotation and cannot count."


def _facts(data: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    per_item = [row["annotations"] for row in data["per_item"]]
    least, most = min(per_item, default=0), max(per_item, default=0)
    around = f"{data['annotations'] / data['items']:.1f}" if data["items"] else "–"
    return [
        ("items", f"{data['items']:,}", f"{data['pairable_items']:,} with two or more annotations"),
        ("annotators", "–" if data["annotators"] is None else f"{data['annotators']:,}", _density(data)),
        ("annotations", f"{data['annotations']:,}", ""),
        (
            "per item",
            around if least != most else f"{least:,}",
            f"from {least:,} to {most:,}" if least != most else "for every item",
        ),
        ("labels", f"{len(data['label_shares']) + data['labels_more']:,}", _several(data["multilabel"])),
    ]


def _several(sets: Mapping[str, Any] | None) -> str:
    return "" if sets is None else f"{sets['mean_labels']:.1f} per annotation on average"


def _density(data: Mapping[str, Any]) -> str:
    density = data["density"]
    if density is None:
        return "not named"
    return "every item by everybody" if density >= 1 else f"each has {percent(density)} of the items on average"


def _left_out(data: Mapping[str, Any]) -> list[Block]:
    dropped = data["dropped"]
    if not dropped:
        return [Prose(["Nothing was left out: every row with a label was used."])]
    sentences = [f"Left out: {counted(one['rows'], 'row')}, {one['reason']}." for one in dropped]
    return [Prose(sentences)]


def _spread(data: Mapping[str, Any], draw: Pictures) -> list[Block]:
    """Who annotated what."""
    blocks: list[Block] = []
    blocks += draw(
        "annotations-per-item",
        "Bar chart: how many items have how many annotations.",
        "How many items have how many annotations.",
    )
    coverage = data["coverage"]
    if coverage is not None:
        shown = min(len(coverage["annotators"]), MOST_COVERED)
        rest = f" The {shown:,} busiest annotators of {data['annotators']:,}." if shown < data["annotators"] else ""
        blocks += draw(
            "coverage",
            f"Map of who annotated what: a row for each of {counted(shown, 'annotator')}, items from left to right.",
            "Who annotated what: the fuller a block, the more of its items the annotator has. Items with the "
            f"same annotators stand together.{rest}",
        )
    work = data["per_annotator"]
    if work["shown"]:
        table = Table(
            name="work",
            caption="Annotations of each annotator",
            columns=[Column("annotator"), Column("annotations", figures=True), Column("share of all", figures=True)],
            rows=[[name(row["annotator"]), count(row["annotations"]), share(row["share"])] for row in work["shown"]],
            quiet=True,
            more=f"And {counted(work['more'], 'more annotator', 'more annotators')} with fewer annotations."
            if work["more"]
            else "",
        )
        blocks.append(Prose([_workload(work)]))
        blocks.append(Fold("Annotations of each annotator", [table]))
    return [Heading("Who annotated what"), *blocks] if blocks else []


def _workload(work: Mapping[str, Any]) -> str:
    least, lower, middle, upper, most = work["quantiles"]
    if least == most:
        return f"Every annotator has {counted(round(most), 'annotation')}."
    if len(work["shown"]) + work["more"] <= FEW:
        return f"Annotators have between {least:,.0f} and {most:,.0f} annotations each."
    return (
        f"Half of the annotators have between {lower:,.0f} and {upper:,.0f} annotations, the median is {middle:,.0f}; "
        f"the extremes are {least:,.0f} and {most:,.0f}."
    )


def _labels(data: Mapping[str, Any], draw: Pictures) -> list[Block]:
    """Which labels were given, by all and by each."""
    rows = data["label_shares"]
    if not rows:
        return []
    first = rows[0]
    told = f"{quoted(first['label'])} is the most frequent label: {percent(first['share'])} of annotations have it."
    several = data["multilabel"]
    blocks: list[Block] = [
        Heading("Labels in use"),
        Prose(
            [
                told
                + (" Shares add up to more than 100 %, since an annotation can have several labels." if several else "")
            ]
        ),
    ]
    blocks += draw(
        "label-shares",
        "Bar chart: share of annotations with each label.",
        "Share of annotations with each label"
        + (
            f"; the {MOST_LABELS} most frequent of {len(rows) + data['labels_more']:,}."
            if len(rows) + data["labels_more"] > MOST_LABELS
            else "."
        ),
    )
    blocks.append(
        Fold(
            "Labels as a table",
            [
                Table(
                    name="label-shares",
                    caption="How often each label was given",
                    columns=[Column("label"), Column("annotations", figures=True), Column("share", figures=True)],
                    rows=[[name(row["label"]), count(row["annotations"]), share(row["share"])] for row in rows],
                    quiet=True,
                    more=f"And {counted(data['labels_more'], 'rarer label')}." if data["labels_more"] else "",
                )
            ],
        )
    )
    use = data["label_by_annotator"]
    if use is not None and len(use["annotators"]) > 1:
        picture = draw(
            "labels-by-annotator",
            "Heat map: share of each annotator's annotations with each label.",
            "Share of an annotator's annotations with each label. A column that is uneven from top to bottom is "
            "a label that annotators use differently.",
        )
        table = crossed(
            name="label-use",
            caption="Share of each annotator's annotations with each label",
            corner="annotator",
            rows=[name(who) for who in use["annotators"]],
            columns=[name(label, limit=40) for label in use["labels"]],
            cells=[[share(one) for one in line] for line in use["shares"]],
        )
        blocks += [*picture, Fold("Label use as a table", [table])]
    return blocks
