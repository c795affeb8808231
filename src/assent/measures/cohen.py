"""Cohen's kappa for two annotators and every pair of more, and Scott's pi."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from msgspec.structs import replace

from assent.errors import UnsuitableData
from assent.limits import MEETINGS_KEPT
from assent.measures.components import Components, Pairs
from assent.measures.observed import mean_pair_agreement
from assent.measures.paired import Average, SharedItems, mean_over_pairs
from assent.measures.registry import measure
from assent.profiles import Array, Counts, Ratings, RepeatedTerms, Terms, from_cells
from assent.registry import Takes
from assent.scales import AgreementWeights, Identity

__all__ = ["cohen_kappa", "scott_pi"]

#: Tables with more cells take longer to write out, and to read, than to make anew from the labels for every annotator.
WRITTEN_CELLS = 20_000


@measure(
    title="Cohen's kappa",
    aliases=["kappa", "cohen"],
    profiles=Ratings,
    references=["cohen1960", "cohen1968", "light1971", "deraadt2019"],
    uses_single_annotations=lambda options: options["incomplete"] != "listwise",
    warnings={
        (
            "incomplete",
            "category",
        ): "'No label' was taken as one more label, which is badly biased: do not quote this value."
    },
)
def cohen_kappa(
    items: Ratings,
    agree: AgreementWeights,
    *,
    average: Average = "overlap",
    incomplete: Annotated[
        Literal["listwise", "available", "category"],
        Takes(help="What becomes of items that one of two annotators left out."),
    ] = "listwise",
) -> Components:
    """Agreement of two annotators beyond what their own label shares would give by chance.

    Observed agreement is the share of items on which both agree; expected agreement is that of two annotators who keep
    their own shares of the labels but give them to items at random. With a scale or weights it is weighted kappa.
    For more than two annotators it is the mean over all pairs, weighted by the items that both labelled (``overlap``);
    the plain mean is Light's kappa. ``incomplete`` says what to do with items that one of two annotators left out:
    ``listwise`` ignores them, ``available`` lets their labels count towards the annotators' shares, ``category`` takes
    "no label" as one more label, which is badly biased and is here for comparison only.

    When to use
    -----------
    Two annotators, the same two for all items; more of them when each pair shall be seen by itself.

    Not when
    --------
    Annotators are interchangeable or change from item to item: Fleiss' kappa or Krippendorff's alpha. One label
    dominates: kappa is then low in spite of high agreement, see Gwet's AC1. One annotator leans: different shares
    lower expected agreement and so raise kappa; look at the confusion matrix.

    References
    ----------
    Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20(1), 37-46.
    https://doi.org/10.1177/001316446002000104
    Cohen, J. (1968). Weighted kappa. Psychological Bulletin 70(4), 213-220. https://doi.org/10.1037/h0026256
    Light, R. J. (1971). Measures of response agreement for qualitative data. Psychological Bulletin 76(5), 365-377.
    https://doi.org/10.1037/h0031643
    De Raadt, A., Warrens, M. J., Bosker, R. J. and Kiers, H. A. L. (2019). Kappa coefficients for missing data.
    Educational and Psychological Measurement 79(3), 558-576. https://doi.org/10.1177/0013164418823249

    Examples
    --------
    >>> import assent
    >>> table = assent.Annotations.from_contingency([[20, 5], [10, 15]], labels=["pos", "neg"])
    >>> round(assent.cohen_kappa(table).value, 3)
    0.4
    """
    if incomplete == "category":
        items, agree = _with_gaps_as_label(items, agree)
    return mean_over_pairs(pairwise(items, agree, all_labels=incomplete == "available"), average, blocks=True)


def pairwise(items: Ratings, agree: AgreementWeights, *, all_labels: bool) -> Pairs:
    """Compare every two annotators on the items that both labelled.

    Parameters
    ----------
    items : Ratings
    agree : AgreementWeights
    all_labels : bool
        Let all labels of an annotator count towards expected agreement, not only those on shared items.
    """
    shared, sides = _sides(items, all_labels)
    labels, pairs = len(items.labels), len(shared.first)
    near = np.where(shared.both, agree.of(np.maximum(shared.one, 0), np.maximum(shared.two, 0)), 0.0)
    number = items.total(shared.both.astype(np.float64))
    shares = []
    for cells in sides:
        chosen = items.total(cells)
        chosen = chosen.reshape(*chosen.shape[:-1], pairs, labels)
        shares.append(chosen / chosen.sum(-1)[..., None])
    features = [_features(agree, share) for share in shares]
    return Pairs(
        first=shared.first,
        second=shared.second,
        items=number,
        observed=items.total(near) / number,
        expected=agree.between(*features),
    )


def _sides(items: Ratings, all_labels: bool) -> tuple[SharedItems, tuple[Terms, ...]]:
    """Return every two annotators and which label the one and the other of them gave, (profiles, pairs * labels) each.

    They are worked out once for all ways to count the same profiles, unless they are very many.
    """
    name = f"sides of pairs, {'all' if all_labels else 'shared'} labels"
    if name not in items.kept_results:
        shared = SharedItems.of(items)
        labels, pairs = len(items.labels), len(shared.first)
        shape = (len(items.multiplicities), pairs * labels)
        sides: list[Terms] = []
        if pairs > 1 and shape[0] * shape[1] > WRITTEN_CELLS and (shared.code >= 0).all():
            # Where everybody labelled everything, the labels of an annotator are the same in every pair.
            each = np.eye(labels)
            sides = [
                RepeatedTerms(shared.code, each, shared.first, shared.second),
                RepeatedTerms(shared.code, each, shared.second, shared.first),
            ]
        else:
            rows, columns = np.nonzero(shared.both)
            for side in (shared.one, shared.two):
                if all_labels:
                    rows, columns = np.nonzero(side >= 0)
                given = columns * labels + side[rows, columns]
                sides.append(from_cells(rows, given, np.ones(len(rows)), shape, np.float64))
        if shared.both.size > MEETINGS_KEPT:
            return shared, tuple(sides)
        items.kept_results[name] = shared, tuple(sides)
    made: tuple[SharedItems, tuple[Terms, ...]] = items.kept_results[name]
    return made


def _features(agree: AgreementWeights, shares: Array) -> Array:
    """Apply the weights' features to label shares (..., pairs, labels)."""
    flat = np.asarray(agree.features(shares.reshape(-1, shares.shape[-1])))
    return flat.reshape(*shares.shape[:-1], -1)


def _with_gaps_as_label(items: Ratings, agree: AgreementWeights) -> tuple[Ratings, Identity]:
    """Give every annotator who left an item out the label "no label"."""
    if not isinstance(agree, Identity):
        raise UnsuitableData("'No label' has no place on a scale: incomplete=category takes no scale and no weights.")
    count, profiles = len(items.annotators), len(items.multiplicities)
    code = np.full((profiles, count), len(items.labels), dtype=np.int64)
    code[items.profile, items.annotator] = items.label
    filled = replace(
        items,
        profile=np.repeat(np.arange(profiles), count),
        annotator=np.tile(np.arange(count), profiles),
        label=code.ravel(),
        labels=(*items.labels, "no label"),
    )
    return filled, Identity()


@measure(title="Scott's pi", aliases=["pi", "scott"], profiles=Counts, references=["scott1955"], n_annotators=2)
def scott_pi(items: Counts, agree: AgreementWeights) -> Components:
    """Agreement of two annotators beyond what their pooled label shares would give by chance.

    Like Cohen's kappa, but chance draws both labels from the shares of the two annotators taken together, so that
    two annotators who lean differently are not rewarded for it. Only items that both labelled count.

    When to use
    -----------
    Two interchangeable annotators.

    Not when
    --------
    More than two annotators: Fleiss' kappa is its generalisation. Few items: Krippendorff's alpha adds a correction.

    References
    ----------
    Scott, W. A. (1955). Reliability of content analysis: the case of nominal scale coding. Public Opinion Quarterly 19(3),
    321-325. https://doi.org/10.1086/266577

    Examples
    --------
    >>> import assent
    >>> table = assent.Annotations.from_contingency([[20, 5], [10, 15]], labels=["pos", "neg"])
    >>> round(assent.scott_pi(table).value, 3)
    0.394
    """
    share = items.total(agree.features(items.counts)) / items.total(items.sizes)[..., None]
    return Components(observed=mean_pair_agreement(items, agree), expected=agree.between(share, share))
