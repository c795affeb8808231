"""Reports to look at: each is made once, of annotations with something that a page could stumble over."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import polars as pl

from assent.data import Annotations
from assent.examples import example
from assent.reports import make_report

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


def of_example(name: str) -> dict[str, Any]:
    return copy.deepcopy(_of_example(name))


@cache
def _of_example(name: str) -> dict[str, Any]:
    chosen = example(name)
    return make_report(chosen.data(), title=chosen.title, **chosen.settings).to_dict()


@cache
def _hostile() -> dict[str, Any]:
    drawn = random.Random(1)
    names = [name for name in HOSTILE if name]
    rows = []
    for i in range(90):
        truth = names[i % len(names)]
        item = f"{names[i % len(names)]} {i}"
        for who in names[:6]:
            given = _given(drawn, truth, 0.6, names)
            rows.append((item, who, given, names[(i + 3) % len(names)] * 2, names[i % 3]))
    made = make_report(_long(rows, "text", "kind"), text="text", by="kind", title=f"{SCRIPT} {IMAGE}", task="standard")
    content = made.to_dict()
    # An empty label is a missing one when a table is read, but a page can be asked to show it.
    content["labels"]["by_label"][0]["label"] = ""
    content["data"]["label_shares"][0]["label"] = ""
    content["data"]["notes"].append(f"A note on {SCRIPT}")
    content["data"]["dropped"].append({"reason": IMAGE, "rows": 3})
    content["appendix"]["command"] = f"assent report '{SCRIPT}'"
    content["how_to_report"]["methods"] += f" {SCRIPT}{IMAGE}"
    content["how_to_report"]["latex_table"] += f"</code></pre>{SCRIPT}"
    return content


def hostile() -> dict[str, Any]:
    """Every name, text and note is something that markup could trip over."""
    return copy.deepcopy(_hostile())


@cache
def _crowd() -> dict[str, Any]:
    drawn = random.Random(2)
    rows = []
    for i in range(4000):
        truth = drawn.choice("abcd")
        workers = drawn.sample(range(3000), 3)
        rows += [(f"item {i}", f"worker {who}", _given(drawn, truth, 0.8, "abcd")) for who in workers]
    return make_report(_long(rows), title="A crowd of 3,000").to_dict()


def _given(drawn: random.Random, truth: str, sure: float, labels: Sequence[str]) -> str:
    return truth if drawn.random() < sure else drawn.choice(labels)


def crowd() -> dict[str, Any]:
    """3,000 annotators with four annotations each."""
    return copy.deepcopy(_crowd())


@cache
def _many_labels() -> dict[str, Any]:
    drawn = random.Random(3)
    labels = [f"label {i}" for i in range(1000)]
    rows = []
    for i in range(900):
        truth = drawn.choice(labels)
        rows += [(f"item {i}", who, _given(drawn, truth, 0.7, labels)) for who in ("ana", "ben", "cem")]
    content = make_report(_long(rows), title="10,000 labels").to_dict()
    content["data"]["labels_more"] = 9_960
    return content


def many_labels() -> dict[str, Any]:
    """A thousand labels, most of them rare, said to be ten thousand: what is listed is cut down all the same."""
    return copy.deepcopy(_many_labels())


@cache
def _undefined() -> dict[str, Any]:
    rows = [(f"item {i}", who, "same") for i in range(30) for who in ("ana", "ben")]
    return make_report(_long(rows), title="One label for everything", task="standard").to_dict()


def undefined() -> dict[str, Any]:
    """All agree on one label, so that no coefficient is defined."""
    return copy.deepcopy(_undefined())


@cache
def _questions() -> dict[str, Any]:
    drawn = random.Random(4)
    tables = {}
    for name, sure in (("Is it true?", 0.9), (SCRIPT, 0.7), ("Is it <b>rude</b>?", 0.4)):
        rows = []
        for i in range(60):
            truth = drawn.choice(["yes", "no", "unclear"])
            rows += [(f"item {i}", who, _given(drawn, truth, sure, ["yes", "no"])) for who in ("ana", "ben", "cem")]
        tables[name] = _long(rows)
    return make_report(tables, title="Three questions", task="standard").to_dict()


def questions() -> dict[str, Any]:
    """Three questions about the same items."""
    return copy.deepcopy(_questions())


def bare() -> dict[str, Any]:
    """Nothing that can be left out is there."""
    content = of_example("lecture")
    content["data"] |= {"coverage": None, "label_by_annotator": None, "notes": [], "annotators": None, "density": None}
    content["data"]["per_annotator"] = {"shown": [], "more": 0, "quantiles": None}
    content["coefficients"] |= {"reasons": [], "findings": []}
    content["labels"] |= {
        "matrix": None,
        "by_label": [],
        "disputed": [],
        "merges": [],
        "spellings": [],
        "unused": [],
        "notes": [],
    }
    content["items"] |= {"worst": [], "notes": []}
    empty: dict[str, Any] = {
        "annotators": None,
        "multilabel": None,
        "sparse": None,
        "plan": None,
        "ceiling": None,
        "groups": None,
    }
    content |= {**empty, "advice": []}
    content["appendix"] |= {"command": None, "definitions": []}
    content["verdict"] |= {"low": None, "high": None, "status": None, "task": None, "target": None}
    return content


REPORTS: dict[str, Callable[[], dict[str, Any]]] = {
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
