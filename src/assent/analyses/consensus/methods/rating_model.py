"""Ratings: every annotator is stricter or more lenient than the truth, and more or less exact."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from assent.analyses.consensus.methods._em import MaxIterations, Tolerance, run_em
from assent.analyses.consensus.methods.dawid_skene import FLOOR, normalised, spread
from assent.analyses.consensus.probabilities import Probabilities
from assent.analyses.consensus.registry import Outcome, method
from assent.analyses.consensus.votes import Votes
from assent.errors import UnsuitableData
from assent.limits import RATED_STEPS
from assent.profiles import Array
from assent.records import Struct
from assent.scales import numbers

__all__ = ["answers", "rating_model"]

#: Severities and spreads that are tried, in steps of the scale.
SEVERITIES = np.round(np.arange(-2.0, 2.01, 0.1), 1)
SPREADS = np.round(np.geomspace(0.2, 3.0, 15), 3)
#: Share of answers that have nothing to do with the item.
SLIP = 0.001
#: Before anything is known severity is 0, give or take a step, and spread 0.6, give or take a factor of 2.5.
SEVERITY_DOUBT, USUAL_SPREAD, SPREAD_DOUBT = 1.0, 0.6, float(np.log(2.5))


class _State(Struct, frozen=True, eq=False):
    posterior: Array
    prior: Array
    chosen: Array


@method(title="Rating model", references=("patz2002",), learns=True)
def rating_model(votes: Votes, *, tolerance: Tolerance = 1e-6, max_iterations: MaxIterations = 2000) -> Outcome:
    """Estimate the true step of a scale together with how strict and how exact each annotator is.

    An annotator sees the true step of an item, moved by their severity and blurred by a normal error of their own spread, and gives the nearest step:
    two numbers per annotator, whatever the number of steps. The EM algorithm starts from the shares of the votes; severity and spread are the most probable
    ones among those tried (steps of a tenth), given that they are usually small. Labels are whole or decimal numbers, or names whose
    order was given, and count as steps one apart.

    When to use
    -----------
    Ratings on a scale, by annotators of whom some are stricter than others.

    Not when
    --------
    Labels are names without an order: use pooled-dawid-skene.

    Examples
    --------
    The third annotator is a step too strict, and is understood:

    >>> import assent
    >>> table = [
    ...     ["2", "2", "1"],
    ...     ["3", "3", "2"],
    ...     ["4", "4", "3"],
    ...     ["5", "5", "4"],
    ...     ["4", "4", "3"],
    ...     ["3", None, "2"],
    ... ] * 4
    >>> consensus = assent.consensus(table, "rating-model")
    >>> consensus.decided[:6], consensus.annotator_scores["severity"].round(1).tolist()[2] < -0.5
    (['2', '3', '4', '5', '4', '3'], True)
    """
    compact, used = votes.in_use()
    order = _order(compact)
    labels = compact.n_labels
    if labels > RATED_STEPS:
        raise UnsuitableData(
            f"There are {labels:,} different ratings, and the rating model takes up to {RATED_STEPS:,} steps: round them first."
        )
    table, doubt = answers(labels)
    step_of = np.empty(labels, dtype=np.int64)
    step_of[order] = np.arange(labels)
    given, item, who = step_of[compact.label], compact.item[compact.entry], compact.annotator[compact.entry]
    known = None if compact.known is None else np.where(compact.known >= 0, step_of[compact.known], -1)
    settled = replace(compact, known=known)
    shares = np.bincount(given * compact.n_items + item, minlength=labels * compact.n_items)
    start = settled.settled(shares.reshape(labels, compact.n_items) / compact.sizes)
    logs = np.log(table)

    def step(state: _State) -> tuple[_State, Array, float]:
        counts = np.zeros((compact.n_annotators, labels, labels))
        for true in range(labels):
            counts[:, true] = np.bincount(
                who * labels + given, weights=state.posterior[true, item], minlength=compact.n_annotators * labels
            ).reshape(-1, labels)
        fit = counts.reshape(len(counts), -1) @ logs.reshape(len(logs), -1).T + doubt
        chosen = fit.argmax(axis=1)
        prior = np.maximum(state.posterior.sum(axis=1) / compact.n_items, FLOOR)
        joint = np.repeat(np.log(prior)[:, None], compact.n_items, axis=1)
        for true in range(labels):
            weights = logs[chosen[who], true, given]
            joint[true] += np.bincount(item, weights=weights, minlength=compact.n_items)
        posterior, value = normalised(joint, settled)
        return _State(posterior, prior, chosen), posterior, value + float(doubt[chosen].sum())

    first = _State(start, np.zeros(labels), np.zeros(compact.n_annotators, dtype=np.int64))
    state, posterior, run = run_em(step, first, start, tolerance=tolerance, max_iterations=max_iterations)
    at = np.unravel_index(state.chosen, (len(SEVERITIES), len(SPREADS)))
    by_label = spread(posterior[step_of], used, votes.n_labels, 0.0)
    return Outcome(
        probabilities=Probabilities(given=by_label.T),
        annotator_scores={
            "severity": SEVERITIES[at[0]],
            "spread": SPREADS[at[1]],
            "accuracy": np.asarray(table[state.chosen].diagonal(axis1=1, axis2=2) @ state.prior / state.prior.sum()),
        },
        label_scores={"prior": spread(state.prior[step_of], used, votes.n_labels, 0.0)},
        run=run,
        log_likelihood=run.trace[-1] - float(doubt[state.chosen].sum()),
    )


def answers(labels: int) -> tuple[Array, Array]:
    """Return how probable each step is for each true step, for all severities and spreads that are tried, and the log of their own chance.

    Returns
    -------
    table : array (tried, true steps, given steps)
    doubt : array (tried,)
    """
    from scipy.special import ndtr

    severity, blur = (one.ravel() for one in np.meshgrid(SEVERITIES, SPREADS, indexing="ij"))
    place = np.arange(labels)
    upper = (place[None, None, :] + 0.5 - place[None, :, None] - severity[:, None, None]) / blur[:, None, None]
    below = ndtr(upper)
    below[:, :, -1] = 1.0
    table = np.diff(below, axis=2, prepend=0.0)
    # An annotator may slip on any item: no answer is impossible.
    table = (table + SLIP / labels) / (1.0 + SLIP)
    doubt = -0.5 * (severity / SEVERITY_DOUBT) ** 2 - 0.5 * (np.log(blur / USUAL_SPREAD) / SPREAD_DOUBT) ** 2
    return table, doubt


def _order(votes: Votes) -> Array:
    """Return the labels from lowest to highest: positions, (labels,)."""
    values = numbers(votes.names)
    if values is not None:
        return np.argsort(np.asarray(values), kind="stable")
    if votes.ordered:
        return np.arange(votes.n_labels)
    raise UnsuitableData(
        "The rating model is for steps of a scale, and these labels are names whose order is not known: give it with `order`, or use pooled-dawid-skene."
    )
