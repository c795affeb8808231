"""What Python raises on archives and packed files that are broken: one list for all that open one."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib

__all__ = ["BROKEN"]

#: An offset below 0 is a ValueError, one beyond the machine an OverflowError, an unknown method a NotImplementedError, a password a RuntimeError.
BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, LookupError, OSError, OverflowError, RuntimeError, ValueError,
)  # fmt: skip
