"""`assent items`: which items the annotators disagree on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from assent.cli.common import json_option, option, order_option, output_option, spreadsheet_option
from assent.cli.options import listed, takes_table

if TYPE_CHECKING:
    from assent.analyses.items.table import ItemAgreement
    from assent.data import Annotations

__all__ = ["items_command"]

WHICH = "Which items, in which order"
HOW = "How to compare labels"
OUTPUT = "What to print or write"
#: Items on the terminal, unless it is said otherwise.
TOP = 20
#: Labels of an item on the terminal.
MOST_LABELS = 4
#: Files that are written here; whatever else, an engine such as DuckDB or Spark writes itself.
HERE = (".csv", ".tsv", ".json", ".jsonl", ".ndjson")


_which = partial(option, panel=WHICH)


@takes_table(keeps=("text",))
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
        _which(f"So many items, the first. On the terminal {TOP} unless given; in JSON and files all.", metavar="N"),
    ] = None,
    min_annotations: Annotated[int, _which("Only items with at least so many annotations.", metavar="N")] = 1,
    max_agreement: Annotated[
        Optional[float], _which("Only items with at most this much agreement, from 0 to 1.", metavar="X")
    ] = None,
    label_pair: Annotated[
        Optional[str], _which("Only items that were given both of these labels.", metavar="A,B")
    ] = None,
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
    output: Annotated[
        Optional[str],
        output_option(
            "Write the items to a file: CSV, TSV, JSON, JSONL or Parquet, as its name ends. With another --engine than polars, a "
            "name that ends otherwise is a folder of Parquet files that the engine writes.",
            panel=OUTPUT,
        ),
    ] = None,
    for_spreadsheet: Annotated[bool, spreadsheet_option(panel=OUTPUT)] = False,
    json: Annotated[bool, json_option(panel=OUTPUT)] = False,
) -> None:
    """List the items, the most disputed first: agreement, entropy, label counts, majority and margin.

    assent items labels.csv
    assent items labels.csv --text sentence --label-pair positive,neutral
    assent items labels.csv --max-agreement 0.5 -o disputed.csv
    assent items 'labels/*.parquet' --engine spark -o items
    """
    from assent.analyses.items import item_agreement
    from assent.analyses.items.table import SORTS
    from assent.cli.progress import stage
    from assent.cli.show import print_json
    from assent.errors import OptionError, choose

    choose("--sort", sort, SORTS)
    if for_spreadsheet and output is None:
        raise OptionError("--for-spreadsheet is about the file to write: name it with -o.")
    if top is not None and top < 1:
        raise OptionError(f"--top is {top}; it must be 1 or more.")
    pair = None if label_pair is None else listed(label_pair)
    if pair is not None and len(pair) != 2:
        raise OptionError("--label-pair takes two labels, as in --label-pair positive,neutral.")
    plain = sort == "disagreement" and not any((label_pair, only, scale, order))
    if not data.local and output is not None and not output.lower().endswith(HERE):
        if not plain or json or text is not None or top is not None:
            raise OptionError(
                "What the engine writes is all items with --min-annotations and --max-agreement alone, in no order: leave the other "
                f"options out, or let the name end in {', '.join(HERE)}, and the annotations are brought here."
            )
        _write_there(data, output, min_annotations=min_annotations, max_agreement=max_agreement)
        return
    if not data.local and output is None and not json and plain and min_annotations == 1 and max_agreement is None:
        with stage("Looking at every item"):
            found = item_agreement(data.most_disputed(top or TOP), text=text)
        _show(data, None, found)
        return
    with stage("Looking at every item"):
        found = item_agreement(data, text=text, scale=scale, order=None if order is None else listed(order))
        matching = found.filtered(
            min_annotations=min_annotations,
            max_agreement=max_agreement,
            label_pair=None if pair is None else (pair[0], pair[1]),
            only=only or None,
        )
        # The order of disagreement is the one they come in.
        matching = matching if sort == "disagreement" else matching.sorted_by(sort)
    asked = matching if top is None else matching.head(top)
    if output is not None:
        _write(asked, output, for_spreadsheet=for_spreadsheet)
    if json:
        print_json({"data": data.to_dict(), "sort": sort, **asked.to_dict()})
    elif output is None:
        _show(data, matching, matching.head(TOP if top is None else top))


def _write(items: ItemAgreement, path: str, *, for_spreadsheet: bool) -> None:
    """Write the items to a file and say so."""
    from assent.atomic_files import write_table
    from assent.cli.progress import stage
    from assent.text import counted, shown

    with stage(f"Writing {path}"):
        nested = path.lower().endswith((".json", ".jsonl", ".ndjson"))
        write_table(path, items.columns(nested=nested), for_spreadsheet=for_spreadsheet)
    typer.echo(f"Wrote {counted(len(items), 'item')} to {shown(path, 200)}.", err=True)


def _write_there(data: Annotations, path: str, *, min_annotations: int, max_agreement: float | None) -> None:
    """Have the engine write the items, and say so."""
    from assent.cli.progress import stage
    from assent.text import shown

    with stage(f"Writing {path}"):
        data.write_items(path, min_annotations=min_annotations, max_agreement=max_agreement)
    typer.echo(f"The engine wrote the items to {shown(path, 200)}.", err=True)


def _show(data: Annotations, matching: ItemAgreement | None, items: ItemAgreement) -> None:
    """Print how agreement is spread over items, and the first of them; without `matching` there are more elsewhere."""
    from rich.text import Text

    from assent.cli.layout import grid, open_console, print_notes
    from assent.cli.show import describe

    console = open_console()
    console.print(Text(describe(data)), soft_wrap=True)
    if matching is not None:
        console.print(Text(_spread(matching, ascii_only=console.options.ascii_only)), soft_wrap=True)
    if len(items):
        headings, rows = _rows(items, room=console.width)
        texts = [heading for heading in headings if heading in ("item", "labels", "text")]
        console.print(grid(headings, rows, left=texts, cut=texts, width=console.width))
    notes = list(items.notes)
    if matching is None:
        notes = [f"These are the first of {data.items:,} items: have the engine write all of them with -o FOLDER."]
    elif len(items) < len(matching):
        notes.insert(0, f"{len(matching) - len(items):,} more items: see them with --top, --json or -o FILE.")
    print_notes(console, data, notes)


_BARS = " ▁▂▃▄▅▆▇█"


def _spread(items: ItemAgreement, *, ascii_only: bool) -> str:
    """Say in one line how agreement is spread over items."""
    counts = items.histogram()
    known = int(counts.sum())
    if not known:
        return f"{len(items):,} items; the agreement of none of them is known."
    most = int(counts.max())
    full = int((items.closeness[items.chosen] == 1.0).sum())
    # Whatever is not empty shows at least the lowest bar.
    bars = "".join(_BARS[0 if not count else max(1, round(8 * count / most))] for count in counts.tolist())
    drawn = " ".join(f"{count:,}" for count in counts.tolist()) if ascii_only else bars
    return (
        f"Agreement of {known:,} items, from 0 to 1: |{drawn}|  "
        f"{full:,} agree fully ({100 * full / known:.0f} %), {int(counts[0]):,} below 0.1."
    )


def _rows(items: ItemAgreement, *, room: int) -> tuple[list[str], list[list[str]]]:
    """Return headings and cells; what comes from the data is escaped."""
    from assent.cli.layout import label_cell
    from assent.cli.show import number
    from assent.text import for_terminal

    scaled = items.weighted_agreement is not None
    headings = [
        "item",
        "n",
        "agreement",
        *(["weighted", "spread"] if scaled else []),
        "entropy",
        "margin",
        "labels",
    ]
    if items.text is not None:
        headings.append("text")
    rows = []
    for row in items.rows():
        counts = list(row["counts"].items())
        labels = ", ".join(f"{times:,} × {label_cell(label)}" for label, times in counts[:MOST_LABELS])
        more = f", and {len(counts) - MOST_LABELS:,} more" if len(counts) > MOST_LABELS else ""
        agreement, weighted = (
            "—" if row[key] is None else number(row[key]) for key in ("agreement", "weighted_agreement")
        )
        cells = [for_terminal(row["item"], 24), f"{row['annotations']:,}", agreement]
        if scaled:
            cells += [weighted, f"{row['spread']:g}"]
        cells += [number(row["entropy"]), "tie" if row["tied"] else number(row["margin"]), labels + more]
        if items.text is not None:
            cells.append("—" if row["text"] is None else for_terminal(row["text"], room))
        rows.append(cells)
    return headings, rows
