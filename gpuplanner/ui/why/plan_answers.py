"""Why a figure of a plan is what it is: rows that arrive at it, and the evidence that answers stand on."""

from collections.abc import Callable
from typing import Any, Final

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.demand.volatility import source_words
from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.commitment.outlook_result import NO_RANGE, NOT_YET
from gpuplanner.domain.commitment.plan import layers
from gpuplanner.domain.commitment.plan.comparison import saved_share
from gpuplanner.domain.commitment.plan.totals import UsedHours, asked_words, cost_sum, plan_sum, used_hours
from gpuplanner.domain.commitment.result import Advice, Layer, PoolPlan
from gpuplanner.domain.commitment.savings import StoryRow
from gpuplanner.domain.commitment.words import bands
from gpuplanner.domain.commitment.words.savings import OTHER_STEPS, SAVING_STEPS, avoided_words, bought_words
from gpuplanner.domain.evidence.costs.cost_evidence import CostEvidence
from gpuplanner.domain.evidence.plan.layers import (
    ALL,
    BY_USE,
    EXISTING,
    PlacedCard,
    PlanEvidence,
    order_subject,
    part_of,
    row_subject,
)
from gpuplanner.domain.evidence.plan.orders import OF_PLAN
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import NOTHING_KNOWN, lacking_sentences, largest_remainder, whole_dollars
from gpuplanner.domain.model.book.contract import in_month, usd_in_month
from gpuplanner.domain.model.book.renewal import bound_usd, remaining_months
from gpuplanner.domain.model.spelling import told_apart
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.domain.reports.plan_layers import layer_in_sentence
from gpuplanner.domain.reports.report import Medium, whole_amounts
from gpuplanner.domain.reports.use import USES
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.state import idle_today, plan_money, term_rows
from gpuplanner.ui.state.commitment_words import pool_title
from gpuplanner.ui.state.headline_figures import range_of, why_no_savings
from gpuplanner.ui.state.month_words import month_sentence
from gpuplanner.ui.state.view_state import Pairs, ViewState, inputs_of
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.why.answer import Why
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import AGES, churn_words

# --- Why a figure of a plan is what it is: rows that arrive at the figure shown, for the five of the headline


UTILIZATION_COLUMNS = (
    Column(title="", is_figure=False),
    Column(title="Used GPU-h\nper month"),
    Column(title="Paid GPU-h\nper month"),
    Column(title=titles.UTILIZATION),
)


def spend_in_plan(shown: ViewState) -> Why:
    """Layers by pool and existing GPUs that stand idle, down to the plan's spend."""
    advice = shown.advice
    by_use = numbers.whole(advice.totals.on_demand_equivalent if advice else None)
    total = plan_sum(advice) if advice else NOTHING_KNOWN
    rows: list[Row] = []
    gpus = 0.0
    if advice:
        whole = layers.layer_dollars(advice)
        for plan, layer in _layers(advice):
            mean = layer.mean_gpus
            gpus += mean
            name = tr("{first}, {second}", first=pool_title(plan), second=_term(layer))
            usd = _money(whole[layers.layer_key(plan, layer)])
            rows.append(_row(name, numbers.one_decimal(mean), usd, opens=_layer_figure(plan, layer)))
        for idle, idle_usd in zip(advice.idle_existing, layers.idle_dollars(advice), strict=True):
            if idle.gpus:
                gpus += idle.gpus
                name = tr("Idle existing \u00b7 {gpu_model}", gpu_model=idle.gpu_model or tr("unknown model"))
                rows.append(_row(name, numbers.one_decimal(idle.gpus), _money(idle_usd)))
    spend = numbers.sum_of(total, numbers.whole)
    rows.append(_total(tr("Spend in the plan"), numbers.one_decimal(gpus), spend))
    now = shown.evaluation.audit.spend_parts
    return Why(
        title=tr(long_text("spend_now_and_plan", now=numbers.sum_of(now), total=numbers.sum_of(total))),
        formula=spoken(OF_PLAN),
        note=tr("On-demand GPUs are a mean over the hours."),
        columns=(Column(title="Layer", is_figure=False), Column(title="GPUs"), Column(title="$ per month")),
        rows=tuple(rows),
        remark=" ".join(
            filter(None, (month_sentence(shown), _band_sentence(shown), spoken(_by_hand_sentence(advice))))
        ),
        inputs=inputs_of(shown),
        readings_title=tr("For comparison, $ per month"),
        readings=(
            (tr("Today"), numbers.sum_of(now, numbers.whole)),
            (
                spoken(PLAN["do_nothing"].title),
                numbers.sum_of(cost_sum(advice, "do_nothing") if advice else NOTHING_KNOWN, numbers.whole),
            ),
            (spoken(PLAN["on_demand_equivalent"].title), by_use),
        ),
    )


def _band_sentence(shown: ViewState) -> str:
    """What the range from P10 to P90 is and how well it held so far, or why there is none."""
    if shown.advice is not None and shown.advice.totals.plan is None:
        of, none = plan_sum(shown.advice), tr("No P10–P90: a rate is missing")
        return f"{spoken(lacking_sentences(of))} {none}" if of.is_at_least else none
    band = range_of(shown)
    if band.p10_usd_per_month is None:
        return f"{tr(NO_RANGE)}." if shown.outlook else ""
    low, high = numbers.whole(band.p10_usd_per_month), numbers.whole(band.p90_usd_per_month)
    return tr(
        "P10\u2013P90, {low} to {high} next month: {drawn}. So far: {tested}.",
        low=low,
        high=high,
        drawn=spoken(bands.drawn_words(band)),
        tested=spoken(bands.coverage_words(band)),
    )


def _by_hand_sentence(advice: Advice | None) -> Text:
    """What the advice minimises, where a level was set by hand: it need not be the cheapest next month."""
    by_hand = advice is not None and any(plan.by_hand.is_set for plan in advice.pools)
    title, value = tr("Levels set by you"), term_rows.WHAT_THE_ADVICE_MINIMISES
    return tr("{title}: {value}", title=title, value=value) if by_hand else ""


def savings(shown: ViewState) -> Why:
    """Doing nothing less the plan, by step; what leads from today to doing nothing; what separate pools cost."""
    totals = shown.advice.totals if shown.advice else None
    now = totals.today if totals else None
    plan = totals.plan if totals else None
    nothing = totals.do_nothing if totals else None
    saved = totals.savings_vs_do_nothing if totals else None
    apart = shown.outlook.separation.cost_usd() if shown.outlook else None
    share = saved_share(saved, nothing)
    off = None if nothing is None or plan is None or saved is None else _cut_off(saved, nothing, -plan)
    story = plan_money.story_of_plan(shown, shown.advice) if shown.advice else None
    by_key = {row.key: row for row in story.steps} if story else {}
    rows = [
        _row(tr("Do nothing: no new commitments"), numbers.whole(nothing), opens=figure("plan_nothing")),
        _row(tr("Plan"), numbers.whole(None if plan is None else -plan), opens=figure("plan_usd")),
        *([_row(tr("Rounding"), _money(off))] if off else []),
        _total(spoken(PLAN["savings_vs_do_nothing"].title), numbers.whole(saved)),
        *(_step_row(by_key[name]) for name in SAVING_STEPS if name in by_key),
        _total(tr("Savings by source"), numbers.whole(saved)),
        _row(tr("Today"), numbers.whole(now), opens=figure("spend")),
        *(_step_row(by_key[name], is_cost=True) for name in OTHER_STEPS if name in by_key),
        _total(tr("Do nothing: not a saving"), numbers.whole(nothing)),
        _total(tr("Today less the plan"), numbers.whole(totals.savings if totals else None)),
    ]
    if apart is not None and plan is not None:
        word = tr("Minus: cost of separation") if apart >= 0 else tr("Plus: savings of separation")
        shared = tr("The same workloads in one pool per GPU model")
        total = _total(shared, numbers.whole(round(plan) - round(apart)))
        rows += [_row(tr("Plan"), numbers.whole(plan)), _row(word, numbers.whole(-apart)), total]
    return Why(
        title=tr("Savings: {saved} per month", saved=numbers.dollars(saved)),
        formula=tr("Savings = next month's cost without new orders − the plan's spend"),
        note=tr("With the assumptions below.")
        if share is None
        else tr("{share} of do nothing. Assumptions: below.", share=numbers.percent(share, 2)),
        columns=(Column(title="", is_figure=False), Column(title="$ per month")),
        rows=tuple(rows),
        remark=" ".join(
            filter(
                None,
                (
                    why_no_savings(shown),
                    month_sentence(shown),
                    describe_separation_cost(apart),
                    spoken(avoided_words(shown.evaluation.audit)),
                    spoken(bought_words(story.buy)) if story else "",
                    spoken(_by_hand_sentence(shown.advice)),
                ),
            )
        ),
        inputs=inputs_of(shown),
        readings_title=tr("Assumptions"),
        readings=_assumed(shown),
    )


def _step_row(step: StoryRow, *, is_cost: bool = False) -> Row:
    """A step as it saves, or as it costs; where it is unknown why it is."""
    if (usd := step.saved_per_month) is None:
        return _row(f"{spoken(step.called)} ({spoken(step.meaning)})", numbers.UNKNOWN)
    return _row(spoken(step.called), _money(-usd if is_cost else usd), opens=figure("savings_step", step.key))


def describe_separation_cost(apart: float | None) -> str:
    """Return what one shared pool would cost against separate pools."""
    if apart is None:
        return tr("Calculating the cost of separate pools.")
    if round(apart) == 0:
        return tr("One pool per GPU model would cost the same.")
    usd = numbers.dollars(abs(apart))
    if apart > 0:
        return tr(long_text("shared_pool_saves", usd=usd))
    return tr(long_text("shared_pool_costs_more", usd=usd))


def unused(shown: ViewState) -> Why:
    """Now: contracts; in the plan: the unused part of new commitments, and existing GPUs that stand idle."""
    advice, audit = shown.advice, shown.evaluation.audit
    now, total = idle_today.unused_now(shown), cost_sum(advice, "unused_plan") if advice else NOTHING_KNOWN
    rows: list[Row] = []
    amounts = _adding([row.unused_per_month for row in audit.contracts], now.written)
    for row, amount in zip(audit.contracts, amounts, strict=True):
        opens = figure("contract_unused", row.contract_id)
        rows.append(_row(row.contract_id, numbers.percent(row.utilization, 2), amount, opens=opens))
    rows.append(_total(tr("Idle cost today"), "", numbers.sum_of(now, numbers.whole)))
    if advice:
        rows += _unused_in_plan(advice)
        rows.append(_total(tr("Idle cost in the plan"), "", numbers.sum_of(total, numbers.whole)))
    return Why(
        title=tr(long_text("idle_now_and_plan", now=numbers.sum_of(now), total=numbers.sum_of(total))),
        formula=tr(long_text("idle_in_plan")),
        note=tr(long_text("idle_today")) + tr(AGES),
        columns=(
            Column(title="", is_figure=False),
            Column(title=titles.USED),
            Column(title="Idle cost\n$ per month"),
        ),
        rows=tuple(rows),
        remark="",
        inputs=inputs_of(shown),
    )


def _unused_in_plan(advice: Advice) -> list[Row]:
    """New commitments, then existing GPUs by model; idle rows in the dollars that the plan's spend shows."""
    serving: dict[str | None, float] = {}
    new: list[tuple[PoolPlan, Layer]] = []
    lost: list[float | None] = []
    for plan, layer in _layers(advice):
        if layer.existing:
            serving[plan.gpu_model] = serving.get(plan.gpu_model, 0.0) + layer.gpus
        elif layer.term_months:
            new.append((plan, layer))
            lost.append(layer.unused_per_month)
    total, idle_usd = advice.totals.unused_plan, layers.idle_dollars(advice)
    rest = None if total is None or None in idle_usd else round(total) - sum(usd or 0 for usd in idle_usd)
    rows = [
        _row(
            tr("New: {plan}, {layer}", plan=pool_title(plan), layer=_term(layer)),
            numbers.percent(layer.utilization, 2),
            amount,
        )
        for (plan, layer), amount in zip(new, _adding(lost, rest), strict=True)
    ]
    for idle, amount in zip(advice.idle_existing, idle_usd, strict=True):
        if idle.gpus:
            used = serving.get(idle.gpu_model, 0.0)
            model, gpus = idle.gpu_model or tr("unknown model"), numbers.one_decimal(idle.gpus)
            name = tr("Existing \u00b7 {gpu_model}, {gpus} idle", gpu_model=model, gpus=gpus)
            rows.append(_row(name, numbers.percent(used / (used + idle.gpus), 2), _money(amount)))
    return rows


def utilization_in_plan(shown: ViewState) -> Why:
    """Used and paid GPU-hours of a month: today by cluster, in the plan by what pays for them."""
    audit, advice = shown.evaluation.audit, shown.advice
    after = advice.totals.effective_utilization_plan if advice else None
    return Why(
        title=tr(
            "Effective utilization: {effective_utilization_now} now, {after} in the plan",
            effective_utilization_now=numbers.percent(audit.effective_utilization),
            after=numbers.percent(after),
        ),
        formula=tr("Effective utilization = allocated GPU-hours ÷ paid GPU-hours"),
        note=tr("Allocation, not activity. On-demand GPUs count as used.") + tr(AGES),
        columns=UTILIZATION_COLUMNS,
        rows=(*utilization_now(shown), *(_utilization_rows(advice) if advice else ())),
        remark=tr("Today's overflow has no contract: only the plan's rows count it.")
        + (f" {spoken(asked_words(advice))}." if advice and advice.asked_models else ""),
        inputs=inputs_of(shown),
    )


def utilization_now(shown: ViewState) -> tuple[Row, ...]:
    """A row a cluster and their total, GPU-hours of a month."""
    audit, months = shown.evaluation.audit, shown.evaluation.project.window.months
    known = [row for row in audit.clusters if row.used_gpu_hours is not None]
    used = [(row.used_gpu_hours or 0.0) / months for row in known]
    paid = [(row.paid_gpu_hours or 0.0) / months for row in known]
    shares = [row.utilization for row in known]
    names = [row.cluster for row in known]
    *rows, total = _hours_rows(names, used, paid, shares, tr("Now"), audit.effective_utilization)
    led = (replace(row, key=figure("utilization", name)) for row, name in zip(rows, names, strict=True))
    return (*led, total)


def _utilization_rows(advice: Advice) -> tuple[Row, ...]:
    """GPU-hours used and paid a month, existing contracts by model and new layers by pool, with their sum."""
    parts = used_hours(advice)
    return _hours_rows(
        [_part_name(part) for part in parts],
        [part.used for part in parts],
        [part.paid for part in parts],
        [part.share for part in parts],
        tr("In the plan"),
        advice.totals.effective_utilization_plan,
    )


def _part_name(hours: UsedHours) -> str:
    """What uses and pays for GPU-hours."""
    if hours.layer is None:
        return tr("Existing \u00b7 {model}", model=hours.gpu_model or tr("unknown model"))
    plan, layer = hours.layer
    return tr("{first}, {second}", first=pool_title(plan), second=_term(layer))


def _hours_rows(
    names: list[str],
    used: list[float],
    paid: list[float],
    shares: list[float | None],
    label: str,
    share: float | None,
) -> tuple[Row, ...]:
    """Rows of used, paid and share, rounded to add up; what is paid by use is paid as used to the hour."""
    tops = largest_remainder([*used], sum(used))
    by_use = [top == bottom for top, bottom in zip(used, paid, strict=True)]  # paid as it is used
    left = iter(largest_remainder([amount for amount, same in zip(paid, by_use, strict=True) if not same]))
    bottoms = [top if same else next(left) for top, same in zip(tops, by_use, strict=True)]
    rows = [
        _row(name, _money(top), _money(bottom), numbers.percent(part, 2))
        for name, top, bottom, part in zip(names, tops, bottoms, shares, strict=True)
    ]
    asked_for, of_all = numbers.whole(sum(used)), numbers.whole(sum(row or 0 for row in bottoms))
    total = _total(label, asked_for, of_all, numbers.percent(share, 2))
    return (*rows, total)


def lock_in(shown: ViewState) -> Why:
    """$ x months of new commitments and of running contracts, over the plan's $."""
    advice, project = shown.advice, shown.evaluation.project
    totals = advice.totals if advice else None
    after, plan_usd = (totals.lock_in_months, totals.plan) if totals else (None, None)
    names: list[str] = []
    products: list[float | None] = []
    months: list[float] = []
    new_whole: list[int | None] = []
    if advice:
        whole = layers.layer_dollars(advice)
        for plan, layer in _layers(advice):
            if layer.is_new:
                names.append(tr("New: {plan}, {layer}", plan=pool_title(plan), layer=_term(layer)))
                products.append(layer.bound)
                months.append(float(layer.term_months or 0))
                new_whole.append(whole[layers.layer_key(plan, layer)])
        for contract in in_month(advice.contracts, project.plan_window, 0):
            names.append(contract.contract_id)
            products.append(bound_usd(contract, project.plan_window))
            months.append(remaining_months(contract, project.plan_window))
            usd = usd_in_month((contract,), project.plan_window, 0)
            new_whole.append(None if usd is None else round(usd))
    weighted = advice.inputs.bound if advice else None
    bound = _adding(products, weighted)
    rows = [
        _row(name, _money(usd), numbers.rate(span), product)
        for name, usd, span, product in zip(names, new_whole, months, bound, strict=True)
    ]
    if plan_usd is not None and None not in new_whole:
        free = round(plan_usd) - sum(usd for usd in new_whole if usd is not None)
        rows.append(_row(tr("On demand: no commitment"), numbers.whole(free), numbers.rate(0.0), "0"))
    of_month, of_year = numbers.one_decimal(after), numbers.whole(weighted)
    rows.append(_total(tr(titles.THE_PLAN), numbers.whole(plan_usd), of_month, of_year))
    now = shown.evaluation.audit.lock_in_now_months
    return Why(
        title=tr(
            long_text(
                "term_left_now_and_plan", now=numbers.one_decimal(now), after=numbers.one_decimal(after)
            )
        ),
        formula=tr("Average term left = Σ of $ × months left ÷ the plan's $"),
        note=tr(
            "{weighted} committed ÷ {plan_usd} per month = {after} months. Contracts count to their end, or "
            "else their notice.",
            weighted=numbers.dollars(weighted),
            plan_usd=numbers.dollars(plan_usd),
            after=numbers.one_decimal(after),
        ),
        columns=(
            Column(title="", is_figure=False),
            Column(title="$ per month"),
            Column(title="Months left"),
            Column(title="$ \u00d7 months"),
        ),
        rows=tuple(rows),
        remark=tr("Products are computed before rounding. A month is 730 h."),
        inputs=inputs_of(shown),
        readings_title=tr("Today"),
        readings=((tr("Average term left today, months"), numbers.one_decimal(now)),),
    )


def _assumed(shown: ViewState) -> Pairs:
    """The assumptions that advice on terms rests on."""
    project = shown.evaluation.project
    plans = [plan for plan in project.scenarios if plan.name == shown.evaluation.scenario]
    values = project.assumptions_in(plans[0]) if plans else project.assumptions
    return (
        (tr("Attrition"), churn_words(values)[0]),
        (tr("Price decline"), tr("{value} per month", value=numbers.percent(values.delta))),
        *_volatilities(shown),
        (tr("Growth"), tr("{value} per month", value=numbers.percent(values.growth))),
        (tr("Cost of capital"), tr("{wacc} per year", wacc=numbers.percent(values.wacc))),
    )


def _volatilities(shown: ViewState) -> Pairs:
    """Of each pool and model: what is taken and where it comes from; all of them once where they are one."""
    plans = shown.advice.pools if shown.advice else ()
    found = {
        spoken(pool_title(plan)): tr("{value} per month", value=numbers.percent(plan.demand.volatility.sigma))
        for plan in plans
    }
    sources = dict.fromkeys(spoken(source_words(plan.demand.volatility)) for plan in plans)
    by = tuple((tr("Volatility is"), source) for source in sources)
    if len(set(found.values())) == 1:
        return ((tr("Volatility"), next(iter(found.values()))), *by)
    return (*((tr("Volatility, {pool}", pool=pool), words) for pool, words in found.items()), *by)


def _layers(advice: Advice) -> tuple[tuple[PoolPlan, Layer], ...]:
    """Every layer with the pool it is of."""
    return tuple((plan, layer) for plan in advice.pools for layer in plan.layers)


def _term(layer: Layer) -> str:
    """What a layer is: existing, its months, or how it is paid by use."""
    return spoken(layer_in_sentence(layer))


def _money(value: int | None) -> str:
    """Whole dollars; a dash where they are unknown."""
    return numbers.UNKNOWN if value is None else numbers.whole(value)


def _adding(values: list[float | None], total: float | None) -> list[str]:
    """Whole numbers that add up to the total as it is shown, as texts."""
    return [_money(value) for value in largest_remainder(values, total if None not in values else None)]


def _cut_off(total: float, *parts: float) -> int:
    """The whole dollars by which a rounded total is off its rounded parts, each written as it is everywhere."""
    return round(total) - sum(map(round, parts))


def _row(name: str, *texts: str, opens: str = "") -> Row:
    """A row of name and texts, which may open something."""
    return Row((Cell(text=name, is_strong=True), *(Cell(text=text) for text in texts)), key=opens)


def _layer_figure(plan: PoolPlan, layer: Layer) -> str:
    """The id of a layer's dollars a month."""
    return figure("layer_usd", row_subject(plan, part_of(layer)))


def _leading_on(answer: Why) -> Why:
    """With an arrow beside every row that opens another answer."""
    if not any(row.key for row in answer.rows):
        return answer
    rows = tuple(
        replace(row, cells=(*row.cells, Cell(icon="chevron_right" if row.key else ""))) for row in answer.rows
    )
    return replace(answer, columns=(*answer.columns, Column(title="", is_figure=False, width=24)), rows=rows)


def _total(name: str, *texts: str) -> Row:
    """The row of the sum."""
    return Row((Cell(text=name), *(Cell(text=text) for text in texts)), True)


ANSWERS: Final[dict[str, Callable[[ViewState], Why]]] = {
    "spend": spend_in_plan,
    "savings": savings,
    "unused_per_month": unused,
    "utilization": utilization_in_plan,
    "lock_in": lock_in,
}
"""Figure of a plan's headline -> its answer; those of the audit are traces (app/past/audit_answers.py)."""


def why(figure_id: str, shown: ViewState) -> Why:
    """The answer for one figure of a plan's headline."""
    return _leading_on(ANSWERS[figure_id](shown))


# --- What is shown as what answers stand on: the evidence of a plan and of costs, from the window's own
# figures


def plan_evidence(
    shown: ViewState,
    now_s: int | None,
    walked: Any = None,
    cases: Any = (),
    selected: tuple[str, ...] = (),
    alone: Any = (),
) -> PlanEvidence:
    """Of what is shown; walked: a backtest that is there; cases: the plan at other rates; alone: with one provider;
    selected: keys of cards.

    now_s: the day it is, epoch seconds."""
    evaluation = shown.evaluation
    project = evaluation.project
    hours = max(1, project.window.hours)
    names = told_apart(shown.cards)
    return PlanEvidence(
        project=project,
        scenario=evaluation.scenario,
        audit=evaluation.audit,
        advice=shown.advice,
        offers=shown.offers,
        cards=tuple(
            PlacedCard(
                key=card.key,
                name=names[card.key],
                pool=card.pool,
                in_review=card.in_review,
                gpu_hours_per_month=card.gpu_hours_per_month,
                usd_per_month=shown.usd.get(card.key),
                milli_gpu_seconds=card.milli_gpu_seconds,
                times=card.times,
            )
            for card in shown.cards
        ),
        due=() if shown.advice is None else seen_in(project, now_s).to_approve(shown.advice.orders),
        is_today=shown.is_today,
        mean_gpus={
            pool: float(evaluation.figures.hourly[pool].sum()) / MILLI_GPU_SECONDS_PER_GPU_HOUR / hours
            for pool in POOLS
        },
        backtest=None if walked is None else walked.backtest,
        variants=() if walked is None else tuple(walked.variants),
        whole_usd={
            **_whole_of_use(shown),
            **({} if shown.is_today or shown.advice is None else _whole_usd(shown, shown.advice, now_s)),
        },
        cases=tuple(cases),
        alone=tuple(alone),
        outlook=shown.outlook or NOT_YET,
        selected=selected,
        before=shown.before,
        idle_usd=shown.idle_usd,
    )


def _whole_of_use(shown: ViewState) -> dict[str, int]:
    """What the panel Utilization writes: rows of a view add up to its sum."""
    use = shown.evaluation.audit.use
    found: dict[str, int] = {}
    for view, report in USES.items() if use is not None else ():
        rows = report.rows_in(Medium.WINDOW, use)
        money = next(column for column in report.columns_in(Medium.WINDOW) if column.name == "cost_per_month")
        for row, whole in zip(rows, whole_amounts(report, money, rows), strict=True):
            if whole is not None:
                found[figure("use_usd", row.subject, view)] = whole
    return found


def _whole_usd(shown: ViewState, advice: Advice, now_s: int | None) -> dict[str, int]:
    """Figures of a plan in the whole dollars that its panels write, by figure id; what is unknown is left out."""
    dollars: dict[str, int | None] = {
        amount.figure_id: whole_dollars(amount.usd) for amount in plan_money.plan_amounts(shown)
    }
    for plan in advice.pools:
        parts = layers.term_dollars(advice, plan)
        for (is_existing, category, months), usd in parts.items():
            if is_existing:
                part = EXISTING
            elif months:
                part = str(months)
            else:
                part = f"{BY_USE}-{category.value}"
            dollars[figure("layer_usd", row_subject(plan, part))] = usd
        all_of_it = list(parts.values())
        dollars[figure("layer_usd", row_subject(plan, ALL))] = _sum(all_of_it)
    for idle, usd in zip(advice.idle_existing, layers.idle_dollars(advice), strict=True):
        dollars[figure("idle_usd", idle.gpu_model or "")] = usd
    for order in advice.orders:
        dollars[figure("order_usd", order_subject(order))] = layers.order_dollars(order, advice)
    due = seen_in(shown.evaluation.project, now_s).to_approve(advice.orders)
    first = (order for order in due if layers.is_in_first_month(order, advice))
    dollars[figure("orders_usd")] = _sum([layers.order_dollars(order, advice) for order in first])
    return {figure_id: usd for figure_id, usd in dollars.items() if usd is not None}


def _sum(values: list[int | None]) -> int | None:
    """The sum of whole dollars; None if one is unknown."""
    return None if None in values else sum(value for value in values if value is not None)


def cost_evidence(costs: Any) -> CostEvidence:
    """Of the costs that the panel shows."""
    return CostEvidence(
        unit=costs.unit,
        variance=costs.variance,
        past=costs.past,
        charged=costs.charged,
        business=costs.business,
    )
