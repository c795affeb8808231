"""Marchal et al. (2022), Establishing annotation quality in multi-label annotations: its simulations, run again.

Figure 1 shows six measures of data sets with more and more double labels, at three levels of agreement. Sections 5.1 and 5.2 say
what changes with ten categories and with uneven ones. The paper simulates the agreement expected by chance; here it is exact.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from studies import Progress, StudyResult, StudyTable, part, settings
from studies.marchal2022.drawing import draw_setting
from studies.marchal2022.judging import judge
from studies.marchal2022.numbers import NUMBERS, Results
from studies.marchal2022.simulating import (
    AGREEMENT,
    DOUBLE,
    MEASURES,
    SETTINGS,
    Cell,
    Design,
    measured,
)

__all__ = ["run"]

TITLE = "Agreement on several labels per item (Marchal et al. 2022), run again"
#: Data sets of each kind: four times as many as in the paper, which halves the noise, or enough to see the same.
DATA_SETS, QUICK = 400, 20
PARTS = ("observed", "expected", "adjusted")
CHARTS = ("figure-1", "ten-categories", "uneven-categories", "uneven-alike")


def run(*, seed: int = 1, quick: bool = False, progress: Progress | None = None) -> StudyResult:
    """Run the simulations of the paper.

    Parameters
    ----------
    seed : int
    quick : bool
        20 data sets of each kind instead of 400.
    progress : callable, optional
    """
    data_sets = QUICK if quick else DATA_SETS
    designs = [Design(setting, a, d) for setting in SETTINGS for a in AGREEMENT for d in DOUBLE]
    designs.append(Design(SETTINGS[0], AGREEMENT[-1], DOUBLE[1], together=True))
    told = part(progress, 0.0, 0.98)
    results: dict[Design, Mapping[str, Cell]] = {}
    for i, (design, rng) in enumerate(zip(designs, np.random.default_rng(seed).spawn(len(designs)), strict=True)):
        told(i / len(designs), design.setting.name)
        results[design] = measured(design, data_sets, rng)
    part(progress, 0.98, 1.0)(0.5, "figures")
    charts = {name: draw_setting(results, setting) for name, setting in zip(CHARTS, SETTINGS, strict=True)}
    findings = judge(results, results[designs[-1]])
    part(progress, 0.98, 1.0)(1.0, "done")
    return StudyResult(
        name="marchal2022",
        title=TITLE,
        sentences=_sentences(data_sets, sum(bool(one.holds) for one in findings), len(findings)),
        findings=findings,
        tables=[_numbers(results), _adjusted(results), _cells(results)],
        charts=charts,
        settings=settings(seed=seed, quick=quick, data_sets=data_sets),
    )


def _sentences(data_sets: int, holding: int, statements: int) -> list[str]:
    return [
        f"Two coders give each of 100 items one label or two. {data_sets} data sets of each kind were drawn and measured with the six "
        f"measures of the paper (which drew 100); {holding} of its {statements} statements hold.",
        "The text is read so: the share of items on which the coders' sets intersect is fixed at 60, 75 or 90%. Each coder gives each "
        "item two labels with probability 0 to 100%, independently of the other. Where they intersect, one label is drawn for both, and "
        "each one's second label from the other categories. Elsewhere one coder, either of them, draws a set, and the other draws from "
        "the categories left.",
        "The paper bootstraps expected agreement with 100 simulations per data set; here it is computed exactly, which changes no mean "
        "and takes away noise. It does not say how uneven its categories are in section 5.2: ours are drawn with 1/2, 1/4, 1/8, 1/16 "
        "and 1/16. Second labels are drawn by the same shares, or, as a second reading, all alike.",
    ]


def _numbers(results: Results) -> StudyTable:
    """List every number of the text beside ours."""
    ours = [number.ours(results) for number in NUMBERS]
    return StudyTable(
        name="numbers",
        caption="Every number that the text states of its simulations, and ours with its standard error.",
        columns={
            "measure": [number.measure for number in NUMBERS],
            "part": [number.part for number in NUMBERS],
            "categories": [number.categories for number in NUMBERS],
            "agreement": [number.agreement for number in NUMBERS],
            "double labels": [number.double for number in NUMBERS],
            "paper": [number.paper for number in NUMBERS],
            "ours": [value for value, _ in ours],
            "error": [error for _, error in ours],
            "difference": [value - number.paper for number, (value, _) in zip(NUMBERS, ours, strict=True)],
            "agrees": [number.agrees(results) for number in NUMBERS],
        },
        decimals=4,
    )


def _adjusted(results: Results) -> StudyTable:
    """Show the adjusted agreement of figure 1."""
    rows = [(name, agreement) for name in MEASURES for agreement in AGREEMENT]
    return StudyTable(
        name="adjusted",
        caption="Adjusted agreement with 5 equal categories, by intersection agreement and share of double labels (figure 1).",
        columns={
            "measure": [name for name, _ in rows],
            "agreement": [f"{agreement:.0%}" for _, agreement in rows],
            **{
                f"{double:.0%} double": [
                    results[Design(SETTINGS[0], agreement, double)][name].mean("adjusted") for name, agreement in rows
                ]
                for double in DOUBLE
            },
        },
        decimals=2,
    )


def _cells(results: Results) -> StudyTable:
    """Collect everything that was measured."""
    rows = [(design, name, cells[name]) for design, cells in results.items() for name in MEASURES]
    return StudyTable(
        name="all",
        caption="Means over data sets of everything that was measured, with their standard errors.",
        columns={
            "setting": [design.setting.name for design, _, _ in rows],
            "together": [design.together for design, _, _ in rows],
            "measure": [name for _, name, _ in rows],
            "agreement": [design.agreement for design, _, _ in rows],
            "double": [design.double for design, _, _ in rows],
            **{one: [cell.mean(one) for _, _, cell in rows] for one in PARTS},
            **{f"{one}_error": [cell.error(one) for _, _, cell in rows] for one in PARTS},
        },
        printed=False,
    )
