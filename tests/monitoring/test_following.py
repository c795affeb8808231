"""Following a file: what is complete counts once, whatever happens to the file."""

from __future__ import annotations

import itertools
import json
import os
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.monitoring.simulated import csv_text, drawn, rows

import assent
from assent.analyses.monitor import Follower, follow
from assent.analyses.monitor.tail import Event, Tail
from assent.errors import InputError, OptionError, UnknownColumn, UnknownLayout, UnreadableFile
from assent.limits import LONGEST_LINE

HEADER = "item,annotator,label\n"


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def add(path: Path, text: str | bytes) -> None:
    with path.open("ab") as file:
        file.write(text if isinstance(text, bytes) else text.encode())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path / "labels.csv", HEADER)


@pytest.fixture
def following(path: Path):
    follower = Follower(path)
    yield follower
    follower.close()


def entered(follower: Follower) -> list[tuple[str, int]]:
    return list(zip(follower.stream.items, follower.stream.values, strict=True))


# ---- what grows


def test_rows_are_read_as_they_come(path, following):
    assert following.poll()
    assert not following.poll()
    add(path, "1,ann,x\n1,bob,x\n2,ann,x\n")
    assert following.poll()
    assert entered(following) == [("1", 1)]
    assert not following.poll()
    add(path, "2,bob,y\n")
    assert following.poll()
    assert entered(following) == [("1", 1), ("2", 0)]
    assert following.sequence.n_items == 2


def test_a_truncated_last_line_waits_and_is_said_at_the_end(path, following):
    add(path, "1,ann,x\n1,bob,positiv")
    following.poll()
    assert entered(following) == []
    result = following.result()
    # Not "positiv" in place of "positive".
    assert "The line after it has no end yet (13 bytes) and was not counted." in result.sentences[-1]
    assert (result.stopped.unfinished, result.stopped.line) == (13, 2)
    assert result.stopped.offset == len(HEADER + "1,ann,x\n")
    add(path, "e\n")
    following.poll()
    assert entered(following) == [("1", 0)]
    assert following.stream.labels == {"x": 1, "positive": 1}
    assert following.result().stopped.unfinished == 0


def test_a_line_may_be_cut_within_a_character(path, following):
    text = "1,ann,é🙂\n1,bob,é🙂\n".encode()
    for byte in text:
        add(path, bytes([byte]))
        following.poll()
    assert entered(following) == [("1", 1)]
    assert list(following.stream.labels) == ["é🙂"]
    assert following.malformed == 0


def test_the_header_itself_may_be_unfinished(tmp_path):
    path = write(tmp_path / "labels.csv", b"")
    follower = Follower(path)
    for piece in ("item,annot", "ator,label\n1,", "ann,x\n", "1,bob,x\n"):
        add(path, piece)
        follower.poll()
    assert entered(follower) == [("1", 1)]
    follower.close()


def quoted_text(annotations):
    def cell(text):
        return '"' + text.replace('"', '""') + '"' if set(text) & set(',"\n') else text

    return HEADER + "".join(",".join(map(cell, row.values())) + "\n" for row in annotations)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.lists(st.integers(0, 3000), max_size=12), ending=st.sampled_from(["\n", "\r\n"]), bom=st.booleans())
def test_however_the_bytes_come_the_stream_is_that_of_the_whole_file(tmp_path, cuts, ending, bom):
    annotations = rows(drawn((40, 0.7), seed=9), ("ann", "bob", 'c"yd', "dee\ndum", "e,f"))
    text = quoted_text(annotations)
    if ending == "\r\n":
        text = text.replace("dee\ndum", "dee\0dum").replace("\n", "\r\n").replace("\0", "\n")
    content = (b"\xef\xbb\xbf" if bom else b"") + text.encode()
    path = write(tmp_path / "labels.csv", b"")
    follower = Follower(path, item="item", annotator="annotator", label="label")
    edges = sorted({0, len(content), *(cut % len(content) for cut in cuts)})
    for start, end in itertools.pairwise(edges):
        add(path, content[start:end])
        follower.poll()
    whole = assent.monitor(annotations)
    found = follower.result()
    follower.close()
    assert follower.malformed == 0
    assert found.n_items == whole.n_items
    assert found.trajectory.agreement.tolist() == whole.trajectory.agreement.tolist()
    assert {one.annotator: one for one in found.annotators} == {one.annotator: one for one in whole.annotators}
    assert found.stopped.offset == len(content)
    assert {**found.data.to_dict(), "notes": []} == {**whole.data.to_dict(), "notes": []}


def test_json_lines(tmp_path):
    path = write(tmp_path / "labels.jsonl", b"")
    follower = Follower(path)
    records = [
        {"item": 1, "annotator": "ann", "label": 1},
        {"item": 1, "annotator": "bob", "label": 1.0},
        {"item": 2, "annotator": "ann", "label": True, "more": [1]},
        {"item": 2, "annotator": "bob", "label": "true"},
        {"item": 3, "annotator": "ann"},
        {"item": 4, "annotator": "ann", "label": ["x"]},
    ]
    for record in records:
        add(path, json.dumps(record) + "\n\n")
        follower.poll()
    # 1 and 1.0 are what was written.
    assert entered(follower) == [("1", 0), ("2", 1)]
    add(path, '{"item": 5}}\n[1]\n{"item": 5, "anno\n' + "[" * 100_000 + "\n")
    follower.poll()
    assert follower.malformed == 5
    assert follower.examples[:3] == [
        "line 11 has a list or a record in a cell",
        "line 13 is broken JSON",
        "line 14 is not a record {…}",
    ]
    assert follower.result().to_dict()["data"]["dropped"] == [
        {"reason": "missing label", "rows": 1},
        {"reason": "line that could not be read", "rows": 5},
    ]
    follower.close()


def test_columns_are_recognised_from_what_is_there(tmp_path):
    path = write(tmp_path / "labels.csv", "created;tweet_id;worker;sentiment\n2024;t1;ann;x\n2025;t1;bob;x\n")
    follower = Follower(path, time="created")
    follower.poll()
    assert entered(follower) == [("t1", 1)]
    assert follower.stream.moments == ["2025"]
    assert any('item = "tweet_id"' in note for note in follower.result().data.notes)
    follower.close()


def test_columns_that_are_said(tmp_path):
    path = write(tmp_path / "labels.tsv", "a\tb\tc\n1\tann\tx\n1\tbob\ty\n")
    follower = Follower(path, item="a", annotator="b", label="c")
    follower.poll()
    assert entered(follower) == [("1", 0)]
    follower.close()


@pytest.mark.parametrize(
    ("text", "options", "error", "message"),
    [
        ("a,b,c\n1,x,y\n", {}, UnknownLayout, "cannot be told"),
        (HEADER + "1,ann,x\n", {"item": "tweet"}, UnknownColumn, "tweet"),
        (HEADER + "1,ann,x\n", {"time": "when"}, UnknownColumn, "when"),
        (HEADER, {"encoding": "utf-16"}, OptionError, "line by line"),
        (HEADER, {"encoding": "latin-99"}, OptionError, "not known"),
        (HEADER, {"format": "parquet"}, OptionError, "CSV, TSV or JSONL"),
        (b"\x1f\x8b\x08", {}, UnreadableFile, "compressed"),
        (HEADER.encode("utf-16"), {}, OptionError, "line by line"),
        (b"[1, 2]", {"format": "json"}, OptionError, "CSV, TSV or JSONL"),
    ],
)
def test_what_cannot_be_followed(tmp_path, text, options, error, message):
    path = write(tmp_path / "labels.csv", text)
    with pytest.raises(error, match=message):  # noqa: PT012
        follower = Follower(path, **options)
        try:
            follower.poll()
        finally:
            follower.close()


def test_a_file_must_be_there_and_be_a_file(tmp_path):
    with pytest.raises(UnreadableFile, match="no such file"):
        Follower(tmp_path / "none.csv")
    with pytest.raises(UnreadableFile, match="cannot be followed"):
        Follower(tmp_path)
    if os.path.exists("/dev/null"):
        with pytest.raises(UnreadableFile, match="not a regular file"):
            Follower("/dev/null")


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("labels.csv", 'item;annotator;label\n1;ann;"1,5"\n1;bob;1,5\n2;ann;2,0\n2;bob;"2;0"\n', {}),
        ("labels.csv", "sep=|\nitem|annotator|label\n1|ann|a,b\n1|bob|a,b\n", {}),
        ("labels.tsv", "item\tannotator\tlabel\n1\tann\ta b\n1\tbob\ta\u00a0b\n", {}),
        ("labels.txt", "item annotator label\n1 ann x\n1 bob x\n", {"delimiter": "space"}),
        ("labels.csv", HEADER + '1,ann,5" tv\n1,bob,"5"" tv"\n', {}),
        ("labels.csv", HEADER + '1,ann," x"\n1,bob, x\n2,ann,x \n2,bob,x\n', {}),
        ("labels.csv", HEADER + "1,ann,null\n1,bob,none\n1,cyd,N/A\n2,ann,skip\n2,bob,\n", {"missing": ["skip"]}),
        ("labels.csv", HEADER + "1,ann,x\n\n1,bob,x\n,,\n", {}),
        ("labels.csv", "item,annotator,label,\n1,ann,x,\n1,bob,x,\n", {}),
        ("labels.csv", ",annotator,label\n1,ann,x\n1,bob,x\n", {"item": ""}),
        ("labels.csv", (HEADER + "1,ann,é\n1,bob,è\n").encode("latin-1"), {"encoding": "latin-1"}),
        ("labels.csv", (HEADER + "1,ann,€\n1,bob,€\n").encode("cp1252"), {"encoding": "cp1252"}),
        (
            "labels.jsonl",
            '{"item": 1, "annotator": "ann", "label": 1.50}\n{"item": 1, "annotator": "bob", "label": 1.5}\n',
            {},
        ),
        (
            "labels.jsonl",
            '{"item": 1, "annotator": "a", "label": true}\n\n{"item": 1, "annotator": "b", "label": ""}\n',
            {},
        ),
    ],
)
def test_cells_are_what_they_are_everywhere(tmp_path, monkeypatch, name, content, options):
    path = write(tmp_path / name, content)
    read = assent.read(path, layout="long", multilabel=False, **options)
    listing = read.to_rows()
    expected = [
        (listing.items[item], read.annotators[who], listing.labels[label])
        for item, who, label in zip(listing.item, listing.annotator, listing.label, strict=True)
    ]
    follower, found = Follower(path, **options), []
    monkeypatch.setattr(type(follower.stream), "add", lambda _, *row: found.append(row[:3]))
    follower.poll()
    follower.close()
    assert sorted(found) == sorted(expected)
    left_out = {one.reason: one.rows for one in read.dropped}
    assert {one.reason: one.rows for one in follower.result().data.dropped} == left_out


# ---- rows that are no annotations


def test_lines_that_cannot_be_read_are_counted_and_named(path, following):
    add(path, '1,ann,x\n1,bob\n1,"bo"b,x\n,ann,x\n1,,x\n1,bob,NA\n\n1,bob,\n')
    add(path, b"1,\xff,x\n1,bob,x\n")
    following.poll()
    assert entered(following) == [("1", 1)]
    result = following.result()
    assert (result.stopped.malformed, following.examples) == (
        3,
        ["line 3 has 2 cells and not 3", "line 4 has a quote mark out of place", "line 10 is not utf-8 text"],
    )
    assert "3 lines could not be read and were left out: line 3 has 2 cells and not 3; line 4" in " ".join(
        result.sentences
    )
    assert result.to_dict()["data"]["dropped"] == [
        {"reason": "no item", "rows": 1},
        {"reason": "no annotator", "rows": 1},
        {"reason": 'missing label ("NA")', "rows": 1},
        {"reason": "empty row", "rows": 1},
        {"reason": "missing label", "rows": 1},
        {"reason": "line that could not be read", "rows": 3},
    ]


def test_what_is_missing_can_be_said(tmp_path):
    path = write(tmp_path / "labels.csv", HEADER + "1,ann,NA\n1,bob,NA\n2,ann,skip\n2,bob,x\n")
    follower = Follower(path, missing=["skip"], not_missing=["NA"])
    follower.poll()
    assert entered(follower) == [("1", 1)]
    follower.close()


def test_a_broken_first_row_is_no_obstacle(tmp_path):
    path = write(tmp_path / "labels.csv", HEADER + "broken\n1,ann,x\n1,bob,x\n")
    follower = Follower(path)
    follower.poll()
    assert entered(follower) == [("1", 1)]
    assert follower.examples == ["line 2 has 1 cells and not 3"]
    follower.close()


def test_a_quote_mark_that_is_never_closed_costs_its_line_alone(path, following):
    add(path, '1,ann,"x\n')
    add(path, "".join(f"{i},{who},x\n" for i in range(2, 80) for who in ("ann", "bob")))
    following.poll()
    assert following.malformed == 1
    assert following.examples == ["line 2 opens a quoted cell that is never closed"]
    assert len(entered(following)) == 78


def test_an_open_quote_mark_at_the_end_waits(path, following):
    add(path, '1,ann,"two\n')
    following.poll()
    add(path, 'lines"\n1,bob,"two\n')
    following.poll()
    assert following.result().stopped.events == (
        "The quoted cell that begins in line 4 is not closed yet, so its row was not counted.",
    )
    add(path, 'lines"\n')
    following.poll()
    assert entered(following) == [("1", 1)]
    assert list(following.stream.labels) == ["two\nlines"]
    assert following.result().stopped.events == ()


def test_repeated_annotations_do_not_count_twice(path, following):
    add(path, "1,ann,x\n1,ann,y\n1,bob,x\n1,ann,y\n1,cyd,y\n")
    following.poll()
    assert entered(following) == [("1", 1)]
    result = following.result()
    assert (result.duplicates, result.further) == (2, 1)
    assert {"reason": "duplicate (item, annotator), first one kept", "rows": 2} in result.to_dict()["data"]["dropped"]


def test_a_line_without_end_does_not_fill_the_memory(path, following, monkeypatch):
    monkeypatch.setattr("assent.analyses.monitor.tail.LONGEST_LINE", 1000)
    monkeypatch.setattr("assent.analyses.monitor.tail._CHUNK", 400)
    add(path, "1,ann,x\n1,bob," + "y" * 5000)
    following.poll()
    assert following.result().stopped.unfinished == 5006
    assert len(following._tail._rest) <= 1400
    add(path, "\n1,bob,x\n")
    following.poll()
    assert entered(following) == [("1", 1)]
    assert following.examples == ["line 3 is too long to be a row"]
    assert following.result().stopped.offset == path.stat().st_size
    assert LONGEST_LINE == 1 << 24


# ---- rotation and the like


def test_rotation_loses_nothing_and_counts_nothing_twice(path, following):
    add(path, "1,ann,x\n1,bob,x\n2,ann,x\n")
    following.poll()
    add(path, "2,bob,y\n3,ann,x\n")
    os.replace(path, path.with_suffix(".1"))
    # Who writes may still hold the old file.
    add(path.with_suffix(".1"), "3,bob,x\n")
    write(path, HEADER + "4,ann,x\n4,bob,y\n")
    following.poll()
    assert entered(following) == [("1", 1), ("2", 0), ("3", 1), ("4", 0)]
    (event,) = following.events
    assert "replaced by a new one (rotation)" in event
    assert "after line 7" in event
    assert following.result().stopped.line == 3


def test_between_the_steps_of_a_rotation_there_is_no_file(path, following):
    add(path, "1,ann,x\n")
    following.poll()
    old = path.with_suffix(".1")
    os.replace(path, old)
    following.poll()
    following.poll()
    add(old, "1,bob,x\n")
    following.poll()
    assert entered(following) == [("1", 1)]
    write(path, b"")
    following.poll()
    add(old, "2,ann,x\n")
    following.poll()
    add(path, HEADER + "2,bob,x\n")
    following.poll()
    assert entered(following) == [("1", 1), ("2", 1)]
    assert [event.split(";")[0].split(" (")[0] for event in following.events] == [
        "The file is gone",
        "The file was replaced by a new one",
    ]


def test_an_unfinished_line_of_a_rotated_file_is_said(path, following):
    add(path, "1,ann,x\n1,bo")
    following.poll()
    os.replace(path, path.with_suffix(".1"))
    write(path, HEADER + "1,bob,x\n")
    following.poll()
    assert "its last line, line 3, had no end and was not counted" in following.events[0]
    assert entered(following) == [("1", 1)]
    assert following.result().stopped.unfinished == 0


def test_a_new_file_without_header_goes_on_as_before(path, following):
    add(path, "1,ann,x\n")
    following.poll()
    os.replace(path, path.with_suffix(".1"))
    write(path, "1,bob,x\n2,ann,x\n2,bob,x\n")
    following.poll()
    assert entered(following) == [("1", 1), ("2", 1)]
    assert any("without a line of column names" in event for event in following.events)


def test_a_new_file_may_have_its_columns_in_another_order(path, following):
    add(path, "1,ann,x\n")
    following.poll()
    os.replace(path, path.with_suffix(".1"))
    write(path, "label,when,item,annotator\nx,now,1,bob\n")
    following.poll()
    assert entered(following) == [("1", 1)]
    assert following.malformed == 0


def test_a_file_that_became_shorter_is_read_anew(path, following):
    add(path, "1,ann,x\n1,bob,x\n2,ann,x\n")
    following.poll()
    write(path, HEADER + "2,bob,x\n")
    following.poll()
    assert entered(following) == [("1", 1), ("2", 1)]
    assert "became shorter" in following.events[0]
    assert following.result().stopped.offset == len(HEADER + "2,bob,x\n")


def test_a_file_that_was_rewritten_and_is_longer_now_is_read_anew(path, following):
    """Copied and truncated, and grown beyond the old length before anybody looked."""
    add(path, "1,ann,x\n1,bob,x\n")
    following.poll()
    write(path, HEADER + "2,ann,x\n2,bob,y\n3,ann,x\n3,bob,x\n")
    following.poll()
    assert entered(following) == [("1", 1), ("2", 0), ("3", 1)]
    assert "was rewritten" in following.events[0]


def test_a_file_that_is_saved_again_with_more_rows_counts_them_once(path, following):
    text = HEADER + "1,ann,x\n1,bob,x\n2,ann,x\n"
    write(path, text)
    following.poll()
    # In place, the beginning is the same: it has only grown.
    write(path, text + "2,bob,x\n")
    following.poll()
    assert following.events == []
    # Under another inode it is a new file that repeats the old one.
    new = write(path.with_suffix(".new"), text + "2,bob,x\n3,ann,x\n3,bob,y\n")
    os.replace(new, path)
    following.poll()
    assert entered(following) == [("1", 1), ("2", 1), ("3", 0)]
    assert following.stream.duplicates == 4


def test_many_rotations_are_not_all_listed(path, following, monkeypatch):
    monkeypatch.setattr("assent.analyses.monitor.following.EVENTS_LISTED", 3)
    for _ in range(6):
        add(path, "1,ann,x\n")
        following.poll()
        write(path, HEADER)
        following.poll()
    events = following.result().stopped.events
    assert len(events) == 4
    assert events[-1] == "3 more such events are not listed."


def test_one_may_stop_in_the_middle_and_go_on(tmp_path, monkeypatch):
    monkeypatch.setattr("assent.analyses.monitor.tail._CHUNK", 64)
    values = drawn((60, 0.7), seed=9)
    path = write(tmp_path / "labels.csv", csv_text(rows(values)))
    follower = Follower(path)
    polls = 0
    while follower.poll(stop=lambda: True):
        polls += 1
        offset = follower.result().stopped.offset
        assert path.read_bytes()[:offset].endswith(b"\n") or offset == 0
    assert polls > 10
    assert list(follower.stream.values) == values.tolist()
    follower.close()


def test_memory_does_not_grow_with_annotations_beyond_the_second(path, following):
    add(path, "1,ann,x\n1,bob,x\n" + "".join(f"1,w{i % 7},x\n" for i in range(10_000)))
    following.poll()
    kept = (following.stream.items, following.stream.values, following.stream._waiting, following.stream._entered)
    assert [len(one) for one in kept] == [1, 1, 0, 1]
    assert following.stream.further == 10_000


# ---- the loop


def test_following_ends_when_nothing_new_comes(path):
    add(path, "1,ann,x\n1,bob,x\n")
    result = follow(path, every=0.01, idle=0.02, target=0.8)
    assert (result.n_items, result.stopped.reason) == (1, "idle")
    assert result.sentences[-1].startswith("Nothing new came, so it stopped at byte 37 (line 3) of ")


def test_a_writer_and_a_follower_at_the_same_time(path):
    values = drawn((300, 0.8), seed=11)
    text = csv_text(rows(values)).removeprefix(HEADER).encode()
    size, seen = 97, []

    def write_on():
        for start in range(0, len(text), size):
            add(path, text[start : start + size])

    writer = threading.Thread(target=write_on)
    polled = []

    def on_poll(follower, news):
        polled.append(news)
        seen.append(follower.sequence.n_items)
        if len(polled) == 1:
            writer.start()

    result = follow(path, every=0.001, idle=1.0, on_poll=on_poll)
    writer.join()
    assert result.n_items == 300
    assert result.agreement == values.mean()
    assert seen == sorted(seen)


def test_a_file_without_any_pair_yet(path):
    result = follow(path, every=0.01, idle=0.0, target=0.8)
    assert (result.n_items, result.low, result.high, result.standing) == (0, 0.0, 1.0, "undecided")
    assert result.sentences[0] == "No item has two annotations yet."
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["monitor"]["agreement"] is None
    assert "No item has two annotations yet." in result.html()
    assert "No item has two annotations yet." in result.text()


@pytest.mark.parametrize("options", [{"every": 0}, {"idle": -1}, {"every": float("nan")}])
def test_times_that_cannot_be(path, options):
    with pytest.raises(OptionError):
        follow(path, **options)


def test_a_tail_says_nothing_of_a_file_that_stays(path):
    tail = Tail(path)
    lines = [one for part in tail.poll() if not isinstance(part, Event) for one in part]
    assert [line.content for line in lines] == [b"item,annotator,label"]
    assert list(tail.poll()) == []
    os.utime(path, (1, 1))
    assert list(tail.poll()) == []
    tail.close()


def test_an_error_lets_go_of_the_file(tmp_path):
    path = write(tmp_path / "labels.csv", "a,b,c\n1,x,y\n")
    with pytest.raises(InputError):
        follow(path, every=0.01)
