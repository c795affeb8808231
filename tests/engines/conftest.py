from __future__ import annotations

from collections.abc import Iterator
from unittest import mock

import pytest


@pytest.fixture(autouse=True, scope="module")
def in_the_engine(request: pytest.FixtureRequest) -> Iterator[None]:
    """Have the small tables of these tests counted as large ones are; test_few.py compares the two."""
    if request.module.__name__.endswith("test_few"):
        yield
        return
    with mock.patch("assent.engines.few.FEW", -1):
        yield
