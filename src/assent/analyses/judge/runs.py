"""Judges that labelled items several times: the first run is compared with people, and all of them say how far a judge repeats itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.judge.jury import soft_of_several
from assent.analyses.judge.panel import Panel
from assent.analyses.judge.soft import SoftLabels
from assent.analyses.repeat import JudgeRepeats, NoiseCeiling, open_runs, repeat
from assent.analyses.repeat.runs import runs_of
from assent.data import Annotations
from assent.data.judge_names import ONE_JUDGE, runs_note, runs_of_judges
from assent.records import Struct
from assent.text import quoted

__all__ = ["JudgeRuns"]


class JudgeRuns(Struct, frozen=True, kw_only=True, eq=False):
    """Labels in several runs.

    Parameters
    ----------
    data : Annotations
        The first run of everybody, under the names of the annotators.
    whole : Annotations
        All runs, each as an annotator.
    runs : mapping of str to tuple of str
        The annotators of `whole` that are the runs of each annotator of `data`.
    by_name : bool
        Runs are told by what the annotators are called, not by a column.
    """

    data: Annotations
    whole: Annotations
    runs: Mapping[str, tuple[str, ...]]
    by_name: bool = False

    @classmethod
    def read(cls, data: Any, run: str, reading: Mapping[str, Any]) -> JudgeRuns:
        """Read a table in which an annotator may have an item several times."""
        found = runs_of(open_runs(data, run, None, reading))
        runs = dict(zip(found.judges, found.runs, strict=True))
        first = {some[0]: name for name, some in runs.items()}
        one = found.data.only_annotators(list(first)).rename_annotators(first)
        return cls(data=replace(one, notes=found.data.notes), whole=found.data, runs=runs)

    @classmethod
    def called_like_runs(cls, data: Annotations, judges: Sequence[str]) -> JudgeRuns | None:
        """Take annotators called like runs of a judge as its runs; None if there are none."""
        found = runs_of_judges(data.annotators or (), judges)
        if not any(len(some) > 1 for some in found.values()):
            return None
        extra = {run for some in found.values() for run in some[1:]}
        runs: dict[str, tuple[str, ...]] = {name: (name,) for name in data.annotators or () if name not in extra}
        for name, some in found.items():
            runs.pop(some[0], None)
            runs[name] = some
        first = {some[0]: name for name, some in runs.items()}
        one = data.only_annotators(list(first)).rename_annotators(first)
        said = tuple(note for note in data.notes if note not in runs_note(data.annotators or ()))
        return cls(data=replace(one, notes=said), whole=data, runs=runs, by_name=True)

    def about(
        self, judge: str, people: Sequence[str], *, scale: str, level: float, replicates: int, seed: int
    ) -> tuple[JudgeRepeats | None, NoiseCeiling | None]:
        """Say how far a judge repeats itself, and how far it can then agree with people; None for one run."""
        if len(self.runs[judge]) < 2:
            return None, None
        some = [*self.runs[judge], *(self.runs[name][0] for name in people)]
        found = repeat(
            self.whole.only_annotators(some),
            runs=self.runs[judge] if self.by_name else None,
            scale=scale,
            level=level,
            replicates=replicates,
            seed=seed,
        )
        called = ONE_JUDGE if self.by_name else judge
        ceiling = next(
            (replace(one, first=judge) for one in found.ceilings if one.people and one.first == called), None
        )
        return next((replace(one, judge=judge) for one in found.judges if one.judge == called), None), ceiling

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
        which = quoted(runs[0]) if self.by_name else "the first"
        return [
            f"{quoted(judge)} has {len(runs):,} runs: it is compared with people by {which}, and all of them say how far it repeats itself, what noise "
            "leaves of agreement, and its shares of labels."
        ]
