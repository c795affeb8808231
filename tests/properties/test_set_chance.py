"""Sets drawn by chance: exact values against the list of all draws, closed forms, direct sums and simulation."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb, lgamma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.tables import STABLE
from tests.reference import set_chance as reference
from tests.support import every

from assent.profiles import Array
from assent.set_chance import (
    agreement,
    disjoint,
    expected_match,
    expected_overlap,
    expected_score,
    exponential_times,
    inclusion,
    overlap,
    simulate,
    subsets,
    whole_sets,
)

#: What was promised is 1e-10; this is what is there.
EXACT = 1e-13


def even(labels: int) -> Array:
    return np.full(labels, 1 / labels)


def skewed(labels: int, seed: int) -> Array:
    return np.random.default_rng([labels, seed]).dirichlet(np.full(labels, 0.5))


def with_zeros(labels: int, seed: int) -> Array:
    shares = np.random.default_rng([labels, seed]).dirichlet(np.ones(labels))
    shares[seed % labels] = 0.0
    return shares


def extreme(labels: int, seed: int) -> Array:
    shares = np.geomspace(1.0, 10.0 ** -(6 + 3 * seed), labels)
    return np.random.default_rng(seed).permutation(shares / shares.sum())


PAIRS = [
    pytest.param(p, q, id=f"{name}-{labels}")
    for labels in (1, 2, 3, 5, 8)
    for name, p, q in [
        ("even", even(labels), even(labels)),
        ("even-skewed", even(labels), skewed(labels, 0)),
        ("skewed", skewed(labels, 1), skewed(labels, 2)),
        ("zeros", with_zeros(labels, 1), with_zeros(labels, 2)),
        ("extreme", extreme(labels, 0), extreme(labels, 1)),
        ("extreme-even", extreme(labels, 0), even(labels)),
    ]
]


@pytest.mark.parametrize(("p", "q"), PAIRS)
@pytest.mark.parametrize("largest", [2, 4])
def test_inclusion_is_that_of_all_draws(p: Array, q: Array, largest: int) -> None:
    for shares in (p, q):
        listed = [reference.inclusion(shares.tolist(), size) for size in range(largest + 1)]
        assert inclusion(shares, largest) == pytest.approx(np.array(listed, dtype=float), abs=EXACT, rel=0)


@pytest.mark.parametrize("p", [[0.9, 0.1, 1e-9, 1e-12], [0.5, 0.3, 0.2, 1e-10, 1e-15], [1, 1e-5, 1e-10, 1e-14, 1e-14]])
@pytest.mark.parametrize("largest", [2, 4])
def test_rare_labels_keep_their_digits(p: list[float], largest: int) -> None:
    """Relative to probabilities as small as 1e-15."""
    shares = [Fraction(x) for x in p]
    listed = [[float(x) for x in reference.inclusion(shares, size)] for size in range(largest + 1)]
    assert inclusion(np.array(p), largest) == pytest.approx(np.array(listed), rel=EXACT, abs=0)


@pytest.mark.parametrize(("p", "q"), PAIRS)
@pytest.mark.parametrize("largest", [(0, 4), (1, 4), (2, 2), (3, 2), (4, 4)])
def test_disjoint_is_that_of_all_draws(p: Array, q: Array, largest: tuple[int, int]) -> None:
    first = [reference.sets(p.tolist(), size) for size in range(largest[0] + 1)]
    second = [reference.sets(q.tolist(), size) for size in range(largest[1] + 1)]
    listed = [
        [sum(a * b for one, a in m.items() for two, b in n.items() if not one & two) for n in second] for m in first
    ]
    assert disjoint(p, q, *largest) == pytest.approx(np.array(listed, dtype=float), abs=EXACT, rel=0)


@pytest.mark.parametrize(("p", "q"), [pair for pair in PAIRS if pair.id.endswith(("5", "8"))])
@pytest.mark.parametrize(
    ("sizes_p", "sizes_q"),
    [
        ([0, 1], [0, 1]),
        ([0.2, 0.5, 0.3], [0.1, 0.9]),
        ([0.1, 0.3, 0.4, 0.2], [0, 0.3, 0.4, 0.2, 0.1]),
        ([0.3, 0.3, 0.4, 0, 0], [0, 0, 1, 0]),
        ([1], [0.5, 0.5]),
    ],
)
def test_expected_agreement_is_that_of_all_draws(
    p: Array, q: Array, sizes_p: list[float], sizes_q: list[float]
) -> None:
    listed = reference.expected(p.tolist(), q.tolist(), sizes_p, sizes_q)
    got = (expected_match(p, q, sizes_p, sizes_q), *expected_overlap(p, q, sizes_p, sizes_q))
    assert got == pytest.approx([float(score) for score in listed], abs=EXACT, rel=0)


def slopes(function: Callable[[list[Fraction]], list[Fraction]], at: Array) -> Array:
    """Derivatives in each argument, by differences of exact fractions: (arguments, values).

    To one side, as a share of 0 cannot be less.
    """
    step, start = Fraction(1, 10**9), [Fraction(x) for x in at.tolist()]

    def moved(c: int, times: int) -> list[Fraction]:
        return function([x + times * step * (d == c) for d, x in enumerate(start)])

    here = function(start)
    return np.array(
        [
            [
                float((4 * one - two - 3 * none) / (2 * step))
                for none, one, two in zip(here, moved(c, 1), moved(c, 2), strict=True)
            ]
            for c in range(len(start))
        ]
    )


def by_complex_step(function: Callable[[Array], Array], at: Array) -> Array:
    """The same, by imaginary steps, all at once."""
    moved = function(at + 1e-40j * np.eye(len(at)))
    assert moved.real == pytest.approx(np.broadcast_to(function(at), moved.shape), abs=EXACT, rel=0)
    return np.asarray(moved.imag.reshape(len(at), -1) / 1e-40)


@pytest.mark.parametrize(
    ("p", "q"),
    [
        pytest.param(even(4), skewed(4, 5), id="even"),
        pytest.param(skewed(5, 3), skewed(5, 4), id="skewed"),
        pytest.param(with_zeros(5, 1), with_zeros(5, 2), id="zeros"),
    ],
)
@pytest.mark.parametrize("largest", [2, 3])
def test_derivatives_are_those_of_all_draws(p: Array, q: Array, largest: int) -> None:
    """A share of 0 has a derivative too: the label is about to be used."""

    def listed_inclusion(shares: list[Fraction]) -> list[Fraction]:
        return [Fraction(x) for size in range(largest + 1) for x in reference.inclusion(shares, size)]

    def listed_disjoint(shares: list[Fraction]) -> list[Fraction]:
        other = [Fraction(x) for x in q.tolist()]
        sizes = range(largest + 1)
        return [Fraction(reference.disjoint(shares, other, m, n)) for m in sizes for n in sizes]

    near = {"rel": 1e-10, "abs": 1e-10}
    assert by_complex_step(lambda x: inclusion(x, largest), p) == pytest.approx(slopes(listed_inclusion, p), **near)
    got = by_complex_step(lambda x: disjoint(x, q, largest, largest), p)
    assert got == pytest.approx(slopes(listed_disjoint, p), **near)
    mirrored = by_complex_step(lambda x: np.swapaxes(disjoint(q, x, largest, largest), -1, -2), p)
    assert mirrored == pytest.approx(got, **near)


def test_derivatives_of_expected_agreement() -> None:
    p, q, sizes_p, sizes_q = (
        np.array(x) for x in ([0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0, 0.7], [0.1, 0.4, 0.2, 0.3], [0.2, 0.5, 0.3])
    )
    at = np.concatenate([p, q, sizes_p, sizes_q])

    def parts(x: Array) -> list[Array]:
        return np.split(np.asarray(x), [4, 8, 12], axis=-1)

    def listed(x: list[Fraction]) -> list[Fraction]:
        return [Fraction(score) for score in reference.expected(x[:4], x[4:8], x[8:12], x[12:])]

    def computed(x: Array) -> Array:
        return np.stack([expected_match(*parts(x)), *expected_overlap(*parts(x))], axis=-1)

    assert by_complex_step(computed, at) == pytest.approx(slopes(listed, at), rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("slowest", [1.0, 0.3, 0.01, 1e-4, 1e-6, 1e-9])
@pytest.mark.parametrize("draws", [*range(1, 13), 20, 30])
def test_times_integrate_gamma_densities(draws: int, slowest: float) -> None:
    """The error on them bounds the error for every p: see `assent.set_chance.exponential_times`."""
    times, weights = exponential_times.times_and_weights(draws, slowest)
    rates = np.geomspace(slowest, 1.0, 150)[:, None]
    for shape in range(1, draws + 2):
        log_density = shape * np.log(rates) + (shape - 1) * np.log(times) - rates * times - lgamma(shape)
        assert np.exp(log_density) @ weights == pytest.approx(np.ones(150), abs=1.5e-13, rel=0)


def test_the_fewest_times_that_do() -> None:
    """A step a quarter wider is worse by orders of magnitude: none is wasted."""
    assert len(exponential_times.times_and_weights(3, 0.3)[0]) < 45
    step = 1.25 * exponential_times._step(4)
    x = np.arange(-3.5, 6.0, step)
    times, weights = np.exp(x - np.exp(-x)), step * np.exp(x - np.exp(-x)) * (1 + np.exp(-x))
    assert abs((times**3 * np.exp(-times) / 6) @ weights - 1) > 1e-12


@pytest.mark.parametrize("labels", [11, 40, 200])
def test_labels_that_are_all_alike(labels: int) -> None:
    """Then every set of a size is as likely as any other."""
    sizes = range(11)
    counted = [[comb(labels - m, n) / comb(labels, n) for n in sizes] for m in sizes]
    assert disjoint(even(labels), even(labels), 10, 10) == pytest.approx(np.array(counted), abs=EXACT, rel=0)
    assert inclusion(even(labels), 10) == pytest.approx(
        np.repeat(np.arange(11) / labels, labels).reshape(11, -1), abs=EXACT
    )


def triples(p: Array) -> Iterator[Array]:
    """How likely {a, b, c} is a set of three, for all b and c, one a after the other: the sum over its six orders."""
    others = 1 - np.eye(len(p))
    # What is left after one label and after two, summed without them: no difference of near numbers.
    one = (others * p).sum(axis=1)
    two = (others * p) @ others
    ordered = np.where(others, 1 / (one[:, None] * np.where(others, two, 1.0)), 0.0)
    either = ordered + ordered.T
    for a in range(len(p)):
        distinct = others * np.outer(others[a], others[a])
        yield distinct * p[a] * np.outer(p, p) * (either[a] + either[a][:, None] + either)


@pytest.mark.parametrize(
    ("p", "q"),
    [
        pytest.param(skewed(60, 1), skewed(60, 2), id="skewed"),
        pytest.param(extreme(60, 0), skewed(60, 3), id="extreme"),
        pytest.param(even(200), 1 / np.arange(1, 201) / (1 / np.arange(1, 201)).sum(), id="many"),
    ],
)
def test_sets_of_three_out_of_many_labels(p: Array, q: Array) -> None:
    """By inclusion and exclusion over common labels, pairs and triples, each a direct sum over labels."""
    common = np.zeros(3)
    for one, two in zip(triples(p), triples(q), strict=True):
        common += [one.sum() / 2 * two.sum() / 2, (one.sum(0) * two.sum(0)).sum() / 2, (one * two).sum() / 6]
    got = disjoint(p, q, 3, 3)
    assert got[3, 3] == pytest.approx(1 - common[0] + common[1] - common[2], abs=1e-12, rel=0)
    assert inclusion(p, 3)[3] == pytest.approx(np.array([sets.sum() / 2 for sets in triples(p)]), abs=EXACT, rel=0)
    assert got[:3, :3] == pytest.approx(disjoint(p, q, 2, 2), abs=EXACT, rel=0)


@pytest.mark.parametrize("labels", [30, 200])
def test_half_the_step_changes_nothing(labels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    p, q = skewed(labels, 7), extreme(labels, 0)
    before = disjoint(p, q, 5, 4), inclusion(q, 12)
    step = exponential_times._step
    monkeypatch.setattr(exponential_times, "_step", lambda shape: step(shape) / 2)
    assert disjoint(p, q, 5, 4) == pytest.approx(before[0], abs=EXACT, rel=0)
    assert inclusion(q, 12) == pytest.approx(before[1], abs=EXACT, rel=0)


SHARES = st.lists(st.sampled_from([0.0, 1e-6, 1e-3, 0.1, 0.5, 1.0, 3.0]), min_size=5, max_size=5).filter(
    lambda shares: np.count_nonzero(shares) >= 3
)


@STABLE
@given(SHARES, SHARES, st.permutations(range(5)))
def test_laws_of_draws(p: list[float], q: list[float], order: list[int]) -> None:
    near = {"abs": 1e-12, "rel": 0}
    first, second = np.array(p), np.array(q)
    inside, apart = inclusion(first, 4), disjoint(first, second, 4, 3)
    can_be_drawn = np.minimum(np.arange(5), np.count_nonzero(first))
    assert inside.sum(-1) == pytest.approx(can_be_drawn, **near)
    assert (np.diff(inside, axis=0) > -1e-12).all()
    assert (np.diff(apart, axis=0) < 1e-12).all()
    assert (np.diff(apart, axis=1) < 1e-12).all()
    assert apart == pytest.approx(disjoint(second, first, 3, 4).T, **near)
    assert apart[1] == pytest.approx(1 - inclusion(second, 3) @ first / first.sum(), **near)
    # Names do not matter, nor how much all shares are together, nor labels that nobody uses.
    assert inclusion(first[order], 4) == pytest.approx(inside[:, order], **near)
    assert disjoint(first[order], second[order], 4, 3) == pytest.approx(apart, **near)
    assert disjoint(7 * first, second / 3, 4, 3) == pytest.approx(apart, **near)
    assert disjoint(np.insert(first, 2, 0), np.insert(second, 2, 0), 4, 3) == pytest.approx(apart, **near)


@pytest.mark.parametrize("labels", [3, 6, 9])
def test_sets_that_cannot_miss_each_other(labels: int) -> None:
    """Together they have more labels than there are."""
    apart = disjoint(skewed(labels, 1), skewed(labels, 2), labels, labels)
    sizes = np.arange(labels + 1)
    assert apart[sizes[:, None] + sizes > labels] == pytest.approx(0.0, abs=EXACT)
    assert (apart[sizes[:, None] + sizes <= labels] > 0).all()


def test_one_label_each_is_cohens_expected_agreement() -> None:
    p, q, single = skewed(6, 1), skewed(6, 2), np.array([0.0, 1.0])
    cohen = pytest.approx(p @ q, abs=1e-15)
    assert expected_match(p, q, single, single) == cohen
    assert list(expected_overlap(p, q, single, single)) == [cohen] * 3
    assert list(whole_sets(np.eye(6, dtype=bool), p, q)) == [cohen] * 4


@pytest.mark.parametrize("block", [1, 3000, 500_000])
def test_replicates_and_blocks_change_nothing(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    p, q = rng.dirichlet(np.ones(5), (2, 3)), rng.dirichlet(np.ones(5), 3)
    sizes_p, sizes_q = rng.dirichlet(np.ones(4), (2, 3)), rng.dirichlet(np.ones(3), (2, 1))
    members = rng.random((7, 5)) < 0.4
    shares = rng.dirichlet(np.ones(7), (2, 2, 3))
    apart = [[disjoint(p[i, j], q[j], 3, 2) for j in range(3)] for i in range(2)]
    small = [[disjoint(p[i, j], q[j], 2, 2) for j in range(3)] for i in range(2)]
    inside = [[inclusion(p[i, j], 3) for j in range(3)] for i in range(2)]
    match = [[expected_match(p[i, j], q[j], sizes_p[i, j], sizes_q[i, 0]) for j in range(3)] for i in range(2)]
    f1 = [[expected_overlap(p[i, j], q[j], sizes_p[i, j], sizes_q[i, 0]).f1 for j in range(3)] for i in range(2)]
    whole = [[whole_sets(members, shares[0, i, j], shares[1, i, j]).recall for j in range(3)] for i in range(2)]
    monkeypatch.setattr(exponential_times, "BLOCK", block)
    assert disjoint(p, q, 3, 2) == pytest.approx(np.array(apart), abs=EXACT)
    assert disjoint(p, q, 2, 2) == pytest.approx(np.array(small), abs=EXACT)
    assert inclusion(p, 3) == pytest.approx(np.array(inside), abs=EXACT)
    assert expected_match(p, q, sizes_p, sizes_q) == pytest.approx(np.array(match), abs=EXACT)
    assert expected_overlap(p, q, sizes_p, sizes_q).f1 == pytest.approx(np.array(f1), abs=EXACT)
    assert whole_sets(members, *shares).recall == pytest.approx(np.array(whole), abs=EXACT)


def test_no_replicate_at_all() -> None:
    assert disjoint(np.ones((0, 4)), np.ones((0, 4)), 3, 3).shape == (0, 4, 4)
    assert inclusion(np.ones((0, 4)), 3).shape == (0, 4, 4)


def test_an_annotator_who_never_gives_a_label() -> None:
    nothing, empty = np.zeros(4), np.array([1.0])
    assert inclusion(nothing, 3).tolist() == np.zeros((4, 4)).tolist()
    assert disjoint(nothing, even(4), 3, 3).tolist() == np.ones((4, 4)).tolist()
    assert expected_match(nothing, even(4), empty, np.array([0.25, 0.75])) == 0.25
    assert list(expected_overlap(nothing, even(4), empty, np.array([0.25, 0.75]))) == [0.25] * 3
    means, _ = simulate(nothing, nothing, empty, empty, items=3, simulations=2, rng=np.random.default_rng(1))
    assert list(means) == [1.0] * 4


@pytest.mark.parametrize("data_sets", every(2, range(4)))
def test_simulation_agrees_with_the_exact_value(data_sets: int) -> None:
    """50 data sets of random labels, sizes and zeros, four scores each, all within four standard errors."""
    rng = np.random.default_rng(data_sets)
    for _ in range(50):
        labels = int(rng.integers(3, 9))
        p, q = rng.dirichlet(np.full(labels, 0.7), 2)
        p[rng.integers(labels)] *= rng.integers(2)
        most = rng.integers(1, np.count_nonzero(p), 2, endpoint=True)
        sizes_p, sizes_q = (rng.dirichlet(np.ones(size + 1)) for size in most)
        means, errors = simulate(p, q, sizes_p, sizes_q, items=25, simulations=200, rng=rng)
        exact = np.array([expected_match(p, q, sizes_p, sizes_q), *expected_overlap(p, q, sizes_p, sizes_q)])
        assert (np.abs(np.array(means) - exact) <= 4 * np.array(errors)).all()


def test_standard_errors_of_a_simulation_are_honest() -> None:
    """Their size is the spread of the means of many simulations."""
    rng = np.random.default_rng(11)
    p, q, sizes = skewed(5, 1), skewed(5, 2), np.array([0.1, 0.5, 0.4])
    runs = [simulate(p, q, sizes, sizes, items=10, simulations=20, rng=rng) for _ in range(300)]
    spread = np.array([means for means, _ in runs]).std(axis=0)
    stated = np.array([errors for _, errors in runs]).mean(axis=0)
    assert stated == pytest.approx(spread, rel=0.15)


def test_a_simulation_in_blocks_is_of_whole_data_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block may end within a data set; the mean of a data set is still that of all its items."""
    monkeypatch.setattr(exponential_times, "BLOCK", 100)
    sizes = np.array([0.5, 0.5])
    means, errors = simulate(even(1), even(1), sizes, sizes, items=7, simulations=4000, rng=np.random.default_rng(2))
    # Both empty or both not: a coin for each item.
    assert means.match == pytest.approx(0.5, abs=4 * errors.match)
    assert errors.match == pytest.approx(0.5 / np.sqrt(7 * 4000), rel=0.1)


#: How often each of six sets occurs.
TIMES = st.lists(st.integers(0, 2), min_size=6, max_size=6).filter(any)


@STABLE
@given(st.lists(TIMES, min_size=2, max_size=2))
def test_whole_sets_meet_each_other(times: list[list[int]]) -> None:
    members = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 1, 1], [1, 1, 1]], dtype=bool)
    shares = [[Fraction(t, sum(row)) for t in row] for row in times]
    listed = [
        {frozenset(np.flatnonzero(labels).tolist()): share for labels, share in zip(members, row, strict=True)}
        for row in shares
    ]
    got = whole_sets(members, *np.array(shares, dtype=float))
    assert list(got) == pytest.approx([float(score) for score in reference.average(*listed)], abs=1e-14)


def test_overlap_of_empty_sets() -> None:
    assert list(overlap(np.array(0), np.array(0), np.array(0))) == [1, 1, 1]
    assert list(overlap(np.array(0), np.array(3), np.array(0))) == [0, 0, 0]
    assert list(overlap(np.array(0), np.array(0), np.array(2))) == [0, 0, 0]


def test_small_sets_need_no_integral(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does a size that never occurs."""
    monkeypatch.delattr(exponential_times, "times_and_weights")
    p, q = skewed(9, 1), skewed(9, 2)
    sizes = np.array([0.1, 0.5, 0.4, 0.0, 0.0, 0.0])
    assert 0 < expected_match(p, q, sizes, sizes) < 1
    assert 0 < expected_overlap(p, q, sizes, sizes).f1 < 1


def test_memory_is_bounded() -> None:
    """All at once, each of these would need more."""
    p, q = skewed(200, 1), skewed(200, 2)
    replicates = np.random.default_rng(1).dirichlet(np.ones(200), 60)
    members = np.random.default_rng(1).random((1500, 20)) < 0.2
    shares = np.full(1500, 1 / 1500)
    for work in (
        lambda: disjoint(p[:12], q[:12], 12, 12),
        lambda: disjoint(replicates, q, 2, 2),
        lambda: inclusion(replicates, 6),
        lambda: whole_sets(members, shares, shares),
        lambda: simulate(p, q, [0, 1], [0, 1], items=2000, simulations=10, rng=np.random.default_rng(1)),
    ):
        tracemalloc.start()
        work()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 25_000_000


def test_many_directions_from_one_point_are_what_they_are_one_by_one():
    """A batch of steps in more directions than there are labels takes the derivative once; the answers stay the same."""
    rng = np.random.default_rng(3)
    p, q = rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(4))
    steps_p, steps_q = rng.normal(size=(2, 30, 4)) * 1e-40j
    together = disjoint(p + steps_p, q + steps_q, 3, 4)
    apart = np.stack([disjoint(p + one, q + two, 3, 4) for one, two in zip(steps_p, steps_q, strict=True)])
    assert np.allclose(together.real, apart.real, rtol=0, atol=1e-15)
    assert np.allclose(together.imag / 1e-40, apart.imag / 1e-40, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("complex_step", [False, True])
@pytest.mark.parametrize(("labels", "first", "second"), [(4, 3, 4), (6, 4, 2), (8, 5, 5), (9, 3, 7)])
def test_every_set_followed_gives_what_the_integrals_give(
    labels: int, first: int, second: int, complex_step: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng([labels, first])
    p, q = rng.dirichlet(np.full(labels, 0.7), 2)
    q[1] = 0.0
    if complex_step:
        p = p + 1e-40j * rng.random(labels)
    found = exponential_times.inclusion(p, first), exponential_times.disjoint(p, q, first, min(second, labels - 1))
    monkeypatch.setattr(subsets, "LISTED_CELLS", 0)
    exponential_times._kept_derivative.cache_clear()
    wanted = exponential_times.inclusion(p, first), exponential_times.disjoint(p, q, first, min(second, labels - 1))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one.real, other.real, atol=1e-12)
        np.testing.assert_allclose(one.imag / 1e-40, other.imag / 1e-40, atol=1e-9)


def test_more_draws_than_labels_take_all_of_them() -> None:
    p = np.array([0.5, 0.5, 0.0, 0.0])
    np.testing.assert_allclose(exponential_times.inclusion(p, 3)[3], [1, 1, 0, 0])
    np.testing.assert_allclose(exponential_times.disjoint(p, p[::-1], 3, 3), np.ones((4, 4)))


def test_a_derivative_is_worked_out_once_for_all_steps_from_a_point(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = []
    monkeypatch.setattr(
        exponential_times, "Draws", lambda rates, largest: rows.append(len(rates)) or subsets.Draws(rates, largest)
    )
    exponential_times._kept_derivative.cache_clear()
    rng = np.random.default_rng(5)
    p = rng.dirichlet(np.ones(6)) + 1e-40j * rng.random((1000, 6))
    for _ in range(3):
        exponential_times.inclusion(p, 4)
    assert sum(rows) == 6


@pytest.mark.parametrize("score", every(2, ["match", "precision", "f1", "recall"]))
@pytest.mark.parametrize(
    ("labels", "first", "second"), every(2, [(4, 3, 4), (9, 8, 3), (6, 1, 2), (15, 4, 5), (20, 2, 3)])
)
def test_slopes_of_listed_sets_are_those_of_the_integrals(
    score: str, labels: int, first: int, second: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One goes back through the draws, the other takes a complex step in each number; of two pairs of annotators at once."""
    rng = np.random.default_rng([labels, first])
    widths = [labels, labels, first + 1, second + 1]
    at = [rng.dirichlet(np.full(width, 0.7), 2) for width in widths]
    at[0] *= 7.0
    # No set is larger than the number of labels its annotator uses.
    at[1][0, 1] *= second == labels
    steps = np.eye(sum(widths))[:, None] * 1e-40j
    given = [one + step for one, step in zip(at, np.split(steps, np.cumsum(widths)[:-1], axis=-1), strict=True)]
    found = expected_score(score, *given)
    assert found.shape == (sum(widths), 2)
    np.testing.assert_allclose(found.real, np.broadcast_to(expected_score(score, *at), found.shape), atol=1e-15)
    monkeypatch.setattr(subsets, "LISTED_CELLS", 0)
    exponential_times._kept_derivative.cache_clear()
    exponential_times._kept_value.cache_clear()
    again = expected_score(score, *given)
    # From points that differ steps are taken one by one.
    monkeypatch.setattr(agreement, "apart_slopes", None)
    given[0] = given[0].copy()
    given[0][-1, :, -1] *= 1.0 + 1e-15
    wanted = expected_score(score, *given)
    np.testing.assert_allclose(again.real, wanted.real, atol=1e-12, rtol=0)
    np.testing.assert_allclose(again.imag / 1e-40, wanted.imag / 1e-40, atol=1e-10, rtol=0)
    np.testing.assert_allclose(found.real, wanted.real, atol=1e-12, rtol=0)
    np.testing.assert_allclose(found.imag / 1e-40, wanted.imag / 1e-40, atol=1e-10, rtol=0)
    exponential_times._kept_derivative.cache_clear()
    exponential_times._kept_value.cache_clear()


@pytest.mark.parametrize(("labels", "largest"), [(1, 1), (5, 3), (7, 7), (9, 8)])
def test_listed_sets_are_all_sets_and_know_which_are_apart(labels: int, largest: int) -> None:
    sets = subsets.listing(labels, largest)
    members = [frozenset(np.flatnonzero(row).tolist()) for row in sets.members]
    assert len(set(members)) == len(members) == sum(comb(labels, m) for m in range(sets.largest + 1))
    assert [len(one) for one in members] == sorted(len(one) for one in members)
    for m in range(1, sets.largest + 1):
        for c in range(labels):
            pairs = zip(sets.holding[m][c], sets.less[m][c], strict=True)
            assert all(c in members[a] and members[a] - {c} == members[b] for a, b in pairs)
    values = np.random.default_rng(labels).random((len(members), 2))
    wanted = [sum(values[j] for j, two in enumerate(members) if not one & two) for one in members]
    np.testing.assert_allclose(sets.apart(values), wanted, atol=1e-12)


def test_labels_that_are_all_but_impossible_have_chances() -> None:
    from assent.set_chance.subsets import Draws

    drawn = Draws(np.array([[1.0, 1e-310]]), 2)
    assert np.isfinite(drawn.made).all()
    assert np.isfinite(drawn.share).all()
