"""The picture of judges beside people: the difference of kappas with its interval, the constant judge marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assent.documents.charts import INK, NARROW, PALETTE, layer, mark, nominal, number
from assent.measures.results import plain
from assent.text import interval, shortened, visible
from assent.text import number as written

if TYPE_CHECKING:
    from assent.analyses.judge.result import JudgeComparison
    from assent.analyses.judge.team import Team

__all__ = ["draw"]


def draw(found: JudgeComparison, width: int) -> Any | None:
    """Draw the differences, one below the other; None if no judge has one.

    Parameters
    ----------
    found : JudgeComparison
    width : int
        In pixels, with everything.
    """
    judges = [(one.judge, one.team, False) for one in found.judges]
    always = {one.constant.label: one.constant.team for one in found.judges}
    rows = [
        _row(name, team, constant)
        for name, team, constant in [*judges, *((f"always {label}", team, True) for label, team in always.items())]
    ]
    rows = [one for one in rows if one["value"] is not None]
    if not any(not one["constant"] for one in rows):
        return None
    small = width <= NARROW
    limit = 14 if small else 30
    for one in rows:
        one["name"] = shortened(one["name"], limit)
    left = 20 + 7 * max(len(one["name"]) for one in rows)
    side = {"ticks": False, "domain": False, "labelLimit": left, "labelPadding": 6}
    y = nominal("name", sort=None, title=None, axis=side)
    axis = {"format": ".2~f", "tickCount": 4 if small else 7}

    def x(field: str) -> dict[str, Any]:
        return number(field, axis=axis, title="kappa with people less kappa among people")

    colour = nominal("colour", scale=None)
    lines = [{"value": 0.0, "dash": "none"}, {"value": -found.options["margin"], "dash": "margin"}]
    dashes = {"domain": ["none", "margin"], "range": [[1, 0], [5, 3]]}
    # The constant judge differs by its form, not by its colour alone.
    forms = nominal("constant", legend=None, scale={"domain": [False, True], "range": ["circle", "diamond"]})
    dashed = {"x": x("value"), "strokeDash": nominal("dash", legend=None, scale=dashes)}
    ends = {"y": y, "x": x("low"), "x2": {"field": "high"}, "color": colour}
    points = {"y": y, "x": x("value"), "color": colour, "shape": forms}
    return layer(
        mark("rule", lines, dashed, color=INK, strokeWidth=1.5),
        mark("rule", rows, ends, strokeWidth=3, opacity=1),
        mark("point", rows, points, filled=True, size=90, opacity=1),
        width=max(120, width - left - 40),
        height={"step": 28},
    )


def _row(name: str, team: Team, constant: bool) -> dict[str, Any]:
    value = None if team.difference is None else plain(team.difference.value)
    low, high = (None, None) if team.interval is None else (plain(team.interval.low), plain(team.interval.high))
    sure = "" if low is None or high is None else f" ({interval(low, high, signed=True)})"
    return {
        "name": name,
        "value": value,
        "low": low,
        "high": high,
        "tip": f"{visible(name)}: {written(value, signed=True)}{sure}",
        "constant": constant,
        "colour": PALETTE[1 if constant else 0],
    }
