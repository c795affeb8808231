"""The tables that are put to every package, and the numbers that were published about them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tests.papers.oracle import ORACLES, Case, half_a_unit, load, table
from tests.reference import Label

__all__ = ["TABLES", "DataSet", "published"]

Rows = Sequence[Sequence[Label | None]]


@dataclass(frozen=True, kw_only=True)
class DataSet:
    """Items x annotators; None where a label is missing.

    Parameters
    ----------
    id, title, about : str
        Key, heading, and one line about where it is from.
    labels : tuple
        In their order.
    rows : tuple of tuples
    ordered : bool
        Whether packages are asked about weights and scales.
    every_weight : bool
        Whether they are asked about Gwet's rarer weights, too.
    scores : bool
        Whether they are asked about intraclass correlations and the like.
    declared : bool
        Whether packages are told which labels there are, used or not.
    """

    id: str
    title: str
    about: str
    labels: tuple[Label, ...]
    rows: tuple[tuple[Label | None, ...], ...]
    ordered: bool = False
    every_weight: bool = False
    scores: bool = False
    declared: bool = False

    @property
    def complete(self) -> bool:
        """Whether no label is missing."""
        return all(label is not None for row in self.rows for label in row)

    @property
    def annotators(self) -> int:
        """How many there are."""
        return len(self.rows[0])

    @property
    def numeric(self) -> bool:
        """Whether the labels are numbers."""
        return all(not isinstance(label, str) for label in self.labels)

    @property
    def one_label(self) -> bool:
        """Whether everything has the same label."""
        return len(self.labels) == 1

    def to_dict(self) -> dict[str, Any]:
        """Return what a package must know."""
        return {name: value for name, value in asdict(self).items() if name not in ("title", "about")}


def _published(name: str, key: str, title: str, about: str, **asked: bool) -> DataSet:
    """Take a table from the oracles of the tests."""
    found = table(name, key)
    used = {label for row in found.rows for label in row}
    labels = tuple(label for label in found.labels if label in used)
    return DataSet(id=f"{name}/{key}", title=title, about=about, labels=labels, rows=found.rows, **asked)


def _crossed(matrix: Sequence[Sequence[int]], labels: Sequence[Label]) -> tuple[tuple[Label, Label], ...]:
    """Write a confusion matrix of two annotators as one row an item."""
    return tuple(
        (one, two)
        for one, line in zip(labels, matrix, strict=True)
        for two, items in zip(labels, line, strict=True)
        for _ in range(items)
    )


#: Every table, in the order of the page.
TABLES = (
    _published(
        "krippendorff_2011",
        "4x12",
        "Krippendorff 2011, 4 x 12",
        "4 observers, 12 units, 5 values, missing labels and one unit with a single label; also irrCAC's cac.raw4raters",
        ordered=True,
        every_weight=True,
        scores=True,
    ),
    _published(
        "hayes_krippendorff_2007",
        "p84",
        "Hayes & Krippendorff 2007, p. 84",
        "5 observers, 40 newspaper articles, values 0 to 3, missing labels, no unit with a single label",
        ordered=True,
    ),
    _published("krippendorff_1980", "p133", "Krippendorff 1980, p. 133", "2 observers, 10 units, 2 values"),
    _published(
        "krippendorff_1980",
        "p139",
        "Krippendorff 1980, p. 139",
        "3 observers, 9 units, 4 values, complete",
        ordered=True,
        scores=True,
    ),
    _published(
        "fleiss_1971",
        "fleiss_1971",
        "Fleiss 1971",
        "30 patients, 6 psychiatrists, 5 diagnoses; who said what is not published: rows are sorted",
    ),
    _published(
        "gwet_2014",
        "distrib6raters",
        "Gwet 2014, distrib.6raters",
        "the first 15 patients of Fleiss 1971, as in irrCAC; the diagnoses are taken as numbers there",
        ordered=True,
    ),
    _published("cohen_1960", "p37", "Cohen 1960, p. 37", "2 annotators, 100 items, 3 labels"),
    _published("cohen_1960", "p45", "Cohen 1960, p. 45", "2 annotators, 200 items, 3 labels"),
    _published("brennan_prediger_1981", "p689", "Brennan & Prediger 1981, p. 689", "2 annotators, 100 items, 3 labels"),
    _published("brennan_prediger_1981", "p691", "Brennan & Prediger 1981, p. 691", "2 annotators, 100 items, 3 labels"),
    _published("artstein_poesio_2008", "p558", "Artstein & Poesio 2008, p. 558", "2 coders, 100 utterances, 2 labels"),
    _published("artstein_poesio_2008", "p568", "Artstein & Poesio 2008, p. 568", "2 coders, 100 utterances, 3 labels"),
    _published("wikipedia", "cohen-1", "Wikipedia, Cohen's kappa (1)", "2 annotators, 50 items"),
    _published("wikipedia", "cohen-2", "Wikipedia, Cohen's kappa (2)", "2 annotators, 100 items"),
    _published("wikipedia", "cohen-3", "Wikipedia, Cohen's kappa (3)", "2 annotators, 100 items"),
    _published(
        "wikipedia", "fleiss-10x14", "Wikipedia, Fleiss' kappa", "10 subjects, 14 raters, 5 labels; rows are sorted"
    ),
    _published(
        "shrout_fleiss_1979",
        "6x4",
        "Shrout & Fleiss 1979",
        "6 targets, 4 judges, scores from 1 to 10",
        ordered=True,
        scores=True,
    ),
    _published(
        "irr_anxiety",
        "anxiety",
        "R irr, anxiety",
        "20 subjects, 3 raters, scores from 1 to 6",
        ordered=True,
        scores=True,
    ),
    DataSet(
        id="winnipeg",
        title="Two annotators, ordered labels",
        about="149 patients, 2 neurologists, 4 degrees of certainty of multiple sclerosis (Westlund & Kurland 1953, "
        "Winnipeg patients; MSPatients in R's vcd)",
        labels=(1, 2, 3, 4),
        rows=_crossed([[38, 5, 0, 1], [33, 11, 3, 0], [10, 14, 5, 6], [3, 7, 3, 10]], (1, 2, 3, 4)),
        ordered=True,
        scores=True,
    ),
    DataSet(
        id="uneven",
        title="Two annotators, numbers unevenly spaced",
        about="20 items, 2 annotators, the labels 0, 1, 2 and 5: a step is not always 1",
        labels=(0, 1, 2, 5),
        rows=_crossed([[4, 1, 0, 0], [1, 3, 1, 0], [0, 1, 3, 1], [0, 0, 2, 3]], (0, 1, 2, 5)),
        ordered=True,
        every_weight=True,
        scores=True,
    ),
    DataSet(
        id="words",
        title="Two annotators, ordered words",
        about="12 items, 2 annotators, low < mid < high, which is not the order of the alphabet",
        labels=("low", "mid", "high"),
        rows=_crossed([[3, 1, 0], [1, 2, 1], [0, 1, 3]], ("low", "mid", "high")),
        ordered=True,
    ),
    DataSet(
        id="unused",
        title="Two annotators, a label that nobody used",
        about="14 items, 2 annotators, the labels 1 to 4, of which nobody used 3; packages that can be told of it are told",
        labels=(1, 2, 3, 4),
        rows=_crossed([[4, 1, 0, 0], [1, 3, 0, 1], [0, 0, 0, 0], [0, 1, 0, 3]], (1, 2, 3, 4)),
        ordered=True,
        every_weight=True,
        declared=True,
    ),
    DataSet(
        id="singles",
        title="Two annotators, items with a single label",
        about="16 items, 2 annotators, scores 1 to 3; the first left out two items and the second four",
        labels=(1, 2, 3),
        rows=(
            *_crossed([[3, 1, 0], [0, 3, 1], [0, 0, 2]], (1, 2, 3)),
            (None, 1),
            (None, 3),
            (1, None),
            (1, None),
            (2, None),
            (3, None),
        ),
        ordered=True,
        scores=True,
    ),
    DataSet(
        id="one-label",
        title="One label for everything",
        about="8 items, 2 annotators, all annotations are 1",
        labels=(1,),
        rows=((1, 1),) * 8,
        ordered=True,
        scores=True,
    ),
)


def _answer(case: Case, number: float, decimals: int, **changes: Any) -> dict[str, Any]:
    """Write a published number in the form of a package's answer."""
    answer = {
        "via": "",
        "measure": case.measure,
        "options": dict(case.options),
        "category": case.category,
        "quantity": case.quantity,
        "number": number,
        "decimals": decimals,
        "error": None,
    }
    if case.measure == "light-kappa":
        answer |= {"measure": "cohen-kappa", "options": {"average": "plain"}}
    return answer | changes


def published() -> Iterator[dict[str, Any]]:
    """Yield the numbers in the oracles that a paper or a package of R printed, in the form of packages' answers."""
    for data in TABLES:
        name, _, key = data.id.partition("/")
        if not key:
            continue
        # The digits of irrCAC about Krippendorff's table are kept with those of its own.
        places = [(name, key)] + ([("gwet_2014", "raw4raters")] if key == "4x12" else [])
        for case in (case for place, table_id in places for case in load(place) if case.table.id == table_id):
            if case.basis != "published" or case.quantity == "p":
                continue
            package, _, version = _origin(case.source).partition(" = ")
            decimals = _decimals(case.tolerance)
            here = {"table": data.id, "package": package, "version": version}
            if case.quantity == "z0":
                value = next(one.value for one in load(name) if one.measure == case.measure and one.basis == "exact")
                yield {
                    **here,
                    **_answer(case, value / case.value, 7, via="value / z", quantity="standard-error"),
                }
            else:
                yield {**here, **_answer(case, case.value, decimals)}
    yield from _intervals_of_anxiety()


def _origin(source: str) -> str:
    """Say which package of R a number is from, or that it is from a paper: "name = version"."""
    found = re.match(r"(R (?:package )?\w+) ([\d.]+\d)", source)
    return f"{found[1].replace('package ', '')} = {found[2]}" if found else "paper = "


def _decimals(tolerance: float) -> int:
    """Count the decimals that were printed."""
    return next(n for n in range(20) if half_a_unit(f"{1:.{n}f}") <= tolerance * (1 + 1e-9))


def _intervals_of_anxiety() -> Iterator[dict[str, Any]]:
    """Yield the intervals of R irr that stand in a note."""
    (content,) = json.loads((ORACLES / "irr_anxiety.json").read_text(encoding="utf-8"))["tables"]
    case = load("irr_anxiety")[0]
    for model, low, high in re.findall(r"icc(\d) \[(-?[.\d]+),(-?[.\d]+)\]", content["note"]):
        for quantity, printed in (("low", low), ("high", high)):
            number = _answer(case, float(printed), 5, options={"form": f"{model},1"}, quantity=quantity)
            yield {"table": "irr_anxiety/anxiety", "package": "R irr", "version": "0.84.1", **number}
