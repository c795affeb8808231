"""Spans: how often an interval of F1 over documents, or over blocks of one document, holds the true value."""

from __future__ import annotations

from typing import Any

import numpy as np

import assent
from assent.profiles import Array
from studies.result import Progress, StudyFinding, StudyResult, StudyTable, part, settings

__all__ = ["run"]

LEVEL = 0.95
DOCUMENTS = (3, 5, 10, 20, 50, 100)
METHODS = ("jackknife", "analytic", "bootstrap")
#: How much alike neighbouring spans of the one document are: not at all, or nearly.
LIKENESS = (0.0, 0.9)
#: Spans of the one document.
SPANS = 400


def run(*, seed: int = 1, quick: bool = False, progress: Progress | None = None) -> StudyResult:
    """Draw documents of different difficulty, two annotators each, and count the intervals that hold the true F1.

    Parameters
    ----------
    seed : int
    quick : bool
        Fewer samples, and small ones.
    progress : callable, optional
    """
    samples, sizes = (60, DOCUMENTS[1:4]) if quick else (2_000, DOCUMENTS)
    rng = np.random.default_rng(seed)
    truth = _truth(rng, 2_000 if quick else 40_000)
    shares: dict[str, list[float]] = {method: [] for method in METHODS}
    for place, size in enumerate(sizes):
        tell = part(progress, 0.8 * place / len(sizes), 0.8 * (place + 1) / len(sizes))
        held = dict.fromkeys(METHODS, 0)
        for sample in range(samples):
            tell(sample / samples, f"samples of {size} documents")
            found = assent.span_f1(_spans(rng, *_documents(rng, size)))
            for method in METHODS:
                interval = found.confidence_interval(
                    LEVEL, method=method, kind="percentile", replicates=200, seed=sample
                )
                held[method] += interval.low <= truth <= interval.high
        for method in METHODS:
            shares[method].append(held[method] / samples)
    in_blocks = [
        _one_document(rng, samples, alike, part(progress, 0.8 + 0.1 * at, 0.9 + 0.1 * at))
        for at, alike in enumerate(LIKENESS)
    ]
    columns: dict[str, list[Any]] = {"documents": list(sizes), **shares}
    return StudyResult(
        name="spans",
        title="Spans: intervals of F1 over documents",
        sentences=[
            f"Two annotators, documents of different difficulty, {samples:,} samples; the true F1 is {truth:.3f}.",
            "An interval of 95 % should hold the true value in 95 of 100 samples.",
        ],
        findings=[
            StudyFinding(
                statement="The jackknife with the t distribution holds the true value in at least 90 % of samples, however few documents.",
                holds=min(shares["jackknife"]) >= 0.9,
                paper="our own",
                ours=f"at the least {min(shares['jackknife']):.3f}",
                why="the smallest share in the column of the jackknife",
            ),
            StudyFinding(
                statement="Blocks of one document give intervals that are too narrow where neighbouring spans are alike.",
                holds=in_blocks[1] < in_blocks[0],
                paper="our own",
                ours=f"{in_blocks[0]:.3f} where they are not alike, {in_blocks[1]:.3f} where they are",
                why="the first of the two shares is the larger one",
            ),
        ],
        tables=[
            StudyTable(
                name="coverage",
                caption="Share of samples whose 95 % interval holds the true F1, by the number of documents.",
                columns=columns,
                decimals=3,
            ),
            StudyTable(
                name="blocks",
                caption=f"The same for one document of {SPANS} spans, in blocks, by how much alike neighbouring spans are.",
                columns={"likeness": list(LIKENESS), "jackknife of blocks": in_blocks},
                decimals=3,
            ),
        ],
        charts={},
        settings=settings(seed=seed, quick=quick, samples=samples, level=LEVEL),
    )


def _documents(rng: np.random.Generator, number: int) -> tuple[Array, Array]:
    """Return document and chance to be marked of every place where there is something, for documents of different difficulty."""
    spans = rng.poisson(8, number)
    ease = rng.beta(6, 2, number)
    document = np.repeat(np.arange(number), spans)
    return document, ease[document]


def _marked(rng: np.random.Generator, ease: Array) -> Array:
    """Return the length of what each of two annotators marks in each place, 5 or 6, or 0 for nothing: (2, places)."""
    length = np.where(rng.random((2, len(ease))) < 0.85, 5, 6)
    return np.where(rng.random((2, len(ease))) < ease, length, 0)


def _spans(rng: np.random.Generator, document: Array, ease: Array) -> assent.Spans:
    length = _marked(rng, ease)
    place = np.arange(len(document))
    rows = [
        (f"{document[at]:06}", who, int(10 * at), int(10 * at + length[side, at]), "X")
        for side, who in enumerate(("a", "b"))
        for at in place[length[side] > 0]
    ]
    judged = [(f"{one:06}", who) for one in range(int(document.max(initial=0)) + 1) for who in ("a", "b")]
    return assent.Spans.from_rows(rows, judged=judged)


def _f1(length: Array) -> float:
    return float(2 * ((length[0] == length[1]) & (length[0] > 0)).sum() / (length > 0).sum())


def _truth(rng: np.random.Generator, number: int) -> float:
    return _f1(_marked(rng, _documents(rng, number)[1]))


def _one_document(rng: np.random.Generator, samples: int, alike: float, tell: Progress) -> float:
    """Return how often the interval over blocks of a document holds the F1 that such a document has in the long run."""
    truth = _f1(_marked(rng, _chances(rng, 500_000, alike)))
    held = 0
    for sample in range(samples):
        tell(sample / samples, "samples of one document")
        ease = _chances(rng, SPANS, alike)
        interval = assent.span_f1(_spans(rng, np.zeros(SPANS, dtype=np.int64), ease)).confidence_interval(LEVEL)
        held += interval.low <= truth <= interval.high
    return held / samples


def _chances(rng: np.random.Generator, number: int, alike: float) -> Array:
    """Return the chance of each place to be marked, from a chain in which neighbours are alike."""
    noise = rng.standard_normal(number)
    value = np.empty(number)
    value[0] = noise[0]
    for at in range(1, number):
        value[at] = alike * value[at - 1] + np.sqrt(1 - alike**2) * noise[at]
    return np.asarray(1 / (1 + np.exp(-(1.2 + value))))
