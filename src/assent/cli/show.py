"""Results for people (a table) and for programs (JSON)."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assent.errors import shown

if TYPE_CHECKING:
    from assent.annotations import Annotations
    from assent.results import Agreement, Interval

__all__ = ["as_json", "as_table", "print_json"]

#: What was measured, its interval, and the p-value of a permutation test if one was asked for.
Result = "tuple[Agreement, Interval | None, float | None]"


def print_json(content: object) -> None:
    """Print one JSON object, in UTF-8 whatever the terminal speaks."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")
    print(json.dumps(content, ensure_ascii=False, allow_nan=False, indent=2))


def as_json(data: Annotations, results: Sequence[tuple[Agreement, Interval | None, float | None]]) -> None:
    """Print everything as one JSON object."""
    measured = [{**agreement.to_dict(interval), "p_value": _none_if_nan(p)} for agreement, interval, p in results]
    print_json({"data": data.to_dict(), "measures": measured})


def as_table(
    data: Annotations, results: Sequence[tuple[Agreement, Interval | None, float | None]], level: float
) -> None:
    """Print a table that is read at a glance, and below it what one must know to read it."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    console.print(Text(describe(data)), soft_wrap=True)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("measure")
    table.add_column("value", justify="right", style="bold")
    if results[0][1] is not None:
        table.add_column(f"{level * 100:g} % interval", justify="right")
    for heading in ("observed", "expected", "items"):
        table.add_column(heading, justify="right")
    if results[0][2] is not None:
        table.add_column("p", justify="right")
    for agreement, interval, p_value in results:
        cells = [agreement.title, number(agreement.value)]
        if interval is not None:
            cells.append("—" if math.isnan(interval.low) else f"{interval.low:.3f} to {interval.high:.3f}")
        expected = number(agreement.expected) if agreement.chance_corrected else "—"
        cells += [number(agreement.observed), expected, f"{agreement.items:,}"]
        if p_value is not None:
            cells.append(number(p_value))
        table.add_row(*map(Text, cells))
    console.print(table)
    for line in footnotes(data, results):
        console.print(Text(f"· {line}"), soft_wrap=True)


def describe(data: Annotations) -> str:
    """Say in one line what the data are."""
    who = "unknown annotators" if data.annotator_count is None else f"{data.annotator_count:,} annotators"
    some = ", ".join(shown(label, 20) for label in data.labels[:8]) + (", …" if len(data.labels) > 8 else "")
    return f"{data.items:,} items, {who}, {data.annotations:,} annotations, {len(data.labels):,} labels ({some})"


def footnotes(data: Annotations, results: Sequence[tuple[Agreement, Interval | None, float | None]]) -> list[str]:
    """List what was recognised, left out, and must be known, each once."""
    lines = list(data.notes)
    lines += [f"Left out: {one.rows:,} rows, {one.reason}." for one in data.dropped]
    how = next((interval for _, interval, _ in results if interval is not None), None)
    if how is not None:
        drawn = f" ({how.kind}, {how.replicates:,} samples, seed {how.seed})" if how.method == "bootstrap" else ""
        lines.append(f"Intervals: {how.method}{drawn}, over {how.unit}.")
    weights = {str(agreement.options["weights"]) for agreement, _, _ in results} - {"identity"}
    if weights:
        used = "; ".join(
            f"{a.title}: {a.options['weights']}" for a, _, _ in results if a.options["weights"] != "identity"
        )
        lines.append(f"Weights: {used}.")
    for agreement, interval, _ in results:
        lines += [*agreement.notes, *(interval.notes if interval is not None else ())]
    return list(dict.fromkeys(lines))


def number(value: float) -> str:
    """Show three digits, or that there are none."""
    return "undefined" if math.isnan(value) else f"{value:.3f}"


def _none_if_nan(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value
