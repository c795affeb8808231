"""van Oest (2019), Psychological Methods 24(4), 439-451: Table 4 and Table 5."""

import pytest

import assent


@pytest.mark.parametrize(
    ("table", "value"),
    [([[81, 9], [9, 1]], 0.034), ([[118, 5], [2, 0]], 0.089), ([[472, 20], [8, 0]], 0.004)],
)
def test_table_5(table, value):
    data = assent.Annotations.from_contingency(table, labels=["a", "b"])
    assert assent.van_oest(data).value == pytest.approx(value, abs=0.0005)


def test_without_a_prior_it_is_scotts_pi():
    data = assent.Annotations.from_contingency([[20, 5], [10, 15]], labels=["a", "b"])
    assert assent.van_oest(data, prior="none").value == pytest.approx(assent.scott_pi(data).value, abs=1e-12)
