"""Krippendorff's alpha on the board."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from assent.analyses.explain.arithmetic import OBSERVED, figure, over, precisely, quotient, whole
from assent.analyses.explain.counting import ItemKinds, Shown, Weights, label_totals, pick
from assent.analyses.explain.formula import Formula, Name, Product, as_text
from assent.analyses.explain.model import Step
from assent.analyses.explain.parts import (
    Derivation,
    Inputs,
    both,
    by_weight,
    chances_by_label,
    counted_pairs,
    last_step,
    matrix,
    others_sentence,
    weights_step,
)
from assent.scales import Identity, Scores

__all__ = ["krippendorff"]


def krippendorff(inputs: Inputs) -> Derivation:
    """Explain Krippendorff's alpha."""
    kinds = ItemKinds.of(inputs.agreement.profiles)
    totals = label_totals(kinds.items)
    rows = pick(inputs.labels, totals)
    if not isinstance(inputs.agree, Identity):
        return _by_distance(inputs, kinds, totals, rows)
    count = sum(totals)
    diagonal, below = kinds.coincidences()
    observed = Fraction(sum(diagonal), below * count)
    first = Step(
        heading="Observed agreement",
        sentences=(
            *_coincidences(kinds, count),
            *others_sentence(rows),
            "Observed agreement Aₒ is the share of pairs of the same label, the diagonal.",
        ),
        table=matrix(rows, kinds.coincidence_block(rows)),
        formulas=(_diagonal_line(diagonal, below, count, rows),),
    )
    numerators = [one * (one - 1) for one in totals]
    lines = [both(inputs.labels[i], (totals[i], count), (totals[i] - 1, count - 1)) for i in rows.own if totals[i]]
    expected = Fraction(sum(numerators), count * (count - 1))
    second = Step(
        heading="Expected agreement",
        sentences=(
            f"By chance means: draw one of the {count:,} annotations, then a second one of the remaining {count - 1:,}. "
            "Expected agreement Aₑ is the chance that both carry the same label, one term per label.",
        ),
        formulas=chances_by_label(rows, numerators, count * (count - 1), lines),
    )
    same = "With disagreement D = 1 − A it is the same as 1 − Dₒ / Dₑ."
    last, value = last_step(inputs, observed, expected, same)
    return Derivation(steps=(first, second, last), value=value, symbol=inputs.symbol)


def _coincidences(kinds: ItemKinds, count: int) -> tuple[str, ...]:
    """Say how the matrix comes about."""
    sizes = [size for size, _ in kinds.by_size]
    if sizes == [2]:
        how = "Each item gives two pairs of labels, one in either order"
    elif len(sizes) == 1:
        how = f"Each item gives {sizes[0] * (sizes[0] - 1)} ordered pairs of labels, each counted 1/{sizes[0] - 1}"
    else:
        how = "An item with m annotations gives m × (m − 1) ordered pairs of labels, each counted 1/(m − 1)"
    return (
        f"The coincidence matrix counts pairs of annotations of the same item. {how}, so that every annotation "
        f"counts once: {count:,} annotations, those of items that have two or more ({kinds.items.n_items:,}).",
    )


def _diagonal_line(diagonal: list[int], below: int, count: int, rows: Shown) -> Formula:
    """Write observed agreement, the diagonal over all annotations."""
    own = [Fraction(diagonal[i], below) for i in rows.own]
    total = Fraction(sum(diagonal), below)
    terms = own + [total - sum(own)] * (rows.left_out > 0)
    return over(OBSERVED, lambda places: [precisely(term, places) for term in terms], total, count)


def _by_distance(inputs: Inputs, kinds: ItemKinds, totals: list[int], rows: Shown) -> Derivation:
    """Explain alpha by disagreement, for labels that may be near or far from each other."""
    count = sum(totals)
    agree, _ = inputs.agree.given(np.asarray(totals, dtype=np.float64))
    distances = Weights.distance(agree, len(inputs.labels))
    zero = weights_step(inputs, distances, heading="Distances", distance=_what_distances_are(inputs))
    apart: list[Fraction] = [Fraction(0)] * len(distances.values)
    for size, part in kinds.by_size:
        pairs = kinds.pairs_by_weight(part, distances)
        apart = [old + Fraction(new, size - 1) for old, new in zip(apart, pairs, strict=True)]
    observed, line, rest = by_weight(
        Name("D", "o"), counted_pairs(zip(distances.values, apart, strict=True)), count, whole(count)
    )
    first = Step(
        heading="Observed disagreement",
        sentences=(
            *_coincidences(kinds, count),
            *others_sentence(rows),
            "Observed disagreement Dₒ is the mean distance: each distance times the pairs in the matrix that have it."
            + rest,
        ),
        table=matrix(rows, kinds.coincidence_block(rows)),
        formulas=(line,),
    )
    chances = zip(distances.values, distances.products(totals, totals), strict=True)
    expected, line, rest = by_weight(
        Name("D", "e"), counted_pairs(chances), count * (count - 1), Product((whole(count), whole(count - 1)))
    )
    second = Step(
        heading="Expected disagreement",
        sentences=(
            f"By chance means: draw one of the {count:,} annotations, then a second one of the remaining {count - 1:,}. "
            "Expected disagreement Dₑ is the mean distance of two such labels: each distance times the products of the "
            f"matrix's totals of the pairs of labels that have it.{rest}",
        ),
        formulas=(line,),
    )
    symbol = as_text(inputs.symbol)
    sentences = [f"{symbol} is 1 if there is no disagreement and 0 if there is as much as by chance."]
    value = None if expected == 0 else 1 - observed / expected
    if value is None:
        sentences.append(f"The division by 0 has no result, so {symbol} is undefined.")
    else:
        largest = max(distances.values)
        if largest != 1:
            sentences.append(
                f"Shown as agreement, one less D over the largest distance ({figure(largest).digits}), observed is "
                f"{_digits(1 - observed / largest)} and expected {_digits(1 - expected / largest)}."
            )
        if value < 0:
            sentences.append("It is below 0: they disagree more than by chance.")
    last = Step(
        heading="From disagreement to agreement",
        sentences=tuple(sentences),
        formulas=(quotient(inputs.symbol, observed, expected),),
    )
    return Derivation(steps=(zero, first, second, last), value=value, symbol=inputs.symbol)


def _digits(number: Fraction) -> str:
    return figure(number).digits.replace("-", "−")


def _what_distances_are(inputs: Inputs) -> str:
    """Say how far apart two labels are."""
    if inputs.agree.varying:
        return (
            "Labels are in order, and as far apart as there are annotations between them: the distance δ² is the square of "
            "all annotations from one label to the other, of which the two labels themselves count half."
        )
    if isinstance(inputs.agree, Scores) and inputs.agreement.options["scale"] == "interval":
        return "Labels are numbers: the distance δ² of two of them is their difference, squared."
    if isinstance(inputs.agree, Scores):
        return "The distance δ² of two labels is the difference of their places in the order, squared."
    scale = inputs.agreement.options["scale"]
    if scale == "ratio":
        return (
            "Labels are numbers with a true zero: the distance δ² of two of them is their difference over their sum, squared, "
            "in units of the largest distance."
        )
    return f"The distance of two labels is one less their weight ({inputs.agree.name} weights)."
