"""Annotations whose agreement is known, as rows."""

from __future__ import annotations

import numpy as np


def rows(agreeing, annotators=("ann", "bob"), seed=1):
    """Two annotations an item, by two of the annotators at random, which agree where `agreeing` says so."""
    rng = np.random.default_rng(seed)
    found = []
    for number, agree in enumerate(agreeing, start=1):
        one, other = rng.permutation(len(annotators))[:2]
        label = "xyz"[int(rng.integers(3))]
        second = label if agree else {"x": "y", "y": "z", "z": "x"}[label]
        found.append({"item": f"t{number}", "annotator": annotators[one], "label": label})
        found.append({"item": f"t{number}", "annotator": annotators[other], "label": second})
    return found


def drawn(*parts, seed=1):
    """Values of 0 and 1: parts of (how many, mean)."""
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.random(number) < mean for number, mean in parts]).astype(int)


def csv_text(annotations, *further):
    """Rows as the text of a CSV file."""
    names = ["item", "annotator", "label", *further]
    return "".join(",".join(line) + "\n" for line in [names, *([row[name] for name in names] for row in annotations)])
