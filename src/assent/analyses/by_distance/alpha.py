"""Krippendorff's alpha with the distance of some labels, which everything said of them is in terms of."""

from __future__ import annotations

from assent.data.distance_labels import DistanceLabels
from assent.measures import find
from assent.measures.results import Agreement

__all__ = ["about_alpha", "alpha_of"]


def alpha_of(data: DistanceLabels) -> Agreement:
    """Measure Krippendorff's alpha with the distance of the data."""
    return find("krippendorff-alpha")(data, **data.options)


def about_alpha(alpha: Agreement) -> list[str]:
    """Say that the expected distance comes from a sample of pairs, or that there is no agreement beyond chance to measure."""
    error = alpha.details["monte_carlo_error"]
    drawn = f"The expected distance comes from random pairs of annotations (seed 0), which moves alpha by about {error:.1g} (Monte Carlo error)."
    return [*([drawn] if error > 0 else []), *([alpha.undefined] if alpha.undefined else [])]
