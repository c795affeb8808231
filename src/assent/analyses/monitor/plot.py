"""The chart for a terminal: agreement so far, its sequence as a band, the target, and the moving agreement below."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assent.analyses.monitor.result import Monitoring
from assent.profiles import Array

__all__ = ["Line", "plotted", "shown_range"]

#: A line of the chart: pieces of text, each with the name of its style.
Line = list[tuple[str, str]]

HEIGHT = 13
#: Beyond this width a chart gains nothing.
WIDEST = 120
_MARGIN = 6


@dataclass(frozen=True)
class _Marks:
    line: str
    band: str
    target: str
    side: str
    floor: str
    corner: str
    alert: str
    change: str
    bars: str


_UNICODE = _Marks("━", "░", "┄", "┤", "─", "└", "▲", "◆", "▁▂▃▄▅▆▇█")
_ASCII = _Marks("*", ":", "-", "|", "-", "+", "^", "o", "0123456789")
_STYLES = {"line": "bold", "band": "dim", "target": "yellow", "alert": "bold yellow", "change": "bold magenta"}


def plotted(result: Monitoring, *, width: int = 80, height: int = HEIGHT, ascii_only: bool = False) -> list[Line]:
    """Draw agreement over the items.

    Parameters
    ----------
    result : Monitoring
    width, height : int
        In characters and lines.
    ascii_only : bool
        For a terminal that knows nothing else.

    Returns
    -------
    list of list of (text, style)
        Styles are those of rich, or empty; joined, the texts are the lines. Nothing if there is no item.
    """
    if not result.items:
        return []
    marks = _ASCII if ascii_only else _UNICODE
    columns = max(10, min(width, WIDEST) - _MARGIN - 1)
    # The last point that a column has reached; with fewer items than columns a point takes several.
    reached = np.linspace(1, result.items, columns)
    points = np.searchsorted(result.trajectory.items, reached + 1e-9, side="right") - 1
    bottom, top = shown_range(result)
    return [
        *_field(result, points, bottom, top, height, marks),
        _floor(result, columns, marks),
        _numbers(result, columns),
        *_moving(result, points, bottom, top, marks),
        *_legend(result, marks, _MARGIN + columns),
    ]


def shown_range(result: Monitoring) -> tuple[float, float]:
    """Choose the range of the chart: all of the line but its wild beginning, the sequence as it is now, the target."""
    path = result.trajectory
    settled = path.agreement[path.items >= min(20, result.items)]
    shown = [*settled, *path.recent, result.low, result.high, math.nan if result.target is None else result.target]
    known = [one for one in shown if not math.isnan(one)]
    top = min(1.0, math.ceil(max(known) * 20 + 0.5) / 20)
    # A fifth, two, three … of the scale, so that what is written beside every third line is a round number.
    size = math.ceil((top - min(known)) * 5 + 0.1) / 5
    bottom = max(0.0, top - size)
    return bottom, min(1.0, bottom + size)


def _row(value: float, bottom: float, top: float, height: int) -> int:
    """Return the line of a value, counted from the top; it may lie outside."""
    return round((top - value) / (top - bottom) * (height - 1))


def _field(result: Monitoring, points: Array, bottom: float, top: float, height: int, marks: _Marks) -> list[Line]:
    """Draw the line within its band."""
    path, step = result.trajectory, (top - bottom) / (height - 1)
    cells = [[(" ", "")] * len(points) for _ in range(height)]
    for column, point in enumerate(points.tolist()):
        low, high = path.low[point], path.high[point]
        for row in range(height):
            value, half = top - row * step, step / 2
            if low <= value + half and high >= value - half:
                cells[row][column] = (marks.band, "band")
    if result.target is not None:
        row = _row(result.target, bottom, top, height)
        cells[row] = [(marks.target, "target")] * len(points)
    before: int | None = None
    for column, point in enumerate(points.tolist()):
        row = min(height - 1, max(0, _row(float(path.agreement[point]), bottom, top, height)))
        # A steep step is drawn as a whole, or the line would fall apart.
        steep = [] if before is None else range(min(row, before) + 1, max(row, before))
        for drawn in (row, *steep):
            cells[drawn][column] = (marks.line, "line")
        before = row
    lines = []
    for row, line in enumerate(cells):
        label = f"{top - row * step:4.2f} " if row in (0, height - 1) or row % 3 == 0 else "     "
        pieces = _pieces(line)
        if not pieces[-1][0].strip():
            pieces.pop()
        lines.append([(label + marks.side, ""), *pieces])
    return lines


def _pieces(cells: Sequence[tuple[str, str]]) -> Line:
    """Join neighbours of one style."""
    line: Line = []
    for text, name in cells:
        style = _STYLES.get(name, "")
        if line and line[-1][1] == style:
            line[-1] = (line[-1][0] + text, style)
        else:
            line.append((text, style))
    return line


def _column(items: int, result: Monitoring, columns: int) -> int:
    return 0 if result.items == 1 else round((items - 1) / (result.items - 1) * (columns - 1))


def _floor(result: Monitoring, columns: int, marks: _Marks) -> Line:
    """Draw the axis with the alerts and changes on it."""
    cells = [(marks.floor, "")] * columns
    for shift in result.shifts:
        cells[_column(shift.after + 1, result, columns)] = (marks.change, "change")
    for alert in result.alerts:
        cells[_column(alert.items, result, columns)] = (marks.alert, "alert")
    return [(" " * (_MARGIN - 1) + marks.corner, ""), *_pieces(cells)]


def _numbers(result: Monitoring, columns: int) -> Line:
    """Write the first and the last number of items under the axis."""
    end = f"{result.items:,} items"
    return [(" " * _MARGIN + "1" + end.rjust(columns - 1), "")]


def _moving(result: Monitoring, points: Array, bottom: float, top: float, marks: _Marks) -> list[Line]:
    """Draw the moving agreement as bars of one line."""
    recent = result.trajectory.recent[points]
    if np.isnan(recent).all():
        return []
    steps = len(marks.bars)
    share = (recent - bottom) / (top - bottom)
    bars = [
        " " if math.isnan(one) else marks.bars[min(steps - 1, max(0, math.floor(one * steps)))]
        for one in share.tolist()
    ]
    return [[("last  " + "".join(bars), "")]]


def _legend(result: Monitoring, marks: _Marks, width: int) -> list[Line]:
    said = [f"{marks.line} agreement so far", f"{marks.band} {result.level * 100:g} % sequence"]
    if result.target is not None:
        said.append(f"{marks.target} target {result.target:g}")
    if result.alerts:
        said.append(f"{marks.alert} alert")
    if result.shifts:
        said.append(f"{marks.change} change")
    if not np.isnan(result.trajectory.recent).all():
        said.append(f"last: agreement of the last {result.window:,}")
    lines = [" " * _MARGIN + said[0]]
    for one in said[1:]:
        if len(lines[-1]) + 2 + len(one) <= width:
            lines[-1] += f"  {one}"
        else:
            lines.append(" " * _MARGIN + one)
    return [[(line, "dim")] for line in lines]
