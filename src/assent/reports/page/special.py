"""Sections that some reports have: several labels per annotation, and sparse annotations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assent.reports.charts.parts import ends
from assent.reports.page.blocks import (
    Block,
    Cell,
    Column,
    Fold,
    Heading,
    Notes,
    Prose,
    Section,
    Table,
    at,
    between,
    count,
    name,
    names,
    share,
    value,
    words,
)
from assent.reports.page.coefficients import finding_cards
from assent.reports.page.pictures import Pictures
from assent.reports.page.wording import counted, quoted

__all__ = ["multilabel_section", "sparse_section"]


def multilabel_section(report: Mapping[str, Any], draw: Pictures) -> Section | None:
    """Return what is special about sets of labels; None if annotations hold one each."""
    part = report["multilabel"]
    if part is None:
        return None
    sweep = part["sweep"]
    sizes = part["set_sizes"]
    blocks: list[Block] = []
    measures = [one for one in report["coefficients"]["measures"] if one["measure"] in part["measures"]]
    if measures:
        blocks.append(_measures(measures))
    if part["findings"]:
        blocks.append(finding_cards(part["findings"]))
    if sweep is not None:
        blocks += _sweep(sweep, draw)
    if sizes:
        table = Table(
            name="set-sizes",
            caption="How many labels annotators give",
            columns=[
                Column("annotator"),
                Column("annotations", figures=True),
                Column("labels per annotation", "Mean number of labels of an annotation.", figures=True),
                Column("with several", "Share of annotations with two or more labels.", figures=True),
            ],
            rows=[
                [
                    name(one["annotator"]),
                    count(one.get("annotations")),
                    value(one["mean_labels"]),
                    share(one["share_several"]),
                ]
                for one in sizes
            ],
            more=f"And {counted(part['set_sizes_more'], 'more annotator')}." if part.get("set_sizes_more") else "",
            quiet=True,
        )
        blocks += [Heading("How many labels annotators give"), table]
    takeaway = sweep["sentence"] if sweep is not None else _sizes(sizes)
    return Section(name="multilabel", title="Several labels per annotation", takeaway=takeaway, blocks=blocks)


def _sizes(sizes: list[Mapping[str, Any]]) -> str:
    if not sizes:
        return "Annotations can have several labels."
    most, least = (pick(sizes, key=lambda one: one["mean_labels"]) for pick in (max, min))
    if len(sizes) == 1 or most["mean_labels"] - least["mean_labels"] < 0.05:
        return f"Annotators give {most['mean_labels']:.1f} labels to an item on average, all alike."
    return (
        f"{quoted(most['annotator'])} gives {most['mean_labels']:.1f} labels to an item on average, "
        f"{quoted(least['annotator'])} {least['mean_labels']:.1f}."
    )


def _measures(measures: list[Mapping[str, Any]]) -> Table:
    return Table(
        name="set-measures",
        caption="Measures of sets of labels",
        columns=[
            Column("measure"),
            Column("value", "Beyond chance.", figures=True),
            Column("interval", figures=True),
            Column("observed", "As it is, chance included.", figures=True),
            Column("expected", "What sets drawn at random from those in use would reach.", figures=True),
        ],
        rows=[
            [
                words(one["title"]),
                value(one["value"]),
                between(*ends(one)),
                value(one["observed"]),
                value(one["expected"]),
            ]
            for one in measures
        ],
    )


def _sweep(sweep: Mapping[str, Any], draw: Pictures) -> list[Block]:
    rows = [
        [
            words(one["title"]),
            count(one["items"]),
            share(one["share"]),
            words(one["meaning"]),
            names([(member, "") for member in one.get("members", [])[:5]]) if one.get("members") else words(""),
        ]
        for one in sweep["classes"]
    ]
    columns = [
        Column("agreement on the item is"),
        Column("items", figures=True),
        Column("share", figures=True),
        Column("what to do", wide=True),
        Column("for example"),
    ]
    points = Table(
        name="sweep",
        caption="Augmented kappa by the weight of the primary label",
        columns=[Column("weight", figures=True), Column("value", figures=True), Column("interval", figures=True)],
        rows=[[value(one["primary"]), value(one["value"]), between(*ends(one))] for one in sweep["points"]],
        quiet=True,
    )
    picture = draw(
        "sweep",
        "Line chart of augmented kappa by the weight of the primary label; the numbers are in the table that follows.",
        "Agreement by how much the primary label counts: at 0.5 all labels of an annotation count alike, at 1 "
        "the primary one alone. The band is the interval at each point.",
    )
    classes = draw(
        "sweep-classes",
        "Bar chart: items by what the weight does to them.",
        "Items by what the weight of the primary label does to them.",
    )
    return [
        Heading("Primary and secondary labels"),
        *picture,
        Fold("The sweep as a table", [points]),
        *classes,
        Table("sweep-classes", "Kinds of items", columns, rows),
        *([Notes(sweep["notes"])] if sweep.get("notes") else []),
    ]


def sparse_section(report: Mapping[str, Any], draw: Pictures) -> Section | None:
    """Return what is special about items that not everybody annotated; None if everybody did."""
    part = report["sparse"]
    if part is None:
        return None
    missing = part["missingness"] or {}
    sentences = list(missing.get("sentences") or [])
    schemes = Table(
        name="schemes",
        caption="SPA by how items are weighed",
        columns=[
            Column("scheme", "How much an item counts that has more or fewer annotations."),
            Column("value", figures=True),
            Column("interval", figures=True),
        ],
        rows=[[words(one["scheme"]), value(one["value"]), between(*ends(one))] for one in part["schemes"]],
        quiet=True,
    )
    blocks: list[Block] = [
        *draw(
            "schemes",
            "Chart of SPA by scheme with intervals; the table below has the numbers.",
            "SPA, agreement for sparse annotations, with every way to weigh items. If they lie far apart, it "
            "matters which items were annotated often.",
        ),
        Fold("SPA as a table", [schemes]),
    ]
    trends = [
        *_trend(missing, "by_annotations", "items", "annotations of the item"),
        *_trend(missing, "by_workload", "annotators", "annotations of the annotator"),
    ]
    if sentences[1:] or trends:
        blocks += [Heading("Does what is missing have to do with agreement?"), Prose(sentences[1:]), *trends]
    if part["notes"]:
        blocks.append(Notes(part["notes"]))
    return Section(
        name="sparse",
        title="Sparse annotations",
        takeaway=sentences[0] if sentences else "Not everybody annotated everything.",
        blocks=blocks,
    )


def _trend(missing: Mapping[str, Any], key: str, what: str, title: str) -> list[Block]:
    groups = at(missing, key, "groups")
    if not groups:
        return []
    rows = [
        [
            Cell(f"{one['low']:,}" if one["low"] == one["high"] else f"{one['low']:,} to {one['high']:,}", one["low"]),
            count(one["count"]),
            share(one["agreement"]),
        ]
        for one in groups
    ]
    columns = [
        Column(title),
        Column(what, figures=True),
        Column("agreement", "Mean share of pairs of annotations that agree.", figures=True),
    ]
    return [Table(key.replace("_", "-"), f"Agreement by {title}", columns, rows)]
