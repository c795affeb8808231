"""Charts of repeats: how flip rates are spread over items, and how stable majorities are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assent.documents.blocks import Figure
from assent.documents.charts import layer, mark, nominal, number, ordinal
from assent.limits import DRAWN_JUDGES
from assent.text import percent, visible

if TYPE_CHECKING:
    from assent.analyses.repeat.result import Repeatability

__all__ = ["flips_figure", "stability_figure"]

BINS = 10


def _binned(found: Repeatability) -> list[tuple[str, int]]:
    """Count items by flip rate: those that never change apart, then in tenths."""
    counts = [0] * (BINS + 1)
    for rate, items in found.histogram:
        counts[0 if rate == 0 else min(BINS, int(rate * BINS - 1e-9) + 1)] += items
    named = ["never", *(f"{10 * at}–{10 * (at + 1)} %" for at in range(BINS))]
    last = max((at for at, many in enumerate(counts) if many), default=0)
    return list(zip(named, counts, strict=True))[: last + 1]


def flips_figure(found: Repeatability) -> Figure:
    """Return how many items have which flip rate."""

    def draw(width: int) -> Any:
        rows = [
            {"flips": label, "items": many, "tip": f"two runs differ {label}: {many:,} items"}
            for label, many in _binned(found)
        ]
        x = nominal("flips", sort=None, title="two runs of the item differ", axis={"labelAngle": -40})
        y = number("items", title="items")
        return layer(mark("bar", rows, {"x": x, "y": y}), width=width - 70, height=180)

    def plain(columns: int) -> Sequence[str]:
        rows = _binned(found)
        most = max((many for _, many in rows), default=1) or 1
        room = max(8, min(40, columns - 26))
        return [
            f"{label:>9}  {'█' * round(room * many / most) or ('▏' if many else '')} {many:,}" for label, many in rows
        ]

    return Figure(
        "flips",
        draw,
        "How flip rates are spread over items",
        "Items by how often two of their runs differ. The same mean can be a little noise everywhere, which a majority settles, or a few "
        "items that are a toss-up, which it does not.",
        plain=plain,
    )


def stability_figure(found: Repeatability) -> Figure:
    """Return how often majorities of several runs differ, a line for each judge."""
    judges = found.judges[:DRAWN_JUDGES]

    def draw(width: int) -> Any | None:
        rows: list[dict[str, Any]] = []
        for judge in judges:
            for one in judge.majority:
                if one.change != one.change:
                    continue
                interval = None if one.quantity is None else one.quantity.interval
                known = interval is not None and interval.low == interval.low
                rows.append(
                    {
                        "judge": visible(judge.judge),
                        "tip": f"{visible(judge.judge)}, {one.n_runs} runs: {percent(one.change)}",
                        "runs": one.n_runs,
                        "change": one.change,
                        "low": interval.low if known and interval is not None else None,
                        "high": interval.high if known and interval is not None else None,
                        "known": "from the runs" if one.quantity is not None else "by a model",
                    }
                )
        if len({row["runs"] for row in rows}) < 2:
            return None
        legend = None if len(judges) == 1 else {"orient": "top"}
        base = {
            "x": ordinal("runs", title="majority of so many runs", axis={"labelAngle": 0}),
            "xOffset": nominal("judge"),
            "color": nominal("judge", title="judge", legend=legend),
        }
        above = "two majorities differ"
        ends = base | {"y": number("low", title=above), "y2": {"field": "high"}}
        dots = base | {
            "y": number("change", title=above, axis={"format": "%"}, scale={"zero": True}),
            "shape": nominal("known", title="", legend={"orient": "top"}),
        }
        return layer(
            mark("rule", rows, ends),
            mark("point", rows, dots, filled=True, size=60),
            width=width - 70,
            height=220,
        )

    return Figure(
        "stability",
        draw,
        "How stable a majority of several runs is",
        "Chance that two majorities of so many runs differ, with intervals where the runs themselves tell"
        + (f"; one run is the flip rate, {percent(found.flip_rate.value)}." if len(judges) == 1 else "."),
    )
