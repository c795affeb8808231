"""The report: one object, and its renderings."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assent.analyses.items.table import ItemAgreement
from assent.atomic_files import write_whole
from assent.errors import OptionError
from assent.text import shown

if TYPE_CHECKING:
    import altair

__all__ = ["FORMATS", "Report"]

#: What a report can be written as, by the ending of the file's name.
FORMATS = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".tex": "latex",
    ".json": "json",
}


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """What is known of some annotations, in one object; made by `assent.make_report`.

    In a notebook it shows itself as a page. `save` writes HTML, Markdown, LaTeX or JSON, as the ending of the name says.

    Parameters
    ----------
    content : mapping
        Plain values, fit for JSON.
    look : callable, optional
        Looks at every item when somebody asks for `items`; None for several questions.
    """

    content: Mapping[str, Any]
    look: Callable[[], ItemAgreement] | None = field(default=None)

    @cached_property
    def items(self) -> ItemAgreement | None:
        """Every item, for a table beside the report; None for several questions.

        Raises
        ------
        UnsuitableData
            If the data live in an engine such as DuckDB, which can write their items itself.
        """
        return None if self.look is None else self.look()

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return deepcopy(dict(self.content))

    def json(self) -> str:
        """Return the report as JSON."""
        return json.dumps(self.content, ensure_ascii=False, allow_nan=False, indent=2) + "\n"

    def markdown(self) -> str:
        """Return the report in Markdown."""
        from assent.reports.markdown import render

        return render(self.content)

    def latex(self) -> str:
        """Return the report as LaTeX, to be read into a document."""
        from assent.reports.latex import render

        return render(self.content)

    def figures(self) -> dict[str, altair.TopLevelMixin]:
        """Return the charts of the report by name."""
        from assent.reports.charts import figures

        return figures(self.content)

    def html(self) -> str:
        """Return the report as a page that needs nothing else."""
        from assent.reports.html import page_of

        return page_of(self.content)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the report to a file, whole or not at all.

        Parameters
        ----------
        path : path
            The ending of its name says the format: .html, .md, .tex or .json.
        """
        write_whole(path, self.rendered(format_of(path)))

    def rendered(self, format: str) -> str:
        """Return the report as html, markdown, latex or json."""
        return {"html": self.html, "markdown": self.markdown, "latex": self.latex, "json": self.json}[format]()

    def __str__(self) -> str:
        """Show the verdict and what to do next."""
        verdict = self.content["verdict"]
        return f"{verdict['sentence']}\nNext: {verdict['next']}"

    def __repr__(self) -> str:
        return f"<Report: {shown(self.content['title'])}>"

    def _repr_html_(self) -> str:
        """Show the page in a notebook, in a frame of its own."""
        from html import escape

        return (
            f'<iframe srcdoc="{escape(self.html(), quote=True)}" title="Agreement report" '
            'style="width: 100%; height: 80vh; border: 0"></iframe>'
        )


def format_of(path: str | os.PathLike[str]) -> str:
    """Return what the ending of a file's name says."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise OptionError(
            f"{shown(os.fspath(path), 200)} does not say what to write: let its name end in .html, .md, .tex or .json."
        )
    return FORMATS[suffix]
