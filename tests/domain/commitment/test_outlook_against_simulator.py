"""The band of resampled weeks and the cost of separation equal the oracle's on logs of two weeks and more."""

import pytest

from tests.oracle.comparison import disagreements
from tests.oracle.projects import random_case


@pytest.mark.parametrize(("seed", "hours"), [(60, 336), (61, 500), (62, 350), (63, 510)])
def test_random_projects_of_weeks(seed, hours):
    assert disagreements(random_case(seed, hours=hours, horizon=3)) == []
