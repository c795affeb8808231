"""Gwet's AC1 and AC2, and the coefficient of Brennan and Prediger: chance as guessing."""

from __future__ import annotations

import numpy as np

from assent.measures.components import Components
from assent.measures.observed import mean_label_shares, mean_pair_agreement
from assent.measures.registry import measure
from assent.profiles import Array, Counts
from assent.scales import AgreementWeights

__all__ = ["brennan_prediger", "gwet_ac"]


def sum_of_weights(agree: AgreementWeights, labels: int) -> Array:
    """Add up the agreement weights of all pairs of labels."""
    each_once = np.asarray(agree.features(np.ones((1, labels))))[0]
    return agree.between(each_once, each_once)


@measure(
    title="Gwet's AC",
    profiles=Counts,
    references=["gwet2008", "gwet2014"],
    uses_single_annotations=True,
    aliases=["gwet-ac1", "gwet-ac2", "gwet", "ac1", "ac2"],
    titled=lambda options, weights: "Gwet's AC1" if weights == "identity" else "Gwet's AC2",
)
def gwet_ac(items: Counts, agree: AgreementWeights) -> Components:
    """Agreement beyond chance where chance means guessing on hard items: stable when one label is frequent.

    Observed agreement is the percent agreement. Expected agreement is the chance that at least one of two annotators
    guesses and both then agree, estimated from the shares of the labels: it is largest for equal shares and small when
    one label dominates, so high agreement on skewed labels stays high. Without weights it is AC1, with weights AC2.
    Labels that could have been used count, used or not: name them all with the order option.

    When to use
    -----------
    One label is much more frequent than the others and kappa is low in spite of high agreement: quote it beside kappa.
    Any number of annotators, missing labels, any scale.

    Not when
    --------
    As a way to get a higher number: say why it was chosen. With two equally frequent labels it says what kappa says.

    References
    ----------
    Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high agreement.
    British Journal of Mathematical and Statistical Psychology 61(1), 29-48. https://doi.org/10.1348/000711006X126600
    Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed. Advanced Analytics.

    Examples
    --------
    >>> import assent
    >>> toxic = assent.Annotations.from_contingency([[2, 3], [3, 92]], labels=["toxic", "safe"])
    >>> round(assent.gwet_ac(toxic).value, 3), round(assent.cohen_kappa(toxic).value, 3)
    (0.934, 0.368)
    """
    share = mean_label_shares(items)
    labels = len(items.labels)
    guessing = sum_of_weights(agree, labels) / (labels * (labels - 1.0)) if labels > 1 else np.asarray(np.nan)
    return Components(observed=mean_pair_agreement(items, agree), expected=guessing * (share * (1.0 - share)).sum(-1))


@measure(
    title="Brennan-Prediger", profiles=Counts, references=["brennan1981", "gwet2014"], aliases=["pabak", "bennett-s"]
)
def brennan_prediger(items: Counts, agree: AgreementWeights) -> Components:
    """Agreement beyond that of annotators who use all labels equally often.

    Observed agreement is the percent agreement; expected agreement is one over the number of labels (with weights, the
    mean weight). Also known as S, as G and, with two labels, as PABAK, the prevalence- and bias-adjusted
    kappa. Labels that could have been used count, used or not: name them all with the order option.

    When to use
    -----------
    Chance shall not depend on the labels that were found, such as in comparisons of tasks with the same labels.

    Not when
    --------
    Some labels are hardly ever used: each of them lowers expected agreement and so raises the coefficient.

    References
    ----------
    Brennan, R. L. and Prediger, D. J. (1981). Coefficient kappa: some uses, misuses, and alternatives. Educational and
    Psychological Measurement 41(3), 687-699. https://doi.org/10.1177/001316448104100307
    Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed. Advanced Analytics.

    Examples
    --------
    >>> import assent
    >>> round(assent.brennan_prediger([["a", "a"], ["b", "b"], ["a", "b"], ["a", "a"]]).value, 3)
    0.5
    """
    labels = len(items.labels)
    return Components(observed=mean_pair_agreement(items, agree), expected=sum_of_weights(agree, labels) / labels**2)
