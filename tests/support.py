"""What keeps a test from passing on nothing, a loop over no cases checks none, and what tests of many folders share."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock

import pytest
import typer
from hypothesis import settings

from assent import Measure, all_measures
from assent.cli import app
from assent.cli.completion import unfinished

Thing = TypeVar("Thing")

#: Data beside the repository that may not be copied into it; tests look at them where they are there.
BESIDE = Path(__file__).resolve().parents[2] / "shared"

ENGINES = ("polars", "polars-lazy", "pandas", "pyarrow", "duckdb", "pyspark", "ibis")

PROGRAM = app.program

#: Random examples of a property, but of one that takes longer than most, in `make test`.
EXAMPLES = 30

#: How many cases each search for them found in the test that runs; `conftest` fails a test that only found none.
SEARCHES: list[int] = []


def label_measures() -> dict[str, Measure]:
    """Return the coefficients of labels by name: most checks that all of them have in common are about these."""
    return {name: one for name, one in all_measures().items() if one.kind == "labels"}


@functools.cache
def parser(wanted: str | None = None) -> Any:
    """Return the program with its parser, which takes as long to make as a small table to measure."""
    return typer.main.get_command(PROGRAM(wanted))


def run(arguments: Sequence[str]) -> None:
    """Run `assent` in this process, with a parser that is kept unless the run changes it or depends on the environment."""
    if "--help-all" in arguments or unfinished() is not None:
        app.run([*arguments])
        return
    with mock.patch.object(app, "program", parser):
        app.run([*arguments], make=parser)


def link(path: Path, target: Path) -> None:
    """Make a symbolic link, or skip the test where this user may not: on Windows few may."""
    try:
        path.symlink_to(target)
    except OSError as error:
        pytest.skip(f"no link can be made: {error}")


def on_engines(things: Iterable[Any], always: Collection[Any]) -> list[Any]:
    """Return every engine with every thing; outside the nightly run only Polars and DuckDB, on which others are built or like, have all."""
    return [
        pytest.param(
            engine,
            thing,
            marks=[] if thing in always or engine in ("polars", "polars-lazy", "duckdb") else [pytest.mark.nightly],
        )
        for engine in ENGINES
        for thing in things
    ]


def every(step: int, things: Iterable[Any]) -> list[Any]:
    """Return rows of a test: the first of each `step` always, the others in the nightly run, because all of them take seconds."""
    return [
        thing
        if place % step == 0
        else pytest.param(*(thing if isinstance(thing, tuple) else (thing,)), marks=pytest.mark.nightly)
        for place, thing in enumerate(things)
    ]


def examples(few: int) -> int:
    """Return how many random examples a property has that takes longer than most: so few, and as many times more in a thorough run as all have."""
    return few * settings().max_examples // EXAMPLES


def some(things: Iterable[Thing]) -> list[Thing]:
    """Return what a loop is to check; that there is nothing to check is a failure."""
    found = list(things)
    assert found, "there is nothing to check"
    return found


def searched(found: int) -> None:
    """Say how many cases a search found: none is well for one random table, but not for all of a test."""
    SEARCHES.append(found)
