"""What the data are in a line, and what a reader must know of how they were read: the same below every title."""

from __future__ import annotations

from assent.data.annotations import Annotations
from assent.text import counted, listed, percent, quoted

__all__ = ["reading_notes", "summary_line"]

#: Labels, and annotators with their share of annotations that hold several labels, which the line names.
NAMED = 8


def summary_line(data: Annotations) -> str:
    """Say how many items, annotators, annotations and labels there are.

    Examples
    --------
    >>> summary_line(Annotations.from_array([["a", "a"], ["b", "a"]]))
    '2 items, 2 annotators, 4 annotations, 2 labels ("a" and "b")'
    """
    who = "annotators unknown" if data.annotator_count is None else counted(data.annotator_count, "annotator")
    labels = data.single_labels
    named = listed([quoted(label, 20) for label in labels], NAMED)
    size = f"{counted(data.items, 'item')}, {who}, {counted(data.annotations, 'annotation')}"
    line = f"{size}, {counted(len(labels), 'label')} ({named})"
    if data.sets is None:
        return line
    shares = sorted(data.set_shares(), key=lambda one: -one.share)
    several = sum(one.several for one in shares)
    whose = listed([f"{quoted(one.annotator, 20)} {percent(one.share)}" for one in shares], NAMED)
    hold = "holds" if several == 1 else "hold"
    return f"{line}; {counted(several, 'annotation')} ({percent(several / data.annotations)}) {hold} several labels: {whose}"


def reading_notes(data: Annotations) -> list[str]:
    """Say what was recognised and left out when the data were read."""
    return [*data.notes, *(f"Left out: {counted(one.rows, 'row')}, {one.reason}." for one in data.dropped)]
