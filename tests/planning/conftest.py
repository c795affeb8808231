"""The simulation of benchmarks/planning.py, which the tests run at a smaller size."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="session")
def simulation() -> Any:
    """The benchmark as a module; its neighbours are found as when it is run."""
    spec = importlib.util.spec_from_file_location("planning_benchmark", BENCHMARKS / "planning.py")
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(BENCHMARKS))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(BENCHMARKS))
    # Documents that stand for all of them: fewer are enough here.
    module.LARGE = 10_000
    return module
