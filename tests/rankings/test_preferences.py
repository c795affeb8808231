"""Preferences and best-worst choices against published values, slow versions and enumeration."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.tables import MANY

import assent
from assent import BestWorst, Preferences
from assent.analyses.preferences.bradley_terry import fit
from assent.analyses.preferences.circles import circular_triads, triads_by_chance
from assent.errors import DuplicateAnnotations, InputError, NothingToCompare, OptionError
from assent.measures._choices import split_half

#: Synthetic votes on sixteen pairs, with ties and gaps, and what follows from the definitions, worked out by brute force.
VOTES = [
    "aa", "aaaa", "ataa", "aaba", "ttb", "abb", "a", "bab", "tbb", "aatb", "abt", "t", "aa", "bbb", "aaa", "a",
]  # fmt: skip
COEFFICIENTS = {
    0.0: (0.5769230769230769, 0.3857822724568709, 0.31119389085490773),
    0.5: (0.6923076923076923, 0.5107079119571684, 0.3711480009352349),
}
#: A dog's choices among meat, biscuit, chocolate, apple, pear and cheese (Kendall and Babington Smith 1940).
DOG = [
    [0, 1, 1, 0, 1, 1],
    [0, 0, 0, 1, 1, 0],
    [0, 1, 0, 1, 1, 1],
    [1, 0, 0, 0, 0, 0],
    [0, 0, 0, 1, 0, 1],
    [0, 1, 0, 1, 0, 0],
]
#: The same pairs judged twice, seats swapped.
ORDER_1 = [
    "first",
    "first",
    "second",
    "first",
    "tie",
    "first",
    "second",
    "second",
    "first",
    "tie",
    "first",
    "first",
    "second",
    "first",
]
ORDER_2 = [
    "second",
    "first",
    "second",
    "second",
    "tie",
    "first",
    "first",
    "second",
    "second",
    "tie",
    "second",
    "first",
    "first",
    "second",
]


def votes_of(votes: list[str], turned: Counter[int] | None = None) -> Preferences:
    rows = []
    for pair, said in enumerate(votes):
        for judge, one in enumerate(said):
            sides = ("b", "a") if turned and turned[pair] else ("a", "b")
            rows.append((f"p{pair}", f"j{judge}", *sides, "tie" if one == "t" else one))
    return Preferences.from_rows(rows)


@pytest.mark.parametrize("credit", COEFFICIENTS)
def test_preference_agreement_is_what_the_definition_gives(credit: float) -> None:
    found = assent.preference_agreement(votes_of(VOTES), tie_credit=credit)
    assert (found.observed, found.expected, found.value) == pytest.approx(COEFFICIENTS[credit], abs=1e-12)
    assert found.details["tie_share"] == pytest.approx(6 / 41)
    assert (found.n_items, found.n_annotations) == (13, 41)


@MANY
@given(st.lists(st.text("abt", min_size=1, max_size=4), min_size=2, max_size=8), st.lists(st.integers(0, 7)))
def test_who_stood_left_does_not_matter(votes: list[str], turned: list[int]) -> None:
    if not any(len(one) > 1 for one in votes):
        return
    plain, other = (assent.preference_agreement(votes_of(votes, one)) for one in (None, Counter(turned)))
    assert plain.value == pytest.approx(other.value, nan_ok=True, abs=1e-12)
    shares = []
    for said in votes:
        pairs = list(combinations(said, 2))
        shares += [sum(one == two for one, two in pairs) / len(pairs)] if pairs else []
    assert plain.observed == pytest.approx(sum(shares) / len(shares))


def complete(orders: list[str]) -> Preferences:
    """Everybody compares every two objects in the order they rank them."""
    return Preferences.from_rows(
        [
            (f"j{at}", a, b, a if order.index(a) < order.index(b) else b)
            for at, order in enumerate(orders)
            for a, b in combinations("wxyz", 2)
        ]
    )


@MANY
@given(st.lists(st.permutations("wxyz").map("".join), min_size=2, max_size=6))
def test_kendalls_u_is_the_same_coefficient(orders: list[str]) -> None:
    m, n = len(orders), 4
    agreeing = 0
    for a, b in combinations("wxyz", 2):
        wins = sum(order.index(a) < order.index(b) for order in orders)
        agreeing += math.comb(wins, 2) + math.comb(m - wins, 2)
    u = 2 * agreeing / (math.comb(m, 2) * math.comb(n, 2)) - 1
    found = assent.preference_agreement(complete(orders))
    assert found.value == pytest.approx(u)
    assert found.value >= found.details["u_min"] - 1e-12


def test_the_test_of_u_is_that_of_eba() -> None:
    """Boys' and girls' preferences for school subjects: chi-squared 412.22 and 180.12 with 90.75 and 62.38 degrees of freedom."""
    for m, n, u, chi2, df in ((21, 13, 0.1866, 412.22, 90.75), (25, 11, 0.08218, 180.12, 62.38)):
        agree = (u + 1) / 2 * math.comb(m, 2) * math.comb(n, 2)
        statistic = 4 / (m - 2) * (agree - 0.5 * math.comb(n, 2) * math.comb(m, 2) * (m - 3) / (m - 2))
        assert statistic == pytest.approx(chi2, rel=2e-3)
        assert math.comb(n, 2) * m * (m - 1) / (m - 2) ** 2 == pytest.approx(df, abs=0.005)
    orders = ["wxyz", "wxzy", "xwyz", "wxyz", "zwxy"]
    found = assent.preference_agreement(complete(orders)).details
    agree = (assent.preference_agreement(complete(orders)).value + 1) / 2 * 10 * 6
    assert found["u_chi2"] == pytest.approx(4 / 3 * (agree - 0.5 * 6 * 10 * 2 / 3))
    assert found["u_df"] == pytest.approx(6 * 20 / 9)


def dog() -> Preferences:
    names = ["meat", "biscuit", "chocolate", "apple", "pear", "cheese"]
    return Preferences.from_rows(
        [("dog", names[i], names[j], names[i] if DOG[i][j] else names[j]) for i, j in combinations(range(6), 2)]
    )


def test_the_dog_goes_in_circles_as_coin_flips_would() -> None:
    found = assent.consistency(dog())
    (one,) = found.annotators
    assert (one.triads, one.circular, one.zeta) == (20, 5, pytest.approx(0.375))
    assert one.p_value == pytest.approx(0.50927734375, abs=1e-12)
    assert "no better than coin flips" in found.notes[0]


@pytest.mark.parametrize("n", [3, 4, 5])
def test_circles_by_chance_are_those_of_all_tournaments(n: int) -> None:
    pairs = list(combinations(range(n), 2))
    found: Counter[int] = Counter()
    for flips in product((0, 1), repeat=len(pairs)):
        beats = np.zeros((n, n), dtype=bool)
        for (a, b), first in zip(pairs, flips, strict=True):
            beats[(a, b) if first else (b, a)] = True
        triads, circles = circular_triads(beats)
        assert triads == math.comb(n, 3)
        assert circles == n * (n - 1) * (2 * n - 1) / 12 - (beats.sum(1) ** 2).sum() / 2
        found[circles] += 1
    assert triads_by_chance(n) == pytest.approx([found[t] / 2 ** len(pairs) for t in range(max(found) + 1)])


def test_circles_by_chance_are_exact_up_to_ten_objects() -> None:
    known = triads_by_chance(10)
    # Every order of the objects is one way to have no circle; the mean is a quarter of the triads.
    assert known[0] == math.factorial(10) / 2**45
    assert math.fsum(known) == pytest.approx(1.0, abs=1e-12)
    assert math.fsum(t * p for t, p in enumerate(known)) == pytest.approx(math.comb(10, 3) / 4)
    beats = [("j", a, b, a) for a, b in combinations("abcdefghik", 2)]
    assert assent.consistency(Preferences.from_rows(beats)).annotators[0].p_value == known[0]


def test_a_tie_in_one_of_two_seats_is_no_preference_in_circles_either() -> None:
    votes = [("j", "x", "y", "x"), ("j", "y", "x", "tie"), ("j", "y", "z", "y"), ("j", "x", "z", "z")]
    found = assent.consistency(Preferences.from_rows(votes)).annotators[0]
    assert (found.triads, found.circular, found.swapped, found.consistent) == (0, 0, 1, 0)
    assert math.isnan(found.zeta)


def test_nobody_is_called_a_coin_flipper_who_had_too_few_objects_to_show_otherwise() -> None:
    orders = {n: [("j", a, b, a) for a, b in combinations("abcdef"[:n], 2)] for n in (3, 5, 6)}
    said = {n: " ".join(assent.consistency(Preferences.from_rows(rows)).notes) for n, rows in orders.items()}
    assert all("coin flips (" not in one for one in said.values())
    assert "p-value can then show nothing" in said[3]
    assert "p-value can then show nothing" in said[5]
    assert "show nothing" not in said[6]


def test_circles_of_incomplete_comparisons() -> None:
    """Nineteen of twenty-one comparisons of seven objects: 7 of 25 triads are circles, by brute force."""
    rows = [
        (0, 1, 1), (0, 2, 1), (0, 3, 1), (0, 4, 0), (0, 5, 1), (0, 6, 1), (1, 3, 1), (1, 4, 1), (1, 5, 1), (1, 6, 0), (2, 3, 1), (2, 4, 1),
        (2, 5, 0), (2, 6, 1), (3, 4, 1), (3, 5, 1), (3, 6, 1), (4, 5, 1), (5, 6, 1),
    ]  # fmt: skip
    data = Preferences.from_rows([("j", a, b, a if won else b) for a, b, won in rows])
    one = assent.consistency(data).annotators[0]
    assert (one.triads, one.circular) == (25, 7)
    assert math.isnan(one.zeta)
    assert "7 of 25 triads" in assent.consistency(data).takeaway
    pair = Preferences.from_rows([("j", "a", "b", "a"), ("k", "a", "b", "b")])
    assert assent.consistency(pair).takeaway.startswith("Nobody compared three objects")


def test_pairs_judged_in_both_seats_show_whether_the_seat_decides() -> None:
    rows = []
    for pair, (one, two) in enumerate(zip(ORDER_1, ORDER_2, strict=True)):
        rows.append((f"p{pair}", "j", "a", "b", {"first": "a", "second": "b", "tie": "tie"}[one]))
        rows.append((f"p{pair}", "j", "b", "a", {"first": "b", "second": "a", "tie": "tie"}[two]))
    data = Preferences.from_rows(rows)
    one = assent.consistency(data).annotators[0]
    assert (one.swapped, one.consistent, one.first_twice, one.second_twice) == (14, 9, 3, 2)
    assert one.seat_p == 1.0
    assert one.first_share == pytest.approx(0.5416666666666666)
    # Two votes that differ are a tie: 3 + 2 of them, and two ties that are the same.
    assert (data.n_swapped, int((data.verdicts[2] == 0).sum())) == (14, 7)


def test_strengths_are_those_of_the_likelihood() -> None:
    rng = np.random.default_rng(2)
    wins = rng.integers(1, 9, (5, 5)).astype(float)
    np.fill_diagonal(wins, 0)
    theta, covariance = fit(wins)
    # Zermelo's iteration, which is slow and simple.
    strength = np.ones(5)
    for _ in range(20_000):
        strength = wins.sum(1) / ((wins + wins.T) / (strength[:, None] + strength[None, :])).sum(1)
        strength /= np.exp(np.log(strength).mean())
    assert theta == pytest.approx(np.log(strength), abs=1e-8)
    # Two objects: the variance of the log odds is 1/a + 1/b, half of it on either side of the mean.
    two, spread = fit(np.array([[0.0, 12.0], [5.0, 0.0]]))
    assert two[0] - two[1] == pytest.approx(math.log(12 / 5))
    assert spread[0, 0] + spread[1, 1] - 2 * spread[0, 1] == pytest.approx(1 / 12 + 1 / 5)
    assert (covariance == covariance.T).all() or np.allclose(covariance, covariance.T)


def test_strengths_without_a_finite_value_are_said_to_have_none() -> None:
    always = Preferences.from_rows(
        [("j", "x", "y", "x"), ("j", "y", "z", "y"), ("k", "y", "z", "z"), ("j", "x", "z", "x")]
    )
    found = assent.strengths(always)
    assert math.isnan(found.objects[0].strength)
    assert '"x" never lost to the others' in found.notes[0]
    assert "penalty=1" in found.notes[0]
    assert assent.strengths(always, penalty=1).objects[0].name == "x"
    apart = Preferences.from_rows(
        [("j", "x", "y", "x"), ("k", "x", "y", "y"), ("j", "v", "w", "v"), ("k", "v", "w", "w")]
    )
    assert "never compared with each other" in assent.strengths(apart).notes[0]
    with pytest.raises(OptionError, match="0 or more"):
        assent.strengths(apart, penalty=-1)


def test_reliability_is_the_share_that_is_not_error() -> None:
    rng = np.random.default_rng(0)
    true = np.linspace(-1.5, 1.5, 8)
    rows = []
    for judge in range(30):
        for a, b in combinations(range(8), 2):
            won = rng.random() < 1 / (1 + math.exp(true[b] - true[a]))
            rows.append((f"j{judge}", f"o{a}", f"o{b}", f"o{a}" if won else f"o{b}"))
    found = assent.strengths(Preferences.from_rows(rows))
    theta = np.array([one.strength for one in found.objects])
    errors = np.array([one.standard_error for one in found.objects])
    assert found.reliability == pytest.approx(1 - (errors**2).mean() / theta.var(ddof=1))
    assert found.reliability > 0.95
    assert np.corrcoef(theta, [true[int(one.name[1:])] for one in found.objects])[0, 1] > 0.98


def test_bad_votes_are_refused() -> None:
    with pytest.raises(InputError, match='winner "c" is neither'):
        Preferences.from_rows([("j", "a", "b", "c")])
    with pytest.raises(InputError, match="with itself"):
        Preferences.from_rows([("j", "a", "a", "a")])
    with pytest.raises(DuplicateAnnotations, match="same seats"):
        Preferences.from_rows([("j", "a", "b", "a"), ("j", "a", "b", "b")])
    with pytest.raises(NothingToCompare, match="two annotators"):
        assent.preference_agreement(Preferences.from_rows([("j", "a", "b", "a")]))


#: Four annotators, 4 objects a set; scores by brute force.
CHOICES = [
    ("j0", "abcd", "a", "d"), ("j1", "abcd", "a", "c"), ("j2", "abcd", "b", "d"), ("j0", "cdef", "c", "f"), ("j1", "cdef", "c", "f"),
    ("j2", "cdef", "d", "e"), ("j0", "abef", "a", "f"), ("j1", "abef", "b", "f"), ("j2", "abef", "a", "e"),
]  # fmt: skip


def test_best_worst_choices() -> None:
    data = BestWorst.from_rows(CHOICES)
    wanted = {}
    for name in "abcdef":
        shown = sum(name in one for _, one, _, _ in CHOICES)
        wanted[name] = (sum(b == name for *_, b, _ in CHOICES) - sum(w == name for *_, w in CHOICES)) / shown
    assert dict(zip(data.objects, data.scores().tolist(), strict=True)) == pytest.approx(wanted)
    found = assent.best_worst_agreement(data)
    shares = []
    for one in ("abcd", "cdef", "abef"):
        said = [(b, w) for _, shown, b, w in CHOICES if shown == one]
        pairs = list(combinations(said, 2))
        shares.append(sum((x[0] == y[0]) + (x[1] == y[1]) for x, y in pairs) / (2 * len(pairs)))
    assert found.observed == pytest.approx(sum(shares) / 3)
    assert found.expected == 0.25
    mean = found.details["split_half_spearman"]
    assert found.details["spearman_brown"] == pytest.approx(2 * mean / (1 + mean))
    assert found.value == assent.best_worst_agreement(data.without_annotators([])).value


def test_split_halves_of_annotators_who_agree_agree() -> None:
    rng = np.random.default_rng(1)
    rows = []
    for number in range(40):
        shown = rng.choice(12, 4, replace=False)
        rows += [(f"j{judge}", shown, shown.max(), shown.min()) for judge in range(4) if number >= 0]
    unique = {tuple(sorted(one[1])): one for one in rows}
    kept = [(f"j{judge}", shown, best, worst) for _, shown, best, worst in unique.values() for judge in range(4)]
    found = assent.best_worst_agreement(BestWorst.from_rows(kept))
    assert found.value == 1
    assert found.details["split_half_spearman"] == pytest.approx(1)
    noise = [(who, shown, *rng.choice(shown, 2, replace=False)) for who, shown, _, _ in kept]
    random = assent.best_worst_agreement(BestWorst.from_rows(noise))
    assert abs(random.value) < 0.15
    assert abs(random.details["split_half_spearman"]) < 0.5


def test_bad_choices_are_refused() -> None:
    for row, why in (
        (("j", "abc", "x", "a"), "called the best but was not shown"),
        (("j", "abc", "a", "a"), "both the best and the worst"),
        (("j", "aab", "a", "b"), "shown twice"),
        (("j", "a", "a", "a"), "two or more"),
    ):
        with pytest.raises(InputError, match=why):
            BestWorst.from_rows([row])
    with pytest.raises(DuplicateAnnotations, match="judged the same objects before"):
        BestWorst.from_rows([("j", "abc", "a", "b"), ("j", "cba", "a", "b")])


def test_best_worst_choices_are_recognised_by_the_names_of_their_columns() -> None:
    columns = {
        "annotator": [who for who, *_ in CHOICES],
        "shown": [";".join(seen) for _, seen, *_ in CHOICES],
        "best": [best for *_, best, _ in CHOICES],
        "worst": [worst for *_, worst in CHOICES],
    }
    data = assent.read(columns)
    assert isinstance(data, BestWorst)
    assert data.scores().tolist() == BestWorst.from_rows(CHOICES).scores().tolist()


def test_halves_that_contradict_each_other_stand_for_no_whole() -> None:
    rows = [(who, ["a", "b", "c"], best, worst) for who, best, worst in (("p", "a", "c"), ("q", "c", "a"))]
    found = assent.best_worst_agreement(BestWorst.from_rows(rows))
    assert found.details["split_half_spearman"] == pytest.approx(-1)
    assert any("seed 0), raw." in note for note in found.notes)


def test_annotators_are_split_in_two_halves() -> None:
    """Of two one is in either half, so that the correlation is that of their scores: 1, 0, -1 and 1, -1, 0."""
    data = assent.BestWorst.from_rows([("ann", "xyz", "x", "z"), ("ben", "xyz", "x", "y")])
    assert split_half(data, by="annotators", splits=5) == pytest.approx((0.5, 0.0), abs=1e-12)


class Halves:
    """Stands for best-worst choices: keeps the halves for which scores were asked, and answers with given ones."""

    def __init__(self, set_code: list[int], annotator_code: list[int], scores: list[list[float]]) -> None:
        self.set_code, self.annotator_code = np.array(set_code), np.array(annotator_code)
        self.annotators = sorted(set(annotator_code))
        self.n_items, self.n_annotations = max(set_code) + 1, len(set_code)
        self.answers = [np.array(one) for one in scores]
        self.asked: list[np.ndarray] = []

    def scores(self, half: np.ndarray) -> np.ndarray:
        self.asked.append(half)
        return self.answers[(len(self.asked) - 1) % len(self.answers)]


ORDER = [1.0, 2.0, 3.0]


def test_half_of_the_annotators_are_on_either_side() -> None:
    data: Any = Halves([0] * 6, list(range(6)), [ORDER])
    split_half(data, by="annotators", splits=10)
    assert [int(half.sum()) for half in data.asked] == [3] * 20
    assert len({tuple(half.tolist()) for half in data.asked}) > 4


def test_the_odd_choice_of_a_set_falls_to_either_half() -> None:
    """Two sets of three choices and one of two: the larger half of each is the first as often as the second."""
    data: Any = Halves([0, 1, 0, 1, 2, 0, 1, 2], [0] * 8, [ORDER])
    split_half(data, splits=40)
    first = np.array([[np.bincount(data.set_code[half], minlength=3)] for half in data.asked[::2]])[:, 0]
    assert (first[:, 2] == 1).all()
    assert {tuple(one) for one in first[:, :2].tolist()} == {(1, 1), (1, 2), (2, 1), (2, 2)}
    for half, other in zip(data.asked[::2], data.asked[1::2], strict=True):
        assert (half == ~other).all()


@pytest.mark.parametrize(
    ("scores", "splits", "known"),
    [
        ([ORDER, ORDER, ORDER, ORDER[::-1]], 2, (0.0, math.sqrt(2.0))),
        ([ORDER, ORDER, ORDER, ORDER[::-1]], 4, (0.0, math.sqrt(4 / 3))),
        ([ORDER, ORDER], 1, (math.nan, math.nan)),
        ([[1.0, 2.0, math.nan], [1.0, 2.0, 3.0]], 3, (math.nan, math.nan)),
        ([[1.0, 2.0, 3.0, math.nan], [3.0, 2.0, 1.0, 4.0]], 3, (-1.0, 0.0)),
        ([[1.0, 2.0, 3.0, math.nan, 5.0], [3.0, math.nan, 2.0, 4.0, 1.0]], 2, (-1.0, 0.0)),
    ],
)
def test_halves_are_compared_where_both_have_scores_of_three_objects(
    scores: list[list[float]], splits: int, known: tuple[float, float]
) -> None:
    """A correlation of 1 and one of -1 have the mean 0 and the variance 2, twice of each 4/3."""
    data: Any = Halves([0, 0], [0, 1], scores)
    assert split_half(data, splits=splits) == pytest.approx(known, nan_ok=True)


def test_choices_are_halved_100_times_by_the_seed_0_unless_asked_otherwise() -> None:
    rng = np.random.default_rng(5)
    rows = [
        (f"j{k}", one, one[int(rng.integers(2))], one[2 + int(rng.integers(2))])
        for k in range(6)
        for one in ("abcd", "bcde", "cdea")
    ]
    data = BestWorst.from_rows(rows)
    assert split_half(data) == split_half(data, by="choices", splits=100, seed=0)
    assert split_half(data) != split_half(data, seed=1)
    assert any("(mean of 100 splits," in note for note in assent.best_worst_agreement(data).notes)


def test_a_tie_agrees_with_a_preference_from_not_at_all_to_wholly() -> None:
    """One prefers, one has a tie: half of the votes are ties."""
    data = Preferences.from_rows([("ada", "x", "y", "x"), ("ben", "x", "y", "tie")])
    for credit in (0, 0.25, 1):
        found = assent.preference_agreement(data, tie_credit=credit)
        assert (found.observed, found.expected) == pytest.approx((credit, 1 / 4 + 1 / 8 + credit / 2))
    for credit in (-0.1, 1.1, 1.9):
        with pytest.raises(OptionError, match="between 0 and 1"):
            assent.preference_agreement(data, tie_credit=credit)


def test_halves_that_have_nothing_in_common_tell_nothing_of_the_whole() -> None:
    """One likes w and not z, the other x and not y: the ranks (1, 2.5, 2.5, 4) and (2.5, 1, 4, 2.5) have no correlation."""
    found = assent.best_worst_agreement(BestWorst.from_rows([("ada", "wxyz", "w", "z"), ("ben", "wxyz", "x", "y")]))
    assert (found.details["split_half_spearman"], found.details["spearman_brown"]) == (0, 0)
    assert not any("Spearman-Brown" in note for note in found.notes)
