"""`assent annotators`: who is the problem, if anybody."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from assent.cli.options import listed, takes_table

if TYPE_CHECKING:
    from assent.annotations import Annotations
    from assent.diagnostics.team import AnnotatorReport
    from assent.results import PairAgreement

__all__ = ["annotators_command"]

HOW = "How to judge"
MORE = "What else the table knows"
OUTPUT = "What to print or write"
#: Annotators on the terminal, unless it is said otherwise.
TOP = 20
#: Flagged annotators whose reasons are put into words on the terminal.
MOST_REASONS = 10
#: Teams of up to so many fit a table of every two annotators on the terminal; larger ones are a list.
WIDEST_MATRIX = 12
#: More annotators than this are printed as JSON one a line.
CROWD = 1_000
#: Columns that are kept beside the annotations.
KEPT = ("time", "repeat")


def _how(help: str, *names: str, panel: str = HOW, **settings: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, **{"show_default": False, **settings})


def _with_repeats(command: Callable[..., None]) -> Callable[..., None]:
    """Read a table in which annotators see items again twice: once for the first labels, once for the last."""

    @functools.wraps(command)
    def run(**values: Any) -> None:
        if values["repeat"] is None:
            command(**values, later=None)
            return
        from assent.errors import OptionError

        if values["duplicates"] != "error":
            raise OptionError("--repeat says which of several labels came first: leave out --duplicates.")
        if "-" in values["files"]:
            raise OptionError(
                "A table with --repeat is read twice, and standard input can be read once: save it to a file."
            )
        read: list[Any] = []

        def keep(data: Any, **own: Any) -> None:
            read.append(data)

        takes_table(keeps=KEPT)(keep)(**values | {"duplicates": "last"})
        command(**values | {"duplicates": "first"}, later=read[0])

    signature = inspect.signature(command)
    shown = [one for name, one in signature.parameters.items() if name != "later"]
    run.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in shown}
    return run


@_with_repeats
@takes_table(keeps=KEPT)
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
    order: Annotated[
        Optional[str], _how("The labels from lowest to highest, used or not.", metavar="LOW,MID,HIGH")
    ] = None,
    level: Annotated[float, _how("Confidence level of intervals.", show_default=True)] = 0.95,
    seed: Annotated[
        int, _how("Decides on which items groups are sought, and on which they are tested.", show_default=True)
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
    ] = TOP,
    output: Annotated[
        Optional[str],
        _how(
            "Write the table to a file: CSV, TSV, JSON, JSONL or Parquet, as its name ends.",
            "--output",
            "-o",
            panel=OUTPUT,
            metavar="FILE",
        ),
    ] = None,
    for_spreadsheet: Annotated[
        bool,
        _how(
            "Put an apostrophe before cells of the CSV or TSV file that a spreadsheet would run as a formula.",
            "--for-spreadsheet",
            panel=OUTPUT,
        ),
    ] = False,
    json: Annotated[bool, _how("Print one JSON object, in full precision.", "--json", panel=OUTPUT)] = False,
    later: Any = None,
) -> None:
    """Who is the problem, if anybody: agreement with the others, leanings and outliers, the worst first.

    Annotators are compared on the same items, so that nobody is blamed for hard
    ones. They are flagged at a false discovery rate, with the reason in words.

      assent annotators labels.csv
      assent annotators labels.csv --time finished_at --pairs
      assent annotators labels.csv -o annotators.csv
    """
    from assent.cli.progress import stage
    from assent.cli.show import print_json
    from assent.diagnostics.team import annotator_report, both_passes
    from assent.errors import OptionError

    if for_spreadsheet and output is None:
        raise OptionError("--for-spreadsheet is about the file to write: name it with -o.")
    if top < 1:
        raise OptionError(f"--top is {top}; it must be 1 or more.")
    if order is not None:
        data = data.ordered(listed(order))
    with stage("Comparing annotators"):
        report = annotator_report(
            data,
            measure=measure,
            scale=scale,
            level=level,
            fdr=fdr,
            margin=margin,
            least=least,
            time=time,
            repeats=None if later is None else both_passes(data.listing(repeat), later.listing(repeat), repeat or ""),
            repeat=repeat,
            seed=seed,
        )
    if output is not None:
        _write(report, output, for_spreadsheet=for_spreadsheet)
    if json and len(report) > CROWD:
        _print_lines({"data": data.to_dict(), **report.to_dict()})
    elif json:
        print_json({"data": data.to_dict(), **report.to_dict()})
    elif output is None:
        _show(data, report, top, pairs=pairs)


def _print_lines(content: dict[str, Any]) -> None:
    """Print one JSON object with one annotator a line: indented, a crowd would take longer to print than to judge."""
    import json
    import secrets
    import sys

    place = secrets.token_hex(16)
    text = json.dumps(content | {"annotators": place}, ensure_ascii=False, allow_nan=False, indent=2)
    rows = ",\n    ".join(json.dumps(row, ensure_ascii=False, allow_nan=False) for row in content["annotators"])
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")
    print(text.replace(f'"{place}"', f"[\n    {rows}\n  ]"))


def _write(report: AnnotatorReport, path: str, *, for_spreadsheet: bool) -> None:
    """Write the table to a file and say so."""
    from assent.cli.progress import stage
    from assent.diagnostics.finding import counted
    from assent.errors import shown
    from assent.writing import write_table

    with stage(f"Writing {path}"):
        write_table(path, report.columns(), for_spreadsheet=for_spreadsheet)
    typer.echo(f"Wrote {counted(len(report), 'annotator')} to {shown(path, 200)}.", err=True)


def _show(data: Annotations, report: AnnotatorReport, top: int, *, pairs: bool) -> None:
    """Print the verdict, the table, and in words why anybody is flagged."""
    from rich.text import Text

    from assent.cli.layout import grid, open_console, print_notes
    from assent.cli.show import describe

    console = open_console()
    console.print(Text(describe(data)), soft_wrap=True)
    console.print(Text(_verdict(report), style="bold"), soft_wrap=True)
    headings, rows = _rows(report, top)
    # A name is shown whole as long as there is something else to cut.
    cut = ("leans",) if "leans" in headings else ("annotator",)
    console.print(grid(headings, rows, left=("annotator", "leans"), cut=cut, width=console.width))
    for sentence in _reasons(report):
        console.print(Text.assemble(("! ", "bold"), sentence), soft_wrap=True)
    schools = report.schools_sentence()
    if schools is not None:
        console.print(Text.assemble(("! ", "bold"), schools), soft_wrap=True)
    changing = _trends(report)
    for sentence in changing:
        console.print(Text.assemble(("! ", "bold"), sentence), soft_wrap=True)
    if pairs:
        _show_pairs(console, report)
    hidden = len(report) - len(rows)
    more = [f"{hidden:,} more annotators: see them with --top, --json or -o FILE."] if hidden > 0 else []
    if report.trend is not None and not changing:
        more.append("Nobody gets better or worse with time, as far as the data show.")
    print_notes(console, data, [*more, *_reading(report), *report.notes])


def _verdict(report: AnnotatorReport) -> str:
    """Say in one line whether anybody is the problem."""
    from assent.cli.show import number
    from assent.diagnostics.finding import counted

    flagged, judged = int(report.flagged.sum()), int(report.judged.sum())
    whole = report.without.agreement
    value = f"{whole.title} of all is {number(whole.value)}."
    if not judged:
        return f"Nobody can be judged. {value}"
    who = counted(judged, "annotator")
    if not flagged:
        return f"Nobody stands out among {who} judged. {value}"
    return f"{flagged:,} of {who} judged {'stands' if flagged == 1 else 'stand'} out. {value}"


def _rows(report: AnnotatorReport, top: int) -> tuple[list[str], list[list[str]]]:
    """Return headings and cells; what comes from the data is escaped."""
    from assent.cli.layout import share_cell
    from assent.explanation.escape import for_terminal

    again = report.consistency is not None
    headings = ["annotator", "items", "agreement", "others", "beyond chance", "without", *(["self"] if again else [])]
    rows = []
    for row in report.rows(top):
        coefficient = row["coefficient"]
        beyond = _two(coefficient["value"])
        if coefficient["low"] is not None:
            beyond += f" ({_two(coefficient['low'])} to {_two(coefficient['high'])})"
        cells = [
            f"{'! ' if row['flagged'] else ''}{for_terminal(row['annotator'], 24)}",
            f"{row['items']:,}",
            share_cell(row["agreement"]["value"]),
            share_cell(row["others"]["agreement"]) if row["others"]["items"] >= report.settings["least"] else "—",
            beyond,
            _two(row["without"]["value"]),
        ]
        if again:
            cells.append(share_cell(None if row["consistency"] is None else row["consistency"]["agreement"]))
        rows.append(cells)
    leanings = [report.leaning(one, short=True) for one in report.order[:top].tolist()]
    if any(leanings):
        return [*headings, "leans"], [[*cells, text] for cells, text in zip(rows, leanings, strict=True)]
    return headings, rows


def _two(value: float | None) -> str:
    from assent.diagnostics.finding import two_digits

    return "—" if value is None or math.isnan(value) else two_digits(value)


def _reasons(report: AnnotatorReport) -> list[str]:
    """Say why annotators are flagged, the worst first; of many, count what kinds they are."""
    from collections import Counter

    from assent.diagnostics.team.kinds import KINDS

    flagged = [one for one in report.order.tolist() if report.flagged[one]]
    sentences = [report.reason(one) or "" for one in flagged[:MOST_REASONS]]
    if len(flagged) > MOST_REASONS:
        kinds = Counter(report.kinds[one] for one in flagged)
        said = ", ".join(f"{number:,} × {KINDS[kind]}" for kind, number in kinds.most_common())
        sentences.append(f"And {len(flagged) - MOST_REASONS:,} more. All flagged: {said}.")
    return sentences


def _trends(report: AnnotatorReport) -> list[str]:
    """Say who gets worse; or who gets better, if nobody gets worse: beside one who falls behind, others seem to rise."""
    from assent.diagnostics.finding import probability
    from assent.errors import shown

    trend, corrected = report.trend, report.trend_corrected
    if trend is None or corrected is None:
        return []
    changing = [one for one in report.order.tolist() if corrected[one] <= report.settings["fdr"]]
    falling = [one for one in changing if trend.correlation[one] < 0]
    sentences = []
    for one in falling or changing:
        way = "falls behind" if trend.correlation[one] < 0 else "gets better"
        before, after = (100 * float(half[one]) for half in (trend.first_half, trend.second_half))
        sentences.append(
            f"{shown(report.annotators[one])} {way} with time: {before:+.0f} points against the others in the first half, "
            f"{after:+.0f} in the second ({probability(float(corrected[one]))}, corrected for all annotators)."
        )
    more = len(sentences) - MOST_REASONS
    return (
        sentences if more <= 0 else [*sentences[:MOST_REASONS], f"And {more:,} more change with time: --json has all."]
    )


def _show_pairs(console: Any, report: AnnotatorReport) -> None:
    """Print the agreement of every two annotators: a matrix of a small team, a list of a larger one."""
    from rich.text import Text

    from assent.cli.layout import grid, share_cell
    from assent.explanation.escape import for_terminal

    found = report.pairs
    if not found:
        return
    names = [report.annotators[one] for one in report.order.tolist()]
    if len(names) > WIDEST_MATRIX:
        ranked = sorted(found, key=lambda pair: pair.observed)
        rows = [
            [
                for_terminal(pair.first, 24),
                for_terminal(pair.second, 24),
                share_cell(pair.observed),
                _two(pair.value),
                f"{pair.items:,}",
            ]
            for pair in ranked[:TOP]
        ]
        title = f"Every two annotators who share items, lowest agreement first ({len(found):,} pairs; --json has all)"
        console.print(Text(title), soft_wrap=True)
        console.print(
            grid(
                ["first", "second", "agreement", "kappa", "items"],
                rows,
                left=("first", "second"),
                cut=("first", "second"),
                width=console.width,
            )
        )
        return
    console.print(Text("Every two annotators: agreement below the diagonal, shared items above it"))
    console.print(
        grid(
            ["", *(str(i + 1) for i in range(len(names)))],
            _matrix(names, found),
            left=("",),
            cut=("",),
            width=console.width,
        )
    )


def _matrix(names: Sequence[str], found: Sequence[PairAgreement]) -> list[list[str]]:
    """Return the cells of a table of annotators x annotators."""
    from assent.cli.layout import share_cell
    from assent.explanation.escape import for_terminal

    place = {name: i for i, name in enumerate(names)}
    cells = [["—" if i != j else "·" for j in range(len(names))] for i in range(len(names))]
    for pair in found:
        low, high = sorted((place[pair.first], place[pair.second]))
        cells[high][low], cells[low][high] = share_cell(pair.observed), f"{pair.items:,}"
    return [[f"{i + 1} {for_terminal(name, 24)}", *cells[i]] for i, name in enumerate(names)]


def _reading(report: AnnotatorReport) -> list[str]:
    """Say what the columns are."""
    whole, settings = report.without.agreement, report.settings
    return [
        "agreement: share of the others on the same item who gave the same label. others: the same for the others among themselves. "
        f"beyond chance: as a kappa, {settings['level'] * 100:g} % interval. without: {whole.title} without this annotator. leans: points more or less "
        "of a label than the others give the same items.",
        f"Flagged (!) at a false discovery rate of {settings['fdr'] * 100:g} % and from a difference of {settings['margin'] * 100:g} points on.",
    ]
