"""Every two annotators, and how many each one meets."""

from __future__ import annotations

import numpy as np
import pytest
from tests.diagnostics.annotators.simulated import drawn, gaps, listing, team

import assent
from assent import Annotations
from assent.analyses.annotators import pairs as module
from assent.analyses.annotators.pairs import pair_agreements, partners
from assent.analyses.annotators.table import AnnotatorTable


@pytest.mark.parametrize("annotators", [2, 3, 6])
def test_pairs_are_those_of_cohens_kappa(annotators: int) -> None:
    rows = gaps(np.random.default_rng(annotators), 60, annotators, 3, share=0.5)
    found = pair_agreements(team(rows))
    whole = assent.cohen_kappa(rows)
    if annotators == 2:
        # Of two annotators the coefficient is their pair.
        assert (found[0].n_items, found[0].value, found[0].observed, found[0].expected) == pytest.approx(
            (whole.n_items, whole.value, whole.observed, whole.expected)
        )
    else:
        assert len(whole.pairs) == len(found)
    for mine, theirs in zip(found, whole.pairs, strict=annotators > 2):
        assert (mine.first, mine.second, mine.n_items) == (theirs.first, theirs.second, theirs.n_items)
        assert (mine.value, mine.observed, mine.expected) == pytest.approx(
            (theirs.value, theirs.observed, theirs.expected)
        )
    assert len(found) == annotators * (annotators - 1) // 2


def test_pairs_who_share_nothing_are_not_there_and_one_label_is_undefined() -> None:
    found = pair_agreements(team([["a", "a", None], ["a", "a", None], [None, "b", "b"]]))
    assert [(pair.first, pair.second, pair.n_items) for pair in found] == [("1", "2", 2), ("2", "3", 1)]
    assert np.isnan(found[0].value)


@pytest.mark.parametrize(("annotators", "each"), [(5, 2), (70, 3), (150, 40), (64, 63), (64, 64)])
def test_partners_are_counted_alike_in_both_ways(annotators: int, each: int) -> None:
    who, said, _ = drawn(np.random.default_rng(1), annotators=annotators, items=30, each=each, shares=[1, 1])
    members = AnnotatorTable.of_listing(listing(who, said, annotators, 2))
    met = [{int(b) for row in who if a in row for b in row} - {a} for a in range(annotators)]
    expected = [len(others) for others in met]
    assert module._by_bits(members).tolist() == expected
    assert module._by_pairs(members).tolist() == expected
    assert partners(members).tolist() == expected


def test_slices_of_annotators_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    who, said, _ = drawn(np.random.default_rng(1), annotators=40, items=60, each=4, shares=[1, 1])
    members = AnnotatorTable.of_listing(listing(who, said, 40, 2))
    before = module._by_pairs(members).tolist()
    monkeypatch.setattr(module, "PAIRS_AT_ONCE", 5)
    assert module._by_pairs(members).tolist() == before


def test_the_cheaper_way_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    monkeypatch.setattr(module, "_by_bits", lambda members: taken.append("bits"))
    monkeypatch.setattr(module, "_by_pairs", lambda members: taken.append("pairs"))
    for annotators, each in ((2000, 3), (300, 250)):
        who, said, _ = drawn(np.random.default_rng(1), annotators=annotators, items=50, each=each, shares=[1, 1])
        partners(AnnotatorTable.of_listing(listing(who, said, annotators, 2)))
    assert taken == ["pairs", "bits"]


def test_who_shares_nothing_has_no_partner() -> None:
    data = Annotations.from_array([["a", "a", None], [None, None, "b"]])
    assert partners(AnnotatorTable.of_listing(data.to_rows())).tolist() == [1, 1, 0]


def test_every_two_annotators_of_an_item_are_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    who, said, _ = drawn(np.random.default_rng(1), annotators=40, items=60, each=4, shares=[1, 1])
    members, lengths, original = AnnotatorTable.of_listing(listing(who, said, 40, 2)), [], np.concatenate

    def counting(parts: list[np.ndarray]) -> np.ndarray:
        lengths.append(sum(map(len, parts)))
        return original(parts)

    monkeypatch.setattr(np, "concatenate", counting)
    module._by_pairs(members)
    # Four annotators of an item are six pairs, which nobody is with themselves, or the other way round.
    assert max(lengths) == 60 * 6


def test_so_many_annotators_that_a_pair_is_a_long_number_are_counted_alike() -> None:
    count = 2**16 + 10
    who = np.array([[0, 1, count - 1], [1, count - 2, count - 1], [0, 1, count - 1]])
    members = AnnotatorTable.of_listing(listing(who, np.zeros_like(who), count, 2))
    met = module._by_pairs(members)
    assert {i: int(met[i]) for i in np.flatnonzero(met)} == {0: 2, 1: 3, count - 2: 2, count - 1: 3}
