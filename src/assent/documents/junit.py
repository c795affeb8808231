"""Outcomes as JUnit XML, which CI systems show as tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from assent.limits import LONGEST_IN_XML
from assent.text import shortened, visible

__all__ = ["junit_xml"]


#: The element and the type of what does not pass.
_KINDS = {"fail": ("failure", "below"), "unclear": ("error", "not-enough-data")}


class _Outcome(Protocol):
    """What a gate says."""

    @property
    def gate(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def outcome(self) -> str: ...

    @property
    def sentence(self) -> str: ...


def junit_xml(outcomes: Sequence[_Outcome], *, suite: str, seconds: float = 0.0) -> str:
    """Return outcomes as a test suite: what fails is a failure, what cannot be told an error.

    Parameters
    ----------
    suite : str
        What was judged, such as the name of a file.
    seconds : float
        How long it took.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> print(
    ...     junit_xml([SimpleNamespace(gate="kappa", title="alpha", outcome="pass", sentence="It holds.")], suite="a<b")
    ... )
    <?xml version="1.0" encoding="utf-8"?>
    <testsuites><testsuite name="a&lt;b" tests="1" failures="0" errors="0" skipped="0" time="0.000"><testcase classname="assent.kappa" name="alpha" time="0.000"><system-out>It holds.</system-out></testcase></testsuite></testsuites>
    <BLANKLINE>
    """
    # The parts of a document are made here and never read, so nothing of the parser's weaknesses matters.
    from xml.etree import ElementTree

    counts = {kind: sum(one.outcome == kind for one in outcomes) for kind in ("fail", "unclear")}
    root = ElementTree.Element("testsuites")
    attributes: dict[str, Any] = {
        "name": _text(suite),
        "tests": str(len(outcomes)),
        "failures": str(counts["fail"]),
        "errors": str(counts["unclear"]),
        "skipped": "0",
        "time": f"{seconds:.3f}",
    }
    tests = ElementTree.SubElement(root, "testsuite", attributes)
    for one in outcomes:
        case = ElementTree.SubElement(
            tests, "testcase", {"classname": f"assent.{_text(one.gate)}", "name": _text(one.title), "time": "0.000"}
        )
        said, kind = _text(one.sentence), _KINDS.get(one.outcome)
        # Some systems show the message and others the text.
        shown = ElementTree.SubElement(
            case, *(("system-out", {}) if kind is None else (kind[0], {"message": said, "type": kind[1]}))
        )
        shown.text = said
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _text(said: str) -> str:
    """Return a text without what XML cannot hold."""
    return visible(shortened(said, LONGEST_IN_XML))
