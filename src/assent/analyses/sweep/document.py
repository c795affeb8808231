"""A sweep as a document: the curve, the classes of items, and typical members of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from assent.analyses.sweep.chart import draw_curve, draw_items
from assent.documents.blocks import (
    Block,
    Cell,
    Column,
    Document,
    Figure,
    Fold,
    Prose,
    Terms,
    between,
    coefficient,
    count,
    name,
    names,
    notes,
    share,
    table_of,
    words,
)
from assent.limits import SWEPT_COLUMNS
from assent.text import counted, interval, level
from assent.text import number as written

if TYPE_CHECKING:
    from assent.analyses.sweep.result import Sweep, SweepPoint

__all__ = ["document_of", "sweep_blocks"]


def document_of(sweep: Sweep) -> Document:
    """Return the curve, the classes, some members of each, and what a reader must know."""
    return Document(
        "Primary and secondary labels",
        [Prose([sweep.sentence]), *sweep_blocks(sweep), *notes(_notes(sweep), sweep.data._reading_notes())],
        summary=sweep.data.describe(),
    )


def sweep_blocks(sweep: Sweep) -> list[Block]:
    """Return the curve and the classes with their typical members."""
    curve = Figure(
        "sweep",
        partial(draw_curve, sweep),
        "Line chart of augmented kappa by the weight of the primary label; the numbers are in the table that follows.",
        "Agreement by how much the primary label counts: at 0.5 all labels of an annotation count alike, at 1 "
        "the primary one alone. The band is the interval at each point.",
        plain=partial(_lines, sweep),
    )
    points = Fold("The sweep as a table", [_points(sweep)])
    return [curve, points, *_items(sweep), _classes(sweep), *_members(sweep)]


def _points(sweep: Sweep) -> Block:
    return table_of(
        "sweep",
        "Augmented kappa by the weight of the primary label",
        sweep.points,
        [
            (Column("weight"), lambda one: Cell(f"{one.primary:g}", one.primary)),
            (Column("value"), lambda one: coefficient(one.value)),
            (Column(f"{level(sweep.level)} interval", term="interval"), lambda one: between(*one.ends, digits=3)),
        ],
        quiet=True,
    )


def _lines(sweep: Sweep, width: int) -> list[str]:
    """Draw each value as a point on the stretch of its interval, in characters that every terminal knows."""
    reached = [end for one in sweep.points for end in (one.value, *one.ends) if not math.isnan(end)]
    first, last = min(reached, default=0.0), max(reached, default=0.0)
    told = [(f"{one.primary:g}", written(one.value, 3), _interval(one)) for one in sweep.points]
    wide = [max(len(row[i]) for row in told) for i in range(3)]
    room = min(SWEPT_COLUMNS, width - sum(wide) - 8)
    made = [f"{'p':<{wide[0]}}  augmented kappa"]
    for (p, value, ends), one in zip(told, sweep.points, strict=True):
        drawn = "" if math.isnan(one.value) or first == last or room < 2 else _drawn(one, first, last, room)
        made.append(f"{p:<{wide[0]}}  {value:>{wide[1]}}  {ends:<{wide[2]}}  {drawn}".rstrip())
    return made


def _interval(point: SweepPoint) -> str:
    return "" if math.isnan(point.ends[0]) else interval(*point.ends, digits=3)


def _drawn(point: SweepPoint, first: float, last: float, room: int) -> str:
    known = [point.value, *(end for end in point.ends if not math.isnan(end))]
    start, at, end = (
        round((room - 1) * (place - first) / (last - first)) for place in (min(known), point.value, max(known))
    )
    return " " * start + "-" * (at - start) + "o" + "-" * (end - at)


def _items(sweep: Sweep) -> list[Block]:
    """Return the chart of the items; without a class there is nothing to place."""
    if sweep.unclassified == len(sweep.items):
        return []
    return [
        Figure(
            "sweep-classes",
            partial(draw_items, sweep),
            "Scatter plot of the items by their values at both ends of the sweep; the table below counts them.",
            "Items by their values if all labels count alike (across) and for primary labels alone (up). Between the "
            "dashed lines the weight makes no difference.",
        )
    ]


def _classes(sweep: Sweep) -> Block:
    return table_of(
        "sweep-classes",
        "Kinds of items",
        sweep.classes,
        [
            (Column("class", "words"), lambda one: words(one.name)),
            (Column("items"), lambda one: count(one.n_items)),
            (Column("share"), lambda one: share(one.share)),
            (Column("agreement on an item is", "words"), lambda one: words(one.title)),
        ],
    )


def _members(sweep: Sweep) -> list[Block]:
    """Say what each class means for the guidelines, with its most typical items and what annotators gave them."""
    items, used = sweep.items, [one for one in sweep.classes if one.n_items]
    if not sweep.show:
        return [Terms([(one.name, one.meaning) for one in used])] if used else []
    return [
        table_of(
            f"sweep-{one.name.replace('.', '-')}",
            f"{one.name}: {one.meaning}",
            items.places(one.name)[: sweep.show].tolist(),
            [
                (Column("item", "name"), lambda place: name(items.names[place])),
                (Column("p = 0.5 → 1"), lambda place: _change(sweep, place)),
                (Column("given, the primary label first", "text"), lambda place: _given(items.labels(place))),
            ],
            more=f"And {counted(one.n_items - sweep.show, 'more item')}." if one.n_items > sweep.show else "",
        )
        for one in used
    ]


def _change(sweep: Sweep, place: int) -> Cell:
    equal, only = (float(values[sweep.items.profile[place]]) for values in (sweep.items.equal, sweep.items.only))
    return Cell(f"{written(equal)} → {written(only)}", only - equal)


def _given(labels: Mapping[str, Sequence[str]]) -> Cell:
    return names([(f"{who}: {' > '.join(some) or 'none'}", "") for who, some in labels.items()])


def _notes(sweep: Sweep) -> list[str]:
    """Say how many items can be used, what the classes rest on, and what else must be known."""
    return [
        f"{sweep.usable:,} of {counted(len(sweep.items), 'item')} have a primary label with a value above {sweep.high:g} at p = 1.",
        f"Constant is a change of at most {sweep.constant:g} between p = 0.5 and p = 1 (`constant`); high is above "
        f"{sweep.high:g} (`high`).",
        *sweep.notes,
    ]
