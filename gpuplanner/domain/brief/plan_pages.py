"""The pages of what is advised: the question and its answer, the plan's layers, and where its savings come from."""

from collections import Counter
from collections.abc import Collection, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.utilization.contracts_apart import any_ran
from gpuplanner.domain.brief import pages
from gpuplanner.domain.brief.approval import Approval, ask, commitment_figures
from gpuplanner.domain.brief.sensitivity_pages import Sensitivity, band_words
from gpuplanner.domain.commitment.next_decision import NextDecision, first_few
from gpuplanner.domain.commitment.numbers import decision_number
from gpuplanner.domain.commitment.order_days import Seen, verdict_rows
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.plan import comparison
from gpuplanner.domain.commitment.plan.ground import needs_no_notice
from gpuplanner.domain.commitment.plan.happenings import Happening, happening
from gpuplanner.domain.commitment.plan.orders import most_bought, together_words
from gpuplanner.domain.commitment.plan.totals import cost_sum, is_priced, plan_sum
from gpuplanner.domain.commitment.plan.twelve_months import OVER_BUDGET
from gpuplanner.domain.commitment.result import Advice, Layer, Order, Totals
from gpuplanner.domain.commitment.savings import SavingsStory, StoryRow, savings_story
from gpuplanner.domain.commitment.uncertainty.flips import flip_sentence
from gpuplanner.domain.commitment.words.plan_costs import HYPOTHETICAL, all_on_demand, by_the_hour
from gpuplanner.domain.commitment.words.price_paths import paths_sentences
from gpuplanner.domain.commitment.words.savings import bought_words
from gpuplanner.domain.commitment.words.verdicts import is_to_stop
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
from gpuplanner.domain.message import Message, Part, Text, capital, joined, lowered, worded, worded_count
from gpuplanner.domain.model.amounts import sum_text
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.renewal import notice_by_s
from gpuplanner.domain.model.cube import short_advice_words
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.domain.reports import savings
from gpuplanner.domain.reports.orders import NEXT_DECISIONS
from gpuplanner.domain.reports.plan_layers import LAYERS, PLAN_LAYERS
from gpuplanner.domain.reports.report import BRIEF, Medium, Report
from gpuplanner.domain.reports.report import Column as ReportColumn
from gpuplanner.lazy_dataclass import replace


# The second half of the first page's title: what twelve months of the plan save against doing nothing.
def answer(advice: Advice) -> Message:
    """What nobody knows says so: no rate is known, or work that is left to nobody makes no comparison."""
    plan, saved = advice.totals.plan, saved_in_year(advice)
    if plan is None:
        return worded("Plan cost unknown: a rate is missing. Get a quote first")
    if not comparison.compares_with_nothing(advice):
        return worded(
            "The plan costs {costs} per month. Savings unknown: some work is unserved", costs=amount(plan)
        )
    if saved is None:
        return worded(
            "The plan costs {costs} per month. Savings unknown: do nothing has no rate", costs=amount(plan)
        )
    if round(saved) < 0:
        return worded("The plan costs {usd} more than do nothing in twelve months", usd=amount(-saved))
    if not round(saved):
        return worded("Over 12 months the plan costs the same as do nothing")
    return worded("The plan saves {usd} in twelve months", usd=amount(saved))


def saved_in_year(advice: Advice) -> float | None:
    """$ of twelve months with nothing signed less those of the plan; None: unknown, or of unlike work."""
    return comparison.horizon_row(comparison.Horizon.TWELVE_MONTHS, advice, None).saved


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
    months = project.assumptions_in(evaluation.figures.basis.plan).horizon_months
    ends = _ends(evaluation, approval.seen)
    listed = evaluation.listed_decisions_on(approval.seen.written_s)
    has_table = bool(listed)
    # the table of decisions has the ends with their days
    sentences = list_decisions(evaluation, advice, approval, () if has_table else ends)
    decisions = pages.TextBlock(worded("To decide"), sentences)
    wrong = pages.TextBlock(worded("Risks and their cost"), list_risks(totals, outlook, sensitivity, months))
    rows: tuple[tuple[pages.Block, ...], ...] = (
        *(((_next_decisions(listed, approval, advice),),) if has_table else ()),
        (decisions, wrong),
    )
    figures = (*commitment_figures(approval), *headline_figures(evaluation, advice))
    words = [question_title(approval, advice)]
    if ends:
        give = _ends_words(ends, approval.seen)
        words = [*words, lowered(give)] if approval.now else [give, lowered(words[0]), *words[1:]]
    title = joined((*((HYPOTHETICAL,) if evaluation.is_hypothetical else ()), joined(words, "; ")), " ")
    return pages.Page(key="question", kicker=worded("The question"), title=title, rows=rows, figures=figures)


MOST_DECISIONS: Final = 3
"""So many stand on page 1 with all else of it."""


def _next_decisions(listed: Sequence[NextDecision], approval: Approval, advice: Advice) -> pages.TableBlock:
    """The next decisions with the most dollars and the rest of them in a row: all of them commit what the plan's first
    month commits, to the dollar, and the last row says what twelve months of the plan save. What is done has a row
    without amounts: it is a fact, and no part of the plan. listed: decisions, declined ones left out.
    """
    left = [decision for decision in listed if not decision.is_done]
    done = [decision_number(decision.number) for decision in listed if decision.is_done]
    shown = first_few(left, MOST_DECISIONS, is_by_dollars=True)
    block = pages.report_block(NEXT_DECISIONS, shown, NEXT_DECISIONS.title, DECISION_WIDTHS, MOST_DECISIONS)
    by_days = tuple(
        (
            number,
            joined(filter(None, (title, decision.reason)), ", "),
            _by_day(decision.by_s, approval.seen),
            *usd,
        )
        for (number, title, _, *usd), decision in zip(block.rows, shown, strict=True)
    )
    shown_usd = sum(round(decision.committed_usd or 0.0) for decision in shown)
    rest = None if approval.own_usd is None else round(approval.own_usd) - shown_usd
    others: tuple[tuple[Part, ...], ...] = ()
    if more := len(left) - len(shown):
        others_words = worded_whole(
            more, "{count} more decision in the workbook", "{count} more decisions in the workbook"
        )
        others = (("", others_words, "", "", whole(rest)),)
    elif rest:
        others = (("", _OTHERS, "", "", whole(rest)),)
    if done:
        others = (*others, ("", worded("Done: {decision}", decision=", ".join(done)), "", "", ""))
    total = ("", _ALL, "", whole(saved_in_year(advice)), whole(approval.own_usd))
    return replace(block, rows=(*by_days, *others), total=total)


def _by_day(by_s: int | None, seen: Seen) -> Text:
    """The last day of a decision, epoch seconds, marked if it has passed on the day of writing; empty without one."""
    if by_s is None:
        return ""
    return worded("{day} (overdue)", day=seen.day(by_s)) if seen.is_past(by_s) else seen.day(by_s)


_OTHERS: Final = worded("Other orders")
_ALL: Final = worded("The plan against doing nothing")
DECISION_WIDTHS: Final = {"title": 4.0}


def question_title(approval: Approval, advice: Advice) -> Text:
    """What to approve first, then what it comes to; what is unknown alone where nothing can be approved."""
    if advice.totals.plan is not None:
        return joined((ask(approval), lowered(answer(advice))), ": ")
    is_asked, known = approval.now and approval.usd is not None, plan_sum(advice)
    if known.is_at_least:
        costs = worded(
            "plan cost partly known, {usd} per month: no rate for {names}",
            usd=sum_text(known),
            names=joined(known.missing[:MOST_NAMES], ", "),
        )
        return joined((ask(approval), costs), "; ") if is_asked else capital(costs)
    if is_asked:
        return joined((ask(approval), worded("plan cost unknown: a rate is missing")), "; ")
    return answer(advice)


def headline_figures(evaluation: Evaluation, advice: Advice) -> tuple[pages.LargeFigure, ...]:
    """Twelve months of the plan, and what they save; without contracts nothing is said of today."""
    project, year, unit = (
        evaluation.project,
        [month.plan_sum for month in advice.comparison],
        worded("$ in 12 months"),
    )
    has_today = any_ran(project.contracts, project.window)
    saved, nothing = (
        saved_in_year(advice),
        comparison.nothing_usd_in(advice, comparison.Horizon.TWELVE_MONTHS),
    )
    _, why = comparison.saved_inputs(comparison.Horizon.TWELVE_MONTHS, advice)
    against = why or worded("against doing nothing, {usd}", usd=amount(nothing))
    if saved is None:
        against = (
            why or worded("unknown: a rate is missing")
            if comparison.compares_with_nothing(advice)
            else worded("unknown: some demand is unserved")
        )
    beside = worded(
        "next month {plan}; {before} {usd} per month",
        plan=sum_text(plan_sum(advice)),
        before=worded("today") if has_today else worded("all on demand"),
        usd=sum_text(cost_sum(advice, "today")),
    )
    planned = comparison.sum_in(comparison.Horizon.TWELVE_MONTHS, year)
    return (
        pages.LargeFigure(
            key="plan_12_months",
            title=titles.THE_PLAN,
            unit=unit,
            amount=planned.total,
            text=sum_text(planned),
            note=beside,
        ),
        pages.LargeFigure(
            key="savings_12_months",
            title=PLAN["savings_vs_do_nothing"].short,
            unit=unit,
            amount=saved,
            text=amount(saved),
            note=against,
        ),
    )


def plan_figures(
    audit: Audit, advice: Advice, totals: Totals, has_today: bool
) -> tuple[pages.LargeFigure, ...]:
    """What of the plan's GPUs stands idle, and how long it binds; has_today: there are contracts."""
    unused = worded(
        "today {usd}; stranded (metered) {stranded}",
        usd=sum_text(cost_sum(advice, "unused_now")),
        stranded=amount(audit.bridge.stranded_metered),
    )
    used, lock_in = percent(totals.effective_utilization_now, 1), decimals(totals.lock_in_now_months)
    return (
        pages.LargeFigure(
            key="unused_plan",
            title=WINDOW["unused_per_month"].title,
            unit=worded("$ per month"),
            amount=totals.unused_plan,
            text=sum_text(cost_sum(advice, "unused_plan")),
            note=unused if has_today else "",
        ),
        pages.LargeFigure(
            key="effective_utilization_plan",
            title=PLAN["effective_utilization_plan"].title,
            unit=worded("of GPU-hours paid"),
            amount=totals.effective_utilization_plan,
            text=percent(totals.effective_utilization_plan, 1),
            note=worded("today {value}", value=used) if has_today else "",
        ),
        pages.LargeFigure(
            key="lock_in_months",
            title=PLAN["lock_in_months"].title,
            unit=worded("months, weighted by $"),
            amount=totals.lock_in_months,
            text=decimals(totals.lock_in_months),
            note=worded("today {value}", value=lock_in) if has_today else "",
        ),
    )


DECIDED_ON: Final = frozenset({"contracts_left_out", "provider_concentration"})
"""Checks that who approves the plan decides on."""


def list_decisions(
    evaluation: Evaluation, advice: Advice, approval: Approval, ends: Sequence["ContractEnd"]
) -> tuple[Text, ...]:
    """What is asked, what to sign, what ends: one sentence each. ends: see `_ends`."""
    words: list[Text] = [
        *(check.message for check in advice.checks if check.code in DECIDED_ON),
        *describe_unserved(evaluation, advice),
    ]
    if not approval.now and not approval.later:
        if advice.totals.plan is None:
            words.append(worded("Orders unknown: enter the rates marked Quote needed on page The plan."))
        elif not approval.left and not approval.over:
            words.append(worded("Order nothing now: no commitment pays off."))
    words += filter(None, (by_the_hour(advice, evaluation.project.offers),))
    young = sum(not order.is_certain for order in advice.orders)
    if young:
        words.append(
            worded_whole(
                young,
                "{count} more order pays off only if recent demand lasts (in no total).",
                "{count} more orders pay off only if recent demand lasts (in no total).",
            )
        )
    seen = approval.seen
    if ends:
        by_days = [
            worded("{contract} by {by}", contract=end.contract_id, by=seen.day(end.by_s)) for end in ends
        ]
        contracts = joined(by_days, ", ")
        if all(end.has_notice for end in ends):
            words.append(worded("End (give notice): {contracts}.", contracts=contracts))
        else:
            words.append(worded("End: {contracts}.", contracts=contracts))
    return tuple(words)


class ContractEnd(NamedTuple):
    """A contract that the user ends for the plan: the last day for it, epoch seconds, and whether notice is given."""

    by_s: int
    contract_id: str
    has_notice: bool


def _ends(evaluation: Evaluation, seen: Seen) -> list[ContractEnd]:
    """Return the contracts that the plan does not let run on, the first to end first.

    What is paid on demand, or has no end, ends as the plan begins, on the day of writing if that has passed.
    """
    ends = []
    for row in verdict_rows(evaluation.project, evaluation.advice):
        contract, name = row.contract, row.verdict.contract_id
        if contract is None or not row.verdict.is_to_decide or needs_no_notice(contract, evaluation.plan):
            continue
        if is_to_stop(row.verdict, contract):
            last_s = notice_by_s(contract, seen.begins_s) or seen.begins_s
            ends.append(ContractEnd(max(last_s, seen.counted_from_s), name, bool(contract.notice)))
        elif (by_s := notice_by_s(contract, row.ends_s)) is not None and not seen.is_past(by_s):
            ends.append(ContractEnd(by_s, name, True))
    return sorted(ends)


def _ends_words(ends: Sequence[ContractEnd], seen: Seen) -> Message:
    """End 7 contracts, the first by 1 Dec 2026; with (give notice) where all of them need it."""
    by = seen.day(ends[0].by_s)
    if all(end.has_notice for end in ends):
        return worded_whole(
            len(ends),
            "End {count} contract by {by} (give notice)",
            "End {count} contracts (give notice), the first by {by}",
            by=by,
        )
    return worded_whole(
        len(ends), "End {count} contract by {by}", "End {count} contracts, the first by {by}", by=by
    )


def list_risks(
    totals: Totals, outlook: Outlook | None, sensitivity: Sensitivity | None, horizon_months: int
) -> tuple[Text, ...]:
    """The range of twelve months, the worst that prices may do, and what would change the advice first."""
    band = None if outlook is None else outlook.uncertainty
    sentences: list[Text] = []
    if band is not None and band.year_p10_usd is not None:
        sentences.append(joined((band_words(band), "."), ""))
    if outlook is not None and outlook.price_paths and totals.plan is not None:
        sentences.append(paths_sentences(outlook.price_paths, horizon_months)[0])
    if sensitivity is not None:
        sentences += [joined((flip_sentence(point), ".")) for point in sensitivity.flips[:1]]
    if outlook is not None:
        sentences += list_longer_waits(outlook.open_decisions)
    return tuple(sentences)


MOST_WAITS: Final = 2
"""Decisions after which jobs wait longer that page 1 names."""


def list_longer_waits(decisions: Sequence[NextDecision]) -> list[Text]:
    """Return a sentence for each decision that lengthens waits most, and how many more decisions lengthen them."""
    longer = [
        (row.waits.main.increase, row)
        for row in decisions
        if row.waits is not None and row.waits.is_much_longer
    ]
    longer.sort(key=lambda entry: entry[0], reverse=True)
    sentences: list[Text] = [joined((row.wait_words, ".")) for _, row in longer[:MOST_WAITS]]
    if (more := len(longer) - MOST_WAITS) > 0:
        sentences.append(
            worded_whole(
                more,
                "{count} more decision lengthens waits by over an hour.",
                "{count} more decisions lengthen waits by over an hour.",
            )
        )
    return sentences


def describe_unserved(evaluation: Evaluation, advice: Advice) -> list[Text]:
    """Which workloads the plan leaves to nobody, by why, alike names with their cluster: no amount of it has them."""
    workloads = evaluation.in_parts.project.workloads
    often = Counter(workload.name for workload in workloads)
    names = {
        work.key: f"{work.name} ({work.cluster})" if often[work.name] > 1 and work.cluster else work.name
        for work in workloads
    }
    over = dict.fromkeys(row.key for row in advice.unserved if row.reason == OVER_BUDGET)
    others = dict.fromkeys(row.key for row in advice.unserved if row.reason != OVER_BUDGET)
    kept, offered = worded("to keep the budget"), worded("by current offers")
    sentences: list[Text] = []
    for keys, why in ((over, kept), (others, offered)):
        first: list[Text] = [str(names.get(key, key)) for key in list(keys)[:MOST_NAMES]]
        if len(keys) > MOST_NAMES:
            first.append(worded("{count} more", count=whole(len(keys) - MOST_NAMES)))
        if keys:
            sentences.append(
                worded_count(
                    len(keys),
                    "{names} is unserved {why}, in no amount of the plan.",
                    "{names} are unserved {why}, in no amount of the plan.",
                    names=pages.listed(first),
                    why=why,
                )
            )
    return sentences


def _months(advice: Advice, seen: Seen) -> pages.MonthsChart:
    """What the plan costs in each of twelve months, and doing nothing where it serves the same work."""
    nothing = pages.Line(PLAN["do_nothing"].title, tuple(row.do_nothing_usd for row in advice.comparison))
    plan = pages.Line(worded("Plan"), tuple(row.plan_usd for row in advice.comparison), is_main=True)
    lines = (nothing, plan) if comparison.compares_with_nothing(advice) else (plan,)
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
                "{pool}, {model}: GPUs, busiest hours first, mean existing GPUs",
                pool=POOL_TITLES[plan.pool],
                model=plan.gpu_model or pages.UNKNOWN_MODEL,
            ),
            plan,
        )
        for plan in largest
    )
    project = evaluation.project
    short = short_advice_words(project.window.hours)
    notes = ((pages.TextBlock(worded("Before signing"), (short,)),),) if short else ()
    rows = (*notes, *((curves,) if curves else ()), (_layers(advice),))
    figures = plan_figures(evaluation.audit, advice, totals, any_ran(project.contracts, project.window))
    return pages.Page(
        key="plan", kicker=titles.THE_PLAN, title=plan_title(advice), rows=rows, figures=figures
    )


def plan_title(advice: Advice) -> Message:
    """What the plan has on new terms in its first month; or that it signs nothing, or that nobody can know."""
    committed = [layer for plan in advice.pools for layer in plan.layers if is_new_commitment(layer)]
    has_existing = any(layer.existing and layer.gpus for plan in advice.pools for layer in plan.layers)
    has_existing = has_existing or bool(advice.idle_existing)
    if committed:
        gpus = pages.counted_gpus(sum(layer.gpus for layer in committed))
        terms = write_terms({(layer.term_months or 0, layer.term_days or 0) for layer in committed})
        rest = (
            worded("existing contracts, the rest on demand") if has_existing else worded("the rest on demand")
        )
        return worded(
            "First month: {gpus} on new terms of {terms}, {rest}", gpus=gpus, terms=terms, rest=rest
        )
    if not is_priced(advice.pools):
        return worded("Orders unknown: prices are missing")
    rest = worded("all on demand")
    if has_existing:
        rest = worded("existing contracts to their end, the rest on demand")
    if any(order.is_certain for order in advice.orders):
        return worded("First month: no new terms, {rest}", rest=rest)
    return worded("No new commitments: {rest}", rest=rest)


def write_terms(terms: Collection[tuple[int, int]]) -> Message:
    """36 and 12 months; 36 months and 90 days, where one is sold by the day: the longest first.

    terms: months and days of each, 0 days where it is of months.
    """
    longest_first = sorted(terms, reverse=True)
    if len(terms) == 1 or any(days for _, days in terms):
        return pages.listed([term_words(*term) for term in longest_first])
    return worded("{terms} months", terms=pages.listed([whole(months) for months, _ in longest_first]))


def is_new_commitment(layer: Layer) -> bool:
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
    return replace(block, note=worded("All layers: sheet Commitment."))


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
    """Starts: 24 GPUs; Ends: atlas-core; To sign: 12 GPUs; End by 28 Jan 2027 (give notice): atlas-h200; or nothing.

    What is to be signed has the words of Recommendations: all GPUs of the orders, and the most that run together.
    """
    starts, ends, _ = happens_in(events)
    return (
        *((worded("Starts: {gpus}", gpus=starts),) if starts else ()),
        *((worded("Ends: {names}", names=ends),) if ends else ()),
        *((worded("To order: {gpus}", gpus=together_words(events.to_sign)),) if events.to_sign else ()),
        *(
            worded(
                "End by {day} (give notice): {name}",
                day=day(notice_by_s(row, row.end_s) or 0),
                name=row.contract_id,
            )
            for row in events.notices
        ),
    ) or (worded("No starts, ends or orders"),)


_TEXTS: Final = {"starts": worded("Starts"), "ends": worded("Ends"), "to_sign": worded("To order")}
THE_YEAR: Final = Report(title=worded("The year"), key=attrgetter("month"), media=BRIEF).with_columns(
    ReportColumn(key="month", title=worded("Month from")),
    ReportColumn(figure=PLAN["plan"]),
    *(ReportColumn(key=key, title=title) for key, title in _TEXTS.items()),
)
"""About the months of a plan: what each costs, and what starts, ends and is to be signed in it."""


def year_page(evaluation: Evaluation, advice: Advice, seen: Seen) -> pages.Page:
    """What twelve months come to, as a chart, and one by one, as the slider over the year tells them."""
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
        title = worded("Plan cost unknown: a rate is missing")
    else:
        title = worded(
            "The plan costs {first} in month 1 and {last} in month 12", first=amount(first), last=amount(last)
        )
    shares = {"month": 0.8, "starts": 1.2, "ends": 2.4, "to_sign": 1.2}
    chart = (*((_horizons(evaluation),) if comparison.is_priced_ahead(advice) else ()), _months(advice, seen))
    rows = (chart, (pages.report_block(THE_YEAR, months, "", shares),))
    return pages.Page(key="year", kicker=THE_YEAR.title, title=title, rows=rows)


def month_scene(advice: Advice, seen: Seen, month: int) -> pages.Page:
    """A month of the year alone, for a screen with the year under a handle: what it costs, and what happens in it."""
    row, chart, unit = (
        advice.comparison[month],
        replace(_months(advice, seen), at=month),
        worded("$ per month"),
    )
    ends_s, usd = row.start_s + MONTH_S, row.plan_usd
    nothing = row.do_nothing_usd if comparison.compares_with_nothing(advice) else None
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
        key="year",
        kicker=THE_YEAR.title,
        title=joined((capital(plan_month(month)), *days), ": "),
        rows=((chart, pages.TextBlock("", happens_sentences(events))),),
        figures=tuple(
            pages.LargeFigure(key=key, title=name, unit=unit, amount=value, text=amount(value))
            for key, name, value in figures
        ),
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
    note = pages.sentences(bought_words(story.buy), all_on_demand(advice.totals) or "")
    tables = ((replace(table, note=note),), (apart,), *([(offered,)] if is_worth else ()))
    bars = pages.BridgeChart(
        worded("Where savings come from in the first month, $"),
        tuple(map(savings_bar, (*story.steps, story.total))),
    )
    rows = ((bars,), *tables) if _saved(story) is not None else tables
    return pages.Page(key="savings", kicker=worded("Savings"), title=savings_title(story, advice), rows=rows)


def _saved(story: SavingsStory) -> float | None:
    """$ per month against doing nothing; None where they are unknown."""
    return next(row.exact for row in story.steps if row.key == "savings_vs_do_nothing")


def savings_title(story: SavingsStory, advice: Advice) -> Message:
    """The savings against doing nothing, of twelve months and of the first."""
    saved, nothing, year = PLAN["savings_vs_do_nothing"].title, _saved(story), saved_in_year(advice)
    if nothing is None or year is None:
        return worded("{saved} are unknown", saved=saved)
    return worded(
        "{saved}: {year} in twelve months, {usd} in the first month",
        saved=saved,
        year=amount(year),
        usd=amount(nothing),
    )


def savings_bar(row: StoryRow) -> pages.Bar:
    """A step with its sign, a total as it is; the longest name on two lines."""
    if not row.is_total:
        return pages.Bar(
            name=row.called, note=row.note, usd=row.exact, kind="step", text=change(row.saved_per_month)
        )
    if row.key == "savings_vs_do_nothing":
        return pages.Bar(
            name=worded("Savings against"),
            note=worded("doing nothing"),
            usd=row.exact,
            kind="result",
            text=whole(row.exact),
        )
    return pages.Bar(name=row.called, note="", usd=row.exact, kind="result", text=whole(row.exact))
