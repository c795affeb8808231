"""The fixture for pytest: gates are tests."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import assent

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]
SOURCE = str(Path(assent.__file__).parents[1])
GOOD = "item,x,y\n" + "".join(f"{i},{'ab'[i % 2]},{'ab'[i % 2]}\n" for i in range(80)) + "80,a,b\n81,b,a\n"
FEW = "\n".join(GOOD.splitlines()[:7]) + "\n7,a,b\n"
TESTS = """
def test_good(assent):
    found = assent.measure("good.csv", "cohen-kappa", fail_under=0.7)
    assert 0.9 < found.value < 1

def test_bad(assent):
    assent.measure("good.csv", "cohen-kappa", fail_under=0.99)

def test_few(assent):
    assent.measure("few.csv", gate=["kappa"], fail_under=0.7)

def test_before_and_after(assent):
    assent.compare("good.csv", "good.csv", gate=["no-worse"], margin=0.2)

def test_judge_below(assent):
    assent.judge("good.csv", judge="y", fail_under=1)

def test_no_gate(assent):
    assert assent.items("good.csv") is not None
    assert assent.Annotations.__name__ == "Annotations"

def test_broken(assent):
    assent.measure("nowhere.csv", fail_under=0.7)
"""


@pytest.fixture
def folder(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTHONPATH", SOURCE)
    # An installed assent brings the plugin by itself, and a plugin must not be there twice.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (pytester.path / "good.csv").write_text(GOOD)
    (pytester.path / "few.csv").write_text(FEW)
    pytester.makepyfile(TESTS)
    return pytester


def run(folder: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    # In a process of its own, so that neither this project's fixtures nor its settings are there.
    return folder.runpytest_subprocess("-p", "assent.pytest_plugin", "-p", "no:cacheprovider", *arguments)


def test_what_gates_do_not_let_through_fails(folder: pytest.Pytester) -> None:
    done = run(folder, "--junitxml=junit.xml")
    done.assert_outcomes(passed=3, failed=4)
    done.stdout.fnmatch_lines_random(
        ["*Cohen's kappa is 0.951, below the target of 0.99.", "Not enough data to tell:", "assent: *nowhere.csv*"]
    )
    assert 'name="assent.no-worse" value="pass: The difference of' in (folder.path / "junit.xml").read_text()


@pytest.mark.parametrize(
    ("what", "counts"), [("skip", {"passed": 3, "failed": 2, "skipped": 2}), ("pass", {"passed": 5, "failed": 2})]
)
def test_what_cannot_be_told_can_be_skipped_or_passed(
    folder: pytest.Pytester, what: str, counts: dict[str, int]
) -> None:
    run(folder, f"--assent-unclear={what}").assert_outcomes(**counts)


def test_a_name_that_assent_does_not_have(folder: pytest.Pytester) -> None:
    folder.makepyfile(test_other="def test_typo(assent):\n    assent.mesure('good.csv')\n")
    done = run(folder, "test_other.py")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*AttributeError: assent has no 'mesure'*"])


def test_the_package_names_the_plugin() -> None:
    points = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["pytest11"]
    assert points == {"assent": "assent.pytest_plugin"}


def test_loading_the_plugin_loads_nothing_else() -> None:
    code = "import sys, assent.pytest_plugin; print([m for m in sys.modules if m.startswith(('numpy', 'polars', 'assent.'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=SOURCE)
    assert done.stdout.strip() == "['assent._version', 'assent.pytest_plugin']"
