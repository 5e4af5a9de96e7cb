"""Slower results of the engine: ranges, levels, savings steps, price paths; field names as in the JSON."""

from collections.abc import Mapping
from typing import Final

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.demand.slicing import Slicing
from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.result import IdleExisting, PoolPlan
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.cube import WEEK_HOURS
from gpuplanner.domain.model.plan.limits import Limit
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class SizeBand:
    """The month's cost with one size of the shortest term: "advice", "one_less", "quarter_less", "one_more" or
    "quarter_more".

    Includes the expected later effect of the size.
    """

    size: str
    p10_usd_per_month: float
    p50_usd_per_month: float
    p90_usd_per_month: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncertainty:
    """Range of next month's and the next twelve months' cost with fixed advice. None for a log under two weeks.

    regret_*: $ per month that the best other size would have saved. coverage: share of past months within their ranges,
    of coverage_folds; None with too few months. sizes: empty without another size. if_pattern_continues: the log is
    shorter than the year of the range.
    """

    p10_usd_per_month: float | None = None
    p50_usd_per_month: float | None = None
    p90_usd_per_month: float | None = None
    regret_p50_usd_per_month: float | None = None
    regret_p90_usd_per_month: float | None = None
    year_p10_usd: float | None = None
    year_p90_usd: float | None = None
    coverage: float | None = None
    coverage_folds: int = 0
    resamples: int = 0
    seed: int = 0
    sizes: tuple[SizeBand, ...] = ()
    if_pattern_continues: bool = False


SHOWN_FROM_WEEKS: Final = 4
"""Fewest whole weeks of log for a range shown to people; the JSON has it from two weeks on."""
NO_RANGE: Final = worded("No P10–P90: it needs four whole weeks of jobs and a fixed plan")


def trusted_band(band: Uncertainty, plan_usd: float | None, hours: int) -> Uncertainty:
    """Return a range if it is reliable enough to show: four whole weeks of log, and the plan within it; otherwise
    without it.

    plan_usd: $ per month of the plan. hours: of the log. Source: docs/formulas/uncertainty.md.
    """
    low, high = band.p10_usd_per_month, band.p90_usd_per_month
    if low is None or high is None or plan_usd is None:
        return band
    is_kept = hours >= SHOWN_FROM_WEEKS * WEEK_HOURS and round(low) <= round(plan_usd) <= round(high)
    return band if is_kept else Uncertainty(resamples=band.resamples, seed=band.seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Share of GPU-hours on commitments in month 0, and the cost of the user's target; ratios 0..1.

    now: existing contracts only. plan: with the plan's commitments. reached: share nearest to the target that whole
    blocks give (None if no priced commitment reaches it). extra_gpus: GPUs to commit beyond the plan (negative: to pay
    on demand instead). extra_usd_per_month: their effect on month 0 (None: unknown).
    """

    now: float | None
    plan: float | None
    target: float
    reached: float | None
    extra_gpus: float
    extra_usd_per_month: float | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LevelValues:
    """Expected cost of every level of a row over the horizon, in $ of today, and of the advice.

    For each slice, a term committed in month 0 costs its rate for `paid_months` (discounted, by term), `extra_usd`
    (days on demand, upfront payments that are not spread), then `after_usd`, the cheapest policy after its end. On
    demand in month 0 costs `by_use_usd`, then `wait_usd`. use_prices: factor on today's on-demand price in each month.
    Shapes: extra_usd[term], after_usd[term], by_use_usd, wait_usd, advised_usd, advised_month_usd (slices,); the last
    two are the cost of the advice over the horizon and in month 0.
    """

    pool: Pool
    gpu_model: str | None
    slicing: Slicing
    horizon_months: int
    churn: float
    use_prices: tuple[float, ...]
    paid_months: Mapping[int, float]
    extra_usd: Mapping[int, Floats]
    after_usd: Mapping[int, Floats]
    by_use_usd: Floats
    wait_usd: Floats
    advised_usd: Floats
    advised_month_usd: Floats


@dataclass(frozen=True, slots=True)
class LevelCost:
    """The extra cost of one level compared with the advice for the same slices. term_months: 0 for on demand.

    usd: expected $ to the horizon, discounted. month_0_usd: $ of month 0. Negative if the level is cheaper.
    """

    term_months: int
    gpus: float
    month_0_usd: float
    usd: float


@dataclass(frozen=True, slots=True)
class CostOfLevels:
    """The extra cost of a row's levels compared with the advice, which follows when they end; levels add up to usd.

    month_0_usd: $ of month 0; usd: expected $ to the horizon, discounted to today. Negative if the levels are cheaper.
    Source: docs/formulas/layers.md, Levels tried out.
    """

    horizon_months: int
    month_0_usd: float
    usd: float
    levels: tuple[LevelCost, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotAdvice:
    """A workload that may use spot, or training that only its length excludes, on one GPU model of the plan.

    Shares of work 0..1; 1 or more: it never finishes.

    nodes: of its largest job. lost_share: at the assumed interval. best_interval_hours: None if no checkpoints are
    best. node_hours: between two interruptions of a node of its offer; None: as assumed. on_spot, on_spot_at_best: spot
    is then feasible and cheaper than on demand. saves_usd_per_month: in month 0 with fixed layers (None: a rate is
    missing). barrier: what excludes it from spot, a code of `rates.Barrier`. run_hours, run_usd: of its longest job on
    spot at the best interval; run_usd_on_demand: the same job on demand.
    """

    key: str
    pool: Pool
    gpu_model: str | None
    nodes: int
    longest_job_hours: float
    interval_hours: float
    lost_share: float
    best_interval_hours: float | None
    best_lost_share: float
    on_spot: bool
    on_spot_at_best: bool
    saves_usd_per_month: float | None
    node_hours: float | None = None
    barrier: str | None = None
    run_hours: float | None = None
    run_usd: float | None = None
    run_usd_on_demand: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SavingsStep:
    """A savings step: demand, ending, terms, separation, spot, or a cut of demand.

    cost_before, cost_after: $ per month without and with the step. saved_per_month: the difference (negative: it adds
    cost). None is unknown, for the reason in `unknown`. unmeasured: services without activity, which a cut ignores.
    year_before, year_after, saved_in_year: $ of twelve months, for cuts.
    """

    step: str
    cost_before: float | None
    cost_after: float | None
    saved_per_month: float | None
    unknown: Text = ""
    unmeasured: int = 0
    year_before: float | None = None
    year_after: float | None = None
    saved_in_year: float | None = None

    @property
    def usd_per_month(self) -> float | None:
        """$ per month that it adds; negative if it saves."""
        return None if self.saved_per_month is None else 0.0 - self.saved_per_month


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitCost:
    """The cost of one limit: the plan less the plan without the limit; None if one is unknown.

    inputs: of the formulas, by the keys of LIMIT. unserved_gpu_hours: of twelve months, additionally unserved with the
    limit. why: effect of the limit beyond its $; may be empty.
    """

    limit: Limit
    inputs: Mapping[str, float | None]
    limit_cost: float | None
    limit_cost_in_year: float | None
    unserved_gpu_hours: float
    why: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathRow:
    """A pool and GPU model on a price path; $ as for PathCost. best_usd: cost of the best policy for this path."""

    pool: Pool
    gpu_model: str | None
    shorter_only_usd: float | None
    advice_usd: float | None
    longer_only_usd: float | None
    best_usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PathCost:
    """Cost of shorter, advised and longer commitments on one price path: fall, cut, flat or rise.

    Expected $ from month 0 to the horizon, discounted; None: unknown. delta: the path's price decline per month, None
    for a path without a single rate. regret_usd: of the advice, compared with the best policy for the path, which costs
    best_usd. contracts_usd: existing contracts, included in all. Law: contracts_usd and rows add up to each of the
    three, and to best_usd.
    """

    path: str
    delta: float | None
    shorter_only_usd: float | None
    advice_usd: float | None
    longer_only_usd: float | None
    regret_usd: float | None
    contracts_usd: float | None = None
    rows: tuple[PathRow, ...] = ()
    best_usd: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Separation:
    """The cost of separate pools: $ of each of twelve months with the plan's pools, and with one pool per GPU model,
    both
    with the volatility of pooled demand, the attrition of no pool and without pins.

    joint: a row per model with all workloads, `pool` is its largest. joint_idle: idle existing contracts in that case.
    Negative if one pool costs more.
    """

    apart_usd: tuple[float | None, ...] = (None,)
    joint_usd: tuple[float | None, ...] = (None,)
    joint: tuple[PoolPlan, ...] = ()
    joint_idle: tuple[IdleExisting, ...] = ()

    def cost_usd(self, months: int = 1) -> float | None:
        """Return the cost of separation over the first `months` months, $; None if unknown."""
        given = {"apart": known_sum(self.apart_usd[:months]), "joint": known_sum(self.joint_usd[:months])}
        return PLAN.row(given, ["cost_of_separation"])["cost_of_separation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """The slower figures: range, cost of separation, and others that are not in the advice.

    npv_usd: expected savings of the advice over the horizon compared with on demand only, discounted; None if a rate is
    missing or layers are set by the user. checks: separation_costs, terms_hang_on_prices, if they apply.
    level_values: of rows with known prices. Law: savings_steps add up to the plan less today.
    limits: cost of each limit that is set. savings_offered: cuts of demand that the plan has not accepted.
    next_decisions: sorted by `next_decision.in_order`. listed_orders: by number.
    """

    uncertainty: Uncertainty = Uncertainty()
    separation: Separation = Separation()
    checks: tuple[Check, ...] = ()
    coverage: Coverage | None = None
    npv_usd: float | None = None
    spot: tuple[SpotAdvice, ...] = ()
    level_values: tuple[LevelValues, ...] = ()
    savings_steps: tuple[SavingsStep, ...] = ()
    price_paths: tuple[PathCost, ...] = ()
    limits: tuple[LimitCost, ...] = ()
    savings_offered: tuple[SavingsStep, ...] = ()
    next_decisions: tuple[NextDecision, ...] = ()
    listed_orders: tuple[ListedOrder, ...] = ()

    @property
    def open_decisions(self) -> tuple[NextDecision, ...]:
        """The next decisions without declined ones, for documents."""
        return tuple(row for row in self.next_decisions if not row.is_left)


NOT_YET: Final = Outlook()
"""The outlook before it is calculated."""
