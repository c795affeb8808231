"""Write one page per coefficient from its own docstring, and their index.

Run it after adding or changing a measure; a test fails while a page is out of date.
"""

from __future__ import annotations

import re
from pathlib import Path

import assent
from assent.references import REFERENCES

DOCS = Path(__file__).parent


def page(measure: assent.Measure) -> str:
    """Return the Markdown page of a measure."""
    text = re.sub(r"^(.+)\n-{3,}$", r"## \1", measure.text, flags=re.MULTILINE)
    summary, _, rest = text.partition("\n\n")
    options = "".join(
        f"- `--{name}`: {', '.join(f'`{one}`' for one in values)}\n" for name, values in measure.options.items()
    )
    facts = [
        f"`assent measure FILE --measure {measure.name}`, in Python `assent.{measure.name.replace('-', '_')}(data)`.",
        "Takes sets of labels; a single label is a set of one."
        if measure.label_sets
        else f"Scales: {', '.join(measure.scales)}.",
    ]
    if options:
        facts.append(f"Options:\n\n{options.rstrip()}")
    rest = re.sub(r"^(>>>.*(?:\n(?!\n).*)*)", r"```python\n\1\n\n```", rest, flags=re.MULTILINE)
    return f"# {measure.title}\n\n{' '.join(summary.split())}\n\n" + "\n\n".join(facts) + f"\n\n{rest.strip()}\n"


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
    return made


if __name__ == "__main__":
    (DOCS / "measures").mkdir(exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
