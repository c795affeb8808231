"""Reading rendered documents back."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from markdown_it import MarkdownIt

#: What LaTeX may be told in the place of a character.
LATEX = {
    r"\textbackslash": "\\",
    r"\textasciitilde": "~",
    r"\textasciicircum": "^",
    r"\textless": "<",
    r"\textgreater": ">",
    r"\textbar": "|",
    r"\textvisiblespace": "␣",
    r"\ldots": "…",
    r"\textendash": "–",
    r"\textemdash": "—",
    r"\char34": '"',
    r"\ensuremath{-}": "−",
    r"\ensuremath{\pm}": "±",
    r"\ensuremath{\times}": "×",
    r"\ensuremath{\approx}": "≈",
    r"\ensuremath{\kappa}": "κ",
    r"\ensuremath{\infty}": "∞",
}
#: What a table or code that is wider than the page is told besides.
WIDE_LATEX = {
    *(
        "\\footnotesize",
        "\\scriptsize",
        "\\setlength",
        "\\tabcolsep",
        "\\shortstack",
        "\\raggedright",
        "\\arraybackslash",
    ),
    *("\\linewidth", "\\hangindent", "\\hangafter", "\\hspace"),
}
VOID = {"meta", "br", "img", "input", "link", "path"}


@dataclass
class Read(HTMLParser):
    """A page: its tags with their attributes, and its text."""

    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    cells: list[list[str]] = field(default_factory=list)
    _inside: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._inside.append(tag)
        if tag == "tr":
            self.cells.append([])
        elif tag in ("td", "th"):
            self.cells[-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._inside.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        if self._inside and self._inside[-1] in ("style", "script"):
            return
        self.texts.append(data)
        if {"td", "th"} & set(self._inside):
            self.cells[-1][-1] += data


def read_html(page: str) -> Read:
    """Parse a page; every tag must be closed where it should be."""
    read = Read()
    read.feed(page)
    read.close()
    assert not read._inside
    return read


def markdown_html(markdown: str) -> str:
    """Render Markdown with everything allowed that a reader might allow."""
    made: Any = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(markdown)
    return str(made)


def latex_cells(latex: str) -> list[list[str]]:
    """Return the text of each row of each table, as a reader of the printed page sees it."""
    tables = re.findall(r"\\endfoot\n(.*?)\\end\{longtable\}", latex, flags=re.DOTALL)
    rows = [row for table in tables for row in table.replace("\\midrule\n", "").split(" \\\\\n")]
    return [[latex_text(cell) for cell in re.split(r"(?<!\\) & ", row)] for row in rows if row]


def latex_text(latex: str) -> str:
    """Return a piece of LaTeX as text."""
    latex = re.sub(r"^\\textbf\{(.*)\}$", r"\1", latex)
    # A kern keeps two characters from being joined.
    assert "--" not in latex
    latex = latex.replace(r"\/", "")
    for command, character in LATEX.items():
        latex = latex.replace(command + "{}", character).replace(command, character)
    latex = latex.replace("{[}", "[").replace("{*}", "*").replace("{}", "")
    return re.sub(r"\\([&%$#_{}])", r"\1", latex)
