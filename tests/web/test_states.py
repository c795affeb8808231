"""An address and a command line say the same."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
import typer

from assent.cli.app import COMMANDS, program
from assent.errors import AssentError
from assent.web import work
from assent.web.sessions import Session, Upload
from assent.web.states import State
from assent.web.verbs import Verb, reading_fields, verbs

VERBS = verbs()
#: Something that each kind of control can say.
SAID = {"flag": "yes", "yes-no": "yes", "whole": "3", "number": "0.9", "text": "x", "names": "a,b", "pairs": "a,b"}


def test_every_page_is_a_command() -> None:
    assert set(VERBS) <= set(COMMANDS)
    for wanted in ("report", "items", "compare", "judge", "repeat", "plan", "consensus", "explain"):
        assert wanted in VERBS


def _flags(verb: Verb) -> set[str]:
    command = typer.main.get_command(program(verb.name))
    found = getattr(command, "commands", {}).get(verb.name, command)
    return {flag for one in found.params for flag in (*one.opts, *one.secondary_opts)}


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_what_an_address_says_the_command_line_can_say(verb: Verb) -> None:
    flags = _flags(verb)
    for field in verb.fields:
        text = field.choices[-1] if field.choices else "no" if field.default is True else SAID[field.kind]
        words = shlex.split(State(((field.name, text),)).command(verb, ["labels.csv"]))
        assert words[:3] == ["assent", verb.name, "labels.csv"]
        assert words[3].partition("=")[0] in flags, words
    known = reading_fields()
    for name, field in known.items():
        text = field.choices[-1] if field.choices else {"pairs": "labels=x"}.get(field.kind, SAID[field.kind])
        try:
            words = shlex.split(State(((name, text),)).command(verb, ["labels.csv"]))
        except AssentError:
            # Some options need another beside them.
            continue
        assert words[3].partition("=")[0] in flags, words


@pytest.mark.parametrize(
    "query",
    [
        "scale=ordinal&order=negative,neutral,positive",
        "without=annotators%3Dana&measure=gwet-ac&ci=jackknife",
        "merge=negative,neutral%3Dlow&rename=positive%3Da+b%22",
        "item=item&annotator=annotator&label=label&missing=NA&level=0.9",
        "without=labels%3Dneutral",
    ],
)
def test_the_command_prints_the_number_of_the_page(query: str, capsys: pytest.CaptureFixture[str]) -> None:
    session = Session("one", [Upload("examples/sentiment.csv", path="examples/sentiment.csv")])
    state = State.of(query)
    shown = work.value_of(session, state)
    words = shlex.split(
        state.command(VERBS["measure"], ["examples/sentiment.csv"], work.more_fields(session, VERBS["measure"], state))
    )
    program("measure")([*words[1:], "--json"], standalone_mode=False)
    first = json.loads(capsys.readouterr().out)["measures"][0]
    assert first["value"] == shown.agreement.value
    assert (first["ci"]["low"], first["ci"]["high"]) == shown.ends


def test_states_keep_their_order_and_forget_what_is_empty() -> None:
    state = State.of("a=1&b=&a=2&c=%22x%2Cy%22")
    assert state.said == (("a", "1"), ("a", "2"), ("c", '"x,y"'))
    assert state.texts("a") == ["1", "2"]
    assert State.of(state.query) == state


def test_a_file_with_a_strange_name_is_quoted_in_the_command() -> None:
    words = State().command(VERBS["report"], ["a b'; rm -rf ~.csv"])
    assert shlex.split(words) == ["assent", "report", "a b'; rm -rf ~.csv"]
    assert Path("examples/sentiment.csv").is_file()


def test_pages_say_what_they_do_and_not_what_a_function_returns() -> None:
    assert [name for name, one in verbs().items() if one.summary.startswith("Return")] == []
