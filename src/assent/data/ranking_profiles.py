"""Lists of ranked objects as measures see them: a number a list, or what becomes of it without an annotator or an object."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from msgspec import field
from msgspec.structs import replace

from assent.errors import OptionError, choose
from assent.inference.pseudo import PaddedProfiles
from assent.limits import GROUPS_LEFT_OUT
from assent.profiles import Array, Profiles

if TYPE_CHECKING:
    from assent.data.rankings import Block, Rankings

__all__ = ["UNITS", "ListProfiles", "ListStatistic", "WithoutEach", "midranks", "tied"]

#: What an interval draws anew: lists where there are several, else annotators or objects that are left out in turn.
UNITS = ("auto", "annotator", "object")
#: From positions (lists, rankings, objects) to a number for each list; NaN where it is undefined.
ListStatistic: TypeAlias = Callable[[Array], Array]
#: From groups of annotators to a number without each of them.
WithoutEach: TypeAlias = Callable[[Sequence[Array]], Array]


def tied(values: Array) -> tuple[Array, Array]:
    """Return the first and the last rank of the tie that each value is in, along the last axis; NaN stays NaN."""
    order = np.argsort(values, axis=-1)
    along = np.take_along_axis(values, order, -1)
    n = values.shape[-1]
    place = np.broadcast_to(np.arange(n), values.shape)
    new = np.concatenate([np.ones_like(along[..., :1], dtype=bool), along[..., 1:] != along[..., :-1]], axis=-1)
    end = np.concatenate([new[..., 1:], np.ones_like(new[..., :1])], axis=-1)
    first = np.maximum.accumulate(np.where(new, place, 0), axis=-1)
    last = np.minimum.accumulate(np.where(end, place, n)[..., ::-1], axis=-1)[..., ::-1]
    made = []
    for found in (first, last):
        back = np.empty(values.shape)
        np.put_along_axis(back, order, found + 1.0, -1)
        made.append(np.where(np.isnan(values), np.nan, back))
    return made[0], made[1]


def midranks(values: Array) -> Array:
    """Return ranks along the last axis, the mean rank where values are tied.

    Examples
    --------
    >>> midranks(np.array([[0.3, 0.1, 0.3, np.nan]]))
    array([[2.5, 1. , 2.5, nan]])
    """
    first, last = tied(values)
    return np.asarray((first + last) / 2.0)


class ListProfiles(Profiles, frozen=True, kw_only=True, eq=False):
    """Every list by itself; or, where there is one list, its annotators or its objects.

    One list shows how sure a number is only by what it becomes without one annotator, or without one object. Each of these then
    counts with its pseudo-value (the jackknife), so that nobody is ever compared with a copy of themselves.

    Parameters
    ----------
    unit : str
        items, annotators or objects.
    groups : tuple of array
        What is left out together, if the unit is not items.
    """

    blocks: tuple[Block, ...]
    unit: str
    groups: tuple[Array, ...] = ()
    _known: dict[Hashable, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Rankings, *, unit: str = "auto", keep_first: bool = False) -> ListProfiles:
        """Choose the units: lists if there are several, else annotators, or objects if there are two annotators.

        The first annotator is not left out if the others are compared with them (`keep_first`).
        """
        choose("unit", unit, UNITS)
        blocks = data.blocks
        several = data.n_items > 1
        if several and unit != "auto":
            raise OptionError(
                f"`unit` is {unit}, but there are {data.n_items:,} lists, which are what an interval draws anew: leave it out."
            )
        if several:
            return cls(multiplicities=np.ones(data.n_items, dtype=np.int64), blocks=blocks, unit="items")
        rankings, objects = blocks[0].positions.shape[1:]
        chosen = "annotators" if unit == "annotator" or (unit == "auto" and rankings > 2) else "objects"
        kept = int(keep_first and chosen == "annotators")
        number = (rankings if chosen == "annotators" else objects) - kept
        # Of a thousand objects groups are left out: as good, and a tenth of the work; of more, fewer, as each takes longer.
        most = int(np.clip(GROUPS_LEFT_OUT * 1_000_000 // max(objects, 1) ** 2, GROUPS_LEFT_OUT // 5, GROUPS_LEFT_OUT))
        shuffled = np.random.default_rng(0).permutation(number) if number > most else np.arange(number)
        groups = tuple(np.array_split(shuffled + kept, min(number, most)))
        return cls(multiplicities=np.ones(len(groups), dtype=np.int64), blocks=blocks, unit=chosen, groups=groups)

    def padded(self) -> PaddedProfiles | None:
        """Return the lists with one pseudo-list, half of which all rank alike and half of which half of them turn round; None for one list."""
        if self.unit != "items":
            return None
        from assent.data.rankings import Block

        shapes = np.concatenate([np.tile(block.positions.shape[1:], (len(block.lists), 1)) for block in self.blocks])
        rankings, objects = (max(2, int(np.median(one))) for one in shapes.T)
        order = np.arange(1.0, objects + 1.0)
        alike = np.tile(order, (rankings, 1))
        apart = np.where(np.arange(rankings)[:, None] < rankings // 2, order, order[::-1])
        pseudo = Block(
            lists=self.n_items + np.arange(2),
            annotators=np.tile(np.arange(rankings), (2, 1)),
            positions=np.stack([alike, apart]),
            objects=np.tile(np.arange(objects), (2, 1)),
        )
        half = np.full(2, 0.5)
        weights = np.concatenate([np.asarray(self.multiplicities, dtype=np.float64), half])
        made = replace(self, multiplicities=weights, blocks=(*self.blocks, pseudo), _known={})
        return PaddedProfiles(profiles=made, weights=weights, unit_weights=None, pseudo=half)

    @property
    def sizes(self) -> Array:
        """Rankings of each list; two where units are no lists: (profiles,)."""
        return super().sizes if self.unit != "items" else self._of_lists(lambda p: np.full(len(p), p.shape[1], float))

    @property
    def pairable_items(self) -> int:
        """Number of lists that two or more annotators ranked."""
        return sum(len(block.lists) for block in self.blocks if block.positions.shape[1] > 1)

    @property
    def n_items(self) -> int:
        """Number of lists."""
        return sum(len(block.lists) for block in self.blocks)

    @property
    def pairable_annotations(self) -> int:
        """Number of ranked objects in lists that two or more annotators ranked."""
        several = [block.positions for block in self.blocks if block.positions.shape[1] > 1]
        return sum(int(np.count_nonzero(~np.isnan(one))) for one in several)

    def _of_lists(self, statistic: ListStatistic) -> Array:
        """Return a number for each list, in the order of the lists."""
        made = np.empty(self.n_items)
        for block in self.blocks:
            made[block.lists] = statistic(block.positions)
        return made

    def remembered(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Work something out once for all replicates."""
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]

    def average(self, statistic: ListStatistic, key: Hashable, *, without: WithoutEach | None = None) -> Array:
        """Return the mean of a statistic over lists without those where it is undefined: (...,).

        Parameters
        ----------
        key : hashable
            Tells it from others, so that each is worked out once.
        without : callable, optional
            From groups of the annotators of the one list to the statistic without each of them, if there is a shorter way than to
            work it out anew.
        """
        values, counted = self.remembered(key, lambda: self._terms(statistic, without))
        return np.asarray(self.total(values) / self.total(counted))

    def _terms(self, statistic: ListStatistic, shorter: WithoutEach | None = None) -> tuple[Array, Array]:
        """Return what each unit adds above and below the line."""
        if self.unit == "items":
            values = self._of_lists(statistic)
            return np.nan_to_num(values), (~np.isnan(values)).astype(np.float64)
        positions = self.blocks[0].positions
        axis = 1 if self.unit == "annotators" else 2
        value = float(statistic(positions)[0])
        number = len(self.groups)
        if shorter is not None and axis == 1 and number > 1:
            without = shorter(self.groups)
        else:
            left = [np.delete(positions, group, axis=axis) for group in self.groups] if number > 1 else []
            without = np.array([float(statistic(one if axis == 1 else midranks(one))[0]) for one in left])
        if np.isnan(without).any() or number < 2:
            # Without one of them there is no value, so how much it varies is not known.
            self._known["fixed"] = True
            return np.full(number, value), np.ones(number)
        pseudo = number * value - (number - 1) * without
        # The mean of pseudo-values is the value with its bias taken away; what is quoted is the value itself.
        return value + pseudo - pseudo.mean(), np.ones(number)

    @property
    def pairable(self) -> Array:
        """1.0 where a unit says how much the value varies, else 0.0: (profiles,)."""
        if self.unit == "items":
            return (self.sizes >= 2).astype(np.float64)
        known = np.ones(len(self.groups))
        known[1:] = 0.0 if self._known.get("fixed") else 1.0
        return known
