"""Agreement on the order of objects: Kendall's W, and mean rank correlations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from assent.data.ranking_profiles import ListProfiles
from assent.measures._lists import Gaps, Unit, listwise, over_pairs, pair_values
from assent.measures._orders import kendall, spearman
from assent.measures.components import NO_ROOM, Components
from assent.measures.registry import measure
from assent.profiles import Array
from assent.registry import Takes
from assent.text import counted, probability, value

_TESTS = (
    "chance", "beyond_chance", "friedman_chi2", "friedman_df", "friedman_p", "f", "f_df1", "f_df2", "f_p", "alpha_interval_of_ranks", "without_tie_correction",
)  # fmt: skip
if TYPE_CHECKING:
    from assent.data.rankings import Block

__all__ = ["concordance_tests", "kendall_w", "mean_kendall", "mean_spearman"]


@measure(
    title="Mean Spearman",
    kind="rankings",
    profiles=ListProfiles,
    chance_corrected=False,
    lowest=-1.0,
    pairwise=True,
    references=["spearman1904", "kendall1939"],
)
def mean_spearman(items: ListProfiles, *, gaps: Gaps = "pairwise", unit: Unit = "auto") -> Components:
    """Mean rank correlation of every two annotators.

    Spearman's rho of two annotators is the correlation of their ranks, with mid-ranks for ties. It is averaged over the pairs of
    annotators of a list, by the number of objects that both ranked less one, and then over lists. 1 is the same order, 0 what random
    orders give, and below 0 annotators contradict each other. With complete rankings without ties it is Kendall's W with chance taken
    away, (m W - 1) / (m - 1).

    When to use
    -----------
    The number to quote when everybody ranks the same objects; and when each ranks some of them, as pairs are compared on what they
    share (at least three objects).

    Not when
    --------
    Only the top matters (rbo, tau-ap). Ranks are scores of few steps, so that most objects are tied: Krippendorff's alpha with an
    ordinal scale.

    References
    ----------
    Spearman, C. (1904). The proof and measurement of association between two things. American Journal of Psychology 15(1), 72-101.
    https://doi.org/10.2307/1412159
    Kendall, M. G. and Babington Smith, B. (1939). The problem of m rankings. Annals of Mathematical Statistics 10(3), 275-287.
    https://doi.org/10.1214/aoms/1177732186

    Examples
    --------
    >>> import assent
    >>> data = assent.Rankings.from_matrix([[1, 1, 2, 3], [3, 2, 3, 1], [2, 3, 1, 2]])
    >>> assent.mean_spearman(data).value
    -0.25
    """
    return over_pairs(items, spearman, "spearman", gaps=gaps, cells=4 * _objects(items))


@measure(
    title="Mean Kendall tau-b",
    kind="rankings",
    profiles=ListProfiles,
    chance_corrected=False,
    lowest=-1.0,
    pairwise=True,
    references=["kendall1945"],
    aliases=["kendall-tau", "tau-b"],
)
def mean_kendall(items: ListProfiles, *, gaps: Gaps = "pairwise", unit: Unit = "auto") -> Components:
    """Mean tau-b of every two annotators: pairs of objects in the same order less those in the opposite order.

    Of the pairs of objects, those that both annotators put in the same order count for, those in opposite order against. Divided by
    the geometric mean of the pairs that each does not tie. It is averaged as mean-spearman is.

    When to use
    -----------
    Readers know tau, there are many ties, or lists are short: it says how many of the pairs of objects are in the same order.

    Not when
    --------
    Only the top matters: tau-ap or weighted-tau.

    References
    ----------
    Kendall, M. G. (1945). The treatment of ties in ranking problems. Biometrika 33(3), 239-251.
    https://doi.org/10.1093/biomet/33.3.239

    Examples
    --------
    >>> import assent
    >>> data = assent.Rankings.from_matrix([[1, 1], [2, 3], [3, 2], [4, 4]])
    >>> round(assent.mean_kendall(data).value, 3)
    0.667
    """
    n = _objects(items)
    return over_pairs(items, kendall, "kendall", gaps=gaps, cells=max(1, n * (n - 1) * 2))


def _objects(items: ListProfiles) -> int:
    """Return the objects of the longest list."""
    return int(max(block.positions.shape[2] for block in items.blocks))


def _w_of_lists(positions: Array, *, gaps: str) -> Array:
    """Return Kendall's W of each list: the share of the variance of ranks that lies between objects."""
    if gaps == "pairwise" and np.isnan(positions).any():
        # A list without gaps has the W that it would have alone.
        some = np.isnan(positions).any((1, 2))
        made = np.empty(len(positions))
        made[some], made[~some] = _w_from_pairs(positions[some]), _w_of_lists(positions[~some], gaps="listwise")
        return made
    positions = listwise(positions)
    rankings = positions.shape[1]
    with np.errstate(invalid="ignore", divide="ignore"):
        centred = np.nan_to_num(positions - _mean(positions))
        whole = (centred**2).sum((1, 2))
        between = (centred.sum(1) ** 2).sum(-1) / rankings
        return (
            np.asarray(np.where(whole > NO_ROOM, between / whole, np.nan))
            if rankings > 1
            else np.full(len(positions), np.nan)
        )


def _mean(positions: Array) -> Array:
    """Return the mean rank of each ranking; NaN where it ranks nothing."""
    number = (~np.isnan(positions)).sum(-1, keepdims=True)
    return np.asarray(np.nansum(positions, -1, keepdims=True) / number)


def _w_from_pairs(positions: Array) -> Array:
    """Return the W that the mean correlation of pairs stands for, at so many rankings an object, as Brückl and irrNA work it out.

    A pair counts by the objects that both ranked less one, and as 0 where it has no correlation, as one of the two ties all of them.
    """
    # Who ranked one object put nothing in order.
    ordered = (~np.isnan(positions)).sum(-1, keepdims=True) > 1
    positions = np.where(ordered, positions, np.nan)
    values, shared = pair_values(positions, spearman, cells=4 * positions.shape[2], fewest=2)
    weights = np.maximum(shared - 1.0, 0.0)
    ranked = ~np.isnan(positions)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.nan_to_num(values * weights).sum(-1) / weights.sum(-1)
        each = ranked.sum((1, 2)) / ranked.any(1).sum(-1)
        return np.asarray((1.0 + mean * (each - 1.0)) / each)


def concordance_tests(blocks: Sequence[Block], *, gaps: str = "listwise") -> dict[str, float]:
    """Test whether annotators rank at random: Friedman's chi-squared and Kendall's F.

    Parameters
    ----------
    blocks : sequence of Block
        Of several lists the chi-squared statistics and their degrees of freedom are added; F is for one list.
    gaps : {"listwise", "pairwise"}

    Returns
    -------
    dict of str to float
        NaN for what is undefined.

    Examples
    --------
    >>> from assent import Rankings
    >>> found = concordance_tests(Rankings.from_matrix([[1, 1, 2, 3], [3, 2, 3, 1], [2, 3, 1, 2]]).blocks)
    >>> found["friedman_chi2"], round(found["friedman_p"], 4), found["chance"]
    (0.5, 0.7788, 0.25)
    """
    from scipy.special import chdtrc, fdtrc

    made = dict.fromkeys(_TESTS, np.nan)
    if gaps == "pairwise" and any(np.isnan(block.positions).any() for block in blocks):
        return made
    found = []
    for block in blocks:
        values = _w_of_lists(block.positions, gaps=gaps)
        number = (~np.isnan(listwise(block.positions))).all(1).sum(-1)
        found += [
            (float(w), block.positions.shape[1], int(n)) for w, n in zip(values, number, strict=True) if not np.isnan(w)
        ]
    if not found:
        return made
    made["chance"] = sum(1 / m for _, m, _ in found) / len(found)
    made["friedman_chi2"] = sum(m * (n - 1) * w for w, m, n in found)
    made["friedman_df"] = float(sum(n - 1 for *_, n in found))
    made["friedman_p"] = float(chdtrc(made["friedman_df"], made["friedman_chi2"]))
    if len(found) == 1:
        ((w, m, n),) = found
        made["beyond_chance"] = (m * w - 1) / (m - 1)
        made["without_tie_correction"] = _untied(blocks, m, n) * w
        made["alpha_interval_of_ranks"] = 1 - (1 - w) * (n * m - 1) / (n * (m - 1))
        first = n - 1 - 2 / m
        if w < 1 and first > 0:
            made |= {"f": (m - 1) * w / (1 - w), "f_df1": first, "f_df2": (m - 1) * first}
            made["f_p"] = float(fdtrc(made["f_df1"], made["f_df2"], made["f"]))
    return made


def _untied(blocks: Sequence[Block], m: int, n: int) -> float:
    """Return the variance of the ranks of the one list with a W, as a share of what it would be without ties."""
    positions = next(
        one
        for block in blocks
        for one in listwise(block.positions)
        if one.shape[0] == m and (~np.isnan(one)).all(0).sum() == n and np.nanvar(one) > NO_ROOM
    )
    return float(12.0 * np.nanvar(positions, axis=1).sum() / (m * (n * n - 1.0)))


def _about_w(items: ListProfiles, options: Mapping[str, Any]) -> list[str]:
    """Say what chance gives, and what the tests say."""
    gaps = options["gaps"]
    found = items.remembered(("tests", gaps), lambda: concordance_tests(items.blocks, gaps=gaps))
    if gaps == "pairwise" and any(np.isnan(block.positions).any() for block in items.blocks):
        return [
            "W of incomplete rankings is worked out from mean correlations (Brückl 2011), for comparison with other programs: two groups of "
            "annotators who share no object count as agreed, so quote mean-spearman."
        ]
    if np.isnan(found["chance"]):
        return []
    # Lists of one ranking are spoken of elsewhere.
    compared = items.remembered(("w", gaps), lambda: items._terms(partial(_w_of_lists, gaps=gaps)))[1]
    empty = items.pairable_items - int(compared.sum()) if items.unit == "items" else 0
    said = [
        f"Annotators who rank at random have a W of {value(found['chance'])} on average, one over the number of annotators."
    ]
    if not np.isnan(found["beyond_chance"]):
        said[0] = f"{said[0][:-1]}; beyond that it is {value(found['beyond_chance'])}."
    tests = f"Friedman's chi-squared {found['friedman_chi2']:.4g} with {counted(int(found['friedman_df']), 'degree')} of freedom, {probability(found['friedman_p'])}"
    if not np.isnan(found["f"]):
        tests += f"; F {found['f']:.4g} with {found['f_df1']:.4g} and {found['f_df2']:.4g}, {probability(found['f_p'])}, which is nearer with few objects or annotators"
    said.append(f"{tests}.")
    if empty:
        said.append(
            f"{counted(empty, 'list has', 'lists have')} no W, as fewer than two objects were ranked by all and told apart: the mean is over the others."
        )
    return said


@measure(
    title="Kendall's W",
    kind="rankings",
    profiles=ListProfiles,
    chance_corrected=False,
    references=["kendall1939", "bruckl2011"],
    aliases=["concordance"],
    remarks=_about_w,
)
def kendall_w(
    items: ListProfiles,
    *,
    gaps: Annotated[
        Literal["listwise", "pairwise"],
        Takes(
            help="Objects that not everybody ranked are left out of the list (listwise), or W is worked out from the correlations of pairs "
            "(pairwise, for comparison only)."
        ),
    ] = "listwise",
    unit: Unit = "auto",
) -> Components:
    """Coefficient of concordance: the share of the variance of ranks that lies between objects.

    1 if all annotators rank alike, 0 if the sums of ranks are all the same. Ties get mid-ranks and are allowed for. Annotators who rank at random do not reach
    0 but one over their number, .5 for two of them: that is shown as the expected value, and a note says what lies beyond it. Friedman's
    test and Kendall's F test of "ranked at random" come with it. Of several lists it is the mean.

    When to use
    -----------
    Readers of rankings expect it. Quote mean-spearman first, and say how many annotators there were.

    Not when
    --------
    It stands alone; numbers of different studies are compared, as it depends on the number of annotators. Rankings are incomplete: mean-spearman.

    References
    ----------
    Kendall, M. G. and Babington Smith, B. (1939). The problem of m rankings. Annals of Mathematical Statistics 10(3), 275-287.
    https://doi.org/10.1214/aoms/1177732186
    Brückl, M. (2011). Statistische Verfahren zur Ermittlung der Urteilerübereinstimmung. In: Altern der Frauenstimme, Logos, 88-103, for incomplete rankings.

    Examples
    --------
    >>> import assent
    >>> found = assent.kendall_w(assent.Rankings.from_matrix([[1, 1, 2, 3], [3, 2, 3, 1], [2, 3, 1, 2]]))
    >>> found.value, found.expected, found.details["friedman_chi2"]
    (0.0625, 0.25, 0.5)
    """
    w = items.average(partial(_w_of_lists, gaps=gaps), ("w", gaps))
    tests = items.remembered(("tests", gaps), lambda: concordance_tests(items.blocks, gaps=gaps))
    return Components(observed=w, expected=tests["chance"], coefficient=w, details=tests)
