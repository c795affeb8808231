"""What a person reads of a consensus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from assent.documents import Document
from assent.documents.blocks import (
    Block,
    Cell,
    Column,
    Prose,
    Table,
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
from assent.limits import LISTED
from assent.profiles import Array
from assent.text import DASH, amount, counted, level, number

if TYPE_CHECKING:
    from assent.analyses.consensus.gold import GoldScore
    from assent.analyses.consensus.result import Consensus

__all__ = ["document"]

_Take = Callable[[int], Cell]


def document(found: Consensus) -> Document:
    """Return how it went, labels, annotators, the least certain items, and scores against known labels."""
    blocks: list[Block] = [Prose([_headline(found)], strong=True), _labels(found)]
    if found.annotators is not None:
        blocks.append(_annotators(found, found.annotators))
    blocks.append(_items(found))
    if found.gold is not None:
        blocks.append(_scores(found.scores))
    said = [found.data._reading_notes(), found.notes, () if found.gold is None else found.gold.notes]
    return Document("Consensus", [*blocks, *notes(*said)], summary=found.data.describe())


def _headline(found: Consensus) -> str:
    """Say in one sentence how it went."""
    said = (
        f"{found.title}: {len(found.items) - found.n_undecided:,} of {counted(len(found.items), 'item')} have a label"
    )
    if found.n_tied:
        said += f", {found.n_tied:,} {'is' if found.n_tied == 1 else 'are'} tied"
    if found.converged is not None:
        verb = "converged" if found.converged else "not converged"
        said += f"; {verb} after {counted(found.iterations or 0, 'iteration')}"
    if found.log_likelihood is not None:
        said += f"; log-likelihood {number(found.log_likelihood)}"
    return f"{said}."


def _labels(found: Consensus) -> Table:
    counts = np.bincount(found.label[found.label >= 0], minlength=len(found.labels))
    return table_of(
        "consensus-labels",
        "Labels",
        range(len(found.labels)),
        [
            (Column("label", "name"), lambda one: name(found.labels[one])),
            (Column("items"), lambda one: count(int(counts[one]))),
            *_numbers(found.label_scores),
        ],
    )


def _annotators(found: Consensus, annotators: Sequence[str]) -> Table:
    # What the method says of annotators comes after what is said of them in any case.
    main = next((one for one in found.annotator_scores if one not in ("annotations", "matched")), "matched")
    # NaN comes last.
    order = np.argsort(found.annotator_scores[main], kind="stable")
    return table_of(
        "consensus-annotators",
        "Annotators, the lowest first",
        order[:LISTED].tolist(),
        [(Column("annotator", "name"), lambda one: name(annotators[one])), *_numbers(found.annotator_scores)],
        more=_beyond(len(order), "annotator"),
    )


def _items(found: Consensus) -> Table:
    order = np.lexsort((np.nan_to_num(found.confidence), found.label >= 0))
    return table_of(
        "consensus-items",
        "Items, the least certain first",
        order[:LISTED].tolist(),
        [
            (Column("item", "name"), lambda one: name(found.items[one])),
            (Column("consensus", "name"), lambda one: _label(found, one)),
            (Column("confidence"), lambda one: coefficient(found.confidence[one])),
            (Column("votes", meaning="Annotations that hold the label."), lambda one: _votes(found, one)),
            *_numbers(found.item_scores),
        ],
        more=_beyond(len(order), "item"),
    )


def _beyond(many: int, noun: str) -> str:
    """Say how many are not among the rows."""
    return f"{counted(many - LISTED, f'more {noun}')} in the whole result." if many > LISTED else ""


def _label(found: Consensus, item: int) -> Cell:
    """Show what an item got, or between what it is tied."""
    if found.label[item] >= 0:
        return name(found.labels[found.label[item]])
    tied = found.tied_labels(item)
    return replace(names([(one, "") for one in tied]), mark="tie") if tied else words(DASH)


def _votes(found: Consensus, item: int) -> Cell:
    if found.label[item] < 0:
        return words(DASH)
    said = f"{amount(int(found.votes[item]))} of {amount(int(found.annotations[item]))}"
    return Cell(text=said, sort=float(found.votes[item]))


def _numbers(scores: Mapping[str, Array]) -> list[tuple[Column, _Take]]:
    """Return a column for each of some numbers: a count whole, any other with three digits."""

    def taking(values: Array) -> _Take:
        whole = values.dtype.kind in "iu"
        return lambda one: count(int(values[one])) if whole else coefficient(float(values[one]))

    return [(Column(said.replace("_", " ")), taking(np.asarray(values))) for said, values in scores.items()]


def _scores(scores: Sequence[GoldScore]) -> Table:
    return table_of(
        "consensus-gold",
        "Methods against known labels",
        scores,
        [
            (Column("method", "words"), lambda one: words(one.method)),
            (Column("accuracy"), lambda one: coefficient(one.accuracy)),
            (Column(f"{level(scores[0].level)} interval"), lambda one: between(one.low, one.high, digits=3)),
            (Column("macro F1"), lambda one: coefficient(one.macro_f1)),
            (
                Column(
                    "confidence",
                    meaning="Mean confidence of these labels: near the accuracy if it can be believed.",
                    optional=True,
                ),
                lambda one: coefficient(one.confidence),
            ),
            (
                Column("decided", meaning="Items that got a label; one without a label is not right."),
                lambda one: share(one.n_decided / one.n_items),
            ),
            (Column("items"), lambda one: count(one.n_items)),
        ],
    )
