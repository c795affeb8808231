"""The coefficient without each annotator, against measuring again with their annotations taken out."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.diagnostics.annotators.simulated import gaps

import assent
from assent import Annotations, OptionError
from assent.analyses.annotators import leave_one_out as module
from assent.analyses.annotators.leave_one_out import without_each
from assent.measures import Measure, find
from assent.profiles import Counts

#: Every measure that sees how many gave each label, and who they were is no matter.
MEASURES = [
    one
    for one in assent.all_measures().values()
    if one.profiles is Counts and one.n_annotators is None and not one.complete and not one.label_sets
]


def table(seed: int, annotators: int = 6) -> list[list[str | None]]:
    rows = gaps(np.random.default_rng(seed), 40, annotators, 4)
    return [[None if label is None else str("abcd".index(label) + 1) for label in row] for row in rows]


def slowly(rows: Any, measure: Measure, **options: Any) -> list[float]:
    """Measure anew for each annotator, with the columns of the others alone."""
    labels = sorted({label for row in rows for label in row if label is not None})
    values = []
    for one in range(len(rows[0])):
        left = [[label for j, label in enumerate(row) if j != one] for row in rows]
        data = Annotations.from_array([row for row in left if any(label is not None for label in row)])
        # A label that one annotator alone used stays a label, though nobody uses it now.
        values.append(measure(data.ordered(labels), **options).value)
    return values


@pytest.mark.parametrize(("name", "scale"), [(one.name, scale) for one in MEASURES for scale in one.scales])
def test_it_is_what_measuring_anew_gives(name: str, scale: str) -> None:
    measure, rows = find(name), table(1)
    data = Annotations.from_array(rows)
    found = without_each(data, measure, scale=scale)
    assert found.values == pytest.approx(slowly(rows, measure, scale=scale), rel=1e-10)
    assert found.agreement.value == measure(data, scale=scale).value


@pytest.mark.parametrize(
    ("name", "option", "value"),
    [(one.name, option, value) for one in MEASURES for option, values in one.choices.items() for value in values],
)
def test_a_measures_own_options_are_taken_along(name: str, option: str, value: str) -> None:
    measure, rows = find(name), table(4)
    data = Annotations.from_array(rows)
    try:
        expected = slowly(rows, measure, **{option: value})
    except OptionError:
        with pytest.raises(OptionError):
            without_each(data, measure, **{option: value})
        return
    assert without_each(data, measure, **{option: value}).values == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("chunk", [1, 50, 10_000])
def test_it_does_not_matter_how_many_annotators_are_left_out_at_a_time(
    monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(module, "LEFT_OUT_AT_ONCE", chunk)
    rows = table(2)
    data = Annotations.from_array(rows)
    found = without_each(data, find("krippendorff-alpha"))
    assert found.values == pytest.approx(slowly(rows, find("krippendorff-alpha")), rel=1e-10)


def test_many_labels_and_annotators_are_left_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one number cannot tell label counts apart, items are not put together."""
    rows = table(3)
    data = Annotations.from_array(rows)
    together = without_each(data, find("krippendorff-alpha"), scale="ordinal")
    monkeypatch.setattr(module, "LARGEST", 1)
    apart = without_each(data, find("krippendorff-alpha"), scale="ordinal")
    assert apart.values == pytest.approx(together.values, rel=1e-12)


def test_of_two_annotators_nothing_is_left() -> None:
    data = Annotations.from_array([["a", "a"], ["a", "b"], ["b", "b"]])
    assert np.isnan(without_each(data, find("krippendorff-alpha")).values).all()


def test_an_annotator_who_shares_no_item_changes_nothing() -> None:
    rows = [["a", "a", None], ["a", "b", None], ["b", "b", None], [None, None, "a"]]
    data = Annotations.from_array(rows)
    found = without_each(data, find("krippendorff-alpha"))
    assert found.values[2] == found.agreement.value


def test_a_measure_that_asks_who_is_refused() -> None:
    data = Annotations.from_array([["a", "a"], ["a", "b"]])
    with pytest.raises(OptionError, match="cohen-kappa asks who gave which label"):
        without_each(data, find("cohen-kappa"))


def test_ten_thousand_annotators_take_no_ten_thousand_measurements(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    items = 20_000
    frame = pl.DataFrame(
        {
            "item": np.repeat(np.arange(items), 3),
            "annotator": (rng.integers(0, 3333, (items, 3)) * 3 + np.arange(3)).ravel(),
            "label": rng.integers(0, 4, 3 * items),
        }
    )
    data = Annotations.from_frame(frame)
    calls = 0
    measure = find("krippendorff-alpha")
    original = measure.function

    def counted(*arguments: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        return original(*arguments, **options)

    monkeypatch.setitem(measure.__dict__, "function", counted)
    found = without_each(data, measure)
    assert len(found.values) > 9_000
    assert calls < 10
