"""The chart for a terminal: agreement so far, its sequence as a band, the target, and the moving agreement below."""

from __future__ import annotations

import math

import numpy as np

from assent.analyses.monitor.result import Monitoring
from assent.limits import PLOT_WIDTH
from assent.profiles import Array
from assent.text import level

__all__ = ["plotted", "shown_range"]

HEIGHT = 13
_MARGIN = 6


LINE, BAND, TARGET, SIDE, FLOOR, CORNER, ALERT, CHANGE = "━░┄┤─└▲◆"
BARS = "▁▂▃▄▅▆▇█"


def plotted(result: Monitoring, *, width: int = 80, height: int = HEIGHT) -> list[str]:
    """Draw agreement over the items, in so many characters and lines; nothing if there is no item."""
    if not result.n_items:
        return []
    columns = max(10, min(width, PLOT_WIDTH) - _MARGIN - 1)
    # The last point that a column has reached; with fewer items than columns a point takes several.
    reached = np.linspace(1, result.n_items, columns)
    points = np.searchsorted(result.trajectory.items, reached + 1e-9, side="right") - 1
    bottom, top = shown_range(result)
    return [
        *_field(result, points, bottom, top, height),
        _floor(result, columns),
        " " * _MARGIN + "1" + f"{result.n_items:,} items".rjust(columns - 1),
        *_moving(result, points, bottom, top),
        *_legend(result, _MARGIN + columns),
    ]


def shown_range(result: Monitoring) -> tuple[float, float]:
    """Choose the range of the chart: all of the line but its wild beginning, the sequence as it is now, the target."""
    path = result.trajectory
    settled = path.agreement[path.items >= min(20, result.n_items)]
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


def _field(result: Monitoring, points: Array, bottom: float, top: float, height: int) -> list[str]:
    """Draw the line within its band."""
    path, step = result.trajectory, (top - bottom) / (height - 1)
    cells = [[" "] * len(points) for _ in range(height)]
    for column, point in enumerate(points.tolist()):
        low, high = path.low[point], path.high[point]
        for row in range(height):
            value, half = top - row * step, step / 2
            if low <= value + half and high >= value - half:
                cells[row][column] = BAND
    if result.target is not None:
        cells[_row(result.target, bottom, top, height)] = [TARGET] * len(points)
    before: int | None = None
    for column, point in enumerate(points.tolist()):
        row = min(height - 1, max(0, _row(float(path.agreement[point]), bottom, top, height)))
        # A steep step is drawn as a whole, or the line would fall apart.
        steep = [] if before is None else range(min(row, before) + 1, max(row, before))
        for drawn in (row, *steep):
            cells[drawn][column] = LINE
        before = row
    labels = [
        f"{top - row * step:4.2f} " if row in (0, height - 1) or row % 3 == 0 else "     " for row in range(height)
    ]
    return [f"{label}{SIDE}{''.join(line).rstrip()}" for label, line in zip(labels, cells, strict=True)]


def _column(items: int, result: Monitoring, columns: int) -> int:
    return 0 if result.n_items == 1 else round((items - 1) / (result.n_items - 1) * (columns - 1))


def _floor(result: Monitoring, columns: int) -> str:
    """Draw the axis with the alerts and changes on it."""
    cells = [FLOOR] * columns
    for shift in result.shifts:
        cells[_column(shift.after + 1, result, columns)] = CHANGE
    for alert in result.alerts:
        cells[_column(alert.n_items, result, columns)] = ALERT
    return " " * (_MARGIN - 1) + CORNER + "".join(cells)


def _moving(result: Monitoring, points: Array, bottom: float, top: float) -> list[str]:
    """Draw the moving agreement as bars of one line."""
    recent = result.trajectory.recent[points]
    if np.isnan(recent).all():
        return []
    steps = len(BARS)
    share = (recent - bottom) / (top - bottom)
    bars = [" " if math.isnan(one) else BARS[min(steps - 1, max(0, math.floor(one * steps)))] for one in share.tolist()]
    return ["last  " + "".join(bars)]


def _legend(result: Monitoring, width: int) -> list[str]:
    said = [f"{LINE} agreement so far", f"{BAND} {level(result.level)} sequence"]
    if result.target is not None:
        said.append(f"{TARGET} target {result.target:g}")
    if result.alerts:
        said.append(f"{ALERT} alert")
    if result.shifts:
        said.append(f"{CHANGE} change")
    if not np.isnan(result.trajectory.recent).all():
        said.append(f"last: agreement of the last {result.window:,}")
    lines = [" " * _MARGIN + said[0]]
    for one in said[1:]:
        if len(lines[-1]) + 2 + len(one) <= width:
            lines[-1] += f"  {one}"
        else:
            lines.append(" " * _MARGIN + one)
    return lines
