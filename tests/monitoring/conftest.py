"""The program and files, as the tests of the command line have them."""

from tests.cli.conftest import assent, file

__all__ = ["assent", "file"]
