"""The number a package must give if it computes as we think it does.

A *habit* is something that a package does and assent does not (see habits.py). What is predicted here is assent's own number,
measured as if it had these habits: where it equals what the package says, the habits explain the difference.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np
from scipy import stats
from tests.reference.inference import gwet_standard_error, irrcac_alpha_standard_error

import assent
from assent import Agreement, Annotations

from .data import DataSet
from .ours import BY_ID, agreement, data_of

__all__ = ["predicted"]

Array = np.ndarray[Any, np.dtype[np.float64]]
#: What NaN is called where it is a label; it comes after all the others.
NO_LABEL = "nan"
#: Habits that go with an order of the labels, and so with ranks.
RANKED = {"ranks", "alphabet", "gaps-as-label", "unused-left-out"}
ABOUT_ALPHA = {
    "alpha-raw",
    "alpha-dist",
    "alpha-of-irr",
    "alpha-triangle",
    "alpha-of-pycm",
    "pi-for-alpha",
    "gwet-ordinal",
}


def predicted(question: Mapping[str, Any], habits: frozenset[str]) -> float | None:
    """Return what assent would answer to a question with some habits of another package; None if there is no telling."""
    alpha = question["measure"] == "krippendorff-alpha"
    if (habits & ABOUT_ALPHA and not alpha) or ("single-labels" in habits and alpha):
        return None
    try:
        return _Question(question, habits).answer()
    except assent.AssentError:
        return None


class _Question:
    """A question, asked to an assent with other habits."""

    def __init__(self, question: Mapping[str, Any], habits: frozenset[str]) -> None:
        self.habits = habits
        self.known: DataSet = BY_ID[question["table"]]
        self.table: str = question["table"]
        self.measure: str = question["measure"]
        self.options: dict[str, str] = dict(question["options"])
        self.category = question["category"]
        self.quantity: str = question["quantity"]
        if "gwet-ordinal" in habits and self.options.get("scale") == "ordinal":
            self.options = {"weights": "ordinal"}
        self.rows = _rows(self.table, habits)
        used = {label for row in self.rows for label in row}
        every = self.known.declared and "unused-left-out" not in habits
        self.order = [str(label) for label in self.known.labels if every or label in used]
        if "alphabet" in habits:
            self.order = sorted(self.order)
        if "gaps-as-label" in habits:
            self.order = [*self.order, NO_LABEL]

    def result(self, measure: str | None = None) -> Agreement:
        """Measure the table with these habits."""
        options: dict[str, Any] = dict(self.options)
        if self.habits & RANKED or not self.known.numeric:
            options["order"] = self.order
        data = Annotations.from_array([list(row) for row in self.rows])
        return agreement(self.table, measure or self.measure, options, self.category, data=data)

    def answer(self) -> float | None:
        """Return the value, the standard error or an end of the interval."""
        if self.quantity == "value":
            return self.value()
        if self.quantity == "standard-error":
            return self.standard_error()
        if "icc-a-k" in self.habits:
            return _icc_a_k_interval(self.rows)[self.quantity == "high"]
        reach = self.quantile() * self.standard_error()
        end = self.value() + (reach if self.quantity == "high" else -reach)
        return min(end, 1.0) if "cut-at-1" in self.habits else end

    def value(self) -> float:
        """Return the coefficient."""
        if "all-agree" in self.habits:
            return float(np.mean([len(set(row)) == 1 for row in self.rows]))
        if "by-annotations" in self.habits:
            return assent.spa(data_of(self.table), scheme="annotations").value
        if "alpha-triangle" in self.habits:
            return _alpha_of_pyirr(self.rows, self.options.get("scale", "nominal"))
        if "alpha-of-irr" in self.habits:
            # Coincidences that are not divided by m - 1 leave n - 1 / (m - 1) where n - 1 should be.
            n, m = len(self.rows) * len(self.rows[0]), len(self.rows[0])
            return 1 - (1 - self.result().value) * (n - 1 / (m - 1)) / (n - 1)
        if "alpha-of-pycm" in self.habits:
            return self._alpha_of_pycm()
        return self.result().value

    def standard_error(self) -> float:
        """Return the standard error."""
        if "null" in self.habits:
            return self._null_standard_error()
        if "chance-known" in self.habits:
            one = self.result()
            return math.sqrt(one.observed * (1 - one.observed) / len(self.rows)) / (1 - one.expected)
        if "single-labels" in self.habits:
            return gwet_standard_error(self.rows, self.measure, self.options.get("weights", "identity"))
        if "alpha-raw" in self.habits:
            return irrcac_alpha_standard_error(self.rows, "raw")
        if "alpha-dist" in self.habits:
            return irrcac_alpha_standard_error(self.rows, "dist")
        error = self.result("scott-pi" if "pi-for-alpha" in self.habits else None).standard_error()
        return error * (math.sqrt((len(self.rows) - 1) / len(self.rows)) if "by-n" in self.habits else 1.0)

    def quantile(self) -> float:
        """Return how many standard errors an interval reaches."""
        if "chance-known" in self.habits:
            return 1.96
        if self.habits & {"normal", "null"}:
            return NormalDist().inv_cdf(0.975)
        pairable = sum(len([label for label in row if label is not None]) >= 2 for row in self.rows)
        items = len(self.rows) if "single-labels" in self.habits else pairable
        return float(stats.t.ppf(0.975, items - 1))

    def _weights(self) -> Array:
        """Return the matrix of linear, quadratic or identity weights of the labels or their ranks."""
        ranks = self.habits & RANKED or self.known.declared or not self.known.numeric
        places = np.arange(len(self.order)) if ranks else np.asarray(self.order, dtype=np.float64)
        apart = np.abs(np.subtract.outer(places, places)).astype(np.float64)
        kind = self.options.get("weights", "identity")
        power = {"identity": 0.0, "linear": 1.0, "quadratic": 2.0}[kind]
        return np.asarray(1 - np.where(apart == 0, 0.0, (apart / apart.max()) ** power))

    def _confusion(self) -> Array:
        """Return the shares of items by the labels of two annotators, items that one left out aside."""
        both = [row for row in self.rows if None not in row]
        matrix = np.zeros((len(self.order), len(self.order)))
        for one, two in both:
            matrix[self.order.index(str(one)), self.order.index(str(two))] += 1
        return matrix / len(both)

    def _null_standard_error(self) -> float:
        """Return the standard error if there is no agreement beyond chance.

        Fleiss, Cohen and Everitt (1969) for two annotators; Fleiss, Nee and Landis (1979) for more.
        """
        if self.measure == "cohen-kappa":
            shares, near = self._confusion(), self._weights()
            one, two = shares.sum(axis=1), shares.sum(axis=0)
            chance = one @ near @ two
            spread = near - (near @ two)[:, None] - near.T @ one
            items = sum(None not in row for row in self.rows)
            variance = (one @ spread**2 @ two - chance**2) / (items * (1 - chance) ** 2)
            return math.sqrt(variance)
        given = [label for row in self.rows for label in row]
        p = np.array([given.count(label) / len(given) for label in sorted(set(given))])
        q = 1 - p
        room, m = (p @ q) ** 2, len(self.rows[0])
        return math.sqrt(2 * (room - p @ (q * (q - p))) / (room * len(self.rows) * m * (m - 1)))

    def _alpha_of_pycm(self) -> float:
        """Return weighted alpha with squares of mixed shares for expected agreement."""
        shares, near = self._confusion(), self._weights()
        correction = 1 / (2 * len(self.rows))
        mixed = np.add.outer(shares.sum(axis=1), shares.sum(axis=0)) / 2
        chance = float((mixed**2 * near).sum())
        observed = (1 - correction) * float((shares * near).sum()) + correction
        return (observed - chance) / (1 - chance)


@cache
def _rows(table: str, habits: frozenset[str]) -> tuple[tuple[Any, ...], ...]:
    """Return the items that a package with these habits looks at, as it sees them."""
    rows: Sequence[tuple[Any, ...]] = BY_ID[table].rows
    if "complete-items" in habits:
        rows = [row for row in rows if None not in row]
    if "singles-left-out" in habits:
        rows = [row for row in rows if len(row) - row.count(None) >= 2]
    if "gaps-as-label" in habits:
        rows = [tuple(NO_LABEL if label is None else label for label in row) for row in rows]
    return tuple(rows)


def _icc_a_k_interval(rows: Sequence[Sequence[Any]]) -> tuple[float, float]:
    """Return the interval of ICC(A,k) with the degrees of freedom of a true value of 0."""
    values = np.asarray([row for row in rows if None not in row], dtype=np.float64)
    n, k = values.shape
    between = k * values.mean(axis=1).var(ddof=1)
    judges = n * values.mean(axis=0).var(ddof=1)
    whole = values.var(ddof=1) * (n * k - 1)
    error = (whole - between * (n - 1) - judges * (k - 1)) / ((n - 1) * (k - 1))
    degrees = (n - 1) * (k - 1)
    low, high = stats.f.ppf(0.975, n - 1, degrees), stats.f.ppf(0.975, degrees, n - 1)
    return (
        float(n * (between - low * error) / (low * (judges - error) + n * between)),
        float(n * (high * between - error) / (judges - error + n * high * between)),
    )


def _alpha_of_pyirr(rows: Sequence[Sequence[Any]], scale: str) -> float:
    """Return alpha from the coincidences above the wrong diagonal, as pyirr 0.84.1.2 takes them."""
    labels = sorted({label for row in rows for label in row if label is not None})
    place = {label: i for i, label in enumerate(labels)}
    q = len(labels)
    both = np.zeros((q, q))
    gaps = any(None in row for row in rows)
    for row in rows:
        given = [place[label] for label in row if label is not None]
        for i, one in enumerate(given):
            for two in given[i + 1 :]:
                both[one, two] += (2 if one == two else 1) / (len(given) - 1 if gaps else 1)
                both[two, one] = both[one, two]
    first, second = np.triu_indices(q, k=q // 2 - 1)
    # Not a stable sort: what it does with equal numbers is up to the machine.
    by_column = np.argsort(second)
    taken = both[first[by_column], second[by_column]]
    total = both.sum(axis=1)
    apart, weight = np.zeros(len(taken)), np.zeros(len(taken))
    pairs = ((c, k) for k in range(1, q) for c in range(k))
    for i, (c, k) in enumerate(pairs):
        low, high = labels[c], labels[k]
        weight[i] = total[c] * total[k]
        apart[i] = {
            "nominal": 1.0,
            "ordinal": (total[c] / 2 + total[c + 1 : k].sum() + total[k] / 2) ** 2,
            "interval": (low - high) ** 2,
            "ratio": ((low - high) / (low + high)) ** 2 if low + high else math.nan,
        }[scale]
    return float(1 - (both.sum() - 1) * (taken @ apart) / (weight @ apart))
