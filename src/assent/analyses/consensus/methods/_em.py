"""Steps that are repeated until nothing moves any more, and what became of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

import numpy as np

from assent.profiles import Array
from assent.records import Struct
from assent.registry import number

__all__ = ["MaxIterations", "Run", "Smoothing", "Tolerance", "run_em", "settle"]

State = TypeVar("State")

#: By more than this share of itself a log-likelihood falls for another reason than rounding and a floor under small counts.
SLACK = 1e-7

Tolerance = Annotated[
    float,
    number(
        "tolerance",
        least=0,
        # The largest number below 1.
        most=float(np.nextafter(1, 0)),
        must="lie between 0 and 1, as 1e-6 does",
        values="0 to 1",
        help="End when nothing changes by more than this: 1e-6 unless given.",
    ),
]
MaxIterations = Annotated[
    int,
    number(
        "max_iterations",
        least=1,
        whole=True,
        must="be at least 1",
        help="End after so many rounds: 2000 unless given.",
    ),
]
Smoothing = Annotated[
    float,
    number(
        "smoothing",
        least=0,
        must="not be negative",
        values="0 or more",
        help="Add so much to every expected count; with mace for the estimation em alone.",
    ),
]


class Run(Struct, frozen=True):
    """How an iteration went.

    Parameters
    ----------
    converged : bool
    iterations : int
    change : float
        The largest change in the last iteration.
    tolerance : float
        What it had to be below.
    trace : tuple of float
        What was climbed, after each iteration; empty if it is a fixpoint and no climb.
    fell : bool
        It went down, which ended the climb.
    """

    converged: bool
    iterations: int
    change: float
    tolerance: float
    trace: tuple[float, ...] = ()
    fell: bool = False

    @property
    def notes(self) -> list[str]:
        """Say so if it has not converged."""
        if self.fell:
            return [
                f"Not converged: the likelihood fell in iteration {self.iterations + 1:,}, which it must not do; the result is "
                "that of the iteration before."
            ]
        if not self.converged:
            return [
                f"Not converged: after {self.iterations:,} iterations something still moves by {self.change:.1g}, more than "
                f"the tolerance of {self.tolerance:g}. Raise `max_iterations`, or the `tolerance` if that is near enough."
            ]
        return []


def run_em(
    step: Callable[[State], tuple[State, Array, float]],
    state: State,
    posterior: Array,
    *,
    tolerance: float,
    max_iterations: int,
) -> tuple[State, Array, Run]:
    """Repeat a step that never lowers a likelihood until no probability changes by more than the tolerance.

    Parameters
    ----------
    step : callable
        From a state to the next one, its probabilities and the likelihood.
    state : any
    posterior : array
        Probabilities at the start.

    Returns
    -------
    state, posterior, run
        Those of the last step.
    """
    trace: list[float] = []
    change = np.inf
    for _ in range(max_iterations):
        after, moved, value = step(state)
        if trace and value < trace[-1] - SLACK * (1.0 + abs(trace[-1])):
            return state, posterior, Run(False, len(trace), change, tolerance, tuple(trace), fell=True)
        difference = moved - posterior
        change = float(max(difference.max(), -difference.min()))
        state, posterior = after, moved
        trace.append(value)
        if change <= tolerance:
            break
    return state, posterior, Run(change <= tolerance, len(trace), change, tolerance, tuple(trace))


def settle(
    step: Callable[[tuple[Array, ...]], tuple[Array, ...]],
    state: tuple[Array, ...],
    *,
    tolerance: float,
    max_iterations: int,
) -> tuple[tuple[Array, ...], Run]:
    """Repeat a step until none of its numbers changes by more than the tolerance."""
    change = np.inf
    for iteration in range(1, max_iterations + 1):
        after = step(state)
        change = max(float(np.abs(new - old).max()) for new, old in zip(after, state, strict=True))
        state = after
        if change <= tolerance:
            return state, Run(True, iteration, change, tolerance)
    return state, Run(False, max_iterations, change, tolerance)
