"""Very many labels and annotators, and an item that five hundred people labelled: no table of any two of these."""

from __future__ import annotations

import json
import subprocess
import sys
import tracemalloc
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import assent
from assent import Annotations
from assent.engines import hashes
from assent.errors import InputError, UnsuitableData
from assent.inference import derivatives

LABELS, ANNOTATORS, LARGEST = 10_000, 100_000, 500
MEASURES = ("krippendorff_alpha", "fleiss_kappa", "gwet_ac", "spa", "percent_agreement")


def crowd(items: int, labels: int = LABELS) -> pl.DataFrame:
    """Three annotations an item of a hundred thousand people with ten thousand labels; the first item has five hundred."""
    rng = np.random.default_rng(items)
    sizes = np.full(items, 3)
    sizes[0] = LARGEST
    item = np.repeat(np.arange(items), sizes)
    within = np.arange(len(item)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    who = (np.repeat(rng.integers(0, ANNOTATORS, items), sizes) + within * 191) % ANNOTATORS
    truth = np.repeat(rng.integers(0, labels, items), sizes)
    label = np.where(rng.random(len(item)) < 0.6, truth, rng.integers(0, labels, len(item)))
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
    assert data._counts.sizes.max() == LARGEST
    for name, value in by_hand(frame).items():
        options = {"scheme": "annotations"} if name == "spa" else {}
        assert getattr(assent, name)(data, **options).value == pytest.approx(float(value), abs=1e-13), name


@pytest.mark.nightly_on_spark
@pytest.mark.parametrize("native", ["duckdb", "pyspark"], indirect=True)
def test_other_engines_give_the_same_to_the_last_bit(native):
    frame = crowd(1_500)
    here, there = Annotations.from_frame(frame), Annotations.from_frame(native(frame))
    for name in MEASURES:
        assert repr(getattr(assent, name)(there).value) == repr(getattr(assent, name)(here).value), name
    assert np.array_equal(there._ratings.annotator, here._ratings.annotator)
    assert np.array_equal(there._ratings.label, here._ratings.label)


def alphas_without_each_item(frame: pl.DataFrame) -> np.ndarray:
    """Work out Krippendorff's alpha without each item in turn, by what the item takes away from the sums."""
    items: dict[str, Counter[str]] = {}
    for item, label in frame.select("item", "label").iter_rows():
        items.setdefault(item, Counter())[label] += 1
    pooled: Counter[str] = Counter()
    for counts in items.values():
        pooled.update(counts)
    alike = {item: sum(n * (n - 1) for n in counts.values()) / (counts.total() - 1) for item, counts in items.items()}
    agreeing, pairs, total = sum(alike.values()), sum(n * (n - 1) for n in pooled.values()), pooled.total()
    found = []
    for item, counts in items.items():
        rest = total - counts.total()
        left = sum(
            (pooled[label] - n) * (pooled[label] - n - 1) - pooled[label] * (pooled[label] - 1)
            for label, n in counts.items()
        )
        chance = (pairs + left) / (rest * (rest - 1))
        found.append(((agreeing - alike[item]) / rest - chance) / (1 - chance))
    return np.array(found)


def test_standard_errors_are_those_of_leaving_out_each_item_by_hand():
    frame = crowd(1_500)
    without = alphas_without_each_item(frame)
    by_hand = np.sqrt((len(without) - 1) * without.var())
    assert assent.krippendorff_alpha(frame).standard_error(method="jackknife") == pytest.approx(by_hand, rel=1e-9)
    # One item with a tenth of all annotations is more than a derivative can foretell; the others are not.
    frame = frame.filter(pl.col("item") != "item 0")
    without = alphas_without_each_item(frame)
    by_hand = np.sqrt((len(without) - 1) * without.var())
    agreement = assent.krippendorff_alpha(frame)
    assert agreement.standard_error() == pytest.approx(by_hand, rel=0.002)
    assert agreement.standard_error(method="bootstrap", replicates=400) == pytest.approx(by_hand, rel=0.12)


@pytest.mark.nightly
def test_a_derivative_takes_as_many_evaluations_for_twice_the_items(monkeypatch):
    made = []
    original = derivatives._Stepper

    def counting(*arguments):
        made.append(arguments[-1])
        return original(*arguments)

    monkeypatch.setattr(derivatives, "_Stepper", counting)
    evaluations = []
    for items in (15_000, 30_000):
        made.clear()
        assert assent.krippendorff_alpha(crowd(items)).standard_error() > 0
        evaluations.append(len(made))
    # Ten thousand totals, a few hundred at a time.
    assert 10 < evaluations[0] <= evaluations[1] <= evaluations[0] + 1 < 30


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


#: What a process of its own does; tracemalloc does not see what polars holds.
IN_A_PROCESS = """
import json, sys
import polars, scipy.sparse, scipy.stats
import assent

def most():
    # What getrusage tells begins with the size of the process that started this one.
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))

before, told = most(), {}
data = assent.Annotations.from_frame(polars.scan_parquet(sys.argv[1]))
for name in sys.argv[2].split():
    for scale in ("nominal", "interval"):
        if scale in assent.all_measures()[name].scales:
            agreement = assent.all_measures()[name](data, scale=scale)
            agreement.confidence_interval()
            agreement.confidence_interval(method="bootstrap", replicates=8)
            told[name + " " + scale] = most() - before
print(json.dumps(told))
"""


@pytest.mark.nightly
@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="the system does not tell what a process held at most"
)
def test_a_process_holds_some_blocks_and_so_many_bytes_an_annotation(tmp_path):
    # As few labels as leave the tables below too large: derivatives take time for each two of them.
    frame = crowd(20_000, labels=7_000).with_columns(pl.col("label").str.slice(6).cast(pl.Int64))
    frame.write_parquet(tmp_path / "crowd.parquet")
    names = " ".join(name.replace("_", "-") for name in MEASURES)
    command = [sys.executable, "-c", IN_A_PROCESS, str(tmp_path / "crowd.parquet"), names]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    known = [assent.all_measures()[name].scales for name in names.split()]
    assert len(told) == sum(one in scales for scales in known for one in ("nominal", "interval")) > 5
    # Four blocks of 64 MB, and half a kilobyte an annotation.
    limit = 4 * 64_000_000 + 500 * frame.height
    assert max(told.values()) < limit, told
    # A table of labels by labels, or one of labels by annotators of one byte a cell, would not fit.
    labels, annotators = frame["label"].n_unique(), frame["annotator"].n_unique()
    assert limit < min(8 * labels**2, labels * annotators)


@cache
def very_many_labels() -> tuple[pl.DataFrame, Annotations]:
    frame = crowd(12_000).with_columns(pl.col("label").str.slice(6).cast(pl.Int64))
    return frame, Annotations.from_frame(frame)


@pytest.mark.parametrize(
    "measure", [assent.fleiss_kappa, assent.gwet_ac, assent.percent_agreement, assent.krippendorff_alpha]
)
@pytest.mark.parametrize("weights", ["linear", "ordinal", "radical"])
def test_weights_of_labels_by_labels_are_refused_before_they_are_made(measure, weights):
    frame, data = very_many_labels()
    assert len(data.labels) > 8_000
    tracemalloc.start()
    try:
        with pytest.raises(
            UnsuitableData, match=r"distinct labels and \w+ weights compare each with each; up to 5,000"
        ):
            measure(data, weights=weights)
        assert tracemalloc.get_traced_memory()[1] < 1_500 * frame.height < len(data.labels) ** 2
    finally:
        tracemalloc.stop()


def test_alpha_of_very_many_ordered_labels_needs_no_table_of_labels_by_labels():
    frame = crowd(3_000).with_columns(pl.col("label").str.slice(6).cast(pl.Int64))
    data = Annotations.from_frame(frame)
    values = {label: place for place, label in enumerate(sorted(map(int, data.labels)))}
    counts = np.bincount([values[label] for label in frame["label"]], minlength=len(values))
    middle = np.cumsum(counts) - counts / 2
    score = {label: middle[place] for label, place in values.items()}
    tracemalloc.start()
    found = assent.krippendorff_alpha(data, scale="ordinal")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < len(data.labels) ** 2
    # The distance of two labels is the square of how many annotations lie between their middles.
    scored = frame.with_columns(score=pl.col("label").replace_strict(score, return_dtype=pl.Float64))
    apart = scored.group_by("item").agg(
        (pl.len() ** 2 * pl.col("score").var(ddof=0) * 2 / (pl.len() - 1)).alias("apart")
    )
    observed = apart["apart"].sum() / frame.height
    expected = 2 * frame.height / (frame.height - 1) * scored["score"].var(ddof=0)
    assert found.value == pytest.approx(1 - observed / expected, abs=1e-10)


def test_measures_of_pairs_and_of_annotators_refuse_a_crowd_in_one_sentence():
    data = Annotations.from_frame(crowd(2_500))
    for measure in (assent.cohen_kappa, assent.boot_f1, assent.augmented_kappa):
        with pytest.raises(UnsuitableData, match="pairs to compare, more than"):
            measure(data)
    with pytest.raises(UnsuitableData, match="too many for the shares of each label by each annotator"):
        assent.conger_kappa(data)


def test_merging_very_many_labels_needs_no_table_of_labels_by_labels():
    data = Annotations.from_frame(crowd(2_000))
    data._counts  # noqa: B018
    groups = {label: f"group {i % 7}" for i, label in enumerate(data.labels)}
    tracemalloc.start()
    merged = data.merged(groups)
    assert len(merged._counts.labels) == 7
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < len(data.labels) ** 2
    assert merged._counts.n_items == data.n_items
    assert assent.percent_agreement(merged).value > assent.percent_agreement(data).value


@pytest.mark.nightly_on_spark
@pytest.mark.parametrize("native", ["polars-lazy", "duckdb", "pandas", "pyspark"], indirect=True)
def test_kinds_that_share_a_fingerprint_are_noticed_and_told_apart(native, monkeypatch):
    frame = crowd(80)
    expected = Annotations.from_frame(frame)
    assert len(expected._ratings.multiplicities) == len(expected._counts.multiplicities) == 80
    # Rows that are here would be listed and compared one by one.
    monkeypatch.setattr("assent.engines.rows.MOST_COLLAPSED", 10**9)
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
    ratings = data._ratings
    assert tried == [0, 1]
    assert (data._counts.counts != expected._counts.counts).sum() == 0
    assert np.array_equal(data._counts.multiplicities, expected._counts.multiplicities)
    # They follow from who gave which label; by themselves they have fingerprints of their own.
    assert tried == [0, 1]
    counts = Annotations.from_frame(native(frame))._counts
    assert tried == [0, 1, 0, 1]
    assert (counts.counts != expected._counts.counts).sum() == 0
    assert np.array_equal(counts.multiplicities, expected._counts.multiplicities)
    assert np.array_equal(ratings.profile, expected._ratings.profile)
    assert np.array_equal(ratings.annotator, expected._ratings.annotator)
    assert np.array_equal(ratings.label, expected._ratings.label)
    monkeypatch.setattr("assent.engines.profiling.scattered", lambda rows, roles, seed: careless(rows, roles, 0))
    with pytest.raises(InputError, match="cannot be told apart"):
        Annotations.from_frame(native(frame))._ratings  # noqa: B018
