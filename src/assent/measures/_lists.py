"""What measures of rankings share: pairs of rankings of a list, gaps, and what a reader must know."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from assent.data.ranking_profiles import ListProfiles
from assent.errors import NothingToCompare, TooMany
from assent.limits import ANNOTATORS_COMPARED, NUMBERS_OF_PAIRS, RANKED_AT_ONCE
from assent.measures._orders import Compare, midranks
from assent.measures._preparation import PlainPreparation, Prepared, Weights, prepares
from assent.measures.components import Components, Pairs
from assent.profiles import Array
from assent.registry import Takes
from assent.text import counted

if TYPE_CHECKING:
    from assent.data.rankings import Rankings
    from assent.measures.registry import Measure

__all__ = ["Gaps", "Unit", "listwise", "over_pairs", "pair_values"]

Gaps = Annotated[
    Literal["pairwise", "listwise"],
    Takes(
        help="Objects that not everybody ranked: each pair of annotators is compared on those that both ranked (pairwise), or they are left "
        "out of the list (listwise)."
    ),
]
Unit = Annotated[
    Literal["auto", "annotator", "object"],
    Takes(
        help="What an interval leaves out in turn where there is one list: annotators, or objects; auto takes annotators if there are "
        "three or more."
    ),
]
#: Two annotators are compared on this many shared objects or more, unless the whole list has fewer.
FEWEST_SHARED = 3
#: A pair of rankings takes as much room as one of so many numbers, however short it is.
FEWEST_NUMBERS = 160
#: Measures that compare two rankings in a fifth of the time that the others take, so that more pairs are compared.
QUICK = ("mean-spearman", "mean-kendall")


def listwise(positions: Array) -> Array:
    """Take out objects that not every annotator ranked, and rank what is left."""
    gaps = np.isnan(positions)
    if not gaps.any():
        return positions
    return midranks(np.where(gaps.any(axis=1, keepdims=True), np.nan, positions))


def pair_values(positions: Array, compare: Compare, *, cells: int, fewest: int = FEWEST_SHARED) -> tuple[Array, Array]:
    """Compare every two rankings of each list.

    Parameters
    ----------
    positions : array (lists, rankings, objects)
    cells : int
        Numbers that one comparison holds.
    fewest : int
        Pairs that share fewer objects have no value.

    Returns
    -------
    values, shared : array (lists, pairs)
        NaN where a pair has no value; and how many objects both ranked.
    """
    lists, rankings, objects = positions.shape
    first, second = np.triu_indices(rankings, 1)
    values = np.full((lists, len(first)), np.nan)
    shared = np.zeros((lists, len(first)), dtype=np.int64)
    step = max(1, RANKED_AT_ONCE // max(1, len(first) * cells))
    # One list of many annotators is taken apart by pairs, many lists by lists.
    width = max(1, RANKED_AT_ONCE // cells)
    for start in range(0, lists, step):
        rows = slice(start, start + step)
        for left in range(0, len(first), width):
            some = slice(left, left + width)
            x, y = (positions[rows][:, one[some]] for one in (first, second))
            with np.errstate(divide="ignore", invalid="ignore"):
                made = compare(x.reshape(-1, objects), y.reshape(-1, objects))
            values[rows, some] = made.reshape(x.shape[:2])
            shared[rows, some] = (~(np.isnan(x) | np.isnan(y))).sum(-1)
    values[shared < min(fewest, objects)] = np.nan
    return values, shared


def over_pairs(
    items: ListProfiles,
    compare: Compare,
    key: Hashable,
    *,
    gaps: str = "pairwise",
    cells: int,
    fewest: int = FEWEST_SHARED,
    weighted: bool = True,
    expected: Array | float = 0.0,
    details: Mapping[str, float] | None = None,
    to_first: bool = False,
) -> Components:
    """Average a comparison of two rankings over the pairs of each list, and over lists.

    Parameters
    ----------
    key : hashable
        Of the comparison and its options.
    gaps : {"pairwise", "listwise"}
    cells, fewest : int
        As in `pair_values`.
    weighted : bool
        A pair counts by the objects that it shares, less one; else all count alike.
    expected : array (...,)
        What chance alone gives, to be shown beside.
    details : mapping, optional
        Numbers that belong to the value.
    to_first : bool
        All are compared with the first annotator alone.
    """
    compared = partial(_compared, compare=compare, gaps=gaps, cells=cells, fewest=fewest, weighted=weighted)
    if to_first:
        compared = partial(_to_first, compared)

    def known(positions: Array) -> tuple[Array, Array]:
        # The lists as they are are compared once, for their mean, for the pairs of annotators, and for what is left without each.
        at = next((at for at, block in enumerate(items.blocks) if block.positions is positions), None)
        if at is None:
            return compared(positions)
        found: tuple[Array, Array] = items.remembered((key, gaps, at), lambda: compared(positions))
        return found

    def of_lists(positions: Array) -> Array:
        values, weights = known(positions)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where(np.isnan(values), 0.0, values * weights).sum(-1) / weights.sum(-1))

    def without(groups: Sequence[Array]) -> Array:
        positions = items.blocks[0].positions
        return _without_each(*known(positions), positions.shape[1], groups)

    # Who is left out listwise takes objects that nobody else left out back in.
    apart = gaps == "pairwise" or not any(np.isnan(block.positions).any() for block in items.blocks)
    value = items.average(of_lists, (key, gaps), without=without if apart else None)
    pairs = items.remembered((key, gaps, "pairs"), lambda: _by_annotators(items, known))
    return Components(observed=value, expected=expected, coefficient=value, pairs=pairs, details=details or {})


def _without_each(values: Array, weights: Array, rankings: int, groups: Sequence[Array]) -> Array:
    """Return the mean of the pairs of the one list without those of each group of its annotators; NaN where no pair is left."""
    first, second = np.triu_indices(rankings, 1)
    number = len(groups)
    # Who is never left out has a number of their own.
    group = np.full(rankings, number)
    for at, members in enumerate(groups):
        group[members] = at
    first, second = group[first], group[second]
    left = []
    for terms in (np.where(np.isnan(values), 0.0, values * weights)[0], weights[0]):
        own = np.where(first == second, terms, 0.0)
        lost = sum(np.bincount(of, one, minlength=number + 1) for of, one in ((first, terms), (second, terms - own)))
        left.append(terms.sum() - np.asarray(lost)[:number])
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(left[1] > 0, left[0] / left[1], np.nan))


def _compared(
    positions: Array, *, compare: Compare, gaps: str, cells: int, fewest: int, weighted: bool
) -> tuple[Array, Array]:
    """Return values and weights of pairs; a pair without a value counts for nothing."""
    positions = listwise(positions) if gaps == "listwise" else positions
    values, shared = pair_values(positions, compare, cells=cells, fewest=fewest)
    weights = (shared - 1.0) if weighted else np.ones_like(values)
    return values, np.where(np.isnan(values), 0.0, weights)


def _to_first(compared: Any, positions: Array) -> tuple[Array, Array]:
    """Leave the pairs of the first ranking with the others: they come first."""
    values, weights = compared(positions)
    weights[:, positions.shape[1] - 1 :] = 0.0
    return values, weights


def _by_annotators(items: ListProfiles, compared: Any) -> Pairs | None:
    """Average over lists for every two annotators; None if there is one pair, or too many."""
    names = 1 + max(int(block.annotators.max()) for block in items.blocks)
    if not 2 < names <= ANNOTATORS_COMPARED:
        return None
    sums, weight, number = (np.zeros(names * names) for _ in range(3))
    for block in items.blocks:
        first, second = np.triu_indices(block.positions.shape[1], 1)
        values, weights = compared(block.positions)
        code = (block.annotators[:, first] * names + block.annotators[:, second]).ravel()
        for kept, terms in ((sums, np.nan_to_num(values) * weights), (weight, weights), (number, weights > 0)):
            kept += np.bincount(code, terms.ravel().astype(np.float64), minlength=names * names)
    met = np.flatnonzero(number)
    if not len(met):
        return None
    return Pairs(
        first=met // names,
        second=met % names,
        items=number[met],
        observed=sums[met] / weight[met],
        expected=np.zeros(len(met)),
    )


@prepares("rankings")
class _Rankings(PlainPreparation):
    """Rankings need no scale, but orders to compare."""

    def unsuitable(self, measure: Measure, data: Any, scale: str | None) -> str | None:
        return super().unsuitable(measure, data, scale) or self._too_many(measure, data)

    def _too_many(self, measure: Measure, data: Rankings) -> str | None:
        if not measure.pairwise:
            return None
        for block in data.blocks:
            _, rankings, objects = block.positions.shape
            most = NUMBERS_OF_PAIRS if measure.name in QUICK else NUMBERS_OF_PAIRS // 5
            if rankings * (rankings - 1) // 2 * max(objects**2, FEWEST_NUMBERS) > most:
                return (
                    f"{measure.name} compares every two annotators, and {rankings:,} ranked {counted(objects, 'object')} in one list, more than can be: use "
                    "kendall-w, or take a sample of the annotators."
                )
        return None

    def prepare(
        self,
        measure: Measure,
        data: Rankings,
        options: Mapping[str, Any],
        *,
        scale: str | None,
        weights: Weights,
        order: Sequence[str] | None,
    ) -> Prepared:
        too_many = None if scale is not None else self._too_many(measure, data)
        if too_many:
            raise TooMany(too_many)
        self.check(measure, data, scale=scale, weights=weights, order=order)
        truth = options.get("truth")
        data = data if truth is None else data.led_by(truth)
        items = data.profiles(ListProfiles, **options)
        assert isinstance(items, ListProfiles)
        if not items.pairable_items:
            raise NothingToCompare(data._nothing_to_compare())
        return Prepared(
            data=data,
            profiles=items,
            unit=items.unit,
            settings={"scale": None, "weights": "identity"},
            notes=lambda pair_values: _notes(measure, data, items, options),
            padded=self.padded(data, items),
            undefined=lambda: _undefined(data),
        )


def _notes(measure: Measure, data: Rankings, items: ListProfiles, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Say what a reader of the number must know."""
    notes = []
    single = data.n_items - items.pairable_items
    if single:
        notes.append(
            f"{counted(single, 'list has', 'lists have')} one ranking, which there is nothing to compare with."
        )
    if data.incomplete and "gaps" in options:
        how = (
            "every two annotators are compared on the objects that both ranked"
            if options["gaps"] == "pairwise"
            else "objects that somebody left out are left out for all"
        )
        notes.append(
            f"{counted(data.incomplete, 'ranking leaves', 'rankings leave')} out objects that others ranked: {how}."
        )
    if data.incomplete and "gaps" in options and measure.pairwise:
        few, pairs = np.sum([_sharing_few(block.positions, options["gaps"]) for block in data.blocks], axis=0)
        if few:
            notes.append(
                f"{few:,} of {counted(int(pairs), 'pair')} of rankings {'shares' if few == 1 else 'share'} fewer than three objects and "
                f"{'is' if few == 1 else 'are'} not compared."
            )
    flat = sum(_flat(block.positions) for block in data.blocks)
    # The overlap of what stands first, and the mean over all ways to break ties, need no order.
    if flat and measure.pairwise and "gaps" in options and options.get("ties") != "a":
        notes.append(
            f"{counted(flat, 'ranking ties', 'rankings tie')} all objects, so there is no order to compare: "
            f"{'it is' if flat == 1 else 'they are'} left out."
        )
    notes += [] if measure.remarks is None else measure.remarks(items, options)
    return tuple(notes)


def _sharing_few(positions: Array, gaps: str) -> tuple[int, int]:
    """Count pairs of rankings that share too few objects to be compared, and all pairs."""
    _, rankings, objects = positions.shape
    ranked = ~np.isnan(listwise(positions) if gaps == "listwise" else positions)
    shared = np.matmul(ranked.astype(np.float32), ranked.astype(np.float32).swapaxes(1, 2))
    first, second = np.triu_indices(rankings, 1)
    return int((shared[:, first, second] < min(FEWEST_SHARED, objects)).sum()), len(positions) * len(first)


def _flat(positions: Array) -> int:
    """Count rankings that tie all their objects, where there are several."""
    filled = (
        np.where(np.isnan(positions), -np.inf, positions).max(-1),
        np.where(np.isnan(positions), np.inf, positions).min(-1),
    )
    return int(((filled[0] == filled[1]) & ((~np.isnan(positions)).sum(-1) > 1)).sum())


def _undefined(data: Rankings) -> str:
    """Say why there is no value."""
    if all(_flat(block.positions) == block.positions.shape[0] * block.positions.shape[1] for block in data.blocks):
        return "Undefined: every annotator ties all objects, so nobody ranks anything."
    if max(block.positions.shape[2] for block in data.blocks) < 2:
        return "Undefined: no list has two objects, so there is no order."
    return "Undefined: no two annotators order enough of the same objects to be compared."
