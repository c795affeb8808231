"""The same rows give the same profiles, bit for bit, on every engine.

A measure sees nothing but profiles (`test_every_way` proves that it asks the engine for nothing else), so equal
profiles are equal numbers; some measures are compared from end to end besides.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.support import on_engines

import assent
from assent import Annotations
from assent.errors import DuplicateAnnotations, InputError

HOSTILE = [
    "Aa",
    "BB",
    "1",
    "1.0",
    "01",
    "a",
    "A",
    " x",
    "x",
    "🙂",
    "=1+1",
    "'; DROP TABLE t; --",
    "NaN",
    "None",
    "é",
    "é",
]


def made(items: int, annotators: int, labels: list, seed: int = 0, density: float = 0.6) -> pl.DataFrame:
    """A random long table with gaps, single annotations and missing labels."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"item {i}", f"who-{a}", labels[int(rng.integers(len(labels)))] if rng.random() > 0.05 else None)
        for i in range(items)
        for a in range(annotators)
        if rng.random() < density
    ]
    rng.shuffle(rows)
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row", strict=False)
    return frame.with_columns(group=pl.col("item").str.slice(-1))


TABLES = {
    "text": made(60, 4, ["x", "y", "z"]),
    "hostile labels": made(80, 5, HOSTILE, seed=1),
    "whole numbers": made(60, 3, [1, 2, 3, 10], seed=2),
    "fractions": made(50, 3, [0.5, 1.0, 2.25], seed=3),
    "two annotators": made(50, 2, [1, 2, 3, 4], seed=10, density=0.95),
    "booleans": made(50, 3, [True, False], seed=4),
    "two digit columns": made(60, 40, [f"l{k:02d}" for k in range(14)], seed=5, density=0.2),
    "many labels": made(120, 70, [f"label {k}" for k in range(400)], seed=6, density=0.1),
    "many annotators": made(40, 900, ["x", "y", "z", "w", "v", "u"], seed=7, density=0.01),
}


def forms(data: Annotations) -> Iterator[tuple[str, Annotations]]:
    """Yield the data and what measures and diagnostics make of them before they count."""
    yield "as read", data
    yield "in another order", data.ordered([*reversed(data.labels), "a label that nobody used"])
    if len(data.single_labels) > 1:
        first, second, *_ = data.single_labels
        yield "one label against the others", data._binarize(first)
        yield "two labels taken as one", data.merged({second: first})
    if data._sets is not None:
        yield "without ranks", data._without_ranks()


def content(data: Annotations) -> dict[str, Any]:
    """Return everything that a measure can ask of data, in bytes where it is numbers."""
    said = {
        name: getattr(data, name)
        for name in ("n_annotations", "annotators", "_decimal", "dropped", "n_items", "kinds", "labels", "notes")
    }
    said |= {name: getattr(data, name) for name in ("_order_given", "_source_labels", "unit")}
    for where, sets in (("data", data._sets), ("ratings", data._ratings.sets)):
        said[where, "sets"] = None if sets is None else (sets.labels, sets.members, sets.ranked)
    for form, counted in (("counts", data._counts), ("ratings", data._ratings)):
        said[form, "labels"] = counted.labels
        for name in ("counts", "multiplicities", "units"):
            said[form, name] = in_bytes(getattr(counted, name))
    for name in ("annotator", "label", "origin", "profile"):
        said["ratings", name] = in_bytes(getattr(data._ratings, name))
    said["ratings", "annotators"] = data._ratings.annotators
    return said


def in_bytes(numbers: Any) -> tuple[Any, ...] | None:
    """Return what an array holds, its type and its shape included."""
    if numbers is None:
        return None
    found = numbers.toarray() if hasattr(numbers, "toarray") else np.asarray(numbers)
    return type(numbers), found.dtype, found.shape, found.tobytes()


@functools.cache
def contents_here(table: str, cluster: str | None = None) -> list[tuple[str, dict[str, Any]]]:
    """Return what polars makes of a table in every form, which every engine is compared with."""
    return [(form, content(data)) for form, data in forms(Annotations.from_frame(TABLES[table], cluster=cluster))]


def assert_same_profiles(here: list[tuple[str, dict[str, Any]]], there: Annotations) -> None:
    """Check that a data set is the same to every measure as here, in every form that it takes."""
    for (form, wanted), (_, theirs) in zip(here, forms(there), strict=True):
        found = content(theirs)
        assert wanted["n_items"] > 0
        assert {name for name in wanted if wanted[name] != found[name]} == set(), form


@pytest.mark.parametrize(("native", "table"), on_engines(TABLES, ["hostile labels"]), indirect=["native"])
def test_every_engine_gives_the_same_profiles_of_items_in_clusters(native, table):
    here = contents_here(table, "group")
    assert all(one["counts", "units"] is not None for _, one in here)
    assert_same_profiles(here, Annotations.from_frame(native(TABLES[table]), cluster="group"))


#: Of counts, of ratings, of pairs of annotators, and one that complete items alone have.
END_TO_END = ("krippendorff-alpha", "conger-kappa", "cohen-kappa", "icc")


def test_measures_from_end_to_end_give_the_same_numbers(native):
    frame = TABLES["two annotators"]
    here = Annotations.from_frame(frame, cluster="group")
    there = Annotations.from_frame(native(frame), cluster="group")
    for name in END_TO_END:
        measure = assent.all_measures()[name]
        one, two = measure(here), measure(there)
        assert one.value < 1
        for number in ("value", "observed", "expected", "n_items", "n_annotations"):
            assert repr(getattr(one, number)) == repr(getattr(two, number)), (name, number)
        for method in ("analytic", "jackknife", "bootstrap"):
            ours = one.confidence_interval(method=method, replicates=50, seed=3)
            theirs = two.confidence_interval(method=method, replicates=50, seed=3)
            assert ours.low < ours.high
            assert repr(ours) == repr(theirs), (name, method)


@pytest.mark.parametrize(
    ("native", "table"),
    on_engines(TABLES, ["hostile labels", "two digit columns"]),
    indirect=["native"],
)
def test_profiles_are_the_same_and_what_counting_by_hand_gives(native, table):
    frame = TABLES[table]
    data = Annotations.from_frame(native(frame))
    assert_same_profiles(contents_here(table), data)
    items: dict[str, dict[str, str]] = {}
    for item, annotator, label in frame.select("item", "annotator", "label").drop_nulls().iter_rows():
        text = str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)
        items.setdefault(item, {})[annotator] = text
    counted: dict[tuple[int, ...], int] = {}
    rated: dict[tuple[str | None, ...], int] = {}
    for labels in items.values():
        profile = tuple(list(labels.values()).count(label) for label in data.labels)
        counted[profile] = counted.get(profile, 0) + 1
        ratings = tuple(labels.get(who) for who in data.annotators)
        rated[ratings] = rated.get(ratings, 0) + 1
    rows = [tuple(row) for row in np.asarray(data._counts.counts).tolist()]
    assert dict(zip(rows, data._counts.multiplicities.tolist(), strict=True)) == counted
    ratings = data._ratings
    spelled = [[None] * len(data.annotators) for _ in ratings.multiplicities]
    for profile, annotator, label in zip(ratings.profile, ratings.annotator, ratings.label, strict=True):
        spelled[profile][annotator] = data.labels[label]
    assert dict(zip(map(tuple, spelled), ratings.multiplicities.tolist(), strict=True)) == rated


def test_clusters_are_the_same_on_every_engine(native):
    frame = TABLES["text"]
    here = Annotations.from_frame(frame, cluster="group")._counts.units
    there = Annotations.from_frame(native(frame), cluster="group")._counts.units
    assert np.array_equal(here.toarray(), there.toarray())
    assert here.toarray().sum() == Annotations.from_frame(frame).n_items


def test_an_item_in_two_clusters_is_refused(native):
    frame = pl.DataFrame({"item": ["i", "i"], "annotator": ["a", "b"], "label": ["x", "x"], "doc": ["1", "2"]})
    with pytest.raises(InputError, match="1 item stands in more than one cluster"):
        Annotations.from_frame(native(frame), cluster="doc")._counts  # noqa: B018


def test_duplicates_are_counted_on_every_engine(native):
    frame = pl.DataFrame(
        {"item": ["i", "i", "i", "j"], "annotator": ["a", "a", "b", "a"], "label": ["x", "y", "x", "x"]}
    )
    with pytest.raises(
        DuplicateAnnotations, match=r'2 rows are 1 \(item, annotator\) pairs.*item "i" with annotator "a"'
    ):
        Annotations.from_frame(native(frame))


def test_gaps_are_counted_on_every_engine(native):
    frame = pl.DataFrame(
        {
            "item": ["i", "i", None, "j", "j", "k"],
            "annotator": ["a", "b", "a", None, "a", "c"],
            "label": ["x", "y", "x", "x", "NA", None],
        }
    )
    data = Annotations.from_frame(native(frame), missing=["NA"])
    assert [(one.reason, one.rows) for one in data.dropped] == [
        ("no item", 1),
        ("no annotator", 1),
        ("missing label", 1),
        ('missing label ("NA")', 1),
    ]
    assert (data.n_items, data.n_annotations, data.annotators) == (1, 2, ("a", "b"))
    assert any("1 annotator has no label" in note for note in data.notes)


def test_data_sets_are_paired_on_every_engine(native):
    first, second = made(40, 3, ["x", "y"], seed=8), made(40, 4, ["x", "y", "z"], seed=9)
    second = second.filter(pl.col("item") > "item 2")
    gaps = [
        assent.difference(
            assent.krippendorff_alpha(Annotations.from_frame(put(first))),
            assent.krippendorff_alpha(Annotations.from_frame(put(second))),
        )
        for put in (lambda frame: frame, native)
    ]
    assert gaps[0].value == gaps[1].value
    assert gaps[0].shared == gaps[1].shared > 0
    assert gaps[0].standard_error() == gaps[1].standard_error() > 0


def test_threads_measure_a_table_of_duckdb_by_cursors_of_their_own():
    import duckdb

    frame = made(400, 3, [1, 2, 3], seed=5, density=0.9)
    connection = duckdb.connect()
    connection.register("given", frame.to_arrow())
    connection.execute("create table labels as select * from given")
    with ThreadPoolExecutor(4) as threads:
        cursors = [connection.cursor() for _ in range(12)]
        found = list(threads.map(lambda one: assent.krippendorff_alpha(one.table("labels")).value, cursors))
    assert found == [assent.krippendorff_alpha(frame).value] * 12
