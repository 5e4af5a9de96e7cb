"""A believable project and its evaluation, made by hand: what the window is shown in tests and in pictures.

The numbers are inputs of a picture, not answers of the engine: they only agree with each other.
"""

from collections import deque
from dataclasses import replace
from decimal import Decimal
from functools import cache

import numpy as np

from gpuplanner.domain.audit.audit import class_rows, cluster_columns, cluster_rows
from gpuplanner.domain.audit.result import Audit, Check, ContractAudit, WorkloadToday
from gpuplanner.domain.audit.spend.cluster_inputs import ClusterInputs
from gpuplanner.domain.audit.spend.contract_inputs import ContractInputs
from gpuplanner.domain.audit.spend.stranded import total_bridge
from gpuplanner.domain.audit.use_by import Ran, window_use
from gpuplanner.domain.audit.utilization.contention import contention_by_cluster
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.commitment.demand.slicing import Slicing
from gpuplanner.domain.commitment.outlook_result import Outlook, PathCost, Separation, Uncertainty
from gpuplanner.domain.commitment.plan.orders import with_order_figures
from gpuplanner.domain.commitment.result import (
    Advice,
    BreakEven,
    ByHand,
    ComparisonMonth,
    Flex,
    IdleExisting,
    Layer,
    Order,
    PoolPlan,
    RowDemand,
    SliceRun,
    Supply,
    Totals,
    Verdict,
    with_figures,
)
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.evaluation import Evaluation, Figures, evaluate_figures
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.typed import decimals, percent
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.message import joined
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.intake import FileIntake, Issue, JobFacts
from gpuplanner.domain.model.plan.scenario import TODAY, Scenario
from gpuplanner.domain.model.plan.splits import bare_key
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOURS_PER_MONTH, MONTH_S, Window

START_S = 1_783_036_800  # 3 July 2026
HOURS = 2160
MILLI = 3_600_000

TRAIN, INFER, BURST = POOLS
ROWS: tuple[tuple[str, Pool, str, float, int, float, bool], ...] = (
    # name, class, cluster, GPU-hours a month, $ a month, confidence, in review
    ("llama3-70b-pretrain", TRAIN, "atlas", 23204, 94202, 0.97, False),
    ("mixtral-moe-pretrain", TRAIN, "atlas", 9603, 38987, 0.95, False),
    ("llama3-8b-sft", TRAIN, "atlas", 2752, 11174, 0.93, False),
    ("diffusion-xl-train", TRAIN, "cedar", 2466, 7662, 0.92, False),
    ("code-dpo-align", TRAIN, "atlas", 1373, 5576, 0.90, False),
    ("vit-l-pretrain", TRAIN, "cedar", 1428, 4436, 0.94, False),
    ("whisper-finetune", TRAIN, "cedar", 844, 2621, 0.89, False),
    ("bert-large-mlm", TRAIN, "cedar", 584, 1815, 0.86, False),
    ("reward-model-train", TRAIN, "atlas", 422, 1712, 0.88, False),
    ("gnn-molecule-train", TRAIN, "cedar", 454, 1411, 0.84, False),
    ("speech-ctc-train", TRAIN, "cedar", 454, 1410, 0.83, False),
    ("tabular-fraud-train", TRAIN, "cedar", 53, 164, 0.81, False),
    ("vllm-chat-prod", INFER, "borealis", 6206, 22695, 0.99, False),
    ("vllm-chat-eu", INFER, "borealis", 3092, 11305, 0.98, False),
    ("triton-rank-prod", INFER, "cedar", 4015, 7742, 0.98, False),
    ("sglang-agent-api", INFER, "borealis", 1858, 6792, 0.96, False),
    ("tgi-code-complete", INFER, "borealis", 1778, 6503, 0.97, False),
    ("rag-embed-online", INFER, "cedar", 2254, 4346, 0.93, False),
    ("sdxl-image-api", INFER, "borealis", 1065, 3893, 0.94, False),
    ("whisper-stream-asr", INFER, "cedar", 1497, 2887, 0.95, False),
    ("clip-search-endpoint", INFER, "cedar", 1460, 2815, 0.92, False),
    ("guardrail-classify", INFER, "borealis", 730, 2669, 0.91, False),
    ("rerank-endpoint", INFER, "cedar", 1259, 2428, 0.90, False),
    ("translate-endpoint", INFER, "cedar", 730, 1408, 0.88, False),
    ("jupyter-ml-research", BURST, "cedar", 2412, 2780, 0.91, False),
    ("nightly-eval", BURST, "borealis", 973, 2266, 0.91, False),
    ("sweep-lr-grid", BURST, "borealis", 847, 1971, 0.95, False),
    ("rag-embed-ingest", BURST, "cedar", 973, 1122, 0.85, False),
    ("eval-harness-weekly", BURST, "borealis", 422, 982, 0.92, False),
    ("sweep-lora-rank", BURST, "borealis", 372, 864, 0.93, False),
    ("notebook-data-sci", BURST, "cedar", 714, 823, 0.89, False),
    ("optuna-hpo-ctr", BURST, "cedar", 650, 749, 0.94, False),
    ("etl-video-frames", BURST, "cedar", 608, 701, 0.84, False),
    ("preproc-webtext", BURST, "cedar", 527, 608, 0.87, False),
    ("tokenize-corpus", BURST, "cedar", 376, 433, 0.88, False),
    ("bench-nccl-allreduce", BURST, "atlas", 102, 238, 0.90, False),
    ("agent-rollouts", INFER, "borealis", 1460, 5339, 0.52, True),
    ("batch-scoring", INFER, "borealis", 865, 3164, 0.47, True),
    ("distill-teacher", TRAIN, "atlas", 584, 2371, 0.55, True),
    ("shadow-traffic-replay", INFER, "borealis", 608, 2224, 0.57, True),
    ("run-experiment-b", TRAIN, "atlas", 479, 1943, 0.41, True),
    ("gpu-dev-box", BURST, "cedar", 730, 841, 0.56, True),
    ("interactive-h100", BURST, "borealis", 238, 554, 0.58, True),
    ("finetune-service", TRAIN, "cedar", 134, 416, 0.51, True),
    ("llm-judge-loop", BURST, "borealis", 168, 390, 0.49, True),
    ("featurestore-sync", BURST, "cedar", 243, 280, 0.53, True),
    ("team7-job", BURST, "cedar", 135, 156, 0.44, True),
    ("main-py", BURST, "borealis", 65, 150, 0.38, True),
)
REASONS = {
    TRAIN: ("\u201cpretrain\u201d in the name", "16 nodes at once", "runs of 40 h and more"),
    INFER: ("\u201cvllm\u201d in the name", "runs in 97% of the hours", "load follows the day"),
    BURST: ("\u201csweep\u201d in the name", "short jobs", "no two days alike"),
}
MODEL_OF = {"atlas": "H100", "borealis": "H100", "cedar": "A100"}


def key_of(name: str) -> str:
    """The key of a sample workload."""
    cluster = next(row[2] for row in ROWS if row[0] == name)
    return f"{cluster}/ml/{name}"


def _shape(name: str, pool: Pool) -> np.ndarray:
    """A believable share of demand for each hour, adding up to one."""
    random = np.random.default_rng(sum(map(ord, name)))
    hour = np.arange(HOURS)
    if pool is INFER:
        load = 1.0 + 0.28 * np.sin((hour % 24 - 9) / 24 * 2 * np.pi) + 0.05 * random.standard_normal(HOURS)
        load *= np.where((hour // 24) % 7 >= 5, 0.82, 1.0)
    elif pool is TRAIN:
        begun = random.integers(0, 24 * 20)
        period = random.integers(160, 420)
        load = np.where((hour + begun) % period < period * 0.72, 1.0, 0.02)
    else:
        load = np.clip(
            random.standard_normal(HOURS) + 0.6 * ((hour % 24 > 8) & (hour % 24 < 20)) - 0.4, 0, None
        )
    return np.clip(load, 0, None) / np.clip(load, 0, None).sum()


@cache
def sample_project() -> Project:
    """48 workloads on three clusters over 90 days. One for all: nobody changes a project in its place."""
    rows = sorted(ROWS, key=lambda row: key_of(row[0]))
    models = ("A100", "H100")
    entries: list[np.ndarray] = []
    workloads = []
    for at, (name, pool, cluster, hours_per_month, _, _, _) in enumerate(rows):
        amounts = np.round(_shape(name, pool) * hours_per_month * HOURS / HOURS_PER_MONTH * MILLI).astype(
            np.int64
        )
        model = models.index(MODEL_OF[cluster])
        entries.append(np.stack((np.full(HOURS, at), np.full(HOURS, model), np.arange(HOURS), amounts)))
        workloads.append(
            Workload(
                key=key_of(name),
                name=name,
                cluster=cluster,
                owner="ml",
                jobs=400 + 97 * at,
                gpu_jobs=400 + 97 * at,
                milli_gpu_seconds=int(amounts.sum()),
                peak_milli_gpus=int(amounts.max() // 3600),
                max_nodes=2,
                longest_job_s=86_400,
                median_job_s=3600,
            )
        )
    table = np.concatenate(entries, axis=1)
    cube = cube_from_entries(HOURS, models, table[0], table[1], table[2], table[3])
    jobs = JobFacts(
        count=181_640,
        gpu_jobs=169_232,
        milli_gpu_seconds=int(table[3].sum()),
        peak_milli_gpus=208_000,
        first_start_s=START_S,
        last_end_s=START_S + HOURS * 3600,
        clipped=318,
    )
    return Project(
        window=Window(START_S, HOURS),
        cube=cube,
        workloads=tuple(workloads),
        jobs=jobs,
        contracts=(
            Contract(
                contract_id="atlas",
                cluster="atlas",
                gpu_model="H100",
                milli_gpus=96_000,
                rate_usd_per_gpu_hour=Decimal("4.10"),
                start_s=START_S - 270 * DAY_S,
                end_s=START_S + 181 * DAY_S,
                provider="Vela Cloud",
                pricing_category=PricingCategory.COMMITTED,
                term_months=12,
                min_term_months=1,
                notice_days=30,
            ),
            Contract(
                contract_id="borealis",
                cluster="borealis",
                gpu_model="H100",
                milli_gpus=48_000,
                rate_usd_per_gpu_hour=Decimal("6.88"),
                start_s=START_S - 150 * DAY_S,
                end_s=None,
                provider="AWS",
                pricing_category=PricingCategory.STANDARD,
            ),
            Contract(
                contract_id="cedar",
                cluster="cedar",
                gpu_model="A100",
                milli_gpus=64_000,
                rate_usd_per_gpu_hour=Decimal("1.79"),
                start_s=START_S - 200 * DAY_S,
                end_s=START_S + 165 * DAY_S,
                provider="Bare metal",
                pricing_category=PricingCategory.COMMITTED,
                term_months=12,
                min_term_months=1,
                notice_days=30,
            ),
        ),
        offers=(
            Offer(
                offer_id="aws-h100-od",
                gpu_model="H100",
                pricing_category=PricingCategory.STANDARD,
                term_months=0,
                rate_usd_per_gpu_hour=Decimal("6.88"),
                provider="AWS",
                as_of="2026-10-01",
            ),
            Offer(
                offer_id="bm-h100-12",
                gpu_model="H100",
                pricing_category=PricingCategory.COMMITTED,
                term_months=12,
                rate_usd_per_gpu_hour=Decimal("2.75"),
                provider="Vela",
                as_of="2026-10-01",
            ),
            Offer(
                offer_id="bm-h100-36",
                gpu_model="H100",
                pricing_category=PricingCategory.COMMITTED,
                term_months=36,
                rate_usd_per_gpu_hour=Decimal("2.00"),
                provider="Vela",
                as_of="2026-10-01",
            ),
        ),
        intake=(
            FileIntake(
                path="sacct-q3.txt",
                kind="jobs",
                format="sacct",
                rows_read=184_212,
                rows_accepted=181_640,
                rows_rejected=214,
                rows_duplicate=1_102,
                rows_ignored=1_256,
                issues=(Issue("bad_time", 131, 4_071, "Start or End is not a time"),),
            ),
        ),
        scenarios=(Scenario(name="Plan A \u00b7 Separate"), Scenario(name="Plan B \u00b7 Longer terms")),
        title="northwind-q3",
    )


def _classification(pool: Pool, confidence: float) -> Classification:
    others = [other for other in POOLS if other is not pool]
    return Classification(
        pool=pool,
        subtype="general",
        confidence=confidence,
        reasons=REASONS[pool],
        runner_up=others[0],
        source="rule",
    )


def figures_of(project: Project, scenario: str) -> Figures:
    """Step 1, as the product works it out, on the sample's classes."""
    return evaluate_figures(project, scenario, audit_sample(project))


def _inputs(project: Project, name: str, gpus: int, used: float) -> ContractInputs:
    contract = next(one for one in sample_project().contracts if one.contract_id == name)
    paid = gpus * HOURS * MILLI_GPU_SECONDS_PER_GPU_HOUR
    return ContractInputs(
        contract=contract,
        run_s=HOURS * 3600,
        paid=paid,
        used=round(used * paid),
        on_demand=None,
        months=project.window.months,
    )


def _milli(gpu_hours: float) -> int:
    return round(gpu_hours * MILLI_GPU_SECONDS_PER_GPU_HOUR)


def audit_sample(project: Project) -> Audit:
    clusters = (
        ("atlas", 96, 0.650, 0.712, 1791, 369, 4305.0, 35424.0, 287328, 252409, 43120),
        ("borealis", 48, 0.390, 0.384, 156, 2004, 36226.0, 96192.0, 241075, 150286, 139432),
        ("cedar", 64, 0.538, None, 1525, 635, 16474.0, 40640.0, 83629, 49729, 14619),
    )
    facts = {key_of(row[0]): row for row in ROWS}
    unused = {"atlas": 100_565.0, "borealis": 147_056.0, "cedar": 38_637.0}
    rows = []
    for name, gpus, used, activity, train, idle, nt_used, nt_cap, cost, audit, metered in clusters:
        capacity, months = float(gpus * HOURS), project.window.months
        inputs = ClusterInputs(
            cluster=name,
            paid=_milli(capacity),
            used=_milli(used * capacity),
            training_hours=train,
            non_training_hours=idle,
            non_training_paid=_milli(nt_cap),
            non_training_used=_milli(nt_used),
            activity=activity,
            overflow=0,
            overflow_in_window=0.0,
            eligible_overflow_in_window=0.0,
            paid_in_window=cost * months,
            allocated_in_window=(cost - unused[name]) * months,
            unallocated_in_window=unused[name] * months,
            non_training_unallocated_in_window=metered * months,
            months=months,
        )
        (row,) = cluster_rows([inputs], cluster_columns([inputs]))
        rows.append(
            replace(
                row,
                utilization=used,
                cost_per_month=float(cost),
                stranded_audit=float(audit),
                stranded_metered=float(metered),
                scaled_to_all_hours=float(audit - metered),
            )
        )
    classes = [facts[workload.key][1] for workload in project.workloads]
    dispatched = dispatch_window(project, classes)
    usd = [1.4 * facts[workload.key][4] for workload in project.workloads]
    return Audit(
        classes=class_rows(project.workloads, classes, usd),
        workloads=tuple(
            WorkloadToday(
                workload.key,
                _classification(facts[workload.key][1], facts[workload.key][5]),
                {"atlas": TRAIN, "borealis": INFER, "cedar": TRAIN}[workload.cluster],
                1.4 * facts[workload.key][4],
            )
            for workload in project.workloads
        ),
        clusters=tuple(rows),
        contracts=tuple(
            ContractAudit(
                contract_id=name,
                cluster=name,
                provider=provider,
                gpus=float(gpus),
                paid_gpu_hours=gpus * HOURS * 1.0,
                used_gpu_hours=used * gpus * HOURS,
                utilization=used,
                below_40_percent=used < 0.4,
                break_even_utilization=break_even,
                unused_per_month=unused,
                inputs=_inputs(project, name, gpus, used),
                figures=dict.fromkeys(one.key for one in CONTRACT.figures),
            )
            for name, provider, gpus, used, break_even, unused in (
                ("atlas", "Vela Cloud", 96, 0.650, 0.596, 100_565.0),
                ("borealis", "AWS", 48, 0.390, None, 147_056.0),
                ("cedar", "Bare metal", 64, 0.538, 0.526, 38_637.0),
            )
        ),
        leaks=(),
        checks=(
            Check(
                code="below_40",
                severity="amber",
                subject="borealis",
                message=joined(("borealis was used ", percent(0.39, 1), ": below the 40% flag.")),
                usd_per_month=147_056.0,
            ),
            Check(
                code="activity_unknown",
                severity="info",
                subject="cedar",
                message="cedar: the log has no activity for its jobs.",
            ),
        ),
        spend=612_032.0,
        unused_per_month=286_258.0,
        effective_utilization=0.555,
        lock_in_now_months=1.7,
        bridge=total_bridge(rows),
        contention=contention_by_cluster(project, classes, dispatched),
        use=window_use(
            project, dispatched, {"atlas": 6.88, "borealis": 6.88, "cedar": 3.4}, usd, Ran(project)
        ),
    )


BREAK_EVENS = ((36, 0.616), (12, 0.520), (3, 0.512))


def break_even(months: int, offer_id: str, share: float) -> BreakEven:
    """A term that is worth it from a share on, beside GPUs paid by use at $6.88."""
    by_use = 730 * 6.88
    rate = 6.88 * share
    return BreakEven(
        term_months=months,
        offer_id=offer_id,
        rate=rate,
        spread_rate=rate,
        by_use_rate=6.88,
        kept=1.0,
        one_gpu_per_month=730 * rate,
        by_use_per_month=by_use,
        compared_per_month=by_use * share,
        break_even=share,
    )


def _pool_plan(project: Project, figures: Figures, pool: Pool, model: str, usd: np.ndarray) -> PoolPlan:
    by_key = {card.key: card for card in figures.cards}
    demand = np.zeros(HOURS)
    cube = project.cube
    for row, at in enumerate(cube.workload_index):
        card = by_key[project.workloads[at].key]
        if card.pool is pool and card.gpu_models == (model,):
            place = slice(cube.offsets[row], cube.offsets[row + 1])
            demand[cube.hour[place]] += cube.milli_gpu_seconds[place] / MILLI
    runs: list[SliceRun] = []
    layers: list[Layer] = []
    served = 0
    sorted_demand = np.sort(demand)[::-1]
    terms = ((36, 0.97, 2.00), (12, 0.80, 2.75), (3, 0.6, 3.35)) if pool is not BURST else ()
    for months, share, rate in terms:
        top = max(served, int(np.quantile(sorted_demand, 1 - share)))
        if top > served:
            used = float(np.mean(np.clip(demand - served, 0, top - served)) / (top - served))
            runs.append(SliceRun(served + 1, top, months, rate))
            layers.append(
                Layer(
                    existing=False,
                    pricing_category=PricingCategory.COMMITTED,
                    term_months=months,
                    offer_id=f"bm-{model.lower()}-{months}",
                    gpus=float(top - served),
                    busy_gpus=used * (top - served),
                    rate=rate,
                )
            )
            served = top
    above = float(np.mean(np.clip(demand - served, 0, None)))
    peak = float(demand.max())
    if above > 0:
        runs.append(SliceRun(served + 1, int(np.ceil(peak)), 0, 6.88))
        spot = 1.0 if pool is BURST else 0.0
        category = PricingCategory.DYNAMIC if pool is BURST else PricingCategory.STANDARD
        rate = 2.33 if pool is BURST else 6.88
        layers.append(
            Layer(
                existing=False,
                pricing_category=category,
                term_months=0,
                offer_id="aws-h100-od",
                gpus=float(np.ceil(peak) - served),
                busy_gpus=above,
                rate=rate,
                spot_share=spot,
            )
        )
    return PoolPlan(
        pool=pool,
        gpu_model=model,
        demand=RowDemand(
            gpu_hours=float(demand.sum()),
            mean_gpus=float(demand.mean()),
            p95_gpus=float(np.quantile(demand, 0.95)),
            peak_gpus=peak,
            growth=0.0,
            hourly_gpus=demand,
            residual_gpus=demand,
            gpu_time=usd,
        ),
        slicing=Slicing(1, runs[-1].last_slice if runs else 0),
        layers=with_figures(layers, None),
        runs=tuple(runs),
        break_even=tuple(
            break_even(months, f"bm-{model.lower()}-{months}", value) for months, value in BREAK_EVENS
        ),
        cost_per_month=float(usd.sum()),
        flex=Flex(rate=6.88, category=PricingCategory.STANDARD, offer_id=None, spot_share=0.0),
        supply=Supply(
            tuple(
                Offer(
                    offer_id=f"bm-{model.lower()}-{months}",
                    gpu_model=model,
                    pricing_category=PricingCategory.COMMITTED,
                    term_months=months,
                    rate_usd_per_gpu_hour=Decimal(str(rate)),
                )
                for months, _, rate in terms
            ),
            frozenset(f"bm-{model.lower()}-{months}" for months, _, _ in terms),
            on_demand_rate=6.88,
        ),
        note="",
        by_hand=ByHand(pool is INFER and model == "H100"),
    )


def advice_of(project: Project, figures: Figures) -> Advice:
    """Step 2: the picture's money, with what cards cost following their pool."""
    facts = {key_of(row[0]): row for row in ROWS}
    usd: dict[str, float | None] = {}
    for card in figures.cards:
        row = facts[bare_key(card.key)]
        own = float(row[4]) * (1.0 if card.key in facts else card.gpu_hours_per_month / row[3])
        usd[card.key] = own if card.pool is row[1] else own * (0.64 if card.pool is BURST else 1.3)
    plan_usd = float(sum(value for value in usd.values() if value is not None))
    end = project.window.end_s
    shares = {  # each card has the part of its pool and model that it costs
        (pool, model): np.array(
            [
                usd[card.key] if card.pool is pool and card.gpu_models == (model,) else 0.0
                for card in figures.cards
            ]
        )
        for pool in POOLS
        for model in ("A100", "H100")
    }
    return Advice(
        pools=tuple(
            _pool_plan(project, figures, pool, model, amounts)
            for (pool, model), amounts in shares.items()
            if amounts.any()
        ),
        idle_existing=(IdleExisting(gpu_model="H100", gpus=0.0, rate=None, cost_per_month=0.0),),
        orders=with_order_figures(
            (
                replace(
                    Order(
                        pool=TRAIN,
                        gpu_model="H100",
                        offer_id="bm-h100-12",
                        term_months=12,
                        gpus=64.0,
                        start_s=end,
                        end_s=end + 12 * MONTH_S,
                        order_by_s=end,
                        reason="now",
                    ),
                    rate=2.75,
                    is_soonest=True,
                ),
                replace(
                    Order(
                        pool=TRAIN,
                        gpu_model="H100",
                        offer_id="bm-h100-36",
                        term_months=36,
                        gpus=12.0,
                        start_s=end + 90 * DAY_S,
                        end_s=end + 90 * DAY_S + 36 * MONTH_S,
                        order_by_s=end + 59 * DAY_S,
                        reason="contract_end",
                        row=1,
                    ),
                    rate=2.1,
                ),
            )
        ),
        verdicts=(
            Verdict(
                contract_id="borealis",
                verdict="let_expire",
                then_term_months=0,
                gpus=0.0,
                order_by_s=None,
                reason="48 H100 on demand, 39.0% used. Its work fits.",
            ),
            Verdict(
                contract_id="atlas",
                verdict="replace",
                then_term_months=12,
                gpus=64.0,
                order_by_s=end + 59 * DAY_S,
                reason="64 GPUs for 12 months",
                shares=((64.0, (12, None)),),
            ),
            Verdict(
                contract_id="cedar",
                verdict="keep",
                then_term_months=0,
                gpus=64.0,
                order_by_s=None,
                reason="Ends more than 24 months after the window.",
            ),
        ),
        totals=Totals(
            today=612_032.0,
            do_nothing=590_210.0,
            plan=plan_usd,
            savings=612_032.0 - plan_usd,
            savings_percent=100 * (612_032.0 - plan_usd) / 612_032.0,
            savings_vs_do_nothing=590_210.0 - plan_usd,
            on_demand_equivalent=640_100.0,
            effective_savings_rate=0.56,
            effective_utilization_now=0.555,
            effective_utilization_plan=0.835,
            unused_now=286_258.0,
            unused_plan=32_185.0,
            lock_in_now_months=1.7,
            lock_in_months=9.1,
            cost_of_separation=None,
        ),
        comparison=tuple(
            ComparisonMonth(
                month=month,
                start_s=end + month * 730 * 3600,
                do_nothing_usd=590_000.0,
                contracts_usd=plan_usd,
                orders_usd=0.0,
                use_usd=0.0,
            )
            for month in range(12)
        ),
        checks=(
            Check(
                code="hardware_red",
                severity="red",
                subject=key_of("reward-model-train"),
                message="it needs 80 GB; L40S has 48 GB",
            ),
            Check(
                code="hardware_amber",
                severity="amber",
                subject=key_of("llama3-70b-pretrain"),
                message="80 GB H100: over-specified.",
            ),
            Check(
                code="hardware_amber",
                severity="amber",
                subject=key_of("mixtral-moe-pretrain"),
                message="80 GB H100: over-specified.",
            ),
            Check(
                code="spot_infeasible",
                severity="amber",
                subject=key_of("eval-harness-weekly"),
                message=joined(("Spot would lose ", percent(0.396, 1), " of its work.")),
            ),
            Check(
                code="transit_over_80_ms",
                severity="amber",
                subject=key_of("vllm-chat-eu"),
                message=joined((decimals(86.4), " ms one way to the top 80% of users.")),
            ),
        ),
        workload_usd=usd,
    )


PATHS = (
    PathCost(
        path="fall",
        delta=0.012,
        shorter_only_usd=9_120_000.0,
        advice_usd=8_640_500.4,
        longer_only_usd=8_655_000.0,
        regret_usd=3_100.0,
        best_usd=8_637_400.4,
    ),
    PathCost(
        path="cut",
        delta=None,
        shorter_only_usd=8_100_000.0,
        advice_usd=8_240_000.0,
        longer_only_usd=8_390_000.0,
        regret_usd=212_000.0,
        best_usd=8_028_000.0,
    ),
    PathCost(
        path="flat",
        delta=0.0,
        shorter_only_usd=10_400_000.0,
        advice_usd=9_310_000.0,
        longer_only_usd=9_310_000.2,
        regret_usd=0.0,
        best_usd=9_310_000.0,
    ),
    PathCost(
        path="rise",
        delta=None,
        shorter_only_usd=12_800_000.0,
        advice_usd=10_020_000.0,
        longer_only_usd=9_980_000.0,
        regret_usd=48_000.0,
        best_usd=9_972_000.0,
    ),
)
"""What signing short, as advised and long costs where prices go another way."""


def evaluation_of(project: Project, scenario: str, steps: int = 3) -> Evaluation:
    """The evaluation of the sample after 1, 2 or 3 steps."""
    made = next((one for one in _known if one.project is project and one.scenario == scenario), None)
    if made is None:
        made = _evaluation(project, scenario)
        _known.appendleft(made)
    if steps >= 3:
        return made
    return replace(made, outlook=None, advice=made.advice if steps == 2 else None)


_known: deque[Evaluation] = deque(maxlen=8)
"""The newest evaluations: a window asks for each in three steps, and most tests begin with the same one."""


def _evaluation(project: Project, scenario: str) -> Evaluation:
    audit = audit_sample(project)
    made = Evaluation(
        project=project, scenario=scenario, audit=audit, figures=evaluate_figures(project, scenario, audit)
    )
    if scenario == TODAY:
        return made
    made = replace(made, advice=advice_of(made.in_parts.project, made.figures))
    assert made.advice is not None
    plan = made.advice.totals.plan or 0.0
    year = 12 * plan
    band = Uncertainty(
        p10_usd_per_month=0.979 * plan,
        p50_usd_per_month=plan,
        p90_usd_per_month=1.039 * plan,
        regret_p50_usd_per_month=1_030.0,
        regret_p90_usd_per_month=4_120.0,
        year_p10_usd=0.96 * year,
        year_p90_usd=1.05 * year,
        coverage=None,
        coverage_folds=0,
        resamples=500,
        seed=0,
    )
    made = replace(
        made, outlook=Outlook(uncertainty=band, separation=Separation((8_240.0,), (0.0,)), price_paths=PATHS)
    )
    return made
