"""Annotator against annotator: who leans, in which direction, and what that does to kappa."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from assent.analyses.findings.finding import Finding, found
from assent.analyses.findings.symmetry import Disagreements, SymmetryTest, cap, distance, shared
from assent.data import Annotations
from assent.limits import ANNOTATORS_TESTED, CLUSTERS_TESTED, LABELS_TESTED, PAIRS_TESTED
from assent.measures.components import chance_corrected
from assent.profiles import Array, Matrix, Ratings, from_cells, scale_rows
from assent.records import Struct, cached_property
from assent.text import counted, percent, probability, shown
from assent.text import number as two_digits

__all__ = ["Pair", "asymmetric", "biased", "capped", "compared"]

#: Of more than two annotators, pairs that share fewer items than this are not compared: nothing could be shown.
LEAST_SHARED = 10
#: If chi-squared, or after it so many simulations, give a p-value above twice the level, that is the end of it.
ROUGH = 999
#: Of the disagreements on two labels at least this share must go one way: in large data a hair's breadth is significant.
ONE_WAY = 0.6
#: At least this share of the items would have to change label for the annotators' shares to be equal.
APART = 0.05
#: Kappa is capped if its shares allow no more than this ...
CAP = 0.8
#: ... and it has reached this much of what they allow, ...
REACHED = 0.85
#: ... with at least so many disagreements.
FEWEST = 5

OTHERS = "all other labels"


class Pair(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Two annotators and how their labels differ.

    Parameters
    ----------
    first, second : str
        Their names.
    labels : tuple of str
        The labels of the table; the last may stand for all rare ones.
    table : array (labels, labels)
        How often the first (rows) gave one label and the second (columns) another.
    kappa, largest_kappa, bias_index : float
        Of all labels, the rare ones apart.
    direction : SymmetryTest
        Bowker's test.
    shares : SymmetryTest or None
        Stuart and Maxwell's; None where it is the same test, as it is with two labels.
    """

    first: str
    second: str
    labels: tuple[str, ...]
    table: Array
    kappa: float
    largest_kappa: float
    bias_index: float
    disagreements: Disagreements
    direction: SymmetryTest
    shares: SymmetryTest | None

    @cached_property
    def n_items(self) -> int:
        """Items that both labelled."""
        return int(self.table.sum())

    @cached_property
    def most_one_sided(self) -> tuple[int, int, int, int]:
        """The pair of labels with the clearest direction: what the first says, the second says, how often, the reverse."""
        found = self.disagreements
        place = int(np.argmax(found.excess**2 / found.together))
        one, other = int(found.one[place]), int(found.other[place])
        forth, back = int(found.forth[place]), int(found.back[place])
        return (one, other, forth, back) if forth >= back else (other, one, back, forth)

    @cached_property
    def most_apart(self) -> tuple[int, float, float]:
        """The label whose shares differ most, and its share for the first and the second annotator."""
        mine, theirs = self.table.sum(axis=1) / self.n_items, self.table.sum(axis=0) / self.n_items
        label = int(np.argmax(np.abs(mine - theirs)))
        return label, float(mine[label]), float(theirs[label])

    def numbers(self) -> dict[str, Any]:
        """Return what every finding about the two carries."""
        return {
            "first": self.first,
            "second": self.second,
            "items": self.n_items,
            "disagreements": int(self.disagreements.together.sum()),
            "kappa": self.kappa,
            "kappa_max": self.largest_kappa,
            "kappa_of_max": self.kappa / self.largest_kappa if self.largest_kappa > 0 else None,
            "bias_index": self.bias_index,
        }


def compared(data: Annotations, *, level: float, simulations: int, seed: int) -> tuple[list[Pair], int]:
    """Compare pairs of annotators, and say how many more of them share enough items; none of a crowd too large to look at."""
    if data._sample_items() is not data:
        return [], 0
    ratings = data._comparable_ratings
    places, left_out = _places(ratings)
    totals = np.asarray(data._counts.multiplicities @ data._counts.counts).ravel()
    often = np.sort(np.argsort(-totals, kind="stable")[:LABELS_TESTED])
    names = tuple(data.labels[i] for i in often)
    grouping = np.full(len(totals), len(often))
    grouping[often] = np.arange(len(often))
    if len(totals) > len(often):
        names = (*names, OTHERS)
    pairs = [_pair(ratings, one, other, grouping, names, level, simulations, seed) for one, other in places]
    return [pair for pair in pairs if pair is not None], left_out


def _places(ratings: Ratings) -> tuple[list[tuple[int, int]], int]:
    """Choose the pairs to compare by how many items they share, which says nothing about how they compare."""
    count = len(ratings.annotators)
    if count == 2:
        return [(0, 1)], 0
    weights = np.asarray(ratings.multiplicities, dtype=np.float64)
    each = np.bincount(ratings.annotator, weights=weights[ratings.profile], minlength=count)
    chosen = np.sort(np.argsort(-each, kind="stable")[:ANNOTATORS_TESTED])
    column = np.full(count, -1)
    column[chosen] = np.arange(len(chosen))
    kept = column[ratings.annotator] >= 0
    ones = np.ones(int(kept.sum()))
    present = from_cells(ratings.profile[kept], column[ratings.annotator[kept]], ones, (len(weights), len(chosen)))
    shared_items = present.T @ scale_rows(present, weights)
    together = shared_items if isinstance(shared_items, np.ndarray) else shared_items.toarray()
    first, second = np.triu_indices(len(chosen), 1)
    items = together[first, second]
    often = np.flatnonzero(items >= LEAST_SHARED)
    often = often[np.argsort(-items[often], kind="stable")]
    places = [(int(chosen[first[i]]), int(chosen[second[i]])) for i in often[:PAIRS_TESTED]]
    return places, len(often) - len(places)


def _pair(
    ratings: Ratings,
    first: int,
    second: int,
    grouping: Array,
    names: tuple[str, ...],
    level: float,
    simulations: int,
    seed: int,
) -> Pair | None:
    one, other, items, profiles = shared(ratings, first, second)
    if not len(items):
        return None
    rows, columns = (np.bincount(side, weights=items, minlength=len(grouping)) for side in (one, other))
    number = items.sum()
    kappa = float(chance_corrected(items[one == other].sum() / number, (rows @ columns) / number**2))
    one, other, size = grouping[one], grouping[other], len(names)
    table = np.bincount(one * size + other, weights=items, minlength=size**2).reshape(size, size)
    differ = Disagreements.of(table)
    if ratings.units is not None:
        differ = _in_clusters(differ, one, other, size, ratings.units[:, profiles])
    direction = _tested(differ, differ.by_pair, level, simulations, seed)
    shares = None
    if len(differ.together) and differ.by_label.shape[-1] < len(differ.together):
        shares = _tested(differ, differ.by_label, level, simulations, seed)
    return Pair(
        first=ratings.annotators[first],
        second=ratings.annotators[second],
        labels=names,
        table=table,
        kappa=kappa,
        largest_kappa=cap(rows, columns),
        bias_index=distance(rows, columns),
        disagreements=differ,
        direction=direction,
        shares=shares,
    )


def _tested(differ: Disagreements, view: Array, level: float, simulations: int, seed: int) -> SymmetryTest:
    """Test disagreements, at length only where it could matter: to be rejected, they must be rejected by every step."""
    test = differ.test(view, method="chi-squared", simulations=simulations)
    for most in sorted({min(ROUGH, simulations), simulations}):
        if test.p_value > 2.0 * level or test.method == "exact":
            break
        test = differ.test(view, simulations=most, seed=seed)
    return test


def _in_clusters(differ: Disagreements, one: Array, other: Array, size: int, units: Matrix) -> Disagreements:
    """Sum up disagreements by cluster, so that those of a cluster are turned around together."""
    from scipy.sparse import coo_array

    found = coo_array(units)
    cluster, place = found.coords
    key = np.minimum(one, other) * size + np.maximum(one, other)
    known = differ.one * size + differ.other
    pair = np.searchsorted(known, key)
    apart = one[place] != other[place]
    sums = np.zeros((min(CLUSTERS_TESTED, int(found.shape[0])), len(known)))
    sign = np.where(one < other, 1.0, -1.0)
    rows, columns = cluster[apart] % len(sums), pair[place[apart]]
    np.add.at(sums, (rows, columns), sign[place[apart]] * found.data[apart])
    return Disagreements(differ.one, differ.other, differ.forth, differ.back, sums)


def asymmetric(pairs: Sequence[Pair], corrected: Sequence[float], level: float) -> tuple[Finding | None, list[Pair]]:
    """Report the clearest direction of disagreement, and return all pairs that have one."""
    lean = [(p, pair) for pair, p in zip(pairs, corrected, strict=True) if p <= level and _one_way(pair) >= ONE_WAY]
    if not lean:
        return None, []
    lean.sort(key=lambda one: (one[0], -one[1].direction.statistic))
    p_value, pair = lean[0]
    one, other, forth, back = pair.most_one_sided
    who, whom, what, instead = shown(pair.first), shown(pair.second), shown(pair.labels[one]), shown(pair.labels[other])
    label, mine, theirs = pair.most_apart
    shares = ""
    if pair.shares is None:
        shares = (
            f" So {who} uses {shown(pair.labels[label])} on {percent(mine)} of the items, {whom} on {percent(theirs)}."
        )
    observation = (
        f"Where {who} and {whom} disagree between {what} and {instead}, {who} says {what} and {whom} {instead} {counted(forth, 'time')}, "
        f"the other way round {counted(back, 'time')}: more one-sided than chance would make it ({probability(p_value)}, corrected for all "
        f"tests made here). They draw that line differently, and kappa ({two_digits(pair.kappa)}) does not show it.{shares}{_others(lean)}"
    )
    step = f"Go through the {counted(forth + back, 'item')} with {who} and {whom} and settle where {what} ends and {instead} begins."
    evidence = {
        **pair.numbers(),
        "first_label": pair.labels[one],
        "second_label": pair.labels[other],
        "forth": forth,
        "back": back,
        **_test("bowker", pair.direction),
        "p_value_corrected": p_value,
        "same_test_as_stuart_maxwell": pair.shares is None,
        "pairs": [[other_pair.first, other_pair.second] for _, other_pair in lean],
        "pairs_tested": len(pairs),
    }
    finding = found("asymmetric-disagreement", observation, evidence, first_step=step, tested=True)
    return finding, [pair for _, pair in lean]


def biased(pairs: Sequence[Pair], corrected: Sequence[float], level: float) -> tuple[Finding | None, list[Pair]]:
    """Report the two annotators whose label shares differ most clearly, and return all pairs whose shares do."""
    lean = [
        (p, pair)
        for pair, p in zip(pairs, corrected, strict=True)
        if pair.shares is not None and p <= level and pair.bias_index >= APART
    ]
    if not lean:
        return None, []
    lean.sort(key=lambda one: (one[0], -one[1].bias_index))
    p_value, pair = lean[0]
    assert pair.shares is not None
    label, mine, theirs = pair.most_apart
    who, whom, what = shown(pair.first), shown(pair.second), shown(pair.labels[label])
    observation = (
        f"{who} gives {what} to {percent(mine)} of the items, {whom} to {percent(theirs)}. The two use the labels in different "
        f"shares, more than chance would make them ({probability(p_value)}, corrected for all tests made here): "
        f"{percent(pair.bias_index)} of the items would have to change label to even that out. Kappa ({two_digits(pair.kappa)}) "
        f"takes such shares for granted.{_others(lean)}"
    )
    step = f"Ask both what counts as {what}, with examples."
    evidence = {
        **pair.numbers(),
        "label": pair.labels[label],
        "first_share": mine,
        "second_share": theirs,
        **_test("stuart_maxwell", pair.shares),
        "p_value_corrected": p_value,
        "pairs": [[other_pair.first, other_pair.second] for _, other_pair in lean],
        "pairs_tested": len(pairs),
    }
    return found("bias", observation, evidence, first_step=step, tested=True), [pair for _, pair in lean]


def capped(pairs: Sequence[Pair], explained: Sequence[Pair]) -> Finding | None:
    """Report a kappa that has nearly reached the most its shares allow, unless a tested finding says why."""
    near = [
        pair
        for pair in pairs
        if pair.largest_kappa <= CAP
        and pair.kappa >= REACHED * pair.largest_kappa
        and pair.disagreements.together.sum() >= FEWEST
        and pair not in explained
    ]
    if not near:
        return None
    pair = min(near, key=lambda one: one.largest_kappa)
    who, whom = shown(pair.first), shown(pair.second)
    label, mine, theirs = pair.most_apart
    observation = (
        f"{who} gives {shown(pair.labels[label])} to {percent(mine)} of the items and {whom} to {percent(theirs)}. With such "
        f"different shares kappa could be no more than {two_digits(pair.largest_kappa)}, and it is {two_digits(pair.kappa)}: nearly all of their disagreement is "
        "about how often to use a label, not about which items deserve it."
    )
    evidence = {**pair.numbers(), "label": pair.labels[label], "first_share": mine, "second_share": theirs}
    return found("capped-kappa", observation, evidence, first_step="Settle that, then measure again.")


def _one_way(pair: Pair) -> float:
    _, _, forth, back = pair.most_one_sided
    return forth / (forth + back)


def _others(lean: Sequence[tuple[float, Pair]]) -> str:
    """Say that other pairs have the same trouble, and who is in all of them."""
    if len(lean) == 1:
        return ""
    common = set.intersection(*({pair.first, pair.second} for _, pair in lean))
    noun = "pair" if len(lean) == 2 else "pairs"
    who = f", also with {shown(common.pop())}" if len(common) == 1 else ""
    return f" The same is true of {len(lean) - 1:,} other {noun} of annotators{who}."


def _test(name: str, test: SymmetryTest) -> dict[str, Any]:
    return {f"{name}_{part}": getattr(test, part) for part in ("statistic", "degrees", "p_value", "method")}
