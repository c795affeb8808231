"""Parquet, XLSX, compressed files, several files, standard input; and files that are something else."""

from __future__ import annotations

import gzip
import io
import os
import random
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from assent.data import Annotations
from assent.errors import (
    AssentError,
    EmptyTable,
    MissingDependency,
    OptionError,
    UnknownColumn,
    UnreadableFile,
)
from assent.readers import read

LONG = "item,annotator,label\n1,a,x\n1,b,y\n2,a,x\n2,b,x\n"
FRAME = pl.DataFrame({"item": [1, 1, 2, 2], "annotator": ["a", "b", "a", "b"], "label": ["x", "y", "x", "x"]})


def same(data: Annotations) -> bool:
    return (data.labels, data.annotators, data.n_items, data.n_annotations) == (("x", "y"), ("a", "b"), 2, 4)


@pytest.mark.parametrize(
    "name", ["a.csv", "a.CSV", "a.txt", "a", "a.tsv", "a.dat", "a.b.csv", "[1].csv", "a b.csv", "é.csv", "-.csv"]
)
def test_any_name(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(LONG.replace(",", "\t") if name.endswith("tsv") else LONG)
    assert same(read(path))
    assert same(read(str(path)))


def test_a_tsv_file_may_have_commas(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("item\tannotator\tlabel\n1,1\ta\tx,y\n1,1\tb\tx,y\n")
    assert read(path).labels == ("x,y",)
    path.write_text(LONG)
    assert same(read(path))
    with pytest.raises(AssentError):
        read(path, format="tsv")


@pytest.mark.parametrize("name", ["a", "a.txt", "a.json", "a.jsonl", "a.ndjson"])
def test_json_by_content(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FRAME.write_json())
    assert same(read(path))
    path.write_text(FRAME.write_ndjson())
    assert same(read(path))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = io.BytesIO()
    FRAME.write_parquet(parquet)
    packed = gzip.compress(LONG.encode())
    for content in (LONG.encode(), FRAME.write_ndjson().encode(), parquet.getvalue(), packed, LONG.encode("utf-16")):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
        assert same(read("-"))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"")))
    with pytest.raises(EmptyTable, match=r"^standard input is empty"):
        read("-")


def test_open_files(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(LONG)
    with path.open("rb") as file:
        assert same(read(file))
    assert same(read(io.BytesIO(LONG.encode())))
    assert same(read(io.StringIO(LONG)))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_with_a_name(tmp_path: Path) -> None:
    import threading

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(LONG,))
    writer.start()
    assert same(read(pipe))
    writer.join()


@pytest.mark.parametrize("suffix", [".csv", ".json", ".jsonl"])
def test_gzip(suffix: str, tmp_path: Path) -> None:
    content = {".csv": LONG, ".json": FRAME.write_json(), ".jsonl": FRAME.write_ndjson()}[suffix]
    for name in (f"a{suffix}.gz", f"b{suffix}", "c"):
        (tmp_path / name).write_bytes(gzip.compress(content.encode()))
        assert same(read(tmp_path / name))
    (tmp_path / "broken.csv.gz").write_bytes(gzip.compress(content.encode())[:-9])
    with pytest.raises(UnreadableFile, match="broken gzip"):
        read(tmp_path / "broken.csv.gz")


def test_zstandard(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.zst"
    quoted = pl.DataFrame({"item": ["1", "1"], "annotator": ["a", "b"], "label": ["x\r\ny", ' "z"']})
    quoted.lazy().sink_csv(path, compression="zstd", check_extension=False)
    assert path.read_bytes()[:4] == b"\x28\xb5\x2f\xfd"
    assert read(path).labels == (' "z"', "x\r\ny")
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(UnreadableFile, match="cannot be decompressed"):
        read(path)


def test_parquet_is_not_read_before_it_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.parquet"
    FRAME.with_columns(text=pl.lit("long text")).write_parquet(path)
    given: dict[str, Any] = {}
    whole = Annotations.from_array([["x", "y"]])
    monkeypatch.setattr(Annotations, "from_frame", lambda frame, **options: given.update(options, frame=frame) or whole)
    read(path)
    assert isinstance(given["frame"], pl.LazyFrame)
    assert given["frame"].collect_schema() == {"item": pl.Int64, "annotator": pl.String, "label": pl.String}


def test_typed_labels(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    for labels, texts in (
        ([1, 2, None, 1], ("1", "2")),
        ([1.0, 2.5, None, 1.0], ("1", "2.5")),
        ([True, False, None, True], ("False", "True")),
    ):
        FRAME.with_columns(label=pl.Series(labels)).write_parquet(path)
        assert read(path).labels == texts
    FRAME.with_columns(label=pl.Series(["u", "v", None, "u"], dtype=pl.Categorical)).write_parquet(path)
    assert read(path).labels == ("u", "v")


def test_wide_parquet_with_gaps_in_whole_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    table = pl.DataFrame({"item": ["p", "q"], "r1": [1, 2], "r2": [1.0, None], "r3": [None, 2.5]})
    table.write_parquet(path)
    assert read(path).labels == ("1", "2", "2.5")
    table.with_columns(r4=pl.Series(["1", "x"])).write_parquet(path)
    assert sorted(read(path).labels) == ["1", "2", "2.5", "x"]


def test_parquet_files_by_pattern_and_directory(tmp_path: Path) -> None:
    FRAME[:2].write_parquet(tmp_path / "b.parquet")
    FRAME[2:].select("label", "item", "annotator").write_parquet(tmp_path / "a.parquet")
    FRAME[:0].write_parquet(tmp_path / "empty.parquet")
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / "_temporary").mkdir()
    (tmp_path / "_temporary" / "half.parquet").write_bytes(b"PAR1 half")
    assert same(read(tmp_path))
    assert same(read(str(tmp_path / "*.parquet")))
    assert same(read(tmp_path / "a.parquet", tmp_path / "b.parquet"))


def test_partitioned_parquet(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"annotator={name}").mkdir()
        FRAME.filter(pl.col("annotator") == name).drop("annotator").write_parquet(
            tmp_path / f"annotator={name}" / "part-0.parquet"
        )
    assert same(read(tmp_path))


def test_broken_parquet(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    for content in (b"PAR1" + bytes(range(200)) + b"PAR1", b"PAR1", b"nothing of the kind", b""):
        path.write_bytes(content)
        with pytest.raises(UnreadableFile, match="Parquet"):
            read(path)
    FRAME.write_parquet(path)
    broken = bytearray(path.read_bytes())
    broken[4:60] = bytes(56)
    path.write_bytes(broken)
    with pytest.raises(UnreadableFile, match="not a readable Parquet file"):
        read(path)
    FRAME[:0].write_parquet(path)
    with pytest.raises(EmptyTable, match="no rows"):
        read(path)


def test_lists_in_parquet(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    FRAME.with_columns(label=pl.Series([[["x"]], [["y"]], [["x"]], [["x"]]])).write_parquet(path)
    with pytest.raises(UnreadableFile, match="each cell must hold one value, or a flat list of labels"):
        read(path)
    FRAME.with_columns(spans=pl.Series([["x"], ["y"], ["x"], ["x"]])).write_parquet(path)
    assert same(read(path))


def workbook(path: Path, **sheets: Sequence[Any]) -> Path:
    xlsxwriter = pytest.importorskip("xlsxwriter")
    book = xlsxwriter.Workbook(path, {"default_date_format": "yyyy-mm-dd"})
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for i, row in enumerate(rows):
            for j, cell in enumerate(row):
                if cell is not None:
                    sheet.write(i, j, cell)
    book.close()
    return path


def test_numbers_in_workbooks_are_as_short_as_can_be(tmp_path: Path) -> None:
    numbers = [1, 1.5, 0.1, 1 / 3, 1e-10, 2e-10, 1.0000000001, 100, -2, 12345678.9]
    rows = [["item", "annotator", "label"], *([i, who, n] for i, n in enumerate(numbers) for who in (1, 2))]
    data = read(workbook(tmp_path / "a.xlsx", labels=rows))
    assert {float(label) for label in data.labels} == set(numbers)
    assert {"1", "1.5", "0.1", "100", "-2", "12345678.9"} < set(data.labels)
    assert data.annotators == ("1", "2")


def test_cells_of_all_kinds_in_a_workbook(tmp_path: Path) -> None:
    cells = ["text", True, date(2020, 1, 2), "01", "1.0", 1, None]
    rows = [["item", "annotator", "label"], *([i, who, cell] for i, cell in enumerate(cells) for who in "ab")]
    data = read(workbook(tmp_path / "a.xlsx", labels=rows))
    assert sorted(data.labels) == ["01", "1", "1.0", "2020-01-02 00:00:00", "text", "true"]
    assert [(one.reason, one.rows) for one in data.dropped] == [("missing label", 2)]


def test_sheets(tmp_path: Path) -> None:
    header = ["item", "annotator", "label"]
    path = workbook(
        tmp_path / "a.xlsx",
        first=[[], [None, *header], [None, 1, "a", "x"], [], [None, 1, "b", "x"]],
        second=[header, [1, "a", "y"], [1, "b", "y"]],
        empty=[],
        heads=[header],
        double=[["item", "a", "a"], [1, 2, 3]],
    )
    data = read(path)
    assert data.labels == ("x",)
    assert data.notes[0] == 'Read the sheet "first", the first of 5 (to change this, give `sheet`).'
    assert [(one.reason, one.rows) for one in data.dropped] == [("empty row", 1)]
    assert read(path, sheet="second").labels == ("y",)
    with pytest.raises(OptionError, match='did you mean "second"'):
        read(path, sheet="secnd")
    for sheet in ("empty", "heads"):
        with pytest.raises(EmptyTable):
            read(path, sheet=sheet)
    with pytest.raises(UnreadableFile, match='more than one column named "a"'):
        read(path, sheet="double")
    path.rename(tmp_path / "no name")
    assert read(tmp_path / "no name").labels == ("x",)


@pytest.mark.parametrize("rows", [5, 6, 2_000_000_000])
def test_a_sheet_that_ends_above_its_names(tmp_path: Path, rows: int) -> None:
    path = workbook(tmp_path / "a.xlsx", labels=[["Study", None], ["item", "r1"], ["1", "a"], ["2", "b"], ["3", "b"]])
    with pytest.raises(
        EmptyTable,
        match=rf'has fewer than {rows:,} rows to skip and a row of names in the sheet "labels": skip fewer\.$',
    ):
        read(path, skip_rows=rows)


def test_without_fastexcel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = workbook(tmp_path / "a.xlsx", labels=[["item", "a", "b"], [1, 2, 3]])
    monkeypatch.setitem(sys.modules, "fastexcel", None)
    with pytest.raises(MissingDependency, match=r"pip install fastexcel"):
        read(path)


def test_several_files(tmp_path: Path) -> None:
    FRAME[:2].write_csv(tmp_path / "a.csv")
    FRAME[2:].select("label", "item", "annotator").write_csv(tmp_path / "b.csv", separator=";")
    FRAME[2:].write_parquet(tmp_path / "c.parquet")
    assert same(read(tmp_path / "a.csv", tmp_path / "b.csv"))
    assert same(read(tmp_path / "a.csv", tmp_path / "c.parquet"))
    assert same(read(str(tmp_path / "?.csv")))
    FRAME.rename({"label": "rating"}).with_columns(extra=1).write_csv(tmp_path / "d.csv")
    with pytest.raises(
        UnknownColumn, match=r'd\.csv" lacks "label" and also has "rating", "extra" compared with .*a\.csv"'
    ):
        read(tmp_path / "a.csv", tmp_path / "d.csv")
    (tmp_path / "e.csv").write_text("item,annotator,label\n\n")
    (tmp_path / "f.csv").write_text("item,annotator,label\n\n1,c,x\n")
    data = read(tmp_path / "a.csv", tmp_path / "e.csv", tmp_path / "f.csv")
    assert data.annotators == ("a", "b", "c")
    assert [(one.reason, one.rows) for one in data.dropped] == [("empty row", 2)]


def test_rows_of_several_wide_files_are_numbered_through(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("r1,r2\nx,y\nx,x\n")
    assert read(tmp_path / "a.csv", tmp_path / "b.csv").n_items == 4


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"%PDF-1.7\n", "a PDF document"), (b"\x89PNG\r\n\x1a\n", "a PNG image"), (b"\xff\xd8\xff\xe0", "a JPEG image"),
        (b"PK\x03\x04 letter.txt", "a zip archive"), (b"\xd0\xcf\x11\xe0\xa1\xb1", "an old Office file"),
        (b"SQLite format 3\x00", "an SQLite database"), (b"ARROW1\x00\x00", "an Arrow"), (b"BZh9", "a bzip2 file"),
        (b"<!DOCTYPE html>", "a web page"), (b"\x7fELF\x02", "a program"), (b"<?xml version", "an XML file"),
        (bytes(range(256)) * 20, "holds binary data"), (random.Random(3).randbytes(5000), "binary data|not UTF-8|UTF-16|not a table"),
        (b"PK\x05\x06" + b"\0" * 18, "a zip archive with nothing in it, not a table; put the files in"),
        (b"\x00" * 1000, "full of null bytes"), ("item,a,b\n1,x,y\n".encode("utf-16-le"), "`encoding` utf-16-le"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["a.csv", "a", "a.txt"])
def test_what_is_no_table(content: bytes, kind: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match=kind):
        read(path)


@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz", "a.tgz", "a.csv.gz"])
def test_a_tar_archive_is_named_and_what_is_taken_instead(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    with tarfile.open(path, "w" if name.endswith(".tar") else "w:gz") as archive:
        (tmp_path / "t.csv").write_text(LONG)
        archive.add(tmp_path / "t.csv", "t.csv")
    with pytest.raises(
        UnreadableFile, match=r"is a tar archive, not a table; unpack it and read the file inside; .* a folder or a zip"
    ):
        read(path)


@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz", "a.tgz"])
def test_an_empty_tar_archive_is_said_to_be_empty(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    tarfile.open(path, "w" if name.endswith(".tar") else "w:gz").close()
    with pytest.raises(UnreadableFile, match="is a tar archive with nothing in it"):
        read(path)


def test_a_name_that_promises_something_else(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_text(LONG)
    with pytest.raises(UnreadableFile, match="not an XLSX file in spite of its name; say what it is with `format`"):
        read(path)
    assert same(read(path, format="csv"))
    with pytest.raises(UnreadableFile, match="XLSX"):
        read(path, format="xlsx")
    with pytest.raises(UnreadableFile, match="Parquet"):
        read(path, format="parquet")
    with pytest.raises(UnreadableFile, match="JSON"):
        read(path, format="json")


def test_no_such_file(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(LONG)
    (tmp_path / "nothing").mkdir()
    for name, hint in (
        ("label.csv", r'did you mean ".*labels\.csv"\?'),
        ("zzz", "check the name"),
        ("nowhere/labels.csv", "no directory"),
        ("*.tsv", "No file matches"),
        ("nothing", "is a folder, which is read if it holds Parquet files"),
        ("a\x00b", "."),
        ("x" * 5000, "."),
    ):
        with pytest.raises(UnreadableFile, match=hint):
            read(str(tmp_path / name))


def test_a_file_that_is_named_twice_is_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(LONG)
    with pytest.raises(OptionError, match=r'labels\.csv" is named twice: name each file once'):
        read(str(path), path)


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.csv"
    path.write_text(LONG)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UnreadableFile, match=r'secret\.csv" cannot be opened: permission denied'):
        read(path)


def test_a_file_that_breaks_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    path.write_text(LONG)

    def fail(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("assent.readers.opening.read_delimited", fail)
    with pytest.raises(UnreadableFile, match=r'a\.csv" cannot be read: input/output error'):
        read(path)


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes only here")
def test_a_name_that_is_not_text(tmp_path: Path) -> None:
    for name, write in ((b"\xe9.csv", FRAME.write_csv), (b"\xe9.parquet", FRAME.write_parquet)):
        content = io.BytesIO()
        write(content)
        path = tmp_path / os.fsdecode(name)
        path.write_bytes(content.getvalue())
        assert same(read(path))


def test_options_that_do_not_fit_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(LONG)
    for options in (
        {"sheet": "x"}, {"format": "doc"}, {"duplicates": "all"}, {"decimal": ";"}, {"annotators": "ab"}, {"missing": "NA"},
    ):  # fmt: skip
        with pytest.raises(OptionError):
            read(path, **options)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="sources is empty"):
        read()
    with pytest.raises(OptionError, match="must be a path or an open file"):
        read(3)


def test_messages_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[31m.csv"
    path.write_text("\x1b[31mred,\x1b[31mred\n1,2\n")
    with pytest.raises(UnreadableFile) as caught:
        read(path)
    assert "\x1b" not in str(caught.value)


def written(write: Any) -> bytes:
    content = io.BytesIO()
    write(content)
    return content.getvalue()


@pytest.mark.parametrize("kind", ["csv", "quoted csv", "jsonl", "json", "gzip", "xlsx", "parquet"])
def test_a_damaged_file_is_read_or_refused_but_never_a_crash(kind: str) -> None:
    frame = pl.DataFrame({"item": range(20), "ann": ["x", "y"] * 10, "bob": ["x", "y", None, "z"] * 5})
    content = {
        "csv": lambda: written(frame.write_csv),
        "quoted csv": lambda: written(lambda file: frame.write_csv(file, quote_style="always")),
        "jsonl": lambda: written(frame.write_ndjson),
        "json": lambda: frame.write_json().encode(),
        "gzip": lambda: gzip.compress(written(frame.write_csv)),
        "xlsx": lambda: written(frame.write_excel),
        "parquet": lambda: written(frame.write_parquet),
    }[kind]()
    rng = random.Random(kind)
    for _ in range(40):
        damaged = bytearray(content)
        place = rng.randrange(len(damaged))
        match rng.randrange(3):
            case 0:
                damaged[place] = rng.choice([rng.randrange(256), *b'",\n\r\x00{['])
            case 1:
                del damaged[place : place + rng.randrange(1, 40)]
            case _:
                del damaged[place:]
        try:
            read(io.BytesIO(bytes(damaged)))
        except AssentError as error:
            assert str(error).isprintable(), str(error)  # noqa: PT017


def test_a_cell_far_away_does_not_end_the_process(tmp_path: Path) -> None:
    rows = [
        ["item", "annotator", "label"],
        *([row["item"], row["annotator"], row["label"]] for row in FRAME.to_dicts()),
    ]
    path = workbook(tmp_path / "a.xlsx", labels=rows)
    assert same(read(path))
    far = tmp_path / "far.xlsx"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(far, "w") as new:
        for name in old.namelist():
            cell = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
            new.writestr(name, old.read(name).replace(b"</sheetData>", cell))
    with pytest.raises(UnreadableFile, match="1,048,576 rows and 16,384 columns, empty ones included"):
        read(far)


def test_a_workbook_without_a_sheet_inside_prints_nothing(tmp_path: Path) -> None:
    path, broken = workbook(tmp_path / "a.xlsx", labels=[["item", "a", "b"], [1, "x", "y"]]), tmp_path / "b.xlsx"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(broken, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b"sheetData", b"sheetDate"))
    code = "import sys, assent\ntry:\n    assent.read(sys.argv[1])\nexcept assent.InputError:\n    print('refused')"
    done = subprocess.run([sys.executable, "-c", code, str(broken)], capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"refused\n", b"")
