"""Records: made in C, told to programmers as the standard library's are."""

from __future__ import annotations

import inspect
import pydoc
from pathlib import Path

import pytest

import assent
from assent.records import Brief, Record, Struct

SOURCE = Path(assent.__file__).parent
RECORDS = [name for name in assent.__all__ if inspect.isclass(one := getattr(assent, name)) and issubclass(one, Struct)]


class Point(Record, frozen=True):
    across: int
    up: Unknown = 2  # type: ignore[name-defined]  # noqa: F821


class Named(Point, Brief, frozen=True, kw_only=True):
    n_items: int
    data: object = None


def test_a_record_tells_what_it_takes_without_looking_types_up():
    assert (
        str(inspect.signature(Named)) == "(across: 'int', up: 'Unknown' = 2, *, n_items: 'int', data: 'object' = None)"
    )


@pytest.mark.parametrize("name", RECORDS)
def test_every_public_record_has_help_and_a_signature(name):
    record = getattr(assent, name)
    assert list(inspect.signature(record).parameters) == list(record.__struct_fields__)
    assert name in pydoc.render_doc(record)


def test_there_are_public_records():
    assert len(RECORDS) > 15


def test_fields_are_the_json_and_cannot_be_changed():
    made = Named(1, n_items=3)
    assert made.to_dict() == {"across": 1, "up": 2, "items": 3, "data": None}
    with pytest.raises(AttributeError, match="immutable"):
        made.up = 3


def test_what_is_long_is_left_out_of_a_repr():
    class Held(Brief, Struct, frozen=True):
        few: tuple[int, ...]
        many: tuple[int, ...]
        deep: object
        by_name: dict[str, float]
        _own: int

    made = Held((1, 2), tuple(range(21)), object(), {"a": 0.5}, 1)
    assert repr(made) == "Held(few=(1, 2), by_name={'a': 0.5})"
    assert "object at" not in repr(assent.krippendorff_alpha([["a", "a"], ["a", "b"]]))


def test_there_is_one_kind_of_record():
    assert [path.name for path in SOURCE.rglob("*.py") if "import dataclass" in path.read_text(encoding="utf-8")] == []
