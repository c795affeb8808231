"""Random tables, and every registered measure with every scale and option it takes: no list to keep."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import assent
from assent import Agreement, Annotations

Row = tuple[str | None, ...]
Rows = tuple[Row, ...]

#: The same examples on every run and every machine; nothing is written to disk.
STABLE = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
FEW = settings(STABLE, max_examples=8)

#: Numbers, so that every scale can take them; uneven, so that ranks are not values.
LABELS = ("1", "2", "4", "7.5")
#: Sums taken in another order differ in the last digits of a float, by no more than this.
ROUNDING = 1e-12


class Case(NamedTuple):
    """A measure and the options it is called with."""

    measure: assent.Measure
    options: dict[str, str]

    def __call__(self, data: Any) -> Agreement:
        return self.measure(data, **self.options)

    @property
    def nominal(self) -> bool:
        return self.options.get("scale", "nominal") == "nominal"

    @property
    def id(self) -> str:
        return "-".join([self.measure.name, *self.options.values()])


def _cases() -> list[Case]:
    found = []
    for measure in assent.all_measures().values():
        found += [Case(measure, {"scale": scale}) for scale in measure.scales]
        for option, values in measure.choices.items():
            found += [Case(measure, {option: value}) for value in values[1:]]
    return found


CASES = _cases()
every_case = pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
NOMINAL = [case for case in CASES if case.nominal]
every_nominal_case = pytest.mark.parametrize("case", NOMINAL, ids=[case.id for case in NOMINAL])
MEASURES = list(assent.all_measures().values())
every_measure = pytest.mark.parametrize("measure", MEASURES, ids=[measure.name for measure in MEASURES])


@lru_cache(maxsize=4096)
def annotations(rows: Rows) -> Annotations:
    """Make annotations of a table; every measure is asked about the same tables, so they are kept."""
    return Annotations.from_array(rows)


@st.composite
def tables(draw: st.DrawFn, *, least: int = 1, most: int = 10, labels: tuple[str, ...] = LABELS) -> Rows:
    """Items x annotators with gaps: unequal numbers of annotations, single ones, items and annotators without any.

    At least one item has two annotations.
    """
    annotators = draw(st.integers(2, 5))
    gap = draw(st.sampled_from([(), (None,), (None, None, None)]))
    cell = st.sampled_from([*labels[: draw(st.integers(1, len(labels)))], *gap])
    row = st.tuples(*[cell] * annotators)
    rows = draw(st.lists(row, min_size=least - 1, max_size=most - 1))
    first = (draw(st.sampled_from(labels)), draw(st.sampled_from(labels)), *draw(row)[2:])
    return (first, *rows)


def large(*, items: int = 400, annotators: int = 4, gaps: float = 0.3, agreeing: float = 0.6, seed: int = 5) -> Rows:
    """A table of moderate agreement, uneven labels and unequal numbers of annotations."""
    import random

    draw = random.Random(seed)
    pick = lambda: draw.choices(LABELS, weights=[4, 3, 2, 1])[0]  # noqa: E731
    rows = []
    for _ in range(items):
        truth = pick()
        labels = [truth if draw.random() < agreeing else pick() for _ in range(annotators)]
        rows.append(tuple(label if draw.random() >= gaps else None for label in labels))
    return tuple(rows)


def numbers(agreement: Agreement) -> tuple[float, float, float]:
    """Value, observed and expected."""
    return agreement.value, agreement.observed, agreement.expected


def near(values: Any, within: float = ROUNDING) -> Any:
    """Equal up to rounding, or both undefined."""
    return pytest.approx(values, rel=within, abs=within, nan_ok=True)


def everything(agreement: Agreement) -> dict[str, Any]:
    """All that is said about agreement, intervals included, but for the notes."""
    said = {"numbers": numbers(agreement), "items": agreement.items, "annotations": agreement.annotations}
    for method in ("analytic", "jackknife", "bootstrap"):
        interval = agreement.confidence_interval(method=method, replicates=40, seed=3)
        said[method] = (interval.low, interval.high, interval.standard_error)
    # NaN is not equal to itself; its text is.
    return {name: repr(value) for name, value in said.items()}
