"""Annotations that hold several labels, in every shape that files have them."""

from __future__ import annotations

import io
import itertools
import json

import polars as pl
import pytest

from assent import Annotations, InputError, OptionError
from assent.errors import DuplicateAnnotations, UnknownColumn
from assent.readers import read

#: Two annotators, four items: what every file below says.
TRUTH = {
    ("1", "ann"): ("A", "B"),
    ("1", "bob"): ("A",),
    ("2", "ann"): ("B",),
    ("2", "bob"): ("A", "B", "C"),
    ("3", "ann"): ("C",),
    ("3", "bob"): (),
    ("4", "ann"): ("B", "C"),
}

FILES = {
    "repeated rows": (
        b"item,annotator,label\n1,ann,A\n1,ann,B\n1,bob,A\n2,ann,B\n2,bob,A\n2,bob,B\n2,bob,C\n3,ann,C\n3,bob,none\n4,ann,B\n4,ann,C\n4,bob,\n",
        {"multilabel": True, "none": ["none"]},
    ),
    "cells": (
        b"item,annotator,label\n1,ann,A;B\n1,bob,A\n2,ann,B\n2,bob,A;B; C\n3,ann,C\n3,bob,[]\n4,ann,B;C;\n4,bob,\n",
        {},
    ),
    "cells with another separator": (
        b"item,annotator,label\n1,ann,A+B\n1,bob,A\n2,ann,B\n2,bob,A+B+C\n3,ann,C\n3,bob,-\n4,ann,B+C\n4,bob,\n",
        {"separator": "+", "none": ["-"]},
    ),
    "quoted cells with commas": (
        b'item,annotator,label\n1,ann,"A,B"\n1,bob,A\n2,ann,B\n2,bob,"A, B, C"\n3,ann,C\n3,bob,[]\n4,ann,"B,C"\n4,bob,\n',
        {},
    ),
    "wide cells": (b"item,ann,bob\n1,A;B,A\n2,B,A;B;C\n3,C,[]\n4,B;C,\n", {}),
    "columns of 0 and 1": (
        b"item,annotator,A,B,C\n1,ann,1,1,0\n1,bob,1,0,0\n2,ann,0,1,0\n2,bob,1,1,1\n3,ann,0,0,1\n3,bob,0,0,0\n4,ann,0,1,1\n4,bob,,,\n",
        {},
    ),
    "columns of 0 and 1 that were named": (
        b"doc,who,A,B,C\n1,ann,1,1,0\n1,bob,1,0,0\n2,ann,0,1,0\n2,bob,1,1,1\n3,ann,0,0,1\n3,bob,0,0,0\n4,ann,0,1,1\n4,bob,,,\n",
        {"labels": ["A", "B", "C"], "item": "doc", "annotator": "who"},
    ),
    "JSON lists": (
        b'[{"item":1,"annotator":"ann","label":["A","B"]},{"item":1,"annotator":"bob","label":["A"]},'
        b'{"item":2,"annotator":"ann","label":"B"},{"item":2,"annotator":"bob","label":["A","B","C"]},'
        b'{"item":3,"annotator":"ann","label":["C"]},{"item":3,"annotator":"bob","label":[]},'
        b'{"item":4,"annotator":"ann","label":["B","C"]},{"item":4,"annotator":"bob","label":null}]',
        {},
    ),
    "JSON lists in cells": (
        b'item,annotator,label\n1,ann,"[""A"",""B""]"\n1,bob,"[""A""]"\n2,ann,"[""B""]"\n2,bob,"[""A"",""B"",""C""]"\n'
        b'3,ann,"[""C""]"\n3,bob,[]\n4,ann,"[""B"",""C""]"\n4,bob,\n',
        {},
    ),
    "wide JSON lists": (
        b'{"item":1,"ann":["A","B"],"bob":["A"]}\n{"item":2,"ann":["B"],"bob":["A","B","C"]}\n'
        b'{"item":3,"ann":["C"],"bob":[]}\n{"item":4,"ann":["B","C"],"bob":null}\n',
        {"annotators": ["ann", "bob"]},
    ),
}


def told(data: Annotations) -> dict[tuple[str, str], tuple[str, ...]]:
    listing = data.to_rows()
    names = data._sets.names()
    return {
        (listing.items[i], data.annotators[a]): names[k]
        for i, a, k in zip(listing.item, listing.annotator, listing.label, strict=True)
    }


@pytest.mark.parametrize("shape", FILES)
def test_every_shape_is_read_alike(shape):
    content, options = FILES[shape]
    data = read(io.BytesIO(content), **options)
    assert told(data) == TRUTH
    assert data.single_labels == ("A", "B", "C")
    assert data.n_annotations == 7
    assert data.n_items == 4
    assert [(one.reason, one.rows) for one in data.dropped] == [("missing label", 1)]
    assert data.to_dict()["labels"] == ["A", "B", "C"]
    about = data.to_dict()["multilabel"]
    assert (about["sets"], about["several"], about["empty"], about["ranked"]) == (7, 3, 1, False)
    assert [(one["annotator"], one["several"]) for one in about["by_annotator"]] == [("ann", 2), ("bob", 1)]


def test_lists_of_typed_columns(tmp_path):
    frame = pl.DataFrame(
        [(item, who, list(labels)) for (item, who), labels in TRUTH.items()],
        schema={"item": pl.String, "annotator": pl.String, "label": pl.List(pl.String)},
        orient="row",
    )
    frame.write_parquet(tmp_path / "a.parquet")
    assert told(read(tmp_path / "a.parquet")) == TRUTH


def test_what_was_recognised_is_said():
    assert any(
        '"A;B" hold several labels, separated by ";"' in note for note in read(io.BytesIO(FILES["cells"][0])).notes
    )
    assert any(
        "one column a label, with 0 and 1" in note for note in read(io.BytesIO(FILES["columns of 0 and 1"][0])).notes
    )


def many_rows(other: str = "") -> bytes:
    heading = "item,annotator,label" + (",field" if other else "")
    rows = [
        f"{i},{who},{label}" + (f",{other}{label}" if other else "")
        for i, who in itertools.product(range(20), ("a", "b"))
        for label in ("AB" if i % 3 == 0 else "A")
    ]
    return "\n".join([heading, *rows, ""]).encode()


def test_many_repeated_rows_are_recognised_and_said():
    data = read(io.BytesIO(many_rows()))
    assert data.labels == ("A", "A;B")
    assert any("are one annotation with several labels" in note for note in data.notes)


def test_rows_that_something_else_tells_apart_are_no_sets():
    with pytest.raises(
        DuplicateAnnotations, match=r'"field" tells them apart: say `item` item,field .* or `questions` field'
    ):
        read(io.BytesIO(many_rows("question ")))
    assert read(io.BytesIO(many_rows("question ")), multilabel=True).labels == ("A", "A;B")


def test_a_few_repeated_rows_are_an_accident():
    rows = "".join(f"{i},{who},A\n" for i in range(20) for who in "ab")
    with pytest.raises(DuplicateAnnotations):
        read(io.BytesIO(f"item,annotator,label\n{rows}3,a,B\n".encode()))


def test_single_label_takes_everything_as_written():
    assert read(io.BytesIO(FILES["cells"][0]), multilabel=False)._sets is None
    with pytest.raises(DuplicateAnnotations):
        read(io.BytesIO(many_rows()), multilabel=False)


@pytest.mark.parametrize(
    "labels", [["no, thanks", "yes", "well, no"], ["1,5", "2,5", "1,0"], ["a/b", "b", "c/d"], ["x; y z", "w", "u; v"]]
)
def test_labels_that_only_look_like_sets_stay_whole(labels):
    rows = "".join(f"{i}\t{who}\t{label}\n" for i in range(3) for who, label in zip("abc", labels, strict=True))
    data = read(io.BytesIO(f"item\tannotator\tlabel\n{rows}".encode()), delimiter="\t")
    assert data._sets is None
    assert set(data.labels) == set(labels)


def test_ranks_by_column_and_by_order_in_the_cell():
    by_column = b"item,annotator,label,rank\n1,a,A,2\n1,a,B,1\n1,b,B,primary\n1,b,A,secondary\n2,a,A,1\n2,b,C,3\n"
    by_order = b"item,annotator,label\n1,a,B;A\n1,b,B;A\n2,a,A\n2,b,C\n"
    one, two = read(io.BytesIO(by_column), rank="rank"), read(io.BytesIO(by_order), separator=";", ranked=True)
    assert (
        told(one)
        == told(two)
        == {("1", "a"): ("B", "A"), ("1", "b"): ("B", "A"), ("2", "a"): ("A",), ("2", "b"): ("C",)}
    )
    assert one._sets.ranked
    assert told(read(io.BytesIO(by_order), separator=";"))["1", "a"] == ("A", "B")
    assert told(one._without_ranks())["1", "a"] == ("A", "B")


def test_order_matters_only_where_there_are_ranks():
    content = b"item,annotator,label\n1,a,B;A\n1,b,A;B\n"
    assert read(io.BytesIO(content), separator=";").labels == ("A;B",)
    assert read(io.BytesIO(content), separator=";", ranked=True).labels == ("A;B", "B;A")


WRONG = {
    "a label twice in a cell": (b"item,annotator,label\n1,a,A;A\n1,b,B\n", {"separator": ";"}, 'The label "A" stands twice in "A;A"'),
    "a label twice in rows": (
        b"item,annotator,label\n1,a,A\n1,a,A\n1,b,B\n", {"multilabel": True}, '"a" gave "A" to "1" twice',
    ),
    "a rank that is none": (
        b"item,annotator,label,r\n1,a,A,1\n1,a,B,best\n1,b,B,1\n", {"rank": "r"}, '1 row has the rank "best": it must be 1, 2',
    ),
    "no rank": (b"item,annotator,label,r\n1,a,A,1\n1,a,B,\n1,b,B,1\n", {"rank": "r"}, "1 row has no rank"),
    "a tie of ranks": (
        b"item,annotator,label,r\n1,a,A,1\n1,a,B,1\n1,b,B,1\n", {"rank": "r"},
        'Annotator "a" gave item "1" the labels "A" and "B" at the same rank, 1',
    ),
    "nothing between separators": (b"item,annotator,label\n1,a,A;;B\n1,b,B\n", {"separator": ";"}, "nothing between two separators"),
    "none beside a label": (b"item,annotator,label\n1,a,A;none\n1,b,B\n", {"separator": ";", "none": ["none"]}, '"none" means none of the labels'),
    "an indicator that is none": (b"item,annotator,A,B\n1,a,1,7\n1,b,0,1\n", {"labels": ["A", "B"]}, 'the column "B", which holds something else'),
    "an empty separator": (b"item,annotator,label\n1,a,A\n1,b,B\n", {"separator": ""}, "`separator` must be what stands between"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said(case):
    content, options, message = WRONG[case]
    with pytest.raises(InputError if "separator` must" not in message else OptionError) as raised:
        read(io.BytesIO(content), **options)
    assert message in str(raised.value)


def test_options_that_do_not_fit_together():
    content = b"item,annotator,label,r\n1,a,A,1\n1,b,B,1\n"
    with pytest.raises(OptionError, match="`separator` and `rank` say in two ways"):
        read(io.BytesIO(content), separator=";", rank="r")
    with pytest.raises(OptionError, match="which `multilabel=False` rules out"):
        read(io.BytesIO(content), multilabel=False, separator=";")
    with pytest.raises(UnknownColumn, match='`rank` names the column "rnk"'):
        read(io.BytesIO(content), rank="rnk")
    with pytest.raises(OptionError, match="none does: name what separates them"):
        read(io.BytesIO(content), ranked=True, columns=["r"])
    with pytest.raises(OptionError, match="labels takes a list"):
        read(io.BytesIO(content), labels="A")


def test_labels_that_could_be_mistaken_are_told_apart():
    frame = pl.DataFrame(
        {"item": [1, 1, 2, 2], "annotator": ["a", "b", "a", "b"], "label": [["x;y"], ["x", "y"], ["[]"], []]}
    )
    data = Annotations.from_frame(
        frame.with_columns(pl.col("label").map_elements(lambda cell: repr(list(cell)).replace("'", '"'), pl.String)),
        parse=lambda text: tuple(json.loads(text)),
    )
    assert len(set(data.labels)) == 4
    assert data.single_labels == ("[]", "x", "x;y", "y")


@pytest.mark.nightly_on_spark
def test_every_engine_gathers_the_same_sets(native):
    rows = [
        (f"i{i}", who, f"label {k:02d}")
        for i in range(25)
        for who in ("a", "b", "c")
        for k in range(70)
        if (i * 7 + k * 3 + ord(who)) % 23 == 0
    ]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")
    here = Annotations.from_frame(frame, multilabel=True, columns=["item"])
    there = Annotations.from_frame(native(frame), multilabel=True)
    expected: dict[tuple[str, str], list[str]] = {}
    for item, who, label in rows:
        expected.setdefault((item, who), []).append(label)
    assert told(here) == told(there) == {key: tuple(sorted(labels)) for key, labels in expected.items()}
    assert here.labels == there.labels
    few = frame.filter(pl.col("label") < "label 20").with_columns(r=pl.col("label").str.slice(6).cast(pl.Int64) + 1)
    ranked = Annotations.from_frame(native(few.with_columns(r=100 - pl.col("r"))), rank="r")
    assert told(ranked) == {
        key: one[::-1] for key, one in told(Annotations.from_frame(few, multilabel=True)._as_sets()).items()
    }


def test_labels_can_be_ordered_merged_and_taken_alone():
    data = read(io.BytesIO(FILES["cells"][0]))
    assert told(data.ordered(["C", "B", "A"]))["2", "bob"] == ("C", "B", "A")
    assert told(data.merged({"A": "AB", "B": "AB"}))["2", "bob"] == ("AB", "C")
    alone = data._binarize("A")
    assert alone.labels == ("A", "not A")
    assert alone._counts.n_items == 4
    assert alone._counts.multiplicities @ alone._counts.counts.astype(int) @ [1, 0] == 3
