"""Data without trouble: honest annotators with equal, symmetric errors on equally frequent labels raise next to nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from assent import Annotations, cohen_kappa
from assent.analyses.findings.search import findings
from assent.data.count_source import CountSource

TABLES = 1000


def innocent(number: int, seed: int) -> Iterator[Annotations]:
    """50 to 500 items, 2 to 5 equally frequent labels, 2 or 3 annotators, each wrong on 5 to 40 % of the items."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        items, labels, annotators = int(rng.integers(50, 501)), int(rng.integers(2, 6)), int(rng.integers(2, 4))
        truth = rng.integers(0, labels, size=(items, 1))
        wrong = rng.random((items, annotators)) < rng.uniform(0.05, 0.4)
        chosen = np.where(wrong, (truth + rng.integers(1, labels, size=wrong.shape)) % labels, truth)
        yield annotations(chosen, list("abcde")[:labels])


def annotations(chosen: Any, labels: list[str]) -> Annotations:
    """Make annotations of (items, annotators) without the detour over a table, which would take most of the time."""
    profiles, items = np.unique(chosen, axis=0, return_counts=True)
    counts = (profiles[:, :, None] == np.arange(len(labels))).sum(axis=1)
    return Annotations(
        labels=tuple(labels),
        annotators=tuple("ABC"[: profiles.shape[1]]),
        n_annotations=chosen.size,
        _source=CountSource(counts, items, profiles),
    )


def test_they_are_the_annotations_that_a_table_gives() -> None:
    chosen = np.random.default_rng(0).integers(0, 3, size=(60, 3))
    direct = annotations(chosen, list("abc"))
    table = Annotations.from_array(np.array(list("abc"))[chosen], annotators=list("ABC"))
    assert findings(direct) == findings(table)
    assert cohen_kappa(direct).value == cohen_kappa(table).value


@pytest.mark.nightly
def test_at_most_one_in_twenty_innocent_tables_raises_a_tested_finding() -> None:
    tested = 0
    raised: Counter[str] = Counter()
    for data in innocent(TABLES, seed=0):
        found = findings(data)
        tested += any(one.tested for one in found)
        raised.update(one.key for one in found if not one.tested)
    assert tested <= 0.05 * TABLES
    # Nor do the others cry wolf: what they state is hardly ever so.
    assert sum(raised.values()) <= 0.01 * TABLES, raised
