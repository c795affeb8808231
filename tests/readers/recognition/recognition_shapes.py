"""Tables for the tests of recognition: made by code, the same every time."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Cell = Callable[[int, list[str]], Any]
"""From the number of a row, and the labels in it, to what stands in a further column."""

SENTENCES = [
    "The service was slow but everyone was very kind to us.", "I would never come here again, to be honest.",
    "It does what it says on the box and nothing else.", "My order arrived two weeks late and was broken.",
    "Absolutely wonderful, we stayed for three nights.", "Not sure what all of the fuss is about here.",
    "They promised a refund which never came to me.", "Best coffee in town and a lovely little garden.",
]  # fmt: skip


def text(i: int, labels: list[str]) -> str:
    """Return a sentence that no other row has."""
    return f"{SENTENCES[i % len(SENTENCES)]} ({i})"


def date(i: int, labels: list[str]) -> str:
    return f"2024-03-{1 + i % 28:02d} {8 + i % 12:02d}:{(7 * i) % 60:02d}:{(13 * i) % 60:02d}"


def us_date(i: int, labels: list[str]) -> str:
    return f"{1 + i % 12}/{1 + i % 28}/2023 {9 + i % 9}:{(7 * i) % 60:02d}:{(13 * i) % 60:02d}"


def seconds(i: int, labels: list[str]) -> str:
    return f"{3 + (i * 7919) % 97}.{(i * 31) % 1000:03d}"


def probability(i: int, labels: list[str]) -> str:
    return f"0.{(i * 7919 + 137) % 997:03d}"


def uuid(i: int, labels: list[str]) -> str:
    return f"{i * 2654435761 % 2**32:08x}-0000-4000-8000-{i * 40503 % 2**48:012x}"


def number(i: int, labels: list[str]) -> int:
    return 10_000 + i


def majority(i: int, labels: list[str]) -> str:
    """Return what most said; of a tie, the first."""
    return max(sorted(set(labels)), key=labels.count)


def always(value: Any) -> Cell:
    return lambda i, labels: value


def of(*values: Any) -> Cell:
    return lambda i, labels: random.Random(i).choice(values)


def answers(items: int, annotators: int, labels: Sequence[str], *, agree: float, seed: int) -> list[list[str]]:
    """Return what annotators say: the true label with the probability `agree`, else any."""
    draw = random.Random(seed)
    rows = []
    for i in range(items):
        truth = labels[i % len(labels)] if i < len(labels) else draw.choice(labels)
        rows.append([truth if draw.random() < agree else draw.choice(labels) for _ in range(annotators)])
    return rows


def written(header: Sequence[str], rows: Sequence[Sequence[Any]], *, delimiter: str = ",") -> str:
    out = io.StringIO()
    made = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    made.writerow(header)
    made.writerows(rows)
    return out.getvalue()


def records(content: str) -> str:
    """Return a CSV table as JSON lines, numbers as numbers."""

    def value(cell: str) -> Any:
        try:
            return json.loads(cell) if cell and cell[0] in "-0123456789" else cell or None
        except json.JSONDecodeError:
            return cell

    return "".join(
        json.dumps({k: value(v) for k, v in row.items()}) + "\n" for row in csv.DictReader(io.StringIO(content))
    )


def wide(
    annotators: Sequence[str],
    labels: Sequence[str] = ("pos", "neg", "neu"),
    *,
    item: str | None = "id",
    items: int = 24,
    before: Mapping[str, Cell] | None = None,
    after: Mapping[str, Cell] | None = None,
    agree: float = 0.7,
    gaps: int = 0,
    seed: int = 1,
    delimiter: str = ",",
    name: Callable[[int], Any] = lambda i: i + 1,
) -> str:
    rows = answers(items, len(annotators), labels, agree=agree, seed=seed)
    header = [*([] if item is None else [item]), *(before or {}), *annotators, *(after or {})]
    made = []
    for i, row in enumerate(rows):
        shown = ["" if gaps and (i * len(row) + j) % gaps == 0 else cell for j, cell in enumerate(row)]
        made.append(
            [
                *([] if item is None else [name(i)]),
                *(cell(i, row) for cell in (before or {}).values()),
                *shown,
                *(cell(i, row) for cell in (after or {}).values()),
            ]
        )
    return written(header, made, delimiter=delimiter)


def long(
    header: Sequence[str],
    labels: Sequence[str] = ("pos", "neg", "neu"),
    *,
    items: int = 20,
    annotators: Sequence[str] = ("ann", "bob", "cem"),
    per_item: int | None = None,
    after: Mapping[str, Cell] | None = None,
    before: Mapping[str, Cell] | None = None,
    agree: float = 0.7,
    seed: int = 2,
    delimiter: str = ",",
    name: Callable[[int], Any] = lambda i: f"d{i + 1}",
) -> str:
    """Return a long table; the header names item, annotator and label, in that order."""
    rows, number = [], 0
    for i, row in enumerate(answers(items, len(annotators), labels, agree=agree, seed=seed)):
        who = [(i + j) % len(annotators) for j in range(per_item or len(annotators))]
        for j in who:
            rows.append(
                [
                    *(cell(number, [row[j]]) for cell in (before or {}).values()),
                    name(i),
                    annotators[j],
                    row[j],
                    *(cell(number, [row[j]]) for cell in (after or {}).values()),
                ]
            )
            number += 1
    return written([*(before or {}), *header, *(after or {})], rows, delimiter=delimiter)


def counts(
    labels: Sequence[str],
    *,
    item: str | None = "item",
    items: int = 20,
    least: int = 3,
    most: int = 6,
    agree: float = 0.6,
    seed: int = 3,
    before: Mapping[str, Cell] | None = None,
    after: Mapping[str, Cell] | None = None,
    item_last: bool = False,
) -> str:
    draw = random.Random(seed)
    rows = []
    for i, row in enumerate(answers(items, most, labels, agree=agree, seed=seed)):
        given = row[: draw.randint(least, most)]
        cells = [given.count(label) for label in labels]
        key = [] if item is None else [i + 1]
        more = [cell(i, given) for cell in (before or {}).values()]
        last = [cell(i, given) for cell in (after or {}).values()]
        rows.append([*more, *cells, *last, *key] if item_last else [*key, *more, *cells, *last])
    key_name = [] if item is None else [item]
    header = (
        [*(before or {}), *labels, *(after or {}), *key_name]
        if item_last
        else [*key_name, *(before or {}), *labels, *(after or {})]
    )
    return written(header, rows)


def turned(content: str) -> str:
    """Return a table with its rows as columns."""
    rows = list(csv.reader(io.StringIO(content)))
    return written([row[0] for row in rows], [[row[j] for row in rows] for j in range(1, len(rows[0]))])
