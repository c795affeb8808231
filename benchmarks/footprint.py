"""Build the wheel, install it into empty environments, run it outside the repository, and say how much room everything takes.

    python benchmarks/footprint.py python3.11 python3.12 python3.13 python3.14

The table of `docs/install.md` is what this prints. It needs a package index.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HOME = Path(__file__).parents[1]
#: Run inside the new environment: the bytes of the files of every distribution, with the byte code that pip makes.
SIZES = """
import importlib.metadata, json, sys
sizes = {}
for one in importlib.metadata.distributions():
    paths = {one.locate_file(file).resolve() for file in one.files or ()}
    sizes[one.metadata["Name"].lower()] = sum(path.stat().st_size for path in paths if path.is_file())
print(json.dumps({"python": sys.version.split()[0], "sizes": sizes}))
"""


def run(*command: str | Path, where: Path | None = None) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=where, env=environment, check=True, capture_output=True, text=True)
    return done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("python", nargs="*", default=[sys.executable], help="programs, each of another version")
    pythons = parser.parse_args().python
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", place, HOME)
        (wheel,) = place.glob("*.whl")
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB\n")
        for number, python in enumerate(pythons):
            environment = place / f"environment-{number}"
            run(python, "-m", "venv", "--without-pip", environment)
            own = environment / ("Scripts" if os.name == "nt" else "bin")
            # The pip of this environment installs into the other, so that its own size does not count.
            run(sys.executable, "-m", "pip", "--quiet", "--python", own / "python", "install", wheel)
            found = json.loads(run(own / "python", "-c", SIZES, where=place))
            run(own / "assent", "report", "--example", "story", "-o", "report.html", where=place)
            page = (place / "report.html").stat().st_size
            total = sum(found["sizes"].values())
            print(f"Python {found['python']}: {total / 1e6:.0f} MB, report of {page / 1000:.0f} kB\n")
        print("| package | MB |\n|---|---|")
        for name, size in sorted(found["sizes"].items(), key=lambda one: -one[1]):
            if size >= 1e6:
                print(f"| {name} | {size / 1e6:.0f} |")


if __name__ == "__main__":
    main()
