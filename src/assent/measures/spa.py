"""Sparse probability of agreement, and its chance-corrected version."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np

from assent.data import Annotations, as_annotations
from assent.errors import OptionError
from assent.measures.components import Components
from assent.measures.registry import measure
from assent.profiles import Array, Counts
from assent.registry import Takes
from assent.scales import AgreementWeights, Identity
from assent.text import shown

__all__ = ["SCHEMES", "agreement_variance", "label_standard_error", "size_weights", "spa", "spa_kappa"]

#: How much an item counts by its number of annotations. The paper's recommendation comes first.
SCHEMES = ("annotations-m1", "flat", "annotations", "edges", "inv-var", "inv-var-class")
Scheme = Annotated[
    Literal["annotations-m1", "flat", "annotations", "edges", "inv-var", "inv-var-class"],
    Takes(help="How items are weighed."),
]


def _distribution(value: Any) -> tuple[float, ...]:
    """Check shares of labels, as numbers or as one text with commas."""
    try:
        shares = tuple(float(one) for one in (value.split(",") if isinstance(value, str) else value))
    except (TypeError, ValueError):
        shares = ()
    if not shares or not all(one >= 0 for one in shares) or abs(sum(shares) - 1) > 1e-6:
        raise OptionError(
            f"shares is {shown(str(value))}; it must hold one share for each label, between 0 and 1, that add up to 1."
        )
    return tuple(one / sum(shares) for one in shares)


def _by_the_paper(data: Annotations, options: Mapping[str, Any]) -> list[str]:
    """State the standard error that the paper's variance of an item's agreement gives, which is for labels that are the same or not."""
    if options.get("weights") != "identity":
        return []
    error = label_standard_error(data, scheme=options["scheme"], shares=options["shares"])
    return [
        f"If all items had the same label shares and annotations were drawn independently from these, the standard error would be "
        f"{error:.3g} (closed form); the interval needs no such assumption."
    ]


Shares = Annotated[
    Sequence[float] | None,
    Takes(
        help="Shares of the labels for the scheme inv-var-class, in their order; estimated if not given.",
        values="shares of the labels that add up to 1",
        check=_distribution,
        metavar="0.5,0.3,0.2",
    ),
]


@measure(
    title="Sparse probability of agreement",
    profiles=Counts,
    references=["norregaard2022"],
    missing_at_random=True,
    chance_corrected=False,
    remarks=_by_the_paper,
)
def spa(
    items: Counts, agree: AgreementWeights, *, scheme: Scheme = "annotations-m1", shares: Shares = None
) -> Components:
    """Probability that two annotators agree on an item, from incomplete data.

    The agreement of an item is the share of its pairs of annotations that agree; SPA is the weighted mean of the
    items' agreements. If annotations are missing at random, it is an unbiased estimate of the agreement
    that complete data would have shown, whatever the weights. The scheme chooses the weights, and so how precise
    the estimate is: ``flat`` (1 for each item), ``annotations`` (n), ``annotations-m1`` (n - 1, the default and the
    paper's recommendation), ``edges`` (pairs of annotations), ``inv-var`` and ``inv-var-class`` (one over the variance
    of the item's agreement under equally frequent labels, or under the labels' shares: those given as ``shares``, in the order
    of the labels, or else those in the items that can be compared). On a scale near labels agree in part; weights by variance are then those for
    equal labels, and as unbiased as any. It is not corrected for chance: its expected agreement is 0 by definition.

    When to use
    -----------
    Crowds and other sparse designs, where items have different numbers of annotations.

    Not when
    --------
    Hard items get more annotations than easy ones (adjudication, quality control): missingness must
    have nothing to do with agreement. As the only number: it is not corrected for chance.

    References
    ----------
    Nørregaard, J. and Derczynski, L. (2022). Sparse Probability of Agreement.

    Examples
    --------
    >>> import assent
    >>> item = ["blue"] * 5 + ["red"] * 3 + ["green"] * 2 + ["pink"]
    >>> round(assent.spa([item]).value, 4)  # 14 of 55 pairs agree
    0.2545
    """
    return Components(observed=sparse_agreement(items, scheme, shares, agree))


@measure(
    title="Chance-corrected SPA",
    profiles=Counts,
    scales=["nominal"],
    references=["norregaard2022"],
    missing_at_random=True,
    uses_single_annotations=True,
    warnings={
        (
            "chance",
            "naive",
        ): "Naive chance pairs annotations with others of the same item (and with themselves), so it is "
        "too high, and the value too low, the more so the fewer items there are."
    },
)
def spa_kappa(
    items: Counts,
    agree: AgreementWeights,
    *,
    scheme: Scheme = "annotations-m1",
    chance: Annotated[
        Literal["cross-item", "naive"],
        Takes(help="Which pairs of annotations are taken for chance: those of different items, or all (naive)."),
    ] = "cross-item",
    shares: Shares = None,
) -> Components:
    """Agreement beyond chance from incomplete data: SPA with an expected agreement that small samples do not bias.

    Observed agreement is SPA, with the same schemes. Expected agreement is that of two annotations of *different* items,
    over all such pairs (``cross-item``): pairs of annotations of the same item agree because of the item, and counting them,
    as shares of pooled labels do (``naive``), makes chance look too large. Items with one annotation count towards chance.

    When to use
    -----------
    Crowds and other sparse designs, with few items above all.

    Not when
    --------
    A well-known coefficient is asked for: with many items Krippendorff's alpha is nearly the same. Hard items get more
    annotations than easy ones: missingness must have nothing to do with agreement.

    References
    ----------
    Nørregaard, J. and Derczynski, L. (2022). Sparse Probability of Agreement, for the observed part; chance over pairs of
    different items is assent's own answer to what the paper leaves open.

    Examples
    --------
    >>> import assent
    >>> table = [["a", "a", None], ["b", "b", "b"], ["a", "b", None], [None, "b", "b"]]
    >>> round(assent.spa_kappa(table).value, 3), round(assent.spa_kappa(table, chance="naive").value, 3)
    (0.647, 0.55)
    """
    totals = items.total(items.counts)
    annotations = items.total(items.sizes)
    same, pairs = (totals**2).sum(-1), annotations**2
    if chance == "cross-item":
        # Take away the pairs within items, and each annotation with itself.
        same = same - items.total(Identity().pairs(items.counts) + items.sizes)
        pairs = pairs - items.total(items.sizes**2)
    return Components(observed=sparse_agreement(items, scheme, shares), expected=same / pairs)


def sparse_agreement(
    items: Counts, scheme: str, shares: Sequence[float] | None = None, agree: AgreementWeights | None = None
) -> Array:
    """Average the agreement of items, weighted by their number of annotations as the scheme says: (...,)."""
    agreement = (Identity() if agree is None else agree).pairs(items.counts) / items.pairs
    if scheme == "inv-var-class" and shares is None:
        return _weighed_by_shares(items, agreement)
    known = size_weights(scheme, items.sizes) if shares is None else scheme_weights(items, scheme, shares)
    weights = items.pairable * known
    return np.asarray(items.total(weights * agreement) / items.total(weights))


def _weighed_by_shares(items: Counts, agreement: Array) -> Array:
    """Average the agreement of items, weighted by one over its variance under the labels' shares: (...,).

    The weights change with the shares, and so with the items that are drawn, but all items of a size have the same: they are added up first
    and weighed afterwards.
    """
    sizes, agreed, number = _by_size(items, agreement)
    given = items.total(items.pairable_counts)
    # Powers of complex numbers are slow, and there may be thousands of labels in as many replicates.
    squared, every = given * given, given.sum(-1)[..., None]
    squares, cubes = squared.sum(-1)[..., None] / every**2, (squared * given).sum(-1)[..., None] / every**3
    variance = agreement_variance(sizes, squares, cubes)
    # With one label in use there is no variance to weigh by, and any weights give the same answer.
    weights = 1.0 / np.where(variance == 0, 1.0, variance)
    return np.asarray((weights * agreed).sum(-1) / (weights * number).sum(-1))


def _by_size(items: Counts, agreement: Array) -> tuple[Array, Array, Array]:
    """Add up the agreement of items by their number of annotations, two or more.

    Returns
    -------
    sizes : array (sizes,)
        The different numbers of annotations.
    agreed, number : array (..., sizes)
        The agreement of all items of each size together, and how many there are.
    """
    from scipy.sparse import csr_array

    rows = np.flatnonzero(items.pairable)
    sizes, place = np.unique(items.sizes[rows], return_inverse=True)
    shape = (len(items.sizes), len(sizes))
    agreed, number = (csr_array((terms, (rows, place)), shape=shape) for terms in (agreement[rows], np.ones(len(rows))))
    return sizes, items.total(agreed), items.total(number)


def size_weights(scheme: str, sizes: Array) -> Array:
    """Return how much an item counts by its number of annotations, for a scheme that asks for nothing else: as `sizes`."""
    return np.asarray(_BY_SIZE[scheme](np.asarray(sizes, dtype=np.float64)))


def scheme_weights(items: Counts, scheme: str, shares: Sequence[float]) -> Array:
    """Return how much each profile counts if the labels have these shares: (profiles,)."""
    if scheme != "inv-var-class":
        raise OptionError("`shares` is for the `scheme` inv-var-class alone: leave it out, or choose that scheme.")
    if len(shares) != len(items.labels):
        raise OptionError(
            f"shares has {len(shares)} numbers for {len(items.labels)} labels ({', '.join(shown(one, 12) for one in items.labels[:8])}): "
            "give one for each, in that order."
        )
    share = np.asarray(shares)
    variance = agreement_variance(items.sizes, (share**2).sum(), (share**3).sum())
    return np.ones_like(variance) if not variance.any() else 1.0 / variance


def label_standard_error(data: Any, *, scheme: str = SCHEMES[0], shares: Sequence[float] | None = None) -> float:
    """Return the standard error of SPA if all annotations were drawn independently from one distribution of labels.

    The agreement of an item is a U-statistic, whose variance has a closed form; SPA is a weighted mean of independent ones.

    Parameters
    ----------
    data : Annotations, or whatever they can be made from
    scheme : str
    shares : sequence of float, optional
        Shares of the labels; those in the items that can be compared if not given.

    Examples
    --------
    >>> round(label_standard_error([["a", "a"], ["b", "b"], ["a", "b"], ["b", "a"]]), 3)  # 4 coins: half of a half
    0.25
    """
    items = as_annotations(data)._comparable_counts
    total = np.asarray(items.multiplicities @ items.counts, dtype=np.float64).ravel()
    share = total / total.sum() if shares is None else np.asarray(shares, dtype=np.float64)
    variance = agreement_variance(items.sizes, (share**2).sum(), (share**3).sum())
    weights = (
        scheme_weights(items, scheme, share.tolist())
        if scheme == "inv-var-class"
        else size_weights(scheme, items.sizes)
    )
    times = items.multiplicities
    return float(np.sqrt((times * weights**2) @ variance) / (times @ weights))


def agreement_variance(sizes: Array, squares: Array, cubes: Array) -> Array:
    """Variance of an item's agreement when labels are drawn independently.

    The agreement is a U-statistic with the kernel "the two labels are the same", which has a closed form.

    Parameters
    ----------
    sizes : array (profiles,)
        Annotations of the item; where fewer than two, the result means nothing.
    squares, cubes : array (..., 1)
        Sums of the squared and of the cubed label probabilities.
    """
    n = np.maximum(sizes, 2.0)
    return np.asarray(2.0 / (n * (n - 1.0)) * (2.0 * (n - 2.0) * (cubes - squares**2) + squares - squares**2))


_BY_SIZE: dict[str, Callable[[Array], Array]] = {
    "flat": np.ones_like,
    "annotations": lambda n: n,
    "annotations-m1": lambda n: n - 1.0,
    "edges": lambda n: n * (n - 1.0) / 2.0,
    # For equally frequent labels the variance is exactly proportional to 1 / edges, whatever their number.
    "inv-var": lambda n: n * (n - 1.0) / 2.0,
}
