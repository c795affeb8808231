"""What a program remembers from one data set to the next tells them apart, cannot be changed from outside, and is never much."""

from __future__ import annotations

from threading import Barrier, Thread

import numpy as np
import polars as pl
import pytest
from tests.support import some

import assent
from assent import Annotations
from assent.data.label_order import FEW_LETTERS, of_few
from assent.records import Struct, cached_property


def test_the_same_labels_with_another_decimal_mark_have_another_order() -> None:
    rows = pl.DataFrame(
        {"item": [1, 1, 2, 2, 3, 3], "annotator": ["a", "b"] * 3, "label": ["10", "2,5", "2,5", "2,5", "1", "10"]}
    )
    labels = [Annotations.from_frame(rows, decimal=mark).labels for mark in (".", ",", ".")]
    assert labels == [("1", "10", "2,5"), ("1", "2,5", "10"), ("1", "10", "2,5")]


def test_values_that_are_equal_are_the_texts_that_they_were() -> None:
    """To a dictionary True is 1 and 1.0."""
    for values, labels in (
        ([1, 0], ("0", "1")),
        ([True, False], ("False", "True")),
        ([1.0, 0.0], ("0", "1")),
        (["1.0", "0"], ("0", "1.0")),
        ([1, 0], ("0", "1")),
    ):
        one, other = values
        assert assent.krippendorff_alpha([[one, other], [other, other], [one, one]]).data.labels == labels


def test_long_texts_are_not_kept() -> None:
    asked: list[tuple[str, ...]] = []
    known = of_few(lambda texts: asked.append(texts) or len(texts))
    for texts in (("a", "b"), ("a" * FEW_LETTERS, "b")):
        assert [known(texts), known(texts)] == [2, 2]
    assert [len(texts[0]) for texts in asked] == [1, FEW_LETTERS, FEW_LETTERS]


@pytest.mark.parametrize("name", ["krippendorff-alpha", "cohen-kappa", "gwet-ac", "icc"])
def test_who_changes_the_arrays_of_a_result_changes_no_other_result(name: str) -> None:
    table = np.array([[1, 1], [2, 2], [1, 2], [2, 2], [1, 1]])
    measure = assent.measures.find(name)
    first = measure(table)
    said = first.to_dict(), str(first.confidence_interval())
    held = [getattr(first.profiles, one) for one in type(first.profiles).__struct_fields__]
    arrays = [one for one in (*held, *vars(first.profiles).values()) if isinstance(one, np.ndarray)]
    for one in some([one for one in arrays if one.flags.writeable]):
        one[...] = 7
    again = measure(table)
    assert (again.to_dict(), str(again.confidence_interval())) == said


def test_two_objects_work_out_their_values_at_the_same_time() -> None:
    """Each waits for the other one, which a lock for all objects of a class, as of Python 3.11, would keep from beginning."""
    both = Barrier(2, timeout=10)

    class Slow(Struct, frozen=True, dict=True):
        number: int

        @cached_property
        def twice(self) -> int:
            """Two times the number."""
            both.wait()
            return 2 * self.number

    objects = [Slow(1), Slow(2)]
    threads = [Thread(target=lambda one=one: one.twice) for one in objects]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [vars(one) for one in objects] == [{"twice": 2}, {"twice": 4}]
    # What is known is not worked out again: nobody would wait with it.
    assert [one.twice for one in objects] == [2, 4]
