"""From annotations to a report: every section in turn."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from assent.analyses.interpretation import BENCHMARKS
from assent.analyses.interpretation import target as target_of
from assent.data.coerce import is_one_table
from assent.data.distance_labels import with_distance
from assent.documents import Result
from assent.errors import OptionError, choose
from assent.label_distances import Tree
from assent.measures._preparation import as_dataset
from assent.reports.anonymous import Names
from assent.reports.context import ReportContext, Settings
from assent.reports.glossary import definitions
from assent.reports.kinds import kind_of
from assent.reports.model import TITLE, Report
from assent.reports.sections.appendix import AppendixSection
from assent.reports.sections.coefficients import CoefficientsSection
from assent.reports.sections.data import DataSection
from assent.reports.sections.judges import with_judges
from assent.reports.sections.reporting import reporting_section
from assent.scales import SCALES

__all__ = ["Progress", "Ready", "Stages", "report", "report_of"]

#: Called with the share of the work that is done, from 0 to 1, and what is under way.
Progress = Callable[[float, str], None]
#: Called with the name of a section and the section, or None where there is none, as soon as it is made.
Ready = Callable[[str, Result | None], None]

#: What kinds of data are called in the JSON; others keep their name.
_KINDS = {"labels": "single", "label-sets": "multilabel"}


def report(
    data: Any,
    *,
    task: str | float | None = None,
    scale: str | None = None,
    level: float = 0.95,
    seed: int = 0,
    text: str | None = None,
    by: str | None = None,
    title: str | None = None,
    anonymise: bool = False,
    ambiguity: bool | None = None,
    baseline: str | os.PathLike[str] | None = None,
    show_texts: bool = True,
    words: str | None = None,
    judge: str | Sequence[str] = (),
    distance: str | None = None,
    tree: Tree | None = None,
    command: str | None = None,
    progress: Progress | None = None,
    ready: Ready | None = None,
) -> Report:
    """Make a report of some annotations: how far annotators agree, how sure that is, where they do not, and what to do.

    Parameters
    ----------
    data : Annotations or data of another kind, whatever annotations can be made from, or a mapping of str to these
        A mapping of names to data holds several questions about the items: each gets a report of its own within the report.
    task : {"objective", "standard", "subjective", "highly-subjective"} or float, optional
        What kind of task it is, and so what agreement to ask for; or a number to ask for.
    scale : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement; nominal if not given.
    level : float
        Confidence level of all intervals.
    seed : int
        Of everything that is drawn. The same seed gives the same digits.
    text : str, optional
        Column with the content of the items, to show with the most disputed ones; it must have been read along
        (``assent.read(…, columns=["text"])``).
    by : str, optional
        Column with groups, such as the language, whose agreement is compared; it must have been read along, too.
    title : str, optional
    anonymise : bool
        Annotators become A1, A2, …, items numbers, and texts are left out.
    ambiguity : bool, optional
        For sets of labels: several labels of an item can all be true (True), or they are doubt about one true label (False).
    baseline : path, optional
        JSON of an earlier report or measurement: how the number to quote differs from the one there.
    show_texts : bool
        For spans: show the most disputed documents with their text, where it is known; else offsets alone.
    words : {"landis-koch", "krippendorff", "fleiss", "cicchetti", "mcbride"}, optional
        A scale of words to show beside the one that is usual for the coefficient.
    judge : str or sequence of str
        Annotators who are judges, such as models. The report is about the others, and has a section on how the judges compare with them.
    distance : str, optional
        How labels are compared that are more than names, as in `assent.krippendorff_alpha`: levenshtein, token-jaccard, rouge-l, boxes,
        keypoints, taxonomy or package.module:function. The report then quotes alpha with that distance, and compares nothing by name.
    tree : mapping or path, optional
        The parent of each label, for the distance taxonomy.
    command : str, optional
        The command line, for the appendix; left out of an anonymous report.
    progress : callable, optional
        Called with the share of the work that is done and what is under way.
    ready : callable, optional
        Called with the name of each section and the section as soon as it is made, of one question; None stands for a section that does
        not apply.

    Returns
    -------
    Report

    Examples
    --------
    >>> import assent
    >>> made = assent.report(assent.read("examples/sentiment.csv"), task="standard")
    >>> made.to_dict()["verdict"]["status"]
    'below'
    """
    if not 0 < level < 1:
        raise OptionError(f"The confidence level is {level}; it must lie between 0 and 1, as 0.95 does.")
    if seed < 0:
        raise OptionError(f"`seed` is {seed}; it must not be negative.")
    settings = Settings(
        target=None if task is None else target_of(task),
        scale=None if scale is None else choose("scale", scale, SCALES),
        level=level,
        seed=seed,
        text=None if anonymise else text,
        by=by,
        title=title or TITLE,
        anonymise=anonymise,
        ambiguity=ambiguity,
        baseline=None if baseline is None else os.fspath(baseline),
        show_texts=show_texts,
        words=None if words is None else choose("words", words.replace("_", "-"), BENCHMARKS),
        judges=(judge,) if isinstance(judge, str) else tuple(judge),
        distance=distance,
    )
    said = None if anonymise else command
    if isinstance(data, Mapping) and not is_one_table(data):
        from assent.reports.questions import report_of_questions

        if baseline is not None:
            raise OptionError(
                "`baseline` holds one number against another, and there are several questions: report on each alone."
            )
        compared = {name: with_distance(one, distance, tree, scale=scale) for name, one in data.items()}
        return report_of_questions(compared, settings, command=said, progress=progress)
    data = with_distance(data, distance, tree, scale=scale)
    return report_of(as_dataset(data), settings, command=said, progress=progress, ready=ready)


class Stages:
    """Report which of several stages is under way.

    Parameters
    ----------
    stages : int
        How many there are.
    start, share : float
        Where the stages begin in the whole work, and which share of it they are.
    what : str
        What they are about, if there are several such works.
    """

    def __init__(
        self, progress: Progress | None, stages: int, *, start: float = 0.0, share: float = 1.0, what: str = ""
    ) -> None:
        self._progress, self._what = progress, what
        self._start, self._step, self._done = start, share / stages, 0

    def next(self, stage: str) -> None:
        """Begin the next stage."""
        if self._progress is not None:
            self._progress(self._start + self._step * self._done, f"{self._what}: {stage}" if self._what else stage)
        self._done += 1


def report_of(
    data: Any,
    settings: Settings,
    *,
    command: str | None = None,
    stages: Stages | None = None,
    progress: Progress | None = None,
    names: Names | None = None,
    ready: Ready | None = None,
) -> Report:
    """Make the report of one question; `stages` and `names` are those of several questions together."""
    began = time.perf_counter()
    kind = kind_of(data)
    stage = stages or Stages(progress, kind.stages)
    stage.next("Counting labels by item")
    if settings.judges:
        data, judged = with_judges(data, kind, settings, names)
    else:
        data, judged = kind.prepare(data, settings, names), None
    context = ReportContext(data, settings, one_of_several=stages is not None, judged=judged)
    for one in kind.sections:
        if one.stage:
            stage.next(one.stage)
        context.sections[one.name] = one.make(context)
        if ready is not None:
            ready(one.name, context.sections[one.name])
    stage.next("Putting it into words")
    sections, verdict = context.sections, kind.verdict(context)
    described, coefficients = sections["data"], sections["coefficients"]
    assert isinstance(described, DataSection)
    assert isinstance(coefficients, CoefficientsSection)
    return Report(
        title=settings.title,
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        kind=_KINDS.get(data.kind, data.kind),
        settings=settings,
        verdict=verdict,
        sections=sections,
        within={one.name: one.within for one in kind.sections if one.within},
        reporting=reporting_section(described, coefficients, verdict, sections, seed=settings.seed),
        appendix=AppendixSection(
            settings=settings,
            seconds=time.perf_counter() - began,
            definitions=definitions(sections, coefficients.measured, scale=settings.scale),
            command=command,
        ),
        look=None if kind.every_item is None else partial(kind.every_item, data, settings),
    )
