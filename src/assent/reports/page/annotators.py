"""The section on annotators: who agrees with whom, who leans, who stands out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assent.reports.charts.sections import MOST_ANNOTATORS
from assent.reports.page.blocks import (
    Block,
    Card,
    Cards,
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
    table_of,
    value,
    words,
)
from assent.reports.page.pictures import Pictures
from assent.reports.page.wording import counted, listed, quoted
from assent.text import number, percent

__all__ = ["annotators_section"]

#: Kinds of annotators who stand out, in two or three words.
KINDS = {
    "one-label": "one label for nearly all",
    "other-school": "reads otherwise",
    "swapped-labels": "exchanges labels",
    "chance": "hardly beyond chance",
    "low-agreement": "low agreement",
}
#: More flagged annotators than this are in the table alone.
MOST_CARDS = 10


def annotators_section(report: Mapping[str, Any], draw: Pictures) -> Section | None:
    """Return what is known of each annotator; None if the data do not name them."""
    part = report["annotators"]
    if part is None:
        return None
    return Section(
        name="annotators",
        title="Annotators",
        takeaway=_takeaway(part),
        blocks=[
            *_flags(part),
            *_schools(part),
            *draw(
                "annotators",
                "Chart of each annotator's agreement with the others; the table below has the numbers.",
                "Agreement of each annotator with the others (point and interval), and that of the others among "
                "themselves on the same items (tick)."
                + (" Flagged annotators are orange and bold." if part["flagged"] else "")
                + (
                    f" {MOST_ANNOTATORS} of those judged, flagged ones first."
                    if part["judged"] > MOST_ANNOTATORS
                    else ""
                ),
            ),
            _table(part),
            *_pairs(part, draw),
            *([Notes(part["notes"])] if part["notes"] else []),
        ],
    )


def _takeaway(part: Mapping[str, Any]) -> str:
    judged, flagged = part["judged"], part["flagged"]
    if part["total"] == 2 and not flagged:
        return "There are two annotators, each measured by the other: neither can be told to be the problem."
    if not judged:
        return "Nobody has enough annotations in common with others to be judged."
    rest = part["total"] - judged
    others = f"; {counted(rest, 'more has', 'more have')} too few annotations to be judged" if rest else ""
    if not flagged:
        return f"No annotator stands out among {judged:,}{others}."
    worst = [quoted(row["annotator"]) for row in part["rows"] if row["flagged"]]
    worst += [""] * (flagged - len(worst))
    some = f"{counted(flagged, 'annotator')} of {judged:,} {'stands' if flagged == 1 else 'stand'} out: {listed(worst)}"
    return f"{some}{others}."


def _flags(part: Mapping[str, Any]) -> list[Block]:
    flagged = [row for row in part["rows"] if row["flagged"]]
    if not flagged:
        return []
    cards = [
        Card(
            title=name(row["annotator"], limit=60).text,
            sentences=[row["reason"] or ""],
            tone="warning",
            mark=KINDS.get(row["kind"], row["kind"] or ""),
        )
        for row in flagged[:MOST_CARDS]
    ]
    more = (
        [Prose([f"{counted(part['flagged'] - MOST_CARDS, 'more is', 'more are')} flagged: see the table."])]
        if part["flagged"] > MOST_CARDS
        else []
    )
    return [Cards(cards), *more]


def _schools(part: Mapping[str, Any]) -> list[Block]:
    found = part["schools"]
    if not found:
        return []
    groups = [
        f"{place}: {listed([quoted(who) for who in group], 8)}." for place, group in enumerate(found["groups"], 1)
    ]
    return [
        Heading("Two ways to read the guidelines"),
        Prose([found["sentence"] or "", *(f"Group {one}" for one in groups)]),
    ]


def _table(part: Mapping[str, Any]) -> Table:
    rows = part["rows"]
    more = part["total"] - len(rows)
    unflagged = ", none of them flagged" if part["flagged"] <= len(rows) else ""
    return table_of(
        "annotators",
        "Every annotator",
        rows,
        [
            (Column("annotator"), lambda row: name(row["annotator"])),
            (Column("flag", term="stands out"), _flag),
            (Column("items", "Items that others annotated too.", figures=True), lambda row: count(row["items"])),
            (
                Column("agreement", "With the others, on the same items.", "agreement of an annotator", figures=True),
                _agreement,
            ),
            (
                Column("others", "Agreement of the others on the same items.", "others", figures=True),
                lambda row: share(row["others"]["agreement"]),
            ),
            (
                Column("beyond chance", "Corrected for chance.", "beyond chance", figures=True),
                lambda row: value(row["coefficient"]["value"]),
            ),
            (
                Column("without them", f"{part['title']} without this annotator, and the change.", figures=True),
                _without,
            ),
            (Column("leans to", "Labels given more (+) or less (−) often.", "leaning"), _leans),
            (
                Column("with themselves", "Agreement with their own labels on items they saw twice.", figures=True),
                lambda row: share(at(row, "consistency", "agreement")),
            ),
        ],
        more=f"And {counted(more, 'more annotator')}{unflagged}." if more else "",
    )


def _flag(row: Mapping[str, Any]) -> Cell:
    if not row["judged"]:
        return words("not judged")
    return words(KINDS.get(row["kind"], row["kind"] or ""), tone="warning" if row["flagged"] else "")


def _agreement(row: Mapping[str, Any]) -> Cell:
    """Return the agreement with its interval, sorted by the agreement."""
    found = row["agreement"]
    if found["low"] is None:
        return share(found["value"])
    ends = between(found["low"], found["high"], percents=True).text.removesuffix(" %")
    return Cell(f"{percent(found['value'])} ({ends})", sort=found["value"])


def _without(row: Mapping[str, Any]) -> Cell:
    found = row["without"]["value"]
    if found is None:
        return Cell("–")
    change = row["without"]["difference"]
    return Cell(f"{number(found)} ({number(change, signed=True)})", sort=change)


def _leans(row: Mapping[str, Any]) -> Cell:
    """Say which labels an annotator gives more or less often than others, and by how much."""
    found = [one for one in row["labels"] if one["leans"]]
    if not found:
        return words("")
    return names(
        [
            (one["label"], f"{'+' if one['difference'] > 0 else '−'}{percent(abs(one['difference']))}")
            for one in found[:4]
        ]
    )


def _pairs(part: Mapping[str, Any], draw: Pictures) -> list[Block]:
    pairs = part["pairs"]
    if pairs is None:
        return []
    who, values, items = pairs["annotators"], pairs["values"], pairs["items"]
    title = pairs.get("title") or "Agreement"
    more = pairs.get("more") or 0
    picture = draw(
        "annotator-pairs",
        "Heat map of the agreement of every two annotators; the table that follows has the numbers.",
        f"{title} of every two annotators. Those who agree with the same others stand side by side; – means no "
        "items in common or no value."
        + (f" The {len(who):,} with the most items in common; {more:,} more are left out." if more else ""),
    )
    rows = [
        [name(who[i]), name(who[j]), value(values[i][j]), count(items[i][j])]
        for i in range(len(who))
        for j in range(i)
        if items[i][j]
    ]
    columns = [
        Column("annotator"),
        Column("and"),
        Column("value", f"{title} of the two.", figures=True),
        Column("items", "Items that both annotated.", figures=True),
    ]
    table = Table("pairs", "Every two annotators", columns, rows, quiet=True)
    return [Heading("Every two annotators"), *picture, *([Fold("Pairs as a table", [table])] if picture else [table])]
