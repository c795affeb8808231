"""Rosenberg and Binkowski (2004): the worked example, the sweep of p, and the four classes of messages.

The corpus of the paper is not public. Its four classes are shown on corpora that are drawn with as many messages of each kind, so
that it can be seen whether the sweep finds what was put in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

import assent
from assent.analyses.sweep import CLASSES, Sweep
from assent.data import Annotations
from assent.documents.charts import PALETTE
from assent.label_sets import LabelSets
from assent.measures import augmented_kappa, cohen_kappa
from studies import Progress, StudyFinding, StudyResult, StudyTable, part, settings

if TYPE_CHECKING:
    import altair as alt

__all__ = ["COMBINATIONS", "EXAMPLE", "KINDS", "draw_corpus", "run"]

TITLE = "Primary and secondary labels (Rosenberg & Binkowski 2004), run again"
LABELS = (
    "question",
    "answer",
    "broadcast",
    "attachment transmission",
    "planning-meeting scheduling",
    "planning scheduling",
    "planning",
    "action item",
    "technical discussion",
    "social chat",
)
ANNOTATORS = ("A", "B", "C")
#: Kinds of messages that are drawn, how many as in the paper's classes, and the class each should be found in.
KINDS = {
    "clear": (92, "constant-high"),
    "disputed": (183, "constant-low"),
    "secondary at will": (58, "higher-at-1"),
    "swapped": (47, "higher-at-0.5"),
}
#: A second label is given to a disputed message, and to one whose secondary label is at will, with these probabilities.
DISPUTED_SECOND, WILFUL_SECOND = 0.3, 0.7
CORPORA, QUICK = 100, 8

#: Table 1 of the paper: what annotator A gave, the primary label first.
EXAMPLE = {"Msg1": ("a", "b"), "Msg2": ("b", "a"), "Msg3": ("b",), "Msg4": ("c",), "Msg5": ("c", "b")}
#: Tables 2 and 3, for p = 0.6.
TABLE_2 = ((0.6, 0.4, 0, 0), (0.4, 0.6, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0.4, 0.6, 0))
TABLE_3 = (0.2, 0.48, 0.32, 0)
#: Every way in which two annotators can give one or two labels (section 4), and how far they agree.
COMBINATIONS = {
    "a, a": (("a",), ("a",), "1"),
    "a, b": (("a",), ("b",), "0"),
    "ab, a": (("a", "b"), ("a",), "p"),
    "ab, b": (("a", "b"), ("b",), "1 - p"),
    "ab, c": (("a", "b"), ("c",), "0"),
    "ab, ab": (("a", "b"), ("a", "b"), "p² + (1 - p)²"),
    "ab, ba": (("a", "b"), ("b", "a"), "2 p (1 - p)"),
    "ab, ac": (("a", "b"), ("a", "c"), "p²"),
    "ab, bc": (("a", "b"), ("b", "c"), "p (1 - p)"),
    "ab, cd": (("a", "b"), ("c", "d"), "0"),
}


def run(*, seed: int = 1, quick: bool = False, progress: Progress | None = None) -> StudyResult:
    """Run the worked example, and sweep simulated corpora.

    Parameters
    ----------
    seed : int
    quick : bool
        8 corpora instead of 100.
    progress : callable, optional
    """
    corpora = QUICK if quick else CORPORA
    told = part(progress, 0.0, 0.95)
    found = np.zeros((len(KINDS), len(CLASSES)))
    ignored = np.zeros(corpora)
    for i, rng in enumerate(np.random.default_rng(seed).spawn(corpora)):
        told(i / corpora, "corpora")
        data, kinds = draw_corpus(rng)
        sweep = assent.sweep(data, points=2, ci="none")
        found += _counted(sweep, kinds)
        ignored[i] = abs(sweep.points[-1].value - cohen_kappa(_primary_alone(data)).value)
    part(progress, 0.95, 1.0)(0.0, "one corpus in full")
    shown = assent.sweep(draw_corpus(np.random.default_rng(seed))[0])
    part(progress, 0.95, 1.0)(1.0, "done")
    shares = found / found.sum(axis=1, keepdims=True)
    return StudyResult(
        name="rosenberg2004",
        title=TITLE,
        sentences=_sentences(corpora),
        findings=[_example(), _ignores(ignored), *_kinds(shares), _doubt()],
        tables=[_weights(), _combinations(), _recovered(found), _curve(shown)],
        charts={"sweep": shown.chart(), "combinations": _draw_combinations()},
        settings=settings(seed=seed, quick=quick, corpora=corpora),
    )


def draw_corpus(rng: np.random.Generator) -> tuple[Annotations, list[str]]:
    """Draw 380 messages with labels of three annotators, and say of which kind each is.

    A clear message has one label from everyone. A disputed one has a label of each annotator's own, sometimes two. In the
    third kind all have the same primary label, and each may add any other as the secondary one. In the fourth all have the
    same two labels, and each ranks them at will.

    Returns
    -------
    Annotations
        Messages are called 0, 1, 2, …
    list of str
        Kind of each of them.
    """
    import polars as pl

    kinds = [kind for kind, (number, _) in KINDS.items() for _ in range(number)]
    rows = []
    for place, kind in enumerate(kinds):
        first, second = rng.choice(len(LABELS), 2, replace=False).tolist()
        for annotator in ANNOTATORS:
            given = [first]
            if kind == "disputed":
                given = rng.choice(len(LABELS), 1 + int(rng.random() < DISPUTED_SECOND), replace=False).tolist()
            elif kind == "secondary at will" and rng.random() < WILFUL_SECOND:
                given = [first, int(rng.choice([label for label in range(len(LABELS)) if label != first]))]
            elif kind == "swapped":
                given = [first, second] if rng.random() < 0.5 else [second, first]
            rows.append((str(place), annotator, ";".join(LABELS[label] for label in given)))
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")
    return Annotations.from_frame(frame, separator=";", ranked=True), kinds


def _counted(sweep: Sweep, kinds: Sequence[str]) -> np.ndarray:
    """Count messages by the kind they were drawn as and the class they were found in: (kinds, classes)."""
    names = list(KINDS)
    table = np.zeros((len(KINDS), len(CLASSES)))
    for place, name in enumerate(CLASSES):
        for message in sweep.members(name):
            table[names.index(kinds[int(message)]), place] += 1
    return table


def _primary_alone(data: Annotations) -> Annotations:
    """Return the primary labels as if there had been no others."""
    assert data._sets is not None
    listing = data.to_rows()
    names = [one[0] for one in data._sets.names()]
    assert listing.annotator is not None
    given = zip(listing.item.tolist(), listing.annotator.tolist(), listing.label.tolist(), strict=True)
    return Annotations.from_triples((ANNOTATORS[who], listing.items[item], names[label]) for item, who, label in given)


# What is found


def _example() -> StudyFinding:
    weights = _matrix(0.6)
    apart = max(np.abs(weights - TABLE_2).max(), np.abs(weights.mean(axis=0) - TABLE_3).max())
    return StudyFinding(
        statement="Tables 2 and 3 follow from Table 1 with p = 0.6.",
        paper="Relative frequencies 0.2, 0.48, 0.32 and 0.",
        ours=f"{', '.join(f'{share:.4g}' for share in weights.mean(axis=0))}; both tables differ from ours {_by(apart)}.",
        holds=bool(apart < 1e-15),
        why="Holds if every cell is the same up to the last digit of a float.",
    )


def _ignores(apart: np.ndarray) -> StudyFinding:
    return StudyFinding(
        statement="With p = 1 secondary labels are ignored.",
        paper="If p = 1.0 the secondary labels are completely ignored.",
        ours=f"Augmented kappa at p = 1 and Cohen's kappa of the primary labels differ {_by(apart.max())} in {len(apart)} corpora.",
        holds=bool(apart.max() < 1e-12),
        why="Holds if they differ by rounding alone.",
    )


def _by(difference: float) -> str:
    """Show a difference that should be none."""
    return f"by at most {difference:.0e}" if difference else "nowhere"


_SAYS = {
    "clear": "Class 1: consistently categorized with a single label.",
    "disputed": "Class 2: least consistently annotated, with or without secondary labels.",
    "secondary at will": "Class 3: the secondary label is used inconsistently, the primary one is agreed on.",
    "swapped": "Class 4: primary and secondary labels are switched by some annotators.",
}
_MISSED = {
    "clear": "",
    "disputed": " Two of three who meet by luck, or a secondary label that meets a primary one, look like something else.",
    "secondary at will": " Where by luck nobody gave a secondary label the message is clear.",
    "swapped": " Where all three by luck rank the labels alike, one time in four, nothing is swapped.",
}


def _kinds(shares: np.ndarray) -> list[StudyFinding]:
    findings = []
    for place, (kind, (_, name)) in enumerate(KINDS.items()):
        here = list(CLASSES).index(name)
        others = {
            other: share for other, share in zip(CLASSES, shares[place], strict=True) if other != name and share > 0
        }
        rest = "; ".join(f"{share:.0%} in {other}" for other, share in others.items())
        findings.append(
            StudyFinding(
                statement=f"The sweep finds messages that are {kind}.",
                paper=_SAYS[kind],
                ours=f"{shares[place, here]:.0%} are found in {name}{f'; {rest}' if rest else ''}.",
                holds=bool(shares[place].argmax() == here and shares[place, here] > 0.5),
                why=f"Holds if more than half are found there.{_MISSED[kind]}",
            )
        )
    return findings


def _doubt() -> StudyFinding:
    """Sweep annotators who agree on everything, ranks included."""
    import polars as pl

    pairs = [f"{first};{second}" for first in LABELS for second in LABELS if first != second]
    rows = [(str(i), who, labels) for i, labels in enumerate(pairs) for who in ANNOTATORS]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")
    data = Annotations.from_frame(frame, separator=";", ranked=True)
    equal, only = (augmented_kappa(data, primary=p).value for p in (0.5, 1.0))
    third = next(one for one in assent.sweep(data, points=2, ci="none").classes if one.name == "higher-at-1")
    return StudyFinding(
        statement="A higher value at p = 1 shows that secondary labels are used inconsistently.",
        paper="Messages with greater agreement at p = 1.0 than at p = 0.5 demonstrate greater inconsistency in secondary labels.",
        ours=f"Annotators who give the same two labels in the same order everywhere have {only:.2f} at p = 1 and {equal:.2f} at p = 0.5; "
        f"all {third.n_items} messages fall into class 3.",
        holds=bool(equal >= only),
        why="Holds if complete agreement is not lower at p = 0.5. Two labels are one divided vote, and two equal halves meet half of the "
        "time. So assent says how many messages of class 3 have the same labels from everyone.",
    )


# Tables and figures


def _matrix(primary: float) -> np.ndarray:
    """Return the annotation matrix of the example: (messages, labels a to d)."""
    sets = LabelSets.of(list(EXAMPLE.values()), ("a", "b", "c", "d"), ranked=True)
    return sets.weights(primary)[:, :-1]


def _weights() -> StudyTable:
    weights = np.vstack([_matrix(0.6), _matrix(0.6).sum(axis=0), _matrix(0.6).mean(axis=0)])
    return StudyTable(
        name="example",
        caption="Tables 1 to 3: what annotator A gave, the annotation matrix for p = 0.6, its totals and the relative frequencies.",
        columns={
            "message": [*EXAMPLE, "total", "frequency"],
            "labels": [*(", ".join(labels) for labels in EXAMPLE.values()), None, None],
            **{label: weights[:, i].tolist() for i, label in enumerate("abcd")},
        },
    )


def _agreement(first: tuple[str, ...], second: tuple[str, ...], primary: float) -> float:
    """Return how far two annotators agree on one message."""
    one, two = LabelSets.of([first, second], ("a", "b", "c", "d"), ranked=True).weights(primary)
    return float(one @ two)


def _combinations() -> StudyTable:
    return StudyTable(
        name="combinations",
        caption="Every way in which two annotators can give one or two labels, and how far they then agree.",
        columns={
            "labels": list(COMBINATIONS),
            "agreement": [formula for _, _, formula in COMBINATIONS.values()],
            **{
                f"p = {p:g}": [_agreement(first, second, p) for first, second, _ in COMBINATIONS.values()]
                for p in (0.5, 0.6, 0.75, 0.9, 1.0)
            },
        },
    )


def _recovered(found: np.ndarray) -> StudyTable:
    return StudyTable(
        name="classes",
        caption="Messages of all simulated corpora by the kind they were drawn as and the class they were found in.",
        columns={
            "drawn as": list(KINDS),
            "messages": found.sum(axis=1).astype(int).tolist(),
            **{name: found[:, place].astype(int).tolist() for place, name in enumerate(CLASSES)},
        },
    )


def _curve(sweep: Sweep) -> StudyTable:
    paper = {0.5: 0.281, 1.0: 0.299}
    return StudyTable(
        name="sweep",
        caption="Augmented kappa of one simulated corpus, with 95 % intervals. The paper's numbers are those of its own corpus, which "
        "is not public and cannot be compared.",
        columns={
            "p": [one.primary for one in sweep.points],
            "kappa": [one.value for one in sweep.points],
            "low": [one.interval.low if one.interval else None for one in sweep.points],
            "high": [one.interval.high if one.interval else None for one in sweep.points],
            "paper": [paper.get(one.primary) for one in sweep.points],
        },
        decimals=3,
    )


def _draw_combinations() -> alt.TopLevelMixin:
    """Draw how far two annotators agree against p, for every combination that depends on it."""
    import altair as alt

    moving = [name for name, (_, _, formula) in COMBINATIONS.items() if "p" in formula]
    values = [
        {"p": p, "agreement": _agreement(*COMBINATIONS[name][:2], p), "labels": name}
        for name in moving
        for p in np.linspace(0.5, 1.0, 26).round(3).tolist()
    ]
    made: alt.TopLevelMixin = (
        alt.Chart(alt.InlineData(values=values))
        .mark_line()
        .encode(
            x=alt.X(
                "p:Q",
                title="weight p of the primary label",
                scale=alt.Scale(domain=[0.5, 1.0]),
                axis=alt.Axis(format=".2~f", labelFlush=False),
            ),
            y=alt.Y("agreement:Q", title="agreement on the message"),
            color=alt.Color(
                "labels:N",
                title="labels",
                sort=moving,
                scale=alt.Scale(domain=moving, range=list(PALETTE[: len(moving)])),
            ),
        )
        .properties(
            width=360,
            height=280,
            title=alt.TitleParams(
                "What the weight of the primary label does",
                subtitle="two annotators, one message; ab: primary a, secondary b",
                offset=12,
            ),
        )
    )
    return made


def _sentences(corpora: int) -> list[str]:
    sizes = ", ".join(f"{number} {kind}" for kind, (number, _) in KINDS.items())
    return [
        "An annotator may give a message a primary and a secondary label. The primary one counts p, the other one 1 - p. What agreement "
        "does between p = 0.5 and p = 1 tells how secondary labels are used.",
        f"The corpus of the paper is not public. {corpora} corpora of 380 messages and ten labels were drawn for three annotators, with as "
        f"many messages of each kind as the paper found in each class ({sizes}), and swept: does the sweep find what was put in?",
        "The paper calls 150 of its 380 messages usable, with κ' above 0.6, without saying at which p. They are as many as its classes 1 and 3 "
        "have together, 92 and 58: the messages whose primary label is agreed on.",
    ]
