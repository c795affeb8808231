"""How often intervals of mean Spearman over lists hold the true value: tilted weights beside the jackknife.

    python benchmarks/coverage_rankings.py            200 data sets a cell
    python benchmarks/coverage_rankings.py --quick    20

Three annotators rank five objects of each list by a value that they see with a normal error. The true value is that of 200,000 lists.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

import assent
from assent import Rankings
from assent.profiles import Array

RANKINGS, OBJECTS = 3, 5
METHODS = ("etel", "jackknife")


def draw(lists: int, noise: float, rng: np.random.Generator) -> Array:
    """Return ranks: (lists, rankings, objects)."""
    seen = rng.normal(size=(lists, 1, OBJECTS)) + noise * rng.normal(size=(lists, RANKINGS, OBJECTS))
    return np.argsort(np.argsort(seen, axis=2), axis=2) + 1


def mean_spearman(ranks: Array) -> float:
    """Return the mean over lists and pairs of annotators."""
    pairs = [(one, two) for one in range(RANKINGS) for two in range(one + 1, RANKINGS)]
    apart = np.array([((ranks[:, one] - ranks[:, two]) ** 2).sum(axis=1) for one, two in pairs])
    return float((1.0 - 6.0 * apart / (OBJECTS * (OBJECTS**2 - 1))).mean())


def covered(lists: int, noise: float, truth: float, times: int, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Return for each method the percentage of intervals that hold the true value, and their mean width."""
    held, width = np.zeros(len(METHODS)), np.zeros(len(METHODS))
    for _ in range(times):
        ranks = draw(lists, noise, rng)
        places = np.indices(ranks.shape).reshape(3, -1).T.tolist()
        rows = [(*place, rank) for place, rank in zip(places, ranks.ravel().tolist(), strict=True)]
        found = assent.mean_spearman(Rankings.from_rows(rows))
        for at, method in enumerate(METHODS):
            interval = found.confidence_interval(method=method)
            held[at] += interval.low - 1e-12 <= truth <= interval.high + 1e-12
            width[at] += interval.high - interval.low
    return list(zip((100.0 * held / times).tolist(), (width / times).tolist(), strict=True))


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate and print the table."""
    parser = argparse.ArgumentParser(description="How often intervals of mean Spearman hold the true value.")
    parser.add_argument("--quick", action="store_true", help="20 data sets a cell")
    times = 20 if parser.parse_args(arguments).quick else 200
    rng = np.random.default_rng(3)
    print(
        f"| true value | lists | {' | '.join(f'{method} (width)' for method in METHODS)} |\n| --: | --: | --: | --: |"
    )
    for noise in (0.2, 1.0, 3.0):
        truth = mean_spearman(draw(200_000, noise, rng))
        for lists in (5, 10, 20, 50):
            cells = [f"{share:.0f} ({width:.2f})" for share, width in covered(lists, noise, truth, times, rng)]
            print(f"| {truth:.2f} | {lists} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
