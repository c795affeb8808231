"""Labels that may be one label spelled in two ways. It is asked, never decided: no label is ever changed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assent.data.label_order import number_of, without_blanks_and_case
from assent.limits import LABELS_ALIKE
from assent.records import Record

__all__ = ["Alike", "similar_labels"]

#: Shorter labels are near too many others: "cat" and "car" are no slip of the pen.
SHORTEST = 4
#: A longer text is no label that somebody typed.
LONGEST = 64
#: A slip of the pen is rare beside the right spelling: at most this share of its uses.
RARE = 0.2


class Alike(Record, frozen=True, kw_only=True):
    """Two labels that may be one.

    Parameters
    ----------
    first, second : str
        The more frequent one first.
    first_annotations, second_annotations : int
        How often each was given.
    differ : str
        What they differ in: case or blanks, punctuation or accents, how a number is written, or one letter.
    """

    first: str
    second: str
    first_annotations: int
    second_annotations: int
    differ: str


def similar_labels(counts: Mapping[str, int]) -> tuple[Alike, ...]:
    """Return labels that may be one label spelled in two ways.

    Labels that differ only by case, blanks, punctuation, accents or invisible characters are listed, numbers that are written in
    two ways, and labels one letter apart (one too many, too few, wrong, or two swapped) of which one is rare beside the other.

    Parameters
    ----------
    counts : mapping of str to int
        How often each label was given; labels that nobody used may be among them.

    Examples
    --------
    >>> for one in similar_labels({"positive": 50, "positve": 1, "Positive": 3, "negative": 40}):
    ...     print(one.first, one.second, one.differ)
    positive Positive case or blanks
    positive positve one letter
    """
    labels = list(counts)
    found: dict[tuple[int, int], str] = {}
    for fold, differ in (
        (without_blanks_and_case, "case or blanks"),
        (_letters, "punctuation or accents"),
        (number_of, "how a number is written"),
    ):
        for group in _groups((fold(label), i) for i, label in enumerate(labels)):
            # The most frequent one stands for the group: of fifty spellings not all pairs are listed.
            best = max(group, key=lambda i: (counts[labels[i]], -i))
            for other in group:
                if other != best:
                    found.setdefault((min(best, other), max(best, other)), differ)
    for pair in _one_letter_apart([without_blanks_and_case(label) for label in labels]):
        few, many = sorted(counts[labels[i]] for i in pair)
        if few <= RARE * many:
            found.setdefault(pair, "one letter")
    alike = []
    for pair, differ in found.items():
        first, second = sorted((labels[i] for i in pair), key=lambda label: -counts[label])
        alike.append(
            Alike(
                first=first,
                second=second,
                first_annotations=counts[first],
                second_annotations=counts[second],
                differ=differ,
            )
        )
    return tuple(sorted(alike, key=lambda one: (-one.second_annotations, one.first, one.second)))


def _groups(keyed: Iterable[tuple[Any, int]]) -> list[list[int]]:
    """Return the labels that share a key, where there are several."""
    groups: dict[Any, list[int]] = {}
    for key, i in keyed:
        if key is not None:
            groups.setdefault(key, []).append(i)
    return [group for group in groups.values() if len(group) > 1]


def _letters(label: str) -> str | None:
    """Return the label without accents, invisible characters and what stands between letters; None for a number.

    Signs at either end stay: A+ and A- are different marks. So do those between digits: 1.1 is not 11.
    """
    if number_of(label) is not None:
        return None
    seen = (c for c in unicodedata.normalize("NFKD", label) if unicodedata.category(c) not in ("Mn", "Cf"))
    plain = "".join("".join(seen).split()).casefold().replace("_", "-")
    return _BETWEEN.sub("", plain)


#: Signs between two characters of which one is a letter.
_BETWEEN = re.compile(r"(?<=[^\W\d_])[-./:'’,;]+(?=\w)|(?<=\w)[-./:'’,;]+(?=[^\W\d_])")


def _one_letter_apart(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Find texts one letter apart, without comparing each with each: they share what is left when one letter is taken away."""
    left: dict[str, list[int]] = {}
    for i, text in enumerate(texts):
        if SHORTEST <= len(text) <= LONGEST:
            # Digits are never a slip, and numbered labels would all be near each other.
            for shorter in {text, *(text[:k] + text[k + 1 :] for k, c in enumerate(text) if c.isalpha())}:
                left.setdefault(shorter, []).append(i)
    near = (group for group in left.values() if len(group) <= LABELS_ALIKE)
    pairs = {(a, b) for group in near for k, a in enumerate(group) for b in group[k + 1 :]}
    return sorted(pair for pair in pairs if _slip(texts[pair[0]], texts[pair[1]]))


def _slip(one: str, other: str) -> bool:
    """Tell whether one letter too many, too few, wrong or in the wrong place makes one text the other."""
    if len(one) > len(other):
        one, other = other, one
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    here, there = one[start:], other[start:]
    if len(one) < len(other):
        # Numbered labels, class1 and class12, are different labels, and so are those with another sign.
        return there[1:] == here and there[:1].isalpha()
    swapped = here[:2] == there[1::-1] and here[2:] == there[2:]
    replaced = here[1:] == there[1:]
    changed = here[:2] + there[:2] if swapped else here[:1] + there[:1]
    return one != other and (swapped or replaced) and changed.isalpha()
