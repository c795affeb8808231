"""CrowdTruth: the quality of items, annotators and labels, each weighed by the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assent.analyses.consensus.methods._em import MaxIterations, Tolerance, settle
from assent.analyses.consensus.probabilities import Probabilities
from assent.analyses.consensus.registry import Outcome, method
from assent.analyses.consensus.votes import Votes
from assent.limits import MEETINGS
from assent.profiles import Array
from assent.records import cached_property
from assent.text import counted

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["crowdtruth"]

#: Sums below this are 0 but for rounding (the value of the authors' program, with which results are compared).
SMALL = 1e-8


@method(title="CrowdTruth", references=("dumitrache2018",))
def crowdtruth(votes: Votes, *, tolerance: Tolerance = 1e-6, max_iterations: MaxIterations = 2000) -> Outcome:
    """Score the quality of items, annotators and labels together, and weigh the votes by the annotators' quality.

    An item's quality is the mean agreement of pairs of its annotators. An annotator's quality is the product of two means over
    their items: the agreement with each other annotator, and with the votes of all others together. The
    quality of a label is how probable an annotator gives it to an item if another one did. Each mean is weighted by the other two
    qualities, so that all are computed again until they stand still. The probability of a label is its share
    of the votes, weighted by the annotators' quality.

    When to use
    -----------
    Disagreement is to be kept as a signal: unclear items and labels are wanted, not only a label for each item.

    Not when
    --------
    Annotators mostly work alone: all qualities rest on shared items.

    Examples
    --------
    >>> import assent
    >>> table = [["a", "a", "b"], ["b", "b", "a"], ["a", "a", "a"], ["b", "b", "b"], ["a", "a", "a"]]
    >>> consensus = assent.consensus(table, "crowdtruth")
    >>> consensus.decided, consensus.item_scores["quality"].round(2).tolist()
    (['a', 'b', 'a', 'b', 'a'], [0.42, 0.42, 1.0, 1.0, 1.0])
    """
    model = _Model(votes)
    start = (np.ones(votes.n_items), np.ones(votes.n_annotators), np.ones(votes.n_labels))
    (items, quality, labels), run = settle(model.step, start, tolerance=tolerance, max_iterations=max_iterations)
    weighed, total = model.weighted(quality)
    alive = total > SMALL
    cells = np.where(alive[votes.cell_item], weighed / np.where(alive, total, 1.0)[votes.cell_item], 0.0)
    with_others, with_group = model.agreements(items, quality, labels)
    shared = votes.shared > 0
    dead = int((~alive).sum())
    notes = (f"{counted(dead, 'item')} with annotators of quality 0 alone: no label.",) if dead else ()
    return Outcome(
        probabilities=Probabilities.of_cells(votes, cells),
        item_scores={"quality": np.where(votes.sizes > 1, items, np.nan)},
        annotator_scores={
            "quality": np.where(shared, quality, np.nan),
            "with_others": np.where(shared, with_others, np.nan),
            "with_group": np.where(shared, with_group, np.nan),
        },
        label_scores={"quality": np.where(model.comparable_labels, labels, np.nan)},
        run=run,
        notes=notes,
    )


class _Model:
    """One round of the scores, from those of the round before."""

    def __init__(self, votes: Votes) -> None:
        self.votes = votes
        #: Annotations by pair of annotator and label, and where each pair begins.
        self._order = np.argsort(votes.pair, kind="stable")
        self._first = np.searchsorted(votes.pair[self._order], np.arange(len(votes.pair_label) + 1))
        shared = votes.sizes[votes.item] > 1
        self.comparable_labels = np.bincount(votes.label[shared], minlength=votes.n_labels) > 0
        self._of_item = self._annotators_by(votes.item, votes.n_items)
        self._of_cell = self._annotators_by(votes.cell, len(votes.cell_item))

    def _annotators_by(self, place: Array, places: int) -> csr_array[Any, tuple[int, int]]:
        """Return a 1 where an annotator was at a place: (places, annotators)."""
        from scipy.sparse import csr_array

        cells = (np.ones(len(place)), (place, self.votes.annotator))
        return csr_array(cells, shape=(places, self.votes.n_annotators))

    def step(self, state: tuple[Array, ...]) -> tuple[Array, ...]:
        """Compute all scores anew."""
        items, quality, labels = state
        with_others, with_group = self.agreements(items, quality, labels)
        return self.item_quality(quality), with_others * with_group, self.label_quality(items, quality)

    def weighted(self, quality: Array) -> tuple[Array, Array]:
        """Return the weighted votes for the label of each cell, and of each item."""
        votes = self.votes
        own = quality[votes.annotator]
        return votes.per_cell(own), votes.per_item(own)

    def item_quality(self, quality: Array) -> Array:
        """Return the weighted share of pairs of annotators that agree: (items,)."""
        votes = self.votes
        squares = quality[votes.annotator] ** 2
        weighed, total = self.weighted(quality)
        # Every pair stands twice in a square, and everybody once alone.
        agreeing = votes.cell_sums(np.maximum(weighed**2 - votes.per_cell(squares), 0.0)) / 2
        pairs = (total**2 - votes.per_item(squares)) / 2
        return np.where(votes.sizes > 1, agreeing / np.maximum(pairs, SMALL), 0.0)

    def agreements(self, items: Array, quality: Array, labels: Array) -> tuple[Array, Array]:
        """Return each annotator's agreement with the others one by one, and with all others together."""
        votes = self.votes
        own, worth = quality[votes.annotator], items[votes.item]
        weighed, total = self.weighted(quality)
        same = np.maximum(weighed[votes.cell] - own, 0.0)
        rest = np.maximum(total[votes.item] - own, 0.0)
        with_others = votes.per_annotator(worth * same) / np.maximum(votes.per_annotator(worth * rest), SMALL)
        # The cosine of one label with the votes of the others, labels weighted by their quality.
        value = labels[votes.label]
        squares = labels[votes.cell_label] * weighed**2
        apart = votes.cell_sums(squares)[votes.item] - squares[votes.cell]
        length = np.sqrt(np.maximum(apart, 0.0) + value * same**2)
        cosine = np.where(np.sqrt(value) * own * length < SMALL, 0.0, np.sqrt(value) * same / np.maximum(length, SMALL))
        with_group = votes.per_annotator(worth * cosine) / np.maximum(votes.per_annotator(worth), SMALL)
        return with_others, with_group

    def label_quality(self, items: Array, quality: Array) -> Array:
        """Return how probable one annotator gives a label if another one did: (labels,).

        For two annotators it is a ratio of sums over the items that they share. So there is a number for every annotator and
        label of theirs, and everybody they met; these are made and summed up in blocks.
        """
        votes = self.votes
        pairs = len(votes.pair_label)
        worth = items[votes.item[self._order]]
        found, weights = np.zeros(pairs), np.zeros(pairs)
        for first, last in zip(self._blocks[:-1], self._blocks[1:], strict=True):
            met = self._rows(first, last, worth, votes.item) @ self._of_item
            both = self._rows(first, last, worth, votes.cell) @ self._of_cell
            there = met.data > 0
            met.data = np.where(there, 1.0 / np.where(there, met.data, 1.0), 0.0)
            found[first:last] = both.multiply(met) @ quality
            met.data = there.astype(np.float64)
            weights[first:last] = met @ quality
        # In these sums everybody also meets and agrees with themselves, which is no pair of annotators.
        own = quality[votes.pair_annotator]
        alone = np.where(np.add.reduceat(worth, self._first[:-1]) > 0, own, 0.0)
        agreeing, meeting = (
            np.bincount(votes.pair_label, weights=own * (one - alone), minlength=votes.n_labels)
            for one in (found, weights)
        )
        return np.where(meeting > SMALL, np.maximum(agreeing / np.maximum(meeting, SMALL), SMALL), SMALL)

    @cached_property
    def _blocks(self) -> list[int]:
        """Bounds of blocks of pairs whose products fit into memory."""
        meetings = np.cumsum(self.votes.sizes[self.votes.item[self._order]])[self._first[1:] - 1]
        blocks = np.flatnonzero(np.diff(meetings // MEETINGS, prepend=-1))
        return [*np.unique([0, *blocks.tolist()]).tolist(), len(meetings)]

    def _rows(self, first: int, last: int, worth: Array, place: Array) -> csr_array[Any, tuple[int, int]]:
        """Return the items' worth at the places of some pairs: (pairs, places)."""
        from scipy.sparse import csr_array

        bounds = self._first[first : last + 1]
        inside = slice(bounds[0], bounds[-1])
        places = self._of_item.shape[0] if place is self.votes.item else self._of_cell.shape[0]
        return csr_array((worth[inside], place[self._order[inside]], bounds - bounds[0]), shape=(last - first, places))
