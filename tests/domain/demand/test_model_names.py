"""Which AI model a job's name speaks of."""

from dataclasses import replace

import pytest

from gpuplanner.domain.demand.model_names import ModelMix, model_in_name, model_mix, models_named
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.tables import Pool

# --- Which AI model a job's name speaks of -------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("Llama3_70B-sft.2026-01-05 run 12", "llama-70b"),
        ("llama-3.1-8b-instruct", "llama-8b"),
        ("vllm/meta-llama/Llama-3-70B", "llama-70b"),
        ("CodeLlama-34b-eval", "code-llama-34b"),
        ("mixtral-8x7b-serve", "mixtral-8x7b"),
        ("qwen2.5-1.5b-dpo", "qwen-1.5b"),
        ("whisper-large-v3", "whisper"),
        ("SDXL_lora", "stable-diffusion"),
        ("phi-3-mini", "phi"),
        ("bert_base", "bert"),
        ("vit-large-pretrain", "vit"),
        # no family, or another word that holds one
        ("philosophy-class", None),
        ("activity-report", None),
        ("gpu-burn-8b", None),
        ("invitation-mail", None),
        ("mybertha", None),
        ("", None),
    ],
)
def test_model_in_name(name, model):
    assert model_in_name(name) == model


# --- Models and the mix: shifting keeps the sum, going there and back is where it was, and bounds hold

MIX = ModelMix(450, 550, 2, is_counted=True)


@pytest.mark.parametrize("share", [0.1, 0.45, 0.55, 0.8, 0.99])
def test_a_share_of_inference_is_reached_and_the_two_together_stay(share: float) -> None:
    factors = MIX.factors(share)
    planned = Assumptions().with_values(factors)
    assert MIX.share(planned) == pytest.approx(share)
    assert 450 * factors["demand_training"] + 550 * factors["demand_inference"] == pytest.approx(1000)
    more = Assumptions().with_values({**factors, "demand": 5.0})
    assert MIX.share(more) == pytest.approx(share)


def test_the_share_of_the_log_needs_no_factor() -> None:
    assert MIX.share(Assumptions()) == pytest.approx(0.55)
    assert MIX.factors(0.55) == pytest.approx({"demand_training": 1.0, "demand_inference": 1.0})


def test_from_two_models_to_ten_is_five_times_the_demand_and_back() -> None:
    assert MIX.times_for(10) == 5.0
    for models in range(1, 21):
        assert MIX.models_at(MIX.times_for(models)) == models


def test_factors_stay_within_what_an_assumption_may_be() -> None:
    assert ModelMix(1, 10_000, 2, is_counted=False).factors(0.0) == {
        "demand_training": 100.0,
        "demand_inference": 0.01,
    }
    assert MIX.times_for(1_000) == 100.0
    with pytest.raises(ValueError, match="nothing to shift"):
        ModelMix(0, 5, 2, is_counted=True).factors(0.5)
    assert ModelMix(0, 0, 2, is_counted=True).share(Assumptions()) is None


def test_models_are_counted_by_what_jobs_say_and_else_by_names() -> None:
    workloads = (
        Workload(
            key="a",
            name="llama-b-sft",
            cluster="c",
            owner="o",
            milli_gpu_seconds=5,
            sample_name="llama3-70b-sft",
        ),
        Workload(
            key="b", name="serve", cluster="c", owner="o", milli_gpu_seconds=7, model_time=(("whisper", 7),)
        ),
        Workload(
            key="c",
            name="whisper-serve",
            cluster="c",
            owner="o",
            milli_gpu_seconds=7,
            sample_name="whisper-serve",
        ),
        Workload(key="d", name="etl", cluster="c", owner="o", milli_gpu_seconds=9),
        Workload(key="e", name="bert", cluster="c", owner="o", milli_gpu_seconds=0),
    )
    pools = (Pool.TRAINING, Pool.INFERENCE, Pool.INFERENCE, Pool.BURST, Pool.BURST)
    assert models_named(workloads, pools) == 2
    assert model_mix(workloads, pools) == ModelMix(5, 14, 2, is_counted=True)
    assert model_mix(workloads[3:4], pools[3:4]) == ModelMix(0, 0, 2, is_counted=False)


def test_too_few_names_are_no_count() -> None:
    named = Workload(
        key="a", name="llama-b-sft", cluster="c", owner="o", milli_gpu_seconds=5, sample_name="llama3-70b-sft"
    )
    other = Workload(
        key="b", name="whisper", cluster="c", owner="o", milli_gpu_seconds=5, sample_name="whisper"
    )
    silent = Workload(key="c", name="run", cluster="c", owner="o", milli_gpu_seconds=11)
    training = (Pool.TRAINING,) * 3
    assert models_named((named, other, silent), training) == 0
    half = Workload(key="c", name="run", cluster="c", owner="o", milli_gpu_seconds=10)
    assert models_named((named, other, half), training) == 2
    unused = Workload(key="d", name="bert", cluster="c", owner="o", milli_gpu_seconds=0)
    assert models_named((named, unused), training[:2]) == 0
    assert models_named((named, other), training[:2]) == 2
    assert models_named((named,), training[:1]) == 0
    assert model_mix((named,), training[:1]) == ModelMix(5, 0, 2, is_counted=False)


def test_models_and_times_have_their_bounds() -> None:
    """Of 4 models in the log."""
    mix = ModelMix(1, 1, 4, is_counted=True)
    assert [mix.times_for(models) for models in (4, 6, 400, 401, 0)] == [1.0, 1.5, 100.0, 100.0, 0.01]
    assert [mix.models_at(times) for times in (1.0, 1.5, 0.01)] == [4, 6, 0]
    assert [each.can_shift for each in (mix, replace(mix, training=0), replace(mix, inference=0))] == [
        True, False, False,
    ]  # fmt: skip
    assert ModelMix(0, 5, 2, is_counted=True).share(Assumptions()) == 1.0
