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


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
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
    (
        "serving_usd_per_request",
        worded("Value of a completion"),
        worded("$ per request"),
        1e4,
        "number",
        _OURS,
    ),
    (
        "serving_completions_per_100_ms",
        worded("Completions lost to 100 ms"),
        _OF_REQUESTS,
        1.0,
        "ratio",
        _OURS,
    ),
    ("serving_local_hours", worded("Users ask by local hour"), worded("on or off"), 1, "flag", _OURS),
    ("serving_users_times", worded("Users, later"), worded("× today's"), 1e3, "number", _OURS),
    (
        "serving_far_share",
        worded("Users served from abroad"),
        worded("share of later users"),
        1.0,
        "ratio",
        _TODAY,
    ),
    ("egress_far_usd_per_gb", worded("Egress price, abroad"), worded("$ per GB"), 100.0, "number", _AT_HOME),
)
"""Inputs for the cost of hosting: name, title, unit, largest value, kind, source."""

# shared arguments of rows of one kind
_ratio = partial(AssumptionSpec, low=0.0, high=1.0, kind="ratio")
_flag = partial(AssumptionSpec, unit=worded("yes or no"), low=0, high=1, kind="flag")
_whole = partial(AssumptionSpec, kind="integer")
_hours = partial(AssumptionSpec, unit=worded("hours"))
_tokens = partial(AssumptionSpec, unit=worded("tokens"), low=0, high=10_000_000, source=_TRAFFIC)
_step = partial(AssumptionSpec, unit=worded("seconds"), low=0.001, high=86_400, source=_STEPS)

ASSUMPTIONS: Final = (
    _ratio(name="lambda", title=worded("Attrition"), unit=_A_MONTH, source=_CHURN),
    _ratio(name="delta", title=worded("Price decline"), unit=_A_MONTH, low=-0.5, high=0.5, source=_LISTS),
    _ratio(name="sigma", title=worded("Volatility"), unit=_A_MONTH, source=_SIGMA),
    _ratio(name="wacc", title=worded("Cost of capital"), unit=worded("per year")),
    _ratio(name="growth", title=worded("Growth"), unit=_A_MONTH, low=-0.5, high=0.5),
    *(
        _ratio(
            name=f"{name}_{pool}",
            title=joined((title, pool), ", "),
            unit=_A_MONTH,
            low=low,
            high=high,
            source=_PER_POOL,
        )
        for name, title, low, high in (
            ("growth", worded("Growth"), -0.5, 0.5),
            ("sigma", worded("Volatility"), 0.0, 1.0),
            ("lambda", worded("Attrition"), 0.0, 1.0),
        )
        for pool in Pool
    ),
    _ratio(
        name="growth_fade",
        title=worded("Growth fades"),
        unit=worded("of last month's growth"),
        source=_OLD_RULE,
        is_switch=True,
    ),
    _ratio(name="lambda_more", title=worded("Additional attrition"), unit=_A_MONTH, is_switch=True),
    *(
        _flag(name=name, title=title, source=_OLD_RULE, is_switch=True)
        for name, title in (
            ("demand_fall_closes", worded("Falling demand closes long terms")),
            ("slices_lived", worded("Slices need a minimum age")),
        )
    ),
    AssumptionSpec(name="demand", title=worded("Demand"), unit=_OF_LOG, low=0.01, high=100.0),
    *(
        AssumptionSpec(
            name=f"demand_{pool}",
            title=worded("Demand, {pool}", pool=pool),
            unit=_OF_LOG,
            low=0.01,
            high=100.0,
            source=_ON_TOP,
        )
        for pool in Pool
    ),
    AssumptionSpec(
        name="recency_half_life_days",
        title=worded("Recency half-life"),
        unit=worded("days"),
        low=0.1,
        high=3650.0,
        has_none=True,
    ),
    _whole(name="horizon_months", title=worded("Planning horizon"), unit=worded("months"), low=1, high=120),
    _whole(
        name="reporting_months",
        title=worded("Reporting horizon"),
        unit=worded("months"),
        low=1,
        high=60,
        is_read=False,
    ),
    _whole(
        name="block",
        title=worded("Block"),
        unit=worded("GPUs"),
        low=1,
        high=1024,
        source=worded("1 unless set"),
    ),
    _whole(name="unit", title=worded("Unit of sale"), unit=worded("GPUs"), low=1, high=1024, is_switch=True),
    _whole(name="max_term_months", title=worded("Longest term"), unit=worded("months"), low=1, high=120),
    _whole(name="wait_months", title=worded("No orders for"), unit=worded("months"), low=0, high=11),
    _ratio(
        name="max_provider_share",
        title=worded("One provider, at most"),
        unit=worded("of the first month's $"),
        low=0.01,
    ),
    AssumptionSpec(
        name="budget_usd_per_month", title=worded("Budget"), unit=worded("$ per month"), low=0, high=1e12
    ),
    AssumptionSpec(
        name="idle_shared_by",
        title=worded("Idle GPUs shared by"),
        unit="",
        low=0,
        high=0,
        kind="choice",
        choices=tuple(rule.value for rule in IdleRule),
    ),
    _ratio(name="headroom", title=worded("Headroom"), unit=worded("share of capacity"), low=0.1),
    _ratio(name="usable_memory", title=worded("Usable memory"), unit=worded("share of GPU memory"), low=0.1),
    _ratio(name="target_activity", title=worded("Target activity"), unit=worded("share"), low=0.01),
    _ratio(name="target_coverage", title=worded("Target coverage"), unit=worded("share of GPU-hours")),
    AssumptionSpec(
        name="idle_tail_minutes", title=worded("Idle tail"), unit=worded("minutes"), low=0, high=1440
    ),
    _hours(name="run_gap_hours", title=worded("Gap that ends a run"), low=0, high=744),
    _ratio(name="review_below", title=worded("Review below"), unit=worded("confidence")),
    AssumptionSpec(
        name="spot_checkpoint_minutes",
        title=worded("Checkpoint write time (d)"),
        unit=worded("minutes"),
        low=0.0,
        high=600,
    ),
    _hours(name="spot_interval_hours", title=worded("Checkpoint interval (tau)"), low=0.01, high=168),
    AssumptionSpec(
        name="spot_restart_minutes",
        title=worded("Restart time (R)"),
        unit=worded("minutes"),
        low=0.0,
        high=600,
    ),
    _hours(
        name="spot_node_mtbf_hours",
        title=worded("Mean time between node interruptions (M)"),
        low=0.1,
        high=10000,
    ),
    _flag(name="training_checkpoints", title=worded("Training writes checkpoints")),
    _flag(name="spot_long_training", title=worded("Long training may use spot")),
    _flag(name="spot", title=worded("Work may run on spot")),
    _flag(
        name="spot_for_development",
        title=worded("Development may use spot"),
        source=_OLD_RULE,
        is_switch=True,
    ),
    *(
        AssumptionSpec(
            name=f"patience_{pool}_hours",
            title=joined((worded("Patience"), pool), ", "),
            unit=worded("queue hours until on demand pays"),
            low=0,
            high=87_600,
            source=worded("waits forever unless set"),
            has_none=True,
        )
        for pool in Pool
    ),
    AssumptionSpec(
        name="fairshare_half_life_days",
        title=worded("Fair-share half-life"),
        unit=worded("days"),
        low=0.1,
        high=3650.0,
    ),
    _flag(name="training_never_by_use", title=worded("Training never on demand")),
    AssumptionSpec(
        name="training_whole_run_factor",
        title=worded("Whole training run"),
        unit=worded("× the time of its steps"),
        low=0.5,
        high=10,
        source=worded("1.25 (0.9 to 1.75) from published runs"),
    ),
    _step(name="step_seconds_infiniband", title=worded("Training step on InfiniBand")),
    _step(name="step_seconds_ethernet", title=worded("Training step over Ethernet")),
    AssumptionSpec(
        name="egress_gb_per_gpu_hour",
        title=worded("Egress"),
        unit=worded("GB per GPU-hour"),
        low=0.0,
        high=100_000.0,
    ),
    _tokens(name="serving_context_tokens", title=worded("Prompt")),
    _tokens(name="serving_generated_tokens", title=worded("Answer")),
    _whole(
        name="serving_concurrency",
        title=worded("Requests at a time, at least"),
        unit=worded("per replica"),
        low=1,
        high=100_000,
    ),
    _whole(
        name="serving_concurrency_most",
        title=worded("Requests at a time, at most"),
        unit=worded("per replica"),
        low=1,
        high=100_000,
    ),
    AssumptionSpec(
        name="serving_kv_bytes",
        title=worded("KV cache"),
        unit=worded("bytes per value"),
        low=0.25,
        high=4,
        source="BF16",
    ),
    AssumptionSpec(
        name="serving_speed",
        title=worded("Serving speed"),
        unit=worded("× measured elsewhere"),
        low=0.05,
        high=20.0,
        source=worded("from published measurements"),
    ),
    AssumptionSpec(
        name="serving_prefix_hit_share",
        title=worded("Prefix cache"),
        unit=worded("share of a prompt, 0..1"),
        low=0,
        high=0.99,
    ),
    AssumptionSpec(
        name="serving_speculative_speedup",
        title=worded("Speculative decoding"),
        unit=worded("output tokens per step"),
        low=1,
        high=16,
    ),
    AssumptionSpec(
        name="serving_round_trip_ms",
        title=worded("Network round trip"),
        unit=worded("ms"),
        low=0,
        high=100_000,
        source=worded("users in the same city"),
    ),
    *(
        AssumptionSpec(name=f"serving_{key}_ms", title=name, unit=worded("ms"), low=0.1, high=1_000_000)
        for key, name in (
            ("ttft_p50", worded("Target: first token, P50")),
            ("ttft_p95", worded("Target: first token, P95")),
            ("tpot_p50", worded("Target: time per token, P50")),
            ("tpot_p95", worded("Target: time per token, P95")),
        )
    ),
    AssumptionSpec(name="serving_start_s", title=worded("Replica start"), unit="s", low=0, high=86_400),
    AssumptionSpec(
        name="serving_scale_delay_s", title=worded("Autoscaler delay"), unit="s", low=0, high=86_400
    ),
    AssumptionSpec(
        name="serving_cool_down_s", title=worded("Autoscaler cool-down"), unit="s", low=0, high=86_400
    ),
    _whole(
        name="serving_replicas_least",
        title=worded("Replicas, at least"),
        unit=worded("replicas"),
        low=0,
        high=100_000,
    ),
    _whole(
        name="serving_replicas_spare",
        title=worded("Spare replicas"),
        unit=worded("replicas"),
        low=0,
        high=100_000,
    ),
    _flag(name="serving_shares_replaced", title=worded("Bandwidth and compute shares set"), is_switch=True),
    *(
        AssumptionSpec(name=name, title=title, unit=unit, low=0.0, high=most, kind=kind, source=source)
        for name, title, unit, most, kind, source in _WEIGHED
    ),
    AssumptionSpec(
        name="egress_usd_per_gb",
        title=worded("Egress price"),
        unit=worded("$ per GB"),
        low=0.0,
        high=100.0,
        source=_EGRESS_PRICES,
    ),
    AssumptionSpec(
        name="media_gb_per_month",
        title=worded("Media that leaves"),
        unit=worded("GB per month"),
        low=0.0,
        high=1e12,
    ),
    AssumptionSpec(
        name="tokens_per_month",
        title=worded("Text that leaves"),
        unit=worded("tokens per month"),
        low=0.0,
        high=1e18,
    ),
    AssumptionSpec(
        name="pue",
        title=capital(worded("power usage effectiveness (PUE)")),
        unit=worded("× that of its GPUs"),
        low=PUE_LIMITS[0],
        high=PUE_LIMITS[1],
    ),
    _ratio(
        name="power_share",
        title=worded("Power of jobs without activity data"),
        unit=worded("share of rated power"),
    ),
    AssumptionSpec(name="power_limit_kw", title=worded("Power limit"), unit="kW", low=0, high=1e9),
    AssumptionSpec(
        name="grid_kg_co2_per_kwh",
        title=worded("Plan's grid"),
        unit=worded("kg of CO2 per kWh"),
        low=0,
        high=10,
        source=worded("from contracts, offers and sites"),
    ),
    _whole(
        name="fiscal_year_starts",
        title=worded("Fiscal year starts"),
        unit=worded("month, 1 is January"),
        low=1,
        high=12,
    ),
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
