"""The site is built without a warning, has every public name, can be searched, and needs no network."""

from __future__ import annotations

import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import assent
from assent.cli.app import COMMANDS

ROOT = Path(__file__).parents[2]
#: What must be found without opening the repository.
WANTED = [
    "install",
    "quickstart",
    "tables",
    "exports",
    "choosing",
    "meaning",
    "intervals",
    "scales",
    "multilabel",
    "spans",
    "rankings",
    "judges",
    "repeats",
    "ci",
    "annotators",
    "planning",
    "monitoring",
    "consensus",
    "teaching",
    "engines",
    "json",
    "api",
    "coming-from",
    "faq",
    "glossary",
    "validated",
]
#: How a manual does not speak.
NOT_SAID = (
    "held against",
    "say otherwise",
    "one door",
    "none by logic",
    "says otherwise",
    "have no say",
    "against the one",
)


def build(source: Path, target: Path) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-b",
        "html",
        "-W",
        "--keep-going",
        "-q",
        "-d",
        str(target / "trees"),
        str(source),
        str(target),
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # A copy, so that pages made of notebooks are not written beside them.
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copytree(ROOT / "examples", folder / "examples")
    done = build(folder / "docs", folder / "html")
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "html"


@pytest.mark.nightly
@pytest.mark.xdist_group("site")
def test_the_pages_that_people_look_for_are_there(site: Path) -> None:
    index = (site / "index.html").read_text(encoding="utf-8")
    for name in WANTED:
        assert (site / f"{name}.html").exists(), name
        assert f'href="{name}.html"' in index, name


@pytest.mark.nightly
@pytest.mark.xdist_group("site")
def test_figures_have_captions_and_options_stay_on_one_line(site: Path) -> None:
    assert re.search(
        r"<figcaption>.*?The beginning of a report", (site / "index.html").read_text(encoding="utf-8"), re.DOTALL
    )
    page = (site / "ci.html").read_text(encoding="utf-8")
    assert '<span class="na">--fail-under</span>' in page
    assert '<span class="n">cohen-kappa</span>' in page
    assert re.search(r'href="_downloads/\w+/judge\.csv"', page)


@pytest.mark.nightly
@pytest.mark.xdist_group("site")
def test_every_public_name_is_in_the_api(site: Path) -> None:
    page = (site / "api.html").read_text(encoding="utf-8")
    measures = {name.replace("-", "_") for name in assent.all_measures()}
    for name in set(assent.__all__) - {"__version__"} - measures:
        assert f'id="assent.{name}"' in page, name
    for name in measures:
        assert f'href="measures/{name.replace("_", "-")}.html"' in page, name


@pytest.mark.nightly
@pytest.mark.xdist_group("site")
def test_every_public_method_is_in_the_api(site: Path) -> None:
    """Also those that a class has from another, such as the interval of a coefficient; what all results have is said once."""
    page = (site / "api.html").read_text(encoding="utf-8")
    assert 'id="assent.Agreement.confidence_interval"' in page
    for name in assent.__all__:
        if not inspect.isclass(found := getattr(assent, name)):
            continue
        for above in found.__mro__:
            if above.__name__ in ("Result", "Record", "Struct") or not above.__module__.startswith("assent"):
                break
            for method, one in vars(above).items():
                if inspect.isfunction(one) and one.__doc__ and not method.startswith("_"):
                    assert f'id="assent.{name}.{method}"' in page, (name, method)


@pytest.mark.nightly
@pytest.mark.xdist_group("site")
def test_the_site_is_searchable_and_needs_no_network(site: Path) -> None:
    assert "krippendorff" in (site / "searchindex.js").read_text(encoding="utf-8")
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        loaded = re.findall(
            r'<(?:script|img|iframe)[^>]+src="([^"]+)"|<link[^>]+rel="stylesheet"[^>]+href="([^"]+)"', text
        )
        assert not [one for pair in loaded for one in pair if one.startswith(("http:", "https:", "//"))], path.name


@pytest.mark.nightly
@pytest.mark.xdist_group("site")
def test_links_within_the_site_lead_somewhere(site: Path) -> None:
    for path in [*site.glob("*.html"), *site.glob("notebooks/*.html")]:
        for target in re.findall(r'href="([^"#]+)(?:#[^"]*)?"', path.read_text(encoding="utf-8")):
            target = target.partition("?")[0]
            if not re.match(r"[a-z]+:|//", target):
                assert (path.parent / target).exists(), f"{path.name} links to {target}"


@pytest.mark.nightly
@pytest.mark.xdist_group("site")
def test_a_broken_link_is_an_error(tmp_path: Path) -> None:
    source = tmp_path / "docs"
    source.mkdir()
    text = (
        (ROOT / "docs" / "conf.py")
        .read_text(encoding="utf-8")
        .replace('["_static"]', "[]")
        .replace('["schemas"]', "[]")
    )
    (source / "conf.py").write_text(text.replace("Path(__file__).parents[1]", f"Path({str(ROOT)!r})"), encoding="utf-8")
    (source / "index.md").write_text("# A page\n\n[nowhere](nothing.md)\n", encoding="utf-8")
    done = build(source, tmp_path / "html")
    assert done.returncode != 0
    assert "nothing.md" in done.stderr


def test_every_public_name_has_an_entry() -> None:
    """What becomes of the entry is looked at above, where the site is built."""
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    measures = {name.replace("-", "_") for name in assent.all_measures()}
    for name in set(assent.__all__) - {"__version__"}:
        wanted = f"measures/{name.replace('_', '-')}.md" if name in measures else f":: assent.{name}\n"
        assert wanted in page, name


def test_pages_speak_plainly() -> None:
    for path in [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        text = path.read_text(encoding="utf-8").casefold()
        assert not [words for words in NOT_SAID if words in text], path.name


def test_every_command_is_on_some_page() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md"))
    assert not [command for command in COMMANDS if f"assent {command}" not in text]


def test_the_names_of_a_lean_installation_are_those_that_are_required() -> None:
    import tomllib

    required = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    lean = [one for one in required if not one.startswith(("vl-convert-python", "fastexcel"))]
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^\$ pip install (numpy.*)$", page, flags=re.MULTILINE)
    assert sorted(line.replace('"', "").split()) == sorted(re.sub(r">=[^,]+,?", "", one) for one in lean)
