"""Data of every kind that a report meets, small enough to be worked out by hand or by a slow loop."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from typing import Any

import polars as pl

import assent
from assent.examples import EXAMPLES

#: Texts that want to be more than text.
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "a|b `c` *d* _e_ [f](http://g) ![h](i)",
    "100% & $5_{x}^2 #1 ~ \\input{/etc/passwd}",
    "line\nbreak\ttab\x1b[31m",
    "=1+1",
]

#: Examples whose reports are looked at from all sides; the others differ from these by their numbers alone.
REPORTED = ("lecture", "sparse-crowd", "multi-label", "ordinal-bias", "perfect", "story")


def read(text: str, **options: Any) -> assent.Annotations:
    return assent.read(io.BytesIO(text.encode()), **options)


def long_rows(
    *, items: int = 60, annotators: int = 4, labels: str = "abc", gaps: float = 0.2, seed: int = 1
) -> list[Any]:
    """Rows (item, annotator, label, group, text) of annotators who are mostly right; the last one guesses."""
    draw = random.Random(seed)
    rows = []
    for i in range(items):
        truth = draw.choice(labels)
        for a in range(annotators):
            if draw.random() < gaps:
                continue
            right = draw.random() < (0.2 if a == annotators - 1 else 0.85)
            rows.append(
                (f"item {i}", f"name {a}", truth if right else draw.choice(labels), "xyz"[i % 3], f"text of {i}")
            )
    return rows


def long_data(**options: Any) -> assent.Annotations:
    frame = pl.DataFrame(long_rows(**options), schema=["item", "annotator", "label", "group", "text"], orient="row")
    return assent.Annotations.from_frame(frame, columns=["group", "text"])


def hostile_data() -> assent.Annotations:
    rows = [
        (
            f"{HOSTILE[i % len(HOSTILE)]} {i}",
            f"{HOSTILE[a]} {a}",
            HOSTILE[(i + (a == 2 and i % 4 == 0)) % 4],
            HOSTILE[i % 2],
            HOSTILE[i % 6],
        )
        for i in range(40)
        for a in range(3)
    ]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", "group", "text"], orient="row")
    return assent.Annotations.from_frame(frame, columns=["group", "text"])


def clustered_data() -> assent.Annotations:
    lines = [
        f"d{i // 5},{'uv'[i % 2]},{i},{who},{'xy'[(i + (who == 'q' and i % 7 == 0)) % 2]}"
        for i in range(100)
        for who in "pqr"
    ]
    return read("doc,side,item,annotator,label\n" + "\n".join(lines), cluster="doc", columns=["doc", "side"])


#: Name to (data, settings of the report).
KINDS: dict[str, Callable[[], tuple[Any, dict[str, Any]]]] = {
    "long": lambda: (long_data(), {"task": "standard", "by": "group", "text": "text"}),
    "hostile": lambda: (hostile_data(), {"by": "group", "text": "text", "title": HOSTILE[0]}),
    "clustered": lambda: (clustered_data(), {"by": "side"}),
    "one label": lambda: ([["a", "a"], ["a", "a"], ["a", "a"]], {"task": "standard"}),
    "two items": lambda: ([["a", "b"], ["a", "a"]], {}),
    "one item": lambda: ([["a", "b", "a"]], {"task": 0.65}),
    "counts": lambda: (
        assent.Annotations.from_counts([[3, 0], [1, 2], [2, 2]], labels=["y", "n"]),
        {"task": "standard"},
    ),
    "interval": lambda: ([[1, 2, 1], [4, 4, 5], [9, 8, 9], [5, 5, 5], [2, 3, 2]], {"scale": "interval"}),
    "interval with gaps": lambda: ([[1, 2, None], [4, None, 5], [9, 8, 9], [5, 5, 5]], {"scale": "interval"}),
    "ordinal": lambda: ([[1, 2, 1], [4, 4, 5], [5, 5, 5], [3, 3, 2]] * 20, {"scale": "ordinal"}),
    "sets": lambda: (read("item,annotator,label\n1,a,x;y\n1,b,x\n2,a,y\n2,b,y;z\n3,a,z\n3,b,z\n", separator=";"), {}),
    "crowd": lambda: (long_data(items=80, annotators=70, gaps=0.95, seed=3), {"anonymise": True, "by": "group"}),
    **{
        f"example {name}": (lambda one=one: (one.data(), dict(one.settings)))  # type: ignore[misc]
        for name, one in EXAMPLES.items()
        if name in REPORTED
    },
}
