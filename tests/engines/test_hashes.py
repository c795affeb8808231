"""Numbers that stand for values: equal for equal ones, and nothing to do with each other for others."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import polars as pl
import pytest

from assent.engines.hashes import has_hashes, hashed, item_keys

NAMES = [f"item-{i:05}" for i in range(5_000)]
#: Engines whose hash function we know.
KNOWN = ["polars-lazy", "duckdb", "pyspark"]


def frame_of(native, items):
    return nw.from_native(native(pl.DataFrame({"item": items}))).lazy()


def brought(frame):
    return frame.collect(backend="polars").to_native()


@pytest.mark.parametrize("native", KNOWN, indirect=True)
def test_equal_values_have_equal_hashes_and_others_have_others(native):
    frame = frame_of(native, NAMES + NAMES[:1_000])
    assert has_hashes(frame)
    for seed in (0, 1):
        found = brought(hashed(frame, ["item"], "number", seed))
        assert found["number"].dtype == pl.Int64
        assert found["number"].min() >= 0
        assert found["number"].max() < 2**62
        assert found.unique().height == found["number"].n_unique() == found["item"].n_unique() == len(NAMES)


@pytest.mark.parametrize("native", KNOWN, indirect=True)
def test_hashes_with_other_seeds_have_nothing_to_do_with_each_other(native):
    frame = hashed(hashed(frame_of(native, NAMES), ["item"], "one", 0), ["item"], "other", 1)
    found = brought(frame)
    # Of 62 bits, half differ between the two: had they a part in common, fewer or more would.
    differ = [(a ^ b).bit_count() for a, b in zip(found["one"].to_list(), found["other"].to_list(), strict=True)]
    assert np.mean(differ) == pytest.approx(31, abs=0.5)
    assert np.std(differ) == pytest.approx(np.sqrt(62) / 2, abs=0.3)
    # What they differ by is not the same for all, either.
    assert len({a ^ b for a, b in zip(found["one"].to_list(), found["other"].to_list(), strict=True)}) == len(NAMES)


@pytest.mark.parametrize("native", ["duckdb", "pyspark"], indirect=True)
def test_an_engine_tells_items_with_texts_for_names_apart_by_two_numbers(native):
    frame, keys = item_keys(frame_of(native, NAMES + NAMES))
    assert len(keys) == 2
    found = brought(frame.select("item", *keys).unique())
    assert found.height == found.select(keys).n_unique() == len(NAMES)


@pytest.mark.parametrize("native", ["polars", "duckdb", "ibis"], indirect=True)
def test_other_items_are_told_apart_by_themselves(native):
    frame = frame_of(native, list(range(10)))
    assert item_keys(frame)[1] == ["item"]
    if frame.implementation.is_polars():
        assert item_keys(frame_of(native, NAMES))[1] == ["item"]
