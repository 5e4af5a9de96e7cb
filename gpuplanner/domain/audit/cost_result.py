"""What single things cost, and what changed between periods, as it is answered; words for who pays."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from gpuplanner.domain.message import Message, Text, capital, joined, worded
from gpuplanner.domain.model.assumptions import IdleRule
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.lazy_dataclass import dataclass, field

# --- What single things cost: a training run, a model, an experiment, an endpoint; and what changed between periods

Week = tuple[tuple[float | None, ...], ...]
"""Seven rows, Monday first, of 24 hours of the day, UTC."""


@dataclass(frozen=True, slots=True)
class RunCost:
    """One training run: hours in which its workload had GPU time, without a longer gap.

    Figures: domain/figures/unit_costs.py.

    start_s, end_s: whole hours, epoch seconds, half-open. cost: $ of the whole run, None where an hour's is
    unknown; mean_rate: $ per GPU-hour. energy: what run_kwh and run_kg_co2 are worked out from, by the keys of RUN.
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
        """From its first hour to its last.

        Hours without GPU time between them count.
        """
        return (self.end_s - self.start_s) // HOUR_S

    @property
    def subject(self) -> str:
        """What tells it from all other runs, in ids of figures: the workload and its first hour."""
        return f"{self.key}\t{self.start_s}"


@dataclass(frozen=True, slots=True)
class ModelPart:
    """What one workload spent on a model.

    Units: GPU-hours of the window, $ a month; None where the workload's cost is unknown.
    """

    key: str
    gpu_hours: float
    workload_gpu_hours: float
    workload_cost_per_month: float | None
    cost_per_month: float | None


@dataclass(frozen=True, slots=True)
class ModelCost:
    """One model, None where nobody says; source: log, name or unknown.

    parts: most expensive first, they add up to it.
    """

    model: str | None
    source: str
    gpu_hours: float
    cost_per_month: float | None
    parts: tuple[ModelPart, ...]

    @property
    def workloads(self) -> int:
        """How many workloads ran it."""
        return len(self.parts)

    @property
    def subject(self) -> str:
        """What tells it from all other models, in ids of figures."""
        return f"{self.source}\t{self.model or ''}"


@dataclass(frozen=True, slots=True)
class TokenCost:
    """Tokens and cost of the time that both a traffic file and the window cover; None: none of them, or unknown.

    Times in epoch seconds; cost: $ of that time. is_assumed: by the week that the endpoint was sized for, at the tokens
    of a request that are assumed; else a list of its requests says them.
    Source: docs/formulas/unit-costs.md.
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
    """The consolidation premium of some inference, $ a month: rate premium and idle premium add up to it.

    None where a part of it has no rate or no offer. Source: docs/formulas/unit-costs.md, Consolidation premium.
    """

    usd_per_month: float | None = None
    rate_usd_per_month: float | None = None
    idle_usd_per_month: float | None = None


NO_PREMIUM: Final = Premium()
"""Where nobody knows of any."""


@dataclass(frozen=True, slots=True)
class PremiumCost:
    """What an endpoint pays above the cheapest offer that fits it at equal terms.

    Figures: domain/figures/unit_costs.py.

    offer_id: of the offer, or offers by GPU model. is_leak: part of the leak of that name.
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


@dataclass(frozen=True, slots=True)
class EndpointCost:
    """One inference workload. by_hour and by_weekday add up to cost_per_month; None: cost unknown.

    active and inactive: by the workload's activity, None where it is not measured.
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
        """None also where no traffic of the window is known.

        Units: $ for a million tokens, read and generated.
        """
        return None if self.tokens is None else self.tokens.cost_per_million_tokens

    @property
    def premium_per_month(self) -> float | None:
        """What it pays above the cheapest offer at equal terms.

        Units: $ a month; None where a rate is missing or nobody offers what fits.
        """
        return self.premium.premium_per_month


@dataclass(frozen=True, slots=True)
class ExperimentCost:
    """One sweep or search: all trials of a workload. cost_per_job: per accepted job with GPU time.

    Units: $; cost_in_window is of all its trials. None where unknown.
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


@dataclass(frozen=True, slots=True)
class UnitCosts:
    """All of them, most expensive first, unknown last. premium: of the endpoints together."""

    run_gap_hours: float
    runs: tuple[RunCost, ...]
    models: tuple[ModelCost, ...]
    endpoints: tuple[EndpointCost, ...]
    experiments: tuple[ExperimentCost, ...]
    premium: "Premium"

    @property
    def premium_per_month(self) -> float | None:
        """$ a month, both parts."""
        return self.premium.usd_per_month


@dataclass(frozen=True, slots=True)
class Period:
    """Whole hours of the window, counted from its start; half-open."""

    first: int
    last: int

    @property
    def hours(self) -> int:
        """How long it is.

        >>> Period(24, 48).hours
        24
        """
        return self.last - self.first


@dataclass(frozen=True, slots=True)
class PeriodCost:
    """A cluster in one period. Figures: PERIOD of domain/figures/changes.py; inefficiency: None where nothing was used.

    Units: GPU-hours and $ of the period, or a month of 730 h where the name says so. Source:
    docs/formulas/variance.md.
    """

    used_gpu_hours: float
    paid_gpu_hours: float
    inefficiency: float | None
    rate: float | None
    paid_cost: float | None
    cost_per_month: float | None
    overflow_cost: float | None
    cost_of_used: float | None
    used_per_month: float
    paid_per_month: float
    idle_per_month: float


@dataclass(frozen=True, slots=True)
class VolumePart:
    """A workload's part of the volume: GPU-hours a month that its contracts served, more (or less) than before.

    used_rate: $ per GPU-hour used, by which the change is priced.
    """

    cluster: str
    key: str
    used_before: float
    used_after: float
    used_rate: float | None
    gpu_hours_per_month: float
    volume_per_month: float | None


@dataclass(frozen=True, slots=True)
class ContractPart:
    """A contract's parts: of the price by its share of what is paid for, of the efficiency by its idle time."""

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


@dataclass(frozen=True, slots=True)
class ClusterVariance:
    """One cluster. Law: volume + efficiency + price = change, all per month; parts add up to what they are parts of.

    note says what could not be told apart; empty where everything could.
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
        """What was paid a month in the first period.

        None where a contract has no rate.
        """
        return self.before.cost_per_month

    @property
    def cost_after(self) -> float | None:
        """What was paid a month in the second.

        None where a contract has no rate.
        """
        return self.after.cost_per_month


@dataclass(frozen=True, slots=True)
class Variance:
    """All clusters: each total is the sum of theirs.

    mix: the part of the volume that comes of work at more or less expensive clusters; None where nothing was used
    before.
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


# --- Words for who pays: by what, how idle GPUs are shared, and what rows without a name are called


class ChargeBy(StrEnum):
    """What a row of a chargeback is of."""

    TEAM = "team"
    WORKLOAD = "workload"
    MODEL = "model"
    ENDPOINT = "endpoint"


NOBODY: Final = capital(worded("nobody"))
NO_JOB: Final = worded("No job answers for it")
SEVERAL_TEAMS: Final = worded("several")
EVERYTHING: Final = worded("All")
UNNAMED: Final[Mapping[ChargeBy, Message]] = {
    ChargeBy.MODEL: worded("Unknown model"),
    ChargeBy.ENDPOINT: worded("Work that is no endpoint"),
}
"""Work that has no name of its own."""
RULE_WORDS: Final[Mapping[IdleRule, Message]] = {
    IdleRule.GPU_HOURS: worded("by GPU-hours"),
    IdleRule.PEAK: worded("by each team's largest hour"),
    IdleRule.OWNER: worded("by each contract's owner"),
}
"""How idle GPUs are shared, as a caption says it."""


def shared_words(rule: IdleRule) -> Message:
    """How idle GPUs were shared, as a sentence's beginning."""
    return joined((worded("idle GPUs are shared "), RULE_WORDS[rule]))
