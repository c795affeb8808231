"""Judges beside people at size: `python benchmarks/judges.py [--quick]`.

Whole processes of `assent judge` on 100,000 items, five people and ten judges (a row a label), in units of one that reads the file; and `assent measure` with a
distance that is a Python function on 100,000 distinct values, with how often the function is called.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import numpy as np
import polars as pl

from processes import assent, best, machine, python, run

ITEMS, PEOPLE, JUDGES, VALUES = 100_000, 5, 10, 100_000
CALLS = """
import json, sys, assent
calls = 0
def apart(first, second):
    global calls
    calls += 1
    return abs(float(first) - float(second))
sys.modules["counted"] = sys.modules["__main__"]
found = assent.krippendorff_alpha(assent.read(sys.argv[1]), distance="counted:apart")
print(json.dumps([calls, found.value, found.details["monte_carlo_error"]]))
"""


def judges(folder: Path, items: int) -> None:
    """Time a whole comparison beside a process that reads the file."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, items)
    names = [*(f"person{i}" for i in range(PEOPLE)), *(f"judge{i}" for i in range(JUDGES))]
    columns = []
    for place, name in enumerate(names):
        right = rng.random(items) < (0.8 if place < PEOPLE else 0.7 + 0.02 * (place - PEOPLE))
        labels = np.array(["bad", "fair", "good"])[np.where(right, truth, rng.integers(0, 3, items))]
        columns.append(pl.DataFrame({"item": np.arange(items), "annotator": name, "label": labels}))
    path = folder / "judges.csv"
    pl.concat(columns).with_columns(pl.format("i{}", "item").alias("item")).write_csv(path)
    named = [part for name in names[PEOPLE:] for part in ("--judge", name)]
    reading = best([run(python("import assent, sys; assent.read(sys.argv[1])", path)) for _ in range(3)])
    print(f"{items:,} items x {PEOPLE} people x {JUDGES} judges; reading {reading.wall:.2f} s")
    for some, title in ((named, "ten judges"), (named[:2], "one judge, the others as people")):
        one = best([run(assent("judge", path, *some, "--json")) for _ in range(3)])
        print(
            f"  {title}: {one.wall:.2f} s, {one.wall / reading.wall:.2f} times reading ({one.processor / reading.processor:.2f} of processor time), "
            f"{one.peak / 1e6:,.0f} MB"
        )


def distances(folder: Path, values: int) -> None:
    """Count the calls of a distance that is a Python function."""
    rng = np.random.default_rng(0)
    truth = rng.random(values // 2)
    path = folder / "values.csv"
    rows = {
        "item": [f"i{i}" for i in range(values // 2)],
        "ann": [f"{one:.9f}" for one in truth],
        "bob": [f"{one:.9f}" for one in truth + rng.normal(0, 0.05, values // 2)],
    }
    pl.DataFrame(rows).write_csv(path)
    reading = best([run(python("import assent, sys; assent.read(sys.argv[1])", path)) for _ in range(3)])
    one = best([run(python(CALLS, path)) for _ in range(3)])
    calls, value, error = json.loads(one.printed)
    print(
        f"{values:,} values by a Python function: {calls:,} calls, {one.wall:.2f} s, {one.wall / reading.wall:.2f} times reading; alpha {value:.4f}, Monte "
        f"Carlo error {error:.4f}"
    )


def main() -> None:
    """Time, and count."""
    parser = argparse.ArgumentParser(description="Judges beside people at size.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    quick = parser.parse_args().quick
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        judges(Path(folder), ITEMS // 10 if quick else ITEMS)
        distances(Path(folder), VALUES // 10 if quick else VALUES)


if __name__ == "__main__":
    main()
