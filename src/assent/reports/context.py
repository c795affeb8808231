"""What every section of a report stands on: the data, the settings, and what is worked out once for all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec import field

from assent.analyses import measure as measured
from assent.analyses.annotators import AnnotatorReport, annotators
from assent.analyses.interpretation import Target
from assent.analyses.measure import AsSteps, misread_ratings
from assent.analyses.missingness import Missingness, missingness
from assent.analyses.models_among import ModelsAmong, models_among
from assent.analyses.recommend import Recommendation, recommend
from assent.data import Annotations
from assent.documents import Result
from assent.engines import Rows
from assent.errors import NothingToCompare, OptionError, UnsuitableData
from assent.limits import REPORT_LABELS, REPORT_SHARES
from assent.measures import find
from assent.measures.results import Interval
from assent.profiles import Ratings
from assent.records import Struct, cached_property
from assent.text import shown

__all__ = ["Measured", "ReportContext", "Settings", "attempt", "check_kept", "check_labels", "kept_columns"]

T = TypeVar("T")


class Settings(Struct, frozen=True, kw_only=True):
    """What the user asked for.

    Parameters
    ----------
    target : Target or None
        What this kind of task should reach.
    text, by : str or None
        Columns with the content of the items, and with the group of each annotation.
    baseline : str or None
        File with an earlier result.
    show_texts : bool
        Texts of documents are shown where they are known.
    words : str or None
        A scale of words to show beside the one that is usual for the coefficient.
    judges : tuple of str
        Annotators who are judges, such as models: they stand beside the people of whom the report is.
    distance : str or None
        How labels are compared that are more than names.
    """

    target: Target | None = None
    scale: str | None = None
    level: float = 0.95
    seed: int = 0
    text: str | None = None
    by: str | None = None
    title: str = "Agreement report"
    anonymise: bool = False
    ambiguity: bool | None = None
    baseline: str | None = None
    show_texts: bool = True
    words: str | None = None
    judges: tuple[str, ...] = ()
    distance: str | None = None


class Measured(measured.Measured, frozen=True, kw_only=True, eq=False):
    """A coefficient that has an interval, as every one in a report does."""

    interval: Interval


class ReportContext(Struct, frozen=True, eq=False, dict=True):
    """The data, the settings, and what several sections need.

    Parameters
    ----------
    one_of_several : bool
        The data are one of several questions, which need not have everything that was asked for.
    sections : dict of str to Result or None
        The sections that were made so far.
    judged : (Annotations, tuple of str) or None
        The data with the judges that were named, and what these are called there.
    """

    data: Annotations
    settings: Settings
    one_of_several: bool = False
    sections: dict[str, Result | None] = field(default_factory=dict)
    judged: tuple[Annotations, tuple[str, ...]] | None = None

    @cached_property
    def choice(self) -> Recommendation:
        """Which measures fit, and which one to quote."""
        return recommend(self.data, scale=self.settings.scale, ambiguity=self.settings.ambiguity)

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """Measures that fit but would take longer than all the rest: those of every annotator's share of every label."""
        data, names = self.data, self.choice.measures
        if data.kind != "labels" or (data.n_annotators or 0) * len(data.labels) <= REPORT_SHARES:
            return ()
        return tuple(name for name in names if name != self.choice.quote and find(name).profiles is Ratings)

    @cached_property
    def measured(self) -> tuple[Measured, ...]:
        """Every measure that fits, the one to quote first."""
        names = [name for name in self.choice.measures if name not in self.left_out]
        return tuple(one for name in names if (one := self._measured(name)) is not None)

    def _measured(self, name: str) -> Measured | None:
        if name == self.choice.quote:
            return self.measure(self.data)
        return attempt(lambda: self.measure(self.data, name))

    @property
    def quoted(self) -> Measured:
        """The coefficient to quote."""
        return self.measured[0]

    def measure(self, data: Annotations, name: str | None = None) -> Measured:
        """Measure some data as these are measured, with an interval."""
        name = name or self.choice.quote
        agreement = find(name)(data, scale=self.settings.scale, **self.choice.options.get(name, {}))
        return Measured(agreement=agreement, interval=agreement.confidence_interval(self.settings.level))

    @cached_property
    def as_steps(self) -> AsSteps | None:
        """What the coefficient would be if labels that look like ratings were steps of a scale; None if they do not, or a scale was named."""
        return None if self.settings.scale is not None else misread_ratings(self.data, self.quoted.agreement)

    @cached_property
    def models(self) -> ModelsAmong | None:
        """Annotators who have names of models, and the coefficient to quote without them; None if no model is among people."""
        quoted = self.quoted.agreement
        options = self.choice.options.get(quoted.measure, {})
        return models_among(self.data, quoted, {"scale": self.settings.scale, **options})

    @cached_property
    def gaps(self) -> Missingness | None:
        """Whether what is missing has to do with agreement; None if everybody annotated everything."""
        data, count = self.data, self.data.n_annotators
        if data.kind != "labels" or (count is not None and (count < 3 or data.n_annotations == data.n_items * count)):
            return None
        return missingness(data, seed=self.settings.seed)

    @cached_property
    def who(self) -> Annotations:
        """The data for questions about who gave which label: a sample of the items, where a crowd gave too many."""
        return self.data._sample_items()

    @cached_property
    def team(self) -> AnnotatorReport | None:
        """What is known of each annotator; None if nobody can be compared."""
        if self.data.annotators is None or len(self.data.annotators) < 2:
            return None
        settings = self.settings
        measure = "krippendorff-alpha"
        return attempt(
            lambda: annotators(
                self.data, measure=measure, scale=settings.scale, level=settings.level, seed=settings.seed
            )
        )


def kept_columns(data: Annotations) -> tuple[str, ...]:
    """Return the names of the columns that were kept beside the annotations."""
    return tuple(data._source.columns) if isinstance(data._source, Rows) else ()


def check_kept(data: Annotations, column: str | None, what: str) -> None:
    """Refuse a column that was not read along."""
    if column is not None and column not in kept_columns(data):
        raise OptionError(
            f"{what} is {shown(column)}, a column that was not kept: name it in columns when the table is read."
        )


def check_labels(data: Annotations) -> None:
    """Refuse so many labels that no coefficient could have an interval."""
    labels, kinds = len(data.labels), len(data._counts.multiplicities)
    if min(labels, kinds) * labels > REPORT_LABELS**2:
        raise UnsuitableData(
            f"There are {labels:,} different labels, and a report is made of up to {REPORT_LABELS:,}: check that the right column was "
            "read as the label; coefficients without intervals come from `assent measure` with `ci` none."
        )


def attempt(make: Callable[[], T]) -> T | None:
    """Make something that these data may not allow; None if they do not."""
    try:
        return make()
    except (UnsuitableData, NothingToCompare):
        return None
