"""Inter-annotator agreement: how far annotators agree, how sure that is, and where they do not.

Examples
--------
>>> import assent
>>> table = [["pos", "pos"], ["neg", "neg"], ["pos", "neg"], ["neg", "neg"], ["pos", "pos"]]
>>> agreement = assent.krippendorff_alpha(table)
>>> round(agreement.value, 3)
0.64
>>> interval = agreement.confidence_interval(method="bootstrap", seed=1)
>>> interval.low < agreement.value < interval.high
True
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from assent._version import __version__

if TYPE_CHECKING:
    from assent.annotations import Annotations, Dropped
    from assent.api import measure
    from assent.diagnostics import Finding, findings
    from assent.differences import Difference, difference
    from assent.errors import AssentError, InputError, OptionError
    from assent.explanation import Explanation, explain
    from assent.interpretation import interpret
    from assent.measures import (
        Components,
        Measure,
        all_measures,
        brennan_prediger,
        cohen_kappa,
        conger_kappa,
        fleiss_kappa,
        gwet_ac,
        icc,
        krippendorff_alpha,
        lin_concordance,
        percent_agreement,
        scott_pi,
        spa,
        spa_kappa,
        van_oest,
    )
    from assent.readers import read
    from assent.results import Agreement, Interval, PairAgreement

# Where each public name lives. Nothing is imported before it is asked for: `import assent` costs milliseconds.
_HOMES = {
    "Agreement": "assent.results",
    "Annotations": "assent.annotations",
    "AssentError": "assent.errors",
    "Components": "assent.measures",
    "Difference": "assent.differences",
    "Dropped": "assent.annotations",
    "Explanation": "assent.explanation",
    "Finding": "assent.diagnostics",
    "InputError": "assent.errors",
    "Interval": "assent.results",
    "PairAgreement": "assent.results",
    "Measure": "assent.measures",
    "OptionError": "assent.errors",
    "difference": "assent.differences",
    "explain": "assent.explanation",
    "findings": "assent.diagnostics",
    "interpret": "assent.interpretation",
    "fleiss_kappa": "assent.measures",
    "cohen_kappa": "assent.measures",
    "scott_pi": "assent.measures",
    "conger_kappa": "assent.measures",
    "brennan_prediger": "assent.measures",
    "gwet_ac": "assent.measures",
    "icc": "assent.measures",
    "lin_concordance": "assent.measures",
    "van_oest": "assent.measures",
    "krippendorff_alpha": "assent.measures",
    "measure": "assent.api",
    "all_measures": "assent.measures",
    "percent_agreement": "assent.measures",
    "read": "assent.readers",
    "spa": "assent.measures",
    "spa_kappa": "assent.measures",
}

__all__ = [
    "Agreement",
    "Annotations",
    "AssentError",
    "Components",
    "Difference",
    "Dropped",
    "Explanation",
    "Finding",
    "InputError",
    "Interval",
    "Measure",
    "OptionError",
    "PairAgreement",
    "__version__",
    "all_measures",
    "brennan_prediger",
    "cohen_kappa",
    "conger_kappa",
    "difference",
    "explain",
    "findings",
    "fleiss_kappa",
    "gwet_ac",
    "icc",
    "interpret",
    "krippendorff_alpha",
    "lin_concordance",
    "measure",
    "percent_agreement",
    "read",
    "scott_pi",
    "spa",
    "spa_kappa",
    "van_oest",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'assent' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
