"""Labels that only a distance can compare: texts, boxes, points, places in a tree."""

from __future__ import annotations

from typing import Any

from assent.data.annotations import Annotations
from assent.data.coerce import as_dataset
from assent.data.dataset import kind_in_words
from assent.errors import OptionError
from assent.label_distances import Tree, label_distance, read_tree
from assent.records import cached_property

__all__ = ["DistanceLabels", "with_distance"]


class DistanceLabels(Annotations, frozen=True, kw_only=True, eq=False):
    """Annotations whose labels are compared by a distance, not by name; make them with `with_distance`.

    Parameters
    ----------
    distance : str
        As `assent.label_distances.label_distance` takes it.
    tree : mapping of str to str, or path, optional
        The parent of each label, for taxonomy.

    The others are those of `Annotations`.
    """

    distance: str
    tree: Tree | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """Labels with a distance; then what they are without it."""
        return ("distance-labels", *super().kinds)

    @property
    def options(self) -> dict[str, Any]:
        """The options of Krippendorff's alpha that say how the labels are compared."""
        return {"distance": self.distance, **({} if self.tree is None else {"tree": self.tree})}

    @cached_property
    def kept_results(self) -> dict[str, Any]:
        """What was worked out of these very labels, so that a report compares no two of them twice."""
        return {}


def with_distance(
    data: Any,
    distance: str | None = None,
    tree: Tree | None = None,
    **others: Any,
) -> Any:
    """Say by which distance labels are compared; without one the data are returned as they are.

    Parameters
    ----------
    distance : str or None
        Nominal is none.
    tree : mapping or path, optional
        The parent of each label, for taxonomy.
    **others
        Other options that say how labels are compared, which do not go with a distance.

    Examples
    --------
    >>> with_distance([["a cat", "a hat"], ["dogs", "dogs"]], "levenshtein").kind
    'distance-labels'
    """
    if tree is not None and distance != "taxonomy":
        raise OptionError("`tree` is for the `distance` taxonomy: add it, or leave the tree out.")
    if distance in (None, "nominal"):
        return data
    if distance in ("jaccard", "masi"):
        raise OptionError(
            f"`distance` {distance} is one of sets of labels, which are compared by what they share here: leave it out."
        )
    given = next((name for name, one in others.items() if one is not None), None)
    if given is not None:
        raise OptionError(f"`distance` says how labels are compared, and so does `{given}`: leave one of them out.")
    label_distance(str(distance), tree=None if tree is None else read_tree(tree))
    whole = as_dataset(data)
    if not isinstance(whole, Annotations):
        raise OptionError(f"`distance` compares labels, and these are {kind_in_words(whole.kind)}: leave it out.")
    held = {name: getattr(whole, name) for name in Annotations.__struct_fields__}
    return DistanceLabels(**held, distance=str(distance), tree=tree)
