"""Write a JSON schema for the `--json` of every command, and the page that lists their keys.

The schema of a command is what its outputs on many examples have in common: which keys are always there, and what they hold. A number may
always be null, because an undefined one is. `tests/docs/test_schemas.py` checks other outputs.

    python docs/generate_schemas.py
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent


def _rows(names: str, rows: Iterator[tuple[object, ...]]) -> str:
    return "\n".join([names, *(",".join(map(str, row)) for row in rows)]) + "\n"


def _off(number: int, who: int) -> int:
    """Return 1 where an annotator differs from the others, else 0."""
    return (number * 7 + who * 5) % 11 // 9


#: Data of kinds that no example has.
TABLES: Mapping[str, str] = {
    "votes.csv": _rows(
        "judge,model_a,model_b,winner",
        ((who, a, b, (a, b)[(n + _off(n, j)) % 2]) for j, who in enumerate("stu") for n, (a, b) in enumerate(combinations("vwxyz", 2))),
    ),
    "choices.csv": _rows(
        "who,w1,w2,w3,w4,best,worst",
        ((who, f"o{i % 5}", f"p{i % 4}", "q", f"r{i}", (f"o{i % 5}", "q")[_off(i, j)], f"r{i}") for i in range(18) for j, who in enumerate("ab")),
    ),
    "matrix.csv": "object,ann,bob,cem\nx,1,1,2\ny,2,3,1\nz,3,2,3\nw,4,4,4\n",
    "spans.csv": _rows(
        "document,annotator,start,end,label",
        ((f"d{d}", who, 10 * n + _off(n + d, j), 10 * n + 6, "PQR"[(n + d + _off(d, j)) % 3]) for d in range(6) for j, who in enumerate("xyz") for n in range(4)),
    ),
    "runs.csv": _rows(
        "item,judge,run,verdict",
        ((i, who, run, (i + _off(i, j + run)) % 2) for i in range(40) for j, who in enumerate(["m", "h", "g"]) for run in ((1, 2, 3) if who == "m" else (1,))),
    ),
    "two.csv": _rows("item,a,b", ((i, "xy"[i % 2], "xy"[(i + _off(i, 1)) % 2]) for i in range(30))),
    "sets.csv": _rows("item,annotator,label", ((i, who, "p;q" if (i + j) % 3 else "q") for i in range(30) for j, who in enumerate("ab"))),
    "one.csv": "item,a,b\n1,x,x\n2,x,x\n",
    "decided.csv": _rows(
        "tweet,anna,ben,carla,Redaktion",
        ((t, *given, max(given, key=given.count)) for t, given in enumerate(["yyn", "nyn", "nyy", "yyy"] * 8)),
    ),
    "known.csv": "item,label\n1,x\n2,y\n3,x\n",
}  # fmt: skip
VOTES = ["votes.csv", "--annotator", "judge"]
CHOICES = ["choices.csv", "--annotator", "who", "--shown", "w1,w2,w3,w4", "--best", "best", "--worst", "worst"]
#: Labels that are told apart by more than their names.
BY_DISTANCE = ["--example", "cohen", "--distance", "levenshtein"]


@cache
def sources() -> list[list[str]]:
    """Return what every command is asked about; a command that is not for such data refuses it."""
    from assent.examples import EXAMPLES

    scaled = ("krippendorff", "shrout-fleiss", "ordinal-bias")
    return [
        *(["--example", name] for name in EXAMPLES),
        *(["--example", name, "--scale", scale] for name in scaled for scale in ("ordinal", "interval", "ratio")),
        *([name] for name in ("spans.csv", "runs.csv", "two.csv", "one.csv", "decided.csv")),
        ["sets.csv", "--separator", ";"],
        ["sets.csv", "--separator", ";", "--ranked"],
        ["matrix.csv", "--layout", "rank-matrix"],
        VOTES,
        CHOICES,
        BY_DISTANCE,
    ]


#: Further command lines whose outputs are looked at, by command.
RUNS: Mapping[str, list[list[str]]] = {
    "look": [],
    "report": [["--example", "story", "--by", "kind", "--judge", "egon"], ["--example", "judge", "--baseline", "{last}"], ["two.csv", "--task", "subjective"]],
    "measure": [
        ["--example", "story", "--by-label", "--ci", "bootstrap", "--replicates", "50", "--test", "--gate", "kappa", "--fail-under", "0.4"],
        ["--example", "krippendorff", "-m", "alpha", "--scale", "interval", "--ci", "none"],
        ["--example", "story", "--generalise", "annotators"],
        ["--example", "judge", "-m", "krippendorff-alpha", "--baseline", "{last}", "--gate", "no-worse"],
        ["spans.csv", "-m", "gamma", "-m", "span-semeval", "-m", "span-label-kappa"],
        ["--table", "5,0;0,0", "-m", "kappa"],
    ],
    "explain": [
        ["--example", "paradox1", "-m", "cohen-kappa", "-m", "gwet-ac"],
        ["--example", "multi-label", "-m", "soft-match"],
        ["--example", "cohen", "--label-against-rest", "neurosis"],
    ],
    "advise": [],
    "items": [[*BY_DISTANCE, "--who"], ["--example", "story", "--who", "--text", "text", "--by", "kind", "--group", "plain"], ["spans.csv", "--who"]],
    "annotators": [["--example", "story", "--pairs"], ["--example", "sparse-crowd", "--pairs"]],
    "labels": [["--example", "story", "--between", "amira,bruno"], ["--example", "story", "-m", "gwet-ac"]],
    "ceiling": [],
    "judge": [
        *(["--example", "judge", *more] for more in ([], ["--positive", "pass"], ["--gate", "noninferior"], ["--gate", "alt-test"], ["--gate", "kappa", "--fail-under", "0.1"])),
        *(["--example", "story", "-j", name] for name in ("egon", "amira")),
        *(["--example", "ordinal-bias", "-j", "lena", "--scale", scale] for scale in ("ordinal", "interval")),
        ["--example", "judge", "-j", "model", "--ci", "bootstrap", "--replicates", "50", "--seed", "1"],
        ["--example", "judge", "-j", "model", "-j", "ann"],
        ["--example", "rankings", "-j", "lea"],
        ["--example", "judge", "--baseline", "{last}"],
        ["spans.csv", "-j", "z"],
        ["matrix.csv", "--layout", "rank-matrix", "-j", "cem"],
        ["matrix.csv", "--layout", "rank-matrix", "-j", "cem", "--without", "annotators=bob"],
        ["runs.csv", "-j", "m", "--run", "run"],
        [*VOTES, "-j", "u"],
    ],
    "repeat": [["--example", "runs"], ["--example", "runs", "--ci", "none"], ["runs.csv", "--run", "run"]],
    "compare": [
        ["--example", "story", "--by", "kind", "--gate", "no-worse"],
        ["--example", "dawid-skene", "--group", "one=anaesthetist 1a,anaesthetist 1b", "--group", "two=anaesthetist 2,anaesthetist 3"],
        *([name, name] for name in ("spans.csv", "two.csv", "votes.csv", "one.csv")),
        ["matrix.csv", "matrix.csv", "--layout", "rank-matrix"],
        ["two.csv", "two.csv", "two.csv", "-m", "cohen-kappa", "--unpaired"],
    ],
    "consensus": [
        *(["--example", "dawid-skene", "--method", method] for method in ("dawid-skene", "pooled-dawid-skene", "mace", "majority", "sharpening", "crowdtruth", "one-coin")),
        ["two.csv", "--gold", "known.csv"],
        ["two.csv", "--gold", "known.csv", "--learn", "--method", "dawid-skene", "--soft"],
        ["spans.csv", "--gold", "x"],
    ],
    "sweep": [],
    "plan": [
        *([name, *more] for name in ("two.csv", "spans.csv") for more in (["--target", "0.3"], ["--target", "0.99"], ["--half-width", "0.01"])),
        ["--example", "story", "--budget", "2000", "--item-cost", "2"],
        ["--example", "story", "--target", "0.3"],
        ["--agreement", "0.8", "--shares", "0.7,0.3", "--half-width", "0.05"],
    ],
    "monitor": [["--example", "story", "--target", "0.8"], ["two.csv", "--target", "0.2"]],
    "measures": [[]],
}  # fmt: skip
#: What keys hold, wherever they stand; a key behind a point, only below the other.
MEANS = {
    "report.title": "Title of the report",
    "report.labels": "As `assent labels` has it",
    "report.annotators": "As `assent annotators` has it",
    "report.items": "As `assent items` has it",
    "report.judges": "As `assent judge` has it",
    "report.repeats": "As `assent repeat` has it",
    "report.ceiling": "As `assent ceiling` has it",
    "report.plan": "As `assent plan` has it",
    "report.coefficients": "What was measured, which number to quote, and why",
    "report.sparse": "SPA by every scheme, where items have few annotations",
    "report.groups": "Agreement of each group, and how the groups differ",
    "report.questions": "A report for each question; the sections above are then null",
    "report.how_to_report": "Sentences, tables and BibTeX for a paper",
    "report.appendix": "Settings, versions, seed, and what the words mean",
    "baseline.baseline": "The earlier value",
    "baseline.value": "The value now",
    "distance.value": "Mean distance to the others",
    "difference.value": "The difference",
    "majority.n_runs": "Of how many runs",
    "annotators.kind": "How a flagged annotator differs",
    "ceilings.people": "Whether the other side is people",
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
    "multilabel": "Sets of labels: how they were read, and how large they are",
    "kind": "What the data are: labels, spans, rankings or another kind",
    "offsets": "What offsets of spans count",
    "objects": "What was ranked or compared: how many, or one entry for each",
    "documents": "Documents: how many, or one entry for each",
    "sentence": "The result as a sentence",
    "sentences": "The result as sentences",
    "note": "A sentence that a reader of the number must know",
    "pairs": "Every two annotators, or labels",
    "distance": "The distance that compares labels",
    "scale": "Level of measurement",
    "unit": "What was resampled: items, clusters or another unit",
    "judge": "Name of the judge",
    "judges": "One entry for each judge",
    "people": "Who the judges are compared with",
    "annotator": "Name of the annotator",
    "item": "Name of the item",
    "rows": "Rows: how many, or one entry for each",
    "total": "How many there are",
    "agreement": "Share of pairs of annotations that agree",
    "accuracy": "Share that is right",
    "macro_f1": "F1, the mean over labels",
    "flip_rate": "Chance that two runs of an item differ",
    "difference": "The difference, with its interval",
    "differences": "How spans differ: identical, other label, other ends, both, only one",
    "boundaries": "How many offsets apart spans begin and end",
    "comparisons": "How many comparisons",
    "shares": "Shares of the labels",
    "settings": "Settings it was computed with, defaults included",
    "outcome": "pass, fail or unclear",
    "gate": "Name of the gate",
    "reason": "Why",
    "reasons": "Why, one sentence each",
    "threshold": "What the gate asks for",
    "target": "What is asked for",
    "exit_code": "What the command ends with",
    "name": "Its name",
    "key": "A name that does not change",
    "evidence": "Numbers that it rests on",
    "file": "Name of the file",
    "merges": "What merging two labels would gain and lose",
    "matrix": "How often labels meet on an item",
    "unused": "Labels that nobody gave",
    "flagged": "How many annotators are flagged",
    "judged": "How many could be judged",
    "schools": "Groups of annotators who read alike",
    "severity": "How much stricter or more lenient",
    "leaning": "Labels that are given more often than by the others",
    "best": "The best one",
    "ties": "How many ties",
    "tied": "Labels that are equally likely",
    "spread": "How far apart",
    "reliability": "Scale separation reliability",
    "p_value": "p-value",
    "ceiling": "How far the judge could agree with a person, given how it repeats itself",
    "majority": "How often majorities of several runs differ",
    "mean_agreement": "Mean agreement of the items",
    "refused": "Why the table is refused, else null",
    "quote": "Name of the coefficient to quote",
    "jury": "All judges on the items that all of them labelled",
}
#: Keys below which names come from the data or from options: what is there depends on these.
OPEN = {
    *("options", "evidence", "settings", "details", "missingness", "columns", "examples", "labels", "counts", "shares", "spans", "skipped"),
    *("probabilities", "substituted", "versions", "first", "second", "start", "end", "edges", "trimmed"),
}  # fmt: skip


@contextlib.contextmanager
def in_folder_of_tables() -> Iterator[None]:
    """Work in a folder that holds the tables and a result of last week."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, text in TABLES.items():
                Path(name).write_text(text, encoding="utf-8")
            last = printed("judge", ["--example", "judge"])
            last["measures"] += printed("measure", ["--example", "judge"])["measures"]
            Path("last.json").write_text(json.dumps(last), encoding="utf-8")
            yield
        finally:
            os.chdir(before)


def printed(command: str, arguments: list[str]) -> Any:
    """Return what a command prints as JSON; nothing if it refuses the data."""
    from assent.cli.app import run

    out = io.StringIO()
    arguments = [one.format(last="last.json") for one in arguments]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            run([command, *arguments, "--json"])
        except SystemExit as end:
            if end.code == 2 and "defect" not in err.getvalue():
                return None
            if end.code not in (0, 1, 3):
                raise RuntimeError(f"{command} {arguments}: {err.getvalue()}") from None
    return json.loads(out.getvalue())


def seen(value: Any, key: str = "", above: str = "") -> dict[str, Any]:
    """Return the schema of one value."""
    if isinstance(value, dict):
        made: dict[str, Any] = {"type": ["object"]}
        # The labels of a report are a section, those below other keys a map.
        if key in OPEN and (key, above) != ("labels", ""):
            for one in value.values():
                made["additionalProperties"] = joined(made.get("additionalProperties"), seen(one, key, above))
            return made
        made["properties"] = {name: seen(one, name, key) for name, one in value.items()}
        made["required"] = list(value)
        return made
    if isinstance(value, list):
        made = {"type": ["array"]}
        for one in value:
            inner = key if isinstance(one, list) or key in OPEN else "[]"
            made["items"] = joined(made.get("items"), seen(one, inner, above or key))
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
    for held in ("items", "additionalProperties"):
        if held in one or held in two:
            inner = [some[held] for some in (one, two) if held in some]
            made[held] = joined(inner[0] if len(inner) > 1 else None, inner[-1])
    return made


def schema(command: str) -> dict[str, Any]:
    """Return the schema of the JSON of a command."""
    made: dict[str, Any] | None = None
    alone = command in ("judge", "repeat", "measures")
    for arguments in [*([] if alone else sources()), *RUNS[command]]:
        if (value := printed(command, arguments)) is not None:
            made = joined(made, seen(value))
        elif arguments in RUNS[command]:
            raise RuntimeError(f"{command} {arguments} was refused")
    assert made is not None
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"assent {command} --json",
        **_described(made, command),
    }


def _described(one: dict[str, Any], key: str = "", above: str = "") -> dict[str, Any]:
    """Add what is known of keys, and put single types in the usual form; what was always null may be anything."""
    said = MEANS.get(f"{above}.{key}", MEANS.get(key))
    made: dict[str, Any] = {"description": said} if said else {}
    made |= {name: value for name, value in one.items() if name != "type"}
    if one["type"] != ["null"]:
        made["type"] = one["type"][0] if len(one["type"]) == 1 else one["type"]
    if "properties" in one:
        made["properties"] = {name: _described(some, name, key) for name, some in one["properties"].items()}
    for held in ("items", "additionalProperties"):
        if held in one:
            made[held] = _described(one[held], key)
            made[held].pop("description", None)
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
    rows = "\n".join(_keys(schemas["measure"]["properties"]["data"], "", 1))
    parts.append(
        f"## data\n\nMost commands say what was read, under the key `data`.\n\n| key | holds | |\n|---|---|---|\n{rows}\n"
    )
    for command, made in schemas.items():
        rows = "\n".join(_keys(made, "", 2))
        link = f"Schema: [{command}.schema.json](schemas/{command}.schema.json)."
        table = f"\n\n| key | holds | |\n|---|---|---|\n{rows}" if rows else ""
        parts.append(f"## assent {command}\n\n{link}{table}\n")
    return "\n".join(parts)


def _keys(one: dict[str, Any], path: str, deep: int) -> list[str]:
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
        if deep > 1 and "properties" in inner and name != "data":
            made += _keys(inner, f"{path}{name}{listed}.", deep - 1)
    return made


def main() -> None:
    """Write all schemas and the page."""
    schemas = {}
    for command in RUNS:
        print(command, file=sys.stderr)
        with in_folder_of_tables():
            schemas[command] = schema(command)
        (DOCS / "schemas" / f"{command}.schema.json").write_text(
            json.dumps(schemas[command], indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )
    (DOCS / "json.md").write_text(page(schemas), encoding="utf-8")


if __name__ == "__main__":
    main()
