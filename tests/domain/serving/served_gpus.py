"""GPUs of a small table, a chip and a model that is served on them."""

from dataclasses import replace

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.places import ServedModel
from gpuplanner.domain.model.tables import GpuModel
from gpuplanner.domain.serving.calibration import Factors, ServingChip, ServingFactor, calibration_of
from gpuplanner.domain.serving.serving_gpus import ServingGpu, ServingTables, serving_gpus

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
MODELS = (
    GpuModel(name="A1", memory_gb=100.0, bandwidth_tb_per_s=2.0, tflops=300.0),
    GpuModel(name="Z9", memory_gb=48.0, bandwidth_tb_per_s=None, tflops=50.0),
    GpuModel(name="old", memory_gb=16.0, bandwidth_tb_per_s=1.0, tflops=1.0, is_served=False),
    GpuModel(name="New", memory_gb=40.0, bandwidth_tb_per_s=1.5, tflops=200.0),
)


def factor(name: str, of: str, value: float, measurements: int = 5, source: str = "") -> ServingFactor:
    return ServingFactor(
        factor=name, applies_to=of, value=value, low=0.5, high=2.0, measurements=measurements, source=source
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


TABLES = ServingTables(MODELS, TABLE)


def gpus(*offers: Offer) -> dict[str, ServingGpu]:
    return {gpu.name: gpu for gpu in serving_gpus(TABLES, offers)}
