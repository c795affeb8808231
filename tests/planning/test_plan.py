"""What a plan answers, what it says beside, and what it refuses."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import assent
from assent.analyses.plan import ForHalfWidth, Plan, inputs, plan

ROWS = [
    ["a", "a", "a"],
    ["b", "b", "b"],
    ["a", "a", "b"],
    ["b", "b", "b"],
    ["a", "a", "a"],
    ["b", "a", "b"],
    ["c", "c", "c"],
]
TABLE = ROWS * 20


def half(made: Plan) -> ForHalfWidth:
    assert made.half_width is not None
    return made.half_width


def many(seed: int = 1, items: int = 300, sizes: tuple[int, ...] = (2, 3, 4, 5)) -> assent.Annotations:
    """Easy and hard items with different numbers of annotations."""
    rng = np.random.default_rng(seed)
    true, hard = rng.choice(3, p=[0.5, 0.3, 0.2], size=items), rng.random(items) < 0.3
    counts = np.zeros((items, 3), dtype=int)
    for i in range(items):
        for _ in range(rng.choice(sizes)):
            right = rng.random() < (0.4 if hard[i] else 0.95)
            counts[i, true[i] if right else rng.choice(3)] += 1
    return assent.Annotations.from_counts(counts, labels=["x", "y", "z"])


@pytest.mark.parametrize(
    "measure", ["krippendorff-alpha", "percent-agreement", "spa", "gwet-ac", "conger-kappa", "icc"]
)
def test_the_present_number_of_items_reaches_the_present_half_width(measure: str) -> None:
    table = [["abc".index(x) for x in row] for row in TABLE] if measure == "icc" else TABLE
    interval = assent.all_measures()[measure](table).confidence_interval(0.9)
    made = plan(table, measure=measure, half_width=(interval.high - interval.low) / 2 + 1e-9, level=0.9)
    assert half(made).needed.n_items == len(TABLE)
    assert half(made).more == 0
    assert made.now is not None
    assert made.now.half_width == pytest.approx((interval.high - interval.low) / 2)
    assert made.value == assent.all_measures()[measure](table).value


def test_sets_with_a_primary_label_are_planned_as_they_are_compared() -> None:
    from assent.examples import EXAMPLES

    data = EXAMPLES["multi-label"].data()
    assert isinstance(data, assent.Annotations)
    assert len(data._without_ranks().labels) < len(data.labels)
    ranked, plain = plan(data), plan(data._without_ranks())
    assert half(ranked).choices == half(plain).choices
    assert ranked.per_item == plain.per_item


def test_documents_with_spans_are_said_once() -> None:
    from assent.examples import EXAMPLES

    made = plan(EXAMPLES["spans"].data())
    said = " ".join([*made.sentences, *made.notes])
    assert "from 40 documents with 5.3 spans each on average" in said
    assert "cluster" not in said
    assert "40 items" not in said


def test_a_cluster_column_that_is_called_documents_is_one() -> None:
    frame = pl.DataFrame(
        [
            (f"{at}-{row}", who, label, f"d{row}")
            for at, labels in enumerate(TABLE)
            for who, label in enumerate(labels)
            for row in (at % 35,)
        ],
        schema=["item", "annotator", "label", "documents"],
        orient="row",
    )
    made = plan(assent.Annotations.from_frame(frame, cluster="documents"))
    assert "35 clusters (documents), 140 items with 3 annotations each" in made.sentences[0]


def test_items_needed_grow_with_the_square_of_the_precision() -> None:
    needed = [half(plan(TABLE, half_width=x)).needed.n_items for x in (0.04, 0.02, 0.01)]
    assert needed[1] / needed[0] == pytest.approx(4, rel=0.01)
    assert needed[2] / needed[1] == pytest.approx(4, rel=0.01)


def test_rows_of_the_present_number_of_annotations_say_what_the_headline_says() -> None:
    made = plan(TABLE, half_width=0.05, target=0.6)
    three = next(one for one in half(made).choices if one.annotations_per_item == 3)
    assert three == half(made).needed
    assert next(one for one in made.per_item if one.annotations_per_item == 3) == made.now
    assert made.power is not None
    assert next(one for one in made.power.choices if one.annotations_per_item == 3) == made.power.needed
    assert half(plan(TABLE, half_width=0.05, annotations_per_item=3)) == half(made)


def test_a_choice_of_annotations_per_item_is_the_headline_and_a_row() -> None:
    made = plan(many(), half_width=0.05, annotations_per_item=8)
    assert half(made).needed.annotations_per_item == 8
    assert half(made).needed in half(made).choices
    assert half(made).more is None
    assert [one.annotations_per_item for one in made.per_item] == [2, 3, 4, 5, 6, 8]


def test_more_annotations_per_item_need_fewer_items() -> None:
    choices = half(plan(many(), half_width=0.05)).choices
    items = [one.n_items for one in choices]
    assert items == sorted(items, reverse=True)
    for one in choices:
        assert one.n_annotations == one.n_items * one.annotations_per_item
        assert one.half_width <= 0.05


def test_the_cheapest_design_is_the_cheapest_of_all() -> None:
    for cost in (0.0, 2.0, 10.0):
        made = plan(many(), half_width=0.05, item_cost=cost)
        best = half(made).cheapest
        assert best is not None
        # Every other number of annotations per item, asked for by name, costs as much or more.
        for k in range(2, 15):
            other = half(plan(many(), half_width=0.05, item_cost=cost, annotations_per_item=k)).needed
            assert other.cost == pytest.approx(other.n_items * (k + cost))
            assert other.cost >= best.cost or other.n_items < inputs.FEW_ITEMS
    assert best.annotations_per_item > 2


def test_a_budget_is_spent_on_the_narrowest_interval() -> None:
    made = plan(many(), budget=1000, item_cost=1, annotations_per_item=4)
    answer = made.budget
    assert answer is not None
    assert answer.asked is not None
    assert answer.asked.n_items == 200
    for one in answer.choices:
        assert one.n_items == 1000 // (one.annotations_per_item + 1)
        assert one.cost <= 1000
        assert one.half_width >= answer.best.half_width
    assert answer.best in answer.choices
    twice = plan(many(), budget=2000, item_cost=1).budget
    assert twice is not None
    assert answer.best.half_width / twice.best.half_width == pytest.approx(math.sqrt(2), rel=0.02)


def test_a_best_design_has_enough_items_for_an_interval() -> None:
    """Where nearly all disagreement is within items, few items with many annotations seem best, and are too few."""
    made = plan(kappa=0.02, shares=[0.5, 0.5], budget=400)
    assert made.budget is not None
    assert made.budget.best.n_items >= inputs.FEW_ITEMS
    small = plan(kappa=0.02, shares=[0.5, 0.5], budget=40)
    assert small.budget is not None
    assert small.budget.best.n_items <= 20


def test_power_now_and_the_power_that_is_needed() -> None:
    made = plan(TABLE, target=0.6, power=0.9)
    assert made.power is not None
    assert made.power.needed is not None
    again = plan(ROWS * (made.power.needed.n_items // 7 + 1), target=0.6)
    assert again.power is not None
    assert again.power.now == pytest.approx(0.9, abs=0.01)
    assert made.power.now is not None
    assert made.power.now < 0.9
    assert (made.power.low or 0) < made.power.needed.n_items


def test_a_value_below_the_target_is_told_plainly() -> None:
    made = plan(TABLE, target="objective")
    assert made.power is not None
    assert made.power.needed is None
    assert made.power.choices == ()
    assert "not above 0.8: no number of items will show that it is. Clearer guidelines" in made.sentences[-1]
    # Its interval reaches above this one.
    near = plan(TABLE, target=0.72)
    assert near.power is not None
    assert near.power.low is not None
    assert "Its interval reaches beyond 0.72" in near.sentences[-1]


def test_an_assumption_by_agreement_or_by_kappa_is_the_same() -> None:
    shares = (0.7, 0.2, 0.1)
    chance = sum(one**2 for one in shares)
    by_kappa = plan(kappa=0.5, shares=shares, half_width=0.05)
    by_agreement = plan(agreement=chance + 0.5 * (1 - chance), shares=shares, half_width=0.05)
    assert half(by_kappa).needed == half(by_agreement).needed
    assert by_kappa.value == pytest.approx(0.5)
    assert by_kappa.agreement == pytest.approx(by_agreement.agreement)
    assert by_kappa.now is None
    assert by_kappa.per_item == ()
    assert half(by_kappa).low is None
    # Nothing was asked about annotations per item: the cheapest number is taken.
    assert half(by_kappa).needed == half(by_kappa).cheapest


def test_an_assumption_is_what_data_like_it_would_say() -> None:
    """Two annotators whose table is exactly the assumed one plan the same."""
    shares, kappa = np.array([0.5, 0.3, 0.2]), 0.6
    table = np.rint(2000 * (kappa * np.diag(shares) + (1 - kappa) * np.outer(shares, shares))).astype(int)
    data = assent.Annotations.from_contingency(table, labels=["a", "b", "c"])
    for measure in ("krippendorff-alpha", "cohen-kappa", "gwet-ac", "percent-agreement", "scott-pi"):
        assumed = plan(kappa=kappa, shares=shares.tolist(), measure=measure, half_width=0.03, annotations_per_item=2)
        pilot = plan(data, measure=measure, half_width=0.03)
        assert half(assumed).needed.n_items == pytest.approx(half(pilot).needed.n_items, rel=0.01)
        assert assumed.value == pytest.approx(pilot.value, abs=2e-3)


def test_two_annotators_who_guess_need_the_items_of_a_coin() -> None:
    """Percent agreement of two annotations is a share: the items needed for it are in every textbook."""
    made = plan(agreement=0.8, shares=[0.5, 0.5], measure="percent-agreement", half_width=0.05, annotations_per_item=2)
    assert half(made).needed.n_items == pytest.approx(1.96**2 * 0.8 * 0.2 / 0.05**2, abs=4)


def by_document(items: int = 12) -> assent.Annotations:
    rows = [
        (f"{d}-{i}", f"r{j}", label, d)
        for d in range(40)
        for i in range(items)
        for j, label in enumerate(ROWS[(d + i // 4) % 7])
    ]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "document"], orient="row")
    return assent.Annotations.from_frame(frame, cluster="document")


def test_clusters_are_planned_as_clusters() -> None:
    made = plan(by_document(), half_width=0.03, budget=3600)
    assert made.unit == "document"
    assert made.now is not None
    assert (made.now.n_units, made.now.n_items, made.now.n_annotations) == (40, 480, 1440)
    assert half(made).needed.n_items == 12 * half(made).needed.n_units
    interval = assent.krippendorff_alpha(by_document()).confidence_interval()
    assert made.now.half_width == pytest.approx((interval.high - interval.low) / 2)
    assert made.budget is not None
    three = next(one for one in made.budget.choices if one.annotations_per_item == 3)
    assert (three.n_units, three.n_items, three.n_annotations) == (100, 1200, 3600)
    assert any(note.startswith("Whole clusters are planned, of 12.0 items each") for note in made.notes)
    assert "clusters (document)" in made.sentences[1]


def test_items_with_one_annotation_do_not_count() -> None:
    alone: list[list[str | None]] = [["a", None, None]] * 60
    without, with_alone = plan(TABLE, half_width=0.05), plan([*TABLE, *alone], half_width=0.05)
    assert half(with_alone).needed == half(without).needed
    assert any("60 items with one annotation not counted" in note for note in with_alone.notes)


def test_what_the_data_do_not_say_is_said() -> None:
    pairs = plan([row[:2] for row in TABLE], half_width=0.05)
    assert pairs.known == 2
    assert any("more than two annotations" in note and "Dirichlet" in note for note in pairs.notes)
    triples = plan(TABLE, half_width=0.05)
    assert triples.known == 3
    assert any("more than three annotations" in note for note in triples.notes)
    full = plan(many(), half_width=0.05)
    assert full.known == 4
    assert not any("model" in note for note in full.notes)
    # The range of a guess is wider than that of what was seen.
    guess, seen = (half(plan(TABLE, half_width=0.05, annotations_per_item=k)) for k in (5, 3))
    assert (guess.high or 0) / (guess.low or 1) > 1.4 * (seen.high or 0) / (seen.low or 1)


def test_more_annotations_than_annotators_is_said() -> None:
    made = plan(TABLE, half_width=0.05, annotations_per_item=5)
    assert any("There are 3 annotators so far; 5 annotations per item need more" in note for note in made.notes)


def test_few_items_that_decide_much_are_said() -> None:
    skewed = [["a", "a"]] * 190 + [["b", "b"]] * 5 + [["a", "b"]] * 5
    made = plan(skewed, half_width=0.3, measure="percent-agreement")
    assert any("not symmetric" in note for note in made.notes)


def test_a_tiny_pilot_is_called_a_guess() -> None:
    made = plan(ROWS, half_width=0.05)
    answer = half(made)
    assert answer.low is not None
    assert answer.high is not None
    assert answer.low < answer.needed.n_items < answer.high
    assert "too few for more than a guess" in made.sentences[2]
    # Of two items, 2 to 272 million would be plausible, which says nothing.
    tiny = plan([["x", "y"], ["x", "x"]], half_width=0.1)
    assert "plausible" not in " ".join(tiny.sentences)
    assert "too few for more than a guess" in tiny.sentences[2]
    large = plan(ROWS * 200, half_width=0.05)
    assert "guess" not in " ".join(large.sentences)
    assert "already" in large.sentences[1]


@pytest.mark.parametrize("measure", ["cohen-kappa", "conger-kappa", "scott-pi"])
def test_a_measure_that_fixes_the_annotators_plans_items_alone(measure: str) -> None:
    table = [row[:2] for row in TABLE]
    made = plan(table, measure=measure, half_width=0.05, annotations_per_item=2)
    assert half(made).choices == ()
    assert half(made).cheapest is None
    assert made.known is None
    assert any(note.startswith("Other numbers of annotations per item are not planned") for note in made.notes)
    with pytest.raises(assent.OptionError, match="3 annotations per item cannot be planned"):
        plan(table, measure=measure, half_width=0.05, annotations_per_item=3)
    with pytest.raises(assent.OptionError, match="A budget cannot be split"):
        plan(table, measure=measure, budget=1000)


def test_scales_weights_and_orders() -> None:
    data = assent.Annotations.from_array(TABLE)
    for options in ({"scale": "ordinal", "order": ["a", "b", "c"]}, {"weights": np.eye(3)}):
        made = plan(data, half_width=0.05, **options)  # type: ignore[arg-type]
        assert made.value == assent.krippendorff_alpha(data, **options).value  # type: ignore[arg-type]
    assert plan(kappa=0.6, shares=[0.3, 0.4, 0.3], scale="ordinal", half_width=0.05).options["scale"] == "ordinal"


def test_many_distinct_labels_are_planned_without_other_numbers_of_annotations() -> None:
    rng = np.random.default_rng(1)
    true = rng.normal(size=(100, 1))
    table = np.round(true + 0.3 * rng.normal(size=(100, 3)), 3).tolist()
    made = plan(table, scale="interval", half_width=0.05)
    assert half(made).choices == ()
    assert any("distinct labels" in note for note in made.notes)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"half_width": 0}, "The half-width is 0; it must lie between 0 and 1"),
        ({"half_width": 1.5}, "The half-width is 1.5; it must lie between 0 and 1"),
        ({"half_width": math.nan}, "The half-width is nan"),
        ({"half_width": 0.1, "level": 95}, "The confidence level is 95"),
        ({"target": 1.2}, "The target is 1.2"),
        ({"target": "high"}, 'The target "high" is neither a number'),
        ({"target": 0.5, "power": 0.3}, "The power is 0.3"),
        ({"target": 0.5, "power": 1}, "The power is 1"),
        ({"half_width": 0.1, "annotations_per_item": 1}, "The number of annotations per item is 1"),
        ({"half_width": 0.1, "item_cost": -1}, "The cost of an item is -1"),
        ({"half_width": 0.1, "item_cost": math.nan}, "The cost of an item is nan"),
        ({"budget": 0}, "The budget is 0"),
        ({"budget": math.inf}, "The budget is inf"),
        ({"budget": 3}, "A budget of 3 annotations is too small"),
        ({"half_width": 0.1, "measure": "kapa"}, 'There is no measure "kapa": did you mean "kappa"?'),
        ({"half_width": 0.1, "scheme": "flat"}, 'krippendorff-alpha has no option "scheme"'),
        ({"half_width": 0.1, "agreement": 0.8}, "Give data or an assumption"),
    ],
)
def test_what_cannot_be_planned_from_data(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(assent.OptionError, match=reason):
        plan(TABLE, **options)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, "There is nothing to plan from"),
        ({"agreement": 0.8}, "There is nothing to plan from"),
        ({"shares": [0.5, 0.5]}, "There is nothing to plan from"),
        ({"agreement": 0.8, "kappa": 0.6, "shares": [0.5, 0.5]}, "assume one of them"),
        ({"agreement": 0.8, "shares": [0.7, 0.2]}, "The shares add up to 0.9: they must add up to 1"),
        ({"agreement": 0.8, "shares": [1.0]}, "two or more numbers between 0 and 1"),
        ({"agreement": 0.8, "shares": [1.2, -0.2]}, "two or more numbers between 0 and 1"),
        ({"agreement": 0.5, "shares": [0.7, 0.3]}, "at random agree on 0.580 of the items"),
        ({"agreement": 1.0, "shares": [0.5, 0.5]}, "The assumed agreement is 1"),
        ({"kappa": 1.0, "shares": [0.5, 0.5]}, "The assumed kappa is 1"),
        ({"kappa": -0.1, "shares": [0.5, 0.5]}, "The assumed kappa is -0.1"),
        ({"kappa": math.nan, "shares": [0.5, 0.5]}, "The assumed kappa is nan"),
        ({"kappa": 0.5, "shares": [1 / 200] * 200}, "There are 200 shares; at most 150 labels"),
        ({"kappa": 0.5, "shares": [0.5, 0.5], "order": ["a", "b"]}, "An order of labels is for data"),
    ],
)
def test_what_cannot_be_assumed(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(assent.OptionError, match=reason):
        plan(half_width=0.05, **options)


def test_a_plan_is_plain_values_and_cannot_be_changed() -> None:
    made = plan(many(), half_width=0.05, budget=1000, target=0.5)
    said = json.loads(json.dumps(made.to_dict(), allow_nan=False))["plan"]
    assert set(said) == {*made.__struct_fields__, "sentences"} - {"data"}
    assert said["half_width"]["needed"]["items"] == half(made).needed.n_items
    assert said["half_width"] == json.loads(json.dumps(half(made).to_dict()))
    assert said["power"]["now"] == made.power.now if made.power else False
    with pytest.raises(AttributeError, match="immutable"):
        made.value = 1.0  # type: ignore[misc]
    assert tuple(str(made).splitlines()[2:][: len(made.sentences)]) == made.sentences
    # What was not asked is there, and empty.
    assert plan(TABLE, half_width=0.05).to_dict()["plan"]["budget"] is None


def test_planning_a_large_table_costs_no_more_than_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Profiles are planned from, not items: as many evaluations for a hundred times the items."""
    from assent.analyses.plan import precision

    calls: list[int] = []
    original = precision.influence

    def counted(statistic: Any, weights: Any) -> Any:
        calls.append(len(weights))
        return original(statistic, weights)

    monkeypatch.setattr(precision, "influence", counted)
    plan(TABLE, half_width=0.05)
    small = list(calls)
    calls.clear()
    plan(TABLE * 100, half_width=0.05)
    assert calls == small
    assert len(small) == 2


def test_a_way_with_too_few_items_is_not_the_cheapest_and_a_note_says_why() -> None:
    """Below 50 items intervals hold less often than they say: 132 annotations of 22 items stood beside 180 that "cost least"."""
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 4, (70, 1))
    rows = np.where(rng.random((70, 3)) < 0.6, truth, rng.integers(0, 4, (70, 3))).astype(str).tolist()
    made = assent.plan(rows, half_width=0.12)
    best = half(made).cheapest
    assert best is not None
    cheaper = [one for one in half(made).choices if one.cost < best.cost]
    assert cheaper
    assert all(one.n_items < 50 <= best.n_items for one in cheaper)
    assert [note for note in made.notes if note.startswith("Ways with fewer than 50 items")]
    wide = assent.plan(rows, half_width=0.04)
    assert not [note for note in wide.notes if "cost least" in note]


@pytest.mark.parametrize(
    "rows",
    [
        ["bba", "aab", "abb"],
        ["abbba", "aabbb", "abbba", "aabba", "babab"],
        ["bdcdd", "eecad", "edabc", "ddddb"],
        ["bcd", "add", "aae", "cae"],
    ],
)
def test_items_that_hardly_differ_are_planned_as_copies_of_them_show(rows: list[str]) -> None:
    """The interval of few such items is mostly that of the pseudo-item, whose share falls with the number of items."""

    def reach(copies: int) -> float:
        interval = assent.krippendorff_alpha([list(row) for row in rows] * copies).confidence_interval(0.95)
        return (interval.high - interval.low) / 2

    needed = half(plan([list(row) for row in rows], measure="krippendorff-alpha", half_width=0.1)).needed.n_items
    right = next(copies for copies in range(2, 20) if reach(copies) <= 0.1) * len(rows)
    assert right / 1.35 <= needed <= right * 1.1
