"""The tables: the paper's numbers beside ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assent.measures.spa import SCHEMES
from assent.text import percent
from studies import StudyTable
from studies.spa2022.arrivals import SHARES, Arrivals, whole_variance
from studies.spa2022.judging import like_paper, per_item
from studies.spa2022.paper import TABLE_1
from studies.spa2022.weights import ANNOTATIONS, normalised, uniform_weights, weights

__all__ = ["tables"]

SIMPLE = ("flat", "annotations", "annotations-m1", "edges")


def tables(
    arrivals: Sequence[Arrivals], variances: Sequence[Mapping[str, Any]], designs: Sequence[Mapping[str, Any]]
) -> list[StudyTable]:
    """Collect the tables, those to be read first."""
    return [
        _weights(),
        _data_sets(arrivals),
        _table_1(arrivals),
        _near_best(arrivals),
        _best_weights(arrivals),
        _points(arrivals),
        _records(
            "variance",
            "Figure 6: variance of SPA with flat weights against the number of annotations of items with two or more; per_item "
            "is empty where annotations are anywhere.",
            variances,
        ),
        _records(
            "per-item",
            "Variance for one number of annotations on few of many items, by annotations per item, two per item being 1.",
            designs,
        ),
    ]


def _weights() -> StudyTable:
    columns: dict[str, Sequence[Any]] = {"annotations of the item": ANNOTATIONS.tolist()}
    columns |= {scheme: normalised(weights(scheme, ANNOTATIONS)).tolist() for scheme in SIMPLE}
    columns |= {
        f"inv-var, {count} labels": normalised(uniform_weights(count, ANNOTATIONS)).tolist() for count in (2, 7)
    }
    return StudyTable(
        name="weights",
        caption="Figure 4: what an item counts by its number of annotations, one with ten counting 1. The last three columns "
        "are equal.",
        columns=columns,
        decimals=4,
    )


def _data_sets(arrivals: Sequence[Arrivals]) -> StudyTable:
    sets = [one.items for one in arrivals]
    return StudyTable(
        name="data-sets",
        caption="The data sets. Where alpha is given the labels are simulated with that agreement beyond chance. Agreement is the "
        "probability that two annotators of an item agree.",
        columns={
            "data set": [one.name for one in sets],
            "alpha": [one.alpha for one in sets],
            "items": [int(one.times.sum()) for one in sets],
            "annotations per item": [f"{one.sizes.min()} to {one.sizes.max()}" for one in sets],
            "labels": [one.counts.shape[1] for one in sets],
            "annotations": [one.n_annotations for one in sets],
            "agreement": [one.mean_agreement for one in sets],
            "rounds": [one.rounds for one in arrivals],
        },
        decimals=2,
    )


def _table_1(arrivals: Sequence[Arrivals]) -> StudyTable:
    """Put the paper's Table 1 beside ours."""
    flat = SCHEMES.index("flat")
    rows: list[tuple[str, str, list[float], float | None]] = []
    for name, paper in TABLE_1.items():
        rows.append((name, "paper, × 100", [paper[scheme] for scheme in SCHEMES], None))
        for one in arrivals:
            if one.items.alpha is not None and one.items.name == name:
                values = (100 * (one.against(flat)[0] - 1)).tolist()
                rows.append((name, f"ours, α = {one.items.alpha:g}", values, like_paper(one).value))
    own = [one for one in arrivals if one.items.alpha is None]
    rows += [(one.items.name, "yours", (100 * (one.against(flat)[0] - 1)).tolist(), None) for one in own]
    return StudyTable(
        name="table-1",
        caption="Table 1: the variance of a scheme minus that of flat, summed over the curve; lower is better. Ours is in percent of "
        "flat's sum. The paper does not say at which numbers of annotations it took the sum, so compare signs and order: the last "
        "column is the correlation with the paper's row.",
        columns={
            "data set": [name for name, *_ in rows],
            "source": [source for _, source, *_ in rows],
            **{scheme: [values[s] for _, _, values, _ in rows] for s, scheme in enumerate(SCHEMES)},
            "lowest": [SCHEMES[int(np.argmin(values))] for _, _, values, _ in rows],
            "correlation": [likeness for *_, likeness in rows],
        },
        decimals=2,
    )


def _near_best(arrivals: Sequence[Arrivals]) -> StudyTable:
    excess = [100 * (one.against_best[0].max(0) - 1) for one in arrivals]
    return StudyTable(
        name="near-best",
        caption="How far a scheme is from the best at its worst: by how many percent its standard deviation exceeds that of the best "
        f"scheme, with the worst of {', '.join(percent(share) for share in SHARES)} of the annotations.",
        columns={
            "data set": [one.items.name for one in arrivals],
            "alpha": [one.items.alpha for one in arrivals],
            **{scheme: [float(row[s]) for row in excess] for s, scheme in enumerate(SCHEMES)},
        },
        decimals=1,
    )


def _best_weights(arrivals: Sequence[Arrivals]) -> StudyTable:
    sizes = (3, 4, 6, 9)
    two = np.array([2, *sizes])
    rows = [(weights(scheme, two)[1:] / weights(scheme, two)[0]).tolist() for scheme in SIMPLE]
    for one in arrivals:
        possible = per_item(one)
        variance = whole_variance(one.items, max(possible))
        rows.append(
            [float(variance[0] / variance[n - 2]) if n in possible and variance[n - 2] > 0 else None for n in sizes]
        )
    return StudyTable(
        name="best-weights",
        caption="Why the best scheme differs: what an item with more annotations should count when one with two counts 1, which is one "
        "over the whole variance of its agreement. The first rows are what the schemes say.",
        columns={
            "scheme or data set": [*SIMPLE, *(one.items.name for one in arrivals)],
            "alpha": [*(None for _ in SIMPLE), *(one.items.alpha for one in arrivals)],
            **{f"{n} annotations": [row[i] for row in rows] for i, n in enumerate(sizes)},
        },
        decimals=2,
    )


def _points(arrivals: Sequence[Arrivals]) -> StudyTable:
    records = [
        {
            "data set": one.items.name,
            "alpha": one.items.alpha,
            "share": float(share),
            "annotations": float(one.usable[point]),
            "scheme": scheme,
            "variance": float(one.variance[point, s]),
            "sd_over_best": float(one.against_best[0][point, s]),
            "sd_over_best_error": float(one.against_best[1][point, s]),
            "bias": float(one.bias[point, s]),
        }
        for one in arrivals
        for point, share in enumerate(one.shares)
        for s, scheme in enumerate(SCHEMES)
    ]
    caption = "Figure 7: variance, distance from the best scheme with its simulation error, and bias at every point of the curves."
    return _records("schemes", caption, records)


def _records(name: str, caption: str, records: Sequence[Mapping[str, Any]]) -> StudyTable:
    """Make a table of the points of curves, which is for files and programs."""
    columns = {column: [one[column] for one in records] for column in records[0]}
    return StudyTable(name=name, caption=caption, columns=columns, printed=False)
