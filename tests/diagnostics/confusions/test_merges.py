"""What merging two labels would do: the closed form against measuring the merged data."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from tests.diagnostics.confusions.test_coincidences import many_labels
from tests.properties.tables import STABLE, Rows, annotations, large, tables
from tests.support import searched, some

import assent
from assent import Annotations, OptionError
from assent.analyses.labels import merges
from assent.analyses.labels.confusions import disputed_pairs
from assent.analyses.labels.merges import Merge, label_merges
from assent.errors import UnsuitableData
from assent.limits import MERGES_MEASURED

ROWS = [
    ["cat", "cat"],
    ["dog", "wolf"],
    ["wolf", "dog"],
    ["dog", "dog"],
    ["cat", "cat"],
    ["wolf", "wolf"],
    ["cat", "dog"],
]


def entropy(data: Annotations) -> float:
    """Of the labels of items with two or more annotations, in bits."""
    items = data._comparable_counts
    totals = np.asarray(items.multiplicities @ items.counts, dtype=float).ravel()
    return -sum(t / totals.sum() * math.log2(t / totals.sum()) for t in totals if t)


def recomputed(data: Annotations, merge: Merge, measure: str = "krippendorff-alpha", scale: str = "nominal") -> float:
    merged = data.merged({merge.first: "merged", merge.second: "merged"})
    return assent.all_measures()[measure](merged, scale=scale).value


@given(tables())
@STABLE
def test_the_closed_form_is_what_measuring_the_merged_data_gives(rows: Rows) -> None:
    data = annotations(rows)
    found = label_merges(data, most=100, intervals=0)
    assert found.entropy == pytest.approx(entropy(data))
    for merge in found.merges:
        assert merge.value == pytest.approx(recomputed(data, merge), abs=1e-12)
        assert merge.gain == pytest.approx(merge.value - found.value)
        left = entropy(data.merged({merge.second: merge.first}))
        assert merge.entropy_lost == pytest.approx(found.entropy - left, abs=1e-12)
        assert merge.entropy_share == pytest.approx(merge.entropy_lost / found.entropy)


@given(tables())
@STABLE
def test_no_merge_that_is_left_out_would_be_better(rows: Rows) -> None:
    """Labels that never meet are not tried: merging them cannot gain."""
    data = annotations(rows)
    found = label_merges(data, most=100, intervals=0)
    listed = {(merge.first, merge.second) for merge in found.merges}
    left_out = set(combinations(data.labels, 2)) - listed
    searched(len(left_out))
    for one, other in left_out:
        value = assent.krippendorff_alpha(data.merged({other: one})).value
        assert math.isnan(value) or math.isnan(found.value) or value <= found.value + 1e-12


@given(tables())
@STABLE
def test_a_merge_gains_exactly_where_a_pair_is_confused_more_than_chance_would(rows: Rows) -> None:
    data = annotations(rows)
    pairs = {(one.first, one.second): one for one in disputed_pairs(data, most=100)}
    for merge in label_merges(data, most=100, intervals=0).merges:
        pair = pairs[merge.first, merge.second]
        searched(abs(pair.value - pair.expected) > 1e-9)
        if abs(pair.value - pair.expected) > 1e-9:
            assert (merge.gain > 0) == (pair.value > pair.expected)


def test_the_best_comes_first_with_an_interval_of_its_gain() -> None:
    data = annotations(large(items=300))
    found = label_merges(data, intervals=2, most=4)
    gains = [merge.gain for merge in found.merges]
    assert gains == sorted(gains, reverse=True)
    assert [merge.interval is not None for merge in found.merges] == [True, True, False, False]
    assert [merge.clear for merge in found.merges][2:] == [None, None]
    best = found.merges[0]
    assert best.interval is not None
    gap = assent.difference(
        assent.krippendorff_alpha(data.merged({best.second: best.first})), assent.krippendorff_alpha(data)
    )
    assert gap.value == pytest.approx(best.gain)
    assert best.interval.standard_error == pytest.approx(gap.standard_error())
    assert (found.tried, found.measure) == (6, "krippendorff-alpha")
    drawn = label_merges(data, intervals=1, method="bootstrap", replicates=200, seed=1).merges[0]
    assert drawn.interval is not None
    assert (drawn.interval.method, drawn.interval.replicates, drawn.clear) == ("bootstrap", 200, best.clear)


def _gain(data: Annotations, one: int, other: int) -> Any:
    return merges._gain(data, data._comparable_counts, one, other)


def test_a_gain_is_clear_only_after_a_correction_for_all_merges_that_were_tried() -> None:
    confused = [["a", "a"]] * 40 + [["b", "b"]] * 30 + [["c", "c"]] * 30 + [["b", "c"]] * 20 + [["a", "b"]] * 3
    best, *others = label_merges(confused).merges
    assert (best.first, best.second, best.clear) == ("b", "c", True)
    assert not any(merge.clear for merge in others)
    # As the best of three it may have been lucky: the interval that is shown allows for it.
    rows = [["a", "a"]] * 20 + [["b", "b"]] * 12 + [["c", "c"]] * 12 + [["a", "b"]] * 4 + [["a", "c"]] * 3
    lucky, sure = (label_merges([*rows, *[["b", "c"]] * times]).merges[0] for times in (8, 12))
    assert lucky.interval is not None
    assert sure.interval is not None
    assert (lucky.interval.low > 0, lucky.clear, sure.interval.low > 0, sure.clear) == (False, False, True, True)
    plain = _gain(Annotations.from_array([*rows, *[["b", "c"]] * 8]), 1, 2)
    assert plain.confidence_interval().low > 0
    assert (lucky.interval.low, lucky.interval.high) == pytest.approx(
        (plain.confidence_interval(1 - 0.05 / 3).low, plain.confidence_interval(1 - 0.05 / 3).high)
    )
    assert lucky.interval.level == 0.95
    # One item more or less decides: nothing is clear.
    doubtful = [["a", "a"]] * 4 + [["b", "b"]] * 3 + [["c", "c"]] * 3 + [["b", "c"]] + [["a", "b"]]
    assert label_merges(doubtful).merges[0].clear is False


@pytest.mark.parametrize(
    ("labels", "items", "annotators", "knows"), [(10, 100, 2, 0.8), (30, 60, 2, 0.7), (60, 60, 3, 0.5)]
)
def test_where_no_merge_gains_hardly_any_is_called_clear(
    labels: int, items: int, annotators: int, knows: float
) -> None:
    """Who errs draws any label: alpha is the same after every merge, and two labels that met once or twice prove nothing."""
    draw = np.random.default_rng([labels, items])
    called = 0
    for _ in range(25):
        truth = draw.integers(0, labels, items)[:, None]
        known = draw.random((items, annotators)) < knows
        said = np.where(known, truth, draw.integers(0, labels, (items, annotators)))
        made = label_merges(np.array([f"x{one}" for one in range(labels)])[said].tolist()).merges
        called += any(one.clear for one in made)
        assert all(one.clear or one.interval.low <= 0 for one in made if one.interval is not None)
    assert called <= 2


def test_luck_with_two_labels_is_a_tail_of_the_binomial_distribution() -> None:
    rows = [["a", "a"]] * 9 + [["b", "b"]] * 6 + [["c", "c"]] * 5 + [["b", "c"]] * 4 + [["a", "b"]] * 2 + [["a", "c"]]
    data = Annotations.from_array(rows)
    found = merges.of_counts(data._comparable_counts)
    a, b, c = 21, 18, 15
    expected = b * c / (a * b + a * c + b * c)
    tail = sum(math.comb(7, k) * expected**k * (1 - expected) ** (7 - k) for k in range(4, 8))
    assert merges.by_luck(data._comparable_counts, found, 1, 2, "nominal") == pytest.approx(tail, rel=1e-12)
    assert merges.by_luck(data._comparable_counts, found, 1, 2, "ordinal") == 1.0


@pytest.mark.parametrize("measure", ["fleiss-kappa", "gwet-ac", "brennan-prediger", "cohen-kappa", "percent-agreement"])
def test_other_coefficients_are_measured_anew(measure: str) -> None:
    data = Annotations.from_array(ROWS)
    found = label_merges(data, measure=measure)
    assert found.tried == 2
    for merge in found.merges:
        assert merge.value == pytest.approx(recomputed(data, merge, measure))
    assert found.path is None


def test_on_an_ordinal_scale_neighbours_alone_are_merged() -> None:
    rows = [
        ["low", "mid"],
        ["low", "low"],
        ["mid", "high"],
        ["high", "low"],
        ["high", "high"],
        ["mid", "mid"],
        ["low", "mid"],
    ]
    data = Annotations.from_array(rows).ordered(["low", "mid", "high", "top"])
    found = label_merges(data, scale="ordinal")
    assert {(merge.first, merge.second) for merge in found.merges} == {("low", "mid"), ("mid", "high")}
    for merge in found.merges:
        wanted = assent.krippendorff_alpha(data.merged({merge.second: merge.first}), scale="ordinal")
        assert merge.value == pytest.approx(wanted.value)
    again = label_merges(rows, scale="ordinal", order=["low", "mid", "high"])
    assert [merge.value for merge in again.merges] == pytest.approx([merge.value for merge in found.merges])


def test_the_path_takes_the_best_merge_each_time() -> None:
    data = annotations(large(items=200))
    found = label_merges(data, intervals=0)
    assert found.path is not None
    assert [step.n_labels for step in found.path] == [3, 2]
    best = found.merges[0]
    assert found.path[0].merged == (best.first, best.second)
    assert found.path[0].value == pytest.approx(best.value)
    groups: dict[str, str] = {}
    for step in found.path:
        groups |= dict.fromkeys(step.merged, step.merged[0])
        left = data.merged(groups)
        assert step.value == pytest.approx(assent.krippendorff_alpha(left).value)
        assert step.entropy == pytest.approx(entropy(left))
        assert step.entropy_share == pytest.approx(step.entropy / found.entropy)


def test_what_cannot_be_merged_is_said() -> None:
    two = label_merges([["a", "b"], ["a", "a"], ["b", "b"]])
    assert (two.merges, two.path) == ((), ())
    assert two.notes == ("Two labels are in use: merged, they would leave nothing to measure.",)
    one = label_merges([["a", "a"], ["a", "a"]])
    assert one.notes == ("One label is in use: there is nothing to merge.",)
    assert (one.entropy, math.isnan(one.value)) == (0.0, True)
    agreed = label_merges([["a", "a"], ["b", "b"], ["c", "c"]])
    assert agreed.notes == ("There is no disagreement that a merge could take away.",)
    with pytest.raises(UnsuitableData, match="not merged but rounded"):
        label_merges([["1", "2"]], scale="interval")
    with pytest.raises(UnsuitableData, match="icc takes"):
        label_merges([["1", "2"], ["2", "2"]], measure="icc")
    with pytest.raises(OptionError, match="confidence level"):
        label_merges(ROWS, confidence_level=1.0)


def test_a_merged_label_never_swallows_a_third() -> None:
    """A label may be called anything, even what two others would be called together."""
    data = Annotations.from_array([["a", "b"], ["a + b", "a"], ["b", "b"], ["a + b", "a + b"], ["a", "a"]])
    for merge in some(label_merges(data).merges):
        assert merge.value == pytest.approx(recomputed(data, merge))


def test_many_labels_are_merged_in_closed_form_without_intervals() -> None:
    found = label_merges(many_labels(1200), most=2)
    assert found.tried == 1200
    assert found.path is None
    assert [merge.interval for merge in found.merges] == [None, None]
    assert any("no interval" in note for note in found.notes)


def test_where_there_is_no_closed_form_the_number_of_tries_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    original = assent.Annotations.merged

    def counting(self: Annotations, groups: dict[str, str]) -> Annotations:
        nonlocal calls
        calls += 1
        return original(self, groups)

    monkeypatch.setattr(assent.Annotations, "merged", counting)
    found = label_merges(many_labels(150), measure="fleiss-kappa", intervals=3)
    assert found.tried == MERGES_MEASURED
    assert calls == MERGES_MEASURED + 3
    assert any("50 pairs of labels with less disagreement were not tried" in note for note in found.notes)


def test_everything_is_plain_values() -> None:
    import json

    content = label_merges(ROWS).to_dict()
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    assert content["merges"][0]["first"] == "dog"
