"""Documents cut to what a surface has room for."""

from __future__ import annotations

from dataclasses import replace

from assent.documents.blocks import Cell, Table
from assent.limits import Surface
from assent.text import counted

__all__ = ["cell_text", "fitted"]


def fitted(table: Table, surface: Surface, rows: int | None = None) -> Table:
    """Return the part of a table that a surface has room for; what is left out is said below it.

    Parameters
    ----------
    table : Table
    surface : Surface
    rows : int, optional
        In place of the number that the surface shows.
    """
    most = surface.rows if rows is None else rows
    kept, hidden = list(table.rows), len(table.rows) - most
    if hidden > 0:
        kept = kept[: most - 1] + kept[-1:] if table.total else kept[:most]
    columns = list(table.columns)
    # Of names crossed with names the first ones are shown, in rows as in columns.
    wide = len(columns) - 1 - surface.columns if all(one.data for one in columns[1:]) and len(columns) > 2 else 0
    if wide > 0:
        columns = columns[: surface.columns + 1]
        kept = [row[: surface.columns + 1] for row in kept]
    said = [table.more] if table.more else []
    if hidden > 0:
        said.append(f"{counted(hidden, 'more row is', 'more rows are')} left out here.")
    if wide > 0:
        said.append(f"{counted(wide, 'more column is', 'more columns are')} left out here.")
    return replace(table, rows=kept, columns=columns, more=" ".join(said))


def cell_text(cell: Cell, surface: Surface) -> str:
    """Return a cell as one line of text, not escaped yet."""
    if not cell.parts:
        return f"{cell.text} ({cell.mark})" if cell.mark else cell.text
    if cell.joined:
        return " ".join(part for said, remark in cell.parts for part in (said, remark) if part)
    some = [f"{said} {remark}".rstrip() for said, remark in cell.parts[: surface.parts]]
    more = len(cell.parts) - len(some)
    return ", ".join([*some, *([f"{more:,} more"] if more else [])])
