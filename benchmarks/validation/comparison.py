"""Put what packages say beside what assent says, question by question."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .data import TABLES
from .habits import explain, same
from .ours import ours, rounded

__all__ = ["compare", "read", "write"]

#: The order of coefficients and quantities on the page.
MEASURES = (
    "percent-agreement",
    "cohen-kappa",
    "scott-pi",
    "fleiss-kappa",
    "conger-kappa",
    "gwet-ac",
    "brennan-prediger",
    "krippendorff-alpha",
    "icc",
    "lin-concordance",
)
QUANTITIES = ("value", "observed", "expected", "standard-error", "low", "high")
OPTIONS = (
    "",
    "plain",
    *("linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"),
    *("interval", "1,1", "2,1", "3,1", "1,k", "2,k", "3,k"),
)
QUESTION = ("table", "measure", "options", "category", "quantity")
ANSWER = ("package", "via", "number", "decimals", "error")


def compare(answers: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Group answers by question, answer the questions ourselves, and explain every difference.

    Parameters
    ----------
    answers : iterable of mappings
        The question with table, measure, options, category and quantity, and package, via, number, decimals and error.

    Returns
    -------
    list of dict
        The questions in the order of the page, each with `ours` and the `answers`, and these with `equal`, `reasons` and
        `reproduced`.
    """
    questions: dict[str, dict[str, Any]] = {}
    for given in answers:
        asked = {name: given[name] for name in QUESTION}
        # The nominal scale is what no scale means.
        asked["options"] = {name: value for name, value in given["options"].items() if value != "nominal"}
        key = json.dumps(asked, sort_keys=True)
        if key not in questions:
            questions[key] = {**asked, "ours": ours(asked)[0], "answers": []}
        answer = {name: given[name] for name in ANSWER}
        if answer["number"] is not None:
            answer["number"] = rounded(answer["number"])
        equal = same(answer["number"], questions[key]["ours"], answer["decimals"], error=answer["error"])
        reasons, reproduced = ([], False) if equal else explain({**asked, **answer})
        questions[key]["answers"].append({**answer, "equal": equal, "reasons": reasons, "reproduced": reproduced})
    for question in questions.values():
        question["answers"].sort(key=lambda answer: (str(answer["package"]).lower(), answer["via"]))
    return sorted(questions.values(), key=_place)


def _place(question: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return where a question stands on the page."""
    place = [data.id for data in TABLES].index(question["table"])
    return (
        place,
        MEASURES.index(question["measure"]),
        (None, *TABLES[place].labels).index(question["category"]),
        [OPTIONS.index(value) for value in question["options"].values()],
        sorted(question["options"]),
        QUANTITIES.index(question["quantity"]),
    )


#: What an answer is unless it says something else.
USUAL: dict[str, Any] = {"decimals": None, "error": None, "equal": True, "reasons": [], "reproduced": False}


def write(path: Path, packages: Sequence[Mapping[str, Any]], questions: Sequence[Mapping[str, Any]]) -> None:
    """Write everything as JSON, one question a line."""
    lines = ",\n".join("  " + json.dumps(_short(question), ensure_ascii=False) for question in questions)
    named = ",\n".join("  " + json.dumps(package, ensure_ascii=False) for package in packages)
    path.write_text(f'{{\n "packages": [\n{named}\n ],\n "questions": [\n{lines}\n ]\n}}\n', encoding="utf-8")


def read(path: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Read what `write` has written: packages and questions."""
    content = json.loads(path.read_text(encoding="utf-8"))
    for question in content["questions"]:
        question["answers"] = [{"number": question["ours"], **USUAL, **answer} for answer in question["answers"]]
    return content["packages"], content["questions"]


def _short(question: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what is as usual, such as a number that is ours."""
    answers = []
    for answer in question["answers"]:
        usual = {**USUAL, "number": answer["number"] if answer["equal"] and answer["decimals"] is None else ...}
        answers.append({name: value for name, value in answer.items() if name not in usual or value != usual[name]})
    return {**question, "answers": answers}
