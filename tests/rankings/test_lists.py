"""Pairs of rankings of lists: which are compared, what is left without some annotators, and what is said."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.reference import orders

import assent
from assent import Rankings
from assent.errors import TooMany
from assent.measures import _lists
from assent.measures._lists import _flat, _sharing_few, _undefined, _without_each, pair_values
from assent.measures._orders import kendall, midranks, spearman

GAP = math.nan
#: Four rankings of five objects: the last shares three objects with the first, and two with the others.
LIST = [[1, 2, 3, 4, 5], [2, 1, 3, 4, GAP], [1, 3, 2, GAP, 4], [GAP, 1, GAP, 2, 3]]


def ranked(*lists: Sequence[Sequence[float]]) -> Any:
    return np.stack([midranks(np.array(one, dtype=float)) for one in lists])


def on_shared(x: Sequence[float], y: Sequence[float]) -> tuple[list[float], list[float]]:
    both = [(a, b) for a, b in zip(x, y, strict=True) if not math.isnan(a + b)]
    return [a for a, _ in both], [b for _, b in both]


@pytest.mark.parametrize("at_once", [1, 7, 40, 10**6])
@pytest.mark.parametrize("cells", [1, 5])
def test_every_two_rankings_are_compared_however_many_at_once(
    at_once: int, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_lists, "RANKED_AT_ONCE", at_once)
    other = [[5, 4, 3, 2, 1], [GAP, GAP, 1, 2, 2], [1, 2, 3, 4, 5], [2, 2, 1, 3, 4]]
    lists = ranked(LIST, other, LIST[::-1])
    values, shared = pair_values(lists, spearman, cells=cells)
    for one, given, many in zip((LIST, other, LIST[::-1]), values, shared, strict=True):
        pairs = [on_shared(x, y) for x, y in combinations(one, 2)]
        assert many.tolist() == [len(x) for x, _ in pairs]
        known = [orders.rho(x, y) if len(x) >= 3 else GAP for x, y in pairs]
        assert given.tolist() == pytest.approx(known, nan_ok=True)
    assert np.isnan(values).sum() == 4


def test_a_list_of_two_objects_is_compared_on_two() -> None:
    values, shared = pair_values(ranked([[1, 2], [1, 2], [2, 1]]), kendall, cells=1)
    assert values.tolist() == [[1.0, -1.0, -1.0]]
    assert shared.tolist() == [[2, 2, 2]]


def test_too_few_shared_objects_are_fewer_than_three_or_than_there_are() -> None:
    assert _sharing_few(ranked(LIST), "pairwise") == (2, 6)
    assert _sharing_few(ranked([[1, 2], [2, 1], [1, GAP]]), "pairwise") == (2, 3)
    # Without the objects that somebody left out there are two for all.
    assert _sharing_few(ranked(LIST), "listwise") == (6, 6)
    assert _sharing_few(ranked(LIST[:2], LIST[:2]), "listwise") == (0, 2)


def test_who_ties_everything_is_counted() -> None:
    one = [[1, 1, 1], [1, GAP, 1], [GAP, 1, GAP], [1, 2, 1], [GAP, 1, 2]]
    assert _flat(ranked(one)) == 2
    assert _flat(ranked(one, one)) == 4


@pytest.mark.parametrize("groups", [[[0], [1], [2], [3]], [[0, 1], [2]], [[1, 2, 3]], [[0, 2], [1, 3]]])
def test_what_is_left_without_groups_of_annotators(groups: list[list[int]]) -> None:
    """Values of the six pairs of four; one of them has none, and counts for nothing."""
    pairs = list(combinations(range(4), 2))
    values = np.array([[0.5, GAP, -0.25, 1.0, 0.75, 0.0]])
    weights = np.array([[2.0, 0.0, 1.0, 3.0, 4.0, 2.0]])
    known = []
    for group in groups:
        left = [at for at, pair in enumerate(pairs) if not set(pair) & set(group) and weights[0, at]]
        whole = sum(weights[0, at] for at in left)
        known.append(sum(values[0, at] * weights[0, at] for at in left) / whole if whole else GAP)
    made = _without_each(values, weights, 4, [np.array(one) for one in groups])
    assert made.tolist() == pytest.approx(known, nan_ok=True)


def rankings(lists: dict[str, dict[str, Sequence[float]]]) -> Rankings:
    return Rankings.from_rows(
        [
            (topic, who, str(at), rank)
            for topic, given in lists.items()
            for who, ranks in given.items()
            for at, rank in enumerate(ranks)
            if not math.isnan(rank)
        ]
    )


@pytest.mark.parametrize("gaps", ["pairwise", "listwise"])
def test_annotators_are_left_out_with_the_gaps_that_they_made(gaps: str) -> None:
    """The standard error by leaving out each annotator is that of the values measured without them."""
    given = {"p": [1, 2, 3, 4, 5, 6], "q": [2, 1, 3, 4, 6, 5], "r": [1, 3, 2, GAP, 5, 4], "s": [6, 1, 2, 3, 4, 5]}
    whole = assent.mean_spearman(rankings({"a": given}), gaps=gaps)
    left = [
        assent.mean_spearman(
            rankings({"a": {one: ranks for one, ranks in given.items() if one != who}}), gaps=gaps
        ).value
        for who in given
    ]
    mean = sum(left) / 4
    error = math.sqrt(3 / 4 * sum((one - mean) ** 2 for one in left))
    assert whole.standard_error("jackknife") == pytest.approx(error, rel=1e-9)


def test_pairs_of_annotators_are_averaged_over_the_lists_that_both_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = {
        "a": {"p": [1, 2], "q": [2, 1], "r": [1, 2]},
        "b": {"p": [1, 2, 3, 4], "s": [1, 2, 4, 3]},
        "c": {"q": [1, 2, 3], "r": [3, 2, 1]},
        "d": {"p": [1, 2, 3], "q": [1, 2, 3]},
    }
    known = {
        ("p", "q"): ((-1.0 * 1 + 1.0 * 2) / 3, 2), ("p", "r"): (1.0, 1), ("q", "r"): ((-1.0 - 1.0 * 2) / 3, 2), ("p", "s"): (0.8, 1),
    }  # fmt: skip
    for most, compared in ((100, True), (4, True), (3, False)):
        monkeypatch.setattr(_lists, "ANNOTATORS_COMPARED", most)
        found = assent.mean_spearman(rankings(lists)).pairs
        made = {(one.first, one.second): (pytest.approx(one.value), one.n_items) for one in found}
        assert made == (known if compared else {})
    assert assent.mean_spearman(rankings({"a": {"p": [1, 2], "q": [2, 1]}})).pairs == ()


@pytest.mark.parametrize(("measure", "share"), [(assent.mean_kendall, 1), (assent.weighted_tau, 5)])
@pytest.mark.parametrize(("objects", "numbers"), [(2, 160), (20, 400)])
def test_more_pairs_than_can_be_compared_are_refused(
    measure: Any, share: int, objects: int, numbers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four annotators are six pairs, each of which takes the room of 160 numbers at least."""
    data = rankings({"a": {who: list(range(objects)) for who in "pqrs"}})
    monkeypatch.setattr(_lists, "NUMBERS_OF_PAIRS", 6 * numbers * share)
    assert measure(data).value == pytest.approx(1.0)
    monkeypatch.setattr(_lists, "NUMBERS_OF_PAIRS", 6 * numbers * share - 1)
    with pytest.raises(TooMany, match=f"{measure.name} compares every two annotators, and 4 ranked {objects} objects"):
        measure(data)
    assert assent.kendall_w(data).value == pytest.approx(1.0)


def notes(given: dict[str, Sequence[float]]) -> str:
    return " ".join(assent.mean_spearman(rankings({"a": given})).notes)


def test_what_is_not_compared_is_said_in_the_singular_and_in_the_plural() -> None:
    full: dict[str, Sequence[float]] = {"p": [1, 2, 3, 4], "q": [2, 1, 4, 3]}
    for word in ("not compared", "left out", "leave", "tie"):
        assert word not in notes(full)
    few = notes({**full, "q": [2, 1, GAP, GAP]})
    assert "1 of 1 pair of rankings shares fewer than three objects and is not compared." in few
    few = notes({**full, "r": [2, 1, GAP, GAP]})
    assert "2 of 3 pairs of rankings share fewer than three objects and are not compared." in few
    assert "1 ranking leaves out objects that others ranked: every two annotators are compared" in few
    flat = notes({**full, "r": [1, 1, 1, 1]})
    assert "1 ranking ties all objects, so there is no order to compare: it is left out." in flat
    flat = notes({**full, "r": [1, 1, 1, 1], "s": [2, 2, 2, 2]})
    assert "2 rankings tie all objects, so there is no order to compare: they are left out." in flat


@pytest.mark.parametrize(
    ("lists", "why"),
    [
        ([[[[1, 1, 1], [1, 1, 1]]], [[[1, 1], [1, 1]]]], "ties all objects"),
        ([[[[1, 1, 1], [1, 1, 1]]], [[[1, 2], [1, 1]]]], "no two annotators order enough"),
        ([[[[1], [1]]], [[[1], [1]]]], "no list has two objects"),
        ([[[[1], [1]]], [[[1, 2], [1, 1]]]], "no two annotators order enough"),
    ],
)
def test_why_there_is_no_value(lists: list[list[list[list[float]]]], why: str) -> None:
    blocks = [SimpleNamespace(positions=ranked(*one)) for one in lists]
    assert why in _undefined(SimpleNamespace(blocks=blocks))  # type: ignore[arg-type]
