"""One endpoint by hand: the row that is drawn, its work in a plan, its break-even, and what sizes it in a project."""

from dataclasses import replace
from decimal import Decimal
from math import ceil, isclose
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.fit import endpoint_sizing
from gpuplanner.domain.fit.endpoint_sizing import (
    EndpointSizing,
    ServingCost,
    api_offer,
    best_row,
    cost_rows,
    runner_up,
    shorter_ways,
    size_choice,
    size_endpoint,
    terms_of_offers,
    way_of,
)
from gpuplanner.domain.fit.needs import load_of_endpoint
from gpuplanner.domain.fit.rules import Need, eligible_offers
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.places import (
    NO_PLACES,
    MeasuredPoint,
    ServedModel,
    ServingChoice,
    Traffic,
    WeekRates,
)
from gpuplanner.domain.model.plan_inputs import ALWAYS
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.serving.load import Load, LoadHour
from gpuplanner.domain.serving.placement import current_placement, placement_of
from gpuplanner.domain.serving.replicas import ServingTerms
from gpuplanner.domain.serving.sizing import SizedRow
from gpuplanner.files.system.resources import read_serving_tables
from tests.domain.fit.test_answers_by_hand import cost
from tests.domain.serving.places_by_hand import city, site, world

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


# --- An API in place of hosting


def test_an_api_needs_both_prices_and_the_traffic_of_a_replica() -> None:
    """500,000 requests a replica are $500; at $0.25 two GPUs of a replica cost 2 x 730 x 0.25 = $365.

    With none spare one replica pays from 365,000 requests on (beside = 0: 500 / 135 = 3.7, three steps: 1,095,000).
    """
    result = api_offer(LOAD, ROW, PRICED, 0.25, 0)
    assert result is not None
    assert (result.usd_per_million_in, result.usd_per_million_out) == (0.5, 2.0)
    assert isclose(result.usd_per_month, 1000.0)
    assert isclose(result.break_even_requests_per_month or 0, 1_095_000)
    assert isclose(result.break_even_requests_per_s or 0, 20 * 1.095)
    for name in ("serving_api_usd_in", "serving_api_usd_out"):
        assert api_offer(LOAD, ROW, replace(PRICED, **{name: None}), 0.25, 0) is None
    free = replace(PRICED, serving_api_usd_in=0.0)
    assert isclose(api_offer(LOAD, ROW, free, 0.25, 0).usd_per_month, 500.0)  # type: ignore[union-attr]
    for load, row, rate in (
        (replace(LOAD, requests_per_month=0.0), ROW, 0.25),
        (LOAD, replace(ROW, replicas_asked=0.0), 0.25),
        (LOAD, replace(ROW, replicas_asked=None), 0.25),
        (LOAD, ROW, None),
    ):
        none = api_offer(load, row, PRICED, rate, 0)
        assert none is not None
        assert none.break_even_requests_per_month is none.break_even_requests_per_s is None


# --- Sites that are nearer

NEAR_AND_FAR = world(
    [city("Here", 1)],
    [site("far", usd=500, is_current=True), site("near"), site("alike")],
    [("Here", "far", 40), ("Here", "near", 15), ("Here", "alike", 40)],
)
STATED = Assumptions(serving_usd_per_request=0.02, serving_completions_per_100_ms=0.01)


def test_sites_that_are_nearer_are_worth_their_milliseconds() -> None:
    """80 ms there and back today, 30 from near: 50 ms of 1,000,000 x 0.02 x 0.01 / 100 = $2 each."""
    ways = {way.sites: way for way in shorter_ways(placement_of(NEAR_AND_FAR), LOAD, STATED)}
    assert isclose(ways["near",].ms_saved, 50) and isclose(ways["near",].usd_per_month, 100)
    near_today = replace(
        NEAR_AND_FAR,
        sites=tuple(replace(each, is_current=each.site_id == "near") for each in NEAR_AND_FAR.sites),
    )
    assert shorter_ways(placement_of(near_today), LOAD, STATED) == ()
    for name in ("serving_usd_per_request", "serving_completions_per_100_ms"):
        assert shorter_ways(placement_of(NEAR_AND_FAR), LOAD, replace(STATED, **{name: None})) == ()
    nowhere = replace(
        NEAR_AND_FAR, sites=tuple(replace(each, is_current=False) for each in NEAR_AND_FAR.sites)
    )
    assert current_placement(nowhere).current.round_trip_ms is None
    assert shorter_ways(placement_of(nowhere), LOAD, STATED) == ()


def test_the_way_is_that_of_the_sites_of_today() -> None:
    assert way_of(NEAR_AND_FAR) == pytest.approx(80) and way_of(NO_PLACES) is None


# --- Rows with their offers

MONTHLY, HOURLY = PricingCategory.COMMITTED, PricingCategory.STANDARD


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


def costs(rows: tuple[SizedRow, ...], *offers: Offer, term: int = 0) -> tuple[ServingCost, ...]:
    return cost_rows(rows, LOAD, offers, term)


def test_a_row_has_offers_of_its_model_and_memory() -> None:
    """Three replicas of two GPUs: 6 x 730 = 4,380 GPU-hours, of which 3,000 are asked for; 1,250,000,000 tokens."""
    row = replace(ROW, gpu_memory_gb=80.0, gpu_hours_per_month_autoscaled=3000.0)
    small, large = (
        offer("small", "1", gpu_memory_gb=79.0),
        offer("large", "2", gpu_memory_gb=80.0, model="h100"),
    )
    other = offer("other", "0.5", model="A100")
    (result,) = costs((row,), small, other, large)
    assert result.offer is result.on_demand is large and result.rate == 2 and result.upfront == 0
    assert (result.gpus_peak, result.gpu_hours_per_month_flat) == (6, 4380)
    assert (result.cost_per_month, result.needed_per_month, result.autoscaled_per_month) == (8760, 6000, 6000)
    assert (result.peak_provisioning_gpu_hours, result.peak_provisioning_per_month) == (1380, 2760)
    assert isclose(result.cost_per_million_tokens or 0, 8760 / 1250)
    (free,) = costs((replace(row, gpu_memory_gb=None),), small, large)
    assert free.offer is small  # nobody knows the least
    (unstated,) = costs((row,), offer("unstated", "1"))
    assert unstated.offer is not None  # the model's memory
    two = costs((row, replace(row, gpu_memory_gb=None, precision="FP8")), small, large)
    assert [each.offer for each in two] == [large, small]
    for fits in (False, None):
        (unfit,) = costs((replace(row, fits=fits),), large)
        assert unfit.offer is unfit.on_demand is unfit.rate is unfit.upfront is unfit.cost_per_month is None
    assert costs((), large) == ()


def test_a_term_has_its_own_offers_and_their_upfront_payment() -> None:
    """$1 and $8,760 over 8,760 hours are $2 an hour; six GPUs pay 6 x 8,760 at first."""
    by_hour, year = offer("hour", "3"), offer("year", "1", 12, upfront_usd=Decimal(8760))
    dear, long = offer("dear", "2.5", 12), offer("long", "0.5", 36)
    (result,) = costs((ROW,), by_hour, dear, long, year, term=12)
    assert result.offer is year and result.on_demand is by_hour
    assert result.rate == pytest.approx(2.0) and result.upfront == 52_560
    (missing,) = costs((ROW,), by_hour, long, term=12)
    assert missing.offer is missing.rate is missing.upfront is None and missing.on_demand is by_hour
    assert terms_of_offers((long, year, dear, offer("quote", None, 6))) == (0, 12, 36)
    assert terms_of_offers(()) == (0,)


def test_rows_without_dollars_or_gpus_are_ordered_by_them() -> None:
    """A row that costs nothing, for nobody asks for it, is before one of half a dollar; no GPU before one."""
    none, half = cost("H100", "BF16", 0.0, 0), cost("A100", "BF16", 0.5)
    assert best_row((half, none)) is none
    single = cost("A100", "BF16", 0.0, 1)
    assert best_row((single, none)) is none
    second = runner_up((single, none))
    assert second is not None and second.cost is single
    assert [str(second.why.values[name]) for name in ("usd", "gpus", "rate")] == ["$0", "1", "$2.50"]  # type: ignore[union-attr]
    third = runner_up((none, replace(half, cost_per_month=0.0, gpus_peak=0, inputs={"rate": None})))
    assert third is not None and third.cost is none
    assert str(third.why.values["gpus"]) == "0"  # type: ignore[union-attr]
    unpriced = runner_up((none, replace(single, inputs={"rate": None})))
    assert unpriced is not None and str(unpriced.why.values["rate"]) == "$0.00"  # type: ignore[union-attr]
    strange = cost("A100", "stated", 1.0)
    assert (
        best_row((strange, cost("L4", "INT4", 9.0))) is not strange
    )  # a precision that nobody knows is last
    third_width = cost("B200", "FP8", 1.0)
    narrow = runner_up((cost("A100", "BF16", 5.0), third_width, cost("L4", "INT4", 0.5)))
    assert narrow is not None and narrow.cost is third_width


# --- The row that is drawn, and rows by name


def sizing(*rows: ServingCost, **facts: Any) -> EndpointSizing:
    known = {"choice": ServingChoice(), "load": LOAD, "terms": ServingTerms()} | facts
    return EndpointSizing(key="k", costs=rows, best=best_row(rows), **known)


def unpriced(model: str, gpus: int | None, missed: float | None = None, **facts: Any) -> ServingCost:
    result = cost(model, "BF16", None, 0, missed_by=missed, **facts)
    return replace(result, gpus_peak=gpus)


def test_the_row_that_the_planner_chose_is_drawn_before_the_cheapest() -> None:
    cheap, chosen = cost("A100", "BF16", 1.0), cost("H100", "FP8", 9.0)
    rows = (cheap, chosen)
    assert sizing(*rows).drawn is cheap
    of = sizing(*rows, choice=ServingChoice(gpu_model="h100", precision="FP8", tensor_parallel=4))
    assert of.drawn is chosen and of.row("H100", "FP8", 4) is chosen
    for model, precision, parallel in (("H100", "BF16", 4), ("H100", "FP8", 8), ("L4", "FP8", 4)):
        other = ServingChoice(gpu_model=model, precision=precision, tensor_parallel=parallel)
        assert sizing(*rows, choice=other).drawn is cheap
        assert of.row(model, precision, parallel) is None
    assert of.of_key(chosen.row.key) is chosen and of.of_key("H100\tFP8\t8") is None


@pytest.mark.parametrize(
    ("first", "later"),
    [
        (unpriced("H100", 8), unpriced("A100", 2, is_unstable=True)),
        (unpriced("H100", 8, 1.1), unpriced("A100", 2, 1.5)),
        (unpriced("H100", 8), unpriced("A100", 2, 1.5)),  # no target is no miss
        (unpriced("H100", 2, 0.9), unpriced("A100", 8, 0.2)),  # both keep the targets: fewer GPUs
        (unpriced("H100", 0, 1.2), unpriced("A100", 1, 1.2)),
        (unpriced("A100", 8), unpriced("H100", 8)),
        (unpriced("H100", 8, 9.0), unpriced("A100", None)),
    ],
)
def test_without_prices_the_row_that_misses_least_is_drawn(first: ServingCost, later: ServingCost) -> None:
    assert sizing(later, first).drawn is sizing(first, later).drawn is first


def test_the_cheapest_row_of_a_model_is_in_the_precision_that_is_drawn() -> None:
    drawn, dear, cheap = cost("A100", "BF16", 1.0), cost("H100", "BF16", 9.0), cost("H100", "BF16", 8.0)
    narrow = cost("H100", "FP8", 2.0)
    few, many = unpriced("L4", 0), unpriced("L4", 1)
    priced_last = (unpriced("L40S", 1), cost("L40S", "BF16", 99.0))
    of = sizing(drawn, dear, cheap, narrow, many, few, unpriced("B200", None), *priced_last)
    assert of.drawn is drawn and of.cheapest_on("h100") is cheap and of.cheapest_on("L4") is few
    assert of.cheapest_on("B200") is of.cheapest_on("T4") is None
    assert of.cheapest_on("L40S").cost_per_month == 99.0  # type: ignore[union-attr]
    assert sizing().drawn is sizing().cheapest_on("H100") is None
    assert sizing(unpriced("H100", None)).cheapest_on("H100") is None


def test_an_endpoint_of_stated_rates_has_no_model_and_no_api() -> None:
    model = ServedModel(name="m", parameters=8_000_000_000, layers=32, kv_heads=8, head_dim=128)
    priced = replace(cost("H100", "BF16", 1.0), row=ROW, inputs={"rate": 0.25})
    of = sizing(
        priced,
        choice=ServingChoice(model=model),
        assumptions=PRICED,
        terms=ServingTerms(spare=0),
        places=NO_PLACES,
    )
    assert of.model is model and of.api(priced) == api_offer(LOAD, ROW, PRICED, 0.25, 0)
    rated = replace(of, choice=ServingChoice(model=model, rates=(("H100", 1.0),)))
    assert rated.model is rated.api(priced) is None
    assert of.regional(priced) is None
    placed = replace(of, places=NEAR_AND_FAR).regional(replace(priced, row=replace(ROW, prefill_ms=10.0)))
    assert placed is not None and [region.site_id for region in placed.regions] == ["far"]


# --- What may be planned of a row: two spans such that least is held


def week(asked: dict[int, float], usual: float) -> Load:
    """Replicas that hours of a day ask for, at nine tenths of a request a second each."""
    hours = tuple(LoadHour(hour, 0.9 * asked.get(hour % 24, usual)) for hour in range(168))
    return replace(LOAD, hours=hours)


def spans(
    load: Load, spare: int = 0, most: int = 9, **facts: Any
) -> list[tuple[str, float, tuple[int, ...]]]:
    row = replace(ROW, replicas_peak=most, replicas_spare=spare, **facts)
    priced = replace(cost("H100", "BF16", 1.0), row=row)
    of = sizing(priced, load=load)
    return [(work.name, work.gpus, work.hours) for work in of.planned(priced, "chat")]


def daily(begin: int, end: int) -> tuple[int, ...]:
    """Hours of the week from one hour of a day until before another."""
    return tuple(hour for hour in ALWAYS if begin <= hour % 24 < end)


def test_busy_hours_are_beside_what_is_held_all_day() -> None:
    """Two GPUs a replica. Two replicas at 8 and 9, one in the other hours: 24 + 2 replica-hours of a day."""
    busy = "chat, busy hours"
    assert spans(week({8: 2, 9: 2}, 1)) == [("chat", 2.0, ALWAYS), (busy, 2.0, daily(8, 10))]
    # a spare beside each, but never more than the peak has
    assert spans(week({8: 2, 9: 2}, 1), 1, 3) == [("chat", 4.0, ALWAYS), (busy, 2.0, daily(8, 10))]
    assert spans(week({8: 2, 9: 2}, 1), 1, 2) == [("chat", 4.0, ALWAYS)]
    # from the first busy hour to the last, whatever is between them: 24 + 13
    assert spans(week({8: 2, 20: 2}, 1)) == [("chat", 2.0, ALWAYS), (busy, 2.0, daily(8, 21))]
    # nothing at night: no span of its own, and the busy hours have the name
    assert spans(week({8: 2, 9: 1}, 0)) == [("chat", 4.0, daily(8, 10))]
    # three at 8, two at 9, one else: 24 + 2 x 2 is less than 48 + 1 and 3 x 24
    assert spans(week({8: 3, 9: 2}, 1)) == [("chat", 2.0, ALWAYS), (busy, 4.0, daily(8, 10))]
    # two all day but one at noon: 24 + 24 is no less than 48
    assert spans(week({12: 1}, 2)) == [("chat", 4.0, ALWAYS)]
    assert spans(week({}, 1)) == [("chat", 2.0, ALWAYS)]


def test_an_hour_asks_for_its_most_on_any_day_and_an_unknown_hour_for_the_peak() -> None:
    twice = replace(
        LOAD, hours=(*week({}, 1).hours, LoadHour(8, 1.8), LoadHour(8, 0.9), LoadHour(24 + 9, 1.8))
    )
    assert spans(twice)[1] == ("chat, busy hours", 2.0, daily(8, 10))
    monday = replace(LOAD, hours=week({}, 1).hours[:24])
    assert spans(monday, most=3) == [("chat", 6.0, ALWAYS)]
    missing = replace(LOAD, hours=week({}, 1).hours[1:])
    assert spans(missing, most=3) == [("chat", 2.0, ALWAYS), ("chat, busy hours", 4.0, daily(0, 1))]
    assert spans(LOAD, most=0) == [] == spans(LOAD, requests_per_s=None)


def test_planned_work_is_inference_of_its_model_on_its_cluster() -> None:
    priced = replace(cost("H100", "BF16", 1.0), row=ROW)
    (work,) = sizing(priced, load=week({}, 1)).planned(priced, "chat", "atlas", "ann")
    assert (work.pool.value, work.gpu_model, work.cluster, work.team) == ("inference", "H100", "atlas", "ann")
    (bare,) = sizing(priced, load=week({}, 1)).planned(priced, "chat")
    assert (bare.cluster, bare.team) == ("", "")
    replay = sizing(priced, load=week({}, 1)).replay(priced)
    assert replay is not None and replay.replicas_flat == 3
    assert sizing(priced, load=week({8: 2}, 0)).replicas_by_hour(priced)[7:10] == (0, 2, 0)  # type: ignore[index]
    unknown = replace(priced, row=replace(ROW, requests_per_s=None))
    assert sizing(unknown).replicas_by_hour(unknown) is sizing(unknown).replay(unknown) is None


# --- What is sized of a project

TABLES = read_serving_tables()
TABLES = replace(TABLES, gpu_models=tuple(row for row in TABLES.gpu_models if row.name in ("H100", "H200")))
SMALL = ServedModel(name="small", parameters=8_000_000_000, layers=32, kv_heads=8, head_dim=128, hidden=4096)
RATED = ServingChoice(rates=(("H100", 5.0), ("H200", 10.0)))


def sized(choice: ServingChoice, *offers: Offer, load: Load = LOAD, **facts: Any) -> EndpointSizing:
    assumptions = facts.pop("assumptions", Assumptions())
    places = facts.pop("places", NO_PLACES)
    return size_choice("k", choice, load, assumptions, places, offers, TABLES, **facts)


def test_stated_rates_count_before_a_model_and_have_no_spare_that_nobody_asked_for() -> None:
    """20 requests a second at 90% of 5 and of 10: 4.4 and 2.2, five and three replicas."""
    of = sized(replace(RATED, model=SMALL), offer("h", "1"), offer("h2", "3", model="H200"))
    assert [(row.row.gpu_model, row.row.precision, row.gpus_peak) for row in of.costs] == [
        ("H100", "stated", 5),
        ("H200", "stated", 3),
    ]
    assert (of.terms.spare, of.load.context_tokens, of.load.longest_tokens) == (0, 1000.0, 1250.0)
    assert of.best is of.drawn is of.costs[0] and (of.ratios, of.measured, of.shorter_ways) == ((), (), ())
    assumed = sized(RATED, load=replace(LOAD, are_tokens_known=False)).load
    assert (assumed.context_tokens, assumed.generated_tokens, assumed.longest_tokens) == (0, 0, 0)
    assert assumed.requests_per_month == LOAD.requests_per_month
    spare = sized(RATED, assumptions=Assumptions(serving_replicas_spare=2))
    assert [row.gpus_peak for row in spare.costs] == [7, 5]
    assert [row.gpus_peak for row in sized(RATED, replicas=4).costs] == [4, 4]
    assert sized(RATED, offer("y", "1", 12)).offered_terms == (0, 12)


def test_the_way_and_nearer_sites_are_of_the_places() -> None:
    of = sized(RATED, places=NEAR_AND_FAR, assumptions=STATED)
    assert of.terms.way_ms == pytest.approx(80) and ("near",) in [way.sites for way in of.shorter_ways]
    assert sized(RATED, places=NEAR_AND_FAR).shorter_ways == ()
    assert sized(RATED, assumptions=STATED).shorter_ways == ()
    assert sized(RATED).terms.way_ms == Assumptions().serving_round_trip_ms


def test_a_model_has_ratios_against_what_is_held_else_against_the_drawn_row() -> None:
    offers = (offer("h", "2"), offer("h2", "3", model="H200"))
    of = sized(ServingChoice(model=SMALL), *offers)
    assert of.drawn is of.best is not None and of.terms.spare is None
    (ratio,) = of.ratios
    against = of.drawn.row.gpu_model
    assert (ratio.against, ratio.gpus) == (against, of.drawn.gpus_peak)
    assert {ratio.gpu_model, against} == {"H100", "H200"}
    assert ratio.rate == {"H100": 2.0, "H200": 3.0}[ratio.gpu_model]
    (held,) = sized(ServingChoice(model=SMALL), *offers, held=(ratio.gpu_model.lower(), 7.5)).ratios
    assert (held.against, held.gpus, held.gpu_model) == (ratio.gpu_model, 7.5, against)
    (elsewhere,) = sized(ServingChoice(model=SMALL), *offers, held=("T4", 7.5)).ratios
    assert (elsewhere.against, elsewhere.gpus) == (against, of.drawn.gpus_peak)
    (free,) = sized(ServingChoice(model=SMALL), offers[0], held=("H100", 1.0)).ratios
    assert (free.gpu_model, free.rate) == ("H200", None)


def test_a_model_that_nothing_holds_has_rows_and_no_drawn_one() -> None:
    giant = sized(ServingChoice(model=replace(SMALL, parameters=10**14)), offer("h", "2"), held=("H100", 1.0))
    assert giant.costs and {cost.row.fits for cost in giant.costs} == {False}
    assert (giant.drawn, giant.best, giant.ratios) == (None, None, ())


def test_measurements_are_of_the_model_that_is_sized_unless_names_are_given() -> None:
    point = MeasuredPoint(
        model="mine",
        gpu_model="H100",
        tensor_parallel=1,
        precision="BF16",
        concurrency=8,
        input_tokens=1000,
        output_tokens=250,
        tokens_per_s=500.0,
        source="own.csv",
    )
    choice = ServingChoice(model=SMALL, measured=(point,))
    (known,) = sized(choice).measured
    assert known.ratio is not None and isclose(known.ratio * (known.predicted_tokens_per_s or 0), 500.0)
    (unknown,) = sized(choice, models={"mine": None}).measured
    assert unknown.ratio is None
    plain, own = (sized(of).row("H100", "BF16", 1) for of in (ServingChoice(model=SMALL), choice))
    other = sized(choice, models={"mine": None}).row("H100", "BF16", 1)
    assert plain is not None and own is not None and other is not None
    assert other.row.requests_per_s == plain.row.requests_per_s != own.row.requests_per_s


def project(**facts: Any) -> Project:
    """Of two workloads the second has 3 GPU-hours on H100 and 2 on A100, the first 1 on a model that nobody knows."""
    entries = np.array([(0, -1, 0, 1), (1, 0, 0, 3), (1, 1, 0, 2)], dtype=np.int64) * (1, 1, 1, 3_600_000)
    works = tuple(
        Workload(key=key, name=key, cluster="c", owner="o", milli_gpu_seconds=gpu_hours * 3_600_000)
        for key, gpu_hours in (("a", 1000), ("b", 5000))
    )
    cube = cube_from_entries(1, ("H100", "A100"), *entries.T)
    return Project(window=Window(0, 10), cube=cube, workloads=works, **facts)


def test_work_on_a_model_that_nobody_knows_holds_nothing_to_compare_with() -> None:
    """5,000 GPU-hours in 10 hours are 500 GPUs."""
    assert endpoint_sizing._held_in_log(project(), "b") == ("H100", 500.0)
    assert endpoint_sizing._held_in_log(project(), "a") is None


def test_the_requests_of_an_endpoint_are_those_of_its_week_else_of_its_traffic() -> None:
    """A week at 2 a second; traffic of an hour with 3,600 requests, 120 of them in one minute."""
    traffic = Traffic(start_s=0, end_s=3600, hours=((0, 36_000, 7200),), requests=((3600, 120, 100),))
    rates = WeekRates((2.0,) * 168)
    of = project(traffic={"b": traffic, "a": traffic}, serving={"b": replace(RATED, week=rates), "a": RATED})
    assumed = Assumptions()
    week_load, listed = (load_of_endpoint(of, key, assumed) for key in ("b", "a"))
    assert week_load is not None and len(week_load.hours) == 168
    assert listed is not None and listed.hours == (LoadHour(72, 2.0),)  # the epoch began on a Thursday
    assert load_of_endpoint(of, "c", assumed) is None
    unsized = replace(of, serving={"a": ServingChoice(), "b": ServingChoice(model=SMALL), "": RATED})
    assert size_endpoint(unsized, "a", assumed, (), TABLES) is None  # neither model nor rates
    assert size_endpoint(unsized, "", assumed, (), TABLES) is None  # no requests
    assert size_endpoint(unsized, "c", assumed, (), TABLES) is None
    by_rates = size_endpoint(of, "b", assumed, (), TABLES)
    assert by_rates is not None and by_rates.key == "b"
    assert (by_rates.load.hours, by_rates.load.context_tokens) == (week_load.hours, 0.0)
    of_model = size_endpoint(unsized, "b", assumed, (), TABLES)
    assert of_model is not None and {ratio.gpus for ratio in of_model.ratios} == {500.0}


# --- Provisioned throughput


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
