"""Dawid and Skene's model with annotators who are like each other: whoever has few items borrows from all.

References
----------
Minka, T. P. (2000). Estimating a Dirichlet distribution. Technical report, MIT.
Paun, S., Carpenter, B., Chamberlain, J., Hovy, D., Kruschwitz, U. and Poesio, M. (2018). Comparing Bayesian models of annotation.
Transactions of the ACL 6, 571-585. https://doi.org/10.1162/tacl_a_00040
"""

from __future__ import annotations

import numpy as np

from assent.analyses.consensus.methods._em import MaxIterations, Tolerance, run_em
from assent.analyses.consensus.methods.dawid_skene import FLOOR, normalised, spread
from assent.analyses.consensus.probabilities import Probabilities
from assent.analyses.consensus.registry import Outcome, method
from assent.analyses.consensus.votes import Votes
from assent.errors import UnsuitableData
from assent.limits import CONFUSION_BYTES
from assent.profiles import Array

__all__ = ["pooled_dawid_skene"]

#: What annotators have in common is worth so many annotations at first.
START = 10.0
#: Each part of it lies between these: 0 would make an answer impossible, and no number of annotations is infinite.
LEAST, MOST = 0.01, 1000.0
#: Steps towards what annotators have in common in each round.
STEPS = 5


@method(title="Pooled Dawid-Skene", references=("dawid1979", "paun2018"), learns=True)
def pooled_dawid_skene(votes: Votes, *, tolerance: Tolerance = 1e-6, max_iterations: MaxIterations = 2000) -> Outcome:
    """Estimate true labels together with how each annotator confuses them, each annotator being one of a population.

    Dawid and Skene's model in which the confusions of all annotators are drawn from one Dirichlet distribution for each true label, which is estimated,
    too. An annotator with few items is taken to confuse labels as the others do, one with many as their own answers show, and how much the
    others count is learnt from how alike they are (empirical Bayes). The algorithm is variational: what never falls is the bound.
    An annotator's accuracy is how probable their answer is right, averaged over true labels. The confidence is the probability of the label
    under the model, which is too sure of itself if annotators err together.

    When to use
    -----------
    Annotators differ and have few items each, and labels are confused in one direction.

    Not when
    --------
    All have hundreds of items: dawid-skene says the same and is faster.

    Examples
    --------
    >>> import assent
    >>> table = [
    ...     ["a", "a", "b"],
    ...     ["b", "b", "b"],
    ...     ["a", "a", "a"],
    ...     ["b", "b", "a"],
    ...     ["a", "a", "a"],
    ...     ["b", "b", "b"],
    ... ] * 3
    >>> consensus = assent.consensus(table, "pooled-dawid-skene")
    >>> consensus.decided[:6], consensus.converged
    (['a', 'b', 'a', 'b', 'a', 'b'], True)
    """
    compact, used = votes.in_use()
    model = _Model(compact)
    start = model.start()
    none: dict[str, Array] = {}
    (_, state), posterior, run = run_em(
        lambda state: model.step(*state), (start, none), start, tolerance=tolerance, max_iterations=max_iterations
    )
    prior = spread(state["prior"], used, votes.n_labels, 0.0)
    strength = spread(state["common"].sum(axis=1), used, votes.n_labels, np.nan)
    return Outcome(
        probabilities=Probabilities(given=spread(posterior, used, votes.n_labels, 0.0).T),
        annotator_scores={"accuracy": model.accuracy(state)},
        label_scores={"prior": prior, "alike": strength},
        run=run,
        log_likelihood=run.trace[-1],
        details={"prior": prior, "common": state["common"]},
    )


class _Model:
    """The sums that coordinate ascent needs; tables are (true labels, pairs of annotator and label) and (true labels, items)."""

    def __init__(self, votes: Votes) -> None:
        from scipy.sparse import csr_array

        size = 8 * votes.n_labels * (4 * len(votes.pair_label) + 4 * votes.n_items + votes.n_labels)
        if size > CONFUSION_BYTES:
            raise UnsuitableData(
                f"Pooled Dawid-Skene would need {size / 1e9:,.0f} GB for the confusion of {votes.n_labels:,} labels by {votes.n_annotators:,} "
                f"annotators, more than the {CONFUSION_BYTES / 1e9:g} GB it may take: use one-coin or mace, or merge labels first."
            )
        self.votes = votes
        self._first = votes.pair_starts[:-1]
        cells = (np.ones(len(votes.pair)), (votes.item, votes.pair))
        self.by_item = csr_array(cells, shape=(votes.n_items, len(votes.pair_label)))
        self.by_pair = self.by_item.T

    def start(self) -> Array:
        """Return the shares of the votes: (labels, items)."""
        votes = self.votes
        cells = np.bincount(votes.label * votes.n_items + votes.item, minlength=votes.n_labels * votes.n_items)
        return votes.settled(cells.reshape(votes.n_labels, votes.n_items) / votes.sizes)

    def step(self, posterior: Array, before: dict[str, Array]) -> tuple[tuple[Array, dict[str, Array]], Array, float]:
        """Estimate what annotators have in common and how each confuses labels, then the probabilities of the labels."""
        counts = np.stack([self.by_pair @ row for row in posterior])
        common = before["common"] if before else self._first_common(counts)
        for _ in range(STEPS):
            common = self._common(counts, common)
        prior = np.maximum(posterior.sum(axis=1) / self.votes.n_items, FLOOR)
        state = {"common": common, "prior": prior, "counts": counts}
        moved, value = self._expect(state)
        return (moved, state), moved, value

    def _first_common(self, counts: Array) -> Array:
        """Return how labels are confused by all together, worth a few annotations: (true labels, labels)."""
        labels = self.votes.n_labels
        pooled = np.stack([np.bincount(self.votes.pair_label, weights=row, minlength=labels) for row in counts])
        share = (pooled + 1.0 / labels) / (pooled.sum(axis=1, keepdims=True) + 1.0)
        return np.asarray(np.clip(START * share, LEAST, MOST))

    def _common(self, counts: Array, common: Array) -> Array:
        """Take one of Minka's steps towards the most likely Dirichlet distribution of the annotators' confusions."""
        from scipy.special import digamma

        labels, pair_label = self.votes.n_labels, self.votes.pair_label
        totals = np.add.reduceat(counts, self._first, axis=1)
        mass = common.sum(axis=1, keepdims=True)
        # Labels that an annotator never used add nothing.
        above = digamma(counts + common[:, pair_label]) - digamma(common)[:, pair_label]
        above = np.stack([np.bincount(pair_label, weights=row, minlength=labels) for row in above])
        below = (digamma(totals + mass) - digamma(mass)).sum(axis=1, keepdims=True)
        return np.asarray(np.clip(common * above / np.maximum(below, 1e-300), LEAST, MOST))

    def _expect(self, state: dict[str, Array]) -> tuple[Array, float]:
        """Return the probabilities of the labels given the expected logarithms of the confusions, and the bound."""
        from scipy.special import digamma, gammaln

        common, counts, prior = state["common"], state["counts"], state["prior"]
        pair_label, who = self.votes.pair_label, self.votes.pair_annotator
        totals = np.add.reduceat(counts, self._first, axis=1)
        mass = common.sum(axis=1, keepdims=True)
        after = counts + common[:, pair_label]
        logs = digamma(after) - digamma(totals + mass)[:, who]
        joint = np.stack([self.by_item @ row for row in logs]) + np.log(prior)[:, None]
        posterior, value = normalised(joint, self.votes)
        # What the distributions of the confusions cost: their divergence from what annotators have in common.
        cost = (gammaln(totals + mass) - gammaln(mass)).sum() - (gammaln(after) - gammaln(common)[:, pair_label]).sum()
        return posterior, float(value - cost - (counts * logs).sum())

    def accuracy(self, state: dict[str, Array]) -> Array:
        """Return how probable each annotator's answer is right: (annotators,)."""
        common, counts, prior = state["common"], state["counts"], state["prior"]
        labels, votes = self.votes.n_labels, self.votes
        totals = np.add.reduceat(counts, self._first, axis=1) + common.sum(axis=1, keepdims=True)
        own = np.zeros((labels, votes.n_annotators))
        own[votes.pair_label, votes.pair_annotator] = counts[votes.pair_label, np.arange(len(votes.pair_label))]
        right = (own + np.diag(common)[:, None]) / totals
        return np.asarray(prior @ right / prior.sum())
