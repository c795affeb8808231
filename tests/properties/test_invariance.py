"""What must not change a number: names, order, repetition, items that show nothing."""

from __future__ import annotations

import math
import random

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.tables import (
    LABELS,
    STABLE,
    Case,
    Rows,
    annotations,
    every_case,
    every_nominal_case,
    everything,
    near,
    numbers,
    tables,
)

import assent
from assent import Annotations

#: Any text at all may be a label; half a surrogate pair is no text.
TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), min_size=4, max_size=4, unique=True)
GAPPY: Rows = (
    ("1", "1", None, "2"),
    ("2", "2", "2", None),
    ("4", None, "7.5", "4"),
    (None, "1", None, None),
    ("2", "4", "2", "2"),
    ("7.5", "7.5", None, None),
    ("1", "2", "1", "1"),
)


def long(rows: Rows, *, items: list[str] | None = None, annotators: list[str] | None = None) -> pl.DataFrame:
    """The same table with one row per annotation."""
    cells = [
        (items[i] if items else f"item {i}", annotators[a] if annotators else f"who {a}", label)
        for i, row in enumerate(rows)
        for a, label in enumerate(row)
    ]
    return pl.DataFrame(cells, schema=dict.fromkeys(["item", "annotator", "label"], pl.String), orient="row")


@every_nominal_case
@STABLE
@given(rows=tables(), names=TEXTS)
def test_renaming_labels_changes_nothing_on_a_nominal_scale(case: Case, rows: Rows, names: list[str]) -> None:
    new = dict(zip(LABELS, names, strict=True))
    renamed = tuple(tuple(None if label is None else new[label] for label in row) for row in rows)
    assert numbers(case(annotations(renamed))) == near(numbers(case(annotations(rows))))


@every_case
@STABLE
@given(rows=tables(), shuffle=st.randoms(use_true_random=False))
def test_permuting_items_changes_no_digit(case: Case, rows: Rows, shuffle: random.Random) -> None:
    mixed = list(rows)
    shuffle.shuffle(mixed)
    assert everything(case(annotations(tuple(mixed)))) == everything(case(annotations(rows)))


@every_case
@STABLE
@given(rows=tables(), shuffle=st.randoms(use_true_random=False))
def test_permuting_annotators_changes_nothing(case: Case, rows: Rows, shuffle: random.Random) -> None:
    order = list(range(len(rows[0])))
    shuffle.shuffle(order)
    moved = tuple(tuple(row[a] for a in order) for row in rows)
    assert numbers(case(annotations(moved))) == near(numbers(case(annotations(rows))))


@every_case
@pytest.mark.parametrize("seed", range(4))
def test_names_of_items_and_annotators_and_the_order_of_long_rows_and_columns_change_nothing(
    case: Case, seed: int
) -> None:
    draw = random.Random(seed)
    items = [f"{draw.random()}" for _ in GAPPY]
    annotators = draw.sample(["zoë", "Ann", "ann", "10", "9", " ", "x" * 300, "🙂"], 4)
    frame = long(GAPPY, items=items, annotators=annotators).sample(fraction=1, shuffle=True, seed=seed)
    frame = frame.select(draw.sample(frame.columns, 3))
    assert numbers(case(Annotations.from_frame(frame))) == near(numbers(case(annotations(GAPPY))))


@every_case
@pytest.mark.parametrize("times", [2, 3])
@STABLE
@given(rows=tables())
def test_repeating_the_whole_data_set_changes_alpha_by_its_finite_sample_term_and_nothing_else(
    case: Case, times: int, rows: Rows
) -> None:
    """Of n annotations that can be compared, alpha pairs each with the n - 1 others.

    So D_e = (n^2 - S) / (n (n - 1)) with S = sum_ck n_c n_k w_ck. In k copies n^2 and S grow by k^2:
    D_e' = D_e * k (n - 1) / (k n - 1), while D_o stays, and 1 - alpha = D_o / D_e. No other measure has such a term.
    """
    once, repeated = case(annotations(rows)), case(annotations(rows * times))
    n = once.annotations
    term = times * (n - 1) / (times * n - 1) if case.measure.krippendorff else 1.0
    assert repeated.observed == near(once.observed)
    assert 1 - repeated.expected == near((1 - once.expected) * term)
    assert 1 - repeated.value == near((1 - once.value) / term)
    assert (repeated.items, repeated.annotations) == (times * once.items, times * n)


@every_case
@STABLE
@given(rows=tables(), single=st.lists(st.sampled_from(LABELS), min_size=1, max_size=3))
def test_items_with_one_annotation_change_nothing_or_chance_alone(case: Case, rows: Rows, single: list[str]) -> None:
    """Not a digit changes, intervals included, unless the measure says that it uses them: then it is chance alone."""
    used = {label for row in rows for label in row}
    # A new label may be nearer or farther than all others, which changes the weights of an ordered scale.
    extra = [label for label in single if case.nominal or label in used]
    more = (*rows, *((label, *[None] * (len(rows[0]) - 1)) for label in extra))
    before, after = case(annotations(rows)), case(annotations(more))
    if case.measure.uses_single_annotations:
        assert after.observed == near(before.observed)
        assert (after.items, after.annotations) == (before.items, before.annotations)
    else:
        assert everything(after) == everything(before)


@every_nominal_case
def test_clusters_of_items_with_one_annotation_change_nothing_or_chance_alone(case: Case) -> None:
    if case.measure.uses_single_annotations:
        pytest.skip("its chance agreement counts them")
    frame = long(GAPPY).with_columns(doc=pl.col("item").replace({"item 1": "item 0", "item 6": "item 5"}))
    shown = frame.filter(pl.col("item") != "item 3")
    single = frame.filter(pl.col("item") == "item 3")
    more = pl.concat([shown, single, single.with_columns(item=pl.lit("other"), doc=pl.lit("other"))])
    before, after = (case(Annotations.from_frame(one, cluster="doc")) for one in (shown, more))
    assert everything(after) == everything(before)


@every_nominal_case
def test_items_with_one_annotation_do_not_change_how_sure_a_difference_is(case: Case) -> None:
    other = assent.percent_agreement
    if case.measure.uses_single_annotations:
        pytest.skip("its chance agreement counts them")
    without = tuple(row for row in GAPPY if sum(label is not None for label in row) > 1)
    before, after = (
        assent.difference(case(annotations(rows)), other(annotations(rows))) for rows in (without, without + GAPPY[3:4])
    )
    for method in ("analytic", "jackknife", "bootstrap"):
        assert after.standard_error(method) == near(before.standard_error(method)), method


@every_case
@STABLE
@given(rows=tables())
def test_no_value_exceeds_1(case: Case, rows: Rows) -> None:
    agreement = case(annotations(rows))
    # Squared distances of fractions are sums of rounded numbers; equality of labels is counted in whole ones.
    assert math.isnan(agreement.value) or agreement.value <= (1 if case.nominal else 1 + 1e-12)
    assert agreement.observed <= (1 if case.nominal else 1 + 1e-12)


@every_case
@STABLE
@given(
    labels=st.lists(st.sampled_from(LABELS), min_size=2, max_size=8),
    sizes=st.lists(st.integers(2, 5), min_size=8, max_size=8),
)
def test_perfect_agreement_is_1_or_undefined_with_a_note(case: Case, labels: list[str], sizes: list[int]) -> None:
    rows = tuple((label,) * n + (None,) * (5 - n) for label, n in zip(labels, sizes, strict=False))
    agreement = case(annotations(rows))
    if math.isnan(agreement.value):
        assert len(set(labels)) == 1
        assert case.measure.chance_corrected
        assert any("agree on everything" in note for note in agreement.notes)
    else:
        assert agreement.value == (1.0 if case.nominal else near(1.0))


@every_case
def test_one_label_for_everything_gives_the_same_answer_for_any_number_of_annotators(case: Case) -> None:
    """Shares such as 49 * (1 / 49) are not 1 in floats; that must not turn undefined into agreement."""
    odd = []
    two = case(Annotations.from_counts([[2]] * 3, labels=["1"]))
    for n in [*range(3, 60), 98, 103, 107, 161, 187, 1003]:
        many = case(Annotations.from_counts([[n]] * 3, labels=["1"]))
        if numbers(many) != near(numbers(two), 0.0) or len(many.notes) != len(two.notes):
            odd.append((n, many.value, many.expected))
    assert not odd


@every_case
@pytest.mark.parametrize("label", ["0.1", "0.2", "0.7", "1.1", "5.6"])
def test_one_label_in_all_comparable_items_is_1_or_undefined_with_a_note(case: Case, label: str) -> None:
    """The other labels stand in items with one annotation: there is nothing that could disagree."""
    rows = (*[(label,) * 3] * 5, ("2.9", None, None), ("0.8", None, None))
    agreement = case(annotations(rows))
    if case.measure.chance_corrected and not case.measure.uses_single_annotations:
        assert math.isnan(agreement.value)
        assert any(note.startswith("Undefined") for note in agreement.notes)
    else:
        assert agreement.value == near(1.0)


@every_case
@pytest.mark.parametrize(("often", "seldom"), [("2.1", "4.9"), ("7.6", "6.8"), ("1", "6.3"), ("5.6", "6.7")])
def test_a_sample_that_drew_one_label_is_undefined_on_every_scale(case: Case, often: str, seldom: str) -> None:
    """Rounding must not turn 0 / 0 into a number: the jackknife and the bootstrap would take it for a value.

    Two labels are the same two profiles on every scale, so the same samples are drawn, and are undefined.
    """
    rows = (*[(often,) * 3] * 3, (seldom, seldom, None))
    nominal = case.measure(annotations(rows), **({} if "scale" in case.options else case.options))
    here = case(annotations(rows))
    undefined = [math.isnan(value) for value in here.bootstrap(replicates=100, seed=1)]
    assert undefined == [math.isnan(value) for value in nominal.bootstrap(replicates=100, seed=1)]
    assert math.isnan(here.standard_error("jackknife")) == math.isnan(nominal.standard_error("jackknife"))
