"""Do two groups of annotations differ in agreement? By dealing the items, or who is who on each item, anew."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from assent.errors import InputError
from assent.inference.permutation import membership_p_value, swapping_p_value
from assent.measures.results import Agreement
from assent.profiles import Array, Counts, LabelProfiles, Matrix, Ratings, Weighting

__all__ = ["group_p_value"]

#: Ways to deal that are tried at most.
PERMUTATIONS = 999


def group_p_value(first: Agreement, second: Agreement, *, paired: bool, seed: int) -> float | None:
    """Return how likely two groups differ so much if they do not; None for measures or labels that cannot be dealt anew.

    Parameters
    ----------
    first, second : Agreement
        The same measure of either group.
    paired : bool
        Both groups annotated some of the same items.
    """
    one, two = first.profiles, second.profiles
    if not isinstance(one, LabelProfiles) or type(one) is not type(two) or one.labels != two.labels:
        return None
    joint = _joined(one, two)
    if joint is None:
        return None

    def statistic(weighting: Weighting) -> Array:
        return first.on_profiles(joint.weighted_by(weighting))

    number = len(one.multiplicities), len(two.multiplicities)
    if paired and isinstance(one, Counts):
        try:
            in_first, in_second, times, units = first.data._pairing(second.data, one, two)
        except InputError:
            return None
        mine, theirs = _places(in_first, 0, sum(number)), _places(in_second, number[0], sum(number))
        return swapping_p_value(statistic, mine, theirs, times, units, permutations=PERMUTATIONS, seed=seed)
    weights = [
        np.concatenate([one.multiplicities, np.zeros(number[1], dtype=np.int64)]),
        np.concatenate([np.zeros(number[0], dtype=np.int64), two.multiplicities]),
    ]
    return membership_p_value(statistic, weights[0], weights[1], _units(one, two), permutations=PERMUTATIONS, seed=seed)


def _joined(one: LabelProfiles, two: LabelProfiles) -> Counts | Ratings | None:
    """Put the profiles of two groups one below the other."""
    weights = np.concatenate([one.multiplicities, two.multiplicities])
    if isinstance(one, Counts) and isinstance(two, Counts):
        if isinstance(one.counts, np.ndarray) and isinstance(two.counts, np.ndarray):
            return Counts(counts=np.concatenate([one.counts, two.counts]), multiplicities=weights, labels=one.labels)
        from scipy.sparse import csr_array, vstack

        counts = csr_array(vstack([csr_array(one.counts), csr_array(two.counts)]))
        return Counts(counts=counts, multiplicities=weights, labels=one.labels)
    if isinstance(one, Ratings) and isinstance(two, Ratings) and one.sets == two.sets:
        names = tuple(dict.fromkeys([*one.annotators, *two.annotators]))
        place = np.array([names.index(name) for name in two.annotators], dtype=np.int64)
        own = np.array([names.index(name) for name in one.annotators], dtype=np.int64)
        return replace(
            one,
            profile=np.concatenate([one.profile, len(one.multiplicities) + two.profile]),
            annotator=np.concatenate([own[one.annotator], place[two.annotator]]),
            label=np.concatenate([one.label, two.label]),
            annotators=names,
            multiplicities=weights,
            origin=np.arange(len(weights)),
            units=None,
        )
    return None


def _places(index: Array, offset: int, width: int) -> Matrix:
    """Return 1 where a pair of profiles has a profile: (pairs, width)."""
    from scipy.sparse import csr_array

    rows = np.flatnonzero(index >= 0)
    return csr_array((np.ones(len(rows)), (rows, offset + index[rows])), shape=(len(index), width))


def _units(one: LabelProfiles, two: LabelProfiles) -> tuple[Matrix, Matrix] | None:
    """Return the units of either group over the profiles of both."""
    if one.units is None or two.units is None:
        return None
    from scipy.sparse import csr_array, hstack

    left, right = csr_array(one.units), csr_array(two.units)
    return (
        csr_array(hstack([left, csr_array((left.shape[0], right.shape[1]))])),
        csr_array(hstack([csr_array((right.shape[0], left.shape[1])), right])),
    )
