"""The charts of the sections: from parts of a report to a chart, None where there is nothing to draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assent.documents.charts import PALETTE
from assent.reports.charts import bars, heat
from assent.reports.charts.intervals import Row, intervals
from assent.reports.charts.parts import NARROW, ends, inline
from assent.reports.charts.verdict import verdict as verdict_picture
from assent.text import percent, visible

__all__ = [
    "annotations_per_item",
    "coefficients",
    "confusions",
    "coverage",
    "differences",
    "groups",
    "items",
    "label_shares",
    "labels",
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
#: Of more labels than this the zeros of a heat map are left blank: what meets can then be found.
MOST_WITH_ZEROS = 14
#: Who has no larger share of any part of the items makes no pattern that a map would show.
LITTLE = 0.25
#: As many pixels are left for names that stand level.
LEVEL_WIDTH = 560


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
        size=(_cell_width(part["labels"], 40 if narrow else 56), 24 if len(who) > 12 else 28),
        font=11 if narrow else 12,
    )


def _cell_width(names: Sequence[str], least: int) -> int:
    """Return a width at which names stand level if all of them then fit on a page; else the least."""
    level = 7 * max(map(len, names)) + 8
    return max(least, level) if level * len(names) <= LEVEL_WIDTH else least


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
        size=(_cell_width(part["labels"], wide), high),
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
