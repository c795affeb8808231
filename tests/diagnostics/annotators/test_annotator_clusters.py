"""Two schools of reading: found where they are, and not where skill differs or somebody clicks."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.diagnostics.annotators.simulated import drawn, listing
from tests.support import every

from assent import Annotations
from assent.analyses.annotators import annotator_clusters as module
from assent.analyses.annotators.annotator_clusters import annotator_clusters
from assent.analyses.annotators.table import AnnotatorTable


def read(
    rng: np.random.Generator, readings: Any, *, items: int, each: int, skill: Any = 0.85, differ: float = 0.35
) -> AnnotatorTable:
    """A team whose annotators read some of the items as their school does: reading r takes label l for l + r."""
    annotators = len(readings)
    truth = rng.integers(0, 4, items)
    disputed = rng.random(items) < differ
    who = np.argsort(rng.random((items, annotators)), axis=1)[:, :each]
    seen = np.where(disputed[:, None], (truth[:, None] + np.asarray(readings)[who]) % 4, truth[:, None])
    right = rng.random((items, each)) < np.broadcast_to(skill, (annotators,))[who]
    return AnnotatorTable.of_listing(
        listing(who, np.where(right, seen, rng.integers(0, 4, (items, each))), annotators, 4)
    )


def groups(found: Any) -> set[frozenset[int]]:
    return {frozenset(group) for group in found.groups}


@pytest.mark.parametrize(("each", "items"), [(8, 150), (4, 500), (2, 3000)])
def test_two_schools_are_found(each: int, items: int) -> None:
    found = annotator_clusters(read(np.random.default_rng(1), [0, 0, 0, 0, 0, 1, 1, 1], items=items, each=each))
    assert found is not None
    assert groups(found) == {frozenset(range(5)), frozenset({5, 6, 7})}
    assert min(found.within) > found.between + 0.1
    assert found.p_value <= 0.05
    assert found.group_of(6) == 1
    assert found.differ is not None
    first, second, share = found.differ
    assert second == (first + 1) % 4
    assert 0.03 < share < 0.35


def test_three_schools_are_found() -> None:
    found = annotator_clusters(
        read(np.random.default_rng(2), [0, 0, 0, 0, 1, 1, 1, 2, 2, 2], items=400, each=10, differ=0.5)
    )
    assert found is not None
    assert groups(found) == {frozenset(range(4)), frozenset({4, 5, 6}), frozenset({7, 8, 9})}


def test_somebody_who_clicks_is_in_no_school_and_hides_none() -> None:
    rng = np.random.default_rng(3)
    found = annotator_clusters(read(rng, [0, 0, 0, 1, 1, 1, 0], items=300, each=7, skill=[0.85] * 6 + [0.0]))
    assert found is not None
    assert groups(found) == {frozenset({0, 1, 2}), frozenset({3, 4, 5})}
    assert found.group_of(6) is None


@pytest.mark.parametrize(
    "skill",
    [
        [0.8] * 8,
        [0.95] * 4 + [0.5] * 4,
        [0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3],
        [0.9] * 5 + [0.0] * 3,
    ],
    ids=["alike", "good and poor", "all sorts", "three who click"],
)
@pytest.mark.parametrize("each", every(2, [8, 3]))
def test_different_skill_is_no_school(skill: list[float], each: int) -> None:
    rng = np.random.default_rng(4)
    alarms = 0
    for _ in range(60):
        who, said, _ = drawn(rng, annotators=8, items=200, each=each, shares=[1, 1, 1], skill=skill)
        alarms += annotator_clusters(AnnotatorTable.of_listing(listing(who, said, 8, 3))) is not None
    assert alarms <= 60 * 0.05 + 3 * np.sqrt(60 * 0.05 * 0.95)


def test_too_few_annotators_or_items_say_nothing() -> None:
    rng = np.random.default_rng(5)
    assert annotator_clusters(read(rng, [0, 0, 1], items=500, each=3)) is None
    assert annotator_clusters(read(rng, [0, 0, 1, 1], items=30, each=4)) is None


def test_the_same_seed_gives_the_same_digits_and_any_seed_the_same_annotator_clusters() -> None:
    team = read(np.random.default_rng(6), [0, 0, 0, 1, 1, 1], items=400, each=6)
    found = [annotator_clusters(team, seed=seed) for seed in (0, 0, 1, 2)]
    assert all(one is not None for one in found)
    assert len({frozenset(groups(one)) for one in found}) == 1
    assert found[0].p_value == found[1].p_value  # type: ignore[union-attr]


def test_items_of_a_cluster_are_found_and_tested_together() -> None:
    """Two annotators of a team who differ on one document alone are no school, however long the document is."""
    rng = np.random.default_rng(7)
    who = np.tile(np.arange(4), (300, 1))
    truth = rng.integers(0, 3, (300, 1))
    document = np.arange(300) // 100
    said = np.where(rng.random((300, 4)) < 0.85, truth, rng.integers(0, 3, (300, 4)))
    said = np.where((document == 0)[:, None] & (who >= 2), (truth + 1) % 3, said)
    made = listing(who, said, 4, 3)
    frame = pl.DataFrame(
        {
            "item": made.item,
            "annotator": [f"w{i}" for i in np.asarray(made.annotator)],
            "label": ["abc"[i] for i in made.label],
            "document": document[made.item],
        }
    )
    assert annotator_clusters(AnnotatorTable.of_listing(made)) is not None
    assert annotator_clusters(AnnotatorTable.of(Annotations.from_frame(frame, cluster="document"))) is None


def test_a_large_team_is_looked_at_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    team = read(np.random.default_rng(8), [0] * 6 + [1] * 6, items=300, each=12)
    monkeypatch.setattr(module, "ANNOTATORS_CLUSTERED", 4)
    assert annotator_clusters(team) is None
    monkeypatch.setattr(module, "ANNOTATORS_CLUSTERED", 200)
    monkeypatch.setattr(module, "CLUSTERED_PAIRS", 60 * 144)
    found = annotator_clusters(team)
    assert found is not None
    assert groups(found) == {frozenset(range(6)), frozenset(range(6, 12))}
