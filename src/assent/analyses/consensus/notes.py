"""What a reader of a consensus must know about the data behind it."""

from __future__ import annotations

from assent.analyses.consensus.probabilities import Best
from assent.analyses.consensus.votes import Votes
from assent.data import Annotations
from assent.engines import Rows
from assent.profiles import Array
from assent.text import counted, shown

__all__ = ["notes_of"]


def notes_of(
    data: Annotations, votes: Votes, label: Array, best: Best, *, ties: str, seed: int, asks_who: bool
) -> list[str]:
    """Count ties, single annotations, annotators who did next to nothing, and what is not there at all."""
    notes = []
    if len(votes.label) and (votes.label == votes.label[0]).all():
        only = shown(votes.names[int(votes.label[0])])
        notes.append(f"Every annotation is {only}: there is nothing to decide.")
    tied = int(best.tied.sum())
    if tied and ties == "random":
        notes.append(f"{counted(tied, 'tied item')} got one of the tied labels at random (seed {seed}).")
    elif tied:
        verb = "is tied and has" if tied == 1 else "are tied and have"
        notes.append(f"{counted(tied, 'item')} {verb} no label; the column tied says between which labels.")
    single = int((votes.sizes == 1).sum())
    if single:
        what = "its label" if single == 1 else "their labels"
        notes.append(f"{counted(single, 'item')} with one annotation: nothing confirms {what}.")
    if asks_who:
        once, alone = int((votes.given == 1).sum()), int((votes.shared == 0).sum())
        if once:
            notes.append(f"{counted(once, 'annotator')} with one annotation: what is said of them rests on it alone.")
        if alone:
            notes.append(
                f"{counted(alone, 'annotator')} without an item that somebody else annotated: nothing can be said of them."
            )
    absent = _items_without_annotation(data, len(votes.sizes))
    if absent:
        verb = "has no annotation and is" if absent == 1 else "have no annotation and are"
        notes.append(f"{counted(absent, 'item')} of the table {verb} not in the result.")
    return notes


def _items_without_annotation(data: Annotations, annotated: int) -> int:
    """Count items of the table that nobody annotated."""
    if isinstance(data._source, Rows):
        return data._source.item_count() - annotated if any(one.code == "missing-label" for one in data.dropped) else 0
    return sum(one.rows for one in data.dropped if one.code == "unlabelled-item")
