"""Files that other programs read: workflows, hooks, templates, how to cite. They parse, and say what the project says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from assent._version import __version__

HOME = Path(__file__).parents[2]
WORKFLOWS = sorted((HOME / ".github" / "workflows").glob("*.yml"))
TEMPLATES = sorted((HOME / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


def loaded(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_have_jobs_with_least_rights(path: Path) -> None:
    content = loaded(path)
    assert content["permissions"] == {"contents": "read"}
    # YAML takes the key "on" for a truth value.
    assert True in content
    for job in content["jobs"].values():
        assert job["steps"]
        for step in job["steps"]:
            assert len({"uses", "run"} & set(step)) == 1
            # What a pull request can name must not become a part of a script.
            assert "github.event" not in step.get("run", "")


def test_the_workflow_runs_what_everyone_runs_on_every_supported_python() -> None:
    job = loaded(HOME / ".github" / "workflows" / "test.yml")["jobs"]["test"]
    assert any(step.get("run", "").startswith("make test") for step in job["steps"])
    project = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [one.rpartition(" ")[2] for one in project["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert job["strategy"]["matrix"]["python"] == named
    assert {one.partition("-")[0] for one in job["strategy"]["matrix"]["os"]} == {"ubuntu", "macos", "windows"}


def test_the_page_on_architecture_has_the_contract_and_every_module() -> None:
    page = (HOME / "docs" / "architecture.md").read_text(encoding="utf-8")
    shown = page.partition("A package imports only from the lines below its own:\n\n```\n")[2].partition("```")[0]
    (layers,) = (
        one["layers"]
        for one in tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
            "contracts"
        ]
        if one["type"] == "layers"
    )
    assert [line.split(", ") for line in shown.splitlines()] == [
        [name.removeprefix("assent.") for name in re.split(" [|:] ", line)] for line in layers
    ]
    for path in (HOME / "src" / "assent").glob("[a-z]*"):
        if path.is_dir() or path.suffix == ".py":
            assert f"`{path.name}{'/' * path.is_dir()}`" in page, path.name


def test_publishing_needs_no_token() -> None:
    job = loaded(HOME / ".github" / "workflows" / "release.yml")["jobs"]["publish"]
    assert (job["permissions"], job["environment"]) == ({"id-token": "write"}, "pypi")
    assert "secrets." not in (HOME / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_templates_are_forms(path: Path) -> None:
    content = loaded(path)
    assert {"name", "description", "body"} <= set(content)
    assert all(one["type"] in ("textarea", "input") and one["attributes"]["label"] for one in content["body"])


def test_hooks_and_citation() -> None:
    hooks = [hook["id"] for repo in loaded(HOME / ".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]]
    assert hooks == ["ruff-check", "ruff-format", "pages"]
    cited = loaded(HOME / "CITATION.cff")
    assert (str(cited["version"]), cited["license"]) == (__version__, "Apache-2.0")


def test_the_changelog_has_versions() -> None:
    text = (HOME / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", text, flags=re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)", one) for one in headings[1:])
