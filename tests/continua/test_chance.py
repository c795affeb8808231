"""Continua made by chance: what stays, what is drawn, and how far the mean over samples is from what it estimates."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import assent
from assent.continua import chance
from assent.continua.alignment import best_alignment
from assent.continua.candidates import Dissimilarity
from assent.continua.chance import Chance, draw_disorder
from assent.continua.units import Units
from assent.measures._gamma_sums import ranges

LENGTH = 13
ROWS = [("a", 1, 4, "X"), ("a", 6, 8, "Y"), ("b", 1, 5, "X"), ("b", 9, 11, "X"), ("b", 11, 12, "Y")]
UNITS = Units.of([(who, float(start), float(end), label) for who, start, end, label in ROWS], ("a", "b"))
RANGE = (np.array([0.0]), np.array([float(LENGTH)]))


def expected_disorder() -> float:
    """The mean over all pairs of annotators, and all whole moves of either, without a least distance."""
    rows = []
    for number, (one, two, first, second) in enumerate(product("ab", "ab", range(LENGTH), range(LENGTH))):
        for slot, who, by in ((0, one, first), (1, two, second)):
            for name, start, end, label in ROWS:
                if name == who:
                    begin = (start + by) % LENGTH
                    rows.append((number, slot, begin, begin + end - start, label == "X"))
    columns = [np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)]
    number = 4 * LENGTH**2
    every = Units(
        continuum=columns[0],
        slot=columns[1],
        start=columns[2],
        end=columns[3],
        label=columns[4],
        slots=np.full(number, 2),
    )
    return float(best_alignment(every).disorder.mean())


def test_shuffles_estimate_the_mean_over_all_moves() -> None:
    wanted = expected_disorder()
    drawn = draw_disorder(UNITS, *RANGE, Dissimilarity(), Chance(samples=4000, seed=3, least="none"))
    error = drawn.disorder.std() / np.sqrt(4000)
    assert abs(drawn.disorder.mean() - wanted) < 4 * error


def test_the_error_that_is_told_is_not_too_small() -> None:
    means, errors = [], []
    for seed in range(60):
        found = draw_disorder(UNITS, *RANGE, Dissimilarity(), Chance(samples=30, seed=seed)).disorder[0]
        means.append(found.mean())
        errors.append(found.std(ddof=1) / np.sqrt(30))
    # The standard deviation of 60 means is known to a tenth.
    assert np.std(means) < 1.2 * np.mean(errors)


@pytest.mark.parametrize("model", ["shuffle", "statistical"])
def test_a_seed_has_one_result_however_samples_are_dealt_with(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    how = Chance(model=model, samples=12, seed=5)  # type: ignore[arg-type]
    once = draw_disorder(UNITS, *RANGE, Dissimilarity(), how).disorder
    assert np.array_equal(once, draw_disorder(UNITS, *RANGE, Dissimilarity(), how).disorder)
    if model == "shuffle":
        monkeypatch.setattr(chance, "UNITS_AT_ONCE", 1)
        assert once == pytest.approx(draw_disorder(UNITS, *RANGE, Dissimilarity(), how).disorder, abs=1e-12)


def test_a_shuffle_moves_all_units_of_an_annotator_by_the_same_distance() -> None:
    rng = np.random.default_rng(0)
    sources = chance._Sources(UNITS)
    how = Chance(samples=50)
    made = chance._shuffled(sources, np.array([0]), *RANGE, how, rng)(np.arange(50))
    own = {who: [row[1:] for row in ROWS if row[0] == who] for who in "ab"}
    shapes = {len(units): who for who, units in own.items()}
    for continuum, slot in product(range(50), range(2)):
        here = (made.continuum == continuum) & (made.slot == slot)
        units = own[shapes[int(here.sum())]]
        moved = np.mod(made.start[here] - [unit[0] for unit in units], LENGTH)
        assert np.ptp(moved) == 0
        assert (made.end - made.start)[here].tolist() == [end - start for start, end, _ in units]


def test_moves_keep_their_distance_where_there_is_room() -> None:
    cuts = np.random.default_rng(1).random((1, 3, 500))
    moves = chance._moves(cuts, np.array([100.0]), np.array([12.0]))[0]
    for one, two in ((0, 1), (0, 2), (1, 2)):
        apart = np.abs(moves[one] - moves[two])
        assert np.minimum(apart, 100 - apart).min() >= 12 - 1e-9
    # Three cannot all be 60 apart on a round of 100: the second and the third go anywhere.
    assert np.ptp(chance._moves(cuts, np.array([100.0]), np.array([60.0]))[0]) > 90


def test_annotators_who_marked_nothing_never_fill_a_continuum() -> None:
    units = Units.of([("a", 0.0, 3.0, "X")], ("a", "b", "c"))
    drawn = draw_disorder(units, np.array([0.0]), np.array([20.0]), Dissimilarity(), Chance(samples=200))
    assert not np.isnan(drawn.disorder).any()


def test_more_samples_have_a_smaller_error() -> None:
    rows = [("d", *row) for row in ROWS]
    few, many = (
        assent.gamma(assent.Spans.from_rows(rows, lengths={"d": LENGTH}), samples=number).drawing_error
        for number in (20, 500)
    )
    assert 0 < many < few / 3


def test_the_error_of_gamma_cat_is_how_far_it_moves_with_the_seed() -> None:
    rng = np.random.default_rng(3)
    rows = [
        (f"d{document}", who, *(np.array([0, 8]) + 20 * at + rng.integers(0, 5, 2)).tolist(), "AAB"[rng.integers(3)])
        for document in range(6)
        for at in range(4)
        for who in ("ada", "ben")
    ]
    data = assent.Spans.from_rows(rows, lengths={f"d{at}": 100 for at in range(6)})
    found = [assent.gamma_cat(data, samples=20, seed=seed) for seed in range(60)]
    error = np.mean([one.drawing_error for one in found])
    # Three standard errors of a standard deviation of 60 values are 0.28 of it.
    assert error / np.std([one.value for one in found], ddof=1) == pytest.approx(1.0, abs=0.28)


def test_a_document_reaches_from_its_begin_to_its_known_end_or_as_far_as_its_units() -> None:
    rows = [("d1", "ada", 3, 9, "A"), ("d1", "ben", 4, 12, "A"), ("d2", "ada", 3, 9, "A"), ("d2", "ben", 4, 12, "A")]
    data = assent.Spans.from_rows(rows, lengths={"d1": 20}, judged=[("d3", "ada"), ("d3", "ben")])
    assert data.documents == ("d1", "d2", "d3")
    low, high = ranges(data)
    assert (low.tolist(), high.tolist()) == ([0, 3, 0], [20, 12, 0])
