"""Items of two data sets matched by name, each with who gave it which label."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assent.data import to_profiles
from assent.engines import Rows
from assent.errors import InputError
from assent.profiles import Array, Counts, Matrix, Profiles, Ratings, from_cells

if TYPE_CHECKING:
    from assent.data.annotations import Annotations

__all__ = ["listed_pairing"]


def listed_pairing(
    data: Annotations, other: Annotations, mine: Profiles, theirs: Profiles
) -> tuple[Array, Array, Array, Matrix | None]:
    """Match the items of two data sets, of which one at least is known by who gave which label; see `Annotations.pairing`.

    Every annotation of both is listed here; where label counts are enough, an engine adds them up instead.
    """
    (names, place, cluster), (other_names, other_place, other_cluster) = (
        _places(one, profiles) for one, profiles in ((data, mine), (other, theirs))
    )
    known = {name: at for at, name in enumerate(dict.fromkeys([*names, *other_names]))}
    first, second = np.full(len(known), -1, dtype=np.int64), np.full(len(known), -1, dtype=np.int64)
    here, there = (np.array([known[name] for name in some], dtype=np.int64) for some in (names, other_names))
    first[here], second[there] = place, other_place
    width = len(theirs.multiplicities) + 1
    joint, at = np.unique((first + 1) * width + second + 1, return_inverse=True)
    units: Matrix | None = None
    if cluster is not None and other_cluster is not None:
        of_item = np.empty(len(known), dtype=object)
        of_item[there], of_item[here] = other_cluster, cluster
        groups = {name: group for group, name in enumerate(dict.fromkeys(of_item.tolist()))}
        keys, items = np.unique(
            np.array([groups[one] for one in of_item]) * len(joint) + at.ravel(), return_counts=True
        )
        units = from_cells(*np.divmod(keys, len(joint)), items, (len(groups), len(joint)))
    return joint // width - 1, joint % width - 1, np.bincount(at.ravel(), minlength=len(joint)), units


def _places(data: Annotations, profiles: Profiles) -> tuple[list[str], Array, Array | None]:
    """Return the items by name, where the profile of each stands, and its cluster."""
    if not isinstance(data._source, Rows):
        raise InputError(
            "A table of counts or of two annotators does not name its items, so it cannot be paired: compare them unpaired."
        )
    names, item, annotator, label, cluster = data._source.listed_with_clusters(
        data._source_labels, data.annotators or ()
    )
    if isinstance(profiles, Ratings):
        own = to_profiles.own_ratings(data)
        wanted = _fingerprints(item, annotator * len(data._source_labels) + label, len(names))
        held = _fingerprints(own.profile, own.annotator * len(own.labels) + own.label, len(own.multiplicities))
        order = np.argsort(held[0], kind="stable")
        found = order[np.minimum(np.searchsorted(held[0][order], wanted[0]), len(order) - 1)]
        assert (held[1][found] == wanted[1]).all(), "an item has a profile that the data do not have"
        place = np.full(len(own.multiplicities), -1, dtype=np.int64)
        place[profiles.origin] = np.arange(len(profiles.origin))
        return names, place[found], cluster if cluster is None else _by_item(cluster, item)
    assert isinstance(profiles, Counts)
    keys, times = np.unique(item * len(data._source_labels) + label, return_counts=True)
    counts = from_cells(*np.divmod(keys, len(data._source_labels)), times, (len(names), len(data._source_labels)))
    place = to_profiles.places_among(profiles, to_profiles.regrouped_counts(counts, data))
    return names, place, cluster if cluster is None else _by_item(cluster, item)


def _by_item(cluster: Array, item: Array) -> Array:
    """Return the cluster of each item: that of its first row."""
    return np.asarray(cluster[np.unique(item, return_index=True)[1]])


def _fingerprints(group: Array, code: Array, groups: int) -> tuple[Array, Array]:
    """Return two sums of scrambled codes for each group: groups of the same codes, and no others, share both."""
    made = []
    for seed in (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03):
        sums = np.zeros(groups, dtype=np.uint64)
        np.add.at(sums, group, _scrambled(code.astype(np.uint64), np.uint64(seed)))
        made.append(sums)
    return made[0], made[1]


def _scrambled(code: Array, seed: np.uint64) -> Array:
    """Spread codes over all numbers of 64 bits (the finaliser of SplitMix64, Steele et al. 2014)."""
    with np.errstate(over="ignore"):
        mixed = (code + np.uint64(1)) * seed
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(mixed ^ (mixed >> np.uint64(31)))
