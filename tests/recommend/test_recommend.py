"""What fits the data is chosen from the number of annotators, the gaps and the scale, and the reasons are said."""

from __future__ import annotations

import pytest
from tests.support import some

import assent
from assent import Annotations
from assent.analyses.recommend import recommend

TWO = Annotations.from_array([["a", "a"], ["b", "a"], ["b", "b"]])
TWO_WITH_GAPS = Annotations.from_array([["a", "a"], ["b", None], ["b", "b"], ["a", "b"]])
THREE = Annotations.from_array([["a", "a", "b"], ["b", "a", "b"], ["b", "b", "b"]])
CROWD = Annotations.from_triples([(f"w{i * 3 + j}", f"i{i}", "ab"[(i + j) % 2]) for i in range(20) for j in range(3)])
UNKNOWN = Annotations.from_counts([[3, 0], [1, 2]], labels=["a", "b"])
NUMBERS = Annotations.from_array([[1, 2, 2], [3, 3, 4], [5, 5, 5], [2, 1, 2]])
TWO_NUMBERS = Annotations.from_array([[1, 2], [3, 3], [5, 4], [2, 2]])


@pytest.mark.parametrize(
    ("data", "scale", "quote", "also"),
    [
        (TWO, None, "cohen-kappa", "gwet-ac"),
        (TWO, "nominal", "cohen-kappa", "krippendorff-alpha"),
        (TWO_WITH_GAPS, None, "cohen-kappa", "percent-agreement"),
        (THREE, None, "krippendorff-alpha", "conger-kappa"),
        (CROWD, None, "krippendorff-alpha", "fleiss-kappa"),
        (UNKNOWN, None, "krippendorff-alpha", "gwet-ac"),
        (NUMBERS, "interval", "icc", "krippendorff-alpha"),
        (TWO_NUMBERS, "interval", "icc", "lin-concordance"),
        (TWO_NUMBERS, "ordinal", "cohen-kappa", "gwet-ac"),
        (NUMBERS, "ratio", "krippendorff-alpha", "fleiss-kappa"),
    ],
)
def test_what_fits_is_chosen_and_runs(data, scale, quote, also):
    choice = recommend(data, scale=scale)
    assert choice.quote == quote == choice.measures[0]
    assert also in choice.measures
    assert choice.reasons
    for name in choice.measures:
        assert assent.all_measures()[name](data, scale=scale).n_items > 0


def test_a_crowd_gets_no_measure_that_asks_for_everyones_leanings():
    assert "conger-kappa" not in recommend(CROWD).measures


def test_gaps_of_two_annotators_are_said():
    assert any("one annotator only" in reason for reason in recommend(TWO_WITH_GAPS).reasons)
    assert not any("one annotator only" in reason for reason in recommend(TWO).reasons)


def test_numbers_compared_as_names_are_said():
    assert any("`scale`" in reason for reason in recommend(NUMBERS).reasons)
    assert not any("`scale`" in reason for reason in recommend(NUMBERS, scale="ordinal").reasons)
    assert not any("`scale`" in reason for reason in recommend(TWO).reasons)


@pytest.mark.parametrize(
    ("data", "measure", "instead"),
    [
        (THREE, "scott-pi", "fleiss-kappa"),
        (THREE, "lin-concordance", "krippendorff-alpha"),
        (UNKNOWN, "cohen-kappa", "fleiss-kappa"),
        (UNKNOWN, "conger-kappa", "krippendorff-alpha"),
        (UNKNOWN, "icc", "krippendorff-alpha"),
    ],
)
def test_a_measure_that_cannot_take_the_data_says_what_can(data, measure, instead):
    with pytest.raises(assent.InputError, match=f"{measure} .*{instead}"):
        assent.all_measures()[measure](data)


def test_names_need_an_order_for_a_scale():
    with pytest.raises(assent.InputError, match="`order`"):
        assent.all_measures()["cohen-kappa"](THREE, scale="ordinal")
    assert (
        assent.all_measures()["cohen-kappa"](THREE, scale="ordinal", order=["b", "a"]).options["weights"] == "ordinal"
    )


def test_names_are_no_numbers():
    with pytest.raises(assent.InputError, match='needs labels that are numbers, and "a" is not one'):
        assent.icc(THREE)


def test_an_order_must_name_every_label():
    with pytest.raises(assent.OptionError, match='leaves out "b"'):
        assent.fleiss_kappa(THREE, order=["a", "c"])


def test_labels_that_nobody_used_count_for_brennan_and_prediger():
    two, three = assent.brennan_prediger(THREE), assent.brennan_prediger(THREE, order=["a", "b", "c"])
    assert two.expected == pytest.approx(1 / 2)
    assert three.expected == pytest.approx(1 / 3)


def test_every_option_of_a_measure_is_on_the_command_line():
    import inspect

    from assent.cli.measure import measure_command

    options = set(inspect.signature(measure_command).parameters)
    for one in some(assent.all_measures().values()):
        assert set(one.choices) <= options, one.name


def test_labels_of_rows_that_were_not_kept_are_not_in_use():
    rows = [
        ("A", "1", "x"),
        ("A", "1", "z"),
        ("B", "1", "x"),
        ("A", "2", "y"),
        ("B", "2", "y"),
        ("A", "3", "x"),
        ("B", "3", "y"),
    ]
    data = Annotations.from_triples(rows, duplicates="first")
    assert data.labels == ("x", "y")
    without = Annotations.from_triples([row for row in rows if row[2] != "z"])
    assert assent.brennan_prediger(data).value == assent.brennan_prediger(without).value


def test_records_are_read_by_their_keys():
    records = [
        {"item": i, "annotator": a, "label": "xy"[i % 2], "more": 1} for i in range(4) for a in ("human", "judge")
    ]
    assert assent.krippendorff_alpha(records).value == 1.0
    # Records with a key for each annotator are a wide table.
    assert assent.krippendorff_alpha([{"human": x, "judge": x} for x in "xyxy"]).value == 1.0


def test_the_variant_is_in_the_title():
    assert assent.gwet_ac(THREE).title == "Gwet's AC1"
    assert assent.gwet_ac(NUMBERS, scale="ordinal").title == "Gwet's AC2"
    assert assent.icc(NUMBERS, form="3,k").title == "ICC(3,k), ICC(C,k)"


def test_few_clusters_are_said():
    import polars as pl

    frame = pl.DataFrame(
        {"item": list("aabbccdd"), "annotator": list("xy") * 4, "label": list("ppppqqpq"), "doc": list("11112222")}
    )
    interval = assent.krippendorff_alpha(Annotations.from_frame(frame, cluster="doc")).confidence_interval()
    assert interval.n_units == 2
    assert any("2 clusters" in note for note in interval.notes)
