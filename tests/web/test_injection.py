"""What is called like markup is text on the page, too."""

from __future__ import annotations

import random
from urllib.parse import quote, urlencode

import polars as pl
import pytest
from tests.injection.corpus import CORPUS, of_html, of_markdown
from tests.injection.test_surfaces import KINDS, rows_of
from tests.web.conftest import Client

from assent.web.verbs import verbs


@pytest.mark.parametrize("verb", verbs())
def test_the_page_shows_text(verb: str, client: Client) -> None:
    dice = random.Random(verb)
    columns = KINDS["labels"][0]
    table = pl.DataFrame(rows_of("labels", dice), schema=list(columns), orient="row").write_csv()
    place = client.file(table, quote(dice.choice(CORPUS).replace("\x00", "") + ".csv"))
    wrong = {}
    option = urlencode({"title": dice.choice(CORPUS), "without": f"labels={dice.choice(CORPUS)}", "measure": dice.choice(CORPUS)})  # fmt: skip
    for query in ("", f"?{option}"):
        for part in ("", "/parts", "/document", "/download/html", "/download/md", "/download/json"):
            answer = client.get(f"{place}/{verb}{part}{query}")
            kind = answer.headers.get("content-type", "")
            if "html" in kind:
                wrong[part, query] = of_html(answer.text)
            elif part == "/document":
                wrong[part, query] = [one for event in client.events(f"{place}/{verb}{part}{query}") for one in of_html(str(event.get("document")))]  # fmt: skip
            elif part.endswith("md"):
                wrong[part, query] = of_markdown(answer.text) if answer.status_code == 200 else []
            assert answer.status_code < 500
    assert {where: found for where, found in wrong.items() if found} == {}
