"""Judges beside people: is the model a member of the team, could it stand in for a person, and where does it err?"""

from __future__ import annotations

from assent.analyses.judge.compare import judge
from assent.analyses.judge.gates import GateOutcome
from assent.analyses.judge.result import JudgeComparison, Verdict

__all__ = ["GateOutcome", "JudgeComparison", "Verdict", "judge"]
