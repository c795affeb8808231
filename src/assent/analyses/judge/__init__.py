"""Judges beside people: whether a model is a member of the team, could stand in for a person, and where it errs."""

from __future__ import annotations

from assent.analyses.judge import gates as gates  # registers them
from assent.analyses.judge.compare import judge
from assent.analyses.judge.result import JudgeComparison, JudgeVerdict

__all__ = ["JudgeComparison", "JudgeVerdict", "judge"]
