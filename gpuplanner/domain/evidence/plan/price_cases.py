"""Answers about the plan at low, mid and high rates."""

from typing import Final

from gpuplanner.domain.commitment.uncertainty.flips import CasePlan
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed
from gpuplanner.domain.evidence.plan import orders, totals
from gpuplanner.domain.evidence.plan.layers import PlanEvidence, part_of, row_name
from gpuplanner.domain.figures import writing
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import terms_words
from gpuplanner.domain.model.book.offer import PriceCase, without_own_rate
from gpuplanner.domain.model.tables import POOL_TITLES, Pool
from gpuplanner.domain.reports.plan_layers import idle_words

WHY: Final = Answers[PlanEvidence]()

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
        rows += [
            trace.TraceRow(row_name(plan, part_of(layer)), (layer.mean_gpus, layer.cost_per_month))
            for layer in plan.layers
            if layer.gpus
        ]
    for idle in case.advice.idle_existing if case.advice is not None else ():
        rows.append(trace.TraceRow(idle_words(idle.gpu_model), (idle.gpus, idle.cost_per_month)))
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
