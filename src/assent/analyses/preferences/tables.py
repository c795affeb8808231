"""Pairs and objects of preferences, and of best-worst choices, the most disputed first."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from assent.analyses.by_kind import answers
from assent.analyses.preferences.bradley_terry import Strengths, strengths
from assent.analyses.preferences.circles import consistency
from assent.data.preferences import BestWorst, Preferences
from assent.documents.blocks import Block, Column, Document, Table, coefficient, count, name, notes, share, table_of
from assent.documents.result import Result
from assent.records import Record, plain
from assent.text import counted, shown, value

__all__ = [
    "BestWorstAnnotators",
    "BestWorstItems",
    "PreferenceItems",
    "best_worst_annotators",
    "best_worst_items",
    "preference_items",
]

answers("annotators", "preferences")(consistency)


class DisputedObjects(Record, frozen=True, kw_only=True):
    """Two objects and how annotators voted; agreement is the share of pairs of annotators who say the same, NaN for one vote."""

    item: str
    first: str
    second: str
    for_first: int
    for_second: int
    ties: int
    agreement: float


class PreferenceItems(Result, frozen=True, kw_only=True, eq=False):
    """The objects by their strength, and the pairs by how disputed they are."""

    strengths: Strengths
    pairs: tuple[DisputedObjects, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return both tables as plain values."""
        return {"strengths": self.strengths.to_dict(), "items": plain(self.pairs)}

    def pairs_table(self) -> Table:
        """Return the table of the pairs."""
        topics = any(one.item for one in self.pairs)
        item = [(Column("item", "name"), lambda one: name(one.item))] if topics else []
        return table_of(
            "disputed-pairs",
            "Pairs of objects, the most disputed first",
            self.pairs,
            [
                *item,
                (Column("first", "name"), lambda one: name(one.first)),
                (Column("second", "name"), lambda one: name(one.second)),
                (Column("agreement"), lambda one: share(one.agreement)),
                (Column("for first"), lambda one: count(one.for_first)),
                (Column("for second"), lambda one: count(one.for_second)),
                (Column("ties"), lambda one: count(one.ties)),
            ],
        )

    @property
    def takeaway(self) -> str:
        """Say which object is preferred most."""
        return f"{shown(self.strengths.objects[0].name)} is preferred most."

    def blocks(self) -> list[Block]:
        """Return the strengths and the pairs."""
        return [self.strengths.table(), self.pairs_table(), *notes(self.strengths.notes)]

    def document(self) -> Document:
        """Return the strengths and the pairs."""
        return Document("Items", self.blocks())


@answers("items", "preferences")
def preference_items(data: Preferences) -> PreferenceItems:
    """Return how strong each object is, and how disputed each pair.

    Examples
    --------
    >>> votes = [("j", "x", "y", "x"), ("k", "x", "y", "y"), ("j", "y", "z", "z"), ("k", "y", "z", "z")]
    >>> [(one.first, one.second, one.agreement) for one in preference_items(Preferences.from_rows(votes)).pairs]
    [('x', 'y', 0.0), ('y', 'z', 1.0)]
    """
    pair, _, choice = data.verdicts
    codes = np.unique(data.pair_code)
    n = len(data.objects)
    counts = np.stack([np.bincount(pair[choice == one], minlength=len(codes)) for one in (1, -1, 0)], axis=1)
    rows = []
    for code, (first, second, ties) in zip(codes.tolist(), counts.tolist(), strict=True):
        votes = first + second + ties
        agree = sum(one * (one - 1) for one in (first, second, ties))
        rows.append(
            DisputedObjects(
                item=data.topics[code // (n * n)],
                first=data.objects[code // n % n],
                second=data.objects[code % n],
                for_first=first,
                for_second=second,
                ties=ties,
                agreement=agree / (votes * (votes - 1)) if votes > 1 else math.nan,
            )
        )
    rows.sort(key=lambda one: (math.isnan(one.agreement), one.agreement, -(one.for_first + one.for_second + one.ties)))
    return PreferenceItems(strengths=strengths(data), pairs=tuple(rows))


class BestWorstItems(Result, frozen=True, kw_only=True, eq=False):
    """The objects by their score: name, score, and how often each was shown, the best and the worst."""

    objects: tuple[tuple[str, float, int, int, int], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain values."""
        keys = ("object", "score", "shown", "best", "worst")
        return {"objects": [dict(zip(keys, one, strict=True)) for one in self.objects]}

    def table(self) -> Table:
        """Return the table of the objects."""
        return table_of(
            "scores",
            "Scores of the objects: best less worst, over shown",
            self.objects,
            [
                (Column("object", "name"), lambda one: name(one[0])),
                (Column("score"), lambda one: coefficient(one[1])),
                (Column("shown"), lambda one: count(one[2])),
                (Column("best"), lambda one: count(one[3])),
                (Column("worst"), lambda one: count(one[4])),
            ],
        )

    @property
    def takeaway(self) -> str:
        """Say which object has the highest score."""
        return f"{shown(self.objects[0][0])} has the highest score."

    def blocks(self) -> list[Block]:
        """Return the table of the objects."""
        return [self.table()]

    def document(self) -> Document:
        """Return the table of the objects."""
        return Document("Items", self.blocks())


@answers("items", "best-worst")
def best_worst_items(data: BestWorst) -> BestWorstItems:
    """Return the objects by their score, the best first."""
    n = len(data.objects)
    scores = data.scores()
    seen = np.bincount(data.set_code, minlength=data.n_items) @ data.appearances
    best, worst = np.bincount(data.best, minlength=n), np.bincount(data.worst, minlength=n)
    order = np.argsort(-scores, kind="stable")
    return BestWorstItems(
        objects=tuple((data.objects[i], float(scores[i]), int(seen[i]), int(best[i]), int(worst[i])) for i in order)
    )


class BestWorstAnnotators(Result, frozen=True, kw_only=True, eq=False):
    """The annotators: name, choices, and the share of others' choices of the same sets that are the same, lowest first."""

    annotators: tuple[tuple[str, int, float], ...]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain values."""
        rows = [{"annotator": who, "choices": many, "agreement": plain(agree)} for who, many, agree in self.annotators]
        return {"annotators": rows, "notes": list(self.notes)}

    def table(self) -> Table:
        """Return the table of the annotators."""
        return table_of(
            "best-worst-annotators",
            "Agreement with the others on best and worst, lowest first",
            self.annotators,
            [
                (Column("annotator", "name"), lambda one: name(one[0])),
                (Column("agreement"), lambda one: share(one[2])),
                (Column("choices"), lambda one: count(one[1])),
            ],
        )

    @property
    def takeaway(self) -> str:
        """Say who chooses least like the others."""
        who, _, agree = self.annotators[0]
        return f"{shown(who)} chooses least like the others: {value(agree)} of their choices are the same."

    def blocks(self) -> list[Block]:
        """Return the table, and what must be known to read it."""
        return [self.table(), *notes(self.notes)]

    def document(self) -> Document:
        """Return the table of the annotators."""
        return Document("Annotators", self.blocks())


@answers("annotators", "best-worst")
def best_worst_annotators(data: BestWorst) -> BestWorstAnnotators:
    """Return how far each annotator's choices are those of the others."""
    n = len(data.objects)
    same = np.zeros(data.n_annotations)
    for chosen in (data.best, data.worst):
        key = data.set_code * n + chosen
        same += np.bincount(key)[key] - 1.0
    others = 2.0 * (np.bincount(data.set_code)[data.set_code] - 1.0)
    rows = []
    for at, who in enumerate(data.annotators):
        mine = data.annotator_code == at
        asked = float(others[mine].sum())
        rows.append((who, int(mine.sum()), float(same[mine].sum()) / asked if asked else math.nan))
    rows.sort(key=lambda one: (math.isnan(one[2]), one[2], one[0]))
    size = np.mean([len(one) for one in data.sets])
    chance = f"By chance it would be one in {size:.2g} with {counted(data.n_items, 'set')}."
    return BestWorstAnnotators(annotators=tuple(rows), notes=(chance,))
