"""How often 95 % intervals hold the true value.

    python benchmarks/coverage.py            2,000 data sets a cell, about twenty minutes on one core
    python benchmarks/coverage.py --quick    100 data sets a cell; prints the tables and changes no file

Data sets are drawn from populations whose true coefficients are known exactly (see populations.py). The tables go to
docs/intervals.md. An honest method holds the true value in 95 % of the data sets; 93 to 97 % is good enough.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

import assent
from assent import Agreement, Annotations, Difference
from assent.profiles import Array
from pages import DOCS, insert, table
from populations import Clustered, Paired, Plain, Population, answers

DATA_SETS, QUICK = 2000, 100
REPLICATES = 1000
GOOD = (93.0, 97.0)
METHODS: dict[str, dict[str, Any]] = {
    "analytic": {"method": "analytic"},
    "jackknife": {"method": "jackknife"},
    "bootstrap, percentile": {"method": "bootstrap", "kind": "percentile"},
    "bootstrap, BCa": {"method": "bootstrap", "kind": "bca"},
}

Statistic = Callable[..., Agreement | Difference]

THREE = (0.5, 0.3, 0.2)
SKEWED = (0.9, 0.1)
FIVE = (0.1, 0.2, 0.4, 0.2, 0.1)
COMPLETE = {3: 1.0}
SPARSE = {1: 0.1, 2: 0.3, 3: 0.3, 4: 0.2, 5: 0.1}


def _measure(name: str, data: Annotations, *_: Annotations, **options: str) -> Agreement:
    return assent.all_measures()[name](data, **options)


def _gap(first: str, second: str, data: Annotations) -> Difference:
    return assent.difference(assent.all_measures()[first](data), assent.all_measures()[second](data))


def _between(name: str, first: Annotations, second: Annotations, *, paired: bool = True) -> Difference:
    return assent.difference(assent.all_measures()[name](first), assent.all_measures()[name](second), paired=paired)


def _by_document(name: str, items: Annotations, documents: Annotations) -> Agreement:
    return assent.all_measures()[name](documents)


ALPHA, KAPPA, PERCENT, SPA = "krippendorff-alpha", "fleiss-kappa", "percent-agreement", "spa"
MEASURES: dict[str, Statistic] = {name: partial(_measure, name) for name in (ALPHA, KAPPA, PERCENT, SPA)}
SCALED: dict[str, Statistic] = {
    f"{ALPHA}, {scale}": partial(_measure, ALPHA, scale=scale) for scale in ("nominal", "ordinal", "interval")
}


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A population, what is measured in its data sets, and how large these are."""

    title: str
    population: Population
    statistics: Mapping[str, Statistic]
    sizes: Sequence[int] = (50, 200, 1000)
    section: str = "items"


def _plain(shares: Sequence[float], accuracy: float, sizes: Mapping[int, float], slip: float = 0.0) -> Plain:
    """Items whose latent class is their true label."""
    names = [str(i + 1) for i in range(len(shares))]
    return Plain(labels=names, classes=np.asarray(shares), given=answers(shares, accuracy, slip), sizes=sizes)


def _documents() -> Clustered:
    """Documents with a topic (one label prevails) that are clear or muddled (all their items are harder)."""
    topics = 0.25 + 0.25 * np.eye(3)
    given = np.vstack([answers(THREE, 0.95), answers(THREE, 0.55)])
    kinds = np.vstack([np.hstack([topics, 0 * topics]), np.hstack([0 * topics, topics])])
    return Clustered(labels=("1", "2", "3"), kinds=kinds, given=given, sizes=COMPLETE, lengths=(5, 10, 15))


def _two_teams(same_items: bool) -> Paired:
    """Easy and hard items, annotated by two teams of which the second is better."""
    classes = np.concatenate([0.6 * np.asarray(THREE), 0.4 * np.asarray(THREE)])
    worse = np.vstack([answers(THREE, 0.9), answers(THREE, 0.5)])
    better = np.vstack([answers(THREE, 0.95), answers(THREE, 0.7)])
    labels = ("1", "2", "3")
    return Paired(labels=labels, classes=classes, given=(worse, better), sizes=COMPLETE, same_items=same_items)


def scenarios() -> list[Scenario]:
    """List everything that is simulated."""
    gaps: dict[str, Statistic] = {
        f"{first} − {second}": partial(_gap, first, second) for first, second in ((PERCENT, ALPHA), (SPA, KAPPA))
    }
    teams: dict[str, Statistic] = {
        f"{name}, {how}": partial(_between, name, paired=how == "paired")
        for name in (ALPHA, PERCENT)
        for how in ("paired", "as if independent")
    }
    others: dict[str, Statistic] = {name: partial(_between, name, paired=False) for name in (ALPHA, PERCENT)}
    units: dict[str, Statistic] = {}
    for name in (ALPHA, PERCENT):
        units[f"{name}, over items"] = partial(_measure, name)
        units[f"{name}, over documents"] = partial(_by_document, name)
    return [
        Scenario(title="three labels, 3 annotations", population=_plain(THREE, 0.8, COMPLETE), statistics=MEASURES),
        Scenario(title="three labels, 1–5 annotations", population=_plain(THREE, 0.8, SPARSE), statistics=MEASURES),
        Scenario(title="skewed labels, 3 annotations", population=_plain(SKEWED, 0.8, COMPLETE), statistics=MEASURES),
        Scenario(title="skewed labels, 1–5 annotations", population=_plain(SKEWED, 0.8, SPARSE), statistics=MEASURES),
        Scenario(title="nearly perfect, 3 annotations", population=_plain(THREE, 0.97, COMPLETE), statistics=MEASURES),
        Scenario(title="five ordered labels", population=_plain(FIVE, 0.7, COMPLETE, 0.2), statistics=SCALED),
        Scenario(
            title="two measures, three labels, 1–5 annotations",
            population=_plain(THREE, 0.8, SPARSE),
            statistics=gaps,
            section="differences",
        ),
        Scenario(title="two teams, same items", population=_two_teams(True), statistics=teams, section="differences"),
        Scenario(
            title="two teams, other items", population=_two_teams(False), statistics=others, section="differences"
        ),
        Scenario(
            title="documents of 5–15 items",
            population=_documents(),
            statistics=units,
            sizes=(20, 50, 200),
            section="documents",
        ),
    ]


@dataclass(eq=False)
class CountSource:
    """What became of the intervals of one statistic: how many held the true value, how many there were not."""

    truth: float
    held: dict[int, Array] = field(default_factory=dict)
    missing: dict[int, int] = field(default_factory=dict)


def run(scenario: Scenario, data_sets: int, seed: int, step: Callable[[], None]) -> dict[str, CountSource]:
    """Draw data sets and count the intervals that hold the true value."""
    whole = scenario.population.whole()
    tallies = {name: CountSource(statistic(*whole).value) for name, statistic in scenario.statistics.items()}
    for size in scenario.sizes:
        rng = np.random.default_rng([seed, size, *scenario.title.encode()])
        for tally in tallies.values():
            tally.held[size], tally.missing[size] = np.zeros(len(METHODS)), 0
        for number, data in enumerate(scenario.population.draw(size, data_sets, rng)):
            for name, statistic in scenario.statistics.items():
                held = _held(statistic(*data), tallies[name].truth, number)
                tallies[name].held[size] += np.nan_to_num(held)
                tallies[name].missing[size] += bool(np.isnan(held).any())
            step()
    return tallies


def _held(estimate: Agreement | Difference, truth: float, seed: int) -> Array:
    """1.0 for each method whose interval holds the truth, 0.0 for the others, NaN if there is no interval."""
    held = []
    for how in METHODS.values():
        interval = estimate.confidence_interval(**how, replicates=REPLICATES, seed=seed)
        held.append(np.nan if np.isnan(interval.low) else float(interval.low <= truth <= interval.high))
    return np.array(held)


def rendered(section: str, done: Sequence[tuple[Scenario, dict[str, CountSource]]], data_sets: int) -> str:
    """Write the table of one section; a share outside 93 to 97 % is in bold."""
    rows, gaps = [], []
    chosen = [(scenario, tallies) for scenario, tallies in done if scenario.section == section]
    for scenario, tallies in chosen:
        for i, (name, tally) in enumerate(tallies.items()):
            shares = {size: 100.0 * held / data_sets for size, held in tally.held.items()}
            cells = [" · ".join(_cell(share[method]) for share in shares.values()) for method in range(len(METHODS))]
            rows.append([scenario.title if i == 0 else "", name, f"{tally.truth:.3f}", *cells])
            gaps += [
                f"{scenario.title}, {name}, {size}: {100.0 * missing / data_sets:.1f} %"
                for size, missing in tally.missing.items()
                if missing
            ]
    sizes = " · ".join(f"{size:,}" for size in chosen[0][0].sizes)
    unit = "documents" if section == "documents" else "items"
    error = 100.0 * (0.95 * 0.05 / data_sets) ** 0.5
    text = f"Percent of {data_sets:,} data sets, each cell for {sizes} {unit}; simulation error {error:.1f} points.\n\n"
    text += table(["population", "statistic", "true value", *METHODS], rows, text_columns=2)
    if gaps:
        listed = "; ".join(gaps)
        text += f"\n\nA method found no interval, which counts as a miss, in some data sets: {listed}."
    return text


def _cell(share: float) -> str:
    return f"{share:.1f}" if GOOD[0] <= round(share, 1) <= GOOD[1] else f"**{share:.1f}**"


@contextmanager
def progress(total: int) -> Iterator[Callable[[], None]]:
    """Show a bar on standard error where a person is watching."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("data sets"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda: bar.advance(task)


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate and write the tables."""
    parser = argparse.ArgumentParser(description="How often 95 %% intervals hold the true value.")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} data sets a cell; change no file")
    parser.add_argument("--seed", type=int, default=1)
    sections = list(dict.fromkeys(scenario.section for scenario in scenarios()))
    parser.add_argument("--section", choices=sections, action="append", help="this table alone; may be repeated")
    options = parser.parse_args(arguments)
    data_sets = QUICK if options.quick else DATA_SETS
    every = [scenario for scenario in scenarios() if scenario.section in (options.section or sections)]
    with progress(data_sets * sum(len(scenario.sizes) for scenario in every)) as step:
        done = [(scenario, run(scenario, data_sets, options.seed, step)) for scenario in every]
    for section in dict.fromkeys(scenario.section for scenario in every):
        text = rendered(section, done, data_sets)
        print(text, end="\n\n")
        if not options.quick:
            insert(DOCS / "intervals.md", section, text)


if __name__ == "__main__":
    main()
