"""Annotations one by one: the same on every engine, in the order of the table, with the columns that were kept."""

from __future__ import annotations

import io

import numpy as np
import polars as pl
import pytest
from tests.engines.test_parity import TABLES

import assent
from assent import Annotations
from assent.engines import listing as module
from assent.limits import MOST_COLLAPSED


def triples(listing):
    who = (
        [None] * len(listing.item) if listing.annotator is None else [listing.annotators[i] for i in listing.annotator]
    )
    return [(listing.items[i], a, listing.labels[k]) for i, a, k in zip(listing.item, who, listing.label, strict=True)]


@pytest.mark.parametrize("table", ["hostile labels", "whole numbers", "fractions", "booleans", "many labels"])
def test_every_engine_lists_the_same_annotations(native, table):
    frame = TABLES[table]
    here = Annotations.from_frame(frame, columns=["group"]).to_rows("group")
    there = Annotations.from_frame(native(frame), columns={"group": "group"}).to_rows("group")
    assert sorted(triples(there)) == sorted(triples(here))
    assert sorted(zip(triples(there), there.columns["group"], strict=True)) == sorted(
        zip(triples(here), here.columns["group"], strict=True)
    )
    assert len(here.item) == Annotations.from_frame(frame).n_annotations


def test_the_order_is_that_of_the_table_and_items_that_of_their_first_row():
    rows = [("z", "b", "1"), ("a", "b", "2"), ("z", "a", "2"), ("m", "a", None), ("a", "a", "1")]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")
    listing = Annotations.from_frame(frame).to_rows()
    assert triples(listing) == [row for row in rows if row[2] is not None]
    assert listing.items == ["z", "a"]
    assert listing.sizes.tolist() == [2, 2]
    assert listing.counts.toarray().tolist() == [[1, 1], [1, 1]]


def test_merged_labels_are_listed_merged():
    data = Annotations.from_array([["cat", "dog"], ["dog", "car"]]).merged({"cat": "animal", "dog": "animal"})
    assert [label for *_, label in triples(data.to_rows())] == ["animal", "animal", "animal", "car"]


def test_counts_and_confusion_tables_number_their_items():
    counts = Annotations.from_counts([[0, 2], [1, 1], [0, 2]], labels=["a", "b"]).to_rows()
    assert triples(counts) == [("1", None, "b")] * 2 + [("2", None, "a"), ("2", None, "b")] + [("3", None, "b")] * 2
    table = Annotations.from_contingency([[1, 1], [0, 0]], labels=["a", "b"], annotators=("x", "y")).to_rows()
    assert triples(table) == [("1", "x", "a"), ("1", "y", "a"), ("2", "x", "a"), ("2", "y", "b")]


def test_further_columns_of_files_are_no_annotators_and_keep_their_texts():
    wide = io.BytesIO(b"id,r1,r2,r3,same\n1,a,a,b,x\n2,b,,b,\n")
    data = assent.read(wide, columns=["same"])
    assert data.annotators == ("r1", "r2", "r3")
    listing = data.to_rows("same")
    assert sorted(zip(triples(listing), listing.columns["same"], strict=True), key=str)[0] == (("1", "r1", "a"), "x")
    assert listing.columns["same"].count(None) == 2
    long = io.BytesIO(b"item,annotator,label,label_2,item_\n1,a,x,u,1.0\n1,b,x,v,2\n")
    listing = assent.read(long, columns=["label_2", "item_"]).to_rows("item_", "label_2")
    assert listing.columns == {"item_": ["1.0", "2"], "label_2": ["u", "v"]}


def test_a_column_of_a_role_can_be_kept_as_well():
    data = assent.read(io.BytesIO(b"item,annotator,label\n1,a,x\n1,b,y\n"), columns=["item"], item="item")
    assert data.to_rows("item").columns["item"] == ["1", "1"]


def test_columns_that_are_not_there_are_named():
    with pytest.raises(assent.InputError, match=r'There is no column "tme" to keep; did you mean "time"'):
        assent.read(io.BytesIO(b"item,annotator,label,time\n1,a,x,2\n1,b,y,3\n"), columns=["tme"])
    with pytest.raises(assent.OptionError, match=r'The column "time" was not kept'):
        Annotations.from_array([["a", "b"]]).to_rows("time")
    with pytest.raises(assent.OptionError, match="has no place beside the labels of this counts table"):
        assent.read(io.BytesIO(b"yes,no,text\n3,0,a\n1,2,b\n"), layout="counts", columns=["text"])


def test_typed_columns_become_text():
    frame = pl.DataFrame(
        {
            "item": [1, 1],
            "annotator": ["a", "b"],
            "label": ["x", "x"],
            "n": [1.0, None],
            "when": pl.Series(["2024-05-01", None]).str.to_date(),
            "flags": [[1], [2, 3]],
        }
    )
    listing = Annotations.from_frame(frame, columns=["n", "when", "flags"]).to_rows("n", "when", "flags")
    assert listing.columns == {"n": ["1", None], "when": ["2024-05-01", None], "flags": ["[1]", "[2, 3]"]}


def test_positions_are_integers_of_numpy():
    listing = Annotations.from_frame(TABLES["text"]).to_rows()
    assert all(isinstance(one, np.ndarray) and one.dtype == np.int64 for one in (listing.item, listing.label))


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize(
    "values", [[], ["b", "a", "b", "", "ä", "a"], [3, 1, 3, -2, 1], [0.5, -0.0, 0.0, 0.5], list("abcab") * 500]
)
def test_values_are_numbered_by_their_first_rows(values, shared, monkeypatch):
    """Also where some of them share a hash, which is put right."""
    if shared:
        monkeypatch.setattr(module.np, "array_equal", lambda *_: False)
    first, number = module._numbered(pl.Series("item", values))
    names = [values[row] for row in first.tolist()]
    assert names == list(dict.fromkeys(values))
    assert first.tolist() == [values.index(name) for name in names]
    assert [names[i] for i in number.tolist()] == values


def test_values_that_share_a_hash_are_told_apart(monkeypatch):
    """The first seed takes all for one value, the second does not."""
    original, seeds = pl.Series.hash, []

    def hashed(column, seed=0, *rest):
        seeds.append(seed)
        return original(pl.zeros(len(column), dtype=pl.Int64, eager=True) if len(seeds) == 1 else column, seed, *rest)

    monkeypatch.setattr(pl.Series, "hash", hashed)
    first, number = module._numbered(pl.Series("item", ["z", "a", "z", "m"]))
    assert (first.tolist(), number.tolist()) == ([0, 1, 3], [0, 1, 0, 2])
    assert len(set(seeds)) == 2


def test_nobody_asks_what_the_items_of_a_crowd_are_called(monkeypatch):
    """Names of two hundred thousand items take longer than their numbers."""
    names = [f"w{i}" for i in range(2 * MOST_COLLAPSED)]
    frame = pl.DataFrame(
        {"item": ["x", "y"] * MOST_COLLAPSED, "annotator": names, "label": ["a", "b"] * MOST_COLLAPSED}
    )
    data = Annotations.from_frame(frame)
    asked = []
    monkeypatch.setattr(module, "_names", lambda column, rows: asked.append(len(rows)))
    assert data._ratings.multiplicities.tolist() == [1, 1]
    assert asked == []
