"""The wheel that people install: what is in it, what it says of itself, and that it runs outside the repository."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Sequence
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

from assent._version import __version__

HOME = Path(__file__).parents[2]
PROJECT = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SOURCE = HOME / "src" / "assent"
#: Modules by the package that brings them, where these differ.
BROUGHT_BY = {"vl_convert": "vl-convert-python", "cassis": "dkpro-cassis", "markupsafe": "jinja2", "IPython": "ipython"}
#: What runs without: charts and XLSX files.
LEAN = {"vl-convert-python", "fastexcel"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(HOME)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def metadata(unpacked: Path) -> Message:
    (found,) = unpacked.glob("*.dist-info/METADATA")
    return Parser().parsestr(found.read_text(encoding="utf-8"))


def run(unpacked: Path, where: Path, *arguments: str, also: Sequence[Path] = ()) -> subprocess.CompletedProcess[str]:
    """Run the program of the wheel from a folder that is not the repository."""
    path = os.pathsep.join(map(str, [*also, unpacked]))
    environment = os.environ | {"PYTHONPATH": path, "PYTHONUTF8": "1"}
    return subprocess.run(
        [sys.executable, "-m", "assent", *arguments],
        cwd=where, env=environment, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip


def test_the_wheel_holds_the_package_and_nothing_else(unpacked: Path) -> None:
    there = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    wanted = {
        path.relative_to(SOURCE.parent).as_posix()
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in there if ".dist-info/" not in name} == wanted
    assert {"assent/py.typed", "assent/documents/templates/style.css"} <= there


@pytest.mark.nightly
def test_the_source_distribution_holds_what_its_tests_read(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(tmp_path), str(HOME)]
    subprocess.run(command, capture_output=True, check=True)
    (found,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(found) as archive:
        there = {name.partition("/")[2] for name in archive.getnames()}
    for folder in (".github", "benchmarks", "docs", "examples", "studies", "tests"):
        assert any(name.startswith(f"{folder}/") for name in there), folder
    files = {path.name for path in HOME.iterdir() if path.is_file()} - {".git"}
    assert {
        name for name in files if name.endswith((".md", ".toml", ".yml", ".yaml", ".cff")) or "." not in name
    } <= there


def test_what_the_wheel_says_of_itself(unpacked: Path, wheel: Path) -> None:
    said = metadata(unpacked)
    assert (said["Name"], said["Version"], said["Requires-Python"]) == ("assent", __version__, ">=3.11")
    assert (said["License-Expression"], said["License-File"]) == ("Apache-2.0", "LICENSE")
    needed = [one for one in said.get_all("Requires-Dist", []) if "extra ==" not in one]
    assert len(needed) == len(PROJECT["dependencies"])
    assert set(said.get_all("Provides-Extra", [])) == set(PROJECT["optional-dependencies"])
    assert str(said.get_payload()).startswith("# assent")
    (entries,) = unpacked.glob("*.dist-info/entry_points.txt")
    assert "assent = assent.cli:main" in entries.read_text(encoding="utf-8")
    assert wheel.name.endswith("-py3-none-any.whl")


def test_the_wheel_runs_outside_the_repository(unpacked: Path, tmp_path: Path) -> None:
    assert run(unpacked, tmp_path, "-V").stdout == f"assent {__version__}\n"
    done = run(unpacked, tmp_path, "report", "--example", "lecture")
    assert (done.returncode, done.stderr.splitlines()[:-1]) == (0, ['Wrote "lecture-report.html".'])
    assert "<svg" in (tmp_path / "lecture-report.html").read_text(encoding="utf-8")


WITHOUT = """
import sys
from importlib.machinery import PathFinder

class Without:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return None if name.partition(".")[0] in {blocked} else PathFinder.find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = Without
"""


@pytest.fixture
def lean(tmp_path: Path) -> Path:
    """A folder that makes Python start without the packages that draw and read XLSX."""
    folder = tmp_path / "without"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        WITHOUT.format(blocked={"altair", "vl_convert", "fastexcel", "jsonschema"})
    )
    return folder


@pytest.mark.nightly
def test_everything_but_charts_runs_without_the_packages_that_draw(unpacked: Path, lean: Path, tmp_path: Path) -> None:
    done = run(unpacked, tmp_path, "report", "--example", "lecture", also=[lean])
    assert (done.returncode, done.stderr.splitlines()[:-1]) == (0, ['Wrote "lecture-report.html".'])
    page = (tmp_path / "lecture-report.html").read_text(encoding="utf-8")
    assert "<svg" not in page
    assert "Charts are left out: a chart needs the package vl-convert-python: install it" in page
    drawn = run(unpacked, tmp_path, "report", "--example", "lecture", "--figures", "pictures", also=[lean])
    assert drawn.returncode == 2
    assert drawn.stderr.startswith("assent: A chart needs the package vl-convert-python: install it")
    assert not (tmp_path / "pictures").exists()
    swept = ["sweep", "--example", "multi-label", "--chart", "sweep.svg", "-o", "classes.csv"]
    refused = run(unpacked, tmp_path, *swept, also=[lean])
    assert (refused.returncode, "A chart needs the package" in refused.stderr) == (2, True)


def imported() -> set[str]:
    """Return the packages that the source imports, wherever it does."""
    found: set[str] = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return {BROUGHT_BY.get(name, name) for name in found - set(sys.stdlib_module_names) - {"assent"}}


def named(requirements: Sequence[str]) -> set[str]:
    return {one.partition(">")[0].partition("<")[0].strip() for one in requirements}


def test_what_is_imported_is_what_is_required() -> None:
    required = named(PROJECT["dependencies"])
    optional = {one for some in PROJECT["optional-dependencies"].values() for one in named(some)}
    found = imported()
    assert required <= found
    # Frames of these libraries are taken where the caller has them; pytest runs its plugin itself.
    assert found - required - optional <= {"pandas", "pyarrow", "ibis", "pytest", "ipython"}
