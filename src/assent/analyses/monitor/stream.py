"""From annotations to a stream of items: an item enters when it has its second annotation, with 1 if the two agree, else 0."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import field

from assent.analyses.monitor.times import BadTime, in_order_of
from assent.data import Annotations
from assent.data.long_rows import LongRows
from assent.errors import InputError, NothingToCompare, UnsuitableData
from assent.profiles import Array
from assent.records import Struct
from assent.text import shown

__all__ = ["Stream", "by_document", "streamed"]


class Stream(Struct):
    """Items in the order in which they got their second annotation.

    It remembers the name of every item, which two annotated it first, and the first label of items that wait for a
    second one: what grows with the items, not with the annotations.
    """

    items: list[str] = field(default_factory=list)
    """Names of the items that have entered."""
    values: bytearray = field(default_factory=bytearray)
    """1 where the first two annotations agree, else 0."""
    first: array[int] = field(default_factory=lambda: array("q"))
    """Who annotated first, by position in `annotators`."""
    second: array[int] = field(default_factory=lambda: array("q"))
    moments: list[str | None] = field(default_factory=list)
    """When each item entered, as written; empty if nobody said."""
    annotators: dict[str, int] = field(default_factory=dict)
    """Names of the annotators and their positions, in the order in which they appeared."""
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often two labels were the first two of an item; the smaller label comes first."""
    labels: Counter[str] = field(default_factory=Counter)
    """How many annotations gave each label, further ones included."""
    further: int = 0
    """Annotations beyond the second of their item: they do not enter."""
    duplicates: int = 0
    """Annotations of an item by somebody who was one of its first two already: they are left out."""
    whole: Stream | None = None
    """The stream of single items, if these are documents."""
    means: Array | None = None
    """The mean of each document's items, if these are documents."""
    _waiting: dict[str, tuple[int, str]] = field(default_factory=dict)
    _entered: dict[str, int] = field(default_factory=dict)

    @property
    def waiting(self) -> int:
        """Items with one annotation."""
        return len(self._waiting)

    @property
    def n_annotations(self) -> int:
        """Annotations that were taken: the first two of each item, further ones, and those that wait for a second."""
        return 2 * len(self.items) + self.further + len(self._waiting)

    def add(self, item: str, annotator: str, label: str, moment: str | None = None) -> bool:
        """Take an annotation; return whether its item has entered by it.

        A second annotation of an item by the same annotator is no second opinion: it is counted and left out.
        """
        who = self.annotators.setdefault(annotator, len(self.annotators))
        place = self._entered.get(item)
        if place is not None:
            if who in (self.first[place], self.second[place]):
                self.duplicates += 1
            else:
                self.further += 1
                self.labels[label] += 1
            return False
        before = self._waiting.get(item)
        if before is None:
            self._waiting[item] = (who, label)
            self.labels[label] += 1
            return False
        earlier, said = before
        if earlier == who:
            self.duplicates += 1
            return False
        del self._waiting[item]
        self._entered[item] = len(self.items)
        self.items.append(item)
        self.values.append(said == label)
        self.first.append(earlier)
        self.second.append(who)
        self.moments.append(moment)
        self.labels[label] += 1
        self.pairs[min(said, label), max(said, label)] += 1
        return True

    def agreed(self, start: int = 0) -> Array:
        """Return the values from one place on: (items,) of 0 and 1."""
        return np.frombuffer(bytes(self.values[start:]), dtype=np.uint8)


def by_document(stream: Stream, document: Mapping[str, str]) -> Stream:
    """Return a stream of documents: each enters with its last item, with the mean of its items.

    Items of one document go together, so that documents are what is independent. Whether agreement drifts is watched on the first item of each, which
    agrees or not.

    Parameters
    ----------
    document : mapping of str to str
        Of each item.
    """
    places: dict[str, list[int]] = {}
    for place, item in enumerate(stream.items):
        places.setdefault(document[item], []).append(place)
    ordered = sorted(places.items(), key=lambda one: one[1][-1])
    values = stream.agreed()
    first = [own[0] for _, own in ordered]
    return Stream(
        items=[name for name, _ in ordered],
        values=bytearray(values[first].tobytes()),
        first=array("q", [stream.first[i] for i in first]),
        second=array("q", [stream.second[i] for i in first]),
        moments=[stream.moments[own[-1]] for _, own in ordered],
        annotators=stream.annotators,
        pairs=stream.pairs,
        labels=stream.labels,
        further=stream.further,
        duplicates=stream.duplicates,
        whole=stream,
        means=np.array([float(values[own].mean()) for _, own in ordered]),
        _waiting=stream._waiting,
    )


def streamed(data: Annotations, time: str | None = None) -> tuple[Stream, tuple[str, ...]]:
    """Let annotations pass by in the order of a time column, or of their table, and say what must be known of that order.

    Parameters
    ----------
    time : str, optional
        Name of a column that was kept when the table was read: ISO 8601 dates or times, or numbers. Equal times keep the order of the
        table.
    """
    if data.layout in ("counts", "table") or data.annotators is None:
        raise UnsuitableData(
            f"{'A confusion table' if data.layout == 'table' else 'A table of counts'} does not say in which order the items were annotated: "
            "give a table with one row for each annotation, or one row for each item."
        )
    data = data._without_ranks()
    listing = data.to_rows(*([] if time is None else [time]))
    order = _order(data, listing, time)
    notes = data._about_sets("Annotations hold several labels: two of them agree if they hold the same ones.")
    moments: Sequence[str | None] = [None] * len(order) if time is None else listing.columns[time]
    item, label = listing.item.tolist(), listing.label.tolist()
    annotator, annotators = np.asarray(listing.annotator).tolist(), data.annotators or ()
    stream = Stream()
    for i in order:
        stream.add(listing.items[item[i]], annotators[annotator[i]], listing.labels[label[i]], moments[i])
    if not stream.items:
        raise NothingToCompare(data._nothing_to_compare())
    return stream, tuple(notes)


def _order(data: Annotations, listing: LongRows, time: str | None) -> list[int]:
    """Return the annotations in the order in which they were made, as far as the table shows it."""
    if time is not None:
        try:
            return in_order_of(listing.columns[time])
        except BadTime as problem:
            item, annotator = listing.item[problem.place], np.asarray(listing.annotator)[problem.place]
            who = shown((data.annotators or ())[annotator])
            raise InputError(
                f"In the column {shown(time)} annotation {problem.place + 1:,} (item {shown(listing.items[item])}, annotator "
                f"{who}) {problem}."
            ) from None
    return list(range(len(listing.item)))
