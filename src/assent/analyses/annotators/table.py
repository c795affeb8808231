"""Who labelled what, on the items where there is somebody to compare with.

Items to which the same annotators gave the same labels are one *kind* of items with a weight, how many they are. Every sum over items
is one over kinds, weighted; so five annotators and a hundred million items take as long as five annotators and a few thousand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
from msgspec.structs import replace

from assent.data import Annotations
from assent.data.long_rows import LongRows
from assent.limits import MEETINGS_AT_ONCE, MEETINGS_KEPT
from assent.profiles import Array, distinct, tabulated
from assent.records import Struct, cached_property

__all__ = ["LARGEST", "ROOM", "TOLERANCE", "AnnotatorTable", "Block", "added_up", "halved", "order_of", "rounded"]

#: The order in which items were added up shows below this, and must decide nothing: neither who comes first nor who is flagged.
TOLERANCE = 1e-12
#: numpy deals fewer items than this.
MOST_DEALT = 10**9
#: Fewer annotations than this are added up one by one as fast as if equal ones were put together first.
POOLED_FROM = 100_000
#: The label counts of an item are told apart by one whole number up to this.
LARGEST = 2**62
#: Equal annotations are put together if the kinds that there could be are at most so many times the annotations.
ROOM = 8


class Block(Struct, frozen=True, eq=False, dict=True):
    """Annotations of some annotators, each beside every label that its item was given.

    Parameters
    ----------
    first, last : int
        The annotators from `first` up to, not including, `last`.
    rows : array (rows,)
        Positions of their annotations, ordered by annotator.
    row, cell : array (meetings,)
        Which of `rows`, and which (item, label) cell of its item.
    """

    team: AnnotatorTable
    first: int
    last: int
    rows: Array
    row: Array
    cell: Array

    @cached_property
    def who(self) -> Array:
        """Annotator of each row, counted from `first`: (rows,)."""
        return self.team.annotator[self.rows] - self.first

    @cached_property
    def times(self) -> Array:
        """How many items each row is about: (rows,)."""
        return self.team.times[self.rows]

    @cached_property
    def own(self) -> Array:
        """True where the label is the annotation's own: (meetings,)."""
        return np.asarray(self.cell == self.team.cell[self.rows][self.row])

    @cached_property
    def own_at(self) -> Array:
        """Which meeting is that of an annotation with its own label: (rows,)."""
        return np.flatnonzero(self.own)

    @cached_property
    def size(self) -> Array:
        """Annotations of the item: (meetings,)."""
        return self.team.sizes[self.team.item[self.rows]][self.row]

    @cached_property
    def theirs(self) -> Array:
        """Share of the others on the item who gave the label: (meetings,)."""
        return np.asarray((self.team.cell_count[self.cell] - self.own) / (self.size - 1.0))

    @cached_property
    def keys(self) -> Array:
        """Annotator (counted from `first`) and label as one number: (meetings,)."""
        return np.asarray(self.who[self.row] * len(self.team.labels) + self.team.cell_label[self.cell])

    @cached_property
    def uses(self) -> tuple[Array, Array, Array]:
        """Annotators with labels: which of them a meeting is about, and the annotator (counted from `first`) and label of each.

        Returns
        -------
        use : array (meetings,); annotator, label : array (uses,)
        """
        labels = len(self.team.labels)
        found, use = distinct(self.keys, (self.last - self.first) * labels)
        return use, found // labels, found % labels


class AnnotatorTable(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Annotations of items that have two or more, as positions; every sum over them takes one pass.

    Parameters
    ----------
    item, annotator, label : array (annotations,)
        Of one item of each kind, ordered by annotator. Kinds are numbered from 0 without gaps; an annotator has one annotation
        of an item.
    times : array (annotations,) of integers
        How many items each annotation is about.
    cell : array (annotations,)
        Its (kind, label) cell; cells are ordered by kind, then label.
    cell_item, cell_label, cell_count : array (cells,)
        Kind and label of a cell, and how many annotations gave the label to an item of the kind.
    row : array (annotations,)
        Where each annotation stands in what they came from.
    given : array (annotators,)
        Annotations of each annotator, those of items that nobody else labelled among them.
    weight, sizes : array (kinds,) of integers
        How many items there are of each kind, and how many annotations one has.
    unit : array (kinds,) or None
        Cluster of each kind, if larger units than items were sampled: equal items of two clusters are two kinds.
    near : array (labels, labels) or None
        Agreement of every two labels, 1 on the diagonal; None if labels are the same or not.
    """

    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    item: Array
    annotator: Array
    label: Array
    times: Array
    cell: Array
    cell_item: Array
    cell_label: Array
    cell_count: Array
    row: Array
    given: Array
    weight: Array
    sizes: Array
    unit: Array | None = None
    near: Array | None = None

    @classmethod
    def of(cls, data: Annotations, near: Array | None = None) -> AnnotatorTable:
        """Take the profiles of who said what, which are counted where the data live; no annotation is listed."""
        return replace(cls._of(data), near=near)

    @classmethod
    def _of(cls, data: Annotations) -> AnnotatorTable:
        ratings = data._ratings
        names = (ratings.annotators, ratings.labels)
        if ratings.units is None:
            return cls._compared(*names, ratings.profile, ratings.annotator, ratings.label, ratings.multiplicities)
        from scipy.sparse import coo_array

        units = coo_array(ratings.units)
        unit, profile = units.coords
        sizes = ratings.sizes.astype(np.int64)
        first = np.cumsum(sizes) - sizes
        each = sizes[profile]
        place = np.repeat(first[profile] - (np.cumsum(each) - each), each) + np.arange(int(each.sum()))
        item = np.repeat(np.arange(len(profile)), each)
        weight = units.data.astype(np.int64)
        return cls._compared(*names, item, ratings.annotator[place], ratings.label[place], weight, unit)

    @classmethod
    def of_listing(cls, listing: LongRows, near: Array | None = None) -> AnnotatorTable:
        """Take the annotations of a listing in which no annotator has an item twice; every item is a kind of its own."""
        assert listing.annotators is not None, "a team has names"
        item, annotator, label = np.asarray(listing.item), np.asarray(listing.annotator), np.asarray(listing.label)
        ones = np.ones(len(listing.items), dtype=np.int64)
        return replace(cls._compared(listing.annotators, listing.labels, item, annotator, label, ones), near=near)

    @classmethod
    def _compared(
        cls,
        annotators: tuple[str, ...],
        labels: tuple[str, ...],
        item: Array,
        annotator: Array,
        label: Array,
        weight: Array,
        unit: Array | None = None,
    ) -> AnnotatorTable:
        """Keep the items with two or more annotations."""
        sizes = np.bincount(item, minlength=len(weight))
        several = sizes >= 2
        number = np.cumsum(several) - 1
        row = np.flatnonzero(several[item])
        row = row[order_of(annotator[row], len(annotators))]
        kind, times, weight = number[item[row]], weight[item], weight[several]
        cells, cell = distinct(kind * len(labels) + label[row], len(weight) * len(labels))
        return cls(
            annotators=annotators,
            labels=labels,
            item=kind,
            annotator=annotator[row],
            label=label[row],
            times=times[row],
            cell=cell,
            cell_item=cells // len(labels),
            cell_label=cells % len(labels),
            cell_count=np.bincount(cell, minlength=len(cells)),
            row=row,
            given=_counted(annotator, times, len(annotators)),
            weight=weight,
            sizes=sizes[several],
            unit=None if unit is None else unit[several],
        )

    def only(self, wanted: Array, weight: Array | None = None) -> AnnotatorTable:
        """Return the team of some annotators alone, on some of the items if that is asked for.

        Parameters
        ----------
        wanted : array (annotators,) of bool
            All keep their places; those who are not wanted have no annotations.
        weight : array (kinds,) of integers, optional
            How many items of each kind; all of them if not given.
        """
        weight = self.weight if weight is None else weight
        kept = np.flatnonzero(wanted[self.annotator] & (weight > 0)[self.item])
        parts = (self.item[kept], self.annotator[kept], self.label[kept], weight, self.unit)
        fewer = AnnotatorTable._compared(self.annotators, self.labels, *parts)
        return replace(fewer, row=self.row[kept[fewer.row]], near=self.near)

    @cached_property
    def pooled(self) -> AnnotatorTable:
        """The same for sums over annotations alone: what an annotator says of items with equal labels is one row for each label.

        Who else gave an item its labels is lost: nobody can be paired, and `row` is longer than the rest. It is the table itself if
        that is small, if clusters must be told apart, or if hardly any items could have equal labels.
        """
        people, labels, base = len(self.annotators), len(self.labels), int(self.sizes.max(initial=0)) + 1
        if len(self.item) < POOLED_FROM or self.unit is not None or base**labels >= LARGEST:
            return self
        # Label counts as the digits of a number.
        digits = np.array([base**place for place in range(labels)], dtype=np.int64)
        codes = np.add.reduceat(self.cell_count * digits[self.cell_label], self.start)
        found, kind = np.unique(codes, return_inverse=True)
        space = people * labels * len(found)
        if space > ROOM * len(self.item):
            return self
        rows = (self.annotator * labels + self.label) * len(found) + kind.ravel()[self.item]
        keys, times = added_up(rows, self.times, space)
        item, (annotator, label) = keys % len(found), np.divmod(keys // len(found), labels)
        counts = found[:, None] // digits % base
        cell_item, cell_label = np.nonzero(counts)
        number = np.zeros(counts.shape, dtype=np.int64)
        number[cell_item, cell_label] = np.arange(len(cell_item))
        return replace(
            self,
            item=item,
            annotator=annotator,
            label=label,
            times=times,
            cell=number[item, label],
            cell_item=cell_item,
            cell_label=cell_label,
            cell_count=counts[cell_item, cell_label],
            weight=_counted(kind.ravel(), self.weight, len(found)),
            sizes=counts.sum(axis=1),
        )

    @property
    def kinds(self) -> int:
        """Kinds of items with two or more annotations."""
        return len(self.weight)

    @cached_property
    def n_items(self) -> int:
        """Items with two or more annotations."""
        return int(self.weight.sum())

    @cached_property
    def shared(self) -> Array:
        """Items that each annotator shares with others: (annotators,)."""
        return _counted(self.annotator, self.times, len(self.annotators))

    @cached_property
    def width(self) -> Array:
        """Different labels of an item of each kind: (kinds,)."""
        return np.bincount(self.cell_item, minlength=self.kinds)

    @cached_property
    def start(self) -> Array:
        """First cell of each kind: (kinds,)."""
        return np.cumsum(self.width) - self.width

    @cached_property
    def cell_near(self) -> Array:
        """Annotations of the item that agree with a label; near labels count in part: (cells,)."""
        return self.cell_count.astype(np.float64) if self.near is None else self.summed(self.cell_count)

    def summed(self, values: Array) -> Array:
        """Sum values of an item's cells over its labels, each as far as it agrees with the label of a cell: (cells,)."""
        if self.near is None:
            return np.asarray(values, dtype=np.float64)
        first, second = self._cell_pairs
        weights = values[second] * self.near[self.cell_label[first], self.cell_label[second]]
        return np.bincount(first, weights=weights, minlength=len(self.cell_count))

    @cached_property
    def _cell_pairs(self) -> tuple[Array, Array]:
        """Every two cells of an item, a cell with itself included: (pairs,) each."""
        each = self.width[self.cell_item]
        begin = np.cumsum(each) - each
        second = np.repeat(self.start[self.cell_item] - begin, each) + np.arange(int(each.sum()))
        return np.repeat(np.arange(len(each)), each), second

    @cached_property
    def score(self) -> Array:
        """Share of the others on its item who agree with an annotation: (annotations,)."""
        return np.asarray((self.cell_near[self.cell] - 1.0) / (self.sizes[self.item] - 1.0))

    @cached_property
    def chance(self) -> float:
        """How far two labels drawn from all annotations agree."""
        times = np.bincount(self.label, weights=self.times, minlength=len(self.labels))
        share = np.asarray(times / max(1.0, float(times.sum())))
        return float(share @ share if self.near is None else share @ self.near @ share)

    @cached_property
    def bounds(self) -> Array:
        """Where each annotator's annotations begin, and the last one's end: (annotators + 1,)."""
        return np.concatenate([[0], np.cumsum(np.bincount(self.annotator, minlength=len(self.annotators)))])

    def blocks(self) -> Iterator[Block]:
        """Go through annotations, each beside every label of its item, some annotators at a time."""
        yield from self._kept or self.blocks_of(np.ones(len(self.item), dtype=bool))

    @cached_property
    def _kept(self) -> tuple[Block, ...]:
        """All blocks, kept for all who ask; none if there are too many."""
        if int(self.width[self.item].sum()) > MEETINGS_KEPT:
            return ()
        return tuple(self.blocks_of(np.ones(len(self.item), dtype=bool)))

    def blocks_of(self, chosen: Array) -> Iterator[Block]:
        """Do the same with some of the annotations.

        Parameters
        ----------
        chosen : array (annotations,) of bool
        """
        widths = np.where(chosen, self.width[self.item], 0)
        meetings = np.concatenate([[0], np.cumsum(widths)])[self.bounds]
        first = 0
        while first < len(self.annotators):
            last = int(np.searchsorted(meetings, meetings[first] + MEETINGS_AT_ONCE, side="right")) - 1
            last = min(max(last, first + 1), len(self.annotators))
            begin, end = self.bounds[first], self.bounds[last]
            rows = begin + np.flatnonzero(chosen[begin:end])
            yield Block(self, first, last, rows, *self.meetings(rows))
            first = last

    def meetings(self, rows: Array) -> tuple[Array, Array]:
        """Put annotations beside every label of their items: which of `rows`, and which cell: (meetings,) each."""
        each = self.width[self.item[rows]]
        begin = np.cumsum(each) - each
        cell = np.repeat(self.start[self.item[rows]] - begin, each) + np.arange(int(each.sum()))
        return np.repeat(np.arange(len(rows)), each), cell

    def sums(self, values: Array, rows: Array | None = None) -> Array:
        """Sum values of annotations (of `rows`, if given) over items, by annotator: (annotators,)."""
        who, times = (self.annotator, self.times) if rows is None else (self.annotator[rows], self.times[rows])
        return np.bincount(who, weights=values * times, minlength=len(self.annotators))

    def squares(self, values: Array, rows: Array | None = None) -> tuple[Array, Array]:
        """Sum the squares of values by annotator, those of a cluster summed first, and count what was squared.

        Returns
        -------
        squares, units : array (annotators,)
        """
        if self.unit is None:
            return self.sums(values**2, rows), self.sums(np.ones(len(values)), rows)
        who, item = (self.annotator, self.item) if rows is None else (self.annotator[rows], self.item[rows])
        units, count = int(self.unit.max()) + 1, len(self.annotators)
        keys, place = distinct(who * units + self.unit[item], count * units)
        together = np.bincount(place, weights=values * self.weight[item], minlength=len(keys))
        squares = np.bincount(keys // units, weights=together**2, minlength=count)
        return squares, np.bincount(keys // units, minlength=count).astype(np.float64)


def _counted(group: Array, times: Array, groups: int) -> Array:
    """Count items by annotator, or by another group: (groups,) of integers."""
    return np.bincount(group, weights=times, minlength=groups).astype(np.int64)


def added_up(keys: Array, values: Array, space: int) -> tuple[Array, Array]:
    """Return the distinct keys, in order, and the sum of the whole numbers that belong to each; no sum may be 0.

    Parameters
    ----------
    keys, values : array (values,) of integers
    space : int
        Keys are below this.
    """
    if len(keys) and (keys[1:] >= keys[:-1]).all():
        # Equal ones stand side by side.
        first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
        return keys[first], np.add.reduceat(values, first)
    if (values == 1).all():
        return np.unique(keys, return_counts=True)
    if tabulated(space, len(keys)):
        sums = np.bincount(keys, weights=values, minlength=space)
        found = np.flatnonzero(sums)
        return found, sums[found].astype(np.int64)
    found, place = distinct(keys, space)
    return found, _counted(place, values, len(found))


def halved(weight: Array, rng: np.random.Generator) -> Array:
    """Draw one half of all items, the larger one if they are odd: how many of each kind are in it: (kinds,).

    Every choice of half of the items is as likely as any other, as if they had been drawn one by one: what is drawn is
    how many of a kind are among them (multivariate hypergeometric). Of a thousand million items or more each one
    goes to either half with equal chances (binomial), which makes no difference there.

    Parameters
    ----------
    weight : array (kinds,) of integers
    """
    total = int(weight.sum())
    if total >= MOST_DEALT:
        return rng.binomial(weight, 0.5)
    # Items one by one, if they are hardly more than kinds; else kind by kind.
    method: Literal["count", "marginals"] = "count" if total <= 4 * len(weight) else "marginals"
    return weight - rng.multivariate_hypergeometric(weight, total // 2, method=method)


def rounded(values: Array) -> Array:
    """Return numbers to sort by: those that differ by a hair are the same."""
    return np.asarray(np.round(values, 12))


def order_of(group: Array, groups: int) -> Array:
    """Return an order that puts equal groups together and leaves the rest as it is: (rows,)."""
    # Numbers of 16 bits are sorted by counting.
    return np.argsort(group.astype(np.uint16) if groups <= 2**16 else group, kind="stable")
