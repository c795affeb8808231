"""How many of the labels are right, where the right ones are known."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from statistics import NormalDist
from typing import Any

from assent.errors import InputError, OptionError
from assent.records import Struct
from assent.text import counted, named, percent

__all__ = ["GoldComparison", "GoldScore", "score", "wilson_interval"]


class GoldScore(Struct, frozen=True, kw_only=True):
    """How a consensus stands to known labels.

    Parameters
    ----------
    method : str
    n_items : int
        Items of the data with a known label.
    n_decided, n_correct : int
        Those of them that got a label, and the right one.
    accuracy : float
        Share of the `n_items` with the right label; an item without a label is not right.
    low, high : float
        Wilson's interval of the accuracy.
    level : float
        Its confidence level.
    macro_f1 : float
        Mean over the labels, known or given, of the harmonic mean of precision and recall.
    n_unknown_items : int
        Items with a known label that the data do not have: left out.
    unknown_labels : tuple of str
        Known labels that nobody gave any item: no method can be right there. Their items count.
    confidence : float
        Mean confidence of the labels given to these items, to be held against their accuracy; NaN if it is not known.
    """

    method: str
    n_items: int
    n_decided: int
    n_correct: int
    accuracy: float
    low: float
    high: float
    level: float
    macro_f1: float
    n_unknown_items: int
    unknown_labels: tuple[str, ...]
    confidence: float = math.nan

    @property
    def overconfident(self) -> bool:
        """Tell whether the method is surely less often right than it says: annotators who err together mislead it."""
        return bool(self.confidence > self.high)

    def to_dict(self) -> dict[str, Any]:
        """Return the score as plain values."""
        interval = {"low": self.low, "high": self.high, "level": self.level, "method": "wilson"}
        return {
            "method": self.method,
            "accuracy": self.accuracy,
            "ci": interval,
            "macro_f1": self.macro_f1,
            "items": self.n_items,
            "decided": self.n_decided,
            "correct": self.n_correct,
            "confidence": None if math.isnan(self.confidence) else self.confidence,
        }


class GoldComparison(Struct, frozen=True, kw_only=True):
    """How every method stands to known labels.

    Parameters
    ----------
    scores : tuple of GoldScore
        Of every method that could run, the most accurate first.
    n_items : int
        Items of the data with a known label.
    n_unknown_items : int
        Items with a known label that the data do not have: left out.
    unknown_labels : tuple of str
        Known labels that nobody gave any item.
    n_missing : int
        Items that were listed without a known label: left out.
    failures : tuple of (str, str)
        Methods that could not run, and why.
    """

    scores: tuple[GoldScore, ...]
    n_items: int
    n_unknown_items: int
    unknown_labels: tuple[str, ...]
    n_missing: int = 0
    failures: tuple[tuple[str, str], ...] = ()

    @property
    def notes(self) -> list[str]:
        """What a reader must know."""
        said = []
        if self.n_unknown_items:
            verb = "is" if self.n_unknown_items == 1 else "are"
            said.append(
                f"{self.n_unknown_items:,} of the items with a known label {verb} not among the data: left out."
            )
        if self.unknown_labels:
            said.append(f"Nobody gave these known labels, so no method can find them: {named(self.unknown_labels, 5)}.")
        if self.n_missing:
            verb = "is" if self.n_missing == 1 else "are"
            said.append(f"{counted(self.n_missing, 'item')} {verb} listed without a known label: left out.")
        said += [
            f"{one.method} is sure of its labels to {percent(one.confidence)} on average and right on {percent(one.accuracy)} of these items: annotators "
            "who err together make it surer than it may be."
            for one in self.scores
            if one.overconfident
        ]
        return [*said, *(f"{method} was not scored: {why}" for method, why in self.failures)]

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain values."""
        return {
            "items": self.n_items,
            "unknown_items": self.n_unknown_items,
            "unknown_labels": list(self.unknown_labels),
            "missing": self.n_missing,
            "methods": [one.to_dict() for one in self.scores],
            "notes": self.notes,
        }


def wilson_interval(correct: float, items: float, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval of a share, which stays between 0 and 1 and has a width even if all are right.

    Examples
    --------
    >>> low, high = wilson_interval(10, 10)
    >>> round(low, 3), high
    (0.722, 1.0)
    """
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share, extra = correct / items, z * z / items
    middle = (share + extra / 2) / (1 + extra)
    half = z / (1 + extra) * math.sqrt(share * (1 - share) / items + extra / (4 * items))
    return (0.0 if correct == 0 else middle - half, 1.0 if correct == items else middle + half)


def score(
    method: str,
    items: Sequence[str],
    decided: Sequence[str | None],
    labels: Collection[str],
    gold: Mapping[str, str],
    *,
    level: float = 0.95,
    confidence: Sequence[float] | None = None,
) -> GoldScore:
    """Compare labels of items with known ones; `labels` are those of the data, `confidence` is that of each item's label."""
    if not 0 < level < 1:
        raise OptionError(f"`level` is {level}; it must lie between 0 and 1, as 0.95 does.")
    pairs = [(gold[item], label) for item, label in zip(items, decided, strict=True) if item in gold]
    if not pairs:
        raise InputError(
            f"None of the {len(gold):,} items with a known label is among the {len(items):,} items of the data: check that the "
            "names of the items are the same."
        )
    correct = sum(known == label for known, label in pairs)
    vocabulary = set(labels)
    low, high = wilson_interval(correct, len(pairs), level)
    return GoldScore(
        method=method,
        n_items=len(pairs),
        n_decided=sum(label is not None for _, label in pairs),
        n_correct=correct,
        accuracy=correct / len(pairs),
        low=low,
        high=high,
        level=level,
        macro_f1=_macro_f1(pairs),
        n_unknown_items=len(gold) - len(pairs),
        unknown_labels=tuple(sorted({known for known, _ in pairs} - vocabulary)),
        confidence=_mean_confidence(items, decided, gold, confidence),
    )


def _mean_confidence(
    items: Sequence[str], decided: Sequence[str | None], gold: Mapping[str, str], confidence: Sequence[float] | None
) -> float:
    """Return the mean confidence of labels of items with a known one; NaN without any."""
    if confidence is None:
        return math.nan
    told = zip(items, decided, confidence, strict=True)
    known = [float(sure) for item, label, sure in told if item in gold and label is not None and not math.isnan(sure)]
    return sum(known) / len(known) if known else math.nan


def _macro_f1(pairs: Sequence[tuple[str, str | None]]) -> float:
    """Return the mean F1 of all labels that are known or given; a known label that was missed counts as 0."""
    known, given, right = {}, {}, {}  # type: dict[str, int], dict[str, int], dict[str, int]
    for truth, label in pairs:
        known[truth] = known.get(truth, 0) + 1
        if label is not None:
            given[label] = given.get(label, 0) + 1
            if label == truth:
                right[truth] = right.get(truth, 0) + 1
    names = sorted({*known, *given})
    return sum(2 * right.get(name, 0) / (known.get(name, 0) + given.get(name, 0)) for name in names) / len(names)
