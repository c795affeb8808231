"""Names that models have, and runs of one judge that were given as annotators, as run1 and run2 or gpt_run_1 and gpt_run_2."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from assent.text import named

__all__ = [
    "LIFTED_BY_RUNS",
    "ONE_JUDGE",
    "looks_like_a_judge",
    "mixes_runs",
    "names_runs",
    "runs_by_name",
    "runs_note",
    "runs_of_judges",
]

#: What the judge is called where the names say which run it is and no more.
ONE_JUDGE = "judge"
#: Why a gate does not let through what runs among the annotators may have lifted.
LIFTED_BY_RUNS = "Runs of a judge count as annotators here and raise it: keep one run of each judge."

_WORDS = "run|repeat|repetition|rep|replicate|replication|trial|attempt|try|seed|iteration|iter|resample"
_RUN = re.compile(
    rf"(?P<before>.*?)(?<![^\W\d_])(?:{_WORDS})[\s_.#-]*(?P<run>\d{{1,6}})(?P<after>(?:[\s_.#)\]-].*)?)", re.I
)
_ANY_WORD = re.compile(_WORDS)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
#: Columns of a long table that hold runs.
_COLUMN = re.compile(rf"(?:{_WORDS})(?:[\s_.-]*(?:id|no|nr|number|index|name))?", re.I)

_JUDGES = re.compile(
    r"(?:^|[^a-z])(?:llms?|ai|judges?|models?|bot|gpt\w*|o[1-9](?:-mini)?|chatgpt|claude\w*|gemini\w*|gemma\w*|llama\w*|mi[sx]tral\w*"
    r"|qwen\w*|deepseek\w*|phi-?\d\w*|command-r\w*|grok\w*|predictions?)(?:$|[^a-z])",
    re.IGNORECASE,
)


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
    >>> runs_by_name(["gpt-4o (run 1)", "gpt-4o (run 2)"])
    {'gpt-4o (run 1)': ('gpt-4o', '1'), 'gpt-4o (run 2)': ('gpt-4o', '2')}
    >>> runs_by_name(["run1", "run2"])
    {'run1': ('judge', '1'), 'run2': ('judge', '2')}
    >>> runs_by_name(["judge1", "judge2", "prune1"])
    {}
    """
    names = tuple(names)
    text = "\n".join(names).lower()
    if text.isascii() and _ANY_WORD.search(text) is None:
        # Thousands of names, none of which has such a word in it, are not looked at one by one.
        return {}
    found = {}
    for name in names:
        parts = _RUN.fullmatch(_HUMP.sub("_", name.strip()))
        if parts is not None:
            judge = " ".join(filter(None, (parts[side].strip(" _.#-()[]") for side in ("before", "after"))))
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


def runs_of_judges(annotators: Sequence[str], judges: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the annotators that are runs of these judges by their names: of a judge named by one run, that one first.

    Where several runs of one judge are named, each is a judge, and the others are runs of the first.

    Examples
    --------
    >>> runs_of_judges(["ann", "gpt_run1", "gpt_run2"], ["gpt"])
    {'gpt': ('gpt_run1', 'gpt_run2')}
    >>> runs_of_judges(["ann", "gpt_run1", "gpt_run2", "gpt_run3"], ["gpt_run2", "ann"])
    {'gpt_run2': ('gpt_run2', 'gpt_run1', 'gpt_run3')}
    """
    found = runs_by_name(annotators)
    known, named, made = set(annotators), set(judges), {}
    taken = set()
    for name in dict.fromkeys(judges):
        whose = found[name][0] if name in found else name if name not in known else None
        members = [one for one, (judge, _) in found.items() if judge == whose]
        if not members or whose in taken:
            continue
        taken.add(whose)
        made[name] = tuple([name] * (name in members) + [one for one in members if one not in named])
    return made


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


def looks_like_a_judge(name: str) -> bool:
    """Tell whether an annotator is named as models are.

    Examples
    --------
    >>> [looks_like_a_judge(name) for name in ("gpt-4o", "llm_judge", "anna", "judith", "claude-3-opus")]
    [True, True, False, False, True]
    """
    return _JUDGES.search(name) is not None
