"""Fleiss' kappa."""

from __future__ import annotations

import numpy as np

from assent.measures.components import Components
from assent.measures.observed import mean_pair_agreement
from assent.measures.registry import measure
from assent.profiles import Counts
from assent.scales import AgreementWeights

__all__ = ["fleiss_kappa"]


@measure(
    title="Fleiss' kappa",
    aliases=["fleiss"],
    profiles=Counts,
    references=["fleiss1971", "gwet2014"],
    uses_single_annotations=True,
)
def fleiss_kappa(items: Counts, agree: AgreementWeights) -> Components:
    """Agreement of any number of annotators beyond what their pooled labels would give by chance.

    Observed agreement is the percent agreement. Expected agreement is that of two labels drawn from the shares of
    the labels, averaged over items. Annotators need not be the same for all items, nor equally many: this is
    Gwet's generalisation, in which an item with one annotation still counts towards the shares.
    With two annotators and no gaps it is Scott's pi.

    When to use
    -----------
    Two or more interchangeable annotators, labels without order (or with weights), any number of annotations
    per item.

    Not when
    --------
    One label is much more frequent than the others: expected agreement is then high and the coefficient low in spite of
    high observed agreement; quote percent agreement and Gwet's AC1 beside it. With few items
    Krippendorff's alpha corrects for the small sample, Fleiss' kappa does not.

    References
    ----------
    Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76(5), 378-382.
    https://doi.org/10.1037/h0031619
    Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed. Advanced Analytics.

    Examples
    --------
    >>> import assent
    >>> round(assent.fleiss_kappa([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"]]).value, 3)
    0.55
    """
    share = items.total(agree.features(items.shares)) / items.total(np.ones_like(items.sizes))[..., None]
    return Components(observed=mean_pair_agreement(items, agree), expected=agree.between(share, share))
