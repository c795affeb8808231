"""The human ceiling: how well an annotator agrees with the majority of the others."""

from __future__ import annotations

from assent.analyses.ceiling.result import Ceiling, human_ceiling

__all__ = ["Ceiling", "human_ceiling"]
