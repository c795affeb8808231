"""How often intervals of alpha-u and gamma over documents hold the true value.

    python benchmarks/coverage_spans.py            4,000 samples a cell, a few minutes on one core
    python benchmarks/coverage_spans.py --quick    300, from a small population; prints the table and changes no file

Documents of a population differ in how easy they are: in each there are about eight things, which each of three annotators finds with the
document's probability, cuts a little differently and sometimes calls something else. A sample is some documents of the population; the true
value is that of the whole population, for gamma with other chance samples than the ones that intervals rest on.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import assent
from assent.inference.intervals import normal_interval
from assent.inference.linear import jackknife_standard_error
from assent.inference.sample import Sample
from pages import DOCS, insert, table

LEVEL = 0.95
DOCUMENTS = (3, 5, 10, 20, 50)
WHO = ("ada", "ben", "cem")
LABELS = ("A", "B", "C")


def population(number: int, rng: np.random.Generator) -> assent.Spans:
    """Draw documents, three annotators each."""
    rows, judged, lengths = [], [], {}
    for document in range(number):
        name = f"{document:05}"
        things, ease = int(rng.poisson(8)), rng.beta(6, 2)
        lengths[name] = 20 * things + 20
        length, label = rng.integers(5, 12, things), rng.integers(0, len(LABELS), things)
        for who in WHO:
            judged.append((name, who))
            found = np.flatnonzero(rng.random(things) < ease)
            begin = 20 * found + 3 + rng.integers(-2, 3, len(found))
            end = 20 * found + 3 + length[found] + rng.integers(-2, 3, len(found))
            called = np.where(rng.random(len(found)) < ease, label[found], rng.integers(0, len(LABELS), len(found)))
            rows += [(name, who, int(a), int(b), LABELS[k]) for a, b, k in zip(begin, end, called, strict=True)]
    return assent.Spans.from_rows(rows, judged=judged, lengths=lengths)


def held(found: Any, truth: float, documents: int, samples: int, rng: np.random.Generator) -> float:
    """Return the share of samples whose jackknife interval holds the true value."""
    measure, profiles = assent.all_measures()[found.measure], found.profiles
    options = {name: found.options[name] for name in measure.parameters}
    inside = 0
    for _ in range(samples):
        rows = rng.choice(len(profiles.multiplicities), documents, replace=False)
        some = replace(
            profiles,
            multiplicities=profiles.multiplicities[rows],
            terms=profiles.terms[rows],
            annotators=profiles.annotators[rows],
            documents=documents,
        )
        point = measure.function(some, **options)
        sample = Sample(
            lambda weighting, some=some: measure.function(some.weighted_by(weighting), **options).value,
            some.multiplicities,
        )
        error = np.hypot(jackknife_standard_error(sample), float(point.drawing_error))
        low, high = normal_interval(float(point.value), float(error), LEVEL, documents - 1)
        inside += low <= truth <= high
    return inside / samples


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the simulation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args(arguments)
    number, samples = (200, 300) if asked.quick else (3_000, 4_000)
    rng = np.random.default_rng(1)
    data = population(number, rng)
    values = {
        "alpha-u": (assent.alpha_u(data), assent.alpha_u(data).value),
        "gamma": (assent.gamma(data, samples=30, seed=1), assent.gamma(data, samples=30, seed=2).value),
    }
    rows = [
        [f"{name} (true value {truth:.3f})", *(f"{held(found, truth, many, samples, rng):.3f}" for many in DOCUMENTS)]
        for name, (found, truth) in values.items()
    ]
    made = table(["documents", *map(str, DOCUMENTS)], rows)
    print(made)
    if not asked.quick:
        insert(DOCS / "spans-measures.md", "coverage", made)


if __name__ == "__main__":
    main()
