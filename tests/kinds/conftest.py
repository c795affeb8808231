"""The third kind is known while its own tests run, and to no others."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from assent.measures.registry import MEASURES
from assent.readers.kinds import OTHER_LAYOUTS
from assent.references import REFERENCES


@pytest.fixture(scope="module")
def pauses() -> Iterator[ModuleType]:
    sys.modules.pop("tests.kinds.pauses", None)
    yield importlib.import_module("tests.kinds.pauses")
    MEASURES.forget("pause-match")
    OTHER_LAYOUTS.forget("pauses")
    REFERENCES.pop("doe2020")
    sys.modules["assent"].__dict__.pop("pause_match", None)
