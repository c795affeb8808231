"""Alphas of units, positions and segmentations, literally: position by position, and string by string. Slow, for small documents."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations

Span = tuple[int, int, str]
#: document -> (length, annotator -> spans); an annotator who marked nothing has an empty list
Marks = dict[str, tuple[int, dict[str, list[Span]]]]
GAP = ""


def over(above: Fraction, below: Fraction) -> float:
    return float(above / below) if below else float("nan")


def said(spans: list[Span], length: int) -> list[str]:
    """What is said at each position, several labels together."""
    return ["+".join(sorted({label for start, end, label in spans if start <= at < end})) for at in range(length)]


def gaps(spans: list[Span], length: int) -> int:
    return sum(one == GAP for one in said(spans, length))


class Unitized:
    """The sums of Krippendorff et al. (2016) over all documents, as fractions."""

    def __init__(self, marks: Marks) -> None:
        self.pairs: defaultdict[tuple[str, str], Fraction] = defaultdict(Fraction)
        self.taken: Counter[str] = Counter()
        self.met: defaultdict[str, Fraction] = defaultdict(Fraction)
        for length, people in marks.values():
            others = len(people) - 1
            values = {name: said(spans, length) for name, spans in people.items()}
            for one, two in permutations(people, 2):
                for at in range(length):
                    self.pairs[values[one][at], values[two][at]] += Fraction(1, others)
            for name, spans in people.items():
                self.taken[GAP] += gaps(spans, length)
                for start, end, label in spans:
                    self.taken[label] += (end - start) ** 2
                    meets = sum(
                        values[other][at] != GAP for other in people if other != name for at in range(start, end)
                    )
                    self.met[label] += Fraction(meets, others) ** 2
        self.values = sorted({value for pair in self.pairs for value in pair})
        self.total = sum(self.pairs.values(), Fraction(0))
        # Where everything is marked there is no gap.
        self.own = Counter({c: sum((self.pairs[c, k] for k in self.values), Fraction(0)) for c in self.values})

    def chance(self, c: str, k: str) -> Fraction:
        return (
            self.total
            * (self.own[c] * self.own[k] - (c == k) * self.taken[c])
            / (self.total**2 - sum(self.taken.values()))
        )

    def u(self) -> float:
        every = [(c, k) for c in self.values for k in self.values if c != k]
        return float(1 - sum(self.pairs[one] for one in every) / sum(self.chance(*one) for one in every))

    def binary(self) -> float:
        every = [(GAP, k) for k in self.values if k != GAP]
        return float(1 - sum(self.pairs[one] for one in every) / sum(self.chance(*one) for one in every))

    def met_own(self, c: str) -> Fraction:
        return sum((self.pairs[c, k] for k in self.values if k != GAP), Fraction(0))

    def met_total(self) -> Fraction:
        return sum((self.met_own(c) for c in self.values if c != GAP), Fraction(0))

    def met_chance(self, c: str, k: str) -> Fraction:
        base = self.met_total() - sum(self.met.values()) / self.met_total()
        return (self.met_own(c) * self.met_own(k) - (c == k) * self.met[c]) / base

    def cu(self) -> tuple[float, float]:
        labels = [c for c in self.values if c != GAP]
        every = [(c, k) for c in labels for k in labels if c != k]
        apart = over(
            sum((self.pairs[one] for one in every), Fraction(0)),
            sum((self.met_chance(*one) for one in every), Fraction(0)),
        )
        return 1 - apart, float(self.met_total() / self.total)

    def ku(self, k: str) -> tuple[float, float]:
        labels = [c for c in self.values if c != GAP]
        chance = sum((self.met_chance(c, k) for c in labels), Fraction(0))
        own = self.met_own(k)
        value = 1 - over(chance / own * (own - self.pairs[k, k]), chance - self.met_chance(k, k))
        return value, float(own / self.own[k])


def string(boundaries: list[int], length: int) -> str:
    """A character for each position: 1 if there is a boundary after it."""
    return "".join("1" if at + 1 in boundaries else "0" for at in range(length))


def window_diff(one: str, two: str, k: int) -> float:
    windows = range(len(one) - k + 1)
    return sum(one[i : i + k].count("1") != two[i : i + k].count("1") for i in windows) / len(windows)


def pk(one: str, two: str, k: int) -> float:
    windows = range(len(one) - k + 1)
    return sum(("1" in one[i : i + k]) != ("1" in two[i : i + k]) for i in windows) / len(windows)
