"""Sections that some data have: several labels per annotation, and items that not everybody annotated."""

from __future__ import annotations

from typing import Any

from assent.analyses.sweep import PrimarySweep, primary_sweep
from assent.measures import spa
from assent.measures.results import plain
from assent.measures.spa import SCHEMES
from assent.reports.context import ReportContext, attempt

__all__ = ["multilabel_section", "sparse_section"]

#: Annotators whose sets are listed, those with the largest sets first.
MOST_ANNOTATORS = 60
#: Items of each class of the sweep that are named.
MOST_MEMBERS = 10
#: Sets of more annotators than this are not swept: every two of them would have to be compared.
MOST_SWEPT = 64


def multilabel_section(ground: ReportContext) -> dict[str, Any] | None:
    """Return what is special about sets of labels; None if annotations hold one label each."""
    data = ground.data
    if data.sets is None:
        return None
    shares = sorted(data.set_shares(), key=lambda one: -one.mean_labels)
    sweep = None
    # A sweep names every item, which data in an engine such as DuckDB are spared.
    if data.local and data.sets.ranked and 2 <= (data.annotator_count or 0) <= MOST_SWEPT:
        sweep = attempt(lambda: primary_sweep(data, level=ground.settings.level, seed=ground.settings.seed))
    return {
        "measures": [one.agreement.measure for one in ground.measured],
        "set_sizes": [
            {
                "annotator": one.annotator,
                "annotations": one.annotations,
                "mean_labels": one.mean_labels,
                "share_several": one.share,
            }
            for one in shares[:MOST_ANNOTATORS]
        ],
        "set_sizes_more": max(0, len(shares) - MOST_ANNOTATORS),
        "ranked": data.sets.ranked,
        "sweep": None if sweep is None else _sweep(sweep),
        "findings": [],
    }


def _sweep(sweep: PrimarySweep) -> dict[str, Any]:
    """Return a sweep without its items, of which each class names a few."""
    interval = sweep.change_interval
    return {
        "points": [one.to_dict() for one in sweep.points],
        "change": {
            "value": plain(sweep.change),
            "standard_error": None if interval is None else plain(interval.standard_error),
            "ci": None if interval is None else interval.to_dict(),
        },
        "sentence": sweep.sentence,
        "classes": [{**one.to_dict(), "members": sweep.members(one.name)[:MOST_MEMBERS]} for one in sweep.classes],
        "unclassified": sweep.unclassified,
        "usable": sweep.usable,
        "high": sweep.high,
        "constant": sweep.constant,
        "average": sweep.average,
        "level": sweep.level,
        "notes": list(sweep.notes),
    }


def sparse_section(ground: ReportContext) -> dict[str, Any] | None:
    """Return SPA by scheme and whether what is missing has to do with agreement; None if everybody annotated everything."""
    if ground.gaps is None:
        return None
    schemes = []
    for scheme in SCHEMES:
        agreement = spa(ground.data, scheme=scheme)
        interval = agreement.confidence_interval(ground.settings.level)
        ends = {"low": plain(interval.low), "high": plain(interval.high)}
        schemes.append({"scheme": scheme, "value": plain(agreement.value), **ends})
    return {"schemes": schemes, "missingness": ground.gaps.to_dict(), "notes": []}
