"""The charts of the sections: from parts of a report to a chart, None where there is nothing to draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assent.documents.charts import PALETTE
from assent.reports.charts import bars, heat
from assent.reports.charts.intervals import Row, intervals
from assent.reports.charts.parts import NARROW, cell_width, ends, inline
from assent.text import number, percent, visible

__all__ = [
    "annotator_pairs",
    "annotators",
    "confusions",
    "items",
    "labels",
    "schemes",
    "sweep",
    "sweep_classes",
]

Report = Mapping[str, Any]
#: More rows than this are in the table alone.
MOST_LABELS, MOST_ANNOTATORS, MOST_COLUMNS, MOST_COVERED = 20, 30, 12, 40
#: Of more labels than this the zeros of a heat map are left blank: what meets can then be found.
MOST_WITH_ZEROS = 14
#: Who has no larger share of any part of the items makes no pattern that a map would show.
LITTLE = 0.25
#: As many pixels are left for names that stand level.
LEVEL_WIDTH = 560


def confusions(report: Report, width: int) -> Any | None:
    """Which labels are given to the same items."""
    part = report["labels"]["matrix"]
    if part is None or len(part["labels"]) < 2:
        return None
    counts = part["counts"]
    two = part["kind"] == "confusion"
    cells: list[list[heat.Cell]] = []
    every = len(counts) <= MOST_WITH_ZEROS
    for line, total in zip(counts, part["totals"], strict=True):
        cells.append([(n / total if total else 0.0, _cell(n, total, two) if n or every else "") for n in line])
    across = len(part["labels"])
    wide, high = (64, 36) if across <= 8 else (48, 28) if across <= 14 else (38, 24)
    return heat.heat_map(
        part["labels"],
        part["labels"],
        cells,
        down=visible(part["rows"]) if two else "",
        across=visible(part["columns"]) if two else "",
        size=(cell_width(part["labels"], wide), high),
        font=12 if across <= 14 else 10,
    )


def _cell(count: float, total: float, two: bool) -> str:
    if two:
        return f"{count:,.0f}" if count < 100_000 else f"{count / 1000:,.0f}k"
    return percent(count / total) if total else "–"


def labels(report: Report, width: int) -> Any | None:
    """Agreement on each label against all others."""
    rows = [
        Row(name=row["label"], value=row["value"], low=ends(row)[0], high=ends(row)[1])
        for row in report["labels"]["by_label"][:MOST_LABELS]
    ]
    # Of two labels each is the rest of the other.
    return intervals(rows, title="agreement on the label against all others", width=width) if len(rows) > 2 else None


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


def items(report: Report, width: int) -> Any | None:
    """How many items have how much agreement."""
    rows = [{"name": _bin(row["low"], row["high"]), "count": row["items"]} for row in report["items"]["histogram"]]
    title = "agreement of an item: share of its pairs of annotations that agree"
    return bars.columns(rows, title=title if width > NARROW else "agreement of an item", up="items", width=width)


def _bin(low: float, high: float) -> str:
    return f"{low:.2g}" if low == high else f"{low:.2g}–{high:.2g}"


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


