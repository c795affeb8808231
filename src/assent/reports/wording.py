"""The sentences for a paper: how agreement was measured, what came out, and what it does not say."""

from __future__ import annotations

import math
from collections.abc import Mapping

from assent._version import __version__
from assent.data.messages import loss
from assent.measures import find
from assent.measures.results import Agreement
from assent.references import REFERENCES
from assent.reports.context import Measured
from assent.reports.sections.coefficients import CoefficientsSection
from assent.reports.sections.data import DataSection
from assent.reports.sections.verdict import VerdictSection, a_task
from assent.text import chosen, escaped, interval, level, number, percent, value

__all__ = ["limitations", "methods", "results"]

#: Settings of measures in words; those that are not here are said by name.
_SAID: Mapping[tuple[str, str], str] = {
    ("average", "overlap"): "pairs of annotators weighed by their shared items",
    ("average", "plain"): "plain mean over pairs of annotators",
    ("incomplete", "listwise"): "",
    ("expected", "exact"): "chance agreement worked out exactly",
    ("expected", "permute"): "chance agreement by permuting whole sets",
    ("distance", "jaccard"): "Jaccard distance of sets",
    ("distance", "masi"): "MASI distance of sets",
    ("distance", "nominal"): "",
    ("gaps", "pairwise"): "annotators compared on the objects that both ranked",
    ("gaps", "listwise"): "objects that not everybody ranked left out",
    ("unit", "auto"): "",
    ("unit", "annotator"): "",
    ("unit", "object"): "",
    ("tie_credit", "0.0"): "a tie and a preference do not agree",
}


#: What an interval leaves out in turn where there is one list.
_PARTS = ("annotators", "objects")


def methods(data: DataSection, quoted: Measured, *, seed: int) -> str:
    """Say how agreement was measured, with everything that a reviewer asks for."""
    one = quoted.agreement
    how = "; ".join(filter(None, [_variant(one), cited(one.measure)]))
    said = [
        f"Inter-annotator agreement was measured with {one.title} ({how}) on {data.sample}.",
        data.gaps(one),
        _left_out(data),
        _interval(quoted, data.nouns[0]),
        f"The computations were made with assent {__version__} (seed {seed}).",
    ]
    return " ".join(filter(None, said))


def results(coefficients: CoefficientsSection, verdict: VerdictSection) -> str:
    """Say what came out: the value with observed and expected agreement, its interval, its word, and a second coefficient."""
    one, sure = verdict.quoted.agreement, verdict.quoted.interval
    if verdict.value is None:
        return f"{one.title} was undefined (observed agreement {_number(one.observed)}). {one.undefined}".strip()
    ends = "no interval could be made"
    if not math.isnan(sure.low):
        ends = f"{level(sure.level)} CI {interval(sure.low, sure.high)}"
    was = f"{one.title} was {verdict.printed(sure.low, sure.high)} ({ends}"
    if verdict.word is None:
        said = [f"{was})."]
    else:
        parts = f"; observed agreement {_number(one.observed)}, expected by chance {_number(one.expected)}"
        # A ratio of variances has neither.
        was += "" if math.isnan(one.observed) else parts
        said = [f"{was}), which is called {verdict.word} on the scale of {_by(verdict.benchmark.source)}."]
    sigma = one.details.get("sigma", math.nan)
    if not math.isnan(sigma):
        said.append(
            f"Of the distances within items, {percent(sigma)} were smaller than 95 % of those between different items (sigma), and KS was "
            f"{value(one.details['ks'])} (Braylan et al., 2022)."
        )
    if verdict.target is not None:
        asked = "the target" if verdict.target.name is None else f"the target for {a_task(verdict.target.name)}"
        way = {"above": "above", "below": "below"}.get(verdict.status or "", "not clearly above or below")
        said.append(f"It is {way} {asked}, {chosen(verdict.target.value)}.")
    others = [other for other in coefficients.measured[1:] if not math.isnan(other.agreement.value)]
    # What readers know of label sets stands last, and is said all the same.
    shown = others[:3] if verdict.beside is None or verdict.beside in others[:3] else [*others[:2], verdict.beside]
    if shown:
        said.append(f"Beside it, {'; '.join(_beside(other) for other in shown)}.")
    return " ".join(said)


def limitations(data: DataSection, coefficients: CoefficientsSection, verdict: VerdictSection) -> str:
    """Say what the numbers do not say."""
    conventions = f'Words such as "{verdict.word}" are conventions, not thresholds.'
    if verdict.value is None:
        conventions = "There is no value, and so no word for it."
    elif verdict.word is None:
        conventions = 'Words such as "moderate" are not customary for it.'
    drawn = verdict.quoted.interval.unit
    kept = "objects" if drawn == "annotators" else "annotators"
    units = data.unit if drawn not in _PARTS and data.unit != "items" else drawn
    said = [
        f"The interval covers the choice of {_units(units, data.nouns[0])}, not of {kept}: with other {kept} agreement may differ. {conventions}"
    ]
    warnings = [one.title for one in coefficients.findings if one.severity == "warning"]
    if warnings:
        said.append(f"To be kept in mind: {'; '.join(title[0].lower() + title[1:] for title in warnings)}.")
    return " ".join(said)


def cited(measure: str) -> str:
    """Cite the works that define a measure: authors and year."""
    return "; ".join(_short(key) for key in find(measure).references[:2])


def _short(key: str) -> str:
    """Shorten authors to surnames, and many of them to the first."""
    work = REFERENCES[key]
    names = [name.split(",")[0] for name in surnames(work.authors)]
    who = f"{names[0]} et al." if len(names) > 2 else " & ".join(names)
    return f"{who}, {work.year}"


def surnames(authors: str) -> list[str]:
    """Take a list of authors apart: ``Surname, I. I.`` each.

    Examples
    --------
    >>> surnames("De Raadt, A., Warrens, M. J. and Kiers, H. A. L.")
    ['De Raadt, A.', 'Warrens, M. J.', 'Kiers, H. A. L.']
    """
    parts = [part for some in authors.split(" and ") for part in some.split(", ")]
    return [", ".join(parts[i : i + 2]) for i in range(0, len(parts), 2)]


def _variant(one: Agreement) -> str:
    """Say scale, weights and options of a measure."""
    options = dict(one.options)
    measure = find(one.measure)
    scale, weights = options.pop("scale", None), options.pop("weights", None)
    if options.get("expected") != "simulate":
        options = {name: given for name, given in options.items() if name not in ("simulations", "seed")}
    if one.n_annotators == 2:
        options.pop("average", None)
    said = []
    if options.get("distance", "nominal") == "nominal" and not measure.label_sets:
        if scale:
            said.append(f"{scale} {'distance' if measure.krippendorff else 'scale'}")
        # Where nothing is weighed, "identity" would only puzzle a reader.
        weighed = weights is not None and (weights != "identity" or measure.kind == "labels")
        if weighed and (not scale or (weights != "identity" and not measure.krippendorff)):
            said.append(f"{weights} weights")
    said += [_SAID.get((name, str(given)), f"{name} {given}") for name, given in options.items() if given is not None]
    return ", ".join(text for text in said if text)


def _left_out(data: DataSection) -> str:
    losses = [loss(reason, rows) for reason, rows in data.dropped if rows]
    return f"Left out of the table: {'; '.join(losses)}." if losses else ""


def _interval(quoted: Measured, noun: str = "item") -> str:
    """Say how the interval was made, over which units."""
    sure = quoted.interval
    if math.isnan(sure.low):
        return "No confidence interval could be made."
    units = f"{'' if sure.n_units is None else f'{sure.n_units:,} '}{_units(sure.unit, noun)}"
    if sure.exact:
        how = f"an exact binomial bound for the disagreement that {units} can miss by luck, since all agree"
    elif sure.method == "bootstrap":
        kind = {"bca": "bias-corrected and accelerated (BCa; Efron, 1987)", "percentile": "percentile"}[
            sure.kind or "bca"
        ]
        how = f"a {kind} bootstrap of {units} with {sure.replicates:,} samples (seed {sure.seed})"
    elif sure.kind == "F":
        how = f"the F distribution, over {units}"
    elif sure.method == "etel":
        how = (
            f"tilted weights (Efron, 1981; DiCiccio & Romano, 1990) of {units} and one pseudo-item (Agresti & Coull, 1998), calibrated by the "
            "t distribution"
        )
    elif sure.method == "jackknife":
        how = f"the jackknife over {units} and the t distribution"
    else:
        how = f"the linearised standard error over {units} and the t distribution"
    if math.isnan(quoted.agreement.value):
        return f"The value is undefined; the values that it may have with one more item were found with {how}."
    return f"The {level(sure.level)} confidence interval was made with {how}."


def _units(unit: str, noun: str) -> str:
    """Say what a new sample would draw anew; the name of a column may hold anything."""
    if unit in _PARTS:
        return unit
    return f"{noun}s" if unit == "items" else f"clusters ({escaped(unit)})"


def _beside(other: Measured) -> str:
    """Give another coefficient in a few words."""
    low, high = other.interval.low, other.interval.high
    told = [] if math.isnan(low) else [interval(low, high)]
    if not other.agreement.chance_corrected and other.agreement.expected > 0:
        told.append(f"{number(other.agreement.expected)} by chance")
    sure = f" ({'; '.join(told)})" if told else ""
    title = other.agreement.title
    # Names of people keep their capital.
    title = title if "'" in title.split()[0] else title[0].lower() + title[1:]
    return f"{title} was {value(other.agreement.value, low, high)}{sure}"


def _by(source: str) -> str:
    """Put the year of a source into brackets."""
    who, _, year = source.rpartition(" ")
    return f"{who} ({year})"


def _number(known: float) -> str:
    return "undefined" if math.isnan(known) else number(known)
