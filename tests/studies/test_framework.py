"""Every study there is: it is listed, runs, says what it found in every form, and gives the same digits again."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import sys
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import altair as alt
import pytest
from tests.cli.conftest import Files, Program
from tests.public.test_imports import heavy, modules_after

import studies
from assent.documents import charts
from assent.errors import InputError, OptionError
from assent.references import REFERENCES
from studies import STUDIES, Study, StudyFinding, StudyResult, StudyTable, find_study, part, settings

#: Studies whose numbers are all in tables.
WITHOUT_FIGURES = {"honest", "repeats", "spans"}
HOSTILE = "=1+1\x1b[31m|<script>alert(1)</script>\n"


@pytest.fixture(scope="module")
def quick_runs() -> dict[str, tuple[StudyResult, list[float]]]:
    return {}


@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.nightly) for name in STUDIES])
def ran(request: pytest.FixtureRequest, quick_runs: dict[str, Any]) -> tuple[str, StudyResult, list[float]]:
    """A quick run of every study, made once."""
    name = request.param
    if name not in quick_runs:
        done: list[float] = []
        result = find_study(name).run(quick=True, progress=lambda share, what: done.append(share))
        quick_runs[name] = (result, done)
    return (name, *quick_runs[name])


def test_every_study_in_the_folder_is_listed() -> None:
    found = {
        name
        for _, name, _ in pkgutil.iter_modules(studies.__path__)
        if hasattr(importlib.import_module(f"studies.{name}"), "run")
    }
    assert found == set(STUDIES)


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_has_the_signature_of_one(name: str) -> None:
    study = STUDIES[name]
    assert study.name == name
    assert study.title
    assert not study.reference or study.reference in REFERENCES
    parameters = inspect.signature(importlib.import_module(study.module).run).parameters
    assert all(one.kind is inspect.Parameter.KEYWORD_ONLY for one in parameters.values())
    assert {key: parameters[key].default for key in ("seed", "quick", "progress")} == {
        "seed": 1,
        "quick": False,
        "progress": None,
    }


def test_nothing_heavy_is_imported_before_a_study_runs() -> None:
    assert not heavy(modules_after("import studies; studies.STUDIES['spa2022'].title"))
    modules = modules_after("import studies.__main__")
    assert not heavy(modules) & {"numpy", "scipy", "polars", "narwhals"}
    assert not {"altair", "jinja2"} & {module.split(".")[0] for module in modules}


def test_a_quick_run_says_what_it_found(ran: tuple[str, StudyResult, list[float]]) -> None:
    name, result, _ = ran
    assert result.name == name
    assert result.sentences
    assert result.findings or result.tables
    assert {"seed", "quick", "versions"} <= set(result.settings)
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["study"] == name
    # Lines of prose are wrapped, so compare words.
    text, markdown = " ".join(result.text().split()), result.markdown()
    for finding in result.findings:
        assert isinstance(finding.holds, bool | None)
        assert finding.why
        assert " ".join(finding.statement.split()) in text
    assert result.title in text
    assert markdown.startswith("# ")
    assert "\x1b" not in text + markdown


def test_every_figure_of_a_study_renders(ran: tuple[str, StudyResult, list[float]]) -> None:
    name, result, _ = ran
    assert bool(result.charts) == (name not in WITHOUT_FIGURES)
    for chart in result.charts.values():
        picture = charts.svg(chart)
        assert picture.startswith("<svg")
        assert "NaN" not in picture


def test_progress_goes_up_to_the_end(ran: tuple[str, StudyResult, list[float]]) -> None:
    *_, done = ran
    assert done == sorted(done)
    assert 0 <= done[0] < 1
    assert 0.9 < done[-1] <= 1 + 1e-9
    assert len(set(done)) > 3


def test_the_same_seed_gives_the_same_digits(ran: tuple[str, StudyResult, list[float]]) -> None:
    name, result, _ = ran
    assert find_study(name).run(quick=True).to_dict() == result.to_dict()


def tiny(**changes: Any) -> StudyResult:
    content: dict[str, Any] = {
        "name": "tiny",
        "title": "A tiny study",
        "sentences": ["It found * this."],
        "findings": [
            StudyFinding(statement="Water is wet.", paper="Yes.", ours="Yes.", holds=True, why="Touched it."),
            StudyFinding(statement="Fire is cold.", paper="Yes.", ours="No.", holds=False, why="Touched it."),
            StudyFinding(statement="Air is blue.", paper="Yes.", ours="Perhaps.", holds=None, why="Looked."),
        ],
        "tables": [
            StudyTable(
                name="numbers",
                caption="Some numbers.",
                columns={"name": ["a", HOSTILE], "value": [0.123456, float("nan")], "count": [1234, None]},
                decimals=2,
            ),
            StudyTable(name="points", caption="Many points.", columns={"x": [1, 2, 3]}, printed=False),
        ],
        "charts": {"dots": alt.Chart(alt.InlineData(values=[{"x": 1, "y": 2}])).mark_point().encode(x="x:Q", y="y:Q")},
        "settings": settings(seed=1, quick=True),
    }
    return StudyResult(**{**content, **changes})


def test_text_for_a_terminal() -> None:
    text = tiny().text()
    assert "✓ Water is wet. (holds)" in text
    assert "✗ Fire is cold. (does not hold)" in text
    assert "? Air is blue. (not decided)" in text
    assert "\x1b" not in text
    row = next(line for line in text.splitlines() if line.startswith("a "))
    assert row.split() == ["a", "0.12", "1,234"]
    # A number that is undefined and one that is missing are dashes, and the points of a curve are not printed.
    assert text.count("—") == 2
    assert "Many points" not in text


def test_markdown() -> None:
    text = tiny().markdown(pictures="png")
    assert "It found \\* this." in text
    assert "![dots](dots.png)" in text
    assert "<script>" not in text
    assert "\x1b" not in text
    assert "| a | 0.12 | 1,234 |" in text
    assert "![" not in tiny().markdown()


def test_saving_writes_everything(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    written = tiny().save(folder, format="png")
    assert {path.name for path in written} == {"report.md", "numbers.csv", "points.csv", "dots.png"}
    assert all(path.stat().st_size > 0 for path in written)
    assert sorted(path.name for path in folder.iterdir()) == sorted(path.name for path in written)
    assert (folder / "dots.png").read_bytes().startswith(b"\x89PNG")
    # All digits, nothing for what is undefined, and no formula for a spreadsheet.
    table = (folder / "numbers.csv").read_text(encoding="utf-8")
    assert table.startswith("name,value,count\na,0.123456,1234\n\"'=1+1")


@pytest.mark.parametrize("folder", ["taken", "taken/under"])
def test_a_folder_that_cannot_be_made(folder: str, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("here")
    with pytest.raises(InputError, match="cannot be made"):
        tiny().save(tmp_path / folder)
    assert (tmp_path / "taken").read_text() == "here"


def test_an_unknown_format_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="gif"):
        tiny().save(tmp_path / "out", format="gif")
    assert not (tmp_path / "out").exists()


def test_a_table_by_name() -> None:
    assert tiny().table("points").columns == {"x": [1, 2, 3]}
    with pytest.raises(OptionError, match="did you mean points"):
        tiny().table("point")


@pytest.mark.parametrize("name", ["../up", "Upper", "", "a b", "a/b"])
def test_names_that_could_not_be_files_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be the name"):
        StudyTable(name=name, caption="", columns={})
    with pytest.raises(ValueError, match="cannot be the name"):
        tiny(charts={name: alt.Chart()})


def test_columns_are_of_one_length() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        StudyTable(name="a", caption="", columns={"x": [1], "y": [1, 2]})


def test_part_of_a_progress() -> None:
    seen: list[float] = []
    inner = part(lambda done, what: seen.append(done), 0.25, 0.75)
    for done in (0.0, 0.5, 1.0):
        inner(done, "")
    assert seen == [0.25, 0.5, 0.75]
    part(None, 0, 1)(0.5, "nobody listens")


def test_options_of_a_study_are_checked() -> None:
    study = STUDIES["spa2022"]
    assert study.options == ("data",)
    with pytest.raises(OptionError, match='takes no option "date": it takes seed, quick, progress, data'):
        study.run(date=1)
    for seed in (-1, True, 1.5):
        with pytest.raises(OptionError, match="not negative"):
            study.run(seed=seed)


def test_a_name_that_is_nearly_right() -> None:
    with pytest.raises(OptionError, match='did you mean "spa2022"'):
        find_study("spa-2022")


@pytest.fixture
def tiny_study(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """A study that takes no time; what it was called with."""
    calls: list[dict[str, Any]] = []
    module = ModuleType("studies.tiny")

    def run(*, seed: int = 1, quick: bool = False, progress: Any = None) -> StudyResult:
        calls.append({"seed": seed, "quick": quick})
        progress(0.5, "[bold]half[/bold]")
        return tiny()

    module.run = run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(studies, "STUDIES", MappingProxyType({**STUDIES, "tiny": Study("tiny", "Tiny things.")}))
    return calls


def test_the_command_lists_the_studies(study: Program, tiny_study: Any) -> None:
    done = study()
    assert done.code == 0
    assert all(name in done.out for name in (*STUDIES, "tiny"))
    assert "Derczynski" in done.out
    listed = {one["study"]: one["reference"] for one in study("--json").json["studies"]}
    assert listed["tiny"] is None
    assert "2022" in listed["spa2022"]


def test_the_command_prints_text(study: Program, tiny_study: Any) -> None:
    done = study("tiny", "--seed", "7", "--quick")
    assert done.code == 0
    assert tiny_study == [{"seed": 7, "quick": True}]
    assert done.out == tiny().text()
    assert done.err == ""


def test_the_command_prints_json(study: Program, tiny_study: Any) -> None:
    content = study("tiny", "--json").json
    assert content == {**json.loads(json.dumps(tiny().to_dict())), "files": []}


def test_the_command_writes_a_folder(study: Program, tiny_study: Any, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    done = study("tiny", "-o", str(folder), "--format", "pdf")
    assert done.code == 0
    assert "Wrote 4 files" in done.err
    assert (folder / "dots.pdf").read_bytes().startswith(b"%PDF")
    files = study("tiny", "-o", str(folder), "--json").json["files"]
    assert {Path(one).name for one in files} == {"report.md", "numbers.csv", "points.csv", "dots.svg"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["spa202"], 'There is no study "spa202": did you mean "spa2022"?'),
        (["zzz\x1b[31m"], 'There is no study "zzz\\x1b[31m": choose one of'),
        (["tiny", "--data", "x.csv"], "The study tiny takes no data of yours: leave out --data."),
        (["tiny", "--format", "png"], "name it with -o DIR"),
        (["tiny", "--format", "gif", "-o", "out"], 'is "gif", which is not one of svg, png, pdf'),
        (["tiny", "--seed", "-1"], "not negative"),
        (["tiny", "--seed", "x"], "python -m studies --help"),
        (["-o", "out"], "Say which study to run: spa2022"),
    ],
)
def test_what_the_command_refuses(
    study: Program,
    tiny_study: Any,
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = study(*arguments)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1
    assert "\x1b" not in done.err
    assert done.out == ""
    assert not list(tmp_path.iterdir())
    assert not tiny_study


def test_a_folder_that_cannot_be_made_is_said_before_the_study_runs(
    study: Program, tiny_study: Any, file: Files
) -> None:
    done = study("tiny", "-o", file("taken", "here"))
    assert done.code == 2
    assert "cannot be made: there is a file of this name." in done.err
    assert not tiny_study


def test_progress_is_shown_on_a_terminal_and_takes_no_markup(
    tiny_study: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from studies.__main__ import _bar

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with _bar("tiny") as progress:
        progress(0.5, "[bold]half[/bold]")
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "tiny: [bold]half[/bold]" in shown.err
    assert "50 %" in shown.err
