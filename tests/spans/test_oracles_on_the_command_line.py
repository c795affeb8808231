"""Every known value of spans, asked for on the command line."""

import pytest
from tests.spans.command_line_oracles import HERE, every, met


@pytest.mark.nightly
def test_every_value_is_met() -> None:
    found = [*every((HERE,))]
    assert len(found) >= 410
    missed = [
        (table, wanted["measure"], wanted["params"], wanted["value"], value)
        for table, wanted, value in found
        if not met(value, wanted)
    ]
    assert missed == []
