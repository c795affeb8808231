"""What the default interval costs beside 100 bootstrap replicates of the same coefficient.

    python benchmarks/intervals.py            tables of 25 to 20,000 items; half a minute
    python benchmarks/intervals.py --quick    fewer of them

The default interval is compared with the interval by BCa from 100 replicates, and with drawing these replicates alone, in processor time, best of several,
one after the other in one process: the first interval of a table, and a later one, for which the pseudo-item is at hand.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

if not __package__:
    # This folder holds a file with the name of a well-known package, which must not be found first.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import numpy as np
from benchmarks.pages import table

import assent

MEASURES = ("krippendorff-alpha", "cohen-kappa", "gwet-ac", "percent-agreement", "conger-kappa", "spa-kappa")
#: Items, annotators, labels.
SIZES = tuple((items, *team) for items in (25, 200, 2_000, 20_000) for team in ((2, 2), (3, 4), (5, 5)))


def labels(items: int, annotators: int, count: int, seed: int = 0) -> list[list[str]]:
    """Draw annotators who know four items of five."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, count, (items, 1))
    said = np.where(rng.random((items, annotators)) < 0.8, truth, rng.integers(0, count, (items, annotators)))
    return [[str(one) for one in row] for row in said]


def numbers(items: int, seed: int = 1) -> list[list[float]]:
    """Draw two annotators who measure, each item with numbers of its own."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(items, 1))
    return [[round(float(one), 3) for one in row] for row in truth + 0.3 * rng.normal(size=(items, 2))]


def cost(agreement: Any, rounds: int) -> list[float]:
    """Return milliseconds of: the first interval, a later one, one by BCa from 100 replicates, and the replicates alone."""

    def anew(*, first: bool = False) -> Any:
        if first:
            agreement.profiles.kept_results.clear()
            agreement.on_profiles(agreement.profiles)
        return replace(agreement, sample=replace(agreement.sample), _drawn={})

    ways: list[tuple[bool, Callable[[Any], Any]]] = [
        (True, lambda one: one.confidence_interval()),
        (False, lambda one: one.confidence_interval()),
        (False, lambda one: one.confidence_interval(method="bootstrap", replicates=100, seed=1)),
        (False, lambda one: one.bootstrap(replicates=100, seed=1)),
    ]
    best = [np.inf] * len(ways)
    for _ in range(rounds):
        for place, (first, way) in enumerate(ways):
            one = anew(first=first)
            start = time.process_time()
            way(one)
            best[place] = min(best[place], time.process_time() - start)
    return [1000.0 * float(one) for one in best]


def main(argv: Sequence[str] | None = None) -> int:
    """Time the intervals and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args(argv).quick
    cases: list[tuple[str, Callable[[], Any]]] = [
        (
            f"{items:,} items, {annotators} annotators, {count} labels: {name}",
            lambda n=name, s=(items, annotators, count): assent.all_measures()[n](labels(*s)),
        )
        for items, annotators, count in SIZES[: 3 if quick else None]
        for name in MEASURES
    ]
    if not quick:
        cases += [
            ("200, 3, 5, quadratic weights: percent-agreement", lambda: assent.percent_agreement(labels(200, 3, 5), weights="quadratic")),
            ("200, 3, 5, interval scale: krippendorff-alpha", lambda: assent.krippendorff_alpha(labels(200, 3, 5), scale="interval")),
            ("1,000, 2, 100: krippendorff-alpha", lambda: assent.krippendorff_alpha(labels(1000, 2, 100))),
            ("1,000, 2, 100: cohen-kappa", lambda: assent.cohen_kappa(labels(1000, 2, 100))),
            ("1,000, 10, 10: cohen-kappa", lambda: assent.cohen_kappa(labels(1000, 10, 10))),
            ("300 pairs of numbers, interval scale: krippendorff-alpha", lambda: assent.krippendorff_alpha(numbers(300), scale="interval")),
            ("300 pairs of numbers: icc", lambda: assent.icc(numbers(300))),
        ]  # fmt: skip
    rows = []
    for name, make in cases:
        first, later, bca, draws = cost(make(), 5 if quick else 30)
        times = [f"{one:.2f}" for one in (first, later, bca, draws)]
        rows.append([name, *times, f"{first / bca:.2f}", f"{later / bca:.2f}", f"{first / draws:.2f}"])
    heads = ["table", "first", "later", "BCa", "draws", "first / BCa", "later / BCa", "first / draws"]
    print(table(heads, rows, text_columns=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
