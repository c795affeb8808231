"""Charts as blocks of the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assent.documents.charts import svg
from assent.reports.charts import DRAWINGS, NARROW
from assent.reports.charts.embedding import embedded
from assent.reports.page.blocks import Block, Picture

__all__ = ["Pictures"]

#: The page has its own padding.
_CLOSE = 2


class Pictures:
    """The charts of a report, drawn when a section asks for them.

    Parameters
    ----------
    report : mapping
    charts : mapping of str to chart
        By name, as `figures` makes them.
    prefix : str
        Before every id, since a page may hold several reports.
    twice : bool
        Charts are drawn anew for a phone; else they are scrolled there.
    """

    def __init__(self, report: Mapping[str, Any], charts: Mapping[str, Any], prefix: str, *, twice: bool) -> None:
        self._report = report
        self._charts = charts
        self._prefix = prefix
        self._twice = twice

    def __call__(self, name: str, title: str, caption: str) -> list[Block]:
        """Return a chart as a block in a list, which is empty if there is nothing to draw.

        Parameters
        ----------
        name : str
        title : str
            What it is, for those who cannot see it.
        caption : str
            How to read it.
        """
        chart = self._charts.get(name)
        if chart is None:
            return []
        drawing = next(one for one in DRAWINGS if one.name == name)
        place = f"{self._prefix}{name}"
        narrow = drawing.make(self._report, NARROW - _CLOSE) if drawing.twice and self._twice else None
        return [
            Picture(
                name=place,
                wide=embedded(svg(chart, padding=_CLOSE), name=f"{place}-w", title=title),
                narrow=None
                if narrow is None
                else embedded(svg(narrow, padding=_CLOSE), name=f"{place}-n", title=title),
                caption=caption,
            )
        ]
