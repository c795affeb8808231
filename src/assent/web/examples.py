"""Examples as uploads, so that they are shown, read and changed as any other file is."""

from __future__ import annotations

from typing import Any

from assent.examples import EXAMPLES, Example, example
from assent.web.sessions import Upload
from assent.web.states import State

__all__ = ["SHOWN", "files_of"]

#: Examples that the page offers: all that a report can be made of, which runs of a judge are not. The one with something of everything is first.
SHOWN: tuple[Example, ...] = tuple(
    sorted((one for one in EXAMPLES.values() if one.name != "runs"), key=lambda one: one.name != "story")
)


def files_of(name: str) -> dict[str, Any]:
    """Return an example as the parts of a session: its file, and the options that it is shown with."""
    found = example(name)
    order = {"order": found.options["order"]} if "order" in found.options else {}
    said = {key: _text(value) for key, value in {**found.settings, **order, **found.reading}.items()}
    upload = Upload(f"{name}.csv", found.file().getvalue())
    return {"files": [upload], "settings": State(tuple(said.items())).query, "example": name}


def _text(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
