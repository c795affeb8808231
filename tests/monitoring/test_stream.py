"""Which items enter the stream, when, and with which value."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assent
from assent.analyses.monitor.stream import Stream, streamed
from assent.analyses.monitor.times import BadTime, in_order_of
from assent.data import Annotations
from assent.errors import InputError, NothingToCompare, OptionError, UnsuitableData


def frame(rows):
    names = ("item", "annotator", "label", "time")
    return pl.DataFrame([dict(zip(names, row, strict=False)) for row in rows])


def stream_of(rows, time=None):
    data = Annotations.from_frame(frame(rows), columns=[] if time is None else [time])
    return streamed(data, time)[0]


def test_an_item_enters_with_its_second_annotation():
    stream = Stream()
    assert not stream.add("1", "ann", "x")
    assert not stream.add("2", "ann", "x")
    assert stream.add("2", "bob", "y", "noon")
    assert stream.add("1", "cyd", "x")
    assert stream.items == ["2", "1"]
    assert list(stream.values) == [0, 1]
    assert stream.moments == ["noon", None]
    assert stream.annotators == {"ann": 0, "bob": 1, "cyd": 2}
    assert (list(stream.first), list(stream.second)) == ([0, 0], [1, 2])


def test_a_third_annotation_does_not_enter():
    stream = stream_of([("1", "a", "x"), ("1", "b", "x"), ("1", "c", "y"), ("1", "d", "y")])
    assert (list(stream.values), stream.further, stream.n_annotations) == ([1], 2, 4)


def test_a_repeated_annotation_is_no_second_opinion():
    stream = Stream()
    for label in "xxyx":
        stream.add("1", "ann", label)
    assert (stream.items, stream.duplicates, stream.waiting, stream.n_annotations) == ([], 3, 1, 1)
    stream.add("1", "bob", "y")
    stream.add("1", "bob", "x")
    stream.add("1", "ann", "y")
    # The first label of each of the two has counted.
    assert (list(stream.values), stream.duplicates, stream.n_annotations) == ([0], 5, 2)


def slow_stream(rows):
    """The definition, item by item."""
    entered = []
    for item in dict.fromkeys(row[0] for row in rows):
        own = [(place, label) for place, (name, _, label) in enumerate(rows) if name == item]
        if len(own) > 1:
            entered.append((own[1][0], item, int(own[0][1] == own[1][1])))
    return [(item, value) for _, item, value in sorted(entered)]


CELLS = st.tuples(st.sampled_from("12345678"), st.sampled_from("abcd"), st.sampled_from("xyz"))


@given(st.lists(CELLS, min_size=1, max_size=40, unique_by=lambda row: row[:2]))
def test_the_stream_is_what_the_definition_says(rows):
    expected = slow_stream(rows)
    if not expected:
        with pytest.raises(NothingToCompare):
            stream_of(rows)
        return
    stream = stream_of(rows)
    assert list(zip(stream.items, stream.values, strict=True)) == expected
    assert stream.n_annotations == len(rows)
    assert sum(stream.labels.values()) == len(rows)


@given(st.lists(CELLS, min_size=1, max_size=40, unique_by=lambda row: row[:2]), st.randoms(use_true_random=False))
def test_times_restore_the_order_of_a_shuffled_table(rows, random):
    if not slow_stream(rows):
        return
    timed = [(*row, f"2024-01-01T00:{i:02d}") for i, row in enumerate(rows)]
    random.shuffle(timed)
    stream = stream_of(timed, "time")
    assert list(zip(stream.items, stream.values, strict=True)) == slow_stream(rows)


def test_equal_times_keep_the_order_of_the_table():
    stream = stream_of([("1", "a", "x", "2"), ("1", "b", "x", "1"), ("1", "c", "y", "1"), ("2", "a", "x", "0")], "time")
    assert list(stream.values) == [0]
    assert stream.moments == ["1"]


@pytest.mark.parametrize(
    ("texts", "order"),
    [
        (["10", "9", "-1"], [2, 1, 0]),
        (["1e3", "999.5", "1000"], [1, 0, 2]),
        # Nanoseconds since 1970: as floats these would be equal.
        (["1700000000000000001", "1700000000000000000"], [1, 0]),
        (["2024-05-02", "2024-05-01"], [1, 0]),
        (["2024-05-01T10:00:00Z", "2024-05-01T10:00:00+02:00"], [1, 0]),
        (["20240502", "2024-05-01"], [1, 0]),
        (["2024-05-01 10:00:00.123456", " 2024-05-01 09:59 "], [1, 0]),
    ],
)
def test_times_that_are_understood(texts, order):
    assert in_order_of(texts) == order


@pytest.mark.parametrize(
    ("texts", "place", "reason"),
    [
        (["2024-05-01", "yesterday"], 1, "ISO 8601"),
        (["1", "2", "soon"], 0, "ISO 8601"),
        (["1", "nan"], 0, "ISO 8601"),
        (["inf"], 0, "ISO 8601"),
        (["2024-05-01", None], 1, "has no time"),
        (["2024-05-01T10:00", "2024-05-01T10:00Z"], 1, "has a time zone"),
        (["01/05/2024"], 0, "ISO 8601"),
        (["9" * 400], 0, "ISO 8601"),
    ],
)
def test_times_that_are_not(texts, place, reason):
    with pytest.raises(BadTime, match=reason) as error:
        in_order_of(texts)
    assert error.value.place == place


def test_a_bad_time_names_the_annotation():
    rows = [("1", "ann", "x", "2024-01-01"), ("1", "bob", "x", "\x1b[31mlate"), ("2", "ann", "x", "2024-01-01")]
    data = Annotations.from_frame(frame(rows), columns=["time"])
    with pytest.raises(InputError) as error:
        assent.monitor(data, time="time")
    assert str(error.value) == (
        r'In the column "time" annotation 2 (item "1", annotator "bob") has the time "\x1b[31mlate": times are ISO 8601, as '
        "2024-05-01T12:30 is, or all are numbers."
    )


def test_a_time_column_must_have_been_kept():
    data = Annotations.from_frame(frame([("1", "a", "x", "1"), ("1", "b", "x", "2")]))
    with pytest.raises(OptionError, match="was not kept"):
        assent.monitor(data, time="time")
    with pytest.raises(OptionError, match="needs a table that has one"):
        assent.monitor([["x", "x"]], time="time")


def test_a_wide_table_goes_row_by_row():
    result = assent.monitor([["x", "x", "y"], ["x", "y", "x"], ["y", "y", "y"]])
    assert result.trajectory.agreement.tolist() == pytest.approx([1, 1 / 2, 2 / 3])
    assert result.further == 3
    assert result.data.layout == "wide"


def test_counts_have_no_order():
    with pytest.raises(UnsuitableData, match="in which order"):
        assent.monitor(Annotations.from_counts([[3, 0], [1, 2]], labels=["yes", "no"]))
    with pytest.raises(UnsuitableData, match="in which order"):
        assent.monitor(Annotations.from_contingency([[20, 5], [10, 15]], labels=["pos", "neg"]))


def test_nobody_to_compare_with():
    with pytest.raises(NothingToCompare, match="Only one annotator"):
        assent.monitor([{"item": i, "annotator": "ann", "label": "x"} for i in range(5)])
