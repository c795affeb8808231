"""How often intervals over items, and over items and annotators, hold what other annotators like these would agree to.

    python benchmarks/coverage_annotators.py            1,000 data sets a cell, some minutes on one core
    python benchmarks/coverage_annotators.py --quick    100; prints the table and changes no file

Annotators are drawn anew for each data set: each knows the true one of three labels with a probability of their own, normal around 0.8, and
else gives one of the others. The true value is that of two annotators drawn at random.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

import assent
from pages import DOCS, insert, table

LABELS = np.array(["a", "b", "c"], dtype=object)
SKILL = 0.8
DESIGNS = ((100, 3), (100, 5), (500, 5), (500, 10))
SPREADS = (0.0, 0.05, 0.1, 0.2)


def skills(spread: float, size: int, rng: np.random.Generator) -> np.ndarray:
    """Draw how often annotators know the label; nobody is always right, nor worse than chance."""
    return np.clip(rng.normal(SKILL, spread, size), 1 / 3, 1.0)


def true_value(spread: float, rng: np.random.Generator) -> float:
    """Return the alpha of two annotators drawn at random, who agree if both are right or give the same wrong label."""
    mean = float(skills(spread, 1_000_000, rng).mean())
    return (mean**2 + (1 - mean) ** 2 / 2 - 1 / 3) / (2 / 3)


def held(items: int, annotators: int, spread: float, data_sets: int, seed: int) -> tuple[float, float]:
    """Return the percentage of data sets in which either interval holds the true value."""
    rng = np.random.default_rng([seed, items, annotators, round(1000 * spread)])
    truth = true_value(spread, rng)
    found = np.zeros(2)
    for _ in range(data_sets):
        label = rng.integers(0, 3, (items, 1))
        wrong = (label + rng.integers(1, 3, (items, annotators))) % 3
        known = rng.random((items, annotators)) < skills(spread, annotators, rng)
        data = assent.Annotations.from_array(LABELS[np.where(known, label, wrong)].tolist())
        for place, generalise in enumerate(("items", "annotators")):
            made = assent.measure(data, "krippendorff-alpha", generalise=generalise)
            low, high = made.measures[0].ends
            found[place] += low is not None and high is not None and low <= truth <= high
    first, second = 100 * found / data_sets
    return float(first), float(second)


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="100 data sets; change no file")
    parser.add_argument("--data-sets", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    data_sets = 100 if options.quick else options.data_sets
    rows = []
    for items, annotators in DESIGNS:
        shares = [held(items, annotators, spread, data_sets, options.seed) for spread in SPREADS]
        cells = [" · ".join(f"{one[place]:.0f}" for one in shares) for place in range(2)]
        rows.append([f"{items} items, {annotators} annotators", *cells])
    head = [f"skill sd {' · '.join(f'{one:g}' for one in SPREADS)}", "over items", "over items and annotators"]
    text = f"Percent of {data_sets:,} data sets.\n\n{table(head, rows)}"
    print(text)
    if not options.quick:
        insert(DOCS / "intervals.md", "annotators", text)


if __name__ == "__main__":
    main()
