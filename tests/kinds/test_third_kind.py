"""A kind of data that the package does not know gets measures, intervals, differences, JSON and a report from what is there."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from tests.kinds.pauses import Pauses

import assent
from assent import Measure
from assent.cli.app import run
from assent.data import Dataset
from assent.errors import InputError, UnsuitableData

ROWS = [
    (1, "a", 3), (1, "b", 4), (1, "a", 9), (2, "a", 5), (2, "b", 5), (2, "b", 20), (3, "a", 7), (3, "b", 30),
    (4, "a", 1), (4, "b", 1), (4, "a", 8), (4, "b", 8), (5, "a", 2), (5, "b", 2), (5, "a", 40), (6, "a", 11), (6, "b", 12),
]  # fmt: skip
#: Marks matched and made, item by item.
BY_HAND = {1: (2, 3), 2: (2, 3), 3: (0, 2), 4: (4, 4), 5: (2, 3), 6: (2, 2)}
VALUE = sum(matched for matched, _ in BY_HAND.values()) / sum(made for _, made in BY_HAND.values())


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "pauses.csv"
    path.write_text("item,annotator,second\n" + "".join(f"{i},{who},{at}\n" for i, who, at in ROWS))
    return path


@pytest.fixture
def data(pause_match: Measure, table: Path) -> Dataset:
    found = assent.read(table, layout="pauses")  # type: ignore[arg-type]
    assert isinstance(found, Pauses)
    return found


def test_its_measure_is_the_sum_worked_out_by_hand(data: Dataset, pause_match: Measure) -> None:
    found = pause_match(data)
    assert found.value == pytest.approx(VALUE)
    assert (found.n_items, found.n_annotators) == (6, 2)
    assert pause_match(data, within=0).value < found.value


@pytest.mark.parametrize("method", ["analytic", "jackknife", "bootstrap", "etel"])
def test_it_has_intervals_of_every_method(data: Dataset, pause_match: Measure, method: str) -> None:
    interval = pause_match(data).confidence_interval(method=method, seed=1)
    assert interval.low < VALUE < interval.high


def test_its_jackknife_is_that_of_leaving_out_items(data: Dataset, pause_match: Measure) -> None:
    without = []
    for left in BY_HAND:
        rest = [one for item, one in BY_HAND.items() if item != left]
        without.append(sum(m for m, _ in rest) / sum(n for _, n in rest))
    mean = sum(without) / len(without)
    error = math.sqrt((len(without) - 1) / len(without) * sum((one - mean) ** 2 for one in without))
    assert pause_match(data).standard_error("jackknife") == pytest.approx(error)


def test_it_is_compared_with_other_data(data: Dataset, pause_match: Measure) -> None:
    fewer = data.without_annotators(["nobody"])
    gap = assent.difference(pause_match(data), pause_match(fewer), paired=False)
    interval = gap.confidence_interval()
    assert interval.low < gap.value == 0.0 < interval.high
    same = assent.difference(pause_match(data), pause_match(data, counting="either"))
    assert same.value == 0.0
    with pytest.raises(InputError, match="compare them unpaired"):
        assent.difference(pause_match(data), pause_match(fewer))


def test_measures_of_labels_say_that_it_is_something_else(data: Dataset, pause_match: Measure) -> None:
    with pytest.raises(UnsuitableData, match="about labels, and the data are pauses"):
        assent.krippendorff_alpha(data)
    with pytest.raises(UnsuitableData, match="about pauses, and the data are labels"):
        pause_match([["a", "b"], ["b", "b"]])
    with pytest.raises(UnsuitableData, match="on no scale"):
        pause_match(data, scale="ordinal")


def test_it_is_found_everywhere(data: Dataset, pause_match: Measure, capsys: pytest.CaptureFixture[str]) -> None:
    assert assent.pause_match is pause_match  # type: ignore[attr-defined]
    assert assent.measure(data).quoted.measure == "pause-match"
    with pytest.raises(SystemExit):
        run(["measures", "--json"])
    names = [one["measure"] for one in json.loads(capsys.readouterr().out)["measures"]]
    assert "pause-match" in names


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as end:
        run(list(arguments))
    found = capsys.readouterr()
    assert (end.value.code, found.err) == (0, "")
    return found.out


def test_the_command_line_measures_it(pause_match: Measure, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(printed(capsys, "measure", str(table), "--layout", "pauses", "--json", "--within", "1"))
    assert found["data"]["items"] == 6
    (one,) = found["measures"]
    assert one["value"] == pytest.approx(VALUE)
    assert one["options"]["within"] == 1
    assert one["ci"]["low"] < VALUE < one["ci"]["high"]
    text = printed(capsys, "measure", str(table), "--layout", "pauses")
    assert "Share of matched pauses" in text
    assert f"{VALUE:.3f}" in text
