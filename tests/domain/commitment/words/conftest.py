"""Fixtures for the tests of words."""

import pytest

from gpuplanner.domain.commitment.result import PoolPlan
from tests.domain.commitment.four_offers import plan_with_four_offers


@pytest.fixture(scope="module")
def plan() -> PoolPlan:
    return plan_with_four_offers()
