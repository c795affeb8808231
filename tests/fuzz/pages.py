"""The local page, asked in this process: whatever the file and the address, an answer or one sentence."""

from __future__ import annotations

import json
import random
from typing import Any
from urllib.parse import quote, urlencode

from tests.fuzz.runs import DONE, RUNS, Case, case_of
from tests.fuzz.tables import HOSTILE
from tests.web.conftest import TOKEN, Client

from assent.web.app import Page, application
from assent.web.verbs import Verb, reading_fields, verbs

__all__ = ["asked"]

#: What is asked of a page of results.
PLACES = ("", "/parts", "/document", "/download/json", "/download/md", "/download/html", "/download/csv", "/figure")
REQUESTS = 3


def asked(number: int) -> tuple[str, str | None]:
    """Return a case in words, and the first answer that is none, if there is one."""
    dice, case = random.Random(number), case_of(number)
    page = Page(patience=600)
    client = Client(page, application(page, TOKEN))
    told = f"{case.content[:300]!r}"
    try:
        begun = client.post(f"/new?name={quote(case.name)}", case.content)
        if wrong := _judged("/new", begun):
            return told, wrong
        if begun.status_code == 400:
            return told, None
        place = f"/s/{begun.json()['session']}"
        address, answer = _beside(client, place, case, dice)
        if wrong := _judged(address, answer):
            return told, wrong
        for _ in range(REQUESTS):
            verb = dice.choice(tuple(verbs().values()))
            query = urlencode(dict(_option(dice, verb) for _ in range(dice.randrange(3))))
            address = f"{place}/{verb.name}{dice.choice(PLACES)}?{query}"
            if wrong := _judged(address, client.get(address)):
                return told, wrong
    finally:
        page.close()
    return told, None


def _beside(client: Client, place: str, case: Case, dice: random.Random) -> tuple[str, Any]:
    """Ask for something beside results: decisions, another file, the data, a lesson."""
    what = dice.choice(
        ("decide", "files", "decisions.csv", "adjudicate", "adjudicate/items", "data", "teach", "teach/values")
    )
    said: Any = dice.choice((*HOSTILE, "i1", "a", None, 1, [], {}))
    if what == "decide":
        one = {"item": said, "label": dice.choice((*HOSTILE, "a")), "note": said}
        content = json.dumps(
            dice.choice((one, {"decisions": [one, one]}, {"decisions": said}, said, [one], {"undo": said}))
        )
        return what, client.post(f"{place}/decide", content if dice.random() < 0.9 else content[:-1])
    if what == "files":
        return what, client.post(
            f"{place}/files?name={quote(str(said))}", dice.choice(list(case.files.values()) or [b""])
        )
    table = urlencode({"table": dice.choice(("80,10;5,5", "1,2;3", "1e9,-1;x,nan", ";" * 99, str(said)))})
    address = f"/{what}?{table}" if what.startswith("teach") else f"{place}/{what}?{urlencode({'without': str(said)})}"
    return address, client.get(address)


def _option(dice: random.Random, verb: Verb) -> tuple[str, str]:
    field = dice.choice((*verb.fields, *reading_fields().values()))
    values = (*field.choices, "1", "0.5", "item", "annotator", "label", "p0", "a,b", "yes", dice.choice(HOSTILE))
    return field.name, dice.choice(values)


def _judged(address: str, answer: Any) -> str | None:
    DONE["requests to the page"] += 1
    if answer.status_code >= 500:
        return f"{address} answers {answer.status_code}: {answer.text[:400]}"
    if "a defect in assent" in answer.text:
        return f"{address} tells of a defect: {answer.text[-600:]}"
    kind = answer.headers.get("content-type", "")
    if answer.status_code >= 400 and set(json.loads(answer.text)) != {"error"}:
        return f"{address} refuses without a sentence: {answer.text[:200]}"
    if "html" in kind and RUNS in answer.text:
        return f"{address} holds markup of the data"
    return None
