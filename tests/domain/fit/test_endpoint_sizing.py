"""$ of sized inference: the cheapest offer that fits, never spot, unknown where nobody offers it."""

import re
from dataclasses import replace
from decimal import Decimal
from math import ceil, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.fit.api_offers import api_offer
from gpuplanner.domain.fit.best_rows import best_row, nearest_row, runner_up
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.serving_costs import ServingCost, cost_rows, terms_of_offers
from gpuplanner.domain.fit.shorter_ways import shorter_ways
from gpuplanner.domain.fit.sized_endpoints import size_choice
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.places import (
    NO_PLACES,
    MeasuredTransit,
    ServedModel,
    ServingChoice,
    Site,
    UserCity,
    WeekRates,
    places_of,
)
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.serving.load import Load, LoadHour, load_of_week
from gpuplanner.domain.serving.placement import placement_of
from gpuplanner.domain.serving.replicas import ServingTargets, ServingTerms
from gpuplanner.domain.serving.serving_gpus import ServingGpu
from gpuplanner.domain.serving.sizing import SizedRow, size_rows
from gpuplanner.files.system.resources import read_calibration, read_serving_tables

HOSTED = Load(
    hours=(LoadHour(0, 20.0), LoadHour(1, 10.0)),
    requests_per_month=48_470_957,
    context_tokens=1000.0,
    generated_tokens=250.0,
    longest_tokens=1250.0,
    are_tokens_known=True,
)
ROW = SizedRow(
    gpu_model="H100",
    precision="BF16",
    tensor_parallel=4,
    fits=True,
    weights_gb=140.0,
    memory_gb=150.0,
    usable_gb=288.0,
    gpu_memory_gb=80.0,
    replicas_asked=1.6,
)
PRICED = Assumptions(serving_api_usd_in=0.5, serving_api_usd_out=2.0)
SPARE = st.one_of(st.none(), st.integers(0, 3))


def test_an_api_is_paid_by_the_token() -> None:
    """1,000 tokens at 0.50 and 250 at 2.00 a million: $0.001 a request; 4 H100 at 2.50: $7,300."""
    found = api_offer(HOSTED, ROW, PRICED, 2.5, None)
    assert found is not None and isclose(found.usd_per_month, 48_470.957)
    assert isclose(
        found.break_even_requests_per_month, 7_300_000
    )  # 30,294,348 a replica: the next ones pay at once
    assert isclose(found.break_even_requests_per_s, 20 * 7_300_000 / 48_470_957)
    assert api_offer(HOSTED, ROW, Assumptions(), 2.5, None) is None
    unpriced = api_offer(HOSTED, ROW, PRICED, None, None)
    assert unpriced is not None and unpriced.break_even_requests_per_month is None


@pytest.mark.parametrize(("rate", "spare"), [(11.0, 0), (1e4, None)])
def test_an_api_that_costs_less_at_any_traffic_has_no_break_even(rate, spare) -> None:
    found = api_offer(HOSTED, ROW, PRICED, rate, spare)
    assert found is not None and found.break_even_requests_per_month is None


@given(st.floats(0.01, 20), SPARE, st.floats(0.1, 50), st.floats(1, 20))
def test_hosting_costs_no_more_from_the_break_even_on(rate, spare, asked, times) -> None:
    found = api_offer(HOSTED, replace(ROW, replicas_asked=asked), PRICED, rate, spare)
    if found.break_even_requests_per_month is None:
        return
    requests = found.break_even_requests_per_month * times
    replicas = max(1, ceil(requests / HOSTED.requests_per_month * asked * (1 - 1e-9)))
    beside = int(replicas > 1) if spare is None else spare
    assert (replicas + beside) * 4 * rate * 730 <= requests * 0.001 * (1 + 1e-6)


def test_a_shorter_way_is_worth_what_the_planner_states() -> None:
    """1% of completions for 100 ms, $0.02 each, 48,470,957 requests: 76.9 ms saved are $7,455."""
    places = places_of(
        (UserCity(city="Here", country="US", latitude=0.0, longitude=0.0, users=Decimal(1)),),
        (
            Site(site_id="near", city="A", country="US", latitude=0.0, longitude=0.0),
            Site(site_id="far", city="B", country="US", latitude=0.0, longitude=0.0, is_current=True),
        ),
        (MeasuredTransit("Here", "far", Decimal("87.9")), MeasuredTransit("Here", "near", Decimal("49.45"))),
    )
    stated = Assumptions(serving_usd_per_request=0.02, serving_completions_per_100_ms=0.01)
    found = next(one for one in shorter_ways(placement_of(places), HOSTED, stated) if one.sites == ("near",))
    assert isclose(found.ms_saved, 76.9) and round(found.usd_per_month) == 7455
    assert shorter_ways(placement_of(places), HOSTED, Assumptions()) == ()


STANDARD, COMMITTED, SPOT = PricingCategory.STANDARD, PricingCategory.COMMITTED, PricingCategory.DYNAMIC
SMALL = ServedModel(name="small", parameters=8_000_000_000, layers=32, kv_heads=8, head_dim=128, hidden=4096)
CALIBRATION, TABLES = read_calibration(), read_serving_tables()
LOAD = load_of_week(WeekRates((5.0, 50.0) * 84), 1000, 250)
GPUS = (
    ServingGpu(
        name="B300", memory_gb=288, bandwidth_tb_per_s=8.0, tflops=None, chip=CALIBRATION.chips["b300"]
    ),
    ServingGpu(
        name="H100", memory_gb=80, bandwidth_tb_per_s=3.35, tflops=990, chip=CALIBRATION.chips["h100"]
    ),
    ServingGpu(
        name="L40S", memory_gb=48, bandwidth_tb_per_s=0.864, tflops=362, chip=CALIBRATION.chips["l40s"]
    ),
)


def offer(name: str, model: str, category: PricingCategory, rate: str | None, **more: object) -> Offer:
    decimal = None if rate is None else Decimal(rate)
    return Offer(
        offer_id=name,
        gpu_model=model,
        pricing_category=category,
        term_months=0 if category is not COMMITTED else 12,
        rate_usd_per_gpu_hour=decimal,
        **more,
    )  # type: ignore[arg-type]


OFFERS = (
    offer("committed", "h100", COMMITTED, "2.50"),
    offer("hourly", "H100", STANDARD, "6.88"),
    offer("quote", "H100", COMMITTED, None),
    offer("small-card", "H100", STANDARD, "0.10", gpu_memory_gb=40.0),
    offer("spot", "H100", SPOT, "1.00"),
)


def costs_of(
    offers: tuple[Offer, ...], term_months: int = 0, terms: ServingTerms | None = None
) -> dict[tuple[str, str, int], object]:
    assert LOAD is not None
    rows = size_rows(SMALL, LOAD, GPUS, terms or ServingTerms(), CALIBRATION)
    costs = cost_rows(rows, LOAD, offers, term_months)
    return {cost.row.row_id: cost for cost in costs}


def test_flat_at_the_cheapest_offer_of_the_term_and_autoscaled_on_demand() -> None:
    hourly = costs_of(OFFERS)["H100", "BF16", 1]
    assert (hourly.offer.offer_id, hourly.rate, hourly.upfront) == ("hourly", 6.88, 0)
    assert costs_of(OFFERS, 36)["H100", "BF16", 1].offer is None  # nobody offers it for so long
    assert terms_of_offers(OFFERS) == (0, 12)
    cost = costs_of(OFFERS, 12)["H100", "BF16", 1]
    assert cost.offer.offer_id == "committed" and cost.on_demand.offer_id == "hourly"
    flat, scaled = cost.gpu_hours_per_month_flat, cost.row.gpu_hours_per_month_autoscaled
    assert isinstance(cost.gpus_peak, int) and cost.gpus_peak == cost.row.replicas_peak > 0
    assert flat == cost.gpus_peak * 730
    assert isclose(cost.cost_per_month, flat * 2.5)
    assert isclose(cost.needed_per_month, scaled * 2.5)
    assert isclose(cost.autoscaled_per_month, scaled * 6.88)
    assert isclose(cost.peak_provisioning_per_month, (flat - scaled) * 2.5)
    tokens = 27.5 * 730 * 3600 * 1250
    assert isclose(cost.cost_per_million_tokens, flat * 2.5 / tokens * 1e6)


@pytest.mark.parametrize(
    ("term", "offers", "cheaper"), [(0, 2, "committed"), (12, 2, None), (0, 1, None), (0, 0, None)]
)
def test_a_term_that_costs_less_is_named(term: int, offers: int, cheaper: str | None) -> None:
    """$6.88 by the hour, $2.50 for 12 months; without prices nothing is cheaper."""
    week = load_of_week(WeekRates((40.0,) * 168), 1000, 250)
    assert week is not None
    choice = ServingChoice(model=SMALL, term_months=term)
    of_h100 = [one for one in OFFERS if one.offer_id in ("hourly", "committed")[:offers]]
    sized = size_choice("", choice, week, Assumptions(), NO_PLACES, of_h100, TABLES)
    found = sized.cheaper
    assert (found and found.offer and found.offer.offer_id) == cheaper
    assert found is None or found.cost_per_month == found.gpus_peak * 730 * 2.5 < sized.best.cost_per_month


def test_a_prepaid_offer_is_ranked_and_costed_with_its_upfront_payment() -> None:
    """$1.00 with $26,280 upfront over 8,760 h is $4.00: $2.50 without one is cheaper; with $8,760 it is $2.00."""
    dear = offer("prepaid", "H100", COMMITTED, "1.00", upfront_usd=Decimal(26_280))
    assert costs_of((*OFFERS, dear), 12)["H100", "BF16", 1].offer.offer_id == "committed"
    cost = costs_of((*OFFERS, replace(dear, upfront_usd=Decimal(8_760))), 12)["H100", "BF16", 1]
    assert (cost.offer.offer_id, cost.rate) == ("prepaid", 2.0)
    assert isclose(cost.cost_per_month, cost.gpus_peak * 730 * 2.0)
    assert cost.upfront == cost.gpus_peak * 8_760


def test_what_nobody_offers_or_fits_is_unknown() -> None:
    costs = costs_of(OFFERS)
    for row_id in (("L40S", "BF16", 1), ("B300", "FP8", 1)):
        cost = costs[row_id]
        assert cost.row.fits and cost.row.replicas_peak
        assert cost.cost_per_month is None and cost.cost_per_million_tokens is None
        assert cost.peak_provisioning_per_month is None


def test_the_best_row_is_the_widest_precision_at_least_cost() -> None:
    both = (*OFFERS, offer("b300", "B300", STANDARD, "0.01"))
    best = best_row(costs_of(both).values())
    assert best is not None
    assert best.row.gpu_model == "H100"  # what is not known in BF16 is not chosen in it
    assert best.row.precision == "BF16"  # INT4 would be cheaper, and is another model
    assert best.cost_per_month == min(
        cost.cost_per_month for key, cost in costs_of(OFFERS).items() if key[:2] == ("H100", "BF16")
    )
    assert best_row(costs_of(()).values()) is None
    second = runner_up(costs_of(both).values())
    assert second is not None and second.cost.row.precision == "BF16"
    more = second.cost.cost_per_month - best.cost_per_month
    assert more > 0 and str(second.why).startswith(f"${more:,.0f} more per month: ")


@pytest.mark.parametrize("weights", ["FP8", "INT8", "INT4"])
def test_the_advice_is_in_the_precision_that_a_model_is_published_in(weights: str) -> None:
    week = load_of_week(WeekRates((40.0,) * 168), 1000, 250)
    assert week is not None
    for offers in (OFFERS, ()):  # with prices and without
        choice = ServingChoice(model=replace(SMALL, weights=weights))
        sized = size_choice("", choice, week, Assumptions(), NO_PLACES, offers, TABLES)
        assert sized.drawn is not None and sized.drawn.row.precision == weights
        assert (sized.best is None) is (offers == ())


def test_the_advice_keeps_the_targets_and_the_nearest_is_named_where_none_does() -> None:
    two = (*OFFERS, offer("b300", "B300", STANDARD, "9.00"))
    best = best_row(costs_of(two, terms=ServingTerms(targets=ServingTargets(tpot_p95_ms=12))).values())
    assert best is not None and best.row.meets_target and (best.row.tpot_p95_ms or 99) <= 12
    never = costs_of(two, terms=ServingTerms(targets=ServingTargets(tpot_p95_ms=0.1))).values()
    assert best_row(never) is None and runner_up(never) is None
    nearest = nearest_row(never)
    assert nearest is not None and re.findall(r"[\d.]+ ms", str(nearest.why)) == [
        "2.393 ms",
        "2.293 ms",
        "0.1 ms",
    ]
    assert nearest.cost.row.missed_by == min(cost.row.missed_by for cost in never if cost.row.missed_by)
    assert nearest_row(costs_of(two).values()) is None
    week = load_of_week(WeekRates((40.0,) * 168), 1000, 250)
    assert week is not None

    def drawn_at(ms: float) -> ServingCost:
        assumed = Assumptions(serving_tpot_p95_ms=ms)
        sizing = size_choice("", ServingChoice(model=SMALL), week, assumed, NO_PLACES, (), TABLES)
        assert sizing.best is None and sizing.drawn is not None
        return sizing.drawn

    assert drawn_at(0.1).row.missed_by == nearest.cost.row.missed_by  # what is said below is of the nearest
    assert drawn_at(12).row.meets_target  # nobody offers any: of those that keep the target


def test_what_is_sized_can_be_planned_by_day_and_busy_hours() -> None:
    """From 8 to 20 h the peak asks for more, by night for least; what is held is never less than an hour asks for."""
    rates = tuple(60.0 if 8 <= hour % 24 < 20 else 2.0 for hour in range(168))
    load = load_of_week(WeekRates(rates), 1000, 250)
    assert load is not None
    sizing = size_choice("", ServingChoice(model=SMALL), load, Assumptions(), NO_PLACES, OFFERS, TABLES)
    drawn = sizing.row("H100", "BF16", 1)
    assert drawn is not None
    day, busy = sizing.planned(drawn, "chat", "atlas", "ann")
    assert (day.name, busy.name, day.key) == ("chat", "chat, busy hours", "atlas/ann/chat")
    assert day.gpus + busy.gpus == drawn.gpus_peak and busy.hours == tuple(
        h for h in range(168) if 8 <= h % 24 < 20
    )
    need = sizing.replicas_by_hour(drawn)
    for hour, count in enumerate(need or ()):
        assert day.gpus + busy.gpus * (hour in busy.hours) >= count
    flat = load_of_week(WeekRates((5.0,) * 168), 1000, 250)
    (only,) = size_choice("", sizing.choice, flat, Assumptions(), NO_PLACES, OFFERS, TABLES).planned(
        drawn, "chat"
    )
    assert only.hours == tuple(range(168))


def unpriced(model: str, gpus: int, missed_by: float | None) -> ServingCost:
    row = SizedRow(gpu_model=model, precision="BF16", tensor_parallel=1, fits=True, missed_by=missed_by)
    return ServingCost(
        row=row,
        offer=None,
        on_demand=None,
        inputs={},
        gpus_peak=gpus,
        gpu_hours_per_month_flat=None,
        peak_provisioning_gpu_hours=None,
        cost_per_month=None,
        needed_per_month=None,
        autoscaled_per_month=None,
        peak_provisioning_per_month=None,
        cost_per_million_tokens=None,
    )


@pytest.mark.parametrize(("kept", "other"), [(None, 0.9), (0.9, None), (0.9, 0.2)])
def test_of_rows_that_miss_no_target_the_one_with_fewest_gpus_is_drawn(
    kept: float | None, other: float | None
) -> None:
    """A row without a target counts like a row that keeps its target, by whatever margin."""
    few, many = unpriced("H100", 2, kept), unpriced("A100", 8, other)
    missing = unpriced("L4", 1, 1.1)
    week = load_of_week(WeekRates((40.0,) * 168), 1000, 250)
    assert week is not None
    sizing = EndpointSizing(
        key="", choice=ServingChoice(), load=week, terms=ServingTerms(), costs=(missing, many, few), best=None
    )
    assert sizing.drawn is few
