"""Dawid and Skene's model: every annotator confuses labels in a way of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assent.analyses.consensus.methods._em import MaxIterations, Smoothing, Tolerance, run_em
from assent.analyses.consensus.probabilities import Probabilities
from assent.analyses.consensus.registry import Outcome, method
from assent.analyses.consensus.votes import Votes
from assent.errors import UnsuitableData
from assent.limits import CONFUSION_BYTES
from assent.profiles import Array
from assent.records import Struct, cached_property
from assent.text import counted

if TYPE_CHECKING:
    from scipy.sparse import csc_array, csr_array

__all__ = ["FLOOR", "dawid_skene", "normalised", "spread"]

#: No expected count is below this, so that no answer is impossible (the value of crowd-kit, with which results are compared).
FLOOR = 1e-10
#: With fewer annotations per number to be estimated one-coin came nearer to simulated truths (docs/consensus.md).
FEW = 4


class _Parameters(Struct, frozen=True, eq=False):
    """What is estimated: how frequent labels are, (labels,), and how probable answers are.

    `error` is (labels, pairs): for each true label, and each pair of an annotator and a label of theirs, how probable
    it is. Pairs that do not occur need no number.
    """

    prior: Array
    error: Array


@method(title="Dawid-Skene", references=("dawid1979",), learns=True)
def dawid_skene(
    votes: Votes, *, tolerance: Tolerance = 1e-6, max_iterations: MaxIterations = 2000, smoothing: Smoothing = 0.0
) -> Outcome:
    """Estimate true labels together with how each annotator confuses them, by maximum likelihood.

    Each annotator has a matrix of confusion: how probable each answer is for each true label. The EM algorithm starts from the
    shares of the votes and alternates between the matrices and the probabilities of the true labels; the
    likelihood never falls. The confidence is the probability of the label under the model, which is too sure of itself
    if the model does not hold. An annotator's accuracy is how probable their answer is right, averaged over true labels.

    `tolerance` is the largest change of a probability at which it ends, `max_iterations` the number of rounds after which
    it ends in any case. `smoothing` adds as much to every expected count, which helps a little where annotators have some dozens
    of items, and harms where they have fewer.

    When to use
    -----------
    Annotators differ, each has labelled some dozens of items, and labels are confused in one direction.

    Not when
    --------
    Annotators have a few items each: there are more numbers to estimate than annotations can tell. Use one-coin.

    Examples
    --------
    >>> import assent
    >>> table = [["a", "a", "b"], ["b", "b", "a"], ["a", "a", "b"], ["b", "b", "b"], ["a", "b", "b"]]
    >>> consensus = assent.consensus(table, "dawid-skene")
    >>> consensus.decided[:4], consensus.converged
    (['a', 'b', 'a', 'b'], True)
    """
    # A label that nobody gave would be one more hidden class, to explain whatever the others do not.
    compact, used = votes.in_use()
    model = _Model(compact, smoothing)
    model.check_memory()
    start = compact.settled(model.shares.copy())
    (_, parameters), posterior, run = run_em(
        lambda state: model.step(state[0]),
        (start, _Parameters(np.empty(0), np.empty((0, 0)))),
        start,
        tolerance=tolerance,
        max_iterations=max_iterations,
    )
    prior = spread(parameters.prior, used, votes.n_labels, 0.0)
    return Outcome(
        probabilities=Probabilities(given=spread(posterior, used, votes.n_labels, 0.0).T),
        annotator_scores={"accuracy": model.accuracy(parameters)},
        label_scores={"prior": prior},
        run=run,
        log_likelihood=run.trace[-1] - model.log_prior(parameters),
        details={
            "prior": prior,
            "pair_annotator": compact.pair_annotator,
            "pair_label": used[compact.pair_label],
            "error": spread(parameters.error, used, votes.n_labels, np.nan).T,
        },
        notes=model.notes,
    )


def spread(values: Array, used: Array, labels: int, otherwise: float) -> Array:
    """Put rows of the labels in use among those of all labels: (labels, ...)."""
    if len(used) == labels:
        return values
    whole = np.full((labels, *values.shape[1:]), otherwise)
    whole[used] = values
    return whole


def normalised(joint: Array, votes: Votes) -> tuple[Array, float]:
    """Turn logarithms of joint probabilities, (labels, items), into probabilities of the labels, in place; return the log-likelihood, too.

    Of an item whose label is known, the likelihood is that of its annotations with this label.
    """
    top = joint.max(axis=0)
    told = 0.0
    if votes.known is not None:
        items = np.flatnonzero(votes.known >= 0)
        told = float((joint[votes.known[items], items] - top[items]).sum())
    joint -= top
    np.exp(joint, out=joint)
    total = joint.sum(axis=0)
    joint /= total
    logs = np.log(total)
    if votes.known is not None:
        logs[votes.known >= 0] = 0.0
    return votes.settled(joint), float(top.sum() + logs.sum()) + told


class _Model:
    """The sums that the EM algorithm needs, as sparse products.

    Tables are (labels, items) and (labels, pairs): numpy is slow on the short rows of the transposed ones.
    """

    def __init__(self, votes: Votes, smoothing: float) -> None:
        self.votes = votes
        self.smoothing = smoothing
        self._first = votes.pair_starts[:-1]
        self._unused = votes.n_labels - np.diff(votes.pair_starts)
        self._spare: Array | None = None

    @property
    def bytes(self) -> int:
        """Memory for the matrices of confusion and the probabilities of items, with room to compute them."""
        return 8 * self.votes.n_labels * (3 * len(self.votes.pair_label) + 4 * self.votes.n_items)

    def check_memory(self) -> None:
        """Refuse what does not fit."""
        if self.bytes > CONFUSION_BYTES:
            raise UnsuitableData(
                f"Dawid-Skene would need {self.bytes / 1e9:,.0f} GB for the confusion of {self.votes.n_labels:,} labels by "
                f"{self.votes.n_annotators:,} annotators on {self.votes.n_items:,} items, more than the {CONFUSION_BYTES / 1e9:g} GB it "
                "may take: use one-coin or mace, or merge labels first."
            )

    @cached_property
    def by_item(self) -> csr_array[Any, tuple[int, int]]:
        """A 1 for each annotation: (items, pairs)."""
        from scipy.sparse import csr_array

        kind = np.int32 if len(self.votes.item) < 2**31 - 1 else np.int64
        cells = (self.votes.item.astype(kind), self.votes.pair.astype(kind))
        shape = (self.votes.n_items, len(self.votes.pair_label))
        return csr_array((np.ones(len(self.votes.pair)), cells), shape=shape)

    @cached_property
    def by_pair(self) -> csc_array[Any]:
        """The same, turned: (pairs, items)."""
        return self.by_item.T

    @cached_property
    def shares(self) -> Array:
        """Share of the votes of each label: (labels, items)."""
        votes = self.votes
        cells = np.bincount(votes.label * votes.n_items + votes.item, minlength=votes.n_labels * votes.n_items)
        return cells.reshape(votes.n_labels, votes.n_items) / votes.sizes

    def step(self, posterior: Array) -> tuple[tuple[Array, _Parameters], Array, float]:
        """Estimate the parameters from the probabilities of the labels, and these from the parameters."""
        parameters = self.estimate(posterior)
        # What was needed two rounds ago is written over.
        moved, value = self.expect(parameters, np.empty_like(posterior) if self._spare is None else self._spare)
        self._spare = posterior
        return (moved, parameters), moved, value + self.log_prior(parameters)

    def estimate(self, posterior: Array) -> _Parameters:
        """Return the most likely parameters for probabilities of the labels, (labels, items): the M step."""
        counts = np.stack([self.by_pair @ row for row in posterior])
        counts = np.maximum(counts + self.smoothing, FLOOR)
        # The labels that an annotator never used have their share of the smoothing, too.
        totals = np.add.reduceat(counts, self._first, axis=1) + self.smoothing * self._unused
        prior = posterior.sum(axis=1) / self.votes.n_items
        return _Parameters(np.maximum(prior, FLOOR), counts / totals[:, self.votes.pair_annotator])

    def expect(self, parameters: _Parameters, joint: Array) -> tuple[Array, float]:
        """Put the probabilities of the labels under the parameters into `joint`, (labels, items): the E step.

        Returns
        -------
        array, and the log-likelihood of the parameters.
        """
        for label, (row, share) in enumerate(zip(np.log(parameters.error), np.log(parameters.prior), strict=True)):
            np.add(self.by_item @ row, share, out=joint[label])
        return normalised(joint, self.votes)

    def log_prior(self, parameters: _Parameters) -> float:
        """Return what smoothing adds to the log-likelihood: without a constant, the log density of a Dirichlet prior."""
        if not self.smoothing:
            return 0.0
        some = self._unused > 0
        # Labels that an annotator never used share equally what the others leave over.
        left = 1.0 - np.add.reduceat(parameters.error, self._first, axis=1)[:, some]
        rest = (self._unused[some] * np.log(left / self._unused[some])).sum()
        return self.smoothing * float(np.log(parameters.error).sum() + rest)

    def accuracy(self, parameters: _Parameters) -> Array:
        """Return how probable each annotator's answer is right: (annotators,)."""
        label = self.votes.pair_label
        right = parameters.prior[label] * parameters.error[label, np.arange(len(label))]
        found = np.bincount(self.votes.pair_annotator, weights=right, minlength=self.votes.n_annotators)
        return np.asarray(found / parameters.prior.sum())

    @property
    def notes(self) -> tuple[str, ...]:
        """Say so if there is more to estimate than annotations can tell."""
        labels, annotations = self.votes.n_labels, len(self.votes.item)
        numbers = int(((labels - self._unused - 1) * labels).sum()) + labels - 1
        if FEW * numbers <= annotations:
            return ()
        return (
            f"Dawid-Skene estimates {counted(numbers, 'number')} from {counted(annotations, 'annotation')}: with so few annotations per annotator "
            "one-coin, which estimates one number each, is usually nearer to the truth.",
        )
