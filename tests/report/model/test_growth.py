"""Speed is guarded by counts: items are counted once, only disputed ones are listed, and no line runs once per item."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import assent
from assent import engines, reports
from assent.documents import charts

HOME = str(Path(reports.__file__).parent)


def data(items: int, annotators: int = 5) -> assent.Annotations:
    rng = np.random.default_rng(0)
    who = rng.permuted(np.tile(np.arange(annotators), (items, 1)), axis=1)[:, :3].ravel()
    item = np.repeat(np.arange(items), 3)
    label = np.where(
        rng.random(3 * items) < 0.7, np.repeat(rng.integers(0, 4, items), 3), rng.integers(0, 4, 3 * items)
    )
    frame = pl.DataFrame({"item": item, "annotator": who, "label": label, "group": item % 3, "text": item})
    return assent.Annotations.from_frame(frame.cast(pl.String), columns=["group", "text"])


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often rows were listed and items collapsed to profiles."""
    counted: Counter[str] = Counter()

    def count(name: str) -> None:
        original = getattr(engines.Rows, name)

        def counting(self: Any, *arguments: Any) -> Any:
            counted[name] += 1
            return original(self, *arguments)

        monkeypatch.setattr(engines.Rows, name, counting)

    for name in ("listed", "count_profiles", "rating_profiles"):
        count(name)
    return counted


@pytest.mark.parametrize("annotators", [5, 100])
def test_items_are_counted_once_and_only_disputed_ones_listed(passes: Counter[str], annotators: int) -> None:
    made = data(3_000, annotators)
    seen: list[engines.Transfer] = []
    with engines.track_transfers(seen.append):
        assent.report(made, text="text")
    # Whoever stands out is left out once, to see what that would do.
    assert passes["count_profiles"] <= 2
    assert passes["rating_profiles"] <= 1
    # Once for the table of the items, once for who gave them which label; a crowd may be listed besides, to leave its items apart.
    assert passes["listed"] <= (2 if annotators == 5 else 3)
    whole = sum(one.rows > 3 * 200 for one in seen if one.question == "annotations")
    assert whole <= (0 if annotators == 5 else 1)


def test_groups_are_counted_once_each_and_once_each_for_the_rest(passes: Counter[str]) -> None:
    made = data(3_000)
    assent.report(made, text="text")
    before = passes.copy()
    seen: list[engines.Transfer] = []
    with engines.track_transfers(seen.append):
        assent.report(made, text="text", by="group")
    assert passes["count_profiles"] - before["count_profiles"] <= 6 + 1
    questions = Counter(one.question for one in seen if not one.question.startswith(("disputed", "rows of")))
    assert questions["groups"] == 1
    assert questions["items in several groups"] == 1


def lines(items: int, **settings: Any) -> int:
    """Count the lines of the report that run."""
    made = data(items)
    made._counts  # noqa: B018
    count = 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        if not frame.f_code.co_filename.startswith(HOME):
            return None
        count += event == "line"
        return trace

    sys.settrace(trace)
    try:
        assent.report(made, text="text", **settings)
    finally:
        sys.settrace(None)
    return count


@pytest.mark.parametrize("settings", [{}, {"by": "group"}])
def test_no_line_runs_once_per_item(settings: dict[str, Any]) -> None:
    small, large = lines(2_000, **settings), lines(10_000, **settings)
    assert large < 1.1 * small


def test_the_page_stays_small_however_many_items_there_are() -> None:
    assert len(assent.report(data(20_000), text="text").json()) < 500_000


def drawn(annotators: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts each picture of a page has: every letter of them is measured."""
    texts: list[int] = []
    draw = charts.drawn

    def counted(spec: dict[str, Any]) -> str:
        svg = draw(spec)
        texts.append(svg.count("<text"))
        return svg

    made = assent.report(data(3_000, annotators))
    with monkeypatch.context() as patched:
        patched.setattr(charts, "drawn", counted)
        made.html()
    return texts


def test_the_work_of_a_crowd_is_told_by_quarters() -> None:
    made = data(600, 100)
    rows = made.to_rows()
    each = np.bincount(rows.annotator)
    low, lower, middle, upper, most = np.quantile(each, [0, 0.25, 0.5, 0.75, 1])
    said = " ".join(assent.report(made).text().split())
    assert (
        f"Half of the annotators have between {lower:.0f} and {upper:.0f} annotations, the median is {middle:.0f}; "
        f"the extremes are {low:.0f} and {most:.0f}."
    ) in said


@pytest.mark.nightly
def test_pictures_and_their_texts_do_not_grow_with_the_crowd(monkeypatch: pytest.MonkeyPatch) -> None:
    some, many = drawn(100, monkeypatch), drawn(400, monkeypatch)
    assert len(many) <= len(some) <= 18
    assert sum(many) <= 1.1 * sum(some) <= 660


def test_what_is_missing_is_looked_into_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from assent.analyses import missingness
    from assent.analyses.findings.search import findings
    from assent.reports import context

    asked = []

    def look(*arguments: Any, **options: Any) -> missingness.Missingness:
        asked.append(arguments)
        return missingness.missingness(*arguments, **options)

    for module in (sys.modules[findings.__module__], context):
        monkeypatch.setattr(module, "missingness", look)
    made = assent.report(data(600).without_annotators(["0"]))
    assert made.sections["sparse"] is not None
    assert len(asked) == 1


def label_sets(items: int, labels: str = "abcdef", annotators: int = 8) -> assent.Annotations:
    rng = np.random.default_rng(1)
    width = len(labels)
    given = (rng.random((items, width)) < 0.3)[:, None] ^ (rng.random((items, 3, width)) < 0.1)
    # None has more than four, so that as many sets are followed of many labels as of few.
    texts = [";".join(labels[i] for i in np.flatnonzero(one)[:4]) or "a" for one in given.reshape(-1, width)]
    who = (np.arange(3 * items) + np.repeat(np.arange(items), 3)) % annotators
    frame = pl.DataFrame({"item": np.repeat(np.arange(items), 3), "annotator": who, "label": texts})
    return assent.Annotations.from_frame(frame.cast(pl.String), separator=";")


def chances_worked_out(data: assent.Annotations, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often a report follows the draws of one annotator of a pair."""
    from assent.set_chance import agreement, subsets

    rows: list[int] = []
    monkeypatch.setattr(
        agreement, "Draws", lambda rates, largest: rows.append(len(rates)) or subsets.Draws(rates, largest)
    )
    agreement._kept.cache_clear()
    assent.report(data)
    return sum(rows)


def test_chance_of_label_sets_is_worked_out_for_pairs_of_annotators_not_for_items(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was evaluated anew for every item in every interval: a hundred times as long as all the rest."""
    few, many = (chances_worked_out(label_sets(items), monkeypatch) for items in (100, 800))
    assert many < 1.5 * few


def test_chance_of_label_sets_is_worked_out_for_pairs_of_annotators_not_for_labels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A derivative in each label of both took 2 x labels of them for every pair."""
    few, many = (chances_worked_out(label_sets(200, labels), monkeypatch) for labels in ("abcdef", "abcdefghijklmnop"))
    assert 0 < many <= few


def test_a_report_on_label_sets_works_chance_out_a_few_times_for_every_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """For four measures: the value, two derivatives and two ends of the interval, and for the plan two derivatives of one of them."""
    sides = 8 * 7
    assert chances_worked_out(label_sets(200), monkeypatch) <= sides * (4 * 5 + 6)
