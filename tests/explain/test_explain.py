"""The library call: what it takes, what it refuses, what it gives."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys

import numpy as np
import pytest
from tests.explain.checking import ANY_SCALE, check, formulas, lines
from tests.explain.checking import rows as rows_of
from tests.support import label_measures

import assent
from assent.analyses.explain import EXPLAINED, Explanation, Explanations, explain
from assent.analyses.recommend import recommend
from assent.errors import NothingToCompare, OptionError, UnsuitableData
from assent.examples import example

TWO = [["a", "a"], ["b", "b"], ["a", "b"], ["c", "a"], ["b", "b"]]


@pytest.mark.parametrize("name", sorted(set(label_measures()) - set(EXPLAINED)))
def test_a_measure_that_is_not_worked_out_shows_what_was_measured_and_says_so(name: str) -> None:
    rows = [["a;b", "a"], ["b", "b"], ["a", "c;a"], ["b;c", "c"], ["c", "a"]]
    data = assent.read({"x": [one for one, _ in rows], "y": [two for _, two in rows]}, layout="wide", separator=";")
    explanation = explain(data, name)
    measured = assent.all_measures()[name](data)
    assert explanation.value == measured.value
    assert "These numbers are as measured" in explanation.text()
    assert assent.all_measures()[name].summary in explanation.text()
    for formula in formulas(explanation):
        check(formula)


def test_every_coefficient_of_labels_is_explained() -> None:
    assert len(EXPLAINED) == 13
    assert set(EXPLAINED) < set(label_measures())


def test_coefficients_side_by_side() -> None:
    table = assent.Annotations.from_contingency([[80, 10], [5, 5]], labels=["yes", "no"])
    found = explain(table, "kappa", "gwet-ac", "cohen-kappa")
    assert isinstance(found, Explanations)
    assert [one.measure for one in found.explanations] == ["cohen-kappa", "gwet-ac"]
    text = found.text()
    assert "differ in what they expect by chance" in text
    assert re.search(r"Cohen's kappa\s+0\.850\s+0\.780\s+0\.318", text)
    assert re.search(r"Gwet's AC1\s+0\.850\s+0\.219\s+0\.808", text)
    for one in found.explanations:
        for formula in formulas(one):
            assert formula.split(" = ")[-1].split(" ≈ ")[-1] in text
    assert len(found.to_dict()["explanations"]) == 2
    for rendering in (found.html(), found.markdown(), found.latex()):
        assert "0.780" in rendering


def test_side_by_side_each_gets_its_own_options() -> None:
    found = explain(TWO, "cohen-kappa", "van-oest", prior="none")
    assert isinstance(found, Explanations)
    assert found.explanations[1].options["prior"] == "none"
    with pytest.raises(OptionError, match="`form` is an option of none of"):
        explain(TWO, "cohen-kappa", "van-oest", form="2,1")
    with pytest.raises(UnsuitableData, match=r"is about .* and the data are labels"):
        explain(TWO, "span-f1")


def test_names_are_taken_in_snake_case_and_misspellings_are_helped() -> None:
    assert explain(TWO, "cohen_kappa").measure == "cohen-kappa"
    with pytest.raises(OptionError, match="did you mean"):
        explain(TWO, "cohens-kappa")


def test_data_that_do_not_suit_are_refused_as_when_measured() -> None:
    with pytest.raises(UnsuitableData, match="lin-concordance is for 2 annotators and there are 4: use icc"):
        assent.lin_concordance([[1, 2, 2, 1], [4, 4, 5, 3], [2, 3, 1, 2]])
    with pytest.raises(UnsuitableData, match="scott-pi is for 2 annotators"):
        explain([["a", "a", "b"], ["b", "b", "b"]], "scott-pi")
    with pytest.raises(NothingToCompare):
        explain([["a"], ["b"]], "cohen-kappa")
    with pytest.raises(UnsuitableData, match="order"):
        explain(TWO, "cohen-kappa", scale="ordinal")
    with pytest.raises(OptionError, match="no option"):
        explain(TWO, "fleiss-kappa", average="plain")
    with pytest.raises(UnsuitableData, match="up to 500"):
        explain([[str(i), str(i)] for i in range(501)], "krippendorff-alpha", scale="interval")


@pytest.mark.parametrize("name", ANY_SCALE)
def test_one_label_for_everything_is_explained_in_words(name: str) -> None:
    explanation = explain([["a", "a"], ["a", "a"]], name)
    if name in ("percent-agreement", "spa"):
        # Not corrected for chance: nothing is divided by 0.
        assert explanation.value == 1
        assert {"percent-agreement": "Aₒ = 2 / 2 = 1", "spa": "Aₒ = 2 × 1 / 2 = 2 / 2 = 1"}[name] in lines(explanation)
        return
    assert math.isnan(explanation.value)
    assert explanation.interpretation is None
    assert "undefined" in explanation.steps[-1].sentences[-1]
    assert any("agree on everything" in note for note in explanation.notes)
    assert explanation.to_dict()["explanation"]["value"] is None


def test_agreement_below_chance_is_said() -> None:
    for name in ("cohen-kappa", "krippendorff-alpha"):
        for options in ({}, {"weights": "linear", "order": ["a", "b"]}):
            explanation = explain([["a", "b"], ["b", "a"], ["a", "b"]], name, **options)
            assert explanation.value < 0
            assert any(sentence.startswith("It is below 0") for sentence in explanation.steps[-1].sentences)


def test_the_steps_are_numbered_from_one_and_preparations_are_step_0() -> None:
    def numbers(**options: object) -> list[int]:
        return [number for number, _ in explain(TWO, "cohen-kappa", **options).numbered]

    assert numbers() == [1, 2, 3]
    assert numbers(label_against_rest="a") == [0, 1, 2, 3]
    assert numbers(weights="linear", order=["a", "b", "c"]) == [0, 1, 2, 3]


def test_a_label_against_the_rest() -> None:
    explanation = explain(TWO, "cohen-kappa", label_against_rest="a")
    assert explanation.value == assent.cohen_kappa.by_label(TWO)["a"].value
    assert explanation.label_against_rest == "a"
    assert explanation.title == 'Cohen\'s kappa: "a" against the rest'
    with pytest.raises(OptionError, match="There is no label"):
        explain(TWO, "cohen-kappa", label_against_rest="z")
    for options in ({"scale": "ordinal"}, {"weights": "linear"}, {"weights": np.eye(3)}):
        with pytest.raises(OptionError, match="leave out the scale and the weights"):
            explain(TWO, "cohen-kappa", label_against_rest="a", **options)
    assert explain(
        TWO, "cohen-kappa", label_against_rest="a", scale="nominal", weights="identity"
    ).value == pytest.approx(explanation.value)


def test_a_label_against_the_rest_of_many() -> None:
    rows = [[str(i % 12), str((i * i) % 12)] for i in range(300)]
    explanation = explain(rows, "cohen-kappa", label_against_rest="4")
    assert explanation.value == assent.cohen_kappa.by_label(rows)["4"].value
    assert all(formula.count("+") <= 8 for formula in formulas(explanation))


def test_weighted_kappa_line_by_line() -> None:
    table = assent.Annotations.from_contingency([[11, 3, 1], [1, 9, 2], [0, 4, 9]], labels=["low", "mid", "high"])
    explanation = explain(table, "cohen-kappa", order=["low", "mid", "high"], weights="linear")
    assert explanation.value == assent.cohen_kappa(table, order=["low", "mid", "high"], weights="linear").value
    shown = lines(explanation)
    assert ["low", "1", "0.50", "0"] in [line.split() for line in shown]
    assert "Aₒ = (1 × 29 + 0.50 × 10) / 40 = 34 / 40 = 0.85" in shown
    assert "Aₑ = (1 × 528 + 0.50 × 736) / 40² = 896 / 1600 = 0.56" in shown


def test_alpha_of_a_published_table_line_by_line() -> None:
    """Krippendorff's (2011) four observers and twelve units: nominal 0.743, interval 0.849."""
    columns = {
        "A": [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        "B": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        "C": [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        "D": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    }
    rows = list(zip(*columns.values(), strict=True))
    nominal = lines(explain(rows, "krippendorff-alpha"))
    assert ["1", "7", "1.3333", "0.3333", "0.3333", "0", "9"] in [line.split() for line in nominal]
    assert "Aₒ = (7 + 10 + 8 + 4 + 3) / 40 = 32 / 40 = 0.80" in nominal
    assert "P(both 1) = 9/40 × 8/39 = 72 / 1560 ≈ 0.0462" in nominal
    assert "Aₑ = (72 + 156 + 90 + 20 + 6) / 1560 = 344 / 1560 ≈ 0.2205" in nominal
    assert any(line.startswith("α = ") and line.endswith("≈ 0.7434") for line in nominal)
    interval = explain(rows, "krippendorff-alpha", scale="interval")
    assert rows_of(interval)[0] == ["1", "0", "1", "4", "9", "16"]
    assert formulas(interval)[-1].endswith("1 − 0.1509 = 0.8491")


def test_fleiss_kappa_of_a_published_table_line_by_line() -> None:
    """The usual example of ten items, fourteen annotators and five labels: kappa 0.210."""
    counts = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
    data = assent.Annotations.from_counts(counts, labels=list("12345"))
    shown = lines(explain(data, "fleiss-kappa"))
    assert "p(1) = 20 / 140 ≈ 0.1429" in shown
    assert "Aₑ = (20² + 28² + 39² + 21² + 32²) / 140²" in shown
    assert any(line.startswith("κ = ") and line.endswith("≈ 0.2099") for line in shown)


def test_gwet_line_by_line() -> None:
    table = assent.Annotations.from_contingency([[2, 3], [3, 92]], labels=["toxic", "safe"])
    shown = lines(explain(table, "gwet-ac", order=["toxic", "safe"]))
    assert "π(toxic) = 10 / 200 = 0.05" in shown
    assert "Q = 0.05 × 0.95 + 0.95 × 0.05 = 0.0475 + 0.0475 = 0.095" in shown
    assert "Aₑ = Q / (K − 1) = 0.095 / (2 − 1) = 0.095 / 1 = 0.095" in shown
    assert "AC₁ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.94 − 0.095) / (1 − 0.095) = 0.845 / 0.905 ≈ 0.9337" in shown


def test_brennan_prediger_and_scott_line_by_line() -> None:
    table = assent.Annotations.from_contingency([[20, 5], [10, 15]], labels=["pos", "neg"])
    assert "Aₑ = 1 / 2 = 0.50" in lines(explain(table, "brennan-prediger"))
    shown = lines(explain(table, "scott-pi", order=["pos", "neg"]))
    assert "p(pos) = (25 + 30) / 100 = 55 / 100 = 0.55" in shown
    assert "Aₑ = 0.55² + 0.45² = 0.3025 + 0.2025 = 0.505" in shown
    assert "π = (Aₒ − Aₑ) / (1 − Aₑ) = (0.70 − 0.505) / (1 − 0.505) = 0.195 / 0.495 ≈ 0.3939" in shown


def test_more_than_two_annotators_are_compared_in_pairs() -> None:
    rows = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", None], ["b", "b", "b"], ["a", "a", "a"]]
    explanation = explain(rows, "cohen-kappa")
    table = explanation.steps[0].table
    assert table is not None
    assert [column.title for column in table.columns] == ["first", "second", "items", "Aₒ", "Aₑ", "κ"]
    assert [row[:3] for row in rows_of(explanation)] == [["1", "2", "5"], ["1", "3", "4"], ["2", "3", "4"]]
    assert "Light" in explain(rows, "cohen-kappa", average="plain").steps[1].sentences[0]


def test_many_labels_are_shown_in_part_and_counted_in_full() -> None:
    rows = [[f"l{i % 20:02}", f"l{(i * 7) % 20:02}"] for i in range(400)] + [["l00", "l00"]] * 50
    explanation = explain(rows, "cohen-kappa")
    table = explanation.steps[0].table
    assert table is not None
    assert [column.title for column in table.columns[-2:]] == ["12 others", "total"]
    assert len(table.rows) == 10
    assert rows_of(explanation)[-1][-1] == "450"
    assert any("12 others are taken together" in sentence for sentence in explanation.steps[0].sentences)
    assert any(line.startswith("P(both the same of 12 others) = ") for line in lines(explanation))


def test_a_value_without_an_interval_still_has_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many labels for an analytic interval are no reason not to explain."""
    monkeypatch.setattr("assent.inference.derivatives.MOST_TOTALS", 0)
    # So many profiles that their weights are not all moved at once.
    rows = [[one, two] for one in "abcdefghi" for two in "abcdefghi"] + [["a", "a"]] * 9
    with pytest.raises(OptionError, match="analytic interval"):
        assent.scott_pi(rows).confidence_interval()
    said = explain(rows, "scott-pi").interpretation
    assert said is not None
    assert "not known without an interval" in said


def test_it_is_plain_data() -> None:
    explanation = explain(TWO, "krippendorff-alpha", scale="nominal")
    found = json.loads(json.dumps(explanation.to_dict(), allow_nan=False))
    assert list(found) == ["data", "explanation"]
    assert found["data"] == assent.Annotations.from_array(TWO).to_dict()
    plain = found["explanation"]
    assert list(plain) == [
        "measure",
        "title",
        "value",
        "observed",
        "expected",
        "label_against_rest",
        "options",
        "steps",
        "interpretation",
        "notes",
    ]
    assert plain["value"] == assent.krippendorff_alpha(TWO).value
    step = plain["steps"][0]
    assert list(step) == ["step", "heading", "sentences", "table", "formulas"]
    assert step["step"] == 1
    assert step["table"]["columns"] == ["", "a", "b", "c", "total"]
    assert set(step["formulas"][0]) == {"text", "latex"}
    assert isinstance(explanation, Explanation)
    assert f"{explanation}\n" == explanation.text()


@pytest.mark.parametrize(
    "first",
    [
        "import assent.analyses.explain",
        "from assent.text import for_latex",
        "import assent.cli.app; assent.explain",
        "pass",
    ],
)
def test_it_can_be_called_by_its_public_name_whatever_was_imported_before(first: str) -> None:
    """The function has a name of its own, which no package hides."""
    code = f"""
import assent
{first}
print(assent.explain([["a", "a"], ["b", "a"], ["b", "b"]], "percent-agreement", order=["b", "a"]).value)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0.6666666666666666\n"


def test_sparse_agreement_on_a_scale_adds_up_weights() -> None:
    """By hand: three items of 3 (weights 1, 2/3, 2/3; the same; 0, 2/3, 2/3) that count 2 each, two of 2 that count 1."""
    rows = [["1", "2", "2"], ["1", "1", None], ["3", "2", "3"], ["2", "2", None], ["1", "3", "2"]]
    explanation = explain(rows, "spa", scale="ordinal", order=["1", "2", "3"])
    assert [step.heading for step in explanation.steps] == ["Weights", "Observed agreement"]
    assert formulas(explanation) == [
        "S(2 annotations) = 1 × 2 = 2",
        "S(3 annotations) = 1 × 2 + 2/3 × 6 = 6",
        "Aₒ = (1 × 2/1 + 2 × 6/3) / 8 = 6 / 8 = 0.75",
    ]
    assert explanation.value == pytest.approx(0.75)
    assert "mean weight of its pairs" in explanation.text()


def test_sparse_agreement_of_many_numbers_of_annotations_shows_the_most_frequent() -> None:
    rows = [[*"a" * size, *[None] * (9 - size)] for size in range(2, 10) for _ in range(size)]
    rows[3][0] = "b"
    explanation = explain(rows, "spa")
    assert len(formulas(explanation)) == 5
    assert "adds up 4 other numbers of annotations, which fewer items have" in explanation.text()
    for formula in formulas(explanation):
        check(formula)


def test_every_kind_of_data_has_a_coefficient_to_explain() -> None:
    rankings = example("rankings").data()
    assert explain(rankings).measure == recommend(rankings).quote == "mean-spearman"


def test_coefficients_are_named_after_the_data() -> None:
    with pytest.raises(OptionError, match=r'as in explain\(data, "cohen-kappa"\)'):
        explain([["a", "a"], ["a", "b"]], measure="cohen-kappa")


def test_unless_named_the_coefficient_to_quote_is_explained():
    assert explain(example("shrout-fleiss").data(), scale="interval").measure == "icc"
    # What is asked for may belong to another.
    assert (
        explain(example("shrout-fleiss").data(), scale="interval", distance="nominal").measure == "krippendorff-alpha"
    )


def test_conger_shows_each_kind_of_item_once_and_where_each_expected_agreement_comes_from():
    text = explain(example("lecture").data(), "conger-kappa").text(120)
    kinds = text.partition("Step 2")[0]
    assert re.search(r"1 +1 +15 +1 +0 *\n", kinds)
    assert re.search(r"row +column +50 +50 +2500 +1250 +0\.50", text)


def test_annotators_without_names_are_not_called_row_and_column():
    text = explain(example("lecture").data()).text()
    assert "Rows are the labels of one annotator, columns those of the other." in text
    assert '"row"' not in text


def test_options_in_a_definition_are_marked_as_everywhere():
    told = " ".join(explain(example("multi-label").data(), "boot-match").steps[0].sentences)
    assert "`expected=exact` computes" in told
    assert "``" not in told
    assert "`position_weight`" in " ".join(explain(example("spans").data(), "gamma").steps[0].sentences)


@pytest.mark.parametrize("name", ["multi-label", "story", "cohen"])
@pytest.mark.parametrize("distance", ["nominal", "jaccard", "masi"])
def test_alpha_with_a_distance_shows_the_value_that_was_measured(name: str, distance: str) -> None:
    found = explain(example(name).data(), distance=distance)
    alpha = assent.krippendorff_alpha(example(name).data(), distance=distance)
    assert (found.measure, found.value, found.title) == ("krippendorff-alpha", alpha.value, alpha.title)
    assert f"{alpha.value:.4f}".rstrip("0") in formulas(found)[-1]
    said = " ".join(sentence for step in found.steps for sentence in step.sentences)
    assert ("These numbers are as measured" in said) == (distance != "nominal")


def test_alpha_of_texts_shows_the_value_that_was_measured() -> None:
    data = assent.Annotations.from_array([["a cat", "a bat"], ["a dog", "a dog"], ["the cow", "a cow"]])
    found = explain(data, distance="levenshtein")
    assert found.measure == "krippendorff-alpha"
    assert f"{found.value:.4f}" in formulas(found)[-1]
    assert "as measured" in found.text()
    assert "rankings.md" not in found.text()
