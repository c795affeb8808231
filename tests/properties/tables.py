"""Random tables, and every registered measure with every scale and option it takes: no list to keep."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir
from tests.support import examples, searched

import assent
from assent import Agreement, Annotations
from assent.errors import NothingToCompare, UnsuitableData

Row = tuple[str | None, ...]
Rows = tuple[Row, ...]

# Hypothesis keeps tables of characters; they have no place in the checkout.
set_hypothesis_home_dir(os.path.join(tempfile.gettempdir(), "hypothesis"))

#: The same examples on every run and every machine; none is remembered.
STABLE = settings(
    max_examples=examples(8),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
FEW = settings(STABLE, max_examples=examples(5))
MANY = settings(STABLE, max_examples=examples(25))
#: For what is checked to more digits than some tables of two or three items leave: these few, in a thorough run, too.
ALWAYS_THESE = settings(STABLE, max_examples=5)

#: Numbers, so that every scale can take them; uneven, so that ranks are not values.
LABELS = ("1", "2", "4", "7.5")
#: Sums taken in another order differ in the last digits of a float, by no more than this.
ROUNDING = 1e-12

#: Those of labels: measures of other kinds of data have tests of their own.
MEASURES = [measure for measure in assent.all_measures().values() if measure.kind == "labels"]


def of_measures(measures: list[assent.Measure]) -> pytest.MarkDecorator:
    """A test of each of these measures."""
    return pytest.mark.parametrize("measure", measures, ids=[measure.name for measure in measures])


every_measure = of_measures(MEASURES)
#: Those of every kind of data, for what does not depend on it.
of_any_kind = of_measures(list(assent.all_measures().values()))
#: Those that know labels by their names alone; the others take numbers.
nominal_measures = of_measures([measure for measure in MEASURES if "nominal" in measure.scales])
#: Those that take any number of annotators.
team_measures = of_measures([measure for measure in MEASURES if measure.n_annotators is None])


class Case(NamedTuple):
    """A measure and the options it is called with."""

    measure: assent.Measure
    options: dict[str, str]

    @property
    def nominal(self) -> bool:
        return self.options.get("scale", self.measure.scales[0]) == "nominal"

    @property
    def uses_single_annotations(self) -> bool:
        own = {option: value for option, value in self.options.items() if option in self.measure.choices}
        return self.measure.keeps_single_annotations(own)

    @property
    def id(self) -> str:
        return " ".join([self.measure.name, *self.options.values()])


def cases(measure: assent.Measure) -> list[Case]:
    """The measure on every scale and with every value of its own options."""
    found = [Case(measure, {"scale": scale}) for scale in measure.scales]
    for option, values in measure.choices.items():
        # A simulation is no function of the data alone: what it comes to is tested with the measures that have it.
        found += [Case(measure, {option: value}) for value in values[1:] if value != "simulate"]
    return found


def measured(measure: assent.Measure, *tables: Rows | Annotations) -> Iterator[tuple[Case, Any]]:
    """Measure tables in every way the measure knows; one that does not suit it is passed over.

    Yields the case and the agreement, or the list of agreements if there are several tables.
    """
    made = [table if isinstance(table, Annotations) else annotations(fitting(measure, table)) for table in tables]
    for case in cases(measure):
        try:
            found = [measure(data, **case.options) for data in made]
        except (UnsuitableData, NothingToCompare):
            searched(0)
            continue
        searched(1)
        yield case, found[0] if len(found) == 1 else found


def fitting(measure: assent.Measure, rows: Rows) -> Rows:
    """Leave as many annotators as the measure takes; the first two of `tables` have something to compare."""
    return rows if measure.n_annotators is None else tuple(row[: measure.n_annotators] for row in rows)


@lru_cache(maxsize=4096)
def annotations(rows: Rows) -> Annotations:
    """Make annotations of a table; every measure is asked about the same tables, so they are kept."""
    return Annotations.from_array(rows)


@st.composite
def tables(draw: st.DrawFn, *, least: int = 1, most: int = 10, labels: tuple[str, ...] = LABELS) -> Rows:
    """Items x annotators with gaps: unequal numbers of annotations, single ones, items and annotators without any.

    The first two annotators labelled the first item.
    """
    annotators = draw(st.integers(2, 5))
    gap = draw(st.sampled_from([(), (None,), (None, None, None)]))
    cells = [*labels[: draw(st.integers(1, len(labels)))], *gap]
    flat = draw(st.lists(st.sampled_from(cells), min_size=least * annotators, max_size=most * annotators))
    width = len(flat) // annotators * annotators
    rows = [tuple(flat[i : i + annotators]) for i in range(0, width, annotators)]
    first = (draw(st.sampled_from(labels)), draw(st.sampled_from(labels)), *rows[0][2:])
    return (first, *rows[1:])


def large(*, items: int = 400, annotators: int = 4, gaps: float = 0.3, agreeing: float = 0.6, seed: int = 5) -> Rows:
    """A table of moderate agreement, uneven labels and unequal numbers of annotations; the first item has them all."""
    draw = random.Random(seed)
    rows = []
    for i in range(items):
        truth, *others = draw.choices(LABELS, weights=[4, 3, 2, 1], k=annotators + 1)
        labels = [truth if draw.random() < agreeing else other for other in others]
        rows.append(tuple(label if i == 0 or draw.random() >= gaps else None for label in labels))
    return tuple(rows)


def numbers(agreement: Agreement) -> tuple[float, float, float]:
    """Value, observed and expected."""
    return agreement.value, agreement.observed, agreement.expected


def near(values: Any, within: float = ROUNDING) -> Any:
    """Equal up to rounding, or both undefined."""
    return pytest.approx(values, rel=within, abs=within, nan_ok=True)


def everything(agreement: Agreement) -> dict[str, Any]:
    """All that is said about agreement, intervals included, but for the notes."""
    said = {"numbers": numbers(agreement), "items": agreement.n_items, "annotations": agreement.n_annotations}
    for method in ("analytic", "jackknife", "bootstrap"):
        interval = agreement.confidence_interval(method=method, replicates=20, seed=3)
        said[method] = (interval.low, interval.high, interval.standard_error)
    return said


def same(first: Agreement, second: Agreement, within: float = 0.0) -> bool:
    """Whether all that is said about two agreements is the same, to the last digit unless said otherwise."""
    one, two = everything(first), everything(second)
    return all(one[name] == near(two[name], within) for name in one)
