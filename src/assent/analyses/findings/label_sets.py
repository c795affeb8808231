"""When a number about sets of labels misleads: who gives more labels than others, and what luck does with many of them."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from assent.analyses.findings.finding import Finding, found, holm
from assent.data import Annotations, SetShare
from assent.limits import ANNOTATORS_COMPARED
from assent.measures import boot_f1
from assent.measures.results import Agreement
from assent.profiles import Array, Ratings
from assent.text import number, percent, probability, shown

__all__ = ["set_findings"]

#: Who gives this share of all labels to an item, on average, hardly tells items apart.
MANY_LABELS = 0.5
#: A difference in the share of annotations with several labels that matters.
UNEVEN = 0.15
#: Chance F1 from here on makes an observed F1 look much better than it is.
LUCKY = 0.4
#: What luck must take away of it to be much: of sets that are all the same it takes nothing.
LOST = 0.1
#: Below this share of the entropy that equally frequent labels would have, a few labels carry most.
LOW_ENTROPY = 0.75


def set_findings(data: Annotations, *, level: float = 0.05) -> list[Finding]:
    """Look for what makes a coefficient of label sets say less, or something else, than it seems to.

    Parameters
    ----------
    data : Annotations
        With sets of labels.
    level : float
        How often data without any trouble may raise a finding that rests on a test.
    """
    data = data._without_ranks()
    shares = data.set_shares()
    made = [_many_labels(data, shares), _uneven(data, shares, level), _entropy(data)]
    if 2 <= len(shares) <= ANNOTATORS_COMPARED:
        made.insert(2, _lucky(boot_f1(data)))
    return [one for one in made if one is not None]


def _many_labels(data: Annotations, shares: tuple[SetShare, ...]) -> Finding | None:
    """Report an annotator who gives so many labels that agreement comes by itself."""
    count = len(data.single_labels)
    many = sorted((one for one in shares if one.mean_labels >= MANY_LABELS * count), key=lambda one: -one.mean_labels)
    # What all do is how the task is meant; luck with so many labels is a finding of its own.
    if count < 3 or not many or len(many) == len(shares):
        return None
    who = many[0]
    more = "" if len(many) == 1 else f" The same is true of {len(many) - 1:,} more."
    observation = (
        f"{shown(who.annotator)} gives {who.mean_labels:.1f} of {count} labels to an item on average, so nearly every set of anybody "
        f"else shares a label with theirs.{more} Soft match would reward that; boot-match and boot-f1 take it away."
    )
    step = "Ask whether all these labels are meant, and have a label given only where it surely holds."
    evidence = {
        "annotators": [{"annotator": one.annotator, "mean_labels": one.mean_labels} for one in many],
        "labels": count,
    }
    return found("many-labels", observation, evidence, first_step=step)


def _uneven(data: Annotations, shares: tuple[SetShare, ...], level: float) -> Finding | None:
    """Report two annotators who give several labels to different shares of the same items."""
    if not 2 <= len(shares) <= ANNOTATORS_COMPARED:
        return None
    from scipy.special import bdtr

    ratings = data._comparable_ratings
    several = _several(ratings, data._parts.sizes > 1, len(shares))
    times = ratings.multiplicities
    pairs, p_values = [], []
    for one, two in combinations(range(len(shares)), 2):
        both = (several[:, one] >= 0) & (several[:, two] >= 0)
        items = int(times[both].sum())
        more = int(times[both & (several[:, one] > several[:, two])].sum())
        fewer = int(times[both & (several[:, one] < several[:, two])].sum())
        if items and more + fewer:
            mine, theirs = (float(times[both] @ several[both, side] / items) for side in (one, two))
            pairs.append((shares[one].annotator, shares[two].annotator, mine, theirs, items))
            # A fair coin is symmetric: both tails are twice the smaller one.
            p_values.append(min(1.0, 2.0 * float(bdtr(min(more, fewer), more + fewer, 0.5))))
    corrected = holm(p_values)
    clear = [
        (p, pair) for p, pair in zip(corrected, pairs, strict=True) if p <= level and abs(pair[2] - pair[3]) >= UNEVEN
    ]
    if not clear:
        return None
    p, (first, second, mine, theirs, items) = min(clear, key=lambda one: (one[0], -abs(one[1][2] - one[1][3])))
    few = first if mine < theirs else second
    others = "" if len(clear) == 1 else f" So do {len(clear) - 1:,} other pairs."
    observation = (
        f"{shown(first)} gives several labels to {percent(mine)} of the {items:,} items, {shown(second)} to {percent(theirs)} of the same "
        f"items ({probability(p)}, corrected for all tests made here).{others} The annotator who gives fewer, {shown(few)}, decides more "
        "often which label is the common one."
    )
    step = (
        "Look at boot-precision and boot-recall, which tell the two apart, and settle when a second label may be given."
    )
    evidence = {
        "first": first,
        "second": second,
        "first_share": mine,
        "second_share": theirs,
        "items": items,
        "p_value_corrected": p,
        "pairs": [[one[0], one[1]] for _, one in clear],
        "pairs_tested": len(pairs),
    }
    return found("uneven-sets", observation, evidence, first_step=step, lead="", tested=True)


def _several(ratings: Ratings, wanted: Array, annotators: int) -> Array:
    """Return 1 where an annotator gave several labels, 0 where one or none, -1 where nothing: (profiles, annotators)."""
    table = np.full((len(ratings.multiplicities), annotators), -1, dtype=np.int64)
    table[ratings.profile, ratings.annotator] = wanted[ratings.label]
    return table


def _lucky(f1: Agreement) -> Finding | None:
    """Report that much of the observed F1 is luck."""
    if math.isnan(f1.value) or f1.expected < LUCKY or f1.observed - f1.value < LOST:
        return None
    sentence = (
        f"F1 between annotators is {number(f1.observed)}, but sets drawn at random from what they use would already reach "
        f"{number(f1.expected)}: beyond chance it is {number(f1.value)}. Do not quote the observed F1 without that, nor compare it "
        "with data that have fewer labels per item or more labels to choose from."
    )
    return found("lucky-f1", sentence, {"observed": f1.observed, "expected": f1.expected, "value": f1.value})


def _entropy(data: Annotations) -> Finding | None:
    """Report that a few labels carry most annotations, so that luck finds a common one easily."""
    times = np.asarray(data._counts.multiplicities @ data._counts.counts).ravel()
    used = data._of_single_labels(times)
    count = len(data.single_labels)
    if count < 3 or not used.sum():
        return None
    share = used[used > 0] / used.sum()
    entropy = float(-(share * np.log2(share)).sum())
    if entropy >= LOW_ENTROPY * math.log2(count):
        return None
    top = int(used.argmax())
    sentence = (
        f"A few of the {count} labels carry most annotations ({shown(data.single_labels[top])} {percent(float(used[top] / used.sum()))}; "
        f"entropy {entropy:.2f} of {math.log2(count):.2f} bits), so two sets often share a frequent label by luck, and common labels are "
        "more often frequent ones than the data are. Quote values that are corrected for chance, and do not read label shares "
        "off the common labels."
    )
    evidence = {
        "entropy": entropy,
        "largest_entropy": math.log2(count),
        "label": data.single_labels[top],
        "share": float(used[top] / used.sum()),
    }
    return found("low-entropy", sentence, evidence)
