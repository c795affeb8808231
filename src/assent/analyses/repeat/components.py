"""Components of variance, and how high the agreement of two judges can be, from the four kinds of pairs of labels.

Two labels are of the same item or of others, and by the same judge or by others. With the mean distance of each kind of pair (W same
item and judge, B same item, S same judge, A neither) the components are W for runs, A - B for items, A - S for judges and
B + S - A - W for items by judges: on a balanced table these are the estimators of the analysis of variance (by expected mean squares),
and they need no balance.

A distance is half the squared distance of two points: of unit vectors, one a label, or of numbers. So the sum over all pairs of a group
of n labels is n * sum(|x|**2) - |sum(x)|**2, and no pair is ever listed.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter

import numpy as np

from assent.analyses.estimates import Quantity, quantity
from assent.analyses.repeat.runs import Runs
from assent.profiles import Array, Matrix, Weighting
from assent.records import cached_property

__all__ = ["COMPONENTS", "PairSums"]

COMPONENTS = ("item", "judge", "item_judge", "run")
#: Kinds of pairs of labels.
DISTANCES = ("within", "between_judges", "same_judge_other_item", "all_apart")


class PairSums:
    """Sums over pairs of labels.

    Parameters
    ----------
    points : array (labels,) or None
        Where the labels stand on a line; None if they are names.
    """

    def __init__(self, runs: Runs, points: Array | None) -> None:
        self._runs = runs
        self._unit = runs.data.unit
        self._judges = len(runs.judges)
        counts = runs.counts
        self._points: Matrix = counts if points is None else np.asarray(counts @ points, dtype=np.float64)[:, None]
        #: Labels of a cell, and their squared lengths.
        self._n = runs.sizes
        self._q = runs.sizes if points is None else np.asarray(counts @ (points * points), dtype=np.float64).ravel()

    @cached_property
    def _within(self) -> Array:
        """Distances of all pairs within each cell: (cells,)."""
        return np.asarray(self._n * self._q - _squares(self._points))

    @cached_property
    def _by_judge(self) -> Matrix:
        """Labels, squared lengths and sums of points by item and judge: (items, judges * (2 + d))."""
        from scipy.sparse import coo_array, csr_array

        cells = csr_array(np.column_stack([self._n, self._q])), csr_array(self._points)
        width = 2 + cells[1].shape[1]
        parts = []
        for first, block in zip((0, 2), cells, strict=True):
            one = block.tocoo()
            rows, columns = one.coords
            parts.append((one.data, self._runs.item[rows], self._runs.judge[rows] * width + first + columns))
        data, rows, columns = (np.concatenate(some) for some in zip(*parts, strict=True))
        shape = (len(self._runs.items), self._judges * width)
        made = coo_array((data.astype(np.float64), (rows, columns)), shape=shape).tocsr()
        return made.toarray() if shape[0] * shape[1] <= 2_000_000 else made

    def _item(self, cells: Array | slice = slice(None)) -> tuple[Array, Array, Array, Array]:
        """Return by item: labels, their squares by judge, distances within cells, distances within the item."""
        from scipy.sparse import coo_array, csr_array

        over = self._runs.over_items
        labels, lengths = over(self._n, cells), over(self._q, cells)
        item = self._runs.item[cells]
        gather = coo_array((np.ones(len(item)), (item, np.arange(len(item)))), shape=(len(self._runs.items), len(item)))
        points = gather.tocsr() @ csr_array(self._points[cells])
        return labels, over(self._n**2, cells), over(self._within, cells), labels * lengths - _squares(points)

    def means(self) -> dict[str, Quantity]:
        """Return the mean distance of the four kinds of pairs, and the components: by name."""
        labels, squares, within, all_of_item = self._item()
        terms = np.column_stack(
            [within, self._runs.over_items(self._n * (self._n - 1)), all_of_item - within, labels**2 - squares]
        )
        first, *_ = self._runs.profiles
        own = np.column_stack([within, squares, all_of_item, labels**2])[first]
        terms, by_judge, judges = terms[first], self._by_judge[first], self._judges

        def parts(weighting: Weighting) -> dict[str, Array]:
            same = weighting.total(terms)
            inside = weighting.total(own)
            sums = weighting.total(by_judge)
            sums = sums.reshape(*sums.shape[:-1], judges, -1)
            distances, pairs = _spread(sums)
            everything, all_pairs = _spread(sums.sum(axis=-2))
            by_same = distances.sum(-1) - inside[..., 0], pairs.sum(-1) - inside[..., 1]
            by_any = everything - inside[..., 2], all_pairs - inside[..., 3]
            with np.errstate(divide="ignore", invalid="ignore"):
                return {
                    "within": same[..., 0] / same[..., 1],
                    "between_judges": same[..., 2] / same[..., 3],
                    "same_judge_other_item": by_same[0] / by_same[1],
                    "all_apart": (by_any[0] - by_same[0]) / (by_any[1] - by_same[1]),
                }

        formulas: dict[str, Callable[[dict[str, Array]], Array]] = {
            **{name: itemgetter(name) for name in DISTANCES},
            "run": lambda mean: mean["within"],
            "item": lambda mean: mean["all_apart"] - mean["between_judges"],
            "judge": lambda mean: mean["all_apart"] - mean["same_judge_other_item"],
            "item_judge": lambda mean: (
                mean["between_judges"] + mean["same_judge_other_item"] - mean["all_apart"] - mean["within"]
            ),
        }
        if judges == 1:
            # With one judge, what the judge makes of an item cannot be told from the item.
            formulas["item"] = lambda mean: mean["same_judge_other_item"] - mean["within"]
        return {
            name: self._quantity(lambda weighting, formula=formula: formula(parts(weighting)), labels)  # type: ignore[misc]
            for name, formula in formulas.items()
        }

    def reliability(self, means: dict[str, Quantity], runs: int) -> float:
        """Return which share of the variance of a mean of so many runs of one judge is between items; NaN if undefined."""
        item, judge, both, run = (means[name].value for name in COMPONENTS)
        one = self._judges == 1
        total = item + (0.0 if one else judge + both) + run / runs
        return item / total if total > 0 else float("nan")

    def against(self, first: int, second: Array) -> tuple[Quantity, Quantity, Quantity, Quantity, Quantity]:
        """Return how far a judge agrees with another, or with several taken as one, and what noise allows.

        Parameters
        ----------
        second : array of integers
            The other judges; if there are several, they take the place of runs of one.

        Returns
        -------
        kappa, ceiling, corrected, first, second : Quantity
            Agreement beyond chance, its ceiling, the ratio of the two, and the agreement of each side with itself.
        """
        runs = self._runs
        mine, theirs = np.flatnonzero(runs.judge == first), np.flatnonzero(np.isin(runs.judge, second))
        a, b = self._item(mine), self._item(theirs)
        both = self._item(np.sort(np.concatenate([mine, theirs])))
        width = self._by_judge.shape[1] // self._judges
        columns = [np.arange(one * width, (one + 1) * width) for one in (first, *second)]
        ours, others = self._by_judge[:, columns[0]], [self._by_judge[:, one] for one in columns[1:]]
        summed = sum(others[1:], start=others[0])
        # Ordered pairs within the item by the same side, and across the two sides.
        terms = np.column_stack(
            [
                a[3], a[0] ** 2 - a[0], b[3], b[0] ** 2 - b[0], both[3] - a[3] - b[3], 2.0 * a[0] * b[0], a[0] ** 2, b[0] ** 2,
            ]
        )[self._runs.profiles[0]]  # fmt: skip
        ours, summed = ours[self._runs.profiles[0]], summed[self._runs.profiles[0]]

        def kappas(weighting: Weighting) -> tuple[Array, ...]:
            total = weighting.total(terms)
            left, right = weighting.total(ours), weighting.total(summed)
            (d_left, n_left), (d_right, n_right) = _spread(left), _spread(right)
            d_both, _ = _spread(left + right)
            with np.errstate(divide="ignore", invalid="ignore"):
                chance = [
                    (d_left - total[..., 0]) / (n_left - total[..., 6]),
                    (d_right - total[..., 2]) / (n_right - total[..., 7]),
                    (d_both - d_left - d_right - total[..., 4]) / (2 * left[..., 0] * right[..., 0] - total[..., 5]),
                ]
                # Where chance gives no disagreement there is nothing to measure against.
                chance = [np.where(one == 0, np.nan, one) for one in chance]
                seen = [total[..., at] / total[..., at + 1] for at in (0, 2, 4)]
                gaps = [expected - found for expected, found in zip(chance, seen, strict=True)]
                ceiling = np.sqrt(gaps[0] * gaps[1]) / chance[2]
                kappa = gaps[2] / chance[2]
                # Of a ceiling of 0 there is no share.
                return (
                    kappa,
                    ceiling,
                    np.where(ceiling == 0, np.nan, kappa / ceiling),
                    gaps[0] / chance[0],
                    gaps[1] / chance[1],
                )

        shared = a[0] * b[0]
        made = [
            self._quantity(lambda weighting, at=at: kappas(weighting)[at], shared)  # type: ignore[misc]
            for at in range(5)
        ]
        return made[0], made[1], made[2], made[3], made[4]

    def _quantity(self, statistic: Callable[[Weighting], Array], informative: Array) -> Quantity:
        first, multiplicities, units = self._runs.profiles
        return quantity(statistic, multiplicities, units, self._unit, informative[first])


def _spread(sums: Array) -> tuple[Array, Array]:
    """Return the distances of all ordered pairs of a group, a label with itself included, and how many pairs these are."""
    points = sums[..., 2:]
    return sums[..., 0] * sums[..., 1] - (points * points).sum(-1), sums[..., 0] * sums[..., 0]


def _squares(points: Matrix) -> Array:
    """Return the squared length of each row."""
    if isinstance(points, np.ndarray):
        return np.asarray((points.astype(np.float64) ** 2).sum(axis=1))
    return np.asarray(points.multiply(points).sum(axis=1), dtype=np.float64).ravel()
