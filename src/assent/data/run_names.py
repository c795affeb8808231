"""Runs of one judge that were given as annotators of their own, as run1 and run2 or gpt_run_1 and gpt_run_2."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from assent.text import named

__all__ = ["ONE_JUDGE", "mixes_runs", "names_runs", "runs_by_name", "runs_note"]

#: What the judge is called where the names say which run it is and no more.
ONE_JUDGE = "judge"

_WORDS = "run|repeat|repetition|rep|replicate|replication|trial|attempt|try|seed|iteration|iter|resample"
_RUN = re.compile(
    rf"(?P<before>.*?)(?<![^\W\d_])(?:{_WORDS})[\s_.#-]*(?P<run>\d{{1,6}})(?P<after>(?:[\s_.#-].*)?)", re.I
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
#: Columns of a long table that hold runs.
_COLUMN = re.compile(rf"(?:{_WORDS})(?:[\s_.-]*(?:id|no|nr|number|index|name))?", re.I)


def names_runs(column: str) -> bool:
    """Tell whether a column is called as one is that tells runs apart.

    Examples
    --------
    >>> names_runs("run_id"), names_runs("runner")
    (True, False)
    """
    return _COLUMN.fullmatch(column.strip()) is not None


def runs_by_name(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return judge and run of the names that are called like runs of one judge, of which there are two or more.

    Examples
    --------
    >>> runs_by_name(["gpt_run_1", "gpt_run_2", "ann"])
    {'gpt_run_1': ('gpt', '1'), 'gpt_run_2': ('gpt', '2')}
    >>> runs_by_name(["run1", "run2"])
    {'run1': ('judge', '1'), 'run2': ('judge', '2')}
    >>> runs_by_name(["judge1", "judge2", "prune1"])
    {}
    """
    found = {}
    for name in names:
        parts = _RUN.fullmatch(_HUMP.sub("_", name.strip()))
        if parts is not None:
            judge = " ".join(one for one in (parts["before"].strip(" _.#-"), parts["after"].strip(" _.#-")) if one)
            found[name] = (judge or ONE_JUDGE, parts["run"])
    sizes = Counter(judge for judge, _ in found.values())
    once = Counter(found.values())
    return {name: one for name, one in found.items() if sizes[one[0]] > 1 and once[one] == 1}


def mixes_runs(annotators: Sequence[str]) -> bool:
    """Tell whether runs of a judge stand among other annotators, whose agreement they raise.

    Examples
    --------
    >>> mixes_runs(["run1", "run2", "ann"]), mixes_runs(["run1", "run2"]), mixes_runs(["ann", "bob"])
    (True, False, False)
    """
    found = runs_by_name(annotators)
    return bool(found) and (len(found) < len(annotators) or len({judge for judge, _ in found.values()}) > 1)


def runs_note(annotators: Sequence[str]) -> list[str]:
    """Say so if annotators are called like runs of one judge: one note, or none."""
    found = runs_by_name(annotators)
    if not found:
        return []
    judges = len({judge for judge, _ in found.values()})
    whose = "one judge" if judges == 1 else f"{judges:,} judges"
    return [
        f"{named(list(found))} look like {len(found):,} runs of {whose}, and each counts as an annotator here: a judge that agrees with "
        "itself raises the agreement of all (`assent repeat` measures runs; keep one run a judge for everything else)."
    ]
