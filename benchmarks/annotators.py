"""How long `assent annotators` takes beside the reading of the file: `python benchmarks/annotators.py [--quick]`.

A million annotations of 200,000 items, five labels: by a crowd of 10,000 annotators, and by a team of five, of whose items many are
alike. Whole processes, the best of five in turns, in units of one that does nothing but `polars.read_csv` of the file.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
import polars as pl

from processes import Run, assent, best, machine, python, run

ITEMS, ANNOTATORS, EACH, LABELS, ROUNDS = 200_000, 10_000, 5, 5, 5


def make(path: Path, items: int, annotators: int) -> None:
    """Write a long table in random order."""
    rng = np.random.default_rng(0)
    who = rng.integers(0, annotators // EACH, (items, EACH)) * EACH + np.arange(EACH)
    truth = rng.integers(0, LABELS, (items, 1))
    said = np.where(rng.random((items, EACH)) < 0.8, truth, rng.integers(0, LABELS, (items, EACH)))
    frame = pl.DataFrame(
        {
            "item": [f"item{i}" for i in np.repeat(np.arange(items), EACH)],
            "annotator": [f"w{i:05}" for i in who.ravel()],
            "label": np.array(list("abcde"))[said.ravel()],
        }
    )
    frame.sample(fraction=1, shuffle=True, seed=1).write_csv(path)


def main() -> None:
    """Print seconds and ratios."""
    parser = argparse.ArgumentParser(description="assent annotators beside the reading of the file.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    quick = parser.parse_args().quick
    items, crowd = (ITEMS // 10, ANNOTATORS // 10) if quick else (ITEMS, ANNOTATORS)
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        for annotators in (crowd, EACH):
            path = Path(folder) / f"{annotators}.csv"
            make(path, items, annotators)
            commands = {
                "polars reads the file": python("import polars, sys; polars.read_csv(sys.argv[1])", path),
                "assent reads the file": python("import assent, sys; assent.read(sys.argv[1])", path),
                "assent annotators": assent("annotators", path),
                "assent annotators --json": assent("annotators", path, "--json"),
            }
            runs: dict[str, list[Run]] = {name: [] for name in commands}
            for _ in range(ROUNDS):
                for name, command in commands.items():
                    runs[name].append(run(command))
            floor, *_ = found = [best(one) for one in runs.values()]
            print(f"{items * EACH:,} annotations of {items:,} items by {annotators:,} annotators")
            for name, one in zip(runs, found, strict=True):
                times = one.wall / floor.wall
                print(f"{name:26} {one.wall:5.2f} s, {times:4.1f} times polars reading it")


if __name__ == "__main__":
    main()
