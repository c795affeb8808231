"""What the paper says of its simulations (sections 5, 5.1 and 5.2), and what our numbers say to it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from studies import StudyFinding
from studies.marchal2022.numbers import (
    ALIKE,
    EQUAL,
    ERRORS,
    FIVE_CATEGORIES,
    HIGH_ALL_DOUBLE,
    MEDIUM_ALL_DOUBLE,
    NO_DOUBLE,
    QUARTER_DOUBLE,
    ROUNDING,
    SOFT_MATCH,
    TEN,
    TEN_CATEGORIES,
    UNEVEN,
    Drift,
    Results,
    Table,
)
from studies.marchal2022.simulating import AGREEMENT, DOUBLE, MEASURES, Cell

__all__ = ["judge"]

#: Values nearer than this are called comparable or the same.
COMPARABLE = 0.03
#: Sums of the same numbers in another order.
EXACT = 1e-9


def judge(results: Results, other: Mapping[str, Cell]) -> list[StudyFinding]:
    """Judge every statement; `other` is the 90% and a quarter of double labels of the other reading."""
    table = Table(results)
    return [
        *_single(table),
        *_soft_match(table),
        *_augmented(table),
        _unexplained(results, other),
        *_boot_match(table),
        *_overlap(table),
        *_categories(table),
        *_entropy(table),
    ]


def _single(table: Table) -> list[StudyFinding]:
    values = np.array([table(EQUAL, measure, "adjusted")[:, 0] for measure in MEASURES])
    apart = float(np.ptp(values, axis=0).max())
    near = all(number.agrees(table.results) for number in NO_DOUBLE)
    return [
        StudyFinding(
            statement="Without double labels all measures are the same.",
            paper="Adjusted agreement is 0.50, 0.69 and 0.87 for 60, 75 and 90% intersection agreement.",
            ours=f"{_listed(values[0])}; the six measures differ {_by(apart)}.",
            holds=bool(apart < EXACT and near),
            why="Holds if they differ by rounding alone and the values are the paper's, within rounding and simulation error. Each is "
            "Cohen's kappa then.",
        )
    ]


def _soft_match(table: Table) -> list[StudyFinding]:
    observed, expected = (table(EQUAL, "soft-match", part) for part in ("observed", "expected"))
    change, error = table.drift(EQUAL, "soft-match", "adjusted")
    mean, _ = SOFT_MATCH.ours(table.results)
    return [
        StudyFinding(
            statement="Soft match does not see double labels: observed, expected and adjusted agreement stay the same.",
            paper="Expected agreement is 0.21 across all data sets; the adjusted one is constant.",
            ours=f"Observed differs {_by(np.ptp(observed, axis=1).max())}; expected is {mean:.3f} on average, from "
            f"{expected.min():.3f} to {expected.max():.3f}; adjusted changes by at most {np.abs(change).max():.3f} from no double "
            "labels to all.",
            holds=bool(
                np.ptp(observed, axis=1).max() < EXACT
                and (np.abs(change) <= ERRORS * error + ROUNDING).all()
                and SOFT_MATCH.agrees(table.results)
            ),
            why="Holds if observed agreement is the same, adjusted agreement changes by less than rounding and error, and the mean "
            "expected agreement is the paper's within rounding and error. It is a little above 1/5 because coders who agree have "
            "the same accidents in their label shares.",
        )
    ]


def _augmented(table: Table) -> list[StudyFinding]:
    observed, expected, adjusted = (table(EQUAL, "augmented", part) for part in ("observed", "expected", "adjusted"))
    drop = observed[:, 0] - observed[:, 1]
    gain = adjusted[-1] - adjusted[0]
    change, _ = table.drift(EQUAL, "augmented", "expected")
    return [
        StudyFinding(
            statement="Augmented kappa counts every second label as disagreement; its expected agreement stays the same.",
            paper="Expected agreement is constant; observed agreement falls, considerably already at a quarter of double labels.",
            ours=f"Expected from {expected.min():.3f} to {expected.max():.3f}. Observed falls at every step, by {_listed(drop)} for the "
            "first quarter.",
            holds=bool(
                (np.abs(change) < COMPARABLE).all() and (np.diff(observed, axis=1) < 0).all() and (drop > 0.1).all()
            ),
            why=f"Holds if expected agreement changes by less than {COMPARABLE}, observed falls at every step, and by more than 0.1 at "
            "the first.",
        ),
        StudyFinding(
            statement="Augmented kappa stays low where coders agree more.",
            paper="The adjusted agreement barely increases when the agreement is higher.",
            ours=f"From 60 to 90% agreement it gains {_listed(gain)} for 0, 25, 50, 75 and 100% double labels.",
            holds=bool((gain[1:] < gain[0] / 2).all()),
            why="Holds if with double labels the gain is always less than half of that without. The more double labels, the smaller the "
            "gain; with a quarter of them it is still most of what it is without.",
        ),
    ]


def _unexplained(results: Results, other: Mapping[str, Cell]) -> StudyFinding:
    ours, error = QUARTER_DOUBLE.ours(results)
    return StudyFinding(
        statement="Augmented kappa is 0.49 for 90% intersection agreement and a quarter of double labels.",
        paper="Even when the intersection agreement is 90% and only a quarter of the items contain double labels, it is 0.49.",
        ours=f"{ours:.3f} (± {error:.3f}); {other['augmented'].mean('adjusted'):.3f} if both coders give two labels to the same items.",
        holds=QUARTER_DOUBLE.agrees(results),
        why="Does not follow from the text. With d = 1/4 observed agreement is 0.9 ((1-d)² + d(1-d) + 5/16 d²) = 0.69, which "
        "is 0.61 beyond a chance of 0.2. 0.49 would take about 39% double labels, or an intersection agreement of 77%.",
    )


def _boot_match(table: Table) -> list[StudyFinding]:
    same = float(np.abs(table(EQUAL, "boot-match", "observed") - table(EQUAL, "soft-match", "observed")).max())
    expected, adjusted = table(EQUAL, "boot-match", "expected"), table(EQUAL, "boot-match", "adjusted")
    error = table.error(EQUAL, "boot-match", "adjusted")[0, -1]
    return [
        StudyFinding(
            statement="Boot-match expects more agreement the more double labels there are.",
            paper="Observed agreement is that of soft match; expected agreement rises from 0.20 to 0.70.",
            ours=f"Observed differs from soft match {_by(same)}; expected rises at every step, from {expected[:, 0].mean():.3f} to "
            f"{expected[:, -1].mean():.3f}.",
            holds=bool(
                same < EXACT
                and (np.diff(expected, axis=1) > 0).all()
                and all(one.agrees(table.results) for one in FIVE_CATEGORIES)
            ),
            why="Holds if it rises at every step between the paper's numbers, within rounding and error. The second is 1 - C(3,2) / C(5,2): "
            "two different labels each.",
        ),
        StudyFinding(
            statement="With double labels everywhere, low agreement is worse than chance.",
            paper="The adjusted agreement is negative at 60% when all labels are double.",
            ours=f"{adjusted[0, -1]:.3f} (± {error:.3f}).",
            holds=bool(adjusted[0, -1] + ERRORS * error < 0),
            why=f"Holds if it is negative by more than {ERRORS:.0f} standard errors.",
        ),
        StudyFinding(
            statement="90% with double labels everywhere is worth as much as 75% without.",
            paper="With five categories the two are comparable, at about 0.67.",
            ours=f"{adjusted[-1, -1]:.3f} and {adjusted[1, 0]:.3f}.",
            holds=bool(abs(adjusted[-1, -1] - adjusted[1, 0]) < COMPARABLE and HIGH_ALL_DOUBLE.agrees(table.results)),
            why=f"Holds if they differ by less than {COMPARABLE} and the first is the paper's number.",
        ),
    ]


def _overlap(table: Table) -> list[StudyFinding]:
    observed, expected = table(EQUAL, "boot-F1", "observed"), table(EQUAL, "boot-F1", "expected")
    beyond = [table(EQUAL, "boot-F1", part) - table(EQUAL, "augmented", part) for part in ("observed", "adjusted")]
    sides = np.array(
        [
            table(EQUAL, name, "adjusted") - table(EQUAL, "boot-F1", "adjusted")
            for name in ("boot-precision", "boot-recall")
        ]
    )
    inner, outer = sides[:, :, 1:-1], sides[:, :, [0, -1]]
    below = beyond[1][:, 1:] < 0
    places = [
        f"{AGREEMENT[i]:.0%} with {DOUBLE[j + 1]:.0%} double labels" for i, j in zip(*np.nonzero(below), strict=True)
    ]
    where = f"; lower at {', '.join(places)}" if places else ""
    return [
        StudyFinding(
            statement="F1 without chance correction misleads: the more double labels, the lower it is and the more of it is chance.",
            paper="Observed F1 falls and expected F1 rises with the share of double labels.",
            ours=f"Observed falls at every step, at 90% from {observed[-1, 0]:.2f} to {observed[-1, -1]:.2f}; expected rises at every "
            f"step, from {expected[-1, 0]:.2f} to {expected[-1, -1]:.2f}.",
            holds=bool((np.diff(observed, axis=1) < 0).all() and (np.diff(expected, axis=1) > 0).all()),
            why="Holds if every step goes that way.",
        ),
        StudyFinding(
            statement="Boot-F1 is higher than augmented kappa.",
            paper="It is slightly higher across the data sets, since it rewards two common labels.",
            ours=f"With double labels observed F1 is higher by {beyond[0][:, 1:].min():.2f} to {beyond[0][:, 1:].max():.2f}, adjusted by "
            f"{beyond[1][:, 1:].min():+.2f} to {beyond[1][:, 1:].max():+.2f}{where}.",
            holds=bool((beyond[0][:, 1:] > 0).all() and not below.any()),
            why="Holds if observed and adjusted are higher wherever there are double labels.",
        ),
        StudyFinding(
            statement="Boot-precision and boot-recall are boot-F1 where no or all labels are double, and slightly higher between.",
            paper="Exactly the same in the no and fully double scenarios; often slightly higher in between.",
            ours=f"They differ {_by(np.abs(outer).max())} at both ends; between, adjusted ones are higher by {inner.min():+.3f} to {inner.max():+.3f}.",
            holds=bool(np.abs(outer).max() < EXACT and np.mean(inner > 0) > 0.5),
            why="Holds if they are the same up to rounding at both ends, and higher in most cases between.",
        ),
    ]


def _categories(table: Table) -> list[StudyFinding]:
    rises = table(TEN, "boot-match", "adjusted")[:, 0] - table(EQUAL, "boot-match", "adjusted")[:, 0]
    five, ten = (table.drift(setting, "boot-match", "expected")[0].mean() for setting in (EQUAL, TEN))
    lower = all((table(TEN, name, "expected") < table(EQUAL, name, "expected")).all() for name in MEASURES)
    return [
        StudyFinding(
            statement="From 5 to 10 categories adjusted agreement rises by 5 points.",
            paper="In a zero double-label scenario it increases 5 percentage points.",
            ours=f"By {_listed(100 * rises, '.1f')} points at 60, 75 and 90% agreement; {'all' if lower else 'not all'} measures expect less "
            "with 10 categories.",
            holds=bool((np.abs(100 * rises - 5) <= 1).all()),
            why="Holds if it is 5 points, give or take one, at every level of agreement. It is (1 - A) (1/0.8 - 1/0.9) for observed agreement "
            "A, so that 5 points are right for 60% alone.",
        ),
        StudyFinding(
            statement="With more categories double labels cost less.",
            paper="Expected boot-match rises from 0.11 to 0.38 with 10 categories, against 0.20 to 0.70 with 5.",
            ours=f"By {ten:.2f} against {five:.2f}.",
            holds=bool(ten < five and all(one.agrees(table.results) for one in TEN_CATEGORIES)),
            why="Holds if it rises less, between the paper's numbers. The second is 1 - C(8,2) / C(10,2).",
        ),
        StudyFinding(
            statement="75% agreement with double labels everywhere is worth far more with 10 categories than with 5.",
            paper="Adjusted boot-match is 0.60 against 0.17.",
            ours=f"{MEDIUM_ALL_DOUBLE[1].ours(table.results)[0]:.3f} against {MEDIUM_ALL_DOUBLE[0].ours(table.results)[0]:.3f}.",
            holds=all(one.agrees(table.results) for one in MEDIUM_ALL_DOUBLE),
            why="Holds if both are the paper's numbers, within rounding and error.",
        ),
    ]


def _entropy(table: Table) -> list[StudyFinding]:
    higher = [table(UNEVEN, name, "expected") - table(EQUAL, name, "expected") for name in MEASURES]
    falls = {name: table.drift(UNEVEN, name, "expected") for name in ("augmented", "soft-match")}
    gain, gain_error = table.drift(UNEVEN, "soft-match", "adjusted")
    gap = (table(UNEVEN, "soft-match", "expected") - table(UNEVEN, "augmented", "expected"))[:, 1:]
    other_gap = (table(ALIKE, "soft-match", "expected") - table(ALIKE, "augmented", "expected"))[:, 1:]
    costs = {
        (setting.name, name): table.drift(setting, name, "adjusted")
        for setting in (EQUAL, UNEVEN, ALIKE)
        for name in ("boot-F1", "boot-match")
    }
    return [
        StudyFinding(
            statement="Uneven categories raise the expected agreement of every measure.",
            paper="A distribution with lower entropy results in considerably higher expected agreement across all measures.",
            ours=f"Higher by {min(one.min() for one in higher):.2f} to {max(one.max() for one in higher):.2f} (entropy {UNEVEN.entropy:.2f} "
            f"against {EQUAL.entropy:.2f} nats).",
            holds=bool(all((one > 0).all() for one in higher)),
            why="Holds if it is higher for every measure, agreement and share of double labels.",
        ),
        StudyFinding(
            statement="With uneven categories augmented kappa and soft match expect less the more double labels there are.",
            paper="Their expected agreement is not constant, but decreases slightly.",
            ours="; ".join(f"{name} {_listed(fall, '+.3f')}" for name, (fall, _) in falls.items())
            + ", from no double labels to all.",
            holds=_negative(
                np.concatenate([fall for fall, _ in falls.values()]),
                np.concatenate([error for _, error in falls.values()]),
            ),
            why=f"Holds if it falls by more than {ERRORS:.0f} standard errors at every level of agreement: second labels are more even than "
            "first ones. At 90% agreement soft match keeps hardly any second label.",
        ),
        StudyFinding(
            statement="With uneven categories soft match even rises with double labels.",
            paper="The adjusted agreement even increases with more labels.",
            ours=f"By {_listed(gain, '+.3f')} from no double labels to all.",
            holds=_negative(-gain, gain_error),
            why=f"Holds if it rises by more than {ERRORS:.0f} standard errors at every level of agreement.",
        ),
        StudyFinding(
            statement="With uneven categories soft match expects more than augmented kappa.",
            paper="Much more, since additional labels are removed where the sets intersect.",
            ours=f"Higher by {gap.min():.2f} to {gap.max():.2f} with double labels; by {other_gap.min():.2f} to {other_gap.max():.2f} if "
            "second labels are drawn alike.",
            holds=bool((gap > 0).all()),
            why="Holds if it is higher wherever there are double labels. How much depends on how uneven second labels are, which the paper "
            "does not say.",
        ),
        *(
            _cost(name, *(costs[setting.name, name] for setting in (EQUAL, UNEVEN, ALIKE)))
            for name in ("boot-F1", "boot-match")
        ),
    ]


def _cost(name: str, equal: Drift, uneven: Drift, alike: Drift) -> StudyFinding:
    """Judge whether uneven categories make double labels cost a measure less."""
    reason = "Uneven categories leave less room above chance, and two labels each of the frequent categories meet almost always."
    return StudyFinding(
        statement=f"With uneven categories double labels cost {name} less.",
        paper="The decrease in the adjusted agreement with more double labels is reduced.",
        ours=f"It falls by {_listed(-uneven[0])} at 60, 75 and 90% agreement, against {_listed(-equal[0])} with equal categories; by "
        f"{_listed(-alike[0])} if second labels are drawn alike.",
        # It falls less: the difference of two falls, both negative, is below 0.
        holds=_negative(equal[0] - uneven[0], np.hypot(equal[1], uneven[1])),
        why=f"Holds if it falls by less, by more than {ERRORS:.0f} standard errors, at every level of agreement."
        + (f" {reason}" if name == "boot-match" else ""),
    )


def _negative(values: np.ndarray, errors: np.ndarray) -> bool | None:
    """Tell whether all values are below 0; None if some are too near to it to say and none is above."""
    if (values > ERRORS * errors).any():
        return False
    return True if (values < -ERRORS * errors).all() else None


def _by(difference: float) -> str:
    """Show a difference that should be none."""
    return f"by at most {difference:.0e}" if difference else "by nothing"


def _listed(values: np.ndarray, form: str = ".2f") -> str:
    """Show a few numbers in a sentence."""
    shown = [f"{value:{form}}" for value in values]
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
