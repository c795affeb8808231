"""Items in the forms that annotation tools import, so that they can be annotated again or decided."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from assent.atomic_files import table_text
from assent.errors import EmptyTable, choose

if TYPE_CHECKING:
    from assent.analyses.items.table import ItemAgreement

__all__ = ["TOOLS", "tool_text"]


def _rows(found: ItemAgreement) -> Iterator[dict[str, Any]]:
    """Yield what is known of each item; its name stands for a text that is not known."""
    known: Mapping[str, str] = {} if found.data._export is None else found.data._export.texts
    for row in found.rows():
        text = row.text if row.text is not None else known.get(row.item, row.item)
        votes = dict(row.counts)
        yield {"text": text, "item": row.item, "agreement": row.agreement, "votes": votes}


def _label_studio(found: ItemAgreement) -> str:
    """Return tasks. What annotators said stands in `meta`, which is not shown to those who annotate."""
    tasks = [
        {
            "data": {"text": row["text"], "item": row["item"]},
            "meta": {"agreement": row["agreement"], "votes": row["votes"]},
        }
        for row in _rows(found)
    ]
    return json.dumps(tasks, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _prodigy(found: ItemAgreement) -> str:
    """Return one task a line, with the labels as options to choose from. The tool shows what is in `meta` below the task."""
    options = [{"id": label, "text": label} for label in found.data.single_labels]
    return _lines({"text": row["text"], "options": options, "meta": {"item": row["item"]}} for row in _rows(found))


def _doccano(found: ItemAgreement) -> str:
    """Return one example a line, not labelled yet; further keys are kept by the tool beside it."""
    return _lines({"text": row["text"], "label": [], "item": row["item"]} for row in _rows(found))


def _csv(found: ItemAgreement) -> str:
    """Return a table with a column for each label and an empty one for what is decided; no cell is run as a formula."""
    rows = list(_rows(found))
    labels = sorted({label for row in rows for label in row["votes"]})
    columns: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in ("item", "text", "agreement")}
    columns |= {f"votes: {label}": [row["votes"].get(label, 0) for row in rows] for label in labels}
    columns["decision"] = [None] * len(rows)
    return table_text(columns, "csv", for_spreadsheet=True)


def _lines(records: Iterator[dict[str, Any]]) -> str:
    return "".join(json.dumps(one, ensure_ascii=False, allow_nan=False) + "\n" for one in records)


TOOLS: Final[Mapping[str, Callable[[ItemAgreement], str]]] = {
    "label-studio": _label_studio,
    "prodigy": _prodigy,
    "doccano": _doccano,
    "csv": _csv,
}
"""What a file for each tool holds."""


def tool_text(found: ItemAgreement, tool: str) -> str:
    """Return the items that are looked at as the file that a tool imports."""
    choose("to", tool, tuple(TOOLS))
    if not len(found):
        raise EmptyTable("No item is left to be written: nobody disagrees, or the filters leave none.")
    return TOOLS[tool](found)
