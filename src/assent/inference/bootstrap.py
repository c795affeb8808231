"""Bootstrap over units: other samples of the same size that could as well have been drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from assent.inference.derivatives import CHUNK
from assent.inference.sample import Sample
from assent.profiles import Array, Multiplicities

__all__ = ["bootstrap_replicates"]


def bootstrap_replicates(
    sample: Sample, *, replicates: int, seed: int, progress: Callable[[int], None] | None = None
) -> Array:
    """Return the statistic of `replicates` samples drawn with replacement: (replicates,).

    The weights of all profiles in a replicate are one multinomial draw, so that the cost depends on the number of
    distinct profiles and not on the number of items.

    Parameters
    ----------
    seed : int
        The same seed gives the same replicates on every engine and machine.
    progress : callable, optional
        Told how many replicates were done since it was last called.
    """
    rng = np.random.default_rng(seed)
    done = []
    for weights in _weights(sample, replicates, rng):
        values = sample.statistic(Multiplicities(weights))
        done.append(np.broadcast_to(values, (len(weights),)))
        if progress is not None:
            progress(len(weights))
    return np.concatenate(done)


def _weights(sample: Sample, replicates: int, rng: np.random.Generator) -> Iterator[Array]:
    """Draw the weights of the profiles, (replicates, profiles), a block at a time."""
    multiplicities = np.asarray(sample.multiplicities, dtype=np.int64)
    step = max(1, CHUNK // max(sample.width, 1 if sample.units is None else sample.unit_count))
    for start in range(0, replicates, step):
        block = min(step, replicates - start)
        if sample.units is not None:
            units = sample.unit_count
            drawn = rng.multinomial(units, np.full(units, 1.0 / units), size=block)
            yield np.asarray(drawn @ sample.units, dtype=np.float64)
            continue
        items = int(multiplicities.sum())
        if items < 4 * len(multiplicities):
            # Hardly any item repeats: to draw items is cheaper than to draw each profile's share.
            owner = np.repeat(np.arange(len(multiplicities)), multiplicities)
            rows = [
                np.bincount(owner[rng.integers(0, items, items)], minlength=len(multiplicities)) for _ in range(block)
            ]
            yield np.asarray(rows, dtype=np.float64)
        else:
            yield rng.multinomial(items, multiplicities / items, size=block).astype(np.float64)
