"""What measures are said to be, each label by itself, and options that nobody has: what is known of the coefficients, not how they are made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import assent
from assent import Preferences, Rankings
from assent.errors import InputError, OptionError, UnsuitableData
from assent.measures import Components
from assent.measures.registry import MEASURES, _about_drawing, refuse_unowned
from assent.measures.registry import measure as registered
from assent.profiles import Counts

ROWS = [["1", "1"], ["2", "1"], ["3", "3"], ["2", "2"], ["1", "3"]]
SETS = {"ann": [{"a"}, {"a", "b"}, {"c"}], "ben": [{"a", "b"}, {"b"}, {"c"}]}


@pytest.mark.parametrize(
    ("what", "yes", "no"),
    [
        ("chance_corrected", ["cohen-kappa", "fleiss-kappa", "krippendorff-alpha"], ["percent-agreement", "kendall-w"]),
        ("krippendorff", ["krippendorff-alpha"], ["fleiss-kappa", "gwet-ac"]),
        ("complete", ["icc"], ["lin-concordance", "cohen-kappa", "krippendorff-alpha"]),
        ("label_sets", ["boot-f1", "soft-match"], ["fleiss-kappa", "krippendorff-alpha"]),
        ("graded", ["cohen-kappa", "fleiss-kappa"], ["gamma"]),
        ("pairwise", ["mean-kendall", "mean-spearman"], ["kendall-w", "fleiss-kappa"]),
        ("uses_single_annotations", ["fleiss-kappa", "gwet-ac"], ["krippendorff-alpha", "percent-agreement"]),
    ],
)
def test_a_property_is_that_of_some_measures_and_not_of_others(what: str, yes: list[str], no: list[str]) -> None:
    for name in (*yes, *no):
        measure = assent.all_measures()[name]
        assert measure.summary
        assert getattr(measure, what) is (name in yes)


def test_the_least_value_is_0_of_a_share_and_minus_1_of_a_kappa_or_a_correlation() -> None:
    for name, lowest in (
        ("percent-agreement", 0.0),
        ("kendall-w", 0.0),
        ("rbo", 0.0),
        ("cohen-kappa", -1.0),
        ("krippendorff-alpha", -1.0),
        ("mean-kendall", -1.0),
    ):
        assert assent.all_measures()[name].lowest == lowest


@pytest.mark.parametrize(
    ("more", "lowest"),
    [({}, -1.0), ({"chance_corrected": True}, -1.0), ({"chance_corrected": False}, 0.0), ({"lowest": -0.5}, -0.5)],
)
def test_the_least_value_follows_from_what_is_registered(more: dict[str, Any], lowest: float) -> None:
    @registered(title="Made up", profiles=Counts, **more)
    def made_up_here(items: Counts, agree: Any) -> Components:
        """Nothing that was measured."""
        return Components(observed=np.array(1.0))

    try:
        assert assent.all_measures()["made-up-here"] is made_up_here
        assert made_up_here.lowest == lowest
    finally:
        MEASURES.forget("made-up-here")


def test_the_summary_is_the_first_paragraph_in_one_line() -> None:
    for measure in assent.all_measures().values():
        assert "\n" not in measure.summary
        assert " ".join(measure.text.split()).startswith(measure.summary)


def test_how_each_label_is_measured() -> None:
    for name, how in (
        ("fleiss-kappa", "against the rest"),
        ("span-f1", "alone"),
        ("icc", ""),
        ("boot-f1", ""),
        ("kendall-w", ""),
        ("preference-agreement", ""),
        ("gamma", ""),
    ):
        assert assent.all_measures()[name].each_label == how


def test_a_measure_says_what_it_is() -> None:
    assert repr(assent.cohen_kappa) == (
        "Cohen's kappa (cohen-kappa): Agreement of two annotators beyond what their own label shares would give by chance."
    )


def test_measures_are_named_by_texts() -> None:
    for named in (["cohen-kappa", "fleiss-kappa"], assent.cohen_kappa, None):
        with pytest.raises(
            OptionError, match=r'named by a text, as "cohen-kappa", not by a \w+: name several one after'
        ):
            assent.measure(ROWS, named)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^What is of the type int is not a table: give a path"):
        assent.measure(5)


def test_a_misspelt_option_of_all_measures_is_recognised() -> None:
    for measure in (assent.cohen_kappa, assent.scott_pi):
        with pytest.raises(OptionError, match=r'has no option "wieghts": did you mean "weights"\?'):
            measure(ROWS, wieghts="linear")
    with pytest.raises(OptionError, match=r'kendall-w has no option "wieghts": choose one of "gaps"'):
        assent.kendall_w(Rankings.from_matrix([[1, 2], [2, 1], [3, 3]]), wieghts="linear")


def test_data_of_another_kind_are_refused() -> None:
    for measure, said in (
        (
            assent.kendall_w,
            "kendall-w is about rankings, and the data are labels: choose another measure, or say where the",
        ),
        (assent.span_f1, r"span-f1 is about spans, and the data are labels: choose another measure\."),
        (assent.best_worst_agreement, "is about choices of best and worst, and the data are labels: choose"),
    ):
        with pytest.raises(UnsuitableData, match=said):
            measure(ROWS)
    with pytest.raises(UnsuitableData, match="is about spans, and the data are sets of labels: choose"):
        assent.gamma(SETS)


@pytest.mark.parametrize(
    "options", [{}, {"weights": "identity"}, {"scale": "nominal"}, {"scale": None, "weights": None}]
)
def test_a_label_against_the_rest(options: dict[str, Any]) -> None:
    """Of label 3: one of five items has it twice, one once; kappa of the table 1, 1, 0, 3 is (4/5 - 14/25) / (11/25)."""
    found = assent.cohen_kappa.by_label(ROWS, **options)
    assert list(found) == ["1", "2", "3"]
    assert found["3"].value == pytest.approx((4 / 5 - 14 / 25) / (11 / 25))


@pytest.mark.parametrize(
    ("measure", "data", "options", "error", "why"),
    [
        (assent.cohen_kappa, ROWS, {"weights": "linear"}, OptionError, "A label against the rest is nominal"),
        (assent.cohen_kappa, ROWS, {"weights": np.eye(3)}, OptionError, "A label against the rest is nominal"),
        (assent.cohen_kappa, ROWS, {"scale": "ordinal"}, OptionError, "A label against the rest is nominal"),
        (assent.icc, ROWS, {}, UnsuitableData, "icc is about numbers and has no version for one label"),
        (assent.boot_f1, SETS, {}, UnsuitableData, "is one label, not a set: use cohen-kappa or krippendorff-alpha instead of boot-f1"),
        (assent.krippendorff_alpha, SETS, {"distance": "masi"}, UnsuitableData, "is one label, not a set"),
    ],
)  # fmt: skip
def test_what_has_no_version_for_one_label_is_refused(
    measure: Any, data: Any, options: dict[str, Any], error: type[Exception], why: str
) -> None:
    with pytest.raises(error, match=why):
        measure.by_label(data, **options)


def test_an_option_belongs_to_one_of_the_measures_at_hand() -> None:
    both = [assent.krippendorff_alpha, assent.fleiss_kappa]
    refuse_unowned(both, {"distance": "masi"})
    with pytest.raises(OptionError, match=r"measure\(data, 'krippendorff-alpha'\)\.$"):
        refuse_unowned(both, {"measure": "icc"})
    with pytest.raises(OptionError, match=r"^`form` is an option of icc: name one of them as the `measure`\.$"):
        refuse_unowned(both, {"form": "2,1"})
    with pytest.raises(OptionError, match=r'^No measure has an option "distanc": did you mean "?distance"?'):
        refuse_unowned(both, {"distanc": "masi"})
    with pytest.raises(OptionError, match=r'^No measure has an option "distanc": the measures at hand have no options'):
        refuse_unowned(both[1:], {"distanc": "masi"})


def test_what_drawing_adds_is_said_to_four_digits() -> None:
    assert _about_drawing(0.0) == []
    assert _about_drawing(0.012345) == [
        "Drawing samples alone has a standard error of 0.0123, which is part of the interval."
    ]


def test_a_measure_of_rankings_for_two() -> None:
    two = Rankings.from_rows([("t", who, str(at), at) for who in "pq" for at in range(3)])
    three = Rankings.from_rows([("t", who, str(at), at) for who in "pqr" for at in range(3)])
    measure = replace(assent.kendall_w, n_annotators=2)
    assert measure.unsuitable(two) is None
    assert measure.unsuitable(three) == "kendall-w is for 2 annotators, and there are 3."
    assert (
        measure.unsuitable(two, "ordinal") == "kendall-w is about rankings, which are on no scale: leave the scale out."
    )


def test_pairs_that_were_judged_once_are_counted() -> None:
    rows = [(who, one, two, one) for who in "pqr" for one, two in ("xy", "yz")]
    note = "1 pair has one annotation, which there is nothing to compare with."
    assert note in assent.preference_agreement(Preferences.from_rows([*rows, ("p", "x", "z", "x")])).notes
    assert not any("one annotation" in one for one in assent.preference_agreement(Preferences.from_rows(rows)).notes)


def test_whole_sets_are_said_to_be_labels_where_they_are() -> None:
    for measure, options, whole in (
        (assent.fleiss_kappa, {}, True),
        (assent.krippendorff_alpha, {}, True),
        (assent.krippendorff_alpha, {"distance": "masi"}, False),
        (assent.boot_f1, {}, False),
    ):
        assert (
            any("Each whole set of labels counts as one label" in one for one in measure(SETS, **options).notes)
            is whole
        )
    assert not any("whole set" in one for one in assent.fleiss_kappa(ROWS).notes)


def test_a_ratio_of_variances_is_an_icc() -> None:
    for measure, ratio in ((assent.icc, True), (assent.lin_concordance, False), (assent.fleiss_kappa, False)):
        assert any("It is a ratio of variances" in one for one in measure(ROWS).notes) is ratio


@pytest.mark.parametrize(
    ("measure", "data", "options", "steps"),
    [
        (assent.krippendorff_alpha, ROWS, {}, False),
        (assent.krippendorff_alpha, ROWS, {"scale": "ordinal"}, True),
        (assent.krippendorff_alpha, ROWS, {"weights": "linear"}, True),
        (assent.krippendorff_alpha, ROWS, {"weights": [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]]}, False),
        (assent.krippendorff_alpha, SETS, {"distance": "masi"}, False),
        (assent.boot_f1, SETS, {}, False),
    ],
)
def test_labels_are_steps_on_a_scale_alone(
    measure: Any, data: Any, options: dict[str, Any], steps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one more item may show: on a scale a disagreement that is a step larger than any that was seen."""
    from assent.inference import pseudo

    asked = []
    made = pseudo.with_pseudo_item
    monkeypatch.setattr(
        pseudo, "with_pseudo_item", lambda *given, steps: asked.append(steps) or made(*given, steps=steps)
    )
    measure(data, **options).confidence_interval()
    assert asked == [steps]


def test_weights_of_two_labels_are_those_of_the_interval_too() -> None:
    """If what disagrees counts half, a share p of agreement becomes (1 + p) / 2, and so do the ends."""
    rows = [["a", "a"], ["b", "a"], ["b", "b"], ["a", "b"], ["a", "a"]]
    half = assent.percent_agreement(rows, weights=[[1, 0.5], [0.5, 1]]).confidence_interval()
    whole = assent.percent_agreement(rows).confidence_interval()
    assert (half.low, half.high) == pytest.approx(((1 + whole.low) / 2, (1 + whole.high) / 2), rel=1e-9)
