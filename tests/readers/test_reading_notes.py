"""Notes on how a table was read keep their parts, also when data are copied or sent to another process."""

from __future__ import annotations

import copy
import io
import pickle

import pytest

from assent.data.reading_notes import ReadingNote, reading_of
from assent.errors import AssentError
from assent.readers import read


def test_parts_survive_copies() -> None:
    note = ReadingNote("Read as wide", "`item`", code="table")
    for same in (copy.copy(note), copy.deepcopy(note), pickle.loads(pickle.dumps(note))):
        assert (same, same.what, same.change, same.code) == (note, "Read as wide", "`item`", "table")
    assert reading_of(["Read as something by a sentence (say so)."]) == ""


def test_errors_say_what_was_read_without_the_options() -> None:
    table = "item,annotator,label\n1,x,a\n1,x,b\n2,x,a\n3,y,b\n"
    with pytest.raises(AssentError) as raised:
        read(io.BytesIO(table.encode()), format="csv")
    assert '(read as long: item = "item", annotator = "annotator", label = "label")' in str(raised.value)
    assert "to change this" not in str(raised.value)
