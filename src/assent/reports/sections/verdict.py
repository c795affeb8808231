"""The verdict: the number to quote, what it means for this kind of task, what pulls it down, and what to do next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

from msgspec.structs import asdict

from assent.analyses.interpretation import against_target, usual_scale
from assent.analyses.thresholds import BENCHMARKS, ROUNDING, TASK_TARGETS, Benchmark, Target
from assent.documents import Document, Result
from assent.documents.blocks import Figure, Headline
from assent.records import Struct, plain
from assent.reports.charts.verdict import verdict_chart
from assent.reports.context import Measured, ReportContext
from assent.text import chosen, counted, interval, number
from assent.text import level as level_text
from assent.text import value as value_text

__all__ = ["STANDS", "Band", "VerdictSection", "a_task", "standing", "verdict_section"]

STATUS = {"clears": "above", "falls short": "below", "undecided": "unclear", "undefined": "undefined"}
#: How a verdict stands to the target: its tone, and a few words beside the sentence.
STANDS: dict[str | None, tuple[Literal["", "good", "bad"], str]] = {
    "above": ("good", "Clears the target of {}"),
    "unclear": ("", "May or may not reach the target of {}"),
    "below": ("bad", "Falls short of the target of {}"),
    "undefined": ("bad", "No value"),
}
#: Fewer items than this are worth a word in the verdict.
FEW_ITEMS = 30
PULLS = "What pulls it down"


class Band(Struct, frozen=True, kw_only=True):
    """A word for values, and the values."""

    word: str
    low: float
    high: float


class VerdictSection(Result, frozen=True, kw_only=True, eq=False):
    """What the number is, what it means, why it is not higher, and what to do.

    Parameters
    ----------
    quoted : Measured
        The coefficient to quote.
    target : Target or None
        What was asked for.
    causes : sequence of str
        What pulls the number down, in a clause each.
    next : str
        The one thing to do next.
    misleads : str
        What would mislead whoever reads the number alone, in a sentence that comes first; empty if nothing does.
    also : Benchmark or None
        A second scale of words that was asked for.
    beside : Measured or None
        The number that readers know, to stand beside one that few of them do.
    noun : str
        What an item is called.
    question : str
        What the number answers, in a clause; empty where its name is enough.
    others : sequence of (Measured, str)
        Numbers that answer another question, and what each of them answers.
    """

    quoted: Measured
    target: Target | None
    causes: Sequence[str]
    next: str
    misleads: str = ""
    also: Benchmark | None = None
    beside: Measured | None = None
    noun: str = "item"
    question: str = ""
    others: Sequence[tuple[Measured, str]] = ()

    @property
    def value(self) -> float | None:
        """The number to quote; None if it is undefined."""
        return plain(self.quoted.agreement.value)

    @property
    def low(self) -> float | None:
        """The lower end of its interval."""
        return plain(self.quoted.interval.low)

    @property
    def high(self) -> float | None:
        """The upper end of its interval."""
        return plain(self.quoted.interval.high)

    @property
    def benchmark(self) -> Benchmark:
        """The scale of words that is usual for the coefficient: Krippendorff's for alpha, Cicchetti's for an ICC, McBride's for Lin's concordance, Landis and Koch's for kappas."""
        return BENCHMARKS[usual_scale(self.quoted.agreement.measure)]

    @property
    def word(self) -> str | None:
        """What the number is called; None if it has no customary words."""
        return None if self.value is None or not self.quoted.graded else self.benchmark.word(self.value)

    @property
    def bands(self) -> Sequence[Band]:
        """The words, and the values they are for; none if the number has no customary words."""
        if not self.quoted.graded:
            return []
        levels = self.benchmark.levels
        return [
            Band(
                word=one.word,
                low=-1.0 if math.isinf(one.low) else one.low,
                high=levels[i + 1].low if i + 1 < len(levels) else 1.0,
            )
            for i, one in enumerate(levels)
        ]

    @property
    def status(self) -> str | None:
        """Above, below, unclear or undefined; None if no target was named."""
        known = self.target is not None or self.value is None
        return standing(self.quoted, self.target or Target(value=0.0)) if known else None

    @property
    def headline(self) -> Headline:
        """The verdict as it stands at the top of a report."""
        tone, stands = STANDS.get(self.status, ("", ""))
        return Headline(
            sentence=self._sentence,
            why=PULLS if self.causes else "",
            causes=self.causes,
            next=self.next,
            status=stands.format(chosen(None if self.target is None else self.target.value)),
            tone=tone,
            figure=self._figure if self.value is not None else None,
        )

    @property
    def sentence(self) -> str:
        """The verdict with its causes."""
        return self.headline.whole

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict in a sentence and in numbers."""
        agreement, sure, target = self.quoted.agreement, self.quoted.interval, self.target
        return {
            "sentence": self.sentence,
            "causes": list(self.causes),
            "misleads": self.misleads or None,
            "measure": agreement.measure,
            "title": agreement.title,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "level": sure.level,
            "method": sure.method,
            "word": self.word,
            "scale": self.benchmark.source if self.quoted.graded else None,
            "status": self.status,
            "task": None if target is None else target.name,
            "target": None if target is None else target.value,
            "targets": [
                {"task": name, "value": one.value, "examples": one.examples} for name, one in TASK_TARGETS.items()
            ],
            "bands": [asdict(one) for one in self.bands],
            "next": self.next,
        }

    def document(self) -> Document:
        """Return the verdict alone."""
        return Document("Verdict", [self.headline])

    @property
    def _sentence(self) -> str:
        """Say the number, its interval, its word and how it stands to what the task asks for."""
        agreement = self.quoted.agreement
        if self.value is None:
            return f"There is no coefficient to quote: {agreement.title} is undefined. {agreement.undefined}".strip()
        low, high = _ends(self.quoted)
        sure = "no interval could be made"
        if not math.isnan(low):
            sure = f"{level_text(self.quoted.interval.level)} interval {interval(low, high)}"
        few = agreement.n_items < FEW_ITEMS and self.quoted.interval.unit not in ("annotators", "objects")
        only = f" on only {counted(agreement.n_items, self.noun)}" if few else ""
        asked = f", {self.question}," if self.question else ""
        said = f"{agreement.title}{asked} is {self.printed(low, high)}{only} ({sure})"
        if self.word is None:
            # What kinds of tasks commonly ask for is about coefficients that have words.
            against = "" if self.target is None else f", {_against(low, high, self.status, self.target)}"
            return f"{said}{against}.{self._other_numbers}"
        against = _against(low, high, self.status, self.target)
        if self.misleads:
            return f"{self.misleads} {said}, {against}."
        return f"{self._called}: {said}, {against}{self._other_word}.{self._known_number}"

    def printed(self, low: float, high: float) -> str:
        """Show the number beside its words and the two ends of its interval."""
        if self.value is None or self.word is None:
            return value_text(self.value, low, high)
        return self.benchmark.shown(self.value, low, high, also=self.also)

    @property
    def _other_numbers(self) -> str:
        """Say the numbers that answer another question, with it."""
        said = ""
        for other, question in self.others:
            if not math.isnan(other.agreement.value):
                sure = other.interval
                ends = (
                    ""
                    if math.isnan(sure.low)
                    else f" ({level_text(sure.level)} interval {interval(sure.low, sure.high)})"
                )
                said += f" {other.agreement.title}, {question}, is {value_text(other.agreement.value, sure.low, sure.high)}{ends}."
        return said

    @property
    def _known_number(self) -> str:
        """Say the number that readers know, beside one that few of them do."""
        if self.beside is None or math.isnan(self.beside.agreement.value):
            return ""
        other, sure = self.beside.agreement, self.beside.interval
        return (
            f" {other.title}, which other papers give, is {value_text(other.value, sure.low, sure.high)} "
            f"({level_text(sure.level)} interval {interval(sure.low, sure.high)})."
        )

    @property
    def _called(self) -> str:
        """Say the word, one that is not plain English with whose it is; none where the interval allows most of them."""
        whose = "By Krippendorff's limits agreement" if self.benchmark.name == "krippendorff" else "Agreement"
        allowed = self.benchmark.words(*_ends(self.quoted))
        if len(allowed) > max(2, len(self.benchmark.levels) / 2):
            return f"{whose} may be anything from {allowed[0]} to {allowed[-1]}"
        return f"{whose} is {self.word}"

    @property
    def _other_word(self) -> str:
        """Say what a second scale calls the number."""
        if self.also is None or self.value is None or self.also.name == self.benchmark.name:
            return ""
        return f" ({self.also.word(self.value)} on the scale of {self.also.source})"

    @property
    def _figure(self) -> Figure:
        agreement = self.quoted.agreement
        title = f"{agreement.title} {number(self.value)} on a line from −0.1 to 1"
        sure = ""
        if self.low is not None:
            title += f", interval {interval(self.low, self.high)}"
            sure = f" with its {level_text(self.quoted.interval.level)} interval"
        if self.target is not None:
            title += f", target {chosen(self.target.value)}"
        words = (
            f"Words after {self.benchmark.source}: conventions, not thresholds. Dashed lines are what kinds of tasks commonly ask for."
            if self.quoted.graded
            else "Words such as moderate or substantial are not customary for it."
        )
        return Figure(
            "verdict",
            partial(verdict_chart, self),
            f"{title}.",
            f"{agreement.title}{sure}. {words}",
        )


def verdict_section(context: ReportContext) -> VerdictSection:
    """Return the verdict on data of any kind, of which no causes are known."""
    status = standing(context.quoted, context.settings.target or TASK_TARGETS["standard"])
    step = {
        "undefined": "Check that the right data were read: there is nothing to tell apart.",
        "above": "No problem found: go on as you do, and measure again when the guideline, the team or the data change.",
    }.get(status, "Read the items on which annotators differ most with them, and say in the guideline how to decide.")
    return VerdictSection(
        quoted=context.quoted, target=context.settings.target, causes=(), next=step, noun=context.data._nouns[0]
    )


def standing(quoted: Measured, target: Target) -> str:
    """Return how a coefficient stands to a target: above, below, unclear or undefined."""
    return STATUS[against_target(quoted.agreement.value, *_ends(quoted), target).outcome]


def _ends(quoted: Measured) -> tuple[float, float]:
    """Return the interval; one without any width, which a few items give by chance, says nothing."""
    low, high = quoted.interval.low, quoted.interval.high
    return (low, high) if high - low > ROUNDING else (math.nan, math.nan)


def _against(low: float, high: float, status: str | None, target: Target | None) -> str:
    """Say how an interval stands to the target, or to all of them if no task was named."""
    if target is not None:
        asks = "you ask for" if target.name is None else f"{a_task(target.name)} asks for"
        way = {"above": "above the", "below": "below the"}.get(status or "", "which may or may not reach the")
        return f"{way} {chosen(target.value)} that {asks}"
    ranked = sorted(TASK_TARGETS.values(), key=lambda one: -one.value)
    reached = [one for one in ranked if not math.isnan(low) and low >= one.value]
    if not reached:
        least = ranked[-1]
        if high < least.value:
            return f"too little even for {a_task(least.name)} ({number(least.value)})"
        return f"not surely enough even for {a_task(least.name)} ({number(least.value)})"
    if reached[0] is ranked[0]:
        return f"enough even for {a_task(ranked[0].name)} ({number(ranked[0].value)})"
    best, beyond = reached[0], ranked[ranked.index(reached[0]) - 1]
    sure = "not" if high < beyond.value else "not surely"
    return (
        f"enough for {a_task(best.name)} ({number(best.value)}), {sure} for {a_task(beyond.name, 'one')} "
        f"({number(beyond.value)})"
    )


def a_task(name: str | None, noun: str = "task") -> str:
    """Name a kind of task in a sentence."""
    kind = (name or "").replace("-", " ")
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind} {noun}"
