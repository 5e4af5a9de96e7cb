"""An endpoint of stated load and rows: its offers, its prices and its sites."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from gpuplanner.domain.fit.best_rows import best_row
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.serving_costs import ServingCost
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.places import ServingChoice
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.serving.load import Load, LoadHour
from gpuplanner.domain.serving.replicas import ServingTerms
from gpuplanner.domain.serving.sizing import SizedRow
from tests.domain.serving.small_places import city, site, world

HOURS = (LoadHour(0, 20.0), LoadHour(1, 10.0))
LOAD = Load(
    hours=HOURS,
    requests_per_month=1_000_000.0,
    context_tokens=1000.0,
    generated_tokens=250.0,
    longest_tokens=1250.0,
    are_tokens_known=True,
)
ROW = SizedRow(
    gpu_model="H100",
    precision="BF16",
    tensor_parallel=2,
    fits=True,
    replicas_asked=2.0,
    requests_per_s=1.0,
    replicas_peak=3,
)
PRICED = Assumptions(serving_api_usd_in=0.5, serving_api_usd_out=2.0)
"""A request of LOAD costs 1,000 x 0.5 + 250 x 2 millionths: $0.001."""
NEAR_AND_FAR = world(
    [city("Here", 1)],
    [site("far", usd=500, is_current=True), site("near"), site("alike")],
    [("Here", "far", 40), ("Here", "near", 15), ("Here", "alike", 40)],
)
MONTHLY, HOURLY = PricingCategory.COMMITTED, PricingCategory.STANDARD
FREE = dict.fromkeys(
    (
        "gpu_hours_per_month_flat",
        "peak_provisioning_gpu_hours",
        "needed_per_month",
        "autoscaled_per_month",
        "peak_provisioning_per_month",
        "cost_per_million_tokens",
    )
)


def offer(name: str, rate: str | None, term: int = 0, model: str = "H100", **facts: Any) -> Offer:
    category = MONTHLY if term else HOURLY
    return Offer(
        offer_id=name,
        gpu_model=model,
        pricing_category=category,
        term_months=term,
        rate_usd_per_gpu_hour=None if rate is None else Decimal(rate),
        **facts,
    )


def sizing(*rows: ServingCost, **facts: Any) -> EndpointSizing:
    known = {"choice": ServingChoice(), "load": LOAD, "terms": ServingTerms()} | facts
    return EndpointSizing(key="k", costs=rows, best=best_row(rows), **known)


def unpriced(model: str, gpus: int | None, missed: float | None = None, **facts: Any) -> ServingCost:
    result = cost(model, "BF16", None, 0, missed_by=missed, **facts)
    return replace(result, gpus_peak=gpus)


def cost(model: str, precision: str, usd: float | None, gpus: int = 8, **facts: Any) -> ServingCost:
    row = SizedRow(gpu_model=model, precision=precision, tensor_parallel=4, fits=True, **facts)
    return ServingCost(
        row=row, offer=None, on_demand=None, inputs={"rate": 2.5}, gpus_peak=gpus, cost_per_month=usd, **FREE
    )


A, B = cost("H100", "BF16", 100.0), cost("A100", "BF16", 120.0)
