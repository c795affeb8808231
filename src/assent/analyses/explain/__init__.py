"""Show where a coefficient comes from: the computation as a person would do it on the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from assent.analyses.explain import alpha, many_annotators, pooled, two_annotators, variances
from assent.analyses.explain.arithmetic import rounded_to
from assent.analyses.explain.counting import Confusion
from assent.analyses.explain.formula import Formula, Name, as_text
from assent.analyses.explain.measured import as_measured
from assent.analyses.explain.model import Explanation, Explanations, Step
from assent.analyses.explain.parts import Derivation, Inputs
from assent.analyses.interpretation import interpret, usual_scale
from assent.analyses.recommend import recommend
from assent.analyses.thresholds import BENCHMARKS
from assent.data import Annotations, Dataset, as_dataset
from assent.data.messages import loss
from assent.errors import OptionError
from assent.measures import Measure, find
from assent.measures.results import Agreement
from assent.scales import agreement_weights
from assent.text import digits_to_tell, shown

__all__ = ["EXPLAINED", "Explanation", "Explanations", "Formula", "Step", "explain"]

EXPLAINERS: dict[str, tuple[Name, Callable[[Inputs], Derivation]]] = {
    "cohen-kappa": (Name("κ"), two_annotators.cohen),
    "scott-pi": (Name("π"), two_annotators.scott),
    "fleiss-kappa": (Name("κ"), many_annotators.fleiss),
    "krippendorff-alpha": (Name("α"), alpha.krippendorff),
    "gwet-ac": (Name("AC", "1"), many_annotators.gwet),
    "brennan-prediger": (Name("BP"), many_annotators.brennan),
    "percent-agreement": (Name("A", "o"), many_annotators.percent),
    "conger-kappa": (Name("κ"), pooled.conger),
    "van-oest": (Name("κ"), pooled.van_oest),
    "spa": (Name("A", "o"), pooled.spa),
    "spa-kappa": (Name("κ"), pooled.spa_kappa),
    "icc": (Name("ICC"), variances.icc),
    "lin-concordance": (Name("ρ"), variances.lin),
}
#: The measures of labels that are worked out by hand; the others are explained by their definition and what was measured.
EXPLAINED = tuple(EXPLAINERS)
#: Kinds of items whose numbers are added up as fractions.
LONGEST = 20_000
#: Works out a measured coefficient of another kind of data: the name of its module here, and of the function.
Board = tuple[str, str]
#: Those of other kinds of data; the first is explained unless another is named.
EXPLAINERS_OF: dict[str, dict[str, tuple[Name, Board]]] = {
    "spans": {"span-f1": (Name("F1"), ("spans", "span_f1")), "alpha-u": (Name("α"), ("spans", "u_alpha"))},
    "rankings": {
        "mean-spearman": (Name("ρ"), ("rankings", "mean_spearman")),
        "mean-kendall": (Name("τ"), ("rankings", "mean_kendall")),
        "kendall-w": (Name("W"), ("rankings", "kendall_w")),
    },
}


def explain(
    data: Any, *measures: str | None, label_against_rest: str | None = None, **options: Any
) -> Explanation | Explanations:
    """Explain a coefficient: observed and expected agreement step by step, with the numbers of the data put in.

    Parameters
    ----------
    data : Annotations, or whatever they can be made from
        A path, a DataFrame with the columns item, annotator and label, a 2-D array of items x annotators.
    *measures : str
        Names of coefficients. Unless given, the one that `measure` says to quote; of sets of labels Cohen's kappa for two annotators,
        else Krippendorff's alpha. Several are explained side by side. Those in `EXPLAINED` are worked out by hand; of the others the
        definition and the measured numbers are shown.
    label_against_rest : str, optional
        Explain the agreement on this label, all others taken as one.
    **options
        scale, weights, order and the measures' own options, as when they are measured.

    Returns
    -------
    Explanation or Explanations
        Print it, save it as .html, .md or .tex, or take its `text`, `markdown` or `latex`. `Explanations` if several measures are named.

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
    >>> [round(one.expected, 3) for one in explain(table, "cohen-kappa", "gwet-ac").explanations]
    [0.5, 0.495]
    """
    if "measure" in options:
        raise OptionError('Coefficients are named after the data, as in explain(data, "cohen-kappa").')
    whatever = as_dataset(data)
    if not isinstance(whatever, Annotations):
        known = next((EXPLAINERS_OF[kind] for kind in whatever.kinds if kind in EXPLAINERS_OF), {})
        if label_against_rest is not None:
            raise OptionError(
                "`label_against_rest` is about labels of items: for spans name the label with `span_label`."
            )
        usual = next(iter(known), None) or recommend(whatever).quote
        some = [_of_kind(whatever, find(name or usual), known, options) for name in measures or (usual,)]
        return some[0] if len(some) == 1 else Explanations(data=whatever, explanations=tuple(some))
    data = whatever
    order = options.pop("order", None)
    if order is not None:
        data = data.ordered(order)
    usual = _usual(data, options)
    found = list({one.name: one for one in (find(name or usual) for name in measures or (usual,))}.values())
    for one in found:
        if one.kind != "labels":
            # Says which data it takes.
            one(data)
    _check_owned(options, found)
    made = [_explained(data, one, label_against_rest, options, alone=len(found) == 1) for one in found]
    return made[0] if len(made) == 1 else Explanations(data=data, explanations=tuple(made))


def _usual(data: Annotations, options: Mapping[str, Any]) -> str:
    """Return the coefficient to quote, if it is worked out by hand and takes what is asked of it."""
    two = data.n_annotators == 2 and _takes("cohen-kappa", options)
    usual = "cohen-kappa" if two else "krippendorff-alpha"
    if find(usual).unsuitable(data, options.get("scale")) is not None:
        # It says what is wrong with the scale.
        return usual
    quote = recommend(data, scale=options.get("scale"), weighted=options.get("weights") is not None).quote
    return quote if quote in EXPLAINERS and _takes(quote, options) else usual


def _takes(name: str, options: Mapping[str, Any]) -> bool:
    """Tell whether a measure has all of some options."""
    return {*options} <= {"scale", "weights", *find(name).parameters}


def _check_owned(options: dict[str, Any], measures: Sequence[Measure]) -> None:
    """Refuse an option that none of several measures has; each gets its own ones."""
    for name in options:
        if (
            name not in ("scale", "weights")
            and len(measures) > 1
            and not any(name in one.parameters for one in measures)
        ):
            raise OptionError(
                f"`{name}` is an option of none of {', '.join(one.name for one in measures)}: leave it out."
            )


def _explained(
    whole: Annotations, found: Measure, label: str | None, given: dict[str, Any], *, alone: bool
) -> Explanation:
    """Explain one coefficient."""
    options = (
        dict(given)
        if alone
        else {name: value for name, value in given.items() if name in ("scale", "weights") or name in found.parameters}
    )
    data = whole
    steps: tuple[Step, ...] = ()
    if label is not None:
        data, steps = _against_rest(data, label, options)
    agreement = found(data, **options)
    title = agreement.title if label is None else f"{agreement.title}: {shown(label)} against the rest"
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
        notes=(*agreement.notes, *(f"Left out: {loss(one.reason, one.rows)}." for one in data.dropped)),
        label_against_rest=label,
        options=agreement.options,
    )


def _of_kind(
    data: Dataset,
    measure: Measure,
    known: dict[str, tuple[Name, Board]],
    options: dict[str, Any],
) -> Explanation:
    """Explain a measure of another kind of data than labels."""
    agreement = measure(data, **options)
    if measure.name in known:
        symbol, (module, board) = known[measure.name]
        # Modules of a kind are imported with data of that kind.
        worked: Derivation = getattr(import_module(f"{__name__}.{module}"), board)(agreement, symbol)
    else:
        worked = as_measured(measure, agreement, Name(measure.title))
    return Explanation(
        data=data,
        title=agreement.title,
        measure=measure.name,
        value=agreement.value,
        observed=agreement.observed,
        expected=agreement.expected,
        steps=worked.steps,
        interpretation=_interpretation(agreement, worked),
        notes=(*agreement.notes, *(f"Left out: {loss(one.reason, one.rows)}." for one in data.dropped)),
        options=agreement.options,
    )


def _interpretation(agreement: Agreement, worked: Derivation) -> str | None:
    """Say what the value is called, in the light of its interval."""
    if worked.value is None or not agreement.chance_corrected or not find(agreement.measure).graded:
        return None
    low = high = None
    # Very many labels are refused an analytic interval; the value has a word all the same.
    with suppress(OptionError):
        interval = agreement.confidence_interval()
        low, high = interval.low, interval.high
    usual = usual_scale(agreement.measure)
    words = interpret(agreement.value, low, high, scale=usual)
    sign, rounded = rounded_to(worked.value, digits_to_tell(agreement.value, BENCHMARKS[usual].word))
    return f"{as_text(worked.symbol)} {sign} {as_text(rounded)} is {words.sentence}."


def _by_hand(name: str, agreement: Agreement) -> bool:
    """Tell whether a coefficient is worked out by hand: not where its weights are no whole numbers, labels have a distance, or its table is long."""
    if agreement.options.get("distance", "nominal") != "nominal":
        return False
    if name in ("spa", "spa-kappa"):
        return pooled.can_explain_sparse(dict(agreement.options))
    return name in EXPLAINERS and (
        name not in ("icc", "lin-concordance") or len(agreement.profiles.multiplicities) <= LONGEST
    )


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
    if not _by_hand(measure.name, agreement):
        return as_measured(measure, agreement, Name(measure.title))
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
