"""Other hardware for a workload: GPU models that hold it, how fast and at which $; and what the network costs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Final

from gpuplanner.domain.figures.card import gpu_hours_per_month
from gpuplanner.domain.fit.rules import INTERCONNECT_LIGHT, Light, has_room, light_of
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.gpu_family import families_of
from gpuplanner.domain.model.intake import OUT_OF_MEMORY, LoggedRun
from gpuplanner.domain.model.tables import PricingCategory, Tables, TrainedNeed
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

VISION_BAND: Final = (0.66, 1.51)
"""Of ratios of measured speeds: nine in ten published runs kept apart lie within 51%."""
VISION_WORDS: Final = lazy_re(
    r"(?<![a-z])(?:vision|image|resnet|efficientnet|vit|yolo|detect|segment|unet|mobilenet|cnn|ocr|video"
    r"|speech|asr|tts|whisper|wav2vec|conformer|audio|wakeword|xgboost|lightgbm|catboost|sklearn|tabular|forecast)"
)
"""In names of work whose speed goes by that of vision: vision, speech, classic models."""
STEPS: Final = worded("steps of its model")
SPEEDS: Final = worded("measured speeds of vision")


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherHardware:
    """A workload on another GPU model. ratio: GPUs that it runs on today which one of these is worth, low and high its
    band; light: of memory, None where it is not known; holds: whether the memory is enough; offer_id: the cheapest by
    use, else by the term.

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
    holds: bool = True

    @property
    def map_model(self) -> str:
        """As `--map-model` takes it."""
        return f"{self.against}={self.gpu_model}:{self.ratio:.3g}"


def cheapest_rates(offers: Iterable[Offer]) -> dict[str, tuple[float, str]]:
    """By GPU model the lowest rate by use and its offer_id; where nobody sells by use, that of a term."""
    cheapest: dict[str, tuple[bool, float, str]] = {}
    for offer in offers:
        if offer.spread_rate and offer.pricing_category is not PricingCategory.DYNAMIC:
            is_term = offer.pricing_category is not PricingCategory.STANDARD
            candidate = (is_term, offer.spread_rate, offer.offer_id)
            cheapest[offer.gpu_model] = min(candidate, cheapest.get(offer.gpu_model, candidate))
    return {name: (rate, offer_id) for name, (_, rate, offer_id) in cheapest.items()}


def other_hardware(
    workload: Workload,
    gpu_model: str,
    per_month: tuple[float, float | None],
    known: tuple[float, TrainedNeed] | None,
    rates: Mapping[str, tuple[float, str]],
    tables: Tables,
) -> tuple[OtherHardware, ...]:
    """Every other GPU model of the prices, fewest $ first, those without enough memory last.

    Work that goes by measured speeds has those measured, too.

    per_month: GPU-hours and $ today, None: not known; known: billions of parameters, and what its run needs today.
    Empty where nobody knows how fast it is elsewhere. Source: docs/formulas/training.md.
    """
    (hours, usd), rows = per_month, []
    source = SPEEDS if known is None else STEPS
    for name, ratio, (low, high), light, holds, assumed in _speeds(workload, gpu_model, known, rates, tables):
        rate, offer_id = rates.get(name, (None, None))
        cost = None if rate is None else hours / ratio * rate
        worth, run_hours = usd / hours * ratio if usd else None, workload.longest_job_s / HOUR_S / ratio
        row = OtherHardware(
            key=workload.key,
            against=gpu_model,
            gpu_model=name,
            light=light,
            ratio=ratio,
            low=ratio * low,
            high=ratio * high,
            source=joined((source, assumed), "; ") if assumed else source,
            run_hours=run_hours,
            gpu_hours_per_month=hours / ratio,
            offer_id=offer_id,
            cost_per_month=cost,
            worth_below=worth,
            holds=holds,
        )
        rows.append(row)
    rows.sort(key=lambda row: (row.cost_per_month is None, row.cost_per_month or 0.0, row.source != source))
    return tuple(sorted(rows, key=lambda row: not row.holds))


def _speeds(
    workload: Workload,
    gpu_model: str,
    known: tuple[float, TrainedNeed] | None,
    rates: Mapping[str, object],
    tables: Tables,
) -> Iterator[tuple[str, float, tuple[float, float], Light | None, bool, str]]:
    """By name: GPU models with the ratio, its band, the light of memory, whether it is enough, and what is assumed."""
    called, speeds = workload.sample_name or workload.name, tables.vision_speeds
    is_vision = known is None and bool(VISION_WORDS.search(called.casefold()))
    if known is None and not is_vision:
        return  # most workloads; looking up the families of all GPU models would take the longest
    facts = families_of(tables.gpu_models).facts
    own_facts = facts(gpu_model)
    own = speeds.get(own_facts.name) if is_vision and own_facts else None
    for name in sorted({*rates, *(speeds if own else ())}, key=str.casefold):
        theirs = facts(name)
        if theirs is own_facts or theirs is None:
            continue
        if own and (speed := speeds.get(theirs.name)):
            is_enough = own_facts is not None and (theirs.memory_gb or 0.0) >= (own_facts.memory_gb or inf)
            yield name, speed / own, VISION_BAND, Light.GREEN if is_enough else None, True, ""
        elif known is not None and known[1].step_s and tables.trained is not None:
            trained = tables.trained(known[0], name, workload.max_milli_gpus / 1000, None, called)
            if trained is not None and trained.step_s:
                card, need, speed = trained.card_gib, trained.memory_gib, known[1].step_s / trained.step_s
                light, holds = (None, True) if card is None else (light_of(need, card), has_room(need, card))
                yield name, speed, trained.band, light, holds, trained.assumed


# --- Jobs that ran out of memory, and the GPUs that would have held them


@dataclass(frozen=True, slots=True, kw_only=True)
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

    Source: docs/formulas/training.md.
    """
    ended: dict[tuple[str, str], list[LoggedRun]] = {}
    held: dict[str, set[float]] = {}
    for run in runs:
        model = run.gpu_model or ""
        if run.state == OUT_OF_MEMORY and model:
            ended.setdefault((run.key, model), []).append(run)
        elif run.state == "COMPLETED" and model in memory_of:
            held.setdefault(run.key, set()).add(memory_of[model])
    by_key: dict[str, tuple[OutOfMemory, ...]] = {}
    for (key, gpu_model), jobs in sorted(ended.items()):
        has, need = memory_of.get(gpu_model, inf), needs.get(key)
        least = min((size for size in held.get(key, ()) if size > has), default=0.0)
        room = sorted(
            (memory, name)
            for name, memory in memory_of.items()
            if memory > has and (memory >= least if need is None else has_room(need, memory))
        )
        hours = sum(run.milli_gpus / 1000 * run.hours for run in jobs)
        names, memory_gb = tuple(name for _, name in room), memory_of.get(gpu_model)
        row = OutOfMemory(
            key=key,
            gpu_model=gpu_model,
            jobs=len(jobs),
            gpu_hours=hours,
            memory_gb=memory_gb,
            needs_gib=need,
            would_hold=names,
        )
        by_key[key] = (*by_key.get(key, ()), row)
    return by_key


# --- What the network costs a run of several nodes: its length and price on InfiniBand and on Ethernet

FAST, SLOW = "infiniband", "ethernet"
NETWORK_WORDS: Final = {FAST: "InfiniBand", SLOW: "Ethernet"}


@dataclass(frozen=True, slots=True, kw_only=True)
class OnNetwork:
    """A workload's longest run, and its month, on one network. Unknown $ are None."""

    network: str
    step_s: float
    run_hours: float
    run_gpu_hours: float | None
    run_usd: float | None
    gpu_hours_per_month: float
    usd_per_month: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkCost:
    """The two networks beside each other, and which of them it has (None: neither, or nobody says).

    run_hours: of its longest job; run_gpus: most GPUs of a job; usd_per_gpu_hour: what it paid on average.
    is_of_model: its steps are of the model that it trains, no assumptions. infiniband and ethernet are None where `has`
    is: then nothing can be told from the run.
    """

    has: str | None
    run_hours: float
    run_gpus: float | None
    usd_per_gpu_hour: float | None
    infiniband: OnNetwork | None
    ethernet: OnNetwork | None
    reason: str = ""
    is_of_model: bool = False


def network_cost(
    workload: Workload,
    interconnects: Sequence[str | None],
    usd_per_month: float | None,
    window_months: float,
    assumptions: Assumptions,
    run: TrainedNeed | None = None,
) -> NetworkCost:
    """Longest run and month of a workload on both networks, the whole step scaled by their seconds.

    run: of a known model; its steps count where the planner did not set others. interconnects: of the hardware that it
    runs on; where several, the slowest known to it. GPUs and the rate of a GPU-hour stay as they are.
    Source: docs/formulas/hardware-fit.md, The network of a run.
    """
    has, reason = _network(interconnects)
    run_hours = workload.longest_job_s / HOUR_S
    gpus = workload.max_milli_gpus / 1000 or None
    per_month = gpu_hours_per_month(workload.gpu_hours, 1, window_months)
    rate = None if usd_per_month is None or not per_month else usd_per_month / per_month
    if has is None:
        return NetworkCost(
            has=None,
            run_hours=run_hours,
            run_gpus=gpus,
            usd_per_gpu_hour=rate,
            infiniband=None,
            ethernet=None,
            reason=reason,
        )
    seconds = {FAST: assumptions.step_seconds_infiniband, SLOW: assumptions.step_seconds_ethernet}
    is_of_model = False
    if run is not None and run.step_s and run.slow_step_s and not is_step_set(assumptions):
        seconds, is_of_model = {FAST: run.step_s, SLOW: run.slow_step_s}, True

    def on(network: str) -> OnNetwork:
        factor = seconds[network] / seconds[has]
        hours = run_hours * factor
        return OnNetwork(
            network=network,
            step_s=seconds[network],
            run_hours=hours,
            run_gpu_hours=None if gpus is None else hours * gpus,
            run_usd=None if rate is None or gpus is None else hours * gpus * rate,
            gpu_hours_per_month=per_month * factor,
            usd_per_month=None if usd_per_month is None else usd_per_month * factor,
        )

    return NetworkCost(
        has=has,
        run_hours=run_hours,
        run_gpus=gpus,
        usd_per_gpu_hour=rate,
        infiniband=on(FAST),
        ethernet=on(SLOW),
        is_of_model=is_of_model,
    )


def is_step_set(assumptions: Assumptions) -> bool:
    """Whether the planner says how long a step takes."""
    usual = Assumptions()
    return (assumptions.step_seconds_infiniband, assumptions.step_seconds_ethernet) != (
        usual.step_seconds_infiniband,
        usual.step_seconds_ethernet,
    )


def _network(interconnects: Sequence[str | None]) -> tuple[str | None, str]:
    """The slowest of them, and why where none can be told: one unknown entry makes all unknown unless another
    is slow.
    """
    lights = {INTERCONNECT_LIGHT.get(name) if name else None for name in interconnects}
    if Light.RED in lights:
        return SLOW, ""
    if None in lights:
        return None, "its contracts do not state their interconnect"
    if Light.AMBER in lights:
        return None, "no time of a step is known for RoCE of 400 Gb/s or more"
    return FAST, ""


# --- What serving pays for an interconnect that it does not use: the same GPU with and without it

Sold = tuple[PricingCategory, int]
"""How GPUs are sold: category, and months of the term."""


@dataclass(frozen=True, slots=True)
class InterconnectPremium:
    """Rates of the same GPU, sold alike, in $ per GPU-hour; usd_per_month: of the GPU-hours that the workload uses."""

    with_usd_per_gpu_hour: float
    without_usd_per_gpu_hour: float
    gpu_hours_per_month: float

    @property
    def usd_per_month(self) -> float:
        """What is paid more in a month of 730 h."""
        return (self.with_usd_per_gpu_hour - self.without_usd_per_gpu_hour) * self.gpu_hours_per_month


def interconnect_premium(
    contracts: Sequence[Contract], gpu_model: str | None, offers: Iterable[Offer], gpu_hours_per_month: float
) -> InterconnectPremium | None:
    """Of a workload on contracts with InfiniBand; None where it has none, or nobody sells the GPU both ways.

    A pair is of one pricing category and term, cheapest with cheapest: of the contracts' own term first, then of offers
    by the shortest. Source: docs/formulas/hardware-fit.md.
    """
    fast = [row for row in contracts if row.interconnect == "infiniband" and row.gpu_model == gpu_model]
    if not fast:
        return None
    rates: dict[tuple[Sold, bool], float] = {}
    for offer in offers:
        if offer.gpu_model == gpu_model and offer.spread_rate and offer.interconnect:
            key = ((offer.pricing_category, offer.term_months), offer.interconnect == "infiniband")
            rates[key] = min(offer.spread_rate, rates.get(key, offer.spread_rate))
    own = [(row.pricing_category or PricingCategory.COMMITTED, row.term_months or 0) for row in fast]
    for sold, contract in zip(own, fast, strict=True):
        if contract.rate:
            rates.setdefault((sold, True), contract.rate)
    pairs = sorted(
        (sold not in own, sold[1], rate, rates[sold, False])
        for (sold, is_fast), rate in rates.items()
        if is_fast and (sold, False) in rates
    )
    return InterconnectPremium(*pairs[0][2:], gpu_hours_per_month) if pairs else None
