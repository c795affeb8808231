"""Speed is guarded by counts: passes over the data, rows that leave the engine, weights that a bootstrap draws."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import assent
from assent.engines.door import watching
from assent.inference import bootstrap


def table(items: int) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    item = np.repeat(np.arange(items), 3)
    truth = np.repeat(rng.integers(0, 4, items), 3)
    label = np.where(rng.random(3 * items) < 0.7, truth, rng.integers(0, 4, 3 * items))
    return pl.DataFrame({"item": item, "annotator": np.tile([0, 1, 2], items), "label": label}).select(
        pl.format("item {}", "item").alias("item"), pl.format("who {}", "annotator").alias("annotator"),
        pl.format("label {}", "label").alias("label"),
    )  # fmt: skip


@pytest.fixture
def collected():
    """How many rows each query brought over."""
    sizes = []
    with watching(lambda passage: sizes.append(passage.rows)):
        yield sizes


def queries(frame, collected):
    del collected[:]
    data = assent.Annotations.from_frame(frame)
    assent.krippendorff_alpha(data).confidence_interval(method="bootstrap", replicates=20)
    assent.fleiss_kappa(data).confidence_interval()
    assent.gwet_ac(data).confidence_interval()
    return list(collected)


def test_only_aggregates_leave_the_engine_and_their_number_does_not_grow(collected):
    small, large = queries(table(2_000), collected), queries(table(20_000), collected)
    # Four labels, three annotators, whether a pair occurs twice, and 20 profiles, however many items there are.
    assert small == large == [4, 3, 1, 20]


def test_a_bootstrap_draws_as_many_weights_for_ten_times_the_items(monkeypatch):
    drawn = []
    original = bootstrap._weights

    def counting(sample, replicates, rng):
        for weights in original(sample, replicates, rng):
            drawn.append(weights.shape)
            yield weights

    monkeypatch.setattr(bootstrap, "_weights", counting)
    for items in (2_000, 20_000):
        data = assent.Annotations.from_frame(table(items))
        assent.krippendorff_alpha(data).bootstrap(replicates=200)
    assert drawn == [(200, 20), (200, 20)]


def test_an_item_that_shares_a_hash_with_another_is_told_apart(monkeypatch):
    """Items are grouped by hash and watched by a second one; when that sees two, their texts decide."""
    frame = table(500)
    expected = assent.krippendorff_alpha(assent.Annotations.from_frame(frame)).value
    hash_of = pl.Expr.hash

    def colliding(self, seed=0, *more):
        return hash_of(self, seed, *more) % 50 if seed == 1 else hash_of(self, seed, *more)

    monkeypatch.setattr(pl.Expr, "hash", colliding)
    assert assent.krippendorff_alpha(assent.Annotations.from_frame(frame)).value == expected
