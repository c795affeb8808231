"""Small sets of annotations, drawn at random or by hand."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir
from tests.support import examples

import assent
from assent.analyses.consensus.registry import all_methods

Row = tuple[str, str, str]

# Hypothesis keeps tables of characters; they have no place in the checkout.
set_hypothesis_home_dir(os.path.join(tempfile.gettempdir(), "hypothesis"))

#: The same examples on every run and every machine; none is remembered.
STABLE = settings(
    max_examples=examples(15),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)

#: Those for labels that are names; the rating model needs an order.
METHODS = tuple(name for name in all_methods() if name != "rating-model")
MODELS = ("dawid-skene", "one-coin", "mace")


def annotations(rows: list[Row]) -> assent.Annotations:
    """Rows of (item, annotator, label), read by assent."""
    return assent.Annotations.from_triples([(who, item, label) for item, who, label in rows])


def simulated(
    items: int, each: int, annotators: int, labels: int, seed: int, *, ragged: bool = False
) -> tuple[list[Row], dict[str, str]]:
    """Annotators with confusions of their own, drawn at random; and the truth."""
    lot = np.random.default_rng(seed)
    truth = lot.choice(labels, items, p=lot.dirichlet(np.full(labels, 3.0)))
    skill = lot.uniform(0.4, 0.95, annotators)
    confusion = np.empty((annotators, labels, labels))
    for who in range(annotators):
        for true in range(labels):
            errors = lot.dirichlet(np.ones(labels - 1)) * (1 - skill[who])
            confusion[who, true] = np.insert(errors, true, skill[who])
    rows = []
    for item in range(items):
        number = int(lot.integers(1, each + 1)) if ragged else each
        for who in lot.choice(annotators, number, replace=False):
            label = lot.choice(labels, p=confusion[who, truth[item]])
            rows.append((f"i{item:03}", f"w{who:02}", f"L{label}"))
    return rows, {f"i{item:03}": f"L{label}" for item, label in enumerate(truth)}


@st.composite
def tables(draw: Any, *, labels: int = 3, annotators: int = 4, items: int = 7) -> list[Row]:
    """Any few annotations, with gaps; at least one."""
    cells = [(f"i{i}", f"w{j}") for i in range(items) for j in range(annotators)]
    rows = draw(
        st.lists(
            st.tuples(st.sampled_from(cells), st.integers(0, labels - 1)),
            min_size=1,
            max_size=len(cells),
            unique_by=lambda pair: pair[0],
        )
    )
    return [(item, who, "abc"[label]) for (item, who), label in rows]


def probabilities(consensus: assent.Consensus) -> dict[str, dict[str, float]]:
    """Probabilities by item and label."""
    dense = consensus.probabilities.dense()
    return {
        item: dict(zip(consensus.labels, map(float, row), strict=True))
        for item, row in zip(consensus.items, dense, strict=True)
    }


def scores(consensus: assent.Consensus, name: str) -> dict[str, float]:
    """A number about annotators, by name."""
    values = consensus.annotator_scores[name]
    return dict(zip(consensus.annotators or (), map(float, values), strict=True))
