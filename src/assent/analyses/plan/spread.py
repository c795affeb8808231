"""How much an item's influence varies with the number of its annotations.

The influence of an item with k annotations on a coefficient is the mean of a kernel over its pairs of annotations, a
U-statistic of degree two. Two pairs of annotations of an item are the same pair, share one annotation or share none; with
the covariances of the kernel in these three cases called `same`, `sharing` and `apart`, the variance of the mean over
k (k - 1) / 2 pairs is

    (2 same + 4 (k - 2) sharing + (k - 2) (k - 3) apart) / (k (k - 1)),

for of k (k - 1) / 2 pairs that the second can be, one is the first, 2 (k - 2) share one annotation with it, and the rest
share none. Each covariance can be estimated without bias from items with two, three and four annotations.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from assent.analyses.plan.pairs import PairTable
from assent.limits import PLANNED_AT_ONCE
from assent.profiles import Array, Counts
from assent.records import Struct

__all__ = ["Spread", "assumed_spread", "observed_spread"]

#: With fewer items than this of three (or four) annotations, what they share is taken from the model.
ENOUGH = 50


class Spread(Struct, frozen=True, kw_only=True):
    """Covariances of the influence of two pairs of annotations of an item.

    Parameters
    ----------
    same, sharing, apart : float
        The two pairs are the same, share one annotation, share none.
    known : int
        Annotations per item up to which the data say it; beyond, a model does. 4 stands for any number.
    between : float
        Covariance of different items of a cluster, summed over its pairs of items; 0 without clusters.
    items_per_unit : float
        Items of a cluster; 1 without clusters.
    scale : float
        Factor that makes the variance of the present design the one that was measured.
    """

    same: float
    sharing: float
    apart: float
    known: int
    between: float = 0.0
    items_per_unit: float = 1.0
    scale: float = 1.0

    def variance(self, annotations_per_item: int) -> float:
        """Return the variance that one unit contributes when items have so many annotations."""
        k = annotations_per_item
        pairs = 2.0 * self.same + 4.0 * (k - 2) * self.sharing + (k - 2) * (k - 3) * self.apart
        item = pairs / (k * (k - 1))
        return self.scale * (self.between + self.items_per_unit * item) / self.items_per_unit**2

    def calibrated(self, variance: float, annotations_per_item: int) -> Spread:
        """Return the spread that has this variance at so many annotations per item."""
        return replace(self, scale=self.scale * variance / self.variance(annotations_per_item))


def assumed_spread(kernel: Array, pairs: PairTable) -> Spread:
    """Return the spread of items whose label probabilities follow a Dirichlet distribution.

    Its means are the shares of the labels and its concentration is set by the agreement of two annotations. Drawing from such
    an item is drawing from an urn: an annotation repeats each earlier one with equal chances, or is drawn from the
    shares. So up to four annotations fall into groups with one label each, and groups have independent labels.

    Parameters
    ----------
    kernel : array (labels, labels)
    """
    share, own = pairs.shares, np.diag(kernel)
    mean = kernel @ share
    # Moments of the kernel when its annotations fall into groups: which of them are the same annotation.
    all_one = float(share @ own**2)
    three_one = float(share @ (own * mean))
    twice = float(share @ kernel**2 @ share)
    chain = float(share @ mean**2)
    within, between = float(share @ own), float(share @ mean)
    # So much do two annotations have in common that the mean of the kernel comes out right: kappa, with the measure's weights.
    mean_of_pairs = float((pairs.chances * kernel).sum())
    a = min(max((mean_of_pairs - between) / (within - between), 0.0), 1.0) if within != between else 0.0
    b = 1.0 - a
    centre = (a * within + b * between) ** 2
    same = a * all_one + b * twice
    sharing = (2 * a**2 * all_one + a * b * (2 * three_one + twice) + b**2 * chain) / (1 + a)
    apart = (
        6 * a**3 * all_one
        + a**2 * b * (8 * three_one + within**2 + 2 * twice)
        + a * b**2 * (2 * within * between + 4 * chain)
        + b**3 * between**2
    ) / ((1 + a) * (1 + 2 * a))
    return _in_order(same - centre, sharing - centre, apart - centre, known=2)


def observed_spread(kernel: Array, items: Counts, model: Spread) -> Spread:
    """Estimate the spread from items with two or more annotations.

    What too few items can say, because they have two or three annotations, keeps the proportions of the model.

    Parameters
    ----------
    kernel : array (labels, labels)
        Centred: its mean over the pairs of the items is 0.
    items : Counts
        Items with two or more annotations.
    """
    number = items.multiplicities.astype(np.float64)
    sums = _pair_sums(kernel, items)
    sizes = items.sizes
    found, known = [], 1
    for least, total in zip((2, 3, 4), sums[1:], strict=True):
        there = sizes >= least
        if least > 2 and number[there].sum() < ENOUGH:
            break
        ways = np.prod([sizes[there] - i for i in range(least)], axis=0)
        found.append(float(number[there] @ (total[there] / ways)) / float(number[there].sum()))
        known = least
    before = (model.same, model.sharing, model.apart)
    while len(found) < 3:
        i = len(found)
        found.append(found[-1] * (before[i] / before[i - 1] if before[i - 1] > 0 else 0.0))
    spread = _in_order(*found, known=known)
    # The kernel was centred by the mean of the same items, which takes a little of their spread away.
    if items.units is None:
        return replace(spread, scale=items.n_items / max(items.n_items - 1, 1))
    means = sums[0] / (sizes * (sizes - 1.0))
    units = items.units.shape[0]
    by_unit = np.asarray(items.units @ means)
    # Two items of a cluster vary together however many annotations each has; squares of single items do not belong here.
    between = (float(by_unit @ by_unit) - float(number @ means**2)) / units
    return replace(
        spread,
        between=max(between, 0.0),
        items_per_unit=items.n_items / units,
        scale=units / max(units - 1, 1),
    )


def _in_order(same: float, sharing: float, apart: float, *, known: int) -> Spread:
    """Make a spread of estimates: pairs that share more vary together more, and never against each other."""
    same = max(same, 0.0)
    sharing = min(max(sharing, 0.0), same)
    return Spread(same=same, sharing=sharing, apart=min(max(apart, 0.0), sharing), known=known)


def _pair_sums(kernel: Array, items: Counts) -> tuple[Array, Array, Array, Array]:
    """Sum over ordered annotations of each profile: h(1,2), h(1,2)², h(1,2) h(1,3) and h(1,2) h(3,4), all different.

    Returns
    -------
    four arrays (profiles,)
    """
    own, squared = np.diag(kernel), kernel**2
    step = max(1, PLANNED_AT_ONCE // len(kernel))
    blocks = []
    for start in range(0, len(items.multiplicities), step):
        rows = items.counts[start : start + step]
        counts = np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), dtype=np.float64)
        reached = counts @ kernel
        once = (counts * reached).sum(axis=1) - counts @ own
        same = (counts * (counts @ squared)).sum(axis=1) - counts @ own**2
        # The squared sum over the partners of an annotation is the same partner twice, or two of them.
        sharing = (counts * (reached - own) ** 2).sum(axis=1) - same
        blocks.append((once, same, sharing, once**2 - 2.0 * same - 4.0 * sharing))
    once, same, sharing, apart = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    return once, same, sharing, apart
