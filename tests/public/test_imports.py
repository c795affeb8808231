"""Nothing heavy at import. Modules are counted, not seconds: a busy machine is slow, a lean import stays lean."""

from __future__ import annotations

import subprocess
import sys

import pytest
import typer

HEAVY = {
    "numpy",
    "polars",
    "scipy",
    "narwhals",
    "pandas",
    "pyarrow",
    "duckdb",
    "pyspark",
    "ibis",
    "typer",
    "rich",
    "click",
}
#: `import assent` brings in some thirty modules of the standard library besides its own two.
MOST_FOR_IMPORT = 45
#: `assent --help` brings in typer and rich, which format it: some 320.
MOST_FOR_HELP = 400


def modules_after(code: str) -> set[str]:
    """The modules that are there when the code has run, and were not before."""
    script = (
        f"import sys\nbefore = set(sys.modules)\n{code}\nprint(*sorted(set(sys.modules) - before), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def heavy(modules: set[str]) -> set[str]:
    return {module.split(".")[0] for module in modules} & HEAVY


def test_importing_the_package_brings_in_next_to_nothing() -> None:
    modules = modules_after("import assent")
    assert not heavy(modules)
    assert {module for module in modules if module.startswith("assent")} == {"assent", "assent._version"}
    assert len(modules) <= MOST_FOR_IMPORT, sorted(modules)


def test_the_program_begins_with_hardly_anything_loaded() -> None:
    """Until it has begun Ctrl+C is Python's, which prints a traceback."""
    modules = modules_after("from assent.cli import main")
    assert {module for module in modules if module.startswith("assent")} == {"assent", "assent._version", "assent.cli"}
    assert not modules & {"typing", "re", "enum", "contextlib", "importlib.util"}
    assert len(modules) <= 10, sorted(modules)


@pytest.mark.parametrize("code", ["dir(assent)", "assent.__all__", "assent.__version__", "assent.InputError"])
def test_looking_around_brings_in_nothing_heavy_either(code: str) -> None:
    assert not heavy(modules_after(f"import assent; {code}"))


def test_a_name_brings_in_what_it_needs_and_no_more() -> None:
    """A coefficient needs numpy; it does not need polars until there is a table, nor scipy until an interval of few items asks for it."""
    modules = modules_after("import assent; assent.krippendorff_alpha")
    assert "numpy" in modules
    assert not heavy(modules) & (HEAVY - {"numpy", "narwhals"})


COMMAND = """
sys.argv = ["assent", {arguments}]
from assent.cli.app import run
try:
    run()
except SystemExit as end:
    assert not end.code
"""


@pytest.mark.parametrize("arguments", ['"--help"', '"items", "--help"', '"measures", "--help"', '"--version"'])
def test_help_brings_in_no_data_library(arguments: str) -> None:
    modules = modules_after(COMMAND.format(arguments=arguments))
    assert "typer" in modules
    assert heavy(modules) <= {"typer", "rich", "click"}
    assert len(modules) <= MOST_FOR_HELP, len(modules)


def test_the_version_brings_in_no_formatting() -> None:
    modules = modules_after(COMMAND.format(arguments='"--version"'))
    assert "typer" in modules
    assert "rich" not in heavy(modules)


def test_a_list_of_all_commands_says_of_each_what_its_help_says() -> None:
    from assent.cli.app import COMMANDS, program

    listed = typer.main.get_command(program("--help")).commands  # type: ignore[attr-defined]
    assert tuple(listed) == COMMANDS
    for name in COMMANDS:
        whole = typer.main.get_command(program(name)).commands[name]  # type: ignore[attr-defined]
        assert listed[name].help == whole.help
        assert listed[name].get_short_help_str(200) == whole.get_short_help_str(200) != ""


def test_reading_and_measuring_a_large_file_needs_no_scipy() -> None:
    """Beyond a thousand items the t quantile is an expansion: scipy takes longer to import than all the rest."""
    code = """
import assent, io
text = "item,a,b\\n" + "".join(f"{i},{'xy'[i % 2]},{'xy'[i % 3 % 2]}\\n" for i in range(1500))
assent.krippendorff_alpha(assent.read(io.BytesIO(text.encode()))).confidence_interval()
"""
    assert not heavy(modules_after(code)) & {"scipy", "pandas", "pyarrow", "typer", "rich"}
