"""Tables that live elsewhere: the same profiles, taken as aggregates, and all that a measure with any option asks for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import polars as pl
import pytest
from tests.engines.test_parity import assert_same_profiles, content, forms, made
from tests.support import every, label_measures, on_engines

from assent import Annotations
from assent.engines import track_transfers
from assent.errors import InputError


def sets(items: int = 120, seed: int = 3) -> pl.DataFrame:
    """Two annotators who give an item one or two of four labels, in the order of their weight, one a row."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"item {i}", who, f"label {label}", place)
        for i in range(items)
        for who in ("a", "b")
        for place, label in enumerate(rng.permutation([0, 0, 0, 1, 2])[: rng.integers(1, 4)], start=1)
    ]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "place"], orient="row")
    return frame.unique(["item", "annotator", "label"], keep="first", maintain_order=True)


def cells(separator: str) -> pl.DataFrame:
    """The same sets, each in a cell."""
    return sets().group_by("item", "annotator", maintain_order=True).agg(pl.col("label").str.join(separator))


#: Tables of many more rows than kinds of items, and how they are read.
TABLES = {
    "several annotators": (made(300, 3, [1, 2, 3], seed=11, density=0.9), {}),
    "two annotators": (made(300, 2, [1, 2, 3], seed=12, density=0.9), {}),
    "clusters": (made(300, 3, ["x", "y"], seed=13, density=0.9), {"cluster": "group"}),
    "sets in rows": (sets().drop("place"), {"multilabel": True}),
    "ranked sets in rows": (sets(), {"rank": "place"}),
    "sets in cells": (cells(";"), {"separator": ";"}),
    "ranked sets in cells": (cells("|"), {"separator": "|", "ranked": True}),
}


def ways(measure) -> Iterator[dict[str, str]]:
    """Yield the options of a measure: none, each choice of each, and each scale."""
    yield {}
    for option, choices in measure.choices.items():
        yield from ({option: choice} for choice in choices)
    yield from ({"scale": scale} for scale in sorted(measure.scales))


def numbers(measure, data, options):
    """Return every number of a measure, or why there is none."""
    try:
        found = measure(data, **options)
    except InputError as reason:
        return [type(reason).__name__, str(reason)]
    intervals = [found.confidence_interval(method=how, replicates=5, seed=1) for how in ("analytic", "bootstrap")]
    return [repr(one) for one in (found.value, found.observed, found.expected, found.n_annotations, *intervals)]


def every_number(data) -> dict[str, list[str]]:
    return {
        f"{name} {options}": numbers(measure, data, options)
        for name, measure in label_measures().items()
        for options in ways(measure)
    }


@cache
def here(table: str) -> dict[str, list[str]]:
    frame, options = TABLES[table]
    return every_number(Annotations.from_frame(frame, **options))


def test_every_way_to_measure_gives_numbers_on_some_table():
    tried = set(here("two annotators"))
    measured = {key for table in TABLES for key, one in here(table).items() if len(one) > 2}
    assert {key.split()[0] for key in measured} == set(label_measures())
    assert {key for key in tried if key.startswith("spa {'scheme'")} <= measured
    assert tried - measured == set()


@pytest.mark.parametrize("table", every(2, TABLES))
@pytest.mark.parametrize("native", ["duckdb"], indirect=True)
def test_every_measure_in_every_way_asks_for_nothing_but_profiles_and_gives_the_same_bits(native, table):
    frame, options = TABLES[table]
    data = Annotations.from_frame(native(frame), **options)
    assert not data.local
    assert data._counts.n_items == data._ratings.n_items > 0
    seen = []
    with track_transfers(seen.append):
        there = every_number(data)
    assert seen == []
    assert there == here(table)


#: On Spark, sets without ranks are in the tests of the program, and labels without clusters in those of parity.
ON_SPARK = ("clusters", "ranked sets in cells")


@pytest.mark.parametrize(
    ("native", "table"),
    [one for one in on_engines(TABLES, ON_SPARK) if one.values[0] in ("duckdb", "pyspark")],
    indirect=["native"],
)
def test_profiles_are_taken_as_aggregates_and_are_the_same_bits(native, table):
    frame, options = TABLES[table]
    seen = []
    with track_transfers(seen.append):
        data = Annotations.from_frame(native(frame), **options)
        assert_same_profiles(
            [(form, content(one)) for form, one in forms(Annotations.from_frame(frame, **options))], data
        )
    seen = [one for one in seen if not one.local]
    assert not data.local
    # Label counts, and who said what; with clusters, a row for each kind and cluster.
    kinds = [
        one.units.nnz if "cluster" in options else len(one.multiplicities) for one in (data._counts, data._ratings)
    ]
    # A missing label is a row of its own; an annotation has three labels at most, hence as many ranks.
    labels = max(len(data.labels), len(data._source_labels)) + 1
    most = {"profiles": max(kinds), "labels": labels, "annotators": len(data.annotators), "ranks": 3}
    # Whether an annotator has an item twice is a yes or no.
    most["repeated pairs"] = 1
    assert most["profiles"] < frame.height / 2
    assert {one.question for one in seen} <= {*most, "a repeated label"}
    for one in seen:
        assert one.rows <= most.get(one.question, 0), one
    assert 2 < len(seen) <= 9
