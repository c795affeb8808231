"""Whatever leaves an engine passes one door: how often, and how much, is counted there for every measure."""

from __future__ import annotations

from itertools import product

import narwhals as nw
import numpy as np
import polars as pl
import pytest
from tests.engines.test_parity import made
from tests.support import label_measures

import assent
from assent import Annotations
from assent.engines import collect, track_transfers
from assent.engines.columns import is_local
from assent.errors import DuplicateAnnotations, InputError, UnsuitableData

#: The engines that rows may be too many for; those in memory are watched in test_growth.
LAZY = ["polars-lazy", "duckdb", "pyspark"]
TABLES = {
    "several annotators": made(1_500, 3, [1, 2, 3], seed=11, density=0.9),
    "two annotators": made(700, 2, [1, 2, 3], seed=12, density=0.9),
}


def rows_out(seen) -> dict[str, int]:
    """Add up the rows that came out, by question."""
    totals: dict[str, int] = {}
    for one in seen:
        totals[one.question] = totals.get(one.question, 0) + one.rows
    return totals


def every_measure(data) -> set[str]:
    """Measure everything that fits, with an interval; return the names of what was measured."""
    measured = set()
    for name, measure in label_measures().items():
        try:
            measure(data).confidence_interval(method="bootstrap", replicates=5, seed=1)
        except UnsuitableData:
            continue
        measured.add(name)
    return measured


def test_every_measure_is_measured_on_some_table():
    assert set().union(*(every_measure(Annotations.from_frame(one)) for one in TABLES.values())) == set(
        label_measures()
    )


@pytest.mark.parametrize(
    ("native", "table", "clustered"),
    [
        # Spark takes seconds for each table: the others are for the night.
        pytest.param(name, *case, marks=[pytest.mark.nightly] if name == "pyspark" and at else [])
        for name in LAZY
        for at, case in enumerate(product(TABLES, [True, False]))
    ],
    indirect=["native"],
)
def test_for_every_measure_only_profiles_labels_and_annotators_come_out(native, table, clustered):
    frame = TABLES[table]
    seen = []
    with track_transfers(seen.append):
        data = Annotations.from_frame(native(frame), cluster="group" if clustered else None)
        assert len(every_measure(data)) >= 10
    kinds = [data._counts, data._ratings]
    profiles = sum(one.units.nnz if clustered else len(one.multiplicities) for one in kinds)
    found = rows_out(seen)
    # A missing label is a row of its own; whether a pair is repeated is a yes or no.
    assert found.pop("labels") == len(data.labels) + 1
    assert found.pop("annotators") == len(data.annotators)
    assert found.pop("profiles") == profiles < frame.height / 3
    assert found in ({}, {"repeated pairs": 1})
    assert len(seen) == 4 + ("repeated pairs" in rows_out(seen))


@pytest.mark.parametrize("measure", label_measures().values(), ids=label_measures())
@pytest.mark.parametrize("native", ["polars-lazy", "duckdb"], indirect=True)
def test_each_measure_alone_takes_so_many_passes(native, measure):
    frame = next(one for one in TABLES.values() if measure.unsuitable(Annotations.from_frame(one)) is None)
    seen = []
    with track_transfers(seen.append):
        data = Annotations.from_frame(native(frame))
        measure(data)
    asked = [one.question for one in seen if one.question != "repeated pairs"]
    assert asked[:2] == ["labels", "annotators"]
    # Which items have two annotations is asked of label counts; who said what is one pass more.
    assert asked[2:] in (["profiles"], ["profiles", "profiles"])
    assert sum(one.rows for one in seen) <= len(data._counts.multiplicities) + len(data._ratings.multiplicities) + 10


def sets_table(ranked: bool) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    rows = [
        (f"item {i}", who, f"label {label}", place)
        for i in range(150)
        for who in ("a", "b")
        for place, label in enumerate(rng.permutation(3)[: rng.integers(1, 3)], start=1)
    ]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "place"], orient="row")
    return frame if ranked else frame.drop("place")


@pytest.mark.nightly_on_spark
@pytest.mark.parametrize("ranked", [False, True])
@pytest.mark.parametrize("native", LAZY, indirect=True)
def test_sets_of_labels_come_out_as_sets_not_as_rows(native, ranked):
    frame = sets_table(ranked)
    options = {"rank": "place"} if ranked else {"multilabel": True}
    seen = []
    with track_transfers(seen.append):
        data = Annotations.from_frame(native(frame), **options)
        assert len(every_measure(data)) >= 10
        assent.krippendorff_alpha(data, distance="masi")
        if ranked:
            assent.augmented_kappa(data, primary=0.6)
    # Nine sets with ranks, six without; each annotator has one of them.
    sets = 9 if ranked else 6
    assert len(data._source_labels) == sets
    found = rows_out(seen)
    assert found.pop("labels") == 3 + sets
    assert found.pop("annotators") == 2 * 2
    assert found.pop("profiles") <= sets * (sets + 1) // 2 + sets**2 < frame.height / 2
    assert sum(found.values()) <= 5
    assert len(seen) <= 9
    here = Annotations.from_frame(frame, **options)
    assert repr(assent.boot_f1(data).value) == repr(assent.boot_f1(here).value)


@pytest.mark.parametrize("native", ["polars-lazy", "duckdb"], indirect=True)
def test_what_each_kind_of_question_costs(native):
    frame = TABLES["several annotators"]
    data = Annotations.from_frame(native(frame), columns=["group"])

    def asked(action):
        seen = []
        with track_transfers(seen.append):
            action()
        return [one.question for one in seen]

    assert asked(lambda: data.n_items) == ["profiles"]
    assert asked(lambda: (data.n_items, data._counts, data._comparable_counts, data.to_dict())) == []
    assert asked(lambda: data.merged({"1": "2"})._counts) == []
    assert asked(lambda: data.ordered(["3", "2", "1"])._counts) == []
    assert asked(lambda: assent.fleiss_kappa.by_label(data)) == []
    assert asked(lambda: data._ratings) == ["profiles"]
    assert asked(lambda: data.merged({"1": "2"})._ratings) == []
    assert asked(lambda: data._source.item_count()) == ["items"]
    assert asked(lambda: data.to_rows("group")) == ["annotations"]
    assert asked(lambda: assent.difference(assent.fleiss_kappa(data), assent.krippendorff_alpha(data))) == []
    assert asked(lambda: data.without_annotators(["who-1"])._counts) == ["labels", "annotators", "profiles"]
    # Their rows come here; which labels and annotators these have is then asked of them alone.
    few = []
    with track_transfers(few.append):
        assert data._most_disputed(3).local
    assert [one.question for one in few] == ["disputed items", "rows of disputed items", "labels", "annotators"]
    assert [one.rows for one in few[:2]] == [3, data._most_disputed(3).n_annotations]
    other = Annotations.from_frame(native(frame.head(300)))
    gap = asked(lambda: assent.difference(assent.fleiss_kappa(data), assent.fleiss_kappa(other)))
    assert gap == ["profiles", "profiles"]


@pytest.mark.parametrize("native", LAZY, indirect=True)
def test_a_repeated_pair_is_shown_and_no_other_row(native):
    frame = pl.concat([TABLES["two annotators"], TABLES["two annotators"].head(50)])
    seen = []
    with track_transfers(seen.append), pytest.raises(DuplicateAnnotations):
        Annotations.from_frame(native(frame))
    found = rows_out(seen)
    assert found.pop("a repeated pair") == 1
    assert sum(found.values()) <= 3 + 1 + 2 + 2 + 1


@pytest.mark.parametrize("native", ["polars", "polars-lazy", "pandas", "duckdb", "pyspark"], indirect=True)
def test_more_annotations_than_a_stated_number_are_not_brought_here(native, monkeypatch):
    monkeypatch.setattr(collect, "MOST_ANNOTATIONS", 100)
    data = Annotations.from_frame(native(TABLES["two annotators"]))
    assert data.n_annotations > 100
    seen = []
    with track_transfers(seen.append):
        if data.local:
            assert len(data.to_rows().item) == data.n_annotations
            return
        with pytest.raises(
            InputError, match=rf"bringing {data.n_annotations:,} of them here from (DuckDB|Spark) is too much"
        ):
            data.to_rows()
    assert seen == []


@pytest.mark.parametrize("native", ["polars", "polars-lazy", "pandas", "duckdb", "pyspark"], indirect=True)
def test_an_amount_is_checked_where_rows_would_travel_and_nowhere_else(native, monkeypatch):
    monkeypatch.setattr(collect, "MOST_ANNOTATIONS", 1_000)
    frame = nw.from_native(native(TABLES["two annotators"].head(3))).lazy()
    said = {"what": "This needs one item of each kind", "instead": "ask for label counts"}
    collect.check_amount(frame, 1_000, **said)
    if is_local(frame):
        collect.check_amount(frame, 1_001, **said)
        return
    with pytest.raises(InputError) as refused:
        collect.check_amount(frame, 1_001, **said)
    engine = "DuckDB" if frame.implementation.is_duckdb() else "Spark"
    assert str(refused.value) == (
        f"This needs one item of each kind, and bringing 1,001 of them here from {engine} is too much (at most 1,000): "
        "take a sample of the items there, or ask for label counts."
    )


def test_whoever_watches_stops_watching_even_after_an_error():
    seen = []
    with pytest.raises(ZeroDivisionError), track_transfers(seen.append):
        raise ZeroDivisionError
    Annotations.from_array([["a", "b"]])
    assert seen == []
    assert collect._WATCHERS == []


def test_watchers_do_not_disturb_each_other():
    first, second = [], []
    with track_transfers(first.append):
        with track_transfers(second.append):
            Annotations.from_array([["a", "b"]])
        before = len(second)
        Annotations.from_array([["a", "b"]])
    assert len(first) == 2 * before == 2 * len(second) > 0


def test_rows_that_another_engine_would_have_to_order_are_refused_before_they_are_fetched():
    import duckdb

    frame = pl.concat([TABLES["two annotators"], TABLES["two annotators"].head(50)])
    seen = []
    with track_transfers(seen.append), pytest.raises(InputError, match="Rows of a duckdb table have no order"):
        Annotations.from_frame(duckdb.connect().from_arrow(frame.to_arrow()), duplicates="first")
    assert sum(one.rows for one in seen) <= 10
