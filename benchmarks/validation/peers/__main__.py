"""Ask one package about all tables: ``python benchmarks/validation/peers PACKAGE < tables.json > answers.json``.

It runs in the environment of the package it asks, and needs nothing of this project.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import logging
import sys
import warnings

import many_raters
import on_numbers
import two_raters
from asking import Table, Teller, first_line

ADAPTERS = {**two_raters.ADAPTERS, **many_raters.ADAPTERS, **on_numbers.ADAPTERS}


def main() -> None:
    """Read the tables from standard input and write the answers to standard output."""
    package = sys.argv[1]
    tables = [Table(**table) for table in json.load(sys.stdin)]
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    version, error = None, None
    teller = Teller()
    # Whatever a package prints must not get between the answers.
    with contextlib.redirect_stdout(sys.stderr):
        try:
            version = importlib.metadata.version(package)
            ask = ADAPTERS[package]()
            for table in tables:
                teller.table = table.id
                ask(table, teller)
        except Exception as problem:
            error = first_line(problem)
    json.dump({"package": package, "version": version, "error": error, "answers": teller.answers}, sys.stdout)


if __name__ == "__main__":
    main()
