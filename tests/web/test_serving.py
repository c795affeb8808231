"""The program: it starts, keeps to itself, ends when told to, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from tests.web.conftest import TOKEN, Client, run

import assent
from assent.cli.app import program
from assent.errors import InputError, OptionError
from assent.examples import EXAMPLES
from assent.inference import bootstrap
from assent.measures.results import Agreement
from assent.text import interval, value
from assent.web import app
from assent.web.app import Page, application
from assent.web.jobs import Abandoned, Busy, Workers, still_wanted
from assent.web.sessions import Sessions, Upload


@contextmanager
def _started(*arguments: str, temporary: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    environment = {**os.environ, "TMPDIR": str(temporary), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "assent", "serve", "--no-browser", "--port", "0", *arguments],
        stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    try:
        assert process.stderr is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/\S+", process.stderr.readline())
        assert found is not None
        yield process, found[0]
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_it_listens_on_this_machine_and_ends_without_a_trace(tmp_path: Path) -> None:
    with _started("examples/sentiment.csv", temporary=tmp_path) as (process, address):
        assert len(address.split("/")[3]) >= 20
        page = httpx.get(address, timeout=30)
        assert page.status_code == 200
        assert "sentiment.csv" in page.text
        origin = "/".join(address.split("/")[:3])
        sent = httpx.post(
            f"{origin}/{address.split('/')[3]}/new?name=a.csv", content=b"x,y\n" * 1000, headers={"origin": origin}
        )
        assert sent.status_code == 200
        process.send_signal(signal.SIGTERM)
        process.wait(30)
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_it_ends_at_once_whatever_is_being_worked_out(tmp_path: Path) -> None:
    drawn = random.Random(1)
    rows = [
        f"item {i},person {who},{'/'.join(drawn.sample('abcdefghijklmn', 5))}" for i in range(3000) for who in range(12)
    ]
    sets = "\n".join(["item,annotator,label", *rows])
    file = tmp_path / "sets.csv"
    file.write_text(sets, encoding="utf-8")
    with (
        _started(str(file), temporary=tmp_path) as (process, address),
        httpx.Client(headers={"sec-fetch-site": "same-origin"}, timeout=60) as client,
    ):
        columns = "item=item&annotator=annotator&label=label"
        place = f"{address.removesuffix('/report')}/measure/parts?separator=/&{columns}"
        assert client.get(f"{place}&ci=none").status_code == 200
        # A jackknife of so many sets takes longer than anybody waits.
        with client.stream("GET", f"{place}&ci=jackknife") as answer:
            assert "is being worked out" in next(answer.iter_lines())
            process.send_signal(signal.SIGINT)
            process.wait(15)


def test_a_server_that_is_killed_loses_no_decision(tmp_path: Path) -> None:
    path = tmp_path / "decided.csv"
    (tmp_path / "t").mkdir()
    with _started("examples/sentiment.csv", "--decisions", str(path), temporary=tmp_path / "t") as (process, address):
        origin = "/".join(address.split("/")[:3])
        decide = address.removesuffix("report") + "decide"
        for item in ("review-02", "review-36"):
            said = json.dumps({"decisions": [{"item": item, "label": "neutral"}]})
            assert httpx.post(decide, content=said, headers={"origin": origin}, timeout=30).json()["written"] == str(
                path
            )
        process.kill()
        process.wait(30)
    assert [line.split(",")[0] for line in path.read_text("utf-8").splitlines()] == ["item", "review-02", "review-36"]
    assert sorted(os.listdir(tmp_path)) == ["decided.csv", "t"]


def test_what_cannot_be_served_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file"):
        assent.serve(tmp_path / "nowhere.csv", browser=False)
    with pytest.raises(OptionError, match="decisions"):
        assent.serve(decisions=tmp_path / "x.csv", browser=False)
    with pytest.raises(OptionError, match="port"):
        assent.serve(port=70_000, browser=False)
    with pytest.raises(InputError, match="cannot listen"):
        assent.serve(host="203.0.113.1", port=0, browser=False)


def test_data_of_one_session_are_not_those_of_another(client: Client) -> None:
    first, second = client.file(b"item,annotator,label\n1,secretive,x\n"), client.example("lecture")
    assert first != second
    assert "secretive" in client.get(f"{first}/report").text
    for path in ("/", f"{second}/report", "/s/", "/s/x/report", f"{second}/report/parts"):
        assert "secretive" not in client.get(path).text
    assert client.get("/s/guessed/report").status_code == 404


def test_sessions_that_are_not_used_make_room() -> None:
    sessions = Sessions(held=100, most=3)
    first = sessions.new([Upload("a", b"x" * 60)])
    second = sessions.new([Upload("b", b"x" * 60)])
    assert sessions.find(first.name) is None
    assert sessions.find(second.name) is second
    for _ in range(5):
        sessions.new([Upload("c", b"x")])
    assert sessions.find(second.name) is None


def test_what_two_ask_for_is_made_once() -> None:
    session = Sessions().new()
    made: list[int] = []
    gate = threading.Barrier(4)

    def make() -> int:
        made.append(1)
        return 7

    def ask() -> None:
        gate.wait(5)
        assert session.once("key", make) == 7

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert made == [1]

    def fail() -> int:
        raise InputError("no")

    with pytest.raises(InputError):
        session.once("other", fail)
    assert session.once("other", make) == 7


def test_what_one_gives_up_and_another_makes_is_kept() -> None:
    """The interval of a page that was opened is given up while its script waits for the same one."""
    session = Sessions().new()
    begun, go_on = threading.Event(), threading.Event()

    def given_up() -> int:
        begun.set()
        go_on.wait(5)
        raise Abandoned

    def first() -> None:
        with pytest.raises(Abandoned):
            session.once("key", given_up)

    made: list[int] = []
    threads = [
        threading.Thread(target=first),
        threading.Thread(target=lambda: session.once("key", lambda: made.append(1))),
    ]
    threads[0].start()
    begun.wait(5)
    threads[1].start()
    # Now the second one waits for the first.
    time.sleep(0.02)
    go_on.set()
    for one in threads:
        one.join(5)
    session.once("key", lambda: made.append(2))
    assert made == [1]


def test_what_fails_late_takes_nothing_from_what_was_made_since() -> None:
    session = Sessions().new()

    def failing() -> int:
        session.forget()
        assert session.once("key", lambda: 7) == 7
        raise InputError("no")

    with pytest.raises(InputError):
        session.once("key", failing)
    assert session.once("key", lambda: 8) == 7


def test_work_beyond_what_can_wait_is_refused() -> None:
    import asyncio

    async def asked() -> Any:
        workers = Workers(at_once=1, waiting=1)
        hold = threading.Event()
        first = [workers.submit(hold.wait), workers.submit(hold.wait)]
        with pytest.raises(Busy, match="wait a moment"):
            workers.submit(hold.wait)
        hold.set()
        await asyncio.gather(*first)
        workers.close()

    run(asked())


def test_what_is_worked_out_when_the_page_closes_is_given_up() -> None:
    """A program that goes on after `assent.serve` is not kept busy by an interval that takes minutes."""
    import asyncio

    begun, ended = threading.Event(), threading.Event()

    def endless() -> None:
        begun.set()
        try:
            for _ in range(1000):
                still_wanted()
                time.sleep(0.005)
        finally:
            ended.set()

    async def asked() -> None:
        workers = Workers(at_once=1)
        made = workers.submit(endless)
        await asyncio.to_thread(begun.wait, 5)
        workers.close()
        with pytest.raises(Abandoned):
            await asyncio.wait_for(made, 4)

    run(asked())
    assert ended.is_set()


def test_a_report_that_nobody_waits_for_is_given_up(client: Client) -> None:
    import asyncio

    from assent.web.jobs import Job

    seen: list[str] = []
    hold = threading.Event()

    def make(calls: Any) -> Any:
        calls["progress"](0.0, "first")
        hold.wait(5)
        try:
            calls["progress"](0.5, "second")
        except Abandoned:
            seen.append("given up")
            raise

    job = Job(make)

    async def asked() -> None:
        thread = threading.Thread(target=job.run)
        thread.start()
        events = job.events()
        assert (await anext(events))["stage"] == "first"
        await events.aclose()
        hold.set()
        await asyncio.to_thread(thread.join)

    run(asked())
    assert seen == ["given up"]


def test_the_command_leaves_processors_to_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    threads: list[str | None] = []
    monkeypatch.setattr(
        "assent.web.serve", lambda *files, **options: threads.append(os.environ.get("OPENBLAS_NUM_THREADS"))
    )
    program("serve")(["serve"], standalone_mode=False)
    assert threads == ["1"]
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")


def _asked(place: str, query: str = "") -> Request:
    """Return a request for the parts of a report."""
    return Request({"type": "http", "query_string": query.encode(), "root_path": "", "headers": [], "path": "/", "server": ("127.0.0.1", 1), "scheme": "http", "path_params": {"session": place.removeprefix("/s/"), "verb": "report"}})  # fmt: skip


def test_a_number_does_not_wait_for_an_interval_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(patience=0.05)
    client = Client(page, application(page, TOKEN))
    place = client.example("story")
    client.get(f"{place}/report/parts")
    held, real = threading.Event(), Agreement.confidence_interval

    def slow(self: Agreement, *given: Any, **options: Any) -> Any:
        assert held.wait(30)
        return real(self, *given, **options)

    monkeypatch.setattr(Agreement, "confidence_interval", slow)
    query = "without=annotators%3Degon&ci=jackknife"

    async def asked() -> tuple[dict[str, str], list[dict[str, str]]]:
        answer = await app._parts(page, _asked(place, query))
        lines = answer.body_iterator  # type: ignore[attr-defined]
        first = json.loads(await anext(lines))
        # As many intervals as are worked out at once wait for ever; another lever is answered all the same.
        for other in ("amira", "bruno", "dalia"):
            assert "is being worked out" in json.loads(await _first(other))["number"]
        held.set()
        return first, [json.loads(line) async for line in lines]

    async def _first(without: str) -> str:
        answer = await app._parts(page, _asked(place, f"without=annotators%3D{without}&ci=jackknife"))
        lines = answer.body_iterator  # type: ignore[attr-defined]
        first = await anext(lines)
        await lines.aclose()
        return str(first)

    first, rest = run(asked())
    page.close()
    data = EXAMPLES["story"].data()
    after, before = assent.krippendorff_alpha(data.without_annotators(["egon"])), assent.krippendorff_alpha(data)
    assert first.keys() == {"number", "form", "command", "navigation"}
    for shown in (after.value, before.value):
        assert f'<span class="big">{value(shown)}</span> <span class="waits' in first["number"]
    assert f'<span class="big">{value(after.value - before.value, signed=True)}</span></dd>' in first["number"]
    assert [one.keys() for one in rest] == [{"number"}]
    sure = real(after, 0.95, method="jackknife")
    assert interval(sure.low, sure.high) in rest[0]["number"]
    assert "worked out" not in rest[0]["number"]


def test_a_number_is_shown_where_no_place_is_left_for_its_interval(client: Client) -> None:
    place = client.example("story")
    client.page.intervals = Workers(at_once=0, waiting=0)
    answer = client.get(f"{place}/report/parts")
    first, last = map(json.loads, answer.text.splitlines())
    known = assent.krippendorff_alpha(EXAMPLES["story"].data())
    assert answer.status_code == 200
    assert f'<span class="big">{value(known.value)}</span> <span class="waits' in first["number"]
    assert last == {"error": "Too much is being worked out at the same time: wait a moment and ask again."}
    opened = client.get(f"{place}/report")
    assert opened.status_code == 200
    assert "is being worked out" in opened.text


def test_a_page_that_is_opened_does_not_wait_for_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(patience=0.05)
    client = Client(page, application(page, TOKEN))
    place = client.example("story")
    held, real = threading.Event(), Agreement.confidence_interval

    def slow(self: Agreement, *given: Any, **options: Any) -> Any:
        assert held.wait(5)
        return real(self, *given, **options)

    monkeypatch.setattr(Agreement, "confidence_interval", slow)
    opened = client.get(f"{place}/report?ci=jackknife")
    held.set()
    page.close()
    assert opened.status_code == 200
    assert "is being worked out" in opened.text


def test_an_interval_that_nobody_waits_for_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio

    # Replicates one by one, each slow: they would take two minutes.
    monkeypatch.setattr("assent.inference.bootstrap.CHUNK", 1)
    real = bootstrap.Multiplicities
    monkeypatch.setattr(bootstrap, "Multiplicities", lambda weights: (time.sleep(0.006), real(weights))[1])
    page = Page(patience=0.05)
    page.intervals = Workers(at_once=1)
    place = Client(page, application(page, TOKEN)).example("story")

    async def asked() -> str:
        answer = await app._parts(page, _asked(place, "ci=bootstrap&replicates=20000"))
        lines = answer.body_iterator  # type: ignore[attr-defined]
        assert "is being worked out" in json.loads(await anext(lines))["number"]
        await lines.aclose()
        return await asyncio.wait_for(page.intervals.submit(lambda: "the next one"), 20)

    assert run(asked()) == "the next one"
    page.close()


def test_what_nobody_waits_for_any_more_is_not_held() -> None:
    import asyncio
    import weakref

    class Work:
        def __call__(self) -> None:
            raise AssertionError("it was given up")

    async def asked() -> None:
        workers = Workers(at_once=1, waiting=2)
        hold = threading.Event()
        first = workers.submit(lambda: hold.wait(30))
        for _ in range(5):
            work = Work()
            known = weakref.ref(work)
            asked_for = workers.submit(work)
            asked_for.cancel()
            del work, asked_for
            await asyncio.sleep(0.01)
            assert known() is None
        hold.set()
        assert await first
        workers.close()

    run(asked())


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "The data do not fit into memory: leave out rows or columns."),
        (OptionError("`level` is 2."), "`level` is 2."),
        (KeyError("x"), "a defect in assent, KeyError (set ASSENT_DEBUG=1 to see where, and please report it)."),
    ],
    ids=["memory", "refused", "defect"],
)
def test_an_interval_that_fails_late_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception, said: str
) -> None:
    page = Page(patience=0.0)
    held, made = threading.Event(), app._made_parts

    def late(*given: Any, sure: bool = True) -> Any:
        if not sure:
            return made(*given, sure=False)
        assert held.wait(30)
        raise error

    monkeypatch.setattr(app, "_made_parts", late)
    monkeypatch.setenv("ASSENT_DEBUG", "1")
    place = Client(page, application(page, TOKEN)).example("story").removeprefix("/s/")

    async def asked() -> list[dict[str, str]]:
        answer = await app._parts(page, _asked(place))
        held.set()
        return [json.loads(line) async for line in answer.body_iterator]  # type: ignore[attr-defined]

    first, last = run(asked())
    page.close()
    assert "number" in first
    assert last == {"error": said}
    # Only what should not have been is shown with where it was.
    assert ("Traceback" in capsys.readouterr().err) == isinstance(error, KeyError)
