"""The coefficient without each annotator, for all of them in one pass.

To leave an annotator out is to take one annotation from each of their items: the items lose one profile and gain another. A
measure sees items through the weights of their profiles alone, so leaving out is one more way of changing weights, and
every measure that works on label counts can do it, on every scale, exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from assent.analyses.annotators.table import LARGEST, ROOM, added_up, order_of
from assent.data import Annotations
from assent.errors import OptionError
from assent.inference.derivatives import Recorder
from assent.limits import LEFT_OUT_AT_ONCE
from assent.measures import Measure
from assent.measures.results import Agreement
from assent.profiles import Array, Counts, Matrix, Ratings, RepeatedTerms, Terms, Weighting, distinct
from assent.records import Struct
from assent.scales import agreement_weights

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["Without", "without_each"]


class Without(Struct, frozen=True, eq=False):
    """A coefficient of all annotators together, and without each of them.

    Parameters
    ----------
    agreement : Agreement
        Of all.
    values : array (annotators,)
        NaN where the coefficient is undefined without the annotator.
    """

    agreement: Agreement
    values: Array


class _Changed(Struct, eq=False):
    """Totals of all items with other weights of some profiles, for each of several annotators.

    Parameters
    ----------
    whole : list of array
        The totals of all items, in the order in which the measure asks for them.
    change : sparse matrix (annotators, profiles)
        How many items of the profiles at hand there are more or fewer without each annotator.
    """

    whole: list[Array]
    change: csr_array[Any, tuple[int, int]]
    asked: int = 0

    def total(self, terms: Terms) -> Array:
        """Sum `terms` over items: (annotators,) or (annotators, d)."""
        assert not isinstance(terms, RepeatedTerms), "only measures of counts are asked"
        moved = self.change @ terms
        self.asked += 1
        return np.asarray(self.whole[self.asked - 1] + (moved if isinstance(moved, np.ndarray) else moved.toarray()))

    def total_varying(self, terms: Array) -> Array:
        """Refuse: what all items add differs by annotator."""
        raise TypeError("The terms of all items are needed.")


class _Noting(Recorder, eq=False):
    """Answers totals as they are, remembers them, and notes if terms were computed from totals."""

    varied: bool = False

    def total_varying(self, terms: Array) -> Array:
        """Sum `terms` over items."""
        self.varied = True
        return self.total(terms)


class _ChangedAll(Struct, frozen=True, eq=False):
    """The same for a measure whose terms depend on its totals: all profiles are at hand, with their weights."""

    weights: Array
    change: csr_array[Any, tuple[int, int]]

    def total(self, terms: Terms) -> Array:
        """Sum `terms` over items: (annotators,) or (annotators, d)."""
        assert not isinstance(terms, RepeatedTerms), "only measures of counts are asked"
        moved = self.change @ terms
        return np.asarray(self.weights @ terms + (moved if isinstance(moved, np.ndarray) else moved.toarray()))

    def total_varying(self, terms: Array) -> Array:
        """Sum `terms` (annotators, profiles) over items."""
        terms = np.broadcast_to(terms, self.change.shape)
        return np.asarray(terms @ self.weights + np.asarray(self.change.multiply(terms).sum(axis=1)).ravel())


class _Items(Struct, frozen=True, eq=False):
    """Items as rows of label counts, equal ones together where that is cheap.

    Parameters
    ----------
    counts : sparse matrix (profiles, labels)
    multiplicities : array (profiles,)
        How many items have them.
    profile : array (profiles of who said what,)
        Which of the rows each of these has.
    """

    counts: csr_array[Any, tuple[int, int]]
    multiplicities: Array
    profile: Array


def without_each(data: Annotations, measure: Measure, **options: Any) -> Without:
    """Measure the agreement of all annotators, and of all but each one.

    Parameters
    ----------
    measure : Measure
        One that works on label counts, such as krippendorff-alpha.
    **options
        Scale, weights and the measure's own options.
    """
    if measure.profiles is not Counts or measure.n_annotators is not None or measure.complete:
        raise OptionError(
            f"{measure.name} asks who gave which label and cannot be measured without each annotator in turn: "
            "use krippendorff-alpha, fleiss-kappa, gwet-ac, brennan-prediger, percent-agreement or spa."
        )
    agreement = measure(data, **options)
    own = {name: value for name, value in agreement.options.items() if name in measure.choices}
    agree = agreement_weights(
        data.labels,
        scale=agreement.options["scale"],
        weights=options.get("weights"),
        ordered=data._order_given,
        decimal=data._decimal,
        krippendorff=measure.krippendorff,
    )
    least = 1 if measure.keeps_single_annotations(own) else 2

    def value(profiles: Counts, weighting: Weighting) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            return measure.function(profiles.weighted_by(weighting), agree, **own).value

    ratings = data._ratings
    items = _items(ratings)
    sizes = np.asarray(items.counts.sum(axis=1)).ravel()
    every = _profiles(items.counts[sizes >= least], items.multiplicities[sizes >= least], ratings.labels)
    recorder = _Noting(every.multiplicities.astype(np.float64))
    value(every, recorder)
    values = []
    for touched in _left_out(ratings, items):
        if recorder.varied:
            profiles, weighting = _with_all(items, touched, least, ratings.labels)
            values.append(value(profiles, weighting))
            continue
        kept = np.flatnonzero(np.asarray(touched.counts.sum(axis=1)).ravel() >= least)
        profiles = _profiles(touched.counts[kept], np.zeros(len(kept), dtype=np.int64), ratings.labels)
        values.append(value(profiles, _Changed(recorder.totals, touched.change[:, kept])))
    return Without(agreement, np.concatenate(values))


def _profiles(counts: csr_array[Any, tuple[int, int]], weights: Array, labels: tuple[str, ...]) -> Counts:
    """Make profiles, with dense counts if these are small."""
    dense: Matrix = counts.toarray() if counts.shape[0] * len(labels) <= LEFT_OUT_AT_ONCE else counts
    return Counts(counts=dense, multiplicities=weights, labels=labels)


class _Touched(Struct, frozen=True, eq=False):
    """Profiles that items of some annotators have with and without them.

    Parameters
    ----------
    before : array (profiles with them,)
        Which profiles of all items come first among `counts`.
    counts : sparse matrix (profiles, labels)
        Those with them, then those without.
    change : sparse matrix (annotators, profiles)
        How many items have each profile more or fewer without each annotator.
    """

    before: Array
    counts: csr_array[Any, tuple[int, int]]
    change: csr_array[Any, tuple[int, int]]


def _with_all(items: _Items, touched: _Touched, least: int, labels: tuple[str, ...]) -> tuple[Counts, _ChangedAll]:
    """Put the profiles that some annotators touch among all others."""
    from scipy.sparse import csr_array, vstack

    number = items.counts.shape[0]
    after = csr_array(touched.counts[len(touched.before) :])
    every = csr_array(vstack([items.counts, after]))
    column = np.concatenate([touched.before, number + np.arange(after.shape[0])])
    moved = touched.change.tocoo()
    cells = (moved.data, (moved.coords[0], column[moved.coords[1]]))
    kept = np.flatnonzero(np.asarray(every.sum(axis=1)).ravel() >= least)
    weights = np.concatenate([items.multiplicities, np.zeros(after.shape[0], dtype=np.int64)])[kept]
    change = csr_array(cells, shape=(touched.change.shape[0], every.shape[0]))[:, kept]
    return _profiles(every[kept], weights, labels), _ChangedAll(weights, change)


def _taken(ratings: Ratings, items: _Items) -> tuple[Array, Array, Array, Array]:
    """Return whose annotation is taken, from items of which profile, which label, and from how many: ordered by annotator."""
    count, number, labels = len(ratings.annotators), items.counts.shape[0], len(ratings.labels)
    profile, times = items.profile[ratings.profile], ratings.multiplicities[ratings.profile]
    space = count * number * labels
    if space > ROOM * len(profile):
        order = order_of(ratings.annotator, count)
        return ratings.annotator[order], profile[order], ratings.label[order], times[order]
    keys, times = added_up((ratings.annotator * number + profile) * labels + ratings.label, times, space)
    annotator, rest = np.divmod(keys, number * labels)
    return annotator, *np.divmod(rest, labels), times


def _left_out(ratings: Ratings, items: _Items) -> Iterator[_Touched]:
    """Change the weights of profiles as the absence of each annotator does, some annotators at a time."""
    from scipy.sparse import csr_array, hstack, vstack

    annotator, profile, label, times = _taken(ratings, items)
    count, labels = len(ratings.annotators), len(ratings.labels)
    bounds = np.concatenate([[0], np.cumsum(np.bincount(annotator, minlength=count))])
    width = np.diff(items.counts.indptr)
    load = np.concatenate([[0], np.cumsum(width[profile])])[bounds]
    number = items.counts.shape[0]
    # A block has room for its annotators times labels, and times profiles if these are few.
    most = max(1, LEFT_OUT_AT_ONCE // max(labels, min(number, LEFT_OUT_AT_ONCE // 100)))
    first = 0
    while first < count:
        last = int(np.searchsorted(load, load[first] + LEFT_OUT_AT_ONCE, side="right")) - 1
        last = min(max(last, first + 1), first + most, count)
        rows = slice(bounds[first], bounds[last])
        who, moved = annotator[rows] - first, times[rows]
        before, with_them = distinct(profile[rows], number)
        keys, without_them = distinct(with_them * labels + label[rows], len(before) * labels)
        ones = np.ones(len(keys), dtype=np.int64)
        fewer = items.counts[before[keys // labels]] - csr_array(
            (ones, (np.arange(len(keys)), keys % labels)), shape=(len(keys), labels)
        )
        parts = [(-moved, with_them, len(before)), (moved, without_them, len(keys))]
        change = [_summed(values, who * size + place, (last - first, size)) for values, place, size in parts]
        yield _Touched(before, csr_array(vstack([items.counts[before], fewer])), csr_array(hstack(change)))
        first = last


def _summed(values: Array, keys: Array, shape: tuple[int, int]) -> csr_array[Any, tuple[int, int]]:
    """Add up whole numbers by cell, a number that stands for row and column: sparse, in order. No sum may be 0."""
    from scipy.sparse import csr_array

    cells, sums = added_up(keys, values, shape[0] * shape[1])
    starts = np.searchsorted(cells, np.arange(shape[0] + 1) * shape[1])
    return csr_array((sums, cells % shape[1], starts), shape=shape)


def _items(ratings: Ratings) -> _Items:
    """Put items with equal label counts together if one whole number can tell them apart; else leave them as they are."""
    from scipy.sparse import csr_array

    kinds, labels, weights = len(ratings.multiplicities), len(ratings.labels), ratings.multiplicities
    cells = (np.ones(len(ratings.profile), dtype=np.int64), (ratings.profile, ratings.label))
    counts = csr_array(cells, shape=(kinds, labels))
    counts.sum_duplicates()
    base = int(counts.data.max(initial=0)) + 1
    if base**labels >= LARGEST:
        return _Items(counts, weights, np.arange(kinds))
    codes = counts @ np.array([base**place for place in range(labels)], dtype=np.int64)
    _, shown, profile = np.unique(codes, return_index=True, return_inverse=True)
    times = np.bincount(profile.ravel(), weights=weights, minlength=len(shown)).astype(np.int64)
    return _Items(csr_array(counts[shown]), times, profile.ravel())
