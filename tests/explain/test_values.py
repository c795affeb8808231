"""Whatever the table: the computation gives the measured value, and every line of it is true as printed."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.explain.checking import ANY_SCALE, check, ends, formulas
from tests.properties.tables import FEW, Rows, tables
from tests.support import every

import assent
from assent.analyses.explain import EXPLAINED, explain, work_out
from assent.errors import NothingToCompare, UnsuitableData
from assent.scales import SCALES, WEIGHTS

CUSTOM = [[1, 0.3, 0.2, 0], [0.3, 1, 2 / 3, 0.1], [0.2, 2 / 3, 1, 0.5], [0, 0.1, 0.5, 1]]
OPTIONS: list[dict[str, Any]] = [
    *({"scale": scale} for scale in SCALES),
    *({"weights": weights} for weights in WEIGHTS),
    {"weights": CUSTOM, "order": ["1", "2", "4", "7.5"]},
    {"order": ["7.5", "4", "unused", "2", "1"]},
]
OWN = {
    "cohen-kappa": [
        {"average": "plain"},
        {"incomplete": "available"},
        {"incomplete": "category"},
        {"incomplete": "available", "weights": "linear"},
    ]
}
OWN |= {
    "van-oest": [{"prior": "jeffreys"}, {"prior": "none"}, {"prior": "jeffreys", "weights": "linear"}],
    "spa": [{"scheme": scheme} for scheme in ("flat", "annotations", "edges", "inv-var", "inv-var-class")],
    "spa-kappa": [{"chance": "naive"}, {"scheme": "flat"}, {"scheme": "inv-var-class"}],
    "icc": [{"form": form} for form in ("1,1", "3,1", "1,k", "2,k", "3,k")],
}


def fits(name: str, options: dict[str, Any]) -> bool:
    """Whether the measure takes the scale; one that takes a single scale has no weights to choose."""
    scales = assent.all_measures()[name].scales
    if len(scales) == 1:
        return options.get("scale", scales[0]) == scales[0] and "weights" not in options
    return True


CASES = [(name, options) for name in EXPLAINED for options in [*OPTIONS, {}, *OWN.get(name, [])] if fits(name, options)]


def id_of(case: object) -> str:
    return " ".join(str(one)[:20] for one in case.values()) if isinstance(case, dict) else str(case)


def agrees(data: assent.Annotations, name: str, options: dict[str, Any]) -> None:
    """Compare with the measure, and read every line again."""
    measure = assent.all_measures()[name]
    agreement = measure(data, **options)
    worked = work_out(measure, agreement, options)
    explanation = explain(data, name, **options)
    if math.isnan(agreement.value):
        assert worked.value is None
        assert math.isnan(explanation.value)
        assert explanation.interpretation is None
        assert explanation.notes
    else:
        assert worked.value is not None
        assert float(worked.value) == pytest.approx(agreement.value, rel=1e-12, abs=1e-12)
        # The value is handed on as it was measured, to the last bit.
        assert explanation.value == agreement.value
        last = ends(formulas(explanation)[-1])
        assert last is not None
        assert abs(last - worked.value) <= Fraction(1, 2 * 10**4)
    assert (explanation.observed, explanation.expected) == pytest.approx(
        (agreement.observed, agreement.expected), nan_ok=True
    )
    for formula in formulas(explanation):
        check(formula)
    for text in (explanation.text(), explanation.markdown(), explanation.latex()):
        assert text.endswith("\n")


@pytest.mark.parametrize(("name", "options"), every(3, CASES), ids=id_of)
@FEW
@given(rows=tables(least=3, most=12))
def test_random_tables(name: str, options: dict[str, Any], rows: Rows) -> None:
    two = assent.all_measures()[name].n_annotators == 2
    data = assent.Annotations.from_array([row[:2] for row in rows] if two else rows)
    try:
        agrees(data, name, options)
    except (UnsuitableData, NothingToCompare) as refused:
        with pytest.raises(type(refused)):
            assent.all_measures()[name](data, **options)


@pytest.mark.parametrize("name", ANY_SCALE)
@FEW
@given(cells=st.lists(st.lists(st.integers(0, 3000), min_size=3, max_size=3), min_size=3, max_size=3))
def test_random_confusion_tables(name: str, cells: list[list[int]]) -> None:
    if not any(map(any, cells)):
        return
    data = assent.Annotations.from_contingency(cells, labels=["a", "b", "c"])
    agrees(data, name, {})
    agrees(data, name, {"weights": "linear", "order": ["a", "b", "c"]})
    for label in "abc":
        explanation = explain(data, name, label_against_rest=label)
        by_label = assent.all_measures()[name].by_label(data)[label]
        assert explanation.value == pytest.approx(by_label.value, nan_ok=True)
        for formula in formulas(explanation):
            check(formula)


def crowd(*, items: int, annotators: int, labels: int, gaps: float, seed: int) -> assent.Annotations:
    """Many labels, used unevenly, and different numbers of annotations."""
    draw = random.Random(seed)
    names = [str(i) for i in range(labels)]
    rows = []
    for _ in range(items):
        truth = min(labels - 1, int(draw.expovariate(0.2)))
        row = [names[truth] if draw.random() < 0.7 else draw.choice(names) for _ in range(annotators)]
        rows.append([None if i > 1 and draw.random() < gaps else label for i, label in enumerate(row)])
    return assent.Annotations.from_array(rows)


@pytest.mark.parametrize("name", ANY_SCALE)
@pytest.mark.parametrize(
    "options", [{}, {"scale": "interval"}, {"scale": "ordinal"}, {"weights": "radical"}], ids=id_of
)
def test_many_labels_and_many_numbers_of_annotations(name: str, options: dict[str, Any]) -> None:
    annotators = 2 if name == "scott-pi" else 9
    agrees(crowd(items=300, annotators=annotators, labels=30, gaps=0.5, seed=3), name, options)


@pytest.mark.parametrize("name", ANY_SCALE)
@pytest.mark.parametrize("options", [{}, {"weights": "linear"}], ids=id_of)
def test_millions_of_items(name: str, options: dict[str, Any]) -> None:
    """Numbers too long for a board become decimals, and still add up."""
    cells = [[2_000_000, 300_000, 17], [400_000, 1_234_567, 3], [5, 2, 999]]
    agrees(assent.Annotations.from_contingency(cells, labels=["1", "2", "3"]), name, options)


@pytest.mark.parametrize("name", ANY_SCALE)
def test_items_counted_by_somebody_else(name: str) -> None:
    data = assent.Annotations.from_counts(
        [[3, 0, 0], [1, 2, 1], [0, 5, 0], [1, 0, 0], [2, 2, 3]], labels=["1", "2", "3"]
    )
    if assent.all_measures()[name].unsuitable(data):
        with pytest.raises(UnsuitableData):
            explain(data, name)
    else:
        for options in ({}, {"scale": "interval"}, {"scale": "ordinal"}):
            agrees(data, name, options)
