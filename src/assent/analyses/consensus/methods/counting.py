"""Majority and intersection: nothing but counting."""

from __future__ import annotations

import numpy as np

from assent.analyses.consensus.probabilities import Probabilities
from assent.analyses.consensus.registry import Outcome, method
from assent.analyses.consensus.votes import Votes
from assent.profiles import Array
from assent.text import counted, percent, quoted

__all__ = ["intersection", "majority"]


@method(title="Majority", references=(), asks_who=False)
def majority(votes: Votes) -> Outcome:
    """Take the label that most annotators gave.

    Every annotator counts the same. The probability of a label is its share of the votes, so three votes of three make 1: it is
    a share, not the chance to be right.

    When to use
    -----------
    As a first look, and where annotators are about equally good.

    Not when
    --------
    Some annotators are much worse than others, or there are two votes an item: every disagreement is a tie then.

    Examples
    --------
    >>> import assent
    >>> assent.consensus([["a", "a", "b"], ["a", "b", None]], "majority").decided
    ['a', None]
    """
    shares = votes.votes / votes.sizes[votes.cell_item]
    return Outcome(probabilities=Probabilities.of_cells(votes, shares))


@method(title="Intersection", references=("marchal2022",), asks_who=False, takes_sets=True)
def intersection(votes: Votes) -> Outcome:
    """Take the label that all annotators of an item gave.

    Where an annotation may hold several labels, this is the label that occurs in all of them. Several common labels are a tie
    between these; no common label leaves the item without one, and so does a single annotation, which has nothing
    to be intersected with. The confidence is 1 divided by the number of common labels.

    When to use
    -----------
    Annotators were allowed several labels, and one label on which all agree is wanted.

    Not when
    --------
    There are many annotators: one of them can empty the intersection.

    Examples
    --------
    >>> import assent
    >>> assent.consensus([["a", "a", "a"], ["a", "a", "b"]], "intersection").decided
    ['a', None]
    """
    size = votes.sizes[votes.cell_item]
    common = ((votes.votes == size) & (size > 1)).astype(np.float64)
    number = votes.cell_sums(common)
    shares = common / np.maximum(number, 1.0)[votes.cell_item]
    apart = int(((number == 0) & (votes.sizes > 1)).sum())
    notes = []
    if apart:
        verb = "has no label" if apart == 1 else "have no label"
        notes.append(f"{counted(apart, 'item')} {verb}, because there is none that all of their annotators gave.")
    single = int((votes.sizes == 1).sum())
    if single:
        notes.append(f"{counted(single, 'item')} with one annotation: there is no intersection, and so no label.")
    notes += _over_represented(votes, shares)
    return Outcome(probabilities=Probabilities.of_cells(votes, shares), notes=tuple(notes))


#: A label whose share grows by so much by taking what all gave is worth a word.
GROWN = 0.02


def _over_represented(votes: Votes, shares: Array) -> list[str]:
    """Say which label common labels hold more of than the annotations do: luck finds a frequent label in common more often."""
    given = np.bincount(votes.cell_label, weights=votes.votes, minlength=votes.n_labels)
    common = np.bincount(votes.cell_label, weights=shares, minlength=votes.n_labels)
    if not common.sum():
        return []
    before, after = given / given.sum(), common / common.sum()
    most = int(np.argmax(after - before))
    if after[most] - before[most] < GROWN:
        return []
    return [
        f"Labels that all gave hold more of the frequent ones: {quoted(votes.names[most])} makes up {percent(float(after[most]))} of them and "
        f"{percent(float(before[most]))} of what was given. Do not read label shares off them."
    ]
