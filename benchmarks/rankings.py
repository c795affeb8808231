"""Rankings beside the PyPI package `rbo` and scipy: `python benchmarks/rankings.py [--quick]`.

Equal answers first: rank-biased overlap of random orders (extrapolated, no ties), tau-b and weighted tau of scores with ties. Then seconds for
the same pairs; and whole processes of `assent measure` with a bootstrap of 1,000 replicates over 10,000 lists of 20 objects by five annotators, in
units of one that reads the file.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from scipy.stats import kendalltau, weightedtau

from assent.data.ranking_profiles import midranks
from assent.measures._orders import kendall, rbo_bounds, top_tau
from environments import installed, interpreter
from processes import assent, best, machine, python, run

LISTS, OBJECTS, ANNOTATORS, PAIRS = 10_000, 20, 5, 2_000
MEASURES = ("mean-spearman", "mean-kendall", "kendall-w", "rbo", "tau-ap", "weighted-tau")
THEIRS = """
import json, sys, time, rbo
pairs = json.load(open(sys.argv[1]))
began = time.perf_counter()
values = [rbo.RankingSimilarity(x, y).rbo_ext(p=0.9) for x, y in pairs]
print(json.dumps([time.perf_counter() - began, values]))
"""


def each(statistic: Callable[..., Any], scores: np.ndarray) -> np.ndarray:
    """Return the statistic of one pair after the other."""
    return np.array([statistic(x, y).statistic for x, y in zip(*scores, strict=True)])


def timed(make: Callable[[], np.ndarray]) -> tuple[float, np.ndarray]:
    """Return the best of three, and the values."""
    seconds = []
    for _ in range(3):
        began = time.perf_counter()
        values = make()
        seconds.append(time.perf_counter() - began)
    return min(seconds), values


def compare(pairs: int) -> None:
    """Compare values, then seconds, of pairs of orders."""
    rng = np.random.default_rng(0)
    orders = np.array([rng.permutation(OBJECTS) for _ in range(2 * pairs)]).reshape(2, pairs, OBJECTS)
    positions = np.argsort(orders, axis=-1) + 1.0
    ours, values = timed(lambda: rbo_bounds(*positions, p=0.9, ties="a")[:, 0])
    wrong = installed("rbo", None, "rankings")
    if wrong is None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "pairs.json"
            path.write_text(json.dumps(orders.transpose(1, 0, 2).tolist()))
            done = subprocess.run(
                [str(interpreter("rankings")), "-c", THEIRS, str(path)], check=True, capture_output=True, text=True
            )
        seconds, theirs = json.loads(done.stdout)
        assert np.allclose(values, theirs, atol=1e-9), "rank-biased overlap differs"
        print(
            f"rbo, {pairs:,} pairs: equal; rbo (PyPI) {seconds:.3f} s, assent {ours:.4f} s, {seconds / ours:,.0f} times"
        )
    else:
        print(f"rbo (PyPI) is not there: {wrong}")
    scores = rng.integers(0, 12, (2, pairs, OBJECTS)).astype(float)
    ranks = midranks(-scores)
    for name, function, reference in (("tau-b", kendall, kendalltau), ("weighted tau", top_tau, weightedtau)):
        own, found = timed(partial(function, *ranks))
        theirs_, other = timed(partial(each, reference, scores))
        assert np.allclose(found, other, atol=1e-12, equal_nan=True), f"{name} differs"
        print(f"{name}, {pairs:,} pairs: equal; scipy {theirs_:.3f} s, assent {own:.4f} s, {theirs_ / own:,.0f} times")


def whole(lists: int) -> None:
    """Time whole processes beside one that reads the file."""
    rng = np.random.default_rng(0)
    noisy = rng.random((lists, 1, OBJECTS)) + rng.normal(0, 0.3, (lists, ANNOTATORS, OBJECTS))
    ranks = noisy.argsort(-1).argsort(-1) + 1
    item, who, thing = (one.ravel() for one in np.indices(ranks.shape))
    frame = pl.DataFrame({"item": item, "annotator": who, "object": thing, "rank": ranks.ravel()})
    frame = frame.with_columns(pl.format("q{}", "item").alias("item"), pl.format("j{}", "annotator").alias("annotator"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rankings.csv"
        frame.write_csv(path)
        columns = (
            "--item",
            "item",
            "--annotator",
            "annotator",
            "--object",
            "object",
            "--rank",
            "rank",
            "--ci",
            "bootstrap",
        )
        reading = best([run(python("import assent, sys; assent.read(sys.argv[1])", path)) for _ in range(3)])
        print(f"{lists:,} lists x {OBJECTS} objects x {ANNOTATORS} annotators; reading {reading.wall:.2f} s")
        for name in MEASURES:
            one = best([run(assent("measure", path, *columns, "-m", name, "--json")) for _ in range(3)])
            print(
                f"  {name}: {one.wall:.2f} s, {one.wall / reading.wall:.2f} times reading ({one.processor / reading.processor:.2f} of processor time), "
                f"{one.peak / 1e6:,.0f} MB"
            )


def main() -> None:
    """Compare, then time."""
    parser = argparse.ArgumentParser(description="Rankings beside rbo and scipy.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    quick = parser.parse_args().quick
    print(machine())
    compare(PAIRS // 10 if quick else PAIRS)
    whole(LISTS // 10 if quick else LISTS)


if __name__ == "__main__":
    main()
