"""Speed is guarded by counts, never by seconds: passes, rows that leave the engine, modules, bytes, weights that are drawn."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tracemalloc

import numpy as np
import polars as pl
import pytest

import assent
from assent.engines import sorting, track_transfers
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


def queries(frame) -> list[tuple[str, int]]:
    seen = []
    with track_transfers(seen.append):
        data = assent.Annotations.from_frame(frame)
        assent.krippendorff_alpha(data).confidence_interval(method="bootstrap", replicates=20)
        assent.fleiss_kappa(data).confidence_interval()
        assent.cohen_kappa(data).confidence_interval()
    return [(one.question, one.rows) for one in seen]


@pytest.mark.parametrize("native", ["polars", "polars-lazy", "duckdb", "pandas"], indirect=True)
def test_passes_and_rows_do_not_grow_with_the_data(native):
    small, large = queries(native(table(2_000))), queries(native(table(20_000)))
    # Three annotators and four labels give 20 kinds of items by label counts and 64 by who said what.
    expected = [("labels", 4), ("annotators", 3), ("repeated pairs", 1), ("profiles", 20), ("profiles", 64)]
    if large[2][0] != "repeated pairs":
        # Whoever is not polars finds repeated pairs on the way.
        del expected[2]
    assert small == large == expected


def test_a_consensus_asks_for_the_annotations_once_and_counts_nothing_again():
    for items in (200, 2_000):
        seen = []
        with track_transfers(seen.append):
            found = assent.consensus(assent.Annotations.from_frame(table(items)))
            found.document(), found.to_dict()
        asked = [(one.question, one.rows) for one in seen]
        assert asked == [("labels", 4), ("annotators", 3), ("repeated pairs", 1), ("annotations", 3 * items)]


def peak_of(action) -> int:
    """Return how many bytes Python and numpy held at most beyond what was there before; polars' own are not seen."""
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_bytes_do_not_grow_with_the_data_where_profiles_do_not(monkeypatch):
    def measure(frame):
        data = assent.Annotations.from_frame(frame)
        assent.krippendorff_alpha(data).confidence_interval(method="bootstrap", replicates=200)
        assent.cohen_kappa(data).confidence_interval()

    measure(table(100))  # What is imported on the way counts for nobody.
    small, large = (peak_of(lambda items=items: measure(table(items))) for items in (3_000, 30_000))
    # The tables themselves are made inside, from numpy: 24 bytes a row at a time, five columns of them.
    rows = 3 * (30_000 - 3_000)
    assert large - small < rows * 24 * 5 + 500_000
    # Beyond the rows that are added up together, only the eight bytes by which each row is put in order count.
    monkeypatch.setattr(sorting, "CHUNK", 3_000)
    frames = [table(items) for items in (3_000, 30_000)]
    small, large = (peak_of(lambda frame=frame: measure(frame)) for frame in frames)
    assert large < small + rows * 8 + 200_000
    assert large < 4_000_000


@pytest.mark.parametrize("items", [3_000, 30_000])
def test_a_listing_takes_so_many_bytes_a_row_and_no_more(items):
    data = assent.Annotations.from_frame(table(items))
    data.to_rows()
    # Three positions of 8 bytes an annotation, and a name of up to 60 an item.
    assert peak_of(data.to_rows) < 3 * items * 24 + items * 150 + 300_000


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


#: What a measurement of a file needs none of.
NOT_NEEDED = (
    "altair", "duckdb", "fastexcel", "hypothesis", "ibis", "jinja2", "pandas", "pyarrow", "pydantic", "pyspark", "rich",
    "scipy", "vl_convert",
)  # fmt: skip
MODULES = """
import json, sys
from assent.cli.app import run
sys.argv = ["assent", "measure", *sys.argv[1:], "--json"]
try:
    run()
except SystemExit:
    pass
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def test_the_modules_that_a_measurement_imports_do_not_depend_on_the_data(tmp_path):
    imported = []
    for items in (50, 5_000):
        path = tmp_path / f"{items}.parquet"
        table(items).write_parquet(path)
        done = subprocess.run([sys.executable, "-c", MODULES, str(path)], capture_output=True, text=True, timeout=120)
        assert json.loads(done.stdout)["data"]["items"] == items
        imported.append({name for name in json.loads(done.stderr.splitlines()[-1]) if not name.startswith("encodings")})
    small, large = imported
    # Polars asks for masks of columns that are made from arrays; few items are counted before any are.
    assert small == large - {"numpy.ma", "numpy.ma.core", "numpy.ma.extras"}
    assert not {name.split(".")[0] for name in large} & set(NOT_NEEDED)
    ours = {name for name in large if name.split(".")[0] == "assent"}
    # One of them checks that a Parquet file says the truth about its sizes, which other formats need not.
    assert len(ours - {"assent.readers.parquet_checks"}) <= 150, sorted(ours)
    assert len(large) <= 760
    unneeded = ("reports", "analyses.monitor", "analyses.plan", "analyses.consensus")
    assert not {f"assent.{name}" for name in unneeded} & ours


def test_starting_up_to_measure_one_coefficient_imports_little(tmp_path):
    """Most files are small, and then starting up is nearly everything."""
    path = tmp_path / "small.csv"
    table(50).write_csv(path)
    command = [sys.executable, "-c", MODULES, str(path), "-m", "krippendorff-alpha", "--ci", "none"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    modules = set(json.loads(done.stderr.splitlines()[-1]))
    assert not {name.split(".")[0] for name in modules} & set(NOT_NEEDED)
    assert len({name for name in modules if name.split(".")[0] == "assent"}) <= 140
    assert len(modules) <= 730
    # A table of labels needs none of the other kinds of data.
    others = ("spans", "held_spans", "span_cleaning", "rankings", "preferences")
    assert not {f"assent.data.{name}" for name in others} & modules
    analyses = {name.removeprefix("assent.analyses.") for name in modules if name.startswith("assent.analyses.")}
    assert {name.split(".")[0] for name in analyses} <= {
        "baseline", "gates", "generalise", "interpretation", "measure", "recommend", "thresholds",
    }  # fmt: skip


def test_the_interval_of_the_icc_needs_no_mathematics_of_others(tmp_path):
    path = tmp_path / "scores.csv"
    table(3_000).with_columns(pl.int_range(pl.len()).hash(1).mod(900).alias("label")).write_csv(path)
    command = [sys.executable, "-c", MODULES, str(path), "-m", "icc", "--scale", "interval", "--ci", "analytic"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert json.loads(done.stdout)["measures"][0]["ci"]["method"] == "analytic"
    assert not {name.split(".")[0] for name in json.loads(done.stderr.splitlines()[-1])} & set(NOT_NEEDED)


def test_a_majority_needs_no_mathematics_of_others(tmp_path):
    path = tmp_path / "small.csv"
    table(50).write_csv(path)
    code = MODULES.replace('"measure"', '"consensus"')
    command = [sys.executable, "-c", code, str(path), "--method", "majority"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert len(json.loads(done.stdout)["consensus"]["items"]) == 50
    assert "scipy" not in json.loads(done.stderr.splitlines()[-1])


#: Makes six arrays of 16 MB and gives them up, ten times, and tells how many pages the system had to give for the last nine times.
PAGES = """
import resource
import assent.cli
assent.cli._keep_memory()
import numpy as np
def six():
    return [np.ones(2**21) for _ in range(6)]
six()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(9):
    six()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries are not asked")
def test_arrays_take_the_place_of_those_that_are_gone():
    settings = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    # One array has 4,096 pages.
    settings["NUMPY_MADVISE_HUGEPAGE"] = "0"
    done = subprocess.run([sys.executable, "-c", PAGES], capture_output=True, text=True, timeout=120, env=settings)
    assert int(done.stdout.splitlines()[-1]) < 4_096
