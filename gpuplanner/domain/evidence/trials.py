"""Answers about trials of a plan and plans side by side: other prices, limits, backtest; the table of all answers."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.commitment.advice_backtest import HINDSIGHT, WAY_NAMES, Backtest, Variant, caveat_of
from gpuplanner.domain.commitment.outlook_result import PathCost
from gpuplanner.domain.commitment.plan.comparison import busy_usd
from gpuplanner.domain.commitment.result import Layer
from gpuplanner.domain.commitment.uncertainty.flips import CasePlan
from gpuplanner.domain.commitment.uncertainty.limit_costs import ProviderPlan
from gpuplanner.domain.commitment.words.price_paths import PATH_NAMES, PATH_WHERE, WAYS, worst_regret
from gpuplanner.domain.evidence import cards, inputs, layers, orders, totals, trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed, explained
from gpuplanner.domain.evidence.layers import ComparisonEvidence, PlanEvidence, SideEvidence, paid_as
from gpuplanner.domain.evidence.trace import Amount, Trace, TraceColumn, TraceRow, figure, less, summed
from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.plan import LIMIT, ONE_PROVIDER, PATH, PLAN, STEP
from gpuplanner.domain.figures.typed import day, whole
from gpuplanner.domain.message import Message, Text, capital, joined, lowered, worded
from gpuplanner.domain.model.book.contract import terms_words
from gpuplanner.domain.model.book.offer import PriceCase, without_own_rate
from gpuplanner.domain.model.book.price_book import CATEGORY_WORDS
from gpuplanner.domain.model.tables import POOL_TITLES, Pool, PricingCategory
from gpuplanner.lazy_dataclass import replace

WHY: Final = Answers[PlanEvidence]()

# The plan at low, mid and high rates

BY_USE: Final = {**CATEGORY_WORDS, PricingCategory.MIXED: worded("on demand and spot")}
OF_LAYERS = (trace.GPUS, trace.MONEY)


def _case(evidence: PlanEvidence, scope: str) -> CasePlan:
    return next(case for case in evidence.cases if case.case.value == scope)


def layer_subject(pool: str, gpu_model: str | None, term_months: int) -> str:
    """What tells new commitments of one pool, model and term."""
    return f"{pool}\t{gpu_model or ''}\t{term_months}"


@WHY.sums(
    worded("The plan at {name} rates"),
    writing.MONEY_PER_MONTH,
    orders.OF_PLAN,
    OF_LAYERS,
    1,
    note=worded("Recalculated at these rates. On-demand GPUs are hourly means."),
)
def case_plan(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """What the plan costs in a case: layer by layer, and existing GPUs that stand idle."""
    case, rows = _case(evidence, scope), []
    for plan in case.advice.pools if case.advice is not None else ():
        for layer in filter(lambda layer: layer.gpus, plan.layers):
            by_use = worded("on demand, {by_use}", by_use=BY_USE.get(layer.pricing_category, ""))
            name = worded(
                "{words} {model}, {layer}",
                words=POOL_TITLES[plan.pool],
                model=plan.gpu_model or worded("unknown model"),
                layer=paid_as(layer, by_use),
            )
            rows.append(trace.TraceRow(name, (layer.mean_gpus, layer.cost_per_month)))
    for idle in case.advice.idle_existing if case.advice is not None else ():
        name = worded("Idle existing: {model}", model=idle.gpu_model or worded("unknown model"))
        rows.append(trace.TraceRow(name, (idle.gpus, idle.cost_per_month)))
    return Listed(value=case.plan_usd_per_month, rows=rows, name=scope)


@WHY.sums(
    worded("Do nothing at {name} rates"),
    writing.MONEY_PER_MONTH,
    worded("Do nothing = existing contracts + remaining demand on demand"),
)
def case_nothing(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """What doing nothing costs in a case: contracts that run on, and what they leave over by use."""
    case = _case(evidence, scope)
    contracts = totals.running_contracts(evidence, 0, all_of_them=True)
    rows = [] if case.advice is None else totals.nothing_rows(evidence, contracts, case.advice.comparison[0])
    return Listed(value=case.do_nothing_usd_per_month, rows=rows, name=scope)


@WHY.explains(PLAN, case_saved="savings_vs_do_nothing")
def case_saved(evidence: PlanEvidence, scope: str, subject: str) -> Inputs:
    """What the plan saves in a case."""
    case, title = _case(evidence, scope), worded("the plan at {scope} rates", scope=scope)
    values = {"do_nothing": case.do_nothing_usd_per_month, "plan": case.plan_usd_per_month}
    named = {"do_nothing": "case_nothing", "plan": "case_plan"}
    opens = {key: trace.figure(kind, "", scope) for key, kind in named.items()}
    return Inputs(values=values, name="", title=title, opens=opens, note=worded("Both are at these rates."))


@WHY.gives("case_at_mid")
def case_at_mid(evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """How many offers state no rate of their own for a case."""
    case = _case(evidence, scope)
    at_mid, priced = trace.Amount(case.at_mid, "count"), trace.Amount(case.priced_offers, "count")
    return trace.listed(
        worded("Offers counted at mid in the {scope} case", scope=scope),
        case.at_mid,
        "count",
        worded("Offers without a {scope} rate, counted at mid", scope=scope),
        [
            trace.TraceRow(offer.offer_id, (offer.rate,))
            for offer in without_own_rate(evidence.project.offers, PriceCase(scope))
        ],
        (trace.TraceColumn(trace.TITLES["rate"], "rate"),),
        trace.Counts(),
        said_as=worded("of {priced_offers} with a rate", priced_offers=whole(case.priced_offers)),
        symbols=(at_mid, worded(" of "), priced),
    )


@WHY.gives("case_layer")
def case_layer(evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """GPUs of new commitments of one pool, model and term in a case."""
    case = _case(evidence, scope)
    pool, model, term = subject.split("\t")
    layers = [
        layer
        for plan in (case.advice.pools if case.advice is not None else ())
        for layer in plan.layers
        if plan.pool == pool and (plan.gpu_model or "") == model
        if not layer.existing and layer.term_months == int(term)
    ]
    sold_as = {(layer.term_months or 0, layer.term_days) for layer in layers}
    return trace.summed(
        worded(
            "{pool} {model}, {term}, at {scope} rates",
            pool=POOL_TITLES[Pool(pool)],
            model=model or worded("unknown model"),
            term=terms_words(sold_as or {(int(term), None)}),
            scope=scope,
        ),
        float(sum(layer.gpus for layer in layers)),
        "gpus",
        worded("GPUs used so much that this term beats every shorter one at these rates"),
        [
            trace.TraceRow(layer.offer_id or worded("no offer"), (layer.gpus, layer.cost_per_month))
            for layer in layers
        ],
        OF_LAYERS,
        note="" if layers else worded("This term is not bought at these rates."),
    )


# Paths of prices


@WHY.gives("path_usd")
def path_usd(evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """What a way to sign costs on a path. scope: the path; subject: the way, a field of PathCost."""
    cost = _path(evidence, scope)
    rows = [trace.TraceRow(worded("Existing contracts, paid in any case"), (cost.contracts_usd,))]
    for row in cost.rows:
        model = row.gpu_model or worded("unknown model")
        name = worded("{pool}, {model}", pool=POOL_TITLES[row.pool], model=model)
        rows.append(trace.TraceRow(name, (getattr(row, subject),)))
    return trace.summed(
        worded("{way}, prices: {path}", way=WAYS[subject], path=PATH_NAMES[scope]),
        getattr(cost, subject),
        "usd",
        worded(
            (
                "Expected $ = contracts + each pool's current orders, then the policy with known prices, "
                "{where}"
            ),
            where=PATH_WHERE[scope],
        ),
        rows,
        (trace.TraceColumn(worded("$ in all"), "usd"),),
        said_as=PATH["expected"].unit.per,
    )


@WHY.explains(PATH, "regret")
def path_wrong(evidence: PlanEvidence, scope: str, subject: str) -> Inputs:
    """How wrong a way to sign is at worst. subject: the way, a field of PathCost."""
    worst = worst_regret(evidence.outlook.price_paths, subject)
    if worst is None:
        raise KeyError(subject)
    _, path = worst
    cost = _path(evidence, path)
    return Inputs(
        values={"expected": getattr(cost, subject), "least_expected": cost.best_usd},
        name=subject,
        title=worded("{way}, prices: {path}", way=WAYS[subject], path=PATH_NAMES[path]),
        opens={"expected": trace.figure("path_usd", subject, path)},
        note=worded("Its worst path."),
    )


def _path(evidence: PlanEvidence, name: str) -> PathCost:
    """Errors: StopIteration where the paths are not worked out."""
    return next(path for path in evidence.outlook.price_paths if path.path == name)


# One provider alone, and limits


def _alone(evidence: PlanEvidence, provider: str) -> ProviderPlan:
    return next(plan for plan in evidence.alone if plan.provider == provider)


@WHY.sums(
    worded("Twelve months with {name} alone"),
    ONE_PROVIDER["alone_year"].unit,
    worded("Contracts + its orders and on demand + planned cost of GPUs it does not sell"),
)
def alone_year(evidence: PlanEvidence, scope: str, provider: str) -> Listed:
    """Its twelve months: contracts that run on, orders and use of this provider, and what it does not sell."""
    plan = _alone(evidence, provider)
    rows = [trace.TraceRow(name, (usd,)) for name, usd in plan.year_parts]
    return Listed(value=plan.alone_year, rows=rows, name=provider)


@WHY.explains(ONE_PROVIDER, "beside_plan")
def beside_plan(evidence: PlanEvidence, scope: str, provider: str) -> Inputs:
    """The year with one provider less the year of the plan."""
    plan = _alone(evidence, provider)
    return Inputs(values={"alone_year": plan.alone_year, "plan_year": plan.plan_year}, name=provider)


@WHY.gives_each({LIMIT[key].why: LIMIT[key] for key in ("limit_cost", "limit_cost_in_year")})
def of_limit(cost: Figure, evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """What a limit costs, a month or in twelve; subject: the limit in words, in either case.

    Errors: StopIteration where no such limit is set, or what it costs is not worked out yet.
    """
    limits = evidence.outlook.limits
    cost_row = next(row for row in limits if str(row.limit.words).casefold() == subject.casefold())
    note = joined(filter(None, (cost_row.why, cost.note)), ". ") if cost_row.why else ""
    opens = {"plan": trace.figure("plan_usd")}
    return explained(
        LIMIT,
        cost.key,
        Inputs(values=cost_row.inputs, name=subject, title=cost_row.limit.words, opens=opens, note=note),
    )


# The backtest

OF_MONTH = (trace.TraceColumn(worded("$ of\nthe month"), "usd"),)
OVER = worded("Over hindsight = paid ÷ paid with hindsight − 1")


def _paid(
    evidence: PlanEvidence, name: Text, value: trace.Number, months: Sequence[trace.Number]
) -> trace.Trace:
    """A sum over months, one row each; no month without a backtest."""
    folds = evidence.backtest.folds if evidence.backtest is not None else ()
    rows = [
        trace.TraceRow(worded("Month from {paid_for}", paid_for=day(fold.paid_for[0])), (usd,))
        for fold, usd in zip(folds, months, strict=True)
    ]
    words = worded("Paid = Σ over 730-h months (orders so far + remaining demand at its rate)")
    said_as = worded("in all months")
    return trace.summed(worded("Paid: {way}", way=name), value, "usd", words, rows, OF_MONTH, said_as=said_as)


def _backtest(evidence: PlanEvidence) -> Backtest:
    assert evidence.backtest is not None
    return evidence.backtest


@WHY.gives("way_paid")
def way_paid(evidence: PlanEvidence, scope: str, key: str) -> trace.Trace:
    """What one way of buying paid."""
    backtest = _backtest(evidence)
    return _paid(evidence, WAY_NAMES[key], backtest.totals[key], [fold.usd[key] for fold in backtest.folds])


@WHY.gives("way_over")
def way_over(evidence: PlanEvidence, scope: str, key: str) -> trace.Trace:
    """How far a way of buying is above knowing everything."""
    backtest = _backtest(evidence)
    usd, best = backtest.totals[key], backtest.totals[HINDSIGHT]
    share = backtest.over_hindsight(usd)
    itself = (best, None if share is None else -1.0)
    rows = [
        trace.TraceRow(worded("Paid ÷ hindsight"), (usd, share), trace.figure("way_paid", key)),
        trace.TraceRow(trace.minus(worded("hindsight itself")), itself, trace.figure("way_paid", HINDSIGHT)),
    ]
    return trace.summed(
        worded("{way}, over hindsight", way=WAY_NAMES[key]),
        None if share is None else share - 1,
        "share",
        worded("{formula}. {caveat}", formula=OVER, caveat=caveat_of(backtest)),
        rows,
        (trace.TraceColumn("$", "usd"), trace.TraceColumn(worded("Share"), "share")),
        1,
    )


def _variant(evidence: PlanEvidence, name: str) -> Variant:
    return next(variant for variant in evidence.variants if variant.name == name)


@WHY.gives("variant_paid")
def variant_paid(evidence: PlanEvidence, scope: str, name: str) -> trace.Trace:
    """What the advice with another setting would have paid."""
    variant = _variant(evidence, name)
    return _paid(evidence, variant.title, variant.usd, variant.by_month)


@WHY.sums(
    "",
    writing.MONEY,
    worded("Difference = paid with this setting − with the current one"),
    (trace.TraceColumn("$", "usd"),),
)
def variant_beside(evidence: PlanEvidence, scope: str, name: str) -> Listed:
    """What a setting would have changed."""
    variant, as_set = _variant(evidence, name), next(row for row in evidence.variants if row.is_as_set)
    taken = trace.less(as_set.usd)
    less = trace.minus(as_set.title)
    rows = [
        trace.TraceRow(variant.title, (variant.usd,), trace.figure("variant_paid", name)),
        trace.TraceRow(less, (taken,), trace.figure("variant_paid", as_set.name)),
    ]
    return Listed(
        value=None if variant.usd is None or taken is None else variant.usd + taken,
        rows=rows,
        name=variant.title,
    )


MOST_USD: Final = 3
"""$ by which a figure can be off its own sum: what is rounded away of the figures beside it."""
WHOLE: Final = worded("Rounded to add up; may be off by 2.")
ANSWERS: Final = Answers[PlanEvidence](layers.WHY | orders.WHY | cards.WHY | inputs.WHY | WHY | totals.WHY)


def answer(evidence: PlanEvidence, figure_id: str) -> Trace:
    """Why a figure of a plan is what it is. Errors: KeyError, StopIteration for a kind or thing that there is not."""
    return as_written(ANSWERS.answer(evidence, figure_id), evidence.whole_usd.get(figure_id))


def as_written(trace: Trace, written: int | None) -> Trace:
    """A trace at the whole dollars that its figure is written in, where it is (None: it is not)."""
    if written is None or trace.value is None or abs(written - trace.value) > MOST_USD:
        return trace  # nothing to say, or advice of another moment
    is_other = written != round(trace.value)
    note = joined(filter(None, (trace.note, WHOLE if is_other else "")), " ")
    value = trace.value
    symbols = tuple(
        Amount(written, part.unit) if isinstance(part, Amount) and part.value == value else part
        for part in trace.symbols
    )
    return replace(trace, value=written, symbols=symbols, note=note)


# --- Plans side by side: differences, what a change is worth, steps from today; scope: a plan's place

OF_COMPARISON: Final = Answers[ComparisonEvidence]()
UNUSED_NOW, OTHER, UNUSED_PLAN = "unused_now", "other", "unused_plan"
"""Steps from today to a plan that are no pool's."""
POINTS = worded("percentage points")
POINTS_COLUMN = capital(worded("percentage points"))
HEADINGS: dict[str, Text] = {"per month": worded("Per month"), "months": worded("Months")}
"""What a figure is said as -> the heading of its column."""


def in_plan(at: int | str, figure_id: str) -> str:
    """The figure of one of the plans that are compared: at its place, a figure as it has answers alone."""
    return figure("in_plan", figure_id, str(at))


def less_first(at: int, figure_id: str) -> str:
    """What a figure of a plan is more or less than that of the first one."""
    return figure("less_first", figure_id, str(at))


@OF_COMPARISON.gives("in_plan")
def of_plan(evidence: ComparisonEvidence, scope: str, figure_id: str) -> Trace:
    """A figure of one plan, as that plan answers for it; its rows stay in the same plan."""
    side = evidence.side(scope)
    alone = answer(side.plan, figure_id)

    def led(opens: str) -> str:
        return in_plan(scope, opens) if trace.parts_of(opens)[0] in ANSWERS else opens

    return replace(
        alone,
        title=worded("{plan}: {figure}", plan=side.plan.scenario, figure=alone.title),
        rows=tuple(replace(row, opens=led(row.opens)) for row in alone.rows),
        more=tuple((words, led(opens)) for words, opens in alone.more),
    )


@OF_COMPARISON.gives("less_first")
def difference(evidence: ComparisonEvidence, scope: str, figure_id: str) -> Trace:
    """A figure of a plan less the same one of the first plan, both as they are written."""
    first, other = of_plan(evidence, "0", figure_id), of_plan(evidence, scope, figure_id)
    is_share = other.unit == "share"
    decimals = 1 if is_share or other.unit == "decimal" else 0
    unit: writing.WrittenAs = "usd" if other.unit == "usd" else "exact"
    before, after = (
        None if answered.value is None else round((100 if is_share else 1) * answered.value, decimals)
        for answered in (first, other)
    )
    names = [evidence.side(place).plan.scenario for place in ("0", scope)]
    rows = (
        TraceRow(names[1], (after,), in_plan(scope, figure_id)),
        TraceRow(trace.minus(names[0]), (less(before),), in_plan(0, figure_id)),
    )
    title = answer(evidence.side(scope).plan, figure_id).title
    heading = HEADINGS.get(str(other.said_as), str(other.said_as).capitalize())
    columns = () if unit == "usd" else (TraceColumn(POINTS_COLUMN if is_share else heading, "exact"),)
    return summed(
        worded("{figure}: {plan} less {first}", figure=title, plan=names[1], first=names[0]),
        None if before is None or after is None else round(after - before, decimals),
        unit,
        worded("Difference = one plan's figure − the other's, as written"),
        rows,
        columns,
        said_as=POINTS if is_share else other.said_as,
    )


@OF_COMPARISON.gives("change_worth")
def worth(evidence: ComparisonEvidence, scope: str, step: str) -> Trace:
    """What one change is worth: the plan with it and all changes above it, less the plan with those alone."""
    changes, at = evidence.way(scope), int(step)
    change = changes[at]
    step_of = {"step": whole(at + 1), "steps": whole(len(changes))}
    row = Inputs(
        values={"plan_before": change.worth.plan_before, "plan_after": change.worth.plan_after},
        name=step,
        title=worded("{change}, step {step} of {steps}", change=change.name, **step_of),
        scope=scope,
        opens={
            "plan_before": figure("change_worth", str(at - 1), scope) if at else in_plan(0, "plan_usd::"),
            "plan_after": in_plan(scope, "plan_usd::") if at == len(changes) - 1 else "",
        },
        note=worded(
            "From {first} to {plan}. Each step includes the changes above; in another order, only the sum is "
            "the same.",
            first=evidence.side("0").plan.scenario,
            plan=evidence.side(scope).plan.scenario,
        ),
    )
    return as_written(explained(STEP, "worth_per_month", row), change.whole_usd)


@OF_COMPARISON.sums(
    worded("GPU-hours of {name}"),
    "gpu_hours",
    worded("GPU-hours per month = Σ over moved workloads"),
    said_as=writing.A_MONTH,
)
def moved_hours(evidence: ComparisonEvidence, scope: str, step: str) -> Listed:
    """GPU-hours a month of the workloads that a change moves."""
    change = evidence.way(scope)[int(step)]
    rows = [
        TraceRow(change.names[key], (hours,))
        for key, hours in sorted(change.hours.items(), key=lambda pair: -pair[1])
    ]
    return Listed(value=sum(change.hours.values()), rows=rows, name=change.name)


@OF_COMPARISON.gives("from_today")
def from_today(evidence: ComparisonEvidence, scope: str, step: str) -> Trace:
    """One step from today's spend to a plan: a pool, or unused_now, other, unused_plan."""
    side = evidence.side(scope)
    title, value, words, rows = _STEPS.get(step, _of_pool)(side, scope, step)
    called = worded("{name}, from today: {title}", name=side.plan.scenario, title=title)
    traced = summed(called, value, writing.MONEY_PER_MONTH, words, rows)
    return as_written(traced, side.whole_steps.get(step))


Step = tuple[Text, trace.Number, Message, list[TraceRow]]
"""Title, $ a month, the words of its sum, and what it is the sum of."""


def _unused_now(side: SideEvidence, scope: str, step: str) -> Step:
    gone = less(side.steps.unused_now)
    rows = [TraceRow(trace.minus(lowered(worded("Idle cost today"))), (gone,), figure("contracts_unused"))]
    words = worded("Change = − idle cost today")
    return worded("Idle cost that ends"), gone, words, rows


def _unused_plan(side: SideEvidence, scope: str, step: str) -> Step:
    unused = side.steps.unused_plan
    rows = [TraceRow(worded("Idle cost in the plan"), (unused,), in_plan(scope, "plan_unused::"))]
    words = worded("Change = idle cost of the plan")
    return worded("Unused in commitments"), unused, words, rows


def _other(side: SideEvidence, scope: str, step: str) -> Step:
    steps, unused_in_plan = side.steps, in_plan(scope, "plan_unused::")
    rows = [
        TraceRow(titles.THE_PLAN, (steps.plan,), in_plan(scope, "plan_usd::")),
        TraceRow(trace.minus(worded("today")), (less(steps.today),), figure("spend")),
        TraceRow(worded("Idle cost today"), (steps.unused_now,), figure("contracts_unused")),
    ]
    for pool, usd in steps.pools.items():
        name = trace.minus(POOL_TITLES[Pool(pool)])
        rows.append(TraceRow(name, (less(usd),), figure("from_today", pool.value, scope)))
    rows.append(
        TraceRow(
            trace.minus(lowered(worded("Idle cost in the plan"))), (less(steps.unused_plan),), unused_in_plan
        )
    )
    return worded("Other"), steps.other, worded("Other = cost of no workload or idle GPU"), rows


def _of_pool(side: SideEvidence, scope: str, step: str) -> Step:
    pool = Pool(step)
    rows = [
        TraceRow(joined((plan.gpu_model or worded("unknown model"), _used(layer)), ", "), (busy_usd(layer),))
        for plan in side.plan.pools
        for layer in plan.layers
        if plan.pool is pool
    ]
    rows.append(TraceRow(trace.minus(worded("today's cost of its workloads")), (less(side.today_usd[pool]),)))
    words = worded("Change = the pool's workloads in the plan − today")
    return POOL_TITLES[pool], side.steps.pools[pool], words, rows


_STEPS: Final = {UNUSED_NOW: _unused_now, UNUSED_PLAN: _unused_plan, OTHER: _other}
"""Steps that are no pool's."""


def _used(layer: Layer) -> Text:
    """How a layer is paid; of a new commitment it is the part of it that is used."""
    term = paid_as(layer, worded("on demand"))
    return worded("{term} term, used part", term=term) if layer.is_new else term
