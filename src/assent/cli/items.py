"""`assent items`: which items the annotators disagree on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from assent.cli.common import (
    distance_option,
    json_option,
    option,
    order_option,
    output_option,
    spreadsheet_option,
    tree_option,
)
from assent.cli.options import asks_for_sets, takes_table
from assent.limits import TERMINAL
from assent.option_texts import comma_separated

if TYPE_CHECKING:
    from assent.analyses.items.table import ItemAgreement
    from assent.analyses.spans.items import SpanItems

__all__ = ["items_command"]

WHICH = "Which items, in which order"
HOW = "How to compare labels"
OUTPUT = "What to print or write"
#: Files that are written here; whatever else, an engine such as DuckDB or Spark writes itself.
HERE = (".csv", ".tsv", ".json", ".jsonl", ".ndjson")


_which = partial(option, panel=WHICH)


@takes_table(keeps=("text", "by"), sets=asks_for_sets)
def items_command(
    data: Any,
    text: Annotated[
        Optional[str], _which("Column with the content of the items, to show beside them.", metavar="COLUMN")
    ] = None,
    sort: Annotated[
        str,
        _which(
            "What comes first: the least agreement, the highest entropy, the smallest margin, the most annotations, or the "
            "first name.",
            metavar="disagreement|entropy|margin|annotations|item",
            show_default=True,
        ),
    ] = "disagreement",
    top: Annotated[
        Optional[int],
        _which(
            f"So many items, the first. On the terminal {TERMINAL.rows} unless given; in JSON and files all.",
            metavar="N",
        ),
    ] = None,
    min_annotations: Annotated[int, _which("Only items with at least so many annotations.", metavar="N")] = 1,
    min_agreement: Annotated[
        Optional[float], _which("Only items with at least this much agreement, from 0 to 1.", metavar="X")
    ] = None,
    max_agreement: Annotated[
        Optional[float], _which("Only items with at most this much agreement, from 0 to 1.", metavar="X")
    ] = None,
    label_pair: Annotated[
        Optional[str], _which("Only items that were given both of these labels.", metavar="A,B")
    ] = None,
    has_label: Annotated[
        Optional[str],
        _which("Only items that were given this label; with --from-annotator, by each of these.", metavar="LABEL"),
    ] = None,
    from_annotator: Annotated[
        Optional[str], _which("Only items that each of these annotated.", metavar="A,B", completes="annotator")
    ] = None,
    by: Annotated[Optional[str], _which("Column with groups, for --group.", metavar="COLUMN")] = None,
    group: Annotated[Optional[str], _which("Only items with this value in the column --by.", metavar="VALUE")] = None,
    who: Annotated[bool, _which("Say who gave which label.", "--who")] = False,
    only: Annotated[Optional[list[str]], _which("Only the item of this name. Repeatable.", metavar="NAME")] = None,
    scale: Annotated[
        Optional[str],
        _which(
            "Level of measurement: nominal unless given. On a scale near labels agree in part, and the spread is shown.",
            panel=HOW,
            metavar="nominal|ordinal|interval|ratio",
        ),
    ] = None,
    order: Annotated[Optional[str], order_option(panel=HOW)] = None,
    distance: Annotated[Optional[str], distance_option(panel=HOW)] = None,
    tree: Annotated[Optional[str], tree_option(panel=HOW)] = None,
    output: Annotated[
        Optional[str],
        output_option(
            "Write the items to a file: CSV, TSV, JSON, JSONL or Parquet, as its name ends. With another --engine than polars, a "
            "name that ends otherwise is a folder of Parquet files that the engine writes.",
            panel=OUTPUT,
        ),
    ] = None,
    to: Annotated[
        Optional[str],
        option(
            "Write the disputed items, all that match if --max-agreement or --only is given, in the form that the tool imports: to the "
            "file, or to standard output.",
            panel=OUTPUT,
            metavar="label-studio|prodigy|doccano|csv",
        ),
    ] = None,
    for_spreadsheet: Annotated[bool, spreadsheet_option(panel=OUTPUT)] = False,
    json: Annotated[bool, json_option(panel=OUTPUT)] = False,
) -> None:
    """List the items, the most disputed first: agreement, entropy, label counts, majority and margin.

    With --distance agreement is one minus the mean distance of an item's pairs of
    annotations over the expected distance, whose mean over annotations is alpha.

    assent items labels.csv
    assent items labels.csv --text sentence --label-pair positive,neutral
    assent items labels.csv --max-agreement 0.5 -o disputed.csv
    assent items answers.csv --label answer --distance levenshtein
    assent items export.json --to label-studio -o again.json
    assent items 'labels/*.parquet' --engine spark -o items
    """
    from assent import items
    from assent.analyses.items.tools import TOOLS
    from assent.cli.output import print_json, show, write_rows
    from assent.cli.progress import stage
    from assent.data.dataset import kind_in_words
    from assent.data.distance_labels import with_distance
    from assent.errors import OptionError, choose
    from assent.text import counted, shown

    pair = comma_separated(label_pair)
    if pair is not None and len(pair) != 2:
        raise OptionError("--label-pair takes two labels, as in --label-pair positive,neutral.")
    if to is not None:
        choose("to", to, tuple(TOOLS))
        if json or for_spreadsheet:
            raise OptionError("--to says what is written: leave out --json and --for-spreadsheet.")
    if for_spreadsheet and output is None:
        raise OptionError("--for-spreadsheet is about the file to write: name it with -o.")
    if top is not None and top < 1:
        raise OptionError(f"--top is {top}; it must be 1 or more.")
    data = with_distance(data, distance, tree, scale=scale, order=order)
    on_terminal = output is None and not json and to is None
    # Of labels an engine lists the items; of other kinds of data all are brought here.
    listed = data.kind in ("labels", "label-sets")
    if listed and to is None and not data.local and output is not None and not output.lower().endswith(HERE):
        if sort != "disagreement" or any(
            (label_pair, has_label, from_annotator, group, only, scale, order, json, text, top)
        ):
            raise OptionError(
                "What the engine writes is all items with --min-annotations and --max-agreement alone, in no order: leave the other "
                f"options out, or let the name end in {', '.join(HERE)}, and the annotations are brought here."
            )
        with stage(f"Writing {output}"):
            data.write_items(output, min_annotations=min_annotations, max_agreement=max_agreement)
        typer.echo(f"The engine wrote the items to {shown(output, 200)}.", err=True)
        return
    first = TERMINAL.rows if listed and on_terminal else None
    with stage("Looking at every item"):
        found: Any = items(
            data,
            text=text,
            sort=sort,
            top=None if to is not None else first if top is None else top,
            min_annotations=min_annotations,
            min_agreement=min_agreement,
            max_agreement=max_agreement,
            label_pair=None if pair is None else (pair[0], pair[1]),
            has_label=has_label,
            from_annotator=() if from_annotator is None else comma_separated(from_annotator),
            by=by,
            group=group,
            only=only or None,
            who=who,
            scale=scale,
            order=comma_separated(order),
        )
    if to is not None and hasattr(found, "to_tool"):
        _send(found if only or max_agreement is not None else found.disputed(), to, output, top)
        return
    if not listed and (output is not None or to is not None):
        raise OptionError(f"The items of {kind_in_words(data.kind)} are not written to a file: print them with --json.")
    if output is not None:
        columns = found.columns(nested=output.lower().endswith((".json", ".jsonl", ".ndjson")))
        write_rows(output, columns, counted(len(found), "item"), for_spreadsheet=for_spreadsheet)
    if json:
        print_json(found.to_dict())
    elif on_terminal and listed:
        show(found, rows=top)
        if found.looked_up is not None:
            typer.echo("· Have the engine write all of them with -o FOLDER.")
        elif len(found) < found.n_matching:
            typer.echo("· See more of them with --top, --json or -o FILE.")
    elif on_terminal:
        # Tables beside that of the items keep all their rows.
        few = top is not None and hasattr(found, "head")
        show(found.head(top) if few else found, rows=max(top, TERMINAL.rows) if top is not None and few else top)


def _send(found: ItemAgreement | SpanItems, tool: str, output: str | None, top: int | None) -> None:
    """Write items in the form that a tool imports."""
    from assent.text import counted, shown

    found = found if top is None else found.head(top)
    content = found.to_tool(tool, output)
    if not found.texts_known:
        typer.echo(
            "The texts of items are not known, so their names stand in their place: name the column with --text.",
            err=True,
        )
    if output is None:
        typer.echo(content, nl=False)
    else:
        typer.echo(f"Wrote {counted(len(found), 'item')} to {shown(output, 200)}.", err=True)
