"""Which tests come to which line: recorded once, in a run of all of them."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

__all__ = ["Reached", "Recording"]


@dataclass(frozen=True)
class Reached:
    """Seconds of processor time of each test by its name, and by file and line the tests that come to it."""

    seconds: dict[str, float]
    lines: dict[str, dict[int, list[str]]]

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

    @classmethod
    def read(cls, path: Path, files: Sequence[Path]) -> Reached | None:
        """Return what a recording wrote, if the files are still the same."""
        if not path.is_file():
            return None
        digest, seconds, lines = json.loads(path.read_text(encoding="utf-8"))
        if digest != _digest(files):
            return None
        names = list(seconds)
        return cls(
            seconds,
            {
                file: {int(at): [names[test] for test in tests] for at, tests in known.items()}
                for file, known in lines.items()
            },
        )


class Recording:
    """A plugin of pytest that watches the lines of some files and writes what it saw."""

    def __init__(self, files: Sequence[Path], path: Path) -> None:
        self.files = files
        self.path = path
        self.seconds: dict[str, float] = {}
        #: Tests by their number: their names would take a hundred megabytes.
        self.lines: dict[str, dict[int, list[int]]] = {str(one): {} for one in files}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Watch a test, and what is made for it."""
        seen: set[tuple[str, int]] = set()

        def at_line(frame: FrameType, event: str, argument: Any) -> Any:
            seen.add((frame.f_code.co_filename, frame.f_lineno))
            return at_line

        def called(frame: FrameType, event: str, argument: Any) -> Any:
            return at_line(frame, event, argument) if frame.f_code.co_filename in self.lines else None

        begin = time.process_time()
        sys.settrace(called)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            number = len(self.seconds)
            self.seconds[item.nodeid] = time.process_time() - begin
            for file, line in seen:
                self.lines[file].setdefault(line, []).append(number)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Keep it for the next run, unless a test failed."""
        if exitstatus == 0:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(json.dumps([_digest(self.files), self.seconds, self.lines]), encoding="utf-8")


def _digest(files: Sequence[Path]) -> str:
    whole = hashlib.sha256()
    for path in files:
        whole.update(path.read_bytes())
    return whole.hexdigest()
