"""A budget is an amount of a team."""

import pytest

from gpuplanner.domain.model.budgets import check_budget
from tests.domain.model.refusals import result_of


@pytest.mark.parametrize(
    ("team", "usd", "result"),
    [
        ("a", 0, 0.0),
        ("a", 10**12, 1e12),
        ("a", 10**12 + 1, "usage"),
        ("a", -0.01, "usage"),
        ("a", True, "usage"),
        ("a", "5", "usage"),
        ("a", float("nan"), "usage"),
        ("a", float("inf"), "usage"),
        ("", 5, "usage"),
        ("   ", 5, "usage"),
        ("x" * 200, 5, 5.0),
        ("x" * 201, 5, "usage"),
    ],
)
def test_a_budget_is_an_amount_of_a_team(team: str, usd: object, result: object) -> None:
    assert result_of(check_budget, team, usd) == result
