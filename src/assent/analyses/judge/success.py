"""The rate that people would have found on all items, from what they labelled and what the judge says of the others."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.judge.rates import (
    Correction,
    allocation,
    corrected_shares,
    lee,
    post_stratified,
    prediction_powered,
    rogan_gladen,
)
from assent.analyses.judge.reference import Truth
from assent.analyses.unparsed import no_verdict
from assent.data import Annotations, as_annotations
from assent.errors import AssentError, InputError, OptionError, did_you_mean
from assent.limits import LABELS_IN_MATRIX
from assent.profiles import Array
from assent.records import Struct, plain
from assent.scales import numbers
from assent.text import counted, percent, probability, shown

__all__ = ["SAMPLES", "Further", "SuccessRate", "Verdicts", "read_verdicts", "success_rate"]

#: How the labelled items came to be labelled.
SAMPLES = ("auto", "random", "by-label")
#: With fewer labelled items, or fewer of either kind, a tuned weight of the judge makes too narrow an interval.
FEW_LABELLED, FEW_OF_A_KIND = 100, 10
#: Below the first p-value of equal rates of the judge on labelled and other items they are taken for another mix; below the second it
#: cannot be told, and the interval holds what both methods give.
NO_ACCIDENT, DOUBTFUL = 0.01, 0.1


class Verdicts(Struct, frozen=True, eq=False):
    """What a judge says of items that nobody labelled.

    Parameters
    ----------
    labels : array (items,)
        Positions of labels; -1 for a label that neither people nor judge gave elsewhere.
    values : array (items,), optional
        The labels as numbers, on a scale that has them: also of labels that stand nowhere else.
    """

    labels: Array
    values: Array | None = None
    notes: tuple[str, ...] = ()


class SuccessRate(Struct, frozen=True, kw_only=True, eq=False):
    """The rate of a label, or the mean rating, that people would have found.

    Parameters
    ----------
    positive : str or None
        The label; None for the mean of ratings.
    chosen : Correction
        The estimate to quote.
    methods : mapping of str to Correction
        All estimates that could be made.
    judge_rate : float
        The judge's own, on the unlabelled items.
    sample : {"random", "by-label"}
        How the labelled items were taken to be chosen.
    sample_given : bool
        The user said so.
    p_mix : float
        How likely the judge's rates on labelled and unlabelled items are to differ so much by accident.
    shares : tuple of (label, judge, corrected)
        Every label, by the same method.
    """

    positive: str | None
    chosen: Correction
    methods: Mapping[str, Correction]
    judge_rate: float
    n_labelled: int
    n_positive: int
    n_unlabelled: int
    sensitivity: float
    specificity: float
    sample: str
    sample_given: bool
    p_mix: float
    level: float
    shares: tuple[tuple[str, float, float], ...] = ()
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the rate as plain values."""
        return {
            "positive": self.positive,
            "estimate": plain(self.chosen.value),
            "standard_error": plain(self.chosen.standard_error),
            "ci": {"low": plain(self.chosen.low), "high": plain(self.chosen.high), "level": self.level},
            "method": self.chosen.method,
            "sample": self.sample,
            "sample_given": self.sample_given,
            "p_same_mix": plain(self.p_mix),
            "judge_rate": plain(self.judge_rate),
            "labelled": self.n_labelled,
            "labelled_positive": self.n_positive,
            "unlabelled": self.n_unlabelled,
            "sensitivity": plain(self.sensitivity),
            "specificity": plain(self.specificity),
            "methods": {
                name: {
                    "estimate": plain(one.value),
                    "standard_error": plain(one.standard_error),
                    "ci": {"low": plain(one.low), "high": plain(one.high)},
                    "weight": plain(one.weight),
                    "reason": one.reason or None,
                }
                for name, one in self.methods.items()
            },
            "shares": [
                {"label": label, "judge": plain(its), "corrected": plain(made)} for label, its, made in self.shares
            ],
            "reason": self.chosen.reason or None,
            "notes": list(self.notes),
        }


def read_verdicts(
    unlabelled: Annotations | Mapping[str, str],
    judge: str,
    labels: tuple[str, ...],
    known: Known,
    longest: int,
    decimal: str | None,
) -> Verdicts:
    """Take the verdicts of a judge on further items.

    Parameters
    ----------
    judge : str
        Whose rows they are, where several annotators are among them.
    labels : tuple of str
        Of the panel.
    known : Known
        Items of the data, which are left out.
    longest : int
        Words of the longest label that a person gave.
    decimal : str, optional
        Decimal mark of ratings; None if the labels are no numbers.
    """
    found = _by_item(unlabelled, judge)
    twice = known.judged(judge, labels) - known.labelled
    kept = {item: label for item, label in found.items() if item not in known.labelled and item not in twice}
    place = {label: i for i, label in enumerate(labels)}

    said = [label for label in kept.values() if label in place or not no_verdict(label, longest, decimal)]
    failed = len(kept) - len(said)
    codes = [place.get(label, -1) for label in said]
    notes = []
    for items, why in (
        (known.labelled, "have labels of people as well and were left out of them"),
        (twice, "are among the data as well and count once"),
    ):
        if many := len(items & found.keys()):
            notes.append(f"{counted(many, 'item')} of the unlabelled ones {why}.")
    if failed:
        notes.append(f"{counted(failed, 'verdict')} on the unlabelled items are none and count as missing.")
    if not codes and not twice:
        raise InputError(
            "No unlabelled item with a verdict is left: `unlabelled` must hold items that people did not label."
        )
    ratings = None if decimal is None else numbers(said, decimal)
    return Verdicts(np.array(codes, dtype=np.int64), None if ratings is None else np.array(ratings), tuple(notes))


class Known(Struct, frozen=True, eq=False):
    """Items of the data, by who labelled them.

    Parameters
    ----------
    labelled : frozenset of str
        Those that people labelled, or whose label is known.
    """

    data: Annotations
    labelled: frozenset[str]

    def judged(self, judge: str, labels: Collection[str]) -> frozenset[str]:
        """Return the items to which a judge gave one of the labels, and not an answer that is no verdict."""
        rows = self.data.only_annotators([judge]).to_rows()
        given = np.flatnonzero(np.isin(rows.label, [i for i, one in enumerate(rows.labels) if one in labels]))
        return frozenset(rows.items[i] for i in rows.item[given])


class Further(Struct, frozen=True, eq=False):
    """Verdicts on items beside the data, read once for all judges.

    Parameters
    ----------
    found : Annotations, or mapping of item to label
        The same for every judge if it is a mapping.
    known : Known
        Items of the data.
    """

    found: Annotations | Mapping[str, str]
    known: Known

    @classmethod
    def of(cls, unlabelled: Any, data: Annotations, people: tuple[str, ...], gold: Iterable[str]) -> Further:
        """Read a file; take annotations, or a mapping of items to labels, as they are."""
        known = Known(data, frozenset([*data.only_annotators(people).to_rows().items, *gold]))
        if isinstance(unlabelled, str | os.PathLike):
            return cls(_read(os.fspath(unlabelled), data.annotators or ()), known)
        if isinstance(unlabelled, Mapping):
            return cls({str(item): str(label) for item, label in unlabelled.items() if label is not None}, known)
        if isinstance(unlabelled, Annotations):
            return cls(unlabelled, known)
        raise OptionError(
            f"`unlabelled` is a {type(unlabelled).__name__}: give a file, annotations, or a mapping of items to the judge's labels."
        )


def _read(path: str, annotators: Sequence[str]) -> Annotations | Mapping[str, str]:
    """Read annotations, also in columns of the same names as in the data; or items and labels alone, where nothing says who gave them."""
    from assent.analyses.consensus.gold_files import read_gold
    from assent.readers import read

    try:
        found = read(path)
        if isinstance(found, Annotations) and found.annotators is not None:
            return found
    except AssentError as error:
        reason = error
    else:
        reason = InputError("The unlabelled items do not say who gave which label: name the judge in a column.")
    with suppress(AssentError):
        return as_annotations(read(path, annotators=tuple(annotators)))
    with suppress(AssentError):
        return read_gold(path).labels
    raise reason


def _by_item(unlabelled: Annotations | Mapping[str, str], judge: str) -> Mapping[str, str]:
    """Return the judge's label of each item."""
    if isinstance(unlabelled, Mapping):
        return unlabelled
    listing = unlabelled.to_rows()
    assert listing.annotators is not None, "annotators are known"
    if judge in listing.annotators:
        rows = np.flatnonzero(listing.annotator == listing.annotators.index(judge))
    elif len(listing.annotators) == 1:
        rows = np.arange(len(listing.item))
    else:
        raise OptionError(
            f"The unlabelled items have no labels of {shown(judge)}: {did_you_mean(judge, listing.annotators)}"
        )
    return {listing.items[listing.item[i]]: listing.labels[listing.label[i]] for i in rows}


def success_rate(
    truth: Truth, others: Verdicts, *, positive: str | None, values: Array | None, sample: str, level: float
) -> SuccessRate | None:
    """Estimate the rate of a label, or the mean rating without one; None if nothing is labelled.

    Parameters
    ----------
    truth : Truth
        What people found, and the judge, on the labelled items.
    others : Verdicts
        The judge on the others.
    values : array (labels,), optional
        The labels as numbers.
    sample : {"auto", "random", "by-label"}
    """
    known, verdicts, weights, _ = truth.both()
    if not len(known):
        return None
    known, verdicts = np.repeat(known, weights), np.repeat(verdicts, weights)
    notes = list(others.notes)
    if positive is None:
        return None if values is None else _mean_rating(values, known, verdicts, others, level, notes)
    if positive not in truth.labels:
        raise OptionError(f"`positive` is {shown(positive)}, which is no label: {did_you_mean(positive, truth.labels)}")
    label = truth.labels.index(positive)
    human, judge, rest = ((one == label).astype(np.float64) for one in (known, verdicts, others.labels))
    positives, negatives = int(human.sum()), int((1.0 - human).sum())
    sensitivity = float(judge[human == 1].mean()) if positives else math.nan
    specificity = float(1.0 - judge[human == 0].mean()) if negatives else math.nan
    p_mix = _same_mix(judge, rest)
    given = sample != "auto"
    taken = sample if given else ("by-label" if p_mix < DOUBTFUL else "random")
    few = len(human) < FEW_LABELLED or min(positives, negatives) < FEW_OF_A_KIND
    rate = float(rest.mean())
    errors = (rate, len(rest), specificity, sensitivity, negatives, positives)
    methods = {
        "ppi": prediction_powered(human, judge, rest, weight=1.0, level=level, student=True),
        "ppi++": prediction_powered(human, judge, rest, level=level, student=True),
        "post-stratified": Correction(method="post-stratified", value=post_stratified(human, judge, rest)),
        "rogan-gladen": rogan_gladen(*errors, level=level),
        "lee": lee(*errors, level=level),
    }
    chosen = methods["lee"] if taken == "by-label" else methods["ppi" if few else "ppi++"]
    if not given and NO_ACCIDENT <= p_mix < DOUBTFUL and not chosen.reason:
        other = methods["ppi" if few else "ppi++"]
        chosen = replace(chosen, method="either", low=min(chosen.low, other.low), high=max(chosen.high, other.high))
    notes += _told(taken, given, p_mix, few, truth, chosen, errors)
    return SuccessRate(
        positive=positive,
        chosen=chosen,
        methods=methods,
        judge_rate=rate,
        n_labelled=len(human),
        n_positive=positives,
        n_unlabelled=len(rest),
        sensitivity=sensitivity,
        specificity=specificity,
        sample=taken,
        sample_given=given,
        p_mix=p_mix,
        level=level,
        shares=_shares(truth.labels, known, verdicts, others.labels, taken),
        notes=tuple(notes),
    )


def _mean_rating(
    values: Array, known: Array, verdicts: Array, others: Verdicts, level: float, notes: list[str]
) -> SuccessRate:
    """Estimate the mean rating that people would have given."""
    if others.values is None:
        there = others.labels >= 0
        rest = values[others.labels[there]]
        if not there.all():
            notes.append(
                f"{counted(int((~there).sum()), 'verdict')} on the unlabelled items are no label of the scale and count as missing."
            )
    else:
        rest = others.values
    human, judge = values[known], values[verdicts]
    methods = {
        "ppi": prediction_powered(human, judge, rest, weight=1.0, level=level, student=True),
        "ppi++": prediction_powered(human, judge, rest, level=level, student=True),
    }
    return SuccessRate(
        positive=None,
        chosen=methods["ppi" if len(human) < FEW_LABELLED else "ppi++"],
        methods=methods,
        judge_rate=float(rest.mean()),
        n_labelled=len(human),
        n_positive=0,
        n_unlabelled=len(rest),
        sensitivity=math.nan,
        specificity=math.nan,
        sample="random",
        sample_given=False,
        p_mix=math.nan,
        level=level,
        notes=(*notes, "The mean holds if the labelled items are a random sample of all."),
    )


def _same_mix(labelled: Array, others: Array) -> float:
    """Return the p-value of "the judge's rate is the same on labelled and on other items" (two proportions)."""
    from scipy.special import ndtr

    one, two = len(labelled), len(others)
    together = float((labelled.sum() + others.sum()) / (one + two))
    error = math.sqrt(together * (1.0 - together) * (1.0 / one + 1.0 / two))
    return 1.0 if error == 0.0 else 2.0 * float(ndtr(-abs(float(labelled.mean() - others.mean())) / error))


def _shares(
    labels: tuple[str, ...], known: Array, verdicts: Array, others: Array, sample: str
) -> tuple[tuple[str, float, float], ...]:
    """Correct the shares of all labels: by the confusion of truth and verdict, or by what the verdicts turned out to be."""
    used = np.union1d(known, verdicts)
    if len(used) > LABELS_IN_MATRIX or not np.isin(others, used).all():
        return ()
    table = np.array([[((known == a) & (verdicts == b)).sum() for b in used] for a in used], dtype=np.float64)
    judged = np.array([(others == one).mean() for one in used])
    with np.errstate(divide="ignore", invalid="ignore"):
        if sample == "by-label":
            made = corrected_shares(judged, table / table.sum(axis=1, keepdims=True))
        else:
            everything = np.concatenate([verdicts, others])
            share = np.array([(everything == one).mean() for one in used])
            made = np.where(share > 0, table / table.sum(axis=0), 0.0) @ share
    return tuple((labels[one], float(its), float(new)) for one, its, new in zip(used, judged, made, strict=True))


def _told(
    taken: str, given: bool, p_mix: float, few: bool, truth: Truth, chosen: Correction, errors: tuple[Any, ...]
) -> list[str]:
    """Say which method applies and why."""
    notes = []
    if truth.n_tied:
        notes.append(f"{counted(truth.n_tied, 'item')} on which the people are tied count as not labelled.")
    if taken == "random" and not given:
        notes.append(
            "The labelled items were taken for a random sample of all items, on which the judge's mean error is that of all. If they were "
            "chosen by their label, say `sample` by-label: this estimate is then wrong."
        )
    elif not given:
        notes.append(
            f"The judge's rate differs between labelled and other items ({probability(p_mix)}), so the labelled ones may be no random sample: "
            "only the judge's errors on positives and on negatives are carried over (Rogan and Gladen). If they are one, say `sample` random: the interval is narrower."
        )
    elif taken == "random" and p_mix < NO_ACCIDENT:
        notes.append(
            f"The judge's rate differs between labelled and other items ({probability(p_mix)}): a random sample seldom does that."
        )
    if taken == "random" and few:
        notes.append(
            "With so few labels the judge is given its full weight, since a tuned weight makes too narrow an interval."
        )
    if taken == "by-label" and not chosen.reason:
        rate, _, specificity, sensitivity, negatives, positives = errors
        if 0.0 < rate < 1.0:
            best = allocation(rate, specificity, sensitivity, 100, pilot=min(negatives, positives))
            notes.append(
                f"Of further labels, {percent(best[0] / 100)} on negatives and {percent(best[1] / 100)} on positives narrow the interval most."
            )
    return notes
