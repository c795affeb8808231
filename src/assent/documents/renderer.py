"""The package that draws charts, made ready while something else is computed."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from pathlib import Path

from assent.documents.charts import undrawable

__all__ = ["start"]

#: A configuration of fontconfig with a folder that does not exist.
_NO_FONTS = Path(__file__).with_name("no-fonts.conf")
_FOLDER, _COMMENT = re.compile(r"<dir\b([^>]*)>\s*([^<]+?)\s*</dir>"), re.compile("<!--.*?-->", re.DOTALL)


def start() -> None:
    """Have the renderer start in a thread of its own: a tenth of the time of a large report, for which nobody then waits.

    Only for a process that draws nothing but charts of ours, since it finds fonts in another order. Where something was drawn already,
    nothing is done.
    """
    if "vl_convert" in sys.modules or undrawable():
        return
    import vl_convert

    if sys.platform == "linux" and "FONTCONFIG_FILE" not in os.environ:
        _own_font_first(_font_folders())
    # This page is drawn by a browser, and returned at once; the renderer starts whatever it is asked first.
    vl_convert.vega_to_html({}, bundle=False)


def _own_font_first(folders: list[str]) -> None:
    """Have the font that the renderer brings along found before the copy of it that many systems have.

    It holds its own in memory. A file of the system it opens several times for each letter of each text, which is half the time of a
    chart.
    """
    import vl_convert

    # With the first folder it makes its list of fonts: those of the system, which are none now, and its own.
    os.environ["FONTCONFIG_FILE"] = str(_NO_FONTS)
    try:
        for folder in folders:
            vl_convert.register_font_directory(folder)
    finally:
        del os.environ["FONTCONFIG_FILE"]


def _font_folders() -> list[str]:
    """Return the folders with fonts that the files of fontconfig name; of some systems only these files know."""
    user = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    found = []
    for place in (Path(user, "fontconfig"), Path("/etc/fonts")):
        for file in (place / "fonts.conf", place / "local.conf", *sorted(place.glob("conf.d/*.conf"))):
            with suppress(OSError):
                for attributes, folder in _FOLDER.findall(_COMMENT.sub("", file.read_text("utf-8", "replace"))):
                    found.append(os.path.expanduser(f"{data}/{folder}" if "xdg" in attributes else folder))
    # A folder that is named from where somebody stands is another one for everybody.
    return list(dict.fromkeys(filter(os.path.isabs, found)))
