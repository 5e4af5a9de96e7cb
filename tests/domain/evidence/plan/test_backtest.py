"""Answers about the backtest: settings beside each other."""

from dataclasses import replace

import pytest

from gpuplanner.domain.evidence.plan.plan_answers import answer
from gpuplanner.domain.evidence.trace import figure
from tests.domain import worlds


@pytest.mark.parametrize(
    ("usd", "as_set", "more"),
    [(330.0, 360.0, -30.0), (None, 360.0, None), (330.0, None, None), (None, None, None)],
)
def test_a_setting_is_compared_where_both_are_known(
    usd: float | None, as_set: float | None, more: float | None
) -> None:
    evidence = worlds.evidence_of_trials()
    first, other = evidence.variants
    changed = replace(evidence, variants=(replace(first, usd=as_set), replace(other, usd=usd)))
    trace = answer(changed, figure("variant_beside", other.name))
    assert trace.value == more
    assert [row.values for row in trace.rows] == [(usd,), (None if as_set is None else -as_set,)]
