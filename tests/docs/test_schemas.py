"""The JSON of every command is what its schema says, also on data that the schemas were not made from."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.docs.test_commands import FILES

from assent.cli.app import COMMANDS

ROOT = Path(__file__).parents[2]
#: Other data than those that the schemas are made from; the files are those of the pages' commands.
KINDS: list[list[str]] = [
    ["labels.csv"],
    ["tweets.csv"],
    ["ratings.csv", "--scale", "ordinal"],
    ["emails.csv"],
    ["export.json"],
    ["spans.csv"],
    ["rankings.csv"],
    ["votes.csv", "--annotator", "judge", "--item", "prompt"],
    ["choices.csv", "--annotator", "who", "--shown", "w1,w2,w3,w4", "--best", "best", "--worst", "worst"],
    ["answers.csv", "-m", "krippendorff-alpha", "--label", "answer", "--distance", "levenshtein"],
]
#: Further command lines, by command; the commands without any are asked about data of every kind alone.
MORE: dict[str, list[list[str]]] = {
    "measure": [["one.csv", "-m", "kappa"], ["labels.csv", "-m", "gwet-ac", "--gate", "kappa", "--fail-under", "0.2"]],
    "judge": [["labels.csv", "-j", "cleo"], ["verdicts.csv", "-j", "gpt-4o", "--run", "run"], ["spans.csv", "-j", "gpt-4o"], ["rankings.csv", "-j", "b"], ["votes.csv", "--annotator", "judge", "-j", "gpt-4o"]],
    "repeat": [["verdicts.csv", "--run", "run"], ["columns.csv", "--runs", "first,second,third"]],
    "compare": [["labels.csv", "--group", "ann,bob", "--group", "ann,cleo"], ["a.csv", "b.csv", "c.csv", "-m", "kappa"], ["spans.csv", "spans.csv"]],
    "consensus": [["labels.csv", "--method", "one-coin"], ["labels.csv", "--gold", "known.csv"]],
    "plan": [["labels.csv", "--target", "0.7"], ["labels.csv", "--budget", "900"]],
    "measures": [[]],
}  # fmt: skip
#: What is asked about data of every kind.
GENERAL = ("look", "report", "measure", "explain", "advise", "items", "annotators", "labels", "ceiling", "consensus", "sweep", "plan", "monitor")  # fmt: skip


@cache
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_schemas", ROOT / "docs" / "generate_schemas.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["generate_schemas"] = module
    spec.loader.exec_module(module)
    return module


def schema(command: str) -> dict[str, Any]:
    return json.loads((ROOT / "docs" / "schemas" / f"{command}.schema.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("data")
    for name, content in {**FILES, "one.csv": "item,a,b\n1,x,x\n2,x,x\n"}.items():
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return made


def test_every_command_that_prints_json_has_a_schema() -> None:
    commands = set(COMMANDS) - {"serve"}
    assert {path.name.partition(".")[0] for path in (ROOT / "docs" / "schemas").glob("*.json")} == commands
    assert {*GENERAL, *MORE} == set(generator().RUNS) == commands
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    assert page == generator().page({command: schema(command) for command in generator().RUNS})


@pytest.mark.parametrize("command", [*GENERAL, *(name for name in MORE if name not in GENERAL)])
def test_outputs_are_what_the_schema_says(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    made = schema(command)
    Draft202012Validator.check_schema(made)
    validator = Draft202012Validator(made)
    answered = 0
    for arguments in [*(KINDS if command in GENERAL else []), *MORE.get(command, [])]:
        printed = generator().printed(command, arguments)
        if printed is None:
            # It refuses such data.
            assert arguments in KINDS, arguments
            continue
        answered += 1
        wrong = [
            f"{'/'.join(map(str, one.absolute_path))}: {one.message[:200]}" for one in validator.iter_errors(printed)
        ]
        assert not wrong, (arguments, wrong[:5])
    assert answered > 0


def mistaken(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield copies of a value in each of which one part is of another type, with where that is."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from ((f"/{key}{where}", {**value, key: wrong}) for where, wrong in mistaken(one))
    elif isinstance(value, list) and value:
        yield from ((f"/0{where}", [wrong, *value[1:]]) for where, wrong in mistaken(value[0]))
    yield "", {"wrong": 1} if isinstance(value, str | int | float | list | None) else "wrong"


@pytest.mark.parametrize("command", ["measure", "items", "judge", "annotators"])
def test_a_schema_refuses_what_is_of_another_type(command: str) -> None:
    """All but what stands below names from the data and options, and what was null wherever it was seen."""
    printed = generator().printed(command, ["--example", "judge"])
    validator = Draft202012Validator(schema(command))
    assert validator.is_valid(printed)
    tried = [(where, validator.is_valid(wrong)) for where, wrong in mistaken(printed)]
    passed = [where for where, valid in tried if valid and not generator().OPEN & {*where.split("/")}]
    assert len(passed) < 0.05 * len(tried), passed


def test_a_schema_refuses_what_lacks_a_key() -> None:
    printed = generator().printed("measure", ["--example", "lecture"])
    del printed["measures"][0]["value"]
    assert not Draft202012Validator(schema("measure")).is_valid(printed)


def keys(one: dict[str, Any]) -> Iterator[str]:
    for name, inner in one.get("properties", {}).items():
        yield name
        yield from keys(inner)
    for held in ("items", "additionalProperties"):
        yield from keys(one[held]) if held in one else ()


@pytest.mark.parametrize(
    ("page", "command", "start", "end", "key"),
    [
        ("report", "report", "| key | what it holds", "The same data", r"`([a-z_]+)`"),
        ("judges", "judge", "## JSON", "## References", r'"([a-z_]+)"'),
    ],
)
def test_the_keys_that_a_page_names_are_there(page: str, command: str, start: str, end: str, key: str) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8").partition(start)[2].partition(end)[0]
    found = re.findall(key, text)
    assert len(found) > 30
    assert not set(found) - {*keys(schema(command))}


def test_no_key_of_a_schema_is_a_name_from_the_data() -> None:
    source = " ".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    words = {*re.findall(r"\w+", source)}
    for command in generator().RUNS:
        parts = {
            part for name in keys(schema(command)) for part in re.findall(r"\w+", re.sub(r"^value_at_[\d.]+", "", name))
        }
        assert not parts - words, command
