"""The slower answers of the engine: bands, levels, steps of savings, paths of prices; fields are those of the JSON."""

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import Final

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.result import IdleExisting, Order, PoolPlan
from gpuplanner.domain.commitment.slicing import Slicing
from gpuplanner.domain.figures.plan import NEXT_DECISION, PLAN
from gpuplanner.domain.figures.typed import amount, day
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.cube import WEEK_HOURS
from gpuplanner.domain.model.plan_inputs import Limit
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, day_of
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class SizeBand:
    """The month's cost with one size: "advice", or "one_less", "quarter_less", "one_more", "quarter_more" of the
    shortest term; with what the size is expected to change later."""

    size: str
    p10_usd_per_month: float
    p50_usd_per_month: float
    p90_usd_per_month: float


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """What next month and the next twelve may cost with the advice held. None where the log is under two weeks.

    regret: what the best size beside the advice would have saved a month. coverage: share of past months that fell
    inside their bands, of coverage_folds; None where there are too few to test. sizes: where there is a size beside it.
    if_pattern_continues: the log is shorter than the year that its band is of.
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
"""Whole weeks of log that a range stands on before anybody is shown it; the JSON has it from two on."""
NO_RANGE: Final = worded("No P10–P90: needs four whole weeks of jobs and a fixed plan")


def trusted_band(band: Uncertainty, plan_usd: float | None, hours: int) -> Uncertainty:
    """What people are shown of a range: nothing unless four whole weeks stand behind it and it holds the plan.

    plan_usd: $ a month that the range is of; hours: of the log.
    Source: docs/formulas/uncertainty.md.
    """
    low, high = band.p10_usd_per_month, band.p90_usd_per_month
    if low is None or high is None or plan_usd is None:
        return band
    is_kept = hours >= SHOWN_FROM_WEEKS * WEEK_HOURS and round(low) <= round(plan_usd) <= round(high)
    return band if is_kept else Uncertainty(resamples=band.resamples, seed=band.seed)


@dataclass(frozen=True, slots=True)
class Coverage:
    """Share of GPU-hours that commitments serve in month 0, and the price of the planner's target; ratios 0..1.

    now: existing contracts alone; plan: with what the plan commits. reached: the share that whole blocks come to
    on the side of the target (None where no priced commitment gets there). extra_gpus: to commit beyond the plan
    (below zero: to pay by use instead); extra_usd_per_month: what that adds to month 0 (None: unknown).
    """

    now: float | None
    plan: float | None
    target: float
    reached: float | None
    extra_gpus: float
    extra_usd_per_month: float | None


@dataclass(frozen=True, slots=True, eq=False)
class LevelValues:
    """What every level of a row is expected to cost over the horizon, in $ of today, and what the advice does.

    Of each slice: a term signed in month 0 costs its rate for `paid_months` (discounted, by term), `extra_usd` (days
    paid by use, upfront payments that are not spread), then `after_usd`, the cheapest policy once it ends; paying by
    use in month 0 costs `by_use_usd`, then `wait_usd`. slicing: of the row. use_prices: what
    a price by use of today is in each month.
    Shapes: extra_usd[term], after_usd[term], by_use_usd, wait_usd, advised_usd, advised_month_usd (slices,); the
    last two are what the advice costs, over the horizon and in month 0.
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
    """One level against the advice for the same slices. term_months 0: what is paid by use. $ more than the advice.

    usd: expected from month 0 to the horizon, discounted; month_0_usd: of month 0 alone. Both may be below 0.
    """

    term_months: int
    gpus: float
    month_0_usd: float
    usd: float


@dataclass(frozen=True, slots=True)
class CostOfLevels:
    """What a row's levels cost more than the advice, which follows once they end; levels add up to usd.

    month_0_usd: $ of month 0 alone; usd: expected $ over the horizon, discounted to today. Below 0 a level is cheaper
    than the advice in that month. Source: docs/formulas/layers.md, Levels tried out.
    """

    horizon_months: int
    month_0_usd: float
    usd: float
    levels: tuple[LevelCost, ...]


@dataclass(frozen=True, slots=True)
class SpotAdvice:
    """One workload that may use spot, on one GPU model of the plan. Shares of work 0..1; 1 or more: it cannot finish.

    nodes: of its largest job; lost_share: at the interval assumed. best_interval_hours: None where it loses least
    without checkpoints. node_hours: between two interruptions of a node of its offer, None: as assumed.
    on_spot, on_spot_at_best: whether spot is then feasible and cheaper than on demand.
    saves_usd_per_month: of month 0 with the layers held (None: a rate is missing).
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


@dataclass(frozen=True, slots=True)
class SavingsStep:
    """One of demand, ending, terms, separation, spot, or a cut of demand.

    cost_before, cost_after: $ a month without and with the step; saved_per_month: what it takes off (below 0: adds).
    None is unknown, and then `unknown` says why. unmeasured: services that a cut leaves alone, their activity unknown.
    year_before, year_after, saved_in_year: of a cut, $ of twelve months.
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
        """$ a month that it adds; below 0 it saves."""
        return None if self.saved_per_month is None else 0.0 - self.saved_per_month


@dataclass(frozen=True, slots=True)
class LimitCost:
    """What one limit of the planner costs: the plan less the plan without it; None where either is unknown.

    inputs: of the formulas, by the keys of LIMIT. unserved_gpu_hours: of twelve months, that the limit leaves unserved
    and the plan without it does not. why: what it keeps the plan from, empty where its $ say all.
    """

    limit: Limit
    inputs: Mapping[str, float | None]
    limit_cost: float | None
    limit_cost_in_year: float | None
    unserved_gpu_hours: float
    why: Text = ""


@dataclass(frozen=True, slots=True)
class PathRow:
    """One pool and GPU model on a path of prices; $ as of PathCost. best_usd: of the policy that knows the path."""

    pool: Pool
    gpu_model: str | None
    shorter_only_usd: float | None
    advice_usd: float | None
    longer_only_usd: float | None
    best_usd: float | None


@dataclass(frozen=True, slots=True)
class PathCost:
    """What signing short, as advised and long costs on one path of prices: fall, cut, flat or rise.

    Expected $ from month 0 to the horizon, discounted; None: unknown. delta: the path's price fall a month, None of one
    that is no single fall. regret_usd: of the advice, against the policy that knows the path. contracts_usd: what
    existing contracts are paid, the same in all; best_usd: what the policy that knows the path costs.
    Law: contracts_usd and rows add up to each of the three, and to best_usd.
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
    """What separate pools cost: $ of each of twelve months with the pools of the plan and with one a model, both with
    the volatility of the pooled demand, the churn of no pool and without pins.

    joint: one row per model, all workloads together, `pool` the largest of them; joint_idle: what existing contracts
    are paid and do not serve there. Below 0 one pool costs more.
    """

    apart_usd: tuple[float | None, ...] = (None,)
    joint_usd: tuple[float | None, ...] = (None,)
    joint: tuple[PoolPlan, ...] = ()
    joint_idle: tuple[IdleExisting, ...] = ()

    def cost_usd(self, months: int = 1) -> float | None:
        """$ of so many months, from the first on."""
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
"""Kind of a decision -> what to do."""

SOON_S: Final = 30 * DAY_S
"""A decision that is due so soon stands first."""


@dataclass(frozen=True, slots=True)
class NextDecision:
    """A decision that the plan has taken, or that is the planner's to take.

    kind: one of ACTS. subject: a contract, a saving, or GPUs and their term. by_s: its last day, epoch
    seconds; None without one. year_without, year_with: $ of twelve months without it, all else decided anew, and with
    it; None is unknown. committed_usd: what its orders bind. is_in_plan: whether the plan has taken it. unknown: why
    nobody knows an amount, or what has no price in both. contract_id, row: what it is of, the row with its term in
    months. is_overdue: its last day was before the plan begins. ends_s: when the contract ends, epoch seconds. orders:
    those of its first day; clusters: which they serve, and GPU time that each needs of them. gap: what serves the work
    of a contract until they start.
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
    clusters: tuple[tuple[str, float], ...] = ()
    gap: Text = ""

    @property
    def usd_12_months(self) -> float | None:
        """$ that it saves in twelve months; below 0 it costs."""
        given = {"year_without": self.year_without, "year_with": self.year_with}
        return NEXT_DECISION.row(given, ["decision_saves"])["decision_saves"]

    @property
    def is_left(self) -> bool:
        """Whether the planner decided otherwise: the plan does not take it, and it is no question and no offer."""
        return not self.is_in_plan and self.kind not in ("question", "saving")

    @property
    def title(self) -> Message:
        """End PO-108004 (40 H100)."""
        return Message(ACTS[self.kind].template, {"subject": self.subject})

    @property
    def text(self) -> Message:
        """End PO-108004 (40 H100) by 28 Dec 2026: saves $716,525 in 12 months."""
        text = worded("{title}{by}: {saves}", title=self.title, by=self._by, saves=self.saves)
        return joined(filter(None, (text, self.gap)), ". ")

    @property
    def _by(self) -> Text:
        if self.by_s is None:
            return ""
        if self.is_overdue:
            return worded(" by {day} (overdue)", day=day(self.by_s))
        return worded(" by {day}", day=day(self.by_s))

    @property
    def saves(self) -> Text:
        """Saves $716,525 in 12 months; why nobody knows it."""
        if self.usd_12_months is None:
            return self.unknown
        return worded("{saves} in 12 months", saves=self.saves_shortly)

    @property
    def saves_shortly(self) -> Text:
        """The same without the twelve months, where there is little room."""
        if self.usd_12_months is None:
            return worded("amount unknown")
        usd = amount(abs(self.usd_12_months))
        if self.kind == "question":
            return worded("{usd} at stake", usd=usd)
        return worded("costs {usd}", usd=usd) if self.usd_12_months < 0 else worded("saves {usd}", usd=usd)


def in_order(decisions: Iterable[NextDecision]) -> tuple[NextDecision, ...]:
    """The largest amount first, unknown ones last; then by day, then by id."""

    def place(row: NextDecision) -> tuple[float, float, str]:
        """Its amount, day and id, the unknown at the end."""
        return inf if (usd := row.usd_12_months) is None else -usd, row.by_s or inf, row.decision_id

    return tuple(sorted(decisions, key=place))


def first_three(decisions: Sequence[NextDecision], today_s: int) -> tuple[NextDecision, ...]:
    """The one with the nearest day within 30 days, if any, of several the dearest; then those with the largest amount.

    decisions: in their order; today_s: epoch seconds. What is overdue is due today.
    """
    days = {row: max(day_of(row.by_s), day_of(today_s)) for row in decisions if row.by_s is not None}
    due = [row for row, day_s in days.items() if day_s - day_of(today_s) <= SOON_S]
    first = sorted(due, key=days.__getitem__)[:1]
    return (*first, *(row for row in decisions if row not in first))[:3]


@dataclass(frozen=True, slots=True)
class Outlook:
    """The slower figures: the band, the cost of separation, and what else is not in an advice.

    npv_usd: what signing as advised is expected to save over the horizon against paying all by use, discounted;
    None where a rate is missing or layers are set by hand. checks: separation_costs, terms_hang_on_prices, where they
    are so. level_values: of the rows whose prices are known. Law: savings_steps add up to the plan less today.
    limits: what each limit that is set costs. savings_offered: cuts of demand that the plan has not accepted.
    next_decisions: in order.
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
        """The next decisions without those that the planner left: a document does not ask for them."""
        return tuple(row for row in self.next_decisions if not row.is_left)


NOT_YET: Final = Outlook()
"""While it is worked out: nothing is known."""
