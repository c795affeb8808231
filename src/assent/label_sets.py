"""Several labels per annotation: what a whole annotation is made of.

An annotation that holds several labels is, to profiles and engines, one label like any other: the whole set. What the sets
are made of is known here alone, so that nothing below has to know that there are sets.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from assent.errors import InputError, OptionError
from assent.records import Struct, cached_property
from assent.text import shown

__all__ = ["EMPTY", "JOINT", "LabelSets", "Parse", "json_cell", "split_cell"]

#: From the text of a whole annotation to its labels, in the order in which they stand there.
Parse: TypeAlias = Callable[[str], tuple[str, ...]]

#: How the empty set is written: "none of these", which is an annotation, not a missing one.
EMPTY = "[]"
#: What stands between labels in texts that are made, not read: no label can hold it.
JOINT = "\x1f"


class LabelSets(Struct, frozen=True, eq=False, dict=True):
    """Whole annotations and the single labels they are made of.

    Parameters
    ----------
    labels : tuple of str
        The single labels, in order.
    members : tuple of tuple of int
        For each whole annotation the positions of its labels: by rank if `ranked`, else ascending.
    ranked : bool
        The first label of an annotation is its primary one.
    """

    labels: tuple[str, ...]
    members: tuple[tuple[int, ...], ...]
    ranked: bool = False

    @classmethod
    def of(cls, names: Sequence[tuple[str, ...]], labels: Sequence[str], *, ranked: bool) -> LabelSets:
        """Take annotations as tuples of names of `labels`, some of which may be the same set."""
        place = {label: i for i, label in enumerate(labels)}
        members = [tuple(place[name] for name in one) for one in names]
        return cls(tuple(labels), tuple(members if ranked else map(_ascending, members)), ranked)

    def taken_as(self, names: Sequence[str], labels: Sequence[str]) -> LabelSets:
        """Return the same sets of other `labels`: `names` says which of these each label is taken as.

        Labels of one set that become the same are one label of it, at the rank of the first. A label that no set has need not be one of `labels`.
        """
        known = {label: i for i, label in enumerate(labels)}
        places = [known.get(name, -1) for name in names]
        members = self.members
        if places != list(range(len(labels))):
            taken = (tuple(dict.fromkeys([places[i] for i in one])) for one in members)
            members = tuple(taken if self.ranked else map(_ascending, taken))
        return LabelSets(tuple(labels), members, self.ranked)

    def unranked(self) -> LabelSets:
        """Return the same sets without primary labels."""
        return LabelSets(self.labels, tuple(map(_ascending, self.members)))

    def distinct(self) -> tuple[LabelSets, list[int]]:
        """Return each set once, in a fixed order, and which of these each of the present ones is."""
        # Sorted first: sets that stand in this order already, as they mostly do, take one look.
        members = list(dict.fromkeys(sorted(self.members)))
        place = {one: i for i, one in enumerate(members)}
        return LabelSets(self.labels, tuple(members), self.ranked), [place[one] for one in self.members]

    def names(self) -> list[tuple[str, ...]]:
        """Return the labels of each set by name."""
        return list(self._names)

    @cached_property
    def _names(self) -> list[tuple[str, ...]]:
        labels = self.labels
        return [tuple([labels[i] for i in one]) for one in self.members]

    def texts(self) -> tuple[str, ...]:
        """Return each set as a text of its own: labels joined by ``;``, or as JSON where a label could be mistaken."""
        plain = not any(";" in label or label == EMPTY or not label for label in self.labels)
        if plain:
            return tuple(";".join(one) if one else EMPTY for one in self.names())
        return tuple(json.dumps(list(one), ensure_ascii=False) for one in self.names())

    @cached_property
    def sizes(self) -> NDArray[Any]:
        """Labels of each set: (sets,)."""
        return np.array([len(one) for one in self.members], dtype=np.int64)

    @cached_property
    def membership(self) -> NDArray[Any]:
        """True where a set holds a label: (sets, labels)."""
        table = np.zeros((len(self.members), len(self.labels)), dtype=bool)
        rows = np.repeat(np.arange(len(self.members)), self.sizes)
        table[rows, [i for one in self.members for i in one]] = True
        return table

    @cached_property
    def bits(self) -> NDArray[Any]:
        """The same as bits of whole numbers, 64 labels in each: (sets, numbers)."""
        packed = np.packbits(self.membership, axis=1)
        room = np.zeros((len(packed), -(-max(1, packed.shape[1]) // 8) * 8), dtype=np.uint8)
        room[:, : packed.shape[1]] = packed
        return room.view(np.uint64)

    def common(self, one: NDArray[Any], two: NDArray[Any]) -> NDArray[Any]:
        """Count the labels that sets have in common, given by their positions: (comparisons,)."""
        return np.asarray(np.bitwise_count(self.bits[one] & self.bits[two]).sum(axis=1, dtype=np.float64))

    def weights(self, primary: float | None = None) -> NDArray[Any]:
        """Share each annotation out among its labels: (sets, labels + 1), the last column for the empty set.

        Parameters
        ----------
        primary : float, optional
            What the primary label gets, the others sharing the rest equally; all share equally if it is not given.
        """
        table = np.zeros((len(self.members), len(self.labels) + 1))
        for row, one in enumerate(self.members):
            if not one:
                table[row, -1] = 1.0
            elif primary is None or len(one) == 1:
                table[row, list(one)] = 1.0 / len(one)
            else:
                table[row, list(one)] = (1.0 - primary) / (len(one) - 1)
                table[row, one[0]] = primary
        return table


def _ascending(members: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(members))


def split_cell(separator: str, none: Iterable[str] = ()) -> Parse:
    """Return how to take apart cells such as ``A;B``; blanks around a label and a separator at the end do not count."""
    if not separator or separator.isspace():
        raise OptionError("`separator` must be what stands between the labels of a cell, such as ';'.")
    empty = {EMPTY, *none}

    def parse(text: str) -> tuple[str, ...]:
        if text in empty:
            return ()
        parts = [part.strip() for part in text.split(separator)]
        if len(parts) > 1 and not parts[-1]:
            parts.pop()
        if not all(parts):
            raise InputError(
                f"The cell {shown(text)} has nothing between two separators: write labels as in A{separator}B."
            )
        return checked(parts, text, empty)

    return parse


def json_cell(none: Iterable[str] = ()) -> Parse:
    """Return how to take apart cells that hold a JSON list; one that does not is a single label."""
    empty = {EMPTY, *none}

    def parse(text: str) -> tuple[str, ...]:
        if text in empty:
            return ()
        if not text.startswith(("[", "{")):
            return (text,)
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            raise InputError(f'The cell {shown(text)} is no JSON list of labels: write it as in ["A", "B"].') from None
        if not isinstance(found, list) or any(isinstance(one, list | dict) or one is None for one in found):
            raise InputError(f'The cell {shown(text)} must be a flat list of labels, as in ["A", "B"].')
        parts = [json.dumps(one) if isinstance(one, bool) else str(one) for one in found]
        return checked(parts, text, empty)

    return parse


def joined_cell(none: Iterable[str] = ()) -> Parse:
    """Return how to take apart texts that were joined here: by `JOINT`, nothing for the empty set."""
    empty = {*none}

    def parse(text: str) -> tuple[str, ...]:
        parts = text.split(JOINT) if text else []
        if not all(parts):
            raise InputError(
                f"{shown([part or None for part in parts])} holds a label that is missing: leave it out of the list."
            )
        return checked(parts, text.replace(JOINT, ";"), empty)

    return parse


def checked(parts: Sequence[str], text: str, none: set[str]) -> tuple[str, ...]:
    """Refuse a label that stands twice in one annotation, and "none of these" beside a label."""
    if len(set(parts)) < len(parts):
        twice = next(part for part in parts if parts.count(part) > 1)
        raise InputError(
            f"The label {shown(twice)} stands twice in {shown(text)}: an annotation holds a label once at most; "
            "if each place is that of another annotator, write one column for each."
        )
    beside = none.intersection(parts)
    if beside and len(parts) > 1:
        raise InputError(f"{shown(beside.pop())} means none of the labels, but stands beside others in {shown(text)}.")
    return () if beside else tuple(parts)
