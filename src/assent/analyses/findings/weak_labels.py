"""Label by label: which labels the annotators agree on much less than on the rest, and which cannot be judged.

The coefficient of a label is Krippendorff's alpha of that label against all others taken as one. Overall alpha is a
weighted mean of these, so a label far below it is hidden in it. All labels are worked out at once: alpha is a formula
of a few sums over items, and so is its derivative in the weight of an item, which gives the standard errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

from assent.analyses.findings.finding import Finding, found
from assent.data import Annotations
from assent.data.relabel import against_rest
from assent.inference.intervals import normal_interval
from assent.inference.tails import t_tail
from assent.limits import MEASURED_LABELS
from assent.measures import krippendorff_alpha
from assent.measures.results import Interval
from assent.profiles import Array, Counts, Matrix, from_cells, squared
from assent.records import Struct
from assent.text import counted, named, percent, probability, shown
from assent.text import number as two_digits

__all__ = ["LabelAgreement", "label_agreement", "rare_labels", "weak_labels"]

#: A label with fewer annotations than this is not compared with the others: it can hardly be known.
LEAST_ANNOTATIONS = 10
#: So far below the overall coefficient is weak: a step of Landis and Koch's scale.
WEAK = 0.2
#: A label is rare below this share of all annotations, or below half of an even share.
RARE = 0.05
#: A rare label with less agreement than this is reported; it is where Fleiss and Cicchetti begin to say "fair".
POOR = 0.4
#: A rare label whose agreement is known to no better than this is reported, too.
VAGUE = 0.25


class LabelAgreement(Struct, frozen=True, kw_only=True, eq=False):
    """Agreement on each of some labels, each against the rest.

    Parameters
    ----------
    positions : array (labels,) of integers
        Which labels of the data.
    annotations, items, agreed : array (labels,)
        How often each was given to items that can be compared, to how many of these, and to how many more than once.
    value, standard_error : array (labels,)
        Krippendorff's alpha of the label against the rest.
    gap, gap_error : array (labels,)
        That less the overall alpha, and its standard error.
    degrees : array (labels,)
        Items (or clusters) with the label, less one.
    """

    positions: Array
    annotations: Array
    items: Array
    agreed: Array
    value: Array
    standard_error: Array
    gap: Array
    gap_error: Array
    overall: float
    degrees: Array

    def p_values(self) -> list[float]:
        """Return how likely gaps so far below 0 are if there is none: one-sided, by the t distribution.

        A label that happens to have almost no agreement also happens to vary little, so that its own standard error is too
        small just when it matters. If no label is weaker than the others they all vary alike, by their number of annotations:
        the larger of its own error and the one that follows from all of them is used.
        """
        often = np.maximum(self.annotations, 1)
        known = np.isfinite(self.gap_error)
        # Of one item or cluster alone nothing says how the labels vary.
        pooled = np.sqrt((self.gap_error[known] ** 2 * often[known]).sum() / max(1, known.sum()) / often)
        error = np.where(known, np.maximum(self.gap_error, pooled), np.nan)
        usable = np.isfinite(self.gap) & (error > 0) & (self.degrees > 0)
        ratio = np.where(usable, self.gap, 0.0) / np.where(usable, error, 1.0)
        if (self.degrees[usable] > 1000).all():
            return [NormalDist().cdf(one) if fine else 1.0 for one, fine in zip(ratio, usable, strict=True)]
        return [
            t_tail(float(one), float(degrees)) if fine else 1.0
            for one, degrees, fine in zip(ratio, self.degrees, usable, strict=True)
        ]

    def vague(self, place: int) -> bool:
        """Tell whether agreement on a label is hardly known: its items alone say how it varies."""
        low, high = normal_interval(
            float(self.value[place]), float(self.standard_error[place]), 0.95, int(self.degrees[place])
        )
        return not (high - low) / 2.0 <= VAGUE

    def rows(self, data: Annotations, places: Sequence[int]) -> list[dict[str, Any]]:
        """Return what is known of some labels, with the 95 % interval of their alpha that `assent labels` shows."""
        made = zip(places, against_rest(data, self.positions[list(places)]), strict=True)
        return [self._row(data, place, krippendorff_alpha(rest).confidence_interval()) for place, rest in made]

    def _row(self, data: Annotations, place: int, interval: Interval) -> dict[str, Any]:
        return {
            "label": data.labels[int(self.positions[place])],
            "annotations": int(self.annotations[place]),
            "items": int(self.items[place]),
            "agreed": int(self.agreed[place]),
            "value": float(self.value[place]),
            "low": interval.low,
            "high": interval.high,
        }


def label_agreement(items: Counts, positions: Array) -> LabelAgreement:
    """Work out the agreement on each of some labels against the rest.

    Parameters
    ----------
    items : Counts
        Items with two or more annotations; at least two labels are in use.
    positions : array of integers
        Which labels.
    """
    weights = np.asarray(items.multiplicities, dtype=np.float64)
    totals = np.asarray(weights @ items.counts).ravel()
    number = float(totals.sum())
    overall, overall_slope = _overall(items)
    given = items.counts[:, positions]
    row, label = given.nonzero()
    own, size, total = np.asarray(given[row, label], dtype=np.float64).ravel(), items.sizes[row], totals[positions]

    def only(terms: Array) -> Matrix:
        """Return a matrix (profiles, labels) of terms where the item has the label, zeros elsewhere."""
        return from_cells(row, label, terms, given.shape, np.float64)

    apart = own * (size - own) / (size - 1.0)
    expected = total * (number - total) / (number - 1.0)
    disagreement = np.asarray(weights @ only(apart)).ravel() / expected
    # An item without the label moves the value by its size alone; one with it by something more.
    by_size = disagreement * (1.0 / (number - 1.0) - 1.0 / (number - total))
    more = only(apart / expected[label] + own * (disagreement * (1.0 / (number - total) - 1.0 / total))[label])
    with_label = np.asarray(weights @ only(np.ones(len(own)))).ravel()
    reached = with_label
    if items.units is not None:
        reached = np.bincount((items.units @ only(np.ones(len(own)))).nonzero()[1], minlength=len(positions))
    value = 1.0 - disagreement
    return LabelAgreement(
        positions=positions,
        annotations=total.astype(np.int64),
        items=with_label.astype(np.int64),
        agreed=np.asarray(weights @ only(own > 1)).ravel().astype(np.int64),
        value=value,
        standard_error=_spread(items, np.zeros(len(weights)), by_size, more),
        gap=value - (1.0 - overall),
        gap_error=_spread(items, overall_slope, -by_size, -more),
        overall=1.0 - overall,
        degrees=reached - 1.0,
    )


def _overall(items: Counts) -> tuple[float, Array]:
    """Return 1 - alpha of all labels, and its derivative in the weight of an item of each profile: (profiles,)."""
    weights = np.asarray(items.multiplicities, dtype=np.float64)
    sizes = items.sizes
    totals = np.asarray(weights @ items.counts).ravel()
    number = float(totals.sum())
    apart = (sizes**2 - np.asarray(squared(items.counts).sum(axis=1)).ravel()) / (sizes - 1.0)
    room = number**2 - float(totals @ totals)
    overall = (number - 1.0) * float(weights @ apart) / room
    spread = 2.0 * (number * sizes - np.asarray(items.counts @ totals).ravel()) / room
    return overall, (number - 1.0) * apart / room + overall * (sizes / (number - 1.0) - spread)


def _columns(counts: Matrix, positions: Array) -> Array:
    chosen = counts[:, positions]
    return np.asarray(chosen if isinstance(chosen, np.ndarray) else chosen.toarray(), dtype=np.float64)


def _spread(items: Counts, slope: Array, by_size: Array, more: Matrix) -> Array:
    """Turn the influence of items into standard errors, over clusters if there are any: (labels,).

    Parameters
    ----------
    slope : array (profiles,)
        What an item of a profile does to all of them.
    by_size : array (labels,)
        What each of its annotations does besides.
    more : matrix (profiles, labels)
        What it does besides if it has the label.
    """
    weights, sizes = np.asarray(items.multiplicities, dtype=np.float64), items.sizes
    if items.units is not None:
        slope, sizes, more = (np.asarray(items.units @ slope), np.asarray(items.units @ sizes), items.units @ more)
        weights = np.ones(len(slope))
    units = weights.sum()
    if units < 2:
        return np.full(len(by_size), np.nan)
    # Squares of slope + by_size * sizes + more, about the mean, without a table of items x labels.
    slope, sizes = slope - weights @ slope / units, sizes - weights @ sizes / units
    mean = np.asarray(weights @ more).ravel() / units
    of_all = weights @ slope**2 + 2.0 * by_size * (weights @ (slope * sizes)) + by_size**2 * (weights @ sizes**2)
    together = np.asarray((weights * slope) @ more).ravel() + by_size * np.asarray((weights * sizes) @ more).ravel()
    of_some = np.asarray(weights @ squared(more)).ravel() - units * mean**2
    return np.asarray(np.sqrt(units / (units - 1.0) * np.maximum(of_all + 2.0 * together + of_some, 0.0)))


def comparable_labels(items: Counts) -> tuple[Array, int]:
    """Choose the labels to compare by how often they occur alone, and count those that are left out for their number."""
    totals = np.asarray(items.multiplicities @ items.counts).ravel()
    if np.count_nonzero(totals) < 3:
        # Of two labels, each against the rest is the same as both together.
        return np.array([], dtype=np.int64), 0
    often = np.flatnonzero(totals >= LEAST_ANNOTATIONS)
    ordered = often[np.argsort(-totals[often], kind="stable")]
    return np.sort(ordered[:MEASURED_LABELS]), max(0, len(often) - MEASURED_LABELS)


def weak_labels(data: Annotations, labels: LabelAgreement, corrected: Sequence[float], level: float) -> Finding | None:
    """Report labels with far less agreement than all labels together, beyond what chance would do."""
    weak = [i for i, p in enumerate(corrected) if p <= level and labels.gap[i] <= -WEAK]
    if not weak:
        return None
    weak.sort(key=lambda i: labels.value[i])
    names = [data.labels[int(labels.positions[i])] for i in weak]
    worst, name = weak[0], shown(names[0])
    partner, times = _confused_with(data._comparable_counts, int(labels.positions[worst]))
    neighbour = shown(data.labels[partner])
    more = f" The same is true of {named(names[1:])}." if len(weak) > 1 else ""
    observation = (
        f"Agreement on {name} is {two_digits(labels.value[worst])} (Krippendorff's alpha of this label against the rest), while all "
        f"labels together reach {two_digits(labels.overall)}: more of a gap than chance would make "
        f"({probability(corrected[worst])}, corrected for all tests made here). The overall number hides it.{more}"
    )
    step = f"Sharpen what the guidelines say about {name} where it borders on {neighbour}, with which it is confused most often."
    evidence = {
        "label": names[0],
        "value": labels.value[worst],
        "overall": labels.overall,
        "measure": "krippendorff-alpha",
        "confused_with": data.labels[partner],
        "confused_pairs": times,
        "labels": [
            row | {"gap": labels.gap[i], "p_value_corrected": corrected[i]}
            for i, row in zip(weak, labels.rows(data, weak), strict=True)
        ],
        "labels_tested": len(corrected),
    }
    return found("weak-label", observation, evidence, first_step=step, tested=True)


def rare_labels(data: Annotations, reported: Sequence[str]) -> Finding | None:
    """Report labels that are given so rarely that agreement on them is poor or cannot be known."""
    items = data._comparable_counts
    totals = np.asarray(items.multiplicities @ items.counts).ravel()
    used = np.flatnonzero(totals)
    if len(used) < 3:
        return None
    share = totals / totals.sum()
    rare = used[(totals[used] < LEAST_ANNOTATIONS) | (share[used] < min(RARE, 0.5 / len(used)))]
    rare = rare[np.argsort(-totals[rare], kind="stable")]
    looked = label_agreement(items, rare[:MEASURED_LABELS])
    unknown = [
        i for i, one in enumerate(looked.positions) if data.labels[int(one)] not in reported and _unknown(looked, i)
    ]
    rows = [
        row | {"share": share[looked.positions[i]]} for i, row in zip(unknown, looked.rows(data, unknown), strict=True)
    ]
    # Labels that are not looked at are rarer still, so they belong here if they are rare enough by number alone.
    number = len(rows) + int(np.count_nonzero(totals[rare[MEASURED_LABELS:]] < LEAST_ANNOTATIONS))
    if not rows:
        return None
    rows.sort(key=lambda row: (row["value"], row["annotations"]))
    worst = rows[0]
    what = f"{number:,} of {len(used):,} labels are" if number > 1 else f"{shown(worst['label'])} is"
    such = f" {shown(worst['label'])}, for instance," if number > 1 else " It"
    observation = (
        f"{what} too rare to judge.{such} was given {counted(worst['annotations'], 'time')} ({percent(worst['share'])} of all "
        f"labels) to {counted(worst['items'], 'item')}, and two or more annotators agreed on it {counted(worst['agreed'], 'time')}: "
        f"agreement on it comes out at {two_digits(worst['value'])}, and a few more items could turn that around."
    )
    step = (
        "Look at these annotations one by one; then collect more items of this kind, or merge the label with another."
    )
    evidence = {
        "label": worst["label"],
        "annotations": worst["annotations"],
        "value": worst["value"],
        "measure": "krippendorff-alpha",
        "labels": rows,
        "labels_rare": number,
        "labels_in_use": len(used),
    }
    return found("rare-label", observation, evidence, first_step=step)


def _unknown(labels: LabelAgreement, place: int) -> bool:
    """Tell whether agreement on a rare label is poor, or known so badly that it may be."""
    few = labels.annotations[place] < LEAST_ANNOTATIONS
    return bool(few or labels.value[place] < POOR or labels.vague(place))


def overall_error(items: Counts) -> float:
    """Return the standard error of overall alpha in closed form, however many labels there are."""
    nothing = np.zeros((len(items.sizes), 1))
    return float(_spread(items, _overall(items)[1], np.zeros(1), nothing)[0])


def _confused_with(items: Counts, position: int) -> tuple[int, int]:
    """Find the label that most often stands beside another on the same item, and how many pairs that makes."""
    own = _columns(items.counts, np.array([position]))[:, 0]
    pairs = np.asarray((items.multiplicities * own) @ items.counts).ravel().astype(np.float64)
    pairs[position] = -1.0
    return int(pairs.argmax()), int(pairs.max())
