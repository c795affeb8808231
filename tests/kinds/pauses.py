"""A third kind of data, to show that the house takes one without an edit: where annotators hear pauses in a recording.

An item is a recording; each annotator marks seconds in which they hear a pause. Two marks within a second of each other are
the same pause.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from itertools import combinations
from typing import Annotated, Any, Literal, Self

import numpy as np
from msgspec.structs import replace

from assent.data import Dataset, Dropped
from assent.measures import Components
from assent.measures.registry import MEASURES, Measure, measure
from assent.profiles import Profiles, Sums
from assent.readers.kinds import OTHER_LAYOUTS, layout
from assent.readers.overrides import Overrides
from assent.readers.tables import Table
from assent.records import Struct
from assent.references import REFERENCES, Reference
from assent.registry import Takes

#: recording -> annotator -> seconds
Marks = dict[str, dict[str, tuple[int, ...]]]


class Pauses(Dataset, Struct, frozen=True, kw_only=True, eq=False):
    """Pauses that annotators heard in recordings."""

    marks: Marks
    annotators: tuple[str, ...]
    unit: str = "items"
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        return ("pauses",)

    @property
    def n_items(self) -> int:
        return len(self.marks)

    @property
    def n_annotations(self) -> int:  # type: ignore[override]
        return sum(len(heard) for heard in self.marks.values())

    def profiles(self, form: type[Profiles], **options: Any) -> Sums:
        rows = [_terms(heard, options["within"]) for heard in self.marks.values()]
        distinct, inverse = np.unique(np.asarray(rows), axis=0, return_inverse=True)
        return Sums(
            multiplicities=np.bincount(inverse.ravel()),
            columns=("matched", "marked"),
            terms=distinct[:, :2],
            annotators=distinct[:, 2],
        )

    def without_annotators(self, names: Collection[str]) -> Self:
        kept = tuple(name for name in self.annotators if name not in names)
        marks = {item: {who: at for who, at in heard.items() if who in kept} for item, heard in self.marks.items()}
        return replace(self, marks={item: heard for item, heard in marks.items() if heard}, annotators=kept)

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "items": self.n_items,
            "annotators": len(self.annotators),
            "annotations": self.n_annotations,
            "layout": "pauses",
            "dropped": [],
            "notes": list(self.notes),
        }


def _terms(heard: dict[str, tuple[int, ...]], within: int) -> tuple[int, int, int]:
    """Return over all pairs of annotators how many marks are matched, how many there are; and how many annotators."""
    matched = marked = 0
    for first, second in combinations(heard.values(), 2):
        found = sum(any(abs(a - b) <= within for b in second) for a in first)
        matched += 2 * min(found, len(second))
        marked += len(first) + len(second)
    return matched, marked, len(heard)


def _whole(value: Any) -> int:
    return int(value)


def pause_match(
    items: Sums,
    *,
    within: Annotated[int, Takes(help="Seconds.", values="whole number", check=_whole)] = 1,
    counting: Annotated[Literal["both", "either"], Takes(help="Which marks count.")] = "both",
) -> Components:
    """Share of the marks of two annotators that both made.

    When to use
    -----------
    Pauses.
    """
    return Components(observed=items["matched"] / items["marked"])


def read_pauses(table: Table, said: Overrides) -> Pauses:
    """Take rows of item, annotator and second."""
    frame = table.frame.lazy().collect()
    marks: Marks = {}
    columns = (said.item or "item", said.annotator or "annotator", said.label or "second")
    for item, who, second in frame.select(columns).iter_rows():
        heard = marks.setdefault(str(item), {})
        heard[str(who)] = (*heard.get(str(who), ()), int(second))
    who_all = sorted({who for heard in marks.values() for who in heard})
    return Pauses(marks=marks, annotators=tuple(who_all), notes=("Read as pauses.",))


def register() -> Measure:
    """Make the kind known: its measure and its layout."""
    # Options of measures are read when the command is imported.
    sys.modules.pop("assent.cli.measure", None)
    layout("pauses")(read_pauses)
    return measure(
        title="Share of matched pauses",
        kind="pauses",
        profiles=Sums,
        chance_corrected=False,
        references=[Reference("Doe, J.", 2020, "On pauses", "A journal", "https://example.org/pauses")],
    )(pause_match)


def forget() -> None:
    """Take it back, for the tests that come after."""
    MEASURES.forget("pause-match")
    sys.modules.pop("assent.cli.measure", None)
    OTHER_LAYOUTS.forget("pauses")
    REFERENCES.pop("doe2020")
    sys.modules["assent"].__dict__.pop("pause_match", None)
