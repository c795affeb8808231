"""The ends of a sweep, and the four classes of items that differ between them."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["CLASSES", "EQUAL", "ONLY"]

#: Weights of the primary label between which a sweep goes: all labels of a pair alike, and the primary one alone.
EQUAL, ONLY = 0.5, 1.0

#: The four classes of items, the order in which they are numbered: name, what it is, and what it says of the guidelines.
CLASSES: Mapping[str, tuple[str, str]] = {
    "constant-high": (
        "high whatever the weight",
        "Clear cases: take them as the examples of the guidelines.",
    ),
    "constant-low": (
        "low whatever the weight",
        "Disputed with and without secondary labels: look at these first, and sharpen or merge the labels they are torn between.",
    ),
    "higher-at-1": (
        "higher for primary labels alone",
        "The primary label is agreed on, secondary labels are not: say when a secondary label is to be given, and which.",
    ),
    "higher-at-0.5": (
        "higher if all labels count alike",
        "Primary and secondary label are swapped: say which comes first, allow two equal labels, or make a label of a frequent pair.",
    ),
}
