"""A workload on other GPU models: by measured speeds, by its model's steps; and what would have held it."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.fit.other_hardware import (
    VISION_BAND,
    OtherHardware,
    cheapest_rates,
    other_hardware,
    out_of_memory,
)
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.intake import LoggedRun
from gpuplanner.domain.model.tables import PricingCategory, Tables, TrainedNeed
from gpuplanner.files.system.resources import read_tables

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
