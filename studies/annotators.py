"""Annotators: how often an honest one is flagged, and how often one who clicks, swaps or reads otherwise is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from assent.analyses.annotators.agreement import with_others
from assent.analyses.annotators.annotator_clusters import annotator_clusters
from assent.analyses.annotators.flag_reasons import kind_of
from assent.analyses.annotators.flags import flags
from assent.analyses.annotators.label_bias import label_bias
from assent.analyses.annotators.relative_agreement import relative_agreement
from assent.analyses.annotators.table import AnnotatorTable
from assent.profiles import Array
from assent.text import percent
from studies.result import Progress, StudyFinding, StudyResult, StudyTable, part, settings

if TYPE_CHECKING:
    import altair

__all__ = ["run"]

FDR, MARGIN, LEAST, LEVEL = 0.05, 0.05, 10, 0.95
#: Half of the items are hard: the skill on them is so many times that on the others.
HARD = 0.7


@dataclass(frozen=True, kw_only=True)
class Design:
    """A team and its task.

    Parameters
    ----------
    name : str
    annotators, items, each : int
        Annotators, items, and annotations of each item, by annotators drawn at random.
    shares : tuple of float
        How frequent the labels are.
    """

    name: str
    n_annotators: int
    n_items: int
    each: int
    shares: tuple[float, ...]

    @property
    def chances(self) -> Array:
        """Probability of each label: (labels,)."""
        return np.asarray(self.shares, dtype=np.float64) / sum(self.shares)


DESIGNS = (
    Design(name="5 annotators, all items", n_annotators=5, n_items=100, each=5, shares=(1, 1)),
    Design(name="5, all items, labels 90 : 10", n_annotators=5, n_items=300, each=5, shares=(9, 1)),
    Design(name="10 annotators, 3 an item", n_annotators=10, n_items=300, each=3, shares=(5, 3, 2)),
    Design(name="10 annotators, 2 an item", n_annotators=10, n_items=450, each=2, shares=(5, 3, 2)),
    Design(name="10, 3 an item, 20 labels", n_annotators=10, n_items=300, each=3, shares=(1,) * 20),
    Design(name="100 annotators, 3 an item", n_annotators=100, n_items=3_000, each=3, shares=(4, 3, 2, 1)),
)
MANY_LABELS = DESIGNS[4]

#: From labels (items, each), which of them are the bad annotator's, the design and a generator to other labels.
Spoil = Callable[[Array, Array, Design, np.random.Generator], Array]


def _clicks(said: Array, mine: Array, design: Design, rng: np.random.Generator) -> Array:
    """Give a label at random."""
    return np.where(mine, rng.integers(0, len(design.shares), said.shape), said)


def _one_label(said: Array, mine: Array, design: Design, rng: np.random.Generator) -> Array:
    """Give the most frequent label to everything."""
    return np.where(mine, 0, said)


def _swaps(said: Array, mine: Array, design: Design, rng: np.random.Generator) -> Array:
    """Exchange the labels two by two: the first with the second, the third with the fourth, and so on."""
    other = np.where(said % 2 == 0, said + 1, said - 1)
    return np.where(mine & (other < len(design.shares)), other, said)


def _swaps_two(said: Array, mine: Array, design: Design, rng: np.random.Generator) -> Array:
    """Exchange the first two labels alone."""
    return np.where(mine & (said < 2), 1 - said, said)


#: Kinds of trouble: what they should be called, and what they do to labels.
TROUBLES: Mapping[str, tuple[str, Spoil]] = {
    "random clicker": ("chance", _clicks),
    "one-label clicker": ("one-label", _one_label),
    "label-swapper": ("swapped-labels", _swaps),
}
#: Trouble with so few items that it can hardly be seen: a limit, shown beside the rest.
LIMIT = ("swaps 2 of 20 labels", ("swapped-labels", _swaps_two))


@dataclass
class CountSource:
    """What became of the annotators of many teams."""

    teams: int = 0
    alarmed: int = 0
    flagged: int = 0
    false: int = 0
    found: int = 0
    named: int = 0
    covered: list[float] = field(default_factory=list)


def run(*, seed: int = 1, quick: bool = False, progress: Progress | None = None) -> StudyResult:
    """Draw many teams, honest ones and ones with one bad annotator or two schools, and count who is flagged.

    Parameters
    ----------
    seed : int
    quick : bool
        Fewer teams.
    progress : callable, optional
    """
    teams = 25 if quick else 400
    rng = np.random.default_rng(seed)
    designs = DESIGNS[:-1] if quick else DESIGNS
    honest: dict[str, CountSource] = {}
    bad: dict[tuple[str, str], CountSource] = {}
    for place, design in enumerate(designs):
        tell = part(progress, 0.8 * place / len(designs), 0.8 * (place + 1) / len(designs))
        # A team of a hundred is worth many small ones, and takes as long.
        number = max(10, teams // 8) if design.n_annotators > 50 else teams
        tell(0.0, design.name)
        honest[design.name] = _honest(design, number, rng)
        for turn, trouble in enumerate(TROUBLES):
            tell((turn + 1) / 4, f"{design.name}, {trouble}")
            bad[design.name, trouble] = _troubled(design, *TROUBLES[trouble], number, rng)
        if design is MANY_LABELS:
            bad[design.name, LIMIT[0]] = _troubled(design, *LIMIT[1], number, rng)
    found = _annotator_clusters(max(10, teams // 4), rng, part(progress, 0.8, 1.0))
    return StudyResult(
        name="annotators",
        title="Annotators: false alarms and detection",
        sentences=_sentences(teams),
        findings=_findings(honest, bad, found),
        tables=_tables(honest, bad, found),
        charts={"detection": _chart(honest, bad)},
        settings=settings(seed=seed, quick=quick, teams=teams, fdr=FDR, margin=MARGIN, least=LEAST),
    )


def draw(design: Design, rng: np.random.Generator, skill: float | Sequence[float] = 0.85) -> tuple[Array, Array]:
    """Draw who labels which item and what they say.

    An annotator knows an item's true label with the probability of their skill, less on hard items, and else draws a label from
    the shares of the labels.

    Returns
    -------
    who, said : array (items, each)
    """
    size = (design.n_items, design.each)
    truth = rng.choice(len(design.shares), design.n_items, p=design.chances)[:, None]
    hard = np.where(rng.random((design.n_items, 1)) < 0.5, HARD, 1.0)
    who = np.argsort(rng.random((design.n_items, design.n_annotators)), axis=1)[:, : design.each]
    known = rng.random(size) < np.broadcast_to(skill, (design.n_annotators,))[who] * hard
    return who, np.where(known, truth, rng.choice(len(design.shares), size, p=design.chances))


def team_of(design: Design, who: Array, said: Array) -> AnnotatorTable:
    """Make a team of what was drawn."""
    from assent.data.long_rows import LongRows

    return AnnotatorTable.of_listing(
        LongRows(
            items=range(design.n_items),  # type: ignore[arg-type]
            labels=tuple(map(str, range(len(design.shares)))),
            annotators=tuple(map(str, range(design.n_annotators))),
            item=np.repeat(np.arange(design.n_items), design.each),
            label=said.ravel(),
            annotator=who.ravel(),
        )
    )


def judge(team: AnnotatorTable) -> tuple[Array, dict[int, str]]:
    """Return who is flagged, (annotators,) of bool, and what kind of trouble they are: what `assent.annotators` says."""
    stand, uses = relative_agreement(team), label_bias(team)
    others = with_others(team)
    flagged = flags(team, stand, uses, others, fdr=FDR, margin=MARGIN, least=LEAST).flagged
    found = np.flatnonzero(flagged).tolist()
    return flagged, {one: kind_of(one, team, others, stand, uses, MARGIN, False)[0] for one in found}


def _honest(design: Design, teams: int, rng: np.random.Generator) -> CountSource:
    """Count false alarms in teams of annotators of one skill, and how often intervals hold the truth."""
    tally = CountSource()
    # The labels of two annotators agree beyond chance as often as both know the truth.
    truth = 0.85**2 * (1.0 + HARD**2) / 2.0
    for _ in range(teams):
        team = team_of(design, *draw(design, rng))
        flagged = judge(team)[0]
        tally.teams += 1
        tally.alarmed += bool(flagged.any())
        tally.false += int(flagged.sum())
        interval = with_others(team, level=LEVEL)
        tally.covered += ((interval.low <= truth) & (truth <= interval.high))[~np.isnan(interval.low)].tolist()
    return tally


def _troubled(design: Design, kind: str, spoil: Spoil, teams: int, rng: np.random.Generator) -> CountSource:
    """Count how often one bad annotator is found, called what they are, and others are flagged beside them."""
    tally = CountSource()
    for _ in range(teams):
        who, said = draw(design, rng)
        flagged, kinds = judge(team_of(design, who, spoil(said, who == 0, design, rng)))
        tally.teams += 1
        tally.found += bool(flagged[0])
        tally.named += kinds.get(0) == kind
        tally.flagged += int(flagged.sum())
        tally.false += int(flagged[1:].sum())
    return tally


#: Teams for schools: name, annotators, items, annotations an item, size of the second school, skill.
_TEAMS: tuple[tuple[str, int, int, int, int, Any], ...] = (
    ("two schools, 4 and 4, all items", 8, 200, 8, 4, 0.85),
    ("two schools, 6 and 2, all items", 8, 200, 8, 2, 0.85),
    ("two schools, 4 and 4, 3 an item", 8, 600, 3, 4, 0.85),
    ("two schools, 4 and 4, 2 an item", 8, 1200, 2, 4, 0.85),
    ("one school, all items", 8, 200, 8, 0, 0.85),
    ("one school, 3 an item", 8, 600, 3, 0, 0.85),
    ("one school, good and poor", 8, 200, 8, 0, (0.95,) * 4 + (0.5,) * 4),
    ("one school, three who click", 8, 200, 8, 0, (0.85,) * 5 + (0.0,) * 3),
)
#: Share of the items that the two schools read differently.
DISPUTED = 0.3


def _annotator_clusters(teams: int, rng: np.random.Generator, tell: Progress) -> dict[str, tuple[int, int, int, int]]:
    """Count for each kind of team how often schools are found, and with the right members: (second school, teams, found, right)."""
    counts = {}
    for place, (name, annotators, items, each, second, skill) in enumerate(_TEAMS):
        tell(place / len(_TEAMS), name)
        design = Design(name=name, n_annotators=annotators, n_items=items, each=each, shares=(1, 1, 1))
        found = right = 0
        for _ in range(teams):
            who, said = draw(design, rng, skill)
            shifted = (rng.random(items) < DISPUTED)[:, None] & (who < second)
            result = annotator_clusters(
                team_of(design, who, np.where(shifted, (said + 1) % 3, said)), level=FDR, margin=MARGIN
            )
            found += result is not None
            right += result is not None and frozenset(range(second)) in {frozenset(group) for group in result.groups}
        counts[name] = (second, teams, found, right)
    return counts


def _tables(
    honest: Mapping[str, CountSource],
    bad: Mapping[tuple[str, str], CountSource],
    found: Mapping[str, tuple[int, int, int, int]],
) -> list[StudyTable]:
    return [
        StudyTable(
            name="honest-teams",
            caption="Teams of honest annotators of one skill: how many are flagged, and how often the 95 % interval of an annotator's "
            "agreement beyond chance holds the truth.",
            columns={
                "team": list(honest),
                "teams": [one.teams for one in honest.values()],
                "teams with a false alarm": [one.alarmed / one.teams for one in honest.values()],
                "flagged per team": [one.false / one.teams for one in honest.values()],
                "interval holds": [float(np.mean(one.covered)) for one in honest.values()],
            },
            decimals=3,
        ),
        StudyTable(
            name="one-bad-annotator",
            caption="Teams with one bad annotator: how often that one is found, and called what it is; and what share of all flagged are "
            "flagged wrongly.",
            columns={
                "team": [name for name, _ in bad],
                "trouble": [trouble for _, trouble in bad],
                "found": [one.found / one.teams for one in bad.values()],
                "called so": [one.named / one.teams for one in bad.values()],
                "false among flagged": [one.false / one.flagged if one.flagged else None for one in bad.values()],
            },
            decimals=3,
        ),
        StudyTable(
            name="schools",
            caption="Groups who read alike: how often more than one is found, and how often the second school is exactly right.",
            columns={
                "team": list(found),
                "teams": [teams for _, teams, _, _ in found.values()],
                "schools found": [times / teams for _, teams, times, _ in found.values()],
                "members right": [right / teams if second else None for second, teams, _, right in found.values()],
            },
            decimals=3,
        ),
    ]


def _findings(
    honest: Mapping[str, CountSource],
    bad: Mapping[tuple[str, str], CountSource],
    found: Mapping[str, tuple[int, int, int, int]],
) -> list[StudyFinding]:
    from scipy.stats import binom

    def most(teams: int) -> float:
        return float(binom.ppf(0.999, teams, FDR)) / teams

    alarms = {name: one.alarmed / one.teams for name, one in honest.items()}
    detected = {key: one.found / one.teams for key, one in bad.items() if key[1] in TROUBLES}
    false = sum(one.false for one in bad.values()) / max(1, sum(one.flagged for one in bad.values()))
    wrong = {name: times / teams for name, (second, teams, times, _) in found.items() if not second}
    right = {name: times / teams for name, (second, teams, times, _) in found.items() if second}
    return [
        StudyFinding(
            statement="In a team of honest annotators of one skill few are ever flagged.",
            paper="",
            ours=f"{_range(alarms)} of the teams have a false alarm.",
            holds=all(alarms[name] <= most(one.teams) for name, one in honest.items()),
            why="In no design more often than a method with 5 % of false alarms would have once in a thousand such studies.",
        ),
        StudyFinding(
            statement="One who clicks at random, gives one label to everything or swaps labels is found.",
            paper="",
            ours=f"{_range(detected)} of the time.",
            holds=min(detected.values()) >= 0.9,
            why="At least nine times in ten in every design.",
        ),
        StudyFinding(
            statement="Of those flagged beside a bad annotator, few are flagged wrongly.",
            paper="",
            ours=f"{percent(false)} of all flagged.",
            holds=false <= FDR,
            why="No more than the false discovery rate of 5 %.",
        ),
        StudyFinding(
            statement="Two schools are found, and different skill is not taken for them.",
            paper="",
            ours=f"Found in {_range(right)} of the teams that have them, and in {_range(wrong)} of those that do not.",
            holds=all(wrong[name] <= most(found[name][1]) for name in wrong) and min(right.values()) >= 0.8,
            why="At least eight times in ten, and no more false alarms than 5 %, up to chance.",
        ),
    ]


def _range(shares: Mapping[Any, float]) -> str:
    """Show the least and the largest share."""
    low, high = percent(min(shares.values())), percent(max(shares.values()))
    return low if low == high else f"{low} to {high}"


def _sentences(teams: int) -> list[str]:
    return [
        f"For every design {teams:,} teams were drawn (an eighth as many of a hundred annotators). An annotator knows the true label of "
        f"an item with probability 0.85, of a hard one (half of the items) with {0.85 * HARD:.3g}, and else draws a label from the shares "
        "of the labels. In teams with a bad annotator that one clicks at random, gives the most frequent label to everything, or "
        "exchanges the labels two by two; the others are honest.",
        f"Annotators were flagged at a false discovery rate of {percent(FDR)}, from a difference of {percent(MARGIN)} on. Two schools read {percent(DISPUTED)} of the items "
        "differently.",
    ]


def _chart(honest: Mapping[str, CountSource], bad: Mapping[tuple[str, str], CountSource]) -> altair.TopLevelMixin:
    import altair as alt

    values = [
        {"team": name, "who": trouble, "share": one.found / one.teams}
        for (name, trouble), one in bad.items()
        if trouble in TROUBLES
    ]
    values += [
        {"team": name, "who": "anybody honest", "share": one.alarmed / one.teams} for name, one in honest.items()
    ]
    everyone = [*TROUBLES, "anybody honest"]
    chart: altair.TopLevelMixin = (
        alt.Chart(alt.InlineData(values=values))
        .mark_point(filled=True, size=80)
        .encode(
            alt.X("share:Q").title("flagged").axis(alt.Axis(format="%")).scale(alt.Scale(domain=[0, 1])),
            alt.Y("team:N").title(None).sort(list(honest)),
            alt.Color("who:N").title(None).scale(alt.Scale(domain=everyone)),
            alt.Shape("who:N").title(None).scale(alt.Scale(domain=everyone)),
        )
        .properties(
            width=320, height=200, title="How often the bad one is flagged, and an honest team has a false alarm"
        )
    )
    return chart
