"""Whole fresh processes, measured from outside by the system alone."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

__all__ = ["CORES", "DATA", "GB", "MB", "Failed", "Run", "assent", "best", "machine", "python", "run", "say"]

DATA = Path(__file__).resolve().parent / "data"
MB, GB = 1 << 20, 1 << 30
CORES = 2
"""Everything runs on two cores, whatever the machine has."""


class Failed(Exception):
    """A process did not end well."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One finished process: wall and processor seconds, peak bytes, what it printed."""

    wall: float
    processor: float
    peak: int
    printed: str


def run(command: Sequence[str], *, settings: Mapping[str, str] | None = None) -> Run:
    """Run a command to its end.

    This process must stay small: a child's peak memory counts from the size of its parent. Modules are compiled once and
    kept, as they are wherever a package was installed, whatever the shell says.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPYCACHEPREFIX": str(DATA / "pycache"), "PYTHONHASHSEED": "0", "MPLBACKEND": "Agg"}
    environment |= settings or {}
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    with tempfile.TemporaryFile("w+", encoding="utf-8") as printed, tempfile.TemporaryFile("w+") as complaints:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=printed, stderr=complaints, env=environment)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            complaints.seek(0)
            lines = complaints.read().strip().splitlines()
            raise Failed(f"ended with {process.returncode}" + (f": {lines[-1]}" if lines else ""))
        printed.seek(0)
        peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        return Run(wall=wall, processor=used.ru_utime + used.ru_stime, peak=peak, printed=printed.read())


def python(program: str | Path, *arguments: object, interpreter: str | Path = sys.executable) -> list[str]:
    """Write the command that runs a file, or the text of a program, in a fresh interpreter."""
    what = [str(program)] if isinstance(program, Path) else ["-c", program]
    return [str(interpreter), *what, *map(str, arguments)]


def assent(*arguments: object) -> list[str]:
    """Write the command that runs the program of this environment."""
    return [str(Path(sys.executable).with_name("assent")), *map(str, arguments)]


def best(runs: Sequence[Run]) -> Run:
    """Return the least time of either kind and the largest peak."""
    return Run(
        wall=min(one.wall for one in runs),
        processor=min(one.processor for one in runs),
        peak=max(one.peak for one in runs),
        printed=runs[0].printed,
    )


def machine() -> str:
    """Say on what, and on how busy a machine, this runs."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("polars", "duckdb", "numpy"))
    busy = os.getloadavg()[0]
    quiet = "the machine was quiet" if busy < 0.5 * CORES else "**the machine was not quiet**"
    return (
        f"{platform.system()}, {CORES} cores of {os.cpu_count()}, Python {platform.python_version()}, {packages}; "
        f"load {busy:.1f} when it began: {quiet}."
    )


def say(what: str) -> None:
    """Tell the user at a terminal what is going on."""
    if sys.stderr.isatty():
        print(f"… {what}", file=sys.stderr, flush=True)
