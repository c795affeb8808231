"""JSON inside of cells that no program can hold: it is a text, or one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import assent
from assent.errors import AssentError

#: More digits than Python makes a number of, and more brackets than it follows.
TOO_MUCH = ["[" + "1" * 5000 + "]", "[" * 100_000 + "]" * 100_000, '{"a": ' + "1" * 5000 + "}"]


@pytest.mark.parametrize("cell", TOO_MUCH, ids=["digits", "depth", "record"])
@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({}, "label"),
        ({"multilabel": "json"}, "label"),
        ({"layout": "counts"}, "label"),
        ({"layout": "spans"}, "fragments"),
        ({}, "item"),
    ],
    ids=["label", "json", "counts", "spans", "item"],
)
@pytest.mark.parametrize("form", ["csv", "json"])
def test_it_is_read_or_refused(cell: str, options: dict[str, Any], place: str, form: str, tmp_path: Path) -> None:
    columns: dict[str, list[Any]] = {"item": ["a", "b"] * 2, "annotator": ["p", "p", "q", "q"], "label": ["x", "y"] * 2}
    if options.get("layout") == "spans":
        columns |= {"document": ["d"] * 4, "start": [0, 3] * 2, "end": [2, 5] * 2, "fragments": [None] * 4}
        del columns["item"]
    columns[place] = [cell, *columns[place][1:]]
    path = tmp_path / f"table.{form}"
    if form == "csv":
        pl.DataFrame(columns).write_csv(path)
    else:
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        # The cell is not a text in quotes but JSON within JSON.
        path.write_text(json.dumps(rows).replace(json.dumps(cell), cell))
    try:
        assent.read(path, **options)
    except AssentError as error:
        said = str(error)
    else:
        said = ""
    assert len(said) < 3000
    assert "\n" not in said


@pytest.mark.parametrize("cell", TOO_MUCH[:2], ids=["digits", "depth"])
def test_boxes_are_refused(cell: str) -> None:
    with pytest.raises(AssentError):
        assent.krippendorff_alpha([[cell, "[0, 0, 1, 1]"]] * 2, distance="iou")


def test_keys_without_a_name_stay_without_one(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    for other in ("r1", "column_2"):
        path.write_text(json.dumps([{"id": i, "labels": {other: "a", "": "ab"[i % 2]}} for i in range(4)]))
        with pytest.raises(AssentError, match="the column without a name"):
            assent.read(path)
    rows = [{"": f"i{i}", "annotations": [{"annotator": who, "label": "ab"[i % 2]} for who in "xy"]} for i in range(4)]
    path.write_text(json.dumps(rows))
    data = assent.read(path)
    assert data.n_items == 4
    assert 'item = ""' in " ".join(data.notes)
