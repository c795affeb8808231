"""What SPA costs on a large sparse table: all six schemes with a bootstrap, as a ratio to reading the file.

    python benchmarks/sparse.py            10^7 annotations of items with 1 to 8 of them; some minutes
    python benchmarks/sparse.py --quick    a tenth of that, once; changes no file

Everything is timed as a whole fresh process. The table goes to docs/sparse.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# This folder holds a file with the name of a well-known package, which must not be found first.
sys.path[0] = str(ROOT)

from benchmarks.pages import DOCS, insert, table  # noqa: E402
from benchmarks.processes import DATA, GB, python, run  # noqa: E402

SEED = 1
FLOOR = """
import sys
import polars
polars.read_csv(sys.argv[1])
"""
ANNOTATIONS, QUICK, ROUNDS = 10_000_000, 1_000_000, 3

GENERATE = """
import sys
import numpy as np, polars as pl
annotations, path = int(sys.argv[1]), sys.argv[2]
rng = np.random.default_rng(int(sys.argv[3]))
sizes = rng.integers(1, 9, annotations // 4)
sizes = sizes[: np.searchsorted(np.cumsum(sizes), annotations)]
item = np.repeat(np.arange(len(sizes)), sizes)
place = np.arange(len(item)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
# No annotator has an item twice: each place of an item has 625 annotators of its own.
annotator = rng.integers(0, 625, len(item)) + 625 * place
truth = rng.choice(6, len(sizes), p=[.4, .25, .15, .1, .06, .04])[item]
label = np.where(rng.random(len(item)) < .75, truth, rng.integers(0, 6, len(item)))
frame = pl.DataFrame({"i": item, "a": annotator, "l": label})
frame.select(
    item=pl.format("item-{}", pl.col("i").cast(pl.String).str.zfill(8)),
    annotator=pl.format("worker_{}", pl.col("a").cast(pl.String).str.zfill(4)),
    label=pl.format("label{}", pl.col("l")),
).write_csv(path)
"""
SCHEMES = """
import json, sys
import assent
data = assent.read(sys.argv[1])
schemes = ("annotations-m1", "flat", "annotations", "edges", "inv-var", "inv-var-class")
found = {}
for scheme in schemes:
    agreement = assent.spa(data, scheme=scheme)
    interval = agreement.confidence_interval(method="bootstrap", replicates=int(sys.argv[2]))
    found[scheme] = [agreement.value, interval.low, interval.high]
print(json.dumps({"annotations": data.n_annotations, "items": data.n_items, "schemes": found}))
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write the table."""
    parser = argparse.ArgumentParser(description="What SPA costs on a large sparse table.")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK:,} annotations, one round; change no file")
    options = parser.parse_args(arguments)
    annotations, rounds = (QUICK, 1) if options.quick else (ANNOTATIONS, ROUNDS)
    DATA.mkdir(exist_ok=True)
    path: Path = DATA / f"sparse-{annotations}-{SEED}.csv"
    if not path.exists():
        part = path.with_suffix(".part")
        run(python(GENERATE, annotations, part, SEED))
        part.rename(path)
    commands = {
        "polars reads the file": python(FLOOR, path),
        "SPA, one scheme, analytic interval": [
            str(Path(sys.executable).with_name("assent")), "measure", str(path), "-m", "spa", "--json",
        ],
        "SPA, six schemes": python(SCHEMES, path, 1),
        "SPA, six schemes, 1,000-replicate bootstrap each": python(SCHEMES, path, 1000),
    }  # fmt: skip
    runs = {name: [run(command) for _ in range(rounds)] for name, command in commands.items()}
    floor = min(one.wall for one in runs["polars reads the file"])
    rows = [
        [name, f"{min(one.wall for one in some) / floor:.2f}", f"{max(one.peak for one in some) / GB:.2f} GB"]
        for name, some in runs.items()
    ]
    last = json.loads(runs["SPA, six schemes, 1,000-replicate bootstrap each"][-1].printed)
    text = f"{last['annotations']:,} annotations of {last['items']:,} items, six labels.\n\n" + table(
        ["whole process", "time", "peak memory"], rows
    )
    print(text, end="\n\n")
    if not options.quick:
        insert(DOCS / "sparse.md", "cost", text)
    path.unlink()


if __name__ == "__main__":
    main()
