"""Each change in a process of its own: tests are collected once, and functions are changed where they are."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import pkgutil
import resource
import signal
import struct
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

import pytest
from tests.mutation.mutants import Mutant, assigning, importing, live_functions, replacing
from tests.mutation.reached import Reached, Record, counted, digest, watched
from tests.mutation.reasons import reason_of
from tests.mutation.results import Results

__all__ = ["Trying", "by_import"]

#: Seconds without an end, after which a change counts as seen: it waits for something.
LONGEST = 300
#: A change that asks for more memory than this fails.
MEMORY = 6 << 30
#: A test is watched for so many seconds of processor time; one that takes longer counts as one of so many.
WATCHED = 1.0
LONG = 10.0
#: Of so many files tests are run for a change that is imported, and of so many if these see nothing.
FILES = 4
MORE_FILES = 24


class Settled:
    """A plugin of pytest that has random tables be the same in every run, and a failure be enough: no smaller one is looked for."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Say so before a file of tests is imported."""
        from hypothesis import Phase, settings

        settings.register_profile(
            "mutation", deadline=None, database=None, derandomize=True, phases=(Phase.explicit, Phase.generate)
        )
        settings.load_profile("mutation")


class Trying(Settled):
    """A plugin of pytest that runs tests not once but for each change."""

    def __init__(
        self,
        mutants: Sequence[Mutant],
        results: Results,
        modules: Sequence[Path],
        kept: Path,
        *,
        seconds: float,
        minutes: float,
        patience: float,
        again: bool,
    ) -> None:
        self.results = results
        wanted = ("survived", "without end") if again else ("not tried",)
        self.mutants = [one for one in mutants if results.how(one) in wanted and not (again and reason_of(one))]
        self.kept = kept
        self.seconds = seconds
        self.patience = patience
        self.end = time.monotonic() + 60 * minutes
        self.texts = {str(path): path.read_text(encoding="utf-8") for path in modules}
        self.codes = {path: compile(text, path, "exec", dont_inherit=True) for path, text in self.texts.items()}
        self.reached = Reached()
        #: By module: how many changes each test saw.
        self.seers: dict[str, Counter[str]] = {}
        #: Tests that pass without a change where they were asked, or do not.
        self.trusted: dict[str, bool] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Record what is not recorded yet, then try changes."""
        # All of assent is imported once, and before a change: what is imported for a test would be imported for each.
        import assent

        for _, name, _ in pkgutil.walk_packages(assent.__path__, "assent."):
            if not name.endswith("__main__"):
                importlib.import_module(name)
        for measure in assent.all_measures().values():
            # What options take is read once from constants that may be changed.
            vars(measure).pop("parameters", None)
        self.live = live_functions(self.texts)
        gc.collect()
        gc.freeze()
        if len(os.listdir("/proc/self/task")) > 1:
            raise SystemExit(
                "A file of tests computes as it is imported, with threads that no other process has: see COMPUTING."
            )
        for file, items in groupby(session.items, key=lambda item: item.path):
            self._add(file, list(items))
        self.items = {item.nodeid: item for item in session.items}
        begin = time.monotonic()
        for number, one in enumerate(self.mutants):
            if time.monotonic() > self.end:
                break
            self._try(one)
            if number % 50 == 49:
                self.results.write()
                ways = Counter(map(self.results.how, self.mutants))
                print(f"{dict(ways)}, {(time.monotonic() - begin) / (number + 1):.2f} s each", flush=True)
        self.results.write()
        return True

    def _add(self, file: Path, items: Sequence[pytest.Item]) -> None:
        """Add the tests of a file to what is known, recorded now unless it was before."""
        text = digest(file.read_text(encoding="utf-8"))
        path = self.kept / (str(file.relative_to(Path.cwd())).replace("/", "-") + ".json")
        if (found := Record.read(path, text)) is None:
            child = os.fork()
            if child == 0:
                with _quietly():
                    self._record(items, text).write(path, self.texts)
                os._exit(0)
            os.waitpid(child, 0)
            found = Record.read(path, text)
            print(
                f"recorded {path.stem}: " + ("nothing" if found is None else f"{sum(found.seconds.values()):.1f} s"),
                flush=True,
            )
        if found is not None:
            self.reached.add(found, self.texts, self.kept)

    def _record(self, items: Sequence[pytest.Item], text: str) -> Record:
        noted: dict[str, set[int]] = {}
        for file, code in self.codes.items():
            changed, name = watched(Path(file))
            replacing(self.live, code, changed)
            noted[file] = set()
            for one in {
                id(one.__globals__): one
                for all_ in self.live.values()
                for one in all_
                if one.__code__.co_filename == file
            }.values():
                one.__globals__[name] = noted[file].add
        signal.signal(signal.SIGVTALRM, _interrupt)
        seconds: dict[str, float] = {}
        seen: list[dict[str, list[int]]] = []
        for item in items:
            for lines in noted.values():
                lines.clear()
            begin = time.process_time()
            signal.setitimer(signal.ITIMER_VIRTUAL, WATCHED)
            passed = _passes(item)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
            taken = time.process_time() - begin
            # A test that fails without a change says nothing about one.
            if (passed or taken > WATCHED) and any(noted.values()):
                seconds[item.nodeid] = round(taken, 4) if passed else LONG
                seen.append({file: sorted(lines) for file, lines in noted.items() if lines})
        modules = {file: digest(text) for file, text in self.texts.items()}
        return Record(text, modules, seconds, counted(seen))

    def _try(self, one: Mutant) -> None:
        code = one.code()
        known = self.reached.at(one.path, one.around)
        tests = self._first(one, known)
        changed = self._run(
            tests, lambda: replacing(self.live, self.codes[str(one.path)], code) or assigning(one, "assent")
        )
        if changed is None:
            # Only an import makes this change.
            self.results.forget(one)
            return None
        how, by = changed
        if how == "survived":
            by = ""
        elif by:
            if not self._trust(tests[: tests.index(by) + 1]):
                return self._try(one)
            self.seers.setdefault(one.module, Counter())[by] += how == "seen"
        self.results.keep(one, how, by, sum(map(self.reached.seconds.__getitem__, tests)))
        return None

    def _first(self, one: Mutant, known: Sequence[str]) -> list[str]:
        """Return the tests to run for a change: those that saw it or most others of the module, if they are quick, then others."""
        known = [name for name in known if self.trusted.get(name, True) and name in self.items]
        here = set(known)
        best = [name for name, _ in self.seers.get(one.module, Counter()).most_common() if name in here][:4]
        first = [name for name in (self.results.last(one), *best) if name in here and self.reached.seconds[name] < 0.5]
        return list(dict.fromkeys([*first, *self.reached.chosen(known, self.seconds)]))

    def _trust(self, tests: Sequence[str]) -> bool:
        """Return whether the last test passes without a change after the others; asked once."""
        if tests[-1] not in self.trusted:
            result = self._run(tests, lambda: True)
            self.trusted[tests[-1]] = result is not None and result[0] == "survived"
            if not self.trusted[tests[-1]]:
                print(f"not asked again, it fails without a change: {tests[-1]}", flush=True)
        return self.trusted[tests[-1]]

    def _run(self, tests: Sequence[str], change: Callable[[], bool]) -> tuple[str, str] | None:
        """Run tests with a change, and return how that ended and the last test, or None if the change cannot be made here."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            code = 1
            with _quietly():
                os.close(reading)
                _limit()
                if not change():
                    os._exit(3)
                for number, name in enumerate(tests):
                    os.write(writing, struct.pack("i", number))
                    signal.setitimer(signal.ITIMER_PROF, self.patience + 5.0 * self.reached.seconds[name])
                    if not _passes(self.items[name]):
                        os._exit(1)
                code = 0
            os._exit(code)
        os.close(writing)
        with open(reading, "rb") as told:
            begun = told.read()
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        if code == 3:
            return None
        how = {0: "survived", -signal.SIGPROF: "without end"}.get(code, "seen")
        return how, tests[struct.unpack("i", begun[-4:])[0]] if begun else ""


def _passes(item: pytest.Item) -> bool:
    from _pytest.runner import runtestprotocol

    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


class _LongEnough(BaseException):
    """A test was watched long enough."""


def _interrupt(number: int, frame: object) -> None:
    raise _LongEnough


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.alarm(LONGEST)


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Write nothing, and end with the block whatever happens."""
    with open(os.devnull, "w") as nothing, contextlib.suppress(BaseException):
        os.dup2(nothing.fileno(), 1)
        os.dup2(nothing.fileno(), 2)
        yield


class Failing(Settled):
    """A plugin of pytest that writes down the test that fails."""

    def __init__(self, writing: int) -> None:
        self.writing = writing

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write its name."""
        if report.failed:
            os.write(self.writing, report.nodeid.encode())


def by_import(trying: Trying, options: Sequence[str], places: Sequence[str]) -> None:
    """Try the changes that only an import makes: of constants, defaults and decorators, and of what is called by an import."""
    reached = Reached()
    for path in sorted(trying.kept.glob("*.py.json")):
        reached.add(Record.of(path), trying.texts, trying.kept)
    for one in trying.mutants:
        if trying.results.how(one) != "not tried" or time.monotonic() > trying.end:
            continue
        known = [name for name in reached.at(one.path, one.around) if name.startswith(tuple(places))]
        best = [name for name in (trying.results.last(one), *trying.results.seers(one.module)) if name in known]
        tests = list(dict.fromkeys([*best, *reached.chosen(known, trying.seconds)]))
        # To import a file of tests takes longer than most of its tests.
        order = list(dict.fromkeys(name.partition("::")[0] for name in tests))
        few = [name for name in tests if name.partition("::")[0] in order[:FILES]]
        more = [name for name in tests if name.partition("::")[0] in order[FILES:MORE_FILES]]
        how, by = _imported(one, few, reached, options)
        if how == "survived" and more and not reason_of(one):
            how, by = _imported(one, more, reached, options)
        trying.results.keep(one, how, by, trying.seconds)
        trying.results.write()


def _imported(one: Mutant, tests: Sequence[str], reached: Reached, options: Sequence[str]) -> tuple[str, str]:
    """Run tests in a process that imports a change, and return how that ended and which test saw it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        with _quietly():
            os.close(reading)
            _limit()
            signal.setitimer(signal.ITIMER_PROF, 20.0 + 5.0 * sum(map(reached.seconds.__getitem__, tests)))
            importing(one)
            code = int(pytest.main([*options, "-x", *tests], plugins=[Failing(writing)]))
        os._exit(code)
    os.close(writing)
    with open(reading, "rb") as told:
        by = told.read().decode()
    _, status = os.waitpid(child, 0)
    how = {0: "survived", -signal.SIGPROF: "without end"}.get(os.waitstatus_to_exitcode(status), "seen")
    return how, by
