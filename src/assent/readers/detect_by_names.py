"""What the name of a column says about its part in the table."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["find", "is_other", "named", "names_an_annotator", "stem"]

# The likelier name comes first: a table with "item" and "id" has its items in "item".
_ROLES: dict[str, tuple[str, ...]] = {
    "item": (
        "item", "unit", "subject", "textid", "document", "doc", "example", "sample", "instance", "sentence", "post",
        "tweet", "commentid", "question", "image", "task", "target", "case", "record", "snippet", "passage", "segment",
        "utterance", "abstract", "article", "essay", "message", "patient", "object", "prompt", "conversation", "hit",
        "file", "row", "index", "id",
    ),
    "annotator": (
        "annotator", "rater", "coder", "worker", "judge", "labeler", "labeller", "observer", "assessor", "reviewer",
        "grader", "evaluator", "expert", "respondent", "participant", "user", "model",
    ),
    "label": (
        "label", "category", "rating", "code", "class", "annotation", "judgment", "judgement", "answer", "response",
        "choice", "score", "grade", "tag", "sentiment", "severity", "value",
    ),
}  # fmt: skip

# Columns that come along with labels but hold none.
_OTHERS = frozenset((
    "text", "body", "content", "title", "comment", "note", "remark", "reason", "rationale", "explanation", "justification",
    "time", "timestamp", "datetime", "date", "created", "createdat", "updated", "updatedat", "duration", "seconds",
    "elapsed", "leadtime", "url", "link", "source", "split", "batch", "gold", "goldlabel", "truth", "groundtruth",
    "truelabel", "trueclass", "reference", "consensus", "majority", "confidence", "email", "language", "lang", "metadata",
    "meta", "length",
))  # fmt: skip
_TELLING = frozenset({"gold", "truth", "timestamp", "datetime", "date", "time", "url"})
_SHORT = frozenset({"r", "ann", "annot", "rev", "obs"})
_TOKENS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_NUMBERED = re.compile(r"(.*?)[\s_\-.#:]*(?:\d+|(?<![A-Za-z])[A-Za-z]|(?<=[a-z])[A-Z])")


def _squeezed(name: str) -> str:
    return re.sub(r"[\s_\-.]+", "", name).casefold()


def _forms(name: str) -> list[str]:
    """Return the name without case, blanks and punctuation, then also without an ending such as "id"."""
    whole = _squeezed(name)
    endings = ("", "ids", "id", "name", "s")
    return [whole.removesuffix(ending) for ending in endings if whole.endswith(ending) and whole != ending]


def _rank(name: str, role: str) -> int | None:
    words = _ROLES[role]
    return next((words.index(form) for form in _forms(name) if form in words), None)


def named(name: str, role: str) -> bool:
    """Return whether a column of this name holds the items, the annotators or the labels (`role`)."""
    return _rank(name, role) is not None


def find(role: str, columns: Iterable[str]) -> list[str]:
    """Return the columns whose names fit the role, the likeliest first.

    Names that only end in a fitting word, such as "sentiment label" or "Answer.label", are returned
    only if no name fits as a whole.
    """
    columns = list(columns)
    ranked = [(rank, name) for name in columns if (rank := _rank(name, role)) is not None]
    if ranked:
        return [name for _, name in sorted(ranked, key=lambda pair: pair[0])]
    if role == "item":
        return [name for name in columns if _tokens(name)[-1:] == ["id"] and not named(name, "annotator")]
    return [name for name in columns if _tokens(name)[-1:] and _tokens(name)[-1] in _ROLES[role] and not is_other(name)]


def _tokens(name: str) -> list[str]:
    return [token.casefold() for token in _TOKENS.findall(name)]


def is_other(name: str) -> bool:
    """Return whether a column of this name is known to hold neither items nor labels, such as a text or a time."""
    whole = _squeezed(name)
    # pandas calls a column without a name "Unnamed: 0".
    if whole in _OTHERS or whole.removesuffix("s") in _OTHERS or whole.startswith("unnamed:"):
        return True
    return not _TELLING.isdisjoint(_tokens(name))


def stem(name: str) -> str:
    """Return the name without the number or letter at its end: "rater_2" and "Rater A" are both "rater"."""
    match = _NUMBERED.fullmatch(name.strip())
    return _squeezed(match[1]) if match else ""


def names_an_annotator(name: str) -> bool:
    """Return whether the name is that of one annotator among several, such as "rater1" or "Coder B"."""
    return stem(name) in _SHORT or stem(name) in _ROLES["annotator"]
