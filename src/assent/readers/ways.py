"""The ways in which a table can be read, and what speaks for and against each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import polars as pl
from msgspec.structs import replace

from assent.errors import UnknownLayout
from assent.option_texts import comma_separated
from assent.readers import detect_by_names, detect_by_values
from assent.readers.column_facts import Table
from assent.readers.detected import (
    ENOUGH,
    WAYS,
    Detected,
    as_options,
    counts_table,
    csv_list,
    long_table,
    transposed_table,
    wide_table,
)
from assent.readers.long_columns import long_readings, readings_by_shape
from assent.readers.overrides import Overrides
from assent.readers.tables import columns_shown
from assent.readers.wide_columns import (
    MANY,
    SHARED,
    annotator_columns,
    association,
    differ_in_size,
    echo_of_majority,
    negative_share,
)
from assent.records import Struct
from assent.text import shown

__all__ = [
    "CLEARLY", "LEAST", "Way", "count_ways", "long_ways", "nothing_fits", "transposed_ways", "ways_by_shape", "which", "wide_ways", "with_whole_items",
]  # fmt: skip

#: What a way to read a table must score at least, and how much better than the next one it must be to be taken.
LEAST, CLEARLY = 2.0, 2.0
#: Hardly any set of labels is larger: a column of more texts, or of texts that somebody wrote, names no labels, but holds what was rated.
MOST_TALLIED = 20
#: Agreement beyond chance that is none.
CHANCE = 0.02


class Way(Struct, frozen=True, kw_only=True):
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


def long_ways(columns: Sequence[str], facts: Table, said: Overrides, free: Sequence[str]) -> list[Way]:
    """Return the ways to read each row as an annotation."""
    ways = []
    for one in long_readings(facts, said.item, free):
        for role, name in (("item", one.item), ("annotator", one.annotator)):
            if name != said.item and detect_by_values.mostly_empty_below(facts.sample, name):
                raise UnknownLayout(
                    f"{shown(name)} has a text in some rows and none in those below, as merged cells of a spreadsheet have: write it into "
                    f"every row that it is meant for, or name another column with `{role}`."
                )
        options = {"item": one.item, "annotator": one.annotator, "label": one.label}
        make = partial(long_table, columns, facts.sample, said, (one.item, one.annotator, one.label), one.others)
        ways.append(
            Way(name="long", score=one.score, options=options, make=make, doubt=one.doubt, asked=bool(one.doubt))
        )
    if not ways and said.item is None and said.cluster is None:
        unnamed = detect_by_values.long_by_shape(facts.sample, list(free))
        if unnamed is not None and not facts[unnamed[2]].unlikely_labels:
            options = dict(zip(("item", "annotator", "label"), unnamed, strict=True))
            ways.append(
                Way(
                    name="long",
                    score=6.0,
                    options=options,
                    make=partial(long_table, columns, facts.sample, said, unnamed),
                )
            )
    return ways


def ways_by_shape(columns: Sequence[str], facts: Table, said: Overrides, free: Sequence[str]) -> list[Way]:
    """Return the ways to read each row as an annotation where no name says who annotated."""
    return [
        Way(
            name="long",
            score=0.0,
            options={"item": one.item, "annotator": one.annotator, "label": one.label},
            make=partial(long_table, columns, facts.sample, said, (one.item, one.annotator, one.label)),
            doubt="no name says who annotated",
            asked=True,
        )
        for one in readings_by_shape(facts, said.item, free)
    ]


def wide_ways(facts: Table, said: Overrides, usable: list[str], nested: frozenset[str], *, whole: bool) -> list[Way]:
    """Return the ways to read each row as an item."""
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
    elif item is not None and said.item is None and detect_by_values.mostly_empty_below(sample, item):
        doubt = (
            f"{shown(item)} has a text in some rows and none in those below, as merged cells of a spreadsheet have: write it into every row that "
            "it is meant for"
        )
    elif detect_by_values.last_row_of_sums(sample, least=3):
        doubt = "its last row sums up the others, as that of totals does"
    elif item is not None and (
        keys := [one for one in (sample[item][0], sample[item][-1]) if one and detect_by_names.names_a_key(one)]
    ):
        doubt = f"the row {shown(keys[0])} seems to hold what is right, and no item"
    elif not found.people_named and detect_by_names.are_occasions(found.columns):
        doubt = "the columns are named like times, sides, versions or languages of the same thing, not like annotators"
    elif (again := detect_by_names.named_twice(found.columns)) is not None:
        doubt = f"{shown(again)} is what a second column of that name is called, as that of another question or another time"
    elif item is not None and _tallies(facts, item, found.columns):
        doubt = f"{shown(item)} seems to name labels, and the numbers beside it how often annotators gave them"
    elif detect_by_names.is_a_calendar(found.columns):
        doubt = "the columns are named like years, months or days, not like annotators"
    elif not found.people and not named and all(facts[name].continuous for name in found.columns):
        doubt = "its columns hold numbers without steps, and no name says that annotators gave them"
    elif 2 * sum(map(detect_by_names.is_a_flag, found.columns)) > len(found.columns):
        doubt = "the columns are named like what is so or not so, not like annotators"
    elif 2 * sum(map(detect_by_names.names_a_percentage, found.columns)) > len(found.columns):
        doubt = "the columns are named like shares, which are no annotations"
    elif item is not None and not found.decisions and detect_by_names.may_be_facts(item, found.columns):
        doubt = f"the columns may be what is known of each {shown(item)}, not annotators"
    elif 2 * sum(map(detect_by_names.names_a_quality, found.columns)) > len(found.columns):
        doubt = "the columns are named like qualities that were judged, not like annotators"
    elif not found.people_named and differ_in_size(facts, found.columns):
        doubt = "the numbers of its columns differ in size, as those of different things do"
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
    people = item is not None and detect_by_names.names_a_person(item)
    if many and not named and (people or not all(map(detect_by_names.names_a_person, found.columns))):
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
) -> Way:
    options = {"item": item} if item else {}
    options = {"layout": "wide", **options}
    if len(annotators) <= MANY:
        options["annotators"] = csv_list(annotators)
    chosen = said if sure else replace(said, annotators=tuple(annotators))
    make = partial(wide_table, facts, chosen, usable, nested)
    return Way(name="wide", score=score, options=options, make=make, doubt=doubt, asked=bool(doubt))


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


def _tallies(facts: Table, item: str, columns: Sequence[str]) -> bool:
    """Return whether rows may be labels, with how often each annotator gave them."""
    few = facts.sample.height <= MOST_TALLIED and not facts[item].prose
    return few and detect_by_names.named(item, "label") and all(facts[name].numeric for name in columns)


def _asks(columns: Sequence[str], rows: int) -> bool:
    asking = sum(map(detect_by_names.is_a_question, columns))
    if rows >= ENOUGH:
        asking += sum(map(detect_by_names.numbers_an_item, columns))
    return 2 * asking > len(columns)


def count_ways(columns: Sequence[str], facts: Table, said: Overrides) -> list[Way]:
    """Return the ways to read each cell as a number of annotators."""
    sample = facts.sample
    item, held = detect_by_values.count_columns(columns, facts, said.item)
    labels, _ = detect_by_values.without_totals(sample, held)
    if len(labels) < 2 or sample.height < 3 or not detect_by_values.count_like(sample, labels):
        return []
    if 2 * sum(map(detect_by_names.names_a_percentage, labels)) > len(labels):
        # Shares do not say how many annotators there were.
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
    make = partial(counts_table, columns, sample, said, guessed=True)
    options = {"layout": "counts", "labels": csv_list(labels)}
    summing = [name for name in labels if detect_by_names.names_a_summary(name) or detect_by_names.is_score(name)]
    if len(summing) == len(labels):
        summing = []
    doubt = f"{columns_shown(summing)} may sum up the others, and is no label then" if summing else ""
    way = Way(name="counts", score=score, options=options, make=make, doubt=doubt, asked=bool(doubt))
    known = [name for name in labels if detect_by_names.names_a_label(name)]
    if way.score < LEAST or not 2 <= len(known) < len(labels) or negative_share(sample[known]) >= ratio:
        return [way]
    # Columns that are called like labels go together better without the others, which may count something else.
    doubt = f"{columns_shown([name for name in labels if name not in known])} may be no label"
    fewer = partial(counts_table, columns, sample, replace(said, counts=tuple(known)), guessed=True)
    options = {"layout": "counts", "labels": csv_list(known)}
    return [Way(name="counts", score=way.score, options=options, make=fewer, doubt=doubt, asked=True), way]


def transposed_ways(
    columns: Sequence[str], facts: Table, said: Overrides, usable: list[str], *, whole: bool
) -> list[Way]:
    """Return the way to read each row as an annotator, if something speaks for it."""
    sample = facts.sample
    make = partial(transposed_table, columns, sample, said)
    # A time comes before the name of who filled a form in.
    who = [name for name in usable if detect_by_names.named(name, "annotator") and not facts.repeats(name)]
    timed = bool(usable) and facts[usable[0]].dated
    first = (who[0] if timed and who else usable[0]) if usable else ""
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
        return [Way(name="transposed", score=10.0, options=options, make=make, doubt=doubt, asked=bool(doubt))]
    own = first != "" and len(usable) > 1 and detect_by_values.holds_labels(sample, first, usable[1:])
    if own:
        options = {"transpose": ""}
    rest = [name for name in (usable if own else usable[1:]) if not detect_by_names.is_other(name)]
    few = whole and len(rest) > max(2, sample.height) and not detect_by_names.named(first, "item")
    asks = len(rest) > 1 and (
        _asks(rest, sample.height) or detect_by_names.names_respondents(first) or _describes_rows(usable)
    )
    people = few and detect_by_names.names_a_person(first) and not detect_by_names.stem(first)
    if (few or asks) and (people or not any(map(detect_by_names.names_a_person, rest))):
        return [Way(name="transposed", score=4.0, options=options, make=make)]
    return []


def with_whole_items(way: Way, facts: Table, columns: Sequence[str]) -> Way | None:
    """Return a way whose items an annotator has once each, with a further column that makes such items if need be; None if there is none."""
    item = way.options.get("item")
    if item is None or way.name not in ("long", "wide"):
        return way
    keys = [item, *([way.options["annotator"]] if way.name == "long" else [])]
    if not facts.repeats(*keys):
        return way
    taken = {*keys, way.options.get("label"), *comma_separated(way.options.get("annotators", ""))}
    for name in [one for one in columns if one and one not in taken and not detect_by_names.is_other(one)]:
        if not facts.repeats(*keys, name) and facts.repeats(name) and "," not in item + name:
            if detect_by_names.named(name, "annotator"):
                # Who annotated does not make an item.
                return None
            doubt = way.doubt or f"{columns_shown([item])} alone does not tell items apart"
            return replace(way, options={**way.options, "item": f"{item},{name}"}, doubt=doubt)
    return None


def which(columns: Sequence[str], ways: Sequence[Way]) -> str:
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
        doubt = doubt or "another reading is nearly as likely"
        return f"The table may be {ways[0].name}, but {doubt}: say {_offered(ways)} if it is, or {WAYS}."
    why = f" ({doubt})" if doubt else ""
    return f"The table can be read in several ways{why}, and none is clearly right: say {_offered(ways)}."


def _offered(ways: Sequence[Way]) -> str:
    """Return the options that stand for each way, ready to be copied."""
    return ", or ".join(f"{as_options(way.options)} ({way.name})" for way in ways)


def nothing_fits(columns: Sequence[str], facts: Table, ways: Sequence[Way]) -> str:
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
    empty = [name for name, _ in why if facts.sample[name].null_count() == facts.sample.height]
    if empty and not named:
        named = f" (of the rows that were looked at, none has anything in {columns_shown(empty)})"
    return f"It cannot be told who annotated and which column holds the labels among {columns_shown(columns)}{named}{offered}; {WAYS}."
