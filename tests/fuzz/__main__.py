"""A long run: `python -m tests.fuzz --runs 10000 --first 0 --minutes 60`; failures are printed, the last lines count."""

from __future__ import annotations

import argparse
import tempfile
import time
import warnings
from collections import Counter
from itertools import count, islice
from pathlib import Path

from tests.fuzz.cases import failure_of, kind_of
from tests.fuzz.runs import DONE

#: A folder in memory, where there is one: a case makes and deletes a folder.
MEMORY = Path("/dev/shm")


def main() -> int:
    """Run the cases and return 1 if any of them fails."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--runs", type=int, default=10_000)
    asked.add_argument("--first", type=int, default=0, help="The number of the first case; a case is its number.")
    asked.add_argument("--minutes", type=float, default=60.0)
    asked.add_argument(
        "--kind", choices=["commands", "relations", "pages"], help="Cases of this kind alone; they keep their numbers."
    )
    asked.add_argument("--print", action="store_true", help="Print each case before it runs.")
    given = asked.parse_args()
    warnings.simplefilter("error")
    end = time.monotonic() + 60 * given.minutes
    failed = done = 0
    kinds: Counter[str] = Counter()
    ways: Counter[str] = Counter()
    every = (number for number in count(given.first) if given.kind in (None, kind_of(number)))
    for number in islice(every, given.runs):
        if time.monotonic() > end:
            break
        if given.print:
            print(number, kind_of(number), flush=True)
        with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
            failure = failure_of(number, Path(folder))
        done += 1
        if done % 5000 == 0:
            print(f"{done} cases, {failed} failed", flush=True)
        ways[kind_of(number)] += 1
        if failure:
            failed += 1
            last = failure.strip().splitlines()[-1][:100]
            kinds[last] += 1
            if kinds[last] <= 2:
                print(f"{failure}\n", flush=True)
    for what, number in kinds.most_common():
        print(f"{number} x {what}")
    print(", ".join(f"{number} {what}" for what, number in (*ways.items(), *DONE.items())))
    print(f"{done - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
