"""Tilted intervals (`assent.inference.etel`) of every annotator's agreement with the others, all annotators at once."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from msgspec.structs import replace

from assent.analyses.annotators.runs import Runs
from assent.analyses.annotators.table import AnnotatorTable
from assent.inference.pseudo import PseudoParts, pseudo_parts
from assent.measures.components import NO_ROOM
from assent.profiles import Array, Counts, distinct
from assent.records import Struct, cached_property

__all__ = ["Level", "tilted_intervals", "weighed"]

#: Labels, or pairs of labels, of the pseudo-item of one annotator.
LEAST_PARTS, MOST_PARTS = 2, 512
#: Parts of all annotators together, about; or as many as there are annotations.
PARTS_IN_ALL = 200_000
#: A spread of influences below this is what rounding left.
NO_SPREAD = 1e-13
#: Newton's method ends where its steps are as small a part of the tilt, or one step after they were `NEAR`: errors are squared by each
#: step, and what is left then is rounding, which goes on for ever.
CLOSE, NEAR, STEPS = 1e-12, 1e-6, 60
#: Units, and parts, that are weighed together.
UNITS_AT_ONCE = 100_000


class Level(Struct, frozen=True, kw_only=True, eq=False):
    """Agreement of each annotator with the others under some weights of items, and what an item adds to it.

    Parameters
    ----------
    items, observed, expected : array (annotators,)
    by_row : array (annotations,)
        What an annotation and its item's labels add to expected agreement; empty if nobody asked.
    by_part : array (annotators, parts)
        The same of the parts of a pseudo-item; empty if nobody asked.
    """

    items: Array
    observed: Array
    expected: Array
    by_row: Array
    by_part: Array

    @property
    def value(self) -> Array:
        """Observed agreement beyond expected: (annotators,)."""
        room = 1.0 - self.expected
        return np.asarray((self.observed - self.expected) / np.where(room < NO_ROOM, np.nan, room))

    def slopes(self, score: Array, by: Array, of: Array | slice, *, corrected: bool) -> Array:
        """Return what one more item does to observed agreement, or to the value if it is corrected for chance.

        Parameters
        ----------
        score, by : array
            Agreement of the annotation with the others, and what it adds to expected agreement.
        of : array or slice
            Whose it is.
        """
        apart = (score - self.observed[of]) / self.items[of]
        if not corrected:
            return np.asarray(apart)
        room = 1.0 - self.expected
        room = np.where(room < NO_ROOM, np.nan, room)[of]
        chance = (by - 2.0 * self.expected[of]) / self.items[of]
        return np.asarray(apart / room - (1.0 - self.observed[of]) * chance / room**2)


def weighed(
    team: AnnotatorTable,
    times: Array,
    parts: PseudoParts | None = None,
    of_parts: Array | None = None,
    *,
    singly: bool = True,
) -> Level:
    """Measure agreement where annotations count so often, and the parts of a pseudo-item as well.

    Parameters
    ----------
    times : array (annotations,)
    of_parts : array (annotators, parts), optional
        How much each part counts for each annotator.
    singly : bool
        Also say what each annotation, and each part, adds.
    """
    annotators, labels = len(team.annotators), len(team.labels)
    if parts is None or of_parts is None:
        none = np.empty(0, dtype=np.int64)
        parts = PseudoParts(own=none, other=none, alike=np.empty(0), weight=np.empty(0))
        of_parts = np.empty((annotators, 0))
    items, observed = _observed(team, times, parts, of_parts)
    expected = np.full(annotators, np.nan)
    by_row, by_part = (
        (np.zeros(len(team.item)), np.zeros(of_parts.shape)) if singly else (np.empty(0), np.empty((0, 0)))
    )
    for block in team.blocks():
        here, many = slice(block.first, block.last), block.last - block.first
        starts = np.arange(many)[:, None] * labels
        of_own, of_other = (starts + parts.own).ravel(), (starts + parts.other).ravel()
        keys, place = _used(np.concatenate([block.keys, of_own, of_other]), many * labels)
        use, own, other = np.split(place, [len(block.row), len(block.row) + len(of_own)])
        annotator, label = keys // labels, keys % labels
        each, weight = items[here][annotator], times[block.rows]
        share = of_parts[here].ravel()
        like = np.tile(parts.alike, many)
        # An annotation has its own label once, so that the rows are as many as the meetings that count here.
        mine = np.bincount(use[block.own_at], weights=weight, minlength=len(keys))
        others = np.bincount(use, weights=block.theirs * weight[block.row], minlength=len(keys))
        if len(own):
            mine += np.bincount(own, weights=share, minlength=len(keys))
            others += np.bincount(own, weights=share * like, minlength=len(keys))
            others += np.bincount(other, weights=share * (1.0 - like), minlength=len(keys))
        mine, others = mine / each, others / each
        # What one side says, each label with those that are near it.
        of_mine, of_others = (_nearby(team, side, annotator, label) for side in (mine, others))
        sums = np.bincount(annotator, weights=mine * of_others, minlength=many)
        expected[here] = np.where(team.shared[here] > 0, sums, np.nan)
        if singly:
            added = block.theirs * of_mine[use]
            added[block.own_at] += of_others[use[block.own_at]]
            by_row[block.rows] = np.bincount(block.row, weights=added, minlength=len(block.rows))
            by_part[here] = (of_others[own] + like * of_mine[own] + (1.0 - like) * of_mine[other]).reshape(many, -1)
    return Level(items=items, observed=observed, expected=expected, by_row=by_row, by_part=by_part)


def _observed(team: AnnotatorTable, times: Array, parts: PseudoParts, of_parts: Array) -> tuple[Array, Array]:
    """Return the weight of each annotator's items, and the mean agreement with the others on them: (annotators,) each."""
    annotators = len(team.annotators)
    items = np.bincount(team.annotator, weights=times, minlength=annotators) + of_parts.sum(axis=1)
    items = np.where(team.shared > 0, items, np.nan)
    scores = np.bincount(team.annotator, weights=times * team.score, minlength=annotators)
    return items, (scores + of_parts @ _score(team, parts)) / items


def _used(keys: Array, space: int) -> tuple[Array, Array]:
    """Return keys to sum by, all of those given among them, and which of them each key is; each is itself if they are few."""
    return (np.arange(space), keys) if 2 * space <= len(keys) else distinct(keys, space)


def _score(team: AnnotatorTable, parts: PseudoParts) -> Array:
    """Return how far the others agree with the annotator on each part: (parts,)."""
    apart = 0.0 if team.near is None else team.near[parts.own, parts.other]
    return np.asarray(parts.alike + (1.0 - parts.alike) * apart)


def _nearby(team: AnnotatorTable, shares: Array, annotator: Array, label: Array) -> Array:
    """Return for each annotator and label the shares of labels that agree with it, near ones in part: (uses,)."""
    if team.near is None:
        return shares
    order = np.argsort(annotator, kind="stable")
    bounds = np.flatnonzero(np.diff(annotator[order], prepend=-1, append=-1))
    found = np.empty(len(shares))
    for first, last in pairwise(bounds.tolist()):
        rows = order[first:last]
        found[rows] = team.near[np.ix_(label[rows], label[rows])] @ shares[rows]
    return found


def tilted_intervals(
    team: AnnotatorTable, quantile: Array, units: Array
) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Return the ends of the intervals of observed agreement, and of agreement beyond chance: (annotators,) each.

    Parameters
    ----------
    quantile : array (annotators,)
        Of the t distribution; NaN where there are too few units.
    units : array (annotators,)
        Items, or clusters, of each annotator.
    """
    if len(team.labels) < 2:
        # The pseudo-item disagrees, for which it takes two labels.
        team = replace(team, labels=(*team.labels, ""), near=None if team.near is None else np.eye(2))
    tilting = _Tilting(team, quantile, units)
    return tilting.ends(corrected=False), tilting.ends(corrected=True)


class _Tilting(Struct, frozen=True, eq=False, dict=True):
    """Annotations, and a pseudo-item of each annotator, that are weighed anew."""

    team: AnnotatorTable
    quantile: Array
    units: Array

    @cached_property
    def size(self) -> Array:
        """Items of a unit, on average: (annotators,)."""
        return np.asarray(self.team.shared / np.maximum(self.units, 1.0))

    @cached_property
    def parts(self) -> PseudoParts:
        """The parts of a pseudo-item."""
        from scipy.sparse import csr_array

        team = self.team
        cells = (team.cell_count.astype(np.float64), (team.cell_item, team.cell_label))
        counts = csr_array(cells, shape=(team.kinds, len(team.labels)))
        items = Counts(counts=counts, multiplicities=team.weight.astype(np.float64), labels=team.labels)
        unit = 1.0 if team.unit is None else team.n_items / len(np.unique(team.unit))
        room = max(PARTS_IN_ALL, len(team.row)) // (3 * len(team.annotators))
        return pseudo_parts(items, unit=unit, most=min(MOST_PARTS, max(LEAST_PARTS, room)))

    @cached_property
    def base(self) -> Level:
        """Agreement with the pseudo-item among the items."""
        return weighed(self.team, self.team.times.astype(np.float64), self.parts, self._of_parts(1.0))

    def _of_parts(self, factor: Array | float) -> Array:
        """Return how many items each part stands for, its weight times a factor: (annotators, parts)."""
        return np.asarray(self.size[:, None] * self.parts.weight * factor)

    def _units(self, corrected: bool) -> tuple[Array | slice, Array, Array]:
        """Return the unit of each annotation, and the annotator of each unit and how often it was drawn.

        Observed agreement hears of an annotation only how many of the others agree with it: those alike in this are one unit that was drawn
        several times.
        """
        team = self.team
        annotators = len(team.annotators)
        if team.unit is not None:
            clusters = int(team.unit.max()) + 1
            keys, place = distinct(team.annotator * clusters + team.unit[team.item], annotators * clusters)
            return place, keys // clusters, np.ones(len(keys))
        if corrected or team.near is not None:
            return slice(None), team.annotator, team.times.astype(np.float64)
        size = int(team.sizes.max()) + 1
        kinds, kind = distinct(team.cell_count[team.cell] * size + team.sizes[team.item], size**2)
        keys, place = distinct(team.annotator * len(kinds) + kind, annotators * len(kinds))
        return place, keys // len(kinds), np.bincount(place, weights=team.times)

    def ends(self, *, corrected: bool) -> tuple[Array, Array]:
        """Return observed agreement, or the value if it is corrected, at the two ends of the tilt: (annotators,) each; NaN where there is none."""
        team, base, parts = self.team, self.base, self.parts
        place, owner, drawn = self._units(corrected)
        slopes = base.slopes(team.score, base.by_row, team.annotator, corrected=corrected)
        if not isinstance(place, slice):
            # What the annotations of a cluster do together, or what each of those alike does.
            slopes = np.bincount(place, weights=slopes * team.times, minlength=len(owner)) / drawn
        each = np.arange(len(team.annotators))[:, None]
        of_parts = base.slopes(_score(team, parts), base.by_part, each, corrected=corrected) * self.size[:, None]
        total = np.bincount(owner, weights=drawn, minlength=len(team.annotators)) + 1.0
        tilt = _Tilt(owner, drawn / total[owner], slopes, parts.weight / total[:, None], of_parts)
        enough = self.quantile**2 / (2.0 * total)
        found = []
        for sign in (-1.0, 1.0):
            rows, other = tilt.factors(sign, np.where(np.isfinite(tilt.spread * enough), enough, np.nan), total)
            times, other = team.times * rows[place], self._of_parts(other)
            value = (
                weighed(team, times, parts, other, singly=False).value
                if corrected
                else _observed(team, times, parts, other)[1]
            )
            found.append(np.where(np.isfinite(enough), value, np.nan))
        return np.fmin(*found), np.fmax(*found)


class _Tilt:
    """Influences of units, and of parts of a pseudo-unit, centred and standardised for each annotator.

    Units are ordered by their owner.
    """

    def __init__(self, owner: Array, share: Array, slopes: Array, part_share: Array, part_slopes: Array) -> None:
        self.owner, self.share, self.part_share = owner, share, part_share
        self.runs = Runs.of(owner, len(part_share))
        mean = self._sum(share * slopes, part_share * part_slopes)
        rows, parts = slopes - self.runs.each(mean), part_slopes - mean[:, None]
        self.spread = np.sqrt(self._sum(share * rows**2, part_share * parts**2))
        scale = np.where(self.spread > 0, self.spread, np.nan)
        self.rows, self.parts = rows / self.runs.each(scale), parts / scale[:, None]

    def _sum(self, rows: Array, parts: Array) -> Array:
        return np.asarray(self.runs.added(rows) + parts.sum(axis=1))

    @cached_property
    def _pieces(self) -> list[tuple[slice, slice, Runs]]:
        """Annotators and their units, some at a time: numbers stay near the processor."""
        first = np.searchsorted(self.owner, np.arange(len(self.spread) + 1))
        sizes = first + np.arange(len(first)) * self.parts.shape[1]
        edges = np.unique(np.searchsorted(sizes, np.arange(0, sizes[-1] + UNITS_AT_ONCE, UNITS_AT_ONCE)))
        edges = np.minimum(edges, len(self.spread)).tolist()
        pieces = [(slice(low, high), slice(int(first[low]), int(first[high]))) for low, high in pairwise(edges)]
        return [(who, mine, Runs.of(self.owner[mine] - who.start, who.stop - who.start)) for who, mine in pieces]

    def factors(self, sign: float, enough: Array, total: Array) -> tuple[Array, Array]:
        """Return how many times as much each unit, and each part, counts where the deviance is what it may be."""
        rows, parts = sign * self.rows, sign * self.parts
        top = np.maximum(parts.max(axis=1), self.runs.largest(rows))
        known = np.isfinite(enough) & np.isfinite(top) & (self.spread * total >= NO_SPREAD)
        rows, parts = np.where(self.runs.each(known), rows, 0.0), np.where(known[:, None], parts, 0.0)
        top, enough = np.where(known, top, 0.0), np.where(known, enough, 0.0)

        # Counted from the largest influence, the exponents are 0 at most: none overflows.
        rows, parts = rows - self.runs.each(top), parts - top[:, None]
        of_units, of_parts = np.empty(len(rows)), np.empty(parts.shape)

        def sums_at(tilt: Array) -> tuple[Array, Array]:
            sums, slopes = np.empty(len(tilt)), np.empty(len(tilt))
            for who, mine, runs in self._pieces:
                units = np.exp(runs.each(tilt[who]) * rows[mine], out=of_units[mine]) * self.share[mine]
                each = np.exp(tilt[who, None] * parts[who], out=of_parts[who]) * self.part_share[who]
                sums[who] = runs.added(units) + each.sum(axis=1)
                slopes[who] = runs.added(units * rows[mine]) + (each * parts[who]).sum(axis=1)
            return sums, top + slopes / sums

        # The log of the mean of exp(tilt * influence) is convex: from beyond the solution Newton's steps come down to it.
        tilt = np.where(known, np.minimum(np.sqrt(2.0 * enough), 1.0 / np.where(known, top, 1.0)), 0.0)
        while True:
            sums, slope = sums_at(tilt)
            short = known & (tilt * top + np.log(sums) < enough)
            if not short.any():
                break
            tilt = np.where(short, 1.5 * tilt, tilt)
        near = ~known
        for _ in range(STEPS):
            step = np.where(known, (tilt * top + np.log(sums) - enough) / np.where(known, slope, 1.0), 0.0)
            tilt = tilt - step
            sums, slope = sums_at(tilt)
            if (near | (np.abs(step) <= CLOSE * tilt)).all():
                break
            near |= np.abs(step) <= NEAR * tilt
        return of_units / self.runs.each(sums), of_parts / sums[:, None]
