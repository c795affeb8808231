"""A look at files as blocks of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assent.data.messages import loss
from assent.documents.blocks import (
    Block,
    Code,
    Column,
    Document,
    Prose,
    Table,
    count,
    name,
    names,
    notes,
    table_of,
    words,
)
from assent.limits import LOOK_COLUMNS_SHOWN
from assent.text import counted, quoted

if TYPE_CHECKING:
    from assent.analyses.look.result import Look, QuestionSeen

__all__ = ["document_of", "remarks"]

#: What answers of a kind are called.
KINDS = {
    "label": "labels", "set": "sets of labels", "number": "numbers", "ranking": "rankings",
    "text": "free text", "spans": "spans",
}  # fmt: skip


def document_of(found: Look) -> Document:
    """Return how it would be read, the columns, the questions, the first rows, and commands."""
    as_what = f"{found.format}, {found.layout}" if found.layout is not None and found.columns else found.format
    blocks: list[Block] = []
    if found.refused is not None:
        blocks.append(Prose([f"It would not be measured as it is. {found.refused}"], strong=True))
    blocks += [*_columns(found), *_questions(found), *_labels(found), *_rows(found), *notes(remarks(found))]
    if found.commands:
        lines = [line for one in found.commands for line in (f"# {one.purpose}", one.command)]
        blocks.append(Code("commands", "Commands to copy", "\n".join(lines), language="sh"))
    title = f"How {quoted(found.name, 80)} would be read"
    return Document(title, blocks, summary=f"{as_what}: {_much(found)}" if _much(found) else as_what)


def _much(found: Look) -> str:
    told = [counted(found.n_columns, "column")] if found.n_columns else []
    if len(found.questions) > 1:
        told.append(counted(len(found.questions), "question"))
    elif found.questions:
        one = found.questions[0]
        who = [] if one.n_annotators is None else [counted(one.n_annotators, "annotator")]
        told += [counted(one.n_items, "item"), *who, counted(one.n_annotations, "annotation")]
    return ", ".join(told)


def _columns(found: Look) -> list[Block]:
    if not found.columns:
        return []
    more = found.n_columns - len(found.columns)
    return [
        table_of(
            "columns",
            "Columns, and what each is read as",
            found.columns,
            [
                (Column("column", "name"), lambda one: name(one.name)),
                (Column("read as", "words"), lambda one: words(one.role)),
                (Column("different values"), lambda one: count(one.distinct)),
                (Column("such as", "text"), lambda one: names([(each, "") for each in one.examples])),
            ],
            more=f"{counted(more, 'more column')} not listed." if more > 0 else "",
        )
    ]


def _questions(found: Look) -> list[Block]:
    if len(found.questions) < 2 and not any(one.refused for one in found.questions):
        return []
    return [
        table_of(
            "questions",
            "Questions",
            found.questions,
            [
                (Column("question", "name"), lambda one: name(one.name)),
                (Column("answers are", "words"), lambda one: words(KINDS.get(one.kind, one.kind))),
                (Column("items"), lambda one: count(one.n_items)),
                (Column("annotators"), lambda one: count(one.n_annotators)),
                (Column("annotations"), lambda one: count(one.n_annotations)),
                (Column("measured", "words"), lambda one: words("no" if one.refused else "yes")),
            ],
        )
    ]


def _labels(found: Look) -> list[Block]:
    return [_labels_of(one, len(found.questions) > 1) for one in found.questions if one.labels]


def _labels_of(one: QuestionSeen, several: bool) -> Block:
    more = one.n_labels - len(one.labels)
    return table_of(
        f"labels-{one.name}",
        f"Labels of {quoted(one.name)}" if several else "Labels",
        one.labels,
        [
            (Column("label", "name"), lambda row: name(row[0])),
            (Column("annotations"), lambda row: count(row[1])),
            (Column("", "words"), lambda row: words("usually means no label" if row[0] in one.missing else "")),
        ],
        more=f"{counted(more, 'more label')} not listed." if more > 0 else "",
    )


def _rows(found: Look) -> list[Block]:
    if not found.rows:
        return []
    heads = [Column(one, "text", data=True) for one in found.header[:LOOK_COLUMNS_SHOWN]]
    cells = [[name(cell) for cell in row[:LOOK_COLUMNS_SHOWN]] for row in found.rows]
    more = len(found.header) - LOOK_COLUMNS_SHOWN
    return [
        Table("rows", "The first rows", heads, cells, f"{counted(more, 'more column')} not shown." if more > 0 else "")
    ]


def remarks(found: Look) -> list[str]:
    """Say what was recognised, and what of it may be otherwise than it was meant."""
    told = list(found.notes)
    told += [f"Would be left out: {loss(one.reason, one.rows)}." for one in found.dropped]
    for one in found.questions:
        where = f" in {quoted(one.name)}" if len(found.questions) > 1 else ""
        told += [
            f"Labels that may be one{where}: {quoted(pair.first)} ({pair.first_annotations:,}) and {quoted(pair.second)} "
            f"({pair.second_annotations:,}) differ in {pair.differ}."
            for pair in one.similar
        ]
        told += [
            f"The label {quoted(text)}{where} usually means that there is no label; it counts as one unless `missing` names it."
            for text in one.missing
        ]
        if one.numeric:
            told.append(
                f"The labels{where} are numbers; they count as names, none nearer to another, unless a scale is given."
            )
        if one.order:
            told.append(
                f"The labels{where} are words of a scale, from {quoted(one.order[0])} to {quoted(one.order[-1])}; they count as names, none "
                "nearer to another, unless a scale and their order are given."
            )
        if one.refused is not None and found.refused is None:
            told.append(one.refused)
    return told
