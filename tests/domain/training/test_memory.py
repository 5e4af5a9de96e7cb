"""Memory of a training run, on a model of powers of two.

A model of 2^33 parameters in 32 layers of 4,096 units reads 4,096 tokens: a GPU has 2^24 values of a layer in hand, at
32 bytes 0.5 GiB, 16 GiB in all layers; fully recomputed 1 GiB and one whole layer. Sharded over 16 GPUs its state is 16
bytes x 2^33 over 16, 8 GiB, and 8 bytes of a layer of 2^28, 2 GiB. Logits are 11 bytes x 4,096 x 2^15.
"""

from dataclasses import replace

import pytest

from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model.trained import Layout, Method, Recompute, Sharding, Stack, TrainedModel
from gpuplanner.domain.training.memory import as_needed, fit_of, fitting, largest_model, memory_of
from gpuplanner.domain.training.run import Chip, Run

CHIP = Chip(name="H100", memory_gb=80.0, tflops={"BF16": 1000.0})
SMALL = TrainedModel(name="m", parameters=2.0**33, active=2.0**33, layers=32, hidden=4096, vocabulary=2**15)
RUN = Run(model=SMALL, chip=CHIP, gpus=16, layout=Layout(), batch=16.0, sequence=4096)
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
