"""Files are written whole or not at all, and cells are what they were."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import threading
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support import link

from assent import atomic_files
from assent.atomic_files import table_text, write_all, write_table, write_whole
from assent.errors import InputError, OptionError

HOSTILE = ["=1+1", "@x", "-2", "+3", "\tq", 'a"b', "c,d", "e\nf", "é🙂", "<script>", None, ""]


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "out.txt"
    path.write_text("old")
    path.chmod(0o640)
    mode = path.stat().st_mode
    write_whole(path, "new")
    assert path.read_text() == "new"
    assert path.stat().st_mode == mode
    assert os.listdir(tmp_path) == ["out.txt"]


def test_nothing_is_left_of_a_file_that_cannot_be_written(tmp_path, monkeypatch):
    path = tmp_path / "out.txt"
    path.write_text("old")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"cannot be written: No space left on device; write it somewhere else\.$"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.txt"]


@pytest.mark.parametrize("broken", ["fsync", "replace"])
@pytest.mark.parametrize("folder", [None, "new/deep", "kept"])
def test_several_files_are_written_all_or_none(tmp_path, monkeypatch, broken, folder):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "a.txt").write_text("old")
    place = tmp_path / (folder or "kept")
    files = {str(place / f"{name}.txt"): name for name in "abc"}
    works, calls = getattr(os, broken), []

    def full(*given):
        calls.append(given)
        if len(calls) == (3 if broken == "fsync" else 1):
            raise OSError(28, "No space left on device")
        return works(*given)

    with monkeypatch.context() as patch:
        patch.setattr(os, broken, full)
        with pytest.raises(
            InputError, match=r"\.txt\" cannot be written: No space left on device; write it somewhere else\.$"
        ):
            write_all(files, folder and str(place))
    assert [one.name for one in tmp_path.rglob("*")] == ["kept", "a.txt"]
    assert (kept / "a.txt").read_text() == "old"
    write_all(files, folder and str(place))
    assert {one.name: one.read_text() for one in place.iterdir()} == {"a.txt": "a", "b.txt": "b", "c.txt": "c"}


def test_a_folder_that_is_read_only_is_told_by_the_file(tmp_path, monkeypatch):
    def refused(*_, **__):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("builtins.open", refused)
    monkeypatch.setattr(os, "unlink", refused)
    with pytest.raises(InputError, match=r'" cannot be written: Read-only file system; write it somewhere else\.$'):
        write_whole(tmp_path / "out.txt", "new")


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").write_text("old")
    link(tmp_path / "link", tmp_path / "real")
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_link_that_leads_back_to_itself_is_told_or_replaced(tmp_path):
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    # Python 3.13 follows such a link to itself.
    with contextlib.suppress(InputError):
        write_whole(tmp_path / "one", "new")
        assert (tmp_path / "one").read_text() == "new"


def test_folders_and_lacking_folders_are_named(tmp_path):
    with pytest.raises(InputError, match="is a folder: give the name of a file"):
        write_whole(tmp_path, "x")
    with pytest.raises(InputError, match="There is no folder"):
        write_whole(tmp_path / "no" / "out.txt", "x")


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "json", "parquet"])
def test_every_format_gives_the_cells_back(tmp_path, ending):
    path = tmp_path / f"table.{ending}"
    columns: dict[str, list[Any]] = {
        "name": HOSTILE,
        "n": list(range(len(HOSTILE))),
        "share": [0.1 * i for i in range(len(HOSTILE))],
    }
    write_table(path, columns)
    if ending == "parquet":
        back = pl.read_parquet(path).to_dict(as_series=False)
    elif ending in ("json", "jsonl"):
        text = path.read_text()
        rows = json.loads(text) if ending == "json" else [json.loads(line) for line in text.split("\n")[:-1]]
        back = {name: [row[name] for row in rows] for name in columns}
    else:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter="\t" if ending == "tsv" else ","))
        assert [row["name"] for row in rows] == [name or "" for name in columns.pop("name")]
        back = {"n": [int(row["n"]) for row in rows], "share": [float(row["share"]) for row in rows]}
    assert back == columns


def test_formulas_are_escaped_on_request_alone(tmp_path):
    write_table(tmp_path / "t.csv", {"=a": ["=1+1", "-x", "plain"], "n": [-1.5, 2, 3]}, for_spreadsheet=True)
    assert (tmp_path / "t.csv").read_text() == "'=a,n\n'=1+1,-1.5\n'-x,2\nplain,3\n"
    with pytest.raises(OptionError, match="in CSV and TSV files alone"):
        write_table(tmp_path / "t.parquet", {"a": [1]}, for_spreadsheet=True)


def test_a_carriage_return_is_quoted():
    assert table_text({"a": ["x\r=1"], "b": [1]}, "csv") == 'a,b\n"x\r=1",1\n'


def test_lists_and_truth_values_are_written_as_json(tmp_path):
    write_table(tmp_path / "t.csv", {"tied": [["a", "b"], []], "tie": [True, False]})
    assert (tmp_path / "t.csv").read_text() == 'tied,tie\n"[""a"", ""b""]",true\n[],false\n'


def test_an_unknown_ending_names_the_known_ones(tmp_path):
    with pytest.raises(OptionError, match=r"let its name end in one of \.csv, \.tsv, "):
        write_table(tmp_path / "t.doc", {"a": [1]})


def rows_by_the_csv_module(columns, separator):
    truth = {True: "true", False: "false"}
    rows = [list(columns)] + [
        [truth[one] if type(one) is bool else one for one in row] for row in zip(*columns.values(), strict=True)
    ]
    lines = []
    for row in rows:
        # A cell with a carriage return is quoted if lines end in one, by every version of Python.
        line = io.StringIO()
        csv.writer(line, delimiter=separator, lineterminator="\r\n").writerow(row)
        lines.append(line.getvalue().removesuffix("\r\n") + "\n")
    return "".join(lines)


KINDS = (
    st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
    | st.sampled_from(['"', ",", "\n", "\t", "\r", " a", "'", ""]),
    st.floats()
    | st.sampled_from([1e-4, 9.999999999999999e-05, 1e16, 9999999999999998.0, -0.0, 5e-324, 1e22, 0.1 + 0.2]),
    st.integers() | st.integers(-9, 9),
    st.booleans(),
    st.none(),
)


@st.composite
def tables(draw):
    rows = draw(st.integers(0, 5))
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=4))
    gaps = [draw(st.booleans()) for _ in kinds]
    cells = [st.none() | kind if gap else kind for kind, gap in zip(kinds, gaps, strict=True)]
    return {f"c{i}": draw(st.lists(cell, min_size=rows, max_size=rows)) for i, cell in enumerate(cells)}


@given(tables())
def test_a_table_is_written_as_the_csv_module_writes_it(columns):
    assert table_text(columns, "csv") == rows_by_the_csv_module(columns, ",")
    assert table_text(columns, "tsv") == rows_by_the_csv_module(columns, "\t")


def test_no_cell_of_a_plain_table_passes_through_python(monkeypatch):
    columns = {"item": ["a", "b,c"], "label": ["x", None], "sure": [0.5, 1e-9], "votes": [3, 4], "tie": [True, False]}
    expected = rows_by_the_csv_module(columns, ",")
    monkeypatch.setattr(atomic_files, "_cell", lambda value: value if value in columns else pytest.fail("one by one"))
    monkeypatch.setattr(atomic_files, "_TRUTH", {})
    assert table_text(columns, "csv") == expected


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_reader_that_has_read_enough_of_a_pipe_is_no_error_of_the_file(tmp_path):
    """The program ends quietly then, as where the reader of its output has gone."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def read_little():
        with open(pipe, "rb") as file:
            file.read(1)

    thread = threading.Thread(target=read_little)
    thread.start()
    with pytest.raises(BrokenPipeError):
        write_whole(pipe, b"x" * (1 << 22))
    thread.join()
