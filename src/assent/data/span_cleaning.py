"""Labels of spans renamed or merged; annotators, labels and documents left out: each change is counted and said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from msgspec.structs import replace

from assent.data.messages import Dropped
from assent.data.spans import Spans, by_span
from assent.errors import EmptyTable, OptionError, choose, did_you_mean
from assent.text import counted, listed, shown

__all__ = ["cleaned_spans"]

KINDS = ("annotators", "labels", "items")


def cleaned_spans(
    data: Spans,
    *,
    rename: Mapping[str, str],
    merge: Mapping[str, Sequence[str]],
    ignore_case: bool,
    only: Mapping[str, Sequence[str]],
    without: Mapping[str, Sequence[str]],
) -> Spans:
    """Return the spans after cleaning; the options are those of `assent.read`."""
    if ignore_case:
        groups: dict[str, list[str]] = {}
        for label in data.labels:
            groups.setdefault(" ".join(label.split()).casefold(), []).append(label)
        often = dict(zip(data.labels, np.bincount(data.label, minlength=len(data.labels)).tolist(), strict=True))
        # The usual spelling stays.
        usual = {
            key: max(group, key=lambda one: (often[one], one == one.strip(), one)) for key, group in groups.items()
        }
        data = _called(data, {label: usual[key] for key, group in groups.items() for label in group})
    if rename:
        _known(rename, data.labels, "label")
        left = [label for label in data.labels if label not in rename]
        if len({*rename.values(), *left}) < len(data.labels):
            raise OptionError("`rename` gives several labels one name: use `merge` to take labels as one.")
        data = _called(data, rename)
    for name, labels in merge.items():
        some = [labels] if isinstance(labels, str) else list(labels)
        _known(some, data.labels, "label")
        data = _called(data, dict.fromkeys(some, name))
    for keep, chosen in ((True, only), (False, without)):
        for kind, names in chosen.items():
            choose("only" if keep else "without", kind, KINDS)
            data = _without(data, kind, [names] if isinstance(names, str) else list(names), keep=keep)
    return data


def _known(names: Sequence[str] | Mapping[str, str], known: Sequence[str], what: str) -> None:
    unknown = next((name for name in names if name not in set(known)), None)
    if unknown is not None:
        raise OptionError(f"There is no {what} {shown(unknown)}; {did_you_mean(unknown, known)}")


def _called(data: Spans, names: Mapping[str, str]) -> Spans:
    """Return the spans with other names of labels; spans that become the same are one."""
    changed = {old: new for old, new in names.items() if old != new}
    if not changed:
        return data
    labels = [changed.get(label, label) for label in data.labels]
    columns = [
        pl.Series([known[code] for code in codes.tolist()], dtype=pl.String)
        for known, codes in (
            (data.documents, data.document), (data.annotators, data.annotator), (labels, data.label),
            (data.documents, data.judged[:, 0]), (data.annotators, data.judged[:, 1]),
        )
    ]  # fmt: skip
    told = listed([f"{shown(old)} is {shown(new)}" for old, new in changed.items()], 8)
    return Spans.from_columns(
        columns[0],
        columns[1],
        data.start,
        data.end,
        columns[2],
        judged=(columns[3], columns[4]),
        fragments={} if data.fragments is None else by_span(data.fragments),
        relations=data.relations,
        attributes=data.attributes,
        dropped=data.dropped,
        notes=(*data.notes, f"Labels renamed: {told}."),
        stacked=data.stacked,
        **{name: getattr(data, name) for name in ("texts", "lengths", "offsets", "layout", "unit", "export")},
    )


def _without(data: Spans, kind: str, names: Sequence[str], *, keep: bool) -> Spans:
    known = {"annotators": data.annotators, "labels": data.labels, "items": data.documents}[kind]
    _known(names, known, {"annotators": "annotator", "labels": "label", "items": "document"}[kind])
    chosen = np.array([(name in set(names)) == keep for name in known], dtype=bool)
    every = np.ones(len(data.start), dtype=bool)
    made = {
        "annotators": lambda: data.kept(every, annotators=chosen),
        "labels": lambda: data.kept(chosen[data.label]),
        "items": lambda: data.kept(every, documents=chosen),
    }[kind]()
    if not made.n_items:
        raise EmptyTable(f"No document is left {'with' if keep else 'without'} these {kind}.")
    left = data.n_annotations - made.n_annotations
    reason = f"left out as asked: {kind}{' other than' if keep else ''} {listed([shown(one) for one in names], 5)}"
    said = f"Left out as asked: {counted(data.n_items - made.n_items, 'document')}."
    return replace(
        made,
        dropped=(*made.dropped, *([Dropped(reason, left)] if left else [])),
        notes=made.notes if made.n_items == data.n_items else (*made.notes, said),
    )
