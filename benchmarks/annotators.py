"""How long `assent annotators` takes beside the reading of the file: `python benchmarks/annotators.py [--quick]`.

A million annotations of 200,000 items, five labels: by a crowd of 10,000 annotators, and by a team of five, of whose items many are
alike. Processor time, which a busy machine does not stretch.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

import assent
from assent.cli.app import run

ITEMS, ANNOTATORS, EACH, LABELS = 200_000, 10_000, 5, 5


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


def seconds(work: Callable[[], object]) -> float:
    """Processor seconds, the best of three."""
    found = []
    for _ in range(3):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def command(*arguments: str) -> None:
    """Run the program and forget what it prints."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        run(list(arguments))


def main() -> None:
    """Print seconds and ratios."""
    parser = argparse.ArgumentParser(description="assent annotators beside the reading of the file.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    quick = parser.parse_args().quick
    items, crowd = (ITEMS // 10, ANNOTATORS // 10) if quick else (ITEMS, ANNOTATORS)
    with tempfile.TemporaryDirectory() as folder:
        for annotators in (crowd, EACH):
            path = Path(folder) / f"{annotators}.csv"
            make(path, items, annotators)
            reading = seconds(lambda path=path: assent.read(path))  # type: ignore[misc]
            print(f"{items * EACH:,} annotations of {items:,} items by {annotators:,} annotators")
            print(f"reading the file           {reading:6.2f} s")
            for name, more in (("annotators", ()), ("annotators --json", ("--json",))):
                taken = seconds(lambda path=path, more=more: command("annotators", str(path), *more))  # type: ignore[misc]
                print(f"assent {name:18}  {taken:6.2f} s  {taken / reading:4.1f} times the reading")


if __name__ == "__main__":
    main()
