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

from assent._version import __version__

# Checkers of types take this for that of `typing`, which takes longer to import than all that is here: the program is told of Ctrl+C
# once this is through.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any as _Any

    from assent.analyses.advice import Advice
    from assent.analyses.advise import advise
    from assent.analyses.annotators import AnnotatorReport, annotators, self_consistency
    from assent.analyses.ceiling import Ceiling, ceiling
    from assent.analyses.compare import Comparison, compare
    from assent.analyses.consensus import Consensus, GoldComparison, GoldScore, consensus
    from assent.analyses.difference import Difference, difference
    from assent.analyses.explain import Explanation, explain
    from assent.analyses.findings.finding import Finding
    from assent.analyses.findings.search import findings
    from assent.analyses.interpretation import interpret
    from assent.analyses.items import ItemAgreement, items
    from assent.analyses.judge import JudgeComparison, judge
    from assent.analyses.labels import Coincidences, LabelSummary, coincidences, labels
    from assent.analyses.look import Look, look
    from assent.analyses.measure import Measured, Measurement, measure
    from assent.analyses.missingness import Missingness, missingness
    from assent.analyses.monitor import Monitoring, monitor
    from assent.analyses.plan import Plan, plan
    from assent.analyses.preferences import Consistency, Strengths, consistency, strengths
    from assent.analyses.repeat import Repeatability, repeat
    from assent.analyses.sweep import Sweep, sweep
    from assent.data import Annotations, BestWorst, Dropped, Preferences, Rankings, Spans
    from assent.errors import AssentError, InputError, OptionError
    from assent.measures import (
        Components,
        Measure,
        all_measures,
        alpha_cu,
        alpha_ku,
        alpha_u,
        alpha_u_1995,
        alpha_u_binary,
        augmented_kappa,
        best_worst_agreement,
        boot_f1,
        boot_match,
        boot_precision,
        boot_recall,
        boundary_similarity,
        brennan_prediger,
        cohen_kappa,
        conger_kappa,
        fleiss_kappa,
        gamma,
        gamma_cat,
        gwet_ac,
        icc,
        kendall_w,
        krippendorff_alpha,
        lin_concordance,
        mean_kendall,
        mean_spearman,
        percent_agreement,
        pk,
        position_alpha,
        position_kappa,
        preference_agreement,
        rbo,
        relation_f1,
        scott_pi,
        soft_match,
        spa,
        spa_kappa,
        span_attribute_alpha,
        span_f1,
        span_label_alpha,
        span_label_kappa,
        span_semeval,
        tau_ap,
        van_oest,
        weighted_tau,
        window_diff,
    )
    from assent.measures.results import Agreement, Interval, PairAgreement
    from assent.readers import read, read_all
    from assent.reports import Report, report
    from assent.web import serve

# Where each public name lives; coefficients are found in `assent.measures`. Nothing is imported before it is asked for: `import assent` costs milliseconds.
_HOMES = {
    "Agreement": "assent.measures.results",
    "Annotations": "assent.data",
    "AnnotatorReport": "assent.analyses.annotators",
    "annotators": "assent.analyses.annotators",
    "self_consistency": "assent.analyses.annotators",
    "AssentError": "assent.errors",
    "Ceiling": "assent.analyses.ceiling",
    "Coincidences": "assent.analyses.labels",
    "Comparison": "assent.analyses.compare",
    "compare": "assent.analyses.compare",
    "Components": "assent.measures",
    "Consensus": "assent.analyses.consensus",
    "consensus": "assent.analyses.consensus",
    "Difference": "assent.analyses.difference",
    "Dropped": "assent.data",
    "Explanation": "assent.analyses.explain",
    "Finding": "assent.analyses.findings.finding",
    "GoldComparison": "assent.analyses.consensus",
    "GoldScore": "assent.analyses.consensus",
    "InputError": "assent.errors",
    "ItemAgreement": "assent.analyses.items",
    "LabelSummary": "assent.analyses.labels",
    "Interval": "assent.measures.results",
    "JudgeComparison": "assent.analyses.judge",
    "judge": "assent.analyses.judge",
    "PairAgreement": "assent.measures.results",
    "Look": "assent.analyses.look",
    "look": "assent.analyses.look",
    "Plan": "assent.analyses.plan",
    "Sweep": "assent.analyses.sweep",
    "Measure": "assent.measures",
    "Monitoring": "assent.analyses.monitor",
    "monitor": "assent.analyses.monitor",
    "OptionError": "assent.errors",
    "Report": "assent.reports",
    "difference": "assent.analyses.difference",
    "ceiling": "assent.analyses.ceiling",
    "coincidences": "assent.analyses.labels",
    "items": "assent.analyses.items",
    "labels": "assent.analyses.labels",
    "explain": "assent.analyses.explain",
    "findings": "assent.analyses.findings.search",
    "Advice": "assent.analyses.advice",
    "Missingness": "assent.analyses.missingness",
    "advise": "assent.analyses.advise",
    "missingness": "assent.analyses.missingness",
    "interpret": "assent.analyses.interpretation",
    "report": "assent.reports",
    "Repeatability": "assent.analyses.repeat",
    "repeat": "assent.analyses.repeat",
    "Measured": "assent.analyses.measure",
    "Measurement": "assent.analyses.measure",
    "measure": "assent.analyses.measure",
    "all_measures": "assent.measures",
    "plan": "assent.analyses.plan",
    "sweep": "assent.analyses.sweep",
    "Rankings": "assent.data",
    "Preferences": "assent.data",
    "BestWorst": "assent.data",
    "strengths": "assent.analyses.preferences",
    "Strengths": "assent.analyses.preferences",
    "consistency": "assent.analyses.preferences",
    "Consistency": "assent.analyses.preferences",
    "read": "assent.readers",
    "read_all": "assent.readers",
    "Spans": "assent.data",
    "serve": "assent.web",
}

__all__ = [
    "Advice",
    "Agreement",
    "Annotations",
    "AnnotatorReport",
    "AssentError",
    "BestWorst",
    "Ceiling",
    "Coincidences",
    "Comparison",
    "Components",
    "Consensus",
    "Consistency",
    "Difference",
    "Dropped",
    "Explanation",
    "Finding",
    "GoldComparison",
    "GoldScore",
    "InputError",
    "Interval",
    "ItemAgreement",
    "JudgeComparison",
    "LabelSummary",
    "Look",
    "Measure",
    "Measured",
    "Measurement",
    "Missingness",
    "Monitoring",
    "OptionError",
    "PairAgreement",
    "Plan",
    "Preferences",
    "Rankings",
    "Repeatability",
    "Report",
    "Spans",
    "Strengths",
    "Sweep",
    "__version__",
    "advise",
    "all_measures",
    "alpha_cu",
    "alpha_ku",
    "alpha_u",
    "alpha_u_1995",
    "alpha_u_binary",
    "annotators",
    "augmented_kappa",
    "best_worst_agreement",
    "boot_f1",
    "boot_match",
    "boot_precision",
    "boot_recall",
    "boundary_similarity",
    "brennan_prediger",
    "ceiling",
    "cohen_kappa",
    "coincidences",
    "compare",
    "conger_kappa",
    "consensus",
    "consistency",
    "difference",
    "explain",
    "findings",
    "fleiss_kappa",
    "gamma",
    "gamma_cat",
    "gwet_ac",
    "icc",
    "interpret",
    "items",
    "judge",
    "kendall_w",
    "krippendorff_alpha",
    "labels",
    "lin_concordance",
    "look",
    "mean_kendall",
    "mean_spearman",
    "measure",
    "missingness",
    "monitor",
    "percent_agreement",
    "pk",
    "plan",
    "position_alpha",
    "position_kappa",
    "preference_agreement",
    "rbo",
    "read",
    "read_all",
    "relation_f1",
    "repeat",
    "report",
    "scott_pi",
    "self_consistency",
    "serve",
    "soft_match",
    "spa",
    "spa_kappa",
    "span_attribute_alpha",
    "span_f1",
    "span_label_alpha",
    "span_label_kappa",
    "span_semeval",
    "strengths",
    "sweep",
    "tau_ap",
    "van_oest",
    "weighted_tau",
    "window_diff",
]


def __getattr__(name: str) -> _Any:
    """Import a public name when it is first used."""
    value = getattr(importlib.import_module(_HOMES[name]), name) if name in _HOMES else _measure(name)
    if value is None:
        raise AttributeError(f"module 'assent' has no attribute {name!r}")
    globals()[name] = value
    return value


def _measure(name: str) -> _Any:
    """Return a coefficient by the name of its function, also one of another package; None if there is none."""
    import importlib.util

    # A name with an underscore, or of a module that is about to be imported, is no coefficient.
    if name.startswith("_") or importlib.util.find_spec(f"assent.{name}") is not None:
        return None
    from assent.measures import all_measures

    return all_measures().get(name.replace("_", "-"))


def __dir__() -> list[str]:
    """List the public names, with coefficients that other packages brought once these have been looked for."""
    import sys

    found = sys.modules.get("assent.measures")
    known = () if found is None else (name.replace("-", "_") for name in found.all_measures())
    return sorted({*__all__, *known})
