"""Pictures of judges beside people: the difference of kappas with its interval, and how often the test is passed; the constant judge marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assent.documents.charts import INK, NARROW, PALETTE, layer, mark, nominal, number
from assent.records import plain
from assent.text import counted, interval, percent, shortened, visible
from assent.text import number as written

if TYPE_CHECKING:
    from assent.analyses.judge.result import JudgeComparison
    from assent.analyses.judge.team import Team

__all__ = ["draw", "draw_stability"]


def draw(found: JudgeComparison, width: int) -> Any | None:
    """Draw the differences, one below the other; None if no judge has one.

    Parameters
    ----------
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
        return number(field, axis=axis, title=f"{found.judges[0].team.coefficient} with people less that among people")

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


def draw_stability(found: JudgeComparison, width: int) -> Any | None:
    """Draw in which share of resamples each judge passes the alternative annotator test; None if nobody was tested."""
    tests = [(one.judge, one.alt_test, False) for one in found.judges]
    always = {one.constant.label: one.constant.alt_test for one in found.judges}
    rows = [
        {
            "name": shortened(name, 14 if width <= NARROW else 30),
            "none": 0.0,
            "passing": plain(test.passing),
            "constant": constant,
            "colour": PALETTE[1 if constant else 0],
            "tip": f"{visible(name)}: passes in {percent(test.passing)} of {counted(test.replicates, 'resample')}",
        }
        for name, test, constant in [*tests, *((f"always {label}", test, True) for label, test in always.items())]
        if test.humans
    ]
    if not any(not one["constant"] for one in rows):
        return None
    left = 20 + 7 * max(len(str(one["name"])) for one in rows)
    y = nominal(
        "name", sort=None, title=None, axis={"ticks": False, "domain": False, "labelLimit": left, "labelPadding": 6}
    )
    axis = {"format": ".0%", "tickCount": 5}
    x = number("passing", axis=axis, title="share of resamples that pass", scale={"domain": [0, 1]})
    forms = nominal("constant", legend=None, scale={"domain": [False, True], "range": ["circle", "diamond"]})
    colour = nominal("colour", scale=None)
    half = number("value", axis=axis, title="share of resamples that pass", scale={"domain": [0, 1]})
    return layer(
        mark("rule", [{"value": 0.5}], {"x": half}, color=INK, strokeWidth=1.5, strokeDash=[5, 3]),
        mark(
            "rule",
            rows,
            {
                "y": y,
                "x": number("none", axis=axis, scale={"domain": [0, 1]}),
                "x2": {"field": "passing"},
                "color": colour,
            },
            strokeWidth=3,
            opacity=0.5,
        ),
        mark("point", rows, {"y": y, "x": x, "color": colour, "shape": forms}, filled=True, size=90, opacity=1),
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
