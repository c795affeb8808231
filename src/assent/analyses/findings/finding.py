"""What a finding is, how p-values of many tests are corrected, and how numbers are said in a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from assent.records import Struct, plain
from assent.text import Printed

__all__ = ["KINDS", "Finding", "found", "holm", "with_step"]

#: Every kind of finding, in the order they are listed: what it is called and how much it matters.
KINDS: Mapping[str, tuple[Literal["warning", "info"], str]] = {
    "undefined": ("warning", "There is no coefficient"),
    "prevalence": ("warning", "One label dominates"),
    "asymmetric-disagreement": ("warning", "Disagreement has a direction"),
    "bias": ("warning", "Annotators use the labels in different shares"),
    "weak-label": ("warning", "A label is much weaker than the rest"),
    "contradiction": ("warning", "Coefficients contradict each other"),
    "missingness": ("warning", "What is missing has to do with agreement"),
    "wide-interval": ("warning", "The interval is wide"),
    "many-labels": ("warning", "An annotator gives very many labels"),
    "uneven-sets": ("warning", "Annotators give several labels unequally often"),
    "lucky-f1": ("warning", "Much of the F1 is luck"),
    "low-entropy": ("info", "A few labels carry most annotations"),
    "capped-kappa": ("info", "The label shares cap kappa"),
    "rare-label": ("info", "Some labels are too rare to judge"),
    "unchecked": ("info", "Not everything was looked at"),
}


class Finding(Printed, Struct, frozen=True, kw_only=True):
    """Something that makes a coefficient say less, or something else, than it seems to.

    Parameters
    ----------
    key : str
        Kind of finding, in kebab-case.
    severity : {"warning", "info"}
    title : str
        What it is, in a few words.
    sentence : str
        What was found, with the numbers, and what to do first, for a reader who is no statistician.
    observation : str
        The sentence without what to do.
    first_step : str
        What to do first; empty if there is nothing to do.
    evidence : mapping
        The numbers by name; plain values, fit for JSON, None where a number is undefined.
    tested : bool
        It rests on a significance test, corrected for all tests that were made on the data.
    """

    key: str
    severity: Literal["warning", "info"]
    title: str
    sentence: str
    evidence: Mapping[str, Any]
    tested: bool
    observation: str
    first_step: str

    def __str__(self) -> str:
        return f"{self.title}: {self.sentence}"

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as plain values; its sentence says what to do as well."""
        names = ("key", "severity", "title", "sentence")
        return {name: getattr(self, name) for name in names} | {"evidence": dict(self.evidence), "tested": self.tested}


def found(
    key: str,
    observation: str,
    evidence: Mapping[str, Any],
    *,
    first_step: str = "",
    lead: str = "First",
    tested: bool = False,
) -> Finding:
    """Make a finding of a known kind; `lead` is the word before what to do first."""
    severity, title = KINDS[key]
    return Finding(
        key=key,
        severity=severity,
        title=title,
        sentence=with_step(observation, first_step, lead),
        evidence=plain(evidence),
        tested=tested,
        observation=observation,
        first_step=first_step,
    )


def with_step(observation: str, first_step: str, lead: str = "First") -> str:
    """Say what was found and what to do first.

    Examples
    --------
    >>> with_step("They differ.", "Ask both.")
    'They differ. First ask both.'
    """
    if not first_step:
        return observation
    step = f"{lead} {first_step[0].lower()}{first_step[1:]}" if lead else first_step
    return f"{observation} {step}"


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number by Holm's method: what is below a level then is so by chance no more often.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected = [1.0] * len(p_values)
    largest = 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[i]))
        corrected[i] = largest
    return corrected
