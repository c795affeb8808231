"""The notebooks run, and print what they say they print."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))


def runner() -> ModuleType:
    spec = importlib.util.spec_from_file_location("run_notebooks", FOLDER.parent / "run_notebooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_is_one_for_each_of_the_four() -> None:
    assert NOTEBOOKS == ["engineer.ipynb", "lead.ipynb", "researcher.ipynb", "teacher.ipynb"]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_prints_what_it_says(name: str) -> None:
    notebook = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["metadata"]["kernelspec"]["language"]) == (4, "python")
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    made = runner().executed(notebook)
    for before, after in zip(notebook["cells"], made["cells"], strict=True):
        assert before.get("outputs") == after.get("outputs"), "run python docs/run_notebooks.py"
