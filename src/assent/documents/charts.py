"""One look for every chart: Vega-Lite specifications, rendered without a network or a browser.

Specifications are plain values: to make them by classes with a schema takes longer than to draw them.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from msgspec.structs import replace

from assent.atomic_files import write_whole
from assent.errors import MissingDependency, OptionError
from assent.limits import ADDRESSES_DRAWN
from assent.records import Struct
from assent.text import amount, shown, visible

__all__ = [
    "FORMATS",
    "NARROW",
    "PALETTE",
    "TIP",
    "WIDE",
    "Chart",
    "Drawable",
    "check_drawing",
    "concat",
    "in_our_look",
    "layer",
    "mark",
    "nominal",
    "number",
    "ordinal",
    "render",
    "save",
    "svg",
    "undrawable",
]

#: Okabe and Ito's colours, which people with any kind of colour vision tell apart; the darkest first.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#777777", "#000000")
#: Formats of pictures, by the ending of the file's name.
FORMATS = ("svg", "png", "pdf")
#: Whole widths of a chart in pixels: for a page of some width, and for a phone.
WIDE, NARROW = 800, 348
#: Neither black nor white: it is read on a light page and on a dark one.
INK = "#737373"
#: Field of a row that says in words what its mark shows; a page shows it when one points there.
TIP = "tip"

_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"

_CONFIG: dict[str, Any] = {
    "background": None,
    # What marks and axes are for those who cannot see them is said by the page; to have it reckoned here takes a third of the time.
    "aria": False,
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


def undrawable() -> str:
    """Say why nothing can be drawn here, as what a chart needs; everything else does without it. Nothing is said if it can."""
    if importlib.util.find_spec("vl_convert") is None:
        return "the package vl-convert-python: install it with pip install vl-convert-python"
    if "vl_convert" not in sys.modules and (most := _addresses()) is not None and most < ADDRESSES_DRAWN:
        needed, given = (amount(size >> 30) for size in (ADDRESSES_DRAWN, most))
        return (
            f"{needed} GB of addresses, most of which stay unused, and this process may have {given} GB of them: raise the limit with "
            "ulimit -v unlimited"
        )
    return ""


def _addresses() -> int | None:
    """Return how many bytes of addresses the system lets this process have, if not any number: some clusters limit them."""
    try:
        import resource
    except ImportError:
        # There is no such limit but on Unix.
        return None
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if most == resource.RLIM_INFINITY else most


def check_drawing() -> None:
    """Refuse to draw where that is not possible."""
    if reason := undrawable():
        raise MissingDependency(f"A chart needs {reason}.")


class Drawable(Protocol):
    """What can be drawn: a chart of ours, or one of Altair."""

    def to_dict(self, *, validate: bool = ...) -> dict[str, Any]:
        """Return the specification."""


class Chart(Struct, frozen=True):
    """A chart: a specification in Vega-Lite, which notebooks show and other programs draw.

    Parameters
    ----------
    spec : mapping
        Without its data, which stand in `datasets` by name.
    """

    spec: Mapping[str, Any]
    datasets: Mapping[str, Sequence[Mapping[str, Any]]]

    def to_dict(self, *, validate: bool = False) -> dict[str, Any]:
        """Return the whole specification; nothing checks it against a schema, whatever `validate` says."""
        data = {name: [dict(row) for row in rows] for name, rows in self.datasets.items()}
        return {"$schema": _SCHEMA, **self.spec, "datasets": data}

    def properties(self, **changed: Any) -> Chart:
        """Return the chart with other properties, such as its width, height or title."""
        return replace(self, spec={**self.spec, **changed})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file; the ending of the name says the format."""
        save(self, path)

    def _repr_mimebundle_(self, *_: Any, **__: Any) -> dict[str, Any]:
        whole = self.to_dict()
        whole["config"] = {**_CONFIG, **whole.get("config", {})}
        return {"application/vnd.vegalite.v5+json": whole, "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"<Chart of {sum(map(len, self.datasets.values())):,} rows>"


def mark(kind: str, rows: Sequence[Mapping[str, Any]], encoding: Mapping[str, Any], **look: Any) -> dict[str, Any]:
    """Return marks for some rows, to stand in a layer. Rows with a tip say it.

    Parameters
    ----------
    kind : str
        bar, line, point, rect, rule, text, …
    rows : sequence of mappings
        Layers that are given the same sequence share it.
    encoding : mapping
        What each channel shows: made by `number`, `nominal` and `ordinal`, or ``{"value": …}``.
    **look
        Of all marks alike.
    """
    if kind != "text" and any(TIP in row for row in rows):
        encoding = {**encoding, "description": {"field": TIP}, "tooltip": {"field": TIP}}
        look = {"aria": True, **look}
    return {"data": rows, "mark": {"type": kind, **look}, "encoding": dict(encoding)}


def number(field: str, **options: Any) -> dict[str, Any]:
    """Return a channel that shows a number; `scale`, `axis`, `title` and others are options."""
    return {"field": field, "type": "quantitative", **options}


def nominal(field: str, **options: Any) -> dict[str, Any]:
    """Return a channel that shows names."""
    return {"field": field, "type": "nominal", **options}


def ordinal(field: str, **options: Any) -> dict[str, Any]:
    """Return a channel that shows names or numbers in their order."""
    return {"field": field, "type": "ordinal", **options}


def layer(*layers: Mapping[str, Any], **properties: Any) -> Chart:
    """Return a chart of marks over each other; its width, height and title are properties."""
    names: dict[int, str] = {}
    data: dict[str, Sequence[Mapping[str, Any]]] = {}
    made = []
    for one in layers:
        rows = one["data"]
        name = names.setdefault(id(rows), f"rows-{len(names) + 1}")
        data[name] = rows
        made.append({**one, "data": {"name": name}})
    return Chart({"layer": made, **properties}, data)


def concat(charts: Sequence[Chart], **properties: Any) -> Chart:
    """Return charts beside or below each other, as many in a line as `columns` says."""
    data: dict[str, Sequence[Mapping[str, Any]]] = {}
    made = []
    for place, chart in enumerate(charts, 1):
        renamed = {name: f"chart-{place}-{name}" for name in chart.datasets}
        data |= {renamed[name]: rows for name, rows in chart.datasets.items()}
        layers = [{**one, "data": {"name": renamed[one["data"]["name"]]}} for one in chart.spec["layer"]]
        made.append({**chart.spec, "layer": layers})
    return Chart({"concat": made, **properties}, data)


def render(chart: Drawable, format: str, *, padding: int | None = None) -> bytes:
    """Return a chart as the bytes of an SVG, PNG or PDF file; a PNG and a PDF have a white ground.

    Parameters
    ----------
    format : {"svg", "png", "pdf"}
    padding : int, optional
        Pixels around it; what the chart says, or Vega's 5, if not given.
    """
    check_drawing()
    spec = in_our_look(chart.to_dict(validate=False))
    if padding is not None:
        spec["padding"] = padding
    if format == "svg":
        return drawn(spec).encode("utf-8")
    import vl_convert

    spec["background"] = "white"
    if format == "png":
        return bytes(vl_convert.vegalite_to_png(spec, scale=2))
    if format == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(spec))
    raise OptionError(f"A chart cannot be written as {shown(format)}: the formats are {', '.join(FORMATS)}.")


def drawn(spec: dict[str, Any]) -> str:
    """Return the picture that a specification in Vega-Lite describes, as SVG."""
    import vl_convert

    return vl_convert.vegalite_to_svg(spec)


def in_our_look(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a specification in Vega-Lite with the look of all charts, and with nothing in it that cannot be seen."""
    made: dict[str, Any] = _printable(dict(spec))
    own = {key: value for key, value in made.get("config", {}).items() if key != "view"}
    return {**made, "config": {**_CONFIG, **own}}


def _printable(part: Any) -> Any:
    """Escape control characters in every text of a specification: the renderer would not survive some of them."""
    if isinstance(part, str):
        return visible(part)
    if isinstance(part, dict):
        return {_printable(name): _printable(value) for name, value in part.items()}
    return [_printable(one) for one in part] if isinstance(part, list | tuple) else part


def svg(chart: Drawable, *, padding: int | None = None) -> str:
    """Return a chart as SVG to stand inside a page; texts from the data are escaped in it."""
    return render(chart, "svg", padding=padding).decode("utf-8")


def save(chart: Drawable, path: str | os.PathLike[str]) -> None:
    """Write a chart to a file; the ending of the name says the format."""
    write_whole(path, render(chart, Path(path).suffix.lstrip(".").lower()))
