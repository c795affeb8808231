"""Measures of rankings against published values, slow versions and scipy."""

from __future__ import annotations

import json
import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare, spearmanr, weightedtau
from tests.properties.tables import MANY
from tests.reference import orders
from tests.support import BESIDE, every

import assent
from assent import Rankings
from assent.data.ranking_profiles import ListProfiles
from assent.errors import NothingToCompare, OptionError, UnsuitableData
from assent.measures._orders import midranks, rbo_bounds, rbo_by_chance, tau_ap_both_ways, tau_ap_to_truth

SHARED = BESIDE / "oracles/judges"
BASEBALL = np.array([
    [5.40, 5.85, 5.20, 5.55, 5.90, 5.45, 5.40, 5.45, 5.25, 5.85, 5.25, 5.65, 5.60, 5.05, 5.50, 5.45, 5.55, 5.45, 5.50, 5.65, 5.70, 6.30],
    [5.50, 5.70, 5.60, 5.50, 5.85, 5.55, 5.40, 5.50, 5.15, 5.80, 5.20, 5.55, 5.35, 5.00, 5.50, 5.55, 5.55, 5.50, 5.45, 5.60, 5.65, 6.30],
    [5.55, 5.75, 5.50, 5.40, 5.70, 5.60, 5.35, 5.35, 5.00, 5.70, 5.10, 5.45, 5.45, 4.95, 5.40, 5.50, 5.35, 5.55, 5.25, 5.40, 5.55, 6.25],
])  # fmt: skip
SIEGEL_TIES = [
    [1, 2.5, 2], [4.5, 1, 1], [2, 2.5, 4.5], [4.5, 4.5, 4.5], [3, 4.5, 4.5], [7.5, 8, 4.5], [6, 9, 8], [9, 6.5, 8], [7.5, 10, 8], [10, 6.5, 10],
]  # fmt: skip
SIEGEL_CASTELLAN = [[5, 1, 4], [6, 7, 5], [7, 6, 1], [1, 2, 3], [2, 3, 2], [4, 5, 7], [3, 4, 6], [8, 8, 8]]
PROOFWIKI = [[1, 1, 2, 3], [3, 2, 3, 1], [2, 3, 1, 2]]

#: matrix: W, chi-squared, its p, F, its p, mean Spearman, mean tau-b, alpha of the ranks.
CONCORDANCE = {
    # Hollander & Wolfe 1973 p. 140, as in R's help page of friedman.test: 11.143 and 0.003805.
    "baseball": (BASEBALL, 0.2532467532467532, 11.142857142857142, 0.003805040775511362, 7.121739130434782, 0.002574125280818343, 0.23035849749394832, 0.21844685680961287, 0.22954030096887235),
    # NAG G08DAF (Siegel 1956): 0.828 and 0.008.
    "siegel1956": (SIEGEL_TIES, 0.8277310924369747, 22.348739495798316, 0.007837043634552086, 9.609756097560972, 5.66505782718681e-05, 0.7426217115108722, 0.6000319310928989, 0.7502100840336134),
    # Siegel & Castellan 1988, as in DescTools::KendallW.
    "siegel1988": (SIEGEL_CASTELLAN, 0.656084656084656, 13.777777777777777, 0.0552779298915745, 3.8153846153846147, 0.020361101417238445, 0.48412698412698413, 0.38095238095238093, 0.5056216931216931),
    # proofwiki.org, Kendall's Coefficient of Concordance, Example 1: 1/16.
    "proofwiki": (PROOFWIKI, 0.0625, 0.5, 0.7788007830714049, 0.2, 0.7679137551365104, -0.25, -0.2222222222222222, -0.14583333333333326),
}  # fmt: skip


@pytest.mark.parametrize("case", CONCORDANCE)
def test_concordance_is_what_was_published(case: str) -> None:
    matrix, w, chi2, p, f, f_p, spearman, kendall, alpha = CONCORDANCE[case]
    data = Rankings.from_matrix(matrix)
    found = assent.kendall_w(data)
    assert found.value == pytest.approx(w, abs=1e-12)
    assert found.expected == pytest.approx(1 / np.shape(matrix)[1])
    assert found.details["friedman_chi2"] == pytest.approx(chi2, abs=1e-10)
    assert found.details["friedman_p"] == pytest.approx(p, abs=1e-12)
    assert found.details["f"] == pytest.approx(f, abs=1e-10)
    assert found.details["f_p"] == pytest.approx(f_p, abs=1e-12)
    assert found.details["alpha_interval_of_ranks"] == pytest.approx(alpha, abs=1e-12)
    assert f"; F {f:.4g} with " in found.notes[1]
    assert assent.mean_spearman(data).value == pytest.approx(spearman, abs=1e-12)
    assert assent.mean_kendall(data).value == pytest.approx(kendall, abs=1e-12)
    scipy = friedmanchisquare(*np.asarray(matrix))
    assert (scipy.statistic, scipy.pvalue) == (pytest.approx(chi2), pytest.approx(p))


@pytest.mark.parametrize(
    ("case", "known"),
    [("baseball", 0.24173553719008264), ("siegel1956", 0.795959595959596), ("siegel1988", 0.656084656084656)],
)
def test_w_without_correction_for_ties_is_what_other_programs_print(case: str, known: float) -> None:
    found = assent.kendall_w(Rankings.from_matrix(CONCORDANCE[case][0]))
    assert found.details["without_tie_correction"] == pytest.approx(known, abs=1e-12)


def test_a_perfect_w_has_no_f_to_speak_of() -> None:
    found = assent.kendall_w(Rankings.from_matrix([[1, 1], [2, 2], [3, 3]]))
    assert math.isnan(found.details["f"])
    assert found.notes[1:] == ("Friedman's chi-squared 4 with 2 degrees of freedom, p = 0.14.",)


def test_the_orientation_decides() -> None:
    assert assent.kendall_w(Rankings.from_matrix(BASEBALL)).value == pytest.approx(0.2532, abs=5e-5)
    assert assent.kendall_w(Rankings.from_matrix(BASEBALL.T)).value == pytest.approx(0.8157, abs=5e-5)


def test_who_ties_everything_ranks_nothing() -> None:
    flat = Rankings.from_matrix([[1, 1], [1, 1], [1, 1]])
    for measure in (assent.kendall_w, assent.mean_spearman, assent.mean_kendall, assent.weighted_tau):
        found = measure(flat)
        assert math.isnan(found.value)
        assert "nobody ranks anything" in found.undefined
    mixed = assent.mean_spearman(Rankings.from_matrix([[1, 1, 1], [2, 2, 1], [3, 3, 1]]))
    assert mixed.value == 1
    assert any("ties all objects" in note for note in mixed.notes)


def _positions(order: list[object], names: list[str]) -> np.ndarray:
    place, made = 0, np.full(len(names), np.nan)
    for group in order:
        group = group if isinstance(group, list) else [group]
        made[[names.index(one) for one in group]] = place + (len(group) + 1) / 2
        place += len(group)
    return made


def _flat(order: list[object]) -> list[str]:
    return [one for group in order for one in (group if isinstance(group, list) else [group])]


#: Corsi & Urbano 2024, README of sigir2024-rbo: ext, min, max and residual at p = 0.95.
RBO_X = ["red", ["blue", "green"], "yellow", "pink"]
RBO_Y = [["blue", "red"], "white", ["yellow", "black", "purple"], "green"]
RBO = {
    "a": (0.6922853, 0.3310519, 0.8930692, 0.5620173),
    "w": (0.7068257, 0.3429684, 0.9049857, 0.5620173),
    "b": (0.7207131, 0.3509163, 0.9129336, 0.5620173),
}


@pytest.mark.parametrize("ties", RBO)
def test_rank_biased_overlap_is_that_of_its_authors(ties: str) -> None:
    rows = [
        ("", who, one, float(at))
        for who, order in (("x", RBO_X), ("y", RBO_Y))
        for at, group in enumerate(order)
        for one in (group if isinstance(group, list) else [group])
    ]
    found = assent.rbo(Rankings.from_rows(rows), p=0.95, ties=ties)
    ext, low, high, residual = RBO[ties]
    assert found.value == pytest.approx(ext, abs=6e-8)
    assert [found.details[name] for name in ("min", "max", "residual")] == pytest.approx(
        [low, high, residual], abs=6e-8
    )
    assert math.isnan(found.expected)


@pytest.mark.skipif(not SHARED.exists(), reason="the authors' rows are not in the repository")
def test_rank_biased_overlap_is_that_of_the_authors_test_file() -> None:
    known = json.loads((SHARED / "rbo_rows_shared.json").read_text())
    assert known["expected"]
    for wanted in known["expected"]:
        case = known["inputs"]["cases"][wanted["params"]["case"]]
        names = sorted({*_flat(case["x"]), *_flat(case["y"])})
        x, y = (_positions(case[side], names)[None] for side in "xy")
        ext, low, high = rbo_bounds(x, y, p=case["p"], ties=wanted["params"]["ties"])[0]
        found = {"rbo_ext": ext, "rbo_min": low, "rbo_max": high, "rbo_res": high - low}[wanted["coef"]]
        assert found == pytest.approx(wanted["value"], abs=wanted["tol"])


@pytest.mark.skipif(not SHARED.exists(), reason="the data of ircor are not in the repository")
def test_two_rankings_are_compared_as_ircor_and_scipy_do() -> None:
    known = json.loads((SHARED / "two_rankings_set1.json").read_text())
    measures = {
        "spearman": "mean-spearman",
        "tau_b": "mean-kendall",
        "tau": "mean-kendall",
        "weighted_tau": "weighted-tau",
    }
    assert known["expected"]
    for wanted in known["expected"]:
        name, sides = wanted["coef"], wanted["params"]
        columns = np.array([known["inputs"][sides[side]] for side in "xy"]).T
        data = Rankings.from_matrix(columns, scores=True, annotators=["x", "y"])
        if name in measures:
            found = assent.all_measures()[measures[name]](data)
        elif name in ("tau_ap", "tau_ap_a"):
            found = assent.tau_ap(data, ties="a", truth="x")
        elif name == "tau_ap_b":
            found = assent.tau_ap(data)
        else:
            continue
        assert found.value == pytest.approx(wanted["value"], abs=wanted["tol"]), name


def test_weighted_tau_is_that_of_the_help_page_of_scipy() -> None:
    data = Rankings.from_matrix(np.array([[12, 2, 1, 12, 2], [1, 4, 7, 1, 0]]).T, scores=True)
    assert assent.weighted_tau(data).value == pytest.approx(-0.56694968153682723, abs=1e-12)
    assert assent.mean_kendall(data).value == pytest.approx(-0.4714045207910316, abs=1e-12)


scores = st.lists(st.integers(0, 6), min_size=4, max_size=9)
two = st.integers(4, 9).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 5), min_size=n, max_size=n)] * 2))
some = st.tuples(st.integers(3, 7), st.integers(2, 5)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(0, 5), min_size=size[0], max_size=size[0]), min_size=size[1], max_size=size[1]
    )
)


@MANY
@given(two)
def test_two_orders_are_compared_as_the_slow_versions_do(pair: tuple[list[int], list[int]]) -> None:
    x, y = pair
    data = Rankings.from_matrix(np.array([x, y]).T)
    same = pytest.approx
    assert assent.mean_spearman(data).value == same(orders.rho(x, y), abs=1e-12, nan_ok=True)
    assert assent.mean_kendall(data).value == same(orders.tau_b(x, y), abs=1e-12, nan_ok=True)
    with np.errstate(invalid="ignore"):
        theirs = weightedtau(-np.array(x, dtype=float), -np.array(y, dtype=float)).statistic
    assert assent.weighted_tau(data).value == same(float(theirs), abs=1e-12, nan_ok=True)


@MANY
@given(some)
def test_w_is_that_of_kendalls_formula(columns: list[list[int]]) -> None:
    matrix = np.array(columns).T
    found = assent.kendall_w(Rankings.from_matrix(matrix)).value
    assert found == pytest.approx(orders.w(columns), abs=1e-12, nan_ok=True)
    turned = assent.kendall_w(Rankings.from_matrix(-matrix, scores=True)).value
    assert turned == pytest.approx(found, abs=1e-12, nan_ok=True)


groups = st.lists(st.sampled_from("abcdef"), min_size=3, max_size=5, unique=True).flatmap(
    lambda names: st.lists(st.integers(0, 2), min_size=len(names), max_size=len(names)).map(
        lambda levels: [
            [n for n, at in zip(names, levels, strict=True) if at == level] for level in sorted(set(levels))
        ]
    )
)


@MANY
@given(groups, groups, st.sampled_from([0.5, 0.8, 0.95]))
def test_ties_that_are_ignorance_are_the_mean_over_all_ways_to_break_them(
    x: list[list[str]], y: list[list[str]], p: float
) -> None:
    names = sorted({*_flat(x), *_flat(y)})
    positions = [_positions(list(order), names)[None] for order in (x, y)]
    ext, low, high = rbo_bounds(*positions, p=p, ties="a")[0]
    if len(_flat(x)) == len(_flat(y)):
        ways = [orders.rbo_ext_without_ties(a, b, p) for a in orders.broken(x) for b in orders.broken(y)]
        assert ext == pytest.approx(sum(ways) / len(ways), abs=1e-12)
    assert low - 1e-12 <= ext <= high + 1e-12
    assert rbo_bounds(positions[0], positions[0], p=p, ties="b")[0, 0] == pytest.approx(1, abs=1e-12)
    assert rbo_bounds(*positions[::-1], p=p, ties="a")[0] == pytest.approx([ext, low, high], abs=1e-12)


@MANY
@given(st.permutations(list("abcde")), groups)
def test_ap_correlation_a_is_the_mean_over_all_ways_to_break_ties(truth: list[str], estimate: list[list[str]]) -> None:
    kept = [one for one in truth if one in _flat(estimate)]
    shown = [[one for one in group if one in kept] for group in estimate]
    if len(kept) < 3:
        return
    ways = [orders.tau_ap(kept, way) for way in orders.broken(shown)]
    found = tau_ap_to_truth(
        *(_positions(list(order), kept)[None] for order in ([[one] for one in kept], shown)), ties="a"
    )
    assert found[0] == pytest.approx(sum(ways) / len(ways), abs=1e-12)


@MANY
@given(two)
def test_ap_correlation_b_is_the_mean_of_both_directions(pair: tuple[list[int], list[int]]) -> None:
    x, y = (midranks(np.array([one], dtype=float)) for one in pair)
    sides = [tau_ap_to_truth(one, other, ties="b") for one, other in ((x, y), (y, x))]
    assert tau_ap_both_ways(x, y) == pytest.approx((sides[0] + sides[1]) / 2, nan_ok=True, abs=1e-12)
    for truth, estimate, found in ((pair[0], pair[1], sides[0]), (pair[1], pair[0], sides[1])):
        shares = []
        for i, place in enumerate(estimate):
            above = [j for j, other in enumerate(estimate) if other < place]
            shares += [sum(truth[j] < truth[i] for j in above) / len(above)] if above else []
        wanted = 2 * sum(shares) / len(shares) - 1 if shares else math.nan
        assert found[0] == pytest.approx(wanted, nan_ok=True, abs=1e-12)


def test_overlap_of_random_orders_is_what_chance_gives() -> None:
    rng = np.random.default_rng(1)
    drawn = midranks(rng.random((40_000, 10)))
    mean = rbo_bounds(drawn[:20_000], drawn[20_000:], p=0.9, ties="a")[:, 0].mean()
    assert mean == pytest.approx(float(rbo_by_chance(np.array(10), 0.9)), abs=0.003)


def test_incomplete_rankings_are_compared_by_pairs_or_without_what_is_missing() -> None:
    gaps = np.array([[1, 1, np.nan], [2, 3, 1], [3, 2, 2], [4, 4, 3], [5, np.nan, 4]])
    data = Rankings.from_matrix(gaps)
    x, y, z = gaps.T
    both = [(x[:4], y[:4]), (x[1:], z[1:]), (y[1:4], z[1:4])]
    weights = [3, 3, 2]
    wanted = sum(w * orders.rho(*pair) for w, pair in zip(weights, both, strict=True)) / sum(weights)
    found = assent.mean_spearman(data)
    assert found.value == pytest.approx(wanted)
    assert any("on the objects that both ranked" in note for note in found.notes)
    rest = gaps[1:4].T
    assert assent.mean_spearman(data, gaps="listwise").value == pytest.approx(
        assent.mean_spearman(Rankings.from_matrix(rest.T)).value
    )
    assert assent.kendall_w(data).value == pytest.approx(orders.w(rest.tolist()))
    each = 13 / 5
    assert assent.kendall_w(data, gaps="pairwise").value == pytest.approx((1 + wanted * (each - 1)) / each)


@MANY
@given(ranks=st.lists(st.lists(st.sampled_from([1.0, 2.0, 3.0, None]), min_size=3, max_size=3), min_size=3, max_size=6))
def test_w_of_incomplete_rankings_is_that_of_other_programs(ranks: list[list[float | None]]) -> None:
    table = np.array(ranks, dtype=float)
    table = table[~np.isnan(table).all(1)]
    table = table[:, (~np.isnan(table)).sum(0) > 1]
    if table.shape[1] < 2 or not np.isnan(table).any() or np.isnan(table).all(1).any():
        return
    # Brückl 2011, as irrNA works it out: an undefined correlation is 0 and keeps its weight, two shared objects are enough.
    above = below = 0.0
    for x, y in combinations(table.T, 2):
        both = ~(np.isnan(x) | np.isnan(y))
        if both.sum() > 1:
            found = orders.rho(x[both].tolist(), y[both].tolist())
            above += (both.sum() - 1) * (0.0 if math.isnan(found) else found)
            below += both.sum() - 1
    each = (~np.isnan(table)).sum() / len(table)
    value = assent.kendall_w(Rankings.from_matrix(table), gaps="pairwise").value
    assert math.isnan(value) if not below else value == pytest.approx((1 + above / below * (each - 1)) / each)


def test_gaps_of_one_list_change_no_other() -> None:
    tied = [
        ("q1", who, what, rank)
        for who, ranks in (("a", (1, 1, 3)), ("b", (2, 1, 2)), ("c", (1, 2, 3)))
        for what, rank in zip("xyz", ranks, strict=True)
    ]
    gappy = [("q2", who, what, rank) for _, who, what, rank in tied if (who, what) != ("c", "z")]
    alone = [assent.kendall_w(Rankings.from_rows(rows), gaps="pairwise").value for rows in (tied, gappy)]
    both = assent.kendall_w(Rankings.from_rows([*tied, *gappy]), gaps="pairwise")
    assert alone[0] == assent.kendall_w(Rankings.from_rows(tied)).value
    assert both.value == pytest.approx(sum(alone) / 2)


def test_one_list_shows_how_sure_it_is_by_leaving_out_annotators_or_objects() -> None:
    data = Rankings.from_matrix(SIEGEL_TIES)
    for measure in (assent.mean_spearman, assent.kendall_w, assent.rbo):
        for unit, axis, many in (("annotator", 1, 3), ("object", 0, 10)):
            found = measure(data, unit=unit)
            without = np.array(
                [measure(Rankings.from_matrix(np.delete(SIEGEL_TIES, i, axis))).value for i in range(many)]
            )
            error = math.sqrt((many - 1) / many * ((without - without.mean()) ** 2).sum())
            interval = found.confidence_interval(method="jackknife")
            assert interval.standard_error == pytest.approx(error)
            assert found.standard_error() == pytest.approx(error)
            assert (interval.unit, interval.n_units) == (f"{unit}s", many)
            assert found.n_items == 1
    two = assent.mean_spearman(Rankings.from_matrix([[1, 2], [2, 1], [3, 4], [4, 3]]))
    assert two.confidence_interval().unit == "objects"
    alone = assent.mean_spearman(
        Rankings.from_matrix([[1, 2], [2, 1], [3, 4], [4, 3]]), unit="annotator"
    ).confidence_interval()
    assert math.isnan(alone.low)


def test_several_lists_are_averaged_and_drawn_anew() -> None:
    rng = np.random.default_rng(0)
    tables = rng.random((12, 6, 3)) + np.arange(6)[None, :, None] / 6
    rows = [(f"q{q}", f"j{j}", f"o{o}", tables[q, o, j]) for q in range(12) for j in range(3) for o in range(6)]
    data = Rankings.from_rows(rows)
    each = [assent.mean_spearman(Rankings.from_matrix(one)).value for one in tables]
    found = assent.mean_spearman(data)
    assert found.value == pytest.approx(np.mean(each))
    assert found.standard_error("jackknife") == pytest.approx(np.std(each, ddof=1) / math.sqrt(12))
    interval = found.confidence_interval(method="bootstrap", seed=1)
    assert interval.low < found.value < interval.high
    pairs = {(pair.first, pair.second): pair.value for pair in found.pairs}
    assert [pair.n_items for pair in found.pairs] == [12, 12, 12]
    assert pairs["j0", "j2"] == pytest.approx(np.mean([orders.rho(one[:, 0], one[:, 2]) for one in tables]))
    gap = assent.difference(found, assent.mean_kendall(data)).confidence_interval()
    assert gap.low < found.value - assent.mean_kendall(data).value < gap.high
    with pytest.raises(OptionError, match="leave it out"):
        assent.mean_spearman(data, unit="object")


def test_what_cannot_be_measured_is_said() -> None:
    data = Rankings.from_matrix([[1, 2], [2, 1]])
    with pytest.raises(UnsuitableData, match="on no scale"):
        assent.kendall_w(data, scale="ordinal")
    with pytest.raises(NothingToCompare, match="ranked by two annotators"):
        assent.kendall_w(Rankings.from_matrix([[1], [2]]))
    with pytest.raises(OptionError, match="between 0 and 1"):
        assent.rbo(data, p=1.5)
    with pytest.raises(OptionError, match="could be the truth"):
        assent.tau_ap(data, truth="nobody")
    with pytest.raises(UnsuitableData, match="2,001 objects"):
        assent.tau_ap(Rankings.from_matrix(np.arange(4_002).reshape(2_001, 2)))
    many = Rankings.from_matrix(np.tile([[1], [2]], 5_001))
    with pytest.raises(UnsuitableData, match=r"5,001 ranked 2 objects in one list, more than can be: use kendall-w"):
        assent.mean_spearman(many)
    with pytest.raises(UnsuitableData, match="use kendall-w"):
        assent.rbo(Rankings.from_matrix(np.tile([[1], [2]], 2_300)))


LIST_MEASURES = [assent.mean_spearman, assent.mean_kendall, assent.rbo, assent.tau_ap, assent.weighted_tau]


@pytest.mark.parametrize(
    ("measure", "gaps"),
    every(2, [(one, gaps) for gaps in (True, False) for one in LIST_MEASURES]),
)
def test_voters_by_the_hundred_are_compared_and_left_out_in_groups(measure: Any, gaps: bool) -> None:
    rng = np.random.default_rng(5)
    ranks = np.argsort(np.argsort(np.arange(6)[:, None] + rng.normal(0, 3, (6, 130)), axis=0), axis=0) + 1.0
    if gaps:
        ranks[rng.random(ranks.shape) < 0.15] = np.nan
    data = Rankings.from_matrix(ranks)
    found = measure(data)
    items = data.profiles(ListProfiles)
    assert isinstance(items, ListProfiles)
    assert (items.unit, len(items.groups)) == ("annotators", 100)
    # The slow way: the value anew without each group.
    left = [measure(Rankings.from_matrix(np.delete(ranks, group, axis=1))).value for group in items.groups]
    spread = math.sqrt(99 / 100 * sum((one - np.mean(left)) ** 2 for one in left))
    assert found.standard_error("jackknife") == pytest.approx(spread, rel=1e-9)
    assert found.pairs == ()


def test_each_of_many_annotators_is_held_against_the_others() -> None:
    scores = np.random.default_rng(6).random((7, 80))
    found = assent.annotators(Rankings.from_matrix(scores))
    table = spearmanr(scores).statistic
    wanted = {str(at + 1): (table[at].sum() - 1) / 79 for at in range(80)}
    assert {one.annotator: one.agreement for one in found.annotators} == pytest.approx(wanted)
    # A little below 0 is chance, and nobody is told to have turned the scale round.
    assert min(wanted.values()) < 0
    assert not any("other way round" in note for note in found.notes)


def test_nobody_is_left_out_of_a_list_of_many() -> None:
    rng = np.random.default_rng(3)
    data = Rankings.from_matrix(rng.random((250, 2)) + np.arange(250)[:, None] / 100)
    interval = assent.mean_kendall(data).confidence_interval()
    assert (interval.n_units, interval.unit) == (100, "objects")


def test_intervals_of_correlations_reach_below_zero_and_no_further_than_there_are_values() -> None:
    rng = np.random.default_rng(5)
    rows = [(f"q{q}", f"j{j}", o, rng.random()) for q in range(4) for j in range(2) for o in range(5)]
    for measure in (assent.mean_spearman, assent.mean_kendall, assent.tau_ap, assent.weighted_tau):
        interval = measure(Rankings.from_rows(rows)).confidence_interval()
        assert -1 <= interval.low < 0
    for measure in (assent.kendall_w, assent.rbo):
        assert measure(Rankings.from_rows(rows)).confidence_interval().low >= 0
    same = [(f"q{q}", who, o, o) for q in range(10) for who in "ab" for o in range(4)]
    alike = assent.mean_spearman(Rankings.from_rows(same)).confidence_interval()
    # Ten lists that agree and half a list that does, beside half a list in opposite order, are a binomial share whose likelihood interval
    # ends at 0.682 (docs/intervals.md).
    assert alike.low == pytest.approx(2 * 0.6819 - 1, abs=1e-3)


def test_a_matrix_of_ranks_that_is_read_as_labels_is_noticed() -> None:
    table = {"system": list("abcde"), "ada": [1, 2, 3, 4, 5], "ben": [2, 1, 3, 5, 4], "cleo": [1, 3, 2, 4, 5]}
    noted = assent.read(table).notes
    assert any("each of 1 to 5 once" in note and "rank-matrix" in note for note in noted)
    assert isinstance(assent.read(table, layout="rank-matrix"), Rankings)
    assert not any("rank-matrix" in note for note in assent.read({**table, "cleo": [1, 3, 2, 4, 4]}).notes)


def test_who_ranked_nothing_in_common_has_no_value_and_no_warning() -> None:
    rows = [("i", who, one, rank + 1) for who, order in (("p", "abc"), ("q", "def"), ("r", "abd")) for rank, one in enumerate(order)]  # fmt: skip
    many = [("i", f"z{k:02}", one, rank + 1) for k in range(25) for rank, one in enumerate("abc" if k < 24 else "cbg")]
    for table in (rows, many):
        data = assent.read(
            [dict(zip(("item", "annotator", "object", "rank"), row, strict=True)) for row in table],
            object="object",
            rank="rank",
        )
        assert "Rankings" in type(data).__name__
        assent.mean_spearman(data)
        assert assent.report(data).html()


def test_pairs_and_lists_that_share_too_little_are_counted() -> None:
    ranked = {
        "q1": ("abcd", "abcd", "ab"),
        "q2": ("abc", "acb", "cba"),
        "q3": ("ab", "bc", "cd"),
    }
    rows = [
        (item, str(who), thing, place)
        for item, orders in ranked.items()
        for who, order in enumerate(orders)
        for place, thing in enumerate(order, start=1)
    ]
    data = Rankings.from_rows(rows)
    found = assent.mean_spearman(data)
    # Of q1 one pair shares four objects and two pairs share two; of q3 nobody shares more than one.
    assert found.value == pytest.approx((1.0 + (0.5 - 1.0 - 0.5) / 3) / 2)
    assert {(pair.first, pair.second): pair.n_items for pair in found.pairs} == {
        ("0", "1"): 2,
        ("0", "2"): 1,
        ("1", "2"): 1,
    }
    assert any(note.startswith("5 of 9 pairs of rankings share fewer than three objects") for note in found.notes)
    assert any(note.startswith("1 list has no W") for note in assent.kendall_w(data).notes)


def test_a_list_of_one_object_has_no_order_and_no_interval() -> None:
    data = Rankings.from_rows([("q", "ann", "x", 1), ("q", "bob", "x", 1)])
    for name in ("mean-spearman", "mean-kendall", "kendall-w", "tau-ap", "weighted-tau"):
        assert math.isnan(assent.all_measures()[name](data).value)
    found = assent.rbo(data)
    assert (found.value, found.expected) == (1.0, 1.0)
    assert math.isnan(found.details["beyond_chance"])
    assert math.isnan(found.confidence_interval().low)


def test_what_lies_beyond_chance_is_the_mean_correlation() -> None:
    """Of complete rankings without ties; Friedman's test and F by hand from W, of one list or added up over two."""
    columns = [[1, 2, 3, 4, 5], [2, 1, 3, 5, 4], [1, 3, 2, 4, 5]]
    data = Rankings.from_matrix([list(row) for row in zip(*columns, strict=True)])
    found = assent.kendall_w(data)
    w = orders.w(columns)
    assert found.details["beyond_chance"] == pytest.approx(assent.mean_spearman(data).value, rel=1e-12)
    assert found.details["beyond_chance"] == pytest.approx((3 * w - 1) / 2, rel=1e-12)
    assert found.details["chance"] == pytest.approx(1 / 3)
    assert (found.details["friedman_chi2"], found.details["friedman_df"]) == (pytest.approx(3 * 4 * w), 4)
    degrees = 5 - 1 - 2 / 3
    assert (found.details["f_df1"], found.details["f_df2"]) == pytest.approx((degrees, 2 * degrees))
    assert found.details["f"] == pytest.approx(2 * w / (1 - w))
    assert found.details["alpha_interval_of_ranks"] == pytest.approx(1 - (1 - w) * 14 / 10)
    assert found.details["without_tie_correction"] == pytest.approx(w)
    two = Rankings.from_rows(
        [
            (name, str(who), str(at), float(place))
            for name in "pq"
            for who, column in enumerate(columns)
            for at, place in enumerate(column)
        ]
    )
    both = assent.kendall_w(two)
    assert both.value == pytest.approx(w)
    assert (both.details["friedman_chi2"], both.details["friedman_df"]) == (pytest.approx(2 * 3 * 4 * w), 8)
    assert both.details["chance"] == pytest.approx(1 / 3)
    assert math.isnan(both.details["f"])


def test_rankings_of_different_objects_overlap_by_nothing_and_have_no_chance_to_compare_with() -> None:
    """The same order in q1 and q3, and nothing in common in q2."""
    ranked = {"q1": ("abc", "abc"), "q2": ("ab", "cd"), "q3": ("bca", "bca")}
    rows = [
        (name, str(who), one, place)
        for name, orders in ranked.items()
        for who, order in enumerate(orders)
        for place, one in enumerate(order)
    ]
    found = assent.rbo(Rankings.from_rows(rows))
    assert found.value == pytest.approx((1 + 0 + 1) / 3)
    assert math.isnan(found.expected)
    assert assent.rbo(Rankings.from_rows([row for row in rows if row[0] == "q2"])).value == 0


def test_the_overlap_by_chance_is_the_mean_over_lists() -> None:
    """Of n objects in random order the first d of both share d / n of d: for p = 0.9, and lists of three, of two and of three."""
    rows = [
        (name, who, one, at)
        for name, order in (("q1", "abc"), ("q2", "ab"), ("q3", "bca"))
        for who in "xy"
        for at, one in enumerate(order)
    ]
    three, two = 0.1 * (1 / 3 + 0.9 * 2 / 3 + 0.81) + 0.729, 0.1 * (1 / 2 + 0.9) + 0.81
    assert assent.rbo(Rankings.from_rows(rows)).expected == pytest.approx((three + two + three) / 3)


def test_persistence_lies_between_0_and_1() -> None:
    """Of two in opposite order the first are never the same, and both always are: (1 - p) * 0 + p * 1."""
    data = Rankings.from_matrix([[1, 2], [2, 1]])
    for p in (0.001, 0.5, 0.999):
        assert assent.rbo(data, p=p).value == pytest.approx(p)
    for p in (0, 1, -0.5):
        with pytest.raises(OptionError, match="between 0 and 1"):
            assent.rbo(data, p=p)


@pytest.mark.parametrize(
    ("measure", "options", "compared"),
    [
        *((one, {}, False) for one in (assent.mean_spearman, assent.mean_kendall, assent.tau_ap, assent.weighted_tau)),
        (assent.tau_ap, {"ties": "a"}, True),
        *((assent.rbo, {"ties": ties}, True) for ties in "abw"),
    ],
)
def test_who_ties_everything_is_said_to_be_left_out_where_that_is_so(
    measure: Any, options: dict[str, str], compared: bool
) -> None:
    found = measure(Rankings.from_matrix([[1, 1, 1], [2, 2, 1], [3, 3, 1]]), **options)
    assert len(found.pairs) == (3 if compared else 1)
    assert any(note.endswith("no order to compare: it is left out.") for note in found.notes) != compared


@pytest.mark.parametrize(
    ("measure", "lowest"),
    [
        *((one, -1) for one in (assent.mean_spearman, assent.mean_kendall, assent.tau_ap, assent.weighted_tau)),
        (assent.kendall_w, 0),
    ],
)
def test_opposite_orders_have_the_least_value_that_there_is(measure: Any, lowest: float) -> None:
    found = measure(Rankings.from_matrix([[1, 3], [2, 2], [3, 1]]))
    assert (found.value, *found.span) == pytest.approx((lowest, lowest, 1))
    # Two who rank at random have a W of a half, and no correlation.
    assert found.expected == (0 if lowest < 0 else 0.5)
    assert measure.lowest == lowest
