"""The coefficients: all that fit, which one to quote and why, and what makes them mislead."""

from __future__ import annotations

import math
from typing import Any

from assent.analyses.findings.search import findings
from assent.analyses.interpretation import BENCHMARKS, Target, against_target, interpret, memberships
from assent.measures import find
from assent.reports.context import Measured, ReportContext
from assent.text import counted

__all__ = ["coefficient", "coefficients_section"]


def coefficients_section(ground: ReportContext) -> dict[str, Any]:
    """Return the measures as the command line prints them as JSON, the one to quote, and the findings."""
    settings = ground.settings
    found = findings(ground.data, scale=settings.scale, seed=settings.seed, gaps=ground.gaps)
    return {
        "measures": [coefficient(one, settings.target) for one in ground.measured],
        "quote": ground.choice.quote,
        "reasons": [*ground.choice.reasons, *_left_out(ground)],
        "findings": [one.to_dict() for one in found],
    }


def _left_out(ground: ReportContext) -> list[str]:
    """Say which measures are not in the report though they fit."""
    data = ground.data
    return [
        f"{find(name).title} is left out: its interval needs the share of each of {len(data.labels):,} labels by each of "
        f"{counted(data.annotator_count or 0, 'annotator')}, and would take longer than all the rest (assent measure -m {name})."
        for name in ground.left_out
    ]


def coefficient(measured: Measured, goal: Target | None) -> dict[str, Any]:
    """Return a coefficient as plain values, with what the number is called and how it stands to a target."""
    agreement, interval = measured.agreement, measured.interval
    value, ends = agreement.value, (interval.low, interval.high)
    words = None
    if agreement.chance_corrected and not math.isnan(value):
        words = [
            {
                **interpret(value, *ends, scale=scale).to_dict(),
                "memberships": [one._asdict() for one in memberships(value, interval.standard_error, scale)],
            }
            for scale in BENCHMARKS
        ]
    return {
        **agreement.to_dict(interval),
        "p_value": None,
        "by_label": None,
        "interpretation": words,
        "target": None if goal is None else against_target(value, *ends, goal).to_dict(),
        "missingness": None,
    }
