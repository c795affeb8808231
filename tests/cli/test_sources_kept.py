"""No command writes to a file that it reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import WIDE, Program
from tests.support import some

from assent.cli.options import keep_sources
from assent.documents.result import FORMATS
from assent.errors import InputError

READ = "the file with the labels: it would be overwritten."


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("consensus labels.csv -o labels.csv", f"--output is {{labels}}, {READ}"),
        ("consensus labels.csv -o ./folder/../labels.csv", READ),
        ("consensus lab*.csv -o labels.csv", READ),
        ("items labels.csv -o labels.csv", READ),
        ("annotators labels.csv -o link.csv", READ),
        ("sweep labels.csv --separator ; --ranked -o labels.csv", READ),
        ("explain labels.json -o labels.json", READ),
        ("measure labels.csv --summary labels.csv", f"--summary is {{labels}}, {READ}"),
        ("measure labels.csv --junit labels.csv", READ),
        ("compare labels.csv other.csv --gate no-worse --summary other.csv", READ),
        ("monitor labels.csv --html labels.csv", READ),
        ("consensus labels.csv --gold gold.csv -o gold.csv", "the file of --gold: it would be overwritten."),
        ("measure labels.csv -m alpha --baseline last.json --summary last.json", "the file of --baseline: it would"),
        ("consensus folder -o folder/part.csv", READ),
    ],
)
def test_what_is_read_is_not_written_to(
    assent: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    files = {"labels.csv": WIDE, "other.csv": WIDE, "gold.csv": "item,label\n1,x\n", "last.json": json.dumps({}), "labels.json": "[]", "folder/part.csv": WIDE}  # fmt: skip
    for name, content in files.items():
        Path(name).write_text(content, encoding="utf-8")
    Path("link.csv").symlink_to("labels.csv")
    done = assent(*command.split())
    assert (done.code, done.out) == (2, "")
    assert said.format(labels='"labels.csv"') in done.err
    assert {name: Path(name).read_text(encoding="utf-8") for name in files} == files


def test_another_file_beside_them_is_written(assent: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("labels.csv").write_text(WIDE, encoding="utf-8")
    assert assent("consensus", "labels.csv", "-o", "labels-2.csv").code == 0
    assert assent("consensus", "labels.csv", "-o", "labels-2.csv").code == 0
    assert assent("measure", "labels.csv", "--summary", "-").code == 0


def test_a_report_is_written_again_into_the_folder_it_is_about(assent: Program, tmp_path: Path) -> None:
    for who, label in (("ann", "PER"), ("ben", "LOC")):
        (tmp_path / "project" / who).mkdir(parents=True)
        (tmp_path / "project" / who / "one.txt").write_text("Ada met Bob in Rome.", encoding="utf-8")
        (tmp_path / "project" / who / "one.ann").write_text(f"T1\t{label} 0 3\tAda\n", encoding="utf-8")
    page = tmp_path / "project" / "report.html"
    first, again = (assent("report", str(tmp_path / "project"), "-o", str(page)) for _ in range(2))
    assert (first.code, again.code) == (0, 0), again.err
    assert first.out == again.out


def test_every_kind_of_document_is_written_again_but_what_may_be_labels(tmp_path: Path) -> None:
    for ending, kind in some(FORMATS.items()):
        page = tmp_path / f"report{ending}"
        page.touch()
        options = {"files": [str(tmp_path)], "output": str(page)}
        if kind in ("json", "text"):
            with pytest.raises(InputError, match="it would be overwritten"):
                keep_sources(options)
        else:
            keep_sources(options)
