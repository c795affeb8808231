"""Examples are read on the local page as the command line reads them."""

from __future__ import annotations

import pytest

import assent
from assent.examples import EXAMPLES, example
from assent.web.examples import SHOWN, files_of


@pytest.mark.parametrize("name", [one.name for one in SHOWN])
def test_an_example_is_a_file_of_the_page(name: str) -> None:
    made = files_of(name)
    (upload,) = made["files"]
    found = example(name)
    data = assent.read(upload.opened(), **found.reading)
    assert data.n_annotations == found.data().n_annotations
    for key in found.reading:
        assert f"{key}=" in made["settings"]


def test_nearly_all_are_offered() -> None:
    assert set(EXAMPLES) - {one.name for one in SHOWN} == {"runs"}
