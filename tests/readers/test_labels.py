"""Labels that programs like to change survive every format that can hold them."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from assent.readers import read

LABELS = {
    "hash twins": ("Aa", "BB"),
    "one number thrice": ("1", "1.0", "01", "1e0", "+1"),
    "case": ("a", "A", "ａ"),
    "blanks": (" x", "x", "x ", "\u00a0x", "x\ty"),
    "emoji": ("😀", "👩\u200d🔬", "👩", "e\u0301", "é"),
    "long": ("x" * 10_000, "x" * 10_001, "y"),
    "formulas": ("=1+1", "@SUM(A1)", "-2+3", "'; DROP TABLE labels; --"),
    "no missing tokens": ("None", "#", "-", "na", "nan", "NULL", "n/a", "."),
    "truth": ("true", "True", "TRUE", "yes"),
    "quotes": ('"', '""', 'say "so"', "it's", ",", ";", "\\", "\\n"),
    "lines": ("a\nb", "a b", "a\n", "\nb"),
    "numbers": ("0.1", "0.10", "1,5", "1_000", "0x10", "١", "1e400", "-0", "0"),
    "looks": ("2020-01-02", "12:30", "50%", "NaN ", "inf"),
}
CONTROL = ("a\x00b", "a\x00c", "a", "\x1b[31mred", "\x7f", "a\r\nb", "a\rb")


def frame(labels: tuple[str, ...]) -> pl.DataFrame:
    """Every label by two annotators, so that none can vanish."""
    items = [str(i) for i in range(len(labels))]
    return pl.DataFrame(
        {"item": items * 2, "annotator": ["ann"] * len(items) + ["bob"] * len(items), "label": [*labels] * 2}
    )


def write(table: pl.DataFrame, path: Path) -> Path:
    if path.suffix in {".csv", ".tsv"}:
        table.write_csv(path, separator="\t" if path.suffix == ".tsv" else ",")
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in table.to_dicts()))
    elif path.suffix == ".json":
        path.write_text(json.dumps(table.to_dicts(), ensure_ascii=False), encoding="utf-8")
    elif path.suffix == ".parquet":
        table.write_parquet(path)
    else:
        xlsxwriter = pytest.importorskip("xlsxwriter")
        book = xlsxwriter.Workbook(path, {"strings_to_numbers": False, "strings_to_formulas": False})
        sheet = book.add_worksheet()
        for i, row in enumerate([table.columns, *table.rows()]):
            for j, cell in enumerate(row):
                sheet.write_string(i, j, cell)
        book.close()
    return path


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".json", ".jsonl", ".parquet", ".xlsx"])
@pytest.mark.parametrize("name", LABELS)
def test_labels_survive(name: str, suffix: str, tmp_path: Path) -> None:
    data = read(write(frame(LABELS[name]), tmp_path / f"labels{suffix}"))
    assert sorted(data.labels) == sorted(LABELS[name])
    assert data.n_annotations == 2 * len(LABELS[name])
    assert not data.dropped


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".json", ".jsonl", ".parquet"])
def test_control_characters_survive(suffix: str, tmp_path: Path) -> None:
    data = read(write(frame(CONTROL), tmp_path / f"labels{suffix}"))
    assert sorted(data.labels) == sorted(CONTROL)


@pytest.mark.parametrize("suffix", [".csv", ".json", ".parquet", ".xlsx"])
@pytest.mark.parametrize("name", ["hash twins", "one number thrice", "blanks", "quotes", "lines"])
def test_labels_survive_in_wide_tables(name: str, suffix: str, tmp_path: Path) -> None:
    labels = LABELS[name]
    table = pl.DataFrame({"item": [str(i) for i in range(len(labels))], "ann": labels, "bob": labels})
    data = read(write(table, tmp_path / f"labels{suffix}"))
    assert (data.layout, sorted(data.labels)) == ("wide", sorted(labels))


def test_names_of_columns_are_no_patterns(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("item,*,^a$,label\n1,x,y,x\n2,x,x,y\n3,y,y,y\n")
    assert read(path, layout="wide").annotators == ("*", "^a$", "label")
    long = tmp_path / "long.csv"
    long.write_text("*,^a.*$,c,d\n1,a,x,q\n1,b,y,r\n")
    assert read(long, item="*", annotator="^a.*$", label="c").labels == ("x", "y")


@pytest.mark.parametrize(
    ("options", "labels", "dropped"),
    [
        ({}, ("#", "None", "n/a", "x"), {"": 1, "NA": 1, "N/A": 1, "NaN": 1, "null": 1}),
        ({"missing": ["None", "#"]}, ("n/a", "x"), {"": 1, "NA": 1, "N/A": 1, "NaN": 1, "null": 1, "None": 1, "#": 1}),
        ({"not_missing": ["NA", "null"]}, ("#", "NA", "None", "n/a", "null", "x"), {"": 1, "N/A": 1, "NaN": 1}),
    ],
)
def test_missing_tokens(
    options: dict[str, list[str]], labels: tuple[str, ...], dropped: dict[str, int], tmp_path: Path
) -> None:
    cells = ["", "NA", "N/A", "NaN", "null", "None", "#", "n/a", "x"]
    path = tmp_path / "long.csv"
    path.write_text("item,annotator,label\n" + "".join(f"{i},NA,{cell}\n{i},bob,x\n" for i, cell in enumerate(cells)))
    data = read(path, **options)  # type: ignore[arg-type]
    assert data.labels == labels
    assert data.annotators == ("NA", "bob")  # only labels can be missing in that way
    found = {one.reason.removeprefix("missing label").strip(' (")'): one.rows for one in data.dropped}
    assert found == dropped
