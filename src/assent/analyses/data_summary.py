"""What every document of an analysis says about its data: how much there is, how it was read, what was left out."""

from __future__ import annotations

from assent.data import Annotations
from assent.text import counted, listed, percent, quoted

__all__ = ["data_notes", "data_summary"]


def data_summary(data: Annotations) -> str:
    """Say in one line what the data are.

    Examples
    --------
    >>> import assent
    >>> data_summary(assent.Annotations.from_array([["a", "a"], ["a", "b"]]))
    '2 items, 2 annotators, 4 annotations, 2 labels ("a" and "b")'
    """
    who = "annotators unknown" if data.annotator_count is None else counted(data.annotator_count, "annotator")
    labels = data.single_labels
    some = listed([quoted(label, 20) for label in labels], 7)
    return (
        f"{counted(data.items, 'item')}, {who}, {counted(data.annotations, 'annotation')}, "
        f"{counted(len(labels), 'label')} ({some})"
    )


def data_notes(data: Annotations) -> list[str]:
    """Say what was recognised, what was left out, and how many annotations hold several labels."""
    left_out = [f"Left out: {counted(one.rows, 'row')}, {one.reason}." for one in data.dropped]
    return [*_several(data), *data.notes, *left_out]


def _several(data: Annotations) -> list[str]:
    """Say how many annotations hold several labels, and whose."""
    if data.sets is None:
        return []
    shares = sorted(data.set_shares(), key=lambda one: -one.share)
    several = sum(one.several for one in shares)
    each = listed([f"{quoted(one.annotator, 20)} {percent(one.share)}" for one in shares], 7)
    return [
        f"{counted(several, 'annotation holds', 'annotations hold')} several labels "
        f"({percent(several / data.annotations)}): {each}."
    ]
