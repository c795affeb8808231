"""Archives, folders and texts are opened under limits; whatever is wrong with them is one sentence."""

import gzip
import io
import json
import os
import stat
import tracemalloc
import zipfile

import pytest
from tests.support import link

from assent.errors import AssentError, OptionError, UnreadableFile
from assent.readers.exports import Limits, ReadOptions, Source, delimited_rows, read_export
from assent.readers.exports.delimited_rows import Rows
from assent.readers.exports.first_look import look
from assent.readers.exports.json_records import Pairs, Records
from assent.readers.exports.texts import open_text, read_text
from assent.web.uploads import uploads_of


def packed(files: dict[str, bytes], **options) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def unpacked(data: bytes) -> list[bytes]:
    return [one.content() for one in Source.of_bytes("x.zip", data)]


def member(data: bytes, name: str = "x.json"):
    return Source.of_bytes(name, data).members[0]


@pytest.mark.parametrize("name", ["/etc/passwd", "../up.jsonl", "a/../../up.jsonl", "a\\b.jsonl", "C:/x.jsonl"])
def test_names_that_lead_out_are_refused(name):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        info = zipfile.ZipInfo("safe")
        info.filename = name
        archive.writestr(info, b"{}")
    with pytest.raises(UnreadableFile, match="outside"):
        Source.of_bytes("x.zip", out.getvalue())


def test_a_file_without_a_name_is_refused():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        info = zipfile.ZipInfo("safe")
        info.filename = ""
        archive.writestr(info, b"{}")
    with pytest.raises(UnreadableFile, match="without a name"):
        Source.of_bytes("x.zip", out.getvalue())
    assert [one.name for one in uploads_of("x.zip", out.getvalue())] == ["x.zip"]


def test_a_zip_that_is_all_a_folder_or_zip_holds_is_the_export(tmp_path):
    inner = packed({"ann.jsonl": b"1", "ben.jsonl": b"2"})
    (tmp_path / "export.zip").write_bytes(inner)
    (tmp_path / ".DS_Store").write_bytes(b"x")
    assert [one.name for one in Source.of(tmp_path)] == ["ann.jsonl", "ben.jsonl"]
    assert unpacked(packed({"__MACOSX/._export.zip": b"x", "export.zip": inner})) == [b"1", b"2"]
    with pytest.raises(UnreadableFile, match="a zip in a zip in a zip"):
        Source.of_bytes("x.zip", packed({"a.zip": packed({"b.zip": inner})}))


def test_what_describes_data_is_none_of_them(tmp_path):
    about = ("README.md", "readme", "LICENSE", "Licence.txt", "CHANGELOG.rst", "ann/README.md")
    (tmp_path / "ann").mkdir()
    # Further down a text may be a document.
    for name in (*about, "readme.jsonl", "my-license.txt", "ann/license.txt"):
        (tmp_path / name).write_bytes(b"x")
    kept = ["ann/license.txt", "my-license.txt", "readme.jsonl"]
    assert sorted(one.name for one in Source.of(tmp_path)) == kept
    zipped = packed(
        {str(path.relative_to(tmp_path).as_posix()): b"x" for path in tmp_path.rglob("*") if path.is_file()}
    )
    assert sorted(one.name for one in Source.of_bytes("x.zip", zipped)) == kept
    below = packed(
        {"__MACOSX/x": b"", "top/": b"", "top/README.txt": b"x", "top/ann/readme.txt": b"x", "top/ann.jsonl": b"y"}
    )
    assert sorted(one.name for one in Source.of_bytes("x.zip", below)) == ["top/ann.jsonl", "top/ann/readme.txt"]


def test_links_in_a_zip_are_refused():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        info = zipfile.ZipInfo("link.jsonl")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(UnreadableFile, match="is a link"):
        Source.of_bytes("x.zip", out.getvalue())


def test_bombs_are_refused_before_they_are_unpacked():
    data = packed({"a.jsonl": b"0" * (64 << 20)})
    with pytest.raises(UnreadableFile, match="200 times its size"):
        Source.of_bytes("x.zip", data)


def test_a_bomb_in_gzip_stops_at_the_limit(tmp_path):
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(gzip.compress(b"[" + b" " * (64 << 20)))
    with pytest.raises(UnreadableFile, match="200 times its size"):
        Source.of(path).members[0].content()


def test_sizes_and_numbers_are_limited():
    files = {f"{n}.jsonl": os.urandom(100) for n in range(10)}
    with pytest.raises(UnreadableFile, match="more than 5 files"):
        Source.of_bytes("x.zip", packed(files), limits=Limits(members=5))
    with pytest.raises(UnreadableFile, match="more than 500 bytes"):
        Source.of_bytes("x.zip", packed(files), limits=Limits(total=500))
    with pytest.raises(UnreadableFile, match="more than 50 bytes"):
        Source.of_bytes("x.zip", packed(files), limits=Limits(member=50))


def test_a_zip_in_a_zip_in_a_zip_is_refused():
    inner = packed({"a.jsonl": b"{}"})
    middle = packed({"inner.zip": inner, "b.txt": b""})
    outer = Source.of_bytes("x.zip", packed({"middle.zip": middle, "c.txt": b""}))
    second = outer.members[0].opened()
    assert [m.name for m in second] == ["inner.zip", "b.txt"]
    with pytest.raises(UnreadableFile, match="zip in a zip in a zip"):
        second.members[0].opened()


def test_broken_archives_are_one_sentence():
    whole = packed({"a.jsonl": b'{"a": 1}' * 1000})
    for data in (whole[:-30], whole[:50], b"PK\x03\x04" + b"\0" * 40, whole[:40] + b"\xff" * 20 + whole[60:]):
        with pytest.raises(UnreadableFile, match=r"broken or not complete|cannot be opened"):
            unpacked(data)


def test_encrypted_members_are_refused():
    data = bytearray(packed({"a.jsonl": b"{}"}))
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    with pytest.raises(UnreadableFile, match="encrypted"):
        Source.of_bytes("x.zip", bytes(data))


def test_two_members_of_one_name_are_refused():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.jsonl", "{}")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.jsonl", "{}")
    with pytest.raises(UnreadableFile, match="two files named"):
        Source.of_bytes("x.zip", out.getvalue())


def test_what_systems_leave_behind_is_skipped(tmp_path):
    data = packed({"__MACOSX/._a.jsonl": b"x", "._b": b"x", ".DS_Store": b"x", "sub/.hidden/c": b"x", "a.jsonl": b"{}"})
    assert [m.name for m in Source.of_bytes("x.zip", data)] == ["a.jsonl"]
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("x")
    (tmp_path / "a.jsonl").write_text("{}")
    (tmp_path / ".DS_Store").write_text("x")
    assert [m.name for m in Source.of(tmp_path)] == ["a.jsonl"]


def test_a_link_out_of_a_folder_is_refused(tmp_path):
    (tmp_path / "secret").write_text("{}")
    inside = tmp_path / "in"
    inside.mkdir()
    (inside / "own.jsonl").write_text("{}")
    link(inside / "alias.jsonl", inside / "own.jsonl")
    assert len(Source.of(inside).members) == 2
    link(inside / "out.jsonl", tmp_path / "secret")
    with pytest.raises(UnreadableFile, match="leads out of the folder"):
        Source.of(inside)


def test_missing_files_and_wrong_sources():
    with pytest.raises(UnreadableFile, match="does not exist"):
        Source.of("/no/such/file.json")
    with pytest.raises(OptionError, match="path or an open file"):
        Source.of(3)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="No file"):
        Source.of()


def test_gzip_by_content_whatever_the_name(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n{"a": 2}\n'))
    one = Source.of(path).members[0]
    assert one.name == "a.jsonl"
    assert list(Records(one)) == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_byte_order_marks(encoding):
    text = '[{"a": "é😀"}]'
    marks = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
    data = marks.get(encoding, b"") + text.encode(encoding)
    assert list(Records(member(data))) == [{"a": "é😀"}]


def test_broken_encodings_are_one_sentence():
    for data in (b'[{"a": "\xff"}]', b"\xff\xfe\x00", b'[{"a": "' + "é".encode("latin-1") + b'"}]'):
        with pytest.raises(UnreadableFile, match="not text in"):
            read_text(member(data))
    assert Source.of_bytes("x", b'["\xe9"]', encoding="cp1252").members[0].peek.records == ("é",)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"[1, 2", "a comma or the end"), (b"[1,,2]", "expecting value"), (b'{"a": NaN}', "holds NaN"),
        (b'[{"a": -Infinity}]', "holds -Infinity"), (b"[" * 200_000, "nested too deeply"), (b"[1] 2", "follows the list"),
        (b'{"a": "x', "unterminated"), (b'[{"a" 2}]', "delimiter"), (b"[tru]", "expecting value"),
        (b"[1" + b"0" * 6000 + b"]", "too long"),
    ],
)  # fmt: skip
def test_what_is_not_json_is_one_sentence(data, reason):
    with pytest.raises(UnreadableFile, match=reason):
        list(Records(member(data)))
    assert look(member(data)).shape in ("list", "object", "text")


def test_the_line_of_an_error_is_right():
    data = b'[\n{"a": 1},\n' + b'{"b": "' + b"x" * 400_000 + b'"},\n{"c" 1}\n]'
    with pytest.raises(UnreadableFile, match=r"line 4\)"):
        list(Records(member(data)))


def test_records_are_the_same_however_they_fall_into_the_window():
    records = [{"n": n, "t": "é" * (n % 7), "l": [n] * (n % 50), "s": {"a": None}} for n in range(20_000)]
    for text in (json.dumps(records), json.dumps(records, indent=2), "\n".join(map(json.dumps, records)),
                 json.dumps(records, ensure_ascii=False, separators=(",", ":"))):  # fmt: skip
        assert list(Records(member(text.encode()))) == records
    pairs = {str(n): r for n, r in enumerate(records)}
    assert dict(Pairs(member(json.dumps(pairs, indent=1).encode()))) == pairs


def test_many_records_at_once_are_the_same_as_one_by_one():
    # Texts and objects within records that look like the beginning of a record.
    within = ['},{"n": 1', ', {"n":', '\\"},{"n":', "]}, [{", "\n},\n{"]
    records = [
        {"n": n, "t": within[n % 5] * (n % 3), "s": [{"n": 1}, {"n": 2}] if n % 11 == 0 else None} for n in range(9_000)
    ]
    for text in (json.dumps(records), json.dumps(records, indent=2), json.dumps(records, separators=(",", ":"))):
        assert list(Records(member(text.encode()), small=True)) == records
    lines = json.dumps(records[:3_000], indent=None).replace('{"n": 1, "t"', '\n{"n": 1, "t"').encode()
    assert [r["n"] for r in Records(member(lines), small=True)] == list(range(3_000))


def test_the_place_of_a_record_among_many_is_right():
    text = "[\n" + ",\n".join(json.dumps({"n": n, "t": "x" * 40}) for n in range(9_000)) + "\n]"
    found = Records(member(text.encode()), small=True)
    for record in found:
        if record["n"] % 997 == 0:
            assert found.where().startswith(f"line {record['n'] + 2:,} of ")


def test_numbers_at_the_end_of_the_window():
    numbers = [10**n for n in range(40)] * 20_000
    assert list(Records(member(json.dumps(numbers).encode()))) == numbers


def test_tables_keep_line_ends_within_cells():
    data = b'a,b\r\n"x\r\ny",1\r\n"p\nq",2\r\n\r\nr\xe2\x80\xa8s,3\r\n'
    assert list(Rows(member(data, "x.csv"))) == [["x\r\ny", "1"], ["p\nq", "2"], ["r\u2028s", "3"]]
    assert Rows(member(b"a\tb\n1\t2\n")).delimiter == "\t"
    with pytest.raises(UnreadableFile, match="line 2: the row has 3 cells"):
        list(Rows(member(b"a,b\n1,2,3\n")))


def _tasks(count: int, text: int) -> bytes:
    tasks = (
        {"id": n, "data": {"text": "x" * text}, "predictions": [], "drafts": [],
         "annotations": [{"id": 2 * n + u, "completed_by": u, "was_cancelled": False, "created_at": "2026-01-01",
                          "result": [{"from_name": "tone", "to_name": "t", "type": "choices",
                                      "value": {"choices": ["formal"]}}]} for u in (1, 2)]}
        for n in range(count)
    )  # fmt: skip
    return ("[" + ",\n".join(map(json.dumps, tasks)) + "]").encode()


@pytest.mark.parametrize(
    "data", [b'a,"' + b"x" * (1 + (1 << 24)), b"a,b\n1,2\n1,2,3\n", b"a,\xff\n"], ids=["header", "row", "bytes"]
)
def test_a_table_that_cannot_be_read_is_closed(monkeypatch, data):
    opened = []

    def opening(*arguments, **options):
        opened.append(open_text(*arguments, **options))
        return opened[-1]

    monkeypatch.setattr(delimited_rows, "open_text", opening)
    with pytest.raises(UnreadableFile):
        list(Rows(Source.of_bytes("x.csv", data).members[0]))
    assert opened
    assert all(one.closed for one in opened)


def test_memory_holds_the_answers_and_not_the_file(tmp_path):
    path = tmp_path / "large.json"
    path.write_bytes(_tasks(3_000, 10_000))
    size = path.stat().st_size
    assert size > 30_000_000
    tracemalloc.start()
    try:
        export = read_export(path, options=ReadOptions(keep_texts=0))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(export.questions[0].value) == 6_000
    assert peak < size / 4


def test_texts_are_kept_as_long_as_there_is_room():
    source = Source.of_bytes("x.json", _tasks(10, 100))
    assert len(read_export(source).texts) == 10
    assert len(read_export(source, options=ReadOptions(keep_texts=350)).texts) == 3


def test_a_hundred_thousand_keys():
    wide = {f"key{n}": n for n in range(100_000)}
    for data in (json.dumps(wide).encode(), json.dumps([wide] * 2).encode(),
                 (",".join(wide) + "\n" + ",".join(map(str, wide.values()))).encode()):  # fmt: skip
        with pytest.raises(AssentError):
            read_export(Source.of_bytes("x", data))
