"""Annotators one by one: how far each agrees with the others, where they lean, and who is an outlier."""

from __future__ import annotations

from assent.diagnostics.team.diagnosis import annotator_report
from assent.diagnostics.team.repeats import both_passes, self_consistency
from assent.diagnostics.team.report import AnnotatorReport

__all__ = ["AnnotatorReport", "annotator_report", "both_passes", "self_consistency"]
