"""Answers of a judge that are no verdict: failures of a program, pieces of JSON, sentences where names are wanted."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from assent.scales import numbers

__all__ = ["failures", "most_words", "no_verdict"]

#: A verdict that says that there is none.
_UNPARSED = re.compile(
    r"^\W*(?:(?:parse|parsing|api|json|server|rate.?limit|timeout)?[ _-]*(?:errors?|failures?|failed|exceptions?)\b.*|unpars\w*\b.*"
    r"|not pars\w*|could not (?:be )?pars\w*.*|invalid\b.*|refus\w*\b.*|no (?:answer|verdict|response|output|label)|unable to\b.*"
    r"|i(?: am|'m) (?:sorry|unable)\b.*|sorry\b.*|timed? ?out|none|null|nan|n/?a)\W*$",
    re.IGNORECASE | re.DOTALL,
)
#: A failure that is more than a word: "ERROR: 429", "parse error", "could not be parsed".
_BROKEN = re.compile(
    r"^\W*(?:(?:parse|parsing|api|json|server|rate.?limit|timeout)[ _-]+\w+|(?:errors?|exceptions?)\b\W+\w|unpars\w*|(?:not|could not (?:be )?) ?pars)",
    re.IGNORECASE,
)
#: Words for a failure that are usual verdicts.
_OFTEN_MEANT = re.compile(r"^\W*(?:fail|refus)", re.IGNORECASE)
#: Failures are rarer than this share of all answers; what is more often given may be meant.
MANY = 0.25


def most_words(labels: Iterable[str]) -> int:
    """Return how many words the longest of the labels has."""
    return max((len(one.split()) for one in labels), default=0)


def no_verdict(label: str, longest: int, decimal: str | None) -> bool:
    """Tell whether a label that no person gave is no verdict: a failure, the text of an answer, or no number where people gave numbers.

    Parameters
    ----------
    longest : int
        Words of the longest label that a person gave.
    decimal : str, optional
        Decimal mark of ratings; None if the labels are no numbers.
    """
    return (
        _UNPARSED.match(label) is not None
        or _looks_unparsed(label, longest)
        or (decimal is not None and numbers([label], decimal) is None)
    )


def _looks_unparsed(label: str, longest: int) -> bool:
    """Tell whether a label that no person gave is the text of an answer: a piece of JSON or code, or sentences where people gave names.

    Examples
    --------
    >>> [
    ...     _looks_unparsed(one, 2)
    ...     for one in (
    ...         "not sure",
    ...         '{"verdict":',
    ...         "I cannot answer that.",
    ...         "Sure! The verdict is: pass",
    ...         "somewhat more toxic",
    ...     )
    ... ]
    [False, True, True, True, False]
    """
    if re.search(r"[{}\n`]|\w\(.*\)|</?\w+>", label):
        return True
    words = len(label.split())
    return words > max(3, longest) and (words > 2 * max(3, longest) or re.search(r"[.!?:](?:\s|$)", label) is not None)


def failures(counts: Mapping[str, int], known: Collection[str], decimal: str | None) -> tuple[list[str], list[str]]:
    """Return labels that are no verdicts, and those that may be none, where nobody says which labels there are.

    What is rare and no name that anybody would give is no verdict. A word such as "error" may be a verdict as well as a failure.

    Parameters
    ----------
    counts : mapping of label to int
        How often each was given.
    known : collection of str
        Labels of people, or of an order: these are verdicts.
    decimal : str, optional
        Decimal mark of ratings; None if the labels are no numbers.

    Examples
    --------
    >>> failures({"passed": 50, "failed": 30, "ERROR: 429": 3, '{"verdict":': 1, "invalid": 2}, (), None)
    (['ERROR: 429', '{"verdict":'], ['invalid'])
    """
    total, usual, seen = sum(counts.values()), [], 0
    if 2 * len(counts) > total:
        # Hardly any text is given twice: these are texts, not labels.
        return [], []
    for label in sorted(counts, key=lambda one: -counts[one]):
        if 2 * seen >= total:
            break
        usual.append(label)
        seen += counts[label]
    longest = most_words(usual)
    odd = [one for one in counts if one not in known and no_verdict(one, longest, decimal)]
    sure = [one for one in odd if _BROKEN.match(one) or _looks_unparsed(one, longest) or not _UNPARSED.match(one)]
    if sum(counts[one] for one in sure) > MANY * total:
        return [], odd
    return sure, [one for one in odd if one not in sure and not _OFTEN_MEANT.match(one)]
