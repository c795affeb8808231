"""Matchings of two sides, in which nothing is taken twice: never greedy, so that no order matters."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from assent.limits import MATCHED_CELLS
from assent.profiles import Array

__all__ = ["heaviest", "largest"]


def largest(left: Array, right: Array) -> Array:
    """Choose as many edges as possible, none of which share an end.

    Parameters
    ----------
    left, right : array (edges,) of integers
        The ends of each edge; the two sides are numbered apart.

    Returns
    -------
    array (edges,) of bool

    Examples
    --------
    >>> largest(np.array([0, 0, 1]), np.array([0, 1, 0])).tolist()
    [False, True, True]
    """
    chosen, open_ = _alone(left, right)
    if open_.any():
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import maximum_bipartite_matching

        edges = np.flatnonzero(open_)
        (rows, row), (columns, column) = (np.unique(one[edges], return_inverse=True) for one in (left, right))
        ones = np.ones(len(edges), dtype=np.int8)
        graph = csr_array((ones, (row.ravel(), column.ravel())), shape=(len(rows), len(columns)))
        partner = maximum_bipartite_matching(graph, perm_type="column")
        chosen[edges] = partner[row.ravel()] == column.ravel()
    return chosen


def heaviest(left: Array, right: Array, weight: Array) -> Array:
    """Choose edges of the greatest total weight, none of which share an end.

    Parameters
    ----------
    left, right : array (edges,) of integers
    weight : array (edges,)
        All above 0.

    Returns
    -------
    array (edges,) of bool

    Examples
    --------
    >>> heaviest(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([0.9, 0.5, 0.3])).tolist()
    [True, False, False]
    """
    chosen, open_ = _alone(left, right)
    if not open_.any():
        return chosen
    from scipy.optimize import linear_sum_assignment
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    edges = np.flatnonzero(open_)
    (rows, row), (columns, column) = (np.unique(one[edges], return_inverse=True) for one in (left, right))
    row, column = row.ravel(), column.ravel()
    nodes = len(rows) + len(columns)
    graph = csr_array((np.ones(len(edges), dtype=np.int8), (row, len(rows) + column)), shape=(nodes, nodes))
    group = connected_components(graph, directed=False)[1][row]
    order = np.lexsort((column, row, group))
    bounds = np.flatnonzero(np.diff(group[order], prepend=-1, append=-1))
    for low, high in pairwise(bounds):
        here = order[low:high]
        weights = weight[edges[here]]
        across, at_row = np.unique(row[here], return_inverse=True)
        down, at_column = np.unique(column[here], return_inverse=True)
        if min(len(across), len(down)) == 1:
            chosen[edges[here[np.argmax(weights)]]] = True
            continue
        if len(across) * len(down) > MATCHED_CELLS:
            chosen[edges[here[_sparse(at_row, at_column, weights)]]] = True
            continue
        table = np.zeros((len(across), len(down)))
        table[at_row, at_column] = weights
        partner = np.full(len(across), -1)
        one, two = linear_sum_assignment(table, maximize=True)
        partner[one] = two
        chosen[edges[here[partner[at_row] == at_column]]] = True
    return chosen


def _alone(left: Array, right: Array) -> tuple[Array, Array]:
    """Return the edges both of whose ends have no other, which are in every best matching, and the rest."""
    alone = np.ones(len(left), dtype=bool)
    for side in (left, right):
        order = np.argsort(side, kind="stable")
        same = side[order][1:] == side[order][:-1]
        alone[order[1:][same]] = alone[order[:-1][same]] = False
    return alone, ~alone


def _sparse(row: Array, column: Array, weight: Array) -> Array:
    """Choose edges of the greatest total weight: everyone on the left may also stay alone, at no weight."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    rows, columns = int(row.max()) + 1, int(column.max()) + 1
    every = np.arange(rows)
    # All have a partner, so that adding 1 to all weights changes nothing; a weight of 0 would be no edge.
    graph = csr_array(
        (np.concatenate([weight, np.zeros(rows)]) + 1.0, (np.concatenate([row, every]), np.concatenate([column, columns + every]))),
        shape=(rows, columns + rows),
    )  # fmt: skip
    one, two = min_weight_full_bipartite_matching(graph, maximize=True)
    partner = np.full(rows, -1)
    partner[one] = two
    return np.asarray(partner[row] == column)
