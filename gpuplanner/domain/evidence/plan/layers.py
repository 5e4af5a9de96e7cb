"""What the answers about a plan stand on; answers about its layers."""

from collections.abc import Mapping
from typing import Final

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment import result
from gpuplanner.domain.commitment.advice_backtest import Backtest, Variant
from gpuplanner.domain.commitment.outlook_result import NOT_YET, Outlook
from gpuplanner.domain.commitment.plan.comparison import FromToday, Worth
from gpuplanner.domain.commitment.plan.layers import mean_paid_gpus, together, used_of
from gpuplanner.domain.commitment.result import Advice, Layer, Order, PoolPlan
from gpuplanner.domain.commitment.uncertainty.flips import CasePlan
from gpuplanner.domain.commitment.uncertainty.limit_costs import ProviderPlan
from gpuplanner.domain.commitment.words.layers import BY_USE_NAMES
from gpuplanner.domain.commitment.words.terms import term_name
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed, explained
from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.energy import ENERGY, PLAN_ENERGY
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.layer import LAYER, TERM
from gpuplanner.domain.figures.typed import plan_month, whole
from gpuplanner.domain.message import Message, Text, capital, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOL_TITLES, Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.reports.plan_layers import (
    EXISTING_IN_SENTENCE,
    idle_words,
    layer_in_sentence,
    layer_of_pool,
    pool_words,
)
from gpuplanner.lazy_dataclass import dataclass, field, replace

ALL, EXISTING, BY_USE = "all", "existing", "use"
"""Rows of a pool and model beside its terms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedCard:
    """One workload where it stands: pool None is the queue of what is to be decided. usd: $ a month, None unknown.

    milli_gpu_seconds: in the window, counted so many times: what its GPU-hours were worked out from.
    """

    key: str
    name: Text
    pool: Pool
    in_review: bool
    gpu_hours_per_month: float
    usd_per_month: float | None
    milli_gpu_seconds: int = 0
    times: float = 1.0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PlanEvidence:
    """One scenario as it is shown. offers: at the rates that count in it.

    due: orders that are to be signed now; is_today: the past, which has no plan; whole_usd: figures that are written in
    whole dollars which add up, as they are written. cases: the plan at low, mid and high rates, alone: with one
    provider each, and outlook: the slower figures; all empty while they are worked out. selected: keys of the cards
    that are selected on the board, of merged ones all. before: the advice of the plan that a question is asked of, on
    Today of the first plan. idle_usd: $ a month that contracts are paid and serve nobody, by GPU model.
    """

    project: Project
    scenario: str
    audit: Audit
    advice: Advice | None
    offers: tuple[Offer, ...]
    cards: tuple[PlacedCard, ...]
    due: tuple[Order, ...]
    is_today: bool
    mean_gpus: Mapping[Pool, float] = field(default_factory=dict)
    backtest: Backtest | None = None
    variants: tuple[Variant, ...] = ()
    whole_usd: Mapping[str, int] = field(default_factory=dict)
    cases: tuple[CasePlan, ...] = ()
    alone: tuple[ProviderPlan, ...] = ()
    outlook: Outlook = NOT_YET
    selected: tuple[str, ...] = ()
    before: Advice | None = None
    idle_usd: Mapping[str | None, float | None] = field(default_factory=dict)

    @property
    def worked_out(self) -> Advice:
        """The advice. Errors: KeyError while the plan is worked out."""
        if self.advice is None:
            raise KeyError("the plan is still worked out")
        return self.advice

    @property
    def pools(self) -> tuple[PoolPlan, ...]:
        """The rows of the plan; none while it is worked out."""
        return () if self.advice is None else self.advice.pools

    @property
    def layers(self) -> list[tuple[PoolPlan, Layer]]:
        """Every layer with its pool and GPU model. Errors: KeyError while the plan is worked out."""
        return [(plan, layer) for plan in self.worked_out.pools for layer in plan.layers]

    def plan(self, subject: str) -> tuple[PoolPlan, str, tuple[Layer, ...]]:
        """The row of a subject "pool, model, part", the part, and its layers. Errors: StopIteration where there is
        none."""
        pool, model, part = subject.split("\t")
        plan = next(row for row in self.pools if row.pool == pool and (row.gpu_model or "") == model)
        return plan, part, tuple(layer for layer in plan.layers if part in (ALL, part_of(layer)))

    @property
    def assumptions(self) -> Assumptions:
        """Those in force in what is shown."""
        if self.is_today:
            return self.project.assumptions
        return self.project.assumptions_in(self.project.scenario(self.scenario))

    def offer(self, offer_id: str) -> Offer:
        """An offer by its id. Errors: StopIteration where there is none."""
        return next(offer for offer in self.offers if offer.offer_id == offer_id)


def part_of(layer: Layer) -> str:
    """The row of a layer in its pool and model: existing, its term in months, or by use with how it is bought."""
    if layer.existing:
        return EXISTING
    return str(layer.term_months) if layer.term_months else f"{BY_USE}-{layer.pricing_category.value}"


def row_subject(plan: PoolPlan, part: str) -> str:
    """What tells a row of layers: pool, GPU model, part."""
    return "\t".join((plan.pool.value, plan.gpu_model or "", part))


def order_subject(order: Order) -> str:
    """What tells one order from all others."""
    when = (order.term_months, order.start_s, order.reason)
    return "\t".join(map(str, (order.pool.value, order.gpu_model or "", order.offer_id, *when)))


# Plans side by side


@dataclass(frozen=True, slots=True, eq=False)
class SideEvidence:
    """One plan of a comparison. today_usd: $ a month today of the workloads of each of its pools (None: unknown).

    whole_steps: the steps from today in whole dollars as they are written, by the subject of `from_today`.
    """

    plan: PlanEvidence
    steps: FromToday
    today_usd: Mapping[Pool, float | None]
    whole_steps: Mapping[str, int]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WorthEvidence:
    """A change on the way from the first plan: what it is called, its worth, and that in whole dollars as written.

    hours: GPU-hours a month by key of what it moves; names: of the same workloads.
    """

    name: Text
    worth: Worth
    whole_usd: int | None
    hours: Mapping[str, float]
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonEvidence:
    """Two plans or three. ways[i]: what leads from the first to side i + 1; empty until it is worked out."""

    sides: tuple[SideEvidence, ...]
    ways: tuple[tuple[WorthEvidence, ...], ...] = ()

    def side(self, scope: str) -> SideEvidence:
        """The plan of a figure. Errors: KeyError where there is none."""
        if not scope.isdecimal() or int(scope) >= len(self.sides):
            raise KeyError(scope)
        return self.sides[int(scope)]

    def way(self, scope: str) -> tuple[WorthEvidence, ...]:
        """What leads to a plan. Errors: KeyError where it is not known."""
        if not 1 <= int(scope) <= len(self.ways):
            raise KeyError(scope)
        return self.ways[int(scope) - 1]


WHY: Final = Answers[PlanEvidence]()
PAID_HOURS = trace.TraceColumn(worded("Paid GPU-h\nper month"), "gpu_hours")
COLUMNS = (trace.GPUS, trace.TraceColumn(trace.TITLES["rate"], "rate"), trace.MONEY)
HOURS = (
    trace.TraceColumn(worded("Used GPU-h\nper month"), "gpu_hours"),
    PAID_HOURS,
    trace.TraceColumn(titles.USED, "share"),
)
PAID = (trace.GPUS, trace.TraceColumn(titles.HOURS_PAID, "hours"), PAID_HOURS)
VALUES = {"on_demand": "on_demand_per_month", "layer": "cost_per_month", "value": "value_per_month"}
"""What of a layer's value is asked about -> the figure."""
VALUE_COLUMNS = (
    trace.TraceColumn(worded("On demand\n$ per month"), "usd"),
    trace.TraceColumn(worded("Layer\n$ per month"), "usd"),
    trace.TraceColumn(worded("Value\n$ per month"), "usd"),
)
PART_WORDS: Final[Mapping[str, Text]] = {
    ALL: worded("all layers"),
    EXISTING: EXISTING_IN_SENTENCE,
    **{f"{BY_USE}-{category.value}".lower(): words for category, words in BY_USE_NAMES.items()},
}
"""Rows of a pool and model without a term, in words."""


def row_name(plan: result.PoolPlan, part: str) -> Message:
    """A row of layers: Inference H100, 36 months; Training A100, on demand."""
    row = term_name(plan, int(part)) if part.isdecimal() else PART_WORDS.get(part.lower(), part)
    return layer_of_pool(plan.pool, plan.gpu_model, row)


def _name(layer: result.Layer) -> Text:
    """A layer among others of its row: its term, and its offer where it has one."""
    name = layer_in_sentence(layer)
    return name if layer.offer_id is None else name + worded(", {offer}", offer=layer.offer_id)


def opens_layer(plan: result.PoolPlan, layer: result.Layer) -> str:
    """The id of what a layer costs."""
    return trace.figure("layer_usd", row_subject(plan, part_of(layer)))


def layer_row(plan: result.PoolPlan, layer: result.Layer, *values: trace.Number) -> trace.TraceRow:
    """A layer by its row, which opens what it costs."""
    return trace.TraceRow(row_name(plan, part_of(layer)), values, opens_layer(plan, layer))


def idle_row(idle: result.IdleExisting, *values: trace.Number) -> trace.TraceRow:
    """Existing GPUs that stand idle, which open what they cost."""
    return trace.TraceRow(idle_words(idle.gpu_model), values, trace.figure("idle_usd", idle.gpu_model or ""))


def _rows(plan: result.PoolPlan, layers: tuple[result.Layer, ...], part: str) -> tuple[trace.TraceRow, ...]:
    """Layers as rows of mean GPUs, rate and $; those of a whole row open their own."""
    return tuple(
        trace.TraceRow(
            _name(layer),
            (layer.mean_gpus, layer.rate, layer.cost_per_month),
            opens_layer(plan, layer) if part == ALL else "",
        )
        for layer in layers
    )


def _inputs(plan: result.PoolPlan, part: str, values: dict[str, float | None]) -> Inputs:
    """What went into the figures of a row; month_hours is the same for all."""
    return Inputs(
        values={**values, "month_hours": HOURS_PER_MONTH},
        name=row_subject(plan, part),
        title=row_name(plan, part),
    )


def layer_inputs(plan: result.PoolPlan, layer: result.Layer) -> Inputs:
    """What went into the figures of one layer."""
    return _inputs(plan, part_of(layer), {key: getattr(layer, key) for key in result.INPUTS})


def term_inputs(plan: result.PoolPlan, term: result.BreakEven) -> Inputs:
    """What went into the break-even of a term."""
    values = {key: getattr(term, key) for key in result.TERM_INPUTS}
    is_quoted = term.spread_rate == term.rate  # nothing is paid upfront
    return replace(
        _inputs(plan, str(term.term_months), values),
        title=layer_of_pool(plan.pool, plan.gpu_model, term_words(term.term_months, term.term_days)),
        opens={"spread_rate": trace.figure("offer_rate", term.offer_id)} if is_quoted else {},
    )


@WHY.sums(
    worded("GPUs: {name}"),
    writing.GPUS,
    worded("GPUs = Σ over layers; on demand × share of hours in use"),
    COLUMNS,
    note=LAYER["mean_gpus"].note,
)
def layer_gpus(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """GPUs of a row: bought, or the mean of those paid by use."""
    plan, part, layers = evidence.plan(subject)
    return Listed(
        value=sum(layer.mean_gpus for layer in layers),
        rows=_rows(plan, layers, part),
        name=row_name(plan, part),
    )


@WHY.gives("layer_unserved")
def layer_unserved(evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """What nobody serves of a pool and model in month 0, mean GPUs."""
    plan, _, _ = evidence.plan(subject)
    return trace.over(
        worded("Unserved: {name}", name=pool_words(plan)),
        plan.unserved_gpu_hours / HOURS_PER_MONTH,
        writing.GPUS,
        worded("GPUs = unserved GPU-hours ÷ month's hours"),
        (worded("Unserved GPU-hours"), plan.unserved_gpu_hours, "gpu_hours"),
        (titles.HOURS_IN_A_MONTH, HOURS_PER_MONTH, "hours"),
        note=worded("In no amount of the plan. Comparisons with other work are unknown."),
    )


@WHY.sums(
    worded("{paid} of {name}", paid=LAYER["paid_gpu_hours_per_month"].title),
    LAYER["paid_gpu_hours_per_month"].unit,
    worded("Paid GPU-h = Σ over layers (GPUs × paid hours per month)"),
    PAID,
    2,
    said_as=writing.A_MONTH,
)
def layer_paid(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """GPU-hours that layers pay for a month, used or not."""
    plan, part, layers = evidence.plan(subject)
    rows = [
        trace.TraceRow(_name(layer), (layer.mean_gpus, layer.paid_hours, layer.paid_gpu_hours_per_month))
        for layer in layers
    ]
    return Listed(value=together(layers)["paid_gpu_hours_per_month"], rows=rows, name=row_name(plan, part))


@WHY.gives("layer_used")
def layer_used(evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """Share of the paid GPU-hours that demand fills."""
    plan, part, layers = evidence.plan(subject)
    if part == ALL:
        gpus = mean_paid_gpus(layers)
        row = _inputs(plan, part, {"busy_gpus": min(plan.demand.mean_gpus, gpus), "gpus": gpus})
        wanted = worded("mean GPUs of demand, at most those paid")
        labels = {"busy_gpus": wanted, "gpus": LAYER["mean_gpus"].name}
        is_of_months = all(layer.paid_hours == HOURS_PER_MONTH for layer in layers)  # of days: no sum of GPUs
        opens = {"gpus": trace.figure("layer_gpus", subject)} if is_of_months else {}
        return explained(LAYER, "utilization", replace(row, labels=labels, opens=opens))
    if len(layers) == 1:
        return explained(LAYER, "utilization", layer_inputs(plan, layers[0]))
    used = [layer.busy_gpus * layer.paid_hours for layer in layers]
    paid = [layer.gpus * layer.paid_hours for layer in layers]
    share = trace.Amount(used_of(layers), "share")
    top, bottom = (trace.Amount(sum(hours), "gpu_hours") for hours in (used, paid))
    return trace.listed(
        trace.titled(LAYER["utilization"], row_name(plan, part)),
        share.value,
        writing.SHARE,
        worded("Used = used ÷ paid GPU-hours; layers serve demand above lower layers"),
        [
            trace.TraceRow(_name(layer), (over, under, layer.utilization))
            for layer, over, under in zip(layers, used, paid, strict=True)
            if under
        ],
        HOURS,
        trace.Divides(0, 1),
        symbols=(top, " ÷ ", bottom, " = ", share),
    )


@WHY.gives("layer_rate")
def layer_rate(evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """$ per GPU-hour: of an offer, or the mean of several layers."""
    plan, part, layers = evidence.plan(subject)
    if part == ALL or len([layer for layer in layers if layer.mean_gpus]) > 1:
        return explained(LAYER, "mean_rate", _inputs(plan, part, together(layers)))
    of_terms = (term.offer_id for term in plan.break_even if str(term.term_months) == part)
    offer_id = next((layer.offer_id for layer in layers if layer.offer_id), None) or next(of_terms, None)
    rate = next((layer.rate for layer in layers), None)
    if rate is None and offer_id is not None:
        rate = next((offer.rate for offer in plan.supply.offers if offer.offer_id == offer_id), None)
    source = worded("offer {offer}", offer=offer_id) if offer_id else worded("its contracts, by GPU time")
    has_lost = bool(layers and layers[0].spot_share)
    is_there = layers and not has_lost and any(offer.offer_id == offer_id for offer in evidence.offers)
    return trace.read(
        worded("$ per GPU-h: {plan}", plan=row_name(plan, part)),
        rate,
        "rate",
        source,
        opens=trace.figure("offer_rate", offer_id) if offer_id and is_there else "",
        note=worded("Includes work lost on spot.") if has_lost else "",
    )


@WHY.gives("layer_usd")
def layer_usd(evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """$ a month of a row."""
    plan, part, layers = evidence.plan(subject)
    if len(layers) == 1 and part != ALL:
        return explained(LAYER, "cost_per_month", layer_inputs(plan, layers[0]))
    title = trace.titled(LAYER["cost_per_month"], row_name(plan, part))
    usd = known_sum(layer.cost_per_month for layer in layers) if layers else 0.0
    words = worded("Cost = Σ over layers (GPUs × rate × 730 h)")
    return trace.summed(title, usd, writing.MONEY_PER_MONTH, words, _rows(plan, layers, part), COLUMNS, 2)


@WHY.explains(TERM, "break_even", "compared_per_month", "one_gpu_per_month")
def of_term(evidence: PlanEvidence, scope: str, subject: str) -> Inputs:
    """What figures of one GPU of a term are worked out from."""
    plan, part, _ = evidence.plan(subject)
    return term_inputs(plan, next(term for term in plan.break_even if str(term.term_months) == part))


@WHY.gives("value")
def value(evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """What a layer saves beside paying its GPU-hours on demand. scope: on_demand, layer or value."""
    plan, part, _ = evidence.plan(subject)
    layers = [layer for layer in plan.layers if layer.value_per_month is not None]
    valued = [layer for layer in layers if part == ALL or str(plan.layers.index(layer)) == part]
    asked = LAYER[VALUES[scope]]
    if len(valued) == 1 and part != ALL:
        return explained(LAYER, asked.key, layer_inputs(plan, valued[0]))
    rows = [
        trace.TraceRow(
            layer_in_sentence(layer), (layer.on_demand_per_month, layer.cost_per_month, layer.value_per_month)
        )
        for layer in valued
    ]
    name = worded("all layers") if part == ALL else part
    return trace.summed(
        worded("{title}: {name}", title=asked.title, name=name),
        known_sum(getattr(layer, asked.key) for layer in valued),
        writing.MONEY_PER_MONTH,
        worded("{title} = Σ over layers", title=asked.title),
        rows,
        VALUE_COLUMNS,
        list(VALUES).index(scope),
    )


@WHY.explains(LAYER, "beside_on_demand")
def spot_instead(evidence: PlanEvidence, scope: str, subject: str) -> Inputs:
    """What spot changes in the spend of a row beside all of it on demand; below zero where it saves."""
    plan, _, (layer,) = evidence.plan(subject)
    return layer_inputs(plan, layer)


# The energy of layers, idle GPUs, pools and all

OF_LAYER = "layer"
IDLE = "idle"
"""The subject of existing GPUs that stand idle, as the report has it."""
DRAWN = worded(
    "GPUs in use draw the power of the pool's workloads on this model. Owned GPUs: own kW and PUE."
)


@WHY.gives_each({PLAN_ENERGY[key].why: PLAN_ENERGY[key] for key in ("kwh_per_month", "kg_co2_per_month")})
def of_plan_energy(asked: Figure, evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """kWh or CO2 of a plan (""), a pool or what stands idle; scope layer: of one, by its number."""
    energy = _energy(evidence)
    if scope == OF_LAYER:
        row = energy.layers[int(subject)]
        return explained(
            ENERGY, asked.key, Inputs(values=row.inputs, name=subject, title=_energy_name(row), note=DRAWN)
        )
    rows = [
        trace.TraceRow(
            _energy_name(row), (getattr(row, asked.key),), trace.figure(asked.why, str(number), OF_LAYER)
        )
        for number, row in enumerate(energy.layers)
        if not subject or str(row.pool or IDLE) == subject
    ]
    of_pools = (of for of in energy.by_pool if subject and str(of.pool or IDLE) == subject)
    amount = getattr(next(of_pools, energy), asked.key)
    words = worded("{title} = Σ over first-month layers and idle GPUs", title=asked.title)
    return trace.summed(asked.title, amount, asked.unit.key, words, rows, trace.unit_column(asked))


@WHY.gives("plan_energy_peak")
def peak(evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """The largest hour of twelve months, of the plan by what takes it, or of one pool."""
    energy, asked = _energy(evidence), PLAN_ENERGY["peak_kw"]
    if subject:
        of = next(row for row in energy.by_pool if str(row.pool or IDLE) == subject)
        words = worded("{title} = the pool's largest hour in 12 months", title=asked.title)
        rows = [trace.TraceRow(_pool_name(of.pool), (of.peak_kw,))]
        return trace.summed(asked.title, of.peak_kw, asked.unit.key, words, rows, trace.unit_column(asked))
    hour = energy.peak
    rows = [trace.TraceRow(_pool_name(pool), (kw,)) for pool, kw in ({} if hour is None else hour.kw).items()]
    words = worded("{title} = Σ over pools and idle existing GPUs in that hour", title=asked.title)
    note = (
        ""
        if hour is None
        else worded(
            "{month} of the plan, like lookback hour {hour}, with PUE.",
            month=capital(plan_month(hour.month)),
            hour=whole(hour.hour + 1),
        )
    )
    return trace.summed(
        asked.title, energy.peak_kw, asked.unit.key, words, rows, trace.unit_column(asked), note=note
    )


def _energy(evidence: PlanEvidence) -> result.PlanEnergy:
    return result.PlanEnergy() if evidence.advice is None else evidence.advice.energy


def _pool_name(pool: Pool | None) -> Text:
    return titles.IDLE if pool is None else POOL_TITLES[pool]


def _energy_name(row: result.EnergyOfLayer) -> Text:
    """Training H100, 12 months; Existing and idle, H100."""
    if row.layer is None or row.pool is None:
        return idle_words(row.gpu_model)
    return layer_of_pool(row.pool, row.gpu_model, layer_in_sentence(row.layer))
