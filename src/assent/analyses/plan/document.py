"""A plan as a document: its sentences, and a table of ways for each answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assent.analyses.plan.wording import in_clusters, noun
from assent.documents.blocks import Block, Cell, Column, Document, Prose, Table, count, notes, table_of
from assent.text import counted, level, percent, plus_minus
from assent.text import number as written

if TYPE_CHECKING:
    from assent.analyses.plan.results import Design, Plan

__all__ = ["document_of", "half_width_table"]


def document_of(plan: Plan) -> Document:
    """Return the answers in sentences, the ways to get there, and what a reader must know."""
    blocks: list[Block] = [Prose(plan.sentences), *half_width_table(plan), *_budget_table(plan), *_power_table(plan)]
    if plan.now is not None and plan.per_item:
        so_far = counted(plan.now.n_units, noun(plan))
        blocks.append(_ways(plan, "per-item", f"What the {so_far} so far would tell", plan.per_item))
    data = plan.data
    return Document(
        "How much to annotate",
        [*blocks, *notes(plan.notes, () if data is None else data._reading_notes())],
        summary="" if data is None else data.describe(),
    )


def half_width_table(plan: Plan) -> list[Block]:
    """Return the ways to make the interval narrow enough, the cheapest marked."""
    answer = plan.half_width
    if answer is None or not answer.choices:
        return []
    caption = f"Ways to know the value within {plus_minus(answer.half_width)}"
    return [_ways(plan, "plan", caption, answer.choices, answer.cheapest, "costs least")]


def _budget_table(plan: Plan) -> list[Block]:
    answer = plan.budget
    if answer is None:
        return []
    caption = f"Ways to spend a budget of {answer.budget:,.10g} annotations"
    return [_ways(plan, "budget", caption, answer.choices, answer.best, "tells most")]


def _power_table(plan: Plan) -> list[Block]:
    answer = plan.power
    if answer is None or not answer.choices:
        return []
    caption = f"Ways to show that the value is above {answer.target:g}, with a power of {percent(answer.power)}"
    return [_ways(plan, "power", caption, answer.choices)]


def _ways(
    plan: Plan, table: str, caption: str, designs: Sequence[Design], best: Design | None = None, praise: str = ""
) -> Table:
    """Return designs, one a row for each number of annotations per item."""

    def per_item(one: Design) -> Cell:
        marked = best is not None and one.annotations_per_item == best.annotations_per_item
        known = one.annotations_per_item
        return Cell(written(known, 0 if known == int(known) else 1), known, mark=praise if marked else "")

    clustered = in_clusters(plan)
    return table_of(
        table,
        caption,
        designs,
        [
            (Column("annotations per item"), per_item),
            (Column("clusters"), lambda one: count(one.n_units)) if clustered else None,
            (Column("items"), lambda one: count(one.n_items)),
            (Column("annotations in all"), lambda one: count(one.n_annotations)),
            (Column("cost"), lambda one: Cell(f"{one.cost:,.15g}", one.cost)) if plan.item_cost else None,
            (Column(f"{level(plan.level)} interval"), lambda one: Cell(plus_minus(one.half_width), one.half_width)),
        ],
    )
