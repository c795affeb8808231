"""Results for people (a table) and for programs (JSON)."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assent.text import escaped, shown

if TYPE_CHECKING:
    from assent.analyses.findings.finding import Finding
    from assent.analyses.interpretation import Target
    from assent.analyses.missingness import Missingness
    from assent.analyses.recommend import Recommendation
    from assent.data import Annotations
    from assent.measures.results import Agreement, Interval

__all__ = ["Measured", "as_json", "as_table", "print_json"]

#: More pairs of annotators than this are for the JSON, not for the terminal.
MOST_PAIRS = 15
#: Likewise labels.
MOST_LABELS = 30
#: And annotators whose share of annotations with several labels is shown.
MOST_SHARES = 8


@dataclass(frozen=True)
class Measured:
    """What was measured: its interval, the p-value of a test if one was asked for, and the same for each label.

    A measure that assumes that what is missing has nothing to do with agreement comes with a check of that.
    """

    agreement: Agreement
    interval: Interval | None
    p_value: float | None
    by_label: Sequence[tuple[str, Agreement, Interval | None]] | None
    missingness: Missingness | None = None

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """The two ends of the interval, if there is one."""
        return (None, None) if self.interval is None else (self.interval.low, self.interval.high)

    def to_dict(self, goal: Target | None) -> dict[str, Any]:
        """Return everything as plain values, with what the number is called and how it stands to a target."""
        from assent.analyses.interpretation import BENCHMARKS, against_target, interpret, memberships

        words = None
        if self.agreement.chance_corrected and not math.isnan(self.agreement.value):
            error = math.nan if self.interval is None else self.interval.standard_error
            words = [
                {
                    **interpret(self.agreement.value, *self.ends, scale=scale).to_dict(),
                    "memberships": [one._asdict() for one in memberships(self.agreement.value, error, scale)],
                }
                for scale in BENCHMARKS
            ]
        verdict = None if goal is None else against_target(self.agreement.value, *self.ends, goal).to_dict()
        apart = None
        if self.by_label is not None:
            apart = [{"label": label, **one.to_dict(interval)} for label, one, interval in self.by_label]
        p_value = None if self.p_value is None or math.isnan(self.p_value) else self.p_value
        more = {"p_value": p_value, "by_label": apart, "interpretation": words, "target": verdict}
        more["missingness"] = None if self.missingness is None else self.missingness.to_dict()
        return {**self.agreement.to_dict(self.interval), **more}


def print_json(content: object) -> None:
    """Print one JSON object, in UTF-8 whatever the terminal speaks."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")
    print(json.dumps(content, ensure_ascii=False, allow_nan=False, indent=2))


def as_json(
    data: Annotations,
    results: Sequence[Measured],
    choice: Recommendation | None,
    goal: Target | None,
    findings: Sequence[Finding] | None,
) -> None:
    """Print everything as one JSON object."""
    chosen = None if choice is None else choice.to_dict()
    found = None if findings is None else [one.to_dict() for one in findings]
    measured = [one.to_dict(goal) for one in results]
    print_json({"data": data.to_dict(), "measures": measured, "chosen": chosen, "findings": found})


def as_table(
    data: Annotations,
    results: Sequence[Measured],
    choice: Recommendation | None,
    goal: Target | None,
    findings: Sequence[Finding] | None,
    level: float,
) -> None:
    """Print a table that is read at a glance, and below it what one must know to read it."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    console.print(Text(describe(data)), soft_wrap=True)
    console.print(_table([("measure", one.agreement.title, one) for one in results], level))
    for one in results:
        if one.by_label is not None:
            rows = [("label", shown(label, 30), Measured(a, i, None, None)) for label, a, i in one.by_label]
            console.print(Text(f"{one.agreement.title}, each label against the rest"))
            console.print(_table(rows[:MOST_LABELS], level))
        # Of measures that were not asked for, the pairs of the one to quote are enough.
        if one.agreement.pairs and (choice is None or one is results[0]):
            console.print(Text(_pairs(one.agreement)), soft_wrap=True)
    for finding in findings or ():
        console.print(Text.assemble((f"! {finding.title}. ", "bold"), finding.sentence), soft_wrap=True)
    for line in footnotes(data, results, choice, goal):
        console.print(Text(f"· {line}"), soft_wrap=True)


def _table(rows: Sequence[tuple[str, str, Measured]], level: float) -> Any:
    """Build a table of one row a result."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    first = rows[0][2]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(rows[0][0])
    table.add_column("value", justify="right", style="bold")
    if first.interval is not None:
        table.add_column(f"{level * 100:g} % interval", justify="right")
    for heading in ("observed", "expected", "items"):
        table.add_column(heading, justify="right")
    if first.p_value is not None:
        table.add_column("p", justify="right")
    for _, name, one in rows:
        cells = [name, number(one.agreement.value)]
        if one.interval is not None:
            cells.append("—" if math.isnan(one.interval.low) else f"{one.interval.low:.3f} to {one.interval.high:.3f}")
        observed, expected = one.agreement.observed, one.agreement.expected
        cells.append("—" if math.isnan(observed) else number(observed))
        cells.append("—" if math.isnan(expected) or not one.agreement.chance_corrected else number(expected))
        cells.append(f"{one.agreement.items:,}")
        if one.p_value is not None:
            cells.append(number(one.p_value))
        table.add_row(*map(Text, cells))
    return table


def _pairs(agreement: Agreement) -> str:
    """List the pairs of annotators, lowest first."""
    ranked = sorted(agreement.pairs, key=lambda pair: (math.isnan(pair.value), pair.value))
    some = [
        f"{shown(pair.first, 20)} and {shown(pair.second, 20)} {number(pair.value)} ({pair.items:,} items)"
        for pair in ranked[:MOST_PAIRS]
    ]
    more = f"; and {len(ranked) - MOST_PAIRS:,} more (--json has all)" if len(ranked) > MOST_PAIRS else ""
    return f"{agreement.title} by pair, lowest first: {'; '.join(some)}{more}."


def describe(data: Annotations) -> str:
    """Say in one line what the data are."""
    who = "annotators unknown" if data.annotator_count is None else f"{data.annotator_count:,} annotators"
    labels = data.single_labels
    some = ", ".join(shown(label, 20) for label in labels[:8]) + (", …" if len(labels) > 8 else "")
    noun = "label" if len(labels) == 1 else "labels"
    things = "item" if data.items == 1 else "items"
    line = f"{data.items:,} {things}, {who}, {data.annotations:,} annotations, {len(labels):,} {noun} ({some})"
    return line if data.sets is None else f"{line}\n{_several(data)}"


def _several(data: Annotations) -> str:
    """Say how many annotations hold several labels, and whose."""
    shares = sorted(data.set_shares(), key=lambda one: -one.share)
    several = sum(one.several for one in shares)
    each = [f"{shown(one.annotator, 20)} {one.share:.0%}" for one in shares]
    if len(each) > MOST_SHARES:
        left = len(each) - MOST_SHARES + 1
        each = [*each[: MOST_SHARES - 2], f"… {left:,} more …", each[-1]]
    return f"{several:,} annotations ({several / data.annotations:.0%}) hold several labels: {', '.join(each)}"


def footnotes(
    data: Annotations, results: Sequence[Measured], choice: Recommendation | None, goal: Target | None
) -> list[str]:
    """List what to quote, what was recognised, left out, and must be known, each once."""
    lines = []
    if choice is not None:
        quoted = results[0]
        title = quoted.agreement.title
        start = (
            f"{title} would be the one to quote, but it is undefined."
            if math.isnan(quoted.agreement.value)
            else f"Quote {title}."
        )
        lines.append(f"{start} {' '.join(choice.reasons)}")
    lines += _meaning(results[0], goal)
    lines += data.notes
    lines += [f"Left out: {one.rows:,} row{'' if one.rows == 1 else 's'}, {one.reason}." for one in data.dropped]
    how = next((one.interval for one in results if one.interval is not None), None)
    if how is not None:
        drawn = f" ({how.kind}, {how.replicates:,} samples, seed {how.seed})" if how.method == "bootstrap" else ""
        lines.append(f"Intervals: {how.method}{drawn}, over {escaped(how.unit)}.")
    weighted = [one.agreement for one in results if one.agreement.options["weights"] != "identity"]
    if weighted:
        used = "; ".join(f"{one.title}: {one.options['weights']}" for one in weighted)
        lines.append(f"Weights: {used}.")
    for one in results:
        lines += [] if one.missingness is None else one.missingness.sentences
        lines += [*one.agreement.notes, *(one.interval.notes if one.interval is not None else ())]
    return list(dict.fromkeys(lines))


def _meaning(one: Measured, goal: Target | None) -> list[str]:
    """Say what the value is usually called, how far that is from certain, and how it stands to a target."""
    from assent.analyses.interpretation import against_target, interpret, usual_scale

    if math.isnan(one.agreement.value):
        return []
    lines = []
    if one.agreement.chance_corrected:
        words = interpret(one.agreement.value, *one.ends, scale=usual_scale(one.agreement.measure)).sentence
        lines.append(f"{one.agreement.title} of {one.agreement.value:.2f} is called {words}.")
    if goal is not None:
        lines.append(f"{against_target(one.agreement.value, *one.ends, goal).sentence}.")
    return lines


def number(value: float) -> str:
    """Show three digits, or that there are none."""
    return "undefined" if math.isnan(value) else f"{value:.3f}"
