"""Which of two objects annotators prefer, or which of several is best and which worst."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from msgspec import field
from msgspec.structs import replace

from assent.data.dataset import Dataset
from assent.data.messages import Dropped
from assent.errors import DuplicateAnnotations, InputError, OptionError
from assent.profiles import Array, Profiles, Sums
from assent.records import Struct, cached_property
from assent.text import counted, shown

__all__ = ["BestWorst", "Preferences"]


def _placed(names: Iterable[object]) -> tuple[tuple[str, ...], Array]:
    """Return names in order, and which of them each is."""
    texts = [str(one) for one in names]
    order = sorted(set(texts))
    place = {name: at for at, name in enumerate(order)}
    return tuple(order), np.array([place[text] for text in texts], dtype=np.int64)


def _left(data: Any, names: Collection[str]) -> Array:
    """Return the rows of annotators other than these."""
    unknown = [name for name in names if name not in data.annotators]
    if unknown:
        raise OptionError(f"There is no annotator {shown(unknown[0])} to leave out.")
    kept = np.array([name not in names for name in data.annotators], dtype=bool)
    return np.asarray(kept[data.annotator_code])


class Preferences(Dataset, Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Who preferred which of two objects, on which item.

    The columns have a row for each vote. The two objects of a pair always stand in the same order, whatever seats they had.

    Parameters
    ----------
    topics, annotators, objects : tuple of str
        Names. A topic is what the objects were compared on, such as a prompt; without such a column there is one.
    topic_code, annotator_code : array (votes,) of integers
    first, second : array (votes,) of integers
        The two objects, the smaller code first.
    choice : array (votes,)
        1 if the first was preferred, -1 if the second, 0 for a tie.
    seat : array (votes,)
        1 if the first stood left, -1 if it stood right.
    layout : str
    roles : mapping of str to str
        Which column of the file was what.

    Examples
    --------
    >>> data = Preferences.from_rows([("ada", "x", "y", "x"), ("ben", "y", "x", "tie"), ("ada", "y", "z", "y")])
    >>> data.n_items, data.n_annotations, data.choice.tolist(), data.seat.tolist()
    (2, 3, [1, 0, 1], [1, -1, 1])
    """

    topics: tuple[str, ...]
    annotators: tuple[str, ...]
    objects: tuple[str, ...]
    topic_code: Array
    annotator_code: Array
    first: Array
    second: Array
    choice: Array
    seat: Array
    layout: str = "preferences"
    roles: Mapping[str, str] = field(default_factory=dict)
    unit: str = "items"
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    _nouns: ClassVar[tuple[str, str]] = ("pair", "vote")

    @classmethod
    def from_codes(
        cls, codes: Mapping[str, Array], names: Mapping[str, Sequence[str]], side: Array, **more: Any
    ) -> Preferences:
        """Turn every pair to the same orientation.

        Parameters
        ----------
        codes, names : mapping
            Under topic, annotator, left and right (codes), and topic, annotator and object (names).
        side : array (votes,)
            1 if the left object was preferred, -1 if the right one, 0 for a tie.
        """
        turned = codes["left"] > codes["right"]
        return cls(
            topics=tuple(names["topic"]),
            annotators=tuple(names["annotator"]),
            objects=tuple(names["object"]),
            topic_code=codes["topic"],
            annotator_code=codes["annotator"],
            first=np.where(turned, codes["right"], codes["left"]),
            second=np.where(turned, codes["left"], codes["right"]),
            choice=np.where(turned, -side, side),
            seat=np.where(turned, -1, 1),
            **more,
        )

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[object, ...]]) -> Preferences:
        """Take rows of annotator, left, right and winner (or "tie"), with a topic in front if there are several."""
        listed = [tuple(map(str, row)) for row in rows]
        if not listed:
            raise InputError("There is no preference: give at least one.")
        full = [row if len(row) == 5 else ("", *row) for row in listed]
        topic, annotator, left, right, winner = zip(*full, strict=True)
        objects, place = _placed([*left, *right])
        side = []
        for number, (one, other, won) in enumerate(zip(left, right, winner, strict=True), start=1):
            if one == other:
                raise InputError(f"Row {number} compares {shown(one)} with itself: leave it out.")
            if won not in (one, other, "tie"):
                raise InputError(f"Row {number}: the winner {shown(won)} is neither {shown(one)} nor {shown(other)}.")
            side.append(1 if won == one else -1 if won == other else 0)
        topics, topic_code = _placed(topic)
        annotators, annotator_code = _placed(annotator)
        codes = {
            "topic": topic_code,
            "annotator": annotator_code,
            "left": place[: len(left)],
            "right": place[len(left) :],
        }
        made = cls.from_codes(codes, {"topic": topics, "annotator": annotators, "object": objects}, np.array(side))
        again = made.repeated()
        if again is not None:
            raise DuplicateAnnotations(
                f"Row {again[1] + 1}: the same annotator compared the same two objects in the same seats in row {again[0] + 1}; leave one out."
            )
        return made

    @property
    def kinds(self) -> tuple[str, ...]:
        """Preferences."""
        return ("preferences",)

    @cached_property
    def pair_code(self) -> Array:
        """Which topic and pair of objects each vote is about: (votes,)."""
        n = len(self.objects)
        return np.asarray((self.topic_code * n + self.first) * n + self.second)

    @cached_property
    def verdicts(self) -> tuple[Array, Array, Array]:
        """What each annotator says of each pair on each topic: pair (counted from 0), annotator and choice.

        Who judged a pair in both seats and did not say the same has a tie.
        """
        pair = np.unique(self.pair_code, return_inverse=True)[1]
        m = len(self.annotators)
        keys, vote = np.unique(pair * m + self.annotator_code, return_inverse=True)
        sums = np.bincount(vote, self.choice, minlength=len(keys)) / np.bincount(vote, minlength=len(keys))
        return keys // m, keys % m, np.where(np.abs(sums) == 1, sums, 0.0)

    @cached_property
    def n_items(self) -> int:
        """Number of pairs of objects that were compared, on every topic."""
        return len(np.unique(self.pair_code))

    @property
    def n_annotations(self) -> int:  # type: ignore[override]
        """Number of votes."""
        return len(self.choice)

    @cached_property
    def n_swapped(self) -> int:
        """Number of pairs that an annotator judged in both seats."""
        return self.n_annotations - len(self.verdicts[0])

    def repeated(self) -> tuple[int, int] | None:
        """Return two votes of an annotator on the same pair in the same seats; None if there are none."""
        key = (self.pair_code * len(self.annotators) + self.annotator_code) * 2 + (self.seat > 0)
        order = np.argsort(key, kind="stable")
        again = np.flatnonzero(np.diff(key[order]) == 0)
        if not len(again):
            return None
        row = int(order[again + 1].min())
        return int(np.flatnonzero(key == key[row])[0]), row

    def profiles(self, form: type[Profiles], **options: Any) -> Sums:
        """Return the pairs by how many annotators prefer the first, the second, and neither."""
        distinct, place = self._votes
        return Sums(
            multiplicities=np.bincount(place),
            columns=("first", "second", "tie"),
            terms=distinct.astype(np.float64),
            annotators=distinct.sum(1),
        )

    @cached_property
    def _votes(self) -> tuple[Array, Array]:
        """Distinct counts of votes for the first, the second and neither, and which of them each pair has."""
        pair, _, choice = self.verdicts
        number = int(pair.max()) + 1
        votes = np.stack([np.bincount(pair[choice == one], minlength=number) for one in (1, -1, 0)], axis=1)
        distinct, place = np.unique(votes, axis=0, return_inverse=True)
        return distinct, place.ravel()

    @property
    def _matched_by_name(self) -> bool:
        """True: pairs and sets are known by their objects."""
        return True

    def _places(self, profiles: Profiles) -> Mapping[Hashable, int]:
        """Return where each pair of objects on a topic stands."""
        rest, second = np.divmod(np.unique(self.pair_code), len(self.objects))
        topic, first = np.divmod(rest, len(self.objects))
        names = zip(topic.tolist(), first.tolist(), second.tolist(), strict=True)
        return {
            (self.topics[t], frozenset((self.objects[a], self.objects[b]))): place
            for (t, a, b), place in zip(names, self._votes[1].tolist(), strict=True)
        }

    def without_annotators(self, names: Collection[str]) -> Self:
        """Return the votes of all other annotators."""
        rows = _left(self, names)
        columns = ("topic_code", "annotator_code", "first", "second", "choice", "seat")
        made: dict[str, Any] = {name: getattr(self, name)[rows] for name in columns}
        used, made["annotator_code"] = np.unique(made["annotator_code"], return_inverse=True)
        return replace(self, **made, annotators=tuple(self.annotators[i] for i in used))

    def wins(self) -> Array:
        """Return how often each object was preferred to each other one; half a time for a tie: (objects, objects)."""
        n = len(self.objects)
        share = (self.choice + 1) / 2
        table = np.zeros((n, n))
        np.add.at(table, (self.first, self.second), share)
        np.add.at(table, (self.second, self.first), 1 - share)
        return table

    def describe(self) -> str:
        """Say in one line what the data are."""
        who = counted(len(self.annotators), "annotator")
        return f"{counted(self.n_items, 'pair')} of {counted(len(self.objects), 'object')}, {who}, {counted(self.n_annotations, 'vote')}"

    def _nothing_to_compare(self) -> str:
        """Say why no two votes can be compared."""
        return (
            "No pair of objects was judged by two annotators, so there is nothing to compare: `assent annotators` says how consistent each is, and "
            "`assent items` how strong the objects are."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return what the data are as plain values."""
        return self._facts(objects=len(self.objects), labels=[])


class BestWorst(Dataset, Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Who called which of several objects the best and which the worst.

    Parameters
    ----------
    sets : tuple of tuple of int
        The objects of each set that was shown.
    annotators, objects : tuple of str
    set_code, annotator_code, best, worst : array (choices,) of integers
        The set, who chose, and the objects chosen.
    items : tuple of str
        The names of the sets, if they have some: the same objects may then be shown again.

    Examples
    --------
    >>> data = BestWorst.from_rows([("ada", "wxyz", "w", "z"), ("ben", "zyxw", "w", "y")])
    >>> data.n_items, data.scores().tolist()
    (1, [1.0, 0.0, -0.5, -0.5])
    """

    sets: tuple[tuple[int, ...], ...]
    annotators: tuple[str, ...]
    objects: tuple[str, ...]
    set_code: Array
    annotator_code: Array
    best: Array
    worst: Array
    items: tuple[str, ...] = ()
    layout: str = "best-worst"
    roles: Mapping[str, str] = field(default_factory=dict)
    unit: str = "items"
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    _nouns: ClassVar[tuple[str, str]] = ("set", "choice")

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[tuple[object, Iterable[object], object, object]],
        *,
        items: Sequence[object] | None = None,
        place: Any = lambda row: f"Row {row + 1}",
        **more: Any,
    ) -> BestWorst:
        """Take rows of annotator, objects shown, the best and the worst of them.

        Parameters
        ----------
        rows : iterable of tuple
        items : sequence, optional
            The name of the set of each row; without names, sets with the same objects are one.
        place : callable
            Says where a row stands.
        **more
            Other fields.
        """
        who, sets, chosen = [], [], []
        for row, (annotator, seen, best, worst) in enumerate(rows):
            names = [str(one) for one in seen]
            best, worst = str(best), str(worst)
            twice = next((one for one in names if names.count(one) > 1), None)
            if twice is not None:
                raise InputError(f"{place(row)}: {shown(twice)} is shown twice; every object of a set must be another.")
            if len(names) < 2:
                raise InputError(f"{place(row)} shows {counted(len(names), 'object')}; there must be two or more.")
            for role, one in (("best", best), ("worst", worst)):
                if one not in names:
                    raise InputError(f"{place(row)}: {shown(one)} is called the {role} but was not shown.")
            if best == worst:
                raise InputError(f"{place(row)}: {shown(best)} is called both the best and the worst.")
            who.append(str(annotator))
            sets.append(frozenset(names))
            chosen.append((best, worst))
        if not who:
            raise InputError("There is no choice: give at least one.")
        objects = tuple(sorted(set().union(*sets)))
        code = {name: at for at, name in enumerate(objects)}
        named = list(zip([""] * len(sets) if items is None else map(str, items), sets, strict=True))
        known = {one: at for at, one in enumerate(dict.fromkeys(named))}
        annotators, annotator_code = _placed(who)
        made = cls(
            sets=tuple(tuple(sorted(code[name] for name in one)) for _, one in known),
            items=() if items is None else tuple(item for item, _ in known),
            annotators=annotators,
            objects=objects,
            set_code=np.array([known[one] for one in named], dtype=np.int64),
            annotator_code=annotator_code,
            best=np.array([code[one] for one, _ in chosen], dtype=np.int64),
            worst=np.array([code[one] for _, one in chosen], dtype=np.int64),
            **more,
        )
        keys = list(zip(made.set_code.tolist(), made.annotator_code.tolist(), strict=True))
        before: dict[tuple[int, int], int] = {}
        for row, key in enumerate(keys):
            if before.setdefault(key, row) < row:
                what = "the same objects" if items is None else f"the same objects of {shown(items[row])}"
                remedy = "" if items is not None else ", or name the column that tells sets apart with `item`"
                raise DuplicateAnnotations(
                    f"{place(row)}: {shown(who[row])} judged {what} before, in {place(before[key])}; leave one out{remedy}."
                )
        return made

    @property
    def kinds(self) -> tuple[str, ...]:
        """Best-worst choices."""
        return ("best-worst",)

    @property
    def n_items(self) -> int:
        """Number of sets of objects."""
        return len(self.sets)

    @property
    def n_annotations(self) -> int:  # type: ignore[override]
        """Number of choices."""
        return len(self.best)

    @cached_property
    def appearances(self) -> Array:
        """How many sets show each object, and each set each object: (sets, objects)."""
        table = np.zeros((len(self.sets), len(self.objects)))
        for at, one in enumerate(self.sets):
            table[at, list(one)] = 1.0
        return table

    def scores(self, rows: Array | None = None) -> Array:
        """Return how often each object is the best less how often it is the worst, over how often it was shown; NaN if never."""
        rows = np.ones(len(self.best), dtype=bool) if rows is None else rows
        n = len(self.objects)
        seen = np.bincount(self.set_code[rows], minlength=len(self.sets)) @ self.appearances
        won = np.bincount(self.best[rows], minlength=n) - np.bincount(self.worst[rows], minlength=n)
        return np.where(seen > 0, won / np.maximum(seen, 1), np.nan)

    def profiles(self, form: type[Profiles], **options: Any) -> Sums:
        """Return the sets by how many pairs of annotators agree on the best and on the worst."""
        number = len(self.sets)
        size = np.bincount(self.set_code, minlength=number).astype(np.float64)
        agree = np.zeros(number)
        for chosen in (self.best, self.worst):
            keys, many = np.unique(self.set_code * len(self.objects) + chosen, return_counts=True)
            agree += np.bincount(keys // len(self.objects), many * (many - 1.0), minlength=number)
        pairs = size * (size - 1.0)
        share = np.where(pairs > 0, agree / np.maximum(2.0 * pairs, 1.0), 0.0)
        chance = np.array([1.0 / len(one) for one in self.sets])
        counts = (pairs > 0).astype(np.float64)
        return Sums(
            multiplicities=np.ones(number, dtype=np.int64),
            columns=("agree", "chance", "sets"),
            terms=np.stack([share, chance * counts, counts], axis=1),
            annotators=size,
        )

    @property
    def _matched_by_name(self) -> bool:
        """True: pairs and sets are known by their objects."""
        return True

    def _places(self, profiles: Profiles) -> Mapping[Hashable, int]:
        """Return where each set of objects stands."""
        names = self.items or ("",) * len(self.sets)
        return {
            (name, frozenset(self.objects[i] for i in one)): at
            for at, (name, one) in enumerate(zip(names, self.sets, strict=True))
        }

    def without_annotators(self, names: Collection[str]) -> Self:
        """Return the choices of all other annotators."""
        rows = _left(self, names)
        used, code = np.unique(self.annotator_code[rows], return_inverse=True)
        kept, sets = np.unique(self.set_code[rows], return_inverse=True)
        return replace(
            self,
            sets=tuple(self.sets[i] for i in kept),
            items=tuple(self.items[i] for i in kept) if self.items else (),
            annotators=tuple(self.annotators[i] for i in used),
            set_code=sets,
            annotator_code=code,
            best=self.best[rows],
            worst=self.worst[rows],
        )

    def describe(self) -> str:
        """Say in one line what the data are."""
        who = counted(len(self.annotators), "annotator")
        return f"{counted(self.n_items, 'set')} of {counted(len(self.objects), 'object')}, {who}, {counted(self.n_annotations, 'choice')}"

    def _nothing_to_compare(self) -> str:
        """Say why no two choices can be compared."""
        return "No set of objects was judged by two annotators, so there is nothing to compare: `assent items` has the scores of the objects."

    def to_dict(self) -> dict[str, Any]:
        """Return what the data are as plain values."""
        return self._facts(objects=len(self.objects), labels=[])
