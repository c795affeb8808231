"""Parquet files whose sizes and counts are wrong: refused before polars trusts them."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from assent.errors import EmptyTable, UnreadableFile
from assent.readers import columnar, parquet_checks, read
from assent.readers.parquet_checks import _Thrift, parquet_pages

FRAME = pl.DataFrame({"item": [str(i) for i in range(20)], "p": ["x", "y"] * 10, "q": [1.5, None] * 10})
#: Every byte of the metadata and of the headers of pages is changed in two ways.
CHANGE_ALL = """
import io, sys
import assent
from assent.errors import AssentError
content = sys.stdin.buffer.read()
tried = 0
for at in map(int, sys.argv[1].split(",")):
    for change in (0xFF, 0x01):
        broken = bytearray(content)
        broken[at] ^= change
        tried += 1
        try:
            assent.read(io.BytesIO(bytes(broken)), format="parquet").to_rows()
        except AssentError:
            pass
print(tried)
"""


def written(frame: pl.DataFrame = FRAME, **options: object) -> bytes:
    out = io.BytesIO()
    frame.write_parquet(out, **options)  # type: ignore[arg-type]
    return out.getvalue()


def footer(content: bytes) -> int:
    return len(content) - 8 - int.from_bytes(content[-8:-4], "little")


def page_headers(content: bytes) -> list[range]:
    """Where the headers of pages stand: a column's first page is its dictionary, if there is one."""
    found = []
    for column in _Thrift(content, footer(content), len(content)).struct()[4][0][1]:
        at, size = column[3].get(11) or column[3][9], column[3][7]
        end = at + size
        while at < end:
            thrift = _Thrift(content, at, end)
            length = thrift.struct()[3]
            found.append(range(at, thrift.at))
            at = thrift.at + length
    return found


@pytest.mark.parametrize("compression", ["zstd", "uncompressed"])
def test_polars_has_nothing_to_say_of_wrong_metadata(compression: str) -> None:
    content = written(compression=compression, statistics=False)
    places = [*range(footer(content), len(content)), *(at for one in page_headers(content) for at in one)]
    # Some of these changes would end the process: it is another one.
    done = subprocess.run(
        [sys.executable, "-c", CHANGE_ALL, ",".join(map(str, places))], input=content, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr.decode(), int(done.stdout)) == (0, "", 2 * len(places))


def test_a_page_with_fewer_than_no_values_does_not_end_the_process() -> None:
    content = bytearray(written(compression="uncompressed"))
    # The last page, of the column of numbers: 20 values as a zigzag number, 40, then become -20.
    header = page_headers(bytes(content))[-1]
    content[content.index(b"\x15\x28", header.start, header.stop) + 1] = 39
    with pytest.raises(UnreadableFile, match="a page has other values than its metadata say"):
        read(io.BytesIO(bytes(content)), format="parquet")


@pytest.mark.parametrize("compression", ["zstd", "snappy", "gzip", "lz4", "brotli", "uncompressed"])
@pytest.mark.parametrize("statistics", [True, False])
def test_files_that_are_whole_have_no_fault(compression: str, statistics: bool) -> None:
    nested = pl.DataFrame(
        {
            "lists": [["x", "y"], [], None, ["x"]] * 500,
            "structs": [{"a": 1, "b": [1.0]}, None, {"a": None, "b": []}, {"a": 2, "b": None}] * 500,
            "categories": pl.Series(["u", None, "v", "u"] * 500, dtype=pl.Categorical),
            "nothing": [None] * 2000,
            "days": pl.Series([0, 1, None, 3] * 500).cast(pl.Date),
            "arrays": pl.Series([[1, 2], None, [3, 4], [5, 6]] * 500, dtype=pl.Array(pl.Int64, 2)),
        }
    )
    for frame in (FRAME, FRAME[:0], nested, nested[:1]):
        for size in (None, 7):
            content = written(frame, compression=compression, statistics=statistics, row_group_size=size)
            assert parquet_pages(content).fault is None


@pytest.mark.parametrize("version", ["V1", "V2"])
def test_files_of_other_writers_have_no_fault(version: str, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "a.parquet"
    rows = "select range as item, [range, 1] as several, 'x' || range as label, null::int as gone from range(5000)"
    duckdb.sql(f"copy ({rows}) to '{path}' (format parquet, parquet_version {version}, row_group_size 2048)")
    assert parquet_pages(path.read_bytes()).fault is None


def test_metadata_that_do_not_end() -> None:
    content = written()
    start = footer(content)
    for metadata in (
        b"\x19" * 5000,
        b"\x1c" * 5000,
        b"\x18\xff\xff\xff\xff\x0f",
        b"\xff" * 50,
        b"\x19\xfc\xff\xff\x7f",
        b"\x00",
    ):
        broken = content[:start] + metadata + len(metadata).to_bytes(4, "little") + b"PAR1"
        assert "metadata" in str(parquet_pages(broken).fault)


def test_values_repeated_without_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two thousand times the same value take a few bytes, and a thousand million times hardly more."""
    many = written(
        pl.DataFrame({"item": pl.repeat("a", 200_000, eager=True), "p": pl.repeat("b", 200_000, eager=True)})
    )
    assert parquet_pages(many).fault is None
    monkeypatch.setattr(parquet_checks, "PARQUET_VALUES", 1_000)
    assert "repeats its values" in str(parquet_pages(many).fault)
    assert parquet_pages(written()).fault is None
    lists = written(pl.DataFrame({"item": ["a"], "p": [["b"] * 200_000]}))
    assert "repeats its values" in str(parquet_pages(lists).fault)


def test_a_page_that_unpacks_to_gigabytes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    large = written(pl.DataFrame({"item": ["a" * (1 << 20), "b"]}), compression="zstd")
    assert parquet_pages(large).fault is None
    monkeypatch.setattr(parquet_checks, "FREE", 1 << 16)
    assert "unpacks to more than 200 times its size" in str(parquet_pages(large).fault)
    assert parquet_pages(written()).fault is None


def test_many_pages_that_unpack_to_gigabytes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    many = written(
        pl.DataFrame({"item": [f"{row}{'a' * (1 << 20)}" for row in range(4)]}), compression="zstd", row_group_size=1
    )
    assert parquet_pages(many).fault is None
    monkeypatch.setattr(parquet_checks, "PARQUET_BYTES", 2 << 20)
    assert "unpack to more than 200 times its size" in str(parquet_pages(many).fault)
    assert parquet_pages(written()).fault is None


def named(text: str, rows: int, kind: str = "text") -> bytes:
    """A file whose rows all name one text, which stands in it once."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    cell = {
        "list": [text],
        "record": {"a": text},
        "bytes": text.encode(),
        "bytes of no text": text.encode("latin-1"),
    }.get(kind, text)
    cells = pyarrow.array([cell] * rows)
    table = {
        "item": [str(row // 2) for row in range(rows)],
        "annotator": ["x", "y"] * (rows // 2),
        "label": ["a"] * rows,
    }
    out = io.BytesIO()
    parquet.write_table(
        pyarrow.table(table | {"text": cells.dictionary_encode() if kind == "category" else cells}), out,
        compression="zstd", write_statistics=False, dictionary_pagesize_limit=1 << 30,
    )  # fmt: skip
    return out.getvalue()


KINDS = ["text", "bytes", "category", "list", "record"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_that_many_rows_name_is_refused_before_it_is_held(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 30 MB and 2,000 rows such a file has some kilobytes, and would take 60 GB."""
    content = named("a" * 50_000, 40, kind)
    assert len(content) < 10_000
    read(io.BytesIO(content), format="parquet")
    monkeypatch.setattr(columnar, "SAMPLE_TEXTS", 1_000_000)
    with pytest.raises(
        UnreadableFile, match="repeats its texts in so many cells that they are too much to hold; leave"
    ):
        read(io.BytesIO(content), format="parquet")


@pytest.mark.parametrize("kind", KINDS)
def test_a_cell_that_no_label_or_text_is_is_refused(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    content = named("a" * 50_000, 2, kind)
    monkeypatch.setattr(columnar, "LONGEST_LINE", 40_000)
    with pytest.raises(UnreadableFile, match='has a cell of more than 0 MB in the column "text"'):
        read(io.BytesIO(content), format="parquet")


def test_a_cell_of_20_mb_is_refused_as_in_other_formats() -> None:
    with pytest.raises(UnreadableFile, match='has a cell of more than 16 MB in the column "text"'):
        read(io.BytesIO(named("a" * (20 << 20), 2)), format="parquet")


def test_long_texts_that_differ_are_measured_and_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dictionary of many texts may be as large as one of a single text: what counts is what the rows hold."""
    texts = [f"{row:04d} {'words ' * 200}" for row in range(800)]
    frame = pl.DataFrame(
        {
            "item": [str(row) for row in range(800)] * 2,
            "annotator": ["x"] * 800 + ["y"] * 800,
            "label": ["a", "b"] * 800,
        }
    ).with_columns(pl.Series("text", texts * 2))
    content = written(frame)
    pages = parquet_pages(content)
    monkeypatch.setattr(columnar, "SAMPLE_TEXTS", pages.named - 1)
    assert pages.named > 100 * sum(map(len, texts))
    assert len(read(io.BytesIO(content), format="parquet").to_rows().items) == 800


def test_files_of_usual_size_are_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(*_: object) -> None:
        raise AssertionError("the texts were measured")

    monkeypatch.setattr(columnar, "_totals", measured)
    content = named("a" * 50_000, 40)
    assert len(read(io.BytesIO(content), format="parquet").to_rows().items) == 20


def test_pictures_beside_the_labels_may_be_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are left out, whatever their size."""
    monkeypatch.setattr(columnar, "LONGEST_LINE", 40_000)
    monkeypatch.setattr(columnar, "SAMPLE_TEXTS", 1_000_000)
    data = read(io.BytesIO(named("\x89" + "a" * 50_000, 40, "bytes of no text")), format="parquet")
    assert any('bytes and lists of durations are no text: "text"' in note for note in data.notes)
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    out = io.BytesIO()
    numbers = {"item": [1, 1, 2, 2], "annotator": [1, 2, 1, 2], "label": [0, 1, 1, 1]}
    parquet.write_table(pyarrow.table(numbers | {"picture": [b"\x89" * 50_000] * 4}), out)
    assert read(io.BytesIO(out.getvalue()), format="parquet").n_items == 2


def test_a_file_without_columns() -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    out = io.BytesIO()
    parquet.write_table(pyarrow.table({}), out)
    with pytest.raises(EmptyTable, match="has no columns: there is nothing to measure"):
        read(io.BytesIO(out.getvalue()), format="parquet")
