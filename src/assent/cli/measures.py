"""`assent measures`: every coefficient there is."""

from __future__ import annotations

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
        takes = "sets of labels" if one.label_sets else f"scales: {', '.join(one.scales)}"
        options = "".join(f"; --{name.replace('_', '-')}: {', '.join(values)}" for name, values in one.options.items())
        known_as = f"; also {', '.join(one.aliases)}" if one.aliases else ""
        typer.echo(f"{one.name}  ({one.title}{known_as})")
        typer.echo(f"    {one.summary}")
        typer.echo(f"    Takes {takes}{options}.")
        typer.echo(f"    {'; '.join(REFERENCES[key].short for key in one.references)}\n")
