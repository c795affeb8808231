"""Whatever a public function returns prints itself for a person, and a notebook shows the same."""

from __future__ import annotations

from typing import Any

import pytest

import assent
from assent.examples import example

TABLE = example("cohen").data()
KAPPA = assent.cohen_kappa(TABLE)
RESULTS: dict[str, tuple[Any, str]] = {
    "agreement": (KAPPA, "Cohen's kappa: 0.492 ["),
    "interval": (KAPPA.confidence_interval(method="analytic"), " to 0."),
    "difference": (assent.difference(KAPPA, assent.gwet_ac(TABLE)), "Cohen's kappa less Gwet's AC"),
    "words": (assent.interpret(0.51, 0.37, 0.65), "moderate; its interval reaches from fair to substantial"),
    "labels": (TABLE, "200 items, 2 annotators, 400 annotations, 3 labels"),
    "coincidences": (
        assent.coincidences(TABLE),
        "3 labels, 400 annotations: 30 % of the pairs of annotations disagree, most often ",
    ),
    "coincidences of one label": (assent.coincidences([["x", "x"]] * 3), "no two labels meet on an item"),
    "finding": (assent.findings(example("paradox1").data())[0], "One label dominates: "),
    "spans": (example("spans").data(), "40 "),
    "rankings": (example("rankings").data(), "4 annotators"),
}


class Printer:
    """What a notebook hands over."""

    shown = ""

    def text(self, text: str) -> None:
        self.shown += text


def in_a_notebook(value: Any) -> str:
    """Return what IPython shows of a value: it asks the first class that says how, by `_repr_pretty_` or by `__repr__`."""
    printer = Printer()
    for one in type(value).__mro__:
        if "_repr_pretty_" in vars(one):
            value._repr_pretty_(printer, False)
            return printer.shown
        if "__repr__" in vars(one):
            break
    return repr(value)


@pytest.mark.parametrize("name", RESULTS)
def test_values_print_themselves_in_a_line(name: str) -> None:
    value, part = RESULTS[name]
    assert part in str(value)
    assert type(value).__name__ + "(" not in str(value)
    assert in_a_notebook(value) == str(value)


@pytest.mark.parametrize("name", ["agreement", "difference"])
def test_what_a_measure_returns_prints_itself_at_a_prompt(name: str) -> None:
    value, _ = RESULTS[name]
    assert repr(value) == str(value)


@pytest.mark.parametrize(
    "name",
    ["measure", "explain", "advise", "items", "annotators", "labels", "plan", "report", "consensus", "missingness"],
)
def test_results_of_commands_are_documents_in_a_notebook_too(name: str) -> None:
    found = getattr(assent, name)(TABLE)
    assert "object at 0x" not in str(found)
    assert repr(found) == in_a_notebook(found) == str(found)
    assert found._repr_html_().startswith("<iframe srcdoc=")


def test_a_notebook_gets_the_text_and_not_pieces_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    # What rich asks about where it runs.
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    text = assent.measure(TABLE).text()
    assert text.startswith("Agreement\n200 items")
    assert "Cohen's kappa (to quote)" in text
