"""Which columns of a wide table are annotators: those that hold the same labels, and are not what was decided in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import polars as pl

from assent.data.judge_names import looks_like_a_judge, runs_by_name
from assent.label_sets import JOINT
from assent.profiles import Array
from assent.readers import detect_by_names
from assent.readers.column_facts import Facts, Table, shares
from assent.records import Struct

__all__ = [
    "Annotators",
    "annotator_columns",
    "association",
    "differ_in_size",
    "echo_of_majority",
    "holds_labels_of",
    "negative_share",
]

#: Two columns that share less than this of their cells do not hold the same labels.
SHARED = 0.2
#: Cells that are too few to show what two columns have in common.
FEW = 3
#: With more columns than that, not every one is looked into.
MANY = 100
#: So many items on which the others disagree at least before a column that always sides with most of them is suspicious.
DISPUTED = 8
#: So far a mean may be from that of the numbers which it was made of.
ROUNDED = 0.0501
#: Such a share of the variance lies between columns that hold numbers of different sizes.
APART = 0.5
#: What seldom happens by luck.
BY_LUCK = 0.2
#: So many times as far below chance as luck would have it: the columns avoid each other.
AVOIDS = 2.0
#: So many rows at least before columns can be said not to go together, and so many columns at most.
ROWS, WIDEST = 30, 20


class Annotators(Struct, frozen=True, kw_only=True):
    """The annotators among the columns, and what speaks for and against them.

    Parameters
    ----------
    left_out : tuple of str
        Columns that are no annotators.
    decisions : tuple of str
        Those of them that hold what was decided in the end.
    rivals : tuple of tuple of str
        Other columns that hold labels in common and could be the annotators as well.
    doubtful : tuple of str
        Annotators whose names do not fit those of the others.
    share : float
        How much of what they hold the annotators have in common, from 0 to 1.
    people : bool
        Their names are those of annotators, or numbered alike.
    people_named : bool
        Half of their names or more are those of annotators.
    """

    columns: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    rivals: tuple[tuple[str, ...], ...] = ()
    doubtful: tuple[str, ...] = ()
    share: float = 0.0
    people: bool = False
    people_named: bool = False


def annotator_columns(table: Table, columns: Sequence[str]) -> Annotators:
    """Return which of the columns are annotators: who compares the ways to read a table asks, and who reads it."""
    asked = tuple(columns)
    if asked not in table.found:
        table.found[asked] = _annotator_columns(table, asked)
    found: Annotators = table.found[asked]
    return found


def _annotator_columns(table: Table, columns: Sequence[str]) -> Annotators:
    decisions = [name for name in columns if detect_by_names.names_a_decision(name)]
    others = [name for name in columns if not name or (detect_by_names.is_other(name) and name not in decisions)]
    closed = {*decisions, *others}
    open_to = [name for name in columns if name not in closed]
    if len(open_to) > MANY:
        chosen = set(open_to)
        return Annotators(
            columns=tuple(open_to), left_out=tuple(n for n in columns if n not in chosen), decisions=tuple(decisions), share=1.0,
            people=all(map(detect_by_names.names_a_person, open_to)),
            people_named=all(map(detect_by_names.names_a_person, open_to)),
        )  # fmt: skip
    held = _possible(table, open_to)
    groups = _groups(table, held)
    if len(held) > max(2, table.sample.height) and len(groups) > 1:
        # Few rows do not show what so many columns have in common.
        alike = [name for name in held if table[name].numeric == table[groups[0][0]].numeric]
        groups = [alike, *([name] for name in held if name not in alike)]
    if max(map(len, groups), default=0) < 2:
        # A gold standard, or what a column with a telling name holds, against one annotator is two annotators.
        common = held or open_to
        more = [
            name
            for name in columns
            if name and name not in open_to and any(shares(table[name], table[other]) >= 0.5 for other in common)
            and not table[name].never_labels
        ]  # fmt: skip
        if more and len(common) == 1:
            groups, decisions = [[name for name in columns if name in {*common, *more}]], []
        elif not held and len(decisions) >= 2:
            groups, decisions = [decisions], []
    if max(map(len, groups), default=0) < 2:
        return Annotators(columns=(), left_out=tuple(columns), decisions=tuple(decisions))
    groups.sort(key=lambda group: (not _are_people(group), -len(group)))
    best, *rest = groups
    people = _are_people(best)
    # Names that do not go with those of the others, although what they hold does.
    stems = [name for name in best if detect_by_names.names_a_person(name) or _numbered_with(name, best)]
    odd = [name for name in best if name not in stems] if 2 <= len(stems) < len(best) else []
    # Beside annotators with names a sum, a constant and an empty column are none.
    none = [n for n in odd if detect_by_names.names_a_summary(n) or table[n].constant or not table[n].values]
    if set(stems) <= set(runs_by_name(stems)) or all(map(looks_like_a_judge, stems)):
        # Runs of a judge are numbered and models have names that are known: those of the people beside them are neither.
        odd = []
    none += [name for name in odd if detect_by_names.is_score(name) or detect_by_names.is_about_people(name)]
    strangers = _strangers(table, best)
    none += [name for name in strangers if table[name].constant]
    none += _summaries(table, [name for name in best if name not in none])
    best = [name for name in best if name not in none]
    none += [name for name in best if not table[name].values and detect_by_names.names_agreement(name)]
    best = [name for name in best if name not in none]
    flags = _says_whether_they_agree(table, best)
    best = [name for name in best if len(flags) != 1 or name not in flags]
    chosen, odd = {*best}, [name for name in odd if name in best]
    if len(flags) > 1:
        odd = flags[-1:]
    if not odd:
        odd = [name for name in strangers if name in best]
    asking = [name for name in best if detect_by_names.is_a_question(name) or detect_by_names.is_a_flag(name)]
    if not odd and 2 <= len(best) - len(asking) < len(best):
        odd = asking
    # Beside several annotators what a model predicted may be measured with them, or against them.
    predicted = [name for name in best if detect_by_names.names_a_prediction(name)]
    if not odd and 2 <= len(best) - len(predicted) < len(best):
        odd = predicted
    # Among names of people one that speaks of the label is that of a decision in a language of which no word is known.
    speaking = [name for name in best if detect_by_names.speaks_of_labels(name)]
    if not odd and 0 < 2 * len(speaking) < len(best):
        odd = speaking
    # So is the last one whose name has several words beside names of one.
    if not odd and len(best) > 2 and best[-1] == columns[-1] and _stands_out(best[-1], best[:-1]):
        odd = best[-1:]
    # "Lang" and "Page" beside "Meyer" are names of people, too, if they hold the labels of these.
    given = frozenset[str]().union(*(table[name].values for name in best))
    alike = [
        name
        for name in others
        if name and _may_be_a_name(name, best) and 1 < len(table[name].values & given) == len(table[name].values)
    ]
    if not odd and alike and not table[best[0]].numeric:
        best, odd = [name for name in columns if name in {*best, *alike}], alike
        chosen = {*best}
    # What was decided is one of the labels, or a number as these are: "Konsens" with yes and no beside them says whether there was one.
    decisions = [
        name
        for name in decisions
        if name in chosen
        or (
            any(holds_labels_of(table[name], table[one]) for one in best)
            and name not in _says_whether_they_agree(table, [*best, name])
        )
    ]
    # Beside "manager_rating" and "self_rating" a column that is called something else may be a fact.
    silent = [name for name in best if name not in speaking]
    if not odd and 2 <= len(speaking) < len(best) and not any(map(detect_by_names.names_a_person, silent)):
        odd = silent if len(silent) < len(speaking) else odd
    return Annotators(
        columns=tuple(name for name in columns if name in chosen),
        left_out=tuple(name for name in columns if name not in chosen),
        decisions=tuple(name for name in decisions if name not in chosen),
        rivals=tuple(
            tuple(group)
            for group in rest
            if len(group) > 1 and (not people or _are_people(group)) and _rival(table[best[0]], table[group[0]])
        ),
        doubtful=tuple(odd),
        share=_common(table, best),
        people=people,
        people_named=2 * sum(map(detect_by_names.names_a_person, best)) >= len(best),
    )


def holds_labels_of(decision: Facts, labels: Facts) -> bool:
    """Return whether a column can hold what was decided about labels: some of these, or numbers as they are."""
    return shares(decision, labels) >= SHARED or (decision.numeric and labels.numeric)


def _may_be_a_name(name: str, others: Sequence[str]) -> bool:
    """Return whether a name is one word with a capital, as all others are, whatever else it means."""
    return all(one.isalpha() and one.istitle() for one in (name, *others)) and not detect_by_names.names_agreement(name)


def _rival(chosen: Facts, other: Facts) -> bool:
    """Return whether what a group holds can be labels as well as what the chosen one holds: not texts, or numbers beside names."""
    return not other.unlikely_labels and not (other.continuous and not chosen.continuous)


def _possible(table: Table, columns: Sequence[str]) -> list[str]:
    """Return the columns that can hold labels: what is unlikely to be one may be if another column holds the same."""
    can = [name for name in columns if not table[name].never_labels]
    doubtful = [name for name in can if table[name].unlikely_labels]
    return [
        name
        for name in can
        if name not in doubtful
        or (not table[name].written and any(other != name and shares(table[name], table[other]) >= 0.5 for other in can))
        or (detect_by_names.names_a_person(name) and not table[name].prose)
    ]  # fmt: skip


def _groups(table: Table, columns: Sequence[str]) -> list[list[str]]:
    """Return the columns by what they share, each in one group."""
    group = {name: {name} for name in columns}
    empty = [name for name in columns if not table[name].values]
    for first, second in combinations([name for name in columns if name not in empty], 2):
        if group[first] is not group[second] and _linked(table[first], table[second]):
            both = group[first] | group[second]
            group.update(dict.fromkeys(both, both))
    found = {id(one): [name for name in columns if name in one] for one in group.values()}
    made = sorted((one for one in found.values() if one[0] not in empty), key=len, reverse=True)
    if not made or len(made[0]) < 2:
        return made
    # Who gave no label at all is counted among the annotators, and said.
    return [[name for name in columns if name in {*made[0], *empty}], *made[1:]]


def _linked(first: Facts, second: Facts) -> bool:
    one, other = first.name, second.name
    if first.continuous != second.continuous and first.numeric and second.numeric:
        # A score from 0 to 1 also is 0 or 1 now and then.
        both = first.values & second.values
        parts = [sum(n for t, n in f.counts.items() if t in both) / len(f.cells) for f in (first, second)]
        near = min(parts) >= 0.5
    else:
        near = shares(first, second) >= SHARED
    # So few cells cannot show what two columns have in common.
    few = min(len(first.cells), len(second.cells)) <= FEW and not any(
        detect_by_names.named(name, role) for name in (one, other) for role in ("annotator", "label")
    )
    if near or (few and first.numeric == second.numeric):
        return True
    if first.numeric != second.numeric or first.continuous != second.continuous:
        return False
    stem = detect_by_names.stem(one)
    alike = bool(stem) and stem == detect_by_names.stem(other)
    return alike or (detect_by_names.names_a_person(one) and detect_by_names.names_a_person(other))


def _says_whether_they_agree(table: Table, columns: Sequence[str]) -> list[str]:
    """Return the columns of two values, one where the others agree and one where they do not; that which is called so, if one is."""
    if not 3 <= len(columns) <= WIDEST:
        return []
    of_two = [place for place, name in enumerate(columns) if len(table[name].values) == 2]
    if not of_two:
        return []
    # Those of polars without gaps would take longer: it makes a query of them first.
    rows = [row for row in table.sample[list(columns)].rows() if None not in row]
    if len(rows) < DISPUTED:
        return []
    found = []
    for place in of_two:
        told = {(len({*row[:place], *row[place + 1 :]}) == 1, row[place]) for row in rows}
        if len(told) == 2 and len({agree for agree, _ in told}) == 2 and len({text for _, text in told}) == 2:
            found.append(columns[place])
    named = [name for name in found if detect_by_names.names_agreement(name)]
    if detect_by_names.counted_through(columns):
        return named[:1]
    # One of several numbered annotators says so by chance.
    return named[:1] or [
        name for name in found if not detect_by_names.names_a_person(name) and not _numbered_with(name, columns)
    ]


# Numbers that are too large to be added up are no mean of others.
@np.errstate(over="ignore", invalid="ignore")
def _summaries(table: Table, columns: Sequence[str]) -> list[str]:
    """Return the column of numbers that is the mean of the others in every row, but for rounding, or the difference of two.

    Or their median, sum, minimum or maximum, if it is called so.
    """
    if not 3 <= len(columns) <= WIDEST or not all(table[name].numeric for name in columns):
        return []
    numbers = np.column_stack([_numbers(table, name) for name in columns])
    numbers = numbers[~np.isnan(numbers).any(axis=1)]
    if len(numbers) < DISPUTED or not numbers.std():
        return []
    found = []
    for place, name in enumerate(columns):
        others = np.delete(numbers, place, axis=1)
        made = [others.mean(axis=1)]
        if others.shape[1] == 2:
            apart = others[:, 0] - others[:, 1]
            made += [apart, -apart, abs(apart)]
        if detect_by_names.names_a_summary(name) or detect_by_names.is_score(name):
            made += [np.median(others, axis=1), others.sum(axis=1), others.min(axis=1), others.max(axis=1)]
        if any((abs(numbers[:, place] - one) <= ROUNDED).all() for one in made):
            found.append(name)
    # Where all say the same, each is the mean of the others.
    return found if len(found) == 1 else []


def _strangers(table: Table, columns: Sequence[str]) -> list[str]:
    """Return the columns that share hardly a label with most of the others, which do share theirs, although their names go together."""
    # Few cells say little where there are few rows; in many rows, an annotator with a few of them shares what they say.
    least = 0 if table.sample.height >= DISPUTED else 2 * FEW
    filled = [name for name in columns if len(table[name].cells) > least and not table[name].continuous]
    # "Yes" and "yes", "1" and "1.0" are one label to whoever wrote them.
    texts = frozenset[str]().union(*(table[name].values for name in filled))
    spelled = {text: text.strip().lower().removesuffix(".0") for text in texts}
    plain = {name: Facts(name, [spelled[text] for text in table[name].cells], table.sample.height) for name in filled}
    rest, kin = set(filled), list[list[str]]()
    while rest:
        group, new = set[str](), {min(rest, key=filled.index)}
        while new:
            group |= new
            rest -= new
            new = {one for one in rest if any(shares(plain[one], plain[other]) >= SHARED for other in new)}
        kin.append([name for name in filled if name in group])
    kin.sort(key=len, reverse=True)
    if len(kin) < 2 or len(kin[0]) < 2 or len(kin[0]) == len(kin[1]):
        return []
    return [name for name in filled if name not in kin[0]]


def _stands_out(name: str, others: Sequence[str]) -> bool:
    """Return whether a name has several words and the others one each, and it is not that of a person."""
    return (
        len(name.split()) > 1
        and not detect_by_names.names_a_person(name)
        and not looks_like_a_judge(name)
        and all(len(other.split()) == 1 for other in others)
    )


def _numbered_with(name: str, others: Sequence[str]) -> bool:
    stem = detect_by_names.stem(name)
    return bool(stem) and any(other != name and detect_by_names.stem(other) == stem for other in others)


def _are_people(group: Sequence[str]) -> bool:
    return len(group) > 1 and sum(
        detect_by_names.names_a_person(name) or _numbered_with(name, group) for name in group
    ) * 2 > len(group)


def _common(table: Table, group: Sequence[str]) -> float:
    """Return what the annotators share on average, each with the one with whom it shares most."""
    some = [table[name] for name in group[:20] if table[name].values]
    best = [max((shares(one, other) for other in some if other is not one), default=0.0) for one in some]
    return sum(best) / len(best) if best else 0.0


def echo_of_majority(table: Table, columns: Sequence[str]) -> str | None:
    """Return a column that says what most of the others say wherever they disagree, as an adjudicated one does.

    The last column, where decisions stand, is also suspicious with fewer such items if the others do not side with most of the rest
    nearly as often.
    """
    if not 3 <= len(columns) <= MANY:
        return None
    rows = table.sample[list(columns)].rows()
    if len(columns) == 3:
        return (
            columns[-1]
            if _settles(rows)
            and not _numbered_with(columns[-1], columns)
            and not detect_by_names.names_a_person(columns[-1])
            else None
        )
    sided = [_siding(rows, place, always=True) for place in range(len(columns))]
    suspects = [
        name for name, (disputed, same, n) in zip(columns, sided, strict=True) if same == n and disputed >= DISPUTED
    ]
    disputed, same, n = sided[-1]
    if not suspects and same == n and disputed >= DISPUTED // 2:
        others = (_siding(rows, place) for place in range(len(columns) - 1))
        usual = max(agreed / many if many else 1.0 for _, agreed, many in others)
        suspects = [columns[-1]] if usual**n < BY_LUCK else []
    return suspects[0] if len(suspects) == 1 and not detect_by_names.names_an_annotator(suspects[0]) else None


def _settles(rows: Sequence[tuple[str | None, ...]]) -> bool:
    """Return whether the last of three columns never differs from both others, as one that settles what they disagree on, and seldom by luck."""
    full = [row for row in rows if None not in row]
    if sum(first != second for first, second, _ in full) < DISPUTED // 2 or any(
        last not in others for *others, last in full
    ):
        return False
    sided = [_siding(full, place) for place in range(2)]
    usual = max(same / n if n else 1.0 for _, same, n in sided)
    return usual ** sum(first == second for first, second, _ in full) < BY_LUCK


def _siding(rows: Sequence[tuple[str | None, ...]], place: int, *, always: bool = False) -> tuple[int, int, int]:
    """Return on how many items the others of a column disagree, on how many it says what most of them say, and of how many.

    If it is asked whether it `always` does, the first item on which it does not is the last that is looked at.
    """
    disputed = same = n = 0
    for row in rows:
        votes = Counter(text for i, text in enumerate(row) if i != place and text is not None)
        most = votes.most_common(2)
        # Where the others are tied, whatever it says may be the decision.
        if not most or (len(most) > 1 and most[0][1] == most[1][1]):
            continue
        if len(most) == 1 and (most[0][1] < 2 or row[place] is None):
            continue
        n += 1
        disputed += len(most) > 1
        same += row[place] == most[0][0]
        if always and same < n:
            break
    return disputed, same, n


def association(table: Table, columns: Sequence[str]) -> dict[str, float]:
    """Return how far each column goes with the others beyond chance, on average: the same text, or of numbers without steps the same order.

    Nothing is returned of columns that are too few rows, or too many, to say it. Few rows say it where the columns avoid what the others
    hold, as those of who is on duty do.
    """
    many = all(table[name].numeric and len(table[name].values) > 5 for name in columns)
    least = ROWS // 2 if many else ROWS
    known = _association(table, columns, least)
    if known or table.sample.height >= least:
        return known
    known = _association(table, columns, ROWS // 3)
    pairs = max(1, len(known) * (len(known) - 1) // 2)
    avoiding = sum(known.values()) <= -AVOIDS * len(known) * (table.sample.height * pairs) ** -0.5
    return known if avoiding else {}


def _association(table: Table, columns: Sequence[str], least: int) -> dict[str, float]:
    if not 2 <= len(columns) <= WIDEST or table.sample.height < least:
        return {}
    if any(mark in text for name in columns for text in table[name].values for mark in (";", "|", "[", JOINT)):
        # Sets of labels go together more than whole cells show.
        return {}
    codes = [_codes(table, name) for name in columns]
    continuous = all(table[name].continuous for name in columns)
    known: dict[str, list[float]] = {name: [] for name in columns}
    for (first, one), (second, other) in combinations(zip(columns, codes, strict=True), 2):
        both = ~(np.isnan(one) | np.isnan(other))
        if both.sum() < least:
            continue
        found = _correlation(one[both], other[both]) if continuous else _kappa(one[both], other[both])
        if found is not None:
            known[first].append(found)
            known[second].append(found)
    return {name: sum(held) / len(held) for name, held in known.items() if held}


def _codes(table: Table, name: str) -> Array:
    cells = table.sample[name].alias("")
    if table[name].continuous:
        return _numbers(table, name)
    # Equal texts have equal hashes in all columns; 52 bits of these fit into a float.
    hashes = cells.hash(7).cast(pl.UInt64) // (1 << 12)
    return pl.select(pl.when(cells.is_not_null()).then(hashes)).to_series().cast(pl.Float64).to_numpy()


def _numbers(table: Table, name: str) -> Array:
    """Return the cells as numbers, nan where there is none."""
    cells = table.sample[name].alias("").str.strip_chars().str.replace(",", ".", literal=True)
    return cells.cast(pl.Float64, strict=False).to_numpy()


def _kappa(one: Array, other: Array) -> float | None:
    values = np.union1d(one, other)
    observed = float((one == other).mean())
    shares = [np.bincount(np.searchsorted(values, held), minlength=len(values)) / len(held) for held in (one, other)]
    expected = float(shares[0] @ shares[1])
    return None if expected > 0.999 else (observed - expected) / (1 - expected)


def _correlation(one: Array, other: Array) -> float | None:
    if not one.std() or not other.std():
        return None
    return float(np.corrcoef(one, other)[0, 1])


# Numbers that are too large to be squared say nothing.
@np.errstate(over="ignore", invalid="ignore")
def differ_in_size(table: Table, columns: Sequence[str]) -> bool:
    """Return whether three or more columns of numbers differ more from each other than their cells do among themselves, as no annotators do."""
    if (
        not 3 <= len(columns) <= WIDEST
        or table.sample.height < DISPUTED
        or not all(table[name].numeric for name in columns)
    ):
        return False
    numbers = np.column_stack([_numbers(table, name) for name in columns])
    numbers = numbers[~np.isnan(numbers).any(axis=1)]
    whole = float(numbers.var()) if len(numbers) >= DISPUTED else 0.0
    return whole > 0 and float(numbers.mean(axis=0).var()) > APART * whole


def negative_share(cells: pl.DataFrame) -> float:
    """Return the variance of the sums of rows, as a share of the summed variances of columns.

    It is near 0 for counts of a set number of annotators, whose columns make room for each other, 1 for columns that have nothing
    to do with each other, and more for annotators who agree.
    """
    numbers = cells.cast(pl.Float64)
    parts = sum(numbers.select(pl.all().var(ddof=0)).row(0))
    whole = numbers.sum_horizontal().var(ddof=0)
    return float(whole) / float(parts) if parts else 1.0  # type: ignore[arg-type]
