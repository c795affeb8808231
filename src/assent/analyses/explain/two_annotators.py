"""Two annotators on the board: Cohen's kappa and Scott's pi."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from assent.analyses.explain.arithmetic import EXPECTED, figure, whole
from assent.analyses.explain.counting import Confusion, Shown, Weights, pick, room
from assent.analyses.explain.formula import Formula, Power, Product, Ratio, Sum, Words, chain
from assent.analyses.explain.model import Step, table_of_texts
from assent.analyses.explain.parts import (
    Derivation,
    Inputs,
    both,
    by_weight,
    chances_by_label,
    confused,
    counted_pairs,
    last_step,
    observed_by_two,
    of_share,
    others_sentence,
    squared_shares,
    weights_step,
)
from assent.documents.blocks import Table
from assent.limits import EXPLAINED_LABELS
from assent.text import counted, shown

__all__ = ["against_rest", "cohen", "scott"]


def cohen(inputs: Inputs) -> Derivation:
    """Explain Cohen's kappa."""
    ratings = inputs.agreement.profiles
    incomplete = str(inputs.agreement.options["incomplete"])
    if len(ratings.annotators) > 2:
        return _every_pair(inputs, incomplete)
    confusion = Confusion.of(ratings, incomplete=incomplete)
    weights = inputs.weights
    rows = pick(confusion.labels, np.add(confusion.first_totals, confusion.second_totals))
    steps = _observed_steps(inputs, confusion, rows)
    step = _expected(confusion, rows, weights, ratings.annotators, available=incomplete == "available")
    last, value = last_step(inputs, confusion.observed(weights), confusion.expected(weights))
    return Derivation(steps=(*steps, step, last), value=value, symbol=inputs.symbol)


def _expected(
    confusion: Confusion, rows: Shown, weights: Weights | None, names: Sequence[str], *, available: bool
) -> Step:
    """Explain the agreement of two annotators who keep their label shares and choose at random."""
    first, second = confusion.first_totals, confusion.second_totals
    below = sum(first) * sum(second)
    sentences = [
        "By chance means: each annotator keeps their own shares of the labels, the margins of the table, but gives them "
        "to items at random."
    ]
    if available:
        one, two = (shown(name, 30) for name in names)
        sentences.append(
            f"The shares are those among all labels of {one} ({sum(first):,}) and of {two} ({sum(second):,}), also on items "
            "that the other one left out."
        )
    if weights is not None:
        chances = zip(weights.values, weights.products(first, second), strict=True)
        below_shown = (
            Power(whole(sum(first))) if sum(first) == sum(second) else Product((whole(sum(first)), whole(sum(second))))
        )
        _, formula, rest = by_weight(EXPECTED, counted_pairs(chances), below, below_shown)
        sentences.append(
            "The table shows how many items each pair of labels would then have: row total times column total over all "
            "items. Expected agreement Aₑ is the mean weight: for each weight, the products of the margins of "
            f"the pairs of labels that have it.{rest}"
        )
        return Step(
            heading="Expected agreement",
            sentences=tuple(sentences),
            table=_chance_table(confusion, rows),
            formulas=(formula,),
        )
    sentences.append("Expected agreement Aₑ is the chance that both then choose the same label, one term per label.")
    numerators = [one * two for one, two in zip(first, second, strict=True)]
    lines = [both(confusion.labels[i], (first[i], sum(first)), (second[i], sum(second))) for i in rows.own]
    return Step(
        heading="Expected agreement",
        sentences=tuple(sentences),
        formulas=chances_by_label(rows, numerators, below, lines),
    )


def _chance_table(confusion: Confusion, rows: Shown) -> Table:
    """Show how many items each pair of labels would have by chance."""
    first, second = rows.gathered(confusion.first_totals), rows.gathered(confusion.second_totals)
    scale = Fraction(confusion.total, sum(first) * sum(second))
    lines = [
        (name, *(figure(one * two * scale, 2).digits for two in second))
        for name, one in zip(rows.names, first, strict=True)
    ]
    return table_of_texts(("", *rows.names), lines, labels=len(rows.names))


def _every_pair(inputs: Inputs, incomplete: str) -> Derivation:
    """Explain the mean over all pairs of more than two annotators."""
    ratings, weights = inputs.agreement.profiles, inputs.weights
    names = ratings.annotators
    plain = inputs.agreement.options["average"] == "plain"
    found: list[tuple[int, tuple[str, ...], Fraction | None]] = []
    for one, two in combinations(range(len(names)), 2):
        confusion = Confusion.of(ratings, one, two, incomplete=incomplete)
        if not confusion.total:
            continue
        observed, expected = confusion.observed(weights), confusion.expected(weights)
        value = None if expected == 1 else (observed - expected) / (1 - expected)
        shown_value = "undefined" if value is None else figure(value).digits
        cells = (f"{confusion.total}", figure(observed).digits, figure(expected).digits, shown_value)
        found.append((confusion.total, (names[one], names[two], *cells), value))
    found.sort(key=lambda pair: -pair[0])
    few = room(len(found))
    left_out = len(found) - few
    first = Step(
        heading="Every pair of annotators",
        sentences=(
            "Cohen's kappa compares two annotators; for more of them it is the mean over all pairs. Each pair is worked "
            "out as for two annotators, on the items that both labelled.",
            *(
                [f"The {few} pairs with most items are shown; {counted(left_out, 'other is', 'others are')} left out."]
                if left_out > 0
                else []
            ),
        ),
        table=table_of_texts(
            ("first", "second", "items", "Aₒ", "Aₑ", "κ"), [row for _, row, _ in found[:few]], texts=2
        ),
    )
    terms: list[tuple[Fraction, Fraction | int]] = [
        (value, 1 if plain else items) for items, _, value in found if value is not None
    ]
    total = int(sum(amount for _, amount in terms))
    how = "Every pair counts the same (Light's kappa)." if plain else "Each pair counts by its number of items."
    if not terms:
        undefined = "No pair of annotators has a value, so neither has their mean."
        return Derivation(
            steps=(first, Step(heading="Mean over pairs", sentences=(undefined,))), value=None, symbol=inputs.symbol
        )
    value, formula, rest = by_weight(inputs.symbol, terms, total, whole(total))
    return Derivation(
        steps=(first, Step(heading="Mean over pairs", sentences=(how + rest,), formulas=(formula,))),
        value=value,
        symbol=inputs.symbol,
    )


def _observed_steps(inputs: Inputs, confusion: Confusion, rows: Shown) -> list[Step]:
    """Show the weights, if there are any, the confusion matrix and the observed agreement."""
    weights = inputs.weights
    table, who = confused(confusion, rows, inputs.agreement.data._comparable_ratings.annotators)
    formula, how = observed_by_two(confusion, rows, weights)
    observed = Step(
        heading="Observed agreement", sentences=(who, *others_sentence(rows), how), table=table, formulas=(formula,)
    )
    return [observed] if weights is None else [weights_step(inputs, weights), observed]


def scott(inputs: Inputs) -> Derivation:
    """Explain Scott's pi."""
    ratings = inputs.agreement.data._comparable_ratings
    confusion, weights = Confusion.of(ratings), inputs.weights
    used = [one + two for one, two in zip(confusion.first_totals, confusion.second_totals, strict=True)]
    rows, below = pick(inputs.labels, used), sum(used)
    steps = _observed_steps(inputs, confusion, rows)
    lines = [
        of_share(
            "p",
            inputs.labels[i],
            used[i],
            below,
            Ratio(Sum((whole(confusion.first_totals[i]), whole(confusion.second_totals[i]))), whole(below)),
        )
        for i in rows.own
    ]
    expected, sum_line, why = squared_shares("p", used, below, rows, weights)
    pooled = f"By chance means: both annotators draw from the same shares p, those among all {below:,} labels of the two together."
    steps.append(Step(heading="Expected agreement", sentences=(pooled, why), formulas=(*lines, sum_line)))
    last, value = last_step(inputs, confusion.observed(weights), expected)
    return Derivation(steps=(*steps, last), value=value, symbol=inputs.symbol)


def against_rest(confusion: Confusion, label: str, names: Sequence[str]) -> Step:
    """Show how the table of two annotators becomes one of a label against the rest."""
    which = confusion.labels.index(label)
    rows = pick(confusion.labels, np.add(confusion.first_totals, confusion.second_totals))
    table, who = confused(confusion, rows, names)
    quoted = shown(label, 30)
    cells_with_items = zip(confusion.first.tolist(), confusion.second.tolist(), confusion.items.tolist(), strict=True)
    # Up to three labels, empty cells are part of the picture; with more, they would drown it.
    few = range(len(confusion.labels)) if len(confusion.labels) <= 3 else ()
    table_of = {(i, j): 0 for i in few for j in few} | {(i, j): amount for i, j, amount in cells_with_items}

    def line(words: str, wanted: Callable[[bool, bool], bool]) -> Formula:
        cells = [amount for (i, j), amount in table_of.items() if wanted(i == which, j == which)]
        if len(cells) > EXPLAINED_LABELS:
            cells.sort(reverse=True)
            cells = [*cells[: EXPLAINED_LABELS - 1], sum(cells[EXPLAINED_LABELS - 1 :])]
        return chain(Words(words), Sum(tuple(map(whole, cells or [0]))), whole(sum(cells)), exact=Fraction(sum(cells)))

    return Step(
        heading="One label against the rest",
        sentences=(
            who,
            *others_sentence(rows),
            f"All labels but {quoted} are taken as one: the table becomes one of two rows and two columns.",
        ),
        table=table,
        formulas=(
            line(f"both {label}", lambda one, two: one and two),
            line(f"first {label}, second not", lambda one, two: one and not two),
            line(f"first not, second {label}", lambda one, two: two and not one),
            line("both not", lambda one, two: not one and not two),
        ),
        preparation=True,
    )
