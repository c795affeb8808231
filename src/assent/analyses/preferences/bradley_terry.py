"""How strong objects are, from preferences between two of them: the model of Bradley and Terry."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from assent.data.preferences import Preferences
from assent.documents.blocks import Column, Document, between, coefficient, count, name, notes, number, table_of
from assent.documents.result import Result
from assent.errors import OptionError, UnsuitableData
from assent.profiles import Array
from assent.records import Record
from assent.text import level as shown_level
from assent.text import named, value

__all__ = ["ObjectStrength", "Strengths", "fit", "strengths"]

#: Steps of Newton's method; it is done when no strength moves by more than the second.
STEPS, SMALL = 100, 1e-10
#: What Kinnear et al. ask for.
RELIABLE = 0.8


class ObjectStrength(Record, frozen=True, kw_only=True):
    """An object and how strong it is.

    Parameters
    ----------
    wins : float
        A tie is half a win.
    strength, standard_error, low, high : float
        On the scale of log odds, with mean 0 over objects; NaN if there is no finite strength.
    """

    name: str
    comparisons: int
    wins: float
    strength: float
    standard_error: float
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        made = super().to_dict()
        return {"object": made.pop("name"), **made}


class Strengths(Result, frozen=True, kw_only=True, eq=False):
    """The objects from the strongest to the weakest.

    Parameters
    ----------
    objects : tuple of ObjectStrength
    reliability : float
        Scale separation reliability: the share of the variance of the strengths that is not error; NaN if there are none.
    penalty : float
        Half a win and half a loss against an object of mean strength, so many times over, were added to each object.
    level : float
    notes : tuple of str
    """

    objects: tuple[ObjectStrength, ...]
    reliability: float
    penalty: float
    level: float
    notes: tuple[str, ...] = ()

    def document(self) -> Document:
        """Return the strengths as a table."""
        return Document("Strengths", [self.table(), *notes(self.notes)])

    def table(self) -> Any:
        """Return the table of the objects."""
        return table_of(
            "strengths",
            "Strengths of the objects (log odds, mean 0)",
            self.objects,
            [
                (Column("object", "name"), lambda one: name(one.name)),
                (Column("strength"), lambda one: coefficient(one.strength)),
                (
                    Column(f"{shown_level(self.level)} interval", term="interval"),
                    lambda one: between(one.low, one.high, digits=2),
                ),
                (Column("wins"), lambda one: number(one.wins, 1)),
                (Column("comparisons"), lambda one: count(one.comparisons)),
            ],
        )


def fit(wins: Array, penalty: float = 0.0) -> tuple[Array, Array]:
    """Fit the model by Newton's method.

    Parameters
    ----------
    wins : array (objects, objects)
        How often the object of the row was preferred to that of the column.

    Returns
    -------
    strength : array (objects,)
        With mean 0.
    covariance : array (objects, objects)

    Examples
    --------
    >>> strength, _ = fit(np.array([[0.0, 3.0], [1.0, 0.0]]))
    >>> bool(np.isclose(strength[0] - strength[1], np.log(3)))
    True
    """
    n = len(wins)
    both = wins + wins.T
    theta = np.zeros(n)
    flat = np.full((n, n), 1.0 / n)
    for _ in range(STEPS):
        p = 1.0 / (1.0 + np.exp(theta[None, :] - theta[:, None]))
        own = 1.0 / (1.0 + np.exp(-theta))
        gradient = (wins - both * p).sum(1) + penalty * (0.5 - own)
        weight = both * p * (1.0 - p)
        information = np.diag(weight.sum(1) + penalty * own * (1.0 - own)) - weight
        # Only differences are known: the mean is held at 0.
        step = np.linalg.solve(information + flat, gradient)
        theta = theta + np.clip(step - step.mean(), -2.0, 2.0)
        if np.abs(step - step.mean()).max() < SMALL:
            break
    covariance = np.linalg.pinv(information)
    return theta, covariance


def _apart(data: Preferences, wins: Array) -> str:
    """Say which objects always won or lost against the rest; empty if strengths are finite."""
    from scipy.sparse.csgraph import connected_components

    parts, part = connected_components(wins > 0, directed=True, connection="strong")
    if parts == 1:
        return ""
    linked, group = connected_components((wins + wins.T) > 0, directed=False)
    if linked > 1:
        first = [data.objects[i] for i in np.flatnonzero(group == group[0])]
        return (
            f"The comparisons fall into {linked} groups of objects that were never compared with each other, one of them {named(first)}: there is no common "
            "scale; compare objects across the groups, or look at each group alone."
        )
    beats = np.zeros((parts, parts), dtype=bool)
    np.logical_or.at(beats, (part[:, None].repeat(len(part), 1), part[None, :].repeat(len(part), 0)), wins > 0)
    np.fill_diagonal(beats, False)
    top = [data.objects[i] for i in np.flatnonzero(np.isin(part, np.flatnonzero(beats.any(1) & ~beats.any(0))))]
    low = [data.objects[i] for i in np.flatnonzero(np.isin(part, np.flatnonzero(~beats.any(1) & beats.any(0))))]
    said = " and ".join(
        [f"{named(top)} never lost to the others"] * bool(top)
        + [f"{named(low)} never won against the others"] * bool(low)
    )
    return (
        f"The strengths have no finite values: {said or 'some objects always won against others'}. Collect more votes between them; from Python, "
        "assent.strengths(data, penalty=1) draws all strengths towards the mean."
    )


def strengths(data: Preferences, *, penalty: float = 0.0, level: float = 0.95) -> Strengths:
    """Return how strong each object is, and how reliable that is.

    Parameters
    ----------
    data : Preferences
        A tie counts as half a win for each.
    penalty : float
        So many comparisons with an object of mean strength, half of them won, are added for each object; 0 for none.
    level : float
        Of the intervals.

    Examples
    --------
    >>> votes = [
    ...     ("j", "x", "y", "x"),
    ...     ("k", "x", "y", "y"),
    ...     ("l", "x", "y", "x"),
    ...     ("j", "y", "z", "y"),
    ...     ("k", "y", "z", "z"),
    ...     ("j", "x", "z", "x"),
    ... ]
    >>> [one.name for one in strengths(Preferences.from_rows(votes)).objects]
    ['x', 'y', 'z']
    """
    if not isinstance(data, Preferences):
        raise UnsuitableData("Strengths come from preferences between two objects.")
    if not 0 < level < 1:
        raise OptionError(f"The confidence level is {level}; it must lie between 0 and 1, as 0.95 does.")
    if not (penalty >= 0 and math.isfinite(penalty)):
        raise OptionError(f"`penalty` is {penalty:g}; it must be 0 or more.")
    from scipy.special import ndtri

    wins = data.wins()
    apart = "" if penalty else _apart(data, wins)
    n = len(wins)
    reliability = math.nan
    theta = errors = np.full(n, np.nan)
    notes_ = [apart] if apart else []
    if not apart:
        theta, covariance = fit(wins, penalty)
        errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        spread = float(theta.var(ddof=1)) if n > 1 else 0.0
        reliability = 1.0 - float((errors**2).mean()) / spread if spread > 0 else math.nan
        asked = (
            ""
            if math.isnan(reliability) or reliability >= RELIABLE
            else "; ask for 0.8, which takes about ten comparisons an object"
        )
        notes_.append(
            f"Scale separation reliability {value(reliability)}: the share of the differences between strengths that is not error{asked}."
        )
        if (data.choice == 0).any():
            notes_.append("A tie counts as half a win for each, which draws strengths together.")
    half = float(ndtri(0.5 + level / 2)) * errors
    order = np.argsort(
        -np.where(np.isnan(theta), wins.sum(1) / np.maximum((wins + wins.T).sum(1), 1), theta), kind="stable"
    )
    return Strengths(
        objects=tuple(
            ObjectStrength(
                name=data.objects[i],
                comparisons=round(float((wins + wins.T)[i].sum())),
                wins=float(wins[i].sum()),
                strength=float(theta[i]),
                standard_error=float(errors[i]),
                low=float(theta[i] - half[i]),
                high=float(theta[i] + half[i]),
            )
            for i in order
        ),
        reliability=reliability,
        penalty=penalty,
        level=level,
        notes=tuple(notes_),
    )
