"""A word for a coefficient is a convention: it comes with its source and with what the interval allows."""

from __future__ import annotations

import json
import math
import subprocess
import sys

import pytest
from tests.support import some

import assent
from assent import OptionError
from assent.analyses.interpretation import (
    BENCHMARKS,
    TASK_TARGETS,
    Benchmark,
    Level,
    against_target,
    benchmark_level,
    interpret,
    memberships,
    target,
    usual_scale,
)
from assent.errors import UnsuitableData
from assent.examples import example

NAN = math.nan


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        (
            "landis-koch",
            {
                -1.5: "poor",
                -0.001: "poor",
                0.0: "slight",
                0.2: "slight",
                0.201: "fair",
                0.4: "fair",
                0.405: "moderate",
                0.6: "moderate",
                0.61: "substantial",
                0.8: "substantial",
                0.81: "almost perfect",
                1.0: "almost perfect",
            },
        ),
        ("fleiss", {-0.2: "poor", 0.39: "poor", 0.4: "fair to good", 0.75: "fair to good", 0.76: "excellent"}),
        ("cicchetti", {0.39: "poor", 0.4: "fair", 0.59: "fair", 0.6: "good", 0.74: "good", 0.75: "excellent"}),
        ("krippendorff", {0.66: "unreliable", 0.667: "tentative", 0.799: "tentative", 0.8: "reliable"}),
        (
            "mcbride",
            {
                0.89: "poor",
                0.9: "moderate",
                0.949: "moderate",
                0.95: "substantial",
                0.99: "substantial",
                0.991: "almost perfect",
            },
        ),
    ],
)
def test_the_words_are_those_of_the_sources(scale: str, words: dict[float, str]) -> None:
    assert {value: BENCHMARKS[scale].word(value) for value in words} == words


@pytest.mark.parametrize(
    ("table", "word"),
    [
        ([[20, 5], [10, 15]], "fair"),
        ([[30, 10], [8, 32]], "moderate"),
        ([[30, 5, 5], [3, 20, 2], [2, 3, 30]], "substantial"),
        ([[2, 3], [3, 92]], "fair"),
        ([[43, 7], [8, 42]], "substantial"),
        ([[80, 10], [5, 5]], "fair"),
        ([[35, 8, 2], [5, 10, 10], [0, 7, 23]], "moderate"),
        # The label "neutral" of the last table against the rest: exactly 0.2 but for rounding.
        ([[10, 15], [15, 60]], "slight"),
    ],
)
def test_the_lecture_calls_its_tables_so(table: list[list[int]], word: str) -> None:
    data = assent.Annotations.from_contingency(table, labels=list("abc")[: len(table)])
    assert interpret(assent.cohen_kappa(data).value).word == word


@pytest.mark.parametrize("scale", BENCHMARKS)
def test_a_scale_rises_and_says_where_it_comes_from(scale: str) -> None:
    benchmark = BENCHMARKS[scale]
    bounds = [level.low for level in benchmark.levels]
    assert bounds == sorted(bounds)
    assert bounds[0] == -math.inf
    assert len({level.word for level in benchmark.levels}) == len(bounds)
    assert benchmark.source in interpret(0.5, scale=scale).sentence
    assert benchmark.source.split()[-1] in benchmark.citation
    assert benchmark.caveat.endswith("rough conventions, not thresholds.")
    assert benchmark.name == scale


def test_the_interval_is_part_of_the_interpretation() -> None:
    found = interpret(0.51, 0.37, 0.65)
    assert (found.word, found.worst, found.best) == ("moderate", "fair", "substantial")
    assert found.sentence == "moderate; its interval reaches from fair to substantial (Landis & Koch 1977)"
    assert interpret(0.5, 0.45, 0.55).sentence == "moderate, as is its whole interval (Landis & Koch 1977)"
    # A bootstrap interval may leave the estimate out.
    assert interpret(0.41, 0.21, 0.39).sentence == "moderate; its interval is fair (Landis & Koch 1977)"


def test_without_an_interval_it_says_that_there_is_none() -> None:
    for ends in ((None, None), (NAN, NAN)):
        found = interpret(0.51, *ends)
        assert (found.worst, found.best) == (None, None)
        assert "not known without an interval" in found.sentence


def test_an_undefined_value_has_no_word() -> None:
    found = interpret(NAN, 0.1, 0.2)
    assert (found.word, found.worst, found.best) == ("undefined", None, None)
    assert found.sentence.startswith("undefined: there is no number")


def test_values_outside_0_to_1() -> None:
    assert interpret(-0.3, -0.9, 0.1).sentence == "poor; its interval reaches from poor to slight (Landis & Koch 1977)"
    assert interpret(0.9, 0.7, 1.1).best == "almost perfect"
    assert "cannot be" not in interpret(1.0, 0.9, 1.1).sentence
    assert "a value above 1 cannot be" in interpret(1.016).sentence


def test_it_is_fit_for_json() -> None:
    found = interpret(0.51, 0.37, 0.65).to_dict()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert set(found) == {"word", "worst", "best", "sentence", "source", "citation", "caveat", "scale"}


def test_a_scale_of_ones_own() -> None:
    own = Benchmark(
        name="ours", source="the team", citation="", caveat="", levels=(Level("no", -math.inf), Level("yes", 0.65))
    )
    assert interpret(0.65, scale=own).word == "yes"
    assert [one.word for one in memberships(0.65, 0.1, own)] == ["yes", "no"]


def test_names_may_have_underscores_and_unknown_ones_are_refused() -> None:
    assert interpret(0.5, scale="landis_koch").scale == "landis-koch"
    with pytest.raises(OptionError, match="did you mean fleiss"):
        interpret(0.5, scale="fleis")
    with pytest.raises(OptionError, match=r"two ends"):
        interpret(0.5, 0.4, None)
    with pytest.raises(OptionError, match=r"from 0.6 to 0.4"):
        interpret(0.5, 0.6, 0.4)


def test_each_measure_is_read_on_its_usual_scale() -> None:
    assert {usual_scale(name) for name in assent.all_measures()} <= set(BENCHMARKS)
    assert usual_scale("krippendorff_alpha") == "krippendorff"
    assert usual_scale("icc") == "cicchetti"
    assert usual_scale("lin-concordance") == "mcbride"


def test_the_targets_are_those_of_the_lecture() -> None:
    expected = {"objective": 0.8, "standard": 0.7, "subjective": 0.5, "highly-subjective": 0.4}
    assert {name: one.value for name, one in TASK_TARGETS.items()} == expected
    assert all("common teaching targets" in one.source for one in TASK_TARGETS.values())


@pytest.mark.parametrize("text", ["highly-subjective", "Highly Subjective", "highly_subjective", " highly-subjective "])
def test_a_target_by_name(text: str) -> None:
    assert target(text) is TASK_TARGETS["highly-subjective"]


@pytest.mark.parametrize("number", [0.65, "0.65", " .65 "])
def test_a_target_by_number(number: float | str) -> None:
    assert target(number).value == 0.65
    assert str(target(number)) == "0.65"


@pytest.mark.parametrize("wrong", ["subjectiv", "many", "", "nan", "1.2", -0.1, math.inf, "\x1b[31m"])
def test_what_is_no_target_is_refused(wrong: float | str) -> None:
    with pytest.raises(OptionError, match="target") as refused:
        target(wrong)
    assert "\x1b" not in str(refused.value)
    if wrong == "subjectiv":
        assert 'did you mean "subjective"?' in str(refused.value)


@pytest.mark.parametrize(
    ("low", "high", "outcome"),
    [
        (0.71, 0.9, "clears"),
        (0.7, 0.9, "clears"),
        (0.69, 0.9, "undecided"),
        (0.5, 0.7, "undecided"),
        (0.5, 0.69, "falls short"),
        (None, None, "undecided"),
        (NAN, NAN, "undecided"),
    ],
)
def test_a_target_is_held_against_the_interval(low: float | None, high: float | None, outcome: str) -> None:
    found = against_target(0.7, low, high, "standard")
    assert found.outcome == outcome
    assert "0.70 (standard, as for named entities or sentiment)" in found.sentence
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["target"]["value"] == 0.7


def test_verdicts_read_as_sentences() -> None:
    assert against_target(0.4, 0.3, 0.5, 0.6).sentence == (
        "0.40 falls short of the target of 0.60: even the upper end of its interval, 0.50, does"
    )
    assert "is below the target of 0.60, but without an interval" in against_target(0.4, None, None, 0.6).sentence
    assert "reaches the target of 0.60, but without an interval" in against_target(0.6, None, None, 0.6).sentence
    assert against_target(NAN, None, None, 0.6).outcome == "undefined"


GWET = "Gwet, irrCAC for R, vignette 'benchmarking': AC1 0.77544, standard error 0.14295"
FERGADIS = "Fergadis, irrCAC for Python (github.com/afergadis/irrCAC), usage_benchmarking: 0.67, standard error 0.15"


@pytest.mark.parametrize(
    ("value", "error", "scale", "cumulative", "source"),
    [
        (0.77544, 0.14295, "landis-koch", [0.39674, 0.88336, 0.99542, 0.99997, 1, 1], GWET),
        (0.77544, 0.14295, "fleiss", [0.54414, 0.99542, 1], GWET),
        (0.67, 0.15, "landis-koch", [0.18168, 0.67511, 0.96356, 0.99912, 1, 1], FERGADIS),
        (0.67, 0.15, "fleiss", [0.28699, 0.96356, 1], FERGADIS),
        (0.67, 0.15, "cicchetti", [0.28699, 0.67511, 0.96356, 1], FERGADIS),
    ],
)
def test_cumulative_memberships_are_the_published_ones(
    value: float, error: float, scale: str, cumulative: list[float], source: str
) -> None:
    # Python's irrCAC takes 0 for the bottom of Cicchetti's scale; the probability below it is less than 5e-6 here.
    assert [one.cumulative for one in memberships(value, error, scale)] == pytest.approx(cumulative, abs=6e-6), source


def test_the_level_is_the_one_that_gwet_retains() -> None:
    assert benchmark_level(0.77544, 0.14295) == "moderate"
    assert benchmark_level(0.77544, 0.14295, "fleiss") == "fair to good"
    assert benchmark_level(0.67, 0.15, certainty=0.6) == "substantial"
    with pytest.raises(OptionError, match="certainty"):
        benchmark_level(0.5, 0.1, certainty=1.0)


def integrated(value: float, error: float, low: float, high: float, steps: int = 4000) -> float:
    """Simpson's rule on the normal density."""
    width = (high - low) / steps
    density = [math.exp(-(((low + i * width - value) / error) ** 2) / 2) for i in range(steps + 1)]
    return (density[0] + density[-1] + 4 * sum(density[1::2]) + 2 * sum(density[2:-1:2])) * width / 3


@pytest.mark.parametrize("value", [-0.3, 0.05, 0.4, 0.75, 0.99])
@pytest.mark.parametrize("error", [0.03, 0.2, 0.8])
@pytest.mark.parametrize("scale", BENCHMARKS)
def test_memberships_are_areas_under_a_normal_density_cut_off_at_1(value: float, error: float, scale: str) -> None:
    found = memberships(value, error, scale)
    bounds = [1.0, *(max(level.low, -1.0) for level in reversed(BENCHMARKS[scale].levels))]
    whole = integrated(value, error, -1, 1)
    for one, high, low in zip(found, bounds, bounds[1:], strict=False):
        assert one.probability == pytest.approx(integrated(value, error, low, high) / whole, abs=1e-9)
    assert sum(one.probability for one in found) == pytest.approx(1)
    assert found[-1].cumulative == pytest.approx(1)


def test_memberships_without_doubt_or_without_a_value() -> None:
    assert [one.probability for one in memberships(0.5, 0.0)] == [0, 0, 1, 0, 0, 0]
    assert [one.cumulative for one in memberships(0.5, 0.0)] == [0, 0, 1, 1, 1, 1]
    assert [one.probability for one in memberships(1.5, 1e-6)] == [1, 0, 0, 0, 0, 0]
    assert [one.probability for one in memberships(-3.0, 1e-6)] == [0, 0, 0, 0, 0, 1]
    assert memberships(NAN, 0.1) == memberships(0.5, NAN) == memberships(0.5, math.inf) == []
    assert benchmark_level(NAN, 0.1) is None
    assert benchmark_level(0.5, 0.0) == "moderate"
    with pytest.raises(OptionError, match="negative"):
        memberships(0.5, -0.1)


def test_interpreting_brings_in_no_data_library() -> None:
    code = "import sys, assent.analyses.interpretation; print({'numpy', 'scipy', 'polars'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("value", "low", "high", "aim", "said"),
    [
        (0.698, 0.697, 0.699, 0.7, "0.698 falls short of the target of 0.70: even the upper end of its interval, 0.699, does"),
        (0.669, 0.668, 0.670, 0.667, "0.669 clears the target of 0.667: even the lower end of its interval, 0.668, does"),
        (-0.1, -0.3, 0.1, 0.05, "−0.10 may or may not clear the target of 0.05: its interval reaches from −0.30 to 0.10, and more items would narrow it"),
    ],
)  # fmt: skip
def test_a_sentence_about_a_target_tells_the_numbers_apart(
    value: float, low: float, high: float, aim: float, said: str
) -> None:
    assert against_target(value, low, high, aim).sentence == said


def test_advice_and_plan_show_the_digits_of_the_verdict() -> None:
    data = assent.Annotations.from_contingency([[424_000, 76_000], [75_000, 425_000]], labels=["a", "b"])
    assert (
        assent.advise(data)
        .to_dict()["advice"][0]["sentence"]
        .startswith("Cohen's kappa is 0.698 (0.697 to 0.699), below 0.7")
    )
    assert (
        assent.plan(data, measure="cohen-kappa", half_width=0.001)
        .to_dict()["plan"]["sentences"][0]
        .startswith("So far Cohen's kappa is 0.698 ±0.0014")
    )


def test_an_error_of_0_is_no_knowledge_of_the_word() -> None:
    """One disagreement in twenty: kappa and its error are 0, and its interval reaches from poor to almost perfect."""
    rows = [["safe", "safe"]] * 19 + [["safe", "toxic"]]
    [found] = assent.measure(rows, "cohen-kappa").to_dict()["measures"]
    [spoken] = [one for one in found["interpretation"] if one["scale"] == "landis-koch"]
    assert found["standard_error"] == pytest.approx(0, abs=1e-12)
    assert max(one["probability"] for one in spoken["memberships"]) < 0.6
    half = (found["ci"]["high"] - found["ci"]["low"]) / 2
    assert [one["probability"] for one in spoken["memberships"]] == pytest.approx(
        [one.probability for one in memberships(found["value"], half / 1.959964)], abs=1e-6
    )
    # Elsewhere it is the standard error that Gwet's method takes.
    [found] = assent.measure([["a", "a"], ["b", "b"], ["a", "b"], ["c", "c"]] * 6, "cohen-kappa").to_dict()["measures"]
    expected = memberships(found["value"], found["standard_error"])
    assert [one["probability"] for one in found["interpretation"][0]["memberships"]] == [
        one.probability for one in expected
    ]


def test_a_measured_coefficient_brings_its_interval_and_its_usual_scale() -> None:
    alpha = assent.krippendorff_alpha(example("krippendorff").data())
    found = alpha.confidence_interval()
    told = interpret(alpha)
    assert told == interpret(alpha.value, found.low, found.high, scale="krippendorff")
    assert told.sentence == "tentative; its interval reaches from unreliable to reliable (Krippendorff 2004)"
    assert interpret(alpha, scale="landis-koch").word == "substantial"
    assert interpret(alpha, 0.7, 0.78).worst == "tentative"
    with pytest.raises(UnsuitableData, match="Percent agreement is not corrected for chance"):
        interpret(assent.percent_agreement(example("krippendorff").data()))


@pytest.mark.parametrize("scale", sorted(BENCHMARKS))
def test_a_number_beside_a_word_has_that_word_as_printed(scale: str) -> None:
    chosen = BENCHMARKS[scale]
    bounds = [level.low for level in chosen.levels[1:]]
    near = [bound + sign * 10.0**-digits for bound in bounds for sign in (-1, 1) for digits in range(2, 7)]
    for value in some([*bounds, *near, -0.3, 0.512345]):
        printed = chosen.shown(value)
        assert chosen.word(float(printed.replace("−", "-"))) == chosen.word(value), printed
    assert chosen.shown(0.512345) == "0.51"
    assert chosen.shown(math.nan) == "–"


def test_sentences_show_such_numbers() -> None:
    """Krippendorff's alpha of these patients is 0.7957 on an ordinal scale, and 0.80 would be called reliable."""
    data = example("dawid-skene").data()
    assert "alpha of 0.796 is called tentative" in assent.measure(data, scale="ordinal").text()
    assert (
        "agreement is tentative: Krippendorff's alpha is 0.796 ("
        in assent.report(data, scale="ordinal").verdict.sentence
    )
    found = assent.explain(data, scale="ordinal").interpretation
    assert found is not None
    assert found.startswith("α ≈ 0.796 is tentative")
    assert "alpha was 0.796 (95 % CI" in assent.report(data, scale="ordinal").text()


def test_a_number_between_two_scales_has_both_words_as_printed() -> None:
    """An alpha of 0.604 is to be discarded by Krippendorff's limits, substantial to Landis and Koch; 0.60 would be moderate."""
    krippendorff, landis = BENCHMARKS["krippendorff"], BENCHMARKS["landis-koch"]
    assert (krippendorff.shown(0.604), krippendorff.shown(0.604, also=landis)) == ("0.60", "0.604")
    near = [level.low + step for level in (*krippendorff.levels[1:], *landis.levels[1:]) for step in (-0.0004, 0.0004)]
    for value in some(near):
        printed = float(krippendorff.shown(value, also=landis).replace("−", "-"))
        assert (krippendorff.word(printed), landis.word(printed)) == (krippendorff.word(value), landis.word(value))


def test_a_number_beside_a_target_stands_to_it_as_printed() -> None:
    assert against_target(0.6996, None, None, 0.7).sentence.startswith("0.6996 is below the target of 0.70")
    assert "the upper end of its interval, 0.6996, does" in against_target(0.65, 0.6, 0.6996, 0.7).sentence
    assert "the lower end of its interval, 0.70, does" in against_target(0.75, 0.7004, 0.8, 0.7).sentence
