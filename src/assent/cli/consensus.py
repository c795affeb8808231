"""`assent consensus`: one label for every item."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Optional

import typer

from assent.cli.common import json_option, option, output_option, spreadsheet_option
from assent.cli.completion import unfinished
from assent.cli.options import takes_options_of, takes_table

__all__ = ["consensus_command"]

HOW = "How to find a consensus"
OWN = "Options of single methods"
GOLD = "Known labels, to score every method"
OUTPUT = "What to print or write"


_how = partial(option, panel=HOW)


def _methods_described() -> str:
    """Return what the methods are, for the help; a shell that completes a word does not wait for it."""
    if unfinished() is not None:
        return ""
    from assent.analyses.consensus import all_methods

    return "\n\n".join(["One of these:", *(f"{one.name}: {one.summary}" for one in all_methods().values())])


@takes_table(keeps=("gold_column",))
@takes_options_of("method", panel=OWN)
def consensus_command(
    data: Any,
    method: Annotated[
        str,
        _how(
            _methods_described(),
            "--method",
            "-m",
            metavar="NAME",
            show_default=True,
            completes="method",
        ),
    ] = "majority",
    least: Annotated[
        Optional[int],
        _how(
            "Of spans: --method at-least takes whole spans that so many annotators marked; more than half unless given. (majority decides each "
            "label at each position.)",
            metavar="K",
        ),
    ] = None,
    ties: Annotated[
        str,
        _how(
            "An item whose likeliest labels are several gets no label, or one of them at random (--seed).",
            metavar="none|random",
            show_default=True,
        ),
    ] = "none",
    seed: Annotated[int, _how("Decides lots and random starts.", metavar="N", show_default=True)] = 0,
    gold: Annotated[
        Optional[str],
        _how(
            "File with known labels: columns item and label; or data, for those that the data hold themselves: the gold of a tool's export, or a column such as "
            "Final label. Of spans: a file of spans, "
            "or the name of an annotator.",
            panel=GOLD,
            metavar="FILE|data",
        ),
    ] = None,
    gold_column: Annotated[
        Optional[str], _how("Column of the table that holds the known label of the item.", panel=GOLD, metavar="COLUMN")
    ] = None,
    level: Annotated[
        float, _how("Confidence level of their intervals.", panel=GOLD, show_default=True, metavar="X")
    ] = 0.95,
    learn: Annotated[
        bool,
        _how(
            "Learn from the known labels, too (dawid-skene, pooled-dawid-skene, rating-model); the score is on parts of them set aside.",
            "--learn",
        ),
    ] = False,
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
    **options: Any,
) -> None:
    """Find one label for every item, with how sure it is, and judge the annotators.

    Items that are tied get no label, and it is said how many there are.

      assent consensus labels.csv -o consensus.csv
      assent consensus labels.csv -m dawid-skene --soft -o training.parquet
      assent consensus labels.csv --gold known.csv
      assent consensus spans.csv --method at-least --least 2 -o consensus.csv
    """
    from assent.analyses.consensus import consensus
    from assent.cli.output import print_json, show, write_rows
    from assent.cli.progress import stage
    from assent.errors import OptionError
    from assent.limits import TERMINAL

    if for_spreadsheet and output is None:
        raise OptionError("--for-spreadsheet is about the file to write: name it with -o.")
    if soft and output is None and not json:
        raise OptionError("--soft is about the file to write or the JSON to print: add -o FILE or --json.")
    if least is not None:
        options["least"] = least
    result = consensus(
        data,
        method,
        ties=ties,  # type: ignore[arg-type]
        seed=seed,
        gold=_known(data, gold),
        gold_column=gold_column,
        learn=learn,
        level=level,
        stage=stage,
        **{name: value for name, value in options.items() if value is not None},
    )
    if output is not None:
        from assent.text import counted

        rows = counted(len(result.items), getattr(result, "unit", "item"))
        write_rows(output, result.table(soft=soft), rows, for_spreadsheet=for_spreadsheet)
    if json:
        print_json(result.to_dict(soft=soft))
    else:
        show(result)
        if output is None and len(result.items) > TERMINAL.rows:
            typer.echo(f"Every {getattr(result, 'unit', 'item')}: add -o FILE or --json.", err=True)


def _known(data: Any, gold: str | None) -> Any:
    """Take known labels from the data themselves, if that was said and no file has that name."""
    from pathlib import Path

    from assent.errors import OptionError

    if gold not in ("data", "export") or Path(gold).is_file():
        return gold
    # Only labels have right answers beside them.
    known = getattr(data, "gold", None)
    if not known:
        raise OptionError(
            f"--gold {gold} takes the right answers that the data hold, and these hold none: name a file, or a column with --gold-column."
        )
    return dict(known)
