"""CSV and its kin: every cell as written, every malformed row refused with its line."""

from __future__ import annotations

import csv
import io
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assent.errors import EmptyTable, OptionError, UnreadableFile
from assent.readers import csv_checks, delimited, read
from assent.readers.delimited import read_delimited
from assent.readers.opening import _without_rows
from assent.readers.sources import Source
from assent.readers.tables import Table


def table(content: str | bytes, *, delimiter: str | None = None, encoding: str = "utf-8") -> Table:
    data = content if isinstance(content, bytes) else content.encode()
    return read_delimited(Source("some.csv", data=data), delimiter=delimiter, encoding=encoding)


def rows(content: str | bytes, **options: str) -> list[tuple[str | None, ...]]:
    return table(content, **options).frame.lazy().collect().rows()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a,b\n1,2\n", [("1", "2")]),
        ("a,b\n1,2", [("1", "2")]),
        ("a,b\n1,", [("1", None)]),
        ("a,b\r\n1,2\r\n", [("1", "2")]),
        ("a,b\r1,2\r3,4\r", [("1", "2"), ("3", "4")]),
        ("a,b\r\n1,2\n3,4\r\n", [("1", "2"), ("3", "4")]),
        ("\ufeffa,b\n1,2\n", [("1", "2")]),
        ('\ufeff"a",b\n1,2\n', [("1", "2")]),
        ("\n\na,b\n1,2\n", [("1", "2")]),
        ('a,b\n"x,y","p\nq"\n', [("x,y", "p\nq")]),
        ('a,b\n"x\r\ny","z\r"\n', [("x\r\ny", "z\r")]),
        ('a,b\n"x""y",""""\n', [('x"y', '"')]),
        ('a,b\n"",\n1,2\n', [("1", "2")]),
        ('a,b\n"",1\n', [(None, "1")]),
        ("a,b\n x , y\n", [(" x ", " y")]),
        ('a,b\nx"y,z\n', [('x"y', "z")]),
        ('a,b\nx"y",z\n', [('x"y"', "z")]),
        ('a,b\n1,x"\n2,y\n3,z"\n', [("1", 'x"'), ("2", "y"), ("3", 'z"')]),
        ("a,b\nx\x00y,z\n", [("x\x00y", "z")]),
        ("a,b\n#x,#\n", [("#x", "#")]),
        ('a,b\n"x","y', None),
        ('a,b\n"x"k,z\n', None),
        ("a,b\nx\ry,z\n", None),
        ("a,b\nx\r,z\n", None),
        ("a,b\n1\n", None),
        ("a,b\n1,2,\n", None),
        ("a,b\n1,2,", None),
        ("a,b\n1,2,3\n4\n", None),
        ("# hello\na,b\n1,2\n", None),
    ],
)
def test_cells_are_exactly_what_was_written(content: str, expected: list[tuple[str | None, ...]] | None) -> None:
    if expected is None:
        with pytest.raises(UnreadableFile):
            rows(content, delimiter=",")
    else:
        assert rows(content, delimiter=",") == expected


def reference(content: str, width: int) -> list[tuple[str | None, ...]] | None:
    """What the standard library's strict parser makes of it; None if it is malformed or ragged."""
    try:
        parsed = [row for row in csv.reader(io.StringIO(content, newline=""), strict=True) if row][1:]
    except csv.Error:
        return None
    if any(len(row) != width for row in parsed):
        return None
    return [cells for row in parsed if any(cells := tuple(cell or None for cell in row))]


cells = st.sampled_from(
    ["a", "", " ", "é😀", "n\x00l", '"q"', '"a,b"', '"l\nm"', '"c\r\nd"', '"e""f"', '""', '"\r"', '"""g"""', "1,5"]
)
defects = st.sampled_from(['x"y', '"u', '"v"w', "r\rs", "t\r", "k,l"])


@given(
    st.lists(
        st.lists(st.one_of(cells, cells, cells, cells, defects), min_size=2, max_size=2) | st.just([""]), max_size=8
    ),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
    st.sampled_from([1, 3, 7, 1 << 22]),
)
@example([["a", "a,"]], "\n", False, 1 << 22)
@example([["a", '"']], "\n", False, 1)
def test_any_file_is_read_as_the_strict_parser_reads_it(
    lines: list[list[str]], end: str, closed: bool, chunk: int
) -> None:
    content = end.join(["h1,h2", *(",".join(line) for line in lines)]) + (end if closed else "")
    expected = reference(content, 2)
    for small in (-1, 1 << 15):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(csv_checks, "_CHUNK", chunk)
            patch.setattr(delimited, "_SMALL", small)
            try:
                found = rows(content, delimiter=",")
            except UnreadableFile:
                found = None
        assert found == expected


def test_a_large_well_formed_file_takes_the_fast_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "_read_strictly", lambda *_: pytest.fail("the slow parser was used"))
    path = tmp_path / "large.csv"
    cells = ["plain", '"a,b"', '"two\nlines"', "", '"say ""so"""', "é"]
    lines = [f"{i},{cells[i % 6]},{cells[(i // 6) % 6]}\r\n" for i in range(60_000)]
    path.write_text("x,y,z\r\n" + "".join(lines), encoding="utf-8", newline="")
    with path.open(newline="", encoding="utf-8") as file:
        expected = [tuple(cell or None for cell in row) for row in csv.reader(file)][1:]
    read = read_delimited(Source("large", path=path), delimiter=None, encoding="utf-8").frame.lazy().collect()
    assert read.rows() == expected


@pytest.mark.parametrize("content", ["a,b\n1,2\n3,\n", 'a,b\n"1",2\n', "a,b\r\n1,2\r\n", "a,b\n\n1,2\n", "a,b\n1,2"])
def test_ordinary_files_take_the_fast_way(content: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "_SMALL", -1)
    monkeypatch.setattr(delimited, "_read_strictly", lambda *_: pytest.fail("the slow parser was used"))
    assert table(content).columns == ["a", "b"]


def test_a_small_file_is_read_without_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "_read_fast", lambda *_: pytest.fail("polars was asked"))
    assert rows("a,b\n1,2\n") == [("1", "2")]


def test_a_small_file_of_many_columns_is_left_to_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    """A blank line is a row of empty cells: a few bytes of lines and columns would be many cells."""
    monkeypatch.setattr(delimited, "_read_strictly", lambda *_: pytest.fail("the slow parser was used"))
    names = [f"c{i}" for i in range(delimited._NARROW + 1)]
    assert table(",".join(names) + "\n" + ",".join(names) + "\n").columns == names


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators_are_recognised(separator: str) -> None:
    content = f"item{separator}annotator{separator}label\n1{separator}a{separator}x\n"
    read = table(content)
    assert (read.columns, read.delimiter) == (["item", "annotator", "label"], separator)


@pytest.mark.parametrize(
    ("content", "separator"),
    [
        ("a;b\n1,5;2,5\n", ";"),
        ("a,b\nx;y,z;w\n", ","),
        ('a;b\n"x,y,z";"p,q"\n', ";"),
        ("a|b,c|d\n1|2|3\n4|5|6\n", "|"),
        ("a\tb\nx, y\tz\n", "\t"),
        ("sep=;\na;b\n1;2\n", ";"),
        ("\ufeffsep=|\na|b\n1|2\n", "|"),
        ("one\n1\n", ","),
    ],
)
def test_the_separator_that_fits_all_rows_is_taken(content: str, separator: str) -> None:
    assert table(content).delimiter == separator


@pytest.mark.parametrize(
    ("said", "separator"), [(";", ";"), ("tab", "\t"), ("\\t", "\t"), (" ", " "), ("space", " "), (":", ":")]
)
def test_a_separator_that_is_said_wins(said: str, separator: str) -> None:
    assert rows(f"a{separator}b,c\n1{separator}2,3\n", delimiter=said) == [("1", "2,3")]


@pytest.mark.parametrize("said", ["", ";;", '"', "\n", "é"])
def test_a_separator_must_be_one_character(said: str) -> None:
    with pytest.raises(OptionError, match="delimiter"):
        table("a,b\n1,2\n", delimiter=said)


def test_the_separator_that_the_name_speaks_for_must_fit() -> None:
    for content, separator in (("a,x\tb\n1\t2\n", "\t"), ("a\tx,b\n1,2\n3,4\n", ",")):
        source = Source("some.tsv", data=content.encode())
        assert read_delimited(source, delimiter=None, encoding="utf-8", prefer="\t").delimiter == separator


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16", "utf-16-le", "utf-32"])
def test_encodings(encoding: str) -> None:
    assert rows("a,b\né,ü\n".encode(encoding), encoding=encoding) == [("é", "ü")]


def test_utf_16_is_recognised_by_its_mark() -> None:
    assert rows("a;b\né;😀\n".encode("utf-16")) == [("é", "😀")]
    assert rows("a;b\né;😀\n".encode("utf-32")) == [("é", "😀")]


def test_an_encoding_that_does_not_exist() -> None:
    for name in ("klingon", "hex", "a\x00b"):
        with pytest.raises(OptionError, match="encoding"):
            table("a,b\n1,2\n", encoding=name)


@pytest.mark.parametrize("place", [10, 300_000, 1_500_000])
def test_a_byte_that_is_not_utf_8_is_named(place: int) -> None:
    content = bytearray(b"a,b\n" + b"1,2\n" * 500_000)
    content[place] = 0xE9
    with pytest.raises(
        UnreadableFile, match=rf"byte {place} \(line {place // 4 + 1}\) is 0xE9; say `encoding` latin-1"
    ):
        table(bytes(content))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b\n1,2\n\n3\n", "1 field in line 4 and 2 in its header"),
        ('a,b\n"1\n\n",2\n3,4,5\n', "3 fields in line 5 and 2 in its header"),
        ('a,b\n1,2\n3,"x\n4,5\n', "line 3: a quote mark opens a cell and is never closed"),
        ('a,b\n1,2\n3,"x"y\n', "line 3: a quoted cell goes on after its closing"),
        ('a,b\n1,"' + "x" * 200_000, "line 2: a cell is longer than 131,072 characters"),
        ("sep=;\na;b\n1;2\n3;4;5\n", "3 fields in line 4 and 2 in its header"),
        ("a,b,a\n1,2,3\n", 'more than one column named "a"'),
        ("a,,b\n1,2,3\n", "no name for column 2 of 3"),
        ("a,b,\n1,2,\n3,4,5\n", "no name for column 3 of 3"),
    ],
)
def test_what_is_malformed_is_said_with_its_line(content: str, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message):
        table(content)


@pytest.mark.parametrize("content", ["", "\n\n", "  \n", "\ufeff", "sep=;\n"])
def test_an_empty_file(content: str) -> None:
    with pytest.raises(EmptyTable, match="is empty"):
        table(content)


def test_an_empty_first_heading_is_the_column_of_row_names() -> None:
    assert table(',a,b\n"1",x,y\n').columns == ["", "a", "b"]


def test_a_separator_at_the_end_of_every_line_makes_no_column() -> None:
    assert table("a,b,,\n1,2,,\n3,4,,\n").columns == ["a", "b"]
    assert rows('a;b;\n1;x"y;\n') == [("1", 'x"y')]


def test_empty_rows_are_counted() -> None:
    read = table('a,b\n1,2\n\n,\n"",""\n3,4\n')
    assert [(one.reason, one.rows) for one in read.dropped] == [("empty row", 3)]
    assert read.frame.lazy().collect().height == 2


@pytest.mark.parametrize(
    ("before", "again", "times"),
    [(b"", b"x", 50_000_000), (b"a,b\n1,2\n3,", b"x,", 20_000_000), (b'a,b\n1,"', b"x", 50_000_000)],
)
def test_an_endless_line_is_refused_without_being_read(before: bytes, again: bytes, times: int, tmp_path: Path) -> None:
    path = tmp_path / "line.csv"
    path.write_bytes(before + again * times)
    with pytest.raises(UnreadableFile, match="16 MB"):
        read_delimited(Source("line.csv", path=path), delimiter=None, encoding="utf-8")


def test_a_header_longer_than_the_first_look() -> None:
    names = [f"column number {i}" for i in range(20_000)]
    read = table(",".join(names) + "\n" + ",".join(["x"] * len(names)) + "\n")
    assert read.columns == names


@pytest.mark.parametrize("above", [1, 3])
def test_titles_above_the_names_are_counted(above: int) -> None:
    content = "Reliability,,\n" * above + "doc,Ana,Ben\n" + "".join(f"d{i},x,{'xy'[i % 2]}\n" for i in range(8))
    with pytest.raises(UnreadableFile, match=f"if row {above + 1} holds the names, .* `skip_rows` {above}"):
        read(io.BytesIO(content.encode()))
    assert read(io.BytesIO(content.encode()), skip_rows=above).annotators == ("Ana", "Ben")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "title",
    [
        '"Study 1\nof ""two"", in May"', '"Study 1\nof ""two"", in May",,', 'A 5" screen', '"Study"\n\n"May\n\n2026"',
        '"Study",,\n,,\n"May\n\n2026",,',
    ],
)  # fmt: skip
def test_cells_above_the_names_may_hold_line_ends(title: str, end: str) -> None:
    rows = list(csv.reader(io.StringIO(title)))
    content = f"{title}\ndoc,Ana,Ben\n".replace("\n", end) + "".join(f"d{i},x,{'xy'[i % 2]}{end}" for i in range(8))
    with pytest.raises(UnreadableFile, match=f"`skip_rows` {len(rows)}"):
        read(io.BytesIO(content.encode()))
    data = read(io.BytesIO(content.encode()), skip_rows=len(rows))
    assert data.annotators == ("Ana", "Ben")
    assert data.n_items == 8


def test_a_quote_mark_that_is_never_closed_above_the_names_is_a_quote_mark() -> None:
    content = '"Study 1, open\ndoc,Ana,Ben\n' + "".join(f"d{i},x,{'xy'[i % 2]}\n" for i in range(8))
    assert read(io.BytesIO(content.encode()), skip_rows=1).annotators == ("Ana", "Ben")


def test_a_long_cell_above_the_table_takes_little_more_memory_than_its_text() -> None:
    """A pattern that could try each character again took 120 times as much as the text."""
    above = b'"' + b"x" * 500_000 + b'"\n'
    rows = b"item,Ana,Ben\n" + b"".join(b"i%d,%s,yes\n" % (i, (b"yes", b"no")[i % 2]) for i in range(9))
    tracemalloc.start()
    source, lines = _without_rows(Source("t.csv", data=above + rows), 1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (source.content(), lines) == (rows, 1)
    assert peak < 5 * len(above)
