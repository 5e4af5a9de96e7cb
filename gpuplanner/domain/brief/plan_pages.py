"""The pages of what is advised: the question and its answer, the plan's layers, and how far it can be trusted."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.brief.approval import (
    Approval,
    ask,
    commitment_figures,
    counted_gpus,
    day_sentences,
    now_words,
    purchase_sentences,
)
from gpuplanner.domain.brief.figure_words import (
    EN_DASH,
    change,
    counted,
    dollars,
    exact,
    joined,
    one_decimal,
    percent,
    whole,
)
from gpuplanner.domain.brief.pages import (
    Block,
    Column,
    DurationChart,
    LargeFigure,
    Line,
    MonthsChart,
    Page,
    TableBlock,
    TextBlock,
)
from gpuplanner.domain.brief.report_block import report_block
from gpuplanner.domain.brief.sensitivity import Sensitivity
from gpuplanner.domain.commitment.comparison.horizons import is_priced_ahead
from gpuplanner.domain.commitment.comparison.savings import step_usd
from gpuplanner.domain.commitment.outlook_result import Outlook, Uncertainty
from gpuplanner.domain.commitment.plan.totals import is_priced
from gpuplanner.domain.commitment.plan.unserved import OVER_BUDGET
from gpuplanner.domain.commitment.result import Advice, Layer, Order, Totals
from gpuplanner.domain.commitment.uncertainty.flips import flip_sentence
from gpuplanner.domain.commitment.words.band_words import SIZE_NAMES, coverage_words, drawn_words
from gpuplanner.domain.commitment.words.first_month import first_month_words
from gpuplanner.domain.commitment.words.sentences import coverage_sentences, npv_sentence
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.window import WINDOW
from gpuplanner.domain.figures.writing import day
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.contract_months import monthly_usd, running
from gpuplanner.domain.model.book.contracts_apart import any_ran
from gpuplanner.domain.model.book.term_words import term_words
from gpuplanner.domain.model.log.interruptions import source_words
from gpuplanner.domain.model.log.log_length import short_advice_words
from gpuplanner.domain.model.scenario.assumptions import ASSUMPTIONS, AssumptionSpec, AssumptionValue
from gpuplanner.domain.reports.plan.horizons import HORIZONS, QUESTION
from gpuplanner.domain.reports.plan.layers import LAYERS
from gpuplanner.domain.reports.plan.order_days import Seen
from gpuplanner.domain.reports.plan.plan_layers import PLAN_LAYERS
from gpuplanner.domain.reports.report import Medium


# The second half of the first page's title: what the plan comes to, beside doing nothing and beside today.
def answer(totals: Totals, has_today: bool) -> str:
    """has_today: there are contracts; without them the other side is all on demand, and what is spent today unknown."""
    current, plan, nothing = (
        totals.today,
        totals.plan,
        totals.do_nothing,
    )
    if plan is None:
        return "what the plan costs is unknown: a rate is missing, and a quote is needed before anything is signed"
    if nothing is None or current is None:
        return f"the plan costs {dollars(plan)} per month; what it is compared with is unknown, for a rate is missing"
    if leaves_to_nobody(totals):
        return f"the plan costs {dollars(plan)} per month and leaves demand to nobody, so what it saves is unknown"
    saved, now = round(nothing - plan), round(current - plan)  # as the tiles of the page round them
    if not has_today:
        return _answer_without_contracts(plan, current, saved, now)
    if saved == 0:
        return f"doing nothing is as good as anything on offer, {dollars(plan)} per month, {dollars(current)} today"
    beside = f"{_beside(saved)} than doing nothing and {_beside(now)} than today"
    return f"the plan costs {dollars(plan)} per month, {beside}"


def leaves_to_nobody(totals: Totals) -> bool:
    """Whether savings are unknown for demand that the plan leaves to nobody, and not for want of a rate.

    False where a rate is missing.
    """
    both = (totals.plan, totals.do_nothing)
    return None not in both and totals.savings_vs_do_nothing is None


def _answer_without_contracts(plan: float, on_demand: float, saved: int, less: int) -> str:
    """less: $ a month under all demand on demand; saved: under doing nothing."""
    if saved == 0:
        how = ", all on demand" if less == 0 else ""
        return f"doing nothing is as good as anything on offer, {dollars(plan)} per month{how}"
    beside = f"{_beside(less)} than all on demand ({dollars(on_demand)})"
    nothing = f"{_beside(saved)} than doing nothing and " if saved != less else ""
    return f"the plan costs {dollars(plan)} per month, {nothing}{beside}"


def _beside(saved: int) -> str:
    """$ less or more, in words."""
    return f"{dollars(abs(saved))} {'less' if saved >= 0 else 'more'}"


CURVES: Final = 2
MOST_FLIPS: Final = 4
MOST_NAMES: Final = 3
ASSUMPTIONS_SHOWN: Final = ("lambda", "delta", "sigma", "wacc", "growth", "horizon_months", "block")


def question_page(
    evaluation: Evaluation, advice: Advice, outlook: Outlook | None, totals: Totals, approval: Approval
) -> Page:
    """What to approve and by when, what the plan comes to, and what else to decide."""
    project = evaluation.project
    has_today = any_ran(project.contracts, project.window)
    rows: tuple[tuple[Block, ...], ...] = (
        (
            TextBlock("To decide", _decisions(evaluation, advice, outlook, approval)),
            _months(advice, approval.seen),
        ),
        *(((_horizons(evaluation),),) if is_priced_ahead(advice) else ()),
    )
    return Page(
        "question",
        "The question",
        _question_title(approval, totals, has_today),
        rows,
        (*commitment_figures(approval), *_headline(totals, has_today, outlook)),
    )


def _question_title(approval: Approval, totals: Totals, has_today: bool) -> str:
    """What to approve first, then what it comes to; what is unknown alone where nothing can be approved."""
    words = answer(totals, has_today)
    if totals.plan is not None:
        return f"{ask(approval)}: {words}"
    if approval.now and approval.usd is not None:
        return f"{ask(approval)}; what the plan costs is unknown: a rate is missing"
    return words[:1].upper() + words[1:]


def _headline(totals: Totals, has_today: bool, outlook: Outlook | None) -> tuple[LargeFigure, ...]:
    """has_today: there are contracts; without them nothing is said of today."""
    before = "today" if has_today else "all on demand"
    return (
        LargeFigure("plan", "Plan", "$ per month", totals.plan,
               dollars(totals.plan), f"{before} {dollars(totals.today)}"),
        LargeFigure("savings_vs_do_nothing", PLAN["savings_vs_do_nothing"].title, "$ per month",
               totals.savings_vs_do_nothing, dollars(totals.savings_vs_do_nothing),
               "unknown: demand is left to nobody" if leaves_to_nobody(totals)
               else f"against {before} {change(totals.savings)}{_demand_apart(outlook)}"),
    )  # fmt: skip


def _plan_figures(audit: Audit, totals: Totals, has_today: bool) -> tuple[LargeFigure, ...]:
    """What of the plan's GPUs stands idle, and how long it binds; has_today: there are contracts."""
    unused = f"today {dollars(totals.unused_now)}; stranded, metered "
    unused += dollars(audit.bridge.stranded_metered)
    return (
        LargeFigure("unused_plan", WINDOW["unused_per_month"].title, "$ per month",
               totals.unused_plan, dollars(totals.unused_plan),
               unused if has_today else ""),
        LargeFigure("effective_utilization_plan", PLAN["effective_utilization_plan"].title, "of GPU-hours paid",
               totals.effective_utilization_plan, percent(totals.effective_utilization_plan),
               f"today {percent(totals.effective_utilization_now)}" if has_today else ""),
        LargeFigure("lock_in_months", PLAN["lock_in_months"].title, "months, weighted by $", totals.lock_in_months,
               one_decimal(totals.lock_in_months),
               f"today {one_decimal(totals.lock_in_now_months)}" if has_today else ""),
    )  # fmt: skip


def _demand_apart(outlook: Outlook | None) -> str:
    """What of it came or fell away by itself; empty where nothing did."""
    usd = step_usd(outlook.savings_steps, "demand") if outlook else None
    return f", demand {change(-usd)} of it" if usd and round(usd) else ""


def _decisions(
    evaluation: Evaluation, advice: Advice, outlook: Outlook | None, approval: Approval
) -> tuple[str, ...]:
    """What is asked, what to sign, what ends, how sure it is: one sentence each."""
    window = evaluation.project.window
    clusters = len(evaluation.audit.clusters)
    said = [
        "Which GPUs, for which workloads, on what terms? Answered from the jobs of "
        f"{_length(window.hours)} on {counted(clusters, 'cluster')}, by {evaluation.scenario}.",
        *_left_out(evaluation),
        *_left_to_nobody(evaluation, advice),
        *day_sentences(approval),
    ]
    if approval.now or approval.later:
        said += [_to_sign(approval), *purchase_sentences(approval)]
    elif advice.totals.plan is None:
        said.append(
            "What to sign cannot be said yet: enter the rates that the page The plan marks as quotes needed."
        )
    elif not approval.left and not approval.over:
        said.append("Sign nothing now: no commitment on offer is worth its term.")
    if seems_less := first_month_words(advice):
        said.append(str(seems_less))
    young = [order for order in advice.orders if not order.is_certain]
    if young:
        said.append(
            f"{counted(len(young), 'order')} more would be worth it only if demand that is young lasts; no sum counts "
            f"{'it' if len(young) == 1 else 'them'}."
        )
    ending = [row for row in advice.verdicts if row.verdict != "keep"]
    if ending:
        said.append(
            f"Decide on {counted(len(ending), 'contract')} that end or change: see Existing contracts."
        )
    band = None if outlook is None else outlook.uncertainty
    if band is not None and band.p10_usd_per_month is not None:
        said.append(
            f"A month with all of the plan running costs {dollars(band.p10_usd_per_month)} to "
            f"{dollars(band.p90_usd_per_month)} in eight draws of ten (P10{EN_DASH}P90). {_tested(band)}."
        )
    return tuple(said)


def _left_out(evaluation: Evaluation) -> list[str]:
    """That a plan without existing contracts is one, and what they cost beside it while they run."""
    plan, project = evaluation.figures.basis.plan, evaluation.project
    there = [one for one in running(project.contracts, project.plan_window, 0) if one.is_committed]
    if not plan.greenfield or not there:
        return []
    usd = monthly_usd(there)
    cost = "an amount that is unknown" if usd is None else f"{dollars(usd)} per month"
    many = len(there)
    runs, end = ("runs", "it has ended") if many == 1 else ("run", "they have ended")
    return [
        f"This plan leaves existing contracts out, as if nothing were signed. {counted(many, 'commitment')} {runs} on "
        f"beside it, for {cost} that its amounts leave out: its savings are had only once {end}."
    ]


def _left_to_nobody(evaluation: Evaluation, advice: Advice) -> list[str]:
    """Which workloads the plan leaves to nobody, by why: its amounts do not have them."""
    names = {one.key: one.name for one in evaluation.in_parts.project.workloads}
    over = dict.fromkeys(one.key for one in advice.unserved if one.reason == OVER_BUDGET)
    others = dict.fromkeys(one.key for one in advice.unserved if one.reason != OVER_BUDGET)
    said = []
    for keys, why in ((over, "to keep to the budget"), (others, "by the offers there are")):
        if keys:
            first = [str(names.get(key, key)) for key in list(keys)[:MOST_NAMES]]
            if len(keys) > MOST_NAMES:
                first.append(f"{len(keys) - MOST_NAMES} more")
            verb = "is" if len(keys) == 1 else "are"
            said.append(
                f"{joined(first)} {verb} left to nobody {why}: no amount of the plan counts that work."
            )
    return said


def _to_sign(approval: Approval) -> str:
    """How much is to be signed now, all pools together, and how much later: it replaces contracts, or meets growth."""
    now, later = approval.now, approval.later
    gpus_later = counted_gpus(sum(order.bought_gpus for order in later))
    after = f"{counted(len(later), 'order')} for {gpus_later} later, as contracts end or demand grows"
    if not now:
        return f"Sign nothing now; {after}."
    verb = approval.verb if approval.open else "Ask again for"
    said = f"{verb} {now_words(approval, approval.gpus_words)}, all pools together"
    said = f"{said}; {after}." if later else f"{said}; nothing new after them in the twelve months."
    if follow := approval.following:
        said += f" {counted(len(follow), 'order')} of the twelve months only {_only(follow)} one of these."
    return said


def _only(follow: Sequence[Order]) -> str:
    """What orders that are not new do."""
    return "renews or follows" if len(follow) == 1 else "renew or follow"


def _length(hours: int) -> str:
    """Days from two on, else hours."""
    return counted(round(hours / 24), "day") if hours >= 48 else counted(hours, "hour")


def _months(advice: Advice, seen: Seen) -> MonthsChart:
    """What doing nothing and the plan cost in each of twelve months."""
    months = tuple(
        " ".join(day(row.start_s).split(" ")[:2]) if seen.is_dated else f"month {row.month}"
        for row in advice.comparison
    )
    lines = (
        Line(str(PLAN["do_nothing"].title), tuple(row.do_nothing_usd for row in advice.comparison)),
        Line("Plan", tuple(row.plan_usd for row in advice.comparison), is_main=True),
    )
    return MonthsChart("Twelve months of the plan, $ per month", months, lines)


def _horizons(evaluation: Evaluation) -> TableBlock:
    """Next month, month 12 and all twelve; where the plan is a question, beside the plan that it is asked of."""
    report = HORIZONS if evaluation.before is None else QUESTION
    return report_block(report, evaluation, str(report.title), {"name": 1.2})


# ---------------------------------------------------------------- the plan


def plan_page(evaluation: Evaluation, advice: Advice, totals: Totals) -> Page:
    """The layers of every pool, and the two largest load duration curves. A short log is said.

    The two rows of most $ have their curves. Where prices are missing the title says so.
    """
    committed = [layer for plan in advice.pools for layer in plan.layers if _is_new(layer)]
    terms = {(layer.term_months or 0, layer.term_days or 0) for layer in committed}
    has_existing = any(layer.existing and layer.gpus for plan in advice.pools for layer in plan.layers)
    title = "The plan signs nothing: all demand is paid by use"
    has_existing = has_existing or bool(advice.idle_existing)
    if has_existing:
        title = "The plan signs nothing: existing contracts until they end, and the rest paid by use"
    if not is_priced(advice.pools):
        title = "What the plan would sign is unknown: prices are missing"
    if committed:
        title = (
            f"In its first month the plan has {counted_gpus(sum(layer.gpus for layer in committed))} on new terms of "
            f"{_terms(terms)}{', existing contracts' if has_existing else ''} and the rest paid by use"
        )
    largest = sorted(advice.pools, key=lambda plan: (-(plan.cost_per_month or 0.0), -plan.gpu_hours))[:CURVES]
    curves = tuple(
        DurationChart(
            f"{plan.pool.capitalize()}, {plan.gpu_model or 'unknown model'}: GPUs in use, busiest hours first",
            plan,
        )
        for plan in largest
    )
    project = evaluation.project
    short = short_advice_words(project.window.hours)
    said = ((TextBlock("Before signing", (short,)),),) if short else ()
    rows = (*said, *((curves,) if curves else ()), (_layers(advice),))
    figures = _plan_figures(evaluation.audit, totals, any_ran(project.contracts, project.window))
    return Page("plan", str(titles.THE_PLAN), title, rows, figures)


def _terms(terms: Collection[tuple[int, int]]) -> str:
    """36 and 12 months; 36 months and 90 days, where one is sold by the day: the longest first.

    terms: months and days of each, 0 days where it is of months.
    """
    longest_first = sorted(terms, reverse=True)
    if any(days for _, days in terms):
        return joined([str(term_words(*term)) for term in longest_first])
    months = [months for months, _ in longest_first]
    return joined([str(one) for one in months]) + (" month" if months == [1] else " months")


def _is_new(layer: Layer) -> bool:
    """A commitment that is yet to be signed."""
    return not layer.existing and bool(layer.term_months) and layer.gpus > 0


def _layers(advice: Advice) -> TableBlock:
    """Layers from the bottom, then existing GPUs that stand idle. Of too many the smallest stand in one row,
    so that the column still adds up.
    """
    widths = {"pool": 1.2, "gpu_model": 1.2, "layer": 2.0, "cost_per_month": 1.2}
    found = report_block(PLAN_LAYERS, advice, str(LAYERS.title), widths)
    is_whole = PLAN_LAYERS.rest_in(Medium.BRIEF, advice) is None
    return (
        found if is_whole else replace(found, note="Every layer stands on the workbook's Commitment sheet.")
    )


# ---------------------------------------------------------------- sensitivity


def sensitivity_page(
    evaluation: Evaluation, outlook: Outlook | None, totals: Totals, sensitivity: Sensitivity | None
) -> Page:
    """What the advice rests on, and what beside prices would change it.

    sensitivity: None where nobody worked it out; the page then has the assumptions alone.
    """
    said: list[Text] = []
    if sensitivity is not None:
        moving = [point for point in sensitivity.flips if point.assumption != "delta"]
        nearest = sorted(moving, key=lambda one: abs(one.at - one.value))[:MOST_FLIPS]
        said += [flip_sentence(point) + "." for point in nearest]
        if not nearest and totals.plan is not None:
            said.append("No growth, churn or volatility in reach changes the largest layers.")
    separation = totals.cost_of_separation
    if separation is not None and round(separation):
        said.append(
            f"Separate pools {'cost' if separation >= 0 else 'save'} {dollars(abs(separation))} per month beside one "
            "pool per GPU model: they do not share peaks."
        )
    if outlook is not None:
        if outlook.coverage is not None:
            said += coverage_sentences(outlook.coverage)
        horizon = evaluation.project.assumptions_in(evaluation.figures.basis.plan).horizon_months
        said.append(npv_sentence(outlook.npv_usd, horizon))
    sizes = _sizes(outlook)
    rows: tuple[tuple[Block, ...], ...] = (
        (TextBlock("What would change it", tuple(said)), _assumptions(evaluation)),
    )
    title = _band_title(outlook)
    return Page("sensitivity", "Sensitivity", title, rows if sizes is None else (*rows, (sizes,)))


def _band_title(outlook: Outlook | None) -> str:
    """The band of twelve months; words without figures where there is none."""
    band = None if outlook is None else outlook.uncertainty
    if band is None or band.year_p10_usd is None or band.year_p90_usd is None:
        return "What the advice rests on, and what would change it"
    return (
        f"Twelve months of the plan cost {dollars(band.year_p10_usd)} to {dollars(band.year_p90_usd)} in eight draws "
        "of ten"
    )


def _sizes(outlook: Outlook | None) -> TableBlock | None:
    """The band of each size of the shortest term; None without them."""
    band = None if outlook is None else outlook.uncertainty
    if band is None or not band.sizes:
        return None
    rows = tuple(
        (
            SIZE_NAMES[row.size],
            whole(row.p10_usd_per_month),
            whole(row.p50_usd_per_month),
            whole(row.p90_usd_per_month),
        )
        for row in band.sizes
    )
    columns = (
        Column("Size of the shortest term", False, 1.6),
        Column("P10, $ per month"),
        Column("P50, $ per month"),
        Column("P90, $ per month"),
    )
    drawn = str(drawn_words(band))
    note = (
        f"{drawn}. {_tested(band)}. Cost of being wrong, what the best of them would have saved per month: "
        f"{_regret(band)} in nine draws of ten."
    )
    return TableBlock("What a month with all of the plan running may cost", columns, rows, (), note)


def _tested(band: Uncertainty) -> str:
    """How the band did: so far 6 of 6 months fell inside."""
    words = str(coverage_words(band))
    return words[:1].upper() + words[1:] if band.coverage is None else f"So far {words}"


def _regret(band: Uncertainty) -> str:
    """Under so much, or nothing where it rounds to that."""
    usd = band.regret_p90_usd_per_month
    return "nothing" if usd is not None and not round(usd) else f"under {whole(usd)}"


def _value_text(spec: AssumptionSpec, value: AssumptionValue) -> str:
    """A value as its kind is written."""
    if isinstance(value, str):
        return value
    return percent(value) if spec.kind == "ratio" else exact(value)


def _assumptions(evaluation: Evaluation) -> TableBlock:
    """Those that are always shown, and those that the plan sets, with their sources; at most twelve rows."""
    plan = evaluation.figures.basis.plan
    values = evaluation.project.assumptions_in(plan)
    rows: list[tuple[Text, ...]] = [
        (title, whole(count), unit, "set in the plan")
        for title, count, unit in (
            ("Work that no log has", len(plan.planned), "workloads"),
            ("Workloads with a first or a last day", len(plan.spells), "workloads"),
            ("Demand changes on a day", len(plan.changes), "steps"),
        )
        if count
    ]
    for spec in ASSUMPTIONS:
        differs = spec.name in plan.assumptions
        if spec.name not in ASSUMPTIONS_SHOWN and not differs:
            continue
        value = getattr(values, spec.field)
        text = "not set" if value is None else _value_text(spec, value)
        seen = source_words(spec.name, value, evaluation.project.intake)
        rows.append((spec.title, text, spec.unit, "set in the plan" if differs else seen or spec.source))
    columns = (
        Column("Assumption", False, 1.5),
        Column("Value", True, 0.7),
        Column("Unit", False),
        Column("Source", False, 1.6),
    )
    return TableBlock("Assumptions behind every amount", columns, tuple(rows[:12]))
