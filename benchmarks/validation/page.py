"""The page about validation, from the comparisons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .data import TABLES, DataSet
from .habits import REASONS

__all__ = ["page"]

TITLES = {
    "percent-agreement": "Percent agreement",
    "cohen-kappa": "Cohen's kappa",
    "scott-pi": "Scott's pi",
    "fleiss-kappa": "Fleiss' kappa",
    "conger-kappa": "Conger's kappa",
    "gwet-ac": "Gwet's AC",
    "brennan-prediger": "Brennan-Prediger",
    "krippendorff-alpha": "Krippendorff's alpha",
    "icc": "ICC",
    "lin-concordance": "Lin's concordance",
}
QUANTITIES = {
    "value": "value",
    "observed": "observed agreement",
    "expected": "expected agreement",
    "standard-error": "standard error",
    "low": "95 % from",
    "high": "95 % to",
}
KINDS = {
    "values": ("value", "observed", "expected"),
    "standard errors": ("standard-error",),
    "ends of 95 % intervals": ("low", "high"),
}

HEAD = """# Other packages beside assent

Other packages were given the same tables as assent, and said what follows. This page is written by
`python benchmarks/validation.py`, which installs the packages into environments of their own, asks them, and explains every
difference; it ends with an error if there is one that it cannot explain. The packages are installed for this table
alone: assent needs none of them. The numbers are in [validation.json](validation.json), to twelve decimals.
"""

HOW = """A package agrees if its number is that of assent to all digits it gives: to 1e-9, or to half a unit of the last digit
for printed numbers. The standard error of assent is the analytic one, and so is the interval (for ICC, the one by the F
distribution). Bootstrap intervals are not compared, since they depend on the draws.

R is not asked but quoted: what irr, irrCAC and psych print is in tests/oracles, with the source of each number. "paper"
is what the source of the table prints, in part by way of the tests of DKPro Statistics.
"""

WHY = """Each reason is more than a reading of another source. Where both sides have a number, the reason was put to the test: assent
was made to compute in the other way, and the other number came out to its last digit. A difference may have several
reasons; the tables below name as few as bring the number out. Where one side has none, the reason follows from the table (one
label, missing labels) or from the message of the exception.
"""

READ = """A name alone under "equal" gives the number of assent to 1e-9; printed numbers stand with their digits. Under "different"
stand the package, its function or field, what it says, and the reasons by their names above. "–" is a value that is
undefined.
"""


def page(packages: Sequence[Mapping[str, Any]], questions: Sequence[Mapping[str, Any]]) -> str:
    """Write the page."""
    answers = [(question, answer) for question in questions for answer in question["answers"]]
    parts = [HEAD, "## In short\n", _in_short(answers), HOW, _packages(packages, answers)]
    parts += ["## Differences, and why\n", WHY, _reasons(answers), "## Table by table\n", READ]
    for data in TABLES:
        parts += [f"### {data.title}\n", f"{_sentence(data.about)}\n", _table(data, questions)]
    return "\n".join(parts)


def _sentence(text: str) -> str:
    """Begin with a capital and end with a full stop."""
    return f"{text[0].upper()}{text[1:]}."


def _rows(head: Sequence[str], align: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a Markdown table."""
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, align, *rows]) + "\n"


def _in_short(answers: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> str:
    """Count."""
    rows = []
    for kind, quantities in [*KINDS.items(), ("**all**", tuple(QUANTITIES))]:
        here = [answer for question, answer in answers if question["quantity"] in quantities]
        equal = sum(answer["equal"] for answer in here)
        reproduced = sum(answer["reproduced"] for answer in here)
        silent = len(here) - equal - reproduced
        rows.append([kind, *(f"{number:,}" for number in (len(here), equal, reproduced, silent))])
    head = ["", "comparisons", "equal", "different, and reproduced from the reason", "undefined, or an exception"]
    return _rows(head, [":--", "--:", "--:", "--:", "--:"], rows)


def _packages(
    packages: Sequence[Mapping[str, Any]], answers: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]
) -> str:
    """List the packages."""
    rows = []
    for package in packages:
        here = [answer for _, answer in answers if answer["package"] == package["name"]]
        equal = sum(answer["equal"] for answer in here)
        if package["error"]:
            note = f"`{_escaped(package['error'])}`"
        else:
            note = ", ".join(f"{reason} {times}" for reason, times in _tally(here))
        rows.append(
            [package["name"], package["version"] or "", f"{len(here):,}", f"{equal:,}", f"{len(here) - equal:,}", note]
        )
    head = ["package", "version", "comparisons", "equal", "not", "why not, and how often"]
    return _rows(head, [":--", ":--", "--:", "--:", "--:", ":--"], rows)


def _tally(answers: Sequence[Mapping[str, Any]]) -> list[tuple[str, int]]:
    """Count the reasons, in the order of the page."""
    times = Counter(reason for answer in answers for reason in answer["reasons"])
    return [(reason, times[reason]) for reason in REASONS if times[reason]]


def _reasons(answers: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> str:
    """List the reasons."""
    lines = []
    for reason, text in REASONS.items():
        here = [answer for _, answer in answers if reason in answer["reasons"]]
        if here:
            names = sorted({str(answer["package"]) for answer in here}, key=str.lower)
            lines.append(f"- **{reason}** ({', '.join(names)}; {len(here):,}). {text}")
    return "\n".join(lines) + "\n"


def _table(data: DataSet, questions: Sequence[Mapping[str, Any]]) -> str:
    """Write the table of one data set."""
    rows = []
    before = None
    for question in questions:
        if question["table"] != data.id:
            continue
        title = _title(question)
        equal = sorted({_equal(answer) for answer in question["answers"] if answer["equal"]}, key=str.lower)
        different = [_different(answer) for answer in question["answers"] if not answer["equal"]]
        ours = _number(question["ours"])
        rows.append(
            [
                "" if title == before else title,
                QUANTITIES[question["quantity"]],
                ours,
                ", ".join(equal),
                "; ".join(dict.fromkeys(different)),
            ]
        )
        before = title
    return _rows(["coefficient", "", "assent", "equal", "different"], [":--", ":--", "--:", ":--", ":--"], rows)


def _title(question: Mapping[str, Any]) -> str:
    """Name the coefficient of a question."""
    title, options = TITLES[question["measure"]], question["options"]
    if "form" in options:
        return f"{title}({options['form']})"
    if question["measure"] == "gwet-ac":
        title += "2" if options else "1"
    if options.get("average") == "plain":
        title = "Light's kappa"
    for name in ("weights", "scale"):
        if name in options:
            title += f", {options[name]} {name}"
    return title if question["category"] is None else f"{title}, label {question['category']} against the rest"


def _number(number: float | None, decimals: int | None = None) -> str:
    """Write a number; six decimals unless it is printed with fewer."""
    if number is None:
        return "–"
    return f"{number:.{6 if decimals is None else decimals}f}".replace("-", "−")


def _equal(answer: Mapping[str, Any]) -> str:
    """Name a package that agrees, with the digits it prints."""
    printed = "" if answer["decimals"] is None else f" {_number(answer['number'], answer['decimals'])}"
    return f"{answer['package']}{printed}"


def _different(answer: Mapping[str, Any]) -> str:
    """Say what a package says, and why."""
    said = _number(answer["number"], answer["decimals"])
    if answer["error"] is not None:
        said = f"`{_escaped(answer['error'])}`"
    via = f" `{answer['via']}`" if answer["via"] else ""
    return f"{answer['package']}{via} {said} ({', '.join(answer['reasons']) or '?'})"


def _escaped(text: str) -> str:
    """Keep a text from breaking out of its cell."""
    return text.replace("|", "¦").replace("`", "'")
