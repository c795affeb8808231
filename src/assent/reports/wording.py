"""The sentences for a paper: how agreement was measured, what came out, and what it does not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assent.measures import find
from assent.profiles import Ratings
from assent.references import REFERENCES
from assent.reports.sections.verdict import a_task
from assent.text import counted, escaped
from assent.text import interval as interval_text
from assent.text import value as value_text

__all__ = ["limitations", "methods", "results"]

#: Settings of measures in words; those that are not here are said by name.
_SAID = {
    ("average", "overlap"): "pairs of annotators weighed by their shared items",
    ("average", "plain"): "plain mean over pairs of annotators",
    ("incomplete", "listwise"): "",
    ("expected", "exact"): "chance agreement worked out exactly",
    ("expected", "permute"): "chance agreement by permuting whole sets",
    ("distance", "jaccard"): "Jaccard distance of sets",
    ("distance", "masi"): "MASI distance of sets",
    ("distance", "nominal"): "",
}


def methods(report: Mapping[str, Any]) -> str:
    """Say how agreement was measured, with everything that a reviewer asks for."""
    data, one = report["data"], quoted(report)
    return " ".join(
        [
            f"Inter-annotator agreement was measured with {one['title']} ({_variant(one)}; {cited(one['measure'])}) "
            f"on {_sample(data)}.",
            _gaps(data, one),
            *_left_out(data),
            _interval(one),
            f"The computations were made with assent {report['assent']} (seed {report['appendix']['seed']}).",
        ]
    )


def results(report: Mapping[str, Any]) -> str:
    """Say what came out: the value with observed and expected agreement, its interval, its word, and a second coefficient."""
    one, verdict = quoted(report), report["verdict"]
    if one["value"] is None:
        why = " ".join(one["notes"][:1])
        return f"{one['title']} was undefined (observed agreement {_number(one['observed'])}). {why}".strip()
    ends = one["ci"] or {}
    low, high = ends.get("low"), ends.get("high")
    sure = "no interval could be made"
    if low is not None:
        sure = f"{100 * ends['level']:g} % CI {interval_text(low, high)}"
    said = [
        f"{one['title']} was {value_text(one['value'], low, high)} ({sure}; observed agreement {_number(one['observed'])}, expected by "
        f"chance {_number(one['expected'])}), which is called {verdict['word']} on the scale of {_by(verdict['scale'])}."
    ]
    if verdict["target"] is not None:
        asked = "the target" if verdict["task"] is None else f"the target for {a_task(verdict['task'])}"
        way = {"above": "above", "below": "below"}.get(verdict["status"], "not clearly above or below")
        said.append(f"It is {way} {asked}, {verdict['target']:.2f}.")
    others = [_beside(other) for other in report["coefficients"]["measures"] if other is not one]
    others = [text for text in others if text]
    if others:
        said.append(f"Beside it, {'; '.join(others[:3])}.")
    return " ".join(said)


def limitations(report: Mapping[str, Any]) -> str:
    """Say what the numbers do not say."""
    data = report["data"]
    unit = "items" if data["unit"] == "items" else f"clusters ({escaped(data['unit'])})"
    said = [
        f"The interval covers the choice of {unit}, not of annotators: with other annotators agreement may differ. Words such as "
        f"“{report['verdict']['word'] or 'moderate'}” are conventions, not thresholds."
    ]
    warnings = [one["title"] for one in report["coefficients"]["findings"] if one["severity"] == "warning"]
    if warnings:
        said.append(f"To be kept in mind: {'; '.join(title[0].lower() + title[1:] for title in warnings)}.")
    return " ".join(said)


def quoted(report: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the coefficient to quote."""
    measures: Sequence[Mapping[str, Any]] = report["coefficients"]["measures"]
    return measures[0]


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


def _variant(one: Mapping[str, Any]) -> str:
    """Say scale, weights and options of a measure."""
    options = dict(one["options"])
    measure = find(one["measure"])
    scale, weights = options.pop("scale", None), options.pop("weights", "identity")
    if options.get("expected") != "simulate":
        options = {name: value for name, value in options.items() if name not in ("simulations", "seed")}
    if one["annotators"] == 2:
        options.pop("average", None)
    said = []
    if options.get("distance", "nominal") == "nominal" and not measure.label_sets:
        said.append(f"{scale} {'distance' if measure.krippendorff else 'scale'}" if scale else f"{weights} weights")
        if weights != "identity" and scale and not measure.krippendorff:
            said.append(f"{weights} weights")
    said += [_SAID.get((name, str(value)), f"{name} {value}") for name, value in options.items() if value is not None]
    return ", ".join(text for text in said if text)


def _sample(data: Mapping[str, Any]) -> str:
    """Say how many items, annotators and annotations per item there are."""
    sizes = [row["annotations"] for row in data["per_item"]]
    each = f"{data['annotations_per_item']:.3g}"
    spread = "each" if min(sizes) == max(sizes) else f"per item on average, from {min(sizes)} to {max(sizes)}"
    who = "an unknown number of annotators" if data["annotators"] is None else counted(data["annotators"], "annotator")
    labels = len(data["labels"])
    several = ""
    if data["multilabel"] is not None:
        several = f", several labels being allowed ({data['multilabel']['mean_labels']:.2f} per annotation)"
    return (
        f"{counted(data['items'], 'item')} with {data['annotations']:,} annotations ({each} {spread}) by {who}, using "
        f"{counted(labels, 'label')}{several}"
    )


def _gaps(data: Mapping[str, Any], one: Mapping[str, Any]) -> str:
    """Say what was done with missing labels."""
    single = data["items"] - data["pairable_items"]
    if data["density"] is not None and data["density"] >= 1:
        return "Every annotator labelled every item: no label was missing."
    measure = find(one["measure"])
    if measure.complete:
        used = f"only the {counted(one['items'], 'item')} that every annotator labelled count"
    elif measure.profiles is Ratings:
        used = f"annotators are compared on the items that both labelled, {counted(one['items'], 'item')} in all"
    else:
        used = f"all annotations of the {counted(one['items'], 'item')} with two or more of them were compared, without imputation"
    alone = f"; {counted(single, 'item')} with one annotation could not be compared" if single else ""
    what = (
        "It is not known who annotated what"
        if data["annotators"] is None
        else "Not every annotator labelled every item"
    )
    return f"{what}: {used}{alone}."


def _left_out(data: Mapping[str, Any]) -> list[str]:
    rows = sum(one["rows"] for one in data["dropped"])
    if not rows:
        return []
    reasons = "; ".join(f"{one['rows']:,} {one['reason']}" for one in data["dropped"])
    return [f"{counted(rows, 'row')} of the table {'was' if rows == 1 else 'were'} left out ({reasons})."]


def _interval(one: Mapping[str, Any]) -> str:
    """Say how the interval was made, over which units."""
    ends = one["ci"]
    if not ends or ends["low"] is None:
        return "No confidence interval could be made."
    level = f"{100 * ends['level']:g} %"
    unit = "items" if ends["unit"] == "items" else f"clusters ({escaped(ends['unit'])})"
    units = "" if ends["units"] is None else f"{ends['units']:,} "
    if ends["method"] == "bootstrap":
        kind = {"bca": "bias-corrected and accelerated (BCa; Efron, 1987)", "percentile": "percentile"}[ends["kind"]]
        how = f"a {kind} bootstrap of {units}{unit} with {ends['replicates']:,} samples (seed {ends['seed']})"
    elif ends["kind"] == "F":
        how = f"the F distribution, over {units}{unit}"
    else:
        how = f"the linearised standard error over {units}{unit} and the t distribution"
    if any("exact binomial bound" in note for note in one["notes"]):
        how = f"an exact binomial bound for the disagreement that {units}{unit} can miss by luck, since all agree"
    return f"The {level} confidence interval was made with {how}."


def _beside(other: Mapping[str, Any]) -> str:
    """Give another coefficient in a few words."""
    if other["value"] is None:
        return ""
    ends = other["ci"] or {}
    low, high = ends.get("low"), ends.get("high")
    sure = "" if low is None else f" ({interval_text(low, high)})"
    title = other["title"]
    # Names of people keep their capital.
    title = title if "'" in title.split()[0] else title[0].lower() + title[1:]
    return f"{title} was {value_text(other['value'], low, high)}{sure}"


def _by(source: str) -> str:
    """Put the year of a source into brackets."""
    who, _, year = source.rpartition(" ")
    return f"{who} ({year})"


def _number(value: float | None) -> str:
    return "undefined" if value is None else value_text(value)
