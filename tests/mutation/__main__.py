"""Are the tests sharp? `python -m tests.mutation --minutes 60` changes measures and inference, one place at a time, and prints what no test sees.

Which tests come to which statement is recorded once (some minutes; kept in `build` for each file of tests until it changes). Then
each change (`tests/mutation/mutants.py`) is made in a process of its own, which runs tests that come to its statement, the quick
ones first, until one of them fails. What was found is kept, too: a run begins where the last one ended, with modules that changed
since as well. What survives is looked for in `REASONS`: a change that makes no difference is named there with the reason.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.reasons import reason_of
from tests.mutation.results import Results
from tests.mutation.trying import Trying, by_import

HOME = Path(__file__).parents[2]
PACKAGES = ("measures", "inference")
KEPT = HOME / "build" / "mutation"
#: Where tests of the two packages are: what others come to is tested here already.
TESTS = (
    "tests/papers", "tests/properties", "tests/inference", "tests/spans", "tests/rankings", "tests/public", "tests/continua",
    "tests/judging", "tests/planning", "tests/diagnostics", "tests/explain", "tests/interpretation", "tests/recommend",
    "tests/monitoring", "tests/cli", "src/assent/measures", "src/assent/inference",
)  # fmt: skip
#: Files that compute something with polars as they are imported: its threads do not live on in another process.
COMPUTING = (
    "tests/inference/test_generalise.py", "tests/public/test_printing.py", "tests/explain/test_lecture.py", "tests/explain/test_spans.py",
    "tests/recommend/test_recommend.py", "tests/cli/test_engines.py",
)  # fmt: skip
#: Tests that start a cluster, a browser or another process have no say: they take longer than all others.
SKIPPED = "not spark and not duckdb and not ibis and not browser and not process"
#: Assertions are plain: to rewrite them, pytest would import all modules of a plugin, which assent is, past the change.
OPTIONS = (
    "-q",
    "-s",
    "-k",
    SKIPPED,
    "--no-header",
    "--tb=no",
    "--assert=plain",
    "-p",
    "no:xdist",
    *(f"--ignore={path}" for path in COMPUTING),
)


def files() -> list[Path]:
    """Return the modules that are changed."""
    return [path for package in PACKAGES for path in sorted((HOME / "src" / "assent" / package).glob("*.py"))]


def all_mutants() -> list[Mutant]:
    """Return every change of the two packages."""
    found = []
    for path in files():
        package = f"assent.{path.parent.name}"
        found += mutants_of(path, package if path.stem == "__init__" else f"{package}.{path.stem}")
    return found


def main() -> int:
    """Run as many changes as are asked for, and return 1 if one survives without a reason."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--minutes", type=float, default=60.0)
    asked.add_argument("--seconds", type=float, default=2.0, help="Processor time of tests for a change.")
    asked.add_argument(
        "--patience",
        type=float,
        default=1.0,
        help="Seconds of processor time after which a test that took none has no end.",
    )
    asked.add_argument(
        "--only",
        default="",
        help="Parts of names of modules, with commas, or changes as they are printed: these, in this order.",
    )
    asked.add_argument("--tests", nargs="*", default=TESTS, help="Where to look for tests.")
    asked.add_argument(
        "--again",
        action="store_true",
        help="Try those again that survived without a reason or had no end, and no others.",
    )
    given = asked.parse_args()
    os.chdir(HOME)
    os.environ |= {"POLARS_MAX_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    every = all_mutants()
    whole = list(dict.fromkeys(one for part in given.only.split(",") for one in every if part in one.name))
    results = Results(KEPT / "results.json", every)
    trying = Trying(
        whole,
        results,
        files(),
        KEPT,
        seconds=given.seconds,
        minutes=given.minutes,
        patience=given.patience,
        again=given.again,
    )
    # What every run imports is imported once; assent is not, so that some changes can be imported afterwards.
    import hypothesis  # noqa: F401
    import numpy  # noqa: F401
    import pandas  # noqa: F401
    import polars  # noqa: F401
    import scipy.optimize
    import scipy.stats  # noqa: F401

    assert not any(name == "assent" or name.startswith("assent.") for name in sys.modules)
    child = os.fork()
    if child == 0:
        code = pytest.main([*OPTIONS, *given.tests], plugins=[trying])
        sys.stdout.flush()
        os._exit(int(code))
    os.waitpid(child, 0)
    results.read()
    by_import(trying, OPTIONS, given.tests)
    return told(whole, results)


def told(whole: list[Mutant], results: Results) -> int:
    """Print what became of the changes, and return 1 if one survives without a reason."""
    ways: Counter[str] = Counter()
    for one in sorted(whole, key=lambda one: (one.module, one.place)):
        how = results.how(one)
        if how == "survived" and reason_of(one):
            how = "survived with a reason"
        ways[how] += 1
        if how == "survived":
            print(f"{one.name} {one.what}\n    {one.text}")
    print(f"of {len(whole)} changes: " + ", ".join(f"{count} {what}" for what, count in ways.items()))
    return 1 if ways["survived"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
