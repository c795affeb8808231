"""How each annotator compares with the others: every question about annotators, asked of one data set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from assent.analyses.annotators.agreement import WithOthers, with_consensus, with_others
from assent.analyses.annotators.annotator_clusters import annotator_clusters
from assent.analyses.annotators.correction import benjamini_hochberg
from assent.analyses.annotators.flag_reasons import Swap, kind_of
from assent.analyses.annotators.flags import OTHERWISE, Flags, flags, lean
from assent.analyses.annotators.label_bias import label_bias
from assent.analyses.annotators.leave_one_out import Without, without_each
from assent.analyses.annotators.pairs import pair_agreements, partners
from assent.analyses.annotators.relative_agreement import RelativeAgreement, relative_agreement, residuals
from assent.analyses.annotators.repeats import SelfConsistency, both_passes, self_consistency
from assent.analyses.annotators.result import AnnotatorReport
from assent.analyses.annotators.severity import severity
from assent.analyses.annotators.table import AnnotatorTable, rounded
from assent.analyses.annotators.trend import Trend, moments, trend
from assent.analyses.by_kind import answer
from assent.analyses.generalise import without_each_annotator
from assent.analyses.measure.steps import compared_as_names
from assent.analyses.nearness import compared_as, near
from assent.data import Annotations, as_annotations
from assent.data.distance_labels import with_distance
from assent.data.long_rows import LongRows
from assent.errors import NothingToCompare, OptionError, UnsuitableData
from assent.label_distances import Tree
from assent.limits import ANNOTATORS_CLUSTERED, ANNOTATORS_LEFT_OUT, ANNOTATORS_PAIRED, LABELS_NEAR
from assent.measures import Measure, find
from assent.measures.results import FEW_CLUSTERS
from assent.profiles import Array
from assent.text import counted, shown

__all__ = ["annotators"]


def annotators(
    data: Any,
    *,
    measure: str = "krippendorff-alpha",
    scale: str | None = None,
    order: Sequence[str] | None = None,
    level: float = 0.95,
    fdr: float = 0.05,
    margin: float = 0.05,
    least: int = 10,
    otherwise: float = OTHERWISE,
    time: str | None = None,
    repeat: str | None = None,
    later: Any = None,
    seed: int = 0,
    distance: str | None = None,
    tree: Tree | None = None,
) -> AnnotatorReport:
    """Say of every annotator how far they agree with the others, where they lean, and whether they are an outlier.

    Labels are the same or not; on a scale near labels agree in part, and sets of labels agree as far as they share labels. An annotator is flagged who surely differs: who agrees less with the others, compared with what the others
    reach among themselves on the same items, than somebody would who reads a share of the items in a way of their own; or who gives one label to
    everything. A flag says that they differ, not why, nor who is right.

    Data in an engine such as DuckDB or Spark are counted there: what comes here is every kind of item once, that is who gave it
    which label, and how many items are of that kind. Only `time` brings annotations here one by one.

    Parameters
    ----------
    data : Annotations, or whatever they can be made from
    measure : str
        The coefficient that is measured without each annotator in turn; one that works on label counts.
    scale : {"nominal", "ordinal", "interval", "ratio"}, optional
        Of the labels; on any but the nominal one near labels agree in part, and it is said who rates higher or lower than the others, and
        how far apart.
    order : sequence of str, optional
        The labels from lowest to highest, used or not.
    level : float
        Confidence level of intervals.
    fdr : float
        Of those flagged, the share that may be flagged wrongly, on average.
    margin : float
        The least difference that matters, in agreement or in the use of a label.
    least : int
        Annotators with fewer items to judge by are not judged.
    otherwise : float
        Share of the items that an annotator may read in a way of their own without being flagged.
    time : str, optional
        Column that says when each annotation was made; it must have been read along (``assent.read(…, columns=["time"])``).
    repeat : str, optional
        Column that counts how often an annotator has seen an item; it must have been read along. The first labels are `data`, read with
        ``duplicates="first"``.
    later : Annotations, optional
        The same table, read with ``duplicates="last"``: the last labels that annotators gave, to be compared with the first.
    seed : int
        Decides on which half of the items groups of annotators, and labels that an annotator exchanges, are sought, and on which
        they are tested. What is drawn is how many items of each kind are in a half, or which clusters.
    distance : str, optional
        How labels are compared that are more than names, as in `assent.krippendorff_alpha`: levenshtein, token-jaccard, rouge-l, boxes,
        keypoints, taxonomy or package.module:function. Annotators then have their mean distance to the others, beside the expected
        distance, and nobody is flagged.
    tree : mapping or path, optional
        The parent of each label, for the distance taxonomy.

    Returns
    -------
    AnnotatorReport
        With a distance `assent.analyses.by_distance.DistantAnnotators`.

    Examples
    --------
    >>> import assent
    >>> rows = [["a", "a", "a", "b"], ["b", "b", "b", "a"], ["a", "a", "a", "a"], ["b", "b", "a", "a"]] * 10
    >>> report = assent.annotators(rows)
    >>> [row["annotator"] for row in report.rows() if row["flagged"]]
    ['4']
    >>> next(report.rows())["kind"]
    'swapped-labels'
    """
    named = None if find(measure).name == "krippendorff-alpha" else measure
    data = with_distance(data, distance, tree, scale=scale, order=order, measure=named)
    asked: dict[str, Any] = {name: one for name, one in (("time", time), ("repeat", repeat)) if one is not None}
    other = answer("annotators", data, offered={"level": level}, **asked)
    if other is not None:
        return other  # type: ignore[return-value]
    data = as_annotations(data)
    _check(level=level, fdr=fdr)
    if not 0 <= margin < 1:
        raise OptionError(f"`margin` is {margin:g}; it is a difference of shares, at least 0 and below 1, as 0.05 is.")
    if not 0 <= otherwise < 1:
        raise OptionError(f"otherwise is {otherwise:g}; it is a share of items, at least 0 and below 1, as 0.2 is.")
    if least < 1:
        raise OptionError(
            f"least is {least}; an annotator must have at least one item to be judged by, and 10 are usual."
        )
    if seed < 0:
        raise OptionError(f"`seed` is {seed}; it must not be negative.")
    if (repeat is None) != (later is None):
        raise OptionError(
            'Labels that were given again need both repeat, the column that counts them, and later, the same table read with duplicates="last".'
        )
    if order is not None:
        data = data.ordered(order)
    chosen = find(measure)
    if data.annotators is None:
        raise UnsuitableData(
            "The table says how many annotators gave each label, not who, so there are no annotators to compare: give a table with "
            "one row for each annotation, or with one column for each annotator."
        )
    # Moments belong to annotations, so that a trend needs them one by one; nothing else does.
    listing = None if time is None else data.to_rows(time)
    whole, data = data, compared_as(data._sample_items())
    nearness = near(data, scale)
    team = AnnotatorTable.of(data, nearness)
    if not team.n_items:
        raise NothingToCompare(data._nothing_to_compare())
    # Of an item with two annotations it matters whose the other one is.
    sums, compared = team.pooled, team.pooled if team.sizes.min() > 2 else team
    stand, uses = relative_agreement(compared), label_bias(sums)
    of_others = with_others(sums, level=level)
    strict = severity(data, scale=scale, level=level)
    flag = flags(
        compared, stand, uses, of_others, fdr=fdr, margin=margin, least=least, otherwise=otherwise, severity=strict
    )
    corrected, leans = lean(uses, team, fdr=fdr, margin=margin, least=least)
    groups = annotator_clusters(team, level=fdr, margin=margin, seed=seed)
    kinds: dict[int, str] = {}
    swaps: dict[int, Swap | None] = {}
    for one in np.flatnonzero(flag.flagged).tolist():
        # Of the largest group nobody is there for reading otherwise.
        grouped = groups is not None and (groups.group_of(one) or 0) > 0
        kinds[one], swaps[one] = kind_of(one, team, of_others, stand, uses, margin, grouped, seed)
    in_time = None if listing is None or time is None else _trend(listing, time, least, nearness)
    without = _without(data, chosen, scale)
    small = len(team.annotators) <= ANNOTATORS_PAIRED
    return AnnotatorReport(
        data=whole,
        annotators=team.annotators,
        labels=team.labels,
        order=_order(flag, stand, of_others),
        given=team.given,
        shared=team.shared,
        partners=partners(team),
        agreement=of_others,
        consensus=with_consensus(sums, level=level),
        relative=stand,
        label_bias=uses,
        leans=leans,
        lean_corrected=corrected,
        without=without,
        flags=flag,
        kinds=kinds,
        swaps=swaps,
        pairs=pair_agreements(team) if small else None,
        clusters=groups,
        consistency=None if repeat is None else _with_themselves(whole, as_annotations(later), repeat, level),
        trend=in_time,
        trend_corrected=None if in_time is None else benjamini_hochberg(in_time.p_value),
        severity=strict,
        level=level,
        fdr=fdr,
        margin=margin,
        least=least,
        otherwise=otherwise,
        seed=seed,
        notes=(
            *(compared_as_names(data, without.agreement) if scale is None else ()),
            *(data.notes[-1:] if data is not whole else ()),
            *_notes(data, team, stand, flag, in_time, time, least),
        ),
    )


def _without(data: Annotations, measure: Measure, scale: str | None) -> Without:
    """Measure without each annotator; sets of labels by the distance that readers know."""
    if (
        data.kind != "label-sets"
        or measure.name != "krippendorff-alpha"
        or len(data.annotators or ()) > ANNOTATORS_LEFT_OUT
    ):
        return without_each(data, measure, scale=scale)
    options = {"distance": "masi"}
    values = without_each_annotator(data, measure, options) if len(data.annotators or ()) > 2 else None
    whole = measure(data, **options)
    return Without(whole, np.full(len(data.annotators or ()), np.nan) if values is None else values)


def _check(**shares: float) -> None:
    for name, value in shares.items():
        if not 0 < value < 1:
            raise OptionError(f"{name} is {value:g}; it must lie between 0 and 1.")


def _order(flag: Flags, stand: RelativeAgreement, of_others: WithOthers) -> Array:
    """Put the worst first: the flagged, then the judged, by how far they are below the others; then the rest."""
    far = np.where(np.isnan(stand.difference) | ~flag.judged, np.inf, stand.difference)
    return np.lexsort((rounded(of_others.observed), rounded(far), ~flag.judged, ~flag.flagged))


def _with_themselves(first: Annotations, last: Annotations, repeat: str, level: float) -> SelfConsistency:
    """Compare the first and the last labels that annotators gave."""
    return self_consistency(both_passes(first.to_rows(repeat), last.to_rows(repeat), repeat), repeat, level=level)


def _trend(listing: LongRows, time: str, least: int, nearness: Array | None) -> Trend:
    """Relate the relative agreement of single annotations to the time they were made."""
    when = moments(listing.columns[time], time)
    team = AnnotatorTable.of_listing(listing, nearness)
    return trend(team, residuals(team), when[team.row], least=least)


def _notes(
    data: Annotations,
    team: AnnotatorTable,
    stand: RelativeAgreement,
    flag: Flags,
    in_time: Trend | None,
    time: str | None,
    least: int,
) -> tuple[str, ...]:
    """Say what a reader of all this must know."""
    notes = []
    count = len(team.annotators)
    alone = int(team.given.sum() - team.shared.sum())
    if alone:
        noun = "item has" if alone == 1 else "items have"
        notes.append(f"{alone:,} {noun} one annotation, which there is nothing to compare with.")
    silent = int(np.count_nonzero(~flag.judged))
    if count == 2:
        notes.append(
            "Of two annotators who disagree, nothing says which one is right: neither is judged by their agreement. A third, on some of "
            "the items, would tell."
        )
    elif silent:
        notes.append(
            f"{counted(silent, 'annotator')} of {count:,} {'was' if silent == 1 else 'were'} not judged: fewer than {least} items say how "
            "they compare with the others."
        )
    by_partner = int(stand.by_partner.sum())
    if by_partner:
        notes.append(
            f"{counted(by_partner, 'annotation')} of {int(stand.items.sum()):,} are on items with two: there an annotator is compared "
            "with what the partner reaches with others, which is fair if items were dealt out without regard to how hard they are."
        )
    if stand.inflation > 1:
        notes.append(
            f"The items of a cluster ({shown(data.unit)}) go together, which makes sums vary {stand.inflation:.2g} times as much; the tests "
            "of agreement allow for it, those of label use do not."
        )
    elif data.unit != "items":
        notes.append("Tests of label use take items one by one, not by cluster.")
    clusters = 0 if team.unit is None else len(np.unique(team.unit))
    if 0 < clusters < FEW_CLUSTERS:
        notes.append(
            f"Intervals rest on {counted(clusters, 'cluster')} ({shown(data.unit)}) at most: with fewer than {FEW_CLUSTERS} they are too narrow "
            "more often than they should be."
        )
    notes += data._about_sets(
        "Sets of labels agree as far as they share labels (F1 of the two), in whatever order they were given."
        if team.near is not None
        else f"More than {LABELS_NEAR:,} different sets of labels: each whole set counts as one label here, and sets that share some labels disagree."
    )
    if count > ANNOTATORS_PAIRED:
        notes.append(
            f"There are {count:,} annotators: not every two of them are shown, which is done for up to {ANNOTATORS_PAIRED}."
        )
    if count > ANNOTATORS_CLUSTERED:
        notes.append(
            f"Groups that read alike were sought among the {ANNOTATORS_CLUSTERED} annotators with the most shared items."
        )
    if in_time is not None and in_time.without_time:
        notes.append(
            f"{counted(in_time.without_time, 'annotation')} to compare have no {shown(time)} and are left out of the trend."
        )
    return tuple(notes)
