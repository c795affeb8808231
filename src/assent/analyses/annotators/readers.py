"""Whether an annotator could be somebody who does the work: who reads a share of the items otherwise, or leans.

A label of somebody like the others is foretold by what the others said of the item: each label in proportion to how many gave it, less sure the less
the others agree among themselves (a Dirichlet distribution of what an item is called, learnt from their agreement). Who reads a share of the items otherwise gives
any other label there. Who leans gives some labels more often than others whatever the item, as one does who is strict or lenient; that makes each label more
or less likely by a factor, the same on all items.

One who clicks at random agrees with all of that by luck alone, and where one label is frequent that is often. What tells them apart is not how often they
agree but on which items: the test is the likelihood ratio of a reader and of one who clicks with the shares of labels that the annotator has.
"""

from __future__ import annotations

import numpy as np

from assent.analyses.annotators.relative_agreement import RelativeAgreement, seat_values, widened
from assent.analyses.annotators.saddlepoint import lower_tail
from assent.analyses.annotators.table import TOLERANCE, AnnotatorTable
from assent.limits import MEETINGS_AT_ONCE
from assent.profiles import Array
from assent.records import Struct

__all__ = ["LEANING_PART", "lost_by_leaning", "reads_otherwise"]

#: Rounds in which leanings are brought in line with how often labels are given.
ROUNDS = 100
#: Nearer to how often labels are given than this share of an item is near enough.
NEAR = 1e-6
#: Added to both counts, so that a label that is never given keeps a weight.
DOUBT = 0.5
#: The others are never sure of a label, nor is what they say ever worth nothing.
LEAST_ALIKE, MOST_ALIKE = 0.02, 0.98
#: Parts of the share of items that may be read otherwise: each is tried, and the one that explains most counts.
PARTS = (0.0, 0.25, 0.5, 0.75, 1.0)
#: Who leans may read this part of that share otherwise.
LEANING_PART = 0.5


def lost_by_leaning(team: AnnotatorTable, wanted: Array) -> Array:
    """Return how much agreement annotators lose because they give some labels more often than the others do: (annotators,); 0 for all not wanted.

    Given the labels of an item, the annotator's own is any of them, each with a chance in proportion to how many gave it and to the
    annotator's leaning; leanings are such that each label is given as often as it was. (With two labels this is the model of Rasch.)

    Parameters
    ----------
    team : AnnotatorTable
    wanted : array (annotators,) of bool
    """
    lost = np.zeros(len(team.annotators))
    value = seat_values(team)
    for block in team.blocks_of(wanted[team.annotator] & (team.sizes[team.item] > 2)):
        if not len(block.rows):
            continue
        use, _, label = block.uses
        each = block.times[block.row].astype(np.float64)
        given = np.bincount(use, weights=each * block.own, minlength=len(label))
        count = team.cell_count[block.cell].astype(np.float64)
        leaning = np.ones(len(label))
        chance = count
        for _ in range(ROUNDS):
            share = count * leaning[use]
            chance = share / np.bincount(block.row, weights=share, minlength=len(block.rows))[block.row]
            expected = np.bincount(use, weights=each * chance, minlength=len(label))
            if np.abs(expected - given).max() < NEAR:
                break
            leaning *= (given + DOUBT) / (expected + DOUBT)
        total = np.bincount(
            block.who[block.row], weights=each * chance * value[block.cell], minlength=block.last - block.first
        )
        lost[block.first : block.last] = -total / np.maximum(team.shared[block.first : block.last], 1)
    return np.where(wanted, np.maximum(lost, 0.0), 0.0)


def reads_otherwise(team: AnnotatorTable, relative: RelativeAgreement, wanted: Array, *, otherwise: float) -> Array:
    """Return the p-value that an annotator reads a share of the items otherwise, or leans and reads half that share so: (annotators,).

    It is small for who clicks at random; NaN for all not wanted, and where nothing foretells a label.

    Parameters
    ----------
    team : AnnotatorTable
        Of labels that are the same or not.
    relative : RelativeAgreement
    wanted : array (annotators,) of bool
    otherwise : float
    """
    p_value = np.full(len(team.annotators), np.nan)
    labels = max(2, len(np.unique(team.label)))
    for annotator in np.flatnonzero(wanted & ~np.isnan(relative.others)):
        foretold = _foretold(team, int(annotator), float(relative.others[annotator]))
        if foretold is not None:
            p_value[annotator] = max(
                *(foretold.tail(part * otherwise, labels, leans=False) for part in PARTS),
                foretold.tail(LEANING_PART * otherwise, labels, leans=True),
            )
    return widened(p_value, relative.inflation)


class _Foretold(Struct, frozen=True, eq=False):
    """What an annotator said, and what somebody like the others would have.

    Parameters
    ----------
    chance : array (rows, labels)
        Chances of the labels.
    own : array (rows,)
        The label that was given.
    times : array (rows,)
        How many items a row is about.
    """

    chance: Array
    own: Array
    times: Array

    @property
    def given(self) -> Array:
        """How often each label was given: (labels,)."""
        return np.bincount(self.own, weights=self.times, minlength=self.chance.shape[1])

    def tail(self, share: float, labels: int, *, leans: bool) -> float:
        """Return how often who reads a share of the items otherwise, and leans or not, would look as much like one who clicks."""
        chance = (1.0 - share) * self.chance + share * (1.0 - self.chance) / (labels - 1)
        chance = chance / chance.sum(axis=1, keepdims=True)
        if leans:
            chance = self._leaning(chance)
        given = self.given
        clicks = (given + DOUBT) / (given.sum() + DOUBT * len(given))
        score = np.log(chance) - np.log(clicks)
        if leans:
            # Labels were given as often as foretold: what depends on that alone does not vary.
            score = score - self._by_label(chance, score)
        score = score - (chance * score).sum(axis=1, keepdims=True)
        if np.abs(score).max() <= TOLERANCE:
            # What is left of all is rounding, and tells nothing.
            return 1.0
        value = float(self.times @ score[np.arange(len(self.own)), self.own])
        least = score.min(axis=1)
        above = score - least[:, None]

        def cumulants(point: Array) -> tuple[Array, Array, Array]:
            tilted = chance * np.exp(point[0] * above)
            mass = tilted.sum(axis=1)
            mean = (tilted * above).sum(axis=1) / mass
            square = (tilted * above * above).sum(axis=1) / mass
            return (
                np.array([self.times @ (np.log(mass) + point[0] * least)]),
                np.array([self.times @ (mean + least)]),
                np.array([self.times @ np.maximum(square - mean * mean, 0.0)]),
            )

        at_least = np.where(above <= 0.0, chance, 0.0).sum(axis=1)
        return float(
            lower_tail(
                cumulants,
                np.array([value]),
                lowest=np.array([self.times @ least]),
                log_chance=np.array([self.times @ np.log(at_least)]),
            )[0]
        )

    def _leaning(self, chance: Array) -> Array:
        """Make labels more or less likely on all items, so that each is given as often as it was."""
        given = self.given
        for _ in range(ROUNDS):
            expected = self.times @ chance
            if np.abs(expected - given).max() < NEAR:
                break
            chance = chance * ((given + DOUBT) / (expected + DOUBT))
            chance = chance / chance.sum(axis=1, keepdims=True)
        return chance

    def _by_label(self, chance: Array, score: Array) -> Array:
        """Return the part of a score that depends on the label alone, by least squares: (labels,)."""
        weighed = self.times[:, None] * chance
        spread = np.diag(weighed.sum(axis=0)) - weighed.T @ chance
        together = (weighed * (score - (chance * score).sum(axis=1, keepdims=True))).sum(axis=0)
        return np.asarray(np.linalg.lstsq(spread, together, rcond=None)[0])


def _foretold(team: AnnotatorTable, annotator: int, agreement: float) -> _Foretold | None:
    """Foretell an annotator's labels from the others'; None if there are too many to do so, or nothing to tell.

    Parameters
    ----------
    team : AnnotatorTable
    annotator : int
    agreement : float
        Of the others among themselves on the same items.
    """
    rows = np.arange(team.bounds[annotator], team.bounds[annotator + 1])
    row, cell = team.meetings(rows)
    labels, column = np.unique(team.cell_label[cell], return_inverse=True)
    if len(labels) < 2 or len(rows) * len(labels) > MEETINGS_AT_ONCE:
        return None
    theirs = np.zeros((len(rows), len(labels)))
    own = cell == team.cell[rows][row]
    theirs[row, column.ravel()] = team.cell_count[cell] - own
    others = theirs.sum(axis=1, keepdims=True)
    times = team.times[rows].astype(np.float64)
    shares = times @ (theirs / others) / times.sum()
    luck = float(shares @ shares)
    if luck >= 1.0:
        return None
    alike = min(max((agreement - luck) / (1.0 - luck), LEAST_ALIKE), MOST_ALIKE)
    doubt = (1.0 - alike) / alike
    # A label that none of the others gave is possible, too.
    shares = (shares * times.sum() + DOUBT / len(labels)) / (times.sum() + DOUBT)
    return _Foretold((theirs + doubt * shares) / (others + doubt), column.ravel()[own], times)
