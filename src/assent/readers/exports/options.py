"""What can be said about how an export is to be read."""

from __future__ import annotations

import re
from typing import Literal

from assent.errors import OptionError, choose
from assent.records import Struct
from assent.text import shown

__all__ = ["ReadOptions"]


class ReadOptions(Struct, frozen=True, kw_only=True):
    """Choices that several tools share; each reader takes those that its format has.

    Parameters
    ----------
    duplicates : {"last", "first", "error"}
        Which of several answers of one annotator to one item counts.
    empty : {"missing", "nothing"}, optional
        Whether an empty answer is none at all or the answer "nothing"; by default what the tool's export can tell.
    with_models : bool
        Predictions and suggestions are rows, too; their annotators are marked as programs.
    finished_only : bool
        Documents that are still in progress are left out.
    keep_rejected : bool
        Work that was rejected counts.
    names : bool
        E-mail addresses stay as they are; otherwise they become A1, A2, …
    annotator_from_name : str, optional
        Regular expression whose group ``annotator`` (or its first group) finds the annotator in the name of a file.
    item : str, optional
        Column of a crowd's table that says which item a task is about, such as ``Input.id``; else tasks are items.
    offsets : {"codepoints", "tokens"}
        What the offsets of spans count where the export has tokens alone.
    encoding : str
        Of texts without a byte order mark.
    keep_texts : int
        How many characters of the items' texts are kept, all together; beyond that only their lengths are.
    """

    duplicates: Literal["last", "first", "error"] = "last"
    empty: Literal["missing", "nothing"] | None = None
    with_models: bool = False
    finished_only: bool = False
    keep_rejected: bool = False
    names: bool = False
    annotator_from_name: str | None = None
    item: str | None = None
    offsets: str = "codepoints"
    encoding: str = "utf-8"
    keep_texts: int = 16_000_000

    def __post_init__(self) -> None:
        choose("duplicates", self.duplicates, ("last", "first", "error"))
        if self.empty is not None:
            choose("empty", self.empty, ("missing", "nothing"))
        if self.annotator_from_name is not None:
            try:
                groups = re.compile(self.annotator_from_name).groups
            except re.error as error:
                raise OptionError(f"annotator_from_name is no regular expression: {error}.") from None
            if not groups:
                raise OptionError(
                    f"annotator_from_name is {shown(self.annotator_from_name)}; put the part that names the annotator "
                    "in parentheses."
                )

    def annotator_in(self, name: str) -> str | None:
        r"""Return the annotator that a file's `name` holds, or None if it is not to be found there.

        Examples
        --------
        >>> ReadOptions(annotator_from_name=r"\.ann_(\w+)$").annotator_in("letter.ann_ada")
        'ada'
        """
        if self.annotator_from_name is None:
            return None
        match = re.search(self.annotator_from_name, name)
        if match is None:
            return None
        found = match.groupdict().get("annotator") or match.group(1)
        return str(found) if found else None
