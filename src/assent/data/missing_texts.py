"""Labels that usually mean that there is none: pointed out, never left out unasked."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from assent.text import counted, listed, shown

__all__ = ["missing_labels", "missing_looking"]

#: Texts that stand for "no label" in many a table, without case.
_TEXTS = frozenset((
    ".", "..", "-", "--", "–", "—", "?", "??", "*", "/", "na", "n/a", "n.a.", "#n/a", "#na", "nan", "null", "nil", "none", "nat", "<na>",
    "<null>", "(null)", "(blank)", "(empty)", "missing", "<missing>", "undefined", "not available", "no answer", "no label", "not annotated",
    "not labeled", "not labelled", "unlabeled", "unlabelled", "skipped", "skip", "#value!", "#ref!", "#div/0!", "#null!", "#name?", "#num!", "k.a.", "k. a.", "keine angabe",
    "fehlt", "fehlend", "(leer)", "leer", "n.b.", "nicht kodiert", "nicht codiert", "uncoded", "not coded", "blank", "non renseigné", "manquant", "sin respuesta", "sin dato", "sin datos", "s/d", "n/d", "n.d.", "brak danych", "нет данных", "нет ответа", "无", "缺失", "無回答", "未回答", "mancante", "nessuna risposta", "sem resposta", "geen antwoord",
    "ontbreekt",
))  # fmt: skip
#: Numbers that stand for it where all other labels are numbers that are not negative.
_CODES = re.compile(r"-9+8?(\.0+)?|9{3,}(\.0+)?")
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")


def missing_looking(found: Sequence[str], rows: Mapping[str, int]) -> list[str]:
    """Say which labels usually mean that there is none: one note, or none.

    Parameters
    ----------
    found : sequence of str
        These labels, as `missing_labels` finds them.
    rows : mapping of str to int
        Annotations with each label.

    Examples
    --------
    >>> missing_looking(["-"], {"yes": 8, "no": 9, "-": 3})
    ['Labels that usually mean that there is none: "-" (3 annotations); say so with `missing` if they do.']
    """
    if not found:
        return []
    told = listed([f"{shown(text)} ({counted(rows[text], 'annotation')})" for text in found], 5)
    return [f"Labels that usually mean that there is none: {told}; say so with `missing` if they do."]


def missing_labels(rows: Collection[str]) -> tuple[str, ...]:
    """Return the labels that usually mean that there is none.

    Examples
    --------
    >>> (
    ...     missing_labels(["yes", "no", "-99", "None"]),
    ...     missing_labels(["1", "2", "3", "99"]),
    ...     missing_labels(["98", "99", "100"]),
    ... )
    (('-99', 'None'), ('99',), ())
    >>> missing_labels(["+", "-"]), missing_labels(["yes", "none"])
    ((), ())
    """
    if _TEXTS.isdisjoint(map(str.casefold, map(str.strip, rows))) and "9" not in "".join(rows):
        return ()
    found = [text for text in rows if text.strip().casefold() in _TEXTS]
    # Of free texts and measurements there may be a hundred thousand labels: nothing is looked up in a list.
    known = set(found)
    others = [text for text in rows if text not in known]
    if "+" in others or len(others) < 2:
        # Plus and minus are a pair of labels; and of one label and another, both are meant.
        found = [text for text in found if text.strip().casefold() not in {"-", "–", "none", "*", "/", "."}]
    numbers = [text for text in others if _NUMBER.fullmatch(text.strip())]
    numeric = set(numbers)
    names = [text for text in others if text not in numeric]
    if (len(numbers) == len(others) > 2) or (
        len(names) > 1 and all(_CODES.fullmatch(text.strip()) for text in numbers)
    ):
        codes = {text for text in others if _CODES.fullmatch(text.strip())}
        rest = [float(text.strip().replace(",", ".")) for text in numbers if text not in codes]
        if names or (rest and min(rest) >= 0 and max(rest) < 100):
            found += codes
    # Of numbers the largest may be 99; only far beyond the others it stands for none.
    known = set(found)
    values = [float(text.strip().replace(",", ".")) for text in numbers if text not in known and text.strip() != "99"]
    if len(numbers) == len(others) and len(values) > 1 and max(values) < 50:
        found += [text for text in numbers if text.strip() == "99"]
    return () if len(found) == len(rows) else tuple(sorted(found))
