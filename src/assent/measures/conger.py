"""Conger's kappa: Cohen's idea of chance for any number of annotators."""

from __future__ import annotations

import numpy as np

from assent.errors import UnsuitableData
from assent.limits import MOST_SHARES
from assent.measures.components import Components
from assent.measures.observed import mean_pair_agreement
from assent.measures.registry import measure
from assent.profiles import Counts, Ratings
from assent.scales import AgreementWeights

__all__ = ["conger_kappa"]


@measure(title="Conger's kappa", profiles=Ratings, references=["conger1980", "gwet2014"], uses_single_annotations=True)
def conger_kappa(items: Ratings, agree: AgreementWeights) -> Components:
    """Agreement of any number of annotators beyond what each one's own label shares would give by chance.

    Observed agreement is the percent agreement. Expected agreement is that of two different annotators, each of whom draws
    from their own shares of the labels, averaged over all pairs of annotators. Labels may be missing: an annotator's
    shares are taken from the items that annotator labelled. With two annotators and no gaps it is Cohen's kappa.

    When to use
    -----------
    The same few annotators throughout, whose leanings shall not count as agreement by chance.

    Not when
    --------
    Crowds, where hardly anyone labels enough items to show their leanings: Fleiss' kappa or Krippendorff's alpha.

    References
    ----------
    Conger, A. J. (1980). Integration and generalization of kappas for multiple raters. Psychological Bulletin 88(2), 322-328.
    https://doi.org/10.1037/0033-2909.88.2.322
    Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed. Advanced Analytics.

    Examples
    --------
    >>> import assent
    >>> round(assent.conger_kappa([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"]]).value, 3)
    0.571
    """
    labels = len(items.labels)
    if len(items.annotators) * labels > MOST_SHARES:
        raise UnsuitableData(
            f"There are {len(items.annotators):,} annotators and {labels:,} labels, too many for the shares of each label by each "
            "annotator: use fleiss-kappa or krippendorff-alpha."
        )
    chosen = items.total(items.chosen)
    chosen = chosen.reshape(*chosen.shape[:-1], len(items.annotators), labels)
    number = chosen.sum(-1)
    # A replicate may hold no item of some annotator, who then has no shares and is not there.
    here = (number != 0).astype(np.float64)
    shares = chosen / np.where(number == 0, 1.0, number)[..., None]
    features = np.asarray(agree.features(shares.reshape(-1, labels))).reshape(*shares.shape[:-1], -1)
    together = features.sum(-2)
    annotators = here.sum(-1)
    alike = agree.between(together, together) - agree.between(features, features).sum(-1)
    counts = Counts(
        counts=items.counts, multiplicities=items.multiplicities, labels=items.labels, weighting=items.weighting
    )
    return Components(observed=mean_pair_agreement(counts, agree), expected=alike / (annotators * (annotators - 1.0)))
