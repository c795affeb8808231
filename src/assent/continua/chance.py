"""Continua made by chance, and how much disorder they have.

``shuffle``: in place of each annotator stands one drawn at random, whose units are all moved by the same distance round the continuum.
``statistical``: numbers of units, gaps and lengths are drawn from normal distributions with the means and deviations found, and labels
by their frequencies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from assent.continua.alignment import best_alignment
from assent.continua.candidates import Dissimilarity
from assent.continua.units import Units
from assent.limits import UNITS_AT_ONCE
from assent.profiles import Array
from assent.records import Struct

__all__ = ["Chance", "Drawn", "draw_disorder"]


class Chance(Struct, frozen=True, kw_only=True):
    """How continua are made by chance.

    Parameters
    ----------
    model : {"shuffle", "statistical"}
    samples, seed : int
        How many for each continuum.
    least : {"mean", "half", "none"}
        How far apart two moves of a shuffle must be at least, round the continuum and where there is room: the mean length of a unit, half of it, or nothing.
    """

    model: Literal["shuffle", "statistical"] = "shuffle"
    samples: int = 100
    seed: int = 0
    least: Literal["mean", "half", "none"] = "mean"


class Drawn(Struct, frozen=True, kw_only=True, eq=False):
    """What was found in samples of each continuum: (continua, samples) each; zeros where a continuum has no unit.

    Parameters
    ----------
    disorder : array
        Of the best alignment.
    apart, weight : array
        How often labels of aligned units differ, and what these pairs weigh.
    """

    disorder: Array
    apart: Array
    weight: Array

    def kept(self, continua: Array) -> Drawn:
        """Return what was found in these continua, in this order."""
        return Drawn(disorder=self.disorder[continua], apart=self.apart[continua], weight=self.weight[continua])


def draw_disorder(units: Units, low: Array, high: Array, unlike: Dissimilarity, chance: Chance) -> Drawn:
    """Align samples of each continuum.

    Parameters
    ----------
    low, high : array (continua,)
        The range over which units are moved.
    """
    made = Drawn(**{name: np.zeros((units.continua, chance.samples)) for name in ("disorder", "apart", "weight")})
    there = np.flatnonzero((units.numbers > 0) & (units.slots > 1))
    if not len(there):
        return made
    rng = np.random.default_rng(chance.seed)
    sources = _Sources(units)
    model: Callable[[], Callable[[Array], Units]] = (
        (lambda: _shuffled(sources, there, low, high, chance, rng))
        if chance.model == "shuffle"
        else (lambda: _statistical(sources, there, low, rng))
    )
    draw = model()
    step = max(1, UNITS_AT_ONCE // max(1, len(units)))
    for first in range(0, chance.samples, step):
        numbers = np.arange(first, min(first + step, chance.samples))
        found = best_alignment(draw(numbers), unlike)
        shape = (len(there), len(numbers))
        at = np.ix_(there, numbers)
        apart, weight = found.labels_apart()
        made.disorder[at] = found.disorder.reshape(shape)
        made.apart[at], made.weight[at] = apart.reshape(shape), weight.reshape(shape)
    return made


class _Sources:
    """Units in the order of continuum and annotator, and where those of each begin."""

    def __init__(self, units: Units) -> None:
        self.slots = units.slots
        self.first = np.cumsum(units.slots) - units.slots
        owner = self.first[units.continuum] + units.slot
        self.units = units.kept(np.lexsort((units.end, units.start, owner)))
        self.owner = np.sort(owner)
        self.counts = np.bincount(owner, minlength=int(units.slots.sum()))
        self.begins = np.cumsum(self.counts) - self.counts
        self.lengths = self.units.end - self.units.start


def _places(counts: Array) -> Array:
    """Return 0, 1, … for each of several runs of so many."""
    return np.asarray(np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts))


def _stratified(rng: np.random.Generator, continua: int, samples: int, columns: int) -> Array:
    """Return numbers from 0 to 1, one in each of as many parts as there are samples: (continua, columns, samples).

    A Latin hypercube: the mean over samples varies at most as much as that of independent draws, up to a factor of R / (R - 1).
    """
    order = rng.permuted(np.tile(np.arange(samples), (continua * columns, 1)), axis=1)
    within: Array = rng.random((continua, columns, samples))
    return np.asarray((order.reshape(continua, columns, samples) + within) / samples)


def _shuffled(
    sources: _Sources, there: Array, low: Array, high: Array, chance: Chance, rng: np.random.Generator
) -> Callable[[Array], Units]:
    """Return a function from numbers of samples to these."""
    units, slots = sources.units, sources.slots
    total = np.bincount(units.continuum, sources.lengths, minlength=units.continua)
    mean = total / np.maximum(units.numbers, 1)
    share = {"mean": 1.0, "half": 0.5, "none": 0.0}[chance.least]
    span = np.asarray(high - low, dtype=np.float64)
    # Each continuum, slot and sample: whose units stand there, and how far they are moved.
    rows = np.repeat(np.arange(len(there)), slots[there])
    slot = _places(slots[there])
    drawn = np.zeros((len(rows), chance.samples), dtype=np.int64)
    moved = np.zeros((len(rows), chance.samples))
    for number in np.unique(slots[there]):
        here = np.flatnonzero(slots[there] == number)
        continua = there[here]
        at = (np.flatnonzero(slots[there][rows] == number)).reshape(len(here), number)
        cuts = _stratified(rng, len(here), chance.samples, number + 1)
        drawn[at] = sources.first[continua][:, None, None] + _annotators(
            rng, cuts[:, 0], sources, continua, int(number)
        )
        moved[at] = _moves(cuts[:, 1:], span[continua], (share * mean)[continua])

    def draw(samples: Array) -> Units:
        wide = len(samples)
        source = drawn[:, samples].ravel()
        counts = sources.counts[source]
        unit = np.repeat(sources.begins[source], counts) + _places(counts)
        where = np.repeat(np.arange(len(source)), counts)
        row, sample = np.divmod(where, wide)
        document = there[rows[row]]
        by = np.floor(moved[:, samples]).ravel()[where]
        start = low[document] + np.mod(units.start[unit] - low[document] + by, span[document])
        return Units(
            continuum=rows[row] * wide + sample,
            slot=slot[row],
            start=start,
            end=start + sources.lengths[unit],
            label=units.label[unit],
            slots=np.repeat(slots[there], wide),
        )

    return draw


def _moves(cuts: Array, span: Array, least: Array) -> Array:
    """Draw how far each slot is moved, one after the other, at least so far from those before, round the continuum.

    Where there is no such place left, any will do.

    Parameters
    ----------
    cuts : array (continua, slots, samples)
        Uniform numbers.
    span, least : array (continua,)
    """
    whole, apart = span[:, None, None], least[:, None, None]
    moves = cuts * whole
    for slot in range(1, cuts.shape[1]):
        before = np.sort(moves[:, :slot], axis=1)
        after = np.concatenate([before[:, 1:], before[:, :1] + whole], axis=1)
        free = np.maximum(0.0, after - before - 2.0 * apart)
        until = np.cumsum(free, axis=1)
        total = until[:, -1:]
        wanted = cuts[:, slot : slot + 1] * total
        arc = np.minimum((until <= wanted).sum(axis=1, keepdims=True), slot - 1)
        begin, end, room = (np.take_along_axis(one, arc, axis=1) for one in (before, until, free))
        place = np.mod(begin + apart + wanted - (end - room), whole)
        moves[:, slot : slot + 1] = np.where(total > 0, place, moves[:, slot : slot + 1])
    return moves


def _annotators(rng: np.random.Generator, cuts: Array, sources: _Sources, continua: Array, number: int) -> Array:
    """Draw an annotator for each slot, all combinations about equally often: (continua, slots, samples).

    Combinations of annotators who all marked nothing are drawn anew: such a continuum has no disorder.
    """
    digits = number ** np.arange(number, dtype=np.float64)[None, :, None]
    whole = np.floor(cuts * float(number) ** number)[:, None, :]
    found = np.mod(np.floor(whole / digits), number).astype(np.int64)
    if number > 12:
        # Beyond what a float tells apart.
        found = rng.integers(0, number, found.shape)
    many = sources.counts[sources.first[continua][:, None] + np.arange(number)]
    while True:
        marked = np.take_along_axis(many[:, :, None], found, axis=1).sum(axis=1)
        empty, sample = np.nonzero(marked == 0)
        if not len(empty):
            return found
        found[empty, :, sample] = rng.integers(0, number, (len(empty), number))


def _statistical(sources: _Sources, there: Array, low: Array, rng: np.random.Generator) -> Callable[[Array], Units]:
    """Return a function from numbers of samples to these."""
    units, slots, continua = sources.units, sources.slots, sources.units.continua
    by = units.continuum
    annotators = np.repeat(np.arange(continua), slots)
    many = _normal(sources.counts.astype(np.float64), annotators, continua)
    long = _normal(sources.lengths, by, continua)
    # Gaps before a unit: from the one before, or from where the range begins, if not nothing.
    leads = np.diff(sources.owner, prepend=-1) > 0
    before = np.where(leads, low[by], np.roll(units.end, 1))
    counted = ~leads | (units.start > before)
    # One gap of nothing is added, so that there is one.
    gap = np.concatenate([(units.start - before)[counted], np.zeros(continua)])
    gaps = _normal(gap, np.concatenate([by[counted], np.arange(continua)]), continua)
    label = units.label[np.lexsort((units.label, by))]
    begins = np.cumsum(units.numbers) - units.numbers
    rows = np.repeat(there, slots[there])
    slot = _places(slots[there])

    def draw(samples: Array) -> Units:
        wide = len(samples)
        document = np.repeat(rows, wide)
        counts = np.abs(np.trunc(rng.normal(many[0][document], many[1][document]))).astype(np.int64)
        continuum = (np.repeat(np.arange(len(there)), slots[there])[:, None] * wide + np.arange(wide)).ravel()
        # The first annotator marks something, as in pygamma: a continuum without units has no disorder.
        counts = np.maximum(counts, np.repeat(slot, wide) == 0)
        where = np.repeat(np.arange(len(counts)), counts)
        owner = document[where]
        lengths = np.abs(rng.normal(long[0][owner], long[1][owner]))
        lengths = np.where(lengths > 1e-6 * long[0][owner], lengths, long[0][owner])
        ahead = rng.normal(gaps[0][owner], gaps[1][owner])
        ends = np.cumsum(ahead + lengths)
        first = np.cumsum(counts) - counts
        base = np.where(first > 0, np.concatenate([[0.0], ends])[first], 0.0)
        ends = ends - base[where]
        drawn = begins[owner] + rng.integers(0, units.numbers[owner])
        return Units(
            continuum=continuum[where],
            slot=np.repeat(slot, wide)[where],
            start=ends - lengths,
            end=ends,
            label=label[drawn],
            slots=np.repeat(slots[there], wide),
        )

    return draw


def _normal(values: Array, groups: Array, number: int) -> tuple[Array, Array]:
    """Return the mean and the standard deviation of each group."""
    count = np.maximum(np.bincount(groups, minlength=number), 1)
    mean = np.bincount(groups, values, minlength=number) / count
    spread = np.bincount(groups, (values - mean[groups]) ** 2, minlength=number) / count
    return mean, np.sqrt(spread)
