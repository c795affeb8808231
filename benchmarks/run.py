"""Run the benchmarks: `python benchmarks/run.py [NAME…] [--quick]`.

Without names those that measure time and memory, for docs/benchmarks.md, docs/speed.md and docs/exports.md: half an hour. The others simulate
what intervals and plans promise, or ask other packages for their answers, and are run by name. One that fails does not stop the others.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SPEED = ("peers", "large", "speed", "exports", "levers")


def programs() -> dict[str, str]:
    """Return the programs beside this one, each with its text."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(HERE.glob("*.py"))}
    return {name: text for name, text in texts.items() if '__name__ == "__main__"' in text and name != "run"}


def main() -> None:
    """Run the benchmarks that were named, each in a process of its own."""
    known = programs()
    parser = argparse.ArgumentParser(description="Run the benchmarks.")
    names = f"which of {', '.join(known)}; if not given, {', '.join(SPEED)}"
    parser.add_argument("names", nargs="*", metavar="NAME", help=names)
    parser.add_argument(
        "--quick", action="store_true", help="smaller and rougher, where there is such a size; change no file"
    )
    options = parser.parse_args()
    unknown = set(options.names) - set(known)
    if unknown:
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    failed = []
    for name in options.names or SPEED:
        print(f"== {name}\n", flush=True)
        quick = ["--quick"] if options.quick and '"--quick"' in known[name] else []
        finished = subprocess.run([sys.executable, str(HERE / f"{name}.py"), *quick])
        if finished.returncode:
            failed.append(name)
    if failed:
        sys.exit(f"Not everything was measured: read above what {' and '.join(failed)} said.")


if __name__ == "__main__":
    main()
