"""Environments for the packages that are compared: none of them is needed by anything else here, and some are GPL."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

__all__ = ["installed", "interpreter"]

FOLDER = Path(__file__).resolve().parent / "data" / "environments"

LISTED = """
import importlib.metadata, json
print(json.dumps({one.name.lower(): one.version for one in importlib.metadata.distributions()}))
"""


def interpreter(environment: str) -> Path:
    """Return the Python of an environment, which is made if it is not there."""
    python = FOLDER / environment / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(FOLDER / environment)], check=True)
    return python


def installed(package: str, version: str | None, environment: str) -> str | None:
    """Install a package (the newest version if None) unless it is there; return what went wrong, in one line."""
    python = interpreter(environment)
    listed = subprocess.run([str(python), "-c", LISTED], check=True, capture_output=True, text=True).stdout
    if version is not None and json.loads(listed).get(package.lower()) == version:
        return None
    wanted = ["--upgrade", package] if version is None else [f"{package}=={version}"]
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return None
    errors = [line.strip() for line in done.stderr.splitlines() if line.startswith("ERROR")]
    return errors[0] if errors else f"pip ended with {done.returncode}"
