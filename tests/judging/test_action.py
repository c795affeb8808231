"""The GitHub Action: its inputs are what its steps take, and its step is run as a runner would run it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import assent

ROOT = Path(__file__).parents[2]
ACTION = ROOT / "action.yml"
BASH = shutil.which("bash")
GOOD = "item,x,y\n" + "".join(f"{i},{'ab'[i % 2]},{'ab'[i % 2]}\n" for i in range(80)) + "80,a,b\n81,b,a\n"


def parsed(text: str) -> Any:
    """Read the part of YAML that an action needs: nested mappings, lists of mappings, texts, and blocks of lines."""
    lines = [(len(line) - len(line.lstrip()), line.strip()) for line in text.splitlines()]
    at = 0

    def scalar(said: str) -> Any:
        assert not said.startswith(("{", "[", "&", "*", "!", ">", "%", "@", "`", "'")), said
        assert said.startswith('"') or (": " not in said and " #" not in said), said
        return said.strip('"') if said.startswith('"') else {"true": True, "false": False}.get(said, said)

    def block(indent: int) -> Any:
        nonlocal at
        made: Any = None
        while at < len(lines):
            depth, line = lines[at]
            if not line or line.startswith("#"):
                at += 1
                continue
            if depth < indent:
                break
            assert depth == indent, line
            if line.startswith("- "):
                made = [] if made is None else made
                lines[at] = (indent + 2, line[2:])
                made.append(block(indent + 2))
                continue
            made = {} if made is None else made
            key, _, said = line.partition(":")
            assert re.fullmatch(r"[A-Za-z_-]+", key), line
            assert key not in made, line
            at += 1
            if said.strip() == "|":
                held = []
                while at < len(lines) and (not lines[at][1] or lines[at][0] > indent):
                    held.append(text.splitlines()[at])
                    at += 1
                least = min(len(one) - len(one.lstrip()) for one in held if one.strip())
                made[key] = "\n".join(one[least:] for one in held) + "\n"
            elif said.strip():
                made[key] = scalar(said.strip())
            else:
                made[key] = block(lines[at][0])
        return made

    return block(0)


@pytest.fixture(scope="module")
def action() -> dict[str, Any]:
    made: dict[str, Any] = parsed(ACTION.read_text(encoding="utf-8"))
    return made


def test_inputs_and_outputs_are_those_of_the_steps(action: dict[str, Any]) -> None:
    assert action["runs"]["using"] == "composite"
    install, gate = action["runs"]["steps"]
    assert all(step["shell"] == "bash" for step in (install, gate))
    used = set(re.findall(r"\${{ inputs\.([\w-]+) }}", ACTION.read_text()))
    assert used == set(action["inputs"])
    assert all("description" in one and ("default" in one or one["required"]) for one in action["inputs"].values())
    for name, one in action["outputs"].items():
        assert one["value"] == f"${{{{ steps.{gate['id']}.outputs.{name} }}}}"
        assert f"{name}=" in gate["run"]
    # What a user writes is never pasted into a script.
    assert not re.search(r"\${{", install["run"] + gate["run"])
    for step in (install, gate):
        assert set(re.findall(r"\$\{?(ASSENT_\w+)", step["run"])) == set(step["env"])


class Runner:
    """Runs the step as GitHub's runner does: `bash --noprofile --norc -eo pipefail` with files for output and summary."""

    def __init__(self, action: dict[str, Any], folder: Path) -> None:
        self.action, self.folder = action, folder
        program = folder / "bin" / "assent"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m assent "$@"\n')
        program.chmod(0o755)
        self.output, self.summary = folder / "output", folder / "summary"

    def run(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        step = self.action["runs"]["steps"][1]
        given = {name: inputs.get(name, str(one.get("default", ""))) for name, one in self.action["inputs"].items()}
        environment = {
            name: re.sub(r"\${{ inputs\.(\w+) }}", lambda found: given[found[1]], value)
            for name, value in step["env"].items()
        }
        for file in (self.output, self.summary):
            file.write_text("")
        script = self.folder / "step.sh"
        script.write_text(step["run"])
        assert BASH is not None
        return subprocess.run(
            [BASH, "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            env={
                **os.environ,
                **environment,
                "PATH": f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
                "PYTHONPATH": str(Path(assent.__file__).parents[1]),
                "GITHUB_OUTPUT": str(self.output),
                "GITHUB_STEP_SUMMARY": str(self.summary),
                "RUNNER_TEMP": str(self.folder),
            },
        )

    @property
    def outputs(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in self.output.read_text().splitlines())


@pytest.fixture
def runner(action: dict[str, Any], tmp_path: Path) -> Runner:
    if BASH is None:
        pytest.skip("there is no bash")
    return Runner(action, tmp_path)


def test_a_gate_passes_fails_or_cannot_tell(runner: Runner) -> None:
    labels = runner.folder / "my labels.csv"
    labels.write_text(GOOD)
    done = runner.run(files=labels.name, arguments="--gate=kappa\n--fail-under=0.7", junit="junit.xml")
    assert (done.returncode, runner.outputs["outcome"]) == (0, "pass"), done.stderr
    assert runner.summary.read_text().startswith("# Agreement: pass\n")
    assert ElementTree.parse(runner.folder / "junit.xml").getroot().tag == "testsuites"
    done = runner.run(files=labels.name, arguments="--gate\nkappa\n--fail-under\n0.999")
    assert (done.returncode, runner.outputs["outcome"], runner.outputs["exit-code"]) == (1, "fail", "1")
    labels.write_text("\n".join(GOOD.splitlines()[:7]) + "\n7,a,b\n")
    done = runner.run(files=labels.name, arguments="--gate=kappa\n--fail-under=0.7")
    assert (done.returncode, runner.outputs["outcome"]) == (3, "unclear")
    done = runner.run(files=labels.name, arguments="--gate=kappa\n--fail-under=0.7", unclear="pass")
    assert (done.returncode, runner.outputs["outcome"]) == (0, "unclear")
    assert "::warning::" in done.stdout


def test_bad_input_is_an_error(runner: Runner) -> None:
    done = runner.run(files="nowhere.csv", unclear="pass")
    assert (done.returncode, runner.outputs["outcome"]) == (2, "error")
    assert "nowhere.csv" in done.stderr
    assert runner.summary.read_text() == runner.outputs["summary"] == ""


def test_no_text_of_an_input_is_run(runner: Runner) -> None:
    evil = '$(touch run1) `touch run2` ; touch run3; "&& touch run4'
    done = runner.run(files=evil, command="measure", arguments=f"--item={evil}", junit=evil)
    assert done.returncode == 2
    assert not list(runner.folder.glob("run*"))
