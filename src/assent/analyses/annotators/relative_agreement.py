"""Whether an annotator agrees less with the others than the others agree among themselves.

Items differ in how hard they are, so annotators are compared on the same items. On an item with three or more annotations,
an annotator's *relative* is the share of the others who agree with them, less the share of the pairs of others who agree with
each other. If all annotators were alike, the annotator's label would be any one of the item's labels with equal chances,
whatever the labels are; so the mean of the relative is 0 and its whole distribution is known, item by item. Nothing has to be
estimated, and no item is too hard to be fair.

On an item with two annotations both agree or both do not, and the item alone cannot say who is to blame. There the partner's
agreement with third annotators, on other items with two annotations, takes the place of the pairs of others. That is fair if
the items were dealt out without regard to how hard they are.
"""

from __future__ import annotations

import math

import numpy as np

from assent.analyses.annotators.saddlepoint import Cumulants, lower_tail
from assent.analyses.annotators.table import TOLERANCE, AnnotatorTable, Block
from assent.limits import DENSE_ANNOTATORS
from assent.profiles import Array
from assent.records import Struct

__all__ = ["RelativeAgreement", "beyond", "relative_agreement", "residuals", "seat_values", "widened"]

#: A partner is a yardstick if it shares at least so many items, two annotations each, with third annotators.
LEAST_ELSEWHERE = 5
#: Annotators less far below the others than so many standard deviations are no suspects; the normal approximation will do.
SUSPECT = -0.5
#: With fewer clusters than this an annotator says nothing about how much clusters matter.
LEAST_CLUSTERS = 5
#: So near to the next step a sum is on it, but for rounding.
STEP_TOLERANCE = 1e-6
#: Steps of sums are counted in whole numbers up to this.
LARGEST = 2**60
#: Agreement of labels that is a fraction with a larger denominator has no steps.
MOST_PARTS = 1000


class RelativeAgreement(Struct, frozen=True, kw_only=True, eq=False):
    """How annotators stand to the others.

    Parameters
    ----------
    residual : array (annotations,)
        What an annotation adds: agreement with the others less agreement among them; NaN where there is no yardstick.
    items, by_partner : array (annotators,) of integers
        Items an annotator is judged by, and those of them where the yardstick is the partner's agreement elsewhere.
    own, others, difference : array (annotators,)
        Mean agreement with the others on these items, what the others reach, and how far it is below (negative) or above.
    p_value : array (annotators,)
        How often an annotator like all others would be this far below; NaN where there is no item to judge by.
    inflation : float
        How many times as much sums vary because the items of a cluster go together; 1 without clusters.
    """

    residual: Array
    items: Array
    by_partner: Array
    own: Array
    others: Array
    difference: Array
    p_value: Array
    inflation: float


class _Partners(Struct, frozen=True, eq=False):
    """Items with two annotations: agreement less the partner's agreement elsewhere, and how that varies.

    Parameters
    ----------
    residual : array (annotations,)
        NaN where it does not apply.
    items, noise : array (annotators,)
        How many items, and the variance of the sum of the yardsticks; of near labels, that of the agreement besides.
    binary : array (annotators,)
        Items on which the two agree or not; none where near labels agree in part.
    chance : float
        Share of such items on which the two agree.
    """

    residual: Array
    items: Array
    noise: Array
    binary: Array
    chance: float


class _Seats(Struct, frozen=True, eq=False):
    """What an annotator's relative agreement would be with each of an item's labels, and the chance of that label.

    Parameters
    ----------
    value, chance : array (cells,)
    step : array (kinds,)
        Greatest common step of the values, in units of `unit`; 0 if there is one value.
    unit : float
        0 if the steps have no unit in common that a whole number can hold.
    """

    value: Array
    chance: Array
    step: Array
    unit: float


def seat_values(team: AnnotatorTable) -> Array:
    """Return what an annotator's relative agreement would be with each label of an item of three or more annotations: (cells,)."""
    return _seats(team).value


def residuals(team: AnnotatorTable) -> Array:
    """Return what each annotation adds to its annotator's relative agreement; NaN where there is no yardstick: (annotations,)."""
    return _residuals(team, _partners(team), _seats(team))


def _residuals(team: AnnotatorTable, partners: _Partners, seats: _Seats) -> Array:
    return np.where(team.sizes[team.item] > 2, seats.value[team.cell], partners.residual)


def relative_agreement(team: AnnotatorTable) -> RelativeAgreement:
    """Compare every annotator's agreement with the others to theirs among themselves, on the same items."""
    partners, seats = _partners(team), _seats(team)
    residual = _residuals(team, partners, seats)
    judged = np.flatnonzero(~np.isnan(residual))
    items = team.sums(np.ones(len(judged)), judged)
    total = team.sums(residual[judged], judged)
    with np.errstate(invalid="ignore"):
        own = team.sums(team.score[judged], judged) / items
        difference = total / items
    p_value = np.where(items > 0, _chances(team, total, partners, seats), np.nan)
    inflation = _inflation(team, residual, judged, partners, seats)
    return RelativeAgreement(
        residual=residual,
        items=items.astype(np.int64),
        by_partner=partners.items.astype(np.int64),
        own=own,
        others=own - difference,
        difference=difference,
        p_value=widened(p_value, inflation),
        inflation=inflation,
    )


def beyond(team: AnnotatorTable, found: RelativeAgreement, margin: Array) -> Array:
    """Return how often an annotator who is a margin below the others would be this far below them or farther: (annotators,).

    Honest annotators are not all alike, so that "not alike" accuses nobody. The null is moved: a margin is added to what an annotator
    reached on each item.

    Parameters
    ----------
    margin : array (annotators,)
        At least 0.
    """
    moved = np.where(found.items > 0, (found.difference + margin) * found.items, 0.0)
    p_value = _chances(team, moved, _partners(team), _seats(team))
    return widened(np.where(found.items > 0, p_value, np.nan), found.inflation)


def widened(p_value: Array, inflation: float) -> Array:
    """Return p-values of sums that vary more than those of single items."""
    if inflation <= 1.0:
        return p_value
    from scipy.special import ndtr, ndtri

    return np.asarray(ndtr(ndtri(p_value) / math.sqrt(inflation)))


def _partners(team: AnnotatorTable) -> _Partners:
    """Compare the two annotators of an item through what each of them does with others."""
    count = len(team.annotators)
    residual = np.full(len(team.item), np.nan)
    rows = np.flatnonzero(team.sizes[team.item] == 2)
    if not len(rows):
        return _Partners(residual, np.zeros(count), np.zeros(count), np.zeros(count), 1.0)
    one, other = rows[np.argsort(team.item[rows], kind="stable")].reshape(-1, 2).T
    first, second = team.annotator[one], team.annotator[other]
    agree, times = team.score[one], team.times[one]
    pair = np.minimum(first, second) * count + np.maximum(first, second)
    pairs, place = np.unique(pair, return_inverse=True)
    place = place.ravel()
    together, agreed = np.bincount(place, weights=times), np.bincount(place, weights=agree * times)
    ends = (pairs // count, pairs % count)
    every, every_agreed = (
        np.bincount(ends[0], weights=each, minlength=count) + np.bincount(ends[1], weights=each, minlength=count)
        for each in (together, agreed)
    )
    chance = float(agreed.sum() / together.sum())
    items = np.zeros(count)
    for mine, partner in ((one, second), (other, first)):
        elsewhere = every[partner] - together[place]
        usable = elsewhere >= LEAST_ELSEWHERE
        with np.errstate(invalid="ignore", divide="ignore"):
            yardstick = (every_agreed[partner] - agreed[place]) / elsewhere
        residual[mine[usable]] = (agree - yardstick)[usable]
        items += np.bincount(team.annotator[mine[usable]], weights=times[usable], minlength=count)
    noise = _noise(ends, together, every, count)
    if team.near is None:
        return _Partners(residual, items, noise * chance * (1.0 - chance), items, chance)
    spread = float(times @ (agree - chance) ** 2 / times.sum())
    return _Partners(residual, items, (noise + items) * spread, np.zeros(count), chance)


def _noise(ends: tuple[Array, Array], together: Array, every: Array, count: int) -> Array:
    """Return how much the yardsticks vary: the variance of their sum, if that of one item is 1: (annotators,).

    An item of two partners of an annotator is in the yardsticks of both, and so counts twice over. In a crowd hardly any
    two partners share an item, and their part is left out.

    Parameters
    ----------
    ends : two arrays (pairs,)
    together : array (pairs,)
        Items of each pair of annotators.
    every : array (annotators,)
        Such items of each annotator.
    """
    noise = np.zeros(count)
    shares = []
    for mine, partner in (ends, ends[::-1]):
        elsewhere = every[partner] - together
        share = np.where(elsewhere >= LEAST_ELSEWHERE, together / np.where(elsewhere > 0, elsewhere, 1.0), 0.0)
        noise += np.bincount(mine, weights=share**2 * elsewhere, minlength=count)
        shares.append(share)
    here, place = np.unique(np.concatenate(ends), return_inverse=True)
    if len(here) > DENSE_ANNOTATORS:
        return noise
    one, other = place.ravel()[: len(together)], place.ravel()[len(together) :]
    weight, items = np.zeros((2, len(here), len(here)))
    weight[one, other], weight[other, one] = shares
    items[one, other] = items[other, one] = together
    # Neither of the two partners is the annotator, whose weight for themselves is 0.
    noise[here] += ((weight @ items) * weight).sum(axis=1)
    return noise


def _seats(team: AnnotatorTable) -> _Seats:
    """Work out what each label of an item would make of an annotator's relative agreement."""
    size = team.sizes.astype(np.float64)
    count = team.cell_count.astype(np.float64)
    near = team.cell_near
    squares = np.bincount(team.cell_item, weights=count * near, minlength=team.kinds)
    room = np.where(size > 2, (size - 1.0) * (size - 2.0), np.inf)
    value = (near * size[team.cell_item] - squares[team.cell_item]) / room[team.cell_item]
    parts = _parts(team.near)
    if parts:
        # Agreement is counted in whole numbers of its parts, so that sums have steps.
        whole = np.rint(parts * near).astype(np.int64)
        least = np.minimum.reduceat(whole, team.start)
        gap = np.gcd.reduceat(whole - least[team.cell_item], team.start)
        sizes = [int(one) for one in np.unique(team.sizes) if one > 2]
        unit = math.lcm(*((one - 1) * (one - 2) for one in sizes))
        if sizes and parts * unit * max(sizes) * max(1, int(gap.max())) < LARGEST:
            room_of = np.where(team.sizes > 2, (team.sizes - 1) * (team.sizes - 2), unit)
            step = gap * team.sizes * (unit // room_of)
            return _Seats(value, count / size[team.cell_item], np.where(team.sizes > 2, step, 0), 1.0 / (parts * unit))
    low, high = (ufunc.reduceat(value, team.start) for ufunc in (np.minimum, np.maximum))
    tells = (team.sizes > 2) & (high - low > TOLERANCE)
    return _Seats(value, count / size[team.cell_item], tells.astype(np.int64), 0.0)


def _parts(near: Array | None) -> int:
    """Return into how many parts agreement must be divided for that of every two labels to be whole; 0 if no small number does."""
    if near is None:
        return 1
    apart = np.unique(near)
    return next(
        (parts for parts in range(1, MOST_PARTS) if np.abs(parts * apart - np.rint(parts * apart)).max() < 1e-9), 0
    )


def _variances(team: AnnotatorTable, partners: _Partners, seats: _Seats) -> Array:
    """Return the variance of each annotator's sum if all were alike: (annotators,)."""
    by_item = np.bincount(team.cell_item, weights=seats.chance * seats.value**2, minlength=team.kinds)
    binary = partners.chance * (1.0 - partners.chance)
    return np.asarray(team.sums(by_item[team.item]) + partners.binary * binary + partners.noise)


def _chances(team: AnnotatorTable, total: Array, partners: _Partners, seats: _Seats) -> Array:
    """Return how likely each annotator's sum is to be so low if all were alike: (annotators,)."""
    from scipy.special import ndtr

    spread = np.sqrt(_variances(team, partners, seats))
    p_value = np.where(spread > 0, ndtr(total / np.where(spread > 0, spread, 1.0)), 1.0)
    suspect = (spread > 0) & (total < SUSPECT * spread)
    if not suspect.any():
        return p_value
    telling = (seats.step[team.item] > 0) & suspect[team.annotator]
    for block in team.blocks_of(telling):
        here = slice(block.first, block.last)
        found = _tail(team, block, total[here], partners, seats)
        p_value[here] = np.where(suspect[here], found, p_value[here])
    return p_value


def _tail(team: AnnotatorTable, block: Block, total: Array, partners: _Partners, seats: _Seats) -> Array:
    """Return the lower tail for the annotators of a block: (annotators of the block,)."""
    here, number = slice(block.first, block.last), block.last - block.first
    who = block.who
    value, chance = seats.value[block.cell], seats.chance[block.cell]
    starts = np.flatnonzero(np.diff(block.row, prepend=-1))
    least = np.minimum.reduceat(value, starts) if len(starts) else np.zeros(0)
    above = value - least[block.row]
    at_least = np.bincount(block.row, weights=np.where(above == 0, chance, 0.0), minlength=len(who))
    pairs, noise, agree = partners.binary[here], partners.noise[here], partners.chance
    step = np.zeros(number, dtype=np.int64)
    np.gcd.at(step, who, seats.step[team.item[block.rows]])
    free = (partners.items[here] > 0) & (agree < 1.0)
    lowest = np.where(free, -np.inf, np.bincount(who, weights=block.times * least, minlength=number))
    span = np.where(free, 0.0, step * seats.unit)
    return lower_tail(
        _cumulants(block, least, above, chance, pairs, noise, agree),
        _on_steps(total, lowest, span),
        span=span,
        lowest=lowest,
        log_chance=np.bincount(who, weights=block.times * np.log(at_least), minlength=number),
    )


def _on_steps(total: Array, lowest: Array, span: Array) -> Array:
    """Return the last value at or below `total` that a sum which moves in steps can have."""
    whole = (span > 0) & np.isfinite(lowest)
    width, start = np.where(whole, span, 1.0), np.where(whole, lowest, 0.0)
    steps = np.floor((total - start) / width + STEP_TOLERANCE)
    return np.where(whole, start + np.maximum(steps, 0.0) * width, total)


def _cumulants(
    block: Block, least: Array, above: Array, chance: Array, pairs: Array, noise: Array, agree: float
) -> Cumulants:
    """Return the cumulant generating function of the annotators' sums."""
    who, times = block.who, block.times
    number, rows = len(pairs), len(who)

    def cumulants(point: Array) -> tuple[Array, Array, Array]:
        # Exponents are counted from the lowest value, the largest of them for a point below 0, so that none overflows.
        tilted = chance * np.exp(point[who][block.row] * above)
        mass = np.bincount(block.row, weights=tilted, minlength=rows)
        mean = np.bincount(block.row, weights=tilted * above, minlength=rows) / mass
        square = np.bincount(block.row, weights=tilted * above**2, minlength=rows) / mass
        tilt = agree * np.exp(point)
        hit = tilt / (1.0 - agree + tilt)
        height = pairs * (np.log(1.0 - agree + tilt) - agree * point) + noise * point**2 / 2.0
        slope = pairs * (hit - agree) + noise * point
        curve = pairs * hit * (1.0 - hit) + noise
        height = height + np.bincount(who, weights=times * (np.log(mass) + point[who] * least), minlength=number)
        slope = slope + np.bincount(who, weights=times * (mean + least), minlength=number)
        curve = curve + np.bincount(who, weights=times * np.maximum(square - mean**2, 0.0), minlength=number)
        return height, slope, curve

    return cumulants


def _inflation(team: AnnotatorTable, residual: Array, judged: Array, partners: _Partners, seats: _Seats) -> float:
    """Return how much more sums vary because the items of a cluster go together: the usual ratio, and no less than 1.

    It is the median over annotators, so that a few bad ones do not excuse themselves by their own disorder.
    """
    if team.unit is None or not len(judged):
        return 1.0
    items = team.sums(np.ones(len(judged)), judged)
    total = team.sums(residual[judged], judged)
    mean = np.where(items > 0, total / np.where(items > 0, items, 1.0), 0.0)
    squares, clusters = team.squares(residual[judged] - mean[team.annotator[judged]], judged)
    variance = _variances(team, partners, seats)
    known = (variance > 0) & (clusters >= LEAST_CLUSTERS)
    if not known.any():
        return 1.0
    ratio = squares[known] / variance[known] * clusters[known] / (clusters[known] - 1.0)
    return float(max(1.0, np.median(ratio)))
