"""Measuring by name."""

from __future__ import annotations

from typing import Any

from assent.measures import find
from assent.measures.results import Agreement

__all__ = ["measure"]


def measure(data: Any, name: str = "krippendorff-alpha", **options: Any) -> Agreement:
    """Measure the agreement in `data` by the measure called `name`.

    Parameters
    ----------
    data : Annotations, or whatever they can be made from
        A path, a DataFrame with the columns item, annotator and label, a 2-D array of items x annotators.
    name : str
        Name of the measure; `assent.all_measures` lists them.
    **options
        scale, weights, order and the measure's own options.

    Examples
    --------
    >>> import assent
    >>> assent.measure([["a", "a"], ["b", "b"], ["a", "b"]], "percent-agreement").observed
    0.6666666666666666
    """
    return find(name)(data, **options)
