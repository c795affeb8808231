"""`assent look`: how files would be read, and which options change that."""

from __future__ import annotations

from typing import Annotated, Any

from assent.cli.common import json_option
from assent.cli.options import takes_files

__all__ = ["look_command"]

OUTPUT = "What to print"


@takes_files
def look_command(
    data: Any,
    json: Annotated[bool, json_option(panel=OUTPUT)] = False,
) -> None:
    """Say how files would be read and why, what is in them, and which options change that.

    Columns and what they are, questions, labels with counts, what would be
    left out, labels that look alike, and commands to copy. Nothing is measured.

      assent look labels.csv
      assent look export.zip
    """
    from assent.analyses.look import look
    from assent.cli.output import print_result
    from assent.cli.progress import stage

    files, reading = data
    with stage(f"Looking at {', '.join(map(str, files))}"):
        found = look(*files, **reading)
    print_result(found, json=json)
