"""Traces of a plan at low, mid and high rates, and of what keeping the pools apart costs."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import (
    Amount,
    Counts,
    Trace,
    TraceColumn,
    TraceRow,
    Value,
    figure,
)
from gpuplanner.domain.audit.evidence.trace_forms import less, summed
from gpuplanner.domain.commitment.evidence.plan_evidence import PlanEvidence
from gpuplanner.domain.commitment.evidence.trace_totals import nothing_rows, running_contracts
from gpuplanner.domain.commitment.result import Layer
from gpuplanner.domain.commitment.uncertainty.price_sensitivity import CasePlan
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.book.price_case import PriceCase, without_own_rate
from gpuplanner.domain.model.book.term_words import term_words, terms_words
from gpuplanner.domain.model.pool import POOL_TITLES, Pool, PricingCategory

BY_USE: Final[Mapping[PricingCategory | None, Text]] = {
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
                    words=POOL_TITLES[plan.pool],
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


def _term(layer: Layer) -> Message:
    if layer.existing:
        return worded("existing contracts")
    if not layer.term_months:
        return worded("by use, {by_use}", by_use=BY_USE[layer.pricing_category])
    return term_words(layer.term_months, layer.term_days)


def case_nothing(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What doing nothing costs in a case: contracts that run on, and what they leave over by use."""
    case = _case(evidence, scope)
    contracts = running_contracts(evidence, 0, all_of_them=True)
    rows = [] if case.advice is None else nothing_rows(contracts, case.advice.comparison[0])
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
    row = Inputs(
        {"do_nothing": case.do_nothing_usd_per_month, "plan": case.plan_usd_per_month},
        "",
        worded("the plan at {scope} rates", scope=scope),
        opens={
            "do_nothing": figure("case_nothing", "", scope),
            "plan": figure("case_plan", "", scope),
        },
    )
    found = explained(PLAN, "savings_vs_do_nothing", row, worded("Both are at these rates."))
    return replace(found, figure_id=figure("case_saved", "", scope))


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
        worded("of {priced_offers} with a rate", priced_offers=whole(case.priced_offers)),
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
    layers = [
        layer
        for plan in (case.advice.pools if case.advice is not None else ())
        for layer in plan.layers
        if plan.pool == pool and (plan.gpu_model or "") == model
        if not layer.existing and layer.term_months == int(term)
    ]
    rows = [
        TraceRow(layer.offer_id or worded("no offer"), (layer.gpus, layer.cost_per_month)) for layer in layers
    ]
    sold_as = {(layer.term_months or 0, layer.term_days) for layer in layers}
    return summed(
        figure("case_layer", subject, scope),
        worded(
            "{pool} {model}, {term}, at {scope} rates",
            pool=POOL_TITLES[Pool(pool)],
            model=model or worded("unknown model"),
            term=terms_words(sold_as or {(int(term), None)}),
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
    outlook, one = evidence.outlook, PLAN["cost_of_separation"]
    plan = None if evidence.advice is None else evidence.advice.totals.plan
    rows = [TraceRow(PLAN["plan"].title, (plan,), figure("plan_usd"))]
    for pool in () if outlook is None else outlook.joint_pools:
        model = pool.gpu_model or worded("unknown model")
        name = worded("Less: all {gpu_model} in one pool", gpu_model=model)
        rows.append(TraceRow(name, (less(pool.cost_per_month),)))
    for idle in () if outlook is None else outlook.joint_idle:
        model = idle.gpu_model or worded("unknown model")
        name = worded("Less: existing {gpu_model} that stand idle then", gpu_model=model)
        rows.append(TraceRow(name, (less(idle.cost_per_month),)))
    return summed(
        figure("separation"),
        one.title,
        None if outlook is None else outlook.cost_of_separation_usd_per_month,
        "usd",
        worded("Cost of separation = the plan \u2212 the same workloads in one pool for each GPU model"),
        rows,
        said_as=one.unit.per,
        note=one.note,
    )
