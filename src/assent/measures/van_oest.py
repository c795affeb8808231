"""The general coefficient of van Oest and Girard: chance with a prior."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from assent.measures.components import Components
from assent.measures.registry import measure
from assent.profiles import Counts
from assent.registry import Takes
from assent.scales import AgreementWeights

__all__ = ["van_oest"]

#: What each label is worth before the first annotation.
PRIORS = {"uniform": 1.0, "jeffreys": 0.5, "none": 0.0}


@measure(
    title="Van Oest's coefficient",
    profiles=Counts,
    references=["vanoest2019", "vanoest2022"],
    uses_single_annotations=True,
)
def van_oest(
    items: Counts,
    agree: AgreementWeights,
    *,
    prior: Annotated[
        Literal["uniform", "jeffreys", "none"], Takes(help="What is assumed of the labels beforehand.")
    ] = "uniform",
) -> Components:
    """Agreement beyond chance with shares of the labels that start out equal and follow the data as they come in.

    Observed agreement pools all pairs of annotations of the same item. Expected agreement is that of two labels drawn from
    the shares of the labels, estimated with a prior: each label starts with one annotation (``uniform``), with half
    of one (``jeffreys``) or with none. Without items it would be Brennan and Prediger's coefficient; with many it
    becomes Scott's pi and Fleiss' kappa. It takes any weights and incomplete data.

    When to use
    -----------
    Small samples with one frequent label, where the shares of the rare labels are hardly known.

    Not when
    --------
    Many items: it then says what Fleiss' kappa and Krippendorff's alpha say, and these are better known.

    References
    ----------
    van Oest, R. (2019). A new coefficient of interrater agreement: the challenge of highly unequal category proportions.
    Psychological Methods 24(4), 439-451. https://doi.org/10.1037/met0000183
    van Oest, R. and Girard, J. M. (2022). Weighting schemes and incomplete data: a generalized Bayesian framework for
    chance-corrected interrater agreement. Psychological Methods 27(6), 1069-1088. https://doi.org/10.1037/met0000412

    Examples
    --------
    >>> import assent
    >>> table = assent.Annotations.from_contingency([[118, 5], [2, 0]], labels=["no", "yes"])
    >>> round(assent.van_oest(table).value, 3), round(assent.cohen_kappa(table).value, 3)
    (0.089, -0.023)
    """
    start = np.asarray(agree.features(np.full((1, len(items.labels)), PRIORS[prior])))[0]
    total = items.total(items.sizes) + PRIORS[prior] * len(items.labels)
    share = (items.total(agree.features(items.counts)) + start) / total[..., None]
    observed = items.total(agree.pairs(items.counts)) / items.total(items.pairs * items.pairable)
    return Components(observed=observed, expected=agree.between(share, share))
