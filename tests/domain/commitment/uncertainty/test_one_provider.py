"""One provider alone: who serves all, what others lack, and what a year with one costs beside the plan."""

from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.uncertainty.one_provider import providers_alone
from gpuplanner.domain.model.pool import PricingCategory
from tests.oracle.projects import Case

SOLD_BY = {"all-h": "All", "all-b": "All", "some-h": "Some", "own-h": "Own"}
MONTH_H = 730


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
    return advice, {one.provider: one for one in providers_alone(project, plan, pools, audit, advice)}


def test_who_serves_all_and_what_the_others_lack(found) -> None:
    _, rows = found
    assert list(rows) == ["All", "Some"]  # those that serve all first; what is our own is no provider
    assert rows["All"].serves_all and not rows["Some"].serves_all
    assert str(rows["Some"].lacks) == "B200"
    assert (rows["Some"].from_scratch, rows["Some"].alone_year, rows["Some"].beside_plan) == (
        None,
        None,
        None,
    )


def test_what_it_costs_by_hand(found) -> None:
    advice, rows = found
    month = (64 * 4 + 8) * MONTH_H
    assert rows["All"].from_scratch == pytest.approx(month, rel=1e-9)
    year = sum(one.plan_usd for one in rows["All"].alone.comparison)
    assert rows["All"].alone_year == pytest.approx(year) and 0 < year <= month * 12
    dearer = 64 * (4 - 3) * MONTH_H  # the plan takes the cheaper offer for H100
    assert rows["All"].from_scratch - advice.totals.plan == pytest.approx(dearer)
    assert rows["All"].beside_plan == pytest.approx(year - sum(one.plan_usd for one in advice.comparison))
