"""Nørregaard and Derczynski (2022), Sparse Probability of Agreement: its experiments, and what it could not show.

The paper weighs items by their number of annotations in six ways and asks which of them makes the estimate vary least.
Figures 4 and 5 are the weights, figure 6 is the variance against the number of annotations, figure 7 and Table 1 compare
the schemes on four data sets. Those cannot be shipped, so data sets of the published shapes are simulated, at three
levels of agreement since the paper does not say how far its annotators agreed; data of the user are taken as they are.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assent.measures.spa import SCHEMES
from studies import Progress, StudyFinding, StudyResult, part, settings
from studies.spa2022.arrivals import Arrivals, arrive, constant_variance, rounds_for, whole_variance
from studies.spa2022.drawing import draw_class_weights, draw_per_item, draw_schemes, draw_variance, draw_weights
from studies.spa2022.items import Items, from_annotations, from_file, simulated
from studies.spa2022.judging import judge_own, judge_simulated, judge_weights, per_item
from studies.spa2022.paper import SHAPES
from studies.spa2022.tables import tables
from studies.spa2022.weights import class_weights, edges_error

if TYPE_CHECKING:
    import altair

    from assent.data import Annotations

__all__ = ["run"]

TITLE = "Sparse probability of agreement (Nørregaard & Derczynski 2022), run again"
#: Agreement beyond chance of the simulated data sets, Krippendorff's alpha.
LEVELS = (0.2, 0.5, 0.8)
#: What may be spent on a data set, about annotations times rounds.
WORK = 4e8
#: The quick run has this many rounds at most, and this many times fewer items.
QUICK_ROUNDS, QUICK_SHRINK = 100, 10
#: Numbers of labels of figure 4.
LABELS = (2, 3, 4, 5, 6, 7)


def run(
    *,
    seed: int = 1,
    quick: bool = False,
    progress: Progress | None = None,
    data: Sequence[str | os.PathLike[str] | Annotations] = (),
) -> StudyResult:
    """Run the experiments of the paper.

    Parameters
    ----------
    seed : int
    quick : bool
        Data sets with a tenth of the items, and fewer rounds.
    progress : callable, optional
    data : sequence of paths or Annotations
        Tables of labels to run the same experiment on.
    """
    own: list[Items] = []
    for number, table in enumerate(data, start=1):
        if isinstance(table, str | os.PathLike):
            own.append(from_file(table, [one.name for one in own]))
        else:
            own.append(from_annotations(table, f"data {number}"))
    # A generator for each part: what one draws does not change the digits of the others.
    first, *rngs = np.random.default_rng(seed).spawn(1 + len(SHAPES) + len(own))
    part(progress, 0.0, 0.03)(0.0, "weights")
    sampled = class_weights(first)
    shrink = QUICK_SHRINK if quick else 1
    made = [
        [simulated(shape, alpha, rng, shrink=shrink) for alpha in LEVELS]
        for shape, rng in zip(SHAPES, rngs, strict=False)
    ]
    # Data of the user come first: if they cannot be used, that is said at once.
    theirs = _arrivals([[one] for one in own], rngs[len(SHAPES) :], quick, part(progress, 0.03, 0.1))
    ours = _arrivals(made, rngs[: len(SHAPES)], quick, part(progress, 0.1 if own else 0.03, 0.97))
    arrivals = [*ours, *theirs]
    findings = [*judge_weights(edges_error(), sampled), *judge_simulated(ours), *(judge_own(theirs) if theirs else [])]
    part(progress, 0.97, 1.0)(0.0, "figures")
    variances, designs = _variance_curves(arrivals), _per_item_curves(arrivals)
    charts: dict[str, altair.TopLevelMixin] = {
        "weights": draw_weights(LABELS),
        "class-weights": draw_class_weights(sampled),
        **_draw(ours, variances, designs, LEVELS[len(LEVELS) // 2], "simulated data sets"),
    }
    if theirs:
        charts |= {f"own-{name}": chart for name, chart in _draw(theirs, variances, designs, None, "your data").items()}
    part(progress, 0.97, 1.0)(1.0, "done")
    return StudyResult(
        name="spa2022",
        title=TITLE,
        sentences=_sentences(findings, ours, quick),
        findings=findings,
        tables=tables(arrivals, variances, designs),
        charts=charts,
        settings=settings(seed=seed, quick=quick, data=[one.name for one in own]),
    )


def _arrivals(
    shapes: Sequence[Sequence[Items]], rngs: Sequence[np.random.Generator], quick: bool, progress: Progress
) -> list[Arrivals]:
    """Let the annotations of every data set arrive; progress goes by the work each takes."""
    rounds = [min(rounds_for(sets[0], WORK), QUICK_ROUNDS) if quick else rounds_for(sets[0], WORK) for sets in shapes]
    work = [sets[0].n_annotations * count for sets, count in zip(shapes, rounds, strict=True)]
    done: list[Arrivals] = []
    for i, (sets, count, rng) in enumerate(zip(shapes, rounds, rngs, strict=True)):
        stretch = part(progress, sum(work[:i]) / sum(work), sum(work[: i + 1]) / sum(work))
        done += arrive(sets, count, rng, stretch)
    return done


def _variance_curves(arrivals: Sequence[Arrivals]) -> list[dict[str, Any]]:
    """Figure 6: exact variances with a fixed number of annotations per item, and those of annotations anywhere."""
    curves = []
    flat = SCHEMES.index("flat")
    for one in arrivals:
        lines = [(count, constant_variance(one.items, count, one.usable / count)) for count in per_item(one)]
        for count, variance in [*lines, (None, one.variance[:, flat])]:
            curves += [
                {**_case(one), "per_item": count, "annotations": float(x), "variance": float(y)}
                for x, y in zip(one.usable, variance, strict=True)
                if y > 0
            ]
    return curves


def _per_item_curves(arrivals: Sequence[Arrivals]) -> list[dict[str, Any]]:
    """Return exact variances by annotations per item, for one number of annotations on few of many items."""
    curves = []
    for one in arrivals:
        most = max(per_item(one))
        variance = whole_variance(one.items, most) * np.arange(2, most + 1)
        curves += [
            {**_case(one), "per_item": count, "ratio": float(value / variance[0])}
            for count, value in enumerate(variance, start=2)
            # Items that all agree as much have no variance to compare.
            if variance[0] > 0
        ]
    return curves


def _case(one: Arrivals) -> dict[str, Any]:
    return {"data set": one.items.name, "alpha": one.items.alpha}


def _draw(
    arrivals: Sequence[Arrivals],
    variances: Sequence[Mapping[str, Any]],
    designs: Sequence[Mapping[str, Any]],
    level: float | None,
    what: str,
) -> dict[str, altair.TopLevelMixin]:
    """Draw the figures of some data sets: simulated ones, or the user's, which have no level of agreement."""
    at = what if level is None else f"{what}, α = {level:g}"
    here = [one for one in designs if (one["alpha"] is None) == (level is None)]
    charts = {
        "variance": draw_variance([one for one in variances if one["alpha"] == level], f"{at}; both axes logarithmic"),
        "per-item": draw_per_item(here, f"{what}; the same number of annotations, spread over fewer items")
        if here
        else None,
        "schemes": draw_schemes(arrivals, f"{what}; below 0 is better than flat; inv-var (dashes) lies on edges"),
    }
    return {name: chart for name, chart in charts.items() if chart is not None}


def _sentences(findings: Sequence[StudyFinding], arrivals: Sequence[Arrivals], quick: bool) -> list[str]:
    """Say how many findings hold, what can be proved, and what was done."""
    number = {verdict: sum(one.holds is verdict for one in findings) for verdict in (True, False, None)}
    rounds = sorted({one.rounds for one in arrivals})
    drawn = f"{rounds[0]:,}" if len(rounds) == 1 else f"{rounds[0]:,} to {rounds[-1]:,}"
    small = " This quick run has a tenth of the items and is rough." if quick else ""
    return [
        f"Of {len(findings)} findings: {number[True]} hold here, {number[False]} not, {number[None]} undecided.",
        "Why inv-var is edges. Let s2 and s3 be the sums of the squared and of the cubed label probabilities. The agreement of an item "
        "with n annotations is a mean over pairs, and its variance is 2 / (n (n - 1)) × (2 (n - 2) (s3 - s2²) + s2 - s2²), which "
        "equals the double sums of the paper's equations 41 and 50. With C equally likely labels s2 = 1/C and s3 = 1/C², so "
        "s3 - s2² = 0 and the variance is (1/C) (1 - 1/C) divided by the number of pairs. For every C one over it is the number of "
        "pairs times a constant, and constants drop out of a weighted mean. (Equation 20 of the paper has misprints; 41 is right.)",
        "Why inv-var-class lies between annotations and edges. With ρ = 2 (s3 - s2²) / (s2 - s2²) the weight is proportional to "
        "n (n - 1) / (1 + ρ (n - 2)). For ρ = 0 this is edges, for ρ = 1 it is n, the number of annotations. That ρ, the lean, is never "
        "outside 0 to 1 is Hoeffding's inequality between the parts of the variance of a mean over pairs (1948). It is 0 for "
        "equally frequent labels and nears 1 when one label takes all.",
        "The data. The paper's four data sets are not shipped. The numbers of items and of labels and the range of annotations "
        "per item are theirs; within the range items are spread evenly unless the paper says more. How far annotators agreed and how "
        "frequent the labels were it does not say, so each data set is simulated at three levels of agreement (Krippendorff's alpha "
        "0.2, 0.5 and 0.8): every item has label probabilities of its own, drawn from a Dirichlet distribution around shares that "
        "fall as 1, 1/2, 1/3, …",
        "The experiment. Annotations of a data set arrive one by one in random order; when 10 %, 20 %, … 90 % are there, SPA is "
        f"computed by every scheme from the items that have two or more. This is repeated in {drawn} rounds (3,000 in the paper, which does "
        "not say at which numbers of annotations), and the variance of SPA over rounds is compared. Simulation errors take into account "
        f"that all schemes see the same rounds; after ± stand two of them.{small}",
    ]
