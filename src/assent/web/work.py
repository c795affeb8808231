"""What a page shows of a session's data in a state: each is worked out once, by the public functions."""

from __future__ import annotations

import csv
import inspect
import io
import math
from collections.abc import Mapping, Sequence
from functools import cache, wraps
from typing import Any

from msgspec.structs import asdict, replace

import assent
from assent.analyses.consensus.registry import METHODS
from assent.analyses.recommend import Recommendation, recommend
from assent.data import Annotations, Dataset
from assent.data.judge_names import runs_of_judges
from assent.documents import Result
from assent.errors import AssentError, InputError, OptionError, choose
from assent.measures import Measure, all_measures, find
from assent.measures.results import Agreement, Interval
from assent.option_texts import comma_joined, comma_separated, named_groups
from assent.readers.opened import open_data
from assent.records import Struct
from assent.registry import Option
from assent.scales import SCALES, WEIGHTS
from assent.text import interval as interval_text
from assent.text import level as level_text
from assent.text import shown
from assent.text import value as value_text
from assent.web.jobs import still_wanted
from assent.web.sessions import Session
from assent.web.states import CLEANING, LEVERS, SHARED, State
from assent.web.verbs import Field, Verb, converted, own_fields, reading_fields, verbs

__all__ = [
    "Change",
    "Value",
    "change_of",
    "columns_of",
    "commands_of",
    "data_of",
    "fitting_measures",
    "look_of",
    "more_fields",
    "question_of",
    "result_of",
]

#: Options that hold the name of a column which is kept beside the annotations.
_KEPT = frozenset(
    one.name for verb in verbs().values() for one in verb.fields if one.source == "columns" and one.name not in reading_fields()
)  # fmt: skip


#: Options that change how sure a number is, not the number.
_INTERVAL = ("ci", "bootstrap", "level", "replicates", "seed")


class Value(Struct, frozen=True, kw_only=True):
    """A coefficient with its interval, as numbers and as texts; the interval may be still to come (`waits`)."""

    title: str
    agreement: Agreement
    interval: Interval | None
    waits: bool = False

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """The ends of the interval."""
        return (None, None) if self.interval is None else (self.interval.low, self.interval.high)

    @property
    def text(self) -> str:
        """The value."""
        return value_text(self.agreement.value, *self.ends)

    @property
    def between(self) -> str:
        """The interval."""
        return "" if self.interval is None else interval_text(*self.ends)

    @property
    def method(self) -> str:
        """Which interval it is."""
        return "" if self.interval is None else f"{level_text(self.interval.level)} interval ({self.interval.method})"

    @property
    def notes(self) -> list[str]:
        """What a reader must know."""
        return [*self.agreement.notes, *(self.interval.notes if self.interval is not None else ())]


class Change(Struct, frozen=True, kw_only=True):
    """The number after and before what was changed, and the difference with its interval."""

    after: Value
    among_people: bool = False
    before: Value | None = None
    difference: str = ""
    between: str = ""
    refused: str = ""

    @property
    def unlike(self) -> bool:
        """Whether two coefficients are compared, since another one is to be quoted now."""
        return self.before is not None and self.before.agreement.measure != self.after.agreement.measure


def look_of(session: Session, state: State) -> Any:
    """Return how the files of a session are read, before anything is changed in labels and annotators."""
    said = state.only(reading_fields()).without(CLEANING)

    def look() -> Any:
        reading = {name: value for name, value in asdict(said.reading()).items() if name not in ("runs",)}
        return assent.look(*_sources(session), **reading)

    return session.once(("look", said), look)


def data_of(session: Session, state: State, *, other: bool = False) -> Dataset:
    """Return the data of a state: files are read once, and what is changed in labels and annotators is changed in what was read."""
    whole = _read(session, state, other=other).data
    said, columns = _read_as(state)
    changed = state.only((*CLEANING, "order"))
    if not changed.said:
        return whole
    made: Dataset = session.once(("view", said, columns, other, changed), lambda: _changed(whole, changed))
    return made


def question_of(session: Session, state: State) -> str:
    """Return which question the data are, if they hold several."""
    several = [one.name for one in look_of(session, state).questions if one.name]
    return _read(session, state).question if len(several) > 1 else ""


def columns_of(session: Session, state: State) -> tuple[list[str], bool]:
    """Return the columns that can be chosen, and whether some of them may be the items, annotators and labels: an export says which these are."""
    beside = _read(session, state).beside if session.files else None
    return (list(look_of(session, state).header), True) if beside is None else (beside, False)


class _Read(Struct, frozen=True):
    """Data as they were read, which question they are, and what an export keeps beside its answers."""

    data: Dataset
    question: str
    beside: list[str] | None


def _read_as(state: State) -> tuple[State, tuple[str, ...]]:
    """Return what is said on reading, and which columns are kept beside the annotations."""
    columns = dict.fromkeys(text for name in sorted(_KEPT) for text in state.texts(name))
    return state.only(reading_fields()).without(CLEANING), tuple(columns)


def _read(session: Session, state: State, *, other: bool = False) -> _Read:
    """Return what was read, once."""
    said, columns = _read_as(state)
    if other and not session.others:
        raise InputError("There is no second file yet: add one to compare with.")

    def read() -> _Read:
        opened = open_data(_sources(session, other=other), said.reading(columns))
        question = opened.question
        return _Read(opened.one(), question, None if opened.export is None else opened.export.beside(question))

    return session.once(("read", said, columns, other), read)


def _changed(whole: Dataset, state: State) -> Any:
    data = state.reading().cleaned(whole)
    order = state.text("order")
    return data.ordered(comma_separated(order)) if order is not None and isinstance(data, Annotations) else data


def _sources(session: Session, *, other: bool = False) -> list[Any]:
    files = session.others if other else session.files
    if not files:
        raise InputError("There is no file yet: drop one, paste a table or take an example.")
    return [one.opened() for one in files]


def fitting_measures(data: Dataset) -> list[Measure]:
    """Return the coefficients that take such data."""
    sets = "label-sets" in data.kinds
    return [
        one
        for one in all_measures().values()
        if one.kind in data.kinds and one.n_annotators in (None, data.n_annotators) and (sets or not one.label_sets)
    ]


def measure_of(session: Session, state: State) -> str:
    """Return which coefficient is shown: the one that was chosen, or the one to quote."""
    chosen = state.text("measure")
    if chosen is not None:
        return find(chosen).name
    return _recommended(session, state).quote


def _judges(session: Session, state: State) -> list[str]:
    """Return the annotators who were named as judges, and the runs of these."""
    named = [one for text in state.texts("judge") for one in comma_separated(text)]
    known = data_of(session, state).annotators or () if named else ()
    runs = runs_of_judges(known, named)
    apart = dict.fromkeys([*named, *(run for some in runs.values() for run in some)])
    return [one for one in known if one in apart]


def _people(session: Session, state: State) -> Dataset:
    """Return the data that the number is about: people, where judges stand beside two of them or more."""
    data = data_of(session, state)
    return data.without_annotators(_judges(session, state)) if _among_people(session, state) else data


def _among_people(session: Session, state: State) -> bool:
    judges = _judges(session, state)
    return bool(judges) and len(data_of(session, state).annotators or ()) - len(judges) > 1


def _recommended(session: Session, state: State) -> Recommendation:
    """Return which coefficient to quote; every part of a page asks, of the same data."""
    said = state.text("ambiguity")
    known = state.only((*reading_fields(), *_KEPT, "order", "judge", "scale", "weights", "ambiguity"))
    made: Recommendation = session.once(
        ("recommended", known),
        lambda: recommend(
            _people(session, state),
            scale=_scale(state),
            weighted=state.text("weights") is not None,
            ambiguity=None if said is None else said == "yes",
        ),
    )
    return made


def more_fields(session: Session, verb: Verb, state: State) -> list[Field]:
    """Return the options of the coefficient that is shown, and of the method that was chosen."""
    made = own_fields(_own(session, state))
    method = state.text("method") if verb.by_method else None
    if method is not None:
        made += own_fields(METHODS.find(method).parameters)
    # What reading has of the same name is reading's.
    return [one for one in made if one.name not in reading_fields()]


def commands_of(session: Session, verb: Verb, state: State) -> list[str]:
    """Return the command line that says what a page does, and that of the number above it where the first one has another."""
    more = more_fields(session, verb, state)
    files = _named(session)
    state = _asked(session, state)
    beside = verb.several and not state.texts("groups") and state.text("by") is None
    # Several files that are one data set cannot be told from several data sets.
    if beside and session.others and len(session.files) + len(session.others) > 2:
        made = []
    else:
        made = [state.command(verb, [*files, *(one.name for one in session.others if beside)], more)]
    if not state.beyond(verb, more):
        return made
    apart = (
        [("without", f"annotators={comma_joined(_judges(session, state))}")] if _among_people(session, state) else []
    )
    return [*made, State((*state.said, *apart)).command(verbs()["measure"], files, more)]


def _asked(session: Session, state: State) -> State:
    """Return a state that names the question which is shown: a command that does not takes them all, or its own first."""
    try:
        name = question_of(session, state)
    except AssentError:
        name = ""
    return State((*state.said, ("question", name))) if name and state.text("question") is None else state


def _named(session: Session) -> list[str]:
    """Return how a command names the data."""
    if session.typed:
        labels, *rows = csv.reader(io.StringIO(session.files[0].content.decode()))
        return ["--table", ";".join(",".join(row[1:]) for row in rows), "--labels", comma_joined(labels[1:])]
    return ["--example", session.example] if session.example else [one.name for one in session.files] or ["FILE"]


def value_of(session: Session, state: State, *, sure: bool = True) -> Value:
    """Return the coefficient of a state with its interval, or without it if that is still to come."""
    if not sure:
        agreement = _agreement_of(session, state)
        return Value(title=agreement.title, agreement=agreement, interval=None, waits=state.text("ci") != "none")
    return session.once(
        ("value", state.only((*reading_fields(), *SHARED, "judge", *_own(session, state)))),
        lambda: _value(session, state),
    )


def _own(session: Session, state: State) -> Mapping[str, Option]:
    """Return the options of the coefficient that is shown; none if there is none to show."""
    if state.text("measure") is None:
        try:
            return find(measure_of(session, state)).parameters
        except AssentError:
            return {}
    return find(str(state.text("measure"))).parameters


def _agreement(session: Session, state: State) -> Agreement:
    data = _people(session, state)
    name = measure_of(session, state)
    measure = find(name)
    said = [one for one in own_fields(_own(session, state)) if state.text(one.name) is not None]
    options: dict[str, Any] = {one.name: converted(one, state.texts(one.name)) for one in said}
    if not options and state.text("measure") is None:
        options = dict(_recommended(session, state).options.get(name, {}))
    made = _stoppable(measure)(data, scale=_scale(state), weights=_weights(state), **options)
    # The interval of the number and that of the difference weigh the same items and pseudo-item.
    return made if made.padded is None else replace(made, padded=cache(made.padded))


def _stoppable(measure: Measure) -> Measure:
    """Return a coefficient that asks, whenever it is evaluated anew for an interval, whether anybody still waits for it."""

    @wraps(measure.function)
    def asking(*given: Any, **options: Any) -> Any:
        still_wanted()
        return measure.function(*given, **options)

    return replace(measure, function=asking)


def _agreement_of(session: Session, state: State) -> Agreement:
    """Return the coefficient of a state, whatever is asked of its interval."""
    own = _own(session, state)
    known = state.only((*reading_fields(), *SHARED, "judge", *own)).without(_sureness(own))
    return session.once(("agreement", known), lambda: _agreement(session, state))


def _value(session: Session, state: State) -> Value:
    agreement = _agreement_of(session, state)
    ci = state.text("ci") or "etel"
    how: dict[str, Any] = {
        "kind": state.text("bootstrap") or "bca",
        "replicates": _replicates(state),
        "seed": _seed(state),
    }
    made = None if ci == "none" else agreement.confidence_interval(_level(state), method=ci, **how)
    return Value(title=agreement.title, agreement=agreement, interval=made)


def _sureness(own: Mapping[str, Option]) -> list[str]:
    """Return the options that change how sure a number is: a seed may be that of the coefficient itself."""
    return [name for name in _INTERVAL if name not in own]


def _level(state: State) -> float:
    said = state.text("level") or "0.95"
    try:
        level = float(said)
    except ValueError:
        level = 0.0
    if not 0 < level < 1:
        raise OptionError(f"`level` is {shown(said)}; it must lie between 0 and 1, as 0.95 does.")
    return level


def _seed(state: State) -> int:
    said = state.text("seed") or "0"
    if not said.isdecimal() or len(said) > 18:
        raise OptionError(f"`seed` is {shown(said)}; it must be a whole number that is not negative.")
    return int(said)


def _replicates(state: State) -> int:
    field = next(one for one in verbs()["measure"].fields if one.name == "replicates")
    return int(converted(field, state.texts("replicates") or [str(field.default)]))


def _scale(state: State) -> str | None:
    said = state.text("scale")
    return None if said is None else choose("scale", said, SCALES)


def _weights(state: State) -> str | None:
    """Return agreement weights by name: a request names no file."""
    said = state.text("weights")
    return None if said is None else choose("weights", said, tuple(WEIGHTS))


def change_of(session: Session, state: State, *, sure: bool = True) -> Change:
    """Return the number of a state, the one without what was changed, and the difference with its interval.

    The numbers alone, if not `sure`: intervals can take longer than anybody who moves a lever wants to wait.
    """
    after = value_of(session, state, sure=sure)
    first = State.of(session.settings)
    plain = state.without((*LEVERS, *_own(session, state)))
    before_state = State((*plain.said, *first.only(LEVERS).said))
    if before_state.only(LEVERS).same(state.only((*LEVERS, *_own(session, state)))):
        return Change(after=after, among_people=_among_people(session, state))
    before = value_of(session, before_state, sure=sure)
    # On a nominal scale labels in another order are the same labels.
    alike = math.isclose(after.agreement.value, before.agreement.value, abs_tol=1e-12)
    nominal = state.text("scale") in (None, "nominal") and alike
    kept = _sureness(_own(session, state))
    kept += ["order"] if nominal and state.text("weights") is None else []
    if before_state.without(kept).same(state.without(kept)):
        return Change(after=after, before=before, difference=value_text(0.0), between="the same number")
    if not sure:
        changed = after.agreement.value - before.agreement.value
        return Change(after=after, before=before, difference=value_text(changed, signed=True))
    try:
        gap = assent.difference(after.agreement, before.agreement)
        known = after.interval or before.interval
        made = None if known is None else gap.confidence_interval(known.level, method=known.method)
    except AssentError as error:
        return Change(after=after, before=before, refused=str(error))
    low, high = (None, None) if made is None else (made.low, made.high)
    return Change(
        after=after,
        before=before,
        difference=value_text(gap.value, low, high, signed=True),
        between="" if made is None else interval_text(low, high, signed=True),
    )


def result_of(session: Session, verb: Verb, state: State, **hooks: Any) -> Result:
    """Return what the function of a page makes of a state."""
    own = more_fields(session, verb, state)
    more = own if verb.more else []
    state.check(verb, own)
    options = state.options(verb, more)
    # They are applied to the data already, or mean the coefficient of the number above.
    options.pop("order", None)
    known = inspect.signature(verb.function).parameters
    if state.text("weights") and ("weights" in known or verb.by_measure):
        options["weights"] = _weights(state)
    if state.text("scale") and verb.by_measure:
        options["scale"] = _scale(state)
    measures = options.pop("measures", ())
    if state.text("measure") and "measures" in known:
        measures = (state.text("measure"),)
    if "measures" in known and known["measures"].kind is inspect.Parameter.VAR_POSITIONAL:
        result: Result = verb.function(data_of(session, state), *measures, **options, **hooks)
        return result
    if measures:
        options["measures"] = measures
    if "command" in known:
        options["command"] = next(iter(commands_of(session, verb, state)), None)
    inputs: Sequence[Any]
    if verb.several:
        inputs, options = _compared(session, state, options)
    elif verb.reads:
        inputs, options = [_sources(session)], {**options, **_said(state)}
    elif verb.optional and not session.files:
        inputs = []
    else:
        inputs = [data_of(session, state)]
    made: Result = verb.function(*inputs, **options, **hooks)
    return made


def _compared(session: Session, state: State, options: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return the data sets to compare: two files, choices of annotators of one, or one taken apart by a column."""
    groups = state.texts("groups")
    options = {name: value for name, value in options.items() if name != "groups"}
    if options.get("by") is not None:
        return _sources(session), {**options, **_said(state)}
    if groups:
        return [data_of(session, state)], {**options, "groups": named_groups(groups)}
    if not session.others:
        return [data_of(session, state)], options
    names = [", ".join(one.name for one in files) for files in (session.files, session.others)]
    titles = names if names[0] != names[1] else [f"{name} ({place})" for place, name in enumerate(names, 1)]
    return [data_of(session, state), data_of(session, state, other=True)], {**options, "titles": titles}


def _said(state: State) -> dict[str, Any]:
    """Return what was said on how to read."""
    reading = state.only(reading_fields()).reading()
    plain = type(reading)()
    return {name: value for name, value in asdict(reading).items() if value != getattr(plain, name)}
