"""Command lines: options and what they take come from the program itself."""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass
from typing import Any

import typer
from tests.fuzz.tables import BESIDE, HOSTILE, Table

import assent
from assent.cli.app import COMMANDS, program
from assent.examples import EXAMPLES

__all__ = ["arguments"]

#: Options that wait for more, open a page or start a cluster.
LEFT_OUT = {
    "--follow",
    "--every",
    "--idle",
    "--master",
    "--install-completion",
    "--show-completion",
    "--help",
    "-h",
}
#: Commands that do not end by themselves; `pages.py` asks the page.
ENDLESS = {"serve"}
#: Commands that a kind of table is for; every other kind has all of them.
SUITED = {
    "runs": ("judge", "repeat", "look", "report"), "table": ("measure", "explain", "report", "labels", "look", "compare"),
    **dict.fromkeys(("spans", "rankings", "preferences", "best-worst"), ("measure", "report", "annotators", "items", "look", "compare")),
}  # fmt: skip
ENGINES = ("polars", "duckdb", "nothing")
#: Names of files that an option may write: the current folder is the case's own.
FILES = (
    "out.html", "out.csv", "out.json", "out.md", "out.tex", "out.txt", "out.tsv", "out.jsonl", "out.parquet", "out.svg", "out.png", "nowhere/out.html", "out", "", *BESIDE,
)  # fmt: skip
#: What few runs would choose by chance: files that options read, and forms that they write.
PAIRS = (
    ("--weights", "weights.csv"), ("--tree", "tree.json"), ("--gold", "gold.csv"), ("--lengths", "lengths.csv"), ("--relations", "relations.csv"), ("--tokens", "tokens.json"),
    ("--texts", "texts"), ("--baseline", "earlier.json"), ("--distance", "levenshtein"), ("--distance", "iou"), ("--distance", "tree", "--tree", "tree.json"), ("--junit", "out.xml"),
    ("--summary", "-"), ("--output", "out.tex"), ("--output", "out.md"), ("--output", "out.txt"), ("--output", "out.html"), ("--output", "out.csv", "--for-spreadsheet"),
    ("--to", "label-studio", "--output", "out.json"), ("--to", "doccano", "--output", "out.jsonl"), ("--to", "prodigy", "--output", "out.jsonl"), ("--figures", "charts"), ("--html", "out.html"),
)  # fmt: skip
NUMBERS = ("0", "1", "2", "3", "0.5", "0.05", "0.95", "-1", "1e9", "nan", "inf", "x", "", "0.999999", "10", "1.5")


@dataclass(frozen=True)
class _Option:
    flag: str
    is_flag: bool
    takes: str
    number: bool


@functools.cache
def _options() -> dict[str, tuple[_Option, ...]]:
    """Return the options of every command, as the parser has them."""
    commands: Any = typer.main.get_command(program(None))
    found = {}
    for name in COMMANDS:
        if name in ENDLESS:
            continue
        found[name] = tuple(
            _Option(one.opts[0], bool(one.is_flag), str(one.metavar), one.type.name in ("int", "float", "integer"))
            for one in commands.commands[name].params
            if one.param_type_name == "option" and not LEFT_OUT.intersection(one.opts)
        )
    return found


def arguments(dice: random.Random, table: Table, files: list[str], *, tame: bool = False) -> list[str]:
    """Return a command with a few of its options: most of them fit, some do not; tame ones have one at most, and it fits."""
    command = dice.choice(SUITED.get(table.kind, tuple(_options())) if tame else tuple(_options()))
    many = dice.choice((0, 1)) if tame else dice.choice((0, 0, 1, 1, 2, 3, 5))
    chosen = dice.sample(_options()[command], min(len(_options()[command]), many))
    line = [command, *([] if command == "measures" else files)]
    if command == "compare" and len(files) == 1 and dice.random() < 0.8:
        line += files if dice.random() < 0.5 else ["--group", "one=p0,p1", "--group", "other=p0,p2"]
    if command == "report" and dice.random() < 0.9:
        line += ["-o", "report.html"]
    if tame or dice.random() < 0.5:
        line += _fitting(command, table)
    for one in chosen:
        # What asks for JSON is never a value: a run is judged by whether it was asked for.
        line += [one.flag] if one.is_flag else [one.flag, _value(one, table, dice, tame=tame).replace("--json", "json")]
    if dice.random() < 0.2:
        known = {one.flag for one in _options()[command]}
        line += next((pair for pair in dice.sample(PAIRS, len(PAIRS)) if pair[0] in known), ())
    if dice.random() < 0.4:
        line.append("--json")
    if dice.random() < 0.05 and line[1:]:
        # A coefficient or a file in the place of a command, as people type them.
        line[:1] = dice.choice((["kappa"], ["alpha"], ["ac1"], [dice.choice(tuple(assent.all_measures()))], []))
    return line


def _fitting(command: str, table: Table) -> list[str]:
    """Return the options that somebody who knows the table would give."""
    layout = {"spans": "spans", "counts": "counts", "table": "table", "long": "long", "wide": "wide"}.get(table.kind)
    line = ["--layout", layout] if layout and command != "measures" else []
    if table.kind == "rankings" and command != "measures":
        line += ["--object", "object", "--rank", "rank"]
    if table.kind == "sets" and command != "measures":
        line += ["--separator", ";"]
    if command == "judge":
        line += ["--judge", "j0" if table.kind == "runs" else "p0"]
    if table.kind == "runs" and command in ("judge", "repeat"):
        line += ["--run", "run", "--annotator", "judge", "--label", "verdict"]
    return line


def _value(one: _Option, table: Table, dice: random.Random, *, tame: bool = False) -> str:
    """Return a value for an option: what its help names, something from the table, or, if it is not tame, something hostile."""
    if one.flag == "--engine":
        return dice.choice(ENGINES)
    if one.flag == "--example":
        return dice.choice(tuple(EXAMPLES))
    if tame and one.takes == "COLUMN" and one.flag[2:] in table.columns:
        return one.flag[2:]
    if not tame and dice.random() < 0.1:
        return dice.choice((*HOSTILE, "x" * 4000)).replace("\x00", "")
    if one.number:
        return dice.choice(NUMBERS)
    cells = [str(cell) for row in table.rows for cell in row] or ["a"]

    def some() -> str:
        return dice.choice(cells)

    if one.takes == "COLUMN":
        return dice.choice(table.columns).replace("\x00", "") or "item"
    if "FILE" in one.takes and not tame and dice.random() < 0.5:
        return dice.choice(BESIDE)
    if one.takes in ("FILE", "DIR", "FILE|-"):
        return dice.choice(FILES)
    if one.takes == "NAME" and one.flag in ("--measure", "--method"):
        return dice.choice((*assent.all_measures(), "kappa", "alpha"))
    if "|" in one.takes:
        return dice.choice(one.takes.split("|"))
    values = (
        some(), f"{some()},{some()}", f"{some()}={some()}", f"annotators={some()}", f"labels={some()},{some()}", "nominal", "ordinal", "interval", "ratio",
        "linear", "quadratic", "etel", "analytic", "bootstrap", "jackknife", "permutation", "exact", "overlap", "levenshtein", "utf-8", "latin-1", ";", ",", *NUMBERS,
    )  # fmt: skip
    return dice.choice(values).replace("\x00", "")
