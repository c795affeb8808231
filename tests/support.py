"""What keeps a test from passing on nothing: a loop over no cases checks none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from assent import Measure, all_measures

Thing = TypeVar("Thing")

#: How many cases each search for them found in the test that runs; `conftest` fails a test that only found none.
SEARCHES: list[int] = []


def label_measures() -> dict[str, Measure]:
    """Return the coefficients of labels by name: most checks that all of them have in common are about these."""
    return {name: one for name, one in all_measures().items() if one.kind == "labels"}


def some(things: Iterable[Thing]) -> list[Thing]:
    """Return what a loop is to check; that there is nothing to check is a failure."""
    found = list(things)
    assert found, "there is nothing to check"
    return found


def searched(found: int) -> None:
    """Say how many cases a search found: none is well for one random table, but not for all of a test."""
    SEARCHES.append(found)
