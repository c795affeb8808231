"""What pages show is what the public functions say, worked out as often as it must be."""

from __future__ import annotations

import io
import json
import re
import shlex
import zipfile
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from tests.web.conftest import TOKEN, Client

import assent
from assent.cli.app import program
from assent.documents.html import fragments
from assent.examples import EXAMPLES
from assent.inference import pseudo, sample
from assent.inference.derivatives import KnownInfluence
from assent.text import interval, value
from assent.web import work
from assent.web.app import Page, application
from assent.web.examples import SHOWN
from assent.web.states import State

HOSTILE = '"><script>alert(1)</script>'


def _plain(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", " ", html)).split())


def test_examples_have_the_numbers_that_they_have_in_python(client: Client) -> None:
    for example in SHOWN:
        name = example.name
        place = client.example(name)
        session = client.page.sessions.find(place.removeprefix("/s/"))
        assert session is not None
        state = State.of(session.settings)
        scale = example.settings.get("scale")
        found = assent.measure(example.data(), scale=scale, ambiguity=example.settings.get("ambiguity")).to_dict()
        recommended = next(iter(found["measures"]))["measure"]
        quoted = next(one for one in found["measures"] if one["measure"] == recommended)
        shown = work.value_of(session, state)
        assert shown.agreement.value == pytest.approx(quoted["value"], abs=1e-12)
        assert shown.ends == pytest.approx((quoted["ci"]["low"], quoted["ci"]["high"]), abs=1e-12)


def test_a_file_a_paste_a_zip_and_several_files_are_read_alike(client: Client) -> None:
    rows = "item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n3,a,y\n3,b,y\n"
    plain = _plain(client.get(f"{client.file(rows)}/report/parts").json()["number"])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("labels.csv", rows)
    zipped = client.file(packed.getvalue(), "labels.zip")
    halves = client.file("item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n")
    client.post(f"{halves}/files?name=more.csv", "item,annotator,label\n2,b,x\n3,a,y\n3,b,y\n")
    for place in (zipped, halves):
        assert _plain(client.get(f"{place}/report/parts").json()["number"]) == plain


def test_a_lever_shows_before_after_and_the_interval_of_the_difference(client: Client) -> None:
    place = client.example("story")
    said = _plain(client.get(f"{place}/report/parts?text=text&by=kind&without=annotators%3Degon").json()["number"])
    data = EXAMPLES["story"].data()
    after, before = assent.krippendorff_alpha(data.without_annotators(["egon"])), assent.krippendorff_alpha(data)
    gap = assent.difference(after, before)
    sure = gap.confidence_interval(0.95, method="etel")
    for one in (after, before):
        ends = one.confidence_interval(0.95, method="etel")
        assert f"{value(one.value, ends.low, ends.high)} {interval(ends.low, ends.high)}" in said
    assert f"{value(gap.value, sure.low, sure.high, signed=True)} {interval(sure.low, sure.high, signed=True)}" in said


@pytest.mark.parametrize(
    "query",
    ["merge=negative,neutral%3Dbad", "rename=question%3Dask", "without=labels%3Dquestion", "measure=gwet-ac", "ci=bootstrap", "scale=ordinal&order=negative,neutral,positive,question", "measure=fleiss-kappa&ci=jackknife"],
)  # fmt: skip
def test_every_lever_has_a_difference(client: Client, query: str) -> None:
    number = client.get(f"{client.example('story')}/report/parts?{query}").json()["number"]
    assert "Before" in number
    assert "Difference" in number
    assert "refused" not in number


def test_the_weight_of_the_primary_label_is_a_lever(client: Client) -> None:
    place = client.example("multi-label")
    session = client.page.sessions.find(place.removeprefix("/s/"))
    assert session is not None
    # The coefficient that is shown has its options in the form, whether it was chosen or is the one to quote.
    assert 'name="average"' in client.get(f"{place}/report/parts?{session.settings}").json()["form"]
    query = f"{session.settings}&measure=augmented-kappa&primary=0.9"
    parts = client.get(f"{place}/report/parts?{query}").json()
    assert 'name="primary"' in parts["form"]
    found = assent.augmented_kappa(EXAMPLES["multi-label"].data(), primary=0.9)
    assert f'<span class="big">{value(found.value, *_ends(found))}' in parts["number"]
    assert "Before" in parts["number"]
    assert "assent measure" in parts["command"]
    assert "--primary=0.9" in parts["command"]
    assert "document" in client.events(f"{place}/report/document?{query}")[-1]


def _ends(found: Any) -> tuple[float, float]:
    made = found.confidence_interval(0.95, method="etel")
    return made.low, made.high


def test_levers_read_the_file_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Any] = []
    real = work.open_data
    monkeypatch.setattr(work, "open_data", lambda *given: opened.append(given) or real(*given))
    place = client.example("story")
    for query in (
        "",
        "without=annotators%3Degon",
        "merge=negative,neutral%3Dbad",
        "measure=gwet-ac",
        "scale=nominal",
        "",
    ):
        assert client.get(f"{place}/report/parts?text=text&by=kind&{query}").status_code == 200
    assert len(opened) == 1
    # Another address of the same state works out nothing again.
    session = client.page.sessions.find(place.removeprefix("/s/"))
    assert session is not None
    monkeypatch.setattr(work, "_value", lambda *given: pytest.fail("measured again"))
    client.get(f"{place}/items/parts?text=text&by=kind&measure=gwet-ac")


def test_a_lever_on_sets_weighs_its_items_anew_and_nothing_twice(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = client.example("multi-label")
    session = client.page.sessions.find(place.removeprefix("/s/"))
    assert session is not None
    stepped, measured, padded = [], [], []
    step, measure, pad = sample.influence, work._agreement, pseudo.with_pseudo_item
    monkeypatch.setattr(sample, "influence", lambda *given: stepped.append(given) or step(*given))
    monkeypatch.setattr(work, "_agreement", lambda *given: measured.append(given) or measure(*given))
    monkeypatch.setattr(pseudo, "with_pseudo_item", lambda *given, **how: padded.append(given) or pad(*given, **how))

    def ask(query: str) -> tuple[int, int, int]:
        for counted in (stepped, measured, padded):
            counted.clear()
        assert client.get(f"{place}/report/parts?{session.settings}{query}").status_code == 200
        # The slopes of a difference are those of its sides.
        own = [one for one in stepped if not isinstance(one[0], KnownInfluence)]
        return len(measured), len(own), len(padded)

    # One number; the slopes of its items, and of its items with a pseudo-item.
    assert ask("") == (1, 2, 1)
    for lever in ("&measure=boot-f1", "&measure=soft-match", "&measure=augmented-kappa&primary=0.8"):
        assert ask(lever) == (1, 2, 1)
    # How sure a number is does not ask what it is.
    assert ask("&ci=analytic") == (0, 0, 0)
    assert ask("&level=0.9") == (0, 0, 0)
    assert ask("&ci=none") == (0, 0, 0)
    # But a seed may be that of chance.
    assert ask("&measure=boot-f1&expected=simulate&simulations=5&seed=1")[0] == 1
    assert ask("&measure=boot-f1&expected=simulate&simulations=5&seed=2")[0] == 1


def test_the_report_comes_section_by_section_and_is_that_of_the_library(client: Client) -> None:
    place = client.example("story")
    events = client.events(f"{place}/report/document?task=standard&text=text&by=kind")
    names = [one["section"] for one in events if "section" in one]
    assert names[:3] == ["data", "coefficients", "labels"]
    shares = [one["share"] for one in events if "share" in one]
    assert shares == sorted(shares)
    assert events.index(next(one for one in events if "section" in one)) < len(events) // 2
    whole = events[-1]["document"]
    rows = assent.read(io.BytesIO(_file(client, place)), columns=["kind", "text"])
    made = assent.report(rows, task="standard", text="text", by="kind").document()
    theirs = fragments(made, lambda figure, chapter: None)
    assert [name for name, _ in whole] == [name for name, _ in theirs]
    skip = ("appendix",)
    for (name, mine), (_, html) in zip(whole, theirs, strict=True):
        if name not in skip:
            assert _plain(re.sub(r"<figure.*?</figure>", "", mine, flags=re.S)) == _plain(html)


def _file(client: Client, place: str) -> bytes:
    session = client.page.sessions.find(place.removeprefix("/s/"))
    assert session is not None
    return session.files[0].content


def test_every_figure_of_a_report_has_a_specification(client: Client) -> None:
    place = client.example("story")
    query = "task=standard&text=text&by=kind"
    events = client.events(f"{place}/report/document?{query}")
    names = re.findall('data-figure="([^"]+)"', json.dumps(events[-1]).replace('\\"', '"'))
    assert len(names) > 10
    for name in names:
        answer = client.get(f"{place}/report/figure?{query}&figure={name}&width=600")
        assert answer.status_code == 200
        assert answer.json() is None or "config" in answer.json()
    assert client.get(f"{place}/report/figure?{query}&figure=nowhere&width=600").status_code == 404
    assert client.get(f"{place}/report/figure?{query}&figure=verdict&width=1e9").status_code == 400


@pytest.mark.parametrize(
    "verb", ["items", "annotators", "labels", "measure", "explain", "consensus", "plan", "advise", "ceiling"]
)
def test_pages_are_public_functions(client: Client, verb: str) -> None:
    place = client.example("story")
    page = client.get(f"{place}/{verb}")
    assert page.status_code == 200
    events = client.events(f"{place}/{verb}/document")
    data = assent.read(io.BytesIO(_file(client, place)))
    made = fragments(getattr(assent, verb)(data).document(), lambda figure, chapter: None)
    assert [_plain(html) for _, html in events[-1]["document"]] == [_plain(html) for _, html in made]


def test_two_files_two_judges_and_two_groups_are_compared(client: Client) -> None:
    place = client.example("story")
    assert "One data set" in client.events(f"{place}/compare/document")[-1]["error"]
    judges = client.events(f"{place}/compare/document?groups=amira,bruno&groups=amira,egon")[-1]
    assert "amira + egon" in json.dumps(judges)
    assert "ironic" in json.dumps(client.events(f"{place}/compare/document?by=kind")[-1])
    client.post(f"{place}/files?name=other.csv&other=yes", _file(client, place).replace(b"egon", b"ed"))
    assert "other.csv" in json.dumps(client.events(f"{place}/compare/document")[-1])


def test_a_judge_and_runs_have_pages(client: Client) -> None:
    judge = client.file(Path("examples/judge.csv").read_bytes(), "judge.csv")
    who = client.get(f"{judge}/judge/parts").json()["form"]
    assert 'name="judge"' in who
    names = assent.read("examples/judge.csv").annotators
    assert names is not None
    found = client.events(f"{judge}/judge/document?judge={names[-1]}")[-1]
    assert "document" in found, found
    runs = client.file(Path("examples/judge_runs.csv").read_bytes(), "judge_runs.csv")
    assert "document" in client.events(f"{runs}/repeat/document?run=run")[-1]


def test_items_of_spans_are_chosen_by_label_and_shown_as_they_were_marked(client: Client) -> None:
    place = client.example("spans")
    assert "document" in client.events(f"{place}/items/document")[-1]
    assert "has_label" in client.events(f"{place}/items/document?has_label=x")[-1]["error"]
    told = json.dumps(client.events(f"{place}/items/document?has_label=PER")[-1]["document"])
    assert "As each annotator marked it" in told


def test_items_are_found_by_label_annotator_and_group(client: Client) -> None:
    place = client.example("story")
    query = "text=text&by=kind&who=yes&has_label=question&from_annotator=egon&group=ironic"
    said = json.dumps(client.events(f"{place}/items/document?{query}")[-1])
    data = EXAMPLES["story"].data()
    rows = data.to_rows("kind")
    wanted = {
        rows.items[item]
        for item, who, label, kind in zip(rows.item, rows.annotator, rows.label, rows.columns["kind"], strict=True)
        if data.annotators[who] == "egon" and rows.labels[label] == "question" and kind == "ironic"
    }
    assert set(re.findall(r"message-\d+", said)) == wanted
    assert wanted


@pytest.mark.parametrize(
    ("format", "starts"),
    [("page", b"<!doctype html>"), ("markdown", b"#"), ("latex", b""), ("json", b"{"), ("tables", b"PK"), ("figures", b"PK"), ("items", b"item,"), ("sentences", b"")],
)  # fmt: skip
def test_downloads(client: Client, format: str, starts: bytes) -> None:
    answer = client.get(f"{client.example('lecture')}/report/download/{format}?layout=table")
    assert answer.status_code == 200
    assert answer.content.startswith(starts)
    assert len(answer.content) > 50
    assert "attachment" in answer.headers["content-disposition"]


def test_hostile_names_are_shown_and_never_run(client: Client) -> None:
    name = "..%2F..%2Fetc%2F%3Cscript%3E.csv"
    rows = f'item,annotator,label\n1,a,"{HOSTILE.replace(chr(34), chr(34) * 2)}"\n1,"=cmd|x",y\n2,a,y\n2,"=cmd|x",y\n'
    place = client.file(rows, name)
    page = client.get(f"{place}/report").text
    assert "<script>" not in page.replace("<script src", "").replace('<script type="module"', "")
    assert "alert(1)" in page
    assert "etc/&lt;script&gt;.csv" in page
    assert "../" not in page
    for event in client.events(f"{place}/report/document"):
        assert "<script" not in json.dumps(event)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [("item=nowhere", "nowhere"), ("level=2", "level"), ("measure=nothing", "nothing"), ("scale=odd", "odd"), ("weights=/etc/passwd", "weights"), ("without=labels%3Dnone", "none"), ("replicates=99999999", "replicates"), ("nothing=1", "nothing")],
)  # fmt: skip
def test_what_cannot_be_is_one_sentence(client: Client, query: str, sentence: str) -> None:
    place = client.example("story")
    assert client.get(f"{place}/measure?{query}").status_code == 200
    said = client.events(f"{place}/measure/document?{query}")[-1]["error"]
    assert sentence in said
    assert "Traceback" not in said
    assert "\n" not in said


@pytest.mark.parametrize("name", ["baseline", "texts", "lengths", "engine", "master", "gold", "unlabelled", "columns"])
def test_no_request_names_a_file_or_an_engine(client: Client, name: str) -> None:
    place = client.example("story")
    for verb in ("report", "judge", "consensus"):
        assert "no option" in client.events(f"{place}/{verb}/document?{name}=/etc/passwd")[-1]["error"]


@pytest.mark.parametrize(
    "content", [b"", b"   \n", b"\x00\xff\xfe" * 50, b"PK\x03\x04broken", b"item,annotator\n1,2\n", b"{}"]
)
def test_broken_files_are_one_sentence(client: Client, content: bytes) -> None:
    answer = client.post("/new?name=broken.csv", content)
    if answer.status_code == 400:
        assert "empty" in answer.json()["error"]
        return
    place = f"/s/{answer.json()['session']}"
    assert client.get(f"{place}/report").status_code == 200
    assert "error" in client.events(f"{place}/report/document")[-1]


def test_teaching_moves_the_coefficients(client: Client) -> None:
    even, skewed = (client.get(f"/teach/values?agreement=90&prevalence={many}&bias=0").json() for many in (50, 95))
    table = assent.Annotations.from_contingency([[86, 5], [5, 4]], labels=["yes", "no"])
    assert f"{assent.cohen_kappa(table).value:.3f}" in skewed["lesson"]
    assert "0.800" in even["lesson"]
    assert "Step 1" in even["lesson"]
    assert client.get("/teach?agreement=900").status_code == 400
    assert client.get("/teach").status_code == 200


RANKED = "prompt,annotator,object,rank\n" + "".join(
    f"{p},{who},{one},{(r + p * (who == 'cid')) % 3 + 1}\n" for p in range(6) for who in ("ann", "bob", "cid") for r, one in enumerate("xyz")
)  # fmt: skip


def test_forms_ask_for_what_fits_the_kind_of_data(client: Client) -> None:
    place = client.file(RANKED)
    form = client.get(f"{place}/report/parts").json()["form"]
    for name in ("scale", "text", "by", "weights"):
        assert f'name="{name}"' not in form
    # An annotator is left out of them as of labels.
    changed = client.get(f"{place}/report/parts?without=annotators%3Dcid").json()
    assert "refused" not in changed["number"]
    assert "Difference" in changed["number"]
    place = client.file("item,annotator,label\n1,ann,a;b\n1,bob,a\n2,ann,b\n2,bob,b;c\n")
    sets = client.get(f"{place}/report/parts").json()
    assert 'name="scale"' not in sets["form"]
    assert 'class="kept" id="keep-1" checked hidden' in sets["form"]


def test_how_data_were_read_stands_before_what_a_report_asks(client: Client) -> None:
    place = client.file("item,ann,bob\n1,1.5,2\n2,3,3.5\n3,2,2\n")
    form = client.get(f"{place}/report/parts").json()["form"]
    assert form.index("How it was read") < form.index("<legend>Coefficient") < form.index("<legend>Report")
    assert "The labels are numbers" in form
    place = client.file("item,ann,bob\n1,x,y\n2,x,x\n")
    items = client.get(f"{place}/items/parts").json()["form"]
    assert items.index("<legend>Items") < items.index("How it was read")


def test_a_filter_that_was_set_is_in_sight(client: Client) -> None:
    place = client.example("story")
    assert '<details id="d-own"><summary>' in client.get(f"{place}/items/parts?by=kind").json()["form"]
    for query in ("by=kind&group=ironic", "from_annotator=egon"):
        assert '<details id="d-own" open>' in client.get(f"{place}/items/parts?{query}").json()["form"]


def test_what_a_scale_settles_is_not_asked_any_more(client: Client) -> None:
    place = client.example("ordinal-bias")
    assert "none nearer to another" in client.get(f"{place}/report/parts").json()["form"]
    assert "none nearer to another" not in client.get(f"{place}/report/parts?scale=ordinal").json()["form"]
    words = client.file("".join(["item,annotator,label\n", *(f"{i},{who},{['strongly disagree', 'disagree', 'neutral', 'agree', 'strongly agree'][(i + (who == 'b')) % 5]}\n" for i in range(20) for who in "ab")]))  # fmt: skip
    assert "words of a scale" in client.get(f"{words}/report/parts").json()["form"]
    order = "scale=ordinal&order=strongly disagree,disagree,neutral,agree,strongly agree"
    assert "words of a scale" not in client.get(f"{words}/report/parts?{order}").json()["form"]


def test_files_of_one_annotator_each_are_read_by_their_names(client: Client) -> None:
    place = client.file("item,label\n1,a\n2,b\n3,a\n", "ann.csv")
    client.post(f"{place}/files?name=bob.csv", "item,label\n1,a\n2,b\n3,b\n")
    form = client.get(f"{place}/report/parts").json()["form"]
    assert '<option value="(.*)">the name of the file</option>' in form
    assert "2 annotators" in client.get(f"{place}/report/parts?annotator_from_name=(.*)").json()["form"]


def test_each_group_of_annotators_has_a_line(client: Client) -> None:
    place = client.example("story")
    form = client.get(f"{place}/compare/parts?groups=amira,bruno&groups=amira,egon").json()["form"]
    assert [f'value="{one}"' in form for one in ("amira,bruno", "amira,egon")] == [True, True]
    assert form.count('name="groups"') == 3
    assert client.get(f"{place}/compare/parts").json()["form"].count('name="groups"') == 2


def test_runs_of_a_judge_are_no_reason_to_refuse_where_they_belong(client: Client) -> None:
    place = client.file("item,annotator,run,label\n" + "".join(f"{i},gpt,{r},{'ab'[(i * r) % 2]}\n" for i in range(9) for r in (1, 2, 3)))  # fmt: skip
    assert "refused" in client.get(f"{place}/report/parts").json()["number"]
    assert "refused" not in client.get(f"{place}/repeat/parts").json()["number"]
    assert "error" not in client.events(f"{place}/repeat/document")[-1]


def test_an_address_that_is_gone_answers_with_a_page(client: Client) -> None:
    opened = {"accept": "text/html,application/xhtml+xml"}
    gone = client.get("/s/nothing/report", headers=opened)
    assert gone.status_code == 404
    assert "These data are not held any more" in gone.text
    assert gone.text.startswith("<!doctype html>")
    strange = client.ask("GET", "/another-token/", headers=opened)
    assert strange.status_code == 404
    assert strange.text == "There is no such page: open the whole address that assent serve printed."
    assert client.get("/s/nothing/report").json()["error"].startswith("These data")


def test_what_was_typed_or_pasted_has_a_command_and_a_file(client: Client) -> None:
    typed = ',"yes, sure","no"\n"yes, sure",20,5\n"no",10,15\n'
    made = client.post("/new?name=table.csv&settings=layout%3Dtable&typed=yes", typed).json()["session"]
    command = client.get(f"/s/{made}/measure/parts?layout=table").json()["command"]
    line = unescape(re.findall(r"<code[^>]*>(.*?)</code>", command)[0])
    assert shlex.split(line)[:6] == ["assent", "measure", "--table", "20,5;10,15", "--labels", '"yes, sure",no']
    pasted = client.file(RANKED, "pasted.csv")
    assert f"{pasted}/data" in client.get(f"{pasted}/report/parts").json()["command"]
    assert client.get(f"{pasted}/data").text == RANKED
    assert client.get(f"{client.example('story')}/report/parts").json()["command"].count("/data") == 0


def test_another_interval_alone_is_the_same_number(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assent.difference", lambda *asked: pytest.fail("nothing differs"))
    number = client.get(f"{client.example('story')}/report/parts?ci=jackknife&level=0.9").json()["number"]
    assert "the same number" in number


def _commands(client: Client, place: str) -> list[str]:
    found = client.get(place.replace("?", "/parts?") if "?" in place else f"{place}/parts").json()["command"]
    return [unescape(one) for one in re.findall(r'<code id="line-[^>]*>(.*?)</code>', found)]


@pytest.mark.parametrize(
    ("verb", "query"),
    [
        ("items", "has_label=neutral&who=yes&text=text&top=5&sort=entropy"),
        ("judge", "judge=egon&epsilon=0.2&ci=jackknife"),
        ("compare", "groups=amira,bruno&groups=amira,egon&paired=no"),
        ("consensus", "method=dawid-skene"),
        ("monitor", "time=item&window=50"),
        ("measure", "measure=krippendorff-alpha&ci=none&by_label=yes"),
    ],
)
def test_every_page_leads_to_every_other_whatever_was_asked_of_it(client: Client, verb: str, query: str) -> None:
    place = client.example("story")
    parts = client.get(f"{place}/{verb}/parts?{query}&without=annotators%3Ddana").json()
    links = re.findall(rf'href="[^"]*{place}/([^"]*)" data-verb', parts["navigation"])
    assert len(links) > 12
    for link in map(unescape, links):
        name, _, rest = link.partition("?")
        assert "annotators%3Ddana" in rest
        refused = [one["error"] for one in client.events(f"{place}/{name}/document?{rest}") if "error" in one]
        assert not any("no option" in one or "not one of" in one for one in refused), (link, refused)


def test_the_number_of_a_report_with_a_judge_is_that_of_its_people(client: Client) -> None:
    place = client.file(Path("examples/judge.csv").read_bytes(), "judge.csv")
    *people, model = assent.read("examples/judge.csv").annotators or ()
    query = f"judge={model}&measure=gwet-ac"
    number = client.get(f"{place}/report/parts?judge={model}").json()["number"]
    report = client.get(f"{place}/report/download/json?judge={model}").json()
    assert "Agreement of the people" in number
    assert f'<span class="big">{report["verdict"]["value"]:.2f}</span>' in number
    first, second = _commands(client, f"{place}/report?{query}")
    assert first == f"assent report judge.csv --judge={model}"
    assert second == f"assent measure judge.csv --without=annotators={model} --measure=gwet-ac"
    assert len(people) > 1


def test_a_report_that_was_downloaded_says_the_command(client: Client) -> None:
    place = client.example("story")
    made = client.get(f"{place}/report/download/json?by=kind").json()
    assert made["appendix"]["command"] == "assent report --example story --by=kind"


def test_commands_name_every_judge_and_both_files(client: Client) -> None:
    place = client.file("item,ann,bob,m1,m2\n" + "".join(f"{i},a,{'ab'[i % 2]},a,b\n" for i in range(9)), "one.csv")
    assert _commands(client, f"{place}/judge?judge=m1,m2") == ["assent judge one.csv --judge=m1 --judge=m2"]
    client.post(f"{place}/files?name=two.csv&other=yes", b"item,ann,bob\n1,a,a\n2,b,a\n")
    assert _commands(client, f"{place}/compare") == ["assent compare one.csv two.csv"]
    assert _commands(client, f"{place}/compare?groups=ann,m1&groups=ann,m2") == [
        "assent compare one.csv --group=ann,m1 --group=ann,m2"
    ]
    assert _commands(client, f"{place}/report") == ["assent report one.csv"]


def test_the_kind_and_the_number_of_samples_of_a_bootstrap_are_those_of_the_command(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    place = client.example("story")
    query = "ci=bootstrap&bootstrap=percentile&replicates=50&measure=gwet-ac"
    number = client.get(f"{place}/measure/parts?{query}").json()["number"]
    (line,) = _commands(client, f"{place}/measure?{query}")
    program("measure")([*shlex.split(line)[1:], "--json"], standalone_mode=False)
    sure = json.loads(capsys.readouterr().out)["measures"][0]["ci"]
    assert (sure["kind"], sure["replicates"]) == ("percentile", 50)
    assert f"{sure['low']:.2f} to {sure['high']:.2f}" in number


def test_a_lesson_is_a_command(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    lesson = client.get("/teach/values?agreement=90&prevalence=95&bias=50&measure=gwet-ac").json()["lesson"]
    line = unescape(re.findall(r'<code id="line-1"[^>]*>(.*?)</code>', lesson)[0])
    assert line == "assent explain --table '86,10;0,4' --labels yes,no --measure=gwet-ac"
    program("explain")([*shlex.split(line)[1:], "--json"], standalone_mode=False)
    assert f"{json.loads(capsys.readouterr().out)['explanation']['value']:.3f}" in lesson


def test_another_order_alone_is_the_same_number(client: Client) -> None:
    place = client.example("story")
    told = client.get(f"{place}/report/parts?order=question,positive,neutral,negative").json()["number"]
    assert "the same number" in told
    told = client.get(f"{place}/report/parts?scale=ordinal&order=question,positive,neutral,negative").json()["number"]
    assert "the same number" not in told


EXPORTS = Path(__file__).parents[1] / "readers/exports/cases"


@pytest.mark.parametrize(
    ("case", "question", "many", "other"),
    [("label-studio-2/export.json", "tone", 2, "ner"), ("label-studio-1/export.json", "sentiment", 3, "topics")],
)
def test_which_of_several_questions_is_shown_is_said(
    client: Client, case: str, question: str, many: int, other: str
) -> None:
    place = client.file((EXPORTS / case).read_bytes(), "export.json")
    parts = client.get(f"{place}/report/parts").json()
    assert f"<bdi>{question}</bdi>, one of {many}." in parts["number"]
    assert f"assent report export.json --question {question}" in _plain(parts["command"])
    # It is the first thing that can be changed.
    assert parts["form"].index('id="f-question"') < parts["form"].index('id="f-layout"')
    assert f'<option value="">{question} (found)</option>' in parts["form"]
    chosen = client.get(f"{place}/report/parts?question={other}").json()
    assert f"<bdi>{other}</bdi>, one of {many}." in chosen["number"]
    assert _plain(chosen["command"]).count("--question") == 1


def test_of_an_export_only_what_it_keeps_can_be_chosen(client: Client) -> None:
    place = client.file((EXPORTS / "label-studio-1/export.json").read_bytes(), "export.json")
    form = client.get(f"{place}/items/parts").json()["form"]
    # Which column is the item is no question: the tool said so.
    assert not any(f'id="f-{name}"' in form for name in ("item", "annotator", "label", "cluster"))
    for control in ("f-text", "f-by"):
        offered = form.split(f'id="{control}"')[1].split("</select>")[0]
        assert re.findall('value="([^"]+)"', offered) == ["text", "time"]
    texts = client.get(f"{place}/adjudicate").text.split('id="text-column"')[1].split("</select>")[0]
    assert re.findall("<option>([^<]+)<", texts) == ["text", "time"]
    assert client.get(f"{place}/adjudicate/items?text=text").json()["items"][0]["text"]


def test_models_of_an_export_are_judges_as_on_the_command_line(client: Client) -> None:
    session = client.file((EXPORTS / "alttest-1/human_annotations.json").read_bytes(), "human_annotations.json")
    client.post(f"{session}/files?name=llm_annotations.json", (EXPORTS / "alttest-1/llm_annotations.json").read_bytes())
    told = client.events(f"{session}/judge/document")[-1]
    assert "2 judges beside 4 people" in told["summary"]


def test_a_file_is_known_by_its_name_and_not_by_its_folders(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n", encoding="utf-8")
    page = Page([str(file)], patience=600)
    client = Client(page, application(page, TOKEN))
    assert page.first is not None
    for verb in ("report", "adjudicate"):
        shown = client.get(f"/s/{page.first.name}/{verb}").text
        assert "<bdi>labels.csv</bdi>" in shown
        assert f'title="{file}"' in shown
    page.close()
