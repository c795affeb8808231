"""An explanation: steps of sentences, a table and formulas."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import field
from msgspec.structs import replace

from assent.analyses.explain.formula import Formula
from assent.data import Dataset
from assent.documents import blocks
from assent.documents.blocks import Cell, Column, Document, Formulas, Heading, Prose, Section, Table
from assent.documents.result import Result
from assent.records import Struct, plain
from assent.text import display_name, number

__all__ = ["Explanation", "Explanations", "Step", "table_of_texts"]


def table_of_texts(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, texts: int = 1, labels: int = 0, total: bool = False
) -> Table:
    """Return a small table; what comes from the data stands in it as it was written.

    Parameters
    ----------
    columns : sequence of str
        Headings.
    texts : int
        How many columns, from the left, hold text; the others hold numbers.
    labels : int
        How many of the headings after these are labels.
    total : bool
        The last row adds up the others.
    """
    heads = [
        Column(title, "name" if place < texts else "number", data=0 <= place - texts < labels)
        for place, title in enumerate(columns)
    ]
    cells = [
        [
            Cell(text, sort=text, data=not (total and row is rows[-1]))
            if place < texts
            else Cell(text.replace("-", "−"), sort=float(text) if text[-1:].isdigit() else None)
            for place, text in enumerate(row)
        ]
        for row in rows
    ]
    return Table("", "", heads, cells, quiet=True, total=total)


class Step(Struct, frozen=True, kw_only=True):
    """One step of a computation.

    Parameters
    ----------
    heading : str
        What is found out.
    sentences : tuple of str
        How, in words. Names from the data are quoted and shortened in them.
    table : Table, optional
        What it is found out from.
    formulas : tuple of Formula
        The arithmetic.
    preparation : bool
        It comes before the computation proper, as step 0.
    """

    heading: str
    sentences: tuple[str, ...] = ()
    table: Table | None = None
    formulas: tuple[Formula, ...] = ()
    preparation: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the step as plain values."""
        return {
            "heading": self.heading,
            "sentences": list(self.sentences),
            "table": None if self.table is None else _plain(self.table),
            "formulas": plain(self.formulas),
        }

    def section(self, number: int) -> Section:
        """Return the step as a part of a document."""
        inside: list[blocks.Block] = [Prose(self.sentences)]
        if self.table is not None:
            inside.append(_shown(self.table, f"step-{number}", self.heading))
        if self.formulas:
            inside.append(Formulas([blocks.Formula(one.pieces, one.latex_pieces) for one in self.formulas]))
        return Section(f"step-{number}", f"Step {number}: {self.heading}", blocks=inside)


class Explanation(Result, frozen=True, kw_only=True):
    """A coefficient as a person would work it out on the board.

    Parameters
    ----------
    data : Dataset
        What it was measured on.
    title : str
        What is explained.
    measure : str
        Name of the measure, as on the command line.
    value, observed, expected : float
        The numbers that measuring gives, in full precision; NaN if undefined.
    steps : tuple of Step
    interpretation : str or None
        What the value means, in one sentence.
    notes : tuple of str
        What a reader of the number must know.
    label_against_rest : str or None
        The label that all others, taken as one, were set against.
    options : mapping
        Settings it was measured with.
    """

    data: Dataset
    title: str
    measure: str
    value: float
    observed: float
    expected: float
    steps: tuple[Step, ...]
    interpretation: str | None = None
    notes: tuple[str, ...] = ()
    label_against_rest: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def numbered(self) -> tuple[tuple[int, Step], ...]:
        """The steps with their numbers; what prepares the computation is step 0."""
        start = 1 - sum(step.preparation for step in self.steps)
        return tuple(enumerate(self.steps, start=start))

    def document(self) -> Document:
        """Return the steps, what the value is called, and what to know of it."""
        said = [Prose([self.interpretation], strong=True)] if self.interpretation else []
        steps = [step.section(number) for number, step in self.numbered]
        return Document(self.title, [*steps, *said, *blocks.notes(self.notes, self.data.notes)])

    def section(self) -> Section:
        """Return the explanation as a part of a document about several."""
        inside: list[blocks.Block] = []
        for place, step in self.numbered:
            one = step.section(place)
            inside += [Heading(one.title), *one.blocks]
        said = [Prose([self.interpretation], strong=True)] if self.interpretation else []
        return Section(self.measure, self.title, blocks=[*inside, *said])

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation and what the data are as plain values, in the shape the command line prints as JSON."""
        explanation = {
            "measure": self.measure,
            "title": self.title,
            "value": plain(self.value),
            "observed": plain(self.observed),
            "expected": plain(self.expected),
            "label_against_rest": self.label_against_rest,
            "options": dict(self.options),
            "steps": [{"step": number, **step.to_dict()} for number, step in self.numbered],
            "interpretation": self.interpretation,
            "notes": list(self.notes),
        }
        return {"data": self.data.to_dict(), "explanation": explanation}


class Explanations(Result, frozen=True, kw_only=True):
    """Several coefficients of the same data, worked out side by side.

    Parameters
    ----------
    data : Dataset
        What they were measured on.
    """

    data: Dataset
    explanations: tuple[Explanation, ...]

    def document(self) -> Document:
        """Return what differs between them in one table, then the steps of each."""
        said = blocks.notes(*(one.notes for one in self.explanations), self.data.notes)
        parts = [one.section() for one in self.explanations]
        return Document("Coefficients side by side", [Prose([self._what_differs()]), self._table(), *parts, *said])

    def _what_differs(self) -> str:
        """Say which terms the coefficients have in common."""
        observed = {round(one.observed, 9) for one in self.explanations}
        same = len(observed) == 1 and not any(math.isnan(one) for one in observed)
        return (
            "The coefficients see the same observed agreement and differ in what they expect by chance."
            if same
            else "The coefficients differ in what they observe, and in what they expect by chance."
        )

    def _table(self) -> Table:
        rows = [
            [
                Cell(one.title),
                *(Cell(number(value, 3), sort=value) for value in (one.observed, one.expected, one.value)),
            ]
            for one in self.explanations
        ]
        columns = [
            Column("coefficient", "name"),
            *(Column(name, "number") for name in ("observed", "expected", "value")),
        ]
        return Table("side-by-side", "Side by side", columns, rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the explanations and what the data are as plain values."""
        found = [one.to_dict()["explanation"] for one in self.explanations]
        return {"data": self.data.to_dict(), "explanations": found}


def _shown(table: Table, name: str, caption: str) -> Table:
    """Return a table with a name and a caption, in which the blanks of labels can be seen."""
    columns = [replace(one, title=display_name(one.title)) if one.data else one for one in table.columns]
    rows = [[blocks.name(cell.text) if cell.data else cell for cell in row] for row in table.rows]
    return replace(table, name=name, caption=caption, columns=columns, rows=rows)


def _plain(table: Table) -> dict[str, Any]:
    rows = [[cell.text if cell.data else cell.text.replace("−", "-") for cell in row] for row in table.rows]
    return {"columns": [column.title for column in table.columns], "rows": rows, "total": table.total}
