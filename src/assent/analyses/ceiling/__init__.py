"""How an annotator scores against the majority of the others."""

from __future__ import annotations

from assent.analyses.ceiling.result import AnnotatorScore, Ceiling, Score, ceiling

__all__ = ["AnnotatorScore", "Ceiling", "Score", "ceiling"]
