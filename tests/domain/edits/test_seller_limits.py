"""Limits of a plan: of workloads, of planned work, and of a seller's share."""

import pytest

from gpuplanner.domain.edits import seller_limits
from gpuplanner.domain.model.book.only import ANYBODY, Only
from tests.domain.edits.refusals import refused
from tests.domain.edits.two_workloads import NEW, PLAN, SERVES, TRAINS, project


@pytest.mark.parametrize(("share", "left"), [(0.0, 0.0), (0.4, 0.4), (0.99, 0.99), (1.0, None), (None, None)])
def test_a_share_below_all_is_a_limit(share: float | None, left: float | None) -> None:
    ada, bo = Only("Ada"), Only("Bo")
    of = project(shares={ada: 0.5, bo: 0.6})
    (plan,) = seller_limits.limit_share(of, PLAN, Only("ada"), share).scenarios
    assert plan.shares == {bo: 0.6} | ({} if left is None else {ada: left})
    assert refused(seller_limits.limit_share, of, PLAN, ada, 1.1) and refused(
        seller_limits.limit_share, of, PLAN, ada, -0.1
    )


def test_a_limit_is_of_workloads_and_of_planned_work() -> None:
    of = project(NEW, only={TRAINS: Only("Bo")})
    (plan,) = seller_limits.limit_workloads(of, PLAN, (NEW.key, TRAINS), Only("ada")).scenarios
    assert plan.only == dict.fromkeys((NEW.key, TRAINS), Only("Ada"))
    assert seller_limits.limit_workloads(of, PLAN, (TRAINS, SERVES), ANYBODY).scenarios[0].only == {}
    assert refused(seller_limits.limit_workloads, of, PLAN, ("x",), Only("Ada"))
