"""The figures: weights (4 and 5), variance (6) and schemes (7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assent.documents.charts import PALETTE
from assent.measures.spa import SCHEMES
from assent.text import for_terminal
from studies.spa2022.arrivals import Arrivals
from studies.spa2022.weights import ANNOTATIONS, ClassWeights, normalised, uniform_weights, weights

if TYPE_CHECKING:
    import altair as alt

__all__ = ["draw_class_weights", "draw_per_item", "draw_schemes", "draw_variance", "draw_weights"]

#: The same colour for a scheme in every figure; edges and inv-var are one curve, drawn as dashes on a broad line.
COLOURS = {
    "annotations-m1": "#D55E00",
    "flat": "#777777",
    "annotations": "#56B4E9",
    "edges": "#E69F00",
    "inv-var": "#000000",
    "inv-var-class": "#009E73",
}
#: Names of data sets above a panel are cut to this many characters.
LONGEST_NAME = 28
WEIGHT = "weight (10 annotations count 1)"
SIZE = "annotations of the item"


def draw_weights(classes: Sequence[int]) -> alt.TopLevelMixin:
    """Figure 4: the schemes' weights, and inv-var minus edges for several numbers of labels."""
    import altair as alt

    shown = ("annotations-m1", "annotations", "edges", "inv-var")
    edges = normalised(weights("edges", ANNOTATIONS))
    rounding = [
        {"n": int(n), "difference": float(d) * 1e16, "labels": count}
        for count in classes
        for n, d in zip(ANNOTATIONS, normalised(uniform_weights(count, ANNOTATIONS)) - edges, strict=True)
    ]
    left = _scheme_lines(
        shown, _x("n", SIZE, values=ANNOTATIONS.tolist()), alt.Y("weight:Q", title=WEIGHT), data=_data(_curves(shown))
    ).properties(
        width=320, height=260, title=_title("Weights by scheme", "inv-var lies on edges: dashes on the broad line")
    )
    right = (
        alt.Chart(_data(rounding))
        .mark_circle(size=36, opacity=1)
        .encode(
            x=alt.X("n:O", title=SIZE, axis=alt.Axis(labelAngle=0)),
            xOffset="labels:O",
            y=alt.Y("difference:Q", title="inv-var minus edges, in units of 1e-16", scale=alt.Scale(domain=[-4, 4])),
            color=alt.Color(
                "labels:O", title="labels", scale=alt.Scale(domain=list(classes), range=list(PALETTE[: len(classes)]))
            ),
        )
        .properties(
            width=360, height=260, title=_title("The number of labels does not matter", "what is left is rounding")
        )
    )
    both: alt.TopLevelMixin = alt.hconcat(left, right, spacing=40).resolve_scale(color="independent")
    return both


def draw_class_weights(sampled: ClassWeights, each: int = 10) -> alt.TopLevelMixin:
    """Figure 5: inv-var-class for random label distributions, and the area under the curve against two summaries of these."""
    import altair as alt

    few = np.concatenate([np.flatnonzero(sampled.classes == count)[:each] for count in np.unique(sampled.classes)])
    lines = [
        {"n": int(n), "weight": float(w), "entropy": float(sampled.entropy[i]), "one": int(i)}
        for i in few
        for n, w in zip(ANNOTATIONS, sampled.curves[i], strict=True)
    ]
    outer = ("annotations-m1", "annotations", "edges")
    entropy = alt.Color(
        "entropy:Q",
        title="entropy",
        scale=alt.Scale(scheme="viridis"),
        legend=alt.Legend(type="gradient", gradientLength=110),
    )
    x, y = _x("n", SIZE, values=ANNOTATIONS.tolist()), alt.Y("weight:Q", title=WEIGHT)
    first = (
        alt.layer(
            alt.Chart(_data(lines))
            .mark_line(strokeWidth=0.8, opacity=0.8)
            .encode(x=x, y=y, detail="one:N", color=entropy),
            alt.Chart(_data(_curves(outer)))
            .mark_line(strokeWidth=3.5)
            .encode(x=x, y=y, detail="scheme:N", stroke=alt.Stroke("scheme:N", **_colours(outer))),
        )
        .resolve_scale(color="independent", stroke="independent")
        .properties(width=300, height=250, title=_title("Weights of inv-var-class", "thin lines: random label shares"))
    )
    points = [
        {"entropy": float(e), "lean": float(lean), "area": float(a)}
        for e, lean, a in zip(sampled.entropy, sampled.lean, sampled.area, strict=True)
    ]
    share = alt.Chart(_data(points)).mark_circle(size=14, opacity=0.6)
    shade = alt.Color("entropy:Q", scale=alt.Scale(scheme="viridis"), legend=None)
    area = alt.Y("area:Q", title="sum under the weight curve", scale=alt.Scale(zero=False))
    second = share.encode(x=_x("entropy", "entropy of the label shares (nats)"), y=area, color=shade).properties(
        width=270, height=250, title=_title("Entropy says part of it", "many sums for one entropy")
    )
    third = share.encode(x=_x("lean", "lean ρ = 2 (s3 − s2²) / (s2 − s2²)"), y=area, color=shade).properties(
        width=270, height=250, title=_title("The lean says all of it", "0 is edges, 1 is annotations")
    )
    return alt.hconcat(first, second, third, spacing=30)


def draw_variance(curves: Sequence[Mapping[str, Any]], note: str) -> alt.TopLevelMixin:
    """Figure 6: variance of SPA against annotations, with a fixed number per item and with annotations anywhere."""
    import altair as alt

    fixed = sorted({one["per_item"] for one in curves if one["per_item"]})
    names = [*(f"{count} per item" for count in fixed), "anywhere"]
    values = [
        {
            "set": for_terminal(one["data set"], LONGEST_NAME),
            "annotations": one["annotations"],
            "variance": one["variance"],
            "kind": f"{one['per_item']} per item" if one["per_item"] else "anywhere",
        }
        for one in curves
    ]
    # Only powers of ten are marked: all the steps between them would make the panels grey.
    x_axis = alt.Axis(format="~s", values=[10**power for power in range(9)])
    y_axis = alt.Axis(format=".0e", values=[10.0**-power for power in range(12)])
    colours = [*("#0072B2", "#56B4E9", "#009E73", "#CC79A7", "#E69F00")[: len(fixed)], "#000000"]
    chart = (
        alt.Chart()
        .mark_line()
        .encode(
            x=alt.X(
                "annotations:Q",
                title="annotations of items with two or more",
                scale=alt.Scale(type="log", nice=False, padding=10),
                axis=x_axis,
            ),
            y=alt.Y(
                "variance:Q", title="variance of SPA", scale=alt.Scale(type="log", nice=False, padding=10), axis=y_axis
            ),
            color=alt.Color("kind:N", title="annotations", scale=alt.Scale(domain=names, range=colours), sort=names),
            strokeDash=alt.StrokeDash(
                "kind:N",
                title="annotations",
                scale=alt.Scale(domain=names, range=[*([1, 0] for _ in fixed), [5, 4]]),
                sort=names,
            ),
        )
        .properties(width=300, height=200)
    )
    return _panels(chart, values, _title("More annotations, less variance", note), x="independent", y="independent")


def draw_per_item(curves: Sequence[Mapping[str, Any]], note: str) -> alt.TopLevelMixin:
    """Variance against annotations per item, for the same number of annotations."""
    import altair as alt

    values = [
        {**one, "set": for_terminal(one["data set"], LONGEST_NAME), "alpha": _level(one["alpha"])} for one in curves
    ]
    levels = sorted({one["alpha"] for one in values})
    ratios = [one["ratio"] for one in values]
    colour = alt.Color(
        "alpha:N",
        title="agreement",
        scale=alt.Scale(domain=levels, range=list(PALETTE[: len(levels)])),
        legend=alt.Legend(symbolType="stroke", symbolStrokeWidth=3) if len(levels) > 1 else None,
    )
    # A difference of a percent is not to look like one of fifty.
    scale = alt.Scale(domain=[min(0.6, *ratios), max(1.2, *ratios)])
    chart = (
        alt.Chart()
        .mark_line(point=alt.OverlayMarkDef(size=36))
        .encode(
            x=_x("per_item", "annotations per item", format="d", values=sorted({one["per_item"] for one in values})),
            y=alt.Y("ratio:Q", title="variance, two per item = 1", scale=scale),
            color=colour,
        )
        .properties(width=220, height=180)
    )
    return _panels(chart, values, _title("How many annotations per item", note), columns=4)


def draw_schemes(arrivals: Sequence[Arrivals], note: str) -> alt.TopLevelMixin:
    """Figure 7: variance of the schemes relative to flat, as annotations arrive."""
    import altair as alt

    flat = SCHEMES.index("flat")
    values = [
        {
            "set": for_terminal(one.items.name, LONGEST_NAME),
            "alpha": _level(one.items.alpha),
            "share": float(share),
            "scheme": scheme,
            "ratio": float(one.variance[point, s] / one.variance[point, flat] - 1),
        }
        for one in arrivals
        for point, share in enumerate(one.shares)
        for s, scheme in enumerate(SCHEMES)
    ]
    x = _x("share", "annotations that are there", values=[0.1, 0.3, 0.5, 0.7, 0.9], format=".0%")
    signed = alt.Axis(tickCount=5, labelExpr="datum.value == 0 ? '0%' : format(datum.value, '+.0%')")
    y = alt.Y("ratio:Q", title="variance against flat", axis=signed)
    layered = _scheme_lines(tuple(COLOURS), x, y).properties(width=190, height=150)
    title = _title("Which scheme varies least", note)
    if arrivals[0].items.alpha is None:
        return _panels(layered, values, title, y="independent", columns=3)
    names = list(dict.fromkeys(str(one["set"]) for one in values))
    grid: alt.TopLevelMixin = layered.facet(
        row=alt.Row("alpha:N", title=None, header=_header()),
        column=alt.Column("set:N", title=None, sort=names, header=_header()),
        data=_data(values),
    ).properties(title=title)
    return grid


def _curves(schemes: Sequence[str]) -> list[dict[str, Any]]:
    """Return the normalised weights of schemes, a record for each point."""
    return [
        {"n": int(n), "weight": float(w), "scheme": scheme}
        for scheme in schemes
        for n, w in zip(ANNOTATIONS, normalised(weights(scheme, ANNOTATIONS)), strict=True)
    ]


def _scheme_lines(schemes: Sequence[str], x: Any, y: Any, data: Any = None) -> Any:
    """Draw a line for each scheme: edges broad at the bottom, inv-var as dashes on top of it."""
    import altair as alt

    def line(condition: str, **style: Any) -> Any:
        chart = alt.Chart() if data is None else alt.Chart(data)
        colour = alt.Color("scheme:N", **_colours(schemes))
        return chart.mark_line(**style).transform_filter(condition).encode(x=x, y=y, color=colour)

    return alt.layer(
        line("datum.scheme == 'edges'", strokeWidth=6, opacity=0.9),
        line("datum.scheme != 'edges' && datum.scheme != 'inv-var'"),
        line("datum.scheme == 'inv-var'", strokeWidth=1.5, strokeDash=[5, 5]),
    )


def _panels(
    chart: Any, values: list[dict[str, Any]], title: Any, *, columns: int = 2, **scales: Any
) -> alt.TopLevelMixin:
    """Put one panel for each data set beside the other."""
    import altair as alt

    names = list(dict.fromkeys(str(one["set"]) for one in values))
    panels: alt.TopLevelMixin = (
        chart.facet(
            facet=alt.Facet("set:N", title=None, sort=names, header=_header()), data=_data(values), columns=columns
        )
        .resolve_scale(**scales)
        .properties(title=title)
    )
    return panels


def _colours(schemes: Sequence[str]) -> dict[str, Any]:
    import altair as alt

    return {
        "title": "scheme",
        "scale": alt.Scale(domain=list(schemes), range=[COLOURS[scheme] for scheme in schemes]),
        "legend": alt.Legend(symbolType="stroke", symbolStrokeWidth=3, symbolOpacity=1),
    }


def _x(field: str, title: str, **axis: Any) -> Any:
    import altair as alt

    # The first and last label stay under their ticks.
    return alt.X(f"{field}:Q", title=title, axis=alt.Axis(labelFlush=False, **axis))


def _title(text: str, subtitle: str) -> Any:
    import altair as alt

    return alt.TitleParams(text, subtitle=subtitle, offset=12)


def _header() -> Any:
    import altair as alt

    return alt.Header(labelFontSize=13, labelFontWeight="bold", labelLimit=300)


def _data(values: list[dict[str, Any]]) -> Any:
    import altair as alt

    return alt.InlineData(values=values)


def _level(alpha: float | None) -> str:
    return "your data" if alpha is None else f"α = {alpha:g}"
