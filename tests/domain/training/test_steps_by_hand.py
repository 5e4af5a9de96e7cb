"""A step by hand: 2^33 parameters on 16 GPUs of 1,000 TFLOP/s, half of which they reach, one sequence of 4,096 a GPU.

A token takes 6 FLOP a parameter, and the small model's share more; between two nodes of 8 an eighth of 6 bytes a
parameter crosses for each GPU, at 400 Gb/s.
"""

from dataclasses import replace
from decimal import Decimal
from math import inf

import pytest

from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.trained import Layout, Method, Recompute, Sharding, Stack, TrainedModel
from gpuplanner.domain.training.choices import (
    Asked,
    cheapest_way,
    choice_of,
    cost_usd,
    network_costs,
    notes_of,
    sizes_of,
    with_usual_batch,
    worth_showing,
)
from gpuplanner.domain.training.memory import (
    as_needed,
    fit_of,
    fitting,
    largest_model,
    memory_of,
    need_of_run,
    run_of_model,
    usual_model,
)
from gpuplanner.domain.training.run import (
    Checkpoint,
    Chip,
    Efficiency,
    Factors,
    MeasuredRun,
    Run,
    Step,
    availability_of,
    efficiency,
    finish_of,
    network_s_of,
    step_of,
    usual_cut,
)
from tests.domain.reports.reported_results import FITTING

P = 2.0**33
CHIP = Chip("H100", 80.0, {"BF16": 1000.0, "FP8": 2000.0, "FP4": 4000.0}, nic_gbps=400.0)
SMALL = TrainedModel("m", P, P, 32, 4096, vocabulary=2**15)
RUN = Run(SMALL, CHIP, 16, Layout(), 16.0, 4096)
MIX = replace(SMALL, active=P / 4, experts_per_token=2, expert_share=0.25)
"""All of its parameters are in experts: (P - P / 4) / (1 - 1 / 4)."""
FACTORS = Factors(
    {("H100", "BF16", "dense"): Efficiency(0.5), ("H100", "BF16", "moe"): Efficiency(0.25)}, {"H200": "H100"}
)
TOKEN_S = 6 * P / 500e12
MORE = 1 + 0.101e9 / P
COMPUTE_S = 4096 * TOKEN_S * MORE
NETWORK_S = 6 * P / 8 / 50e9
ATTENTION = 6 * 32 * 4096 * 4096


def step(run: Run) -> Step:
    result = step_of(run, FACTORS)
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("changes", "compute", "network"),
    [
        ({}, 1.0, 1.0),
        ({"batch": 64.0}, 4.0, 4.0),  # every micro-step crosses where each holds a part
        ({"batch": 64.0, "layout": Layout(sharding=Sharding.ZERO1)}, 4.0, 1.0),
        ({"batch": 64.0, "layout": Layout(micro_batch=2.0)}, 4.0, 2.0),
        ({"batch": 8.0}, 0.5 * 2**0.154, 1.0),  # half a sequence a GPU
        ({"layout": Layout(recompute=Recompute.FULL)}, 1.238, 1.0),
        ({"layout": Layout(recompute=Recompute.SELECTIVE)}, 1.0, 1.0),
        ({"layout": Layout(sharding=Sharding.HSDP)}, 1.0, 4 / 6),
        ({"stack": Stack.PLAIN}, 1 / 0.807, 1.0),
        ({"stack": Stack.UNTUNED}, 1 / 0.58, 1.0),
        ({"stack": Stack.MLPERF}, 1 / 0.885, 1.0),
        ({"method": Method.LORA, "stack": Stack.MLPERF}, 4 / 6 / 0.831, 4 / 6),
        ({"method": Method.QLORA}, 4 / 6, 4 / 6),
        ({"method": Method.LORA, "layout": Layout(sharding=Sharding.ZERO1)}, 4 / 6, 0.02 / 6),
        # 4 stages: 4 copies take 16 micro-batches each of 64; a quarter of the parameters crosses over 8 / 4 copies
        ({"batch": 64.0, "layout": Layout(pp=4, sharding=Sharding.ZERO1)}, 4 * (1 + 3 / (4 * 16)), 1.0),
        (
            {"batch": 64.0, "stack": Stack.UNTUNED, "layout": Layout(pp=4, sharding=Sharding.ZERO1)},
            4 * (1 + 3 / 16) / 0.58,
            1.0,
        ),
        (
            {"batch": 64.0, "layout": Layout(pp=4, interleave=2, sharding=Sharding.ZERO1)},
            4 * (1 + 3 / (2 * 16)),
            1.0,
        ),
        ({"precision": "FP8"}, 1 / (2 * 0.75), 1.0),
        ({"precision": "FP4"}, 1 / (4 * 0.5), 1.0),
        ({"nic_gbps": 800.0}, 1.0, 4.0),  # 100 Gb/s a GPU
        ({"nic_gbps": 800.0, "is_rdma": False}, 1.0, 64.0),  # 50 Gb/s a node
        ({"nic_gbps": 40.0, "is_rdma": False}, 1.0, 80.0),
        ({"gpus": 8, "batch": 8.0}, 1.0, 0.0),
        ({"chip": replace(CHIP, nic_gbps=None)}, 1.0, 0.0),
        ({"chip": replace(CHIP, domain=16)}, 1.0, 0.0),
        ({"chip": replace(CHIP, domain=9)}, 1.0, 8 / 9),
        ({"chip": replace(CHIP, domain=4)}, 1.0, 1.0),  # a node's own links join 8
        ({"gpus_per_node": 4}, 1.0, 1.0),  # as do links of the chip
        ({"gpus_per_node": 4, "chip": replace(CHIP, domain=2)}, 1.0, 2.0),
        ({"gpus_per_node": 16}, 1.0, 0.0),
        ({"gpus_per_node": 16, "chip": replace(CHIP, domain=9)}, 1.0, 8 / 9),
    ],
)
def test_a_step_computes_and_exchanges(changes: dict[str, object], compute: float, network: float) -> None:
    result = step(replace(RUN, **changes))  # type: ignore[arg-type]
    assert result.compute_s == pytest.approx(compute * COMPUTE_S)
    assert result.network_s == pytest.approx(network * NETWORK_S)


@pytest.mark.parametrize("gbps", [3200.0, 800.0, 100.0])
def test_computing_hides_two_thirds_of_itself_and_a_fifth_of_the_network_always_shows(gbps: float) -> None:
    """At 3,200 Gb/s a node the network takes 0.13 s of 0.42 s; at 100 it takes 4.1."""
    result = step(replace(RUN, nic_gbps=gbps))
    network_s = NETWORK_S * 3200 / gbps
    shown = {
        3200.0: 0.2 * network_s,
        800.0: network_s - 0.667 * COMPUTE_S,
        100.0: network_s - 0.667 * COMPUTE_S,
    }
    assert result.step_s == pytest.approx(COMPUTE_S + shown[gbps])
    rate = 4096 / result.step_s
    assert (result.tokens_per_s_per_gpu, result.low, result.high) == pytest.approx(
        (rate, 0.79 * rate, 1.19 * rate)
    )
    assert result.mfu == pytest.approx(rate * 6 * P / 1000e12)
    assert result.hidden_from == pytest.approx(network_s / (0.667 * TOKEN_S))
    assert result.network_share == pytest.approx(1 - COMPUTE_S / result.step_s)
    often = step(replace(RUN, nic_gbps=gbps, batch=64.0))
    assert often.hidden_from == pytest.approx(result.hidden_from)


def test_attention_takes_its_own_share_of_the_peak() -> None:
    run = replace(RUN, model=replace(SMALL, attention_layers=32, attention_width=4096))
    result = step(run)
    attention_s = ATTENTION / (0.238 * 1000e12)
    assert result.compute_s == pytest.approx(COMPUTE_S + 4096 * attention_s)
    assert result.mfu == pytest.approx(result.tokens_per_s_per_gpu * (6 * P + ATTENTION) / 1000e12)
    assert step(replace(run, precision="FP8")).compute_s == pytest.approx(
        COMPUTE_S / 1.5 + 4096 * attention_s
    )


@pytest.mark.parametrize(
    ("layout", "gpus", "network"),
    [
        (Layout(), 16, P / 8),  # cut by nothing: over 8 copies of a node
        (Layout(ep=8), 16, P / 8),
        (Layout(ep=2), 16, P / 2 / 4),
        (Layout(ep=16), 16, 0.0),  # nobody else has them
        (Layout(ep=4, pp=2, sharding=Sharding.ZERO1), 16, P / 8),
        (Layout(ep=16), 32, P / 16),
    ],
)
def test_experts_cross_between_their_copies(layout: Layout, gpus: int, network: float) -> None:
    """A mixture reaches a quarter of the peak, without a small model's share; its band is wider."""
    result = step(replace(RUN, model=MIX, layout=layout, gpus=gpus, batch=float(gpus)))
    micro_steps = layout.pp if layout.sharding is Sharding.FSDP else 1
    assert result.network_s == pytest.approx(6 * network * micro_steps / 50e9)
    if layout == Layout():
        assert result.compute_s == pytest.approx(4096 * 6 * P / 4 / 250e12)
        rate = result.tokens_per_s_per_gpu
        assert (result.low, result.high) == pytest.approx((0.6 * rate, 1.7 * rate))


def test_half_of_a_mixture_is_dense() -> None:
    """Of P with 5/8 P active and a quarter of the experts a token, half is in experts: each half is cut its own way."""
    model = replace(MIX, active=P * 5 / 8)
    assert model.expert_parameters == P / 2
    run = replace(RUN, model=model, layout=Layout(tp=2, ep=4, sharding=Sharding.ZERO1))
    assert network_s_of(run) == pytest.approx(6 * (P / 2 / 2 / 4 + P / 2 / 4 / 2) / 50e9)


@pytest.mark.parametrize(
    ("chip", "precision", "is_dense", "share", "is_noted"),
    [
        ("H100", "BF16", True, 0.5, False),
        ("H100", "BF16", False, 0.25, False),
        ("H200", "BF16", True, 0.5, True),
        ("H100", "FP8", True, 0.375, True),
        ("H200", "FP4", False, 0.125, True),
        ("H100", "INT8", True, 0.4, True),
        ("B200", "BF16", True, 0.4, True),
        ("B200", "FP8", False, 0.2, True),
    ],
)
def test_efficiency_is_measured_borrowed_or_usual(
    chip: str, precision: str, share: float, *, is_dense: bool, is_noted: bool
) -> None:
    result = efficiency(FACTORS, chip, precision, is_dense=is_dense)
    assert (result.share, bool(result.note)) == (share, is_noted)


def test_a_sister_is_asked_in_the_precision_before_the_chip_in_another() -> None:
    shares = {("B200", "BF16", "dense"): Efficiency(0.6), ("H100", "FP8", "dense"): Efficiency(0.7)}
    factors = Factors(shares, {"B200": "H100"})
    assert efficiency(factors, "B200", "FP8", is_dense=True).share == 0.7
    assert efficiency(Factors(shares), "B200", "FP8", is_dense=True).share == pytest.approx(0.45)


def test_a_run_has_nodes_ports_and_micro_steps() -> None:
    assert [replace(RUN, gpus=gpus).nodes for gpus in (1, 8, 9, 16)] == [1, 1, 2, 2]
    assert (RUN.node_gbps, replace(RUN, nic_gbps=100.0).node_gbps) == (3200.0, 100.0)
    assert replace(RUN, chip=replace(CHIP, nic_gbps=None)).node_gbps is None
    assert (RUN.tokens_per_step, RUN.micro_steps) == (65_536, 1.0)
    assert replace(RUN, batch=4.0).micro_steps == 1.0
    assert replace(RUN, batch=64.0, layout=Layout(tp=2, cp=2)).micro_steps == 16.0
    chip = replace(CHIP, bandwidth_tb_per_s=3.35)
    assert (chip.flop_per_byte, CHIP.flop_per_byte) == (299, None)  # 1,000 / 3.35
    assert replace(chip, tflops={}).flop_per_byte is None


@pytest.mark.parametrize(("gb", "gpus", "cut"), [(80.0, 16, 4), (80.0, 2, 2), (400.0, 16, 1), (40.0, 16, 8)])
def test_a_copy_is_cut_until_it_fills_three_fifths_of_a_card(gb: float, gpus: int, cut: int) -> None:
    """18 bytes x 2^33 are 155 GB: over 4 GPUs 39 GB of 48."""
    assert usual_cut(replace(RUN, gpus=gpus, chip=replace(CHIP, memory_gb=gb))) == cut


# --- When it is done


def test_a_run_is_done_once_its_tokens_are_through() -> None:
    """14 bytes x 2^33 are 120 GB, at 20 GB/s 6 s; 50,700 GPU-h over 16 are 3,169 h between failures."""
    result = finish_of(RUN, 1e12, FACTORS, 20.0)
    assert result is not None
    assert (result.checkpoint.gb, result.checkpoint.stall_s) == pytest.approx((14 * P / 1e9, 14 * P / 20e9))
    between, stall = 50_700 / 16, 14 * P / 20e9 / 3600
    interval = (2 * stall * between) ** 0.5
    share = 1 - stall / interval - (interval / 2 + 0.25) / between
    assert result.availability.share == pytest.approx(share)
    hours = 1e12 / 65_536 * step(RUN).step_s / 3600 / share
    assert (result.hours, result.hours_low, result.hours_high) == pytest.approx(
        (hours, hours / 1.19, hours / 0.79)
    )
    endless = finish_of(replace(RUN, gpus=400_000, batch=4e5), 1e12, FACTORS, 0.01)
    assert (
        endless is not None and endless.hours == endless.hours_low == inf and endless.availability.share <= 0
    )


def test_a_checkpoint_of_adapters_has_a_hundredth_of_the_parameters() -> None:
    result = finish_of(replace(RUN, method=Method.LORA), 1e12, FACTORS, 20.0)
    assert result is not None and result.checkpoint.gb == pytest.approx(0.14 * P / 1e9)


def test_checkpoints_are_no_more_frequent_than_they_take() -> None:
    """An hour between failures, and 3 h for a checkpoint: sqrt(6) h is less than it takes."""
    result = availability_of(Checkpoint(1.0, 3 * 3600.0), 50_700)
    assert (result.interval_h, result.share) == (3.0, pytest.approx(1 - 1 - 1.75))


@pytest.mark.parametrize(
    ("gpus", "hours", "low", "high"),
    [
        (64, 100.0, 100.0, 100.0),
        (128, 50 / 0.83, 50 / 0.98, 50 / 0.78),
        (256, 25 / 0.83**2, 25 / 0.98**2, 25 / 0.78**2),
        (32, 200 * 0.83, 200 * 0.78, 200 * 0.98),
    ],
)
def test_a_measured_run_keeps_a_share_of_each_doubling(
    gpus: int, hours: float, low: float, high: float
) -> None:
    run = MeasuredRun(100.0, 64)
    assert run.hours_on(gpus) == pytest.approx(hours)
    assert run.band_on(gpus) == pytest.approx((low, high))
    assert run.doublings(gpus) == {32: -1, 64: 0, 128: 1, 256: 2}[gpus]


def test_a_band_holds_the_hours_of_a_doubling_outside_it() -> None:
    assert MeasuredRun(100.0, 64, 1.0).band_on(128) == pytest.approx((50.0, 50 / 0.78))
    assert MeasuredRun(100.0, 64, 0.5).band_on(128) == pytest.approx((50 / 0.98, 100.0))


# --- Choices

HOUR = Offer("h", "H100", PricingCategory.STANDARD, 0, Decimal(3))
ASKED = Asked(1e11, kw={"H100": 0.9})


def test_a_choice_has_the_hours_dollars_and_energy_of_its_run() -> None:
    result = choice_of(RUN, ASKED, FACTORS, (HOUR,))
    finish = finish_of(RUN, 1e11, FACTORS)
    assert finish is not None and result.finish == finish and result.offer is HOUR
    assert result.usd == pytest.approx(16 * 3 * 1.25 * finish.hours)
    assert (result.usd_low, result.usd_high) == pytest.approx(
        (16 * 3 * 0.9 * finish.hours, 16 * 3 * 1.75 * finish.hours)
    )
    assert result.kwh == pytest.approx(0.9 * 16 * 1.25 * finish.hours)
    assert (result.meets_deadline, result.remedy, result.why) == (None, None, "")
    assert choice_of(RUN, replace(ASKED, kw={}), FACTORS, (HOUR,)).kwh is None
    plain = choice_of(RUN, ASKED, FACTORS, ())
    assert (plain.offer, plain.usd, plain.usd_low, plain.finish) == (None, None, None, finish)


def test_a_deadline_is_kept_with_an_offer_that_is_there_in_time() -> None:
    finish = finish_of(RUN, 1e11, FACTORS)
    assert finish is not None
    slow = replace(HOUR, offer_id="s", lead_time_hours=10.0)
    for offers, hours, meets in (
        ((HOUR,), finish.whole_hours, True),
        ((HOUR,), finish.whole_hours - 0.1, False),
        ((slow,), finish.whole_hours + 10, True),
        ((slow,), finish.whole_hours + 9, False),
        ((), finish.whole_hours, True),
        ((), finish.whole_hours - 0.1, False),
    ):
        result = choice_of(RUN, replace(ASKED, deadline_h=hours), FACTORS, offers)
        assert result.meets_deadline is meets
        assert (result.usd is None) is (not offers)
    red = replace(RUN, chip=replace(CHIP, memory_gb=1.0))
    assert choice_of(red, replace(ASKED, deadline_h=1e9), FACTORS, (HOUR,)).meets_deadline is False


def test_a_run_is_on_the_network_of_the_offer_that_costs_least() -> None:
    """On 100 Gb/s it takes about five times as long: cheaper by the hour alone is dearer."""
    slow = replace(HOUR, offer_id="s", nic_gbps=100.0, rate_usd_per_gpu_hour=Decimal(2))
    assert choice_of(RUN, ASKED, FACTORS, (HOUR, slow)).offer is HOUR
    cheap = replace(slow, rate_usd_per_gpu_hour=Decimal("0.1"))
    result = choice_of(RUN, ASKED, FACTORS, (HOUR, cheap))
    assert result.offer is cheap and result.run.nic_gbps == 100.0
    stated = choice_of(replace(RUN, nic_gbps=800.0), ASKED, FACTORS, (HOUR, slow))
    assert stated.offer is slow and stated.run.nic_gbps == 800.0
    one_node = choice_of(replace(RUN, gpus=8, batch=8.0), ASKED, FACTORS, (HOUR, slow))
    assert one_node.offer is slow and one_node.run.nic_gbps is None
    for rdma, word, expected in (
        (None, "ethernet", False),
        (None, "infiniband", True),
        (True, "ethernet", True),
        (False, "x", False),
    ):
        offer = replace(HOUR, rdma=rdma, interconnect=word, nic_gbps=800.0)
        assert choice_of(RUN, ASKED, FACTORS, (offer,)).run.is_rdma is expected
    assert not choice_of(replace(RUN, is_rdma=False), ASKED, FACTORS, (replace(HOUR, rdma=True),)).run.is_rdma


def test_a_run_that_does_not_fit_is_recomputed_unless_it_says_never() -> None:
    """8 GiB of state, 2 of a layer, 16 of activations and 1.4 of logits: 32.6 GiB with reserve; recomputed 17.5."""
    tight = replace(RUN, chip=replace(CHIP, memory_gb=18.0))
    result = choice_of(tight, ASKED, FACTORS, ())
    assert result.run.layout.recompute is Recompute.FULL and result.why == "" and result.remedy is None
    some = choice_of(replace(RUN, chip=replace(CHIP, memory_gb=27.0)), ASKED, FACTORS, ())
    assert some.run.layout.recompute is Recompute.SELECTIVE  # 25.9 GiB
    never = replace(tight, layout=Layout(recompute=Recompute.NEVER))
    refused = choice_of(never, ASKED, FACTORS, (), ())
    assert refused.fit.light is Light.RED and refused.run.layout.recompute is Recompute.NONE
    assert refused.remedy is not None and refused.remedy.change == "full_recomputation"
    stated = choice_of(replace(tight, layout=Layout(recompute=Recompute.FULL)), ASKED, FACTORS, (), ())
    assert stated.why == "" and stated.remedy is None
    hopeless = choice_of(replace(RUN, chip=replace(CHIP, memory_gb=0.1)), ASKED, FACTORS, ())
    assert (hopeless.fit.light, hopeless.remedy) == (Light.RED, None)


def test_a_precision_that_is_not_known_has_no_hours() -> None:
    result = choice_of(replace(RUN, precision="INT8"), replace(ASKED, deadline_h=1.0), FACTORS, (HOUR,))
    assert (result.finish, result.offer, result.usd, result.kwh, result.meets_deadline) == (None,) * 5
    assert notes_of(result) == (result.why,) and result.why
    borrowed = choice_of(replace(RUN, precision="FP8"), ASKED, FACTORS, ())
    assert borrowed.finish is not None and notes_of(borrowed) == (borrowed.finish.step.note,)
    assert notes_of(choice_of(RUN, ASKED, FACTORS, ())) == ()


def test_a_measured_run_has_its_own_hours_up_to_two_doublings() -> None:
    asked = replace(ASKED, measured=MeasuredRun(40.0, 16))
    texts = set()
    for gpus in (4, 16, 64, 128):
        result = choice_of(
            replace(RUN, gpus=gpus, batch=float(gpus), layout=Layout(recompute=Recompute.FULL)),
            asked,
            FACTORS,
            (),
        )
        assert result.finish is not None
        assert result.finish.hours == pytest.approx(
            40 * 16 / gpus / 0.83 ** {4: -2, 16: 0, 64: 2, 128: 3}[gpus]
        )
        assert (result.finish.hours_low, result.finish.hours_high) == asked.measured.band_on(gpus)
        texts.add((gpus == 128, str(result.why)))
    assert len(texts) == 2  # another text for three doublings
    assert network_costs(choice_of(RUN, asked, FACTORS, (HOUR,)), asked, FACTORS) == ()


def test_networks_are_usual_ones_up_to_that_of_the_node_and_the_stated() -> None:
    choice = choice_of(replace(RUN, nic_gbps=600.0), ASKED, FACTORS, (HOUR,))
    rows = network_costs(choice, ASKED, FACTORS)
    assert [row.nic_gbps for row in rows] == [100.0, 400.0, 600.0, 800.0, 1600.0, 3200.0]
    best = finish_of(RUN, 1e11, FACTORS)
    for row in rows:
        finish = finish_of(replace(RUN, nic_gbps=row.nic_gbps), 1e11, FACTORS)
        assert best is not None and finish is not None
        assert row.hours == pytest.approx(1.25 * (finish.hours - best.hours))
        assert row.times == pytest.approx(finish.hours / best.hours)
        assert row.usd == pytest.approx(1.25 * (finish.hours - best.hours) * 16 * 3)
        assert row.hidden_from_tokens == finish.step.hidden_from
    assert network_costs(choice_of(replace(RUN, gpus=8, batch=8.0), ASKED, FACTORS, ()), ASKED, FACTORS) == ()
    unknown = replace(RUN, chip=replace(CHIP, nic_gbps=None))
    assert network_costs(choice_of(unknown, ASKED, FACTORS, ()), ASKED, FACTORS) == ()
    assert network_costs(replace(choice, finish=None), ASKED, FACTORS) == ()
    assert {row.usd for row in network_costs(replace(choice, offer=None), ASKED, FACTORS)} == {None}
    for row, own in zip(rows, network_costs(choice, replace(ASKED, whole_run=1.5), FACTORS), strict=True):
        assert own.hours == pytest.approx(row.hours * 1.5 / 1.25)


def test_orders_end_and_blocks_hold_a_run_once() -> None:
    """A block of 30 days from its start to its end is had once: $1 x 720 h; 721 h need another."""
    block = Offer(
        "b",
        "H100",
        PricingCategory.COMMITTED,
        0,
        Decimal(1),
        term_days=30,
        starts="2026-01-01",
        ends="2026-01-31",
    )
    assert block.term_hours == 720
    assert (cost_usd(block, 1, 720.0), cost_usd(block, 1, 721.0)) == (720.0, None)
    open_end = replace(block, ends=None, starts=None)
    assert (cost_usd(open_end, 2, 720.0), cost_usd(open_end, 2, 721.0)) == (1440.0, 2880.0)
    assert cost_usd(replace(open_end, term_days=None), 2, 10.0) is None
    now_s = 1_767_225_600  # 1 January 2026
    assert cheapest_way((block,), 1, 10.0, Asked(1e9, now_s + 29 * 86_400))[0] in (block, None)
    assert cheapest_way((block,), 1, 10.0, Asked(1e9, block.ends_s)) == (None, None)
    closed = replace(HOUR, valid_until="2026-01-10")
    assert cheapest_way((closed,), 1, 10.0, Asked(1e9, now_s)) == (closed, 30.0)
    assert cheapest_way((closed,), 1, 10.0, Asked(1e9, now_s + 30 * 86_400)) == (None, None)
    twin = replace(HOUR, offer_id="a")
    assert cheapest_way((HOUR, twin), 1, 10.0, Asked(1e9))[0] is twin
    month = Offer("m", "H100", PricingCategory.COMMITTED, 1, Decimal(3))
    assert cheapest_way((month, HOUR), 1, 730.0, Asked(1e9))[0] is HOUR  # as dear, and of no term


def test_sizes_double_up_to_the_largest_run() -> None:
    assert sizes_of(8, None) == tuple(8 * 2**at for at in range(12))
    assert with_usual_batch(RUN, None).batch == 2**22 / 4096
    assert with_usual_batch(RUN, 3.0).batch == 3.0
    wide = replace(RUN, gpus=2048, layout=Layout(micro_batch=2.0))
    assert with_usual_batch(wide, None).batch == 4096.0


@pytest.mark.parametrize(
    ("meets", "shown"),
    [
        ([None] * 8, 4),
        ([None] * 2, 2),
        ([False, False, False, True, True, True], 5),
        ([False] * 5 + [True, True, True], 7),
        ([True] * 8, 4),
        ([False] * 8, 4),
    ],
)
def test_rows_are_shown_until_one_after_the_deadline_is_kept(meets: list[bool | None], shown: int) -> None:
    rows = [replace(FITTING, meets_deadline=each, usd=float(at)) for at, each in enumerate(meets)]
    red = replace(FITTING, fit=replace(FITTING.fit, memory=replace(FITTING.fit.memory, state=900.0)))
    assert worth_showing([red, *rows]) == tuple(rows[:shown])
    assert worth_showing([red, red]) == (red,) and worth_showing([]) == ()


# --- What would fit


@pytest.mark.parametrize(
    ("changes", "change", "gpus"),
    [
        ({"memory_gb": 80.0}, "", 16),
        ({"memory_gb": 25.0}, "full_recomputation", 16),
        ({"memory_gb": 14.0}, "more_gpus", 32),
    ],
)
def test_the_first_change_that_makes_it_fit_is_the_remedy(
    changes: dict[str, float], change: str, gpus: int
) -> None:
    result = fitting(replace(RUN, chip=replace(CHIP, **changes)))
    assert (result.change, result.run.gpus) == (change, gpus)


def test_a_model_too_large_for_any_number_of_gpus_is_cut_or_only_adapted() -> None:
    """However many hold it, a whole layer is gathered: 8 bytes x 2^33 of 32. Cut over 8 it is an eighth of 18 x 2^33
    less what the copies share; in stages less again."""
    huge = replace(SMALL, parameters=P * 64, active=P * 64)
    wide = replace(RUN, model=huge, gpus=1024, batch=1024.0)
    cut = fitting(wide)
    assert cut.light is not Light.RED and cut.change in ("tensor_parallel_8", "pipeline")
    assert cut.run.layout.tp == 8 and cut.run.layout.sharding is Sharding.ZERO1
    if cut.change == "pipeline":
        less = replace(cut.run, layout=replace(cut.run.layout, pp=max(1, cut.run.layout.pp // 2)))
        assert fit_of(less).light is Light.RED


@pytest.mark.parametrize(
    ("layout", "state"),
    [
        (Layout(ep=2, sharding=Sharding.ZERO1), 4 * (6 + 12 / 8)),
        (Layout(sharding=Sharding.ZERO1), 8 * (6 + 12 / 16)),
        (Layout(ep=32, sharding=Sharding.ZERO2), 0.25 * (2 + 14)),
        (Layout(ep=2, pp=2, sharding=Sharding.ZERO1), 2 * (6 + 12 / 4)),
        (Layout(tp=2, pp=2, sharding=Sharding.NONE), 2 * 18),
    ],
)
def test_experts_share_their_optimizer_among_their_own_copies(layout: Layout, state: float) -> None:
    """8 GiB of parameters, all of them in experts, over as many GPUs as hold one copy of these."""
    assert memory_of(replace(RUN, model=MIX, layout=layout)).state / 1.05 == pytest.approx(state)


def test_a_usual_model_is_128_units_a_layer() -> None:
    """12 x 128^2 x 32^3 parameters are 32 layers of 4,096."""
    model = usual_model(12 * 128**2 * 32**3)
    assert (model.layers, model.hidden, model.attention_layers, model.attention_width) == (32, 4096, 32, 4096)
    assert model.vocabulary == 32_000 and model.is_dense
    assert usual_model(1.0).layers == 1
    unknown = replace(SMALL, parameters=12 * 128**2 * 32**3, layers=None, hidden=None, vocabulary=None)
    known = replace(unknown, layers=32, hidden=4096, vocabulary=32_000)
    assert memory_of(replace(RUN, model=unknown)) == memory_of(replace(RUN, model=known))


def test_the_largest_model_is_recomputed_and_fully_sharded() -> None:
    stated = replace(RUN, layout=Layout(tp=2, pp=2, ep=2, sharding=Sharding.NONE))
    largest = largest_model(stated)
    assert largest is not None and largest == largest_model(RUN)
    layout = Layout(recompute=Recompute.FULL)
    for parameters, is_held in ((largest, True), (largest * 1.001, False)):
        model = replace(usual_model(parameters), vocabulary=2**15)
        assert fit_of(replace(RUN, model=model, layout=layout)).holds is is_held


@pytest.mark.parametrize(
    ("name", "gpus", "method", "count"),
    [("sft", 16.4, Method.FULL, 16), ("LoRA-x", 0.2, Method.LORA, 1), ("a-QLoRA", 8.0, Method.QLORA, 8)],
)
def test_a_workload_runs_as_logs_have_most(name: str, gpus: float, method: Method, count: int) -> None:
    run = run_of_model(SMALL, CHIP, 8, gpus, name)
    assert (run.method, run.gpus, run.batch, run.sequence, run.stack) == (
        method,
        count,
        count,
        4096,
        Stack.PLAIN,
    )
    assert run.layout == Layout()


def test_a_need_has_the_step_on_the_usual_and_on_a_slow_network() -> None:
    need = need_of_run(RUN, None, FACTORS)
    assert need.step_s == pytest.approx(step(RUN).step_s)
    assert need.slow_step_s == pytest.approx(step(replace(RUN, nic_gbps=100.0)).step_s)
    assert (need.memory_gib, need.card_gib, need.band) == (memory_of(RUN).gib, 80.0, (0.79, 1.19))
    assert need_of_run(replace(RUN, model=MIX), None, FACTORS).band == (0.6, 1.7)
    assert need_of_run(run_of_model(SMALL, None, 8, 16, ""), None, FACTORS).card_gib is None
    assert need_of_run(RUN, 200.0, FACTORS).slow_step_s == pytest.approx(
        step(replace(RUN, nic_gbps=200.0)).step_s
    )
    tight = replace(RUN, chip=replace(CHIP, memory_gb=25.0))
    recomputed = as_needed(tight).run
    assert need_of_run(tight, None, FACTORS).step_s == pytest.approx(step(recomputed).step_s)
