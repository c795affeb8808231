"""Speed is guarded by counts: rows are listed once, items are counted once, and no line runs once per item."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import assent
from assent import engines, report
from assent.report.remembering import remembering

HOME = str(Path(report.__file__).parent)


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
def test_rows_are_listed_once_and_items_counted_once(passes: Counter[str], annotators: int) -> None:
    made = data(3_000, annotators)
    assent.make_report(made, text="text")
    assert passes["listed"] == 1
    # Whoever stands out is left out once, to see what that would do.
    assert passes["count_profiles"] <= 2
    assert passes["rating_profiles"] <= 1


def test_groups_list_rows_no_more_often(passes: Counter[str]) -> None:
    assent.make_report(data(3_000), text="text", by="group")
    assert passes["listed"] == 1


def lines(items: int, **settings: Any) -> int:
    """Count the lines of the report that run."""
    made = data(items)
    made.counts  # noqa: B018
    count = 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        if not frame.f_code.co_filename.startswith(HOME):
            return None
        count += event == "line"
        return trace

    sys.settrace(trace)
    try:
        assent.make_report(made, text="text", **settings)
    finally:
        sys.settrace(None)
    return count


@pytest.mark.parametrize("settings", [{}, {"by": "group"}])
def test_no_line_runs_once_per_item(settings: dict[str, Any]) -> None:
    small, large = lines(2_000, **settings), lines(10_000, **settings)
    assert large < 1.1 * small


def test_the_page_stays_small_however_many_items_there_are() -> None:
    assert len(assent.make_report(data(20_000), text="text").json()) < 500_000


def test_profiles_of_a_crowd_are_those_of_the_engine() -> None:
    """Items of many annotators are left apart; whatever is measured with them is the same."""
    made = data(500, annotators=90)
    ours, theirs = remembering(made).ratings, made.ratings
    assert ours.items == theirs.items

    def items(ratings: Any) -> Counter[tuple[tuple[int, int], ...]]:
        found: Counter[tuple[tuple[int, int], ...]] = Counter()
        for profile, times in enumerate(ratings.multiplicities.tolist()):
            rows = ratings.profile == profile
            pairs = zip(ratings.annotator[rows].tolist(), ratings.label[rows].tolist(), strict=True)
            found[tuple(sorted(pairs))] += times
        return found

    assert items(ours) == items(theirs)
    assert np.all(np.diff(ours.profile) >= 0), "in the order that measures rely on"
    assert assent.conger_kappa(remembering(made)).value == pytest.approx(assent.conger_kappa(made).value, abs=1e-12)


def test_remembered_rows_list_what_was_asked_for() -> None:
    made = data(50)
    kept = remembering(made, "group")
    for columns in ((), ("group",), ("text",), ("text", "group")):
        ours, theirs = kept.listing(*columns), made.listing(*columns)
        assert ours.items == theirs.items
        assert ours.item.tolist() == theirs.item.tolist()
        assert ours.label.tolist() == theirs.label.tolist()
        assert dict(ours.columns) == dict(theirs.columns)
