"""Peeking: what becomes of 5 % when one looks at an interval after every item."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from assent.inference.betting import HedgedCapital, log_capital
from assent.inference.changes import ChangeWatch
from assent.profiles import Array
from studies.result import Progress, StudyFinding, StudyResult, StudyTable, part, settings

if TYPE_CHECKING:
    import altair

__all__ = ["run"]

LEVEL = 0.95
#: The agreement that the streams have.
MEANS = (0.6, 0.8, 0.95)
#: Numbers of items at which the share of streams that were ever wrong is shown.
HORIZONS = (10, 100, 1_000, 10_000)
METHODS = ("Wald", "Wilson", "sequence (mixture)", "sequence (betting)")
#: Agreement before and since a change halfway; the same where there is none.
CHANGES = ((0.6, 0.6), (0.8, 0.8), (0.95, 0.95), (0.82, 0.64), (0.9, 0.6), (0.9, 0.8))
#: An interval from fewer items than this is not yet looked at: Wald's is a point while all values are the same.
FIRST_LOOK = 10


def run(*, seed: int = 1, quick: bool = False, progress: Progress | None = None) -> StudyResult:
    """Watch many streams of items with a known agreement, and count those whose interval was ever wrong.

    Parameters
    ----------
    seed : int
    quick : bool
        Fewer and shorter streams.
    progress : callable, optional
    """
    streams, horizons = (200, HORIZONS[:3]) if quick else (1_000, HORIZONS)
    rng = np.random.default_rng(seed)
    ever: list[Share] = []
    once: list[Share] = []
    for place, mean in enumerate(MEANS):
        tell = part(progress, 0.7 * place / len(MEANS), 0.7 * (place + 1) / len(MEANS))
        first = {name: np.full(streams, np.inf) for name in METHODS}
        at_once = {(name, horizon): 0 for name in METHODS for horizon in horizons}
        for done in range(0, streams, _BATCH):
            tell(done / streams, f"streams with an agreement of {mean}")
            own = slice(done, min(done + _BATCH, streams))
            values = (rng.random((own.stop - done, horizons[-1])) < mean).astype(np.uint8)
            for name, missed in misses(values, mean).items():
                first[name][own] = _first(missed)
                for horizon in horizons:
                    at_once[name, horizon] += int(missed[:, horizon - 1].sum())
        for name in METHODS:
            for horizon in horizons:
                ever.append(Share(mean, name, horizon, float((first[name] <= horizon).mean())))
                once.append(Share(mean, name, horizon, at_once[name, horizon] / streams))
    drift = _drift(rng, *((40, 600) if quick else (500, 2_000)), part(progress, 0.7, 1.0))
    return StudyResult(
        name="peeking",
        title="Peeking: an interval that is looked at after every item",
        sentences=_sentences(once, streams, horizons),
        findings=[*_findings(ever, streams, horizons), _drift_finding(drift)],
        tables=[
            StudyTable(
                name="ever-wrong",
                caption=f"Share of {streams:,} streams whose {LEVEL * 100:g} % interval has missed the true agreement at least once, by "
                "the number of items looked at.",
                columns=_columns(ever),
                decimals=3,
            ),
            StudyTable(
                name="one-look",
                caption="The same if one looks once, after so many items.",
                columns=_columns(once),
                decimals=3,
            ),
            _drift_table(drift),
        ],
        charts={"ever-wrong": _chart(ever)},
        settings=settings(seed=seed, quick=quick, streams=streams, level=LEVEL, first_look=FIRST_LOOK),
    )


#: Streams drawn in one go, to bound memory.
_BATCH = 20


class Share(NamedTuple):
    """In how many streams of a known agreement an interval missed it."""

    mean: float
    name: str
    n_items: int
    share: float


def misses(values: Array, mean: float) -> dict[str, Array]:
    """Return whether each interval misses the mean after every item.

    Parameters
    ----------
    values : array (streams, items) of 0 and 1
    mean : float
        Their true mean.

    Returns
    -------
    dict of str to array (streams, items)
    """
    from statistics import NormalDist

    number = np.arange(1, values.shape[1] + 1)
    totals = np.cumsum(values, axis=1, dtype=np.int64)
    average = totals / number
    z = NormalDist().inv_cdf((1.0 + LEVEL) / 2.0)
    return {
        # Wald's interval takes its width from the data, Wilson's from the mean that is asked about.
        "Wald": np.abs(average - mean) > z * np.sqrt(average * (1.0 - average) / number),
        "Wilson": np.abs(average - mean) > z * np.sqrt(mean * (1.0 - mean) / number),
        "sequence (mixture)": log_capital(totals, number, mean) >= -np.log(1.0 - LEVEL),
        "sequence (betting)": np.array([_betting_misses(one, mean) for one in values]),
    }


def _betting_misses(values: Array, mean: float) -> Array:
    low, _ = HedgedCapital(LEVEL, np.array([mean])).play(values)
    # There is one claim only; when it is refuted, nothing is left.
    return np.isnan(low)


def _first(missed: Array) -> Array:
    """Return the first look that went wrong, in items: (streams,)."""
    looked = missed[:, FIRST_LOOK - 1 :]
    return np.where(looked.any(axis=1), looked.argmax(axis=1) + float(FIRST_LOOK), np.inf)


def _columns(shares: list[Share]) -> dict[str, list[object]]:
    """Lay the shares out: one row for each agreement and method, one column for each number of items."""
    keys = list(dict.fromkeys((one.mean, one.name) for one in shares))
    found = {(one.mean, one.name, one.n_items): one.share for one in shares}
    columns: dict[str, list[object]] = {
        "agreement": [f"{mean:g}" for mean, _ in keys],
        "interval": [name for _, name in keys],
    }
    horizons = dict.fromkeys(one.n_items for one in shares)
    return columns | {f"{items:,} items": [found[(*key, items)] for key in keys] for items in horizons}


class Watched(NamedTuple):
    """What the watch for drift did with streams whose agreement stays the same, or changes halfway."""

    before: float
    since: float
    streams: int
    n_items: int
    alarms: int
    """Streams with an alarm before the change: false ones."""
    found: int
    """Streams with an alarm after the change."""
    delay: float | None
    """Items from the change to that alarm, in the middle one of these streams."""


def _drift(rng: np.random.Generator, streams: int, items: int, tell: Progress) -> list[Watched]:
    """Watch streams for drift as `assent monitor` does."""
    found = []
    for place, (before, since) in enumerate(CHANGES):
        half, false, delays = items // 2, 0, list[int]()
        for number in range(streams):
            if number % 20 == 0:
                tell((place + number / streams) / len(CHANGES), f"drift from {before} to {since}")
            watch = ChangeWatch(1.0 - LEVEL)
            watch.extend(rng.random(half) < before)
            early = len(watch.changes)
            watch.extend(rng.random(half) < since)
            later = [change.noticed - half for change in watch.changes[early:]]
            if before == since:
                false += bool(watch.changes)
            else:
                false += bool(early)
                delays += later[:1]
        middle = float(np.median(delays)) if delays else None
        found.append(Watched(before, since, streams, items, false, len(delays), middle))
    return found


def _drift_table(drift: list[Watched]) -> StudyTable:
    one = drift[0]
    return StudyTable(
        name="drift",
        caption=f"The watch for drift on {one.streams:,} streams of {one.n_items:,} items whose agreement stays the same or changes halfway: "
        "share with a false alarm (before the change, if there is one), share in which the change was noticed, and after how many "
        "items in the middle one of these.",
        columns={
            "before": [f"{row.before:g}" for row in drift],
            "since": [f"{row.since:g}" for row in drift],
            "false alarm": [row.alarms / row.streams for row in drift],
            "noticed": [None if row.before == row.since else row.found / row.streams for row in drift],
            "items until then": [row.delay for row in drift],
        },
        decimals=3,
    )


def _drift_finding(drift: list[Watched]) -> StudyFinding:
    from scipy.stats import binom

    same = [row for row in drift if row.before == row.since]
    most = binom.ppf(0.999, same[0].streams, 1.0 - LEVEL)
    shares = [row.alarms / row.streams for row in same]
    return StudyFinding(
        statement="The watch for drift, which looks after every tenth item, raises a false alarm in fewer than 5 % of all streams.",
        paper="Our own: at most 5 % for a rate that is drawn from its prior, however long the stream.",
        ours=f"Streams whose agreement stays the same had a false alarm in {min(shares):.1%} to {max(shares):.1%} of all cases by "
        f"{same[0].n_items:,} items.",
        holds=all(row.alarms <= most for row in same),
        why=f"None above {most / same[0].streams:.1%}, which 5 % would exceed once in a thousand such studies.",
    )


def _range(shares: list[Share], names: tuple[str, ...], items: int) -> tuple[float, float]:
    """Return the least and the largest share of some methods over all agreements."""
    found = [one.share for one in shares if one.name in names and one.n_items == items]
    return min(found), max(found)


def _findings(ever: list[Share], streams: int, horizons: tuple[int, ...]) -> list[StudyFinding]:
    from scipy.stats import binom

    last = horizons[-1]
    # What a method that is wrong in exactly 5 % of all streams would hardly ever exceed in so many.
    most = float(binom.ppf(0.999, streams, 1.0 - LEVEL)) / streams
    plain, sequences = (_range(ever, names, last) for names in (METHODS[:2], METHODS[2:]))
    return [
        StudyFinding(
            statement="A plain interval looked at after every item is wrong far more often than it says.",
            paper="Waudby-Smith and Ramdas (2024) and others before them: its errors add up without end.",
            ours=f"By {last:,} items {plain[0]:.0%} to {plain[1]:.0%} of the streams have had a wrong plain interval.",
            holds=plain[0] > most,
            why=f"All above {most:.1%}, which a method with 5 % of errors would exceed once in a thousand such studies of {streams:,} "
            "streams.",
        ),
        StudyFinding(
            statement="The confidence sequence keeps its 5 %, however often one looks.",
            paper="Waudby-Smith and Ramdas (2024): by Ville's inequality, for every mean and every number of looks.",
            ours=f"By {last:,} items {sequences[0]:.1%} to {sequences[1]:.1%} of the streams have had a wrong sequence.",
            holds=sequences[1] <= most,
            why=f"None above {most:.1%}, as before.",
        ),
    ]


def _sentences(once: list[Share], streams: int, horizons: tuple[int, ...]) -> list[str]:
    plain = _range(once, METHODS[:2], horizons[-1])
    return [
        f"For each agreement {streams:,} streams of {horizons[-1]:,} items were drawn whose first two annotations agree with that "
        f"probability. After every item, from the {FIRST_LOOK}th on, each of four {LEVEL * 100:g} % intervals was looked at, and it was "
        "counted in how many streams it had ever missed the truth.",
        f"One look at a plain interval after {horizons[-1]:,} items is wrong in {plain[0]:.1%} to {plain[1]:.1%} of the streams, near the 5 % it allows. "
        "Whoever looks again and again, and stops when the interval says what was hoped for, needs the sequence.",
    ]


def _chart(shares: list[Share]) -> altair.TopLevelMixin:
    import altair as alt

    values = [{**one._asdict(), "agreement": f"agreement {one.mean:g}"} for one in shares]
    base = alt.Chart().encode(
        alt.X("items:Q").scale(alt.Scale(type="log")).title("items looked at").axis(alt.Axis(values=list(HORIZONS))),
        alt.Y("share:Q").title("ever wrong").axis(alt.Axis(format="%")).scale(alt.Scale(domainMin=0)),
        alt.Color("name:N").title(None).scale(alt.Scale(domain=list(METHODS))),
    )
    promised = alt.Chart().mark_rule(strokeDash=[4, 4]).encode(y=alt.datum(1.0 - LEVEL))
    chart: altair.TopLevelMixin = (
        alt.layer(base.mark_line(), base.mark_point(filled=True, size=40), promised)
        .properties(width=190, height=200)
        .facet(column=alt.Column("agreement:N").title(None), data=alt.InlineData(values=values))
        .properties(title="Share of streams whose 95 % interval was ever wrong; 5 % is promised")
    )
    return chart
