"""Which layout a table has and which column is what: said by the user, or recognised from names and shape.

Everything here looks at the names of the columns and a sample of rows, as text, and changes nothing.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Literal, TypeAlias

import polars as pl

from assent.data.reading_notes import ReadingNote
from assent.errors import OptionError, UnknownColumn, UnknownLayout, did_you_mean
from assent.limits import COLUMNS_RECOGNISED
from assent.readers import detect_by_names, detect_by_values
from assent.readers.column_facts import Table
from assent.readers.long_columns import long_readings, readings_by_shape
from assent.readers.span_options import SpanOptions
from assent.readers.tables import columns_shown
from assent.readers.wide_columns import MANY, SHARED, annotator_columns, association, echo_of_majority, negative_share
from assent.records import dataclass
from assent.text import counted, escaped, shown

__all__ = ["LAYOUTS", "Detected", "Layout", "Overrides", "as_options", "csv_list", "recognise"]

Layout: TypeAlias = Literal["long", "wide", "counts", "table"]
LAYOUTS: tuple[Layout, ...] = ("long", "wide", "counts", "table")

_WAYS = "say what the columns are with `layout`, `item`, `annotator`, `label` or `annotators`"


@dataclass(frozen=True, kw_only=True)
class Overrides:
    """What the user said about the table; None is for the table to show."""

    layout: str | None = None
    item: str | None = None
    annotator: str | None = None
    label: str | None = None
    annotators: tuple[str, ...] | None = None
    cluster: str | None = None
    counts: tuple[str, ...] = ()
    """Columns that hold counts, one a label; empty if the table is to show them."""
    transpose: bool = False
    spans: SpanOptions = field(default_factory=SpanOptions)
    roles: Mapping[str, str] = field(default_factory=dict)
    """Columns of other kinds of data, by their role: object, rank, score, left, right, winner, …"""

    @property
    def columns(self) -> set[str]:
        """The columns that were said to be something."""
        roles = (self.item, self.annotator, self.label, self.cluster, *(self.annotators or ()), *self.counts)
        return {name for name in roles if name is not None}

    def check(self, columns: Sequence[str]) -> Layout | None:
        """Return the layout that was said or follows from the columns that were; refuse what does not fit."""
        roles = {"item": self.item, "annotator": self.annotator, "label": self.label, "cluster": self.cluster}
        said = [(role, name) for role, name in roles.items() if name is not None]
        said += [("annotators", name) for name in self.annotators or ()]
        said += [("labels", name) for name in self.counts]
        for role, name in said:
            if name not in columns:
                raise UnknownColumn(
                    f"`{role}` names the column {shown(name)}, which the table does not have; {did_you_mean(name, columns)}"
                )
        taken: dict[str, str] = {}
        for role, name in said:
            # Clusters of one item each are the items themselves, so these two may share a column.
            if name in taken and {role, taken[name]} != {"item", "cluster"}:
                raise OptionError(
                    f"`{role}` and `{taken[name]}` both name the column {shown(name)}; each needs its own."
                )
            taken[name] = role
        if self.annotators is not None and len(self.annotators) < 2:
            raise OptionError(
                f"`annotators` names {counted(len(self.annotators), 'column')}; agreement needs at least two."
            )
        return self._layout()

    def _layout(self) -> Layout | None:
        given = {
            "annotator": self.annotator is not None,
            "label": self.label is not None,
            "annotators": self.annotators is not None,
            "cluster": self.cluster is not None,
            "transpose": self.transpose,
        }
        long = given["label"] or (given["annotator"] and not self.transpose)
        wide = given["annotators"] or given["transpose"]
        layout: Layout | None = "wide" if wide else "long" if long else None
        if self.layout is not None:
            layout = self.layout  # type: ignore[assignment]
        fitting = {
            "long": {"annotator", "label", "cluster"},
            "wide": {"annotator", "transpose"} if self.transpose else {"annotators", "cluster"},
            "counts": set[str](),
            "table": set[str](),
            None: {"cluster"},
        }[layout]
        wrong = [option for option, present in given.items() if present and option not in fitting]
        if wrong:
            shape = f"{layout} table" + (" whose rows are annotators" if self.transpose else "")
            raise OptionError(f"`{wrong[0]}` does not fit a {shape}; leave one of the two out.")
        if self.item is not None and (self.transpose or layout == "table"):
            raise OptionError("`item` does not fit a table without an item column; leave it out.")
        return layout


@dataclass(frozen=True, kw_only=True)
class Detected:
    """What a table is, and the sentences that say what of it was a guess."""

    layout: str
    item: str | None = None
    """Column with the items; None if the rows are numbered instead."""
    annotator: str | None = None
    label: str | None = None
    columns: tuple[str, ...] = ()
    """The annotators of a wide table, the labels of one of counts; the items if it is transposed."""
    cluster: str | None = None
    transposed: bool = False
    item_guessed: bool = False
    """The item column was chosen for its place, not for its name."""
    roles: Mapping[str, str] = field(default_factory=dict)
    """Of a table of another kind: what each column is."""
    notes: tuple[str, ...] = ()


def recognise(
    columns: Sequence[str],
    sample: pl.DataFrame,
    said: Overrides,
    *,
    whole: bool,
    nested: frozenset[str] = frozenset(),
    without: Collection[str] = (),
) -> Detected:
    """Return the layout and the roles of the columns.

    Parameters
    ----------
    columns
        The names of all columns.
    sample
        Rows from the beginning of the table, as text, null where a cell is missing.
    said
        What the user said; it always wins.
    whole
        Whether the sample is the whole table.
    nested
        Columns with lists or records in their cells: they hold no label.
    without
        Items that will be left out: a row of totals among them is looked past.

    Raises
    ------
    UnknownColumn
        If a column was said that is not there.
    UnknownLayout
        If it cannot be told what the table is.
    OptionError
        If options do not fit together.
    """
    layout = said.check(columns)
    usable = [name for name in columns if name not in nested]
    if not columns:
        raise UnknownLayout("No column is left that could hold items, annotators and labels: give a table with these.")
    if len(columns) < 2:
        raise UnknownLayout(
            f"The table has only one column, {shown(columns[0])}; if its cells are separated by something else than "
            "comma, semicolon, tab or |, say so with `delimiter`."
        )
    if layout == "long":
        return _long(columns, sample, said)
    if layout == "wide":
        return _transposed(columns, sample, said) if said.transpose else _wide(sample, said, usable, nested)
    if layout == "counts":
        return _counts(columns, sample, said, guessed=False)
    if layout == "table":
        return _table(columns, guessed=False)
    if len(columns) > COLUMNS_RECOGNISED:
        raise UnknownLayout(
            f"The table has {len(columns):,} columns, too many to tell what each is: say `layout` wide if they are annotators and `transpose` "
            "if they are items, or give one row for each annotation."
        )
    if detect_by_values.second_line_of_names(sample):
        raise UnknownLayout(
            "The first row holds texts that no other row holds, as a second line of names does: delete it, "
            "or say what the table is with `layout` if it is an item."
        )
    sample = _without_summaries(sample, without) if whole else sample
    return _guess(columns, sample, said, usable, whole=whole, nested=nested)


def _without_summaries(sample: pl.DataFrame, without: Collection[str]) -> pl.DataFrame:
    """Return the rows above those at the end that sum them up, which must be among the items to leave out."""
    named: list[str] = []
    while (found := detect_by_values.last_row_of_sums(sample)) is not None:
        name, why = found
        if name is None:
            raise UnknownLayout(
                f"The last row {why}, so it is no item: delete it, or say what the table is with `layout` if it is one."
            )
        if name not in without:
            named.append(name)
        reason, sample = why, sample[:-1]
    if named:
        rows = (
            f"The last row, {shown(named[0])}," if len(named) == 1 else f"The last rows, {columns_shown(named[::-1])},"
        )
        verb, them = (
            (reason, "it is no item")
            if len(named) == 1
            else (f"hold{reason.removeprefix('holds')}", "they are no items")
        )
        remedy = {"without": f"items={csv_list(named[::-1])}"}
        raise UnknownLayout(
            f"{rows} {verb}, so {them}: leave {'it' if len(named) == 1 else 'them'} out with {as_options(remedy)}, "
            "or say what the table is with `layout` if it is one.",
            candidates=[remedy],
        )
    return sample


def _guess(
    columns: Sequence[str],
    sample: pl.DataFrame,
    said: Overrides,
    usable: list[str],
    *,
    whole: bool,
    nested: frozenset[str],
) -> Detected:
    """Compare the ways to read a table, and take the best if it is clearly the best."""
    facts = Table(sample)
    free = [name for name in columns if name != said.cluster and name not in nested]
    if said.cluster is None and whole and said.item is None:
        if detect_by_values.is_contingency(columns, sample):
            return _table(columns, guessed=True)
        if detect_by_values.is_half_a_contingency(columns, sample) and not long_readings(facts, None, free):
            raise UnknownLayout(
                "The rows are named like the columns, as in a confusion table of two annotators, but it is not one of whole "
                "numbers with a row for every column: give such a table, or say `layout` wide if each row is an item."
            )
    ways = [
        *_long_ways(columns, facts, said, free),
        *_wide_ways(facts, said, usable, nested, whole=whole),
    ]
    if said.cluster is None:
        ways += _count_ways(columns, facts, said)
    if said.item is None and said.cluster is None:
        ways += _transposed_ways(columns, facts, said, usable, whole=whole)
    ways = sorted((way for way in ways if way.score > 0), key=lambda way: -way.score)
    asking = not ways or ways[0].score < LEAST or ways[0].asked
    by_shape = _ways_by_shape(columns, facts, said, free) if asking else []
    if not ways or ways[0].score < LEAST:
        if by_shape and not ways:
            raise UnknownLayout(_which(columns, by_shape), candidates=[way.options for way in by_shape])
        if (counting := _counts_below_each_other(facts, usable)) is not None:
            raise UnknownLayout(
                f"{shown(counting)} seems to say how many annotators gave an item each label: write one row for each item and one column for "
                "each label, and read it with `layout` counts."
            )
        if detect_by_values.must_be_long(sample, said.item, usable) and (
            detect_by_values.long_roles(sample, said.item, None, None, free) is None
        ):
            # It is not said who annotated, or what; the error asks for it.
            return _long(columns, sample, said)
        if nested and detect_by_values.long_roles(sample, said.item, None, None, [*free, *sorted(nested)]) is not None:
            # What holds the labels holds lists of lists or records, which will be refused.
            return _long(columns, sample, said)
        raise UnknownLayout(_nothing_fits(columns, facts, ways), candidates=[way.options for way in ways])
    if ways[0].asked or (len(ways) > 1 and ways[0].score - ways[1].score < CLEARLY):
        near = [way for way in ways if ways[0].score - way.score < CLEARLY or ways[0].asked][:3]
        near += by_shape[: 3 - len(near)]
        raise UnknownLayout(_which(columns, near), candidates=[way.options for way in near])
    made = ways[0].make()
    _refuse_first_row(made, sample)
    return made


#: What a way to read a table must score at least, and how much better than the next one it must be to be taken.
LEAST, CLEARLY = 2.0, 2.0
#: So many rows at least before what columns do not have in common says something.
ENOUGH = 5
#: Agreement beyond chance that is none.
CHANCE = 0.02


@dataclass(frozen=True, kw_only=True)
class _Way:
    """One way to read a table.

    Parameters
    ----------
    name : str
        What to call it.
    score : float
        What speaks for it: 2 for each column whose name says its part and 1 for one that is found by what it holds; 2 for labels that
        columns share, for items that have several rows (long) or one (wide); less for what speaks against it.
    options : mapping of str to str
        What to say to have the table read so.
    make : callable
    doubt : str
        What makes it doubtful.
    asked : bool
        It is not taken unless it is said, even if there is no other way.
    """

    name: str
    score: float
    options: Mapping[str, str]
    make: Callable[[], Detected]
    doubt: str = ""
    asked: bool = False


def _long_ways(columns: Sequence[str], facts: Table, said: Overrides, free: Sequence[str]) -> list[_Way]:
    ways = []
    for one in long_readings(facts, said.item, free):
        if said.item is None and detect_by_values.mostly_empty_below(facts.sample, one.item):
            raise UnknownLayout(
                f"{shown(one.item)} has a text in some rows and none in those below, as merged cells of a spreadsheet have: write it into "
                "every row that it is meant for, or name another column with `item`."
            )
        options = {"item": one.item, "annotator": one.annotator, "label": one.label}
        make = partial(_long, columns, facts.sample, said, (one.item, one.annotator, one.label), one.others)
        ways.append(
            _Way(name="long", score=one.score, options=options, make=make, doubt=one.doubt, asked=bool(one.doubt))
        )
    if not ways and said.item is None and said.cluster is None:
        unnamed = detect_by_values.long_by_shape(facts.sample, list(free))
        if unnamed is not None and not facts[unnamed[2]].unlikely_labels:
            options = dict(zip(("item", "annotator", "label"), unnamed, strict=True))
            ways.append(
                _Way(name="long", score=6.0, options=options, make=partial(_long, columns, facts.sample, said, unnamed))
            )
    return ways


def _ways_by_shape(columns: Sequence[str], facts: Table, said: Overrides, free: Sequence[str]) -> list[_Way]:
    return [
        _Way(
            name="long",
            score=0.0,
            options={"item": one.item, "annotator": one.annotator, "label": one.label},
            make=partial(_long, columns, facts.sample, said, (one.item, one.annotator, one.label)),
            doubt="no name says who annotated",
            asked=True,
        )
        for one in readings_by_shape(facts, said.item, free)
    ]


def _wide_ways(facts: Table, said: Overrides, usable: list[str], nested: frozenset[str], *, whole: bool) -> list[_Way]:
    sample = facts.sample
    free = [name for name in usable if name not in (said.item, said.cluster)]
    item, first = (said.item, None) if said.item is not None else detect_by_values.item_column(sample, free, None)
    if item is not None and said.item is None and item == first and facts[item].dated:
        item = None
    found = annotator_columns(facts, [name for name in free if name not in (item, first)])
    if len(found.columns) < 2:
        return []
    if said == Overrides() and item is None and detect_by_values.is_a_list(sample, found.columns):
        return []
    named = item is not None and (said.item is not None or detect_by_names.named(item, "item"))
    score = 2.0 if named else 1.0
    score += 2.0 if found.share >= 0.5 else 1.0 if found.share >= SHARED else 0.0
    score += 2.0 if found.people else 0.0
    if item is None or detect_by_values.one_row_each(sample, item):
        score += 2.0
    elif named:
        score -= 3.0
    if detect_by_values.count_like(sample, found.columns) and not found.people:
        ratio, rows = negative_share(sample[list(found.columns)]), sample.height
        score -= (3.0 if ratio <= 0.3 else 1.0 if ratio <= 0.6 else 0.0 if ratio < 1 else -1.0) * (
            0.5 if rows < 5 else 1.0
        )
    doubt = ""
    if detect_by_values.count_like(sample, found.columns) and not found.people and sample.height > 2:
        cells = sample[list(found.columns)].cast(pl.Float64)
        if detect_by_values.one_hot(cells.sum_horizontal()):
            doubt = "each row has a single 1, as one label that is written in columns has"
    if not doubt and not found.people_named and (whole_of := detect_by_values.shares_of_a_whole(facts, found.columns)):
        doubt = f"the numbers of each row add up to {whole_of}, as the shares of labels do, which are no annotations"
    if (times := detect_by_values.frequency_column(facts, found.columns, found.left_out)) is not None:
        doubt = (
            f"{columns_shown([times])} seems to count how often each row occurred, and a row is taken for one item: write each row as often "
            "as it occurred, or give a table of counts with the labels of one annotator in the rows and of the other in the columns"
        )
    elif (tick := detect_by_values.ticks(facts, found.columns)) is not None:
        doubt = f"{shown(tick)} or nothing is all that its cells hold: if nothing means no, write that into the empty cells, which count as missing"
    elif detect_by_names.is_a_calendar(found.columns):
        doubt = "the columns are named like years, months or days, not like annotators"
    elif not found.people and not named and all(facts[name].continuous for name in found.columns):
        doubt = "its columns hold numbers without steps, and no name says that annotators gave them"
    elif 2 * sum(map(detect_by_names.is_a_flag, found.columns)) > len(found.columns):
        doubt = "the columns are named like what is so or not so, not like annotators"
    if sample.height >= ENOUGH and not found.share and not all(facts[name].continuous for name in found.columns):
        doubt = "no label of one column occurs in another, as it does where annotators have the same items before them"
        if len({text.strip() for name in found.columns for text in facts[name].values}) < sum(
            len(facts[name].values) for name in found.columns
        ):
            doubt += " (blanks around them make the difference: add `ignore_case`)"
    labels_as_names = sum(map(detect_by_names.names_a_label, found.columns))
    if labels_as_names * 2 > len(found.columns):
        doubt = "the columns are named like labels, not like annotators"
        if all(facts[name].numeric for name in found.columns) and not detect_by_values.count_like(
            sample, found.columns
        ):
            doubt += " (if each cell counts annotators, write 0 where there is none and say `layout` counts)"
        score -= 3.0
    ways = []
    many = len(found.columns) > max(2, sample.height) and whole
    if many and not named and not all(map(detect_by_names.names_a_person, found.columns)):
        doubt = f"there are more columns ({len(found.columns)}) than rows ({sample.height}), so the rows may be the annotators"
        score = min(score, 4.0)
    elif _asks(found.columns, sample.height):
        doubt = "the columns are named like questions or items, so the rows may be the annotators"
        score = min(score, 4.0)
    if not doubt and item is not None and detect_by_names.names_respondents(item) and not found.people_named:
        doubt = f"{columns_shown([item])} tells apart who answered, so the rows may be the annotators"
        score = min(score, 4.0)
    if not doubt and not found.people_named and _describes_rows(usable):
        doubt = "a column describes people, so the rows may be the annotators"
        score = min(score, 4.0)
    # A column that is called one of items, and not of things that have facts, nor of numbers alone, says enough; and so do letters.
    plain = item is None or detect_by_names.is_identifier(item) or detect_by_names.has_facts(item) or not named
    plain = plain and not (item is not None and detect_by_names.counted_through(found.columns))
    plain = plain or all(facts[name].numeric and len(facts[name].values) > 5 for name in found.columns)
    if not doubt and not found.people_named and plain:
        together = association(facts, found.columns)
        strange = _strange(together)
        # Columns that have nothing in common agree a little by luck, the more so the fewer rows there are.
        luck = CHANCE + (sample.height * len(together) * max(1, len(together) - 1) / 2) ** -0.5 if together else 0.0
        if together and sum(together.values()) <= luck * len(together):
            doubt = "the columns agree no more than chance would have it, as columns of different things do"
        elif strange is not None and not found.doubtful:
            doubt = f"{columns_shown([strange])} has nothing to do with what the others say"
            fewer = [name for name in found.columns if name != strange]
            ways.append(_wide_way(facts, said, usable, nested, item, first, fewer, score, doubt))
    if not doubt and found.doubtful:
        fewer = [name for name in found.columns if name not in found.doubtful]
        doubt = f"{columns_shown(found.doubtful)} may be another annotator or not"
        ways.append(_wide_way(facts, said, usable, nested, item, first, fewer, score, doubt))
    if not doubt and (echo := echo_of_majority(facts, found.columns)) is not None:
        doubt = f"{columns_shown([echo])} says what most of the others say wherever they disagree, as a decision does"
        ways.append(
            _wide_way(facts, said, usable, nested, item, first, [n for n in found.columns if n != echo], score, doubt)
        )
    if not doubt and (grid := detect_by_names.is_a_grid(found.columns)) is not None:
        doubt = "the names of the columns have two parts that go with each other, as several questions or rounds of each annotator have"
        ways += [_wide_way(facts, said, usable, nested, item, first, one, score, doubt) for one in grid[:2]]
        return ways
    for rival in found.rivals if not doubt else ():
        doubt = "several groups of columns hold labels of their own, as several questions do"
        ways.append(_wide_way(facts, said, usable, nested, item, first, rival, score, doubt))
    return [_wide_way(facts, said, usable, nested, item, first, list(found.columns), score, doubt, sure=True), *ways]


def _wide_way(
    facts: Table,
    said: Overrides,
    usable: list[str],
    nested: frozenset[str],
    item: str | None,
    first: str | None,
    annotators: Sequence[str],
    score: float,
    doubt: str,
    *,
    sure: bool = False,
) -> _Way:
    options = {"item": item} if item else {}
    options = {"layout": "wide", **options}
    if len(annotators) <= MANY:
        options["annotators"] = csv_list(annotators)
    chosen = said if sure else replace(said, annotators=tuple(annotators))
    make = partial(_wide, facts.sample, chosen, usable, nested)
    return _Way(name="wide", score=score, options=options, make=make, doubt=doubt, asked=bool(doubt))


def _strange(together: Mapping[str, float]) -> str | None:
    """Return the one column that does not go with the others, which do go together."""
    if len(together) < 3:
        return None
    lowest = min(together, key=lambda name: together[name])
    others = [value for name, value in together.items() if name != lowest]
    return lowest if together[lowest] <= CHANCE and min(others) >= 0.1 else None


def _describes_rows(columns: Sequence[str]) -> bool:
    """Return whether a column describes people and most others are numbered alike, as answers of people in rows are."""
    if not any(map(detect_by_names.is_about_people, columns)):
        return False
    stems = Counter(map(detect_by_names.stem, columns))
    del stems[""]
    return 2 * max(stems.values(), default=0) > len(columns)


def _asks(columns: Sequence[str], rows: int) -> bool:
    asking = sum(map(detect_by_names.is_a_question, columns))
    if rows >= ENOUGH:
        asking += sum(map(detect_by_names.numbers_an_item, columns))
    return 2 * asking > len(columns)


def _count_ways(columns: Sequence[str], facts: Table, said: Overrides) -> list[_Way]:
    sample = facts.sample
    item, held = detect_by_values.count_columns(columns, sample, said.item)
    labels, _ = detect_by_values.without_totals(sample, held)
    if len(labels) < 2 or sample.height < 3 or not detect_by_values.count_like(sample, labels):
        return []
    cells = sample[list(labels)].cast(pl.Float64)
    sums = cells.sum_horizontal()
    least, most = cells.min_horizontal().min(), cells.max_horizontal().max()
    if not most or cells.unpivot()["value"].n_unique() < 2 or (sums.max() < 2 and not detect_by_values.one_hot(sums)):  # type: ignore[operator]
        return []
    ratio = negative_share(sample[list(labels)])
    equal = sums.n_unique() == 1
    strength = 0.5 if sample.height < 5 and not (equal and sums[0] >= 2 and least == 0) else 1.0
    score = 3.0 + (1.0 if item is not None else 0.0)
    score += (4.0 if ratio <= 0.3 else 1.0 if ratio <= 0.6 else -3.0) * strength
    score += 3.0 if equal else 0.0
    score -= 3.0 if least else 0.0
    score -= 4.0 if most == 1 else 0.0
    score -= 4.0 if detect_by_values.one_hot(sums) else 0.0
    named = sum(map(detect_by_names.names_a_label, labels))
    score += 3.0 if 2 * named > len(labels) else 0.0
    if any(map(detect_by_names.names_an_annotator, labels)):
        score -= 8.0
    elif any(map(detect_by_names.names_a_person, labels)):
        score -= 4.0
    make = partial(_counts, columns, sample, said, guessed=True)
    options = {"layout": "counts", "labels": csv_list(labels)}
    summing = [name for name in labels if detect_by_names.names_a_summary(name) or detect_by_names.is_score(name)]
    if len(summing) == len(labels):
        summing = []
    doubt = f"{columns_shown(summing)} may sum up the others, and is no label then" if summing else ""
    way = _Way(name="counts", score=score, options=options, make=make, doubt=doubt, asked=bool(doubt))
    known = [name for name in labels if detect_by_names.names_a_label(name)]
    if way.score < LEAST or not 2 <= len(known) < len(labels) or negative_share(sample[known]) >= ratio:
        return [way]
    # Columns that are called like labels go together better without the others, which may count something else.
    doubt = f"{columns_shown([name for name in labels if name not in known])} may be no label"
    fewer = partial(_counts, columns, sample, replace(said, counts=tuple(known)), guessed=True)
    options = {"layout": "counts", "labels": csv_list(known)}
    return [_Way(name="counts", score=way.score, options=options, make=fewer, doubt=doubt, asked=True), way]


def _transposed_ways(
    columns: Sequence[str], facts: Table, said: Overrides, usable: list[str], *, whole: bool
) -> list[_Way]:
    sample = facts.sample
    make = partial(_transposed, columns, sample, said)
    first = usable[0] if usable else ""
    options = {"transpose": ""} | ({"annotator": first} if first else {})
    # Each column is an item: identifiers and texts are none.
    if len(usable) <= MANY and sum(not facts[name].never_labels for name in usable[1:]) < 2:
        return []
    if detect_by_values.rows_are_annotators(sample, usable):
        items = [name for name in usable[1:] if not detect_by_names.is_other(name)]
        doubt = ""
        if sample.height > len(items):
            doubt = f"there would be more annotators ({sample.height}) than items ({len(items)})"
        elif detect_by_names.is_a_grid(items) is not None:
            doubt = "the names of the columns have two parts that go with each other, as several questions about each item have"
        return [_Way(name="transposed", score=10.0, options=options, make=make, doubt=doubt, asked=bool(doubt))]
    own = first != "" and len(usable) > 1 and detect_by_values.holds_labels(sample, first, usable[1:])
    if own:
        options = {"transpose": ""}
    rest = [name for name in (usable if own else usable[1:]) if not detect_by_names.is_other(name)]
    few = whole and len(rest) > max(2, sample.height) and not detect_by_names.named(first, "item")
    asks = len(rest) > 1 and (
        _asks(rest, sample.height) or detect_by_names.names_respondents(first) or _describes_rows(usable)
    )
    if (few or asks) and not any(map(detect_by_names.names_a_person, rest)):
        return [_Way(name="transposed", score=4.0, options=options, make=make)]
    return []


def _which(columns: Sequence[str], ways: Sequence[_Way]) -> str:
    """Ask which of several ways is meant."""
    differing = [role for role in ("item", "annotator", "label") if len({way.options.get(role) for way in ways}) > 1]
    if all(way.name == "long" for way in ways) and len(differing) == 1:
        role = differing[0]
        can = " or ".join(shown(way.options[role]) for way in ways)
        return (
            f"It cannot be told which column holds the {role} among {columns_shown(columns)}: it can be {can}; "
            f"say it with `{role}`: {_offered(ways)}."
        )
    doubt = next((way.doubt for way in ways if way.doubt), "")
    if len(ways) == 1:
        return f"The table may be {ways[0].name}, but {doubt}: say {_offered(ways)} if it is, or {_WAYS}."
    why = f" ({doubt})" if doubt else ""
    return f"The table can be read in several ways{why}, and none is clearly right: say {_offered(ways)}."


def _offered(ways: Sequence[_Way]) -> str:
    """Return the options that stand for each way, ready to be copied."""
    return ", or ".join(f"{as_options(way.options)} ({way.name})" for way in ways)


def as_options(options: Mapping[str, str]) -> str:
    """Return options with their values as they are given; the command line makes flags of their names.

    Examples
    --------
    >>> as_options({"item": "id", "label": "my label"})
    "`item` id `label` 'my label'"
    """
    return " ".join(
        f"`{name}` {shlex.quote(escaped(value))}" if value else f"`{name}`" for name, value in options.items()
    )


def csv_list(names: Sequence[str]) -> str:
    """Return names in one text, those with a comma in quotes."""
    return ",".join(f'"{name}"' if "," in name or name != name.strip() else name for name in names)


def _nothing_fits(columns: Sequence[str], facts: Table, ways: Sequence[_Way]) -> str:
    """Say why the table cannot be read."""
    offered = f"; it may be {_offered(ways[:2])}" if ways else ""
    why = [(name, facts[name].unlikely_labels) for name in columns[:40] if name and name in facts.sample.columns]
    named = next(
        (
            f" ({shown(name)} holds {reason}, not labels)"
            for name, reason in why
            if reason and detect_by_names.named(name, "label")
        ),
        "",
    )
    return f"It cannot be told who annotated and which column holds the labels among {columns_shown(columns)}{named}{offered}; {_WAYS}."


def _long(
    columns: Sequence[str],
    sample: pl.DataFrame,
    said: Overrides,
    roles: tuple[str, str, str] | None = None,
    others: Sequence[str] = (),
) -> Detected:
    free = [name for name in columns if name != said.cluster]
    roles = roles or detect_by_values.long_roles(sample, said.item, said.annotator, said.label, free)
    if roles is None:
        lacking = [
            role
            for role, name in (("item", said.item), ("annotator", said.annotator), ("label", said.label))
            if name is None and not detect_by_names.find(role, free)
        ] or ["item", "annotator", "label"]
        options = " and ".join(f"`{role}`" for role in lacking)
        raise UnknownLayout(
            f"It cannot be told which column holds the {' and the '.join(lacking)} among {columns_shown(columns)}; "
            f"say it with {options}."
        )
    item, annotator, label = roles
    notes: list[str] = []
    if None in (said.item, said.annotator, said.label):
        notes.append(
            ReadingNote(
                f"Read as long: item = {shown(item)}, annotator = {shown(annotator)}, label = {shown(label)}",
                "`item`, `annotator`, `label`",
                code="table",
            )
        )
    if others and said.label is None:
        notes.append(f"{columns_shown(others)} may hold labels, too (take them with `label`).")
    notes += _header_note([item, annotator, label], sample)
    return Detected(
        layout="long", item=item, annotator=annotator, label=label, cluster=said.cluster, notes=tuple(notes)
    )


def _wide(sample: pl.DataFrame, said: Overrides, usable: list[str], nested: frozenset[str]) -> Detected:
    free = [name for name in usable if name not in (said.item, said.cluster, *(said.annotators or ()))]
    item, first = (
        (said.item, None) if said.item is not None else detect_by_values.item_column(sample, free, said.annotators)
    )
    facts = Table(sample)
    if item is not None and said.item is None and item == first and facts[item].dated:
        item = None
    decisions: tuple[str, ...] = ()
    if said.annotators is not None:
        annotators, others = list(said.annotators), list[str]()
    else:
        left = [name for name in free if name not in (item, first)]
        found = annotator_columns(facts, left)
        annotators, others, decisions = list(found.columns), list(found.left_out), found.decisions
        if len(annotators) < 2:
            # It was said that the columns are annotators, whatever they hold.
            annotators = [name for name in left if name and not detect_by_names.is_other(name)]
            others, decisions = [name for name in left if name not in annotators], ()
        elif found.rivals and said.layout == "wide":
            groups = [found.columns, *found.rivals][:3]
            offered = ", or ".join(as_options({"annotators": csv_list(group)}) for group in groups)
            raise UnknownLayout(
                f"Several groups of columns hold labels of their own, as several questions do: say {offered}.",
                candidates=[{"annotators": csv_list(group)} for group in groups],
            )
        others += [name for name in (first,) if name is not None and name != item] + sorted(nested)
    if len(annotators) < 2:
        seen = columns_shown(list(sample.columns))
        raise UnknownLayout(f"It cannot be told who annotated and which column holds the labels among {seen}; {_WAYS}.")
    notes: list[str] = []
    if said.item is None or said.annotators is None:
        where = (
            "the number of the row" if item is None else shown(item) if item else "the first column, which has no name"
        )
        notes.append(
            ReadingNote(
                f"Read as wide: item = {where}, annotators = {columns_shown(annotators)}",
                "`item`, `annotators`",
                code="table",
            )
        )
    if others:
        notes.append(ReadingNote(f"Left out as not being annotators: {columns_shown(others)}", "`annotators`"))
    if decisions:
        notes.append(
            f"By its name {columns_shown(decisions)} holds what was decided in the end, not what an annotator said: it can serve as gold "
            "(take it for an annotator with `annotators`)."
        )
    if said.annotators is None:
        notes += detect_by_values.stranger_notes(facts, annotators)
        notes += _header_note(annotators, sample)
        if len(annotators) > max(2, sample.height):
            notes.append(
                f"There are more annotators ({len(annotators)}) than items ({sample.height}): "
                "if the rows are annotators and the columns items, say `transpose`."
            )
    return Detected(
        layout="wide",
        item=item,
        columns=tuple(annotators),
        cluster=said.cluster,
        item_guessed=item is not None and item == first,
        notes=tuple(notes),
    )


def _transposed(columns: Sequence[str], sample: pl.DataFrame, said: Overrides) -> Detected:
    annotator = said.annotator
    if annotator is None and not detect_by_values.holds_labels(sample, columns[0], columns[1:]):
        annotator = columns[0]
    facts = Table(sample)
    items = [name for name in columns if name != annotator]
    answers = _answer_columns(facts, items) if len(items) <= MANY else items
    others = [name for name in items if name not in answers] if len(answers) > 1 else []
    items = [name for name in items if name not in others]
    where = "the number of the row" if annotator is None else shown(annotator) if annotator else "the first column"
    notes: list[str] = []
    if said.annotator is None:
        notes.append(
            ReadingNote(
                f"Read as wide with a row for each annotator: annotator = {where}, items = {columns_shown(items)}",
                "`layout` wide",
                code="table",
            )
        )
    if others:
        notes.append(f"Left out as not being items: {columns_shown(others)}.")
    return Detected(layout="wide", annotator=annotator, columns=tuple(items), transposed=True, notes=tuple(notes))


def _answer_columns(facts: Table, columns: Sequence[str]) -> list[str]:
    """Return the columns of a table of annotators in rows that hold their labels: not what is known of the annotators, or when they answered."""
    left = [
        name
        for name in columns
        if name and not detect_by_names.is_other(name) and not facts[name].never_labels and not facts[name].written
    ]
    # Beside numbered items or questions, what is called otherwise and holds other texts was not asked: age, gender, language.
    stems = Counter(map(detect_by_names.stem, left))
    asked = [
        name
        for name in left
        if detect_by_names.is_a_question(name)
        or (detect_by_names.stem(name) and 2 * stems[detect_by_names.stem(name)] > len(left))
    ]
    if 2 * len(asked) > len(left):
        held = frozenset[str]().union(*(facts[name].values for name in asked))
        return [name for name in left if name in asked or not held.isdisjoint(facts[name].values)]
    # So is what holds several texts that no other column holds, where every other column shares all of its own.
    times = Counter(text for name in left for text in facts[name].values)
    apart = [
        name for name in left if len(facts[name].values) > 1 and all(times[text] == 1 for text in facts[name].values)
    ]
    closed = all(times[text] > 1 for name in left if name not in apart for text in facts[name].values)
    return [name for name in left if name not in apart] if closed and facts.sample.height >= ENOUGH else left


def _counts(columns: Sequence[str], sample: pl.DataFrame, said: Overrides, *, guessed: bool) -> Detected:
    if said.counts:
        labels = kept = list(said.counts)
        named = detect_by_names.find("item", [name for name in columns if name not in labels])
        item, totals = said.item or next(iter(named), None), list[str]()
    else:
        item, labels = detect_by_values.count_columns(columns, sample, said.item)
        kept, totals = detect_by_values.without_totals(sample, labels)
    others = [name for name in columns if name not in {item, *labels}]
    notes: list[str] = [
        ReadingNote(
            f"Read as counts: each row an item, each of {columns_shown(kept)} a label with the number of annotators who gave it",
            "`layout` wide, or `labels`" if guessed else "" if said.counts else "`labels`",
            code="table",
        )
    ]
    if totals:
        notes.append(f"Left out as a total: {columns_shown(totals)}.")
    if others:
        notes.append(f"Left out as not being counts: {columns_shown(others)}.")
    if len(kept) < 2:
        raise UnknownLayout(f"A table of counts needs at least two label columns, not {len(kept)}; {_WAYS}.")
    return Detected(layout="counts", item=item, columns=tuple(kept), notes=tuple(notes))


def _table(columns: Sequence[str], *, guessed: bool) -> Detected:
    notes: list[str] = []
    if guessed:
        notes.append(
            ReadingNote(
                "Read as a table of two annotators, one in the rows and one in the columns",
                "`layout` wide",
                code="table",
            )
        )
    return Detected(layout="table", columns=tuple(columns), notes=tuple(notes))


def _counts_below_each_other(facts: Table, columns: Sequence[str]) -> str | None:
    """Return the column that counts how often an item has a label, if each row is an item with one of its labels."""
    times = [name for name in columns if detect_by_names.names_frequencies(name) and facts[name].numeric]
    found = {
        role: detect_by_names.find(role, [name for name in columns if name not in times]) for role in ("item", "label")
    }
    if not times or not found["item"] or not found["label"] or detect_by_names.find("annotator", columns):
        return None
    item, label = found["item"][0], found["label"][0]
    return times[0] if facts.repeats(item) and not facts.repeats(item, label) else None


def _refuse_first_row(found: Detected, sample: pl.DataFrame) -> None:
    """Refuse a table whose names are cells of their own columns: its first line is a row."""
    roles = (found.item, found.annotator, found.label) if found.layout == "long" else found.columns
    names = [name for name in roles if name is not None]
    if found.layout not in ("long", "wide") or found.transposed or not _names_are_cells(names, sample):
        return
    if found.layout == "wide" and detect_by_names.counted_through(names):
        # Annotators are numbered like that; a note says it.
        return
    raise UnknownLayout(
        f"The first line was read as the names of the columns, but {columns_shown(names)} are also in the cells below them, as in a row of "
        f"data: put a line of names above it, or say `layout` {found.layout} if they are names."
    )


def _names_are_cells(names: Sequence[str], sample: pl.DataFrame) -> bool:
    return all(name and name in detect_by_values.values(sample, name) for name in names)


def _header_note(columns: Sequence[str], sample: pl.DataFrame) -> list[str]:
    """Say so if the line that was taken for the names of the columns looks like a row."""
    if _names_are_cells(columns, sample) or all(detect_by_values.is_number(name) for name in sample.columns):
        return [
            ReadingNote(
                f"The first line was read as the names of the columns ({columns_shown(list(sample.columns))}); "
                "if it is a row of data, put a line of names above it",
                code="first-line",
            )
        ]
    return []
