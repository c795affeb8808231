"""Intervals by tilted weights against a slow reference that differentiates by differences and halves its way to the ends."""

from functools import partial
from typing import Any

import pytest
from tests import reference
from tests.papers.test_inference_by_reference import usable
from tests.papers.test_references import table
from tests.reference.etel import etel_interval, pseudo_item
from tests.reference.inference import Coefficient

import assent

MEASURES: list[tuple[str, dict[str, str], Coefficient]] = [
    ("percent-agreement", {}, reference.percent_agreement),
    ("fleiss-kappa", {}, reference.fleiss_kappa),
    ("fleiss-kappa", {"weights": "quadratic"}, partial(reference.fleiss_kappa, weights="quadratic")),
    *[
        ("krippendorff-alpha", {"scale": scale}, partial(reference.krippendorff_alpha, scale=scale))
        for scale in ("nominal", "ordinal", "interval", "ratio")
    ],
    ("gwet-ac", {}, reference.gwet_ac),
    ("brennan-prediger", {}, reference.brennan_prediger),
    ("conger-kappa", {}, reference.conger_kappa),
    ("van-oest", {}, reference.van_oest),
    ("spa", {"scheme": "edges"}, partial(reference.spa, scheme="edges")),
]
PARAMETERS: list[Any] = [pytest.param(*m, id="-".join([m[0], *m[1].values()])) for m in MEASURES]
TABLES = [
    table(1, items=6, annotators=3, missing=0),
    table(2, items=12, annotators=3, labels=3, missing=0.3),
    table(3, items=20, annotators=2, labels=2, missing=0.2),
    table(4, items=14, annotators=3, labels=3, missing=0),
]
AGREED = [["a", "a"]] * 5 + [["b", "b"]] * 5
SAFE = [["safe", "safe"]] * 19 + [["safe", "toxic"]]


@pytest.mark.parametrize("rows", TABLES, ids=["complete", "gaps", "two", "many disagree"])
@pytest.mark.parametrize(("name", "options", "coefficient"), PARAMETERS)
def test_the_ends_are_those_of_the_reference(
    name: str, options: dict[str, str], coefficient: Coefficient, rows: reference.Rows
) -> None:
    level = 0.8 if len(rows) % 4 else 0.95
    interval = assent.all_measures()[name](rows, **options).confidence_interval(level, method="etel")
    expected = etel_interval(usable(rows, name, options), coefficient, level=level, labels=reference.vocabulary(rows))
    assert (interval.low, interval.high) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("rows", [AGREED, SAFE], ids=["all agree", "one does not"])
@pytest.mark.parametrize("name", ["cohen-kappa", "scott-pi", "krippendorff-alpha", "percent-agreement"])
def test_so_are_they_where_hardly_anything_varies(name: str, rows: reference.Rows) -> None:
    coefficient = getattr(reference, name.replace("-", "_"))
    interval = assent.all_measures()[name](rows).confidence_interval(method="etel")
    assert (interval.low, interval.high) == pytest.approx(etel_interval(rows, coefficient), abs=1e-6)


def test_and_where_the_value_is_undefined() -> None:
    """With one label there is a second one that nobody gave."""
    rows = [["a", "a"]] * 20
    interval = assent.krippendorff_alpha(rows).confidence_interval(method="etel")
    expected = etel_interval(rows, reference.krippendorff_alpha, labels=["a", "another"])
    assert (interval.low, interval.high) == pytest.approx(expected, abs=1e-6)
    assert (interval.low, interval.high) == pytest.approx((-0.04, 0.97), abs=0.005)


def test_light_s_kappa_with_gaps_asks_only_annotators_who_met() -> None:
    """1 and 2, and 2 and 3 labelled items together; 1 and 3 did not, and the pseudo-item does not make them."""
    rows = [
        ["a", "a", None],
        ["a", "b", None],
        [None, "b", "b"],
        [None, "a", "a"],
        ["b", "b", None],
        [None, "b", "a"],
    ] * 2
    coefficient = partial(reference.light_kappa, by_overlap=True)
    interval = assent.cohen_kappa(rows).confidence_interval(method="etel")
    assert (interval.low, interval.high) == pytest.approx(etel_interval(rows, coefficient), abs=1e-6)


def test_the_pseudo_item_of_the_reference_is_one_item() -> None:
    for rows in (*TABLES, AGREED):
        parts = pseudo_item(rows, reference.vocabulary(rows))
        assert sum(weight for _, weight in parts) == pytest.approx(1, abs=1e-12)
        agreeing = sum(weight for row, weight in parts if len(set(reference.tables.given(row))) == 1)
        assert agreeing == pytest.approx(0.5, abs=1e-12)
