"""What `assent annotators` prints on the terminal: a verdict, a table, and in words why anybody is flagged."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from assent.analyses.annotators.flag_reasons import KINDS
from assent.cli.layout import grid, open_console, print_notes, share_cell
from assent.cli.show import describe, number
from assent.text import counted, for_terminal, probability, shown
from assent.text import number as two_digits

if TYPE_CHECKING:
    from assent.analyses.annotators import AnnotatorReport
    from assent.data import Annotations
    from assent.measures.results import PairAgreement

__all__ = ["show_annotators"]

#: Flagged annotators whose reasons are put into words.
MOST_REASONS = 10
#: Teams of up to so many fit a table of every two annotators; larger ones are a list.
WIDEST_MATRIX = 12
#: Pairs in such a list.
MOST_PAIRS = 20


def show_annotators(data: Annotations, report: AnnotatorReport, top: int, *, pairs: bool) -> None:
    """Print the verdict, the table, and in words why anybody is flagged."""
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

    return "—" if value is None or math.isnan(value) else two_digits(value)


def _reasons(report: AnnotatorReport) -> list[str]:
    """Say why annotators are flagged, the worst first; of many, count what kinds they are."""
    flagged = [one for one in report.order.tolist() if report.flagged[one]]
    sentences = [report.reason(one) or "" for one in flagged[:MOST_REASONS]]
    if len(flagged) > MOST_REASONS:
        kinds = Counter(report.kinds[one] for one in flagged)
        said = ", ".join(f"{number:,} × {KINDS[kind]}" for kind, number in kinds.most_common())
        sentences.append(f"And {len(flagged) - MOST_REASONS:,} more. All flagged: {said}.")
    return sentences


def _trends(report: AnnotatorReport) -> list[str]:
    """Say who gets worse; or who gets better, if nobody gets worse: beside one who falls behind, others seem to rise."""
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
            for pair in ranked[:MOST_PAIRS]
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
