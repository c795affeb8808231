"""Advice, plans, sweeps and checks of what is missing as documents: in four media, on all kinds of data, with hostile names."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import assent
from assent.documents import Result
from assent.documents.blocks import Section
from assent.reports.context import ReportContext, Settings
from assent.reports.sections.advice import advice_section, plan_section
from assent.reports.sections.special import multilabel_section, sparse_section

HOSTILE = "<script>\x1b[31m|$\\x_&\u202e"


def rows(label: Callable[[np.random.Generator], str], items: int = 60, annotators: int = 5) -> assent.Annotations:
    import polars as pl

    rng = np.random.default_rng(1)
    made = [
        (f"{HOSTILE}{i}", f"{HOSTILE}{who}", label(rng))
        for i in range(items)
        for who in rng.choice(annotators, int(rng.integers(2, 5)), replace=False)
    ]
    frame = pl.DataFrame(made, schema=["item", "annotator", "label"], orient="row")
    return assent.Annotations.from_frame(frame, separator=";", ranked=True) if ";" in label(rng) else frame


def single(rng: np.random.Generator) -> str:
    return f"{HOSTILE}{rng.choice(list('abc'), p=[0.8, 0.1, 0.1])}"


def several(rng: np.random.Generator) -> str:
    return f"{HOSTILE}{rng.choice(['a', 'b'])};{rng.choice(['c', 'd'])}"


LABELS = rows(single)
SETS = rows(several)
TABLES: dict[str, Any] = {
    "labels": LABELS,
    "sets": SETS,
    "two": [["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]] * 5,
    "counts": assent.Annotations.from_counts([[2, 0, 1], [0, 3, 0], [1, 1, 1]] * 10, labels=["x", HOSTILE, ""]),
    "one-label": [["only", "only"]] * 5,
}
RESULTS: dict[str, Callable[[], Result]] = {
    **{f"advise {name}": lambda data=data: assent.advise(data) for name, data in TABLES.items()},
    "plan": lambda: assent.plan(LABELS, half_width=0.02, budget=900, target=0.5, item_cost=1.5),
    "plan of sets": lambda: assent.plan(SETS, half_width=0.02, measure="boot-f1"),
    "plan of an assumption": lambda: assent.plan(agreement=0.8, shares=[0.7, 0.3], half_width=0.05, budget=500),
    "missingness": lambda: assent.missingness(LABELS),
    "missingness of counts": lambda: assent.missingness(TABLES["counts"]),
    "sweep": lambda: assent.sweep(SETS, points=3),
    "sweep without intervals": lambda: assent.sweep(SETS, points=2, ci="none", show=0),
}


def checked(result: Result) -> None:
    """It renders in every medium; nothing of the data is obeyed."""
    plain = json.dumps(result.to_dict(), allow_nan=False)
    assert json.loads(result.json()) == json.loads(plain)
    text, page = result.text(), result.html()
    assert "\x1b" not in text + page + result.markdown() + result.latex()
    assert "\u202e" not in text + page
    assert "<script>\\x1b" not in page
    assert result._repr_html_().startswith("<iframe")
    assert str(result) == text.rstrip("\n")
    for line in text.splitlines():
        assert "nan" not in line.split(), line


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_reads_in_every_medium(name: str) -> None:
    checked(RESULTS[name]())


@pytest.mark.parametrize(
    ("name", "make"),
    [
        *((name, make) for name in ("labels", "sets") for make in (advice_section, plan_section, sparse_section)),
        # It is in the list of sections of sets of labels alone.
        ("sets", multilabel_section),
    ],
)
def test_a_section_is_one_section_of_a_page(name: str, make: Callable[[ReportContext], Result | None]) -> None:
    data = TABLES[name] if name == "sets" else assent.Annotations.from_frame(TABLES[name])
    section = make(ReportContext(data, Settings()))
    assert (section is None) is (make is sparse_section and name == "sets")
    if section is not None:
        (block,) = section.document().blocks
        assert isinstance(block, Section)
        assert block.name == make.__name__.removesuffix("_section")
        checked(section)


def test_advice_is_a_sequence_of_causes() -> None:
    advice = assent.advise(LABELS)
    assert list(advice) == list(advice.causes)
    assert (advice[0], advice[-1:], len(advice)) == (advice.causes[0], advice.causes[-1:], len(advice.causes))
    assert advice.to_dict()["advice"] == [one.to_dict() for one in advice]
    assert advice.to_dict()["data"]["items"] == 60
    assert advice[0].title in str(advice)
    assert advice[0].first_step in str(advice)


def test_a_target_of_advice_may_be_a_kind_of_task() -> None:
    rng = np.random.default_rng(2)
    table = [[str(t if rng.random() < 0.8 else 1 - t) for _ in range(3)] for t in rng.integers(0, 2, 400)]
    assert assent.advise(table, target="objective")[0].evidence["target"] == 0.8
    assert assent.advise(table, target="highly-subjective").to_dict() == assent.advise(table, target=0.4).to_dict()
    with pytest.raises(assent.OptionError, match="The target is 0"):
        assent.advise(table, target=0)


def test_only_what_could_be_won_is_promised() -> None:
    from assent.analyses.advice import Cause, cause_cards

    causes = [
        Cause(key="training", title="A", sentence="B.", first_step="C.", gain=gain, evidence={}, measure="Scott's pi")
        for gain in (0.21, 0.004, -0.1, None)
    ]
    assert [card.mark for card in cause_cards(causes).cards] == ["up to +0.21 of Scott's pi", "", "", ""]


def test_the_terminal_draws_a_sweep_in_characters_that_every_terminal_knows() -> None:
    figure = assent.sweep(SETS, points=3).document().figures()["sweep"]
    assert figure.plain is not None
    for width in (20, 80):
        lines = figure.plain(width)
        assert [line.split()[0] for line in lines] == ["p", "0.5", "0.75", "1"]
        assert all(line.replace("−", "-").isascii() for line in lines)
    assert all("o" in line for line in figure.plain(80)[1:])
    assert all(figure.draw(width) is not None for width in (348, 800))
