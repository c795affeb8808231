"""`assent measures`: every coefficient there is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

__all__ = ["measures_command"]


def measures_command(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List every coefficient: its name, what it takes, where it comes from."""
    from assent.cli.output import print_json
    from assent.measures import all_measures
    from assent.references import REFERENCES

    known = all_measures().values()
    if json:
        rows = [
            {
                "measure": one.name,
                "aliases": list(one.aliases),
                "title": one.title,
                "summary": one.summary,
                "kind": one.kind,
                "scales": list(one.scales),
                "chance_corrected": one.chance_corrected,
                "label_sets": one.label_sets,
                "options": {name: list(values) for name, values in one.options.items()},
                "references": [REFERENCES[key].text for key in one.references],
            }
            for one in known
        ]
        print_json({"measures": rows})
        return
    for one in known:
        takes = "sets of labels" if one.label_sets else one.kind.replace("-", " ")
        if one.kind == "labels" and not one.label_sets:
            takes += f" on these scales: {', '.join(one.scales)}"
        options = "".join(f"; --{name.replace('_', '-')}: {_listed(values)}" for name, values in one.options.items())
        also = [alias for alias in one.aliases if alias != one.title]
        known_as = f"; also {', '.join(also)}" if also else ""
        typer.echo(f"{one.name}  ({one.title}{known_as})")
        typer.echo(f"    {one.summary}")
        typer.echo(f"    Takes {takes}{options}.")
        typer.echo(f"    {'; '.join(REFERENCES[key].short for key in one.references)}\n")


def _listed(values: Sequence[str]) -> str:
    """Join values with commas, or with "or" where a value has a comma of its own."""
    return (" or " if any("," in one for one in values) else ", ").join(values)
