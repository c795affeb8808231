"""What every measure must give on a table of the fuzzer, by slow and literal versions; None where it is undefined."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

from tests import reference
from tests.fuzz.tables import Table
from tests.reference import label_sets, orders, unitizing
from tests.reference.alignments import least_cost
from tests.reference.spans import span_f1

__all__ = ["UNCHECKED", "grid", "wanted"]

#: Measures without a value here, and why.
UNCHECKED = {
    "gamma": "its chance is drawn; what is observed is checked",
    "gamma-cat": "its chance is drawn, and it depends on which of equal alignments is taken",
    "relation-f1": "the tables have no relations",
    "span-attribute-alpha": "the tables have no attributes",
    "alpha-ku": "it is for one label, which is not named",
}
Found = dict[str, Any]
BOOT = {"boot-match": "match", "boot-f1": "f1", "boot-precision": "precision", "boot-recall": "recall"}


def wanted(table: Table) -> Found:
    """Return the value of each measure that has a slow version for the kind of the table."""
    return _KINDS[table.kind](table)


def grid(table: Table) -> tuple[list[str], list[list[Any]]]:
    """Return the annotators, and the labels of each item in their order."""
    people = sorted({str(row[1]) for row in table.rows if row[2] is not None})
    items: dict[Any, dict[str, Any]] = {}
    for item, who, label, *_ in table.rows:
        items.setdefault(item, {})[str(who)] = label
    return people, [[given.get(who) for who in people] for given in items.values()]


def _mean(values: Iterable[Any]) -> Any:
    """Return the mean of those that are defined."""
    known = [one for one in values if one is not None and not math.isnan(one)]
    return sum(known) / len(known) if known else None


# Labels


def _of_labels(table: Table) -> Found:
    """Agreement of labels; a set is one label, whatever it shares with others."""
    people, rows = grid(table)
    if table.kind == "sets":
        rows = [[one and ";".join(sorted({*one.split(";")})) for one in row] for row in rows]
    found: Found = {
        "percent-agreement": reference.percent_agreement(rows),
        "fleiss-kappa": reference.fleiss_kappa(rows),
        "gwet-ac": reference.gwet_ac(rows),
        "brennan-prediger": reference.brennan_prediger(rows),
        "krippendorff-alpha": reference.krippendorff_alpha(rows),
        "van-oest": reference.van_oest(rows),
        "spa": reference.spa(rows, scheme="annotations-m1"),
        "spa-kappa": reference.spa(rows, scheme="annotations-m1", chance="cross-item"),
    }
    if len(people) >= 2:
        found["conger-kappa"] = reference.conger_kappa(rows)
        found["cohen-kappa"] = reference.light_kappa(rows, by_overlap=True)
        found |= _of_sets(table)
    if len(people) == 2:
        found["scott-pi"] = reference.scott_pi(rows)
    found = {name: getattr(one, "value", one) for name, one in found.items()}
    numbers = [[*map(int, row)] for row in rows if None not in row and all(map(str.isdigit, row))]
    return found | (_of_numbers(numbers) if len(people) >= 2 and numbers else {})


def _of_numbers(rows: list[list[int]]) -> Found:
    found: Found = {}
    try:
        found["icc"] = reference.icc(rows, "2,1")
    except ZeroDivisionError:
        # One item, or no number differs from another.
        found["icc"] = None
    if len(rows[0]) == 2:
        ones, twos = zip(*rows, strict=True)
        apart = sum((a - b) ** 2 for a, b in rows) * len(rows)
        by_chance = sum((a - b) ** 2 for a in ones for b in twos)
        found["lin-concordance"] = 1 - apart / by_chance if by_chance else None
    return found


def _of_sets(table: Table) -> Found:
    """Agreement of sets; a label is a set of one."""
    people, rows = grid(table)
    if len(people) < 2:
        return {}
    sets: Any = [[None if one is None else tuple(dict.fromkeys(one.split(";"))) for one in row] for row in rows]
    ways: dict[str, Callable[[label_sets.Both], Any]] = {
        "augmented-kappa": label_sets.augmented,
        "soft-match": label_sets.soft_match,
        **{name: lambda both, score=score: label_sets.boot(both, score) for name, score in BOOT.items()},  # type: ignore[misc]
    }
    return {name: label_sets.over_pairs(sets, way) for name, way in ways.items()}


# Spans

Marks = dict[str, dict[str, set[tuple[int, int, str]]]]


def _marks(table: Table) -> Marks:
    """Return what was marked; who has a row without offsets looked and found nothing."""
    marks: Marks = {}
    for document, who, start, end, label in table.rows:
        given = marks.setdefault(str(document), {}).setdefault(str(who), set())
        if start is not None and end is not None:
            given.add((int(start), int(end), str(label)))
    return marks


def _of_spans(table: Table) -> Found:
    marks = {name: given for name, given in _marks(table).items() if len(given) > 1}
    lengths = {name: max((s[1] for spans in given.values() for s in spans), default=0) for name, given in marks.items()}
    found: Found = dict.fromkeys(("span-f1", "span-semeval"), span_f1(marks, "exact", "pairs"))
    if not any(lengths.values()):
        return found
    return (
        found
        | _of_positions(marks, lengths)
        | _of_places(marks)
        | _of_units(marks, lengths)
        | _of_cuts(marks, lengths)
        | _of_alignments(marks)
    )


def _of_table(rows: list[list[Any]]) -> tuple[Any, Any]:
    """Return alpha and the mean kappa of a table with gaps."""
    return reference.krippendorff_alpha(rows).value, reference.light_kappa(rows).value


def _people(marks: Marks) -> list[str]:
    return sorted({who for given in marks.values() for who in given})


def _of_positions(marks: Marks, lengths: Mapping[str, int]) -> Found:
    people, rows = _people(marks), []
    for document, given in marks.items():
        values = {who: unitizing.said(sorted(spans), lengths[document]) for who, spans in given.items()}
        rows += [
            [values[who][at] or "none" if who in values else None for who in people] for at in range(lengths[document])
        ]
    return dict(zip(("position-alpha", "position-kappa"), _of_table(rows), strict=True)) if rows else {}


def _of_places(marks: Marks) -> Found:
    people, rows = _people(marks), []
    for given in marks.values():
        for place in sorted({span[:2] for spans in given.values() for span in spans}):
            labels = [sorted(label for s, e, label in given.get(who, ()) if (s, e) == place) for who in people]
            rows.append(["+".join(some) or None for some in labels])
    return dict(zip(("span-label-alpha", "span-label-kappa"), _of_table(rows), strict=True)) if rows else {}


def _of_units(marks: Marks, lengths: Mapping[str, int]) -> Found:
    sums = unitizing.Unitized(
        {
            name: (lengths[name], {who: sorted(spans) for who, spans in given.items()})
            for name, given in marks.items()
            if lengths[name]
        }
    )
    ways: dict[str, Callable[[], Any]] = {
        "alpha-u": sums.u,
        "alpha-u-binary": sums.binary,
        "alpha-cu": lambda: sums.cu()[0],
    }
    if len(marks) == 1:
        ((document, given),) = marks.items()
        ways["alpha-u-1995"] = lambda: _of_1995([*given.values()], lengths[document])
    found: Found = {}
    for name, way in ways.items():
        try:
            found[name] = way()
        except ZeroDivisionError:
            found[name] = None
    return found


def _of_1995(marks: Sequence[set[tuple[int, int, str]]], length: int) -> Fraction:
    """Krippendorff's alpha of 1995: squared differences of units and gaps, label by label."""
    m, total = len(marks), len(marks) * length
    observed = expected = Fraction(0)
    for label in {one for spans in marks for *_, one in spans}:
        units = [sorted((s, e) for s, e, one in spans if one == label) for spans in marks]
        gaps = [[*zip([0, *(e for _, e in some)], [*(s for s, _ in some), length], strict=True)] for some in units]
        for i, j in permutations(range(m), 2):
            both = sum((s - t) ** 2 + (e - f) ** 2 for s, e in units[i] for t, f in units[j] if s < f and t < e)
            # A unit inside a gap is met twice, once from either side.
            inside = sum((e - s) ** 2 for s, e in units[i] for t, f in gaps[j] if t <= s and e <= f)
            observed += Fraction(both + 2 * inside, m * (m - 1) * length**2)
        lengths = [e - s for some in units for s, e in some]
        free = [f - t for some in gaps for t, f in some]
        chance = sum(
            Fraction(len(lengths) - 1, 3) * (2 * n**3 - 3 * n**2 + n) + n**2 * sum(g - n + 1 for g in free if g >= n)
            for n in lengths
        )
        expected += Fraction(2, length) * chance / (total * (total - 1) - sum(n * (n - 1) for n in lengths))
    return 1 - observed / expected


def _of_cuts(marks: Marks, lengths: Mapping[str, int]) -> Found:
    """Boundary similarity, WindowDiff and Pk: documents are added up for each pair of annotators."""
    cuts = {
        (document, who): sorted({at for s, e, _ in spans for at in (s, e) if 0 < at < lengths[document]})
        for document, given in marks.items()
        for who, spans in given.items()
    }
    text, segments = sum(lengths[document] for document, _ in cuts), sum(len(one) + 1 for one in cuts.values())
    window = max(2, round(text / segments / 2))
    by_pair: dict[str, list[float]] = defaultdict(list)
    for one, two in combinations(_people(marks), 2):
        sums: Counter[str] = Counter()
        for document, given in marks.items():
            if one not in given or two not in given:
                continue
            mine, other, length = cuts[document, one], cuts[document, two], lengths[document]
            weight, edits = _edits(mine, other)
            sums["weight"] += weight  # type: ignore[assignment]
            sums["all"] += edits + len({*mine} & {*other})
            windows = max(0, length - window + 1)
            sums["windows"] += windows
            if windows:
                strings = unitizing.string(mine, length), unitizing.string(other, length)
                sums["diff"] += round(unitizing.window_diff(*strings, window) * windows)
                sums["pk"] += round(unitizing.pk(*strings, window) * windows)
        if sums["all"]:
            by_pair["boundary-similarity"].append(1 - sums["weight"] / sums["all"])
        if sums["windows"]:
            by_pair["window-diff"].append(sums["diff"] / sums["windows"])
            by_pair["pk"].append(sums["pk"] / sums["windows"])
    return {name: _mean(by_pair[name]) for name in ("boundary-similarity", "window-diff", "pk")}


def _edits(one: Sequence[int], two: Sequence[int]) -> tuple[float, int]:
    """Return the least weight of edits, and their number: a boundary set or not, or moved by one position, which weighs a half."""
    mine, other = sorted({*one} - {*two}), sorted({*two} - {*one})

    def moved(left: Sequence[int], right: Sequence[int]) -> int:
        if not left:
            return 0
        most = moved(left[1:], right)
        for place in (left[0] - 1, left[0] + 1):
            if place in right:
                most = max(most, 1 + moved(left[1:], [at for at in right if at != place]))
        return most

    times = moved(mine, other)
    alone = len(mine) + len(other) - 2 * times
    return alone + times / 2, alone + times


def _of_alignments(marks: Marks) -> Found:
    """The disorder of the best alignment, for documents of which every annotator has the same number of judges."""
    judges = {len(given) for given in marks.values()}
    units = [[(at, s, e, label) for at, who in enumerate(sorted(given)) for s, e, label in sorted(given[who])] for given in marks.values()]  # fmt: skip
    if judges != {2} or not any(units) or max(map(len, units)) > 8:
        return {}
    cost = sum(least_cost([(a, float(s), float(e), c) for a, s, e, c in one], 2) for one in units)
    return {"gamma observed": cost / (sum(map(len, units)) / 2)}


# Orders and choices


def _of_rankings(table: Table) -> Found:
    """Every annotator of these tables ranks every object, without ties; pairs and then lists count alike."""
    lists: dict[Any, dict[Any, dict[Any, int]]] = {}
    for item, who, one, rank in table.rows:
        lists.setdefault(item, {}).setdefault(who, {})[one] = int(rank or 0)
    columns = [
        [[given[o] for o in sorted(given)] for _, given in sorted(some.items())]
        for some in lists.values()
        if len(some) > 1
    ]
    pairs = [[(x, y) for x, y in combinations(some, 2)] for some in columns]
    ways: dict[str, Callable[[list[int], list[int]], float]] = {
        "mean-spearman": orders.rho,
        "mean-kendall": orders.tau_b,
        "rbo": lambda x, y: orders.rbo_ext_without_ties(_order(x), _order(y), 0.9),
        "tau-ap": lambda x, y: (orders.tau_ap(_order(x), _order(y)) + orders.tau_ap(_order(y), _order(x))) / 2,
        "weighted-tau": lambda x, y: (_weighted_tau(x, y, x) + _weighted_tau(x, y, y)) / 2,
    }
    found: Found = {name: _mean(_mean(way(x, y) for x, y in some) for some in pairs) for name, way in ways.items()}
    return found | {"kendall-w": _mean(map(orders.w, columns))}


def _order(ranks: Sequence[int]) -> list[str]:
    return [str(one) for one in sorted(range(len(ranks)), key=ranks.__getitem__)]


def _weighted_tau(x: Sequence[int], y: Sequence[int], top: Sequence[int]) -> float:
    """Vigna's tau: what a pair weighs is the sum of 1 over the ranks of both objects in one of the orders."""
    pairs = [(1 / top[i] + 1 / top[j], (x[i] - x[j]) * (y[i] - y[j])) for i, j in combinations(range(len(x)), 2)]
    return sum(w if same > 0 else -w for w, same in pairs) / sum(w for w, _ in pairs)


def _of_preferences(table: Table) -> Found:
    votes: dict[frozenset[Any], dict[Any, Any]] = {}
    for who, left, right, winner in table.rows:
        given = votes.setdefault(frozenset((left, right)), {})
        # Who says something else in the other seat has no preference.
        given[who] = winner if given.get(who, winner) == winner else "tie"
    compared = [[*given.values()] for given in votes.values() if len(given) > 1]
    if not compared:
        return {}
    observed = _mean(_mean(Fraction(a == b) for a, b in combinations(said, 2)) for said in compared)
    said = [one for some in compared for one in some]
    ties = Fraction(said.count("tie"), len(said))
    expected = ties**2 + (1 - ties) ** 2 / 2
    return {"preference-agreement": (observed - expected) / (1 - expected) if expected != 1 else None}


def _of_choices(table: Table) -> Found:
    """Four objects are shown each time, so that chance is a quarter."""
    sets: dict[Any, list[tuple[Any, Any]]] = {}
    for item, _, _, best, worst in table.rows:
        sets.setdefault(item, []).append((best, worst))
    shares = [
        _mean(Fraction((a[0] == b[0]) + (a[1] == b[1]), 2) for a, b in combinations(said, 2)) for said in sets.values()
    ]
    observed = _mean(shares)
    return {} if observed is None else {"best-worst-agreement": (observed - Fraction(1, 4)) / Fraction(3, 4)}


_KINDS: dict[str, Callable[[Table], Found]] = {
    "long": _of_labels, "sets": _of_labels, "spans": _of_spans, "rankings": _of_rankings, "preferences": _of_preferences,
    "best-worst": _of_choices,
}  # fmt: skip
