"""How long the local page takes to answer a changed lever on sets of labels: the number and the form, and what intervals take besides.

The page shows intervals with the number if they are ready within `WEB_PATIENCE`, and fills them in otherwise. Processor time of the fastest of
`--times`, each with a session of its own in which the data were shown once, in units of that first answer::

    python benchmarks/levers.py                                  100,000 annotations by twelve annotators. Writes docs/benchmarks.md
    python benchmarks/levers.py --annotators 5 --labels 8        other sizes; changes no file
    python benchmarks/levers.py --quick                          a tenth of the annotations; changes no file
"""

from __future__ import annotations

import argparse
import sys
import time
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from assent.web.app import Page, _made_parts
from assent.web.sessions import Upload
from assent.web.states import State
from assent.web.verbs import verbs
from pages import DOCS, insert
from pages import table as written

READ = "separator=;&ranked=yes"
LEVERS = {
    "an annotator left out": "without=annotators%3Da1",
    "two labels merged": "merge=l0%2Cl1%3Dl0",
    "boot-f1": "measure=boot-f1",
    "soft-match": "measure=soft-match",
    "augmented-kappa": "measure=augmented-kappa",
    "augmented-kappa, primary 0.7": "measure=augmented-kappa&primary=0.7",
    "level 0.9": "level=0.9",
    "analytic": "ci=analytic",
    "bootstrap": "ci=bootstrap",
    "jackknife": "ci=jackknife",
}


def table(annotators: int, labels: int, largest: int, annotations: int) -> bytes:
    """Return sets of up to `largest` labels, of which the first is right in six of ten."""
    rng = np.random.default_rng(0)
    share = rng.dirichlet(np.full(labels, 2.0))
    rows = ["item,annotator,label"]
    for item in range(annotations // annotators):
        true = int(rng.choice(labels, p=share))
        for who in range(annotators):
            first = true if rng.random() < 0.6 else int(rng.choice(labels, p=share))
            drawn = [first, *rng.choice(labels, size=int(rng.integers(0, largest)), p=share).tolist()]
            rows.append(f"i{item},a{who},{';'.join(f'l{one}' for one in dict.fromkeys(drawn))}")
    return "\n".join(rows).encode()


def main() -> None:
    """Print the time of every lever."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help="a tenth of the annotations; change no file")
    for name, default in (("annotators", 12), ("labels", 8), ("largest", 3), ("annotations", 100_000)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--lever", choices=LEVERS, action="append", help="those alone")
    said = parser.parse_args()
    content = table(said.annotators, said.labels, said.largest, said.annotations // (10 if said.quick else 1))
    page, verb = Page(), verbs()["report"]
    request = cast("Any", SimpleNamespace(scope={"root_path": ""}))
    print(f"{'':32s} {'number':>10s} {'intervals':>12s}")
    rows = []
    for lever in said.lever or LEVERS:
        state = State.of(f"{READ}&{LEVERS[lever]}")
        times = []
        for _ in range(said.times):
            page.sessions.clear()
            session = page.sessions.new([Upload("sets.csv", content)], settings=READ)
            begin = time.process_time()
            _made_parts(page, request, session, verb, State.of(READ))
            start = time.process_time()
            _made_parts(page, request, session, verb, state, sure=False)
            answered = time.process_time()
            _made_parts(page, request, session, verb, state)
            times.append((start - begin, answered - start, time.process_time() - answered))
        first, number, intervals = (min(some) for some in zip(*times, strict=True))
        rows.append([lever, f"{number / first:.2f}", f"{intervals / first:.2f}"])
        print(f"{lever:32s} {1000 * number:7.0f} ms {1000 * intervals:9.0f} ms", flush=True)
    page.close()
    if len(sys.argv) == 1:
        insert(
            DOCS / "benchmarks.md",
            "levers",
            written(["changed", "the number, in first answers", "its intervals besides"], rows),
        )


if __name__ == "__main__":
    main()
