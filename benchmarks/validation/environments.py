"""Virtual environments for the packages to be asked, and asking them there."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.environments import installed, interpreter

__all__ = ["PACKAGES", "answers_of"]

HERE = Path(__file__).resolve().parent

#: The packages by the environment they share: one of them asks for versions of others that nobody else wants.
PACKAGES = {
    "agreement": ("0.1.2", "common"),
    "audmetric": ("1.4.2", "common"),
    "disagree": ("1.2.7", "common"),
    "interrater": ("2.0.0", "common"),
    "irrCAC": ("0.4.4", "irrcac"),
    "krippendorff": ("0.9.0", "common"),
    "nltk": ("3.10.4", "common"),
    "pingouin": ("0.7.0", "common"),
    "pycm": ("4.6", "common"),
    "pyirr": ("0.84.1.2", "common"),
    "raterkit": ("0.1.1", "common"),
    "scikit-learn": ("1.9.1", "common"),
    "simpledorff": ("0.0.2", "common"),
    "statsmodels": ("0.15.0", "common"),
}


def answers_of(package: str, tables: Sequence[dict[str, Any]], *, latest: bool = False) -> dict[str, Any]:
    """Install a package and ask it about all tables.

    Returns
    -------
    dict
        package, version, error (None, or one line) and answers.
    """
    version, environment = PACKAGES[package]
    problem = installed(package, None if latest else version, environment)
    if problem is None:
        done = subprocess.run(
            [str(interpreter(environment)), str(HERE / "peers"), package],
            input=json.dumps(tables),
            capture_output=True,
            text=True,
            # One thread is plenty for tables of this size; sets of texts must come in the same order every time.
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "MPLBACKEND": "Agg"},
        )
        if done.returncode == 0:
            return dict(json.loads(done.stdout))
        lines = done.stderr.strip().splitlines()
        problem = lines[-1] if lines else f"ended with {done.returncode}"
    return {"package": package, "version": version, "error": problem, "answers": []}
