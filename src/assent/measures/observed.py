"""Agreement as it is observed, without correction for chance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assent.measures.components import Components
from assent.measures.registry import measure
from assent.profiles import Array, Counts
from assent.scales import AgreementWeights, Identity

__all__ = ["percent_agreement", "spa"]

#: How much an item counts by its number of annotations. The paper's recommendation comes first.
SCHEMES = ("annotations-m1", "flat", "annotations", "edges", "inv-var", "inv-var-class")


def mean_pair_agreement(items: Counts, agree: AgreementWeights) -> Array:
    """Average over items with two or more annotations the share of their pairs that agree: (...,)."""
    return np.asarray(items.total(agree.pairs(items.counts) / items.pairs) / items.total(items.pairable))


def mean_label_shares(items: Counts) -> Array:
    """Average over items the share of each label among the item's annotations: (..., labels)."""
    return np.asarray(items.total(items.shares) / items.total(np.ones_like(items.sizes))[..., None])


@measure(title="Percent agreement", profiles=Counts, references=["gwet2014"], chance_corrected=False)
def percent_agreement(items: Counts, agree: AgreementWeights) -> Components:
    """Share of pairs of annotations that agree, averaged over the items.

    For each item with two or more annotations, count the pairs of annotations that agree and divide by all its
    pairs; the mean over these items is the percent agreement. Every item counts the same, however many
    annotations it has. With a scale or weights, near labels agree in part. It is not corrected for chance:
    its expected agreement is 0 by definition.

    When to use
    -----------
    Beside a chance-corrected coefficient, always: it says what the coefficient is made of, and everyone
    understands it.

    Not when
    --------
    As the only number. With one frequent label two annotators who click at random agree most of the time.
    It cannot be compared between tasks with different numbers of labels.

    References
    ----------
    Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed. Advanced Analytics.

    Examples
    --------
    >>> import assent
    >>> assent.percent_agreement([["a", "a"], ["b", "b"], ["a", "b"], ["a", "a"]]).value
    0.75
    """
    return Components(observed=mean_pair_agreement(items, agree))


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
    agreement = Identity().pairs(items.counts) / items.pairs
    if scheme != "inv-var-class":
        weights = items.pairable * _SCHEMES[scheme](items.sizes)
        return Components(observed=items.total(weights * agreement) / items.total(weights))
    share = items.total(items.counts)
    share = share / share.sum(-1)[..., None]
    variance = agreement_variance(items.sizes, (share**2).sum(-1)[..., None], (share**3).sum(-1)[..., None])
    # With one label in use there is no variance to weigh by, and any weights give the same answer.
    weights = items.pairable / np.where(variance == 0, 1.0, variance)
    return Components(
        observed=items.total(weights * agreement, varying=True) / items.total(weights * items.pairable, varying=True)
    )


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
