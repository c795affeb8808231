"""What the forms of a page show: the columns and their roles, the labels in their order, the annotators, and options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from assent.analyses.consensus.registry import METHODS
from assent.analyses.look import Look
from assent.analyses.look.document import remarks
from assent.data import Annotations, Dataset
from assent.errors import AssentError
from assent.limits import INTERVAL_METHODS, WEB_LABELS, WEB_NAMES
from assent.option_texts import comma_separated
from assent.readers.kinds import layout_names
from assent.records import Struct
from assent.scales import SCALES, WEIGHTS
from assent.web import work
from assent.web.sessions import Session
from assent.web.states import CLEANING, State
from assent.web.verbs import Field, Verb, own_fields, reading_fields

__all__ = ["Control", "Form", "LabelLine", "columns_of", "form_of"]

#: Roles that have a menu of columns each; the others of reading are behind a fold.
ROLES = ("item", "annotator", "label", "cluster")
SPAN_ROLES = ("item", "annotator", "start", "end", "label")
#: What is always asked of the reading besides; the first if there are several questions, the third if there are several files.
ALWAYS = ("question", "layout", "annotator_from_name", "multilabel", "missing")
#: What controls are called where the name of the option alone says too little.
CALLED = {
    "annotator_from_name": "annotator from",
    "by": "groups",
    "ci": "interval",
    "groups": "groups of annotators",
    "layout": "kind of table",
    "level": "confidence",
    "measure": "coefficient",
    "missing": "missing texts",
    "multilabel": "several labels",
    "task": "kind of task",
    "text": "text of the items",
    "who": "who said what",
    "words": "scale of words",
}
#: What controls are for where the function says it to those who program.
HELP = {
    "item": "Column that names what was labelled; several that name it together are given as doc,sentence.",
    "annotator": "Column that says who labelled; a wide table has a column for each of them instead.",
    "label": "Column with what they said.",
    "by": "Column that takes the items apart into groups.",
    "ci": "How the interval is made; tilted weights are right for few items, too.",
    "distance": "How labels are compared that are more than names, such as texts or boxes.",
    "measures": "Coefficients to measure; without any, those that fit the data.",
    "method": "How it is worked out.",
    "only": "What is kept, as in annotators=ann,bob or labels=yes,no.",
    "order": "The labels from the lowest to the highest.",
    "repeat": "Column that counts how often an annotator has seen an item.",
    "run": "Column that tells runs of a judge apart.",
    "scale": "How labels differ: as names, by their order, or by how far apart their numbers are.",
    "sort": "What comes first.",
    "text": "Column with the content of the items, to be shown with them.",
    "time": "Column with the time of each annotation: dates and times, or numbers.",
    "without": "What is left out, as in annotators=ann,bob or labels=unsure.",
}
#: What values are called.
VALUES = {"etel": "tilted weights (etel)", "(.*)": "the name of the file"}
#: Options that take several texts, each with a line of its own, and how many lines there are at least.
LINES = {"groups": 2}


class Control(Struct, frozen=True, kw_only=True):
    """A control with what was said and what it can be."""

    field: Field
    texts: Sequence[str] = ()
    #: Values and what they are called.
    choices: Sequence[tuple[str, str]] = ()
    found: str = ""

    @property
    def unsaid(self) -> str:
        """What stands there if nothing was said."""
        if self.found:
            return f"{self.found} (found)"
        known = self.field.default
        if isinstance(known, bool):
            return "yes" if known else "no"
        return VALUES.get(known, known) if isinstance(known, str) and known else "–"

    @property
    def title(self) -> str:
        """What it is called."""
        return CALLED.get(self.field.name, self.field.title)

    @property
    def help(self) -> str:
        """What it is for."""
        return HELP.get(self.field.name, self.field.help)

    @property
    def lines(self) -> list[str]:
        """What stands in each of its lines; empty if it has one."""
        least = LINES.get(self.field.name, 0)
        return [*self.texts, *[""] * max(1, least - len(self.texts))] if least else []

    @property
    def text(self) -> str:
        """What was said."""
        return self.texts[-1] if self.texts else ""


class LabelLine(Struct, frozen=True, kw_only=True):
    """A label of the data: how often it was given, what it is taken as, and whether it is kept."""

    label: str
    many: int | None
    name: str
    kept: bool


class Form(Struct, frozen=True, kw_only=True):
    """Everything that can be changed about a state.

    Parameters
    ----------
    about : str
        What the data are, in a line.
    question, questions : str, int
        Which question they are, and of how many; empty and 0 if there is one.
    roles, reading, scale, value, own : list of Control
        Which column is what; how to read; scale and groups; the coefficient and its interval; the options of the page.
    labels : list of LabelLine
        In their order; empty if there are too many for a list.
    annotators : list of (name, kept)
    left_out, notes : list of str
        What was left out of the data, and what was recognised.
    ordered : bool
        The order of the labels was given.
    orders, drops : bool
        Labels of such data can be put into an order, and be left out.
    read : bool
        The data were read.
    names, all_labels, groups : sequence of str
        Names by which charts and tables lead to items: annotators, labels as they are called now, values of the column of groups.
    """

    about: str = ""
    question: str = ""
    questions: int = 0
    roles: Sequence[Control] = ()
    reading: Sequence[Control] = ()
    scale: Sequence[Control] = ()
    value: Sequence[Control] = ()
    own: Sequence[Control] = ()
    labels: Sequence[LabelLine] = ()
    annotators: Sequence[tuple[str, bool]] = ()
    left_out: Sequence[tuple[str, int]] = ()
    notes: Sequence[str] = ()
    ordered: bool = False
    orders: bool = False
    drops: bool = False
    read: bool = False
    kind: str = ""
    names: Sequence[str] = ()
    all_labels: Sequence[str] = ()
    groups: Sequence[str] = ()


def _scaled(look: Look, state: State) -> Look:
    """Return how files were read, without what was left out, which is told by itself, and what is settled by the scale that was chosen."""
    numbers = state.text("scale") is not None
    words = numbers and state.text("order") is not None
    questions = tuple(
        replace(one, numeric=one.numeric and not numbers, order=() if words else one.order) for one in look.questions
    )
    return replace(look, dropped=(), questions=questions)


def form_of(session: Session, verb: Verb, state: State) -> Form:
    """Return the forms of a page; they are there as well if the data cannot be read as was said."""
    try:
        look = work.look_of(session, state)
    except AssentError:
        look = work.look_of(session, State())
    try:
        whole: Dataset | None = work.data_of(session, state.without((*CLEANING, "order")))
    except AssentError:
        whole = None
    try:
        columns, plain = work.columns_of(session, state)
    except AssentError:
        columns, plain = list(look.header), True
    found = {one.role: one.name for one in look.columns}
    names = {
        "columns": columns,
        "annotators": list((whole.annotators if whole is not None else None) or ()),
        "labels": list(getattr(whole, "single_labels", ()) or getattr(whole, "labels", ())),
        "questions": [one.name for one in look.questions if one.name],
        "methods": list(METHODS.all()),
        "measures": [] if whole is None else [one.name for one in work.fitting_measures(whole)],
    }
    known = reading_fields()
    spans = look.layout == "spans"
    asks = columns and (plain or any(state.text(name) for name in ROLES))
    roles = [] if not asks else [
        _control(known[name], state, names, found=found.get("document" if spans and name == "item" else name, ""))
        for name in (SPAN_ROLES if spans else ROLES)
    ]  # fmt: skip
    asked = {one.field.name for one in roles}
    try:
        question = work.question_of(session, state)
    except AssentError:
        question = ""
    several = {"question": len(names["questions"]) > 1, "annotator_from_name": len(session.files) > 1}
    first = [
        _control(
            _with_choices(known[name]), state, names, found={"layout": look.layout, "question": question}.get(name, "")
        )
        for name in ALWAYS
        if several.get(name, True)
    ]
    # What fits no data of this kind is not asked for, unless the address says it.
    single = whole is None or whole.kind == "labels"
    labelled = single or isinstance(whole, Annotations)
    more = [
        _control(one, state, names)
        for name, one in known.items()
        if name not in asked
        and name not in (*ALWAYS, *CLEANING)
        and one.kind != "pairs"
        # Which columns an export has is known.
        and (plain or one.source != "columns" or state.text(name))
    ]
    cleaned = _cleaned(state)
    lines, annotators = _lines(whole, look, state, cleaned)
    aside = {"scale", "order", "measure", "measures", "ci", "level", "text", "by", "weights", "seed", "method"}
    return Form(
        about="" if whole is None else whole.describe(),
        question=question,
        questions=len(names["questions"]) if question else 0,
        roles=roles,
        reading=[*first, *more],
        scale=[
            *([_control(_SCALE, state, names)] if single or state.text("scale") else []),
            *(
                _control(_field(name, verb), state, names)
                for name in ("text", "by")
                if (columns and labelled) or state.text(name)
            ),
        ],
        value=[
            _control(one, state, names)
            for one in (_MEASURE, *_measure_fields(session, verb, state), _CI, _LEVEL, _WEIGHTS)
            if one is not _WEIGHTS or labelled or state.text("weights")
        ],
        own=[
            *([_control(_METHOD, state, names)] if verb.by_method else []),
            *(_control(one, state, names) for one in (_method_fields(state) if verb.by_method else ())),
            *(
                _control(one, state, names)
                for one in verb.fields
                if one.name not in aside or (one.name == "method" and not verb.by_method)
            ),
        ],
        labels=lines,
        annotators=annotators,
        left_out=[(one.reason, one.rows) for one in (() if whole is None else whole.dropped)],
        notes=list(dict.fromkeys((*remarks(_scaled(look, state)), *(() if whole is None else whole.notes)))),
        ordered=state.text("order") is not None,
        orders=single,
        drops=whole is not None and whole.kind != "label-sets",
        read=whole is not None,
        kind="" if whole is None else whole.kind,
        names=names["annotators"][:WEB_NAMES],
        all_labels=_labels_now(session, state)[:WEB_NAMES],
        groups=_groups(session, state)[:WEB_NAMES],
    )


def columns_of(session: Session, state: State) -> list[str]:
    """Return what can be shown with items: columns of a table, or what an export keeps; none if it cannot be read."""
    try:
        return work.columns_of(session, state)[0]
    except AssentError:
        return []


def _labels_now(session: Session, state: State) -> list[str]:
    try:
        data = work.data_of(session, state)
    except AssentError:
        return []
    return [str(one) for one in getattr(data, "single_labels", ()) or getattr(data, "labels", ())]


def _groups(session: Session, state: State) -> list[str]:
    by = state.text("by")
    if by is None:
        return []
    try:
        data = work.data_of(session, state)
        return [text for _, text, _ in data._groups(by) if text is not None] if isinstance(data, Annotations) else []
    except AssentError:
        return []


_SCALE = Field(
    name="scale", kind="choice", choices=SCALES, default="nominal", help="Level of measurement; nominal if not given."
)
_MEASURE = Field(
    name="measure",
    kind="choice",
    source="measures",
    default="the one to quote",
    help="The coefficient; the one to quote if not given.",
)
_METHOD = Field(
    name="method",
    kind="choice",
    source="methods",
    default="majority",
    help="How labels are kept; majority if not given.",
)
_CI = Field(
    name="ci",
    kind="choice",
    choices=(*INTERVAL_METHODS, "none"),
    default=INTERVAL_METHODS[0],
    help="How intervals are made.",
)
_LEVEL = Field(name="level", kind="number", default=0.95, help="Confidence level of intervals; 0.95 if not given.")
_WEIGHTS = Field(
    name="weights",
    kind="choice",
    default="those of the scale",
    choices=tuple(WEIGHTS),
    help="Agreement weights, in place of those of the scale.",
)


def _field(name: str, verb: Verb) -> Field:
    found = next((one for one in verb.fields if one.name == name), None)
    return found or Field(name=name, kind="text", source="columns", help="")


def _with_choices(field: Field) -> Field:
    choices = {"layout": tuple(layout_names()), "annotator_from_name": ("(.*)",)}.get(field.name)
    return field if choices is None else replace(field, kind="choice", choices=choices)


def _measure_fields(session: Session, verb: Verb, state: State) -> list[Field]:
    methods = {one.name for one in _method_fields(state)} if verb.by_method else set()
    try:
        return [one for one in work.more_fields(session, verb, state) if one.name not in methods]
    except AssentError:
        return []


def _method_fields(state: State) -> list[Field]:
    named = state.text("method")
    try:
        return [] if named is None else own_fields(METHODS.find(named).parameters)
    except AssentError:
        return []


def _control(field: Field, state: State, names: dict[str, list[str]], found: str = "") -> Control:
    texts = state.texts(field.name)
    choices = [(one, VALUES.get(one, one)) for one in (names.get(field.source) or field.choices)]
    if field.kind == "yes-no" or (field.kind == "flag"):
        choices = [("yes", "yes"), ("no", "no")]
    return Control(field=field, texts=texts, choices=choices, found=found)


def _cleaned(state: State) -> Any:
    try:
        return state.only(CLEANING).reading()
    except AssentError:
        return State().reading()


def _lines(
    whole: Dataset | None, look: Any, state: State, cleaned: Any
) -> tuple[list[LabelLine], list[tuple[str, bool]]]:
    if whole is None:
        return [], []
    gone = cleaned.without.get("annotators", ())
    annotators = [(name, name not in gone) for name in whole.annotators or ()]
    if not isinstance(whole, Annotations) and not hasattr(whole, "labels"):
        return [], annotators[:WEB_LABELS]
    labels = [str(one) for one in getattr(whole, "single_labels", ()) or getattr(whole, "labels", ())]
    counts = {label: many for one in look.questions for label, many in one.labels}
    merged = {old: new for new, some in cleaned.merge.items() for old in some}
    names: dict[str, str] = {label: label for label in labels} | {**cleaned.rename, **merged}
    order = comma_separated(state.text("order") or "")
    place = {name: at for at, name in enumerate(order)}
    labels.sort(key=lambda label: place.get(names[label], len(place)))
    lines = [
        LabelLine(
            label=label,
            many=counts.get(label),
            name=names[label],
            kept=names[label] not in cleaned.without.get("labels", ()),
        )
        for label in labels
    ]
    return (lines if len(lines) <= WEB_LABELS else []), (annotators if len(annotators) <= WEB_LABELS else [])
