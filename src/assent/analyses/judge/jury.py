"""Several judges: one table on the items that all of them labelled, their differences, and what a jury of them is worth."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np

from assent.analyses.judge.panel import Panel
from assent.analyses.judge.soft import SoftLabels, soft_shares
from assent.analyses.judge.team import People
from assent.inference.intervals import normal_interval
from assent.profiles import Array
from assent.records import Struct, plain

__all__ = ["JudgePair", "JudgeRow", "Jury", "compare_judges", "soft_of_several"]


class JudgeRow(Struct, frozen=True, kw_only=True):
    """One judge on the common items: mean kappa with a person, with interval, and accuracy against the people's majority."""

    judge: str
    kappa: float
    low: float
    high: float
    accuracy: float

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "judge": self.judge,
            "human_judge": plain(self.kappa),
            "ci": {"low": plain(self.low), "high": plain(self.high)},
            "accuracy": plain(self.accuracy),
        }


class JudgePair(Struct, frozen=True, kw_only=True):
    """Two judges on the common items: the first mean kappa less the second; p adjusted for all pairs (Holm)."""

    first: str
    second: str
    difference: float
    low: float
    high: float
    p: float
    p_holm: float

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "first": self.first,
            "second": self.second,
            "difference": plain(self.difference),
            "ci": {"low": plain(self.low), "high": plain(self.high)},
            "p": plain(self.p),
            "p_holm": plain(self.p_holm),
        }


class Jury(Struct, frozen=True, kw_only=True, eq=False):
    """Judges beside each other.

    Parameters
    ----------
    n_items : int
        Items that all judges and somebody labelled.
    judges : tuple of JudgeRow
        The closest to the people first.
    error_correlation : float
        Mean correlation of two judges' errors against the people's majority.
    effective : float
        So many judges with independent errors would be worth as much as these.
    soft : SoftLabels or None
        The shares of the judges' labels as a distribution.
    """

    n_items: int
    judges: tuple[JudgeRow, ...]
    pairs: tuple[JudgePair, ...]
    error_correlation: float
    effective: float
    n_decided: int
    soft: SoftLabels | None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "items": self.n_items,
            "judges": plain(self.judges),
            "pairs": plain(self.pairs),
            "error_correlation": plain(self.error_correlation),
            "effective_judges": plain(self.effective),
            "items_with_majority": self.n_decided,
            "soft_labels": plain(self.soft),
        }


def compare_judges(people: People, *, level: float) -> Jury | None:
    """Compare the judges of a panel on the items that all of them labelled; None if there are none, or one judge."""
    panel = people.panel
    common = np.asarray((panel.verdicts >= 0).all(axis=1) & (panel.codes >= 0).any(axis=1))
    if len(panel.judges) < 2 or not common.any():
        return None
    weights = np.where(common, panel.weights, 0)
    values, influences = [], []
    for judge in range(len(panel.judges)):
        value, known = _closeness(people, np.where(common, panel.verdicts[:, judge], -1))
        values.append(value)
        influences.append(known)
    kappas = np.array(values)
    covariance, degrees = _covariance(np.stack(influences, axis=1), weights, panel)
    right, majority = _right(panel, common)
    decided = np.where(majority, panel.weights, 0)
    accuracy = decided @ right / decided.sum() if decided.any() else np.full(len(kappas), np.nan)
    rows = []
    for place, name in enumerate(panel.judges):
        low, high = normal_interval(float(kappas[place]), math.sqrt(covariance[place, place]), level, degrees)
        rows.append(
            JudgeRow(
                judge=name, kappa=float(kappas[place]), low=low, high=min(high, 1.0), accuracy=float(accuracy[place])
            )
        )
    rows.sort(key=lambda one: -one.kappa if not math.isnan(one.kappa) else math.inf)
    correlation = _correlation(1.0 - right, decided)
    many = len(panel.judges)
    # More correlated than independent errors make a jury worth fewer than it has.
    effective = many / (1.0 + (many - 1.0) * correlation) if correlation > -1.0 / (many - 1.0) else math.nan
    return Jury(
        n_items=int(weights.sum()),
        judges=tuple(rows),
        pairs=_pairs(panel.judges, kappas, covariance, degrees, level),
        error_correlation=correlation,
        effective=effective,
        n_decided=int(decided.sum()),
        soft=soft_of_several(panel, np.flatnonzero(common), level=level),
    )


def _closeness(people: People, verdicts: Array) -> tuple[float, Array]:
    """Return the mean kappa of a judge with the people, and what an item of each profile of the panel does to it."""
    items = people.panel.with_verdicts(verdicts)
    pairs, kept = people.chosen(people.beside(items))
    if not len(kept):
        return math.nan, np.zeros(len(verdicts))
    return float(pairs.mean()), pairs.influences[items.place]


def _covariance(influences: Array, weights: Array, panel: Panel) -> tuple[Array, int]:
    """Return the covariances of the judges' kappas over items or clusters, and their degrees of freedom."""
    rows = np.flatnonzero(weights)
    if panel.units is None:
        values, each = influences[rows], weights[rows].astype(np.float64)
    else:
        clusters = panel.units[:, rows]
        there = np.flatnonzero(np.asarray(clusters.sum(axis=1)).ravel())
        values, each = np.asarray(clusters[there] @ influences[rows]), np.ones(len(there))
    number = each.sum()
    if number < 2:
        return np.full((influences.shape[1],) * 2, np.nan), 0
    centred = values - each @ values / number
    return number / (number - 1.0) * (centred.T * each) @ centred, int(number) - 1


def _pairs(
    names: tuple[str, ...], kappas: Array, covariance: Array, degrees: int, level: float
) -> tuple[JudgePair, ...]:
    from scipy.special import stdtr

    found = []
    for one, two in combinations(range(len(names)), 2):
        gap = float(kappas[one] - kappas[two])
        error = math.sqrt(max(0.0, covariance[one, one] + covariance[two, two] - 2.0 * covariance[one, two]))
        low, high = normal_interval(gap, error, level, degrees)
        p = 2.0 * float(stdtr(degrees, -abs(gap) / error)) if error > 0.0 and degrees > 0 else math.nan
        found.append((names[one], names[two], gap, low, high, p))
    order = sorted(range(len(found)), key=lambda i: found[i][5] if not math.isnan(found[i][5]) else math.inf)
    adjusted, reached = [math.nan] * len(found), 0.0
    for rank, place in enumerate(order):
        if not math.isnan(found[place][5]):
            reached = max(reached, min(1.0, (len(found) - rank) * found[place][5]))
            adjusted[place] = reached
    return tuple(
        JudgePair(first=a, second=b, difference=gap, low=low, high=high, p=p, p_holm=holm)
        for (a, b, gap, low, high, p), holm in zip(found, adjusted, strict=True)
    )


def _right(panel: Panel, common: Array) -> tuple[Array, Array]:
    """Return where each judge gives the people's majority label, (profiles, judges), and where there is one."""
    majority = panel.majority
    return (panel.verdicts == majority[:, None]).astype(np.float64), common & (majority >= 0)


def _correlation(errors: Array, weights: Array) -> float:
    """Return the mean correlation of two judges' errors; judges who never err, or always, have none."""
    total = weights.sum()
    if not total:
        return math.nan
    centred = errors - weights @ errors / total
    joint = (centred.T * weights) @ centred / total
    spreads = np.sqrt(np.diag(joint))
    pairs = [(i, j) for i, j in combinations(range(len(spreads)), 2) if spreads[i] > 0 and spreads[j] > 0]
    return float(np.mean([joint[i, j] / (spreads[i] * spreads[j]) for i, j in pairs])) if pairs else math.nan


def soft_of_several(panel: Panel, rows: Array, *, level: float) -> SoftLabels | None:
    """Score the shares of the labels of several judges, or runs of one, against those of the people.

    Parameters
    ----------
    rows : array
        Profiles of the panel in which one of them or more has a label.
    """
    verdicts = panel.verdicts[rows]
    shares = np.zeros((len(rows), len(panel.labels)))
    for verdict in verdicts.T:
        there = np.flatnonzero(verdict >= 0)
        shares[there, verdict[there]] += 1.0
    return soft_shares(panel.only(rows), shares / (verdicts >= 0).sum(axis=1, keepdims=True), level=level)
