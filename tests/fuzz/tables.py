"""Tables of every kind as people have them, and as nobody should."""

from __future__ import annotations

import datetime
import io
import itertools
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import polars as pl
import xlsxwriter
from tests.readers.workbooks import sheet_of, workbook

__all__ = ["BESIDE", "HOSTILE", "KINDS", "Table", "beside", "make", "spoilt", "written"]

Cell = str | int | float | None

#: What breaks programs: markup, formulas, control characters, other scripts, numbers that are none, separators.
HOSTILE: tuple[str, ...] = (
    "", " ", "=1+1", "+cmd|' /C calc'!A0", "<script>alert(1)</script>", "a;b", "a,b", "a|b", 'a"b', "a\nb", "a\tb", "\x00", "\x1b[31m", "\ufeffx",
    "א", "表", "🙂", "e\u0301", "nan", "NaN", "None", "NULL", "inf", "-inf", "1e400", "-0", "0", "1.0", "1", "١", "\\", "$x$", "`x`", "{}", "[]", '["a"]',
    "__class__", "../../etc/passwd", "%s", "{0}", "A" * 300, "item", "annotator", "label", "\u202e", "\r", "--json", "2020-01-01", "99999999999999999999",
)  # fmt: skip


@dataclass(frozen=True)
class Table:
    """Names of columns and rows of cells; `kind` says what was meant."""

    kind: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def _labels(dice: random.Random) -> list[str]:
    return dice.choice(
        (["a", "b"], ["yes", "no", "unsure"], ["1", "2", "3", "4", "5"], ["x"], [f"l{i}" for i in range(9)])
    )


def _cells(dice: random.Random, items: int, annotators: int) -> list[list[str | None]]:
    """Labels of items by annotators, who mostly agree, with gaps."""
    labels, gaps = _labels(dice), dice.choice((0.0, 0.0, 0.2))
    found: list[list[str | None]] = []
    for _ in range(items):
        truth = dice.choice(labels)
        given: list[str | None] = [truth if dice.random() < 0.7 else dice.choice(labels) for _ in range(annotators)]
        found.append([None if dice.random() < gaps else one for one in given])
    return found


def _size(dice: random.Random) -> tuple[int, int]:
    return dice.choice((0, 1, 2, 5, 8, 8, 12, 12, 30)), dice.choice((1, 2, 2, 2, 3, 3, 4))


def _long(dice: random.Random) -> Table:
    items, annotators = _size(dice)
    rows: list[tuple[Cell, ...]] = [
        (f"i{i}", f"p{a}", label, f"doc{i // 3}", f"text of {i}")
        for i, row in enumerate(_cells(dice, items, annotators))
        for a, label in enumerate(row)
    ]
    dice.shuffle(rows)
    return Table("long", ("item", "annotator", "label", "document", "text"), tuple(rows))


def _wide(dice: random.Random) -> Table:
    items, annotators = _size(dice)
    rows = tuple((f"i{i}", *row) for i, row in enumerate(_cells(dice, items, annotators)))
    return Table("wide", ("item", *(f"p{a}" for a in range(annotators))), rows)


def _counts(dice: random.Random) -> Table:
    labels = _labels(dice)
    rows: list[tuple[Cell, ...]] = [(f"i{i}", *(dice.randrange(4) for _ in labels)) for i in range(_size(dice)[0])]
    return Table("counts", ("item", *labels), tuple(rows))


def _contingency(dice: random.Random) -> Table:
    labels = _labels(dice)
    return Table("table", ("", *labels), tuple((one, *(dice.randrange(20) for _ in labels)) for one in labels))


def _sets(dice: random.Random) -> Table:
    items, annotators = _size(dice)
    labels = _labels(dice)
    rows = tuple(
        (f"i{i}", f"p{a}", ";".join(dice.sample(labels, dice.randint(1, min(3, len(labels))))))
        for i in range(items)
        for a in range(annotators)
    )
    return Table("sets", ("item", "annotator", "label"), rows)


def _spans(dice: random.Random) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for document in range(dice.choice((1, 2, 4))):
        for annotator in range(dice.choice((1, 2, 3))):
            start = 0
            for _ in range(dice.randrange(4)):
                start += dice.randrange(5)
                end = start + dice.randint(1, 6)
                rows.append((f"d{document}", f"p{annotator}", start, end, dice.choice("AB")))
                start = end
            if dice.random() < 0.2:
                rows.append((f"d{document}", f"q{annotator}", None, None, None))
    return Table("spans", ("document", "annotator", "start", "end", "label"), tuple(rows))


def _rankings(dice: random.Random) -> Table:
    objects = [f"o{i}" for i in range(dice.randint(2, 5))]
    rows = tuple(
        (f"q{item}", f"p{annotator}", one, rank + 1)
        for item in range(dice.choice((1, 3)))
        for annotator in range(dice.choice((1, 2, 3)))
        for rank, one in enumerate(dice.sample(objects, len(objects)))
    )
    return Table("rankings", ("item", "annotator", "object", "rank"), rows)


def _preferences(dice: random.Random) -> Table:
    pairs = list(itertools.permutations(["o1", "o2", "o3", "o4"], 2))
    rows = [
        (f"p{annotator}", left, right, dice.choice((left, right, "tie")))
        for annotator in range(dice.choice((1, 2, 3)))
        for left, right in dice.sample(pairs, dice.randrange(8))
    ]
    return Table("preferences", ("annotator", "left", "right", "winner"), tuple(rows))


def _runs(dice: random.Random) -> Table:
    rows = tuple(
        (f"i{i}", f"j{j}", run, dice.choice(("pass", "fail")))
        for i in range(_size(dice)[0])
        for j in range(dice.choice((1, 2)))
        for run in range(dice.choice((1, 2, 3)))
    )
    return Table("runs", ("item", "judge", "run", "verdict"), rows)


def _best_worst(dice: random.Random) -> Table:
    rows = []
    for item in range(dice.choice((1, 4, 6))):
        seen = dice.sample(["o1", "o2", "o3", "o4", "o5"], 4)
        for annotator in range(dice.choice((1, 2, 3))):
            best, worst = dice.sample(seen, 2)
            rows.append((f"q{item}", f"p{annotator}", "|".join(seen), best, worst))
    return Table("best-worst", ("item", "annotator", "options", "best", "worst"), tuple(rows))


KINDS: dict[str, Callable[[random.Random], Table]] = {
    "long": _long, "wide": _wide, "counts": _counts, "table": _contingency, "sets": _sets, "spans": _spans,
    "rankings": _rankings, "preferences": _preferences, "best-worst": _best_worst, "runs": _runs,
}  # fmt: skip


def make(dice: random.Random, *, tame: bool = False) -> Table:
    """Return a table of some kind; of those that are not tame, about half have something wrong in them."""
    table = KINDS[dice.choice(tuple(KINDS))](dice)
    while not tame and dice.random() < 0.5:
        table = spoilt(table, dice)
    return table


def spoilt(table: Table, dice: random.Random) -> Table:
    """Return the table with one thing changed: a cell, a name, a row, a column."""
    columns, rows = list(table.columns), [list(row) for row in table.rows]
    what = dice.randrange(7)
    if what == 0 and rows:
        row = dice.choice(rows)
        row[dice.randrange(len(row))] = dice.choice(HOSTILE)
    elif what == 1:
        columns[dice.randrange(len(columns))] = dice.choice((*HOSTILE, *columns))
    elif what == 2 and rows:
        rows.append(list(dice.choice(rows)))
    elif what == 3 and len(columns) > 1:
        out = dice.randrange(len(columns))
        columns.pop(out)
        for row in rows:
            row.pop(out)
    elif what == 4:
        columns.append(dice.choice(("gold", "comment", "score", "time", *HOSTILE)))
        for row in rows:
            row.append(dice.choice((None, dice.random(), "a", dice.choice(HOSTILE))))
    elif what == 5 and rows:
        place = dice.randrange(len(columns))
        for row in rows:
            row[place] = dice.choice((row[place], None))
    elif what == 6 and rows:
        place, other = dice.randrange(len(columns)), dice.choice(HOSTILE)
        old = dice.choice(rows)[place]
        for row in rows:
            row[place] = other if row[place] == old else row[place]
    return replace(table, columns=tuple(columns), rows=tuple(tuple(row) for row in rows))


def written(table: Table, form: str, dice: random.Random) -> bytes:
    """Return the table as a file of a form: csv, tsv, json, jsonl, parquet or xlsx, perhaps with more in it than text."""
    if form in ("csv", "tsv"):
        return _delimited(table, "," if form == "csv" else "\t", dice)
    records = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    if form == "json":
        return json.dumps(records, ensure_ascii=dice.random() < 0.5).encode()
    if form == "deep.json":
        return _deep(records, dice)
    if form == "sheet.xlsx":
        return _sheet(table, dice)
    if form == "jsonl":
        return "\n".join(map(json.dumps, records)).encode()
    data = {
        name: [None if row[i] is None else str(row[i]) for row in table.rows] for i, name in enumerate(table.columns)
    }
    frame = pl.DataFrame(data, schema=dict.fromkeys(data, pl.String))
    out = io.BytesIO()
    if form == "typed.parquet":
        frame = frame.select(dice.choice(TYPES)(one) if dice.random() < 0.4 else one for one in frame)
    if form.endswith("parquet"):
        frame.write_parquet(out)
    else:
        with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
            # A case is its number: the day on which it was made is not part of it.
            book.set_properties({"created": datetime.datetime(2026, 1, 1)})
            frame.write_excel(book, worksheet="Sheet1", autofit=False)
    return out.getvalue()


def _numbers(one: pl.Series) -> pl.Series:
    return one.to_physical() if one.dtype != pl.String else one.cast(pl.Categorical).to_physical().cast(pl.Int64)


#: From a column of texts to one of another type.
TYPES: tuple[Callable[[pl.Series], pl.Series], ...] = (
    lambda one: one.cast(pl.Categorical),
    lambda one: one.cast(pl.Enum(one.drop_nulls().unique().sort())),
    lambda one: one.cast(pl.Binary),
    lambda one: one.reshape((len(one), 1)).cast(pl.List(pl.String)) if len(one) else one,
    lambda one: pl.Series(one.name, [[text, None, text] for text in one], dtype=pl.List(pl.String)),
    lambda one: pl.Series(one.name, [[[text]] for text in one], dtype=pl.List(pl.List(pl.String))),
    lambda one: pl.Series(one.name, [{"label": text, "n": 1} for text in one], dtype=pl.Struct({"label": pl.String, "n": pl.Int8})),
    lambda one: pl.Series(one.name, [[{"start": 0, "end": 2, "label": text}] for text in one], dtype=pl.List(pl.Struct({"start": pl.Int64, "end": pl.Int64, "label": pl.String}))),
    *(
        (lambda one, kind=kind: _numbers(one).cast(kind))
        for kind in (pl.Int8, pl.UInt64, pl.Float32, pl.Float64, pl.Boolean, pl.Decimal(10, 2), pl.Date, pl.Time, pl.Datetime("us", "UTC"), pl.Duration("ms"), pl.List(pl.Int64))
    ),
    lambda one: pl.Series(one.name, [None] * len(one), dtype=pl.Null),
    lambda one: _numbers(one).cast(pl.Float64) / 0,
)  # fmt: skip


def _deep(records: list[dict[str, Cell]], dice: random.Random) -> bytes:
    """Return records with values that are nested, large or none."""
    odd = ("[" * 5000 + "]" * 5000, "[" * 40, "1" * 5000, "-1e999", "[[[1]]]", '{"a": {"b": [1, null]}}', "[]", "{}", "true", "null", "1e-400", "0.1e1", "NaN", "-0", '"\\ud800"', '"\\u0000"', "[1, [2]]")  # fmt: skip
    text = json.dumps(records)
    for _ in range(dice.choice((1, 1, 2, 5))):
        cells = [at for at, one in enumerate(text) if one == '"' and text[max(at - 2, 0) : at] == ": "]
        if cells:
            at = dice.choice(cells)
            text = text[:at] + dice.choice(odd) + text[text.find('"', at + 1) + 1 :]
    return dice.choice(("{}", "{}", '{{"data": {}}}', "[{}]", "{}{}"))[:99].replace("{}", text).encode()


def _sheet(table: Table, dice: random.Random) -> bytes:
    """Return a workbook whose sheet is not as programs write it."""
    texts = sorted({str(value) for row in table.rows for value in row if value is not None})

    def one(column: int, row: int, value: Cell) -> str:
        place = f'r="{chr(65 + column % 26)}{row}"' if dice.random() < 0.98 else dice.choice(('r="ZZ9999999"', "r='AB3'", 'r=""', 'r="A0"', 'r="1"', ""))  # fmt: skip
        if value is None:
            return dice.choice(("", f"<c {place}/>"))
        text = xml_text(str(value))
        return dice.choices(
            (
                f'<c {place} t="inlineStr"><is><t>{text}</t></is></c>',
                f'<c {place} t="s"><v>{texts.index(str(value)) if str(value) in texts else dice.choice((0, -1, 10**12))}</v></c>',
                f'<c {place} t="str"><f>1/0</f><v>{text}</v></c>',
                f'<c {place} t="{dice.choice(("b", "e", "d", "n", "x"))}"><v>{text}</v></c>',
                f"<c {place}><v>{dice.choice((1, -1e308, 45000.5, 'NaN', ''))}</v></c>",
                dice.choice((f"<c {place}>", "<v>&x;</v>", "</row>", "<![CDATA[<c>]]>", "<!-- -->")),
            ),
            (40, 40, 4, 2, 2, 1),
        )[0]

    rows = "".join(
        f'<row r="{number}">{"".join(one(column, number, value) for column, value in enumerate(row))}</row>'
        for number, row in enumerate((table.columns, *table.rows), dice.choice((1, 1, 1, 3)))
    )
    return workbook(sheet_of(rows), "".join(f"<si><t>{xml_text(text)}</t></si>" for text in texts))


#: Files that options take, beside the one that is read.
BESIDE = ("gold.csv", "earlier.json", "tree.json", "weights.csv", "lengths.csv", "relations.csv", "tokens.json", "texts", "decided.csv")  # fmt: skip


def beside(table: Table, dice: random.Random) -> dict[str, bytes]:
    """Return a few of such files: what they should be, something else, or nothing."""
    cells = [str(cell) for row in table.rows[:9] for cell in row if cell is not None] or ["a"]

    def some() -> str:
        return json.dumps(dice.choice(cells))

    contents = {
        "gold.csv": f"item,label\n{cells[0]},{cells[-1]}\n",
        "earlier.json": f'{{"coefficients": [{{"measure": "fleiss-kappa", "value": {dice.choice(("0.5", "null", "1e999", some()))}}}]}}',
        "tree.json": f'{{{some()}: [{some()}, {{{some()}: {some()}}}], "b": null}}',
        "weights.csv": f",a,b\na,1,{dice.choice(('0', '0.5', 'x', '-1', 'nan'))}\nb,0,1\n",
        "lengths.csv": f"document,length\nd0,{dice.choice(('100', '-1', '1e9', 'x', ''))}\nd1,99\n",
        "relations.csv": f"document,annotator,type,head,tail\nd0,p0,r,{dice.choice(('0', '-1', 'x'))},1\n",
        "tokens.json": f'{{"d0": [[0, 2], [{dice.choice(("2", "-1", "null", "1e9"))}, 5]]}}',
        "texts/d0.txt": "Ada met Grace." * dice.choice((0, 1, 20)),
        "decided.csv": f"item,label,by,at\n{cells[0]},{cells[-1]},me,now\n",
    }
    found = {name: text.encode("utf-8", "replace") for name, text in contents.items() if dice.random() < 0.5}
    for name in found:
        if dice.random() < 0.2:
            found[name] = dice.choice(
                (b"", b"\xff\xfe", b"[]", b"{}", b"null", written(_long(dice), "csv", dice), b"[" * 9999)
            )
    return found


def xml_text(text: str) -> str:
    """Return a text as XML can hold it."""
    return "".join(one for one in text if one.isprintable()).replace("&", "&amp;").replace("<", "&lt;")


def _delimited(table: Table, separator: str, dice: random.Random) -> bytes:
    """Return lines of cells, quoted where they must be, sometimes as other programs write them."""
    end = dice.choice(("\n", "\n", "\r\n"))

    def cell(value: Cell) -> str:
        text = "" if value is None else str(value)
        needs = any(one in text for one in (separator, '"', "\n", "\r")) or dice.random() < 0.02
        return '"' + text.replace('"', '""') + '"' if needs else text

    text = end.join(separator.join(map(cell, row)) for row in (table.columns, *table.rows)) + end
    coding = dice.choices(("utf-8", "utf-8-sig", "utf-16", "latin-1"), (20, 1, 1, 1))[0]
    return text.encode(coding, errors="replace")
