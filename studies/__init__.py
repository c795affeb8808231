"""Studies: experiments of papers, and our own, as code that anyone can run again.

A study is one module here (or a package) with a function ``run``, and one line in `STUDIES`::

    def run(*, seed: int = 1, quick: bool = False, progress: Progress | None = None, **own_options) -> StudyResult

``seed`` decides every digit. ``quick`` is the same experiment, made small enough for a test: a few seconds.
``progress`` is called with the share of the work that is done, from 0 to 1, and what is under way.
Nothing heavy is imported before a study runs.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from assent.errors import OptionError, did_you_mean
from assent.text import shown
from studies.result import Progress, StudyFinding, StudyResult, StudyTable, part, settings

__all__ = [
    "STUDIES",
    "Progress",
    "Study",
    "StudyFinding",
    "StudyResult",
    "StudyTable",
    "find_study",
    "part",
    "settings",
]

#: What every study takes; anything else in the signature of its ``run`` is an option of its own.
COMMON_OPTIONS = ("seed", "quick", "progress")


@dataclass(frozen=True)
class Study:
    """A study by name; its module is imported when it runs.

    Parameters
    ----------
    name : str
        What it is called on the command line.
    title : str
        One line that says what it shows.
    reference : str
        Key of the paper in `assent.references.REFERENCES`; empty if the study is our own.
    """

    name: str
    title: str
    reference: str = ""

    @property
    def module(self) -> str:
        """Path of the module that holds ``run``."""
        return f"studies.{self.name}"

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the options that this study alone takes."""
        return tuple(name for name in inspect.signature(self._run).parameters if name not in COMMON_OPTIONS)

    def run(self, **options: Any) -> StudyResult:
        """Run the study with its options."""
        unknown = [name for name in options if name not in (*COMMON_OPTIONS, *self.options)]
        if unknown:
            takes = ", ".join((*COMMON_OPTIONS, *self.options))
            raise OptionError(f"The study {self.name} takes no option {shown(unknown[0])}: it takes {takes}.")
        seed = options.get("seed", 1)
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise OptionError(f"seed is {shown(seed)}: give a whole number that is not negative.")
        return self._run(**options)

    @property
    def _run(self) -> Callable[..., StudyResult]:
        run: Callable[..., StudyResult] = importlib.import_module(self.module).run
        return run


_ALL = (
    Study(
        "spa2022",
        "Sparse probability of agreement: how much should an item with few annotations count?",
        "norregaard2022",
    ),
    Study("marchal2022", "Several labels per item: what double labels do to six measures.", "marchal2022"),
    Study("rosenberg2004", "Primary and secondary labels: does a sweep find how they are used?", "rosenberg2004"),
    Study("annotators", "Annotators: how often an honest one is flagged, and a bad one found."),
    Study("honest", "Honest people: how often unlike annotators and minority readers are said to differ."),
    Study("judges", "Judges: do the intervals of a judge beside people, and of a corrected rate, hold the truth?"),
    Study("spans", "Spans: how often does an interval of F1 over documents hold the true value?"),
    Study("peeking", "Peeking: does an interval that is looked at after every item keep its 5 %?", "waudbysmith2024"),
    Study(
        "repeats",
        "Repeats and comparisons: do the intervals of flip rates, majorities and differences hold what they promise?",
    ),
)
#: Every study by its name.
STUDIES: Mapping[str, Study] = MappingProxyType({study.name: study for study in _ALL})


def find_study(name: str) -> Study:
    """Return a study by name, or raise an error that offers the nearest."""
    if name not in STUDIES:
        raise OptionError(f"There is no study {shown(name)}: {did_you_mean(name, STUDIES)}")
    return STUDIES[name]
