"""Every coefficient. Importing this package registers them all; one file holds one family."""

from __future__ import annotations

from assent.measures.cohen import cohen_kappa, scott_pi
from assent.measures.components import Components
from assent.measures.conger import conger_kappa
from assent.measures.fleiss import fleiss_kappa
from assent.measures.gwet import brennan_prediger, gwet_ac
from assent.measures.krippendorff import krippendorff_alpha
from assent.measures.multilabel import (
    augmented_kappa,
    boot_f1,
    boot_match,
    boot_precision,
    boot_recall,
    soft_match,
)
from assent.measures.numbers import icc, lin_concordance
from assent.measures.observed import percent_agreement
from assent.measures.registry import Measure, all_measures, find
from assent.measures.spa import spa, spa_kappa
from assent.measures.van_oest import van_oest

__all__ = [
    "Components",
    "Measure",
    "all_measures",
    "augmented_kappa",
    "boot_f1",
    "boot_match",
    "boot_precision",
    "boot_recall",
    "brennan_prediger",
    "cohen_kappa",
    "conger_kappa",
    "find",
    "fleiss_kappa",
    "gwet_ac",
    "icc",
    "krippendorff_alpha",
    "lin_concordance",
    "percent_agreement",
    "scott_pi",
    "soft_match",
    "spa",
    "spa_kappa",
    "van_oest",
]
