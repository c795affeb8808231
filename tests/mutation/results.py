"""What became of the changes, kept from run to run."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.mutation.mutants import Mutant

__all__ = ["Results"]


class Results:
    """Outcomes by the text of a change, which says where it is even after lines have moved."""

    def __init__(self, path: Path, mutants: Sequence[Mutant]) -> None:
        self.path = path
        self.known: dict[str, dict[str, Any]] = {}
        turns: Counter[tuple[str, str, str]] = Counter()
        self._keys: dict[Mutant, str] = {}
        for one in sorted(mutants, key=lambda one: (one.module, one.place)):
            same = (one.module, one.text, one.what)
            self._keys[one] = json.dumps([*same, turns[same]], ensure_ascii=False)
            turns[same] += 1
        self.read()

    def read(self) -> None:
        """Read what is kept."""
        if self.path.is_file():
            self.known = json.loads(self.path.read_text(encoding="utf-8"))

    def write(self) -> None:
        """Keep it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_suffix(".new")
        beside.write_text(json.dumps(self.known, ensure_ascii=False, indent=0), encoding="utf-8")
        os.replace(beside, self.path)

    def how(self, mutant: Mutant) -> str:
        """Return what became of a change in the function as it is now: seen, survived, without end, or not tried."""
        found = self.known.get(self._keys[mutant])
        return found["how"] if found and found["function"] == mutant.function else "not tried"

    def last(self, mutant: Mutant) -> str:
        """Return the test that saw a change last, in the function as it was then."""
        return str(self.known.get(self._keys[mutant], {}).get("by", ""))

    def forget(self, mutant: Mutant) -> None:
        """Have a change be tried anew, with the test first that saw it last."""
        if found := self.known.get(self._keys[mutant]):
            found["how"] = "not tried"

    def keep(self, mutant: Mutant, how: str, by: str, seconds: float) -> None:
        """Keep what became of a change, the test that saw it, and the processor time of the tests that were run for it."""
        self.known[self._keys[mutant]] = {
            "how": how, "by": by, "function": mutant.function, "seconds": round(seconds, 2),
        }  # fmt: skip

    def seers(self, module: str) -> list[str]:
        """Return the tests that saw changes of a module, those that saw most first."""
        found = Counter(
            one["by"] for key, one in self.known.items() if json.loads(key)[0] == module and one["how"] == "seen"
        )
        return [name for name, _ in found.most_common() if name]
