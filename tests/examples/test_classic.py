"""The published tables give the values that were published with them, by every command."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest
from tests.cli.conftest import Program
from tests.papers.oracle import ORACLES

import assent as library
from assent.cli.app import COMMANDS
from assent.examples import EXAMPLES, example, numbers_table
from assent.examples.classic import CLASSIC
from assent.examples.made import MADE

#: Values that the source prints, or that are printed with the table where it is quoted.
PUBLISHED: list[tuple[str, str, dict[str, Any], float, int]] = [
    ("lecture", "cohen-kappa", {}, 0.40, 2),
    ("lecture-toxicity", "percent-agreement", {}, 0.94, 2),
    ("lecture-toxicity", "cohen-kappa", {}, 0.37, 2),
    ("paradox1", "percent-agreement", {}, 0.85, 2),
    ("paradox1", "cohen-kappa", {}, 0.32, 2),
    ("paradox1-balanced", "percent-agreement", {}, 0.85, 2),
    ("paradox1-balanced", "cohen-kappa", {}, 0.70, 2),
    ("paradox2", "percent-agreement", {}, 0.60, 2),
    ("paradox2", "cohen-kappa", {}, 0.26, 2),
    ("paradox2-balanced", "percent-agreement", {}, 0.60, 2),
    ("paradox2-balanced", "cohen-kappa", {}, 0.13, 2),
    ("cohen", "cohen-kappa", {}, 0.492, 3),
    ("krippendorff", "krippendorff-alpha", {}, 0.743, 3),
    ("krippendorff", "krippendorff-alpha", {"scale": "ordinal"}, 0.815, 3),
    ("krippendorff", "krippendorff-alpha", {"scale": "interval"}, 0.849, 3),
    ("krippendorff", "krippendorff-alpha", {"scale": "ratio"}, 0.797, 3),
    ("hayes-krippendorff", "krippendorff-alpha", {"scale": "ordinal"}, 0.7598, 4),
    ("fleiss", "fleiss-kappa", {}, 0.430, 3),
    ("shrout-fleiss", "icc", {"form": "1,1"}, 0.17, 2),
    ("shrout-fleiss", "icc", {"form": "3,k"}, 0.91, 2),
]


@pytest.mark.parametrize(("name", "measure", "options", "value", "digits"), PUBLISHED)
def test_published_values(name: str, measure: str, options: dict[str, Any], value: float, digits: int) -> None:
    data = example(name).data()
    assert round(library.all_measures()[measure](data, **options).value, digits) == value


def test_every_published_table_has_a_source_and_a_tested_value_or_a_count() -> None:
    assert all(one.source for one in CLASSIC)
    assert {one.name for one in CLASSIC} - {name for name, *_ in PUBLISHED} == {"dawid-skene", "bland-altman"}
    assert not any(one.source for one in MADE)


def test_the_patients_of_dawid_and_skene() -> None:
    """Their classes have the shares that table 2 of the paper prints: 0.40, 0.42, 0.11 and 0.07."""
    data = example("dawid-skene").data()
    assert (data.n_items, data.n_annotations) == (45, 315)
    labels = [one["label"] for one in library.consensus(data, "dawid-skene").to_dict()["consensus"]["items"]]
    found = Counter(labels)
    assert [found[label] / 45 for label in "1234"] == pytest.approx([0.40, 0.42, 0.11, 0.07], abs=0.03)


def test_the_peak_flows_of_bland_and_altman() -> None:
    """Their differences have the mean and the standard deviation that the paper prints: -2.1 and 38.8 l/min."""
    _, rows = example("bland-altman").make(0)
    differences = [int(one) - int(two) for _, one, two in rows]
    assert (round(mean(differences), 1), round(stdev(differences), 1)) == (-2.1, 38.8)
    assert library.lin_concordance(example("bland-altman").data()).value == pytest.approx(0.94, abs=0.005)


def test_tables_are_those_of_the_oracles() -> None:
    """Tables that are in two places are the same in both."""
    for name, oracle in (
        ("krippendorff", "krippendorff_2011"),
        ("fleiss", "fleiss_1971"),
        ("hayes-krippendorff", "hayes_krippendorff_2007"),
    ):
        table = json.loads((ORACLES / f"{oracle}.json").read_text(encoding="utf-8"))["tables"][0]
        rows: Counter[tuple[str, ...]] = Counter()
        for row in table["rows"]:
            times, _, labels = row.rpartition(" * ")
            rows[tuple(sorted(one for one in labels.split() if one != "."))] += int(times or 1)
        columns, own = example(name).make(0)
        if name == "fleiss":
            found = Counter(tuple(str(i) for i, n in enumerate(row[1:], 1) for _ in range(int(n))) for row in own)
        else:
            found = Counter(tuple(sorted(one for one in row[1:] if one)) for row in own)
        assert found == rows, name
        assert len(columns) == len(own[0])


#: What each command needs beside the example, and an example that suits it; others take the story.
SUITS: dict[str, tuple[str, ...]] = {
    "judge": ("judge",),
    "repeat": ("runs",),
    "sweep": ("multi-label",),
    "report": ("lecture", "--brief"),
    "compare": ("story",),
    "ceiling": ("dawid-skene",),
    "explain": ("paradox1",),
    "measure": ("krippendorff",),
}


@pytest.mark.parametrize("command", [one for one in COMMANDS if one not in ("measures", "serve")])
def test_every_command_takes_an_example(
    assent: Program, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, *more = SUITS.get(command, ("story",))
    done = assent(command, "--example", name, *more)
    assert done.code == 0, done.err
    assert done.err.splitlines()[-1].startswith(f"Example {name}: {EXAMPLES[name].title}. ")
    assert (EXAMPLES[name].source in done.err) or not EXAMPLES[name].source
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["spans", "rankings"])
def test_examples_of_other_kinds(assent: Program, name: str) -> None:
    assert assent("measure", "--example", name).code == 0
    assert assent("report", "--example", name, "--brief").code == 0


def test_settings_of_an_example_hold_unless_something_else_is_said(assent: Program) -> None:
    ordinal = assent("measure", "--example", "hayes-krippendorff", "-m", "alpha", "--json").only
    assert round(ordinal["value"], 4) == 0.7598
    nominal = assent("measure", "--example", "hayes-krippendorff", "-m", "alpha", "--scale", "nominal", "--json").only
    assert round(nominal["value"], 4) == 0.4765


def test_an_example_alone_is_a_short_report(assent: Program) -> None:
    assert "One label dominates" in assent("--example", "paradox1").out


def test_an_unknown_example_lists_them(assent: Program) -> None:
    done = assent("measure", "--example", "storey")
    assert done.code == 2
    assert all(name in done.err for name in EXAMPLES)


def test_one_source_at_a_time(assent: Program) -> None:
    assert assent("measure").err == "assent: No file was given: name one, or an example with --example.\n"
    assert assent("measure", "x.csv", "--example", "fleiss").err.endswith("brings its own data: leave out the file.\n")
    both = assent("measure", "--table", "1,2;3,4", "--example", "fleiss")
    assert both.err == "assent: --table brings its own data: leave out --example.\n"


def test_a_table_in_one_line(assent: Program) -> None:
    found = assent("measure", "--table", "80,10;5,5", "-m", "kappa", "--json").only
    assert found["value"] == pytest.approx(0.07 / 0.22)
    told = assent("explain", "--table", "80,10; 10,0", "--labels", "yes,no").out
    assert "P(both yes) = 90/100 × 90/100" in told
    counts = assent("measure", "--table", "3,0;2,1;0,3", "--layout", "counts", "-m", "fleiss", "--json").only
    assert (counts["items"], counts["annotations"]) == (3, 9)


@pytest.mark.parametrize("text", ["", "1", "1,2", "1,2;3", "1,2;3,x", "1,2;3,-4", "1.5,2;3,4", ";;", "1,2;3,٤"])
def test_what_is_no_table_is_refused(text: str) -> None:
    with pytest.raises(library.OptionError, match="it must be as many rows as columns of whole numbers"):
        numbers_table(text)


def test_labels_of_a_table_must_be_as_many(assent: Program) -> None:
    done = assent("measure", "--table", "1,2;3,4", "--labels", "a,b,c")
    assert (
        done.err
        == "assent: `table` has 2 columns, so it needs 2 labels and not 3: name them with --labels.\n".replace(
            "`table`", "--table"
        )
    )
