"""Some of the annotations, and the same under other names: data sets like any other."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import assent
from assent import Annotations
from assent.errors import EmptyTable

FRAME = pl.DataFrame(
    {
        "item": [1, 1, 2, 2, 3, 3],
        "annotator": ["ann", "bob", "ann", "bob", "ann", "cy"],
        "label": ["x", "y", "x", "x", "y", "y"],
        "batch": ["p", "p", "p", "p", "q", "q"],
    }
)
FIRST = {"ann": "A1", "bob": "A2", "cy": "A3"}
SECOND = {"A1": "one", "A2": "two", "A3": "three"}


def said(data: Annotations) -> set[tuple[str, str, str]]:
    listing = data.to_rows()
    assert listing.annotator is not None
    assert listing.annotators == data.annotators
    rows = zip(listing.item, listing.annotator, listing.label, strict=True)
    return {(listing.items[i], data.annotators[who], data.labels[what]) for i, who, what in rows}


@pytest.mark.parametrize("native", ["polars-lazy", "duckdb", "pandas"], indirect=True)
@pytest.mark.parametrize("times", [1, 2])
def test_rows_that_are_derived_know_annotators_by_the_last_name_they_got(native, times):
    data = Annotations.from_frame(native(FRAME), columns=["batch"]).rename_annotators(FIRST)
    names = FIRST
    if times == 2:
        data = data.rename_annotators(SECOND)
        names = {old: SECOND[new] for old, new in FIRST.items()}
    everything = {(str(i), names[who], what) for i, who, what in FRAME.select("item", "annotator", "label").rows()}
    assert said(data) == everything
    assert set(data.annotators) == set(data._ratings.annotators) == set(names.values())
    assert said(data._most_disputed(1)) == {one for one in everything if one[0] == "1"}
    assert said(data.without_annotators([names["bob"]])) == {one for one in everything if one[1] != names["bob"]}
    [(part, others)] = data._split_by("batch", ["q"])
    assert said(part) == {one for one in everything if one[0] == "3"}
    assert said(others) == everything - said(part)
    assert part._ratings.annotators == part.annotators


@pytest.mark.parametrize("native", ["polars", "duckdb", "pandas"], indirect=True)
def test_annotators_who_labelled_none_of_some_items_are_not_among_their_annotators(native):
    data = Annotations.from_frame(native(FRAME))
    assert data.annotators == ("ann", "bob", "cy")
    # Counts of x and y: one item has two x, one has one of each, one has two y.
    assert data._counts.counts.tolist() == [[0, 2], [1, 1], [2, 0]]
    for some in (data._most_disputed(1), data._first_items(np.array([-1, 0, -1]), 1)):
        assert some.annotators == some._ratings.annotators == some.to_rows().annotators == ("ann", "bob")
        assert said(some) == {("1", "ann", "x"), ("1", "bob", "y")}
        assert assent.percent_agreement(some).value == 0.0
        assert assent.cohen_kappa(some).observed == 0.0


@pytest.mark.parametrize(
    ("batches", "value", "said"),
    [("pppppp", "p", 'Every annotation has "p" in the column "batch"'), ("ppqqqq", "z", 'No annotation has "z"')],
)
def test_a_value_that_all_have_or_nobody_has_parts_nothing(batches, value, said):
    data = Annotations.from_frame(FRAME.with_columns(batch=pl.Series(list(batches))), columns=["batch"])
    with pytest.raises(EmptyTable, match=said):
        list(data._split_by("batch", [value]))
