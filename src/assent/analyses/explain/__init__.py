"""Show where a coefficient comes from: the computation as a person would do it on the board."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from assent.analyses.explain import alpha, many_annotators, two_annotators
from assent.analyses.explain.arithmetic import two_decimals
from assent.analyses.explain.counting import Confusion
from assent.analyses.explain.formula import Formula, Name, as_text
from assent.analyses.explain.model import Explanation, Step
from assent.analyses.explain.parts import Derivation, Inputs
from assent.analyses.interpretation import interpret, usual_scale
from assent.data import Annotations, Dataset, as_annotations, as_dataset
from assent.errors import OptionError, UnsuitableData
from assent.measures import Measure, find
from assent.measures.results import Agreement
from assent.scales import agreement_weights
from assent.text import counted, shown

__all__ = ["EXPLAINED", "Explanation", "Formula", "Step", "explain"]

EXPLAINERS: dict[str, tuple[Name, Callable[[Inputs], Derivation]]] = {
    "cohen-kappa": (Name("κ"), two_annotators.cohen),
    "scott-pi": (Name("π"), two_annotators.scott),
    "fleiss-kappa": (Name("κ"), many_annotators.fleiss),
    "krippendorff-alpha": (Name("α"), alpha.krippendorff),
    "gwet-ac": (Name("AC", "1"), many_annotators.gwet),
    "brennan-prediger": (Name("BP"), many_annotators.brennan),
    "percent-agreement": (Name("A", "o"), many_annotators.percent),
}
#: The measures of labels that can be explained.
EXPLAINED = tuple(EXPLAINERS)
#: Works out a measured coefficient of another kind of data: the name of its module here, and of the function.
Board = tuple[str, str]
#: Those of other kinds of data; the first is explained unless another is named.
EXPLAINERS_OF: dict[str, dict[str, tuple[Name, Board]]] = {
    "spans": {"span-f1": (Name("F1"), ("spans", "span_f1")), "alpha-u": (Name("α"), ("spans", "u_alpha"))},
}


def explain(
    data: Any, measure: str | None = None, *, label_against_rest: str | None = None, **options: Any
) -> Explanation:
    """Explain a coefficient: observed and expected agreement step by step, with the numbers of the data put in.

    Parameters
    ----------
    data : Annotations, or whatever they can be made from
        A path, a DataFrame with the columns item, annotator and label, a 2-D array of items x annotators.
    measure : str, optional
        cohen-kappa, scott-pi, fleiss-kappa, krippendorff-alpha, gwet-ac, brennan-prediger or percent-agreement. Unless given
        Cohen's kappa for two annotators, else Krippendorff's alpha. Of spans: span-f1, or alpha-u.
    label_against_rest : str, optional
        Explain the agreement on this label, all others taken as one.
    **options
        scale, weights, order and the measure's own options, as when it is measured.

    Returns
    -------
    Explanation
        Print it, save it as .html, .md or .tex, or take its `text`, `markdown` or `latex`.

    Examples
    --------
    >>> import assent
    >>> table = assent.Annotations.from_contingency([[20, 5], [10, 15]], labels=["pos", "neg"])
    >>> why = explain(table, "cohen-kappa", order=["pos", "neg"])
    >>> for step in why.steps:
    ...     print(step.formulas[-1].text)
    Aₒ = (20 + 15) / 50 = 35 / 50 = 0.70
    Aₑ = 0.30 + 0.20 = 0.50
    κ = (Aₒ − Aₑ) / (1 − Aₑ) = (0.70 − 0.50) / (1 − 0.50) = 0.20 / 0.50 = 0.40
    """
    whatever = as_dataset(data)
    known = next((EXPLAINERS_OF[kind] for kind in whatever.kinds if kind in EXPLAINERS_OF), None)
    if known is not None:
        if label_against_rest is not None:
            raise OptionError(
                "`label_against_rest` is about labels of items: for spans name the label with `span_label`."
            )
        return _of_kind(whatever, find(measure or next(iter(known))), known, options)
    data = as_annotations(whatever)
    found = find(measure or ("cohen-kappa" if data.n_annotators == 2 else "krippendorff-alpha"))
    if found.name not in EXPLAINERS:
        raise UnsuitableData(f"{found.name} cannot be explained step by step; these can: {', '.join(EXPLAINED)}.")
    order = options.pop("order", None)
    if order is not None:
        data = data.ordered(order)
    whole, title = data, found.title
    steps: tuple[Step, ...] = ()
    if label_against_rest is not None:
        data, steps = _against_rest(data, label_against_rest, options)
        title = f"{found.title}: {shown(label_against_rest)} against the rest"
    agreement = found(data, **options)
    worked = work_out(found, agreement, options)
    return Explanation(
        data=whole,
        title=title,
        measure=found.name,
        value=agreement.value,
        observed=agreement.observed,
        expected=agreement.expected,
        steps=(*steps, *worked.steps),
        interpretation=_interpretation(agreement, worked),
        notes=(*agreement.notes, *(f"Left out: {counted(one.rows, 'row')}, {one.reason}." for one in data.dropped)),
        label_against_rest=label_against_rest,
        options=agreement.options,
    )


def _of_kind(
    data: Dataset,
    measure: Measure,
    known: dict[str, tuple[Name, Board]],
    options: dict[str, Any],
) -> Explanation:
    """Explain a measure of another kind of data than labels."""
    if measure.name not in known:
        raise UnsuitableData(
            f"{measure.name} cannot be explained step by step for {data.kind}; these can: {', '.join(known)}."
        )
    agreement = measure(data, **options)
    symbol, (module, board) = known[measure.name]
    # Modules of a kind are imported with data of that kind.
    worked: Derivation = getattr(import_module(f"{__name__}.{module}"), board)(agreement, symbol)
    return Explanation(
        data=data,
        title=agreement.title,
        measure=measure.name,
        value=agreement.value,
        observed=agreement.observed,
        expected=agreement.expected,
        steps=worked.steps,
        interpretation=_interpretation(agreement, worked),
        notes=(*agreement.notes, *(f"Left out: {counted(one.rows, 'row')}, {one.reason}." for one in data.dropped)),
        options=agreement.options,
    )


def _interpretation(agreement: Agreement, worked: Derivation) -> str | None:
    """Say what the value is called, in the light of its interval."""
    if worked.value is None or not agreement.chance_corrected:
        return None
    low = high = None
    # Very many labels are refused an analytic interval; the value has a word all the same.
    with suppress(OptionError):
        interval = agreement.confidence_interval()
        low, high = interval.low, interval.high
    words = interpret(agreement.value, low, high, scale=usual_scale(agreement.measure))
    sign, rounded = two_decimals(worked.value)
    return f"{as_text(worked.symbol)} {sign} {as_text(rounded)} is {words.sentence}."


def work_out(measure: Measure, agreement: Agreement, options: dict[str, Any]) -> Derivation:
    """Work out a measured coefficient anew, in fractions."""
    data = agreement.data
    agree = agreement_weights(
        data.labels,
        scale=options.get("scale") or measure.scales[0],
        weights=options.get("weights"),
        ordered=data._order_given,
        decimal=data._decimal,
        krippendorff=measure.krippendorff,
    )
    symbol, board = EXPLAINERS[measure.name]
    if measure.name == "gwet-ac" and agree.name != "identity":
        symbol = Name("AC", "2")
    return board(Inputs(agreement=agreement, agree=agree, symbol=symbol))


def _against_rest(data: Annotations, label: str, options: dict[str, Any]) -> tuple[Annotations, tuple[Step, ...]]:
    """Take all labels but one as one, and show how."""
    scale, weights = options.get("scale"), options.get("weights")
    plain = weights is None or (isinstance(weights, str) and weights == "identity")
    if scale not in (None, "nominal") or not plain:
        raise OptionError("A label against the rest is nominal: leave out the scale and the weights.")
    binary = data._binarize(label)
    if data.n_annotators == 2 and data._comparable_ratings.n_items:
        ratings = data._comparable_ratings
        return binary, (two_annotators.against_rest(Confusion.of(ratings), label, ratings.annotators),)
    sentence = f"All labels but {shown(label)} are taken as one."
    return binary, (Step(heading="One label against the rest", sentences=(sentence,), preparation=True),)
