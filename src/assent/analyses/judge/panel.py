"""People and judges side by side: who is which, and the labels of both by item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import field
from msgspec.structs import replace

from assent.analyses.unparsed import most_words, no_verdict
from assent.data import Annotations
from assent.data.judge_names import looks_like_a_judge
from assent.errors import OptionError, TooMany, UnsuitableData, did_you_mean
from assent.limits import PANEL_CELLS
from assent.profiles import Array, Matrix, Ratings, distinct_rows, units_left
from assent.records import Struct, cached_property
from assent.scales import AgreementWeights, agreement_weights, numbers
from assent.text import counted, named, shown

__all__ = ["Items", "Panel", "chosen_judges"]

#: With more people than this, equal labels are found by sorting.
FEW_PEOPLE = 16
#: Values of a column that say that a row is a judge's.
_MARKS = frozenset(
    [
        "1",
        "true",
        "yes",
        "y",
        "t",
        "judge",
        "judges",
        "model",
        "models",
        "llm",
        "llms",
        "ai",
        "machine",
        "bot",
        "automatic",
        "auto",
        "prediction",
        "predicted",
    ]
)


def chosen_judges(data: Any, judge: Sequence[str], judge_column: str | None) -> tuple[str, ...]:
    """Return the judges: those named, those that a column marks, or the models of an export.

    Parameters
    ----------
    judge : sequence of str
        Names; may be empty.
    judge_column : str, optional
        Column that was kept beside the annotations and says which rows are a judge's.
    """
    known = data.annotators
    if known is None:
        raise UnsuitableData(
            "The table does not say who gave which label, so no judge can be told from the people: use a table with a column of "
            "annotators, or one column for each annotator."
        )
    unknown = [name for name in judge if name not in known]
    if unknown:
        raise OptionError(
            f"There is no annotator {shown(unknown[0])} to take as the judge; the annotators are {named(known, 12)}: "
            f"{did_you_mean(unknown[0], known)}"
        )
    found = dict.fromkeys(judge)
    if judge_column is not None:
        found |= dict.fromkeys(_marked(data, judge_column))
    export = getattr(data, "export", getattr(data, "_export", None))
    if not found and export is not None:
        found |= dict.fromkeys(name for name in export.models if name in known)
    if not found:
        likely = [name for name in known if looks_like_a_judge(name)]
        hint = f" ({named(likely, 5)} {'is' if len(likely) == 1 else 'are'} named like one)" if likely else ""
        raise OptionError(
            f"Nothing says which annotator is the judge: name it with `judge`, or the column that says so with `judge_column`; the annotators are {named(known, 12)}{hint}."
        )
    return tuple(found)


def _marked(data: Annotations, column: str) -> list[str]:
    """Return the annotators whose rows a column marks as a judge's."""
    values = [(value, text) for value, text, _ in data._groups(column) if text is not None]
    marked = [value for value, text in values if text.strip().casefold() in _MARKS]
    if not marked or len(marked) == len(values):
        raise OptionError(
            f"The column {shown(column)} holds {named([text for _, text in values], 5)}: some rows must be marked as a judge's, with "
            "judge, model, llm, true, yes or 1, and others not."
        )
    parts = list(data._split_by(column, marked))
    found = dict.fromkeys(name for part, _ in parts for name in part.annotators or ())
    both = [name for part, others in parts for name in part.annotators or () if name in (others.annotators or ())]
    if both and len(marked) == 1:
        raise OptionError(
            f"Some rows of {shown(both[0])} are marked as a judge's in {shown(column)} and others are not: an annotator is one or the other."
        )
    return list(found)


class Items(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Items with the same labels of the people and of one judge, taken together.

    Parameters
    ----------
    people : array (profiles, people)
        Positions of labels; -1 where there is none.
    judge : array (profiles,)
        The same of the judge.
    weights : array (profiles,)
        How many items there are of each.
    units : matrix (units, profiles), optional
        How many of them belong to each cluster.
    place : array (profiles of the panel,)
        Where each profile of the panel went; -1 for one that was left out.
    pattern : array (profiles,)
        Which of the panel's patterns of people's labels it has.
    """

    people: Array
    judge: Array
    weights: Array
    units: Matrix | None
    place: Array
    pattern: Array

    @cached_property
    def valid(self) -> Array:
        """True where a person labelled the item: (profiles, people)."""
        return self.people >= 0

    @cached_property
    def sizes(self) -> Array:
        """People who labelled each item: (profiles,)."""
        return np.asarray(self.valid.sum(axis=1))

    def kept(self, wanted: Array) -> Items:
        """Return the profiles for which `wanted` is true."""
        number = np.where(wanted, np.cumsum(wanted) - 1, -1)
        rows = np.flatnonzero(wanted)
        return Items(
            people=self.people[rows],
            judge=self.judge[rows],
            weights=self.weights[rows],
            units=units_left(self.units, rows),
            place=np.where(self.place >= 0, number[self.place], -1),
            pattern=self.pattern[rows],
        )

    def constant(self, label: int) -> Items:
        """Return the same items with a judge who always gives one label, where this one gives any."""
        return replace(self, judge=np.where(self.judge >= 0, label, -1))

    @cached_property
    def same(self) -> Array:
        """How many people gave the item each person's label, that person among them: (profiles, people)."""
        return self._counted(self.people)

    @cached_property
    def same_as_judge(self) -> Array:
        """How many people gave the item the judge's label: (profiles,)."""
        return self._counted(self.judge[:, None])[:, 0]

    def _counted(self, labels: Array) -> Array:
        """How many people gave the item each of these labels, 0 for none: (profiles, labels)."""
        if self.people.shape[1] <= FEW_PEOPLE:
            found = np.zeros(labels.shape, dtype=np.int64)
            for one in self.people.T:
                found += (labels == one[:, None]) & (labels >= 0)
            return found
        # Of a crowd most have no label: those there are, are counted by item and label.
        rows, columns = np.nonzero(self.valid)
        width = int(max(self.people.max(initial=0), labels.max(initial=0))) + 1
        cells, counts = np.unique(rows * width + self.people[rows, columns], return_counts=True)
        wanted = np.arange(len(labels))[:, None] * width + np.maximum(labels, 0)
        place = np.minimum(np.searchsorted(cells, wanted), len(cells) - 1)
        return np.asarray(np.where((labels >= 0) & (cells[place] == wanted), counts[place], 0))

    @cached_property
    def majority(self) -> Array:
        """The label that most people gave; -1 for a tie, and where nobody gave one: (profiles,)."""
        if not len(self.people):
            return np.zeros(0, dtype=np.int64)
        top = self.same.argmax(axis=1)
        rows = np.arange(len(top))
        label, most = self.people[rows, top], self.same[rows, top]
        tied = ((self.same == most[:, None]) & (self.people != label[:, None]) & self.valid).any(axis=1)
        return np.asarray(np.where((most > 0) & ~tied, label, -1))


class Panel(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """The labels of people and judges, by item; items with equal ones are together.

    Parameters
    ----------
    labels : tuple of str
        Those in use, without verdicts that say that there is none.
    codes : array (profiles, people)
    verdicts : array (profiles, judges)
        Positions of labels; -1 where there is none.
    weights : array (profiles,)
    units : matrix (units, profiles), optional
    values : array (labels,) or None
        The labels as numbers, on a scale that has them.
    unparsed : mapping of str to (int, tuple of str)
        For each judge how many verdicts were taken as missing, and which texts.
    """

    labels: tuple[str, ...]
    people: tuple[str, ...]
    judges: tuple[str, ...]
    codes: Array
    verdicts: Array
    weights: Array
    units: Matrix | None = None
    unit: str = "items"
    scale: str = "nominal"
    agree: AgreementWeights
    values: Array | None = None
    unparsed: Mapping[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Annotations, judges: Sequence[str], *, scale: str) -> Panel:
        """Take the profiles of who gave which label; no item is listed."""
        ratings = data._ratings
        cells = len(ratings.multiplicities) * len(ratings.annotators)
        if cells > PANEL_CELLS:
            raise TooMany(
                f"There are {len(ratings.multiplicities):,} kinds of items and {len(ratings.annotators):,} annotators, more than can be "
                "compared with a judge at once: keep some annotators or items with `only`."
            )
        people = tuple(name for name in ratings.annotators if name not in judges)
        if not people:
            raise UnsuitableData("All annotators are judges: there are no people to compare them with.")
        table = _table(ratings)
        seat = {name: i for i, name in enumerate(ratings.annotators)}
        codes, verdicts = table[:, [seat[one] for one in people]], table[:, [seat[one] for one in judges]]
        unparsed = _unparsed(data, codes, verdicts, scale)
        said = {}
        for place, name in enumerate(judges):
            gone = np.isin(verdicts[:, place], unparsed)
            if gone.any():
                which = np.unique(verdicts[gone, place])
                said[name] = int(ratings.multiplicities[gone].sum()), tuple(data.labels[i] for i in which)
            verdicts[gone, place] = -1
        labels, codes, verdicts = _used(data, codes, verdicts)
        return cls(
            labels=labels,
            people=people,
            judges=tuple(judges),
            codes=codes,
            verdicts=verdicts,
            weights=np.asarray(ratings.multiplicities, dtype=np.int64),
            units=ratings.units,
            unit=data.unit,
            scale=scale,
            agree=agreement_weights(labels, scale=scale, ordered=data._order_given, decimal=data._decimal),
            values=_values(labels, scale, data._decimal),
            unparsed=said,
        )

    @cached_property
    def patterns(self) -> tuple[Array, Array]:
        """The distinct patterns of people's labels, and which of them each profile has."""
        patterns, place = distinct_rows(self.codes + 1)
        return np.asarray(patterns) - 1, place

    @cached_property
    def majority(self) -> Array:
        """The label that most people gave an item of each profile; -1 for a tie, and where nobody gave one: (profiles,)."""
        patterns, place = self.patterns
        nobody = np.full(len(patterns), -1)
        return Items(
            people=patterns, judge=nobody, weights=nobody, units=None, place=place, pattern=np.arange(len(patterns))
        ).majority[place]

    def only(self, rows: Array) -> Items:
        """Return the items of some profiles as they are, without a judge."""
        return Items(
            people=self.codes[rows],
            judge=np.full(len(rows), -1),
            weights=self.weights[rows],
            units=units_left(self.units, rows),
            place=np.arange(len(rows)),
            pattern=self.patterns[1][rows],
        )

    def judged_by(self, judge: int) -> Panel:
        """Return the items that a judge labelled."""
        rows = np.flatnonzero(self.verdicts[:, judge] >= 0)
        return replace(
            self,
            codes=self.codes[rows],
            verdicts=self.verdicts[rows],
            weights=self.weights[rows],
            units=units_left(self.units, rows),
        )

    def beside(self, judge: int) -> Items:
        """Return all items with the labels of the people and of one judge."""
        return self.with_verdicts(self.verdicts[:, judge])

    @cached_property
    def longest(self) -> int:
        """Words of the longest label that a person gave."""
        return most_words(self.labels[i] for i in np.unique(self.codes[self.codes >= 0]))

    def with_verdicts(self, verdicts: Array) -> Items:
        """Return all items with the labels of the people and of a judge who gave these: (profiles,)."""
        patterns, place = self.patterns
        width = len(self.labels) + 1
        found, where = np.unique(place * width + verdicts + 1, return_inverse=True)
        where = where.ravel()
        weights = np.bincount(where, weights=self.weights, minlength=len(found)).astype(np.int64)
        return Items(
            people=patterns[found // width],
            judge=found % width - 1,
            weights=weights,
            units=gathered_units(self.units, where, len(found)),
            place=where,
            pattern=found // width,
        )


def gathered_units(units: Matrix | None, place: Array, profiles: int) -> Matrix | None:
    """Return the units in terms of other profiles: profile i became `place[i]`, or none if that is below 0."""
    if units is None:
        return None
    from scipy.sparse import csr_array

    rows = np.flatnonzero(place >= 0)
    merge = csr_array((np.ones(len(rows)), (rows, place[rows])), shape=(len(place), profiles))
    return (csr_array(units) @ merge).tocsr()


def _table(ratings: Ratings) -> Array:
    """Return who gave which label as a table: (profiles, annotators), -1 where there is none."""
    table = np.full((len(ratings.multiplicities), len(ratings.annotators)), -1, dtype=np.int32)
    table[ratings.profile, ratings.annotator] = ratings.label
    return table


def _unparsed(data: Annotations, codes: Array, verdicts: Array, scale: str) -> Array:
    """Return the labels that no person gave and that are no verdict: failures, or no numbers where people gave numbers."""
    own = np.setdiff1d(verdicts[verdicts >= 0], codes[codes >= 0])
    theirs = [data.labels[i] for i in np.unique(codes[codes >= 0])]
    numeric = scale != "nominal" and numbers(theirs, data._decimal) is not None
    longest = most_words(theirs)
    decimal = data._decimal if numeric else None
    return np.array([i for i in own if no_verdict(data.labels[i], longest, decimal)], dtype=np.int64)


def _used(data: Annotations, codes: Array, verdicts: Array) -> tuple[tuple[str, ...], Array, Array]:
    """Return the labels in use, and the codes in terms of these; all labels stay if their order was given."""
    there = np.zeros(len(data.labels) + 1, dtype=bool)
    there[codes.ravel()] = there[verdicts.ravel()] = True
    wanted = np.ones(len(data.labels), dtype=bool) if data._order_given else there[:-1]
    number = np.append(np.where(wanted, np.cumsum(wanted) - 1, -1), -1)
    labels = tuple(label for label, use in zip(data.labels, wanted, strict=True) if use)
    return labels, number[codes], number[verdicts]


def _values(labels: Sequence[str], scale: str, decimal: str) -> Array | None:
    """Return labels as numbers; places of an order given as texts; None on a nominal scale."""
    if scale == "nominal":
        return None
    found = numbers(labels, decimal)
    return np.arange(1.0, len(labels) + 1.0) if found is None else np.asarray(found)


def about_unparsed(panel: Panel, judge: str) -> list[str]:
    """Say how many verdicts of a judge were taken as missing."""
    if judge not in panel.unparsed:
        return []
    many, texts = panel.unparsed[judge]
    verb = "is" if many == 1 else "are"
    return [f"{counted(many, 'verdict')} of the judge {verb} none and count as missing: {named(texts, 3)}."]
