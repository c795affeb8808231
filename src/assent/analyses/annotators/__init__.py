"""Annotators one by one: how far each agrees with the others, where they lean, and who is an outlier."""

from __future__ import annotations

from assent.analyses.annotators.diagnosis import annotators
from assent.analyses.annotators.repeats import self_consistency
from assent.analyses.annotators.result import AnnotatorReport

__all__ = ["AnnotatorReport", "annotators", "self_consistency"]
