"""Functions for the distances of the tests: good ones and bad ones."""

from __future__ import annotations

CALLS = 0


def same_or_not(first: str, second: str) -> float:
    return float(first != second)


def apart(first: str, second: str) -> float:
    global CALLS
    CALLS += 1
    return abs(float(first) - float(second))


def never_zero(first: str, second: str) -> float:
    return 1.0


def negative(first: str, second: str) -> float:
    return -1.0 if first != second else 0.0


def broken(first: str, second: str) -> float:
    return 1 / 0


def one_way(first: str, second: str) -> float:
    return max(0, len(first) - len(second))
