"""Names of columns and options that broke a reader once: each is read, or refused in one sentence."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
import xlsxwriter
from tests.cli.conftest import Files, Program

import assent as library
from assent.errors import AssentError, InputError, OptionError, UnknownColumn, UnknownLayout, UnreadableFile
from assent.option_texts import comma_separated
from assent.readers import read
from assent.readers.columnar import unreadable_parquet


def table(text: str, **options: object) -> library.Annotations:
    return read(io.BytesIO(text.encode()), format="csv", **options)  # type: ignore[arg-type]


ONES = "item{0}annotator{0}{1}{0}{2}\n" + "".join(
    f"{i}{{0}}{who}{{0}}{(i + k) % 2}{{0}}{i % 2}\n" for i in range(6) for k, who in enumerate("xyz")
)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_columns_of_ones_whatever_separates_them(separator: str) -> None:
    data = table(ONES.format(separator, "a", "b"))
    assert data.n_annotations == 18
    assert set(data.single_labels) == {"a", "b"}


def test_a_name_of_a_label_column_may_hold_the_separator_of_another_table() -> None:
    data = table(ONES.format(",", '"a;b"', '"e;a;b"'))
    assert set(data.single_labels) == {"a;b", "e;a;b"}


@pytest.mark.parametrize("item", ["item", "nowhere", ""])
def test_a_transposed_table_has_no_item_column(item: str) -> None:
    with pytest.raises(AssentError):
        table("item,a,b\n1,x,y\n2,x,x\n3,y,y\n", transpose=True, item=item)


def test_a_list_of_names_may_hold_line_ends() -> None:
    assert comma_separated("len,x\ny") == ["len", "x\ny"]
    assert comma_separated('"a\r\nb,c",d') == ["a\r\nb,c", "d"]
    assert comma_separated('a, "b"') == ["a", "b"]
    with pytest.raises(OptionError, match="no list of names"):
        comma_separated("a" * 200_000)


def test_names_that_differ_by_a_control_character_are_different() -> None:
    data = table('item,"a\x01",a,"a\x02"\n1,x,y,x\n2,x,x,y\n3,y,y,y\n')
    assert set(data.annotators or ()) == {"a\x01", "a", "a\x02"}


def test_a_key_that_is_spelled_in_two_ways_is_one_key() -> None:
    with pytest.raises(UnreadableFile, match='the key "a" twice'):
        read(io.BytesIO(b'{"item":1,"a":"x","\\u0061":"y"}\n{"item":2,"a":"x","b":"y"}\n'))


@pytest.mark.parametrize("data", [{1: ["x", "y"], "1": ["x", "x"]}, [{1: "x", "1": "y", "item": 1}]])
def test_a_number_and_its_text_are_one_name(data: object) -> None:
    with pytest.raises(InputError, match="Two keys are written"):
        library.krippendorff_alpha(data)


def test_names_that_are_patterns_to_polars() -> None:
    text = "item,annotator,^a$,label\n" + "".join(f"{i},{who},{i % 3},{i % 2}\n" for i in range(6) for who in "xy")
    assert library.look(io.BytesIO(text.encode())).columns[2].name == "^a$"
    found = library.read_all(io.BytesIO(text.encode()), format="csv", questions="^a$")
    assert list(found) == ["0", "1", "2"]
    starred = table("*,a,b\n0,1,x\nx,y,x\n2,1,x\n", cluster="*", annotators=["a", "b"])
    assert starred.n_annotations == 6
    lists = [{"^a$": ["x", "y"], "item": i} for i in range(4)]
    assert library.read(lists, item="item").n_items == 4


def test_lists_in_a_column_that_another_question_lacks() -> None:
    rows = b'[{"item": 1, "annotator": ["a"], "polite": "x", "true": ["y"]}, {"item": 2, "annotator": ["b"], "polite": "x", "true": ["y"]}]'
    with pytest.raises(AssentError):
        library.read_all(io.BytesIO(rows), question_columns=["polite", "annotator", "true"])


def test_a_table_of_which_nothing_is_left() -> None:
    with pytest.raises(UnknownLayout, match="No column is left"):
        read(io.BytesIO(b'{"":"y"}\n{"":"x"}\n'), rank="")


def test_an_item_column_without_a_name_that_is_not_there() -> None:
    with pytest.raises(UnknownColumn):
        read(io.BytesIO(b'[{"item":"0","annotator":"a","document":"0","final":"1.5"}]'), document="")


def test_a_file_that_is_said_to_be_of_brat() -> None:
    with pytest.raises(UnreadableFile, match=r"holds no \.ann file"):
        read(io.BytesIO(b"a,b\n1,2\n"), format="brat")


@pytest.mark.parametrize("rows", [[], [["item", "annotator", "label", "rank"]], [["item"], [], [], ["", "", "x"]]])
@pytest.mark.parametrize(
    "command", [["measure"], ["measure", "--rank", "rank"], ["plan"], ["plan", "--rank", "rank"], ["look"]]
)
def test_sheets_with_nothing_to_read(
    tmp_path: Path, assent: Program, rows: list[list[str]], command: list[str]
) -> None:
    path = tmp_path / "sheet.xlsx"
    book = xlsxwriter.Workbook(path)
    sheet = book.add_worksheet()
    for i, row in enumerate(rows):
        sheet.write_row(i, 0, row)
    book.close()
    done = assent(command[0], str(path), *command[1:])
    assert done.code == 2 or command == ["look"]
    assert "defect" not in done.err
    assert done.err.count("\n") <= 1


@pytest.mark.parametrize(
    "columns", [("item", "annotator", "label"), ("document", "annotator", "start", "end", "label")]
)
def test_a_parquet_file_that_is_broken_in_the_middle(tmp_path: Path, assent: Program, columns: tuple[str, ...]) -> None:
    path = tmp_path / "broken.parquet"
    pl.DataFrame(
        {name: [f"{name[0]}{i}" if name in ("item", "label") else f"{i}" for i in range(40)] for name in columns}
    ).write_parquet(path)
    whole = path.read_bytes()
    # Every page but the names at the end.
    path.write_bytes(whole[:4] + b"\xff" * (whole.index(b"\x19\x18") - 4) + whole[whole.index(b"\x19\x18") :])
    for command in (
        ["measure"],
        ["look"],
        ["look", "--winner", columns[0]],
        ["look", "--start", columns[0]],
        ["measure", "--questions", columns[0]],
    ):
        done = assent(command[0], str(path), *command[1:])
        assert done.code == 2
        assert "is not a readable Parquet file" in done.err


def test_monitoring_numbers_with_a_separator(tmp_path: Path, assent: Program) -> None:
    path = tmp_path / "numbers.parquet"
    pl.DataFrame({"item": [1, 1, 2, 2, 3, 3], "annotator": ["a", "b"] * 3, "label": [1, 2, 1, 1, 2, 2]}).write_parquet(
        path
    )
    done = assent("monitor", str(path), "--separator", ";")
    assert "defect" not in done.err
    assert done.code in (0, 2)


@pytest.mark.parametrize(
    "encoding", ["unicode_escape", "raw_unicode_escape", "idna", "punycode", "utf-7", "undefined", "base64", "mbcs"]
)
def test_encodings_that_are_none_of_files(file: Files, assent: Program, encoding: str) -> None:
    path = file("wide.csv", "item,a,b\n1,x\\ud800,y\n2,x,x\n3,é,y\n")
    for command in ("measure", "look", "monitor"):
        done = assent(command, path, "--encoding", encoding)
        assert done.code in (0, 2)
        assert "defect" not in done.err


@pytest.mark.parametrize(
    "option",
    ["--item", "--annotator", "--label", "--annotators", "--question", "--format", "--layout", "--delimiter", "--encoding", "--sheet",
     "--rank", "--labels", "--order", "--weights", "--only", "--rename", "--annotator-from-name", "--measure", "--scale", "--cluster"],
)  # fmt: skip
def test_a_long_option_is_not_repeated_whole(file: Files, assent: Program, option: str) -> None:
    done = assent("measure", file("wide.csv", "item,a,b\n1,x,y\n2,x,x\n3,y,y\n"), option, "q" * 4_000)
    assert done.code == 2
    assert len(done.err) < 500


def test_frames_with_names_that_only_pandas_has() -> None:
    twice = pd.DataFrame([["a", "b"], ["a", "a"]], columns=["x", "x"])
    levels = pd.DataFrame([["a", "b"], ["a", "a"]], columns=pd.MultiIndex.from_tuples([("l", "x"), ("l", "y")]))
    with pytest.raises(InputError, match="two columns of the same name"):
        library.krippendorff_alpha(twice)
    with pytest.raises(InputError, match="several levels"):
        library.krippendorff_alpha(levels)


def test_sets_in_triples_and_in_rows() -> None:
    pairs = [("ab", "a"), ("b", "b"), ("a", "a"), ("a", "b")]
    triples = [(who, i, frozenset(held)) for i, both in enumerate(pairs) for who, held in zip("xy", both, strict=True)]
    rows = [[set(first), list(second)] for first, second in pairs]
    expected = 10 / 31
    assert library.krippendorff_alpha(triples, distance="jaccard").value == pytest.approx(expected)
    assert library.krippendorff_alpha(rows, distance="jaccard").value == pytest.approx(expected)
    empty = library.Annotations.from_triples([("x", 1, set()), ("y", 1, {"a"}), ("x", 2, {"a"}), ("y", 2, {"a"})])
    assert empty.n_annotations == 4
    with pytest.raises(InputError, match="missing"):
        library.Annotations.from_triples([("x", 1, [None])])


def test_a_hundred_thousand_columns(file: Files, assent: Program) -> None:
    names = [f"c{i}" for i in range(10_001)]
    path = file(
        "columns.csv", "\n".join([",".join(names), ",".join("x" * len(names)), ",".join("y" * len(names))]) + "\n"
    )
    done = assent("measure", path)
    assert done.code == 2
    assert "10,001 columns" in done.err
    assert len(done.err) < 400


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("[rename]\nyes = 1\n", "must be a text in quotation marks"),
        ("merge = {x = 3}\n", "must be a list of texts"),
        ("[only]\nannotators = [1]\n", "must be a list of texts"),
        ("rename = 3\n", "must be a table"),
        ("[only]\nfoo = ['a']\n", "not one of annotators, labels, items"),
    ],
)
def test_settings_of_another_kind(file: Files, assent: Program, settings: str, told: str) -> None:
    path = file("wide.csv", "item,a,b\n1,yes,no\n2,no,no\n3,yes,yes\n")
    file("assent.toml", settings)
    done = assent("measure", path)
    assert done.code == 2
    assert told in done.err


def test_looking_takes_what_was_said_once_for_all(file: Files) -> None:
    rows = "".join(f"{i},{'yes' if i % 2 else 'no'},{'yes' if i % 3 else 'no'}\n" for i in range(8))
    path = file("wide.csv", f"A project\nitem,ann,ben\n{rows}")
    file("assent.toml", "skip_rows = 1\n")
    found = library.look(path)
    assert found.layout == "wide"
    assert any("assent.toml" in note for note in found.notes)
    ones = [
        file(f"{who}.csv", "item,label\n" + "".join(f"{i},{'xy'[i % 2]}\n" for i in range(6))) for who in ("ann", "ben")
    ]
    file("assent.toml", "")
    both = library.look(*ones, annotator_from_name="(.*)")
    assert both.questions[0].n_annotators == 2


SPANS = "document,annotator,start,end,label\n" + "".join(
    f"d{d},{who},{start},{start + 4 + shift},A\n"
    for d in range(6)
    for who, shift in (("p", 0), ("q", d % 2))
    for start in (0, 9)
)
ORDERS = "item,annotator,object,rank\n" + "".join(
    f"q{q},{who},o{(rank + shift * (q % 2)) % 3},{rank + 1}\n" for q in range(6) for who, shift in (("p", 0), ("q", 1)) for rank in range(3)
)  # fmt: skip


@pytest.mark.parametrize(("text", "options"), [(SPANS, []), (ORDERS, ["--object", "object", "--rank", "rank"])])
def test_a_permutation_test_needs_labels_of_items(file: Files, assent: Program, text: str, options: list[str]) -> None:
    done = assent("measure", file("table.csv", text), *options, "--test")
    assert done.code == 2
    assert "A permutation test deals the labels of items anew" in done.err
    assert "leave out --test" in done.err


def test_plans_from_choices_without_an_interval(file: Files, assent: Program) -> None:
    rows = [
        "p0,o4,o3,tie",
        "p1,o2,o1,tie",
        "p1,o4,o3,o3",
        "p2,o1,o2,tie",
        "p2,o2,o3,o3",
        "p2,o2,o4,tie",
        "p2,o3,o4,tie",
        "p2,o1,o3,o3",
    ]
    done = assent("plan", file("choices.csv", "\n".join(["annotator,left,right,winner", *rows]) + "\n"))
    assert done.code == 2
    assert "too few for an interval; annotate more" in done.err


def test_more_items_than_a_float_can_count(file: Files, assent: Program) -> None:
    path = file("counts.csv", f"item,x,y\n1,3,1\n2,2,{10**19}\n3,0,4\n4,4,0\n")
    done = assent("measure", path, "--layout", "counts")
    assert "defect" not in done.err
    from assent.inference.intervals import _t_quantile

    assert _t_quantile(0.975, 10**300) == pytest.approx(1.959963984540054, rel=1e-15)


def test_what_is_written_is_printed_as_well_where_that_is_asked(file: Files, assent: Program, tmp_path: Path) -> None:
    path = file("wide.csv", "item,a,b\n1,x,y\n2,x,x\n3,y,y\n")
    done = assent("explain", path, "-o", str(tmp_path / "out.md"), "--json")
    assert (tmp_path / "out.md").exists()
    assert done.json["data"]


def test_preferences_without_a_winner_are_none(assent: Program, file: Files) -> None:
    votes = file("votes.csv", "annotator,left,right,winner\np,a,b,\nq,a,b,\n")
    for command in ("measure", "report", "annotators", "items", "explain", "plan"):
        done = assent(command, votes, "--layout", "preferences")
        assert (done.code, done.out) == (2, "")
        assert 'has no winner in any row: the column "winner" is empty throughout.' in done.err


def test_rankings_of_a_table_have_no_right_answers(assent: Program, file: Files) -> None:
    ranks = file("ranks.csv", "annotator,object,rank\np,a,1\np,b,2\nq,a,2\nq,b,1\n")
    done = assent("consensus", ranks, "--object", "object", "--rank", "rank", "--gold", "export")
    assert done.code == 2
    assert done.err.startswith("assent: --gold export takes the right answers that the data hold, and these hold none")


def test_a_reader_that_breaks_down_does_not_tell_of_its_code() -> None:
    broken = unreadable_parquet(
        '"labels.parquet"', pl.exceptions.PanicException("called `Result::unwrap()` on an `Err` value")
    )
    assert str(broken) == '"labels.parquet" is not a readable Parquet file; write it again.'
