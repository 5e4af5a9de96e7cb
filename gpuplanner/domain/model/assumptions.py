"""Assumptions: numbers that the user may change, with unit, range, default and source; and shares."""

from collections.abc import Mapping
from enum import StrEnum
from functools import partial
from typing import Final

from gpuplanner.domain.figures.order import PUE_LIMITS
from gpuplanner.domain.figures.typed import percent, significant
from gpuplanner.domain.message import Message, Text, capital, joined, worded
from gpuplanner.domain.model.book.only import ANYBODY, Only, check_only, who_words
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass, fields, replace

# --- Assumptions: numbers that the user may change, with unit, range, default and source

AssumptionValue = float | int | bool | str | None


class IdleRule(StrEnum):
    """Rule for sharing the idle cost of a cluster among teams. Source: docs/formulas/chargeback.md.

    GPU_HOURS: by each team's GPU-hours there. PEAK: by each team's largest hour there. OWNER: to the team that owns the
    contract; contracts without an owner by GPU-hours.
    """

    GPU_HOURS = "gpu_hours"
    PEAK = "peak"
    OWNER = "owner"


CHURN: Final = {Pool.INFERENCE: (0.01, 0.0), Pool.TRAINING: (0.01, 0.02), Pool.BURST: (0.03, 0.06)}
"""Monthly attrition of a pool's demand, and the addition times the share of its largest workload."""
CHURN_OF_NO_POOL: Final = CHURN[Pool.INFERENCE]


@dataclass(frozen=True, slots=True)
class Assumptions:
    """The values in force.

    Ratios are 0..1 and per month unless their spec has another range or unit; see ASSUMPTIONS.
    """

    lambda_: float | None = None
    delta: float = 0.004
    sigma: float | None = None
    wacc: float = 0.10
    growth: float = 0.0
    growth_training: float | None = None
    growth_inference: float | None = None
    growth_burst: float | None = None
    sigma_training: float | None = None
    sigma_inference: float | None = None
    sigma_burst: float | None = None
    lambda_training: float | None = None
    lambda_inference: float | None = None
    lambda_burst: float | None = None
    lambda_more: float = 0.0
    """Added to every attrition; only used to test whether terms depend on attrition."""
    growth_fade: float = 0.90
    demand_fall_closes: bool = True
    slices_lived: bool = True
    demand: float = 1.0
    demand_training: float = 1.0
    demand_inference: float = 1.0
    demand_burst: float = 1.0
    recency_half_life_days: float | None = 7
    horizon_months: int = 60
    reporting_months: int = 12
    block: int | None = None
    unit: int | None = None
    max_term_months: int | None = None
    wait_months: int = 0
    max_provider_share: float | None = None
    budget_usd_per_month: float | None = None
    idle_shared_by: str = IdleRule.GPU_HOURS.value
    headroom: float = 0.90
    usable_memory: float = 0.90
    target_activity: float = 0.65
    target_coverage: float = 0.70
    idle_tail_minutes: float = 30
    run_gap_hours: float = 24
    review_below: float = 0.60
    spot_checkpoint_minutes: float = 5
    spot_interval_hours: float = 4
    spot_restart_minutes: float = 15
    spot_node_mtbf_hours: float = 24
    training_checkpoints: bool = False
    spot_long_training: bool = False
    spot: bool = True
    spot_for_development: bool = False
    patience_training_hours: float | None = None
    patience_inference_hours: float | None = 0
    patience_burst_hours: float | None = 24
    fairshare_half_life_days: float = 7
    training_never_by_use: bool = False
    training_whole_run_factor: float | None = None
    step_seconds_infiniband: float = 4
    step_seconds_ethernet: float = 40
    egress_gb_per_gpu_hour: float | None = None
    serving_context_tokens: float = 1000
    serving_generated_tokens: float = 250
    serving_concurrency: int = 8
    serving_concurrency_most: int = 256
    serving_kv_bytes: float = 2
    serving_speed: float = 1.0
    serving_prefix_hit_share: float = 0.0
    serving_speculative_speedup: float = 1.0
    serving_round_trip_ms: float = 4
    serving_ttft_p50_ms: float | None = None
    serving_ttft_p95_ms: float | None = None
    serving_tpot_p50_ms: float | None = None
    serving_tpot_p95_ms: float | None = None
    serving_start_s: float = 180
    serving_scale_delay_s: float = 60
    serving_cool_down_s: float = 300
    serving_replicas_least: int = 1
    serving_replicas_spare: int | None = None
    serving_shares_replaced: bool = False
    serving_api_usd_in: float | None = None
    serving_api_usd_out: float | None = None
    serving_usd_per_request: float | None = None
    serving_completions_per_100_ms: float | None = None
    serving_local_hours: bool = False
    serving_users_times: float = 1.0
    serving_far_share: float | None = None
    egress_usd_per_gb: float = 0.12
    egress_far_usd_per_gb: float | None = None
    media_gb_per_month: float | None = None
    tokens_per_month: float | None = None
    pue: float = 1.3
    power_share: float = 0.80
    power_limit_kw: float | None = None
    grid_kg_co2_per_kwh: float | None = None
    fiscal_year_starts: int = 1

    def of_pool(self, name: str, pool: Pool) -> float:
        """Return an assumption of one pool: its own value if set, otherwise the value for all pools.

        name: a --set name such as growth; a ratio per month. Errors: AttributeError for a name without pools.
        """
        own = getattr(self, f"{name}_{pool}")
        return float(getattr(self, name) if own is None else own)

    def churn_of(self, pool: Pool | None, largest_share: float) -> float:
        """Return the monthly attrition of a pool's demand for one GPU model, 0..1: as set, otherwise the pool's
        default.

        pool: None: no pool. largest_share: share of its largest workload in its GPU time. Source:
        docs/formulas/policy.md.
        """
        own = None if pool is None else getattr(self, f"lambda_{pool}")
        of_all, of_largest = CHURN_OF_NO_POOL if pool is None else CHURN[pool]
        as_set = self.lambda_ if own is None else own
        churn = of_all + of_largest * largest_share if as_set is None else float(as_set)
        return min(churn + self.lambda_more, 1.0)

    def sigma_of(self, pool: Pool | None) -> float | None:
        """Return the volatility set for a pool (None: no pool), or for all, a ratio per month; None if not set."""
        own = None if pool is None else getattr(self, f"sigma_{pool}")
        return self.sigma if own is None else float(own)

    def demand_of(self, pool: Pool) -> float:
        """Return the factor on a pool's logged demand from month 0 on: the factor for all times its own."""
        return float(self.demand * getattr(self, f"demand_{pool}"))

    def with_values(self, values: Mapping[str, AssumptionValue]) -> "Assumptions":
        """Return a copy with other values, by --set name.

        Values are not checked here; call `check_assumption` first. Errors: KeyError for an unknown name.
        """
        if not values:
            return self
        known = {field.name for field in fields(self)}
        renamed = {SPEC_BY_NAME[name].field: value for name, value in values.items()}
        assert renamed.keys() <= known
        return replace(self, **renamed)  # type: ignore[arg-type]


_DEFAULTS: Final = Assumptions()
_OURS: Final = worded("product default")


@dataclass(frozen=True, slots=True)
class AssumptionSpec:
    """A row of the table.

    name: for --set. field: the attribute of Assumptions. low, high: smallest and largest value.
    """

    name: str
    title: Message
    unit: Text
    low: float
    high: float
    kind: str = "number"  # ratio | number | integer | flag | choice
    source: Text = _OURS
    choices: tuple[str, ...] = ()
    """Names of a choice's options."""
    has_none: bool = False
    """Whether None ("not set") is allowed although the default is a value."""
    is_switch: bool = False
    """Whether it restores an older rule for comparison, only with --set."""
    is_read: bool = True
    """Whether a formula uses it; windows only ask for those."""

    @property
    def default(self) -> AssumptionValue:
        """Default value: that of the field in Assumptions."""
        value: AssumptionValue = getattr(_DEFAULTS, self.field)
        return value

    @property
    def may_be_none(self) -> bool:
        """Whether None ("not set") is allowed."""
        return self.has_none or self.default is None

    @property
    def field(self) -> str:
        """Name of the attribute; lambda_, because lambda is a keyword."""
        return "lambda_" if self.name == "lambda" else self.name


_OLD_RULE: Final = worded("for comparison with the first version")
_SIGMA: Final = worded("from the log per pool and model; 10% per month under three weeks of log")
_CHURN: Final = worded("by pool: higher if one workload dominates")
_LISTS: Final = worded("hyperscaler list prices, A100 and newer, 2023 to 2026 (resources/price_history.csv)")
_STEPS: Final = worded("article on training and inference infrastructure, 2026")
_TRAFFIC: Final = worded("if the traffic has none")
_EGRESS_PRICES: Final = worded(
    "hyperscalers {low} to {high}, bare metal 0", low=significant(0.08), high=significant(0.12)
)
_PER_MILLION: Final = worded("$ per million tokens")
_OF_REQUESTS: Final = worded("share of requests")
_TODAY: Final = worded("as today unless set")
_AT_HOME: Final = worded("as within a country unless set")
_PER_POOL: Final = worded("as for all pools unless set")
_ON_TOP: Final = worded("× that of all pools")
_OF_LOG: Final = worded("times the log")
_A_MONTH: Final = worded("per month")

_WEIGHED: Final = (
    ("serving_api_usd_in", worded("API, tokens read"), _PER_MILLION, 1e4, "number", _OURS),
    ("serving_api_usd_out", worded("API, tokens generated"), _PER_MILLION, 1e4, "number", _OURS),
    ("serving_usd_per_request", worded("Value of a completion"), worded("$ per request"), 1e4, "number", _OURS),
    ("serving_completions_per_100_ms", worded("Completions lost to 100 ms"), _OF_REQUESTS, 1.0, "ratio", _OURS),
    ("serving_local_hours", worded("Users ask by local hour"), worded("on or off"), 1, "flag", _OURS),
    ("serving_users_times", worded("Users, later"), worded("× today's"), 1e3, "number", _OURS),
    ("serving_far_share", worded("Users served from abroad"), worded("share of later users"), 1.0, "ratio", _TODAY),
    ("egress_far_usd_per_gb", worded("Egress price, abroad"), worded("$ per GB"), 100.0, "number", _AT_HOME),
)  # fmt: skip
"""Inputs for the cost of hosting: name, title, unit, largest value, kind, source."""

# shared arguments of rows of one kind
_ratio = partial(AssumptionSpec, low=0.0, high=1.0, kind="ratio")
_flag = partial(AssumptionSpec, unit=worded("yes or no"), low=0, high=1, kind="flag")
_whole = partial(AssumptionSpec, kind="integer")
_hours = partial(AssumptionSpec, unit=worded("hours"))
_tokens = partial(AssumptionSpec, unit=worded("tokens"), low=0, high=10_000_000, source=_TRAFFIC)
_step = partial(AssumptionSpec, unit=worded("seconds"), low=0.001, high=86_400, source=_STEPS)

ASSUMPTIONS: Final = (
    _ratio("lambda", worded("Attrition"), _A_MONTH, source=_CHURN),
    _ratio("delta", worded("Price decline"), _A_MONTH, low=-0.5, high=0.5, source=_LISTS),
    _ratio("sigma", worded("Volatility"), _A_MONTH, source=_SIGMA),
    _ratio("wacc", worded("Cost of capital"), worded("per year")),
    _ratio("growth", worded("Growth"), _A_MONTH, low=-0.5, high=0.5),
    *(
        _ratio(f"{name}_{pool}", joined((title, pool), ", "), _A_MONTH, low=low, high=high, source=_PER_POOL)
        for name, title, low, high in (
            ("growth", worded("Growth"), -0.5, 0.5),
            ("sigma", worded("Volatility"), 0.0, 1.0),
            ("lambda", worded("Attrition"), 0.0, 1.0),
        )
        for pool in Pool
    ),
    _ratio(
        "growth_fade",
        worded("Growth fades"),
        worded("of last month's growth"),
        source=_OLD_RULE,
        is_switch=True,
    ),
    _ratio("lambda_more", worded("Additional attrition"), _A_MONTH, is_switch=True),
    *(
        _flag(name, title, source=_OLD_RULE, is_switch=True)
        for name, title in (
            ("demand_fall_closes", worded("Falling demand closes long terms")),
            ("slices_lived", worded("Slices need a minimum age")),
        )
    ),
    AssumptionSpec("demand", worded("Demand"), _OF_LOG, 0.01, 100.0),
    *(
        AssumptionSpec(
            f"demand_{pool}", worded("Demand, {pool}", pool=pool), _OF_LOG, 0.01, 100.0, source=_ON_TOP
        )
        for pool in Pool
    ),
    AssumptionSpec(
        "recency_half_life_days", worded("Recency half-life"), worded("days"), 0.1, 3650.0, has_none=True
    ),
    _whole("horizon_months", worded("Planning horizon"), worded("months"), 1, 120),
    _whole("reporting_months", worded("Reporting horizon"), worded("months"), 1, 60, is_read=False),
    _whole("block", worded("Block"), worded("GPUs"), 1, 1024, source=worded("1 unless set")),
    _whole("unit", worded("Unit of sale"), worded("GPUs"), 1, 1024, is_switch=True),
    _whole("max_term_months", worded("Longest term"), worded("months"), 1, 120),
    _whole("wait_months", worded("No orders for"), worded("months"), 0, 11),
    _ratio("max_provider_share", worded("One provider, at most"), worded("of the first month's $"), low=0.01),
    AssumptionSpec("budget_usd_per_month", worded("Budget"), worded("$ per month"), 0, 1e12),
    AssumptionSpec(
        "idle_shared_by",
        worded("Idle GPUs shared by"),
        "",
        0,
        0,
        "choice",
        choices=tuple(rule.value for rule in IdleRule),
    ),
    _ratio("headroom", worded("Headroom"), worded("share of capacity"), low=0.1),
    _ratio("usable_memory", worded("Usable memory"), worded("share of GPU memory"), low=0.1),
    _ratio("target_activity", worded("Target activity"), worded("share"), low=0.01),
    _ratio("target_coverage", worded("Target coverage"), worded("share of GPU-hours")),
    AssumptionSpec("idle_tail_minutes", worded("Idle tail"), worded("minutes"), 0, 1440),
    _hours("run_gap_hours", worded("Gap that ends a run"), low=0, high=744),
    _ratio("review_below", worded("Review below"), worded("confidence")),
    AssumptionSpec(
        "spot_checkpoint_minutes", worded("Checkpoint write time (d)"), worded("minutes"), 0.0, 600
    ),
    _hours("spot_interval_hours", worded("Checkpoint interval (tau)"), low=0.01, high=168),
    AssumptionSpec("spot_restart_minutes", worded("Restart time (R)"), worded("minutes"), 0.0, 600),
    _hours("spot_node_mtbf_hours", worded("Mean time between node interruptions (M)"), low=0.1, high=10000),
    _flag("training_checkpoints", worded("Training writes checkpoints")),
    _flag("spot_long_training", worded("Long training may use spot")),
    _flag("spot", worded("Work may run on spot")),
    _flag("spot_for_development", worded("Development may use spot"), source=_OLD_RULE, is_switch=True),
    *(
        AssumptionSpec(
            f"patience_{pool}_hours",
            joined((worded("Patience"), pool), ", "),
            worded("queue hours until on demand pays"),
            0,
            87_600,
            source=worded("waits forever unless set"),
            has_none=True,
        )
        for pool in Pool
    ),
    AssumptionSpec("fairshare_half_life_days", worded("Fair-share half-life"), worded("days"), 0.1, 3650.0),
    _flag("training_never_by_use", worded("Training never on demand")),
    AssumptionSpec(
        "training_whole_run_factor",
        worded("Whole training run"),
        worded("× the time of its steps"),
        0.5,
        10,
        source=worded("1.25 (0.9 to 1.75) from published runs"),
    ),
    _step("step_seconds_infiniband", worded("Training step on InfiniBand")),
    _step("step_seconds_ethernet", worded("Training step over Ethernet")),
    AssumptionSpec("egress_gb_per_gpu_hour", worded("Egress"), worded("GB per GPU-hour"), 0.0, 100_000.0),
    _tokens("serving_context_tokens", worded("Prompt")),
    _tokens("serving_generated_tokens", worded("Answer")),
    _whole("serving_concurrency", worded("Requests at a time, at least"), worded("per replica"), 1, 100_000),
    _whole(
        "serving_concurrency_most", worded("Requests at a time, at most"), worded("per replica"), 1, 100_000
    ),
    AssumptionSpec("serving_kv_bytes", worded("KV cache"), worded("bytes per value"), 0.25, 4, source="BF16"),
    AssumptionSpec(
        "serving_speed",
        worded("Serving speed"),
        worded("× measured elsewhere"),
        0.05,
        20.0,
        source=worded("from published measurements"),
    ),
    AssumptionSpec(
        "serving_prefix_hit_share", worded("Prefix cache"), worded("share of a prompt, 0..1"), 0, 0.99
    ),
    AssumptionSpec(
        "serving_speculative_speedup", worded("Speculative decoding"), worded("output tokens per step"), 1, 16
    ),
    AssumptionSpec(
        "serving_round_trip_ms",
        worded("Network round trip"),
        worded("ms"),
        0,
        100_000,
        source=worded("users in the same city"),
    ),
    *(
        AssumptionSpec(f"serving_{key}_ms", name, worded("ms"), 0.1, 1_000_000)
        for key, name in (
            ("ttft_p50", worded("Target: first token, P50")),
            ("ttft_p95", worded("Target: first token, P95")),
            ("tpot_p50", worded("Target: time per token, P50")),
            ("tpot_p95", worded("Target: time per token, P95")),
        )
    ),
    AssumptionSpec("serving_start_s", worded("Replica start"), "s", 0, 86_400),
    AssumptionSpec("serving_scale_delay_s", worded("Autoscaler delay"), "s", 0, 86_400),
    AssumptionSpec("serving_cool_down_s", worded("Autoscaler cool-down"), "s", 0, 86_400),
    _whole("serving_replicas_least", worded("Replicas, at least"), worded("replicas"), 0, 100_000),
    _whole("serving_replicas_spare", worded("Spare replicas"), worded("replicas"), 0, 100_000),
    _flag("serving_shares_replaced", worded("Bandwidth and compute shares set"), is_switch=True),
    *(
        AssumptionSpec(name, title, unit, 0.0, most, kind, source)
        for name, title, unit, most, kind, source in _WEIGHED
    ),
    AssumptionSpec(
        "egress_usd_per_gb", worded("Egress price"), worded("$ per GB"), 0.0, 100.0, source=_EGRESS_PRICES
    ),
    AssumptionSpec("media_gb_per_month", worded("Media that leaves"), worded("GB per month"), 0.0, 1e12),
    AssumptionSpec("tokens_per_month", worded("Text that leaves"), worded("tokens per month"), 0.0, 1e18),
    AssumptionSpec(
        "pue", capital(worded("power usage effectiveness (PUE)")), worded("× that of its GPUs"), *PUE_LIMITS
    ),
    _ratio("power_share", worded("Power of jobs without activity data"), worded("share of rated power")),
    AssumptionSpec("power_limit_kw", worded("Power limit"), "kW", 0, 1e9),
    AssumptionSpec(
        "grid_kg_co2_per_kwh",
        worded("Plan's grid"),
        worded("kg of CO2 per kWh"),
        0,
        10,
        source=worded("from contracts, offers and sites"),
    ),
    _whole("fiscal_year_starts", worded("Fiscal year starts"), worded("month, 1 is January"), 1, 12),
)
"""Source of the defaults: docs/formulas/assumptions.md."""

REPLACED_BY: Final = dict.fromkeys(("serving_bandwidth_share", "serving_compute_share"), "serving_speed")
"""Former assumptions, with their replacements."""

SPEC_BY_NAME: Final = {spec.name: spec for spec in ASSUMPTIONS}

OFFERED: Final = tuple(spec for spec in ASSUMPTIONS if not spec.is_switch and spec.kind != "choice")
"""Assumptions in the lists of windows, sheets and pages; switches to older rules are for the command line only, and a
choice is shown next to the result that it affects."""

ASKED_FOR: Final = tuple(spec for spec in OFFERED if spec.is_read)
"""Assumptions that a window asks for."""


def parse_assumption(name: str, text: str) -> AssumptionValue:
    """Parse a typed value: 0.03 or 3% for ratios, true/false for flags, empty or none for "not set".

    Errors: PlannerError for an unknown name, or a value out of range.
    """
    spec = SPEC_BY_NAME.get(name)
    if spec is None:
        names = REPLACED_BY.get(name) or ", ".join(SPEC_BY_NAME)
        raise refusal(name, worded("no such assumption"), worded("use one of {known}", known=names))
    cleaned = text.strip().lower()
    if spec.may_be_none and cleaned in ("", "none"):
        return None
    if spec.kind == "flag":
        if cleaned in ("true", "yes", "1", "on", "false", "no", "0", "off"):
            return cleaned in ("true", "yes", "1", "on")
        raise refusal(
            name, worded("{value} is not yes or no", value=repr(text)), worded("enter true or false")
        )
    if spec.kind == "choice":
        return check_assumption(spec, cleaned)
    try:
        value = (
            float(cleaned[:-1]) / 100 if cleaned.endswith("%") and spec.kind == "ratio" else float(cleaned)
        )
    except ValueError:
        raise refusal(
            name,
            worded("{value} is not a number", value=repr(text)),
            worded("enter {low} to {high}", low=significant(spec.low), high=significant(spec.high)),
        ) from None
    return check_assumption(spec, value)


def check_assumption(spec: AssumptionSpec, value: AssumptionValue) -> AssumptionValue:
    """Return a checked value in its spec's type: int, bool, float or text. None is allowed where the spec allows it.

    Errors: PlannerError for a value of the wrong type or out of range; a number is no flag.
    """
    if value is None and spec.may_be_none:
        return None
    if spec.kind == "choice":
        if value in spec.choices:
            return value
        problem = worded("{value} is not allowed", value=repr(value))
        raise refusal(spec.name, problem, worded("enter ") + joined(spec.choices, worded(" or ")))
    remedy = worded(
        "enter {low} to {high}, {unit}",
        low=significant(spec.low),
        high=significant(spec.high),
        unit=spec.unit,
    )
    is_flag = isinstance(value, bool)
    if not isinstance(value, int | float) or (spec.kind == "flag") is not is_flag:
        raise refusal(spec.name, worded("{value} is not allowed", value=str(value)), remedy)
    if not spec.low <= value <= spec.high or (spec.kind == "integer" and value != int(value)):
        raise refusal(spec.name, worded("{value} is out of range", value=significant(value)), remedy)
    return int(value) if spec.kind == "integer" else value


# --- Shares: largest part of a plan's first month for a provider or a region ----------------------


def read_share(text: str) -> float | None:
    """Parse 40% or 0.4 as a share of 0..1; None for an empty text or none: no limit. Errors: PlannerError.

    >>> read_share("40%"), read_share("0.4"), read_share("none")
    (0.4, 0.4, None)
    """
    written = text.strip().lower()
    if written in ("", "none"):
        return None
    try:
        share = float(written[:-1]) / 100 if written.endswith("%") else float(written)
    except ValueError:
        share = -1.0
    return _in_range(share, text)


def _in_range(share: float, text: str) -> float:
    """Return a share if it is 0..1. text: as typed. Errors: PlannerError."""
    if not 0 <= share <= 1:
        problem = worded("{value} is out of range", value=repr(text))
        remedy = worded("enter {low} to {high}", low=percent(0.0), high=percent(1.0))
        raise refusal(text, problem, remedy)
    return share


def check_share(who: Only, share: float) -> float:
    """Return the share of a limit if it is valid, 0..1.

    Errors: PlannerError for a share out of range, or a limit without an allowed provider or region.
    """
    check_only(str(who), who)
    if who == ANYBODY or who.not_provider:
        problem = worded("a share needs a provider or a region")
        raise refusal(str(who_words(who)), problem, worded("name one"))
    is_number = isinstance(share, int | float) and not isinstance(share, bool)
    return _in_range(float(share) if is_number else -1.0, str(share))
