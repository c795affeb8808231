"""The one-coin model: every annotator is right with a probability of their own, and all errors are alike."""

from __future__ import annotations

import numpy as np

from assent.analyses.consensus.methods._em import MaxIterations, Tolerance, run_em
from assent.analyses.consensus.methods.dawid_skene import FLOOR
from assent.analyses.consensus.probabilities import Probabilities
from assent.analyses.consensus.registry import Outcome, method
from assent.analyses.consensus.votes import Votes
from assent.profiles import Array

__all__ = ["one_coin", "weigh"]


@method(title="One-coin", references=("zhang2016", "dawid1979"))
def one_coin(votes: Votes, *, tolerance: Tolerance = 1e-6, max_iterations: MaxIterations = 2000) -> Outcome:
    """Estimate true labels together with how often each annotator is right, by maximum likelihood.

    Dawid and Skene's model with one number per annotator: with this probability they give the true label, else any other one,
    all equally probable. The EM algorithm starts from the shares of the votes; the likelihood never falls.
    The confidence is the probability of the label under the model. It may be a label that nobody gave, if those who
    annotated the item are wrong more often than not.

    When to use
    -----------
    Annotators differ in how good they are, and have few items each; or there are many labels.

    Not when
    --------
    Labels are confused in one direction, as "neutral" for "negative" is: use dawid-skene.

    Examples
    --------
    >>> import assent
    >>> table = [["a", "a", "b"], ["b", "b", "a"], ["a", "a", "b"], ["b", "b", "b"], ["c", "c", "b"]]
    >>> consensus = assent.consensus(table, "one-coin")
    >>> consensus.decided, consensus.annotator_scores["accuracy"].round(2).tolist()
    (['a', 'b', 'a', 'b', 'c'], [1.0, 1.0, 0.2])
    """
    shares = votes.votes / votes.sizes[votes.cell_item]
    others = max(1, votes.n_labels - 1)

    def estimate(cells: Array, elsewhere: Array, before: Array) -> tuple[Array, Array]:
        """Return how often each annotator is right, and how frequent labels are (the M step)."""
        right = votes.per_annotator(cells[votes.cell]) / np.maximum(votes.given, 1)
        found = np.bincount(votes.cell_label, weights=cells, minlength=votes.n_labels)
        given = np.bincount(votes.cell_label, weights=elsewhere[votes.cell_item], minlength=votes.n_labels)
        # A label has a probability, too, on items where nobody gave it.
        unseen = before * np.maximum(elsewhere.sum() - given, 0.0)
        return right, (found + unseen) / votes.n_items

    def step(state: tuple[Array, ...]) -> tuple[tuple[Array, ...], Array, float]:
        right, prior = estimate(*state[:3])
        prior = np.maximum(prior, FLOOR)
        hit = np.clip(right, FLOOR, 1 - FLOOR)
        miss = np.clip((1.0 - right) / others, FLOOR, 1 - FLOOR)
        cells, elsewhere, value = weigh(votes, np.log(hit)[votes.annotator], np.log(miss)[votes.annotator], prior)
        return (cells, elsewhere, prior, right), cells, value

    start: tuple[Array, ...] = (
        shares,
        np.zeros(votes.n_items),
        np.zeros(votes.n_labels),
        np.zeros(votes.n_annotators),
    )
    (cells, elsewhere, prior, right), _, run = run_em(
        step, start, shares, tolerance=tolerance, max_iterations=max_iterations
    )
    return Outcome(
        probabilities=Probabilities.of_cells(votes, cells, elsewhere, prior),
        annotator_scores={"accuracy": right},
        label_scores={"prior": prior},
        run=run,
        log_likelihood=run.trace[-1],
    )


def weigh(votes: Votes, hit: Array, miss: Array, prior: Array) -> tuple[Array, Array, float]:
    """Return how probable labels are if an annotation is as probable for one wrong label as for any other.

    It then takes sums over annotations alone, however many labels there are.

    Parameters
    ----------
    votes : Votes
        Of one label per annotation.
    hit, miss : array (annotations,)
        Log-probability of the annotation if its label is the true one, and if another one is.
    prior : array (labels,)

    Returns
    -------
    cells : array (cells,)
        Probability of labels that somebody gave the item.
    elsewhere : array (items,)
        Times the prior of a label: its probability if nobody gave it to the item.
    value : float
        Log-likelihood.
    """
    score = votes.per_cell(hit - miss) + np.log(prior)[votes.cell_label]
    full = np.diff(votes.starts) == votes.n_labels
    left = np.where(full, 0.0, np.maximum(prior.sum() - votes.cell_sums(prior[votes.cell_label]), 0.0))
    top = votes.cell_tops(score)
    shift = np.where(left > 0, np.maximum(top, 0.0), top)
    cells = np.exp(score - shift[votes.cell_item])
    rest = np.where(left > 0, np.exp(-shift), 0.0)
    total = votes.cell_sums(cells) + rest * left
    value = float(miss.sum() + shift.sum() + np.log(total).sum())
    return cells / total[votes.cell_item], rest / total, value
