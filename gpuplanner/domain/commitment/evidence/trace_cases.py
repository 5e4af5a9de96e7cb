"""Traces of a plan at low, mid and high rates, and of what keeping the pools apart costs."""

from gpuplanner.domain.audit.evidence.trace import (
    Adds,
    Amount,
    Counts,
    Trace,
    TraceColumn,
    TraceRow,
    Value,
    figure,
)
from gpuplanner.domain.audit.evidence.trace_forms import summed
from gpuplanner.domain.commitment.evidence.plan_evidence import PlanEvidence
from gpuplanner.domain.commitment.result import Layer
from gpuplanner.domain.commitment.uncertainty.price_sensitivity import CasePlan
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.model.book.price_case import PriceCase, without_own_rate
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.worded import worded

SAVED = worded("Saved = doing nothing \u2212 the plan, both at these rates")
BY_USE = {
    PricingCategory.STANDARD: worded("on demand"),
    PricingCategory.DYNAMIC: "spot",
    PricingCategory.MIXED: worded("on demand and spot"),
}
OF_LAYERS = (TraceColumn("GPUs", "gpus"), TraceColumn(worded("$ per\nmonth"), "usd"))


def _case(evidence: PlanEvidence, scope: str) -> CasePlan:
    return next(one for one in evidence.cases if one.case.value == scope)


def layer_subject(pool: str, gpu_model: str | None, term_months: int) -> str:
    """What tells new commitments of one pool, model and term."""
    return f"{pool}\t{gpu_model or ''}\t{term_months}"


def case_plan(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What the plan costs in a case: layer by layer, and existing GPUs that stand idle."""
    case = _case(evidence, scope)
    rows = []
    for plan in case.advice.pools if case.advice is not None else ():
        for layer in plan.layers:
            if layer.gpus:
                name = worded(
                    "{words} {gpu_model}, {layer}",
                    words=worded(plan.pool.capitalize()),
                    gpu_model=plan.gpu_model or "unknown model",
                    layer=_term(layer),
                )
                rows.append(TraceRow(name, (layer.mean_gpus, layer.cost_per_month)))
    for idle in case.advice.idle_existing if case.advice is not None else ():
        name = worded("Idle existing: {gpu_model}", gpu_model=idle.gpu_model or worded("unknown model"))
        rows.append(TraceRow(name, (idle.gpus, idle.cost_per_month)))
    return summed(
        figure("case_plan", "", scope),
        worded("The plan at {scope} rates", scope=scope),
        case.plan_usd_per_month,
        "usd",
        worded("Plan = \u03a3 over layers of GPUs \u00d7 rate \u00d7 730 h + existing GPUs that stand idle"),
        rows,
        said_as=worded("per month"),
        columns=OF_LAYERS,
        column=1,
        note=worded(
            "Planned afresh at these rates. GPUs of layers that are paid by use are a mean over the hours."
        ),
    )


def _term(layer: Layer) -> str:
    if layer.existing:
        return worded("existing contracts")
    if not layer.term_months:
        return worded("by use, {by_use}", by_use=BY_USE[layer.pricing_category])
    return (
        worded("1 month")
        if layer.term_months == 1
        else worded("{term_months} months", term_months=layer.term_months)
    )


def case_nothing(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What doing nothing costs in a case: the plan, and what it saves beside it."""
    case = _case(evidence, scope)
    rows = (
        TraceRow(titles.THE_PLAN, (case.plan_usd_per_month,), figure("case_plan", "", scope)),
        TraceRow(worded("What it saves"), (case.savings_vs_do_nothing_usd_per_month,)),
    )
    return summed(
        figure("case_nothing", "", scope),
        worded("Doing nothing at {scope} rates", scope=scope),
        case.do_nothing_usd_per_month,
        "usd",
        worded("Doing nothing = existing contracts as they run + all else by use, no new commitment"),
        rows,
        said_as=worded("per month"),
    )


def case_saved(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What the plan saves in a case."""
    case = _case(evidence, scope)
    plan = case.plan_usd_per_month
    rows = (
        TraceRow(
            PLAN["do_nothing"].title, (case.do_nothing_usd_per_month,), figure("case_nothing", "", scope)
        ),
        TraceRow(
            worded("Less: the plan"), (None if plan is None else -plan,), figure("case_plan", "", scope)
        ),
    )
    saved, of = case.savings_vs_do_nothing_usd_per_month, figure("case_saved", "", scope)
    return summed(
        of,
        worded("Saved at {scope} rates", scope=scope),
        saved,
        "usd",
        SAVED,
        rows,
        said_as=worded("per month"),
    )


def case_at_mid(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """How many offers state no rate of their own for a case."""
    case = _case(evidence, scope)
    offers = without_own_rate(evidence.project.offers, PriceCase(scope))
    rows: tuple[TraceRow, ...] = tuple(TraceRow(offer.offer_id, _mid(offer.rate)) for offer in offers)
    return Trace(
        figure("case_at_mid", "", scope),
        worded("Offers that count at mid in the {scope} case", scope=scope),
        case.at_mid,
        "count",
        worded("of {priced_offers} with a rate", priced_offers=case.priced_offers),
        worded("Offers whose file states no {scope} rate: their mid rate counts", scope=scope),
        (Amount(case.at_mid, "count"), worded(" of "), Amount(case.priced_offers, "count")),
        (TraceColumn(worded("$ per\nGPU-h"), "rate"),),
        rows,
        Counts(),
    )


def _mid(rate: float | None) -> tuple[Value, ...]:
    return (rate,)


def case_layer(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """GPUs of new commitments of one pool, model and term in a case."""
    case = _case(evidence, scope)
    pool, model, term = subject.split("\t")
    rows = [
        TraceRow(layer.offer_id or worded("no offer"), (layer.gpus, layer.cost_per_month))
        for plan in (case.advice.pools if case.advice is not None else ())
        for layer in plan.layers
        if plan.pool == pool and (plan.gpu_model or "") == model
        if not layer.existing and layer.term_months == int(term)
    ]
    return summed(
        figure("case_layer", subject, scope),
        worded(
            "{pool} {model}, {term} months, at {scope} rates",
            pool=worded(pool.capitalize()),
            model=model or worded("unknown model"),
            term=term,
            scope=scope,
        ),
        float(sum(value for row in rows if isinstance(value := row.values[0], int | float))),
        "gpus",
        worded(
            "GPUs whose hours are used enough for the term to cost less than all that is shorter, at these rates"
        ),
        rows,
        columns=OF_LAYERS,
        note="" if rows else worded("Nothing of this term is bought at these rates."),
    )


def separation(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What the plan costs beyond one pool a GPU model: the plan less that, model by model."""
    outlook = evidence.outlook
    cost = None if outlook is None else outlook.cost_of_separation_usd_per_month
    plan = None if evidence.advice is None else evidence.advice.totals.plan_usd_per_month
    rows = [TraceRow(titles.THE_PLAN, (plan,), figure("plan_usd"))]
    pools = () if outlook is None else outlook.joint_pools
    of_pools = [pool.usd_per_month for pool in pools]
    rows += [
        TraceRow(
            worded("Less: all {gpu_model} in one pool", gpu_model=pool.gpu_model or worded("unknown model")),
            (None if usd is None else -usd,),
        )
        for pool, usd in zip(pools, of_pools, strict=True)
    ]
    known = [usd for usd in of_pools if usd is not None]
    if plan is not None and cost is not None and len(known) == len(of_pools):
        rows.append(TraceRow(worded("Less: existing GPUs that stand idle then"), (cost - plan + sum(known),)))
    return Trace(
        figure("separation"),
        worded("Cost of separation"),
        cost,
        "usd",
        worded("per month"),
        worded("Cost of separation = the plan \u2212 the same workloads in one pool for each GPU model"),
        (worded("\u03a3 of {rows} rows = ", rows=len(rows)), Amount(cost, "usd")),
        (TraceColumn(worded("$ per\nmonth"), "usd"),),
        tuple(rows),
        Adds(0),
        worded(
            "Separate pools do not share their peaks. It is what keeping work apart is worth paying for, or not."
        ),
    )
