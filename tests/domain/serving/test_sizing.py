"""Inference sizing: one row by hand, and the laws that every row keeps."""

import re
from dataclasses import fields, replace
from math import ceil, exp, isclose
from statistics import median
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.places import ServedModel, ServingPoint, WeekRates
from gpuplanner.domain.model.tables import GpuModel, PricingCategory
from gpuplanner.domain.serving.calibration import factors_of
from gpuplanner.domain.serving.load import Load, LoadHour, load_of_week
from gpuplanner.domain.serving.memory import cache_gb, counted_parameters, kv_bytes_per_token, weights_gb
from gpuplanner.domain.serving.ratios import point_speed
from gpuplanner.domain.serving.replicas import (
    ServingTargets,
    ServingTerms,
    Wait,
    busiest_for,
    replicas_for,
    replicas_held,
    terms_of,
)
from gpuplanner.domain.serving.serving_gpus import ServingGpu, ServingTables, serving_gpus
from gpuplanner.domain.serving.sizing import SizedRow, rated_rows, size_rows
from gpuplanner.domain.serving.speed import Engine, replica_speed
from gpuplanner.files.lists.served_models import model_named
from gpuplanner.files.system.resources import read_calibration, read_served_models, read_serving_tables

# --- Memory of a replica: by hand, and what must hold for all

NARROW = ServedModel(name="small", parameters=8_000_000_000, layers=32, kv_heads=8, head_dim=128)
LATENT = replace(NARROW, kv_values_per_layer=576)


def test_memory_by_hand() -> None:
    assert kv_bytes_per_token(NARROW) == 2 * 32 * 8 * 128 * 2 == 131_072
    assert kv_bytes_per_token(LATENT) == 32 * 576 * 2
    need = weights_gb(NARROW.parameters, 2) + cache_gb(NARROW, concurrency=10, context_tokens=1000)
    assert isclose(need, 16 + 10 * 1000 * 131_072 / 1e9)


@given(
    st.sampled_from([2.0, 1.0, 0.5]), st.integers(0, 1000), st.integers(0, 200_000), st.integers(0, 500),
    st.integers(0, 10_000),
)  # fmt: skip
def test_memory_grows_with_concurrency_context_and_precision(width, at_once, context, more, longer) -> None:
    less = cache_gb(NARROW, concurrency=at_once, context_tokens=context)
    assert cache_gb(NARROW, concurrency=at_once + more, context_tokens=context + longer) >= less
    assert weights_gb(NARROW.parameters, width * 2) > weights_gb(NARROW.parameters, width)


def test_a_model_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        ServedModel(name="none", parameters=1, layers=0, kv_heads=1, head_dim=1)


# --- Parameters counted from the sizes of public config.json files are those of the product's table, to
# the unit

HEADS = {"kv_heads": 8, "head_dim": 128}
LLAMA = {**HEADS, "vocab": 128256}
QWEN = {**HEADS, "vocab": 152064, "qkv_bias": 1}
QWEN3 = {**HEADS, "vocab": 151936, "qk_norm": 1}
SMALL = {"vocab": 151936, "tied": 1}
GEMMA = {"vocab": 256000, "kv_heads": 8, "head_dim": 256, "tied": 1, "norms": 4}
GEMMA3 = {**GEMMA, "vocab": 262144, "qk_norm": 1}
DEEPSEEK = {
    "vocab": 129280, "hidden": 7168, "layers": 61, "heads": 128, "kv_heads": 128, "head_dim": 128,
    "intermediate": 18432, "experts": 256, "experts_per_token": 8, "expert_intermediate": 2048,
    "shared_intermediate": 2048, "dense_layers": 3, "router_bias": 1, "q_rank": 1536, "kv_rank": 512,
    "nope_dim": 128, "rope_dim": 64, "v_dim": 128,
}  # fmt: skip


def sizes(hidden: int, layers: int, heads: int, intermediate: int, **more: int) -> dict[str, int]:
    return {"hidden": hidden, "layers": layers, "heads": heads, "intermediate": intermediate, **more}


COMMAND = {**HEADS, "vocab": 256000, "tied": 1, "norms": 1}
BY_NAME = {
    "Command A": {**COMMAND, **sizes(12288, 64, 96, 36864)},
    "Command R 32B": {**COMMAND, **sizes(8192, 40, 64, 24576)},
    "Command R7B": {**COMMAND, **sizes(4096, 32, 32, 14336)},
    "DeepSeek R1": DEEPSEEK,
    "DeepSeek V3": DEEPSEEK,
    "Llama 2 7B": {**HEADS, **sizes(4096, 32, 32, 11008, vocab=32000, kv_heads=32)},
    "Llama 2 13B": {**HEADS, **sizes(5120, 40, 40, 13824, vocab=32000, kv_heads=40)},
    "Llama 2 70B": {**HEADS, **sizes(8192, 80, 64, 28672, vocab=32000)},
    "Llama 3 8B": {**LLAMA, **sizes(4096, 32, 32, 14336)},
    "Llama 3 70B": {**LLAMA, **sizes(8192, 80, 64, 28672)},
    "Llama 3.1 8B": {**LLAMA, **sizes(4096, 32, 32, 14336)},
    "Llama 3.1 70B": {**LLAMA, **sizes(8192, 80, 64, 28672)},
    "Llama 3.1 405B": {**LLAMA, **sizes(16384, 126, 128, 53248)},
    "Llama 3.2 1B": {**LLAMA, **sizes(2048, 16, 32, 8192, head_dim=64, tied=1)},
    "Llama 3.2 3B": {**LLAMA, **sizes(3072, 28, 24, 8192, tied=1)},
    "Llama 3.3 70B": {**LLAMA, **sizes(8192, 80, 64, 28672)},
    "Mistral 7B": {**HEADS, **sizes(4096, 32, 32, 14336, vocab=32768)},
    "Mixtral 8x7B": {**HEADS, **sizes(4096, 32, 32, 14336, vocab=32000, experts=8, experts_per_token=2)},
    "Mixtral 8x22B": {**HEADS, **sizes(6144, 56, 48, 16384, vocab=32000, experts=8, experts_per_token=2)},
    "Phi 4": {**HEADS, **sizes(5120, 40, 40, 17920, vocab=100352, kv_heads=10)},
    "Qwen2 7B": {**QWEN, **sizes(3584, 28, 28, 18944, kv_heads=4)},
    "Qwen2 72B": {**QWEN, **sizes(8192, 80, 64, 29568)},
    "Qwen2.5 7B": {**QWEN, **sizes(3584, 28, 28, 18944, kv_heads=4)},
    "Qwen2.5 14B": {**QWEN, **sizes(5120, 48, 40, 13824)},
    "Qwen2.5 32B": {**QWEN, **sizes(5120, 64, 40, 27648)},
    "Qwen2.5 72B": {**QWEN, **sizes(8192, 80, 64, 29568)},
    "Qwen3 14B": {**QWEN3, **sizes(5120, 40, 40, 17408)},
    "Qwen3 8B": {**QWEN3, **sizes(4096, 36, 32, 12288)},
    "Qwen3 32B": {**QWEN3, **sizes(5120, 64, 64, 25600)},
    "Qwen3 30B A3B": {
        **QWEN3,
        **sizes(2048, 48, 32, 6144, kv_heads=4, experts=128, experts_per_token=8, expert_intermediate=768),
    },
    "Code Llama 34B": {**HEADS, **sizes(8192, 48, 64, 22016, vocab=32000)},
    "Gemma 2 2B": {**GEMMA, **sizes(2304, 26, 8, 9216, kv_heads=4)},
    "Gemma 2 9B": {**GEMMA, **sizes(3584, 42, 16, 14336)},
    "Gemma 2 27B": {**GEMMA, **sizes(4608, 46, 32, 36864, kv_heads=16, head_dim=128)},
    "Gemma 3 1B": {**GEMMA3, **sizes(1152, 26, 4, 6912, kv_heads=1)},
    "Gemma 3 4B": {**GEMMA3, **sizes(2560, 34, 8, 10240, kv_heads=4)},
    "Gemma 3 12B": {**GEMMA3, **sizes(3840, 48, 16, 15360)},
    "Gemma 3 27B": {**GEMMA3, **sizes(5376, 62, 32, 21504, kv_heads=16, head_dim=128)},
    "Granite 3.3 2B": {**HEADS, **sizes(2048, 40, 32, 8192, vocab=49159, head_dim=64, tied=1)},
    "Granite 3.3 8B": {**HEADS, **sizes(4096, 40, 32, 12800, vocab=49159, tied=1)},
    "Granite 4.1 30B": {**HEADS, **sizes(4096, 64, 32, 32768, vocab=100352, tied=1)},
    "Mistral Large 123B": {**HEADS, **sizes(12288, 88, 96, 28672, vocab=32768)},
    "Mistral Nemo 12B": {**HEADS, **sizes(5120, 40, 32, 14336, vocab=131072)},
    "Mistral Small 22B": {**HEADS, **sizes(6144, 56, 48, 16384, vocab=32768)},
    "Mistral Small 24B": {**HEADS, **sizes(5120, 40, 32, 32768, vocab=131072)},
    "Phi 3.5 mini": {**HEADS, **sizes(3072, 32, 32, 8192, vocab=32064, kv_heads=32, head_dim=96)},
    "Phi 4 mini": {**HEADS, **sizes(3072, 32, 24, 8192, vocab=200064, tied=1)},
    "Qwen2.5 0.5B": {**QWEN, **SMALL, **sizes(896, 24, 14, 4864, kv_heads=2, head_dim=64)},
    "Qwen2.5 1.5B": {**QWEN, **SMALL, **sizes(1536, 28, 12, 8960, kv_heads=2)},
    "Qwen2.5 3B": {**QWEN, **SMALL, **sizes(2048, 36, 16, 11008, kv_heads=2)},
    "Qwen3 0.6B": {**QWEN3, **SMALL, **sizes(1024, 28, 16, 3072)},
    "Qwen3 1.7B": {**QWEN3, **SMALL, **sizes(2048, 28, 16, 6144)},
    "Qwen3 4B": {**QWEN3, **SMALL, **sizes(2560, 36, 32, 9728)},
    "Qwen3 Coder 480B A35B": {
        **QWEN3,
        **sizes(6144, 62, 96, 8192, experts=160, experts_per_token=8, expert_intermediate=2560),
    },
    "Qwen3 235B A22B": {
        **QWEN3,
        **sizes(4096, 94, 64, 12288, kv_heads=4, experts=128, experts_per_token=8, expert_intermediate=1536),
    },
}


NOT_COUNTED = ("named by its publisher", "with a norm for each head")
COUNTED = [model for model in read_served_models() if not any(words in model.source for words in NOT_COUNTED)]


@pytest.mark.parametrize("model", COUNTED, ids=lambda model: model.name)
def test_the_table_holds_what_the_sizes_come_to(model) -> None:
    of = BY_NAME[model.name]
    counted = counted_parameters(of)
    assert counted is not None
    assert (model.parameters, model.active) == (counted.parameters, counted.active)
    assert model.hidden == of["hidden"]
    assert (model.layers, model.kv_heads, model.head_dim) == (of["layers"], of["kv_heads"], of["head_dim"])
    assert (model.experts, model.experts_per_token) == (of.get("experts"), of.get("experts_per_token"))
    assert "config.json of" in model.source


def test_a_size_that_is_not_stated_makes_the_count_unknown() -> None:
    assert counted_parameters({name: 1 for name in DEEPSEEK if name != "vocab"}) is None


# --- Inference sizing: one row by hand, and the laws that every row keeps ------------------------

CALIBRATION = read_calibration()
CHIPS = CALIBRATION.chips
GPUS = (
    ServingGpu(name="B200", memory_gb=192, bandwidth_tb_per_s=8.0, tflops=2250, chip=CHIPS["b200"]),
    ServingGpu(name="H100", memory_gb=80, bandwidth_tb_per_s=3.35, tflops=990, chip=CHIPS["h100"]),
    ServingGpu(name="L40S", memory_gb=48, bandwidth_tb_per_s=0.864, tflops=362, chip=CHIPS["l40s"]),
)
SMALL = ServedModel(name="small", parameters=8_000_000_000, layers=32, kv_heads=8, head_dim=128, hidden=4096)
LARGE = ServedModel(name="large", parameters=70_000_000_000, layers=80, kv_heads=8, head_dim=128, hidden=8192)
WEEK = WeekRates(tuple(float(10 + 30 * (hour % 24 >= 8)) for hour in range(168)), "week.csv")


def week_load(scale: float = 1.0, tokens: tuple[float, float] = (1000, 250)) -> Load:
    load = load_of_week(replace(WEEK, rates_per_s=tuple(scale * (r or 0) for r in WEEK.rates_per_s)), *tokens)
    assert load is not None
    return load


def row_of(rows: tuple[SizedRow, ...], gpu: str, precision: str, parallel: int) -> SizedRow:
    return next(row for row in rows if row.row_id == (gpu, precision, parallel))


def sized(
    model: ServedModel, load: Load, terms: ServingTerms | None = None, **more: Any
) -> tuple[SizedRow, ...]:
    return size_rows(model, load, GPUS, terms or ServingTerms(), CALIBRATION, **more)


def test_one_row_by_hand() -> None:
    """The small model on one H100: weights 16 GB, 131,072 bytes a token, 1,250 tokens a request, 40 requests/s."""
    row = row_of(sized(SMALL, week_load()), "H100", "BF16", 1)
    kept_gb = 1250 * 131_072 / 1e9
    assert (row.fits, row.weights_gb, row.concurrency) == (True, 16.0, 256)
    assert isclose(row.memory_gb, 16 + 8 * kept_gb)
    assert row.usable_gb == 72
    factors = factors_of(CALIBRATION, CHIPS["h100"], "BF16", SMALL)
    speed = replica_speed(
        SMALL,
        Engine(gpus=1, bandwidth=3.35e12, flops=990e12, factors=factors),
        2,
        batch=256,
        context_tokens=1000,
        generated_tokens=250,
    )
    mu = speed.requests_per_s
    assert isclose(row.requests_per_s or 0, mu) and isclose(row.tpot_ms or 0, speed.token_s * 1e3)
    replicas = ceil(40 / (0.9 * mu)) + 1  # and a spare one
    assert (row.replicas_peak, row.replicas_spare) == (replicas, 1)
    low = ceil(10 / (0.9 * mu))
    assert isclose(row.gpu_hours_per_month_autoscaled or 0, (16 * (replicas - 1) + 8 * low) / 24 * 730)
    busy = 40 / (replicas * mu)
    assert isclose(row.busy_at_peak or 0, busy)
    wait_ms = busy * speed.prefill_s * 1e3 / (2 * (1 - busy))
    assert isclose(row.wait_ms or 0, wait_ms)
    assert isclose(row.ttft_ms or 0, 4 + wait_ms + speed.prefill_s * 1e3)
    assert row.low and row.high and row.low < 1 < row.high


def test_a_target_takes_a_smaller_batch_and_one_of_the_first_token_more_replicas() -> None:
    free = row_of(sized(LARGE, week_load()), "H100", "BF16", 4)
    tight = ServingTerms(targets=ServingTargets(tpot_p95_ms=30))
    row = row_of(sized(LARGE, week_load(), tight), "H100", "BF16", 4)
    assert (row.concurrency or 0) < (free.concurrency or 0) and (row.replicas_peak or 0) > (
        free.replicas_peak or 0
    )
    assert row.meets_target and free.meets_target is None
    assert (row.tpot_p95_ms or 99) <= 30
    more = [
        r.tpot_p95_ms
        for r in sized(LARGE, week_load(), replace(tight, concurrency_most=(row.concurrency or 0)))
        if r.row_id == row.row_id
    ]
    assert more == [row.tpot_p95_ms]  # it is the largest that keeps it, no matter how many are allowed
    first = ServingTerms(spare=0, targets=ServingTargets(ttft_p95_ms=(free.prefill_ms or 0) + 5))
    quick = row_of(sized(LARGE, week_load(), first), "H100", "BF16", 4)
    bare = row_of(sized(LARGE, week_load(), ServingTerms(spare=0)), "H100", "BF16", 4)
    assert quick.meets_target and (quick.replicas_peak or 0) > (bare.replicas_peak or 0)
    assert (quick.ttft_p95_ms or 1e9) <= (free.prefill_ms or 0) + 5


@given(st.floats(3, 400), st.floats(3, 400), st.integers(2, 300))
def test_one_request_more_than_the_largest_batch_misses_the_target(p50: float, p95: float, most: int) -> None:
    terms = ServingTerms(
        concurrency=1, concurrency_most=most, targets=ServingTargets(tpot_p50_ms=p50, tpot_p95_ms=p95)
    )

    def times(row: SizedRow, batch: int) -> tuple[float, float]:
        exact = replace(terms, concurrency=batch, concurrency_most=batch, targets=ServingTargets())
        (found,) = [one for one in sized(LARGE, week_load(), exact) if one.row_id == row.row_id]
        return (found.tpot_ms or 0.0) / p50, (found.tpot_p95_ms or 0.0) / p95

    row = row_of(sized(LARGE, week_load(), terms), "H100", "FP8", 4)
    batch = row.concurrency or 0
    assert batch == 1 or max(times(row, batch)) <= 1 + 1e-9
    assert batch == most or max(times(row, batch + 1)) > 1 - 1e-9


def test_a_target_that_nothing_keeps_is_said_with_how_far_off_it_is() -> None:
    row = row_of(
        sized(SMALL, week_load(), ServingTerms(targets=ServingTargets(tpot_p50_ms=0.5))), "H100", "BF16", 1
    )
    assert (row.meets_target, row.concurrency) == (False, 1)
    assert isclose(row.missed_by or 0, (row.tpot_ms or 0) / 0.5)
    assert "time per token, P50" in str(row.why) and re.findall(r"[\d.]+ ms", str(row.why)) == [
        "7.105 ms",
        "6.605 ms",
        "0.5 ms",
    ]


def test_a_model_too_large_for_a_machine_is_sized_over_machines() -> None:
    giant = ServedModel(
        name="giant", parameters=1_000_000_000_000, layers=100, kv_heads=8, head_dim=128, hidden=12_288
    )
    rows = sized(giant, week_load(0.01))
    wide = row_of(rows, "H100", "BF16", 32)
    assert wide.fits and row_of(rows, "H100", "BF16", 8).fits is False
    assert not any(row.row_id == ("H100", "BF16", 16) for row in rows)


def test_concurrency_is_what_fits_beside_the_weights() -> None:
    row = row_of(sized(LARGE, week_load()), "H100", "BF16", 4)
    assert row.concurrency == int((288 - 140) / (1250 * 327_680 / 1e9)) > 256 - 1 or row.concurrency == 256


def test_the_longest_request_has_to_fit() -> None:
    load = replace(week_load(), longest_tokens=600_000.0)
    rows = sized(SMALL, load, ServingTerms(concurrency=1))
    assert row_of(rows, "H100", "BF16", 1).fits is False
    assert isclose(row_of(rows, "H100", "BF16", 2).memory_gb, 16 + 600_000 * 131_072 / 1e9)


def test_what_is_not_known_is_said_and_not_computed() -> None:
    chip = CHIPS["b300"]
    gpus = (
        ServingGpu(name="B300", memory_gb=288, bandwidth_tb_per_s=8.0, tflops=None, chip=chip),
        ServingGpu(name="X1", memory_gb=None, bandwidth_tb_per_s=1.0, tflops=1.0),
        ServingGpu(name="X2", memory_gb=80, bandwidth_tb_per_s=None, tflops=1.0),
    )
    rows = size_rows(SMALL, week_load(), gpus, ServingTerms(), CALIBRATION)
    said = {row.row_id: (row.fits, row.replicas_peak, str(row.why)) for row in rows}
    for precision in ("BF16", "INT8"):
        assert said["B300", precision, 1][:2] == (True, None)
        assert f"TFLOP/s of B300 in {precision}" in said["B300", precision, 1][2]
    assert (said["B300", "FP8", 1][1] or 0) > 0
    assert said["X1", "BF16", 1][0] is None
    assert said["X2", "BF16", 1][:2] == (True, None) and "bandwidth of X2" in said["X2", "BF16", 1][2]
    none = size_rows(SMALL, week_load(1.0, (1000, 0)), gpus[:1], ServingTerms(), CALIBRATION)
    assert "no tokens" in str(row_of(none, "B300", "FP8", 1).why)


def test_too_few_replicas_are_unstable_and_have_no_wait() -> None:
    rows = sized(SMALL, week_load(1000), replicas=1)
    row = row_of(rows, "H100", "BF16", 1)
    assert row.is_unstable and row.ttft_ms is None and (row.busy_at_peak or 0) >= 1
    assert row.gpu_hours_per_month_autoscaled == 730
    assert str(row.why).startswith("unstable")
    more = row_of(sized(SMALL, week_load(), replicas=9), "H100", "BF16", 1)
    assert (more.replicas_peak, more.is_unstable) == (9, False)


def test_no_traffic_asks_for_nothing() -> None:
    row = row_of(sized(SMALL, week_load(0.0)), "H100", "BF16", 1)
    assert (row.replicas_peak, row.gpu_hours_per_month_autoscaled) == (0, 0)


@pytest.mark.parametrize(("rate", "wanted"), [(0.0, 0), (1e-9, 1), (1.8, 1), (1.8000001, 2), (3.6, 2)])
def test_replicas_of_a_rate(rate: float, wanted: int) -> None:
    assert replicas_for(rate, 2.0, 0.9) == wanted


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from([SMALL, LARGE]), st.floats(0, 300), st.floats(0, 30_000), st.floats(1, 3000),
    st.integers(1, 64), st.floats(0.2, 1.0),
)  # fmt: skip
def test_laws_of_every_row(model, scale, context, generated, at_once, headroom) -> None:
    load, terms = week_load(scale, (context, generated)), ServingTerms(headroom=headroom, concurrency=at_once)
    rows = sized(model, load, terms)
    assert [row.row_id for row in rows] == sorted(row.row_id for row in rows)
    assert len([row for row in rows if row.tensor_parallel <= 8]) == 3 * 5 * 4
    for row in rows:
        assert row.fits == (
            row.memory_gb <= 0.9 * row.tensor_parallel * (row.gpu_memory_gb or 0) * (1 + 1e-12)
        )
        if row.tensor_parallel > 8:
            assert row.fits  # over machines only what they hold
            continue
        wider = row_of(rows, row.gpu_model, row.precision, min(8, 2 * row.tensor_parallel))
        assert wider.fits or not row.fits  # more GPUs never fit less
        if row.precision == "BF16":
            narrow = row_of(rows, row.gpu_model, "INT4", row.tensor_parallel)
            assert narrow.memory_gb < row.memory_gb and (narrow.fits or not row.fits)
        if not row.fits:
            assert row.replicas_peak is None and row.why
            continue
        scaled = row.gpu_hours_per_month_autoscaled
        assert row.replicas_peak is not None and scaled is not None and row.requests_per_s is not None
        flat = row.replicas_peak * row.tensor_parallel * 730
        assert row.replicas_spare == (row.replicas_peak > 1)
        assert 0 <= scaled <= flat * (1 + 1e-12)
        by_hand = sum(
            replicas_for(rate * scale, row.requests_per_s, headroom) * 730 * share
            for rate, share in ((10, 1 / 3), (40, 2 / 3))
        )
        assert isclose(scaled, by_hand * row.tensor_parallel, rel_tol=1e-9)
        assert row.concurrency is not None and at_once <= row.concurrency
        assert row.ttft_ms is None or 4.0 <= (row.ttft_p50_ms or 0) <= (row.ttft_p95_ms or 0)


def test_gpus_of_the_table_and_of_the_offers() -> None:
    table = (
        GpuModel(name="H100", memory_gb=80, bandwidth_tb_per_s=3.35, tflops=990),
        GpuModel(name="A100", memory_gb=80, bandwidth_tb_per_s=2.0, tflops=312),
        GpuModel(name="B200", memory_gb=192, bandwidth_tb_per_s=8.0, tflops=2250),
    )
    names = ("h100", "NVIDIA H100 NVL", "A100-40GB", "TPU")
    offers = [
        Offer(
            offer_id=name,
            gpu_model=name,
            pricing_category=PricingCategory.STANDARD,
            term_months=0,
            rate_usd_per_gpu_hour=None,
        )
        for name in names
    ]
    offers.append(
        Offer(
            offer_id="less",
            gpu_model="B200",
            pricing_category=PricingCategory.STANDARD,
            term_months=0,
            rate_usd_per_gpu_hour=None,
            gpu_memory_gb=180,
        )
    )
    gpus = {gpu.name: gpu for gpu in serving_gpus(ServingTables(table, CALIBRATION), offers)}
    assert list(gpus) == ["A100", "A100-40GB", "B200", "H100", "NVIDIA H100 NVL", "TPU"]
    assert gpus["NVIDIA H100 NVL"] == ServingGpu(
        name="NVIDIA H100 NVL", memory_gb=80, bandwidth_tb_per_s=3.35, tflops=990, chip=CHIPS["h100"]
    )
    assert gpus["A100-40GB"] == ServingGpu(
        name="A100-40GB", memory_gb=40, bandwidth_tb_per_s=None, tflops=None
    )
    assert gpus["TPU"] == ServingGpu(name="TPU", memory_gb=None, bandwidth_tb_per_s=None, tflops=None)
    assert gpus["B200"].memory_gb == 180  # what can be had of the chip's 192


def test_a_gpu_that_no_table_of_serving_names_has_the_factors_of_the_nearest() -> None:
    table = (
        GpuModel(name="H100", memory_gb=80, bandwidth_tb_per_s=3.35, tflops=990),
        GpuModel(name="L40S", memory_gb=48, bandwidth_tb_per_s=0.864, tflops=362),
        GpuModel(name="Other", memory_gb=80, bandwidth_tb_per_s=3.0, tflops=500),
    )
    gpu = serving_gpus(ServingTables(table, CALIBRATION))[-1]
    assert gpu.chip is not None and (gpu.chip.factors_of, gpu.chip.is_measured) == ("H100", False)
    assert (gpu.flops("BF16"), gpu.flops("INT4"), gpu.flops("FP8")) == (500e12, 500e12, None)


def test_terms_are_the_assumptions() -> None:
    assert terms_of(Assumptions()) == ServingTerms()
    few = terms_of(Assumptions(serving_concurrency=300))
    assert (few.concurrency, few.concurrency_most) == (300, 300)
    stated = terms_of(Assumptions(serving_concurrency_most=4))
    assert (stated.concurrency, stated.concurrency_most) == (4, 4)  # the least by default is 8


@given(st.floats(0.01, 0.99), st.floats(1, 1e4), st.sampled_from([0.5, 0.95]))
def test_the_wait_has_its_mean_and_its_tail(busy: float, prefill_ms: float, share: float) -> None:
    wait = Wait(busy, prefill_ms)
    assert isclose(wait.mean_ms, busy * prefill_ms / (2 * (1 - busy)))
    waited = wait.quantile_ms(share)
    if waited:
        assert isclose(busy * exp(-waited * busy / wait.mean_ms), 1 - share, rel_tol=1e-9)
    else:
        assert busy <= 1 - share
    assert wait.quantile_ms(0.95) >= wait.quantile_ms(0.5)
    allowed = busiest_for(waited + 1e-9, prefill_ms, share)
    assert allowed >= busy - 1e-7 or waited == 0  # halved 24 times


MODELS, TABLES = read_served_models(), read_serving_tables()
PUBLISHED = (
    # model, GPU, GPUs, precision, at once, tokens read, generated, tokens/s measured (sources: docs/formulas/sizing.md)
    ("Llama-3-8B", "A100-40GB", 2, "BF16", 16, 2048, 2048, 1086.9),
    ("Llama-2-7B", "A100-40GB", 4, "BF16", 16, 128, 128, 1983.8),
    ("Mistral-7B", "A100-80GB", 1, "BF16", 64, 2048, 128, 698.0),
    ("Llama-2-7B", "A100-80GB", 1, "BF16", 32, 128, 2048, 1459.0),
    ("Qwen3.5-397B-A17B", "B200", 8, "BF16", 64, 1024, 8192, 3148.5),
    ("Qwen3.5-397B-A17B", "B200", 8, "BF16", 8, 1024, 1024, 810.5),
    ("Llama-3.1-70B", "B200", 2, "FP4", 4, 1024, 1024, 410.7),
    ("gpt-oss-120b", "B200", 1, "FP4", 256, 8192, 1024, 6961.0),
    ("DeepSeek-R1", "B200", 8, "FP8", 64, 1024, 8192, 2905.9),
    ("Llama-3.1-70B", "B200", 8, "FP8", 128, 1024, 1024, 9232.2),
    ("Kimi-K2.5", "B200", 8, "INT4", 4, 1024, 8192, 384.9),
    ("Kimi-K2.5", "B200", 8, "INT4", 4, 8192, 1024, 334.8),
    ("Qwen3.5-397B-A17B", "B300", 8, "BF16", 32, 8192, 1024, 2037.6),
    ("Qwen3.5-397B-A17B", "B300", 4, "BF16", 4, 1024, 1024, 518.9),
    ("MiniMax-M2.5", "B300", 2, "FP4", 128, 1024, 1024, 6722.8),
    ("MiniMax-M2.5", "B300", 4, "FP4", 4, 1024, 1024, 647.0),
    ("MiniMax-M2.5", "B300", 2, "FP8", 16, 1024, 1024, 1189.8),
    ("Qwen3.5-397B-A17B", "B300", 8, "FP8", 4, 1024, 1024, 495.8),
    ("Llama-2-7B", "H100", 2, "BF16", 64, 2048, 2048, 2245.5),
    ("Llama-3-8B", "H100", 1, "BF16", 64, 1024, 1024, 3484.3),
    ("gpt-oss-120b", "H100", 4, "FP4", 64, 1024, 1024, 6525.1),
    ("gpt-oss-120b", "H100", 4, "FP4", 32, 1024, 8192, 4506.4),
    ("Qwen3-235B-A22B", "H100", 8, "FP8", 8, 512, 128, 546.0),
    ("Llama-3.1-405B", "H100", 8, "FP8", 16, 128, 2048, 432.2),
    ("gpt-oss-120b", "H200", 4, "FP4", 4, 1024, 1024, 788.3),
    ("gpt-oss-120b", "H200", 4, "FP4", 8, 1024, 1024, 1299.7),
    ("Llama-3.1-70B", "H200", 8, "FP8", 16, 1024, 8192, 1639.6),
    ("DeepSeek-R1", "H200", 8, "FP8", 4, 8192, 1024, 261.4),
    ("Kimi-K2.5", "H200", 8, "INT4", 32, 8192, 1024, 885.4),
    ("Kimi-K2.5", "H200", 8, "INT4", 4, 8192, 1024, 327.5),
    ("GPT-J-6B", "L40S", 1, "FP8", 64, 128, 128, 3630.0),
    ("Llama-2-70B", "L40S", 2, "FP8", 256, 128, 128, 1124.0),
    ("Llama-3.1-405B", "MI300X", 8, "FP8", 256, 128, 128, 1846.0),
    ("Llama-3.1-405B", "MI300X", 8, "FP8", 64, 2048, 2048, 1045.6),
)


def speed_of(*parts):
    names = [part.name for part in fields(ServingPoint)]
    return point_speed(
        ServingPoint(**dict(zip(names, parts, strict=False))), model_named(parts[0], MODELS), TABLES
    )


@pytest.mark.parametrize("point", PUBLISHED, ids=lambda one: f"{one[0]} {one[1]} {one[3]} {one[4]}")
def test_published_points_are_met_within_half(point) -> None:
    predicted = speed_of(*point[:-1]).tokens_per_s
    assert 1 / 1.5 < predicted / point[-1] < 1.5


def test_the_median_miss_of_published_points() -> None:
    misses = [abs(speed_of(*point[:-1]).tokens_per_s / point[-1] - 1) for point in PUBLISHED]
    assert median(misses) < 0.15


def test_what_is_not_known_is_said() -> None:
    known = ("Llama-3.1-8B", "H100", 1, "BF16", 8, 1000, 200)
    assert speed_of(*known).note == ""
    for at, value, said in (
        (0, "nobody", "model nobody is not known"),
        (1, "TPU", "TPU in BF16 is not known"),
        (3, "INT3", "H100 in INT3 is not known"),
    ):
        other = [*known]
        other[at] = value
        found = speed_of(*other)
        assert (found.tokens_per_s, found.low) == (None, None) and str(found.note) == said


def test_the_band_lies_round_the_speed_and_crowds_are_remarked() -> None:
    point = speed_of("Llama-3.1-8B", "H100", 1, "BF16", 200, 1000, 200)
    assert point.low < point.tokens_per_s < point.high
    assert "over 128 parallel requests" in str(point.note)
    assert isclose(point.tokens_per_s * point.tpot_ms, 200_000)


def test_replicas_of_a_stated_rate_are_busy_with_the_peak() -> None:
    """20 requests a second on 4 replicas of 8: 20 / 32; on none nobody is."""
    load = Load(
        hours=(LoadHour(0, 20.0), LoadHour(1, 10.0)),
        requests_per_month=1e6,
        context_tokens=1000.0,
        generated_tokens=250.0,
        longest_tokens=1250.0,
        are_tokens_known=True,
    )
    (row,) = rated_rows(load, {"H100": 8.0}, ServingTerms(spare=0), replicas=4)
    assert (row.replicas_peak, row.busy_at_peak) == (4, 0.625)
    idle = replace(load, hours=(LoadHour(0, 0.0),))
    (none,) = rated_rows(idle, {"H100": 8.0}, ServingTerms(spare=0), replicas=0)
    assert none.busy_at_peak is None
    with pytest.raises(ValueError, match="H100"):
        rated_rows(load, {"H100": 0.0}, ServingTerms(), None)


def test_a_gate_of_shared_experts_is_of_each_layer_that_mixes() -> None:
    """58 of 61 layers are mixed: a gate of 7,168 each, in what a token passes through too."""
    bare, gated = (counted_parameters({**DEEPSEEK, **more}) for more in ({}, {"shared_gate": 1}))
    assert bare is not None and gated is not None
    assert gated.parameters - bare.parameters == gated.active - bare.active == 58 * 7168


@pytest.mark.parametrize(
    ("targets", "asked"),
    [
        ((None, None), 3),  # 20 / (0.9 x 8)
        ((110.0, None), 5),  # half wait 10 ms at a rho of 0.547: 50 / 0.453 x ln(1.094) = 9.9; 20 / 4.376
        ((None, 400.0), 5),  # 95% wait 300 ms at 0.589: 50 / 0.411 x ln(0.589 / 0.05) = 300; 20 / 4.71
        ((100.0, None), 3),  # nothing is left to wait
    ],
)
def test_replicas_are_those_that_keep_a_target_of_the_first_token(
    targets: tuple[float | None, float | None], asked: int
) -> None:
    way_ms = 7.0
    p50, p95 = (None if ms is None else ms + way_ms for ms in targets)
    terms = ServingTerms(
        targets=ServingTargets(ttft_p50_ms=p50, ttft_p95_ms=p95), headroom=0.9, way_ms=way_ms, spare=0
    )
    assert replicas_held(20.0, 8.0, 100.0, terms) == (asked, 0)
    assert replicas_held(20.0, 8.0, 100.0, replace(terms, spare=None)) == (asked + 1, 1)
    assert replicas_held(0.0, 8.0, 100.0, replace(terms, spare=2)) == (0, 0)
    assert replicas_held(20.0, 8.0, 100.0, terms, 9) == (9, 0)


def test_a_chip_that_nobody_knows_is_as_its_bandwidth_is() -> None:
    gpu = next(gpu for gpu in GPUS if gpu.name == "H100")
    rows = [
        size_rows(SMALL, week_load(), [given], ServingTerms(), CALIBRATION, precisions=("BF16",))[0]
        for given in (replace(gpu, chip=None), replace(gpu, bandwidth_tb_per_s=None), gpu)
    ]
    assert rows[0].why == rows[1].why != rows[2].why and rows[2].requests_per_s is not None


def test_a_rate_below_a_request_a_second_is_one() -> None:
    load = Load(
        hours=(LoadHour(0, 1.0),),
        requests_per_month=1e6,
        context_tokens=1000.0,
        generated_tokens=250.0,
        longest_tokens=1250.0,
        are_tokens_known=True,
    )
    (row,) = rated_rows(load, {"H100": 0.5}, ServingTerms(headroom=1.0, spare=0), replicas=None)
    assert (row.replicas_peak, row.busy_at_peak) == (2, 1.0)
