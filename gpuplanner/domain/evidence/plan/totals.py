"""Answers about a plan's totals: doing nothing, savings and their story, unused, lock-in, months and horizons."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.audit import result, use_leaks
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.commitment.plan import comparison
from gpuplanner.domain.commitment.plan.layers import mean_paid_gpus
from gpuplanner.domain.commitment.plan.totals import paid_gpus
from gpuplanner.domain.commitment.result import ComparisonMonth, IdleExisting
from gpuplanner.domain.commitment.words.bands import coverage_words, drawn_words
from gpuplanner.domain.commitment.words.horizons import HORIZON_NAMES
from gpuplanner.domain.commitment.words.savings import STEP_MEANINGS, STEP_NAMES
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed, explained
from gpuplanner.domain.evidence.money import BOUND, MONTHS_LEFT
from gpuplanner.domain.evidence.plan.layers import (
    PlanEvidence,
    idle_row,
    layer_row,
    opens_layer,
    part_of,
    row_name,
)
from gpuplanner.domain.evidence.plan.orders import WHY as OF_ORDERS
from gpuplanner.domain.evidence.plan.orders import contract_row
from gpuplanner.domain.evidence.trace import (
    Amount,
    Trace,
    TraceColumn,
    TraceRow,
    figure,
    less,
    minus,
    read,
    summed,
)
from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.figures.plan import AHEAD, NEXT_DECISION, PLAN, SAVINGS_BUY, SAVINGS_STEP
from gpuplanner.domain.figures.typed import plan_month, whole
from gpuplanner.domain.message import Text, capital, joined, lowered, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract, gpus_in_month, in_month, usd_in_month
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.book.renewal import bound_usd, remaining_months
from gpuplanner.domain.model.tables import POOL_TITLES, Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.reports.plan_layers import idle_words
from gpuplanner.lazy_dataclass import asdict, replace

WHY: Final = Answers[PlanEvidence]()


OF_UNUSED: Final = worded("Idle cost in the plan = Σ of new commitments' $ × (1 − used) + idle existing GPUs")
UNUSED: Final = (
    trace.MONEY,
    TraceColumn(titles.USED, "share"),
    TraceColumn(worded("Idle cost\n$ per month"), "usd"),
)
OF_LOCK_IN: Final = worded("Average term left = Σ ($ × months left) ÷ the plan's $ per month")
OF_PLAN: Final = {PLAN[key].why: key for key in ("savings", "effective_utilization_plan")}


@WHY.gives_each(OF_PLAN)
def of_plan(key: str, evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """A figure of the plan. Unknown, as in the totals, where work is left to nobody: amounts do not count that work."""
    advice = evidence.worked_out
    values = {key: getattr(advice.totals, key) for key in ("today", "plan")}
    values |= {key: getattr(advice.inputs, key) for key in ("used_gpus", "paid_gpus")}
    answer = explained(PLAN, key, Inputs(values=values, name="", title=worded("the plan")))
    if answer.value is None or getattr(advice.totals, key) is not None:
        return answer
    symbols = (*answer.symbols[:-1], Amount(None, answer.unit))
    return replace(answer, value=None, symbols=symbols, note=worded("Unknown: some demand is unserved"))


@WHY.explains(PLAN, "savings_vs_do_nothing")
def of_savings(evidence: PlanEvidence, scope: str, subject: str) -> Inputs:
    """What the savings of the first month are worked out from."""
    values, note = comparison.saved_inputs(comparison.Horizon.NEXT_MONTH, evidence.worked_out)
    return Inputs(values=values, name="", title=worded("the plan"), note=note)


@WHY.sums(worded("Idle cost in the plan"), writing.MONEY_PER_MONTH, OF_UNUSED, UNUSED, 2)
def plan_unused(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """What the plan pays and does not use: of new commitments, and existing GPUs that stand idle."""
    return Listed(value=evidence.worked_out.totals.unused_plan, rows=unused_rows(evidence))


def unused_rows(evidence: PlanEvidence) -> list[TraceRow]:
    """New commitments, then existing GPUs that stand idle: $ a month, used share and $ of what is unused."""
    rows = [
        layer_row(plan, layer, layer.cost_per_month, layer.utilization, layer.unused_per_month)
        for plan, layer in evidence.layers
        if layer.is_new
    ]
    idle = evidence.worked_out.idle_existing
    return rows + [idle_row(row, row.cost_per_month, 0.0, row.cost_per_month) for row in idle]


@WHY.lists(
    PLAN["lock_in_months"].title,
    "decimal",
    OF_LOCK_IN,
    BOUND,
    trace.Divides(2, 0),
    said_as=worded("$-weighted months"),
    note=MONTHS_LEFT,
)
def plan_lock_in(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """How many months the plan's money is bound for, weighted by dollars."""
    advice = evidence.worked_out
    lock_in = advice.totals.lock_in_months
    symbols = (
        Amount(advice.inputs.bound, "usd"),
        worded(" bound ÷ "),
        Amount(advice.totals.plan, "usd"),
        worded(" a month = "),
        Amount(lock_in, "decimal"),
        worded(" months"),
    )
    return Listed(value=lock_in, rows=lock_in_rows(evidence), symbols=symbols)


def lock_in_rows(evidence: PlanEvidence) -> list[TraceRow]:
    """Contracts, new commitments and what is paid on demand: $ a month, months left, and their product."""
    window, rows = evidence.project.plan_window, []
    for row in running_contracts(evidence, 0, all_of_them=False):
        months, bound = remaining_months(row, window), bound_usd(row, window)
        rows.append(contract_row(row, usd_in_month((row,), window, 0), months, bound))
    for plan, layer in evidence.layers:
        if layer.is_new:
            name = worded("New: {plan}", plan=row_name(plan, part_of(layer)))
            values = (layer.cost_per_month, float(layer.term_months or 0), layer.bound)
            rows.append(TraceRow(name, values, opens_layer(plan, layer)))
    by_use = [layer for _, layer in evidence.layers if not layer.existing and not layer.term_months]
    free = known_sum(layer.cost_per_month for layer in by_use)
    rows.append(TraceRow(worded("On demand: no commitment"), (free, 0.0, 0.0), figure("plan_by_use")))
    return rows


@WHY.gives("plan_longest")
def plan_longest(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """The longest term that is newly signed."""
    new = [(plan, layer) for plan, layer in evidence.layers if layer.is_new and layer.gpus]
    longest = max(new, key=lambda pair: pair[1].term_months or 0, default=None)
    source, months, opens = worded("the plan: no new orders"), 0, ""
    if longest is not None:
        plan, layer = longest
        source = worded("the layer {longest}", longest=row_name(plan, part_of(layer)))
        months, opens = layer.term_months or 0, opens_layer(plan, layer)
    words = worded("The longest term of all new commitments")
    title = worded("Longest commitment")
    return read(title, months, "exact", source, said_as="months", opens=opens, words=words)


@WHY.gives("plan_band")
def plan_band(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """P10, P50 and P90 of the plan's spend: its value is P90; all are read from the draws."""
    band = evidence.outlook.uncertainty
    if band.p10_usd_per_month is None:
        raise KeyError("there is no band yet")
    low, middle, high = band.p10_usd_per_month, band.p50_usd_per_month, band.p90_usd_per_month
    return trace.listed(
        worded("Plan P90"),
        high,
        writing.MONEY_PER_MONTH,
        worded("{drawn}; 10% lie below P10, 10% above P90", drawn=drawn_words(band)),
        (
            TraceRow(worded("P10: 10% of draws cost less"), (low,)),
            TraceRow(worded("P50: 50% of draws cost less"), (middle,)),
            TraceRow(worded("P90: 10% of draws cost more"), (high,)),
        ),
        (trace.MONEY,),
        trace.Reached(),
        symbols=(
            Amount(low, "usd"),
            worded(" is P10, "),
            Amount(middle, "usd"),
            " P50, ",
            Amount(high, "usd"),
            " P90",
        ),
        note=worded("Seed {seed}. So far: {tested}.", seed=str(band.seed), tested=coverage_words(band)),
    )


@WHY.sums(
    worded("Idle {name}"),
    writing.GPUS,
    worded("Idle = GPUs of continuing contracts − mean GPUs the plan uses"),
)
def idle_gpus(evidence: PlanEvidence, scope: str, model: str) -> Listed:
    """Mean GPUs of existing contracts of a model that serve nothing in the plan."""
    idle = _idle(evidence, model)
    existing = [(gpu_model_of(plan.gpu_model), layer) for plan, layer in evidence.layers if layer.existing]
    used = sum(layer.gpus for name, layer in existing if (name or "") == model)
    held = running_contracts(evidence, 0, all_of_them=False)
    of_model = [row for row in held if (row.gpu_model or "") == model]
    window = evidence.project.plan_window
    rows = [
        TraceRow(
            row.contract_id,
            (gpus_in_month((row,), window, 0),),  # one that ends within the month counts for its hours
            figure("contract_count", row.contract_id),
        )
        for row in of_model
    ]
    rows.append(TraceRow(minus(worded("mean GPUs in the plan")), (-used,)))
    return Listed(value=idle.gpus, rows=rows, name=model or worded("GPUs of unknown model"))


def _idle(evidence: PlanEvidence, model: str) -> IdleExisting:
    """Existing GPUs of a model that stand idle. Errors: StopIteration where there are none."""
    return next(idle for idle in evidence.worked_out.idle_existing if (idle.gpu_model or "") == model)


@WHY.explains(LAYER, idle_usd="cost_per_month")
def idle_usd(evidence: PlanEvidence, scope: str, model: str) -> Inputs:
    """$ a month of existing GPUs of a model that serve nothing in the plan."""
    idle = _idle(evidence, model)
    return Inputs(
        values={"mean_gpus": idle.gpus, "rate": idle.rate, "paid_hours": HOURS_PER_MONTH},
        name=model,
        title=worded("idle {model}", model=model or worded("GPUs of unknown model")),
        labels={"mean_gpus": worded("mean idle GPUs"), "rate": worded("mean rate of continuing contracts")},
        opens={"mean_gpus": figure("idle_gpus", model), "rate": ""},
    )


@WHY.sums(
    worded("GPUs paid for"),
    writing.GPUS,
    worded("GPUs = Σ over layers (GPUs × paid share of next month) + idle existing GPUs"),
)
def plan_gpus(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """Mean GPUs that the plan pays for."""
    rows = [layer_row(plan, layer, mean_paid_gpus([layer])) for plan, layer in evidence.layers]
    idle = evidence.worked_out.idle_existing
    rows += [
        TraceRow(idle_words(row.gpu_model), (row.gpus,), figure("idle_gpus", row.gpu_model or ""))
        for row in idle
    ]
    return Listed(value=paid_gpus(evidence.worked_out), rows=rows)


@WHY.sums(
    "",
    writing.MONEY_PER_MONTH,
    worded("Line = Σ over the pool's layers ($ per month × share paid this way)"),
    (
        trace.MONEY,
        TraceColumn(worded("Share of\nthe layer"), "share"),
        TraceColumn(worded("$ of\nthis line"), "usd"),
    ),
    2,
)
def cost_line(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """$ a month of one line of a plan: one pool and one way to pay; subject "pool, kind", idle GPUs without a pool."""
    pool, kind = subject.split("\t")
    rows, parts = [], []
    if not pool:
        for idle in evidence.worked_out.idle_existing:
            rows.append(idle_row(idle, idle.cost_per_month, 1.0, idle.cost_per_month))
            parts.append(idle.cost_per_month)
    for plan, layer in evidence.layers if pool else ():
        if plan.pool == pool and (share := comparison.kinds_of(layer).get(kind, 0.0)):
            usd = layer.cost_per_month
            parts.append(None if usd is None else usd * share)
            rows.append(layer_row(plan, layer, usd, share, parts[-1]))
    title = worded("Idle in existing contracts")
    if pool:
        title = worded("{pool}, {kind}", pool=POOL_TITLES[Pool(pool)], kind=comparison.WAYS.get(kind, kind))
    return Listed(
        value=known_sum(parts), rows=rows, name=title, note="" if rows else worded("Not in this plan.")
    )


# Months and horizons

ALL_TWELVE = worded("12 months = Σ over months, each at its demand and prices")
LAST = 11
"""The month that is called 12."""


def running_contracts(evidence: PlanEvidence, month: int, *, all_of_them: bool) -> tuple[Contract, ...]:
    """Those that run in a month; a plan looks at commitments alone, and from scratch at none."""
    advice = evidence.worked_out
    return in_month(advice.in_force if all_of_them else advice.contracts, evidence.project.plan_window, month)


OF_MONTH: Final = {
    "plan": worded("Month = contracts and orders for hours they run + on demand"),
    "do_nothing": worded("Month = contracts for hours they run + remaining demand on demand, no new orders"),
}
"""What a month costs, by the key of the figure, in words."""


@WHY.gives_each({"month_plan": "plan", "month_nothing": "do_nothing"})
def of_month(key: str, evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What one of the twelve months costs with the plan or with nothing signed. subject: 0..11; "": next month."""
    month = int(subject or 0)
    costs = evidence.worked_out.comparison[month]
    contracts = running_contracts(evidence, month, all_of_them=key != "plan")
    rows = nothing_rows(evidence, contracts, costs)
    if key == "plan":
        rows = [
            *_contract_rows(evidence, contracts, month),
            TraceRow(worded("Orders of the plan, for the hours they run"), (costs.orders_usd,)),
            TraceRow(worded("Paid on demand"), (costs.use_usd,), "" if month else figure("plan_by_use")),
        ]
    title_of = PLAN[key].title
    title = worded("{name}, month {month} of 12", name=title_of, month=whole(month + 1))
    return summed(
        title if month else worded("{name}, next month", name=title_of),
        getattr(costs, f"{key}_usd"),
        "usd",
        OF_MONTH[key],
        rows,
        said_as=worded("per 730-h month"),
        note=worded("Later orders cost less by the assumed price decline."),
    )


@WHY.gives("plan_nothing")
def plan_nothing(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What next month costs with nothing signed."""
    return of_month("do_nothing", evidence, scope, "")


def _contract_rows(evidence: PlanEvidence, contracts: Sequence[Contract], month: int) -> list[TraceRow]:
    """$ of contracts in a month, each for the hours that it runs; each opens its own."""
    window = evidence.project.plan_window
    return [contract_row(row, usd_in_month((row,), window, month)) for row in contracts]


def nothing_rows(
    evidence: PlanEvidence, contracts: Sequence[Contract], month: ComparisonMonth
) -> list[TraceRow]:
    """What a month costs with nothing signed: contracts that run in it, and what they leave over."""
    beside = worded("Remaining demand, at the cheapest fitting on-demand rate")
    rows = _contract_rows(evidence, contracts, month.month)
    return [*rows, TraceRow(beside, (month.do_nothing_use_usd,))]


@WHY.gives_each({AHEAD[key].why: key for key in OF_MONTH})
def ahead(key: str, evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What the plan, or signing nothing, costs in a horizon; of twelve months each opens its own."""
    horizon, is_plan = comparison.Horizon(subject), key == "plan"
    if horizon is comparison.Horizon.MONTH_12:
        return of_month(key, evidence, "", str(LAST))
    if horizon is comparison.Horizon.NEXT_MONTH:
        return OF_ORDERS["plan_usd"](evidence, "", "") if is_plan else plan_nothing(evidence, "", "")
    advice, of = evidence.worked_out, "month_plan" if is_plan else "month_nothing"
    rows = [
        TraceRow(capital(plan_month(row.month)), (getattr(row, f"{key}_usd"),), figure(of, str(row.month)))
        for row in advice.comparison
    ]
    title = worded("{name}: {horizon}", name=AHEAD[key].title, horizon=HORIZON_NAMES[horizon])
    amount = (comparison.plan_usd_in if is_plan else comparison.nothing_usd_in)(advice, horizon)
    return summed(title, amount, AHEAD["plan"].unit, ALL_TWELVE, rows)


MEANS: Final = {
    "mean_spend": (worded("Spend, mean of 12 months"), worded("Mean = Σ over months ($) ÷ months")),
    "mean_idle": (
        worded("Idle cost, mean of 12 months"),
        worded("Mean = Σ over months (idle cost of contracts and new commitments) ÷ months"),
    ),
}


@WHY.gives_each(MEANS)
def mean_of_year(words: tuple[Text, Text], evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """$ a month of the plan, or of what of it serves nobody, as a mean of its twelve months."""
    advice, opens = evidence.worked_out, "month_plan" if words is MEANS["mean_spend"] else ""
    unused = () if advice.cards is None else advice.cards.unused_usd
    costs = [month.plan_usd for month in advice.comparison] if opens else unused
    rows = [
        TraceRow(capital(plan_month(at)), (usd, 1), figure(opens, str(at)) if opens else "")
        for at, usd in enumerate(costs)
    ]
    columns, unit = (trace.MONEY, TraceColumn(worded("Months"), "count")), writing.MONEY_PER_MONTH
    return trace.listed(
        words[0], comparison.mean_usd(costs), unit, words[1], rows, columns, trace.Divides(0, 1)
    )


@WHY.explains(AHEAD, savings_found="saved")
def savings_found(evidence: PlanEvidence, scope: str, subject: str) -> Inputs:
    """What the first plan saves in twelve months, as Today shows it. Errors: KeyError while it is worked out."""
    if evidence.before is None:
        raise KeyError("the plan is still worked out")
    values, note = comparison.saved_inputs(comparison.Horizon.TWELVE_MONTHS, evidence.before)
    name = worded("{plan} in 12 months", plan=evidence.project.scenarios[0].name)
    return Inputs(values=values, name=subject, title=name, opens={"do_nothing": "", "plan": ""}, note=note)


@WHY.gives("ahead_before")
def ahead_before(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What the plan before the question costs in a horizon. Errors: KeyError where no question is asked."""
    horizon, before = comparison.Horizon(subject), evidence.before
    plan = evidence.project.plan_before(evidence.scenario)
    if before is None or plan is None:
        raise KeyError("no question is asked")
    title = worded("{plan}: {horizon}", plan=plan.name, horizon=HORIZON_NAMES[horizon])
    usd = comparison.plan_usd_in(before, horizon)
    note = worded("The plan without this question: see its tab.")
    if horizon is not comparison.Horizon.TWELVE_MONTHS:
        return read(title, usd, "usd", plan.name, note=note, words=AHEAD["before"].title)
    rows = [TraceRow(capital(plan_month(row.month)), (row.plan_usd,)) for row in before.comparison]
    return summed(title, usd, AHEAD["plan"].unit, ALL_TWELVE, rows, note=note)


@WHY.explains(AHEAD, "saved")
def of_saved(evidence: PlanEvidence, scope: str, subject: str) -> Inputs:
    """What the savings of a horizon are worked out from."""
    horizon = comparison.Horizon(subject)
    values, note = comparison.saved_inputs(horizon, evidence.worked_out)
    return Inputs(values=values, name=subject, title=HORIZON_NAMES[horizon], note=note)


@WHY.explains(AHEAD, "changed")
def of_changed(evidence: PlanEvidence, scope: str, subject: str) -> Inputs:
    """Return both plans of a question's change, in the whole dollars that are written: their difference is the change
    that the headline writes.
    """
    horizon = comparison.Horizon(subject)
    exact = comparison.ahead_inputs(horizon, evidence.worked_out, evidence.before)
    values = {key: None if usd is None else float(round(usd)) for key, usd in exact.items()}
    return Inputs(values=values, name=subject, title=HORIZON_NAMES[horizon])


# What a check of the plan costs


def check_subject(check: result.Check) -> str:
    """What tells a check of a plan from the others of its code."""
    return "\t".join((check.code, str(check.subject), str(round(check.usd_per_month or 0.0))))


@WHY.gives("check_usd")
def check_usd(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """$ of a check, as it says them: a month of GPUs that stand idle, or all of a renewal."""
    check = next(candidate for candidate in evidence.worked_out.checks if check_subject(candidate) == subject)
    is_whole = check.code in result.OF_RENEWALS
    title = (
        worded("Cost if {subject} runs on", subject=check.subject)
        if is_whole
        else worded("Idle {subject} besides orders", subject=check.subject)
    )
    words = (
        worded("Cost = GPUs × rate × hours to its end")
        if is_whole
        else worded("Cost = mean idle GPUs × rate × 730 h")
    )
    unit = writing.MONEY if is_whole else writing.MONEY_PER_MONTH
    return read(title, check.usd_per_month, unit, worded("the plan's check"), words=words, note=check.message)


# The story of the savings, and what keeping the pools apart costs

ENDS: Final[tuple[tuple[Text, str], ...]] = (
    (worded("today's spend"), figure("spend")),
    (worded("the log with next month's demand, contracts as today"), ""),
    (worded("doing nothing"), figure("plan_nothing")),
    (worded("the plan with all work where it runs today, without spot"), ""),
    (worded("the plan without spot"), ""),
    (worded("the plan"), figure("plan_usd")),
)
"""What stands between the steps, and what explains it: six ends of five steps."""
CUT_ENDS: Final[tuple[tuple[Text, str], ...]] = (
    (worded("the plan without it, with earlier savings"), ""),
    (worded("the plan with it"), ""),
)
"""The same of a cut of demand."""


@WHY.explains(SAVINGS_STEP, "saved_per_month", "saved_in_year")
def savings_step(evidence: PlanEvidence, scope: str, name: str) -> Inputs:
    """What one step saves: the plan before it less the plan with it. Errors: StopIteration while it is worked out."""
    outlook = evidence.outlook
    step = next(row for row in (*outlook.savings_steps, *outlook.savings_offered) if row.step == name)
    ends = CUT_ENDS
    if name in comparison.STEPS:
        at = comparison.STEPS.index(name)
        ends = ENDS[at : at + 2]
    (before, opens_before), (after, opens_after) = ends
    return Inputs(
        values={
            key: getattr(step, key) for key in ("cost_before", "cost_after", "year_before", "year_after")
        },
        name=name,
        title=STEP_NAMES[name],
        labels={"cost_before": before, "cost_after": after},
        opens={"cost_before": opens_before, "cost_after": opens_after},
        note=joined((STEP_MEANINGS[name], step.unknown), " "),
    )


@WHY.explains(NEXT_DECISION, "decision_saves", "saves_over_term")
def next_decision(evidence: PlanEvidence, scope: str, name: str) -> Inputs:
    """What a decision saves: twelve months without it less those with it, and over its term. Errors: StopIteration for
    none."""
    decision = next(row for row in evidence.outlook.next_decisions if row.decision_id == name)
    names = ("year_without", "year_with", "saves_in_month_12", "months_after")
    given = {name: getattr(decision, name) for name in names}
    return Inputs(values=given, name=name, title=decision.title, note=decision.unknown)


@WHY.explains(SAVINGS_BUY, "marginal_rate", "bought_gpu_hours_per_month", "bought_gpus")
def of_buy(evidence: PlanEvidence, scope: str, subject: str) -> Inputs:
    """What the savings would buy."""
    buy = asdict(comparison.savings_buy(evidence.worked_out))
    given = {name: amount for name, amount in buy.items() if name in SAVINGS_BUY}
    note = worded("At the plan's first-month mean on-demand rate, without new commitments.")
    return Inputs(values=given, name="", title=worded("the plan"), note=note)


@WHY.gives("separation")
def separation(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What the plan costs beyond one pool a GPU model: the plan less that, model by model."""
    asked, apart = PLAN["cost_of_separation"], evidence.outlook.separation
    rows = [TraceRow(PLAN["apart"].title, (apart.apart_usd[0],))]
    for pool in apart.joint if apart.joint_usd[0] is not None else ():
        model = pool.gpu_model or worded("unknown model")
        name = minus(worded("all {model} in one pool", model=model))
        rows.append(TraceRow(name, (less(pool.cost_per_month),)))
    for idle in apart.joint_idle if apart.joint_usd[0] is not None else ():
        name = minus(lowered(idle_words(idle.gpu_model)))
        rows.append(TraceRow(name, (less(idle.cost_per_month),)))
    words = worded(
        "Cost of separation = the plan's pools − one pool per GPU model; both with pooled volatility, one "
        "attrition, no pins"
    )
    return summed(asked.title, apart.cost_usd(), asked.unit, words, rows, note=asked.note)


@WHY.gives("separation_usd")
def separation_usd(evidence: PlanEvidence, scope: str, line: str) -> Trace:
    """What separate pools cost in the plan; what inference pays in the log above offers at equal terms, by workload."""
    if line == "cost":
        return separation(evidence, scope, "")
    rows, premium = [], evidence.audit.premium
    title, usd = {
        "premium": (titles.PREMIUM, premium.usd_per_month),
        "rate_premium": (titles.RATE_PREMIUM, premium.rate_usd_per_month),
        "idle_premium": (titles.IDLE_PREMIUM, premium.idle_usd_per_month),
    }[line]
    for place, cost in use_leaks.premium_costs(past_of(evidence.project, evidence.audit)).items():
        work, of_line = evidence.project.workloads[place], getattr(cost, f"{line}_per_month")
        rows.append(TraceRow(work.name, (of_line,), figure("endpoint_premium", work.key)))
    words = worded("Σ over endpoints (paid cost − cheapest fitting offer), at equal terms")
    return summed(title, usd, PLAN["plan"].unit, words, rows)


@WHY.gives("separation_hours")
def separation_hours(evidence: PlanEvidence, scope: str, line: str) -> Trace:
    """Contended hours of the log by cluster; of interference those in which training and inference both ran."""
    audit, is_all, rows = evidence.audit, line == "contention", []
    part = "hours" if is_all else "beside"
    for cluster, contention in audit.contention.items():
        hours = contention.contention_hours if is_all else contention.beside_inference_hours
        rows.append(TraceRow(cluster, (hours,), figure("contended", cluster, part)))
    return summed(
        titles.CONTENDED_HOURS if is_all else worded("Training with inference, hours over capacity"),
        audit.contended_hours if is_all else audit.interference_hours,
        "count",
        worded("Σ over clusters; an hour of two clusters counts twice"),
        rows,
    )
