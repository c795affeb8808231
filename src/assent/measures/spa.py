"""Sparse probability of agreement, and its chance-corrected version."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assent.measures.components import Components
from assent.measures.registry import measure
from assent.profiles import Array, Counts, scale_rows
from assent.scales import AgreementWeights, Identity

__all__ = ["SCHEMES", "agreement_variance", "spa", "spa_kappa"]

#: How much an item counts by its number of annotations. The paper's recommendation comes first.
SCHEMES = ("annotations-m1", "flat", "annotations", "edges", "inv-var", "inv-var-class")


@measure(
    title="Sparse probability of agreement",
    profiles=Counts,
    scales=["nominal"],
    references=["norregaard2022"],
    chance_corrected=False,
    choices={"scheme": SCHEMES},
)
def spa(items: Counts, agree: AgreementWeights, *, scheme: str = SCHEMES[0]) -> Components:
    """Probability that two annotators agree on an item, from incomplete data.

    The agreement of an item is the share of its pairs of annotations that agree; SPA is the weighted mean of the
    items' agreements. If annotations are missing at random, it is an unbiased estimate of the agreement
    that complete data would have shown, whatever the weights. The scheme chooses the weights, and so how precise
    the estimate is: ``flat`` (1 for each item), ``annotations`` (n), ``annotations-m1`` (n - 1, the default and the
    paper's recommendation), ``edges`` (pairs of annotations), ``inv-var`` and ``inv-var-class`` (one over the variance
    of the item's agreement under equally frequent labels, or under the labels' shares in the items that can be compared).
    It is not corrected for chance: its expected agreement is 0 by definition.

    When to use
    -----------
    Crowds and other sparse designs, where items have different numbers of annotations.

    Not when
    --------
    Hard items get more annotations than easy ones (adjudication, quality control): missingness must
    have nothing to do with agreement. As the only number: it is not corrected for chance.

    References
    ----------
    Nørregaard, J. and Derczynski, L. (2022). Sparse Probability of Agreement.

    Examples
    --------
    >>> import assent
    >>> item = ["blue"] * 5 + ["red"] * 3 + ["green"] * 2 + ["pink"]
    >>> round(assent.spa([item]).value, 4)  # 14 of 55 pairs agree
    0.2545
    """
    return Components(observed=sparse_agreement(items, scheme))


@measure(
    title="Chance-corrected SPA",
    profiles=Counts,
    scales=["nominal"],
    references=["norregaard2022"],
    choices={"scheme": SCHEMES, "chance": ("cross-item", "naive")},
    uses_single_annotations=True,
    warnings={
        (
            "chance",
            "naive",
        ): "Naive chance pairs annotations with others of the same item (and with themselves), so it is "
        "too high, and the value too low, the more so the fewer items there are."
    },
)
def spa_kappa(
    items: Counts, agree: AgreementWeights, *, scheme: str = SCHEMES[0], chance: str = "cross-item"
) -> Components:
    """Agreement beyond chance from incomplete data: SPA with an expected agreement that small samples do not bias.

    Observed agreement is SPA, with the same schemes. Expected agreement is that of two annotations of *different* items,
    over all such pairs (``cross-item``): pairs of annotations of the same item agree because of the item, and counting them,
    as shares of pooled labels do (``naive``), makes chance look too large. Items with one annotation count towards chance.

    When to use
    -----------
    Crowds and other sparse designs, with few items above all.

    Not when
    --------
    A well-known coefficient is asked for: with many items Krippendorff's alpha is nearly the same. Hard items get more
    annotations than easy ones: missingness must have nothing to do with agreement.

    References
    ----------
    Nørregaard, J. and Derczynski, L. (2022). Sparse Probability of Agreement, for the observed part; chance over pairs of
    different items is assent's own answer to what the paper leaves open.

    Examples
    --------
    >>> import assent
    >>> table = [["a", "a", None], ["b", "b", "b"], ["a", "b", None], [None, "b", "b"]]
    >>> round(assent.spa_kappa(table).value, 3), round(assent.spa_kappa(table, chance="naive").value, 3)
    (0.647, 0.55)
    """
    totals = items.total(items.counts)
    annotations = items.total(items.sizes)
    same, pairs = (totals**2).sum(-1), annotations**2
    if chance == "cross-item":
        # Take away the pairs within items, and each annotation with itself.
        same = same - items.total(Identity().pairs(items.counts) + items.sizes)
        pairs = pairs - items.total(items.sizes**2)
    return Components(observed=sparse_agreement(items, scheme), expected=same / pairs)


def sparse_agreement(items: Counts, scheme: str) -> Array:
    """Average the agreement of items, weighted by their number of annotations as the scheme says: (...,)."""
    agreement = Identity().pairs(items.counts) / items.pairs
    if scheme != "inv-var-class":
        weights = items.pairable * _SCHEMES[scheme](items.sizes)
        return np.asarray(items.total(weights * agreement) / items.total(weights))
    share = items.total(scale_rows(items.counts, items.pairable))
    share = share / share.sum(-1)[..., None]
    variance = agreement_variance(items.sizes, (share**2).sum(-1)[..., None], (share**3).sum(-1)[..., None])
    # With one label in use there is no variance to weigh by, and any weights give the same answer.
    weights = items.pairable / np.where(variance == 0, 1.0, variance)
    return np.asarray(items.total(weights * agreement, varying=True) / items.total(weights, varying=True))


def agreement_variance(sizes: Array, squares: Array, cubes: Array) -> Array:
    """Variance of an item's agreement when labels are drawn independently.

    The agreement is a U-statistic with the kernel "the two labels are the same", which has a closed form.

    Parameters
    ----------
    sizes : array (profiles,)
        Annotations of the item; where fewer than two, the result means nothing.
    squares, cubes : array (..., 1)
        Sums of the squared and of the cubed label probabilities.
    """
    n = np.maximum(sizes, 2.0)
    return np.asarray(2.0 / (n * (n - 1.0)) * (2.0 * (n - 2.0) * (cubes - squares**2) + squares - squares**2))


_SCHEMES: dict[str, Callable[[Array], Array]] = {
    "flat": np.ones_like,
    "annotations": lambda n: n,
    "annotations-m1": lambda n: n - 1.0,
    "edges": lambda n: n * (n - 1.0) / 2.0,
    # For equally frequent labels the variance is exactly proportional to 1 / edges, whatever their number.
    "inv-var": lambda n: n * (n - 1.0) / 2.0,
}
