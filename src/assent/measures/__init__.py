"""Every coefficient. Importing this package registers them all; one file holds one family."""

from __future__ import annotations

from assent.measures.fleiss import fleiss_kappa
from assent.measures.krippendorff import krippendorff_alpha
from assent.measures.observed import percent_agreement, spa
from assent.measures.registry import Components, Measure, all_measures, find

__all__ = [
    "Components",
    "Measure",
    "all_measures",
    "find",
    "fleiss_kappa",
    "krippendorff_alpha",
    "percent_agreement",
    "spa",
]
