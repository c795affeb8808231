"""Every known value of spans through the command line: `python -m tests.spans.command_line_oracles [FOLDER…]` counts how many are met."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import math
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.support import BESIDE

HERE = Path(__file__).parents[1] / "oracles" / "spans"
#: Values of data that may not be copied are checked where they lie.
ELSEWHERE = BESIDE / "oracles/spans"

#: Names that the command line has for what the tables call otherwise.
NAMES = {"windowdiff": "window-diff", "ghd": "boundary-similarity"}
#: Samples of chance: enough for the tolerances of the tables.
SAMPLES, FEW = "1000", "60"
ONE_LABEL = (
    "alpha-u-1995",
    "alpha-ku",
    "alpha-ku-coverage",
    "span-f1",
    "span-f1-sd",
    "position-alpha",
    "position-kappa",
)


def tables(folders: Iterable[Path] = (HERE, ELSEWHERE)) -> list[dict[str, Any]]:
    """Return the tables of known values, each once."""
    files = {path.stem: path for folder in reversed([*folders]) if folder.is_dir() for path in folder.glob("*.json")}
    return [json.loads(path.read_text("utf-8")) for _, path in sorted(files.items())]


@cache
def ran(*arguments: str) -> tuple[int, str, str]:
    """Run a command in this process; return its exit code and what it printed."""
    from tests.support import run

    out, err = io.StringIO(), io.StringIO()
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            run([*arguments])
        except SystemExit as end:
            code = int(end.code or 0)
    return code, out.getvalue(), err.getvalue()


class Files:
    """Tables of spans and lengths as files, each written once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _written(self, name: str, head: str, rows: Iterable[Iterable[Any]]) -> str:
        path = self.folder / name
        if not path.exists():
            with path.open("w", newline="", encoding="utf-8") as handle:
                csv.writer(handle).writerows([head.split(","), *rows])
        return str(path)

    def spans(self, name: str, rows: list[Any], judged: Iterable[Any]) -> str:
        """Write a table of spans, with a row for everybody who marked nothing."""
        marked = {(row[0], row[1]) for row in rows}
        silent = [[*pair, "", "", ""] for pair in judged if tuple(pair) not in marked]
        return self._written(f"{name}.csv", "document,annotator,start,end,label", [*rows, *silent])

    def lengths(self, name: str, lengths: Mapping[str, int]) -> str:
        """Write a table of lengths."""
        return self._written(f"{name}-lengths.csv", "document,length", lengths.items())


def _segments(given: Mapping[str, Any], more: int) -> tuple[list[Any], int]:
    """Turn strings of boundaries into segments of a text that is so much longer."""
    rows: list[Any] = []
    size = len(given["a"]) + more
    for who in ("a", "b"):
        cuts = [at + 1 for at, one in enumerate(given[who]) if one == "1"]
        edges = sorted({0, *cuts, size})
        rows += [["d", who, start, end, "s"] for start, end in pairwise(edges)]
    return rows, size


def _positions(neither: int) -> tuple[list[Any], int]:
    """Turn a table of 40 positions marked by both, 10 and 20 by one, and so many by none into spans."""
    return [["d", "a", 0, 50, "X"], ["d", "b", 0, 40, "X"], ["d", "b", 50, 70, "X"]], 70 + neither


def value_of(files: Files, held: Mapping[str, Any], wanted: Mapping[str, Any]) -> Any:
    """Ask the command line for one of the values of a table."""
    given, name = dict(wanted["params"]), wanted["measure"]
    stem, lengths = held["id"], dict(held["documents"])
    every = [(document, who) for document in lengths for who in held["annotators"]]
    judged = every if given.pop("judged", None) == "all" else [tuple(pair) for pair in held.get("judged", every)]
    # One span of one table begins at -1. Measures of spans see it as it is (all that moves is moved); those of text see the text.
    low = 1 if name.startswith(("span-", "gamma")) and any(row[2] < 0 for row in held["units"]) else 0
    stem += f"-moved-{low}"
    rows = [[one, who, max(0, start + low), end + low, label] for one, who, start, end, label in held["units"]]
    lengths = {one: size + low for one, size in lengths.items()}
    if held["kind"] == "segmentation":
        stem = f"{stem}-{abs(hash((given['a'], given['b'])))}"
        # For one of the measures there can be a boundary behind the last position.
        (rows, size), judged = _segments(given, int(name == "ghd")), [("d", "a"), ("d", "b")]
        lengths = {"d": size}
        stem += f"-{size}"
    if "neither" in given:
        neither = given["neither"] if given["neither"] != "infinite" else 0
        stem, judged = f"{stem}-{neither}", [("d", "a"), ("d", "b")]
        rows, size = _positions(neither)
        lengths = {"d": size}
        if given["neither"] == "infinite":
            rows = [["d", who, at, at + 1, "X"] for _, who, start, end, _ in rows for at in range(start, end)]
            stem += "-spans"
    if "sample" in given:
        stem = f"{stem}-sample-{given['sample']}"
        rows = [["d", *row] for row in held["samples"][given["sample"]]["units"]]
        low = min(0, *(row[2] for row in rows))
        rows = [[one, who, start - low, end - low, label] for one, who, start, end, label in rows]
        lengths = {"d": max(row[3] for row in rows)}
    document = given.get("document")
    if document is not None:
        stem = f"{stem}-{document}"
        rows, judged = [row for row in rows if row[0] == document], [pair for pair in judged if pair[0] == document]
        lengths = {document: lengths[document]}
    stem += f"-{len(judged)}"
    table = [files.spans(stem, rows, judged), "--layout", "spans"]
    if given.get("range") != "units":
        table += ["--lengths", files.lengths(stem, lengths)]
    return _asked(table, name, given, held, wanted, rows)


def _asked(
    table: list[str],
    name: str,
    given: Mapping[str, Any],
    held: Mapping[str, Any],
    wanted: Mapping[str, Any],
    rows: list[Any],
) -> Any:
    if name == "span-errors":
        found = _json("items", *table)
        names = [given["a"], given["b"]]
        pair = next(one for one in found["differences"]["pairs"] if {one["first"], one["second"]} == {*names})
        sides = ("first", "second") if [pair["first"], pair["second"]] == names else ("second", "first")
        alone = {f"only_{side}": pair[f"only_{of}"] for side, of in zip("ab", sides, strict=True)}
        return {kind: pair[kind] for kind in ("identical", "label", "boundary", "both")} | alone
    measure, _, what = name.replace("alpha-u-1995-", "alpha-u-1995:").replace("-coverage", ":coverage").partition(":")
    measure = measure.partition("-observed")[0]
    if name.startswith("gamma"):
        measure = "gamma-cat" if name.startswith("gamma-cat") else "gamma"
    if name in ("span-f1-sd", "span-f1-pair"):
        measure = "span-f1"
    arguments = ["measure", *table, "--measure", NAMES.get(measure, measure), "--ci", "none"]
    for key, option in (("match", "--match"), ("average", "--average"), ("iou", "--iou"), ("scheme", "--scheme"),
                        ("alpha", "--position-weight"), ("beta", "--label-weight"), ("sampler", "--expected"),
                        ("least", "--shift"), ("k", "--window")):  # fmt: skip
        if key in given:
            arguments += [option, str(given[key])]
    if given.get("binary"):
        arguments += ["--said", "marked"]
    if "label" in given and what not in ("observed", "expected"):
        arguments += ["--span-label", given["label"]]
    if measure == "span-semeval":
        arguments += ["--reference", held["reference"]] if "reference" in held else []
    if measure.startswith("gamma"):
        chance = name in ("gamma", "gamma-expected")
        arguments += ["--samples", ("2" if not chance else FEW if len(rows) > 100 else SAMPLES), "--seed", "1"]
    code, out, err = ran(*arguments, "--json")
    if code:
        return (
            "refused" if code == 2 and wanted["value"] == "refused" and err.count("\n") == 1 else f"exit {code}: {err}"
        )
    (one,) = json.loads(out)["measures"]
    details = one["details"]
    if name == "span-semeval":
        return one["value"] if given["field"] == "f1" else details[given["field"]]
    if what in ("observed", "expected"):
        return details[f"{what} disagreement on {given['label']}"]
    if what == "coverage":
        return details["coverage"]
    if name in ("gamma-observed", "gamma-cat-observed"):
        return details["observed_disorder"]
    if name == "gamma-observed-cost":
        # All pairs of the annotators count one each here.
        return details["observed_disorder"] * len(rows)
    if name == "gamma-expected":
        return details["expected_disorder"]
    if name == "ghd":
        return details["hamming"]
    if name == "gamma-alignments":
        return details["groups"]
    if name == "span-f1-sd":
        pairs = [pair["value"] for pair in one["pairs"] if pair["value"] is not None]
        mean = sum(pairs) / len(pairs)
        return math.sqrt(sum((pair - mean) ** 2 for pair in pairs) / len(pairs))
    if name == "span-f1-pair":
        return next(
            pair["value"] for pair in one["pairs"] if {pair["first"], pair["second"]} == {given["a"], given["b"]}
        )
    return one["value"]


def _json(*arguments: str) -> Any:
    code, out, err = ran(*arguments, "--json")
    if code:
        raise RuntimeError(err)
    return json.loads(out)


def met(value: Any, wanted: Mapping[str, Any]) -> bool:
    """Tell whether a value is the one that was wanted."""
    if wanted["params"].get("greedy"):
        # The value of a greedy matching is there to show that the best one is another.
        return isinstance(value, float) and value > wanted["value"]
    if isinstance(wanted["value"], (str, dict)) or wanted["value"] is None or value is None or isinstance(value, str):
        return bool(value == wanted["value"])
    return math.isclose(value, wanted["value"], rel_tol=0, abs_tol=max(wanted["tol"], 1e-12))


def every(folders: Iterable[Path] = (HERE, ELSEWHERE)) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Go through all values: the table, what it wants, what the command line says."""
    with tempfile.TemporaryDirectory() as folder:
        files = Files(Path(folder))
        for held in tables(folders):
            for wanted in held["expected"]:
                try:
                    value = value_of(files, held, wanted)
                except Exception as error:
                    value = f"{type(error).__name__}: {error}"
                yield held["id"], wanted, value


if __name__ == "__main__":
    counts: Counter[tuple[str, bool]] = Counter()
    for table, wanted, value in every([Path(one) for one in sys.argv[1:]] or (HERE, ELSEWHERE)):
        right = met(value, wanted)
        counts[table, right] += 1
        if not right:
            print(
                table,
                wanted["measure"],
                str(wanted["params"])[:200],
                "wanted",
                wanted["value"],
                "got",
                str(value)[:300],
            )
    for table in sorted({name for name, _ in counts}):
        print(f"{table}: {counts[table, True]} of {counts[table, True] + counts[table, False]}")
    print(f"{sum(many for (_, right), many in counts.items() if right)} of {sum(counts.values())} met")
