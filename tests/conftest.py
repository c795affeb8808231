from __future__ import annotations

import gc
import importlib.util
import json
import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import polars as pl
import pytest
from hypothesis import settings
from tests import support

# Speed is guarded by counts: a busy machine is no failure.
settings.register_profile("assent", deadline=None, max_examples=support.EXAMPLES)
# What `make test-all` takes.
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.load_profile("assent")

# Threads of OpenBLAS wait for each other by spinning: for the small matrices of the tests a fifth of the time, and nothing gained.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Spark's workers must run the Python that runs the tests.
os.environ.setdefault("PYARROW_IGNORE_TIMEZONE", "1")


#: Alarms, limits of memory and forks are those of Unix.
collect_ignore = [] if importlib.util.find_spec("resource") else ["fuzz", "mutation"]

#: The one without windows opens a page for half the processor time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.default.parallelism", "1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        # Tables of the tests are small: to compile queries, and Java's code thoroughly, costs more than it saves.
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Leave what was collected, which stays to the end, out of every later search for garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        # As the program does, only sooner: at Python's own 700 up to a twentieth of the time is spent on looking, and nothing is found.
        gc.set_threshold(20_000)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep all tests of Spark on one worker, and all of the browser and its pages: each worker would make its own."""
    fixtures = getattr(item, "fixturenames", ())
    if "pyspark" in item.name or "spark" in fixtures:
        item.add_marker(pytest.mark.xdist_group("spark"))
        if item.get_closest_marker("nightly_on_spark"):
            item.add_marker(pytest.mark.nightly)
    elif "browser" in fixtures or "html" in fixtures:
        item.add_marker(pytest.mark.xdist_group("browser"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the groups, which take longest: what comes last should be short."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand out groups, and whole files otherwise: what a file shares is made once, and fewer parts are counted after each test."""
    from xdist.scheduler import LoadGroupScheduling

    if config.getoption("dist") != "loadgroup":
        return None
    config.option.loadscopereorder = False

    class ByGroupOrFile(LoadGroupScheduling):
        def _split_scope(self, nodeid: str) -> str:
            group = super()._split_scope(nodeid)
            return nodeid.partition("::")[0] if group == nodeid else group

    return ByGroupOrFile(config, log)


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a test by the beginning of a long text: a name is sent between processes with every report, megabytes with it."""
    return f"{val[:60]!r}... of {len(val)}" if isinstance(val, str | bytes) and len(val) > 200 else None


@pytest.fixture(scope="session", autouse=True)
def drawn_once() -> Iterator[None]:
    """Draw equal charts once, which many reports have: a third of all that are drawn. No test compares two drawings."""
    from assent.documents import charts, renderer

    start, draw, drawn = renderer.start, charts.drawn, dict[str, str]()

    def once(spec: dict[str, Any]) -> str:
        key = json.dumps(spec)
        if key not in drawn:
            # As a report does: with fonts of its own first, a chart takes half the time.
            start()
            drawn[key] = draw(spec)
        return drawn[key]

    with mock.patch.object(charts, "drawn", once):
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Return Debian's Chromium without a window, to look at pages with."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip("there is no Chromium: apt-get install chromium-headless-shell")
    with api.sync_playwright() as running:
        made = running.chromium.launch(executable_path=found, args=["--no-sandbox"], timeout=180_000)
        yield made
        made.close()


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """Fail a test that searched for cases, over all its random tables, and found none."""
    support.SEARCHES.clear()
    passed = yield
    assert not support.SEARCHES or any(support.SEARCHES), f"{pyfuncitem.name} found no case to check"
    return passed


@pytest.fixture(params=support.ENGINES)
def native(request: pytest.FixtureRequest) -> Callable[[pl.DataFrame], Any]:
    """A function that puts a polars table into the engine under test."""
    name = request.param
    if name == "polars":
        return lambda frame: frame
    if name == "polars-lazy":
        return lambda frame: frame.lazy()
    if name == "pandas":
        return lambda frame: frame.to_pandas()
    if name == "pyarrow":
        return lambda frame: frame.to_arrow()
    if name == "duckdb":
        import duckdb

        connection = duckdb.connect()
        return lambda frame: connection.from_arrow(frame.to_arrow())
    if name == "ibis":
        import ibis

        return lambda frame: ibis.memtable(frame.to_arrow())
    session = request.getfixturevalue("spark")
    return lambda frame: session.createDataFrame(frame.to_arrow().cast(_plain_text(frame.to_arrow().schema)))


@pytest.fixture(params=["duckdb", pytest.param("spark", id="pyspark")])
def engine(request: pytest.FixtureRequest) -> str:
    """The name of an engine that the program knows; Spark is running already."""
    if request.param == "spark":
        request.getfixturevalue("spark")
    name: str = request.param
    return name


def _plain_text(schema: Any) -> Any:
    """Spark does not know Arrow's large strings."""
    import pyarrow as pa

    return pa.schema(
        [pa.field(one.name, pa.string() if pa.types.is_large_string(one.type) else one.type) for one in schema]
    )
