"""What a reader of numbers about repeats must know."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from assent.analyses.repeat.result import JudgeRepeats
from assent.analyses.repeat.runs import Runs
from assent.limits import RUNS_COMPARED
from assent.text import counted, named, quoted

__all__ = ["notes_of"]

#: From more items on, runs without a single change look like answers from a cache.
CACHED = 50
#: Two runs that never differ are odd if so small a chance would make them so.
ODD = 1e-3


def notes_of(runs: Runs, judges: Sequence[JudgeRepeats], once: Sequence[str], scale: str) -> tuple[str, ...]:
    """Say what was left out, what looks like a cache, and what the numbers are not."""
    return (
        *_missing(runs),
        *_unequal(runs),
        *(note for one in judges for note in _cached(runs, one)),
        *_of_one_judge(runs),
        *_of_people(once),
        *_of_scale(scale),
    )


def _missing(runs: Runs) -> list[str]:
    lost = sum(one.rows for one in runs.data.dropped if one.code == "missing-label")
    if not lost:
        return []
    return [
        f"{counted(lost, 'run')} of an item {'has' if lost == 1 else 'have'} no label: a missing verdict is left out, it is no change."
    ]


def _unequal(runs: Runs) -> list[str]:
    again = np.isin(runs.judge, runs.repeated)
    single = int(np.count_nonzero(runs.sizes[again] == 1))
    if not single:
        return []
    return [
        f"{counted(single, 'item')} of a judge with repeats {'was' if single == 1 else 'were'} run once and cannot change."
    ]


def _cached(runs: Runs, one: JudgeRepeats) -> list[str]:
    """Say so if runs are the same throughout, or two of them are."""
    items = one.flip_rate.n_items
    if one.flip_rate.value == 0.0:
        if items <= CACHED:
            return []
        return [
            f"All runs of {quoted(one.judge)} are the same on {counted(items, 'item')}: were the answers cached, or is one file a copy of "
            "another? A cache repeats itself whatever the judge does."
        ]
    rows = runs.rows
    assert rows.annotator is not None
    assert rows.annotators is not None
    mine = runs.runs[runs.judges.index(one.judge)]
    if not 2 < len(mine) <= RUNS_COMPARED:
        return []
    table = np.full((len(mine), len(runs.items)), -1, dtype=np.int64)
    for at, name in enumerate(mine):
        here = rows.annotator == rows.annotators.index(name)
        table[at, rows.item[here]] = rows.label[here]
    odd = []
    for first, second in combinations(range(len(mine)), 2):
        both = (table[first] >= 0) & (table[second] >= 0)
        shared = int(both.sum())
        luck = shared * math.log1p(-min(one.flip_rate.value, 0.999))
        if shared and luck < math.log(ODD) and (table[first][both] == table[second][both]).all():
            odd.append((mine[first], mine[second], shared))
    if not odd:
        return []
    first_name, second_name, shared = odd[0]
    more = f", and so are {counted(len(odd) - 1, 'other pair')} of runs" if len(odd) > 1 else ""
    return [
        f"The runs {quoted(first_name)} and {quoted(second_name)} are the same on all {counted(shared, 'item')} while others differ{more}: "
        "was one copied or cached?"
    ]


def _of_one_judge(runs: Runs) -> list[str]:
    if len(runs.judges) > 1:
        return []
    return [
        "With one judge the variance of items holds what this judge makes of them: a second judge would tell the two apart."
    ]


def _of_people(once: Sequence[str]) -> list[str]:
    if not once:
        return []
    whose = "has" if len(once) == 1 else "have"
    told = f"{named(list(once))} {whose} every item once and cannot be compared with {'itself' if len(once) == 1 else 'themselves'}"
    if len(once) == 1:
        return [f"{told}, so no ceiling of the agreement with it is known."]
    return [f"{told}: for the ceiling their agreement with each other stands in."]


def _of_scale(scale: str) -> list[str]:
    return {
        "nominal": [],
        "ordinal": [
            "Components of variance take labels that are numbers as they are, and the steps between other labels as equal."
        ],
        "interval": [],
        "ratio": ["Components of variance are those of the numbers themselves, as on an interval scale."],
    }[scale]
