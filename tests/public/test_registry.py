"""A name is registered once, and a work is cited that is there."""

from __future__ import annotations

import pytest

from assent.errors import OptionError
from assent.references import cite
from assent.registry import Registry


@pytest.fixture
def registry() -> Registry[int]:
    made: Registry[int] = Registry("measure", "assent.measures", "assent.measures")
    made.add("first", 1, ["One"])
    return made


@pytest.mark.parametrize(
    ("name", "aliases"),
    [("first", []), ("one", []), ("second", ["first"]), ("second", ["ONE"]), ("second", ["x", "one"])],
)
def test_a_name_that_is_taken_is_refused(registry: Registry[int], name: str, aliases: list[str]) -> None:
    with pytest.raises(OptionError, match='There is a measure "first" that is known as'):
        registry.add(name, 2, aliases)
    assert registry.known() == {"first": 1}


def test_a_name_can_be_taken_back(registry: Registry[int]) -> None:
    registry.forget("first")
    registry.add("one", 2, ["first"])
    assert registry.known() == {"one": 2}


def test_a_work_that_nobody_knows_is_refused() -> None:
    with pytest.raises(OptionError, match='There is no reference "cohen1961": did you mean "cohen19'):
        cite("cohen1961")
