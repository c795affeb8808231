"""How consistent each annotator's own preferences are: circles of three, and whether the seat decides."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from assent.data.preferences import Preferences
from assent.documents.blocks import Block, Column, Document, coefficient, count, name, notes, number, share, table_of
from assent.documents.result import Result
from assent.errors import UnsuitableData
from assent.profiles import Array
from assent.records import Record
from assent.text import counted, probability, shown

__all__ = ["AnnotatorConsistency", "Consistency", "circular_triads", "consistency", "triads_by_chance"]

#: Up to so many objects the distribution of circles is worked out whole.
EXACT = 10
#: Of six objects coin flips seldom make no circle; of fewer often.
FEWEST = 6
#: A p-value below this is spoken of.
SURE = 0.05


class AnnotatorConsistency(Record, frozen=True, kw_only=True):
    """One annotator's preferences.

    Parameters
    ----------
    agreement : float
        Share of other annotators' verdicts on the same pairs that are the same; NaN if nobody else judged them.
    triads, circular : int
        Three objects that were compared with each other without a tie, and how many of these go round in a circle.
    most : float
        The most circles that there can be; NaN unless all objects were compared.
    zeta : float
        One minus circles over the most there can be; NaN unless all objects were compared.
    p_value : float
        How likely coin flips make so few circles.
    swapped, consistent, first_twice, second_twice : int
        Pairs judged in both seats; those with the same winner, and those where the left or the right seat won both times.
    seat_p : float
        Of the test that neither seat is favoured; NaN without such pairs.
    first_share : float
        Share of decided votes for the left seat.
    """

    annotator: str
    comparisons: int
    ties: int
    agreement: float
    triads: int
    circular: int
    most: float
    zeta: float
    p_value: float
    swapped: int
    consistent: int
    first_twice: int
    second_twice: int
    seat_p: float
    first_share: float

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values; NaN becomes None."""
        return {
            **super().to_dict(),
            # Coin flips make a circle of a triad in one case of four.
            "circular_expected": self.triads / 4,
            "circular_share": self.circular / self.triads if self.triads else None,
        }


class Consistency(Result, frozen=True, kw_only=True, eq=False):
    """The annotators, the least consistent first."""

    annotators: tuple[AnnotatorConsistency, ...]
    notes: tuple[str, ...] = ()

    def table(self) -> Any:
        """Return the table of the annotators."""
        return table_of(
            "consistency",
            "How consistent each annotator is",
            self.annotators,
            [
                (Column("annotator", "name"), lambda one: name(one.annotator)),
                (Column("votes"), lambda one: count(one.comparisons)),
                (Column("agreement"), lambda one: share(one.agreement)),
                (Column("circles"), lambda one: count(one.circular)),
                (Column("of triads"), lambda one: count(one.triads)),
                (Column("zeta"), lambda one: coefficient(one.zeta)),
                (Column("p", meaning="How likely coin flips make so few circles."), lambda one: number(one.p_value, 3)),
                (Column("left seat"), lambda one: share(one.first_share)),
            ],
        )

    @property
    def takeaway(self) -> str:
        """Say how many circles there are, beside chance."""
        circles, triads = sum(one.circular for one in self.annotators), sum(one.triads for one in self.annotators)
        return f"{circles:,} of {triads:,} triads go in a circle; coin flips would make {triads / 4:,.0f}."

    def blocks(self) -> list[Block]:
        """Return the table, and what must be known to read it."""
        return [self.table(), *notes(self.notes)]

    def document(self) -> Document:
        """Return the table of the annotators."""
        return Document("Annotators", self.blocks())


def circular_triads(beats: Array) -> tuple[int, int]:
    """Count the triads that were compared all round, and those that go in a circle.

    Parameters
    ----------
    beats : array (objects, objects) of bool

    Examples
    --------
    >>> circular_triads(np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=bool))
    (1, 1)
    """
    b = beats.astype(np.float64)
    known = b + b.T
    triads = float(np.trace(known @ known @ known)) / 6.0
    circles = float(np.trace(b @ b @ b)) / 3.0
    return round(triads), round(circles)


@cache
def triads_by_chance(n: int) -> tuple[float, ...]:
    """Return how likely coin flips among n objects make 0, 1, 2, … circles.

    The numbers of wins decide how many circles there are, so sequences of these are counted.

    Examples
    --------
    >>> triads_by_chance(3)
    (0.75, 0.25)
    """
    # From the wins of each object, in order, to how many tournaments have these; one object after the other joins.
    scores: dict[tuple[int, ...], int] = {(): 1}
    for joined in range(n):
        after: dict[tuple[int, ...], int] = {}
        for wins, ways in scores.items():
            alike = sorted(Counter(wins).items())
            # Of the objects with as many wins it matters only how many of them beat the one that joins.
            for beaten_by in product(*(range(many + 1) for _, many in alike)):
                made = [joined - sum(beaten_by)]
                times = ways
                for (won, many), some in zip(alike, beaten_by, strict=True):
                    made += [won + 1] * some + [won] * (many - some)
                    times *= math.comb(many, some)
                key = tuple(sorted(made))
                after[key] = after.get(key, 0) + times
        scores = after
    counts: dict[int, int] = {}
    for wins, ways in scores.items():
        circles = math.comb(n, 3) - sum(one * (one - 1) // 2 for one in wins)
        counts[circles] = counts.get(circles, 0) + ways
    return tuple(counts.get(t, 0) / 2 ** math.comb(n, 2) for t in range(max(counts) + 1))


def _triads(beats: Array) -> tuple[int, int, float, float, float]:
    """Return triads, circles, the most there can be, zeta, and how likely coin flips make so few circles."""
    compared = np.flatnonzero((beats | beats.T).any(1))
    own = beats[np.ix_(compared, compared)]
    n = len(compared)
    triads, circles = circular_triads(own)
    if n < 3 or triads < math.comb(n, 3):
        # Not all were compared: each triad is a circle by one chance in four.
        return triads, circles, math.nan, math.nan, math.nan
    most = n * (n * n - (1 if n % 2 else 4)) / 24
    zeta = 1.0 - circles / most
    if n <= EXACT:
        return triads, circles, most, zeta, float(sum(triads_by_chance(n)[: circles + 1]))
    from scipy.special import chdtrc

    degrees = n * (n - 1) * (n - 2) / (n - 4) ** 2
    statistic = 8 / (n - 4) * (math.comb(n, 3) / 4 - circles + 0.5) + degrees
    return triads, circles, most, zeta, float(chdtrc(degrees, max(statistic, 0.0)))


def consistency(data: Preferences) -> Consistency:
    """Return how consistent each annotator is.

    A judge who prefers a to b, b to c and c to a goes in a circle. Ties are left out. On several topics circles are counted on each.

    Examples
    --------
    >>> votes = [("ada", "x", "y", "x"), ("ada", "y", "z", "y"), ("ada", "x", "z", "z")]
    >>> found = consistency(Preferences.from_rows(votes)).annotators[0]
    >>> found.triads, found.circular, found.zeta
    (1, 1, 0.0)
    """
    if not isinstance(data, Preferences):
        raise UnsuitableData("Consistency is about preferences between two objects.")
    pair, _, choice = data.verdicts
    same, others = _agreements(pair, choice)
    rows = [_row(data, at, same, others) for at in range(len(data.annotators))]
    rows.sort(key=lambda one: (math.isnan(one.zeta), one.zeta, one.agreement, one.annotator))
    said = []
    for one in rows:
        if one.p_value > SURE and _can_tell(one):
            said.append(
                f"The choices of {shown(one.annotator)} hold {counted(one.circular, 'circle')} of at most {one.most:g}: no better than coin flips "
                f"({probability(one.p_value)})."
            )
        if one.seat_p < SURE:
            side = "left" if one.first_twice > one.second_twice else "right"
            said.append(
                f"{shown(one.annotator)} favours the {side} seat: of {counted(one.swapped, 'pair')} judged in both seats it won both times in "
                f"{max(one.first_twice, one.second_twice)}, the other seat in {min(one.first_twice, one.second_twice)} ({probability(one.seat_p)})."
            )
    if any(not math.isnan(one.zeta) and not _can_tell(one) for one in rows):
        said.append("Coin flips among five objects or fewer often make no circle: the p-value can then show nothing.")
    if not data.n_swapped:
        said.append("No pair was judged in both seats, so that the share of the left seat is no proof of a leaning.")
    return Consistency(annotators=tuple(rows), notes=tuple(said))


def _can_tell(one: AnnotatorConsistency) -> bool:
    """Tell whether no circle at all would be better than coin flips: five objects are too few for that."""
    return math.comb(FEWEST, 3) <= one.triads


def _agreements(pair: Array, choice: Array) -> tuple[Array, Array]:
    """Return for each verdict how many others on the same pair say the same, and how many there are."""
    key = pair * 3 + choice.astype(np.int64) + 1
    return np.bincount(key)[key] - 1.0, np.bincount(pair)[pair] - 1.0


def _row(data: Preferences, at: int, same: Array, others: Array) -> AnnotatorConsistency:
    n = len(data.objects)
    pair, who, choice = data.verdicts
    votes = data.annotator_code == at
    mine = who == at
    triads = circles = 0
    most = zeta = p = math.nan
    # Who says one thing in one seat and another in the other has no preference, here as in the agreement with others.
    codes, verdict = np.unique(data.pair_code)[pair[mine]], choice[mine]
    topics, starts = np.unique(codes // (n * n), return_index=True)
    for rows in np.split(np.arange(len(codes)), starts[1:]):
        if len(rows) < 3 and len(topics) > 1:
            # Two votes make no triad.
            continue
        beats = np.zeros((n, n), dtype=bool)
        first, second = codes[rows] // n % n, codes[rows] % n
        won, lost = verdict[rows] > 0, verdict[rows] < 0
        beats[first[won], second[won]] = True
        beats[second[lost], first[lost]] = True
        found, circular, most, zeta, p = _triads(beats)
        triads, circles = triads + found, circles + circular
    if len(topics) > 1:
        most = zeta = p = math.nan
    swapped, consistent, first, second = _seats(data, votes)
    seat_p = math.nan
    if first + second:
        from scipy.stats import binomtest

        seat_p = float(binomtest(first, first + second).pvalue)
    left = (data.choice * data.seat)[votes]
    asked = float(others[mine].sum())
    return AnnotatorConsistency(
        annotator=data.annotators[at],
        comparisons=int(votes.sum()),
        ties=int((data.choice[votes] == 0).sum()),
        agreement=float(same[mine].sum()) / asked if asked else math.nan,
        triads=triads,
        circular=circles,
        most=most,
        zeta=zeta,
        p_value=p,
        swapped=swapped,
        consistent=consistent,
        first_twice=first,
        second_twice=second,
        seat_p=seat_p,
        first_share=float((left > 0).sum() / (left != 0).sum()) if (left != 0).any() else math.nan,
    )


def _seats(data: Preferences, votes: Array) -> tuple[int, int, int, int]:
    """Return pairs judged in both seats: all, with the same winner, with the left seat winning twice, with the right."""
    rows = np.flatnonzero(votes)
    rows = rows[np.argsort(data.pair_code[rows], kind="stable")]
    code = data.pair_code[rows]
    at = np.flatnonzero(code[1:] == code[:-1]) if len(code) else np.array([], dtype=np.int64)
    one, two = rows[at], rows[at + 1]
    left = data.choice[one] * data.seat[one], data.choice[two] * data.seat[two]
    same = int((data.choice[one] == data.choice[two]).sum())
    return len(at), same, int(((left[0] == 1) & (left[1] == 1)).sum()), int(((left[0] == -1) & (left[1] == -1)).sum())
