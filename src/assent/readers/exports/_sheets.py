"""Sheets of forms, where people stand in rows and items in columns."""

from __future__ import annotations

import re
from collections import Counter

from assent.errors import DuplicateAnnotations
from assent.readers.exports._columns import is_number, looks_like_choices, same_question, split_choices
from assent.readers.exports.gathering import Gathering, looks_like_free_text
from assent.readers.exports.model import Export

__all__ = ["GRID", "Sheet"]

GRID = re.compile(r"^(.*\S)\s*\[(.+)\]\s*$", re.DOTALL)
"""The header of a row of a grid: ``Question [row]``."""

#: How columns of one question are numbered: in a loop (1_Q5), in a matrix (Q5_1, Q5.1), just so (item1), or before what each is about
#: (Text 1: The lid rattles.).
_NUMBERED = ((r"^(\d+)_(.+)$", 2), (r"^(.+?)[_.](\d+)$", 1), (r"^(.*?\D)(\d+)$", 1), (r"^(\D*?)\s*\d+[:.)]\s+\S", 1))


class Sheet:
    """Collects responses, then finds out which columns ask the same of different items.

    Parameters
    ----------
    separator : str
        What joins several ticked boxes in a cell.
    """

    def __init__(self, gathering: Gathering, *, separator: str) -> None:
        self.gathering = gathering
        self.separator = separator
        self.texts: dict[str, str] = {}
        self.responses: dict[str, dict[str, str]] = {}
        self.repeated = 0
        self._asked: list[tuple[int, str]] = []

    def columns(self, asked: list[tuple[int, str, str]]) -> None:
        """Take the columns of a file: where they stand, their names and what they ask."""
        counts = Counter(name for _, name, _ in asked)
        self._asked = []
        for at, name, text in asked:
            name = name if counts[name] == 1 else f"{name} ({at + 1})"
            self._asked.append((at, name))
            self.texts.setdefault(name, text)

    def response(self, row: list[str], who: str) -> None:
        """Take one response; of two of one person the last counts, or what was said."""
        filled = {name: cell for at, name in self._asked if (cell := row[at].strip())}
        if who in self.responses:
            rule = self.gathering.options.duplicates
            if rule == "error":
                raise DuplicateAnnotations(
                    "A person responded more than once; say which response counts with `duplicates` first or last."
                )
            self.repeated += 1
            if rule == "first":
                return
        self.responses[who] = filled

    def finish(self, format: str) -> Export:
        """Return the export."""
        g = self.gathering
        columns: dict[str, list[tuple[str, str]]] = {name: [] for name in self.texts}
        for who, filled in self.responses.items():
            for name, cell in filled.items():
                columns[name].append((who, cell))
        free = [name for name, pairs in columns.items() if _is_free([v for _, v in pairs])]
        asked = {name: pairs for name, pairs in columns.items() if pairs and name not in free}
        questions: dict[str, list[tuple[str, str]]] = {}
        for name, (question, item) in _arranged(asked).items():
            questions.setdefault(question, []).append((name, item))
        # What is asked once only, such as the age, is about the person and not about items.
        about = [question for question, names in questions.items() if len(names) == 1]
        if len(about) < len(questions):
            for question in about:
                del questions[question]
            if about:
                g.note(f"Not compared, since nothing else is asked the same way: {_counted(about)}.")
        for question, names in questions.items():
            self._question(question, {item: asked[name] for name, item in names})
            for name, item in names:
                if self.texts[name] != item:
                    g.text(item, self.texts[name])
        if free:
            g.note(f"Free texts are not compared: {_counted(free)}.")
        if self.repeated:
            g.leave_out("duplicate", self.repeated, detail="responses of a person who responded again")
        g.note("The sheet is transposed: people stand in rows and items in columns.")
        return g.export(format, asked_of_all=False)

    def _question(self, name: str, columns: dict[str, list[tuple[str, str]]]) -> None:
        g = self.gathering
        values = [v for pairs in columns.values() for _, v in pairs]
        joined = looks_like_choices(values, self.separator)
        numbers = all(is_number(v) for v in values) and len(set(values)) > 2
        g.question(name, "set" if joined else "number" if numbers else "label")
        for item, pairs in columns.items():
            for who, value in pairs:
                unit = g.unit(item, who, scope=name)
                g.answer(name, unit, split_choices(value, self.separator) if joined else value)
        without = len(self.responses) * len(columns) - len(values)
        if without:
            g.leave_out("no-answer", without, question=name)


def _counted(names: list[str]) -> str:
    listed = ", ".join(f"{name[:40]}…" if len(name) > 40 else name for name in names[:5])
    return f"{listed}{', …' if len(names) > 5 else ''}"


def _is_free(values: list[str]) -> bool:
    if looks_like_free_text("", values):
        return True
    words = sum(len(v.split()) for v in values)
    return len(values) > 3 and len(set(values)) == len(values) and words > 3 * len(values)


def _arranged(asked: dict[str, list[tuple[str, str]]]) -> dict[str, tuple[str, str]]:
    """Return for each column the question that it asks and the item of which it asks it."""
    placed: dict[str, tuple[str, str]] = {}
    for name in asked:
        grid = GRID.match(name)
        if grid:
            placed[name] = (grid.group(1), grid.group(2))
    if len({row for _, row in placed.values()}) == 1 < len(placed):
        # Grids of one row each, which is the same in all: it is what is asked, of each of the grids.
        placed = {name: (row, item) for name, (item, row) in placed.items()}
    for pattern, base in _NUMBERED:
        groups: dict[str, list[str]] = {}
        for name in asked:
            match = re.match(pattern, name)
            if match and name not in placed:
                groups.setdefault(match.group(base), []).append(name)
        for question, names in groups.items():
            if len(names) > 1 and _same_answers([[v for _, v in asked[n]] for n in names]):
                placed.update({name: (question or "answer", name) for name in names})
    rest = {name: [v for _, v in pairs] for name, pairs in asked.items() if name not in placed}
    alike = same_question(rest)
    several = sum(len(names) > 1 for names in alike)
    for names in alike:
        question = names[0] if len(names) == 1 else "answer" if several == 1 else f"answers like {names[0]}"
        placed.update({name: (question, name) for name in names})
    return {name: placed[name] for name in asked}


def _same_answers(columns: list[list[str]]) -> bool:
    """Return whether numbered columns use the same answers; boxes to tick hold each an answer of its own."""
    words = [set(values) for values in columns]
    union: set[str] = set().union(*words)
    if all(len(w) == 1 for w in words) and len(union) == len(words):
        return False
    # What all say of one item need not be said of another.
    telling = [w for w in words if len(w) > 1]
    telling = telling if len(telling) > 1 else words
    shared = sum(any(w & other for other in telling if other is not w) for w in telling)
    return all(is_number(w) for w in union) or shared >= 0.8 * len(telling)
