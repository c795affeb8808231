"""A report as a sequence of headings, paragraphs, lists and tables, which Markdown and LaTeX write each in its own way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from assent.text import interval as interval_text
from assent.text import percent
from assent.text import value as value_text

__all__ = [
    "Block",
    "Bullets",
    "Code",
    "Heading",
    "Paragraph",
    "Table",
    "coefficients_table",
    "document",
    "overview_table",
]

#: Rows of long tables; the JSON has more.
MOST_LABELS, MOST_ANNOTATORS, MOST_ITEMS = 25, 25, 20


@dataclass(frozen=True)
class Heading:
    """The title of a section; 1 is the report's own."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """Some sentences."""

    text: str
    strong: bool = False


@dataclass(frozen=True)
class Bullets:
    """A list."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class Code:
    """Something to be copied as it is."""

    text: str
    language: str


@dataclass(frozen=True, kw_only=True)
class Table:
    """Headings and cells; so many columns from the left hold text."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1
    total: bool = False


Block: TypeAlias = Heading | Paragraph | Bullets | Code | Table


def document(report: Mapping[str, Any]) -> Iterator[Block]:
    """Yield the report block by block, in the order of its sections."""
    yield Heading(report["title"], 1)
    yield Paragraph(report["verdict"]["sentence"], strong=True)
    yield Paragraph(f"Next: {report['verdict']['next']}")
    questions = report["questions"]
    if questions is not None:
        yield from _overview(questions)
        for one in questions:
            yield Heading(one["name"], 1)
            yield from _body(one["report"])
        return
    yield from _body(report, verdict=False)


def _body(report: Mapping[str, Any], *, verdict: bool = True) -> Iterator[Block]:
    if verdict:
        yield Paragraph(report["verdict"]["sentence"], strong=True)
        yield Paragraph(f"Next: {report['verdict']['next']}")
    yield from _data(report["data"])
    yield from _coefficients(report)
    yield from _labels(report["labels"])
    yield from _annotators(report["annotators"])
    yield from _items(report["items"])
    yield from _groups(report["groups"])
    yield from _multilabel(report["multilabel"])
    yield from _sparse(report["sparse"])
    yield from _advice(report)
    yield from _how(report["how_to_report"])
    yield from _appendix(report["appendix"])


def _overview(questions: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    yield Heading("Overview")
    yield overview_table(questions)


def overview_table(questions: Sequence[Mapping[str, Any]]) -> Table:
    """Return the table of several questions."""
    rows = [
        (
            one["name"],
            one["verdict"]["title"],
            value_text(one["verdict"]["value"], *_pair(one["verdict"])),
            _ends(one["verdict"]),
            f"{one['report']['data']['items']:,}",
        )
        for one in questions
    ]
    level = f"{100 * questions[0]['verdict']['level']:g} %"
    return _table(("question", "measure", "value", f"{level} interval", "items"), rows, texts=2)


def _data(data: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading("Data")
    density = "—" if data["density"] is None else percent(data["density"])
    who = "unknown" if data["annotators"] is None else f"{data['annotators']:,}"
    yield _table(
        ("items", "with two or more annotations", "annotators", "annotations", "per item", "labels", "density"),
        [
            (
                f"{data['items']:,}",
                f"{data['pairable_items']:,}",
                who,
                f"{data['annotations']:,}",
                f"{data['annotations_per_item']:.3g}",
                f"{len(data['labels']):,}",
                density,
            )
        ],
        texts=0,
    )
    rows = [
        (one["label"], f"{one['annotations']:,}", percent(one["share"])) for one in data["label_shares"][:MOST_LABELS]
    ]
    yield _table(("label", "annotations", "share"), rows)
    left_out = [f"Left out: {one['rows']:,} rows, {one['reason']}." for one in data["dropped"]]
    yield from _notes([*left_out, *data["notes"]])


def coefficients_table(report: Mapping[str, Any]) -> Table:
    """Return the table of coefficients."""
    level = f"{100 * report['verdict']['level']:g} %"
    rows = [
        (
            one["title"],
            value_text(one["value"], *_pair(one["ci"])),
            _ends(one["ci"] or {}),
            _two(one["observed"]),
            _two(one["expected"]) if one["interpretation"] is not None else "—",
            f"{one['items']:,}",
        )
        for one in report["coefficients"]["measures"]
    ]
    return _table(("measure", "value", f"{level} interval", "observed", "expected", "items"), rows)


def _coefficients(report: Mapping[str, Any]) -> Iterator[Block]:
    part = report["coefficients"]
    yield Heading("Coefficients")
    yield coefficients_table(report)
    yield Paragraph(f"Quote {report['verdict']['title']}. {' '.join(part['reasons'])}")
    if part["findings"]:
        yield Heading("When the number misleads", 3)
        yield Bullets(tuple(f"{one['title']}. {one['sentence']}" for one in part["findings"]))
    yield from _notes(list(dict.fromkeys(note for one in part["measures"] for note in one["notes"])))


def _labels(part: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading("Labels")
    rows = [
        (one["label"], f"{one['annotations']:,}", percent(one["share"]), _two(one["value"]), _ends(one))
        for one in part["by_label"][:MOST_LABELS]
    ]
    yield _table(("label", "annotations", "share", "value", "interval"), rows)
    if part["disputed"]:
        yield Heading("Which labels are confused", 3)
        rows = [
            (one["first"], one["second"], _share(one["share"]), _share(one["expected_share"]), f"{one['items']:,}")
            for one in part["disputed"]
        ]
        yield _table(("label", "and", "share of disagreement", "by chance", "items"), rows, texts=2)
    if part["merges"]:
        yield Heading("What merging two labels would do", 3)
        cells = [
            (
                one["first"],
                one["second"],
                _two(one["value"]),
                f"{one['gain']:+.2f}" if one["gain"] is not None else "—",
                f"{one['entropy_lost']:.2f}",
                "yes" if one["clear"] else "no",
            )
            for one in part["merges"]
        ]
        yield _table(("label", "and", "value", "gain", "bits lost", "clear"), cells, texts=2)
    yield from _notes(part["notes"])


def _annotators(part: Mapping[str, Any] | None) -> Iterator[Block]:
    if part is None:
        return
    yield Heading("Annotators")
    stand = "stands" if part["flagged"] == 1 else "stand"
    yield Paragraph(
        f"{part['flagged']:,} of {part['judged']:,} annotators judged {stand} out ({part['total']:,} in all)."
    )
    rows = [
        (
            one["annotator"],
            "yes" if one["flagged"] else "no" if one["judged"] else "not judged",
            f"{one['items']:,}",
            _share(one["agreement"]["value"]),
            _share(one["others"]["agreement"]),
            _two(one["coefficient"]["value"]),
            _two(one["without"]["value"]),
        )
        for one in part["rows"][:MOST_ANNOTATORS]
    ]
    headings = ("annotator", "stands out", "items", "agreement", "others", "beyond chance", "all without")
    yield _table(headings, rows, texts=2)
    reasons = [one["reason"] for one in part["rows"][:MOST_ANNOTATORS] if one["reason"]]
    if part["schools"] is not None and part["schools"]["sentence"]:
        reasons.append(part["schools"]["sentence"])
    if reasons:
        yield Bullets(tuple(reasons))
    yield from _notes(part["notes"])


def _items(part: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading("Items")
    rows = [(f"{one['low']:.1f} to {one['high']:.1f}", f"{one['items']:,}") for one in part["histogram"]]
    yield _table(("agreement", "items"), rows)
    worst = part["worst"][:MOST_ITEMS]
    if worst:
        yield Heading("The most disputed items", 3)
        headings = ("item", "labels", *(("text",) if part["text"] else ()), "annotations", "agreement")
        cells = [
            (
                one["item"],
                ", ".join(f"{times} × {label}" for label, times in one["counts"].items()),
                *((one["text"] or "—",) if part["text"] else ()),
                f"{one['annotations']:,}",
                _two(one["agreement"]),
            )
            for one in worst
        ]
        yield _table(headings, cells, texts=3 if part["text"] else 2)
    yield from _notes(part["notes"])


def _groups(part: Mapping[str, Any] | None) -> Iterator[Block]:
    if part is None:
        return
    yield Heading(f"By {part['column']}")
    rows = [
        (
            one["group"],
            f"{one['items']:,}",
            _two(one["value"]),
            _ends(one),
            "—" if one["rest"] is None else f"{one['rest']['difference']:+.2f}",
            "—" if one["rest"] is None else "yes" if one["rest"]["clear"] else "no",
        )
        for one in part["rows"]
    ]
    yield _table(("group", "items", "value", "interval", "less the rest", "clear"), rows)
    if part["differences"]:
        cells = [
            (one["first"], one["second"], f"{one['difference']:+.2f}", _ends(one), "yes" if one["clear"] else "no")
            for one in part["differences"]
        ]
        yield _table(("group", "less", "difference", "interval", "clear"), cells, texts=2)
    yield from _notes(part["notes"])


def _multilabel(part: Mapping[str, Any] | None) -> Iterator[Block]:
    if part is None:
        return
    yield Heading("Several labels per annotation")
    rows = [
        (one["annotator"], f"{one['mean_labels']:.2f}", percent(one["share_several"]))
        for one in part["set_sizes"][:MOST_ANNOTATORS]
    ]
    yield _table(("annotator", "labels per annotation", "with several"), rows)
    sweep = part["sweep"]
    if sweep is not None:
        yield Heading("Primary and secondary labels", 3)
        yield Paragraph(sweep["sentence"])
        points = [(f"{one['primary']:.2f}", _two(one["value"]), _ends(one["ci"] or {})) for one in sweep["points"]]
        yield _table(("weight of the primary label", "augmented kappa", "interval"), points, texts=0)
        classes = [(one["title"], one["meaning"], f"{one['items']:,}") for one in sweep["classes"]]
        yield _table(("items", "what it means", "number"), classes, texts=2)
        yield from _notes(sweep["notes"])


def _sparse(part: Mapping[str, Any] | None) -> Iterator[Block]:
    if part is None:
        return
    yield Heading("Missing annotations")
    rows = [(one["scheme"], _two(one["value"]), _ends(one)) for one in part["schemes"]]
    yield _table(("SPA, items weighed by", "value", "interval"), rows)
    yield Bullets(tuple(part["missingness"]["sentences"]))
    yield from _notes(part["notes"])


def _advice(report: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading("What to do")
    for one in report["advice"]:
        yield Heading(one["title"], 3)
        gain = "" if one["gain"] is None else f" At most {one['gain']:+.2f} could be won."
        yield Paragraph(f"{one['sentence']}{gain}")
        yield Paragraph(f"First: {one['first_step']}")
    if report["plan"] is not None:
        yield Heading("How many more annotations", 3)
        yield Paragraph(report["plan"]["sentence"])
    if report["ceiling"] is not None:
        yield Heading("What a model could score", 3)
        accuracy = report["ceiling"]["accuracy"]
        yield Paragraph(
            f"An annotator agrees with the majority of the others on {_share(accuracy['value'])} of the items "
            f"({_ends(accuracy['ci'] or {}, share=True)})."
        )
        yield from _notes(report["ceiling"]["notes"])


def _how(part: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading("How to report it")
    for name in ("methods", "results", "limitations"):
        yield Heading(name.capitalize(), 3)
        yield Paragraph(part[name])
    yield Heading("BibTeX", 3)
    yield Code(part["bibtex"], "bibtex")


def _appendix(part: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading("Appendix")
    settings = [(name, "—" if value is None else str(value)) for name, value in part["settings"].items()]
    yield _table(("setting", "value"), settings, texts=2)
    yield _table(("package", "version"), [(name, str(value)) for name, value in part["versions"].items()], texts=2)
    yield Bullets(tuple(f"{one['name']}: {one['text']}" for one in part["definitions"]))


def _notes(notes: Sequence[str]) -> Iterator[Block]:
    if notes:
        yield Bullets(tuple(notes))


def _table(columns: tuple[str, ...], rows: Sequence[tuple[str, ...]], *, texts: int = 1) -> Table:
    return Table(columns=columns, rows=tuple(rows), texts=texts)


def _two(value: float | None) -> str:
    return value_text(value)


def _pair(ends: Mapping[str, Any] | None) -> tuple[float | None, float | None]:
    return (None, None) if ends is None else (ends["low"], ends["high"])


def _share(value: float | None) -> str:
    return "—" if value is None else percent(value)


def _ends(one: Mapping[str, Any], *, share: bool = False) -> str:
    """Show an interval."""
    low, high = one.get("low"), one.get("high")
    if not share or low is None or high is None:
        return interval_text(low, high)
    return f"{percent(low)} to {percent(high)}"
