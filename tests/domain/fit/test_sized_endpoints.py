"""What is sized of a project: its endpoints, their requests, the GPUs of the log, and nearer sites."""

from dataclasses import replace
from math import isclose
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.fit import sized_endpoints
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.hardware import main_models
from gpuplanner.domain.fit.needs import OF_MODEL, as_sized, load_of_endpoint, needs_of
from gpuplanner.domain.fit.shorter_ways import shorter_ways, way_of
from gpuplanner.domain.fit.sized_endpoints import gpus_in_log, size_choice, size_endpoint
from gpuplanner.domain.fit.workload_fit import fit_workloads
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.hardware_needs import NeedsSet
from gpuplanner.domain.model.places import (
    NO_PLACES,
    MeasuredPoint,
    ServedModel,
    ServingChoice,
    Traffic,
    WeekRates,
)
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.serving.load import Load, LoadHour
from gpuplanner.domain.serving.placement import current_placement, placement_of
from gpuplanner.files.lists.served_models import model_named
from gpuplanner.files.system.resources import read_served_models, read_serving_tables, read_tables
from tests.domain import worlds
from tests.domain.fit.stated_endpoint import LOAD, NEAR_AND_FAR, offer

STATED = Assumptions(serving_usd_per_request=0.02, serving_completions_per_100_ms=0.01)
ALL_TABLES = read_serving_tables()
TABLES = replace(
    ALL_TABLES, gpu_models=tuple(row for row in ALL_TABLES.gpu_models if row.name in ("H100", "H200"))
)
SMALL = ServedModel(name="small", parameters=8_000_000_000, layers=32, kv_heads=8, head_dim=128, hidden=4096)
RATED = ServingChoice(rates=(("H100", 5.0), ("H200", 10.0)))
CHAT = "atlas/team/chat"
WEEK = WeekRates((2.0, 1.0, *[None] * 166))


# --- Sites that are nearer


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


# --- What is sized of a project


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
    assert sized_endpoints.gpus_in_log(project(), "b") == ("H100", 500.0)
    assert sized_endpoints.gpus_in_log(project(), "a") is None


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


def past() -> Project:
    return worlds.past().project


def test_requests_are_of_a_week_where_one_was_read_else_of_the_traffic() -> None:
    of = past()
    counted = replace(of.traffic[CHAT], requests=((60, 6, 250), (30, 3, 120)))
    of = replace(of, traffic={CHAT: counted})
    traffic = load_of_endpoint(of, CHAT, of.assumptions)
    assert traffic is not None and traffic.peak_requests_per_s == 6 / 60
    with_week = replace(of, serving={CHAT: ServingChoice(week=WEEK)})
    week = load_of_endpoint(with_week, CHAT, of.assumptions)
    assert week is not None and max(hour.requests_per_s for hour in week.hours) == 2.0
    assert load_of_endpoint(of, "atlas/team/sft", of.assumptions) is None


def test_gpus_of_today_are_those_of_the_log() -> None:
    """chat has 2 H100 in each of 100 hours, dev 3 A100 in every other hour."""
    of = past()
    assert gpus_in_log(of, CHAT) == ("H100", 2.0)
    assert gpus_in_log(of, "bora/team/dev") == ("A100", 1.5)
    assert gpus_in_log(of, "x") is None
    assert main_models(of) == ["H100", "H100", "A100"]


def test_an_endpoint_without_a_model_or_requests_is_not_sized() -> None:
    of, tables = past(), read_serving_tables()
    for serving in ({}, {CHAT: ServingChoice(week=WEEK)}):
        project = replace(of, serving=serving, traffic={})
        assert size_endpoint(project, CHAT, of.assumptions, of.offers, tables) is None
    rated = replace(of, serving={CHAT: ServingChoice(week=WEEK, rates=(("H100", 1.0),))})
    sized = size_endpoint(rated, CHAT, of.assumptions, of.offers, tables)
    assert sized is not None and [cost.row.gpu_model for cost in sized.costs] == ["H100"]
    assert sized.ratios == () and sized.terms.spare == 0


def test_a_served_model_needs_what_it_is_sized_with_where_its_requests_are_known() -> None:
    """Llama 3.1 8B keeps 2 x 32 x 8 x 128 values a token at 2 bytes: 131,072 bytes; 8 requests at once are held."""
    of, model = past(), model_named("Llama 3.1 8B", read_served_models())
    served = replace(of, serving={CHAT: ServingChoice(model=model, week=WEEK)})
    workload = next(work for work in of.workloads if work.key == CHAT)
    load = load_of_endpoint(served, CHAT, of.assumptions)
    assert load is not None and load.longest_tokens <= 8 * load.tokens_per_request
    needs = needs_of(workload, Pool.INFERENCE, 100.0)
    found = as_sized(served, CHAT, needs)
    assert {name: need.source for name, need in found.items()} == dict.fromkeys(
        ("parameters_billion", "kv_cache_gb"), OF_MODEL
    )
    assert found["parameters_billion"].value == pytest.approx(8.030261248)
    assert found["kv_cache_gb"].value == pytest.approx(8 * load.tokens_per_request * 131_072 / 1e9)
    own = needs_of(workload, Pool.INFERENCE, 100.0, NeedsSet(kv_cache_gb=7.0))
    assert list(as_sized(served, CHAT, own)) == ["parameters_billion"]  # what the planner set stays
    unknown = replace(of, serving={CHAT: ServingChoice(model=model)}, traffic={})
    assert as_sized(of, CHAT, needs) == as_sized(unknown, CHAT, needs) == {}
    count = len(of.workloads)
    fits = fit_workloads(served, [Pool.INFERENCE] * count, [0.0] * count, [None] * count, read_tables())
    row = next(row for fit in fits if fit.key == CHAT for row in fit.rows if row.need == "model_memory")
    weights = 2 * 8.030261248
    assert (row.source, row.needs) == (OF_MODEL, pytest.approx(weights + found["kv_cache_gb"].value))
