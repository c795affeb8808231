"""Sections that hold reports side by side: groups of annotations, and several questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from assent.reports.charts.parts import ends
from assent.reports.page.blocks import (
    Block,
    Cell,
    Column,
    Heading,
    Notes,
    Prose,
    Section,
    at,
    between,
    count,
    joined,
    name,
    table_of,
    value,
    words,
)
from assent.reports.page.pictures import Pictures
from assent.reports.page.wording import counted, quoted
from assent.text import number

__all__ = ["groups_section", "questions_picture", "questions_section"]

#: How a verdict stands to its target, in two words.
STANDS = {"above": "clears it", "unclear": "undecided", "below": "falls short", "undefined": "undefined"}


def groups_section(report: Mapping[str, Any], draw: Pictures) -> Section | None:
    """Return agreement by group; None if there are none."""
    part = report["groups"]
    if part is None:
        return None
    rest = "Less that of all other groups together; bold if the difference is clear, corrected for all comparisons."
    table = table_of(
        "groups",
        "Agreement by group",
        part["rows"],
        [
            (Column("group"), lambda row: name(row["group"])),
            (Column("items", figures=True), lambda row: count(row["items"])),
            (
                Column("value", f"{report['verdict']['title']} within the group.", figures=True),
                lambda row: value(row["value"]),
            ),
            (Column("interval", term="interval", figures=True), lambda row: between(*ends(row))),
            (Column("against the rest", rest, "less the rest", figures=True), lambda row: _difference(row["rest"])),
            (
                Column("its interval", figures=True),
                lambda row: between(at(row, "rest", "low"), at(row, "rest", "high"), signed=True),
            ),
        ],
    )
    blocks: list[Block] = [
        *draw(
            "groups",
            "Chart of agreement by group with intervals; the table below has the numbers.",
            "Agreement within each group, with its interval.",
        ),
        table,
    ]
    if part["differences"]:
        pairs = table_of(
            "differences",
            "Differences between groups",
            part["differences"],
            [
                (Column("groups"), lambda row: joined(row["first"], "−", row["second"])),
                (
                    Column("difference", "Bold if it is clear.", "difference between groups", figures=True),
                    _difference,
                ),
                (Column("interval", term="interval", figures=True), lambda row: between(*ends(row), signed=True)),
            ],
            quiet=True,
        )
        blocks += [
            Heading("Differences between groups"),
            *draw(
                "group-differences",
                "Chart of differences between groups with intervals; the table below has the numbers.",
                "Differences between groups; an interval that does not touch 0 is a difference beyond chance, "
                "before correction for many comparisons.",
            ),
            pairs,
        ]
    if part["notes"]:
        blocks.append(Notes(part["notes"]))
    return Section(name="groups", title=f"By {name(part['column']).text}", takeaway=_groups(part), blocks=blocks)


def _difference(row: Mapping[str, Any] | None) -> Cell:
    tone = "strong" if at(row, "clear") else ""
    return value(at(row, "difference"), signed=True, tone=tone)


def _groups(part: Mapping[str, Any]) -> str:
    known = [one for one in part["rows"] if one["value"] is not None]
    if len(known) < 2:
        return "There are not two groups in which agreement is defined."
    low, high = (pick(known, key=lambda one: one["value"]) for pick in (min, max))
    clear = any(at(one, "rest", "clear") for one in known) or any(one["clear"] for one in part["differences"])
    return (
        f"Agreement is highest in {quoted(high['group'])} ({number(high['value'])}) and lowest in "
        f"{quoted(low['group'])} ({number(low['value'])}); {'the' if clear else 'no'} difference is clear."
    )


def questions_picture(draw: Pictures) -> list[Block]:
    """Return the picture of all questions."""
    return draw(
        "questions",
        "Chart of the value of every question with its interval; the table below has the numbers.",
        "The number to quote for every question, with its interval.",
    )


def questions_section(report: Mapping[str, Any]) -> Section:
    """Return an overview of several questions; the report on each has a place of its own."""
    questions = report["questions"]
    table = table_of(
        "questions",
        "All questions",
        list(enumerate(questions, 1)),
        [
            (Column("question"), lambda row: replace(name(row[1]["name"]), link=f"q{row[0]}-title")),
            (Column("value", term="value", figures=True), lambda row: value(row[1]["verdict"]["value"])),
            (Column("interval", term="interval", figures=True), lambda row: between(*ends(row[1]["verdict"]))),
            (Column("called"), lambda row: words(row[1]["verdict"]["word"] or "–")),
            (Column("target"), lambda row: words(STANDS.get(row[1]["verdict"]["status"] or "", "–"))),
            (Column("items", figures=True), lambda row: count(row[1]["report"]["data"]["items"])),
            (Column("coefficient"), lambda row: words(row[1]["verdict"]["title"])),
        ],
        quiet=True,
    )
    blocks: list[Block] = [table]
    skipped = report["appendix"].get("skipped") or []
    if skipped:
        blocks.append(Prose([f"{quoted(one['name'])} could not be measured: {one['reason']}" for one in skipped]))
    return Section(
        name="questions",
        title="Questions",
        takeaway=f"{counted(len(questions), 'question')}; the report on each follows, with its sections folded.",
        blocks=blocks,
    )
