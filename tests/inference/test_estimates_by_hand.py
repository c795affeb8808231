"""Standard errors, widths and notes of estimates whose sample is made up, worked out by hand."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

import assent
from assent import Annotations
from assent.errors import OptionError
from assent.inference.sample import Sample
from assent.measures import results
from assent.measures.results import Agreement, Estimate, Interval, Share, _counted
from assent.profiles import Ratings


def estimate(
    value: float = 0.5, degrees: int = 9, units: Any = None, made: type[Estimate] = Estimate, **more: Any
) -> Any:
    sample: Any = SimpleNamespace(degrees=degrees, units=units)
    return made(value=value, sample=sample, **more)


def test_an_estimate_is_compared_as_its_value() -> None:
    one, other = estimate(0.5), estimate(0.75)
    assert one == 0.5
    assert one != 0.4
    assert one != other
    assert one == one
    assert one < other
    assert one <= 0.5 <= one
    assert not one < 0.5
    assert not one > 0.5
    assert one >= np.float64(0.5)
    assert other > one
    assert not one >= other
    assert (f"{one:.2f}", float(one)) == ("0.50", 0.5)
    with pytest.raises(TypeError):
        assert one < "x"


def drawn(values: list[float], **more: Any) -> Any:
    made = estimate(**more)
    made._drawn[len(values), 0] = np.array(values)
    return made


def test_the_standard_error_of_a_bootstrap_is_that_of_its_defined_samples() -> None:
    values = [0.25, 0.5, math.nan, 1.0]
    known = float(np.std([0.25, 0.5, 1.0], ddof=1))
    assert drawn(values).standard_error("bootstrap", replicates=4) == pytest.approx(known)
    assert drawn(values, drawing_error=0.3).standard_error("bootstrap", replicates=4) == pytest.approx(
        math.sqrt(known**2 + 0.3**2)
    )
    assert math.isnan(drawn([0.25, math.nan]).standard_error("bootstrap", replicates=2))
    assert drawn([0.25, 0.75]).standard_error("bootstrap", replicates=2) == pytest.approx(math.sqrt(0.125))
    assert math.isnan(drawn(values, value=math.nan).standard_error("bootstrap", replicates=4))
    assert math.isnan(drawn(values, degrees=0).standard_error("bootstrap", replicates=4))


def test_one_defined_sample_leaves_no_interval() -> None:
    found = drawn([0.25, math.nan, math.nan]).confidence_interval(method="bootstrap", kind="percentile", replicates=3)
    assert math.isnan(found.low)
    assert (
        "The value is undefined in 2 of 3 bootstrap samples (all one label); the interval rests on the others."
        in found.notes
    )
    assert "No interval: 1 defined bootstrap sample(s) are too few to see a spread." in found.notes
    found = drawn([0.25, 0.75]).confidence_interval(0.5, method="bootstrap", kind="percentile", replicates=2)
    assert (found.low, found.high) == pytest.approx((0.375, 0.625))
    assert found.notes == ()
    assert (found.replicates, found.seed, found.kind, found.n_units, found.method) == (
        2,
        0,
        "percentile",
        10,
        "bootstrap",
    )


@pytest.mark.parametrize(
    ("options", "why"), [({"replicates": 0}, "needs at least 1"), ({"seed": -1}, "not be negative")]
)
def test_a_bootstrap_needs_samples_and_a_seed(options: dict[str, int], why: str) -> None:
    with pytest.raises(OptionError, match=why):
        estimate().bootstrap(**options)


def test_samples_are_drawn_once() -> None:
    found = assent.krippendorff_alpha([["a", "a"], ["b", "a"], ["b", "b"], ["a", "b"]])
    once = found.bootstrap(replicates=1, seed=0)
    assert once.shape == (1,)
    assert found.bootstrap(replicates=1, seed=0) is once
    assert found.bootstrap(replicates=1, seed=1) is not once


def test_numbers_that_were_drawn_make_an_interval_wider() -> None:
    """The distance of each end and that of the drawing, t times its error, are the sides of a right angle."""
    own = stats.t.ppf(0.95, 9) * 0.1
    low, high = estimate(drawing_error=0.1)._widened(0.2, 0.6, 0.9)
    assert (low, high) == pytest.approx((0.5 - math.hypot(0.3, own), 0.5 + math.hypot(0.1, own)))
    assert estimate()._widened(0.2, 0.6, 0.9) == (0.2, 0.6)


@pytest.mark.parametrize(
    ("degrees", "least", "said"),
    [
        (0, 2, "No interval: one unit (items) is not enough to see how much agreement varies."),
        (1, 2, ""),
        (1, 3, "No interval: 2 units (items) are not enough to see how much agreement varies."),
        (2, 3, ""),
    ],
)
def test_too_few_units_have_no_interval(degrees: int, least: int, said: str) -> None:
    assert estimate(degrees=degrees, least_units=least)._few_units == said


@pytest.mark.parametrize("method", ["etel", "analytic", "jackknife", "bootstrap"])
def test_an_interval_says_how_many_units_it_rests_on(method: str) -> None:
    """Four of the five items can be compared, which lie in three of the four documents."""
    said = [("1", "x", "aa"), ("1", "y", "bb"), ("2", "z", "ab"), ("3", "v", "bb"), ("4", "w", "b")]
    rows = [
        {"document": document, "item": item, "annotator": who, "label": label}
        for document, item, labels in said
        for who, label in zip(("ada", "ben"), labels, strict=False)
    ]
    for cluster, units in ((None, 4), ("document", 3)):
        data = Annotations.from_frame(pl.DataFrame(rows), cluster=cluster)
        found = assent.krippendorff_alpha(data).confidence_interval(method=method, replicates=20)
        assert (found.n_units, found.to_dict()["units"]) == (units, units)


@pytest.mark.parametrize(("degrees", "said"), [(18, 19), (19, 0)])
def test_few_clusters_are_said_to_be_few(degrees: int, said: int) -> None:
    notes = estimate(degrees=degrees, units=object(), unit="document")._too_few()
    known = f"The interval rests on {said} clusters (document): with fewer than 20 it is too narrow more often than it should be."
    assert notes == ([known] if said else [])
    assert estimate(degrees=degrees)._too_few() == []


def test_values_that_there_are() -> None:
    assert estimate().span == (-math.inf, math.inf)
    assert estimate(made=Share).span == (0.0, 1.0)


def two_labels(others: int) -> Annotations:
    rows = [["a", "b"]] * others + [["a", "a"]] * 20
    return Annotations.from_triples([(f"j{k}", str(i), one) for i, row in enumerate(rows) for k, one in enumerate(row)])


@pytest.mark.parametrize(("others", "said"), [(1, "1 item carries another"), (4, "4 items carry another"), (5, "")])
def test_few_items_beside_the_most_frequent_label_are_said_to_be_few(others: int, said: str) -> None:
    notes = " ".join(assent.krippendorff_alpha(two_labels(others)).confidence_interval().notes)
    assert (said in notes) if said else "another label than the most frequent" not in notes


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_disagreement_that_was_missed_by_luck(level: float) -> None:
    """Ten items on which two agree: as many show no disagreement with probability (1 - level) / 2 if p**10 is that."""
    rows = [["a", "a"]] * 4 + [["b", "b"]] * 6
    data = Annotations.from_triples([(f"j{k}", str(i), one) for i, row in enumerate(rows) for k, one in enumerate(row)])
    share = ((1 - level) / 2) ** (1 / 10)
    for measure, expected in ((assent.cohen_kappa, 0.52), (assent.percent_agreement, 0.0)):
        found = measure(data).confidence_interval(level, method="analytic")
        assert (found.low, found.high, found.exact) == (pytest.approx((share - expected) / (1 - expected)), 1.0, True)
        assert any("as 10 items can miss by luck" in note for note in found.notes)


def test_a_correlation_that_was_missed_by_luck_would_be_the_opposite_order() -> None:
    found = assent.mean_spearman(
        assent.Rankings.from_rows(
            [(topic, who, str(at), at) for topic in "abcdefgh" for who in "pq" for at in range(4)]
        )
    ).confidence_interval(0.9, method="analytic")
    share = 0.05 ** (1 / 8)
    assert (found.low, found.high) == pytest.approx((share - (1 - share), 1.0))


def test_labels_that_were_dealt_are_counted_for_items_with_enough_of_them() -> None:
    rows = [["a", "a", "b"], ["a", None, "b"], ["b", None, None]]
    found = [(f"j{k}", str(i), one) for i, row in enumerate(rows) for k, one in enumerate(row) if one is not None]
    dealt = Annotations.from_triples(found)._ratings
    assert isinstance(dealt, Ratings)
    for least, sizes in ((1, [1, 2, 3]), (2, [2, 3]), (3, [3])):
        assert sorted(_counted(least)(dealt).sizes.tolist()) == sizes


@pytest.mark.parametrize(("others", "off"), [(1, True), (9, False)])
def test_a_symmetric_interval_of_a_skewed_value_is_said_to_be_off(others: int, off: bool) -> None:
    """Of n items p disagree: the skewness of their share is (1 - 2p) / sqrt(n * p * (1 - p)), 0.93 of 1 in 21 and 0.15 of 9 in 29."""
    share, items = others / (others + 20), others + 20
    assert ((1 - 2 * share) / math.sqrt(items * share * (1 - share)) > 0.2) == off
    notes = assent.percent_agreement(two_labels(others)).confidence_interval(method="analytic").notes
    known = "A few items decide much of this value, so a symmetric interval is off: use tilted weights (`ci` etel)."
    assert (known in notes) == off


def share_of(ones: int, zeros: int, made: type[Estimate] = Estimate, units: Any = None, **more: Any) -> Any:
    """Make the share of ones, which is a mean over items."""

    def mean(weighting: Any) -> Any:
        return weighting.total(np.array([1.0, 0.0])) / weighting.total(np.ones(2))

    sample = Sample(mean, np.array([ones, zeros]), units)
    return made(value=ones / (ones + zeros), sample=sample, **more)


@pytest.mark.parametrize(
    ("items", "better"),
    [(19, "take it as rough, as 19 are too few for a bootstrap"), (20, "use the bootstrap (`ci` bootstrap)")],
)
def test_what_is_better_than_a_symmetric_interval_depends_on_how_many_units_there_are(items: int, better: str) -> None:
    notes = share_of(1, items - 1).confidence_interval(method="jackknife").notes
    assert notes == (f"A few items decide much of this value, so a symmetric interval is off: {better}.",)


BY_F = "The interval by the F distribution is for normal values"
NO_F = "No interval by the F distribution: "


@pytest.mark.parametrize(
    ("ends", "why"),
    [
        ((0.25, 0.75), ""),
        ((0.5, 0.75), ""),
        ((0.25, 0.5), ""),
        ((0.0, 1.0), ""),
        ((0.25, math.inf), "the labels leave too little variance"),
        ((-math.inf, 0.75), "that of a single annotator reaches"),
        ((0.6, 0.75), "the labels leave too little variance"),
        ((0.25, 0.4), "the labels leave too little variance"),
    ],
)
def test_an_interval_of_its_own_holds_the_value_and_ends(ends: tuple[float, float], why: str) -> None:
    found = share_of(5, 5, Share, own_interval=lambda level: ends).confidence_interval(method="analytic")
    assert found.kind == "F"
    assert found.notes[0].startswith(BY_F)
    assert found.uncut is None
    if why:
        assert math.isnan(found.low)
        assert math.isnan(found.high)
        assert found.notes[1].startswith(NO_F + why)
    else:
        assert (found.low, found.high) == ends
        assert len(found.notes) == 1


def test_an_interval_of_its_own_is_cut_to_the_values_that_there_are() -> None:
    found = share_of(5, 5, Share, own_interval=lambda level: (-0.25, 1.25)).confidence_interval(method="analytic")
    assert (found.low, found.high, found.uncut) == (0.0, 1.0, (-0.25, 1.25))
    said = "An interval by the F distribution would end at -0.250 and 1.250: it is cut to the values that there are."
    assert found.notes[1:] == (said,)


def test_an_interval_of_its_own_is_for_items_one_by_one() -> None:
    """Neither a jackknife nor clusters of items follow the F distribution."""
    own, plain = (
        share_of(5, 5, own_interval=one).confidence_interval(method="jackknife")
        for one in (lambda level: (0.4, 0.6), None)
    )
    assert own == plain
    assert own.kind is None
    units = np.tile([1, 1], (5, 1))
    found = share_of(5, 5, units=units, own_interval=lambda level: (0.4, 0.6)).confidence_interval(method="analytic")
    assert found.kind is None
    assert not any(note.startswith(BY_F) for note in found.notes)


@pytest.mark.parametrize("ends", [(0.25, math.nan), (math.nan, 0.75)])
def test_tilted_weights_give_both_ends_or_none(ends: tuple[float, float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "etel_interval", lambda *given, **more: ends)
    found = share_of(5, 5, padded=lambda: SimpleNamespace(plain_slopes=None)).confidence_interval()
    assert math.isnan(found.low)
    assert math.isnan(found.high)
    assert found.notes == ("No interval: the value is undefined.",)


def agreement(value: float, observed: float, expected: float, **more: Any) -> Agreement:
    sample: Any = SimpleNamespace(degrees=9, units=None)
    return Agreement(
        value=value, observed=observed, expected=expected, sample=sample, measure="made-up", title="Made up", n_items=10,
        n_annotators=2, n_annotations=20, options={}, data=None, profiles=None, on_profiles=lambda one: one,
        **{"chance_corrected": True, "lowest": -1.0, **more},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("value", "observed", "expected"),
    [(0.5, 1.0, 0.0), (1.0, 0.5, 0.0), (1.0, 1.0, 1.0), (1.0, 1.0, math.nan), (math.nan, 1.0, 0.5)],
)
def test_without_full_agreement_beyond_chance_nothing_was_missed_by_luck(
    value: float, observed: float, expected: float
) -> None:
    assert agreement(value, observed, expected)._unseen_disagreement(0.95) is None


@pytest.mark.parametrize("lowest", [-1.0, -0.5, 0.0])
def test_what_was_missed_by_luck_would_be_the_least_there_is(lowest: float) -> None:
    """Of ten items all but a share p may have the least value, with p**10 = 0.025: the mean is p + (1 - p) * lowest."""
    share = 0.025**0.1
    found = agreement(1.0, 1.0, 0.0, chance_corrected=False, lowest=lowest)._unseen_disagreement(0.95)
    assert found == pytest.approx(share + (1 - share) * lowest, rel=1e-12)


ROWS = [["a", "a"], ["b", "a"], ["b", "b"], ["a", "b"], ["a", "a"], ["b", "b"]]


def test_a_bootstrap_has_1000_samples_by_the_seed_0_unless_asked_otherwise() -> None:
    for call in (
        lambda found: found.bootstrap(),
        lambda found: found.standard_error("bootstrap"),
        lambda found: found.confidence_interval(method="bootstrap"),
    ):
        found = assent.krippendorff_alpha(ROWS)
        call(found)
        assert list(found._drawn) == [(1000, 0)]


def test_a_permutation_test_has_999_permutations_by_the_seed_0_unless_asked_otherwise() -> None:
    found = assent.krippendorff_alpha(ROWS)
    p = found.permutation_test()
    assert p == found.permutation_test(permutations=999, seed=0)
    assert p != found.permutation_test(permutations=999, seed=1)
    assert p * 1000 == pytest.approx(round(p * 1000), abs=1e-9)
    assert p * 1001 != pytest.approx(round(p * 1001), abs=1e-9)
    assert found.permutation_test(permutations=1) in (0.5, 1.0)


def test_two_items_are_enough_for_an_interval() -> None:
    assert estimate(degrees=1)._few_units == ""
    found = assent.percent_agreement([["a", "a"], ["a", "b"]]).confidence_interval()
    assert found.low < 0.5 < found.high
    assert found.method == "etel"
    assert not found.exact


def test_an_interval_in_a_line() -> None:
    found = Interval(low=-0.12345, high=0.67891, level=0.95, method="etel", standard_error=0.1, unit="items")
    assert str(found) == "−0.123 to 0.679 (95 %, etel)"
    assert found.exact is False


def test_a_coefficient_in_a_line() -> None:
    found = assent.percent_agreement([["a", "a"], ["a", "b"]])
    ends = found.confidence_interval()
    assert str(found) == f"Percent agreement: 0.500 [{ends.low:.3f}, {ends.high:.3f}] (95 %, etel), 2 items"
    assert str(assent.krippendorff_alpha([["a", "a"]])) == "Krippendorff's alpha: undefined, 1 item"


def test_pairs_of_annotators_are_told_if_there_are_several() -> None:
    rows = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", "a"]]
    told = assent.cohen_kappa(rows).to_dict()["pairs"]
    assert [(one["first"], one["second"], one["items"]) for one in told] == [
        ("1", "2", 3),
        ("1", "3", 3),
        ("2", "3", 3),
    ]
    assert assent.cohen_kappa([row[:2] for row in rows]).to_dict()["pairs"] is None
