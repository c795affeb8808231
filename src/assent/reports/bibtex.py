r"""BibTeX entries of the works that define what a report shows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from assent.references import REFERENCES, Reference
from assent.reports.wording import surnames

__all__ = ["bibtex", "entry", "software"]

_JOURNAL = re.compile(r"(?P<journal>.+) (?P<volume>\d+)(\((?P<number>[\d/-]+)\))?, (?P<pages>[\d-]+)")
_PROCEEDINGS = re.compile(r"(?P<booktitle>Proceedings .+), (?P<pages>[\d-]+)")
_ARXIV = re.compile(r"arXiv(:(?P<eprint>[\d.]+))?")
_BOOK = re.compile(r"(?P<publisher>[^,\d]+)(, p\. (?P<pages>[\d-]+))?")
#: Accents that TeX sets on a letter, by their combining characters.
_ACCENTS = {"̀": "`", "́": "'", "̂": "^", "̃": "~", "̈": '"', "̊": "r ", "̌": "v ", "̧": "c "}
_LETTERS = {
    "γ": r"$\gamma$",
    "ø": r"{\o}",
    "Ø": r"{\O}",
    "å": r"{\aa}",
    "Å": r"{\AA}",
    "æ": r"{\ae}",
    "ß": r"{\ss}",
    "ł": r"{\l}",
}
_SPECIAL = {
    **{c: f"\\{c}" for c in "&%$#_"},
    "\\": r"{\textbackslash}",
    "{": r"\{",
    "}": r"\}",
    "~": r"{\textasciitilde}",
    "^": r"{\textasciicircum}",
    "–": "--",
    "’": "'",
}


def bibtex(keys: Iterable[str], *, version: str | None = None) -> str:
    """Return the entries of some works, each once, and of the program if its version is given."""
    entries = [entry(key, REFERENCES[key]) for key in dict.fromkeys(keys)]
    if version is not None:
        entries.append(software(version))
    return "\n\n".join(entries) + "\n"


def software(version: str) -> str:
    """Return the entry of the program."""
    fields = {
        "author": "{The assent developers}",
        "title": "{assent: inter-annotator agreement with honest intervals}",
        "note": f"Version {protected(version)}",
    }
    return _written("misc", "assent", fields)


def entry(key: str, work: Reference) -> str:
    """Return the entry of a work.

    Examples
    --------
    >>> print(entry("cohen1960", REFERENCES["cohen1960"]))
    @article{cohen1960,
      author = {Cohen, J.},
      title = {{A coefficient of agreement for nominal scales}},
      year = {1960},
      journal = {Educational and Psychological Measurement},
      volume = {20},
      number = {1},
      pages = {37--46},
      doi = {10.1177/001316446002000104}
    }
    """
    kind, where = _where(work)
    fields = {
        "author": " and ".join(protected(one) for one in surnames(work.authors)),
        # Braces keep the capitals of names in a title that a style sets in lower case.
        "title": f"{{{protected(work.title)}}}",
        "year": str(work.year),
        **where,
    }
    doi = work.link.removeprefix("https://doi.org/")
    if doi != work.link:
        fields["doi"] = doi
    elif work.link:
        fields["url"] = work.link
    return _written(kind, key, fields)


def _where(work: Reference) -> tuple[str, dict[str, str]]:
    """Take apart where a work was published."""
    for kind, pattern in (("article", _JOURNAL), ("inproceedings", _PROCEEDINGS), ("misc", _ARXIV), ("book", _BOOK)):
        found = pattern.fullmatch(work.where)
        if found:
            fields = {name: protected(value) for name, value in found.groupdict().items() if value}
            if "pages" in fields:
                fields["pages"] = fields["pages"].replace("-", "--")
            if kind == "misc":
                fields = {**fields, "archiveprefix": "arXiv"}
            if kind == "book" and not work.book:
                return "techreport", {"institution": fields["publisher"]}
            return kind, fields
    return "misc", {"howpublished": protected(work.where)}


def _written(kind: str, key: str, fields: dict[str, str]) -> str:
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@{kind}{{{key},\n{lines}\n}}"


def protected(text: str) -> str:
    r"""Return a text with everything escaped that BibTeX or TeX would take as more than a character.

    Examples
    --------
    >>> print(protected("Nørregaard & Söhne {100%}"))
    N{\o}rregaard \& S{\"o}hne \{100\%\}
    """
    return "".join(_character(c) for c in text)


def _character(c: str) -> str:
    if c in _SPECIAL:
        return _SPECIAL[c]
    if c in _LETTERS:
        return _LETTERS[c]
    apart = unicodedata.normalize("NFD", c)
    if len(apart) == 2 and apart[0].isascii() and apart[1] in _ACCENTS:
        return f"{{\\{_ACCENTS[apart[1]]}{apart[0]}}}"
    return c
