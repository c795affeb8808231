"""Very many labels and annotators, and an item that five hundred people labelled: no table of any two of these."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import assent
from assent import Annotations
from assent.engines import hashes
from assent.errors import InputError, UnsuitableData

LABELS, ANNOTATORS, LARGEST = 10_000, 100_000, 500
MEASURES = ("krippendorff_alpha", "fleiss_kappa", "gwet_ac", "spa", "percent_agreement")


def crowd(items: int) -> pl.DataFrame:
    """Three annotations an item of a hundred thousand people with ten thousand labels; the first item has five hundred."""
    rng = np.random.default_rng(items)
    sizes = np.full(items, 3)
    sizes[0] = LARGEST
    item = np.repeat(np.arange(items), sizes)
    within = np.arange(len(item)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    who = (np.repeat(rng.integers(0, ANNOTATORS, items), sizes) + within * 191) % ANNOTATORS
    truth = np.repeat(rng.integers(0, LABELS, items), sizes)
    label = np.where(rng.random(len(item)) < 0.6, truth, rng.integers(0, LABELS, len(item)))
    return pl.DataFrame({"item": item, "annotator": who, "label": label}).select(
        pl.format("item {}", "item").alias("item"), pl.format("who {}", "annotator").alias("annotator"),
        pl.format("label {}", "label").alias("label"),
    )  # fmt: skip


def by_hand(frame: pl.DataFrame) -> dict[str, Fraction]:
    """Work the coefficients out from their definitions in whole numbers, one item after the other."""
    items: dict[str, Counter[str]] = {}
    for item, label in frame.select("item", "label").iter_rows():
        items.setdefault(item, Counter())[label] += 1
    sizes = {item: sum(counts.values()) for item, counts in items.items()}
    alike = {item: sum(n * (n - 1) for n in counts.values()) for item, counts in items.items()}
    number, total = len(items), sum(sizes.values())
    share = {item: Fraction(alike[item], sizes[item] * (sizes[item] - 1)) for item in items}
    observed = sum(share.values()) / number
    by_size = sum(sizes[item] * share[item] for item in items) / total
    pooled: Counter[str] = Counter()
    mean: dict[str, Fraction] = {}
    for item, counts in items.items():
        pooled.update(counts)
        for label, n in counts.items():
            mean[label] = mean.get(label, Fraction(0)) + Fraction(n, sizes[item])
    mean = {label: one / number for label, one in mean.items()}
    fleiss = sum(one * one for one in mean.values())
    ac = sum(one * (1 - one) for one in mean.values()) / (len(mean) - 1)
    alpha = Fraction(sum(n * (n - 1) for n in pooled.values()), total * (total - 1))
    return {
        "krippendorff_alpha": (by_size - alpha) / (1 - alpha),
        "fleiss_kappa": (observed - fleiss) / (1 - fleiss),
        "gwet_ac": (observed - ac) / (1 - ac),
        "spa": by_size,
        "percent_agreement": observed,
    }


def test_the_numbers_are_those_of_the_definitions():
    frame = crowd(1_500)
    data = Annotations.from_frame(frame)
    assert data.counts.sizes.max() == LARGEST
    for name, value in by_hand(frame).items():
        options = {"scheme": "annotations"} if name == "spa" else {}
        assert getattr(assent, name)(data, **options).value == pytest.approx(float(value), abs=1e-13), name


@pytest.mark.parametrize("native", ["duckdb", "pyspark"], indirect=True)
def test_other_engines_give_the_same_to_the_last_bit(native):
    frame = crowd(1_500)
    here, there = Annotations.from_frame(frame), Annotations.from_frame(native(frame))
    for name in MEASURES:
        assert repr(getattr(assent, name)(there).value) == repr(getattr(assent, name)(here).value), name
    assert np.array_equal(there.ratings.annotator, here.ratings.annotator)
    assert np.array_equal(there.ratings.label, here.ratings.label)


def peak_of(frame: pl.DataFrame) -> int:
    """Return how many bytes Python and numpy held at most for five measures."""
    tracemalloc.start()
    try:
        data = Annotations.from_frame(frame)
        for name in MEASURES:
            getattr(assent, name)(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_bytes_grow_with_annotations_and_with_no_product():
    small, large = crowd(2_000), crowd(20_000)
    peak_of(small)
    few, many = peak_of(small), peak_of(large)
    # Names of labels and annotators as text, and a few integers an annotation.
    assert few / small.height < 1_500
    assert many / large.height < 1_500
    assert many < 11 * few
    labels, annotators = large["label"].n_unique(), large["annotator"].n_unique()
    # A table of labels by annotators, of one byte a cell, would be this large, and one of labels by items nearly.
    assert many < labels * annotators / 4


def test_an_interval_takes_no_more_bytes_for_ten_times_the_items():
    peaks = []
    for items in (500, 5_000):
        agreement = assent.krippendorff_alpha(crowd(items))
        tracemalloc.start()
        agreement.confidence_interval(method="bootstrap", replicates=50)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # Replicates are taken in blocks of 64 MB, a few of which are held at once.
    assert max(peaks) < 450_000_000


def test_measures_of_pairs_and_of_annotators_refuse_a_crowd_in_one_sentence():
    data = Annotations.from_frame(crowd(2_500))
    for measure in (assent.cohen_kappa, assent.boot_f1, assent.augmented_kappa):
        with pytest.raises(UnsuitableData, match="pairs to compare, more than"):
            measure(data)
    with pytest.raises(UnsuitableData, match="too many for the shares of each label by each annotator"):
        assent.conger_kappa(data)


def test_merging_very_many_labels_needs_no_table_of_labels_by_labels():
    data = Annotations.from_frame(crowd(2_000))
    data.counts  # noqa: B018
    groups = {label: f"group {i % 7}" for i, label in enumerate(data.labels)}
    tracemalloc.start()
    merged = data.merged(groups)
    assert len(merged.counts.labels) == 7
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < len(data.labels) ** 2
    assert merged.counts.items == data.items
    assert assent.percent_agreement(merged).value > assent.percent_agreement(data).value


@pytest.mark.parametrize("native", ["polars-lazy", "duckdb", "pandas", "pyspark"], indirect=True)
def test_kinds_that_share_a_fingerprint_are_noticed_and_told_apart(native, monkeypatch):
    frame = crowd(80)
    expected = Annotations.from_frame(frame)
    assert len(expected.ratings.multiplicities) == len(expected.counts.multiplicities) == 80
    scattered = hashes.scattered
    tried = []

    def careless(rows, roles, seed):
        tried.append(seed)
        made, numbers = scattered(rows, roles, seed)
        if seed == 0:
            # Every label and annotator gets the same number: items of one size look the same.
            numbers = {role: [one * 0 + 1 for one in both] for role, both in numbers.items()}
        return made, numbers

    monkeypatch.setattr("assent.engines.profiling.scattered", careless)
    data = Annotations.from_frame(native(frame))
    ratings = data.ratings
    assert tried == [0, 1]
    assert (data.counts.counts != expected.counts.counts).sum() == 0
    assert np.array_equal(data.counts.multiplicities, expected.counts.multiplicities)
    assert tried == [0, 1, 0, 1]
    assert np.array_equal(ratings.profile, expected.ratings.profile)
    assert np.array_equal(ratings.annotator, expected.ratings.annotator)
    assert np.array_equal(ratings.label, expected.ratings.label)
    monkeypatch.setattr("assent.engines.profiling.scattered", lambda rows, roles, seed: careless(rows, roles, 0))
    with pytest.raises(InputError, match="cannot be told apart"):
        Annotations.from_frame(native(frame)).ratings  # noqa: B018
