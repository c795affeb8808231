"""Several questions about the same items: a report each, and what they say together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from assent.data import as_annotations
from assent.errors import NothingToCompare, OptionError
from assent.reports.anonymous import Names
from assent.reports.bibtex import bibtex
from assent.reports.building import ORDER, STAGES, Progress, Stages, appendix, report_of, works
from assent.reports.context import Settings
from assent.reports.document import overview_table
from assent.reports.latex import float_of
from assent.reports.markdown import table
from assent.reports.model import Report
from assent.text import counted, interval, shown
from assent.text import named as listed
from assent.text import value as value_text

__all__ = ["report_of_questions"]

#: The worst first.
_STATUS = ("undefined", "below", "unclear", None, "above")


def report_of_questions(
    data: Mapping[str, Any], settings: Settings, *, command: str | None = None, progress: Progress | None = None
) -> Report:
    """Make a report on several questions.

    Questions on which there is nothing to compare are named in the verdict and have no report.
    """
    if not data:
        raise OptionError("There is no question to report on: give a mapping of names to annotations.")
    reports: dict[str, Mapping[str, Any]] = {}
    skipped: dict[str, str] = {}
    share = 1.0 / len(data)
    given = {name: as_annotations(one) for name, one in data.items()}
    names = Names.of(*given.values()) if settings.anonymise else None
    for place, (name, one) in enumerate(given.items()):
        stages = Stages(progress, STAGES, start=place * share, share=share, what=name)
        about = replace(settings, title=name)
        try:
            reports[name] = report_of(one, about, command=command, stages=stages, names=names).content
        except NothingToCompare as error:
            skipped[name] = str(error)
    if not reports:
        raise NothingToCompare(f"None of {len(data):,} questions can be measured: {next(iter(skipped.values()))}")
    first = next(iter(reports.values()))
    content: dict[str, Any] = dict.fromkeys(ORDER)
    content |= {name: first[name] for name in ("assent", "made", "kind")}
    content |= {"title": settings.title, "advice": [], "verdict": _verdict(reports, skipped)}
    content["questions"] = [
        {
            "name": name,
            "verdict": one["verdict"],
            "report": dict(one),
        }
        for name, one in reports.items()
    ]
    content["how_to_report"] = _how_to_report(content, reports)
    content["appendix"] = appendix(settings, command) | {
        "seconds": sum(one["appendix"]["seconds"] for one in reports.values()),
        "definitions": _definitions(reports),
        "skipped": [{"name": name, "reason": why} for name, why in skipped.items()],
    }
    return Report(content)


def _verdict(reports: Mapping[str, Mapping[str, Any]], skipped: Mapping[str, str]) -> dict[str, Any]:
    """Return the verdict on the weakest question, with a sentence about all."""
    verdicts = {name: one["verdict"] for name, one in reports.items()}

    def rank(name: str) -> tuple[int, float]:
        value = verdicts[name]["value"]
        return _STATUS.index(verdicts[name]["status"]), -2.0 if value is None else value

    ranked = sorted(verdicts, key=rank)
    weakest, best = ranked[0], ranked[-1]
    said = [
        f"{counted(len(verdicts), 'question')}: agreement is lowest on {shown(weakest)} {_number(verdicts[weakest])}"
    ]
    if best != weakest:
        said.append(f"and highest on {shown(best)} {_number(verdicts[best])}")
    sentence = f"{' '.join(said)}{_standing(verdicts)}."
    if skipped:
        sentence += f" Nothing could be compared on {listed(list(skipped))}."
    if verdicts[weakest]["causes"]:
        sentence += f" What pulls {shown(weakest)} down: {'; '.join(verdicts[weakest]['causes'])}."
    return {
        **verdicts[weakest],
        "sentence": sentence,
        "question": weakest,
        "next": f"Begin with {shown(weakest)}. {verdicts[weakest]['next']}",
    }


def _number(verdict: Mapping[str, Any]) -> str:
    if verdict["value"] is None:
        return f"({verdict['title']} is undefined)"
    low, high = verdict["low"], verdict["high"]
    sure = "" if low is None else f", {interval(low, high)}"
    return f"({verdict['title']} {value_text(verdict['value'], low, high)}{sure})"


def _standing(verdicts: Mapping[str, Mapping[str, Any]]) -> str:
    """Say how many questions reach the target, if there is one."""
    target = next(iter(verdicts.values()))["target"]
    if target is None:
        return ""
    count = {key: sum(one["status"] == key for one in verdicts.values()) for key in ("above", "unclear", "below")}
    return (
        f"; of the {target:.2f} that the task asks for, {count['above']} are above, {count['below']} below and "
        f"{count['unclear']} not clearly either"
    )


def _how_to_report(content: Mapping[str, Any], reports: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return what each question says, and one table of all."""
    made: dict[str, str] = {}
    for part in ("methods", "results", "limitations", "plain"):
        made[part] = "\n".join(f"{shown(name)}: {one['how_to_report'][part]}" for name, one in reports.items())
    whole = overview_table(content["questions"])
    caption = f"Inter-annotator agreement on {counted(len(reports), 'question')}."
    return {
        **made,
        "latex_table": float_of(whole, caption),
        "markdown_table": table(whole) + "\n",
        "bibtex": bibtex([key for one in reports.values() for key in works(one)], version=content["assent"]),
    }


def _definitions(reports: Mapping[str, Mapping[str, Any]]) -> list[dict[str, str]]:
    known = {one["name"]: one["text"] for report in reports.values() for one in report["appendix"]["definitions"]}
    return [{"name": name, "text": text} for name, text in known.items()]
