"""What the paper reports: its data sets and its Table 1."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SHAPES", "TABLE_1", "Shape"]


@dataclass(frozen=True)
class Shape:
    """What is published of a data set: sections 6.2 and B.6.

    Parameters
    ----------
    name, label : str
        As in Table 1.
    items, classes : int
    annotations : tuple of (int, int or None)
        Numbers of annotations an item can have, each with how many items have it. Where the paper
        gives only the range that number is None, and the remaining items are spread evenly.
    """

    name: str
    label: str
    n_items: int
    classes: int
    annotations: tuple[tuple[int, int | None], ...]

    @property
    def range(self) -> str:
        """Fewest and most annotations of an item."""
        return f"{self.annotations[0][0]} to {self.annotations[-1][0]}"


def _between(fewest: int, most: int, known: dict[int, int] | None = None) -> tuple[tuple[int, int | None], ...]:
    return tuple((n, (known or {}).get(n)) for n in range(fewest, most + 1))


#: The data sets of the main text, each with the label used there.
SHAPES = (
    Shape("MBIC", "label", 1_700, 2, _between(9, 12)),
    Shape("BSMTWE", "trust_vs_disgust", 4_553, 4, _between(1, 6)),
    Shape("FECG", "label", 51_042, 3, _between(5, 12, {6: 50_992})),
    Shape("DAR", "main_type", 115_000, 10, _between(1, 3)),
)

#: Table 1, times 100: the sum over the curve of the variance of a scheme minus that of flat; lower is better. Of the eight
#: rows these are the labels of the main text; edge and edges, var and inv_var, var_p_class and inv_var_class are the same.
TABLE_1: dict[str, dict[str, float]] = {
    "MBIC": {
        "flat": 0.0,
        "annotations": -0.8458,
        "annotations-m1": -1.0929,
        "edges": -0.4681,
        "inv-var": -0.4681,
        "inv-var-class": -0.8676,
    },
    "BSMTWE": {
        "flat": 0.0,
        "annotations": -0.3567,
        "annotations-m1": -0.5141,
        "edges": -0.4333,
        "inv-var": -0.4333,
        "inv-var-class": -0.5359,
    },
    "FECG": {
        "flat": 0.0,
        "annotations": -0.0444,
        "annotations-m1": 0.0011,
        "edges": 0.2910,
        "inv-var": 0.2910,
        "inv-var-class": 0.2003,
    },
    "DAR": {
        "flat": 0.0,
        "annotations": 0.0089,
        "annotations-m1": 0.0493,
        "edges": 0.2019,
        "inv-var": 0.2019,
        "inv-var-class": 0.1324,
    },
}
