"""The sweep of the primary label: its curve, its intervals, and the four classes of items."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from tests.properties.tables import MANY, near
from tests.properties.test_label_sets import Table, made, set_tables
from tests.reference import label_sets as reference

import assent
from assent import Annotations, OptionError
from assent.analyses.sweep import CLASSES
from assent.analyses.sweep.curves import Curves
from assent.errors import UnsuitableData
from assent.inference.derivatives import influence
from assent.inference.sample import Sample
from assent.text import number

#: An item of each kind that Rosenberg and Binkowski list, and its agreement at p as they define it.
COMBINATIONS = {
    "a/a": (("a",), ("a",), lambda p: 1),
    "a/b": (("a",), ("b",), lambda p: 0),
    "ab/a": (("a", "b"), ("a",), lambda p: p),
    "ab/b": (("a", "b"), ("b",), lambda p: 1 - p),
    "ab/c": (("a", "b"), ("c",), lambda p: 0),
    "ab/ab": (("a", "b"), ("a", "b"), lambda p: p**2 + (1 - p) ** 2),
    "ab/ba": (("a", "b"), ("b", "a"), lambda p: 2 * p * (1 - p)),
    "ab/ac": (("a", "b"), ("a", "c"), lambda p: p**2),
    "ab/bc": (("a", "b"), ("b", "c"), lambda p: p * (1 - p)),
    "ab/cd": (("a", "b"), ("c", "d"), lambda p: 0),
}
ALL: Table = tuple((first, second) for first, second, _ in COMBINATIONS.values())


def classes_of(rows: Table, **options: Any) -> dict[str, str]:
    sweep = assent.sweep(made(rows), points=2, **options)
    return {item: one.name for one in sweep.classes for item in sweep.members(one.name)}


# The curve


@MANY
@given(rows=set_tables())
def test_the_curve_is_the_measure_and_the_formula(rows: Table) -> None:
    data = made(rows)
    for average in ("overlap", "plain"):
        sweep = assent.sweep(data, points=3, average=average)
        assert [one.primary for one in sweep.points] == [0.5, 0.75, 1.0]
        curves = Curves(data._comparable_ratings, average)
        for one in sweep.points:
            slow = reference.over_pairs(
                rows, lambda both, p=Fraction(one.primary): reference.augmented(both, p), average
            )
            assert one.value == near(math.nan if slow is None else float(slow))
            assert curves.value(one.primary) == near(one.value)


@MANY
@given(rows=set_tables())
def test_the_influence_of_items_is_the_derivative_of_the_measure(rows: Table) -> None:
    data = made(rows)
    for average in ("overlap", "plain"):
        for p in (0.5, 0.8, 1.0):
            agreement = assent.augmented_kappa(data, primary=p, average=average)
            if math.isnan(agreement.value):
                continue
            moved = influence(agreement.sample.statistic, agreement.sample.multiplicities)
            found = Curves(data._comparable_ratings, average).influence(p)
            np.testing.assert_allclose(found, moved, rtol=1e-9, atol=1e-12)


def test_intervals_are_those_of_the_measure() -> None:
    data = made(ALL * 3)
    for ci in ("analytic", "jackknife", "bootstrap"):
        sweep = assent.sweep(data, points=3, ci=ci, level=0.9, replicates=50, seed=4)
        for one in sweep.points:
            agreement = assent.augmented_kappa(data, primary=one.primary)
            interval = agreement.confidence_interval(0.9, method=ci, replicates=50, seed=4)
            assert (one.interval.low, one.interval.high) == near((interval.low, interval.high))
            assert one.interval.notes == interval.notes
        gap = assent.difference(assent.augmented_kappa(data, primary=0.5), assent.augmented_kappa(data, primary=1))
        wanted = gap.confidence_interval(0.9, method=ci, replicates=50, seed=4)
        assert sweep.change == near(gap.value)
        assert (sweep.change_interval.low, sweep.change_interval.high) == near((wanted.low, wanted.high))
    without = assent.sweep(data, points=3, ci="none")
    assert without.points[0].interval is None
    assert without.change_interval is None
    assert "interval" not in without.sentence


def test_clusters_are_resampled_as_a_whole() -> None:
    rows = [
        {"item": f"{copy}-{i}", "annotator": who, "label": ";".join(cell), "doc": f"d{copy}"}
        for copy in range(8)
        for i, pair in enumerate(ALL[: 4 + copy % 5])
        for who, cell in zip("xy", pair, strict=True)
    ]
    data = Annotations.from_frame(pl.DataFrame(rows), separator=";", ranked=True, cluster="doc")
    sweep = assent.sweep(data, points=2)
    for one in sweep.points:
        wanted = assent.augmented_kappa(data, primary=one.primary).confidence_interval()
        assert (one.interval.low, one.interval.high) == near((wanted.low, wanted.high))
        assert (one.interval.unit, one.interval.n_units) == ("doc", 8)
    assert any("rests on 8 clusters" in note for note in sweep.notes)


def test_influences_come_in_closed_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """With many pairs of annotators, moving totals one by one for every p would take minutes."""
    calls: list[float] = []
    original = Curves.influence
    monkeypatch.setattr(Curves, "influence", lambda self, p: calls.append(p) or original(self, p))
    monkeypatch.setattr(Sample, "slopes", property(lambda _: pytest.fail("moved totals one by one")))
    assent.sweep(made(ALL), points=4)
    assert calls == near([0.5, 2 / 3, 5 / 6, 1])
    calls.clear()
    assent.sweep(made(ALL), points=4, ci="none")
    assert calls == []


# The grid


def test_points_and_steps() -> None:
    def grid(**options: Any) -> list[float]:
        return [one.primary for one in assent.sweep(made(ALL), ci="none", **options).points]

    assert grid() == [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0]
    assert grid(step=0.1) == [0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    assert grid(step=0.2) == [0.5, 0.7, 0.9, 1.0]
    assert grid(step=0.5) == grid(points=2) == [0.5, 1.0]
    assert len(grid(step=0.001)) == 501


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"points": 1}, "from 2 to 501"),
        ({"points": 502}, "from 2 to 501"),
        ({"step": 0}, "between 0.001 and 0.5"),
        ({"step": -0.1}, "between 0.001 and 0.5"),
        ({"step": math.nan}, "between 0.001 and 0.5"),
        ({"points": 3, "step": 0.1}, "give one of them"),
        ({"high": 1.5}, "between -1 and 1"),
        ({"high": math.nan}, "between -1 and 1"),
        ({"constant": -0.1}, "must not be negative"),
        ({"constant": math.nan}, "must not be negative"),
        ({"constant": math.inf}, "must not be negative"),
        ({"level": 1.0}, "confidence level"),
        ({"ci": "exact"}, "which is not one of etel, analytic, jackknife, bootstrap, none"),
        ({"average": "mean"}, "which is not one of overlap, plain"),
    ],
    ids=str,
)
def test_options_that_cannot_be(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        assent.sweep(made(ALL), **options)


def test_without_ranks_there_is_nothing_to_sweep() -> None:
    with pytest.raises(UnsuitableData, match=r"does not say which one is primary.*`rank`.*`ranked`"):
        assent.sweep(made(ALL, ranked=False))
    with pytest.raises(UnsuitableData, match=r"every annotation here is one label.*`separator`.*`ranked`.*`rank`"):
        assent.sweep([["a", "b"], ["a", "a"]])


# Items


@MANY
@given(rows=set_tables())
def test_the_value_of_an_item_is_the_mean_over_its_pairs_of_annotators(rows: Table) -> None:
    sweep = assent.sweep(made(rows), points=2, ci="none")
    shared = [i for i, row in enumerate(rows) if sum(cell is not None for cell in row) > 1]
    assert list(sweep.items.names) == [str(i) for i in shared]
    columns = sweep.items.columns()
    for at, end in (("value_at_0.5", Fraction(1, 2)), ("value_at_1", Fraction(1))):
        slow = [reference.of_item(rows, i, end) for i in shared]
        found = [math.nan if value is None else value for value in columns[at]]
        assert found == near([math.nan if value is None else float(value) for value in slow])
    for place, i in enumerate(shared):
        given_labels = {f"r{a}": list(cell) for a, cell in enumerate(rows[i]) if cell is not None}
        assert columns["labels"][place] == given_labels
        assert columns["identical"][place] == (len({tuple(one) for one in given_labels.values()}) == 1)
        assert columns["annotations"][place] == len(given_labels)
        assert columns["pairs"][place] == math.comb(len(given_labels), 2)


@MANY
@given(rows=set_tables())
def test_the_whole_is_the_mean_of_its_items(rows: Table) -> None:
    """By pairs of annotators: that is what makes the value of an item its share of the whole."""
    sweep = assent.sweep(made(rows), points=2, ci="none")
    items = sweep.items
    for end, values in ((sweep.points[0], items.equal), (sweep.points[-1], items.only)):
        # Pairs without a value would count here and not there.
        if not np.isnan(values).any() and all(
            not math.isnan(pair) for pair in Curves(items.ratings).values(end.primary)
        ):
            pairs = items.pairs[items.profile]
            assert float(values[items.profile] @ pairs / pairs.sum()) == near(end.value)


def test_every_combination_of_two_labels_has_its_agreement() -> None:
    items = made(ALL)._comparable_ratings
    sweep = assent.sweep(made(ALL), points=2, ci="none")
    for p in (0.5, 0.6, 0.85, 1.0):
        agreement, _ = Curves(items).of_profiles(p)
        by_item = agreement[sweep.items.profile].tolist()
        assert by_item == near([float(of(p)) for _, _, of in COMBINATIONS.values()])


def test_every_combination_has_its_class() -> None:
    found = classes_of(ALL)
    assert {name: found[str(i)] for i, name in enumerate(COMBINATIONS)} == {
        "a/a": "constant-high",
        "a/b": "constant-low",
        "ab/a": "higher-at-1",
        "ab/b": "higher-at-0.5",
        "ab/c": "constant-low",
        "ab/ab": "higher-at-1",
        "ab/ba": "higher-at-0.5",
        "ab/ac": "higher-at-1",
        "ab/bc": "higher-at-0.5",
        "ab/cd": "constant-low",
    }


def test_classes_do_not_depend_on_how_fine_the_sweep_is() -> None:
    rough, fine = (assent.sweep(made(ALL), points=points) for points in (2, 40))
    assert [one.to_dict() for one in rough.classes] == [one.to_dict() for one in fine.classes]


def test_the_thresholds_decide() -> None:
    assert set(classes_of(ALL, constant=2.0).values()) == {"constant-high", "constant-low"}
    assert set(classes_of(ALL, constant=2.0, high=1.0).values()) == {"constant-low"}
    assert set(classes_of(ALL, constant=2.0, high=-1.0).values()) == {"constant-high"}
    rows: Table = ((("a", "b"), ("a",)), (("b",), ("b",)), (("c",), ("c",)))
    change = assent.sweep(made(rows), points=2).items.columns()["change"][0]
    assert classes_of(rows, constant=change + 1e-6)["0"] != "higher-at-1"
    assert classes_of(rows, constant=change - 1e-6)["0"] == "higher-at-1"
    # A threshold that is met exactly is met.
    assert classes_of(rows, constant=change)["0"] != "higher-at-1"


def test_an_item_that_only_chance_moved_is_constant() -> None:
    """Chance agreement is 1/4 less at p = 0.5 than at p = 1 here, so {a, b} falls by far more than 0.1."""
    rows: Table = ((("a",), ("b",)), *((("a", "b"), ("a", "c")),) * 4, *((("a", "c"), ("a", "d")),) * 4)
    sweep = assent.sweep(made(rows), points=2)
    row = {name: cells[0] for name, cells in sweep.items.columns().items()}
    assert row["class"] == "constant-low"
    assert row["change"] < -sweep.constant
    assert any(
        note.startswith("1 item is called constant though its value moves by more than 0.1") for note in sweep.notes
    )


def test_the_same_labels_in_the_same_order_are_no_inconsistency() -> None:
    sweep = assent.sweep(made(ALL), points=2)
    third = {one.name: one for one in sweep.classes}["higher-at-1"]
    assert (third.n_items, third.identical) == (3, 1)
    assert any(note.startswith("1 item of higher-at-1 has the same labels in the same order") for note in sweep.notes)


def test_the_most_typical_items_come_first() -> None:
    sweep = assent.sweep(made(ALL), points=2)
    # ab/ac agrees on a quarter at 0.5 and fully at 1; ab/a and ab/ab on a half.
    assert sweep.members("higher-at-1") == ["7", "2", "5"]
    # ab/b and ab/ba lose a half, ab/bc a quarter.
    assert sweep.members("higher-at-0.5") == ["3", "6", "8"]
    assert sweep.members("constant-low") == ["1", "4", "9"]
    with pytest.raises(OptionError, match="constant-high, constant-low"):
        sweep.members("constant")


def test_usable_items_are_those_with_a_primary_label() -> None:
    sweep = assent.sweep(made(ALL), points=2)
    assert sweep.usable == 4
    assert assent.sweep(made(ALL), points=2, high=1).usable == 0


def test_three_annotators_who_swap() -> None:
    """Two say ab and one ba: (p² + (1-p)² + 2 · 2p(1-p)) / 3 agree, a half at 0.5 and a third at 1."""
    filler: Table = tuple((((a,),) * 3) for a in "abcdefghij")
    rows: Table = ((("a", "b"), ("a", "b"), ("b", "a")), *filler)
    assert classes_of(rows)["0"] == "higher-at-0.5"


def test_what_is_undefined_at_one_end_has_no_class() -> None:
    rows: Table = ((("a", "b"), ("a",)), (("a",), ("a", "c")))
    sweep = assent.sweep(made(rows), points=3)
    assert not math.isnan(sweep.points[0].value)
    assert math.isnan(sweep.points[-1].value)
    assert math.isnan(sweep.change)
    assert sweep.unclassified == 2
    assert sweep.sentence.startswith("Agreement is undefined at one end")
    assert all(one.n_items == 0 and math.isnan(one.share) for one in sweep.classes)
    assert any("2 items without a class" in note for note in sweep.notes)
    content = json.loads(json.dumps(sweep.to_dict(), allow_nan=False))["sweep"]
    assert content["points"][-1]["value"] is None
    assert content["classes"][0]["share"] is None
    assert [one["class"] for one in content["items"]] == [None, None]


def test_what_must_be_known_is_said() -> None:
    flat = assent.sweep(made(((("a",), ("a",)), (("b",), ("a",)), (("b",), None))), points=2)
    assert flat.change == 0
    assert any("No annotation holds a secondary label" in note for note in flat.notes)
    assert any("1 item has one annotation" in note for note in flat.notes)
    assert list(flat.items.names) == ["0", "1"]
    long = assent.sweep(made(((("a", "b", "c"), ("a",)), (("b",), ("b",)))), points=2)
    assert any("up to 3 labels" in note for note in long.notes)


@pytest.mark.parametrize(
    ("rows", "start"),
    [
        (
            ((("a", "b"), ("a", "c")), (("b", "c"), ("b", "a")), (("c", "a"), ("c", "b"))) * 20,
            "Annotators agree more on primary",
        ),
        (((("a", "b"), ("b", "a")), (("c", "d"), ("d", "c"))) * 20, "Annotators agree more if all labels count alike"),
        (ALL, "Whether secondary labels count makes no clear difference"),
    ],
)
def test_what_secondary_labels_do_on_the_whole_is_said(rows: Table, start: str) -> None:
    sweep = assent.sweep(made(rows), points=2)
    assert sweep.sentence.startswith(start)
    assert f"{number(sweep.points[0].value, 3)} with all labels alike" in sweep.sentence


def test_the_empty_set_can_be_swept() -> None:
    rows: Table = (((), ()), (("a", "b"), ()), (("a",), ("a", "b")))
    assert classes_of(rows) == {"0": "constant-high", "1": "constant-low", "2": "higher-at-1"}


def test_everything_as_plain_values() -> None:
    sweep = assent.sweep(made(ALL), points=3)
    content = json.loads(json.dumps(sweep.to_dict(), allow_nan=False))["sweep"]
    assert list(content) == [
        "points",
        "change",
        "sentence",
        "classes",
        "unclassified",
        "usable",
        "high",
        "constant",
        "average",
        "level",
        "items",
        "notes",
    ]
    assert [one["name"] for one in content["classes"]] == list(CLASSES)
    assert sum(one["items"] for one in content["classes"]) == len(ALL) == len(content["items"])
    assert all(one["items"] == len(one["members"]) for one in content["classes"])
    assert content["items"][6] == {
        "item": "6",
        "class": "higher-at-0.5",
        "value_at_0.5": sweep.items.columns()["value_at_0.5"][6],
        "value_at_1": sweep.items.columns()["value_at_1"][6],
        "change": sweep.items.columns()["change"][6],
        "annotations": 2,
        "pairs": 1,
        "identical": False,
        "labels": {"r0": ["a", "b"], "r1": ["b", "a"]},
    }
    flat = sweep.items.columns(nested=False)["labels"][6]
    assert json.loads(flat) == {"r0": ["a", "b"], "r1": ["b", "a"]}


def test_the_chart_shows_the_curve_and_every_item() -> None:
    from assent.documents import charts

    sweep = assent.sweep(made(ALL * 3), points=4)
    spec = sweep.chart().to_dict()
    named = [value["values"] if "values" in value else spec["datasets"][value["name"]] for value in _data(spec)]
    curve = next(values for values in named if "p" in values[0])
    assert [one["p"] for one in curve] == near([one.primary for one in sweep.points])
    assert [one["low"] for one in curve] == near([one.interval.low for one in sweep.points])
    dots = next(values for values in named if "items" in values[0])
    assert sum(one["items"] for one in dots) == len(ALL) * 3
    assert charts.svg(sweep.chart()).startswith("<svg")
    for odd in (((("a", "b"), ("a",)), (("a",), ("a", "c"))), ((("a",), ("a",)), (("b",), ("b",)))):
        assert "NaN" not in charts.svg(assent.sweep(made(odd), points=2, ci="none").chart())


def _data(spec: Any) -> list[Any]:
    """Every data set that a chart names or holds."""
    if isinstance(spec, list):
        return [found for one in spec for found in _data(one)]
    if not isinstance(spec, dict):
        return []
    here = [spec["data"]] if isinstance(spec.get("data"), dict) and spec["data"] else []
    return here + [found for name, one in spec.items() if name not in ("data", "datasets") for found in _data(one)]
