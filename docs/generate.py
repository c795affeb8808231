"""Write one page per coefficient and per way to a consensus from its own docstring, and the index of the coefficients.

Run it after adding or changing one; a test fails while a page is out of date.
"""

from __future__ import annotations

import re
from pathlib import Path

import assent
from assent.analyses.consensus import Method, all_methods
from assent.references import REFERENCES

DOCS = Path(__file__).parent


def page(measure: assent.Measure) -> str:
    """Return the Markdown page of a measure."""
    facts = [
        f"`assent measure FILE --measure {measure.name}`, in Python `assent.{measure.name.replace('-', '_')}(data)`.",
        "Takes sets of labels; a single label is a set of one."
        if measure.label_sets
        else f"Scales: {', '.join(measure.scales)}.",
    ]
    options = [f"- `--{name}`: {', '.join(f'`{one}`' for one in values)}" for name, values in measure.options.items()]
    return _page(measure.title, measure.text, facts, options)


def method_page(method: Method) -> str:
    """Return the Markdown page of a way to a consensus."""
    facts = [
        f'`assent consensus FILE --method {method.name}`, in Python `assent.consensus(data, "{method.name}")`.',
        "Takes sets of labels apart." if method.takes_sets else "Of several labels, a whole set counts as one label.",
    ]
    works = "; ".join(REFERENCES[key].text for key in method.references)
    facts += [f"Defined by {works}"] if works else []
    options = [
        f"- `--{name.replace('_', '-')}`, {', '.join(option.values)}: {option.takes.help}"
        for name, option in method.parameters.items()
    ]
    return _page(method.title, method.text, facts, options)


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
        f"| [{one.name}](measures/{one.name}.md) | {one.summary} | {'sets of labels' if one.label_sets else ', '.join(one.scales)} "
        f"| {'; '.join(REFERENCES[key].short for key in one.references)} |"
        for one in assent.all_measures().values()
    )
    return (
        "# The coefficients\n\n`assent measure FILE` chooses what fits the data and says why; these can be named.\n\n"
        f"| name | what it is | scales | defined by |\n|---|---|---|---|\n{rows}\n"
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
