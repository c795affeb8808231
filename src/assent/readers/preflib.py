"""PrefLib files: orders of alternatives, one line an order, with how many voters gave it."""

from __future__ import annotations

import re

import polars as pl

from assent.errors import UnreadableFile
from assent.limits import MOST_ANNOTATIONS, MOST_VOTERS
from assent.readers.formats import PREFLIB
from assent.readers.sources import Source, decoded
from assent.readers.tables import Table
from assent.text import shown

__all__ = ["read_preflib"]

#: A number of voters, then places: a number, or several of them in braces for a tie.
_ORDER = re.compile(r"\s*(\d+)\s*([:,])\s*(.+?)\s*$")
#: A line of the head.
_SAID = re.compile(r"#\s*([A-Z ]+?)\s*:\s*(.*?)\s*$")
_PLACE = re.compile(r"\s*(?:\{([^{}]*)\}|(\d+))\s*(?:,|$)")


def read_preflib(source: Source, *, encoding: str = "utf-8") -> Table:
    """Return the orders as rows of annotator, object and rank; each voter is an annotator.

    Raises
    ------
    UnreadableFile
        If a line is no order, or one of a file of complete orders (soc, toc) leaves out an alternative, or one of strict orders (soc, soi) has a tie.
    """
    lines = decoded(source, encoding).content().decode("utf-8").splitlines()
    said = {found[1]: found[2] for line in lines if (found := _SAID.match(line))}
    kind = said.get("DATA TYPE", "").lower()
    if kind and f".{kind}" not in PREFLIB:
        raise UnreadableFile(
            f"{source.title} holds PrefLib data of the type {shown(kind)}, which are no orders: only soc, soi, toc and toi are read."
        )
    names, first = _alternatives(source, lines)
    # What the file says of itself counts, whatever it is called.
    form = f".{kind}" if kind else source.suffix
    complete, strict = form in (".soc", ".toc"), form in (".soc", ".soi")
    voter: list[str] = []
    objects: list[str] = []
    ranks: list[float] = []
    voters = 0
    for number, line in enumerate(lines[first:], start=first + 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = _ORDER.match(line)
        places = None if found is None else _places(found[3], names)
        if found is None or isinstance(places, str) or places is None:
            raise UnreadableFile(
                f"{source.title} has no order in line {number:,}: {places or 'it must be a number, a colon and places'}."
            )
        if complete and len(places) < len(names):
            missing = next(name for key, name in names.items() if key not in places)
            raise UnreadableFile(
                f"{source.title} leaves {shown(missing)} out in line {number:,}, and every order of a {form} file is complete: add it, or "
                f"make it a {form[:-1]}i file."
            )
        if strict and len(set(places.values())) < len(places):
            raise UnreadableFile(
                f"{source.title} has a tie in line {number:,}, and the orders of a {form} file have none: break it, or make it a .t{form[2:]} file."
            )
        voters += int(found[1])
        if voters > MOST_VOTERS or len(voter) + int(found[1]) * len(places) > MOST_ANNOTATIONS:
            raise UnreadableFile(
                f"{source.title} has more than {MOST_VOTERS:,} voters or {MOST_ANNOTATIONS:,} ranks: take a sample of the voters."
            )
        for one in range(voters - int(found[1]) + 1, voters + 1):
            voter += [f"voter {one}"] * len(places)
            objects += [names[key] for key in places]
            ranks += list(places.values())
    if not voter:
        raise UnreadableFile(f"{source.title} holds no order.")
    frame = pl.DataFrame({"annotator": voter, "object": objects, "rank": ranks})
    notes = ["A PrefLib file: each voter is an annotator."]
    told = said.get("NUMBER VOTERS", "") if first == 0 else lines[first - 1].partition(",")[0].strip()
    if told.isdigit() and int(told) != voters:
        notes.append(
            f"The file says that it has {told} voters, and its orders are those of {voters:,}: check that it is whole."
        )
    return Table(source.title, frame, notes=tuple(notes))


def _alternatives(source: Source, lines: list[str]) -> tuple[dict[str, str], int]:
    """Return the names of the alternatives by their number, and where the orders begin."""
    named = [re.match(r"#\s*ALTERNATIVE NAME (\d+):\s*(.*?)\s*$", line) for line in lines]
    names = {found[1]: found[2] or found[1] for found in named if found}
    if names:
        return _unlike(source, names), 0
    # Before 2022: how many, a line for each, a line with sums, the orders.
    head = lines[0].strip() if lines else ""
    count = int(head) if head.isdigit() and len(head) < 7 else 0
    for line in lines[1 : count + 1]:
        key, _, name = line.partition(",")
        names[key.strip()] = name.strip() or key.strip()
    if not names or len(names) < count:
        raise UnreadableFile(
            f"{source.title} does not name its alternatives, as a PrefLib file must: check that it is one."
        )
    return _unlike(source, names), count + 2


def _unlike(source: Source, names: dict[str, str]) -> dict[str, str]:
    """Refuse two alternatives of one name, which could not be told apart."""
    numbers: dict[str, str] = {}
    for key, name in names.items():
        if numbers.setdefault(name, key) != key:
            raise UnreadableFile(
                f"{source.title} calls the alternatives {numbers[name]} and {key} both {shown(name)}: give each a name of its own."
            )
    return names


def _places(text: str, names: dict[str, str]) -> dict[str, float] | str:
    """Return the rank of each alternative of an order, the mean of a tie; or what is wrong with it."""
    places: dict[str, float] = {}
    at = 0
    while at < len(text):
        found = _PLACE.match(text, at)
        if found is None:
            return f"{shown(text[at:])} is no place"
        keys = [found[2]] if found[2] else [key.strip() for key in found[1].split(",") if key.strip()]
        for key in keys:
            if key not in names:
                return f"there is no alternative {shown(key)}"
            if key in places or keys.count(key) > 1:
                return f"{shown(names[key])} is ranked twice"
        rank = len(places) + (len(keys) + 1) / 2
        places |= dict.fromkeys(keys, rank)
        at = found.end()
    return places
