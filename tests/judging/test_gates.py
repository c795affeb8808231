"""Gates: three outcomes by intervals, and a baseline that is a file."""

from __future__ import annotations

import json
import math
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.cli.test_terminal import EVIL

import assent
from assent.analyses.baseline import read_baseline
from assent.analyses.gates import EXIT_CODES, GateOutcome, exit_code, gate, judged, three_way
from assent.documents.junit import junit_xml
from assent.errors import InputError, OptionError, UnreadableFile


def table(items: int, right: float = 0.9, seed: int = 0) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, items)
    other = np.where(rng.random(items) < right, truth, 1 - truth)
    return [[str(a), str(b)] for a, b in zip(truth, other, strict=True)]


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(0, 1), st.floats(-1, 1))
def test_an_interval_passes_fails_or_cannot_tell(value: float, below: float, above: float, threshold: float) -> None:
    low, high = value - below, value + above
    one = three_way(gate="kappa", title="t", what="It", value=value, low=low, high=high, threshold=threshold)
    assert one.outcome == ("pass" if low >= threshold else "fail" if high < threshold else "unclear")
    assert one.sentence.endswith(".")


def test_what_is_undefined_cannot_be_told() -> None:
    for numbers in ((math.nan, 0.0, 1.0), (0.5, math.nan, math.nan)):
        value, low, high = numbers
        assert (
            three_way(gate="g", title="t", what="It", value=value, low=low, high=high, threshold=0.0).outcome
            == "unclear"
        )


def test_the_worst_outcome_decides() -> None:
    def one(outcome: str) -> GateOutcome:
        return GateOutcome(gate="g", title="t", outcome=outcome, sentence="")  # type: ignore[arg-type]

    assert EXIT_CODES == {"pass": 0, "fail": 1, "unclear": 3}
    assert exit_code([]) == 0
    assert exit_code([one("pass"), one("unclear")]) == 3
    assert exit_code([one("unclear"), one("fail"), one("pass")]) == 1


@pytest.mark.parametrize(
    ("items", "least", "outcome"), [(300, 0.5, "pass"), (300, 0.95, "fail"), (30, 0.75, "unclear")]
)
def test_the_gate_of_a_coefficient(items: int, least: float, outcome: str) -> None:
    found = assent.measure(table(items), fail_under=least, gate=["kappa"])
    assert [one.outcome for one in found.gates] == [outcome]
    assert found.to_dict()["gates"][0]["exit_code"] == {"pass": 0, "fail": 1, "unclear": 3}[outcome]
    assert found.outcomes() == found.gates


def test_runs_of_a_judge_among_people_do_not_lift_a_gate() -> None:
    """Three runs that agree with themselves beside a person who does not agree with them."""
    rng = np.random.default_rng(3)
    person, judge = rng.integers(0, 2, 200), rng.integers(0, 2, 200)
    rows = np.column_stack([person, judge, judge, judge]).astype(str)
    data = assent.Annotations.from_array(rows, annotators=["ann", "gpt_run_1", "gpt_run_2", "gpt_run_3"])
    found = assent.measure(data, "krippendorff-alpha", fail_under=0.3, gate=["kappa"])
    assert found.value > 0.4
    assert [one.outcome for one in found.gates] == ["unclear"]
    assert "keep one run of each judge" in found.gates[0].sentence
    # The value alone decides without a gate, and is lifted as much.
    (alone,) = assent.measure(data, "krippendorff-alpha", fail_under=0.3).outcomes()
    assert (alone.gate, alone.outcome) == ("fail-under", "unclear")
    runs = data.without_annotators(["ann"])
    assert [
        one.outcome for one in assent.measure(runs, "krippendorff-alpha", fail_under=0.3, gate=["kappa"]).gates
    ] == ["pass"]


def test_every_coefficient_that_is_named_is_judged() -> None:
    found = assent.measure(table(300), "cohen-kappa", "percent-agreement", fail_under=0.8, gate=["kappa"])
    assert [(one.title, one.outcome) for one in found.gates] == [
        ("Cohen's kappa", "unclear"),
        ("Percent agreement", "pass"),
    ]


@pytest.fixture
def last(tmp_path: Path) -> Path:
    path = tmp_path / "last.json"
    path.write_text(assent.measure(table(300, 0.9), "cohen-kappa").json())
    return path


@pytest.mark.parametrize(
    ("items", "right", "margin", "outcome"),
    [(3000, 0.92, 0.1, "pass"), (300, 0.7, 0.05, "fail"), (60, 0.86, 0.02, "unclear")],
)
def test_no_worse_than_a_baseline(last: Path, items: int, right: float, margin: float, outcome: str) -> None:
    found = assent.measure(table(items, right, seed=1), "cohen-kappa", baseline=last, gate=["no-worse"], margin=margin)
    assert [one.outcome for one in found.gates] == [outcome]


def test_the_interval_of_the_difference_to_a_baseline(last: Path) -> None:
    """Ends by the method of Zou and Donner: each as far off as the two ends that pull it there, in squares."""
    before = assent.cohen_kappa(table(300, 0.9))
    after = assent.cohen_kappa(table(200, 0.8, seed=1))
    found = assent.measure(table(200, 0.8, seed=1), "cohen-kappa", baseline=last)
    (one,) = found.against
    assert one.difference == pytest.approx(after.value - before.value)
    then, now = before.confidence_interval(), after.confidence_interval()
    low = one.difference - math.hypot(after.value - now.low, then.high - before.value)
    high = one.difference + math.hypot(now.high - after.value, before.value - then.low)
    assert (one.low, one.high) == pytest.approx((low, high))
    assert found.to_dict()["baseline"][0]["ci"]["low"] == one.low
    assert one.sentence in found.text(10_000)


def test_a_baseline_that_was_measured_otherwise_is_told(tmp_path: Path) -> None:
    path = tmp_path / "ordinal.json"
    path.write_text(assent.measure(table(50), "krippendorff-alpha", scale="ordinal", level=0.9).json())
    (one,) = assent.measure(table(50), "krippendorff-alpha", baseline=path).against
    assert "at the level 0.9" in one.note
    assert "measured with another" in one.note


def test_a_baseline_can_be_another_command(tmp_path: Path) -> None:
    path = tmp_path / "compare.json"
    path.write_text(assent.compare(table(60), table(60, seed=1), measures=["cohen-kappa"]).json())
    assert {one.measure for one in read_baseline(path)} == {"cohen-kappa"}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "cannot be read"),
        ("item,a,b\n1,x,x\n", "is no JSON"),
        ("{}", "holds no coefficient"),
        ("[" * 100_000, "is no JSON"),
        ('{"measures": [{"measure": 3, "value": "x"}]}', "holds no coefficient"),
        (b"\xff\xfe\x00", "is no JSON"),
    ],
)
def test_a_broken_baseline_is_told(tmp_path: Path, content: str | bytes | None, told: str) -> None:
    path = tmp_path / "last.json"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UnreadableFile, match=told):
        assent.measure(table(10), baseline=path)


def test_a_baseline_of_another_coefficient_is_told(last: Path) -> None:
    with pytest.raises(InputError, match='has no gwet-ac to compare with, only "cohen-kappa"'):
        assent.measure(table(10), "gwet-ac", baseline=last)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"gate": ["kappa"]}, "give it with `fail_under`"),
        ({"gate": ["no-worse"]}, "give it with `baseline`"),
        ({"gate": ["noninferior"]}, "`gate` is"),
        ({"gate": ["kappa"], "fail_under": 0.5, "ci": "none"}, "judges by intervals"),
        ({"margin": -0.1}, "`margin` is"),
    ],
)
def test_a_gate_that_cannot_judge_is_told(options: dict[str, object], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        assent.measure(table(20), **options)  # type: ignore[arg-type]


def test_another_kind_of_result_brings_its_own_gate() -> None:
    class Toy:
        value = 3

    @gate("toy", Toy)
    def positive(result: Toy, settings: object) -> list[GateOutcome]:
        return [GateOutcome(gate="toy", title="toy", outcome="pass" if result.value > 0 else "fail", sentence="It is.")]

    from assent.analyses.gates import GateSettings

    assert [one.outcome for one in judged(Toy(), ["toy", "toy"], GateSettings())] == ["pass"]
    with pytest.raises(OptionError, match="not one of toy"):
        judged(Toy(), ["kappa"], GateSettings())


@pytest.mark.parametrize("evil", [*EVIL, "]]>", "\"<&'", "\x00\x0b\ufffe\ud800"])
def test_junit_holds_any_name(evil: str) -> None:
    outcomes = [
        GateOutcome(gate=evil, title=evil, outcome=outcome, sentence=evil) for outcome in ("pass", "fail", "unclear")
    ]  # type: ignore[arg-type]
    text = junit_xml(outcomes, suite=evil)
    suite = ElementTree.fromstring(text.encode("utf-8")).find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "1")
    assert [[part.tag for part in case] for case in suite] == [["system-out"], ["failure"], ["error"]]


def test_outcomes_of_fail_under() -> None:
    found = assent.measure(table(30), "cohen-kappa", "percent-agreement", fail_under=0.85)
    assert [(one.gate, one.title, one.outcome) for one in found.outcomes()] == [
        ("fail-under", "Cohen's kappa", "fail"),
        ("fail-under", "Percent agreement", "pass"),
    ]
    assert [one.outcome for one in found.outcomes("low")] == ["fail", "fail"]
    assert json.loads(found.json())["gates"] == []


def test_a_summary_says_the_whole_reason() -> None:
    from assent.documents import rendered
    from assent.documents.blocks import Document
    from assent.documents.summary import summary_of

    reason = "The difference " + "is explained at length " * 20 + "here."
    outcome = three_way(gate="kappa", title="Kappa", what="Kappa", value=0.5, low=0.4, high=0.6, threshold=0.55)
    made = summary_of(Document("Agreement", []), [replace(outcome, sentence=reason)])
    text = rendered(made, "markdown")
    assert made.title == "Agreement: not enough data to tell"
    assert f"- kappa: not enough data to tell. {reason}" in text


def test_a_number_to_reach_is_a_gate_by_itself_and_a_gate_may_be_one_name() -> None:
    rows = [["a", "a", "a", "b"], ["b", "b", "b", "a"], ["a", "a", "b", "a"]] * 20
    data = assent.Annotations.from_array(rows, annotators=["ann", "bob", "cleo", "gpt"])
    assert [(one.gate, one.outcome) for one in assent.judge(data, judge="gpt", fail_under=0.9).gates] == [
        ("kappa", "fail")
    ]
    assert [one.gate for one in assent.judge(data, judge="gpt", gate="noninferior").gates] == ["noninferior"]
    compared = assent.compare(data, data, fail_under=0.9)
    assert [(one.gate, one.outcome) for one in compared.gates] == [("kappa", "fail")]
    assert [one.gate for one in assent.measure(data, fail_under=0.2, gate="kappa").gates] == ["kappa"]
    for function in (assent.measure, assent.compare, assent.judge):
        more = {"judge": "gpt"} if function is assent.judge else {}
        with pytest.raises(OptionError, match="`fail_under` is 7; a coefficient is 1 at most"):
            function(*[data] * (2 if function is assent.compare else 1), fail_under=7, **more)
    with pytest.raises(OptionError, match="`gate` judges by intervals"):
        assent.compare(data, data, fail_under=0.9, ci="none")
