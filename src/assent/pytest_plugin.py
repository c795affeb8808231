"""A fixture for pytest: agreement that must hold is a test like any other.

Nothing of assent but this module is imported before a test asks for the fixture.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import pytest

__all__ = ["Gatekeeper", "assent"]


class Gatekeeper:
    """The public functions of assent; what their gates do not let through fails the test.

    Parameters
    ----------
    request : FixtureRequest
        The test; what gates say is added to its properties, which pytest writes into JUnit XML.

    Examples
    --------
    In a test::

        def test_the_labels_are_good_enough(assent):
            assent.measure("labels.csv", "krippendorff-alpha", fail_under=0.7)


        def test_the_new_judge_is_no_worse(assent):
            assent.compare("old.csv", "new.csv", gate=["no-worse"], margin=0.05)
    """

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._request = request

    def __getattr__(self, name: str) -> Any:
        import assent

        if name.startswith("_") or not hasattr(assent, name):
            raise AttributeError(f"assent has no {name!r}")
        function = getattr(assent, name)
        return self._checked(function) if callable(function) and not isinstance(function, type) else function

    def _checked(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(*arguments: Any, **options: Any) -> Any:
            __tracebackhide__ = True
            from assent.errors import AssentError

            refused = ""
            try:
                result = function(*arguments, **options)
            except AssentError as error:
                refused = f"assent: {error}"
            if refused:
                # Outside the handler, or pytest would show the error twice.
                pytest.fail(refused, pytrace=False)
            self.check(result)
            return result

        return call

    def check(self, result: Any) -> None:
        """Fail the test if a gate of a result fails, or cannot tell (unless ``--assent-unclear`` says otherwise)."""
        __tracebackhide__ = True
        outcomes: Sequence[Any] = result.outcomes() if hasattr(result, "outcomes") else getattr(result, "gates", ())
        for one in outcomes:
            self._request.node.user_properties.append((f"assent.{one.gate}", f"{one.outcome}: {one.sentence}"))
        failed = [one.sentence for one in outcomes if one.outcome == "fail"]
        unclear = [one.sentence for one in outcomes if one.outcome == "unclear"]
        if failed:
            pytest.fail("\n".join(failed), pytrace=False)
        if unclear:
            what = self._request.config.getoption("assent_unclear")
            if what == "skip":
                pytest.skip("; ".join(unclear))
            if what == "fail":
                pytest.fail("\n".join(["Not enough data to tell:", *unclear]), pytrace=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the command line say what becomes of gates that cannot tell."""
    parser.getgroup("assent").addoption(
        "--assent-unclear",
        dest="assent_unclear",
        choices=("fail", "skip", "pass"),
        default="fail",
        help="What becomes of a test whose gate says that there are not enough data to tell (default: fail).",
    )


@pytest.fixture
def assent(request: pytest.FixtureRequest) -> Gatekeeper:
    """Public functions of assent, whose gates fail the test."""
    return Gatekeeper(request)
