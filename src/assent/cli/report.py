"""`assent report`: everything that is known of some annotations, on one page."""

from __future__ import annotations

import functools
import inspect
import math
import shlex
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from assent.cli.common import distance_option, option, order_option, output_option, tree_option
from assent.cli.gates import baseline_option
from assent.cli.options import asks_for_sets, keep_sources, take_source, takes_table
from assent.cli.report_files import check_ours, check_outputs, rendered, usual_output
from assent.option_texts import comma_separated

if TYPE_CHECKING:
    from assent.reports import Report

__all__ = ["report_command"]

WHAT = "What the report holds"
HOW = "How to measure"
OUTPUT = "What to write, and when to fail"
#: Columns that are kept beside the annotations.
KEPT = ("text", "by")
#: Share of the work until everything is known; the rest is drawing and writing.
SECTIONS = 0.7


_what = functools.partial(option, panel=WHAT)


def _with_questions(command: Callable[..., None]) -> Callable[..., None]:
    """Read a table of several questions once, and take each of them as a table of its own."""

    @functools.wraps(command)
    def run(**values: Any) -> None:
        from assent.errors import OptionError

        keep_sources(values)
        made = values["example"] or ("table" if values["table"] else None)
        if made and (values["questions"] is not None or values["question_columns"] is not None):
            raise OptionError("There is one question in it: leave out --questions and --question-columns.")
        take_source(values, values)
        if values["no_text"]:
            values["text"] = None
        values["given"] = tuple(values["files"]) if made is None else (made,)
        if values["questions"] is not None or values["question_columns"] is not None:
            _read_each(command, values)
        elif values["question"] is None and values["files"]:
            _read_export(command, values)
        else:
            command(**values, several=None)

    signature = inspect.signature(command)
    hidden = ("several", "given")
    parameters = [one for name, one in signature.parameters.items() if name not in hidden]
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    return run


def _read_export(command: Callable[..., None], values: dict[str, Any]) -> None:
    """Run the command with all questions of a tool's export; or with the table, if it is one."""
    from assent.cli.progress import stage
    from assent.cli.table_options import reading_options
    from assent.readers.opened import opened_export
    from assent.readers.reading import Reading

    reading = Reading(
        **reading_options(values), columns=[values[name] for name in KEPT if values.get(name) is not None]
    )
    with stage("Looking at what the file is"):
        export, files = opened_export(values["files"], reading)
        several = {} if export is None else export.measured(reading.choices())
    if len(several) > 1:
        _run_with(command, values, several)
    else:
        command(**values | {"files": files if export is None else [export]}, several=None)


def _run_with(command: Callable[..., None], values: dict[str, Any], several: dict[str, Any]) -> None:
    """Run a command whose tables are read, so that what its decorators do is done."""
    made = inspect.unwrap(command)
    wanted = inspect.signature(made).parameters
    made(None, **{name: value for name, value in values.items() if name in wanted}, several=several)


def _read_each(command: Callable[..., None], values: dict[str, Any]) -> None:
    """Read the table of each question, and run the command with all of them."""
    from assent.cli.progress import stage
    from assent.errors import EmptyTable, InputError, OptionError
    from assent.readers.questions import label_columns, rows_by_question
    from assent.text import shown

    question, columns = values["questions"], values["question_columns"]
    if question is not None and columns is not None:
        raise OptionError(
            "--questions and --question-columns are two ways to hold several questions: give one of them."
        )
    if columns is not None and values["label"] is not None:
        raise OptionError("--question-columns names the label columns: leave out --label.")
    if values["engine"] != "polars":
        raise OptionError("A file with several questions is read by polars: leave out --engine.")
    names = {"format": values["file_format"], **{name: values[name] for name in ("delimiter", "encoding", "sheet")}}
    with stage("Reading the questions"):
        if question is not None:
            tables = rows_by_question(*values["files"], question=question, **names)
        else:
            tables = label_columns(*values["files"], columns=comma_separated(columns), **names)
    read: dict[str, Any] = {}
    plain = {"file_format": None, "delimiter": None, "sheet": None, "encoding": "utf-8", "questions": None}
    plain["question_columns"] = None
    for name, table in tables.items():
        own = {"label": name} if question is None else {}

        def keep(data: Any, name: str = name, **options: Any) -> None:
            read[name] = data

        try:
            takes_table(keeps=KEPT, sets=asks_for_sets)(keep)(**values | plain | {"files": [table]} | own)
        except EmptyTable:
            # Nobody answered this question.
            continue
        except InputError as error:
            raise type(error)(f"On the question {shown(name)}: {error}") from None
    if not read:
        raise OptionError("None of the questions has an answer: check which column holds the labels.")
    _run_with(command, values, read)


@_with_questions
@takes_table(keeps=KEPT, sets=asks_for_sets)
def report_command(
    data: Any,
    output: Annotated[
        Optional[str],
        output_option(
            "Write the report to a file: HTML, Markdown, LaTeX or JSON, as its name ends (.html, .md, .tex, .json). Unless told "
            "otherwise it is called as the file with the labels, with -report.html at the end; a file of that name that is no report is not replaced.",
            panel=OUTPUT,
        ),
    ] = None,
    task: Annotated[
        Optional[str],
        _what(
            "Kind of task, and so what agreement to ask for: objective (0.80), standard (0.70), subjective (0.50), "
            "highly-subjective (0.40), or a number.",
            metavar="TASK|X",
        ),
    ] = None,
    by: Annotated[
        Optional[str],
        _what("Column with groups to compare, such as the language, the batch or the domain.", metavar="COLUMN"),
    ] = None,
    text: Annotated[
        Optional[str],
        _what("Column with the content of the items, to show with the most disputed ones.", metavar="COLUMN"),
    ] = None,
    no_text: Annotated[bool, _what("Leave the content of the items out.", "--no-text")] = False,
    questions: Annotated[
        Optional[str],
        _what("Column that says which of several questions a row answers: a section for each.", metavar="COLUMN"),
    ] = None,
    question_columns: Annotated[
        Optional[str],
        _what("Several label columns of a long table, a question each, in place of --label.", metavar="A,B,C"),
    ] = None,
    anonymise: Annotated[
        bool, _what("Annotators become A1, A2, …, items numbers; texts are left out.", "--anonymise", "--anonymize")
    ] = False,
    title: Annotated[Optional[str], _what("Title of the report.", metavar="TEXT")] = None,
    scale: Annotated[
        Optional[str],
        _what("Level of measurement: nominal unless given.", panel=HOW, metavar="nominal|ordinal|interval|ratio"),
    ] = None,
    order: Annotated[Optional[str], order_option(panel=HOW)] = None,
    distance: Annotated[Optional[str], distance_option(panel=HOW)] = None,
    tree: Annotated[Optional[str], tree_option(panel=HOW)] = None,
    ambiguity: Annotated[
        Optional[bool],
        _what(
            "What several labels of an annotation mean: they can all be true, or they are doubt about one true label.",
            "--ambiguity/--one-true-label",
            panel=HOW,
        ),
    ] = None,
    level: Annotated[float, _what("Confidence level.", panel=HOW, show_default=True, metavar="X")] = 0.95,
    seed: Annotated[
        int,
        _what("Seed of all that is drawn: the same seed, the same digits.", panel=HOW, metavar="N", show_default=True),
    ] = 0,
    words: Annotated[
        Optional[str],
        _what(
            "A second scale of words beside the one that is usual for the coefficient (Krippendorff's for alpha, Landis and Koch's for kappas).",
            panel=HOW,
            metavar="landis-koch|krippendorff|fleiss|cicchetti|mcbride",
        ),
    ] = None,
    judge: Annotated[
        Optional[list[str]],
        _what(
            "Annotator who is a judge, such as a model: the report is about the others, with a section on the judge beside them. Repeatable.",
            panel=HOW,
            metavar="NAME",
            completes="annotator",
        ),
    ] = None,
    baseline: Annotated[Optional[str], baseline_option(panel=HOW)] = None,
    brief: Annotated[
        bool,
        _what("Print the verdict, the coefficients and what to do, and write nothing.", "--brief", panel=OUTPUT),
    ] = False,
    markdown: Annotated[bool, _what("Print the report as Markdown.", "--markdown", panel=OUTPUT)] = False,
    latex: Annotated[bool, _what("Print the report as LaTeX.", "--latex", panel=OUTPUT)] = False,
    json: Annotated[bool, _what("Print the report as one JSON object.", "--json", panel=OUTPUT)] = False,
    figures: Annotated[
        Optional[str], _what("Write every chart into a folder, as SVG, PNG and PDF.", panel=OUTPUT, metavar="DIR")
    ] = None,
    items: Annotated[
        Optional[str],
        _what(
            "Write every item to a file: CSV, TSV, JSON, JSONL or Parquet, as its name ends.",
            panel=OUTPUT,
            metavar="FILE",
        ),
    ] = None,
    fail_under: Annotated[
        Optional[float],
        _what("Exit with 1 if the coefficient to quote is below this.", panel=OUTPUT, metavar="X"),
    ] = None,
    given: Any = (),
    several: Any = None,
) -> None:
    """Write a report: the verdict, where annotators disagree, what to do, and how to quote it.

    assent report labels.csv
    assent report labels.csv --task subjective --by language --text sentence
    assent report --example story -o story.html
    """
    from assent.errors import OptionError

    if not (brief or json or markdown or latex or figures or items or output):
        output = usual_output(given)
        check_ours(output)
    printed_as = {"--markdown": "-" if markdown else None, "--latex": "-" if latex else None}
    outputs = {"--output": output, **printed_as, "--items": items}
    check_outputs(outputs, json=json, figures=figures)
    named = set(outputs.values())
    if items is not None and several is not None:
        raise OptionError("--items lists the items of one question: report on each question alone to have it.")
    if items is not None and data is not None and not data.local:
        raise OptionError(
            "--items lists items that are here: have the engine write its own with assent items --engine … -o FOLDER."
        )
    asked = {
        "task": task,
        "scale": scale,
        "text": text,
        "by": by,
        "title": title,
        "ambiguity": ambiguity,
        "baseline": baseline,
        "words": words,
        "judge": judge,
        "distance": distance,
        "tree": tree,
    }
    settings: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    if order is not None and distance is not None:
        raise OptionError("--distance says how labels are compared, and so does --order: leave one of them out.")
    if order is not None:
        names = comma_separated(order)
        data = {name: one.ordered(names) for name, one in several.items()} if several else data.ordered(names)
    from assent.atomic_files import write_all
    from assent.cli.output import print_json, print_text, show, with_flags
    from assent.cli.progress import bar
    from assent.documents.renderer import start
    from assent.documents.result import format_of

    if figures is not None or (output is not None and format_of(output) == "html"):
        start()
    with bar() as progress:
        from assent.reports import report as make

        report = make(
            data if several is None else several,
            level=level,
            seed=seed,
            anonymise=anonymise,
            show_texts=not no_text,
            command=_command_line(),
            # The renderings follow the sections.
            progress=lambda done, what: progress(SECTIONS * done, what),
            **settings,
        )
        progress(SECTIONS, "Drawing and writing")
        files = rendered(report, outputs, figures)
    printed = files.pop("-", None)
    write_all(files, folder=figures)
    for path in files:
        if path in named:
            _say(f"Wrote {_shown(path)}.")
    if figures is not None:
        drawn = sum(path not in named for path in files)
        _say(f"Wrote {drawn:,} pictures into {_shown(figures)}.")
    if json:
        print_json(report.to_dict())
    elif brief and printed is None:
        show(report.brief())
    else:
        print_text(str(printed) if printed is not None else with_flags(f"{report}\n"))
    if fail_under is not None:
        _gate(report, fail_under)


def _command_line() -> str | None:
    """Return the command as it was typed, if it was typed."""
    return shlex.join(["assent", *sys.argv[1:]]) if sys.argv[1:2] == ["report"] else None


def _gate(report: Report, least: float) -> None:
    """End with 1 if the coefficient to quote is below the least, on any question, or is undefined; with 3 if runs of a judge may have lifted it."""
    from assent.analyses.gates import missed
    from assent.analyses.thresholds import reaches
    from assent.data.judge_names import LIFTED_BY_RUNS, mixes_runs
    from assent.text import shown

    failed = lifted = False
    for name, one in report.verdicts.items():
        if one.value is None or not reaches(one.value, least):
            failed = True
            what = one.quoted.agreement.title + (f" on {shown(name)}" if name else "")
            _say(f"assent: {missed(what, math.nan if one.value is None else one.value, least)}")
        elif mixes_runs(one.quoted.agreement.data.annotators or ()):
            lifted = True
            _say(f"assent: {one.quoted.agreement.title} reaches the target of {least:g}. {LIFTED_BY_RUNS}")
    if failed or lifted:
        raise typer.Exit(1 if failed else 3)


def _shown(path: str) -> str:
    from assent.text import shown

    return shown(path, 200)


def _say(text: str) -> None:
    typer.echo(text, err=True)
