"""Items in the forms that annotation tools import, so that they can be annotated again or decided."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from assent.atomic_files import table_text
from assent.errors import EmptyTable, choose
from assent.records import Struct

__all__ = ["TOOLS", "ToolItem", "ToolItems", "tool_text"]


class ToolItem(Struct, frozen=True, kw_only=True):
    """An item to be annotated again.

    Parameters
    ----------
    text : str
        Its name, if what it says is not known.
    votes : mapping of str to int
        How often each label was given; of spans, how many each annotator marked.
    """

    text: str
    item: str
    agreement: float | None
    votes: Mapping[str, int]


class ToolItems(Struct, frozen=True, kw_only=True):
    """What a tool gets.

    Parameters
    ----------
    labels : sequence of str
        To choose from; none if spans are to be marked.
    several : bool
        Several labels may be chosen.
    votes : str
        What the votes are: ``votes`` or ``spans``.
    text_field : str
        What Label Studio calls the text of a task.
    """

    rows: Sequence[ToolItem]
    labels: Sequence[str] = ()
    several: bool = False
    votes: str = "votes"
    text_field: str = "text"


def _label_studio(found: ToolItems) -> str:
    """Return tasks. What annotators said stands in `meta`, which is not shown to those who annotate."""
    tasks = [
        {
            "data": {"item": row.item, found.text_field: row.text},
            "meta": {"agreement": row.agreement, found.votes: dict(row.votes)},
        }
        for row in found.rows
    ]
    return json.dumps(tasks, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _prodigy(found: ToolItems) -> str:
    """Return one task a line, with the labels as options to choose from. The tool shows what is in `meta` below the task."""
    shared: dict[str, Any] = {}
    if found.labels:
        shared["options"] = [{"id": label, "text": label} for label in found.labels]
    if found.several:
        shared["config"] = {"choice_style": "multiple"}
    return _lines({"text": row.text, **shared, "meta": {"item": row.item}} for row in found.rows)


def _doccano(found: ToolItems) -> str:
    """Return one example a line, not labelled yet; further keys are kept by the tool beside it."""
    return _lines({"text": row.text, "label": [], "item": row.item} for row in found.rows)


def _csv(found: ToolItems) -> str:
    """Return a table with a column for each label and an empty one for what is decided; no cell is run as a formula."""
    rows = found.rows
    columns: dict[str, list[Any]] = {
        "item": [row.item for row in rows],
        "text": [row.text for row in rows],
        "agreement": [row.agreement for row in rows],
    }
    for label in sorted({label for row in rows for label in row.votes}):
        columns[f"{found.votes}: {label}"] = [row.votes.get(label, 0) for row in rows]
    columns["decision"] = [None] * len(rows)
    return table_text(columns, "csv", for_spreadsheet=True)


def _lines(records: Iterator[dict[str, Any]]) -> str:
    return "".join(json.dumps(one, ensure_ascii=False, allow_nan=False) + "\n" for one in records)


TOOLS: Final[Mapping[str, Callable[[ToolItems], str]]] = {
    "label-studio": _label_studio,
    "prodigy": _prodigy,
    "doccano": _doccano,
    "csv": _csv,
}
"""What a file for each tool holds."""


def tool_text(found: ToolItems, tool: str) -> str:
    """Return the items that are looked at as the file that a tool imports."""
    choose("to", tool, tuple(TOOLS))
    if not found.rows:
        raise EmptyTable("No item is left to be written: nobody disagrees, or the filters leave none.")
    return TOOLS[tool](found)
