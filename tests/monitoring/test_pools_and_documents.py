"""A stream of documents, and one from a pool that comes to an end: right however often one looks."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import assent
from assent.errors import OptionError
from assent.inference.betting import HedgedCapital


def rows(agreed: np.ndarray, document: np.ndarray | None = None) -> pl.DataFrame:
    """Two annotators, the second of whom says something else where they do not agree."""
    count = len(agreed)
    frame = pl.DataFrame(
        {
            "item": np.repeat(np.arange(count), 2),
            "annotator": ["a", "b"] * count,
            "label": np.where(np.tile([True, False], count) | np.repeat(agreed, 2), "x", "y"),
        }
    )
    return frame if document is None else frame.with_columns(pl.Series("document", np.repeat(document, 2)))


def test_a_pool_is_held_at_every_moment() -> None:
    """95 % of the sequences hold the mean of the pool all the way, and in the end nothing else."""
    rng = np.random.default_rng(1)
    wrong = 0
    for _ in range(200):
        pool = rng.permutation(np.arange(120) < 90).astype(float)
        low, high = HedgedCapital(0.95, pool=120).play(pool)
        missed = bool(((low > 0.75 + 1e-9) | (high < 0.75 - 1e-9)).any())
        wrong += missed
        if not missed:
            assert low[-1] <= 0.75 <= high[-1]
            assert high[-1] - low[-1] <= 0.02
    assert wrong <= 10 + 3 * (200 * 0.05 * 0.95) ** 0.5


def test_a_claim_that_what_is_left_can_just_meet_is_not_refuted() -> None:
    """After 1 of four, a mean of 1/4 needs three times 0: an end is the last claim that is refuted."""
    claims = np.linspace(0, 1, 9)
    low, _ = HedgedCapital(0.95, claims, pool=4).play(np.array([1.0, 0.0, 0.0, 0.0]))
    assert low.tolist() == [0.0, 0.125, 0.125, 0.125]
    _, high = HedgedCapital(0.95, claims, pool=4).play(np.array([0.0, 1.0, 1.0, 1.0]))
    assert high.tolist() == [1.0, 0.875, 0.875, 0.875]


def test_of_says_how_many_there_are() -> None:
    rng = np.random.default_rng(2)
    data = rows(rng.random(80) < 0.8)
    plain, pool = assent.monitor(data, method="betting"), assent.monitor(data, of=100)
    assert pool.high - pool.low < plain.high - plain.low
    assert pool.method == "betting"
    assert any("all items there are" in note for note in pool.notes)
    with pytest.raises(OptionError, match="80 have two annotations"):
        assent.monitor(data, of=60)
    with pytest.raises(OptionError, match="1 or more"):
        assent.monitor(data, of=0)


def test_documents_enter_as_their_mean() -> None:
    agreed = np.array([1, 1, 0, 1, 1, 1, 0, 0], dtype=bool)
    frame = rows(agreed, np.array(["d1", "d1", "d2", "d1", "d2", "d3", "d3", "d3"]))
    found = assent.monitor(assent.Annotations.from_frame(frame, cluster="document", columns=["document"]))
    assert found.n_items == 3
    assert found.unit == "document"
    assert found.agreement == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert any("once its last one is there" in note for note in found.notes)


def test_documents_without_drift_raise_no_alarm() -> None:
    """Ten items of a document agree or not together: taken one by one they look like drift in most streams."""
    rng = np.random.default_rng(5)
    by_item = by_document = 0
    for _ in range(20):
        share = np.repeat(rng.choice([0.95, 0.45], 60), 10)
        frame = rows(rng.random(600) < share, np.repeat(np.arange(60), 10).astype(str))
        by_item += bool(assent.monitor(assent.Annotations.from_frame(frame)).shifts)
        clustered = assent.Annotations.from_frame(frame, cluster="document", columns=["document"])
        by_document += bool(assent.monitor(clustered).shifts)
    assert by_item >= 8
    assert by_document <= 2
