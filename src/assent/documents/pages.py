"""Pages: one HTML file each, with everything in it, nothing fetched, and whatever comes from data escaped."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import Any

__all__ = ["page"]


def page(template: str, **content: Any) -> str:
    """Fill a template that extends ``base.html``.

    Every value is escaped unless it is markup already: SVG of `assent.documents.charts.svg` is passed as ``markupsafe.Markup``. The
    style and the script of the base are allowed by their hashes and nothing else is, so that text of a file which
    slipped through as markup would still not run.

    Parameters
    ----------
    template : str
        Name of a file in the folder ``templates``.
    **content
        What the template asks for; a name it asks for and does not get is an error.
    """
    environment = _environment()
    style, script = (environment.loader.get_source(environment, name)[0] for name in ("style.css", "script.js"))
    policy = (
        f"default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    )
    return str(environment.get_template(template).render(style=style, script=script, policy=policy, **content))


@cache
def _environment() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("assent.documents", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
