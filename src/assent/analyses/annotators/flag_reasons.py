"""What is seen of an annotator who differs from the others. Why they do, agreement does not say."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from msgspec.structs import replace

from assent.analyses.annotators.agreement import WithOthers
from assent.analyses.annotators.label_bias import LabelBias
from assent.analyses.annotators.relative_agreement import RelativeAgreement
from assent.analyses.annotators.table import TOLERANCE, AnnotatorTable, halved, rounded
from assent.limits import EXCHANGED_LABELS
from assent.profiles import Array
from assent.records import Struct

__all__ = ["KINDS", "OF_SEVERAL", "ONE_LABEL", "Swap", "hardly_more_than_chance", "kind_of", "swapped"]

#: Every kind, in the order in which they are looked for.
KINDS = {
    "one-label": "gives nearly every item the same label",
    "other-school": "belongs to a group that reads otherwise",
    "swapped-labels": "exchanges labels",
    "chance": "agrees hardly more than chance",
    "low-agreement": "differs from the others",
}
#: The same of several annotators.
OF_SEVERAL = {
    "one-label": "give nearly every item the same label",
    "other-school": "belong to a group that reads otherwise",
    "swapped-labels": "exchange labels",
    "chance": "agree hardly more than chance",
    "low-agreement": "differ from the others",
}
#: From this share of one label on, it is the only one an annotator uses.
ONE_LABEL = 0.95
#: Agreement beyond chance below this share of what the others reach is hardly more than chance.
HARDLY = 0.25
#: Labels are exchanged if that explains at least this share of what is missing.
EXPLAINED = 0.5
#: So many standard errors below chance agreement is surely below: the labels were chosen for being so.
SURELY = 2.58
#: An exchanged label must have been given so many times to be named.
FEWEST = 3
#: Up to so many labels (720 orders) every order is tried.
TRIED_IN_EVERY_ORDER = 6


class Swap(Struct, frozen=True):
    """Labels that an annotator seems to use for each other.

    Parameters
    ----------
    labels : tuple of (int, int)
        A label as the annotator gives it, and what it stands for.
    agreement : float
        Agreement with the others after putting that right, on items that it was not learnt from.
    """

    labels: tuple[tuple[int, int], ...]
    agreement: float


def hardly_more_than_chance(with_others: WithOthers, relative: RelativeAgreement, part: float = HARDLY) -> Array:
    """Tell whose agreement beyond chance is a small part of what the others reach: (annotators,) of bool.

    Where it is not known what the others reach, half of what is possible stands for it.
    """
    expected = with_others.expected
    reached = np.where(np.isnan(relative.others), (1.0 + expected) / 2.0, relative.others)
    return np.asarray(with_others.observed - expected < part * np.maximum(reached - expected, 0.0) + TOLERANCE)


def kind_of(
    annotator: int,
    team: AnnotatorTable,
    with_others: WithOthers,
    relative: RelativeAgreement,
    label_bias: LabelBias,
    margin: float,
    grouped: bool,
    seed: int = 0,
) -> tuple[str, Swap | None]:
    """Tell what kind of trouble a flagged annotator is.

    Parameters
    ----------
    team, with_others, relative, label_bias
        What is known of all annotators.
    margin : float
        The least difference that matters.
    grouped : bool
        The annotator is one of a group that agrees among itself and not with the others.
    seed : int
        Decides from which items exchanged labels are learnt.
    """
    uses = label_bias.of(annotator)
    share, others = label_bias.share[uses], label_bias.others[uses]
    most = int(np.argmax(share))
    lost = bool(hardly_more_than_chance(with_others, relative)[annotator])
    if lost and share[most] >= ONE_LABEL and share[most] - others[most] >= margin - TOLERANCE:
        return "one-label", None
    if grouped:
        return "other-school", None
    # On a scale, being strict looks like taking one label for the next: only who surely goes against the others exchanges labels.
    against = team.near is None or bool(with_others.high[annotator] < 0)
    swap = swapped(replace(team, near=None), annotator, seed=seed) if against else None
    own, missing = float(with_others.observed[annotator]), -float(relative.difference[annotator])
    if swap is not None and team.near is not None:
        # Relabelling is judged by equal labels, and so is what it adds.
        rows = slice(team.bounds[annotator], team.bounds[annotator + 1])
        same = (team.cell_count[team.cell[rows]] - 1.0) / (team.sizes[team.item[rows]] - 1.0)
        own, missing = float(np.average(same, weights=team.times[rows])), 0.0
    if swap is not None and swap.agreement - own >= EXPLAINED * missing:
        return "swapped-labels", swap
    return ("chance" if lost else "low-agreement"), None


def swapped(team: AnnotatorTable, annotator: int, *, seed: int = 0) -> Swap | None:
    """Look for the relabelling under which an annotator agrees best with the others.

    It is learnt from one half of the items and tried on the other, both ways round, so that luck is not taken for a pattern.
    The halves are drawn: how many items of each kind are in the first one, every choice of half of the items being as likely as any
    other.

    Parameters
    ----------
    seed : int
        Of what is drawn; it is drawn anew for each annotator.

    Returns
    -------
    Swap or None
        None if the labels are best as they are.
    """
    rows = np.arange(team.bounds[annotator], team.bounds[annotator + 1])
    row, cell = team.meetings(rows)
    items = team.times[rows]
    own = cell == team.cell[rows][row]
    theirs = (team.cell_count[cell] - own) / (team.sizes[team.item[rows]][row] - 1.0)
    labels, place = np.unique(np.concatenate([team.label[rows], team.cell_label[cell]]), return_inverse=True)
    given, other = place.ravel()[: len(rows)], place.ravel()[len(rows) :]
    mine, times = given[row], np.bincount(given, weights=items, minlength=len(labels))
    if len(labels) > EXCHANGED_LABELS:
        often = times + np.bincount(other, weights=theirs * items[row], minlength=len(labels))
        kept = np.sort(np.argsort(-often, kind="stable")[:EXCHANGED_LABELS])
        column = np.full(len(labels), -1)
        column[kept] = np.arange(len(kept))
        inside = (column[mine] >= 0) & (column[other] >= 0)
        labels, times, row, theirs = labels[kept], times[kept], row[inside], theirs[inside]
        mine, other = column[mine[inside]], column[other[inside]]
    size = len(labels)
    tables = np.zeros((2, size, size))
    first = halved(items, np.random.default_rng([seed, annotator]))
    for table, part in zip(tables, (first, items - first), strict=True):
        np.add.at(table, (mine, other), theirs * part[row])
    found = _best(tables.sum(axis=0))
    agreed = sum(float(tables[1 - half][np.arange(size), _best(tables[half])].sum()) for half in (0, 1))
    moved = [i for i in range(size) if found[i] != i and times[i] >= FEWEST]
    if not _surely(tables.sum(axis=0), moved, agreed / int(items.sum())):
        return None
    named = [(int(labels[i]), int(labels[found[i]])) for i in moved]
    return Swap(tuple(named), agreed / int(items.sum())) if named else None


def _surely(table: Array, labels: list[int], agreement: float) -> bool:
    """Tell whether labels were surely exchanged: agreement on them is below that of one who gives them without looking.

    One who clicks agrees better under some relabelling, too, and one who is strict under another; but neither agrees less than chance. With
    many labels chance agreement is so small that nothing is surely below it: then agreement after putting it right, on items that this was
    not learnt from, must surely be above.

    Parameters
    ----------
    table : array (labels, labels)
        Labels of the annotator, and of the others on the same items.
    labels : list of int
        Those that seem to be exchanged.
    agreement : float
        With the others, after putting it right.
    """
    number = float(table[labels].sum())
    if not number:
        return False
    share = table.sum(axis=0) / table.sum()
    expected = float(table[labels].sum(axis=1) @ share[labels]) / number
    error = float(np.sqrt(expected * (1.0 - expected) / number))
    if expected > SURELY * error:
        return float(table[labels, labels].sum()) / number < expected - SURELY * error
    return agreement > expected + SURELY * error


def _best(table: Array) -> Array:
    """Return which label each label should be read as, one for one, for the most agreement; as they are if that is no worse."""
    # A hair in favour of leaving labels as they are, so that labels that never meet are not exchanged.
    table = rounded(table) + 1e-9 * np.eye(len(table))
    # Nothing is better than the most of every row, and few labels are tried in every order: scipy takes longer to import than to answer.
    if (np.diagonal(table) >= table.max(axis=1, initial=0.0)).all():
        return np.arange(len(table))
    if len(table) <= TRIED_IN_EVERY_ORDER:
        orders = np.array(list(permutations(range(len(table)))))
        return np.asarray(orders[table[np.arange(len(table)), orders].sum(axis=1).argmax()])
    from scipy.optimize import linear_sum_assignment

    _, columns = linear_sum_assignment(table, maximize=True)
    return np.asarray(columns)
