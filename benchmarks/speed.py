"""How fast a large file is measured, as ratios within one run.

    python benchmarks/speed.py            10^6 items, 4 x 10^6 annotations; a few minutes
    python benchmarks/speed.py --quick    a tenth of that, once; changes no file

Everything is timed as a whole fresh process, the best of several rounds in which all take turns, so that a busy machine is
as unfair to one as to the other. The table goes to docs/speed.md. The package `krippendorff` is GPL: it is installed
for the comparison alone, into an environment of its own under benchmarks/data.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pages import DOCS, insert, table

DATA = Path(__file__).resolve().parent / "data"
ITEMS, QUICK, ROUNDS = 1_000_000, 100_000, 3
SEED = 1
GB = 1 << 30

# This process stays small and does no work of its own: a child's peak memory counts from the size of its parent.
GENERATE = """
import sys
import numpy as np, polars as pl
items, path = int(sys.argv[1]), sys.argv[2]
rng = np.random.default_rng(int(sys.argv[3]))
truth = np.repeat(rng.integers(0, 10, items), 4)
annotators = (rng.integers(0, 250, (items, 1)) + np.arange(0, 1000, 250)).ravel()
labels = np.where(rng.random(4 * items) < 0.7, truth, rng.integers(0, 10, 4 * items))
order = rng.permutation(4 * items)
frame = pl.DataFrame({"i": np.repeat(np.arange(items), 4)[order], "a": annotators[order], "l": labels[order]})
frame.select(
    item=pl.format("item-{}", pl.col("i").cast(pl.String).str.zfill(7)),
    annotator=pl.format("worker_{}", pl.col("a").cast(pl.String).str.zfill(4)),
    label=pl.format("label{}", pl.col("l")),
).write_csv(path)
"""
FLOOR = """
import sys, time
import polars
start = time.perf_counter()
polars.read_csv(sys.argv[1])
print(time.perf_counter() - start)
"""
THEIRS = """
import sys
import krippendorff, numpy as np, pandas as pd
rows = pd.read_csv(sys.argv[1])
item, items = pd.factorize(rows["item"])
label, labels = pd.factorize(rows["label"])
cells = len(items) * len(labels)
counts = np.bincount(item * len(labels) + label, minlength=cells).reshape(len(items), len(labels))
print(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))
"""
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
    start = time.perf_counter()
    agreement.bootstrap(replicates=1000, seed=1 + number)
    best = min(best, time.perf_counter() - start)
print(len(data.counts.multiplicities), best)
"""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One finished process: wall and processor seconds, peak bytes, what it printed."""

    wall: float
    processor: float
    peak: int
    printed: str


def run(command: Sequence[str]) -> Run:
    """Run a command to its end, measured by the system alone.

    Modules are compiled once and kept, as they are wherever a package was installed, whatever the shell says.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(DATA / "pycache")
    with tempfile.TemporaryFile("w+", encoding="utf-8") as printed:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=printed, env=environment)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{command[0]} … ended with {process.returncode}.")
        printed.seek(0)
        peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        return Run(wall=wall, processor=used.ru_utime + used.ru_stime, peak=peak, printed=printed.read())


def python(program: str, *arguments: object, interpreter: str = sys.executable) -> list[str]:
    """Write the command that runs a program text in a fresh interpreter."""
    return [interpreter, "-c", program, *map(str, arguments)]


def prepared(items: int) -> tuple[Path, str]:
    """Return the file and the interpreter that has the other package; both are made if they are not there."""
    DATA.mkdir(exist_ok=True)
    path = DATA / f"annotations-{items}-{SEED}.csv"
    if not path.exists():
        _say(f"writing {path.name}")
        part = path.with_suffix(".part")
        run(python(GENERATE, items, part, SEED))
        part.rename(path)
    other = DATA / "venv" / "bin" / "python"
    if (
        subprocess.run([other, "-c", "import krippendorff, pandas"], capture_output=True).returncode
        if other.exists()
        else 1
    ):
        _say("installing the krippendorff package for the comparison")
        subprocess.run([sys.executable, "-m", "venv", DATA / "venv"], check=True)
        subprocess.run([other, "-m", "pip", "install", "--quiet", "krippendorff", "pandas"], check=True)
    return path, str(other)


def compare(path: Path, other: str, rounds: int) -> dict[str, list[Run]]:
    """Let the three take turns; refuse to compare times of different answers."""
    assent = [str(Path(sys.executable).with_name("assent")), "measure", str(path), "-m", "krippendorff-alpha"]
    commands = {
        "floor": python(FLOOR, path),
        "ours": [*assent, "--ci", "bootstrap", "--replicates", "1000", "--json"],
        "theirs": python(THEIRS, path, interpreter=other),
    }
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            _say(f"round {number} of {rounds}: {name}" if number else f"warming up: {name}")
            finished = run(command)
            if number:
                runs[name].append(finished)
    ours = json.loads(runs["ours"][0].printed)["measures"][0]["value"]
    theirs = float(runs["theirs"][0].printed)
    if abs(ours - theirs) > 1e-9:
        raise SystemExit(f"The answers differ: {ours!r} here, {theirs!r} there; no ratio means anything.")
    return runs


def comparison(runs: dict[str, list[Run]]) -> str:
    """Write the table of ratios."""
    best = {name: min(run.wall for run in some) for name, some in runs.items()}
    work = {name: min(run.processor for run in some) for name, some in runs.items()}
    peak = {name: max(run.peak for run in some) / GB for name, some in runs.items()}
    reading = min(float(run.printed) for run in runs["floor"])
    what = {
        "floor": "polars reads the file",
        "ours": "assent: alpha, 1,000-replicate bootstrap",
        "theirs": "pandas, numpy, krippendorff: bare alpha",
    }
    rows = [
        [
            what[name],
            f"{best[name] / best['floor']:.2f}",
            f"{best[name] / reading:.2f}",
            f"{work[name] / work['floor']:.2f}",
            f"{peak[name]:.2f} GB",
        ]
        for name in runs
    ]
    head = ["whole process", "time", "time, in reads alone", "processor time", "peak memory"]
    goals = [
        ("at most 3 times the reading process", best["ours"] <= 3 * best["floor"]),
        ("faster than the bare alpha of the others", best["ours"] < best["theirs"]),
        ("less than 1.5 GB", peak["ours"] < 1.5),
    ]
    met = "\n".join(f"- {goal}: {'yes' if reached else '**no**'}" for goal, reached in goals)
    return f"{table(head, rows)}\n\nGoals of the second line:\n\n{met}"


def bootstrap(sizes: Sequence[int]) -> str:
    """Write the table of what a bootstrap costs by the number of items."""
    found = {size: run(python(BOOTSTRAP, size, 5, SEED)).printed.split() for size in sizes}
    base = float(found[sizes[0]][1])
    rows = [[f"{size:,}", profiles, f"{float(best) / base:.2f}"] for size, (profiles, best) in found.items()]
    return table(["items", "profiles", "time of 1,000 replicates"], rows, text_columns=0)


def _say(what: str) -> None:
    if sys.stderr.isatty():
        print(f"… {what}", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write the tables."""
    parser = argparse.ArgumentParser(description="How fast a large file is measured.")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK:,} items, one round; change no file")
    options = parser.parse_args(arguments)
    items, rounds = (QUICK, 1) if options.quick else (ITEMS, ROUNDS)
    path, other = prepared(items)
    parts = {"file": comparison(compare(path, other, rounds)), "bootstrap": bootstrap((10_000, 100_000, 1_000_000))}
    for name, text in parts.items():
        print(text, end="\n\n")
        if not options.quick:
            insert(DOCS / "speed.md", name, text)


if __name__ == "__main__":
    main()
