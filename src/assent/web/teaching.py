"""A table of two annotators and two labels that follows sliders: how prevalence and bias move the coefficients."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import assent
from assent.data import Annotations
from assent.documents.charts import in_our_look
from assent.documents.html import fragments
from assent.errors import AssentError, OptionError, choose
from assent.measures import find
from assent.records import Struct
from assent.text import number, shown
from assent.web.states import State

__all__ = ["Lesson", "lesson_of"]

LABELS = ("yes", "no")
#: The coefficients that are shown side by side.
MEASURES = ("percent-agreement", "cohen-kappa", "gwet-ac", "krippendorff-alpha")
ITEMS = 100
#: Sliders: from, to, at first, and what each moves.
SLIDERS = {
    "agreement": (0, 100, 80, "Items of the 100 on which both say the same."),
    "prevalence": (0, 100, 50, "Of these, how many in a hundred are a yes."),
    "bias": (-50, 50, 0, "Who says yes on the other items: the second alone at −50, the first alone at 50, each as often at 0."),
}  # fmt: skip


class Lesson(Struct, frozen=True, kw_only=True):
    """A table, its coefficients, one of them worked out, and a chart of all of them over the prevalence.

    Parameters
    ----------
    values : list of (title, text)
    measure : str
        The one that is worked out.
    worked : list of str
        The computation as pieces of a page.
    chart : mapping
        In Vega-Lite.
    command : str
        The command line that says the same.
    """

    sliders: Mapping[str, int]
    table: Sequence[Sequence[int]]
    values: Sequence[tuple[str, str, str]]
    measure: str
    worked: Sequence[str]
    chart: Mapping[str, Any]
    query: str
    command: str
    limits: Mapping[str, tuple[int, int, int, str]]


def lesson_of(state: State) -> Lesson:
    """Return what is shown for where the sliders stand."""
    sliders = {name: _whole(state, name) for name in SLIDERS}
    measure = choose("measure", state.text("measure") or "cohen-kappa", MEASURES)
    table = table_of(**sliders)
    data = _data(table)
    worked = assent.explain(data, measure).document()
    return Lesson(
        sliders=sliders,
        table=table,
        values=[(name, find(name).title, number(_value(name, data), 3)) for name in MEASURES],
        measure=measure,
        worked=[html for _, html in fragments(worked, lambda figure, chapter: None)],
        chart=_chart(sliders),
        query=State((*((name, str(many)) for name, many in sliders.items()), ("measure", measure))).query,
        command=_command(table, measure),
        limits=SLIDERS,
    )


def _command(table: Sequence[Sequence[int]], measure: str) -> str:
    cells = ";".join(",".join(map(str, row)) for row in table)
    return shlex.join(["assent", "explain", "--table", cells, "--labels", ",".join(LABELS), f"--measure={measure}"])


def table_of(*, agreement: int, prevalence: int, bias: int) -> list[list[int]]:
    """Return a table of 100 items.

    Parameters
    ----------
    agreement : int
        Items on which both say the same.
    prevalence : int
        Of these, the share in percent on which both say yes.
    bias : int
        How the other items are split: -50 all to one side of the table, 0 evenly, 50 all to the other.

    Examples
    --------
    >>> table_of(agreement=80, prevalence=50, bias=0), table_of(agreement=90, prevalence=95, bias=50)
    ([[40, 10], [10, 40]], [[86, 10], [0, 4]])
    """
    yes = round(agreement * prevalence / 100)
    apart = ITEMS - agreement
    first = round(apart * (50 + bias) / 100)
    return [[yes, first], [apart - first, agreement - yes]]


def _data(table: Sequence[Sequence[int]]) -> Annotations:
    return Annotations.from_contingency(table, labels=LABELS, annotators=("first", "second"))


def _value(measure: str, data: Annotations) -> float | None:
    try:
        value = find(measure)(data).value
    except AssentError:
        return None
    return None if value != value else value


#: Drawn in the order of their titles, each over those before.
DASHES = {"cohen-kappa": [1, 0], "gwet-ac": [6, 4], "krippendorff-alpha": [7, 9], "percent-agreement": [2, 3]}


def _chart(sliders: Mapping[str, int]) -> dict[str, Any]:
    """Draw the coefficients over the prevalence, the other sliders where they stand."""
    points = [
        {"prevalence": prevalence, "value": value, "coefficient": find(name).title, "shown": number(value, 3)}
        for prevalence in range(0, 101, 4)
        for name in MEASURES
        if (value := _value(name, _data(table_of(**{**sliders, "prevalence": prevalence})))) is not None
    ]
    across = {"field": "prevalence", "type": "quantitative", "title": "prevalence"}
    legend = {"orient": "top", "columns": 2}
    coefficient = {"field": "coefficient", "type": "nominal", "title": None, "legend": legend}
    lines = {
        "data": {"values": points},
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": across,
            "y": {"field": "value", "type": "quantitative", "title": None, "scale": {"domain": [-0.4, 1]}},
            "color": coefficient,
            # Two of them may lie on each other: one is seen between the dashes of the other.
            "strokeDash": {
                **coefficient,
                "legend": None,
                "scale": {"domain": [find(name).title for name in DASHES], "range": list(DASHES.values())},
            },
            "tooltip": [{"field": one, "type": "nominal"} for one in ("coefficient", "prevalence", "shown")],
        },
    }
    here = {
        "data": {"values": [{"prevalence": sliders["prevalence"]}]},
        "mark": {"type": "rule", "strokeDash": [4, 4]},
        "encoding": {"x": across},
    }
    return in_our_look(
        {
            "layer": [lines, here],
            "width": "container",
            "height": 260,
            "autosize": {"type": "fit-x", "contains": "padding"},
        }
    )


def _whole(state: State, name: str) -> int:
    least, most, first, _ = SLIDERS[name]
    text = state.text(name)
    try:
        value = first if text is None else int(text)
    except ValueError:
        raise OptionError(f"`{name}` is {shown(text)}; it must be a whole number.") from None
    if not least <= value <= most:
        raise OptionError(f"`{name}` is {value}; it must lie between {least} and {most}.")
    return value
