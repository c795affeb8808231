"""What the cells of a table say about its layout, where the names of the columns do not."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from assent.readers import detect_by_names
from assent.readers.column_facts import NUMBER, Table, filled_cells, filled_rows
from assent.text import shown

__all__ = [
    "WHOLE", "count_columns", "count_like", "frequency_column", "holds_labels", "is_a_list", "is_contingency", "is_half_a_contingency", "is_number",
    "item_column", "last_row_of_sums", "long_by_shape", "long_roles", "looks_wide", "mostly_empty_below", "must_be_long", "one_hot", "one_row_each", "rows_are_annotators", "second_line_of_names",
    "shares_of_a_whole", "stranger_notes", "ticks", "values", "without_totals",
]  # fmt: skip

WHOLE = r"^[0-9]{1,15}(\.0+)?$"
"""A count: a whole number that a float can hold."""
_SHARE = r"^[+-]?([0-9]+([.,][0-9]+)?|[.,][0-9]+) ?%?$"
"""A number, or a percentage."""
_ENOUGH = 5
"""So many rows at least, before what they have in common is no accident."""
_HARDLY = 0.2
"""A share of cells that is next to none; several rows at the end may sum up those above."""
_MANY = 100
"""With more columns than that, not every one is looked into."""


def values(sample: pl.DataFrame, column: str) -> frozenset[str]:
    """Return the different texts in a column."""
    return frozenset(filled_cells(sample, column))


def is_number(text: str) -> bool:
    """Return whether a text is a number, with a decimal point or comma."""
    return re.search(NUMBER, text) is not None


def _numeric(sample: pl.DataFrame, column: str) -> bool:
    return all(re.fullmatch(NUMBER, text) for text in values(sample, column))


def _whole_numbers(sample: pl.DataFrame, *columns: str) -> bool:
    """Return whether these columns hold whole numbers, 0 or more, without gaps."""
    if not columns or any(not re.search(WHOLE, sample[name][0] or "") for name in columns if sample.height):
        return False
    tests = sample[list(columns)].select(pl.all().str.contains(WHOLE).fill_null(False).all())
    return all(tests.row(0))


def _repeats(sample: pl.DataFrame, columns: Sequence[str]) -> bool:
    """Return whether a row has the same texts in these columns as another."""
    filled, different = filled_rows(sample, *columns)
    return different < filled


def _alike(first: frozenset[str], second: frozenset[str]) -> bool:
    return 2 * len(first & second) >= min(len(first), len(second)) > 0


# Long tables


def long_roles(
    sample: pl.DataFrame, item: str | None, annotator: str | None, label: str | None, columns: Sequence[str]
) -> tuple[str, str, str] | None:
    """Return the item, annotator and label columns of a long table, those said and those found.

    Two of the three that are said or named lead to the third, if only one column can be it.
    """
    said = {"item": item, "annotator": annotator, "label": label}
    roles = {role: name for role, name in said.items() if name is not None}
    for role in said:
        if role not in roles:
            found = [name for name in detect_by_names.find(role, columns) if name not in roles.values()]
            if found and (detect_by_names.named(found[0], role) or len(found) == 1):
                roles[role] = found[0]
    lacking = [role for role in said if role not in roles]
    if len(lacking) == 1:
        left = [name for name in columns if name not in roles.values() and _can_be(lacking[0], name, sample, roles)]
        if len(left) == 1:
            roles[lacking[0]] = left[0]
    if len(roles) < 3:
        return None
    return roles["item"], roles["annotator"], roles["label"]


def _can_be(role: str, name: str, sample: pl.DataFrame, roles: dict[str, str]) -> bool:
    if role == "label":
        return not detect_by_names.is_other(name) and name != ""
    if role == "annotator":
        # An item with several rows shows that there are several annotators, each once per item.
        return (
            not detect_by_names.is_other(name)
            and _repeats(sample, [roles["item"]])
            and not _repeats(sample, [roles["item"], name])
        )
    return not _repeats(sample, [name, roles["annotator"]]) and _repeats(sample, [name])


def must_be_long(sample: pl.DataFrame, item: str | None, columns: Sequence[str]) -> bool:
    """Return whether a table is long although not all of its three columns were found.

    So it is if it has a column of labels by name, and either one of annotators that are not labels themselves
    or items with several rows each.
    """
    found = {
        role: [n for n in detect_by_names.find(role, columns) if detect_by_names.named(n, role)]
        for role in ("item", "annotator", "label")
    }
    if not found["label"]:
        return False
    labels = values(sample, found["label"][0])
    if found["annotator"] and not _alike(values(sample, found["annotator"][0]), labels):
        return True
    items = [item] if item is not None else found["item"]
    return bool(items) and not one_row_each(sample, items[0])


def one_row_each(sample: pl.DataFrame, item: str) -> bool:
    """Return whether hardly an item has two rows."""
    # A few items may have come in twice by mistake.
    filled, different = filled_rows(sample, item)
    return different > 0.8 * filled


def looks_wide(sample: pl.DataFrame, item: str, annotator: str, label: str) -> bool:
    """Return whether the "annotators" are labels: each item has one row and both columns hold the same texts."""
    return sample.height > 1 and one_row_each(sample, item) and _alike(values(sample, annotator), values(sample, label))


def long_by_shape(sample: pl.DataFrame, columns: Sequence[str]) -> tuple[str, str, str] | None:
    """Return the roles of three columns without telling names, if only one way to read them makes sense.

    Two columns together must be different in each row, as items with annotators are, and no other two;
    the one of them with clearly more different texts holds the items.
    """
    if len(columns) != 3 or sample.height < 4 or any(map(detect_by_names.names_frequencies, columns)):
        return None
    keys = [
        (first, second, third)
        for first, second, third in (
            columns,
            (columns[0], columns[2], columns[1]),
            (columns[1], columns[2], columns[0]),
        )
        if not _repeats(sample, [first, second])
    ]
    if len(keys) != 1:
        return None
    first, second, label = keys[0]
    if any(detect_by_names.named(name, "label") for name in (first, second)):
        return None
    sizes = {name: len(values(sample, name)) for name in columns}
    if sizes[first] < sizes[second]:
        first, second = second, first
    # Labels are few and do not look like the annotators, or the table may be wide.
    few = sizes[label] * 2 <= sizes[first]
    if sizes[first] < 2 * sizes[second] or not few or _alike(values(sample, second), values(sample, label)):
        return None
    return first, second, label


# Wide tables


def item_column(
    sample: pl.DataFrame, free: Sequence[str], annotators: Sequence[str] | None
) -> tuple[str | None, str | None]:
    """Return the column with the items of a wide table, and the one that stands in its place.

    A telling name comes first; else it is the first column, unless that looks like an annotator's or
    repeats itself. The rows are the items if there is none.
    """
    named = [name for name in detect_by_names.find("item", free) if not detect_by_names.names_an_annotator(name)]
    if named and detect_by_names.named(named[0], "item"):
        return _identifying(sample, named), None
    # Of columns that end in "id" the one that tells all rows apart.
    named.sort(key=lambda name: _repeats(sample, [name]))
    first = free[0] if free else None
    if first and annotators is None and (len(free) == 2 or holds_labels(sample, first, free[1:])):
        first = None
    if named:
        return named[0], None
    if first is not None and _repeats(sample, [first]):
        return None, first
    return first, first


def _identifying(sample: pl.DataFrame, columns: Sequence[str]) -> str:
    """Return the likeliest column of items; where that holds sentences, one that has a name of one word for every row."""

    def spaced(name: str) -> bool:
        return any(re.search(r"\S\s+\S", text) for text in filled_cells(sample, name))

    first, *others = columns
    if not others or not spaced(first):
        return first
    # A column without gaps in which every cell is another one.
    whole = (name for name in others if filled_rows(sample, name) == (sample.height, sample.height))
    return next((name for name in whole if not spaced(name)), first)


def holds_labels(sample: pl.DataFrame, column: str, others: Sequence[str]) -> bool:
    """Return whether a column looks like that of an annotator, by its name or because it holds what the others hold."""
    if column == "":
        return False
    if detect_by_names.names_an_annotator(column):
        return True
    stem = detect_by_names.stem(column)
    if (
        stem
        and not detect_by_names.named(column, "item")
        and sum(detect_by_names.stem(name) == stem for name in others) * 2 > len(others)
    ):
        return True
    if detect_by_names.named(column, "annotator") or not _repeats(sample, [column]):
        return False
    return _alike(values(sample, column), frozenset[str]().union(*(values(sample, name) for name in others)))


def stranger_notes(facts: Table, annotators: Sequence[str]) -> list[str]:
    """Say which columns have no text in common with the others, as columns that are no annotators have."""
    if len(annotators) > _MANY or all(facts[name].numeric for name in annotators):
        return []
    held = {name: facts[name].values for name in annotators}
    strangers = [
        name
        for name in annotators
        if held[name]
        and not held[name] & frozenset[str]().union(*(held[other] for other in annotators if other != name))
    ]
    if not strangers:
        return []
    which = " and ".join(shown(name) for name in strangers[:4])
    return [
        f"No label in {which} occurs in another column: if that is no annotator, name the annotators with `annotators`."
    ]


def is_a_list(sample: pl.DataFrame, columns: Sequence[str]) -> bool:
    """Return whether two columns are items with a label each rather than two annotators."""
    if len(columns) != 2 or sample.height < 2 or all(_numeric(sample, name) for name in columns):
        return False
    if holds_labels(sample, columns[0], columns[1:]):
        return False
    return not _repeats(sample, columns[:1]) and values(sample, columns[0]).isdisjoint(values(sample, columns[1]))


def rows_are_annotators(sample: pl.DataFrame, columns: Sequence[str]) -> bool:
    """Return whether the first column names the annotators and the others are items, as R's packages write it."""
    first = columns[0] if columns else ""
    if len(columns) < 3 or sample.height < 2 or filled_rows(sample, first) != (sample.height, sample.height):
        return False
    if detect_by_names.find("label", columns) or any(detect_by_names.named(name, "item") for name in columns):
        return False
    if detect_by_names.named(first, "annotator"):
        return True
    return first == "" and all(detect_by_names.names_an_annotator(text) for text in values(sample, first))


# Tables of numbers


def count_columns(columns: Sequence[str], facts: Table, item: str | None) -> tuple[str | None, list[str]]:
    """Return the item column, if there is one, and the columns that may hold counts."""
    sample = facts.sample
    if item is None:
        first = columns[0]
        named = [name for name in detect_by_names.find("item", columns) if detect_by_names.named(name, "item")]
        if first == "" or first in named or not _whole_numbers(sample, first):
            item = first
        elif named:
            # "Units" and "id" tell items apart, also if they are numbers and stand last.
            item = named[0]
        elif (not _equal_sums(sample, columns) and _equal_sums(sample, columns[1:])) or _counts_rows(sample, first):
            item = first
    others = {
        name
        for name in columns
        if detect_by_names.is_identifier(name)
        or facts[name].written
        or (
            (detect_by_names.is_other(name) or detect_by_names.names_a_share(name)) and not _whole_numbers(sample, name)
        )
    }
    return item, [name for name in columns if name != item and name not in others]


def _counts_rows(sample: pl.DataFrame, column: str) -> bool:
    """Return whether a column numbers the rows."""
    numbers = sample[column].alias("").cast(pl.Float64)
    return numbers.len() > 3 and bool((numbers.diff().drop_nulls() == 1).all())


def count_like(sample: pl.DataFrame, columns: Sequence[str]) -> bool:
    """Return whether these columns hold whole numbers, 0 or more, without gaps, as counts do."""
    return len(columns) > 1 and _whole_numbers(sample, *columns)


def one_hot(sums: pl.Series) -> bool:
    """Return whether each row has a single 1, as one label written in columns has."""
    return bool((sums == 1).all())


def _equal_sums(sample: pl.DataFrame, columns: Sequence[str]) -> bool:
    if not _whole_numbers(sample, *columns):
        return False
    return sample[list(columns)].cast(pl.Float64).sum_horizontal().n_unique() == 1


def without_totals(sample: pl.DataFrame, labels: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the label columns without one that holds the sums of the others, and that one."""
    if len(labels) < 3 or len(labels) > _MANY or not _whole_numbers(sample, *labels):
        return list(labels), []
    numbers = sample[list(labels)].cast(pl.Float64)
    sums = numbers.sum_horizontal()
    for name in labels:
        # So many rows do not add up by chance.
        likely = detect_by_names.names_a_summary(name) or sample.height >= _ENOUGH
        if likely and sums.max() and (sums == 2 * numbers[name].alias("")).all():
            return [other for other in labels if other != name], [name]
    # A column called "count" may be the sum of all but one, which is the label that most gave, or a number of its own.
    for name in filter(detect_by_names.names_a_summary, labels if sample.height >= _ENOUGH and len(labels) > 3 else ()):
        for beside in (other for other in labels if other != name):
            if ((sums - numbers[beside].alias("")) == 2 * numbers[name].alias("")).all():
                return [other for other in labels if other not in (name, beside)], [name, beside]
    return list(labels), []


def last_row_of_sums(sample: pl.DataFrame, least: int = _ENOUGH) -> tuple[str | None, str] | None:
    """Return the name of the last row, if it has one, and what makes it a summary of the others; None if it is a row like them.

    So it is if its numbers are the sums of its columns, or if it holds numbers under texts; one that is called "Total" need not add up.
    Of fewer rows than `least` nothing is said, and of a handful only where it has such a name.
    """
    if sample.height < least or sample.width > _MANY:
        return None
    last, above = sample.row(-1), sample[:-1]
    name = next((text for text in last if text is not None), None)
    told = name is not None and detect_by_names.names_a_summary(name)
    if name is not None and not told and detect_by_names.sums_up(name):
        # "Max" and "SD" are annotators, too: of several rows, or in a column of annotators.
        where = sample.columns[last.index(name)]
        told = not detect_by_names.named(where, "annotator") and name not in above[where]
    if sample.height < _ENOUGH and not told:
        return None
    if sample.height >= 2 * _ENOUGH and _stands_below(last, above):
        return last[0], "is not called as the others are and holds what none of these holds"
    name = None if name is None or _is_share(name) else name
    sums, alien, under_texts = 0, 0, 0
    for column, text in zip(sample.columns, last, strict=True):
        if text is None or text == name or not _is_share(text):
            continue
        cells = above[column].alias("").drop_nulls()
        if cells.is_empty():
            continue
        if _whole_numbers(sample, column) and float(text) == (added := float(cells.cast(pl.Float64).sum())):
            sums += added > 0
        elif cells.str.contains(_SHARE).mean() <= _HARDLY:  # type: ignore[operator]
            alien += 2 if told else 1
            under_texts += 1
        elif told and text not in cells:
            alien += 1
    if sums >= 2:
        # Items of counts have no names by which one could be left out.
        return None, "holds the sums of the columns"
    if alien >= 2 and (told or name is None):
        return name, "holds numbers that no other row holds"
    if under_texts >= 2 and not told:
        return None, "holds numbers where the rows above hold texts, as another table does"
    return None


def _stands_below(last: Sequence[str | None], above: pl.DataFrame) -> bool:
    """Return whether a row is not called as those above are, and holds only texts that none of these holds, although they repeat few.

    It has no name, or one in words below numbers.
    """
    key = above.to_series(0)
    if key.null_count() or key.n_unique() < above.height:
        return False
    if last[0] is not None and (is_number(last[0]) or not _numeric(above, key.name)):
        return False
    told = [(name, text) for name, text in zip(above.columns[1:], last[1:], strict=True) if text is not None]
    return bool(told) and all(
        2 * above[name].n_unique() <= above.height and text not in above[name].alias("").drop_nulls()
        for name, text in told
    )


def second_line_of_names(sample: pl.DataFrame) -> bool:
    """Return whether the first row explains the columns: several of these repeat few texts, and none of them has what this row holds."""
    if sample.height <= _ENOUGH or sample.width > _MANY:
        return False
    texts, among_numbers = [], False
    for column in sample.columns:
        first, *rest = sample[column].to_list()
        below = [text for text in rest if text is not None]
        if first is not None and len(below) >= _ENOUGH and not is_number(first) and all(map(is_number, below)):
            among_numbers = True
        if len(below) < _ENOUGH or 2 * len(set(below)) > len(below):
            continue
        if first is None or is_number(first) or first in below:
            return False
        texts.append(first)
    # Annotators who agree on a rare label write the same, but the name of that item is like the others.
    return len(texts) > 1 and (len(set(texts)) == len(texts) or among_numbers)


def frequency_column(facts: Table, annotators: Sequence[str], others: Sequence[str]) -> str | None:
    """Return the column that says how often each row occurred, if one is called so and no row has the same labels as another."""
    named = [name for name in others if detect_by_names.names_frequencies(name)]
    if not named or _repeats(facts.sample, annotators):
        return None
    return next((name for name in named if _whole_numbers(facts.sample, name)), None)


_TICKS = frozenset({"x", "1", "✓", "✔", "✗", "✘", "☑", "•", "*", "+", "true", "yes", "ja", "oui", "sí", "si", "sim"})
"""What stands in a cell of a list that is ticked off."""


def ticks(facts: Table, columns: Sequence[str]) -> str | None:
    """Return the one text that columns hold, if it is a tick and many of the other cells are empty."""
    if len(columns) > _MANY:
        return None
    held = frozenset[str]().union(*(facts[name].values for name in columns))
    filled = sum(len(facts[name].cells) for name in columns)
    if len(held) != 1 or filled > (1 - _HARDLY) * len(columns) * facts.sample.height:
        return None
    return next((text for text in held if text.strip().casefold() in _TICKS), None)


def shares_of_a_whole(facts: Table, columns: Sequence[str]) -> int | None:
    """Return what the numbers of every row add up to, 1 or 100, if they have fractions and so are no counts."""
    if len(columns) > _MANY or not any(facts[name].fractions for name in columns):
        return None
    if not all(facts[name].numeric for name in columns):
        return None
    cells = facts.sample[list(columns)].select(
        pl.all().str.strip_chars().str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
    )
    sums = cells.drop_nulls().sum_horizontal()
    if sums.len() < _ENOUGH:
        return None
    # Rounded shares miss the whole a little.
    return next((whole for whole in (1, 100) if ((sums - whole).abs() <= 0.02 * whole).all()), None)


def _is_share(text: str) -> bool:
    return re.search(_SHARE, text) is not None


def mostly_empty_below(sample: pl.DataFrame, column: str) -> bool:
    """Return whether a column has a text followed by empty cells again and again, as merged cells of a spreadsheet have."""
    cells = sample[column]
    if sample.height < _ENOUGH or cells[0] is None or 3 * cells.null_count() < sample.height:
        return False
    return not _repeats(sample, [column])


def is_contingency(columns: Sequence[str], sample: pl.DataFrame) -> bool:
    """Return whether the rows and the columns of whole numbers have the same names."""
    first, others = columns[0], columns[1:]
    if len(others) < 2 or sample.height != len(others) or detect_by_names.named(first, "item"):
        return False
    return values(sample, first) == frozenset(others) and _whole_numbers(sample, *others)


def is_half_a_contingency(columns: Sequence[str], sample: pl.DataFrame) -> bool:
    """Return whether rows have names of columns and numbers in their cells, as shares or a part of a confusion table do."""
    first, others = columns[0], columns[1:]
    rows = values(sample, first)
    if _prefixed(rows) == _prefixed(frozenset(others)) is not None and _whole_numbers(sample, *others):
        return True
    if len(others) < 2 or len(rows) < 2 or len(rows) < sample.height or detect_by_names.named(first, "item"):
        return False
    return rows <= frozenset(others) and all(_numeric(sample, name) for name in others)


def _prefixed(names: frozenset[str]) -> frozenset[str] | None:
    """Return what follows the first word of names that all begin alike, as "Pred yes" and "Pred no" do; None if they do not."""
    parts = [re.split(r"[\s_:=\-]+", name.strip(), maxsplit=1) for name in names]
    if len(parts) < 2 or any(len(part) != 2 for part in parts) or len({part[0] for part in parts}) != 1:
        return None
    return frozenset(part[1] for part in parts)
