"""The picture of judges beside people: the difference of kappas with its interval, the constant judge marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assent.documents.charts import INK, NARROW, PALETTE
from assent.measures.results import plain
from assent.text import shortened

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
    import altair as alt

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
    y = (
        alt.Y("name:N")
        .sort(None)
        .title(None)
        .axis(alt.Axis(ticks=False, domain=False, labelLimit=left, labelPadding=6))
    )
    axis = alt.Axis(format=".2~f", tickCount=4 if small else 7)

    def x(field: str) -> Any:
        return alt.X(f"{field}:Q").axis(axis).title("kappa with people less kappa among people")

    base = alt.Chart(alt.InlineData(values=rows)).encode(y)
    colour = alt.Color("colour:N", scale=None)
    margin = found.options["margin"]
    lines = alt.Chart(alt.InlineData(values=[{"value": 0.0, "dash": "none"}, {"value": -margin, "dash": "margin"}]))
    return alt.layer(
        lines.mark_rule(color=INK, strokeWidth=1.5).encode(
            x("value"),
            strokeDash=alt.StrokeDash("dash:N", legend=None).scale(
                alt.Scale(domain=["none", "margin"], range=[[1, 0], [5, 3]])
            ),
        ),
        base.mark_rule(strokeWidth=3, opacity=1).encode(x("low"), alt.X2("high:Q"), colour),
        # The constant judge differs by its form, not by its colour alone.
        base.mark_point(filled=True, size=90, opacity=1).encode(
            x("value"),
            colour,
            alt.Shape("constant:N", legend=None).scale(alt.Scale(domain=[False, True], range=["circle", "diamond"])),
        ),
        width=max(120, width - left - 40),
        height=alt.Step(28),
    )


def _row(name: str, team: Team, constant: bool) -> dict[str, Any]:
    interval = team.interval
    return {
        "name": name,
        "value": None if team.difference is None else plain(team.difference.value),
        "low": None if interval is None else plain(interval.low),
        "high": None if interval is None else plain(interval.high),
        "constant": constant,
        "colour": PALETTE[1 if constant else 0],
    }
