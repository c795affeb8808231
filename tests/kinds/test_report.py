"""A report on a kind of data that the package does not know: what is general, and what the kind adds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.kinds.test_third_kind import VALUE, data, table  # noqa: F401

import assent
from assent import Measure
from assent.cli.app import run
from assent.data import Dataset
from assent.documents import Document, Result
from assent.documents.blocks import Prose, Section
from assent.reports import SectionMaker, register_report
from assent.reports.context import ReportContext
from assent.reports.kinds import GENERAL, KINDS


def test_it_gets_the_general_report(data: Dataset, pause_match: Measure) -> None:  # noqa: F811
    made = assent.report(data, task="standard", title="<b>Pauses</b>")
    content = json.loads(made.json())
    assert content["kind"] == "pauses"
    assert content["verdict"]["value"] == pytest.approx(VALUE)
    assert content["verdict"]["low"] < VALUE < content["verdict"]["high"]
    assert content["data"]["items"] == 6
    assert content["coefficients"]["quote"] == "pause-match"
    assert content["labels"] is None
    assert content["advice"] == []
    assert "6 items with 12 annotations by 2 annotators" in content["how_to_report"]["methods"]
    assert "Doe, 2020" in content["how_to_report"]["methods"]
    assert "{doe2020," in content["how_to_report"]["bibtex"]
    names = [block.name for block in made.document().blocks if isinstance(block, Section)]
    assert names == ["data", "coefficients", "reporting", "appendix"]
    for text in (made.markdown(), made.latex(), made.text(), made.html()):
        assert "Share of matched pauses" in text
    assert "<b>Pauses" not in made.html()
    assert list(made.figures()) == ["verdict", "coefficients"]


def test_the_command_line_reports_on_it(
    pause_match: Measure,
    table: Path,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as end:
        run(["report", str(table), "--layout", "pauses", "--json"])
    assert end.value.code == 0
    assert json.loads(capsys.readouterr().out)["verdict"]["value"] == pytest.approx(VALUE)


class Longest(Result, frozen=True):
    second: int

    def to_dict(self) -> dict[str, Any]:
        return {"second": self.second}

    def document(self) -> Document:
        section = Section(
            "longest", "Latest mark", f"The latest mark is at second {self.second}.", [Prose(["So it is."])]
        )
        return Document("Latest mark", [section])


@pytest.fixture
def longest() -> Iterator[None]:
    def make(context: ReportContext) -> Longest:
        marks: Any = context.data
        return Longest(max(at for heard in marks.marks.values() for some in heard.values() for at in some))

    own = SectionMaker(name="longest", stage="Looking for the latest mark", make=make)
    inner = SectionMaker(name="again", stage="", make=make, within="longest")
    register_report("pauses", (*GENERAL.sections, own, inner))
    yield
    del KINDS["pauses"]


def test_a_kind_adds_sections_of_its_own(data: Dataset, pause_match: Measure, longest: None) -> None:  # noqa: F811
    seen: list[str] = []
    made = assent.report(data, progress=lambda done, what: seen.append(what))
    content = made.to_dict()
    assert content["longest"] == {"second": 40}
    assert list(content)[-3:] == ["questions", "how_to_report", "appendix"]
    assert "Looking for the latest mark" in seen
    page = made.html()
    assert page.index('id="coefficients"') < page.index('id="longest"') < page.index('id="reporting"')
    (section,) = [block for block in made.document().blocks if isinstance(block, Section) and block.name == "longest"]
    # The other one stands within it, under a heading.
    assert [block.kind for block in section.blocks] == ["prose", "heading", "prose", "prose"]


def test_several_questions_may_be_of_any_kind(data: Dataset, pause_match: Measure) -> None:  # noqa: F811
    made = assent.report({"pauses": data, "labels": [["a", "a"], ["b", "b"], ["a", "b"]] * 10})
    assert [one["report"]["kind"] for one in made.to_dict()["questions"]] == ["pauses", "single"]
    assert "Share of matched pauses" in made.markdown()


@pytest.mark.parametrize("option", [{"anonymise": True}, {"by": "batch"}, {"text": "words"}])
def test_what_it_cannot_do_is_refused(data: Dataset, pause_match: Measure, option: dict[str, Any]) -> None:  # noqa: F811
    with pytest.raises(assent.OptionError, match=f"on pauses does not take the option {next(iter(option))}"):
        assent.report(data, **option)
