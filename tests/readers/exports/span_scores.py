"""F1 of spans by its definition, to check what was read against published values; what broken files may lead to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations

from assent.errors import AssentError
from assent.readers.exports import Spans

Row = tuple[str, object, str]


def pairwise(question: Spans, of: Callable[[Row], object] = lambda row: row) -> dict[str, tuple[int, int, int, int]]:
    """Return documents, spans of each and matched spans by pair, over the documents both have seen; multisets."""
    seen: dict[str, set[str]] = {}
    for document, annotator in question.seen:
        seen.setdefault(annotator, set()).add(document)
    spans: dict[str, Counter[object]] = {annotator: Counter() for annotator in seen}
    where: dict[str, list[Row]] = {annotator: [] for annotator in seen}
    for row in zip(question.document, question.annotator, question.parts, question.label, strict=True):
        where[row[1]].append((row[0], row[2], row[3]))
    found = {}
    for a, b in combinations(sorted(seen), 2):
        shared = seen[a] & seen[b]
        for annotator in (a, b):
            spans[annotator] = Counter(of(row) for row in where[annotator] if row[0] in shared)
        matched = (spans[a] & spans[b]).total()
        found[f"{a}|{b}"] = (len(shared), spans[a].total(), spans[b].total(), matched)
    return found


def check_agreement(question: Spans, wanted: dict) -> None:
    """Assert that the values of F1 in an expected.json come out."""
    exact = pairwise(question)
    for pair, values in wanted["pairs (exact span and label)"].items():
        documents, of_a, of_b, matched = exact[pair]
        assert (documents, of_a, of_b, matched) == tuple(
            values[k] for k in ("documents", "spans_a", "spans_b", "matched")
        )
        assert abs(2 * matched / (of_a + of_b) - values["f1"]) < 1e-12
    for name, found in (
        ("exact span and label", exact),
        ("exact span, label ignored", pairwise(question, lambda row: row[:2])),
    ):
        scores = [2 * m / (a + b) for _, a, b, m in found.values()]
        pooled = 2 * sum(m for *_, m in found.values()) / sum(a + b for _, a, b, _ in found.values())
        assert abs(sum(scores) / len(scores) - wanted[f"{name}: mean pairwise F1"]) < 1e-12
        assert abs(pooled - wanted[f"{name}: pooled F1"]) < 1e-12


def check_question(question: Spans, wanted: dict) -> None:
    """Assert that a span question is as expected.json says: rows, texts, who has seen what, counts, F1."""
    rows = [
        [d, a, p[0][0], p[0][1], label, question.texts[d][p[0][0] : p[0][1]]]
        for d, a, p, label in zip(question.document, question.annotator, question.parts, question.label, strict=True)
    ]
    if "rows" in wanted:
        assert sorted(rows) == sorted(wanted["rows"])
    assert len(question.label) == wanted["spans"]
    assert Counter(question.label) == wanted["label_counts"]
    assert len({d for d, _ in question.seen}) == wanted["documents"]
    assert sorted({a for _, a in question.seen}) == wanted["annotators"]
    assert len(question.seen) == len(set(question.seen)) == wanted["document_annotator_pairs_seen"]
    empty = set(question.seen) - set(zip(question.document, question.annotator, strict=True))
    assert sorted(empty) == sorted(map(tuple, wanted["seen_and_empty"]))
    assert question.lengths == {d: len(t) for d, t in question.texts.items()}
    check_agreement(question, wanted["agreement"])


def is_read_or_refused(read: Callable[[], object]) -> bool:
    """Return whether reading succeeds or ends in a sentence of assent's own; anything else is raised."""
    try:
        read()
    except AssentError as error:
        return str(error).endswith(".") and "\n" not in str(error)
    return True
