"""The changes are what they say, and are what is imported."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest
from tests.mutation.mutants import importing, mutants_of
from tests.mutation.reached import Reached, Recording

pytest_plugins = ["pytester"]

SOURCE = '''
def clipped(x: int | None, least=0):
    """Not changed: 1 + 1."""
    if x is None:
        raise ValueError
    list(zip([], [], strict=True))
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


def test_around_a_change_are_its_line_its_statements_and_the_module(path: Path) -> None:
    refusal = mutants_of(path, "changed_module")[2]
    assert refusal.line == 4
    assert refusal.around == (range(4, 5), range(4, 6), range(2, 8), range(1, 8))


def test_tests_come_to_the_nearest_lines_and_the_quick_ones_of_each_function_are_first() -> None:
    seconds = {"a[1]": 0.1, "a[2]": 0.2, "a[3]": 9.0, "b": 3.0, "c": 0.3}
    known = Reached(seconds, {"m.py": {4: ["a[1]", "b"], 5: ["c"]}})
    assert known.at(Path("m.py"), (range(3, 4), range(4, 6))) == ["a[1]", "b", "c"]
    assert known.at(Path("m.py"), (range(5, 6), range(4, 6))) == ["c"]
    assert known.at(Path("other.py"), (range(5, 6),)) == []
    assert known.chosen(seconds, most=4.0) == ["a[1]", "c", "b", "a[2]"]
    assert known.chosen(["a[3]"], most=4.0) == ["a[3]"]


def test_what_is_recorded_is_read_until_a_file_changes(tmp_path: Path, pytester: pytest.Pytester) -> None:
    watched = tmp_path / "watched.py"
    watched.write_text("def f(x):\n    if x:\n        return 1\n    return 2\n")
    pytester.syspathinsert(tmp_path)
    pytester.makepyfile("from watched import f\ndef test_1():\n    f(1)\ndef test_0():\n    f(0)\n")
    pytester.inline_run("-p", "no:xdist", plugins=[Recording([watched], tmp_path / "kept.json")])
    found = Reached.read(tmp_path / "kept.json", [watched])
    assert found is not None
    assert {line: sorted(one[-6:] for one in tests) for line, tests in found.lines[str(watched)].items()} == {
        1: ["test_0", "test_1"], 2: ["test_0", "test_1"], 3: ["test_1"], 4: ["test_0"],
    }  # fmt: skip
    watched.write_text("def f(x):\n    return 2\n")
    assert Reached.read(tmp_path / "kept.json", [watched]) is None


def test_a_change_is_imported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    importing(mutants_of(path, "changed_module")[3])
    try:
        assert importlib.import_module("changed_module").clipped(3) == 4
    finally:
        del sys.modules["changed_module"]
