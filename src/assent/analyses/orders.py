"""Rankings one by one: who orders objects unlike the others, and which lists and objects are disputed."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

import numpy as np

from assent.analyses.by_kind import answers
from assent.data.ranking_profiles import midranks
from assent.data.rankings import Rankings
from assent.documents.blocks import Block, Column, Document, Table, coefficient, count, name, notes, table_of
from assent.documents.result import Result
from assent.errors import NothingToCompare
from assent.limits import ANNOTATORS_COMPARED
from assent.measures.rankings import mean_spearman
from assent.profiles import Array
from assent.records import Record, Struct, plain
from assent.text import shown, value

__all__ = [
    "DisputedObject",
    "RankedLists",
    "RankingAnnotator",
    "RankingAnnotators",
    "ranked_lists",
    "ranking_annotators",
]

#: Whose mean correlation with the others is below this may have taken the first rank for the last; a little below 0 is chance.
TURNED_ROUND = -0.3


class RankingAnnotator(Record, frozen=True, kw_only=True):
    """One annotator's rankings.

    Parameters
    ----------
    n_lists, n_objects : int
        Ranked.
    agreement : float
        Mean rank correlation with the others; NaN if there are none on the same lists.
    without : float
        Mean rank correlation of all others among themselves; NaN if there are fewer than two.
    """

    annotator: str
    n_lists: int
    n_objects: int
    agreement: float
    without: float


class RankingAnnotators(Result, frozen=True, kw_only=True, eq=False):
    """The annotators, the one who agrees least with the others first."""

    annotators: tuple[RankingAnnotator, ...]
    overall: float
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        """Return the table of the annotators."""
        return table_of(
            "ranking-annotators",
            "Mean rank correlation with the others, lowest first",
            self.annotators,
            [
                (Column("annotator", "name"), lambda one: name(one.annotator)),
                (Column("with the others"), lambda one: coefficient(one.agreement)),
                (Column("all without"), lambda one: coefficient(one.without)),
                (Column("lists"), lambda one: count(one.n_lists)),
                (Column("ranked"), lambda one: count(one.n_objects)),
            ],
        )

    @property
    def takeaway(self) -> str:
        """Say who agrees least with the others."""
        first = self.annotators[0]
        return f"{shown(first.annotator)} agrees least with the others: mean rank correlation {value(first.agreement)}."

    def blocks(self) -> list[Block]:
        """Return the table, and what must be known to read it."""
        return [self.table(), *notes(self.notes)]

    def document(self) -> Document:
        """Return the table of the annotators."""
        return Document("Annotators", self.blocks())


@answers("annotators", "rankings")
def ranking_annotators(data: Rankings) -> RankingAnnotators:
    """Return how far each annotator's orders agree with those of the others.

    Examples
    --------
    >>> found = ranking_annotators(
    ...     Rankings.from_matrix([[1, 1, 4], [2, 2, 3], [3, 3, 2], [4, 4, 1]], annotators=["a", "b", "c"])
    ... )
    >>> [(one.annotator, one.agreement, one.without) for one in found.annotators][0]
    ('c', -1.0, 1.0)
    """
    if len(data.annotators) < 2:
        raise NothingToCompare(data._nothing_to_compare())
    whole = mean_spearman(data)
    with_others = _with_others(data)
    # Of many annotators it changes little, and takes long, to leave out each.
    few = 2 < len(data.annotators) <= ANNOTATORS_COMPARED
    rows = []
    for at, who in enumerate(data.annotators):
        mine = data.annotator_code == at
        without = math.nan
        if few:
            with suppress(NothingToCompare):
                without = mean_spearman(data.without_annotators([who])).value
        rows.append(
            RankingAnnotator(
                annotator=who,
                n_lists=len(np.unique(data.list_code[mine])),
                n_objects=int(mine.sum()),
                agreement=whole.value if len(data.annotators) == 2 else float(with_others[at]),
                without=without,
            )
        )
    rows.sort(key=lambda one: (math.isnan(one.agreement), one.agreement, one.annotator))
    said = [f"Mean Spearman of all is {value(whole.value)}."] if not math.isnan(whole.value) else []
    first = rows[0]
    if first.agreement < TURNED_ROUND:
        said.append(
            f"{shown(first.annotator)} orders objects the other way round than the others do: check whether the first rank was taken for the last."
        )
    if len(data.annotators) > ANNOTATORS_COMPARED:
        said.append("There are too many annotators to leave out each in turn.")
    return RankingAnnotators(annotators=tuple(rows), overall=whole.value, notes=tuple(said))


def _with_others(data: Rankings) -> Array:
    """Return the mean rank correlation of each annotator with the others, by the objects that both ranked less one; NaN if there is none."""
    from assent.measures._lists import pair_values
    from assent.measures._orders import spearman

    number = len(data.annotators)
    sums, weight = np.zeros(number), np.zeros(number)
    for block in data.blocks:
        first, second = np.triu_indices(block.positions.shape[1], 1)
        values, shared = pair_values(block.positions, spearman, cells=4 * block.positions.shape[2])
        weights = np.where(np.isnan(values), 0.0, shared - 1.0).ravel()
        terms = np.nan_to_num(values).ravel() * weights
        for side in (first, second):
            who = block.annotators[:, side].ravel()
            sums += np.bincount(who, terms, minlength=number)
            weight += np.bincount(who, weights, minlength=number)
    return np.where(weight > 0, sums / np.where(weight > 0, weight, 1.0), np.nan)


class DisputedList(Record, frozen=True, kw_only=True):
    """One list and how far its rankings agree."""

    item: str
    n_annotators: int
    n_objects: int
    agreement: float


class DisputedObject(Struct, frozen=True, kw_only=True):
    """One object and where annotators put it, in the mean over lists.

    Parameters
    ----------
    mean : float
        Rank as a share of the list: 0 for the first place, 1 for the last.
    spread : float
        Standard deviation of these shares between annotators of the same list, in the mean over lists.
    """

    name: str
    n_rankings: int
    mean: float
    spread: float

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "object": self.name,
            "rankings": self.n_rankings,
            "mean": plain(self.mean),
            "spread": plain(self.spread),
        }


class RankedLists(Result, frozen=True, kw_only=True, eq=False):
    """The lists, the most disputed first, and the objects whose place is least agreed on."""

    lists: tuple[DisputedList, ...]
    objects: tuple[DisputedObject, ...]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return both tables as plain values."""
        return {
            "items": plain(self.lists),
            "objects": plain(self.objects),
            "notes": list(self.notes),
        }

    def objects_table(self) -> Table:
        """Return the table of the objects."""
        return table_of(
            "disputed-objects",
            "Objects, the most disputed place first",
            self.objects,
            [
                (Column("object", "name"), lambda one: name(one.name)),
                (
                    Column("spread", meaning="Standard deviation of its place, as a share of the list."),
                    lambda one: coefficient(one.spread),
                ),
                (Column("mean place", meaning="0 is the first, 1 the last."), lambda one: coefficient(one.mean)),
                (Column("rankings"), lambda one: count(one.n_rankings)),
            ],
        )

    def lists_table(self) -> Table:
        """Return the table of the lists."""
        return table_of(
            "disputed-lists",
            "Lists, the least agreement first",
            self.lists,
            [
                (Column("list", "name"), lambda one: name(one.item or "the list")),
                (Column("mean Spearman"), lambda one: coefficient(one.agreement)),
                (Column("annotators"), lambda one: count(one.n_annotators)),
                (Column("objects"), lambda one: count(one.n_objects)),
            ],
        )

    @property
    def takeaway(self) -> str:
        """Say which object is disputed most."""
        return f"The place of {shown(self.objects[0].name)} is the most disputed."

    def blocks(self) -> list[Block]:
        """Return the objects, and the lists if there are several."""
        return [self.objects_table(), *([self.lists_table()] if len(self.lists) > 1 else [])]

    def document(self) -> Document:
        """Return the lists, if there are several, and the objects."""
        return Document("Items", [*reversed(self.blocks()), *notes(self.notes)])


@answers("items", "rankings")
def ranked_lists(data: Rankings) -> RankedLists:
    """Return how far annotators agree on each list, and where they put each object.

    Examples
    --------
    >>> found = ranked_lists(Rankings.from_matrix([[1, 1], [2, 3], [3, 2]], objects=["x", "y", "z"]))
    >>> [(one.name, one.spread) for one in found.objects][-1]
    ('x', 0.0)
    """
    from assent.measures._lists import pair_values
    from assent.measures._orders import spearman

    rows: list[DisputedList | None] = [None] * data.n_items
    sums, squares, number, lists = (np.zeros(len(data.objects)) for _ in range(4))
    for block in data.blocks:
        positions = block.positions
        values, shared = pair_values(positions, spearman, cells=4 * positions.shape[2])
        weights = np.where(np.isnan(values), 0.0, shared - 1.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.nan_to_num(values * weights).sum(-1) / weights.sum(-1)
        for at, one in enumerate(block.lists):
            rows[one] = DisputedList(
                item=data.lists[one],
                n_annotators=positions.shape[1],
                n_objects=positions.shape[2],
                agreement=float(means[at]),
            )
        places = (midranks(positions) - 1.0) / np.maximum((~np.isnan(positions)).sum(-1, keepdims=True) - 1.0, 1.0)
        here = ~np.isnan(places)
        many = here.sum(1)
        mean = np.nansum(places, axis=1) / np.maximum(many, 1)
        apart = np.sqrt(np.nansum((places - mean[:, None]) ** 2, axis=1) / np.maximum(many - 1, 1))
        np.add.at(sums, block.objects, np.nansum(places, axis=1))
        np.add.at(number, block.objects, many)
        np.add.at(squares, block.objects, np.where(many > 1, apart, 0.0))
        np.add.at(lists, block.objects, many > 1)
    objects = [
        DisputedObject(
            name=data.objects[i],
            n_rankings=int(number[i]),
            mean=float(sums[i] / number[i]),
            spread=float(squares[i] / lists[i]) if lists[i] else math.nan,
        )
        for i in range(len(data.objects))
    ]
    objects.sort(key=lambda one: (math.isnan(one.spread), -one.spread, one.name))
    found = [one for one in rows if one is not None]
    found.sort(key=lambda one: (math.isnan(one.agreement), one.agreement, one.item))
    return RankedLists(lists=tuple(found), objects=tuple(objects))
