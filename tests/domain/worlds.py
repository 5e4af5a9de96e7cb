"""Three small projects whose every figure can be worked out by hand; made once, when a test first asks.

Of the past: 100 hours from 1 July 2026 on two clusters; atlas has 8 H100 at $2 and bora 2 A100 at $1, which ops answer
for. On demand an H100 costs $4, of an A100 nobody knows it.
Of a plan: a month of 730 hours, January 2026, on two clusters of H100 and A100, with contracts that end in 6 months, in
2, and never.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from types import SimpleNamespace

import numpy as np

from gpuplanner.domain.audit.chargeback import charged
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.unit_costs.business_costs import business_costs, spend_by_hour
from gpuplanner.domain.audit.unit_costs.unit_costs import unit_costs
from gpuplanner.domain.audit.variance import halves, variance
from gpuplanner.domain.commitment.advice_backtest import Backtest, Fold, Variant
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.commitment.outlook_result import LimitCost, PathCost, PathRow
from gpuplanner.domain.commitment.plan.comparison import Change, Worth, from_today
from gpuplanner.domain.commitment.uncertainty.flips import price_sensitivity
from gpuplanner.domain.commitment.uncertainty.limit_costs import providers_alone
from gpuplanner.domain.evaluation import Evaluation, advice_before, advise_plan, evaluate_audit, with_outlook
from gpuplanner.domain.evidence.audit_evidence import Evidence, evidence_of
from gpuplanner.domain.evidence.costs.cost_evidence import CostEvidence
from gpuplanner.domain.evidence.plan.layers import (
    NOT_YET,
    ComparisonEvidence,
    PlacedCard,
    PlanEvidence,
    SideEvidence,
    WorthEvidence,
)
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping, Only
from gpuplanner.domain.model.business_figures import BusinessFigure
from gpuplanner.domain.model.intake import DataQuality, LogGap
from gpuplanner.domain.model.places import Site, Traffic
from gpuplanner.domain.model.plan.limits import Limit
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import LeakDecision, LeakStatus, Scenario
from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import GpuModel, Pool, PricingCategory, Tables
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.domain.queue.ground import Queueing
from gpuplanner.domain.queue.logged import JobKind, QueueLog
from gpuplanner.domain.queue.waiting import Waiting, waiting_of
from gpuplanner.domain.queue.waits import Target
from tests.domain.audit.conftest import (
    GPU_HOUR,
    START_S,
    make_contract,
    make_offer,
    make_project,
    make_workload,
)
from tests.domain.commitment import conftest as of_plans
from tests.domain.commitment.conftest import Load, case, contract, offer
from tests.domain.serving.test_regions import PLACES

WATTS = Tables(
    gpu_models=(
        GpuModel(
            name="H100",
            memory_gb=80.0,
            bandwidth_tb_per_s=3.35,
            tflops=989.0,
            tdp_watts=700.0,
            node_gpus=8,
            node_kw_per_gpu=1.0,
        ),
        GpuModel(
            name="A100",
            memory_gb=80.0,
            bandwidth_tb_per_s=2.0,
            tflops=312.0,
            tdp_watts=400.0,
            node_gpus=8,
            node_kw_per_gpu=0.5,
        ),
    )
)
HOURS = 730
PLAN_S = of_plans.START_S + HOURS * 3600
"""When plans begin: 31 January 2026, 10:00."""
LEVEL = {"sigma": 0.0, "delta": 0.0, "lambda_": 0.0, "growth": 0.0, "unit": 1}


# --- The past


def past_project() -> Project:
    """Runs of 20 h on 4 and of 10 h on 8 H100, an endpoint on 2, and a nameless team's every other hour on 3 A100."""
    works = (
        make_workload("sft", activity=0.5, longest_job_s=20 * 3600),
        make_workload("chat", activity=0.8),
        replace(make_workload("dev", "bora"), owner=""),
    )
    entries = [
        *((0, 0, hour, 4 * GPU_HOUR) for hour in range(10, 30)),
        *((0, 0, hour, 8 * GPU_HOUR) for hour in range(60, 70)),
        *((1, 0, hour, 2 * GPU_HOUR) for hour in range(100)),
        *((2, 1, hour, 3 * GPU_HOUR) for hour in range(0, 100, 2)),
    ]
    held = (
        make_contract(
            "k1",
            8,
            "2.00",
            provider="Ada",
            term_months=12,
            pricing_category="COMMITTED",
            end_s=START_S + 400 * DAY_S,
        ),
        make_contract("k2", 2, "1.00", cluster="bora", gpu_model="A100", owner="ops"),
    )
    offers = (
        make_offer("od", "4.00"),
        make_offer("ya", "3.00", pricing_category="COMMITTED", term_months=12),
    )
    project = make_project(100, works, entries, held, offers)
    sft, chat, dev = (work.key for work in project.workloads)
    return replace(
        project,
        labels={sft: Pool.TRAINING, chat: Pool.INFERENCE, dev: Pool.BURST},
        budgets={"team": 500.0},
        business=(
            BusinessFigure("orders", "2026-07", 1000.0),
            BusinessFigure("chats", "2026-07", 500.0, chat),
        ),
        traffic={
            chat: Traffic(
                start_s=START_S,
                end_s=START_S + 360_000,
                hours=((START_S, 2_000_000, 500_000), (START_S + 3600, 1_000_000, 250_000)),
            )
        },
        mappings=(ModelMapping("A100", "H100", 0.5),),
        scenarios=(
            Scenario(
                name="Plan A",
                leak_decisions=(
                    LeakDecision(
                        leak_id="idle_tail:atlas",
                        status=LeakStatus.ACCEPTED,
                        at_s=START_S,
                        owner="ops",
                        gpu_hours=300.0,
                        usd_per_month=4380.0,
                    ),
                ),
            ),
        ),
    )


@cache
def past() -> SimpleNamespace:
    """The audit of the past, with what stands on it."""
    project = past_project()
    evaluation = evaluate_audit(project, "Plan A", WATTS)
    hours = past_of(project, evaluation.audit)
    return SimpleNamespace(
        project=project, evaluation=evaluation, audit=evaluation.audit, past=hours, unit=unit_costs(hours)
    )


# --- A plan


def plan_project(
    loads: Sequence[Load] = (),
    contracts: Sequence[Contract] | None = None,
    offers: Sequence[Offer] | None = None,
    scenario: Scenario | None = None,
    **assumptions: float | int | bool | None,
) -> Project:
    """8 H100 that train, 4 and then 2 that serve, and 3 A100 in bursts of every other hour."""
    every_other = [3.0, 0.0] * (HOURS // 2)
    used = (
        Load(pool=Pool.TRAINING, gpus=[8.0] * HOURS),
        Load(pool=Pool.INFERENCE, gpus=[4.0] * (HOURS // 2) + [2.0] * (HOURS // 2), cluster="c2"),
        Load(pool=Pool.BURST, gpus=every_other, model="A100"),
        *loads,
    )
    held = (
        contract(
            "K1", 4, 2.0, 6, HOURS, provider="Ada", pricing_category=PricingCategory.COMMITTED, term_months=24
        ),
        contract(
            "K2",
            8,
            1.5,
            2,
            HOURS,
            cluster="c2",
            provider="Bo",
            term_months=12,
            notice_days=15,
            pricing_category=PricingCategory.COMMITTED,
            cancel_fee_usd=Decimal(900),
            purchase_order="PO-7",
        ),
        contract("K3", 5, 1.0, None, HOURS, gpu_model="A100", provider="Ada", sla_percent=99.0),
    )
    sold = (
        offer("od", 0, 4.0, provider="Bo"),
        offer(
            "y1",
            12,
            2.5,
            provider="Ada",
            lead_time_hours=240.0,
            upfront_usd=Decimal(730),
            valid_until="2026-03-01",
        ),
        offer("q3", 3, 3.5, provider="Bo", sla_percent=99.5),
        offer("a-od", 0, 2.0, provider="Bo", gpu_model="A100"),
        offer("a-spot", 0, 0.8, provider="Bo", gpu_model="A100", pricing_category=PricingCategory.DYNAMIC),
    )
    result = case(
        used,
        held if contracts is None else contracts,
        sold if offers is None else offers,
        scenario,
        **(LEVEL | assumptions),
    )
    pools = {work.key: pool for work, pool in zip(result.project.workloads, result.pools, strict=True)}
    works = tuple(
        replace(work, peak_milli_gpus=peak, gpu_jobs=jobs, jobs=jobs + 1)
        for work, peak, jobs in zip(result.project.workloads, (8000, 4000, 3000), (5, 7, 9), strict=True)
    )
    return replace(result.project, labels=pools, workloads=works)


def evaluated(project: Project) -> Evaluation:
    """The project's last plan with its advice, without its outlook."""
    evaluation = evaluate_audit(project, project.scenarios[-1].name, WATTS)
    return replace(evaluation, advice=advise_plan(project, evaluation.figures, AdviceCache()))


@cache
def plan() -> Evaluation:
    """The plan; `outlook_of` adds its outlook."""
    return evaluated(plan_project())


@cache
def outlook_of(world: Callable[[], Evaluation]) -> Evaluation:
    """A plan with its outlook, which costs more than the plan itself."""
    return with_outlook(world())


@cache
def limited() -> Evaluation:
    """A plan that may own, with two runs of work that no log has, a limit on Ada, extras, and jobs that were requeued.

    To own an H100 for 36 months costs $8,760 at first, 0.5 kW at $0.10 and a tenth of it left at the end.
    """
    once = PlannedWork(
        name="once",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=16.0,
        cluster="c1",
        begins_s=PLAN_S + MONTH_S,
        length_hours=365,
    )
    again = PlannedWork(
        name="again",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=8.0,
        cluster="",
        length_hours=73,
        every_hours=365,
    )
    scenario = Scenario(name="Plan A", planned=(once, again), shares={Only("Ada"): 0.25})
    project = plan_project(scenario=scenario, wacc=0.12)
    bought = offer(
        "own",
        0,
        None,
        provider="Own",
        pricing_category=PricingCategory.OWNED,
        capex_usd_per_gpu=Decimal(8760),
        life_months=36,
        residual_share=0.1,
        kw_per_gpu=0.5,
        pue=1.2,
        usd_per_kwh=Decimal("0.1"),
        lead_time_hours=1460.0,
    )
    offers = tuple(
        replace(item, setup_usd=Decimal(365), support_percent=None) if item.offer_id == "y1" else item
        for item in (*project.offers, bought)
    )
    contracts = tuple(
        replace(item, staff_usd_per_gpu_month=Decimal(73)) if item.contract_id == "K1" else item
        for item in project.contracts
    )
    facts = replace(project.jobs, restart_delays_s=(3600, 7200, 7200, 36_000))
    return evaluated(replace(project, offers=offers, contracts=contracts, jobs=facts))


@cache
def unpriced() -> Evaluation:
    """The plan where nobody sells an A100, and K3 has no rate."""
    project = plan_project(offers=(offer("od", 0, 4.0, provider="Bo"),))
    contracts = tuple(
        replace(item, rate_usd_per_gpu_hour=None) if item.contract_id == "K3" else item
        for item in project.contracts
    )
    return evaluated(replace(project, contracts=contracts))


@cache
def asked() -> Evaluation:
    """A question beside the plan: what if an H100 on demand cost half as much again, and demand grew by 5% a month."""
    project = plan_project()
    question = replace(project.scenarios[0], name="Q", scratch_of="Plan A", assumptions={"growth": 0.05})
    return evaluated(replace(project, scenarios=(*project.scenarios, question)))


def with_before(of: Evaluation) -> Evaluation:
    """A plan that asks a question beside the one that it is asked of."""
    return replace(of, before=advice_before(of.project, of.scenario, of.audit))


# --- What answers stand on


@cache
def evidence_of_past() -> Evidence:
    """Of the audit, with the hardware fit of each workload."""
    of = past()
    return evidence_of(of.project, of.audit, of.evaluation.fit)


@cache
def evidence_of_costs() -> CostEvidence:
    """Of costs: the first 50 hours beside the last 50."""
    of = past()
    changes = variance(of.past, *halves(of.project.window))
    business = business_costs(of.project, spend_by_hour(of.past))
    return CostEvidence(
        unit=of.unit, variance=changes, past=of.past, charged=charged(of.past, of.audit), business=business
    )


def evidence_of_plan(of: Evaluation, *, is_today: bool = False) -> PlanEvidence:
    """Of a plan as it is read on its first day, or of today."""
    advice = of.advised
    costs = None if is_today else advice.cards
    usd = dict(advice.workload_usd if costs is None else costs.usd)
    hours = {} if costs is None else costs.gpu_hours
    if is_today:
        usd = {row.key: row.usd_per_month for row in of.audit.workloads}
    cards = (
        PlacedCard(
            key=card.key,
            name=card.name,
            pool=card.pool,
            in_review=card.in_review,
            gpu_hours_per_month=hours.get(card.key, card.gpu_hours_per_month),
            usd_per_month=usd.get(card.key),
            milli_gpu_seconds=card.milli_gpu_seconds,
            times=card.times,
        )
        for card in of.figures.cards
    )
    window_hours = of.project.window.hours
    return PlanEvidence(
        project=of.project,
        scenario=of.scenario,
        audit=of.audit,
        advice=advice,
        offers=of.project.offers,
        cards=tuple(cards),
        due=seen_in(of.project).to_approve(advice.orders),
        is_today=is_today,
        mean_gpus={
            pool: float(used.sum()) / 3_600_000 / window_hours for pool, used in of.figures.hourly.items()
        },
        outlook=of.outlook or NOT_YET,
        before=of.before,
        idle_usd={} if costs is None else costs.idle_usd,
    )


@cache
def divided() -> Evaluation:
    """The plan with a quarter of what serves in a part of its own, and two cards merged; two of its checks have a $."""
    project = plan_project()
    trains, serves, bursts = (work.key for work in project.workloads)
    scenario = replace(
        project.scenarios[0], splits={serves: ShareSplit(250)}, merges={"both": (trains, bursts)}
    )
    return evaluated(replace(project, scenarios=(scenario,)))


@cache
def evidence_of_trials() -> PlanEvidence:
    """Of the divided plan: its offers at their low and high rates, each provider alone, a limit of a quarter for Ada, a
    path of prices, two months of a backtest, and a log of 10 jobs in 100 hours.
    """
    of = divided()
    trains, serves, bursts = (work.key for work in of.project.workloads)
    rates = {"od": (Decimal(3), Decimal(5)), "y1": (Decimal(2), None)}
    offers = tuple(
        replace(item, rate_low=rates[item.offer_id][0], rate_high=rates[item.offer_id][1])
        if item.offer_id in rates
        else item
        for item in of.project.offers
    )
    quality = DataQuality(
        jobs=10,
        hours=100,
        busy_hours=80,
        gaps=(LogGap(PLAN_S, PLAN_S + 18_000),),
        shorter_gap_hours=2,
        with_id=10,
        with_name=8,
        with_user=5,
        gpu_time=400.0,
        with_model=300.0,
        with_activity=100.0,
    )
    project = replace(of.project, offers=offers, jobs=replace(of.project.jobs, quality=quality))
    parts = of.in_parts
    cases = price_sensitivity(
        replace(parts.project, offers=offers), of.figures.basis.plan, of.figures.workload_pools, parts.audit
    )
    limit = LimitCost(
        limit=Limit("share", 0.25, Only("Ada")),
        inputs={
            "plan": 28_000.0,
            "plan_without_limit": 27_000.0,
            "plan_in_year": 330_000.0,
            "without_limit_in_year": 320_000.0,
        },
        limit_cost=1000.0,
        limit_cost_in_year=10_000.0,
        unserved_gpu_hours=5.0,
        why="too much",
    )
    row = PathRow(
        pool=Pool.TRAINING,
        gpu_model="H100",
        shorter_only_usd=130.0,
        advice_usd=110.0,
        longer_only_usd=160.0,
        best_usd=100.0,
    )
    path = PathCost(
        path="fall",
        delta=0.03,
        shorter_only_usd=150.0,
        advice_usd=130.0,
        longer_only_usd=180.0,
        regret_usd=10.0,
        contracts_usd=20.0,
        rows=(row,),
        best_usd=120.0,
    )
    months = [
        Fold(
            month=at,
            advised_on=(0, PLAN_S),
            paid_for=(PLAN_S + at * MONTH_S, PLAN_S + (at + 1) * MONTH_S),
            usd={manner: usd * (at + 1) for manner, usd in WAYS_USD.items()},
            rows=(),
            bought=(),
        )
        for at in range(2)
    ]
    walked = Backtest(tuple(months), {manner: 3 * usd for manner, usd in WAYS_USD.items()})
    variants = (
        Variant(
            name="as_set",
            title=Message("As set"),
            settings={},
            usd=360.0,
            by_month=(120.0, 240.0),
            is_as_set=True,
        ),
        Variant(
            name="growth",
            title=Message("Growth"),
            settings={"growth": 0.1},
            usd=330.0,
            by_month=(130.0, 200.0),
        ),
    )
    result = evidence_of_plan(replace(of, project=project))
    return replace(
        result,
        backtest=walked,
        variants=variants,
        cases=cases,
        alone=providers_alone(parts.project, of.figures.basis.plan, of.figures.workload_pools, of.advised),
        outlook=replace(NOT_YET, limits=(limit,), price_paths=(path,)),
        selected=(trains, bursts, f"{serves}#1"),
        whole_usd={"plan_usd::": 27_154, "layer_usd::burst\tA100\texisting": 1095},
    )


WAYS_USD = {"advice": 120.0, "hindsight": 100.0, "on_demand": 200.0}
"""$ that each way of buying paid in the first of two months; in the second twice that."""


@cache
def compared() -> ComparisonEvidence:
    """The plan beside one of growth, whose second step moves what serves."""
    first, other = plan(), replace(asked(), before=None)
    sides = []
    for of in (first, other):
        steps = from_today(of.audit, of.advised, of.figures.workload_pools)
        today = {
            pool: known_sum(
                row.usd_per_month
                for row, own in zip(of.audit.workloads, of.figures.workload_pools, strict=True)
                if own is pool
            )
            for pool in Pool
        }
        sides.append(SideEvidence(evidence_of_plan(of), steps, today, {"unused_plan": 8638}))
    key = first.project.workloads[1].key
    manner = (
        WorthEvidence(
            name="Growth",
            worth=Worth(Change("assumptions", (), first.project.scenarios[0], ()), 27_153.0, 27_200.0, 47.0),
            whole_usd=47,
            hours={},
            names={},
        ),
        WorthEvidence(
            name="Move",
            worth=Worth(Change("move", (key,), first.project.scenarios[0], ()), 27_200.0, 27_100.4, -99.6),
            whole_usd=-99,
            hours={key: 2190.0},
            names={key: "load-001"},
        ),
    )
    return ComparisonEvidence(tuple(sides), (manner,))


# --- Jobs that waited


@cache
def queueing(*, is_planned: bool = True) -> Queueing:
    """Thirteen jobs of January 2026 on the plan, or on what there is today.

    Five H100 jobs that train on c1, where K1 has 4: of 4 GPUs and 10 h each, each an hour after the one before; one of
    40, and one of which nobody knows since when it waited; four of 2 GPUs that serve on c2, one of them from before
    the window; and two in bursts on the 5 A100 of K3.
    """
    of = plan() if is_planned else replace(plan(), scenario="Today")
    hours = [
        (1, 2, -10, -5, 5),
        *((0, 4, 100 + at, 100 + 10 * at, 110 + 10 * at) for at in range(5)),
        *((1, 2, 200 + at, 200 + at, 220 + at) for at in range(3)),
        (2, 3, 300, 300, 306),
        (2, 3, 301, 306, 312),
        (0, 40, 400, 400, 401),
        (0, 1, 690, 690, 700),
    ]
    models = ("H100", "H100", "A100")
    kinds = [
        JobKind(at, item.cluster, item.owner, model)
        for at, (item, model) in enumerate(zip(of.project.workloads, models, strict=True))
    ]
    start_s = of.project.window.start_s

    def column(at: int, scale: int = 1, begin: int = 0) -> np.ndarray:
        return np.array([begin + scale * row[at] for row in hours], dtype=np.int64)

    log = QueueLog(
        kinds=tuple(kinds),
        kind=column(0),
        milli_gpus=column(1, 1000),
        nodes=np.array([1] * len(hours), dtype=np.int64),
        eligible_s=column(2, 3600, start_s),
        start_s=column(3, 3600, start_s),
        end_s=column(4, 3600, start_s),
        planned_s=column(4, 3600, start_s) - column(3, 3600, start_s),
        job_ids=[f"j{at}" for at in range(len(hours))],
        is_known=np.array([at < len(hours) - 1 for at in range(len(hours))]),
        limit_known=0.5,
    )
    return Queueing(of, log)


@cache
def waiting(*, is_planned: bool = True) -> Waiting:
    """How long they wait, on four sizes alone and together, of which one shall keep P90 of training within 5 h."""
    target = Target(Pool.TRAINING, 5.0)
    return waiting_of(queueing(is_planned=is_planned), 4, target, together=(False, True))


@cache
def evidence_of_places() -> Evidence:
    """Of the past, with users in three cities and two sites of today (`test_regions.py`), and a third that is far."""
    of = evidence_of_past()
    places = replace(
        PLACES,
        sites=(
            *PLACES.sites,
            Site(
                site_id="far",
                city="Perth",
                country="Australia",
                latitude=-31.9,
                longitude=115.9,
                usd_per_month=Decimal(500),
            ),
        ),
    )
    priced = tuple(replace(item, usd_per_month=Decimal(1000 + at)) for at, item in enumerate(places.sites))
    return replace(of, project=replace(of.project, places=replace(places, sites=priced)))
