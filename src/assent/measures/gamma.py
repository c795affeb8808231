"""Gamma: agreement on where units are and what they are, by the best alignment of all annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from assent.measures._gamma_sums import GammaSums
from assent.measures.components import Components
from assent.measures.registry import measure
from assent.registry import Takes, number
from assent.text import counted

if TYPE_CHECKING:
    from assent.data import Spans

__all__ = ["gamma", "gamma_cat"]

PositionWeight = Annotated[
    float,
    number(
        "position_weight",
        least=1e-6,
        must="be above 0",
        help="What a difference of places counts (alpha of the paper); a unit without a partner counts 1.",
        values="a number above 0",
    ),
]
LabelWeight = Annotated[
    float,
    number(
        "label_weight",
        least=0.0,
        must="be at least 0",
        help="What a difference of labels counts (beta of the paper).",
        values="a number from 0",
    ),
]
Expected = Annotated[
    Literal["shuffle", "statistical"],
    Takes(help="Chance: annotators at random whose units are moved round, or units drawn from normal distributions."),
]
Shift = Annotated[
    Literal["mean", "half", "none"],
    Takes(
        help="How far apart annotators are moved at least if expected is shuffle: a mean unit (the paper), half of one (other "
        "programs), or any distance."
    ),
]
Samples = Annotated[
    int,
    number("samples", least=2, whole=True, must="be at least 2", help="Chance samples of each document.", values="2 or more"),
]  # fmt: skip
Seed = Annotated[
    int,
    number("seed", least=0, whole=True, must="be at least 0", help="Seed of the samples: the same seed, the same digits."),
]  # fmt: skip

MODELS = {
    "shuffle": "in place of each annotator stands one drawn at random, all of whose spans are moved by the same distance, round {}{}",
    "statistical": "numbers of spans, gaps (the first from the beginning of {}) and lengths are drawn from normal distributions, labels by "
    "frequency",
}
APART = {
    "mean": "; two distances are at least a mean span apart where there is room",
    "half": "; two distances are at least half a mean span apart where there is room",
    "none": "",
}


def _remarks(data: Spans, options: Mapping[str, Any]) -> Sequence[str]:
    known = sum(name in data.lengths for name in data.documents)
    if known == len(data.documents):
        where = "the document"
    elif known:
        where = "the document, or where its length is not known from the first span to the last"
    else:
        where = "the part from the first span to the last, as lengths are not known"
    said = [
        f"Expected by chance in {counted(options['samples'], 'sample')} of each document (seed {options['seed']}): "
        f"{MODELS[options['expected']].format(where, APART[options['shift']])}.",
        f"A difference of places counts {options['position_weight']:g}, of labels {options['label_weight']:g}: another choice, or another "
        "model of chance, gives another value, so quote them with it.",
    ]
    if data.fragments is not None:
        said.append("Spans in several parts count from their first part to their last.")
    return said


@measure(
    title="Gamma",
    kind="spans",
    profiles=GammaSums,
    scales=["nominal"],
    references=["mathet2015"],
    graded=False,
    remarks=_remarks,
)
def gamma(
    items: GammaSums,
    *,
    position_weight: PositionWeight = 1.0,
    label_weight: LabelWeight = 1.0,
    expected: Expected = "shuffle",
    shift: Shift = "mean",
    samples: Samples = 100,
    seed: Seed = 0,
) -> Components:
    """Agreement beyond chance on where units are and what they are, for any number of annotators.

    The units of all annotators are put into groups of at most one unit of each, so that what is grouped is as alike as possible: the
    best alignment. Two units are as unlike as their places, ``((|start - start| + |end - end|) / (length + length))**2`` times
    ``position_weight``, and their labels, 0 or ``label_weight``; a unit without a partner counts 1. A group costs the mean over all pairs
    of annotators. Gamma is one minus the cost of the best alignment over what it costs by chance; a corpus adds up both over documents.
    The best alignment is exact: where it cannot be found, gamma is refused and never approximated. What chance costs has no formula:
    it is the mean over samples, and the standard error that comes from drawing them is in the details and part of the interval, in which
    documents are drawn anew and what they cost by chance is kept. Observed and expected are shown as agreement: one minus the cost over
    that of aligning nothing.

    When to use
    -----------
    Units may overlap, nest, or have several labels; places are vague and labels matter too: arguments, discourse, gestures, passages
    of text. Quote it with the weights, the model of chance and the number of samples, and span-f1 beside it.

    Not when
    --------
    Only exact spans count: span-f1. The amount of text matters, not the units: alpha-u. A value alone says little: there is no scale on
    which .6 is good, and short documents leave few places to be wrong. An annotator who marked nothing makes a document as bad as it can
    be, whatever the others did.

    References
    ----------
    Mathet, Y., Widlöcher, A. and Métivier, J.-P. (2015). The unified and holistic method gamma (γ) for inter-annotator agreement measure
    and alignment. Computational Linguistics 41(3), 437-479. https://doi.org/10.1162/COLI_a_00227

    Examples
    --------
    >>> import assent
    >>> data = assent.Spans.from_rows(
    ...     [
    ...         ("d1", "ada", 0, 4, "PER"),
    ...         ("d1", "ada", 9, 15, "LOC"),
    ...         ("d1", "ben", 0, 4, "PER"),
    ...         ("d1", "ben", 9, 12, "LOC"),
    ...     ],
    ...     lengths={"d1": 60},
    ... )
    >>> found = assent.gamma(data, seed=1)
    >>> round(found.details["observed_disorder"], 4), found.value > 0.9
    (0.0556, True)
    """
    sums = items.sums()
    cost, chance, units = sums["cost"], sums["chance"], sums["units"]
    drawn = cost / chance**2 * np.sqrt(sums["chance_variance"])
    return Components(
        observed=1.0 - cost / units,
        expected=1.0 - chance / units,
        drawing_error=drawn,
        details={
            "observed_disorder": cost / sums["mean_units"],
            "expected_disorder": chance / sums["mean_units"],
            "monte_carlo_error": drawn,
            "groups": sums["groups"],
        },
    )


@measure(
    title="Gamma-cat",
    kind="spans",
    profiles=GammaSums,
    scales=["nominal"],
    references=["mathet2017"],
    graded=False,
    remarks=_remarks,
)
def gamma_cat(
    items: GammaSums,
    *,
    position_weight: PositionWeight = 1.0,
    label_weight: LabelWeight = 1.0,
    expected: Expected = "shuffle",
    shift: Shift = "mean",
    samples: Samples = 100,
    seed: Seed = 0,
) -> Components:
    """Agreement beyond chance on the labels of units that gamma aligns.

    Every two units that the best alignment puts together are compared: how often their labels differ, nearer pairs counting more
    (one minus the difference of places, over the number of partners), over the same for samples made by chance. A corpus, and the
    samples, add up what differs and what pairs weigh before dividing. Where several alignments are equally good, it depends on
    which of them is taken.

    When to use
    -----------
    Beside gamma, to see whether labels are the trouble, where places seldom agree exactly.

    Not when
    --------
    Most places agree exactly: span-label-alpha, which needs no chance model of places. Alone: it says nothing about units that have no
    partner.

    References
    ----------
    Mathet, Y. (2017). The agreement measure γcat: a complement to γ focused on categorization of a continuum. Computational Linguistics
    43(3), 661-681. https://doi.org/10.1162/COLI_a_00296

    Examples
    --------
    >>> import assent
    >>> data = assent.Spans.from_rows(
    ...     [
    ...         ("d1", "ada", 0, 4, "PER"),
    ...         ("d1", "ada", 9, 15, "LOC"),
    ...         ("d1", "ben", 0, 4, "PER"),
    ...         ("d1", "ben", 9, 12, "PER"),
    ...     ]
    ... )
    >>> round(assent.gamma_cat(data).details["observed_disorder"], 4)
    0.4706
    """
    sums = items.sums()
    observed = sums["apart"] / sums["weight"]
    weight = sums["chance_weight"]
    chance = sums["chance_apart"] / weight
    spread = sums["apart_variance"] - 2.0 * chance * sums["covariance"] + chance**2 * sums["weight_variance"]
    drawn = observed / chance**2 * np.sqrt(np.maximum(np.real(spread), 0.0)) / weight
    return Components(
        observed=1.0 - observed,
        expected=1.0 - chance,
        drawing_error=drawn,
        details={"observed_disorder": observed, "expected_disorder": chance, "monte_carlo_error": drawn},
    )
