"""Decisions on disputed items: every one is kept as soon as it is made, in a file if one was named."""

from __future__ import annotations

import csv
import hashlib
import io
import os
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from assent.analyses.items import ItemAgreement, items
from assent.analyses.items.agreement import who_gave
from assent.atomic_files import table_text, write_table
from assent.data import Annotations
from assent.data.dataset import kind_in_words
from assent.errors import InputError, OptionError, UnsuitableData
from assent.limits import LISTED_ITEMS, WEB_NAME
from assent.text import shown
from assent.web import work
from assent.web.sessions import Session
from assent.web.states import State

__all__ = ["Decisions"]

COLUMNS = ("item", "label", "decided")


class Decisions:
    """What was decided.

    Parameters
    ----------
    path : str, optional
        CSV file that the decisions of the data named on the command line are written to, whole, after each; what it holds already is
        gone on with.
    """

    def __init__(self, path: str | None = None) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._mine: str | None = None
        #: What the file holds, as far as it is known.
        self._read = _read(path) if path is not None and os.path.exists(path) else {}
        if path is not None:
            # That a file cannot be written is said before anybody has decided anything.
            write_table(path, _columns(self._read))

    def own(self, session: Session) -> None:
        """Write the decisions of this session to the file."""
        self._mine = session.name
        session.decisions |= self._read

    def disputed(self, session: Session, state: State) -> dict[str, Any]:
        """Return the items on which annotators disagree, with who said what, and what was decided."""
        data = work.data_of(session, state)
        if not isinstance(data, Annotations) or data.kind != "labels":
            raise UnsuitableData(
                f"Decisions are made on items with one label from each annotator, and these are {kind_in_words(data.kind)}: see "
                "`assent items` for where annotators differ."
            )
        text = state.text("text")
        every = items(data, text=text, scale=state.text("scale"))
        assert isinstance(every, ItemAgreement), "these are labels"
        found = every.disputed().head(LISTED_ITEMS)
        given = who_gave(data, found)
        rows = [
            {
                "item": row.item,
                "text": row.text,
                "given": given.get(place, []),
                "counts": list(row.counts.items()),
                "majority": row.majority,
            }
            for place, row in zip(found.chosen.tolist(), found.rows(), strict=True)
        ]
        return {
            "items": rows,
            "more": found.n_matching - len(rows),
            "labels": list(data.labels),
            "decided": [{"item": item, **one} for item, one in self._now(session).items()],
            "key": _fingerprint(session),
            "written": self.path if session.name == self._mine else None,
        }

    def decide(self, session: Session, said: Any) -> dict[str, Any]:
        """Keep some decisions; an empty label takes one back. They are written before it is said that they are kept."""
        given = said.get("decisions") if isinstance(said, Mapping) else None
        if not isinstance(given, list):
            raise OptionError("Decisions are sent as a list with an item and a label each.")
        with self._lock:
            kept = self._now(session)
            for one in given:
                item, label, decided = _checked(one)
                kept.pop(item, None)
                # One that was taken back is remembered, so that a window which still has it does not bring it back.
                kept[item] = {"label": label, "decided": decided}
            if session.name == self._mine and self.path is not None:
                write_table(self.path, _columns(kept))
                self._read = _made(kept)
            session.decisions = kept
        return {"decided": len(_made(kept)), "written": self.path if session.name == self._mine else None}

    def _now(self, session: Session) -> dict[str, dict[str, str]]:
        return session.decisions | (self._changed() if session.name == self._mine else {})

    def _changed(self) -> dict[str, dict[str, str]]:
        """Return what somebody else has changed in the file since it was written, such as a second server; a line that is gone has no label."""
        found = _read(self.path) if self.path is not None and os.path.exists(self.path) else self._read
        gone = {item: {**one, "label": ""} for item, one in self._read.items() if item not in found}
        return gone | {item: one for item, one in found.items() if one != self._read.get(item)}

    def table(self, session: Session) -> str:
        """Return the decisions as CSV."""
        return table_text(_columns(self._now(session)), "csv")


def _made(kept: Mapping[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """Return the decisions that were not taken back."""
    return {item: one for item, one in kept.items() if one["label"]}


def _columns(kept: Mapping[str, dict[str, str]]) -> dict[str, list[str]]:
    made = _made(kept)
    return {
        "item": list(made),
        "label": [one["label"] for one in made.values()],
        "decided": [one["decided"] for one in made.values()],
    }


def _checked(one: Any) -> tuple[str, str, str]:
    said = [one.get(name, "") if isinstance(one, Mapping) else None for name in COLUMNS]
    item, label, decided = said
    if not isinstance(item, str) or not item or not isinstance(label, str) or not isinstance(decided, str):
        raise OptionError("A decision is an item and a label, both texts.")
    if max(len(item), len(label), len(decided)) > WEB_NAME:
        raise OptionError(f"A name of a decision is longer than {WEB_NAME:,} characters.")
    return item, label, decided or datetime.now(UTC).isoformat(timespec="seconds")


def _read(path: str) -> dict[str, dict[str, str]]:
    """Read decisions that were written before."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            table = csv.DictReader(io.StringIO(file.read()))
            rows = list(table)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{shown(path, 200)} cannot be read: {error}.") from None
    if not {"item", "label"} <= set(table.fieldnames or COLUMNS) <= set(COLUMNS):
        raise InputError(
            f"{shown(path, 200)} holds no decisions: its columns must be item, label and decided. Name another file."
        )
    return {row["item"]: {"label": row["label"], "decided": row.get("decided") or ""} for row in rows if row["label"]}


def _fingerprint(session: Session) -> str:
    """Return what tells these data from others, so that a browser finds its decisions again after a restart."""
    made = hashlib.sha256()
    for one in session.files:
        # A file of this machine is known by its place: two studies may well have a labels.csv each.
        name = one.name if one.path is None else os.path.realpath(one.path)
        made.update(name.encode("utf-8", "surrogateescape") + b"\0" + hashlib.sha256(one.content).digest())
    return made.hexdigest()[:32]
