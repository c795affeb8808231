"""Kendall's W, and mean correlations of rankings, on the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from assent.analyses.explain.arithmetic import ONE, figure, over, precisely, whole
from assent.analyses.explain.formula import Difference, Expression, Formula, Name, Power, Product, Ratio, chain
from assent.analyses.explain.measured import as_measured
from assent.analyses.explain.model import Step, table_of_texts
from assent.analyses.explain.parts import Derivation
from assent.data import Rankings
from assent.limits import EXPLAINED_COMPARISONS, EXPLAINED_LABELS
from assent.measures import find
from assent.measures.results import Agreement
from assent.records import Struct
from assent.text import counted, shown

__all__ = ["kendall_w", "mean_kendall", "mean_spearman"]

SQUARES = Name("S")


class RankedList(Struct, frozen=True, kw_only=True):
    """One list: the ranks of every annotator (annotators x objects), and what they are called."""

    name: str
    annotators: tuple[str, ...]
    objects: tuple[str, ...]
    ranks: tuple[tuple[Fraction, ...], ...]

    @property
    def sums(self) -> list[Fraction]:
        """The sum of the ranks of each object."""
        return [sum(column, Fraction(0)) for column in zip(*self.ranks, strict=True)]

    @property
    def ties(self) -> int:
        """The sum of t³ − t over all ties, of t objects each."""
        return sum(size**3 - size for row in self.ranks for size in Counter(row).values())


def _lists(data: Rankings) -> list[RankedList]:
    """Return the lists that several annotators ranked; none if somebody left out an object, which is not worked out here."""
    made = []
    for block in data.blocks:
        if np.isnan(block.positions).any():
            return []
        for at, place in enumerate(block.lists.tolist()):
            if len(block.annotators[at]) > 1:
                ranks = tuple(tuple(map(Fraction, row)) for row in block.positions[at].tolist())
                one = RankedList(
                    name=data.lists[place],
                    annotators=tuple(data.annotators[i] for i in block.annotators[at].tolist()),
                    objects=tuple(data.objects[i] for i in block.objects[at].tolist()),
                    ranks=ranks,
                )
                made.append((place, one))
    return [one for _, one in sorted(made, key=lambda pair: pair[0])]


def _whose(first: RankedList, lists: Sequence[RankedList]) -> str:
    return (
        f"Here it is worked out for the first of {len(lists):,} lists, {shown(first.name)}." if len(lists) > 1 else ""
    )


def _ranks(first: RankedList, lists: Sequence[RankedList], *said: str, sums: bool) -> Step:
    """Show the ranks of the first list."""
    left = len(first.objects) - EXPLAINED_LABELS
    sentences = ["Everybody's first object has rank 1, and tied objects share the mean of their ranks.", *said]
    sentences += [_whose(first, lists)]
    sentences += [f"{counted(left, 'object')} more count, too, and are not shown."] if left > 0 else []
    columns = zip(*first.ranks, strict=True)
    rows = [
        [name, *(figure(rank).digits for rank in column), *([figure(total).digits] if sums else [])]
        for name, column, total in list(zip(first.objects, columns, first.sums, strict=True))[:EXPLAINED_LABELS]
    ]
    heads = ["object", *first.annotators, *(["sum R"] if sums else [])]
    return Step(
        heading="Ranks",
        sentences=tuple(filter(None, sentences)),
        table=table_of_texts(heads, rows, labels=len(first.annotators)),
    )


def _over_lists(symbol: Name, lists: Sequence[RankedList], values: Sequence[Fraction]) -> tuple[list[Step], Fraction]:
    """Average over lists, if there are several."""
    value = sum(values, Fraction(0)) / len(values)
    if len(lists) == 1:
        return [], value
    few = list(zip(lists, values, strict=True))[:EXPLAINED_LABELS]
    left = len(lists) - len(few)
    rows = [[one.name, figure(worth).digits] for one, worth in few]
    rows += [[f"{left} more", figure(sum(values[len(few) :], Fraction(0))).digits + " in all"]] if left else []
    step = Step(
        heading="Mean over lists",
        sentences=("Every list counts alike.",),
        table=table_of_texts(["list", "value"], rows),
        formulas=(_mean(symbol, values),),
    )
    return [step], value


def _mean(left: Name, values: Sequence[Fraction]) -> Formula:
    """Write the mean of some numbers; of many, their sum over how many they are."""
    total = sum(values, Fraction(0))
    if len(values) <= EXPLAINED_LABELS:
        return over(left, lambda places: [figure(one, places) for one in values], total, len(values))
    return chain(left, Ratio(figure(total), whole(len(values))), figure(total / len(values)), exact=total / len(values))


def kendall_w(agreement: Agreement, symbol: Name) -> Derivation:
    """Explain Kendall's coefficient of concordance."""
    data = agreement.data
    lists = _lists(data) if isinstance(data, Rankings) else []
    most = [_most(one) for one in lists]
    if not lists or not all(most):
        return as_measured(find(agreement.measure), agreement, symbol)
    first = lists[0]
    m, n = len(first.annotators), len(first.objects)
    squares = [_squares(one) for one in lists]
    centre = Fraction(m * (n + 1), 2)
    steps = [
        _ranks(first, lists, "R is the sum of the ranks of an object.", sums=True),
        Step(
            heading="How far the sums are apart",
            sentences=(
                f"If nobody agreed, all sums would be near their mean, m × (n + 1) / 2 with m = {m} annotators and n = {n} objects. "
                "S adds up the squared deviations from it.",
            ),
            formulas=(
                chain(
                    Name("R", of="mean"),
                    Ratio(Product((whole(m), whole(n + 1))), whole(2)),
                    figure(centre),
                    exact=centre,
                ),
                _sum_of_squares(first, centre),
            ),
        ),
        Step(
            heading="The share of what is possible",
            sentences=(
                "S is largest if all rank alike: m² × (n³ − n) / 12."
                + (" Ties make that less: T adds up t³ − t over all ties, of t objects each." if first.ties else ""),
            ),
            formulas=(_share(symbol if len(lists) == 1 else Name(symbol.symbol, of=first.name), first, squares[0]),),
        ),
    ]
    more, value = _over_lists(symbol, lists, [one / top for one, top in zip(squares, most, strict=True)])
    return Derivation(steps=(*steps, *more), value=value, symbol=symbol)


def _squares(one: RankedList) -> Fraction:
    """Return how far the sums of ranks are from their mean: squared deviations, added up."""
    centre = Fraction(len(one.annotators) * (len(one.objects) + 1), 2)
    return sum(((total - centre) ** 2 for total in one.sums), Fraction(0))


def _most(one: RankedList) -> Fraction:
    """Return the largest that the squared deviations could be."""
    m, n = len(one.annotators), len(one.objects)
    return Fraction(m * m * (n**3 - n) - m * one.ties, 12)


def _sum_of_squares(first: RankedList, centre: Fraction) -> Formula:
    """Write the squared deviations of the sums of ranks."""
    sums = first.sums
    terms: list[Expression] = [Power(Difference(figure(one), figure(centre))) for one in sums[:EXPLAINED_LABELS]]
    rest = sum(((one - centre) ** 2 for one in sums[EXPLAINED_LABELS:]), Fraction(0))
    return over(SQUARES, lambda _: [*terms, *([precisely(rest)] if rest else [])], _squares(first), 1)


def _share(left: Name, first: RankedList, squares: Fraction) -> Formula:
    """Write W of one list."""
    m, n, ties = len(first.annotators), len(first.objects), first.ties
    cubed = n**3
    below: Expression = Product((Power(whole(m)), Difference(whole(cubed), whole(n))))
    if ties:
        below = Difference(below, Product((whole(m), whole(ties))))
    value = squares / _most(first)
    bottom = m * m * (cubed - n) - m * ties
    filled = Ratio(Product((whole(12), precisely(squares))), below)
    return chain(left, filled, Ratio(figure(12 * squares), whole(bottom)), figure(value), exact=value)


def mean_spearman(agreement: Agreement, symbol: Name) -> Derivation:
    """Explain the mean of Spearman's rank correlations."""
    return _mean_of_pairs(
        agreement,
        symbol,
        Name("ρ"),
        "Spearman's ρ is 1 less 6 × D over n × (n² − 1), where D adds up the squared differences of the two ranks of each object.",
        _spearman,
    )


def mean_kendall(agreement: Agreement, symbol: Name) -> Derivation:
    """Explain the mean of Kendall's rank correlations."""
    return _mean_of_pairs(
        agreement,
        symbol,
        Name("τ"),
        "Kendall's τ is the pairs of objects that both put in the same order, less those in opposite order, over all n × (n − 1) / 2 pairs.",
        _kendall,
    )


def _mean_of_pairs(
    agreement: Agreement,
    symbol: Name,
    each: Name,
    how: str,
    compare: Callable[[Name, Sequence[Fraction], Sequence[Fraction]], tuple[Formula, Fraction]],
) -> Derivation:
    """Explain a mean over pairs of annotators and lists; with ties the line has roots, and the numbers are shown as measured."""
    data = agreement.data
    lists = _lists(data) if isinstance(data, Rankings) else []
    work = sum(len(one.annotators) ** 2 * len(one.objects) ** 2 for one in lists)
    if not lists or work > EXPLAINED_COMPARISONS or any(one.ties or len(one.objects) < 3 for one in lists):
        return as_measured(find(agreement.measure), agreement, symbol)
    first = lists[0]
    made = [
        [
            compare(Name(each.symbol, of=f"{left}, {right}"), mine, theirs)
            for (left, mine), (right, theirs) in combinations(zip(one.annotators, one.ranks, strict=True), 2)
        ]
        for one in lists
    ]
    exact = [[value for _, value in row] for row in made]
    left = len(made[0]) - EXPLAINED_LABELS
    more = (f"{counted(left, 'pair')} more are worked out alike.",) if left > 0 else ()
    steps = [
        _ranks(first, lists, sums=False),
        Step(
            heading="Every two annotators",
            sentences=(how, *more),
            formulas=tuple(line for line, _ in made[0][:EXPLAINED_LABELS]),
        ),
    ]
    if len(made[0]) > 1:
        whole_list = symbol if len(lists) == 1 else Name(symbol.symbol, of=first.name)
        steps.append(
            Step(
                heading="Mean over pairs",
                sentences=("Every pair of annotators counts alike, as all ranked the same objects.",),
                formulas=(_mean(whole_list, exact[0]),),
            )
        )
    means = [sum(row, Fraction(0)) / len(row) for row in exact]
    others, value = _over_lists(symbol, lists, means)
    return Derivation(steps=(*steps, *others), value=value, symbol=symbol)


def _spearman(left: Name, one: Sequence[Fraction], two: Sequence[Fraction]) -> tuple[Formula, Fraction]:
    """Write Spearman's rho of two rankings without ties."""
    n = len(one)
    apart = sum(((a - b) ** 2 for a, b in zip(one, two, strict=True)), Fraction(0))
    value = 1 - 6 * apart / (n * (n * n - 1))
    filled = Ratio(Product((whole(6), whole(int(apart)))), Product((whole(n), Difference(Power(whole(n)), ONE))))
    worked = Ratio(whole(int(6 * apart)), whole(n * (n * n - 1)))
    return chain(left, Difference(ONE, filled), Difference(ONE, worked), figure(value), exact=value), value


def _kendall(left: Name, one: Sequence[Fraction], two: Sequence[Fraction]) -> tuple[Formula, Fraction]:
    """Write Kendall's tau of two rankings without ties."""
    n = len(one)
    pairs = n * (n - 1) // 2
    same = sum((one[i] < one[j]) == (two[i] < two[j]) for i, j in combinations(range(n), 2))
    value = Fraction(2 * same - pairs, pairs)
    line = chain(
        left,
        Ratio(Difference(whole(same), whole(pairs - same)), whole(pairs)),
        Ratio(whole(2 * same - pairs), whole(pairs)),
        figure(value),
        exact=value,
    )
    return line, value
