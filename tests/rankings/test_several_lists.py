"""Measures that weigh the top, of several lists and of more than two annotators, against slow versions pair by pair."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2
from tests.rankings.test_pairs_of_orders import continued, overlap, slow_tau_ap
from tests.reference import orders

import assent
from assent import Preferences, Rankings
from assent.measures import top_weighted
from assent.measures._choices import kendall_u_test, split_half
from assent.text import percent, value

#: Objects a to e by three annotators, and a to c by two.
FIRST = {"ann": [1, 2, 3, 4, 5], "ben": [2, 1, 3, 5, 4], "cid": [1, 2, 2, 4, 3]}
SECOND = {"ann": [1, 2, 3], "ben": [3, 1, 2]}


def rankings(*lists: dict[str, list[int]]) -> Rankings:
    return Rankings.from_rows(
        [
            (f"list {number}", who, "abcde"[at], float(rank))
            for number, one in enumerate(lists)
            for who, ranks in one.items()
            for at, rank in enumerate(ranks)
        ]
    )


@pytest.mark.parametrize("ties", ["a", "b"])
def test_ap_correlation_is_the_mean_over_pairs_or_over_those_compared_with_the_truth(ties: str) -> None:
    x = {who: orders.mean_ranks(ranks) for who, ranks in FIRST.items()}
    both = [(slow_tau_ap(x[a], x[b], ties) + slow_tau_ap(x[b], x[a], ties)) / 2 for a, b in combinations(x, 2)]
    assert assent.tau_ap(rankings(FIRST), ties=ties).value == pytest.approx(sum(both) / 3, rel=1e-12)
    for truth in x:
        known = [slow_tau_ap(x[truth], x[other], ties) for other in x if other != truth]
        found = assent.tau_ap(rankings(FIRST), ties=ties, truth=truth)
        assert found.value == pytest.approx(sum(known) / 2, rel=1e-12)


def order(ranks: list[int]) -> list[str]:
    return [one for _, one in sorted(zip(ranks, "abcde", strict=False))]


def test_overlap_and_its_bounds_are_means_over_pairs_and_then_over_lists() -> None:
    """The list of one annotator has no pair, and no part in it."""
    first = {who: ranks for who, ranks in FIRST.items() if who != "cid"} | {"dan": [5, 4, 3, 2, 1]}
    p = 0.8
    means = []
    for one in (first, SECOND):
        pairs = [(order(x), order(y)) for x, y in combinations(one.values(), 2)]
        known = [
            (
                orders.rbo_ext_without_ties(x, y, p),
                overlap(*continued(x, y, alike=False), p),
                overlap(*continued(x, y, alike=True), p),
            )
            for x, y in pairs
        ]
        means.append(np.mean(known, axis=0))
    found = assent.rbo(rankings(first, SECOND, {"ann": [1, 2]}), p=p)
    ext, low, high = np.mean(means, axis=0)
    chance = np.mean([(1 - p) * sum(p ** (d - 1) * d / n for d in range(1, n + 1)) + p**n for n in (5, 3)])
    assert [found.details[name] for name in ("ext", "min", "max")] == pytest.approx([ext, low, high], rel=1e-9)
    assert found.value == pytest.approx(ext, rel=1e-12)
    assert found.details["residual"] == pytest.approx(high - low, rel=1e-9)
    assert found.details["chance"] == pytest.approx(chance, rel=1e-12)
    assert found.details["beyond_chance"] == pytest.approx((ext - chance) / (1 - chance), rel=1e-9)
    assert any(note.startswith("Random orders of the same objects would overlap by") for note in found.notes)


def test_annotators_of_different_objects_have_no_chance_to_speak_of() -> None:
    rows = [("p", "ann", "a", 1.0), ("p", "ann", "b", 2.0), ("p", "ben", "a", 1.0), ("p", "ben", "c", 2.0)]
    rows += [("q", who, one, rank) for who in ("ann", "ben") for one, rank in (("a", 1.0), ("b", 2.0), ("c", 3.0))]
    found = assent.rbo(Rankings.from_rows(rows))
    assert math.isnan(found.details["chance"])
    assert not any("Random orders" in note for note in found.notes)


def test_each_object_is_compared_with_each_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(top_weighted, "OBJECTS_PAIRED", 5)
    assert math.isfinite(assent.weighted_tau(rankings(SECOND, FIRST)).value)
    monkeypatch.setattr(top_weighted, "OBJECTS_PAIRED", 4)
    with pytest.raises(assent.AssentError, match="A list has 5 objects"):
        assent.weighted_tau(rankings(SECOND, FIRST))


def votes(people: str, winners: str, objects: str = "xyz") -> list[tuple[str, str, str, str]]:
    """Every annotator compares every two objects; the winner is the one that stands earlier in the own order."""
    return [
        (who, a, b, a if own.index(a) < own.index(b) else b)
        for who, own in zip(people, winners.split(), strict=True)
        for a, b in combinations(objects, 2)
    ]


def test_kendalls_u_is_tested_where_everybody_compared_everything() -> None:
    """Kendall (1970): 4 / (m - 2) times the agreements less half of all but for (m - 3) / (m - 2); n (n - 1) m (m - 1) / 2 (m - 2)^2 degrees."""
    rows = votes("pqrs", "xyz xzy yxz xyz")
    found = kendall_u_test(Preferences.from_rows(rows))
    wins = [sum(win == a for _, one, two, win in rows if (one, two) == (a, b)) for a, b in combinations("xyz", 2)]
    agree = sum(math.comb(one, 2) + math.comb(4 - one, 2) for one in wins)
    known = 4 / 2 * (agree - 3 * 6 * 1 / (2 * 2))
    degrees = 3 * 4 * 3 / 4
    assert (found["u_chi2"], found["u_df"]) == pytest.approx((known, degrees))
    assert found["u_p"] == pytest.approx(chi2.sf(known, degrees))
    assert found["u_min"] == pytest.approx(-1 / 3)
    assert kendall_u_test(Preferences.from_rows(votes("pqrst", "xyz xzy yxz xyz zyx")))["u_min"] == pytest.approx(
        -1 / 5
    )
    assert any("this is Kendall's u" in note for note in assent.preference_agreement(Preferences.from_rows(rows)).notes)


def test_three_against_two_is_as_near_to_chance_as_can_be() -> None:
    """Four of ten pairs of annotators agree: 4 / 3 times 4 less 10 x 2 / 6, with 5 x 4 / 9 degrees of freedom."""
    found = kendall_u_test(
        Preferences.from_rows([(who, "x", "y", won) for who, won in zip("pqrst", "xxxyy", strict=True)])
    )
    assert (found["u_chi2"], found["u_df"]) == pytest.approx((8 / 9, 20 / 9))
    assert found["u_p"] == pytest.approx(chi2.sf(8 / 9, 20 / 9), rel=1e-12)


def test_kendalls_u_is_not_tested_elsewhere() -> None:
    """One vote too few, a tie, two topics, one annotator; two annotators have a least u, but no chi-squared."""
    rows = votes("pqrs", "xyz xzy yxz xyz")
    tied = [*rows[:-1], (*rows[-1][:3], "tie")]
    topics = [(topic, *row) for topic, some in (("t1", rows[:-3]), ("t2", rows[-3:])) for row in some]
    for given in (rows[:-1], tied, topics, votes("p", "xyz")):
        assert all(math.isnan(one) for one in kendall_u_test(Preferences.from_rows(given)).values())
    two = kendall_u_test(Preferences.from_rows(votes("pq", "xyz xzy")))
    assert two["u_min"] == -1.0
    assert math.isnan(two["u_chi2"])
    notes = assent.preference_agreement(Preferences.from_rows(tied)).notes
    assert any(f"{percent(1 / 12)} of the votes are ties" in note for note in notes)
    assert not any("Kendall's u" in note for note in notes)
    assert not any("are ties" in note for note in assent.preference_agreement(Preferences.from_rows(rows)).notes)


def test_halves_of_choices_and_of_annotators_are_spoken_of() -> None:
    """The whole stands for 2 r / (1 + r), which is not the mean over splits of that."""
    rng = np.random.default_rng(2)
    rows = []
    for _ in range(30):
        shown = sorted(map(str, rng.choice(9, 4, replace=False)))
        for who in "pqr":
            chosen = sorted(shown, key=lambda one: float(one) + rng.normal() * 4)
            rows.append((who, shown, chosen[0], chosen[-1]))
    unique = list({(who, tuple(shown)): (who, shown, best, worst) for who, shown, best, worst in rows}.values())
    found = assent.best_worst_agreement(assent.BestWorst.from_rows(unique))
    mean, other = found.details["split_half_spearman"], found.details["split_half_by_annotator"]
    assert 0.1 < mean < 0.95
    assert found.details["spearman_brown"] == pytest.approx(2 * mean / (1 + mean))
    (note,) = [one for one in found.notes if "Spearman-Brown" in one]
    assert f"stands for {value(2 * mean / (1 + mean))} (Spearman-Brown)" in note
    assert f"Halves of the annotators agree at {value(other)}." in note
    assert (mean, found.details["split_half_sd"]) == split_half(assent.BestWorst.from_rows(unique))
    assert other == split_half(assent.BestWorst.from_rows(unique), by="annotators")[0]


def with_gaps(*lists: dict[str, list[float | None]]) -> Rankings:
    return Rankings.from_rows(
        [
            (f"list {number}", who, "abcde"[at], float(rank))
            for number, one in enumerate(lists)
            for who, ranks in one.items()
            for at, rank in enumerate(ranks)
            if rank is not None
        ]
    )


W = orders.w(list(FIRST.values()))


def test_a_list_of_one_annotator_or_without_an_order_has_no_w() -> None:
    """What the tests say is of the list that has one; its ties make the variance of ranks smaller."""
    flat = {"ann": [1, 1, 1, 1], "ben": [2, 2, 2, 2]}
    for lists in ((FIRST, {"ann": [1, 2]}), (flat, FIRST), (FIRST, flat)):
        found = assent.kendall_w(rankings(*lists))
        assert found.value == pytest.approx(W, rel=1e-12)
        assert found.details["friedman_df"] == 4
        assert found.details["without_tie_correction"] == pytest.approx(W * (1 - 6 / (3 * (125 - 5))), rel=1e-12)
        assert any(f"; beyond that it is {value((3 * W - 1) / 2)}." in note for note in found.notes)
        assert any("one over the number of annotators; beyond" in note for note in found.notes)


def test_objects_that_not_all_ranked_are_left_out_of_w_and_of_its_test() -> None:
    more: dict[str, list[float | None]] = {who: [*ranks[:3], None, *ranks[3:]] for who, ranks in FIRST.items()}
    more["ann"][3] = 2.5
    rows = [
        (who, one, float(rank))
        for who, ranks in more.items()
        for one, rank in zip("abcdef", ranks, strict=True)
        if rank is not None
    ]
    found = assent.kendall_w(Rankings.from_rows([("", *row) for row in rows]))
    assert found.value == pytest.approx(W, rel=1e-12)
    assert (found.details["friedman_df"], found.details["friedman_chi2"]) == (4, pytest.approx(3 * 4 * W))


def test_w_from_pairs_has_no_test_and_does_not_look_at_who_ranked_one_object() -> None:
    """With a gap in one list of two there is none, either."""
    gaps: dict[str, list[float | None]] = {"ann": [1, 2, 3, 4], "ben": [2, 1, None, 3], "cid": [1, None, 3, 2]}
    alone = assent.kendall_w(with_gaps(gaps), gaps="pairwise")
    assert assent.kendall_w(with_gaps({**gaps, "dan": [None, 1, None, None]}), gaps="pairwise").value == pytest.approx(
        alone.value, rel=1e-12
    )
    for lists in ((gaps,), (FIRST, gaps), (gaps, FIRST)):
        found = assent.kendall_w(with_gaps(*lists), gaps="pairwise")
        assert math.isnan(found.details["friedman_chi2"])
        assert any("worked out from mean correlations" in note for note in found.notes)
    both = assent.kendall_w(with_gaps(FIRST, gaps), gaps="pairwise").value
    assert both == pytest.approx((W + alone.value) / 2, rel=1e-12)
    complete = assent.kendall_w(with_gaps(FIRST), gaps="pairwise")
    assert complete.details["friedman_df"] == 4
    assert not any("worked out from mean correlations" in note for note in complete.notes)


@pytest.mark.parametrize(("columns", "defined"), [([[1, 2], [2, 1]], False), ([[1, 2], [2, 1], [1, 2]], True)])
def test_f_needs_degrees_of_freedom(columns: list[list[int]], defined: bool) -> None:
    """Of two objects n - 1 - 2 / m are 0 with two annotators and 1/3 with three."""
    found = assent.kendall_w(rankings(dict(zip("pqr", columns, strict=False))))
    assert math.isfinite(found.details["f"]) == defined
    assert found.details["f_df1"] == pytest.approx(1 / 3 if defined else math.nan, nan_ok=True)
