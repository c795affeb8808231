"""The exact commands for a reading, and for others."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from assent.analyses.look.result import Alternative, QuestionSeen
from assent.data import Dataset
from assent.limits import LOOK_COLUMNS_NAMED, LOOK_COMMANDS
from assent.option_texts import comma_joined, reading_flags
from assent.readers.detected import Detected
from assent.readers.from_exports import OpenedExport
from assent.readers.reading import Reading
from assent.readers.span_options import SpanOptions
from assent.readers.tables import Table
from assent.text import quoted

__all__ = ["commands_for_export", "commands_for_kind", "commands_for_table"]

#: What brings back what was left out of an export.
_BACK = {
    "model": (("--with-models",), "Take predictions of models as annotations, too."),
    "rejected": (("--keep-rejected",), "Count rejected work, too."),
    "duplicate": (("--duplicates", "first"), "Where an annotator answered twice, the first answer counts."),
    "no-answer": (("--empty", "nothing"), "Take an empty answer as the answer 'nothing', where there can be several labels."),
}  # fmt: skip


def commands_for_export(export: OpenedExport, files: Sequence[str], reading: Reading) -> tuple[Alternative, ...]:
    """Return the command for the question that would be measured, then for the others, then for what was left out."""
    said = reading_flags(reading, {"question"})
    found = export.measurable
    made: list[Alternative] = []
    if found:
        first = export.first() if reading.question is None else export.named(reading.question)
        order = [first, *(one for one in found if one is not first)] if first in found else list(found)
        for n, one in enumerate(order[: LOOK_COMMANDS + 1]):
            what = "This reading, in full." if n == 0 and first is one else f"Another question, {quoted(one.name)}."
            made.append(_command(files, ["--question", one.name, *said], what))
        made.append(_command(files, [*said, "-o", "report.html"], "All questions in one report.", verb="report"))
    if not found and export.questions:
        read = f"import assent; print(assent.read_all({', '.join(map(repr, files))}))"
        made.append(Alternative(command=shlex.join(["python", "-c", read]), purpose="What was read, in Python."))
    reasons = {one.reason for one in (*export.export.left_out, *(o for q in found for o in q.left_out))}
    sets = any(one.kind == "set" for one in found)
    for reason, (flags, purpose) in _BACK.items():
        if reason in reasons and found and flags[0] not in said and (reason != "no-answer" or sets):
            wanted = next((one for one in found if one.kind == "set"), found[0]) if reason == "no-answer" else found[0]
            made.append(_command(files, ["--question", wanted.name, *said, *flags], purpose))
    return tuple(made)


def commands_for_table(
    found: Detected | None,
    table: Table,
    sample: pl.DataFrame | None,
    seen: Sequence[QuestionSeen],
    files: Sequence[str],
    reading: Reading,
    *,
    refused: bool,
    candidates: Sequence[Mapping[str, str]] = (),
) -> tuple[Alternative, ...]:
    """Return the command for this reading of a table, if there is one, then for others; of a table that was refused, for what it may be."""
    roles = {"layout", "item", "document", "annotator", "label", "annotators", "cluster", "transpose", "start", "end"}
    said = reading_flags(reading, roles)
    columns = table.columns
    if found is None:
        return tuple(_candidates(candidates, files, said) or _guesses(columns, files, said))
    this = _reading_of(found)
    made = [] if refused else [_command(files, [*this, *said], "This reading, in full.")]
    for text in dict.fromkeys(text for one in seen for text in one.missing):
        purpose = f"If {quoted(text)} means that there is no label."
        # A text that begins with a dash would be taken for an option.
        made.append(_command(files, [*this, *said, f"--missing={text}"], purpose))
    if any(one.numeric for one in seen) and not refused:
        made.append(_command(files, [*this, *said, "--scale", "ordinal"], "If the labels are steps from low to high."))
    for order in dict.fromkeys(one.order for one in seen if one.order and not refused):
        flags = ["--scale", "ordinal", "--order", comma_joined(order)]
        made.append(_command(files, [*this, *said, *flags], "If the labels are steps in this order."))
    if found.layout == "spans":
        # Read otherwise it has no offsets.
        said = reading_flags(reading, roles | set(SpanOptions.__struct_fields__) - {"encoding"})
    made += [_command(files, [*flags, *said], purpose) for flags, purpose in _others(found, columns, sample)]
    return tuple(made[: LOOK_COMMANDS + 1])


def commands_for_kind(data: Dataset, files: Sequence[str], reading: Reading) -> tuple[Alternative, ...]:
    """Return commands for a table of another kind of data than labels."""
    roles = getattr(data, "roles", {})
    said = reading_flags(reading, {"layout", *roles} if roles else set())
    named = [part for role, name in roles.items() for part in (f"--{role}", name)]
    return (
        _command(files, [*named, *said], "This reading, in full."),
        _command(files, [*named, *said], "Who differs from the others.", verb="annotators"),
        _command(files, [*named, *said], "What is disputed.", verb="items"),
    )


def _reading_of(found: Detected) -> list[str]:
    """Return the options that say outright what was recognised."""
    cluster = [] if found.cluster is None else ["--cluster", found.cluster]
    if found.layout == "spans":
        flags = {
            "item": "--document",
            "annotator": "--annotator",
            "start": "--start",
            "end": "--end",
            "label": "--label",
        }
        roles = {role: name for name, role in found.roles.items()}
        pairs = [(flag, roles[role]) for role, flag in flags.items() if role in roles]
        return ["--layout", "spans", *(word for pair in pairs for word in pair)]
    if found.layout == "long":
        named = {"--item": found.item, "--annotator": found.annotator, "--label": found.label}
        if found.columns:
            # One column a label.
            named["--label"], more = None, ["--labels", comma_joined(found.columns)]
            cluster = [*more, *cluster]
        return [*(word for flag, name in named.items() if name is not None for word in (flag, name)), *cluster]
    if found.transposed:
        return [
            "--layout",
            "wide",
            "--transpose",
            *([] if found.annotator is None else ["--annotator", found.annotator]),
        ]
    item = [] if found.item is None or found.layout == "table" else ["--item", found.item]
    listed: list[str] = []
    if (
        found.layout == "wide"
        and len(found.columns) <= LOOK_COLUMNS_NAMED
        and not any("@" in one for one in found.columns)
    ):
        listed = ["--annotators", comma_joined(found.columns)]
    return ["--layout", found.layout, *item, *listed, *cluster]


def _others(found: Detected, columns: Sequence[str], sample: pl.DataFrame | None) -> Iterable[tuple[list[str], str]]:
    """Yield other ways to read the same columns."""
    item = [] if found.item is None else ["--item", found.item]
    if found.layout == "spans":
        named = {"--item": found.item, "--annotator": found.annotator, "--label": found.label}
        flags = [word for flag, name in named.items() if name is not None for word in (flag, name)]
        yield ["--layout", "long", *flags], "If each row is a label of an item, and not a span."
    elif found.layout == "long" and found.item is not None and found.annotator is not None:
        taken = {found.item, found.annotator, found.label, found.cluster, *found.columns}
        others = [name for name in columns if name not in taken and _few_values(name, sample)]
        for name in others[:3]:
            flags = [*item, "--annotator", found.annotator, "--label", name]
            yield flags, f"If {quoted(name)} holds the labels."
        if len(columns) > 3:
            yield ["--layout", "wide", *item], "If there is one row for each item, and one column for each annotator."
    elif found.transposed:
        yield ["--layout", "wide", *item], "If there is one row for each item."
    elif found.layout == "wide":
        yield (
            ["--layout", "wide", "--transpose"],
            "If there is one row for each annotator, and one column for each item.",
        )
        if len(found.columns) > 2:
            for name in found.columns[-1:]:
                left = comma_joined([one for one in found.columns if one != name])
                if "@" not in left and len(found.columns) <= LOOK_COLUMNS_NAMED:
                    yield ["--layout", "wide", *item, "--annotators", left], f"Without the column {quoted(name)}."
    else:
        yield ["--layout", "wide", *item], "If there is one row for each item, and one column for each annotator."


def _few_values(name: str, sample: pl.DataFrame | None) -> bool:
    """Tell whether values repeat as labels do."""
    if sample is None or name not in sample.columns:
        return False
    values = sample[name].alias("").drop_nulls()
    return 1 < values.n_unique() <= max(2, len(values) // 2)


def _candidates(
    candidates: Sequence[Mapping[str, str]], files: Sequence[str], said: Sequence[str]
) -> list[Alternative]:
    """Return a command for each way in which a table that was refused may be meant."""
    made = []
    for options in candidates:
        flags = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", value) if part]
        made.append(_command(files, [*flags, *said], _meaning(options)))
    return made


def _meaning(options: Mapping[str, str]) -> str:
    """Say when these options are right."""
    if "annotator_from_name" in options:
        return "If each file is of one annotator."
    if "without" in options:
        return "Without the rows that sum up the others."
    if "sheet" in options:
        return f"The sheet {quoted(options['sheet'])}."
    if "transpose" in options:
        return "If there is one row for each annotator, and one column for each item."
    if "label" in options:
        return f"If {quoted(options.get('annotator', ''))} says who annotated, and {quoted(options['label'])} holds the labels."
    if options.get("layout") == "counts":
        return "If each cell says how many annotators gave the item that label."
    return "If these columns are the annotators, with one row for each item."


def _guesses(columns: Sequence[str], files: Sequence[str], said: Sequence[str]) -> Iterable[Alternative]:
    """Yield commands to begin with where nothing was recognised."""
    if len(columns) > 2:
        flags = ["--item", columns[0], "--annotator", columns[1], "--label", columns[2]]
        yield _command(files, [*flags, *said], "If there is one row for each annotation; put the right columns in.")
    if len(columns) > 1:
        flags = ["--layout", "wide", "--item", columns[0]]
        yield _command(files, [*flags, *said], "If there is one row for each item, and one column for each annotator.")
        flags = ["--layout", "counts", "--item", columns[0]]
        yield _command(files, [*flags, *said], "If each cell says how many annotators gave the item that label.")


def _command(files: Sequence[str], options: Sequence[str], purpose: str, *, verb: str = "measure") -> Alternative:
    return Alternative(command=shlex.join(["assent", verb, *files, *options]), purpose=purpose)
