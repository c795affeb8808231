"""The result of a study for a terminal and in Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len as width

from assent.text import for_markdown, for_terminal

if TYPE_CHECKING:
    from studies.result import StudyResult, StudyTable

__all__ = ["as_markdown", "as_text"]

WIDTH = 100
#: Text in a cell is cut to this many characters.
WIDEST_CELL = 40
#: Sentences are ours; what is quoted in them is short already.
WHOLE = 10_000

MARKS = {True: "✓", False: "✗", None: "?"}


def as_text(result: StudyResult) -> str:
    """Return the result as lines of text."""
    title = for_terminal(result.title, WHOLE)
    lines = [title, "─" * width(title), ""]
    for sentence in result.sentences:
        lines += [*_wrapped(sentence), ""]
    for table in _printed(result):
        lines += [*_wrapped(table.caption), "", *_table_lines(table), ""]
    if result.findings:
        lines += ["What holds", ""]
    for finding in result.findings:
        lines += _wrapped(f"{finding.statement} ({finding.verdict})", f"{MARKS[finding.holds]} ")
        for heading, sentence in (("Paper: ", finding.paper), ("Ours:  ", finding.ours), ("Why:   ", finding.why)):
            lines += _wrapped(sentence, f"  {heading}") if sentence else []
        lines.append("")
    lines += _wrapped(_how(result))
    return "\n".join(lines) + "\n"


def as_markdown(result: StudyResult, *, pictures: str | None = None) -> str:
    """Return the result in Markdown, with its charts as pictures of the given format beside it."""
    blocks = [f"# {for_markdown(result.title, WHOLE)}", *(for_markdown(one, WHOLE) for one in result.sentences)]
    if result.findings:
        blocks.append("## What holds")
    for finding in result.findings:
        lines = [f"**{MARKS[finding.holds]} {for_markdown(finding.statement, WHOLE)} ({finding.verdict})**", ""]
        for heading, sentence in (("Paper", finding.paper), ("Ours", finding.ours), ("Why", finding.why)):
            lines += [f"- {heading}: {for_markdown(sentence, WHOLE)}"] if sentence else []
        blocks.append("\n".join(lines))
    if _printed(result):
        blocks.append("## Tables")
    for table in _printed(result):
        blocks += [for_markdown(table.caption, WHOLE), _table_block(table)]
    if pictures is not None and result.charts:
        blocks.append("## Figures")
        blocks += [f"![{name}]({name}.{pictures})" for name in result.charts]
    blocks += ["## How to get the same digits", for_markdown(_how(result), WHOLE)]
    return "\n\n".join(blocks) + "\n"


def _printed(result: StudyResult) -> list[StudyTable]:
    return [table for table in result.tables if table.printed]


def _how(result: StudyResult) -> str:
    """Say in one line what it takes to get the same digits again."""
    given = {name: value for name, value in result.settings.items() if name != "versions"}
    said = ", ".join(f"{name} {value}" for name, value in given.items() if value not in (None, (), []))
    versions = ", ".join(f"{name} {value}" for name, value in result.settings.get("versions", {}).items())
    return f"Study {result.name}: {said} ({versions})."


def _wrapped(sentence: str, start: str = "") -> list[str]:
    indent = " " * width(start)
    return textwrap.wrap(for_terminal(sentence, WHOLE), WIDTH, initial_indent=start, subsequent_indent=indent)


def _table_lines(table: StudyTable) -> list[str]:
    """Align the columns: numbers to the right, text to the left."""
    columns = []
    for name, values in table.columns.items():
        cells = [for_terminal(cell, WIDEST_CELL) for cell in (name, *_cells(values, table.decimals))]
        room = max(map(width, cells))
        right = _is_numeric(values)
        columns.append([" " * (room - width(c)) + c if right else c + " " * (room - width(c)) for c in cells])
    lines = ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]
    return [lines[0], "─" * max(map(width, lines)), *lines[1:]]


def _table_block(table: StudyTable) -> str:
    """Write a table with pipes."""
    columns = [
        [for_markdown(cell, WIDEST_CELL) for cell in (name, *_cells(values, table.decimals))]
        for name, values in table.columns.items()
    ]
    lines = [f"| {' | '.join(row)} |" for row in zip(*columns, strict=True)]
    lines.insert(1, f"|{'|'.join('---:' if _is_numeric(one) else ':---' for one in table.columns.values())}|")
    return "\n".join(lines)


def _cells(values: Sequence[Any], decimals: int | None) -> list[str]:
    """Show the values of a column."""
    from assent.records import plain

    return [_cell(value, decimals) for value in plain(values)]


def _cell(value: Any, decimals: int | None) -> str:
    """Show a value: yes or no, a whole number, a number with its digits, or a dash for none."""
    if value is None:
        return "—"
    if isinstance(value, str):
        return value
    if value is True or value is False:
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    shown = f"{value:.4g}" if decimals is None else f"{value:.{decimals}f}"
    return shown[1:] if shown.startswith("-") and not shown.strip("-0.") else shown


def _is_numeric(values: Sequence[Any]) -> bool:
    return any(not isinstance(value, str | bool) and value is not None for value in values)
