"""Other GPU models for a workload: whether they hold it, how fast they are, at which $; and what ran out of memory."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from gpuplanner.domain.fit.rules import Light, light_of
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.gpu_family import families_of
from gpuplanner.domain.model.intake import OUT_OF_MEMORY, LoggedRun
from gpuplanner.domain.model.tables import PricingCategory, Tables, TrainedNeed
from gpuplanner.domain.model.window import HOUR_S

VISION_BAND: Final = (0.66, 1.51)
"""Of ratios of measured speeds: nine in ten published runs kept apart lie within 51%."""
VISION_WORDS: Final = re.compile(
    r"(?<![a-z])(?:vision|image|resnet|efficientnet|vit|yolo|detect|segment|unet|mobilenet|cnn|ocr|video"
    r"|speech|asr|tts|whisper|wav2vec|conformer|audio|wakeword|xgboost|lightgbm|catboost|sklearn|tabular|forecast)"
)
"""In names of work whose speed goes by that of vision: vision, speech, classic models."""
STEPS: Final = worded("steps of its model")
SPEEDS: Final = worded("measured speeds of vision")


@dataclass(frozen=True, slots=True)
class OtherHardware:
    """A workload on another GPU model. ratio: GPUs that it runs on today which one of these is worth, low and high its
    band; light: of memory, None where it is not known; offer_id: the cheapest by use, else by the term.

    run_hours: of the longest job, on as many of these; worth_below: $ per GPU-hour below which it pays.
    """

    key: str
    against: str
    gpu_model: str
    light: Light | None
    ratio: float
    low: float
    high: float
    source: Text
    run_hours: float
    gpu_hours_per_month: float
    offer_id: str | None
    cost_per_month: float | None
    worth_below: float | None

    @property
    def map_model(self) -> str:
        """As `--map-model` takes it."""
        return f"{self.against}={self.gpu_model}:{self.ratio:.3g}"


def cheapest_rates(offers: Iterable[Offer]) -> dict[str, tuple[float, str]]:
    """By GPU model the lowest rate by use and its offer_id; where nobody sells by use, that of a term."""
    found: dict[str, tuple[bool, float, str]] = {}
    for offer in offers:
        if offer.spread_rate and offer.pricing_category is not PricingCategory.DYNAMIC:
            is_term = offer.pricing_category is not PricingCategory.STANDARD
            one = (is_term, offer.spread_rate, offer.offer_id)
            found[offer.gpu_model] = min(one, found.get(offer.gpu_model, one))
    return {name: (rate, offer_id) for name, (_, rate, offer_id) in found.items()}


def other_hardware(
    workload: Workload,
    gpu_model: str,
    per_month: tuple[float, float | None],
    known: tuple[float, TrainedNeed] | None,
    rates: Mapping[str, tuple[float, str]],
    tables: Tables,
) -> tuple[OtherHardware, ...]:
    """Every other GPU model of the prices, fewest $ first; of work that goes by measured speeds also those measured.

    per_month: GPU-hours and $ today, None: not known; known: billions of parameters, and what its run needs today.
    Empty where nobody knows how fast it is elsewhere. Source: docs/formulas.md, Training.
    """
    (hours, usd), found = per_month, []
    source = SPEEDS if known is None else STEPS
    for name, ratio, (low, high), light in _speeds(workload, gpu_model, known, rates, tables):
        rate, offer_id = rates.get(name, (None, None))
        cost = None if rate is None else hours / ratio * rate
        worth, run_hours = usd / hours * ratio if usd else None, workload.longest_job_s / HOUR_S / ratio
        one = OtherHardware(
            workload.key, gpu_model, name, light, ratio, ratio * low, ratio * high, source, run_hours, hours / ratio,
            offer_id, cost, worth,
        )  # fmt: skip
        found.append(one)
    return tuple(sorted(found, key=lambda one: (one.cost_per_month is None, one.cost_per_month or 0.0)))


def _speeds(
    workload: Workload,
    gpu_model: str,
    known: tuple[float, TrainedNeed] | None,
    rates: Mapping[str, object],
    tables: Tables,
) -> Iterator[tuple[str, float, tuple[float, float], Light | None]]:
    """Names of GPU models with the ratio, its band and the light of memory, by name."""
    facts, called = families_of(tables.gpu_models).facts, workload.sample_name or workload.name
    mine, speeds = facts(gpu_model), tables.vision_speeds
    is_vision = known is None and bool(VISION_WORDS.search(called.casefold()))
    own = speeds.get(mine.name) if is_vision and mine else None
    for name in sorted({*rates, *(speeds if own else ())}, key=str.casefold):
        theirs = facts(name)
        if theirs is mine or theirs is None:
            continue
        if own and (speed := speeds.get(theirs.name)):
            is_enough = mine is not None and (theirs.memory_gb or 0.0) >= (mine.memory_gb or inf)
            yield name, speed / own, VISION_BAND, Light.GREEN if is_enough else None
        elif known is not None and known[1].step_s and tables.trained is not None:
            there = tables.trained(known[0], name, workload.max_milli_gpus / 1000, None, called)
            if there is not None and there.step_s:
                light = None if there.card_gib is None else light_of(there.memory_gib, there.card_gib)
                yield name, known[1].step_s / there.step_s, there.band, light


# --- Jobs that ran out of memory, and the GPUs that would have held them


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """Jobs of a workload that ended so on one GPU model. needs_gib: of a GPU; None: not known, but more than it has.

    would_hold: GPU models of prices, contracts and the log with room for that; where it is not known, with more memory,
    and as much as the least on which a job of the workload completed. Least memory first.
    """

    key: str
    gpu_model: str
    jobs: int
    gpu_hours: float
    memory_gb: float | None
    needs_gib: float | None
    would_hold: tuple[str, ...]


def out_of_memory(
    runs: Sequence[LoggedRun], needs: Mapping[str, float | None], memory_of: Mapping[str, float]
) -> dict[str, tuple[OutOfMemory, ...]]:
    """By workload, by GPU model. needs: GiB of a GPU, where it is known; memory_of: GB of GPU models.

    Source: docs/formulas.md, Training.
    """
    ended: dict[tuple[str, str], list[LoggedRun]] = {}
    held: dict[str, set[float]] = {}
    for run in runs:
        model = run.gpu_model or ""
        if run.state == OUT_OF_MEMORY and model:
            ended.setdefault((run.key, model), []).append(run)
        elif run.state == "COMPLETED" and model in memory_of:
            held.setdefault(run.key, set()).add(memory_of[model])
    found: dict[str, tuple[OutOfMemory, ...]] = {}
    for (key, gpu_model), jobs in sorted(ended.items()):
        has, need = memory_of.get(gpu_model, inf), needs.get(key)
        least = min((one for one in held.get(key, ()) if one > has), default=0.0)
        room = sorted(
            (memory, name)
            for name, memory in memory_of.items()
            if memory > has and (memory >= least if need is None else light_of(need, memory) is not Light.RED)
        )
        hours = sum(run.milli_gpus / 1000 * run.hours for run in jobs)
        names, memory_gb = tuple(name for _, name in room), memory_of.get(gpu_model)
        one = OutOfMemory(key, gpu_model, len(jobs), hours, memory_gb, need, names)
        found[key] = (*found.get(key, ()), one)
    return found
