"""What all kinds of annotated data have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from assent.data.messages import loss
from assent.errors import InputError, OptionError, UnsuitableData
from assent.profiles import Array, Matrix, Profiles
from assent.records import Brief
from assent.text import Printed, counted

if TYPE_CHECKING:
    from assent.data.messages import Dropped

__all__ = ["Dataset", "kind_in_words"]

#: Kinds that a sentence calls by another name.
_IN_WORDS = {
    "label-sets": "sets of labels",
    "distance-labels": "labels with a distance",
    "best-worst": "choices of best and worst",
}


def kind_in_words(kind: str) -> str:
    """Return what a sentence calls a kind of data.

    Examples
    --------
    >>> kind_in_words("spans"), kind_in_words("label-sets")
    ('spans', 'sets of labels')
    """
    return _IN_WORDS.get(kind, kind)


class Dataset(Printed, Brief):
    """Who annotated what: data of one kind, such as labels, spans or rankings.

    A measure that takes the kind asks for `profiles`; everything else (intervals, differences, reports, the command line)
    needs no more than is here.

    Attributes
    ----------
    kinds : tuple of str
        The kind of the data, then more general kinds whose measures, findings and sections of a report fit them as well.
    annotators : tuple of str or None
        None if it is not known who annotated.
    n_annotations : int
    layout : str
        Shape of the table that they came in.
    unit : str
        What a new sample would draw anew: items, or the name of the cluster column.
    dropped : tuple of Dropped
        What was left out.
    notes : tuple of str
        What was recognised and what looks odd.
    """

    annotators: tuple[str, ...] | None
    n_annotations: int
    layout: str
    unit: str
    dropped: tuple[Dropped, ...]
    notes: tuple[str, ...]
    #: What an item and an annotation are called in a sentence.
    _nouns: ClassVar[tuple[str, str]] = ("item", "annotation")
    #: The unit where no cluster column is named.
    _unclustered: ClassVar[str] = "items"

    @property
    @abstractmethod
    def kinds(self) -> tuple[str, ...]:
        """The kind of the data, then more general ones."""

    @property
    def kind(self) -> str:
        """The kind of the data."""
        return self.kinds[0]

    @property
    @abstractmethod
    def n_items(self) -> int:
        """Number of annotated items."""

    @property
    def n_annotators(self) -> int | None:
        """Number of annotators; None if it is not known who annotated."""
        return None if self.annotators is None else len(self.annotators)

    @property
    def local(self) -> bool:
        """True if the data are in this process; False if they live in an engine such as DuckDB or Spark."""
        return True

    @abstractmethod
    def profiles(self, form: type[Profiles], **options: Any) -> Profiles:
        """Return the items in the form that a measure works on.

        Parameters
        ----------
        form : type
            The class of profiles that the measure names.
        **options
            The measure's own options.
        """

    @abstractmethod
    def without_annotators(self, names: Collection[str]) -> Self:
        """Return the annotations of all other annotators."""

    def only_annotators(self, names: Collection[str]) -> Self:
        """Return the annotations of some annotators."""
        if self.annotators is None:
            raise UnsuitableData("The data do not say who annotated what, so nobody can be chosen.")
        return self.without_annotators([name for name in self.annotators if name not in names])

    def describe(self) -> str:
        """Say in one line what the data are."""
        who = "annotators unknown" if self.n_annotators is None else counted(self.n_annotators, "annotator")
        return f"{counted(self.n_items, 'item')}, {who}, {counted(self.n_annotations, 'annotation')}"

    def __str__(self) -> str:
        """Show what the data are."""
        return self.describe()

    def _reading_notes(self) -> list[str]:
        """Say what was recognised and what was left out when the data were read."""
        return [*self.notes, *(f"Left out: {loss(one.reason, one.rows)}." for one in self.dropped)]

    def ordered(self, order: Sequence[str]) -> Self:
        """Return the same annotations with the labels in a given order."""
        raise OptionError(f"`order` is an order of labels, and these are {kind_in_words(self.kind)}: leave it out.")

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return what the data are as plain values, in the shape the command line prints as JSON."""

    def _same_source(self, other: Any) -> bool:
        """Tell whether two data sets are about the very same items, so that they need not be matched by name."""
        return other is self

    def _pairing(self, other: Any, mine: Profiles, theirs: Profiles) -> tuple[Array, Array, Array, Matrix | None]:
        """Match the items of two data sets, for the interval of a difference.

        Returns
        -------
        first, second : array (joint profiles,)
            Position of the items' profile in `mine` and in `theirs`; -1 where it is not there.
        items : array (joint profiles,)
            How many items have this pair of profiles.
        units : matrix (units, joint profiles) or None
        """
        if self._same_source(other) and len(mine.multiplicities) == len(theirs.multiplicities):
            place = np.arange(len(mine.multiplicities))
            return place, place, mine.multiplicities, mine.units
        here, there = self._places(mine), other._places(theirs) if other.kind == self.kind else None
        if here is None or there is None:
            raise InputError(
                f"Two data sets of {kind_in_words(self.kind)} cannot be matched item by item: compare them unpaired."
            )
        joint = Counter((here.get(name, -1), there.get(name, -1)) for name in dict.fromkeys([*here, *there]))
        first, second = np.array(list(joint), dtype=np.int64).T
        return first, second, np.array(list(joint.values()), dtype=np.int64), None

    def _places(self, profiles: Profiles) -> Mapping[Hashable, int] | None:
        """Return where the profile of each item stands among `profiles`, by the name of the item; None if items cannot be told by name."""
        return None

    def _facts(self, **own: Any) -> dict[str, Any]:
        """Return what the JSON says of every kind of data, with what this kind has of its own."""
        return {
            "kind": self.kind,
            "items": self.n_items,
            "annotators": self.n_annotators,
            "annotations": self.n_annotations,
            **own,
            "layout": self.layout,
            "dropped": [{"reason": one.reason, "rows": one.rows} for one in self.dropped],
            "notes": list(self.notes),
        }

    @property
    def _matched_by_name(self) -> bool:
        """True if items of two data sets can be matched by their names."""
        return False

    @property
    def _comparable(self) -> bool:
        """True if some item has two annotations that can be compared."""
        return True

    def _label_counts(self) -> dict[str, int]:
        """Return how often each label was given, in the order of the labels; nothing if there are no labels."""
        return {}

    def _single_items(self, profiles: Profiles) -> int:
        """Count the items with one annotation; `profiles` are those that a measure works on."""
        return profiles.n_items - profiles.pairable_items

    def _groups(self, column: str) -> list[tuple[Any, str | None, int]]:
        """Return the values of a column that was kept, as they are and as text, and how many annotations have each."""
        raise OptionError(f"`by` takes tables of labels apart, and these are {kind_in_words(self.kind)}.")

    def _split_by(self, column: str, values: Sequence[Any]) -> Iterator[tuple[Self, Self]]:
        """Return for each of some values of a column that was kept the annotations with it, and all others."""
        raise OptionError(f"`by` takes tables of labels apart, and these are {kind_in_words(self.kind)}.")

    def _nothing_to_compare(self) -> str:
        """Say why no two annotations can be compared."""
        return "No item was annotated by two annotators, so there is nothing to compare."
