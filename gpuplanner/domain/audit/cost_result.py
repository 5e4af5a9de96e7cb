"""What single things cost: a training run, a model, an experiment, an endpoint; and what changed between periods."""

from dataclasses import dataclass

Week = tuple[tuple[float | None, ...], ...]
"""Seven rows, Monday first, of 24 hours of the day, UTC."""


@dataclass(frozen=True, slots=True)
class RunCost:
    """One training run: hours in which its workload had GPU time, without a longer gap. usd: of the whole run."""

    key: str
    name: str
    cluster: str
    owner: str
    start_s: int
    end_s: int
    gpu_hours: float
    mean_gpus: float
    usd: float | None


@dataclass(frozen=True, slots=True)
class ModelPart:
    """What one workload spent on a model."""

    key: str
    gpu_hours: float
    usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class ModelCost:
    """One model, None where nobody says; source: log, name or unknown. parts: dearest first, they add up to it."""

    model: str | None
    source: str
    gpu_hours: float
    usd_per_month: float | None
    parts: tuple[ModelPart, ...]


@dataclass(frozen=True, slots=True)
class TokenCost:
    """Tokens and $ of the time that both a traffic file and the window cover. usd and tokens are of that time."""

    start_s: int
    end_s: int
    context_tokens: int
    generated_tokens: int
    usd: float | None

    @property
    def tokens(self) -> int:
        """Read and generated ones."""
        return self.context_tokens + self.generated_tokens

    @property
    def usd_per_million_tokens(self) -> float | None:
        """None where nothing was read or generated, or the cost is unknown."""
        return None if self.usd is None or not self.tokens else self.usd / self.tokens * 1e6

    @property
    def usd_per_million_generated_tokens(self) -> float | None:
        """The same cost over the generated tokens alone."""
        known = self.usd is not None and self.generated_tokens
        return self.usd / self.generated_tokens * 1e6 if known and self.usd is not None else None


@dataclass(frozen=True, slots=True)
class PremiumCost:
    """What an endpoint pays above the cheapest offer that fits it at equal terms, each rate over its utilization.

    usd_per_gpu_hour, utilization: of what served it; offer_...: of the offer, by GPU time where there are several.
    is_leak: part of the leak of that name. Law: usd = GPU-hours x (rate / utilization - offer's / offer's).
    """

    usd_per_gpu_hour: float | None
    offer_id: str | None
    offer_usd_per_gpu_hour: float | None
    usd_per_month: float | None
    is_leak: bool
    utilization: float | None
    offer_utilization: float | None


@dataclass(frozen=True, slots=True)
class EndpointCost:
    """One inference workload. by_hour_usd and by_weekday_usd add up to usd_per_month; None: cost unknown.

    busy and idle: by the workload's activity, None where it is not measured.
    """

    key: str
    name: str
    cluster: str
    owner: str
    gpu_hours: float
    usd_per_month: float | None
    busy_usd_per_month: float | None
    idle_usd_per_month: float | None
    by_hour_usd_per_month: tuple[float | None, ...]
    by_weekday_usd_per_month: Week
    tokens: TokenCost | None
    premium: PremiumCost


@dataclass(frozen=True, slots=True)
class ExperimentCost:
    """One sweep or search: all trials of a workload. usd_per_job: per accepted job with GPU time."""

    key: str
    name: str
    cluster: str
    owner: str
    start_s: int | None
    end_s: int | None
    jobs: int
    gpu_hours: float
    usd_per_month: float | None
    usd: float | None
    usd_per_job: float | None


@dataclass(frozen=True, slots=True)
class UnitCosts:
    """All of them, dearest first, unknown last. premium_usd_per_month: of the endpoints together."""

    run_gap_hours: float
    runs: tuple[RunCost, ...]
    models: tuple[ModelCost, ...]
    endpoints: tuple[EndpointCost, ...]
    experiments: tuple[ExperimentCost, ...]
    premium_usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class Period:
    """Whole hours of the window, counted from its start; half-open."""

    first: int
    last: int

    @property
    def hours(self) -> int:
        """How long it is."""
        return self.last - self.first


@dataclass(frozen=True, slots=True)
class PeriodCost:
    """A cluster in one period: window amounts. inefficiency: paid over used; None where nothing was used or paid."""

    used_gpu_hours: float
    paid_gpu_hours: float
    inefficiency: float | None
    usd_per_gpu_hour: float | None
    paid_usd: float | None
    usd_per_month: float | None
    overflow_usd: float | None


@dataclass(frozen=True, slots=True)
class VolumePart:
    """A workload's part of the volume: GPU-hours a month that its contracts served, more (or less) than before."""

    key: str
    gpu_hours_per_month: float
    usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class ContractPart:
    """A contract's parts: of the price by its share of what is paid for, of the efficiency by its idle time."""

    contract_id: str
    paid_gpu_hours_per_month: float
    idle_gpu_hours_per_month: float
    price_usd_per_month: float | None
    efficiency_usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class ClusterVariance:
    """One cluster. Law: volume + efficiency + price = change, all per month; parts add up to what they are parts of.

    note says what could not be told apart; empty where everything could.
    """

    cluster: str
    before: PeriodCost
    after: PeriodCost
    change_usd_per_month: float | None
    volume_usd_per_month: float | None
    efficiency_usd_per_month: float | None
    price_usd_per_month: float | None
    workloads: tuple[VolumePart, ...]
    contracts: tuple[ContractPart, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Variance:
    """All clusters: each total is the sum of theirs.

    mix: the part of the volume that comes of work at dearer or cheaper clusters; None where nothing was used before.
    """

    before: Period
    after: Period
    clusters: tuple[ClusterVariance, ...]
    before_usd_per_month: float | None
    after_usd_per_month: float | None
    change_usd_per_month: float | None
    volume_usd_per_month: float | None
    efficiency_usd_per_month: float | None
    price_usd_per_month: float | None
    mix_usd_per_month: float | None
