"""The JSON of every command is what its schema says, also on data that the schemas were not made from."""

from __future__ import annotations

import importlib.util
import json
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from assent.cli.app import COMMANDS

ROOT = Path(__file__).parents[2]
LONG = "item,annotator,label\n" + "".join(
    f"{item},{who},{label}\n"
    for item, row in enumerate(["xxx", "xxy", "yyy", "zxx", "yyx", "yzy", "zzz", "xyx"] * 4, 1)
    for who, label in zip("abc", row, strict=True)
)
RUNS = "item,judge,run,verdict\n" + "".join(
    f"{item},m,{run},{'good' if (item * run) % 3 else 'bad'}\n" for item in range(12) for run in range(1, 4)
)
RANKED = "item,annotator,label\n" + "".join(
    f"{i},{who},{'a;b' if (i + len(who)) % 2 else 'b'}\n" for i in range(9) for who in ("x", "yy")
)
#: Other data than those of `docs/generate_schemas.py`, by command; "{long}" and the like are files.
OTHERS: dict[str, list[list[str]]] = {
    "look": [["{long}"], ["{runs}"]],
    "report": [["{long}"]],
    "measure": [["{long}"], ["{one}", "-m", "kappa"], ["{long}", "-m", "gwet-ac", "--gate", "kappa", "--fail-under", "0.2"]],
    "explain": [["{long}"], ["{one}"]],
    "advise": [["{long}"]],
    "items": [["{long}"]],
    "annotators": [["{long}"]],
    "labels": [["{long}"]],
    "ceiling": [["{long}"]],
    "judge": [["{long}", "-j", "c"]],
    "repeat": [["{runs}", "--run", "run"]],
    "compare": [["{long}", "--group", "a,b", "--group", "a,c"]],
    "consensus": [["{long}"], ["{long}", "--method", "one-coin"]],
    "sweep": [["{ranked}", "--separator", ";", "--ranked"]],
    "plan": [["{long}"]],
    "monitor": [["{long}"]],
    "measures": [[]],
}  # fmt: skip


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
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("data")
    texts = {"long": LONG, "runs": RUNS, "ranked": RANKED, "one": "item,a,b\n1,x,x\n2,x,x\n"}
    for name, text in texts.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return {name: str(folder / f"{name}.csv") for name in texts}


def test_every_command_that_prints_json_has_a_schema() -> None:
    commands = set(COMMANDS) - {"serve"}
    assert {path.name.partition(".")[0] for path in (ROOT / "docs" / "schemas").glob("*.json")} == commands
    assert set(OTHERS) == set(generator().RUNS) == commands
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    assert all(f"## assent {command}\n" in page for command in commands)


@pytest.mark.parametrize("command", OTHERS)
def test_outputs_are_what_the_schema_says(command: str, files: dict[str, str]) -> None:
    made = schema(command)
    Draft202012Validator.check_schema(made)
    validator = Draft202012Validator(made)
    for arguments in [generator().RUNS[command][-1], *OTHERS[command]]:
        printed = generator().printed(command, [one.format(**files) for one in arguments])
        wrong = [
            f"{'/'.join(map(str, one.absolute_path))}: {one.message[:200]}" for one in validator.iter_errors(printed)
        ]
        assert not wrong, (arguments, wrong[:5])


def test_a_schema_refuses_what_lacks_a_key() -> None:
    printed = generator().printed("measure", ["--example", "lecture"])
    del printed["measures"][0]["value"]
    assert not Draft202012Validator(schema("measure")).is_valid(printed)
