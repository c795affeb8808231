"""Heat maps: a shade and a number in every cell, so that nothing rests on colour alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from assent.documents.charts import INK, layer, mark, nominal, number
from assent.reports.charts.parts import CELL, FEW, NEGATIVE, axis_names, cut_at, fixed, level_width, name_width, shade
from assent.text import percent, visible

__all__ = ["FADED", "Cell", "cell_width", "coverage", "faded", "heat_map", "shares_of"]


class Cell(NamedTuple):
    """A cell: how full it is from -1 to 1 (None leaves it out), its text, on how much it rests, and what it says when asked."""

    value: float | None
    text: str
    rests_on: float | None = None
    tip: str = ""


#: What a caption says of cells that rest on little (`assent.reports.charts.parts.shade`).
FADED = "The less a cell rests on, the paler it is."

#: As many pixels are left for names that stand level.
LEVEL_WIDTH = 560

#: Of more pieces than this the map of who annotated what is a texture: none of them says anything when one points at it.
TOLD = 300

#: Shares of a block's items and their shades.
COVERED = (
    ("none", 0.0),
    ("up to 25 %", 0.2),
    ("up to 50 %", 0.4),
    ("up to 75 %", 0.6),
    ("less than all", 0.8),
    ("all", 1.0),
)


def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Sequence[Sequence[Cell]],
    *,
    size: tuple[int, int],
    down: str = "",
    across: str = "",
    font: int = 12,
) -> Any | None:
    """Draw a heat map; None without cells.

    Parameters
    ----------
    rows, columns : sequence of str
        Names.
    cells : rows x columns
        A cell with an empty text is a shade alone.
    size : (int, int)
        Width and height of a cell in pixels.
    down, across : str
        What the rows and the columns are.
    font : int
        Size of the numbers.
    """
    row_names, column_names = axis_names(rows), axis_names(columns)
    drawn = []
    for name, whole, line in zip(row_names, rows, cells, strict=True):
        for column, across_whole, cell in zip(column_names, columns, line, strict=True):
            if cell.value is not None:
                full, ink = shade(cell.value, cell.rests_on)
                colour = NEGATIVE if cell.value < 0 else CELL
                tip = cell.tip or f"{visible(whole)}, {visible(across_whole)}: {cell.text or 0}"
                drawn.append(
                    {
                        "row": name,
                        "column": column,
                        "full": full,
                        "colour": colour,
                        "text": cell.text,
                        "ink": ink,
                        "tip": tip,
                    }
                )
    if not drawn:
        return None
    # Cells of one shade follow each other: the page then writes what they have in common once.
    drawn.sort(key=lambda cell: (cell["colour"], cell["full"]))
    left = name_width(row_names, 200)
    flat = level_width(column_names) <= size[0]
    plain: dict[str, Any] = {"ticks": False, "domain": False, "labelOverlap": False, "titlePadding": 8}
    top = {
        "orient": "top",
        "labelAngle": 0 if flat else -45,
        "labelAlign": "center" if flat else "left",
        "labelLimit": cut_at(column_names, 200),
        "labelPadding": 6,
        "titleLimit": size[0] * len(columns) + left,
        "labelFontSize": 12 if size[0] >= 30 else 11,
        **plain,
    }
    side = {
        "labelLimit": cut_at(row_names, left),
        "labelPadding": 6,
        "titleLimit": size[1] * len(rows),
        "labelFontSize": 12 if size[1] >= 20 else 11,
        **plain,
    }
    close: dict[str, Any] = {"paddingInner": 0, "paddingOuter": 0}
    place = {
        "x": nominal("column", scale={"domain": column_names, **close}, title=across or None, axis=top),
        "y": nominal("row", scale={"domain": row_names, **close}, title=down or None, axis=side),
    }
    paint = {"fill": nominal("colour", scale=None), "fillOpacity": number("full", scale=None)}
    # The renderer measures every text: those that say nothing are left out.
    said = [cell for cell in drawn if cell["text"]]
    told = {"text": nominal("text"), "color": nominal("ink", scale=None)}
    return layer(
        mark("rect", drawn, place | paint, stroke=INK, strokeOpacity=0.25, strokeWidth=1),
        mark("text", drawn if len(said) == len(drawn) else said, place | told, fontSize=font, baseline="middle"),
        width={"step": size[0]},
        height={"step": size[1]},
    )


def faded(rests_on: Iterable[float]) -> bool:
    """Tell whether a map has cells that rest on so little that they are paler."""
    return any(many < FEW[-1][0] for many in rests_on)


def cell_width(names: Sequence[str], least: int) -> int:
    """Return a width at which names stand level if all of them then fit on a page; else the least."""
    level = level_width(names) + 8
    return max(least, level) if level * len(names) <= LEVEL_WIDTH else least


def shares_of(values: Sequence[Sequence[float | None]]) -> list[list[Cell]]:
    """Return cells of shares, shown in percent."""
    return [[Cell(value, percent(value)) for value in line] for line in values]


def coverage(
    annotators: Sequence[str], blocks: Sequence[Sequence[float | None]], *, title: str, width: int
) -> Any | None:
    """Draw who annotated which part of the items: a row for each annotator, the items from left to right in blocks.

    Parameters
    ----------
    blocks : annotators x blocks
        Share of the block's items that the annotator has.
    title : str
        What a block is.
    width : int
        In pixels, with everything.
    """
    if not annotators or not blocks or not blocks[0]:
        return None
    names = axis_names(annotators, 24)
    left = name_width(names, 150)
    across, room = len(blocks[0]), width - left - 16
    high = 12 if len(names) > 25 else 18 if len(names) > 10 else 26
    words = {full: word for word, full in COVERED}
    runs: list[dict[str, Any]] = [
        {
            "annotator": name,
            "from": start,
            "to": end,
            "full": full,
            "tip": f"{visible(whole)}: {words[full]} of these items",
        }
        for name, whole, line in zip(names, annotators, blocks, strict=True)
        for start, end, full in _runs(line)
        if full
    ]
    if len(runs) > TOLD:
        runs = [{key: value for key, value in run.items() if key != "tip"} for run in runs]
    runs.sort(key=lambda run: run["full"])
    axis = {
        "ticks": False,
        "labelLimit": cut_at(names, left),
        "labelOverlap": False,
        "minExtent": left,
        "maxExtent": left,
        "labelPadding": 6,
        "labelFontSize": 12 if high > 12 else 10,
    }
    place = {
        "x": number(
            "from",
            scale={"domain": [0, across], "nice": False},
            axis={"labels": False, "ticks": False, "grid": False},
            title=title,
        ),
        "x2": {"field": "to"},
        "y": nominal(
            "annotator", scale={"domain": names, "paddingInner": 0.12, "paddingOuter": 0}, title=None, axis=axis
        ),
        "fillOpacity": number("full", scale=None),
    }
    used = {0.0, *(run["full"] for run in runs)}
    keys = _keys([one for one in COVERED if one[1] in used], room, across)
    return layer(mark("rect", runs, place, fill=CELL), *keys, width=room, height={"step": high})


def _keys(shades: Sequence[tuple[str, float]], room: float, across: int) -> list[dict[str, Any]]:
    """Draw above the rows what the shades mean, in as many lines as it takes."""
    places: list[dict[str, Any]] = []
    at, line = 0.0, 0
    for word, full in shades:
        long = 34 + 6.5 * len(word)
        if at and at + long > room:
            at, line = 0.0, line + 1
        places.append({"word": word, "full": full, "line": line, "at": (at + 7) * across / room})
        at += long
    made = []
    for n in range(line + 1):
        place = {"x": number("at"), "y": fixed(-14 - 20 * (line - n))}
        some = [one for one in places if one["line"] == n]
        box: dict[str, Any] = {
            "shape": "square",
            "size": 150,
            "stroke": INK,
            "strokeWidth": 1,
            "fill": CELL,
            "opacity": 1,
        }
        made += [
            mark("point", some, place | {"fillOpacity": number("full", scale=None)}, **box),
            mark("text", some, place | {"text": nominal("word")}, align="left", dx=12),
        ]
    return made


def _runs(line: Sequence[float | None]) -> list[tuple[int, int, float]]:
    """Join neighbouring blocks that are covered alike: from, to, and their shade."""
    made: list[tuple[int, int, float]] = []
    for i, share in enumerate(line):
        full = _covered(share or 0.0)
        if made and made[-1][2] == full:
            made[-1] = (made[-1][0], i + 1, full)
        else:
            made.append((i, i + 1, full))
    return made


def _covered(share: float) -> float:
    bounds = (0, 0.25, 0.5, 0.75)
    place = next((i for i, bound in enumerate(bounds) if share <= bound), 4 if share < 1 else 5)
    return COVERED[place][1]
