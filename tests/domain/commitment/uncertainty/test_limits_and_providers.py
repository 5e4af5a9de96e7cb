"""What limits cost and keep the plan from, what quotes and minima close, and each provider alone, by hand."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.outlook_result import LimitCost
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.recursion.allocation import NAMED, PROVIDER
from gpuplanner.domain.commitment.uncertainty import limit_costs
from gpuplanner.domain.commitment.uncertainty.limit_costs import (
    CHECKED_ALONE,
    DOES_NOT_BIND,
    NotServed,
    binds_words,
    is_binding,
    limit_checks,
    providers_alone,
)
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.plan.limits import Limit
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, MONTH_S
from tests.domain.commitment.conftest import START_S, Load, audit, case, contract, offer

A = Scenario(name="A")
HOURS = 200
BEGIN_S = START_S + HOURS * HOUR_S
CALM = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0, "wacc": 0.0, "horizon_months": 12}


def figures(words: object) -> list[str]:
    return re.findall(r"\$?\d(?:[\d,.]*\d)?%?", str(words))


# --- What a limit costs


def cost(
    month: float | None = 0.0,
    year: float | None = 0.0,
    hours: float = 0.0,
    limit: str = "budget_usd_per_month",
    why: str = "",
) -> LimitCost:
    return LimitCost(
        limit=Limit(limit, 0.5),
        inputs={},
        limit_cost=month,
        limit_cost_in_year=year,
        unserved_gpu_hours=hours,
        why=why,
    )


@pytest.mark.parametrize(
    ("row", "binds"),
    [
        (cost(), False),
        (cost(0.004, -0.004), False),
        (cost(0.005), True),
        (cost(0.0, -0.005), True),
        (cost(None, 0.1), True),
        (cost(None, None), False),
        (cost(hours=1e-7), False),
        (cost(hours=5.0), True),
        (cost(hours=-5.0), True),
    ],
)
def test_a_limit_binds_where_it_changes_what_is_paid_or_served(row: LimitCost, binds: bool) -> None:
    assert is_binding(row) is binds
    checks = limit_checks([row])
    assert [(check.code, check.severity, check.usd_per_month) for check in checks] == [
        ("limit_binds", "info", row.limit_cost)
    ] * binds


def test_a_limit_says_what_it_costs_and_why() -> None:
    (check,) = limit_checks([cost(1200.0, -14_400.0, why="reason")])
    assert figures(check.message) == ["$1,200", "$14,400", "12"] or figures(check.message)[:2] == [
        "$1,200",
        "$14,400",
    ]
    assert str(check.message).endswith("reason")
    (unknown,) = limit_checks([cost(None, 5.0)])
    assert not figures(unknown.message)
    assert not figures(limit_checks([cost(5.0, None)])[0].message)
    assert binds_words(cost()) == DOES_NOT_BIND
    assert binds_words(cost(None, 0.0, why="w")) == "w" == binds_words(cost(0.0, None, why="w"))
    assert binds_words(cost(9.0, why="w")) == "w"
    assert binds_words(cost(limit="power_limit_kw")) == CHECKED_ALONE


def beside(*usd: float | None, unserved: float = 0.0, orders: Any = (), **values: Any) -> Any:
    """A plan that costs so much in its months. orders: months of the terms that it signs, and when."""
    offers = tuple(SimpleNamespace(term_months=months) for months, _ in orders)
    listed = [SimpleNamespace(place=at, start_s=start_s) for at, (_, start_s) in enumerate(orders)]
    row = SimpleNamespace(row=SimpleNamespace(offers=offers), listed=SimpleNamespace(orders=listed))
    months = [SimpleNamespace(plan_usd=each, unserved_gpu_hours=unserved) for each in usd]
    ground = SimpleNamespace(project=SimpleNamespace(offers=(), contracts=()), growth={}, **values)
    return limit_costs.JudgedPlan(ground, SimpleNamespace(rows=[row], bought=()), months)  # type: ignore[arg-type]


def test_a_limit_costs_the_plan_less_the_plan_without_it() -> None:
    found = limit_costs.compute_limit_cost(
        beside(10.0, 20.0, unserved=3.0), beside(8.0, 25.0), Limit("max_term_months", 12)
    )
    assert found.inputs == {
        "plan": 10.0,
        "plan_without_limit": 8.0,
        "plan_in_year": 30.0,
        "without_limit_in_year": 33.0,
    }
    assert (found.limit_cost, found.limit_cost_in_year, found.unserved_gpu_hours) == (2.0, -3.0, 6.0)
    assert figures(found.why) == ["6"]
    unknown = limit_costs.compute_limit_cost(
        beside(10.0, None), beside(8.0, 25.0), Limit("max_term_months", 12)
    )
    assert (unknown.limit_cost, unknown.limit_cost_in_year) == (2.0, None)


def test_longer_terms_without_a_limit_are_told() -> None:
    late = 12 * MONTH_S
    limit = Limit("max_term_months", 12)
    plan = beside(1.0, orders=[(12, 0)])
    for orders, said in (
        ([(24, 0), (36, 0)], ["36"]),
        ([(36, late - 1)], ["36"]),
        ([(36, late)], []),
        ([(12, 0)], []),
        ([], []),
    ):
        assert figures(limit_costs.explain_limit(limit, plan, beside(1.0, orders=orders), 0.0)) == said
    nobody = beside(1.0, orders=[(36, 0)])
    nobody.planned.rows[0].listed.orders[0].place = -2
    assert limit_costs.explain_limit(limit, beside(1.0), nobody, 0.0) == ""
    first = limit_costs.explain_limit(limit, beside(1.0), beside(1.0, orders=[(1, 0)]), 0.0)
    assert figures(first) == ["1"]


def test_months_over_a_budget_are_counted() -> None:
    """Over 100 by 20 and 5; half a cent is none, and what is unknown is none."""
    limit = Limit("budget_usd_per_month", 100.0)
    without = beside(120.0, 105.0, 100.005, 90.0, None)
    assert figures(limit_costs.explain_limit(limit, beside(1.0), without, 0.0)) == ["2", "5", "$25"]
    assert limit_costs.explain_limit(limit, beside(1.0), beside(100.0), 0.0) == ""


def test_who_alone_may_serve_is_told_where_nobody_is_there() -> None:
    limit = Limit("only", None, Only("Ada"))
    plan = beside(1.0)
    assert str(limit_costs.explain_limit(limit, plan, plan, 0.0)) != ""
    for sellers in (
        {"offers": (offer("a", 12, 1.0, provider="Ada"),), "contracts": ()},
        {"offers": (), "contracts": (contract("k", 1, 1.0, 2, 9, provider="Ada"),)},
    ):
        plan.ground.project.__dict__.update(sellers)
        assert limit_costs.explain_limit(limit, plan, plan, 0.0) == ""


def share_words(
    monkeypatch: pytest.MonkeyPatch, free: float, soon: float, kept: float, **values: Any
) -> list[str]:
    """Of what Ada has: without the limit ever and in the first month of $1,000, and with it in that month of $500."""
    plan, without = beside(500.0), beside(values.pop("usd", 1000.0))
    held = values.pop("held", ())
    without.ground.plan = SimpleNamespace(contracts=held)
    without.ground.window = case([Load(pool=Pool.TRAINING, gpus=[1.0] * HOURS)]).project.window
    without.ground.growth = {Pool.TRAINING: values.pop("growth", 0.0)}

    def usd_of(of: Any, key: str, months: int | None = None) -> float:
        return kept if of is plan else {None: free, 1: soon}[months]

    monkeypatch.setattr(limit_costs, "_usd_of", usd_of)
    return [str(words) for words in limit_costs.describe_share(PROVIDER + "Ada", 0.4, plan, without)]


def test_a_share_says_what_one_would_have_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert share_words(monkeypatch, 200.0, 200.0, 200.0) == []
    assert share_words(monkeypatch, 200.005, 200.0, 200.0) == []
    assert share_words(monkeypatch, 600.0, 600.0, 200.0, usd=0.0) == []
    (at_once,) = share_words(monkeypatch, 600.0, 600.0, 200.0)
    assert figures(at_once) == ["40%", "60%"] and "Ada" in at_once
    (later,) = share_words(monkeypatch, 900.0, 600.0, 200.0)  # over its share at once, and more to come
    assert figures(later) == ["40%", "60%", "$900"]
    (grown,) = share_words(monkeypatch, 900.0, 300.0, 200.0, growth=0.1)
    assert figures(grown) == ["40%", "30%", "$900"] and "grows" in grown
    (over,) = share_words(monkeypatch, 1200.0, 300.0, 200.0)
    assert figures(over) == ["40%", "30%", "$1,200", "$1,000"] and "grows" not in over
    (exactly,) = share_words(monkeypatch, 900.0, 400.0, 200.0, growth=0.1)  # no more than its share at once
    assert "grows" in exactly
    ends = (contract("k", 1, 1.0, 3, HOURS, provider="Ada"),)
    (counted,) = share_words(monkeypatch, 900.0, 300.0, 200.0, held=ends)
    assert "contracts count" in counted
    within = (contract("k", 1, 1.0, 0.5, HOURS, provider="Ada"),)
    assert "contracts count" in share_words(monkeypatch, 900.0, 300.0, 200.0, held=within)[0]
    (both,) = share_words(monkeypatch, 900.0, 300.0, 200.0, held=ends, growth=0.1)
    assert "grows and" in both
    for other in ((contract("k", 1, 1.0, None, HOURS, provider="Ada"),), (contract("k", 1, 1.0, 3, HOURS),)):
        assert "contracts" not in share_words(monkeypatch, 900.0, 300.0, 200.0, held=other)[0]


def test_the_provider_that_would_have_most_more_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    plan, without = beside(500.0), beside(1000.0)
    more = {"Ada": 50.0, "Bo": 70.0, "Cy": 70.0}
    keys = [PROVIDER + name for name in more]
    monkeypatch.setattr(limit_costs, "provider_keys", lambda _: keys)
    monkeypatch.setattr(
        limit_costs, "_usd_of", lambda of, key, _=None: 0.0 if of is plan else more[key[len(PROVIDER) :]]
    )
    monkeypatch.setattr(limit_costs, "describe_share", lambda key, *_: [key])
    assert limit_costs.describe_largest_provider(0.4, plan, without) == [
        PROVIDER + "Cy"
    ]  # of two alike the last by name
    monkeypatch.setattr(limit_costs, "provider_keys", lambda _: [])
    assert limit_costs.describe_largest_provider(0.4, plan, without) == []


def test_each_limit_asks_for_its_own_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    """The share that is set is the share that is told; a limit without a value is one of 0."""
    asked: list[Any] = []
    monkeypatch.setattr(
        limit_costs, "describe_share", lambda key, share, *_: asked.append((key, share)) or []
    )
    monkeypatch.setattr(limit_costs, "describe_largest_provider", lambda share, *_: asked.append(share) or [])
    monkeypatch.setattr(limit_costs, "_over_words", lambda budget, *_: asked.append(budget) or [])
    plan = beside(1.0)
    for limit, value, expected in (
        ("share", 0.4, [(NAMED + "Ada", 0.4)]),
        ("share", None, [(NAMED + "Ada", 0.0)]),
        ("max_provider_share", 0.3, [0.3]),
        ("max_provider_share", None, [0.0]),
        ("budget_usd_per_month", 90.0, [90.0]),
        ("budget_usd_per_month", None, [0.0]),
        ("max_term_months", 12, []),
    ):
        asked.clear()
        who = Only("Ada") if limit == "share" else Only()
        assert limit_costs.explain_limit(Limit(limit, value, who), plan, plan, 0.0) == ""
        assert asked == expected
    gone = [
        limit_costs.explain_limit(Limit("max_term_months", 12), plan, plan, hours)
        for hours in (1e-6, 2e-6, -9.0)
    ]
    assert [bool(why) for why in gone] == [False, True, False]


def test_what_a_share_keeps_is_of_a_plan_that_costs_something(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan of $0 or of unknown cost has no share of it."""
    monkeypatch.setattr(limit_costs, "_usd_of", lambda of, *_: 600.0 if of is without else 0.0)
    without = beside(1000.0)
    without.ground.plan = SimpleNamespace(contracts=())
    without.ground.window = case([Load(pool=Pool.TRAINING, gpus=[1.0] * HOURS)]).project.window
    for usd in (0.0, None):
        (words,) = limit_costs.describe_share(PROVIDER + "Ada", 0.4, beside(usd), without)
        assert figures(words) == ["60%"]
    assert limit_costs.describe_share(PROVIDER + "Ada", 0.4, beside(9.0), beside(None)) == []


def test_limits_are_told_in_their_order_and_what_is_checked_alone_costs_nothing() -> None:
    """4 GPUs at $2 for a year or at $6 by use, of which three months are the longest term: $6 by use."""
    limited = replace(A, assumptions={"max_term_months": 3, "power_limit_kw": 1.0})
    offers = [offer("od", 0, 6.0), offer("y1", 12, 2.0)]
    made = case([Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)], (), offers, limited, **CALM)
    of = ground_of(made.project, limited, made.pools, AdviceCache())
    advice = advise(made.project, limited, made.pools, audit())
    found = {
        row.limit.limit: row
        for row in limit_costs.limit_costs(
            made.project, of, plan_of(of, AdviceCache()), advice, AdviceCache()
        )
    }
    assert set(found) == {"max_term_months", "power_limit_kw"}
    term = found["max_term_months"]
    assert (term.limit_cost, term.limit_cost_in_year) == pytest.approx((4 * 4 * 730, 12 * 4 * 4 * 730))
    assert figures(term.why) == ["12"] and term.unserved_gpu_hours == 0.0
    power = found["power_limit_kw"]
    assert (power.limit_cost, power.limit_cost_in_year, power.why) == (0.0, 0.0, "")


# --- Each provider alone


def alone(*offers: Any, contracts: Any = (), loads: Any = None, scenario: Scenario = A) -> Any:
    wanted = loads or [
        Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS),
        Load(pool=Pool.INFERENCE, gpus=[2.0] * HOURS, model="A100"),
    ]
    made = case(wanted, contracts, offers, scenario, **CALM)
    advice = advise(made.project, scenario, made.pools, audit())
    return providers_alone(made.project, scenario, made.pools, advice)


def test_the_provider_that_serves_the_larger_share_of_the_fleet_comes_first() -> None:
    """Di sells A100 alone (2 of 6 GPUs) for less than Bo's H100 (4 of 6)."""
    bo, di = offer("b", 0, 5.0, provider="Bo"), offer("d", 0, 3.0, provider="Di", gpu_model="A100")
    dear = offer("a", 0, 9.0, provider="Ada"), offer("a2", 0, 9.0, provider="Ada", gpu_model="A100")
    assert [row.provider for row in alone(di, bo, *dear)] == ["Ada", "Bo", "Di"]


def test_each_provider_alone_serves_what_it_sells() -> None:
    """Ada sells both at $6 and $3, Bo H100 alone at $5; the plan takes Bo's and Ada's A100."""
    offers = (
        offer("a1", 0, 6.0, provider="Ada"),
        offer("a2", 0, 3.0, provider="Ada", gpu_model="A100"),
        offer("b1", 0, 5.0, provider="Bo"),
        offer("own", 0, None, provider="Own", pricing_category=PricingCategory.OWNED),
    )
    ada, bo = alone(*offers)
    month = 730.0
    assert (ada.provider, ada.offers, ada.serves_all, ada.not_served) == ("Ada", 2, True, ())
    assert ada.from_scratch == ada.served == pytest.approx(month * (4 * 6 + 2 * 3))
    assert ada.alone_year == pytest.approx(12 * month * (4 * 6 + 2 * 3))
    assert ada.plan_year == pytest.approx(12 * month * (4 * 5 + 2 * 3))
    assert ada.beside_plan == pytest.approx(12 * month * 4)
    assert (bo.provider, bo.serves_all, str(bo.lacks)) == ("Bo", False, "A100")
    assert bo.not_served == (NotServed("A100", pytest.approx(2.0), pytest.approx(month * 2 * 3)),)
    assert bo.served == pytest.approx(month * 4 * 5)
    assert bo.from_scratch == bo.served + month * 2 * 3
    assert bo.alone_year == pytest.approx(12 * month * (4 * 5 + 2 * 3))
    assert [str(each.gpu_model) for each in bo.not_served] == ["A100"]
    assert [usd for _, usd in bo.year_parts] == pytest.approx([0.0, 12 * month * 6, 12 * month * 20])


def test_a_provider_with_too_few_leaves_the_rest_as_planned() -> None:
    """Bo has 3 of 4 GPUs for training, whose owners let nobody else serve: the fourth is as planned."""
    only = Scenario(name="A", only={"c1/team/load-000": Only(not_provider="Cy")})
    offers = (offer("a1", 0, 6.0, provider="Ada"), offer("b1", 0, 5.0, provider="Bo", max_gpus=3))
    loads = [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)]
    found = {row.provider: row for row in alone(*offers, loads=loads, scenario=only)}
    bo = found["Bo"]
    plan = 730 * (3 * 5 + 6)
    assert [(each.gpu_model, each.gpus) for each in bo.not_served] == [("H100", pytest.approx(1.0))]
    assert bo.not_served[0].usd_per_month == pytest.approx(plan / 4)
    assert bo.served == pytest.approx(730 * 15)
    assert found["Ada"].serves_all and found["Ada"].from_scratch == pytest.approx(730 * 24)


def test_demand_of_one_provider_without_a_rate_is_as_planned() -> None:
    """Bo alone may serve 4 of 6 GPUs, and has no rate: the plan has them without anybody, and 2 at Ada's $6."""
    only = Scenario(name="A", only={"c1/team/load-000": Only("Bo")})
    offers = (offer("a1", 0, 6.0, provider="Ada"), offer("b1", 0, None, provider="Bo"))
    loads = [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS), Load(pool=Pool.TRAINING, gpus=[2.0] * HOURS)]
    bo = next(row for row in alone(*offers, loads=loads, scenario=only) if row.provider == "Bo")
    assert bo.not_served == (NotServed("H100", pytest.approx(6.0), pytest.approx(730 * 2 * 6)),)
    assert [usd for _, usd in bo.year_parts] == pytest.approx([0.0, 12 * 730 * 2 * 6])


def test_contracts_run_on_beside_a_provider_alone() -> None:
    """4 GPUs at $1 for six months, then its own at $6; from scratch it serves all of them."""
    loads = [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)]
    (ada,) = alone(
        offer("a1", 0, 6.0, provider="Ada"), contracts=[contract("k", 4, 1.0, 6, HOURS)], loads=loads
    )
    assert ada.alone_year == pytest.approx(6 * 730 * 4 + 6 * 730 * 24)
    assert ada.from_scratch == pytest.approx(730 * 24)
    assert [usd for _, usd in ada.year_parts] == pytest.approx([6 * 730 * 4, 6 * 730 * 24])
    assert alone(offer("a1", 0, 6.0), loads=loads) == ()


def test_shares_of_providers_do_not_hold_where_one_is_alone() -> None:
    """Whoever is limited to a tenth, and Ada too: alone it serves all. A region is limited still."""
    offers = [
        offer("od", 0, 6.0, provider="Ada", region="eu"),
        offer("y1", 12, 2.0, provider="Ada", region="eu"),
    ]
    loads = [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)]

    def usd(scenario: Scenario, **values: Any) -> float:
        (row,) = alone(*offers, loads=loads, scenario=scenario, **values)
        return row.from_scratch or 0.0

    signed = pytest.approx(4 * 2 * 730)
    assert usd(A) == signed
    assert usd(replace(A, assumptions={"max_provider_share": 0.1})) == signed
    assert usd(replace(A, shares={Only("Ada"): 0.1})) == signed
    assert usd(replace(A, shares={Only(region="eu"): 0.1})) == pytest.approx(4 * 6 * 730)


def test_what_a_provider_lacks_is_named_three_times_at_most() -> None:
    lacking = limit_costs.RowCost((None, None), (0.0, 0.0))
    serving = limit_costs.RowCost((1.0, 1.0), (0.0, 0.0))
    few = limit_costs.RowCost((1.0, 1.0), (0.0, 9.0))
    rows = {(Pool.TRAINING, name): lacking for name in ("A", "B", "C", "D")}
    assert figures(limit_costs.describe_unserved_models(rows)) == ["1"]
    three = {row: each for row, each in rows.items() if row[1] != "D"}
    assert str(limit_costs.describe_unserved_models(three)) == "A, B, C"
    pools = {(Pool.TRAINING, "A"): lacking, (Pool.INFERENCE, "A"): serving, (Pool.BURST, "A"): few}
    assert str(limit_costs.describe_unserved_models(pools)) == "A for training, burst"
    assert str(limit_costs.describe_unserved_models({(Pool.TRAINING, None): few})) == "unknown model"
    assert not limit_costs.describe_unserved_models({(Pool.TRAINING, "A"): serving})
