"""The comparison as a table and a chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.pages import DOCS, insert, table
from benchmarks.processes import MB, Run

__all__ = ["Against", "write"]


@dataclass(frozen=True, kw_only=True)
class Against:
    """One row against one package, or none: whole processes, the call alone in seconds, and how far the answers are apart.

    `goal` is how many times as long as the reading of the file our command may take.
    """

    what: str
    annotations: int
    floor: Run
    ours: Run
    goal: float | None = 2.0
    package: str = ""
    remark: str = ""
    trouble: str | None = None
    theirs: Run | None = None
    our_call: float = 0.0
    their_call: float | None = None
    apart: float | None = None
    allowed: float = 0.0

    @property
    def name(self) -> str:
        """What was asked, of how many annotations."""
        return f"{self.what}, {self.annotations:,}"

    @property
    def missed(self) -> bool:
        """True if our command takes longer than it may."""
        return self.goal is not None and self.ours.wall > self.goal * self.floor.wall


def write(results: Sequence[Against], machine: str, *, lost: Sequence[str] = (), keep: bool) -> str:
    """Return the tables, and what could not be measured; keep them on the page, with the chart, if `keep`."""
    parts = {
        "machine": machine,
        "floor": floors(results),
        "peers": ratios(results),
        "goals": "\n".join([goals(results), *(f"- not measured: {one}" for one in lost)]),
    }
    if keep:
        for name, text in parts.items():
            insert(DOCS / "benchmarks.md", name, text)
        from assent.documents.charts import save

        save(chart(results), DOCS / "benchmarks.svg")
    return "\n\n".join(parts.values())


def ratios(results: Sequence[Against]) -> str:
    """Write how many times as long, and how much memory, the others need."""
    rows = []
    for one in results:
        if not one.package:
            continue
        against = one.package + (f" ({one.remark})" if one.remark else "")
        if one.theirs is None or one.their_call is None:
            rows.append([one.what, against, f"{one.annotations:,}", *["–"] * 5, "not compared"])
            continue
        rows.append(
            [
                one.what,
                against,
                f"{one.annotations:,}",
                _times(one.theirs.wall / one.ours.wall),
                _times(one.theirs.processor / one.ours.processor),
                _times(one.their_call / one.our_call),
                f"{one.theirs.peak / MB:,.0f} MB",
                f"{one.ours.peak / MB:,.0f} MB",
                _apart(one),
            ]
        )
    head = [
        "what", "against", "annotations", "whole process", "its processor time", "the call alone",
        "their peak", "our peak", "answers apart",
    ]  # fmt: skip
    return table(head, rows, text_columns=2)


def floors(results: Sequence[Against]) -> str:
    """Write what each command costs in readings of its file."""
    rows = []
    for one in {one.name: one for one in results}.values():
        beyond = one.ours.wall / one.floor.wall
        shown = f"**{beyond:.2f}**" if one.missed else f"{beyond:.2f}"
        rows.append(
            [
                one.what,
                f"{one.annotations:,}",
                shown,
                f"{one.ours.processor / one.floor.processor:.2f}",
                "" if one.goal is None else f"{one.goal:g}",
                f"{one.floor.peak / MB:,.0f} MB",
                f"{one.ours.peak / MB:,.0f} MB",
            ]
        )
    head = ["whole command", "annotations", "time", "processor time", "goal", "peak of the reading", "our peak"]
    return table(head, rows)


def goals(results: Sequence[Against]) -> str:
    """Say where a goal was reached and where it was not."""
    compared = [one for one in results if one.theirs is not None and one.their_call is not None]
    lists = {
        "faster than every package as a whole process": [
            f"{one.name} against {one.package}" for one in compared if one.theirs and one.theirs.wall <= one.ours.wall
        ],
        "faster than every package as a call": [
            f"{one.name} against {one.package}" for one in compared if (one.their_call or 0) <= one.our_call
        ],
        "less memory than every package": [
            f"{one.name} against {one.package}" for one in compared if one.theirs and one.theirs.peak <= one.ours.peak
        ],
        "every command within its goal beside the reading of its file": sorted(
            {one.name for one in results if one.missed}
        ),
    }
    lines = []
    for goal, misses in lists.items():
        lines.append(f"- {goal}: " + ("yes" if not misses else f"**no**, {len(misses)} are not: {'; '.join(misses)}"))
    missing = sorted({f"{one.package} ({one.trouble})" for one in results if one.trouble})
    return "\n".join([*lines, *([f"- not compared: {'; '.join(missing)}"] if missing else [])])


def _times(ratio: float) -> str:
    """Write a ratio with about two digits; in bold where the other is ahead."""
    text = f"{ratio:,.0f}" if ratio >= 20 else f"{ratio:.1f}" if ratio >= 2 else f"{ratio:.2f}"
    return text if ratio > 1 else f"**{text}**"


def _apart(one: Against) -> str:
    if one.allowed == 0:
        return "equal"
    return f"{one.apart:.0e} (of {one.allowed:.0e})"


TICKS = [0.01, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000]


def chart(results: Sequence[Against]) -> Any:
    """Draw the ratios: one line a row and package, on a logarithmic axis."""
    import altair as alt

    from assent.documents.charts import PALETTE

    points: list[dict[str, Any]] = []
    for one in results:
        if one.theirs is None or one.their_call is None:
            continue
        name = f"{one.name} · {one.package}"
        points.append({"row": name, "kind": "whole process", "ratio": one.theirs.wall / one.ours.wall})
        points.append({"row": name, "kind": "the call alone", "ratio": one.their_call / one.our_call})
    order = list(dict.fromkeys(point["row"] for point in points))
    kinds = ["whole process", "the call alone"]
    base = alt.Chart(alt.Data(values=points))
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=alt.X("ratio:Q", title="times as long as assent")
        .scale(type="log")
        .axis(grid=True, format="~g", values=TICKS),
        y=alt.Y("row:N", title=None, sort=order).axis(labelLimit=420, grid=True),
        color=alt.Color("kind:N", title=None, sort=kinds)
        .scale(domain=kinds, range=[PALETTE[0], PALETTE[1]])
        .legend(orient="top"),
        shape=alt.Shape("kind:N", title=None, sort=kinds)
        .scale(domain=kinds, range=["circle", "diamond"])
        .legend(orient="top"),
    )
    even = alt.Chart(alt.Data(values=[{"ratio": 1}])).mark_rule(strokeWidth=1.5).encode(x="ratio:Q")
    return alt.layer(even, dots).properties(width=420, height=alt.Step(22))
