"""What two annotators matched and marked, document by document: the sums behind every F1 of spans."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from msgspec.structs import replace

from assent import matching
from assent.data.span_sums import DocumentSums
from assent.errors import OptionError, did_you_mean
from assent.limits import DENSE_PAIR_NUMBERS
from assent.measures._span_tokens import token_counts
from assent.profiles import Array
from assent.records import Struct, cached_property
from assent.text import shown

if TYPE_CHECKING:
    from assent.data import Spans
    from assent.data.held_spans import HeldSpans

__all__ = ["MATCHES", "SCHEMES", "Compared", "MatchSums", "PairSums", "SchemeSums", "merged"]


class Compared(Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """Every two annotators who judged the same document.

    Parameters
    ----------
    document : array (rows,)
    first, second : array (rows,)
        Codes of annotators, the lower first.
    """

    data: Spans
    document: Array
    first: Array
    second: Array

    @classmethod
    def of(cls, data: Spans) -> Self:
        """List the pairs of annotators of each document."""
        one, two = matching.pairs_within(data.judges)
        document, annotator = data.judged.T
        return cls(data=data, document=document[one], first=annotator[one], second=annotator[two])

    @cached_property
    def key(self) -> Array:
        """A number for each row, ascending."""
        return self._key(self.document, self.first, self.second)

    def _key(self, document: Array, first: Array, second: Array) -> Array:
        people = len(self.data.annotators)
        return (document * people + first) * people + second

    def added(self, first: Array, second: Array, amounts: Array | None = None) -> Array:
        """Add up something over pairs of spans, given as rows of the data: (rows,)."""
        who = self.data.annotator
        return self.added_by(self.data.document[first], who[first], who[second], amounts)

    def added_by(self, document: Array, first: Array, second: Array, amounts: Array | None = None) -> Array:
        """Add up something over documents and two annotators: (rows,)."""
        place = np.searchsorted(self.key, self._key(document, first, second))
        return np.bincount(place, weights=amounts, minlength=len(self.key)).astype(np.float64)

    def marked(self, document: Array, annotator: Array, amounts: Array | None = None) -> tuple[Array, Array]:
        """Return how much the first and the second annotator of each row have: (rows,) each."""
        people = len(self.data.annotators)
        cells = len(self.data.documents) * people
        many = np.bincount(document * people + annotator, weights=amounts, minlength=cells).astype(np.float64)
        return many[self.document * people + self.first], many[self.document * people + self.second]


#: matched by the first, matched by the second, marked by the first, marked by the second: (rows,) each
Matched = tuple[Array, Array, Array, Array]


def _marked(compared: Compared) -> tuple[Array, Array]:
    return compared.marked(compared.data.document, compared.data.annotator)


def _same(matched: Array, marked: tuple[Array, Array]) -> Matched:
    return matched, matched, *marked


def _runs(*columns: Array) -> Array:
    """Return how many rows in a row are the same."""
    changed = np.zeros(len(columns[0]) + 1, dtype=bool)
    changed[[0, -1]] = True
    for one in columns:
        changed[1:-1] |= one[1:] != one[:-1]
    return np.diff(np.flatnonzero(changed))


def _exact(compared: Compared, **options: Any) -> Matched:
    data = compared.data
    # Equal spans stand next to each other, in the order of annotators.
    first, second = matching.pairs_within(_runs(data.document, data.start, data.end, data.shape, data.label))
    return _same(compared.added(first, second), _marked(compared))


def _boundary(compared: Compared, **options: Any) -> Matched:
    data = compared.data
    people = len(data.annotators)
    columns: tuple[Array, ...] = (data.document, data.start, data.end, data.unlabelled_shape)
    annotator = data.annotator
    if data.stacked:
        order = np.lexsort((annotator, *columns[::-1]))
        columns, annotator = tuple(one[order] for one in columns), annotator[order]
    runs = _runs(*columns)
    place = np.repeat(np.arange(len(runs)), runs)
    # Someone who gave a place two labels has marked it once, unless spans are stacked: then each has a shape of its own.
    once = matching.distinct(place * people + annotator)
    at, who = np.divmod(once, people)
    document = columns[0][(np.cumsum(runs) - runs)[at]]
    first, second = matching.pairs_within(_runs(at))
    matched = compared.added_by(document[first], who[first], who[second])
    return _same(matched, compared.marked(document, who))


def _met(compared: Compared, *, same_label: bool = True) -> matching.Overlaps:
    data = compared.data
    found = matching.overlaps(data.document, data.annotator, data.parts)
    return found.kept(data.label[found.first] == data.label[found.second]) if same_label else found


def _sides(compared: Compared, found: matching.Overlaps) -> tuple[Array, Array]:
    """Return a number for the spans of each side; one that is compared with several annotators is several."""
    who, people = compared.data.annotator, len(compared.data.annotators)
    return found.first * people + who[found.second], found.second * people + who[found.first]


def _counted(compared: Compared, found: matching.Overlaps) -> Matched:
    """Match as many pairs as possible, one to one."""
    chosen = found.kept(matching.largest(*_sides(compared, found)))
    return _same(compared.added(chosen.first, chosen.second), _marked(compared))


def _iou(compared: Compared, found: matching.Overlaps) -> Array:
    span, begin, end = compared.data.parts
    size = np.bincount(span, weights=end - begin, minlength=len(compared.data.start))
    return np.asarray(found.shared / (size[found.first] + size[found.second] - found.shared))


def _overlap(compared: Compared, **options: Any) -> Matched:
    return _counted(compared, _met(compared))


def _overlap_any(compared: Compared, **options: Any) -> Matched:
    return _counted(compared, _met(compared, same_label=False))


def _at_least(compared: Compared, *, iou: float, **options: Any) -> Matched:
    found = _met(compared)
    return _counted(compared, found.kept(_iou(compared, found) >= iou))


def _soft(compared: Compared, **options: Any) -> Matched:
    found = _met(compared)
    weight = _iou(compared, found)
    chosen = matching.heaviest(*_sides(compared, found), weight)
    best = found.kept(chosen)
    return _same(compared.added(best.first, best.second, weight[chosen]), _marked(compared))


def _covered(compared: Compared, **options: Any) -> Matched:
    found = _met(compared)
    mine, theirs = (np.unique(side, return_index=True)[1] for side in _sides(compared, found))
    return (
        compared.added(found.first[mine], found.second[mine]),
        compared.added(found.first[theirs], found.second[theirs]),
        *_marked(compared),
    )


def _character(compared: Compared, **options: Any) -> Matched:
    data = compared.data
    span, begin, end = data.parts
    owner = (data.document * len(data.annotators) + data.annotator) * len(data.labels) + data.label
    owner, begin, end = merged(owner[span], begin, end)
    rest, label = np.divmod(owner, max(1, len(data.labels)))
    document, who = np.divmod(rest, len(data.annotators))
    found = matching.overlaps(document, who, (np.arange(len(begin)), begin, end))
    found = found.kept(label[found.first] == label[found.second])
    matched = compared.added_by(document[found.first], who[found.first], who[found.second], found.shared)
    return _same(matched, compared.marked(document, who, end - begin))


def merged(owner: Array, begin: Array, end: Array) -> tuple[Array, Array, Array]:
    """Join what one owner marked more than once: (intervals,) each, in order."""
    if not len(owner):
        return owner, begin, end
    order = np.lexsort((begin, owner))
    owner, begin, end = owner[order], begin[order], end[order]
    far = int(end.max() - end.min()) + 1
    # Of one owner, the farthest end so far; another owner begins anew beyond all of these.
    rank = np.cumsum(np.diff(owner, prepend=owner[:1]) != 0)
    reach = np.maximum.accumulate(rank * far + end) - rank * far
    new = np.ones(len(owner), dtype=bool)
    new[1:] = (owner[1:] != owner[:-1]) | (begin[1:] > reach[:-1])
    firsts = np.flatnonzero(new)
    lasts = np.append(firsts[1:], len(owner)) - 1
    return owner[firsts], begin[firsts], reach[lasts]


def _token(compared: Compared, *, tokens: str, **options: Any) -> Matched:
    data = compared.data
    document, who, thing, many = token_counts(data, tokens)
    order = np.lexsort((who, thing, document))
    document, who, thing, many = document[order], who[order], thing[order], many[order]
    first, second = matching.pairs_within(_runs(document, thing))
    matched = compared.added_by(document[first], who[first], who[second], np.minimum(many[first], many[second]))
    return _same(matched, compared.marked(document, who, many))


#: How spans are matched, by name.
MATCHES: Mapping[str, Callable[..., Matched]] = {
    "exact": _exact,
    "boundary": _boundary,
    "overlap": _overlap,
    "overlap-any": _overlap_any,
    "covered": _covered,
    "iou": _at_least,
    "soft": _soft,
    "character": _character,
    "token": _token,
}


class PairSums(DocumentSums, frozen=True, kw_only=True, eq=False):
    """Numbers of every two annotators, added up over documents.

    Parameters
    ----------
    fields : tuple of str
        What there is of each pair; the columns are all pairs of the first, then all pairs of the next.
    first, second : array (pairs,)
        Codes of the annotators.
    shared : array (pairs,)
        Documents that both judged.
    """

    fields: tuple[str, ...]
    first: Array
    second: Array
    shared: Array

    def by_pair(self) -> dict[str, Array]:
        """Return the sums over documents by name: (..., pairs) each."""
        totals, pairs = self.totals, len(self.first)
        return {name: totals[..., at * pairs : (at + 1) * pairs] for at, name in enumerate(self.fields)}

    @classmethod
    def gathered(cls, compared: Compared, numbers: Mapping[str, Array], *, pooled: bool) -> Self:
        """Make the sums of what there is of each document and pair: (rows,) each."""
        data, people = compared.data, len(compared.data.annotators)
        pairs, column = np.unique(compared.first * people + compared.second, return_inverse=True)
        column = np.zeros_like(column.ravel()) if pooled else column.ravel()
        first, second = np.divmod(pairs[:1] if pooled else pairs, people)
        width, rows = len(first), len(data.documents)
        values = np.concatenate([*numbers.values()])
        at = np.tile(compared.document, len(numbers))
        columns = np.concatenate([column + place * width for place in range(len(numbers))])
        shape = (rows, width * len(numbers))
        terms: Any
        if shape[0] * shape[1] <= DENSE_PAIR_NUMBERS:
            cells = np.bincount(at * shape[1] + columns, weights=values, minlength=shape[0] * shape[1])
            terms = cells.reshape(shape)
        else:
            from scipy.sparse import csr_array

            terms = csr_array((values, (at, columns)), shape=shape)
            terms.sum_duplicates()
        return cls(
            multiplicities=np.ones(rows, dtype=np.int64),
            columns=tuple(f"{name} {pair}" for name in numbers for pair in range(width)),
            terms=terms,
            annotators=data.judges,
            n_documents=1 if data.blocks_of else rows,
            n_spans=len(data.start),
            fields=tuple(numbers),
            first=first,
            second=second,
            shared=np.bincount(column, minlength=width) if not data.blocks_of else np.ones(width, dtype=np.int64),
        )


def _against(compared: Compared, reference: str | None) -> tuple[Array, Array]:
    """Return the rows to keep, all or those with the reference, and the rows of which the first annotator is the reference."""
    if reference is None:
        return np.arange(len(compared.document)), np.empty(0, dtype=np.int64)
    names = compared.data.annotators
    if reference not in names:
        raise OptionError(f"`reference` is {shown(reference)}, who is no annotator: {did_you_mean(reference, names)}")
    code = names.index(reference)
    kept = np.flatnonzero((compared.first == code) | (compared.second == code))
    return kept, np.flatnonzero(compared.first[kept] == code)


def _turned(compared: Compared, numbers: Matched, reference: str | None) -> tuple[Compared, Matched, Array]:
    """Keep the pairs with the reference, which is then the second of them; all pairs if there is none."""
    rows, turned = _against(compared, reference)
    kept = [one[rows] for one in (compared.first, compared.second, *numbers)]
    for left, right in ((0, 1), (2, 3), (4, 5)):
        # Numbers that are the same for both sides are one array, which must not be turned twice.
        kept[left], kept[right] = kept[left].copy(), kept[right].copy()
        kept[left][turned], kept[right][turned] = kept[right][turned], kept[left][turned].copy()
    chosen = Compared(data=compared.data, document=compared.document[rows], first=kept[0], second=kept[1])
    return chosen, (kept[2], kept[3], kept[4], kept[5]), rows


def f1_of(matched: Array, back: Array, first: Array, second: Array) -> Array:
    """Return the harmonic mean of matched / first and back / second; NaN where nobody marked anything, 0 where only one did."""
    bottom = matched * second + back * first
    some, any_matched = np.real(first + second) > 0, np.real(bottom) > 0
    value = 2.0 * matched * back / np.where(any_matched, bottom, 1.0)
    return np.where(some, np.where(any_matched, value, 0.0), np.nan)


def f1_of_same(matched: Array, first: Array, second: Array) -> Array:
    """Return the same where both sides match as much: 2 matched / (first + second)."""
    some = np.real(first + second) > 0
    return np.where(some, 2.0 * matched / np.where(some, first + second, 1.0), np.nan)


class MatchSums(PairSums, frozen=True, kw_only=True, eq=False):
    """Spans that two annotators matched and marked.

    The fields are `matched` (of the first), `back` (of the second, if that differs), `first`, `second`; and for a mean over documents `score` and
    `scored`.
    """

    @classmethod
    def of(cls, data: Spans, **options: Any) -> Self:
        """Match the spans of every two annotators."""
        if options["span_label"] is not None:
            data = data.only_label(options["span_label"])
        every = Compared.of(data)
        return cls.made(every, MATCHES[options["match"]](every, **options), **options)

    @classmethod
    def of_tallies(cls, held: HeldSpans, **options: Any) -> Self | None:
        """Count matches where the spans live, if it is places and labels alone that match."""
        if options.get("match") not in ("exact", "boundary"):
            return None
        found = held.tallies(label=options["span_label"], places=options["match"] == "boundary")
        every = Compared.of(found.data)
        matched = every.added_by(found.document, found.first, found.second, found.matched)
        marked = every.marked(found.data.judged[:, 0], found.data.judged[:, 1], found.marked)
        made = cls.made(every, (matched, matched, *marked), **options)
        return replace(made, n_spans=found.n_spans)

    @classmethod
    def made(
        cls,
        every: Compared,
        numbers: Matched,
        more: Mapping[str, Array] | None = None,
        *,
        reference: str | None,
        average: str,
        empty: str = "skip",
        **options: Any,
    ) -> Self:
        """Gather what is matched and marked, and what there is beside it, by pair or pooled."""
        same = numbers[0] is numbers[1]
        compared, (matched, back, first, second), rows = _turned(every, numbers, reference)
        made = {"matched": matched, **({} if same else {"back": back}), "first": first, "second": second}
        # One document is its own mean; its blocks only add up to it.
        if average == "documents" and not every.data.blocks_of:
            score = f1_of_same(matched, first, second) if same else f1_of(matched, back, first, second)
            if empty == "1":
                score = np.where(np.isnan(score), 1.0, score)
            made |= {"score": np.nan_to_num(score), "scored": (~np.isnan(score)).astype(np.float64)}
        made |= {name: one[rows] for name, one in (more or {}).items()}
        return cls.gathered(compared, made, pooled=average == "pooled")

    @classmethod
    def blockable(cls, options: Mapping[str, Any]) -> bool:
        """Tokens may reach from one block into the next; where nobody marked anything counts for a whole document alone."""
        return options.get("match") != "token" and not (
            options.get("average") == "documents" and options.get("empty") == "1"
        )

    def pseudo_document(self) -> tuple[Array, Array]:
        """Return a document in which every two annotators marked as much as they usually do, all of it or none of it matched."""
        usual = np.asarray(self.terms.mean(axis=0)).ravel()
        pairs = len(self.first)
        by = {name: usual[at * pairs : (at + 1) * pairs] for at, name in enumerate(self.fields)}
        mean = (by["first"] + by["second"]) / 2.0
        all_of_it = {
            "matched": mean,
            "back": mean,
            "first": mean,
            "second": mean,
            "score": by.get("scored"),
            "correct": mean,
        }
        none_of_it = {"first": by["first"], "second": by["second"], "scored": by.get("scored"), "incorrect": mean}
        all_of_it["scored"] = by.get("scored")
        rows = [
            np.concatenate([one[name] if one.get(name) is not None else np.zeros(pairs) for name in self.fields])
            for one in (all_of_it, none_of_it)
        ]
        return rows[0], rows[1]

    def values(self) -> Array:
        """F1 of every pair: (..., pairs); NaN where it is undefined."""
        by = self.by_pair()
        if "score" in by:
            some = np.real(by["scored"]) > 0
            return np.where(some, by["score"] / np.where(some, by["scored"], 1.0), np.nan)
        if "back" in by:
            return f1_of(by["matched"], by["back"], by["first"], by["second"])
        return f1_of_same(by["matched"], by["first"], by["second"])


class SchemeSums(MatchSums, frozen=True, kw_only=True, eq=False):
    """Spans by the classes of SemEval-2013; beside the fields of `MatchSums`: correct, incorrect and partial."""

    @classmethod
    def of(cls, data: Spans, **options: Any) -> Self:
        """Align the spans of every two annotators."""
        if options["span_label"] is not None:
            data = data.only_label(options["span_label"])
        every = Compared.of(data)
        found = matching.align(
            data.document, data.annotator, data.start, data.end, data.label, parts=data.parts, shape=data.shape
        )
        marks = np.array(SCHEMES[options["scheme"]])[found.kind]
        counts = {
            name: every.added(found.first[marks == name], found.second[marks == name])
            for name in ("correct", "incorrect", "partial")
        }
        matched = counts["correct"] + counts["partial"] / 2.0
        return cls.made(every, (matched, matched, *_marked(every)), counts, **options)


#: What SemEval-2013 calls a pair of spans that is identical, differs in label, in boundary, in both.
SCHEMES = {
    "strict": ("correct", "incorrect", "incorrect", "incorrect"),
    "exact": ("correct", "correct", "incorrect", "incorrect"),
    "partial": ("correct", "correct", "partial", "partial"),
    "type": ("correct", "incorrect", "correct", "incorrect"),
}
