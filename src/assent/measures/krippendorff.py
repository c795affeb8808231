"""Krippendorff's alpha."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from assent.measures.components import Components
from assent.measures.registry import measure
from assent.option_texts import DISTANCE_HELP, TREE_HELP
from assent.profiles import Counts
from assent.registry import Takes
from assent.scales import AgreementWeights

__all__ = ["krippendorff_alpha"]

_DISTANCES = {"nominal": "", "jaccard": " (Jaccard)", "masi": " (MASI)"}


def _distance(value: object) -> str:
    """Take the name of a distance that is not one of sets; whether there is such a one is told when labels are compared."""
    from assent.label_distances import NAMED, label_distance

    name = str(value)
    if name not in (*NAMED, "taxonomy"):
        label_distance(name)
    return name


def _tree(value: object) -> object:
    return value


@measure(
    title="Krippendorff's alpha",
    aliases=["alpha", "krippendorff"],
    profiles=Counts,
    references=["krippendorff2011", "hayes2007", "passonneau2006", "braylan2022"],
    krippendorff=True,
    titled=lambda options, _: "Krippendorff's alpha" + _DISTANCES.get(options["distance"], f" ({options['distance']})"),
)
def krippendorff_alpha(
    items: Counts,
    agree: AgreementWeights,
    *,
    distance: Annotated[
        Literal["nominal", "jaccard", "masi"],
        Takes(
            help=f"How labels are told apart: nominal; jaccard or masi for sets; {DISTANCE_HELP}",
            metavar="NAME",
            check=_distance,
        ),
    ] = "nominal",
    tree: Annotated[
        Any,
        Takes(
            help=TREE_HELP,
            values="a file",
            metavar="FILE",
            check=_tree,
        ),
    ] = None,
) -> Components:
    """Agreement beyond chance on any scale, for any number of annotators, with missing labels.

    One minus the ratio of observed to expected disagreement. Disagreement of two labels is their distance: nominal
    (same or not), ordinal (how many annotations lie between them), interval (squared difference) or ratio
    (squared difference over squared sum). Only items with two or more annotations count. Expected disagreement
    pairs all these annotations with each other, without pairing one with itself, which corrects for small samples.
    Observed and expected are shown as agreement: one minus the distance in units of the largest distance possible.
    Where an annotation holds several labels, ``distance`` says how far two sets are apart: altogether unless they are the same
    (``nominal``), by the share of labels that only one of them has (``jaccard``), or by that and whether one set
    contains the other (``masi``). Labels that are texts, boxes, points or places in a tree, or anything else that a function can compare, have
    distances of their own ([labels with a distance](../rankings.md#labels-with-a-distance)); the details then hold sigma and KS, which
    do not change when a distance is stretched.

    When to use
    -----------
    The default choice: it takes every scale, any number of annotators and missing labels.

    Not when
    --------
    Annotators who lean differently shall be told apart from chance (Cohen's kappa does that for two). One label is
    much more frequent than the others: like every kappa of this family it is then low in spite of high observed
    agreement; quote percent agreement and Gwet's AC1 beside it.

    References
    ----------
    Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability. University of Pennsylvania.
    https://repository.upenn.edu/asc_papers/43
    Hayes, A. F. and Krippendorff, K. (2007). Answering the call for a standard reliability measure for coding data.
    Communication Methods and Measures 1(1), 77-89. https://doi.org/10.1080/19312450709336664
    Passonneau, R. J. (2006). Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation. LREC 2006,
    831-836, for the distances of sets. https://aclanthology.org/L06-1392
    Braylan, A., Alonso, O. and Lease, M. (2022). Measuring annotator agreement generally across complex structured, multi-object, and
    free-text annotation tasks. WWW 2022, 1720-1730, for sigma and KS. https://doi.org/10.1145/3485447.3512242

    Examples
    --------
    >>> import assent
    >>> table = [[1, 1, None], [2, 2, 3], [3, 3, 3], [1, 2, 2]]
    >>> round(assent.krippendorff_alpha(table, scale="interval").value, 3)
    0.737
    """
    totals = items.total(agree.features(items.pairable_counts))
    annotations = items.total(items.pairable_sizes)
    agree, totals = agree.given(totals)
    within = agree.pairs(items.counts) / items.others
    observed = items.total(within, varying=agree.varying) / annotations
    chance = (agree.between(totals, totals) - annotations) / (annotations * (annotations - 1.0))
    return Components(observed=observed, expected=chance, details=getattr(agree, "details", {}))
