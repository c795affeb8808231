"""The changes are what they say, and are what is imported."""

from __future__ import annotations

import gc
import importlib
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.mutation.__main__ import all_mutants
from tests.mutation.mutants import assigning, importing, live_functions, mutants_of, replacing
from tests.mutation.reached import Reached, Record, counted, digest, watched
from tests.mutation.reasons import REASONS
from tests.mutation.results import Results

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


def test_around_a_change_are_its_line_its_statements_and_the_module_and_a_refusal_comes_before(path: Path) -> None:
    refusal, compared = mutants_of(path, "changed_module")[1:3]
    assert refusal.line == compared.line == 4
    assert compared.around == (range(4, 5), range(4, 6), range(2, 8), range(1, 8))
    assert refusal.around == (range(5, 6), *compared.around)


def test_tests_come_to_the_nearest_lines_and_the_quick_ones_of_each_function_are_first() -> None:
    seconds = {"a[1]": 0.1, "a[2]": 0.2, "a[3]": 9.0, "b": 3.0, "c": 0.3}
    known = Reached(seconds, {"m.py": {4: ["a[1]", "b"], 5: ["c"]}})
    assert known.at(Path("m.py"), (range(3, 4), range(4, 6))) == ["a[1]", "b", "c"]
    assert known.at(Path("m.py"), (range(5, 6), range(4, 6))) == ["c"]
    assert known.at(Path("other.py"), (range(5, 6),)) == []
    assert known.chosen(seconds, most=4.0) == ["a[1]", "c", "b", "a[2]"]
    assert known.chosen(["a[3]"], most=4.0) == ["a[3]"]


def test_statements_of_functions_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "noted.py"
    path.write_text(
        "if True:\n    a = 1\ndef f(x):\n    if x:\n        return 1\n    return (\n        2)\n", encoding="utf-8"
    )
    code, note = watched(path)
    lines: list[int] = []
    names: dict[str, Any] = {note: lines.append}
    exec(code, names)
    assert lines == []
    assert (names["f"](1), lines) == (1, [4, 5])
    assert (names["f"](0), lines) == (2, [4, 5, 4, 6])


def test_what_is_recorded_is_found_after_a_module_changed_but_not_after_the_tests_did(tmp_path: Path) -> None:
    seconds = {"t.py::a": 0.1, "t.py::b": 0.2}
    then, now = "x = 1\n\ndef f():\n    return 2\n", "def f():\n    return 2\n\ny = 3\n"
    lines = counted([{"m.py": [3, 4]}, {"m.py": [1, 4]}])
    Record("digest", {"m.py": digest(then)}, seconds, lines).write(tmp_path / "t.json", {"m.py": then})
    assert Record.read(tmp_path / "t.json", "other") is None
    found = Record.read(tmp_path / "t.json", "digest")
    assert found is not None
    known = Reached()
    known.add(found, {"m.py": now}, tmp_path)
    assert (known.seconds, known.lines) == (seconds, {"m.py": {1: ["t.py::a"], 2: ["t.py::a", "t.py::b"]}})


def test_outcomes_are_kept_until_the_function_changes_and_then_the_test_that_saw_it(tmp_path: Path, path: Path) -> None:
    mutants = mutants_of(path, "changed_module")
    first = Results(tmp_path / "kept.json", mutants)
    first.keep(mutants[0], "seen", "t.py::a", 0.1)
    first.keep(mutants[1], "survived", "", 0.1)
    first.write()
    same = Results(tmp_path / "kept.json", mutants)
    assert [same.how(one) for one in mutants[:3]] == ["seen", "survived", "not tried"]
    path.write_text("# A line more.\n" + SOURCE, encoding="utf-8")
    mutants = mutants_of(path, "changed_module")
    assert [Results(tmp_path / "kept.json", mutants).how(one) for one in mutants[:2]] == ["seen", "survived"]
    path.write_text(SOURCE.replace("Not changed", "Changed"), encoding="utf-8")
    mutants = mutants_of(path, "changed_module")
    later = Results(tmp_path / "kept.json", mutants)
    assert [later.how(one) for one in mutants[:3]] == ["not tried"] * 3
    assert later.last(mutants[0]) == "t.py::a"
    assert (later.seers("changed_module"), later.seers("other")) == (["t.py::a"], [])


def test_every_reason_is_that_of_a_change() -> None:
    known = {(one.module, one.text, one.what) for one in all_mutants()}
    assert not set(REASONS) - known


def test_a_change_is_imported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    importing(mutants_of(path, "changed_module")[3])
    try:
        assert importlib.import_module("changed_module").clipped(3) == 4
    finally:
        del sys.modules["changed_module"]


def test_functions_are_changed_where_they_are_and_what_an_import_runs_is_not(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(path.parent)
    module = importlib.import_module("changed_module")
    gc.freeze()
    try:
        live = live_functions({str(path)})
        code = compile(SOURCE, str(path), "exec", dont_inherit=True)
        mutants = mutants_of(path, "changed_module")
        assert not replacing(live, code, mutants[0].code())
        assert module.clipped(3) == 2
        assert replacing(live, code, mutants[3].code())
        assert module.clipped(3) == 4
    finally:
        del sys.modules["changed_module"]


def test_constants_are_changed_wherever_they_were_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "changed_constants.py").write_text("MOST = 3\nTWICE = [MOST]\nTWICE *= 2\nOTHER = object()\n")
    (tmp_path / "changed_user.py").write_text("from changed_constants import MOST, OTHER\n")
    one, other = (importlib.import_module(name) for name in ("changed_constants", "changed_user"))
    try:
        kept = one.OTHER
        first, *_ = mutants_of(tmp_path / "changed_constants.py", "changed_constants")
        assert assigning(first, "changed_")
        assert (one.MOST, one.TWICE, other.MOST) == (4, [4, 4], 4)
        assert one.OTHER is other.OTHER is kept
    finally:
        del sys.modules["changed_constants"], sys.modules["changed_user"]


def test_what_is_no_constant_is_not_assigned(path: Path) -> None:
    assert not assigning(mutants_of(path, "changed_module")[0], "changed_")


@pytest.mark.parametrize(
    ("text", "assigned"),
    [
        ("def f(x=MOST):\n    return x\n", False),
        ("class A:\n    most = MOST\n", False),
        ("class A:\n    def f(self, *, x=MOST):\n        return x\n", False),
        ("@[MOST, lambda f: f][1]\ndef f():\n    return 1\n", False),
        ("def f():\n    return MOST\n", True),
        ("class A:\n    def f(self):\n        return MOST\n", True),
    ],
)
def test_a_constant_that_is_a_default_is_imported(
    text: str, assigned: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "changed_default.py").write_text("MOST = 3\n" + text)
    importlib.import_module("changed_default")
    try:
        first, *_ = mutants_of(tmp_path / "changed_default.py", "changed_default")
        assert assigning(first, "changed_") is assigned
    finally:
        del sys.modules["changed_default"]
