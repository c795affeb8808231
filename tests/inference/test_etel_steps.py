"""What an interval by tilted weights costs, in evaluations and steps, and that its ends are those of a slow search."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.optimize import brentq
from scipy.special import stdtrit

import assent
from assent.inference import etel, pseudo
from assent.inference.derivatives import FEW_PROFILES, PartedStatistic, influence
from assent.inference.sample import PaddedSample
from assent.profiles import Array, Counts, Multiplicities, Weighting, scale_rows


def table(items: int, annotators: int, labels: int, seed: int = 0, known: float = 0.8) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, (items, 1))
    said = np.where(rng.random((items, annotators)) < known, truth, rng.integers(0, labels, (items, annotators)))
    return [[str(one) for one in row] for row in said]


def slow_ends(sample: PaddedSample, level: float, degrees: int) -> tuple[float, float]:
    """Central differences for the influences, and a bracketing search for the tilts of a deviance that is written out."""
    base = np.asarray(sample.weights, dtype=np.float64)
    step = 1e-4
    moved = np.stack([base + sign * step * one for one in np.eye(len(base)) for sign in (1, -1)])
    high, low = sample.values(moved).reshape(-1, 2).T
    slopes = (high - low) / (2 * step)
    total = base.sum()
    u = slopes - base @ slopes / total
    u = u / math.sqrt(base @ u**2 / total)
    enough = stdtrit(degrees, (1 + level) / 2) ** 2

    def weights(tilt: float) -> Array:
        grown = base * np.exp(tilt * u - (tilt * u).max())
        return np.asarray(total * grown / grown.sum())

    def beyond(tilt: float) -> float:
        # Twice the log-likelihood ratio, of the tilted weights as the truth.
        return 2 * float(base @ np.log(base / weights(tilt))) - enough

    ends = [float(sample.values(weights(brentq(beyond, 0, far, xtol=1e-14))[None])[0]) for far in (-20.0, 20.0)]
    return min(ends), max(ends)


@pytest.mark.parametrize("name", ["krippendorff-alpha", "cohen-kappa", "gwet-ac", "percent-agreement", "spa-kappa"])
@pytest.mark.parametrize("size", [(12, 2, 2), (40, 3, 4), (300, 5, 3)])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_the_ends_are_those_of_a_slow_search(name: str, size: tuple[int, int, int], level: float) -> None:
    """Central differences are right to about 1e-9, and so are the ends."""
    agreement = assent.all_measures()[name](table(*size))
    assert agreement.padded is not None
    padded = agreement.padded()
    found = etel.etel_interval(padded, level=level, degrees=agreement.sample.degrees)
    assert found == pytest.approx(slow_ends(padded, level, agreement.sample.degrees), abs=2e-9)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many steps a search for both tilts took, one number a call."""
    taken: list[int] = []
    search, look = etel._tilts, etel._log_mean

    def searched(*given: Any) -> Any:
        taken.append(0)
        return search(*given)

    def looked(*given: Any) -> Any:
        taken[-1] += 1
        return look(*given)

    monkeypatch.setattr(etel, "_tilts", searched)
    monkeypatch.setattr(etel, "_log_mean", looked)
    return taken


@pytest.mark.parametrize(("items", "most"), [(12, 6), (25, 4), (200, 3), (5000, 3)])
def test_few_steps_lead_to_both_tilts(items: int, most: int, steps: list[int]) -> None:
    for seed in range(5):
        for annotators, labels in ((2, 2), (3, 4), (5, 5)):
            assent.krippendorff_alpha(table(items, annotators, labels, seed)).confidence_interval()
    assert max(steps) <= most


@pytest.mark.parametrize("units", [2.0, 3.0, 8.0, 100.0, 1e6])
def test_both_tilts_are_found_however_skewed_the_influences_are(units: float) -> None:
    """One unit in a thousand against all others, heavy tails, two values: the deviance is what was asked for, on either side."""
    rng = np.random.default_rng(1)
    shapes = [np.array([1.0, -999.0]), rng.standard_cauchy(50), np.array([1.0, 1.0 + 1e-9, -1.0]), rng.normal(size=500)]
    enough = stdtrit(max(1.0, units - 1.0), 0.975) ** 2 / (2 * units)
    for values in shapes:
        shares = rng.dirichlet(np.ones(len(values)))
        centred = values - shares @ values
        standard = centred / math.sqrt(shares @ centred**2)
        tilts = etel._tilts(shares, standard, enough)
        assert tilts[0] < 0 < tilts[1]
        for tilt in tilts:
            powers = tilt * standard
            top = powers.max()
            reached = top + math.log(shares @ np.exp(powers - top))
            assert reached == pytest.approx(enough, rel=1e-8, abs=1e-13)


@pytest.mark.parametrize(("size", "evaluations"), [((200, 2, 2), 2), ((500, 5, 5), 3)])
def test_an_interval_takes_two_or_three_evaluations(size: tuple[int, int, int], evaluations: int) -> None:
    """One derivative (of few profiles one evaluation, else one for the totals and one for their steps), and both ends at once."""
    agreement = assent.krippendorff_alpha(table(*size))
    assert agreement.padded is not None
    padded = agreement.padded()
    assert (len(padded.weights) <= FEW_PROFILES) == (evaluations == 2)
    asked: list[Weighting] = []
    inner = padded.statistic
    assert isinstance(inner, PartedStatistic)

    def counted(weighting: Weighting) -> Array:
        asked.append(weighting)
        return inner(weighting)

    def parts(weighting: Weighting) -> Any:
        asked.append(weighting)
        return inner.parts(weighting)

    sample = PaddedSample(PartedStatistic(counted, parts), padded.weights)
    etel.etel_interval(sample, level=0.95, degrees=agreement.sample.degrees)
    assert len(asked) == evaluations
    assert isinstance(asked[-1], Multiplicities)
    assert asked[-1].weights.shape[0] == 2


def test_a_pseudo_item_is_made_once_for_all_measures_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    inner = pseudo._with_pseudo_item

    def counted(*given: Any) -> Any:
        made.append(1)
        return inner(*given)

    monkeypatch.setattr(pseudo, "_with_pseudo_item", counted)
    data = assent.Annotations.from_array(table(100, 3, 3))
    for measure in (assent.krippendorff_alpha, assent.fleiss_kappa, assent.percent_agreement):
        for level in (0.9, 0.95):
            measure(data).confidence_interval(level)
    assert len(made) == 1
    # Large tables are not held twice.
    monkeypatch.setattr(pseudo, "KEPT_PROFILES", 3)
    other = assent.Annotations.from_array(table(100, 3, 3, seed=1))
    for level in (0.9, 0.95):
        assent.krippendorff_alpha(other).confidence_interval(level)
    assert len(made) == 3


def test_weights_of_few_profiles_are_moved_at_once_or_total_by_total(monkeypatch: pytest.MonkeyPatch) -> None:
    agreement = assent.cohen_kappa(table(30, 3, 3))
    at_once = influence(agreement.sample.statistic, agreement.sample.multiplicities)
    # Too wide to be moved at once.
    monkeypatch.setattr("assent.inference.derivatives.CHUNK", 50)
    assert influence(agreement.sample.statistic, agreement.sample.multiplicities) == pytest.approx(at_once, abs=1e-14)
    monkeypatch.setattr("assent.inference.derivatives.FEW_PROFILES", 0)
    assert influence(agreement.sample.statistic, agreement.sample.multiplicities) == pytest.approx(at_once, abs=1e-14)


@pytest.mark.parametrize("factors", [[1.0, 1.0, 1.0], [1.0, 0.0, 2.5]])
def test_rows_of_sparse_tables_are_scaled_as_those_of_dense_ones(factors: list[float]) -> None:
    from scipy.sparse import csr_array

    dense = np.array([[1, 0, 2], [0, 0, 3], [4, 5, 0]])
    scaled = scale_rows(csr_array(dense), np.array(factors))
    assert not isinstance(scaled, np.ndarray)
    assert scaled.toarray() == pytest.approx(scale_rows(dense, np.array(factors)))


def test_pairs_of_many_labels_are_those_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of labels by labels, or sorted pairs: the same pseudo-item."""
    data = assent.Annotations.from_array(table(60, 2, 6, known=0.5))
    few = pseudo._with_pseudo_item(data._counts, None)
    monkeypatch.setattr(pseudo, "PSEUDO_LABELS", 5)
    monkeypatch.setattr(pseudo, "_evenly_spaced", lambda things, most: things)
    many = pseudo._with_pseudo_item(data._counts, None)
    assert isinstance(few.profiles, Counts)
    assert isinstance(many.profiles, Counts)
    assert many.pseudo == pytest.approx(few.pseudo, abs=1e-15)
    assert np.array_equal(many.profiles.counts, few.profiles.counts)


def _slow_pairs(rows: list[list[str | None]], labels: tuple[str, ...]) -> dict[tuple[int, int], float]:
    """Share every item that disagrees out among the pairs of its annotations that do, one by one."""
    found: dict[tuple[int, int], float] = {}
    for row in rows:
        given = [labels.index(one) for one in row if one is not None]
        apart = [(min(two), max(two)) for two in combinations(given, 2) if two[0] != two[1]]
        for pair in apart:
            found[pair] = found.get(pair, 0.0) + 1.0 / len(apart)
    return found


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("by", ["_counts", "_ratings"])
@pytest.mark.parametrize(("annotators", "labels"), [(2, 2), (3, 4), (7, 5), (4, 140)])
def test_an_item_that_disagrees_is_shared_out_among_its_pairs(
    annotators: int, labels: int, by: str, sparse: bool
) -> None:
    rng = np.random.default_rng(annotators)
    rows = table(60, annotators, labels, known=0.4)
    rows = [[None if rng.random() < 0.1 else one for one in row] for row in rows]
    data = assent.Annotations.from_array(rows)
    items = getattr(data, by)
    if sparse and by == "_counts":
        from scipy.sparse import csr_array

        items = replace(items, counts=csr_array(items.counts))
    code, seen = pseudo._pairs_seen(items, pseudo._cells(items))
    expected = _slow_pairs(rows, data.labels)
    found = {divmod(int(one), len(data.labels)): float(weight) for one, weight in zip(code, seen, strict=True)}
    assert found.keys() == expected.keys()
    assert [found[key] for key in expected] == pytest.approx(list(expected.values()), abs=1e-12)


@pytest.mark.parametrize(
    "name",
    ["krippendorff-alpha", "cohen-kappa", "gwet-ac", "brennan-prediger", "percent-agreement", "conger-kappa", "spa"],
)
@pytest.mark.parametrize("rows", [table(25, 2, 2), table(60, 4, 3), [["a", "a"]] * 9, [["a", "a"]] * 9 + [["a", "b"]]])
def test_the_standard_error_beside_it_is_that_without_a_pseudo_item(name: str, rows: list[list[str]]) -> None:
    agreement = assent.all_measures()[name](rows)
    found = agreement.confidence_interval().standard_error
    assert found == pytest.approx(agreement.standard_error(), abs=1e-14, nan_ok=True)


def test_pairs_of_annotators_that_are_not_written_out_are_those_that_are(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = table(50, 4, 3)
    written = assent.cohen_kappa(rows)
    monkeypatch.setattr("assent.measures.cohen.WRITTEN_CELLS", 0)
    other = assent.cohen_kappa(rows)
    assert other.value == written.value
    for method in ("etel", "analytic", "jackknife", "bootstrap"):
        one, two = (each.confidence_interval(method=method, replicates=50) for each in (written, other))
        assert (two.low, two.high, two.standard_error) == pytest.approx(
            (one.low, one.high, one.standard_error), abs=1e-13
        )


def _ranges(rows: list[list[str]]) -> Counter[int]:
    return Counter(max(map(int, row)) - min(map(int, row)) for row in rows)


@pytest.mark.parametrize("by", ["_counts", "_ratings"])
def test_on_a_scale_one_more_item_may_be_a_step_farther_apart_than_any(by: str) -> None:
    """Five steps, 20 items that disagree by one: an item by two is thinkable, one by four is not more so than it was."""
    rows = [[str(one), str(one + by_one)] for one in range(1, 5) for by_one in (0, 1) for _ in range(5)] + [["5", "5"]]
    assert _ranges(rows) == {0: 21, 1: 20}
    items = getattr(assent.Annotations.from_array(rows), by)

    def apart(*, steps: bool) -> dict[int, float]:
        made = pseudo._with_pseudo_item(items, None, steps)
        counts = np.asarray(made.profiles.counts)[len(items.multiplicities) :]
        found: dict[int, float] = {}
        for row, weight in zip(counts, made.pseudo, strict=True):
            used = np.flatnonzero(row)
            found[int(np.ptp(used))] = found.get(int(np.ptp(used)), 0.0) + float(weight)
        return found

    assert apart(steps=False) == pytest.approx({0: 0.5, 1: 0.5})
    # One item by two steps beside twenty by one.
    assert apart(steps=True) == pytest.approx({0: 0.5, 1: 0.5 * 20 / 21, 2: 0.5 / 21})


@pytest.mark.parametrize(
    "rows",
    [
        # All distances were seen; more pairs of labels than items that disagree.
        [["1", "3"], ["1", "2"], ["2", "3"]] * 8 + [["1", "1"]],
        [[str(3 * one), str(3 * one + 1)] for one in range(30)],
    ],
)
def test_nothing_is_farther_apart_where_all_was_seen_or_values_are_many(rows: list[list[str]]) -> None:
    items = assent.Annotations.from_array(rows)._counts
    plain, steps = (pseudo._with_pseudo_item(items, None, one) for one in (False, True))
    np.testing.assert_array_equal(np.asarray(steps.profiles.counts), np.asarray(plain.profiles.counts))  # type: ignore[attr-defined]
    np.testing.assert_allclose(steps.pseudo, plain.pseudo, rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("measure", "options", "steps"),
    [
        (assent.krippendorff_alpha, {"scale": "ordinal"}, True),
        (assent.percent_agreement, {"scale": "interval"}, True),
        (assent.gwet_ac, {"weights": "linear"}, True),
        (assent.gwet_ac, {"weights": np.eye(3)}, False),
        (assent.gwet_ac, {}, False),
        (assent.soft_match, {}, False),
        (assent.krippendorff_alpha, {"distance": "jaccard"}, False),
    ],
)
def test_labels_on_a_scale_have_steps(
    measure: assent.Measure, options: dict[str, Any], steps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names, sets, and labels whose weights say nothing of an order have none."""
    asked: list[bool] = []
    make = pseudo.with_pseudo_item
    monkeypatch.setattr(
        pseudo,
        "with_pseudo_item",
        lambda items, sets, *, steps: asked.append(steps) or make(items, sets, steps=steps),
    )
    measure([["1", "1"], ["2", "3"], ["1", "2"], ["3", "3"]] * 3, **options).confidence_interval()
    assert asked == [steps]


def test_names_have_no_steps() -> None:
    """The order of labels that are names changes nothing."""
    rows = table(60, 3, 4, known=0.6)
    turned = [[{"0": "3", "1": "0", "2": "2", "3": "1"}[one] for one in row] for row in rows]
    for measure in (assent.krippendorff_alpha, assent.gwet_ac):
        one, two = (measure(each).confidence_interval() for each in (rows, turned))
        assert (two.low, two.high) == pytest.approx((one.low, one.high), abs=1e-12)


def standardised(shares: Array, values: Array) -> Array:
    """Values with a mean of 0 and a variance of 1."""
    centred = values - shares @ values
    return np.asarray(centred / math.sqrt(shares @ centred**2))


def slow_tilts(shares: Array, influences: Array, enough: float) -> Array:
    """Tilts by a bracketing search, as exact for the smallest and the largest."""

    def beyond(tilt: float) -> float:
        powers = tilt * influences
        if powers.max() < 1.0:
            return math.log1p(math.fsum(shares * np.expm1(powers))) - enough
        return float(np.logaddexp.reduce(powers + np.log(shares))) - enough

    found = []
    for side in (-1.0, 1.0):
        far = side
        while beyond(far) < 0:
            far *= 2.0
        found.append(brentq(beyond, *sorted([side * 1e-9, far]), xtol=1e-300, rtol=1e-15))
    return np.array(found)


@pytest.mark.parametrize(
    ("steps", "reach", "most"), [(0, 0.1, 2e-5), (0, 0.0125, 4e-8), (1, 0.5, 3e-9), (1, 0.2, 1e-12)]
)
def test_a_start_leaves_the_cube_of_the_reach_and_a_step_the_cube_of_the_error(
    steps: int, reach: float, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The start is wrong by about a hundredth of the cube of the reach, and a step leaves about a third of the cube of that."""
    shares, values = np.array([0.4, 0.35, 0.15, 0.1]), np.array([1.0, -0.5, 0.2, -3.0])
    standard = standardised(shares, values)
    enough = reach**2 / 2
    exact = slow_tilts(shares, standard, enough)
    monkeypatch.setattr(etel, "STEPS", steps)
    assert etel._tilts(shares, standard, enough) == pytest.approx(exact, rel=most, abs=0)


def check_tilts(rare: float, enough: float) -> None:
    shares = np.array([rare, 0.4, 0.6 - rare])
    standard = standardised(shares, np.array([100.0, 1.0, 0.0]))
    exact = slow_tilts(shares, standard, enough)
    assert etel._tilts(shares, standard, enough) == pytest.approx(exact, rel=1e-11, abs=0)


def test_the_search_ends_where_the_tilts_are_exact() -> None:
    """A rare unit that lies far off makes a bad start."""
    for rare, enough in product((0.2, 1e-2, 1e-4), (1e-6, 1e-5, 5e-5, 2e-4, 1e-3, 0.1, 2.0)):
        check_tilts(rare, enough)


def test_a_rare_unit_has_a_large_exponent_on_its_side_alone() -> None:
    check_tilts(1e-4, 60.0)


def test_units_of_one_item_each_are_items() -> None:
    weights, values = np.array([2.0, 3.0, 4.0, 1.0]), np.array([0.0, 0.5, 1.0, 0.2])

    def mean(weighting: Weighting) -> Array:
        return np.asarray(weighting.total(values) / weighting.total(np.ones(4)))

    units = np.repeat(np.eye(4), weights.astype(int), axis=0)
    by_unit = etel.etel_interval(PaddedSample(mean, weights, units), level=0.9, degrees=9)
    assert by_unit == pytest.approx(etel.etel_interval(PaddedSample(mean, weights), level=0.9, degrees=9), rel=1e-12)


def test_far_from_a_parabola_the_search_begins_at_the_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """The corrections by cumulants would be 0.22 and 0.16 of the reach, which is more than is believed."""
    monkeypatch.setattr(etel, "STEPS", 0)
    shares, values = np.full(4, 0.25), np.array([1.0, 0.0, -1.0, 10.0])
    centred = values - shares @ values
    standard = centred / math.sqrt(shares @ centred**2)
    reach = 1.3 / float(shares @ standard**3)
    assert etel._tilts(shares, standard, reach**2 / 2) == pytest.approx([-reach, reach], rel=1e-12)


def test_where_the_end_is_undefined_the_last_value_that_is_defined_is_taken() -> None:
    values = np.array([0.0, 0.5, 1.0])

    def mean(weighting: Weighting, most: float = 1.0) -> Array:
        found = weighting.total(values) / weighting.total(np.ones(3))
        return np.where(np.real(found) > most, np.nan, found)

    weights = np.full(3, 4.0)
    whole = etel.etel_interval(PaddedSample(mean, weights), level=0.99, degrees=11)
    low, high = etel.etel_interval(PaddedSample(lambda one: mean(one, 0.6), weights), level=0.99, degrees=11)
    assert low == whole[0]
    # The way to the end, from 0.5 to 0.82, is tried in 64 parts.
    assert 0.59 < high <= 0.6
