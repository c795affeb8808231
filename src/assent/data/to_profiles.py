"""From annotations to the profiles of their items, of one data set or of two together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from assent.engines import Rows
from assent.errors import InputError, UnsuitableData
from assent.profiles import Array, Counts, Matrix, Profiles, Ratings, distinct_rows, regrouped_columns

if TYPE_CHECKING:
    from assent.data.annotations import Annotations

__all__ = ["counts", "own_counts", "own_ratings", "pairing", "places_among", "ratings", "regrouped_counts"]


def counts(data: Annotations) -> Counts:
    """Return items by how many annotations gave them each label."""
    own = own_counts(data)
    return own if data._grouping is None else own.regrouped(data._grouping, data.labels)


def ratings(data: Annotations) -> Ratings:
    """Return items by who gave them which label."""
    own = own_ratings(data)
    named = own if data._grouping is None else own.regrouped(data._grouping, data.labels)
    return named if data._sets is None else replace(named, sets=data._sets)


def own_counts(data: Annotations) -> Counts:
    """Return label counts in terms of the source's own labels: collapsed once for all orders and groupings of them."""
    kept = data._source.collapsed
    if "counts" not in kept:
        labels = data._source_labels
        if "ratings" in kept:
            # Whoever knows who gave which label knows how many did.
            kept["counts"] = kept["ratings"].counted()
        else:
            table, multiplicities, units = data._source.count_profiles(labels)
            kept["counts"] = Counts(counts=table, multiplicities=multiplicities, units=units, labels=labels)
    found: Counts = kept["counts"]
    return found


def own_ratings(data: Annotations) -> Ratings:
    """Return who gave which label, in terms of the source's own labels."""
    kept = data._source.collapsed
    if "ratings" not in kept:
        if data.annotators is None:
            raise UnsuitableData(
                "The table says how many annotators gave each label, not who: use a measure that does not ask who, "
                "such as fleiss-kappa, krippendorff-alpha or gwet-ac."
            )
        labels = data._source_labels
        profile, annotator, label, multiplicities, units = data._source.rating_profiles(labels, data.annotators)
        kept["ratings"] = Ratings(
            profile=profile,
            annotator=annotator,
            label=label,
            multiplicities=multiplicities,
            units=units,
            labels=labels,
            annotators=data.annotators,
            origin=np.arange(len(multiplicities)),
        )
    found: Ratings = kept["ratings"]
    return found


def regrouped_counts(table: Matrix, data: Annotations) -> Matrix:
    """Return counts of the source's own labels in terms of the labels of `data`."""
    return table if data._grouping is None else regrouped_columns(table, data._grouping, len(data.labels))


def places_among(profiles: Profiles, rows: Matrix) -> Array:
    """Find rows of counts, or all ratings in their order, among profiles; -1 for one that is not there."""
    if isinstance(profiles, Ratings):
        found = np.full(rows.shape[0], -1, dtype=np.int64)
        found[profiles.origin] = np.arange(len(profiles.origin))
        return found
    assert isinstance(profiles, Counts)
    known = profiles.counts
    if isinstance(known, np.ndarray) and isinstance(rows, np.ndarray):
        stacked: Matrix = np.vstack([known, rows])
    else:
        from scipy.sparse import csr_array, vstack

        stacked = vstack([csr_array(known), csr_array(rows)]).tocsr()
    kinds, kind = distinct_rows(stacked)
    place = np.full(kinds.shape[0], -1, dtype=np.int64)
    place[kind[: known.shape[0]]] = np.arange(known.shape[0])
    return place[kind[known.shape[0] :]]


def pairing(
    data: Annotations, other: Annotations, mine: Profiles, theirs: Profiles
) -> tuple[Array, Array, Array, Matrix | None]:
    """Match the items of two data sets by name; see `Annotations.pairing`."""
    units: Matrix | None = None
    who_said_what = isinstance(mine, Ratings) or isinstance(theirs, Ratings)
    if data._source is other._source:
        own = own_ratings(data) if who_said_what else own_counts(data)
        here, there = (regrouped_counts(own.counts, one) for one in (data, other))
        items, units = own.multiplicities, own.units
    elif who_said_what:
        from assent.data.item_pairing import listed_pairing

        return listed_pairing(data, other, mine, theirs)
    elif isinstance(data._source, Rows) and isinstance(other._source, Rows):
        here, there, items, units = data._source.pairing(other._source, data._source_labels, other._source_labels)
        here, there = regrouped_counts(here, data), regrouped_counts(there, other)
    else:
        raise InputError(
            "A table of counts does not name its items, so two of them cannot be paired: compare them unpaired."
        )
    return places_among(mine, here), places_among(theirs, there), items, units
