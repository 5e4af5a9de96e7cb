"""Provisioned throughput beside hosting: units that hold the peak, and their break-even."""

from dataclasses import replace
from decimal import Decimal
from math import ceil

import pytest

from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.rules import Need, eligible_offers
from gpuplanner.domain.fit.sized_endpoints import size_choice
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.places import NO_PLACES, ServedModel, ServingChoice
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.files.system.resources import read_serving_tables
from tests.domain.fit.stated_endpoint import LOAD, PRICED

MODEL = ServedModel(name="Llama 3.1 70B", parameters=70_000_000_000, layers=80, kv_heads=8, head_dim=128)
UNITS = Offer(
    offer_id="ptu",
    gpu_model="llama-3.1-70b",
    pricing_category=PricingCategory.STANDARD,
    term_months=0,
    rate_usd_per_gpu_hour=Decimal(2),
    min_gpus=15,
    tokens_per_minute_per_unit=60_000.0,
)


def by_unit(*offers: Offer, assumptions: Assumptions = PRICED) -> EndpointSizing:
    return size_choice(
        "", ServingChoice(model=MODEL), LOAD, assumptions, NO_PLACES, offers, read_serving_tables()
    )


def test_units_hold_the_peak_beside_the_api() -> None:
    """20 requests of 1,250 tokens a second are 1,500,000 tokens a minute: 25 units of 60,000, 25 x 730 x $2.

    One serves 40,000 requests, $40 of the API, and costs $1,460 a month: the API costs less at any traffic. At $0.05 it
    costs $36.50: the last step that costs more is the 11th, $401.50; but 15 are sold, $547.50.
    """
    (units,) = by_unit(UNITS).provisioned
    assert (units.row.replicas_peak, units.gpus_peak, units.gpu_hours_per_month_flat) == (25, None, None)
    assert units.cost_per_month == pytest.approx(25 * 730 * 2)
    assert units.cost_per_million_tokens == pytest.approx(36_500 / 1250)
    assert units.api_from is None and units.hosting_from is None
    low = replace(UNITS, rate_usd_per_gpu_hour=Decimal("0.05"))
    assert by_unit(low).provisioned[0].api_from == pytest.approx(547_500)
    assert by_unit(replace(low, min_gpus=None)).provisioned[0].api_from == pytest.approx(401_500)
    unpriced = by_unit(low, assumptions=Assumptions()).provisioned[0]
    assert unpriced.api_from is None and unpriced.cost_per_month == pytest.approx(25 * 36.5)
    fewest = replace(UNITS, min_gpus=40)
    assert by_unit(fewest).provisioned[0].row.replicas_peak == 40


def test_units_are_of_the_model_that_is_sized_and_no_gpus() -> None:
    other = replace(UNITS, offer_id="other", gpu_model="gpt-4o")
    found = by_unit(UNITS, other)
    assert [cost.offer.offer_id for cost in found.provisioned if cost.offer] == ["ptu"]
    assert {"llama-3.1-70b", "gpt-4o", "ptu"}.isdisjoint(cost.row.gpu_model for cost in found.costs)
    assert found.every == (*found.costs, *found.provisioned) and found.best is None
    assert eligible_offers([UNITS], Need(Pool.INFERENCE, "llama-3.1-70b")) == ()
    assert eligible_offers([UNITS], Need(Pool.INFERENCE, None)) == ()


@pytest.mark.parametrize(
    ("unit_usd", "least", "gpu_usd"), [(0.06, 1, 0.4), (0.2, 1, 0.3), (2.0, 15, 2.5), (1.0, 40, 0.3)]
)
def test_hosting_costs_no_more_from_its_break_even_on(unit_usd: float, least: int, gpu_usd: float) -> None:
    """At 4,000 amounts of traffic what is held of each is counted: beyond the break-even hosting never costs more, and
    just below it does."""
    gpus = Offer(
        offer_id="od",
        gpu_model="H100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=Decimal(str(gpu_usd)),
    )
    found = by_unit(gpus, replace(UNITS, rate_usd_per_gpu_hour=Decimal(str(unit_usd)), min_gpus=least))
    (units,), best = found.provisioned, found.best
    assert best is not None and best.row.replicas_asked and units.row.replicas_asked
    each = LOAD.requests_per_month / best.row.replicas_asked

    def usd(requests: float) -> tuple[float, float]:
        count = ceil(requests / each * (1 - 1e-9))
        held = (count + (count > 1)) * best.row.tensor_parallel * gpu_usd * 730  # type: ignore[union-attr]
        unit = LOAD.requests_per_month / units.row.replicas_asked  # type: ignore[operator]
        return held, max(ceil(requests / unit * (1 - 1e-9)), least) * unit_usd * 730

    traffic = [each * step / 100 for step in range(1, 4001)]
    more = [requests for requests in traffic if usd(requests)[0] > usd(requests)[1] + 1e-6]
    if units.hosting_from is None:
        assert more and max(more) > 0.9 * traffic[-1]
    else:
        assert max(more, default=0.0) <= units.hosting_from * (1 + 1e-9)
        if units.hosting_from:
            held, bought = usd(units.hosting_from * (1 - 1e-7))
            assert held > bought
