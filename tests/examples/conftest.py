"""The program, as the tests of the command line run it."""

from tests.cli.conftest import assent

__all__ = ["assent"]
