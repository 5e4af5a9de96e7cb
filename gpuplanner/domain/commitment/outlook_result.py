"""Slower results of the engine: ranges, levels, savings steps, price paths; field names as in the JSON."""

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import Final

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.demand.slicing import Slicing
from gpuplanner.domain.commitment.result import IdleExisting, Order, PoolPlan
from gpuplanner.domain.figures.plan import NEXT_DECISION, PLAN
from gpuplanner.domain.figures.typed import amount, day
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.cube import WEEK_HOURS
from gpuplanner.domain.model.plan.limits import Limit
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, day_of, has_calendar
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


ACTS: Final = {
    "order": worded("Order {subject}"),
    "renew": worded("Renew {subject}"),
    "end": worded("End {subject}"),
    "replace": worded("Replace {subject}"),
    "shorten": worded("Shorten {subject}"),
    "question": worded("Ask about {subject}"),
    "saving": worded("Accept {subject}"),
    "let_expire": worded("Let {subject} expire"),
}
"""Title of each kind of decision."""

SOON_S: Final = 30 * DAY_S
"""A decision due within this time comes first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextDecision:
    """A decision that the plan made, or that the user has to make.

    kind: in ACTS. subject: a contract, a saving, or GPUs and their term. by_s: its deadline, epoch seconds; None
    without one. year_without, year_with: $ of twelve months without it, with all else decided again, and with it; None
    is unknown. committed_usd: commitment of its orders. is_in_plan: the plan contains it. unknown: reason for an
    unknown amount, or the parts without a price in both. contract_id, row: its contract, or its row with the term in
    months. is_overdue: the deadline was before the plan's start. ends_s: end of the contract, epoch seconds. orders:
    every order of it, whole. placed: those of its first day. clusters: clusters they serve, with the GPU time needed by
    each. gap: supply for the contract's work until they start.
    """

    decision_id: str
    kind: str
    subject: Text
    by_s: int | None = None
    year_without: float | None = None
    year_with: float | None = None
    committed_usd: float | None = None
    is_in_plan: bool = True
    unknown: Text = ""
    contract_id: str = ""
    row: tuple[Pool, str | None, int] | None = None
    is_overdue: bool = False
    ends_s: int | None = None
    orders: tuple[Order, ...] = ()
    placed: tuple[Order, ...] = ()
    clusters: tuple[tuple[str, float], ...] = ()
    gap: Text = ""

    @property
    def usd_12_months(self) -> float | None:
        """$ saved in twelve months; negative if it costs."""
        given = {"year_without": self.year_without, "year_with": self.year_with}
        return NEXT_DECISION.row(given, ["decision_saves"])["decision_saves"]

    @property
    def is_left(self) -> bool:
        """Whether the user declined it: it is not in the plan, and is no question and no offered saving."""
        return not self.is_in_plan and self.kind not in ("question", "saving")

    @property
    def title(self) -> Message:
        """The decision, as End PO-108004 (40 H100)."""
        return Message(ACTS[self.kind].template, {"subject": self.subject})

    @property
    def text(self) -> Message:
        """The decision with its effect, as End PO-108004 (40 H100) by 28 Dec 2026: saves $716,525 in 12 months."""
        by = worded(" by {day}", day=self.by_words) if self.by_words else ""
        text = worded("{title}{by}: {saves}", title=self.title, by=by, saves=self.saves)
        return joined(filter(None, (text, self.gap)), ". ")

    @property
    def by_words(self) -> Text:
        """Its deadline, marked if it is overdue; empty without one or without a calendar."""
        if self.by_s is None or not has_calendar(self.by_s):
            return ""
        day_words = worded("{day}", day=day(self.by_s))
        return worded("{day} (overdue)", day=day_words) if self.is_overdue else day_words

    @property
    def saves(self) -> Text:
        """The effect, as saves $716,525 in 12 months; otherwise why it is unknown."""
        if self.usd_12_months is None:
            return self.unknown
        return worded("{saves} in 12 months", saves=self.saves_shortly)

    @property
    def saves_shortly(self) -> Text:
        """The effect without the period, for narrow places."""
        if self.usd_12_months is None:
            return worded("amount unknown")
        usd = amount(abs(self.usd_12_months))
        if self.kind == "question":
            return worded("{usd} at stake", usd=usd)
        return worded("costs {usd}", usd=usd) if self.usd_12_months < 0 else worded("saves {usd}", usd=usd)


def in_order(decisions: Iterable[NextDecision]) -> tuple[NextDecision, ...]:
    """Sort decisions by amount, largest first and unknown last; then by deadline and id."""

    def place(row: NextDecision) -> tuple[float, float, str]:
        """Return the sort key: amount, deadline and id, unknown last."""
        return inf if (usd := row.usd_12_months) is None else -usd, row.by_s or inf, row.decision_id

    return tuple(sorted(decisions, key=place))


def first_three(decisions: Sequence[NextDecision], today_s: int) -> tuple[NextDecision, ...]:
    """Return the decision with the nearest deadline within 30 days, if any, then those with the largest amounts.

    decisions: sorted by `in_order`. today_s: epoch seconds. Overdue decisions are due today.
    """
    days = {row: max(day_of(row.by_s), day_of(today_s)) for row in decisions if row.by_s is not None}
    due = [row for row, day_s in days.items() if day_s - day_of(today_s) <= SOON_S]
    first = sorted(due, key=days.__getitem__)[:1]
    return (*first, *(row for row in decisions if row not in first))[:3]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """The slower figures: range, cost of separation, and others that are not in the advice.

    npv_usd: expected savings of the advice over the horizon compared with on demand only, discounted; None if a rate is
    missing or layers are set by the user. checks: separation_costs, terms_hang_on_prices, if they apply.
    level_values: of rows with known prices. Law: savings_steps add up to the plan less today.
    limits: cost of each limit that is set. savings_offered: cuts of demand that the plan has not accepted.
    next_decisions: sorted by `in_order`.
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

    @property
    def open_decisions(self) -> tuple[NextDecision, ...]:
        """The next decisions without declined ones, for documents."""
        return tuple(row for row in self.next_decisions if not row.is_left)


NOT_YET: Final = Outlook()
"""The outlook before it is calculated."""
