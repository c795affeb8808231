"""Ranks that each annotator gives once are rankings, whatever the objects are called; other numbers are not."""

from __future__ import annotations

import io
from collections.abc import Sequence
from fractions import Fraction

import pytest

import assent
from assent.data import Annotations
from assent.data.rankings import Rankings
from assent.errors import AssentError

ORDERS = {"ann": "wxyz", "ben": "wyxz", "cem": "xwzy"}


def table(header: str, rows: Sequence[Sequence[object]]) -> object:
    text = "\n".join([header, *(",".join(map(str, row)) for row in rows)])
    return assent.read(io.BytesIO(text.encode()))


def concordance(orders: Sequence[str]) -> float:
    """Return Kendall's W by its definition."""
    m, n = len(orders), len(orders[0])
    sums = [sum(order.index(thing) + 1 for order in orders) for thing in orders[0]]
    squares = sum((one - Fraction(sum(sums), n)) ** 2 for one in sums)
    return float(12 * squares / (m**2 * (n**3 - n)))


@pytest.mark.parametrize(
    "header", ["judge,item,rank", "Gutachter,Antrag,Rang", "annotator,product,place", "jury,vino,puesto"]
)
def test_ranks_that_each_annotator_gives_once(header: str) -> None:
    data = table(header, [(who, thing, k) for who, order in ORDERS.items() for k, thing in enumerate(order, 1)])
    assert isinstance(data, Rankings)
    assert set(data.annotators) == {*ORDERS}
    assert assent.kendall_w(data).value == pytest.approx(concordance([*ORDERS.values()]))


@pytest.mark.parametrize("lists", ["query", "category", "round"])
def test_ranks_of_several_lists(lists: str) -> None:
    rows = [
        (which, who, f"{which}{thing}", k)
        for which in ("a", "b")
        for who, order in ORDERS.items()
        for k, thing in enumerate(order, 1)
    ]
    data = table(f"{lists},judge,film,rank", rows)
    assert isinstance(data, Rankings)
    assert data.n_items == 2
    assert assent.kendall_w(data).value == pytest.approx(concordance([*ORDERS.values()]))


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        # Two in the same place.
        ("judge,item,rank", [(who, thing, min(k, 3)) for who, o in ORDERS.items() for k, thing in enumerate(o, 1)]),
        # No place is the first.
        ("judge,item,rank", [(who, thing, k) for who, o in ORDERS.items() for k, thing in enumerate(o, 2)]),
        # Grades in halves.
        ("judge,item,rank", [(who, thing, k / 2) for who, o in ORDERS.items() for k, thing in enumerate(o, 1)]),
        # Two objects are put in order by chance.
        ("judge,item,rank", [(who, thing, k) for who in ORDERS for k, thing in enumerate("wx", 1)]),
        # One annotator alone.
        ("judge,item,rank", [("ann", thing, k) for k, thing in enumerate("wxyz", 1)]),
        # Labels beside the place at which each was shown.
        ("judge,item,rank,label", [(who, t, k, "yn"[k % 2]) for who, o in ORDERS.items() for k, t in enumerate(o, 1)]),
    ],
)  # fmt: skip
def test_other_numbers_are_no_rankings(header: str, rows: Sequence[Sequence[object]]) -> None:
    try:
        data = table(header, rows)
    except AssentError:
        return
    assert isinstance(data, Annotations)


@pytest.mark.parametrize("name", ["0", "rows", "places", "who", "place", "^.*$"])
def test_columns_of_any_name_beside_ranks(name: str) -> None:
    rows = [(k, who, thing, "r1") for who, order in ORDERS.items() for k, thing in enumerate(order, 1)]
    data = table(f"rank,judge,film,{name}", rows)
    assert isinstance(data, Rankings)
    assert assent.kendall_w(data).value == pytest.approx(concordance([*ORDERS.values()]))
