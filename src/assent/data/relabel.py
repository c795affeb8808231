"""The same annotations in terms of other labels: in another order, merged, or as sets."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from assent.data.label_order import distinct_texts, in_order
from assent.errors import OptionError
from assent.label_sets import LabelSets
from assent.profiles import Array, Counts, distinct
from assent.text import shown

if TYPE_CHECKING:
    from assent.data.annotations import Annotations

__all__ = [
    "against_rest",
    "as_sets",
    "binarize",
    "made_of",
    "merged",
    "ordered",
    "regrouped",
    "without_ranks",
    "without_unused",
]


def regrouped(data: Annotations, grouping: Sequence[int], labels: tuple[str, ...], *, order_given: bool) -> Annotations:
    """Return the same annotations in terms of other labels.

    Parameters
    ----------
    grouping : sequence of int
        Which of the new labels each of the present ones is taken as.
    labels : tuple of str
        The new labels.
    order_given : bool
        Their order is the user's.
    """
    before = range(len(data.labels)) if data._grouping is None else data._grouping
    return replace(
        data,
        labels=labels,
        _order_given=order_given,
        _written=data._source_labels,
        _grouping=tuple(grouping[i] for i in before),
        _sets=None,
    )


def made_of(data: Annotations, names: Sequence[tuple[str, ...]], labels: Sequence[str], *, ranked: bool) -> Annotations:
    """Return the same annotations, each label a set of names; sets that are the same become one label.

    Parameters
    ----------
    names : sequence of tuple of str
        What each of its labels is made of.
    labels : sequence of str
        The single labels, in their order.
    ranked : bool
        The first name of a set is its primary label.
    """
    return _of_sets(data, LabelSets.of(names, labels, ranked=ranked))


def _of_sets(data: Annotations, made: LabelSets) -> Annotations:
    """Return the same annotations, each label a set of `made`; sets that are the same become one label."""
    sets, grouping = made.distinct()
    return replace(regrouped(data, grouping, sets.texts(), order_given=data._order_given), _sets=sets)


def as_sets(data: Annotations) -> Annotations:
    """Return the same annotations as sets of labels; see `Annotations.as_sets`."""
    if data._sets is not None:
        return data
    single = tuple((i,) for i in range(len(data.labels)))
    return replace(data, _sets=LabelSets(data.labels, single, ranked=True))


def without_ranks(data: Annotations) -> Annotations:
    """Return the same annotations without primary labels; see `Annotations.without_ranks`."""
    if data._sets is None or not data._sets.ranked:
        return data
    return _of_sets(data, data._sets.unranked())


def ordered(data: Annotations, order: Sequence[str]) -> Annotations:
    """Return the same annotations with the labels in a given order; see `Annotations.ordered`."""
    order = list(map(str, order))
    distinct_texts(order)
    absent = [label for label in data.single_labels if label not in set(order)]
    if absent:
        raise OptionError(
            f"`order` leaves out {', '.join(shown(label) for label in absent[:5])}: it must name every label in use."
        )
    if data._sets is not None:
        return replace(_of_sets(data, data._sets.taken_as(data._sets.labels, order)), _order_given=True)
    return regrouped(data, [order.index(label) for label in data.labels], tuple(order), order_given=True)


def merged(data: Annotations, groups: Mapping[str, str]) -> Annotations:
    """Return the same annotations with some labels taken as one; see `Annotations.merged`."""
    unknown = [label for label in groups if label not in set(data.single_labels)]
    if unknown:
        raise OptionError(f"There is no label {shown(unknown[0])} to merge.")
    named = [groups.get(label, label) for label in data.single_labels]
    labels = tuple(dict.fromkeys(named)) if data._order_given else in_order(set(named), data._decimal)
    if data._sets is not None:
        made = _of_sets(data, data._sets.taken_as(named, labels))
        return made if data._export is None else replace(made, _export=data._export.relabelled(groups))
    return regrouped(data, [labels.index(name) for name in named], labels, order_given=data._order_given)


def binarize(data: Annotations, label: str) -> Annotations:
    """Return the same annotations with a label against all others; see `Annotations._binarize`."""
    if label not in data.single_labels:
        raise OptionError(f"There is no label {shown(label)}.")
    if data._sets is not None:
        held = data._sets.membership[:, data._sets.labels.index(label)]
        return regrouped(data, [0 if one else 1 for one in held], (label, f"not {label}"), order_given=False)
    grouping = [0 if one == label else 1 for one in data.labels]
    return regrouped(data, grouping, (label, "any other label"), order_given=False)


def without_unused(data: Annotations, in_use: Collection[str]) -> Annotations:
    """Return the same annotations without labels that none of them has; `in_use` says which the source still holds."""
    given = range(len(data.labels)) if data._grouping is None else data._grouping
    used = {text: i for text, i in zip(data._source_labels, given, strict=True) if text in in_use}
    kept = sorted(set(used.values()))
    place = {i: k for k, i in enumerate(kept)}
    left = replace(
        data,
        labels=tuple(data.labels[i] for i in kept),
        _written=tuple(used),
        _grouping=tuple(place[i] for i in used.values()),
        _sets=None,
    )
    if data._sets is not None:
        some = replace(data._sets, members=tuple(data._sets.members[i] for i in kept))
        single = in_order({some.labels[i] for one in some.members for i in one}, data._decimal)
        return _of_sets(left, some.taken_as(some.labels, single))
    labels = in_order(left.labels, data._decimal)
    return regrouped(left, [labels.index(label) for label in left.labels], labels, order_given=False)


def against_rest(data: Annotations, labels: Array) -> Iterator[Annotations]:
    """Yield the same annotations with each of some labels against all others taken as one.

    An item is then two numbers, how often it has the label and how often any other: there are a few kinds of items, however many
    labels and items there are.
    """
    counts = data._counts
    given = counts.counts[:, labels]
    by_label = given if isinstance(given, np.ndarray) else given.tocsc()
    sizes, size = np.unique(counts.sizes.astype(np.int64), return_inverse=True)
    for place, label in enumerate(labels.tolist()):
        made = data._binarize(data.labels[label])
        # Clusters are told apart, which takes the long way.
        if counts.units is None:
            times = by_label[:, [place]]
            column = np.asarray(times if isinstance(times, np.ndarray) else times.toarray(), dtype=np.int64).ravel()
            kind = size.ravel() + len(sizes) * column
            kinds, kind = distinct(kind, int(kind.max()) + 1)
            items = np.bincount(kind, weights=counts.multiplicities).astype(np.int64)
            own, which = np.divmod(kinds, len(sizes))
            pairs = np.column_stack([own, sizes[which] - own])
            made.__dict__["_counts"] = Counts(counts=pairs, multiplicities=items, units=None, labels=made.labels)
        yield made
