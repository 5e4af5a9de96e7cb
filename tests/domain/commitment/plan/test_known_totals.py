"""Totals of a plan: what is known of them, what utilization and lock-in are of, and months in which budgets end."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.audit.chargeback import Charge, ChargeBy, Charges
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.totals import (
    asked_words,
    cost_sum,
    costs_at_least,
    idle_existing,
    is_priced,
    is_priced_layer,
    missing_rates,
    month_12_of,
    paid_gpus,
    plan_inputs,
    plan_sum,
    used_hours,
    with_used_up,
)
from gpuplanner.domain.commitment.result import IF_IT_LASTS, ComparisonMonth, Layer, Order
from gpuplanner.domain.evaluation import advise_month
from gpuplanner.domain.model.amounts import NOTHING_KNOWN, PartSum
from gpuplanner.domain.model.assumptions import IdleRule
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import MONTH_S
from tests.domain import worlds
from tests.domain.commitment.conftest import START_S, Load, audit, case, contract, offer

HOURS = 200
A = Scenario(name="A")
COMMITTED, STANDARD = PricingCategory.COMMITTED, PricingCategory.STANDARD
YEAR = Layer(
    existing=False,
    pricing_category=COMMITTED,
    term_months=12,
    offer_id="y1",
    gpus=4.0,
    busy_gpus=3.0,
    rate=2.0,
)
USE = Layer(
    existing=False, pricing_category=STANDARD, term_months=0, offer_id="od", gpus=6.0, busy_gpus=1.5, rate=5.0
)
HELD = Layer(
    existing=True,
    pricing_category=COMMITTED,
    term_months=None,
    offer_id=None,
    gpus=2.0,
    busy_gpus=2.0,
    rate=1.0,
)


def rows(*layers: Layer, model: str = "H100") -> Any:
    return SimpleNamespace(pool=Pool.TRAINING, gpu_model=model, layers=layers)


def fake(*plans: Any, **values: Any) -> Any:
    nobody = {"unknown_models": frozenset(), "asked_models": frozenset()}
    base = {"pools": plans, "idle_existing": (), "at_least": {}, "totals": None}
    return SimpleNamespace(**(base | nobody | values))


def test_a_cost_is_the_whole_of_it_or_what_is_known() -> None:
    totals = SimpleNamespace(plan=None, today=7.0, do_nothing=None)
    known = PartSum(3.0, 2, ("k", "b"))
    advice = fake(totals=totals, at_least={"plan": known, "today": PartSum(1.0, 1, ("a", "b"))})
    assert cost_sum(advice, "plan") == plan_sum(advice) == known
    assert cost_sum(advice, "today") == PartSum(7.0)
    assert cost_sum(advice, "do_nothing") == NOTHING_KNOWN
    assert missing_rates(advice) == ["a", "b", "k"]


def test_gpus_that_are_paid_for() -> None:
    """4 for a year, 1.5 by use on average, 2 of contracts that serve and 3 that do not; a layer of days by its days."""
    idle = (SimpleNamespace(gpus=3.0),)
    assert paid_gpus(fake(rows(HELD, YEAR, USE), idle_existing=idle)) == pytest.approx(10.5)
    half = replace(YEAR, paid_hours=365.0)
    assert paid_gpus(fake(rows(half))) == pytest.approx(2.0)
    assert paid_gpus(fake(rows(YEAR), unknown_models=frozenset({"H100"}))) is None


def test_contracts_that_are_asked_about_are_named() -> None:
    assert asked_words(fake()) == ""
    named = str(asked_words(fake(asked_models=frozenset({"H100", None, "A100"}))))
    assert named.index("A100") < named.index("H100") < named.index("unknown")


def test_hours_that_are_used_of_those_paid_for() -> None:
    idle = (SimpleNamespace(gpu_model="H100", gpus=3.0), SimpleNamespace(gpu_model="A100", gpus=1.0))
    half = replace(YEAR, paid_hours=365.0)
    first, second, year, use = used_hours(fake(rows(HELD, half, USE), idle_existing=idle))
    assert (first.used, first.paid, first.gpu_model, first.layer) == (1460.0, 3650.0, "H100", None)
    assert (second.used, second.paid, second.share) == (0.0, 730.0, 0.0)
    assert (year.used, year.paid, year.share) == (3 * 365.0, 4 * 365.0, 0.75)
    assert (use.used, use.paid, use.layer[1] if use.layer else None) == (1.5 * 730, 1.5 * 730, USE)
    asked = used_hours(fake(rows(HELD, USE), idle_existing=idle, unknown_models=frozenset({"H100"})))
    assert [item.gpu_model for item in asked] == ["A100", "H100"] and asked[1].layer is not None
    nothing = used_hours(fake(rows(replace(USE, busy_gpus=0.0))))
    assert nothing[0].share is None


def test_what_contracts_of_a_cluster_without_a_log_leave_idle_is_unknown_in_every_month() -> None:
    project = worlds.plan_project()
    unlogged = contract("X", 8, 2.0, 6, worlds.HOURS, cluster="c9", provider="Ada")
    of = worlds.evaluated(replace(project, contracts=(*project.contracts, unlogged)))
    assert of.advice is not None
    assert (of.advice.unknown_models, of.advice.asked_models) == (frozenset({"H100"}), frozenset())
    for month in (0, 3):
        advice = advise_month(of.project, of.figures, of.advice, month)
        assert (advice.totals.unused_plan, advice.totals.effective_utilization_plan) == (None, None)
        assert advice.totals.plan is not None
        assert "H100" not in {row.gpu_model for row in advice.idle_existing}


def test_what_separate_pools_cost_is_unknown_while_contracts_are_asked_about() -> None:
    """The log has its GPUs as L40S, and the only contract of its cluster is of H100."""
    log = [Load(pool=Pool.TRAINING, gpus=[8.0] * HOURS, model="L40S")]
    project = case(log, [contract("c", 8, 2.5, 6, HOURS)], [offer("od", 0, 1.0, gpu_model="L40S")], A).project
    of = worlds.with_outlook(worlds.evaluated(project))
    assert of.advice is not None and of.totals is not None
    assert of.advice.asked_models == {"H100"}
    assert (of.totals.cost_of_separation, of.totals.cost_of_separation_year) == (None, None)


def test_a_plan_is_priced_where_all_that_is_new_has_a_rate() -> None:
    unpriced = replace(USE, rate=None)
    assert (
        is_priced_layer(replace(HELD, rate=None)) and is_priced_layer(USE) and not is_priced_layer(unpriced)
    )
    assert (
        is_priced([rows(USE), rows(HELD)])
        and not is_priced([rows(USE), rows(YEAR, unpriced)])
        and is_priced([])
    )


def test_the_last_of_twelve_months() -> None:
    months = tuple(
        ComparisonMonth(
            month=at,
            start_s=START_S + at * MONTH_S,
            do_nothing_usd=1.0,
            contracts_usd=2.0 * at,
            orders_usd=0.0,
            use_usd=0.0,
            unserved_gpu_hours=float(at),
        )
        for at in range(12)
    )
    last = month_12_of(fake(comparison=months))
    assert last is not None
    assert tuple(last) == (START_S + 11 * MONTH_S, 22.0, 11.0)
    assert month_12_of(None) is None


def world(loads: Any, contracts: Any = (), offers: Any = (), scenario: Scenario = A, **values: Any) -> Any:
    made = case(loads, contracts, offers, scenario, sigma=0.0, delta=0.0, horizon_months=12, **values)
    project = replace(made.project, mappings=(ModelMapping("H100", "H200", 2.0),))
    made = replace(made, project=project)
    return ground_of(project, scenario, made.pools, AdviceCache()), made


def advice_of(*args: Any, **values: Any) -> Any:
    _, made = world(*args, **values)
    scenario = made.project.scenarios[0]
    return advise(made.project, scenario, made.pools, audit())


FOUR = [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)]


def test_contracts_that_serve_nothing_stand_idle_at_their_mean_rate() -> None:
    """6 GPUs at $1 and 2 at $3 serve 4: the dearer ones, and two of the others, are left. A100 serve nothing."""
    held = [
        contract("a", 6, 1.0, None, HOURS),
        contract("b", 2, 3.0, None, HOURS),
        contract("c", 1, 0.5, 0.5, HOURS, gpu_model="A100"),
    ]
    a100, h100 = advice_of(FOUR, held, [offer("od", 0, 6.0)]).idle_existing
    assert (a100.gpu_model, a100.gpus, a100.rate) == ("A100", 0.5, 0.5)
    assert a100.cost_per_month == pytest.approx(0.5 * 730 * 0.5)
    assert (h100.gpu_model, h100.gpus) == ("H100", pytest.approx(4.0))
    assert h100.cost_per_month == pytest.approx(4.0 * h100.rate * 730)
    paid = sum(layer.cost_per_month for layer in advice_of(FOUR, held[:2]).pools[0].layers if layer.existing)
    assert paid + h100.cost_per_month == pytest.approx(730 * (6 * 1 + 2 * 3))
    assert advice_of(FOUR, [contract("k", 4, 1.0, None, HOURS)]).idle_existing == ()


def test_lock_in_is_months_weighted_by_dollars() -> None:
    """A contract of $1,460 a month for 3 months more, and a year of $4,380: (3 x 1,460 + 12 x 4,380) / 5,840."""
    held = [contract("k", 2, 1.0, 3, HOURS)]
    loads = [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)]
    advice = advice_of(loads, held, [offer("od", 0, 6.0), offer("y1", 12, 3.0)])
    assert advice.inputs.bound == pytest.approx(3 * 1460 + 12 * 4380)
    assert advice.totals.lock_in_months == pytest.approx((3 * 1460 + 12 * 4380) / 5840)
    assert (advice.inputs.used_gpus, advice.inputs.paid_gpus) == (pytest.approx(4.0), pytest.approx(4.0))
    ground, _ = world(loads, held, [offer("od", 0, 6.0)])
    unknown = plan_inputs(ground, advice.pools, None)
    assert (unknown.used_gpus, unknown.paid_gpus, unknown.bound) == (None, None, advice.inputs.bound)
    ended = plan_inputs(ground, (), (), 3)
    assert (ended.bound, ended.paid_gpus) == (0.0, 0.0)


@pytest.mark.parametrize(("most", "is_known"), [(None, True), (4, True), (3, False)])
def test_all_on_demand_is_unknown_where_there_are_too_few(most: int | None, is_known: bool) -> None:
    """4 GPUs at $6 for 730 h."""
    offers = [offer("od", 0, 6.0, max_gpus=most)]
    usd = advice_of(FOUR, (), offers).totals.on_demand_equivalent
    assert usd == (pytest.approx(4 * 6 * 730) if is_known else None)


def test_gpus_of_several_offers_and_mapped_models_are_on_offer_together() -> None:
    """3 H100, and one H200 that does the work of two: 5 for 4, not for 6. An offer without a limit is enough."""
    few = [offer("od", 0, 6.0, max_gpus=3), offer("big", 0, 20.0, gpu_model="H200", max_gpus=1)]
    assert advice_of(FOUR, (), few).totals.on_demand_equivalent == pytest.approx(4 * 6 * 730)
    six = [Load(pool=Pool.TRAINING, gpus=[6.0] * HOURS)]
    assert advice_of(six, (), few).totals.on_demand_equivalent is None
    both = [*few, offer("more", 0, 9.0)]
    assert advice_of(six, (), both).totals.on_demand_equivalent == pytest.approx(6 * 6 * 730)
    spot = [*few, offer("spot", 0, 1.0, pricing_category=PricingCategory.DYNAMIC)]
    assert advice_of(six, (), spot).totals.on_demand_equivalent is None


def test_dollars_of_workloads_are_their_share_and_those_of_runs_their_own() -> None:
    """3 and 1 GPUs by use at $6, and a run of 2 GPUs for 73 h: $13,140, $4,380 and 2 x 73 x $6."""
    work = PlannedWork(
        name="load-002",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=2.0,
        cluster="c1",
        team="team",
        length_hours=73,
    )
    loads = [Load(pool=Pool.TRAINING, gpus=[gpus] * HOURS) for gpus in (3.0, 1.0, 2.0)]
    advice = advice_of(loads, (), [offer("od", 0, 6.0)], Scenario(name="A", planned=(work,)))
    usd = [advice.workload_usd[f"c1/team/load-00{at}"] for at in range(3)]
    assert usd == pytest.approx([3 * 6 * 730, 6 * 730, 2 * 73 * 6])
    assert sum(usd) == pytest.approx(advice.totals.plan)
    # two GPUs of a contract are idle for the run, at $1
    held = advice_of(
        loads,
        [contract("k", 6, 1.0, None, HOURS)],
        [offer("od", 0, 6.0)],
        Scenario(name="A", planned=(work,)),
    )
    usd = [held.workload_usd[f"c1/team/load-00{at}"] for at in range(3)]
    assert usd == pytest.approx([3 * 730, 730, 2 * 73])
    nobody = advice_of(loads, (), (), Scenario(name="A", planned=(work,)))
    assert set(nobody.workload_usd.values()) == {None}


def test_extras_of_a_plan_are_told_apart() -> None:
    """$73 a month of storage for each of 3 GPUs of a year, and for two of a contract, of which one is idle."""
    held = [contract("k", 2, 1.0, None, HOURS, storage_usd_per_gpu_month=73)]
    loads = [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)]
    offers = [offer("od", 0, 6.0), offer("y1", 12, 3.0, storage_usd_per_gpu_month=73)]
    assert dict(advice_of(loads, held, offers).totals.extras) == {"storage": pytest.approx(4 * 73)}
    one = [Load(pool=Pool.TRAINING, gpus=[1.0] * HOURS)]
    assert dict(advice_of(one, held, offers).totals.extras) == {"storage": pytest.approx(2 * 73)}


def at_least(idle: Any, asked: Any = (), **values: Any) -> dict[str, PartSum]:
    """What is known of costs: a contract of H100 without a rate, a year at $2 that is unused for $5, an order of $7."""
    held = [contract("k", 1, None, None, HOURS), contract("a", 1, 1.0, None, HOURS, gpu_model="A100")]
    ground, _ = world(FOUR, held)
    spent: Any = SimpleNamespace(
        asked_contracts=asked,
        spend_parts=values.get("spent", PartSum(4.0, 2, ("k",))),
        contracts=[
            SimpleNamespace(
                inputs=SimpleNamespace(contract=held[0]), unused_per_month=None, paid_gpu_hours=1.0
            ),
            SimpleNamespace(
                inputs=SimpleNamespace(contract=held[1]), unused_per_month=3.0, paid_gpu_hours=1.0
            ),
            SimpleNamespace(
                inputs=SimpleNamespace(contract=held[1]), unused_per_month=99.0, paid_gpu_hours=0.0
            ),
        ],
    )
    month: Any = SimpleNamespace(
        nothing_parts=values.get("nothing", PartSum(9.0, 2, ("k",))),
        plan_parts=values.get("plan", PartSum(8.0, 3, ("k",))),
    )
    plan = rows(replace(YEAR, unused_per_month=5.0), HELD)
    begin_s = ground.window.end_s
    base = Order(
        pool=Pool.TRAINING,
        gpu_model="H100",
        offer_id="y1",
        term_months=12,
        gpus=1.0,
        start_s=begin_s,
        end_s=begin_s + MONTH_S,
        order_by_s=begin_s,
        reason="now",
        liability=7.0,
    )
    orders = [base, replace(base, order_by_s=begin_s + 2 * MONTH_S), replace(base, reason=IF_IT_LASTS)]
    return costs_at_least(ground, month, spent, [plan], idle, orders)


IDLE = (
    SimpleNamespace(gpu_model="H100", cost_per_month=None),
    SimpleNamespace(gpu_model="A100", cost_per_month=6.0),
)


def test_costs_are_at_least_what_is_known_of_them() -> None:
    found = at_least(IDLE)
    assert {name: (of.known, of.missing) for name, of in found.items()} == {
        "today": (4.0, ("k",)),
        "do_nothing": (9.0, ("k",)),
        "plan": (8.0, ("k",)),
        "unused_now": (3.0, ("k",)),
        "unused_plan": (5.0 + 6.0, ("k",)),
        "liability_now": (7.0, ()),
        "liability": (14.0, ()),
    }
    whole = PartSum(1.0, 1)
    assert at_least(IDLE, nothing=whole, plan=whole, spent=whole) == {}
    assert at_least(IDLE, nothing=whole, plan=whole) and at_least(IDLE, plan=whole, spent=whole)


def test_costs_of_contracts_that_are_asked_about_are_unknown() -> None:
    """What contracts serve decides what the rest costs; the plan is known where nothing of them stands idle."""
    assert set(at_least(None, ("k",))) == {"today", "liability_now", "liability"}
    assert set(at_least(IDLE, ("k",))) == {"today", "plan", "unused_plan", "liability_now", "liability"}
    assert "unused_plan" not in at_least(None) and "plan" in at_least(None)
    whole = PartSum(1.0, 1)
    assert at_least(None, ("k",), nothing=whole, plan=whole) == {}  # of spend alone nothing is asked


def test_idle_contracts_of_a_later_month() -> None:
    ground, _ = world(FOUR, [contract("k", 6, 1.0, 0.5, HOURS)])
    assert idle_existing(ground, (), 1) == ()
    (idle,) = idle_existing(ground, (), 0)
    assert idle.gpus == 3.0


@pytest.mark.parametrize(
    ("owner", "names", "team"),
    [("ML", ["ml", "ops"], "ml"), ("ML", ["ml", "ML"], "ML"), ("Ml", ["ml", "ML"], "Ml"), ("", [None], None)],
)
def test_planned_work_is_charged_to_the_team_whose_name_it_means(
    owner: str, names: list[str | None], team: str | None
) -> None:
    """Half of $200, $200 and $500 is that workload's: $450 is over three times $149, $200 is under twice."""
    work, other = (
        Workload(key="w", name="w", cluster="c1", owner=owner),
        Workload(key="o", name="o", cluster="c1", owner="else"),
    )
    rows = tuple(
        Charge(
            by=ChargeBy.TEAM,
            name=name,
            team=name,
            is_nobodys=name is None,
            gpu_hours=0.0,
            direct_in_window=0.0,
            idle_in_window=0.0,
            overflow_in_window=0.0,
            total_in_window=0.0,
            budget_per_month=149.0,
            budget_in_window=0.0,
            left_in_window=0.0,
            parts=(),
        )
        for name in names
    )
    months = tuple(
        ComparisonMonth(
            month=at,
            start_s=START_S + at * MONTH_S,
            do_nothing_usd=0.0,
            contracts_usd=usd,
            orders_usd=0.0,
            use_usd=0.0,
        )
        for at, usd in enumerate((200.0, 200.0, 500.0, *[0.0] * 9))
    )
    advice: Any = SimpleNamespace(comparison=months, workload_usd={"w": 5.0, "o": 5.0})
    charges = Charges(ChargeBy.TEAM, IdleRule.GPU_HOURS, rows, rows[0])
    found = with_used_up(charges, advice, [work, other]).rows
    late = {row.name: row.used_up_s for row in found if row.used_up_s is not None}
    assert late == ({team: START_S + 2 * MONTH_S} if team in names else {})
