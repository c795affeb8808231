r"""A report as LaTeX, to be read into a document that loads booktabs and longtable; whatever comes from the data is escaped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assent.reports.document import Block, Bullets, Code, Heading, Paragraph, Table, coefficients_table, document
from assent.text import for_latex

__all__ = ["float_of", "render", "table_of_coefficients"]

#: Sentences are not cut; cells of tables are.
WHOLE, WIDEST_CELL = 100_000, 60
_SECTIONS = {1: "section", 2: "subsection", 3: "subsubsection"}


def render(report: Mapping[str, Any]) -> str:
    """Return the report as LaTeX."""
    head = "% Needs \\usepackage{booktabs} and \\usepackage{longtable}."
    return "\n\n".join([head, *map(_block, document(report))]) + "\n"


def table_of_coefficients(report: Mapping[str, Any]) -> str:
    """Return the table of coefficients as a float with a caption."""
    data = report["data"]
    who = "an unknown number of" if data["annotators"] is None else f"{data['annotators']:,}"
    caption = f"Inter-annotator agreement of {who} annotators on {data['items']:,} items ({data['annotations']:,} annotations)."
    return float_of(coefficients_table(report), caption)


def float_of(table: Table, caption: str) -> str:
    """Return a table as a float with a caption, for a document that loads booktabs."""
    return "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{for_latex(caption, WHOLE)}}}",
            r"  \label{tab:agreement}",
            rf"  \begin{{tabular}}{{{_columns(table)}}}",
            r"    \toprule",
            f"    {_row(table.columns)}",
            r"    \midrule",
            *(f"    {_row(row)}" for row in table.rows),
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _block(block: Block) -> str:
    if isinstance(block, Heading):
        return rf"\{_SECTIONS[block.level]}*{{{for_latex(block.text, WHOLE)}}}"
    if isinstance(block, Paragraph):
        text = for_latex(block.text, WHOLE)
        return rf"\textbf{{{text}}}" if block.strong else text
    if isinstance(block, Bullets):
        items = "\n".join(rf"  \item {{}}{for_latex(text, WHOLE)}" for text in block.texts)
        return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}"
    if isinstance(block, Code):
        return f"\\begin{{verbatim}}\n{block.text.rstrip()}\n\\end{{verbatim}}"
    return _table(block)


def _table(table: Table) -> str:
    """Write a table that may break over pages."""
    lines = [_row(row) for row in table.rows]
    head = [r"\toprule", _row(table.columns), r"\midrule", r"\endhead", r"\bottomrule", r"\endfoot"]
    return "\n".join([rf"\begin{{longtable}}{{{_columns(table)}}}", *head, *lines, r"\end{longtable}"])


def _columns(table: Table) -> str:
    return "l" * table.texts + "r" * (len(table.columns) - table.texts)


def _row(cells: tuple[str, ...]) -> str:
    return " & ".join(for_latex(cell, WIDEST_CELL) for cell in cells) + r" \\"
