"""Exports with random parts replaced, for readers that must refuse or read whatever they get."""

import copy
import csv
import io
import json
import random
import zipfile
from pathlib import Path
from typing import Any

HOSTILE: list[Any] = [
    None,
    0,
    -1,
    1.5,
    True,
    False,
    "",
    "x" * 5000,
    [],
    [[]],
    [None],
    {},
    {"a": {"b": []}},
    [{}],
    "\x1b[31m",
    10**30,
    "NaN",
]


def places(value, path=()):
    """Yield the path of every part of a JSON value."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for n in range(len(value)):
            yield from places(value[n], (*path, n))


def spoiled(value, dice: random.Random, times: int):
    """Return a copy with some parts replaced or removed."""
    value = copy.deepcopy(value)
    for _ in range(times):
        path = dice.choice(list(places(value))[1:] or [()])
        if not path:
            return dice.choice(HOSTILE)
        inner = value
        for step in path[:-1]:
            inner = inner[step]
        if dice.random() < 0.2 and isinstance(inner, dict):
            del inner[path[-1]]
        else:
            inner[path[-1]] = copy.deepcopy(dice.choice(HOSTILE))
    return value


def spoiled_file(name: str, data: bytes, dice: random.Random) -> bytes:
    """Return the bytes of a file with some of its values replaced, or some of its bytes."""
    times = dice.choice([1, 1, 2, 5, 20])
    if dice.random() < 0.1:
        broken = bytearray(data)
        for _ in range(times):
            broken[dice.randrange(len(broken))] = dice.randrange(256)
        return bytes(broken[: dice.randrange(len(broken))] if dice.random() < 0.3 else broken)
    if name.endswith(".zip"):
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
            for inner in old.namelist():
                new.writestr(inner, spoiled_file(inner, old.read(inner), dice))
        return out.getvalue()
    text = data.decode()
    if name.endswith((".csv", ".tsv")):
        mark = "\t" if name.endswith(".tsv") else ","
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=mark))
        for _ in range(times):
            row = dice.choice(rows)
            if row:
                row[dice.randrange(len(row))] = str(dice.choice([*HOSTILE, "[1", '{"a": 1}', "[]", '[{"start": 1}]']))
        table = io.StringIO(newline="")
        csv.writer(table, delimiter=mark).writerows(rows)
        return table.getvalue().encode()
    if name.endswith((".jsonl", ".ndjson", ".manifest")):
        lines = [json.loads(line) for line in text.splitlines() if line.strip()]
        return "\n".join(json.dumps(line) for line in spoiled(lines, dice, times)).encode() if lines else data
    return json.dumps(spoiled(json.loads(text), dice, times)).encode()


def files_of(case: Path, path: str) -> list[Path]:
    """Return the files of a case."""
    where = case / path
    if where.is_file():
        return [where]
    return [p for p in sorted(where.rglob("*")) if p.is_file() and p.name not in ("expected.json", "README.md")]
