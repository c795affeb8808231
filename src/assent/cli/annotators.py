"""`assent annotators`: how each annotator compares with the others."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
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
from assent.limits import ANNOTATORS_SHOWN
from assent.option_texts import comma_separated

if TYPE_CHECKING:
    pass

__all__ = ["annotators_command"]

HOW = "How to judge"
MORE = "What else the table knows"
OUTPUT = "What to print or write"
#: Columns that are kept beside the annotations.
KEPT = ("time", "repeat")


_how = functools.partial(option, panel=HOW)


def _with_repeats(command: Callable[..., None]) -> Callable[..., None]:
    """Read a table in which annotators see items again twice: once for the first labels, once for the last."""

    @functools.wraps(command)
    def run(**values: Any) -> None:
        if values["repeat"] is None:
            command(**values, later=None)
            return
        from assent.errors import OptionError

        if values["duplicates"] not in (None, "error"):
            raise OptionError("--repeat says which of several labels came first: leave out --duplicates.")
        if "-" in values["files"]:
            raise OptionError(
                "A table with --repeat is read twice, and standard input can be read once: save it to a file."
            )
        read: list[Any] = []

        def keep(data: Any, **own: Any) -> None:
            read.append(data)

        takes_table(keeps=KEPT, sets=asks_for_sets)(keep)(**values | {"duplicates": "last"})
        command(**values | {"duplicates": "first"}, later=read[0])

    signature = inspect.signature(command)
    shown = [one for name, one in signature.parameters.items() if name != "later"]
    run.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in shown}
    return run


@_with_repeats
@takes_table(keeps=KEPT, sets=asks_for_sets)
def annotators_command(
    data: Any,
    fdr: Annotated[
        float,
        _how("Of the annotators flagged, the share that may be flagged wrongly.", metavar="Q", show_default=True),
    ] = 0.05,
    margin: Annotated[
        float,
        _how(
            "The least difference to the others that matters, in agreement or label use.",
            metavar="X",
            show_default=True,
        ),
    ] = 0.05,
    otherwise: Annotated[
        float,
        _how("Share of the items that one may read otherwise without being flagged.", metavar="X", show_default=True),
    ] = 0.2,
    least: Annotated[
        int, _how("Annotators with fewer items to judge by are not judged.", metavar="N", show_default=True)
    ] = 10,
    measure: Annotated[
        str,
        _how(
            "Coefficient to measure without each annotator in turn.",
            "--measure",
            "-m",
            metavar="NAME",
            show_default=True,
        ),
    ] = "krippendorff-alpha",
    scale: Annotated[
        Optional[str],
        _how("Scale of that coefficient: nominal unless given.", metavar="nominal|ordinal|interval|ratio"),
    ] = None,
    order: Annotated[Optional[str], order_option(panel=HOW)] = None,
    distance: Annotated[Optional[str], distance_option(panel=HOW)] = None,
    tree: Annotated[Optional[str], tree_option(panel=HOW)] = None,
    level: Annotated[float, _how("Confidence level of intervals.", show_default=True, metavar="X")] = 0.95,
    seed: Annotated[
        int,
        _how("Decides on which items groups are sought, and on which they are tested.", show_default=True, metavar="N"),
    ] = 0,
    time: Annotated[
        Optional[str],
        _how(
            "Column that says when, as a number or ISO date: do they get better or worse?", panel=MORE, metavar="COLUMN"
        ),
    ] = None,
    repeat: Annotated[
        Optional[str],
        _how(
            "Column that counts how often an annotator has seen an item: do they agree with themselves? The lowest number "
            "is their label, the last one the repeat.",
            panel=MORE,
            metavar="COLUMN",
        ),
    ] = None,
    pairs: Annotated[bool, _how("Also show every two annotators, with n.", "--pairs", panel=OUTPUT)] = False,
    top: Annotated[
        int, _how("So many annotators on the terminal, the worst first.", panel=OUTPUT, metavar="N", show_default=True)
    ] = ANNOTATORS_SHOWN,
    output: Annotated[
        Optional[str],
        output_option(
            "Write the table to a file: CSV, TSV, JSON, JSONL or Parquet, as its name ends.",
            panel=OUTPUT,
        ),
    ] = None,
    for_spreadsheet: Annotated[bool, spreadsheet_option(panel=OUTPUT)] = False,
    json: Annotated[bool, json_option(panel=OUTPUT)] = False,
    later: Any = None,
) -> None:
    """How each annotator compares with the others: agreement, leanings, and who differs, the least agreement first.

    Annotators are compared on the same items, so that nobody is blamed for hard
    ones. They are flagged at a false discovery rate, with the reason in words.
    With --distance it is their mean distance to the others beside that of any two
    annotations, which is chance, and nobody is flagged.

      assent annotators labels.csv
      assent annotators labels.csv --time finished_at --pairs
      assent annotators labels.csv -o annotators.csv
      assent annotators answers.csv --label answer --distance levenshtein
    """
    from assent.analyses.annotators import AnnotatorReport, annotators
    from assent.cli.output import print_result, print_text, show, write_rows
    from assent.cli.progress import stage
    from assent.data.dataset import kind_in_words
    from assent.data.distance_labels import with_distance
    from assent.errors import OptionError
    from assent.text import counted

    if for_spreadsheet and output is None:
        raise OptionError("--for-spreadsheet is about the file to write: name it with -o.")
    if top < 1:
        raise OptionError(f"--top is {top}; it must be 1 or more.")
    named = None if measure == "krippendorff-alpha" else measure
    data = with_distance(data, distance, tree, scale=scale, order=order, measure=named)
    with stage("Comparing annotators"):
        result: Any = annotators(
            data,
            measure=measure,
            scale=scale,
            order=comma_separated(order),
            level=level,
            fdr=fdr,
            margin=margin,
            otherwise=otherwise,
            least=least,
            time=time,
            repeat=repeat,
            later=later,
            seed=seed,
        )
    if not isinstance(result, AnnotatorReport):
        if output is not None:
            raise OptionError(
                f"The table of annotators of {kind_in_words(data.kind)} is not written to a file: print it with --json."
            )
        print_result(result, json=json, rows=top)
        return
    if output is not None:
        write_rows(output, result.columns(), counted(len(result), "annotator"), for_spreadsheet=for_spreadsheet)
    if json:
        print_text(result.json())
    elif output is None:
        show(result.document(rows=top), rows=top, unfold=pairs)
        if len(result) > top:
            typer.echo("· See more with --top, --json or -o FILE.")
