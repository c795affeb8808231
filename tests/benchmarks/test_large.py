"""The large table is as large as it says, and its measurements are read as they should be."""

import sys

import polars as pl
import pytest
from benchmarks.large import BLOCK, GENERATE, PATTERN, Measured, blocks, further, numbers, same
from benchmarks.processes import Run


@pytest.mark.parametrize("size", [100_000, BLOCK, 2 * BLOCK + 5_000_000])
def test_blocks_add_up(size):
    cut = list(blocks(size))
    assert sum(rows for _, rows in cut) == size
    assert [first for first, _ in cut] == [i * BLOCK // 5 for i in range(len(cut))]


def test_a_block_has_its_size_and_no_annotator_twice(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["generate", "20", "1000", str(tmp_path)])
    exec(GENERATE, {})
    rows = pl.concat([pl.read_parquet(file) for file in sorted(tmp_path.glob("*.parquet"))])
    assert rows.height == 1000
    assert rows.select("item", "annotator").is_unique().all()
    assert rows["item"].n_unique() == 200
    assert rows["item"].min() == "item-00000020"
    assert set(rows.group_by("item").len()["len"]) == set(PATTERN)


def test_sizes_are_read():
    assert numbers("1e5,2e8") == (100_000, 200_000_000)


def _measured(size, wall, found=0.5):
    run = Run(wall=wall, processor=wall, peak=1, printed="")
    return Measured(size=size, engine="polars", run=run, floor=run, printed={"found": found})


def test_the_start_does_not_count_as_growth():
    some = [_measured(100_000, 2.0), _measured(1_000_000, 3.0), _measured(3_000_000, 5.0), _measured(5_000_000, 9.0)]
    assert further(some) == pytest.approx([1000, 2000])


def test_engines_that_differ_end_the_run():
    same([_measured(1, 1.0), _measured(1, 1.0)])
    with pytest.raises(SystemExit, match="differ"):
        same([_measured(1, 1.0), _measured(1, 1.0, found=0.6)])
