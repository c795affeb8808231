"""Honest people: how often unlike annotators, minority readers and clickers are said to differ from the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, ndtr

from assent.analyses.annotators.diagnosis import annotators
from assent.analyses.annotators.flags import OTHERWISE
from assent.data import Annotations
from assent.profiles import Array
from studies.annotators import Design, draw, judge, team_of
from studies.result import Progress, StudyFinding, StudyResult, StudyTable, part, settings

__all__ = ["run"]

DESIGNS = (
    Design(name="5 annotators, 100 items, 2 labels", n_annotators=5, n_items=100, each=5, shares=(1, 1)),
    Design(name="5, 300 items, labels 90 : 10", n_annotators=5, n_items=300, each=5, shares=(9, 1)),
    Design(name="10, 300 items, 3 an item", n_annotators=10, n_items=300, each=3, shares=(5, 3, 2)),
    Design(name="10, 400 items, 3 an item, 10 labels", n_annotators=10, n_items=400, each=3, shares=(1,) * 10),
)
SKILL = 0.85

#: Draws a team: who labels which item, and what they say.
Team = Callable[[Design, np.random.Generator], tuple[Array, Array]]


def unlike(spread: float) -> Team:
    """Annotators who all do the work, some better than others."""

    def made(design: Design, rng: np.random.Generator) -> tuple[Array, Array]:
        return draw(design, rng, np.clip(rng.normal(SKILL, spread, design.n_annotators), 0.0, 1.0).tolist())

    return made


def minority(share: float) -> Team:
    """One annotator reads a share of the items in another way, and is right to."""

    def made(design: Design, rng: np.random.Generator) -> tuple[Array, Array]:
        who, said = draw(design, rng, SKILL)
        labels = len(design.shares)
        otherwise = (rng.random(design.n_items) < share)[:, None] & (who == 0)
        return who, np.where(otherwise, (said + rng.integers(1, labels, (design.n_items, 1))) % labels, said)

    return made


def clicker(design: Design, rng: np.random.Generator) -> tuple[Array, Array]:
    """One annotator gives a label at random to everything."""
    who, said = draw(design, rng, SKILL)
    return who, np.where(who == 0, rng.integers(0, len(design.shares), said.shape), said)


def biased_clicker(design: Design, rng: np.random.Generator) -> tuple[Array, Array]:
    """One annotator gives labels at random, each as often as it is true: where one label is frequent, that agrees on much."""
    who, said = draw(design, rng, SKILL)
    shares = np.array(design.shares) / sum(design.shares)
    return who, np.where(who == 0, rng.choice(len(shares), said.shape, p=shares), said)


def slips(design: Design, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Annotators of unlike skill who give another label than the true one where they err, never the true one by luck; and their skills."""
    who, _ = draw(design, rng, 1.0)
    labels = len(design.shares)
    truth = rng.choice(labels, (design.n_items, 1), p=np.array(design.shares) / sum(design.shares))
    skill = np.clip(rng.normal(SKILL, 0.1, design.n_annotators), 0.0, 1.0)
    errs = rng.random(who.shape) >= skill[who]
    return who, np.where(errs, (truth + rng.integers(1, labels, who.shape)) % labels, truth), skill


#: Teams in which nobody is to be flagged, and those in which the first annotator is.
HONEST: Mapping[str, Team] = {
    "skill sd 0": unlike(0.0),
    "skill sd 0.05": unlike(0.05),
    "skill sd 0.10": unlike(0.1),
    "minority reader, 10 % of the items": minority(0.1),
    "minority reader, 20 % of the items": minority(0.2),
}
CLICKER = "random clicker"


def flagged(team: Team, design: Design, teams: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return the share of teams with anybody flagged, and with the first annotator flagged."""
    anybody = first = 0
    for _ in range(teams):
        found, _ = judge(team_of(design, *team(design, rng)))
        anybody += bool(found.any())
        first += bool(found[0])
    return anybody / teams, first / teams


def slips_flagged(design: Design, teams: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return the share of teams with anybody flagged, and with anybody who is right as often as one who reads the share of the items otherwise that all may."""
    anybody = within = 0
    for _ in range(teams):
        who, said, skill = slips(design, rng)
        found, _ = judge(team_of(design, who, said))
        others = (skill.sum() - skill) / (len(skill) - 1)
        least = (1.0 - OTHERWISE) * others + OTHERWISE * (1.0 - others) / (len(design.shares) - 1)
        anybody += bool(found.any())
        within += bool((found & (skill >= least)).any())
    return anybody / teams, within / teams


#: Annotators and items of teams who rate on five points, all of them all items.
RATERS, RATED = 5, 150


def rates(severity: float, *, otherwise: float = 0.0, clicks: bool = False) -> Callable[[np.random.Generator], Array]:
    """Annotators who see the true step moved by a severity of their own; the first may read some items otherwise, or click."""

    def made(rng: np.random.Generator) -> Array:
        seen = rng.uniform(0.5, 5.5, (RATED, 1)) + severity * rng.normal(size=RATERS)
        said = np.clip(np.rint(seen + 0.5 * rng.normal(size=(RATED, RATERS))), 1, 5)
        moved = rng.random(RATED) < otherwise
        said[moved, 0] = (said[moved, 0] - 1 + rng.integers(1, 5, moved.sum())) % 5 + 1
        if clicks:
            said[:, 0] = rng.integers(1, 6, RATED)
        return said

    return made


#: Teams of raters in whom nobody is to be flagged, and those in which the first is.
RATINGS: Mapping[str, Callable[[np.random.Generator], Array]] = {
    "all as strict": rates(0.0),
    "severity sd 0.25 steps": rates(0.25),
    "severity sd 0.5 steps": rates(0.5),
    "minority reader, 10 % of the items": rates(0.25, otherwise=0.1),
    "minority reader, 20 % of the items": rates(0.25, otherwise=0.2),
    CLICKER: rates(0.25, clicks=True),
}


def ratings_flagged(made: Callable[[np.random.Generator], Array], teams: int, rng: np.random.Generator) -> Array:
    """Return shares of teams: with anybody flagged, with the first flagged, with exchanged labels, with groups: (4,)."""
    found = np.zeros(4)
    for _ in range(teams):
        report = annotators(Annotations.from_array(made(rng).astype(int).astype(str).tolist()), scale="ordinal")
        swapped = "swapped-labels" in report.kinds.values()
        found += [report.n_flagged > 0, bool(report.flagged[0]), swapped, report.clusters is not None]
    return found / teams


def continuum(sd: float) -> Callable[[np.random.Generator], Array]:
    """Eight annotators who differ in how strict they are with two labels, and in nothing else."""

    def made(rng: np.random.Generator) -> Array:
        item, bias = rng.logistic(size=(200, 1)) * 1.5, sd * rng.normal(size=8)
        return np.asarray(rng.random((200, 8)) < 1.0 / (1.0 + np.exp(-(item + bias) * 1.5)))

    return made


def thresholds(
    items: int, count: int, *, cut: float = 0.0, clicks: bool = False
) -> Callable[[np.random.Generator], Array]:
    """Annotators who say yes above a threshold of their own, with a standard deviation half of that of the items; the first may click with the labels' shares."""

    def made(rng: np.random.Generator) -> Array:
        seen = rng.normal(size=(items, 1)) + 0.5 * rng.normal(size=(items, count))
        said = np.asarray(seen > cut + 0.5 * rng.normal(size=count))
        if clicks:
            said[:, 0] = rng.random(items) < said[:, 1:].mean()
        return said

    return made


#: Teams of two labels from strict to lenient, without one who clicks and with one.
STRICT: Mapping[str, tuple[int, int, float]] = {
    "5 annotators, 100 items": (100, 5, 0.0),
    "5, 100 items, the second label on an eighth of them": (100, 5, 1.3),
    "8, 200 items": (200, 8, 0.0),
    "8, 200 items, the second label on an eighth of them": (200, 8, 1.3),
    "5, 1,000 items": (1000, 5, 0.0),
}


def strict_flagged(made: Callable[[np.random.Generator], Array], teams: int, rng: np.random.Generator) -> Array:
    """Return shares of teams: with anybody flagged who gives both labels, with anybody who gives one alone, with the first: (3,)."""
    found = np.zeros(3)
    for _ in range(teams):
        report = annotators(Annotations.from_array(np.where(made(rng), "yes", "no").tolist()))
        kinds = list(report.kinds.values())
        found += [any(kind != "one-label" for kind in kinds), "one-label" in kinds, bool(report.flagged[0])]
    return found / teams


def most_found(items: int, count: int, cut: float, teams: int, rng: np.random.Generator) -> float:
    """Return how often one who clicks could be told from a reader by somebody who knew how likely each item is to get the second label.

    It is the likelihood ratio test against one who leans and reads a tenth of the items otherwise, given how often the label was given, at 5 % divided by
    the number of annotators.
    """
    found = 0
    for _ in range(teams):
        # Thresholds and errors have a variance of a quarter each.
        yes = ndtr((rng.normal(size=items) - cut) / np.sqrt(0.5))
        own = rng.random(items) < yes.mean()
        score = np.log((0.9 * yes + 0.1 * (1 - yes)) / (0.1 * yes + 0.9 * (1 - yes)))
        leaning = (
            brentq(lambda one, score=score, own=own: expit(score + one).sum() - own.sum(), -30, 30)
            if own.any()
            else 0.0
        )
        chance = expit(score + leaning)
        spread = chance * (1 - chance)
        left = score - (spread @ score) / spread.sum()
        found += int(ndtr((own - chance) @ left / np.sqrt(spread @ left**2)) <= 0.05 / count)
    return found / teams


def clickers(rng: np.random.Generator) -> Array:
    """Six who know the label and two who click with the same 80:20 bias."""
    truth = rng.random((200, 1)) < 0.5
    said = np.where(rng.random((200, 8)) < 0.85, truth, ~truth)
    said[:, :2] = rng.random((200, 2)) < 0.8
    return said


def two_readings(rng: np.random.Generator) -> Array:
    """Two groups of four, who read 30 % of the items the other way round."""
    truth = rng.random((200, 1)) < 0.5
    said = np.where(rng.random((200, 8)) < 0.85, truth, ~truth)
    moved = rng.random(200) < 0.3
    said[moved, :4] = ~said[moved, :4]
    return said


#: Teams without groups who read otherwise, and one with two.
GROUPS: Mapping[str, Callable[[np.random.Generator], Array]] = {
    "strictness sd 0.5": continuum(0.5),
    "strictness sd 1": continuum(1.0),
    "two clickers with one bias": clickers,
    "two readings of 30 % of the items": two_readings,
}


def grouped(made: Callable[[np.random.Generator], Array], teams: int, rng: np.random.Generator) -> float:
    """Return the share of teams that are said to have groups."""
    found = 0
    for _ in range(teams):
        table = np.where(made(rng), "yes", "no").tolist()
        found += annotators(Annotations.from_array(table)).clusters is not None
    return found / teams


def run(*, seed: int = 1, quick: bool = False, progress: Progress | None = None) -> StudyResult:
    """Draw many teams of honest annotators, and some with one who clicks, and count who is flagged.

    Parameters
    ----------
    seed : int
    quick : bool
        Fewer teams.
    progress : callable, optional
    """
    teams = 20 if quick else 200
    rng = np.random.default_rng(seed)
    alarms: dict[str, list[float]] = {}
    found: list[float] = []
    for place, design in enumerate(DESIGNS):
        tell = part(progress, place / len(DESIGNS), (place + 1) / len(DESIGNS))
        for turn, (name, team) in enumerate(HONEST.items()):
            tell(turn / (len(HONEST) + 1), f"{design.name}, {name}")
            alarms.setdefault(name, []).append(flagged(team, design, teams, rng)[0])
        tell(len(HONEST) / (len(HONEST) + 1), f"{design.name}, {CLICKER}")
        found.append(flagged(clicker, design, teams, rng)[1])
    rest = np.random.default_rng(seed + 1)
    biased = [flagged(biased_clicker, design, teams, rest)[1] for design in DESIGNS]
    slipping = [slips_flagged(design, teams, rest) for design in DESIGNS]
    apart = np.random.default_rng(seed + 2)
    strict = {
        name: (
            strict_flagged(thresholds(items, count, cut=cut), teams, apart),
            strict_flagged(thresholds(items, count, cut=cut, clicks=True), teams, apart),
        )
        for name, (items, count, cut) in STRICT.items()
    }
    most = [most_found(*size, teams, apart) for size in STRICT.values()]
    some = teams // 2
    rated = {name: ratings_flagged(made, some, rng) for name, made in RATINGS.items()}
    groups = {name: grouped(made, some, rng) for name, made in GROUPS.items()}
    stricter = max(float(one[0][0] + one[0][1]) for one in strict.values())
    false = max(float(one[0]) for name, one in rated.items() if name != CLICKER)
    alone = max(one for name, one in groups.items() if "readings" not in name)
    columns: dict[str, Any] = {"team": [one.name for one in DESIGNS], **alarms, CLICKER: found}
    harder: dict[str, Any] = {
        "team": columns["team"],
        "clicker with the labels' shares": biased,
        "slips, sd 0.10": [one for one, _ in slipping],
        "slips, flagged within the margin": [one for _, one in slipping],
    }
    worst = max(max(shares) for shares in alarms.values())
    return StudyResult(
        name="honest",
        title="Honest people: who is said to differ",
        sentences=[
            f"{teams} teams of each kind. An annotator knows the label of an item with a probability of their own, around {SKILL}, less on hard "
            "items; a minority reader gives a share of the items another label on purpose; a clicker gives any label to everything.",
            "An annotator is flagged who is surely farther below the others than one who reads a fifth of the items otherwise.",
        ],
        findings=[
            StudyFinding(
                statement="Teams in which all do the work are hardly ever said to have somebody who differs.",
                paper="",
                ours=f"At most {100 * worst:.0f} % of the teams of a kind.",
                holds=worst <= 0.05 + 3 * (0.05 * 0.95 / teams) ** 0.5,
                why="No kind of team more often than in 5 %, up to the error of the simulation.",
            ),
            StudyFinding(
                statement="One who clicks at random is found.",
                paper="",
                ours=f"In {100 * min(found):.0f} % of the teams or more.",
                holds=min(found) >= 0.95,
                why="In 95 % of the teams of every design.",
            ),
            StudyFinding(
                statement="One who clicks with the shares of the labels is found, too.",
                paper="",
                ours=f"In {100 * min(biased):.0f} % of the teams or more.",
                holds=min(biased) >= 0.95 - 3 * (0.05 * 0.95 / teams) ** 0.5,
                why="In 95 % of the teams of every design, up to the error of the simulation.",
            ),
            StudyFinding(
                statement="Who errs more often than others, but no more than the margin, is not said to differ.",
                paper="",
                ours=f"At most {100 * max(one for _, one in slipping):.0f} % of the teams.",
                holds=max(one for _, one in slipping) <= 0.05,
                why="No kind of team more often than in 5 %.",
            ),
            StudyFinding(
                statement="The strict and the lenient are not said to differ for that.",
                paper="",
                ours=f"At most {100 * stricter:.0f} % of the teams.",
                holds=stricter <= 0.05,
                why="No kind of team more often than in 5 %, whether both labels were given or one alone.",
            ),
            StudyFinding(
                statement="The same holds on five points, whoever is stricter.",
                paper="",
                ours=f"At most {100 * false:.0f} % of honest teams; the clicker in {100 * float(rated[CLICKER][1]):.0f} %.",
                holds=false <= 0.05 + 3 * (0.05 * 0.95 / some) ** 0.5 and float(rated[CLICKER][1]) >= 0.95,
                why="No kind of team more often than in 5 %, up to the error of the simulation, and the clicker in 95 %.",
            ),
            StudyFinding(
                statement="Being strict, or clicking alike, is no reading of a group.",
                paper="",
                ours=f"At most {100 * alone:.0f} % of the teams without groups are said to have some.",
                holds=alone <= 0.05 + 3 * (0.05 * 0.95 / some) ** 0.5,
                why="No kind of team more often than in 5 %, up to the error of the simulation.",
            ),
        ],
        tables=[
            StudyTable(
                name="flagged",
                caption="Share of teams with anybody flagged; of teams with a clicker, that the clicker is.",
                columns=columns,
                decimals=3,
            ),
            StudyTable(
                name="harder",
                caption="Share of teams in which a clicker with the shares of the labels is flagged; and with anybody flagged, where all err by giving another label, and with anybody flagged who errs no more often than one who reads a fifth of the items otherwise.",
                columns=harder,
                decimals=3,
            ),
            StudyTable(
                name="strict",
                caption="Two labels and thresholds that differ: shares of teams with anybody flagged who gives both labels, and who gives one alone; and in which one who clicks with the labels' shares is; at most: by a test that knew how likely each item is to get the second label.",
                columns={
                    "team": list(strict),
                    "anybody flagged": [float(one[0][0]) for one in strict.values()],
                    "one label alone": [float(one[0][1]) for one in strict.values()],
                    "the clicker flagged": [float(one[1][2]) for one in strict.values()],
                    "at most": most,
                },
                decimals=3,
            ),
            StudyTable(
                name="ratings",
                caption=f"{RATERS} annotators who rate {RATED} items on five points: shares of {some} teams.",
                columns={
                    "team": list(rated),
                    "anybody flagged": [float(one[0]) for one in rated.values()],
                    "the first flagged": [float(one[1]) for one in rated.values()],
                    "exchanged labels": [float(one[2]) for one in rated.values()],
                    "groups": [float(one[3]) for one in rated.values()],
                },
                decimals=3,
            ),
            StudyTable(
                name="groups",
                caption=f"Eight annotators of 200 items, two labels: shares of {some} teams that are said to have groups.",
                columns={"team": list(groups), "groups": list(groups.values())},
                decimals=3,
            ),
        ],
        settings=settings(seed=seed, quick=quick, teams=teams),
    )
