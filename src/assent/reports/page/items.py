"""The section on items: how agreement is spread, and the most disputed ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assent.reports.page.blocks import (
    Block,
    Cell,
    Column,
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
)
from assent.reports.page.pictures import Pictures
from assent.reports.page.wording import counted, quoted
from assent.text import percent

__all__ = ["items_section"]

#: More annotations of an item than this are counted, not named.
MOST_NAMED = 8


def items_section(report: Mapping[str, Any], draw: Pictures) -> Section:
    """Return how agreement is spread over items, the worst ones, and what a model could score."""
    part = report["items"]
    known = part["total"] - part["single"]
    blocks: list[Block] = []
    if known:
        blocks += draw(
            "items",
            "Bar chart: how many items have how much agreement.",
            "How many items have how much agreement. Bars far to the left are items that annotators read differently.",
        )
    if part["worst"]:
        blocks += [Heading("The most disputed items"), _table(part)]
    if part["notes"]:
        blocks.append(Notes(part["notes"]))
    blocks += _ceiling(report["ceiling"])
    return Section(name="items", title="Items", takeaway=_takeaway(part, known), blocks=blocks)


def _takeaway(part: Mapping[str, Any], known: int) -> str:
    if not known:
        return "No item has two annotations, so no item can be disputed."
    full = part.get("full")
    if full is None:
        return f"{counted(known, 'item has', 'items have')} two or more annotations."
    if full == known:
        return f"All {known:,} items with two or more annotations are agreed on by everybody."
    left = known - full
    return f"On {percent(full / known)} of items everybody agrees; {counted(left, 'item is', 'items are')} disputed."


def _table(part: Mapping[str, Any]) -> Table:
    """Return the worst items; beside their text there is room for less."""
    rows = part["worst"]
    scaled = any(row["weighted_agreement"] is not None for row in rows)
    text = part["text"] and any(row["text"] for row in rows)
    known = part["total"] - part["single"]
    return table_of(
        "items",
        "Items, the most disputed first",
        rows,
        [
            (Column("item"), lambda row: name(row["item"])),
            (Column("text", wide=True), _text) if text else None,
            (Column("labels", "Every label that was given, with who gave it or how often.", wide=True), _labels),
            (Column("agreement", term="agreement of an item", figures=True), lambda row: share(row["agreement"])),
            (
                Column("weighted", term="weighted agreement", figures=True),
                lambda row: share(row["weighted_agreement"]),
            )
            if scaled
            else None,
            (
                Column(
                    "majority", "The label that most annotations have; a dash if two or more are given equally often."
                ),
                lambda row: Cell("–") if row["majority"] is None else name(row["majority"], limit=60),
            )
            if not text
            else None,
            (Column("entropy", term="entropy of an item", figures=True), lambda row: value(row["entropy"]))
            if not text
            else None,
            (Column("annotations", figures=True), lambda row: count(row["annotations"])),
        ],
        more=f"The {len(rows):,} worst of {known:,} items with two or more annotations." if known > len(rows) else "",
        quiet=True,
    )


def _text(row: Mapping[str, Any]) -> Cell:
    return Cell(_prose(row["text"]), sort=_prose(row["text"]), data=True)


def _prose(text: str | None) -> str:
    """Return the content of an item in one paragraph, its control characters visible."""
    return name(" ".join((text or "").split()), limit=1000).text if text else ""


def _labels(row: Mapping[str, Any]) -> Cell:
    """Name the labels of an item: with who gave each if that is known and few, else with how often."""
    counts = row["counts"]
    given = row.get("given")
    if not given or len(given) > MOST_NAMED:
        ordered = sorted(counts.items(), key=lambda one: -one[1])
        more = [("…", f"{len(ordered) - 12} more")] if len(ordered) > 12 else []
        return names([*((label, f"× {times:g}") for label, times in ordered[:12]), *more])
    by_label: dict[str, list[str]] = {}
    for one in given:
        by_label.setdefault(one["label"], []).append(name(one["annotator"], limit=24).text)
    ordered_given = sorted(by_label.items(), key=lambda one: -len(one[1]))
    return names([(label, ", ".join(who)) for label, who in ordered_given])


def _ceiling(part: Mapping[str, Any] | None) -> list[Block]:
    if part is None:
        return []
    shown = [
        ("accuracy", "accuracy", "A label against the majority of the item's other labels."),
        ("macro F1", "macro_f1", "The mean over labels of F1 against that majority."),
        (
            "majority share",
            "majority_share",
            "Share of the majority label: no single answer can agree with more annotations.",
        ),
    ]
    rows = [
        [
            Cell(title, title),
            share(at(part, key, "value")),
            between(at(part, key, "ci", "low"), at(part, key, "ci", "high"), percents=True),
            Cell(meaning, meaning),
        ]
        for title, key, meaning in shown
        if at(part, key, "value") is not None
    ]
    if not rows:
        return []
    accuracy = part["accuracy"]
    told = (
        f"Against the majority of the others, an annotator is right on {percent(accuracy['value'])} of items: a model "
        "that scores so does as well as a person."
    )
    best = part.get("best")
    if best:
        told += f" The best of them, {quoted(best['annotator'])}, reaches {percent(at(best, 'accuracy', 'value'))}."
    columns = [
        Column("score"),
        Column("value", figures=True),
        Column("interval", figures=True),
        Column("what it is", wide=True),
    ]
    return [
        Heading("The human ceiling for models"),
        Prose([told]),
        Table("ceiling", "What annotators score against each other", columns, rows, quiet=True),
        *([Notes(part["notes"])] if part.get("notes") else []),
    ]
