"""Why the five figures of a plan's headline are what they are: rows with their sums, of today and of the plan."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from gpuplanner.domain.commitment.demand.volatility import source_words
from gpuplanner.domain.commitment.outlook_result import NO_RANGE, NOT_YET, trusted_band
from gpuplanner.domain.commitment.plan.comparison import saved_share
from gpuplanner.domain.commitment.plan.layers import idle_dollars, layer_dollars, layer_key
from gpuplanner.domain.commitment.plan.totals import (
    UsedHours,
    asked_words,
    cost_sum,
    plan_sum,
    unused_today,
    used_hours,
)
from gpuplanner.domain.commitment.result import Advice, Layer, PoolPlan
from gpuplanner.domain.commitment.savings import SavingsStory, StoryRow, savings_story
from gpuplanner.domain.commitment.words.assumed import AGES, WHAT_THE_ADVICE_MINIMISES, churn_words
from gpuplanner.domain.commitment.words.bands import coverage_words, drawn_words
from gpuplanner.domain.commitment.words.months import month_sentence
from gpuplanner.domain.commitment.words.savings import (
    OTHER_STEPS,
    SAVING_STEPS,
    avoided_words,
    bought_words,
    no_savings_words,
)
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.money import BOUND, MONTHS_LEFT
from gpuplanner.domain.evidence.plan.layers import HOURS, PlanEvidence, part_of, row_name
from gpuplanner.domain.evidence.plan.orders import OF_PLAN, SPENT, spend_rows
from gpuplanner.domain.evidence.plan.totals import (
    OF_LOCK_IN,
    OF_UNUSED,
    UNUSED,
    lock_in_rows,
    running_contracts,
    unused_rows,
)
from gpuplanner.domain.evidence.trace import Amount, TraceColumn, TraceRow, Value, figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.typed import amount, decimals, percent, whole
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.amounts import (
    NOTHING_KNOWN,
    PartSum,
    lacking_sentences,
    largest_remainder,
    sum_text,
    whole_dollars,
)
from gpuplanner.domain.model.book.contract import usd_in_month
from gpuplanner.domain.reports.plan_layers import pool_words
from gpuplanner.lazy_dataclass import dataclass, replace


@dataclass(frozen=True, slots=True)
class Part:
    """Rows, and the row that they come to. Amounts are rounded together, so that a column adds up as it is written."""

    rows: tuple[TraceRow, ...]
    total: TraceRow


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineAnswer:
    """The explanation of a figure of the headline.

    words: the formula in words. heading: of the names of rows. remark: what else the figure depends on. readings: other
    figures, under readings_title.
    """

    title: Text
    words: Text
    note: Text
    columns: tuple[TraceColumn, ...]
    parts: tuple[Part, ...]
    heading: Text = ""
    remark: Text = ""
    readings_title: Text = ""
    readings: tuple[tuple[Text, Value], ...] = ()


def of_spend(evidence: PlanEvidence) -> HeadlineAnswer:
    """Layers by pool and existing GPUs that stand idle, down to the plan's spend."""
    advice = evidence.advice
    now, total = evidence.audit.spend_parts, plan_sum(advice) if advice else NOTHING_KNOWN
    nothing = cost_sum(advice, "do_nothing") if advice else NOTHING_KNOWN
    by_use = advice.totals.on_demand_equivalent if advice else None
    exact = spend_rows(evidence)
    gpus = sum(_number(row.values[0]) or 0.0 for row in exact)
    usd = [*_whole_layers(advice, evidence.layers), *idle_dollars(advice)] if advice else []
    rows = _with_column(exact, 1, usd)
    return HeadlineAnswer(
        title=worded(
            "Spend: {now} today, {total} in the plan, per month", now=sum_text(now), total=sum_text(total)
        ),
        words=OF_PLAN,
        note=worded("On-demand GPUs are a mean over the hours."),
        heading=worded("Layer"),
        columns=SPENT,
        parts=(Part(rows, TraceRow(worded("Spend in the plan"), (gpus, _sum(total)))),),
        remark=_sentences(_month_sentence(evidence), _band_sentence(evidence), _by_hand_sentence(advice)),
        readings_title=worded("For comparison, $ per month"),
        readings=(
            (worded("Today"), _sum(now)),
            (PLAN["do_nothing"].title, _sum(nothing)),
            (PLAN["on_demand_equivalent"].title, Amount(by_use, "usd")),
        ),
    )


def of_savings(evidence: PlanEvidence) -> HeadlineAnswer:
    """Doing nothing less the plan, by step; what leads from today to doing nothing; what separate pools cost."""
    advice, project = evidence.advice, evidence.project
    totals = advice.totals if advice else None
    saved, nothing = (totals.savings_vs_do_nothing, totals.do_nothing) if totals is not None else (None, None)
    share = saved_share(saved, nothing)
    story = None
    if advice is not None:
        story = savings_story(advice, evidence.outlook, evidence.audit, project.has_spend)
    apart = evidence.outlook.separation.cost_usd()
    return HeadlineAnswer(
        title=worded("Savings: {saved} per month", saved=amount(saved)),
        words=worded("Savings = next month's cost without new orders − the plan's spend"),
        note=worded("With the assumptions below.")
        if share is None
        else worded("{share} of do nothing. Assumptions: below.", share=percent(share, 2)),
        columns=(TraceColumn(worded("$ per month"), "usd"),),
        parts=_parts_of_savings(advice, story, apart),
        remark=_sentences(
            no_savings_words(advice),
            _month_sentence(evidence),
            separation_words(apart),
            avoided_words(evidence.audit),
            bought_words(story.buy) if story else "",
            _by_hand_sentence(advice),
        ),
        readings_title=worded("Assumptions"),
        readings=_assumed(evidence),
    )


def _parts_of_savings(
    advice: Advice | None, story: SavingsStory | None, apart: float | None
) -> tuple[Part, ...]:
    """Return what the savings are the difference of, their steps, the way from today, and separate pools if known."""
    totals = advice.totals if advice else None
    today, plan, nothing, saved, below_today = (
        whole_dollars(usd)
        for usd in (
            (totals.today, totals.plan, totals.do_nothing, totals.savings_vs_do_nothing, totals.savings)
            if totals
            else (None,) * 5
        )
    )
    minus_plan = trace.less(plan)
    cut_off = None if None in (nothing, plan, saved) else (saved or 0) - (nothing or 0) + (plan or 0)
    by_key = {row.key: row for row in story.steps} if story else {}
    of_nothing = (
        TraceRow(worded("Do nothing: no new commitments"), (nothing,), figure("plan_nothing")),
        TraceRow(worded("Plan"), (minus_plan,), figure("plan_usd")),
        *([TraceRow(worded("Rounding"), (cut_off,))] if cut_off else []),
    )
    steps = (_step_row(by_key[key]) for key in SAVING_STEPS if key in by_key)
    others = (_step_row(by_key[key], is_cost=True) for key in OTHER_STEPS if key in by_key)
    parts = [
        Part(of_nothing, TraceRow(PLAN["savings_vs_do_nothing"].title, (saved,))),
        Part(tuple(steps), TraceRow(worded("Savings by source"), (saved,))),
        Part(
            (TraceRow(worded("Today"), (today,), figure("spend")), *others),
            TraceRow(worded("Do nothing: not a saving"), (nothing,)),
        ),
        Part((), TraceRow(worded("Today less the plan"), (below_today,))),
    ]
    if apart is not None and plan is not None:
        word = worded("Minus: cost of separation") if apart >= 0 else worded("Plus: savings of separation")
        shared = worded("The same workloads in one pool per GPU model")
        rows = (TraceRow(worded("Plan"), (plan,)), TraceRow(word, (-round(apart),)))
        parts.append(Part(rows, TraceRow(shared, (plan - round(apart),))))
    return tuple(parts)


def _step_row(step: StoryRow, *, is_cost: bool = False) -> TraceRow:
    """Return a step as it saves, or as it costs; where it is unknown with the reason."""
    usd = step.saved_per_month
    if usd is None:
        return TraceRow(joined((step.called, " (", step.meaning, ")")), (None,))
    return TraceRow(step.called, (-usd if is_cost else usd,), figure("savings_step", step.key))


def separation_words(apart: float | None) -> Text:
    """Return what one shared pool would cost compared with separate pools. apart: $ a month that these cost."""
    if apart is None:
        return worded("Calculating the cost of separate pools.")
    if round(apart) == 0:
        return worded("One pool per GPU model would cost the same.")
    usd = amount(abs(apart))
    if apart > 0:
        return worded(
            "One pool per GPU model would save another {usd} per month: separate pools do not share peaks.",
            usd=usd,
        )
    return worded(
        "One pool per GPU model would cost {usd} per month more: separate pools do not share peaks.", usd=usd
    )


def of_unused(evidence: PlanEvidence) -> HeadlineAnswer:
    """Contracts today; in the plan the unused part of new commitments, and existing GPUs that stand idle."""
    advice, audit = evidence.advice, evidence.audit
    now, total = unused_today(audit, advice), cost_sum(advice, "unused_plan") if advice else NOTHING_KNOWN
    rows = [
        TraceRow(
            row.contract_id,
            (row.figures.get("paid_per_month"), row.utilization, row.unused_per_month),
            figure("contract_unused", row.contract_id),
        )
        for row in audit.contracts
    ]
    adding = _adding([row.unused_per_month for row in audit.contracts], now.written)
    sums = [Part(_with_column(rows, 2, adding), TraceRow(worded("Idle cost today"), ("", "", _sum(now))))]
    if advice:
        title = worded("Idle cost in the plan")
        sums.append(Part(_unused_in_plan(evidence, advice), TraceRow(title, ("", "", _sum(total)))))
    return HeadlineAnswer(
        title=worded(
            "Idle cost: {now} now, {total} in the plan, per month", now=sum_text(now), total=sum_text(total)
        ),
        words=OF_UNUSED,
        note=_sentences(
            worded(
                "Idle cost today = contract GPUs without a job, mean over hours. GPUs idle off peak cannot serve a "
                "peak."
            ),
            AGES,
        ),
        columns=UNUSED,
        parts=tuple(sums),
    )


def _unused_in_plan(evidence: PlanEvidence, advice: Advice) -> tuple[TraceRow, ...]:
    """Return new commitments and idle existing GPUs in whole dollars; idle ones as the plan's spend has them."""
    new = [(plan, layer) for plan, layer in evidence.layers if layer.is_new]
    total, idle = advice.totals.unused_plan, idle_dollars(advice)
    rest = None if total is None or None in idle else round(total) - sum(usd or 0 for usd in idle)
    lost = _adding([layer.unused_per_month for _, layer in new], rest)
    rows = _with_column(unused_rows(evidence), 0, [*_whole_layers(advice, new), *idle])
    return _with_column(rows, 2, [*lost, *idle])


def of_utilization(evidence: PlanEvidence) -> HeadlineAnswer:
    """Used and paid GPU-hours of a month: today by cluster, in the plan by what pays for them."""
    audit, advice = evidence.audit, evidence.advice
    after = advice.totals.effective_utilization_plan if advice else None
    parts = [_hours_part(_clusters(evidence), worded("Now"), audit.effective_utilization)]
    if advice:
        rows = [
            TraceRow(_paid_by(hours), (hours.used, hours.paid, hours.share)) for hours in used_hours(advice)
        ]
        parts.append(_hours_part(rows, worded("In the plan"), after))
    asked = asked_words(advice) if advice else ""
    return HeadlineAnswer(
        title=worded(
            "Effective utilization: {effective_utilization_now} now, {after} in the plan",
            effective_utilization_now=percent(audit.effective_utilization, 1),
            after=percent(after, 1),
        ),
        words=worded("Effective utilization = allocated GPU-hours ÷ paid GPU-hours"),
        note=_sentences(PLAN["effective_utilization_plan"].note, AGES),
        columns=(*HOURS[:2], TraceColumn(titles.UTILIZATION, "share")),
        parts=tuple(parts),
        remark=_sentences(
            worded("Today's overflow has no contract: only the plan's rows count it."),
            joined((asked, ".")) if asked else "",
        ),
    )


def _clusters(evidence: PlanEvidence) -> list[TraceRow]:
    """Return GPU-hours of a month used and paid of each cluster whose use is known."""
    months = evidence.project.window.months
    return [
        TraceRow(
            row.cluster,
            (row.used_gpu_hours / months, (row.paid_gpu_hours or 0.0) / months, row.utilization),
            figure("utilization", row.cluster),
        )
        for row in evidence.audit.clusters
        if row.used_gpu_hours is not None
    ]


def _paid_by(hours: UsedHours) -> Text:
    """Return what pays for GPU-hours."""
    if hours.layer is None:
        return worded("Existing \u00b7 {model}", model=hours.gpu_model or worded("unknown model"))
    plan, layer = hours.layer
    return row_name(plan, part_of(layer))


def _hours_part(rows: Sequence[TraceRow], label: Text, share: float | None) -> Part:
    """Return rows of used, paid and share, rounded to add up; what is paid by use is paid as used to the hour."""
    used, paid = ([_number(row.values[column]) or 0.0 for row in rows] for column in (0, 1))
    tops = largest_remainder([*used], sum(used))
    is_by_use = [top == bottom for top, bottom in zip(used, paid, strict=True)]
    left = iter(largest_remainder([hours for hours, same in zip(paid, is_by_use, strict=True) if not same]))
    bottoms = [top if same else next(left) for top, same in zip(tops, is_by_use, strict=True)]
    total = TraceRow(label, (sum(used), sum(hours or 0 for hours in bottoms), share))
    return Part(_with_column(_with_column(rows, 0, tops), 1, bottoms), total)


def of_lock_in(evidence: PlanEvidence) -> HeadlineAnswer:
    """$ × months of running contracts and of new commitments, over the plan's $."""
    advice, now = evidence.advice, evidence.audit.lock_in_now_months
    after, plan_usd, bound = (
        (advice.totals.lock_in_months, advice.totals.plan, advice.inputs.bound) if advice else (None,) * 3
    )
    rows = _lock_in_in_dollars(evidence, advice) if advice else ()
    division = worded(
        "{weighted} committed ÷ {plan_usd} per month = {after} months.",
        weighted=amount(bound),
        plan_usd=amount(plan_usd),
        after=decimals(after),
    )
    return HeadlineAnswer(
        title=worded(
            "Average term left: {now} months now, {after} in the plan",
            now=decimals(now),
            after=decimals(after),
        ),
        words=OF_LOCK_IN,
        note=_sentences(division, MONTHS_LEFT),
        columns=BOUND,
        parts=(Part(rows, TraceRow(titles.THE_PLAN, (plan_usd, after, bound))),),
        remark=worded("Products are computed before rounding. A month is 730 h."),
        readings_title=worded("Today"),
        readings=((worded("Average term left today, months"), Amount(now, "decimal")),),
    )


def _lock_in_in_dollars(evidence: PlanEvidence, advice: Advice) -> tuple[TraceRow, ...]:
    """Return the rows in whole dollars; what is paid on demand takes what the others leave of the plan's."""
    window = evidence.project.plan_window
    running = running_contracts(evidence, 0, all_of_them=False)
    of_contracts = (usd_in_month((contract,), window, 0) for contract in running)
    new = [(plan, layer) for plan, layer in evidence.layers if layer.is_new]
    signed = [whole_dollars(usd) for usd in of_contracts]
    signed += _whole_layers(advice, new)
    plan = advice.totals.plan
    free = None if plan is None or None in signed else round(plan) - sum(usd or 0 for usd in signed)
    rows = lock_in_rows(evidence)
    bound = _adding([_number(row.values[2]) for row in rows], advice.inputs.bound)
    return _with_column(_with_column(rows, 0, [*signed, free]), 2, bound)


def _assumed(evidence: PlanEvidence) -> tuple[tuple[Text, Text], ...]:
    """Return the assumptions that advice on terms rests on."""
    values = evidence.assumptions
    return (
        (worded("Attrition"), churn_words(values)),
        (worded("Price decline"), worded("{value} per month", value=percent(values.delta, 1))),
        *_volatilities(evidence.pools),
        (worded("Growth"), worded("{value} per month", value=percent(values.growth, 1))),
        (worded("Cost of capital"), worded("{wacc} per year", wacc=percent(values.wacc, 1))),
    )


def _volatilities(plans: Sequence[PoolPlan]) -> tuple[tuple[Text, Text], ...]:
    """Return the volatility of each pool and model with its source; once where all are one."""
    by_pool = [
        (pool_words(plan), worded("{value} per month", value=percent(plan.demand.volatility.sigma, 1)))
        for plan in plans
    ]
    sources = {str(words): words for words in (source_words(plan.demand.volatility) for plan in plans)}
    by = tuple((worded("Volatility is"), source) for source in sources.values())
    if len({str(words) for _, words in by_pool}) == 1:
        return ((worded("Volatility"), by_pool[0][1]), *by)
    return (*((worded("Volatility, {pool}", pool=pool), words) for pool, words in by_pool), *by)


def _month_sentence(evidence: PlanEvidence) -> Text:
    """Return why the spend of the first month may fall; empty while the plan is worked out."""
    if evidence.advice is None:
        return ""
    plan = evidence.project.scenario(evidence.scenario)
    return month_sentence(evidence.advice, evidence.project, plan)


def _band_sentence(evidence: PlanEvidence) -> Text:
    """Return what the range from P10 to P90 is and how well it held so far, or why there is none."""
    advice, outlook = evidence.advice, evidence.outlook
    if advice is not None and advice.totals.plan is None:
        lacks = plan_sum(advice)
        none = worded("No P10–P90: a rate is missing")
        return _sentences(lacking_sentences(lacks), none) if lacks.is_at_least else none
    if advice is None or outlook is NOT_YET:
        return ""
    band = trusted_band(outlook.uncertainty, advice.totals.plan, evidence.project.window.hours)
    if band.p10_usd_per_month is None:
        return joined((NO_RANGE, "."))
    return worded(
        "P10\u2013P90, {low} to {high} next month: {drawn}. So far: {tested}.",
        low=whole(band.p10_usd_per_month),
        high=whole(band.p90_usd_per_month),
        drawn=drawn_words(band),
        tested=coverage_words(band),
    )


def _by_hand_sentence(advice: Advice | None) -> Text:
    """Return what the advice minimizes where a level was set by the user: it need not be the cheapest next month."""
    if advice is None or not any(plan.by_hand.is_set for plan in advice.pools):
        return ""
    return worded("{title}: {value}", title=worded("Levels set by you"), value=WHAT_THE_ADVICE_MINIMISES)


def _sentences(*parts: Text) -> Text:
    """Return sentences one after another, without empty ones."""
    sentences = [part for part in parts if part]
    return joined(sentences, " ") if sentences else ""


def _sum(amounts: PartSum) -> Text:
    """Return whole dollars of a sum under a heading with the unit."""
    return joined((sum_text(amounts, whole),))


def _number(value: Value) -> float | None:
    """Return the number of a cell; None if it is text or unknown."""
    return value if isinstance(value, int | float) else None


def _whole_layers(advice: Advice, layers: Iterable[tuple[PoolPlan, Layer]]) -> list[int | None]:
    """Return the whole dollars a month of layers, as every table of the plan has them."""
    dollars = layer_dollars(advice)
    return [dollars[layer_key(plan, layer)] for plan, layer in layers]


def _adding(values: Sequence[float | None], total: float | None) -> list[int | None]:
    """Return whole numbers that add up to the rounded total, where all values are known."""
    return largest_remainder(values, None if None in values else total)


def _with_column(rows: Sequence[TraceRow], column: int, values: Sequence[int | None]) -> tuple[TraceRow, ...]:
    """Return rows with other values in a column."""
    return tuple(
        replace(row, values=(*row.values[:column], value, *row.values[column + 1 :]))
        for row, value in zip(rows, values, strict=True)
    )


ANSWERS: Final[dict[str, Callable[[PlanEvidence], HeadlineAnswer]]] = {
    "spend": of_spend,
    "savings": of_savings,
    "unused_per_month": of_unused,
    "utilization": of_utilization,
    "lock_in": of_lock_in,
}
"""Figure of a plan's headline -> its answer; those of today are traces of the audit."""
