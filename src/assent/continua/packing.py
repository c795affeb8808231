"""The disjoint tuples that save most: a packing of largest weight, exactly.

Tuples that share no unit with others are taken. With two annotators the rest is an assignment. With more it is a linear programme,
whose solution is whole for most components of tuples that hang together; the others are solved by going through their units from left
to right, where the programme's prices tell which ways cannot lead to the best packing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from assent.continua.candidates import Tuples
from assent.errors import UnsuitableData
from assent.limits import PACKING_SECONDS, PACKING_STATES
from assent.profiles import Array

__all__ = ["best_packing"]

#: How far a solver's numbers may be off, and what that may add up to for each tuple.
TOLERANCE, SLACK = 1e-9, 1e-8
#: Tuples of a linear programme, unless a component has more.
PROGRAMME = 3000


def best_packing(tuples: Tuples, units: int) -> Array:
    """Return the places of disjoint tuples that together save most.

    Parameters
    ----------
    tuples : Tuples
        Members are numbered by place on the continuum, so that near units have near numbers.
    """
    number, slots = tuples.members.shape
    if not number:
        return np.empty(0, dtype=np.int64)
    component = _components(tuples.members, units)
    sizes = np.bincount(component)
    alone = sizes[component] == 1
    rest = np.flatnonzero(~alone)
    solve = _assigned if slots == 2 else _programmed
    found = solve(tuples.members[rest], tuples.gain[rest], component[rest]) if len(rest) else rest
    return np.concatenate([np.flatnonzero(alone), rest[found]])


def _components(members: Array, units: int) -> Array:
    """Return which tuples hang together by shared units, as a number for each tuple."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    first = np.repeat(members[:, 0], members.shape[1] - 1)
    other = members[:, 1:].ravel()
    real = other >= 0
    edges = coo_array((np.ones(int(real.sum())), (first[real], other[real])), shape=(units, units))
    of_unit = connected_components(edges, directed=False)[1]
    return np.asarray(np.unique(of_unit[members[:, 0]], return_inverse=True)[1].ravel())


def _groups(component: Array) -> list[Array]:
    """Return the places of the tuples of each component."""
    order = np.argsort(component, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(component[order])) + 1) if len(order) else []


def _assigned(members: Array, gain: Array, component: Array) -> Array:
    """Solve components of pairs: each is an assignment."""
    from scipy.optimize import linear_sum_assignment

    chosen = []
    for places in _groups(component):
        if len(places) == 2:
            # Two pairs that hang together share a unit.
            chosen.append(places[[int(gain[places[1]] > gain[places[0]])]])
            continue
        one, row = np.unique(members[places, 0], return_inverse=True)
        two, column = np.unique(members[places, 1], return_inverse=True)
        table = np.zeros((len(one), len(two)))
        at = np.full(table.shape, -1, dtype=np.int64)
        table[row, column], at[row, column] = gain[places], places
        taken = at[linear_sum_assignment(table, maximize=True)]
        chosen.append(taken[taken >= 0])
    return np.concatenate(chosen)


def _programmed(members: Array, gain: Array, component: Array) -> Array:
    """Solve components of tuples by linear programmes, and one by one where the solution of these is not whole."""
    chosen: list[Array] = []
    order = np.argsort(component, kind="stable")
    # Whole components together, so many that a solver is not called for each, and so few that it is fast.
    starts = np.flatnonzero(np.diff(component[order], prepend=-1))
    block = starts[np.flatnonzero(np.diff(starts // PROGRAMME, prepend=-1))]
    for places in np.split(order, block[1:]):
        share, price = _prices(members[places], gain[places])
        broken = np.isin(component[places], component[places[_split(share)]])
        chosen.append(places[(share > 0.5) & ~broken])
        left = places[broken]
        for group in _groups(component[left]):
            here = left[group]
            chosen.append(here[_best_of_component(members[here], gain[here], share[broken][group], price)])
    return np.concatenate(chosen)


def _prices(members: Array, gain: Array) -> tuple[Array, Array]:
    """Return the share of each tuple in the solution of the linear programme, and the price of each unit."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    real = members >= 0
    unit, row = np.unique(members[real], return_inverse=True)
    # The stubs of scipy know dense constraints alone.
    shares: Any = csr_array((np.ones(len(row)), (row, np.nonzero(real)[0])), shape=(len(unit), len(members)))
    solved = linprog(
        -gain,
        A_ub=shares,
        b_ub=np.ones(len(unit)),
        method="highs-ds",
        options={
            "presolve": False,
            "primal_feasibility_tolerance": TOLERANCE,
            "dual_feasibility_tolerance": TOLERANCE,
        },
    )
    if solved.status != 0:
        raise _unsolved()
    price = np.zeros(int(unit[-1]) + 1)
    price[unit] = np.maximum(0.0, -solved.ineqlin.marginals)
    return np.asarray(solved.x), price


def _best_of_component(members: Array, gain: Array, share: Array, price: Array) -> Array:
    """Return the tuples of a component that together save most.

    The prices of the units, which the linear programme gives, add up to at least what any packing saves. What a packing spends of it,
    by units left alone and by tuples that save less than their units cost, is never less than nothing: a tuple, or a way, that has
    spent more than the best packing known so far is given up.
    """
    paid = np.where(members >= 0, price[members], 0.0).sum(axis=1) - gain
    known = _greedy(members, gain, share)
    room = float(price[np.unique(members[members >= 0])].sum() - gain[known].sum()) + SLACK * (1 + len(members))
    kept = np.flatnonzero(paid <= room)
    component = _components(members[kept], int(members.max()) + 1)
    broken = np.isin(component, component[_split(share[kept])])
    if broken.all() and len(kept) == len(members) and not component.any():
        return _followed(members, gain, price, paid, room)
    # Where the solution is whole, nothing is spent, which is best.
    chosen, left = [kept[(share[kept] > 0.5) & ~broken]], kept[broken]
    for group in _groups(component[broken]):
        here = left[group]
        chosen.append(here[_best_of_component(members[here], gain[here], share[here], price)])
    return np.concatenate(chosen)


def _split(share: Array) -> Array:
    """Tell which tuples are taken in part only."""
    return np.asarray(np.abs(share - np.round(share)) > 1e-6)


def _followed(members: Array, gain: Array, price: Array, paid: Array, room: float) -> Array:
    """Go through the units from left to right and follow every way that has room left."""
    named, position = np.unique(members[members >= 0], return_inverse=True)
    cost = price[named].tolist()
    masks = [0] * len(members)
    for row, bit in zip(np.nonzero(members >= 0)[0].tolist(), position.tolist(), strict=True):
        masks[row] |= 1 << bit
    starting: list[list[tuple[int, int, float]]] = [[] for _ in cost]
    for i, (mask, spent) in enumerate(zip(masks, paid.tolist(), strict=True)):
        starting[(mask & -mask).bit_length() - 1].append((i, mask, spent))
    # Units used further right -> what was spent, and the tuples that were taken, as a chain.
    states: dict[int, tuple[float, Any]] = {0: (0.0, None)}
    for unit, tuples in enumerate(starting):
        bit = 1 << unit
        after: dict[int, tuple[float, Any]] = {}
        for used, (so_far, chain) in states.items():
            if used & bit:
                ways = [(used ^ bit, so_far, chain)]
            else:
                ways = [(used, so_far + cost[unit], chain)]
                ways += [((used | mask) ^ bit, so_far + add, (i, chain)) for i, mask, add in tuples if not used & mask]
            for key, total, way in ways:
                if total <= room and (key not in after or total < after[key][0]):
                    after[key] = (total, way)
        if len(after) > PACKING_STATES:
            return _by_branching(members, gain)
        states = after
    chosen, link = [], states[0][1]
    while link is not None:
        chosen.append(link[0])
        link = link[1]
    return np.array(chosen, dtype=np.int64)


def _greedy(members: Array, gain: Array, share: Array) -> list[int]:
    """Return a good packing: tuples by their share in the solution of the linear programme, then by what they save."""
    used: set[int] = set()
    chosen: list[int] = []
    order = np.lexsort((-gain, -np.round(share, 6)))
    for i, row in zip(order.tolist(), members[order].tolist(), strict=True):
        if used.isdisjoint(row):
            used.update(one for one in row if one >= 0)
            chosen.append(i)
    return chosen


def _by_branching(members: Array, gain: Array) -> Array:
    """Solve a component as a programme in whole numbers."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    real = members >= 0
    _, row = np.unique(members[real], return_inverse=True)
    shares = csr_array((np.ones(len(row)), (row, np.nonzero(real)[0])))
    # The solver stops within 1e-6 of the best: in these units that is nothing.
    solved = milp(
        -1e4 * gain,
        constraints=LinearConstraint(shares, -np.inf, 1.0),
        integrality=np.ones(len(gain), dtype=np.int64),
        bounds=Bounds(0, 1),
        options={"time_limit": PACKING_SECONDS, "mip_rel_gap": 0.0},
    )
    if solved.status != 0:
        raise _unsolved()
    return np.flatnonzero(solved.x > 0.5)


def _unsolved() -> UnsuitableData:
    return UnsuitableData(
        "Gamma is not computed: the best alignment of some units could not be found exactly within "
        f"{PACKING_SECONDS} seconds; leave annotators out, or use span-f1."
    )
