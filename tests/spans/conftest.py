from tests.cli.conftest import assent, file

__all__ = ["assent", "file"]
