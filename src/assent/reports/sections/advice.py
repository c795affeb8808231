"""What to do: the advice, and how many more annotations."""

from __future__ import annotations

from typing import Any

from assent.analyses.advice import Advice, cause_cards, takeaway
from assent.analyses.advise import advise
from assent.analyses.plan import Plan, plan
from assent.analyses.plan.document import half_width_table
from assent.documents import Document, Result
from assent.documents.blocks import Block, Prose, Section, notes
from assent.errors import InputError
from assent.reports.context import ReportContext

__all__ = ["AdviceSection", "PlanSection", "advice_section", "plan_section"]

#: Half-widths that a plan aims for: the first that is clearly narrower than the interval is now.
HALF_WIDTHS = (0.1, 0.05, 0.025, 0.01, 0.005, 0.0025, 0.001)
NARROWER = 0.8


class AdviceSection(Result, frozen=True, kw_only=True):
    """What to do next.

    Parameters
    ----------
    advice : Advice
        What could win most coming first.
    """

    advice: Advice

    # The report's JSON has had a list here from the beginning.
    def to_dict(self) -> list[dict[str, Any]]:  # type: ignore[override]
        """Return the causes as plain values."""
        return [one.to_dict() for one in self.advice]

    def document(self) -> Document:
        """Return each cause with its evidence and the first step."""
        title = "What to do"
        return Document(
            title,
            [
                Section(
                    "advice",
                    title,
                    takeaway(self.advice.causes),
                    [*notes(self.advice.notes), cause_cards(self.advice.causes)],
                )
            ],
        )

    def brief(self, *, told: str) -> list[Block]:
        """Return each cause with its evidence, and the first step unless it was told before."""
        return [*notes(self.advice.notes), cause_cards(self.advice.causes, told=told)]


def advice_section(context: ReportContext) -> AdviceSection:
    """Return the causes that the evidence points to, what could win most coming first."""
    target = context.settings.target
    aim: dict[str, Any] = {} if target is None or not 0 < target.value <= 1 else {"target": target.value}
    settings = context.settings
    found = advise(
        context.data, scale=settings.scale, annotators=context.team, quoted=context.quoted, seed=settings.seed, **aim
    )
    return AdviceSection(advice=found)


class PlanSection(Result, frozen=True, kw_only=True):
    """How many more annotations a narrower interval takes."""

    plan: Plan

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values."""
        made, answer = self.plan, self.plan.half_width
        assert answer is not None
        return {
            "sentence": " ".join(made.sentences),
            "sentences": list(made.sentences),
            "half_width": answer.half_width,
            "now": None if made.now is None else made.now.to_dict(),
            "needed": answer.needed.to_dict(),
            "low": answer.low,
            "high": answer.high,
            "more": answer.more,
            "choices": [one.to_dict() for one in answer.choices],
            "cheapest": None if answer.cheapest is None else answer.cheapest.to_dict(),
            "power": None if made.power is None else made.power.to_dict(),
            "unit": made.unit,
            "notes": list(made.notes),
        }

    def document(self) -> Document:
        """Return the plan in sentences, and the ways to get there."""
        title, made = "How many more annotations", self.plan
        blocks = [Prose(made.sentences), *half_width_table(made), *notes(made.notes)]
        return Document(title, [Section("plan", title, blocks=blocks)])


def plan_section(context: ReportContext) -> PlanSection | None:
    """Return how many more annotations a narrower interval takes; None if that cannot be planned."""
    settings, quoted = context.settings, context.quoted
    low, high = quoted.interval.low, quoted.interval.high
    if not low < high:
        return None
    wanted = next((one for one in HALF_WIDTHS if one <= NARROWER * (high - low) / 2), None)
    if wanted is None:
        return None
    target = settings.target
    options: dict[str, Any] = dict(context.choice.options.get(quoted.agreement.measure, {}))
    try:
        made = plan(
            context.data,
            half_width=wanted,
            # A target that is cleared already needs no more items.
            target=target.value if target is not None and low < target.value <= high else None,
            measure=quoted.agreement.measure,
            level=settings.level,
            scale=settings.scale,
            **options,
        )
    except InputError:
        # Where nothing varies there is nothing to plan from.
        return None
    return PlanSection(plan=made)
