"""Tables and notes on a terminal, in the look that commands share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assent.data import Annotations
    from assent.measures.results import Interval

__all__ = ["grid", "interval_cell", "label_cell", "open_console", "print_notes", "share_cell"]


#: No column is cut to fewer characters.
NARROWEST = 8


def open_console() -> Any:
    """Return where to print; nothing in what is printed is taken for markup."""
    from rich.console import Console

    return Console(highlight=False)


def grid(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    left: Sequence[str],
    cut: Sequence[str] = (),
    width: int,
) -> Any:
    """Build a table of texts.

    Parameters
    ----------
    headings : sequence of str
    rows : sequence of sequences of str
        Whatever comes from data must be escaped already.
    left : sequence of str
        Headings of the columns set to the left; numbers are set to the right.
    cut : sequence of str
        Columns that are cut short where the terminal is too narrow; the others are shown whole.
    width : int
        Of the terminal.
    """
    from rich import box
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    columns = zip(headings, zip(*rows, strict=True), strict=True) if rows else ((one, ()) for one in headings)
    wide = {heading: max(map(cell_len, (heading, *cells))) for heading, cells in columns}
    # Two blanks between columns and one at either end.
    room = width - 2 * len(headings) - sum(wide[heading] for heading in headings if heading not in cut)
    for place, heading in enumerate(sorted(cut, key=lambda one: wide[one])):
        # The narrow ones take what they need, and leave the others more than an even share.
        wide[heading] = min(wide[heading], max(NARROWEST, room // (len(cut) - place)))
        room -= wide[heading]
    for heading in headings:
        side: Any = "left" if heading in left else "right"
        table.add_column(Text(heading), justify=side, no_wrap=True, overflow="ellipsis", max_width=wide[heading])
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def interval_cell(interval: Interval | None, *, form: str = ".3f", percent: bool = False) -> str:
    """Show the two ends of an interval, or that there are none."""
    if interval is None or math.isnan(interval.low):
        return "—"
    if percent:
        return f"{100 * interval.low:.0f} to {100 * interval.high:.0f} %"
    return f"{interval.low:{form}} to {interval.high:{form}}"


def share_cell(share: float | None) -> str:
    """Show a share in percent."""
    from assent.text import percent

    return "—" if share is None or math.isnan(share) else percent(share)


def label_cell(label: str) -> str:
    """Show a label in a table, where it needs no quote marks."""
    from assent.text import for_terminal

    return for_terminal(label, 20)


def print_notes(console: Any, data: Annotations, notes: Iterable[str]) -> None:
    """Print what was recognised, left out, and must be known, each once."""
    from rich.text import Text

    left_out = [f"Left out: {one.rows:,} row{'' if one.rows == 1 else 's'}, {one.reason}." for one in data.dropped]
    for line in dict.fromkeys([*data.notes, *left_out, *notes]):
        console.print(Text(f"· {line}"), soft_wrap=True)
