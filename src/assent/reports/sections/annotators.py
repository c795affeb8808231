"""The annotators: who agrees with whom, who leans, who stands out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

from assent.analyses.annotators import AnnotatorReport
from assent.analyses.findings.finding import holm
from assent.measures.results import PairAgreement, plain
from assent.profiles import Array
from assent.reports.context import ReportContext
from assent.scales import numbers

__all__ = ["annotators_section"]

#: Annotators that are listed, those flagged first.
MOST_ROWS = 200
#: Annotators in the picture of every two of them.
MOST_PAIRED = 40


def annotators_section(ground: ReportContext) -> dict[str, Any] | None:
    """Return what is known of each annotator, the worst first; None if nobody can be compared."""
    team = ground.team
    if team is None:
        return None
    whole = team.without.agreement
    return {
        "rows": _with_shifts(ground, list(team.rows(MOST_ROWS))),
        "total": len(team),
        "flagged": int(np.count_nonzero(team.flagged)),
        "judged": int(np.count_nonzero(team.judged)),
        "measure": whole.measure,
        "title": whole.title,
        "value": plain(whole.value),
        "pairs": _pairs(team),
        "schools": _schools(team),
        "settings": dict(team.settings),
        "notes": list(team.notes),
    }


def _with_shifts(ground: ReportContext, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Say on a scale how much higher or lower each annotator rates than the others do on the same items."""
    shifts = shifts_of(ground)
    return [{**row, "shift": None if shifts is None else shifts.get(row["annotator"])} for row in rows]


def shifts_of(ground: ReportContext) -> dict[str, dict[str, Any]] | None:
    """Return by annotator the mean difference to the mean of the others on the same items; None for names of labels.

    It is clear if it lies beyond 0 by more than luck would make it, corrected for all annotators by Holm's method.
    """
    scale, data = ground.settings.scale, ground.who
    if scale in (None, "nominal") or data.annotators is None:
        return None
    values = None if scale == "ordinal" else numbers(data.labels, data.decimal)
    position = np.arange(len(data.labels), dtype=np.float64) if values is None else np.asarray(values)
    ratings = data.comparable_ratings
    at, sizes = position[ratings.label], ratings.sizes[ratings.profile]
    total = np.bincount(ratings.profile, weights=at, minlength=len(ratings.sizes))
    apart = at - (total[ratings.profile] - at) / (sizes - 1)
    times = ratings.multiplicities[ratings.profile]
    count, sums, squares = (
        np.bincount(ratings.annotator, weights=times * w, minlength=len(data.annotators))
        for w in (np.ones(len(at)), apart, apart**2)
    )
    found = np.flatnonzero(count > 1)
    mean = sums[found] / count[found]
    error = np.sqrt(np.maximum(squares[found] / count[found] - mean**2, 0.0) / (count[found] - 1))
    corrected = holm(
        [math.erfc(abs(m) / e / math.sqrt(2.0)) if e > 0 else 1.0 for m, e in zip(mean, error, strict=True)]
    )
    reach = NormalDist().inv_cdf(0.5 + ground.settings.level / 2.0)
    return {
        data.annotators[int(i)]: {
            "value": float(mean[k]),
            "low": float(mean[k] - reach * error[k]),
            "high": float(mean[k] + reach * error[k]),
            "p_corrected": corrected[k],
            "clear": corrected[k] <= 0.05,
            "unit": "steps" if values is None else "units",
        }
        for k, i in enumerate(found)
    }


def _schools(team: AnnotatorReport) -> dict[str, Any] | None:
    """Return the groups who read differently, by name."""
    found = team.schools
    if found is None:
        return None
    return {
        "groups": [[team.annotators[i] for i in group] for group in found.groups],
        "within": [plain(one) for one in found.within],
        "between": plain(found.between),
        "p_value": plain(found.p_value),
        "differ": None
        if found.differ is None
        else {"first": team.labels[found.differ[0]], "second": team.labels[found.differ[1]], "share": found.differ[2]},
        "sentence": team.schools_sentence(),
    }


def _pairs(team: AnnotatorReport) -> dict[str, Any] | None:
    """Return the agreement of every two annotators, those who agree with the same others side by side."""
    if not team.pairs:
        return None
    busiest = sorted(np.argsort(-team.shared, kind="stable")[:MOST_PAIRED].tolist())
    names = [team.annotators[i] for i in busiest]
    values, items = _tables(names, team.pairs)
    order = _clustered(values)
    names = [names[i] for i in order]
    values, items = values[np.ix_(order, order)], items[np.ix_(order, order)]
    return {
        "annotators": names,
        "values": [[plain(cell) for cell in row] for row in values.tolist()],
        "items": items.tolist(),
        "measure": "cohen-kappa",
        "title": "Cohen's kappa",
        "more": len(team) - len(names),
    }


def _tables(names: Sequence[str], pairs: Sequence[PairAgreement]) -> tuple[Array, Array]:
    """Return kappa and shared items of every two annotators: (annotators, annotators) each; NaN where there is none."""
    place = {name: i for i, name in enumerate(names)}
    values = np.full((len(names), len(names)), np.nan)
    items = np.zeros(values.shape, dtype=np.int64)
    for pair in pairs:
        if pair.first in place and pair.second in place:
            i, j = place[pair.first], place[pair.second]
            values[i, j] = values[j, i] = pair.value
            items[i, j] = items[j, i] = pair.items
    return values, items


def _clustered(values: Array) -> list[int]:
    """Order annotators so that those who agree stand together (average linkage on one less the kappa)."""
    if len(values) < 3:
        return list(range(len(values)))
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    # Two who share nothing are as far apart as two on average.
    mean = np.nanmean(values) if not np.isnan(values).all() else 0.0
    distance = np.clip(1.0 - np.where(np.isnan(values), mean, values), 0.0, 2.0)
    np.fill_diagonal(distance, 0.0)
    return [int(i) for i in leaves_list(linkage(squareform(distance), "average", optimal_ordering=True))]
