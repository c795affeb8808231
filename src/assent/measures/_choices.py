"""Tests and reliabilities of preferences and best-worst choices."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from assent.data.preferences import BestWorst, Preferences

__all__ = ["SPLITS", "kendall_u_test", "split_half"]

#: Random halves of best-worst choices.
SPLITS = 100


def kendall_u_test(data: Preferences) -> dict[str, float]:
    """Test Kendall's u, where every annotator compared every two objects without a tie; NaN elsewhere.

    Examples
    --------
    >>> from assent.data import Preferences
    >>> rows = [(who, a, b, a) for who in "pqr" for a, b in ("xy", "xz", "yz")]
    >>> {name: round(one, 3) for name, one in kendall_u_test(Preferences.from_rows(rows)).items()}
    {'u_min': -0.333, 'u_chi2': 36.0, 'u_df': 18.0, 'u_p': 0.007}
    """
    made = dict.fromkeys(("u_min", "u_chi2", "u_df", "u_p"), math.nan)
    pair, _, choice = data.verdicts
    m, n = len(data.annotators), len(data.objects)
    if len(data.topics) > 1 or len(choice) != m * n * (n - 1) // 2 or not choice.all() or m < 2:
        return made
    made["u_min"] = -1.0 / (m if m % 2 else m - 1)
    if m == 2:
        return made
    from scipy.special import chdtrc

    for_first = np.bincount(pair, choice > 0)
    agree = float((for_first * (for_first - 1) / 2 + (m - for_first) * (m - for_first - 1) / 2).sum())
    chance = math.comb(n, 2) * math.comb(m, 2) * (m - 3) / (2 * (m - 2))
    made["u_chi2"] = 4.0 / (m - 2) * (agree - chance)
    made["u_df"] = math.comb(n, 2) * m * (m - 1) / (m - 2) ** 2
    made["u_p"] = float(chdtrc(made["u_df"], made["u_chi2"]))
    return made


def split_half(data: BestWorst, *, by: str = "choices", splits: int = SPLITS, seed: int = 0) -> tuple[float, float]:
    """Return how far scores of two random halves agree: the mean Spearman correlation and its standard deviation.

    Parameters
    ----------
    by : {"choices", "annotators"}
        The choices of every set are halved, or the annotators are.
    """
    from assent.measures._orders import midranks, spearman

    rng = np.random.default_rng(seed)
    halves = []
    sizes = np.bincount(data.set_code, minlength=data.n_items)
    starts = np.cumsum(sizes) - sizes
    for _ in range(splits):
        if by == "annotators":
            order = rng.permutation(len(data.annotators))
            half = (order < len(order) / 2)[data.annotator_code]
        else:
            # A random order within each set; the odd one falls to either half by a coin.
            order = np.lexsort((rng.random(data.n_annotations), data.set_code))
            place = np.empty(data.n_annotations, dtype=np.int64)
            place[order] = np.arange(data.n_annotations) - starts[data.set_code[order]]
            half = place < (sizes // 2 + (sizes % 2) * rng.integers(0, 2, data.n_items))[data.set_code]
        halves.append((data.scores(half), data.scores(~half)))
    one, two = np.asarray(halves).swapaxes(0, 1)
    alone = np.isnan(one) | np.isnan(two)
    enough = np.count_nonzero(~alone, axis=1) > 2
    found = spearman(*(midranks(np.where(alone, np.nan, scores)[enough]) for scores in (one, two)))
    known = found[~np.isnan(found)]
    return (float(known.mean()), float(known.std(ddof=1))) if len(known) > 1 else (math.nan, math.nan)
