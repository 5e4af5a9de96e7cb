"""What of a call is a question of its plan: the plan before it is the same call without."""

from argparse import Namespace

import pytest

from gpuplanner.cli.project_words import ASKING, no_project, unasked


def words(**said: object) -> Namespace:
    nothing = dict.fromkeys(ASKING, ()) | {"greenfield": False, "price_case": None}
    return Namespace(**{**nothing, "label": ["a/b/c=burst"], "scenario": "Plan B", **said})


@pytest.mark.parametrize(
    "said",
    [
        {"set": ["growth=10%"]},
        {"change": ["all x2 by 2027-03"]},
        {"assign": ["a/b/c=burst"]},
        {"ends": ["a/b/c=2027-01-01"]},
        {"planned": ["work.csv"]},
        {"only": ["a/b/c=provider:Fern"]},
        {"greenfield": True},
        {"price_case": "low"},
    ],
)
def test_what_is_said_of_a_plan_is_left_out_of_the_plan_before(said: dict[str, object]) -> None:
    before = unasked(words(**said), no_project())
    assert before is not None
    assert not any(getattr(before, option) for option in ASKING)
    assert before.scenario == "Plan B"
    assert before.label == []  # of a workload that no log has


@pytest.mark.parametrize("said", [{}, {"set": ["reporting_currency=EUR"]}])
def test_a_call_that_says_nothing_of_its_plan_asks_nothing(said: dict[str, object]) -> None:
    assert unasked(words(**said), no_project()) is None
