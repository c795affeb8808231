"""Annotations that arrive in random order, and how much SPA varies with the order: figures 6 and 7."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assent.errors import InputError
from assent.measures.spa import SCHEMES
from assent.profiles import Array
from assent.text import shown
from studies import Progress
from studies.spa2022.items import Items
from studies.spa2022.weights import weights

__all__ = ["SHARES", "Arrivals", "arrive", "constant_variance", "rounds_for", "whole_variance"]

#: Shares of a data set's annotations that are there when SPA is computed.
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
#: The paper's number of rounds.
ROUNDS = 3_000
#: Rounds of small data sets are computed together, up to about this many annotations.
ANNOTATIONS_AT_ONCE = 250_000
#: Numbers kept in memory while rounds are counted.
LARGEST_SUMS = 20_000_000


@dataclass(frozen=True, eq=False)
class Arrivals:
    """SPA by every scheme, in many rounds, as annotations arrive.

    Parameters
    ----------
    items : Items
    shares : array (points,)
        Shares of the annotations that are there.
    usable : array (points,)
        Annotations of items that have two or more, on average over the rounds.
    in_pairs : array (points,)
        Share of those items that have exactly two.
    values : array (rounds, points, schemes)
        SPA; schemes as in `assent.measures.spa.SCHEMES`.
    """

    items: Items
    shares: Array
    usable: Array
    in_pairs: Array
    values: Array

    @property
    def rounds(self) -> int:
        """Orders of arrival that were drawn."""
        return len(self.values)

    @cached_property
    def squares(self) -> Array:
        """Squared distances from the mean over rounds, whose mean is the variance: (rounds, points, schemes)."""
        apart = self.values - self.values.mean(0)
        return np.asarray(apart**2 * (self.rounds / (self.rounds - 1)))

    @cached_property
    def variance(self) -> Array:
        """Variance of SPA over rounds: (points, schemes)."""
        return np.asarray(self.values.var(0, ddof=1))

    @property
    def bias(self) -> Array:
        """Mean of SPA over rounds minus the agreement of the complete data: (points, schemes)."""
        return np.asarray(self.values.mean(0) - self.items.mean_agreement)

    @cached_property
    def sums(self) -> Array:
        """The variance summed over the curve, as Table 1 does, by round: (rounds, schemes); its mean is the sum."""
        return np.asarray(self.squares.sum(1))

    def against(self, scheme: int) -> tuple[Array, Array]:
        """Return how many times larger than that of a scheme the sum over the curve is, and its standard error: (schemes,).

        A round draws one order for all points and schemes, so the error is that of the rounds' own sums.
        """
        total = self.sums.mean(0)
        ratio = total / total[scheme]
        apart = self.sums - ratio * self.sums[:, [scheme]]
        return np.asarray(ratio), np.asarray(apart.std(0, ddof=1) / np.sqrt(self.rounds) / total[scheme])

    @property
    def best(self) -> int:
        """The scheme with the lowest sum over the curve."""
        return int(self.sums.mean(0).argmin())

    @cached_property
    def against_best(self) -> tuple[Array, Array]:
        """How many times larger the standard deviation is than that of the best scheme, and its error: (points, schemes)."""
        squares, variance = self.squares, self.variance
        best = variance.argmin(1)
        point = np.arange(len(best))
        ratio = np.sqrt(variance / variance[point, best][:, None])
        relative = squares / variance - (squares[:, point, best] / variance[point, best])[..., None]
        return ratio, np.asarray(ratio * relative.std(0, ddof=1) / np.sqrt(self.rounds) / 2)


def rounds_for(items: Items, work: float) -> int:
    """Return how many rounds fit into an amount of work: the paper's 3,000, fewer for large data sets."""
    size = items.n_annotations * (1 + items.counts.shape[1] / 8)
    sums = len(SHARES) * (int(items.sizes.max()) + items.counts.shape[1])
    return int(np.clip(min(work / size, LARGEST_SUMS / sums), 100, ROUNDS))


def arrive(sets: Sequence[Items], rounds: int, rng: np.random.Generator, progress: Progress) -> list[Arrivals]:
    """Let annotations arrive in random order, many times, and compute SPA by every scheme on the way.

    Parameters
    ----------
    sets : sequence of Items
        Data sets with the same numbers of annotations; they see the same orders, which saves work.
    rounds : int
    rng : Generator
    progress : Progress
    """
    shape = sets[0]
    labels, most = shape.counts.shape[1], int(shape.sizes.max())
    arrived = [round(share * shape.n_annotations) for share in SHARES]
    number = np.zeros((rounds, len(SHARES), most + 1))
    agreeing = np.zeros((len(sets), *number.shape))
    totals = np.zeros((len(sets), rounds, len(SHARES), labels))
    groups = [group for group in zip(*(one.groups for one in sets), strict=True) if len(group[0]) > 1]
    at_once = max(1, ANNOTATIONS_AT_ONCE // shape.n_annotations)
    for start in range(0, rounds, at_once):
        these = slice(start, min(start + at_once, rounds))
        places = np.tile(np.arange(shape.n_annotations, dtype=np.int32), (these.stop - start, 1))
        order = rng.permuted(places, axis=1)
        for point, count in enumerate(arrived):
            end = 0
            for group in groups:
                there = order[:, end : end + group[0].size].reshape(-1, *group[0].shape) < count
                end += group[0].size
                size = there.sum(1, dtype=np.min_scalar_type(len(group[0])))
                usable = there & (size > 1)[:, None]
                bins = (size + np.arange(len(size))[:, None] * (most + 1)).ravel()
                many = len(size) * (most + 1)
                number[these, point] += np.bincount(bins, minlength=many).reshape(-1, most + 1)
                for s, given in enumerate(group):
                    pairs = _tally(usable, given, totals[s, these, point])
                    found = np.bincount(bins, weights=pairs.ravel(), minlength=many)
                    agreeing[s, these, point] += found.reshape(-1, most + 1)
        progress(these.stop / rounds, shape.name)
    return [_summary(one, number, agreeing[s], totals[s]) for s, one in enumerate(sets)]


def _tally(usable: Array, given: Array, totals: Array) -> Array:
    """Count the agreeing pairs of each item, and add its labels to the totals.

    Parameters
    ----------
    usable : array (rounds, n, items) of bool
        Which annotations are there, of items that have two or more.
    given : array (n, items)
        Their labels.
    totals : array (rounds, labels)

    Returns
    -------
    array (rounds, items)
    """
    n, labels = len(given), totals.shape[1]
    pairs = np.zeros((len(usable), given.shape[1]), dtype=np.min_scalar_type(n * n))
    # With many annotations per item it is quicker to count labels than to compare pairs.
    by_label = n > 2 * labels
    for label in range(labels):
        chosen = (given == label) & usable
        totals[:, label] += [np.count_nonzero(one) for one in chosen]
        if by_label:
            times = chosen.sum(1, dtype=pairs.dtype)
            pairs += times * (times - (times > 0)) // 2
    if not by_label:
        for first in range(n):
            for second in range(first):
                pairs += (given[first] == given[second]) & usable[:, first] & usable[:, second]
    return pairs


def _summary(items: Items, number: Array, agreeing: Array, totals: Array) -> Arrivals:
    """Compute SPA from what was counted, and leave out points where a round had nothing to compare.

    Parameters
    ----------
    items : Items
    number, agreeing : array (rounds, points, sizes)
        Items, and agreeing pairs, by how many annotations of an item are there.
    totals : array (rounds, points, labels)
    """
    sizes = np.arange(2, number.shape[-1])
    comparable = number[..., 2:]
    agreement = agreeing[..., 2:] / (sizes * (sizes - 1) / 2)
    values = np.stack([_spa(scheme, sizes, comparable, agreement, totals) for scheme in SCHEMES], axis=-1)
    # Where SPA never varies there is nothing to learn either.
    enough = np.isfinite(values).all((0, 2)) & (np.ptp(values, axis=0) > 1e-9).all(-1)
    if not enough.any():
        raise InputError(
            f"{shown(items.name)} tells nothing about the schemes: it has too few annotations, or its items all agree as much."
        )
    return Arrivals(
        items=items,
        shares=np.array(SHARES)[enough],
        usable=(comparable @ sizes).mean(0)[enough],
        in_pairs=(comparable[..., 0].sum(0) / np.maximum(comparable.sum((0, 2)), 1))[enough],
        values=values[:, enough],
    )


def _spa(scheme: str, sizes: Array, number: Array, agreement: Array, totals: Array) -> Array:
    """Return SPA of every round and point from sums over items with as many annotations: (rounds, points)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = weights(scheme, sizes, totals / totals.sum(-1, keepdims=True))
        return np.asarray((weight * agreement).sum(-1) / (weight * number).sum(-1))


def constant_variance(items: Items, per_item: int, drawn: Array) -> Array:
    """Return the variance of SPA when `drawn` items are drawn, and `per_item` annotations of each: (drawn,).

    Exact: items vary in their agreement, and the agreement of an item varies with the annotations that are looked
    at. NaN where there are not that many items.
    """
    enough = items.sizes >= per_item
    times, agreement = items.times[enough], items.agreement[enough]
    total = times.sum()
    mean = times @ agreement / total
    between = times @ (agreement - mean) ** 2 / max(total - 1, 1)
    within = times @ items.drawn_variance(per_item)[enough] / total
    variance = ((1 - drawn / total) * between + within) / drawn
    return np.asarray(np.where(drawn <= total, variance, np.nan))


def whole_variance(items: Items, most: int) -> Array:
    """Return the whole variance of an item's agreement when 2 to `most` of its annotations are looked at: (most - 1,).

    It varies by which item it is, and by which annotations it has. Over items with `most` annotations or more.
    """
    enough = items.sizes >= most
    times, agreement = items.times[enough] / items.times[enough].sum(), items.agreement[enough]
    between = times @ (agreement - times @ agreement) ** 2
    return np.array([times @ items.drawn_variance(drawn)[enough] + between for drawn in range(2, most + 1)])
