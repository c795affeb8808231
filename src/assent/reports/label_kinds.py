"""What a report on labels and on sets of labels holds."""

from __future__ import annotations

from assent.analyses.items import ItemAgreement, items
from assent.data import Annotations
from assent.errors import NothingToCompare, UnsuitableData
from assent.reports.anonymous import Names, anonymous
from assent.reports.context import Settings, check_kept, check_labels
from assent.reports.kinds import SectionMaker, register_report
from assent.reports.sections.advice import advice_section, plan_section
from assent.reports.sections.annotators import annotators_section
from assent.reports.sections.baseline import baseline_section
from assent.reports.sections.causes import label_verdict_section
from assent.reports.sections.ceiling import ceiling_section
from assent.reports.sections.coefficients import label_coefficients_section
from assent.reports.sections.groups import groups_section
from assent.reports.sections.items import items_section
from assent.reports.sections.judges import judges_section
from assent.reports.sections.label_data import label_data_section
from assent.reports.sections.labels import labels_section, single_labels_section
from assent.reports.sections.repeats import repeats_section
from assent.reports.sections.special import multilabel_section, sparse_section

__all__: list[str] = []


def _prepared(data: Annotations, settings: Settings, names: Names | None) -> Annotations:
    """Refuse annotations of which there is nothing to report, and hide names if that was asked for."""
    if data._counts.pairable_items == 0:
        raise NothingToCompare(data._nothing_to_compare())
    check_kept(data, settings.text, "text")
    check_kept(data, settings.by, "by")
    return anonymous(data, names or Names.of(data), settings.by) if settings.anonymise else data


def _few_labels(data: Annotations, settings: Settings, names: Names | None) -> Annotations:
    """Refuse so many labels that no coefficient could have an interval, too."""
    prepared = _prepared(data, settings, names)
    check_labels(data)
    return prepared


def _every_item(data: Annotations, settings: Settings) -> ItemAgreement:
    """Look at every item of a report."""
    if not data.local:
        raise UnsuitableData("The items stay where they live: have the engine write them with data.write_items.")
    found = items(data, text=settings.text, scale=settings.scale)
    assert isinstance(found, ItemAgreement), "these are labels"
    return found


_DATA = SectionMaker(name="data", stage="", make=label_data_section)
_COEFFICIENTS = SectionMaker(name="coefficients", stage="Measuring agreement", make=label_coefficients_section)
_LABELS = SectionMaker(name="labels", stage="Looking at the labels", make=labels_section)
_SINGLE = SectionMaker(name="labels", stage="Looking at the labels", make=single_labels_section)
_ANNOTATORS = SectionMaker(name="annotators", stage="Comparing annotators", make=annotators_section)
_ITEMS = SectionMaker(name="items", stage="Looking for disputed items", make=items_section)
_CEILING = SectionMaker(name="ceiling", stage="Scoring annotators", make=ceiling_section, within="items")
_JUDGES = SectionMaker(name="judges", stage="Comparing models with people", make=judges_section)
_GROUPS = SectionMaker(name="groups", stage="Comparing groups", make=groups_section)
_SETS = SectionMaker(name="multilabel", stage="Looking at sets of labels", make=multilabel_section)
_SPARSE = SectionMaker(name="sparse", stage="Checking what is missing", make=sparse_section)
_ADVICE = SectionMaker(name="advice", stage="Looking for causes", make=advice_section)
_PLAN = SectionMaker(name="plan", stage="", make=plan_section, within="advice")

_BASELINE = SectionMaker(name="baseline", stage="", make=baseline_section)
_REPEATS = SectionMaker(name="repeats", stage="", make=repeats_section)

_FIRST, _NEXT, _LAST = (_DATA, _COEFFICIENTS, _BASELINE), (_ANNOTATORS, _ITEMS, _CEILING, _GROUPS), (_ADVICE, _PLAN)
_BOTH = {"verdict": label_verdict_section, "every_item": _every_item, "shares_names": True}
register_report("labels", (*_FIRST, _LABELS, *_NEXT, _JUDGES, _REPEATS, _SPARSE, *_LAST), prepare=_few_labels, **_BOTH)
register_report("label-sets", (*_FIRST, _SINGLE, *_NEXT, _SETS, *_LAST), prepare=_prepared, **_BOTH)
