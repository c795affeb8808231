"""Agreement of sets of labels, from the formulas of Rosenberg and Binkowski (2004) and Marchal et al. (2022).

A table is a list of rows (items), each a list of annotations, one per annotator (column). An annotation is a tuple of labels,
the primary one first; () is the empty set, a category of its own; None is missing. Everything is a Fraction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

from . import set_chance
from .tables import Components, Number

LabelSet: TypeAlias = tuple[str, ...]
Rows: TypeAlias = Sequence[Sequence[LabelSet | None]]
#: Items that two annotators both labelled: what each of them gave.
Both: TypeAlias = list[tuple[LabelSet, LabelSet]]

EMPTY = "∅"


def shares(labels: LabelSet, primary: Fraction | None) -> dict[str, Fraction]:
    """One vote, shared out among the labels of a set."""
    if not labels:
        return {EMPTY: Fraction(1)}
    if primary is None or len(labels) == 1:
        return {label: Fraction(1, len(labels)) for label in labels}
    return {labels[0]: primary, **{label: (1 - primary) / (len(labels) - 1) for label in labels[1:]}}


def product(first: dict[str, Fraction], second: dict[str, Fraction]) -> Fraction:
    """The sum over labels of both shares multiplied."""
    return sum((share * second.get(label, Fraction(0)) for label, share in first.items()), start=Fraction(0))


def mean(votes: Sequence[dict[str, Fraction]]) -> dict[str, Fraction]:
    """The mean share of each label."""
    total: dict[str, Fraction] = {}
    for vote in votes:
        for label, share in vote.items():
            total[label] = total.get(label, Fraction(0)) + share / len(votes)
    return total


def augmented(both: Both, primary: Fraction | None = None) -> Components:
    """Products of shares on the items, and of mean shares by chance."""
    first, second = ([shares(one[side], primary) for one in both] for side in (0, 1))
    observed = sum((product(a, b) for a, b in zip(first, second, strict=True)), start=Fraction(0)) / len(both)
    return Components(observed, product(mean(first), mean(second)))


def soft_match(both: Both) -> Components:
    """Whether there is a common label; chance as of single labels, the common ones where there are any."""
    hits = 0
    votes: tuple[list[dict[str, Fraction]], ...] = ([], [])
    for one, two in both:
        common = tuple(label for label in one if label in two)
        agreed = bool(common) or (not one and not two)
        hits += agreed
        for side, own in zip(votes, (one, two), strict=True):
            side.append(shares(common if agreed else own, None))
    return Components(Fraction(hits, len(both)), product(*map(mean, votes)))


def boot(both: Both, score: str, *, reference: int = 0, chance: str = "exact") -> Components:
    """Match, precision, recall or F1, and the same of sets drawn by chance."""
    labels = sorted({label for one in both for side in one for label in side})
    place = {label: i for i, label in enumerate(labels)}
    # Scores look at the candidate first and at the reference second.
    candidate, judge = (
        [frozenset(place[label] for label in one[side]) for one in both] for side in (1 - reference, reference)
    )
    number = Fraction(1, len(both))
    found = [getattr(set_chance.compare(a, b), score) for a, b in zip(candidate, judge, strict=True)]
    observed = sum(found, start=Fraction(0)) * number
    if chance == "permute":
        every = [getattr(set_chance.compare(a, b), score) for a in candidate for b in judge]
        return Components(observed, sum(every, start=Fraction(0)) * number * number)
    used, sizes = [], []
    for given in (candidate, judge):
        often, lengths = Counter(label for one in given for label in one), Counter(map(len, given))
        used.append([Fraction(often[i]) for i in range(len(labels))])
        sizes.append([lengths[m] * number for m in range(max(lengths) + 1)])
    return Components(observed, Fraction(getattr(set_chance.expected(*used, *sizes), score)))


def labelled(rows: Rows, one: int, two: int) -> Both:
    """The items that two annotators both labelled."""
    return [(a, b) for row in rows if (a := row[one]) is not None and (b := row[two]) is not None]


def over_pairs(rows: Rows, pair: Callable[[Both], Components], average: str = "overlap") -> Number | None:
    """The mean over every two annotators, by the items that both labelled or all alike, of those with a value."""
    total: Number = Fraction(0)
    weight = Fraction(0)
    for one, two in combinations(range(len(rows[0])), 2):
        both = labelled(rows, one, two)
        value = pair(both).value if both else None
        if value is not None:
            times = len(both) if average == "overlap" else 1
            total, weight = total + times * value, weight + times
    return total / weight if weight else None


def of_item(rows: Rows, place: int, primary: Fraction) -> Number | None:
    """Augmented kappa of one item: the mean over its pairs of annotators."""
    found = []
    for one, two in combinations(range(len(rows[0])), 2):
        here = labelled([rows[place]], one, two)
        if not here:
            continue
        chance = augmented(labelled(rows, one, two), primary).expected
        assert isinstance(chance, Fraction)
        if chance != 1:
            seen = product(*(shares(labels, primary) for labels in here[0]))
            found.append((seen - chance) / (1 - chance))
    return sum(found) / len(found) if found else None
