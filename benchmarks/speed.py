"""What a bootstrap costs by the number of items.

    python benchmarks/speed.py            10^4 to 10^6 items; half a minute. Writes docs/speed.md
    python benchmarks/speed.py --quick    the same once; changes no file

Whole commands are timed by peers.py and large.py.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

if not __package__:
    # This folder holds a file with the name of a well-known package, which must not be found first.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks.pages import DOCS, insert, table
from benchmarks.processes import python, run

SIZES = (10_000, 100_000, 1_000_000)
ROUNDS, LABELS, SEED = 3, 5, 1

BOOTSTRAP = """
import sys, time
import numpy as np, assent
items, labels, seed = map(int, sys.argv[1:])
rng = np.random.default_rng(seed)
truth = rng.integers(0, labels, (items, 1))
given = np.where(rng.random((items, 4)) < 0.5, truth, rng.integers(0, labels, (items, 4)))
counts = (given[:, :, None] == np.arange(labels)).sum(axis=1)
data = assent.Annotations.from_counts(counts, labels=[str(i) for i in range(labels)])
agreement = assent.krippendorff_alpha(data)
agreement.bootstrap(replicates=10)
best = np.inf
for number in range(5):
    start = time.process_time()
    agreement.bootstrap(replicates=1000, seed=1 + number)
    best = min(best, time.process_time() - start)
print(len(data._counts.multiplicities), best)
"""


def bootstrap(rounds: int) -> str:
    """Write the table of what a bootstrap costs by the number of items, in processor time."""
    found: dict[int, list[tuple[int, float]]] = {size: [] for size in SIZES}
    for _ in range(rounds):
        for size in SIZES:
            profiles, best = run(python(BOOTSTRAP, size, LABELS, SEED)).printed.split()
            found[size].append((int(profiles), float(best)))
    base = min(seconds for _, seconds in found[SIZES[0]])
    rows = [
        [f"{size:,}", f"{some[0][0]:,}", f"{min(seconds for _, seconds in some) / base:.2f}"]
        for size, some in found.items()
    ]
    return table(["items", "profiles", "time of 1,000 replicates"], rows, text_columns=0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write the table."""
    parser = argparse.ArgumentParser(description="What a bootstrap costs by the number of items.")
    parser.add_argument("--quick", action="store_true", help="once; change no file")
    options = parser.parse_args(arguments)
    text = bootstrap(1 if options.quick else ROUNDS)
    print(text)
    if not options.quick:
        insert(DOCS / "speed.md", "bootstrap", text)


if __name__ == "__main__":
    main()
