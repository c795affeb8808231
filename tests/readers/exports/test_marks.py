"""Plain tables are told from exports by their first lines: whatever a tool exports must carry one of the marks."""

from __future__ import annotations

from pathlib import Path

from tests.support import some

from assent.readers.exports import Source, recognise
from assent.readers.exports.google_forms import _TIME
from assent.readers.from_exports import MARKS

CASES = Path(__file__).parent / "cases"


def test_every_delimited_export_carries_a_mark() -> None:
    found = [path for path in CASES.rglob("*") if path.suffix in (".csv", ".tsv")]
    exports = [path for path in found if recognise(Source.of(path)) is not None]
    for path in some(exports):
        start = path.read_text("utf-8-sig")[:65536].lower()
        # A file that begins so is looked at in any case.
        assert start.startswith("#") or any(mark in start for mark in MARKS), path


def test_forms_of_every_language_carry_one() -> None:
    assert {word for word in _TIME if not any(mark in word for mark in MARKS)} == set()
