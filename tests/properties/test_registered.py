"""What every registered measure must have and be: no list to keep."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from tests.properties.tables import (
    FEW,
    LABELS,
    Rows,
    annotations,
    every_measure,
    fitting,
    large,
    measured,
    near,
    of_any_kind,
    tables,
)

import assent
from assent import Measure
from assent.cli.app import run
from assent.inference.derivatives import influence
from assent.profiles import Multiplicities
from assent.references import REFERENCES
from assent.scales import SCALES

SECTIONS = ("When to use", "Not when", "References", "Examples")


def section(text: str, name: str) -> str:
    """The text under a numpydoc heading."""
    found = re.search(rf"^{name}\n-{{{len(name)}}}\n(.+?)(?=\n\n[^\n]+\n---|\Z)", text, re.DOTALL | re.MULTILINE)
    return found[1].strip() if found else ""


def listed(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    with pytest.raises(SystemExit) as end:
        run(["measures", "--json"])
    assert end.value.code == 0
    return {one["measure"]: one for one in json.loads(capsys.readouterr().out)["measures"]}


@of_any_kind
def test_it_has_a_title_and_a_summary_of_one_sentence(measure: Measure) -> None:
    assert measure.title.strip() == measure.title != ""
    assert measure.summary.endswith(".")
    assert "\n" not in measure.summary


@of_any_kind
@pytest.mark.parametrize("name", SECTIONS)
def test_its_text_says_when_to_use_it_and_when_not_with_references_and_an_example(measure: Measure, name: str) -> None:
    assert section(measure.text, name), f"{measure.name} has no section {name}"
    assert inspect.getdoc(measure) == measure.text


@of_any_kind
def test_its_example_is_about_itself(measure: Measure) -> None:
    assert f"assent.{measure.name.replace('-', '_')}(" in section(measure.text, "Examples")


@of_any_kind
def test_its_references_are_known_and_stand_in_its_text(measure: Measure) -> None:
    assert measure.references
    for key in measure.references:
        reference = REFERENCES[key]
        assert reference.title.split(":")[0] in " ".join(section(measure.text, "References").split())
        assert reference.link in measure.text


def test_every_reference_is_used_and_says_who_when_and_where() -> None:
    used = {key for measure in assent.all_measures().values() for key in measure.references}
    assert used <= set(REFERENCES)
    sources = "".join(
        path.read_text()
        for root in (Path(assent.__file__).parent, Path("studies"))
        for path in root.rglob("*.py")
        if path.stem != "references"
    )
    assert [key for key in REFERENCES if f'"{key}"' not in sources] == []
    for reference in REFERENCES.values():
        assert reference.authors
        assert reference.title
        assert reference.where
        assert 1900 < reference.year < 2100
        assert reference.link == "" or reference.link.startswith("https://")


@of_any_kind
def test_its_name_is_that_of_its_function_in_kebab_case(measure: Measure) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", measure.name)
    assert measure.name == measure.function.__name__.replace("_", "-")
    assert assent.all_measures()[measure.name] is measure


@of_any_kind
def test_it_is_a_public_function_of_the_library(measure: Measure) -> None:
    name = measure.name.replace("-", "_")
    assert name in dir(assent)
    assert getattr(assent, name) is measure


@of_any_kind
def test_the_command_line_lists_it(measure: Measure, capsys: pytest.CaptureFixture[str]) -> None:
    found = listed(capsys)[measure.name]
    assert found["title"] == measure.title
    assert found["summary"] == measure.summary
    assert found["scales"] == list(measure.scales)
    assert found["references"] == [REFERENCES[key].text for key in measure.references]
    assert found["options"] == {name: list(values) for name, values in measure.options.items()}


@of_any_kind
def test_its_scales_are_scales_and_its_options_have_choices(measure: Measure) -> None:
    assert measure.scales
    assert set(measure.scales) <= set(SCALES)
    parameters = inspect.signature(measure.function).parameters
    own = [name for name, parameter in parameters.items() if parameter.kind is parameter.KEYWORD_ONLY]
    assert own == list(measure.options)
    assert all(parameters[name].default == option.default for name, option in measure.parameters.items())
    assert all(option.takes.help.endswith(".") and option.values != ("",) for option in measure.parameters.values())
    for name, values in measure.choices.items():
        assert parameters[name].default == values[0]
        assert len(set(values)) == len(values) > 1


def some_data(measure: Measure) -> Any:
    """Data of the kind that the measure takes."""
    if measure.kind == "labels":
        return fitting(measure, large(items=10, gaps=0))
    return OF_KIND[measure.kind]()


OF_KIND = {
    "spans": lambda: assent.Spans.from_rows(
        [("d1", "ann", 0, 4, "A"), ("d1", "ben", 0, 4, "A"), ("d1", "ann", 5, 9, "B"), ("d1", "ben", 4, 9, "A")],
        lengths={"d1": 12},
        relations=[("r", 0, 2), ("r", 1, 3)],
        attributes={"negated": ["yes", "yes", "no", "yes"]},
    ),
    "rankings": lambda: assent.Rankings.from_matrix([[1, 2, 1], [2, 1, 3], [3, 3, 2]]),
    "preferences": lambda: assent.Preferences.from_rows(
        [("ann", "x", "y", "x"), ("ben", "x", "y", "y"), ("cid", "x", "y", "x")]
    ),
    "best-worst": lambda: assent.BestWorst.from_rows(
        [("ann", "xyz", "x", "z"), ("ben", "xyz", "x", "y"), ("cid", "xyz", "y", "z")]
    ),
}


@of_any_kind
def test_it_can_be_asked_for_by_either_name(measure: Measure) -> None:
    for name in (measure.name, measure.name.replace("-", "_")):
        assert assent.measure(some_data(measure), name, ci="none").quoted.measure == measure.name


@of_any_kind
def test_it_says_whether_chance_is_taken_off(measure: Measure) -> None:
    """Where it is not, nothing is expected by chance, or the value is what was observed."""
    found = measure(some_data(measure))
    assert measure.chance_corrected == (found.expected != 0 and found.value != found.observed)


@of_any_kind
def test_an_unknown_option_or_value_is_refused_with_the_choices(measure: Measure) -> None:
    rows = some_data(measure)
    with pytest.raises(assent.OptionError, match=f'{measure.name} has no option "nonsense"'):
        measure(rows, nonsense="1")
    said = r'`scale` is "nominl", which is not one of .* \(did you mean nominal\?\)'
    with pytest.raises(assent.AssentError, match=said if measure.kind == "labels" else "which are on no scale"):
        measure(rows, scale="nominl")
    for name, values in measure.choices.items():
        with pytest.raises(assent.OptionError, match=f'`{name}` is "nonsense"') as refused:
            measure(rows, **{name: "nonsense"})
        assert [one for one in values if one not in str(refused.value)] == []


@every_measure
@FEW
@given(rows=tables())
def test_it_takes_many_weights_at_once_and_gives_what_it_gives_one_by_one(measure: Measure, rows: Rows) -> None:
    for case, agreement in measured(measure, rows):
        rng = np.random.default_rng(0)
        profiles = len(agreement.sample.multiplicities)
        weights = np.vstack(
            [agreement.sample.multiplicities, rng.integers(0, 4, (3, profiles)), rng.random((3, profiles))]
        )
        together = agreement.sample.statistic(Multiplicities(weights))
        assert together.shape == (7,), case.id
        one_by_one = [float(agreement.sample.statistic(Multiplicities(row))) for row in weights]
        # A matrix product may add up in another order than a product of vectors, and 1 - expected may be small.
        assert together == near(one_by_one, 1e-9), case.id
        assert together[0] == near(agreement.value, 1e-9), case.id


@every_measure
def test_it_is_smooth_in_the_weights_and_its_influence_is_its_derivative(measure: Measure) -> None:
    """Five-point differences with a step of 0.001 are exact to 1e-10 or so for functions of weights near 1."""
    unused = "100"
    rows = (*fitting(measure, large(items=12, gaps=0, seed=3)), *fitting(measure, large(items=12, seed=4)))
    for case, agreement in measured(measure, rows, annotations(rows).ordered([*LABELS, unused])):
        for one in agreement:
            weights = one.sample.multiplicities.astype(float)
            found = influence(one.sample.statistic, weights)
            steps = 1e-3 * np.eye(len(weights))

            def at(times: int, one: Any = one, weights: Any = weights, steps: Any = steps) -> Any:
                return one.sample.statistic(Multiplicities(weights + times * steps))

            differences = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * 1e-3)
            assert found == pytest.approx(differences, abs=1e-8), case.id


@every_measure
def test_it_neither_rounds_nor_clips(measure: Measure) -> None:
    """Disagreement worse than chance is a negative value, and a third is no short decimal."""
    rows = fitting(measure, (("1", "2", "1"), ("2", "1", "2"), ("1", "2", "2"), ("2", "1", "1"), ("1", "1", "2")))
    for case, agreement in measured(measure, rows):
        assert agreement.value < 0 or not measure.chance_corrected, case.id
        assert agreement.value != round(agreement.value, 4) or not measure.chance_corrected, case.id


@every_measure
def test_nothing_is_expected_of_a_measure_that_is_not_corrected_for_chance(measure: Measure) -> None:
    rows = fitting(measure, large(items=20, gaps=0))
    for case, agreement in measured(measure, rows):
        assert (agreement.expected == 0) == (not measure.chance_corrected), case.id


@every_measure
def test_it_is_tested_whether_labels_are_missing_at_random_where_its_text_asks_for_that(measure: Measure) -> None:
    said = "missingness must have nothing to do with agreement" in " ".join(measure.text.split())
    (one,) = assent.measure(fitting(measure, large(items=10, gaps=0)), measure.name, ci="none").measures
    assert (one.missingness is not None) == said
