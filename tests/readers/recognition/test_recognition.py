"""Every table is read rightly or refused; a misreading is a failure, a refusal of what could be read is counted."""

from __future__ import annotations

import functools
import io

import pytest
from tests.readers.recognition.fresh_tables import FRESH
from tests.readers.recognition.fresh_tables_again import AGAIN
from tests.readers.recognition.recognition_tables import CASES as WRITTEN
from tests.readers.recognition.recognition_tables import Case
from tests.support import some

from assent.data import Annotations
from assent.errors import AssentError
from assent.readers import read

CASES = [*WRITTEN, *FRESH, *AGAIN]
#: Tables that have one right reading and are refused nevertheless: the price of never misreading one. It may only fall.
MOST_REFUSED = 1


def reading(data: Annotations) -> str:
    """Say how a table was read, from what it became and what was said about it."""
    note = next((note for note in data.notes if note.startswith("Read as")), "")
    if data.layout == "counts":
        names = note.split("each of ")[1].split(" a label with")[0]
        return "counts " + ",".join(one.strip().strip('"') for one in names.split('", "'))
    if data.layout not in ("long", "wide", "counts", "table"):
        # Another kind of data; the note says what each column is.
        return f"{data.layout} " + "/".join(part.split('"')[0] for part in note.split('= "')[1:])
    if data.layout == "table":
        return "table " + ",".join(data.labels)
    if note.startswith("Read as one column a label"):
        return "sets " + "/".join(note.split(f"{role} = ")[1].split('"')[1] for role in ("item", "annotator"))
    if data.layout == "long":
        roles = (note.split(f"{role} = ")[1].split('"')[1] for role in ("item", "annotator", "label"))
        return "long " + "/".join(roles)
    if note.startswith("Read as wide with a row for each annotator"):
        return "transposed " + ",".join(sorted(data.annotators or ()))
    return "wide " + ",".join(data.annotators or ())


def normal(expected: str) -> str:
    """Return a reading with annotators in the order in which they are listed."""
    layout, _, names = expected.partition(" ")
    return f"{layout} {','.join(sorted(names.split(',')))}" if layout in ("wide", "transposed", "counts") else expected


def right(case: Case) -> list[str]:
    """Return the readings that are right; of some tables there are two."""
    return [normal(one) for one in case.expected.split(" or ")]


def table(content: str) -> Annotations:
    """Read a table as one, although a tool may have written it: what tools write is recognised before, and tested elsewhere."""
    return read(io.BytesIO(content.encode()), format="jsonl" if content.startswith("{") else "csv")


@functools.cache
def outcome(case: Case) -> str:
    try:
        return reading(table(case.content))
    except AssentError:
        return "refused"


def test_there_are_enough() -> None:
    assert len({case.content for case in CASES}) >= 200
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_no_table_is_misread(case: Case) -> None:
    found = outcome(case)
    assert found == "refused" or normal(found) in right(case), f"{case.name} was read as {found}"


def test_few_tables_are_refused_that_could_be_read() -> None:
    refused = [case.name for case in CASES if "refused" not in right(case) and outcome(case) == "refused"]
    assert len(refused) <= MOST_REFUSED, refused


def test_every_refusal_says_what_to_do() -> None:
    for case in some(one for one in CASES if one.expected == "refused"):
        with pytest.raises(AssentError, match=r"--|`"):
            table(case.content)
