"""Examples as files, so that they are shown, read and changed as any other file is."""

from __future__ import annotations

from collections import Counter
from typing import Any

from assent.atomic_files import table_text
from assent.data import Annotations
from assent.examples import example
from assent.option_texts import comma_joined
from assent.web.sessions import Upload
from assent.web.states import State

__all__ = ["files_of"]

#: What stands between several labels in a cell of an example.
_BETWEEN = ";"


def files_of(name: str) -> dict[str, Any]:
    """Return an example as the parts of a session: its file, and the options that it is shown with."""
    found = example(name)
    data = found.data()
    said = {key: _text(value) for key, value in found.settings.items()}
    if data._order_given:
        said["order"] = comma_joined(data.labels)
    if data._sets is not None:
        said |= {"separator": _BETWEEN, "ranked": "yes"}
    columns = (
        _crossed(data) if data.layout == "table" else _long(data, [said[key] for key in ("text", "by") if key in said])
    )
    if data.layout == "table":
        said["layout"] = "table"
    upload = Upload(f"{name}.csv", table_text(columns, "csv").encode())
    return {"files": [upload], "settings": State(tuple(said.items())).query, "example": name}


def _text(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _long(data: Annotations, kept: list[str]) -> dict[str, list[Any]]:
    """Return every annotation, one a row."""
    rows = data.to_rows(*kept)
    assert rows.annotator is not None
    assert rows.annotators is not None
    labels = list(rows.labels)
    if data._sets is not None:
        labels = [_BETWEEN.join(one) for one in data._sets.names()]
    return {
        "item": [rows.items[one] for one in rows.item.tolist()],
        "annotator": [rows.annotators[one] for one in rows.annotator.tolist()],
        "label": [labels[one] for one in rows.label.tolist()],
        **{name: list(rows.columns[name]) for name in kept},
    }


def _crossed(data: Annotations) -> dict[str, list[Any]]:
    """Return how often two annotators gave which labels, the first in rows."""
    rows = data.to_rows()
    assert rows.annotator is not None
    given: dict[int, dict[int, int]] = {}
    for item, who, label in zip(rows.item.tolist(), rows.annotator.tolist(), rows.label.tolist(), strict=True):
        given.setdefault(item, {})[who] = label
    pairs = Counter((one[0], one[1]) for one in given.values())
    places = range(len(data.labels))
    return {
        "": list(data.labels),
        **{label: [pairs[row, column] for row in places] for column, label in enumerate(data.labels)},
    }
