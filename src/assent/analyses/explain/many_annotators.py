"""Any number of annotators on the board: Fleiss' kappa, Gwet's AC, Brennan and Prediger's coefficient, percent agreement."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from msgspec.structs import replace

from assent.analyses.explain.arithmetic import (
    EXPECTED,
    LARGEST_DENOMINATOR,
    OBSERVED,
    added,
    exact_digits,
    figure,
    over,
    precisely,
    ratio,
    whole,
)
from assent.analyses.explain.counting import (
    Confusion,
    ItemKinds,
    Shares,
    Shown,
    Weights,
    label_totals,
    pick,
    rational,
    room,
)
from assent.analyses.explain.formula import (
    Difference,
    Expression,
    Formula,
    Name,
    Power,
    Product,
    Ratio,
    Sum,
    chain,
    settled,
)
from assent.analyses.explain.model import Step, table_of_texts
from assent.analyses.explain.parts import (
    Derivation,
    Inputs,
    by_weight,
    confused,
    counted_pairs,
    last_step,
    observed_by_two,
    others_sentence,
    squared_shares,
    weights_step,
)
from assent.documents.blocks import Table
from assent.limits import EXPLAINED_SIZES
from assent.profiles import Counts

__all__ = ["brennan", "by_items", "fleiss", "gwet", "kinds_table", "observed_steps", "pairs_sentence", "percent"]


def percent(inputs: Inputs) -> Derivation:
    """Explain percent agreement."""
    steps, observed = observed_steps(inputs, by_confusion=True)
    # The last of the steps is the whole computation.
    own = "Percent agreement is this observed agreement itself: it is not corrected for chance."
    last = replace(steps[-1], sentences=(*steps[-1].sentences, own))
    return Derivation(steps=(*steps[:-1], last), value=observed, symbol=inputs.symbol)


def fleiss(inputs: Inputs) -> Derivation:
    """Explain Fleiss' kappa."""
    steps, observed = observed_steps(inputs, by_confusion=False)
    items: Counts = inputs.agreement.profiles
    shares, rows = Shares.mean_over_items(items), pick(inputs.labels, label_totals(items))
    expected, line, why = squared_shares("p", shares.numerators, shares.denominator, rows, inputs.weights)
    sentences = (*_what_shares_are("p", shares, items), *others_sentence(rows), why)
    formulas = (*_share_lines("p", inputs, shares, rows), line)
    steps.append(Step(heading="Expected agreement", sentences=sentences, formulas=formulas))
    last, value = last_step(inputs, observed, expected)
    return Derivation(steps=(*steps, last), value=value, symbol=inputs.symbol)


def gwet(inputs: Inputs) -> Derivation:
    """Explain Gwet's AC1 and AC2."""
    steps, observed = observed_steps(inputs, by_confusion=True)
    items: Counts = inputs.agreement.profiles
    shares, rows = Shares.mean_over_items(items), pick(inputs.labels, label_totals(items))
    count, weights = len(inputs.labels), inputs.weights
    sentences = [
        *_what_shares_are("π", shares, items),
        *others_sentence(rows),
        "By chance means: at least one of two annotators guesses, and they agree by luck. The more evenly the labels are used, "
        "the more there was to guess: Q adds up π × (1 − π), which is 0 if one label is always used and 1 − 1/K at most, "
        "if all K are used alike.",
    ]
    formulas = [*_share_lines("π", inputs, shares, rows), _spread(shares, rows)]
    spread = Fraction(sum(one * (shares.denominator - one) for one in shares.numerators), shares.denominator**2)
    if count == 1:
        sentences.append("With one label there is nothing to guess, and expected agreement is undefined.")
        expected = None
    elif weights is None:
        sentences.append(
            f"Q over its largest value is the chance of a guess, and a guess is right once in K times; here K is {count}. "
            "So Aₑ = Q / (1 − 1/K) / K, which is Q / (K − 1)."
        )
        expected = spread / (count - 1)
        form = Ratio(Name("Q"), Difference(Name("K"), whole(1)))
        formulas.append(_fraction_of(spread, Fraction(1, count - 1), form, None, count))
    else:
        total = weights.total
        sentences.append(
            f"Q over its largest value is the chance of a guess, and a guess is worth T / K² on average, where T is the sum of "
            f"the weights of all {count} × {count} pairs of labels and K is {count}. So Aₑ = Q × T / (K × (K − 1))."
        )
        expected = spread * total / (count * (count - 1))
        formulas.append(chain(Name("T"), precisely(total), figure(total), exact=total))
        below = Product((Name("K"), Difference(Name("K"), whole(1))))
        form = Ratio(Product((Name("Q"), Name("T"))), below)
        formulas.append(_fraction_of(spread, total / (count * (count - 1)), form, total, count))
    steps.append(Step(heading="Expected agreement", sentences=tuple(sentences), formulas=tuple(formulas)))
    last, value = last_step(inputs, observed, expected)
    return Derivation(steps=(*steps, last), value=value, symbol=inputs.symbol)


def _fraction_of(spread: Fraction, factor: Fraction, form: Expression, total: Fraction | None, count: int) -> Formula:
    """Write Gwet's expected agreement, given Q."""
    value = spread * factor

    def build(places: int) -> Formula:
        if total is None:
            filled: Expression = Ratio(figure(spread, places), Difference(whole(count), whole(1)))
            worked: Expression = Ratio(figure(spread, places), whole(count - 1))
        else:
            filled = Ratio(
                Product((figure(spread, places), precisely(total, places))), Product((whole(count), whole(count - 1)))
            )
            worked = figure(value)
        return chain(EXPECTED, form, filled, worked, figure(value), exact=value)

    return settled(build)


def _spread(shares: Shares, rows: Shown) -> Formula:
    """Write the sum of π × (1 - π)."""
    below = shares.denominator
    own = [shares.numerators[i] for i in rows.own]
    every = [one * (below - one) for one in shares.numerators]
    rest = sum(every) - sum(one * (below - one) for one in own)
    terms = [one * (below - one) for one in own] + [rest] * (rows.left_out > 0)
    first: list[Expression] = []
    others = Fraction(rest, below**2)
    if all(exact_digits(number) is not None for number in (*(Fraction(one, below) for one in own), others)):
        parts = [Product((figure(Fraction(one, below)), figure(Fraction(below - one, below)))) for one in own]
        first.append(Sum((*parts, *([figure(others)] if rest else []))))
    elif below**2 <= LARGEST_DENOMINATOR:
        parts = [Product((whole(one), whole(below - one))) for one in own]
        first.append(Ratio(Sum((*parts, *([whole(rest)] if rest else []))), Power(whole(below))))
    return added(Name("Q"), terms if any(terms) else [0], below**2, *first)


def brennan(inputs: Inputs) -> Derivation:
    """Explain the coefficient of Brennan and Prediger."""
    steps, observed = observed_steps(inputs, by_confusion=True)
    count, weights = len(inputs.labels), inputs.weights
    if weights is None:
        expected = Fraction(1, count)
        often = f"once in {count} times" if count > 1 else "always, as there is only one"
        sentence = f"By chance means: each label is drawn equally often, so two draws agree {often}."
        formulas: tuple[Formula, ...] = (ratio(EXPECTED, 1, count),)
    else:
        total = weights.total
        expected = total / count**2
        sentence = (
            f"By chance means: each of the {count} labels is drawn equally often. Aₑ is then the mean of the weights of "
            f"all {count} × {count} pairs of labels, whose sum is T."
        )
        mean = over(EXPECTED, lambda places: [precisely(total, places)], total, count**2, Power(whole(count)))
        formulas = (chain(Name("T"), precisely(total), figure(total), exact=total), mean)
    steps.append(Step(heading="Expected agreement", sentences=(sentence,), formulas=formulas))
    last, value = last_step(inputs, observed, expected)
    return Derivation(steps=(*steps, last), value=value, symbol=inputs.symbol)


def observed_steps(inputs: Inputs, *, by_confusion: bool, items: Counts | None = None) -> tuple[list[Step], Fraction]:
    """Work out the mean over items of the share of pairs that agree."""
    weights, data = inputs.weights, inputs.agreement.data
    steps = [] if weights is None else [weights_step(inputs, weights)]
    if by_confusion and data.n_annotators == 2:
        ratings = data._comparable_ratings
        confusion = Confusion.of(ratings)
        rows = pick(inputs.labels, np.add(confusion.first_totals, confusion.second_totals))
        table, who = confused(confusion, rows, ratings.annotators)
        formula, how = observed_by_two(confusion, rows, weights)
        observed = confusion.observed(weights)
        sentences: tuple[str, ...] = (who, *others_sentence(rows), how)
        formulas = [formula]
    else:
        kinds = ItemKinds.of(inputs.agreement.profiles if items is None else items)
        rows = pick(inputs.labels, label_totals(kinds.items))
        table, told = kinds_table(inputs, kinds, rows)
        observed, formulas, rest = by_items(kinds, weights)
        sentences = (*told, pairs_sentence(kinds, weights) + rest)
    steps.append(Step(heading="Observed agreement", sentences=sentences, table=table, formulas=tuple(formulas)))
    return steps, observed


def kinds_table(inputs: Inputs, kinds: ItemKinds, rows: Shown) -> tuple[Table, tuple[str, ...]]:
    """Show the most frequent kinds of item: their labels, how many there are, how many of their pairs agree."""
    items = kinds.items
    order = sorted(range(len(items.multiplicities)), key=lambda u: (-int(items.multiplicities[u]), u))
    near = inputs.agree.pairs(items.counts) / 2
    lines: list[tuple[str, ...]] = []
    for number, u in enumerate(order[: room(len(order))], start=1):
        row = items.counts[[u]]
        counts = (row if isinstance(row, np.ndarray) else row.toarray()).ravel()
        size = int(items.sizes[u])
        agreeing = figure(rational(float(near[u]))).digits
        cells = (*rows.gathered(counts), int(items.multiplicities[u]), size * (size - 1) // 2)
        lines.append((str(number), *map(str, cells), agreeing))
    others = order[room(len(order)) :]
    if others:
        left = int(items.multiplicities[others].sum())
        lines.append((f"{len(others):,} more", *[""] * len(rows.names), str(left), "", ""))
    lines.append(("all", *map(str, rows.gathered(label_totals(items))), str(items.n_items), "", ""))
    columns = ("kind", *rows.names, "items", "pairs each", "agreeing")
    told = (
        "Items that got the same labels are of one kind: the table says how many annotations gave each label, how many "
        "items are of this kind, how many pairs of annotations such an item has and how many of them agree.",
        *others_sentence(rows),
    )
    return table_of_texts(columns, lines, labels=len(rows.names), total=True), told


def pairs_sentence(kinds: ItemKinds, weights: Weights | None) -> str:
    """Say what is added up."""
    mean = "Observed agreement Aₒ is the share of an item's pairs that agree, averaged over the items"
    if weights is not None:
        mean = "Observed agreement Aₒ is the mean weight of an item's pairs, averaged over the items"
    if len(kinds.by_size) == 1:
        size, part = kinds.by_size[0]
        pairs = size * (size - 1) // 2
        every = f"each of the {part.n_items:,} items has {size} annotations and {pairs} pair{'s' if pairs > 1 else ''}"
        what = "items times agreeing pairs" if weights is None else "weight times pairs that have it"
        return f"{mean}: {every}, so it is {what}, over all pairs."
    what = "items times agreeing pairs" if weights is None else "weights times the pairs that have them"
    return (
        f"{mean}. Items differ in their number of annotations: S adds up {what} for items with the same number, and each S "
        "is divided by the pairs that one such item has."
    )


def by_items(
    kinds: ItemKinds, weights: Weights | None, worth: Callable[[int], int] | None = None
) -> tuple[Fraction, list[Formula], str]:
    """Work out observed agreement from items with two or more annotations, by their number of annotations.

    Parameters
    ----------
    weights : Weights, optional
        How near two labels are; None if they are only the same or not.
    worth : callable, optional
        How much an item counts in the mean, from its number of annotations; unless given all items count the same.
    """
    sums: list[tuple[int, int, Fraction, list[tuple[Fraction, Fraction | int]]]] = []
    for size, part in kinds.by_size:
        if weights is None:
            terms: list[tuple[Fraction, Fraction | int]] = [(Fraction(n), pairs) for pairs, n in kinds.agreeing(part)]
            terms = [(items, pairs) for items, pairs in terms if pairs] or [(Fraction(part.n_items), 0)]
        else:
            ordered = kinds.pairs_by_weight(part, weights)
            terms = counted_pairs((w, Fraction(n, 2)) for w, n in zip(weights.values, ordered, strict=True))
        sums.append((size, part.n_items, sum((a * b for a, b in terms), Fraction(0)), terms))
    if len(sums) == 1:
        size, items, _, terms = sums[0]
        pairs = size * (size - 1) // 2
        below = whole(items) if pairs == 1 else Product((whole(items), whole(pairs)))
        value, formula, rest_said = by_weight(OBSERVED, terms, items * pairs, below)
        return value, [formula], rest_said
    times = {size: 1 if worth is None else worth(size) for size, *_ in sums}
    above = sum((times[size] * total / (size * (size - 1) // 2) for size, _, total, _ in sums), Fraction(0))
    every = sum(times[size] * items for size, items, *_ in sums)
    own, said = sums, ""
    if len(sums) > EXPLAINED_SIZES:
        own = sorted(sums, key=lambda one: -one[1])[: room(len(sums), EXPLAINED_SIZES)]
        said = f" The last term of Aₒ adds up {len(sums) - len(own):,} other numbers of annotations, which fewer items have."
    formulas, parts, cut = [], [], False
    for size, _, total, terms in sorted(own):
        _, formula, rest_said = by_weight(Name("S", of=f"{size} annotations"), terms, 1, whole(1))
        formulas.append(formula)
        parts.append((times[size], total, size * (size - 1) // 2))
        cut = cut or bool(rest_said)
    said = f" The last term of a long S adds up smaller ones.{said}" if cut else said
    rest = above - sum((counts * total / pairs for counts, total, pairs in parts), Fraction(0))

    def quotients(places: int) -> list[Expression]:
        found: list[Expression] = []
        for counts, total, pairs in parts:
            mean = Ratio(precisely(total, places), whole(pairs))
            found.append(mean if worth is None else Product((whole(counts), mean)))
        return found + ([precisely(rest, places)] if rest else [])

    formulas.append(over(OBSERVED, quotients, above, every))
    return above / every, formulas, said


def _what_shares_are(symbol: str, shares: Shares, items: Counts) -> tuple[str, ...]:
    """Say what a share is a share of."""
    if len(shares.by_size) == 1:
        return (f"{symbol} is the share of a label among all {sum(shares.by_size[0][1]):,} annotations.",)
    single = shares.n_items - items.pairable_items
    more = f", of which {single:,} {'has' if single == 1 else 'have'} one annotation" if single else ""
    return (
        f"{symbol} is the label's share of an item's annotations, averaged over all {shares.n_items:,} items{more}.",
    )


def _share_lines(symbol: str, inputs: Inputs, shares: Shares, rows: Shown) -> list[Formula]:
    """Write the share of each label."""
    lines = []
    for i in rows.own:
        left = Name(symbol, of=inputs.labels[i])
        before: list[Expression] = []
        if 1 < len(shares.by_size) <= EXPLAINED_SIZES:
            parts = tuple(Ratio(whole(totals[i]), whole(size)) for size, totals in shares.by_size)
            before.append(Ratio(Sum(parts), whole(shares.n_items)))
        lines.append(ratio(left, shares.numerators[i], shares.denominator, *before))
    return lines
