"""The section of a report where the data say which annotators are models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.judging.cases import annotations, team

import assent


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    table = team(1, items=60, people=3, judges=2, gaps=0.0)
    names = ["ann", "bob", "cleo", "gpt", "claude"]
    sides = {name: {f"i{i}": row[place] for i, row in enumerate(table)} for place, name in enumerate(names)}
    for name, some in (("humans.json", names[:3]), ("models.json", names[3:])):
        (tmp_path / name).write_text(json.dumps({one: sides[one] for one in some}))
    return [str(tmp_path / name) for name in ("humans.json", "models.json")]


def test_models_of_an_export_stand_beside_people(files: list[str]) -> None:
    data = assent.read(*files, with_models=True)
    report = assent.report(data)
    found = report.to_dict()["judges"]
    assert [one["judge"] for one in found["judges"]] == ["claude", "gpt"]
    alone = assent.judge(data).to_dict()
    assert [one["team"] for one in found["judges"]] == [one["team"] for one in alone["judges"]]
    page = report.markdown()
    assert "Models beside people" in page
    assert "alternative annotator test" in page
    assert report.json()


def test_without_models_there_is_no_section(files: list[str]) -> None:
    assert assent.report(assent.read(files[0])).to_dict()["judges"] is None
    assert assent.report(annotations(team(1))).to_dict()["judges"] is None
