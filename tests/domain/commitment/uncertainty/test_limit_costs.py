"""What limits cost, by hand: a longest term, a share of one provider, a budget, and who alone may serve."""

from typing import Any

import pytest

from gpuplanner.domain.commitment.evidence.trace_limits import of_limit
from gpuplanner.domain.commitment.outlook_result import LimitCost, Outlook
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.uncertainty.limit_costs import is_binding
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.edits import limit_workloads
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.reports.plan.limits import DOES_NOT_BIND, LIMITS
from tests.domain.commitment.conftest import Load, audit, case, contract, offer

HOURS = 192
QUIET = {"lambda_": 0.0, "delta": 0.0, "sigma": 0.0, "wacc": 0.0, "horizon_months": 12}
ONE_AND_TWO = [
    offer("od", 0, 5.0),
    offer("one", 3, 2.0, provider="one"),
    offer("two", 3, 3.0, provider="two"),
]


def outlook_of(
    offers: Any, gpus: float = 10.0, contracts: Any = (), only: Only | None = None, **values: Any
) -> Outlook:
    made = case([Load(Pool.TRAINING, [gpus] * HOURS)], contracts, offers, **(QUIET | values))
    project = made.project
    if only is not None:
        project = limit_workloads(project, project.scenarios[0].name, [project.workloads[0].key], only)
    plan = project.scenarios[0]
    return outlook(project, plan, made.pools, advise(project, plan, made.pools, audit()))


def costs_of(*given: Any, **values: Any) -> dict[str, LimitCost]:
    return {one.limit.limit: one for one in outlook_of(*given, **values).limits}


def test_without_a_limit_there_is_none_and_nothing_is_checked() -> None:
    found = outlook_of(ONE_AND_TWO)
    assert found.limits == () and not [one for one in found.checks if one.code == "limit_binds"]


def test_a_longest_term_costs_the_difference_of_the_rates() -> None:
    offers = [offer("od", 0, 5.0), offer("c3", 3, 2.0), offer("c12", 12, 1.0)]
    (one,) = outlook_of(offers, 4.0, max_term_months=3).limits
    assert one.limit_cost == pytest.approx(730 * 4 * 1.0)
    assert one.limit_cost_in_year == pytest.approx(12 * 730 * 4 * 1.0)
    assert str(one.why) == "without it terms of up to 12 months are signed"
    assert str(one.limit.words) == "No term over 3 months"


def test_a_limit_that_changes_nothing_is_no_check_and_says_so() -> None:
    found = outlook_of([offer("od", 0, 5.0), offer("c3", 3, 2.0)], max_term_months=3)
    (one,) = found.limits
    assert (one.limit_cost, is_binding(one)) == (0.0, False)
    assert LIMITS.column("why").of(one) == DOES_NOT_BIND
    assert not [check for check in found.checks if check.code == "limit_binds"]


def test_the_share_of_one_provider_costs_what_others_and_use_ask_more() -> None:
    # half of 20 x 730 $: 4 are the contract's; three GPUs at 2, three at 3 and two at 5 in place of eight at 2
    contracts = [contract("k", 2, 2.0, None, HOURS, provider="one")]
    found = outlook_of(ONE_AND_TWO, 10.0, contracts, max_provider_share=0.5)
    (one,) = found.limits
    assert one.limit_cost == pytest.approx(730 * (3 * 2 + 3 * 3 + 2 * 5 - 8 * 2))
    assert str(one.why) == "without it one has 100% of the first month's $"
    (check,) = [check for check in found.checks if check.code == "limit_binds"]
    assert (check.severity, check.usd_per_month) == ("info", one.limit_cost)
    assert str(check.subject) == "no more than 50% with one provider"
    assert str(check.message).startswith(
        "$6,570 more in the first month, $78,840 more in twelve months; without"
    )


def test_a_share_that_binds_as_demand_grows_says_that_it_does() -> None:
    # four GPUs at 2 are half of the month; what signs later with the same provider is what the share closes
    offers = [offer("od", 0, 5.0), offer("one", 3, 2.0, provider="one")]
    contracts = [contract("k", 4, 4.0, None, HOURS, provider="other")]
    values = {"growth": 0.1, "growth_fade": 1.0}
    (one,) = outlook_of(offers, 8.0, contracts, max_provider_share=0.4, **values).limits
    assert is_binding(one) and one.limit_cost == 0.0
    assert "as demand grows" in str(one.why)


def test_what_a_budget_gives_up_stands_beside_what_it_saves() -> None:
    one = costs_of(ONE_AND_TWO, budget_usd_per_month=730 * 12.0)["budget_usd_per_month"]
    assert one.limit_cost == pytest.approx(-730 * 4 * 2.0)
    assert one.unserved_gpu_hours == pytest.approx(12 * 730 * 4)
    assert "35,040 GPU-hours" in str(one.why)
    assert "without it 12 of 12 months are over it, by $70,080 in all" in str(one.why)


def test_who_alone_may_serve_costs_what_he_asks_more() -> None:
    (one,) = outlook_of(ONE_AND_TWO, only=Only("two")).limits
    limit = one.limit
    assert (limit.limit, limit.who, len(limit.keys)) == ("only", Only("two"), 1)
    assert str(one.limit.words) == "Only two for 1 workload"
    assert one.limit_cost == pytest.approx(730 * 10 * 1.0)


def test_a_name_that_nobody_has_is_said() -> None:
    (one,) = outlook_of(ONE_AND_TWO, only=Only("tow")).limits
    assert "no offer or contract is of it" in str(one.why)


def test_each_of_several_is_beside_the_plan_without_it_alone() -> None:
    both = costs_of(ONE_AND_TWO, max_term_months=1, max_provider_share=0.5)
    assert (
        both["max_provider_share"].limit_cost == 0.0
    )  # with terms of a month nothing is signed with anybody
    assert both["max_term_months"].limit_cost == pytest.approx(730 * (10 * 5 - (5 * 2 + 3 * 3 + 2 * 5)))


def test_why_is_the_plan_less_the_plan_without_it() -> None:
    class Evidence:
        outlook = outlook_of(ONE_AND_TWO, only=Only("two"))

    (one,) = Evidence.outlook.limits
    for key in ("limit_cost", "limit_cost_in_year"):
        trace = of_limit(key)(Evidence, "", str(one.limit.words))  # type: ignore[arg-type]
        assert trace.value == getattr(one, key)
