r"""Letters and signs that pdfLaTeX does not know, spelled so that it does, where that can be.

XeLaTeX and LuaLaTeX take any character that the font has. pdfLaTeX, with ``\usepackage[T1]{fontenc}``, knows those of European languages in
Latin letters, and stops at any other.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["beyond", "known", "spelled"]

#: What pdfLaTeX sets as it is, beyond ASCII: found by compiling each character.
_KNOWN = re.compile(
    "[\u00a0-\u00ac\u00ae-\u0125\u0128-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u0165\u0168-\u017e\u0192\u0218-\u021b\u2013-\u2014"
    "\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039-\u203a\u20ac\u2122]"
)
#: Marks that stand above or below a letter.
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0323": "d",
    "\u0327": "c",
    "\u0328": "k",
    "\u0331": "b",
}
_GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho varsigma sigma tau upsilon phi chi psi omega"
#: Capital letters that look like Latin ones have no name in TeX.
_LATIN = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True))
_NAMED = {
    **{chr(0x3B1 + i): name for i, name in enumerate(_GREEK.split()) if name != "omicron"},
    **{c: unicodedata.name(c).split()[-1].capitalize() for c in "ΓΔΘΞΠΣΦΨΩ"},
    "Λ": "Lambda",
    "ϵ": "epsilon",
    "ϑ": "vartheta",
    "ϕ": "phi",
    "≤": "leq",
    "≥": "geq",
    "≠": "neq",
    "≈": "approx",
    "≡": "equiv",
    "∼": "sim",
    "∞": "infty",
    "√": "surd",
    "∑": "sum",
    "∏": "prod",
    "∫": "int",
    "∂": "partial",
    "∇": "nabla",
    "∈": "in",
    "∉": "notin",
    "⊂": "subset",
    "⊆": "subseteq",
    "∩": "cap",
    "∪": "cup",
    "∧": "wedge",
    "∨": "vee",
    "∅": "emptyset",
    "∀": "forall",
    "∃": "exists",
    "←": "leftarrow",
    "↑": "uparrow",
    "→": "rightarrow",
    "↓": "downarrow",
    "↔": "leftrightarrow",
    "⇐": "Leftarrow",
    "⇒": "Rightarrow",
    "⇔": "Leftrightarrow",
    "′": "prime",
    "★": "star",
    "◦": "circ",
    "●": "bullet",
    "♠": "spadesuit",
    "♣": "clubsuit",
    "♥": "heartsuit",
    "♦": "diamondsuit",
    "♭": "flat",
    "♯": "sharp",
}


def known(text: str) -> bool:
    """Tell whether pdfLaTeX sets every character of a text as it is.

    Examples
    --------
    >>> known("naïve – Łódź"), known("≤"), known("да")
    (True, False, False)
    """
    return all(c.isascii() or _KNOWN.fullmatch(c) for c in text)


def spelled(text: str) -> str:
    r"""Return LaTeX in which characters are spelled that pdfLaTeX does not know; those that cannot be spelled stay.

    Examples
    --------
    >>> print(spelled("Tiếng Việt ≤ α, x⁴, да"))
    Ti\'{\^{e}}ng Vi\^{\d{e}}t \ensuremath{\leq} \ensuremath{\alpha}, x\textsuperscript{4}, да
    """
    return "".join(c if c.isascii() or _KNOWN.fullmatch(c) else _one(c) for c in text)


def beyond(text: str) -> str:
    """Return the first character that only XeLaTeX and LuaLaTeX take; an empty text if there is none."""
    return next((c for c in text if not known(c)), "")


def _one(c: str) -> str:
    if c in _NAMED:
        return rf"\ensuremath{{\{_NAMED[c]}}}"
    if c in _LATIN or c == "ο":
        return _LATIN.get(c, "o")
    kind, _, plain = unicodedata.decomposition(c).rpartition(">")
    parts = "".join(chr(int(code, 16)) for code in plain.split())
    if kind in ("<super", "<sub") and parts.isascii() and parts.isalnum():
        return rf"\text{'superscript' if kind == '<super' else 'subscript'}{{{parts}}}"
    if unicodedata.category(c) == "Zs":
        return "~" if kind == "<noBreak" else " "
    # Ligatures, letters in a circle and of full width are what they stand for.
    if kind and parts.isascii() and parts.isalnum():
        return parts
    if not kind and len(parts) == 2 and parts[1] in _ACCENTS:
        inner = parts[0] if parts[0].isascii() else _accented(parts[0])
        if inner.isascii():
            return rf"\{_ACCENTS[parts[1]]}{{{inner}}}"
    return c


def _accented(c: str) -> str:
    """Return a letter with one mark as LaTeX; the letter itself if that cannot be."""
    parts = unicodedata.normalize("NFD", c)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in _ACCENTS:
        return rf"\{_ACCENTS[parts[1]]}{{{parts[0]}}}"
    return c
