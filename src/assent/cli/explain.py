"""`assent explain`: where a coefficient comes from."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Optional

import typer

from assent.cli.common import option
from assent.cli.options import OWN, agreement_weights_from, takes_options_of, takes_table
from assent.option_texts import comma_separated

__all__ = ["explain_command"]

WHAT = "What to explain"
OUTPUT = "What to print"


_what = partial(option, panel=WHAT)


@takes_table()
@takes_options_of("measure", panel=OWN, hidden=True)
def explain_command(
    data: Any,
    measure: Annotated[
        Optional[list[str]],
        _what(
            "Name of a coefficient (`assent measures` lists them). Repeatable: several stand side by side. Unless given the one that "
            "`assent measure` says to quote; of sets of labels Cohen's kappa for two annotators, else Krippendorff's alpha.",
            "--measure",
            "-m",
            metavar="NAME",
        ),
    ] = None,
    label_against_rest: Annotated[
        Optional[str],
        _what("Explain the agreement on this label, all others taken as one.", metavar="LABEL"),
    ] = None,
    scale: Annotated[
        Optional[str],
        _what("Level of measurement: nominal unless given.", metavar="nominal|ordinal|interval|ratio"),
    ] = None,
    weights: Annotated[
        Optional[str],
        _what(
            "Agreement weights, in place of those of the scale: a name such as linear or quadratic, or a CSV file with a "
            "matrix of labels x labels.",
            metavar="NAME|FILE",
            completes="weights",
        ),
    ] = None,
    order: Annotated[
        Optional[str],
        _what("The labels from first to last, used or not; tables show them in this order.", metavar="LOW,MID,HIGH"),
    ] = None,
    markdown: Annotated[bool, _what("Print Markdown.", "--markdown", panel=OUTPUT)] = False,
    latex: Annotated[
        bool, _what("Print LaTeX for a document that loads amsmath and booktabs.", "--latex", panel=OUTPUT)
    ] = False,
    json: Annotated[bool, _what("Print one JSON object.", "--json", panel=OUTPUT)] = False,
    output: Annotated[
        Optional[str],
        _what(
            "Write it to a file whose name ends in .html, .md, .tex, .json or .txt.",
            "--output",
            "-o",
            panel=OUTPUT,
            metavar="FILE",
        ),
    ] = None,
    **own: Any,
) -> None:
    """Show where a coefficient comes from: the computation as on the board, with your numbers.

    It shows the confusion or coincidence matrix, observed agreement as a
    fraction, expected agreement term by term, the formula with the numbers put
    in, and what the result is called. Exact numbers follow =, rounded ones ≈.

      assent explain labels.csv --measure cohen-kappa
      assent explain --example paradox1 -m cohen-kappa -m gwet-ac
      assent explain --table "80,10;10,0"
      assent explain labels.csv -m cohen-kappa --label-against-rest yes --latex
      assent explain labels.csv -m fleiss-kappa -o kappa.html
      assent explain spans.csv -m span-f1 --match overlap
    """
    from assent.analyses.explain import explain
    from assent.atomic_files import write_whole
    from assent.cli.output import print_json, rendered, show, use_utf8
    from assent.cli.progress import stage
    from assent.documents.result import format_of
    from assent.errors import OptionError
    from assent.text import shown

    if markdown + latex + json > 1:
        raise OptionError("--markdown, --latex and --json each say what to print: give one of them.")
    if output is not None:
        format_of(output)
    given = {
        "scale": scale,
        "weights": agreement_weights_from(weights, getattr(data, "labels", ())),
        "order": comma_separated(order),
        **own,
    }
    options = {name: value for name, value in given.items() if value is not None}
    with stage("Working it out"):
        explanation = explain(data, *(measure or ()), label_against_rest=label_against_rest, **options)
    if output is not None:
        write_whole(output, rendered(explanation, format_of(output)))
        typer.echo(f"Wrote {shown(output, 200)}.", err=True)
    if json:
        print_json(explanation.to_dict())
    elif output is None or markdown or latex:
        # The formulas are not ASCII: they are printed in UTF-8 whatever the terminal speaks.
        use_utf8()
        if markdown or latex:
            print(rendered(explanation, "markdown" if markdown else "latex"), end="")
        else:
            show(explanation.document())
