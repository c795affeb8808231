"""An explanation: steps of sentences, a table and formulas. The renderings are made from this and nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assent.analyses.explain.formula import Formula

__all__ = ["Explanation", "Step", "Table"]


@dataclass(frozen=True, kw_only=True)
class Table:
    """A small table.

    Parameters
    ----------
    columns : tuple of str
        Headings.
    rows : tuple of tuple of str
        Cells. What comes from the data stands as it was written: whoever prints it must escape it.
    texts : int
        How many columns, from the left, hold text; the others hold numbers.
    total : bool
        The last row adds up the others.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1
    total: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain values."""
        return {"columns": list(self.columns), "rows": [list(row) for row in self.rows], "total": self.total}


@dataclass(frozen=True, kw_only=True)
class Step:
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
            "table": None if self.table is None else self.table.to_dict(),
            "formulas": [formula.to_dict() for formula in self.formulas],
        }


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """A coefficient as a person would work it out on the board.

    Printing it shows the text; `markdown` and `latex` give it in these languages, `to_dict` as plain values.

    Parameters
    ----------
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

    def text(self) -> str:
        """Return the explanation for a terminal."""
        from assent.analyses.explain.text import render

        return render(self)

    def markdown(self) -> str:
        """Return the explanation in Markdown."""
        from assent.analyses.explain.markdown import render

        return render(self)

    def latex(self) -> str:
        """Return the explanation as LaTeX to paste into a document that loads amsmath and booktabs."""
        from assent.analyses.explain.latex import render

        return render(self)

    def __str__(self) -> str:
        """Show the explanation for a terminal."""
        return self.text()

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain values, in the shape the command line prints as JSON."""
        return {
            "measure": self.measure,
            "title": self.title,
            "value": _none_if_nan(self.value),
            "observed": _none_if_nan(self.observed),
            "expected": _none_if_nan(self.expected),
            "label_against_rest": self.label_against_rest,
            "options": dict(self.options),
            "steps": [{"step": number, **step.to_dict()} for number, step in self.numbered],
            "interpretation": self.interpretation,
            "notes": list(self.notes),
        }


def _none_if_nan(value: float) -> float | None:
    return None if math.isnan(value) else value
