"""Preferences one by one: how strong objects are, and how consistent annotators."""

from __future__ import annotations

from assent.analyses.preferences.bradley_terry import Strengths, strengths
from assent.analyses.preferences.circles import Consistency, consistency

__all__ = ["Consistency", "Strengths", "consistency", "strengths"]
