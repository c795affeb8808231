"""Gamma: processor time against pygamma-agreement, on the same units, with the same observed disorder.

    python benchmarks/gamma.py                     3 annotators with 50, 100, 200 and 400 units, 30 samples; minutes, nearly all of them pygamma's
    python benchmarks/gamma.py --quick             50 and 100 units; prints the table and changes no file
    python benchmarks/gamma.py --python PATH       an interpreter that has pygamma-agreement; else an environment is made for it

pygamma runs in its own environment. Importing it, and the compiling that its first alignment needs, are not counted. From 400 units on
its 30 samples are estimated from the observed alignment and one sample. Five annotators are computed by assent alone: pygamma would need
101 to the power of 5 tuples.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import assent
from environments import installed, interpreter
from pages import DOCS, insert, table

PACKAGE, VERSION = "pygamma-agreement", "0.5.9"
SAMPLES = 30
#: From so many units on, one sample of pygamma stands for all.
ESTIMATED = 400
LABELS = ("Noun", "Verb", "Adj", "Prep")

PEER = """
import json, sys, time
import numpy as np
from pyannote.core import Segment
from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum, StatisticalContinuumSampler

given = json.load(sys.stdin)
kind = CombinedCategoricalDissimilarity(alpha=1, beta=1, delta_empty=1)


def continuum(rows):
    made = Continuum()
    for who, start, end, label in rows:
        made.add(who, Segment(start, end), label)
    return made


continuum(given["small"]).get_best_alignment(kind)
whole = continuum(given["rows"])
np.random.seed(0)
begun = time.process_time()
observed = whole.get_best_alignment(kind).disorder
once = time.process_time() - begun
sampler = StatisticalContinuumSampler()
sampler.init_sampling(whole)
begun = time.process_time()
number = 1 if given["estimate"] else given["samples"]
drawn = [sampler.sample_from_continuum.get_best_alignment(kind).disorder for _ in range(number)]
sampled = (time.process_time() - begun) * given["samples"] / number
print("RESULT" + json.dumps({"observed": float(observed), "expected": float(np.mean(drawn)), "seconds": once + sampled}))
"""


def units(annotators: int, number: int, seed: int = 1) -> list[tuple[str, int, int, str]]:
    """Return units of annotators who mark the same things a little differently, miss some and find others."""
    rng = np.random.default_rng([seed, annotators, number])
    length, gap = rng.integers(2, 30, number), rng.integers(1, 12, number)
    end = np.cumsum(length + gap)
    label = rng.integers(0, len(LABELS), number)
    rows = []
    for who in range(annotators):
        starts, ends = end - length + rng.integers(-3, 4, number), end + rng.integers(-3, 4, number)
        named = np.where(rng.random(number) < 0.85, label, rng.integers(0, len(LABELS), number))
        # A tenth of the units lies where nobody else marked anything.
        moved = rng.random(number) < 0.1
        starts = np.where(moved, rng.integers(0, int(end[-1]), number), starts)
        ends = np.where(moved, starts + length, ends)
        for start, stop, one in zip(starts.tolist(), ends.tolist(), named.tolist(), strict=True):
            rows.append((f"annotator {who}", max(0, start), max(max(0, start) + 1, stop), LABELS[one]))
    return rows


def ours(rows: Sequence[tuple[str, int, int, str]]) -> dict[str, float]:
    """Measure gamma with assent."""
    data = assent.Spans.from_rows([("d", *row) for row in rows])
    begun = time.process_time()
    found = assent.gamma(data, samples=SAMPLES, expected="statistical")
    return {
        "observed": found.details["observed_disorder"],
        "expected": found.details["expected_disorder"],
        "seconds": time.process_time() - begun,
    }


def theirs(python: str, rows: Sequence[tuple[str, int, int, str]], *, estimate: bool) -> dict[str, float]:
    """Measure gamma with pygamma, in its environment."""
    given = {"rows": rows, "small": units(3, 5), "samples": SAMPLES, "estimate": estimate}
    done = subprocess.run([python, "-c", PEER], input=json.dumps(given), check=True, capture_output=True, text=True)
    line = next(line for line in done.stdout.splitlines() if line.startswith("RESULT"))
    return dict(json.loads(line.removeprefix("RESULT")))


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--python", type=Path)
    asked = parser.parse_args()
    python = asked.python or interpreter("pygamma")
    wrong = installed(PACKAGE, VERSION, "pygamma") if asked.python is None else None
    if wrong is not None:
        parser.exit(1, f"{PACKAGE} {VERSION} cannot be installed: {wrong}\n")
    ours(units(3, 5))
    rows = []
    for number in (50, 100) if asked.quick else (50, 100, 200, 400):
        some = units(3, number)
        estimate = number >= ESTIMATED
        own, other = ours(some), theirs(str(python), some, estimate=estimate)
        # pygamma computes in single precision.
        assert abs(own["observed"] - other["observed"]) < 1e-5, (own, other)
        rows.append(
            [
                f"3 × {number}",
                f"{own['observed']:.4f}",
                f"{own['seconds']:.2f}",
                f"{other['seconds']:.1f}" + (" (one sample × 30)" if estimate else ""),
                f"{other['seconds'] / own['seconds']:.0f}",
            ]
        )
        print(rows[-1], flush=True)
    five = ours(units(5, 30 if asked.quick else 100))
    rows.append(
        [f"5 × {30 if asked.quick else 100}", f"{five['observed']:.4f}", f"{five['seconds']:.2f}", "impossible", "–"]
    )
    made = table(["units", "observed disorder, both", "assent, s", "pygamma 0.5.9, s", "times"], rows)
    print(made)
    if not asked.quick:
        insert(DOCS / "spans-measures.md", "gamma-speed", made)


if __name__ == "__main__":
    main()
