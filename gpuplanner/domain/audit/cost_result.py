"""Results of unit costs and of the comparison of periods; words for chargeback."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from gpuplanner.domain.message import Message, Text, capital, worded
from gpuplanner.domain.model.assumptions import IdleRule
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.lazy_dataclass import dataclass, field

# --- Unit costs: a training run, a model, an experiment, an endpoint; and changes between periods --

Week = tuple[tuple[float | None, ...], ...]
"""Seven rows, Monday first, of 24 hours of the day, UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCost:
    """A training run: hours in which its workload had GPU time, without a longer gap. Figures:
    domain/figures/unit_costs.py.

    start_s, end_s: whole hours, epoch seconds, half-open. cost: $ of the whole run, None if an hour's is unknown.
    mean_rate: $ per GPU-hour. energy: inputs of run_kwh and run_kg_co2, by the keys of RUN.
    """

    key: str
    name: str
    cluster: str
    owner: str
    start_s: int
    end_s: int
    gpu_hours: float
    cost: float | None
    mean_gpus: float
    mean_rate: float | None
    energy: Mapping[str, float | None] = field(default_factory=dict, hash=False, compare=False)
    run_kwh: float | None = None
    run_kg_co2: float | None = None

    @property
    def hours(self) -> int:
        """Hours from the first to the last, including hours without GPU time."""
        return (self.end_s - self.start_s) // HOUR_S

    @property
    def subject(self) -> str:
        """Id of the run in figure ids: the workload and its first hour."""
        return f"{self.key}\t{self.start_s}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPart:
    """A workload's cost of a model. GPU-hours of the window, $ per month; None if unknown."""

    key: str
    gpu_hours: float
    workload_gpu_hours: float
    workload_cost_per_month: float | None
    cost_per_month: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCost:
    """The cost of a model; model: None if unknown; source: log, name or unknown.

    parts: most expensive first; they add up to it.
    """

    model: str | None
    source: str
    gpu_hours: float
    cost_per_month: float | None
    parts: tuple[ModelPart, ...]

    @property
    def workloads(self) -> int:
        """Number of workloads that ran it."""
        return len(self.parts)

    @property
    def subject(self) -> str:
        """Id of the model in figure ids."""
        return f"{self.source}\t{self.model or ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCost:
    """Tokens and cost of the period that both traffic and the window cover; None: no tokens, or unknown.

    Times in epoch seconds; cost: $ of that period. is_assumed: from the week that the endpoint is sized for, at assumed
    tokens per request; otherwise from a list of its requests. Source: docs/formulas/unit-costs.md.
    """

    start_s: int
    end_s: int
    context_tokens: int
    generated_tokens: int
    cost: float | None
    tokens: int
    cost_per_million_tokens: float | None
    cost_per_million_generated_tokens: float | None
    is_assumed: bool = False


@dataclass(frozen=True, slots=True)
class Premium:
    """The consolidation premium of inference, $ per month: the sum of rate premium and idle premium.

    None if a part has no rate or no offer. Source: docs/formulas/unit-costs.md, Consolidation premium.
    """

    usd_per_month: float | None = None
    rate_usd_per_month: float | None = None
    idle_usd_per_month: float | None = None


NO_PREMIUM: Final = Premium()
"""An unknown premium."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PremiumCost:
    """Cost of an endpoint above its cheapest fitting offer at equal terms. Figures: domain/figures/unit_costs.py.

    offer_id: of the offer, or offers by GPU model. is_leak: part of the leak with this name.
    """

    offer_id: str | None
    is_leak: bool
    compared_gpu_hours: float
    paid_rate: float | None
    offer_rate: float | None
    paid_in_window: float | None
    offer_in_window: float | None
    paid_utilization: float | None
    offer_utilization: float | None
    paid_per_used: float | None
    offer_per_used: float | None
    premium_per_month: float | None
    rate_premium_per_month: float | None
    idle_premium_per_month: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointCost:
    """The cost of an inference workload. by_hour and by_weekday add up to cost_per_month; None: cost unknown.

    active, inactive: by the workload's activity, None if not measured.
    """

    key: str
    name: str
    cluster: str
    owner: str
    gpu_hours: float
    cost_per_month: float | None
    activity: float | None
    active_per_month: float | None
    inactive_per_month: float | None
    by_hour_per_month: tuple[float | None, ...]
    by_weekday_per_month: Week
    tokens: TokenCost | None
    premium: PremiumCost

    @property
    def cost_per_million_tokens(self) -> float | None:
        """$ per million tokens, read and generated; None without known traffic in the window."""
        return None if self.tokens is None else self.tokens.cost_per_million_tokens

    @property
    def premium_per_month(self) -> float | None:
        """Cost above the cheapest offer at equal terms, $ per month; None if a rate is missing or no offer fits."""
        return self.premium.premium_per_month


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentCost:
    """The cost of a sweep or search: all trials of a workload. cost_per_job: per accepted job with GPU time.

    cost_in_window: $ of all its trials. None if unknown.
    """

    key: str
    name: str
    cluster: str
    owner: str
    start_s: int | None
    end_s: int | None
    jobs: int
    gpu_hours: float
    cost_per_month: float | None
    cost_in_window: float | None
    cost_per_job: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitCosts:
    """All unit costs, most expensive first, unknown last. premium: of all endpoints."""

    run_gap_hours: float
    runs: tuple[RunCost, ...]
    models: tuple[ModelCost, ...]
    endpoints: tuple[EndpointCost, ...]
    experiments: tuple[ExperimentCost, ...]
    premium: "Premium"

    @property
    def premium_per_month(self) -> float | None:
        """The consolidation premium, $ per month."""
        return self.premium.usd_per_month


@dataclass(frozen=True, slots=True)
class Period:
    """Whole hours from the window's start; half-open."""

    first: int
    last: int

    @property
    def hours(self) -> int:
        """Length in hours.

        >>> Period(24, 48).hours
        24
        """
        return self.last - self.first


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodCost:
    """A cluster in one period. Figures: PERIOD of domain/figures/changes.py; inefficiency: None without used GPU-hours.

    used_gpu_hours, paid_gpu_hours, costs: None is unknown, as without contracts.
    Units: GPU-hours and $ of the period, or per month of 730 h if the name ends so. Source: docs/formulas/variance.md.
    """

    used_gpu_hours: float | None
    paid_gpu_hours: float | None
    inefficiency: float | None
    rate: float | None
    paid_cost: float | None
    cost_per_month: float | None
    overflow_cost: float | None
    cost_of_used: float | None
    used_per_month: float
    paid_per_month: float
    idle_per_month: float


@dataclass(frozen=True, slots=True, kw_only=True)
class VolumePart:
    """A workload's part of the volume: change of its GPU-hours per month on contracts.

    used_rate: $ per used GPU-hour, which prices the change.
    """

    cluster: str
    key: str
    used_before: float
    used_after: float
    used_rate: float | None
    gpu_hours_per_month: float
    volume_per_month: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractPart:
    """A contract's parts: of the price by its share of paid GPU-hours, of the efficiency by its idle time."""

    contract_id: str
    paid_before: float
    paid_after: float
    idle_before: float
    idle_after: float
    paid_growth: float | None
    idle_scale: float | None
    idle_rate: float | None
    own_rate: float | None
    price_before: float | None
    paid_gpu_hours_per_month: float
    idle_gpu_hours_per_month: float
    efficiency_per_month: float | None
    price_per_month: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterVariance:
    """The variance of a cluster. Law: volume + efficiency + price = change, per month; parts add up to their total.

    note: effects that cannot be separated; may be empty.
    """

    cluster: str
    before: PeriodCost
    after: PeriodCost
    change_per_month: float | None
    volume_per_month: float | None
    efficiency_per_month: float | None
    price_per_month: float | None
    workloads: tuple[VolumePart, ...]
    contracts: tuple[ContractPart, ...]
    note: Text = ""

    @property
    def cost_before(self) -> float | None:
        """Contract cost per month in the first period; None without a rate."""
        return self.before.cost_per_month

    @property
    def cost_after(self) -> float | None:
        """Contract cost per month in the second period; None without a rate."""
        return self.after.cost_per_month


@dataclass(frozen=True, slots=True, kw_only=True)
class Variance:
    """The variance of all clusters: each total is the sum of theirs.

    mix: part of the volume from work on more or less expensive clusters; None without use before.
    """

    before: Period
    after: Period
    clusters: tuple[ClusterVariance, ...]
    cost_before: float | None
    cost_after: float | None
    change_per_month: float | None
    volume_per_month: float | None
    efficiency_per_month: float | None
    price_per_month: float | None
    mix_per_month: float | None


# --- Words for chargeback: by which key, sharing of idle GPUs, and rows without a name ------------


class ChargeBy(StrEnum):
    """Key of a chargeback's rows."""

    TEAM = "team"
    WORKLOAD = "workload"
    MODEL = "model"
    ENDPOINT = "endpoint"


NOBODY: Final = capital(worded("nobody"))
NO_JOB: Final = worded("No job matches")
SEVERAL_TEAMS: Final = worded("several")
EVERYTHING: Final = worded("All")
UNNAMED: Final[Mapping[ChargeBy, Message]] = {
    ChargeBy.MODEL: worded("Unknown model"),
    ChargeBy.ENDPOINT: worded("Work without endpoint"),
}
"""Work without a name."""
RULE_WORDS: Final[Mapping[IdleRule, Message]] = {
    IdleRule.GPU_HOURS: worded("by GPU-hours"),
    IdleRule.PEAK: worded("by each team's largest hour"),
    IdleRule.OWNER: worded("by each contract's owner"),
}
"""Sharing of idle GPUs, in captions."""


def shared_words(rule: IdleRule) -> Message:
    """Return how idle GPUs were shared, as the start of a sentence."""
    return worded("idle GPUs are shared {rule}", rule=RULE_WORDS[rule])
