"""Where a judge leans: labels that it gives more often than people, severity and use of a scale, and what it does to the pool."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from msgspec import field

from assent.analyses.findings.symmetry import bowker, stuart_maxwell
from assent.analyses.judge.pairs import spread
from assent.analyses.judge.panel import Items, Panel
from assent.inference.intervals import normal_interval
from assent.limits import LABELS_IN_MATRIX
from assent.measures.krippendorff import krippendorff_alpha
from assent.profiles import Array, Counts, Matrix, from_cells, units_left
from assent.records import Struct, plain
from assent.scales import agreement_weights

__all__ = ["JudgeSeverity", "LabelLean", "Leaning", "Pool", "leaning", "pooled", "severity"]


class LabelLean(Struct, frozen=True, kw_only=True):
    """How much more often the judge gives a label than people do, on the same items; the interval holds for all labels at once."""

    label: str
    judge: float
    humans: float
    low: float
    high: float

    @property
    def difference(self) -> float:
        """The judge's share less the people's."""
        return self.judge - self.humans

    @property
    def sure(self) -> bool:
        """The interval is on one side of 0."""
        return self.low > 0 or self.high < 0

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "label": self.label,
            "judge": self.judge,
            "humans": self.humans,
            "difference": self.difference,
            "ci": {"low": plain(self.low), "high": plain(self.high)},
        }


class Leaning(Struct, frozen=True, kw_only=True, eq=False):
    """Labels of the judge beside those of the people.

    Parameters
    ----------
    by_label : tuple of LabelLean
        The largest differences first.
    confusion : array (labels, labels) or None
        Rows are the people, each person's label of an item by itself; columns are the judge.
    tests : mapping
        Stuart and Maxwell's and Bowker's test of that table.
    """

    by_label: tuple[LabelLean, ...]
    labels: tuple[str, ...]
    confusion: Array | None
    tests: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the labels as plain values."""
        return [one.to_dict() for one in self.by_label]


class JudgeSeverity(Struct, frozen=True, kw_only=True):
    """How a judge uses a scale, beside the people: all pairs of a person's rating and the judge's of the same item.

    Parameters
    ----------
    mean_difference, low, high : float
        Mean over people of the judge's rating less the person's, with interval.
    concordance, pearson, accuracy : float
        Lin's concordance is the product of the other two.
    shift, scale : float
        Mean of the judge less that of the people; standard deviation of the judge over that of the people.
    values_judge, values_humans : int
        Distinct values in use.
    """

    mean_difference: float
    low: float
    high: float
    concordance: float
    pearson: float
    accuracy: float
    shift: float
    scale: float
    values_judge: int
    values_humans: int

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "difference": plain(self.mean_difference),
            "ci": {"low": plain(self.low), "high": plain(self.high)},
            "ccc": plain(self.concordance),
            "pearson": plain(self.pearson),
            "accuracy": plain(self.accuracy),
            "shift": plain(self.shift),
            "scale": plain(self.scale),
            "values": {"judge": self.values_judge, "humans": self.values_humans},
        }


class Pool(Struct, frozen=True, kw_only=True):
    """What becomes of Krippendorff's alpha of the people when the judge joins them, or stands in for one of them."""

    humans: float
    with_judge: float
    substituted: tuple[tuple[str, float], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        changes = [change for _, change in self.substituted]
        return {
            "alpha_humans": plain(self.humans),
            "alpha_with_judge": plain(self.with_judge),
            "difference": plain(self.with_judge - self.humans),
            "substituted": {name: plain(change) for name, change in self.substituted},
            "substituted_mean": plain(float(np.mean(changes)) if changes else math.nan),
        }


def leaning(items: Items, panel: Panel, *, level: float) -> Leaning | None:
    """Compare the label shares of a judge with those of each person on the items that both labelled; None if there are none."""
    rows = np.flatnonzero((items.judge >= 0) & (items.sizes > 0))
    if not len(rows):
        return None
    people, judge, valid = items.people[rows], items.judge[rows], items.valid[rows]
    weights, units = items.weights[rows], units_left(items.units, rows)
    number = weights @ valid
    who = np.flatnonzero(number > 0)
    used = np.union1d(judge, people[valid])
    if len(used) > LABELS_IN_MATRIX:
        return None
    shares = np.zeros((2, len(used)))
    influences = np.zeros((len(rows), len(used)))
    for person in who:
        there = valid[:, person]
        own = (people[:, [person]] == used) & there[:, None]
        its = (judge[:, None] == used) & there[:, None]
        each = np.stack([weights @ its, weights @ own]) / number[person]
        shares += each / len(who)
        influences += (its.astype(float) - own - np.outer(there, each[0] - each[1])) / (number[person] * len(who))
    number_of_units = int(weights.sum()) if units is None else units.shape[0]
    errors = _not_zero(spread(influences, weights, units), number_of_units)
    degrees = number_of_units - 1
    together = 1.0 - (1.0 - level) / len(used)
    leans = []
    for place, label in enumerate(used):
        its, theirs = float(shares[0, place]), float(shares[1, place])
        low, high = normal_interval(its - theirs, float(errors[place]), together, degrees)
        leans.append(LabelLean(label=panel.labels[label], judge=its, humans=theirs, low=low, high=high))
    table = np.zeros((len(panel.labels), len(panel.labels)), dtype=np.int64)
    r, c = np.nonzero(valid)
    np.add.at(table, (people[r, c], judge[r]), weights[r])
    tests = {
        name: {"chi2": found.statistic, "df": found.degrees, "p": found.p_value}
        for name, found in (
            ("stuart_maxwell", stuart_maxwell(table, method="chi-squared")),
            ("bowker", bowker(table, method="chi-squared")),
        )
    }
    leans.sort(key=lambda one: -abs(one.difference))
    return Leaning(by_label=tuple(leans), labels=panel.labels, confusion=table, tests=tests)


def severity(items: Items, panel: Panel, *, level: float) -> JudgeSeverity | None:
    """Return how a judge uses a scale; None on a nominal scale, or if it shares no item with the people."""
    rows = np.flatnonzero((items.judge >= 0) & (items.sizes > 0))
    if panel.values is None or not len(rows):
        return None
    people, valid = items.people[rows], items.valid[rows]
    weights, units = items.weights[rows], units_left(items.units, rows)
    y, x = panel.values[items.judge[rows]], np.where(valid, panel.values[people], 0.0)
    number = weights @ valid
    who = number > 0
    apart = np.where(valid, y[:, None] - x, 0.0)
    means = (weights @ apart)[who] / number[who]
    influences = (apart[:, who] - valid[:, who] * means) / number[who] / who.sum()
    number_of_units = int(weights.sum()) if units is None else units.shape[0]
    steps = float(np.ptp(panel.values[np.concatenate([items.judge[rows], people[valid]])]))
    error = float(_not_zero(spread(influences.sum(axis=1), weights, units), number_of_units, steps))
    degrees = number_of_units - 1
    low, high = normal_interval(float(means.mean()), error, level, degrees)
    times = weights[:, None] * valid
    total = times.sum()
    both = np.broadcast_to(y[:, None], x.shape)
    mx, my = (times * x).sum() / total, (times * both).sum() / total
    vx, vy = (times * (x - mx) ** 2).sum() / total, (times * (both - my) ** 2).sum() / total
    joint = (times * (x - mx) * (both - my)).sum() / total
    with np.errstate(divide="ignore", invalid="ignore"):
        concordance = 2.0 * joint / (vx + vy + (mx - my) ** 2)
        pearson = joint / np.sqrt(vx * vy)
        accuracy, scale = concordance / pearson, np.sqrt(vy / vx)
    return JudgeSeverity(
        mean_difference=float(means.mean()),
        low=low,
        high=high,
        concordance=float(concordance),
        pearson=float(pearson),
        accuracy=float(accuracy),
        shift=float(my - mx),
        scale=float(scale) if np.isfinite(scale) else math.nan,
        values_judge=len(np.unique(items.judge[rows])),
        values_humans=len(np.unique(people[valid])),
    )


def _not_zero(errors: Array, number: int, apart: float = 1.0) -> Array:
    """Take an error of 0, which says only that no item differed, for that of one more item that differs half to either side."""
    return np.where(np.asarray(errors) > 1e-15, errors, apart / number)


def pooled(items: Items, panel: Panel, decimal: str, *, ordered: bool) -> Pool:
    """Return what the judge does to the alpha of the people, on the items that it labelled."""
    items = items.kept(items.judge >= 0)
    agree = agreement_weights(panel.labels, scale=panel.scale, ordered=ordered, decimal=decimal, krippendorff=True)
    rows, columns = np.nonzero(items.valid)
    shape = (len(items.weights), len(panel.labels))

    def alpha(more: Array, fewer: Array | None = None) -> float:
        """Alpha of the people with one more label of an item, and one fewer: positions, -1 for none."""
        counts = _added(base, more, 1)
        counts = counts if fewer is None else _added(counts, fewer, -1)
        return _alpha(counts, items.weights, panel.labels, agree)

    base = from_cells(*_cells(rows, items.people[rows, columns], shape), shape)
    humans = _alpha(base, items.weights, panel.labels, agree)
    swapped = []
    for person, name in enumerate(panel.people):
        theirs = items.people[:, person]
        if (theirs >= 0).any():
            swapped.append((name, alpha(np.where(theirs >= 0, items.judge, -1), theirs) - humans))
    return Pool(humans=humans, with_judge=alpha(items.judge), substituted=tuple(swapped))


def _cells(rows: Array, labels: Array, shape: tuple[int, int]) -> tuple[Array, Array, Array]:
    cells, counts = np.unique(rows * shape[1] + labels, return_counts=True)
    return (*np.divmod(cells, shape[1]), counts)


def _added(counts: Matrix, labels: Array, step: int) -> Matrix:
    """Return the counts with one label of each item more, or fewer."""
    rows = np.flatnonzero(labels >= 0)
    if isinstance(counts, np.ndarray):
        made = counts.copy()
        made[rows, labels[rows]] += step
        return made
    from scipy.sparse import csr_array

    return csr_array(counts + csr_array((np.full(len(rows), step), (rows, labels[rows])), shape=counts.shape))


def _alpha(counts: Matrix, weights: Array, labels: tuple[str, ...], agree: Any) -> float:
    kept = np.flatnonzero(np.asarray(counts.sum(axis=1)).ravel() >= 2)
    if not len(kept):
        return math.nan
    profiles = Counts(counts=counts[kept], multiplicities=weights[kept], labels=labels)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(krippendorff_alpha.function(profiles, agree).value)
