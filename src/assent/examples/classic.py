"""Published tables: the ones that textbooks and papers on agreement argue about, each with its source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from assent.examples.example import Example, Row, Table

__all__ = ["CLASSIC"]


def _crossed(cells: Sequence[Sequence[int]], labels: Sequence[str]) -> Callable[[int], Table]:
    """Return two annotators crossed: the labels of the first in the rows, those of the second in the columns."""
    rows: list[Row] = [(label, *map(str, row)) for label, row in zip(labels, cells, strict=True)]
    return lambda seed: (("", *labels), rows)


def _ratings(item: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> Callable[[int], Table]:
    """Return a row for each item and a column for each annotator; a point is a missing label."""
    texts = [(f"{item} {place}", *("" if one == "." else one for one in row)) for place, row in enumerate(rows, 1)]
    return lambda seed: ((item, *names), texts)


def _counted(item: str, labels: Sequence[str], rows: Sequence[str]) -> Callable[[int], Table]:
    """Return a row for each item and how many annotators gave each label, a digit for each."""
    return lambda seed: ((item, *labels), [(f"{item} {place}", *row) for place, row in enumerate(rows, 1)])


_LECTURE = "Zhao (2026), COSI-230B Lecture 8: Inter-Annotator Agreement I, Brandeis University."
_PARADOXES = (
    "Feinstein and Cicchetti (1990), High agreement but low kappa: I. The problems of two paradoxes, Journal of Clinical "
    "Epidemiology 43(6), 543-549."
)
_KRIPPENDORFF = "11.1 2232 3333 3333 2222 1234 4444 1121 2222 .555 ..11 ..3."
_FLEISS = (
    "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031 00501 30012 51000 02040 10203 "
    "00006 01050 02013 20040 10041 05010 40002 02040 10500 00006"
)
_HAYES = (
    "112.2 1101. 2333. .00.0 000.0 000.0 102.1 1.20. 222.2 2111. .100. 0000. 1222. 33223 111.1 111.1 212.2 1233. 1101. 000.0 "
    "0011. 00.00 2333. 0000. 12.22 0111. 00010 1212. 1122. 112.2 110.0 2121. 22.22 3222. 222.2 223.2 222.2 22.12 2222. 111.1"
)
#: Three ratings of the first anaesthetist, then one of each of the four others.
_PATIENTS = (
    "1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 2223343 1111111 2223212 1211111 "
    "1112111 1111111 1111111 2222221 2221322 2222222 2222221 2223222 2212222 1111111 1111111 2322222 1111111 1111111 1121121 "
    "1111111 3333233 1111111 2222222 2223232 4334343 2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111 2222222"
)
_SHROUT = ("9 2 5 8", "6 1 3 2", "8 4 6 8", "7 1 2 6", "10 5 6 9", "6 2 4 7")
#: Litres a minute: the first reading by each meter.
_PEAK_FLOWS = (
    "494 512, 395 430, 516 520, 434 428, 476 500, 557 600, 413 364, 442 380, 650 658, 433 445, 417 432, 656 626, 267 260, 478 477, 178 259, "
    "423 350, 427 451"
)
_TABLE: Mapping[str, Any] = {"layout": "table"}

CLASSIC = (
    Example(
        name="lecture",
        title="Sentiment of 50 texts, the table of a lecture",
        story="Two annotators, 50 items, two labels: observed agreement 0.70, expected 0.50, Cohen's kappa 0.40.",
        make=_crossed([[20, 5], [10, 15]], ["positive", "negative"]),
        source=_LECTURE,
        settings={"task": "standard"},
        reading=_TABLE,
    ),
    Example(
        name="lecture-toxicity",
        title="Toxicity of 100 comments, the table of a lecture",
        story="94 % agree and Cohen's kappa is 0.37: nearly everything is safe.",
        make=_crossed([[2, 3], [3, 92]], ["toxic", "safe"]),
        source=_LECTURE,
        reading=_TABLE,
    ),
    Example(
        name="paradox1",
        title="The first paradox of kappa",
        story="85 % agree and Cohen's kappa is 0.32, because one label is frequent; compare paradox1-balanced.",
        make=_crossed([[80, 10], [5, 5]], ["yes", "no"]),
        source=_PARADOXES,
        reading=_TABLE,
    ),
    Example(
        name="paradox1-balanced",
        title="The first paradox of kappa, balanced labels",
        story="The same 85 % agree and Cohen's kappa is 0.70, because both labels are equally frequent.",
        make=_crossed([[40, 9], [6, 45]], ["yes", "no"]),
        source=_PARADOXES,
        reading=_TABLE,
    ),
    Example(
        name="paradox2",
        title="The second paradox of kappa",
        story="60 % agree and Cohen's kappa is 0.26, because the annotators lean to different labels; compare paradox2-balanced.",
        make=_crossed([[25, 35], [5, 35]], ["yes", "no"]),
        source=f"{_PARADOXES} The table and kappa are those on Wikipedia's page on Cohen's kappa.",
        reading=_TABLE,
    ),
    Example(
        name="paradox2-balanced",
        title="The second paradox of kappa, annotators who lean alike",
        story="The same 60 % agree and Cohen's kappa is 0.13, though the annotators use the labels more alike.",
        make=_crossed([[45, 15], [25, 15]], ["yes", "no"]),
        source=f"{_PARADOXES} The table and kappa are those on Wikipedia's page on Cohen's kappa.",
        reading=_TABLE,
    ),
    Example(
        name="cohen",
        title="200 diagnoses by two psychiatrists, the table of Cohen's paper",
        story="Observed agreement 0.70, expected 0.41, Cohen's kappa 0.492.",
        make=_crossed(
            [[88, 14, 18], [10, 40, 10], [2, 6, 12]], ["personality disorder", "neurosis", "psychosis"]
        ),
        source=(
            "Cohen (1960), A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20(1), 37-46, "
            "p. 45 (proportions times 200)."
        ),
        reading=_TABLE,
    ),
    Example(
        name="krippendorff",
        title="Four observers, twelve units, missing labels",
        story="Krippendorff's alpha is 0.743 on a nominal scale, 0.815 ordinal, 0.849 interval, 0.797 ratio.",
        make=_ratings("unit", ["A", "B", "C", "D"], _KRIPPENDORFF.split()),
        source="Krippendorff (2011), Computing Krippendorff's alpha-reliability, sections C to E.",
    ),
    Example(
        name="hayes-krippendorff",
        title="Five observers, 40 newspaper articles, ordinal codes with gaps",
        story="Krippendorff's alpha is 0.7598 on an ordinal scale.",
        make=_ratings("article", ["A", "B", "C", "D", "E"], _HAYES.split()),
        source=(
            "Hayes and Krippendorff (2007), Answering the call for a standard reliability measure for coding data, Communication "
            "Methods and Measures 1(1), 77-89, p. 84."
        ),
        settings={"scale": "ordinal"},
    ),
    Example(
        name="fleiss",
        title="30 psychiatric patients, six diagnoses each",
        story="Fleiss' kappa is 0.430. Who gave which diagnosis was not published: these are counts.",
        make=_counted(
            "patient", ["depression", "personality disorder", "schizophrenia", "neurosis", "other"], _FLEISS.split()
        ),
        source=(
            "Fleiss (1971), Measuring nominal scale agreement among many raters, Psychological Bulletin 76(5), 378-382."
        ),
        reading={"layout": "counts"},
    ),
    Example(
        name="dawid-skene",
        title="45 patients, seven ratings by five anaesthetists",
        story="The first anaesthetist rated all patients three times (1a, 1b, 1c). The example on which labels were first weighed by who gave them.",
        make=_ratings(
            "patient",
            ["anaesthetist 1a", "anaesthetist 1b", "anaesthetist 1c", *(f"anaesthetist {one}" for one in range(2, 6))],
            _PATIENTS.split(),
        ),
        source=(
            "Dawid and Skene (1979), Maximum likelihood estimation of observer error-rates using the EM algorithm, Applied "
            "Statistics 28(1), 20-28, table 1."
        ),
    ),
    Example(
        name="shrout-fleiss",
        title="Six targets, four judges, ratings from 1 to 10",
        story="The six forms of the intraclass correlation run from 0.17 to 0.91.",
        make=_ratings("target", ["judge 1", "judge 2", "judge 3", "judge 4"], [row.split() for row in _SHROUT]),
        source=(
            "Shrout and Fleiss (1979), Intraclass correlations: uses in assessing rater reliability, Psychological Bulletin 86(2), "
            "420-428, table 2."
        ),
        settings={"scale": "interval"},
    ),
    Example(
        name="bland-altman",
        title="Peak flow of 17 people, read from two meters",
        story="The readings correlate by 0.94; their differences have a mean of -2.1 and a standard deviation of 38.8 l/min.",
        make=_ratings("person", ["Wright meter", "mini meter"], [row.split() for row in _PEAK_FLOWS.split(", ")]),
        source=(
            "Bland and Altman (1986), Statistical methods for assessing agreement between two methods of clinical measurement, "
            "Lancet 327(8476), 307-310, table 1 (first readings)."
        ),
        settings={"scale": "interval"},
        reading={"layout": "wide", "item": "person"},
    ),
)  # fmt: skip
