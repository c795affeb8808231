"""Subgroups of the annotations by a column: agreement of each, and how much they differ."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any, TypeVar

from msgspec.structs import replace

from assent.analyses.difference import Difference, difference
from assent.analyses.findings.finding import holm
from assent.analyses.group_tests import group_p_value
from assent.data import Annotations
from assent.documents import Document, Result
from assent.documents.blocks import (
    Block,
    Cell,
    Column,
    Figure,
    Heading,
    Section,
    Table,
    between,
    count,
    joined,
    name,
    notes,
    number,
    table_of,
)
from assent.errors import InputError, OptionError
from assent.inference.intervals import normal_interval
from assent.limits import DRAWN_DIFFERENCES, GROUPS_MEASURED, GROUPS_PAIRED
from assent.measures.results import Interval
from assent.records import Record, Struct, plain
from assent.reports.charts.intervals import Row, intervals
from assent.reports.context import Measured, ReportContext, attempt
from assent.reports.sections.coefficients import value_cell
from assent.text import counted, quoted, shown
from assent.text import number as written

__all__ = ["GroupAgreement", "GroupDifference", "GroupGap", "GroupsSection", "groups_section"]

#: How often groups without a difference may be said to differ.
LEVEL = 0.05

T = TypeVar("T")


class GroupGap(Record, frozen=True, kw_only=True):
    """How much two sets of annotations differ.

    Parameters
    ----------
    difference, low, high, standard_error, p_value : float
        NaN if undefined.
    p_corrected : float
        After Holm's correction for all comparisons of a table.
    clear : bool
        It is beyond chance after that correction.
    """

    difference: float
    low: float
    high: float
    standard_error: float
    p_value: float
    p_corrected: float = math.nan
    clear: bool = False

    @property
    def turned(self) -> GroupGap:
        """The same with the second group first."""
        return replace(self, difference=-self.difference, low=-self.high, high=-self.low)


class GroupAgreement(Struct, frozen=True, kw_only=True, eq=False):
    """Agreement within a group.

    Parameters
    ----------
    measured : Measured or None
        None if nothing can be compared.
    rest : Measured or None
        The same of all other annotations together.
    gap : GroupGap or None
        How much the group differs from these.
    why : str
        Why nothing can be compared.
    """

    group: str
    n_items: int
    n_annotations: int
    measured: Measured | None = None
    rest: Measured | None = None
    gap: GroupGap | None = None
    why: str = ""

    @property
    def value(self) -> float | None:
        """The coefficient; None if it is undefined."""
        return None if self.measured is None else plain(self.measured.agreement.value)

    @property
    def clear(self) -> bool:
        """It clearly differs from the rest."""
        return self.gap is not None and self.gap.clear

    def to_dict(self) -> dict[str, Any]:
        """Return the group as plain values."""
        one = self.measured
        rest = None
        if self.gap is not None and self.rest is not None:
            rest = {"value": plain(self.rest.agreement.value), **self.gap.to_dict()}
        return {
            "group": self.group,
            "items": self.n_items,
            "annotations": self.n_annotations,
            "value": self.value,
            "observed": None if one is None else plain(one.agreement.observed),
            "low": None if one is None else plain(one.interval.low),
            "high": None if one is None else plain(one.interval.high),
            "method": None if one is None else one.interval.method,
            "rest": rest,
            "notes": [self.why] if one is None else list(one.notes),
        }


class GroupDifference(Struct, frozen=True, kw_only=True):
    """How much two groups differ."""

    first: str
    second: str
    gap: GroupGap

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as plain values."""
        return {"first": self.first, "second": self.second, **self.gap.to_dict()}


class GroupsSection(Result, frozen=True, kw_only=True, eq=False):
    """Agreement by group, each against the rest, and every two of a few groups.

    Parameters
    ----------
    column : str
        That says which group an annotation belongs to.
    measure, title : str
        What was measured.
    level : float
        Confidence level.
    groups : sequence of Group
        The lowest first.
    """

    column: str
    measure: str
    title: str
    level: float
    target: float | None
    groups: Sequence[GroupAgreement]
    differences: Sequence[GroupDifference]
    notes: Sequence[str]

    @property
    def weak(self) -> Sequence[GroupAgreement]:
        """Groups with clearly less agreement than the rest."""
        return [one for one in self.groups if one.gap is not None and one.clear and one.gap.difference < 0]

    def to_dict(self) -> dict[str, Any]:
        """Return the section as plain values."""
        return {
            "column": self.column,
            "measure": self.measure,
            "title": self.title,
            "level": self.level,
            "rows": plain(self.groups),
            "differences": plain(self.differences),
            "notes": list(self.notes),
        }

    def document(self) -> Document:
        """Return agreement by group, and how much groups differ."""
        figure = Figure(
            "groups",
            partial(_groups_drawn, self.groups, self.title, self.target),
            "Chart of agreement by group with intervals; the table below has the numbers.",
            "Agreement within each group, with its interval.",
        )
        blocks: list[Block] = [figure, self._table()]
        if self.differences:
            pairs = Figure(
                "group-differences",
                partial(_differences_drawn, self.differences[:DRAWN_DIFFERENCES]),
                "Chart of differences between groups with intervals; the table below has the numbers.",
                "Differences between groups; an interval that does not touch 0 is a difference beyond chance, "
                "before correction for many comparisons.",
            )
            blocks += [Heading("Differences between groups"), pairs, self._pairs()]
        blocks += notes(self.notes)
        title = f"By {name(self.column).text}"
        return Document(title, [Section("groups", title, self._takeaway, blocks)])

    @property
    def _takeaway(self) -> str:
        known = [(one.value, one) for one in self.groups if one.value is not None]
        if len(known) < 2:
            return "There are not two groups in which agreement is defined."
        (least, low), (most, high) = (pick(known, key=lambda one: one[0]) for pick in (min, max))
        clear = any(one.clear for one in self.groups) or any(one.gap.clear for one in self.differences)
        return (
            f"Agreement is highest in {quoted(high.group)} ({written(most)}) and lowest in "
            f"{quoted(low.group)} ({written(least)}); {'the' if clear else 'no'} difference is clear."
        )

    def _table(self) -> Table:
        rest = "Less that of all other groups together; bold if the difference is clear, corrected for all comparisons."
        return table_of(
            "groups",
            "Agreement by group",
            self.groups,
            [
                (Column("group", "name"), lambda row: name(row.group)),
                (Column("items"), lambda row: count(row.n_items)),
                (
                    Column("value", meaning=f"{self.title} within the group."),
                    lambda row: number(None) if row.measured is None else value_cell(row.measured),
                ),
                (
                    Column("interval", term="interval"),
                    lambda row: (
                        between(None, None)
                        if row.measured is None
                        else between(row.measured.interval.low, row.measured.interval.high)
                    ),
                ),
                (Column("against the rest", meaning=rest, term="less the rest"), lambda row: _difference(row.gap)),
                (Column("its interval"), lambda row: _ends(row.gap)),
            ],
        )

    def _pairs(self) -> Table:
        return table_of(
            "differences",
            "Differences between groups",
            self.differences,
            [
                (Column("groups", "name"), lambda row: joined(row.first, "−", row.second)),
                (
                    Column("difference", meaning="Bold if it is clear.", term="difference between groups"),
                    lambda row: _difference(row.gap),
                ),
                (Column("interval", term="interval"), lambda row: _ends(row.gap)),
            ],
            quiet=True,
        )


def _difference(gap: GroupGap | None) -> Cell:
    return number(None) if gap is None else number(gap.difference, signed=True, tone="strong" if gap.clear else "")


def _ends(gap: GroupGap | None) -> Cell:
    return between(None, None) if gap is None else between(gap.low, gap.high, signed=True)


def _groups_drawn(groups: Sequence[GroupAgreement], title: str, target: float | None, width: int) -> Any | None:
    rows = [
        Row(
            name=one.group,
            value=one.value,
            low=None if one.measured is None else plain(one.measured.interval.low),
            high=None if one.measured is None else plain(one.measured.interval.high),
        )
        for one in groups
    ]
    return intervals(rows, title=title, width=width, target=target)


def _differences_drawn(differences: Sequence[GroupDifference], width: int) -> Any | None:
    rows = [
        Row(
            name=f"{one.first} − {one.second}",
            value=one.gap.difference,
            low=plain(one.gap.low),
            high=plain(one.gap.high),
        )
        for one in differences
    ]
    return intervals(rows, title="difference", width=width, zero=True)


def groups_section(context: ReportContext) -> GroupsSection | None:
    """Return agreement by group, each against the rest, and every two of a few groups; None if no column was named."""
    column = context.settings.by
    if column is None:
        return None
    data = context.data
    found = data._groups(column)
    groups = [(value, text) for value, text, _ in found if text is not None]
    if len(groups) < 2 and context.one_of_several:
        return None
    if len(groups) < 2:
        only = "one value" if groups else "no value"
        raise OptionError(f"`by` is {shown(column)}, a column with {only}: groups need two or more.")
    said = []
    if len(groups) > GROUPS_MEASURED:
        said.append(f"The {GROUPS_MEASURED} largest of {len(groups):,} groups are shown.")
    without = sum(rows for _, text, rows in found if text is None)
    if without:
        said.append(f"{counted(without, 'annotation')} without a value of {shown(column)} are in no group.")
    paired = data._items_in_several(column)
    if paired:
        said.append(
            f"{counted(paired, 'item')} {'has' if paired == 1 else 'have'} annotations in several groups; "
            "differences between groups are matched by item."
        )
    said.append(
        f"A difference is clear, and bold, where groups to which the same items are dealt at random differ as much in less than {100 * LEVEL:g} % of all "
        f"dealings, after Holm's correction for all comparisons of a table: equal groups are called different in no more than {100 * LEVEL:g} % of reports."
    )
    largest = groups[:GROUPS_MEASURED]
    parts = data._split_by(column, [value for value, _ in largest])
    made = [
        _group(context, text, mine, others, bool(paired))
        for (_, text), (mine, others) in zip(largest, parts, strict=True)
    ]
    if len(groups) == 2 and not without:
        # Each is all the rest of the other: one comparison, tested once, whichever way round it is shown.
        made[0] = _corrected(made[:1], lambda one: one.gap)[0]
        made[1] = replace(made[1], gap=None if made[0].gap is None else made[0].gap.turned)
    else:
        made = _corrected(made, lambda one: one.gap)
    measured = {one.group: one.measured for one in made if one.measured is not None}
    differences: list[GroupDifference] = []
    if len(groups) == 2 and not without:
        differences = [
            GroupDifference(first=made[0].group, second=made[1].group, gap=gap) for gap in [made[0].gap] if gap
        ]
    elif len(measured) <= GROUPS_PAIRED:
        differences = _corrected(_differences(context, measured, bool(paired)), lambda one: one.gap)
    of, target = context.quoted.agreement, context.settings.target
    return GroupsSection(
        column=column,
        measure=of.measure,
        title=of.title,
        level=context.settings.level,
        target=None if target is None else target.value,
        groups=sorted(made, key=lambda one: (one.value is None, one.value)),
        differences=differences,
        notes=said,
    )


def _group(context: ReportContext, text: str, mine: Annotations, others: Annotations, paired: bool) -> GroupAgreement:
    """Measure a group, and how much it differs from all others together."""
    made = GroupAgreement(
        group=text,
        n_items=mine.n_items,
        n_annotations=mine.n_annotations,
        measured=attempt(lambda: context.measure(mine)),
    )
    if made.measured is None:
        return replace(made, why=mine._nothing_to_compare())
    rest = attempt(lambda: context.measure(others))
    if rest is None or made.value is None:
        return made
    return replace(made, rest=rest, gap=_compared(context, made.measured, rest, paired))


def _differences(context: ReportContext, measured: Mapping[str, Measured], paired: bool) -> list[GroupDifference]:
    """Compare every two groups."""
    made = []
    for first, second in combinations(measured, 2):
        gap = _compared(context, measured[first], measured[second], paired)
        if gap is not None:
            made.append(GroupDifference(first=first, second=second, gap=gap))
    return made


def _compared(context: ReportContext, first: Measured, second: Measured, paired: bool) -> GroupGap | None:
    """Return how much two groups differ, and how likely that is if they do not."""
    gap = _gap(first, second, paired)
    if math.isnan(gap.value):
        return None
    interval = gap.confidence_interval(context.settings.level)
    p_value = group_p_value(first.agreement, second.agreement, paired=paired, seed=context.settings.seed)
    if p_value is None:
        p_value = _p_value(gap.value, interval, gap.sample.degrees)
    return GroupGap(
        difference=gap.value,
        low=interval.low,
        high=interval.high,
        standard_error=interval.standard_error,
        p_value=p_value,
    )


def _gap(first: Measured, second: Measured, paired: bool) -> Difference:
    if paired:
        try:
            return difference(first.agreement, second.agreement)
        except InputError:
            # Measures that ask who gave which label are paired within one table alone.
            pass
    return difference(first.agreement, second.agreement, paired=False)


def _p_value(value: float, interval: Interval, degrees: int) -> float:
    """Return how likely a difference so large is if there is none, by the t distribution and the width of its interval."""
    error = (interval.high - interval.low) / 2.0 / normal_interval(0.0, 1.0, interval.level, degrees)[1]
    if math.isnan(error):
        return math.nan
    from scipy.special import stdtr

    return float(2.0 * stdtr(degrees, -abs(value) / error))


def _corrected(rows: Sequence[T], gap_of: Callable[[T], GroupGap | None]) -> list[T]:
    """Correct the p-values of a table for their number, and say which differences are clear."""
    tested = [i for i, row in enumerate(rows) if (gap := gap_of(row)) is not None and not math.isnan(gap.p_value)]
    gaps = [gap for i in tested if (gap := gap_of(rows[i])) is not None]
    made = list(rows)
    for i, gap, corrected in zip(tested, gaps, holm([one.p_value for one in gaps]), strict=True):
        made[i] = replace(made[i], gap=replace(gap, p_corrected=corrected, clear=corrected <= LEVEL))  # type: ignore[type-var]
    return made
