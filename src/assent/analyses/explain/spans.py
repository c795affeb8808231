"""Span F1 and u-alpha on the board."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from assent.analyses.explain.arithmetic import figure, over, precisely, quotient, whole
from assent.analyses.explain.formula import Difference, Expression, Formula, Name, Power, Product, Ratio, Sum, chain
from assent.analyses.explain.model import Step, table_of_texts
from assent.analyses.explain.parts import Derivation
from assent.analyses.spans.differences import MEANS, Differences, differences
from assent.data import Spans
from assent.limits import EXPLAINED_LABELS, EXPLAINED_SPANS
from assent.matching import CLASSES
from assent.measures._span_pairs import MatchSums
from assent.measures.results import Agreement
from assent.measures.unitized import UnitizedSums
from assent.text import counted, listed, shown

__all__ = ["span_f1", "u_alpha"]

#: What counts as the same span, in words.
RULES = {
    "exact": "they have the same start, end and label",
    "boundary": "they have the same start and end, whatever the label",
    "overlap": "they have the same label and share a position; each span is matched once, in the best way",
    "overlap-any": "they share a position, whatever the label; each span is matched once, in the best way",
    "covered": "they have the same label and share a position; a span may be matched more than once",
    "iou": "they have the same label and share enough of what they cover together; each span is matched once, in the best way",
    "soft": "they have the same label; a match counts as much as they share of what they cover together",
    "character": "it is the same position with the same label: positions are counted here, not spans",
    "token": "it is the same token with the same label: tokens are counted here, not spans",
}


def _number(value: float) -> Fraction:
    """Return a sum as a fraction: whole, or as near as a float tells."""
    return Fraction(value).limit_denominator(1_000_000)


def span_f1(agreement: Agreement, symbol: Name) -> Derivation:
    """Explain F1 of spans."""
    items = agreement.profiles
    assert isinstance(items, MatchSums)
    options = agreement.options
    by = {name: [_number(float(one)) for one in column] for name, column in items.by_pair().items()}
    names = agreement.data.annotators or ()
    pairs = [
        f"{names[one]}, {names[two]}" for one, two in zip(items.first.tolist(), items.second.tolist(), strict=True)
    ]
    if options["average"] == "pooled":
        pairs = ["all pairs"]
    values = [None if np.isnan(one) else _number(float(one)) for one in items.values()]
    first = Step(
        heading="Spans that match",
        sentences=(f"Two spans match if {RULES[options['match']]}.", *_about_label(options)),
        table=table_of_texts(
            ["annotators", "of the first", "of the second", "matched"],
            [
                [pair, *(_plain(by[field][at]) for field in ("first", "second", "matched"))]
                for at, pair in enumerate(pairs[:EXPLAINED_LABELS])
            ],
        ),
    )
    lines = [
        _of_pair(by, at, pair, symbol, one if len(pairs) > 1 else None)
        for at, (pair, one) in enumerate(zip(pairs, values, strict=True))
        if one is not None
    ]
    left = len(lines) - EXPLAINED_LABELS
    more = (f"{counted(left, 'pair')} more are worked out alike.",) if left > 0 else ()
    second = Step(
        heading="F1 of two annotators",
        sentences=(_how(options), *more),
        formulas=tuple(lines[:EXPLAINED_LABELS]),
    )
    known = [one for one in values if one is not None]
    steps = [first, second]
    value = sum(known, Fraction(0)) / len(known) if known else None
    if len(pairs) > 1 and value is not None:
        steps.append(_mean_of_pairs(symbol, known, len(pairs) - len(known), value))
    steps += _those_that_differ(agreement.data, options)
    return Derivation(steps=tuple(steps), value=value, symbol=symbol)


def _plain(number: Fraction) -> str:
    return str(int(number)) if number.denominator == 1 else figure(number).digits


def _about_label(options: Any) -> tuple[str, ...]:
    return () if options["span_label"] is None else (f"Only spans of {shown(options['span_label'])} are looked at.",)


def _how(options: Any) -> str:
    if options["average"] == "documents":
        return (
            "F1 is worked out for each document in which one of the two marked something; this is the mean over these."
        )
    if options["match"] == "covered":
        return "P is the share of the first one's spans that are matched, R that of the second one's; F1 is 2 P R / (P + R)."
    return "F1 is twice the matched spans over all that the two marked: the share of their spans that both marked."


def _of_pair(by: dict[str, list[Fraction]], at: int, pair: str, symbol: Name, of: Fraction | None) -> Formula:
    """Write F1 of one pair with its numbers."""
    left = Name(symbol.symbol, symbol.below, pair) if of is not None else symbol
    if "score" in by:
        total, many = by["score"][at], int(by["scored"][at])
        return chain(left, Ratio(figure(total), whole(many)), figure(total / many), exact=total / many)
    matched, one, two = by["matched"][at], by["first"][at], by["second"][at]
    if "back" in by:
        back = by["back"][at]
        bottom = matched * two + back * one
        value = Fraction(0) if not bottom else 2 * matched * back / bottom
        shares: Expression = Ratio(
            Product((whole(2), Ratio(precisely(matched), precisely(one)), Ratio(precisely(back), precisely(two)))),
            Sum((Ratio(precisely(matched), precisely(one)), Ratio(precisely(back), precisely(two)))),
        )
        return chain(left, *([shares] if one and two and bottom else []), figure(value), exact=value)
    value = 2 * matched / (one + two)
    return chain(
        left,
        Ratio(Product((whole(2), precisely(matched))), Sum((precisely(one), precisely(two)))),
        Ratio(precisely(2 * matched), precisely(one + two)),
        figure(value),
        exact=value,
    )


def _mean_of_pairs(symbol: Name, known: list[Fraction], without: int, value: Fraction) -> Step:
    left = (
        f" {counted(without, 'pair')} without any span {'is' if without == 1 else 'are'} left out." if without else ""
    )
    shown_all = len(known) <= EXPLAINED_LABELS
    line = (
        over(symbol, lambda places: [figure(one, places) for one in known], sum(known, Fraction(0)), len(known))
        if shown_all
        else chain(symbol, Ratio(figure(sum(known, Fraction(0))), whole(len(known))), figure(value), exact=value)
    )
    return Step(
        heading="Mean over pairs",
        sentences=(f"Every pair of annotators counts alike.{left}",),
        formulas=(line,),
    )


def _those_that_differ(data: Any, options: Any) -> list[Step]:
    """List spans that are not identical, with offsets and labels; texts are not shown."""
    if not isinstance(data, Spans):
        return []
    here = data if options["span_label"] is None else data.only_label(options["span_label"])
    found = differences(here)
    here = found.data
    if not sum(found.totals[kind] for kind in MEANS if kind != "identical"):
        return []

    rows = _rows_that_differ(found)
    total = sum(found.totals[kind] // 2 for kind in CLASSES[1:]) + found.totals["only"]
    counts = listed(
        [
            f"{found.totals[kind] // (2 if kind != 'only' else 1):,} {MEANS[kind]}"
            for kind in MEANS
            if found.totals[kind]
        ],
        5,
    )
    said = f"Every span has at most one partner of another annotator. Pairs, and spans without a partner: {counts}."
    if total > EXPLAINED_SPANS:
        said += f" The first {EXPLAINED_SPANS} that are not identical:"
    table = table_of_texts(
        ["document", "annotators", "what", "of the first", "of the second"],
        rows,
        texts=5,
    )
    return [Step(heading="Where they differ", sentences=(said,), table=table)]


def _rows_that_differ(found: Differences) -> list[list[str]]:
    """Return document, annotators, class and the two spans of the first comparisons that are not identical."""
    here, aligned = found.data, found.aligned
    document = here.document[aligned.first]
    order = np.argsort(document, kind="stable")
    rows: list[list[str]] = []

    def span(at: int) -> str:
        return f"{here.start[at]}–{here.end[at]} {here.labels[here.label[at]]}"

    for which in np.unique(here.document[found.of_spans[:, 1:].sum(1) > 0]).tolist():
        if len(rows) >= EXPLAINED_SPANS:
            break
        made: list[tuple[int, int, int, str, str, str]] = []
        partners: set[tuple[int, int]] = set()
        for at in order[slice(*np.searchsorted(document[order], [which, which + 1]))].tolist():
            one, two, kind = int(aligned.first[at]), int(aligned.second[at]), CLASSES[aligned.kind[at]]
            left, right = int(here.annotator[one]), int(here.annotator[two])
            partners |= {(one, right), (two, left)}
            if kind != "identical":
                made.append((int(here.start[one]), left, right, MEANS[kind], span(one), span(two)))
        judges = here.judged[slice(*np.searchsorted(here.judged[:, 0], [which, which + 1])), 1].tolist()
        for at in range(*np.searchsorted(here.document, [which, which + 1]).tolist()):
            mine = int(here.annotator[at])
            for other in judges:
                if other != mine and (at, other) not in partners:
                    two_spans = (span(at), "–") if mine < other else ("–", span(at))
                    low, high = sorted((mine, other))
                    made.append((int(here.start[at]), low, high, MEANS["only"], *two_spans))
        for _, left, right, *cells in sorted(made):
            rows.append([here.documents[which], f"{here.annotators[left]}, {here.annotators[right]}", *cells])
    return rows[:EXPLAINED_SPANS]


def u_alpha(agreement: Agreement, symbol: Name) -> Derivation:
    """Explain u-alpha."""
    items = agreement.profiles
    assert isinstance(items, UnitizedSums)
    sums = items.sums()
    total, apart, correction = (_number(float(sums[name])) for name in ("total", "apart", "correction"))
    lengths = [_number(float(one)) for one in sums["lengths"]]
    names = ["nothing", *(shown(one) for one in items.labels)]
    shown_rows = list(zip(names, lengths, strict=True))[:EXPLAINED_LABELS]
    rest = sum(lengths[EXPLAINED_LABELS:], Fraction(0))
    rows = [[name, _plain(length)] for name, length in shown_rows]
    rows += [[f"{len(lengths) - EXPLAINED_LABELS} other labels", _plain(rest)]] if rest else []
    table = table_of_texts(["said", "length"], [*rows, ["total", _plain(total)]], total=True)
    first = Step(
        heading="Observed disagreement",
        sentences=(
            "Every annotator says something of every position of a document: a label, or nothing. Lengths are added up over annotators and "
            f"documents: {_plain(total)} in all.",
            "Dₒ is the length over which two annotators say different things, in either order, over the number of the other annotators.",
        ),
        table=table,
        formulas=(chain(Name("D", "o"), precisely(apart), exact=apart),),
    )
    squares = sum((one**2 for one in lengths), Fraction(0))
    below = total**2 - correction
    expected = Fraction(0) if not below else total * (total**2 - squares) / below
    powers: list[Expression] = [Power(figure(one)) for one in lengths[:EXPLAINED_LABELS]]
    others = sum((one**2 for one in lengths[EXPLAINED_LABELS:]), Fraction(0))
    powers += [precisely(others)] if others else []
    written: Expression = Ratio(
        Product((precisely(total), Difference(Power(figure(total)), Sum(tuple(powers))))),
        Difference(Power(figure(total)), precisely(correction)),
    )
    second = Step(
        heading="Expected disagreement",
        sentences=(
            "By chance means: every length is paired with every other. Dₑ is the total length, times the share of pairs of positions at "
            "which different things are said. A unit is not paired with itself, nor a position of a gap: K is the sum of the squared lengths of "
            f"units and of the lengths of gaps, {_plain(correction)}.",
        ),
        formulas=() if not below else (chain(Name("D", "e"), written, figure(expected), exact=expected),),
    )
    value = None if not expected else 1 - apart / expected
    sentences = ["It is 1 if there is no disagreement and 0 if there is as much as by chance."]
    if value is None:
        sentences.append("There is none by chance, so it is undefined.")
    last = Step(
        heading="Agreement beyond chance",
        sentences=tuple(sentences),
        formulas=(quotient(symbol, apart, expected),) if expected else (),
    )
    return Derivation(steps=(first, second, last), value=value, symbol=symbol)
