"""Who rates higher or lower than the others: by how much, and how sure that is."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from scipy.special import stdtr

from assent import Annotations
from assent.analyses.annotators.severity import Severity, severity


def found(rows: list[list[str]], scale: str = "ordinal") -> Severity:
    made = severity(Annotations.from_array(rows), scale=scale, level=0.95)
    assert made is not None
    return made


def test_a_step_on_every_item_is_clear() -> None:
    """The differences do not vary at all, which is no reason to call them luck."""
    made = found([[str(one), str(one), str(one + 1)] for one in (1, 2, 3, 4)] * 10)
    assert made.mean.tolist() == pytest.approx([-0.5, -0.5, 1.0])
    assert made.clear(2)
    assert made.foremost == [2]


@pytest.mark.parametrize("items", [2, 3, 5])
def test_a_few_items_make_no_certainty(items: int) -> None:
    for rows in ([["1", "1", "2"], ["2", "2", "3"]] * 3, [["1", "1", "1"], ["2", "2", "2"]] * 3):
        made = found(rows[:items])
        assert (made.high - made.low > 0.5).all()
        assert not any(made.clear(one) for one in range(3)) or items == 5


def test_documents_are_drawn_whole() -> None:
    """Copies of an item in one document tell as much as the item does."""
    draw = np.random.default_rng(1)
    place = np.clip(draw.integers(1, 6, 20)[:, None] + draw.integers(-1, 2, (20, 3)) + np.array([0, 0, 1]), 1, 7)

    def copies(times: int) -> Severity:
        rows = [
            {"item": f"{item}-{copy}", "document": str(item), "annotator": str(who), "label": str(label)}
            for item, row in enumerate(place.tolist())
            for copy in range(times)
            for who, label in enumerate(row)
        ]
        data = Annotations.from_frame(pl.DataFrame(rows), cluster="document")
        made = severity(data, scale="interval", level=0.95)
        assert made is not None
        return made

    once, often, plain = copies(1), copies(5), found(place.astype(str).tolist(), "interval")
    for name in ("mean", "low", "high", "spread", "corrected"):
        assert getattr(often, name) == pytest.approx(getattr(once, name))
        assert getattr(plain, name) == pytest.approx(getattr(once, name))


def test_the_p_value_is_that_of_a_t_variable() -> None:
    rows = [["1", "2"], ["2", "2"], ["3", "5"], ["4", "5"], ["2", "3"], ["5", "5"]]
    made = found(rows, "interval")
    apart = [int(b) - int(a) for a, b in rows]
    mean, n = sum(apart) / 6, 6
    size = max(1.0, math.sqrt(sum(one**2 for one in apart) / n))
    pseudo = mean**2 / 2 + (size - mean) ** 2 / 4 + (size + mean) ** 2 / 4
    error = math.sqrt((sum((one - mean) ** 2 for one in apart) + pseudo) / n / (n - 1))
    # Holm's method: the smaller of two counts twice.
    assert made.corrected[1] == pytest.approx(min(1.0, 2 * 2 * stdtr(n - 1, -mean / error)))


@pytest.mark.parametrize("unit", [2.0**600, 2.0**1021, 2.0**-600])
def test_severity_in_a_very_large_or_small_unit_is_that_many_units(unit: float) -> None:
    rows = [(-4.0, -2.0, -4.0), (2.0, 4.0, 2.0), (-4.0, 1.0, 0.5), (1.0, 2.0, 0.5), (3.0, 4.0, 2.0)]
    plain, other = (
        severity(Annotations.from_array([[one * a for one in row] for row in rows]), scale="interval", level=0.95)
        for a in (1.0, unit)
    )
    assert plain is not None
    assert other is not None
    for name in ("mean", "spread", "middle"):
        assert getattr(other, name) / unit == pytest.approx(getattr(plain, name), rel=1e-9)
    assert other.corrected == pytest.approx(plain.corrected, rel=1e-6)
    assert other.explains == pytest.approx(plain.explains, rel=1e-9)
