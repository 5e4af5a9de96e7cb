"""Whole nodes on bare metal, steady work that ends, planned work without a cluster, blocks: known answers 50 and 51."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.award.deciding import asked_on
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.evaluation import evaluate_advice
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.plan.changes import DemandChange
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.project import while_asking, with_nodes
from gpuplanner.domain.model.tables import GpuModel, Pool, PricingCategory, Tables
from gpuplanner.domain.model.window import HOUR_S
from tests.domain.commitment.conftest import Load, audit, case, contract, offer
from tests.domain.commitment.test_dated_list import BEGIN_S, DEFAULTS, HOURS, OD, RATES, iso, spans, usd

LADDER = [OD, *(offer(f"c{term:02d}", term, rate, lead_time_hours=48.0) for term, rate in RATES.items())]
KEY = "c1/team/load-000"
NODES = {"H100": 8}
CARDS = Tables(
    gpu_models=(
        GpuModel(
            name="H100", memory_gb=80.0, bandwidth_tb_per_s=3.35, tflops=990.0, node_gpus=8, tdp_watts=700.0
        ),
    )
)


def steady(gpus: float, **more: Any) -> Load:
    return Load(pool=Pool.INFERENCE, gpus=[gpus] * HOURS, **more)


def plan(
    loads: Sequence[Load],
    offers: Sequence[Offer] = LADDER,
    contracts: Sequence[Contract] = (),
    nodes: dict[str, int] | None = None,
    scenario: Scenario | None = None,
    **assumptions: Any,
) -> Advice:
    scenario = scenario or Scenario(name="Plan A")
    made = case(loads, contracts, offers, scenario, **(DEFAULTS | assumptions))
    return advise(with_nodes(made.project, nodes or {}), scenario, made.pools, audit())


def ends_after(hours: int, gpus: float, offers: Sequence[Offer] = LADDER, **more: Any) -> Advice:
    dated = Scenario(name="Plan A", spells={KEY: Spell(None, BEGIN_S + hours * HOUR_S)})
    return plan([steady(gpus)], offers, scenario=dated, **more)


# --- Whole nodes on bare metal


@pytest.mark.parametrize(
    ("gpus", "signed", "liability_now"),
    [(3, [3.0], 157_680), (32, [32.0], 1_681_920), (33, [32.0], 1_681_920)],
)
def test_50_bare_metal_is_signed_in_whole_nodes(gpus: int, signed: list[float], liability_now: float) -> None:
    """A pool that does not fill one node is sold single GPUs; the 33rd GPU is paid by use."""
    advice = plan([steady(gpus)], nodes=NODES)
    assert [one.gpus for one in advice.orders if one.order_by_s <= BEGIN_S] == signed
    assert {one.term_months for one in advice.orders} == {36}
    assert advice.totals.liability_now == pytest.approx(liability_now)


def test_50_a_unit_of_one_switches_nodes_off() -> None:
    advice = plan([steady(33)], nodes=NODES, unit=1)
    assert sum(one.gpus for one in advice.orders if one.start_s == BEGIN_S + 48 * HOUR_S) == 33
    assert {one.block for one in advice.pools} == {1}


def test_the_peak_that_counts_is_that_of_the_pool_without_contracts_that_end() -> None:
    """12 GPUs beside a contract of 6: a node where it ends within the horizon, single GPUs where it does not."""
    for end_month, block in ((24.0, 8), (None, 1)):
        held = contract("k", 6, 1.0, end_month, HOURS)
        advice = plan([steady(12)], contracts=[held], nodes=NODES)
        assert [pool.block for pool in advice.pools] == [block]
    small = plan([steady(40), Load(pool=Pool.TRAINING, gpus=[3.0] * HOURS)], nodes=NODES)
    assert [pool.block for pool in small.pools] == [8, 1]


def test_only_bare_metal_that_says_no_unit_is_sold_in_nodes() -> None:
    for more, block in (({"bare_metal": False}, 1), ({"bare_metal": None}, 1), ({"unit_gpus": 4}, 4)):
        offers = [replace(one, **more) if one.term_months else one for one in LADDER]
        assert [pool.block for pool in plan([steady(40)], offers, nodes=NODES).pools] == [block]
    spot = offer("spot", 0, 2.0, pricing_category=PricingCategory.DYNAMIC)
    made = case([steady(4)], (), [OD, spot])
    assert with_nodes(made.project, {"A100": 8}) is made.project
    given = with_nodes(while_asking(made.project), NODES)
    assert (given.node_gpus, given.request_days, made.project.node_gpus) == (NODES, None, {})


def test_a_request_asks_for_what_the_plan_orders() -> None:
    """The nodes come from the table of GPU models; the request has no GPU more than the plan."""
    pools = {KEY: Pool.INFERENCE, "c1/team/load-001": Pool.TRAINING}
    loads = [steady(33), Load(pool=Pool.TRAINING, gpus=[3.0] * HOURS)]
    made = case(loads, (), LADDER, Scenario(name="Plan A", pools=pools), **DEFAULTS)
    evaluation = evaluate_advice(made.project, "Plan A", CARDS)
    assert {pool.block for pool in evaluation.advised.pools} == {1, 8}
    rows = asked_on(evaluation, BEGIN_S)
    orders = [order for row in rows for order in row.orders]
    assert len(orders) == len(evaluation.advised.orders) == 3  # the second of six months renews the first
    assert all(row.gpus == order.bought_gpus for row in rows for order in row.orders)


# --- Steady work of the log with a stated end


def test_51_steady_work_that_ends_is_bought_as_a_run() -> None:
    advice = ends_after(240, 16, [OD, offer("d7", 1, 3.00, term_days=7, lead_time_hours=48.0)])
    assert sum(usd(advice)) == pytest.approx(15_989.76)
    assert (spans(advice), [one.reason for one in advice.orders]) == ([(48.0, 216.0, 16.0)], ["planned_run"])
    (run,) = advice.planned_runs
    assert (run.key, run.gpus, run.hours, run.ways) == (KEY, 16.0, 240.0, ())
    assert sum(usd(ends_after(2208, 128))) == pytest.approx(925_278.72)


def is_run(advice: Advice) -> bool:
    return [run.key for run in advice.planned_runs] == [KEY]


def test_what_is_no_run() -> None:
    """An end in over 12 months, a mean under 90% of the peak, a step of demand, a model that the log does not say."""
    assert is_run(ends_after(12 * 730, 4)) and not is_run(ends_after(12 * 730 + 1, 4))
    spell = {KEY: Spell(None, BEGIN_S + 500 * HOUR_S)}
    for busy, found in ((1944, True), (1943, False)):  # 90% of 2,160 hours, weighted alike
        load = Load(pool=Pool.BURST, gpus=[4.0] * busy + [0.0] * (HOURS - busy))
        advice = plan([load], scenario=Scenario(name="Plan A", spells=spell), recency_half_life_days=None)
        assert is_run(advice) == found
    step = DemandChange(target="all", keys=(), factor=2.0, from_s=BEGIN_S + 100 * HOUR_S)
    assert not is_run(plan([steady(4)], scenario=Scenario(name="Plan A", spells=spell, changes=(step,))))
    assert not is_run(plan([steady(4, model=None)], scenario=Scenario(name="Plan A", spells=spell)))


def test_steady_work_that_ends_takes_idle_contracts_first_and_does_not_grow() -> None:
    held = contract("k", 6, 1.0, 24.0, HOURS)
    spells = {KEY: Spell(None, BEGIN_S + 1000 * HOUR_S)}
    advice = plan(
        [steady(4), steady(3)],
        [OD],
        [held],
        scenario=Scenario(name="Plan A", spells=spells),
        growth=0.1,
        delta=0.0,
    )
    (run,) = advice.planned_runs
    assert (run.idle_contract_gpus, run.use_usd) == (3.0, pytest.approx(1000 * 6.88))
    alike = plan([steady(4)], [OD], [held], scenario=Scenario(name="Plan A", spells=spells))
    assert usd(alike) == [6 * 730] * 12


# --- Planned work that names no cluster


def planned(cluster: str = "", **more: Any) -> PlannedWork:
    return PlannedWork(
        name="next", pool=Pool.TRAINING, gpu_model="H100", gpus=8, cluster=cluster, team="team", **more
    )


@pytest.mark.parametrize("more", [{}, {"ends_s": BEGIN_S + 2000 * HOUR_S}], ids=["for good", "a run"])
def test_planned_work_uses_idle_contracts_of_the_only_cluster_that_has_them(more: dict[str, Any]) -> None:
    held = contract("k", 32, 2.0, None, HOURS)
    other = contract("a", 8, 1.0, None, HOURS, cluster="c2", gpu_model="A100")
    nowhere, named = (on_board(planned(cluster, **more), [held, other]) for cluster in ("", "c1"))
    assert usd(nowhere) == usd(named) == [32 * 2.0 * 730 + 8 * 1.0 * 730] * 12
    assert not nowhere.orders


def on_board(work: PlannedWork, contracts: Sequence[Contract]) -> Advice:
    """A plan of 8 GPUs of the log on c1 and of planned work, as evaluation makes it."""
    scenario = Scenario(name="Plan A", planned=(work,))
    made = case([steady(8)], contracts, [OD], scenario, **DEFAULTS)
    return evaluate_advice(made.project, "Plan A", CARDS).advised


def test_planned_work_of_several_clusters_is_asked_about() -> None:
    held = [contract(name, 12, 2.0, None, HOURS, cluster=name) for name in ("c1", "c2")]
    advice = on_board(planned(), held)
    checks = {str(one.message): one for one in advice.checks if one.code == "idle_beside_orders"}
    assert [one.usd_per_month for one in checks.values()] == pytest.approx([12 * 1460.0, 4 * 1460.0])
    assert sorted(text.rsplit(" ", 1)[1] for text in checks) == ["cluster:c1=c2", "cluster:c2=c1"]
    assert all("next names no cluster" in text for text in checks)
    assert not [one for one in on_board(planned("c1"), held).checks if one.code == "idle_beside_orders"]


# --- A block is one order


def test_a_block_is_one_order_however_its_slices_came_to_it() -> None:
    block = {"starts": iso(730), "ends": iso(730 + 1008), "term_days": 42, "max_gpus": 256}
    wavy = Load(pool=Pool.INFERENCE, gpus=[180.0 + 80 * (hour * 7919 % 101) / 101 for hour in range(HOURS)])
    held = contract("k", 100, 2.6, 1.0, HOURS)
    advice = plan([wavy], [OD, offer("m1", 1, 3.50), offer("b", 2, 2.0, **block)], [held])
    (order,) = [one for one in advice.orders if one.offer_id == "b"]
    assert order.reason == "contract_end" and order.gpus > 200  # 100 of them follow no contract


def test_a_block_of_a_run_is_one_order_whoever_pays_by_use() -> None:
    """On demand there are 100 GPUs at the lower rate, which cuts what the run would pay by use."""
    block = {"starts": iso(0), "ends": iso(1008), "term_days": 42, "max_gpus": 300}
    use = [offer("od", 0, 6.88, max_gpus=100), offer("od2", 0, 9.0)]
    advice = ends_after(1008, 512, [*use, offer("b", 2, 2.80, **block)])
    assert [(one.offer_id, one.gpus, one.bought_gpus) for one in advice.orders] == [("b", 300.0, 300.0)]
