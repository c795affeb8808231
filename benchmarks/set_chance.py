"""How much faster chance agreement of label sets is computed than simulated.

    python benchmarks/set_chance.py    a minute; prints a table and changes no file

884 items, 19 labels and 1,000 simulations are the case study of Marchal et al. (2022); its label distributions are not
printed and stand here as shares that fall off as 1, 1/2, 1/3, …, in another order for each annotator. Both sides give
match, precision, recall and F1. The best of several rounds counts, in which both take turns.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from assent.profiles import Array
from assent.set_chance import expected_match, expected_overlap, simulate

ITEMS, LABELS, SIMULATIONS, ROUNDS = 884, 19, 1000, 5
#: Shares of sets of 0, 1, 2, … labels, for both annotators.
CASES = {
    "case study: up to 2 labels": ([0, 0.886, 0.114], [0, 0.345, 0.655]),
    "one label against up to 5": ([0, 1.0], [0.05, 0.35, 0.3, 0.15, 0.1, 0.05]),
    "up to 3 labels": ([0.05, 0.6, 0.25, 0.1], [0.05, 0.5, 0.3, 0.15]),
    "up to 5 labels": ([0.05, 0.35, 0.3, 0.15, 0.1, 0.05], [0.05, 0.5, 0.3, 0.05, 0.05, 0.05]),
}


def seconds(work: Callable[[], object]) -> float:
    """How long it takes once."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def repeated(work: Callable[[], object], *, at_least: float = 0.2) -> float:
    """How long it takes, as the mean over as many times as fill `at_least` seconds."""
    times = max(1, int(at_least / seconds(work)))
    return seconds(lambda: [work() for _ in range(times)]) / times


def exact(p: Array, q: Array, sizes_p: Array, sizes_q: Array) -> Array:
    """Match, precision, recall and F1 by chance."""
    return np.array([expected_match(p, q, sizes_p, sizes_q), *expected_overlap(p, q, sizes_p, sizes_q)])


def main() -> None:
    """Print the table."""
    rng = np.random.default_rng(1)
    zipf = 1 / np.arange(1, LABELS + 1)
    p, q = (rng.permutation(zipf / zipf.sum()) for _ in range(2))
    print(f"{ITEMS} items, {LABELS} labels, {SIMULATIONS} simulations; match, precision, recall and F1")
    print(f"{'set sizes':<28}{'exact':>11}{'simulated':>11}{'ratio':>9}{'simulation error':>18}{'in its SE':>11}")
    for name, sizes in CASES.items():
        given = (p, q, *(np.array(shares) for shares in sizes))
        computed = partial(exact, *given)
        simulated = partial(simulate, *given, items=ITEMS, simulations=SIMULATIONS, rng=rng)
        means, errors = (np.array(scores) for scores in simulated())
        wrong = np.abs(means - computed())
        ours = theirs = np.inf
        for _ in range(ROUNDS):
            ours = min(ours, repeated(computed))
            theirs = min(theirs, seconds(simulated))
        print(
            f"{name:<28}{1e3 * ours:>8.2f} ms{theirs:>9.2f} s{theirs / ours:>9,.0f}"
            f"{wrong.max():>18.5f}{(wrong / errors).max():>11.1f}"
        )


if __name__ == "__main__":
    main()
