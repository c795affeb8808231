"""Every command of the page on CI runs and ends with the exit code that the page gives; its tests run, too."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import Program, assent  # noqa: F401 (a fixture)
from tests.judging.test_action import parsed
from tests.support import some

import assent as library
from assent.cli.app import COMMANDS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, flags=re.S | re.M)

pytest_plugins = ["pytester"]


COMMANDS_OF_PAGE = [line for kind, text in BLOCKS if kind == "console" for line in text.splitlines() if line.strip()]


def test_the_page_has_commands_of_every_outcome() -> None:
    assert len(COMMANDS_OF_PAGE) >= 10
    assert {line.rpartition("#")[2].strip() for line in COMMANDS_OF_PAGE} == {"0", "1", "3"}


def test_commands_end_as_the_page_says_and_write_the_files_it_names(
    tmp_path: Path,
    assent: Program,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the order of the page: later commands read what earlier ones wrote."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for line in some(COMMANDS_OF_PAGE):
        command, _, code = line.rpartition("#")
        command, _, target = command.partition(">")
        prompt, program, *arguments = shlex.split(command)
        assert (prompt, program) == ("$", "assent")
        assert arguments[0] in COMMANDS
        done = assent(*arguments)
        assert done.code == int(code), (line, done.err)
        if target.strip():
            (tmp_path / target.strip()).write_text(done.out, encoding="utf-8")
    assert (tmp_path / "summary.md").read_text().startswith("# Comparison: pass\n")
    assert "<testsuite " in (tmp_path / "junit.xml").read_text()


def test_the_tests_of_the_page_pass(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(library.__file__).parents[1]))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    shutil.copytree(ROOT / "examples", pytester.path / "examples")
    (code,) = [text for kind, text in BLOCKS if kind == "python"]
    pytester.makepyfile(code)
    pytester.runpytest_subprocess("-p", "assent.pytest_plugin", "-p", "no:cacheprovider").assert_outcomes(passed=2)


def test_the_workflow_of_the_page_gives_inputs_that_the_action_has() -> None:
    (text,) = [text for kind, text in BLOCKS if kind == "yaml"]
    step = parsed(text)["jobs"]["judge"]["steps"][-1]
    inputs = parsed((ROOT / "action.yml").read_text())["inputs"]
    assert set(step["with"]) <= set(inputs)
    assert {name for name, one in inputs.items() if one.get("required")} <= set(step["with"])
    assert all(line.startswith("--") for line in step["with"]["arguments"].splitlines())
