"""The section on coefficients: all of them, the one to quote, and when the number misleads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assent.reports.charts.parts import ends
from assent.reports.page.blocks import (
    Block,
    Card,
    Cards,
    Cell,
    Column,
    Heading,
    Notes,
    Prose,
    Section,
    Table,
    between,
    count,
    value,
)
from assent.reports.page.pictures import Pictures
from assent.reports.page.wording import counted, interval
from assent.text import number, visible

__all__ = ["coefficients_section", "finding_cards"]


def coefficients_section(report: Mapping[str, Any], draw: Pictures) -> Section:
    """Return the coefficients and the findings."""
    part = report["coefficients"]
    measures = part["measures"]
    quote = next((one for one in measures if one["measure"] == part["quote"]), None)
    picture = draw(
        "coefficients",
        "Chart of all coefficients with their intervals; the table below has the numbers.",
        "Every coefficient that fits the data, with its interval; the one to quote is bold."
        + (" The dashed line is the target." if report["verdict"]["target"] is not None else ""),
    )
    blocks: list[Block] = [*picture, _table(part)]
    if part["reasons"]:
        blocks += [Heading("Which one to quote, and why"), Prose(part["reasons"])]
    blocks.append(Heading("When the number misleads"))
    if part["findings"]:
        blocks.append(finding_cards(part["findings"]))
    else:
        blocks.append(
            Prose(["Nothing was found that makes these numbers say less, or something else, than they seem to."])
        )
    notes = dict.fromkeys(f"{one['title']}: {note}" for one in measures for note in one["notes"])
    if notes:
        blocks.append(Notes(list(notes)))
    return Section(name="coefficients", title="Coefficients", takeaway=_takeaway(part, quote), blocks=blocks)


def finding_cards(findings: list[Mapping[str, Any]]) -> Cards:
    """Return findings as cards, warnings first."""
    ordered = sorted(findings, key=lambda one: one["severity"] != "warning")
    return Cards([Card(title=one["title"], sentences=[one["sentence"]], tone=one["severity"]) for one in ordered])


def _takeaway(part: Mapping[str, Any], quote: Mapping[str, Any] | None) -> str:
    if quote is None or quote["value"] is None:
        return "No coefficient can be quoted: the findings below say why."
    warnings = sum(one["severity"] == "warning" for one in part["findings"])
    but = f"; {counted(warnings, 'thing makes', 'things make')} it say less than it seems to" if warnings else ""
    low, high = ends(quote)
    sure = interval(low, high, quote["ci"]["level"]) if quote["ci"] else ""
    return f"Quote {quote['title']}, {number(quote['value'])}{sure}{but}."


def _table(part: Mapping[str, Any]) -> Table:
    level = next((one["ci"]["level"] for one in part["measures"] if one["ci"]), 0.95)
    rows = []
    for one in part["measures"]:
        low, high = ends(one)
        quoted = one["measure"] == part["quote"] and one["value"] is not None
        corrected = one.get("interpretation") is not None or one["value"] is None
        rows.append(
            [
                Cell(one["title"], sort=one["title"], term=one["title"], mark="to quote" if quoted else ""),
                value(one["value"]),
                between(low, high),
                value(one["observed"]),
                value(one["expected"] if corrected else None),
                count(one["items"]),
                Cell(_method(one["ci"]), sort=_method(one["ci"])),
            ]
        )
    return Table(
        name="coefficients",
        caption="All coefficients",
        columns=[
            Column("coefficient"),
            Column("value", term="value", figures=True),
            Column(f"{100 * level:g} % interval", term="interval", figures=True),
            Column("observed", "Agreement as it is, chance included.", "observed agreement", figures=True),
            Column(
                "expected",
                "Agreement that chance alone would give; a dash where a measure asks for none.",
                figures=True,
            ),
            Column("items", "Items that count: those with two or more annotations.", figures=True),
            Column("method", "How the interval was made."),
        ],
        rows=rows,
    )


def _method(found: Mapping[str, Any] | None) -> str:
    if not found:
        return "–"
    kind = f" ({found['kind']})" if found.get("kind") else ""
    unit = "" if found["unit"] == "items" else f" over {visible(found['unit'])}"
    return f"{found['method']}{kind}{unit}"
