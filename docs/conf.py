"""How Sphinx builds the site: `make docs`, or `python -m sphinx -b html docs build/docs`."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from pygments.filter import Filter
from pygments.lexers.shell import BashSessionLexer
from pygments.token import Name, Text
from sphinx.transforms import SphinxTransform

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from assent._version import __version__

# To look through the trees of all pages for garbage again and again takes a third of the time, and a build soon ends.
gc.disable()

HOME = Path(__file__).parent

project = "assent"
author = "The assent developers"
copyright = author
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
exclude_patterns = ["build"]
# A page is a Markdown file, a notebook a page: see `notebook_page`.
source_suffix = {".md": "markdown"}
root_doc = "index"

myst_enable_extensions = ["deflist", "colon_fence"]
myst_heading_anchors = 4
# Links to files beside the pages (examples, the changelog) are for those who read the repository.
suppress_warnings = ["myst.header"]

autodoc_typehints = "none"
autodoc_member_order = "bysource"
autosummary_generate = False
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
# Names in single backquotes are names of options and parameters.
default_role = "literal"
nitpicky = False
toc_object_entries = False

html_theme = "furo"
html_title = "assent"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_extra_path = ["schemas"]
html_theme_options = {"navigation_with_keys": False}


def notebook_page(path: Path) -> str:
    """Return a notebook as a Markdown page: its texts, its code and what that printed."""
    parts = [f"<!-- {path.name} -->"]
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        shown = "".join("".join(one.get("text", [])) for one in cell["outputs"])
        if shown:
            parts.append(f"```text\n{shown.rstrip()}\n```")
    parts.append(f"The notebook: {{download}}`{path.name} <{path.name}>`.")
    return "\n\n".join(parts) + "\n"


def _write_notebooks(app: Any) -> None:
    for path in sorted((HOME / "notebooks").glob("*.ipynb")):
        page = path.with_suffix(".md")
        text = notebook_page(path)
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")


class _Words(Filter):  # type: ignore[misc]
    """Marks options, and other words with a hyphen, where a browser would break a line."""

    def filter(self, lexer: Any, stream: Any) -> Iterator[tuple[Any, str]]:
        for kind, text in stream:
            word = kind is Text and "-" in text
            yield (Name.Attribute if text.startswith("-") else Name) if word else kind, text


class _Commands(BashSessionLexer):  # type: ignore[misc]
    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.add_filter(_Words())


class _Captions(SphinxTransform):
    """A picture that is a paragraph of its own is a figure: what it shows is said below it, too."""

    # After links to files have been settled.
    default_priority = 900

    def apply(self, **options: Any) -> None:
        for image in list(self.document.findall(nodes.image)):
            paragraph = image.parent
            if isinstance(paragraph, nodes.paragraph) and len(paragraph) == 1:
                figure = nodes.figure("", image, nodes.caption("", image["alt"]))
                self.document.set_id(figure)
                paragraph.replace_self(figure)


def setup(app: Any) -> None:
    """Make pages of the notebooks before Sphinx looks for pages, captions of what pictures show, and keep options in one piece."""
    app.connect("builder-inited", _write_notebooks)
    app.add_lexer("console", _Commands)
    app.add_transform(_Captions)
