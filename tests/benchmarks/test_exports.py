"""Reading an export stays cheap: how many calls of Python it takes for each annotation, in every form that is timed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from benchmarks.exports import ANNOTATORS, FORMS
from tests.support import every

from assent.readers.exports import read_export

#: Calls for each annotation, which a row that becomes objects of its own would exceed; CPU time is no business of a test.
MOST = {"Prodigy": 24, "doccano": 27, "Label Studio JSON": 14, "MTurk": 14, "Toloka": 13, "WebAnno TSV": 4}
USUAL = 8
#: Of forms that are read by columns: a call for each annotation would be one too many.
COLUMNS = 0.5
BY_COLUMNS = {"Label Studio JSON_MIN", "Le-Wi-Di", "AltTest", "Potato table"}


def calls(where: list[str]) -> int:
    """Count the functions of Python that reading calls, generators each time that they go on."""
    count = 0

    def seen(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        read_export(*where)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("name", every(3, FORMS))
def test_calls_for_each_annotation(name: str, tmp_path: Path) -> None:
    def read(items: int) -> int:
        folder = tmp_path / str(items)
        contents = FORMS[name].write(items)
        for file, content in contents.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(content, encoding="utf-8")
        where = [str(folder / file) for file in contents] if all("/" not in one for one in contents) else [str(folder)]
        return calls(where)

    # What recognition costs is the same for both, and falls out.
    # A form that is read by columns takes few calls, hence more items: first batches cost more than later ones.
    items = 3_000 if name in BY_COLUMNS else 1_000
    # Once in a process modules are loaded.
    read(20)
    few, many = read(items), read(2 * items)
    assert few > 0
    assert (many - few) / (items * ANNOTATORS) <= (COLUMNS if name in BY_COLUMNS else MOST.get(name, USUAL))
