"""The pages of what is advised: the question and its answer, the plan's layers, and where its savings come from."""

from collections import Counter
from collections.abc import Collection, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.utilization import any_ran
from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.approval import (
    Approval,
    ask,
    commitment_figures,
    day_sentences,
    now_words,
    prices_words,
)
from gpuplanner.domain.brief.sensitivity_pages import Sensitivity, band_words, tested_words
from gpuplanner.domain.commitment.order_days import Seen, verdict_rows
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.outlook_words import SAVING_STEPS, bought_words, by_itself, paths_sentences
from gpuplanner.domain.commitment.plan.advice import Happening, happening
from gpuplanner.domain.commitment.plan.comparison import is_priced_ahead
from gpuplanner.domain.commitment.plan.ground import needs_no_notice
from gpuplanner.domain.commitment.plan.orders import most_bought, together_words
from gpuplanner.domain.commitment.plan.totals import cost_sum, is_priced, plan_sum
from gpuplanner.domain.commitment.plan.twelve_months import OVER_BUDGET
from gpuplanner.domain.commitment.result import Advice, Layer, Order, Totals
from gpuplanner.domain.commitment.savings import SavingsStory, StoryRow, savings_story
from gpuplanner.domain.commitment.sentences import all_on_demand, by_the_hour
from gpuplanner.domain.commitment.uncertainty.flips import flip_sentence
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.typed import (
    amount,
    change,
    day,
    decimals,
    percent,
    plan_month,
    short_day,
    whole,
    worded_whole,
)
from gpuplanner.domain.figures.window import WINDOW
from gpuplanner.domain.message import NO_WORDS, Message, Text, capital, joined, lowered, worded, worded_count
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import notice_by_s, term_words
from gpuplanner.domain.model.cube import short_advice_words
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.domain.reports import savings
from gpuplanner.domain.reports.orders import NEXT_DECISIONS
from gpuplanner.domain.reports.plan_layers import LAYERS, PLAN_LAYERS
from gpuplanner.domain.reports.report import BRIEF, Medium, Report
from gpuplanner.domain.reports.report import Column as ReportColumn
from gpuplanner.lazy_dataclass import replace


# The second half of the first page's title: what the plan comes to, beside doing nothing and beside today.
def answer(totals: Totals, has_today: bool, saved_in_year: float = 0.0) -> Message:
    """has_today: there are contracts; without them the other side is all on demand, and what is spent today unknown.
    saved_in_year: $ of the twelve months under doing nothing, which a first month that costs the same does not have.
    """
    current, plan, nothing = totals.today, totals.plan, totals.do_nothing
    if plan is None:
        return worded(
            "What the plan costs is unknown: a rate is missing, and a quote is needed before anything is signed"
        )
    costs = amount(plan)
    if nothing is None or current is None:
        return worded(
            "The plan costs {costs} per month; what it is compared with is unknown, for a rate is missing",
            costs=costs,
        )
    if leaves_to_nobody(totals):
        return worded(
            "The plan costs {costs} per month and leaves demand to nobody, so what it saves is unknown",
            costs=costs,
        )
    saved, now = round(nothing - plan), round(current - plan)  # as the tiles of the page round them
    if saved == 0 and (in_year := round(saved_in_year)):
        return worded(
            "The plan costs {costs} next month, as doing nothing does, and {beside} in twelve months",
            costs=costs,
            beside=_beside(in_year),
        )
    if not has_today:
        return _answer_without_contracts(plan, current, saved, now)
    if saved == 0:
        return worded(
            "Doing nothing is as good as anything on offer, {costs} per month, {today} today",
            costs=costs,
            today=amount(current),
        )
    return worded(
        "The plan costs {costs} per month, {nothing} than doing nothing and {today} than today",
        costs=costs,
        nothing=_beside(saved),
        today=_beside(now),
    )


def leaves_to_nobody(totals: Totals) -> bool:
    """Whether savings are unknown for demand that the plan leaves to nobody, and not for want of a rate.

    False where a rate is missing.
    """
    both = (totals.plan, totals.do_nothing)
    return None not in both and totals.savings_vs_do_nothing is None


def _answer_without_contracts(plan: float, on_demand: float, saved: int, less: int) -> Message:
    """less: $ a month under all demand on demand; saved: under doing nothing."""
    costs, beside, all_usd = amount(plan), _beside(less), amount(on_demand)
    if saved == 0 and less == 0:
        return worded(
            "Doing nothing is as good as anything on offer, {costs} per month, all on demand", costs=costs
        )
    if saved == 0:
        return worded("Doing nothing is as good as anything on offer, {costs} per month", costs=costs)
    if saved == less:
        return worded(
            "The plan costs {costs} per month, {beside} than all on demand ({all_usd})",
            costs=costs,
            beside=beside,
            all_usd=all_usd,
        )
    return worded(
        "The plan costs {costs} per month, {nothing} than doing nothing and {beside} than all on demand ({all_usd})",
        costs=costs,
        nothing=_beside(saved),
        beside=beside,
        all_usd=all_usd,
    )


def _beside(saved: int) -> Message:
    """$ less or more, in words."""
    usd = amount(abs(saved))
    return worded("{usd} less", usd=usd) if saved >= 0 else worded("{usd} more", usd=usd)


CURVES: Final = 2
MOST_NAMES: Final = 3


def question_page(
    evaluation: Evaluation,
    advice: Advice,
    outlook: Outlook | None,
    totals: Totals,
    approval: Approval,
    sensitivity: Sensitivity | None,
) -> pages.Page:
    """What to approve and by when, what the plan comes to, the next decisions, what would make it wrong."""
    project = evaluation.project
    has_today = any_ran(project.contracts, project.window)
    months = project.assumptions_in(evaluation.figures.basis.plan).horizon_months
    notices = _notices(evaluation, approval.seen)
    decisions = pages.TextBlock(worded("To decide"), _decisions(evaluation, advice, approval, notices))
    wrong = pages.TextBlock(
        worded("What would make it wrong, and how far"), _wrong(totals, outlook, sensitivity, months)
    )
    rows: tuple[tuple[pages.Block, ...], ...] = (
        *(((_next_decisions(outlook),),) if outlook is not None and outlook.open_decisions else ()),
        (decisions, wrong),
        (*((_horizons(evaluation),) if is_priced_ahead(advice) else ()), _months(advice, approval.seen)),
    )
    figures = (*commitment_figures(approval), *_headline(project, advice, totals, has_today, outlook))
    words = [_question_title(approval, advice, totals, has_today)]
    if notices:
        give = worded_whole(
            len(notices), "Give notice on {count} contract by {by}",
            "Give notice on {count} contracts, the first by {by}", by=approval.seen.day(notices[0][0]),
        )  # fmt: skip
        words = [*words, lowered(give)] if approval.now else [give, lowered(words[0]), *words[1:]]
    title = joined(words, "; ")
    return pages.Page("question", worded("The question"), title, rows, figures)


MOST_DECISIONS: Final = 5
"""So many stand on page 1 with all else of it."""


def _next_decisions(outlook: Outlook) -> pages.TableBlock:
    """The first of the next decisions, those with the largest amounts."""
    about, title = outlook.open_decisions, NEXT_DECISIONS.title
    return pages.report_block(NEXT_DECISIONS, about, title, DECISION_WIDTHS, MOST_DECISIONS, _more_decisions)


def _more_decisions(left: int) -> Message:
    return worded_whole(
        left, "{count} more decision in the workbook.", "{count} more decisions in the workbook."
    )


DECISION_WIDTHS: Final = {"title": 4.0}


def _question_title(approval: Approval, advice: Advice, totals: Totals, has_today: bool) -> Text:
    """What to approve first, then what it comes to; what is unknown alone where nothing can be approved."""
    if totals.plan is not None:
        nothing, plan = _year_sums(advice)
        in_year = nothing - plan if nothing is not None and plan is not None else 0.0
        return joined((ask(approval), lowered(answer(totals, has_today, in_year))), ": ")
    is_asked, known = approval.now and approval.usd is not None, plan_sum(advice)
    if known.is_at_least:
        costs = worded(
            "what the plan costs is known in part, {usd} per month: no rate is known of {names}",
            usd=pages.sum_text(known),
            names=joined(known.missing[:MOST_NAMES], ", "),
        )
        return joined((ask(approval), costs), "; ") if is_asked else capital(costs)
    if is_asked:
        return ask(approval) + worded("; what the plan costs is unknown: a rate is missing")
    return answer(totals, has_today)


def _headline(
    project: Project, advice: Advice, totals: Totals, has_today: bool, outlook: Outlook | None
) -> tuple[pages.LargeFigure, ...]:
    """has_today: there are contracts; without them nothing is said of today."""
    before = worded("today") if has_today else worded("all on demand")
    against = worded("unknown: demand is left to nobody")
    if totals.savings is None and totals.plan is None:
        against = worded("unknown: a rate is missing")
    elif not leaves_to_nobody(totals):
        less = change(totals.savings)
        beside = worded("against doing nothing; against {before} {less}", before=before, less=less)
        against = beside + _demand_apart(project, outlook)
    return (
        pages.LargeFigure("plan", worded("Plan"), worded("$ per month"), totals.plan, pages.sum_text(plan_sum(advice)),
                    worded("{before} {usd}", before=before, usd=pages.sum_text(cost_sum(advice, "today")))),
        pages.LargeFigure("savings_vs_do_nothing", PLAN["savings_vs_do_nothing"].short, worded("$ per month"),
                    totals.savings_vs_do_nothing, amount(totals.savings_vs_do_nothing), against),
    )  # fmt: skip


def _plan_figures(
    audit: Audit, advice: Advice, totals: Totals, has_today: bool
) -> tuple[pages.LargeFigure, ...]:
    """What of the plan's GPUs stands idle, and how long it binds; has_today: there are contracts."""
    unused = worded(
        "today {usd}; stranded, metered {stranded}",
        usd=pages.sum_text(cost_sum(advice, "unused_now")),
        stranded=amount(audit.bridge.stranded_metered),
    )
    used, lock_in = percent(totals.effective_utilization_now, 1), decimals(totals.lock_in_now_months)
    return (
        pages.LargeFigure("unused_plan", WINDOW["unused_per_month"].title, worded("$ per month"),
                    totals.unused_plan, pages.sum_text(cost_sum(advice, "unused_plan")), unused if has_today else ""),
        pages.LargeFigure("effective_utilization_plan", PLAN["effective_utilization_plan"].title,
                    worded("of GPU-hours paid"), totals.effective_utilization_plan,
                    percent(totals.effective_utilization_plan, 1),
                    worded("today {value}", value=used) if has_today else ""),
        pages.LargeFigure("lock_in_months", PLAN["lock_in_months"].title, worded("months, weighted by $"),
                    totals.lock_in_months, decimals(totals.lock_in_months),
                    worded("today {value}", value=lock_in) if has_today else ""),
    )  # fmt: skip


def _demand_apart(project: Project, outlook: Outlook | None) -> Message:
    """What of it came or fell away by itself; empty where nothing did."""
    phrase, usd = by_itself(project, outlook)
    return worded(", {what} {usd} of it", what=phrase, usd=change(-usd)) if usd and round(usd) else NO_WORDS


def _decisions(
    evaluation: Evaluation, advice: Advice, approval: Approval, notices: Sequence[tuple[int, str]]
) -> tuple[Text, ...]:
    """What is asked, what to sign, what ends: one sentence each. notices: see `_notices`."""
    words: list[Text] = [
        *(check.message for check in advice.checks if check.code == "contracts_left_out"),
        *_left_to_nobody(evaluation, advice),
        *day_sentences(approval),
    ]
    if approval.now or approval.later:
        words += [_to_sign(approval), *filter(None, (prices_words(evaluation, approval.now),))]
    elif advice.totals.plan is None:
        words.append(
            worded(
                "What to sign cannot be said yet: enter the rates that the page The plan marks as quotes needed."
            )
        )
    elif not approval.left and not approval.over:
        words.append(worded("Sign nothing now: no commitment on offer is worth its term."))
    hourly = by_the_hour(advice, evaluation.project.offers)
    words += filter(None, (hourly, all_on_demand(advice.totals)))
    young = sum(not order.is_certain for order in advice.orders)
    if young:
        words.append(
            worded_whole(
                young,
                "{count} order more is worth it only if young demand lasts; no sum of what is signed counts it.",
                "{count} orders more are worth it only if young demand lasts; no sum of what is signed counts them.",
            )
        )
    seen = approval.seen
    if notices:
        by_days = (worded("{contract} by {by}", contract=name, by=seen.day(by_s)) for by_s, name in notices)
        words.append(worded("Give notice: {contracts}.", contracts=joined(by_days, ", ")))
    return tuple(words)


def _notices(evaluation: Evaluation, seen: Seen) -> list[tuple[int, str]]:
    """The last day to give notice, epoch seconds, of each contract that the plan does not let renew, first first."""
    verdicts, plan = verdict_rows(evaluation.project, evaluation.advice), evaluation.plan
    return sorted(
        (by_s, row.verdict.contract_id)
        for row in verdicts
        if row.verdict.is_to_decide and row.contract is not None and not needs_no_notice(row.contract, plan)
        if (by_s := notice_by_s(row.contract, row.ends_s)) is not None and not seen.is_past(by_s)
    )


def _year_sums(advice: Advice) -> tuple[float | None, float | None]:
    """$ of the twelve months with nothing signed, and of the plan; None where one is not known."""
    nothing = known_sum(month.do_nothing_usd for month in advice.comparison)
    return nothing, known_sum(month.plan_usd for month in advice.comparison)


def _wrong(
    totals: Totals, outlook: Outlook | None, sensitivity: Sensitivity | None, horizon_months: int
) -> tuple[Text, ...]:
    """The range of a month and of twelve, the worst that prices may do, and what would change the advice first."""
    sentences: list[Text] = []
    band = None if outlook is None else outlook.uncertainty
    if band is not None and band.p10_usd_per_month is not None:
        sentences.append(
            worded(
                "A month with all of the plan running costs {p10} to {p90} in eight draws of ten (P10\u2013P90). "
                "{tested}.",
                p10=amount(band.p10_usd_per_month),
                p90=amount(band.p90_usd_per_month),
                tested=tested_words(band),
            )
        )
    if band is not None and band.year_p10_usd is not None:
        sentences.append(joined((band_words(band), "."), ""))
    if outlook is not None and outlook.price_paths and totals.plan is not None:
        sentences.append(paths_sentences(outlook.price_paths, horizon_months)[0])
    if sensitivity is not None:
        sentences += [joined((flip_sentence(point), ".")) for point in sensitivity.flips[:1]]
    return tuple(sentences)


def _left_to_nobody(evaluation: Evaluation, advice: Advice) -> list[Text]:
    """Which workloads the plan leaves to nobody, by why, alike names with their cluster: no amount of it has them."""
    workloads = evaluation.in_parts.project.workloads
    often = Counter(workload.name for workload in workloads)
    names = {
        work.key: f"{work.name} ({work.cluster})" if often[work.name] > 1 and work.cluster else work.name
        for work in workloads
    }
    over = dict.fromkeys(row.key for row in advice.unserved if row.reason == OVER_BUDGET)
    others = dict.fromkeys(row.key for row in advice.unserved if row.reason != OVER_BUDGET)
    kept, offered = worded("to keep to the budget"), worded("by the offers there are")
    sentences: list[Text] = []
    for keys, why in ((over, kept), (others, offered)):
        first: list[Text] = [str(names.get(key, key)) for key in list(keys)[:MOST_NAMES]]
        if len(keys) > MOST_NAMES:
            first.append(worded("{count} more", count=whole(len(keys) - MOST_NAMES)))
        if keys:
            sentences.append(
                worded_count(
                    len(keys),
                    "{names} is left to nobody {why}: no amount of the plan counts that work.",
                    "{names} are left to nobody {why}: no amount of the plan counts that work.",
                    names=pages.listed(first),
                    why=why,
                )
            )
    return sentences


def _to_sign(approval: Approval) -> Message:
    """How much is to be signed now, all pools together, and how much later: it replaces contracts, or meets growth."""
    now, later = approval.now, approval.later
    after = worded(
        "{orders} for {gpus} later, as contracts end or demand grows",
        orders=pages.counted(len(later), "order"),
        gpus=pages.counted_gpus(sum(order.bought_gpus for order in later)),
    )
    if not now:
        return worded("Sign nothing now; {after}.", after=after)
    orders = now_words(approval, approval.gpus_words)
    words = approval.placing(orders) if approval.open else worded("Ask again for {orders}", orders=orders)
    if later:
        words = worded("{sign}, all pools together; {after}.", sign=words, after=after)
    else:
        words = worded("{sign}, all pools together; nothing new after them in the twelve months.", sign=words)
    return words


def _months(advice: Advice, seen: Seen) -> pages.MonthsChart:
    """What doing nothing and the plan cost in each of twelve months."""
    lines = (
        pages.Line(PLAN["do_nothing"].title, tuple(row.do_nothing_usd for row in advice.comparison)),
        pages.Line(worded("Plan"), tuple(row.plan_usd for row in advice.comparison), is_main=True),
    )
    return pages.MonthsChart(_MONTHS, _month_names(advice, seen), lines)


_MONTHS: Final = worded("Twelve months of the plan, $ per month")


def _month_names(advice: Advice, seen: Seen) -> tuple[Text, ...]:
    """The day on which each month begins; its number, where there is no calendar."""
    return tuple(
        joined((short_day(row.start_s),)) if seen.is_dated else plan_month(row.month)
        for row in advice.comparison
    )


def _horizons(evaluation: Evaluation) -> pages.TableBlock:
    """Next month, month 12 and all twelve; where the plan is a question, beside the plan that it is asked of."""
    report = savings.HORIZONS if evaluation.before is None else savings.QUESTION
    return pages.report_block(report, evaluation, report.title, {"name": 1.2})


# ---------------------------------------------------------------- the plan


def plan_page(evaluation: Evaluation, advice: Advice, totals: Totals) -> pages.Page:
    """The layers of every pool, and the two largest load duration curves. A short log is said.

    The two rows of most $ have their curves. Where prices are missing the title says so.
    """
    largest = sorted(advice.pools, key=lambda plan: (-(plan.cost_per_month or 0.0), -plan.demand.gpu_hours))[
        :CURVES
    ]
    curves = tuple(
        pages.DurationChart(
            worded(
                "{pool}, {gpu_model}: GPUs, busiest hours first, existing in the mean",
                pool=POOL_TITLES[plan.pool],
                gpu_model=plan.gpu_model or pages.UNKNOWN_MODEL,
            ),
            plan,
        )
        for plan in largest
    )
    project = evaluation.project
    short = short_advice_words(project.window.hours)
    notes = ((pages.TextBlock(worded("Before signing"), (short,)),),) if short else ()
    rows = (*notes, *((curves,) if curves else ()), (_layers(advice),))
    figures = _plan_figures(evaluation.audit, advice, totals, any_ran(project.contracts, project.window))
    return pages.Page("plan", titles.THE_PLAN, _plan_title(advice), rows, figures)


def _plan_title(advice: Advice) -> Message:
    """What the plan has on new terms in its first month; or that it signs nothing, or that nobody can know."""
    committed = [layer for plan in advice.pools for layer in plan.layers if _is_new(layer)]
    has_existing = any(layer.existing and layer.gpus for plan in advice.pools for layer in plan.layers)
    has_existing = has_existing or bool(advice.idle_existing)
    if committed:
        gpus = pages.counted_gpus(sum(layer.gpus for layer in committed))
        terms = _terms({(layer.term_months or 0, layer.term_days or 0) for layer in committed})
        if has_existing:
            return worded(
                "In its first month the plan has {gpus} on new terms of {terms}, existing contracts and the rest paid "
                "by use",
                gpus=gpus,
                terms=terms,
            )
        return worded(
            "In its first month the plan has {gpus} on new terms of {terms} and the rest paid by use",
            gpus=gpus,
            terms=terms,
        )
    if not is_priced(advice.pools):
        return worded("What the plan would sign is unknown: prices are missing")
    rest = worded("all demand is paid by use")
    if has_existing:
        rest = worded("existing contracts until they end, and the rest paid by use")
    if any(order.is_certain for order in advice.orders):
        return worded("In its first month the plan has nothing on new terms: {rest}", rest=rest)
    return worded("The plan signs nothing: {rest}", rest=rest)


def _terms(terms: Collection[tuple[int, int]]) -> Message:
    """36 and 12 months; 36 months and 90 days, where one is sold by the day: the longest first.

    terms: months and days of each, 0 days where it is of months.
    """
    longest_first = sorted(terms, reverse=True)
    if len(terms) == 1 or any(days for _, days in terms):
        return pages.listed([term_words(*term) for term in longest_first])
    return worded("{terms} months", terms=pages.listed([whole(months) for months, _ in longest_first]))


def _is_new(layer: Layer) -> bool:
    """A commitment that is yet to be signed."""
    return not layer.existing and bool(layer.term_months) and layer.gpus > 0


def _layers(advice: Advice) -> pages.TableBlock:
    """Layers from the bottom, then existing GPUs that stand idle. Of too many the smallest stand in one row,
    so that the column still adds up.
    """
    widths = {"pool": 1.2, "gpu_model": 1.2, "layer": 2.0, "cost_per_month": 1.2}
    block = pages.report_block(PLAN_LAYERS, advice, LAYERS.title, widths)
    if PLAN_LAYERS.rest_in(Medium.BRIEF, advice) is None:
        return block
    return replace(block, note=worded("Every layer stands on the workbook's Commitment sheet."))


# ---------------------------------------------------------------- the year


class MonthRow(NamedTuple):
    """A month of the plan: what it is called, what it costs ($, None: unknown), and words for what happens in it."""

    month: Text
    plan: float | None
    starts: Text
    ends: Text
    to_sign: Text


def happens_in(events: Happening) -> tuple[Text, Text, Text]:
    """What starts, ends and is to be signed: GPUs, and contracts by name; "" where nothing does."""

    def bought(orders: Sequence[Order]) -> Text:
        """The most GPUs of the orders that run at one time."""
        return pages.counted_gpus(most_bought(orders)) if orders else ""

    ending: list[Text] = [contract.contract_id for contract in events.contracts_ending]
    if events.ending:
        ending.append(bought(events.ending))
    return (bought(events.starting), joined(ending, ", ") if ending else "", bought(events.to_sign))


def happens_sentences(events: Happening) -> tuple[Text, ...]:
    """Starts: 24 GPUs; Ends: atlas-core; To sign: 12 GPUs; Notice by 28 Jan 2027: atlas-h200; or that nothing does.

    What is to be signed has the words of Recommendations: all GPUs of the orders, and the most that run together.
    """
    starts, ends, _ = happens_in(events)
    return (
        *((worded("Starts: {gpus}", gpus=starts),) if starts else ()),
        *((worded("Ends: {names}", names=ends),) if ends else ()),
        *((worded("To sign: {gpus}", gpus=together_words(events.to_sign)),) if events.to_sign else ()),
        *(
            worded("Notice by {day}: {name}", day=day(notice_by_s(row, row.end_s) or 0), name=row.contract_id)
            for row in events.notices
        ),
    ) or (worded("Nothing starts, ends or is to be signed"),)


_TEXTS: Final = {"starts": worded("Starts"), "ends": worded("Ends"), "to_sign": worded("To sign")}
THE_YEAR: Final = Report(worded("The year"), key=attrgetter("month"), media=BRIEF).with_columns(
    ReportColumn(key="month", title=worded("Month from")),
    ReportColumn(PLAN["plan"]),
    *(ReportColumn(key=key, title=title) for key, title in _TEXTS.items()),
)
"""About the months of a plan: what each costs, and what starts, ends and is to be signed in it."""


def year_page(advice: Advice, seen: Seen) -> pages.Page:
    """The twelve months of the plan, as the slider over the year tells them one by one."""
    months = [
        MonthRow(
            month,
            row.plan_usd,
            *happens_in(happening(advice.orders, advice.contracts, row.start_s, row.start_s + MONTH_S)),
        )
        for month, row in zip(_month_names(advice, seen), advice.comparison, strict=True)
    ]
    first, last = months[0].plan, months[-1].plan
    if first is None or last is None:
        title = worded("What the plan costs over the year is unknown: a rate is missing")
    else:
        title = worded(
            "The plan costs {first} in its first month and {last} in its twelfth",
            first=amount(first),
            last=amount(last),
        )
    shares = {"month": 0.8, "starts": 1.2, "ends": 2.4, "to_sign": 1.2}
    return pages.Page(
        "year", THE_YEAR.title, title, ((pages.report_block(THE_YEAR, months, _MONTHS, shares),),)
    )


def month_scene(advice: Advice, seen: Seen, month: int) -> pages.Page:
    """A month of the year alone, for a screen with the year under a handle: what it costs, and what happens in it."""
    row, chart, unit = (
        advice.comparison[month],
        replace(_months(advice, seen), at=month),
        worded("$ per month"),
    )
    ends_s, nothing, usd = row.start_s + MONTH_S, row.do_nothing_usd, row.plan_usd
    events = happening(advice.orders, advice.contracts, row.start_s, ends_s)
    days = (pages.days(row.start_s, ends_s),) if seen.is_dated else ()
    figures = (
        ("plan", worded("Plan"), usd),
        ("do_nothing", PLAN["do_nothing"].title, nothing),
        (
            "savings_vs_do_nothing",
            PLAN["savings_vs_do_nothing"].short,
            None if nothing is None or usd is None else nothing - usd,
        ),
    )
    return pages.Page(
        "year",
        THE_YEAR.title,
        joined((capital(plan_month(month)), *days), ": "),
        ((chart, pages.TextBlock("", happens_sentences(events))),),
        tuple(pages.LargeFigure(key, name, unit, value, amount(value)) for key, name, value in figures),
    )


# ---------------------------------------------------------------- savings


def savings_page(advice: Advice, outlook: Outlook | None, audit: Audit, has_today: bool) -> pages.Page:
    """Savings against doing nothing by step, then what leads to today less the plan; separation on both sides.

    has_today: there are contracts; without them what is spent today is all on demand. Bars of savings that are unknown
    would be an empty picture: the table says why.
    """
    story = savings_story(advice, outlook, audit, has_today)
    table = pages.report_block(savings.SAVINGS, story, worded("Step by step"), {"called": 1.2, "what": 3.0})
    apart = pages.report_block(
        savings.SEPARATION_LINES, story, savings.SEPARATION_LINES.title, {"called": 1.5, "source": 3.0}
    )
    offered = pages.report_block(
        savings.OFFERED, story, savings.OFFERED.title, {"called": 1.2, "meaning": 3.0}
    )
    is_worth = any(row.exact or row.saved_in_year for row in story.offered)
    tables = ((replace(table, note=bought_words(story.buy)),), *([(offered,)] if is_worth else ()), (apart,))
    bars = pages.BridgeChart(
        worded("Where savings come from in the first month, $"), tuple(map(_bar, (*story.steps, story.total)))
    )
    rows = ((bars,), *tables) if _saved(story) is not None else tables
    return pages.Page("savings", worded("Savings"), _savings_title(story, advice), rows)


def _saved(story: SavingsStory) -> float | None:
    """$ per month against doing nothing; None where they are unknown."""
    return next(row.exact for row in story.steps if row.key == "savings_vs_do_nothing")


def _savings_title(story: SavingsStory, advice: Advice) -> Message:
    """The savings against doing nothing of the first month, and the steps that they come from; where it has none, those
    of twelve."""
    saved, own = PLAN["savings_vs_do_nothing"].title, {row.key: row for row in story.steps}
    nothing = _saved(story)
    if nothing is None:
        return worded("{saved} are unknown", saved=saved)
    steps = [own[name] for name in SAVING_STEPS]
    title = worded("{saved}: {usd} in the first month", saved=saved, usd=amount(nothing))
    if not round(nothing) and None not in (year := _year_sums(advice)):
        return worded(
            "{title}, {year} in twelve months", title=title, year=amount((year[0] or 0) - (year[1] or 0))
        )
    if any(step.exact is None for step in steps):
        return title
    parts = [joined((lowered(step.called), change(step.saved_per_month)), " ") for step in steps]
    return joined((title, pages.listed(parts)), ", ")


def _bar(row: StoryRow) -> pages.Bar:
    """A step with its sign, a total as it is; the longest name on two lines."""
    if not row.is_total:
        return pages.Bar(row.called, row.note, row.exact, "step", change(row.saved_per_month))
    if row.key == "savings_vs_do_nothing":
        return pages.Bar(
            worded("Savings against"), worded("doing nothing"), row.exact, "result", whole(row.exact)
        )
    return pages.Bar(row.called, "", row.exact, "result", whole(row.exact))
