"""Item by item: against a slow reference, by hand, in every order, and with whatever a file may hold."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.tables import LABELS, STABLE, Rows, annotations, tables

import assent
from assent import Annotations, OptionError
from assent.analyses.items.table import SORTS

TABLE = [["a", "a", "a"], ["a", "b", "b"], ["a", "b", "c"], ["a", None, None], ["b", "c", None], ["b", "b", None]]


def slow(row: tuple[str | None, ...]) -> dict[str, Any]:
    """What is to be known of one item, pair by pair."""
    labels = [label for label in row if label is not None]
    counts = Counter(labels)
    pairs = list(combinations(labels, 2))
    ranked = sorted(counts.values(), reverse=True)
    top = [label for label in LABELS if counts[label] == ranked[0]]
    shares = [Fraction(times, len(labels)) for times in counts.values()]
    return {
        "annotations": len(labels),
        "agreement": float(Fraction(sum(a == b for a, b in pairs), len(pairs))) if pairs else None,
        "entropy": -sum(float(p) * math.log2(p) for p in shares),
        "counts": dict(counts),
        "majority": top[0] if len(top) == 1 else None,
        "tied": top if len(top) > 1 else [],
        "margin": float(Fraction(ranked[0] - (ranked[1] if len(ranked) > 1 else 0), len(labels))),
    }


def by_name(data: Any, **options: Any) -> dict[str, dict[str, Any]]:
    return {row.item: row.to_dict() for row in assent.items(data, **options).rows()}


@given(tables())
@STABLE
def test_it_is_what_the_pairs_of_each_item_say(rows: Rows) -> None:
    found = by_name(annotations(rows))
    wanted = {str(i): slow(row) for i, row in enumerate(rows, start=1) if any(label is not None for label in row)}
    assert found.keys() == wanted.keys()
    for name, row in wanted.items():
        for key, value in row.items():
            assert found[name][key] == (pytest.approx(value, abs=1e-12) if key == "entropy" else value), (name, key)


@given(tables(), st.randoms(use_true_random=False))
@STABLE
def test_the_order_of_rows_and_the_names_of_labels_and_annotators_change_nothing(rows: Rows, draw: Any) -> None:
    order = list(range(len(rows)))
    draw.shuffle(order)
    names = dict(zip(LABELS, draw.sample(["p", "q", "r", "s"], 4), strict=True))
    triples = [
        (f"annotator {j}", str(i + 1), names[label])
        for i in order
        for j, label in enumerate(rows[i])
        if label is not None
    ]
    found, moved = assent.items(annotations(rows)), assent.items(Annotations.from_triples(triples))
    assert [row.item for row in found.rows()] == [row.item for row in moved.rows()]
    for one, other in zip(found.rows(), moved.rows(), strict=True):
        assert {names[label]: times for label, times in one.counts.items()} == other.counts
        for key in ("n_annotations", "agreement", "entropy", "margin"):
            assert getattr(one, key) == pytest.approx(getattr(other, key), abs=1e-12)


@given(tables())
@STABLE
def test_their_mean_weighted_by_pairs_is_the_agreement_of_all_pairs(rows: Rows) -> None:
    data = annotations(rows)
    found = assent.items(data)
    known = ~np.isnan(found.agreement)
    pairs = (found.annotations * (found.annotations - 1))[known]
    pooled = float(pairs @ found.agreement[known] / pairs.sum())
    assert pooled == pytest.approx(assent.spa(data, scheme="edges").value, abs=1e-12)


def test_the_most_disputed_come_first_in_an_order_that_is_always_the_same() -> None:
    assert [row.item for row in assent.items(TABLE).rows()] == ["3", "5", "2", "1", "6", "4"]
    same = [["a", "b"]] * 12
    assert [row.item for row in assent.items(same).rows()] == [str(i) for i in range(1, 13)]
    triples = [(who, name, label) for name in ("b", "a10", "a2") for who, label in (("x", "p"), ("y", "q"))]
    names = [row.item for row in assent.items(Annotations.from_triples(triples)).rows()]
    assert names == ["a10", "a2", "b"]


@pytest.mark.parametrize(
    ("sort", "first"),
    [("disagreement", "3"), ("entropy", "3"), ("margin", "3"), ("annotations", "3"), ("item", "1")],
)
def test_it_can_be_sorted_otherwise(sort: str, first: str) -> None:
    found = assent.items(TABLE).sorted_by(sort)
    rows = list(found.rows())
    assert rows[0].item == first
    assert len(rows) == 6
    keys = {
        "disagreement": [math.inf if row.agreement is None else row.agreement for row in rows],
        "entropy": [-row.entropy for row in rows],
        "margin": [row.margin for row in rows],
        "annotations": [-row.n_annotations for row in rows],
        "item": [row.item for row in rows],
    }[sort]
    assert keys == sorted(keys)
    assert sort in SORTS


def test_filters() -> None:
    found = assent.items(TABLE)

    def names(**filters: Any) -> list[str]:
        return [row.item for row in found.filtered(**filters).rows()]

    assert names(min_annotations=3) == ["3", "2", "1"]
    assert names(max_agreement=0.5) == ["3", "5", "2"]
    assert names(label_pair=("b", "c")) == ["3", "5"]
    assert names(label_pair=("c", "a")) == ["3"]
    assert names(only=["6", "4"]) == ["6", "4"]
    assert names(max_agreement=0.0, min_annotations=3) == ["3"]
    assert names(only=[]) == []
    assert len(found.filtered(min_annotations=9).head(3)) == 0
    assert [row.item for row in found.head(2).rows()] == ["3", "5"]


def test_filters_refuse_what_is_not_there() -> None:
    found = assent.items(TABLE)
    with pytest.raises(OptionError, match='There is no label "d"'):
        found.filtered(label_pair=("a", "d"))
    with pytest.raises(OptionError, match="two different ones"):
        found.filtered(label_pair=("a", "a"))
    with pytest.raises(OptionError, match='There is no item "7" with a label'):
        found.filtered(only=["1", "7"])
    with pytest.raises(OptionError, match="largest agreement is 50"):
        found.filtered(max_agreement=50)
    with pytest.raises(OptionError, match="largest agreement is nan"):
        found.filtered(max_agreement=math.nan)
    with pytest.raises(OptionError, match="`sort` is"):
        found.sorted_by("entropie")
    with pytest.raises(OptionError, match="must not be negative"):
        found.head(-1)


def test_what_cannot_be_known_is_said() -> None:
    found = assent.items([*TABLE, [None, None, None]])
    assert found.notes == (
        "1 item has no label at all and cannot be shown.",
        "1 item has one annotation: its agreement is not known.",
        "2 items have no majority: two or more labels are given equally often.",
    )
    assert by_name(TABLE)["4"] == {
        "item": "4",
        "annotations": 1,
        "agreement": None,
        "weighted_agreement": None,
        "spread": None,
        "entropy": 0.0,
        "counts": {"a": 1},
        "majority": "a",
        "tied": [],
        "margin": 1.0,
        "text": None,
    }
    alike = assent.items([["a", "a"], ["a", "a"]])
    assert alike.notes == ('Every annotation is "a": there is no disagreement to look at.',)
    assert [row.entropy for row in alike.rows()] == [0.0, 0.0]


def test_a_table_of_counts_says_that_its_items_have_no_names() -> None:
    found = assent.items(Annotations.from_counts([[3, 0], [1, 2], [1, 2]], labels=["a", "b"]))
    assert [row.counts for row in found.rows()] == [{"b": 2, "a": 1}, {"b": 2, "a": 1}, {"a": 3}]
    assert any("does not name its items" in note for note in found.notes)


def test_on_a_scale_near_labels_agree_in_part() -> None:
    data = Annotations.from_array([["1", "2"], ["1", "5"], ["3", "3"], ["4", None]])
    found = by_name(data, scale="interval")
    assert [found[name]["weighted_agreement"] for name in "1234"] == [1 - 1 / 16, 0.0, 1.0, None]
    assert [found[name]["spread"] for name in "1234"] == [1.0, 4.0, 0.0, 0.0]
    assert [found[name]["agreement"] for name in "1234"] == [0.0, 0.0, 1.0, None]
    assert [row.item for row in assent.items(data, scale="interval").rows()] == ["2", "1", "3", "4"]
    kept = assent.items(data, scale="interval").filtered(max_agreement=0.5)
    assert [row.item for row in kept.rows()] == ["2"]


@pytest.mark.parametrize("scale", ["ordinal", "interval", "ratio"])
def test_weighted_agreement_of_an_item_is_that_of_its_pairs(scale: str) -> None:
    rows = [["1", "2", "4", "4"], ["7.5", "1", None, "2"], ["4", "4", "4", None]]
    found = by_name(rows, scale=scale)
    for i, row in enumerate(rows, start=1):
        # An item by itself, with every label somewhere so that the weights are the same.
        alone = Annotations.from_array([row, *[[label, None, None, None] for label in LABELS]])
        wanted = assent.percent_agreement(alone, scale=scale).value
        assert found[str(i)]["weighted_agreement"] == pytest.approx(wanted, abs=1e-12)
    steps = {"ordinal": [2.0, 3.0, 0.0], "interval": [3.0, 6.5, 0.0], "ratio": [3.0, 6.5, 0.0]}[scale]
    assert [found[name]["spread"] for name in "123"] == steps


def test_an_order_makes_names_a_scale() -> None:
    data = Annotations.from_array([["low", "mid"], ["low", "high"]])
    found = by_name(data, scale="ordinal", order=["low", "mid", "high"])
    assert found["1"]["weighted_agreement"] > found["2"]["weighted_agreement"] == 0.0
    assert [found[name]["spread"] for name in "12"] == [1.0, 2.0]
    with pytest.raises(assent.InputError, match="order is not known"):
        assent.items(data, scale="ordinal")


TEXTS = pl.DataFrame(
    {
        "item": ["1", "1", "2", "2", "3"],
        "annotator": ["x", "y", "x", "y", "x"],
        "label": ["a", "b", "a", "a", "b"],
        "said": [None, "first", "second", "other", None],
    }
)


def test_the_text_of_an_item_is_the_first_there_is() -> None:
    data = Annotations.from_frame(TEXTS, columns=["said"])
    found = assent.items(data, text="said")
    assert {row.item: row.text for row in found.rows()} == {"1": "first", "2": "second", "3": None}
    assert found.notes[-1] == "1 item with different texts in different rows: the first is shown."
    assert all(row.text is None for row in assent.items(data).rows())
    with pytest.raises(OptionError, match="was not kept"):
        assent.items(data, text="label")


def test_columns_are_the_rows_and_hold_what_was_asked_for_alone() -> None:
    data = Annotations.from_frame(TEXTS, columns=["said"])
    plain = assent.items(data)
    assert not {"text", "spread", "weighted_agreement"} & plain.columns().keys()
    found = assent.items(data, text="said")
    for i, row in enumerate(found.rows()):
        assert {name: cells[i] for name, cells in found.columns().items()} == {
            key: value for key, value in row.to_dict().items() if key not in ("spread", "weighted_agreement")
        }
    flat = found.columns(nested=False)
    assert [json.loads(cell) for cell in flat["counts"]] == found.columns()["counts"]
    assert [json.loads(cell) for cell in flat["tied"]] == found.columns()["tied"]


def test_rows_are_the_callers_own() -> None:
    found = assent.items([["a", "b"], ["a", "b"]])
    first, second = found.rows()
    first.to_dict()["tied"].clear()
    dict.clear(first.counts)
    assert (second.counts, second.tied) == ({"a": 1, "b": 1}, ("a", "b"))


def test_the_histogram_counts_items_whose_agreement_is_known() -> None:
    found = assent.items(TABLE)
    assert found.histogram().tolist() == [2, 0, 0, 1, 0, 0, 0, 0, 0, 2]
    assert found.histogram(2).tolist() == [3, 2]


def test_it_is_plain_values() -> None:
    content = assent.items(TABLE).filtered(min_annotations=3).head(1).to_dict()
    assert json.loads(json.dumps(content, allow_nan=False)) == content
    assert (content["total"], content["matching"], len(content["items"])) == (6, 3, 1)
    assert content["scale"] == "nominal"


def test_labels_are_put_into_words_once_for_each_distinct_item(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cost of a large table is counted, not timed: ten distinct items of a thousand are looked at ten times."""
    calls = 0
    original = assent.ItemAgreement.counts

    def counting(self: assent.ItemAgreement, place: int) -> dict[str, int]:
        nonlocal calls
        calls += 1
        return original(self, place)

    monkeypatch.setattr(assent.ItemAgreement, "counts", counting)
    rows = [[a, b] for a in "abcd" for b in "abcd"] * 60
    assert len(list(assent.items(rows).rows())) == 960
    assert calls == 10


def test_many_labels_need_no_table_of_items_by_labels() -> None:
    names = np.arange(30_000)
    frame = pl.DataFrame(
        {
            "item": np.repeat(names, 2),
            "annotator": np.tile(["x", "y"], len(names)),
            "label": np.stack([names, names // 2]).T.ravel(),
        }
    )
    found = assent.items(Annotations.from_frame(frame))
    assert len(found) == 30_000
    assert found.agreement.sum() == 1.0
