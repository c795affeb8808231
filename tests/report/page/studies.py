"""Reports to look at: each is made once, of annotations with something that a page could stumble over."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import polars as pl
from msgspec.structs import replace

from assent.data import Annotations
from assent.examples import example
from assent.reports import Report, report

#: What a page must show as text, wherever it stands.
SCRIPT = "<script>alert(1)</script>"
IMAGE = '"><img src=x onerror=alert(1)>'
CLOSING = "</style></svg></title></textarea><svg onload=alert(1)>"
TEMPLATE = "{{ 7 * 7 }}{% raw %}"
LONG = "Donaudampfschifffahrtsgesellschaft" * 12
RIGHT_TO_LEFT = "سلبي جدا"
TURNING = "safe\u202eevil"
CONTROL = "bell\x07 escape\x1b[31m null\x00"
FAMILY = "\N{WOMAN}\u200d\N{WOMAN}\u200d\N{GIRL} family"
HOSTILE = (SCRIPT, IMAGE, CLOSING, TEMPLATE, LONG, RIGHT_TO_LEFT, TURNING, CONTROL, FAMILY, "&amp; < > ' \"", "")


def _long(rows: list[tuple[str, ...]], *columns: str, **options: Any) -> Annotations:
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label", *columns], orient="row")
    return Annotations.from_frame(frame, columns=columns, **options)


@cache
def of_example(name: str) -> Report:
    chosen = example(name)
    return report(chosen.data(), title=chosen.title, **chosen.settings)


def changed(made: Report, **sections: Any) -> Report:
    """Return a report in which some sections are others."""
    return replace(made, sections={**made.sections, **sections})


@cache
def hostile() -> Report:
    """Every name, text and note is something that markup could trip over."""
    drawn = random.Random(1)
    names = [name for name in HOSTILE if name]
    rows = []
    for i in range(90):
        truth = names[i % len(names)]
        item = f"{names[i % len(names)]} {i}"
        for who in names[:6]:
            given = _given(drawn, truth, 0.6, names)
            rows.append((item, who, given, names[(i + 3) % len(names)] * 2, names[i % 3]))
    made = report(_long(rows, "text", "kind"), text="text", by="kind", title=f"{SCRIPT} {IMAGE}", task="standard")
    data, labels = made.sections["data"], made.sections["labels"]
    described = dict(data.described)
    described["notes"] = [*described["notes"], f"A note on {SCRIPT}"]
    described["dropped"] = [*described["dropped"], {"reason": IMAGE, "rows": 3}]
    # An empty label is a missing one when a table is read, but a page can be asked to show it.
    shares = [data.label_shares[0]._replace(label=""), *data.label_shares[1:]]
    how = made.reporting
    made = replace(
        made,
        appendix=replace(made.appendix, command=f"assent report '{SCRIPT}'"),
        reporting=replace(how, methods=f"{how.methods} {SCRIPT}{IMAGE}", caption=f"{how.caption}</code></pre>{SCRIPT}"),
    )
    return changed(
        made,
        data=replace(data, described=described, label_shares=shares),
        labels=replace(labels, rows=(replace(labels.rows[0], label=""), *labels.rows[1:])),
    )


@cache
def crowd() -> Report:
    """3,000 annotators with four annotations each."""
    drawn = random.Random(2)
    rows = []
    for i in range(4000):
        truth = drawn.choice("abcd")
        workers = drawn.sample(range(3000), 3)
        rows += [(f"item {i}", f"worker {who}", _given(drawn, truth, 0.8, "abcd")) for who in workers]
    return report(_long(rows), title="A crowd of 3,000")


def _given(drawn: random.Random, truth: str, sure: float, labels: Sequence[str]) -> str:
    return truth if drawn.random() < sure else drawn.choice(labels)


@cache
def many_labels() -> Report:
    """A thousand labels, most of them rare, said to be ten thousand: what is listed is cut down all the same."""
    drawn = random.Random(3)
    labels = [f"label {i}" for i in range(1000)]
    rows = []
    for i in range(900):
        truth = drawn.choice(labels)
        rows += [(f"item {i}", who, _given(drawn, truth, 0.7, labels)) for who in ("ana", "ben", "cem")]
    made = report(_long(rows), title="10,000 labels")
    return changed(made, data=replace(made.sections["data"], labels_more=9_960))


@cache
def undefined() -> Report:
    """All agree on one label, so that no coefficient is defined."""
    rows = [(f"item {i}", who, "same") for i in range(30) for who in ("ana", "ben")]
    return report(_long(rows), title="One label for everything", task="standard")


@cache
def questions() -> Report:
    """Three questions about the same items."""
    drawn = random.Random(4)
    tables = {}
    for name, sure in (("Is it true?", 0.9), (SCRIPT, 0.7), ("Is it <b>rude</b>?", 0.4)):
        rows = []
        for i in range(60):
            truth = drawn.choice(["yes", "no", "unclear"])
            rows += [(f"item {i}", who, _given(drawn, truth, sure, ["yes", "no"])) for who in ("ana", "ben", "cem")]
        tables[name] = _long(rows)
    return report(tables, title="Three questions", task="standard")


@cache
def bare() -> Report:
    """Nothing that can be left out is there."""
    made = of_example("lecture")
    data, coefficients = made.sections["data"], made.sections["coefficients"]
    described = {**data.described, "annotators": None, "notes": []}
    empty = dict.fromkeys(("annotators", "labels", "sparse", "plan", "ceiling", "groups", "advice"))
    made = changed(
        made,
        **empty,
        data=replace(data, described=described, coverage=None, label_use=None, work=(), work_more=0, quantiles=None),
        coefficients=replace(coefficients, reasons=(), findings=()),
        items=replace(made.sections["items"], worst=(), notes=()),
    )
    sure = replace(made.verdict.quoted.interval, low=math.nan, high=math.nan)
    return replace(
        made,
        verdict=replace(made.verdict, quoted=replace(made.verdict.quoted, interval=sure), target=None),
        appendix=replace(made.appendix, command=None, definitions={}),
    )


REPORTS: dict[str, Callable[[], Report]] = {
    "story": lambda: of_example("story"),
    "multi-label": lambda: of_example("multi-label"),
    "lecture": lambda: of_example("lecture"),
    "hostile": hostile,
    "crowd": crowd,
    "many-labels": many_labels,
    "undefined": undefined,
    "questions": questions,
    "bare": bare,
}
