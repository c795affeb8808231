"""From annotations to a report: every section in turn."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from assent._version import __version__
from assent.analyses.interpretation import target as target_of
from assent.analyses.items import ItemAgreement, item_agreement
from assent.analyses.thresholds import BENCHMARKS
from assent.data import Annotations, as_annotations
from assent.documents import Result
from assent.errors import NothingToCompare, OptionError, UnsuitableData, choose
from assent.measures import find
from assent.reports.anonymous import Names, anonymous
from assent.reports.bibtex import bibtex
from assent.reports.context import ReportContext, Settings, check_kept, check_labels
from assent.reports.glossary import definitions
from assent.reports.latex import table_of_coefficients as latex_table
from assent.reports.markdown import table_of_coefficients as markdown_table
from assent.reports.model import Report
from assent.reports.sections.advice import advice_section, ceiling_section, plan_section
from assent.reports.sections.annotators import annotators_section
from assent.reports.sections.coefficients import coefficients_section
from assent.reports.sections.data import data_section
from assent.reports.sections.groups import groups_section
from assent.reports.sections.items import items_section
from assent.reports.sections.labels import labels_section
from assent.reports.sections.special import multilabel_section, sparse_section
from assent.reports.sections.verdict import verdict_section
from assent.reports.wording import limitations, methods, results
from assent.scales import SCALES

__all__ = ["ORDER", "STAGES", "Progress", "Stages", "appendix", "make_report", "report_of", "works"]

#: Called with the share of the work that is done, from 0 to 1, and what is under way.
Progress = Callable[[float, str], None]

PACKAGES = ("numpy", "scipy", "polars", "narwhals", "altair", "vl-convert-python", "jinja2")


def make_report(
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
    command: str | None = None,
    progress: Progress | None = None,
) -> Report:
    """Make a report of some annotations: how far annotators agree, how sure that is, where they do not, and what to do.

    Parameters
    ----------
    data : Annotations, whatever they can be made from, or a mapping of str to these
        A mapping holds several questions about the items: each gets a report of its own within the report.
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
    command : str, optional
        The command line, for the appendix; left out of an anonymous report.
    progress : callable, optional
        Called with the share of the work that is done and what is under way.

    Returns
    -------
    Report

    Examples
    --------
    >>> import assent
    >>> report = assent.make_report(assent.read("examples/sentiment.csv"), task="standard")
    >>> report.to_dict()["verdict"]["status"]
    'below'
    """
    if not 0 < level < 1:
        raise OptionError(f"The confidence level is {level}; it must lie between 0 and 1, as 0.95 does.")
    if seed < 0:
        raise OptionError(f"seed is {seed}; it must not be negative.")
    settings = Settings(
        target=None if task is None else target_of(task),
        scale=None if scale is None else choose("scale", scale, SCALES),
        level=level,
        seed=seed,
        text=None if anonymise else text,
        by=by,
        title=title or "Agreement report",
        anonymise=anonymise,
        ambiguity=ambiguity,
    )
    said = None if anonymise else command
    if isinstance(data, Mapping):
        from assent.reports.questions import report_of_questions

        return report_of_questions(data, settings, command=said, progress=progress)
    return report_of(as_annotations(data), settings, command=said, progress=progress)


class Stages:
    """Tell whoever watches which of several stages is under way.

    Parameters
    ----------
    progress : callable or None
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


#: Stages of a report, for the progress bar.
STAGES = 10


def report_of(
    data: Annotations,
    settings: Settings,
    *,
    command: str | None = None,
    stages: Stages | None = None,
    progress: Progress | None = None,
    names: Names | None = None,
) -> Report:
    """Make the report of one question; `stages` and `names` are those of several questions together."""
    began = time.perf_counter()
    stage = stages or Stages(progress, STAGES)
    stage.next("Counting labels by item")
    if data.counts.pairable_items == 0:
        raise NothingToCompare(data.nothing_to_compare())
    check_labels(data)
    check_kept(data, settings.text, "text")
    check_kept(data, settings.by, "by")
    if settings.anonymise:
        data = anonymous(data, names or Names.of(data), settings.by)
    ground = ReportContext(data, settings)
    content: dict[str, Any] = {
        "assent": __version__,
        "title": settings.title,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "kind": "single" if data.sets is None else "multilabel",
        "verdict": None,
        "data": data_section(ground),
    }
    stage.next("Measuring agreement")
    content["coefficients"] = coefficients_section(ground)
    stage.next("Looking at the labels")
    content["labels"] = labels_section(ground)
    stage.next("Comparing annotators")
    content["annotators"] = annotators_section(ground)
    stage.next("Looking for disputed items")
    content["items"] = items_section(ground)
    stage.next("Looking at sets of labels")
    content["multilabel"] = _content(multilabel_section(ground))
    stage.next("Checking what is missing")
    content["sparse"] = _content(sparse_section(ground))
    stage.next("Looking for causes")
    content["advice"] = advice_section(ground).to_dict()
    content["plan"] = _content(plan_section(ground))
    content["ceiling"] = ceiling_section(ground)
    stage.next("Comparing groups")
    content["groups"] = groups_section(ground, one_of_several=stages is not None)
    stage.next("Putting it into words")
    content["questions"] = None
    content["verdict"] = verdict_section(
        ground, content["advice"], content["plan"], content["groups"], content["annotators"]
    )
    if content["multilabel"] is not None:
        content["multilabel"]["findings"] = content["coefficients"]["findings"]
    content["appendix"] = appendix(settings, command)
    content["appendix"]["definitions"] = definitions(content)
    content["how_to_report"] = _how_to_report(content)
    content["appendix"]["seconds"] = time.perf_counter() - began
    return Report({name: content[name] for name in ORDER}, partial(_every_item, data, settings))


def _content(section: Result | None) -> dict[str, Any] | None:
    return None if section is None else section.to_dict()


def _every_item(data: Annotations, settings: Settings) -> ItemAgreement:
    """Look at every item of a report."""
    if not data.local:
        raise UnsuitableData(
            "The items stay where they live: have the engine write them with data.write_items, on the command line with assent items "
            "--engine … -o FOLDER."
        )
    return item_agreement(data, text=settings.text, scale=settings.scale)


#: The sections in the order of the page.
ORDER = (
    "assent", "title", "made", "kind", "verdict", "data", "coefficients", "labels", "annotators", "items", "multilabel", "sparse",
    "advice", "plan", "ceiling", "groups", "questions", "how_to_report", "appendix",
)  # fmt: skip


def _how_to_report(content: Mapping[str, Any]) -> dict[str, str]:
    """Return the sentences, tables and references for a paper."""
    said = {"methods": methods(content), "results": results(content), "limitations": limitations(content)}
    return {
        **said,
        "latex_table": latex_table(content),
        "markdown_table": markdown_table(content),
        "bibtex": bibtex(works(content), version=__version__),
        "plain": " ".join(said.values()),
    }


def works(content: Mapping[str, Any]) -> list[str]:
    """List the works that define what was measured, how it was judged and how sure it is."""
    measures = content["coefficients"]["measures"]
    keys = [key for one in measures for key in find(one["measure"]).references]
    keys += [_SCALES[content["verdict"]["scale"]]]
    if any(one["ci"] and one["ci"]["method"] == "bootstrap" for one in measures):
        keys.append("efron1987")
    if content["sparse"] is not None:
        keys.append("norregaard2022")
    if content["groups"] is not None or any(one["tested"] for one in content["coefficients"]["findings"]):
        keys.append("holm1979")
    if content["annotators"] is not None:
        keys.append("benjamini1995")
    return keys


_SCALES = {
    BENCHMARKS["landis-koch"].source: "landis1977",
    BENCHMARKS["cicchetti"].source: "cicchetti1994",
}


def appendix(settings: Settings, command: str | None) -> dict[str, Any]:
    """Return the settings and versions; definitions and run time are filled in at the end."""
    target = settings.target
    return {
        "settings": {
            "task": None if target is None else target.name,
            "target": None if target is None else target.value,
            "scale": settings.scale,
            "level": settings.level,
            "seed": settings.seed,
            "text": settings.text,
            "by": settings.by,
            "anonymise": settings.anonymise,
            "ambiguity": settings.ambiguity,
        },
        "versions": {"assent": __version__, "python": platform.python_version(), **_versions()},
        "seed": settings.seed,
        "seconds": None,
        "definitions": [],
        "command": command,
    }


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
