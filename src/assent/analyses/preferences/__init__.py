"""Preferences one by one: how strong objects are, and how consistent annotators."""

from __future__ import annotations

from assent.analyses.preferences.consistency import Consistency, consistency
from assent.analyses.preferences.strengths import Strengths, strengths

__all__ = ["Consistency", "Strengths", "consistency", "strengths"]
