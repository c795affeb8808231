"""Best alignments: equal to every partition tried, on small continua; and what must not change them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference.alignments import least_cost

from assent.continua import packing
from assent.continua.alignment import best_alignment
from assent.continua.candidates import Dissimilarity, TooManyTuples, candidate_tuples
from assent.continua.units import Units
from assent.errors import UnsuitableData


def random_units(rng: np.random.Generator, continua: int, annotators: int, most: int, length: int) -> Units:
    """Continua with units that overlap and nest; some annotators marked nothing."""
    numbers = rng.integers(0, most + 1, (continua, annotators))
    slot = np.concatenate([np.repeat(np.arange(annotators), row) for row in numbers])
    start = rng.integers(0, length, len(slot))
    return Units(
        continuum=np.repeat(np.arange(continua), numbers.sum(axis=1)),
        slot=slot,
        start=start,
        end=start + rng.integers(1, 12, len(slot)),
        label=rng.integers(0, 3, len(slot)),
        slots=np.full(continua, annotators),
    )


def brute(units: Units, continuum: int, position: float, label: float) -> float:
    here = np.flatnonzero(units.continuum == continuum)
    rows = [(int(units.slot[i]), float(units.start[i]), float(units.end[i]), str(units.label[i])) for i in here]
    return least_cost(rows, int(units.slots[continuum]), position, label)


@pytest.mark.parametrize(
    ("annotators", "most", "continua"), [(2, 5, 900), (3, 3, 900), (4, 2, 500), (5, 2, 200)], ids=str
)
@pytest.mark.parametrize(("position", "label", "length"), [(1.0, 1.0, 20), (3.0, 1.0, 12), (0.3, 0.5, 30)], ids=str)
def test_it_costs_as_little_as_any_partition(
    annotators: int, most: int, continua: int, position: float, label: float, length: int
) -> None:
    units = random_units(np.random.default_rng(annotators), continua // 3, annotators, most, length)
    found = best_alignment(units, Dissimilarity(position_weight=position, label_weight=label))
    expected = [brute(units, one, position, label) for one in range(units.continua)]
    assert found.cost == pytest.approx(expected, abs=1e-12)


def cost_of(units: Units, aligned: np.ndarray, unlike: Dissimilarity) -> np.ndarray:
    """What an alignment costs, tuple by tuple."""
    cost = np.zeros(units.continua)
    for one in np.unique(aligned):
        members = np.flatnonzero(aligned == one)
        assert len(set(units.slot[members])) == len(members)
        assert len(set(units.continuum[members])) == 1
        slots = int(units.slots[units.continuum[members[0]]])
        pairs = slots * (slots - 1) / 2
        first, second = np.triu_indices(len(members), 1)
        real = unlike(units, members[first], members[second])
        cost[units.continuum[members[0]]] += (pairs - len(real) + real.sum()) / pairs
    return cost


@pytest.mark.parametrize("annotators", [2, 3, 5])
def test_the_alignment_has_the_cost_that_is_told(annotators: int) -> None:
    units = random_units(np.random.default_rng(1), 8, annotators, 12, 40)
    unlike = Dissimilarity(position_weight=2.0, label_weight=0.7)
    found = best_alignment(units, unlike)
    assert found.cost == pytest.approx(cost_of(units, found.aligned, unlike), abs=1e-9)


@given(seed=st.integers(0, 10_000), annotators=st.integers(2, 4), by=st.integers(-50, 10**9))
def test_moving_renaming_and_another_order_change_nothing(seed: int, annotators: int, by: int) -> None:
    rng = np.random.default_rng(seed)
    units = random_units(rng, 3, annotators, 5, 25)
    plain = best_alignment(units).cost
    order = rng.permutation(len(units))
    names, who = rng.permutation(3), rng.permutation(annotators)
    moved = Units(
        continuum=units.continuum[order],
        slot=who[units.slot[order]],
        start=units.start[order] + by,
        end=units.end[order] + by,
        label=names[units.label[order]],
        slots=units.slots,
    )
    assert best_alignment(moved).cost == pytest.approx(plain, abs=1e-12)


def test_continua_of_several_numbers_of_annotators_are_aligned_together() -> None:
    rng = np.random.default_rng(5)
    parts = [random_units(rng, 4, annotators, 3, 20) for annotators in (3, 2, 1, 4)]
    together = Units(
        continuum=np.concatenate([part.continuum + 4 * i for i, part in enumerate(parts)]),
        slot=np.concatenate([part.slot for part in parts]),
        start=np.concatenate([part.start for part in parts]),
        end=np.concatenate([part.end for part in parts]),
        label=np.concatenate([part.label for part in parts]),
        slots=np.concatenate([part.slots for part in parts]),
    )
    apart = np.concatenate([best_alignment(part).cost for part in parts])
    assert best_alignment(together).cost == pytest.approx(apart, abs=1e-12)


@pytest.mark.parametrize("annotators", [3, 4])
def test_components_whose_programme_is_not_whole_are_solved_either_way(
    annotators: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without states to follow, the solver in whole numbers takes over; nothing changes."""
    solved: list[int] = []
    by_branching = packing._by_branching

    def counted(*given: Any) -> Any:
        solved.append(1)
        return by_branching(*given)

    monkeypatch.setattr(packing, "_by_branching", counted)
    units = random_units(np.random.default_rng(11), 12, annotators, 60, 300)
    followed = best_alignment(units).cost
    assert not solved
    monkeypatch.setattr(packing, "PACKING_STATES", 0)
    assert best_alignment(units).cost == pytest.approx(followed, abs=1e-9)
    assert solved


def test_too_many_tuples_are_refused_and_nothing_is_approximated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assent.continua.candidates.MOST_TUPLES", 100)
    units = random_units(np.random.default_rng(0), 1, 5, 9, 5)
    with pytest.raises(UnsuitableData, match=r"^Gamma is not computed: [^.]*\.$"):
        best_alignment(units)


def test_continua_that_are_too_many_at_once_are_aligned_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    units = random_units(np.random.default_rng(3), 12, 4, 6, 30)
    whole = best_alignment(units)
    monkeypatch.setattr("assent.continua.candidates.MOST_TUPLES", 450)
    found = best_alignment(units)
    assert found.cost == pytest.approx(whole.cost, abs=1e-12)
    assert found.aligned.tolist() == whole.aligned.tolist()
    with pytest.raises(TooManyTuples):
        candidate_tuples(units, 4, Dissimilarity())
