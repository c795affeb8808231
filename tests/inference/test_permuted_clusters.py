"""The permutation test deals whole clusters: labels that go together in a document are no agreement."""

from __future__ import annotations

import functools
import math

import numpy as np
import polars as pl
import pytest
from tests.support import every

import assent
from assent import Annotations


def documents(rng: np.random.Generator, *, lengths: list[int], topics: bool, alike: float = 0.0) -> Annotations:
    """Three annotators who do not look at items: with topics, each has a favourite label in each document."""
    rows = []
    for document, length in enumerate(lengths):
        favourite = rng.integers(0, 2, 3) if topics else np.full(3, -1)
        for item in range(length):
            truth = rng.integers(0, 2)
            for who in range(3):
                own = favourite[who] if topics and rng.random() < 0.8 else rng.integers(0, 2)
                label = truth if rng.random() < alike else own
                rows.append((f"{document}-{item}", str(document), f"w{who}", str(label)))
    frame = pl.DataFrame(rows, schema=["item", "document", "annotator", "label"], orient="row")
    return Annotations.from_frame(frame, cluster="document", columns=["document"])


@functools.cache
def without_agreement(lengths: tuple[int, ...]) -> list[Annotations]:
    rng = np.random.default_rng(1)
    return [documents(rng, lengths=[*lengths], topics=True) for _ in range(40)]


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["krippendorff-alpha", "conger-kappa"])
@pytest.mark.parametrize("lengths", every(2, [[4, 6, 8, 10, 12] * 5, [8] * 25]))
def test_documents_raise_no_alarm(name: str, lengths: list[int]) -> None:
    """Dealing items one by one called 28 of 100 such data sets agreement beyond chance at a level of 5 %."""
    found = sum(
        assent.all_measures()[name](data).permutation_test(permutations=59, seed=1) <= 0.05
        for data in without_agreement(tuple(lengths))
    )
    assert found <= 6


@pytest.mark.parametrize("name", ["krippendorff-alpha", "conger-kappa", "percent-agreement"])
def test_agreement_is_found_in_documents_too(name: str) -> None:
    rng = np.random.default_rng(2)
    data = documents(rng, lengths=[8] * 25, topics=True, alike=0.5)
    assert assent.all_measures()[name](data).permutation_test(permutations=99, seed=1) == pytest.approx(0.01)


def test_blocks_stay_together_and_everybody_keeps_their_labels() -> None:
    data = documents(np.random.default_rng(3), lengths=[5] * 8, topics=True)
    ratings = data._ratings
    dealt = ratings.shuffled(np.random.default_rng(4))
    for who in range(3):
        own = np.repeat(ratings.label, ratings.multiplicities[ratings.profile])
        of = np.repeat(ratings.annotator, ratings.multiplicities[ratings.profile])
        assert sorted(own[of == who]) == sorted(dealt.label[dealt.annotator == who])
        before = {tuple(sorted(block)) for block in _blocks(data, who)}
        after = {tuple(sorted(block)) for block in dealt.label[dealt.annotator == who].reshape(8, 5)}
        assert before == after


def _blocks(data: Annotations, who: int) -> list[list[int]]:
    listing = data.to_rows("document")
    documents = np.asarray(listing.columns["document"])
    mine = np.asarray(listing.annotator) == who
    return [np.asarray(listing.label)[mine & (documents == one)].tolist() for one in np.unique(documents)]


def labelled(rows: list[tuple[str, str, dict[str, str]]], cluster: str | None) -> Annotations:
    """Make a table of items, their documents and the label that each annotator gave."""
    found = [(item, document, who, label) for item, document, labels in rows for who, label in labels.items()]
    frame = pl.DataFrame(found, schema=["item", "document", "annotator", "label"], orient="row")
    return Annotations.from_frame(frame, cluster=cluster, columns=["document"])


@pytest.mark.parametrize(("cluster", "exact"), [("document", 1 / 2), (None, 6 / 70)])
def test_two_documents_of_one_label_each_are_two_ways_to_deal(cluster: str | None, exact: float) -> None:
    """Whole documents fall together in one of two ways; of the 70 ways to deal labels one by one 6 have four pairs alike."""
    rows = [
        (f"{document}{item}", document, {"ann": document, "ben": document}) for document in "xy" for item in range(2)
    ]
    p = assent.percent_agreement(labelled(rows, cluster)).permutation_test()
    assert p == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / 999) + 1 / 1000)


def test_all_items_that_count_are_dealt() -> None:
    """Ann and Ben label four items alike, Cid the first: all agree again in 1 of 4! deals, if Ann's first is Cid's, 1 of 4."""
    rows = [(one, one, {"ann": one, "ben": one}) for one in "abcd"]
    rows[0][2]["cid"] = "a"
    p = assent.percent_agreement(labelled(rows, "document")).permutation_test()
    exact = 1 / 24 / 4
    assert p == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / 999) + 1 / 1000)
