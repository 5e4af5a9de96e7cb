"""Edges of the traffic lights and their figures, offers that are cheapest or steady, needs, and other hardware."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from gpuplanner.domain.fit import rules
from gpuplanner.domain.fit.needs import (
    LOG,
    NAME,
    PLANNER,
    RULE,
    UNKNOWN,
    Needed,
    needs_of,
    number_of,
    several_nodes,
    size_in_name,
)
from gpuplanner.domain.fit.other_hardware import (
    STEPS,
    cheapest_rates,
    interconnect_premium,
    network_cost,
    other_hardware,
    out_of_memory,
)
from gpuplanner.domain.fit.rules import Light, Need, cheapest, eligible_offers, need_of, steady_offers
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping, Only
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.intake import LoggedRun
from gpuplanner.domain.model.project import NeedsSet
from gpuplanner.domain.model.tables import GpuModel, Pool, PricingCategory, Tables, TrainedNeed
from tests.domain.audit.conftest import make_contract, make_offer, make_workload

GREEN, AMBER, RED = Light
STANDARD, COMMITTED, DYNAMIC = PricingCategory.STANDARD, PricingCategory.COMMITTED, PricingCategory.DYNAMIC


def values(answer: rules.Answer) -> dict[str, str]:
    """What stands in the reason of a light, as it is written."""
    return {name: str(value) for name, value in answer[1].values.items()}  # type: ignore[union-attr]


# --- The table


@pytest.mark.parametrize(("gpu_hours", "ran"), [(0.24, "0.2"), (9.75, "9.8"), (10.0, "10"), (12.34, "12")])
def test_contention_is_written_in_tenths_below_ten(gpu_hours: float, ran: str) -> None:
    assert values(rules.training_cluster(is_shared=True, contended_gpu_hours=gpu_hours)) == {"ran": ran}


def test_reasons_have_the_figures_that_decided() -> None:
    assert values(rules.training_memory(80.0)) == {"has": "80", "wished": "141"}
    assert values(rules.training_memory(40.0)) == {"has": "40", "least": "80"}
    assert values(rules.training_memory(40.0, 64.0)) == {"has": "40", "least": "64"}
    assert values(rules.served_memory(80.123456, 79.87654)) == {"needs": "80.12", "has": "79.88"}
    assert values(rules.served_memory(75.123456, 80.06789)) == {
        "needs": "75.12",
        "has": "80.07",
        "full": "90%",
    }
    assert values(rules.training_interconnect(None, several_nodes=True)) == {"has": "not stated"}
    assert values(rules.training_interconnect("roce_400", several_nodes=True)) == {"has": "roce_400"}
    assert values(rules.burst_term(730.0, 100.0))["hours"] == "100"
    assert values(rules.training_interconnect("ethernet", several_nodes=True, gbps=100)) == {"gbps": "100"}


@pytest.mark.parametrize(
    ("need", "light"), [(80.0, GREEN), (80.01, AMBER), (105.8, AMBER), (105.81, RED), (92.0, AMBER)]
)
def test_a_run_is_green_with_15_percent_to_spare_and_red_with_as_much_over(need: float, light: Light) -> None:
    """Of 92 GB: 80 x 1.15 = 92, and 92 x 1.15 = 105.8."""
    assert rules.light_of(need, 92.0) is light
    assert rules.trained_memory(92.0, need)[0] is light
    assert rules.trained_memory(None, need)[0] is AMBER
    if light is not GREEN:
        assert values(rules.trained_memory(92.0, need))["has"] == "92"


def test_a_network_of_another_name_is_not_known() -> None:
    for needs in (None, "ethernet", "infiniband"):
        assert rules.training_interconnect("token ring", several_nodes=True, needs=needs)[0] is AMBER
    assert rules.training_interconnect(None, several_nodes=True, needs="roce_400")[0] is AMBER
    assert rules.training_interconnect(None, several_nodes=True, needs="roce")[0] is GREEN


def test_a_term_that_is_as_long_as_the_work_is_green() -> None:
    for term, active, light in ((1.0, 0.5, AMBER), (0.0, 0.0, GREEN), (5.0, 5.0, GREEN), (5.5, 5.0, AMBER)):
        assert rules.burst_term(term, active)[0] is light


# --- Offers


def offer(
    name: str, rate: str | None, category: PricingCategory = STANDARD, term: int = 0, **facts: Any
) -> Offer:
    return make_offer(name, rate, pricing_category=category, term_months=term, **facts)


def ids(offers: Sequence[Offer]) -> list[str]:
    return [each.offer_id for each in offers]


def test_the_cheapest_is_of_its_category_and_ties_go_by_id() -> None:
    offers = [
        offer("b", "3"), offer("z", "2"), offer("c", "2"), offer("free", "0"), offer("quote", None),
        offer("spot", "1", DYNAMIC),
    ]  # fmt: skip
    found = cheapest(offers, STANDARD)
    assert found is not None and found.offer_id == "c"
    assert cheapest(offers, COMMITTED) is None and cheapest((), STANDARD) is None
    assert cheapest(offers[:2], STANDARD) is offers[1]


def test_steady_offers_are_priced_not_taken_back_and_of_their_least_term() -> None:
    """$1 with $8,760 over 8,760 hours is $2; the same rates stand by their id."""
    offers = [
        offer("use", "4"),
        offer("spot", "1", DYNAMIC),
        offer("quote", None),
        offer("year", "1", COMMITTED, 12, upfront_usd=Decimal(8760)),
        offer("plain", "2", COMMITTED, 12),
        offer("least", "3", COMMITTED, 6, min_term_months=6),
        offer("short", "0.5", COMMITTED, 5, min_term_months=6),
        offer("month", "3.5", COMMITTED, 1),
        offer("none", "0.5", COMMITTED, 0),
    ]
    assert ids(steady_offers(offers)) == ["plain", "year", "least", "month", "use"]
    assert ids(steady_offers(reversed(offers))) == ["plain", "year", "least", "month", "use"]


def test_offers_that_may_serve_are_of_the_model_and_of_who_may() -> None:
    offers = [offer("a", "1", provider="Ada"), offer("b", "2", provider="Bo")]
    offers.append(offer("x", "1", gpu_model="A100", provider="Ada"))
    need = Need(Pool.BURST, "H100")
    assert ids(eligible_offers(offers, need)) == ["a", "b"]
    assert ids(eligible_offers(offers, replace(need, gpu_model=None))) == ["a", "b", "x"]
    assert ids(eligible_offers(offers, replace(need, only=Only("Bo")))) == ["b"]
    mapped = eligible_offers(offers, replace(need, only=Only("Ada")), [ModelMapping("H100", "A100", 0.5)])
    assert [(each.offer_id, each.rate) for each in mapped] == [("a", 1.0), ("x", 2.0)]
    virtual = [offer("v", "1", bare_metal=False), offer("m", "1", gpu_memory_gb=40.0)]
    trains = Need(Pool.TRAINING, "H100", several_nodes=True)
    assert ids(eligible_offers(virtual, trains)) == ["m"]  # renewed: amber
    assert ids(eligible_offers(virtual, replace(trains, several_nodes=False))) == ["v", "m"]
    assert (
        eligible_offers(virtual, replace(trains, gpu_model="H200"), [ModelMapping("H200", "H100", 1.0)]) == ()
    )
    assert need_of(Pool.TRAINING, "H100", True) == trains and need_of(Pool.BURST, None).gpu_model is None


# --- Needs


@pytest.mark.parametrize(
    ("name", "billions"), [("x-1b", 1.0), ("x-0.5b", 0.5), ("x-2x1b", 2.0), ("x-10m", 0.01), ("x-1m", None)]
)
def test_small_sizes_are_read_too(name: str, billions: float | None) -> None:
    assert size_in_name(name).parameters_billion == billions


def test_a_need_is_a_number_where_it_is_known_and_no_yes_or_no() -> None:
    needs = {"a": Needed(3, LOG), "b": Needed(True, LOG), "c": Needed(None, LOG), "d": Needed("roce", LOG)}
    assert [number_of(needs, name) for name in "abcde"] == [3.0, None, None, None, None]
    counts = [
        ({"nodes": Needed(count, LOG)}, is_several)
        for count, is_several in ((1, False), (2, True), (None, False))
    ]
    assert all(several_nodes(of) is is_several for of, is_several in counts) and not several_nodes({})


def test_needs_of_training_are_of_its_jobs_or_the_planners() -> None:
    """16 GPUs of its largest job, on two nodes and where nobody says on one."""
    spread, single = (
        make_workload("w", max_nodes=2, max_milli_gpus=16_000),
        make_workload("w", max_milli_gpus=16_000),
    )

    def found(work: Workload, name: str, **own: Any) -> tuple[Any, str]:
        needed = needs_of(work, Pool.TRAINING, 7.0, NeedsSet(**own))[name]
        return needed.value, needed.source

    assert found(spread, "gpus_per_node") == (8.0, LOG) and found(single, "gpus_per_node") == (16.0, LOG)
    assert found(replace(single, max_milli_gpus=0), "gpus_per_node") == (None, UNKNOWN)
    assert found(spread, "nodes") == (2, LOG) and found(single, "nodes") == (None, UNKNOWN)
    assert found(spread, "interconnect") == ("infiniband", RULE) and found(single, "interconnect") == (
        None,
        RULE,
    )
    assert found(replace(spread, max_nodes=1), "interconnect") == (None, RULE)
    assert found(spread, "memory_gb_per_gpu") == (80.0, RULE) and found(spread, "bare_metal") == (True, RULE)
    assert found(single, "interconnect", nodes=2) == ("infiniband", RULE)
    assert found(spread, "interconnect", nodes=1) == (None, RULE)
    assert found(spread, "interconnect", nodes=1, interconnect="roce") == ("roce", PLANNER)
    assert found(spread, "own_cluster", own_cluster=False) == (False, PLANNER)


def test_needs_of_serving_and_bursts() -> None:
    work = make_workload("fp8-13b-chat", max_nodes=2, max_milli_gpus=16_000)
    serves = needs_of(work, Pool.INFERENCE, 7.0)
    assert (serves["interconnect"].value, serves["interconnect"].source) == (None, RULE)
    assert needs_of(work, Pool.INFERENCE, 7.0, NeedsSet(interconnect="roce"))["interconnect"].value == "roce"
    assert (serves["parameters_billion"].value, serves["parameters_billion"].source) == (13.0, NAME)
    assert (serves["bytes_per_parameter"].value, serves["bytes_per_parameter"].source) == (1.0, NAME)
    named = needs_of(replace(work, sample_name="job-7b"), Pool.INFERENCE, 7.0)
    assert (named["parameters_billion"].value, named["bytes_per_parameter"].source) == (7.0, RULE)
    assert needs_of(work, Pool.BURST, 7.0)["active_hours"] == replace(
        Needed(7.0, LOG), note=needs_of(work, Pool.BURST, 0.0)["active_hours"].note
    )
    assert needs_of(work, Pool.INFERENCE, 7.0, NeedsSet(nodes=1))["interconnect"].source == RULE


# --- Other hardware


def test_a_run_has_its_hours_gpu_hours_and_dollars_on_both_networks() -> None:
    """A run of 2 h on 16 GPUs, 146 GPU-hours in a fifth of a month: 730 a month for $1,460, $2 each.

    Steps of 4 s and 40 s: on Ethernet today, a tenth of it on InfiniBand.
    """
    work = Workload(
        key="k",
        name="k",
        cluster="c",
        owner="o",
        milli_gpu_seconds=146 * 3_600_000,
        max_milli_gpus=16_000,
        longest_job_s=7200,
    )
    assumed = Assumptions(step_seconds_infiniband=4, step_seconds_ethernet=40)
    cost = network_cost(work, ["ethernet"], 1460.0, 0.2, assumed)
    fast, slow = cost.infiniband, cost.ethernet
    assert fast is not None and slow is not None
    assert (cost.run_hours, cost.run_gpus, cost.usd_per_gpu_hour) == (2.0, 16.0, pytest.approx(2.0))
    assert (slow.run_hours, slow.run_gpu_hours, slow.run_usd) == (2.0, 32.0, pytest.approx(64.0))
    assert (slow.gpu_hours_per_month, slow.usd_per_month) == (pytest.approx(730.0), 1460.0)
    assert (fast.run_hours, fast.run_gpu_hours) == pytest.approx((0.2, 3.2))
    assert (fast.run_usd, fast.gpu_hours_per_month, fast.usd_per_month) == pytest.approx((6.4, 73.0, 146.0))
    bare = network_cost(replace(work, max_milli_gpus=0), ["ethernet"], None, 0.2, assumed).ethernet
    assert bare is not None and bare.run_gpu_hours is bare.run_usd is bare.usd_per_month is None
    idle = network_cost(replace(work, milli_gpu_seconds=0), ["ethernet"], 10.0, 0.2, assumed)
    assert idle.usd_per_gpu_hour is None and idle.ethernet is not None and idle.ethernet.usd_per_month == 10.0
    steps = TrainedNeed(memory_gib=1.0, step_s=3.0, slow_step_s=6.0)
    usual = network_cost(work, ["infiniband"], None, 0.2, Assumptions(), steps)
    assert usual.is_of_model and usual.ethernet is not None and usual.ethernet.run_hours == 4.0
    for run in (None, replace(steps, step_s=None), replace(steps, slow_step_s=None)):
        assert not network_cost(work, ["infiniband"], None, 0.2, Assumptions(), run).is_of_model
    own = Assumptions(step_seconds_ethernet=41)
    assert not network_cost(work, ["infiniband"], None, 0.2, own, steps).is_of_model


def test_a_pair_of_the_contracts_own_term_counts_first_then_the_shortest() -> None:
    held = make_contract("k", 8, "5", interconnect="infiniband", term_months=12)
    other = replace(held, rate_usd_per_gpu_hour=None, term_months=None)

    def sold(name: str, rate: str, term: int, *, fast: bool, **facts: Any) -> Offer:
        category = COMMITTED if term else STANDARD
        return offer(name, rate, category, term, interconnect="infiniband" if fast else "ethernet", **facts)

    def premium(contract: Any, *offers: Offer) -> tuple[float, float] | None:
        found = interconnect_premium([contract], "H100", offers, 100.0)
        return None if found is None else (found.with_usd_per_gpu_hour, found.without_usd_per_gpu_hour)

    use = sold("u1", "9", 0, fast=True), sold("u2", "8", 0, fast=False)
    year = sold("y1", "4", 12, fast=True), sold("y2", "3", 12, fast=False)
    long = sold("l1", "3", 24, fast=True), sold("l2", "1", 24, fast=False)
    assert premium(held, *use, *long, *year) == (4.0, 3.0)  # an offer's rate before the contract's
    assert premium(held, *use, *long, year[1]) == (5.0, 3.0)
    assert premium(held, *long, *use) == (9.0, 8.0)
    assert premium(held, *long) == (3.0, 1.0) and premium(held, long[0]) is premium(held) is None
    assert premium(held, sold("y3", "2.5", 12, fast=False), *year) == (4.0, 2.5)
    month = (
        offer("m", "7", COMMITTED, 0, interconnect="infiniband"),
        offer("n", "6", COMMITTED, 0, interconnect="roce"),
    )
    assert premium(other, *year, *month) == (7.0, 6.0)  # a contract of no stated term
    assert premium(replace(held, gpu_model="A100"), *year) is None
    result = interconnect_premium([held], "H100", year, 100.0)
    assert result is not None and result.usd_per_month == 100.0


def test_other_models_are_by_their_steps_or_measured_speeds() -> None:
    """1,000 GPU-hours for $2,000 a month; an A100 takes twice as long a step, and half as long in vision."""
    models = (
        GpuModel(name="H100", memory_gb=80.0, bandwidth_tb_per_s=None, tflops=None),
        GpuModel(name="A100", memory_gb=80.0, bandwidth_tb_per_s=None, tflops=None),
        GpuModel(name="L4", memory_gb=24.0, bandwidth_tb_per_s=None, tflops=None),
    )
    steps = {
        "A100": TrainedNeed(memory_gib=60.0, step_s=4.0, slow_step_s=None, card_gib=80.0, band=(0.5, 2.0)),
        "L4": TrainedNeed(memory_gib=60.0),
    }
    tables = Tables(
        gpu_models=models,
        vision_speeds={"H100": 2.0, "A100": 4.0},
        trained=lambda billion, name, *_: steps.get(name),
    )
    rates = cheapest_rates(
        [offer("a", "3", gpu_model="A100"), offer("h", "4"), offer("l", "1", gpu_model="L4")]
    )
    work = Workload(key="k", name="resnet", cluster="c", owner="o", max_milli_gpus=8000, longest_job_s=36_000)
    (known,) = other_hardware(
        work, "H100", (1000.0, 2000.0), (7.0, TrainedNeed(memory_gib=60.0, step_s=2.0)), rates, tables
    )
    assert (known.gpu_model, known.ratio, known.low, known.high) == ("A100", 0.5, 0.25, 1.0)
    assert (known.light, known.source) == (GREEN, STEPS)
    assert (known.gpu_hours_per_month, known.cost_per_month, known.run_hours) == (2000.0, 6000.0, 20.0)
    assert known.worth_below == 1.0  # $2 today, half the work
    (seen,) = other_hardware(work, "H100", (1000.0, None), None, rates, tables)
    assert (seen.ratio, seen.light, seen.worth_below) == (2.0, GREEN, None)
    assert (seen.cost_per_month, seen.run_hours) == (1500.0, 5.0)
    assert (
        other_hardware(work, "H100", (1000.0, 0.0), (7.0, TrainedNeed(memory_gib=60.0)), rates, tables) == ()
    )
    assert other_hardware(replace(work, name="llm"), "H100", (1000.0, 0.0), None, rates, tables) == ()
    named = replace(work, name="llm", sample_name="Vision-1")
    assert len(other_hardware(named, "H100", (1000.0, None), None, rates, tables)) == 1
    asked: list[tuple[object, ...]] = []
    other_hardware(
        named,
        "H100",
        (1.0, 1.0),
        (7.0, TrainedNeed(memory_gib=60.0, step_s=2.0)),
        rates,
        replace(tables, trained=lambda *of: asked.append(of)),
    )
    assert asked == [(7.0, name, 8.0, None, "Vision-1") for name in ("A100", "L4")]
    dark = replace(tables, trained=lambda *_: TrainedNeed(memory_gib=60.0, step_s=4.0))
    lights = {
        row.gpu_model: row.light
        for row in other_hardware(
            work, "H100", (1.0, 1.0), (7.0, TrainedNeed(memory_gib=60.0, step_s=2.0)), rates, dark
        )
    }
    assert lights == {"A100": None, "L4": None}


def run(
    key: str, model: str, state: str = "OUT_OF_MEMORY", milli_gpus: int = 1000, hours: int = 1
) -> LoggedRun:
    return LoggedRun(
        key=key,
        gpu_model=model,
        job_id="1",
        milli_gpus=milli_gpus,
        start_s=0,
        end_s=3600 * hours,
        state=state,
    )


def test_what_would_hold_has_more_memory_and_as_much_as_a_run_that_completed() -> None:
    """An A100-40 ran out twice, 2 + 2 x 3 GPU-hours; 80 GB completed, and 24 GB, which says nothing."""
    memory = {"L4": 24.0, "A100": 40.0, "L40S": 48.0, "H100": 80.0, "H200": 141.0}
    logged = [
        run("k", "A100", milli_gpus=2000), run("k", "A100", milli_gpus=2000, hours=3), run("k", "H100", "COMPLETED"),
        run("k", "L4", "COMPLETED"), run("k", ""), run("k", "L4", "FAILED"), run("j", "H200"),
    ]  # fmt: skip
    found = out_of_memory(logged, {}, memory)
    (row,) = found["k"]
    assert (row.gpu_model, row.jobs, row.gpu_hours, row.would_hold) == ("A100", 2, 8.0, ("H100", "H200"))
    assert [each.would_hold for each in found["j"]] == [()]
    first, other = out_of_memory([run("k", "L4"), run("k", "A100")], {"k": 50.0}, memory)["k"]
    assert (first.gpu_model, first.would_hold) == ("A100", ("H100", "H200"))  # 48 GB do not hold 50
    assert (other.gpu_model, other.would_hold) == ("L4", ("H100", "H200")) and other.needs_gib == 50.0


def test_rates_are_of_use_before_a_term_and_never_of_spot() -> None:
    offers = [
        offer("t", "1", COMMITTED, 12), offer("u", "3"), offer("b", "2"), offer("a", "2"), offer("s", "0.1", DYNAMIC),
        offer("q", None, gpu_model="L4"), offer("y", "1", COMMITTED, 12, gpu_model="L40S", upfront_usd=Decimal(8760)),
    ]  # fmt: skip
    assert cheapest_rates(offers) == {"H100": (2.0, "a"), "L40S": (2.0, "y")}
