"""What every result can do: be plain values, be a document, and print itself."""

from __future__ import annotations

import json
import os
import re
from abc import abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING

from assent.errors import OptionError
from assent.records import Record
from assent.text import shown, visible

if TYPE_CHECKING:
    from assent.documents.blocks import Document
    from assent.documents.charts import Chart

__all__ = ["FORMATS", "Result", "format_of", "rendered"]

#: What a result can be written as, by the ending of the file's name.
FORMATS = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".tex": "tex",
    ".json": "json",
    ".txt": "text",
}
#: What JSON may hold as it is, but a terminal would obey, a text turn around, or UTF-8 not hold.
_UNSEEN = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


class Result(Record, frozen=True):
    """Base of everything that an analysis returns.

    `to_dict` is what the command line prints as JSON; `document` is what a person reads, in whichever medium: printing the
    result or typing its name shows it as text, a notebook as a page, and `save` writes it as the ending of the file's name says.
    """

    @abstractmethod
    def document(self) -> Document:
        """Return what a person reads of the result."""
        raise NotImplementedError

    def json(self) -> str:
        """Return the result as JSON."""
        return _UNSEEN.sub(_code, json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=2)) + "\n"

    def text(self, width: int = 100) -> str:
        """Return the result as lines of text, for a terminal that is so many columns wide."""
        return rendered(self.document(), "text", width=width)

    def markdown(self) -> str:
        """Return the result in Markdown."""
        return rendered(self.document(), "markdown")

    def latex(self) -> str:
        """Return the result as LaTeX, to be read into a document."""
        return rendered(self.document(), "latex")

    def html(self) -> str:
        """Return the result as a page that needs nothing else."""
        return rendered(self.document(), "html")

    def figures(self) -> dict[str, Chart]:
        """Return the charts of the result by name."""
        from assent.documents.charts import WIDE

        drawn = {name: figure.draw(WIDE) for name, figure in self.document().figures().items()}
        return {name: chart for name, chart in drawn.items() if chart is not None}

    def rendered(self, format: str) -> str:
        """Return the result as html, markdown, latex, tex, json or text."""
        return self.json() if format == "json" else rendered(self.document(), format)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result to a file, whole or not at all.

        Parameters
        ----------
        path : path
            The ending of its name says the format: .html, .md, .tex, .json or .txt.
        """
        from assent.atomic_files import write_whole

        write_whole(path, self.rendered(format_of(path)))

    def __str__(self) -> str:
        """Show the result as text."""
        return self.text().rstrip("\n")

    def __repr__(self) -> str:
        """Show at a prompt what a person reads."""
        return str(self)

    def _repr_html_(self) -> str:
        """Show the page in a notebook, in a frame of its own."""
        from html import escape

        return (
            f'<iframe srcdoc="{escape(self.html(), quote=True)}" title="{escape(visible(self.document().title), quote=True)}" '
            'style="width: 100%; height: 80vh; border: 0"></iframe>'
        )


def rendered(document: Document, format: str, *, width: int = 100) -> str:
    """Return a document as html, markdown, latex (to be read into another), tex (a file) or text, so many columns wide."""
    from assent.documents import html, latex, markdown, terminal

    if format == "text":
        return terminal.render(document, width=width)
    made = {"html": html.render, "markdown": markdown.render, "latex": latex.render, "tex": latex.render_file}
    return made[format](document)


def _code(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def format_of(path: str | os.PathLike[str]) -> str:
    """Return what the ending of a file's name says."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise OptionError(
            f"{shown(os.fspath(path), 200)} does not say what to write: let its name end in .html, .md, .tex, .json or .txt."
        )
    return FORMATS[suffix]
