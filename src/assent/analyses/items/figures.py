"""Item by item: agreement, entropy and margin, worked out for all items at once from a sparse table of items x labels."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from assent.limits import AT_ONCE
from assent.profiles import Array, Matrix
from assent.records import Struct
from assent.scales import AgreementWeights, Identity, numbers

__all__ = ["DIGITS", "STRONG", "WEAK", "Figures", "ItemSpread"]

#: Agreement on a scale is a sum of fractions: what differs by less than this is the same.
DIGITS = 12
#: Agreement of an item from which on it is strong, and below which it is weak.
STRONG, WEAK = 0.8, 0.5


class Figures(Struct, frozen=True, kw_only=True, eq=False):
    """What is known of each item, or of each profile, without its name.

    Parameters
    ----------
    annotations : array (items,) of integers
    agreement : array (items,)
        Share of an item's pairs of annotations that have the same label; NaN for an item with one annotation.
    entropy : array (items,)
        Entropy of an item's labels in bits: 0 if all are the same, 1 if two labels share it evenly.
    margin : array (items,)
        Share of the most frequent label less that of the second; 0 for a tie.
    starts, given, times : array (items + 1,), (cells,), (cells,) of integers
        The labels of item i, most frequent first, are ``given[starts[i]:starts[i + 1]]``, and so many annotations gave each.
    weighted_agreement : array (items,) or None
        On a scale: agreement in which near labels agree in part; of sets of labels: as far as they share labels.
    spread : array (items,) or None
        On a scale: how far the lowest and the highest label are apart, in steps on an ordinal scale, else in the labels' own units.
    """

    annotations: Array
    agreement: Array
    entropy: Array
    margin: Array
    starts: Array
    given: Array
    times: Array
    weighted_agreement: Array | None = None
    spread: Array | None = None

    @staticmethod
    def of(
        counts: Matrix, labels: tuple[str, ...], *, scale: str, decimal: str, agree: AgreementWeights | None
    ) -> Figures:
        """Work out what there is to know from label counts: (items, labels); `agree` says which labels agree in part."""
        from scipy.sparse import csr_array

        cells = csr_array(counts)
        cells.sum_duplicates()
        sizes = np.asarray(cells.sum(axis=1), dtype=np.int64).ravel()
        row = np.repeat(np.arange(len(sizes)), np.diff(cells.indptr))
        ranked = np.lexsort((cells.indices, -cells.data, row))
        given, times = cells.indices[ranked].astype(np.int64), cells.data[ranked].astype(np.int64)
        starts = cells.indptr.astype(np.int64)
        single = sizes < 2
        pairs = np.where(single, 1, sizes * (sizes - 1)).astype(np.float64)
        share = times / sizes[row]
        # Not log(n) less the mean of logs: one label alone must give 0 to the last bit.
        entropy = np.bincount(row, weights=-share * np.log2(share), minlength=len(sizes)) + 0.0
        several = np.diff(starts) > 1
        second = np.zeros(len(sizes), dtype=np.int64)
        second[several] = times[starts[:-1][several] + 1]
        weighted, spread = None, None
        if agree is not None:
            step = max(1, AT_ONCE // max(1, len(labels)))
            blocks = [agree.pairs(cells[first : first + step]) for first in range(0, len(sizes), step)]
            weighted = np.where(single, np.nan, np.concatenate(blocks) / pairs)
            # Fractions that sum up to one may miss it by the last bit, and an agreement above 1 would look wrong.
            weighted = np.where(several, weighted, np.where(single, np.nan, 1.0))
        if scale != "nominal":
            spread = _spread(given, starts, _positions(labels, scale, decimal))
        return Figures(
            annotations=sizes,
            agreement=np.where(single, np.nan, Identity().pairs(cells) / pairs),
            entropy=entropy,
            margin=(times[starts[:-1]] - second) / sizes,
            starts=starts,
            given=given,
            times=times,
            weighted_agreement=weighted,
            spread=spread,
        )

    @property
    def closeness(self) -> Array:
        """The agreement that items are ranked and filtered by, on a scale the weighted one: (items,)."""
        return self.agreement if self.weighted_agreement is None else np.round(self.weighted_agreement, DIGITS)

    @property
    def ranks(self) -> Array:
        """Place of each item among all, those that only a name would tell apart at the same; -1 for one annotation: (items,)."""
        known = np.flatnonzero(self.annotations > 1)
        keys = np.stack(
            [self.closeness[known], -self.annotations[known], -np.round(self.entropy[known], DIGITS)], axis=1
        )
        ranks = np.full(len(self.annotations), -1, dtype=np.int64)
        order = np.lexsort(keys.T[::-1])
        ranks[known[order]] = np.cumsum(np.any(np.diff(keys[order], axis=0, prepend=keys[order][:1]) != 0, axis=1))
        return ranks


class ItemSpread(Struct, frozen=True, kw_only=True, eq=False):
    """How agreement is spread over all items, none of which is named.

    Parameters
    ----------
    figures : Figures
        Of each profile.
    items : array (profiles,) of integers
        How many items have it.
    chance : float
        On a scale: how far two labels drawn from all annotations agree, near ones in part. 0 if labels are names or sets.
    """

    figures: Figures
    items: Array
    scale: str
    notes: tuple[str, ...]
    chance: float = 0.0

    @property
    def total(self) -> int:
        """Items with a label."""
        return int(self.items.sum())

    @property
    def single(self) -> int:
        """Items with one annotation, whose agreement nobody knows."""
        return int(self.items[self.figures.annotations < 2].sum())

    @property
    def full(self) -> int:
        """Items whose annotations all have the same label."""
        return int(self.items[self.figures.agreement == 1.0].sum())

    @property
    def mean(self) -> float:
        """Mean agreement of the items for which it is known; NaN if there are none."""
        known = self.figures.annotations > 1
        number = int(self.items[known].sum())
        return float(self.items[known] @ self.figures.agreement[known] / number) if number else math.nan

    @property
    def strong(self) -> int:
        """Items on which annotators agree strongly: agreement of `STRONG` or more."""
        return int(self.items[self._beyond_chance >= STRONG].sum())

    @property
    def weak(self) -> int:
        """Items on which they agree weakly: agreement below `WEAK`."""
        return int(self.items[self._beyond_chance < WEAK].sum())

    @property
    def _beyond_chance(self) -> Array:
        """Agreement of each profile; on a scale, where any two labels agree in part, as a share of what is possible beyond that."""
        return np.round(1.0 - (1.0 - self.figures.closeness) / max(1.0 - self.chance, 1e-12), DIGITS)

    def histogram(self, bins: int = 10) -> Array:
        """Count items by agreement in bins of equal width from 0 to 1: (bins,). Full agreement is in the last."""
        known = self.figures.annotations > 1
        closeness, items = self.figures.closeness[known], self.items[known]
        return np.histogram(closeness, bins=bins, range=(0.0, 1.0), weights=items)[0].astype(np.int64)


def _positions(labels: Sequence[str], scale: str, decimal: str) -> Array:
    """Return where the labels stand: ranks on an ordinal scale, else their own values."""
    values = None if scale == "ordinal" else numbers(labels, decimal)
    return np.arange(len(labels), dtype=np.float64) if values is None else np.asarray(values)


def _spread(given: Array, starts: Array, positions: Array) -> Array:
    """Return how far the lowest and the highest label of each item are apart: (items,)."""
    at = positions[given]
    return np.asarray(np.maximum.reduceat(at, starts[:-1]) - np.minimum.reduceat(at, starts[:-1]))
