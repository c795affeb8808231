"""Intervals over items and annotators: the sum of two variances, seen when items and annotators are left out one by one."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from scipy.stats import t as student

import assent
from assent import Annotations
from assent.analyses.generalise import over_annotators, without_each_annotator
from assent.errors import UnsuitableData


def crowd(items: int, skills: list[float], seed: int = 1) -> Annotations:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, (items, 1))
    wrong = (truth + rng.integers(1, 3, (items, len(skills)))) % 3
    return Annotations.from_array(np.where(rng.random(wrong.shape) < skills, truth, wrong).astype(str).tolist())


UNLIKE = crowd(80, [0.95, 0.9, 0.8, 0.75, 0.6])


def made(data: Annotations, name: str, **options: object) -> assent.Measurement:
    return assent.measure(data, name, generalise="annotators", **options)


@pytest.mark.parametrize(
    "name", ["krippendorff-alpha", "fleiss-kappa", "percent-agreement", "cohen-kappa", "conger-kappa"]
)
@pytest.mark.parametrize("method", ["etel", "analytic"])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_it_is_the_sum_of_two_variances(name: str, method: str, level: float) -> None:
    """Each annotator left out and the rest measured anew; Satterthwaite's degrees of freedom."""
    measure = assent.all_measures()[name]
    agreement = measure(UNLIKE)
    without = [measure(UNLIKE.without_annotators([one])).value for one in UNLIKE.annotators or ()]
    plain = agreement.confidence_interval(level, method=method)
    people = 4 / 5 * sum((value - sum(without) / 5) ** 2 for value in without)
    own = student.ppf((1 + level) / 2, 79)
    low, high = (agreement.value - plain.low) / own, (plain.high - agreement.value) / own
    items = ((low + high) / 2) ** 2
    reach = student.ppf((1 + level) / 2, (items + people) ** 2 / (items**2 / 79 + people**2 / 4))
    (found,) = made(UNLIKE, name, ci=method, level=level).measures
    assert found.interval is not None
    assert found.interval.low == pytest.approx(max(-1, agreement.value - reach * math.sqrt(low**2 + people)), abs=1e-9)
    assert found.interval.high == pytest.approx(min(1, agreement.value + reach * math.sqrt(high**2 + people)), abs=1e-9)
    assert found.interval.unit == "items and annotators"
    assert found.interval.standard_error == pytest.approx(math.sqrt(plain.standard_error**2 + people))


def test_annotators_who_are_all_alike_add_nothing() -> None:
    agreement = assent.krippendorff_alpha(UNLIKE)
    plain = agreement.confidence_interval()
    same = over_annotators(agreement, plain, np.full(5, 0.5))
    assert (same.low, same.high) == pytest.approx((plain.low, plain.high))


def test_two_annotators_are_refused_and_few_are_said_to_be_few() -> None:
    with pytest.raises(UnsuitableData, match="three annotators or more, and there are 2"):
        made(crowd(20, [0.9, 0.9]), "cohen-kappa")
    with pytest.raises(UnsuitableData, match="do not say who annotated"):
        made(Annotations.from_counts([[2, 1], [0, 3]], labels=["a", "b"]), "fleiss-kappa")
    few, enough = (made(crowd(40, [0.9] * count), "fleiss-kappa").measures[0].notes for count in (4, 5))
    assert any("seen on 4 of them" in note for note in few)
    assert not any("of them" in note for note in enough)
    with pytest.raises(assent.OptionError, match="generalise"):
        assent.measure(UNLIKE, generalise="people")


def test_without_a_value_there_is_no_interval() -> None:
    """Only z gives another label: without z there is one label and no alpha."""
    rows = [["a", "a", "a"]] * 10 + [["a", "a", "b"]] * 2
    (found,) = made(Annotations.from_array(rows, annotators=["x", "y", "z"]), "krippendorff-alpha").measures
    assert found.interval is not None
    assert math.isnan(found.interval.low)
    assert any('without "z" the value is undefined' in note for note in found.notes)


def test_sets_and_clusters_too() -> None:
    rng = np.random.default_rng(3)
    rows = [
        {
            "item": f"{item}",
            "document": f"{item // 4}",
            "annotator": who,
            "label": ";".join(sorted(set(rng.choice(["a", "b", "c"], 2)))),
        }
        for item in range(60)
        for who in "vwxyz"
    ]
    data = Annotations.from_frame(pl.DataFrame(rows), cluster="document", separator=";")
    measure = assent.all_measures()["boot-f1"]
    expected = [measure(data.without_annotators([one])).value for one in data.annotators or ()]
    assert without_each_annotator(data, measure, {}) == pytest.approx(expected)
    interval = made(data, "boot-f1").measures[0].interval
    assert interval is not None
    assert interval.unit == "document and annotators"
    assert -1 <= interval.low < interval.high <= 1


def test_other_annotators_are_covered_where_items_alone_do_not() -> None:
    """60 teams of five whose skills have a standard deviation of 0.1 (benchmarks/coverage_annotators.py: 94 and 57 of 100)."""
    rng = np.random.default_rng(8)
    skills = np.clip(rng.normal(0.8, 0.1, 100_000), 1 / 3, 1)
    mean = skills.mean()
    truth = (mean**2 + (1 - mean) ** 2 / 2 - 1 / 3) / (2 / 3)
    held = {"items": 0, "annotators": 0}
    for seed in range(60):
        data = crowd(500, rng.choice(skills, 5).tolist(), seed)
        for generalise in held:
            low, high = assent.measure(data, "krippendorff-alpha", generalise=generalise).measures[0].ends
            assert low is not None
            assert high is not None
            held[generalise] += low <= truth <= high
    assert held["annotators"] >= 51
    assert held["items"] <= 45
