"""Examples made by code with a seed: small studies with a known story each."""

from __future__ import annotations

import numpy as np

from assent.examples.example import Example, Row, Table

__all__ = ["MADE"]


def _perfect(seed: int) -> Table:
    """Make three annotators who never disagree."""
    rng = np.random.default_rng([seed, 1])
    truth = rng.choice(["noun", "verb", "adjective", "other"], size=120, p=[0.4, 0.25, 0.15, 0.2])
    rows: list[Row] = [
        (f"word-{i + 1:03d}", who, label) for i, label in enumerate(truth.tolist()) for who in ("ada", "ben", "cem")
    ]
    return _long(rows)


def _sparse_crowd(seed: int) -> Table:
    """Make a crowd of 60, of whom each item is seen by two to five; five of them click at random."""
    rng = np.random.default_rng([seed, 2])
    labels = ["cat", "dog", "bird", "other"]
    shares = np.array([0.35, 0.3, 0.15, 0.2])
    workers = [f"w{i + 1:02d}" for i in range(60)]
    skill = rng.uniform(0.82, 0.95, size=60)
    skill[rng.choice(60, size=5, replace=False)] = 0.0
    # Few do much and many do little, as in every crowd.
    activity = 1.0 / np.arange(1, 61) ** 0.6
    activity /= activity.sum()
    rows: list[Row] = []
    for i in range(1200):
        truth = int(rng.choice(4, p=shares))
        for worker in rng.choice(60, size=int(rng.integers(2, 6)), replace=False, p=activity).tolist():
            given = truth if rng.random() < skill[worker] else int(rng.choice(4, p=shares))
            rows.append((f"image-{i + 1:04d}", workers[worker], labels[given]))
    return _long(rows)


def _multi_label(seed: int) -> Table:
    """Make four experts who may give a text a primary and a secondary emotion; one of them gives two far more often."""
    rng = np.random.default_rng([seed, 3])
    labels = ["joy", "sadness", "anger", "fear", "surprise", "disgust"]
    shares = np.array([0.3, 0.2, 0.18, 0.14, 0.1, 0.08])
    second = {"joy": "surprise", "sadness": "fear", "anger": "disgust", "fear": "surprise"}
    experts = {"hana": 0.25, "idris": 0.3, "jun": 0.25, "kim": 0.9}
    rows: list[Row] = []
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
    return _long(rows)


def _ordinal_bias(seed: int) -> Table:
    """Make five raters who judge essays from 1 to 5; one of them is a grade more severe than the others."""
    rng = np.random.default_rng([seed, 4])
    raters = ["lena", "marc", "nadia", "omar", "pia"]
    rows: list[Row] = []
    for i in range(150):
        worth = rng.normal(3.2, 0.9)
        for rater in raters:
            grade = worth + rng.normal(0.0, 0.45) - (1.0 if rater == "pia" else 0.0)
            rows.append((f"essay-{i + 1:03d}", rater, str(int(np.clip(np.rint(grade), 1, 5)))))
    return _long(rows)


def _story(seed: int) -> Table:
    """Make support messages: neutral and negative are confused, one annotator answers at random, and ironic messages are ambiguous."""
    rng = np.random.default_rng([seed, 5])
    labels = ["positive", "neutral", "negative", "question"]
    shares = np.array([0.3, 0.28, 0.27, 0.15])
    kinds = ["plain", "technical", "ironic"]
    team = {"amira": 0.94, "bruno": 0.92, "chen": 0.93, "dalia": 0.92, "egon": 0.0}
    rows: list[Row] = []
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
    return _long(rows, "kind", "text")


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


def _judge(seed: int) -> Table:
    """Make three people and a model who say whether answers pass; the model is lenient."""
    rng = np.random.default_rng([seed, 6])
    rows: list[Row] = []
    for i in range(160):
        passes = rng.random() < 0.6
        for who, right, wrong in (("ann", 0.93, 0.08), ("bea", 0.9, 0.1), ("col", 0.92, 0.07), ("model", 0.97, 0.3)):
            says = rng.random() < (right if passes else wrong)
            rows.append((f"answer-{i + 1:03d}", who, "pass" if says else "fail"))
    return _long(rows)


def _runs(seed: int) -> Table:
    """Make a judge who is asked five times about each of 60 answers; ten answers are on the edge."""
    rng = np.random.default_rng([seed, 7])
    rows: list[Row] = []
    for i in range(60):
        chance = 0.5 if i % 6 == 0 else 0.97 if i % 2 else 0.03
        rows += [
            (f"answer-{i + 1:02d}", "model", "pass" if rng.random() < chance else "fail", str(run + 1))
            for run in range(5)
        ]
    return _long(rows, "run")


def _spans(seed: int) -> Table:
    """Make two annotators who mark names in 40 short texts; the second often leaves out the title."""
    rng = np.random.default_rng([seed, 8])
    names = (("Dr Rivera", "PER"), ("Oslo", "LOC"), ("Acme Works", "ORG"), ("Ms Okafor", "PER"), ("Lima", "LOC"))
    rows: list[Row] = []
    for i in range(40):
        text, marks = "", []
        for at in rng.choice(len(names), size=3, replace=False).tolist():
            name, label = names[at]
            text += "then " if text else "First "
            marks.append((len(text), len(text) + len(name), label))
            text += f"{name} "
        for who in ("ada", "ben"):
            found = False
            for start, end, label in marks:
                if rng.random() < 0.08:
                    continue
                found = True
                begins = start + 3 if who == "ben" and label == "PER" and rng.random() < 0.6 else start
                given = "LOC" if label == "ORG" and rng.random() < 0.15 else label
                rows.append((f"text-{i + 1:02d}", who, str(begins), str(end), given, text.strip()))
            if not found:
                rows.append((f"text-{i + 1:02d}", who, "", "", "", text.strip()))
    return ("document", "annotator", "start", "end", "label", "text"), rows


def _rankings(seed: int) -> Table:
    """Make four judges who rank five systems on each of 20 prompts."""
    rng = np.random.default_rng([seed, 9])
    rows: list[Row] = []
    for i in range(20):
        worth = np.array([2.0, 1.5, 1.0, 0.4, 0.0]) + rng.normal(0.0, 0.4, size=5)
        for who in ("ines", "jon", "kofi", "lea"):
            order = np.argsort(-(worth + rng.normal(0.0, 0.5, size=5)))
            places = {int(system): place for place, system in enumerate(order.tolist(), 1)}
            rows += [(f"prompt-{i + 1:02d}", who, f"system-{'ABCDE'[one]}", str(places[one])) for one in range(5)]
    return ("item", "annotator", "object", "rank"), rows


def _long(rows: list[Row], *columns: str) -> Table:
    """Make a table of long rows."""
    return ("item", "annotator", "label", *columns), rows


MADE = (
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
        story="A primary and sometimes a secondary emotion; one expert gives two far more often than the others.",
        make=_multi_label,
        settings={"task": "subjective", "ambiguity": True},
        reading={"separator": ";", "ranked": True},
    ),
    Example(
        name="ordinal-bias",
        title="Grades of 150 essays, by five raters",
        story="Grades from 1 to 5; one rater is a grade more severe than the others.",
        make=_ordinal_bias,
        settings={"task": "standard", "scale": "ordinal"},
        options={"order": "1,2,3,4,5"},
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
        story="Neutral and negative are confused, one annotator answers at random, and ironic messages are ambiguous.",
        make=_story,
        settings={"task": "standard", "text": "text", "by": "kind"},
    ),
    Example(
        name="judge",
        title="Whether 160 answers pass, by three people and a model",
        story="A model that is more lenient than the people.",
        make=_judge,
        options={"judge": ["model"]},
    ),
    Example(
        name="runs",
        title="Five verdicts of a model on each of 60 answers",
        story="Ten answers on which the model cannot decide.",
        make=_runs,
        options={"run": "run"},
    ),
    Example(
        name="spans",
        title="Names in 40 texts, by two annotators",
        story="One annotator often leaves out the title before a name.",
        make=_spans,
        reading={"layout": "spans"},
    ),
    Example(
        name="rankings",
        title="Five systems on 20 prompts, ranked by four judges",
        story="The systems differ more than the judges do.",
        make=_rankings,
        reading={"layout": "rankings"},
    ),
)
