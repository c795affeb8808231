"""The section of a report where the data say which annotators are models."""

from __future__ import annotations

import json
import re
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


def test_judges_that_are_named_stand_beside_the_people_of_whom_the_report_is() -> None:
    data = annotations(team(1, items=60, people=3, judges=2, gaps=0.0), judges=2)
    people = data.without_annotators(["j1", "j2"])
    report = assent.report(data, judge=["j1", "j2"])
    found, alone = report.to_dict(), assent.report(people).to_dict()
    assert found["data"]["annotators"] == alone["data"]["annotators"] == 3
    assert found["coefficients"] == alone["coefficients"]
    wanted = assent.judge(data, judge=["j1", "j2"], replicates=500).to_dict()["judges"]
    assert [one["team"] for one in found["judges"]["judges"]] == [one["team"] for one in wanted]
    assert {"judge-closeness", "judge-stability"} <= set(report.figures())


def test_names_of_judges_are_hidden_with_all_others() -> None:
    data = annotations(team(1, items=60, people=3, gaps=0.0))
    report = assent.report(data, judge="j1", anonymise=True)
    (one,) = report.to_dict()["judges"]["judges"]
    assert one["judge"].startswith("A")
    assert "j1" not in report.html()
    assert "h1" not in report.markdown()


def test_what_cannot_be_a_judge_of_a_report_is_refused() -> None:
    data = annotations(team(1, items=30, people=2, gaps=0.0))
    with pytest.raises(assent.OptionError, match='"j2", who is no annotator'):
        assent.report(data, judge="j2")
    with pytest.raises(assent.OptionError, match="fewer than two"):
        assent.report(data, judge=["h1", "j1"])
    rankings = assent.Rankings.from_matrix([[1, 2, 1], [2, 1, 2], [3, 3, 3]])
    with pytest.raises(assent.OptionError, match="judges of labels"):
        assent.report(rankings, judge="1")


def test_judges_of_a_report_are_held_against_the_baseline(tmp_path: Path) -> None:
    data = annotations(team(1, items=60, people=3, gaps=0.0))
    judged, report, measured = (tmp_path / name for name in ("judge.json", "report.json", "measure.json"))
    judged.write_text(assent.judge(data, judge="j1").json())
    report.write_text(assent.report(data, judge="j1").json())
    people = data.without_annotators(["j1"])
    measured.write_text(assent.measure(people, "krippendorff-alpha").json())
    wanted = [(judged, False, True), (report, True, True), (measured, True, False)]
    for path, of_people, of_judge in wanted:
        found = assent.report(data, judge="j1", baseline=path).to_dict()
        assert (found["baseline"] is not None) == of_people
        assert [one["measure"] for one in found["judges"]["baseline"]] == ["judge-kappa j1"] * of_judge
        if of_judge:
            (one,) = found["judges"]["baseline"]
            assert one["difference"] == 0.0
            assert one["ci"]["low"] < 0.0 < one["ci"]["high"]
    assert "; the baseline was" in assent.report(data, judge="j1", baseline=judged).markdown()
    with pytest.raises(assent.InputError, match="measure the same coefficient"):
        assent.report(people, baseline=judged)
    assert not assent.report(data, judge="j1", baseline=report, anonymise=True).to_dict()["judges"]["baseline"]


def test_no_two_tables_of_several_judges_have_one_name() -> None:
    data = annotations(team(1, items=60, people=3, judges=3, gaps=0.0), judges=3)
    names = ["j1", "j2", "j3"]
    for page in (assent.judge(data, judge=names, replicates=10).html(), assent.report(data, judge=names).html()):
        found = re.findall(r' id="([^"]*)"', page)
        assert len(found) == len(set(found))
