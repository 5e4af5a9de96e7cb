"""Results of the commitment engine: pools, layers, orders, verdicts, totals, and figures of layers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.demand.slicing import Slicing
from gpuplanner.domain.commitment.demand.volatility import NO_VOLATILITY, Volatility
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.figures.figure import Subject, by_row, floats, optional
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import NOTHING_KNOWN, PartSum, known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.dollars import IN_DOLLARS
from gpuplanner.domain.model.book.extras import ExtraAmounts, sla_hours, sla_usd
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import HandLayer, WholeDecisions
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, HOURS_PER_MONTH, MONTH_S
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- The advice: pools, layers, orders, verdicts, totals; field names as in the JSON --------------

NO_PROVIDER: Final = worded("Provider missing")
"""In place of the provider of an order whose offer names none; the status PROVIDER_MISSING in documents."""
IF_IT_LASTS: Final = "if_it_lasts"


THE_WINDOW: Final = worded("the window")
"""Reference point of days before and after, unless the plan starts later."""


class MonthPart(NamedTuple):
    """A part of month 0 between two starts, ends or steps. share: of the month. demand_gpus, residual_gpus: mean GPUs
    in
    each hour of the window before and after existing contracts, (hours,).
    """

    share: float
    demand_gpus: Floats
    residual_gpus: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """GPUs of one term in one pool and GPU model: a commitment layer, an existing contract or on-demand GPUs.

    existing: an existing contract. term_months: 0 for on demand.
    gpus: committed GPUs; on demand, the peak. busy_gpus: mean GPUs in use. mean_gpus: mean GPUs paid for.
    rate: $ per GPU-hour. paid_hours: hours paid per month. on_demand_rate: cheapest fitting on-demand rate.
    offer_gpu_model, offer_gpus, offer_rate: the purchase in GPUs of the offer's own model (whole ones if committed);
    equal to gpus and rate unless GPU models are mapped. None for existing contracts and for several offers. blended:
    ids of several offers. term_days: of a term in days. extras: $ per GPU-hour of each extra in the rate. The remaining
    fields are figures by the keys of LAYER, calculated by `with_figures`; None without a rate.
    """

    existing: bool
    pricing_category: PricingCategory
    term_months: int | None
    offer_id: str | None
    gpus: float
    busy_gpus: float
    rate: float | None
    spot_share: float = 0.0
    paid_hours: float = HOURS_PER_MONTH
    on_demand_rate: float | None = None
    offer_gpu_model: str | None = None
    offer_gpus: float | None = None
    offer_rate: float | None = None
    term_days: int | None = None
    blended: tuple[str, ...] = ()
    extras: ExtraAmounts = ()
    utilization: float | None = None
    cost_per_month: float | None = None
    paid_gpu_hours_per_month: float | None = None
    unused_per_month: float | None = None
    on_demand_per_month: float | None = None
    value_per_month: float | None = None
    beside_on_demand: float | None = None
    bound: float | None = None

    @property
    def is_new(self) -> bool:
        """Whether it is a new commitment; False for existing contracts and on-demand GPUs."""
        return not self.existing and bool(self.term_months)

    @property
    def mean_gpus(self) -> float:
        """Mean GPUs paid for: the committed GPUs, or the mean use of on-demand GPUs, whose `gpus` is the peak."""
        return self.gpus if self.existing or self.term_months else self.busy_gpus


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakEven:
    """The best eligible offer of a term compared with on demand, a rule of thumb; figures by the keys of TERM.

    rate, spread_rate, by_use_rate: $ per GPU-hour of the offer, of the offer with its upfront payment, and on demand.
    kept: mean share of demand and prices left over the term after attrition and price decline.
    break_even: utilization needed, a ratio; above 1 the term never pays; None without an on-demand rate.
    term_days: of a term in days. Source: docs/formulas/layers.md.
    """

    term_months: int
    offer_id: str
    rate: float | None
    spread_rate: float | None
    by_use_rate: float | None
    kept: float
    one_gpu_per_month: float | None = None
    by_use_per_month: float | None = None
    compared_per_month: float | None = None
    break_even: float | None = None
    term_days: int | None = None


@dataclass(frozen=True, slots=True)
class SliceRun:
    """Adjacent slices with the same choice in month 0: first_slice..last_slice, 1-based in the row's slicing.

    rate_usd_per_gpu_hour: with upfront payment. term_months: 0 for on demand.
    """

    first_slice: int
    last_slice: int
    term_months: int
    rate_usd_per_gpu_hour: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Adjacent slices with the same orders and on-demand rates in all twelve months: first_slice..last_slice, 1-based.

    unsold: periods in which layers set by the user have no offer. denied: periods without on-demand GPUs, for a budget.
    placed: periods in which placed orders serve them. All in seconds from the plan's start. use_rates: on-demand rate
    of each month at today's prices, $ per GPU-hour; None without an offer; empty where offers have no limits, so that
    the row's rate applies.
    """

    first_slice: int
    last_slice: int
    unsold: tuple[tuple[int, int], ...] = ()
    denied: tuple[tuple[int, int], ...] = ()
    use_rates: tuple[float | None, ...] = ()
    placed: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Flex:
    """The on-demand rate r_flex, blended over the workloads of a pool and GPU model.

    rate: $ per GPU-hour; None without on-demand offers for all workloads. gpu_model: of the only offer in use. blended:
    ids of several offers.
    """

    rate: float | None
    category: PricingCategory
    offer_id: str | None
    spot_share: float
    gpu_model: str | None = None
    blended: tuple[str, ...] = ()
    extras: ExtraAmounts = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RowDemand:
    """Demand of a pool and GPU model.

    hourly_gpus, residual_gpus: mean GPUs in each hour of the window, month 0 at level 1, before and after existing
    contracts, (hours,). gpu_hours, mean_gpus: of the window. p95_gpus, peak_gpus: over month_parts.
    growth: a ratio per month. volatility: used for planning. month_parts: the parts of month 0.
    gpu_time: milli-GPU-seconds of each workload in month 0, in the order of Advice.workload_usd, (workloads,); None if
    no workload runs then. weights: of the hours, adding up to 1, (hours,); None: equal.
    """

    gpu_hours: float
    mean_gpus: float
    p95_gpus: float
    peak_gpus: float
    growth: float
    hourly_gpus: Floats
    residual_gpus: Floats
    volatility: Volatility = NO_VOLATILITY
    month_parts: tuple[MonthPart, ...] = ()
    gpu_time: Floats | None = None
    weights: Floats | None = None


@dataclass(frozen=True, slots=True)
class Supply:
    """Offers for a pool and GPU model. offers: eligible commitments, cheapest first.

    open_now: offers that can start in month 0, by offer_id. ratios: GPUs of the row's model that one GPU of an offer
    replaces, by offer_id, for mapped models only; figures and rates of the row refer to one GPU of its own model.
    on_demand_rate: the cheapest, $ per GPU-hour; None without an offer.
    """

    offers: tuple[Offer, ...] = ()
    open_now: frozenset[str] = frozenset()
    ratios: Mapping[str, float] = field(default_factory=dict)
    on_demand_rate: float | None = None


@dataclass(frozen=True, slots=True)
class LevelBeyondOffers:
    """A level set by hand above what the offers of its term have: whole GPUs, and how many offers have them.

    is_left: others take the rest of those offers.
    """

    term_months: int
    gpus: int
    offered_gpus: int
    offers: int
    is_left: bool = False


@dataclass(frozen=True, slots=True)
class ByHand:
    """Whether the user set layers of a row, and the terms of layers that stay fixed while the rest is advised.

    levels: as the user set them. beyond: those above what their offers have; the next best offer serves the rest.
    """

    is_set: bool = False
    held_terms: tuple[int, ...] = ()
    levels: tuple[HandLayer, ...] = ()
    beyond: tuple[LevelBeyondOffers, ...] = ()

    def beyond_of(self, term_months: int) -> LevelBeyondOffers | None:
        """Return the level of a term that is above what its offers have; None if it is not."""
        return next((level for level in self.beyond if level.term_months == term_months), None)


@dataclass(frozen=True, slots=True, eq=False)
class Apart:
    """Month 0 of a row's planned runs, which are bought separately from logged demand; the layers contain them too.

    gpus: mean GPUs of the runs after existing contracts, served or not. residual_gpus, month_parts: of the row without
    the runs.
    """

    layers: tuple[Layer, ...]
    gpus: float
    residual_gpus: Floats
    month_parts: tuple[MonthPart, ...]

    @property
    def lost_gpus(self) -> float:
        """Mean GPUs of the runs that no offer serves."""
        return self.gpus - sum(layer.busy_gpus * layer.paid_hours for layer in self.layers) / HOURS_PER_MONTH


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PoolPlan:
    """The plan of a (pool, GPU model) with demand.

    slicing: of its demand. flex: the on-demand rate, also if unused. bands: all slices from the bottom up; planned runs
    are only in the layers. apart: the planned runs; None without any. unserved_gpu_hours: in month 0.
    """

    pool: Pool
    gpu_model: str | None
    demand: RowDemand
    slicing: Slicing
    layers: tuple[Layer, ...]
    runs: tuple[SliceRun, ...]
    break_even: tuple[BreakEven, ...]
    cost_per_month: float | None
    flex: Flex
    supply: Supply
    note: Text  # reason for no advice, or for a limit; otherwise empty
    by_hand: ByHand = ByHand()
    bands: tuple[Band, ...] = ()
    unserved_gpu_hours: float = 0.0
    apart: Apart | None = None

    @property
    def block(self) -> int:
        """GPUs of a slice at levels that demand reaches soon; higher slices are wider."""
        return self.slicing.block


@dataclass(frozen=True, slots=True, kw_only=True)
class IdleExisting:
    """Idle GPUs of existing contracts of one model in month 0; they belong to no pool.

    gpus: mean over the window's hours, recency weighted if the project is. rate: mean cost of an idle GPU-hour, $; None
    if a contract has none. cost_per_month: as for a layer. Source: docs/formulas/layers.md.
    """

    gpu_model: str | None
    gpus: float
    rate: float | None
    cost_per_month: float | None
    extras: ExtraAmounts = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A recommended order, with figures by the keys of ORDER; all times in epoch seconds.

    reason: now, contract_end, lead_time, growth, bridge (serves until a build-to-order contract starts), follows (after
    another order), planned_run (for planned work with an end), if_it_lasts (only if recent demand continues; in no
    total). row: number of its row in the order list, shared by orders that continue each other. follows: it starts when
    the order for the same slices ends, whatever its reason. run: key of its planned run, if any. spans: GPU ranges that
    it serves beyond contracts; empty for planned runs. gpus: of the row's model. offer_gpu_model, offer_gpus: whole
    GPUs to order, of the offer's own model. rate, upfront_per_gpu: $ per GPU-hour and $ per GPU of the offer's model at
    signing, without extras. extras_rate: extras, $ per GPU-hour, part of the cost but of no commitment. setup_per_gpu:
    extras due on the first day. capex_per_gpu: $ to buy a GPU; 0 for a commitment. provider: of its offer. is_soonest:
    order_by_s is the earliest order date instead of the deadline. Figures are None without a rate; `with_order_figures`
    calculates them.
    """

    pool: Pool
    gpu_model: str | None
    offer_id: str
    term_months: int
    gpus: float
    start_s: int
    end_s: int
    order_by_s: int
    reason: str
    offer_gpu_model: str | None = None
    offer_gpus: float | None = None
    term_days: int | None = None
    rate: float | None = None
    upfront_per_gpu: float = 0.0
    setup_per_gpu: float = 0.0
    capex_per_gpu: float = 0.0
    extras_rate: float = 0.0
    order_by_high_s: int | None = None
    is_soonest: bool = False
    sla_percent: float | None = None
    follows: bool = False
    spans: tuple[tuple[float, float], ...] = ()
    row: int = 0
    run: str = ""
    spread_rate: float | None = None
    cost_per_month: float | None = None
    liability: float | None = None
    due_at_once: float | None = None
    provider: str | None = None

    @property
    def term_hours(self) -> float:
        """Hours paid and served; a term below a month renews until its end."""
        return (self.end_s - self.start_s) / HOUR_S

    @property
    def paid_hours(self) -> float:
        """Hours paid per month: 730, or fewer if its days are."""
        return min(float(HOURS_PER_MONTH), self.term_hours)

    @property
    def sla_hours_per_month(self) -> float | None:
        """Hours of downtime per month that its SLA allows; None without one."""
        return sla_hours(self.sla_percent)

    @property
    def sla_usd_per_month(self) -> float | None:
        """Cost of its GPUs during that downtime, $ per month; None without an SLA or a rate."""
        return sla_usd(self.sla_percent, self.bought_gpus, self.rate)

    @property
    def is_dollars(self) -> bool:
        """Whether it commits `rate` dollars per hour instead of GPUs."""
        return (self.gpu_model or "").startswith(IN_DOLLARS)

    @property
    def usd_per_hour(self) -> float | None:
        """Committed $ per hour; None for a commitment of GPUs."""
        return self.rate if self.is_dollars else None

    @property
    def bought_gpus(self) -> float:
        """GPUs of the offer's own model."""
        return self.gpus if self.offer_gpus is None else self.offer_gpus

    @property
    def renews(self) -> bool:
        """Whether its term in days renews before its end."""
        return bool(self.term_days) and self.term_hours * HOUR_S > (self.term_days or 0) * DAY_S

    @property
    def last_day_s(self) -> int:
        """Last day to order it, epoch seconds; a deadline at midnight means the day before, unless the order is for the
        earliest
        date.
        """
        return self.order_by_s - (not self.is_soonest)

    @property
    def last_day_high_s(self) -> int | None:
        """Last day to order it at the longest lead time, epoch seconds; None if no offer states one."""
        return None if self.order_by_high_s is None else self.order_by_high_s - (not self.is_soonest)

    @property
    def is_bought(self) -> bool:
        """Whether it buys owned GPUs; its term is then their life."""
        return self.capex_per_gpu > 0

    @property
    def is_certain(self) -> bool:
        """Whether today's demand justifies it; other orders are in no total of commitments."""
        return self.reason != IF_IT_LASTS


def vendors(orders: Iterable[Order]) -> Message:
    """Return the providers of orders, each once; an order of an offer without a provider says so."""
    return joined(dict.fromkeys(order.provider or NO_PROVIDER for order in orders), ", ")


def order_id(pool: Pool, gpu_model: str | None, term_months: int, run: str = "") -> str:
    """Return an id for the orders of a pool, GPU model and term, stable between plans; `run` gives a planned run its
    own.
    """
    return ":".join(("order", pool.value, gpu_model or "", str(term_months), *filter(None, (run,))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The recommendation for an existing contract. verdict: keep, renew, end, replace, shorten, let_expire.

    then_term_months, gpus: main term of the commitments that follow, and its share of their GPUs; 0 without one.
    order_by_s: deadline for notice or order, epoch seconds; None without an end.
    shares: GPUs of each following term, shortest first, with months and days of the term. reason: names them.
    if_it_lasts_gpus: further GPUs, ordered only if recent demand continues.
    continued_by: next line of the same contract, if no order follows.
    ends_s: its end in the plan, epoch seconds, exclusive, where it differs from the file's.
    is_later: it ends after the twelve months with listed orders.
    last_day_s: first deadline of the following orders, except those that wait for another contract's end, epoch
    seconds. due_gpus: GPUs to order by then. takes: following orders with their GPUs. Source:
    docs/formulas/contracts.md, Verdicts.
    """

    contract_id: str
    verdict: str
    then_term_months: int
    gpus: float
    order_by_s: int | None
    reason: Message
    shares: tuple[tuple[float, tuple[int, int | None]], ...] = ()
    if_it_lasts_gpus: float = 0.0
    continued_by: str | None = None
    ends_s: int | None = None
    is_later: bool = False
    last_day_s: int | None = None
    due_gpus: float = 0.0
    takes: tuple[tuple[Order, float], ...] = ()

    @property
    def is_to_decide(self) -> bool:
        """Whether a decision ends or changes the contract; a further step of its own ramp needs no decision."""
        return self.verdict not in ("keep", "renew") and self.continued_by is None

    @property
    def then_terms(self) -> tuple[tuple[int, int | None], ...]:
        """Main term of the orders that follow, as (months, days); several if their days differ."""
        own = tuple(term for _, term in self.shares if term[0] == self.then_term_months)
        return own or ((self.then_term_months, None),)

    @property
    def then_s(self) -> int:
        """Longest duration of the main following term, seconds; 0 without one."""
        return max(days * DAY_S if days else months * MONTH_S for months, days in self.then_terms)


@dataclass(frozen=True, slots=True)
class GpusToSign:
    """Largest number of GPUs at a time in the orders due within a month, for one pool and GPU model."""

    pool: Pool
    gpu_model: str | None
    gpus: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Monthly cost of today and of the plan; None is unknown. Fields by the keys of figures (PLAN).

    plan: month 0 of the comparison. Savings: today (or do nothing) less the plan, positive if the plan saves.
    savings_percent: 0..100. effective_*: ratios 0..1. lock_in_*: average term left, months.
    liability_now, liability: total commitment in whole $, of orders within a month of the plan's first day and of all
    orders of the twelve months. due_at_once_now: upfront part of liability_now. extras: their amounts in `plan`.
    Source: docs/formulas/totals.md.
    """

    today: float | None
    do_nothing: float | None
    plan: float | None
    savings: float | None
    savings_percent: float | None
    savings_vs_do_nothing: float | None
    on_demand_equivalent: float | None
    effective_savings_rate: float | None
    effective_utilization_now: float | None
    effective_utilization_plan: float | None
    unused_now: float | None
    unused_plan: float | None
    lock_in_now_months: float | None
    lock_in_months: float | None
    cost_of_separation: float | None
    liability_now: float | None = None
    liability: float | None = None
    due_at_once_now: float | None = None
    gpus_to_sign: tuple[GpusToSign, ...] = ()
    extras: ExtraAmounts = ()
    cost_of_separation_year: float | None = None


@dataclass(frozen=True, slots=True)
class RunWay:
    """A purchase for one repeated run alone: the cheapest offer of a term. cost_per_month: $ of a mean month."""

    work: PlannedWork
    offer: Offer
    cost_per_month: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRunFigures:
    """Figures of a planned run. gpus: of a run. hours: of all its periods. orders: indexes in the order list.

    use_usd, usd: its cost on demand only, and as planned, $; None without an on-demand offer.
    idle_contract_gpus: GPUs it uses in existing contracts. use_rate: on-demand rate at today's prices, $ per GPU-hour.
    by_use_gpu_hours, by_use_usd: on-demand GPU-hours by part of the twelve months, and their $ by month.
    nothing_gpu_hours: on-demand GPU-hours by part with do nothing.
    gpu_hours, of_contracts_gpu_hours, unserved_gpu_hours: in month 0, in all, on contracts, and without an offer.
    mean_gpu_hours, ways: of a mean month of a repeated run, and its possible purchases.
    """

    key: str
    pool: Pool
    gpu_model: str | None
    gpus: float
    hours: float
    orders: tuple[int, ...]
    use_usd: float | None
    usd: float | None
    idle_contract_gpus: float
    use_rate: float | None = None
    by_use_gpu_hours: tuple[float, ...] = ()
    by_use_usd: tuple[float | None, ...] = ()
    nothing_gpu_hours: tuple[float, ...] = ()
    gpu_hours: float = 0.0
    of_contracts_gpu_hours: float = 0.0
    unserved_gpu_hours: float = 0.0
    mean_gpu_hours: float | None = None
    ways: tuple[RunWay, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanInputs:
    """Inputs of a plan's figures that are no costs, by the keys of PLAN; None is unknown.

    used_gpus: mean demand. paid_gpus: mean GPUs under contract, committed or on demand. bound: $ per month of contracts
    and new commitments x their remaining months.
    """

    used_gpus: float | None = None
    paid_gpus: float | None = None
    bound: float | None = None


Side = tuple[PartSum, frozenset[tuple[Text, float]]]
"""Known cost of a month, with the names and GPU-hours of parts without a rate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonMonth:
    """One of the twelve months at today's level of demand, with its cost for the plan and for do nothing, $.

    start_s: epoch seconds. None is unknown.
    do_nothing_use_usd: cost of demand beyond contracts with do nothing.
    contracts_usd: committed contracts for the hours they run, used or not.
    orders_usd: orders that run in the month, at the rate of their start, with upfront payments spread over their hours.
    use_usd: the rest, on demand. unserved_gpu_hours: demand without an offer, not in $.
    plan_parts, nothing_parts, use_parts: known cost by contract and by pool and GPU model, where a rate is missing: of
    the plan, of do nothing, and of the plan's on-demand GPUs. use_hours: GPU model, offer ids and GPU-hours on demand.
    plan_unpriced, nothing_unpriced: names of parts without a rate, with their GPU-hours. Source:
    docs/formulas/totals.md, Comparison.
    """

    month: int
    start_s: int
    do_nothing_usd: float | None
    contracts_usd: float | None = None
    orders_usd: float | None = None
    use_usd: float | None = None
    unserved_gpu_hours: float = 0.0
    do_nothing_unserved_gpu_hours: float = 0.0
    do_nothing_use_usd: float | None = None
    plan_parts: PartSum = NOTHING_KNOWN
    nothing_parts: PartSum = NOTHING_KNOWN
    use_parts: PartSum = NOTHING_KNOWN
    use_hours: tuple[tuple[str | None, tuple[str, ...], float], ...] = ()
    plan_unpriced: frozenset[tuple[Text, float]] = frozenset()
    nothing_unpriced: frozenset[tuple[Text, float]] = frozenset()

    @property
    def plan_usd(self) -> float | None:
        """Cost of the plan. Law: every dollar of a month belongs to a contract, an order, or on-demand GPUs."""
        return known_sum([self.contracts_usd, self.orders_usd, self.use_usd])

    @property
    def plan_sum(self) -> PartSum:
        """Cost of the plan, or its known part."""
        return self.plan_parts if self.plan_usd is None else PartSum(self.plan_usd)

    @property
    def nothing_sum(self) -> PartSum:
        """Cost of do nothing, or its known part."""
        return self.nothing_parts if self.do_nothing_usd is None else PartSum(self.do_nothing_usd)

    @property
    def plan_side(self) -> Side:
        """Known cost of the plan, and its parts without a rate."""
        return self.plan_sum, self.plan_unpriced

    @property
    def nothing_side(self) -> Side:
        """Known cost of do nothing, and its parts without a rate."""
        return self.nothing_sum, self.nothing_unpriced


@dataclass(frozen=True, slots=True, kw_only=True)
class Unserved:
    """GPU-hours of a workload in the twelve months that no offer serves; field names as in the JSON.

    usd_per_month: their cost; None without a rate.
    """

    pool: Pool
    gpu_model: str | None
    key: str
    gpu_hours: float
    usd_per_month: float | None
    reason: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyOfLayer:
    """Energy per month of one layer of month 0, or of idle existing GPUs (pool and layer None). None is unknown.

    inputs: of the figures, by the keys of ENERGY.
    """

    pool: Pool | None
    gpu_model: str | None
    layer: Layer | None
    kwh_per_month: float | None
    kg_co2_per_month: float | None
    inputs: Mapping[str, float | None] = field(hash=False)


@dataclass(frozen=True, slots=True)
class EnergyOfPool:
    """Energy per month of a pool's layers; pool None: idle existing GPUs, with the plan's peak."""

    pool: Pool | None
    kwh_per_month: float | None
    kg_co2_per_month: float | None
    peak_kw: float | None


@dataclass(frozen=True, slots=True)
class PeakHour:
    """The hour of a plan with the highest power. month: from 0. hour: the matching hour of the window.

    kw: by pool, and of idle existing GPUs (None), with their share of the building's overhead; they add up.
    """

    month: int
    hour: int
    kw: Mapping[Pool | None, float] = field(hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanEnergy:
    """Energy of a plan: kWh and kg of CO2 in month 0, kW of the highest hour of twelve months; None is unknown.

    peak: the power in that hour. Law: by_pool and layers add up to the plan's energy.
    """

    kwh_per_month: float | None = None
    kg_co2_per_month: float | None = None
    peak_kw: float | None = None
    by_pool: tuple[EnergyOfPool, ...] = ()
    layers: tuple[EnergyOfLayer, ...] = ()
    peak: PeakHour | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CardCosts:
    """$ and GPU-hours per month of each workload, by key, as a mean over some months; None is unknown.

    contracts_usd, contracts_gpu_hours: their parts on existing contracts. idle_usd: cost of idle contract GPUs by GPU
    model. unused_usd: by month, that cost and the unused part of new commitments.
    """

    usd: Mapping[str, float | None]
    contracts_usd: Mapping[str, float | None]
    gpu_hours: Mapping[str, float]
    contracts_gpu_hours: Mapping[str, float]
    idle_usd: Mapping[str | None, float | None]
    unused_usd: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The plan without its outlook. workload_usd: $ of month 0 by key (None: unknown).

    cards: costs of workloads over the twelve months, or in the selected month; None if not requested.
    classes: class of each workload, in the order of Project.workloads; may be empty.
    totals.cost_of_separation: None here; the outlook adds it.
    unknown_models: GPU models of contracts with unknown use (their cluster has no log, or a question is open): not in
    idle_existing, and the plan's utilization is unknown. asked_models: those that logged jobs may run on, so that the
    plan's cost is unknown too. at_least: known part of the costs in totals, by field; empty if all rates are known.
    contracts, in_force: the contracts of the plan and of do nothing, with their ends there. whole_decisions: decisions
    of the plan as a whole. is_settling: they are from before the last edit.
    logged_ways: contracts for training of the log that recurs.
    """

    pools: tuple[PoolPlan, ...]
    idle_existing: tuple[IdleExisting, ...]
    orders: tuple[Order, ...]
    verdicts: tuple[Verdict, ...]
    totals: Totals
    comparison: tuple[ComparisonMonth, ...]
    checks: tuple[Check, ...]
    workload_usd: dict[str, float | None]
    cards: "CardCosts | None" = None
    unserved: tuple[Unserved, ...] = ()
    classes: tuple[Classification, ...] = ()
    unknown_models: frozenset[str | None] = frozenset()
    asked_models: frozenset[str | None] = frozenset()
    inputs: PlanInputs = PlanInputs()
    energy: PlanEnergy = PlanEnergy()
    planned_runs: tuple[PlannedRunFigures, ...] = ()
    at_least: Mapping[str, PartSum] = field(default_factory=dict)
    contracts: tuple[Contract, ...] = ()
    in_force: tuple[Contract, ...] = ()
    whole_decisions: WholeDecisions | None = None
    is_settling: bool = False
    logged_ways: tuple[RunWay, ...] = ()

    @property
    def is_undecided(self) -> bool:
        """Whether the plan's whole decisions have never been made: its dollars are then far from those of the plan."""
        return self.is_settling and self.whole_decisions is None

    @property
    def all_ways(self) -> tuple[RunWay, ...]:
        """To hold work that comes back: what is planned, then that of the log."""
        return (*(option for run in self.planned_runs for option in run.ways), *self.logged_ways)


# --- Figures of layers, idle GPUs and terms: calculated for all rows at once ----------------------

INPUTS: Final = tuple(figure.key for figure in LAYER.figures if figure.formula is None)
FIGURES: Final = tuple(each.key for each in LAYER.figures if each.formula and each.key != "mean_rate")
TERM_INPUTS: Final = ("spread_rate", "by_use_rate", "kept")
TERM_FIGURES: Final = ("one_gpu_per_month", "by_use_per_month", "compared_per_month", "break_even")
Figured = TypeVar("Figured", Layer, BreakEven, Order)


def figured(
    rows: Sequence[Figured], subject: Subject, given: Mapping[str, Floats], keys: Sequence[str]
) -> tuple[Figured, ...]:
    """Return rows with calculated figures, in order; figures with unknown inputs are None.

    subject: of the figures. given: inputs by key, one value per row. keys: figures to calculate.
    """
    figured_rows = by_row(subject.worked_out(given, keys))
    figures: list[dict[str, Any]] = [{key: row[key] for key in keys} for row in figured_rows]
    return tuple(replace(row, **of_row) for row, of_row in zip(rows, figures, strict=True))


def inputs_of(rows: Sequence[Figured], keys: Sequence[str]) -> dict[str, Floats]:
    return {key: floats([getattr(row, key) for row in rows]) for key in keys}


def with_figures(layers: Sequence[Layer], on_demand_rate: float | None) -> tuple[Layer, ...]:
    """Return layers with calculated figures, in order; figures with unknown inputs are None.

    on_demand_rate: for comparison, $ per GPU-hour; None or 0: no comparison. A month has 730 h.
    Source: docs/formulas/layers.md.
    """
    rows = [replace(layer, on_demand_rate=on_demand_rate or None) for layer in layers]
    return figured(rows, LAYER, inputs_of(rows, INPUTS), FIGURES)


def cost_per_month(gpus: Sequence[float], rates: Sequence[float | None]) -> list[float | None]:
    """Return the cost of GPUs paid for a whole month of 730 h, used or not: $ per month, one value per row.

    rates: $ per GPU-hour; the cost is None for an unknown rate.

    >>> cost_per_month([2, 1], [1.5, None])
    [2190.0, None]
    """
    paid_hours = floats([HOURS_PER_MONTH] * len(gpus))
    given = {"mean_gpus": floats(gpus), "rate": floats(rates), "paid_hours": paid_hours}
    return optional(LAYER.worked_out(given, ["cost_per_month"])["cost_per_month"])


def used_share(busy_gpus: float, gpus: float) -> float | None:
    """Return the share of GPUs, or GPU-hours, in use, 0..1; None without any.

    >>> used_share(30, 40), used_share(0, 0)
    (0.75, None)
    """
    return LAYER.row({"busy_gpus": busy_gpus, "gpus": gpus}, ["utilization"])["utilization"]
