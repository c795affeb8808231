"""How far apart two labels are that are more than names: texts, boxes, points, places in a tree, or what a function says."""

from __future__ import annotations

import csv
import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeAlias

from assent.errors import InputError, OptionError, did_you_mean
from assent.records import Struct
from assent.text import counted, escaped, shown

__all__ = [
    "NAMED",
    "LabelDistance",
    "Tree",
    "boxes_apart",
    "iou",
    "label_distance",
    "levenshtein",
    "read_tree",
    "rouge_l",
    "token_jaccard",
]

#: The parent of each label, or a file that says so.
Tree: TypeAlias = "Mapping[str, str] | str | os.PathLike[str]"


class LabelDistance(Struct, frozen=True, kw_only=True):
    """A distance between labels.

    Parameters
    ----------
    name : str
    parse : callable
        From the text of a label to what is compared; raises ValueError, with what is wrong, for a text that cannot be.
    between : callable
        From two of these to a number from 0 on; 0 if they are the same.
    most : float
        No two labels are farther apart.
    """

    name: str
    parse: Callable[[str], Any]
    between: Callable[[Any, Any], float]
    most: float = 1.0


def levenshtein(first: str, second: str) -> float:
    """Return the least number of characters to insert, delete or replace, over the length of the longer text.

    Examples
    --------
    >>> round(levenshtein("kitten", "sitting"), 4), levenshtein("", "abc"), levenshtein("", "")
    (0.4286, 1.0, 0.0)
    """
    from rapidfuzz.distance import Levenshtein

    return float(Levenshtein.normalized_distance(first, second))


def token_jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    """Return the share of words that only one of two texts has."""
    either = len(first | second)
    return 1.0 - len(first & second) / either if either else 0.0


def rouge_l(first: Sequence[str], second: Sequence[str]) -> float:
    """Return one minus the F1 of the longest common subsequence of words.

    Examples
    --------
    >>> round(rouge_l("a cat sat".split(), "a cat sat on the mat".split()), 4)
    0.3333
    """
    if not first or not second:
        return float(bool(first) != bool(second))
    from rapidfuzz.distance import LCSseq

    return 1.0 - 2.0 * LCSseq.similarity(first, second) / (len(first) + len(second))


Box = tuple[float, float, float, float]


def iou(first: Box, second: Box) -> float:
    """Return the area that two boxes share over that of both; boxes of no area share nothing.

    Examples
    --------
    >>> round(iou((0, 0, 10, 10), (1, 1, 11, 11)), 4), iou((3, 3, 3, 3), (3, 3, 3, 3))
    (0.6807, 0.0)
    """
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    common = max(width, 0.0) * max(height, 0.0)
    both = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (first, second)) - common
    return common / both if both > 0 else 0.0


def boxes_apart(first: Sequence[Box], second: Sequence[Box], *, one_to_one: bool = True) -> float:
    """Return how far two lists of boxes are apart.

    Parameters
    ----------
    first, second : sequence of (x1, y1, x2, y2)
    one_to_one : bool
        Each box is matched with one other, as well as can be, and what is left over counts in full; else each has its best match, and
        the two sides are averaged.
    """
    if first == second or not first or not second:
        return float(bool(first) != bool(second))
    table = [[iou(a, b) for b in second] for a in first]
    if one_to_one:
        from scipy.optimize import linear_sum_assignment

        rows, columns = linear_sum_assignment(table, maximize=True)
        return 1.0 - float(sum(table[i][j] for i, j in zip(rows, columns, strict=True))) / max(len(first), len(second))
    sides = [sum(map(max, table)) / len(first), sum(map(max, zip(*table, strict=True))) / len(second)]
    return 1.0 - float(sum(sides)) / 2.0


def _numbers(text: str, width: int, what: str) -> list[tuple[float, ...]]:
    """Read a list of lists of numbers."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"it is no JSON list of {what}") from None
    found = [found] if isinstance(found, list) and found and not isinstance(found[0], list) else found
    if not isinstance(found, list):
        raise ValueError(f"it is no JSON list of {what}")
    made = []
    for one in found:
        # Records hold their numbers as texts.
        try:
            numbers = tuple(float(part) for part in one if not isinstance(part, list | dict | bool))
        except (TypeError, ValueError):
            numbers = ()
        if len(numbers) != width or len(one) != width or not all(map(math.isfinite, numbers)):
            raise ValueError(f"{escaped(json.dumps(one))} are not {width} numbers")
        made.append(numbers)
    return made


def _boxes(text: str) -> list[Box]:
    made = []
    for x1, y1, x2, y2 in _numbers(text, 4, "boxes, as in [[x1, y1, x2, y2]]"):
        if x2 < x1 or y2 < y1:
            raise ValueError(f"the box {x1:g}, {y1:g}, {x2:g}, {y2:g} has a negative side")
        made.append((x1, y1, x2, y2))
    return made


def _points(text: str) -> list[tuple[float, ...]]:
    return _numbers(text, 2, "points, as in [[x, y]]")


def _points_apart(first: list[tuple[float, ...]], second: list[tuple[float, ...]]) -> float:
    """Return the root of the mean squared distance of points that belong together by their place in the list."""
    if len(first) != len(second):
        raise ValueError(
            f"it has {counted(len(first), 'point')} and the other {len(second)}, and the same points must be in both"
        )
    squares = [(a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 for a, b in zip(first, second, strict=True)]
    return math.sqrt(sum(squares) / len(squares)) if squares else 0.0


def _words(text: str) -> list[str]:
    return text.split()


#: Distances by name; taxonomy needs a tree, and any other name is that of a function.
NAMED: Mapping[str, LabelDistance] = {
    one.name: one
    for one in (
        LabelDistance(name="levenshtein", parse=str, between=levenshtein),
        LabelDistance(name="token-jaccard", parse=lambda text: frozenset(text.split()), between=token_jaccard),
        LabelDistance(name="rouge-l", parse=_words, between=rouge_l),
        LabelDistance(name="boxes", parse=_boxes, between=boxes_apart),
        LabelDistance(name="boxes-best-match", parse=_boxes, between=lambda a, b: boxes_apart(a, b, one_to_one=False)),
        LabelDistance(name="keypoints", parse=_points, between=_points_apart, most=math.inf),
    )
}


def _taxonomy(tree: Mapping[str, str]) -> LabelDistance:
    """Return one minus Wu and Palmer's similarity: twice the depth of the nearest common parent over both depths, the root at depth 1."""

    def path(text: str) -> list[str]:
        if text not in tree and text not in tree.values():
            raise ValueError(f"it is not in the tree; {did_you_mean(text, tree)}".rstrip("."))
        made = [text]
        while made[-1] in tree:
            made.append(tree[made[-1]])
            if len(made) > len(tree) + 1:
                raise ValueError("the tree goes round in a circle above it")
        return made[::-1]

    def apart(first: list[str], second: list[str]) -> float:
        common = 0
        for one, other in zip(first, second, strict=False):
            if one != other:
                break
            common += 1
        return 1.0 - 2.0 * common / (len(first) + len(second))

    return LabelDistance(name="taxonomy", parse=path, between=apart)


def read_tree(source: Tree) -> Mapping[str, str]:
    """Read the parent of each label: a CSV file with a line of names, then child and parent; or JSON, of the parent of each child or of children in parents.

    Examples
    --------
    >>> read_tree({"cat": "animal", "dog": "animal"})["cat"]
    'animal'
    """
    if isinstance(source, Mapping):
        return source
    try:
        text = Path(source).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(f"`tree` is {shown(source, 120)}, which cannot be read: {escaped(error)}.") from None
    tree: dict[str, str] = {}
    if text.lstrip()[:1] == "{":
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise OptionError(f"`tree` is {shown(source, 120)}, which is broken JSON: {escaped(error)}.") from None
        flat = all(isinstance(one, str) for one in found.values())
        for child, parent in found.items() if flat else _nested(found, None):
            _join(tree, child, parent, shown(source, 120))
        return tree
    rows = [
        (line, [cell.strip() for cell in row])
        for line, row in enumerate(csv.reader(text.splitlines()), start=1)
        if any(cell.strip() for cell in row)
    ]
    for line, row in rows[1:]:
        where = f"{shown(source, 120)}, line {line}"
        if len(row) != 2 or not row[0]:
            raise OptionError(f"{where}: there must be a child and its parent, and there are {len(row)} cells.")
        if row[1]:
            _join(tree, row[0], row[1], where)
    again = next((cell for cell in rows[0][1] if cell in tree or cell in tree.values()), None) if rows else None
    if again is not None:
        raise OptionError(
            f"{shown(source, 120)}, line 1: {shown(again)} stands further down as a label, so this is no line of names: put one above it, such as child,parent."
        )
    return tree


def _join(tree: dict[str, str], child: str, parent: str, where: str) -> None:
    """Put a label below its parent; refuse a second parent."""
    if tree.setdefault(child, parent) != parent:
        raise OptionError(
            f"{where}: {shown(child)} has the parent {shown(tree[child])} already, and {shown(parent)} is another."
        )


def _nested(found: Any, parent: str | None) -> Iterator[tuple[str, str]]:
    """Yield children with their parents, whatever they are held in."""
    children = (
        found.items()
        if isinstance(found, dict)
        else [(one, None) for one in found]
        if isinstance(found, list)
        else [(found, None)]
    )
    for child, below in children:
        if isinstance(child, dict | list):
            yield from _nested(child, parent)
            continue
        if parent is not None and child is not None:
            yield str(child), parent
        if below not in (None, {}, []):
            yield from _nested(below, str(child))


def label_distance(name: str, *, tree: Mapping[str, str] | None = None) -> LabelDistance:
    """Return a distance by its name, or that of a function as ``package.module:function``.

    Parameters
    ----------
    name : str
    tree : mapping of str to str, optional
        The parent of each label, for taxonomy.
    """
    if name == "taxonomy":
        if tree is None:
            raise OptionError(
                "`distance` taxonomy needs the tree of the labels: give a file of child and parent with `tree`."
            )
        return _taxonomy(tree)
    if name in NAMED:
        return NAMED[name]
    if ":" not in name:
        known = ["nominal", "jaccard", "masi", *NAMED, "taxonomy"]
        near = get_close_matches(name, known, n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise OptionError(
            f"`distance` is {shown(name)}, which is not one of {', '.join(known)}{hint}, nor a function as package.module:function."
        )
    return LabelDistance(name=name, parse=str, between=_function(name), most=math.inf)


def _function(name: str) -> Callable[[Any, Any], float]:
    """Import a function that the user named."""
    import importlib

    module, _, attribute = name.partition(":")
    try:
        found = importlib.import_module(module)
    except Exception as error:
        raise OptionError(
            f"`distance` is {shown(name, 80)}: the module cannot be imported ({escaped(error)})."
        ) from None
    function = getattr(found, attribute, None)
    if not callable(function):
        raise OptionError(f"`distance` is {shown(name, 80)}: the module has no function {shown(attribute)}.")

    def between(first: Any, second: Any) -> float:
        try:
            made = float(function(first, second))
        except Exception as error:
            raise InputError(
                f"{escaped(name)} failed on {shown(first)} and {shown(second)}: {type(error).__name__}: {escaped(error)}."
            ) from None
        if not made >= 0 or math.isinf(made):
            raise InputError(
                f"{escaped(name)} gives {made:g} for {shown(first)} and {shown(second)}; a distance is a number from 0 on."
            )
        return made

    return between
