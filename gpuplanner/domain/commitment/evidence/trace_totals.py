"""Traces of a plan's totals: doing nothing, savings, unused, utilization, lock-in, its band, its lines and months."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import (
    Amount,
    Divides,
    Reached,
    Trace,
    TraceColumn,
    TraceRow,
    figure,
)
from gpuplanner.domain.audit.evidence.trace_forms import read, summed
from gpuplanner.domain.commitment.comparison.plan_difference import WAYS, kinds_of
from gpuplanner.domain.commitment.evidence.plan_evidence import PlanEvidence, part_of, row_subject
from gpuplanner.domain.commitment.evidence.trace_layers import row_name
from gpuplanner.domain.commitment.plan.totals import commitments_in, paid_gpus
from gpuplanner.domain.commitment.result import Advice, ComparisonMonth, IdleExisting, Layer, PoolPlan, Totals
from gpuplanner.domain.commitment.words.band_words import coverage_words, drawn_words
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.contract_months import bound_usd, remaining_months, running
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.pool import POOL_TITLES, Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH

LONGEST = worded("Longest = the longest term of all new commitments")
BOUND = (
    TraceColumn(worded("$ per\nmonth"), "usd"),
    TraceColumn("Months\nleft", "decimal"),
    TraceColumn(worded("$ \u00d7 months"), "usd"),
)
USED_UP = (
    TraceColumn(worded("$ per\nmonth"), "usd"),
    TraceColumn(titles.USED, "share"),
    TraceColumn(worded("Unused $\nper month"), "usd"),
)
PARTS = (
    TraceColumn(worded("$ per\nmonth"), "usd"),
    TraceColumn(worded("Share of\nthe layer"), "share"),
    TraceColumn(worded("$ of\nthis line"), "usd"),
)


def _advice(evidence: PlanEvidence) -> Advice:
    """Errors: KeyError while the plan is worked out."""
    if evidence.advice is None:
        raise KeyError("the plan is still worked out")
    return evidence.advice


def _totals(evidence: PlanEvidence) -> Totals:
    return _advice(evidence).totals


def _layers(evidence: PlanEvidence) -> list[tuple[PoolPlan, Layer]]:
    return [(plan, layer) for plan in _advice(evidence).pools for layer in plan.layers]


def _opens(plan: PoolPlan, layer: Layer) -> str:
    return figure("layer_usd", row_subject(plan, part_of(layer)))


def _opens_idle(idle: IdleExisting) -> str:
    return figure("idle_usd", idle.gpu_model or "")


def running_contracts(evidence: PlanEvidence, month: int, *, all_of_them: bool) -> tuple[Contract, ...]:
    """Those that run through a month; a plan looks at commitments alone, and from scratch at none."""
    if not all_of_them:
        return commitments_in(evidence.project, evidence.scenario, month)
    return running(evidence.project.contracts, evidence.project.plan_window, month)


def _month(evidence: PlanEvidence, kind: str, subject: str, *, is_plan: bool) -> Trace:
    """What a month costs: contracts that run through it, and what is paid beside them."""
    month = int(subject or 0)
    one = _advice(evidence).comparison[month]
    value = one.plan_usd if is_plan else one.do_nothing_usd
    contracts = running_contracts(evidence, month, all_of_them=not is_plan)
    signed = TraceRow(
        worded("Signed by the plan until then, and paid by use"),
        (known_sum((one.orders_usd, one.use_usd)),),
        figure("plan_usd") if not month else "",
    )
    rows = [*_contract_rows(contracts), signed] if is_plan else nothing_rows(contracts, one)
    what = PLAN["plan" if is_plan else "do_nothing"].title
    words = (
        worded("Month = contracts that run through it + new commitments signed by then + what is paid by use")
        if is_plan
        else worded("Month = contracts that run through it + all else on demand, nothing signed")
    )
    return summed(
        figure(kind, subject),
        worded("{what}, next month", what=what)
        if not month
        else worded("{what}, month {month} of 12", what=what, month=whole(month + 1)),
        value,
        "usd",
        words,
        rows,
        said_as=worded("in a month of 730 h"),
        note=worded("Prices of what is bought later fall by the price fall of the assumptions."),
    )


def _contract_rows(contracts: Sequence[Contract]) -> list[TraceRow]:
    """$ a month of contracts, each of which opens its own."""
    return [
        TraceRow(row.contract_id, (row.cost_per_month,), figure("contract_usd", row.contract_id))
        for row in contracts
    ]


def nothing_rows(contracts: Sequence[Contract], month: ComparisonMonth) -> list[TraceRow]:
    """What a month costs with nothing signed: contracts that run through it, and what they leave over."""
    beside = worded("What they leave over, at the cheapest on-demand rate that fits")
    return [*_contract_rows(contracts), TraceRow(beside, (month.do_nothing_use_usd,))]


def month_plan(evidence: PlanEvidence, scope: str, month: str) -> Trace:
    """What one of the twelve months costs with the plan. month: 0..11."""
    return _month(evidence, "month_plan", month, is_plan=True)


def month_nothing(evidence: PlanEvidence, scope: str, month: str) -> Trace:
    """What one of the twelve months costs with nothing signed. month: 0..11."""
    return _month(evidence, "month_nothing", month, is_plan=False)


def plan_nothing(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What next month costs with nothing signed."""
    return _month(evidence, "plan_nothing", "", is_plan=False)


def of_plan(key: str) -> Callable[[PlanEvidence, str, str], Trace]:
    """The answer about a figure of the plan. key: of PLAN."""

    def answer(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
        advice, totals = _advice(evidence), _totals(evidence)
        values = {
            "today": totals.today,
            "do_nothing": totals.do_nothing,
            "plan": totals.plan,
            "used_gpus": advice.inputs.used_gpus,
            "paid_gpus": advice.inputs.paid_gpus,
        }
        return explained(PLAN, key, Inputs(values, "", worded("the plan")))

    return answer


def plan_unused(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What the plan pays and does not use: of new commitments, and existing GPUs that stand idle."""
    rows = []
    for plan, layer in _layers(evidence):
        if layer.is_new:
            usd, used, unused = layer.cost_per_month, layer.utilization, layer.unused_per_month
            rows.append(TraceRow(row_name(plan, part_of(layer)), (usd, used, unused), _opens(plan, layer)))
    for idle in _advice(evidence).idle_existing:
        name = worded("Existing and idle, {gpu_model}", gpu_model=idle.gpu_model or worded("unknown model"))
        rows.append(TraceRow(name, (idle.cost_per_month, 0.0, idle.cost_per_month), _opens_idle(idle)))
    return summed(
        figure("plan_unused"),
        worded("Unused in the plan"),
        _totals(evidence).unused_plan,
        "usd",
        worded(
            "Unused = \u03a3 over new commitments of $ \u00d7 (1 \u2212 used) + existing GPUs that stand idle"
        ),
        rows,
        columns=USED_UP,
        column=2,
        said_as=worded("per month"),
    )


def plan_lock_in(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """How many months the plan's money is bound for, weighted by dollars."""
    totals = _totals(evidence)
    rows, window = [], evidence.project.plan_window
    for row in running_contracts(evidence, 0, all_of_them=False):
        values = (row.cost_per_month, remaining_months(row, window), bound_usd(row, window))
        rows.append(TraceRow(row.contract_id, values, figure("contract_usd", row.contract_id)))
    for plan, layer in _layers(evidence):
        if layer.is_new:
            rows.append(
                TraceRow(
                    worded("New: {plan}", plan=row_name(plan, part_of(layer))),
                    (layer.cost_per_month, float(layer.term_months or 0), layer.bound),
                    _opens(plan, layer),
                )
            )
    plan_usd = totals.plan
    by_use = [layer for _, layer in _layers(evidence) if not layer.existing and not layer.term_months]
    free = known_sum(layer.cost_per_month for layer in by_use)
    rows.append(TraceRow(worded("Paid by use: binds for no month"), (free, 0.0, 0.0), figure("plan_by_use")))
    return Trace(
        figure("plan_lock_in"),
        PLAN["lock_in_months"].title,
        totals.lock_in_months,
        "decimal",
        worded("$-weighted months"),
        worded("Lock-in = \u03a3 of $ \u00d7 months left \u00f7 the plan's $ per month"),
        (
            Amount(_advice(evidence).inputs.bound, "usd"),
            worded(" bound \u00f7 "),
            Amount(plan_usd, "usd"),
            worded(" a month = "),
            Amount(totals.lock_in_months, "decimal"),
            worded(" months"),
        ),
        BOUND,
        tuple(rows),
        Divides(2, 0),
        worded("Months of a contract run to its end or, without one, its notice."),
    )


def plan_longest(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """The longest term that is newly signed."""
    new = [(plan, layer) for plan, layer in _layers(evidence) if layer.is_new and layer.gpus]
    longest = max(new, key=lambda one: one[1].term_months or 0, default=None)
    months = 0 if longest is None else longest[1].term_months or 0
    source = (
        worded("the plan: nothing is newly signed")
        if longest is None
        else worded("the layer {longest}", longest=row_name(longest[0], part_of(longest[1])))
    )
    opens = "" if longest is None else _opens(*longest)
    return read(
        figure("plan_longest"),
        worded("Longest commitment"),
        months,
        "exact",
        source,
        said_as="months",
        opens=opens,
        words=LONGEST,
    )


def plan_band(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """P10, P50 and P90 of the plan's spend: its value is P90; all are read from the draws."""
    band = None if evidence.outlook is None else evidence.outlook.uncertainty
    if band is None or band.p10_usd_per_month is None:
        raise KeyError("there is no band yet")
    low, middle, high = band.p10_usd_per_month, band.p50_usd_per_month, band.p90_usd_per_month
    return Trace(
        figure("plan_band"),
        worded("P90 of the plan"),
        high,
        "usd",
        worded("per month"),
        worded(
            "{drawn}; P10 and P90 leave out the lowest and the highest tenth of what the month then costs",
            drawn=drawn_words(band),
        ),
        (
            Amount(low, "usd"),
            worded(" is P10, "),
            Amount(middle, "usd"),
            " P50, ",
            Amount(high, "usd"),
            " P90",
        ),
        (TraceColumn(worded("$ per\nmonth"), "usd"),),
        (
            TraceRow(worded("P10: one draw in ten costs less"), (low,)),
            TraceRow(worded("P50: half of the draws cost less"), (middle,)),
            TraceRow(worded("P90: one draw in ten costs more"), (high,)),
        ),
        Reached(),
        worded(
            "Seed {seed}. So far: {tested}.",
            seed=str(band.seed),
            tested=coverage_words(band),
        ),
    )


def idle_gpus(evidence: PlanEvidence, scope: str, model: str) -> Trace:
    """Mean GPUs of existing contracts of a model that serve nothing in the plan."""
    idle = next(one for one in _advice(evidence).idle_existing if (one.gpu_model or "") == model)
    contracts = [
        row for row in running_contracts(evidence, 0, all_of_them=False) if (row.gpu_model or "") == model
    ]
    used = sum(
        layer.gpus
        for plan, layer in _layers(evidence)
        if layer.existing and (gpu_model_of(plan.gpu_model) or "") == model
    )
    rows = [
        *(
            TraceRow(row.contract_id, (row.gpus,), figure("contract_count", row.contract_id))
            for row in contracts
        ),
        TraceRow(worded("Less: what serves the plan, a mean over the hours"), (-used,)),
    ]
    return summed(
        figure("idle_gpus", model),
        worded("Idle {model}", model=model or worded("GPUs of unknown model")),
        idle.gpus,
        "gpus",
        worded("Idle = GPUs under contracts that run on \u2212 mean GPUs that the plan's work takes of them"),
        rows,
    )


def idle_usd(evidence: PlanEvidence, scope: str, model: str) -> Trace:
    """$ a month of existing GPUs of a model that serve nothing in the plan."""
    idle = next(one for one in _advice(evidence).idle_existing if (one.gpu_model or "") == model)
    row = Inputs(
        {"mean_gpus": idle.gpus, "rate": idle.rate, "paid_hours": HOURS_PER_MONTH},
        model,
        worded("idle {model}", model=model or worded("GPUs of unknown model")),
        labels={
            "mean_gpus": worded("idle GPUs, a mean over the hours"),
            "rate": worded("mean rate of the contracts that run on"),
        },
        opens={"mean_gpus": figure("idle_gpus", model), "rate": ""},
    )
    return replace(explained(LAYER, "cost_per_month", row), figure_id=figure("idle_usd", model))


def plan_gpus(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """Mean GPUs that the plan pays for."""
    rows = [
        TraceRow(row_name(plan, part_of(layer)), (layer.mean_gpus,), _opens(plan, layer))
        for plan, layer in _layers(evidence)
    ]
    for idle in _advice(evidence).idle_existing:
        opens = figure("idle_gpus", idle.gpu_model or "")
        rows.append(
            TraceRow(
                worded("Existing and idle, {gpu_model}", gpu_model=idle.gpu_model or worded("unknown model")),
                (idle.gpus,),
                opens,
            )
        )
    return summed(
        figure("plan_gpus"),
        worded("GPUs paid for"),
        paid_gpus(_advice(evidence)),
        "gpus",
        worded("GPUs = \u03a3 over layers, of those paid by use the mean + existing GPUs that stand idle"),
        rows,
    )


def cost_line(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """$ a month of one line of a plan: one pool and one way to pay; subject "pool, kind", idle GPUs without a pool."""
    pool, kind = subject.split("\t")
    if not pool:
        rows = [
            TraceRow(
                worded("Existing and idle, {gpu_model}", gpu_model=idle.gpu_model or worded("unknown model")),
                (idle.cost_per_month, 1.0, idle.cost_per_month),
                _opens_idle(idle),
            )
            for idle in _advice(evidence).idle_existing
        ]
    else:
        rows = []
        for plan, layer in _layers(evidence):
            share = kinds_of(layer).get(kind, 0.0) if plan.pool == pool else 0.0
            if share:
                usd = layer.cost_per_month
                part = None if usd is None else usd * share
                rows.append(TraceRow(row_name(plan, part_of(layer)), (usd, share, part), _opens(plan, layer)))
    return summed(
        figure("cost_line", subject),
        worded("{pool}, {kind}", pool=POOL_TITLES[Pool(pool)], kind=WAYS.get(kind, kind))
        if pool
        else worded("Idle in existing contracts"),
        known_sum(row.values[2] for row in rows),  # type: ignore[misc]
        "usd",
        worded(
            "Line = \u03a3 over the layers of this pool that are paid so of $ per month \u00d7 the share of it that is"
        ),
        rows,
        columns=PARTS,
        column=2,
        said_as=worded("per month"),
        note="" if rows else worded("Nothing of it is in this plan."),
    )
