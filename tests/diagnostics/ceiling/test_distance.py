"""On a scale: how far an annotation is from the mean of the others, by hand."""

from __future__ import annotations

import numpy as np
import pytest

import assent
from assent.data import Annotations


@pytest.mark.parametrize("scale", ["ordinal", "interval"])
def test_the_distance_is_that_of_a_literal_computation(scale: str) -> None:
    table = [["1", "2", "4"], ["1", "1", "1"], ["4", "2", "2"], ["1", "4", None], ["2", "2", "1"]]
    found = assent.ceiling(Annotations.from_array(table), scale=scale).distance
    assert found is not None
    place = {"1": 0, "2": 1, "4": 2} if scale == "ordinal" else {"1": 1, "2": 2, "4": 4}
    each = []
    for row in table:
        said = [place[one] for one in row if one is not None]
        if len(said) >= 3:
            each.append(np.mean([abs(x - (sum(said) - x) / (len(said) - 1)) for x in said]))
    assert found.value == pytest.approx(float(np.mean(each)))
    low, high = found.ends or (np.nan, np.nan)
    assert 0 <= low < found.value < high
    assert found.unit == ("steps" if scale == "ordinal" else "units")


def test_names_have_no_distance() -> None:
    assert assent.ceiling([["a", "a", "b"]] * 5).distance is None


def test_a_report_on_a_scale_says_it() -> None:
    rng = np.random.default_rng(1)
    table = np.clip(rng.integers(1, 6, (40, 1)) + rng.integers(-1, 2, (40, 4)), 1, 5).astype(str).tolist()
    made = assent.report(table, scale="ordinal").to_dict()
    assert made["ceiling"]["distance"]["unit"] == "steps"
