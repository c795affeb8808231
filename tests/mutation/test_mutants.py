"""The changes are what they say, and are what is imported."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest
from tests.mutation.mutants import importing, mutants_of

SOURCE = '''
def clipped(x: int | None, least=0):
    """Not changed: 1 + 1."""
    if x is None:
        raise ValueError
    return max(x, least) - 1
'''


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "changed_module.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_every_place_is_changed_once_and_annotations_and_texts_are_not(path: Path) -> None:
    assert [one.what for one in mutants_of(path, "changed_module")] == [
        "0 → 1",
        "if x is None: → if False:",
        "x is None → x is not None",
        "max(x, least) - 1 → max(x, least) + 1",
        "max(x, least) → min(x, least)",
        "1 → 2",
    ]


def test_a_change_is_imported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    importing(mutants_of(path, "changed_module")[3])
    try:
        assert importlib.import_module("changed_module").clipped(3) == 4
    finally:
        del sys.modules["changed_module"]
