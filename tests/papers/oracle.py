"""Published tables with known answers: reading tests/oracles/*.json, and checking a number against them.

A file holds the tables of one source. A row is one item, one label per annotator, "." where it is missing;
"20 * a b" stands for twenty such items. Values are strings, so that they keep the digits their source
prints: a `published` value must be met to half a unit of its last digit, an `exact` one to 1e-12.
`quantity` is the value unless it says observed, expected, standard-error, p or z0; `category` asks for that
label against the rest.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests import reference
from tests.reference import Components, Label

import assent

ORACLES = Path(__file__).parents[1] / "oracles"

#: Names in the oracles that are a measure of ours with an option.
KNOWN_AS = {"light-kappa": ("cohen-kappa", {"average": "plain"})}

#: What assent says of itself; the other quantities are checked by hand in the file of their paper.
ATTRIBUTES = {"value": "value", "observed": "observed", "expected": "expected"}


@dataclass(frozen=True, kw_only=True)
class Table:
    """One published table."""

    id: str
    title: str
    labels: tuple[Label, ...]
    rows: tuple[tuple[Label | None, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Case:
    """One published number."""

    table: Table
    measure: str
    options: Mapping[str, Any]
    category: Label | None
    quantity: str
    value: float
    tolerance: float
    basis: str
    source: str

    @property
    def rows(self) -> list[list[Label | None]]:
        """The table, or one label of it against the rest."""
        return rows(self.table, self.category)

    def check(self, got: object) -> None:
        """Fail unless `got` is the published number to its last digit."""
        assert got is not None, f"{self.measure} is undefined on {self.table.title}"
        error = abs(float(got) - self.value)  # type: ignore[arg-type]
        assert error <= self.tolerance * (1 + 1e-9), f"{float(got)!r} for {self.value}, {self.source}"  # type: ignore[arg-type]

    def __str__(self) -> str:
        options = [str(option) for option in self.options.values()]
        label = [] if self.category is None else [f"label={self.category}"]
        quantity = [] if self.quantity == "value" else [self.quantity]
        return "-".join([self.table.id, self.measure, *options, *label, *quantity, self.basis])


@cache
def load(name: str) -> tuple[Case, ...]:
    """All numbers of tests/oracles/<name>.json."""
    content = json.loads((ORACLES / f"{name}.json").read_text(encoding="utf-8"))
    cases: list[Case] = []
    for entry in content["tables"]:
        labels = tuple(entry["labels"])
        table = Table(id=entry["id"], title=entry["title"], labels=labels, rows=_rows(entry["rows"], labels))
        for expected in entry["expected"]:
            exact = expected["basis"] == "exact"
            cases.append(
                Case(
                    table=table,
                    measure=expected["measure"],
                    options=expected["options"],
                    category=expected.get("category"),
                    quantity=expected.get("quantity", "value"),
                    value=float(expected["value"]),
                    tolerance=1e-12 if exact else half_a_unit(expected["value"]),
                    basis=expected["basis"],
                    source=expected.get("source", content["source"]),
                )
            )
    return tuple(cases)


def half_a_unit(printed: str) -> float:
    """Half a unit of the last digit printed."""
    exponent = Decimal(printed).as_tuple().exponent
    return 0.5 * 10.0 ** int(exponent)


def _rows(lines: Sequence[str], labels: Sequence[Label]) -> tuple[tuple[Label | None, ...], ...]:
    named: dict[str, Label | None] = {".": None, **{str(label): label for label in labels}}
    rows: list[tuple[Label | None, ...]] = []
    for line in lines:
        times, _, tokens = line.rpartition(" * ")
        rows += [tuple(named[token] for token in tokens.split())] * int(times or 1)
    return tuple(rows)


def table(name: str, key: str) -> Table:
    """One table of a file."""
    return next(case.table for case in load(name) if case.table.id == key)


def rows(table: Table, category: Label | None = None) -> list[list[Label | None]]:
    """The rows of a table, or of one label of it against the rest."""
    if category is not None:
        return reference.binarised(table.rows, category)
    return [list(row) for row in table.rows]


@cache
def annotations(table: Table) -> assent.Annotations:
    """The same, read by assent."""
    return assent.Annotations.from_array(rows(table))


def names() -> list[str]:
    """Every file of oracles."""
    return sorted(path.stem for path in ORACLES.glob("*.json"))


def cases() -> list[Any]:
    """The numbers of all files that assent and a slow reference give: one pytest parameter each."""
    return [
        pytest.param(case, id=f"{name}-{case}")
        for name in names()
        for case in load(name)
        if case.quantity in ATTRIBUTES
    ]


def check_reference(case: Case) -> None:
    """Compare the slow reference with a published number."""
    if case.measure == "icc":
        case.check(reference.icc(case.rows, **case.options))  # type: ignore[arg-type]
        return
    result: Components = getattr(reference, case.measure.replace("-", "_"))(case.rows, **case.options)
    case.check(getattr(result, ATTRIBUTES[case.quantity]))


def check_assent(case: Case) -> None:
    """Compare assent with a published number."""
    name, more = KNOWN_AS.get(case.measure, (case.measure, {}))
    if case.category is None:
        agreement = assent.all_measures()[name](annotations(case.table), **case.options, **more)
    else:
        by_label = assent.all_measures()[name].by_label(annotations(case.table), **case.options, **more)
        agreement = by_label[str(case.category)]
    case.check(getattr(agreement, ATTRIBUTES[case.quantity]))
