"""`assent consensus`: one label for every item."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from assent.cli.common import json_option, option, output_option, spreadsheet_option
from assent.cli.options import takes_table

if TYPE_CHECKING:
    from assent.analyses.consensus import Consensus
    from assent.analyses.consensus.gold_files import Known
    from assent.data import Annotations

__all__ = ["consensus_command"]

HOW = "How to find a consensus"
GOLD = "Known labels, to score every method"
OUTPUT = "What to print or write"
#: Rows of a table on the terminal.
TOP = 12


_how = partial(option, panel=HOW)


@takes_table(keeps=("gold_column",))
def consensus_command(
    data: Any,
    method: Annotated[
        str,
        _how(
            "majority, intersection (the label all gave), sharpening (annotators and items weighed by each other), "
            "dawid-skene (how each annotator confuses labels), one-coin (how often each is right), mace (who knows and who "
            "spams) or crowdtruth (quality of items, annotators and labels).",
            "--method",
            "-m",
            metavar="NAME",
            show_default=True,
        ),
    ] = "majority",
    ties: Annotated[
        str,
        _how(
            "An item whose likeliest labels are several gets no label, or one of them by lot (--seed).",
            metavar="none|random",
            show_default=True,
        ),
    ] = "none",
    seed: Annotated[int, _how("Decides lots and the random starts of mace.", metavar="N", show_default=True)] = 0,
    tolerance: Annotated[
        Optional[float], _how("End when nothing changes by more than this: 1e-6 unless given.", metavar="X")
    ] = None,
    max_iterations: Annotated[Optional[int], _how("End after so many rounds: 2000 unless given.", metavar="N")] = None,
    smoothing: Annotated[
        Optional[float],
        _how("Add so much to every expected count of dawid-skene, or of mace by em.", metavar="X"),
    ] = None,
    restarts: Annotated[
        Optional[int], _how("Starts of mace, the best of which is kept: 10 unless given.", metavar="N")
    ] = None,
    estimation: Annotated[
        Optional[str],
        _how(
            "How mace estimates: with priors unless given, or by em, for maximum likelihood.", metavar="variational|em"
        ),
    ] = None,
    primary: Annotated[
        Optional[float],
        _how(
            "What the primary of several ranked labels gets in sharpening, from 0.5 to 1; else all share equally.",
            metavar="P",
        ),
    ] = None,
    gold: Annotated[
        Optional[str], _how("File with known labels: columns item and label.", panel=GOLD, metavar="FILE")
    ] = None,
    gold_column: Annotated[
        Optional[str], _how("Column of the table that holds the known label of the item.", panel=GOLD, metavar="COLUMN")
    ] = None,
    level: Annotated[float, _how("Confidence level of their intervals.", panel=GOLD, show_default=True)] = 0.95,
    soft: Annotated[
        bool,
        _how(
            "Also the probability of every label: columns p_LABEL in a file, a field in JSON.", "--soft", panel=OUTPUT
        ),
    ] = False,
    output: Annotated[
        Optional[str],
        output_option(
            "Write one row an item: CSV, TSV, JSON, JSONL or Parquet, as its name ends.",
            panel=OUTPUT,
        ),
    ] = None,
    for_spreadsheet: Annotated[bool, spreadsheet_option(panel=OUTPUT)] = False,
    json: Annotated[bool, json_option(panel=OUTPUT)] = False,
) -> None:
    """Find one label for every item, with how sure it is, and judge the annotators.

    Items that are tied get no label, and it is said how many there are.

      assent consensus labels.csv -o consensus.csv
      assent consensus labels.csv -m dawid-skene --soft -o training.parquet
      assent consensus labels.csv --gold known.csv
    """
    from assent.analyses.consensus import find_method
    from assent.analyses.consensus.gold_files import gold_beside, read_gold
    from assent.cli.progress import stage
    from assent.cli.show import print_json
    from assent.errors import OptionError

    chosen = find_method(method)
    if for_spreadsheet and output is None:
        raise OptionError("--for-spreadsheet is about the file to write: name it with -o.")
    if soft and output is None and not json:
        raise OptionError("--soft is about the file to write or the JSON to print: add -o FILE or --json.")
    if gold is not None and gold_column is not None:
        raise OptionError("--gold and --gold-column both say where known labels are: give one of them.")
    if not 0 < level < 1:
        raise OptionError(f"--level is {level}; it must lie between 0 and 1, as 0.95 does.")
    own = {
        "tolerance": tolerance,
        "max_iterations": max_iterations,
        "smoothing": smoothing,
        "restarts": restarts,
        "estimation": estimation,
        "primary": primary,
    }
    options = {name: value for name, value in own.items() if value is not None}
    known: Known | None = None
    if gold is not None:
        known = read_gold(gold, vocabulary=data.single_labels)
    elif gold_column is not None:
        known = gold_beside(data, gold_column)
    with stage(f"Finding a consensus by {chosen.title}"):
        listing = data.to_rows()
        found = chosen(data, ties=ties, seed=seed, _listing=listing, **options)
    scores = None if known is None else _scored(data, found, known, listing, ties=ties, seed=seed, level=level)
    if output is not None:
        _write(found, output, soft=soft, for_spreadsheet=for_spreadsheet)
    if json:
        print_json({"data": data.to_dict(), "consensus": {**found.to_dict(soft=soft), "gold": scores}})
    else:
        _show(data, found, scores, with_items=output is None)


def _scored(
    data: Annotations, found: Consensus, known: Known, listing: Any, *, ties: str, seed: int, level: float
) -> dict[str, Any]:
    """Score every method against known labels; the chosen one has the user's options, the others their own."""
    from assent.analyses.consensus import all_methods
    from assent.cli.progress import stage
    from assent.errors import AssentError

    first = found.score(known.labels, level=level)
    rows, notes = [], []
    if first.unknown_items:
        notes.append(f"{first.unknown_items:,} of the items with a known label are not among the data: left out.")
    if first.unknown_labels:
        from assent.text import shown

        some = ", ".join(shown(label) for label in first.unknown_labels[:5])
        notes.append(f"Nobody gave these known labels, so no method can find them: {some}.")
    if known.missing:
        notes.append(f"{known.missing:,} items are listed without a known label: left out.")
    for name, one in all_methods().items():
        if name == found.method:
            rows.append(first.to_dict())
            continue
        try:
            with stage(f"Scoring {one.title}"):
                other = one(data, ties=ties, seed=seed, _listing=listing)
            rows.append(other.score(known.labels, level=level).to_dict())
        except AssentError as error:
            notes.append(f"{name} was not scored: {error}")
    return {
        "items": first.items,
        "unknown_items": first.unknown_items,
        "unknown_labels": list(first.unknown_labels),
        "missing": known.missing,
        "methods": sorted(rows, key=lambda row: -row["accuracy"]),
        "notes": notes,
    }


def _write(found: Consensus, path: str, *, soft: bool, for_spreadsheet: bool) -> None:
    """Write one row an item and say so."""
    from assent.atomic_files import write_table
    from assent.cli.progress import stage
    from assent.text import shown

    with stage(f"Writing {path}"):
        write_table(path, found.table(soft=soft), for_spreadsheet=for_spreadsheet)
    noun = "item" if len(found.items) == 1 else "items"
    typer.echo(f"Wrote {len(found.items):,} {noun} to {shown(path, 200)}.", err=True)


def _show(data: Annotations, found: Consensus, scores: Mapping[str, Any] | None, *, with_items: bool) -> None:
    """Print what came out: labels, annotators, the least certain items, and scores."""
    from rich.text import Text

    from assent.cli.layout import open_console, print_notes
    from assent.cli.show import describe

    console = open_console()
    console.print(Text(describe(data)), soft_wrap=True)
    console.print(Text(_headline(found), style="bold"), soft_wrap=True)
    notes = list(found.notes)
    parts = [("labels", found.label_rows(), "label")]
    who = found.annotator_rows()
    if who:
        parts.append(("annotators, the lowest first", _lowest(who, found), "annotator"))
    if with_items:
        parts.append(("items, the least certain first", _least_certain(found), "item"))
        if len(found.items) > TOP:
            more = len(found.items) - TOP
            notes.append(f"{more:,} more items: write all to a file with -o, or print them with --json.")
    if scores is not None:
        parts.append(("methods against known labels", [_score_row(row) for row in scores["methods"]], "method"))
        notes += scores["notes"]
    for title, rows, name in parts:
        _table(console, title, rows, name)
    print_notes(console, data, notes)


def _headline(found: Consensus) -> str:
    """Say in one line how it went."""
    decided, tied = len(found.items) - found.undecided, int(found.tied.sum())
    text = f"{found.title}: {decided:,} of {len(found.items):,} items have a label"
    if tied:
        text += f", {tied:,} {'is' if tied == 1 else 'are'} tied"
    if found.converged is not None:
        rounds = f"{found.iterations:,} iteration{'' if found.iterations == 1 else 's'}"
        text += f"; converged after {rounds}" if found.converged else f"; not converged after {rounds}"
    if found.log_likelihood is not None:
        text += f"; log-likelihood {found.log_likelihood:,.2f}"
    return f"{text}."


def _lowest(rows: list[dict[str, Any]], found: Consensus) -> list[dict[str, Any]]:
    """Sort annotators by what the method says of them."""
    names = list(found.annotator_scores)
    main = next((name for name in ("accuracy", "competence", "weight", "quality") if name in names), "matched")
    return sorted(rows, key=lambda row: (row[main] is None, row[main] or 0.0))


def _least_certain(found: Consensus) -> list[dict[str, Any]]:
    """Return a dozen items: those without a label first, then those with the least confidence."""
    import numpy as np

    order = np.lexsort((np.nan_to_num(found.confidence), found.label >= 0))
    return [_item_row(row) for row in found.item_rows(order[:TOP])]


def _item_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Show an item on one line: what it got, how sure that is, and between what it is tied."""
    from assent.cli.layout import label_cell

    tied = row["tied"]
    label = "—" if row["label"] is None else label_cell(row["label"])
    if tied and row["label"] is None:
        label = "tie: " + ", ".join(label_cell(one) for one in tied[:3]) + (", …" if len(tied) > 3 else "")
    votes = "—" if row["votes"] is None else f"{row['votes']:,} of {row['annotations']:,}"
    extra = {name: value for name, value in row.items() if name in ("weight", "quality")}
    return {"item": row["item"], "consensus": label, "confidence": row["confidence"], "votes": votes, **extra}


def _score_row(row: Mapping[str, Any]) -> dict[str, Any]:
    from assent.cli.layout import share_cell

    interval = row["ci"]
    return {
        "method": row["method"],
        "accuracy": row["accuracy"],
        f"{100 * interval['level']:g} % interval": f"{interval['low']:.3f} to {interval['high']:.3f}",
        "macro F1": row["macro_f1"],
        "decided": share_cell(row["decided"] / row["items"]),
        "items": row["items"],
    }


def _table(console: Any, title: str, rows: list[dict[str, Any]], name: str) -> None:
    """Print rows under their headings, a dozen at most."""
    from rich.text import Text

    from assent.cli.layout import grid
    from assent.text import for_terminal

    headings = [heading for heading in rows[0] if heading != "probabilities"]
    cells = [
        [for_terminal(row[name], 30) if heading == name else _cell(row[heading]) for heading in headings]
        for row in rows[:TOP]
    ]
    more = f" ({len(rows) - TOP:,} more)" if len(rows) > TOP else ""
    console.print(Text(f"\n{title[0].upper()}{title[1:]}{more}"))
    shown = [heading.replace("_", " ") for heading in headings]
    console.print(grid(shown, cells, left=[name, "consensus"], cut=[name], width=console.width))


def _cell(value: Any) -> str:
    """Show a number with three digits, a count whole, and what is not there as a dash."""
    if value is None:
        return "—"
    return f"{value:.3f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
