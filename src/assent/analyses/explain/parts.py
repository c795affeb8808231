"""Steps that several measures share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from assent.analyses.explain.arithmetic import (
    EXPECTED,
    LARGEST_DENOMINATOR,
    OBSERVED,
    added,
    beyond_chance,
    exact_digits,
    figure,
    ratio,
    squared,
    weighted,
    whole,
)
from assent.analyses.explain.counting import Confusion, Shown, Weights, room
from assent.analyses.explain.formula import Expression, Formula, Name, Power, Product, Ratio, Sum, as_text, chain
from assent.analyses.explain.model import Step, table_of_texts
from assent.documents.blocks import Table
from assent.limits import EXPLAINED_LABELS
from assent.measures.results import Agreement
from assent.records import Struct, cached_property
from assent.scales import AgreementWeights, Identity
from assent.text import shown

__all__ = [
    "Derivation",
    "Inputs",
    "both",
    "by_weight",
    "chances_by_label",
    "confused",
    "counted_pairs",
    "last_step",
    "last_step_of",
    "matrix",
    "observed_by_two",
    "of_share",
    "others_sentence",
    "squared_shares",
    "weights_step",
]

#: What the annotators of a confusion table are called if nobody named them.
CROSSED = ("row", "column")


class Inputs(Struct, frozen=True, kw_only=True, dict=True):
    """What is to be explained.

    Parameters
    ----------
    agreement : Agreement
        The measured coefficient, with the profiles it was measured on.
    agree : AgreementWeights
        How near two labels are.
    symbol : Name
        What the coefficient is called in a formula.
    """

    agreement: Agreement
    agree: AgreementWeights
    symbol: Name

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in order."""
        return tuple(self.agreement.profiles.labels)

    @cached_property
    def weights(self) -> Weights | None:
        """The agreement weights as fractions; None if labels are only the same or not."""
        return None if isinstance(self.agree, Identity) else Weights.agreement(self.agree, len(self.labels))


class Derivation(Struct, frozen=True, kw_only=True):
    """A computation that was worked out.

    Parameters
    ----------
    value : Fraction or None
        The coefficient, exactly; None if it is undefined.
    symbol : Name
        What it is called.
    """

    steps: tuple[Step, ...]
    value: Fraction | None
    symbol: Name


def matrix(rows: Shown, cells: Sequence[Sequence[Fraction | int]]) -> Table:
    """Make a table of labels x labels with its margins."""
    lines = [[*row, sum(row)] for row in cells]
    lines.append([sum(column) for column in zip(*lines, strict=True)])
    return table_of_texts(
        ("", *rows.names, "total"),
        [
            (name, *(figure(cell).digits for cell in line))
            for name, line in zip((*rows.names, "total"), lines, strict=True)
        ],
        labels=len(rows.names),
        total=True,
    )


def confused(confusion: Confusion, rows: Shown, names: Sequence[str]) -> tuple[Table, str]:
    """Make the table of two annotators, and say which of them is where."""
    one, two = (shown(name, 30) for name in names)
    if tuple(names) == CROSSED:
        one, two = "one annotator", "the other"
    return matrix(rows, confusion.block(rows)), f"Rows are the labels of {one}, columns those of {two}."


def others_sentence(rows: Shown) -> tuple[str, ...]:
    """Say that some labels are taken together."""
    if not rows.left_out:
        return ()
    return (
        f"The {len(rows.own)} labels used most are shown one by one; {rows.left_out:,} others are taken together, "
        "and are still told apart when agreement is counted.",
    )


def observed_by_two(confusion: Confusion, rows: Shown, weights: Weights | None) -> tuple[Formula, str]:
    """Write the observed agreement of two annotators."""
    total = confusion.total
    if weights is not None:
        counted = zip(weights.values, confusion.by_weight(weights), strict=True)
        _, formula, more = by_weight(OBSERVED, counted_pairs(counted), total, whole(total))
        how = f"Observed agreement Aₒ is the mean weight: each weight times the items that have it.{more}"
        return formula, how
    diagonal = confusion.diagonal
    own = [diagonal[i] for i in rows.own]
    rest = sum(diagonal) - sum(own)
    terms = Sum(tuple(map(whole, own + [rest] * (rows.left_out > 0))))
    formula = ratio(OBSERVED, sum(diagonal), total, Ratio(terms, whole(total)))
    tail = " (the last number is that of the other labels)" if rows.left_out else ""
    sentence = f"Observed agreement Aₒ is the share of items on which both chose the same label, the diagonal{tail}."
    return formula, sentence


def counted_pairs(pairs: Iterable[tuple[Fraction, Fraction | int]]) -> list[tuple[Fraction, Fraction | int]]:
    """Keep the weights that occur and are worth something, largest weight first."""
    return sorted(((weight, amount) for weight, amount in pairs if weight and amount), reverse=True)


def by_weight(
    left: Name, terms: Sequence[tuple[Fraction, Fraction | int]], below: int, shown_below: Expression
) -> tuple[Fraction, Formula, str]:
    """Work out a mean of weights; beyond a handful of terms, the small ones are added up before, and that is said."""
    total = sum((weight * amount for weight, amount in terms), Fraction(0))
    every, said = len(terms), ""
    if len(terms) > EXPLAINED_LABELS:
        largest = sorted(range(every), key=lambda i: -terms[i][0] * terms[i][1])[: room(every)]
        terms = [terms[i] for i in sorted(largest)]
        said = f" The last term adds up {every - len(terms):,} smaller ones."
    rest = total - sum((weight * amount for weight, amount in terms), Fraction(0))
    if below > LARGEST_DENOMINATOR:
        # Shares say more than numbers of ten digits.
        portions = [(weight, Fraction(amount) / below) for weight, amount in terms]
        return total / below, weighted(left, portions, rest / below, 1), said
    return total / below, weighted(left, terms, rest, below, shown_below), said


def of_share(symbol: str, label: str, above: int, below: int, *before: Expression) -> Formula:
    """Write the share of a label."""
    return ratio(Name(symbol, of=label), above, below, *before)


def squared_shares(
    symbol: str, shares: Sequence[int], denominator: int, rows: Shown, weights: Weights | None
) -> tuple[Fraction, Formula, str]:
    """Work out the chance that two labels, both drawn from the same shares, agree."""
    if weights is not None:
        chances = zip(weights.values, weights.products(shares, shares), strict=True)
        value, formula, more = by_weight(EXPECTED, counted_pairs(chances), denominator**2, Power(whole(denominator)))
        sentence = (
            f"Expected agreement Aₑ is the mean weight of two labels drawn from the shares: {symbol}(a) × {symbol}(b) times "
            f"their weight, added up over all pairs of labels, here by weight.{more}"
        )
        return value, formula, sentence
    own = [shares[i] for i in rows.own]
    every = sum(one**2 for one in shares)
    rest = every - sum(one**2 for one in own)
    tail = " The last term is that of the other labels." if rest else ""
    sentence = (
        "Two labels drawn from these shares are the same with the chance Aₑ, the expected agreement: the shares "
        f"squared and added up.{tail}"
    )
    return Fraction(every, denominator**2), squared(EXPECTED, own, rest, denominator), sentence


def both(label: str, first: tuple[int, int], second: tuple[int, int]) -> Formula:
    """Write the chance that two independent draws give the same label, each a share (above, below)."""
    one, two = Fraction(*first), Fraction(*second)
    product = one * two
    left = Name("P", of=f"both {label}")
    start = Product(tuple(Ratio(whole(above), whole(below)) for above, below in (first, second)))
    if all(exact_digits(number) is not None for number in (one, two, product)):
        return chain(left, start, Product((figure(one), figure(two))), figure(product), exact=product)
    return ratio(left, first[0] * second[0], first[1] * second[1], start)


def both_others(count: int, above: int, below: int) -> Formula:
    """Write the chance that two draws give the same one of the labels that are not shown."""
    return ratio(Name("P", of=f"both the same of {count:,} others"), above, below)


def chances_by_label(
    rows: Shown, numerators: Sequence[int], denominator: int, lines: Sequence[Formula]
) -> tuple[Formula, ...]:
    """Put the lines of the labels that are shown, one for all others, and their sum below each other."""
    own = [numerators[i] for i in rows.own]
    if not rows.left_out:
        return (*lines, added(EXPECTED, own, denominator))
    rest = sum(numerators) - sum(own)
    other = both_others(rows.left_out, rest, denominator)
    return (*lines, other, added(EXPECTED, [*own, rest], denominator))


def weights_step(inputs: Inputs, weights: Weights, *, heading: str = "Weights", distance: str | None = None) -> Step:
    """Show how near each two labels are, or how far apart."""
    count = len(inputs.labels)
    table = None
    if count <= EXPLAINED_LABELS:
        table = table_of_texts(
            ("", *inputs.labels),
            [
                (label, *(figure(weights.of(i, j)).digits for j in range(count)))
                for i, label in enumerate(inputs.labels)
            ],
            labels=count,
        )
    sentence = distance or (
        "Labels that are near each other agree in part: the weight of two labels is 1 if they are the same and less the "
        f"farther apart they are ({inputs.agree.name} weights)."
    )
    more = () if table else (f"A table of all {count:,} labels is left out.",)
    return Step(heading=heading, sentences=(sentence, *more), table=table, preparation=True)


def last_step(
    inputs: Inputs, observed: Fraction, expected: Fraction | None, *more: str
) -> tuple[Step, Fraction | None]:
    """Put observed and expected agreement into the formula."""
    return last_step_of(inputs.symbol, observed, expected, *more)


def last_step_of(name: Name, observed: Fraction, expected: Fraction | None, *more: str) -> tuple[Step, Fraction | None]:
    """Put observed and expected agreement into the formula of a coefficient with this symbol."""
    value = None if expected is None or expected == 1 else (observed - expected) / (1 - expected)
    symbol = as_text(name)
    sentences = [f"{symbol} is the agreement beyond chance, as a share of all that could be beyond chance.", *more]
    formulas = () if expected is None else (beyond_chance(name, observed, expected),)
    if value is None:
        why = "The division by 0 has no result" if formulas else "Without expected agreement there is nothing beyond it"
        sentences.append(f"{why}, so {symbol} is undefined.")
    elif value < 0:
        sentences.append("It is below 0: they agree less than chance would.")
    return Step(heading="Agreement beyond chance", sentences=tuple(sentences), formulas=formulas), value
