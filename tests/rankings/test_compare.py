"""Rankings, preferences and best-worst choices that are compared: paired by what they are about."""

from __future__ import annotations

import numpy as np
import pytest

import assent
from assent import BestWorst, Preferences, Rankings


def _lists(seed: int, noise: float, *, lists: int = 20, judges: tuple[str, ...] = ("ada", "ben", "cleo")) -> list:
    rng = np.random.default_rng(seed)
    # Some lists are hard for everybody, whoever ranks them.
    hard = np.random.default_rng(7).random(lists) * 3
    return [
        (f"q{q}", judge, f"s{o}", float(place))
        for q in range(lists)
        for judge in judges
        for o, place in enumerate(np.argsort(np.argsort(np.arange(6) + rng.normal(0, noise + hard[q], 6))) + 1)
    ]


@pytest.mark.parametrize("measure", [assent.mean_spearman, assent.kendall_w, assent.rbo])
def test_lists_of_the_same_name_are_paired(measure: object) -> None:
    first, second = (measure(Rankings.from_rows(_lists(seed, noise))) for seed, noise in ((1, 0.5), (2, 1.0)))  # type: ignore[operator]
    gap = assent.difference(second, first)
    assert gap.shared == 20
    values = [one.profiles._of_lists(lambda p, m=one: _value(measure, p)) for one in (first, second)]
    apart = values[1] - values[0]
    assert gap.value == pytest.approx(apart.mean())
    assert gap.standard_error() == pytest.approx(apart.std(ddof=1) / np.sqrt(20), rel=1e-6)


def _value(measure: object, positions: np.ndarray) -> np.ndarray:
    return np.array([measure(Rankings.from_matrix(one.T)).value for one in positions])  # type: ignore[operator]


def test_lists_in_one_data_set_alone_count_for_that_one() -> None:
    rows = _lists(1, 0.5)
    whole = assent.mean_spearman(Rankings.from_rows(rows))
    part = assent.mean_spearman(Rankings.from_rows([row for row in rows if row[0] not in ("q0", "q1")]))
    gap = assent.difference(whole, part)
    assert gap.shared == 18
    assert gap.value == pytest.approx(whole.value - part.value)
    other = assent.mean_spearman(Rankings.from_rows([(f"new {q}", *rest) for q, *rest in rows]))
    found = assent.compare(whole.data, other.data)
    assert not found.quoted.gaps[0].paired


def test_choices_of_annotators_of_one_list_are_paired_by_object() -> None:
    rows = [("", *row[1:]) for row in _lists(3, 0.5, lists=1, judges=("ada", "ben", "cleo"))]
    found = assent.compare(Rankings.from_rows(rows), groups=[["ada", "ben"], ["ada", "cleo"]])
    gap = found.quoted.gaps[0]
    assert gap.paired
    assert gap.n_shared == 6
    assert "6 objects" in " ".join(found.notes)


def _votes(seed: int, noise: float, judges: tuple[str, ...] = ("ada", "ben", "cleo")) -> list:
    rng = np.random.default_rng(seed)
    hard = np.random.default_rng(7).random((8, 8)) < 0.5
    rows = []
    for judge in judges:
        for a in range(8):
            for b in range(a + 1, 8):
                won = rng.choice([a, b]) if hard[a, b] and rng.random() < noise else a
                rows.append(
                    (judge, f"o{a}", f"o{b}", f"o{won}") if rng.random() < 0.5 else (judge, f"o{b}", f"o{a}", f"o{won}")
                )
    return rows


def test_pairs_of_objects_are_paired_whatever_their_seats() -> None:
    first, second = (Preferences.from_rows(_votes(seed, noise)) for seed, noise in ((1, 0.9), (2, 1.0)))
    gap = assent.difference(assent.preference_agreement(second), assent.preference_agreement(first))
    assert gap.shared == 28
    wanted = []
    for left in range(28):
        values = []
        for data in (first, second):
            pair, _, choice = data.verdicts
            kept = pair != left
            counts = np.stack([np.bincount(pair[kept & (choice == one)], minlength=28) for one in (1, -1)], axis=1)
            size = counts.sum(1)
            agree = (counts * (counts - 1)).sum(1)[size > 1] / (size * (size - 1))[size > 1]
            values.append(2 * agree.mean() - 1)
        wanted.append(values[1] - values[0])
    jackknife = np.sqrt(27 / 28 * ((np.array(wanted) - np.mean(wanted)) ** 2).sum())
    assert gap.standard_error("jackknife") == pytest.approx(jackknife, rel=1e-9)
    apart = assent.difference(assent.preference_agreement(second), assent.preference_agreement(first), paired=False)
    assert gap.standard_error() < apart.standard_error()


def test_sets_of_objects_are_paired() -> None:
    rows = [("j0", "abcd", "a", "d"), ("j1", "abcd", "a", "c"), ("j0", "cdef", "c", "f"), ("j1", "cdef", "c", "f")]
    first, second = (
        BestWorst.from_rows(rows),
        BestWorst.from_rows([*rows[2:], ("j0", "abxy", "a", "x"), ("j1", "abxy", "a", "x")]),
    )
    gap = assent.difference(assent.best_worst_agreement(first), assent.best_worst_agreement(second))
    assert gap.shared == 1
