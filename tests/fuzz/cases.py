"""A number is a case: a command line, a relation between measurements, or requests to the page."""

from __future__ import annotations

import os
import traceback
from pathlib import Path

from tests.fuzz.pages import asked
from tests.fuzz.relations import relations
from tests.fuzz.runs import Hangs, case_of, charts_of, check, limited

__all__ = ["failure_of", "kind_of"]

#: Of ten numbers the others are command lines.
KINDS = {7: "relations", 9: "pages"}


def kind_of(number: int) -> str:
    """Return what a number is a case of."""
    return KINDS.get(number % 10, "commands")


def failure_of(number: int, folder: Path) -> str | None:
    """Run the case of a number and return what does not hold, with the case in words; None if all holds."""
    kind = kind_of(number)
    if kind == "commands":
        with charts_of(number):
            found = check(case_of(number), folder)
        return None if found is None else str(found)
    told, wrong = "", None
    os.environ["ASSENT_DEBUG"] = "1"
    try:
        with limited(), charts_of(number):
            told, wrong = (relations if kind == "relations" else asked)(number)
    except Hangs:
        wrong = "did not end in time"
    except Exception:
        wrong = traceback.format_exc()
    finally:
        del os.environ["ASSENT_DEBUG"]
    return f"{kind} {number}: {told}\n{wrong}" if wrong else None
