"""The third kind is known while its own tests run, and to no others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.kinds import pauses

from assent import Measure


@pytest.fixture(scope="module")
def pause_match() -> Iterator[Measure]:
    yield pauses.register()
    pauses.forget()
