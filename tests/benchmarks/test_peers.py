"""The comparison with other packages asks for what exists, and prints no ratio of different answers."""

import dataclasses
import sys
from types import SimpleNamespace

import pytest
from benchmarks.comparing import programs, tables
from benchmarks.comparing.measuring import difference
from benchmarks.comparing.page import Against, floors, goals, ratios
from benchmarks.comparing.rows import PACKAGES, ROWS, Peer, Row
from benchmarks.processes import MB, Failed, Run

from assent.measures import find
from benchmarks import peers, run

ROW = Row(
    what="alpha",
    table="long",
    items=10,
    quick=10,
    command=("measure",),
    options={},
    peers=(),
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.what}, {row.items}")
def test_rows_name_what_exists(row):
    assert callable(getattr(tables, row.table))
    for peer in row.peers:
        assert peer.package in PACKAGES
        assert callable(getattr(programs, peer.program))
        assert row.aggregates or peer.tolerance, "an answer that nothing is compared with proves nothing"
    if row.peers and not row.aggregates:
        name = row.command[row.command.index("--measure") + 1]
        assert find(name).name == name == row.options["measure"]


@pytest.mark.parametrize("kind", sorted({row.table for row in ROWS}))
def test_tables_are_the_same_every_time_and_nobody_annotates_an_item_twice(kind):
    import numpy as np

    made = [getattr(tables, kind)(np.random.default_rng(7), 50) for _ in range(2)]
    assert made[0].equals(made[1])
    # Rankings and spans have several rows of an item and an annotator.
    keys = [
        name
        for name in ("item", "document", "prompt", "annotator", "judge", "object", "start")
        if name in made[0].columns
    ]
    assert made[0].select(keys).is_unique().all()


def test_silent_annotators_leave_two_labels_at_least():
    import numpy as np
    import polars as pl

    table = tables.panel(np.random.default_rng(3), 500)
    present = table.select(pl.sum_horizontal(pl.exclude("item").is_not_null())).to_series()
    assert set(present) == {2, 3, 4, 5}


def test_different_answers_have_no_ratio():
    peer = Peer(package="krippendorff", program="krippendorff_alpha")
    assert difference(ROW, peer, {"value": 0.5}, {"value": 0.5 + 1e-12}) == pytest.approx(1e-12, rel=1e-3)
    with pytest.raises(Failed, match="the answers differ"):
        difference(ROW, peer, {"value": 0.5}, {"value": 0.5 + 1e-8})


def test_intervals_by_lot_are_compared_in_standard_errors():
    peer = Peer(package="krippendorff", program="krippendorff_bootstrap", lots=0.6)
    ours = {"value": 0.5, "error": 0.01, "low": 0.48, "high": 0.52}
    difference(ROW, peer, ours, {**ours, "low": 0.485})
    with pytest.raises(Failed):
        difference(ROW, peer, ours, {**ours, "low": 0.487})


def test_labels_of_items_must_be_equal():
    row = dataclasses.replace(ROW, command=("consensus",))
    peer = Peer(package="crowd-kit", program="crowdkit_majority", tolerance={})
    difference(row, peer, {"items": 2, "labels": "ab"}, {"items": 2, "labels": "ab"})
    with pytest.raises(Failed):
        difference(row, peer, {"items": 2, "labels": "ab"}, {"items": 2, "labels": "ac"})


def _against(**changes):
    whole = {name: Run(wall=wall, processor=wall, peak=MB, printed="") for name, wall in (("floor", 1), ("ours", 3))}
    given = {
        "what": "alpha",
        "annotations": 4000,
        "package": "other",
        "remark": "",
        "trouble": None,
        **whole,
        "theirs": Run(wall=1.5, processor=30, peak=2 * MB, printed=""),
        "our_call": 1.0,
        "their_call": 2.5,
        "apart": 1e-12,
        "allowed": 1e-9,
    }
    return Against(**{**given, **changes})


def test_where_another_is_ahead_it_is_said():
    assert "| alpha | other | 4,000 | **0.50** | 10.0 | 2.5 | 2 MB | 1 MB |" in ratios([_against()])
    said = goals([_against()])
    assert "faster than every package as a whole process: **no**, 1 are not: alpha, 4,000 against other" in said
    assert "faster than every package as a call: yes" in said
    assert "within its goal beside the reading of its file: **no**, 1 are not: alpha, 4,000" in said
    assert "within its goal beside the reading of its file: yes" in goals([_against(goal=3.0)])


def test_what_cannot_be_installed_is_said():
    absent = _against(trouble="no wheel", theirs=None, their_call=None, apart=None)
    assert "not compared" in ratios([absent])
    assert "- not compared: other (no wheel)" in goals([absent])


def test_a_command_that_nobody_else_has_stands_beside_the_reading_alone():
    alone = _against(package="", theirs=None, their_call=None, apart=None, goal=None)
    assert "| alpha | 4,000 | 3.00 | 3.00 |  | 1 MB | 1 MB |" in floors([alone])
    assert "alpha" not in ratios([alone])
    assert "alpha" not in goals([alone])


def test_a_row_that_fails_does_not_lose_the_others(monkeypatch, capsys):
    def measured(row, *_, **__):
        if row.what == "alpha":
            raise Failed("ended with 2: no such column")
        return [_against(what=row.what)]

    monkeypatch.setattr(peers, "prepared", lambda packages: {})
    monkeypatch.setattr(peers, "measured", measured)
    with pytest.raises(SystemExit) as ended:
        peers.main(["--quick"])
    assert ended.value.code == 1
    printed = capsys.readouterr().out
    assert "- not measured: alpha, 25 items (ended with 2: no such column)" in printed
    assert "| majority |" in printed


def test_a_benchmark_that_fails_does_not_stop_the_others(monkeypatch):
    asked = []

    def process(command):
        asked.append(command[1].rpartition("/")[2])
        return SimpleNamespace(returncode=int(asked[-1] == "peers.py"))

    monkeypatch.setattr(sys, "argv", ["run.py", "--quick"])
    monkeypatch.setattr(run.subprocess, "run", process)
    with pytest.raises(SystemExit, match="read above what peers said"):
        run.main()
    assert asked == ["peers.py", "large.py", "speed.py", "exports.py", "levers.py"]
