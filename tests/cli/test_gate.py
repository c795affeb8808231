"""`--fail-under`: the gate in a pipeline."""

from __future__ import annotations

import pytest
from tests.cli.conftest import Files, Program

import assent as library

ALPHA = ("-m", "krippendorff-alpha")
#: As the help of --target says.
TARGETS = {"objective": 0.8, "standard": 0.7, "subjective": 0.5, "highly-subjective": 0.4}


@pytest.fixture
def value(wide: str) -> float:
    return library.krippendorff_alpha(wide).value


def test_a_value_at_or_above_the_target_passes(assent: Program, wide: str, value: float) -> None:
    for target in (value, value - 1e-9, -1.0, 0.0):
        done = assent("measure", wide, *ALPHA, "--fail-under", repr(target))
        assert (done.code, done.err) == (0, "")


def test_a_value_below_the_target_ends_with_1_and_says_why(assent: Program, wide: str, value: float) -> None:
    done = assent("measure", wide, *ALPHA, "--fail-under", "0.9")
    assert done.code == 1
    assert done.err == f"assent: Krippendorff's alpha is {value:.3f}, below the target of 0.9.\n"
    assert "Krippendorff's alpha" in done.out


def test_the_smallest_shortfall_fails(assent: Program, wide: str, value: float) -> None:
    assert assent("measure", wide, *ALPHA, "--fail-under", repr(value + 1e-12)).code == 1


def test_json_is_printed_all_the_same(assent: Program, wide: str, value: float) -> None:
    done = assent("measure", wide, *ALPHA, "--json", "--fail-under", "0.9")
    assert done.code == 1
    assert done.measures["krippendorff-alpha"]["value"] == value


def test_without_a_name_the_gate_looks_at_the_first_measure_alone(assent: Program, wide: str) -> None:
    done = assent("measure", wide, "--json", "--fail-under", "0.99")
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert done.err.startswith(f"assent: {done.json['measures'][0]['title']} is ")


def test_every_measure_that_is_named_must_pass(assent: Program, wide: str) -> None:
    both = ("-m", "percent-agreement", "-m", "fleiss-kappa")
    percent, fleiss = library.percent_agreement(wide).value, library.fleiss_kappa(wide).value
    assert fleiss < percent
    assert assent("measure", wide, *both, "--fail-under", repr(fleiss)).code == 0
    between = assent("measure", wide, *both, "--fail-under", repr((fleiss + percent) / 2))
    assert between.code == 1
    assert "Fleiss' kappa" in between.err
    assert "Percent agreement" not in between.err
    assert assent("measure", wide, *both, "--fail-under", "1").err.count("\n") == 2


def test_an_undefined_value_fails(assent: Program, file: Files) -> None:
    done = assent("measure", file("one.csv", "item,r1,r2\n1,a,a\n2,a,a\n"), *ALPHA, "--fail-under", "-1")
    assert done.code == 1
    assert done.err == "assent: Krippendorff's alpha is undefined, below the target of -1.\n"


def test_the_lower_end_of_the_interval_can_be_the_gate(assent: Program, wide: str, value: float) -> None:
    low = library.krippendorff_alpha(wide).confidence_interval().low
    assert low < value
    assert assent("measure", wide, *ALPHA, "--fail-on", "low", "--fail-under", repr(low)).code == 0
    done = assent("measure", wide, *ALPHA, "--fail-on", "low", "--fail-under", repr((low + value) / 2))
    assert done.code == 1
    assert done.err.startswith("assent: The lower end of the interval of Krippendorff's alpha is ")
    assert assent("measure", wide, *ALPHA, "--fail-on", "value", "--fail-under", repr((low + value) / 2)).code == 0


def test_the_lower_end_follows_the_interval_that_was_asked_for(assent: Program, wide: str) -> None:
    options = ("--ci", "bootstrap", "--bootstrap", "percentile", "--level", "0.8", "--replicates", "200", "--seed", "2")
    low = (
        library.krippendorff_alpha(wide)
        .confidence_interval(0.8, method="bootstrap", kind="percentile", replicates=200, seed=2)
        .low
    )
    assert assent("measure", wide, *ALPHA, *options, "--fail-on", "low", "--fail-under", repr(low)).code == 0
    assert assent("measure", wide, *ALPHA, *options, "--fail-on", "low", "--fail-under", repr(low + 1e-9)).code == 1


def test_without_an_interval_its_lower_end_cannot_be_the_gate(assent: Program, wide: str) -> None:
    done = assent("measure", wide, *ALPHA, "--fail-on", "low", "--ci", "none", "--fail-under", "0.5")
    assert (done.code, done.out) == (2, "")
    assert done.err == "assent: --fail-on low needs an interval, and --ci none makes none.\n"


@pytest.mark.parametrize("target", ["nan", "NaN"])
def test_a_target_that_nothing_can_be_below_is_refused(assent: Program, wide: str, target: str) -> None:
    """Nothing is less than NaN: such a gate would let everything pass."""
    done = assent("measure", wide, *ALPHA, "--fail-under", target)
    assert (done.code, done.out) == (2, "")


@pytest.mark.parametrize("task", sorted(TARGETS))
def test_a_kind_of_task_is_a_target(assent: Program, file: Files, task: str) -> None:
    """Two labels, of n items k disagree: percent agreement is 1 - k / n, just below the target or just above."""
    target = TARGETS[task]
    for disagreeing, code in ((round(1000 * (1 - target)), 0), (round(1000 * (1 - target)) + 1, 1)):
        path = file("data.csv", f",a,b\na,{1000 - disagreeing},{disagreeing}\nb,0,0\n")
        done = assent("measure", path, "-m", "percent-agreement", "--target", task)
        assert done.code == code
        assert (f"below the target of {target:g}" in done.err) == bool(code)


def test_two_targets_or_an_unknown_one_are_refused(assent: Program, wide: str) -> None:
    for arguments in (("--target", "objective", "--fail-under", "0.5"), ("--target", "objectiv")):
        done = assent("measure", wide, *arguments)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("command", ["measure", "report"])
def test_a_target_that_is_met_but_for_rounding_is_met(assent: Program, file: Files, command: str) -> None:
    """Cohen's kappa of this table is 4/5, and is computed as a little less."""
    path = file("data.csv", ",a,b\na,3,0\nb,1,8\n")
    assert library.cohen_kappa(path).value < 0.8
    only = ("-m", "cohen-kappa") if command == "measure" else ("--brief",)
    assert assent(command, path, *only, "--fail-under", "0.8").code == 0
    assert assent(command, path, *only, "--fail-under", "0.8000001").code == 1


@pytest.mark.parametrize("command", [["measure"], ["report", "--brief"]])
def test_a_shortfall_is_seen_in_the_number_that_is_printed(assent: Program, command: list[str]) -> None:
    """Alpha of these patients is not 0.796, as three digits say: that is no less than 0.7957."""
    done = assent(*command, "--example", "dawid-skene", "--scale", "ordinal", "--fail-under", "0.7957")
    assert "Krippendorff's alpha is 0.7956, below the target of 0.7957." in done.err


def test_a_gate_on_intervals_names_its_threshold_whole(assent: Program, wide: str, value: float) -> None:
    done = assent("measure", wide, *ALPHA, "--gate", "kappa", "--fail-under", "0.667")
    assert done.code in (1, 3)
    assert "0.667." in done.err
