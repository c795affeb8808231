"""Objects that annotators put in order, in one list or in many."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from msgspec import field
from msgspec.structs import replace

from assent.data.dataset import Dataset
from assent.data.export_origin import ExportOrigin
from assent.data.messages import Dropped
from assent.errors import DuplicateAnnotations, InputError, OptionError, did_you_mean
from assent.profiles import Array, Profiles
from assent.records import Struct, cached_property
from assent.text import counted, shown

__all__ = ["Block", "Rankings"]


class Block(Struct, frozen=True, kw_only=True, eq=False):
    """Lists of the same size, as one array.

    Parameters
    ----------
    lists : array (lists,)
        Which lists these are.
    annotators : array (lists, rankings)
        Whose ranking each is.
    positions : array (lists, rankings, objects)
        Mid-ranks, the first object has the smallest; NaN where an object was not ranked.
    objects : array (lists, objects)
        Which object each column is.
    """

    lists: Array
    annotators: Array
    positions: Array
    objects: Array


class Rankings(Dataset, Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Who put which object of which list at which place.

    The four columns have a row for each object that an annotator ranked.

    Parameters
    ----------
    lists, annotators, objects : tuple of str
        Names. Without an item column there is one list.
    list_code, annotator_code, object_code : array (rows,) of integers
        Which of these.
    position : array (rows,)
        Mid-rank among the objects that the annotator ranked in the list; the first has the smallest.
    layout : str
        Shape of the file they came in.
    roles : mapping of str to str
        Which column of it was what.
    export : ExportOrigin or None
        Which question of which export of a tool they are.

    Examples
    --------
    >>> data = Rankings.from_matrix([[1, 2], [2, 1], [3, 3]])
    >>> data.n_items, data.annotators, data.objects, data.n_annotations
    (1, ('1', '2'), ('1', '2', '3'), 6)
    >>> data.describe()
    '2 annotators rank 3 objects in 1 list'
    """

    lists: tuple[str, ...]
    annotators: tuple[str, ...]
    objects: tuple[str, ...]
    list_code: Array
    annotator_code: Array
    object_code: Array
    position: Array
    layout: str = "rankings"
    roles: Mapping[str, str] = field(default_factory=dict)
    unit: str = "items"
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    export: ExportOrigin | None = None
    _nouns: ClassVar[tuple[str, str]] = ("list", "rank")

    @classmethod
    def from_codes(
        cls,
        codes: Mapping[str, Array],
        names: Mapping[str, Sequence[str]],
        values: Array,
        *,
        scores: bool = False,
        **more: Any,
    ) -> Rankings:
        """Rank values per list and annotator.

        Parameters
        ----------
        codes : mapping of str to array (rows,)
            Under list, annotator and object.
        names : mapping of str to sequence of str
            Under the same keys.
        values : array (rows,)
            Ranks, the first object has the smallest; or scores, the first has the largest.
        scores : bool
        **more
            Other fields.
        """
        who, of, what = (np.asarray(codes[key], dtype=np.int64) for key in ("annotator", "list", "object"))
        group = of * len(names["annotator"]) + who
        if not len(group):
            raise InputError("There is no ranking: give at least one object with a rank.")
        order = np.lexsort((-values if scores else values, group))
        sorted_group, sorted_value = group[order], values[order]
        new = np.r_[True, sorted_group[1:] != sorted_group[:-1]]
        run = new | np.r_[True, sorted_value[1:] != sorted_value[:-1]]
        start = np.flatnonzero(new)[np.cumsum(new) - 1]
        firsts = np.flatnonzero(run)
        tie = np.cumsum(run) - 1
        ends = np.r_[firsts[1:], len(group)]
        first, last = firsts[tie] - start + 1, ends[tie] - start
        position = np.empty(len(group))
        position[order] = (first + last) / 2.0
        notes = tuple(more.pop("notes", ()))
        if not scores:
            dense = tie - tie[start] + 1
            ways = (first, last, dense, (first + last) / 2.0)
            wrong = np.logical_and.reduce([_any_in_group(sorted_value != way, new) for way in ways])
            if wrong.any():
                notes += (
                    f"{counted(int(wrong.sum()), 'ranking')} of {len(wrong):,} "
                    f"{'is' if wrong.sum() == 1 else 'are'} not in ranks from 1 on without gaps: the numbers were taken as scores, the smallest "
                    "first, and ranked for each annotator (name them as `score` if the largest comes first).",
                )
        return cls(
            lists=tuple(names["list"]),
            annotators=tuple(names["annotator"]),
            objects=tuple(names["object"]),
            list_code=of,
            annotator_code=who,
            object_code=what,
            position=position,
            notes=notes,
            **more,
        )

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[object, object, object, float]], *, scores: bool = False) -> Rankings:
        """Take rows of list, annotator, object and rank (or score).

        Examples
        --------
        >>> rows = [("q1", "ada", "x", 1), ("q1", "ada", "y", 2), ("q1", "ben", "x", 2), ("q1", "ben", "y", 1)]
        >>> Rankings.from_rows(rows).position
        array([1., 2., 2., 1.])
        """
        columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
        names = {key: tuple(sorted(set(map(str, columns[i])))) for i, key in enumerate(("list", "annotator", "object"))}
        places = {key: {name: n for n, name in enumerate(given)} for key, given in names.items()}
        codes = {
            key: np.array([places[key][str(one)] for one in columns[i]], dtype=np.int64)
            for i, key in enumerate(("list", "annotator", "object"))
        }
        keys = list(zip(*codes.values(), strict=True))
        if len(set(keys)) < len(keys):
            twice = next(key for key in keys if keys.count(key) > 1)
            raise DuplicateAnnotations(
                f"Annotator {shown(names['annotator'][twice[1]])} ranked {shown(names['object'][twice[2]])} twice in the same list: "
                "leave one of the two out."
            )
        values = np.asarray([float(one) for one in columns[3]], dtype=np.float64)
        if not np.isfinite(values).all():
            raise InputError("A rank or score is no finite number: leave such rows out.")
        return cls.from_codes(codes, names, values, scores=scores)

    @classmethod
    def from_matrix(
        cls,
        matrix: Any,
        *,
        objects: Sequence[object] | None = None,
        annotators: Sequence[object] | None = None,
        scores: bool = False,
    ) -> Rankings:
        """Take one list as a matrix of objects x annotators; NaN where an annotator did not rank an object."""
        table = np.asarray(matrix, dtype=np.float64)
        if table.ndim != 2:
            raise InputError(f"A matrix of objects x annotators has two axes, and this one has {table.ndim}.")
        rows, columns = np.nonzero(~np.isnan(table))
        names = {
            "list": ("",),
            "object": tuple(map(str, objects or range(1, table.shape[0] + 1))),
            "annotator": tuple(map(str, annotators or range(1, table.shape[1] + 1))),
        }
        codes = {"list": np.zeros(len(rows), dtype=np.int64), "object": rows, "annotator": columns}
        return cls.from_codes(codes, names, table[rows, columns], scores=scores, layout="rank-matrix")

    @property
    def kinds(self) -> tuple[str, ...]:
        """Rankings."""
        return ("rankings",)

    @property
    def n_items(self) -> int:
        """Number of lists."""
        return len(self.lists)

    @property
    def n_annotations(self) -> int:  # type: ignore[override]
        """Number of ranked objects, of all annotators and lists."""
        return len(self.position)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The lists as arrays, those of the same size together."""
        return tuple(_blocks(self))

    @cached_property
    def incomplete(self) -> int:
        """How many rankings leave out an object that another annotator ranked in the same list."""
        return sum(int(np.isnan(block.positions).any(-1).sum()) for block in self.blocks)

    def profiles(self, form: type[Profiles], **options: Any) -> Profiles:
        """Return the lists in the form that measures of rankings work on."""
        from assent.data.ranking_profiles import ListProfiles

        return ListProfiles.of(self, unit=options.get("unit", "auto"), keep_first=options.get("truth") is not None)

    @property
    def _matched_by_name(self) -> bool:
        """True for several lists: one is matched by its annotators or objects, if both data sets draw the same anew."""
        return self.n_items > 1

    def _places(self, profiles: Profiles) -> Mapping[Hashable, int] | None:
        """Return where each list stands; of one list where each annotator or each object does."""
        from assent.data.ranking_profiles import ListProfiles

        assert isinstance(profiles, ListProfiles)
        if profiles.unit == "items":
            return {name: at for at, name in enumerate(self.lists)}
        if any(len(group) > 1 for group in profiles.groups):
            return None
        (block,) = self.blocks
        named = profiles.unit == "annotators"
        codes, names = (block.annotators[0], self.annotators) if named else (block.objects[0], self.objects)
        return {(profiles.unit, names[codes[group[0]]]): at for at, group in enumerate(profiles.groups)}

    def without_annotators(self, names: Collection[str]) -> Self:
        """Return the rankings of all other annotators; places among fewer objects are theirs as before."""
        unknown = [name for name in names if name not in self.annotators]
        if unknown:
            raise OptionError(f"There is no annotator {shown(unknown[0])} to leave out.")
        kept = np.array([name not in names for name in self.annotators])
        return self._kept(kept[self.annotator_code])

    def led_by(self, name: str) -> Self:
        """Return the lists that an annotator ranked, with this one as the first of the annotators."""
        if name not in self.annotators:
            raise OptionError(
                f"There is no annotator {shown(name)} whose rankings could be the truth; {did_you_mean(name, self.annotators)}"
            )
        first = self.annotators.index(name)
        ranked = np.zeros(self.n_items, dtype=bool)
        ranked[self.list_code[self.annotator_code == first]] = True
        order = [first, *(i for i in range(len(self.annotators)) if i != first)]
        code = np.argsort(order)[self.annotator_code]
        moved = replace(self, annotators=tuple(self.annotators[i] for i in order), annotator_code=code)
        return moved._kept(ranked[self.list_code])

    def _kept(self, rows: Array) -> Self:
        """Return some of the rows, without names that no row has any more."""
        made: dict[str, Any] = {"position": self.position[rows]}
        for code, names in (("list_code", "lists"), ("annotator_code", "annotators"), ("object_code", "objects")):
            used, left = np.unique(getattr(self, code)[rows], return_inverse=True)
            made |= {code: left, names: tuple(getattr(self, names)[i] for i in used)}
        return replace(self, **made)

    def describe(self) -> str:
        """Say in one line who ranks what: which of the two is which decides the number."""
        who = counted(len(self.annotators), "annotator ranks", "annotators rank")
        return f"{who} {counted(len(self.objects), 'object')} in {counted(len(self.lists), 'list')}"

    def _nothing_to_compare(self) -> str:
        """Say why no two rankings can be compared."""
        return "No list was ranked by two annotators, so there is nothing to compare."

    def to_dict(self) -> dict[str, Any]:
        """Return what the data are as plain values."""
        made = self._facts(objects=len(self.objects), labels=[])
        return made if self.export is None else {**made, **self.export.to_dict()}


def _any_in_group(flags: Array, new: Array) -> Array:
    """Tell for each group of rows, which begin where `new` is true, whether a flag is set."""
    return np.asarray(np.add.reduceat(flags.astype(np.int64), np.flatnonzero(new)) > 0)


def _blocks(data: Rankings) -> list[Block]:
    """Put the rows into arrays, lists of the same size together."""
    m, n = len(data.annotators), len(data.objects)
    ranking, row_ranking = np.unique(data.list_code * m + data.annotator_code, return_inverse=True)
    entry, row_entry = np.unique(data.list_code * n + data.object_code, return_inverse=True)
    of_ranking, of_entry = ranking // m, entry // n
    sizes = np.stack([np.bincount(of_ranking, minlength=data.n_items), np.bincount(of_entry, minlength=data.n_items)])
    starts = np.cumsum(sizes, axis=1) - sizes
    shapes, which = np.unique(sizes.T, axis=0, return_inverse=True)
    which = which.ravel()
    found = []
    # Which place a list has among those of its size.
    order = np.argsort(which, kind="stable")
    place = np.empty(data.n_items, dtype=np.int64)
    place[order] = np.arange(data.n_items) - np.repeat(
        np.cumsum(np.bincount(which)) - np.bincount(which), np.bincount(which)
    )
    row_place, row_which = place[data.list_code], which[data.list_code]
    row_judge, row_object = row_ranking - starts[0, data.list_code], row_entry - starts[1, data.list_code]
    for number, (rankings, objects) in enumerate(shapes):
        lists = np.flatnonzero(which == number)
        rows = slice(None) if len(shapes) == 1 else np.flatnonzero(row_which == number)
        positions = np.full((len(lists), rankings, objects), np.nan)
        positions[row_place[rows], row_judge[rows], row_object[rows]] = data.position[rows]
        found.append(
            Block(
                lists=lists,
                annotators=ranking[starts[0, lists][:, None] + np.arange(rankings)] % m,
                positions=positions,
                objects=entry[starts[1, lists][:, None] + np.arange(objects)] % n,
            )
        )
    return found
