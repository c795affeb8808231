"""How often intervals of coefficients with quadratic weights hold the true value, on five ordered labels and few items.

    python benchmarks/coverage_steps.py            500 data sets a cell
    python benchmarks/coverage_steps.py --quick    20

An item has a normal value that annotators see with a normal error and cut into five steps. In the second population the highest step is rare, and many
samples lack it; there the whole scale is named or not. The true value is that of 200,000 items.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

import assent
from assent import Annotations
from assent.profiles import Array

CUTS = np.array([-1.0, -0.3, 0.4, 1.1])
LABELS = ["1", "2", "3", "4", "5"]
NAMES = ("percent-agreement", "brennan-prediger", "gwet-ac", "fleiss-kappa", "krippendorff-alpha")
METHODS: dict[str, dict[str, object]] = {
    "etel": {},
    "analytic": {},
    "bootstrap": {"replicates": 400},
}
#: Annotators, their error, how far the cuts are moved, items, and whether the whole scale is named.
CELLS = [
    (3, 0.6, 0.0, 25, False),
    (3, 0.6, 0.0, 50, False),
    (3, 0.6, 0.0, 200, False),
    (4, 0.5, 1.2, 30, False),
    (4, 0.5, 1.2, 30, True),
    (3, 0.3, 0.0, 25, False),
    (2, 0.5, 0.0, 35, False),
]


def draw(items: int, annotators: int, error: float, moved: float, rng: np.random.Generator) -> Array:
    """Return labels as positions: (items, annotators)."""
    seen = rng.normal(size=(items, 1)) + error * rng.normal(size=(items, annotators))
    return np.searchsorted(CUTS + moved, seen)


def agreement(name: str, data: Annotations) -> assent.Agreement:
    """Measure with quadratic weights; alpha on the ordinal scale."""
    options = {"scale": "ordinal"} if name == "krippendorff-alpha" else {"weights": "quadratic"}
    return assent.all_measures()[name](data, **options)


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate and print the table."""
    parser = argparse.ArgumentParser(description="How often intervals with quadratic weights hold the true value.")
    parser.add_argument("--quick", action="store_true", help="20 data sets a cell")
    times = 20 if parser.parse_args(arguments).quick else 500
    rng = np.random.default_rng(5)
    print(f"| cell | coefficient | true value | {' | '.join(METHODS)} |\n| :-- | :-- | --: | {'--: | ' * len(METHODS)}")
    for annotators, error, moved, items, named in CELLS:

        def data_of(labels: Array, named: bool = named) -> Annotations:
            data = Annotations.from_array(np.array(LABELS)[labels].tolist())
            return data.ordered(LABELS) if named else data

        many = data_of(draw(200_000, annotators, error, moved, rng))
        truth = {name: agreement(name, many).value for name in NAMES}
        held = dict.fromkeys(((name, method) for name in NAMES for method in METHODS), 0)
        for _ in range(times):
            data = data_of(draw(items, annotators, error, moved, rng))
            for name in NAMES:
                found = agreement(name, data)
                for method, options in METHODS.items():
                    interval = found.confidence_interval(method=method, **options)
                    held[name, method] += interval.low - 1e-12 <= truth[name] <= interval.high + 1e-12
        cell = f"{items} items, {annotators} annotators, error {error}"
        cell += (", rare step" if moved else "") + (", named" if named else "")
        for name in NAMES:
            shares = " | ".join(f"{100 * held[name, method] / times:.0f}" for method in METHODS)
            print(f"| {cell} | {name} | {truth[name]:.3f} | {shares} |", flush=True)


if __name__ == "__main__":
    main()
