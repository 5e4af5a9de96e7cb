"""Projects in which the sheets of hardware, inference and placement have much to say."""

from dataclasses import replace
from decimal import Decimal

from gpuplanner.domain import edits
from gpuplanner.domain.evaluation import fit_project
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.places import MeasuredPoint, ServedModel, Traffic, WeekRates
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.system.resources import read_tables
from tests.domain.serving.small_places import city, site, world
from tests.files.workbook.evaluations import evaluated
from tests.oracle.crafted import daily
from tests.oracle.projects import Case


def crafted_fits():
    """Every light of every row somewhere: three clusters of other hardware, needs known, unknown and set."""
    hours = 48
    case = Case(hours, sigma=0.0, delta=0.0, **{"lambda": 0.0})
    case.workload("fast", "sft", "training", daily(hours, 2, 4), max_nodes=4, longest_job_s=36_000)
    case.workload("fast", "eval", "burst", daily(hours, 0, 1))
    case.workload("slow", "pretrain", "training", daily(hours, 2, 6), max_nodes=2, longest_job_s=72_000)
    case.workload("slow", "chat", "inference", daily(hours, 2, 4), max_nodes=1)
    case.workload("slow", "vllm-30b", "inference", daily(hours, 2, 4), max_nodes=1)
    case.workload("slow", "vllm-70b", "inference", daily(hours, 2, 4), max_nodes=1)
    case.workload("bare", "tune", "training", daily(hours, 1, 2), max_nodes=None)
    case.workload("none", "sweep", "burst", daily(hours, 1, 1))
    case.contract(
        "f", "fast", 8, 2.5, ends=5.0, interconnect="infiniband", bare_metal=True, gpu_memory_gb=141.0
    )
    case.contract(
        "s", "slow", 4, 2.5, ends=5.0, interconnect="ethernet", bare_metal=False, gpu_memory_gb=79.0
    )
    case.contract("b", "bare", 8, 2.5, term_months=12)
    case.offers_of("H100", 6.88, {12: 2.75})
    project = case.project
    sized = tuple(replace(one, max_milli_gpus=1000, sample_name=one.name) for one in project.workloads)
    project = replace(project, workloads=sized)
    keys = {workload.name: workload.key for workload in project.workloads}
    project = edits.needs.set_need(
        project, [keys["vllm-30b"]], "kv_cache_gb", 11.1
    )  # 71.1 of 79 GB: exactly 90%
    project = edits.needs.set_need(project, [keys["tune"]], "own_cluster", False)
    evaluation = evaluated(project, case.classifications)
    return replace(evaluation, fit=fit_project(project, evaluation.audit, read_tables()))


DENSE = ServedModel(name="dense", parameters=8_000_000_000, layers=32, kv_heads=8, head_dim=128)
MIXED = ServedModel(
    name="mixed",
    parameters=47_000_000_000,
    layers=32,
    kv_heads=8,
    head_dim=128,
    active_parameters=13_000_000_000,
    experts=8,
    experts_per_token=2,
    kv_values_per_layer=700,
)
WEEK = WeekRates(tuple(float(3 + 40 * (hour % 24 > 8)) * (hour != 5) for hour in range(168)), "week.csv")
HOUR_S = 1_767_225_600
REQUESTS = Traffic(
    start_s=HOUR_S + 1800,
    end_s=HOUR_S + 7200,
    hours=((HOUR_S, 900_000, 30_000), (HOUR_S + 3600, 2_000_000, 90_000)),
    source="requests.csv",
    requests=((600, 40, 4000), (1500, 90, 9000)),
)
OWN = MeasuredPoint(
    model="dense",
    gpu_model="A100",
    tensor_parallel=1,
    precision="BF16",
    concurrency=64,
    input_tokens=1000,
    output_tokens=250,
    tokens_per_s=2_345.0,
    source="own.json",
)
STATED = {"serving_api_usd_in": 0.5, "serving_api_usd_out": 2.0}


def crafted_endpoints(sized=True):
    """Two endpoints: a week of rates with assumed tokens, and a list of requests; one more without a model."""
    hours = 48
    case = Case(hours, sigma=0.0, delta=0.0, **{"lambda": 0.0})
    for name in ("chat", "code", "embed"):
        case.workload("atlas", name, "inference", daily(hours, 2, 4))
    case.contract("a", "atlas", 8, 2.5, ends=5.0)
    case.offers_of("H100", 6.88, {12: 2.75})
    case.offers_of("A100", 2.9, {})
    project = case.project
    keys = {workload.name: workload.key for workload in project.workloads}
    cheap = Offer(
        offer_id="small-h100",
        gpu_model="H100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=Decimal("0.5"),
        gpu_memory_gb=40.0,
    )
    project = replace(project, offers=tuple(sorted((*project.offers, cheap), key=lambda one: one.offer_id)))
    if sized:
        project = edits.endpoints.set_served_model(project, keys["chat"], DENSE)
        project = edits.endpoints.set_week(project, keys["chat"], WEEK)
        project = edits.endpoints.set_traffic(project, keys["code"], REQUESTS)
        project = edits.endpoints.set_served_model(project, keys["code"], MIXED)
        project = edits.endpoints.set_sized_row(project, keys["code"], "A100", "INT8", 2)
        project = edits.endpoints.set_week(project, keys["embed"], WEEK)
        project = edits.endpoints.set_measured(project, keys["chat"], (OWN,))
        for name, value in STATED.items():
            project = edits.plans.set_assumption(project, None, name, value)
    return evaluated(project, case.classifications)


CITIES = (
    city("Berlin", 500, "DE", 52.5, 13.4),
    city("Delhi", "300.5", "IN", 28.6, 77.2),
    city("New York", 300, "US", 40.7, -74.0),
    city("Apia", 40, "WS", -13.8, -171.8),
    city("Suva", 30, "FJ", -18.1, 178.4),
    city("=1+1", 0, "US", 0.0, 0.0),
)
SITES = (
    site("eu", "DE", 50.1, 8.7, 2500, is_current=True),
    site("in", "IN", 19.1, 72.9, None),
    site("us", "US", 39.0, -77.5, "1000.25", is_current=True),
)
PLACES = world(
    CITIES, SITES, [("New York", "us", "110.5"), ("Delhi", "us", 60)], [("WS", ["US"]), ("FJ", [])]
)


def placed_with(places, **assumptions):
    case = Case(48, sigma=0.0, delta=0.0, **{"lambda": 0.0})
    case.workload("c", "chat", "inference", daily(48, 1, 2))
    case.contract("k", "c", 2, 2.5, ends=5.0)
    case.offers_of("H100", 6.88, {12: 2.75})
    project = replace(case.project, places=places)
    project = replace(project, assumptions=replace(project.assumptions, **assumptions))
    return evaluated(project, case.classifications)
