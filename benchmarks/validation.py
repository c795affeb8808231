"""What other packages say about the same tables, and why some of it differs.

    python benchmarks/validation.py            asks the packages; some minutes at first, half a minute later
    python benchmarks/validation.py --page     only writes the page anew from docs/validation.json
    python benchmarks/validation.py --latest   tries the newest versions instead of those that are named; writes nothing

The packages (some are GPL) are installed for the comparison alone, into environments under benchmarks/data. The page goes to
docs/validation.md, its numbers to docs/validation.json; both are the same however often this is run. A difference without an
explanation ends it with an error.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# This folder holds a file with the name of a well-known package, which must not be found first.
sys.path[0] = str(ROOT)

from benchmarks.validation.comparison import compare, read, write  # noqa: E402
from benchmarks.validation.data import TABLES, published  # noqa: E402
from benchmarks.validation.environments import PACKAGES, answers_of  # noqa: E402
from benchmarks.validation.page import page  # noqa: E402

JSON = ROOT / "docs" / "validation.json"
PAGE = ROOT / "docs" / "validation.md"


def asked(*, latest: bool) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Ask every package; return the packages and the compared questions."""
    tables = [data.to_dict() for data in TABLES]
    packages, answers = [], []
    for name in sorted(PACKAGES, key=str.lower):
        print(f"{name} …", file=sys.stderr, flush=True)
        said = answers_of(name, tables, latest=latest)
        packages.append({"name": name, "version": said["version"], "error": said["error"]})
        answers += [{**answer, "package": name} for answer in said["answers"]]
    quoted = list(published())
    for name, version in sorted({(one["package"], one["version"]) for one in quoted}):
        packages.append({"name": name, "version": version, "error": None})
    return packages, compare([*answers, *quoted])


def main() -> None:
    """Ask, compare, explain, write."""
    parser = argparse.ArgumentParser(description="Compare assent with other packages.")
    parser.add_argument("--page", action="store_true", help="ask nobody, write the page anew")
    parser.add_argument("--latest", action="store_true", help="ask the newest versions; write nothing")
    options = parser.parse_args()
    if options.page:
        packages, questions = read(JSON)
    else:
        # A difference is looked for among numbers that may be undefined, too.
        warnings.simplefilter("ignore", RuntimeWarning)
        packages, questions = asked(latest=options.latest)
    unexplained = [
        (question, answer)
        for question in questions
        for answer in question["answers"]
        if not answer["equal"] and not answer["reasons"]
    ]
    for question, answer in unexplained:
        asked_about = {name: value for name, value in question.items() if name != "answers"}
        print(f"Not understood: {asked_about} {answer}", file=sys.stderr)
    if not options.latest and not options.page:
        write(JSON, packages, questions)
    if not options.latest:
        PAGE.write_text(page(packages, questions), encoding="utf-8")
    if unexplained:
        sys.exit(f"{len(unexplained)} differences are not explained.")


if __name__ == "__main__":
    main()
