"""How often intervals of span F1, alpha-u and gamma over documents hold the true value.

    python benchmarks/coverage_spans.py            2,000 samples a cell, several minutes on one core
    python benchmarks/coverage_spans.py --quick    300, from a small population; prints the table and changes no file

Documents of a population differ in how easy they are: in each there are about eight things, which each of three annotators finds with the
document's probability, cuts a little differently and sometimes calls something else; documents are hard, middling or easy. A sample is some documents of the population; the true
value is that of the whole population, for gamma with other chance samples than the ones that intervals rest on.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace

import assent
from assent.inference.pseudo import with_pseudo_sums
from assent.inference.sample import PaddedSample, Sample
from assent.measures.results import Estimate
from pages import DOCS, insert, table

LEVEL = 0.95
DOCUMENTS = (3, 5, 10, 20, 50)
WHO = ("ada", "ben", "cem")
LABELS = ("A", "B", "C")
#: How easy documents are: parameters of a beta distribution.
POPULATIONS = {"hard": (3.0, 3.0), "middling": (6.0, 2.0), "easy": (30.0, 1.0)}
METHODS = ("etel", "jackknife")


def slips(rng: np.random.Generator, number: int, ease: float) -> np.ndarray:
    """Draw how far ends are off: not at all in most easy documents, up to two positions."""
    return np.where(rng.random(number) < ease, 0, rng.integers(-2, 3, number))


def population(number: int, rng: np.random.Generator, beta: tuple[float, float]) -> assent.Spans:
    """Draw documents, three annotators each."""
    rows, judged, lengths = [], [], {}
    for document in range(number):
        name = f"{document:05}"
        things, ease = int(rng.poisson(8)), rng.beta(*beta)
        lengths[name] = 20 * things + 20
        length, label = rng.integers(5, 12, things), rng.integers(0, len(LABELS), things)
        for who in WHO:
            judged.append((name, who))
            found = np.flatnonzero(rng.random(things) < ease)
            begin = 20 * found + 3 + slips(rng, len(found), ease)
            end = 20 * found + 3 + length[found] + slips(rng, len(found), ease)
            called = np.where(rng.random(len(found)) < ease, label[found], rng.integers(0, len(LABELS), len(found)))
            rows += [(name, who, int(a), int(b), LABELS[k]) for a, b, k in zip(begin, end, called, strict=True)]
    return assent.Spans.from_rows(rows, judged=judged, lengths=lengths)


def _same(sample: PaddedSample) -> PaddedSample:
    return sample


def held(found: Any, truth: float, documents: int, samples: int, rng: np.random.Generator) -> dict[str, float]:
    """Return the share of samples whose interval holds the true value, by method."""
    measure, profiles = assent.all_measures()[found.measure], found.profiles
    options = {name: found.options[name] for name in measure.parameters}
    inside = dict.fromkeys(METHODS, 0)
    for _ in range(samples):
        rows = rng.choice(len(profiles.multiplicities), documents, replace=False)
        some = replace(
            profiles,
            multiplicities=profiles.multiplicities[rows],
            terms=profiles.terms[rows],
            annotators=profiles.annotators[rows],
            n_documents=documents,
        )

        def statistic_of(sums: Any) -> Any:
            return lambda weighting: measure.function(sums.weighted_by(weighting), **options).value

        with np.errstate(divide="ignore", invalid="ignore"):
            point = measure.function(some, **options)
            padded = with_pseudo_sums(some, *some.pseudo_document())
            tilted = PaddedSample(statistic_of(padded.profiles), padded.weights)
            estimate = Estimate(
                value=float(point.value),
                sample=Sample(statistic_of(some), some.multiplicities),
                drawing_error=float(point.drawing_error),
                padded=partial(_same, tilted),
            )
            for method in METHODS:
                interval = estimate.confidence_interval(LEVEL, method=method)
                inside[method] += interval.low <= truth <= interval.high
    return {method: many / samples for method, many in inside.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the simulation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--samples", type=int, help="so many samples a cell")
    asked = parser.parse_args(arguments)
    number, samples = (200, 300) if asked.quick else (2_000, 2_000)
    samples = asked.samples or samples
    rng = np.random.default_rng(1)
    rows = []
    for ease, beta in POPULATIONS.items():
        data = population(number, rng, beta)
        values = {
            "span-f1": (assent.span_f1(data), assent.span_f1(data).value),
            "alpha-u": (assent.alpha_u(data), assent.alpha_u(data).value),
            "gamma": (assent.gamma(data, samples=30, seed=1), assent.gamma(data, samples=30, seed=2).value),
        }
        for name, (found, truth) in values.items():
            cells = [held(found, truth, many, samples, rng) for many in DOCUMENTS]
            for method in METHODS:
                rows.append(
                    [f"{name}, {ease} (true value {truth:.3f})", method, *(f"{cell[method]:.3f}" for cell in cells)]
                )
                print(rows[-1], flush=True)
    made = table(["documents", "method", *map(str, DOCUMENTS)], rows, text_columns=2)
    print(made)
    if not asked.quick:
        insert(DOCS / "spans-measures.md", "coverage", made)


if __name__ == "__main__":
    main()
