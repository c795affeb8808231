"""One run of the program on one case, and what must hold whatever it was given."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import resource
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from tests.fuzz.commands import arguments
from tests.fuzz.exports import export_of
from tests.fuzz.tables import Table, beside, make, written
from tests.support import run

from assent.documents import charts

__all__ = ["DONE", "RUNS", "Case", "Failure", "Hangs", "case_of", "charts_of", "check", "limited"]

#: Markup of the tables that would run if a page held it as it is.
RUNS = "<script>alert"
FORMS = ("csv", "csv", "csv", "tsv", "json", "jsonl", "parquet", "xlsx", "typed.parquet", "sheet.xlsx", "deep.json")
#: A run of these small tables that takes longer hangs, whatever the machine does besides.
SECONDS = 60
#: Bytes a process may grow to over all its runs.
MEMORY = 2 << 30
#: Charts are drawn in one case of so many, and checked without being drawn in the others: drawing takes longer than all else.
DRAWN = 25
#: How often each thing was done over all cases.
DONE: Counter[str] = Counter()
#: What may have been written when a run ends without success.
ENDS = {0, 1, 2, 3}


@dataclass(frozen=True)
class Case:
    """Files and a command line, made anew from a number; `name` is the file that is read, or the folder."""

    number: int
    name: str
    files: dict[str, bytes]
    line: list[str]

    @property
    def content(self) -> bytes:
        """Bytes of the file that is read; of a folder those of its first file."""
        return self.files[self.name] if self.name in self.files else next(iter(self.files.values()), b"")

    def __str__(self) -> str:
        told = f"{sorted(self.files)[:9]}, {self.name}: {self.content[:300]!r}"
        return f"case {self.number}: assent {' '.join(map(repr, self.line))} on {told}"


@dataclass(frozen=True)
class Failure:
    """What did not hold."""

    case: Case
    what: str

    def __str__(self) -> str:
        return f"{self.case}\n{self.what}"


class Hangs(Exception):
    """The run took too long."""


def case_of(number: int) -> Case:
    """Return the case of a number: half of them are what people have, the others are not."""
    dice = random.Random(number)
    tame = dice.random() < 0.5
    if dice.random() < 0.15:
        table = Table("export", ("item", "annotator", "label"), ())
        name, files = export_of(dice, tame=tame)
    else:
        table, form = make(dice, tame=tame), dice.choice(FORMS)
        try:
            content = written(table, form, dice)
        except Exception:
            # Names twice, characters that the form does not know: such a table has no such file.
            form, content = "csv", written(table, "csv", dice)
        if not tame and dice.random() < 0.2 and content:
            content = _spoilt_bytes(content, dice)
        name = f"table.{form}"
        files = {name: content}
    if dice.random() < 0.6:
        files = files | beside(table, dice)
    named = dice.choices([[name], [name, name], ["-"], [name, dice.choice(list(files))]], (36, 2, 2, 1))[0]
    return Case(number, name, files, arguments(dice, table, named, tame=tame))


def _spoilt_bytes(content: bytes, dice: random.Random) -> bytes:
    """Return the content with a few bytes changed, perhaps cut short."""
    spoilt = bytearray(content)
    for _ in range(dice.randint(1, 5)):
        spoilt[dice.randrange(len(spoilt))] = dice.randrange(256)
    return bytes(spoilt[: dice.randint(1, len(spoilt))] if dice.random() < 0.3 else spoilt)


def check(case: Case, folder: Path) -> Failure | None:
    """Run a case in a folder of its own and return what does not hold, if anything does not.

    It ends with a documented code; what is wrong is one sentence; JSON is one object without NaN; nothing is left half-written;
    it takes neither a minute nor gigabytes.
    """
    for name, content in case.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    before = set(os.listdir(folder))
    try:
        code, out, err = _run(case, folder)
    except Hangs:
        return Failure(case, f"did not end within {SECONDS} seconds")
    except BaseException:
        return Failure(case, traceback.format_exc())
    made = set(os.listdir(folder)) - before
    wrong = _judge(case, code, out, err, made, folder)
    if wrong is None and resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 > MEMORY:
        wrong = "the process grew beyond 2 GB"
    return Failure(case, wrong) if wrong else None


def _judge(case: Case, code: int, out: str, err: str, made: set[str], folder: Path) -> str | None:
    if code not in ENDS:
        return f"ended with {code}: {err[-500:]}"
    said = [line for line in err.splitlines() if line.startswith("assent: ")]
    if code == 2 and len(said) != 1:
        return f"{len(said)} sentences about what is wrong: {err[:800]!r}"
    if code == 2 and len(said[0]) > 3000:
        return f"a sentence of {len(said[0])} characters: {said[0][:400]!r}"
    if code == 2 and (made or out):
        return f"refused, and yet there is {sorted(made)} and {out[:200]!r}"
    if "\x1b" in out + err or "\x00" in out + err:
        return "a control character of the data reached the terminal"
    if "--json" in case.line and code in (0, 1, 3) and "--help-all" not in case.line:
        try:
            if not isinstance(json.loads(out, parse_constant=_refuse), dict):
                return "JSON is not one object"
        except ValueError as error:
            return f"not JSON ({error}): {out[:300]!r}"
    for one in made:
        if one.endswith((".tmp", ".part")) or one.startswith("."):
            return f"left {one}"
        # Charts go into a folder, however it is called.
        page = (folder / one).read_text("utf-8").strip() if one.endswith(".html") and (folder / one).is_file() else ""
        if page.startswith("<!") and not page.endswith("</html>"):
            return f"{one} is half a page"
        if RUNS in page:
            return f"{one} holds markup of the data"
    return None


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _run(case: Case, folder: Path) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code: Any = 0
    with (
        _in(folder, case.content),
        limited(),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        os.environ["ASSENT_DEBUG"] = "1"
        DONE["runs of the program"] += 1
        try:
            run(case.line)
        except SystemExit as end:
            code = end.code
        finally:
            del os.environ["ASSENT_DEBUG"]
    return code if isinstance(code, int) else 0, out.getvalue(), err.getvalue()


def charts_of(number: int) -> contextlib.AbstractContextManager[Any]:
    """Return what draws the charts of a case: the renderer, or for most cases a check that a chart is JSON without NaN."""
    return contextlib.nullcontext() if number % DRAWN == 0 else mock.patch.object(charts, "render", _undrawn)


def _undrawn(chart: charts.Drawable, format: str, *, padding: int | None = None) -> bytes:
    json.dumps(charts.in_our_look(chart.to_dict(validate=False)), allow_nan=False)
    return b'<svg xmlns="http://www.w3.org/2000/svg"></svg>'


@contextlib.contextmanager
def _in(folder: Path, content: bytes) -> Iterator[None]:
    here = Path.cwd()
    os.chdir(folder)
    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(content))
    try:
        yield
    finally:
        os.chdir(here)
        sys.stdin = stdin


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """Raise `Hangs` where what is inside takes too long."""

    def ring(*_: Any) -> None:
        raise Hangs

    old = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)
