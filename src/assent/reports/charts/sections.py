"""The charts of the sections: from parts of a report to a chart, None where there is nothing to draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assent.documents.charts import PALETTE
from assent.reports.charts import bars, heat
from assent.reports.charts.intervals import Row, intervals
from assent.reports.charts.parts import ends, inline
from assent.reports.charts.verdict import verdict as verdict_picture
from assent.text import number, percent

__all__ = [
    "annotations_per_item",
    "annotator_pairs",
    "annotators",
    "coefficients",
    "coverage",
    "differences",
    "groups",
    "label_shares",
    "labels_by_annotator",
    "questions",
    "schemes",
    "sweep",
    "sweep_classes",
    "verdict",
]

Report = Mapping[str, Any]
#: More rows than this are in the table alone.
MOST_LABELS, MOST_ANNOTATORS, MOST_COLUMNS, MOST_COVERED = 20, 30, 12, 40
#: Who has no larger share of any part of the items makes no pattern that a map would show.
LITTLE = 0.25


def verdict(report: Report, width: int) -> Any | None:
    """Draw the number to quote on a line."""
    return verdict_picture(report["verdict"], width=width)


def coverage(report: Report, width: int) -> Any | None:
    """Who annotated which part of the items; None if everybody has all of them, or nobody much of any part."""
    part = report["data"]["coverage"]
    if part is None:
        return None
    shares = [share for line in part["blocks"] for share in line]
    if min(shares, default=1) == 1 or max(shares) <= LITTLE:
        return None
    size = part["items_per_block"]
    title = "items" if size == 1 else f"items, in blocks of {size:,}"
    who, blocks = part["annotators"][:MOST_COVERED], part["blocks"][:MOST_COVERED]
    return heat.coverage(who, blocks, title=title, width=width)


def annotations_per_item(report: Report, width: int) -> Any | None:
    """How many items have how many annotations."""
    rows = _gathered(report["data"]["per_item"], MOST_COLUMNS)
    # One number for all items is a sentence, not a chart.
    return bars.shares(rows, title="items", width=width) if len(rows) > 1 else None


def _gathered(rows: Sequence[Mapping[str, Any]], most: int) -> list[tuple[str, float, str]]:
    """Join neighbouring numbers of annotations until there are `most` groups, each with about as many numbers."""
    per = -(-len(rows) // most)
    chunks = [rows[i : i + per] for i in range(0, len(rows), per)] if rows else []
    made = []
    for chunk in chunks:
        name = _range(chunk[0]["annotations"], chunk[-1]["annotations"])
        items = sum(row["items"] for row in chunk)
        made.append((f"{name} annotation{'' if name == '1' else 's'}", items, f"{items:,}"))
    return made


def _range(low: int, high: int) -> str:
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"


def label_shares(report: Report, width: int) -> Any | None:
    """How often each label was given."""
    rows = [
        (row["label"], row["share"], f"{percent(row['share'])}  ({row['annotations']:,})")
        for row in report["data"]["label_shares"][:MOST_LABELS]
    ]
    return bars.shares(rows, title="share of annotations", width=width)


def labels_by_annotator(report: Report, width: int) -> Any | None:
    """How often each annotator gave each label."""
    part = report["data"]["label_by_annotator"]
    if part is None or len(part["annotators"]) < 2:
        return None
    who = part["annotators"][:MOST_ANNOTATORS]
    narrow = len(part["labels"]) > 10
    return heat.heat_map(
        who,
        part["labels"],
        heat.shares_of(part["shares"][: len(who)]),
        size=(heat.cell_width(part["labels"], 40 if narrow else 56), 24 if len(who) > 12 else 28),
        font=11 if narrow else 12,
    )


def coefficients(report: Report, width: int) -> Any | None:
    """Every coefficient with its interval, the one to quote in bold."""
    part = report["coefficients"]
    rows = [
        Row(
            name=one["title"],
            value=one["value"],
            low=ends(one)[0],
            high=ends(one)[1],
            strong=one["measure"] == part["quote"],
        )
        for one in part["measures"]
    ]
    return intervals(rows, title="value", width=width, target=report["verdict"]["target"])


def annotators(report: Report, width: int) -> Any | None:
    """How far each annotator agrees with the others, and the others among themselves on the same items."""
    part = report["annotators"]
    if part is None or part["total"] < 3:
        return None
    rows = [
        Row(
            name=row["annotator"],
            value=row["agreement"]["value"],
            low=row["agreement"]["low"],
            high=row["agreement"]["high"],
            strong=bool(row["flagged"]),
            beside=row["others"]["agreement"],
        )
        for row in [row for row in part["rows"] if row["judged"]][:MOST_ANNOTATORS]
    ]
    return intervals(rows, title="agreement with the others", width=width, beside="others", share=True)


def annotator_pairs(report: Report, width: int) -> Any | None:
    """Agreement of every two annotators, those who agree side by side."""
    part = report["annotators"] and report["annotators"]["pairs"]
    if part is None or len(part["annotators"]) < 3:
        return None
    names, values = part["annotators"], part["values"]
    many = len(names)
    cells: list[list[heat.Cell]] = [
        [_pair(values[i][j], many > 25) if j < i else (None, "") for j in range(many - 1)] for i in range(1, many)
    ]
    size = (52, 30) if many <= 12 else (36, 22) if many <= 25 else (24, 18)
    return heat.heat_map(names[1:], names[:-1], cells, size=size, font=12 if many <= 12 else 10)


def _pair(value: float | None, short: bool) -> heat.Cell:
    if value is None:
        return 0.0, "–"
    text = number(value)
    return max(-1.0, min(value, 1.0)), text.replace("0.", ".") if short and abs(value) < 0.995 else text


def sweep(report: Report, width: int) -> Any | None:
    """Agreement by the weight of the primary label."""
    import altair as alt

    part = report["multilabel"] and report["multilabel"]["sweep"]
    if not part or not any(point["value"] is not None for point in part["points"]):
        return None
    rows = [
        {"p": point["primary"], "value": point["value"], "low": ends(point)[0], "high": ends(point)[1]}
        for point in part["points"]
    ]
    base = inline(rows).encode(
        alt.X("p:Q")
        .title("weight of the primary label")
        .scale(alt.Scale(domain=[0.5, 1]))
        .axis(alt.Axis(format=".2~f", tickCount=5))
    )
    axis = alt.Axis(tickCount=5, format=".2~f")

    def y(field: str) -> Any:
        return alt.Y(f"{field}:Q").title("augmented kappa").scale(alt.Scale(zero=False)).axis(axis)

    layers = [base.mark_line(color=PALETTE[0], point=alt.OverlayMarkDef(size=40, color=PALETTE[0])).encode(y("value"))]
    if any(row["low"] is not None for row in rows):
        band = base.mark_area(fillOpacity=0.2, fill=PALETTE[0]).encode(y("low"), alt.Y2("high:Q"))
        layers.insert(0, band)
    return alt.layer(*layers, width=width - 70, height=200)


def sweep_classes(report: Report, width: int) -> Any | None:
    """How many items are of which kind in the sweep."""
    part = report["multilabel"] and report["multilabel"]["sweep"]
    if not part:
        return None
    rows = [(one["title"], one["items"], f"{percent(one['share'])}  ({one['items']:,})") for one in part["classes"]]
    return bars.shares(rows, title="items", width=width)


def schemes(report: Report, width: int) -> Any | None:
    """SPA with every way to weigh items."""
    part = report["sparse"]
    if part is None:
        return None
    rows = [Row(name=one["scheme"], value=one["value"], low=ends(one)[0], high=ends(one)[1]) for one in part["schemes"]]
    return intervals(rows, title="SPA", width=width)


def groups(report: Report, width: int) -> Any | None:
    """Agreement in every group."""
    part = report["groups"]
    if part is None:
        return None
    rows = [
        Row(name=one["group"], value=one["value"], low=ends(one)[0], high=ends(one)[1])
        for one in part["rows"][:MOST_ANNOTATORS]
    ]
    return intervals(rows, title=report["verdict"]["title"], width=width, target=report["verdict"]["target"])


def differences(report: Report, width: int) -> Any | None:
    """Differences between groups."""
    part = report["groups"]
    if part is None:
        return None
    rows = [
        Row(name=f"{one['first']} − {one['second']}", value=one["difference"], low=ends(one)[0], high=ends(one)[1])
        for one in part["differences"][:MOST_LABELS]
    ]
    return intervals(rows, title="difference", width=width, zero=True)


def questions(report: Report, width: int) -> Any | None:
    """Draw the number to quote of every question."""
    rows = [
        Row(name=one["name"], value=one["verdict"]["value"], low=one["verdict"]["low"], high=one["verdict"]["high"])
        for one in report["questions"] or ()
    ]
    return intervals(rows, title="value", width=width, target=report["verdict"]["target"])
