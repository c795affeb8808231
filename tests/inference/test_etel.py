"""Intervals by tilted weights: in range, around the estimate, never without width, the same however the data come."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import stdtrit
from scipy.stats import beta
from tests.properties.tables import (
    ALWAYS_THESE,
    FEW,
    LABELS,
    Rows,
    every_measure,
    fitting,
    large,
    measured,
    near,
    tables,
)

import assent
from assent import Annotations, Measure
from assent.inference import pseudo
from assent.inference.etel import etel_interval
from assent.inference.pseudo import minority_items, with_pseudo_item
from assent.inference.sample import PaddedSample
from assent.limits import PSEUDO_GROUPS, PSEUDO_PROFILES
from assent.profiles import Counts, Ratings, Weighting

BALANCED = [["a", "a"]] * 5 + [["b", "b"]] * 5


def ends(agreement: Any, level: float = 0.95) -> tuple[float, float]:
    interval = agreement.confidence_interval(level, method="etel")
    return interval.low, interval.high


def agreeing(agreed: int, items: int) -> Annotations:
    """Items of two annotators, so many of which agree."""
    half = agreed // 2
    return Annotations.from_array(
        [["a", "a"]] * half + [["b", "b"]] * (agreed - half) + [["a", "b"]] * (items - agreed)
    )


def binomial_ends(agreed: int, items: int, level: float) -> tuple[float, float]:
    """Half an agreement and half a disagreement more; twice the log-likelihood ratio of a share is t squared."""
    share, enough = (agreed + 0.5) / (items + 1), stdtrit(items - 1, (1 + level) / 2) ** 2

    def beyond(other: float) -> float:
        ratio = share * math.log(share / other) + (1 - share) * math.log((1 - share) / (1 - other))
        return 2 * (items + 1) * ratio - enough

    found = brentq(beyond, 1e-15, share, xtol=1e-15), brentq(beyond, share, 1 - 1e-15, xtol=1e-15)
    value = agreed / items
    return min(found[0], value), max(found[1], value)


@pytest.mark.parametrize(
    ("agreed", "items"), [(10, 10), (0, 10), (7, 10), (19, 20), (3, 30), (190, 200), (2, 4), (999, 1000)]
)
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_percent_agreement_of_two_is_a_likelihood_interval_of_a_binomial_share(
    agreed: int, items: int, level: float
) -> None:
    """For a share the tilted family is the binomial one, so the ends solve one equation in one unknown."""
    found = ends(assent.percent_agreement(agreeing(agreed, items)), level)
    assert found == pytest.approx(binomial_ends(agreed, items, level), abs=1e-9)


@pytest.mark.parametrize("items", [10, 20, 50, 200])
def test_all_agreed_the_lower_end_is_near_that_of_clopper_and_pearson(items: int) -> None:
    """10 items: 0.682 beside 0.692, the exact bound."""
    low, high = ends(assent.percent_agreement(agreeing(items, items)))
    assert low == pytest.approx(beta.ppf(0.025, items, 1), abs=0.012)
    assert high == 1.0


def test_ten_items_all_agreed() -> None:
    assert ends(assent.percent_agreement(BALANCED))[0] == pytest.approx(0.68191, abs=5e-6)
    low, high = ends(assent.krippendorff_alpha(BALANCED))
    assert (low, high) == (pytest.approx(0.393, abs=5e-4), 1.0)


def test_one_disagreement_in_twenty_is_no_certainty() -> None:
    """Cohen's kappa is 0 there, and so is its analytic standard error."""
    kappa = assent.cohen_kappa([["safe", "safe"]] * 19 + [["safe", "toxic"]])
    low, high = ends(kappa)
    assert kappa.standard_error() == pytest.approx(0, abs=1e-12)
    assert low < kappa.value == 0 < 0.8 < high


@every_measure
@given(rows=tables())
@FEW
def test_it_holds_the_value_within_the_range_and_has_a_width(measure: Measure, rows: Rows) -> None:
    for case, agreement in measured(measure, rows):
        low, high = ends(agreement)
        if agreement.sample.degrees < 1:
            assert math.isnan(low)
            continue
        if math.isnan(low):
            # The reliability of means has no least value: what is undefined may have no interval either.
            assert np.isnan([high, agreement.value]).all(), case.id
            continue
        assert low < high <= 1 + 1e-12, case.id
        if not math.isnan(agreement.value):
            assert low <= agreement.value <= high
        if not measure.chance_corrected:
            assert low >= 0
        elif measure.name not in ("icc", "van-oest"):
            assert low >= -2, case.id


@every_measure
def test_a_higher_level_is_a_wider_interval_and_more_items_a_narrower_one(measure: Measure) -> None:
    few, many = large(items=40, gaps=0, annotators=2), large(items=400, gaps=0, annotators=2)
    for _, (small, big) in measured(measure, few, many):
        found = [ends(small, level) for level in (0.5, 0.8, 0.95, 0.99)]
        assert sorted(found, key=lambda one: one[0], reverse=True) == found
        assert sorted(found, key=lambda one: one[1]) == found
        assert ends(big)[1] - ends(big)[0] < 0.7 * (found[2][1] - found[2][0])


@every_measure
def test_with_many_items_it_is_the_analytic_interval(measure: Measure) -> None:
    """Both are right to the first order; the analytic interval of an ICC is not the linearised one."""
    for case, agreement in measured(measure, large(items=4000, gaps=0, annotators=2)):
        error = agreement.standard_error()
        low, high = ends(agreement)
        assert (low - agreement.value) / error == pytest.approx(-1.96, abs=0.12), case.id
        assert (high - agreement.value) / error == pytest.approx(1.96, abs=0.12), case.id


@pytest.mark.parametrize("name", ["krippendorff-alpha", "cohen-kappa", "gwet-ac", "icc", "boot-f1"])
def test_the_value_stays_undefined_and_the_interval_says_so(name: str) -> None:
    agreement = assent.all_measures()[name]([["1", "1"]] * 12)
    interval = agreement.confidence_interval(method="etel")
    assert math.isnan(agreement.value)
    assert math.isnan(interval.standard_error)
    assert interval.low < interval.high
    assert interval.notes[0].startswith("The value is undefined; the interval holds")
    assert "0 items carry another label" in interval.notes[1]


@pytest.mark.parametrize(
    ("others", "says"), [(0, "0 items carry another"), (1, "1 item carries another"), (4, "4 items carry"), (5, None)]
)
def test_it_warns_where_fewer_than_five_items_carry_a_second_label(others: int, says: str | None) -> None:
    rows = [["a", "a"]] * 30 + [["b", "b"]] * (others // 2) + [["a", "b"]] * (others - others // 2)
    notes = assent.krippendorff_alpha(rows).confidence_interval(method="etel").notes
    assert any(says in note for note in notes) if says else notes == ()
    for method in ("analytic", "jackknife", "bootstrap"):
        other = assent.krippendorff_alpha(rows).confidence_interval(method=method, replicates=50)
        if not math.isnan(other.low):
            assert any("another label than" in note for note in other.notes) == (says is not None)


def test_it_is_the_default() -> None:
    agreement = assent.krippendorff_alpha(BALANCED)
    assert agreement.confidence_interval() == agreement.confidence_interval(method="etel")
    assert agreement.confidence_interval().method == "etel"


def test_minority_items_counts_items_and_not_labels() -> None:
    data = Annotations.from_array([["1", "1"], ["1", "2"], ["3", "3"], ["2", "3"], ["1", "1"]])
    assert minority_items(data._counts) == minority_items(data._ratings) == 3
    # Two items have two labels each, whichever label is the most frequent.
    assert minority_items(data._ratings, enough=2) == 2
    assert minority_items(data._ratings, enough=3) == 3


def test_one_item_is_not_enough() -> None:
    interval = assent.krippendorff_alpha([["a", "b"]]).confidence_interval(method="etel")
    assert math.isnan(interval.low)
    assert "one unit" in interval.notes[0]


def documents(copies: int, rows: Rows) -> Annotations:
    """Each item several times, in a document of its own."""
    found = [
        {"item": f"{place}-{copy}", "document": str(place), "annotator": str(who), "label": label}
        for place, row in enumerate(rows)
        for copy in range(copies)
        for who, label in enumerate(row)
        if label is not None
    ]
    return Annotations.from_frame(pl.DataFrame(found), cluster="document")


@pytest.mark.parametrize("name", ["percent-agreement", "fleiss-kappa", "cohen-kappa", "gwet-ac", "soft-match"])
@pytest.mark.parametrize("rows", [large(items=30, gaps=0, annotators=2), (("1", "1"),) * 6 + (("2", "2"),) * 6])
def test_documents_of_copies_of_an_item_are_worth_one_item(name: str, rows: Rows) -> None:
    """These measures do not change when all items are doubled; a pseudo-document is as large as the others."""
    once, often = (ends(assent.all_measures()[name](documents(copies, rows))) for copies in (1, 4))
    assert once == near(ends(assent.all_measures()[name](rows)), 1e-9)
    assert often == near(once, 1e-9)


def test_few_clusters_are_said_to_be_few() -> None:
    data = documents(3, large(items=12, gaps=0))
    notes = assent.krippendorff_alpha(data).confidence_interval(method="etel").notes
    assert any("12 clusters" in note for note in notes)


def test_a_difference_has_one_too() -> None:
    first, second = (
        Annotations.from_array(large(items=60)),
        Annotations.from_array(large(items=60, agreeing=0.9, seed=6)),
    )
    for gap in (
        assent.difference(assent.percent_agreement(first), assent.krippendorff_alpha(first)),
        assent.difference(assent.cohen_kappa(first), assent.krippendorff_alpha(first)),
        assent.difference(assent.fleiss_kappa(first), assent.fleiss_kappa(second), paired=False),
        assent.difference(assent.fleiss_kappa(first), assent.fleiss_kappa(second)),
    ):
        low, high = ends(gap)
        error = gap.standard_error()
        assert low < gap.value < high
        assert 2 < (high - low) / error < 5


def test_two_teams_that_agree_on_everything_are_not_proved_alike() -> None:
    one, two = (Annotations.from_array(BALANCED) for _ in range(2))
    low, high = ends(assent.difference(assent.krippendorff_alpha(one), assent.krippendorff_alpha(two)))
    assert low < -0.3
    assert high > 0.3


def mean(weighting: Weighting) -> Any:
    return weighting.total(np.array([0.0, 1.0, 2.5, 4.0, 9.0])) / weighting.total(np.ones(5))


def test_without_a_pseudo_item_it_is_efron_s_tilted_interval_of_a_mean() -> None:
    """The ends are tilted means: d K / d tilt where 2 n K(tilt) is t squared, K being the cumulant function."""
    x, weights = np.array([0.0, 1.0, 2.5, 4.0, 9.0]), np.array([3, 1, 2, 5, 1])
    n, centred = weights.sum(), x - weights @ x / weights.sum()

    def cumulant(tilt: float) -> float:
        return math.log(weights @ np.exp(tilt * centred) / n)

    enough = stdtrit(n - 1, 0.975) ** 2
    expected = []
    for outermost in (-5.0, 5.0):
        tilt = brentq(lambda at: 2 * n * cumulant(at) - enough, 1e-9 * outermost, outermost, xtol=1e-15)
        grown = weights * np.exp(tilt * centred)
        expected.append(grown @ x / grown.sum())
    sample = PaddedSample(mean, weights)
    assert etel_interval(sample, level=0.95, degrees=int(n) - 1) == pytest.approx(expected, abs=1e-10)


def test_a_statistic_that_does_not_vary_has_no_width_without_a_pseudo_item() -> None:
    sample = PaddedSample(lambda weighting: 0.0 * mean(weighting) + 0.25, np.ones(5))
    assert etel_interval(sample, level=0.95, degrees=4) == (0.25, 0.25)
    assert all(math.isnan(end) for end in etel_interval(sample, level=0.95, degrees=0))


@pytest.mark.parametrize("labels", [1, 2, 3, 10, 30, 200, 1000])
@pytest.mark.parametrize("annotators", [2, 3, 5, 10])
def test_the_pseudo_item_is_one_item_half_of_which_agrees(labels: int, annotators: int) -> None:
    draw = np.random.default_rng([labels, annotators])
    data = Annotations.from_array(draw.integers(0, labels, (max(20, labels // 2), annotators)).astype(str).tolist())
    for items in (data._counts, data._ratings):
        made = with_pseudo_item(items)
        known = len(items.multiplicities)
        assert made.pseudo.sum() == pytest.approx(1, abs=1e-12)
        assert (made.pseudo > 0).all()
        assert len(made.pseudo) <= 2 * PSEUDO_PROFILES
        assert made.weights.sum() == pytest.approx(items.n_items + 1)
        assert (made.profiles.sizes[known:] == annotators).all()
        assert isinstance(made.profiles, Counts | Ratings)
        table = made.profiles.counts
        dense = table if isinstance(table, np.ndarray) else table.toarray()
        used = np.count_nonzero(dense[known:], axis=1)
        assert set(used.tolist()) == {1, 2}
        assert made.pseudo[used == 1].sum() == pytest.approx(0.5)


def test_every_annotator_has_the_same_part_in_it() -> None:
    for annotators in (2, 3, 4, 5, 6, 7, 10):
        data = Annotations.from_array([["a"] * annotators, ["b"] * annotators])
        made = with_pseudo_item(data._ratings)
        assert isinstance(made.profiles, Ratings)
        extra = made.profiles.profile >= len(data._ratings.multiplicities)
        weight = made.weights[made.profiles.profile[extra]]
        who, label = made.profiles.annotator[extra], made.profiles.label[extra]
        for one in (0, 1):
            shares = np.bincount(who, weights=weight * (label == one), minlength=annotators)
            assert shares == pytest.approx(np.full(annotators, 0.5), abs=1e-12)


def test_a_crowd_is_asked_in_groups_that_met() -> None:
    draw = np.random.default_rng(3)
    rows: list[dict[str, str]] = []
    for item in range(400):
        who = draw.choice(200, size=3, replace=False)
        rows += [{"item": str(item), "annotator": str(one), "label": str(draw.integers(0, 3))} for one in who]
    data = Annotations.from_frame(pl.DataFrame(rows))
    made = with_pseudo_item(data._ratings)
    profiles = made.profiles
    assert isinstance(profiles, Ratings)
    known = len(data._ratings.multiplicities)
    groups = [tuple(part) for part in profiles.annotator.reshape(-1, 3)]
    assert set(groups[known:]) <= set(groups[:known])
    assert len(set(groups[known:])) == PSEUDO_GROUPS
    conger = assent.conger_kappa(data)
    low, high = ends(conger)
    assert low < conger.value < high
    assert high - low == pytest.approx(2 * 1.966 * conger.standard_error(), rel=0.1)


def test_sets_of_labels_are_asked_about_single_labels() -> None:
    frame = pl.DataFrame(
        {"item": [1, 1, 2, 2, 3, 3], "annotator": ["x", "y"] * 3, "label": ["A;B", "A;B", "B;C", "B;C", "A;C", "A;C"]}
    )
    data = Annotations.from_frame(frame, separator=";")
    made = with_pseudo_item(data._ratings, data._as_sets()._sets)
    assert made.sets is not None
    assert made.sets.names()[3:] == [("A",), ("B",), ("C",)]
    assert isinstance(made.profiles, Ratings)
    assert set(made.profiles.label[made.profiles.profile >= 3].tolist()) == {3, 4, 5}
    for name, options in (
        ("soft-match", {}),
        ("boot-f1", {}),
        ("augmented-kappa", {}),
        ("krippendorff-alpha", {"distance": "masi"}),
    ):
        agreement = assent.all_measures()[name](data, **options)
        low, high = ends(agreement)
        assert low < agreement.value <= high <= 1 + 1e-12


@pytest.mark.parametrize("name", ["icc", "lin-concordance", "krippendorff-alpha"])
def test_numbers_that_never_repeat(name: str) -> None:
    """20 items of two annotators, 0.3 standard deviations apart: as wide as the bootstrap, not as any two values could be."""
    draw = np.random.default_rng(8)
    value = draw.normal(size=(20, 1))
    rows = np.round(value + 0.2 * draw.normal(size=(20, 2)), 6)
    agreement = assent.all_measures()[name](rows.tolist(), scale="interval")
    low, high = ends(agreement)
    drawn = agreement.confidence_interval(method="bootstrap", seed=1)
    assert low < agreement.value < high < 1
    assert high - low == pytest.approx(drawn.high - drawn.low, rel=0.35)


def test_thousands_of_labels_are_no_thousands_of_profiles() -> None:
    draw = np.random.default_rng(4)
    rows = np.where(draw.random((3000, 2)) < 0.8, draw.integers(0, 2500, (3000, 1)), draw.integers(0, 2500, (3000, 2)))
    alpha = assent.krippendorff_alpha(rows.astype(str).tolist())
    low, high = ends(alpha)
    assert high - low == pytest.approx(2 * 1.96 * alpha.standard_error(), rel=0.02)


def test_rounding_does_not_decide_whether_ten_items_disagree() -> None:
    """Thirds of items add up to a little less than ten; a pair that nobody gave is then not among the parts."""
    three = ["535", "553", "122", "234", "244", "531", "223", "533", "324", "542"]
    made = with_pseudo_item(Annotations.from_array([list(row) for row in three])._counts)
    assert isinstance(made.profiles, Counts)
    parts = np.asarray(made.profiles.counts)[-len(made.pseudo) :] > 0
    first, last = (list(made.profiles.labels).index(label) for label in "14")
    assert not (parts[:, first] & parts[:, last]).any()


@pytest.mark.parametrize(
    ("name", "scale", "rows"),
    [
        ("icc", "interval", [["1", "1"], ["2", "1"], ["1", "2"]]),
        ("brennan-prediger", "interval", [["3", "3"], ["1", "1"], ["2", "2"]]),
        ("krippendorff-alpha", "ordinal", [["1", "1"], ["1", "1"]]),
    ],
)
def test_two_or_three_items_stay_within_the_range(name: str, scale: str, rows: list[list[str]]) -> None:
    low, high = ends(assent.measures.find(name)(rows, scale=scale))
    assert -1.0 <= low < high <= 1.0


@every_measure
@given(rows=tables(), shuffle=st.randoms(use_true_random=False))
@ALWAYS_THESE
def test_names_and_orders_and_items_that_show_nothing_do_not_matter(
    measure: Measure, rows: Rows, shuffle: random.Random
) -> None:
    """Up to rounding: sums are taken in another order."""
    rows = fitting(measure, rows)
    items = tuple(shuffle.sample(rows, len(rows)))
    order = shuffle.sample(range(len(rows[0])), len(rows[0]))
    annotators = tuple(tuple(row[place] for place in order) for row in rows)
    alone = (*rows, (rows[0][0], *[None] * (len(rows[0]) - 1)))
    for case, (as_is, *others) in measured(measure, rows, items, annotators, alone):
        # The first or the second annotator is the reference of precision and recall; an annotation alone may count towards chance.
        kept = [others[0]]
        kept += [] if measure.name in ("boot-precision", "boot-recall") else [others[1]]
        kept += [] if case.uses_single_annotations else [others[2]]
        for other in kept:
            assert ends(other) == near(ends(as_is), 1e-9), case.id
    names = dict(zip(LABELS, ("d", "a", "c", "b"), strict=True))
    renamed = tuple(tuple(None if label is None else names[label] for label in row) for row in rows)
    for case, (as_is, other) in measured(measure, rows, renamed) if "nominal" in measure.scales else ():
        if case.nominal:
            assert ends(other) == near(ends(as_is), 1e-9), case.id


@pytest.mark.parametrize("options", [{}, {"average": "plain"}, {"incomplete": "available"}, {"incomplete": "category"}])
def test_pairs_are_moved_together_with_the_same_result(options: dict[str, str]) -> None:
    """The derivative over pairs of annotators at once is that of one total after the other, in far fewer steps."""
    from assent.inference.derivatives import PartedStatistic, influence

    rng = np.random.default_rng(4)
    table: list[list[str | None]] = [[str(one) for one in row] for row in rng.integers(0, 3, (40, 5))]
    for row in range(0, 40, 4):
        table[row][int(rng.integers(5))] = None
    agreement = assent.cohen_kappa(table, **options)
    sample = agreement.sample
    assert isinstance(sample.statistic, PartedStatistic)
    slow = influence(sample.statistic.whole, sample.multiplicities)
    assert influence(sample.statistic, sample.multiplicities) == pytest.approx(slow, abs=1e-14)


@pytest.mark.parametrize("steps_at_once", [1, 8_000_000])
@pytest.mark.parametrize("options", [{}, {"average": "plain"}])
@pytest.mark.parametrize(
    "name", ["boot-match", "boot-f1", "boot-precision", "boot-recall", "soft-match", "augmented-kappa"]
)
def test_pairs_of_annotators_with_sets_are_moved_together_with_the_same_result(
    name: str, options: dict[str, str], steps_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same for sets of labels, whose chance knows its own derivative; some annotators share no item."""
    from assent.inference import derivatives

    rng = np.random.default_rng(4)
    sets = [{"abcde"[i] for i in np.flatnonzero(row)} or {"a"} for row in rng.random((240, 5)) < 0.4]
    data = {f"r{who}": sets[who * 40 : who * 40 + 40] for who in range(6)}
    data = {
        who: [None if (i + int(who[1])) % 3 == 0 else one for i, one in enumerate(own)] for who, own in data.items()
    }
    agreement = getattr(assent, name.replace("-", "_"))(data, **options)
    sample = agreement.sample
    slow = derivatives.influence(sample.statistic.whole, sample.multiplicities)
    monkeypatch.setattr(derivatives, "_moved_one_by_one", None)
    monkeypatch.setattr(derivatives, "CHUNK", steps_at_once)
    found = derivatives.influence(sample.statistic, sample.multiplicities)
    assert found == pytest.approx(slow, abs=1e-13)
    assert np.ptp(found) > 0.001


@pytest.mark.parametrize("level", [0.95, 0.999, 0.99999])
def test_two_items_and_a_high_level_overflow_nothing(level: float) -> None:
    """With one degree of freedom the deviance may be thousands."""
    interval = assent.krippendorff_alpha([["a", "b"], ["a", "a"]]).confidence_interval(level)
    assert -1 <= interval.low <= interval.high <= 1


def test_parts_of_a_pseudo_item_are_of_so_many_labels_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    items = Annotations.from_array([[str(label), str(label)] for label in range(6)])._counts

    def labels(most: int) -> int:
        parts = pseudo.pseudo_parts(items, unit=1.0, most=most)
        return int(np.count_nonzero(parts.own == parts.other))

    assert (labels(100), labels(3)) == (6, 3)
    monkeypatch.setattr(pseudo, "PSEUDO_LABELS", 2)
    assert (labels(100), labels(3)) == (2, 2)
