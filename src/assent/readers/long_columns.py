"""Which columns of a long table are the item, the annotator and the label; several ways if several are possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from assent.data.judge_names import names_runs
from assent.limits import WAYS_COMPARED
from assent.readers import detect_by_names
from assent.readers.column_facts import Table
from assent.readers.detect_by_values import looks_wide
from assent.records import Struct

__all__ = ["LongReading", "follows", "long_readings", "readings_by_shape"]


class LongReading(Struct, frozen=True, kw_only=True):
    """One way to read a long table.

    Parameters
    ----------
    score : float
        What speaks for it; see `assent.readers.ways`.
    others : tuple of str
        Columns that could hold labels, too, but whose names say so less clearly.
    doubt : str
        What makes it doubtful, if something does.
    """

    item: str
    annotator: str
    label: str
    score: float
    others: tuple[str, ...] = ()
    doubt: str = ""


def long_readings(table: Table, item: str | None, columns: Sequence[str]) -> list[LongReading]:
    """Return the ways to read a long table, by names first and then by what repeats within what."""
    roles: dict[str, str] = {} if item is None else {"item": item}
    weight = dict.fromkeys(roles, 2.0)
    for role in ("item", "annotator"):
        if role in roles:
            continue
        found = [
            name
            for name in detect_by_names.find(role, columns)
            if name not in roles.values() and not detect_by_names.names_a_decision(name)
        ]
        if role == "annotator":
            # One of several annotators of a wide table is not the column that names them.
            found = [name for name in found if not table[name].dated and not table[name].prose]
        else:
            # The likelier name says less than that it does not repeat where another one does.
            found.sort(key=lambda name: not table.repeats(name))
        if found and (detect_by_names.named(found[0], role) or len(found) == 1):
            roles[role] = found[0]
            weight[role] = 2.0 if detect_by_names.named(found[0], role) else 1.0
    free = [name for name in columns if name not in roles.values()]
    labels, others, sure = _labels(table, free, roles)
    if "item" in roles and "annotator" in roles and labels:
        ways = [(roles["item"], roles["annotator"], label) for label in labels[:WAYS_COMPARED]]
        certain = weight["item"] + weight["annotator"] + (2.0 if sure else 1.0)
    elif sure and "item" in roles:
        who = [name for name in free if name != labels[0] and _can_annotate(table, roles["item"], name)]
        who = [name for name in who if not _counts_labels(table, roles["item"], labels[0], name)]
        ways = [(roles["item"], name, label) for name in who for label in labels if label != name]
        certain = weight["item"] + 3.0
    elif sure and "annotator" in roles:
        things = [name for name in free if name != labels[0] and _can_be_item(table, name, roles["annotator"])]
        ways = [(name, roles["annotator"], label) for name in things for label in labels if label != name]
        certain = weight["annotator"] + 3.0
    elif labels and detect_by_names.annotates(roles.get("annotator", "")):
        # Who annotated is said: what has a row for each of them is the item, if one column alone has, and the rest can be labels.
        things = [name for name in free if _can_be_item(table, name, roles["annotator"])]
        if len(things) != 1 or len(table[things[0]].values) <= len(table[roles["annotator"]].values):
            return []
        known = {**roles, "item": things[0]}
        left = _unnamed(table, [name for name in free if name not in things], known)
        ways = [(things[0], roles["annotator"], label) for label in left[:WAYS_COMPARED]]
        certain = weight["annotator"] + 2.0
    else:
        return []
    if len(ways) > 1 and not (len(labels) > 1 and not sure):
        ways = ways if len(ways) <= 3 else []
    ways = [(i, a, name) for i, a, label in ways for name in _instead(table, i, a, label, columns)]
    return [
        LongReading(
            item=i, annotator=a, label=c, score=certain + _evidence(table, i, a, c), others=tuple(others),
            doubt="" if "annotator" in roles else _doubt(table, i, a),
        )
        for i, a, c in ways
    ]  # fmt: skip


def _instead(table: Table, item: str, annotator: str, label: str, columns: Sequence[str]) -> list[str]:
    """Return the label, behind columns that vary within items if it does not, as what is known of an item does not."""
    if not table.repeats(item) or not follows(table, item, label):
        return [label]
    keys = (item, annotator)
    left = [name for name in columns if name not in (*keys, label) and _can_be_label(table, name)]
    left = [name for name in left if not any(follows(table, key, name) for key in keys)][:2]
    # Where nearly every item has one of its own it is a part of the item, such as the response that was judged.
    own = 5 < len(table[item].values) * 0.8 < len(table[label].values)
    return left if left and own else [*left, label]


def readings_by_shape(table: Table, item: str | None, columns: Sequence[str]) -> list[LongReading]:
    """Return ways to read a long table whose names do not say it: two columns tell the rows apart, each of which repeats itself.

    They are worth asking about, not more: pages and lines tell rows apart, too.
    """
    free = [name for name in columns if name and not table[name].dated and not detect_by_names.names_frequencies(name)]
    free = free[: 2 * WAYS_COMPARED]
    named = [name for name in detect_by_names.find("label", free) if not table[name].unlikely_named]
    keys = [name for name in free if name not in named and not table[name].fractions and table.repeats(name)]
    found = []
    for first, second in combinations(keys, 2):
        sizes = {name: len(table[name].values) for name in (first, second)}
        thing, who = sorted((first, second), key=lambda name: -sizes[name])
        if min(sizes.values()) < 2 or item not in (None, thing) or table.repeats(first, second):
            continue
        left = [name for name in free if name not in (first, second) and _can_be_label(table, name)]
        varying = [name for name in left if not follows(table, thing, name) and not follows(table, who, name)]
        # What is known of an item or an annotator is no label, whatever it is called, if something else can be.
        labels = [name for name in named[:1] if name in varying or not varying] or varying or left
        # What holds the labels of another column is no item, and texts that do are no annotators.
        labels = [
            name
            for name in labels
            if 2 * _within(table, thing, name) < 1 and (table[who].numeric or 2 * _within(table, who, name) < 1)
        ]
        found += [LongReading(item=thing, annotator=who, label=name, score=0.0) for name in labels]
    return found[:WAYS_COMPARED]


def _within(table: Table, name: str, other: str) -> float:
    """Return the share of cells of a column whose texts another column holds."""
    found, held = table[name], table[other].values
    return sum(n for text, n in found.counts.items() if text in held) / max(1, len(found.cells))


def _labels(table: Table, free: Sequence[str], roles: Mapping[str, str]) -> tuple[list[str], list[str], bool]:
    """Return the columns that can hold the labels, further ones that were passed over, and whether a name says so."""
    left = _unnamed(table, free, roles)
    # What is called the label and is empty holds none, if another column does.
    called = detect_by_names.find("label", [name for name in free if table[name].values] if left else free)
    named = [name for name in called if not table[name].unlikely_named]
    various = [name for name in named if len(table[name].values) > 1] or named
    if various:
        first = various[0]
        single = len(various) == 1 and (detect_by_names.is_generic(first) or not detect_by_names.named(first, "label"))
        alone = single or detect_by_names.find("label", [first, "label"])[0] == first
        # "toxicity" beside "toxicity_score", and what was judged beside a "rating", are labels of their own.
        kin = [name for name in left if name not in various and detect_by_names.begins(first, name)]
        judged = [name for name in left if name not in various and detect_by_names.names_a_quality(name)]
        judged = [name for name in judged if table[name].numeric == table[first].numeric]
        if kin or len(judged) > 1:
            return list(dict.fromkeys([first, *kin, *judged]))[:3], [], True
        # Numbers beside names are a score of the name, or what a model made of it.
        rest = [name for name in various[1:] if not (table[name].continuous and not table[first].numeric)]
        if not alone and detect_by_names.named(first, "label") and not detect_by_names.is_generic(first):
            # A column called "sentiment" holds labels; so may one called "respect" beside it.
            numbers = table[first].numeric
            rest += [name for name in left if name not in various and (numbers or not table[name].continuous)]
        if alone or not rest:
            return [first], various[1:], True
        return [first, *rest], [], True
    if called:
        # What is called the label cannot be one.
        return [], [], False
    return left, [], False


def _unnamed(table: Table, free: Sequence[str], roles: Mapping[str, str]) -> list[str]:
    """Return the columns without a telling name that can hold labels: what varies within items, and within annotators."""
    left = [name for name in free if _can_be_label(table, name)]
    keys = [key for key in roles.values() if table.repeats(key)]
    varying = [name for name in left if not any(follows(table, key, name) for key in keys)]
    # Annotators who agree on everything make labels that do not vary within items.
    return varying or left


def _can_be_label(table: Table, name: str) -> bool:
    """Return whether a column without a telling name can hold labels."""
    if not name or detect_by_names.is_identifier(name) or names_runs(name):
        return False
    if detect_by_names.is_other(name) and not (detect_by_names.names_a_grade(name) and table[name].numeric):
        return False
    facts = table[name]
    return len(facts.values) > 1 and not facts.unlikely_labels and not (facts.near_unique and facts.numeric)


def follows(table: Table, key: str, name: str) -> bool:
    """Return whether a column has one value for each value of another, as what is known of an item or an annotator has."""
    return table.rows(key, name)[1] == table.rows(key)[1]


def _doubt(table: Table, item: str, annotator: str) -> str:
    """Return what makes a column doubtful as that of annotators that is not called so."""
    people, things = (len(table[name].values) for name in (annotator, item))
    if people <= things:
        return ""
    return f"no name says who annotated, and there would be more annotators ({people}) than items ({things})"


def _can_annotate(table: Table, item: str, name: str) -> bool:
    if not name or detect_by_names.is_other(name) or table[name].dated or table[name].prose:
        return False
    if names_runs(name) or detect_by_names.names_frequencies(name) or detect_by_names.named(name, "label"):
        # What counts repeats of one annotator, or rows, or is a label itself.
        return False
    if table[name].near_unique and not detect_by_names.named(name, "annotator"):
        return False
    # An item with several rows shows that there are several annotators, each once per item.
    return table.repeats(item) and not table.repeats(item, name) and len(table[name].values) > 1


def _counts_labels(table: Table, item: str, label: str, name: str) -> bool:
    """Return whether a column may say how many gave an item a label: numbers under which no two ever gave an item the same."""
    return table[name].numeric and not detect_by_names.named(name, "annotator") and not table.repeats(item, label)


def _can_be_item(table: Table, name: str, annotator: str) -> bool:
    if table[name].dated or (table[name].numeric and detect_by_names.is_other(name)):
        return False
    return not table.repeats(name, annotator) and table.repeats(name)


def _evidence(table: Table, item: str, annotator: str, label: str) -> float:
    """Add up what speaks for a long table beside the names."""
    score = 0.0
    again = table.repeats(item)
    score += 2.0 if again else -4.0
    score += 0.0 if table.repeats(item, annotator) else 1.0
    if table.sample.height > 1 and looks_wide(table.sample, item, annotator, label):
        score -= 5.0
    return score
