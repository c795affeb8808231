"""Span F1: what its intervals cost beside reading, and ten million spans counted where they live.

    python benchmarks/spans.py                1,000,000 spans in a CSV file, 10,000,000 in Parquet files; minutes
    python benchmarks/spans.py --quick        a tenth of that; prints the tables and changes no file
    python benchmarks/spans.py --no-spark     without Spark

Three annotators mark about ten spans in each document. Reading is `assent.read` alone; intervals are those of the default. Engines run as a
command of their own, whose memory is the largest that the system has seen of the process (that of Spark's Java process is not counted).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

import assent
from pages import DOCS, insert, table

#: Runs a command and says what it used.
WATCH = """
import json, resource, subprocess, sys, time
begun = time.perf_counter()
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"code": done.returncode, "out": done.stdout, "err": done.stderr, "wall": time.perf_counter() - begun,
                  "cpu": used.ru_utime + used.ru_stime, "memory": used.ru_maxrss / 1024}))
"""


def marks(number: int, seed: int, first: int = 0) -> pl.DataFrame:
    """Draw about so many spans."""
    rng = np.random.default_rng(seed)
    things = number // 3 * 5 // 4
    document = first + np.arange(things) // 10
    start = (np.arange(things) % 10) * 50 + rng.integers(0, 20, things)
    parts = []
    for who in ("ada", "ben", "cem"):
        found = rng.random(things) < 0.8
        slip = np.where(rng.random(things) < 0.8, 0, rng.integers(1, 4, things))
        label = np.where(rng.random(things) < 0.9, np.arange(things) % 4, rng.integers(0, 4, things))
        parts.append(
            pl.DataFrame(
                {
                    "document": document[found],
                    "annotator": [who] * int(found.sum()),
                    "start": start[found],
                    "end": (start + 5 + slip)[found],
                    "label": np.array(["PER", "LOC", "ORG", "MISC"])[label[found]],
                }
            )
        )
    return pl.concat(parts).with_columns(pl.format("d{}", "document").alias("document"))


def beside_reading(number: int, folder: Path) -> list[list[str]]:
    """Time reading, and F1 with its interval, in one process."""
    path = folder / "spans.csv"
    marks(number, 1).sample(fraction=1.0, shuffle=True, seed=1).write_csv(path)
    rows = []
    begun = time.process_time()
    data = assent.read(str(path))
    reading = time.process_time() - begun
    for match in ("exact", "overlap"):
        begun = time.process_time()
        found = assent.span_f1(data, match=match)
        interval = found.confidence_interval()
        took = time.process_time() - begun
        rows.append(
            [
                f"{data.n_annotations:,}",
                match,
                f"{found.value:.4f} ({interval.low:.4f} to {interval.high:.4f})",
                f"{reading:.1f}",
                f"{took:.2f}",
                f"{took / reading:.2f}",
            ]
        )
    return rows


def where_they_live(number: int, folder: Path, engines: list[str]) -> list[list[str]]:
    """Measure ten million spans by every engine."""
    parts = folder / "parts"
    parts.mkdir()
    step = number // 10
    for part in range(10):
        marks(step, part, first=part * step).write_parquet(parts / f"{part}.parquet")
    rows = []
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "src")}
    for engine in engines:
        command = [
            sys.executable,
            "-m",
            "assent",
            "measure",
            str(parts / "*.parquet"),
            "--layout",
            "spans",
            "-m",
            "span-f1",
        ]
        command += ["--engine", engine, "--json"]
        watched = subprocess.run(
            [sys.executable, "-c", WATCH, *command], capture_output=True, text=True, env=environment, check=True
        )
        told = json.loads(watched.stdout)
        if told["code"]:
            raise SystemExit(told["err"])
        (one,) = json.loads(told["out"])["measures"]
        rows.append(
            [
                engine,
                f"{one['annotations']:,}",
                f"{one['value']:.6f} ({one['ci']['low']:.6f} to {one['ci']['high']:.6f})",
                f"{told['wall']:.0f}",
                f"{told['cpu']:.0f}",
                f"{told['memory']:,.0f}",
            ]
        )
        print(rows[-1], flush=True)
    return rows


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--no-spark", action="store_true")
    asked = parser.parse_args()
    size = 0.1 if asked.quick else 1.0
    engines = ["polars", "duckdb", *([] if asked.no_spark else ["spark"])]
    with tempfile.TemporaryDirectory() as folder:
        first = beside_reading(int(1_000_000 * size), Path(folder))
        beside = table(
            ["spans", "match", "F1 and interval", "reading, s", "F1 and interval, s", "times reading"], first
        )
        print(beside)
        rows = where_they_live(int(10_000_000 * size), Path(folder), engines)
        live = table(["engine", "spans", "exact F1 and interval", "wall, s", "processor, s", "memory, MB"], rows)
        print(live)
    if not asked.quick:
        insert(DOCS / "spans.md", "spans-speed", beside)
        insert(DOCS / "spans.md", "spans-engines", live)


if __name__ == "__main__":
    main()
