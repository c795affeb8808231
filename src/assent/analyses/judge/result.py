"""What is known of judges beside people."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from assent.analyses.baseline import JUDGE_KAPPA, Against
from assent.analyses.gates import GateOutcome
from assent.analyses.judge.alternative_result import AlternativeTest, MeanDifference
from assent.analyses.judge.favour import Favour, SeatSwap
from assent.analyses.judge.jury import Jury
from assent.analyses.judge.leaning import JudgeSeverity, Leaning, Pool
from assent.analyses.judge.reference import ReferenceErrors
from assent.analyses.judge.soft import SoftLabels
from assent.analyses.judge.success import SuccessRate
from assent.analyses.judge.team import Team
from assent.data import Dataset
from assent.documents import Document, Result
from assent.records import Record, Struct, plain

if TYPE_CHECKING:
    from assent.analyses.repeat import JudgeRepeats, NoiseCeiling

__all__ = ["Baseline", "JudgeComparison", "JudgeVerdict"]


class Baseline(Record, frozen=True, kw_only=True, eq=False):
    """A judge that reads nothing: it always gives the label that people give most often.

    Parameters
    ----------
    accuracy : float
        Share of items whose majority label it is.
    """

    label: str
    team: Team
    alt_test: AlternativeTest
    mean_difference: MeanDifference
    accuracy: float


class JudgeVerdict(Struct, frozen=True, kw_only=True, eq=False):
    """One judge beside the people.

    Parameters
    ----------
    n_items : int
        Items that the judge and somebody labelled.
    n_missing : int
        Items that people labelled and the judge did not.
    severity : JudgeSeverity or None
        On a scale that has numbers.
    pool : Pool or None
        None for other data than labels.
    repeats : JudgeRepeats or None
        How far it repeats itself, if it has several runs.
    ceiling : NoiseCeiling or None
        How far it can then agree with people.
    """

    judge: str
    n_items: int
    n_missing: int
    n_humans: int
    team: Team
    alt_test: AlternativeTest
    mean_difference: MeanDifference
    constant: Baseline
    errors: ReferenceErrors | None = None
    leaning: Leaning | None = None
    severity: JudgeSeverity | None = None
    pool: Pool | None = None
    soft: SoftLabels | None = None
    rate: SuccessRate | None = None
    favours: tuple[Favour, ...] = ()
    seats: SeatSwap | None = None
    repeats: JudgeRepeats | None = None
    ceiling: NoiseCeiling | None = None
    notes: tuple[str, ...] = ()

    @property
    def coefficient(self) -> str:
        """What the mean kappa with a person is called in a baseline."""
        return f"{JUDGE_KAPPA}{self.judge}"

    @property
    def kappa(self) -> tuple[float, float, float]:
        """Mean kappa with a person and its interval."""
        interval = self.team.judge_interval
        ends = (math.nan, math.nan) if interval is None else (interval.low, interval.high)
        return self.team.human_judge, *ends

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        lean = self.leaning
        return {
            "judge": self.judge,
            "items": self.n_items,
            "items_missing": self.n_missing,
            "humans": self.n_humans,
            "team": self.team.to_dict(),
            "alt_test": self.alt_test.to_dict(),
            "mean_difference": self.mean_difference.to_dict(),
            "constant_judge": self.constant.to_dict(),
            "errors": plain(self.errors),
            "leaning": [] if lean is None else lean.to_dict(),
            "confusion": {
                "labels": [] if lean is None else list(lean.labels),
                "humans_by_judge": None if lean is None or lean.confusion is None else lean.confusion.tolist(),
                **({"stuart_maxwell": None, "bowker": None} if lean is None else lean.tests),
            },
            "severity": plain(self.severity),
            "pool": plain(self.pool),
            "soft_labels": plain(self.soft),
            "rate": plain(self.rate),
            "favours": plain(self.favours),
            "seats": plain(self.seats),
            "repeat": plain(self.repeats),
            "ceiling": plain(self.ceiling),
            "notes": list(self.notes),
        }


class JudgeComparison(Result, frozen=True, kw_only=True, eq=False):
    """Judges beside the people who labelled the same items.

    Parameters
    ----------
    data : Dataset
    people : tuple of str
    judges : tuple of JudgeVerdict
        In the order in which they were named.
    jury : Jury or None
        The judges beside each other; None for one judge.
    options : mapping
    notes : tuple of str
    against : tuple of Against
        The mean kappa of each judge with people, beside that of an earlier result.
    gates : tuple of GateOutcome
        What gates say.
    """

    data: Dataset
    people: tuple[str, ...]
    judges: tuple[JudgeVerdict, ...]
    jury: Jury | None
    options: dict[str, Any]
    notes: tuple[str, ...] = ()
    against: tuple[Against, ...] = ()
    gates: tuple[GateOutcome, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, in the shape the command line prints as JSON."""
        return {
            "data": self.data.to_dict(),
            "options": dict(self.options),
            "people": list(self.people),
            "judges": plain(self.judges),
            "jury": plain(self.jury),
            # What a later run is compared with, in the form that baselines have.
            "measures": [
                {
                    "measure": one.coefficient,
                    "value": plain(one.team.human_judge),
                    "ci": None if one.team.judge_interval is None else one.team.judge_interval.to_dict(),
                    "options": {"scale": self.options["scale"], "average": self.options["average"]},
                }
                for one in self.judges
            ],
            "baseline": plain(self.against),
            "gates": plain(self.gates),
            "notes": list(self.notes),
        }

    def document(self) -> Document:
        """Return what a person reads: the answers in the order of the questions, tables and a figure."""
        from assent.analyses.judge.document import document_of

        return document_of(self)
