"""Run the notebooks and keep what they print, without a kernel: their code is plain Python.

    python docs/run_notebooks.py

`tests/docs/test_notebooks.py` runs them and compares. Jupyter opens and runs them as any other notebook.
"""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "notebooks"


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook with what its cells print."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = []
    for number, cell in enumerate((one for one in notebook["cells"]), 1):
        if cell["cell_type"] != "code":
            cells.append(cell)
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
        text = out.getvalue().splitlines(keepends=True)
        shown = [{"name": "stdout", "output_type": "stream", "text": text}] if text else []
        cells.append({**cell, "outputs": shown})
    return {**notebook, "cells": cells}


def notebook(*parts: str) -> dict[str, Any]:
    """Make a notebook of texts and code; code begins with a line ``#%%``."""
    cells: list[dict[str, Any]] = []
    for place, part in enumerate(parts, 1):
        code = part.startswith("#%%\n")
        lines = part.removeprefix("#%%\n").strip("\n").splitlines(keepends=True)
        cell: dict[str, Any] = {"cell_type": "code" if code else "markdown", "id": f"cell-{place}", "metadata": {}}
        cells.append(cell | ({"execution_count": None, "outputs": []} if code else {}) | {"source": lines})
    about = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}


def main() -> None:
    """Run all notebooks in place."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        made = executed(json.loads(path.read_text(encoding="utf-8")))
        path.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
