"""Training by hand: the memory of a model of powers of two, and what a way to hold GPUs costs.

A model of 2^33 parameters in 32 layers of 4,096 units reads 4,096 tokens: a GPU has 2^24 values of a layer in hand, at
32 bytes 0.5 GiB, 16 GiB in all layers; fully recomputed 1 GiB and one whole layer. Sharded over 16 GPUs its state is 16
bytes x 2^33 over 16, 8 GiB, and 8 bytes of a layer of 2^28, 2 GiB. Logits are 11 bytes x 4,096 x 2^15.
"""

from dataclasses import replace
from decimal import Decimal
from math import inf

import pytest

from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.trained import (
    Layout,
    Method,
    Recompute,
    Sharding,
    Stack,
    StatedRun,
    TrainedModel,
)
from gpuplanner.domain.reports.training import assumed_words
from gpuplanner.domain.training.choices import (
    Asked,
    best_choice,
    cheapest_way,
    cost_usd,
    sizes_of,
    virtual_of,
    worth_showing,
)
from gpuplanner.domain.training.memory import Memory, as_needed, fit_of, fitting, largest_model, memory_of
from gpuplanner.domain.training.run import Chip, Run, availability_of, checkpoint_of, efficiency
from gpuplanner.files.system.resources import model_of_catalogue, training_facts
from gpuplanner.files.system.training import trained_answer
from tests.domain.reports.reported_results import FITTING

CHIP = Chip("H100", 80.0, {"BF16": 1000.0})
SMALL = TrainedModel("m", 2.0**33, 2.0**33, 32, 4096, vocabulary=2**15)
RUN = Run(SMALL, CHIP, 16, Layout(), 16.0, 4096)
EXPERTS = replace(SMALL, active=2.0**31, experts_per_token=2, expert_share=0.25)
LOGITS = 11 * 4096 * 2**15 / 2**30


def parts(run: Run) -> tuple[float, float, float]:
    """GiB of state, activations and logits, less what fragmentation adds to each."""
    result = memory_of(run)
    return result.state / 1.05, result.activations / 1.05, result.logits / 1.05


@pytest.mark.parametrize(
    ("layout", "state", "activations", "logits"),
    [
        ({}, 10.0, 16.0, LOGITS),
        ({"recompute": Recompute.FULL}, 10.0, 1.0 + 0.5, LOGITS),
        ({"recompute": Recompute.SELECTIVE}, 10.0, 16.0 * 19 / 32, LOGITS),
        ({"micro_batch": 2.0}, 10.0, 32.0, 2 * LOGITS),
        ({"cp": 2}, 10.0, 8.0, LOGITS / 2),
        ({"sharding": Sharding.HSDP}, 16 * 8 / 8 + 2, 16.0, LOGITS),
        ({"sharding": Sharding.NONE}, 18 * 8.0, 16.0, LOGITS),
        ({"sharding": Sharding.ZERO1}, 6 * 8 + 12 * 8 / 16, 16.0, LOGITS),
        ({"sharding": Sharding.ZERO2}, 2 * 8 + 14 * 8 / 16, 16.0, LOGITS),
        ({"sharding": Sharding.ZERO1, "tp": 4}, 6 * 2 + 12 * 2 / 4, 4.0, LOGITS / 4),
        ({"sharding": Sharding.ZERO1, "tp": 4, "recompute": Recompute.FULL}, 18.0, 0.25 + 0.125, LOGITS / 4),
        ({"sharding": Sharding.ZERO1, "pp": 2}, 6 * 4 + 12 * 4 / 8, 16.0, 0.0),
        ({"sharding": Sharding.ZERO1, "pp": 2, "interleave": 2}, 30.0, 16 * 1.25, 0.0),
    ],
)
def test_memory_is_bytes_of_parameters_and_of_values_in_hand(
    layout: dict[str, object], state: float, activations: float, logits: float
) -> None:
    run = replace(RUN, layout=Layout(**layout))  # type: ignore[arg-type]
    assert parts(run) == pytest.approx((state, activations, logits))
    memory = memory_of(run)
    assert memory.gib == pytest.approx(1.05 * (state + activations + logits) + 4)
    assert memory.gib == memory.state + memory.activations + memory.logits + memory.reserve


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({"method": Method.LORA}, 2 * 8 / 16 + 4 * 0.25),
        ({"method": Method.LORA, "layout": Layout(sharding=Sharding.NONE)}, 16.0),
        ({"method": Method.QLORA, "layout": Layout(tp=2)}, 0.6 * 4),
    ],
)
def test_what_learns_beside_frozen_weights_is_small(changes: dict[str, object], state: float) -> None:
    assert memory_of(replace(RUN, **changes)).state / 1.05 == pytest.approx(state)  # type: ignore[arg-type]


def test_sequences_are_not_cut_by_what_is_not_tuned() -> None:
    layout = Layout(tp=4, sharding=Sharding.ZERO1, recompute=Recompute.FULL)
    assert parts(replace(RUN, layout=layout, stack=Stack.UNTUNED))[1] == pytest.approx(1.0 + 0.125)


def test_a_run_that_does_not_fit_is_recomputed_and_else_cut() -> None:
    large = replace(RUN, model=replace(SMALL, parameters=2.0**35, active=2.0**35))
    assert fit_of(RUN).light is Light.GREEN and as_needed(RUN).run.layout.recompute is Recompute.NONE
    plain = replace(large, layout=Layout(sharding=Sharding.NONE))
    assert fit_of(plain).light is Light.RED
    assert as_needed(plain, is_sharding_stated=False).run.layout.sharding is Sharding.FSDP
    assert as_needed(plain).run.layout.recompute is Recompute.FULL
    tall = replace(RUN, layout=Layout(micro_batch=8.0))
    assert (fitting(tall).change, fitting(RUN).change) == ("full_recomputation", "")
    wide = replace(large, gpus=2)
    assert (fitting(wide).change, fitting(wide).run.gpus) == ("more_gpus", 16)
    result = largest_model(RUN)
    assert result is not None and result == pytest.approx(largest_model(replace(RUN, layout=Layout(tp=8))))
    assert largest_model(replace(RUN, chip=replace(CHIP, memory_gb=1.0))) is None


def test_a_checkpoint_has_14_bytes_a_parameter_and_is_written_as_often_as_failures_ask() -> None:
    """140 GB at 10 GB/s stop it 14 s; 50,700 GPU-h over 507 GPUs are 100 h between failures: sqrt(2 x 14 s x 100 h)."""
    checkpoint = checkpoint_of(1e10)
    assert (checkpoint.gb, checkpoint.stall_s) == (140.0, 14.0)
    result = availability_of(checkpoint, 507)
    interval = (2 * 14 / 3600 * 100) ** 0.5
    assert result.interval_h == pytest.approx(interval)
    assert result.share == pytest.approx(1 - 14 / 3600 / interval - (interval / 2 + 0.25) / 100)


HOUR = Offer("h", "H100", PricingCategory.STANDARD, 0, Decimal(3))
TERM = Offer("t", "H100", PricingCategory.COMMITTED, 1, Decimal(1), upfront_usd=Decimal(10))


@pytest.mark.parametrize(
    ("offer", "gpus", "hours", "usd"),
    [
        (HOUR, 10, 100.0, 3000.0),
        (replace(HOUR, unit_gpus=8), 10, 100.0, 4800.0),
        (replace(HOUR, unit_gpus=8, min_gpus=16), 10, 100.0, 4800.0),
        (replace(HOUR, min_gpus=11), 10, 100.0, None),
        (replace(HOUR, max_gpus=10), 10, 100.0, 3000.0),
        (replace(HOUR, max_gpus=9), 10, 100.0, None),
        (HOUR, 10, inf, None),
        (replace(HOUR, rate_usd_per_gpu_hour=None), 10, 100.0, None),
        (replace(HOUR, pricing_category=PricingCategory.DYNAMIC), 10, 100.0, None),
        (TERM, 10, 730.0, 7400.0),
        (TERM, 10, 731.0, 14_800.0),
        (replace(TERM, min_term_months=2), 10, 100.0, None),
        (replace(TERM, min_term_months=1), 10, 100.0, 7400.0),
    ],
)
def test_gpus_are_held_by_the_hour_or_for_whole_terms(
    offer: Offer, gpus: int, hours: float, usd: float | None
) -> None:
    assert cost_usd(offer, gpus, hours) == usd


def test_the_cheapest_way_is_there_in_time() -> None:
    slow = replace(TERM, offer_id="slow", lead_time_hours=50.0)
    assert cheapest_way((HOUR, TERM), 10, 100.0, Asked(1e9)) == (HOUR, 3000.0)
    assert cheapest_way((HOUR, TERM), 10, 700.0, Asked(1e9)) == (TERM, 7400.0)
    assert cheapest_way((slow,), 10, 100.0, Asked(1e9, deadline_h=150.0)) == (slow, 7400.0)
    assert cheapest_way((slow,), 10, 100.0, Asked(1e9, deadline_h=149.0)) == (None, None)
    assert sizes_of(8, 24) == (24,) and sizes_of(8, None)[:4] == (8, 16, 32, 64)


def test_the_best_choice_has_fewest_dollars_of_those_that_fit() -> None:
    """The run of 16 GPUs costs $4,000; of 125 h at $2.50 5% and 10% more are $5,250 and $5,500."""
    dear, late = replace(FITTING, usd=5000.0), replace(FITTING, usd=1.0, meets_deadline=False)
    tight = replace(FITTING, usd=2.0, fit=replace(FITTING.fit, memory=Memory(80.0, 10.0, 5.0, 2.0)))
    red = replace(FITTING, usd=3.0, fit=replace(FITTING.fit, memory=Memory(180.0, 10.0, 5.0, 2.0)))
    unpriced = replace(FITTING, usd=None)
    assert best_choice((dear, late, tight, red, unpriced, FITTING)) is FITTING
    assert (
        best_choice((late, red)) is None
        and best_choice((tight,)) is None  # 97 GiB on 80 may not fit: no advice
        and best_choice((unpriced,)) is unpriced
    )
    assert worth_showing((red, red)) == (red,) and worth_showing((red, FITTING, dear)) == (FITTING, dear)
    result = virtual_of(FITTING, Asked(1e9, virtual=(0.05, 0.1)))
    assert result is not None and (result.hours_low, result.hours_high) == pytest.approx((131.25, 137.5))
    assert (result.usd_low, result.usd_high) == pytest.approx((1250.0, 1500.0))
    assert virtual_of(FITTING, Asked(1e9)) is None


def test_what_is_measured_comes_before_what_is_assumed_at_equal_cost() -> None:
    assert FITTING.finish is not None
    step = replace(FITTING.finish.step, note="B200: 40% of peak assumed", is_assumed=True)
    assumed = replace(FITTING, finish=replace(FITTING.finish, step=step, hours=1.0))
    assert best_choice((assumed, FITTING)) is best_choice((FITTING, assumed)) is FITTING
    assert best_choice((replace(assumed, usd=3999.0), FITTING)) is not FITTING
    assert assumed_words(assumed) == "40% of peak assumed" and assumed_words(FITTING) == ""


def test_a_gpu_without_a_measurement_says_what_is_assumed_and_a_variant_of_one_with_says_nothing() -> None:
    factors = training_facts().factors
    unknown = efficiency(factors, "B200", "BF16", is_dense=True)
    assert (unknown.share, unknown.note, unknown.is_assumed) == (0.4, "B200: 40% of peak assumed", True)
    for name in ("A100", "A100 80GB", "A100 40GB"):
        assert efficiency(factors, name, "BF16", is_dense=True).note == ""
    other = efficiency(factors, "H100 PCIe", "BF16", is_dense=True)
    assert "as H100" in other.note and not other.is_assumed


def test_a_network_costs_the_hours_more_of_the_whole_run_at_the_rate_of_the_offer() -> None:
    """A node of 8 H100 has 8 x 400 Gb/s; 64 GPUs at $2.75 pay for each hour more on a slower one."""
    model = model_of_catalogue("Llama-3-8B")
    assert model is not None
    sold = (Offer("h", "H100", PricingCategory.STANDARD, 0, Decimal("2.75")),)
    answer = trained_answer(StatedRun(model, 1e12, "H100", gpus=64), sold, Assumptions(), (), 0)
    choice, rows = answer.choices[0], answer.networks
    assert choice.finish is not None and choice.run.node_gbps == 3200.0
    base = choice.finish.hours
    assert len(rows) > 2 and (rows[-1].nic_gbps, rows[-1].times, rows[-1].hours) == (3200.0, 1.0, 0.0)
    assert rows[0].hours > rows[1].hours > 0
    for row in rows:
        assert row.times == pytest.approx(1 + row.hours / (1.25 * base))
        assert row.usd == pytest.approx(row.hours * 64 * 2.75)
    low, high = choice.finish.hours_low, choice.finish.hours_high
    assert (low, high) == pytest.approx((base / 1.19, base / 0.79))
    unpriced = trained_answer(StatedRun(model, 1e12, "H100", gpus=64), (), Assumptions(), (), 0)
    assert [row.usd for row in unpriced.networks] == [None] * len(rows)


@pytest.mark.parametrize(
    ("vocabulary", "activations", "logits"), [(2**15, 4.0, 0.0), (2**17, 4.0, 0.0), (2**18, 2.0, 2.75)]
)
def test_the_last_of_two_stages_has_the_logits_and_half_of_the_values(
    vocabulary: int, activations: float, logits: float
) -> None:
    """Of a quarter of the values, 4 GiB, two are in the last stage: with logits of over 2 GiB it is the fullest."""
    layout = Layout(pp=2, cp=1, tp=1, sharding=Sharding.ZERO1, micro_batch=0.25)
    run = replace(RUN, model=replace(SMALL, vocabulary=vocabulary), layout=layout)
    assert parts(run)[1:] == pytest.approx((activations, logits))
