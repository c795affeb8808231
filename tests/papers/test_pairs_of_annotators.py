"""Cohen's kappa of more than two annotators: every pair, the mean weighted by overlap, and Light's plain mean."""

import math

import numpy as np
import pytest
from tests import reference
from tests.papers.test_references import table
from tests.reference.inference import jackknife_standard_error, linearised_standard_error

import assent
from assent.errors import UnsuitableData
from assent.measures import paired


def mean_of_pairs(rows, **options):
    """Mean of the pairs' kappas weighted by shared items, by definition."""
    count, top, bottom = len(rows[0]), 0, 0
    times = options.pop("times", None) or [1] * len(rows)
    for one in range(count):
        for two in range(one + 1, count):
            pair = [[row[one], row[two]] for row in rows]
            shared = sum(t for row, t in zip(pair, times, strict=True) if None not in row)
            value = reference.cohen_kappa(pair, times=times, labels=options["labels"]).value
            if value is not None and shared:
                top, bottom = top + shared * value, bottom + shared
    return top / bottom


ROWS = [list(row) for row in table(5, items=25, annotators=4, labels=3, missing=0.2)]
ROWS = [row for row in ROWS if sum(label is not None for label in row) >= 2]
LABELS = sorted({label for row in ROWS for label in row if label is not None})


def test_more_pairs_than_are_compared_are_refused(monkeypatch):
    monkeypatch.setattr(paired, "PAIRS_COMPARED", 6)
    assert len(assent.cohen_kappa(assent.Annotations.from_array(ROWS)).pairs) == 6
    monkeypatch.setattr(paired, "PAIRS_COMPARED", 5)
    with pytest.raises(UnsuitableData, match="4 annotators and so 6 pairs to compare, more than 5: use"):
        assent.cohen_kappa(assent.Annotations.from_array(ROWS))


def test_mean_weighted_by_overlap():
    agreement = assent.cohen_kappa(assent.Annotations.from_array(ROWS))
    assert agreement.value == pytest.approx(float(mean_of_pairs(ROWS, labels=LABELS)), abs=1e-12)
    assert len(agreement.pairs) == 6
    for pair in agreement.pairs:
        one, two = int(pair.first) - 1, int(pair.second) - 1
        both = [[row[one], row[two]] for row in ROWS]
        assert pair.n_items == sum(None not in row for row in both)
        assert pair.value == pytest.approx(float(reference.cohen_kappa(both)), abs=1e-12)


def test_standard_errors_of_the_mean_over_pairs():
    class Mean:
        def __init__(self, value):
            self.value = value

        def __float__(self):
            return float(self.value)

    def coefficient(rows, *, times=None, labels=None):
        return Mean(mean_of_pairs(rows, times=times, labels=LABELS))

    agreement = assent.cohen_kappa(assent.Annotations.from_array(ROWS))
    assert agreement.standard_error("jackknife") == pytest.approx(jackknife_standard_error(ROWS, coefficient), rel=1e-9)
    assert agreement.standard_error() == pytest.approx(linearised_standard_error(ROWS, coefficient), rel=1e-6)


def test_a_pair_that_is_undefined_is_left_out_of_the_mean():
    rows = [["a", "a", "a"], ["a", "a", "b"], ["a", "a", "b"], ["a", "a", "a"]]
    agreement = assent.cohen_kappa(assent.Annotations.from_array(rows))
    assert math.isnan(agreement.pairs[0].value)
    assert agreement.value == pytest.approx(np.mean([pair.value for pair in agreement.pairs[1:]]))
    assert any("undefined" in note for note in agreement.notes)


def test_lins_concordance_is_kappa_with_quadratic_weights():
    rows = [[1, 2], [2, 2], [3, 4], [4, 5], [5, 5], [2, 5], [1, 1]]
    data = assent.Annotations.from_array(rows)
    kappa = assent.cohen_kappa(data, weights="quadratic")
    lin = assent.lin_concordance(data)
    assert lin.value == pytest.approx(kappa.value, abs=1e-12)
    assert lin.standard_error() == pytest.approx(kappa.standard_error(), abs=1e-12)


def test_lins_concordance_by_its_formula():
    x, y = np.array([1.0, 2, 3, 4, 5.5]), np.array([1.5, 2, 3.5, 5, 5])
    lin = assent.lin_concordance(np.stack([x, y], axis=1))
    formula = 2 * np.cov(x, y, ddof=0)[0, 1] / (x.var() + y.var() + (x.mean() - y.mean()) ** 2)
    assert lin.value == pytest.approx(formula, abs=1e-12)
