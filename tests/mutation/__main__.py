"""Are the tests sharp? `python -m tests.mutation --runs 300 --minutes 60` changes measures and inference and counts what no test sees.

Each run changes one place (`tests/mutation/mutants.py`) and runs the tests of that part, those that are quick first, until one of them
fails. What survives is printed, and looked for in `REASONS`: a change that makes no difference is named there with the reason.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import os
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from tests.mutation.mutants import Mutant, importing, mutants_of
from tests.mutation.reasons import REASONS

HOME = Path(__file__).parents[2]
#: Tests by the modules they are about, in stages from the quick to the slow: the next is run if the one before sees nothing.
LABELS = (
    ("tests/papers/test_random_tables.py",),
    ("tests/papers/test_oracles.py", "tests/properties/test_registered.py"),
    ("tests/papers", "tests/properties/test_invariance.py"),
)
SETS = (*LABELS, ("tests/properties/test_label_sets.py", "tests/properties/test_set_chance.py"))
SPANS = (("tests/spans/test_measure_oracles.py", "tests/spans/test_brute_force.py"), ("tests/spans",))
RANKINGS = (("tests/rankings",), ("tests/properties/test_registered.py",))
INFERENCE = (
    ("tests/inference/test_standard_errors.py", "tests/inference/test_intervals.py"),
    ("tests/papers/test_inference_by_reference.py", "tests/papers/test_etel_by_reference.py"),
    ("tests/inference",),
)
ALL = (
    ("tests/public", "tests/papers/test_random_tables.py", "tests/properties/test_registered.py"),
    ("tests/papers", "tests/inference"),
    ("tests/cli/test_options.py", "tests/judging"),
)
PARTS = {
    **dict.fromkeys(("cohen", "components", "conger", "fleiss", "gwet", "krippendorff", "observed", "numbers", "paired", "spa", "van_oest"), LABELS),
    "multilabel": SETS, "_named_sums": (*RANKINGS, *SPANS),
    **dict.fromkeys(("_by_distance", "_choices", "_lists", "_orders", "preferences", "rankings", "top_weighted"), RANKINGS),
    **dict.fromkeys(("_gamma_sums", "_span_pairs", "_span_preparation", "_span_tokens", "gamma", "meetings", "positions", "segmentation", "span_labels", "span_links", "span_scores", "unitized", "unitized_1995"), SPANS),
}  # fmt: skip
#: Tests that start a cluster, a browser or another process have no say: they take longer than all others.
SKIPPED = "not spark and not duckdb and not ibis and not command_line and not browser and not process"
#: Seconds of processor time after which a change counts as seen: it made something endless.
SECONDS = 120


def all_mutants() -> list[Mutant]:
    """Return every change of the two packages."""
    found = []
    for package in ("measures", "inference"):
        for path in sorted((HOME / "src" / "assent" / package).glob("*.py")):
            name = f"assent.{package}" if path.stem == "__init__" else f"assent.{package}.{path.stem}"
            found += mutants_of(path, name)
    return found


def tests_of(mutant: Mutant) -> tuple[tuple[str, ...], ...]:
    """Return which tests are to see a change."""
    package, _, module = mutant.module.removeprefix("assent.").partition(".")
    return INFERENCE if package == "inference" else PARTS.get(module, ALL)


def is_seen(mutant: Mutant) -> bool:
    """Return whether a test of some stage fails."""
    for stage in tests_of(mutant):
        if not _passes_unchanged(stage):
            raise SystemExit(f"These fail without a change, and so say nothing about one: {' '.join(stage)}")
        if _fails(mutant, stage):
            return True
    return False


@functools.cache
def _passes_unchanged(tests: tuple[str, ...]) -> bool:
    return not _fails(None, tests)


def _fails(mutant: Mutant | None, tests: tuple[str, ...]) -> bool:
    """Run tests in a process of their own, which imports the changed module if there is one, and return whether one fails.

    Assertions are plain: to rewrite them, pytest would import all modules of a plugin, which assent is, past the change.
    """
    child = os.fork()
    if child == 0:
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        code = 1
        with open(os.devnull, "w") as nothing:
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
            with contextlib.suppress(BaseException):
                if mutant is not None:
                    importing(mutant)
                code = pytest.main(
                    ["-x", "-q", "-k", SKIPPED, "--no-header", "--tb=no", "--assert=plain", "-p", "no:xdist", *tests]
                )
        os._exit(int(code))
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) != 0


def main() -> int:
    """Run as many changes as are asked for, and return 1 if one survives without a reason."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--runs", type=int, default=300)
    asked.add_argument("--minutes", type=float, default=60.0)
    asked.add_argument("--seed", type=int, default=0, help="Changes are drawn at random.")
    asked.add_argument(
        "--only", default="", help="Parts of names of modules, with commas, or a change as it is printed."
    )
    given = asked.parse_args()
    os.chdir(HOME)
    # What every run imports is imported once.
    import numpy  # noqa: F401
    import pandas  # noqa: F401
    import polars  # noqa: F401
    import scipy.optimize
    import scipy.stats  # noqa: F401

    assert not any(name == "assent" or name.startswith("assent.") for name in sys.modules)
    whole = [one for one in all_mutants() if any(part in one.name for part in given.only.split(","))]
    drawn = random.Random(given.seed).sample(whole, min(given.runs, len(whole)))
    end = time.monotonic() + 60 * given.minutes
    ways: Counter[str] = Counter()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    for one in drawn:
        if time.monotonic() > end:
            break
        how = "seen" if is_seen(one) else "survived with a reason" if (one.module, one.what) in REASONS else "survived"
        ways[how] += 1
        if how == "survived":
            print(f"{one.name} {one.what}", flush=True)
        if ways.total() % 20 == 0:
            print(", ".join(f"{count} {what}" for what, count in ways.items()), flush=True)
    print(f"of {len(whole)} changes: " + ", ".join(f"{count} {what}" for what, count in ways.items()))
    return 1 if ways["survived"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
