"""Coefficients of items with unequal numbers of annotations on the board: Conger, van Oest, sparse probability of agreement."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations

import numpy as np
from msgspec.structs import replace

from assent.analyses.explain.arithmetic import EXPECTED, OBSERVED, added, figure, over, precisely, ratio, whole
from assent.analyses.explain.counting import ItemKinds, Weights, label_totals, pick, room
from assent.analyses.explain.formula import Difference, Expression, Formula, Name, Power, Product, Ratio, Sum, chain
from assent.analyses.explain.many_annotators import by_items, kinds_table, observed_steps, pairs_sentence
from assent.analyses.explain.model import Step, table_of_texts
from assent.analyses.explain.parts import (
    Derivation,
    Inputs,
    by_weight,
    counted_pairs,
    last_step,
    others_sentence,
    squared_shares,
    weights_step,
)
from assent.measures.spa import SCHEMES
from assent.measures.van_oest import PRIORS
from assent.profiles import Counts, Matrix, Ratings
from assent.text import counted

__all__ = ["conger", "spa", "spa_kappa", "van_oest"]


def conger(inputs: Inputs) -> Derivation:
    """Explain Conger's kappa: each pair of annotators by chance, then their mean."""
    ratings: Ratings = inputs.agreement.profiles
    steps, observed = observed_steps(inputs, by_confusion=False, items=ratings.counted())
    totals = _by_annotator(ratings)
    pairs = []
    for one, two in combinations(range(len(totals)), 2):
        below = sum(totals[one]) * sum(totals[two])
        pairs.append((below, one, two, _products(inputs.weights, totals[one], totals[two])))
    pairs.sort(key=lambda pair: (-pair[0], pair[1], pair[2]))
    expected = sum((same / below for below, _, _, same in pairs), Fraction(0)) / len(pairs)
    shown = pairs[: room(len(pairs))]
    names = ratings.annotators
    table = table_of_texts(
        ("first", "second", "labels of the first", "labels of the second", "pairs", "agreeing", "Aₑ"),
        [
            (
                names[one],
                names[two],
                *(str(number) for number in (sum(totals[one]), sum(totals[two]), below)),
                figure(same).digits,
                figure(same / below).digits,
            )
            for below, one, two, same in shown
        ],
        texts=2,
    )
    left = len(pairs) - len(shown)
    what = (
        "each label of the first is paired with each of the second, and Aₑ is the share of these pairs that agree"
        if inputs.weights is None
        else "each label of the first is paired with each of the second, the weights of these pairs are added up, and Aₑ is their mean"
    )
    steps.append(
        Step(
            heading="Expected agreement",
            sentences=(
                "By chance means: each annotator keeps their own shares of the labels, but gives them to items at random. For each pair "
                f"of annotators {what}. The expected agreement is the mean over all pairs of annotators.",
                *(
                    [
                        f"The {len(shown)} pairs with most labels are shown; the last term of Aₑ adds up {counted(left, 'other')}."
                    ]
                    if left
                    else []
                ),
            ),
            table=table,
            formulas=(_mean(pairs, expected),),
        )
    )
    last, value = last_step(inputs, observed, expected)
    return Derivation(steps=(*steps, last), value=value, symbol=inputs.symbol)


def _mean(pairs: list[tuple[int, int, int, Fraction]], expected: Fraction) -> Formula:
    few = [same / below for below, *_, same in pairs[: room(len(pairs))]]
    rest = expected * len(pairs) - sum(few, Fraction(0))

    def terms(places: int) -> list[Expression]:
        return [precisely(one, places) for one in few] + ([figure(rest, places)] if len(few) < len(pairs) else [])

    return over(EXPECTED, terms, expected * len(pairs), len(pairs))


def _by_annotator(ratings: Ratings) -> list[list[int]]:
    """Return how often each annotator gave each label, of those who gave any."""
    table = np.zeros((len(ratings.annotators), len(ratings.labels)), dtype=np.int64)
    np.add.at(table, (ratings.annotator, ratings.label), ratings.multiplicities[ratings.profile])
    return table.tolist()


def _products(weights: Weights | None, first: list[int], second: list[int]) -> Fraction:
    if weights is None:
        return Fraction(sum(one * two for one, two in zip(first, second, strict=True)))
    return weights.weighted(weights.products(first, second))


def van_oest(inputs: Inputs) -> Derivation:
    """Explain van Oest's coefficient: all pairs together, and shares that start out equal."""
    items: Counts = inputs.agreement.profiles
    weights, kinds = inputs.weights, ItemKinds.of(items)
    rows = pick(inputs.labels, label_totals(items))
    steps = [] if weights is None else [weights_step(inputs, weights)]
    table, told = kinds_table(inputs, kinds, pick(inputs.labels, label_totals(kinds.items)))
    pairs = sum(part.n_items * size * (size - 1) // 2 for size, part in kinds.by_size)
    terms = _agreeing(kinds, weights)
    observed, line, rest = by_weight(OBSERVED, counted_pairs(terms.items()), pairs, whole(pairs))
    what = "the share of all pairs that agree" if weights is None else "the mean weight of all pairs"
    steps.append(
        Step(
            heading="Observed agreement",
            sentences=(*told, f"Observed agreement Aₒ is {what}, of all items together.{rest}"),
            table=table,
            formulas=(line,),
        )
    )
    prior = Fraction(PRIORS[str(inputs.agreement.options["prior"])]).limit_denominator(2)
    totals, count = label_totals(items), len(inputs.labels)
    doubled = [2 * one + int(2 * prior) for one in totals]
    below = 2 * sum(totals) + int(2 * prior) * count
    start = figure(prior).digits
    lines = [
        ratio(
            Name("p", of=inputs.labels[i]), Fraction(doubled[i], 2) / Fraction(below, 2), 1,
            Ratio(Sum((whole(totals[i]), figure(prior))), Sum((whole(sum(totals)), Product((figure(prior), whole(count)))))),
        )
        for i in rows.own
    ]  # fmt: skip
    expected, sum_line, why = squared_shares("p", doubled, below, rows, weights)
    before = f"each of the {count} labels starts with {start} annotation{'' if prior == 1 else 's'}, then come the {sum(totals):,} of the data"
    sentence = (
        f"p is the share of a label if {before}." if prior else "p is the share of a label among all annotations."
    )
    steps.append(
        Step(
            heading="Expected agreement",
            sentences=(sentence, *others_sentence(rows), why),
            formulas=(*lines, sum_line),
        )
    )
    last, value = last_step(inputs, observed, expected)
    return Derivation(steps=(*steps, last), value=value, symbol=inputs.symbol)


def _agreeing(kinds: ItemKinds, weights: Weights | None) -> dict[Fraction, Fraction]:
    """Count the pairs of all items by their weight: 1 if they agree, where labels are only the same or not."""
    found: dict[Fraction, Fraction] = {}
    for _, part in kinds.by_size:
        if weights is None:
            amounts = [(Fraction(1), Fraction(sum(pairs * n for pairs, n in kinds.agreeing(part))))]
        else:
            ordered = kinds.pairs_by_weight(part, weights)
            amounts = [(w, Fraction(n, 2)) for w, n in zip(weights.values, ordered, strict=True)]
        for weight, amount in amounts:
            found[weight] = found.get(weight, Fraction(0)) + amount
    return found


def spa(inputs: Inputs) -> Derivation:
    """Explain the sparse probability of agreement."""
    steps, observed = _sparse(inputs)
    own = "This is the sparse probability of agreement: it is not corrected for chance."
    last = replace(steps[-1], sentences=(*steps[-1].sentences, own))
    return Derivation(steps=(*steps[:-1], last), value=observed, symbol=inputs.symbol)


def spa_kappa(inputs: Inputs) -> Derivation:
    """Explain the sparse probability of agreement, corrected for chance."""
    steps, observed = _sparse(inputs)
    items: Counts = inputs.agreement.profiles
    totals = label_totals(items)
    rows = pick(inputs.labels, totals)
    squares = [one**2 for one in totals]
    annotations = sum(totals)
    if inputs.agreement.options["chance"] == "naive":
        expected, line, why = squared_shares("p", totals, annotations, rows, None)
        sentence = f"p is the share of a label among all {annotations:,} annotations."
        lines = [ratio(Name("p", of=inputs.labels[i]), totals[i], annotations) for i in rows.own]
        step = Step(heading="Expected agreement", sentences=(sentence, why), formulas=(*lines, line))
        last, value = last_step(inputs, observed, expected)
        return Derivation(steps=(*steps, step, last), value=value, symbol=inputs.symbol)
    within = [int(one) for one in np.asarray(items.multiplicities @ _squared(items)).ravel()]
    sizes = int((items.multiplicities * np.asarray(items.sizes, dtype=np.int64) ** 2).sum())
    above, below = sum(squares) - sum(within), annotations**2 - sizes
    expected_value = None if below == 0 else Fraction(above, below)
    formulas = [
        chain(Name("P"), Difference(Power(whole(annotations)), whole(sizes)), whole(below), exact=Fraction(below)),
        added(Name("G"), [squares[i] - within[i] for i in rows.own] + ([above - sum(squares[i] - within[i] for i in rows.own)] if rows.left_out else []), 1),
    ]  # fmt: skip
    if expected_value is not None:
        formulas.append(ratio(EXPECTED, above, below, Ratio(Name("G"), Name("P"))))
    step = Step(
        heading="Expected agreement",
        sentences=(
            f"By chance means: two annotations of different items. P counts such pairs, in either order: all {annotations:,} annotations "
            "squared, less the squared number of annotations of each item. G counts those of the same label, one term per label: the "
            "label's annotations squared, less its squared number in each item.",
            *others_sentence(rows),
        ),
        formulas=tuple(formulas),
    )
    last, value = last_step(inputs, observed, expected_value)
    return Derivation(steps=(*steps, step, last), value=value, symbol=inputs.symbol)


def _squared(items: Counts) -> Matrix:
    return items.counts**2 if isinstance(items.counts, np.ndarray) else items.counts.power(2)


#: How much an item counts by its number of annotations, in words and as a number.
_WORTH: dict[str, tuple[str, Callable[[int], int]]] = {
    "flat": ("every item counts the same", lambda n: 1),
    "annotations": ("an item counts by its number n of annotations", lambda n: n),
    "annotations-m1": ("an item with n annotations counts n − 1", lambda n: n - 1),
    "edges": ("an item counts by its number of pairs", lambda n: n * (n - 1) // 2),
    "inv-var": ("an item counts by its number of pairs", lambda n: n * (n - 1) // 2),
}


def can_explain_sparse(options: dict[str, object]) -> bool:
    """Tell whether items are weighed by their number of annotations alone."""
    return options.get("scheme", SCHEMES[0]) in _WORTH


def _sparse(inputs: Inputs) -> tuple[list[Step], Fraction]:
    """Work out the weighted mean of the items' agreements."""
    weights, kinds = inputs.weights, ItemKinds.of(inputs.agreement.profiles)
    steps = [] if weights is None else [weights_step(inputs, weights)]
    table, told = kinds_table(inputs, kinds, pick(inputs.labels, label_totals(kinds.items)))
    how, worth = _WORTH[str(inputs.agreement.options["scheme"])]
    observed, formulas, rest = by_items(kinds, weights, worth)
    if len(kinds.by_size) == 1:
        sentence = f"{pairs_sentence(kinds, weights)} With the same number of annotations all items count the same, whatever the scheme."
    else:
        below = sum(worth(size) * part.n_items for size, part in kinds.by_size)
        agreement, what = (
            ("share of its pairs that agree", "items times agreeing pairs")
            if weights is None
            else ("mean weight of its pairs", "weights times the pairs that have them")
        )
        sentence = (
            f"The agreement of an item is the {agreement}. S adds up {what} for items with the same "
            f"number of annotations. In the mean, {how}: each S is divided by the pairs of one such item and counted so often, over "
            f"the sum of these weights of items ({below:,})."
        )
    steps.append(
        Step(heading="Observed agreement", sentences=(*told, sentence + rest), table=table, formulas=tuple(formulas))
    )
    return steps, observed
