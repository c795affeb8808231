"""The sections on what to do, on how to report it, and the appendix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assent.reports.page.blocks import (
    Block,
    Card,
    Cards,
    Cell,
    Column,
    Copyable,
    Fold,
    Heading,
    Notes,
    Prose,
    Section,
    Table,
    Terms,
    count,
    value,
)
from assent.reports.page.wording import counted
from assent.text import number, visible

__all__ = ["advice_section", "appendix_section", "reporting_section"]


def advice_section(report: Mapping[str, Any]) -> Section:
    """Return what to do next, and how many more annotations a narrower interval takes."""
    advice, plan = report["advice"], report["plan"]
    blocks: list[Block] = []
    if advice:
        cards = [
            Card(
                title=one["title"],
                sentences=[one["sentence"], *([f"First step: {one['first_step']}"] if one["first_step"] else [])],
                tone="step",
                mark="" if one["gain"] is None else f"up to +{number(one['gain'])}",
            )
            for one in advice
        ]
        blocks.append(Cards(cards, ordered=len(cards) > 1))
    if plan is not None:
        blocks += [Heading("How many more annotations"), Prose(plan.get("sentences") or [plan["sentence"]])]
        if plan["choices"]:
            blocks.append(_choices(plan))
        if plan.get("notes"):
            blocks.append(Notes(plan["notes"]))
    return Section(name="advice", title="What to do", takeaway=_takeaway(advice), blocks=blocks)


def _takeaway(advice: Sequence[Mapping[str, Any]]) -> str:
    if not advice or advice[0]["key"] == "none":
        return "Nothing in the data calls for a change."
    told = f"The likeliest cause of disagreement: {_lower(advice[0]['title'])}."
    more = len(advice) - 1
    return told if not more else f"{told} {counted(more, 'more is', 'more are')} listed below."


def _lower(title: str) -> str:
    """Return a title within a sentence."""
    return title[:1].lower() + title[1:].rstrip(".") if title[1:2].islower() else title.rstrip(".")


def _choices(plan: Mapping[str, Any]) -> Table:
    return Table(
        name="plan",
        caption=f"Ways to know the value within ±{number(plan['half_width'], 3).rstrip('0')}",
        columns=[
            Column("annotations per item", figures=True),
            Column("items", figures=True),
            Column("annotations in all", figures=True),
            Column("half-width", "Half the width of the interval that this gives.", figures=True),
        ],
        rows=[
            [
                Cell(f"{one['annotations_per_item']:g}", one["annotations_per_item"]),
                count(one["items"]),
                count(one["annotations"]),
                value(one["half_width"], 3),
            ]
            for one in plan["choices"]
        ],
    )


def reporting_section(report: Mapping[str, Any], prefix: str) -> Section:
    """Return texts to paste: sentences, tables, references."""
    part = report["how_to_report"]
    kinds = (
        ("methods", "Methods", False),
        ("results", "Results", False),
        ("limitations", "Limitations", False),
        ("latex_table", "Table in LaTeX (booktabs)", True),
        ("markdown_table", "Table in Markdown", True),
        ("bibtex", "References in BibTeX", True),
    )
    blocks = [
        Copyable(name=f"{prefix}copy-{key.replace('_', '-')}", title=title, text=part[key], code=code)
        for key, title, code in kinds
        if part.get(key)
    ]
    return Section(
        name="reporting",
        title="How to report it",
        takeaway="Ready to paste: everything that a reviewer asks for. Add what only you know, such as who the "
        "annotators were and how they were trained.",
        blocks=blocks,
    )


def appendix_section(report: Mapping[str, Any], prefix: str) -> Section:
    """Return what is needed to make the report again, and what every number on it means."""
    part = report["appendix"]
    blocks: list[Block] = []
    if part["command"]:
        blocks.append(Copyable(name=f"{prefix}copy-command", title="Command", text=part["command"], code=True))
    settings = [(key.replace("_", " "), _plain(one)) for key, one in part["settings"].items()]
    if settings:
        blocks += [Heading("Settings"), Terms(settings)]
    versions = [(key, str(one)) for key, one in part["versions"].items()]
    if versions:
        blocks += [Heading("Versions"), Terms(versions)]
    definitions = [(one["name"], one["text"]) for one in part["definitions"]]
    if definitions:
        blocks.append(Fold("What every number on this page means", [Terms(definitions)]))
    return Section(
        name="appendix",
        title="Appendix",
        takeaway=f"Made by assent {report['assent']} in {_seconds(part['seconds'])}, seed {part['seed']}: the same data "
        "and settings give the same numbers.",
        blocks=blocks,
    )


def _plain(setting: Any) -> str:
    if setting is None:
        return "not given"
    if isinstance(setting, bool):
        return "yes" if setting else "no"
    if isinstance(setting, Mapping):
        return ", ".join(f"{key}: {_plain(one)}" for key, one in setting.items())
    if isinstance(setting, list | tuple):
        return ", ".join(map(_plain, setting))
    return visible(setting)


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return "an unknown time"
    return f"{seconds:.1f} seconds" if seconds < 90 else f"{seconds / 60:.0f} minutes"
