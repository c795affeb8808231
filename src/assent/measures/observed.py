"""Agreement as it is observed, without correction for chance."""

from __future__ import annotations

import numpy as np

from assent.measures.components import Components
from assent.measures.registry import measure
from assent.profiles import Array, Counts
from assent.scales import AgreementWeights

__all__ = ["mean_label_shares", "mean_pair_agreement", "percent_agreement"]


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
