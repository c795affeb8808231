"""Pairs and rows that are taken many at once are the same as one by one."""

from __future__ import annotations

import json
import random
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from assent.errors import UnreadableFile
from assent.readers.exports import decoding
from assent.readers.exports.sources import Member, Source


def member(content: str, folder: Path) -> Member:
    path = folder / "some.json"
    path.write_text(content, encoding="utf-8")
    return Source.of(path).members[0]


def taken(content: str, folder: Path) -> tuple[list[tuple[str, Any]], list[tuple[str, Any]]]:
    """Return the pairs one by one, and those of the batches."""
    one = member(content, folder)
    return list(decoding.Pairs(one)), list(
        chain.from_iterable(some.items() for some in decoding.Pairs(one, window=1 << 12).batches())
    )


def objects(count: int, draw: random.Random, *, nested: bool) -> list[tuple[str, Any]]:
    texts = ['{"text": "', "}, ", 'a "b": {', "\\", "\u00e9\u4e2d", '"', ', "k": {"text":', "\n"]
    return [
        (
            f"k{i}{draw.choice(texts) if draw.random() < 0.2 else ''}",
            {
                "text": "".join(draw.choices(texts, k=draw.randrange(9))),
                "n": draw.choice([i, None, [1, {"text" if nested else "t": i}]]),
            },
        )
        for i in range(count)
    ]


@pytest.mark.parametrize("seed", range(12))
def test_pairs_in_batches(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "_CHUNK", 1 << 8)
    monkeypatch.setattr(decoding, "_SLICE", 1 << 10)
    draw = random.Random(seed)
    nested = seed % 2 == 1
    pairs = objects(200, draw, nested=nested)
    blank = draw.choice(["", " ", "\n  "])
    content = f"{{{f',{blank}'.join(f'{json.dumps(key)}:{blank}{json.dumps(value)}' for key, value in pairs)}}}"
    one_by_one, batches = taken(content, tmp_path)
    assert one_by_one == batches == pairs
    many = max(map(len, decoding.Pairs(member(content, tmp_path)).batches()))
    assert many > 3 or nested


def test_a_name_that_comes_twice_is_there_twice(tmp_path: Path) -> None:
    pairs = [(f"k{i % 7}", {"text": str(i)}) for i in range(50)]
    content = f"{{{', '.join(f'{json.dumps(key)}: {json.dumps(value)}' for key, value in pairs)}}}"
    one_by_one, batches = taken(content, tmp_path)
    assert one_by_one == batches == pairs


@pytest.mark.parametrize("end", ["", "}", ', "k": {"text": ', ', "k": {"text": 1}} 3', ', "k" {"text": 1}}'])
def test_what_is_no_json_is_refused(end: str, tmp_path: Path) -> None:
    content = json.dumps({f"k{i}": {"text": str(i)} for i in range(99)})[:-1].removesuffix("}") + end
    with pytest.raises(UnreadableFile):
        taken(content, tmp_path)


def test_rows_in_batches(tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    path.write_text("a,b\n1,2\n\n3\n4,5,\n" + "6,7\n" * 9, encoding="utf-8")
    found = list(chain.from_iterable(decoding.Rows(Source.of(path).members[0]).batches(4)))
    assert found == list(decoding.Rows(Source.of(path).members[0]))
    path.write_text("a,b\n" + "1,2\n" * 9 + "3,4,5\n1,2\n", encoding="utf-8")
    with pytest.raises(UnreadableFile, match="line 11: the row has 3 cells"):
        list(decoding.Rows(Source.of(path).members[0]).batches(4))
    with pytest.raises(UnreadableFile, match="line 11: the row has 3 cells"):
        list(decoding.Rows(Source.of(path).members[0]))
