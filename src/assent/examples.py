"""Example data, made by code with a seed: small studies with a known story each, to try things on and to learn from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assent.data import Annotations
from assent.errors import OptionError, did_you_mean
from assent.text import shown

__all__ = ["EXAMPLES", "Example", "example"]


@dataclass(frozen=True, kw_only=True)
class Example:
    """Data with a story.

    Parameters
    ----------
    name : str
        As on the command line.
    title : str
        What a report on it is called.
    story : str
        What is in it, and what a report should find.
    make : callable
        From a seed to the annotations.
    settings : mapping
        How a report on it is made: task, scale, text, by.
    """

    name: str
    title: str
    story: str
    make: Callable[[int], Annotations] = field(repr=False)
    settings: Mapping[str, Any] = field(default_factory=dict)

    def data(self, seed: int = 0) -> Annotations:
        """Return the annotations. The same seed gives the same annotations."""
        return self.make(seed)


def example(name: str) -> Example:
    """Return an example by its name.

    Examples
    --------
    >>> example("lecture").data().n_items
    50
    """
    if name not in EXAMPLES:
        raise OptionError(f"There is no example {shown(name)}: {did_you_mean(name, EXAMPLES)}")
    return EXAMPLES[name]


def _lecture(seed: int) -> Annotations:
    """Return the table that a lecture on Cohen's kappa works out: 0.70 observed, 0.50 expected, kappa 0.40."""
    return Annotations.from_contingency(
        [[20, 5], [10, 15]], labels=["positive", "negative"], annotators=("annotator 1", "annotator 2")
    )


def _perfect(seed: int) -> Annotations:
    """Make three annotators who never disagree."""
    rng = np.random.default_rng([seed, 1])
    truth = rng.choice(["noun", "verb", "adjective", "other"], size=120, p=[0.4, 0.25, 0.15, 0.2])
    rows = [
        (f"word-{i + 1:03d}", who, label) for i, label in enumerate(truth.tolist()) for who in ("ada", "ben", "cem")
    ]
    return _long(rows)


def _sparse_crowd(seed: int) -> Annotations:
    """Make a crowd of 60, of whom each item is seen by two to five; five of them click at random."""
    rng = np.random.default_rng([seed, 2])
    labels = ["cat", "dog", "bird", "none"]
    shares = np.array([0.35, 0.3, 0.15, 0.2])
    workers = [f"w{i + 1:02d}" for i in range(60)]
    skill = rng.uniform(0.82, 0.95, size=60)
    skill[rng.choice(60, size=5, replace=False)] = 0.0
    # Few do much and many do little, as in every crowd.
    activity = 1.0 / np.arange(1, 61) ** 0.6
    activity /= activity.sum()
    rows = []
    for i in range(1200):
        truth = int(rng.choice(4, p=shares))
        for worker in rng.choice(60, size=int(rng.integers(2, 6)), replace=False, p=activity).tolist():
            given = truth if rng.random() < skill[worker] else int(rng.choice(4, p=shares))
            rows.append((f"image-{i + 1:04d}", workers[worker], labels[given]))
    return _long(rows)


def _multi_label(seed: int) -> Annotations:
    """Make four experts who may give a text a primary and a secondary emotion; one of them nearly always gives two."""
    rng = np.random.default_rng([seed, 3])
    labels = ["joy", "sadness", "anger", "fear", "surprise", "disgust"]
    shares = np.array([0.3, 0.2, 0.18, 0.14, 0.1, 0.08])
    second = {"joy": "surprise", "sadness": "fear", "anger": "disgust", "fear": "surprise"}
    experts = {"hana": 0.25, "idris": 0.3, "jun": 0.25, "kim": 0.9}
    rows = []
    for i in range(240):
        truth = str(rng.choice(labels, p=shares))
        mixed = rng.random() < 0.3 and truth in second
        for expert, generous in experts.items():
            first = truth if rng.random() < 0.85 else str(rng.choice(labels, p=shares))
            given = [first]
            if rng.random() < (max(generous, 0.7) if mixed else generous / 3):
                other = second[truth] if mixed and rng.random() < 0.8 else str(rng.choice(labels, p=shares))
                given += [other] if other != first else []
            if len(given) > 1 and mixed and rng.random() < 0.3:
                given.reverse()
            rows.append((f"text-{i + 1:03d}", expert, ";".join(given)))
    return _long(rows, separator=";", ranked=True)


def _ordinal_bias(seed: int) -> Annotations:
    """Make five raters who judge essays from 1 to 5; one of them is a grade more severe than the others."""
    rng = np.random.default_rng([seed, 4])
    raters = ["lena", "marc", "nadia", "omar", "pia"]
    rows = []
    for i in range(150):
        worth = rng.normal(3.2, 0.9)
        for rater in raters:
            grade = worth + rng.normal(0.0, 0.45) - (1.0 if rater == "pia" else 0.0)
            rows.append((f"essay-{i + 1:03d}", rater, str(int(np.clip(np.rint(grade), 1, 5)))))
    return _long(rows).ordered(["1", "2", "3", "4", "5"])


def _story(seed: int) -> Annotations:
    """Make support messages: neutral and negative are confused, one annotator is careless, and ironic messages are ambiguous."""
    rng = np.random.default_rng([seed, 5])
    labels = ["positive", "neutral", "negative", "question"]
    shares = np.array([0.3, 0.28, 0.27, 0.15])
    kinds = ["plain", "technical", "ironic"]
    team = {"amira": 0.94, "bruno": 0.92, "chen": 0.93, "dalia": 0.92, "egon": 0.0}
    rows = []
    for i in range(400):
        kind = str(rng.choice(kinds, p=[0.55, 0.3, 0.15]))
        truth = str(rng.choice(labels, p=shares))
        item = f"message-{i + 1:03d}"
        text = _message(rng, truth, kind)
        # An ironic message says one thing and means another: people take it either way.
        other = {"positive": "negative", "negative": "positive"}.get(truth, "negative")
        # Four of five look at each message, egon at a third of them; now and then a label is missing.
        absent = "egon" if rng.random() > 0.35 else str(rng.choice(list(team)[:-1]))
        for who, skill in team.items():
            if who == absent or rng.random() < 0.03:
                continue
            given = truth
            if kind == "ironic" and rng.random() < 0.4:
                given = other
            elif truth in ("neutral", "negative") and kind != "ironic" and rng.random() < 0.16:
                given = "negative" if truth == "neutral" else "neutral"
            if rng.random() > skill:
                given = str(rng.choice(labels, p=shares))
            rows.append((item, who, given, kind, text))
    return _long(rows, columns=("kind", "text"))


_WHAT = {
    "plain": ["the delivery", "my order", "the refund", "your shop", "the parcel"],
    "technical": ["the update", "version 4.2", "the export", "the login", "the new driver"],
    "ironic": [
        "the third reset this week",
        "waiting an hour on hold",
        "a manual in five wrong languages",
        "the lovely error message",
    ],
}
_SAID = {
    "positive": ["Thank you, {} was exactly what I needed.", "I am really happy with {}.", "Great work on {}!"],
    "neutral": [
        "This is about {}, which arrived on Monday.",
        "I am writing to confirm {}.",
        "For your files: {} as agreed.",
    ],
    "negative": ["I am not satisfied with {}.", "Again a problem with {}.", "{} did not work and nobody answers."],
    "question": ["When can I expect {}?", "How do I change {}?", "Who is responsible for {}?"],
}
_IRONY = [
    "Oh wonderful, {}. Just what I was hoping for.",
    "Well done, {}. My day is complete.",
    "I could not be happier about {}, of course.",
]


def _message(rng: np.random.Generator, truth: str, kind: str) -> str:
    """Make up a message."""
    said = _IRONY if kind == "ironic" else _SAID[truth]
    made = said[int(rng.integers(len(said)))].format(_WHAT[kind][int(rng.integers(len(_WHAT[kind])))])
    return made[0].upper() + made[1:]


def _long(rows: Sequence[tuple[str, ...]], columns: Sequence[str] = (), **options: Any) -> Annotations:
    """Make annotations of long rows."""
    import polars as pl

    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", *columns], orient="row")
    return Annotations.from_frame(frame, columns=columns, **options)


#: The examples by name.
EXAMPLES: Mapping[str, Example] = {
    one.name: one
    for one in (
        Example(
            name="lecture",
            title="Sentiment of 50 texts, the table of a lecture",
            story="Two annotators, 50 items, two labels: observed agreement 0.70, expected 0.50, Cohen's kappa 0.40.",
            make=_lecture,
            settings={"task": "standard"},
        ),
        Example(
            name="sparse-crowd",
            title="Animals in 1,200 images, by a crowd",
            story="60 workers, two to five per image; five of them click at random.",
            make=_sparse_crowd,
            settings={"task": "objective"},
        ),
        Example(
            name="multi-label",
            title="Emotions in 240 texts, by four experts",
            story="A primary and sometimes a secondary emotion; one expert nearly always gives two.",
            make=_multi_label,
            settings={"task": "subjective", "ambiguity": True},
        ),
        Example(
            name="ordinal-bias",
            title="Grades of 150 essays, by five raters",
            story="Grades from 1 to 5; one rater is a grade more severe than the others.",
            make=_ordinal_bias,
            settings={"task": "standard", "scale": "ordinal"},
        ),
        Example(
            name="perfect",
            title="Parts of speech of 120 words",
            story="Three annotators who never disagree.",
            make=_perfect,
            settings={"task": "objective"},
        ),
        Example(
            name="story",
            title="Tone of 400 support messages",
            story="Neutral and negative are confused, one annotator is careless, and ironic messages are ambiguous.",
            make=_story,
            settings={"task": "standard", "text": "text", "by": "kind"},
        ),
    )
}
