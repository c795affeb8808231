"""What merging two labels would do: to the coefficient, and to what the labels can tell apart.

A coarser label set is easier to agree on, so the gain alone says nothing: merging everything would be best. What is lost is the
entropy of the labels, how many bits a label says about an item; the two numbers belong together. For nominal alpha both follow
from the coincidences in closed form: with n annotations, n_c of each label, and o_ab coincidences of labels a and b in either
order, merging a and b takes 2 o_ab from the disagreement D and 2 n_a n_b from n² - sum n_c², to which D is compared. So a merge gains
exactly if the two labels make a larger share of the disagreement than they would by chance, and labels that never meet
on an item never gain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from assent.analyses.difference import difference
from assent.analyses.labels.confusions import Coincidences, column, comparable, disagreement, of_counts
from assent.data import Annotations, as_annotations
from assent.errors import OptionError, UnsuitableData, choose
from assent.inference.pseudo import padded_counts
from assent.inference.sample import Sample
from assent.limits import LABELS_IN_PATH, LABELS_WITH_INTERVAL, MERGES_MEASURED
from assent.measures import Measure, find
from assent.measures.results import DEFAULT_METHOD, Agreement, Estimate, Interval
from assent.profiles import Array, Counts, Multiplicities, Weighting
from assent.records import Record, Struct, plain
from assent.scales import SCALES
from assent.text import counted

__all__ = ["Merge", "MergeStep", "Merges", "label_merges"]

#: Gains that differ by less are the same.
DIGITS = 12
#: On a scale, merges that fewer items speak for are not clear.
ENOUGH = 5


class Merge(Struct, frozen=True, kw_only=True):
    """Two labels taken as one.

    Parameters
    ----------
    value : float
        The coefficient after the merge.
    gain : float
        That less the coefficient before.
    interval : Interval or None
        Of the gain, widened for the number of possible merges, and to hold 0 if the gain is not clear; None if it was not worked out.
    clear : bool or None
        The gain is above 0 beyond doubt: so say an interval that is widened for the number of possible merges, since the best of many looks good
        by luck, and how often luck alone brings two labels together so often. None if it was not worked out.
    entropy_lost : float
        Bits per annotation that the labels say less.
    entropy_share : float
        That as a share of all they said before.
    """

    first: str
    second: str
    value: float
    gain: float
    interval: Interval | None
    clear: bool | None
    entropy_lost: float
    entropy_share: float

    def to_dict(self) -> dict[str, Any]:
        """Return the merge as plain values."""
        return {
            "first": self.first,
            "second": self.second,
            "value": plain(self.value),
            "gain": plain(self.gain),
            "ci": plain(self.interval),
            "clear": self.clear,
            "entropy_lost": self.entropy_lost,
            "entropy_share_lost": self.entropy_share,
            "notes": [] if self.interval is None else list(self.interval.notes),
        }


class MergeStep(Record, frozen=True, kw_only=True):
    """One step on the way from all labels to two, the best merge taken each time.

    Parameters
    ----------
    merged : tuple of str
        The labels that are one after this step.
    n_labels : int
        Labels that are left.
    value : float
        The coefficient then.
    entropy, entropy_share : float
        Bits per annotation that the labels still say, and as a share of what they said at first.
    """

    merged: tuple[str, ...]
    n_labels: int
    value: float
    entropy: float
    entropy_share: float


class Merges(Record, frozen=True, kw_only=True):
    """What merging two labels would do, the best first.

    Parameters
    ----------
    measure, title : str
        The coefficient.
    value : float
        Before any merge.
    entropy : float
        Bits per annotation that the labels say: the entropy of their shares in items with two or more annotations.
    tried : int
        Merges that were worked out.
    path : tuple of MergeStep or None
        One merge after the other; None where merges are not followed.
    """

    measure: str
    title: str
    scale: str
    value: float
    entropy: float
    tried: int
    merges: tuple[Merge, ...]
    path: tuple[MergeStep, ...] | None
    notes: tuple[str, ...] = ()


def label_merges(
    data: Any,
    *,
    measure: str = "krippendorff-alpha",
    scale: str | None = None,
    order: Sequence[str] | None = None,
    most: int = 10,
    intervals: int = 5,
    confidence_level: float = 0.95,
    method: str = DEFAULT_METHOD,
    **options: Any,
) -> Merges:
    """Return what merging two labels would do to a coefficient and to the entropy of the labels, the largest gain first.

    Parameters
    ----------
    measure : str
        Name of a coefficient.
    scale : {"nominal", "ordinal"}, optional
        On an ordinal scale only neighbours are merged.
    order : sequence of str, optional
        The labels from lowest to highest.
    most : int
        At most so many merges are returned.
    intervals : int
        So many of them, the best, with an interval of the gain.
    method : {"etel", "analytic", "jackknife", "bootstrap"}
        How these intervals are made.
    **options
        Kind, replicates and seed of a bootstrap.

    Examples
    --------
    >>> table = [["cat", "cat"], ["dog", "wolf"], ["wolf", "dog"], ["dog", "dog"], ["cat", "cat"], ["wolf", "wolf"]]
    >>> best = label_merges(table).merges[0]
    >>> best.first, best.second, round(best.value, 2), round(best.gain, 2), round(best.entropy_lost, 2)
    ('dog', 'wolf', 1.0, 0.46, 0.67)
    """
    data = as_annotations(data)
    if order is not None:
        data = data.ordered(order)
    scale = choose("scale", scale or "nominal", SCALES)
    if scale not in ("nominal", "ordinal"):
        raise UnsuitableData(
            f"On a scale of numbers ({scale}) labels are not merged but rounded: use the nominal or the ordinal scale."
        )
    if not 0 < confidence_level < 1:
        raise OptionError(f"The confidence level is {confidence_level}; it must lie between 0 and 1, as 0.95 does.")
    wanted = find(measure)
    items = comparable(data)
    before = wanted(data, scale=scale)
    found = of_counts(items)
    # Nominal alpha follows from the coincidences; anything else is measured anew.
    measured = wanted.name != "krippendorff-alpha" or scale != "nominal"
    one, other, left_out = _candidates(found, scale, MERGES_MEASURED if measured else None)
    after = _measured(data, wanted, scale, one, other) if measured else merged_alpha(found)
    lost = _lost(found, one, other)
    entropy = _entropy(found.totals)
    # The largest gain first; of equal ones the cheaper. A merge that leaves one label has no coefficient.
    defined = np.flatnonzero(~np.isnan(after))
    ranked = defined[
        np.lexsort((other[defined], one[defined], np.round(lost[defined], DIGITS), -np.round(after[defined], DIGITS)))
    ]
    # Labels that never met might have: the best is the best of all merges that could have been.
    used = int(np.count_nonzero(found.totals))
    possible = max(len(defined), used - 1 if scale == "ordinal" else used * (used - 1) // 2)
    merges = []
    for rank, place in enumerate(ranked[:most].tolist()):
        first, second = found.labels[int(one[place])], found.labels[int(other[place])]
        interval, clear = None, None
        if rank < intervals and len(data.labels) <= LABELS_WITH_INTERVAL:
            gain: Estimate = (
                difference(wanted(data.merged({second: first}), scale=scale), before)
                if measured
                else (_gain(data, items, int(one[place]), int(other[place])))
            )
            luck = by_luck(items, found, int(one[place]), int(other[place]), scale)
            interval = _widened(gain, confidence_level, possible, method, options)
            clear = _clear(gain, confidence_level, possible, luck)
            if not clear:
                # Tilted weights of one or two items that speak for a merge stay above 0 however little they say.
                interval = replace(interval, low=min(interval.low, 0.0))
        merges.append(
            Merge(
                first=first,
                second=second,
                value=float(after[place]),
                gain=float(after[place]) - before.value,
                interval=interval,
                clear=clear,
                entropy_lost=float(lost[place]),
                entropy_share=float(lost[place]) / entropy,
            )
        )
    return Merges(
        measure=wanted.name,
        title=before.title,
        scale=scale,
        value=before.value,
        entropy=entropy,
        merges=tuple(merges),
        tried=len(defined),
        path=None if measured or len(data.labels) > LABELS_IN_PATH else _path(found),
        notes=_notes(before, found, len(defined), left_out, len(data.labels), intervals),
    )


def _candidates(found: Coincidences, scale: str, most: int | None) -> tuple[Array, Array, int]:
    """Choose the pairs of labels to merge, and count those that are left out for their number."""
    if scale == "ordinal":
        used = np.flatnonzero(found.totals)
        one, other = used[:-1], used[1:]
        met = dict(
            zip(zip(found.first.tolist(), found.second.tolist(), strict=True), found.together.tolist(), strict=True)
        )
        together = np.array([met.get(pair, 0.0) for pair in zip(one.tolist(), other.tolist(), strict=True)])
    else:
        one, other, together = found.first, found.second, found.together
    if most is None or len(one) <= most:
        return one, other, 0
    often = np.sort(np.argsort(-together, kind="stable")[:most])
    return one[often], other[often], len(one) - most


def _measured(data: Annotations, measure: Measure, scale: str, one: Array, other: Array) -> Array:
    """Measure the data after each merge: (merges,)."""
    names = [(data.labels[a], data.labels[b]) for a, b in zip(one.tolist(), other.tolist(), strict=True)]
    return np.array([measure(data.merged({b: a}), scale=scale).value for a, b in names], dtype=np.float64)


def merged_alpha(found: Coincidences) -> Array:
    """Return nominal alpha after merging each two labels that meet; NaN if one label is left: (pairs,)."""
    number = float(found.totals.sum())
    room = number**2 - float(found.totals @ found.totals)
    # These are whole numbers, so 0 is 0: with all annotations in one label there is no chance to compare with.
    left = room - 2.0 * found.totals[found.first] * found.totals[found.second]
    return 1.0 - (number - 1.0) * (found.disagreement - found.together) / np.where(left > 0, left, np.nan)


def _entropy(totals: Array) -> float:
    """Return the entropy of labels given so many times each, in bits."""
    share = totals[totals > 0] / totals.sum()
    return float(-(share * np.log2(share)).sum()) + 0.0


def _lost(found: Coincidences, one: Array, other: Array) -> Array:
    """Return the bits lost by each merge: what it takes to tell the two labels apart: (merges,)."""
    first, second = found.totals[one], found.totals[other]
    both = first + second
    apart = -(first * np.log2(first / both) + second * np.log2(second / both))
    return np.asarray(apart / found.totals.sum())


def _gain(data: Annotations, items: Counts, one: int, other: int) -> Estimate:
    """Return what merging two labels adds to nominal alpha, as a statistic of items."""
    statistic = _gain_of(items, one, other)
    return Estimate(
        value=float(statistic(Multiplicities(items.multiplicities))),
        sample=Sample(statistic, items.multiplicities, items.units),
        unit=data.unit,
        padded=lambda: padded_counts(items, lambda made: _gain_of(made, one, other)),
    )


def _gain_of(items: Counts, one: int, other: int) -> Callable[[Weighting], Array]:
    apart = disagreement(items)
    between = 2.0 * column(items, one) * column(items, other) / (items.sizes - 1.0)

    def statistic(weighting: Weighting) -> Array:
        totals, all_apart = weighting.total(items.counts), weighting.total(apart)
        number = totals.sum(-1)
        room = number**2 - (totals**2).sum(-1)
        left = room - 2.0 * totals[..., one] * totals[..., other]
        # A replicate that is left with one label has no alpha: 0 / 0, which is NaN.
        with np.errstate(divide="ignore", invalid="ignore"):
            gain = (number - 1.0) * (all_apart / room - (all_apart - weighting.total(between)) / left)
        return np.asarray(np.where((np.real(room) > 0) & (np.real(left) > 0), gain, np.nan))

    return statistic


def _widened(gain: Estimate, level: float, possible: int, method: str, options: Mapping[str, Any]) -> Interval:
    """Return an interval of the gain that holds for all merges at once: the best of many looks good by luck."""
    interval = gain.confidence_interval(1.0 - (1.0 - level) / max(1, possible), method=method, **options)
    return replace(interval, level=level)


def _clear(gain: Estimate, level: float, possible: int, luck: float) -> bool | None:
    """Tell whether a gain is above 0 beyond doubt, the best of so many; None if that cannot be known.

    Parameters
    ----------
    possible : int
        Number of merges that it may be the best of.
    luck : float
        How often luck alone brings the two labels together so often.
    """
    doubt = (1.0 - level) / max(1, possible)
    # Never by the bootstrap: so far out in the tails there is no sample.
    low = gain.confidence_interval(1.0 - doubt).low
    return None if math.isnan(low) else bool(low > 0 and luck <= doubt)


def by_luck(items: Counts, found: Coincidences, one: int, other: int, scale: str) -> float:
    """Return how often two labels make so large a share of the disagreement by luck, or 0 or 1 by the number of items on a scale.

    Items (or clusters) that disagree are taken as draws, each of which is about the two labels with the probability that their frequency gives; one
    that is about several labels counts for its share. On a scale frequency is no yardstick, and fewer than five items that have both say nothing.
    """
    from scipy.special import betainc

    between = 2.0 * column(items, one) * column(items, other) / (items.sizes - 1.0)
    apart = disagreement(items)
    times = np.asarray(items.multiplicities, dtype=np.float64)
    if items.units is not None:
        between, apart = (np.asarray(items.units @ part) for part in (between, apart))
        times = np.ones(len(apart))
    share = np.divide(between, apart, out=np.zeros(len(apart)), where=apart > 0)
    if scale != "nominal":
        return float(times[between > 0].sum() < ENOUGH)
    about, draws = float(times @ share), float(times[apart > 0].sum())
    if not about > 0:
        return 1.0
    number = float(found.totals.sum())
    expected = 2.0 * found.totals[one] * found.totals[other] / (number**2 - float(found.totals @ found.totals))
    return float(betainc(about, max(draws - about, 0.0) + 1.0, min(expected, 1.0)))


def _path(found: Coincidences) -> tuple[MergeStep, ...]:
    """Follow the best merge of nominal alpha, then the best after that, until two labels are left."""
    used = np.flatnonzero(found.totals)
    matrix = found.matrix()[np.ix_(used, used)]
    totals = found.totals[used]
    groups: list[tuple[str, ...]] = [(found.labels[i],) for i in used.tolist()]
    whole, number = _entropy(totals), float(totals.sum())
    steps = []
    while len(groups) > 2:
        one, other = np.triu_indices(len(groups), 1)
        apart = matrix.sum() - np.trace(matrix)
        room = number**2 - totals @ totals - 2.0 * totals[one] * totals[other]
        values = 1.0 - (number - 1.0) * (apart - 2.0 * matrix[one, other]) / room
        best = int(np.argmax(np.round(values, DIGITS)))
        a, b = int(one[best]), int(other[best])
        matrix[a] += matrix[b]
        matrix[:, a] += matrix[:, b]
        kept = np.arange(len(groups)) != b
        matrix = matrix[np.ix_(kept, kept)]
        totals[a] += totals[b]
        totals = totals[kept]
        groups[a] += groups.pop(b)
        entropy = _entropy(totals)
        steps.append(
            MergeStep(
                merged=groups[a],
                n_labels=len(groups),
                value=float(values[best]),
                entropy=entropy,
                entropy_share=entropy / whole,
            )
        )
    return tuple(steps)


def _notes(
    before: Agreement, found: Coincidences, tried: int, left_out: int, labels: int, intervals: int
) -> tuple[str, ...]:
    """Say what a reader of the merges must know."""
    notes = []
    used = int(np.count_nonzero(found.totals))
    if used == 1:
        notes.append("One label is in use: there is nothing to merge.")
    elif used == 2:
        notes.append("Two labels are in use: merged, they would leave nothing to measure.")
    elif not found.disagreement:
        notes.append("There is no disagreement that a merge could take away.")
    elif not math.isnan(before.value):
        notes.append(
            "A gain alone speaks for no merge, since coarser labels are easier to agree on: merge what you need not tell "
            "apart, and look at what is lost."
        )
    if left_out:
        notes.append(f"{counted(left_out, 'pair')} of labels with less disagreement were not tried.")
    if tried and intervals and labels > LABELS_WITH_INTERVAL:
        notes.append(
            f"Gains have no interval: there are {labels:,} labels, and it is worked out for up to {LABELS_WITH_INTERVAL:,}."
        )
    return tuple(notes)
