"""How near two labels are, for questions about items and annotators: one answer for all of them.

Names of labels are the same or not. On a scale near labels agree in part, by the weights of the kappa family; sets of labels agree as far as they
share labels, without regard to order (F1 of the two, as in boot-F1).
"""

from __future__ import annotations

import numpy as np

from assent.data import Annotations
from assent.errors import UnsuitableData
from assent.limits import LABELS_NEAR
from assent.profiles import Array
from assent.scales import AgreementWeights, Dense, agreement_weights, no_scale_of_sets
from assent.set_distances import shared

__all__ = ["compared_as", "near", "near_labels"]


def compared_as(data: Annotations) -> Annotations:
    """Return the annotations as they are compared: sets of labels without an order."""
    return data._without_ranks() if data._ranked else data


def near_labels(data: Annotations, scale: str | None = None) -> AgreementWeights | None:
    """Return the agreement of every two labels; None if labels are the same or not.

    Parameters
    ----------
    scale : {"nominal", "ordinal", "interval", "ratio"}, optional
    """
    if data.kind == "label-sets":
        if scale not in (None, "nominal"):
            raise UnsuitableData(no_scale_of_sets(scale))
        return None if len(data.labels) > LABELS_NEAR else Dense(shared(data._parts.membership), "shared labels")
    if scale in (None, "nominal"):
        return None
    return agreement_weights(data.labels, scale=scale, ordered=data._order_given, decimal=data._decimal)


def near(data: Annotations, scale: str | None = None) -> Array | None:
    """Return the same as a table: (labels, labels); None if labels are the same or not, or too many to compare each with each."""
    agree = near_labels(data, scale)
    if agree is None or len(data.labels) > LABELS_NEAR:
        return None
    every = np.arange(len(data.labels))
    return np.asarray(agree.of(every[:, None], every[None, :]), dtype=np.float64)
