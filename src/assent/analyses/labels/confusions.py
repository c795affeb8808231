"""Label against label: which two are given to the same items, and how much of all disagreement each pair makes.

The coincidence matrix counts pairs of annotations of one item, in both orders. An item with m annotations has m (m - 1) of
them, each counted 1 / (m - 1), so that every annotation counts once and the matrix adds up to the annotations of all items that
have two or more. Most pairs of many labels never meet; only those that do are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assent.data import Annotations, as_annotations
from assent.errors import NothingToCompare, UnsuitableData
from assent.inference.pseudo import padded_counts
from assent.inference.sample import Sample
from assent.limits import LABELS_IN_PAIRS
from assent.measures.results import Interval, Share
from assent.profiles import Array, Counts, Weighting, scale_rows
from assent.records import Struct, cached_property, plain
from assent.scales import Identity
from assent.text import Printed, counted, percent, shown

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: Rounds in which expected disagreement is brought in line with that of each label.
QUASI_ROUNDS = 200

__all__ = ["Coincidences", "DisputedPair", "coincidences", "disputed_pairs"]


class Coincidences(Printed, Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """How often two labels were given to the same item.

    Parameters
    ----------
    labels : tuple of str
    first, second : array (pairs,) of integers
        Positions of every two different labels that meet on an item, the first before the second.
    together : array (pairs,)
        Their coincidences, both orders together: the disagreement between them.
    agreed : array (labels,)
        Coincidences of each label with itself.
    totals : array (labels,)
        Annotations with each label, of items that have two or more.
    """

    labels: tuple[str, ...]
    first: Array
    second: Array
    together: Array
    agreed: Array
    totals: Array

    def __str__(self) -> str:
        said = f"{counted(len(self.labels), 'label')}, {counted(self.n_annotations, 'annotation')}: "
        if not len(self.together):
            return said + "no two labels meet on an item"
        most = int(np.argmax(self.together))
        pair = f"{shown(self.labels[self.first[most]])} and {shown(self.labels[self.second[most]])}"
        return f"{said}{percent(self.disagreement / self.n_annotations)} of the pairs of annotations disagree, most often {pair}"

    @property
    def n_annotations(self) -> int:
        """Annotations of items that have two or more: what the matrix adds up to."""
        return int(self.totals.sum())

    @cached_property
    def disagreement(self) -> float:
        """Everything off the diagonal."""
        return float(self.together.sum())

    @property
    def shares(self) -> Array:
        """Share of each pair of labels in all disagreement: (pairs,); NaN if there is none."""
        return self.together / (self.disagreement or np.nan)

    @property
    def expected_shares(self) -> Array:
        """The share each pair would have if labels were dealt to items by chance: (pairs,)."""
        room = float(self.totals.sum()) ** 2 - float(self.totals @ self.totals)
        return 2.0 * self.totals[self.first] * self.totals[self.second] / (room or np.nan)

    def if_independent(self, place: int) -> tuple[float, float]:
        """Return the coincidences that a pair of labels would have if both were taken for each other as for the rest, and how sure that is.

        A label that is hard is taken for all others, in proportion to how hard they are: expected coincidences of two labels are the product of two
        numbers (quasi-independence), fitted to all pairs but this one. With fewer than four labels that cannot be told from a pair that is mixed up.

        Returns
        -------
        expected : float
            NaN if it cannot be told.
        score : float
            Logarithm of observed over expected, in standard errors.
        """
        one, other = int(self.first[place]), int(self.second[place])
        left = np.arange(len(self.first)) != place
        first, second, together = self.first[left], self.second[left], self.together[left] / 2.0
        apart = np.bincount(np.concatenate([first, second]), weights=np.tile(together, 2), minlength=len(self.labels))
        rest = float(together.sum() - apart[one] - apart[other])
        if np.count_nonzero(apart > 0) < 4 or not (apart[one] > 0 and apart[other] > 0 and rest > 0):
            return np.nan, np.nan
        root = np.sqrt(apart)
        for _ in range(QUASI_ROUNDS):
            reach = root.sum() - root
            reach[one] -= root[other]
            reach[other] -= root[one]
            # Half of the way each time, for the whole way may swing to and fro.
            root = np.sqrt(root * apart / np.maximum(reach, 1e-12))
        expected = float(root[one] * root[other])
        seen = float(self.together[place]) / 2.0
        error = np.sqrt(1.0 / seen + 1.0 / apart[one] + 1.0 / apart[other] + 1.0 / rest)
        return 2.0 * expected, float(np.log(seen / expected) / error)

    @property
    def specific_agreement(self) -> Array:
        """Share of other annotations with the label, where one has it: (labels,); NaN for a label without any."""
        return self.agreed / np.where(self.totals > 0, self.totals, np.nan)

    def sparse(self) -> csr_array[Any, tuple[int, int]]:
        """Return the matrix, (labels, labels), sparse."""
        from scipy.sparse import csr_array

        own = np.flatnonzero(self.agreed)
        rows = np.concatenate([own, self.first, self.second])
        columns = np.concatenate([own, self.second, self.first])
        cells = np.concatenate([self.agreed[own], self.together / 2.0, self.together / 2.0])
        return csr_array((cells, (rows, columns)), shape=(len(self.labels), len(self.labels)))

    def matrix(self) -> Array:
        """Return the matrix, (labels, labels)."""
        if len(self.labels) > LABELS_IN_PAIRS:
            raise UnsuitableData(
                f"There are {len(self.labels):,} labels; a table of all pairs is made for up to {LABELS_IN_PAIRS:,}: use sparse()."
            )
        return np.asarray(self.sparse().toarray())


def coincidences(data: Any, *, order: Sequence[str] | None = None) -> Coincidences:
    """Count how often two labels were given to the same item.

    Parameters
    ----------
    data : Annotations, or whatever they can be made from
    order : sequence of str, optional
        The labels in the order to show them; labels that nobody used may be among them.

    References
    ----------
    Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability. University of Pennsylvania.
    https://repository.upenn.edu/asc_papers/43

    Examples
    --------
    >>> import assent
    >>> assent.coincidences([["a", "a", "b"], ["b", "b", None]]).matrix().tolist()
    [[1.0, 1.0], [1.0, 2.0]]
    """
    data = as_annotations(data)
    if order is not None:
        data = data.ordered(order)
    return of_counts(comparable(data))


def comparable(data: Annotations) -> Counts:
    """Return the items with two or more annotations; say why there are none, or none that could be compared so."""
    data._check_single(
        "and labels are compared here where each annotation has one: read the table with `multilabel=False`, or see what "
        "`assent measure` says about sets."
    )
    if data._counts.pairable_items == 0:
        raise NothingToCompare(data._nothing_to_compare())
    return data._comparable_counts


def of_counts(items: Counts) -> Coincidences:
    """Count coincidences in profiles that all have two or more annotations, once for all who ask."""
    kept = items.__dict__
    if "coincidences" not in kept:
        kept["coincidences"] = _counted(items)
    made: Coincidences = kept["coincidences"]
    return made


def _counted(items: Counts) -> Coincidences:
    from scipy.sparse import coo_array, csr_array, triu

    weights = np.asarray(items.multiplicities, dtype=np.float64)
    counts = csr_array(items.counts)
    each = weights / (items.sizes - 1.0)
    upper = coo_array(triu(counts.T @ scale_rows(counts, each), 1))
    upper.sum_duplicates()
    first, second = (np.asarray(side, dtype=np.int64) for side in upper.coords)
    order = np.lexsort((second, first))
    # An annotation is not paired with itself. What never agreed comes out as 0, not as what rounding leaves of a difference.
    own = counts.copy()
    own.data = own.data * (own.data - 1)
    return Coincidences(
        labels=items.labels,
        first=first[order],
        second=second[order],
        together=2.0 * upper.data[order],
        agreed=np.asarray(each @ own, dtype=np.float64).ravel(),
        totals=np.asarray(items.multiplicities @ items.counts, dtype=np.float64).ravel(),
    )


class DisputedPair(Share, frozen=True, kw_only=True, eq=False):
    """Two labels that annotators disagree between.

    Parameters
    ----------
    value : float
        Their share in all disagreement.
    expected : float
        The share they would have if labels were dealt to items by chance: the more often both are used, the larger.
    independent, score : float
        The share they would have if each were as often taken for the other as for the rest, and how many standard errors it is above that; NaN
        with fewer than four labels in dispute.
    pairs : float
        Coincidences of the two, both orders together.
    n_items : int
        Items that have both labels.
    """

    first: str
    second: str
    expected: float
    independent: float
    score: float
    pairs: float
    n_items: int

    def to_dict(self, interval: Interval | None = None) -> dict[str, Any]:
        """Return the pair as plain values."""
        return {
            "first": self.first,
            "second": self.second,
            "share": plain(self.value),
            "ci": interval.to_dict() if interval else None,
            "expected_share": plain(self.expected),
            "independent_share": plain(self.independent),
            "coincidences": self.pairs,
            "items": self.n_items,
            "notes": list(interval.notes) if interval else [],
        }


def disputed_pairs(data: Any, *, most: int = 20) -> tuple[DisputedPair, ...]:
    """Return the pairs of labels that make most of the disagreement, the largest share first.

    Parameters
    ----------
    most : int
        At most so many pairs.

    Examples
    --------
    >>> table = [["a", "a"], ["a", "b"], ["b", "a"], ["b", "c"], ["c", "c"]]
    >>> [(one.first, one.second, round(one.value, 2), one.n_items) for one in disputed_pairs(table)]
    [('a', 'b', 0.67, 2), ('b', 'c', 0.33, 1)]
    """
    data = as_annotations(data)
    items = comparable(data)
    found = of_counts(items)
    chosen = np.lexsort((found.second, found.first, -np.round(found.together, 9)))[:most]
    shares, expected = found.shares, found.expected_shares
    apart = disagreement(items)
    return tuple(
        _pair(data, items, found, int(place), float(shares[place]), float(expected[place]), apart) for place in chosen
    )


def _pair(
    data: Annotations, items: Counts, found: Coincidences, place: int, share: float, expected: float, apart: Array
) -> DisputedPair:
    labels = int(found.first[place]), int(found.second[place])
    between = _between(items, *labels)
    alone, score = found.if_independent(place)

    return DisputedPair(
        first=found.labels[int(found.first[place])],
        second=found.labels[int(found.second[place])],
        value=share,
        expected=expected,
        independent=alone / (found.disagreement - float(found.together[place]) + alone),
        score=score,
        pairs=float(found.together[place]),
        n_items=int(items.multiplicities[between > 0].sum()),
        # Items without disagreement say nothing about how it is shared out.
        sample=Sample(_share(between, apart), items.multiplicities, items.units, (apart > 0).astype(np.float64)),
        unit=data.unit,
        padded=lambda: padded_counts(items, lambda made: _share(_between(made, *labels), disagreement(made))),
    )


def _between(items: Counts, one: int, other: int) -> Array:
    """Return the coincidences of two labels that one item of each profile makes: (profiles,)."""
    return 2.0 * column(items, one) * column(items, other) / (items.sizes - 1.0)


def _share(between: Array, apart: Array) -> Callable[[Weighting], Array]:
    """Return the statistic "share of some disagreement in all of it"."""

    def statistic(weighting: Weighting) -> Array:
        # A replicate without any disagreement has no shares: 0 / 0, which is NaN.
        with np.errstate(invalid="ignore"):
            return np.asarray(weighting.total(between) / weighting.total(apart))

    return statistic


def disagreement(items: Counts) -> Array:
    """Return the coincidences of different labels that one item of each profile makes: (profiles,)."""
    return (items.pairs - Identity().pairs(items.counts)) / (items.sizes - 1.0)


def column(items: Counts, label: int) -> Array:
    """Return how many annotations gave each profile a label: (profiles,)."""
    chosen = items.counts[:, [label]]
    return np.asarray(chosen if isinstance(chosen, np.ndarray) else chosen.toarray(), dtype=np.float64).ravel()
