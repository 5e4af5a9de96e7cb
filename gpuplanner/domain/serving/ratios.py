"""Ratios of two GPU models, the speed at a measured point, and measurements beside the formula; with source."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import exp, hypot, log
from statistics import median
from typing import Final

import numpy as np

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.gpu_family import families_of
from gpuplanner.domain.model.places import MeasuredPoint, ServedModel, ServingPoint
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.serving.calibration import BYTES_BY_PRECISION, Calibration, factors_of
from gpuplanner.domain.serving.load import Load
from gpuplanner.domain.serving.replicas import ServingTargets, ServingTerms
from gpuplanner.domain.serving.serving_gpus import ServingGpu, ServingTables, gpu_of
from gpuplanner.domain.serving.sizing import Correction, RowId, SizedRow, correction_of, size_rows
from gpuplanner.domain.serving.speed import Engine, replica_speed
from gpuplanner.lazy_dataclass import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedRatio:
    """One GPU of a model does the work of `ratio` of another, where a token takes no longer than tpot_ms.

    low, high: P10 and P90 of the ratio. source: what it stands on. gpus: of the other model, that are held: what the
    log has, else what is sized. rate: $ per GPU-hour of this model (None: nobody offers it).
    """

    gpu_model: str
    against: str
    precision: str
    tpot_ms: float
    ratio: float
    low: float
    high: float
    source: Text
    gpus: float | None = None
    rate: float | None = None

    @property
    def usd_per_month(self) -> float | None:
        """What takes the place of those that are held costs."""
        gpus = self.instead[1]
        return None if gpus is None or self.rate is None else gpus * self.rate * HOURS_PER_MONTH

    @property
    def instead(self) -> tuple[float | None, float | None, float | None]:
        """GPUs in place of those that are held: P10, middle, P90; None where that is not known."""
        held = self.gpus
        if held is None:
            return None, None, None
        return held / self.high, held / self.ratio, held / self.low


def speed_ratios(
    against: SizedRow,
    model: ServedModel,
    load: Load,
    gpus: Collection[ServingGpu],
    terms: ServingTerms,
    calibration: Calibration,
    corrections: Mapping[tuple[str, str, int], Correction],
    measured: "Iterable[Compared]" = (),
) -> tuple[SpeedRatio, ...]:
    """Every other GPU model beside that of a sized row, in its precision, at its time between two tokens; by name.

    measured: of the planner's own; where both GPU models have them, in this precision, they are the ratio.

    Each model in the shape that generates most tokens a GPU and keeps that time; one that cannot keep it, or of which
    nobody knows it, is left out. Source: docs/formulas/sizing.md.
    """
    if against.tpot_ms is None:
        return ()
    asked = replace(terms, targets=ServingTargets(tpot_p50_ms=against.tpot_ms))
    best: dict[str, SizedRow] = {}
    for row in size_rows(
        model, load, gpus, asked, calibration, corrections=corrections, precisions=(against.precision,)
    ):
        if (row.tpot_ms or against.tpot_ms * 2) > against.tpot_ms * (1 + 1e-9) or not row.requests_per_s:
            continue
        if row.gpu_model not in best or tokens_per_gpu(row) > tokens_per_gpu(best[row.gpu_model]):
            best[row.gpu_model] = row
    own = best.pop(against.gpu_model, None)
    if own is None:
        return ()
    points: dict[str, list[MeasuredPoint]] = {}
    for each in measured:
        if each.ratio is not None and each.measured.precision == against.precision:
            points.setdefault(each.gpu_model, []).append(each.measured)
    called = {gpu.name: gpu.chip.gpu_model for gpu in gpus if gpu.chip is not None}
    made = []
    for row in (best[name] for name in sorted(best)):
        keys = [(called[side.gpu_model], side.precision, side.tensor_parallel) for side in (row, own)]
        ratio = compare_speeds(row, own, against.tpot_ms, [correction_of(corrections, key) for key in keys])
        sides = [points.get(key[0], []) for key in keys]
        if ratios := measured_ratio(sides[0], sides[1], against.tpot_ms):
            source = joined(dict.fromkeys(point.source for side in sides for point in side), ", ")
            words = worded("measured in {source}", source=source)
            ratio = replace(ratio, ratio=median(ratios), low=min(ratios), high=max(ratios), source=words)
        made.append(ratio)
    return tuple(made)


def tokens_per_gpu(row: SizedRow) -> float:
    """Tokens generated a second by one GPU."""
    return (row.decode_tokens_per_s or 0.0) / row.tensor_parallel


def compare_speeds(
    row: SizedRow, own: SizedRow, tpot_ms: float, measured: list[Correction | None]
) -> SpeedRatio:
    """The two bands are taken as independent. Source of a side that was not measured: the formula."""
    ratio = tokens_per_gpu(row) / tokens_per_gpu(own)
    down = hypot(log(row.low or 1.0), log(own.high or 1.0))
    up = hypot(log(row.high or 1.0), log(own.low or 1.0))
    formula = worded("the formula, fitted to published measurements")
    sources = dict.fromkeys(formula if row is None else row.words for row in measured)
    source = joined(list(sources), "; ")
    return SpeedRatio(
        gpu_model=row.gpu_model,
        against=own.gpu_model,
        precision=row.precision,
        tpot_ms=tpot_ms,
        ratio=ratio,
        low=ratio / exp(down),
        high=ratio * exp(up),
        source=source,
    )


# --- A point: one replica of a model under so many requests at once -------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
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
    """What the formula says. model: None where its name is not known. Source: docs/formulas/sizing.md."""
    if model is None:
        return PointSpeed(note=worded("model {name} is not known", name=point.model))
    facts = families_of(tables.gpu_models).facts(point.gpu_model)
    gpu = None if facts is None else gpu_of(facts.name, facts.memory_gb, facts, tables)
    flops = None if gpu is None else gpu.flops(point.precision)
    if gpu is None or gpu.chip is None or gpu.bandwidth_tb_per_s is None or flops is None:
        return PointSpeed(
            note=worded(
                "{model} in {precision} is not known", model=point.gpu_model, precision=point.precision
            )
        )
    if point.precision not in BYTES_BY_PRECISION:
        return PointSpeed(note=worded("precision {name} is not known", name=point.precision))
    factors = factors_of(tables.calibration, gpu.chip, point.precision, model)
    speed = replica_speed(
        model,
        Engine(
            gpus=point.tensor_parallel, bandwidth=gpu.bandwidth_tb_per_s * 1e12, flops=flops, factors=factors
        ),
        BYTES_BY_PRECISION[point.precision],
        batch=point.concurrency,
        context_tokens=point.input_tokens,
        generated_tokens=point.output_tokens,
        kv_bytes_per_value=CACHE_BYTES.get(point.precision, 2.0),
    )
    remarks = list(factors.remarks)
    if point.concurrency > CROWDED:
        remarks.append(worded("formula unreliable over {most} parallel requests", most=whole(CROWDED)))
    return PointSpeed(
        tokens_per_s=speed.tokens_per_s,
        tpot_ms=speed.token_s * 1e3,
        prefill_ms=speed.prefill_s * 1e3,
        low=speed.tokens_per_s * factors.low,
        high=speed.tokens_per_s * factors.high,
        note=joined(remarks, "; ") if remarks else "",
    )


# --- Measurements of one's own, in place of the formula at their point ----------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A measurement beside the formula. ratio: measured over predicted; None where the formula knows nothing of it.

    gpu_model: as the tables call it.
    """

    measured: MeasuredPoint
    predicted_tokens_per_s: float | None
    ratio: float | None
    note: Text = ""
    gpu_model: str = ""


def compared(
    measured: Iterable[MeasuredPoint], models: Mapping[str, ServedModel | None], tables: ServingTables
) -> tuple[Compared, ...]:
    """Each measurement beside the formula. models: by the name that the file writes."""
    rows = []
    for point in measured:
        speed = point_speed(point, models.get(point.model), tables)
        ratio = None if speed.tokens_per_s is None else point.tokens_per_s / speed.tokens_per_s
        facts = families_of(tables.gpu_models).facts(point.gpu_model)
        name = point.gpu_model if facts is None else facts.name
        rows.append(
            Compared(
                measured=point,
                predicted_tokens_per_s=speed.tokens_per_s,
                ratio=ratio,
                note=speed.note,
                gpu_model=name,
            )
        )
    return tuple(rows)


def corrections(
    comparisons: Iterable[Compared], model: ServedModel, models: Mapping[str, ServedModel | None]
) -> dict[RowId, Correction]:
    """By GPU model, precision and GPUs of a replica: what the formula is multiplied with so that it meets them.

    Of measurements at as many requests the median ratio counts; those of other models count nowhere. A GPU's other
    shapes (0 GPUs of a replica) and precisions ("") have the median of what was measured of it.
    """
    ratios: dict[RowId, list[Compared]] = {}
    for comparison in comparisons:
        point, name = comparison.measured, comparison.gpu_model
        if comparison.ratio is not None and models.get(point.model) == model:
            shape = (name, point.precision, point.tensor_parallel)
            for row_id in (shape, (name, point.precision, 0), (name, "", 0)):
                ratios.setdefault(row_id, []).append(comparison)
    return {row_id: _correction(every, is_of_shape=bool(row_id[2])) for row_id, every in ratios.items()}


def _correction(every: Sequence[Compared], *, is_of_shape: bool) -> Correction:
    """Of the measurements of one shape, or of all shapes of a GPU."""
    pairs = [(each.measured.concurrency, each.ratio or 1.0) for each in every]
    batches = sorted({batch for batch, _ in pairs}) if is_of_shape else ()
    curve = tuple((batch, median(ratio for at, ratio in pairs if at == batch)) for batch in batches)
    return Correction(median(ratio for _, ratio in pairs), every[0].measured.source, curve, is_of_shape)


# --- Two GPU models that were both measured: no formula stands between them


def measured_ratio(
    ours: Sequence[MeasuredPoint], theirs: Sequence[MeasuredPoint], tpot_ms: float
) -> tuple[float, ...]:
    """Work of a GPU of ours over one of theirs, for each length of requests that both were measured at.

    At equal interactivity (tokens a second of a request) on the lines between the points, at that of tpot_ms or the
    nearest that both have; where they have none in common, at as many requests at once.
    """
    ratios = list[float]()
    for tokens in dict.fromkeys((point.input_tokens, point.output_tokens) for point in ours):
        sides = [[p for p in side if (p.input_tokens, p.output_tokens) == tokens] for side in (ours, theirs)]
        if not all(sides):
            continue
        curves = [_frontier(side) for side in sides]
        least, most = max(curve[0][0] for curve in curves), min(curve[-1][0] for curve in curves)
        if least <= most:
            at = min(max(log(1e3 / tpot_ms), least), most)
            up, down = (float(np.interp(at, *np.array(curve).T)) for curve in curves)
            ratios.append(exp(up - down))
        else:
            fast, slow = ({p.concurrency: p.tokens_per_s / p.tensor_parallel for p in side} for side in sides)
            ratios += [fast[batch] / slow[batch] for batch in fast.keys() & slow.keys()]
    return tuple(ratios)


def _frontier(points: Sequence[MeasuredPoint]) -> list[tuple[float, float]]:
    """Logarithms of interactivity and of a GPU's tokens a second, the points that no other one exceeds in both."""
    made = {(log(p.tokens_per_s / p.concurrency), log(p.tokens_per_s / p.tensor_parallel)) for p in points}
    return sorted(point for point in made if not any(x >= point[0] and y > point[1] for x, y in made))
