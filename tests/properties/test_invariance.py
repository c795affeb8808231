"""What must not change a number: names, order, repetition, items that show nothing."""

from __future__ import annotations

import math
import random
import re

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.properties.tables import (
    ALWAYS_THESE,
    FEW,
    LABELS,
    ROUNDING,
    STABLE,
    Rows,
    annotations,
    every_measure,
    everything,
    fitting,
    measured,
    near,
    nominal_measures,
    numbers,
    same,
    tables,
    team_measures,
)
from tests.support import label_measures

import assent
from assent import Annotations, Measure

#: Any text may be a label but blanks alone, which are none; half a surrogate pair is no text.
TEXTS = st.lists(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8).filter(str.strip), min_size=4, max_size=4, unique=True
)
#: The first and the last items have all annotators, the fourth has one annotation.
GAPPY: Rows = (
    ("1", "1", "2", "2"),
    ("2", "2", "2", None),
    ("4", "4", "7.5", "4"),
    (None, "1", None, None),
    ("2", "4", "2", "2"),
    ("7.5", "7.5", None, None),
    ("1", "2", "1", "1"),
)
#: Measures whose value depends on the number of items even if nothing else changes, other than alpha.
FINITE_SAMPLE = {
    "icc": "its mean squares have n - 1 degrees of freedom",
    "spa-kappa": "chance pairs annotations of different items, of which there are relatively more in a larger sample",
    "van-oest": "a prior of fixed weight counts for less, the more annotations there are",
}


def long(rows: Rows, *, items: list[str] | None = None, annotators: list[str] | None = None) -> pl.DataFrame:
    """The same table with one row per annotation."""
    cells = [
        (items[i] if items else f"item {i}", annotators[a] if annotators else f"who {a}", label)
        for i, row in enumerate(rows)
        for a, label in enumerate(row)
    ]
    return pl.DataFrame(cells, schema=dict.fromkeys(["item", "annotator", "label"], pl.String), orient="row")


def without_single(rows: Rows) -> Rows:
    """The items that have something to compare."""
    return tuple(row for row in rows if sum(label is not None for label in row) > 1)


@nominal_measures
@STABLE
@given(rows=tables(), names=TEXTS)
def test_renaming_labels_changes_nothing_on_a_nominal_scale(measure: Measure, rows: Rows, names: list[str]) -> None:
    new = dict(zip(LABELS, names, strict=True))
    renamed = tuple(tuple(None if label is None else new[label] for label in row) for row in rows)
    for case, (before, after) in measured(measure, rows, renamed):
        if case.nominal:
            assert numbers(after) == near(numbers(before)), case.id


@every_measure
@FEW
@given(rows=tables(), shuffle=st.randoms(use_true_random=False))
def test_permuting_items_changes_no_digit(measure: Measure, rows: Rows, shuffle: random.Random) -> None:
    mixed = list(rows)
    shuffle.shuffle(mixed)
    for case, (before, after) in measured(measure, rows, tuple(mixed)):
        assert same(after, before), (case.id, everything(before), everything(after))


@every_measure
@STABLE
@given(rows=tables(), shuffle=st.randoms(use_true_random=False))
def test_permuting_annotators_changes_nothing(measure: Measure, rows: Rows, shuffle: random.Random) -> None:
    rows = fitting(measure, rows)
    order = list(range(len(rows[0])))
    shuffle.shuffle(order)
    moved = tuple(tuple(row[a] for a in order) for row in rows)
    for case, (before, after) in measured(measure, rows, moved):
        assert numbers(after) == near(numbers(before)), case.id


@every_measure
@pytest.mark.parametrize("seed", range(4))
def test_names_of_items_and_annotators_and_the_order_of_long_rows_and_columns_change_nothing(
    measure: Measure, seed: int
) -> None:
    rows = fitting(measure, GAPPY)
    draw = random.Random(seed)
    items = [f"{draw.random()}" for _ in rows]
    annotators = draw.sample(["zoë", "Ann", "ann", "10", "9", " ", "x" * 300, "🙂"], len(rows[0]))
    frame = long(rows, items=items, annotators=annotators).sample(fraction=1, shuffle=True, seed=seed)
    frame = frame.select(draw.sample(frame.columns, 3))
    for case, (before, after) in measured(measure, rows, Annotations.from_frame(frame)):
        assert numbers(after) == near(numbers(before)), case.id


@every_measure
@STABLE
@given(rows=tables(), times=st.sampled_from([2, 3]))
def test_repeating_the_whole_data_set_changes_alpha_by_its_finite_sample_term_and_nothing_else(
    measure: Measure, rows: Rows, times: int
) -> None:
    """Of n annotations that can be compared, alpha pairs each with the n - 1 others.

    So D_e = (n^2 - S) / (n (n - 1)) with S = sum_ck n_c n_k w_ck. In k copies n^2 and S grow by k^2:
    D_e' = D_e * k (n - 1) / (k n - 1), while D_o stays, and 1 - alpha = D_o / D_e. No other measure has such a term.
    """
    for case, (once, repeated) in measured(measure, rows, rows * times):
        n = once.n_annotations
        assert (repeated.n_items, repeated.n_annotations) == (times * once.n_items, times * n), case.id
        assert repeated.observed == near(once.observed), case.id
        if measure.name not in FINITE_SAMPLE:
            term = times * (n - 1) / (times * n - 1) if measure.krippendorff else 1.0
            assert 1 - repeated.expected == near((1 - once.expected) * term), case.id
            assert 1 - repeated.value == near((1 - once.value) / term), case.id


@every_measure
def test_what_repetition_changes_fades_with_the_number_of_items(measure: Measure) -> None:
    """A finite-sample term is of the order 1 / n: twice the copies, half the change, up to 1 / n^2."""
    rows = without_single(GAPPY)
    for case, (one, two, three) in measured(measure, rows * 16, rows * 32, rows * 64):
        halved = pytest.approx((one.value - two.value) / 2, abs=1 / one.n_items**2)
        assert two.value - three.value == halved, case.id


@every_measure
@ALWAYS_THESE
@given(rows=tables(), single=st.lists(st.sampled_from(LABELS), min_size=1, max_size=3))
def test_items_with_one_annotation_change_nothing_or_chance_alone(
    measure: Measure, rows: Rows, single: list[str]
) -> None:
    """Not a digit changes, intervals included, unless the measure says that it uses them: then it is chance alone."""
    rows = fitting(measure, rows)
    # A new label may be nearer or farther than all others, which would change the weights of an ordered scale.
    used = {label for row in rows for label in row} if measure.scales != ("nominal",) else set(LABELS)
    more = (*rows, *((label, *[None] * (len(rows[0]) - 1)) for label in single if label in used))
    for case, (before, after) in measured(measure, rows, more):
        assert (after.n_items, after.n_annotations) == (before.n_items, before.n_annotations), case.id
        if not case.uses_single_annotations:
            assert same(after, before), (case.id, everything(before), everything(after))
        # A gap that is a label is one to disagree on; a mean over pairs of annotators is one over those that are defined.
        elif case.options != {"incomplete": "category"} and not any(math.isnan(pair.value) for pair in before.pairs):
            assert after.observed == near(before.observed), case.id


@nominal_measures
def test_a_label_that_only_items_with_one_annotation_have_changes_nothing_or_chance_alone(measure: Measure) -> None:
    rows = fitting(measure, without_single(GAPPY))
    more = (*rows, ("a new one", *[None] * (len(rows[0]) - 1)))
    for case, (before, after) in measured(measure, rows, more):
        # Chance is one over the number of labels for Brennan and Prediger, and there is one more of them.
        if case.nominal and not case.uses_single_annotations and measure.name != "brennan-prediger":
            # One column more, and a matrix product may add up in another order.
            assert same(after, before, ROUNDING), (case.id, everything(before), everything(after))


@every_measure
def test_clusters_of_items_with_one_annotation_change_nothing_or_chance_alone(measure: Measure) -> None:
    rows = fitting(measure, GAPPY)
    frame = long(rows).with_columns(doc=pl.col("item").replace({"item 1": "item 0", "item 6": "item 5"}))
    shown = frame.filter(pl.col("item") != "item 3")
    single = frame.filter(pl.col("item") == "item 3")
    more = pl.concat([shown, single, single.with_columns(item=pl.lit("other"), doc=pl.lit("other"))])
    both = (Annotations.from_frame(one, cluster="doc") for one in (shown, more))
    for case, (before, after) in measured(measure, *both):
        if not case.uses_single_annotations:
            assert same(after, before), (case.id, everything(before), everything(after))


@every_measure
def test_items_with_one_annotation_do_not_change_how_sure_a_difference_is(measure: Measure) -> None:
    rows = fitting(measure, without_single(GAPPY))
    more = (*rows, ("1", *[None] * (len(rows[0]) - 1)))
    for case, found in measured(measure, rows, more):
        if case.uses_single_annotations:
            continue
        before, after = (assent.difference(one, assent.percent_agreement(one.data)) for one in found)
        for method in ("analytic", "jackknife", "bootstrap"):
            assert after.standard_error(method) == near(before.standard_error(method)), (case.id, method)


@every_measure
@STABLE
@given(rows=tables())
@example(rows=(("1", "2"), ("2", "1")))  # no item differs from another
@example(rows=(("1", "1", "2"),) * 3)  # nor does an annotator from item to item
@example(rows=(("1", "2"),))
def test_no_value_exceeds_1_and_none_is_infinite(measure: Measure, rows: Rows) -> None:
    for case, agreement in measured(measure, rows):
        # Squared distances of fractions are sums of rounded numbers; equality of labels is counted in whole ones.
        most = 1 if case.nominal else 1 + ROUNDING
        for number in numbers(agreement):
            assert math.isnan(number) or -math.inf < number <= most, (case.id, numbers(agreement))
        if math.isnan(agreement.value):
            assert any(note.startswith("Undefined") for note in agreement.notes), case.id


@every_measure
@STABLE
@given(
    labels=st.lists(st.sampled_from(LABELS), min_size=2, max_size=8),
    sizes=st.one_of(st.just([5] * 8), st.lists(st.integers(2, 5), min_size=8, max_size=8)),
)
def test_perfect_agreement_is_1_or_undefined_with_a_note(measure: Measure, labels: list[str], sizes: list[int]) -> None:
    rows = tuple((label,) * n + (None,) * (5 - n) for label, n in zip(labels, sizes, strict=False))
    for case, agreement in measured(measure, rows):
        # A gap that counts as a label is no agreement.
        if case.options == {"incomplete": "category"} and any(None in row for row in fitting(measure, rows)):
            continue
        if math.isnan(agreement.value):
            assert measure.chance_corrected, case.id
            # With labels of several kinds there is something beyond chance, unless only one kind can be compared.
            assert len(set(labels)) == 1 or measure.complete, case.id
            assert any(note.startswith("Undefined") for note in agreement.notes), case.id
            if len(set(labels)) == 1:
                assert any(re.search("agreed? on everything", note) for note in agreement.notes), case.id
        else:
            assert agreement.value == (1.0 if case.nominal else near(1.0)), case.id
        for method in ("analytic", "jackknife", "bootstrap"):
            interval = agreement.confidence_interval(method=method, replicates=20)
            # Without any variation the lower end allows for what so few items can miss.
            if not math.isnan(interval.low):
                assert interval.high == near(1.0), (case.id, method)
                # A ratio of variances has no share of agreeing items to bound.
                assert interval.low < 1 - 1e-9 or math.isnan(agreement.observed), (case.id, method)


@team_measures
def test_one_label_for_everything_gives_the_same_answer_for_any_number_of_annotators(measure: Measure) -> None:
    """Shares such as 49 * (1 / 49) are not 1 in floats; that must not turn undefined into agreement."""
    odd = []
    reference = {case.id: agreement for case, agreement in measured(measure, (("1",) * 2,) * 3)}
    # These work out chance for every two annotators, of whom a hundred are 5,000 pairs.
    pairs = measure.name.startswith("boot-")
    for n in (
        (3, 7, 11, 13, 22, 23, 29, 49) if pairs else (3, 7, 11, 13, 22, 23, 29, 44, 46, 47, 49, 55, 58, 61, 98, 103)
    ):
        for case, agreement in measured(measure, (("1",) * n,) * 3):
            two = reference[case.id]
            # Of more than two it is said besides that the value is a mean over pairs.
            notes = [note for note in agreement.notes if not note.startswith("It is the mean over pairs")]
            if numbers(agreement) != near(numbers(two), 0.0) or len(notes) != len(two.notes):
                odd.append((case.id, n, agreement.value, agreement.expected))
    assert not odd


@every_measure
@pytest.mark.parametrize("label", ["0.1", "0.2", "0.7", "1.1", "5.6"])
def test_one_label_in_all_comparable_items_gives_the_same_answer_on_every_scale(measure: Measure, label: str) -> None:
    """The other labels stand in items with one annotation: nothing disagrees, and rounding must not either."""
    rows = (*[(label,) * 3] * 5, ("2.9", None, None), ("0.8", None, None))
    whole = tuple(tuple({label: "0", "2.9": "2", "0.8": "1"}.get(cell or "") for cell in row) for row in rows)
    for case, (agreement, exact) in measured(measure, rows, whole):
        assert math.isnan(agreement.value) == math.isnan(exact.value), (case.id, agreement.value, exact.value)
        if case.options != {"incomplete": "category"}:
            assert math.isnan(agreement.value) or agreement.value == near(1.0), case.id
        if math.isnan(agreement.value):
            assert any(note.startswith("Undefined") for note in agreement.notes), case.id


@every_measure
@pytest.mark.parametrize(("often", "seldom"), [("2.1", "4.9"), ("7.6", "6.8"), ("1", "6.3"), ("5.6", "6.7")])
def test_two_labels_are_two_labels_whatever_numbers_they_are(measure: Measure, often: str, seldom: str) -> None:
    """All scales agree on two labels, and samples that drew but one are undefined.

    Rounding must not turn 0 / 0 into a number, which the jackknife and the bootstrap would take for a value. The labels
    0 and 1 have no roundings, and in the same order they are the same profiles, so that the same samples are drawn.
    """
    low, high = sorted((often, seldom), key=float)
    rows = (*[(often,) * 3] * 3, (seldom, seldom, None), (seldom,) * 3)
    exact = tuple(tuple({low: "0", high: "1"}.get(cell or "") for cell in row) for row in rows)
    for case, (here, there) in measured(measure, rows, exact):
        assert numbers(here) == near(numbers(there)), case.id
        assert here.bootstrap(replicates=100, seed=1) == near(there.bootstrap(replicates=100, seed=1)), case.id
        assert here.standard_error("jackknife") == near(there.standard_error("jackknife")), case.id


def test_annotations_are_made_once() -> None:
    """The tables of these tests are shared; measuring must not change them."""
    data = annotations(GAPPY)
    before = (data.labels, data.annotators, data.n_annotations, data.notes, data.dropped)
    for measure in label_measures().values():
        list(measured(measure, GAPPY))
    assert (data.labels, data.annotators, data.n_annotations, data.notes, data.dropped) == before


@pytest.mark.parametrize("unit", [2.0**1021, 2.0**600, 2.0**-600, 2.0**-1000])
@pytest.mark.parametrize(
    "measure", ["krippendorff-alpha", "cohen-kappa", "icc", "lin-concordance", "percent-agreement"]
)
def test_numbers_in_a_very_large_or_small_unit_agree_as_much(measure: str, unit: float) -> None:
    """Squares of such numbers, and the largest difference of some, are no numbers any more."""
    rows = [(-4.0, -4.0), (4.0, 4.0), (-4.0, 4.0), (1.0, 2.0), (3.0, 2.0), (4.0, 3.0), (0.5, 0.5)]
    plain, other = (
        assent.measure([[a * one for a in row] for row in rows], measure, scale="interval").to_dict()["measures"][0]
        for one in (1.0, unit)
    )
    for found in (plain, other):
        found |= found.pop("ci")
    for name in ("value", "standard_error", "low", "high"):
        assert other[name] == pytest.approx(plain[name], rel=1e-6)
