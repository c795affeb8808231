"""Every coefficient: one small function in one file, found and not listed.

Importing this package registers them all. A new file here, or a module that an installed package names under the entry point
``assent.measures``, adds its coefficients to the library, the command line, the documentation and the common checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assent.measures.components import Components
from assent.measures.registry import MEASURES, Measure, all_measures, find

MEASURES.look_inside()
# Modules called like the measure they hold, as `spa` is, give way to it.
globals().update({name.replace("-", "_"): found for name, found in MEASURES.known().items()})

# For type checkers, which do not run the search.
if TYPE_CHECKING:
    from assent.measures.cohen import cohen_kappa, scott_pi
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
    from assent.measures.preferences import best_worst_agreement, preference_agreement
    from assent.measures.rankings import kendall_w, mean_kendall, mean_spearman
    from assent.measures.spa import spa, spa_kappa
    from assent.measures.top_weighted import rbo, tau_ap, weighted_tau
    from assent.measures.van_oest import van_oest

__all__ = [
    "Components",
    "Measure",
    "all_measures",
    "augmented_kappa",
    "best_worst_agreement",
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
    "kendall_w",
    "krippendorff_alpha",
    "lin_concordance",
    "mean_kendall",
    "mean_spearman",
    "percent_agreement",
    "preference_agreement",
    "rbo",
    "scott_pi",
    "soft_match",
    "spa",
    "spa_kappa",
    "tau_ap",
    "van_oest",
    "weighted_tau",
]


def __getattr__(name: str) -> Any:
    """Return a measure by the name of its function."""
    found = MEASURES.known().get(name.replace("_", "-"))
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return found
