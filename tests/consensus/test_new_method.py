"""A method in a package of somebody else is found everywhere without an edit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = '''
"""A method of one's own."""

from typing import Annotated

from assent.analyses.consensus import Outcome, method
from assent.analyses.consensus.probabilities import Probabilities
from assent.analyses.consensus.votes import Votes
from assent.references import Reference
from assent.registry import number


@method(
    title="Crowned",
    references=[Reference("Roe, R.", 2021, "The loudest counts", "Letters", "https://example.org/loud")],
    asks_who=False,
    aliases=["loudest"],
)
def crowned_votes(
    votes: Votes,
    *,
    power: Annotated[float, number("power", least=0, must="not be negative", help="How loud.")] = 2.0,
) -> Outcome:
    """Raise the votes for each label to a power.

    When to use
    -----------
    Never.

    Not when
    --------
    Always.
    """
    loud = votes.votes**power
    return Outcome(probabilities=Probabilities.of_cells(votes, loud / votes.cell_sums(loud)[votes.cell_item]))
'''

TABLE = "item,a,b,c\n1,x,x,y\n2,x,y,y\n3,y,y,y\n4,x,x,x\n"


@pytest.fixture
def package(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "of_somebody.py").write_text(MODULE)
    about = tmp_path / "of_somebody-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: of-somebody\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[assent.consensus]\nof_somebody = of_somebody\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, "COLUMNS": "100"}


def run(package: dict[str, str], *arguments: str, code: int = 0) -> str:
    program = "from assent.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], env=package, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    return done.stderr if code else done.stdout


def test_it_is_found_everywhere(package: dict[str, str], tmp_path: Path) -> None:
    table, gold = tmp_path / "labels.csv", tmp_path / "gold.csv"
    table.write_text(TABLE)
    gold.write_text("item,label\n1,x\n2,x\n")
    found = json.loads(run(package, "consensus", str(table), "-m", "loudest", "--power", "3", "--json", "--soft"))
    one = found["consensus"]
    assert (one["method"], one["title"], one["options"]) == ("crowned-votes", "Crowned", {"ties": "none", "power": 3})
    # Two votes against one, each to the third power.
    assert one["items"][0]["confidence"] == pytest.approx(8 / 9)
    assert one["items"][1]["probabilities"] == pytest.approx({"x": 1 / 9, "y": 8 / 9})
    scored = json.loads(run(package, "consensus", str(table), "--gold", str(gold), "--json"))["consensus"]["gold"]
    assert {row["method"]: row["correct"] for row in scored["methods"]}["crowned-votes"] == 1
    text = run(package, "consensus", "--help")
    assert "crowned-votes: Raise the votes for each label to a power." in text
    assert "How loud. For crowned-votes." in text
    refused = run(package, "consensus", str(table), "--power", "3", code=2)
    assert refused == "assent: majority has no option --power: it is an option of crowned-votes.\n"
    refused = run(package, "consensus", str(table), "-m", "crowned-votes", "--power", "-1", code=2)
    assert refused == "assent: --power is -1; it must not be negative.\n"


def test_it_is_in_the_library_and_in_the_pages(package: dict[str, str]) -> None:
    root = Path(__file__).parents[2]
    code = (
        "import assent, runpy\n"
        "from assent.analyses.consensus import all_methods, crowned_votes\n"
        "table = [['x', 'x', 'y'], ['y', 'y', None]]\n"
        "assert crowned_votes is all_methods()['crowned-votes']\n"
        "assert crowned_votes(table).confidence[0] == assent.consensus(table, 'crowned_votes').confidence[0] == 0.8\n"
        f"pages = runpy.run_path({str(root / 'docs' / 'generate.py')!r})['pages']()\n"
        "(page,) = [text for path, text in pages.items() if path.stem == 'crowned-votes']\n"
        "print(page)"
    )
    done = subprocess.run([sys.executable, "-c", code], env=package, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "How loud." in done.stdout
    assert "Roe, R. (2021). The loudest counts." in done.stdout
