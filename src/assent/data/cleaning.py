"""Labels renamed, merged or left out, annotators and items chosen: each change is counted and said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from assent.data.dataset import kind_in_words
from assent.data.label_order import look_alikes
from assent.data.messages import Dropped
from assent.errors import EmptyTable, OptionError, UnsuitableData, choose, did_you_mean
from assent.text import listed, shown

if TYPE_CHECKING:
    from assent.data.annotations import Annotations

__all__ = ["cleaned", "ignoring_case", "renamed", "without"]

KINDS = ("annotators", "labels", "items")


def cleaned(
    data: Any,
    *,
    rename: Mapping[str, str],
    merge: Mapping[str, Sequence[str]],
    ignore_case: bool,
    only: Mapping[str, Sequence[str]],
    without: Mapping[str, Sequence[str]],
) -> Any:
    """Return the annotations after cleaning; the options are those of `assent.read`."""
    if not (rename or merge or ignore_case or only or without):
        return data
    from assent.data.span_cleaning import cleaned_spans
    from assent.data.spans import Spans

    if isinstance(data, Spans):
        return cleaned_spans(data, rename=rename, merge=merge, ignore_case=ignore_case, only=only, without=without)
    if not hasattr(data, "merged") and (rename or merge or ignore_case or {*only, *without} - {"annotators"}):
        raise UnsuitableData(
            f"These are {kind_in_words(data.kind)}, of which annotators alone can be left out: leave out `rename`, `merge`, `ignore_case`, and `only` and "
            "`without` labels or items."
        )
    before = look_alikes(data.single_labels) if rename or merge else []
    if ignore_case:
        data = ignoring_case(data)
    if rename:
        data = renamed(data, rename)
    for name, labels in merge.items():
        some = [labels] if isinstance(labels, str) else list(labels)
        data = _known(data, "labels", some).merged(dict.fromkeys(some, name))
        data = _noted(data, f"Labels taken as {shown(name)}: {listed([shown(one) for one in some], 8)}.")
    if before:
        # Labels that were taken as one are no longer kept apart.
        still = look_alikes(data.single_labels)
        notes = [note for note in data.notes if note not in before]
        data = replace(data, notes=(*notes, *(note for note in still if note not in notes)))
    for keep, chosen in ((True, only), (False, without)):
        for kind, names in chosen.items():
            choose("only" if keep else "without", kind, KINDS)
            data = _without(data, kind, [names] if isinstance(names, str) else list(names), keep=keep)
    return data


def _noted(data: Annotations, note: str) -> Annotations:
    return replace(data, notes=(*data.notes, note))


def _known(data: Annotations, kind: str, names: Sequence[str]) -> Annotations:
    known = (data.annotators or ()) if kind == "annotators" else data.single_labels
    unknown = next((name for name in names if name not in set(known)), None)
    if unknown is not None:
        raise OptionError(f"There is no {kind.removesuffix('s')} {shown(unknown)}; {did_you_mean(unknown, known)}")
    return data


def renamed(data: Annotations, names: Mapping[str, str]) -> Annotations:
    """Return the same annotations with other names for some labels; see `Annotations.rename_labels`."""
    _known(data, "labels", list(names))
    left = {label for label in data.single_labels if label not in names}
    taken = next((new for new in names.values() if new in left), None)
    if taken is not None or len(set(names.values())) < len(names):
        which = shown(taken) if taken is not None else "one name"
        raise OptionError(f"`rename` gives several labels {which}: use `merge` to take labels as one.")
    told = listed([f"{shown(old)} is {shown(new)}" for old, new in names.items()], 8)
    return _noted(data.merged(names), f"Labels renamed: {told}.")


def ignoring_case(data: Annotations) -> Annotations:
    """Return the same annotations with labels as one that differ by case or outer blanks; see `Annotations.ignore_case`."""
    groups: dict[str, list[str]] = {}
    for label in data.single_labels:
        groups.setdefault(" ".join(label.split()).casefold(), []).append(label)
    several = [group for group in groups.values() if len(group) > 1]
    if not several:
        return data
    # The usual spelling stays: it is the one that most annotations have.
    often = data._source.survey.label_rows if hasattr(data._source, "survey") else {}
    names: dict[str, str] = {}
    for group in several:
        best = max(group, key=lambda label: (often.get(label, 0), label == label.strip(), label))
        names |= dict.fromkeys(group, best)
    told = "; ".join(f"{listed([shown(one) for one in group], 4)}" for group in several[:4])
    made = data.merged(names)
    stale = {*look_alikes(data.single_labels)}
    kept = [note for note in made.notes if note not in stale] + look_alikes(made.single_labels)
    return _noted(
        replace(made, notes=tuple(kept)), f"Labels that differ only by case or blanks were taken as one: {told}."
    )


def without(data: Annotations, kind: str, names: Sequence[str]) -> Annotations:
    """Return the annotations without some annotators, labels or items."""
    return _without(data, kind, names, keep=False)


def _without(data: Annotations, kind: str, names: Sequence[str], *, keep: bool) -> Annotations:
    from assent.data import subsets

    before = data.n_annotations
    if kind == "annotators":
        _known(data, kind, names)
        if keep and set(names) >= set(data.annotators or ()):
            return data
        made = data.only_annotators(names) if keep else data.without_annotators(names)
        made = subsets.without_unused_labels(made) if hasattr(made, "merged") else made
    elif kind == "labels":
        _known(data, kind, names)
        if data._sets is not None:
            raise UnsuitableData(
                "An annotation of several labels cannot lose one of them: leave out `only` and `without` labels."
            )
        dropped = [label for label in data.labels if (label in names) != keep]
        if not dropped:
            return data
        made = subsets.without_labels(data, dropped)
    else:
        made = subsets.of_items(data, names, keep=keep)
    if not made.n_annotations:
        raise EmptyTable(f"No annotation is left {'with' if keep else 'without'} these {kind}.")
    word = "other than" if keep else ""
    reason = f"{kind} {word} {listed([shown(one) for one in names], 5)}".replace("  ", " ")
    left = before - made.n_annotations
    if not left and kind == "items" and not keep:
        told = f"No item is called {listed([shown(one) for one in names], 5)}: none was left out."
        return replace(made, notes=(*made.notes, told))
    if not left:
        return made
    return replace(made, dropped=(*made.dropped, Dropped(f"left out as asked: {reason}", left)))
