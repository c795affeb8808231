"""Write a JSON schema for the `--json` of every command, and the page that lists their keys.

The schema of a command is what its outputs on many examples have in common: which keys are always there, and what they hold. A number may
always be null, because an undefined one is. `tests/docs/test_schemas.py` holds other outputs against the schemas.

    python docs/generate_schemas.py
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
LABELS = (
    "lecture",
    "paradox1",
    "cohen",
    "krippendorff",
    "hayes-krippendorff",
    "fleiss",
    "dawid-skene",
    "ordinal-bias",
    "perfect",
    "story",
)
OTHERS = ("multi-label", "spans", "rankings")
EVERYTHING = (*LABELS, *OTHERS)
#: Labels that are told apart by more than their names.
BY_DISTANCE = ["--example", "cohen", "--distance", "levenshtein"]
#: The command lines whose outputs are looked at, by command.
RUNS: Mapping[str, list[list[str]]] = {
    "look": [["--example", name] for name in (*EVERYTHING, "judge")],
    "report": [*(["--example", name] for name in EVERYTHING), BY_DISTANCE],
    "measure": [
        *(["--example", name] for name in EVERYTHING),
        ["--example", "story", "--by-label", "--ci", "bootstrap", "--replicates", "50", "--test", "--gate", "kappa", "--fail-under", "0.4"],
        ["--example", "krippendorff", "-m", "alpha", "--scale", "interval", "--ci", "none"],
        ["--table", "5,0;0,0", "-m", "kappa"],
    ],
    "explain": [
        *(["--example", name] for name in (*LABELS, "spans")),
        ["--example", "paradox1", "-m", "cohen-kappa", "-m", "gwet-ac"],
        ["--example", "multi-label", "-m", "soft-match"],
        ["--example", "cohen", "--label-against-rest", "neurosis"],
    ],
    "advise": [["--example", name] for name in (*LABELS, "multi-label")],
    "items": [*(["--example", name] for name in EVERYTHING), BY_DISTANCE, [*BY_DISTANCE, "--who"]],
    "annotators": [*(["--example", name] for name in EVERYTHING if name != "fleiss"), BY_DISTANCE],
    "labels": [["--example", name] for name in (*LABELS, "spans")],
    "ceiling": [["--example", name] for name in ("krippendorff", "fleiss", "dawid-skene", "story", "perfect")],
    "judge": [["--example", "judge"], ["--example", "judge", "--positive", "pass", "--gate", "noninferior"], ["--example", "story", "-j", "egon"]],
    "repeat": [["--example", "runs"], ["--example", "runs", "--ci", "none"]],
    "compare": [["--example", "story"], ["--example", "story", "--by", "kind", "--gate", "no-worse"], ["--example", "dawid-skene", "--group", "one=anaesthetist 1a,anaesthetist 1b", "--group", "two=anaesthetist 2,anaesthetist 3"]],
    "consensus": [
        *(["--example", name] for name in (*LABELS, "multi-label")),
        *(["--example", "dawid-skene", "--method", method] for method in ("dawid-skene", "mace", "majority")),
    ],
    "sweep": [["--example", "multi-label"]],
    "plan": [
        *(["--example", name] for name in LABELS[:-2]),
        ["--example", "story", "--budget", "2000"],
        ["--example", "story", "--target", "0.3"],
        ["--agreement", "0.8", "--shares", "0.7,0.3", "--half-width", "0.05"],
    ],
    "monitor": [["--example", name] for name in ("krippendorff", "story", "perfect", "sparse-crowd")] + [["--example", "story", "--target", "0.8"]],
    "measures": [[]],
}  # fmt: skip
#: What keys hold, wherever they stand.
MEANS = {
    "data": "What was read",
    "items": "Items: how many, or one entry for each",
    "expected_distance": "Mean distance of any two annotations of items with two or more",
    "alpha": "Krippendorff's alpha",
    "given": "Who gave which label, if that was asked for",
    "annotators": "Annotators: how many, or one entry for each",
    "annotations": "How many annotations",
    "labels": "The labels, in order, or one entry for each",
    "layout": "How the table was read: long, wide, counts, table, spans or another kind",
    "dropped": "What was left out: a reason and how many rows",
    "notes": "Sentences that a reader of the numbers must know",
    "measures": "One entry for each coefficient",
    "measure": "Name of the coefficient, as on the command line",
    "title": "Name of the coefficient as it is written in a text",
    "value": "The coefficient; null if undefined, with a note that says why",
    "observed": "Observed agreement",
    "expected": "Agreement expected by chance",
    "standard_error": "Standard error of the value",
    "ci": "The interval: ends, level, method, and what was resampled",
    "low": "Lower end",
    "high": "Upper end",
    "level": "Confidence level",
    "method": "How it was made",
    "options": "Settings it was computed with, defaults included",
    "gates": "What each gate says: pass, fail or unclear, with its reason",
    "baseline": "The difference to an earlier result, if one was given",
    "findings": "What makes the number mislead, with its evidence",
    "details": "Numbers that belong to a value",
    "quoted": "The coefficient to quote, and why",
    "steps": "The computation, step by step",
    "interpretation": "What the value is called, with the source of the word",
    "verdict": "The sentence that says how it stands",
    "advice": "What to do, the most useful first",
}
#: Keys below which names come from the data or from options: what is there depends on these.
OPEN = (
    "options",
    "evidence",
    "settings",
    "details",
    "missingness",
    "columns",
    "examples",
    "labels",
    "counts",
    "shares",
)


def printed(command: str, arguments: list[str]) -> Any:
    """Return what a command prints as JSON."""
    from assent.cli.app import run

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            run([command, *arguments, "--json"])
        except SystemExit as end:
            if end.code not in (0, 1, 3):
                raise RuntimeError(f"{command} {arguments}: {err.getvalue()}") from None
    return json.loads(out.getvalue())


def seen(value: Any, key: str = "") -> dict[str, Any]:
    """Return the schema of one value."""
    if isinstance(value, dict):
        if key in OPEN:
            return {"type": ["object"]}
        return {
            "type": ["object"],
            "properties": {name: seen(one, name) for name, one in value.items()},
            "required": list(value),
        }
    if isinstance(value, list):
        made: dict[str, Any] = {"type": ["array"]}
        for one in value:
            made["items"] = joined(made.get("items"), seen(one, key if isinstance(one, list) else ""))
        return made
    if isinstance(value, bool):
        return {"type": ["boolean"]}
    if isinstance(value, int | float):
        return {"type": ["null", "number"]}
    return {"type": ["null" if value is None else "string"]}


def joined(one: dict[str, Any] | None, two: dict[str, Any]) -> dict[str, Any]:
    """Return what two schemas have in common: keys of both are required, what either holds is allowed."""
    if one is None:
        return two
    made: dict[str, Any] = {"type": sorted({*one["type"], *two["type"]})}
    if "properties" in one or "properties" in two:
        left, right = one.get("properties", {}), two.get("properties", {})
        made["properties"] = {
            name: joined(left.get(name), right[name]) if name in right else left[name] for name in {**left, **right}
        }
        both = [some["required"] for some in (one, two) if "required" in some]
        made["required"] = [name for name in both[0] if all(name in some for some in both)]
    if "items" in one or "items" in two:
        items = [some["items"] for some in (one, two) if "items" in some]
        made["items"] = joined(items[0] if len(items) > 1 else None, items[-1])
    return made


def schema(command: str) -> dict[str, Any]:
    """Return the schema of the JSON of a command."""
    made: dict[str, Any] | None = None
    for arguments in RUNS[command]:
        made = joined(made, seen(printed(command, arguments)))
    assert made is not None
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"assent {command} --json",
        **_described(made),
    }


def _described(one: dict[str, Any], key: str = "") -> dict[str, Any]:
    """Add what is known of keys, and put single types in the usual form; what was always null may be anything."""
    made: dict[str, Any] = {"description": MEANS[key]} if key in MEANS else {}
    made |= {name: value for name, value in one.items() if name != "type"}
    if one["type"] != ["null"]:
        made["type"] = one["type"][0] if len(one["type"]) == 1 else one["type"]
    if "properties" in one:
        made["properties"] = {name: _described(some, name) for name, some in one["properties"].items()}
    if "items" in one:
        made["items"] = _described(one["items"])
    return made


def page(schemas: Mapping[str, dict[str, Any]]) -> str:
    """Return the page on the JSON of all commands."""
    parts = [
        "# The JSON of every command\n\n"
        "`--json` prints one object on standard output, in full precision. Keys do not vanish: where there is no number, its value is null "
        "and a note says why. Progress and messages go to standard error. In Python, `result.to_dict()` is the same object.\n\n"
        "For each command there is a [JSON schema](https://json-schema.org/) (draft 2020-12), which is tested with outputs of the command. "
        "Keys marked with * are there for some data or options only; new keys may be added, so a program should ignore those it does not know.\n\n"
        "Exit codes: 0 done, 1 below `--fail-under` or a gate, 2 bad input or usage, 3 not enough data for a gate to tell.\n"
    ]
    for command, made in schemas.items():
        rows = "\n".join(_rows(made, "", 2))
        link = f"Schema: [{command}.schema.json](schemas/{command}.schema.json)."
        table = f"\n\n| key | holds | |\n|---|---|---|\n{rows}" if rows else ""
        parts.append(f"## assent {command}\n\n{link}{table}\n")
    return "\n".join(parts)


def _rows(one: dict[str, Any], path: str, deep: int) -> list[str]:
    made = []
    for name, some in one.get("properties", {}).items():
        star = "" if name in one.get("required", ()) else "*"
        said = some.get("type", "null")
        kinds = said if isinstance(said, list) else [said]
        inner = some if "properties" in some else some.get("items", {})
        listed = "[]" if "items" in some and "properties" in inner else ""
        made.append(
            f"| `{path}{name}{listed}`{star} | {' or '.join(one for one in kinds if one != 'null' or len(kinds) == 1)} | {some.get('description', '')} |"
        )
        if deep > 1 and "properties" in inner:
            made += _rows(inner, f"{path}{name}{listed}.", deep - 1)
    return made


def main() -> None:
    """Write all schemas and the page."""
    schemas = {}
    for command in RUNS:
        print(command, file=sys.stderr)
        schemas[command] = schema(command)
        (DOCS / "schemas" / f"{command}.schema.json").write_text(
            json.dumps(schemas[command], indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )
    (DOCS / "json.md").write_text(page(schemas), encoding="utf-8")


if __name__ == "__main__":
    main()
