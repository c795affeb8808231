"""Sections of a report on rankings and preferences: who orders otherwise, and what is disputed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from assent.analyses.by_kind import answer
from assent.analyses.orders import RankedLists, RankingAnnotators
from assent.analyses.preferences.bradley_terry import Strengths
from assent.analyses.preferences.circles import Consistency
from assent.analyses.preferences.tables import BestWorstAnnotators, BestWorstItems, PreferenceItems
from assent.data.rankings import Rankings
from assent.documents import Document, Result
from assent.documents.blocks import Block, Figure, Section, notes
from assent.limits import ANNOTATORS_COMPARED, RANKED_LINES
from assent.measures.rankings import mean_spearman
from assent.measures.results import PairAgreement
from assent.reports.charts.heat import Cell, cell_width, heat_map
from assent.reports.charts.orders import rank_lines, strength_lines
from assent.reports.context import ReportContext, attempt
from assent.text import shown, value

__all__ = ["OrderSection", "order_annotators_section", "order_items_section"]


@dataclass(frozen=True, kw_only=True, eq=False)
class OrderSection(Result):
    """An answer to one of the usual questions, as a section of a report.

    Parameters
    ----------
    name, title, takeaway : str
    found : Result
    blocks : tuple of Block
    """

    name: str
    title: str
    takeaway: str
    found: Result
    blocks: tuple[Block, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain values."""
        return self.found.to_dict()

    def document(self) -> Document:
        """Return the section of the report."""
        return Document(self.title, [Section(self.name, self.title, self.takeaway, list(self.blocks))])


def _heat(annotators: tuple[str, ...], pairs: tuple[PairAgreement, ...], width: int) -> Any | None:
    known = {(one.first, one.second): one.value for one in pairs} | {
        (one.second, one.first): one.value for one in pairs
    }
    cells = [
        [
            Cell(None, "") if a == b or np.isnan(known.get((a, b), np.nan)) else Cell(known[a, b], value(known[a, b]))
            for b in annotators
        ]
        for a in annotators
    ]
    return heat_map(annotators, annotators, cells, size=(cell_width(annotators, 40), 26))


def order_annotators_section(context: ReportContext) -> OrderSection | None:
    """Return how far each annotator is from the others; None if that cannot be said."""
    data: Any = context.data
    found = attempt(lambda: answer("annotators", data))
    blocks: list[Block] = []
    takeaway = ""
    if isinstance(found, RankingAnnotators):
        pairs = mean_spearman(data).pairs
        if 2 < len(data.annotators) <= min(ANNOTATORS_COMPARED, RANKED_LINES) and pairs:
            blocks.append(
                Figure(
                    "judges",
                    partial(_heat, data.annotators, pairs),
                    "Heat map of the mean rank correlation of every two annotators; the table of pairs has the numbers.",
                    "Mean rank correlation of every two annotators.",
                )
            )
        first = found.annotators[0]
        takeaway = (
            f"{shown(first.annotator)} agrees least with the others: mean rank correlation {value(first.agreement)}."
        )
        blocks += [found.table(), *notes(found.notes)]
    elif isinstance(found, Consistency):
        circles = sum(one.circular for one in found.annotators)
        triads = sum(one.triads for one in found.annotators)
        takeaway = f"{circles:,} of {triads:,} triads go in a circle; coin flips would make {triads / 4:,.0f}."
        blocks += [found.table(), *notes(found.notes)]
    elif isinstance(found, BestWorstAnnotators):
        who, _, agree = found.annotators[0]
        takeaway = f"{shown(who)} chooses least like the others: {value(agree)} of their choices are the same."
        blocks += [found.table(), *notes(found.notes)]
    if found is None or not blocks:
        return None
    return OrderSection(name="annotators", title="Annotators", takeaway=takeaway, found=found, blocks=tuple(blocks))


def _lines(data: Rankings, marked: tuple[str, ...], item: str, width: int) -> Any | None:
    """Draw the places of the objects of one list."""
    wanted = data.lists.index(item)
    block = next(one for one in data.blocks if wanted in one.lists)
    at = int(np.flatnonzero(block.lists == wanted)[0])
    positions = block.positions[at][:RANKED_LINES]
    # An object may have been ranked only by annotators who are not drawn.
    drawn = np.flatnonzero(~np.isnan(positions).all(axis=0))
    order = drawn[np.argsort(np.nanmean(positions[:, drawn], axis=0))][:RANKED_LINES]
    ranks = [[None if np.isnan(one) else float(one) for one in positions[:, i]] for i in order]
    objects = [data.objects[block.objects[at, i]] for i in order]
    people = [data.annotators[one] for one in block.annotators[at][:RANKED_LINES]]
    return rank_lines(objects, people, ranks, marked=marked, width=width)


def _strengths(found: Strengths, width: int) -> Any | None:
    rows = [(one.name, one.strength, one.low, one.high) for one in found.objects[:RANKED_LINES]]
    return strength_lines(rows, width=width)


def order_items_section(context: ReportContext) -> OrderSection | None:
    """Return which lists, pairs or objects are disputed; None if that cannot be said."""
    data: Any = context.data
    found = attempt(lambda: answer("items", data))
    blocks: list[Block] = []
    takeaway = ""
    draw: Callable[[int], Any | None]
    if isinstance(found, RankedLists):
        disputed = tuple(one.name for one in found.objects[:3])
        draw = partial(_lines, data, disputed, found.lists[0].item)
        of = "" if len(found.lists) == 1 else f" of {shown(found.lists[0].item)}, the most disputed list"
        told = f"Where each annotator puts each object{of}; the three most disputed objects of all are in colour."
        blocks.append(Figure("ranks", draw, "Lines of the rank of each object from annotator to annotator.", told))
        takeaway = f"The place of {shown(found.objects[0].name)} is the most disputed."
        blocks += [found.objects_table(), *([found.lists_table()] if len(found.lists) > 1 else [])]
    elif isinstance(found, PreferenceItems):
        best = found.strengths.objects[0]
        if not np.isnan(best.strength):
            told = "Strengths of the objects on the scale of log odds, with intervals."
            blocks.append(
                Figure(
                    "strengths",
                    partial(_strengths, found.strengths),
                    "Chart of strengths with intervals; the table has the numbers.",
                    told,
                )
            )
        takeaway = f"{shown(best.name)} is preferred most."
        blocks += [found.strengths.table(), found.pairs_table(), *notes(found.strengths.notes)]
    elif isinstance(found, BestWorstItems):
        takeaway = f"{shown(found.objects[0][0])} has the highest score."
        blocks.append(found.table())
    if found is None or not blocks:
        return None
    return OrderSection(name="items", title="What is disputed", takeaway=takeaway, found=found, blocks=tuple(blocks))
