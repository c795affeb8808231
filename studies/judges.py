"""Judges: how often the intervals of `assent judge` hold the truth, where the truth is known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from assent.analyses.judge.alternative import alternative_test
from assent.analyses.judge.panel import Panel
from assent.analyses.judge.reference import Truth
from assent.analyses.judge.success import Verdicts, success_rate
from assent.analyses.judge.team import People, compared
from assent.profiles import Array
from assent.scales import Identity
from studies.result import Progress, StudyResult, StudyTable, part, settings

if TYPE_CHECKING:
    import altair

__all__ = ["run"]

LEVEL = 0.95
#: Items that a population is counted by: probabilities as whole numbers.
POPULATION = 10**9


@dataclass(frozen=True)
class Design:
    """A population of items, people and a judge, who err independently given the true label.

    Parameters
    ----------
    name : str
    shares : tuple of float
        Of the true labels.
    people, judge : float
        How often a person, and the judge, give the true label; else one of the others, all alike.
    n_people : int
    texts : int
        Items of one text, on which the judge is right or wrong about all alike in half of the texts; 1 for items by themselves.
    """

    name: str
    shares: tuple[float, ...]
    people: float
    judge: float
    n_people: int = 3
    texts: int = 1

    def draw(self, n_items: int, rng: np.random.Generator) -> Panel:
        """Draw items with the labels of the people and of the judge."""
        labels = len(self.shares)
        truth = rng.choice(labels, n_items, p=self.shares)

        def seen(right: Array) -> Array:
            return np.where(right, truth, (truth + rng.integers(1, labels, n_items)) % labels)

        codes = np.stack([seen(rng.random(n_items) < self.people) for _ in range(self.n_people)], axis=1)
        right = rng.random(n_items) < self.judge
        text = np.arange(n_items) // self.texts
        if self.texts > 1:
            together, once = rng.random(text[-1] + 1) < 0.5, rng.random(text[-1] + 1) < self.judge
            right = np.where(together[text], once[text], right)
        return self._panel(codes, seen(right), np.ones(n_items, dtype=np.int64), text if self.texts > 1 else None)

    def population(self) -> Panel:
        """Return every pattern of labels, counted as often as it is likely."""
        labels = len(self.shares)
        rows, weights = [], []
        for pattern in product(range(labels), repeat=self.n_people + 1):
            likely = 0.0
            for truth, share in enumerate(self.shares):
                skills = [self.people] * self.n_people + [self.judge]
                each = [
                    skill if label == truth else (1.0 - skill) / (labels - 1)
                    for skill, label in zip(skills, pattern, strict=True)
                ]
                likely += share * float(np.prod(each))
            rows.append(pattern)
            weights.append(round(likely * POPULATION))
        table = np.array(rows)
        return self._panel(table[:, :-1], table[:, -1], np.array(weights), None)

    def _panel(self, codes: Array, verdicts: Array, weights: Array, text: Array | None) -> Panel:
        units = None
        if text is not None:
            from scipy.sparse import csr_array

            units = csr_array((np.ones(len(text)), (text, np.arange(len(text)))))
        return Panel(
            labels=tuple("abcdefgh"[: len(self.shares)]),
            people=tuple(f"h{i}" for i in range(self.n_people)),
            judges=("judge",),
            codes=codes,
            verdicts=verdicts[:, None],
            weights=weights,
            units=units,
            unit="items" if text is None else "texts",
            agree=Identity(),
        )


DESIGNS = (
    Design("balanced, judge as good as a person", (0.5, 0.5), 0.85, 0.85),
    Design("balanced, judge worse", (0.5, 0.5), 0.9, 0.75),
    Design("one label in ten", (0.9, 0.1), 0.9, 0.9),
    Design("three labels, five people", (0.5, 0.3, 0.2), 0.8, 0.8, n_people=5),
    Design("four items a text", (0.5, 0.5), 0.85, 0.85, texts=4),
)
#: Populations that had no part in the choice of the intervals.
HELD_OUT_DESIGNS = (
    Design("70:30, judge slightly worse, four people", (0.7, 0.3), 0.8, 0.75, n_people=4),
    Design("one label in twenty", (0.95, 0.05), 0.92, 0.9),
    Design("four labels, judge better", (0.4, 0.3, 0.2, 0.1), 0.75, 0.85),
    Design("eight items a text", (0.6, 0.4), 0.85, 0.8, texts=8),
)
#: Populations of texts that had no part in the choice of what clusters are allowed for, in which those above had one.
HELD_OUT_TEXTS = (
    Design("five items a text, three labels", (0.5, 0.3, 0.2), 0.85, 0.8, texts=5),
    Design("ten items a text, 75:25", (0.75, 0.25), 0.88, 0.85, n_people=4, texts=10),
)
SIZES = (50, 200, 1000)


@dataclass(frozen=True)
class Mix:
    """A success rate, a judge, and how the labelled items are chosen."""

    name: str
    rate: float
    sensitivity: float
    specificity: float
    labelled: int
    others: int
    balanced: bool = False


MIXES = (
    Mix("100 of 1,100 labelled", 0.7, 0.9, 0.8, 100, 1000),
    Mix("300 of 450 labelled", 0.7, 0.9, 0.8, 300, 150),
    Mix("rare failures, 60 of 1,060 labelled", 0.9, 0.9, 0.6, 60, 1000),
    Mix("weak judge", 0.7, 0.65, 0.6, 100, 1000),
    Mix("labelled half and half on purpose", 0.7, 0.9, 0.8, 100, 1000, balanced=True),
)
HELD_OUT_MIXES = (
    Mix("rate 0.5, 80 of 580 labelled", 0.5, 0.85, 0.85, 80, 500),
    Mix("rate 0.85, 200 of 2,200 labelled", 0.85, 0.95, 0.7, 200, 2000),
    Mix("rate 0.6, 60 labelled half and half", 0.6, 0.85, 0.8, 60, 800, balanced=True),
    Mix("rate 0.9, 200 labelled half and half", 0.9, 0.9, 0.8, 200, 1000, balanced=True),
)
METHODS = ("chosen", "ppi", "ppi++", "rogan-gladen", "lee")


def run(*, seed: int = 1, quick: bool = False, progress: Progress | None = None) -> StudyResult:
    """Draw data from populations whose numbers are known, and count the intervals that hold them.

    Parameters
    ----------
    seed : int
    quick : bool
        Fewer draws and sizes.
    progress : callable, optional
    """
    draws, sizes = (40, SIZES[:2]) if quick else (500, SIZES)
    rng = np.random.default_rng(seed)
    closeness = _differences(rng, DESIGNS, draws, sizes, part(progress, 0.0, 0.6))
    rates = _rates(rng, MIXES, draws, part(progress, 0.6, 0.75))
    # Draws of their own, so that the tables do not depend on each other.
    fresh, fewer = np.random.default_rng(seed + 19), draws * 4 // 5
    held_out = (
        replace(
            _differences(fresh, HELD_OUT_DESIGNS, fewer, SIZES[:2], part(progress, 0.75, 0.95)),
            name="held-out-differences",
        ),
        replace(
            _differences(
                np.random.default_rng(seed + 38), HELD_OUT_TEXTS, fewer, SIZES[:2], part(progress, 0.95, 0.97)
            ),
            name="held-out-texts",
        ),
        replace(_rates(fresh, HELD_OUT_MIXES, fewer, part(progress, 0.97, 1.0)), name="held-out-rates"),
    )
    return StudyResult(
        name="judges",
        title="Judges beside people: what their intervals hold",
        sentences=[
            f"Data were drawn {draws:,} times from populations in which the difference of kappas D, the mean difference of the alternative annotator "
            f"test and the success rate are known. Counted is how often a {LEVEL * 100:g} % interval holds the truth, and how often the "
            "one-sided bound by which a judge is called not worse is on the wrong side of it, which should be 5 %. The last three tables are of "
            "populations that had no part in the choice of the intervals."
        ],
        tables=[closeness, rates, *held_out],
        charts={"differences": _chart(closeness)},
        settings=settings(seed=seed, quick=quick, draws=draws, level=LEVEL),
    )


def _differences(
    rng: np.random.Generator, designs: tuple[Design, ...], draws: int, sizes: tuple[int, ...], tell: Progress
) -> StudyTable:
    columns: dict[str, list[object]] = {
        name: [] for name in ("population", "items", "D", "D holds", "D above", "mean difference", "d holds", "d below")
    }
    cells = [(design, size) for design in designs for size in sizes]
    for place, (design, size) in enumerate(cells):
        true_d, true_mean = _measured(design.population())[:2]
        hits = np.zeros(4)
        for done in range(draws):
            if not done % 20:
                tell((place + done / draws) / len(cells), f"{design.name}, {size} items")
            found = _measured(design.draw(size, rng))
            hits += [
                found[2] <= true_d <= found[3],
                found[4] > true_d,
                found[5] <= true_mean <= found[6],
                found[7] < true_mean,
            ]
        row = (design.name, size, true_d, hits[0] / draws, hits[1] / draws, true_mean, hits[2] / draws, hits[3] / draws)
        for column, value in zip(columns.values(), row, strict=True):
            column.append(value)
    return StudyTable(
        name="differences",
        caption="Share of draws in which the interval of D and of the mean difference d holds the truth, and in which the one-sided lower bound of D is "
        "above it, or the upper bound of d below it: a judge exactly at the margin would be called not worse.",
        columns=columns,
        decimals=3,
    )


def _chart(table: StudyTable) -> altair.TopLevelMixin:
    """Draw how often the interval of D holds the truth, by the number of items."""
    import altair as alt

    columns = table.columns
    values = [
        {"population": name, "items": items, "holds": holds}
        for name, items, holds in zip(columns["population"], columns["items"], columns["D holds"], strict=True)
    ]
    base = alt.Chart(alt.InlineData(values=values), title="How often the interval of D holds the truth")
    rule = alt.Chart(alt.InlineData(values=[{"holds": LEVEL}])).mark_rule(strokeDash=[5, 3]).encode(alt.Y("holds:Q"))
    lines = base.mark_line(point=True).encode(
        alt.X("items:Q").scale(alt.Scale(type="log")).title("items"),
        alt.Y("holds:Q").scale(alt.Scale(zero=False)).axis(alt.Axis(format=".0%")).title("intervals that hold it"),
        alt.Color("population:N").title(None),
    )
    return alt.layer(rule, lines, width=420, height=260)


def _measured(panel: Panel) -> tuple[float, ...]:
    """Return D, d, the interval of D, its lower bound, the interval of d and its upper bound."""
    items = panel.beside(0)
    options = {"level": LEVEL, "ci": "analytic", "replicates": 0, "seed": 0}
    team = compared(People(panel, 10, "plain"), items, margin=0.05, margin_given=True, **options)  # type: ignore[arg-type]
    _, mean = alternative_test(items, panel.people, None, epsilon=0.1, unit=panel.unit, **options)  # type: ignore[arg-type]
    nothing = (np.nan, np.nan)
    own = nothing if team.interval is None else (team.interval.low, team.interval.high)
    theirs = nothing if mean.interval is None else (mean.interval.low, mean.interval.high)
    value = np.nan if team.difference is None else team.difference.value
    return value, mean.value, *own, team.low, *theirs, mean.upper


def _rates(rng: np.random.Generator, mixes: tuple[Mix, ...], draws: int, tell: Progress) -> StudyTable:
    columns: dict[str, list[object]] = {name: [] for name in ("labels", "method", "holds", "width")}
    for place, mix in enumerate(mixes):
        hits, widths = dict.fromkeys(METHODS, 0), dict.fromkeys(METHODS, 0.0)
        known = dict.fromkeys(METHODS, 0)
        for done in range(draws):
            if not done % 50:
                tell((place + done / draws) / len(mixes), mix.name)
            for name, (low, high) in _corrected(mix, rng).items():
                hits[name] += low <= mix.rate <= high
                known[name] += low == low
                widths[name] += high - low if low == low else 0.0
        for name in METHODS:
            row = (mix.name, name, hits[name] / draws, widths[name] / max(1, known[name]))
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
    return StudyTable(
        name="rates",
        caption="Share of draws in which the interval of a success rate holds the truth, and its mean width; `chosen` is what assent judge takes by itself.",
        columns=columns,
        decimals=3,
    )


def _corrected(mix: Mix, rng: np.random.Generator) -> dict[str, tuple[float, float]]:
    """Draw labelled and other items, and return the interval of each method."""

    def verdicts(truth: Array) -> Array:
        chance = np.where(truth == 1, mix.sensitivity, 1.0 - mix.specificity)
        return (rng.random(len(truth)) < chance).astype(np.int64)

    human = (
        np.repeat([0, 1], mix.labelled // 2) if mix.balanced else (rng.random(mix.labelled) < mix.rate).astype(np.int64)
    )
    rest = (rng.random(mix.others) < mix.rate).astype(np.int64)
    truth = Truth(
        truth=human,
        judge=verdicts(human),
        weights=np.ones(len(human), dtype=np.int64),
        labels=("fail", "pass"),
        kind="majority",
    )
    found = success_rate(truth, Verdicts(verdicts(rest)), positive="pass", values=None, sample="auto", level=LEVEL)
    assert found is not None
    return {"chosen": (found.chosen.low, found.chosen.high)} | {
        name: (found.methods[name].low, found.methods[name].high) for name in METHODS[1:]
    }
