"""Who is flagged: the tests of all annotators taken together, at a false discovery rate."""

from __future__ import annotations

import numpy as np

from assent.analyses.annotators.agreement import WithOthers
from assent.analyses.annotators.correction import benjamini_hochberg
from assent.analyses.annotators.flag_reasons import ONE_LABEL, hardly_more_than_chance
from assent.analyses.annotators.label_bias import LabelBias
from assent.analyses.annotators.readers import LEANING_PART, lost_by_leaning, reads_otherwise
from assent.analyses.annotators.relative_agreement import RelativeAgreement, beyond
from assent.analyses.annotators.severity import Severity
from assent.analyses.annotators.table import TOLERANCE, AnnotatorTable
from assent.analyses.annotators.team_spread import beyond_spread
from assent.profiles import Array
from assent.records import Struct

__all__ = ["OTHERWISE", "Flags", "far_apart", "flags", "lean"]

#: Share of the items that an annotator may read in a way of their own without being flagged.
OTHERWISE = 0.2
#: Who agrees beyond chance less than this part of what the others reach is compared with one who clicks at random.
LITTLE = 0.5


class Flags(Struct, frozen=True, kw_only=True, eq=False):
    """Who was judged and who is flagged: (annotators,) each.

    Parameters
    ----------
    corrected
        The least false discovery rate at which an annotator would be flagged; NaN for one who was not judged.
    unsure : booleans
        Not flagged and below the others by the margin or more, but it cannot be told whether farther than one who reads a share of the items
        otherwise: more items would tell.
    """

    judged: Array
    flagged: Array
    corrected: Array
    unsure: Array


def flags(
    team: AnnotatorTable,
    relative: RelativeAgreement,
    label_bias: LabelBias,
    with_others: WithOthers,
    *,
    fdr: float,
    margin: float,
    least: int,
    otherwise: float = OTHERWISE,
    severity: Severity | None = None,
) -> Flags:
    """Flag annotators who surely differ: farther below the others than a minority reader, or one label for everything.

    People who do the work are not all alike, and some read a part of the items in a way of their own. Flagged is who agrees
    less than one who reads a share of all items otherwise would (studies/honest.py).

    With labels that are the same or not, who leans may lose what that costs, and be below by half as much again. One who clicks at random may agree on
    much, if one label is frequent: who agrees beyond chance hardly half as much as the others do is held against one who clicks
    (`assent.analyses.annotators.readers`), not only by how often they agree.

    Someone who always gives the most frequent label agrees as well as anybody, though no more than by chance: that takes a test
    of its own. Where an annotator has both tests, the smaller p-value counts twice.

    Parameters
    ----------
    team, relative, label_bias, with_others
        What is known of all annotators.
    fdr : float
        Share of those flagged who may be flagged wrongly, on average.
    margin : float
        The least difference that matters, in agreement or in the use of a label.
    least : int
        Annotators with fewer items to judge by are not judged.
    otherwise : float
        Share of the items that an annotator may read in a way of their own.
    severity : Severity, optional
        How strict annotators are, on a scale: nobody is flagged for that alone.
    """
    apart = far_apart(team, relative, margin=margin, otherwise=otherwise) + strictness(team, severity)
    p_value = beyond(team, relative, apart)
    if team.near is None:
        # Leaning, as the strict and the lenient do, explains a part of it; of others than those it might excuse nobody asks.
        below = (p_value <= fdr) & (relative.difference <= TOLERANCE - apart)
        half = far_apart(team, relative, margin=margin, otherwise=LEANING_PART * otherwise)
        apart = np.where(below, np.maximum(apart, half + lost_by_leaning(team, below)), apart)
        p_value = np.where(below, beyond(team, relative, apart), p_value)
    too_low = np.where(relative.difference <= TOLERANCE - apart, p_value, 1.0)
    too_low = np.where(relative.items >= least, too_low, np.nan)
    suspect = (team.shared >= least) & hardly_more_than_chance(with_others, relative)
    # Whose few other labels are surely where the others gave them does look at the items.
    one_label = np.where(suspect & ~(with_others.low > 0.0), _one_label(team, label_bias, margin, fdr), np.nan)
    if team.near is None:
        little = (team.shared >= least) & hardly_more_than_chance(with_others, relative, LITTLE) & ~np.isnan(too_low)
        by_chance = reads_otherwise(team, relative, little, otherwise=otherwise)
        too_low = np.fmin(too_low, by_chance)
    tests = np.where(np.isnan(too_low) | np.isnan(one_label), 1.0, 2.0)
    corrected = benjamini_hochberg(np.minimum(tests * np.fmin(too_low, one_label), 1.0))
    flagged = corrected <= fdr
    # Of two annotators nothing says which one is right: neither is judged, unless one gives one label to everything.
    judged = ~np.isnan(corrected) & (flagged | (np.count_nonzero(team.shared) > 2))
    matters = margin if team.near is None else margin * (1.0 - team.chance)
    below = (relative.items >= least) & (relative.difference <= TOLERANCE - matters)
    unsure = judged & ~flagged & below & (p_value < 1.0 - fdr)
    return Flags(judged=judged, flagged=flagged, corrected=corrected, unsure=unsure)


def far_apart(team: AnnotatorTable, relative: RelativeAgreement, *, margin: float, otherwise: float) -> Array:
    """Return how far below the others somebody is who reads a share of the items otherwise, or the margin if that is more: (annotators,).

    On an item that is read as the others read it, they agree as often as the others do among themselves; on one that is read otherwise, as
    often as the others take it for that label.
    """
    others = np.nan_to_num(relative.others)
    if team.near is not None:
        # Near labels agree in part, so that chance alone agrees on much: what matters is measured by what is left above it.
        used = np.unique(team.label)
        count = len(used)
        another = (float(team.near[np.ix_(used, used)].sum()) - count) / max(1, count * (count - 1))
        return np.asarray(np.maximum(margin * (1.0 - team.chance), otherwise * (others - another)))
    labels = int(np.count_nonzero(np.bincount(team.label)))
    lost = others - (1.0 - others) / max(1, labels - 1)
    return np.asarray(np.maximum(margin, otherwise * lost))


def strictness(team: AnnotatorTable, severity: Severity | None) -> Array:
    """Return how much agreement each annotator loses by being stricter or more lenient than the others: (annotators,); 0 without a scale.

    The differences between annotations of one item are moved by an annotator's mean difference, and what that takes from their agreement is averaged.
    """
    nothing = np.zeros(len(team.annotators))
    if severity is None or team.near is None:
        return nothing
    first, second = team._cell_pairs
    place = severity.position[team.cell_label]
    weight = team.cell_count[first] * (team.cell_count[second] - (first == second))
    weight = weight * team.weight[team.cell_item[first]] / (team.sizes[team.cell_item[first]] - 1.0)
    step, times = _summed(place[first] - place[second], weight)
    distance = np.abs(severity.position[:, None] - severity.position)
    at, lost = _averaged(distance.ravel(), 1.0 - team.near.ravel())
    shift = np.nan_to_num(severity.mean)
    moved = np.interp(np.abs(step[None, :] + shift[:, None]), at, lost) - np.interp(np.abs(step), at, lost)
    return np.asarray(np.maximum(moved @ times / max(float(times.sum()), 1e-300), 0.0))


def _summed(values: Array, weights: Array) -> tuple[Array, Array]:
    """Return distinct values and the sum of their weights."""
    found, place = np.unique(values, return_inverse=True)
    return found, np.bincount(place.ravel(), weights=weights)


def _averaged(values: Array, of: Array) -> tuple[Array, Array]:
    """Return distinct values and the mean of what belongs to each."""
    found, place = np.unique(values, return_inverse=True)
    return found, np.bincount(place.ravel(), weights=of) / np.bincount(place.ravel())


def _one_label(team: AnnotatorTable, label_bias: LabelBias, margin: float, fdr: float) -> Array:
    """Return the p-value that an annotator gives their only label too often, NaN for all who use several: (annotators,).

    The strict and the lenient give a label more or less often than others do, too: it must be more often than one more member of the team would.
    """
    p_value = np.full(len(team.annotators), np.nan)
    only = (label_bias.share >= ONE_LABEL) & (label_bias.share - label_bias.others >= margin - TOLERANCE)
    p_value[label_bias.annotator[only]] = label_bias.corrected[only]
    suspect = p_value <= fdr
    only &= suspect[label_bias.annotator]
    for label in np.unique(label_bias.label[only]):
        uses = label_bias.label == label
        who = label_bias.annotator[uses]
        # The variance of the arc sine of the root of a share does not depend on the share.
        excess = np.arcsin(np.sqrt(label_bias.others[uses])) - np.arcsin(np.sqrt(label_bias.share[uses]))
        found = beyond_spread(excess, 0.25 / team.shared[who], ~suspect[who])
        here = only[uses]
        p_value[who[here]] = np.maximum(p_value[who[here]], found[here])
    return p_value


def lean(label_bias: LabelBias, team: AnnotatorTable, *, fdr: float, margin: float, least: int) -> tuple[Array, Array]:
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
    np.minimum.at(smallest, label_bias.annotator, label_bias.corrected)
    tested = (team.shared >= least) & np.isfinite(smallest)
    leaning = int(np.count_nonzero(benjamini_hochberg(np.where(tested, smallest, np.nan)) <= fdr))
    times = int(np.count_nonzero(tested)) / max(1, leaning)
    corrected = np.where(tested[label_bias.annotator], np.minimum(label_bias.corrected * times, 1.0), np.nan)
    apart = np.abs(label_bias.share - label_bias.others) >= margin - TOLERANCE
    return corrected, (corrected <= fdr) & apart
