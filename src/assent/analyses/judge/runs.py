"""Judges that labelled items several times: the first run is compared with people, and all of them say how far a judge repeats itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assent.analyses.judge.jury import soft_of_several
from assent.analyses.judge.panel import Panel
from assent.analyses.judge.soft import SoftLabels
from assent.analyses.repeat import JudgeRepeats, NoiseCeiling, open_runs, repeat
from assent.analyses.repeat.runs import runs_of
from assent.data import Annotations
from assent.text import quoted

__all__ = ["JudgeRuns"]


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgeRuns:
    """Labels in several runs.

    Parameters
    ----------
    data : Annotations
        The first run of everybody, under the names of the annotators.
    whole : Annotations
        All runs, each as an annotator.
    runs : mapping of str to tuple of str
        The annotators of `whole` that are the runs of each annotator of `data`.
    """

    data: Annotations
    whole: Annotations
    runs: Mapping[str, tuple[str, ...]]

    @classmethod
    def read(cls, data: Any, run: str, reading: Mapping[str, Any]) -> JudgeRuns:
        """Read a table in which an annotator may have an item several times."""
        found = runs_of(open_runs(data, run, None, reading))
        runs = dict(zip(found.judges, found.runs, strict=True))
        first = {some[0]: name for name, some in runs.items()}
        one = found.data.only_annotators(list(first)).rename_annotators(first)
        return cls(data=replace(one, notes=found.data.notes), whole=found.data, runs=runs)

    def about(
        self, judge: str, people: Sequence[str], *, scale: str, level: float, replicates: int, seed: int
    ) -> tuple[JudgeRepeats | None, NoiseCeiling | None]:
        """Say how far a judge repeats itself, and how far it can then agree with people; None for one run."""
        if len(self.runs[judge]) < 2:
            return None, None
        some = [*self.runs[judge], *(self.runs[name][0] for name in people)]
        found = repeat(self.whole.only_annotators(some), scale=scale, level=level, replicates=replicates, seed=seed)
        ceiling = next((one for one in found.ceilings if one.people and one.first == judge), None)
        return next((one for one in found.judges if one.judge == judge), None), ceiling

    def soft(self, judge: str, people: Sequence[str], *, scale: str, level: float) -> SoftLabels | None:
        """Score the shares of a judge's labels over its runs against those of the people."""
        runs = self.runs[judge]
        panel = Panel.of(
            self.whole.only_annotators([*runs, *(self.runs[name][0] for name in people)]), runs, scale=scale
        )
        rows = np.flatnonzero((panel.verdicts >= 0).any(axis=1) & (panel.codes >= 0).any(axis=1))
        return soft_of_several(panel, rows, level=level)

    def note(self, judge: str) -> list[str]:
        """Say which run stands for the judge."""
        runs = self.runs[judge]
        if len(runs) < 2:
            return []
        return [
            f"{quoted(judge)} has {len(runs):,} runs: it is compared with people by the first, and all of them say how far it repeats itself, what noise "
            "leaves of agreement, and its shares of labels."
        ]
