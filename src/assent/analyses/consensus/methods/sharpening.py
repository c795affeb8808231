"""Sharpening: annotators and items are weighed by each other until the weights stand still."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from assent.analyses.consensus.methods._em import MaxIterations, Tolerance, settle
from assent.analyses.consensus.probabilities import Probabilities
from assent.analyses.consensus.registry import Outcome, method
from assent.analyses.consensus.votes import Votes
from assent.profiles import Array
from assent.registry import number
from assent.text import counted

__all__ = ["sharpening"]

#: A sum of weights below this is 0 but for rounding.
NOTHING = 1e-12

Primary = Annotated[
    float | None,
    number(
        "primary",
        least=0.5,
        most=1,
        must="lie between 0.5 and 1",
        values="0.5 to 1",
        metavar="P",
        help="What the primary of several ranked labels gets, from 0.5 to 1; else all share equally.",
    ),
]


@method(title="Sharpening", references=("rosenberg2004",), takes_sets=True)
def sharpening(
    votes: Votes, *, primary: Primary = None, tolerance: Tolerance = 1e-6, max_iterations: MaxIterations = 2000
) -> Outcome:
    """Weigh annotators by how far they agree with the others, and items by how far their annotators agree.

    The weight of an annotator is their kappa with the group: the agreement, beyond chance, of their labels with the weighted labels
    of the others, on items that they share, each item counted by its weight; 0 if it is negative. The
    weight of an item is 1 less the entropy of its weighted labels, divided by the largest possible one. Both are computed in
    turn until they stand still. The probability of a label is its share of the weighted votes.

    Where an annotation holds several labels it is shared out among them: equally, or with `primary` for the first one.
    Someone with fewer than two shared items, or whose kappa is undefined, cannot be judged and gets the mean weight
    of those who can.

    When to use
    -----------
    A few annotators are unreliable, annotations hold several labels, or weights are wanted that need no model.

    Not when
    --------
    There are two annotators: each has the other for a group, so both have the same weight, and it is a majority again. Nor to
    find out who is wrong: items on which annotators disagree count less, and so do the errors of those who err there.

    Examples
    --------
    >>> import assent
    >>> table = [["a", "a", "a"], ["b", "b", "a"], ["a", "a", "a"], ["b", "b", "a"], ["a", "a", "a"]]
    >>> consensus = assent.consensus(table, "sharpening")
    >>> consensus.annotator_scores["weight"].round(2).tolist()
    [1.0, 1.0, 0.0]
    """
    model = _Model(votes)
    start = (np.ones(votes.n_annotators), np.ones(votes.n_items))
    (weight, _), run = settle(model.step, start, tolerance=tolerance, max_iterations=max_iterations)
    cells, total = model.labels_of(weight)
    kappa, known = model.kappas(weight, model.item_weights(cells))
    return Outcome(
        probabilities=Probabilities.of_cells(votes, cells),
        item_scores={"weight": np.where(total > NOTHING, model.item_weights(cells), np.nan)},
        annotator_scores={"weight": weight, "kappa": np.where(known, kappa, np.nan)},
        run=run,
        notes=tuple(_notes(model, weight, known, total)),
    )


class _Model:
    """Weights of annotators and items, each from the other."""

    def __init__(self, votes: Votes) -> None:
        from scipy.sparse import csr_array

        self.votes = votes
        self.judgeable = votes.shared >= 2
        # Where each (annotator, item) stands, so that sums over the labels of an item are one sparse product.
        annotations = len(votes.item)
        shape = (votes.n_annotators, votes.n_items)
        order = csr_array((np.arange(1, annotations + 1), (votes.annotator, votes.item)), shape=shape)
        order.sort_indices()
        self._order, self._who_where = order.data - 1, order

    def step(self, state: tuple[Array, ...]) -> tuple[Array, ...]:
        """Weigh items by the annotators' weights, and annotators by both."""
        weight, _ = state
        items = self.item_weights(self.labels_of(weight)[0])
        # With nobody of any weight left there is nobody to agree with.
        return (self.filled(*self.kappas(weight, items)) if weight.any() else weight), items

    def filled(self, kappa: Array, known: Array) -> Array:
        """Turn kappas into weights: 0 where they are not above it by more than rounding, and the mean weight for those who cannot be judged."""
        if not known.any():
            return np.ones(len(kappa))
        weight = np.where(known & (kappa > NOTHING), kappa, 0.0)
        return np.where(known, weight, weight[known].mean())

    def labels_of(self, weight: Array) -> tuple[Array, Array]:
        """Return the weighted share of each cell's label, and the weight of all annotations of each item."""
        votes = self.votes
        total = votes.per_item(weight[votes.annotator])
        weighed = votes.per_cell(weight[votes.annotator[votes.entry]] * votes.weight)
        alive = total > NOTHING
        return np.where(alive[votes.cell_item], weighed / np.where(alive, total, 1.0)[votes.cell_item], 0.0), total

    def item_weights(self, cells: Array) -> Array:
        """Return 1 less the entropy of each item's labels, of the largest possible: (items,)."""
        if self.votes.n_labels < 2:
            return np.ones(self.votes.n_items)
        terms = np.where(cells > 0, -cells * np.log(np.where(cells > 0, cells, 1.0)), 0.0)
        # Rounding may leave an entropy a little above its bound.
        return np.asarray(np.maximum(1.0 - self.votes.cell_sums(terms) / np.log(self.votes.n_labels), 0.0))

    def kappas(self, weight: Array, items: Array) -> tuple[Array, Array]:
        """Return the kappa of each annotator with the weighted others, and whether there is one.

        Of the items of an annotator that somebody of weight annotated, too: observed agreement is the mean product of
        their labels with the others' weighted labels, expected agreement the product of the two means.
        """
        votes = self.votes
        own = weight[votes.annotator]
        cells, total = self.labels_of(weight)
        others = total[votes.item] - own
        counts = np.where(others > NOTHING, items[votes.item], 0.0)
        per_other = np.where(others > NOTHING, 1.0 / np.where(others > NOTHING, others, 1.0), 0.0)
        mass = votes.per_annotator(counts)
        # The votes of the others for each label that the annotator gave.
        entry: Array = votes.entry
        weighed = cells * total[votes.cell_item]
        rest = np.maximum(weighed[votes.cell] - own[entry] * votes.weight, 0.0)
        agreed = counts[entry] * votes.weight * rest * per_other[entry]
        product = np.bincount(votes.annotator[entry], weights=agreed, minlength=votes.n_annotators)
        mine = np.bincount(votes.pair, weights=counts[entry] * votes.weight, minlength=len(votes.pair_label))
        own_part = np.bincount(
            votes.pair, weights=(counts * per_other * own)[entry] * votes.weight, minlength=len(votes.pair_label)
        )
        chance = self._crossed(mine, counts * per_other, weighed)
        chance -= np.bincount(votes.pair_annotator, weights=mine * own_part, minlength=votes.n_annotators)
        alive = mass > NOTHING
        mass = np.where(alive, mass, 1.0)
        observed, expected = product / mass, chance / mass**2
        known = alive & self.judgeable & (1.0 - expected > NOTHING)
        kappa = (observed - expected) / np.where(known, 1.0 - expected, 1.0)
        return np.where(known, kappa, np.nan), known

    def _crossed(self, mine: Array, scale: Array, weighed: Array) -> Array:
        """Multiply an annotator's use of each label, (pairs,), with all votes for it on their items, each times its scale."""
        from scipy.sparse import csr_array

        votes, where = self.votes, self._who_where
        scaled = csr_array((scale[self._order], where.indices, where.indptr), shape=where.shape)
        table = csr_array((weighed, votes.cell_label, votes.starts), shape=(votes.n_items, votes.n_labels))
        used = csr_array((mine, votes.pair_label, votes.pair_starts), shape=(votes.n_annotators, votes.n_labels))
        return np.asarray((scaled @ table).multiply(used).sum(axis=1)).ravel()


def _notes(model: _Model, weight: Array, known: Array, total: Array) -> list[str]:
    if not weight.any():
        return ["No annotator agrees with the others beyond chance: all weights are 0, and no item gets a label."]
    notes = []
    zero = int((known & (weight == 0)).sum())
    if zero:
        noun = "annotator agrees" if zero == 1 else "annotators agree"
        notes.append(f"{zero:,} {noun} with the others no more than by chance: weight 0.")
    blind = int((~known).sum())
    if blind and known.any():
        notes.append(
            f"{counted(blind, 'annotator')} cannot be judged (fewer than two shared items, or one label alone): the mean weight "
            f"of the others, {weight[known].mean():.2f}, is taken."
        )
    elif blind:
        notes.append("No annotator can be judged by the others: all count the same.")
    dead = int((total <= NOTHING).sum())
    if dead:
        what = "has annotators" if dead == 1 else "have annotators"
        notes.append(f"{counted(dead, 'item')} {what} of weight 0 alone, and so no label.")
    return notes
