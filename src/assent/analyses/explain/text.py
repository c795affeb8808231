"""An explanation for a terminal."""

from __future__ import annotations

import textwrap
import unicodedata

from assent.analyses.explain.formula import Formula
from assent.analyses.explain.model import Explanation, Table
from assent.text import for_terminal

__all__ = ["render"]

WIDTH = 100
#: Labels in a table are cut to this many characters.
WIDEST_CELL = 24
#: Sentences are ours; what is quoted in them is short already.
WHOLE = 10_000


def render(explanation: Explanation) -> str:
    """Return the explanation as lines of text."""
    title = for_terminal(explanation.title, WHOLE)
    lines = [title, "─" * width(title)]
    for number, step in explanation.numbered:
        lines += ["", f"Step {number}: {step.heading}"]
        for sentence in step.sentences:
            lines += textwrap.wrap(for_terminal(sentence, WHOLE), WIDTH, initial_indent="  ", subsequent_indent="  ")
        if step.table is not None:
            lines += ["", *(f"    {line}".rstrip() for line in table_lines(step.table))]
        if step.formulas:
            lines += ["", *(f"    {line}" for formula in step.formulas for line in formula_lines(formula))]
    said = [*([explanation.interpretation] if explanation.interpretation else []), *explanation.notes]
    if said:
        lines.append("")
    for sentence in said:
        lines += textwrap.wrap(for_terminal(sentence, WHOLE), WIDTH, initial_indent="· ", subsequent_indent="  ")
    return "\n".join(lines) + "\n"


def table_lines(table: Table) -> list[str]:
    """Align the cells of a table: text to the left, numbers to the right."""
    rows = [[for_terminal(cell, WIDEST_CELL) for cell in row] for row in table.rows]
    heading = [for_terminal(cell, WIDEST_CELL) for cell in table.columns]
    widths = [max(map(width, column)) for column in zip(heading, *rows, strict=True)]
    for limit in (16, 12):
        shorter = [for_terminal(cell, limit) for cell in table.columns]
        # Shorter headings may save a table from wrapping, but they must still tell the columns apart.
        if sum(widths) + 2 * len(widths) <= WIDTH or len(set(shorter)) < len(set(heading)):
            break
        heading = shorter
        widths = [max(map(width, column)) for column in zip(heading, *rows, strict=True)]
    cells = [heading, *rows]
    lines = []
    for row in cells:
        padded = [
            cell + " " * (room - width(cell))
            if i < table.texts
            else " " * (room - width(cell)) + cell.replace("-", "−")
            for i, (cell, room) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(padded))
    rule = "─" * (sum(widths) + 2 * (len(widths) - 1))
    lines.insert(1, rule)
    if table.total:
        lines.insert(len(lines) - 1, rule)
    return lines


def formula_lines(formula: Formula) -> list[str]:
    """Write a formula on one line or, if it is long, with each sign on a line of its own."""
    if width(formula.text) <= WIDTH:
        return [formula.text]
    left, *links = formula.pieces
    indent = " " * (width(left) + 1)
    return [f"{left} {links[0]}", *(indent + link for link in links[1:])]


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes: East Asian characters take two, accents none."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)
