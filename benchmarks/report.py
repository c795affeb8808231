"""How long a report takes beside the reading of the file and one coefficient: `python benchmarks/report.py [--quick]`.

A million annotations, three to five of an item: by a crowd of a thousand with five labels, and by twenty annotators with three
thousand labels; besides 60,000 with three thousand labels. Processor time of a process of its own each, which a busy machine
does not stretch; imports are paid before, the start of what draws the charts is not.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl

#: Annotations, annotators and labels.
TABLES = ((1_000_000, 1_000, 5), (1_000_000, 20, 3_000), (60_000, 5, 3_000))
RUNS = 3

#: What is measured, in a process of its own: nothing is worked out before.
WORK = """
import json, sys, time
import assent, assent.reports, assent.analyses.annotators

def seconds(work):
    start = time.process_time()
    made = work()
    return made, time.process_time() - start

_, reading = seconds(lambda: assent.krippendorff_alpha(assent.read(sys.argv[1])).value)
data = assent.read(sys.argv[1])
report, making = seconds(lambda: assent.report(data))
page, drawing = seconds(report.html)
_, again = seconds(report.html)
print(json.dumps({"reading": reading, "making": making, "drawing": drawing, "again": again, "bytes": len(page)}))
"""


def make(path: Path, annotations: int, annotators: int, labels: int) -> None:
    """Write a long table: three quarters of all annotations have the right label, the others any."""
    rng = np.random.default_rng(0)
    sizes = rng.integers(3, 6, annotations // 4)
    item = np.repeat(np.arange(len(sizes)), sizes)
    within = np.arange(len(item)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    first, step = rng.integers(0, annotators, len(sizes)), rng.integers(1, max(2, annotators // 6), len(sizes))
    who = (first[item] + within * step[item]) % annotators
    truth = rng.integers(0, labels, len(sizes))[item]
    said = np.where(rng.random(len(item)) < 0.75, truth, rng.integers(0, labels, len(item)))
    columns = {"item": item, "annotator": who, "label": said}
    pl.DataFrame(columns).select(pl.format(f"{name} {{}}", name).alias(name) for name in columns).write_parquet(path)


def measured(path: Path) -> dict[str, float]:
    """Return the best of some runs of each."""
    # Products of long vectors in several threads wait for each other on a busy machine, and waiting counts as work.
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    runs = [
        json.loads(
            subprocess.run(
                [sys.executable, "-c", WORK, str(path)], env=alone, check=True, capture_output=True, text=True
            ).stdout
        )
        for _ in range(RUNS)
    ]
    return {name: min(run[name] for run in runs) for name in runs[0]}


def main() -> None:
    """Print seconds and ratios."""
    parser = argparse.ArgumentParser(description="A report beside the reading of the file and one coefficient.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    tenth = 10 if parser.parse_args().quick else 1
    with tempfile.TemporaryDirectory() as folder:
        for annotations, annotators, labels in TABLES:
            path = Path(folder) / f"{annotations}-{annotators}-{labels}.parquet"
            make(path, annotations // tenth, annotators, labels)
            found = measured(path)
            reading = found["reading"]
            print(f"{annotations // tenth:,} annotations by {annotators:,} annotators with {labels:,} labels")
            print(f"  reading and one alpha {reading:6.2f} s")
            for name, what in (("making", "the report"), ("drawing", "its page"), ("again", "the page again")):
                print(f"  {what:21} {found[name]:6.2f} s  {found[name] / reading:5.1f} times that")
            print(f"  size of the page      {found['bytes'] / 1e6:6.2f} MB")


if __name__ == "__main__":
    main()
