"""MACE: every annotator either knows the label or spams."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from msgspec.structs import replace

from assent.analyses.consensus.methods._em import MaxIterations, Run, Smoothing, Tolerance, run_em
from assent.analyses.consensus.methods.dawid_skene import FLOOR
from assent.analyses.consensus.methods.one_coin import weigh
from assent.analyses.consensus.probabilities import Probabilities
from assent.analyses.consensus.registry import Outcome, method
from assent.analyses.consensus.votes import Votes
from assent.errors import OptionError
from assent.profiles import Array
from assent.records import Struct
from assent.registry import Takes, number

__all__ = ["mace"]

#: Hyperparameters of the variational estimate, as published: of knowing against spamming, and of the labels of spam.
KNOWING_PRIOR, SPAM_PRIOR = 0.5, 10.0

#: Each start has so many rounds, as published; the best one alone goes on, by longer steps.
TRIAL = 50


class _Spam(Struct, frozen=True, eq=False):
    """What is estimated: how probable each annotator knows and spams, (annotators,), and with which labels, (pairs,).

    `penalty` is what priors add to the log-likelihood; `means` are the three estimates if these are distributions.
    """

    knows: Array
    spams: Array
    label: Array
    penalty: float = 0.0
    means: tuple[Array, Array, Array] | None = None


class _State(Struct, frozen=True, eq=False):
    """Parameters, the probabilities of labels under them, the bound, and the counts that the next parameters come from."""

    spam: _Spam
    cells: Array
    elsewhere: Array
    value: float
    counts: Array


@method(title="MACE", references=("hovy2013", "varadhan2008"))
def mace(
    votes: Votes,
    *,
    estimation: Annotated[
        Literal["variational", "em"], Takes(help="With priors, or by em, for maximum likelihood.")
    ] = "variational",
    restarts: Annotated[
        int,
        number(
            "restarts",
            least=1,
            whole=True,
            must="be at least 1",
            help="Starts, the best of which is kept: 10 unless given.",
        ),
    ] = 10,
    smoothing: Smoothing = 0.0,
    tolerance: Tolerance = 1e-6,
    max_iterations: MaxIterations = 2000,
    seed: int = 0,
) -> Outcome:
    """Estimate true labels together with each annotator's competence: how often they know the label rather than spam.

    An annotator who knows gives the true label; one who spams gives any label, by habits of their own. All true labels are equally
    probable beforehand. The first of the `restarts` begins with the shares of the votes, the others at random;
    after 50 rounds, as published, the best one alone goes on. `estimation` is ``variational``, with the priors of the paper, which keep annotators with few items from
    being judged too boldly; or ``em``, for maximum likelihood, where `smoothing` adds as much to every expected count.
    What never falls is the bound on the likelihood for the former, the likelihood for the latter.

    When to use
    -----------
    Some annotators may be spammers: a competence near 0 says so, even if they always give the most frequent label.

    Not when
    --------
    One label is much more frequent than all others: that is not in the model.

    Examples
    --------
    >>> import assent
    >>> table = [["a", "a", "b"], ["b", "b", "b"], ["a", "a", "b"], ["b", "b", "b"], ["c", "c", "b"]]
    >>> consensus = assent.consensus(table, "mace")
    >>> consensus.decided, consensus.annotator_scores["competence"].round(2).tolist()
    (['a', 'b', 'a', 'b', 'c'], [0.91, 0.91, 0.15])
    """
    if smoothing and estimation == "variational":
        raise OptionError("`smoothing` is for the `estimation` em; the variational one has priors instead.")
    model = _Model(votes, smoothing, variational=estimation == "variational")
    lot = np.random.default_rng(seed)
    settings: dict[str, float] = {"tolerance": tolerance}
    tried: list[tuple[_State, Array, Run]] = []
    for attempt in range(restarts):
        state = model.look(model.from_votes() if attempt == 0 else model.at_random(lot))
        tried.append(run_em(model.step, state, state.cells, max_iterations=min(TRIAL, max_iterations), **settings))
    state, cells, run = max(tried, key=lambda one: one[2].trace[-1])
    if not run.converged and not run.fell and max_iterations > TRIAL:
        state, cells, rest = run_em(model.ascend, state, cells, max_iterations=max_iterations - TRIAL, **settings)
        run = replace(rest, iterations=run.iterations + rest.iterations, trace=run.trace + rest.trace)
    spam, elsewhere = state.spam, state.elsewhere
    competence, likelihood = model.report(spam)
    return Outcome(
        probabilities=Probabilities.of_cells(votes, cells, elsewhere, model.prior),
        annotator_scores={"competence": competence},
        run=run,
        log_likelihood=likelihood,
        details={"pair_annotator": votes.pair_annotator, "pair_label": votes.pair_label, "spam": spam.label},
    )


class _Model:
    """The sums that the EM algorithm needs; they run over annotations, however many labels there are."""

    def __init__(self, votes: Votes, smoothing: float, *, variational: bool) -> None:
        self.votes, self.smoothing, self.variational = votes, smoothing, variational
        self.prior = np.full(votes.n_labels, 1.0 / votes.n_labels)
        self.used = np.diff(votes.pair_starts)
        pairs = np.bincount(votes.pair, minlength=len(votes.pair_label)).astype(np.float64)
        self.most = np.concatenate([votes.given.astype(np.float64), pairs])

    def _by_annotator(self, values: Array) -> Array:
        return np.bincount(self.votes.pair_annotator, weights=values, minlength=self.votes.n_annotators)

    def from_votes(self) -> _Spam:
        """Begin with how far each annotator agrees with the votes, and spam of any label."""
        votes = self.votes
        shares = votes.votes / votes.sizes[votes.cell_item]
        right = votes.per_annotator(shares[votes.cell]) / np.maximum(votes.given, 1)
        knows = np.clip(right, 0.05, 0.95)
        return _Spam(knows, 1.0 - knows, np.full(len(self.votes.pair_label), 1.0 / votes.n_labels))

    def at_random(self, lot: np.random.Generator) -> _Spam:
        """Begin somewhere in the middle."""
        knows = lot.uniform(0.3, 0.7, self.votes.n_annotators)
        habits = lot.uniform(1.0, 2.5, len(self.votes.pair_label))
        # Labels that an annotator never gave weigh as much as one that was given does on average.
        total = self._by_annotator(habits) + 1.75 * (self.votes.n_labels - self.used)
        return _Spam(knows, 1.0 - knows, habits / total[self.votes.pair_annotator])

    def step(self, state: _State) -> tuple[_State, Array, float]:
        """Estimate the parameters from the counts, and the probabilities of the labels from the parameters."""
        after = self.look(self.estimate(state.counts))
        return after, after.cells, after.value

    def ascend(self, state: _State) -> tuple[_State, Array, float]:
        """Take two steps, and a longer one in their direction if it leads higher (SQUAREM, Varadhan and Roland 2008)."""
        one = self.look(self.estimate(state.counts))
        two = self.look(self.estimate(one.counts))
        first, second = one.counts - state.counts, two.counts - one.counts
        bend = float(np.linalg.norm(second - first))
        length = float(np.linalg.norm(first)) / bend if bend else 1.0
        if length > 1.0:
            far = state.counts + 2 * length * first + length**2 * (second - first)
            three = self.look(self.estimate(np.clip(far, 0.0, self.most)))
            if three.value >= two.value:
                two = three
        return two, two.cells, two.value

    def look(self, spam: _Spam) -> _State:
        """Return the probabilities of the labels under these parameters, and what was then known and spammed."""
        cells, elsewhere, value = self.expect(spam)
        votes = self.votes
        knowing, spamming = self._ways(spam)
        knew = cells[votes.cell] * knowing / (knowing + spamming)
        # Annotations less what was known: a difference may come out below 0 by rounding.
        spammed = np.maximum(np.bincount(votes.pair, weights=1.0 - knew, minlength=len(votes.pair_label)), 0.0)
        return _State(
            spam, cells, elsewhere, value + spam.penalty, np.concatenate([votes.per_annotator(knew), spammed])
        )

    def expect(self, spam: _Spam) -> tuple[Array, Array, float]:
        """Return the probabilities of the labels under the parameters, and the log-likelihood of these (the E step)."""
        knowing, spamming = self._ways(spam)
        return weigh(self.votes, np.log(knowing + spamming), np.log(spamming), self.prior)

    def _ways(self, spam: _Spam) -> tuple[Array, Array]:
        """Return how probable each annotation is by knowing, and by spamming: (annotations,)."""
        who = self.votes.annotator
        return spam.knows[who], spam.spams[who] * spam.label[self.votes.pair]

    def estimate(self, counts: Array) -> _Spam:
        """Return the best parameters for how often annotators knew, and spammed with each label (the M step)."""
        knew, labels = np.split(counts, [self.votes.n_annotators])
        spammed = np.maximum(self.votes.given - knew, 0.0)
        return (
            self._by_priors(knew, spammed, labels) if self.variational else self._by_likelihood(knew, spammed, labels)
        )

    def _by_likelihood(self, knew: Array, spammed: Array, labels: Array) -> _Spam:
        knew, spammed, labels = (np.maximum(one + self.smoothing, FLOOR) for one in (knew, spammed, labels))
        unused = self.votes.n_labels - self.used
        total = self._by_annotator(labels) + self.smoothing * unused
        knows, habits = knew / (knew + spammed), labels / total[self.votes.pair_annotator]
        spams = spammed / (knew + spammed)
        penalty = 0.0
        if self.smoothing:
            rest = (unused * np.log(self.smoothing / total)).sum()
            penalty = self.smoothing * float(np.log(knows).sum() + np.log(spams).sum() + np.log(habits).sum() + rest)
        return _Spam(knows, spams, habits, penalty)

    def _by_priors(self, knew: Array, spammed: Array, labels: Array) -> _Spam:
        """Return expected log-probabilities, exponentiated, and what the bound loses to the priors."""
        from scipy.special import digamma, gammaln

        size = self.votes.n_labels * SPAM_PRIOR
        a, b, c = knew + KNOWING_PRIOR, spammed + KNOWING_PRIOR, labels + SPAM_PRIOR
        both, total = a + b, self._by_annotator(labels) + size
        log_knows, log_spams = digamma(a) - digamma(both), digamma(b) - digamma(both)
        log_label = digamma(c) - digamma(total)[self.votes.pair_annotator]
        # Divergence of the estimated distributions from the priors; labels never used are as before and cancel.
        beta = gammaln(both) - gammaln(a) - gammaln(b) + 2 * gammaln(KNOWING_PRIOR) - gammaln(2 * KNOWING_PRIOR)
        beta = beta + knew * log_knows + spammed * log_spams
        dirichlet = gammaln(total) - gammaln(size)
        labelwise = gammaln(SPAM_PRIOR) - gammaln(c) + labels * log_label
        loss = float(beta.sum() + dirichlet.sum() + labelwise.sum())
        means = (a / both, b / both, c / total[self.votes.pair_annotator])
        return _Spam(np.exp(log_knows), np.exp(log_spams), np.exp(log_label), -loss, means)

    def report(self, spam: _Spam) -> tuple[Array, float]:
        """Return each annotator's competence and the log-likelihood of the annotations."""
        if spam.means is not None:
            spam = _Spam(*spam.means)
        return spam.knows, self.expect(spam)[2]
