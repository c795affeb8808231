"""A table in the shapes that packages want, and a place to put what they answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Label = str | int
#: Gwet's weights; the last four are rare.
GWET = ("identity", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar")


def first_line(problem: BaseException) -> str:
    """Name an error in one line."""
    lines = str(problem).strip().splitlines()
    return f"{type(problem).__name__}: {lines[0].strip()}" if lines else type(problem).__name__


@dataclass(frozen=True, kw_only=True)
class Table:
    """Items x annotators; None where a label is missing.

    `labels` are in their order. `ordered` tables are also asked about weights and scales, `every_weight` about all of
    Gwet's weights, those of `scores` about intraclass correlations. The labels of a `declared` table are made known to
    packages that can be told which labels there are, whether somebody used them or not.
    """

    id: str
    labels: list[Label]
    rows: list[list[Label | None]]
    ordered: bool
    every_weight: bool
    scores: bool
    declared: bool

    @property
    def numeric(self) -> bool:
        """Whether the labels are numbers."""
        return all(not isinstance(label, str) for label in self.labels)

    @property
    def annotators(self) -> int:
        """How many there are."""
        return len(self.rows[0])

    @property
    def complete(self) -> bool:
        """Whether no label is missing."""
        return all(label is not None for row in self.rows for label in row)

    @property
    def named(self) -> list[Label]:
        """The labels that a package can be told of, in their order."""
        return self.labels if self.declared else self.used

    @property
    def used(self) -> list[Label]:
        """The labels that somebody used, in their order."""
        given = {label for row in self.rows for label in row}
        return [label for label in self.labels if label in given]

    @property
    def triples(self) -> list[tuple[str, str, Label]]:
        """Annotator, item and label of each annotation."""
        return [
            (f"a{j}", f"i{i:03}", label)
            for i, row in enumerate(self.rows)
            for j, label in enumerate(row)
            if label is not None
        ]

    @property
    def codes(self) -> list[list[int | None]]:
        """The table with the position of each label in place of it."""
        position = {label: i for i, label in enumerate(self.named)}
        return [[None if label is None else position[label] for label in row] for row in self.rows]

    @property
    def with_nan(self) -> list[list[Any]]:
        """The table with NaN where a label is missing."""
        return [[math.nan if label is None else label for label in row] for row in self.rows]

    @property
    def counts(self) -> list[list[int]]:
        """How often each used label was given to each item."""
        return [[row.count(label) for label in self.named] for row in self.rows]

    @property
    def confusion(self) -> list[list[int]]:
        """Items by the labels of two annotators; items that one of them left out are not in it."""
        return [[sum(row == [one, two] for row in self.rows) for two in self.named] for one in self.named]

    @property
    def weights(self) -> tuple[str, ...]:
        """The names of the weights that this table is asked about."""
        return ("identity", *(GWET[1:] if self.every_weight else GWET[1:4])) if self.ordered else ("identity",)

    def column(self, annotator: int) -> list[Any]:
        """The labels of one annotator, NaN where there is none."""
        return [row[annotator] for row in self.with_nan]


#: Puts all questions about a table to a package.
Ask = Callable[["Table", "Teller"], None]


@dataclass
class Teller:
    """Collects answers; an exception is an answer too."""

    table: str = ""
    answers: list[dict[str, Any]] = field(default_factory=list)

    def tell(
        self,
        via: str,
        measure: str,
        call: Callable[[], Any],
        *,
        options: Mapping[str, str] | None = None,
        parts: Mapping[str, Callable[[Any], Any]] | None = None,
        category: Label | None = None,
        decimals: int | None = None,
    ) -> None:
        """Put a question to the package and note what it says.

        Parameters
        ----------
        via : str
            The function that is called, as a reader would look it up.
        measure, options, category
            What it should be in our terms.
        call : callable
        parts : mapping
            How to take each quantity from what `call` returns; the value alone unless given. A quantity may carry the name of
            the field it comes from after a colon.
        decimals : int, optional
            How many decimals the package gives, if it rounds.
        """
        base: dict[str, Any] = {"table": self.table, "via": via, "measure": measure, "options": dict(options or {})}
        base |= {"category": category, "decimals": decimals}
        try:
            result = call()
        except Exception as problem:
            self.answers.append({**base, "quantity": "value", "number": None, "error": first_line(problem)})
            return
        for name, part in (parts or {"value": lambda answer: answer}).items():
            quantity, _, field_name = name.partition(":")
            answer: dict[str, Any] = {**base, "quantity": quantity, "via": field_name or via}
            try:
                said = part(result)
                # One package writes the word for a value that is undefined.
                number, error = math.nan if said == "None" else float(said), None
            except Exception as problem:
                number, error = math.nan, first_line(problem)
            # JSON has no NaN.
            answer |= {"number": number if math.isfinite(number) else None, "error": error}
            self.answers.append(answer)
