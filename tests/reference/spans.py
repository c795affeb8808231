"""Agreement on spans, literally: sets, and every matching tried. Slow, for small documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

Span = tuple[int, int, str]
#: document -> annotator -> spans; an annotator who marked nothing has an empty set
Marks = dict[str, dict[str, set[Span]]]


def shared(one: Span, two: Span) -> int:
    return len(set(range(one[0], one[1])) & set(range(two[0], two[1])))


def iou(one: Span, two: Span) -> float:
    return shared(one, two) / len(set(range(one[0], one[1])) | set(range(two[0], two[1])))


def matchings(first: Sequence[Span], second: Sequence[Span]) -> Iterator[list[tuple[Span, Span]]]:
    """Every way to pair some spans of the first with spans of the second, one to one."""
    if not first:
        yield []
        return
    head, rest = first[0], first[1:]
    yield from matchings(rest, second)
    for at, other in enumerate(second):
        for more in matchings(rest, [*second[:at], *second[at + 1 :]]):
            yield [(head, other), *more]


def best(first: set[Span], second: set[Span], weight: Callable[[Span, Span], float]) -> float:
    """The greatest total weight of a matching."""
    return max(sum(weight(*pair) for pair in one) for one in matchings(sorted(first), sorted(second)))


def counts(first: set[Span], second: set[Span], match: str, theta: float = 0.5) -> tuple[float, float, float, float]:
    """Matched by the first, by the second, marked by the first, by the second."""
    if match == "boundary":
        first, second = ({(s, e, "") for s, e, _ in some} for some in (first, second))
    if match in ("exact", "boundary"):
        return len(first & second), len(first & second), len(first), len(second)
    if match == "character":
        one, two = ({(at, label) for s, e, label in some for at in range(s, e)} for some in (first, second))
        return len(one & two), len(one & two), len(one), len(two)
    if match == "covered":
        hits = [
            sum(any(shared(a, b) and a[2] == b[2] for b in others) for a in some)
            for some, others in ((first, second), (second, first))
        ]
        return hits[0], hits[1], len(first), len(second)
    weights: dict[str, Callable[[Span, Span], float]] = {
        "overlap": lambda a, b: a[2] == b[2] and shared(a, b) > 0,
        "overlap-any": lambda a, b: shared(a, b) > 0,
        "iou": lambda a, b: a[2] == b[2] and iou(a, b) >= theta,
        "soft": lambda a, b: (a[2] == b[2]) * iou(a, b),
    }
    matched = best(first, second, weights[match])
    return matched, matched, len(first), len(second)


def f1(numbers: Sequence[float]) -> float | None:
    matched, back, first, second = numbers
    if first + second == 0:
        return None
    if not first or not second or matched + back == 0:
        return 0.0
    precision, recall = matched / first, back / second
    return 2 * precision * recall / (precision + recall)


def span_f1(marks: Marks, match: str, average: str, theta: float = 0.5, empty: str = "skip") -> float | None:
    """Mean over pairs of annotators, pooled, or mean over documents and then pairs."""
    people = sorted({who for document in marks.values() for who in document})
    by_pair = []
    pooled = [0.0] * 4
    for a, b in combinations(people, 2):
        rows = [counts(here[a], here[b], match, theta) for here in marks.values() if a in here and b in here]
        if average == "documents":
            scores = [1.0 if empty == "1" and f1(row) is None else f1(row) for row in rows]
            known = [one for one in scores if one is not None]
            by_pair.append(sum(known) / len(known) if known else None)
            continue
        total = [sum(column) for column in zip(*rows, strict=True)] or [0.0] * 4
        pooled = [one + more for one, more in zip(pooled, total, strict=True)]
        by_pair.append(f1(total))
    if average == "pooled":
        return f1(pooled)
    values = [one for one in by_pair if one is not None]
    return sum(values) / len(values) if values else None


def classes(first: set[Span], second: set[Span]) -> dict[str, int]:
    """How spans of two annotators differ, in stages."""
    found = {"identical": len(first & second), "label": 0}
    one, two = first - second, second - first
    for place in sorted({span[:2] for span in one}):
        mine, theirs = (sorted(span for span in some if span[:2] == place) for some in (one, two))
        paired = list(zip(mine, theirs, strict=False))
        found["label"] += len(paired)
        one, two = one - {pair[0] for pair in paired}, two - {pair[1] for pair in paired}
    ways = [way for way in matchings(sorted(one), sorted(two)) if all(shared(a, b) for a, b in way)]

    def worth(way: list[tuple[Span, Span]]) -> tuple[float, int, int]:
        same = sum(a[2] == b[2] for a, b in way)
        return round(same + sum(iou(a, b) for a, b in way), 12), len(way), same

    way = max(ways, key=worth)
    found["boundary"] = sum(a[2] == b[2] for a, b in way)
    found["both"] = len(way) - found["boundary"]
    found |= {"only_a": len(one) - len(way), "only_b": len(two) - len(way)}
    return found
