"""Write one page per coefficient and per consensus method from its own docstring, and the index of the coefficients.

Run it after adding or changing one; a test fails while a page is out of date.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import assent
from assent.analyses.consensus import Method, all_methods
from assent.references import REFERENCES
from assent.registry import Option

DOCS = Path(__file__).parent


def page(measure: assent.Measure) -> str:
    """Return the Markdown page of a measure."""
    facts = [
        f"`assent measure FILE --measure {measure.name}`, in Python `assent.{measure.name.replace('-', '_')}(data)`.",
        "Takes sets of labels; a single label is a set of one."
        if measure.label_sets
        else f"{'Scales' if measure.kind == 'labels' else 'Takes'}: {_takes(measure)}.",
    ]
    return _page(measure.title, measure.text, facts, _options(measure.parameters))


def _takes(measure: assent.Measure) -> str:
    """Return the levels of measurement of a measure of labels, or what other data it is about."""
    if measure.label_sets:
        return "sets of labels"
    return ", ".join(measure.scales) if measure.kind == "labels" else measure.kind


def _options(parameters: Mapping[str, Option]) -> list[str]:
    """Return a line for every option: its flag, what it takes, the default first, and what it does."""
    return [
        f"- `--{name.replace('_', '-')}`, {', '.join(f'`{one}`' for one in option.choices) or option.takes.values}: "
        f"{option.takes.help}"
        for name, option in parameters.items()
    ]


def method_page(method: Method) -> str:
    """Return the Markdown page of a consensus method."""
    facts = [
        f'`assent consensus FILE --method {method.name}`, in Python `assent.consensus(data, "{method.name}")`.',
        "Takes sets of labels apart." if method.takes_sets else "Of several labels, a whole set counts as one label.",
    ]
    works = "; ".join(REFERENCES[key].text for key in method.references)
    facts += [f"Defined by {works}"] if works else []
    return _page(method.title, method.text, facts, _options(method.parameters))


def _page(title: str, text: str, facts: list[str], options: list[str]) -> str:
    """Put together a page of what a docstring says, with its headings and examples."""
    text = re.sub(r"^(.+)\n-{3,}$", r"## \1", text, flags=re.MULTILINE)
    summary, _, rest = text.partition("\n\n")
    if options:
        facts = [*facts, "Options:\n\n" + "\n".join(options)]
    rest = re.sub(r"^(>>>.*(?:\n(?!\n).*)*)", r"```python\n\1\n\n```", rest, flags=re.MULTILINE)
    return f"# {title}\n\n{' '.join(summary.split())}\n\n" + "\n\n".join(facts) + f"\n\n{rest.strip()}\n"


def index() -> str:
    """Return the list of all measures."""
    rows = "\n".join(
        f"| [{one.name}](measures/{one.name}.md) | {one.summary} | {_takes(one)} "
        f"| {'; '.join(REFERENCES[key].short for key in one.references)} |"
        for one in assent.all_measures().values()
    )
    return (
        "# The coefficients\n\n`assent measure FILE` chooses what fits the data and says why. `--measure NAME` asks for one of these.\n\n"
        f"| name | what it is | takes | defined by |\n|---|---|---|---|\n{rows}\n"
    )


def pages() -> dict[Path, str]:
    """Return every generated page by its path."""
    made = {DOCS / "measures" / f"{one.name}.md": page(one) for one in assent.all_measures().values()}
    made[DOCS / "measures.md"] = index()
    made |= {DOCS / "consensus" / f"{one.name}.md": method_page(one) for one in all_methods().values()}
    return made


if __name__ == "__main__":
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
