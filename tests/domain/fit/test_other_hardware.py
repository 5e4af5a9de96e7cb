"""A workload on other GPU models: by measured speeds, by its model's steps; and what would have held it."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from gpuplanner.domain.fit.other_hardware import (
    STEPS,
    VISION_BAND,
    OtherHardware,
    cheapest_rates,
    interconnect_premium,
    network_cost,
    other_hardware,
    out_of_memory,
)
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.intake import LoggedRun
from gpuplanner.domain.model.tables import GpuModel, PricingCategory, Tables, TrainedNeed
from gpuplanner.files.system.resources import read_tables
from tests.domain.audit.conftest import make_contract
from tests.domain.fit.stated_offers import COMMITTED, DYNAMIC, STANDARD, offer

GREEN, AMBER, RED = Light

TABLES = read_tables()
VISION = Workload(
    key="e/ann/yolo",
    name="yolo-detector-train",
    cluster="e",
    owner="ann",
    max_milli_gpus=8000,
    longest_job_s=36_000,
)


def _offer(name: str, gpu_model: str, rate: str, category: PricingCategory, months: int = 0) -> Offer:
    return Offer(
        offer_id=name,
        gpu_model=gpu_model,
        pricing_category=category,
        term_months=months,
        rate_usd_per_gpu_hour=Decimal(rate),
    )


OFFERS = (
    _offer("l4", "L4", "0.40", PricingCategory.STANDARD),
    _offer("l4-12", "L4", "0.20", PricingCategory.COMMITTED, 12),
    _offer("l4-spot", "L4", "0.10", PricingCategory.DYNAMIC),
    _offer("h100", "H100", "3.00", PricingCategory.STANDARD),
    _offer("a100-12", "A100", "1.20", PricingCategory.COMMITTED, 12),
)


def _found(
    name: str = VISION.name,
    gpu_model: str = "H100",
    cost: float | None = 2750.0,
    known: tuple[float, TrainedNeed] | None = None,
    tables: Tables = TABLES,
) -> tuple[OtherHardware, ...]:
    work = replace(VISION, name=name)
    return other_hardware(work, gpu_model, (1000.0, cost), known, cheapest_rates(OFFERS), tables)


def test_rates_are_by_use_else_of_a_term() -> None:
    assert cheapest_rates(OFFERS) == {"L4": (0.4, "l4"), "H100": (3.0, "h100"), "A100": (1.2, "a100-12")}


def test_vision_goes_by_measured_speeds() -> None:
    found = {one.gpu_model: one for one in _found()}
    l4 = found["L4"]
    assert l4.gpu_hours_per_month == pytest.approx(7037, abs=0.5)  # 1,000 x 3.8 / 0.54
    assert l4.worth_below == pytest.approx(0.391, abs=0.0005)  # 2.75 x 0.54 / 3.8
    assert l4.cost_per_month == pytest.approx(0.4 * 1000 * 3.8 / 0.54)
    assert l4.run_hours == pytest.approx(10 * 3.8 / 0.54)
    assert (l4.low, l4.high) == pytest.approx([l4.ratio * side for side in VISION_BAND])
    assert l4.map_model == "H100=L4:0.142"
    assert l4.light is None  # it has less memory, and nobody knows what the work needs
    assert found["H200"].light is Light.GREEN
    assert (found["H200"].cost_per_month, found["H200"].offer_id) == (None, None)  # nobody sells it
    assert "H100" not in found
    assert [*found][:2] == ["A100", "L4"]  # $2,362 and $2,815, then those without a price


def test_a_known_model_goes_by_its_steps() -> None:
    steps = {
        "L4": TrainedNeed(memory_gib=30.0, step_s=8.0, slow_step_s=None, card_gib=24.0, band=(0.8, 1.2)),
        "A100": TrainedNeed(
            memory_gib=30.0,
            step_s=4.0,
            slow_step_s=None,
            card_gib=80.0,
            band=(0.8, 1.2),
            assumed="40% of peak assumed",
        ),
    }
    tables = replace(TABLES, trained=lambda billion, name, gpus, slow, called: steps.get(name or ""))
    a100, l4 = _found("sft", known=(8.0, TrainedNeed(memory_gib=30.0, step_s=2.0)), tables=tables)
    assert (a100.ratio, a100.low, a100.high, a100.gpu_hours_per_month) == (0.5, 0.4, 0.6, 2000.0)
    assert (a100.light, l4.light) == (Light.GREEN, Light.RED)
    assert (str(a100.source), str(l4.source)) == (
        "steps of its model; 40% of peak assumed",
        "steps of its model",
    )
    assert (a100.holds, l4.holds) == (True, False)  # cheaper, but last: it does not hold the run
    assert a100.cost_per_month == pytest.approx(2400)
    assert a100.worth_below == pytest.approx(2.75 / 2)


def test_nothing_is_said_of_work_that_nobody_measured_or_whose_cost_is_unknown() -> None:
    assert _found("sft") == ()
    assert _found(gpu_model="an accelerator") == ()
    assert {one.worth_below for one in _found(cost=None)} == {None}


MEMORY = {"L4": 24.0, "A100": 80.0, "L40S": 48.0, "H200": 141.0}


def _run(key: str, gpu_model: str, state: str, hours: int = 1) -> LoggedRun:
    return LoggedRun(
        key=key, gpu_model=gpu_model, job_id="1", milli_gpus=2000, start_s=0, end_s=3600 * hours, state=state
    )


def test_what_ran_out_of_memory_has_the_gpus_that_would_have_held_it() -> None:
    runs = [
        _run("known", "L4", "OUT_OF_MEMORY"),
        _run("known", "L4", "OUT_OF_MEMORY", 2),
        _run("unknown", "L4", "OUT_OF_MEMORY"),
        _run("ran", "L4", "OUT_OF_MEMORY"),
        _run("ran", "A100", "COMPLETED"),
        _run("ran", "L4", "COMPLETED"),
        _run("fine", "L4", "COMPLETED"),
        _run("strange", "X1", "OUT_OF_MEMORY"),
    ]
    found = out_of_memory(runs, {"known": 60.0}, MEMORY)
    assert {key: one.would_hold for key, (one,) in found.items()} == {
        "known": ("A100", "H200"),  # 48 GB is over 15% under what it needs
        "ran": ("A100", "H200"),
        "strange": (),
        "unknown": ("L40S", "A100", "H200"),
    }
    (known,) = found["known"]
    assert (known.jobs, known.gpu_hours, known.memory_gb, known.needs_gib) == (2, 6.0, 24.0, 60.0)
    assert found["strange"][0].memory_gb is None


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
