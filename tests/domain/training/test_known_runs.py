"""Training by hand: steps, memory, checkpoints and hours of the runs whose answers are known."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import inf, isclose
from pathlib import Path
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.fit.rules import Light, light_of
from gpuplanner.domain.model.trained import SEARCHED, Layout, Method, Recompute, Sharding, Stack
from gpuplanner.domain.training.choices import fastest, with_usual_batch
from gpuplanner.domain.training.memory import (
    as_needed,
    fit_of,
    fitting,
    largest_model,
    memory_of,
    need_of_run,
    run_of_model,
)
from gpuplanner.domain.training.run import (
    WHOLE_RUN,
    WHOLE_RUN_PUBLISHED,
    MeasuredRun,
    Run,
    availability_of,
    checkpoint_of,
    finish_of,
    step_of,
)
from gpuplanner.files.system.resources import model_of_catalogue, training_facts
from tests.some_of import some_of

FACTS = training_facts()
NEAR = {"rel_tol": 0.01}


def _run(
    model: str, chip: str, gpus: int, layout: Layout, batch: float, sequence: int, **more: object
) -> Run:
    known = model_of_catalogue(model)
    assert known is not None
    return replace(
        Run(model=known, chip=FACTS.chips[chip], gpus=gpus, layout=layout, batch=batch, sequence=sequence),
        **more,
    )


def _step_s(run: Run) -> float:
    step = step_of(run, FACTS.factors)
    assert step is not None
    return step.step_s


def _rate(run: Run) -> float:
    step = step_of(run, FACTS.factors)
    assert step is not None
    return step.tokens_per_s_per_gpu


FULL = Layout(recompute=Recompute.FULL)
SEVENTY = _run("Llama-3-70B", "H100", 16, FULL, 16, 4096, stack=Stack.PLAIN)
EIGHT = _run("Llama-3-8B", "H100", 64, Layout(sharding=Sharding.ZERO1, micro_batch=2), 1024, 8192)


@pytest.mark.parametrize(("gbps", "step_s"), [(3200, 5.25), (400, 10.14), (100, 35.5), (25, 137)])
def test_a_step_hangs_on_gigabits_a_node(gbps: float, step_s: float) -> None:
    assert isclose(_step_s(replace(SEVENTY, nic_gbps=gbps)), step_s, **NEAR)


@pytest.mark.parametrize(
    ("gpus", "sequence", "gib", "light"),
    [(16, 4096, 91.8, Light.RED), (8, 4096, 160.8, Light.RED), (64, 8192, 52.0, Light.GREEN)],
)
def test_seventy_billion_fully_sharded(gpus: int, sequence: int, gib: float, light: Light) -> None:
    fit = fit_of(replace(SEVENTY, gpus=gpus, batch=gpus, sequence=sequence))
    assert isclose(fit.memory.gib, gib, **NEAR)
    assert fit.light is light


def test_eight_billion_on_two_generations() -> None:
    assert isclose(_rate(EIGHT), 8811, **NEAR)
    assert isclose(_rate(replace(EIGHT, chip=FACTS.chips["A100"])), 3328, **NEAR)


@pytest.mark.parametrize(("gpus", "fast", "slow"), [(16, 29.7, 30.5), (128, 3.74, 5.09), (256, 1.88, 4.47)])
def test_a_slow_network_costs_more_the_more_nodes_there_are(gpus: int, fast: float, slow: float) -> None:
    run = _run("Llama-3-8B", "H100", gpus, Layout(sharding=Sharding.ZERO1), 512, 8192)
    assert isclose(_step_s(replace(run, nic_gbps=3200)), fast, **NEAR)
    assert isclose(_step_s(replace(run, nic_gbps=100)), slow, **NEAR)


def test_eight_bits_on_other_chips() -> None:
    run = _run("Llama-3-70B", "B200", 64, Layout(), 128, 8192, precision="FP8")
    assert isclose(_rate(run), 3564, **NEAR)
    assert isclose(_rate(replace(run, chip=FACTS.chips["MI300X"])), 1449, **NEAR)


def test_the_largest_published_run() -> None:
    layout = Layout(tp=8, pp=16, sharding=Sharding.ZERO1)
    step = step_of(_run("Llama-3.1-405B", "H100", 16_384, layout, 2048, 8192), FACTS.factors)
    assert step is not None
    assert isclose(step.mfu, 0.317, **NEAR)


def test_adapters_gather_frozen_weights_every_micro_step() -> None:
    """4 bytes a parameter each time where each GPU holds a part of them; else what learns crosses once a step."""
    run = _run("Llama-3-70B", "H100", 16, FULL, 16, 4096, method=Method.LORA)
    once, often = (step_of(replace(run, batch=batch), FACTS.factors) for batch in (16, 128))
    assert once is not None and often is not None
    assert isclose(often.network_s, 8 * once.network_s)
    assert isclose(once.network_s, 4 * 70.55e9 / 8 / (400e9 / 8))
    held = step_of(replace(run, batch=128, layout=replace(FULL, sharding=Sharding.ZERO1)), FACTS.factors)
    assert held is not None and isclose(held.network_s, 0.02 * 70.55e9 / 8 / (400e9 / 8))


def test_experts_that_lie_apart_are_not_gathered() -> None:
    """8 bytes a parameter of a layer: all of a dense one, of a mixture the dense part and a GPU's own experts."""
    run = _run("Mixtral-8x7B", "H100", 64, FULL, 64, 4096)
    apart = replace(run, layout=replace(FULL, ep=8))
    experts = run.model.expert_parameters
    assert run.model.layers is not None
    more = 8 * experts * (1 - 1 / 8) / run.model.layers / 2**30
    assert isclose(memory_of(run).state - memory_of(apart).state, 1.05 * more)
    dense = _run("Llama-3-8B", "H100", 64, FULL, 64, 4096)
    assert memory_of(replace(dense, layout=replace(FULL, ep=8))) == memory_of(dense)


def test_memory_by_layout() -> None:
    small = _run("Llama-3-8B", "H100", 8, Layout(), 8, 8192)
    assert isclose(memory_of(small).gib, 66.6, **NEAR)
    assert isclose(memory_of(replace(small, layout=FULL)).gib, 36.1, **NEAR)
    split = Layout(tp=4, pp=4, interleave=5, sharding=Sharding.ZERO1, recompute=Recompute.SELECTIVE)
    assert isclose(memory_of(_run("Llama-3-70B", "H100", 64, split, 64, 8192)).gib, 71.5, **NEAR)
    adapters = _run("Llama-3-70B", "H100", 8, FULL, 8, 4096, method=Method.LORA)
    assert isclose(memory_of(adapters).gib, 36.6, **NEAR)


@pytest.mark.parametrize(("billion", "gb"), [(8.03, 112.4), (70.55, 987.7), (405.85, 5682), (176, 2464)])
def test_a_checkpoint_has_fourteen_bytes_a_parameter(billion: float, gb: float) -> None:
    assert isclose(checkpoint_of(billion * 1e9).gb, gb, **NEAR)


def test_what_checkpoints_and_failures_take() -> None:
    checkpoint = checkpoint_of(70.55e9)
    available = availability_of(checkpoint, 512)
    assert isclose(checkpoint.stall_s, 98.8, **NEAR)
    assert isclose(available.interval_h, 2.33, **NEAR)
    assert isclose(1 - available.share, 0.026, rel_tol=0.02)
    largest = availability_of(checkpoint_of(405.85e9, 2000), 16_384)
    assert isclose(1 - largest.share, 0.103, **NEAR)


@pytest.mark.parametrize(
    ("hours", "at", "gpus", "answer"), [(230.7, 512, 2048, 60.0), (60.17, 2048, 8192, 15.7)]
)
def test_a_measured_run_on_more_gpus(hours: float, at: int, gpus: int, answer: float) -> None:
    run = MeasuredRun(hours, at, 0.98)
    assert isclose(run.hours_on(gpus), answer, **NEAR)
    assert isclose(MeasuredRun(run.hours_on(gpus), gpus, 0.98).hours_on(at), hours)


def test_ten_to_the_twelve_tokens() -> None:
    finish = finish_of(EIGHT, 1e12, FACTS.factors)
    assert finish is not None
    assert isclose(finish.hours * finish.availability.share / 24, 20.5, **NEAR)
    assert finish.hours_low < finish.hours < finish.hours_high


def test_a_red_run_says_what_would_fit() -> None:
    found = fitting(SEVENTY)
    assert found.change == "more_gpus"
    assert found.run.gpus == 32
    assert found.light is not Light.RED
    assert fitting(replace(SEVENTY, gpus=64, batch=64)).change == ""


@given(st.sampled_from(Recompute), st.sampled_from(Sharding), st.sampled_from([8, 16, 64]), st.booleans())
def test_what_is_stated_holds_and_what_is_not_never_makes_it_worse(
    recompute: Recompute, sharding: Sharding, gpus: int, is_stated: bool
) -> None:
    run = replace(SEVENTY, gpus=gpus, layout=Layout(recompute=recompute, sharding=sharding))
    fit = as_needed(run, is_sharding_stated=is_stated)
    assert fit.memory.gib <= memory_of(run).gib
    assert recompute is Recompute.NONE or fit.run.layout.recompute is recompute
    assert not is_stated or fit.run.layout.sharding is sharding


@given(st.sampled_from([1, 2, 4, 8]), st.sampled_from([Sharding.ZERO1, Sharding.ZERO2]))
def test_gpus_that_share_a_sequence_share_the_optimizer_too(cp: int, sharding: Sharding) -> None:
    run = replace(SEVENTY, gpus=64, layout=Layout(tp=8, cp=cp, sharding=sharding))
    assert isclose(memory_of(run).state, memory_of(replace(run, layout=replace(run.layout, cp=1))).state)


def test_the_largest_model_is_what_the_cards_hold() -> None:
    largest = largest_model(SEVENTY)
    assert largest is not None
    assert (
        55e9 < largest < SEVENTY.model.parameters
    )  # which they do not hold: of its own vocabulary none that is larger fits
    assert largest_model(replace(SEVENTY, chip=replace(SEVENTY.chip, memory_gb=0.5))) is None


@given(st.floats(1, 500), st.floats(1, 500))
def test_lights_are_in_order(need: float, card: float) -> None:
    """More need is never a better light."""
    assert light_of(need, card) <= light_of(need * 1.2, card)


@given(st.sampled_from([2, 4, 8, 16, 32, 64]), st.sampled_from([100.0, 400.0, 1600.0, 3200.0]))
def test_more_gigabits_are_never_slower_and_more_gpus_never_a_longer_step(nodes: int, gbps: float) -> None:
    run = _run("Llama-3-8B", "H100", 8 * nodes, Layout(sharding=Sharding.ZERO1), 1024, 8192, nic_gbps=gbps)
    assert _step_s(replace(run, nic_gbps=gbps * 2)) <= _step_s(run)
    assert _step_s(replace(run, gpus=run.gpus * 2)) <= _step_s(run) * (1 + 1e-9)


def test_a_chip_without_its_flops_has_no_step() -> None:
    assert step_of(replace(SEVENTY, precision="FP4"), FACTS.factors) is None
    assert finish_of(replace(SEVENTY, precision="FP4"), 1e12, FACTS.factors) is None


@pytest.mark.parametrize(("gbps", "tokens"), [(3200, 1720), (100, 55_000)])
@pytest.mark.parametrize("billion", [70, 700])
def test_enough_tokens_a_micro_step_hide_the_network(gbps: float, tokens: float, billion: int) -> None:
    """From 1.5 x (b / D) x peak e / (6 x NIC bytes/s) on, whatever the parameters: the linear part alone."""
    flat = replace(SEVENTY.model, parameters=billion * 1e9, active=billion * 1e9, attention_layers=None)
    run = replace(SEVENTY, model=flat, layout=Layout(), sequence=1, nic_gbps=gbps)

    def times(one: float) -> float:
        step = step_of(replace(run, batch=16 * one, layout=Layout(micro_batch=one)), FACTS.factors)
        assert step is not None
        return 1.5 * step.network_s / step.compute_s

    assert isclose(times(tokens), 1, **NEAR)
    assert times(tokens * 1.02) < 1 < times(tokens * 0.98)


def test_plain_tcp_carries_fifty_gigabits_whatever_the_port() -> None:
    slow = replace(SEVENTY, nic_gbps=400.0, is_rdma=False)
    assert _step_s(slow) == _step_s(replace(SEVENTY, nic_gbps=50.0))


def test_a_workload_of_a_known_model_needs_what_its_run_needs() -> None:
    model = model_of_catalogue("Llama-3-70B")
    assert model is not None
    found = need_of_run(
        run_of_model(model, FACTS.chips["H100"], 8, 16, "llama-3-70b-ft"), None, FACTS.factors
    )
    assert found.step_s is not None
    assert found.slow_step_s is not None
    assert isclose(found.memory_gib, 91.8, **NEAR)
    assert isclose(found.step_s, 5.25, **NEAR)
    assert isclose(found.slow_step_s, 35.5, **NEAR)
    adapters = run_of_model(model, FACTS.chips["H100"], 8, 16, "llama-3-70b-qlora")
    assert need_of_run(adapters, None, FACTS.factors).memory_gib < found.memory_gib
    unknown = need_of_run(run_of_model(model, None, 8, 16, ""), None, FACTS.factors)
    assert isclose(unknown.memory_gib, 91.8, **NEAR)
    assert unknown.step_s is None


def _all_layouts(run: Run) -> Iterator[Layout]:
    """Every layout that a search may propose, laid on the GPUs of a run: no stages of full shards."""
    model = run.model
    experts = round((model.experts_per_token or 1) / (model.expert_share or 1))
    tps, pps, cps = (1, 2, 4, 8), (2**at for at in range(7)), (1, 2)
    eps = [2**at for at in range(9) if 2**at <= experts]
    cuts = [cut for cut in product(tps, pps, cps, eps) if cut[1] <= (model.layers or 1)]
    for cut, sharding, micro in product(cuts, Sharding, (1.0, 2.0, 4.0, 8.0)):
        tp, pp, cp, ep = cut
        layout = Layout(tp=tp, pp=pp, cp=cp, ep=ep, sharding=sharding, micro_batch=micro)
        is_laid = layout.lies_on(run.gpus) and layout.data_parallel(run.gpus) * micro <= run.batch
        if is_laid and not (sharding is Sharding.FSDP and cut[1] > 1):
            yield layout


def _fastest_of_all(run: Run) -> float:
    """Seconds of the fastest layout that the cards hold, of every one in turn."""
    best = inf
    for layout in _all_layouts(run):
        if _step_s(replace(run, layout=layout)) < best:  # recomputation only adds to it
            for how in Recompute:
                other = replace(run, layout=replace(layout, recompute=how))
                if (seconds := _step_s(other)) < best and fit_of(other).holds:
                    best = seconds
    return best


TEN_MODELS = (
    "Llama-3-8B", "Mixtral-8x7B", "Llama-3-70B", "Llama-2-13B", "GPT3-175B", "Llama-3.1-405B", "Nemotron-4-340B",
    "Mixtral-8x22B", "Qwen3-235B-A22B", "DeepSeek-V3",
)  # fmt: skip


@pytest.mark.parametrize(
    ("model", "gpus"), some_of([(name, 4**at) for at in (2, 3, 4, 5) for name in TEN_MODELS], quick=10)
)
def test_no_layout_is_faster_than_the_one_that_is_searched(model: str, gpus: int) -> None:
    """Half a percent is no difference: then the simpler one is taken. Where none fits, none is found."""
    run = with_usual_batch(_run(model, "H100", gpus, Layout(), 1, 8192), None, frozenset(SEARCHED))
    found, best = fastest(run, frozenset(SEARCHED), FACTS.factors), _fastest_of_all(run)
    assert found is not None and found.holds is (best < inf)
    assert not found.holds or _step_s(found.run) <= 1.005 * best


def test_a_part_that_is_set_is_kept_and_the_rest_is_searched() -> None:
    run = with_usual_batch(_run("Llama-3-70B", "H100", 64, Layout(pp=4), 1, 8192), None, ())
    found = fastest(run, frozenset(SEARCHED) - {"pp"}, FACTS.factors)
    assert found is not None and (found.run.layout.pp, found.run.layout.tp) == (4, 8)
    short = replace(run, layout=Layout(), sequence=512)  # a short sequence is not cut
    found = fastest(short, frozenset(SEARCHED), FACTS.factors)
    assert found is not None and found.run.layout.cp == 1
    assert fastest(replace(run, layout=Layout(tp=3)), frozenset(SEARCHED) - {"tp"}, FACTS.factors) is None
    few = replace(run, gpus=8, layout=Layout())
    least = fastest(few, frozenset(SEARCHED), FACTS.factors)
    assert least is not None and not least.holds and least.run.layout.recompute is Recompute.FULL


def test_seventy_billion_on_64_gpus_take_no_longer_than_eight_to_a_layer_in_two_stages() -> None:
    """300 B tokens: 1,164 h; fully sharded 1,469 h."""
    run = with_usual_batch(_run("Llama-3-70B", "H100", 64, Layout(), 1, 8192), None, frozenset(SEARCHED))
    found = fastest(run, frozenset(SEARCHED), FACTS.factors)
    assert found is not None
    finish = finish_of(found.run, 3e11, FACTS.factors)
    assert finish is not None and finish.hours <= 1164.5
    assert (finish.whole_hours, finish.whole_low) == (1.25 * finish.hours, 0.9 * finish.hours)
    own = finish_of(found.run, 3e11, FACTS.factors, whole_run=1.1)
    assert own is not None and own.whole_hours == 1.1 * own.hours
    assert isclose(own.whole_low, 1.1 * own.hours_low) and isclose(own.whole_high, 1.1 * own.hours_high)


def test_whole_runs_are_as_long_as_published_large_ones() -> None:
    """Runs of 65 billion parameters and more, of those in docs/measurements.md."""
    rows = re.findall(
        r"^\|[^|]*?(\d+)B? \|[^|]*\|[^|]*\|[^|]*\|[^|]*\| (\d\.\d\d) \|",
        Path("docs/measurements.md").read_text(encoding="utf-8").partition("### Whole training runs")[2],
        re.MULTILINE,
    )
    assert len(rows) == 15 and median(float(times) for size, times in rows if int(size) >= 65) == WHOLE_RUN
    assert (
        min(float(times) for _, times in rows),
        max(float(times) for _, times in rows),
    ) == WHOLE_RUN_PUBLISHED
