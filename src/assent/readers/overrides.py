"""What the user said about a table, and which layout follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import field

from assent.errors import OptionError, UnknownColumn, did_you_mean
from assent.readers.span_options import SpanOptions
from assent.records import Struct
from assent.text import counted, shown

__all__ = ["LAYOUTS", "Layout", "Overrides"]

Layout: TypeAlias = Literal["long", "wide", "counts", "table"]
LAYOUTS: tuple[Layout, ...] = ("long", "wide", "counts", "table")


class Overrides(Struct, frozen=True, kw_only=True):
    """What the user said about the table; None is for the table to show."""

    layout: str | None = None
    item: str | None = None
    annotator: str | None = None
    label: str | None = None
    annotators: tuple[str, ...] | None = None
    cluster: str | None = None
    counts: tuple[str, ...] = ()
    """Columns that hold counts, one a label; empty if the table is to show them."""
    transpose: bool = False
    spans: SpanOptions = field(default_factory=SpanOptions)
    roles: Mapping[str, str] = field(default_factory=dict)
    """Columns of other kinds of data, by their role: object, rank, score, left, right, winner, …"""

    @property
    def columns(self) -> set[str]:
        """The columns that were said to be something."""
        roles = (self.item, self.annotator, self.label, self.cluster, *(self.annotators or ()), *self.counts)
        return {name for name in roles if name is not None}

    def check(self, columns: Sequence[str]) -> Layout | None:
        """Return the layout that was said or follows from the columns that were; refuse what does not fit."""
        roles = {"item": self.item, "annotator": self.annotator, "label": self.label, "cluster": self.cluster}
        said = [(role, name) for role, name in roles.items() if name is not None]
        said += [("annotators", name) for name in self.annotators or ()]
        said += [("labels", name) for name in self.counts]
        for role, name in said:
            if name not in columns:
                raise UnknownColumn(
                    f"`{role}` names the column {shown(name)}, which the table does not have; {did_you_mean(name, columns)}"
                )
        taken: dict[str, str] = {}
        for role, name in said:
            # Clusters of one item each are the items themselves, so these two may share a column.
            if name in taken and {role, taken[name]} != {"item", "cluster"}:
                raise OptionError(
                    f"`{role}` and `{taken[name]}` both name the column {shown(name)}; each needs its own."
                )
            taken[name] = role
        if self.annotators is not None and len(self.annotators) < 2:
            raise OptionError(
                f"`annotators` names {counted(len(self.annotators), 'column')}; agreement needs at least two."
            )
        return self._layout()

    def _layout(self) -> Layout | None:
        given = {
            "annotator": self.annotator is not None,
            "label": self.label is not None,
            "annotators": self.annotators is not None,
            "cluster": self.cluster is not None,
            "transpose": self.transpose,
        }
        long = given["label"] or (given["annotator"] and not self.transpose)
        wide = given["annotators"] or given["transpose"]
        layout: Layout | None = "wide" if wide else "long" if long else None
        if self.layout is not None:
            layout = self.layout  # type: ignore[assignment]
        fitting = {
            "long": {"annotator", "label", "cluster"},
            "wide": {"annotator", "transpose"} if self.transpose else {"annotators", "cluster"},
            "counts": set[str](),
            "table": set[str](),
            None: {"cluster"},
        }[layout]
        wrong = [option for option, present in given.items() if present and option not in fitting]
        if wrong:
            shape = f"{layout} table" + (" whose rows are annotators" if self.transpose else "")
            raise OptionError(f"`{wrong[0]}` does not fit a {shape}; leave one of the two out.")
        if self.item is not None and (self.transpose or layout == "table"):
            raise OptionError("`item` does not fit a table without an item column; leave it out.")
        return layout
