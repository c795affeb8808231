"""The numbers to meet, and data to meet them with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assent import Annotations

ORACLES = Path(__file__).parents[1] / "oracles" / "judges"


def oracle(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ORACLES / f"{name}.json").read_text())
    return found


def expected(name: str, coefficient: str, **params: Any) -> Any:
    """Return one number of an oracle."""
    (found,) = [
        one["value"]
        for one in oracle(name)["expected"]
        if one["coef"] == coefficient and all(one["params"].get(key) == value for key, value in params.items())
    ]
    return found


def pipeline(name: str) -> Annotations:
    """Return the rows of a whole comparison as annotations."""
    rows = oracle(name)["inputs"]["rows"]
    columns = {key: [str(row[i]) for row in rows] for i, key in enumerate(("item", "annotator", "label"))}
    return Annotations.from_frame(pl.DataFrame(columns))


def team(
    seed: int, *, items: int = 80, people: int = 4, labels: int = 3, gaps: float = 0.15, judges: int = 1
) -> list[list[str | None]]:
    """Draw labels of people and judges who see the same truth through noise: one row an item, the judges last."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, items)
    table: list[list[str | None]] = []
    for one in truth:
        seen = np.where(rng.random(people + judges) < 0.7, one, rng.integers(0, labels, people + judges))
        there = rng.random(people + judges) >= gaps
        table.append([str(label) if here else None for label, here in zip(seen, there, strict=True)])
    return table


def annotations(table: list[list[str | None]], *, judges: int = 1, clusters: list[str] | None = None) -> Annotations:
    """Make annotations of such a table: people h1, h2, …, judges j1, j2, …."""
    width = len(table[0])
    names = [*(f"h{i + 1}" for i in range(width - judges)), *(f"j{i + 1}" for i in range(judges))]
    rows = [
        (f"i{i:04d}", name, label, None if clusters is None else clusters[i])
        for i, row in enumerate(table)
        for name, label in zip(names, row, strict=True)
        if label is not None
    ]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "text"], orient="row")
    return Annotations.from_frame(frame, cluster=None if clusters is None else "text")
