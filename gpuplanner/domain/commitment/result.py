"""The advice of the commitment engine: pools, layers, orders, verdicts, totals, and figures of layers."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.slicing import Slicing
from gpuplanner.domain.commitment.volatility import NO_VOLATILITY, Volatility
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.figures.figure import Subject, by_row, floats, optional
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.amounts import NOTHING_KNOWN, PartSum, known_sum
from gpuplanner.domain.model.book.contract import IN_DOLLARS, Contract, sla_hours, sla_usd
from gpuplanner.domain.model.book.extras import ExtraAmounts, mean_extras
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.plan_inputs import PlannedWork, WholeDecisions
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, HOURS_PER_MONTH, MONTH_S
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- The advice of the commitment engine: pools, layers, orders, verdicts, totals; field names are those of the JSON

IF_IT_LASTS: Final = "if_it_lasts"


THE_WINDOW: Final = worded("the window")
"""What days before and after are counted from, where the plan does not begin later."""


class MonthPart(NamedTuple):
    """Month 0 from one beginning, end or step to the next: its share of the month; demand before and after what
    existing contracts serve, mean GPUs in each hour of the window, (hours,)."""

    share: float
    demand_gpus: Floats
    residual_gpus: Floats


@dataclass(frozen=True, slots=True)
class Layer:
    """GPUs of one term in one pool and model: what it is, what went into its figures, and these, by the keys of LAYER.

    gpus: those bought, or of what is paid by use the most at once; busy_gpus: those in use, mean_gpus: those paid for,
    on average; rate: $ per GPU-hour; paid_hours: of a month; on_demand_rate: the cheapest that fits.
    offer_gpu_model, offer_gpus, offer_rate: what is bought, in GPUs of the offer's own model (whole ones where they are
    committed); the same as gpus and rate but where the planner mapped models. None where existing contracts serve, or
    several offers; blended: the ids of those; term_days: of a term that is sold by the day. extras: $ per GPU-hour of
    each that is in the rate. Figures are None where a
    rate is missing; `with_figures` works them out.
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
        """Whether it is a commitment that is yet to be signed.

        False for existing contracts and for what is paid by use.
        """
        return not self.existing and bool(self.term_months)

    @property
    def mean_gpus(self) -> float:
        """GPUs paid for on average: those bought, or of what is paid by use the mean in use; `gpus` is the peak."""
        return self.gpus if self.existing or self.term_months else self.busy_gpus


@dataclass(frozen=True, slots=True)
class BreakEven:
    """The best eligible offer of one term beside paying by use; figures by the keys of TERM, a rule of thumb.

    rate, spread_rate, by_use_rate: $ per GPU-hour of the offer, of it with what is paid upfront, and by use; kept: mean
    share of demand and prices that churn and the price fall leave over the term. break_even: a ratio; above 1 the term
    never pays; None where no rate by use is known to compare with; term_days: of a term that is sold by the day.
    Source: docs/formulas/layers.md.
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
    """Neighbouring slices with the same month-0 choice: slices first..last (1-based, of the row's slicing), and what
    they pay, with what is paid upfront. term_months 0: by use.
    """

    first_slice: int
    last_slice: int
    term_months: int
    rate_usd_per_gpu_hour: float | None


@dataclass(frozen=True, slots=True)
class Band:
    """Neighbouring slices that the same orders hold in the twelve months, and that are paid by use alike: slices
    first..last (1-based, of the row's slicing). unsold: spans in which levels set by hand hold what nobody sells;
    denied: in which their use is served by nobody, for a budget; both in seconds from the plan's first moment.
    use_rates: $ per GPU-hour by use in each month at prices of today, None where nobody serves it; none where offers
    have no limits: then it is the row's.
    """

    first_slice: int
    last_slice: int
    unsold: tuple[tuple[int, int], ...] = ()
    denied: tuple[tuple[int, int], ...] = ()
    use_rates: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Flex:
    """r_flex: the blend over the workloads of a pool and model. rate None: no usage-priced offer for all of them.

    gpu_model: of the offer that all of them use, where there is one. blended: the ids of the offers, where several are.
    """

    rate: float | None
    category: PricingCategory
    offer_id: str | None
    spot_share: float
    gpu_model: str | None = None
    blended: tuple[str, ...] = ()
    extras: ExtraAmounts = ()


@dataclass(frozen=True, slots=True, eq=False)
class RowDemand:
    """What is there to be served of one pool and GPU model.

    hourly_gpus, residual_gpus: mean GPUs in each hour of the window, month 0 at level 1, before and after what
    existing contracts serve; shape (hours,). gpu_hours and mean_gpus are window amounts of the demand, p95 and peak of
    month_parts: what is there in each part of month 0. growth: a ratio a month; volatility: that it is planned with.
    gpu_time: milli-GPU-seconds of each workload in month 0, in the order of Advice.workload_usd, shape (workloads,);
    None where nobody of it is there then. weights: of the hours, adding up to 1, (hours,); None: all alike.
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
    """Who sells to one pool and GPU model. offers: commitments open to it, cheapest first.

    open_now: those that can begin in month 0, by offer_id. ratios: GPUs of the row's model that one GPU of an offer is
    worth, by offer_id, of mapped models alone; all figures of the row, the rates of `offers` too, are for the work of
    one GPU of its own model. on_demand_rate: the cheapest, $ per GPU-hour; None where nobody offers any.
    """

    offers: tuple[Offer, ...] = ()
    open_now: frozenset[str] = frozenset()
    ratios: Mapping[str, float] = field(default_factory=dict)
    on_demand_rate: float | None = None


@dataclass(frozen=True, slots=True)
class ByHand:
    """Whether the planner set levels of a row, and the terms that are held so while the rest is advised."""

    is_set: bool = False
    held_terms: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Apart:
    """What the planned runs of a row are bought in month 0, apart from what its log wants, and in its layers too.

    gpus: their mean GPUs that contracts leave, served or not; residual_gpus, month_parts: of the row without them.
    """

    layers: tuple[Layer, ...]
    gpus: float
    residual_gpus: Floats
    month_parts: tuple[MonthPart, ...]

    @property
    def lost_gpus(self) -> float:
        """Those of them that nobody serves, in the mean."""
        return self.gpus - sum(layer.busy_gpus * layer.paid_hours for layer in self.layers) / HOURS_PER_MONTH


@dataclass(frozen=True, slots=True, eq=False)
class PoolPlan:
    """One (pool, GPU model) with demand.

    slicing: how its demand is cut. flex: how GPUs paid by use are bought, also where none are. bands: its slices from
    the bottom up, together all of them; planned runs are in the layers alone. apart: of these; None without any.
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
    note: Text  # why there is no advice, or why it is limited; empty otherwise
    by_hand: ByHand = ByHand()
    bands: tuple[Band, ...] = ()
    unserved_gpu_hours: float = 0.0
    apart: Apart | None = None

    @property
    def block(self) -> int:
        """GPUs of a slice as far as demand reaches soon.

        Above that slices are wider.
        """
        return self.slicing.block


@dataclass(frozen=True, slots=True)
class IdleExisting:
    """What existing contracts of one model are paid and do not serve in month 0.

    gpus: the mean over the window's hours, recency weighted where the project says so; rate: the mean of what idle GPUs
    of the model's contracts are paid, None where one has none. It belongs to no pool; its cost is that of a layer.
    Source: docs/formulas/layers.md.
    """

    gpu_model: str | None
    gpus: float
    rate: float | None
    cost_per_month: float | None
    extras: ExtraAmounts = ()


@dataclass(frozen=True, slots=True)
class Order:
    """A commitment to make, figures by the keys of ORDER; start, end and order_by in epoch seconds.

    reason: now, contract_end, lead_time, growth, bridge (what serves until a build-to-order contract starts), follows
    (what comes after another), planned_run (of planned work with an end), if_it_lasts (only if demand that is young
    goes on; in no total). row: number of the row that it is shown in with those that it continues. follows: it starts
    when the order of the same slices before it ends, whatever its reason. run: key of the run that it is of, if any.
    spans: from which GPU to which of what contracts leave over it serves; none of planned runs. gpus: of the row's
    model; offer_gpu_model, offer_gpus: what is ordered, whole GPUs of the offer's own model. rate, upfront_per_gpu: $
    per GPU-hour and $ per GPU of the offer's own model when it is signed, without extras; extras_rate: these, $ per
    GPU-hour, in its cost and in nothing that is owed; setup_per_gpu: $ of them that are due on
    the day; capex_per_gpu: $ to buy one, 0 of what is signed. provider: of the offer that it is priced by.
    is_soonest: order_by_s is the first moment to place it, not one by which it is placed. Figures are None
    where the rate is missing; `with_order_figures` works them out.
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
        """Hours that it pays and serves: a term shorter than a month renews until it has been one."""
        return (self.end_s - self.start_s) / HOUR_S

    @property
    def paid_hours(self) -> float:
        """Hours of a month that it pays: fewer than all where its days are.

        730 for terms of a month and more.
        """
        return min(float(HOURS_PER_MONTH), self.term_hours)

    @property
    def sla_hours_per_month(self) -> float | None:
        """Hours of a month that its SLA leaves open; None without one."""
        return sla_hours(self.sla_percent)

    @property
    def sla_usd_per_month(self) -> float | None:
        """$ of its GPUs in those hours; None without an SLA or a rate."""
        return sla_usd(self.sla_percent, self.bought_gpus, self.rate)

    @property
    def is_dollars(self) -> bool:
        """Whether it commits `rate` dollars per hour, not GPUs."""
        return (self.gpu_model or "").startswith(IN_DOLLARS)

    @property
    def usd_per_hour(self) -> float | None:
        """$ of an hour that it commits; None of GPUs."""
        return self.rate if self.is_dollars else None

    @property
    def bought_gpus(self) -> float:
        """GPUs of the offer's own model."""
        return self.gpus if self.offer_gpus is None else self.offer_gpus

    @property
    def renews(self) -> bool:
        """Whether its term of days is signed again and again until it ends."""
        return bool(self.term_days) and self.term_hours * HOUR_S > (self.term_days or 0) * DAY_S

    @property
    def last_day_s(self) -> int:
        """The last day to order it as people read one, epoch seconds: by a midnight is by the end of the day before, as
        with ends and notices; what cannot be ordered sooner has its own day."""
        return self.order_by_s - (not self.is_soonest)

    @property
    def last_day_high_s(self) -> int | None:
        """The same at the longest lead; None where no offer states one."""
        return None if self.order_by_high_s is None else self.order_by_high_s - (not self.is_soonest)

    @property
    def is_bought(self) -> bool:
        """Whether it buys GPUs to own; its term is then their life, and nothing is signed."""
        return self.capex_per_gpu > 0

    @property
    def is_certain(self) -> bool:
        """Whether it is signed by what the log shows today; what is not is in no total of what is signed."""
        return self.reason != IF_IT_LASTS


def order_id(pool: Pool, gpu_model: str | None, term_months: int, run: str = "") -> str:
    """What the orders of a pool, GPU model and term are called from one plan to the next, of a planned run its own."""
    return ":".join(("order", pool.value, gpu_model or "", str(term_months), *filter(None, (run,))))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do about an existing contract. verdict: keep, renew (it runs on), end, replace, shorten, let_expire.

    then_term_months, gpus: the main term of the commitments that follow it, and how many GPUs of them are its share; 0
    where none does. order_by_s: epoch seconds by which notice or an order has to be given, None without an end.
    shares: GPUs of each of their terms, the shortest first, and the term as it is sold: months, and days where it is of
    days; the reason says them in words. if_it_lasts_gpus: those beside them that are signed only if young demand lasts.
    continued_by: the line of the same contract that begins as this one ends, where nothing else follows it.
    ends_s: the end that it has in the plan, epoch seconds, exclusive, where its file has another or none.
    is_later: nothing follows it, for it ends after the twelve months whose orders are listed. last_day_s: the first of
    the last days of the orders that follow it, but for what waits for the end of another contract, epoch seconds;
    due_gpus: those of its GPUs that are to be ordered by then. takes: the orders whose GPUs follow it, with how many.
    Source: docs/formulas/contracts.md, Verdicts.
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
        """Whether the contract ends or changes by what is decided now; a step of its own ramp is signed."""
        return self.verdict not in ("keep", "renew") and self.continued_by is None

    @property
    def then_terms(self) -> tuple[tuple[int, int | None], ...]:
        """The main term of what follows as it is sold, months and days of each that differs."""
        own = tuple(term for _, term in self.shares if term[0] == self.then_term_months)
        return own or ((self.then_term_months, None),)

    @property
    def then_s(self) -> int:
        """How long what follows runs, the longest of the main term: seconds; 0 where nothing follows."""
        return max(days * DAY_S if days else months * MONTH_S for months, days in self.then_terms)


@dataclass(frozen=True, slots=True)
class GpusToSign:
    """The most GPUs of one pool and model that the orders to be placed within a month hold at one time."""

    pool: Pool
    gpu_model: str | None
    gpus: float


@dataclass(frozen=True, slots=True)
class Totals:
    """Monthly money of today and of the plan; None is unknown. Fields by the keys of figures (PLAN).

    `now` is today, `plan` month 0 of the comparison. Savings are today (or doing nothing) less the plan: above 0
    saves. savings_percent is 0..100; effective_* are ratios 0..1; lock_in_* are months weighted by $; liability_* are
    whole $ of what is signed within a month of the plan's first day, and of all orders of the twelve months;
    due_at_once_now what of the former is paid on the day that it is signed or bought; extras what each adds to `plan`.
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
    """A way to hold all of a run that comes back, bought for it alone: the cheapest offer of a term. cost_per_month: $
    of its mean month."""

    work: PlannedWork
    offer: Offer
    cost_per_month: float


@dataclass(frozen=True, slots=True)
class PlannedRunFigures:
    """A planned run: GPUs, hours of all its pieces, its orders by their places in the list, $ of all of it by use alone
    and as it is bought (None: nobody sells by use), and GPUs that it takes of contracts. use_rate: $ per GPU-hour by
    use at prices of today; by_use_gpu_hours: paid so in each part of the twelve months, by_use_usd: $ of it in each
    month, nothing_gpu_hours: by use in each part with nothing signed; gpu_hours, of_contracts_gpu_hours: in month 0 of
    all of it, and on contracts. Of one that comes back mean_gpu_hours: of its mean month , and ways
    to hold it."""

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
    """What went into the figures of a plan beside its $, by the keys of PLAN; None is unknown.

    used_gpus: of the demand, paid_gpus: under contract, committed or paid by use, on average; bound: $ a month of
    contracts and new commitments times the months that they bind for.
    """

    used_gpus: float | None = None
    paid_gpus: float | None = None
    bound: float | None = None


Side = tuple[PartSum, frozenset[tuple[Text, float]]]
"""What a month costs as far as known, with the names and GPU-hours of what has no rate."""


@dataclass(frozen=True, slots=True)
class ComparisonMonth:
    """One month of the twelve at today's level of demand: its start (epoch seconds) and what doing nothing and the plan
    cost in it, $ of that month; None is unknown.

    do_nothing_use_usd: of what doing nothing costs, what contracts leave over. contracts_usd: committed contracts for
    the hours that they run, used or not; orders_usd: those that run in it, at the rate of the month of their start,
    what is paid upfront spread over their hours; use_usd: the rest, by use. unserved_gpu_hours: demand that nobody
    serves, in no $. plan_parts, nothing_parts: what is known of the two by contract and by pool and GPU model, where a
    rate is missing; use_parts: of what the plan pays by use. use_hours: GPU model, ids of offers and GPU-hours of it.
    plan_unpriced, nothing_unpriced: names of what has no rate, with its GPU-hours.
    Source: docs/formulas/totals.md, Comparison.
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
        """All of the plan. Law: every dollar of a month is a contract, an order, or use."""
        return known_sum([self.contracts_usd, self.orders_usd, self.use_usd])

    @property
    def plan_sum(self) -> PartSum:
        """The same, or what is known of it."""
        return self.plan_parts if self.plan_usd is None else PartSum(self.plan_usd)

    @property
    def nothing_sum(self) -> PartSum:
        """What doing nothing costs, or what is known of it."""
        return self.nothing_parts if self.do_nothing_usd is None else PartSum(self.do_nothing_usd)

    @property
    def plan_side(self) -> Side:
        """What is known of the plan, and what of it has no rate."""
        return self.plan_sum, self.plan_unpriced

    @property
    def nothing_side(self) -> Side:
        """The same of doing nothing."""
        return self.nothing_sum, self.nothing_unpriced


@dataclass(frozen=True, slots=True)
class Unserved:
    """GPU-hours of one workload in the twelve months that no offer serves; field names as in the JSON.

    usd_per_month: what they would cost; None where nobody has a rate for them. reason: in words.
    """

    pool: Pool
    gpu_model: str | None
    key: str
    gpu_hours: float
    usd_per_month: float | None
    reason: Message


@dataclass(frozen=True, slots=True)
class EnergyOfLayer:
    """What one layer of month 0 takes a month, or existing GPUs that stand idle (pool and layer None); None is unknown.

    inputs: what it was worked out from, by the keys of ENERGY.
    """

    pool: Pool | None
    gpu_model: str | None
    layer: Layer | None
    kwh_per_month: float | None
    kg_co2_per_month: float | None
    inputs: Mapping[str, float | None] = field(hash=False)


@dataclass(frozen=True, slots=True)
class EnergyOfPool:
    """What the layers of one pool take a month; pool None: existing GPUs that stand idle, whose peak is the plan's."""

    pool: Pool | None
    kwh_per_month: float | None
    kg_co2_per_month: float | None
    peak_kw: float | None


@dataclass(frozen=True, slots=True)
class PeakHour:
    """The largest hour of a plan: month, from 0, and the hour of the window that it is like.

    kw: of each pool, and of existing GPUs that stand idle in it (None), the building's share in it; they add up.
    """

    month: int
    hour: int
    kw: Mapping[Pool | None, float] = field(hash=False)


@dataclass(frozen=True, slots=True)
class PlanEnergy:
    """The energy of a plan: kWh and kg of CO2 of month 0, kW of the largest hour of twelve months; None is unknown.

    peak: what takes it in that hour. Law: by_pool and layers add up to it.
    """

    kwh_per_month: float | None = None
    kg_co2_per_month: float | None = None
    peak_kw: float | None = None
    by_pool: tuple[EnergyOfPool, ...] = ()
    layers: tuple[EnergyOfLayer, ...] = ()
    peak: PeakHour | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CardCosts:
    """$ and GPU-hours a month of each workload, by key, as a mean of some months; None is unknown.

    contracts_usd, contracts_gpu_hours: what of them existing contracts are paid, and serve. idle_usd: by GPU model what
    is paid and serves nobody; unused_usd: of each of the months that, and the unused part of new commitments.
    """

    usd: Mapping[str, float | None]
    contracts_usd: Mapping[str, float | None]
    gpu_hours: Mapping[str, float]
    contracts_gpu_hours: Mapping[str, float]
    idle_usd: Mapping[str | None, float | None]
    unused_usd: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """Everything the plan says but its outlook. workload_usd: $ of month 0 by key (None: unknown);
    cards: of the twelve months, or of the month that it stands at; None where nobody asked.

    classes: what each workload was taken for, in the order of Project.workloads; empty where nobody said.
    totals.cost_of_separation is None here; the outlook fills it.
    unknown_models: GPU models of contracts of which nobody knows what they serve (their cluster has no log, or they
    are asked about): nothing of them is in idle_existing, and the plan's utilization is unknown.
    asked_models: those of them that jobs of the log may run on: what the plan comes to is unknown too.
    at_least: what is known of the costs among the totals, by their fields; empty where no rate is missing.
    contracts, in_force: those that the plan counts with, and those of doing nothing, each with its end there.
    whole_decisions: what the plan decides as a whole; is_settling: whether that was decided before the last edit.
    logged_ways: to hold training of the log that comes back.
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
    def all_ways(self) -> tuple[RunWay, ...]:
        """To hold work that comes back: what is planned, then that of the log."""
        return (*(option for run in self.planned_runs for option in run.ways), *self.logged_ways)


# --- The figures of layers, of what stands idle and of terms: all of a row at once, from what went into each

INPUTS: Final = ("gpus", "busy_gpus", "mean_gpus", "rate", "paid_hours", "on_demand_rate", "term_months")
FIGURES: Final = (
    "utilization",
    "cost_per_month",
    "paid_gpu_hours_per_month",
    "unused_per_month",
    "on_demand_per_month",
    "value_per_month",
    "beside_on_demand",
    "bound",
)
SUMS: Final = (*(key for key in FIGURES if key != "utilization"), "offer_gpus")
"""Of several layers, what each of them has of it added up."""

TERM_INPUTS: Final = ("spread_rate", "by_use_rate", "kept")
TERM_FIGURES: Final = ("one_gpu_per_month", "by_use_per_month", "compared_per_month", "break_even")
Figured = TypeVar("Figured", Layer, BreakEven, Order)


def figured(
    rows: Sequence[Figured], subject: Subject, given: Mapping[str, Floats], keys: Sequence[str]
) -> tuple[Figured, ...]:
    """Rows with figures of a subject by their keys. given: what went into them, a value a row.

    New rows, in order; figures whose inputs are unknown are None.
    """
    figured_rows = by_row(subject.worked_out(given, keys))
    figures: list[dict[str, Any]] = [{key: row[key] for key in keys} for row in figured_rows]
    return tuple(replace(row, **of_row) for row, of_row in zip(rows, figures, strict=True))


def inputs_of(rows: Sequence[Figured], keys: Sequence[str]) -> dict[str, Floats]:
    return {key: floats([getattr(row, key) for row in rows]) for key in keys}


def with_figures(layers: Sequence[Layer], on_demand_rate: float | None) -> tuple[Layer, ...]:
    """The layers with their figures. on_demand_rate: what their GPU-hours are measured against; None or 0: nothing.

    New layers, in order; figures whose inputs are unknown are None. A month is 730 h.
    Source: docs/formulas/layers.md.
    """
    rows = [replace(layer, on_demand_rate=on_demand_rate or None) for layer in layers]
    return figured(rows, LAYER, inputs_of(rows, INPUTS), FIGURES)


def cost_per_month(gpus: Sequence[float], rates: Sequence[float | None]) -> list[float | None]:
    """What GPUs cost that are paid all the month, used or not: one value a row.

    Units: GPUs, $ per GPU-hour, $ a month of 730 h. None where the rate is unknown.

    >>> cost_per_month([2, 1], [1.5, None])
    [2190.0, None]
    """
    paid_hours = floats([HOURS_PER_MONTH] * len(gpus))
    given = {"mean_gpus": floats(gpus), "rate": floats(rates), "paid_hours": paid_hours}
    return optional(LAYER.worked_out(given, ["cost_per_month"])["cost_per_month"])


def together(layers: Sequence[Layer]) -> dict[str, float | None]:
    """What went into the figures of several layers together: their cost and the GPU-hours that it pays for.

    Units: $ and GPU-hours a month, by the keys of LAYER. None where one of them is unknown.
    """
    keys = ("cost_per_month", "paid_gpu_hours_per_month")
    return {key: known_sum([getattr(layer, key) for layer in layers]) for key in keys}


def mean_rate(layers: Sequence[Layer]) -> float | None:
    """$ per GPU-hour of layers together; None where the cost of one is unknown, and where there are no GPUs.

    Source: docs/formulas/layers.md.
    """
    return LAYER.row(together(layers), ["mean_rate"])["mean_rate"]


def mean_paid_gpus(layers: Sequence[Layer]) -> float:
    """GPUs that layers pay for, a mean over the hours of a month: a term of days counts for its days.

    Source: docs/formulas/layers.md.
    """
    return sum(layer.mean_gpus * layer.paid_hours for layer in layers) / HOURS_PER_MONTH


def used_of(layers: Sequence[Layer]) -> float | None:
    """How much of the GPU-hours that layers pay for is in use, 0..1; None where there are none.

    A term of days counts for the hours of its days.
    """
    busy = sum(layer.busy_gpus * layer.paid_hours for layer in layers)
    return used_share(busy, sum(layer.gpus * layer.paid_hours for layer in layers))


def as_one(layers: Sequence[Layer]) -> Layer:
    """Layers of one kind as a row shows them; what has no sum and no mean is the first one's.

    The sum of what is unknown of one is unknown. Errors: IndexError without a layer.
    Source: docs/formulas/layers.md.
    """
    sums: dict[str, Any] = {key: known_sum([getattr(layer, key) for layer in layers]) for key in SUMS}
    return replace(
        layers[0],
        gpus=sum(layer.gpus for layer in layers),
        busy_gpus=sum(layer.busy_gpus for layer in layers),
        rate=mean_rate(layers),
        utilization=used_of(layers),
        extras=mean_extras((dict(layer.extras), layer.mean_gpus * layer.paid_hours) for layer in layers),
        **sums,
    )


def used_share(busy_gpus: float, gpus: float) -> float | None:
    """How much of GPUs, or of GPU-hours of the same hours, is in use; None where there are none.

    A ratio, 0..1.

    >>> used_share(30, 40), used_share(0, 0)
    (0.75, None)
    """
    return LAYER.row({"busy_gpus": busy_gpus, "gpus": gpus}, ["utilization"])["utilization"]
