"""Tables and cards cut to what there is room for."""

from __future__ import annotations

import pytest
from tests.documents.samples import numbers_table

from assent.documents.blocks import (
    Card,
    Cards,
    Cell,
    Column,
    Table,
    count,
    crossed,
    joined,
    name,
    names,
    table_of,
    words,
)
from assent.documents.cut import cell_text, fitted, fitted_cards, lines
from assent.limits import TERMINAL


@pytest.mark.parametrize("total", [False, True])
@pytest.mark.parametrize("rows", [0, 1, 19, 20, 21, 10_000])
def test_rows(rows: int, total: bool) -> None:
    table = numbers_table(rows=rows, total=total)
    shown = fitted(table, TERMINAL)
    assert len(shown.rows) == min(rows + total, 20)
    hidden = rows + total - len(shown.rows)
    assert shown.more == {0: "", 1: "1 more row is left out here."}.get(
        hidden, f"{hidden:,} more rows are left out here."
    )
    if total:
        assert shown.rows[-1] == table.rows[-1]
    assert len(fitted(table, TERMINAL, rows=5).rows) == min(rows + total, 5)
    assert len(fitted(table, TERMINAL, rows=0).rows) <= 1


def test_columns_of_names_are_cut_and_sums_stay() -> None:
    square = crossed(
        table="t",
        caption="",
        corner="Label",
        rows=[name("a")],
        columns=[name(f"label {i}") for i in range(30)],
        cells=[[count(i) for i in range(30)]],
    )
    with_sum = Table("t", "", [*square.columns, Column("All")], [[*square.rows[0], count(435)]], more="Some are rare.")
    shown = fitted(with_sum, TERMINAL)
    assert [column.title for column in shown.columns] == ["Label", *(f"label {i}" for i in range(12)), "All"]
    assert [cell.text for cell in shown.rows[0]] == ["a", *map(str, range(12)), "435"]
    assert shown.more == "Some are rare. 18 more columns are left out here."


def test_cards() -> None:
    cards = Cards([Card(str(i), []) for i in range(25)])
    shown, more = fitted_cards(cards, TERMINAL)
    assert [card.title for card in shown] == [str(i) for i in range(10)]
    assert more == "15 more are left out here."
    assert fitted_cards(Cards(cards.cards[:11]), TERMINAL) == (cards.cards[:11], "")


def test_a_cell_as_one_line() -> None:
    assert cell_text(words("low", mark="!"), TERMINAL) == "low (!)"
    assert cell_text(joined("a", "or", "b"), TERMINAL) == "a or b"
    assert cell_text(names([("a", "2"), ("b", "")]), TERMINAL) == "a 2, b"
    assert cell_text(names([(i, "") for i in range(1003)]), TERMINAL) == "0, 1, 2, 3, 999 more"
    assert cell_text(Cell(parts=[("a", "")], mark="new"), TERMINAL) == "a (new)"


def test_lines_of_a_text() -> None:
    assert lines("a\r\n\n b\x0bc\n\n") == ["a", "", " b\x0bc"]


def test_a_column_that_says_nothing_is_left_out() -> None:
    fields = [
        (Column("Name", "name"), lambda row: name(row)),
        (Column("Nothing"), lambda row: count(None)),
        None,
        (Column("Length"), lambda row: count(len(row))),
    ]
    made = table_of("t", "", ["a", "bb"], fields)
    assert [column.title for column in made.columns] == ["Name", "Length"]
    assert [[cell.text for cell in row] for row in made.rows] == [["a", "1"], ["bb", "2"]]
