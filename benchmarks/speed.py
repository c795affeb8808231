"""What a bootstrap costs by the number of items, and what a call costs on 100 annotations.

    python benchmarks/speed.py            10^4 to 10^6 items, and a minute of calls; two minutes. Writes docs/speed.md
    python benchmarks/speed.py --quick    the same once; changes no file

A call is compared with the package krippendorff, which is asked for the bare coefficient of the same labels, and with pandas before it where they
are in a file. They take turns in one process, and the least time of each counts: other programs can only make it longer.

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

from benchmarks.comparing.rows import PACKAGES
from benchmarks.environments import installed, interpreter
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


CALLS = """
import sys, tempfile, time
from pathlib import Path
import numpy as np, pandas as pd, assent
sys.path.append(sys.argv[1])
import krippendorff

rng = np.random.default_rng(0)
truth = rng.integers(0, 3, (25, 1))
whole = np.where(rng.random((25, 4)) < 0.8, truth, rng.integers(0, 3, (25, 4)))
gaps = np.where(rng.random((25, 4)) < 0.1, np.nan, whole)
names = np.array(["a", "b", "c"])
texts, people = names[whole], ["ann", "bob", "cid", "dan"]
wide = pd.DataFrame({"item": [f"i{i}" for i in range(25)], **dict(zip(people, texts.T))})
long = wide.melt(id_vars="item", var_name="annotator", value_name="label")


def bare(table, labels=None):
    return krippendorff.alpha(reliability_data=table, value_domain=labels, level_of_measurement="nominal")


def pivoted(path):
    return bare(pd.read_csv(path).pivot(index="annotator", columns="item", values="label").to_numpy().astype(str), names)


def columns(path):
    return bare(pd.read_csv(path)[people].to_numpy().T.astype(str), names)


with tempfile.TemporaryDirectory() as folder:
    one, other = Path(folder, "long.csv"), Path(folder, "wide.csv")
    long.to_csv(one, index=False)
    wide.to_csv(other, index=False)
    compared = {
        "an array of whole numbers": (lambda: bare(whole.T), lambda: assent.krippendorff_alpha(whole).value),
        "an array with gaps": (lambda: bare(gaps.T), lambda: assent.krippendorff_alpha(gaps).value),
        "a list of lists": (lambda: bare(listed), lambda: assent.krippendorff_alpha(turned).value),
        "an array of texts": (lambda: bare(texts.T, names), lambda: assent.krippendorff_alpha(texts).value),
        "a long file": (lambda: pivoted(one), lambda: assent.krippendorff_alpha(one).value),
        "a wide file": (lambda: columns(other), lambda: assent.krippendorff_alpha(other).value),
    }
    listed, turned = whole.T.tolist(), whole.tolist()
    least = {}
    for what, (theirs, ours) in compared.items():
        assert abs(theirs() - ours()) < 1e-12, what
        times = 5 if "file" in what else 50
        for side, work in ((0, theirs), (1, ours)):
            least[what, side] = np.inf
            for _ in range(2 * times):
                work()
        end = time.perf_counter() + float(sys.argv[2])
        while time.perf_counter() < end:
            for side, work in ((0, theirs), (1, ours)):
                start = time.perf_counter()
                for _ in range(times):
                    work()
                least[what, side] = min(least[what, side], (time.perf_counter() - start) / times)
        print(what, least[what, 0], least[what, 1], sep=chr(9))
"""


def calls(seconds: float) -> str:
    """Write the table of what a call on 100 annotations costs beside the bare coefficient of another package."""
    package, environment = "krippendorff", PACKAGES["krippendorff"][1]
    if (wrong := installed(package, PACKAGES[package][0], environment)) is not None:
        raise SystemExit(f"{package} could not be installed: {wrong}")
    where = run(python("import krippendorff; print(krippendorff.__path__[0])", interpreter=interpreter(environment)))
    lines = run(python(CALLS, Path(where.printed.strip()).parent, seconds)).printed.strip().split("\n")
    rows = []
    for line in lines:
        what, theirs, ours = line.split("\t")
        with_pandas = "pandas and krippendorff" if "file" in what else "krippendorff"
        rows.append([what, with_pandas, f"{float(ours) / float(theirs):.2f}"])
    return table(["100 annotations", "beside", "times as long"], rows, text_columns=2)


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
    """Measure and write the tables."""
    parser = argparse.ArgumentParser(
        description="What a bootstrap costs by the number of items, and a call on a small table."
    )
    parser.add_argument("--quick", action="store_true", help="once; change no file")
    options = parser.parse_args(arguments)
    found = {"calls": calls(1.0 if options.quick else 10.0), "bootstrap": bootstrap(1 if options.quick else ROUNDS)}
    for name, text in found.items():
        print(text, end="\n\n")
        if not options.quick:
            insert(DOCS / "speed.md", name, text)


if __name__ == "__main__":
    main()
