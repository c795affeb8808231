"""What a pseudo-item is made of, worked out by hand: which labels, pairs, groups and splits stand for all where these are too many."""

from __future__ import annotations

import tracemalloc
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from assent import Annotations
from assent.inference import pseudo
from assent.label_sets import LabelSets
from assent.profiles import Array, Counts, Ratings, Sums


def counts(rows: list[list[int]], times: list[int], *, sparse: bool = False) -> Counts:
    table: Any = np.array(rows)
    return Counts(
        counts=csr_array(table) if sparse else table,
        multiplicities=np.array(times),
        labels=tuple("abcdefghij"[: table.shape[1]]),
    )


@pytest.mark.parametrize(
    ("count", "most", "kept"),
    [(3, 3, [0, 1, 2]), (4, 3, [0, 2, 3]), (10, 4, [1, 3, 6, 8]), (10, 1, [5]), (7, 2, [1, 5])],
)
def test_things_are_evenly_spaced(count: int, most: int, kept: list[int]) -> None:
    """The middles of equal parts: of ten things in four parts 1.25, 3.75, 6.25 and 8.75."""
    assert pseudo._evenly_spaced(np.arange(count), most).tolist() == kept


def pairs_seen(items: Counts) -> tuple[Array, Array, Array]:
    code, seen = pseudo._pairs_seen(items, pseudo._cells(items))
    return (*np.divmod(code, len(items.labels)), seen)


@pytest.mark.parametrize("sparse", [False, True])
def test_pairs_that_were_seen_are_shared_out_by_pairs_of_annotations(sparse: bool) -> None:
    """Of a, a, b, c (twice) five pairs of annotations disagree: two are ab, two ac, one bc. Of b, c (three times) one does."""
    found = pairs_seen(counts([[2, 1, 1], [0, 1, 1], [2, 0, 0]], [2, 3, 7], sparse=sparse))
    pairs = {(int(a), int(b)): float(seen) for a, b, seen in zip(*found, strict=True)}
    assert pairs == pytest.approx({(0, 1): 2 * 2 / 5, (0, 2): 2 * 2 / 5, (1, 2): 2 * 1 / 5 + 3})


def test_a_zero_that_is_stored_is_no_label() -> None:
    """Two of a; one of a and one of b."""
    table = csr_array((np.array([2, 0, 1, 1]), ([0, 0, 1, 1], [0, 1, 0, 1])), shape=(2, 2))
    assert table.nnz == 4
    items = Counts(counts=table, multiplicities=np.array([3, 4]), labels=("a", "b"))
    assert [one.tolist() for one in pseudo._cells(items)] == [[0, 1, 1], [0, 0, 1], [2, 1, 1]]


def test_labels_that_items_have_take_no_table_of_all_items_by_all_labels() -> None:
    """A thousand items, each with a label that it shares with the next: two thousand cells, of a million."""
    said = [(who, f"{i:04}", f"{(i + k) % 1000:04}") for i in range(1000) for k, who in enumerate(("ada", "ben"))]
    items = Annotations.from_triples(said)._ratings
    tracemalloc.start()
    profile, label, count = pseudo._cells(items)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000
    assert (len(np.unique(profile)), len(np.unique(label)), count.tolist()) == (1000, 1000, [1] * 2000)


@pytest.mark.parametrize("sparse", [False, True])
def test_too_many_pairs_are_thinned_in_the_order_of_how_far_apart_they_stand(
    sparse: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ab once, cd twice, ad five times: the second and the sixth of eight items stand for four each."""
    items = counts([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 0, 1]], [1, 2, 5], sparse=sparse)
    monkeypatch.setattr(pseudo, "PSEUDO_PAIRS", 6)
    assert [one.tolist() for one in pairs_seen(items)] == [[0, 0, 2], [1, 3, 3], [1.0, 5.0, 2.0]]
    monkeypatch.setattr(pseudo, "PSEUDO_PAIRS", 4)
    assert [one.tolist() for one in pairs_seen(items)] == [[0, 2], [3, 3], [4.0, 4.0]]


def test_any_two_labels_are_a_pair_or_those_at_some_distances_are(monkeypatch: pytest.MonkeyPatch) -> None:
    every = [(a, b) for a in range(5) for b in range(5) if a != b]
    spread = pseudo._spread_pairs.__wrapped__
    assert sorted(zip(*(one.tolist() for one in spread(5)), strict=True)) == every
    for most, distances in ((20, {1, 2, 3, 4}), (19, {1, 3, 4}), (14, {2, 4})):
        monkeypatch.setattr(pseudo, "PSEUDO_PAIRS", most)
        first, second = spread(5)
        assert len(first) == 5 * len(distances)
        assert {int(two - one) % 5 for one, two in zip(first, second, strict=True)} == distances
        assert np.bincount(first).tolist() == np.bincount(second).tolist() == [len(distances)] * 5


def test_pairs_at_some_distances_are_as_far_apart_as_all_pairs_to_4_percent() -> None:
    for count in range(2, pseudo.PSEUDO_LABELS + 1):
        first, second = pseudo._spread_pairs(count)
        at = np.arange(count)
        squares = (at[:, None] - at) ** 2
        assert ((first - second) ** 2).mean() == pytest.approx(squares.sum() / (count * (count - 1)), rel=0.04)


@pytest.mark.parametrize("most", [128, 2])
def test_weights_of_the_same_pair_are_added_up(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pseudo, "PSEUDO_LABELS", most)
    pairs, weights = pseudo._added_up(np.array([5, 1, 5, 6]), np.array([1.0, 2.0, 0.5, 4.0]), 3)
    assert pairs.tolist() == [1, 5, 6]
    assert weights.tolist() == [2.0, 1.5, 4.0]


def test_pairs_that_were_seen_are_enough_from_ten_items_that_disagree_on() -> None:
    """Of nine, one more item is spread over all six ordered pairs of three labels; of units of two items, two items are."""
    codes = np.arange(3)
    for times, unit, each, ab in (
        (9, 1.0, 1 / 6, 4.5),
        (10, 1.0, 0.0, 5.0),
        (19, 2.0, 2 / 6, 9.5),
        (20, 2.0, 0.0, 10.0),
    ):
        items = counts([[1, 1, 0], [2, 0, 0]], [times, 4])
        first, second, weights = pseudo._pairs(pseudo._pairs_seen(items, pseudo._cells(items)), codes, 3, unit)
        found = {(int(a), int(b)): float(weight) for a, b, weight in zip(first, second, weights, strict=True)}
        known = {(a, b): each for a in range(3) for b in range(3) if a != b} | {(0, 1): ab + each, (1, 0): ab + each}
        assert found == pytest.approx({pair: weight for pair, weight in known.items() if weight})
    first, _, weights = pseudo._pairs(None, codes, 3, 1.0)
    assert (len(first), weights.tolist()) == (6, pytest.approx([1 / 6] * 6))


@pytest.mark.parametrize("size", range(2, 9))
@pytest.mark.parametrize("most", [1, 10, 70])
def test_annotators_are_split_in_every_way_or_each_begins_a_half(
    size: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pseudo, "PSEUDO_SPLITS", most)
    ways = pseudo._splits.__wrapped__(size)
    assert (ways.sum(axis=1) == size // 2).all()
    assert len(np.unique(ways, axis=0)) == len(ways)
    whole = comb(size, size // 2)
    if whole <= most:
        assert len(ways) == (whole if size % 2 else whole // 2)
        assert size % 2 or ways[:, 0].all()
    else:
        assert len(ways) == (size if size % 2 else size // 2)
    # Either half is taken by an annotator as often as by any other.
    both = ways.sum(axis=0) if size % 2 else ways.sum(axis=0) + (~ways).sum(axis=0)
    assert len(set(both.tolist())) == 1


def test_lists_are_combined_each_with_each_or_each_at_least_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pseudo, "PSEUDO_PROFILES", 6)
    assert [one.tolist() for one in pseudo._combined(2, 3)] == [[0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]]
    monkeypatch.setattr(pseudo, "PSEUDO_PROFILES", 5)
    assert [one.tolist() for one in pseudo._combined(2, 3)] == [[0, 1, 0], [0, 1, 2]]


def test_groups_are_those_who_met_by_how_many_items_they_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ann and Ben share four items of eight, Ann and Cid one, Ben and Cid three: the second and the sixth stand for half each."""
    meetings = ["ann ben"] * 4 + ["ann cid"] + ["ben cid"] * 3
    triples = [(who, str(item), "xy"[item % 2]) for item, pair in enumerate(meetings) for who in pair.split()]
    items = Annotations.from_triples(triples)._ratings
    groups, shares = pseudo._groups(items)
    assert groups.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert (shares / shares.sum()).tolist() == [0.5, 0.125, 0.375]
    # As many groups as there may be stand for themselves.
    monkeypatch.setattr(pseudo, "PSEUDO_GROUPS", 3)
    groups, shares = pseudo._groups(items)
    assert (shares / shares.sum()).tolist() == [0.5, 0.125, 0.375]
    monkeypatch.setattr(pseudo, "PSEUDO_GROUPS", 2)
    groups, shares = pseudo._groups(items)
    assert groups.tolist() == [[0, 1], [1, 2]]
    assert (shares / shares.sum()).tolist() == [0.5, 0.5]


def test_the_usual_number_of_annotations_is_that_of_most_items_with_two_or_more() -> None:
    for rows, times, size in (
        ([[1, 0], [1, 1], [2, 1]], [9, 3, 2], 2),
        ([[1, 0], [1, 1], [2, 1]], [9, 3, 3], 3),
        ([[1, 0], [0, 1]], [3, 3], 2),
        ([[2, 2], [4, 0]], [3, 3], 4),
    ):
        assert pseudo._usual_size(counts(rows, times)) == size


@pytest.mark.parametrize(
    ("rows", "other"), [([[4, 0], [2, 2], [0, 4]], 4), ([[5, 0], [3, 2], [0, 5]], 5), ([[3, 0], [2, 1], [0, 3]], 3)]
)
def test_one_annotator_beside_the_others_sees_what_the_pseudo_item_is(rows: list[list[int]], other: int) -> None:
    """Everybody alike in one half; in the other who is in the smaller part of five sees one of four alike, in the larger two of four."""
    parts = pseudo.pseudo_parts(counts(rows, [3, 4, 5]), unit=1.0, most=100)
    assert parts.weight.sum() == pytest.approx(1.0)
    alike = parts.own == parts.other
    assert parts.weight[alike].tolist() == [0.25, 0.25]
    assert parts.alike[alike].tolist() == [1.0, 1.0]
    found: dict[float, float] = {}
    for share, weight in zip(parts.alike[~alike].tolist(), parts.weight[~alike].tolist(), strict=True):
        found[share] = found.get(share, 0.0) + weight
    known = {4: {1 / 3: 0.5}, 5: {1 / 4: 0.5 * 2 / 5, 2 / 4: 0.5 * 3 / 5}, 3: {0.0: 0.5 / 3, 0.5: 0.5 * 2 / 3}}
    assert found == pytest.approx(known[other])


@pytest.mark.parametrize("size", [4, 5])
@pytest.mark.parametrize("cells", [200_000, 0])
def test_counts_have_the_parts_below_them(size: int, cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels a and c occur: half of the pseudo-item is all a or all c, half is split between them as evenly as can be."""
    monkeypatch.setattr(pseudo, "DENSE_CELLS", cells)
    made = pseudo._with_pseudo_item(counts([[size, 0, 0], [0, 0, size]], [3, 2]), None)
    assert isinstance(made.profiles, Counts)
    table = made.profiles.counts
    assert isinstance(table, np.ndarray) == (cells > 0)
    dense: Array = table if isinstance(table, np.ndarray) else table.toarray()
    half = size // 2
    apart = [[half, 0, half]] if size == 4 else [[half, 0, size - half], [size - half, 0, half]]
    assert dense.tolist() == [[size, 0, 0], [0, 0, size], [size, 0, 0], [0, 0, size], *apart]
    assert made.weights.tolist() == [3, 2, 0.25, 0.25, *[0.5 / len(apart)] * len(apart)]


def test_who_labels_the_pseudo_item_is_shared_out_by_items() -> None:
    """Ann and Ben share three items of four, Ann and Cid one; half of the item agrees and half does not."""
    triples = [("ann", "1", "x"), ("ben", "1", "y"), ("ann", "2", "x"), ("ben", "2", "x"), ("ann", "3", "y"), ("ben", "3", "y"),
               ("ann", "4", "x"), ("cid", "4", "x")]  # fmt: skip
    items = Annotations.from_triples(triples)._ratings
    made = pseudo._with_pseudo_item(items, None)
    assert isinstance(made.profiles, Ratings)
    found: dict[tuple[int, bool], float] = {}
    for part, weight in enumerate(made.pseudo, start=len(items.multiplicities)):
        here = made.profiles.profile == part
        labels, people = made.profiles.label[here], made.profiles.annotator[here]
        group = (int(people[1]), bool(labels[0] == labels[1]))
        found[group] = found.get(group, 0.0) + float(weight)
    assert found == pytest.approx({(1, True): 0.375, (2, True): 0.125, (1, False): 0.375, (2, False): 0.125})


def test_there_are_steps_where_twice_the_items_that_disagree_are_no_fewer_than_the_pairs_of_labels() -> None:
    """Neighbours alone disagree; labels that are two steps apart are a pair if twice the items are L (L - 1) or more, and ten at least."""
    for labels, times, farther in ((5, 9, False), (5, 10, True), (6, 14, False), (6, 15, True), (7, 20, False)):
        check_steps(labels, times, farther=farther)


def check_steps(labels: int, times: int, *, farther: bool) -> None:
    apart = np.eye(labels, dtype=int)[:1] + np.eye(labels, dtype=int)[1:2]
    items = counts([*apart.tolist(), *(2 * np.eye(labels, dtype=int)).tolist()], [times] + [1] * labels)
    seen = pseudo._pairs_seen(items, pseudo._cells(items))

    def distances(**steps: bool) -> set[int]:
        first, second, _ = pseudo._pairs(seen, np.arange(labels), labels, 1.0, **steps)
        return set(np.abs(first - second).tolist())

    plain = {1} if times >= pseudo.ENOUGH else set(range(1, labels))
    assert distances() == distances(steps=False) == plain
    assert distances(steps=True) == plain | ({2} if farther else set())
    for made in (pseudo.with_pseudo_item(items), pseudo._with_pseudo_item(items, None)):
        given = [np.flatnonzero(row) for row in np.asarray(made.profiles.counts)[len(items.multiplicities) :]]  # type: ignore[attr-defined]
        assert {int(np.ptp(one)) for one in given} == {0} | plain


def test_a_label_that_nobody_gave_is_the_last_one_or_the_first() -> None:
    assert pseudo._two_or_more(np.array([1]), 4).tolist() == [1, 3]
    assert pseudo._two_or_more(np.array([3]), 4).tolist() == [0, 3]
    assert pseudo._two_or_more(np.array([1, 2]), 4).tolist() == [1, 2]


def test_what_is_made_of_few_profiles_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    items = counts([[1, 1], [2, 0]], [3, 4])
    monkeypatch.setattr(pseudo, "KEPT_PROFILES", 1)
    assert pseudo.with_pseudo_item(items) is not pseudo.with_pseudo_item(items)
    monkeypatch.setattr(pseudo, "KEPT_PROFILES", 2)
    assert pseudo.with_pseudo_item(items) is pseudo.with_pseudo_item(items)


def test_which_labels_are_taken_for_each_other_is_known_from_ten_items() -> None:
    parts = pseudo.pseudo_parts(counts([[2, 0, 0], [1, 1, 0], [0, 0, 2]], [3, 10, 5]), unit=1.0, most=100)
    apart = parts.own != parts.other
    assert {*zip(parts.own[apart].tolist(), parts.other[apart].tolist(), strict=True)} == {(0, 1), (1, 0)}


def test_two_labels_need_no_third_and_one_needs_a_second() -> None:
    assert pseudo._with_pseudo_item(counts([[1, 1], [2, 0]], [3, 4]), None).profiles.labels == ("a", "b")
    assert pseudo._with_pseudo_item(counts([[2], [3]], [3, 4]), None).profiles.labels == ("a", pseudo.UNSEEN)
    for members, labels in ((((0,), (0, 1)), ("a", "b")), (((0,),), ("a",))):
        sets = LabelSets(labels, members)
        extended, codes = pseudo._with_single_labels(sets, np.arange(len(members)))
        assert extended.labels == ("a", "b" if len(labels) == 2 else pseudo.UNSEEN)
        assert [extended.members[code] for code in codes] == [(0,), (1,)]


def test_a_pseudo_unit_is_as_large_as_the_usual_one() -> None:
    """Six items in two units: three of a part, which weighs its share of a unit."""
    units = csr_array(np.array([[1, 2, 0], [1, 0, 2]]))
    items = Counts(
        counts=np.array([[2, 0], [1, 1], [0, 2]]), multiplicities=np.array([2, 2, 2]), labels=("a", "b"), units=units
    )
    made = pseudo._with_pseudo_item(items, None)
    parts = [0.25, 0.25, 0.5]
    assert made.pseudo.tolist() == parts
    assert made.weights.tolist() == [2, 2, 2, *(3 * one for one in parts)]
    assert made.unit_weights is not None
    assert made.unit_weights.tolist() == [1, 1, *parts]
    assert made.profiles.units is not None
    assert made.profiles.units.toarray().tolist() == [
        [1, 2, 0, 0, 0, 0], [1, 0, 2, 0, 0, 0], [0, 0, 0, 3, 0, 0], [0, 0, 0, 0, 3, 0], [0, 0, 0, 0, 0, 3],
    ]  # fmt: skip


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("annotators", [None, [3, 4]])
def test_sums_have_half_an_item_that_agrees_and_half_one_that_does_not(
    sparse: bool, annotators: list[int] | None
) -> None:
    table = np.array([[1.0, 2.0], [3.0, 4.0]])
    items = Sums(
        terms=csr_array(table) if sparse else table,
        multiplicities=np.array([5, 6]),
        columns=("p", "q"),
        annotators=None if annotators is None else np.array(annotators),
    )
    made = pseudo.with_pseudo_sums(items, np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    assert isinstance(made.profiles, Sums)
    terms = made.profiles.terms
    dense = terms if isinstance(terms, np.ndarray) else terms.toarray()
    assert dense.tolist() == [[1, 2], [3, 4], [1, 0], [0, 1]]
    assert made.weights.tolist() == made.profiles.multiplicities.tolist() == [5, 6, 0.5, 0.5]
    assert made.pseudo.tolist() == [0.5, 0.5]
    assert (None if annotators is None else [3, 4, 2, 2]) == (
        None if made.profiles.annotators is None else made.profiles.annotators.tolist()
    )
