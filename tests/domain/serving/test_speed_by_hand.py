"""The speed of a replica by hand: batches beside machines, factors by their rows, and GPUs by name."""

from dataclasses import replace
from math import isclose

import pytest

from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.places import MeasuredPoint, ServedModel, ServingPoint, Traffic
from gpuplanner.domain.model.tables import GpuModel, PricingCategory
from gpuplanner.domain.serving import ratios
from gpuplanner.domain.serving.load import Load, LoadHour, _idle_hours, load_of_traffic
from gpuplanner.domain.serving.memory import cache_gb, counted_parameters
from gpuplanner.domain.serving.ratios import Compared, compared, corrections, point_speed, speed_ratios
from gpuplanner.domain.serving.replicas import ServingTerms, terms_of
from gpuplanner.domain.serving.sizing import Correction, RowId, SizedRow, size_rows
from gpuplanner.domain.serving.speed import (
    Engine,
    Factors,
    ServingChip,
    ServingFactor,
    ServingGpu,
    ServingTables,
    awake_share,
    calibration_of,
    factor_keys,
    factors_of,
    nearest_chip,
    prefill_time_s,
    replica_speed,
    serving_gpus,
    step_s,
    token_time_p95_s,
    token_time_s,
    weights_read,
)

SMALL = ServedModel(name="small", parameters=8_000_000_000, layers=32, kv_heads=8, head_dim=128, hidden=4096)
MIXED = ServedModel(
    name="mixed",
    parameters=100,
    layers=1,
    kv_heads=1,
    head_dim=1,
    active_parameters=40,
    experts=4,
    experts_per_token=1,
    hidden=2,
)
FACTORS = Factors(
    weights_share=0.5,
    cache_share=0.25,
    compute_share=0.5,
    prefill_share=0.5,
    layer_s=1.0,
    exchange_s=2.0,
    link_share=0.5,
    link_bytes_per_s=4.0,
    prefill_s=3.0,
)


# --- The formula


def test_a_step_is_the_sum_of_its_five_parts() -> None:
    """Two GPUs of 10 bytes/s and 100 FLOP/s: 40 / (2 x 10 x 0.5) = 4; 15 / (2 x 10 x 0.25) = 3; 2 x 5 x 20 / (2 x 100 x
    0.5) = 2; 3 layers of 1 s; their exchange 3 x (2 + 8 x 20 x 6 / 2 / (4 x 0.5)) = 3 x 242.
    """
    known = {"weights_bytes": 40, "cache_bytes": 15, "active": 5, "layers": 3, "hidden": 6, "batch": 20}
    asked = {"gpus": 2, "cache_gpus": 2, "bandwidth": 10, "flops": 100}
    assert step_s(FACTORS, **known, **asked) == 4 + 3 + 2 + 3 + 3 * 242
    # alone it reads all by itself, and exchanges nothing
    assert step_s(FACTORS, **known, **(asked | {"gpus": 1, "cache_gpus": 1})) == 8 + 6 + 4 + 3
    assert step_s(FACTORS, **known, **(asked | {"cache_gpus": 1})) == 4 + 6 + 2 + 3 + 3 * 242
    # three of four parts go over the link: 8 x 20 x 6 x 3 / 4 / 2 = 360
    assert step_s(FACTORS, **known, **(asked | {"gpus": 4})) == 2 + 3 + 1 + 3 + 3 * 362
    # 2 x 5 x 10 / (2 x 100 x 0.5) beside the 3 s of any prompt
    assert prefill_time_s(FACTORS, active=5, tokens=10, gpus=2, flops=100) == 4.0


def test_a_token_waits_for_the_prompts_of_the_others() -> None:
    """A step of 2 s and prompts of 10 s, of four others by 20 tokens; 1.645 deviations of them at P95."""
    assert token_time_s(2.0, 10.0, 5, 20) == 4.0
    assert token_time_p95_s(2.0, 10.0, 5, 20) == pytest.approx(2 + (4 + 1.645 * 2) * 0.5)
    assert token_time_s(2.0, 10.0, 1, 20) == token_time_p95_s(2.0, 10.0, 1, 20) == 2.0


@pytest.mark.parametrize(
    ("batch", "part", "others"), [(16, 8, 8), (4, 2, 2), (3, 1.5, 1.5), (2, 1, 1), (1, 0.5, 1)]
)
def test_a_pipeline_parts_its_batch_among_its_machines(batch: int, part: float, others: float) -> None:
    """Sixteen GPUs are two machines of eight: of fewer requests than machines nobody waits for another."""
    engine = Engine(gpus=16, bandwidth=1e12, flops=1e15, factors=FACTORS)
    speed = replica_speed(SMALL, engine, 2, batch=batch, context_tokens=10, generated_tokens=4)
    one_machine = step_s(
        FACTORS,
        weights_bytes=16e9,
        cache_bytes=part * 12 * SMALL.kv_values_per_token * 2,
        active=8e9,
        layers=32,
        hidden=4096,
        batch=part,
        gpus=8,
        cache_gpus=8,
        bandwidth=1e12,
        flops=1e15,
    )
    prefill = prefill_time_s(FACTORS, active=8e9, tokens=10, gpus=8, flops=1e15)
    assert isclose(speed.step_s, one_machine) and isclose(speed.prefill_s, prefill)
    assert isclose(speed.token_s, one_machine + (others - 1) * prefill / 4)
    assert isclose(speed.token_p95_s, one_machine + (others - 1 + 1.645 * (others - 1) ** 0.5) * prefill / 4)
    assert (speed.batch, speed.generated_tokens) == (batch, 4)
    half = replica_speed(
        SMALL, replace(engine, speed=0.5), 2, batch=batch, context_tokens=10, generated_tokens=4
    )
    assert isclose(half.step_s, 2 * speed.step_s) and isclose(half.prefill_s, 2 * speed.prefill_s)
    assert isclose(half.token_p95_s, 2 * speed.token_p95_s)


def test_the_cache_is_parted_over_no_more_gpus_than_heads_and_a_latent_one_over_none() -> None:
    """Only the cache is read here: 2 x 8 values of 2 bytes and 32 layers, of 11 tokens in the mean."""
    light = replace(FACTORS, weights_share=1e30, compute_share=1e30, layer_s=0, exchange_s=0, link_share=1e30)

    def read_s(model: ServedModel, gpus: int, **more: float) -> float:
        engine = Engine(gpus=gpus, bandwidth=1.0, flops=1.0, factors=light)
        return float(
            replica_speed(model, engine, 2, batch=3, context_tokens=10, generated_tokens=2, **more).step_s
        )

    few = replace(SMALL, kv_heads=2)
    kept = 3 * 11 * 2 * 32 * 2 * 128
    assert read_s(few, 1) == pytest.approx(kept * 2 / 0.25)
    assert read_s(few, 2) == pytest.approx(kept / 0.25) == read_s(few, 8)
    assert read_s(few, 2, kv_bytes_per_value=1.0) == pytest.approx(kept / 2 / 0.25)
    latent = replace(SMALL, kv_heads=64, kv_values_per_layer=64)
    assert read_s(latent, 8) == pytest.approx(3 * 11 * 32 * 64 * 2 / 0.25)


def test_a_mixture_wakes_experts_by_chance() -> None:
    """Of four experts each token chooses one: two requests wake 7/16. Three experts are 60 of 100 parameters."""
    assert awake_share(1, 4, 2) == pytest.approx(7 / 16) and awake_share(2, 4, 1) == 0.5
    assert weights_read(MIXED, 1) == pytest.approx(40.0)
    assert weights_read(MIXED, 2) == pytest.approx(20 + 80 * 7 / 16)
    assert weights_read(replace(MIXED, experts_per_token=4), 2) == 100


# --- Factors


def factor(name: str, of: str, value: float, measurements: int = 5, source: str = "") -> ServingFactor:
    return ServingFactor(
        factor=name, of=of, value=value, low=0.5, high=2.0, measurements=measurements, source=source
    )


CHIP = ServingChip(
    gpu_model="A1",
    factors_of="A1",
    is_measured=True,
    generation="gen",
    platform="plat",
    link="link",
    link_gb_per_s=300.0,
    tflops={"FP8": 0, "INT8": 100.0, "FP4": None},
)
ROWS = (
    factor("weights_share", "A1", 0.1),
    factor("cache_share", "gqa", 0.2),
    factor("cache_share", "mla", 0.3),
    factor("compute_share", "dense", 0.4),
    factor("compute_share", "moe", 0.5),
    factor("prefill_share", "dense/BF16", 0.6),
    factor("prefill_share", "dense/INT8", 0.65, 0, "near"),
    factor("prefill_share", "moe/gen", 0.7),
    factor("layer_s", "plat/dense", 0.8),
    factor("layer_s", "plat/moe", 0.9),
    factor("exchange_s", "link", 1.1),
    factor("link_share", "link", 1.2),
    factor("prefill_s", "all", 1.3),
    replace(factor("band", "all", 1.0), low=0.7, high=1.5),
    replace(factor("band", "A1/BF16", 1.0), low=0.8, high=1.25),
)
TABLE = calibration_of([CHIP], ROWS)


def test_each_factor_is_of_its_own_row() -> None:
    dense = factors_of(TABLE, CHIP, "BF16", SMALL)
    assert (dense.weights_share, dense.cache_share, dense.compute_share, dense.prefill_share) == (
        0.1,
        0.2,
        0.4,
        0.6,
    )
    assert (dense.layer_s, dense.exchange_s, dense.link_share, dense.prefill_s) == (0.8, 1.1, 1.2, 1.3)
    assert (dense.link_bytes_per_s, dense.low, dense.high, dense.remarks) == (300e9, 0.8, 1.25, ())
    mixed = factors_of(TABLE, CHIP, "FP8", replace(MIXED, kv_heads=64, head_dim=64, kv_values_per_layer=64))
    assert (mixed.cache_share, mixed.compute_share, mixed.prefill_share, mixed.layer_s) == (
        0.3,
        0.5,
        0.7,
        0.9,
    )
    assert (mixed.low, mixed.high, len(mixed.remarks)) == (0.7, 1.5, 1)  # hardly measured in FP8
    near = factors_of(TABLE, CHIP, "INT8", SMALL)
    assert near.prefill_share == 0.65 and len(near.remarks) == 2
    other = factors_of(TABLE, replace(CHIP, gpu_model="B1", is_measured=False), "INT8", SMALL)
    names = [dict(remark.values) for remark in other.remarks]  # type: ignore[union-attr]
    assert names == [{"model": "B1", "other": "A1"}, {"precision": "INT8", "nearest": "near"}]


def test_weights_without_arithmetic_are_computed_in_bf16() -> None:
    assert [CHIP.computed_in(name) for name in ("BF16", "FP8", "INT8", "INT4", "FP4")] == [
        "BF16", "BF16", "INT8", "BF16", "FP4",
    ]  # fmt: skip
    assert factor_keys(CHIP, "FP8", is_mixture=False, is_latent=False)["prefill_share"] == "dense/BF16"
    gpu = ServingGpu(name="A1", memory_gb=80, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP)
    assert [gpu.flops(name) for name in ("BF16", "FP8", "INT8", "INT4", "FP4")] == [
        300e12, 300e12, 100e12, 300e12, None,
    ]  # fmt: skip
    assert replace(gpu, tflops=None).flops("FP8") is None and replace(gpu, chip=None).flops("BF16") is None


def test_the_nearest_chip_is_so_as_a_ratio_and_was_measured() -> None:
    """2 and 8 are as near to 4: the first by name. 3 is nearer to 4 than to 2."""
    chips = [replace(CHIP, gpu_model=name, is_measured=name != "D") for name in ("C", "B", "A", "D")]
    table = calibration_of(chips, ())
    speeds = {"B": 2.0, "A": 8.0, "C": 4.0, "D": 3.0}
    assert nearest_chip(table, 4.0, {"B": 2.0, "A": 8.0}) == "A"
    assert nearest_chip(table, 3.0, speeds) == "C" and nearest_chip(table, 2.5, speeds) == "B"
    assert nearest_chip(table, 1.0, {"A": 0.0, "B": 9.0}) == "B"


# --- GPUs that models may be served on

MODELS = (
    GpuModel(name="A1", memory_gb=100.0, bandwidth_tb_per_s=2.0, tflops=300.0),
    GpuModel(name="Z9", memory_gb=48.0, bandwidth_tb_per_s=None, tflops=50.0),
    GpuModel(name="old", memory_gb=16.0, bandwidth_tb_per_s=1.0, tflops=1.0, is_served=False),
    GpuModel(name="New", memory_gb=40.0, bandwidth_tb_per_s=1.5, tflops=200.0),
)
TABLES = ServingTables(MODELS, TABLE)


def sold(name: str, memory_gb: float | None = None) -> Offer:
    return Offer(
        offer_id=name,
        gpu_model=name,
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=None,
        gpu_memory_gb=memory_gb,
    )


def gpus(*offers: Offer) -> dict[str, ServingGpu]:
    return {gpu.name: gpu for gpu in serving_gpus(TABLES, offers)}


def test_gpus_are_those_of_the_table_with_the_chip_of_their_own_or_the_nearest() -> None:
    found = gpus()
    assert list(found) == ["A1", "New", "Z9"]
    assert found["A1"] == ServingGpu(
        name="A1", memory_gb=100.0, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP
    )
    assert found["New"].chip == replace(CHIP, gpu_model="New", is_measured=False, tflops={})
    assert found["Z9"] == ServingGpu(
        name="Z9", memory_gb=48.0, bandwidth_tb_per_s=None, tflops=50.0, chip=None
    )


@pytest.mark.parametrize(
    ("stated", "memory_gb"), [(90.0, 90.0), (89.9, 100.0), (100.0, 100.0), (100.1, 100.0), (None, 100.0)]
)
def test_a_card_sold_with_up_to_a_tenth_less_is_the_same(stated: float | None, memory_gb: float) -> None:
    assert gpus(sold("a1", stated))["A1"].memory_gb == memory_gb
    assert gpus(sold("a1", stated), sold("A1", 95.0))["A1"].memory_gb == min(
        memory_gb, 95.0 if memory_gb >= 95 else 90.0
    )


def test_a_name_of_an_offer_has_the_facts_of_its_family_unless_its_memory_is_another() -> None:
    named = gpus(
        sold("Nvidia A1", 95.0),
        sold("A1 80GB", 100.0),
        sold("A1 92 GB"),
        sold("A1 PCIe"),
        sold("X", 7.0),
        sold("old"),
    )
    assert named["Nvidia A1"] == ServingGpu(
        name="Nvidia A1", memory_gb=95.0, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP
    )
    assert named["A1 80GB"] == ServingGpu(
        name="A1 80GB", memory_gb=80.0, bandwidth_tb_per_s=None, tflops=None
    )
    assert named["A1 92 GB"].memory_gb == 92.0 and named["A1 92 GB"].chip == CHIP
    assert named["A1 PCIe"].memory_gb == 100.0 and named["A1 PCIe"].tflops == 300.0
    assert named["X"] == ServingGpu(name="X", memory_gb=7.0, bandwidth_tb_per_s=None, tflops=None)
    assert named["old"].memory_gb == 16.0 and named["old"].chip is not None
    assert gpus(sold("Nvidia A1", 120.0))["Nvidia A1"] == ServingGpu(
        name="Nvidia A1", memory_gb=120.0, bandwidth_tb_per_s=None, tflops=None
    )
    assert gpus(sold("Nvidia A1", 100.0))["Nvidia A1"].bandwidth_tb_per_s == 2.0


# --- Memory


def test_parameters_are_counted_by_their_matrices() -> None:
    """Vocabulary 10, hidden 4, 2 layers, 2 heads of 2, 1 of keys, intermediate 3.

    Embeddings 10 x 4 twice; of a layer attention 2 x 4 x 4 + 2 x 4 x 2 = 48 and norms 8, feed-forward 3 x 4 x 3 = 36; a
    norm of 4 at the end: 80 + 4 + 2 x (56 + 36) = 268.
    """
    plain = {
        "vocab": 10,
        "hidden": 4,
        "layers": 2,
        "heads": 2,
        "kv_heads": 1,
        "head_dim": 2,
        "intermediate": 3,
    }

    def counted(matrices: int = 3, **more: int) -> tuple[int, int]:
        result = counted_parameters(plain | more, matrices)
        assert result is not None
        return result.parameters, result.active

    assert counted() == (268, 268) and counted(2) == (244, 244)
    assert counted(tied=1) == (228, 228)
    assert counted(qkv_bias=1) == (268 + 2 * 8, 268 + 2 * 8)  # (2 + 2 x 1) heads of 2
    assert counted(qk_norm=1) == (268 + 2 * 4, 268 + 2 * 4)
    # four experts of 36 with a router of 16: 80 + 4 + 2 x (56 + 16) = 228 always, and 2 x 36 of each expert
    assert counted(experts=4, experts_per_token=1) == (228 + 288, 228 + 72)
    assert counted(experts=4) == (516, 516)
    assert counted(experts=4, experts_per_token=1, router_bias=1) == (524, 308)
    assert counted(experts=4, experts_per_token=2, expert_intermediate=1) == (228 + 96, 228 + 48)
    assert counted(experts=4, experts_per_token=1, shared_intermediate=1) == (516 + 24, 300 + 24)
    assert counted(experts=4, experts_per_token=1, shared_gate=1) == (516 + 8, 300 + 8)
    # one dense layer of 36 in place of a router and four experts
    assert counted(experts=4, experts_per_token=1, dense_layers=1) == (516 - 160 + 36, 300 - 52 + 36)
    assert counted(experts=4, experts_per_token=1, dense_layers=9) == (268, 268)
    # latent: query 4 x 2 x (3 + 1) = 32, keys 4 x (5 + 1) + 5 + 5 x 2 x (3 + 2) = 79, output 2 x 2 x 4 = 16
    latent = {"kv_rank": 5, "nope_dim": 3, "rope_dim": 1, "v_dim": 2}
    assert counted(**latent) == (268 + 2 * (127 - 48),) * 2
    assert counted(**latent, q_rank=6) == (268 + 2 * (24 + 6 + 48 + 95 - 48),) * 2


def test_a_cache_holds_requests_at_once_and_at_least_the_longest() -> None:
    """65,536 values of 2 bytes a token."""
    model = ServedModel(name="m", parameters=1, layers=32, kv_heads=8, head_dim=128)

    def gb(**more: float) -> float:
        return cache_gb(model, concurrency=4, context_tokens=100, **more)

    assert gb() == pytest.approx(400 * 131_072 / 1e9) == gb(longest_tokens=400)
    assert gb(longest_tokens=401) == pytest.approx(401 * 131_072 / 1e9)
    assert gb(kv_bytes_per_value=1.0) == pytest.approx(400 * 65_536 / 1e9)


# --- One row


def test_as_many_requests_as_have_room_are_held_at_once() -> None:
    """64 GB beside the weights: eight requests of 8 GB to the byte; a byte more of weights leaves seven."""
    model = ServedModel(
        name="m",
        parameters=18_000_000_000,
        layers=1,
        kv_heads=1,
        head_dim=1,
        kv_values_per_layer=500,
        hidden=64,
    )
    load = Load(
        hours=(LoadHour(0, 1.0),),
        requests_per_month=1e6,
        context_tokens=4e6,
        generated_tokens=4e6,
        longest_tokens=8e6,
        are_tokens_known=True,
    )
    gpu = ServingGpu(name="A1", memory_gb=100, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP)

    def held(gigabytes: float = 100.0, **terms: float) -> SizedRow:
        known = {"usable_memory": 1.0, "concurrency": 1} | terms
        (row, *_) = size_rows(
            model,
            load,
            [replace(gpu, memory_gb=gigabytes)],
            ServingTerms(**known),
            TABLE,
            precisions=("BF16",),
        )
        return row

    assert (held().concurrency, held(99.999999).concurrency) == (8, 7)
    assert held(concurrency_most=5).concurrency == 5
    assert held(concurrency=8).concurrency == 8 and held(concurrency=9).fits is False
    assert (held().weights_gb, held().cache_gb, held().memory_gb, held().usable_gb) == (
        36.0,
        8.0,
        44.0,
        100.0,
    )
    assert held(usable_memory=0.5).usable_gb == 50.0 and held(44.0).fits and not held(43.999).fits


def test_corrections_multiply_the_planners_own_speed() -> None:
    load = Load(
        hours=(LoadHour(0, 1.0),),
        requests_per_month=1e6,
        context_tokens=100.0,
        generated_tokens=10.0,
        longest_tokens=110.0,
        are_tokens_known=True,
    )
    gpu = ServingGpu(name="A1", memory_gb=100, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP)

    def row(speed: float = 1.0, **ratio: float) -> SizedRow:
        own = {("A1", "BF16", 1): Correction(ratio["ratio"], "mine.csv")} if ratio else {}
        terms = ServingTerms(speed=speed)
        return size_rows(SMALL, load, [gpu], terms, TABLE, corrections=own, precisions=("BF16",))[0]

    plain, own, both = row(), row(ratio=0.5), row(3.0, ratio=0.5)
    assert isclose(own.tpot_ms or 0, 2 * (plain.tpot_ms or 0))
    assert isclose(both.tpot_ms or 0, (plain.tpot_ms or 0) / 1.5)
    assert "mine.csv" in str(own.why) and not plain.why


def test_the_prefix_cache_shortens_prefill_and_speculation_the_step() -> None:
    """Half of 100 tokens read: half of the part of prefill that grows with them. Two tokens a step: half the step."""
    engine = Engine(gpus=1, bandwidth=2e12, flops=3e14, factors=factors_of(TABLE, CHIP, "BF16", SMALL))
    given = {"batch": 4, "context_tokens": 100.0, "generated_tokens": 10.0}
    plain = replica_speed(SMALL, engine, 2, **given)
    hit = replica_speed(SMALL, replace(engine, prefix_hit=0.5), 2, **given)
    fixed = engine.factors.prefill_s
    assert isclose(hit.prefill_s - fixed, (plain.prefill_s - fixed) / 2) and hit.step_s == plain.step_s
    twice = replica_speed(SMALL, replace(engine, tokens_per_step=2.0), 2, **given)
    assert isclose(twice.step_s, plain.step_s / 2) and twice.prefill_s == plain.prefill_s
    terms = terms_of(Assumptions(serving_prefix_hit_share=0.5, serving_speculative_speedup=2))
    assert (terms.prefix_hit, terms.tokens_per_step) == (0.5, 2)
    load = Load(
        hours=(LoadHour(0, 1.0),),
        requests_per_month=1e6,
        context_tokens=100.0,
        generated_tokens=10.0,
        longest_tokens=110.0,
        are_tokens_known=True,
    )
    gpu = ServingGpu(name="A1", memory_gb=100, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP)
    rows = [
        size_rows(SMALL, load, [gpu], each, TABLE, precisions=("BF16",))[0]
        for each in (terms, ServingTerms())
    ]
    assert rows[0].memory_gb == rows[1].memory_gb  # what is in the cache stays in memory
    assert (rows[0].tpot_ms or 0) < (rows[1].tpot_ms or 0)


def test_a_gpu_that_nobody_measured_is_assumed_until_the_planner_measures_it() -> None:
    load = Load(
        hours=(LoadHour(0, 1.0),),
        requests_per_month=1e6,
        context_tokens=100.0,
        generated_tokens=10.0,
        longest_tokens=110.0,
        are_tokens_known=True,
    )
    gpu = ServingGpu(
        name="A1", memory_gb=100, bandwidth_tb_per_s=2.0, tflops=300.0, chip=replace(CHIP, is_measured=False)
    )

    def row(own: dict[RowId, Correction]) -> SizedRow:
        return size_rows(SMALL, load, [gpu], ServingTerms(), TABLE, corrections=own, precisions=("BF16",))[0]

    assert row({}).is_assumed and not row({("A1", "BF16", 1): Correction(0.5, "mine.csv")}).is_assumed


# --- Ratios


def sized(model: str, tokens: float | None, gpus: int = 1, **more: float) -> SizedRow:
    return SizedRow(
        gpu_model=model, precision="BF16", tensor_parallel=gpus, fits=True, decode_tokens_per_s=tokens, **more
    )


def test_a_ratio_is_by_the_gpu_with_both_bands() -> None:
    """300 tokens a second of two GPUs beside 50 of one: 3 times. Bands of 0.8 to 1.25 on one side: ratio x 0.8 to 1.25;
    on both sides the logarithms add as the sides of a right angle: e^(0.2231 x 1.4142) = 1.371.
    """
    fast, slow = sized("B", 300.0, 2), sized("A", 50.0)
    plain = ratios._ratio(fast, slow, 20.0, [None, None])
    assert (plain.gpu_model, plain.against, plain.tpot_ms, plain.precision) == ("B", "A", 20.0, "BF16")
    assert (plain.ratio, plain.low, plain.high) == (3.0, 3.0, 3.0)
    side = ratios._ratio(replace(fast, low=0.8, high=1.25), slow, 20.0, [None, None])
    assert (side.low, side.high) == pytest.approx((2.4, 3.75))
    other = ratios._ratio(fast, replace(slow, low=0.8, high=2.0), 20.0, [None, None])
    assert (other.low, other.high) == pytest.approx((1.5, 3.75))  # half where that side may be twice as fast
    both = ratios._ratio(
        replace(fast, low=0.8, high=1.25), replace(slow, low=0.8, high=1.25), 20.0, [None, None]
    )
    assert (both.low, both.high) == pytest.approx((3 / 1.3711, 3 * 1.3711), rel=1e-4)
    assert ratios._per_gpu(sized("C", None)) == 0.0
    named = ratios._ratio(fast, slow, 20.0, [Correction(1.0, "x.csv"), None])
    assert "x.csv" in str(named.source) and str(plain.source) in str(named.source)


def test_only_models_that_keep_the_time_have_a_ratio() -> None:
    load = Load(
        hours=(LoadHour(0, 1.0),),
        requests_per_month=1e6,
        context_tokens=100.0,
        generated_tokens=10.0,
        longest_tokens=110.0,
        are_tokens_known=True,
    )
    near = ServingGpu(name="A1", memory_gb=100, bandwidth_tb_per_s=2.0, tflops=300.0, chip=CHIP)
    gpus = [near, replace(near, name="B", bandwidth_tb_per_s=4.0), replace(near, name="C", memory_gb=1.0)]
    terms = ServingTerms(concurrency=1, concurrency_most=1)
    rows = size_rows(SMALL, load, gpus, terms, TABLE, precisions=("BF16",))
    own = next(row for row in rows if row.row_id == ("A1", "BF16", 1))
    found = speed_ratios(own, SMALL, load, gpus, terms, TABLE, {})
    assert [ratio.gpu_model for ratio in found] == ["B"] and found[0].ratio > 1
    faster = next(row for row in rows if row.row_id == ("B", "BF16", 1))
    assert {ratio.gpu_model for ratio in speed_ratios(faster, SMALL, load, gpus, terms, TABLE, {})} <= {"A1"}
    hopeless = replace(faster, tpot_ms=1e-6)
    assert speed_ratios(hopeless, SMALL, load, gpus, terms, TABLE, {}) == ()


POINT = ServingPoint(
    model="m",
    gpu_model="A1",
    tensor_parallel=1,
    precision="BF16",
    concurrency=4,
    input_tokens=100,
    output_tokens=10,
)


def test_a_point_has_the_speed_of_a_replica_and_its_band() -> None:
    result = point_speed(POINT, SMALL, TABLES)
    engine = Engine(gpus=1, bandwidth=2e12, flops=300e12, factors=factors_of(TABLE, CHIP, "BF16", SMALL))
    speed = replica_speed(SMALL, engine, 2, batch=4, context_tokens=100, generated_tokens=10)
    assert isclose(result.tokens_per_s or 0, speed.tokens_per_s)
    assert isclose(result.low or 0, 0.8 * speed.tokens_per_s) and isclose(
        result.high or 0, 1.25 * speed.tokens_per_s
    )
    assert isclose(result.tpot_ms or 0, 1e3 * speed.token_s)
    assert isclose(result.prefill_ms or 0, 1e3 * speed.prefill_s)
    assert result.note == "" == point_speed(replace(POINT, concurrency=128), SMALL, TABLES).note
    assert point_speed(replace(POINT, concurrency=129), SMALL, TABLES).note != ""
    for other in (
        replace(POINT, gpu_model="Z9"),
        replace(POINT, gpu_model="?"),
        replace(POINT, precision="FP4"),
    ):
        unknown = point_speed(other, SMALL, TABLES)
        assert unknown.tokens_per_s is unknown.tpot_ms is None and unknown.note
    assert point_speed(POINT, None, TABLES).tokens_per_s is None
    # the cache of FP8 has values of a byte: only that changes what is read
    eight = point_speed(replace(POINT, precision="FP8"), SMALL, TABLES)
    narrow = replica_speed(
        SMALL, engine, 1, batch=4, context_tokens=100, generated_tokens=10, kv_bytes_per_value=1.0
    )
    assert isclose(eight.tokens_per_s or 0, narrow.tokens_per_s)


def test_the_median_of_measurements_of_a_row_corrects_it() -> None:
    point = MeasuredPoint(
        model="m",
        gpu_model="A1",
        tensor_parallel=1,
        precision="BF16",
        concurrency=4,
        input_tokens=100,
        output_tokens=10,
        tokens_per_s=1.0,
        source="a.csv",
    )
    rows = [
        Compared(
            measured=replace(point, source=f"{at}.csv"),
            predicted_tokens_per_s=1.0,
            ratio=ratio,
            gpu_model="A1",
        )
        for at, ratio in enumerate((3.0, 1.0, 2.5, 8.0))
    ]
    models = {"m": SMALL, "other": MIXED}
    more = [
        Compared(
            measured=replace(point, tensor_parallel=2), predicted_tokens_per_s=1.0, ratio=0.5, gpu_model="A1"
        ),
        Compared(
            measured=replace(point, model="other", tensor_parallel=4),
            predicted_tokens_per_s=1.0,
            ratio=9.0,
            gpu_model="A1",
        ),
        Compared(
            measured=replace(point, tensor_parallel=8),
            predicted_tokens_per_s=None,
            ratio=None,
            gpu_model="A1",
        ),
    ]
    found = corrections([*rows, *more], SMALL, models)
    assert found == {  # of all five the median is 2.5
        ("A1", "BF16", 1): Correction(2.75, "0.csv", ((4, 2.75),)),
        ("A1", "BF16", 2): Correction(0.5, "a.csv", ((4, 0.5),)),
        ("A1", "BF16", 0): Correction(2.5, "0.csv", is_of_shape=False),
        ("A1", "", 0): Correction(2.5, "0.csv", is_of_shape=False),
    }
    (seen,) = compared([replace(point, tokens_per_s=7.0)], models, TABLES)
    assert isclose((seen.ratio or 0) * (seen.predicted_tokens_per_s or 0), 7.0)


# --- The load


def test_idle_hours_of_a_long_time_are_parted_by_hour_of_the_week() -> None:
    """From Monday 1:00 and so in hour 1 of the week: 170 hours have hours 1, 2 and 3 twice, of which two are busy."""
    monday_s = 1_767_571_200 + 3600
    found = {
        hour.week_hour: hour.seconds / 3600
        for hour in _idle_hours(monday_s, monday_s + 171 * 3600 - 5, [monday_s, monday_s + 3600])
    }
    assert (found[1], found[2], found[3], found[4], found[0]) == (1, 1, 2, 1, 1)
    assert sum(found.values()) == 169 and len(found) == 168
    idle = _idle_hours(monday_s, monday_s + 7200, [monday_s])
    assert [(hour.week_hour, hour.requests_per_s, hour.seconds) for hour in idle] == [(2, 0.0, 3600.0)]
    all_busy = _idle_hours(monday_s, monday_s + 3600, [monday_s])
    assert all_busy == ()


def test_a_traffic_without_whole_counts_is_no_load() -> None:
    assert (
        load_of_traffic(
            Traffic(start_s=0, end_s=3600, hours=((0, 1, 1), (3600, 1, 1)), source="", requests=((1, 1, 2),))
        )
        is None
    )
    load = load_of_traffic(
        Traffic(
            start_s=1800,
            end_s=5400,
            hours=((0, 30, 10), (3600, 50, 10)),
            source="t",
            requests=((3, 3, 20), (1, 1, 40)),
        )
    )
    assert load is not None
    assert [(hour.requests_per_s, hour.seconds) for hour in load.hours] == [(0.05, 1800.0), (1 / 60, 1800.0)]
    assert (load.context_tokens, load.generated_tokens, load.longest_tokens, load.source) == (
        20.0,
        5.0,
        40.0,
        "t",
    )
    assert load.requests_per_month == 4 * 730 and load.known_hours == 1.0 and load.tokens_per_request == 25.0
    assert load.tokens_per_month == 4 * 730 * 25 and load.month_per_second == 730 / 3600
