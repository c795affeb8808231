"""The alarm that ends a case and the measure of its memory are those of Unix: elsewhere there is nothing to collect."""

import sys

collect_ignore_glob = ["*.py"] if sys.platform == "win32" else []
