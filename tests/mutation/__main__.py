"""Are the tests sharp? `python -m tests.mutation --runs 300 --minutes 60` changes measures and inference and counts what no test sees.

Which tests come to which line is recorded once (some minutes; kept in `build` until a module changes). Each run makes one change
(`tests/mutation/mutants.py`) and runs tests that come to its line, the quick ones first, until one of them fails. What survives is
printed, and looked for in `REASONS`: a change that makes no difference is named there with the reason.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.mutation.mutants import Mutant, importing, mutants_of
from tests.mutation.reached import Reached, Recording
from tests.mutation.reasons import REASONS

HOME = Path(__file__).parents[2]
PACKAGES = ("measures", "inference")
RECORD = HOME / "build" / "mutation.json"
#: Where tests of the two packages are: what others come to is tested here already.
TESTS = (
    "tests/papers", "tests/properties", "tests/inference", "tests/spans", "tests/rankings", "tests/public", "tests/continua",
    "tests/judging", "tests/planning", "tests/diagnostics", "tests/explain", "tests/interpretation", "tests/recommend",
    "tests/monitoring", "tests/cli", "src/assent/measures", "src/assent/inference",
)  # fmt: skip
#: Tests that start a cluster, a browser or another process have no say: they take longer than all others.
SKIPPED = "not spark and not duckdb and not ibis and not browser and not process"
#: Assertions are plain: to rewrite them, pytest would import all modules of a plugin, which assent is, past the change.
OPTIONS = ("-q", "-k", SKIPPED, "--no-header", "--tb=no", "--assert=plain", "-p", "no:xdist")
#: Seconds without an end, after which a change counts as seen: it waits for something.
LONGEST = 1800


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


def reached() -> Reached:
    """Return which tests come to which line, from a recording of today or of a day with the same modules."""
    if (found := Reached.read(RECORD, files())) is None:
        print("recording which tests come to which line", flush=True)
        _pytest(TESTS, plugins=[Recording(files(), RECORD)])
        found = Reached.read(RECORD, files())
    if found is None:
        raise SystemExit("A test fails without a change, and so says nothing about one: run them by themselves.")
    return found


def is_seen(mutant: Mutant, tests: Sequence[str], seconds: int) -> bool:
    """Return whether one of the tests fails with a change, or does not end in so many seconds of processor time."""
    return _pytest(["-x", *tests], mutant=mutant, seconds=seconds) != 0


def _pytest(
    arguments: Sequence[str], *, mutant: Mutant | None = None, seconds: int = 0, plugins: Sequence[object] = ()
) -> int:
    """Run tests in a process of their own, which imports the changed module if there is one, and return how they ended."""
    child = os.fork()
    if child == 0:
        import resource

        code = 1
        with open(os.devnull, "w") as nothing, contextlib.suppress(BaseException):
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
            if mutant is not None:
                resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
                signal.alarm(LONGEST)
                importing(mutant)
            code = pytest.main([*OPTIONS, *arguments], plugins=plugins)
        os._exit(int(code))
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def main() -> int:
    """Run as many changes as are asked for, and return 1 if one survives without a reason."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--runs", type=int, default=300)
    asked.add_argument("--minutes", type=float, default=60.0)
    asked.add_argument("--seed", type=int, default=0, help="Changes are drawn at random.")
    asked.add_argument(
        "--seconds", type=float, default=30.0, help="Processor time of the tests that are run for a change."
    )
    asked.add_argument(
        "--only", default="", help="Parts of names of modules, with commas, or changes as they are printed."
    )
    asked.add_argument("--tests", nargs="*", default=[], help="Tests to run first, such as new ones.")
    given = asked.parse_args()
    os.chdir(HOME)
    # What every run imports is imported once.
    import hypothesis  # noqa: F401
    import numpy  # noqa: F401
    import pandas  # noqa: F401
    import polars  # noqa: F401
    import scipy.optimize
    import scipy.stats  # noqa: F401

    assert not any(name == "assent" or name.startswith("assent.") for name in sys.modules)
    whole = [one for one in all_mutants() if any(part in one.name for part in given.only.split(","))]
    drawn = random.Random(given.seed).sample(whole, min(given.runs, len(whole)))
    known = reached()
    end = time.monotonic() + 60 * given.minutes
    ways: Counter[str] = Counter()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    for one in drawn:
        if time.monotonic() > end:
            break
        tests = known.chosen(known.at(one.path, one.around), given.seconds)
        limit = int(60 + 3 * sum(known.seconds[name] for name in tests))
        if is_seen(one, [*given.tests, *tests], limit):
            how = "seen"
        else:
            how = "survived with a reason" if (one.module, one.text, one.what) in REASONS else "survived"
        ways[how] += 1
        if how != "seen":
            print(f"{how} {len(tests)} tests: {one.name} {one.what}", flush=True)
        if ways.total() % 20 == 0:
            print(", ".join(f"{count} {what}" for what, count in ways.items()), flush=True)
    print(f"of {len(whole)} changes: " + ", ".join(f"{count} {what}" for what, count in ways.items()))
    return 1 if ways["survived"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
