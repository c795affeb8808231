"""JSON and JSONL: values as written."""

from __future__ import annotations

import io
import json

import pytest

from assent.errors import AssentError, EmptyTable, OptionError, UnreadableFile
from assent.readers import read, records
from assent.readers.records import read_records
from assent.readers.sources import Source
from assent.readers.tables import Table


def table(content: str | bytes, lines: bool | None = None, encoding: str = "utf-8") -> Table:
    data = content if isinstance(content, bytes) else content.encode()
    return read_records(Source("some.json", data=data), encoding=encoding, lines=lines)


def rows(content: str | bytes, lines: bool | None = None) -> list[tuple[str | None, ...]]:
    return table(content, lines).frame.lazy().collect().rows()


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("1", "1"), ("1.0", "1.0"), ("1.00", "1.00"), ("-0", "-0"), ("1e3", "1e3"), ('"1"', "1"), ("true", "true"),
        ("false", "false"), ("null", None), ('""', None), ('" x"', " x"), ("NaN", "NaN"), ('"a\\u0000b"', "a\x00b"),
        ('"\\ud83d\\ude00"', "😀"), ("123456789012345678901234567890", "123456789012345678901234567890"),
        ('"two\\nlines"', "two\nlines"), ('"a\u2028b"', "a\u2028b"), ('"a\tb"', "a\tb"),
    ],
)  # fmt: skip
def test_values_stay_as_written(written: str, text: str | None) -> None:
    record = f'{{"item": 1, "label": {written}}}'
    for content, lines in ((f"[{record}]", None), (f"{record}\n{record}\n", None), (record, True), (record, None)):
        assert rows(content, lines)[0] == ("1", text), content


@pytest.mark.parametrize(
    "content",
    [
        '[{"a": 1, "b": 2}, {"b": 4, "a": 3}]',
        ' [ {"a": 1, "b": 2} ,\n {"b": 4, "a": 3} ] \n',
        '{"a": 1, "b": 2}\n{"b": 4, "a": 3}',
        '\n{"a": 1, "b": 2}\r\n\r\n{"b": 4, "a": 3}\r\n',
        '{"data": [{"a": 1, "b": 2}, {"b": 4, "a": 3}]}',
        '{\n "schema": {"x": []},\n "n": 2,\n "data": [{"a": 1, "b": 2},\n {"b": 4, "a": 3}]\n}',
        '\ufeff[{"a": 1, "b": 2}, {"b": 4, "a": 3}]',
    ],
)
def test_records_in_all_wrappings(content: str) -> None:
    assert table(content).columns == ["a", "b"]
    assert rows(content) == [("1", "2"), ("3", "4")]


def test_a_key_that_comes_late_is_missing_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "_BATCH", 2)
    content = "\n".join(['{"a": 1}', '{"a": 2}', '{"b": 3}', '{"a": 4, "b": 5, "c": 6}'])
    assert rows(content) == [("1", None, None), ("2", None, None), (None, "3", None), ("4", "5", "6")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"a": 1}\n{"a": 2\n{"a": 3}\n', "broken JSON in line 2"),
        ('{"a": 1\n{"a": 2}\n', "broken JSON in line 1"),
        ('{"a": 1}\n[2]\n', "an array in line 2"),
        ('{"a": 1} {"a": 2}\n{"a": 3}\n', "broken JSON in line 1"),
        ('[{"a": 1},\n{"a": 2}\n{"a": 3}]', "broken JSON in line 3"),
        ('[{"a": 1},\n\n oops]', "broken JSON in line 3"),
        ('[{"a": 1}', "broken JSON in line 1"),
        ('[{"a": "1}', "unterminated string starting at column 8;"),
        ('[{"a": 1}] tail', "extra data"),
        ("[1, 2]", 'the value "1" as element 1'),
        ('[["a", "b"]]', "an array as element 1"),
        ('{"a": {"0": 1}, "b": {"1": 2}}', "object without a list of records"),
        ('{"x": [{"a": 1}], "y": [{"a": 1}]}', 'lists of records .*"x", "y"'),
        ('"text"', 'holds the value "text"'),
        ('[{"a": 1, "a": 2}]', 'key "a" twice'),
        ('{"a": 1, "a": 2}\n{"a": 1}\n', 'key "a" twice'),
        ('[{"a": "\\ud800"}]', "surrogate"),
        ("[" * 100_000, "nested too deeply"),
        (b'[{"a": "\xe9"}]', "byte 8 .*0xE9"),
    ],
)
def test_trouble(content: str | bytes, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message):
        table(content)


@pytest.mark.parametrize("content", ["", " \n", "[]", "{}\n{}\n", "[{}]"])
def test_nothing_in_it(content: str) -> None:
    with pytest.raises(EmptyTable):
        table(content)


def test_other_encodings() -> None:
    for encoding in ("latin-1", "utf-16"):
        assert table('[{"a": "é"}]'.encode(encoding), encoding=encoding).frame.lazy().collect().rows() == [("é",)]


def test_lists_of_lists_are_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("records") / "x.jsonl"
    path.write_text(
        '{"item": 1, "annotator": "a", "label": [["x"], "y"]}\n{"item": 1, "annotator": "b", "label": ["x"]}\n'
    )
    with pytest.raises(UnreadableFile, match='column "label"; each cell must hold one value, or a flat list of labels'):
        read(path)


def test_nested_values_in_other_columns_do_no_harm(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("records") / "x.json"
    path.write_text(
        '[{"item": 1, "annotator": "a", "label": "x", "meta": {"t": 1}}, {"item": 1, "annotator": "b", "label": "y"}]'
    )
    assert read(path).labels == ("x", "y")
    with pytest.raises(OptionError, match="delimiter"):
        read(path, delimiter=";")


def test_lists_and_objects_of_annotations_without_any_other_column() -> None:
    listed = [{"responses": [{"label": "a", "user_id": "x"}, {"label": "b", "user_id": "y"}]}] * 2
    with pytest.raises(AssentError, match="which column holds the item"):
        read(io.BytesIO(json.dumps(listed).encode()))
    named = [{"labels": {"ann": "a", "bob": "b"}}, {"labels": {"ann": "a", "bob": "a"}}]
    assert read(io.BytesIO(json.dumps(named).encode())).annotators == ("ann", "bob")
