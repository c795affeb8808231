"""Who is flagged: the tests of all annotators taken together, at a false discovery rate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assent.analyses.annotators.agreement import WithOthers
from assent.analyses.annotators.correction import benjamini_hochberg
from assent.analyses.annotators.flag_reasons import ONE_LABEL, hardly_more_than_chance
from assent.analyses.annotators.label_bias import Leanings
from assent.analyses.annotators.relative_agreement import Standing
from assent.analyses.annotators.table import TOLERANCE, AnnotatorTable
from assent.profiles import Array

__all__ = ["Flags", "flags", "lean"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Flags:
    """Who was judged and who is flagged: (annotators,) each.

    Parameters
    ----------
    judged, flagged : booleans
    corrected
        The least false discovery rate at which an annotator would be flagged; NaN for one who was not judged.
    """

    judged: Array
    flagged: Array
    corrected: Array


def flags(
    team: AnnotatorTable,
    standing: Standing,
    leanings: Leanings,
    with_others: WithOthers,
    *,
    fdr: float,
    margin: float,
    least: int,
) -> Flags:
    """Flag annotators who agree too little, and those who give one label to everything although the others do not.

    Someone who always gives the most frequent label agrees as well as anybody, though no more than by chance: that takes a test
    of its own. An annotator has two tests, so the smaller p-value counts twice. A difference below the margin is no discovery however sure it is.

    Parameters
    ----------
    team, standing, leanings, with_others
        What is known of all annotators.
    fdr : float
        Share of those flagged who may be flagged wrongly, on average.
    margin : float
        The least difference that matters, in agreement or in the use of a label.
    least : int
        Annotators with fewer items to judge by are not judged.
    """
    too_low = np.where(standing.difference <= TOLERANCE - margin, standing.p_value, 1.0)
    too_low = np.where(standing.items >= least, too_low, np.nan)
    suspect = (team.shared >= least) & hardly_more_than_chance(with_others, standing)
    one_label = np.where(suspect, _one_label(team, leanings, margin), np.nan)
    smaller = np.fmin(too_low, one_label)
    corrected = benjamini_hochberg(np.minimum(2.0 * smaller, 1.0))
    return Flags(judged=~np.isnan(corrected), flagged=corrected <= fdr, corrected=corrected)


def _one_label(team: AnnotatorTable, leanings: Leanings, margin: float) -> Array:
    """Return the p-value that an annotator gives their only label too often, NaN for all who use several: (annotators,)."""
    p_value = np.full(len(team.annotators), np.nan)
    only = (leanings.share >= ONE_LABEL) & (leanings.share - leanings.others >= margin - TOLERANCE)
    p_value[leanings.annotator[only]] = leanings.corrected[only]
    return p_value


def lean(leanings: Leanings, team: AnnotatorTable, *, fdr: float, margin: float, least: int) -> tuple[Array, Array]:
    """Tell which uses of labels lean: first which annotators lean at all, then which labels of theirs.

    Returns
    -------
    corrected : array (uses,)
        P-values corrected for the labels of an annotator and for the annotators; NaN for annotators with too few items.
    leans : array (uses,) of bool

    References
    ----------
    Benjamini, Y. and Bogomolov, M. (2014). Selective inference on multiple families of hypotheses. Journal of the Royal
    Statistical Society B 76(1), 297-318. https://doi.org/10.1111/rssb.12028
    """
    count = len(team.annotators)
    smallest = np.full(count, np.inf)
    np.minimum.at(smallest, leanings.annotator, leanings.corrected)
    tested = (team.shared >= least) & np.isfinite(smallest)
    leaning = int(np.count_nonzero(benjamini_hochberg(np.where(tested, smallest, np.nan)) <= fdr))
    times = int(np.count_nonzero(tested)) / max(1, leaning)
    corrected = np.where(tested[leanings.annotator], np.minimum(leanings.corrected * times, 1.0), np.nan)
    apart = np.abs(leanings.share - leanings.others) >= margin - TOLERANCE
    return corrected, (corrected <= fdr) & apart
