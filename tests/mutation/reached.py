"""Which tests come to which statement: recorded once for each file of tests."""

from __future__ import annotations

import ast
import difflib
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType

__all__ = ["Reached", "Record", "counted", "digest", "watched"]

#: The name under which a watched module finds what notes a line.
_NOTE = "__note_line__"


def digest(text: str) -> str:
    """Return a short name of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def watched(path: Path) -> tuple[CodeType, str]:
    """Return a module that notes the line of each statement of a function before it runs it, and the name it calls to do so."""
    tree = ast.parse(path.read_text(encoding="utf-8"))

    _add_notes(tree, in_function=False)
    return compile(ast.fix_missing_locations(tree), str(path), "exec", dont_inherit=True), _NOTE


def _add_notes(node: ast.AST, *, in_function: bool) -> None:
    in_function = in_function or isinstance(node, ast.FunctionDef)
    for one in ast.iter_child_nodes(node):
        _add_notes(one, in_function=in_function)
    for part in ("body", "orelse", "finalbody"):
        statements = getattr(node, part, None)
        if in_function and isinstance(statements, list) and not isinstance(node, ast.ClassDef):
            setattr(node, part, [both for one in statements for both in (_note(one), one)])


def _note(statement: ast.stmt) -> ast.stmt:
    called = ast.Call(ast.Name(_NOTE, ast.Load()), [ast.Constant(statement.lineno)], [])
    return ast.fix_missing_locations(ast.copy_location(ast.Expr(called), statement))


@dataclass
class Reached:
    """Seconds of processor time of each test by its name, and by file and line the tests that come to it."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[int, list[str]]] = field(default_factory=dict)

    def at(self, file: Path, around: Iterable[Iterable[int]]) -> list[str]:
        """Return the tests that come to the first of these ranges of lines that any comes to."""
        known = self.lines.get(str(file), {})
        for lines in around:
            found = dict.fromkeys(name for line in lines for name in known.get(line, ()))
            if found:
                return list(found)
        return []

    def chosen(self, names: Iterable[str], most: float) -> list[str]:
        """Return tests for so many seconds: the quickest of each function first, then the next of each, and so on."""
        by_function: dict[str, list[str]] = {}
        for name in sorted(names, key=self.seconds.__getitem__):
            by_function.setdefault(name.partition("[")[0], []).append(name)
        ranked = sorted(
            (turn, self.seconds[one], one) for tests in by_function.values() for turn, one in enumerate(tests)
        )
        chosen: list[str] = []
        total = 0.0
        for _, seconds, one in ranked:
            if not chosen or total + seconds <= most:
                chosen.append(one)
                total += seconds
        return chosen

    def add(self, record: Record, texts: Mapping[str, str], kept: Path) -> None:
        """Add the tests of a file; lines of modules that changed since are found where they are now."""
        self.seconds |= record.seconds
        names = list(record.seconds)
        for file, then in record.modules.items():
            if file not in texts:
                continue
            moved = _moved(file, then, texts[file], kept)
            for line, tests in record.lines.get(file, {}).items():
                if (now := moved.get(int(line))) is not None:
                    self.lines.setdefault(file, {}).setdefault(now, []).extend(names[test] for test in tests)


@dataclass
class Record:
    """What one file of tests came to: digests of the file and of the modules, and tests by their number."""

    tests: str
    modules: dict[str, str]
    seconds: dict[str, float]
    lines: dict[str, dict[int, list[int]]]

    @classmethod
    def read(cls, path: Path, tests: str) -> Record | None:
        """Return what was recorded, if the tests are still the same."""
        found = cls.of(path) if path.is_file() else None
        return found if found and found.tests == tests else None

    @classmethod
    def of(cls, path: Path) -> Record:
        """Return what was recorded."""
        return cls(**json.loads(path.read_text(encoding="utf-8")))

    def write(self, path: Path, texts: Mapping[str, str]) -> None:
        """Keep it, and the modules as they are, by their digests."""
        path.parent.mkdir(parents=True, exist_ok=True)
        for text in texts.values():
            (path.parent / f"{digest(text)}.txt").write_text(text, encoding="utf-8")
        path.write_text(json.dumps(vars(self)), encoding="utf-8")


_MOVES: dict[tuple[str, str], dict[int, int]] = {}


def _moved(file: str, then: str, text: str, kept: Path) -> dict[int, int]:
    """Return where lines of a module are now that were recorded with another text of it."""
    if (file, then) not in _MOVES:
        old = text if then == digest(text) else (kept / f"{then}.txt").read_text(encoding="utf-8")
        matched = difflib.SequenceMatcher(None, old.splitlines(), text.splitlines(), autojunk=False)
        _MOVES[file, then] = {
            block.a + one + 1: block.b + one + 1 for block in matched.get_matching_blocks() for one in range(block.size)
        }
    return _MOVES[file, then]


def counted(seen: Sequence[Mapping[str, Iterable[int]]]) -> dict[str, dict[int, list[int]]]:
    """Return, from the lines of each test by file, the tests of each line by file."""
    found: dict[str, dict[int, list[int]]] = {}
    for test, files in enumerate(seen):
        for file, lines in files.items():
            for line in lines:
                found.setdefault(file, {}).setdefault(line, []).append(test)
    return found
