"""Two annotators side by side: whether their disagreement has a direction, and whether they use the labels alike.

All of it is read off a square table: how often the first annotator (rows) gave one label and the second (columns)
another. The tests look at the disagreements alone. If neither annotator leans, each of them is as likely to lie above
the diagonal as below it, which gives both tests an exact reference: turn every disagreement around by the toss of a
coin, and see how often the table is then as lopsided as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from assent.data import as_annotations
from assent.errors import InputError, OptionError, UnsuitableData, choose, did_you_mean
from assent.inference.tails import binomial_tail, chi_squared_tail
from assent.limits import COINS_AT_ONCE, DISAGREEMENTS_DRAWN, LABELS_CONFUSED, LABELS_IN_PAIRS
from assent.measures.components import chance_corrected
from assent.profiles import Array, Ratings
from assent.records import Struct, cached_property
from assent.text import shown

__all__ = ["Disagreements", "SymmetryTest", "bowker", "cap", "confusion", "distance", "shared", "stuart_maxwell"]

METHODS = ("auto", "chi-squared", "simulated")
#: Fewer disagreements than this on some pair of labels, and the chi-squared distribution is not trusted.
FEW = 25


class SymmetryTest(Struct, frozen=True, kw_only=True):
    """A test of two annotators' disagreements.

    Parameters
    ----------
    degrees : int
        Degrees of freedom; 0 if there is no disagreement to test.
    p_value : float
        1 if there is no disagreement.
    method : str
        How the p-value was found: exact (binomial), simulated or chi-squared.
    """

    statistic: float
    degrees: int
    p_value: float
    method: str


class Disagreements(Struct, frozen=True, eq=False, dict=True):
    """How often two annotators disagreed on each pair of labels, and which way round.

    Parameters
    ----------
    one, other : array (pairs,) of integers
        Positions of the two labels of each pair that occurs.
    forth, back : array (pairs,)
        How often the first annotator said `one` and the second `other`, and the reverse.
    by_cluster : array (clusters, pairs), optional
        Forth less back in each cluster, if items come in clusters that lean together.
    """

    one: Array
    other: Array
    forth: Array
    back: Array
    by_cluster: Array | None = None

    @classmethod
    def of(cls, table: Any) -> Disagreements:
        """Take them from a square table."""
        cells = _square(table)
        one, other = np.triu_indices(len(cells), 1)
        forth, back = cells[one, other], cells[other, one]
        used = forth + back > 0
        return cls(one[used], other[used], forth[used], back[used])

    @property
    def together(self) -> Array:
        """Disagreements on each pair of labels: (pairs,)."""
        return self.forth + self.back

    @property
    def excess(self) -> Array:
        """How many more go forth than back: (pairs,)."""
        return self.forth - self.back

    @cached_property
    def by_pair(self) -> Array:
        """Bowker's view: each pair of labels by itself, in standard units: (pairs,)."""
        return np.asarray(1.0 / np.sqrt(self.together))

    @cached_property
    def by_label(self) -> Array:
        """Stuart and Maxwell's view: how far each label's two totals differ, in standard units: (pairs, degrees).

        The covariance of these differences is the Laplacian of the graph whose edges are the disagreements. It has
        one direction without variance for each group of labels that are never confused with labels outside of it;
        those are left out, which is more than leaving out one label but gives the same statistic.
        """
        labels, ends = np.unique(np.stack([self.one, self.other]), return_inverse=True)
        if len(labels) > LABELS_CONFUSED:
            raise UnsuitableData(
                f"{len(labels):,} labels are confused with others; up to {LABELS_CONFUSED:,} can be tested at once: "
                "merge the rarest labels."
            )
        one, other = ends.reshape(2, -1)
        covariance = np.zeros((len(labels), len(labels)))
        covariance[one, other] = covariance[other, one] = -self.together
        covariance -= np.diag(covariance.sum(axis=0))
        variances, directions = np.linalg.eigh(covariance)
        kept = variances > 1e-10 * variances.max(initial=0.0)
        scaled = directions[:, kept] / np.sqrt(variances[kept])
        return np.asarray(scaled[one] - scaled[other])

    def test(self, view: Array, *, method: str = "auto", simulations: int = 9999, seed: int = 0) -> SymmetryTest:
        """Test whether forth and back differ by more than coins would make them, as seen through `view`."""
        choose("method", method, METHODS)
        if simulations < 1:
            raise OptionError(f"simulations is {simulations}; it must be at least 1, and 9999 is usual.")
        total = int(self.together.sum())
        if not total:
            return SymmetryTest(statistic=0.0, degrees=0, p_value=1.0, method="exact")
        statistic = float(_lopsided(self.excess, view))
        degrees = view.shape[-1]
        if method == "auto" and len(self.together) == 1 and self.by_cluster is None:
            fewer = min(int(self.forth[0]), int(self.back[0]))
            p_value = min(1.0, 2.0 * binomial_tail(fewer, total))
            return SymmetryTest(statistic=statistic, degrees=degrees, p_value=p_value, method="exact")
        sparse = self.by_cluster is not None or (self.together.min() < FEW and total <= DISAGREEMENTS_DRAWN)
        if method == "simulated" or (method == "auto" and sparse):
            # Turned-round tables may be exactly as lopsided as this one; rounding must not decide whether they are.
            enough = statistic - 1e-9 * max(1.0, statistic)
            reached = sum(
                int(np.count_nonzero(_lopsided(tossed, view) >= enough)) for tossed in self._tossed(simulations, seed)
            )
            p_value = (1 + reached) / (1 + simulations)
            return SymmetryTest(statistic=statistic, degrees=degrees, p_value=p_value, method="simulated")
        p_value = chi_squared_tail(statistic, degrees)
        return SymmetryTest(statistic=statistic, degrees=degrees, p_value=p_value, method="chi-squared")

    def _tossed(self, simulations: int, seed: int) -> Iterator[Array]:
        """Turn the disagreements around at random, those of a cluster together: blocks of (simulations, pairs)."""
        rng = np.random.default_rng(seed)
        clusters = None if self.by_cluster is None else self.by_cluster[np.any(self.by_cluster != 0, axis=1)]
        width = len(self.together) if clusters is None else max(1, *clusters.shape)
        step = max(1, COINS_AT_ONCE // width)
        for start in range(0, simulations, step):
            block = min(step, simulations - start)
            if clusters is None:
                yield 2.0 * rng.binomial(self.together.astype(np.int64), 0.5, size=(block, width)) - self.together
            else:
                yield (2.0 * rng.integers(0, 2, size=(block, len(clusters))) - 1.0) @ clusters


def _lopsided(excess: Array, view: Array) -> Array:
    """Squared length of the excess as seen through a view, which scales pairs or maps them: (...,)."""
    seen = excess * view if view.ndim == 1 else excess @ view
    return np.asarray((seen**2).sum(-1))


def bowker(table: Any, *, method: str = "auto", simulations: int = 9999, seed: int = 0) -> SymmetryTest:
    """Bowker's test of symmetry: whether disagreements on some pair of labels mostly go one way.

    The statistic is the sum of ``(n_ij - n_ji)**2 / (n_ij + n_ji)`` over pairs of labels. Only pairs that occur count
    as degrees of freedom. With two labels it is McNemar's test.

    Parameters
    ----------
    table : array (labels, labels)
        How often the first annotator (rows) gave one label and the second (columns) another.
    method : {"auto", "chi-squared", "simulated"}
        ``auto``: the exact binomial test for two labels; for more, simulated if some pair of labels has fewer than 25
        disagreements, else chi-squared. ``simulated`` turns every disagreement around at random, which keeps the level
        however few there are.

    References
    ----------
    Bowker, A. H. (1948). A test for symmetry in contingency tables. Journal of the American Statistical Association 43(244),
    572-574. https://doi.org/10.1080/01621459.1948.10483284

    Examples
    --------
    >>> test = bowker([[40, 18], [2, 40]])
    >>> round(test.statistic, 3), round(test.p_value, 5), test.method
    (12.8, 0.0004, 'exact')
    """
    found = Disagreements.of(table)
    return found.test(found.by_pair, method=method, simulations=simulations, seed=seed)


def stuart_maxwell(table: Any, *, method: str = "auto", simulations: int = 9999, seed: int = 0) -> SymmetryTest:
    """Stuart and Maxwell's test of marginal homogeneity: whether two annotators use the labels in different shares.

    With two labels it is McNemar's test, and so the same as Bowker's. Labels that are never confused with others, used or
    not, do not matter.

    Parameters
    ----------
    table : array (labels, labels)
        How often the first annotator (rows) gave one label and the second (columns) another.
    method, simulations, seed
        As for `bowker`.

    References
    ----------
    Stuart, A. (1955). A test for homogeneity of the marginal distributions in a two-way classification. Biometrika 42(3/4),
    412-416. https://doi.org/10.1093/biomet/42.3-4.412
    Maxwell, A. E. (1970). Comparing the classification of subjects by two independent judges. British Journal of Psychiatry
    116(535), 651-655. https://doi.org/10.1192/bjp.116.535.651

    Examples
    --------
    >>> test = stuart_maxwell([[35, 8, 2], [5, 10, 10], [0, 7, 23]], method="chi-squared")
    >>> round(test.statistic, 3), test.degrees, round(test.p_value, 3)
    (2.669, 2, 0.263)
    """
    found = Disagreements.of(table)
    return found.test(found.by_label, method=method, simulations=simulations, seed=seed)


def cap(rows: Array, columns: Array) -> float:
    """Return the largest kappa of two annotators who gave the labels so many times each; NaN if it is undefined.

    Two annotators who use the labels in different shares cannot agree on everything.

    Examples
    --------
    >>> round(cap(np.array([58, 42]), np.array([42, 58])), 3)
    0.688
    """
    total = rows.sum()
    if not total:
        return float("nan")
    most, expected = np.minimum(rows, columns).sum() / total, (rows @ columns) / total**2
    return float(chance_corrected(most, expected))


def distance(rows: Array, columns: Array) -> float:
    """Return the share of items that would have to change label to give two annotators the same totals; NaN without items.

    With two labels it is ``|n_12 - n_21| / n``, the bias index (Byrt, Bishop and Carlin, 1993, Bias, prevalence and kappa, Journal of
    Clinical Epidemiology 46(5), 423-429); with more, half the sum of the differences of the annotators' shares of each label.

    Examples
    --------
    >>> distance(np.array([58, 42]), np.array([42, 58]))
    0.16
    """
    return float(np.abs(rows - columns).sum() / (2.0 * rows.sum())) if rows.sum() else float("nan")


def confusion(data: Any, first: str, second: str) -> Array:
    """Return how often two annotators gave which labels to the items that both labelled.

    Parameters
    ----------
    first, second : str
        Names of two annotators.

    Returns
    -------
    array (labels, labels) of integers
        Rows are the labels of `first`, columns those of `second`, in the order of ``data.labels``.

    Examples
    --------
    >>> confusion([["a", "a"], ["a", "b"], ["b", "b"], ["b", None]], "1", "2").tolist()
    [[1, 1], [0, 1]]
    """
    data = as_annotations(data)
    ratings = data._ratings
    for name in (first, second):
        if name not in ratings.annotators:
            raise OptionError(f"There is no annotator {shown(name)}: {did_you_mean(str(name), ratings.annotators)}")
    if first == second:
        raise OptionError(f"Both annotators are {shown(first)}: name two different ones.")
    labels = len(data.labels)
    if labels > LABELS_IN_PAIRS:
        raise UnsuitableData(
            f"There are {labels:,} labels; a table of all pairs is made for up to {LABELS_IN_PAIRS:,}."
        )
    one, other, items, _ = shared(ratings, ratings.annotators.index(first), ratings.annotators.index(second))
    table = np.bincount(one * labels + other, weights=items, minlength=labels**2)
    return table.astype(np.int64).reshape(labels, labels)


def shared(ratings: Ratings, first: int, second: int) -> tuple[Array, Array, Array, Array]:
    """Find the profiles that two annotators both labelled.

    Returns
    -------
    one, other : array (shared profiles,)
        Labels that the first and the second annotator gave.
    items : array (shared profiles,)
        How many items have each profile.
    profiles : array (shared profiles,)
        Positions of the profiles.
    """
    rows = [np.flatnonzero(ratings.annotator == one) for one in (first, second)]
    where = [ratings.profile[each] for each in rows]
    profiles, mine, theirs = np.intersect1d(where[0], where[1], assume_unique=True, return_indices=True)
    one, other = ratings.label[rows[0][mine]], ratings.label[rows[1][theirs]]
    return one, other, ratings.multiplicities[profiles], profiles


def _square(table: Any) -> Array:
    """Check a table of two annotators."""
    try:
        cells = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("The table must hold numbers, one row of equal length after the other.") from None
    if cells.ndim != 2 or cells.shape[0] != cells.shape[1]:
        raise InputError(f"The table has the shape {cells.shape}: two annotators need a square one.")
    if not np.isfinite(cells).all() or (cells < 0).any():
        raise InputError("The table holds a number that is no count: counts are 0 or more.")
    return cells
