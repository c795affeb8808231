"""Agreement of sets of labels: soft match, augmented kappa, and the measures with chance drawn from the annotators' own sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np

from assent.data import Annotations
from assent.errors import OptionError, UnsuitableData
from assent.limits import LABELS_IN_PAIRS
from assent.measures.components import Components
from assent.measures.meetings import Meetings
from assent.measures.paired import Average, mean_over_pairs
from assent.measures.registry import measure
from assent.profiles import Array, Ratings, distinct
from assent.registry import Takes
from assent.scales import AgreementWeights
from assent.text import shown

__all__ = ["augmented_kappa", "boot_f1", "boot_match", "boot_precision", "boot_recall", "soft_match"]

_SIMULATED = (
    "Expected agreement was simulated, so another seed gives slightly other digits; intervals rest on its exact value."
)
_PERMUTED = "Chance deals out whole sets as they were given, not labels: sets that never occur have no part in it."


def _share(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not 0.5 <= number <= 1:
        raise OptionError(
            f"primary is {shown(str(value))}; it is the weight of the primary label and must lie between 0.5 and 1."
        )
    return number


def _whole(name: str, least: int, help: str) -> Takes:
    def check(value: Any) -> int:
        try:
            number = int(str(value))
        except ValueError:
            number = least - 1
        if number < least:
            raise OptionError(f"{name} is {shown(str(value))}; it must be a whole number, {least} or more.")
        return number

    return Takes(help=help, values=f"whole number, {least} or more", check=check, metavar="N")


Primary = Annotated[
    float | None,
    Takes(
        help="What the primary label gets of an annotation, 0.5 to 1; all labels share equally if not given.",
        values="0.5 to 1",
        check=_share,
        metavar="P",
    ),
]
Expected = Annotated[
    Literal["exact", "simulate", "permute"],
    Takes(help="Chance agreement: exact, simulated as in the paper, or by permuting whole sets."),
]
Reference = Annotated[
    Literal["first", "second"], Takes(help="Which annotator of a pair is the reference, in the order of names.")
]
Simulations = Annotated[int, _whole("simulations", 2, "How many data sets are drawn if chance is simulated.")]
Seed = Annotated[int, _whole("seed", 0, "Seed of simulated chance: the same seed, the same digits.")]


@measure(
    title="Augmented kappa",
    profiles=Ratings,
    scales=["nominal"],
    references=["rosenberg2004", "marchal2022"],
    label_sets=True,
    titled=lambda options, _: (
        "Augmented kappa" + ("" if options["primary"] is None else f" (primary {options['primary']:g})")
    ),
)
def augmented_kappa(
    items: Ratings, agree: AgreementWeights, *, average: Average = "overlap", primary: Primary = None
) -> Components:
    """Agreement of two annotators who may share an item out among several labels.

    Each annotation is one vote that is shared out among its labels: equally, or with ``primary`` for the first of them and
    the rest shared by the others. Observed agreement is the mean over items of the products of both annotators'
    shares, expected agreement that of their mean shares: the kappa they would have reached, on average, had each picked
    one label at random by these shares. Annotators who give the same two labels agree by a half on that item.
    For more than two annotators it is the mean over all pairs.

    When to use
    -----------
    Several labels mean that the annotator is unsure which one is right. `assent sweep` shows what `primary` does.

    Not when
    --------
    Several labels can all be true: it counts every second label as doubt, so that a high value is out of reach. Use boot-match
    or boot-f1.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004). Augmenting the kappa statistic to determine interannotator reliability for multiply
    labeled data points. HLT-NAACL 2004: Short Papers, 77-80. https://aclanthology.org/N04-4020
    Marchal, M., Scholman, M., Yung, F. and Demberg, V. (2022). Establishing annotation quality in multi-label annotations.
    COLING 2022, 3659-3668. https://aclanthology.org/2022.coling-1.322

    Examples
    --------
    >>> import polars as pl
    >>> import assent
    >>> frame = pl.DataFrame(
    ...     {
    ...         "item": [1, 1, 2, 2, 3, 3],
    ...         "annotator": ["c1", "c2"] * 3,
    ...         "label": ["A", "A;B", "A;B", "B;C", "A;B", "A;B"],
    ...     }
    ... )
    >>> result = assent.augmented_kappa(assent.Annotations.from_frame(frame, separator=";"))
    >>> round(result.observed, 3), round(result.expected, 3)
    (0.417, 0.389)
    """
    if primary is not None and not items.parts.ranked:
        raise UnsuitableData(
            "primary gives the primary label more weight, but the table does not say which one that is: name the rank column with "
            "`rank`, or say with `ranked` that the first label of a cell is the primary one."
        )
    met, weights = Meetings.of(items), items.parts.weights(primary)

    def same() -> Array:
        return met.for_each(lambda one, two: (weights[one] * weights[two]).sum(axis=1), weights.shape[1])

    observed = met.total(same, f"shares that meet, {primary}") / met.number
    shares = [
        met.total_by_set(weights, side, f"shares of {side}, {primary}") / met.number[..., None] for side in (0, 1)
    ]
    return mean_over_pairs(met.pairs(observed, (shares[0] * shares[1]).sum(-1)), average, blocks=True)


@measure(
    title="Soft match",
    profiles=Ratings,
    scales=["nominal"],
    references=["marchal2022"],
    label_sets=True,
)
def soft_match(items: Ratings, agree: AgreementWeights, *, average: Average = "overlap") -> Components:
    """Agreement of two annotators who agree as soon as their sets have a label in common.

    Each item is reduced to one label: the common one if there is one, shared equally if there are several; else
    each annotator's own labels share it equally. Cohen's kappa of these is the best that the two could have reached with one
    label each. For more than two annotators it is the mean over all pairs.

    When to use
    -----------
    Only the common label of each item is kept, and the number shall say how often there is one.

    Not when
    --------
    It is to be compared between data sets: annotators who give more labels agree more often by luck, and the expected agreement here
    does not know of that. An annotator who gave every label to every item would agree perfectly. Use boot-match.

    References
    ----------
    Marchal, M., Scholman, M., Yung, F. and Demberg, V. (2022). Establishing annotation quality in multi-label annotations.
    COLING 2022, 3659-3668. https://aclanthology.org/2022.coling-1.322

    Examples
    --------
    >>> import assent
    >>> round(assent.soft_match([["a", "a"], ["b", "b"], ["a", "b"]]).value, 3)  # single labels: Cohen's kappa
    0.4
    """
    met, weights = Meetings.of(items), items.parts.weights()
    # What is kept depends on both sets: every two that meet are looked at once.
    both, place = distinct(met.sides[0].astype(np.int64) * len(weights) + met.sides[1], len(weights) ** 2)
    mine, theirs = (weights[side] for side in np.divmod(both, len(weights)))
    common = ((mine > 0) & (theirs > 0)).astype(np.float64)
    size = common.sum(axis=1, keepdims=True)
    found = size > 0
    common /= np.maximum(size, 1.0)
    observed = met.total(lambda: found[place, 0].astype(np.float64), "common labels") / met.number
    shares = [
        met.total_of(np.where(found, common, own), place, f"labels kept of {side}") / met.number[..., None]
        for side, own in enumerate((mine, theirs))
    ]
    return mean_over_pairs(met.pairs(observed, (shares[0] * shares[1]).sum(-1)), average, blocks=True)


def _boot(
    items: Ratings, score: str, *, average: str, expected: str, simulations: int, seed: int, reference: str = "first"
) -> Components:
    """Compare sets of every two annotators by `score`, and with what their own sets would give by chance."""
    sets = items.parts
    if expected == "permute" and len(sets.members) > LABELS_IN_PAIRS:
        raise UnsuitableData(
            f"There are {len(sets.members):,} distinct sets, and permute compares each with each; up to {LABELS_IN_PAIRS:,} can be "
            "compared so: use `expected` exact."
        )
    from assent.set_chance import SetAgreement, expected_score, overlap, simulate, whole_sets

    met, members = Meetings.of(items), sets.membership.astype(np.float64)
    # Scores look at the candidate first: precision is what of its labels the reference has.
    order = (0, 1) if reference == "second" else (1, 0)
    sides = [met.sides[side] for side in order]

    def scores(candidate: Array, judge: Array) -> Array:
        common = sets.common(candidate, judge)
        sizes = [sets.sizes[side] for side in (candidate, judge)]
        found = SetAgreement((common > 0) | (sizes[0] + sizes[1] == 0), *overlap(common, *sizes))
        return np.asarray(getattr(found, score), dtype=np.float64)

    seen = met.total(lambda: met.for_each(scores, sets.bits.shape[1], sides), f"{score} of {reference}") / met.number
    if expected == "permute":
        # A set that is nowhere compared changes no digit.
        used = np.unique(np.concatenate(sides))
        every_set = np.eye(len(sets.members))[:, used]
        dealt = [met.total_by_set(every_set, side) / met.number[..., None] for side in order]
        chance = np.asarray(getattr(whole_sets(sets.membership[used], *dealt), score))
        # As many steps as there are sets, for every two annotators at once, would take too much memory.
        return mean_over_pairs(met.pairs(seen, chance), average)
    of_size = np.eye(int(sets.sizes.max(initial=0)) + 1)[sets.sizes]
    given = [met.total_by_set(np.hstack([members, of_size]), side, f"labels and sizes of {side}") for side in order]
    labels = [one[..., : members.shape[1]] for one in given]
    shares = [one[..., members.shape[1] :] / met.number[..., None] for one in given]
    # A simulation is no smooth function of the items, so inference, which weighs them, gets what it estimates.
    if expected == "simulate" and items.weighting is None:
        means = [
            simulate(
                *(one[place] for one in (*labels, *shares)),
                items=round(float(met.number[place])),
                simulations=simulations,
                rng=np.random.default_rng([seed, place]),
            )[0]
            for place in range(met.count)
        ]
        chance = np.array([float(getattr(one, score)) for one in means])
    else:
        chance = expected_score(score, *labels, *shares)
    return mean_over_pairs(met.pairs(seen, chance), average, blocks=True)


def _reference(data: Annotations, options: Mapping[str, Any]) -> list[str]:
    """Say who is the reference."""
    names = data.annotators or ()
    which = options["reference"]
    other = "second" if which == "first" else "first"
    if len(names) == 2:
        name = shown(names[0 if which == "first" else 1])
        return [f"The reference is {name}, the {which} annotator (the other way round with `reference` {other})."]
    return [f"In each pair the {which} annotator is the reference (the other way round with `reference` {other})."]


_WARNINGS = {("expected", "simulate"): _SIMULATED, ("expected", "permute"): _PERMUTED}


@measure(
    title="Boot-match",
    profiles=Ratings,
    scales=["nominal"],
    references=["marchal2022"],
    label_sets=True,
    warnings=_WARNINGS,
)
def boot_match(
    items: Ratings,
    agree: AgreementWeights,
    *,
    average: Average = "overlap",
    expected: Expected = "exact",
    simulations: Simulations = 1000,
    seed: Seed = 0,
) -> Components:
    """Agreement of two annotators on at least one label of each item, beyond what their sets would give by chance.

    Observed agreement is the share of items on which the two sets have a label in common (or are both empty). By chance each
    annotator would draw, for each item, a set size from their own and then so many different labels, one after the other,
    from their own. ``expected="exact"`` computes what that gives, ``"simulate"`` simulates it as the paper does, and
    ``"permute"`` deals out whole sets instead. An annotator who gives more labels agrees more often by luck, and here that
    is taken away. For more than two annotators it is the mean over all pairs.

    When to use
    -----------
    Several labels can be true, one of them is kept, and values shall be compared between data sets with more and with fewer
    labels per item.

    Not when
    --------
    All labels of an item matter: boot-f1 also asks for the others.

    References
    ----------
    Marchal, M., Scholman, M., Yung, F. and Demberg, V. (2022). Establishing annotation quality in multi-label annotations.
    COLING 2022, 3659-3668. https://aclanthology.org/2022.coling-1.322

    Examples
    --------
    >>> import polars as pl
    >>> import assent
    >>> frame = pl.DataFrame(
    ...     {"item": [1, 1, 2, 2, 3, 3], "annotator": ["c1", "c2"] * 3, "label": ["A", "A;B", "A;B", "B;C", "A;B", "C"]}
    ... )
    >>> result = assent.boot_match(assent.Annotations.from_frame(frame, separator=";"))
    >>> round(result.observed, 3), round(result.expected, 3)
    (0.667, 0.739)
    """
    return _boot(items, "match", average=average, expected=expected, simulations=simulations, seed=seed)


@measure(
    title="Boot-F1",
    profiles=Ratings,
    scales=["nominal"],
    references=["marchal2022"],
    label_sets=True,
    warnings=_WARNINGS,
)
def boot_f1(
    items: Ratings,
    agree: AgreementWeights,
    *,
    average: Average = "overlap",
    expected: Expected = "exact",
    simulations: Simulations = 1000,
    seed: Seed = 0,
) -> Components:
    """Agreement of two annotators on all labels of each item, beyond what their sets would give by chance.

    Observed agreement is the mean over items of F1: twice the labels in common over the labels of both. It is the same
    whichever annotator is taken as the reference. Chance is that of boot-match. For more than two annotators it is the mean over
    all pairs.

    When to use
    -----------
    Several labels can be true and all of them matter.

    Not when
    --------
    One label per item is kept in the end: boot-match. One annotator is a gold standard: boot-precision and boot-recall tell
    what is wrong from what is missing.

    References
    ----------
    Marchal, M., Scholman, M., Yung, F. and Demberg, V. (2022). Establishing annotation quality in multi-label annotations.
    COLING 2022, 3659-3668. https://aclanthology.org/2022.coling-1.322

    Examples
    --------
    >>> import assent
    >>> round(assent.boot_f1([["a", "a"], ["b", "b"], ["a", "b"]]).value, 3)  # single labels: Cohen's kappa
    0.4
    """
    return _boot(items, "f1", average=average, expected=expected, simulations=simulations, seed=seed)


@measure(
    title="Boot-precision",
    profiles=Ratings,
    scales=["nominal"],
    references=["marchal2022"],
    label_sets=True,
    warnings=_WARNINGS,
    remarks=_reference,
)
def boot_precision(
    items: Ratings,
    agree: AgreementWeights,
    *,
    average: Average = "overlap",
    expected: Expected = "exact",
    reference: Reference = "first",
    simulations: Simulations = 1000,
    seed: Seed = 0,
) -> Components:
    """How much of what an annotator says the reference says too, beyond what their sets would give by chance.

    Observed agreement is the mean over items of the labels in common over the labels of the annotator who is not the
    reference. The ``reference`` is the first annotator (in the order of their names) or the second; chance is that
    of boot-match. For more than two annotators it is the mean over all pairs.

    When to use
    -----------
    One annotator is a gold standard, such as an expert or the labels of a model are judged by: low precision is labels too
    many.

    Not when
    --------
    Neither annotator is better than the other: boot-f1.

    References
    ----------
    Marchal, M., Scholman, M., Yung, F. and Demberg, V. (2022). Establishing annotation quality in multi-label annotations.
    COLING 2022, 3659-3668. https://aclanthology.org/2022.coling-1.322

    Examples
    --------
    >>> import assent
    >>> assent.boot_precision([["a", "a"], ["b", "b"], ["a", "b"]]).notes
    ('The reference is "1", the first annotator (the other way round with `reference` second).',)
    """
    return _boot(
        items,
        "precision",
        average=average,
        expected=expected,
        simulations=simulations,
        seed=seed,
        reference=reference,
    )


@measure(
    title="Boot-recall",
    profiles=Ratings,
    scales=["nominal"],
    references=["marchal2022"],
    label_sets=True,
    warnings=_WARNINGS,
    remarks=_reference,
)
def boot_recall(
    items: Ratings,
    agree: AgreementWeights,
    *,
    average: Average = "overlap",
    expected: Expected = "exact",
    reference: Reference = "first",
    simulations: Simulations = 1000,
    seed: Seed = 0,
) -> Components:
    """How much of what the reference says an annotator says too, beyond what their sets would give by chance.

    Observed agreement is the mean over items of the labels in common over the labels of the reference. The ``reference`` is
    the first annotator (in the order of their names) or the second; chance is that of boot-match. For more than two
    annotators it is the mean over all pairs.

    When to use
    -----------
    One annotator is a gold standard: low recall is labels that are missing.

    Not when
    --------
    Neither annotator is better than the other: boot-f1.

    References
    ----------
    Marchal, M., Scholman, M., Yung, F. and Demberg, V. (2022). Establishing annotation quality in multi-label annotations.
    COLING 2022, 3659-3668. https://aclanthology.org/2022.coling-1.322

    Examples
    --------
    >>> import assent
    >>> round(assent.boot_recall([["a", "a"], ["b", "b"], ["a", "b"]]).value, 3)  # single labels: Cohen's kappa
    0.4
    """
    return _boot(
        items,
        "recall",
        average=average,
        expected=expected,
        simulations=simulations,
        seed=seed,
        reference=reference,
    )
