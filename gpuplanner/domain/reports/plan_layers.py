"""The layers of a plan, what terms break even at, existing GPUs that idle, and the totals of them."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Final

from gpuplanner.domain.commitment import term_mix
from gpuplanner.domain.commitment.plan.layers import idle_dollars, layer_dollars, layer_key
from gpuplanner.domain.commitment.plan.totals import cost_sum, is_priced_layer, missing_rates, plan_sum
from gpuplanner.domain.commitment.result import Advice, BreakEven, Layer, Order, PoolPlan, Totals
from gpuplanner.domain.commitment.words.layers import BY_USE_NAMES
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.card import CARD
from gpuplanner.domain.figures.cash import OWED
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.layer import LAYER, TERM
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.typed import decimals, significant, worded_whole
from gpuplanner.domain.figures.window import WINDOW
from gpuplanner.domain.figures.writing import NO_RATE, QUOTE_NEEDED
from gpuplanner.domain.message import Message, Text, capital, joined, worded
from gpuplanner.domain.model.amounts import PartSum, part_sum
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.extras import EXTRA_TITLES, extras_sum
from gpuplanner.domain.model.tables import POOL_TITLES, Pool, PricingCategory
from gpuplanner.domain.reports import report
from gpuplanner.lazy_dataclass import dataclass, replace

SHOWN: Final = report.WINDOW | report.TERMINAL | report.SHEET
READ: Final = SHOWN | report.DOCUMENT_ALONE

# --- The layers of a plan's row, what each term would break even at, and existing GPUs that stand idle


def _offer_id(row: Layer | BreakEven) -> str:
    return row.offer_id or ""


def _extras(row: Totals) -> report.Entry | None:
    """Each extra that is in the plan's total, 0 of those that nobody states; None where the total is unknown."""
    return None if row.plan is None else dict.fromkeys(EXTRA_TITLES, 0.0) | dict(row.extras)


def _bare_rate(row: Layer) -> float | None:
    """Without extras."""
    return None if row.rate is None else row.rate - extras_sum(dict(row.extras))


LAYERS: Final = report.Report(
    title=worded("First-month layers, from the base up"),
    rows=attrgetter("layers"),
    key=_offer_id,
    adds_up=True,
).with_columns(
    report.named("existing"),
    report.named("pricing_category", "pricing_category.value"),
    report.Column(figure=LAYER["term_months"]),
    report.text("offer_id", worded("Offer"), media=report.DOCUMENT_ALONE | report.SHEET),
    report.Column(figure=LAYER["gpus"]),
    report.Column(figure=LAYER["rate"], media=report.EVERYWHERE - report.DOCUMENT_ALONE),
    report.named(LAYER["rate"], _bare_rate),
    report.named("all_in_rate_usd_per_gpu_hour", "rate"),
    report.Column(figure=LAYER["busy_gpus"], media=report.SHEET),
    *report.of_subject(LAYER, "utilization", "cost_per_month", media=report.EVERYWHERE),
    *report.of_subject(LAYER, "unused_per_month", "bound", media=report.SHEET),
    report.named("spot_share"),
    report.named(LAYER["value_per_month"]),
    report.named("offer_gpu_model"),
    report.named("offer_gpus"),
    report.named("offer_rate_usd_per_gpu_hour", "offer_rate"),  # of its own model, as a signature shows it
)
"""About a pool and GPU model; rows are its layers."""

TERMS: Final = report.Report(
    title=worded("Break-evens"), rows=attrgetter("break_even"), key=_offer_id, adds_up=True
).with_columns(
    report.Column(figure=LAYER["term_months"]),
    report.named("offer_id"),
    report.Column(figure=TERM["break_even"]),
)
"""About a pool and GPU model; rows are the terms that it can be served by."""

IDLE: Final = report.Report(
    title=worded("Existing and idle"),
    rows=attrgetter("idle_existing"),
    key=lambda row: row.gpu_model or "",
    adds_up=True,
).with_columns(
    report.Column(key="gpu_model"),
    report.Column(figure=LAYER["gpus"]),
    report.Column(figure=LAYER["cost_per_month"]),
)
"""About a plan; rows are GPU models of existing contracts that serve nothing in part."""


# --- The layers of a whole plan, by pool and GPU model, and existing GPUs that stand idle: together the plan

LISTED_IN_BRIEF: Final = 11
IDLE_AT_LEAST: Final = 1e-9
"""GPUs that stand idle by a trifle of rounding are none."""
BY_USE: Final = {
    PricingCategory.DYNAMIC: worded("Spot"),
    PricingCategory.MIXED: capital(worded("on demand and spot")),
}
"""What is paid by use, where it is not on demand alone."""
EXISTING: Final = worded("Existing contracts")
EXISTING_SHORTLY: Final = worded("Existing")
EXISTING_IN_SENTENCE: Final = worded("existing")
EXISTING_IDLE: Final = worded("Existing contracts, idle")
NO_PRICE: Final = worded("No price yet")
"""Names of layers without a term; every medium takes them from here."""
UNKNOWN_MODEL: Final = worded("unknown model")


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerRow:
    """A layer as it is read, or idle GPUs.

    whole_cost: $ a month as the plan's whole dollars have them. place: among all rows by exact $ a month, the most
    expensive first. in_offer: GPUs of the model that serves it, where that is another.
    """

    pool: Text
    gpu_model: str | None
    layer: Text
    mean_gpus: float
    gpus: float | None
    utilization: float | None
    rate: float | None
    whole_cost: int | None
    cost_per_month: float | None
    place: int = 0
    in_offer: tuple[Message, ...] = ()
    is_idle: bool = False
    is_existing: bool = False


@dataclass(frozen=True, slots=True)
class LayersTotal:
    """A row that stands for several."""

    pool: Text
    cost_per_month: PartSum
    gpu_model: Text = ""
    layer: Text = ""


def by_use_words(category: PricingCategory) -> Text:
    """How a layer without a term is paid: On demand, Spot, or both."""
    return BY_USE.get(category, titles.ON_DEMAND)


def layer_words(layer: Layer, *, is_short: bool = False) -> Text:
    """What a layer is called: existing, its term, or how it is paid by use. is_short: for narrow places."""
    if not is_priced_layer(layer):
        return NO_PRICE
    if layer.existing:
        return EXISTING_SHORTLY if is_short else EXISTING
    months = layer.term_months
    if months:
        term = term_words(months, layer.term_days)
        return owned_words(term) if layer.pricing_category is PricingCategory.OWNED else term
    return by_use_words(layer.pricing_category)


def layer_in_sentence(layer: Layer) -> Text:
    """The same within a sentence: existing, 12 months, on demand."""
    if layer.existing:
        return EXISTING_IN_SENTENCE
    if layer.term_months:
        return term_words(layer.term_months, layer.term_days)
    return BY_USE_NAMES.get(layer.pricing_category, BY_USE_NAMES[PricingCategory.STANDARD])


def owned_words(term: Text) -> Text:
    """`48 months, owned`: what a term of GPUs that are bought to own is called."""
    return joined((term, worded("owned")), ", ")


def pool_words(plan: PoolPlan) -> Message:
    """`Inference H100`: a pool and GPU model."""
    return worded("{pool} {model}", pool=POOL_TITLES[plan.pool], model=plan.gpu_model or UNKNOWN_MODEL)


def layer_of_pool(pool: Pool, gpu_model: str | None, layer: Text) -> Message:
    """`Inference H100, 12 months`: a layer among those of all pools. layer: as within a sentence."""
    model = gpu_model or UNKNOWN_MODEL
    return worded("{pool} {model}, {row}", pool=POOL_TITLES[pool], model=model, row=layer)


def idle_words(gpu_model: str | None) -> Message:
    """`Existing and idle, H100`: GPUs of existing contracts that serve nothing, among layers of all pools."""
    return worded("Existing and idle, {model}", model=gpu_model or UNKNOWN_MODEL)


def in_offer(gpu_model: str | None, bought: Layer | Order) -> tuple[Message, ...]:
    """`5 H200`, where another model than the row's serves a layer or an order; else nothing."""
    model, gpus = bought.offer_gpu_model, bought.offer_gpus
    if gpus is None or model is None or gpu_model in (None, model):
        return ()
    return (joined((significant(round(gpus, 1), 9), model), " "),)


def list_layer_rows(advice: Advice) -> list[LayerRow]:
    """Layers from the bottom, row by row of the plan, then existing GPUs that stand idle."""
    whole = layer_dollars(advice)
    rows = [
        LayerRow(
            pool=POOL_TITLES[plan.pool],
            gpu_model=plan.gpu_model,
            layer=layer_words(layer),
            mean_gpus=layer.mean_gpus,
            gpus=layer.gpus,
            utilization=layer.utilization if is_priced_layer(layer) else None,
            rate=layer.rate,
            whole_cost=whole[layer_key(plan, layer)],
            cost_per_month=layer.cost_per_month,
            in_offer=in_offer(plan.gpu_model, layer),
            is_existing=layer.existing,
        )
        for plan in advice.pools
        for layer in plan.layers
        if layer.gpus > 0
    ]
    rows += [
        LayerRow(
            pool=titles.IDLE,
            gpu_model=idle.gpu_model,
            layer=EXISTING_IDLE,
            mean_gpus=idle.gpus,
            gpus=None,
            utilization=None,
            rate=None,
            whole_cost=whole_idle,
            cost_per_month=idle.cost_per_month,
            is_idle=True,
        )
        for idle, whole_idle in zip(advice.idle_existing, idle_dollars(advice), strict=True)
        if idle.gpus > IDLE_AT_LEAST
    ]
    by_cost = sorted(range(len(rows)), key=lambda at: (-(rows[at].cost_per_month or 0.0), at))
    places = {at: place for place, at in enumerate(by_cost)}
    return [replace(row, place=places[at]) for at, row in enumerate(rows)]


def _rest(left: Sequence[LayerRow]) -> LayersTotal:
    """The row for layers that a medium has no room for."""
    name = worded_whole(len(left), "{count} smaller layer", "{count} smaller layers")
    return LayersTotal(name, part_sum((row.layer, row.whole_cost) for row in left))


def _peak(row: LayerRow) -> Text | None:
    """GPUs of the row's model; where another model serves them, also how many of it: `9.0 = 5 H200`."""
    return None if row.gpus is None else joined((decimals(row.gpus), *row.in_offer), " = ")


def _no_rate(row: LayerRow) -> report.Unknown:
    """Idle GPUs cost what their contracts do together; a contract lacks its rate, and what is bought needs a quote."""
    if row.is_idle:
        return report.Unknown("")
    of_contract, of_offer = (OWED["owed"].unknown, NO_RATE), (LAYER["rate"].unknown, QUOTE_NEEDED)
    why, words = of_contract if row.is_existing else of_offer
    return report.Unknown(why, str(words))


PLAN_LAYERS: Final = report.Report(
    title=worded("Layers"),
    rows=list_layer_rows,
    key=lambda row: "\t".join((str(row.pool), row.gpu_model or "", str(row.layer))),
    # whether the brief does not list it: those that it lists stay in the plan's order, before the others
    order={report.Medium.BRIEF: lambda row: row.place >= LISTED_IN_BRIEF},
    limits={report.Medium.BRIEF: LISTED_IN_BRIEF},
    rest=_rest,
    total=lambda advice: LayersTotal(titles.THE_PLAN, plan_sum(advice)),
    media=report.TERMINAL | report.BRIEF,
).with_columns(
    report.text("pool", worded("Pool")),
    report.text("gpu_model", worded("GPU model"), lambda row: row.gpu_model or worded("unknown")),
    report.text("layer", worded("Layer")),
    report.Column(
        figure=LAYER["mean_gpus"], media=report.TERMINAL, value=lambda row: joined((decimals(row.mean_gpus),))
    ),
    report.Column(figure=LAYER["mean_gpus"], media=report.BRIEF),
    report.Column(figure=LAYER["gpus"], media=report.TERMINAL, value=_peak),
    report.Column(figure=LAYER["utilization"]),
    report.Column(figure=LAYER["rate"], unknown=_no_rate),
    report.Column(figure=LAYER["cost_per_month"], value="whole_cost"),
)
"""About a plan. The panel Duration shows one row of it as a form of levels to set, which is no report."""


# --- The term that matches each workload, and each class by how it is paid


def _term_matches(of: Evaluation) -> list[term_mix.TermMatch]:
    pools = {card.key: card.pool for card in of.figures.whole_cards}
    return term_mix.term_matches(of.past, of.audit.unknown_contracts, of.advised, of.plan, pools)


def _mix_rows(of: Evaluation) -> list[term_mix.MixRow]:
    return term_mix.mix_rows(of.past, of.audit.unknown_contracts, of.advised)


def _matching(row: term_mix.TermMatch) -> Text | None:
    """On demand, or months."""
    months = row.matching_term_months
    if months is None:
        return None
    return term_words(months) if months else titles.ON_DEMAND


LISTED_IN_TERMINAL: Final = 20
_DECIMAL: Final = replace(writing.MONTHS, key="decimal")
OF_TERM: Final = (
    Figure(key="present_days", title=worded("Days present"), unit=writing.DAYS, why="present_days"),
    Figure(
        key="median_run_hours", title=worded("Median run"), unit=writing.RUN_HOURS, why="median_run_hours"
    ),
    Figure(
        key="committed_months_left", title=worded("Committed for"), unit=_DECIMAL, why="committed_months_left"
    ),
)
TERM_MATCH: Final = report.Report(
    title=worded("Length of work and commitments"),
    rows=_term_matches,
    limits={report.Medium.TERMINAL: LISTED_IN_TERMINAL},
    note=worded(
        "A term over one month needs demand on 10 days per month of term, at most on 45 days. Every term needs "
        "demand in at least its break-even share of hours."
    ),
    media=READ,
).with_columns(
    report.named("key"),
    report.text("name", worded("Workload"), media=SHOWN, form="name", tip=attrgetter("key")),
    report.Column(figure=replace(CARD["cost_today"], json="usd_per_month"), value="usd_per_month"),
    *(report.Column(figure=figure) for figure in OF_TERM),
    report.named("matching_term_months"),
    report.text("term", worded("Matching term"), _matching, SHOWN),
)
CATEGORIES: Final = {"spot": worded("Spot"), "reserved": worded("Reserved"), "on_demand": titles.ON_DEMAND}
OF_MIX: Final = tuple(
    Figure(key=f"{key}_{time}", title=title, unit=unit, why=f"mix_{key}_{time}")
    for time, title in (("now", worded("Today")), ("plan", worded("Plan")))
    for key, unit in (("gpu_hours", writing.GPU_HOURS_PER_MONTH), ("usd", writing.MONEY_PER_MONTH))
)
MIX: Final = report.Report(
    title=worded("Spot, reserved and on demand by class"),
    rows=_mix_rows,
    key=lambda row: f"{row.pool or ''}\t{row.category}",
    note=worded("Per 730-h month, idle contracts last. Plans list work by pool."),
    media=READ,
).with_columns(
    report.named("class", "pool"),
    report.named("category"),
    report.text("pool", worded("Class"), lambda row: POOL_TITLES.get(row.pool, titles.IDLE), SHOWN, "name"),
    report.text("paid_as", worded("Paid as"), lambda row: CATEGORIES[row.category], SHOWN),
    *(report.Column(figure=figure) for figure in OF_MIX),
)
HOW_BOUGHT: Final = {"term_match": TERM_MATCH, "mix": MIX}
"""Of an evaluation with its advice; they have a sheet of their own."""


# --- The totals of a plan as documents have them: those of the plan, and those of today beside which they stand

OF_EXTRAS: Final = report.fields(*EXTRA_TITLES)
TOTALS: Final = report.fields(
    report.named(WINDOW["spend"], "today"),
    *report.of_subject(PLAN, "do_nothing", "plan", "savings", "savings_percent", "savings_vs_do_nothing"),
    *report.of_subject(PLAN, "on_demand_equivalent", "effective_savings_rate"),
    report.named(WINDOW["effective_utilization"], "effective_utilization_now"),
    PLAN["effective_utilization_plan"],
    report.named(WINDOW["unused_per_month"], "unused_now"),
    report.named("unused_plan_usd_per_month", "unused_plan"),
    "lock_in_now_months",
    *report.of_subject(PLAN, "lock_in_months", "cost_of_separation"),
    report.named("cost_of_separation_year_usd", "cost_of_separation_year"),
    report.named("liability_now_usd", "liability_now"),
    ORDER["liability"],
    report.named("due_at_once_now_usd", "due_at_once_now"),
    report.named("extras_usd_per_month", _extras, holds=OF_EXTRAS),
    report.each("gpus_to_sign", report.fields(report.named("pool", "pool.value"), "gpu_model", "gpus")),
)


def totals_entry(totals: Totals) -> report.Entry:
    """All totals by their names in documents; None is unknown. Units: those of Totals."""
    return report.entry(TOTALS, totals)


def _known(cost: str) -> Callable[[Advice], float | None]:
    """What a cost is at least; None where nothing of it is known."""
    return lambda advice: cost_sum(advice, cost).written


AT_LEAST: Final = report.fields(
    report.named(WINDOW["spend"], _known("today")),
    report.named(PLAN["do_nothing"], _known("do_nothing")),
    report.named(PLAN["plan"], _known("plan")),
    report.named(WINDOW["unused_per_month"], _known("unused_now")),
    report.named("unused_plan_usd_per_month", _known("unused_plan")),
    report.named("liability_now_usd", _known("liability_now")),
    report.named(ORDER["liability"], _known("liability")),
    report.named("missing", missing_rates),
)
"""Of an advice: what is known of costs where a rate is missing, named as among the totals."""


def at_least_entry(advice: Advice) -> report.Entry | None:
    """What costs come to at least, and of what a rate is missing; None where none is. $ a month, liabilities in all."""
    return report.entry(AT_LEAST, advice) if advice.at_least else None
