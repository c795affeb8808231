"""One look for every chart: Altair specifications, rendered without a network or a browser."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assent.atomic_files import write_whole
from assent.errors import MissingDependency, OptionError
from assent.text import shown, visible

if TYPE_CHECKING:
    import altair

__all__ = ["FORMATS", "NARROW", "PALETTE", "UNDRAWN", "WIDE", "can_draw", "check_drawing", "render", "save", "svg"]

#: Okabe and Ito's colours, which people with any kind of colour vision tell apart; the darkest first.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#777777", "#000000")
#: Formats of pictures, by the ending of the file's name.
FORMATS = ("svg", "png", "pdf")
#: Whole widths of a chart in pixels: for a page of some width, and for a phone.
WIDE, NARROW = 800, 348
#: Neither black nor white: it is read on a light page and on a dark one.
INK = "#737373"
#: What charts are specified with and what draws them.
DRAWN_WITH = ("altair", "vl_convert")
#: What a page without charts says.
UNDRAWN = (
    "Charts are left out: they need the packages altair and vl-convert-python (pip install altair vl-convert-python)."
)

_CONFIG: dict[str, Any] = {
    "background": None,
    "font": "sans-serif",
    "view": {"stroke": None},
    "range": {"category": list(PALETTE), "heatmap": {"scheme": "viridis"}, "ramp": {"scheme": "viridis"}},
    "axis": {
        "labelColor": INK,
        "titleColor": INK,
        "domainColor": INK,
        "tickColor": INK,
        "gridColor": INK,
        "gridOpacity": 0.2,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelLimit": 220,
    },
    "legend": {
        "labelColor": INK,
        "titleColor": INK,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    },
    "title": {"color": INK, "subtitleColor": INK, "fontSize": 14, "anchor": "start"},
    "header": {"labelColor": INK, "titleColor": INK, "labelFontSize": 12, "titleFontSize": 12},
    "text": {"color": INK, "fontSize": 12},
    "rule": {"color": INK},
    "line": {"strokeWidth": 2},
    "mark": {"color": PALETTE[0]},
}


def can_draw() -> bool:
    """Tell whether the packages that draw are installed; everything else does without them."""
    return all(importlib.util.find_spec(name) is not None for name in DRAWN_WITH)


def check_drawing() -> None:
    """Refuse to draw where the packages for it are not installed."""
    if not can_draw():
        raise MissingDependency(
            "A chart needs the packages altair and vl-convert-python: install them with pip install altair vl-convert-python."
        )


def render(chart: altair.TopLevelMixin, format: str, *, padding: int | None = None) -> bytes:
    """Return a chart as the bytes of an SVG, PNG or PDF file; a PNG and a PDF have a white ground.

    Parameters
    ----------
    chart : chart
    format : {"svg", "png", "pdf"}
    padding : int, optional
        Pixels around it; what the chart says, or Vega's 5, if not given.
    """
    check_drawing()
    import vl_convert

    spec = _printable(chart.to_dict(validate=False))
    if padding is not None:
        spec["padding"] = padding
    spec["config"] = {**_CONFIG, **{key: value for key, value in spec.get("config", {}).items() if key != "view"}}
    if format == "svg":
        return vl_convert.vegalite_to_svg(spec).encode("utf-8")
    spec["background"] = "white"
    if format == "png":
        return bytes(vl_convert.vegalite_to_png(spec, scale=2))
    if format == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(spec))
    raise OptionError(f"A chart cannot be written as {shown(format)}: the formats are {', '.join(FORMATS)}.")


def _printable(part: Any) -> Any:
    """Escape control characters in every text of a specification: the renderer would not survive some of them."""
    if isinstance(part, str):
        return visible(part)
    if isinstance(part, dict):
        return {_printable(name): _printable(value) for name, value in part.items()}
    return [_printable(one) for one in part] if isinstance(part, list | tuple) else part


def svg(chart: altair.TopLevelMixin, *, padding: int | None = None) -> str:
    """Return a chart as SVG to stand inside a page; texts from the data are escaped in it."""
    return render(chart, "svg", padding=padding).decode("utf-8")


def save(chart: altair.TopLevelMixin, path: str | os.PathLike[str]) -> None:
    """Write a chart to a file; the ending of the name says the format."""
    write_whole(path, render(chart, Path(path).suffix.lstrip(".").lower()))
