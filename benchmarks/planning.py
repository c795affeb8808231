"""Whether plans keep their promise: pilots make plans, the planned items are drawn, and their intervals are looked at.

    python benchmarks/planning.py            400 pilots a row, about two minutes on one core
    python benchmarks/planning.py --quick    40 pilots a row; prints the tables and changes no file

Data sets are drawn from populations whose true coefficients are known exactly (see populations.py). The tables go to
docs/planning.md. A good plan gives the half-width that was asked for within 10 %, and the power that was asked for
within 0.05.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

import assent
from assent.profiles import Array
from pages import DOCS, insert, table
from populations import Clustered, Plain, answers

__all__ = ["POWERS", "PROMISES", "Promise", "Proof", "achieved", "power_achieved"]

PILOTS, QUICK = 400, 40
PILOT = 200
LARGE = 50_000
GOOD = 0.10
GOOD_POWER = 0.05

ALPHA, PERCENT, AC, SPA = "krippendorff-alpha", "percent-agreement", "gwet-ac", "spa"
THREE, SKEWED, FIVE = (0.5, 0.3, 0.2), (0.9, 0.1), (0.1, 0.2, 0.4, 0.2, 0.1)
MIXED = {2: 0.3, 3: 0.3, 4: 0.2, 5: 0.2}


def even(shares: Sequence[float], accuracy: float, sizes: Mapping[int, float], slip: float = 0.0) -> Plain:
    """Items that are all as hard as each other."""
    names = [str(i + 1) for i in range(len(shares))]
    return Plain(labels=names, classes=np.asarray(shares), given=answers(shares, accuracy, slip), sizes=sizes)


def easy_and_hard(shares: Sequence[float], sizes: Mapping[int, float]) -> Plain:
    """Seven easy items to three that are mostly guessed."""
    names = [str(i + 1) for i in range(len(shares))]
    classes = np.concatenate([0.7 * np.asarray(shares), 0.3 * np.asarray(shares)])
    given = np.vstack([answers(shares, 0.95), answers(shares, 0.3)])
    return Plain(labels=names, classes=classes, given=given, sizes=sizes)


def documents() -> Clustered:
    """Documents with a topic (one label prevails) that are clear or muddled (all their items are harder)."""
    topics = 0.25 + 0.25 * np.eye(3)
    given = np.vstack([answers(THREE, 0.95), answers(THREE, 0.55)])
    kinds = np.vstack([np.hstack([topics, 0 * topics]), np.hstack([0 * topics, topics])])
    return Clustered(labels=("1", "2", "3"), kinds=kinds, given=given, sizes={3: 1.0}, lengths=(5, 10, 15))


@dataclass(frozen=True, kw_only=True)
class Promise:
    """A population, what is planned for, and from how large a pilot."""

    title: str
    population: Plain | Clustered
    measure: str = ALPHA
    half_width: float = 0.05
    annotations_per_item: int | None = None
    pilot: int = PILOT
    scale: str = "nominal"

    def later(self) -> Plain | Clustered:
        """Return the population with the annotations per item that were planned."""
        if self.annotations_per_item is None:
            return self.population
        return replace(self.population, sizes={self.annotations_per_item: 1.0})

    def middle(self, ratios: Array) -> float:
        """Return the mean; of pilots so small that one in forty sees hardly anything vary, the median."""
        return float(np.nanmedian(ratios) if self.pilot < 100 else np.mean(ratios))


@dataclass(frozen=True, kw_only=True)
class Proof:
    """A population and how far below its true value the target lies."""

    title: str
    population: Plain | Clustered
    measure: str
    gap: float
    power: float = 0.8


def _promises() -> list[Promise]:
    three, skewed = even(THREE, 0.8, {3: 1.0}), even(SKEWED, 0.8, {3: 1.0})
    mixed, hard = even(THREE, 0.8, MIXED), easy_and_hard(THREE, MIXED)
    pairs, hard_pairs = even(THREE, 0.8, {2: 1.0}), easy_and_hard(THREE, {2: 1.0})
    rows = []
    for name in (ALPHA, PERCENT, AC):
        fine = 0.02 if name != ALPHA else 0.05
        rows += [
            Promise(title="three labels, 3 annotations", population=three, measure=name),
            Promise(title="skewed labels, 3 annotations", population=skewed, measure=name, half_width=fine),
            Promise(title="easy and hard items, 2–5 annotations", population=hard, measure=name),
            Promise(title="two annotations", population=pairs, measure=name),
        ]
    rows += [
        Promise(title="three labels, 2–5 annotations", population=mixed, measure=SPA, half_width=0.03),
        Promise(title="five labels, 2–5 annotations", population=even(FIVE, 0.7, MIXED), measure="fleiss-kappa"),
        Promise(title="documents of 5–15 items", population=documents(), pilot=100),
    ]
    rows += [
        Promise(title="three labels, 3 annotations", population=three, pilot=20),
        Promise(title="two annotations", population=pairs, pilot=20),
        Promise(title="skewed labels, 3 annotations", population=skewed, pilot=50),
    ]
    for sizes, k in ((MIXED, None), ({2: 1.0}, 5)):
        ordered = even(FIVE, 0.7, sizes, slip=0.2)
        title = "five ordered labels, 2–5 annotations" if k is None else "two annotations, five ordered labels"
        rows.append(Promise(title=title, population=ordered, scale="ordinal", annotations_per_item=k))
    for k in (2, 5):
        rows.append(Promise(title="documents of 5–15 items", population=documents(), pilot=100, annotations_per_item=k))
    for k in (2, 3, 5):
        rows.append(Promise(title="easy and hard items, 2–5 annotations", population=hard, annotations_per_item=k))
    for k in (3, 5):
        rows += [
            Promise(title="two annotations, all items alike", population=pairs, annotations_per_item=k),
            Promise(title="two annotations, easy and hard items", population=hard_pairs, annotations_per_item=k),
            Promise(
                title="two annotations, easy and hard items",
                population=hard_pairs,
                annotations_per_item=k,
                measure=PERCENT,
                half_width=0.03,
            ),
        ]
    return rows


def _powers() -> list[Proof]:
    rows = []
    for title, population in (
        ("three labels, 3 annotations", even(THREE, 0.8, {3: 1.0})),
        ("skewed labels, 3 annotations", even(SKEWED, 0.8, {3: 1.0})),
        ("easy and hard items, 2–5 annotations", easy_and_hard(THREE, MIXED)),
        ("high agreement, 2 annotations", even(THREE, 0.95, {2: 1.0})),
    ):
        for name in (ALPHA, PERCENT, AC):
            rows += [Proof(title=title, population=population, measure=name, gap=gap) for gap in (0.05, 0.1)]
    rows.append(Proof(title="documents of 5–15 items", population=documents(), measure=ALPHA, gap=0.1))
    return rows


PROMISES, POWERS = _promises(), _powers()


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What became of the plans: units planned, half-widths achieved over planned, and pilots that could not plan."""

    units: Array
    ratios: Array
    within: float
    failed: int


def whole(population: Plain | Clustered, rng: np.random.Generator) -> assent.Annotations:
    """Return all items at once; of documents, which are too many kinds to list, a large sample."""
    if isinstance(population, Plain):
        return population.whole()[0]
    return next(population.draw(LARGE, 1, rng))[-1]


def achieved(promise: Promise, pilots: int, seed: int, step: Callable[[], None] = lambda: None) -> Kept:
    """Let pilots make plans, draw what was planned, and compare the half-widths."""
    rng = np.random.default_rng([seed, *promise.title.encode(), *promise.measure.encode()])
    truth = _plan(replace(promise, annotations_per_item=None), whole(promise.later(), rng))
    enough = truth.half_width.needed.n_units
    units, ratios, holds, failed = [], [], 0, 0
    for data in promise.population.draw(promise.pilot, pilots, rng):
        step()
        try:
            answer = _plan(promise, data[-1]).half_width
        except assent.InputError:
            failed += 1
            continue
        (drawn,) = promise.later().draw(answer.needed.n_units, 1, rng)
        interval = assent.all_measures()[promise.measure](drawn[-1], scale=promise.scale).confidence_interval()
        units.append(answer.needed.n_units)
        ratios.append((interval.high - interval.low) / 2 / promise.half_width)
        holds += answer.low <= enough <= answer.high
    return Kept(units=np.array(units), ratios=np.array(ratios), within=holds / max(len(units), 1), failed=failed)


def _plan(promise: Promise, data: assent.Annotations) -> assent.Plan:
    return assent.plan(
        data,
        measure=promise.measure,
        scale=promise.scale,
        half_width=promise.half_width,
        annotations_per_item=promise.annotations_per_item,
    )


def power_achieved(
    proof: Proof, data_sets: int, seed: int, step: Callable[[], None] = lambda: None
) -> tuple[int, float]:
    """Plan from the population itself, and see how often the planned number of units shows the target."""
    rng = np.random.default_rng([seed, *proof.title.encode(), *proof.measure.encode()])
    everything = whole(proof.population, rng)
    target = assent.all_measures()[proof.measure](proof.population.whole()[-1]).value - proof.gap
    needed = assent.plan(everything, measure=proof.measure, target=target, power=proof.power).power.needed
    shown = 0
    for data in proof.population.draw(needed.n_units, data_sets, rng):
        step()
        shown += assent.all_measures()[proof.measure](data[-1]).confidence_interval().low > target
    return needed.n_units, shown / data_sets


def half_widths(pilots: int, seed: int, step: Callable[[], None]) -> str:
    """Write the table of half-widths."""
    rows = []
    for promise in PROMISES:
        kept = achieved(promise, pilots, seed, step)
        low, high = np.nanquantile(kept.ratios, [0.05, 0.95])
        middle = promise.middle(kept.ratios)
        cell = f"{middle:.2f}" if abs(middle - 1) <= GOOD else f"**{middle:.2f}**"
        k = "as the pilot" if promise.annotations_per_item is None else str(promise.annotations_per_item)
        rows.append(
            [
                promise.title,
                f"{promise.pilot}",
                promise.measure if promise.scale == "nominal" else f"{promise.measure}, {promise.scale}",
                k,
                f"±{promise.half_width:g}",
                f"{np.median(kept.units):,.0f}",
                cell,
                f"{low:.2f}–{high:.2f}",
                f"{100 * kept.within:.0f} %",
            ]
        )
    head = [
        "pilot",
        "units",
        "measure",
        "annotations per item",
        "promised",
        "planned",
        "achieved / promised",
        "middle 90 %",
        "range held",
    ]
    text = f"{pilots:,} pilots a row. Planned is the median number of items (or documents). Achieved is the mean, for pilots of less than 100 the median.\n\n"
    return text + table(head, rows, text_columns=4)


def powers(data_sets: int, seed: int, step: Callable[[], None]) -> str:
    """Write the table of powers."""
    rows = []
    for proof in POWERS:
        units, power = power_achieved(proof, data_sets, seed, step)
        good = abs(power - proof.power) <= GOOD_POWER
        cell = f"{power:.2f}" if good else f"**{power:.2f}**"
        rows.append([proof.title, proof.measure, f"{proof.gap:g}", f"{units:,}", f"{proof.power:.2f}", cell])
    error = (0.8 * 0.2 / data_sets) ** 0.5
    text = f"{data_sets:,} data sets a row; simulation error {error:.3f}.\n\n"
    return text + table(
        ["population", "measure", "value − target", "units", "planned", "achieved"], rows, text_columns=2
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate and write the tables."""
    parser = argparse.ArgumentParser(description="Whether plans keep their promise.")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} pilots a row; change no file")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    # The module next to this one, not the package of that name.
    from coverage import progress

    pilots = QUICK if options.quick else PILOTS
    with progress(pilots * len(PROMISES) + 4 * pilots * len(POWERS)) as step:
        made = {
            "half-widths": half_widths(pilots, options.seed, step),
            "power": powers(4 * pilots, options.seed, step),
        }
    for name, text in made.items():
        print(text, end="\n\n")
        if not options.quick:
            insert(DOCS / "planning.md", name, text)


if __name__ == "__main__":
    main()
