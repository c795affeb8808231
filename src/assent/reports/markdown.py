"""A report in Markdown; whatever comes from the data is escaped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assent.reports.document import Block, Bullets, Code, Heading, Paragraph, Table, coefficients_table, document
from assent.text import for_markdown

__all__ = ["render", "table", "table_of_coefficients"]

#: Sentences are not cut; cells of tables are.
WHOLE, WIDEST_CELL = 100_000, 120


def render(report: Mapping[str, Any]) -> str:
    """Return the report in Markdown with pipe tables."""
    return "\n\n".join(map(_block, document(report))) + "\n"


def table_of_coefficients(report: Mapping[str, Any]) -> str:
    """Return the table of coefficients alone."""
    return table(coefficients_table(report)) + "\n"


def _block(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {for_markdown(block.text, WHOLE)}"
    if isinstance(block, Paragraph):
        text = for_markdown(block.text, WHOLE)
        return f"**{text}**" if block.strong else text
    if isinstance(block, Bullets):
        return "\n".join(f"- {for_markdown(text, WHOLE)}" for text in block.texts)
    if isinstance(block, Code):
        return f"```{block.language}\n{block.text.rstrip()}\n```"
    return table(block)


def table(block: Table) -> str:
    """Write a table with pipes."""
    rows = [[for_markdown(cell, WIDEST_CELL) for cell in row] for row in (block.columns, *block.rows)]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"|{'|'.join(':---' if i < block.texts else '---:' for i in range(len(block.columns)))}|")
    return "\n".join(lines)
