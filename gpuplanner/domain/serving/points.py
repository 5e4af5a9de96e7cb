"""Points of serving: what the formula says of a measured point, and what measurements say in its place."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.gpu_family import families_of
from gpuplanner.domain.model.places import ServedModel
from gpuplanner.domain.serving.sizing import ServingTables, gpu_of
from gpuplanner.domain.serving.speed import BYTES_BY_PRECISION, Engine, factors_of, replica_speed

# --- A point: one replica of a model under so many requests at once -------------------------------


@dataclass(frozen=True, slots=True)
class ServingPoint:
    """What was measured, as far as its file says. precision as BF16, FP8, ...; tokens are means of a request."""

    model: str
    gpu_model: str
    tensor_parallel: int
    precision: str
    concurrency: float
    input_tokens: float
    output_tokens: float


@dataclass(frozen=True, slots=True)
class PointSpeed:
    """What the formula says of a point. tokens_per_s: of the replica, low and high its band; None: not known, said."""

    tokens_per_s: float | None = None
    tpot_ms: float | None = None
    prefill_ms: float | None = None
    low: float | None = None
    high: float | None = None
    note: Text = ""


CACHE_BYTES: Final = {"FP8": 1.0, "FP4": 1.0}
"""Bytes of a value of the KV cache by precision of the weights, where nobody states them; 2 for the others."""
CROWDED: Final = 128
"""Requests at once above which the formula is off: the median miss is twice that of fewer."""


def point_speed(point: ServingPoint, model: ServedModel | None, tables: ServingTables) -> PointSpeed:
    """What the formula says. model: None where its name is not known. Source: docs/formulas.md, Inference sizing."""
    if model is None:
        return PointSpeed(note=worded("the model {name} is not known", name=point.model))
    facts = families_of(tables.gpu_models).facts(point.gpu_model)
    gpu = None if facts is None else gpu_of(facts.name, facts.memory_gb, facts, tables)
    flops = None if gpu is None else gpu.flops(point.precision)
    if gpu is None or gpu.chip is None or gpu.bandwidth_tb_per_s is None or flops is None:
        return PointSpeed(
            note=worded(
                "{gpu_model} in {precision} is not known",
                gpu_model=point.gpu_model,
                precision=point.precision,
            )
        )
    if point.precision not in BYTES_BY_PRECISION:
        return PointSpeed(note=worded("the precision {name} is not known", name=point.precision))
    factors = factors_of(tables.calibration, gpu.chip, point.precision, model)
    speed = replica_speed(
        model,
        Engine(point.tensor_parallel, gpu.bandwidth_tb_per_s * 1e12, flops, factors),
        BYTES_BY_PRECISION[point.precision],
        batch=point.concurrency,
        context_tokens=point.input_tokens,
        generated_tokens=point.output_tokens,
        kv_bytes_per_value=CACHE_BYTES.get(point.precision, 2.0),
    )
    remarks = list(factors.remarks)
    if point.concurrency > CROWDED:
        remarks.append(worded("over {most} at once the formula is off", most=whole(CROWDED)))
    return PointSpeed(
        speed.tokens_per_s,
        speed.token_s * 1e3,
        speed.prefill_s * 1e3,
        speed.tokens_per_s * factors.low,
        speed.tokens_per_s * factors.high,
        joined(remarks, "; ") if remarks else "",
    )
