"""Points of serving: what the formula says of a measured point, and what measurements say in its place."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.gpu_family import families_of
from gpuplanner.domain.model.places import MeasuredPoint, ServedModel, ServingPoint
from gpuplanner.domain.serving.gpus import ServingTables, gpu_of
from gpuplanner.domain.serving.sizing import Correction
from gpuplanner.domain.serving.speed import BYTES_BY_PRECISION, Engine, factors_of, replica_speed

# --- A point: one replica of a model under so many requests at once -------------------------------


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


# --- Measurements of one's own, in place of the formula at their point ----------------------------


@dataclass(frozen=True, slots=True)
class Compared:
    """A measurement beside the formula. ratio: measured over predicted; None where the formula knows nothing of it."""

    measured: MeasuredPoint
    predicted_tokens_per_s: float | None
    ratio: float | None
    note: Text = ""


def compared(
    measured: Iterable[MeasuredPoint], models: Mapping[str, ServedModel | None], tables: ServingTables
) -> tuple[Compared, ...]:
    """Each measurement beside the formula. models: by the name that the file writes."""
    found = []
    for one in measured:
        speed = point_speed(one, models.get(one.model), tables)
        ratio = None if speed.tokens_per_s is None else one.tokens_per_s / speed.tokens_per_s
        found.append(Compared(one, speed.tokens_per_s, ratio, speed.note))
    return tuple(found)


RowId = tuple[str, str, int]


def corrections(
    found: Iterable[Compared],
    model: ServedModel,
    models: Mapping[str, ServedModel | None],
    tables: ServingTables,
) -> dict[RowId, Correction]:
    """By GPU model, precision and GPUs of a replica: what the formula is multiplied with so that it meets them.

    Of several measurements of one row the median ratio counts; those of other models count nowhere.
    """
    families, ratios = families_of(tables.gpu_models), dict[RowId, list[Compared]]()
    for one in found:
        point, known = one.measured, families.facts(one.measured.gpu_model)
        if one.ratio is not None and known is not None and models.get(point.model) == model:
            ratios.setdefault((known.name, point.precision, point.tensor_parallel), []).append(one)
    return {
        row_id: Correction(median(one.ratio or 1.0 for one in every), every[0].measured.source)
        for row_id, every in ratios.items()
    }
