"""Run the benchmarks: `python benchmarks/run.py [NAME…] [--quick]`.

Without names those that measure time and memory, for docs/benchmarks.md and docs/speed.md: half an hour. The others simulate what
intervals and plans promise, or ask other packages for their answers, and are run by name.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

SPEED = ("peers", "large", "speed")
OTHERS = ("annotators", "consensus", "coverage", "draws", "planning", "sparse", "validation")
#: These have no smaller size to be run at.
WHOLE = ("draws", "validation")


def main() -> None:
    """Run the benchmarks that were named, each in a process of its own."""
    known = (*SPEED, *OTHERS)
    parser = argparse.ArgumentParser(description="Run the benchmarks.")
    names = f"which of {', '.join(known)}; if not given, {', '.join(SPEED)}"
    parser.add_argument("names", nargs="*", metavar="NAME", help=names)
    parser.add_argument("--quick", action="store_true", help="smaller and rougher; change no file")
    options = parser.parse_args()
    unknown = set(options.names) - set(known)
    if unknown:
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    for name in options.names or SPEED:
        print(f"== {name}\n", flush=True)
        program = [sys.executable, str(Path(__file__).with_name(f"{name}.py"))]
        finished = subprocess.run([*program, *(["--quick"] if options.quick and name not in WHOLE else [])])
        if finished.returncode:
            sys.exit(finished.returncode)


if __name__ == "__main__":
    main()
