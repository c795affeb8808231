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
    from assent.consensus import Consensus, GoldScore, aggregate
    from assent.diagnostics import Finding, Missingness, findings, missingness
    from assent.diagnostics.advice import Advice, advise
    from assent.diagnostics.ceiling import Ceiling, human_ceiling
    from assent.diagnostics.confusions import Coincidences, DisputedPair, coincidences, disputed_pairs
    from assent.diagnostics.items import ItemAgreement, item_agreement
    from assent.diagnostics.merges import Merges, label_merges
    from assent.diagnostics.spellings import similar_labels
    from assent.diagnostics.summary import LabelSummary, label_summary
    from assent.diagnostics.sweep import PrimarySweep, primary_sweep
    from assent.diagnostics.team import AnnotatorReport, annotator_report, self_consistency
    from assent.differences import Difference, difference
    from assent.errors import AssentError, InputError, OptionError
    from assent.explanation import Explanation, explain
    from assent.interpretation import interpret
    from assent.measures import (
        Components,
        Measure,
        all_measures,
        augmented_kappa,
        boot_f1,
        boot_match,
        boot_precision,
        boot_recall,
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
        soft_match,
        spa,
        spa_kappa,
        van_oest,
    )
    from assent.monitoring import Monitoring, monitor
    from assent.planning import Plan, plan
    from assent.readers import read
    from assent.report import Report, make_report
    from assent.results import Agreement, Interval, PairAgreement

# Where each public name lives. Nothing is imported before it is asked for: `import assent` costs milliseconds.
_HOMES = {
    "aggregate": "assent.consensus",
    "Agreement": "assent.results",
    "Annotations": "assent.annotations",
    "AnnotatorReport": "assent.diagnostics.team",
    "annotator_report": "assent.diagnostics.team",
    "self_consistency": "assent.diagnostics.team",
    "AssentError": "assent.errors",
    "Ceiling": "assent.diagnostics.ceiling",
    "Coincidences": "assent.diagnostics.confusions",
    "Components": "assent.measures",
    "Consensus": "assent.consensus",
    "Difference": "assent.differences",
    "DisputedPair": "assent.diagnostics.confusions",
    "Dropped": "assent.annotations",
    "Explanation": "assent.explanation",
    "Finding": "assent.diagnostics",
    "GoldScore": "assent.consensus",
    "InputError": "assent.errors",
    "ItemAgreement": "assent.diagnostics.items",
    "LabelSummary": "assent.diagnostics.summary",
    "Merges": "assent.diagnostics.merges",
    "Interval": "assent.results",
    "PairAgreement": "assent.results",
    "Plan": "assent.planning",
    "PrimarySweep": "assent.diagnostics.sweep",
    "Measure": "assent.measures",
    "Monitoring": "assent.monitoring",
    "monitor": "assent.monitoring",
    "OptionError": "assent.errors",
    "Report": "assent.report",
    "difference": "assent.differences",
    "coincidences": "assent.diagnostics.confusions",
    "disputed_pairs": "assent.diagnostics.confusions",
    "human_ceiling": "assent.diagnostics.ceiling",
    "item_agreement": "assent.diagnostics.items",
    "label_merges": "assent.diagnostics.merges",
    "label_summary": "assent.diagnostics.summary",
    "similar_labels": "assent.diagnostics.spellings",
    "explain": "assent.explanation",
    "findings": "assent.diagnostics",
    "Advice": "assent.diagnostics.advice",
    "Missingness": "assent.diagnostics",
    "advise": "assent.diagnostics.advice",
    "missingness": "assent.diagnostics",
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
    "make_report": "assent.report",
    "measure": "assent.api",
    "all_measures": "assent.measures",
    "percent_agreement": "assent.measures",
    "augmented_kappa": "assent.measures",
    "boot_f1": "assent.measures",
    "boot_match": "assent.measures",
    "boot_precision": "assent.measures",
    "boot_recall": "assent.measures",
    "soft_match": "assent.measures",
    "plan": "assent.planning",
    "primary_sweep": "assent.diagnostics.sweep",
    "read": "assent.readers",
    "spa": "assent.measures",
    "spa_kappa": "assent.measures",
}

__all__ = [
    "Advice",
    "Agreement",
    "Annotations",
    "AnnotatorReport",
    "AssentError",
    "Ceiling",
    "Coincidences",
    "Components",
    "Consensus",
    "Difference",
    "DisputedPair",
    "Dropped",
    "Explanation",
    "Finding",
    "GoldScore",
    "InputError",
    "Interval",
    "ItemAgreement",
    "LabelSummary",
    "Measure",
    "Merges",
    "Missingness",
    "Monitoring",
    "OptionError",
    "PairAgreement",
    "Plan",
    "PrimarySweep",
    "Report",
    "__version__",
    "advise",
    "aggregate",
    "all_measures",
    "annotator_report",
    "augmented_kappa",
    "boot_f1",
    "boot_match",
    "boot_precision",
    "boot_recall",
    "brennan_prediger",
    "cohen_kappa",
    "coincidences",
    "conger_kappa",
    "difference",
    "disputed_pairs",
    "explain",
    "findings",
    "fleiss_kappa",
    "gwet_ac",
    "human_ceiling",
    "icc",
    "interpret",
    "item_agreement",
    "krippendorff_alpha",
    "label_merges",
    "label_summary",
    "lin_concordance",
    "make_report",
    "measure",
    "missingness",
    "monitor",
    "percent_agreement",
    "plan",
    "primary_sweep",
    "read",
    "scott_pi",
    "self_consistency",
    "similar_labels",
    "soft_match",
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
