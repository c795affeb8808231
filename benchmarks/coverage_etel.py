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
import polars as pl

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
#: Coefficients of the populations.
KAPPAS = (0.1, 0.3, 0.6, 0.9, 0.97)
FIVE = (0.1, 0.2, 0.4, 0.2, 0.1)

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


def zipf(labels: int) -> tuple[float, ...]:
    """Return shares that fall with the rank of a label."""
    shares = 1.0 / np.arange(1, labels + 1)
    return tuple((shares / shares.sum()).tolist())


def _measure(name: str, **options: Any) -> Statistic:
    return lambda data: assent.all_measures()[name](data, **options)


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
    section = "tilted more" if len(shares) > 10 else "tilted others"
    return Population(title=title, draw=labelled(shares, kappa, annotators), measured=measured, section=section)


def numbers(correlation: float, *, skewed: bool) -> Population:
    """Three annotators who give numbers, none of them leaning."""
    measured = {
        "icc 2,1": (_measure("icc"), correlation),
        "alpha, interval": (_measure(ALPHA, scale="interval"), correlation),
    }
    title = f"{'exponential' if skewed else 'normal'} values, 3 annotators"
    return Population(title=title, draw=valued(correlation, 3, skewed=skewed), measured=measured)


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

    return Population(title="five ordered labels, 3 annotators", draw=draw, measured=measured)


def sets(kappa: float) -> Population:
    """Two annotators who give an item one or two of five labels: the right ones, or else any."""
    chances = np.array([5.0, 4.0, 3.0, 2.0, 1.0]) / 15.0
    every = [(one,) for one in range(5)] + [(one, two) for one in range(5) for two in range(one + 1, 5)]
    alone = np.array(
        [0.6 * chances[one[0]] if len(one) == 1 else 0.8 * chances[one[0]] * chances[one[1]] for one in every]
    )
    alone /= alone.sum()
    names = np.array(["+".join("abcde"[label] for label in one) for one in every], dtype=object)

    def draw(size: int, times: int, rng: np.random.Generator) -> Iterator[Annotations]:
        for _ in range(times):
            truth = rng.choice(len(every), size=(size, 1), p=alone)
            other = rng.choice(len(every), size=(size, 2), p=alone)
            known = rng.random((size, 2)) < kappa**0.5
            frame = pl.DataFrame(
                {
                    "item": np.repeat(np.arange(size), 2),
                    "annotator": ["x", "y"] * size,
                    "label": names[np.where(known, truth, other)].ravel().tolist(),
                }
            )
            yield Annotations.from_frame(frame, separator="+")

    statistics = {"alpha, masi": _measure(ALPHA, distance="masi"), "boot-f1": _measure("boot-f1")}
    # The one kind of population whose values are those of a large sample: its error is a hundredth of an interval's width.
    (whole,) = draw(400_000, 1, np.random.default_rng(7))
    measured = {name: (one, one(whole).value) for name, one in statistics.items()}
    title = "sets of five labels, 2 annotators"
    return Population(title=title, draw=draw, measured=measured, section="tilted more")


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

    return Population(title="documents of 8 items, 3 annotators", draw=draw, measured=measured, sizes=(20, 30, 50))


def populations() -> list[Population]:
    """List everything that is simulated."""
    found = [
        two_annotators(title, shares, kappa)
        for title, shares in (("balanced", (0.5, 0.5)), ("95:5", (0.95, 0.05)), ("99:1", (0.99, 0.01)))
        for kappa in KAPPAS
    ]
    found += [many("ten labels (zipf), 2 annotators", zipf(10), kappa, 2) for kappa in KAPPAS]
    found += [many("100 labels (zipf), 2 annotators", zipf(100), kappa, 2) for kappa in KAPPAS]
    found += [sets(kappa) for kappa in KAPPAS]
    found += [many("balanced, 10 annotators", (0.5, 0.5), kappa, 10) for kappa in KAPPAS]
    found += [many("90:10, 10 annotators", (0.9, 0.1), kappa, 10) for kappa in KAPPAS]
    found += [ordered(accuracy) for accuracy in (0.4, 0.7, 0.95)]
    found += [numbers(correlation, skewed=skewed) for skewed in (False, True) for correlation in KAPPAS]
    found += [documents(0.95, 0.55), documents(0.99, 0.9)]
    return found


@dataclass(eq=False)
class Tally:
    """What became of the intervals of one statistic in data sets of one size."""

    truth: float
    drawn: int = 0
    held: Array = field(default_factory=lambda: np.zeros(len(METHODS)))
    missing: Array = field(default_factory=lambda: np.zeros(len(METHODS)))
    width: Array = field(default_factory=lambda: np.zeros(len(METHODS)))
    beyond: Array = field(default_factory=lambda: np.zeros(len(METHODS)))

    def add(self, other: Tally) -> None:
        """Count what another round found, too."""
        self.drawn += other.drawn
        for part in ("held", "missing", "width", "beyond"):
            getattr(self, part)[:] += getattr(other, part)

    def shares(self) -> Array:
        """Return the percentage of data sets in which each method held the true value."""
        return 100.0 * self.held / self.drawn


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
    tally.drawn += 1
    for place, how in enumerate(METHODS.values()):
        interval = agreement.confidence_interval(**how, replicates=REPLICATES, seed=seed)
        # What has no width gives way to tilted weights: as an interval of its own method it is none.
        if np.isnan(interval.low) or interval.method != how["method"]:
            tally.missing[place] += 1
            continue
        # A limit that is the true value but for rounding holds it.
        tally.held[place] += interval.low - 1e-12 <= truth <= interval.high + 1e-12
        tally.width[place] += interval.high - interval.low
        tally.beyond[place] += interval.uncut is not None and interval.uncut[1] > 1.0 + 1e-12


Done = Sequence[tuple[Population, dict[tuple[str, int], Tally]]]


def rendered(section: str, done: Done) -> str:
    """Write the table of one section; a share outside 92 to 98 % is in bold."""
    rows = []
    for population, tallies in done:
        if population.section != section:
            continue
        for place, name in enumerate(population.measured):
            sizes = [tallies[name, size] for size in population.sizes]
            cells = [" · ".join(_cell(one.shares()[method]) for one in sizes) for method in range(len(METHODS))]
            title = population.title + (
                f" ({', '.join(map(str, population.sizes))})" if "two labels" not in section else ""
            )
            drawn = f"{min(one.drawn for one in sizes):,}"
            rows.append([title if place == 0 else "", name, f"{sizes[0].truth:.3f}", drawn, *cells])
    return table(["population", "statistic", "true value", "data sets", *METHODS], rows, text_columns=2)


def _cell(share: float) -> str:
    return f"{share:.0f}" if GOOD[0] <= round(share) <= GOOD[1] else f"**{share:.0f}**"


def groups(done: Done) -> dict[str, list[tuple[int, Tally]]]:
    """Put cells that are alike together: the size of the data sets and what was counted."""
    found: dict[str, list[tuple[int, Tally]]] = {}
    for population, tallies in done:
        for (name, size), tally in tallies.items():
            found.setdefault("all", []).append((size, tally))
            kind = population.title
            if "two labels" in population.section:
                what = "observed (percent, AC1)" if name in (PERCENT, AC) else "beyond chance (alpha, Cohen, Fleiss)"
                kind = f"two labels {kind}, {what}"
            found.setdefault(f"{kind}, {'20 to 30' if size <= 30 else '50' if size == 50 else '200'}", []).append(
                (size, tally)
            )
    return found


def summary(done: Done) -> str:
    """Compare the methods over cells that are alike, each cell counting the same."""
    rows = []
    for kind, cells in groups(done).items():
        drawn = sum(tally.drawn for _, tally in cells)
        row = [kind, f"{len(cells)}", f"{drawn:,}"]
        for place in range(len(METHODS)):
            shares = np.array([tally.shares()[place] for _, tally in cells])
            there = sum(tally.drawn - tally.missing[place] for _, tally in cells)
            width = sum(tally.width[place] for _, tally in cells) / max(there, 1)
            row.append(f"{_cell(float(shares.mean()))} ({width:.2f})")
        rows.append(row)
    every = [tally for _, tally in groups(done)["all"]]
    drawn = sum(tally.drawn for tally in every)
    beyond, missing = (
        [100.0 * sum(getattr(tally, part)[place] for tally in every) / drawn for place in range(len(METHODS))]
        for part in ("beyond", "missing")
    )
    said = [
        f"{method}: {above:.0f} % of the intervals end above 1, {none:.1f} % of the data sets have none"
        for method, above, none in zip(METHODS, beyond, missing, strict=True)
    ]
    head = ["cells, and units of their data sets", "cells", "intervals", *(f"{method} (width)" for method in METHODS)]
    return table(head, rows) + "\n\n" + "; ".join(said) + "."


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate and write the tables."""
    parser = argparse.ArgumentParser(description="How often intervals by tilted weights hold the true value.")
    parser.add_argument("--quick", action="store_true", help="one round; change no file")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds of {ROUND} data sets a cell")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="the populations of one section of the page, such as 'tilted more'")
    parser.add_argument("--raw", type=Path, help="write the counts as JSON after each round")
    parser.add_argument("--counted", type=Path, nargs="+", help="draw nothing: add up these files of --raw")
    options = parser.parse_args(arguments)
    every = [one for one in populations() if options.only in (None, one.section)]
    done: list[tuple[Population, dict[tuple[str, int], Tally]]] = [(one, {}) for one in every]
    if options.counted:
        _read(options.counted, done)
    for round_ in range(0 if options.counted else 1 if options.quick else options.rounds):
        for population, tallies in done:
            print(f"round {round_ + 1}: {population.title}", file=sys.stderr)
            for cell, tally in run(population, ROUND, 1000 * options.seed + round_).items():
                tallies.setdefault(cell, Tally(tally.truth)).add(tally)
        if options.raw is not None:
            options.raw.write_text(json.dumps(_raw(done), indent=1), encoding="utf-8")
    pages = {"tilted": summary(done)} if options.only is None else {}
    pages |= {one.section: rendered(one.section, done) for one in every}
    for section, text in pages.items():
        print(section, text, sep="\n", end="\n\n")
        if not options.quick:
            insert(DOCS / "intervals.md", section, text)


def _read(paths: Sequence[Path], done: Done) -> None:
    """Add up counts that were written before; cells are known by their true value, too."""
    for path in paths:
        known = {
            (one["population"], one["statistic"], one["size"], round(one["truth"], 9)): one
            for one in json.loads(path.read_text(encoding="utf-8"))
        }
        for population, tallies in done:
            for name, (_, truth) in population.measured.items():
                for size in population.sizes:
                    one = known.get((population.title, name, size, round(truth, 9)))
                    if one is None:
                        continue
                    counts = {part: np.asarray(one[part]) for part in ("held", "missing", "width", "beyond")}
                    tallies.setdefault((name, size), Tally(truth)).add(Tally(truth, one["drawn"], **counts))


def _raw(done: Done) -> list[dict[str, Any]]:
    return [
        {
            "population": population.title,
            "statistic": name,
            "size": size,
            "truth": tally.truth,
            "drawn": tally.drawn,
            **{part: getattr(tally, part).tolist() for part in ("held", "missing", "width", "beyond")},
        }
        for population, tallies in done
        for (name, size), tally in tallies.items()
    ]


if __name__ == "__main__":
    main()
