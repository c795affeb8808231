"""An explanation in Markdown."""

from __future__ import annotations

from assent.analyses.explain.model import Explanation, Table
from assent.analyses.explain.text import WHOLE, WIDEST_CELL
from assent.text import for_markdown

__all__ = ["render"]


def render(explanation: Explanation) -> str:
    """Return the explanation in Markdown with pipe tables."""
    blocks = [f"## {for_markdown(explanation.title, WHOLE)}"]
    for number, step in explanation.numbered:
        blocks.append(f"### Step {number}: {for_markdown(step.heading, WHOLE)}")
        blocks += [for_markdown(" ".join(step.sentences), WHOLE)] if step.sentences else []
        blocks += [table_block(step.table)] if step.table is not None else []
        if step.formulas:
            # Not code, which would need no escapes: in a list or a quotation it may turn into plain Markdown.
            blocks.append("\n".join(f"- {for_markdown(formula.text, WHOLE)}" for formula in step.formulas))
    if explanation.interpretation:
        blocks.append(f"**{for_markdown(explanation.interpretation, WHOLE)}**")
    if explanation.notes:
        blocks.append("\n".join(f"- {for_markdown(note, WHOLE)}" for note in explanation.notes))
    return "\n\n".join(blocks) + "\n"


def table_block(table: Table) -> str:
    """Write a table with pipes; a row of totals is bold."""
    rows = [[for_markdown(cell, WIDEST_CELL) for cell in row] for row in (table.columns, *table.rows)]
    if table.total:
        rows[-1] = [f"**{cell}**" if cell else "" for cell in rows[-1]]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"|{'|'.join(':---' if i < table.texts else '---:' for i in range(len(table.columns)))}|")
    return "\n".join(lines)
