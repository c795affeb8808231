"""The study of flags: small enough for a test, it finds what the full one finds."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.support import some

import assent
from assent import Annotations
from studies import STUDIES, StudyResult
from studies.annotators import DESIGNS, LIMIT, TROUBLES, draw, judge, team_of

pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def result() -> StudyResult:
    told: list[float] = []
    made = STUDIES["annotators"].run(seed=3, quick=True, progress=lambda done, what: told.append(done))
    assert told == sorted(told)
    assert 0 <= told[0] <= told[-1] <= 1
    return made


def test_honest_teams_have_few_false_alarms(result: StudyResult) -> None:
    table = result.table("honest-teams").columns
    # Of 125 teams no more than a method with 5 % of false alarms would flag once in a thousand times.
    assert sum(round(a * b) for a, b in zip(table["teams"], table["teams with a false alarm"], strict=True)) <= 15
    assert min(table["interval holds"]) > 0.88


def test_the_bad_ones_are_found_and_the_limit_is_shown(result: StudyResult) -> None:
    table = result.table("one-bad-annotator").columns
    rows = list(zip(table["trouble"], table["found"], table["called so"], strict=True))
    assert {trouble for trouble, _, _ in rows} == {*TROUBLES, LIMIT[0]}
    for trouble, found, named in rows:
        if trouble in TROUBLES:
            assert found >= 0.9
            assert named >= 0.6
        else:
            assert found <= 0.3


def test_schools_are_found_where_they_are(result: StudyResult) -> None:
    table = result.table("schools").columns
    for team, found in some(zip(table["team"], table["schools found"], strict=True)):
        assert found >= 0.5 if team.startswith("two") else found <= 0.2


def test_everything_is_decided_by_the_numbers(result: StudyResult) -> None:
    assert [one.holds for one in result.findings] == [True, True, True, True]
    again = STUDIES["annotators"].run(seed=3, quick=True)
    assert again.to_dict()["tables"] == result.to_dict()["tables"]
    assert result.markdown()
    assert result.charts["detection"].to_dict()


@pytest.mark.parametrize("design", DESIGNS[:4], ids=lambda one: one.name)
def test_the_study_judges_as_the_report_does(design: object) -> None:
    assert design in DESIGNS
    rng = np.random.default_rng(0)
    who, said = draw(design, rng)  # type: ignore[arg-type]
    said = np.where(who == 0, 0, said)
    flagged, kinds = judge(team_of(design, who, said))  # type: ignore[arg-type]
    items = np.repeat(np.arange(who.shape[0]), who.shape[1])
    frame = pl.DataFrame({"item": items, "annotator": who.ravel(), "label": said.ravel()})
    report = assent.annotators(Annotations.from_frame(frame))
    assert report.annotators == tuple(str(i) for i in range(len(flagged)))
    assert report.flagged.tolist() == flagged.tolist()
    assert dict(report.kinds) == kinds
