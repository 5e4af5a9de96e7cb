"""A step of a stated run (`stated_run.py`), and when the run is done.

A token takes 6 FLOP a parameter, and the small model's share more; between two nodes of 8 an eighth of 6 bytes a
parameter crosses for each GPU, at 400 Gb/s.
"""

from dataclasses import replace
from math import inf

import pytest

from gpuplanner.domain.model.trained import Layout, Method, Recompute, Sharding, Stack
from gpuplanner.domain.training import run as run_module
from gpuplanner.domain.training.run import (
    Checkpoint,
    Efficiency,
    Factors,
    MeasuredRun,
    attention_flop,
    availability_of,
    checkpoint_of,
    efficiency,
    finish_of,
    network_s_of,
    usual_cut,
)
from gpuplanner.files.system.resources import training_facts
from tests.domain.training.stated_run import CHIP, FACTORS, MIX, RUN, SMALL, P, step

TOKEN_S = 6 * P / 500e12
MORE = 1 + 0.101e9 / P
COMPUTE_S = 4096 * TOKEN_S * MORE
NETWORK_S = 6 * P / 8 / 50e9
ATTENTION = 6 * 32 * 4096 * 4096


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


def test_attention_counts_where_both_of_its_sizes_are_known() -> None:
    sizes = replace(SMALL, attention_layers=2, attention_width=3)
    assert attention_flop(replace(RUN, model=sizes)) == 6 * 2 * 3 * 4096
    for name in ("attention_layers", "attention_width"):
        assert attention_flop(replace(RUN, model=replace(sizes, **{name: None}))) == 0.0


@pytest.mark.parametrize(
    ("layout", "gpus", "parts"),
    [
        (Layout(ep=4, pp=4), 16, 0.0),  # nobody else has them
        (Layout(ep=4, pp=4), 32, 1 / 16),
        (Layout(ep=2, pp=2), 16, 1 / 8),  # a quarter, over the two copies of a node
        (Layout(tp=2, pp=2), 16, 1 / 8),  # no experts apart: cut as the rest is
        (Layout(tp=4, pp=4), 32, 1 / 16),
        (Layout(tp=4, pp=4), 16, 0.0),
    ],
)
def test_experts_cross_by_how_they_are_cut(layout: Layout, gpus: int, parts: float) -> None:
    mixed = replace(RUN, model=MIX, layout=layout, gpus=gpus)
    assert run_module.experts_sent(mixed, 8) == pytest.approx(parts * MIX.parameters)
    assert run_module.experts_sent(replace(mixed, model=SMALL), 8) == 0.0


def test_a_checkpoint_has_14_bytes_a_parameter_and_is_written_as_often_as_failures_ask() -> None:
    """140 GB at 10 GB/s stop it 14 s; 50,700 GPU-h over 507 GPUs are 100 h between failures: sqrt(2 x 14 s x 100 h)."""
    checkpoint = checkpoint_of(1e10)
    assert (checkpoint.gb, checkpoint.stall_s) == (140.0, 14.0)
    result = availability_of(checkpoint, 507)
    interval = (2 * 14 / 3600 * 100) ** 0.5
    assert result.interval_h == pytest.approx(interval)
    assert result.share == pytest.approx(1 - 14 / 3600 / interval - (interval / 2 + 0.25) / 100)


def test_a_gpu_without_a_measurement_says_what_is_assumed_and_a_variant_of_one_with_says_nothing() -> None:
    factors = training_facts().factors
    unknown = efficiency(factors, "B200", "BF16", is_dense=True)
    assert (unknown.share, unknown.note, unknown.is_assumed) == (0.4, "B200: 40% of peak assumed", True)
    for name in ("A100", "A100 80GB", "A100 40GB"):
        assert efficiency(factors, name, "BF16", is_dense=True).note == ""
    other = efficiency(factors, "H100 PCIe", "BF16", is_dense=True)
    assert "as H100" in other.note and not other.is_assumed
