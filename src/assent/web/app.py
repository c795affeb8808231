"""The application: addresses, and what each of them shows."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from assent._version import __version__
from assent.documents.html import asset, environment, prose
from assent.errors import AssentError, InputError, OptionError, UnreadableFile
from assent.limits import WEB_INTERVALS_AT_ONCE, WEB_PATIENCE
from assent.text import shown, visible
from assent.web import downloads, examples, forms, teaching, work
from assent.web.decisions import Decisions
from assent.web.examples import SHOWN
from assent.web.guard import Guard
from assent.web.jobs import Busy, Job, Workers, drawn, sentence
from assent.web.sessions import Session, Sessions, Upload
from assent.web.states import State
from assent.web.uploads import safe_name, uploads_of
from assent.web.verbs import Verb, verbs

__all__ = ["Page", "application"]

STATIC = Path(__file__).parent / "static"
#: What files of the page are, by their ending.
_TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
#: Files of the report's page that this one has as well.
_SHARED = {"report.css": "style.css", "report.js": "script.js"}
#: Widths that a chart is drawn for.
NARROWEST, WIDEST = 240, 1600


class Page:
    """Everything that a server holds.

    Parameters
    ----------
    files : sequence of str
        Those named on the command line.
    decisions : str, optional
        File that decisions are written to.
    patience : float
        Seconds that a number waits for its interval before it is shown without.
    """

    def __init__(self, files: Sequence[str] = (), decisions: str | None = None, patience: float = WEB_PATIENCE) -> None:
        self.sessions = Sessions()
        self.patience = patience
        self.workers = Workers()
        # Intervals that take long hold up no other lever.
        self.intervals = Workers(at_once=WEB_INTERVALS_AT_ONCE)
        self.decisions = Decisions(decisions)
        self.first: Session | None = None
        if files:
            self.first = self.sessions.new([Upload(str(PurePosixPath(one)), path=one) for one in files])

    async def work(self, make: Callable[[], Any]) -> Any:
        """Have something worked out in a thread."""
        return await self.workers.submit(make)

    def close(self) -> None:
        """Forget everything."""
        self.workers.close()
        self.intervals.close()
        self.sessions.clear()


def application(page: Page, token: str, host: str = "127.0.0.1", **limits: Any) -> Any:
    """Return the application behind its guard."""

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[None]:
        # The files that draw charts take a second to put together: they are ready before the first chart is.
        asyncio.get_running_loop().run_in_executor(None, suppressed, charts_script)
        yield
        page.close()

    def route(path: str, answer: Callable[..., Awaitable[Response]], *methods: str) -> Route:
        return Route(path, _told(partial(answer, page)), methods=list(methods) or ["GET"])

    inside = Starlette(
        routes=[
            route("/", _start),
            route("/new", _new, "POST"),
            route("/teach", _teach),
            route("/teach/values", _teach_values),
            route("/static/{name}", _static),
            route("/s/{session}/files", _add, "POST"),
            route("/s/{session}/data", _data),
            route("/s/{session}/decide", _decide, "POST"),
            route("/s/{session}/decisions.csv", _decisions),
            route("/s/{session}/adjudicate", _adjudicate),
            route("/s/{session}/adjudicate/items", _disputed),
            route("/s/{session}/{verb}", _show),
            route("/s/{session}/{verb}/parts", _parts),
            route("/s/{session}/{verb}/document", _document),
            route("/s/{session}/{verb}/figure", _figure),
            route("/s/{session}/{verb}/download/{format}", _download),
        ],
        lifespan=lifespan,
        exception_handlers={404: _missing, 405: _missing},
    )
    return Guard(inside, token, host, **limits)


def _told(answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """Answer errors with their sentence."""

    async def told(request: Request) -> Response:
        try:
            return await answer(request)
        except ClientDisconnect:
            return _refusal(InputError("The file did not arrive whole: send it again."), 408, request)
        except Gone as error:
            return _refusal(error, 404, request)
        except Busy as error:
            return _refusal(error, 503, request)
        except AssentError as error:
            return _refusal(error, 400, request)
        except Exception as error:
            if os.environ.get("ASSENT_DEBUG"):
                raise
            return _refusal(InputError(sentence(error)), 500, request)

    return told


class Gone(InputError):
    """There are no data of this name, or none any more."""


def _refusal(error: Exception, status: int, request: Request) -> Response:
    """Return a sentence: as a page to whoever opened an address, as JSON to the scripts of a page."""
    if "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(_template("refused.html", request, sentence=str(error)), status)
    return JSONResponse({"error": str(error)}, status)


async def _missing(request: Request, error: Exception) -> Response:
    return _refusal(Gone("There is no such page."), 404, request)


def _session(page: Page, request: Request) -> Session:
    found = page.sessions.find(request.path_params["session"])
    if found is None:
        raise Gone("These data are not held any more: load the file again.")
    return found


def _verb(request: Request) -> Verb:
    found = verbs().get(request.path_params["verb"])
    if found is None:
        raise Gone(f"There is no page {shown(request.path_params['verb'])}.")
    return found


def _state(request: Request) -> State:
    return State.of(request.url.query)


def _html(name: str, request: Request, **values: Any) -> HTMLResponse:
    return HTMLResponse(_template(name, request, **values))


def _template(name: str, request: Request, **values: Any) -> str:
    template = environment("assent.web").get_template(name)
    return str(
        template.render(
            root=request.scope["root_path"], prose=prose, verbs=verbs(), version=__version__, visible=visible, **values
        )
    )


async def _start(page: Page, request: Request) -> Response:
    return _html("start.html", request, examples=SHOWN, first=page.first)


async def _static(page: Page, request: Request) -> Response:
    name = request.path_params["name"]
    if name in _SHARED:
        return Response(asset(_SHARED[name]), media_type=_TYPES[PurePosixPath(name).suffix])
    if name == "vega.js":
        script = await asyncio.get_running_loop().run_in_executor(None, charts_script)
        return Response(script, media_type=_TYPES[".js"])
    found = {one.name: one for one in STATIC.iterdir()}.get(name)
    if found is None:
        raise Gone("There is no such file.")
    return Response(found.read_bytes(), media_type=_TYPES.get(found.suffix, "text/plain"))


def suppressed(make: Callable[[], Any]) -> None:
    """Make something that is kept; whoever needs it hears why it cannot be made."""
    with suppress(AssentError):
        make()


@cache
def charts_script() -> str:
    """Return Vega, Vega-Lite and what embeds them, as the library that draws the report's charts has them."""
    from assent.documents.charts import check_drawing

    check_drawing()
    import vl_convert

    return str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed; window.vega = vega;"))


async def _body(request: Request) -> bytes:
    parts = [part async for part in request.stream()]
    return b"".join(parts)


def _named(request: Request) -> str:
    return safe_name(request.query_params.get("name", ""))


async def _new(page: Page, request: Request) -> Response:
    wanted = request.query_params.get("example")
    if wanted is not None:
        session = page.sessions.new(**await page.work(partial(examples.files_of, wanted)))
    else:
        content = await _body(request)
        if not content.strip():
            raise UnreadableFile(f"{shown(_named(request))} is empty.")
        settings = request.query_params.get("settings", "")
        typed = request.query_params.get("typed") == "yes"
        session = page.sessions.new(uploads_of(_named(request), content), settings=settings, typed=typed)
    root = request.scope["root_path"]
    query = f"?{session.settings}" if session.settings else ""
    return JSONResponse({"session": session.name, "address": f"{root}/s/{session.name}/report{query}"})


async def _add(page: Page, request: Request) -> Response:
    session = _session(page, request)
    content = await _body(request)
    for one in uploads_of(_named(request), content):
        page.sessions.add(session, one, other=request.query_params.get("other") == "yes")
    return JSONResponse({"files": [one.name for one in session.files], "others": [one.name for one in session.others]})


async def _data(page: Page, request: Request) -> Response:
    """Return the files of a session as they came: what was pasted or typed is a file that the command line takes."""
    session = _session(page, request)
    if not session.files or any(one.path is not None for one in session.files):
        raise Gone("The data are files of this machine.")
    name, content = downloads.data_of(session)
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
    return Response(content, media_type="application/octet-stream", headers=headers)


async def _show(page: Page, request: Request) -> Response:
    """Return a page; where its intervals take long it asks for them when it is there."""
    session, verb, state = _session(page, request), _verb(request), _state(request)
    parts, rest = await _begun(page, partial(_made_parts, page, request, session, verb, state))
    if rest is not None:
        rest.cancel()
    return _html("work.html", request, session=session, verb=verb, state=state, parts=parts)


async def _parts(page: Page, request: Request) -> Response:
    """Return the parts of a page in a line; if its intervals take long, the number without them, and with them in a second line."""
    session, verb, state = _session(page, request), _verb(request), _state(request)
    parts, rest = await _begun(page, partial(_made_parts, page, request, session, verb, state))
    if rest is None:
        return JSONResponse(parts)

    async def lines() -> AsyncIterator[str]:
        try:
            yield json.dumps(parts) + "\n"
            yield json.dumps({"number": (await rest)["number"]}) + "\n"
        except Exception as error:
            yield json.dumps({"error": sentence(error)}) + "\n"
        finally:
            # Where nobody looks at this number any more, its intervals are given up.
            rest.cancel()

    return StreamingResponse(lines(), media_type="application/x-ndjson")


async def _begun(
    page: Page, make: Callable[..., dict[str, str]]
) -> tuple[dict[str, str], asyncio.Future[dict[str, str]] | None]:
    """Return the parts of a page; if its intervals take long, without them, and with them in the future."""
    parts = await page.work(partial(make, sure=False))
    try:
        whole = page.intervals.submit(make)
    except Busy as error:
        # The number is known all the same; whoever asks for the rest is told.
        refused: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()
        refused.set_exception(error)
        refused.exception()
        return parts, refused
    await asyncio.wait([whole], timeout=page.patience)
    return (whole.result(), None) if whole.done() else (parts, whole)


def _made_parts(
    page: Page, request: Request, session: Session, verb: Verb, state: State, *, sure: bool = True
) -> dict[str, str]:
    """Return the parts of a page that change with its state: the number, the forms, the command and the downloads."""
    change, refused = None, ""
    try:
        change = work.change_of(session, state, sure=sure) if session.files else None
    except AssentError as error:
        refused = "" if verb.reads else str(error)
    try:
        form = forms.form_of(session, verb, state)
    except AssentError as error:
        form, refused = forms.Form(), refused or ("" if verb.reads else str(error))
    try:
        commands = work.commands_of(session, verb, state)
    except AssentError as error:
        commands, refused = [], refused or str(error)
    values = {"session": session, "verb": verb, "state": state, "form": form, "change": change, "refused": refused}
    return {
        "number": _template("number.html", request, **values),
        "form": _template("form.html", request, **values),
        "command": _template("command.html", request, commands=commands, downloads=downloads.offered(verb), **values),
        "navigation": _template(
            "navigation.html", request, current=verb.name, states=_elsewhere(session, state), **values
        ),
    }


def _elsewhere(session: Session, state: State) -> dict[str, State]:
    """Return the state of every other page, by name, that this one leads to."""
    try:
        own = work.more_fields(session, verbs()["measure"], state)
    except AssentError:
        own = []
    return {**{one.name: state.fitting(one, own) for one in verbs().values()}, "adjudicate": state.shared}


def _job(page: Page, session: Session, verb: Verb, state: State) -> Job:
    """Return the document of a state under way, or one that was made."""
    key = ("document", verb.name, state)
    hooks = ("progress", "ready") if verb.name == "report" else ()

    def make(calls: Any) -> Any:
        return work.result_of(session, verb, state, **{name: calls[name] for name in hooks})

    job = session.once(key, lambda: Job(make))
    if job.abandoned:
        session.drop(key)
        job = session.once(key, lambda: Job(make))
    return job


async def _made(page: Page, session: Session, verb: Verb, state: State, *, wait: bool = True) -> Job:
    """Return a document that was made, or is under way if nobody must wait for all of it."""
    job = _job(page, session, verb, state)
    if job.start():
        page.workers.submit(job.run)
        wait = True
    if wait:
        async for _ in job.events():
            pass
    return job


async def _document(page: Page, request: Request) -> Response:
    session, verb, state = _session(page, request), _verb(request), _state(request)
    job = _job(page, session, verb, state)
    if job.start():
        page.workers.submit(job.run)

    async def lines() -> AsyncIterator[str]:
        async for event in job.events():
            yield json.dumps(event, ensure_ascii=False) + "\n"

    return StreamingResponse(lines(), media_type="application/x-ndjson")


async def _figure(page: Page, request: Request) -> Response:
    session, verb = _session(page, request), _verb(request)
    name, width = request.query_params.get("figure", ""), request.query_params.get("width", "")
    state = _state(request).without(("figure", "width"))
    if not width.isdecimal() or not NARROWEST <= int(width) <= WIDEST:
        raise OptionError(f"`width` is {shown(width)}; it must lie between {NARROWEST} and {WIDEST}.")
    figure = (await _made(page, session, verb, state, wait=False)).figures.get(name)
    if figure is None:
        raise Gone(f"There is no figure {shown(name)}.")
    return JSONResponse(await page.work(partial(drawn, figure, int(width))))


async def _download(page: Page, request: Request) -> Response:
    session, verb, state = _session(page, request), _verb(request), _state(request)
    job = await _made(page, session, verb, state)
    if job.result is None:
        raise InputError(job.refused)
    made = await page.work(partial(downloads.made, job.result, verb, request.path_params["format"]))
    return Response(
        made.content,
        media_type=made.kind,
        headers={"content-disposition": f'attachment; filename="{made.name}"'},
    )


async def _adjudicate(page: Page, request: Request) -> Response:
    session, state = _session(page, request), _state(request).without(("at",))
    columns = await page.work(partial(forms.columns_of, session, state))
    states = await page.work(partial(_elsewhere, session, state))
    # The items that are gone through here, with who said what.
    listed = State((*states["adjudicate"].said, ("who", "yes")))
    commands = await page.work(partial(work.commands_of, session, verbs()["items"], listed))
    values = {"session": session, "state": state, "states": states, "columns": columns, "commands": commands[:1]}
    return _html("adjudicate.html", request, **values)


async def _disputed(page: Page, request: Request) -> Response:
    session, state = _session(page, request), _state(request)
    return JSONResponse(await page.work(partial(page.decisions.disputed, session, state)))


async def _decide(page: Page, request: Request) -> Response:
    session = _session(page, request)
    try:
        said = json.loads(await _body(request))
    except (ValueError, RecursionError):
        raise OptionError("A decision is sent as JSON with an item and a label.") from None
    return JSONResponse(await page.work(partial(page.decisions.decide, session, said)))


async def _decisions(page: Page, request: Request) -> Response:
    session = _session(page, request)
    return Response(
        page.decisions.table(session),
        media_type="text/csv; charset=utf-8",
        headers={"content-disposition": 'attachment; filename="decisions.csv"'},
    )


async def _teach(page: Page, request: Request) -> Response:
    values = await page.work(partial(teaching.lesson_of, _state(request)))
    return _html("teach.html", request, lesson=values, part=_template("lesson.html", request, lesson=values))


async def _teach_values(page: Page, request: Request) -> Response:
    values = await page.work(partial(teaching.lesson_of, _state(request)))
    return JSONResponse({"lesson": _template("lesson.html", request, lesson=values), "chart": values.chart})
