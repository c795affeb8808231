"""The packages people use now, side by side: time and memory, as ratios within one run.

    python benchmarks/peers.py            every row; a quarter of an hour. Writes docs/benchmarks.md and docs/benchmarks.svg
    python benchmarks/peers.py --quick    small tables, one round; changes no file
    python benchmarks/peers.py kappa      only the rows with this in their name; changes no file

For every row polars reading the file (the floor), `assent` and the other packages take turns, each in a whole fresh process.
The answers are compared before a ratio is printed. The packages (some are GPL) are installed for the comparison alone, into
environments under benchmarks/data.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

if not __package__:
    # This folder holds a file with the name of a well-known package, which must not be found first.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from benchmarks.comparing.measuring import measured, prepared
from benchmarks.comparing.page import Against, write
from benchmarks.comparing.rows import ROWS
from benchmarks.processes import Failed, machine


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(description="The packages people use now, side by side.")
    parser.add_argument(
        "rows", nargs="*", metavar="ROW", help="part of the name of a row or of a package; all if not given"
    )
    parser.add_argument("--quick", action="store_true", help="small tables, one round; change no file")
    options = parser.parse_args(arguments)
    wanted = [word.lower() for word in options.rows]
    rows = [
        row for row in ROWS
        if not wanted or any(word in f"{row.what} {' '.join(p.package for p in row.peers)}".lower() for word in wanted)
    ]  # fmt: skip
    if not rows:
        parser.error(
            f"no row is called {', '.join(options.rows)}; there are {', '.join(sorted({r.what for r in ROWS}))}"
        )
    about = machine()
    problems = prepared(sorted({peer.package for row in rows for peer in row.peers}))
    results: list[Against] = []
    lost: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for row in rows:
            # What goes wrong in one row must not lose the others.
            try:
                results += measured(row, Path(folder), problems, quick=options.quick)
            except Failed as error:
                lost.append(f"{row.what}, {row.items:,} items ({error})")
    busy = f"{about} When it ended the load was {os.getloadavg()[0]:.1f}."
    print(write(results, busy, lost=lost, keep=not (options.quick or options.rows)))
    if lost or any(one.trouble for one in results):
        sys.exit(1)


if __name__ == "__main__":
    main()
