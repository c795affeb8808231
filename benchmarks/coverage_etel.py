"""How often intervals by tilted weights hold the true value, beside the analytic interval and the BCa bootstrap.

    python benchmarks/coverage_etel.py            eight rounds of 50 data sets a cell, about twenty-five minutes on one core
    python benchmarks/coverage_etel.py --quick    one round; prints the tables and changes no file

The populations are harder than those of coverage.py: 20 to 200 items, labels as uneven as 99:1, coefficients from 0.1 to 0.97, many
labels, many annotators, numbers, documents. Every true value is known exactly. The tables go to docs/intervals.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import assent
from assent import Agreement, Annotations
from assent.profiles import Array
from pages import DOCS, insert, table
from populations import Clustered, Plain, answers

#: Data sets of a cell in a round, and rounds.
ROUND, ROUNDS = 50, 8
REPLICATES = 1000
GOOD = (92.0, 98.0)
METHODS: dict[str, dict[str, Any]] = {
    "etel": {"method": "etel"},
    "analytic": {"method": "analytic"},
    "BCa": {"method": "bootstrap", "kind": "bca"},
}

ALPHA, COHEN, FLEISS, AC, PERCENT = (
    "krippendorff-alpha", "cohen-kappa", "fleiss-kappa", "gwet-ac", "percent-agreement",
)  # fmt: skip
FIVE = (0.1, 0.2, 0.4, 0.2, 0.1)
ZIPF = tuple(1 / rank / sum(1 / one for one in range(1, 11)) for rank in range(1, 11))

Statistic = Callable[[Annotations], Agreement]
Draw = Callable[[int, int, np.random.Generator], Iterator[Annotations]]


@dataclass(frozen=True, kw_only=True)
class Population:
    """How data sets are drawn, and the true values of what is measured in them."""

    title: str
    draw: Draw
    measured: Mapping[str, tuple[Statistic, float]]
    sizes: Sequence[int] = (20, 30, 50, 200)
    section: str = "tilted others"


def _measure(name: str, **options: Any) -> Statistic:
    return lambda data: assent.measure(data, name, **options)


def labelled(shares: Sequence[float], kappa: float, annotators: int) -> Draw:
    """Annotators who know the true label of an item with the root of `kappa` as probability, and else draw one."""
    names = np.array([str(place + 1) for place in range(len(shares))], dtype=object)
    chances = np.asarray(shares)

    def draw(size: int, times: int, rng: np.random.Generator) -> Iterator[Annotations]:
        for _ in range(times):
            truth = rng.choice(len(chances), size=(size, 1), p=chances)
            other = rng.choice(len(chances), size=(size, annotators), p=chances)
            known = rng.random((size, annotators)) < kappa**0.5
            yield Annotations.from_array(names[np.where(known, truth, other)].tolist())

    return draw


def valued(correlation: float, annotators: int, *, skewed: bool) -> Draw:
    """Annotators who give the value of an item (normal, or exponential) with an independent normal error."""

    def draw(size: int, times: int, rng: np.random.Generator) -> Iterator[Annotations]:
        for _ in range(times):
            value = rng.exponential(size=(size, 1)) if skewed else rng.normal(size=(size, 1))
            error = rng.normal(size=(size, annotators)) * (1.0 / correlation - 1.0) ** 0.5
            yield Annotations.from_array(np.round(value + error, 3).tolist())

    return draw


def two_annotators(title: str, shares: Sequence[float], kappa: float) -> Population:
    """Two labels, two annotators, five measures."""
    squares = sum(share**2 for share in shares)
    observed = kappa + (1.0 - kappa) * squares
    truths = {ALPHA: kappa, COHEN: kappa, FLEISS: kappa, AC: (observed - 1.0 + squares) / squares, PERCENT: observed}
    measured = {name: (_measure(name), truth) for name, truth in truths.items()}
    return Population(
        title=title, draw=labelled(shares, kappa, 2), measured=measured, section=f"tilted two labels {title}"
    )


def many(title: str, shares: Sequence[float], kappa: float, annotators: int) -> Population:
    """Many labels or many annotators."""
    observed = kappa + (1.0 - kappa) * sum(share**2 for share in shares)
    truths = {ALPHA: kappa, COHEN: kappa, PERCENT: observed}
    measured = {name: (_measure(name), truth) for name, truth in truths.items()}
    return Population(title=title, draw=labelled(shares, kappa, annotators), measured=measured, sizes=(20, 50, 200))


def numbers(correlation: float, *, skewed: bool) -> Population:
    """Three annotators who give numbers, none of them leaning."""
    measured = {
        "icc 2,1": (_measure("icc"), correlation),
        "alpha, interval": (_measure(ALPHA, scale="interval"), correlation),
    }
    title = f"{'exponential' if skewed else 'normal'} values, 3 annotators"
    return Population(title=title, draw=valued(correlation, 3, skewed=skewed), measured=measured, sizes=(20, 50, 200))


def ordered(accuracy: float) -> Population:
    """Five ordered labels, three annotations, a part of which slips to a neighbour."""
    slip = (1.0 - accuracy) * 2.0 / 3.0
    names = [str(place + 1) for place in range(len(FIVE))]
    known = Plain(labels=names, classes=np.asarray(FIVE), given=answers(FIVE, accuracy, slip), sizes={3: 1.0})
    (whole,) = known.whole()
    statistics = {f"alpha, {scale}": _measure(ALPHA, scale=scale) for scale in ("nominal", "ordinal", "interval")}
    measured = {name: (one, one(whole).value) for name, one in statistics.items()}

    def draw(size: int, times: int, rng: np.random.Generator) -> Iterator[Annotations]:
        for (data,) in known.draw(size, times, rng):
            yield data

    return Population(title="five ordered labels, 3 annotators", draw=draw, measured=measured, sizes=(20, 50, 200))


def documents(clear: float, muddled: float) -> Population:
    """Documents of eight items with a topic, all of which are clear or all muddled."""
    shares = (0.5, 0.3, 0.2)
    topics = 0.25 + 0.25 * np.eye(3)
    given = np.vstack([answers(shares, clear), answers(shares, muddled)])
    kinds = np.vstack([np.hstack([topics, 0 * topics]), np.hstack([0 * topics, topics])])
    known = Clustered(labels=("1", "2", "3"), kinds=kinds, given=given, sizes={3: 1.0}, lengths=(8,))
    _, whole = known.whole()
    measured = {name: (_measure(name), _measure(name)(whole).value) for name in (ALPHA, PERCENT)}

    def draw(size: int, times: int, rng: np.random.Generator) -> Iterator[Annotations]:
        for _, data in known.draw(size, times, rng):
            yield data

    return Population(title="documents of 8 items, 3 annotators", draw=draw, measured=measured, sizes=(20, 25, 50))


def populations() -> list[Population]:
    """List everything that is simulated."""
    found = [
        two_annotators(title, shares, kappa)
        for title, shares in (("balanced", (0.5, 0.5)), ("95:5", (0.95, 0.05)), ("99:1", (0.99, 0.01)))
        for kappa in (0.1, 0.3, 0.6, 0.9, 0.97)
    ]
    found += [many("ten labels (zipf), 2 annotators", ZIPF, kappa, 2) for kappa in (0.3, 0.6, 0.9)]
    found += [many("balanced, 10 annotators", (0.5, 0.5), kappa, 10) for kappa in (0.3, 0.6, 0.9)]
    found += [many("90:10, 10 annotators", (0.9, 0.1), kappa, 10) for kappa in (0.3, 0.6, 0.9)]
    found += [ordered(accuracy) for accuracy in (0.4, 0.7, 0.95)]
    found += [numbers(correlation, skewed=skewed) for skewed in (False, True) for correlation in (0.3, 0.6, 0.9, 0.97)]
    found += [documents(0.95, 0.55), documents(0.99, 0.9)]
    return found


@dataclass(eq=False)
class Tally:
    """What became of the intervals of one statistic in data sets of one size."""

    truth: float
    held: Array = field(default_factory=lambda: np.zeros(len(METHODS)))
    missing: Array = field(default_factory=lambda: np.zeros(len(METHODS)))
    width: Array = field(default_factory=lambda: np.zeros(len(METHODS)))
    beyond: Array = field(default_factory=lambda: np.zeros(len(METHODS)))

    def add(self, other: Tally) -> None:
        """Count what another round found, too."""
        for part in ("held", "missing", "width", "beyond"):
            getattr(self, part)[:] += getattr(other, part)


def run(population: Population, data_sets: int, seed: int) -> dict[tuple[str, int], Tally]:
    """Draw data sets and count the intervals that hold the true value, by statistic and size."""
    tallies = {}
    for size in population.sizes:
        for name, (_, truth) in population.measured.items():
            tallies[name, size] = Tally(truth)
        known = round(1e6 * next(truth for _, truth in population.measured.values()))
        rng = np.random.default_rng([seed, size, known, *population.title.encode()])
        for number, data in enumerate(population.draw(size, data_sets, rng)):
            for name, (statistic, truth) in population.measured.items():
                _count(tallies[name, size], statistic(data), truth, number)
    return tallies


def _count(tally: Tally, agreement: Agreement, truth: float, seed: int) -> None:
    for place, how in enumerate(METHODS.values()):
        interval = agreement.confidence_interval(**how, replicates=REPLICATES, seed=seed)
        if np.isnan(interval.low):
            tally.missing[place] += 1
            continue
        # A limit that is the true value but for rounding holds it.
        tally.held[place] += interval.low - 1e-12 <= truth <= interval.high + 1e-12
        tally.width[place] += interval.high - interval.low
        tally.beyond[place] += interval.high > 1.0 + 1e-12


Done = Sequence[tuple[Population, dict[tuple[str, int], Tally]]]


def rendered(section: str, done: Done, data_sets: int) -> str:
    """Write the table of one section; a share outside 92 to 98 % is in bold."""
    rows = []
    for population, tallies in done:
        if population.section != section:
            continue
        for place, name in enumerate(population.measured):
            sizes = [tallies[name, size] for size in population.sizes]
            cells = [" · ".join(_cell(100.0 * one.held[m] / data_sets) for one in sizes) for m in range(len(METHODS))]
            title = population.title + (f" ({', '.join(map(str, population.sizes))})" if "others" in section else "")
            rows.append([title if place == 0 else "", name, f"{sizes[0].truth:.3f}", *cells])
    return table(["population", "statistic", "true value", *METHODS], rows, text_columns=2)


def _cell(share: float) -> str:
    return f"{share:.0f}" if GOOD[0] <= share <= GOOD[1] else f"**{share:.0f}**"


def summary(done: Done, data_sets: int) -> str:
    """Compare the methods over all cells."""
    every = [(name, size, tally) for _, tallies in done for (name, size), tally in tallies.items()]
    rows = []
    for place, method in enumerate(METHODS):
        shares = np.array([100.0 * tally.held[place] / data_sets for *_, tally in every])
        there = np.array([data_sets - tally.missing[place] for *_, tally in every])
        widths = np.array([tally.width[place] for *_, tally in every]) / np.maximum(there, 1)
        few = np.array([size == 20 for _, size, _ in every])
        rows.append(
            [
                method,
                f"{np.abs(shares - 95.0).mean():.1f}",
                f"{100.0 * (shares < GOOD[0]).mean():.0f} %",
                f"{100.0 * (shares > GOOD[1]).mean():.0f} %",
                f"{shares.min():.0f} %",
                f"{100.0 * sum(tally.beyond[place] for *_, tally in every) / (data_sets * len(every)):.0f} %",
                f"{100.0 * sum(tally.missing[place] for *_, tally in every) / (data_sets * len(every)):.1f} %",
                f"{widths[few].mean():.2f} / {widths.mean():.2f}",
            ]
        )
    head = [
        "method",
        "mean error (points)",
        "cells < 92 %",
        "cells > 98 %",
        "worst cell",
        "ends above 1",
        "no interval",
    ]
    error = 100.0 * (0.95 * 0.05 / data_sets) ** 0.5
    text = f"{len(every):,} cells of {data_sets:,} data sets each; simulation error {error:.1f} points a cell.\n\n"
    return text + table([*head, "mean width, 20 units / all"], rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate and write the tables."""
    parser = argparse.ArgumentParser(description="How often intervals by tilted weights hold the true value.")
    parser.add_argument("--quick", action="store_true", help="one round; change no file")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds of {ROUND} data sets a cell")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--raw", type=Path, help="write the counts as JSON after each round")
    options = parser.parse_args(arguments)
    rounds = 1 if options.quick else options.rounds
    every = populations()
    done: list[tuple[Population, dict[tuple[str, int], Tally]]] = [(one, {}) for one in every]
    for round_ in range(rounds):
        for population, tallies in done:
            print(f"round {round_ + 1} of {rounds}: {population.title}", file=sys.stderr)
            for cell, tally in run(population, ROUND, 1000 * options.seed + round_).items():
                tallies.setdefault(cell, Tally(tally.truth)).add(tally)
        if options.raw is not None:
            raw = {"data sets": ROUND * (round_ + 1), "cells": _raw(done)}
            options.raw.write_text(json.dumps(raw, indent=1), encoding="utf-8")
    data_sets = ROUND * rounds
    pages = {"tilted": summary(done, data_sets)}
    pages |= {one.section: rendered(one.section, done, data_sets) for one in every}
    for section, text in pages.items():
        print(section, text, sep="\n", end="\n\n")
        if not options.quick:
            insert(DOCS / "intervals.md", section, text)


def _raw(done: Done) -> list[dict[str, Any]]:
    return [
        {
            "population": population.title,
            "statistic": name,
            "size": size,
            "truth": tally.truth,
            **{part: getattr(tally, part).tolist() for part in ("held", "missing", "width", "beyond")},
        }
        for population, tallies in done
        for (name, size), tally in tallies.items()
    ]


if __name__ == "__main__":
    main()
