"""The section on labels: which are agreed on, which are confused, which may be merged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assent.reports.charts.parts import ends
from assent.reports.charts.sections import MOST_LABELS, MOST_WITH_ZEROS
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
    between,
    count,
    crossed,
    joined,
    name,
    names,
    share,
    table_of,
    value,
)
from assent.reports.page.pictures import Pictures
from assent.reports.page.wording import counted, listed, quoted
from assent.text import number, percent

__all__ = ["labels_section"]


def labels_section(report: Mapping[str, Any], draw: Pictures) -> Section | None:
    """Return what is known of each label; None if nothing is."""
    part = report["labels"]
    blocks = [*_by_label(part, draw), *_confusions(part, draw), *_merges(part), *_oddities(part)]
    if not blocks:
        return None
    return Section(name="labels", title="Labels", takeaway=_takeaway(part), blocks=blocks)


def _takeaway(part: Mapping[str, Any]) -> str:
    known = [row for row in part["by_label"] if row["value"] is not None]
    if len(known) < 2:
        return "There is too little to compare labels by."
    weakest, strongest = (pick(known, key=lambda row: row["value"]) for pick in (min, max))
    if len(known) == 2 and weakest["value"] == strongest["value"]:
        return "Two labels: whatever is not one is the other, so they are agreed on alike."
    told = (
        f"Agreement is highest on {quoted(strongest['label'])} ({number(strongest['value'])}) and lowest on "
        f"{quoted(weakest['label'])} ({number(weakest['value'])})"
    )
    if not part["disputed"]:
        return f"{told}."
    pair = part["disputed"][0]
    dispute = f"{quoted(pair['first'])} against {quoted(pair['second'])}"
    return f"{told}; {dispute} makes up {percent(pair['share'])} of all disagreement."


def _by_label(part: Mapping[str, Any], draw: Pictures) -> list[Block]:
    rows = part["by_label"]
    if not rows:
        return []
    title = part["title"]
    table = table_of(
        "by-label",
        "Agreement on each label",
        rows,
        [
            (Column("label"), lambda row: name(row["label"])),
            (Column("annotations", figures=True), lambda row: count(row["annotations"])),
            (Column("share", "Share of annotations with the label.", figures=True), lambda row: share(row["share"])),
            (
                Column("agreement", f"{title} of this label against all others.", figures=True),
                lambda row: value(row["value"]),
            ),
            (Column("interval", term="interval", figures=True), lambda row: between(*ends(row))),
            (
                Column("specific", term="specific agreement", figures=True),
                lambda row: share(row.get("specific_agreement")),
            ),
            (
                Column(
                    "most confused with", "The label that most often stands against it, and its share of all that do."
                ),
                _confused,
            ),
        ],
        quiet=True,
    )
    picture = draw(
        "labels",
        "Chart of agreement on each label with intervals; the table below has the numbers.",
        f"{title} of each label against all others, with its interval."
        + (f" The {MOST_LABELS} most frequent labels." if len(rows) > MOST_LABELS else ""),
    )
    return [Heading("Agreement on each label"), *picture, table]


def _confused(row: Mapping[str, Any]) -> Cell:
    other = row.get("confused_with")
    return Cell("–") if other is None else names([(other, percent(row["confused_share"]))])


def _confusions(part: Mapping[str, Any], draw: Pictures) -> list[Block]:
    blocks: list[Block] = []
    matrix = part["matrix"]
    if matrix is not None and len(matrix["labels"]) > 1:
        two = matrix["kind"] == "confusion"
        caption = (
            "Where one annotation has the label of the row, the share of the item's other annotations with that of the "
            "column. The fuller the diagonal, the better."
        )
        if two:
            caption = (
                f"How often {quoted(matrix['rows'])} gave the label of the row where {quoted(matrix['columns'])} gave "
                "that of the column. Shades are shares of a row."
            )
        if len(matrix["labels"]) > MOST_WITH_ZEROS:
            caption += " A blank cell is a 0."
        blocks += draw(
            "confusions",
            "Heat map of labels given to the same items; the numbers are in the table that follows.",
            caption,
        )
        table = crossed(
            name="matrix",
            caption="Labels given to the same items"
            + ("" if two else ": pairs of annotations, every annotation counted once"),
            corner="label",
            rows=[name(label) for label in matrix["labels"]],
            columns=[name(label, limit=40) for label in matrix["labels"]],
            cells=[[count(cell) for cell in line] for line in matrix["counts"]],
        )
        blocks.append(Fold("Counts as a table", [table]))
    if len(part["by_label"]) > 2 and part["disputed"]:
        blocks.append(
            table_of(
                "disputed",
                "Labels that are given to the same items",
                part["disputed"],
                [
                    (Column("labels"), lambda pair: joined(pair["first"], "or", pair["second"])),
                    (Column("share", term="share of disagreement", figures=True), lambda pair: share(pair["share"])),
                    (
                        Column("interval", "Confidence interval of the share.", figures=True),
                        lambda pair: between(*ends(pair), percents=True),
                    ),
                    (
                        Column("by chance", "The share if labels were dealt at random.", figures=True),
                        lambda pair: share(pair["expected_share"]),
                    ),
                    (
                        Column("items", "Items that were given both labels.", figures=True),
                        lambda pair: count(pair["items"]),
                    ),
                ],
            )
        )
    return [Heading("Which labels are confused"), *blocks] if blocks else []


def _merges(part: Mapping[str, Any]) -> list[Block]:
    rows = part["merges"]
    if not rows:
        return []
    clear = [one for one in rows if one.get("clear")]
    told = (
        f"Merging {quoted(clear[0]['first'])} and {quoted(clear[0]['second'])} would raise the value to "
        f"{number(clear[0]['value'])}, beyond doubt, and lose "
        f"{percent(clear[0]['entropy_share_lost'])} of what the labels say. Merge only what you need not tell apart."
        if clear
        else "No merge of two labels raises agreement beyond doubt."
    )
    table = Table(
        name="merges",
        caption="What merging two labels would do",
        columns=[
            Column("labels"),
            Column("value", "The coefficient after the merge.", figures=True),
            Column(
                "gain",
                "How much higher that is; bold if it is a gain beyond doubt, even as the best of all merges tried.",
                figures=True,
            ),
            Column("interval", "Confidence interval of the gain.", figures=True),
            Column("information lost", "Share of the entropy of the labels that the merge gives up.", figures=True),
        ],
        rows=[
            [
                joined(one["first"], "+", one["second"]),
                value(one["value"]),
                value(one["gain"], 3, signed=True, tone="strong" if one.get("clear") else ""),
                between(*ends(one), signed=True),
                share(one["entropy_share_lost"]),
            ]
            for one in rows
        ],
        quiet=True,
    )
    return [Heading("Merges worth a thought"), Prose([told]), table]


def _oddities(part: Mapping[str, Any]) -> list[Block]:
    blocks: list[Block] = []
    if part["spellings"]:
        rows = [
            [
                name(one["second"]),
                name(one["first"]),
                count(one["second_annotations"]),
                count(one["first_annotations"]),
                Cell(one["differ"], one["differ"]),
            ]
            for one in part["spellings"][:50]
        ]
        columns = [
            Column("is this label"),
            Column("meant to be this one?"),
            Column("annotations of the first", figures=True),
            Column("of the second", figures=True),
            Column("they differ in"),
        ]
        blocks.append(Heading("Labels that may be one label"))
        blocks.append(Table("spellings", "Labels that may be one label spelled in two ways", columns, rows, quiet=True))
    if part["unused"]:
        blocks.append(
            Prose(
                [
                    f"{counted(len(part['unused']), 'label was', 'labels were')} never given: "
                    f"{listed([quoted(one) for one in part['unused']], 8)}."
                ]
            )
        )
    if part["notes"]:
        blocks.append(Notes(part["notes"]))
    return blocks
