"""Figure 1 for every setting: observed, expected and adjusted agreement against the share of double labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assent.documents.charts import PALETTE
from studies.marchal2022.numbers import Results
from studies.marchal2022.simulating import AGREEMENT, DOUBLE, MEASURES, Design, Setting

if TYPE_CHECKING:
    import altair as alt

__all__ = ["draw_setting"]

#: What is drawn, and its colour.
PARTS = {"observed": PALETTE[1], "expected": PALETTE[6], "adjusted": PALETTE[0]}


def draw_setting(results: Results, setting: Setting) -> alt.TopLevelMixin:
    """Draw a panel for every measure and level of agreement."""
    import altair as alt

    values = [
        {
            "measure": name,
            "agreement": f"{agreement:.0%} agreement",
            "double": double,
            "part": part,
            "value": results[Design(setting, agreement, double)][name].mean(part),
        }
        for name in MEASURES
        for agreement in AGREEMENT
        for double in DOUBLE
        for part in PARTS
    ]
    header = alt.Header(labelFontSize=13, labelFontWeight="bold")
    made: alt.TopLevelMixin = (
        alt.Chart(alt.InlineData(values=values))
        .mark_line(point=alt.OverlayMarkDef(size=30))
        .encode(
            x=alt.X(
                "double:Q",
                title="share of double labels",
                axis=alt.Axis(format=".0%", values=list(DOUBLE), labelFlush=False),
            ),
            y=alt.Y("value:Q", title=None, axis=alt.Axis(tickCount=4)),
            color=alt.Color("part:N", title=None, scale=alt.Scale(domain=list(PARTS), range=list(PARTS.values()))),
            row=alt.Row("measure:N", title=None, sort=list(MEASURES), header=header),
            column=alt.Column("agreement:N", title=None, header=header),
        )
        .properties(
            width=190,
            height=110,
            spacing=25,
            title=alt.TitleParams(
                "What double labels do to agreement",
                subtitle=f"{setting.name}; means over data sets of 100 items",
                offset=12,
            ),
        )
    )
    return made
