"""Agreement on numbers: intraclass correlations and Lin's concordance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import numpy as np

from assent.errors import UnsuitableData
from assent.measures.components import NO_ROOM, Components
from assent.measures.registry import measure
from assent.profiles import Array, Ratings
from assent.records import Struct
from assent.registry import Takes
from assent.scales import AgreementWeights, Scores

__all__ = ["FORMS", "icc", "lin_concordance"]

#: The six forms in the terms of Shrout and Fleiss, with their names in the terms of McGraw and Wong.
FORMS = {
    "2,1": "ICC(A,1)",
    "1,1": "ICC(1)",
    "3,1": "ICC(C,1)",
    "2,k": "ICC(A,k)",
    "1,k": "ICC(k)",
    "3,k": "ICC(C,k)",
}


class _MeanSquares(Struct, frozen=True, eq=False):
    """Mean squares of a table of items x annotators: between items, annotators, the rest, and within items."""

    items: Array
    n_annotators: int
    between: Array
    judges: Array
    error: Array
    within: Array


def _scores(agree: AgreementWeights) -> Scores:
    """Refuse weights that are not made from numbers."""
    if not isinstance(agree, Scores):
        raise UnsuitableData("Labels must be numbers on an interval scale here: leave out the weights.")
    return agree


def _values(items: Ratings, numbers: Scores) -> Array:
    """Return the numbers of complete items: (profiles, annotators), with the middle of their range moved to 0."""
    table = np.empty((len(items.multiplicities), len(items.annotators)))
    table[items.profile, items.annotator] = numbers.scores[items.label]
    return table


def _terms(items: Ratings, numbers: Scores) -> tuple[Array, Array, Array]:
    """Return the numbers, the squares of their sums and the sums of their squares, once for all ways to count the same items."""
    kept = items.kept_results.get("numbers")
    if kept is None or kept[0] is not numbers:
        values = _values(items, numbers)
        kept = items.kept_results["numbers"] = (numbers, values, values.sum(axis=1) ** 2, (values**2).sum(axis=1))
    return kept[1], kept[2], kept[3]


def _but_for_rounding(squares: Array, largest: Array) -> Array:
    """Take a sum of squares that is nothing beside the largest it could be for 0: it is what rounding left."""
    return np.asarray(np.where(np.real(squares) < NO_ROOM * np.real(largest), 0.0, squares))


def _mean_squares(items: Ratings, agree: AgreementWeights) -> _MeanSquares:
    """Analyse the variance of complete items, from sums over items alone."""
    numbers = _scores(agree)
    values, rows, squares = _terms(items, numbers)
    k = values.shape[1]
    number = items.total(np.ones(len(values)))
    columns = items.total(values)
    grand = columns.sum(-1) ** 2 / (number * k)
    largest = number * k * numbers.span**2
    between, judges, whole = (
        _but_for_rounding(part - grand, largest)
        for part in (
            items.total(rows) / k,
            (columns**2).sum(-1) / number,
            items.total(squares),
        )
    )
    return _MeanSquares(
        items=number,
        n_annotators=k,
        between=between / (number - 1.0),
        judges=judges / (k - 1.0),
        error=_but_for_rounding(whole - between - judges, largest) / ((number - 1.0) * (k - 1.0)),
        within=_but_for_rounding(whole - between, largest) / (number * (k - 1.0)),
    )


def _ratio(part: Array, whole: Array) -> Array:
    """Divide; a whole of nothing or less has no parts."""
    return np.asarray(np.where(np.real(whole) > 0, part / np.where(np.real(whole) > 0, whole, 1.0), np.nan))


def _one_way(ms: _MeanSquares) -> Array:
    return _ratio(ms.between - ms.within, ms.between + (ms.n_annotators - 1) * ms.within)


def _agreement(ms: _MeanSquares) -> Array:
    k = ms.n_annotators
    return _ratio(ms.between - ms.error, ms.between + (k - 1) * ms.error + k * (ms.judges - ms.error) / ms.items)


def _consistency(ms: _MeanSquares) -> Array:
    return _ratio(ms.between - ms.error, ms.between + (ms.n_annotators - 1) * ms.error)


_SINGLE: dict[str, Callable[[_MeanSquares], Array]] = {"1": _one_way, "2": _agreement, "3": _consistency}
_MEAN: dict[str, Callable[[_MeanSquares], Array]] = {
    "1": lambda ms: _ratio(ms.between - ms.within, ms.between),
    "2": lambda ms: _ratio(ms.between - ms.error, ms.between + (ms.judges - ms.error) / ms.items),
    "3": lambda ms: _ratio(ms.between - ms.error, ms.between),
}


def _f_interval(items: Ratings, agree: AgreementWeights, level: float, *, form: str) -> tuple[float, float]:
    """Return the interval of Shrout and Fleiss by the F distribution, which assumes normal values."""
    from assent.inference.tails import f_quantile

    with np.errstate(divide="ignore", invalid="ignore"):
        ms = _mean_squares(items, agree)
        n, k, tail = float(ms.items), ms.n_annotators, (1.0 + level) / 2.0
        between, judges, error, within = (np.float64(one) for one in (ms.between, ms.judges, ms.error, ms.within))
        model, unit = form.split(",")
        if model != "2":
            noise, degrees = (within, n * (k - 1.0)) if model == "1" else (error, (n - 1.0) * (k - 1.0))
            f_low = between / noise / f_quantile(tail, n - 1.0, degrees)
            f_high = between / noise * f_quantile(tail, degrees, n - 1.0)
            if unit == "k":
                return float(1.0 - 1.0 / f_low), float(1.0 - 1.0 / f_high)
            return float((f_low - 1.0) / (f_low + k - 1.0)), float((f_high - 1.0) / (f_high + k - 1.0))
        single = np.float64(_agreement(ms))
        a = k * single / (n * (1.0 - single))
        b = 1.0 + k * single * (n - 1.0) / (n * (1.0 - single))
        top = (a * judges + b * error) ** 2
        degrees = float(top / ((a * judges) ** 2 / (k - 1.0) + (b * error) ** 2 / ((n - 1.0) * (k - 1.0))))
        f_low, f_high = (np.float64(f_quantile(tail, *two)) for two in ((n - 1.0, degrees), (degrees, n - 1.0)))
        spread = k * judges + (k * n - k - n) * error
        ends = [
            float(n * (between - f_low * error) / (f_low * spread + n * between)),
            float(n * (f_high * between - error) / (spread + n * f_high * between)),
        ]
        if unit == "k":
            # Below -1 / (k - 1) a single label's coefficient has no counterpart for the mean of k.
            ends = [-np.inf if end * (k - 1.0) <= -1.0 else k * end / (1.0 + (k - 1.0) * end) for end in ends]
        return ends[0], ends[1]


@measure(
    title="Intraclass correlation",
    profiles=Ratings,
    scales=["interval"],
    references=["shrout1979", "mcgraw1996"],
    complete=True,
    interval=_f_interval,
    titled=lambda options, weights: f"ICC({options['form']}), {FORMS[options['form']]}",
)
def icc(
    items: Ratings,
    agree: AgreementWeights,
    *,
    form: Annotated[
        Literal["2,1", "1,1", "3,1", "2,k", "1,k", "3,k"],
        Takes(help="Form of the intraclass correlation, after Shrout and Fleiss.", metavar="FORM"),
    ] = "2,1",
) -> Components:
    """Share of the variance of numeric labels that is due to the items.

    Six forms, in the terms of Shrout and Fleiss (and of McGraw and Wong): ``1,1`` (ICC(1)) takes annotators as drawn anew for
    each item; ``2,1`` (ICC(A,1), the default) as drawn from many, with their leanings counted as disagreement;
    ``3,1`` (ICC(C,1)) as the only ones of interest, with their leanings left out. ``1,k``, ``2,k`` and ``3,k`` (ICC(k), ICC(A,k),
    ICC(C,k)) are about the mean of all annotators' labels, not about one. Only items that all annotators labelled count.
    It is a ratio of variances: there is no observed and no expected agreement. The analytic interval is that of Shrout and
    Fleiss by the F distribution, which assumes normal values; the bootstrap does not.

    When to use
    -----------
    Ratings on a numeric scale by the same annotators. Say which form.

    Not when
    --------
    Labels are names or a few ordered steps: weighted kappa or Krippendorff's alpha. Labels are missing: Krippendorff's
    alpha with an interval scale. Items that hardly differ: the coefficient is then low whatever the annotators do.

    References
    ----------
    Shrout, P. E. and Fleiss, J. L. (1979). Intraclass correlations: uses in assessing rater reliability. Psychological
    Bulletin 86(2), 420-428. https://doi.org/10.1037/0033-2909.86.2.420
    McGraw, K. O. and Wong, S. P. (1996). Forming inferences about some intraclass correlation coefficients. Psychological
    Methods 1(1), 30-46. https://doi.org/10.1037/1082-989X.1.1.30

    Examples
    --------
    >>> import assent
    >>> judges = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> round(assent.icc(judges, form="2,1").value, 2), round(assent.icc(judges, form="3,k").value, 2)
    (0.29, 0.91)
    """
    model, unit = form.split(",")
    formula = (_SINGLE if unit == "1" else _MEAN)[model]
    return Components(observed=np.nan, expected=np.nan, coefficient=formula(_mean_squares(items, agree)))


@measure(
    title="Lin's concordance",
    profiles=Ratings,
    scales=["interval"],
    references=["lin1989"],
    n_annotators=2,
)
def lin_concordance(items: Ratings, agree: AgreementWeights) -> Components:
    """How near the numbers of two annotators lie to being the same.

    One minus the mean squared difference over what it would be if the two were independent: a correlation that also falls
    when one annotator gives higher or more spread numbers. It equals Cohen's kappa with quadratic weights.

    When to use
    -----------
    Two annotators, or an annotator and a model, who give numbers.

    Not when
    --------
    More than two annotators: ICC(2,1) or Krippendorff's alpha with an interval scale.

    References
    ----------
    Lin, L. I. (1989). A concordance correlation coefficient to evaluate reproducibility. Biometrics 45(1), 255-268.
    https://doi.org/10.2307/2532051

    Examples
    --------
    >>> import assent
    >>> round(assent.lin_concordance([[1, 2], [2, 2], [3, 4], [4, 5], [5, 5]]).value, 3)
    0.857
    """
    numbers = _scores(agree)
    first, second = _values(items, numbers).T
    number = items.total(np.ones(len(first)))
    one, two, ones, twos, apart = (
        items.total(terms) / number for terms in (first, second, first**2, second**2, (first - second) ** 2)
    )
    independent, largest = ones + twos - 2.0 * one * two, numbers.span**2
    return Components(observed=1.0 - apart / largest, expected=1.0 - independent / largest)
