r"""An explanation as LaTeX, to paste into a document that loads amsmath and booktabs."""

from __future__ import annotations

from assent.analyses.explain.formula import Formula
from assent.analyses.explain.model import Explanation, Table
from assent.analyses.explain.text import WHOLE, WIDEST_CELL, WIDTH, width
from assent.text import for_latex

__all__ = ["render"]


def render(explanation: Explanation) -> str:
    """Return the explanation as LaTeX."""
    blocks = [
        "% Needs \\usepackage{amsmath} and \\usepackage{booktabs}.",
        rf"\subsection*{{{for_latex(explanation.title, WHOLE)}}}",
    ]
    for number, step in explanation.numbered:
        words = " ".join(for_latex(sentence, WHOLE) for sentence in step.sentences)
        blocks.append(rf"\paragraph{{Step {number}: {for_latex(step.heading, WHOLE)}.}} {words}".rstrip())
        blocks += [table_block(step.table)] if step.table is not None else []
        blocks += [equations(step.formulas)] if step.formulas else []
    said = [*([explanation.interpretation] if explanation.interpretation else []), *explanation.notes]
    if said:
        blocks.append(r"\par\medskip\noindent " + " ".join(for_latex(sentence, WHOLE) for sentence in said))
    return "\n\n".join(blocks) + "\n"


def table_block(table: Table) -> str:
    """Write a table with the rules of booktabs."""
    rows = [" & ".join(for_latex(cell, WIDEST_CELL) for cell in row) + r" \\" for row in (table.columns, *table.rows)]
    rows.insert(1, r"\midrule")
    if table.total:
        rows.insert(len(rows) - 1, r"\midrule")
    columns = "l" * table.texts + "r" * (len(table.columns) - table.texts)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *rows, r"\bottomrule", r"\end{tabular}"]
    return "\n".join([r"\begin{center}", *lines, r"\end{center}"])


def equations(formulas: tuple[Formula, ...]) -> str:
    """Write formulas below each other, aligned at their first sign; a long one takes a line for each sign."""
    lines = []
    for formula in formulas:
        left, *links = formula.latex_pieces
        if width(formula.text) <= WIDTH:
            lines.append(f"{left} &{' '.join(links)}")
        else:
            lines += [f"{left if i == 0 else ''} &{link}".strip() for i, link in enumerate(links)]
    # A blank line inside align* would be an error, so the lines are joined without one.
    return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"
