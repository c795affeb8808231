"""Agreement on the order of objects where the top matters most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from assent.data.ranking_profiles import ListProfiles
from assent.errors import TooMany
from assent.limits import OBJECTS_PAIRED
from assent.measures._lists import Gaps, Unit, over_pairs, pair_values
from assent.measures._orders import rbo_bounds, rbo_by_chance, tau_ap_both_ways, tau_ap_to_truth, top_tau
from assent.measures.components import Components
from assent.measures.registry import measure
from assent.profiles import Array
from assent.registry import Takes, number
from assent.text import value

if TYPE_CHECKING:
    from assent.data.rankings import Block

__all__ = ["rbo", "tau_ap", "weighted_tau"]

Persistence = Annotated[
    float,
    number(
        "p",
        least=1e-6,
        most=1 - 1e-6,
        must="lie between 0 and 1, as 0.9 does",
        help="Persistence of rbo: how likely a reader goes on to the next rank.",
        values="a number between 0 and 1",
    ),
]


def _squared(items: ListProfiles, times: int) -> int:
    """Return how many numbers a comparison of each object with each holds; refuse too many objects."""
    objects = int(max(block.positions.shape[2] for block in items.blocks))
    if objects > OBJECTS_PAIRED:
        raise TooMany(
            f"A list has {objects:,} objects, and each is compared with each here, {OBJECTS_PAIRED:,} at most: use mean-spearman or mean-kendall, or keep the "
            "top of each ranking."
        )
    return times * objects**2


def _overlap(x: Array, y: Array, *, p: float, ties: str) -> Array:
    return rbo_bounds(x, y, p=p, ties=ties)[:, 0]


def _kept(seen: list[Array], x: Array, y: Array, *, p: float, ties: str) -> Array:
    """Compare, and keep the bounds as well."""
    seen.append(rbo_bounds(x, y, p=p, ties=ties))
    return seen[-1][:, 0]


def _chance(blocks: Any, p: float) -> float:
    """Return what random orders of the same objects give; NaN where annotators rank different objects."""
    several = [block.positions for block in blocks if block.positions.shape[1] > 1]
    if not several or any(np.isnan(one).any() for one in several):
        return float("nan")
    sizes = np.concatenate([np.full(len(one), one.shape[2]) for one in several])
    return float(rbo_by_chance(sizes, p).mean())


def _bounds(blocks: Sequence[Block], p: float, ties: str) -> dict[str, float]:
    """Return the least and the most that overlap can be, for orders that go on unseen, and what chance gives."""
    sums, number = np.zeros(3), 0
    for block in blocks:
        lists, rankings, objects = block.positions.shape
        if rankings > 1:
            seen: list[Array] = []
            compare = partial(_kept, seen, p=p, ties=ties)
            pair_values(block.positions, compare, cells=8 * objects**2)
            # Every list of a block has as many pairs, so that the mean of the pairs is that of the lists.
            sums += lists * np.nanmean(np.concatenate(seen), axis=0)
            number += lists
    ext, low, high = (sums / number).tolist()
    chance = _chance(blocks, p)
    return {
        "ext": ext,
        "min": low,
        "max": high,
        "residual": high - low,
        "chance": chance,
        # Lists of one object are always the same.
        "beyond_chance": (ext - chance) / (1 - chance) if chance < 1 else float("nan"),
    }


def _about_rbo(items: ListProfiles, options: Mapping[str, Any]) -> list[str]:
    p, ties = options["p"], options["ties"]
    found = items.remembered(("rbo", p, ties, "bounds"), lambda: _bounds(items.blocks, p, ties))
    said = [
        f"Persistence {options['p']:g}, ties {options['ties']}: whatever stands below the ranks that are seen, the overlap is between "
        f"{value(found['min'])} and {value(found['max'])} (residual {value(found['residual'])}); the value carries the agreement on."
    ]
    if not np.isnan(found["chance"]):
        beyond = found["beyond_chance"]
        more = "" if np.isnan(beyond) else f"; beyond that it is {value(beyond)} of what is left"
        said.append(
            f"Random orders of the same objects would overlap by {value(found['chance'])}{more}. Compare values only at the same persistence and "
            "similar lengths."
        )
    return said


@measure(
    title="Rank-biased overlap",
    kind="rankings",
    profiles=ListProfiles,
    chance_corrected=False,
    pairwise=True,
    references=["webber2010", "corsi2024"],
    aliases=["rank-biased-overlap"],
    remarks=_about_rbo,
)
def rbo(
    items: ListProfiles,
    *,
    p: Persistence = 0.9,
    ties: Annotated[
        Literal["a", "b", "w"],
        Takes(
            help="Ties: a, ignorance, the mean over all ways to break them; b, the same, scaled so that a ranking agrees with itself; "
            "w (rbo alone), objects at the same rank."
        ),
    ] = "a",
    unit: Unit = "auto",
) -> Components:
    """How much of what two annotators put first is the same, looking from the top down.

    The share of objects that two rankings have in common among their first d, averaged over all depths d with weights that fall
    geometrically: ``p`` is how likely a reader goes on to the next rank. With 0.9 the first ten ranks have 86 % of the weight. Rankings may hold
    different objects and have different lengths. The value is extrapolated: the agreement seen is carried on below, of rankings with ties and of different
    lengths as Corsi and Urbano do. The least and the most it could be are in the details. Pairs of annotators, and then lists, count alike.

    When to use
    -----------
    The top matters most, as in search results and leaderboards, or annotators list different objects.

    Not when
    --------
    Every rank matters alike: mean-spearman. It is not chance-corrected: random orders of the same ten objects reach .65 with ``p`` 0.9, which is shown as the
    expected value.

    References
    ----------
    Webber, W., Moffat, A. and Zobel, J. (2010). A similarity measure for indefinite rankings. ACM Transactions on Information Systems
    28(4), 20. https://doi.org/10.1145/1852102.1852106
    Corsi, M. and Urbano, J. (2024). The treatment of ties in rank-biased overlap. SIGIR 2024, 251-260.
    https://doi.org/10.1145/3626772.3657700

    Examples
    --------
    >>> import assent
    >>> data = assent.Rankings.from_matrix([[1, 1], [2, 3], [3, 2], [4, 4]])
    >>> found = assent.rbo(data)
    >>> round(found.value, 3), round(found.expected, 3), round(found.details["residual"], 3)
    (0.955, 0.86, 0.394)
    """
    compare = partial(_overlap, p=p, ties=ties)
    chance = _chance(items.blocks, p)
    found = items.remembered(("rbo", p, ties, "bounds"), lambda: _bounds(items.blocks, p, ties))
    return over_pairs(
        items,
        compare,
        ("rbo", p, ties),
        cells=_squared(items, 8),
        fewest=0,
        weighted=False,
        expected=chance,
        details=found,
    )


def _symmetric_ap(x: Array, y: Array, *, ties: str) -> Array:
    if ties == "b":
        return tau_ap_both_ways(x, y)
    return np.asarray((tau_ap_to_truth(x, y, ties=ties) + tau_ap_to_truth(y, x, ties=ties)) / 2.0)


@measure(
    title="AP correlation",
    kind="rankings",
    profiles=ListProfiles,
    chance_corrected=False,
    lowest=-1.0,
    pairwise=True,
    references=["yilmaz2008", "urbano2017"],
)
def tau_ap(
    items: ListProfiles,
    *,
    ties: Annotated[
        Literal["b", "a"],
        Takes(
            help="Ties: b, an object is compared with those strictly above its tie; a, the mean over all ways to break ties."
        ),
    ] = "b",
    truth: Annotated[
        str | None,
        Takes(
            help="Annotator whose rankings are the truth; the others are compared with them alone.",
            values="the name of an annotator",
            metavar="NAME",
        ),
    ] = None,
    gaps: Gaps = "pairwise",
    unit: Unit = "auto",
) -> Components:
    """Rank correlation that counts a swap near the top for more.

    At every rank, the share of the objects above that rightly stand there, turned into a number from -1 to 1. One ranking is the truth and
    the other the estimate; without a ``truth`` it is the mean of both directions. ``ties`` b is for two annotators who both tie; a is the
    mean over all ways to break the ties. It is averaged as mean-spearman is.

    When to use
    -----------
    Systems are ranked by a measure, the top matters, and all rank the same objects.

    Not when
    --------
    Annotators list different objects: rbo.

    References
    ----------
    Yilmaz, E., Aslam, J. A. and Robertson, S. (2008). A new rank correlation coefficient for information retrieval. SIGIR 2008, 587-594.
    https://doi.org/10.1145/1390334.1390435
    Urbano, J. and Marrero, M. (2017). The treatment of ties in AP correlation. ICTIR 2017, 321-324.
    https://doi.org/10.1145/3121050.3121106

    Examples
    --------
    >>> import assent
    >>> data = assent.Rankings.from_matrix([[1, 1], [2, 3], [3, 2], [4, 4]], annotators=["ada", "ben"])
    >>> round(assent.tau_ap(data).value, 3)
    0.667
    """
    compare = partial(_symmetric_ap if truth is None else tau_ap_to_truth, ties=ties)
    return over_pairs(
        items, compare, ("tau-ap", ties, truth), gaps=gaps, cells=_squared(items, 24), to_first=truth is not None
    )


@measure(
    title="Weighted tau",
    kind="rankings",
    profiles=ListProfiles,
    chance_corrected=False,
    lowest=-1.0,
    pairwise=True,
    references=["vigna2015"],
)
def weighted_tau(items: ListProfiles, *, gaps: Gaps = "pairwise", unit: Unit = "auto") -> Components:
    """Kendall's tau with exchanges near the top counted for more.

    A pair of objects at ranks r and s counts 1/r + 1/s. Ranks are those of the one annotator, then those of the other, and the two values
    are averaged. It equals `scipy.stats.weightedtau` of scores. It is averaged over pairs and lists as mean-spearman is.

    When to use
    -----------
    The top matters, there are ties, and a symmetric correlation is wanted.

    Not when
    --------
    Annotators list different objects: rbo.

    References
    ----------
    Vigna, S. (2015). A weighted correlation index for rankings with ties. WWW 2015, 1166-1176.
    https://doi.org/10.1145/2736277.2741088

    Examples
    --------
    >>> import assent
    >>> data = assent.Rankings.from_matrix([[1, 1], [2, 3], [3, 2], [4, 4]])
    >>> round(assent.weighted_tau(data).value, 3)
    0.733
    """
    return over_pairs(items, top_tau, "weighted-tau", gaps=gaps, cells=_squared(items, 4))
