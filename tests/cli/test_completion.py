"""What a shell completes, asked as the scripts of bash, zsh and fish ask it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from assent.analyses.consensus import all_methods
from assent.cli import completion
from assent.examples import EXAMPLES
from assent.measures.registry import all_measures
from assent.readers.exports.registry import readers
from assent.scales import WEIGHTS

#: What computes, and takes longer to import than a person waits for a word.
HEAVY = ("numpy", "scipy", "polars", "narwhals", "jinja2")
ASKED = f"""
import sys
from assent.cli.app import run
try:
    run()
finally:
    print(*(name for name in {HEAVY} if name in sys.modules), file=sys.stderr)
"""


def completed(line: str, where: Path | None = None) -> tuple[list[str], str]:
    """Return what bash is offered for the last word of a line, and which of the heavy modules that took."""
    environment = {"_ASSENT_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)}
    done = subprocess.run(
        [sys.executable, "-c", ASKED], env=os.environ | environment, cwd=where, capture_output=True, text=True, check=False
    )  # fmt: skip
    return done.stdout.split(), done.stderr.strip()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("assent mon", ["monitor"]),
        ("assent kap", ["kappa"]),
        ("assent measure --sc", ["--scale", "--scheme", "--score"]),
        ("assent measure --lay", ["--layout"]),
        ("assent measure --scale o", ["ordinal"]),
        ("assent measure -m cohen", ["cohen-kappa", "cohen"]),
        ("assent plan --measure fl", ["fleiss-kappa", "fleiss"]),
        ("assent kappa --scale r", ["ratio"]),
        ("assent report --ci", []),
        ("assent labels --ci ", ["etel", "analytic", "jackknife", "bootstrap", "none"]),
        ("assent look --layout ", ["long", "wide", "counts", "table", "spans"]),
        ("assent --example sto", ["story"]),
        ("assent report --example paradox1", ["paradox1", "paradox1-balanced"]),
        ("assent report --task s", ["standard", "subjective"]),
        ("assent explain --weights q", ["quadratic"]),
        ("assent consensus --method m", ["majority", "mace"]),
        ("assent consensus --smo", ["--smoothing"]),
        ("assent judge --gate n", ["noninferior", "no-worse"]),
        ("assent items --to d", ["doccano"]),
        ("assent look --format label", ["label-studio", "labelbox"]),
        ("assent annotators --distance token", ["token-jaccard"]),
        ("assent measure --fail-under ", []),
    ],
)
def test_values_are_completed_without_importing_what_computes(line: str, offered: list[str]) -> None:
    assert completed(line) == (offered, "")


def test_values_of_an_option_of_single_coefficients_are_completed() -> None:
    assert completed("assent measure --average p")[0] == ["plain", "pairs", "pooled"]


def test_what_the_help_shows_on_request_is_completed_from_a_letter_on() -> None:
    shown, _ = completed("assent measure --")
    assert "--scale" in shown
    assert "--layout" not in shown


def test_a_file_its_columns_and_its_annotators_are_completed(tmp_path: Path) -> None:
    table = 'item;annotator;label;a name\n1;ann;x;"\n1;bob;y;\n2;ann;x;\n'
    (tmp_path / "labels.csv").write_text(table.replace('"', ""), encoding="utf-8")
    assert completed("assent lab", tmp_path) == (["labels", "labels.csv"], "")
    assert completed("assent labels.csv --lab", tmp_path)[0] == ["--label", "--labels"]
    # A name with a space would be two words.
    assert completed("assent measure labels.csv --item ", tmp_path) == (["item", "annotator", "label"], "")
    assert completed("assent measure labels.csv --annotators item,l", tmp_path) == (["item,label"], "")
    assert completed("assent judge labels.csv --judge ", tmp_path) == (["ann", "bob"], "")
    (tmp_path / "wide.csv").write_bytes(b"item,ann,gpt\n1,\xff,x\n")
    assert completed("assent judge wide.csv --judge ", tmp_path) == ([], "")
    (tmp_path / "wide.csv").write_text("item,ann,gpt\n1,a,x\n", encoding="utf-8")
    assert completed("assent judge wide.csv --judge g", tmp_path) == (["gpt"], "")
    assert completed("assent judge missing.csv --judge g", tmp_path) == ([], "")


def test_names_of_any_alphabet_are_completed_each_once(tmp_path: Path) -> None:
    (tmp_path / "wide.csv").write_text("item;Anna;Björn;Χλόη;a;b$c\n1;x;x;x;x;x\n", encoding="utf-8")
    assert completed("assent judge wide.csv --judge Bj", tmp_path) == (["Björn"], "")
    assert completed("assent measure wide.csv --annotators Anna,", tmp_path)[0] == ["Anna,item", "Anna,Björn", "Anna,Χλόη", "Anna,a"]  # fmt: skip


def test_names_read_from_the_source_are_those_that_are_registered() -> None:
    source = completion.declared("measures", "measure")
    assert {name: found.aliases for name, found in source.items()} == {
        name: one.aliases for name, one in all_measures().items()
    }
    assert {name: found.options for name, found in source.items()} == {
        name: tuple(one.parameters) for name, one in all_measures().items()
    }
    names = {what: sorted(find()) for what, find in completion.NAMES.items()}
    assert names["method"] == sorted(all_methods())
    assert names["example"] == sorted(EXAMPLES)
    assert names["weights"] == sorted(WEIGHTS)
    assert {one.name for one in readers()} <= set(names["format"])


@pytest.mark.parametrize(("line", "code"), [("assent measure --scale o", 0), ("assent measure lab", 1)])
def test_fish_is_told_whether_files_are_to_be_completed(line: str, code: int) -> None:
    asked = {
        "_ASSENT_COMPLETE": "complete_fish", "_TYPER_COMPLETE_FISH_ACTION": "is-args", "_TYPER_COMPLETE_ARGS": line,
    }  # fmt: skip
    program = "from assent.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", program], env=os.environ | asked, capture_output=True, check=False)
    assert done.returncode == code


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_what_is_installed_is_said_by_the_name_of_the_shell(tmp_path: Path, shell: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "assent", "--install-completion", shell],
        env=os.environ | {"HOME": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.startswith(f"{shell} completion installed in {tmp_path}"), done.stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_itself_completes(tmp_path: Path) -> None:
    program = tmp_path / "assent"
    program.write_text(f"#!{sys.executable}\nfrom assent.cli import main\nmain()\n", encoding="utf-8")
    program.chmod(0o755)
    script = (
        'PATH="$PWD:$PATH"; eval "$(_ASSENT_COMPLETE=source_bash assent)"; COMP_WORDS=(assent measure --scale ""); COMP_CWORD=3; '
        'name=$(complete -p assent | grep -o "_assent[a-z_]*"); $name assent; echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "nominal ordinal interval ratio", done.stderr


@pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh")
def test_zsh_completes_from_the_first_tab_on(tmp_path: Path) -> None:
    # zsh reads the file when it is first asked: a file that only defined a function would complete nothing then.
    asked = """
        assent --install-completion
        compdef() { : }
        _arguments() { print -r -- "$@" }
        fpath=(~/.zfunc $fpath); autoload -Uz _assent
        words=(assent mon); CURRENT=2; _assent
        source ~/.zfunc/_assent
    """
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["zsh", "-f", "-c", asked], env=os.environ | {"HOME": str(tmp_path), "PATH": path}, capture_output=True, text=True
    )  # fmt: skip
    assert done.stdout.count("monitor") == 1, done.stderr
