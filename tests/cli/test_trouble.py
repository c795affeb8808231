"""Trouble: one clear sentence on standard error, exit 2, nothing on standard output, nothing written, no traceback."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from tests.cli.conftest import LONG, WIDE, Done, Files, Program

GARBAGE = random.Random(1).randbytes(4000)
HEADER = "item,annotator,label\n"

#: A table, what else is said, and what the sentence must say.
TROUBLE: dict[str, tuple[str | bytes, tuple[str, ...], str]] = {
    "an empty file": (b"", (), r'"data.csv" is empty'),
    "a file of blank lines": (b"\n\n\n", (), r'"data.csv" is empty'),
    "a byte order mark and nothing else": (b"\xef\xbb\xbf", (), r'"data.csv" is empty'),
    "a header without rows": (HEADER, (), "has column names but no rows"),
    "one annotator": (HEADER + "1,x,a\n2,x,b\n", (), 'Only one annotator, "x", gave labels: agreement needs two'),
    "no item annotated twice": (
        HEADER + "1,x,a\n2,y,b\n",
        (),
        r"No item has two annotations \(2 items, 2 annotations\)",
    ),
    "no label at all": (
        HEADER + "1,x,\n1,y,NA\n",
        (),
        r'an item, an annotator and a label \(1 missing label; 1 missing label \("NA"\)\)',
    ),
    "no label yet": (
        "item,a,b\n1,,\n2,,\n3,,\n",
        (),
        r'of the rows that were looked at, none has anything in "a", "b"\); say what the columns are',
    ),
    "no label yet of columns that were named": (
        "item,a,b\n1,,\n2,,\n",
        ("--annotators", "a,b"),
        r"a label \(4 missing labels\)",
    ),
    "a row too long": (HEADER + "1,x,a\n1,y,b,c\n", (), "4 fields in line 3 and 3 in its header"),
    "a row too short": (HEADER + "1,x,a\n1,y\n2,x,a\n", (), "2 fields in line 3 and 3 in its header"),
    "duplicates": (
        HEADER + "1,x,a\n1,x,b\n1,y,a\n2,x,a\n",
        (),
        r"2 rows are 1 \(item, annotator\) pairs that occur more",
    ),
    "the same item throughout": (
        HEADER + "0,x,a\n0,y,b\n0,x,b\n0,y,b\n",
        (),
        'All rows have the same item, "0", and .* check which column holds the items',
    ),
    "a quote that is not closed": (HEADER + '1,x,"a\n1,y,b\n', (), "a quote mark opens a cell and is never closed"),
    "binary garbage": (GARBAGE, (), "holds binary data, not a table"),
    "null bytes": (b"\0" * 1000, (), "full of null bytes"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + GARBAGE, (), "is a PNG image, not a table"),
    "a web page": ("<!DOCTYPE html><html></html>", (), "is a web page, not a table"),
    "bytes that are not UTF-8": (
        b"item,r1,r2\n1,caf\xe9,b\n2,b,b\n",
        (),
        "is not UTF-8: byte 16 .line 2. is 0xE9.*--encoding latin-1",
    ),
    "one column": ("label\na\nb\n", (), 'only one column, "label"'),
    "a column that is named twice": ("item,x,x\n1,a,b\n", (), 'more than one column named "x"'),
    "a column without a name": ("item,x,,y\n1,a,b,c\n", (), "no name for column 3 of 4"),
    "a column that does not exist": (
        LONG,
        ("--label", "lable"),
        'column "lable", which the table does not have; did you mean "label"',
    ),
    "a column of another case": (LONG, ("--item", "ITEM"), 'did you mean "item"'),
    "a column that is like no other": (LONG, ("--item", "zzz"), 'choose one of "item", "annotator", "label"'),
    "a cluster that does not exist": (LONG, ("--cluster", "doc"), '--cluster names the column "doc"'),
    "an annotator column that does not exist": (WIDE, ("--annotators", "r1,r3"), '--annotators names the column "r3"'),
    "one column for two roles": (LONG, ("--item", "label", "--label", "label"), "both name the column"),
    "options that do not fit together": (
        WIDE,
        ("--layout", "wide", "--label", "r1"),
        "--label does not fit a wide table",
    ),
    "counts that are no counts": ("item,a,b\n1,x,2\n2,1,1\n", ("--layout", "counts"), 'whole numbers.*row 1 has "x"'),
    "counts that are negative": ("item,a,b\n1,-1,2\n2,1,1\n", ("--layout", "counts"), 'whole numbers.*row 1 has "-1"'),
    "counts of nothing": ("item,a,b\n1,0,0\n2,0,0\n", ("--layout", "counts"), "holds no annotation"),
    "a table that is not square": (
        ",a,b\na,1,2\n",
        ("--layout", "table"),
        "the same names in its first column and its first line",
    ),
    "an item in two clusters": (
        "item,annotator,label,doc\n1,x,a,1\n1,y,a,2\n",
        ("--cluster", "doc"),
        "1 item stands in more than one cluster",
    ),
    "names on a numeric scale": (
        WIDE,
        ("--scale", "interval"),
        'An interval scale needs labels that are numbers, and "a" is not',
    ),
    "an unknown measure": (
        WIDE,
        ("-m", "fleiss-kapa"),
        r'There is no measure "fleiss-kapa": did you mean "fleiss-kappa"\?',
    ),
    "a measure that is like no other": (
        WIDE,
        ("-m", "zzz"),
        'There is no measure "zzz": choose one of "percent-agreement"',
    ),
    "an unknown scale": (
        WIDE,
        ("--scale", "ordnal"),
        r'scale is "ordnal", which is not one of .*did you mean ordinal\?',
    ),
    "an unknown interval": (WIDE, ("--ci", "bootstrp"), r'--ci is "bootstrp".*did you mean bootstrap\?'),
    "an unknown bootstrap": (
        WIDE,
        ("--ci", "bootstrap", "--bootstrap", "x"),
        'is "x", which is not one of bca, percentile',
    ),
    "an unknown layout": (
        WIDE,
        ("--layout", "tall"),
        'layout is "tall", which is not one of long, wide, counts, table',
    ),
    "an unknown way with duplicates": (
        WIDE,
        ("--duplicates", "any"),
        'duplicates is "any", which is not one of error, first, last',
    ),
    "an unknown decimal mark": (WIDE, ("--decimal", ";"), 'decimal is ";"'),
    "an unknown encoding": (WIDE, ("--encoding", "utf-9"), '--encoding is "utf-9", which is not known'),
    "an unknown format": (WIDE, ("--format", "xls"), r'format is "xls", which is not one of .*did you mean xlsx\?'),
    "an unknown gate": (WIDE, ("--fail-on", "high", "--fail-under", "1"), 'is "high", which is not one of value, low'),
    "a delimiter of two characters": (
        WIDE,
        ("--delimiter", "::"),
        '--delimiter is "::"; it must be one ASCII character',
    ),
    "a sheet of a file without sheets": (WIDE, ("--sheet", "labels"), "--sheet does not fit the csv file"),
    "an order that leaves out a label": (
        WIDE,
        ("--order", "a"),
        '--order leaves out "b": it must name every label in use',
    ),
    "an order that names a label twice": (WIDE, ("--order", "a,b,a"), 'The label "a" is named twice'),
    "weights of a file that is not there": (
        WIDE,
        ("--weights", "mine.csv"),
        '--weights names "mine.csv", and there is no such file',
    ),
    "a level of 95": (WIDE, ("--level", "95"), "--level is 95.0; it must lie between 0 and 1"),
    "a level of 0": (WIDE, ("--level", "0"), "--level is 0.0; it must lie between 0 and 1"),
    "a level that is not a number": (WIDE, ("--level", "nan"), "--level is nan; it must lie between 0 and 1"),
    "no replicates": (WIDE, ("--ci", "bootstrap", "--replicates", "0"), "--replicates is 0"),
    "a negative number of replicates": (WIDE, ("--ci", "bootstrap", "--replicates", "-5"), "--replicates is -5"),
    "a negative seed": (WIDE, ("--ci", "bootstrap", "--seed", "-1"), "--seed is -1; it must not be negative"),
    "no permutations": (WIDE, ("--test", "--replicates", "0"), "replicates"),
    "a word for a level": (WIDE, ("--level", "high"), "--level"),
    "a word for a number of replicates": (WIDE, ("--replicates", "many"), "--replicates"),
    "a fraction of a replicate": (WIDE, ("--replicates", "1.5"), "--replicates"),
    "a word for a seed": (WIDE, ("--seed", "x"), "--seed"),
    "a word for a target": (WIDE, ("--fail-under", "good"), "--fail-under"),
    "an option that does not exist": (WIDE, ("--mesure", "spa"), r"--mesure.*--measure"),
    "an option without its value": (WIDE, ("--level",), "--level"),
}


def refused(done: Done, message: str = "") -> None:
    """One sentence that says what is wrong, and nothing else."""
    assert done.code == 2
    assert done.out == ""
    assert re.fullmatch(r"assent: \S[^\n]*[.?]\n", done.err), done.err
    assert "Traceback" not in done.err
    assert "defect" not in done.err
    assert re.search(message, done.err), done.err


@pytest.mark.parametrize("name", TROUBLE)
def test_trouble_is_one_sentence(assent: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    content, arguments, message = TROUBLE[name]
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    refused(assent("measure", "data.csv", *arguments, "--json"), message)
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("measure", "zzz"), 'There is no file "zzz"; check the name'),
        (("measure", "data.cvs"), r'There is no file "data.cvs"; did you mean "data.csv"\?'),
        (("measure", "no/such/place.csv"), 'There is no file "no/such/place.csv"; there is no directory'),
        (("measure", "."), '"." is a folder, which .*: name the files to read, such as ".*csv"'),
        (("measure", "*.tsv"), r'No file matches "\*.tsv"'),
        (("measure", "data.csv", "other.csv"), '"other.csv" lacks .* compared with "data.csv"'),
        (("measure", "a\0b"), "cannot be opened|There is no file"),
        (("measure",), "No file was given"),
        (("mesure", "data.csv"), "mesure"),
    ],
)
def test_files_and_commands_that_are_not_there(
    assent: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_text(WIDE)
    Path("other.csv").write_text(LONG)
    refused(assent(*arguments), message)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("stdin", [b"", b"\n", HEADER.encode(), GARBAGE])
def test_standard_input_is_no_better(assent: Program, stdin: bytes) -> None:
    refused(assent("measure", "-", stdin=stdin), "standard input")


@pytest.mark.parametrize("suffix", ["parquet", "xlsx", "json", "jsonl", "gz"])
@pytest.mark.parametrize("content", [b"", GARBAGE], ids=["empty", "garbage"])
def test_every_format_refuses_what_it_is_not(assent: Program, file: Files, suffix: str, content: bytes) -> None:
    refused(assent("measure", file(f"data.{suffix}", content)), f'data.{suffix}"')


@pytest.mark.parametrize(
    "content",
    [
        b'{"item": 1, "annotator": "x"',
        b'[{"item": 1}, 2]',
        b"[1, 2, 3]",
        b'{"a": 1}',
        b"[" * 100_000,
        b'[{"item": 1, "item": 2}]',
        b'[{"item": 1, "annotator": "x", "label": [["a"], "b"]}, {"item": 1, "annotator": "y", "label": "a"}]',
        b'[{"item": "\\ud800", "annotator": "x", "label": "a"}]',
    ],
    ids=["cut", "not a record", "numbers", "one record", "deep", "a key twice", "a list of lists", "half a character"],
)
def test_json_that_is_no_table(assent: Program, file: Files, content: bytes) -> None:
    refused(assent("measure", file("data.json", content)))


@pytest.mark.parametrize(
    "head", [b"", HEADER.encode(), HEADER.encode() + b'1,x,"', b'{"item": "'], ids=["header", "row", "quoted", "json"]
)
def test_a_line_that_never_ends(assent: Program, file: Files, head: bytes) -> None:
    """Twenty megabytes without a line end; two hundred are refused in the same places."""
    refused(assent("measure", file("line", head + b"x" * 20_000_000)))


def test_a_message_blames_what_is_to_blame(assent: Program, file: Files) -> None:
    """There is no quote mark in this file."""
    done = assent("measure", file("data.csv", HEADER + "1,x," + "a" * 20_000_000 + "\n1,y\n"))
    refused(done)
    assert "quote mark in its first line" not in done.err


def test_a_long_text_beside_the_labels_is_no_trouble(assent: Program, file: Files) -> None:
    """Documents are longer than the 131,072 characters that Python's csv module allows."""
    rows = "".join(f"{i},{who},{'ab'[i % 2]},{'word ' * 40_000}\n" for i in range(3) for who in "xy")
    done = assent("measure", file("data.csv", "item,annotator,label,text\n" + rows), "--json", "-m", "spa")
    assert done.only["value"] == 1.0


def test_what_is_odd_but_usable_is_measured_and_said(assent: Program, file: Files) -> None:
    """One item, an annotator without labels, one label: there is a number or a reason, and that is no error."""
    silent = assent("measure", file("a.csv", HEADER + "1,x,a\n1,y,b\n1,z,\n2,x,a\n2,y,a\n2,z,NA\n"), "--json")
    assert silent.code == 0
    assert '1 annotator has no label: "z".' in silent.json["data"]["notes"]
    assert silent.json["data"]["annotators"] == 2
    single = assent("measure", file("b.csv", HEADER + "1,x,a\n1,y,b\n"), "--json")
    assert all("one unit" in one["notes"][-1] for one in single.json["measures"])
    one_label = assent(
        "measure", file("c.csv", HEADER + "1,x,a\n1,y,a\n2,x,a\n2,y,a\n"), "--json", "-m", "fleiss-kappa"
    )
    assert one_label.only["value"] is None
    assert "agree on everything" in one_label.only["notes"][0]


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (KeyboardInterrupt(), 130, "^assent: interrupted.$"),
        (MemoryError(), 2, "do not fit into memory"),
        (RuntimeError("several\nlines\x1b[31m of it"), 2, 'a defect in assent, RuntimeError: "?several'),
    ],
)
def test_what_nobody_foresaw_is_one_line_too(
    assent: Program, wide: str, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, says: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("assent.readers.read", fail)
    done = assent("measure", wide)
    assert (done.code, done.out) == (code, "")
    assert re.search(says, done.err)
    assert done.err.strip().count("\n") == 0
    assert "\x1b" not in done.err


def test_a_defect_shows_where_it_is_when_asked(wide: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from assent.cli.app import run

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("here")

    monkeypatch.setenv("ASSENT_DEBUG", "1")
    monkeypatch.setattr("assent.readers.read", fail)
    with pytest.raises(RuntimeError, match="here"):
        run(["measure", wide])


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "No file was given: name one, or an example with --example."),
        ("https://example.org/labels.csv", "is an address, and files are read from disk; download it first."),
        ("s3://bucket/labels.parquet", "is an address, and files are read from disk; download it first."),
    ],
)
@pytest.mark.parametrize("command", ["measure", "report", "look", "monitor"])
def test_what_is_no_file_is_told_so(assent: Program, command: str, name: str, says: str) -> None:
    done = assent(command, name)
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith(says + "\n")


def test_broken_json_has_a_remedy(assent: Program, file: Files) -> None:
    done = assent("measure", file("a.json", '[{"a": 1}'))
    assert done.code == 2
    assert done.err.endswith("; export it again, or mend that line.\n")
