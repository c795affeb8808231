"""Sections of a report on spans: where annotators differ, label by label, annotator by annotator, document by document."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from assent.analyses.recommend import SPAN_QUESTIONS
from assent.analyses.spans import Boundaries, Differences, boundaries, differences, span_items
from assent.documents import Document, Result
from assent.documents.blocks import Block, Heading, Prose, Section, notes
from assent.limits import DISPUTED_ITEMS
from assent.reports.context import ReportContext, attempt
from assent.reports.sections.answer import AnswerSection, answer_section
from assent.reports.sections.verdict import VerdictSection, verdict_section
from assent.text import counted, percent

__all__ = [
    "DifferencesSection",
    "span_annotators_section",
    "span_differences_section",
    "span_items_section",
    "span_labels_section",
    "span_verdict_section",
]


class DifferencesSection(Result, frozen=True, kw_only=True, eq=False):
    """What becomes of spans, and where those that are cut otherwise begin and end."""

    differences: Differences
    boundaries: Boundaries

    def to_dict(self) -> dict[str, Any]:
        """Return classes and boundaries as plain values."""
        return {**self.differences.to_dict(), "boundaries": self.boundaries.to_dict()}

    def document(self) -> Document:
        """Return the section of the report."""
        found = self.differences
        blocks: list[Block] = [found.table()]
        if found.costliest is not None:
            blocks.append(
                Prose(
                    [
                        "Every span is compared with each other annotator who judged the document, and belongs to one class in that "
                        "comparison: classes add up. Finding costs what the other did not mark, naming what has another label, cutting what "
                        "has other ends; spans that have both are shared by the last two."
                    ]
                )
            )
        if edges := self.boundaries.blocks():
            blocks += [Heading("Where spans begin and end"), *edges]
        said = found.advice() or "Annotators mark the same spans."
        return Document("Where they differ", [Section("differences", "Where they differ", said, blocks)])


def span_differences_section(context: ReportContext) -> DifferencesSection | None:
    """Return what becomes of spans; None if there is nothing to compare."""
    data: Any = context.data
    found = attempt(lambda: differences(data))
    return None if found is None else DifferencesSection(differences=found, boundaries=boundaries(found))


def span_verdict_section(context: ReportContext) -> VerdictSection:
    """Return the verdict: which question each number answers, and what pulls it down, finding, cutting or naming."""
    section = context.sections.get("differences")
    questions = {name: question for name, (_, question) in SPAN_QUESTIONS.items()}
    known = [(one, questions[name]) for one in context.measured if (name := one.agreement.measure) in questions]
    made = replace(
        verdict_section(context),
        question=questions.get(context.quoted.agreement.measure, ""),
        others=tuple(pair for pair in known if pair[0] is not context.quoted),
    )
    if not isinstance(section, DifferencesSection) or section.differences.costliest is None:
        return made
    found = section.differences
    cost = sum(found.costs.values())
    what = {"finding": "marked by one only", "cutting": "other ends", "naming": "other label"}
    ranked = sorted((one for one in found.costs.items() if one[1] > 0), key=lambda one: -one[1])
    lacks = [percent(part / cost) for _, part in ranked]
    lacks[0] += " of what F1 lacks"
    causes = tuple(f"{step} spans ({many}: {what[step]})" for (step, _), many in zip(ranked, lacks, strict=True))
    return replace(made, causes=causes, next=found.step())


def span_labels_section(context: ReportContext) -> AnswerSection | None:
    """Return how far annotators agree on each label; None if there is nothing to compare."""
    made = answer_section(context, "labels", "Labels")
    return made if made is not None and made.found.labels else None


def span_annotators_section(context: ReportContext) -> AnswerSection | None:
    """Return how each annotator differs from the others; None if there is nothing to compare."""
    return answer_section(context, "annotators", "Annotators")


def span_items_section(context: ReportContext) -> AnswerSection | None:
    """Return the most disputed documents; None if there is nothing to compare."""
    data: Any = context.data
    found = attempt(lambda: span_items(data))
    if found is None:
        return None
    listed = found.head(DISPUTED_ITEMS)
    without = sum(one.f1 == 0 for one in found.items)
    takeaway = ""
    if any(one.f1 > 0 for one in found.items):
        takeaway = "Every document with spans has one that two annotators both marked."
    if without:
        have = "has" if without == 1 else "have"
        takeaway = (
            f"{without:,} of {counted(len(found.items), 'document')} {have} no span that two annotators both marked."
        )
    blocks = (found.table(DISPUTED_ITEMS), *notes(found.notes), *found.shown(texts=context.settings.show_texts))
    return AnswerSection(name="items", title="What is disputed", takeaway=takeaway, found=listed, blocks=blocks)
