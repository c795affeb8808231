"""Sections of a report on rankings and preferences: who orders otherwise, and what is disputed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from assent.analyses.orders import RankedLists, RankingAnnotators
from assent.analyses.preferences.tables import PreferenceItems
from assent.data.preferences import Preferences
from assent.data.rankings import Rankings
from assent.documents.blocks import Block, Figure
from assent.limits import ANNOTATORS_COMPARED, RANKED_LINES
from assent.measures.rankings import mean_spearman
from assent.measures.results import PairAgreement
from assent.reports.charts.heat import Cell, cell_width, heat_map
from assent.reports.charts.orders import rank_lines, strength_lines
from assent.reports.context import ReportContext
from assent.reports.sections.answer import AnswerSection, answer_section
from assent.text import shown, value

__all__ = ["order_annotators_section", "order_items_section"]


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


def _pairs(data: Rankings, found: RankingAnnotators) -> list[Block]:
    pairs = mean_spearman(data).pairs
    if not (2 < len(data.annotators) <= min(ANNOTATORS_COMPARED, RANKED_LINES) and pairs):
        return []
    return [
        Figure(
            "judges",
            partial(_heat, data.annotators, pairs),
            "Heat map of the mean rank correlation of every two annotators; the table of pairs has the numbers.",
            "Mean rank correlation of every two annotators.",
        )
    ]


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


def _ranks(data: Rankings, found: RankedLists) -> list[Block]:
    disputed, first = tuple(one.name for one in found.objects[:3]), found.lists[0].item
    of = "" if len(found.lists) == 1 else f" of {shown(first)}, the most disputed list"
    told = f"Where each annotator puts each object{of}; the three most disputed objects of all are in colour."
    draw = partial(_lines, data, disputed, first)
    return [Figure("ranks", draw, "Lines of the rank of each object from annotator to annotator.", told)]


def _strengths(data: Preferences, found: PreferenceItems) -> list[Block]:
    rows = [(one.name, one.strength, one.low, one.high) for one in found.strengths.objects[:RANKED_LINES]]
    if math.isnan(rows[0][1]):
        return []
    return [
        Figure(
            "strengths",
            lambda width: strength_lines(rows, width=width),
            "Chart of strengths with intervals; the table has the numbers.",
            "Strengths of the objects on the scale of log odds, with intervals.",
        )
    ]


#: What is drawn of an answer, by the kind of data.
_ANNOTATORS: Mapping[str, Callable[[Any, Any], list[Block]]] = {"rankings": _pairs}
_ITEMS: Mapping[str, Callable[[Any, Any], list[Block]]] = {"rankings": _ranks, "preferences": _strengths}


def order_annotators_section(context: ReportContext) -> AnswerSection | None:
    """Return how far each annotator is from the others; None if that cannot be said."""
    return answer_section(context, "annotators", "Annotators", _ANNOTATORS.get(context.data.kind))


def order_items_section(context: ReportContext) -> AnswerSection | None:
    """Return which lists, pairs or objects are disputed; None if that cannot be said."""
    return answer_section(context, "items", "What is disputed", _ITEMS.get(context.data.kind))
