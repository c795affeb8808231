"""Models among the annotators: the number of all is not that of the people, and that is said."""

from pathlib import Path

import numpy as np
import pytest
from tests.cli.conftest import Program

import assent as agreement


def columns(names: list[str], seed: int = 3) -> dict[str, list[str]]:
    rng = np.random.default_rng(seed)
    truth = rng.random(60) < 0.5
    return {
        name: np.where(truth ^ (rng.random(60) < (0.4 if "-" in name else 0.1)), "pass", "fail").tolist()
        for name in names
    }


def test_a_model_among_people_is_said_with_the_value_of_the_people() -> None:
    table = columns(["ann", "bob", "cleo", "gpt-4o"])
    people = {name: given for name, given in table.items() if name != "gpt-4o"}
    everybody, apart = (agreement.krippendorff_alpha(one).value for one in (table, people))
    (said,) = agreement.measure(table).beside
    assert said.startswith(
        '"gpt-4o" has the name of a model and counts as an annotator: without it, Krippendorff\'s alpha is '
    )
    assert f"is {apart:.2f} and not {everybody:.2f}." in said
    # The same where a measure was asked for by name, as a gate does.
    assert (
        f"is {agreement.percent_agreement(people).value:.2f} and not"
        in agreement.measure(table, "percent-agreement").beside[0]
    )


@pytest.mark.parametrize(
    "names", [["ann", "bob", "cleo"], ["ann", "gpt-4o"], ["gpt-4o", "claude-3", "llama-3"], ["judge 1", "judge 2"], ["judith", "modest", "aida"]]
)  # fmt: skip
def test_nothing_is_said_of_people_or_models_alone(names: list[str]) -> None:
    assert agreement.measure(columns(names)).beside == ()


def test_a_report_says_it_first_and_leaves_the_model_out_if_it_is_named(assent: Program, tmp_path: Path) -> None:
    table = columns(["ann", "bob", "cleo", "gpt-4o", "claude-3"])
    rows = [
        "item," + ",".join(table),
        *(f"{i}," + ",".join(row) for i, row in enumerate(zip(*table.values(), strict=True))),
    ]
    path = str(tmp_path / "labels.csv")
    Path(path).write_text("\n".join(rows))
    told = " ".join(assent(path).out.split())
    assert '"claude-3" and "gpt-4o" have names of models and count as annotators: without them, ' in told
    assert "Next: Name them with --judge: the report is then on the people" in told
    assert "names of models" not in assent(path, "--judge", "gpt-4o", "--judge", "claude-3").out
    assert "names of models" not in assent("judge", path, "--judge", "gpt-4o", "--judge", "claude-3").out
