"""Documents cut to what a surface has room for."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from assent.documents.blocks import Card, Cards, Cell, Table
from assent.limits import Surface
from assent.text import counted

__all__ = ["cell_text", "fitted", "fitted_cards", "lines", "meanings", "parts"]


def fitted(table: Table, surface: Surface, rows: int | None = None) -> Table:
    """Return the part of a table that a surface has room for; what is left out is said below it.

    Parameters
    ----------
    rows : int, optional
        In place of the number that the surface shows.
    """
    most = max(1, surface.rows if rows is None else rows)
    hidden = max(0, len(table.rows) - most)
    kept = list(table.rows[: most - 1]) + list(table.rows[-1:]) if hidden and table.total else list(table.rows[:most])
    # Of names crossed with names the first ones are shown, in rows as in columns; sums beside them stay.
    crossed = [place for place, column in enumerate(table.columns) if place and column.data]
    left_out = set(crossed[surface.columns :])
    said = [table.more] if table.more else []
    if hidden:
        said.append(f"{counted(hidden, 'more row is', 'more rows are')} left out here.")
    if left_out:
        said.append(f"{counted(len(left_out), 'more column is', 'more columns are')} left out here.")
    columns = [column for place, column in enumerate(table.columns) if place not in left_out]
    if left_out:
        kept = [[cell for place, cell in enumerate(row) if place not in left_out] for row in kept]
    return replace(table, rows=kept, columns=columns, more=" ".join(said), given=table.given[: len(kept)])


def fitted_cards(block: Cards, surface: Surface) -> tuple[Sequence[Card], str]:
    """Return the cards that a surface has room for, and a sentence about those that are left out."""
    hidden = len(block.cards) - surface.cards
    # A line about one card takes as much room as that card.
    if hidden <= 1:
        return block.cards, ""
    return block.cards[: surface.cards], f"{hidden:,} more are left out here."


def parts(cell: Cell, surface: Surface) -> tuple[Sequence[tuple[str, str]], int]:
    """Return the texts of a cell that a surface has room for, and how many there are beyond."""
    if cell.joined or len(cell.parts) <= surface.parts + 1:
        return cell.parts, 0
    return cell.parts[: surface.parts], len(cell.parts) - surface.parts


def cell_text(cell: Cell, surface: Surface) -> str:
    """Return a cell as one line of text, not escaped yet."""
    mark = f" ({cell.mark})" if cell.mark else ""
    if not cell.parts:
        return f"{cell.text}{mark}"
    if cell.joined:
        return " ".join(part for said, remark in cell.parts for part in (said, remark) if part) + mark
    shown, more = parts(cell, surface)
    some = [f"{said} {remark}".rstrip() for said, remark in shown]
    return ", ".join([*some, *([f"{more:,} more"] if more else [])]) + mark


def meanings(table: Table) -> list[tuple[str, str]]:
    """Return the titles of columns with what they mean, each once."""
    return list(dict.fromkeys((column.title, column.meaning) for column in table.columns if column.meaning))


def lines(text: str) -> list[str]:
    """Return the lines of a text to be copied, without empty ones at its end."""
    return text.replace("\r\n", "\n").rstrip().split("\n")
