"""What a person reads of a measurement."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from assent.analyses.interpretation import against_target, interpret, usual_scale
from assent.analyses.thresholds import BENCHMARKS
from assent.documents.blocks import (
    Block,
    Card,
    Cards,
    Column,
    Document,
    Table,
    between,
    coefficient,
    count,
    name,
    notes,
    number,
    table_of,
    words,
)
from assent.measures.registry import find
from assent.text import escaped, interval_method, level, probability

if TYPE_CHECKING:
    from assent.analyses.findings.finding import Finding
    from assent.analyses.measure import Measured, Measurement
    from assent.measures.results import Agreement

__all__ = ["coefficients_table", "document_of", "finding_cards"]

#: Three digits show nothing of a p-value below this.
SMALL_P = 0.0005


def document_of(result: Measurement) -> Document:
    """Return the coefficients as a table, and what one must know to read it."""
    blocks: list[Block] = [coefficients_table(result.measures, result.level, quote=result.chosen is not None)]
    for one in result.measures:
        if one.by_label is not None:
            blocks.append(_by_label(one, result.level))
        # Of measures that were not asked for, the pairs of the one to quote are enough.
        known = [detail for detail in one.agreement.details.items() if not math.isnan(detail[1])]
        if known and (result.chosen is None or one is result.measures[0]):
            blocks.append(_details(one.agreement, known))
        if one.agreement.pairs and (result.chosen is None or one is result.measures[0]):
            blocks += _pairs(one.agreement)
    if result.findings:
        blocks.append(finding_cards(result.findings))
    blocks += notes(*_notes(result))
    return Document("Agreement", blocks, summary=result.data.describe())


def _notes(result: Measurement) -> list[Sequence[str]]:
    """List what to quote, what was recognised, left out, and must be known."""
    first = result.measures[0]
    said: list[Sequence[str]] = []
    if result.chosen is not None:
        title = first.agreement.title
        undefined = math.isnan(first.agreement.value)
        start = f"{title} would be the one to quote, but it is undefined." if undefined else f"Quote {title}."
        said.append([f"{start} {' '.join(result.chosen.reasons)}"])
    said += [[f"Gate {one.gate}: {one.outcome}. {one.sentence}" for one in result.gates]]
    said += [[one.sentence for one in result.against]]
    said += [result.beside, _meaning(result, first), result.data._reading_notes()]
    how = next((one.interval for one in result.measures if one.interval is not None), None)
    if how is not None:
        drawn = f" ({how.kind}, {how.replicates:,} samples, seed {how.seed})" if how.method == "bootstrap" else ""
        said.append([f"Intervals: {interval_method(how.method)}{drawn}, over {escaped(how.unit)}."])
    weighted = [one.agreement for one in result.measures if one.agreement.options["weights"] != "identity"]
    if weighted:
        used = "; ".join(f"{one.title}: {one.options['weights']}" for one in weighted)
        said.append([f"Weights: {used}."])
    return [*said, *_by_measure(result.measures)]


def _by_measure(measures: Sequence[Measured]) -> list[list[str]]:
    """Return what must be known of each coefficient, with its name unless that is true of all."""
    whose: dict[str, list[str]] = {}
    for one in measures:
        of_gaps = () if one.missingness is None else one.missingness.sentences
        for sentence in dict.fromkeys([*of_gaps, *one.notes]):
            whose.setdefault(sentence, []).append(one.agreement.title)
    every = len(measures)
    return [
        [sentence if len(titles) == every else f"{', '.join(titles)}: {sentence}"] for sentence, titles in whose.items()
    ]


def _meaning(result: Measurement, one: Measured) -> list[str]:
    """Say what the value is usually called, how far that is from certain, and how it stands to a target."""
    agreement = one.agreement
    if math.isnan(agreement.value):
        return []
    said = []
    if one.graded:
        usual = usual_scale(agreement.measure)
        called = interpret(agreement.value, *one.ends, scale=usual).sentence
        other = None if result.words in (None, usual) else BENCHMARKS[result.words]
        also = "" if other is None else f", and {interpret(agreement.value, *one.ends, scale=other).sentence}"
        shown = BENCHMARKS[usual].shown(agreement.value, also=other)
        said.append(f"{agreement.title} of {shown} is called {called}{also}.")
    if result.goal is not None:
        said.append(f"{against_target(agreement.value, *one.ends, result.goal).sentence}.")
    return said


def finding_cards(findings: Sequence[Finding]) -> Cards:
    """Return findings as cards, warnings first."""
    ordered = sorted(findings, key=lambda one: one.severity != "warning")
    return Cards([Card(one.title, [one.sentence], one.severity) for one in ordered])


def coefficients_table(measures: Sequence[Measured], confidence: float, *, quote: bool = False) -> Table:
    """Return a table of coefficients; the first one is marked if it is the one to quote."""
    first = measures[0]
    return table_of(
        "coefficients",
        "All coefficients",
        measures,
        [
            (
                Column("measure", "words"),
                lambda one: words(
                    one.agreement.title,
                    term=one.agreement.title,
                    mark="to quote" if quote and one is first and not math.isnan(one.agreement.value) else "",
                ),
            ),
            *_numbers(confidence),
        ],
        quiet=True,
    )


def _by_label(measured: Measured, confidence: float) -> Table:
    return table_of(
        f"by-label-{measured.agreement.measure}",
        f"{measured.agreement.title}, each label {find(measured.agreement.measure).each_label}",
        [(label, one) for label, one in measured.by_label or ()],
        [
            (Column("label", "name"), lambda row: name(row[0])),
            *((column, _of_second(take)) for column, take in _numbers(confidence)),
        ],
    )


def _of_second(take: Callable[[Measured], Any]) -> Callable[[tuple[str, Measured]], Any]:
    return lambda row: take(row[1])


def _numbers(confidence: float) -> list[tuple[Column, Callable[[Measured], Any]]]:
    """Return the columns that tables of coefficients have in common."""
    return [
        (Column("value", term="value"), lambda one: _value(one.agreement.value)),
        (Column(f"{level(confidence)} interval", term="interval"), lambda one: between(*one.ends, digits=3)),
        (
            Column("observed", term="observed agreement"),
            lambda one: coefficient(one.agreement.observed),
        ),
        (
            Column("expected"),
            lambda one: coefficient(
                one.agreement.expected if one.agreement.chance_corrected or one.agreement.expected else None
            ),
        ),
        (Column("items"), lambda one: count(one.agreement.n_items)),
        (Column("p", meaning="Permutation test of no agreement beyond chance."), lambda one: number(one.p_value, 3)),
    ]


def _value(known: float) -> Any:
    return words("undefined", tone="strong") if math.isnan(known) else coefficient(known, tone="strong")


def _details(agreement: Agreement, known: Sequence[tuple[str, float]]) -> Table:
    """Return the numbers that belong to a value; what these data have no value for is null in the JSON, and not worth a row."""
    return table_of(
        f"details-{agreement.measure}",
        f"{agreement.title}, details",
        known,
        [
            (Column("detail", "words"), lambda one: words(one[0].replace("_", " "))),
            (Column("value"), lambda one: _detail(*one)),
        ],
    )


def _detail(name: str, known: float) -> Any:
    """Show a p-value and a number of things as such, and any other number as a coefficient."""
    if name.endswith("_p") and known < SMALL_P:
        return words(probability(known).removeprefix("p ").removeprefix("= "))
    whole = known.is_integer() and (known >= 2 or name.endswith("_df"))
    return count(int(known)) if whole else coefficient(known)


def _pairs(agreement: Agreement) -> list[Block]:
    """Return the pairs of annotators, lowest first."""
    ranked = sorted(agreement.pairs, key=lambda pair: (math.isnan(pair.value), pair.value))
    if len(ranked) < 2:
        return []
    table = table_of(
        f"pairs-{agreement.measure}",
        f"{agreement.title} by pair, lowest first",
        ranked,
        [
            (Column("annotator", "name"), lambda pair: name(pair.first)),
            (Column("and", "name"), lambda pair: name(pair.second)),
            (Column("value"), lambda pair: coefficient(pair.value)),
            (Column("items"), lambda pair: count(pair.n_items)),
        ],
    )
    return [table]
