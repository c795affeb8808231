"""What to do: the advice, and how many more annotations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assent.analyses.advise import Advice, advise
from assent.analyses.plan import plan
from assent.errors import InputError
from assent.reports.context import ReportContext

__all__ = ["advice_section", "plan_section"]

#: Half-widths that a plan aims for: the first that is clearly narrower than the interval is now.
HALF_WIDTHS = (0.1, 0.05, 0.025, 0.01, 0.005, 0.0025, 0.001)
NARROWER = 0.8


def advice_section(ground: ReportContext) -> list[dict[str, Any]]:
    """Return the causes that the evidence points to, what could win most coming first."""
    target = ground.settings.target
    aim = {} if target is None or not 0 < target.value <= 1 else {"target": target.value}
    found = advise(ground.data, annotators=ground.team, seed=ground.settings.seed, **aim)
    return [one.to_dict() for one in _on_the_scale(ground, found) or found]


def _on_the_scale(ground: ReportContext, found: Sequence[Advice]) -> list[Advice]:
    """Leave out that neighbours on a scale are mixed up: they agree in part, and what is left of disagreement is mostly that."""
    if ground.settings.scale in (None, "nominal"):
        return list(found)
    place = {label: i for i, label in enumerate(ground.data.labels)}

    def neighbours(one: Advice) -> bool:
        first, second = (place[label] for label in one.evidence["labels"])
        return abs(first - second) == 1

    return [one for one in found if one.key != "guideline" or not neighbours(one)]


def plan_section(ground: ReportContext) -> dict[str, Any] | None:
    """Return how many more annotations a narrower interval takes; None if that cannot be planned."""
    settings, quoted = ground.settings, ground.quoted
    low, high = quoted.interval.low, quoted.interval.high
    if not low < high:
        return None
    wanted = next((one for one in HALF_WIDTHS if one <= NARROWER * (high - low) / 2), None)
    if wanted is None:
        return None
    target = settings.target
    options: dict[str, Any] = dict(ground.choice.options.get(quoted.agreement.measure, {}))
    try:
        made = plan(
            ground.data,
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
    answer = made.half_width
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
