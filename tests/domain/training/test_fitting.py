"""What would fit on the GPUs of a run: changes in their order, the largest model, and the needs of a workload."""

from dataclasses import replace

import pytest

from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model.trained import Layout, Method, Recompute, Sharding, Stack
from gpuplanner.domain.training import memory
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
from tests.domain.training.stated_run import CHIP, FACTORS, MIX, RUN, SMALL, P, step

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


# --- What would fit, and memory


def test_changes_come_in_their_order_each_with_those_before_it() -> None:
    """Of 64 GPUs in nodes of 8: eight doublings, eight to a layer, and stages as long as all of it is on the GPUs."""
    changed = list(memory.list_changed_runs(replace(RUN, gpus=64, batch=64.0)))
    assert [name for name, _ in changed] == [
        "full_recomputation",
        *["more_gpus"] * 8,
        "tensor_parallel_8",
        *["pipeline"] * 3,
        "lora",
    ]
    runs = [run for _, run in changed]
    assert {run.layout.recompute for run in runs} == {Recompute.FULL}
    assert [(run.gpus, run.batch) for run in runs[1:9]] == [(64 * 2**at, 64.0 * 2**at) for at in range(1, 9)]
    assert [(run.layout.tp, run.layout.pp, run.layout.sharding) for run in runs[9:13]] == [
        (8, pp, Sharding.ZERO1) for pp in (1, 2, 4, 8)
    ]
    assert (runs[13].method, runs[13].gpus, runs[13].layout.tp) == (Method.LORA, 64, 1)
    few = [name for name, _ in memory.list_changed_runs(replace(RUN, gpus=4, batch=99.0))]
    assert few[9:] == ["tensor_parallel_8", "lora"]  # four to a layer leave none for a second stage
    assert {run.batch for _, run in memory.list_changed_runs(replace(RUN, gpus=4, batch=2000.0))} == {2000.0}
    split = [
        run.layout.tp
        for name, run in memory.list_changed_runs(replace(RUN, layout=Layout(tp=16)))
        if name == "tensor_parallel_8"
    ]
    assert split == [16]
    assert [
        run.layout.tp
        for name, run in memory.list_changed_runs(replace(RUN, gpus_per_node=4))
        if name == "pipeline"
    ] == [4, 4]


def test_of_a_layer_that_is_gathered_experts_stay_apart() -> None:
    """8 GiB of parameters in 32 layers, all in experts: 16 / 16 of them, and 8 x a layer's share of a GPU."""
    for ep, layer in ((1, 0.25), (2, 0.125), (4, 0.0625)):
        layout = Layout(ep=ep)
        mixed = replace(RUN, model=MIX, layout=layout)
        assert memory_of(mixed).state / 1.05 == pytest.approx(8 + 8 * layer)
        hybrid = replace(mixed, layout=replace(layout, sharding=Sharding.HSDP))
        assert memory_of(hybrid).state / 1.05 == pytest.approx(16 + 8 * layer)  # over the 8 GPUs of a node
        assert memory_of(replace(hybrid, gpus=4)).state / 1.05 == pytest.approx(32 + 8 * layer)
        assert memory_of(replace(mixed, method=Method.LORA)).state / 1.05 == pytest.approx(1 + 4 * layer)


def test_experts_keep_their_own_share_of_activations() -> None:
    """A layer keeps 14 and twice 12 values a token and hidden unit: 38 x 32 x 2^24 bytes are 19 GiB."""
    for layout, gib in (
        (Layout(), 38 * 32 / 64),
        (Layout(tp=2), (7 + 24) * 32 / 64),
        (Layout(recompute=Recompute.SELECTIVE), (38 - 13) * 32 / 64),
        (Layout(recompute=Recompute.FULL), (2 * 32 + 38) / 64),
        (Layout(recompute=Recompute.FULL, tp=2), (32 + 31) / 64),
    ):
        assert memory_of(replace(RUN, model=MIX, layout=layout)).activations / 1.05 == pytest.approx(gib)
