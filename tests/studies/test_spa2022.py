"""The study of Nørregaard & Derczynski (2022): its numbers against enumeration, its verdicts against made-up numbers."""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.conftest import Files, Program
from tests.papers.test_norregaard_derczynski_2022 import by_equation_41, by_equation_50
from tests.reference.spa import item_agreement
from tests.support import some

import assent as library
from assent.errors import InputError
from assent.measures.spa import SCHEMES
from assent.profiles import Counts
from studies.spa2022 import run
from studies.spa2022.arrivals import (
    SHARES,
    Arrivals,
    arrive,
    constant_variance,
    rounds_for,
    whole_variance,
)
from studies.spa2022.items import Items, from_annotations, from_file, simulated
from studies.spa2022.judging import (
    Case,
    _like_pairs,
    _more_per_item,
    judge_own,
    judge_simulated,
    judge_weights,
    like_paper,
    rank_correlation,
)
from studies.spa2022.paper import SHAPES, TABLE_1
from studies.spa2022.weights import (
    ANNOTATIONS,
    class_weights,
    edges_error,
    normalised,
    uniform_weights,
    weights,
)

pytestmark = pytest.mark.nightly

QUIET = lambda done, what: None  # noqa: E731
#: 11 annotations of 4 items, each with two or three.
SMALL = Items("small", np.array([[2, 1, 0], [1, 1, 1], [0, 2, 0]]), np.array([1, 2, 1]))
MEDIUM = Items(
    "medium",
    np.array([[4, 0], [2, 2], [3, 0], [2, 1], [1, 2], [1, 1], [2, 0], [1, 0]]),
    np.array([9, 7, 11, 8, 5, 6, 9, 4]),
)


def labels_of(items: Items) -> list[list[int]]:
    """The labels of every item, in the order in which places are given to annotations."""
    return [column.tolist() for group in items.groups for column in group.T]


def only(arrivals: list[Arrivals]) -> Arrivals:
    (one,) = arrivals
    return one


def reference_spa(rows: list[list[Any]], scheme: str) -> float:
    """SPA by the library, from a table of labels."""
    return _spa_of(tuple(sorted(tuple(sorted(row)) for row in rows)), scheme)


@cache
def _spa_of(rows: tuple[tuple[Any, ...], ...], scheme: str) -> float:
    width = max(map(len, rows))
    return library.spa([[*map(str, row), *[None] * (width - len(row))] for row in rows if row], scheme=scheme).value


# Figures 4 and 5: weights


def test_inverse_variance_is_edges() -> None:
    assert edges_error(10, 50) < 1e-12


def test_that_check_can_fail() -> None:
    """With labels that are not equally frequent the weights are others."""
    skewed = normalised(weights("inv-var-class", ANNOTATIONS, np.array([0.7, 0.2, 0.1])))
    assert np.abs(skewed / normalised(weights("edges", ANNOTATIONS)) - 1).max() > 0.1


@pytest.mark.parametrize("labels", range(2, 8))
def test_weights_are_those_of_equation_41(labels: int) -> None:
    by_paper = np.array([1 / float(by_equation_41(int(n), labels)) for n in ANNOTATIONS])
    np.testing.assert_allclose(
        normalised(uniform_weights(labels, ANNOTATIONS)), by_paper / by_paper[-1], rtol=1e-12, atol=0
    )


@pytest.mark.parametrize("shares", [(0.9, 0.1), (0.5, 0.3, 0.2), (0.7, 0.1, 0.1, 0.1)])
def test_weights_are_those_of_equation_50(shares: tuple[float, ...]) -> None:
    by_paper = np.array([1 / by_equation_50(int(n), list(shares)) for n in ANNOTATIONS])
    ours = normalised(weights("inv-var-class", ANNOTATIONS, np.array(shares)))
    np.testing.assert_allclose(ours, by_paper / by_paper[-1], rtol=1e-10)


@given(st.lists(st.floats(0.001, 1), min_size=2, max_size=12))
def test_the_lean_is_between_0_and_1_and_gives_the_weights(logits: list[float]) -> None:
    """Hoeffding's inequality, and the weight n (n - 1) / (1 + lean (n - 2))."""
    shares = np.array(logits) / sum(logits)
    s2, s3 = (shares**2).sum(), (shares**3).sum()
    lean = 2 * (s3 - s2**2) / (s2 - s2**2)
    assert -1e-9 <= lean <= 1 + 1e-9
    n = np.arange(2, 40)
    expected = normalised(n * (n - 1) / (1 + lean * (n - 2)))
    np.testing.assert_allclose(normalised(weights("inv-var-class", n, shares)), expected, rtol=1e-8)
    ends = [normalised(weights(scheme, n)) for scheme in ("edges", "annotations")]
    assert (expected >= ends[0] - 1e-9).all()
    assert (expected <= ends[1] + 1e-9).all()


def test_random_distributions_are_drawn_as_in_the_paper() -> None:
    sampled = class_weights(np.random.default_rng(3), each=50)
    assert sampled.curves.shape == (9 * 50, len(ANNOTATIONS))
    assert (np.bincount(sampled.classes)[2:] == 50).all()
    assert (sampled.entropy < np.log(sampled.classes)).all()
    # Two labels whose logits differ by 6 at most have at least this entropy.
    share = 1 / (1 + np.exp(6))
    assert sampled.entropy.min() > -(share * np.log(share) + (1 - share) * np.log1p(-share))


# Data sets


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_simulated_data_have_the_published_shape(shape: Any) -> None:
    items = simulated(shape, 0.5, np.random.default_rng(1))
    assert items.times.sum() == shape.n_items
    assert items.counts.shape[1] == shape.classes
    sizes = np.bincount(items.sizes, weights=items.times)
    assert np.flatnonzero(sizes).tolist() == [n for n, _ in shape.annotations]
    assert all(sizes[n] == known for n, known in shape.annotations if known is not None)
    spread = [sizes[n] for n, known in shape.annotations if known is None]
    assert max(spread) - min(spread) <= 1


@pytest.mark.parametrize("alpha", [0.2, 0.5, 0.8])
def test_simulated_data_have_the_agreement_that_was_asked_for(alpha: float) -> None:
    """Krippendorff's alpha of 51,042 items, and the probability of agreement that goes with it."""
    items = simulated(SHAPES[2], alpha, np.random.default_rng(5))
    shares = 1 / np.arange(1, 4)
    s2 = (shares**2).sum() / shares.sum() ** 2
    expected = s2 + (1 - s2) * alpha
    assert items.mean_agreement == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / 51_042))
    profiles = Counts(counts=items.counts.astype(float), multiplicities=items.times, labels=tuple("abc"))
    observed = library.all_measures()["krippendorff-alpha"](profiles_as_table(profiles)).value
    assert observed == pytest.approx(alpha, abs=0.01)


def profiles_as_table(profiles: Counts) -> Any:
    """A table of labels with every hundredth item."""
    rows = np.repeat(np.asarray(profiles.counts, dtype=int), profiles.multiplicities, axis=0)[::10]
    width = int(rows.sum(1).max())
    table = [[label for label, count in zip("abc", row, strict=True) for _ in range(count)] for row in rows]
    return [[*row, *[None] * (width - len(row))] for row in table]


def test_a_quick_run_keeps_the_numbers_of_annotations() -> None:
    for shape in some(SHAPES):
        items = simulated(shape, 0.5, np.random.default_rng(1), shrink=10)
        assert items.times.sum() == shape.n_items // 10
        assert {int(n) for n in items.sizes} <= {n for n, _ in shape.annotations}
        assert items.sizes.max() >= max(n for n, known in shape.annotations if known is None) - 3


def test_groups_hold_every_annotation() -> None:
    rows = labels_of(MEDIUM)
    assert len(rows) == MEDIUM.times.sum()
    counted = sorted(tuple(np.bincount(row, minlength=2)) for row in rows)
    assert counted == sorted(map(tuple, np.repeat(MEDIUM.counts, MEDIUM.times, axis=0).tolist()))


# Figure 6: exact variances


@pytest.mark.parametrize("counts", [(3, 2, 1), (4, 0, 0), (1, 1, 1), (5, 1, 1), (2, 2, 2)], ids=str)
@pytest.mark.parametrize("drawn", [2, 3, 4, 5])
def test_variance_of_some_annotations_by_enumeration(counts: tuple[int, ...], drawn: int) -> None:
    items = Items("one", np.array([counts]), np.array([1]))
    labels = [label for label, count in enumerate(counts) for _ in range(count)]
    got = items.drawn_variance(drawn)[0]
    if drawn > len(labels):
        assert np.isnan(got)
        return
    values = [float(item_agreement(np.bincount(some, minlength=3).tolist())) for some in combinations(labels, drawn)]
    assert got == pytest.approx(np.var(values), abs=1e-12)
    assert np.mean(values) == pytest.approx(items.agreement[0])


def test_variance_of_a_fixed_number_per_item_by_enumeration() -> None:
    """All choices of two of four items, and of two annotations of each."""
    values = []
    for chosen in combinations(labels_of(SMALL), 2):
        pairs = [list(combinations(row, 2)) for row in chosen]
        for first, second in product(*pairs):
            # Items with more annotations have more pairs; every item weighs the same.
            values.append(((first[0] == first[1]) + (second[0] == second[1]), 1 / (len(pairs[0]) * len(pairs[1]))))
    value, weight = (np.array(column, dtype=float) for column in zip(*values, strict=True))
    mean = np.average(value / 2, weights=weight)
    expected = np.average((value / 2 - mean) ** 2, weights=weight)
    assert constant_variance(SMALL, 2, np.array([2.0]))[0] == pytest.approx(expected, abs=1e-12)


def test_no_variance_where_there_are_not_that_many_items() -> None:
    assert np.isnan(constant_variance(SMALL, 3, np.array([3.0, 4.0]))).tolist() == [False, True]


def test_whole_variance_of_pairs_is_that_of_a_yes_or_no() -> None:
    p = MEDIUM.times[:2] @ MEDIUM.agreement[:2] / MEDIUM.times[:2].sum()
    # Items with four annotations alone; of two annotations of an item the agreement is 0 or 1.
    assert whole_variance(MEDIUM, 4)[0] == pytest.approx(p * (1 - p))
    # With all annotations only the items differ.
    agreement, times = MEDIUM.agreement[:2], MEDIUM.times[:2]
    assert whole_variance(MEDIUM, 4)[-1] == pytest.approx(np.average((agreement - p) ** 2, weights=times))


# Figure 7: annotations that arrive


@pytest.mark.parametrize("items", [SMALL, MEDIUM], ids=lambda items: items.name)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_arriving_annotations_give_spa_of_the_library(items: Items, scheme: str) -> None:
    """The same orders of arrival, with SPA computed from the table of labels that are there."""
    rounds = 12
    got = only(arrive([items], rounds, np.random.default_rng(8), QUIET))
    order = np.random.default_rng(8).permuted(
        np.tile(np.arange(items.n_annotations, dtype=np.int32), (rounds, 1)), axis=1
    )
    places = np.split(np.arange(items.n_annotations), np.cumsum([group.size for group in groups_of_two(items)]))
    for one in some(range(rounds)):
        for point, share in some(enumerate(got.shares)):
            limit = round(share * items.n_annotations)
            rows = []
            for group, spots in zip(groups_of_two(items), places, strict=False):
                there = order[one, spots].reshape(group.shape) < limit
                rows += [column[mask].tolist() for column, mask in zip(group.T, there.T, strict=True)]
            expected = reference_spa([row for row in rows if len(row) > 1], scheme)
            assert got.values[one, point, SCHEMES.index(scheme)] == pytest.approx(expected, abs=1e-12)


def groups_of_two(items: Items) -> list[Any]:
    return [group for group in items.groups if len(group) > 1]


def test_the_variance_is_that_of_all_orders() -> None:
    """Half of eleven annotations of four items, which is rounded to six: all 462 sets that can be there first."""
    rows = labels_of(SMALL)
    owner = [i for i, row in enumerate(rows) for _ in row]
    label = [one for row in rows for one in row]
    rounds = 4_000
    got = only(arrive([SMALL], rounds, np.random.default_rng(2), QUIET))
    point = int(np.flatnonzero(got.shares == 0.5)[0])
    for s, scheme in some(enumerate(SCHEMES)):
        values = []
        for there in combinations(range(len(label)), 6):
            by_item = [[label[i] for i in there if owner[i] == item] for item in range(len(rows))]
            values.append(reference_spa([row for row in by_item if len(row) > 1], scheme))
        spread = np.sqrt(np.var((np.array(values) - np.mean(values)) ** 2) / rounds)
        assert abs(got.variance[point, s] - np.var(values)) < 4 * spread
        assert abs(got.values[:, point, s].mean() - np.mean(values)) < 4 * np.sqrt(np.var(values) / rounds)


def test_the_variance_is_that_of_a_large_sample() -> None:
    """A linear approximation that draws nothing: every annotation is there with the same chance, given how many there are."""
    from scipy.stats import binom

    items = simulated(SHAPES[1], 0.5, np.random.default_rng(4))
    rounds = 600
    got = only(arrive([items], rounds, np.random.default_rng(5), QUIET))
    sizes = np.arange(2, items.sizes.max() + 1)
    drawn = np.array([np.nan_to_num(items.drawn_variance(int(m))) for m in sizes]).T
    for scheme in ("flat", "annotations-m1", "edges"):
        k = weights(scheme, sizes)
        for point, share in some(enumerate(got.shares)):
            chance = binom.pmf(sizes[None, :], items.sizes[:, None], share)
            mean_k = chance @ k
            theta = items.times @ (mean_k * items.agreement) / (items.times @ mean_k)
            apart = items.agreement - theta
            square = (chance * k**2 * (drawn + apart[:, None] ** 2)).sum(1) - (mean_k * apart) ** 2
            with_number = (chance * k * sizes).sum(1) - mean_k * items.sizes * share
            number = items.n_annotations * share * (1 - share)
            variance = items.times @ square - (items.times @ (with_number * apart)) ** 2 / number
            expected = variance / (items.times @ mean_k) ** 2
            assert got.variance[point, SCHEMES.index(scheme)] == pytest.approx(expected, rel=5 * np.sqrt(2 / rounds))


def test_rounds_that_are_computed_together_are_the_same() -> None:
    from studies.spa2022 import arrivals

    together = only(arrive([MEDIUM], 7, np.random.default_rng(1), QUIET)).values
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrivals, "ANNOTATIONS_AT_ONCE", 1)
        alone = only(arrive([MEDIUM], 7, np.random.default_rng(1), QUIET)).values
    np.testing.assert_array_equal(together, alone)


def test_data_sets_that_see_the_same_orders_are_as_if_alone() -> None:
    other = replace(MEDIUM, counts=MEDIUM.counts[:, ::-1])
    first, second = arrive([MEDIUM, other], 9, np.random.default_rng(1), QUIET)
    np.testing.assert_array_equal(first.values, only(arrive([MEDIUM], 9, np.random.default_rng(1), QUIET)).values)
    np.testing.assert_array_equal(second.values, only(arrive([other], 9, np.random.default_rng(1), QUIET)).values)


def test_points_with_nothing_to_compare_are_left_out() -> None:
    few = only(arrive([SMALL], 50, np.random.default_rng(1), QUIET))
    assert set(few.shares) < set(SHARES)
    # Six annotations of four items always make a pair.
    assert set(few.shares) >= {0.5, 0.6, 0.7, 0.8}


@pytest.mark.parametrize("counts", [[[3, 0], [0, 4]], [[2, 0], [0, 2]]], ids=["unanimous", "pairs"])
def test_data_that_tell_nothing_about_schemes(counts: list[list[int]]) -> None:
    with pytest.raises(InputError, match="tells nothing about the schemes"):
        arrive([Items("x\x1b", np.array(counts), np.array([5, 5]))], 20, np.random.default_rng(1), QUIET)


def test_large_data_get_fewer_rounds() -> None:
    assert rounds_for(SMALL, 2.5e8) == 3_000
    huge = replace(SMALL, times=SMALL.times * 1_000_000)
    assert rounds_for(huge, 2.5e8) == 100
    # An item with ten thousand annotations costs memory.
    wide = Items("wide", np.array([[10_000, 0]]), np.array([1]))
    assert rounds_for(wide, 2.5e8) * len(SHARES) * 10_000 <= 20_000_000


# Verdicts


def made_up(
    name: str = "MBIC", alpha: float | None = 0.2, *, spread: dict[str, float] | None = None, rounds: int = 2_000
) -> Arrivals:
    """A data set whose schemes have the given standard deviations, on top of what they have in common."""
    rng = np.random.default_rng(0)
    common = rng.normal(size=(rounds, 3, 1)) + 0.01 * rng.normal(size=(rounds, 3, len(SCHEMES)))
    scale = np.array([(spread or {}).get(scheme, 1.0) for scheme in SCHEMES])
    items = replace(MEDIUM, name=name, alpha=alpha)
    return Arrivals(
        items, np.array([0.1, 0.5, 0.9]), np.array([40.0, 80, 120]), np.array([0.9, 0.6, 0.1]), 0.01 * common * scale
    )


def verdicts(arrivals: list[Arrivals], word: str) -> bool | None:
    (finding,) = [one for one in judge_simulated(arrivals) if word in one.statement]
    return finding.holds


def four(spread: dict[str, float] | None = None) -> list[Arrivals]:
    sets = [made_up(name, spread=spread) for name in TABLE_1]
    # One data set whose items all have four annotations, for the finding on bias.
    even = replace(sets[0].items, counts=np.array([[4, 0], [2, 2]]), times=np.array([90, 70]))
    return [replace(sets[0], items=even, values=sets[0].values + even.mean_agreement), *sets[1:]]


@pytest.mark.parametrize(("excess", "curve", "point"), [(1.0, True, True), (1.07, False, True), (1.2, False, False)])
def test_near_the_best_is_decided_by_numbers(excess: float, curve: bool, point: bool) -> None:
    sets = four({"annotations-m1": excess})
    assert verdicts(sets, "over the whole curve") is curve
    assert verdicts(sets, "at any point") is point
    assert judge_own([replace(sets[0], items=replace(MEDIUM, name="own"))])[0].holds is curve


def test_little_effect_and_no_best_scheme_are_decided_by_numbers() -> None:
    assert verdicts(four(), "little effect") is True
    assert verdicts(four(), "No scheme is best") is False
    apart = {"flat": 1.3, "annotations": 1.2}
    assert verdicts(four(apart), "little effect") is False
    different = [
        made_up(name, spread={scheme: 0.9, "edges": 1.3})
        for name, scheme in zip(TABLE_1, ("flat", "annotations", "inv-var", "flat"), strict=True)
    ]
    assert verdicts([four()[0], *different], "No scheme is best") is True


def test_bias_and_falling_variance_are_decided_by_numbers() -> None:
    sets = four()
    assert verdicts(sets, "without bias") is True
    biased = replace(sets[0], values=sets[0].values + 0.01)
    assert verdicts([biased, *sets[1:]], "without bias") is False
    falling = [replace(one, values=one.values * np.array([3, 2, 1])[:, None]) for one in sets]
    assert verdicts(falling, "falls as annotations") is True
    rising = [replace(one, values=one.values * np.array([1, 2, 3])[:, None]) for one in sets]
    assert verdicts(rising, "falls as annotations") is False


def test_annotations_per_item_are_decided_by_numbers() -> None:
    """Items that are all alike gain by more annotations each; where half of them are unanimous, three are best."""
    alike = replace(SMALL, counts=np.array([[2, 2]]), times=np.array([10]))
    apart = replace(SMALL, counts=np.array([[2, 2], [4, 0]]), times=np.array([10, 10]))
    assert whole_variance(alike, 4) == pytest.approx([2 / 9, 0, 0])
    assert whole_variance(apart, 4) == pytest.approx([2 / 9, 1 / 9, 1 / 9])
    assert _more_per_item([replace(made_up(), items=apart)]).holds is False
    assert _more_per_item([replace(made_up(), items=replace(alike, counts=np.array([[2, 1]])))]).holds is True


def test_likeness_to_pairs_is_decided_by_numbers() -> None:
    """SPA that varies exactly as the same number of annotations in pairs would, or half as much again."""
    for factor, holds in ((1.0, True), (1.5, False)):
        sets = four()
        exact = np.sqrt(constant_variance(sets[1].items, 2, sets[1].usable / 2))
        values = np.random.default_rng(1).normal(size=(4_000, 3, len(SCHEMES))) * factor * exact[:, None]
        alike = [replace(one, items=sets[1].items, values=values) for one in sets]
        assert _like_pairs(alike).holds is holds


def test_likeness_to_table_1_is_a_correlation() -> None:
    row = TABLE_1["FECG"]
    same = made_up("FECG", spread={scheme: np.sqrt(1 + value) for scheme, value in row.items()})
    assert like_paper(same).value == pytest.approx(1, abs=0.01)
    opposite = made_up("FECG", spread={scheme: np.sqrt(1 - value) for scheme, value in row.items()})
    assert like_paper(opposite).value == pytest.approx(-1, abs=0.01)


def test_a_limit_within_two_errors_is_not_decided() -> None:
    assert Case(1.0, 0.1, "").within(1.5) is True
    assert Case(1.0, 0.1, "").within(0.5) is False
    assert Case(1.0, 0.1, "").within(1.1) is None
    assert Case(1.0, 0.1, "").within(0.9) is None


def test_findings_on_weights_are_decided_by_numbers() -> None:
    sampled = class_weights(np.random.default_rng(1), each=20)
    assert [one.holds for one in judge_weights(1e-14, sampled)] == [True, True, True]
    outside = replace(sampled, curves=sampled.curves * 2)
    strict = replace(sampled, entropy=-sampled.area)
    assert judge_weights(1e-9, sampled)[0].holds is False
    assert judge_weights(1e-14, outside)[1].holds is False
    assert judge_weights(1e-14, strict)[2].holds is False


def test_rank_correlation() -> None:
    from scipy.stats import spearmanr

    first, second = np.random.default_rng(1).normal(size=(2, 50))
    assert rank_correlation(first, second) == pytest.approx(spearmanr(first, second).statistic)


def test_table_1_of_the_paper() -> None:
    """As printed, and the two columns that must be equal are."""
    assert TABLE_1.keys() == {shape.name for shape in SHAPES}
    for row in TABLE_1.values():
        assert row.keys() == set(SCHEMES)
        assert row["edges"] == row["inv-var"]
    lowest = {name: min(row, key=row.__getitem__) for name, row in TABLE_1.items()}
    assert lowest == {"MBIC": "annotations-m1", "BSMTWE": "inv-var-class", "FECG": "annotations", "DAR": "flat"}


# The whole


@pytest.fixture(scope="module")
def quick() -> Any:
    return run(seed=3, quick=True)


def test_every_table_and_figure_is_there(quick: Any) -> None:
    assert list(quick.charts) == ["weights", "class-weights", "variance", "per-item", "schemes"]
    table = quick.table("table-1").columns
    assert table["source"].count("paper, × 100") == 4
    assert len(table["source"]) == 4 * (1 + 3)
    assert table["annotations-m1"][0] == -1.0929
    assert table["edges"] == table["inv-var"]
    weights_table = quick.table("weights").columns
    assert weights_table["edges"] == pytest.approx(weights_table["inv-var, 7 labels"], rel=1e-12)
    points = quick.table("schemes").columns
    assert all(value > 0 for value in points["variance"])
    # A tenth of BSMTWE with 10 % of its annotations may have no pair; all other points are there.
    found = {(name, share) for name, share in zip(points["data set"], points["share"], strict=True)}
    assert {(shape.name, share) for shape in SHAPES for share in SHARES} - found <= {("BSMTWE", 0.1)}
    assert len(points["variance"]) == len(found) * 3 * len(SCHEMES)


def test_another_seed_gives_other_digits(quick: Any) -> None:
    other, same = (one.table("table-1").columns for one in (run(seed=4, quick=True), quick))
    paper = [source.startswith("paper") for source in same["source"]]
    assert [a == b for a, b in zip(other["edges"], same["edges"], strict=True)] == paper


CROWD = "item,annotator,label\n" + "".join(
    f"{item},{who},{'abc'[(item * (who + 1) + who // 2) % (2 + item % 2)]}\n"
    for item in range(40)
    for who in range(3 + item % 3)
)


def test_data_of_the_user_run_beside_the_simulated(quick: Any, study: Program, file: Files, tmp_path: Path) -> None:
    path = file("=cmd()|[bold]x.csv", CROWD.replace("b", "\x1b[31m<b>"))
    folder = tmp_path / "out"
    done = study("spa2022", "--quick", "--seed", "3", "--data", path, "--data", path, "-o", str(folder))
    assert done.code == 0, done.err
    assert "\x1b" not in done.out + done.err
    assert "On your data, annotations-m1" in done.out
    report = (folder / "report.md").read_text(encoding="utf-8")
    assert "\x1b" not in report
    assert "own-schemes.svg" in report
    assert {one.name for one in folder.glob("own-*.svg")} == {"own-variance.svg", "own-per-item.svg", "own-schemes.svg"}
    with open(folder / "table-1.csv", encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))
    # The same file twice has two names, and neither is a formula.
    assert [(row["data set"], row["source"]) for row in rows[16:]] == [
        ("'=cmd()|[bold]x", "yours"),
        ("'=cmd()|[bold]x (2)", "yours"),
    ]
    # Data of the user do not change the digits of the simulated.
    assert [float(row["edges"]) for row in rows[:16]] == quick.table("table-1").columns["edges"]


def test_data_of_the_user_are_all_there(file: Files) -> None:
    items = from_file(file("own.csv", CROWD))
    assert (items.name, items.alpha) == ("own", None)
    assert items.n_annotations == CROWD.count("\n") - 1
    assert items.times.sum() == 40
    rows: dict[str, list[str]] = {}
    for line in CROWD.splitlines()[1:]:
        item, _, label = line.split(",")
        rows.setdefault(item, []).append(label)
    assert items.mean_agreement == pytest.approx(reference_spa(list(rows.values()), "flat"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("item,a,b\n1,x,x\n2,x,y\n3,y,y\n", "no item with three annotations"),
        ("item,a,b,c\n1,x,x,x\n2,y,y,y\n", "tells nothing about the schemes"),
        ("", "is empty"),
        ("item,annotator,label\n1,a,x\n1,a,y\n2,b,x\n", "a study has no options for reading"),
    ],
)
def test_files_that_cannot_be_used(study: Program, file: Files, content: str, message: str) -> None:
    done = study("spa2022", "--quick", "--data", file("bad.csv", content))
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1


def test_annotations_that_were_read_are_taken_too(file: Files) -> None:
    data = library.read(file("own.csv", CROWD))
    one = from_annotations(data, "data 1")
    np.testing.assert_array_equal(one.counts, from_file(file("own.csv", CROWD)).counts)


def test_data_with_no_variance_among_the_items_with_most_annotations(file: Files) -> None:
    """Most items have nine annotations and are unanimous; the others are not."""
    rows = [["x"] * 9] * 30 + [["x", "y", "x"] + [""] * 6, ["x", "y", "y"] + [""] * 6] * 6
    content = "item," + ",".join(f"a{i}" for i in range(9)) + "\n"
    content += "".join(f"{number},{','.join(row)}\n" for number, row in enumerate(rows))
    result = run(quick=True, data=[file("own.csv", content)])
    assert "own-per-item" not in result.charts
    assert "own-schemes" in result.charts
    weights_table = result.table("best-weights").columns
    assert weights_table["9 annotations"][-1] is None


def test_a_file_that_is_not_there(study: Program) -> None:
    done = study("spa2022", "--data", "nowhere\x1b[31m.csv")
    assert done.code == 2
    assert "nowhere\\x1b[31m.csv" in done.err


def test_spans_are_refused(file: Files) -> None:
    path = file("marks.csv", "document,annotator,start,end,label\n1,ann,0,5,X\n1,bob,0,5,X\n2,ann,1,5,Y\n2,bob,0,5,X\n")
    with pytest.raises(InputError, match=r'"marks\.csv" holds spans: this study takes labels'):
        from_file(path)


def test_too_much_data_is_refused(file: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    from studies.spa2022 import items

    path = file("own.csv", CROWD)
    monkeypatch.setattr(items, "MOST_LABELS", 2)
    with pytest.raises(InputError, match="has 3 labels: this study takes up to 2"):
        from_file(path)
    monkeypatch.setattr(items, "MOST_ANNOTATIONS", 100)
    with pytest.raises(InputError, match="annotations: this study takes up to 100"):
        from_file(path)
