"""Tables of preferences: one row a vote between two objects; and of best-worst choices among several."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from assent.data import Dropped
from assent.data.preferences import BestWorst, Preferences
from assent.data.reading_notes import ReadingNote
from assent.errors import DuplicateAnnotations, EmptyTable, InputError, UnknownLayout
from assent.readers.detect_by_names import named
from assent.readers.kinds import layout
from assent.readers.kinds._columns import codes_of, first_named, refuse_empty, said_columns, word
from assent.readers.overrides import Overrides
from assent.readers.tables import Table, as_text
from assent.text import counted, shown

__all__ = ["read_best_worst", "read_preferences"]

_LEFT = (
    "left",
    "a",
    "first",
    "modela",
    "systema",
    "optiona",
    "responsea",
    "objecta",
    "itema",
    "1",
    "model1",
    "option1",
)
_RIGHT = (
    "right",
    "b",
    "second",
    "modelb",
    "systemb",
    "optionb",
    "responseb",
    "objectb",
    "itemb",
    "2",
    "model2",
    "option2",
)
_WINNER = ("winner", "preferred", "preference", "choice", "chosen", "vote", "better")
_TIE = ("tie", "draw", "equal", "both", "same", "neither", "tiebothbad", "bothbad", "none", "0", "ties", "nopreference")
_SHOWN = ("shown", "items", "objects", "options", "tuple", "set")
#: What stands between the objects of a set in one cell.
_BETWEEN = re.compile(r"\s*[;|,\t]\s*")


def _are_preferences(table: Table) -> bool:
    """Tell columns that can be nothing else: an annotator, a left and a right object, and a winner."""
    columns = table.columns
    sides = [first_named(columns, words) for words in (_LEFT, _RIGHT, _WINNER[:3])]
    return None not in sides and any(named(name, "annotator") for name in columns if name not in sides)


@layout("preferences", roles=("left", "right", "winner"), named=_are_preferences)
def read_preferences(table: Table, said: Overrides) -> Preferences:
    """Take rows of item (if there are several), annotator, left, right and winner; a winner is a name, a side or a tie."""
    columns = table.columns
    roles = said_columns(columns, said)
    found: dict[str, str] = {}
    for role, words in (("left", _LEFT), ("right", _RIGHT), ("winner", _WINNER)):
        name = roles.get(role) or first_named(columns, words, tuple(found.values()))
        if name is None:
            raise UnknownLayout(
                f"It is not known which column holds the {role} of the preferences: name it with `{role}`."
            )
        found[role] = name
    taken = set(found.values())
    who = roles.get("annotator") or next((one for one in columns if one not in taken and named(one, "annotator")), None)
    if who is None:
        raise UnknownLayout("It is not known which column says who preferred what: name it with `annotator`.")
    item = roles.get("item") or next(
        (
            one
            for one in columns
            if one not in {*taken, who} and (named(one, "item") or word(one) in ("query", "topic"))
        ),
        None,
    )
    frame = table.frame.lazy().collect()
    if frame.is_empty():
        raise EmptyTable(f"{table.name} has column names but no rows; there must be at least one.")
    texts = {
        role: frame.select(as_text(name, frame.schema[name])).to_series().str.strip_chars()
        for role, name in found.items()
    }
    empty = texts["winner"].is_null() | (texts["winner"] == "")
    rows = np.flatnonzero(~empty.to_numpy())
    if not len(rows):
        raise EmptyTable(
            f"{table.name} has no winner in any row: the column {shown(found['winner'])} is empty throughout."
        )
    side = _sides(table, texts, found, rows)
    kept = frame[rows.tolist()] if len(rows) < frame.height else frame
    place = _Places(table, rows)
    codes, names = {}, {}
    for role, name in (("annotator", who), ("topic", item)):
        if name is None:
            codes[role], names[role] = np.zeros(len(rows), dtype=np.int64), [""]
        else:
            codes[role], names[role] = codes_of(table, kept[name], role, rows)
    for seat in ("left", "right"):
        refuse_empty(table, texts[seat].gather(rows).alias(found[seat]), "object", rows)
    both = pl.concat([kept[found[seat]].alias("object").cast(pl.String) for seat in ("left", "right")])
    code, names["object"] = codes_of(table, both, "object", np.tile(rows, 2))
    codes["left"], codes["right"] = code[: len(rows)], code[len(rows) :]
    itself = np.flatnonzero(codes["left"] == codes["right"])
    if len(itself):
        row = int(itself[0])
        raise InputError(
            f"{table.name}, {place(row)}: {shown(names['object'][code[row]])} is compared with itself; leave the row out."
        )
    roles = {role: name for role, name in (("item", item), ("annotator", who), *found.items()) if name}
    told = ", ".join(f'{role} = "{name}"' for role, name in roles.items())
    missing = int(empty.sum())
    made = Preferences.from_codes(
        codes,
        names,
        side,
        roles=roles,
        notes=(
            *table.notes,
            ReadingNote(f"Read as preferences: {told}", "`item`, `annotator`, `left`, `right`, `winner`", code="table"),
        ),
        dropped=(*table.dropped, *([Dropped("no winner", missing)] if missing else [])),
    )
    again = made.repeated()
    if again is not None:
        raise DuplicateAnnotations(
            f"{table.name}, {place(again[1])}: {shown(made.annotators[made.annotator_code[again[1]]])} compared the same two objects in the same seats in "
            f"{place(again[0])}; leave one out, or name the column that tells items apart with `item`."
        )
    if made.n_swapped:
        note = f"{counted(made.n_swapped, 'pair was', 'pairs were')} judged by an annotator in both seats: where the two votes differ, that is taken as a tie."
        return _with_note(made, note)
    return made


def _with_note(made: Preferences, note: str) -> Preferences:
    from msgspec.structs import replace

    return replace(made, notes=(*made.notes, note))


class _Places:
    """Where a row stands in its file, after some were left out."""

    def __init__(self, table: Table, rows: np.ndarray) -> None:
        self.table, self.rows = table, rows

    def __call__(self, row: int) -> str:
        return self.table.place(int(self.rows[row]))


def _sides(table: Table, texts: dict[str, pl.Series], found: dict[str, str], rows: np.ndarray) -> np.ndarray:
    """Return 1 where the left object won, -1 where the right one did, 0 for a tie; refuse a winner who did not play."""
    left, right, winner = (texts[role] for role in ("left", "right", "winner"))
    plain = winner.str.to_lowercase().str.replace_all(r"[\W_]+", "")
    first = (winner == left) | (plain.is_in([*_LEFT, word(found["left"])]) & (winner != right))
    second = (winner == right) | (plain.is_in([*_RIGHT, word(found["right"])]) & (winner != left))
    tie = plain.is_in(list(_TIE)) & (winner != left) & (winner != right)
    side = np.select([one.fill_null(False).to_numpy() for one in (first, second, tie)], [1, -1, 0], default=2)
    wrong = rows[side[rows] == 2]
    if len(wrong):
        row = int(wrong[0])
        raise InputError(
            f"{table.name}, {table.place(row)}: the winner {shown(winner[row])} is neither {shown(left[row])} nor {shown(right[row])}, nor left, right or tie."
        )
    return np.asarray(side[rows])


def _are_choices(table: Table) -> bool:
    """Tell columns that can be nothing else: an annotator, the objects shown, the best and the worst."""
    columns = table.columns
    best, worst = _chosen(columns, "best"), _chosen(columns, "worst")
    taken = [name for name in (best, worst) if name is not None]
    seen = first_named(columns, _SHOWN, taken) or _numbered(columns, taken)
    judged = any(named(name, "annotator") for name in columns if name not in taken and name != seen)
    return len(taken) == 2 and bool(seen) and judged


def _chosen(columns: Sequence[str], role: str) -> str | None:
    """Return the column of the best or the worst: one of that name, or the only one that begins with it, as BestItem does."""
    words = {"best": ("best", "most"), "worst": ("worst", "least")}[role]
    begin = [name for name in columns if word(name).startswith(words)]
    return first_named(columns, words) or (begin[0] if len(begin) == 1 else None)


def _numbered(columns: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Return columns of one name with numbers behind it, as Item1, Item2, …; none if there are two names of that kind."""
    found: dict[str, list[str]] = {}
    for name in columns:
        parts = re.fullmatch(r"(.*?)[\W_]*\d+", name.strip())
        if parts is not None and name not in taken:
            found.setdefault(parts[1].casefold(), []).append(name)
    several = [names for names in found.values() if len(names) > 1]
    return several[0] if len(several) == 1 else []


@layout("best-worst", roles=("best", "worst", "shown"), named=_are_choices)
def read_best_worst(table: Table, said: Overrides) -> BestWorst:
    """Take rows of annotator, the objects shown (one column with ; between them, or several columns), the best and the worst."""
    columns = table.columns
    seen = said.roles.get("shown")
    several = None if seen is None or seen in columns else [part.strip() for part in seen.split(",")]
    if several is not None:
        unknown = next((name for name in several if name not in columns), None)
        if unknown is not None or len(several) < 2:
            raise UnknownLayout(
                f"`shown` is {shown(seen)}; it must be a column of the table, or several with commas between them: {', '.join(map(shown, columns[:12]))}."
            )
    roles = said_columns(columns, said)
    frame = table.frame.lazy().collect()
    if frame.is_empty():
        raise EmptyTable(f"{table.name} has column names but no rows; there must be at least one.")
    found: dict[str, str] = {}
    for role in ("best", "worst", "annotator", "shown"):
        name = roles.get(role)
        taken = (*found.values(), *roles.values())
        if name is None and role == "annotator":
            name = next((one for one in columns if one not in taken and named(one, "annotator")), None)
        elif name is None and role == "shown":
            several = _numbered(columns, taken) or None
            name = ",".join(several) if several else first_named(columns, _SHOWN, taken)
        elif name is None:
            name = _chosen([one for one in columns if one not in taken], role)
        if name is None:
            raise UnknownLayout(
                f"It is not known which column holds the {role} of the best-worst choices: name it with `{role}`."
            )
        found[role] = name
    used = {*found.values(), *(several or ())}
    item = roles.get("item") or next(
        (one for one in columns if one not in used and (named(one, "item") or word(one) in ("tuple", "set", "trial"))),
        None,
    )
    if "item" not in roles and item is not None and frame[item].n_unique() == frame.height > 1:
        # What is another in every row counts rows, and tells no sets apart.
        item = None
    best, worst, who, one = (found[role] for role in ("best", "worst", "annotator", "shown"))
    wanted = dict.fromkeys([*(several or [one]), best, worst, who, *([item] if item else [])])
    cells = frame.select([as_text(name, frame.schema[name]) for name in wanted])

    def rows() -> Iterator[tuple[str, list[str], str, str]]:
        for at, row in enumerate(cells.iter_rows(named=True)):
            for name in (best, worst, who, *([item] if item else [])):
                if row[name] is None or not row[name].strip():
                    raise InputError(
                        f"{table.name}, {table.place(at)}: {shown(name)} is empty; it must hold a name in every row."
                    )
            parts = [row[name] for name in several] if several else _BETWEEN.split((row[one] or "").strip())
            seen = [part.strip() for part in parts if part and part.strip()]
            yield row[who].strip(), seen, row[best].strip(), row[worst].strip()

    found = {**({"item": item} if item else {}), **found}
    told = ", ".join(
        f'{role} = "{found[role]}"' for role in ("item", "annotator", "shown", "best", "worst") if role in found
    )
    return BestWorst.from_rows(
        rows(),
        items=None if item is None else cells[item].str.strip_chars().to_list(),
        place=lambda at: f"{table.name}, {table.place(at)}",
        roles=found,
        notes=(
            *table.notes,
            ReadingNote(
                f"Read as best-worst choices: {told}", "`item`, `annotator`, `shown`, `best`, `worst`", code="table"
            ),
        ),
        dropped=table.dropped,
    )
