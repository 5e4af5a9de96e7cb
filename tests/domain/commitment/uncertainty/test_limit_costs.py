"""What limits cost, by hand: a longest term, a share of one provider, a budget, and who alone may serve."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from gpuplanner.domain.commitment.outlook_result import LimitCost, Outlook, SavingsStep
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.uncertainty.limit_costs import DOES_NOT_BIND, is_binding, providers_alone
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.commitment.words.savings import by_itself
from gpuplanner.domain.edits.seller_limits import limit_workloads
from gpuplanner.domain.evidence.plan.plan_answers import ANSWERS
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.reports.report import Medium, entries
from gpuplanner.domain.reports.savings import LIMITS, PROVIDERS_ALONE
from tests.domain.commitment.conftest import START_S, Load, audit, case, contract, offer
from tests.oracle.projects import Case

# --- What limits cost, by hand: a longest term, a share of one provider, a budget, and who alone may
# serve

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
    made = case([Load(pool=Pool.TRAINING, gpus=[gpus] * HOURS)], contracts, offers, **(QUIET | values))
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
    assert "12 months" in str(one.why) and "3 months" in str(one.limit.words)


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
    # four and three at 2 of 29 $ an hour, where all of the plan without it is its
    assert str(one.why).startswith("one ") and re.findall(r"\d+%", str(one.why)) == ["34%", "100%"]
    (check,) = [check for check in found.checks if check.code == "limit_binds"]
    assert (check.severity, check.usd_per_month) == ("info", one.limit_cost)
    assert "50%" in str(check.subject)
    assert re.findall(r"\$[\d,]+\d more", str(check.message)) == ["$6,570 more", "$78,840 more"]
    assert str(one.why) in str(check.message)


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
    assert "12 of 12 months" in str(one.why) and "$70,080" in str(one.why)


def test_who_alone_may_serve_costs_what_he_asks_more() -> None:
    (one,) = outlook_of(ONE_AND_TWO, only=Only("two")).limits
    limit = one.limit
    assert (limit.limit, limit.who, len(limit.keys)) == ("only", Only("two"), 1)
    assert "1 workload" in str(one.limit.words)
    assert one.limit_cost == pytest.approx(730 * 10 * 1.0)


def test_a_name_that_nobody_has_is_said() -> None:
    (one,) = outlook_of(ONE_AND_TWO, only=Only("tow")).limits
    assert one.limit.who == Only("tow") and "offer or contract" in str(one.why)


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
        trace = ANSWERS.answer(Evidence, figure(key, str(one.limit.words)))  # type: ignore[arg-type]
        assert trace.value == getattr(one, key)


# --- One provider alone: who serves all, what others lack, and what a year with one costs beside the plan

SOLD_BY = {"all-h": "All", "all-b": "All", "some-h": "Some", "own-h": "Own"}
MONTH_H = 730
TODAY_USD = {(Pool.INFERENCE, "H100"): 1_000.0, (Pool.TRAINING, "B200"): 500.0}
"""Today's $ per month of the work that the plan serves."""


@pytest.fixture(scope="module")
def found():
    """64 H100 and 1 B200, always busy: one vendor sells both, another the first alone and cheaper, we own some."""
    case = Case(336, horizon_months=12)
    case.workload("a", "serve", "inference", 64)
    case.workload("a", "tune", "training", 1, model="B200")
    for name, rate, model in (
        ("all-h", 4, "H100"),
        ("all-b", 8, "B200"),
        ("some-h", 3, "H100"),
        ("own-h", 9, "H100"),
    ):
        case.offer(name, 0, rate, model)
    project, pools, audit = case.on_board
    offers = [replace(one, provider=SOLD_BY[one.offer_id]) for one in project.offers]
    offers = tuple(
        replace(one, pricing_category=PricingCategory.OWNED) if one.provider == "Own" else one
        for one in offers
    )
    project = replace(project, offers=offers)
    plan = replace(case.plan, assumptions={**case.plan.assumptions, "max_provider_share": 0.5})
    advice = advise(project, case.plan, pools, audit)
    alone = providers_alone(project, plan, pools, advice, today=TODAY_USD)
    return advice, {one.provider: one for one in alone}


def test_a_provider_of_a_part_is_held_against_todays_cost_of_that_part(found) -> None:
    _, rows = found
    assert (rows["All"].serves, rows["All"].same_work_now) == (1.0, 1_500.0)
    assert rows["Some"].serves == pytest.approx(64 / 65)
    assert rows["Some"].same_work_now == 1_000.0  # without the $500 of the B200


def test_a_provider_of_a_part_does_not_have_the_whole_plan_under_its_name(found) -> None:
    """Its year is its own part and the plan's cost of the rest: documents say so, tables leave it out."""
    every, some = found[1].values()
    shown = PROVIDERS_ALONE.columns_of(Medium.TERMINAL, (every, some))
    for name in ("alone_year", "from_scratch"):
        (column,) = (one for one in shown if one.name == name)
        assert column.of(every) == getattr(every, name) and column.of(some) is None
        assert str(column.unknown_of(some).why) == "It serves only a part of the plan."
    assert not {"alone_year", "from_scratch"} & {
        one.name for one in PROVIDERS_ALONE.columns_of(Medium.TERMINAL, (some,))
    }
    (document,) = entries(PROVIDERS_ALONE, (some,))
    assert document["year_usd"] == some.alone_year and document["same_work_now_usd"] == 1_000.0


def test_who_serves_all_and_what_the_others_lack(found) -> None:
    _, rows = found
    assert list(rows) == ["All", "Some"]  # those that serve all first; what is our own is no provider
    assert rows["All"].serves_all and not rows["Some"].serves_all
    assert str(rows["Some"].lacks) == "B200"
    (left,) = rows["Some"].not_served
    assert (left.gpu_model, left.gpus, left.usd_per_month) == ("B200", 1, pytest.approx(8 * MONTH_H))
    assert rows["Some"].served == pytest.approx(64 * 3 * MONTH_H)
    assert rows["Some"].from_scratch == pytest.approx((64 * 3 + 8) * MONTH_H)
    assert rows["Some"].beside_plan == pytest.approx(
        0, abs=0.01
    )  # it sells what the plan takes, the rest is as planned


def test_what_it_costs_by_hand(found) -> None:
    advice, rows = found
    month = (64 * 4 + 8) * MONTH_H
    assert rows["All"].from_scratch == pytest.approx(month, rel=1e-9)
    year = sum(usd for _, usd in rows["All"].year_parts)
    assert rows["All"].alone_year == pytest.approx(year) and 0 < year <= month * 12
    dearer = 64 * (4 - 3) * MONTH_H  # the plan takes the cheaper offer for H100
    assert rows["All"].from_scratch - advice.totals.plan == pytest.approx(dearer)
    assert rows["All"].beside_plan == pytest.approx(year - sum(one.plan_usd for one in advice.comparison))


def test_what_one_lacks_is_named_by_name_and_the_rest_counted() -> None:
    case = Case(168, horizon_months=12)
    models = ("T4", "B200", "H200", "A100", "H100", None)
    for model in models:
        case.workload("a", f"of {model}", "inference", 1, model=model)
        if model is not None:
            case.offer(f"all-{model}", 0, 4, model)
    case.offer("some-h", 0, 3, "H100")
    project, pools, audit = case.on_board
    offers = tuple(
        replace(one, provider="Some" if one.offer_id == "some-h" else "All") for one in project.offers
    )
    project = replace(project, offers=offers)
    advice = advise(project, case.plan, pools, audit)
    lacks = {one.provider: str(one.lacks) for one in providers_alone(project, case.plan, pools, advice)}
    assert lacks == {"All": "", "Some": "A100, B200, H200 and 1 more"}


def test_what_a_contract_holds_and_nobody_sells_is_priced_as_planned() -> None:
    case = Case(168, horizon_months=12, delta=0.0, sigma=0.0)
    case.workload("a", "chat", "inference", 64)
    case.workload("a", "embed", "inference", 10, model="A100")
    case.contract("k", "a", 10, 1.75, ends=24 * 365, model="A100")
    case.offer("aws", 0, 6.88)
    project, pools, audit = case.on_board
    project = replace(project, offers=tuple(replace(one, provider="AWS") for one in project.offers))
    advice = advise(project, case.plan, pools, audit)
    (row,) = providers_alone(project, case.plan, pools, advice)
    assert row.served == pytest.approx(321_433.6)
    assert [(one.gpu_model, one.gpus) for one in row.not_served] == [("A100", 10)]
    assert row.not_served[0].usd_per_month == pytest.approx(12_775)
    assert row.from_scratch == pytest.approx(321_433.6 + 12_775)


def test_what_came_by_itself_is_demand_alone_only_where_contracts_stayed_as_they_were() -> None:
    """Hours count by how recent they are, and so does what is paid in them: of contracts that came it is no demand."""
    steps = tuple(
        SavingsStep(step=name, cost_before=0.0, cost_after=usd, saved_per_month=-usd)
        for name, usd in (("demand", 5.0), ("ending", 2.0))
    )
    held, ramp = contract("k", 4, 3.0, None, HOURS), contract("l", 4, 3.0, None, HOURS)
    ramp = replace(ramp, start_s=START_S + 3600)
    for contracts, said in (([held], ("demand", 5)), ([held, ramp], ("demand and contracts", 7))):
        project = case([Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)], contracts).project
        name, usd = by_itself(project, cast(Outlook, SimpleNamespace(savings_steps=steps)))
        assert (str(name), usd) == said
