"""Run the benchmarks: `python benchmarks/run.py [speed] [coverage] [--quick]`; all of them unless some are named."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

BENCHMARKS = ("speed", "coverage")


def main() -> None:
    """Run the benchmarks that were named, each in a process of its own."""
    parser = argparse.ArgumentParser(description="Run the benchmarks.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which of {', '.join(BENCHMARKS)}; all if not given")
    parser.add_argument("--quick", action="store_true", help="smaller and rougher; change no file")
    options = parser.parse_args()
    unknown = set(options.names) - set(BENCHMARKS)
    if unknown:
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    for name in options.names or BENCHMARKS:
        print(f"== {name}\n", flush=True)
        program = [sys.executable, str(Path(__file__).with_name(f"{name}.py"))]
        finished = subprocess.run([*program, *(["--quick"] if options.quick else [])])
        if finished.returncode:
            sys.exit(finished.returncode)


if __name__ == "__main__":
    main()
