"""What a person reads of the annotators, in every medium, and what the library takes to compare passes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.diagnostics.annotators.simulated import annotations, drawn

import assent
from assent import Annotations, AnnotatorReport, OptionError
from assent.analyses.annotators.pairs import pair_map
from assent.documents.blocks import Cards, Fold, Heading, Prose, Section, Table
from assent.reports.context import ReportContext, Settings
from assent.reports.sections.annotators import AnnotatorsSection, annotators_section

HOSTILE = ["<script>x()</script>", "\x1b[31mred\x07", "=cmd|' /C calc'!A0", "|a|\n# b", "\\input{x}%$", "עברית"]
MEDIA = ("text", "html", "markdown", "latex", "json")


def team(annotators: int = 6, *, items: int = 240, names: list[str] | None = None, clicks: bool = True) -> Annotations:
    rng = np.random.default_rng(1)
    who, said, _ = drawn(rng, annotators=annotators, items=items, each=3, shares=[3, 2, 1], skill=0.85)
    if clicks:
        said = np.where(who == 4, rng.integers(0, 3, said.shape), said)
    made = annotations(who, said, annotators, 3)
    return made if names is None else made.rename_annotators(dict(zip(made.annotators or (), names, strict=True)))


TABLES: dict[str, Any] = {
    "a clicker": lambda: team(),
    "nobody stands out": lambda: team(clicks=False),
    "too many for a matrix": lambda: team(14, items=500),
    "too many for pairs": lambda: team(60, items=600),
    "two": lambda: [["a", "a"], ["b", "b"], ["a", "b"]],
    "one label": lambda: [["a", "a", "a"]] * 12,
    "few items": lambda: [["a", "a", "b"], ["b", None, "b"]],
    "sets": lambda: Annotations.from_frame(
        pl.DataFrame(
            [(str(i), w, said) for i in range(8) for w in "xyz" for said in "ab"[: 1 + (i + ord(w)) % 2]],
            schema=["item", "annotator", "label"],
            orient="row",
        ),
        multilabel=True,
    ),
    "hostile names": lambda: team(names=HOSTILE),
}


@pytest.mark.parametrize("table", TABLES)
def test_it_is_written_in_every_medium(table: str) -> None:
    result = assent.annotators(TABLES[table]())
    for medium in MEDIA:
        assert result.rendered(medium)
    assert json.loads(result.json()) == json.loads(json.dumps(result.to_dict()))
    assert str(result).startswith("Annotators\n")
    assert result._repr_html_().startswith("<iframe srcdoc=")


def test_hostile_names_do_nothing_anywhere() -> None:
    result = assent.annotators(team(names=HOSTILE))
    section = section_of(team(names=HOSTILE))
    for one in (result, section):
        text, page = one.text(), one.html()
        assert "\x1b" not in text
        assert "\x07" not in text
        assert "<script>x" not in page
        assert "\x1b" not in page
        assert "<script>x" not in one.markdown()
        assert "\\input{x}" not in one.latex()
    assert r"\x1b[31mred\x07" in result.text(width=200)


def test_every_medium_says_the_same_numbers() -> None:
    result = assent.annotators(team())
    worst = next(result.rows())
    found = worst["coefficient"]
    ends = f"{found['low']:.2f} to {found['high']:.2f}".replace("-", "−")
    for medium, said in (("text", result.text(width=140)), ("html", result.html()), ("markdown", result.markdown())):
        assert f"{found['value']:.2f}" in said, medium
        # A page leaves the interval out where there is no room.
        assert medium == "html" or ends in said, medium


def test_the_verdict_says_who_and_how_many_were_not_judged() -> None:
    def said(data: Any) -> str:
        first = assent.annotators(data).document().blocks[0]
        assert isinstance(first, Prose)
        return first.sentences[0]

    assert said(team()).startswith('1 of 6 annotators judged stands out: "w4". Krippendorff\'s alpha of all is 0.')
    assert said(team(clicks=False)).startswith("Nobody stands out among 6 annotators judged. ")
    assert said([["a", "a", "b"], ["b", None, "b"]]).startswith("Nobody can be judged: too few items are shared. ")
    assert said([["a", "b"], ["b", "b"]]).startswith("Nobody can be judged: of two annotators, each is measured by ")
    assert said([["a", "a"]] * 19 + [["a", "b"]]).startswith("Nobody can be judged: of two annotators, each is ")
    assert said([["a", "a", "a"]] * 12).endswith("Krippendorff's alpha of all is undefined.")
    rare = [["a", "a", "a", None], ["b", "b", "b", None]] * 10 + [["a", "a", "a", "a"]] * 2
    assert said(rare).startswith(
        "Nobody stands out among 3 annotators judged; 1 more has too few shared items to be judged. "
    )


def test_of_many_flagged_ten_are_put_into_words_and_all_are_counted() -> None:
    rng = np.random.default_rng(3)
    who, said, _ = drawn(rng, annotators=36, items=1500, each=6, shares=[3, 2, 1], skill=0.95)
    said = np.where(who < 12, rng.integers(0, 3, said.shape), said)
    result = assent.annotators(annotations(who, said, 36, 3))
    assert result.n_flagged == 12
    blocks = result.document().blocks
    cards = next(block for block in blocks if isinstance(block, Cards))
    assert len(cards.cards) == 10
    counted = [one for block in blocks if isinstance(block, Prose) for one in block.sentences if "All flagged" in one]
    assert counted == ["2 more are flagged. All flagged: 12 × hardly beyond chance."]


def test_groups_who_read_otherwise_are_listed() -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, 300)
    rows = [
        ["xyz"[(t if a < 3 or t == 0 else (t + 1) % 3) if rng.random() < 0.9 else rng.integers(3)] for a in range(6)]
        for t in truth.tolist()
    ]
    result = assent.annotators(rows)
    assert result.clusters is not None
    assert Heading("Groups who read the guidelines differently") in result.document().blocks
    text = result.text()
    assert 'Group 1: "' in text
    assert result.to_dict()["schools"]["sentence"] in text


def table_of(result: AnnotatorReport | AnnotatorsSection, name: str) -> Table:
    blocks = list(result.document().blocks)
    while blocks:
        block = blocks.pop(0)
        if isinstance(block, Table) and block.name == name:
            return block
        blocks += block.blocks if isinstance(block, Section | Fold) else []
    raise AssertionError(f"no table {name}")


def test_the_table_has_as_many_rows_as_asked_for_and_says_what_is_left_out() -> None:
    result = assent.annotators(team(60, items=600))
    assert len(table_of(result, "annotators").rows) == 60
    few = next(block for block in result.document(rows=5).blocks if isinstance(block, Table))
    assert (len(few.rows), few.more) == (5, "55 more annotators, none of them flagged.")


def test_a_scale_says_who_rates_higher() -> None:
    rows = [["1", "1", "3"], ["2", "2", "4"], ["2", "1", "3"], ["3", "3", "5"]] * 5
    result = assent.annotators(rows, scale="interval")
    shifts = {row["annotator"]: row["shift"] for row in result.rows()}
    assert shifts["3"]["value"] == pytest.approx(1.875)
    assert shifts["3"]["clear"]
    assert shifts["3"]["unit"] == "units"
    shown = table_of(result, "annotators")
    place = [column.title for column in shown.columns].index("rates")
    assert {row[0].text: row[place].text for row in shown.rows}["3"] == "+1.88"
    assert all(row["shift"] is None for row in assent.annotators(rows).rows())
    steps = assent.annotators(rows, scale="ordinal", order=["5", "4", "3", "2", "1"])
    assert {row["annotator"]: row["shift"]["value"] for row in steps.rows()}["3"] == pytest.approx(-1.875)


def test_passes_are_compared_by_the_library(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    lines = [f"{i},{who},{'ab'[i % 2]},1" for i in range(12) for who in "xyz"]
    again = [f"{i},x,{'ab'[i % 2] if i else 'b'},2" for i in range(4)]
    path.write_text("item,annotator,label,pass\n" + "\n".join(lines + again) + "\n")
    first, last = (assent.read(path, duplicates=which, columns=["pass"]) for which in ("first", "last"))
    result = assent.annotators(first, repeat="pass", later=last)
    found = {row["annotator"]: row["consistency"] for row in result.rows()}
    assert (found["x"]["items"], found["x"]["agreement"]) == (4, 0.75)
    assert (found["y"]["items"], found["y"]["agreement"]) == (0, None)
    assert "75 %" in result.text()
    for options in ({"repeat": "pass"}, {"later": last}):
        with pytest.raises(OptionError, match="need both repeat, the column that counts them, and later"):
            assent.annotators(first, **options)


def section_of(data: Annotations) -> AnnotatorsSection:
    section = annotators_section(ReportContext(data, Settings()))
    assert section is not None
    return section


def test_the_section_is_made_of_the_same_parts_and_has_charts() -> None:
    section, result = section_of(team()), assent.annotators(team())
    (block,) = section.document().blocks
    assert isinstance(block, Section)
    assert (block.name, block.title) == ("annotators", "Annotators")
    assert block.takeaway == '1 of 6 annotators judged stands out: "w4".'
    assert table_of(section, "annotators") == table_of(result, "annotators")
    assert list(section.figures()) == ["annotators", "annotator-pairs"]
    for medium in MEDIA:
        assert section.rendered(medium)
    content = section.to_dict()
    assert content["rows"] == result.to_dict()["annotators"]
    assert (content["total"], content["flagged"], content["judged"]) == (6, 1, 6)


def test_two_annotators_make_no_chart_and_counts_no_section() -> None:
    section = section_of(Annotations.from_array([["a", "a"], ["b", "b"], ["a", "b"]]))
    assert section.figures() == {}
    assert table_of(section, "pairs").rows
    assert (
        annotators_section(ReportContext(Annotations.from_counts([[2, 1], [0, 3]], labels=["a", "b"]), Settings()))
        is None
    )


def test_the_map_has_the_busiest_and_counts_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    result = assent.annotators(team())
    whole = result.pair_map()
    assert whole is not None
    assert (len(whole.annotators), whole.n_left_out) == (6, 0)
    monkeypatch.setattr("assent.analyses.annotators.pairs.ANNOTATORS_MAPPED", 4)
    shared, pairs = np.arange(6), result.pairs or ()
    some = pair_map(result.annotators, shared, pairs)
    assert set(some.annotators) == set(result.annotators[2:])
    assert some.n_left_out == 2
    kappa = {frozenset((one.first, one.second)): one for one in pairs}
    for i, first in enumerate(some.annotators):
        for j, second in enumerate(some.annotators[:i]):
            assert some.values[i, j] == some.values[j, i] == kappa[frozenset((first, second))].value
            assert some.items[i, j] == kappa[frozenset((first, second))].n_items


def test_a_crowd_is_json_one_annotator_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    result = assent.annotators(team())
    whole = json.loads(result.json())
    monkeypatch.setattr("assent.analyses.annotators.result.CROWD", 5)
    lines = result.json()
    assert json.loads(lines) == whole
    assert sum(line.startswith('    {"annotator": ') for line in lines.splitlines()) == 6
