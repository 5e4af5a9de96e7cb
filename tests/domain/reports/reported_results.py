"""What reports are about where no project is needed: an endpoint that is sized, a training run, an award."""

from dataclasses import replace
from decimal import Decimal
from functools import cache
from math import inf

from gpuplanner.domain.award.award import Award, award_of
from gpuplanner.domain.fit.best_rows import best_row
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.serving_costs import ServingCost, cost_rows
from gpuplanner.domain.fit.shorter_ways import ShorterWay
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.places import ServedModel, ServingChoice
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.trained import Layout, TrainedModel
from gpuplanner.domain.serving.load import Load, LoadHour
from gpuplanner.domain.serving.ratios import SpeedRatio
from gpuplanner.domain.serving.sizing import ServingTerms, SizedRow
from gpuplanner.domain.training.choices import Choice
from gpuplanner.domain.training.memory import Fit, Memory
from gpuplanner.domain.training.run import Availability, Checkpoint, Chip, Finish, Run, Step
from tests.domain.award.conftest import CONDITIONS, quote, row
from tests.domain.serving.test_regions import PLACES

# --- Serving: 20 requests a second at the peak, 5 in half an hour; 4 replicas of 2 H100 and one spare at $2.50

LOAD = Load(
    hours=(LoadHour(0, 20.0), LoadHour(30, 5.0, 1800.0)),
    requests_per_month=1_000_000,
    context_tokens=1000.0,
    generated_tokens=250.0,
    longest_tokens=1250.0,
    are_tokens_known=True,
    source="a.csv",
)
MODEL = ServedModel(name="Llama", parameters=8_000_000_000, layers=32, kv_heads=8, head_dim=128)
H100 = SizedRow(
    gpu_model="H100",
    precision="BF16",
    tensor_parallel=2,
    fits=True,
    weights_gb=16.0,
    memory_gb=40.0,
    usable_gb=144.0,
    gpu_memory_gb=80.0,
    concurrency=30,
    requests_per_s=5.0,
    decode_tokens_per_s=900.0,
    replicas_peak=5,
    gpu_hours_per_month_autoscaled=4380.0,
    busy_at_peak=0.8,
    way_ms=10.0,
    wait_ms=20.0,
    prefill_ms=30.0,
    ttft_ms=60.0,
    way_share=0.25,
    ttft_p50_ms=50.0,
    ttft_p95_ms=90.0,
    tpot_ms=12.0,
    tpot_p95_ms=15.0,
    meets_target=True,
    missed_by=0.8,
    low=0.9,
    high=1.1,
    replicas_asked=4.4,
    replicas_spare=1,
)
A100 = replace(
    H100,
    gpu_model="A100",
    tensor_parallel=4,
    ttft_ms=None,
    meets_target=False,
    missed_by=1.5,
    is_unstable=True,
    replicas_peak=6,
    gpu_hours_per_month_autoscaled=11680.0,
    requests_per_s=4.0,
    low=None,
    high=None,
)
L40S = SizedRow(
    gpu_model="L40S", precision="FP8", tensor_parallel=1, fits=False, memory_gb=40.0, why="too small"
)
B300 = SizedRow(gpu_model="B300", precision="FP4", tensor_parallel=8, fits=None, why="unknown")
SOLD = (
    Offer(
        offer_id="h",
        gpu_model="H100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=Decimal("2.50"),
        lead_time_hours=48.0,
    ),
    Offer(
        offer_id="hy",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        rate_usd_per_gpu_hour=Decimal(2),
        upfront_usd=Decimal(876),
    ),
    Offer(
        offer_id="a",
        gpu_model="A100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=Decimal(1),
    ),
)


@cache
def sizing(term_months: int = 0, gpu_model: str = "", *, is_priced: bool = True) -> EndpointSizing:
    """An endpoint on all four rows. gpu_model: the row that the planner chose; else that of least cost is drawn."""
    costs = cost_rows((H100, A100, L40S, B300), LOAD, SOLD if is_priced else (), term_months)
    ratios = (
        SpeedRatio(
            gpu_model="A100",
            against="H100",
            precision="BF16",
            tpot_ms=50.0,
            ratio=0.5,
            low=0.4,
            high=0.625,
            source="measured",
            gpus=8.0,
            rate=1.0,
        ),
        SpeedRatio(
            gpu_model="L40S",
            against="H100",
            precision="BF16",
            tpot_ms=50.0,
            ratio=0.25,
            low=0.2,
            high=0.3,
            source="formula",
        ),
    )
    chosen = {"gpu_model": gpu_model, "precision": "BF16", "tensor_parallel": 4} if gpu_model else {}
    return EndpointSizing(
        key="atlas/team/chat",
        choice=ServingChoice(model=MODEL, **chosen),  # type: ignore[arg-type]
        load=LOAD,
        terms=ServingTerms(headroom=1.0, spare=1),
        costs=tuple(costs),
        best=best_row(costs),
        offered_terms=(0, 12),
        places=PLACES,
        assumptions=Assumptions(serving_api_usd_in=0.5, serving_api_usd_out=2.0),
        ratios=ratios,
        shorter_ways=(ShorterWay(("west", "east"), 7.5, 1234.0),),
    )


def cost(gpu_model: str, term_months: int = 0) -> ServingCost:
    """The row of a GPU model with its $."""
    return next(item for item in sizing(term_months).costs if item.row.gpu_model == gpu_model)


# --- Training: 100 h on 16 H100 of two nodes, and a run that does not fit

CHIP = Chip(
    name="H100",
    memory_gb=80.0,
    tflops={"BF16": 990.0, "FP8": 1980.0},
    nic_gbps=400.0,
    port_gbps=400.0,
    node_ports=8,
    bandwidth_tb_per_s=3.3,
    link_gb_per_s=900.0,
    source="sheet",
)
RUN = Run(
    model=TrainedModel(name="Small", parameters=8e9, active=8e9, layers=32, hidden=4096),
    chip=CHIP,
    gpus=16,
    layout=Layout(tp=2, pp=2),
    batch=512.0,
    sequence=4096,
)
FINISH = Finish(
    step=Step(
        step_s=8.0,
        compute_s=6.0,
        network_s=3.0,
        tokens_per_s_per_gpu=1000.0,
        mfu=0.4,
        low=900.0,
        high=1100.0,
        hidden_from=2048.0,
        note="borrowed",
    ),
    hours=100.0,
    hours_low=80.0,
    hours_high=125.0,
    checkpoint=Checkpoint(112.0, 11.2),
    availability=Availability(0.95, 1.5),
    whole_hours=125.0,
    whole_low=90.0,
    whole_high=175.0,
)
MEMORY = Memory(40.0, 10.0, 5.0, 2.0)
FITTING = Choice(
    fit=Fit(RUN, MEMORY, Light.GREEN),
    finish=FINISH,
    offer=SOLD[0],
    usd=4000.0,
    usd_low=3200.0,
    usd_high=5000.0,
    kwh=1500.0,
    meets_deadline=True,
)
ENDLESS = replace(
    FITTING,
    fit=Fit(replace(RUN, layout=Layout()), replace(MEMORY, state=90.0), Light.RED),
    offer=None,
    usd=None,
    usd_low=None,
    usd_high=None,
    kwh=None,
    meets_deadline=None,
    finish=replace(FINISH, hours=inf, whole_hours=inf),
    why="too large",
    remedy=Fit(replace(RUN, gpus=32), MEMORY, Light.AMBER, "more GPUs"),
)
UNKNOWN = replace(ENDLESS, finish=None, remedy=None)


# --- An award: R1 is served in part, R2 by another vendor at a rate off the market, R3 by nobody


@cache
def award() -> Award:
    """Three rows, five quotes: one for too short a term, one that its vendor remarked on."""
    rows = (row("R1", 16), row("R2", 8, term_months=24), row("R3", 8, gpu_model="A100"))
    offers = (
        quote("q1", 2.5, max_gpus=8),
        quote("q2", 2.0, 24, upfront_usd=1000),
        quote("q3", 2.75),
        quote("q4", 2.0, 3),
        quote("q5", 2.25, source="remark: subject to credit"),
    )
    result = award_of(rows, offers, CONDITIONS)
    assert result is not None
    return result
