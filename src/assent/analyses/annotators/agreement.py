"""How far each annotator agrees with the others, and how sure that is."""

from __future__ import annotations

import numpy as np

from assent.analyses.annotators.table import TOLERANCE, AnnotatorTable
from assent.analyses.annotators.tilted import tilted_intervals, weighed
from assent.profiles import Array
from assent.records import Struct

__all__ = ["WithConsensus", "WithOthers", "wilson", "with_consensus", "with_others"]


class WithOthers(Struct, frozen=True, kw_only=True, eq=False):
    """Agreement of each annotator with the others on shared items; NaN where it is undefined: (annotators,) each.

    Parameters
    ----------
    observed, observed_low, observed_high
        Mean share of the others who agree; every item counts the same.
    expected
        The same if the annotator's label had nothing to do with the item: the annotator's label shares times the others' on
        the same items, as in Cohen's kappa.
    value, standard_error, low, high
        ``(observed - expected) / (1 - expected)``. With two annotators it is Cohen's kappa; if all annotators label all
        items it is Schouten's kappa of one annotator with the rest.
    units
        Items, or clusters, that the intervals rest on.
    quantile
        Standard errors that they would reach if they were symmetric.
    """

    observed: Array
    observed_low: Array
    observed_high: Array
    expected: Array
    value: Array
    standard_error: Array
    low: Array
    high: Array
    units: Array
    quantile: Array


def with_others(team: AnnotatorTable, *, level: float = 0.95) -> WithOthers:
    """Measure each annotator's agreement with the others.

    References
    ----------
    Schouten, H. J. A. (1982). Measuring pairwise interobserver agreement when all subjects are judged by the same observers.
    Statistica Neerlandica 36(2), 45-61. https://doi.org/10.1111/j.1467-9574.1982.tb00774.x
    """
    plain = weighed(team, team.times.astype(np.float64))
    slopes = plain.slopes(team.score, plain.by_row, team.annotator, corrected=True)
    squares, units = team.squares(slopes)
    degrees = np.where(units > 1, units - 1.0, np.nan)
    value = plain.value
    quantile = _t_quantile(level, degrees)
    (least, most), (low, high) = tilted_intervals(team, quantile, units)
    return WithOthers(
        observed=plain.observed,
        observed_low=np.minimum(least, plain.observed),
        observed_high=np.maximum(most, plain.observed),
        expected=plain.expected,
        value=value,
        standard_error=np.sqrt(units / degrees * squares),
        low=np.maximum(np.minimum(low, value), np.minimum(value, -1.0)),
        high=np.minimum(np.maximum(high, value), 1.0),
        units=units.astype(np.int64),
        quantile=quantile,
    )


def wilson(share: Array, error: Array, units: Array, quantile: Array) -> tuple[Array, Array]:
    """Return Wilson's interval of a share whose standard error is known, by the number of yes-or-no answers it is worth.

    Such intervals stay between 0 and 1, and one at 0 or 1 has a width. NaN where the quantile is.

    Parameters
    ----------
    share, error : array (shares,)
    units : array (shares,)
        What the share rests on if nothing varies and so no error can be seen.
    quantile : array (shares,)
        How many standard errors the interval reaches.

    References
    ----------
    Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the American
    Statistical Association 22(158), 209-212. https://doi.org/10.1080/01621459.1927.10502953
    """
    spread = share * (1.0 - share)
    # Clusters with equal shares leave an error of the last bits, or none: it depends on the order of the sum.
    seen = (error > TOLERANCE) & (spread > 0)
    worth = np.where(seen, spread / np.where(seen, error, 1.0) ** 2, np.maximum(units, 1))
    weight = quantile**2 / worth
    centre = (share + weight / 2.0) / (1.0 + weight)
    reach = np.sqrt(weight * spread + weight**2 / 4.0) / (1.0 + weight)
    return centre - reach, centre + reach


def _t_quantile(level: float, degrees: Array) -> Array:
    """Quantile of the t distribution; NaN where there are no degrees of freedom."""
    from scipy.special import stdtrit

    return np.asarray(stdtrit(degrees, (1.0 + level) / 2.0))


class WithConsensus(Struct, frozen=True, kw_only=True, eq=False):
    """Agreement of each annotator with the majority of the others: (annotators,) each.

    Parameters
    ----------
    items, ties : integers
        Items on which the others have a majority label, and items on which two labels are tied among the others.
    agreement, low, high
        Share of `items` with the majority's label; NaN if there is none.
    """

    items: Array
    ties: Array
    agreement: Array
    low: Array
    high: Array


def with_consensus(team: AnnotatorTable, *, level: float = 0.95) -> WithConsensus:
    """Compare each annotation to the label that most of the others gave; where they are tied there is no such label."""
    count = team.cell_count
    top = np.maximum.reduceat(count, team.start)
    at_top = count == top[team.cell_item]
    tops = np.bincount(team.cell_item, weights=at_top, minlength=team.kinds)
    second = np.maximum.reduceat(np.where(at_top, 0, count), team.start)
    own_at_top = at_top[team.cell]
    tops, top, second = tops[team.item], top[team.item], second[team.item]
    # Without the annotation itself: its label loses one, and a tie of two at the top becomes a majority of the other.
    agrees = own_at_top & (tops == 1) & (top - 1 > second)
    decided = agrees | (own_at_top & (tops == 2)) | (~own_at_top & (tops == 1))
    items = team.sums(decided)
    rows = np.flatnonzero(decided)
    share = team.sums(agrees) / np.where(items > 0, items, np.nan)
    apart = (agrees[rows] - share[team.annotator[rows]]) / items[team.annotator[rows]]
    squares, units = team.squares(apart, rows)
    degrees = np.where(units > 1, units - 1.0, np.nan)
    low, high = wilson(share, np.sqrt(units / degrees * squares), units, _t_quantile(level, degrees))
    return WithConsensus(
        items=items.astype(np.int64), ties=(team.shared - items).astype(np.int64), agreement=share, low=low, high=high
    )
