"""Rows of the page Decisions: what to decide now and later, what was put off, declined or done, and more."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.next_decision import DECLINED, DONE, NOT_NOW, NextDecision, with_states
from gpuplanner.domain.commitment.numbers import decision_number
from gpuplanner.domain.commitment.order_days import Seen, seen_in
from gpuplanner.domain.commitment.plan.orders import SOON_S
from gpuplanner.domain.commitment.result import Advice, Order
from gpuplanner.domain.commitment.words.plan_costs import all_on_demand, by_the_hour
from gpuplanner.domain.commitment.words.spot import spot_sentences, spot_summary, worth_saying
from gpuplanner.domain.evidence.plan.layers import part_of, row_subject
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures.plan import NEXT_DECISION
from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.cube import Support, cannot_support, days_words, log_support, short_advice_words
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import name_apart
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.domain.reports.plan_layers import pool_words
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.decisions.decision_list import DecisionHeading, DecisionRow, amount_words
from gpuplanner.ui.decisions.order_rows import commit_now_rows, order_row
from gpuplanner.ui.panels.actions.checks import check_rows
from gpuplanner.ui.state import commitment_words, plan_notice
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.row_list import ListRow
from gpuplanner.ui.words import dated_words, numbers

OPENS: Final = {"demand": "demand", "price": "", "share": ""}
"""By what a line of a plan is of, what its row opens; the card of its workload where it is not here."""
OF_NOW: Final = "now"
OF_LATER: Final = "later"
TITLES: Final = {
    OF_NOW: worded("Decide now"),
    OF_LATER: worded("Decide later"),
    NOT_NOW: worded("Not now"),
    DECLINED: worded("Declined: not in the plan"),
    DONE: worded("Done"),
}
"""Sections of decisions, in their order on the page."""


def decisions_of(shown: ViewState, today_s: int) -> tuple[NextDecision, ...]:
    """The decisions of the plan that is shown, each with what the planner noted on it; none of Today.

    today_s: epoch seconds.
    """
    if shown.outlook is None or shown.is_today:
        return ()
    plan = shown.evaluation.project.scenario(shown.evaluation.scenario)
    return with_states(shown.outlook.next_decisions, plan, today_s)


def section_of(decision: NextDecision) -> str:
    """The section of the page that a decision stands in, in TITLES."""
    if decision.state in (NOT_NOW, DECLINED, DONE):
        return decision.state
    return OF_NOW if decision.is_now else OF_LATER


def with_amounts_of(decision: NextDecision, due: Sequence[Order]) -> NextDecision:
    """A decision whose commitment is split by the orders that are due on the day of reading, not on the plan's first.

    So that the decisions of now commit what all due orders commit. due: from `Seen.to_approve`.
    """
    if not decision.is_in_plan or not decision.orders:
        return decision
    places = {(order.row, order.start_s) for order in due}
    now = [order for order in decision.orders if (order.row, order.start_s) in places]
    later = [order for order in decision.orders if (order.row, order.start_s) not in places]
    return replace(
        decision,
        is_now=decision.is_now or bool(now),
        committed_usd=known_sum(order.liability for order in now),
        committed_later_usd=known_sum(order.liability for order in later),
    )


def page_rows(shown: ViewState, decisions: Sequence[NextDecision], now_s: int | None = None) -> list[ListRow]:
    """All that the page lists: decisions by section, then what else a plan says of what to do.

    decisions: from `decisions_of`. now_s: the day it is, epoch seconds; None: the plan's first.
    """
    if (advice := shown.advice) is None or shown.is_today:
        return []
    project = shown.evaluation.project
    if shown.is_calculating and not _nothing_known(project):
        return []
    seen = seen_in(project, now_s)
    rows = _section(tr("Before you commit"), "", _better_sizes(shown))
    rows += _nothing_known(project)
    due = seen.to_approve(advice.orders)
    dated = [with_amounts_of(decision, due) for decision in decisions]
    sections: dict[str, list[NextDecision]] = {name: [] for name in TITLES}
    for decision in dated:
        sections[section_of(decision)].append(decision)
    rows += _decisions(OF_NOW, sections, seen)
    if project.has_log and project.offers:
        put_off = known_sum(decision.committed_usd for decision in sections[NOT_NOW])
        rows += commit_now_rows(due, seen, advice, shown.offers, put_off_usd=put_off or 0.0)
    rows += _decisions(OF_LATER, sections, seen)
    rows += _section(tr("If recent demand continues"), tr("$ per month"), _if_it_lasts(shown, advice, seen))
    for name in (NOT_NOW, DECLINED, DONE):
        rows += _decisions(name, sections, seen)
    rows += _section(tr("More"), tr("$ per month"), _more(shown, advice, seen))
    rows += _section(tr("Dates and planned work"), "", _dated(shown))
    return rows if any(not row.is_heading for row in rows) else []


def _better_sizes(shown: ViewState) -> list[ListRow]:
    """What a replay names as better than the plan, before it is committed to."""
    better = tuple(check for check in shown.evaluation.waits if check.code == "better_size")
    return [row for row in check_rows(better, {}) if not row.is_heading]


def _decisions(name: str, sections: Mapping[str, Sequence[NextDecision]], seen: Seen) -> list[ListRow]:
    """The decisions of a section under its heading; nothing where there are none."""
    decisions = sections[name]
    if not decisions:
        return []
    aside = ""
    if name == OF_NOW and seen.is_dated:
        aside = tr("by {day}", day=numbers.short_date(seen.begins_s + SOON_S - 1))
    commits = tr("Commits later") if name == OF_LATER else spoken(NEXT_DECISION["committed_usd"].title)
    columns = (spoken(NEXT_DECISION["decision_saves"].title), commits)
    heading = DecisionHeading(title=spoken(TITLES[name]), is_heading=True, aside=aside, columns=columns)
    return [heading, *(decision_row(decision, seen.written_s) for decision in decisions)]


def decision_row(decision: NextDecision, today_s: int) -> DecisionRow:
    """A decision with its day, provider and amounts. today_s: epoch seconds."""
    usd = decision.usd_12_months
    day, role = tr("no day"), "muted"
    if decision.is_done:
        day = tr("done")
    elif decision.by_s is not None:
        day, _, role = commitment_words.until_words(decision.by_s, today_s)
    section = section_of(decision)
    committed = decision.committed_later_usd if section == OF_LATER else decision.committed_usd
    return DecisionRow(
        decision=decision,
        title=decision.title,
        shortly=decision.title_shortly,
        note=numbers.MIDDOT.join(map(numbers.capital, _notes(decision))),
        amount=amount_words(usd),
        day=numbers.capital(day),
        number=number_and_day(decision, today_s),
        heard_first=f"{decision_number(decision.number)}, {day}:",
        day_role=role,
        commits=amount_words(committed) if committed else "",
        is_tall=section == OF_NOW,
        key=decision.decision_id,
        unit=tr("$ saved in a year"),
        figure_id="" if decision.is_done else figure("next_decision", decision.decision_id),
    )


def number_and_day(decision: NextDecision, today_s: int) -> str:
    """D1, with its day where the chip says how far away it is instead. today_s: epoch seconds."""
    day = "" if decision.is_done else commitment_words.named_day(decision.by_s, today_s)
    return numbers.MIDDOT.join(filter(None, (decision_number(decision.number), day)))


def _notes(decision: NextDecision) -> Iterable[str]:
    """What is said of a decision under its title: with whom, its two days, why its amount is unknown."""
    if provider := spoken(decision.provider_words):
        yield provider
    notice_s, order_s = decision.notice_by_s, decision.order_by_s
    if notice_s is not None and order_s is not None and notice_s // DAY_S != order_s // DAY_S:
        yield tr("notice by {day}", day=numbers.short_date(notice_s))
        yield tr("order by {day}", day=numbers.short_date(order_s))
    if decision.reason:
        yield spoken(decision.reason)
    if decision.waits is not None and decision.waits.is_changed:
        yield spoken(decision.waits.text)
    if decision.usd_12_months is None and not decision.is_done:
        yield spoken(decision.unknown)
    if decision.kind == "question":
        yield spoken(decision.saves_shortly)
    if decision.committed_later_usd and section_of(decision) != OF_LATER:
        yield tr("commits {usd} later", usd=numbers.dollars(decision.committed_later_usd))


def _if_it_lasts(shown: ViewState, advice: Advice, seen: Seen) -> list[ListRow]:
    """Orders of no decision: they are placed only if recent demand continues."""
    listed = shown.listed_orders
    return [
        order_row(order, seen, advice, shown.offers)
        for order in sorted(listed, key=_order_day)
        if order.decision is None and not seen.is_over(order.orders[0])
    ]


def _order_day(listed: ListedOrder) -> tuple[int, int]:
    """The key by which orders are sorted: the first to order first."""
    return listed.orders[0].last_day_s, listed.number


def _more(shown: ViewState, advice: Advice, seen: Seen) -> list[ListRow]:
    """What else a plan says: work by the hour and on spot, checkpoints, workloads in review, notes, a short log."""
    project = shown.evaluation.project
    rows = []
    for words in filter(None, (by_the_hour(advice, shown.offers), all_on_demand(advice.totals))):
        parts: Mapping[str, Any] = words.values  # as one title it has no room
        rows.append(
            ListRow(title=spoken(parts["name"]), note=numbers.capital(spoken(parts["cost"])), icon="price")
        )
    rows += [*_spot(advice), *_checkpoints(shown), *list_review_rows(shown)]
    rows += [
        ListRow(
            title=tr("{plan}: read this.", plan=pool_words(plan)),
            note=numbers.capital(spoken(plan.note)),
            icon="info",
        )
        for plan in advice.pools
        if plan.note and not _nothing_known(project)
    ]
    if project.has_log:
        rows += _short_log(project.window.hours)
    return [*rows, *_plan_from(project, seen.written_s)]


def _nothing_known(project: Project) -> list[ListRow]:
    """What stands in place of what to order while nobody can say it: without a log, or without any price."""
    if project.has_log and project.offers:
        return []
    title, note, icon = (
        (tr("No prices yet"), tr("Import prices to see decisions."), "price")
        if project.has_log
        else (tr("No job log yet."), tr("Import one to see which contracts to keep."), "job_log")
    )
    heading = tr("Orders not known yet")
    return [ListRow(title=heading, is_heading=True), ListRow(title=title, note=note, icon=icon)]


def _section(title: str, unit: str, rows: list[ListRow]) -> list[ListRow]:
    return [ListRow(title=title, amount=unit, is_heading=True), *rows] if rows else []


def list_review_rows(shown: ViewState) -> list[ListRow]:
    """Return the row that asks to decide workloads in review; empty without any."""
    in_review = (card for card in shown.cards if card.in_review)
    review = sorted(in_review, key=lambda card: -(shown.usd.get(card.key) or 0.0))
    if not review:
        return []
    title = tr("Decide {review} in review.", review=numbers.whole(len(review)))
    note = tr("Costliest first: {cards}.", cards=name_apart(review[0], shown.cards))
    return [ListRow(title=title, note=note, icon="review", kind="workload", key=review[0].key)]


def _dated(shown: ViewState) -> list[ListRow]:
    """What the plan says beyond the log: planned work, workloads with dates, steps, who alone may serve."""
    plan = shown.evaluation.figures.basis.plan
    return [
        ListRow(
            title=line.title,
            note=line.note,
            icon="clock",
            kind=OPENS.get(line.of, "workload"),
            key=line.key,
            tip=tr("Open the steps of demand") if line.of == "demand" else "",
        )
        for line in dated_words.dated_lines(shown.evaluation.project, plan)
    ]


def _plan_from(project: Project, today_s: int) -> list[ListRow]:
    """From when a plan is dated, where that is not today: the row opens the choice of another day."""
    begins_s, log = project.plan_window.end_s, project.window
    if begins_s > log.end_s:
        days = numbers.counted(commitment_words.days_between(log.end_s, begins_s), "day")
        return [
            ListRow(
                title=tr("The plan starts {end_s}.", end_s=numbers.date(begins_s)),
                note=tr("{days} after the log ends; demand and prices count as of that day.", days=days),
                icon="info",
                kind="plan_from",
                tip=tr("Choose another day"),
            )
        ]
    if today_s < begins_s + DAY_S or plan_notice.plan_notice(project, today_s) is not None:
        return []  # not yet another day, or said above the list
    days = numbers.counted(commitment_words.days_between(begins_s, today_s), "day")
    return [
        ListRow(
            title=tr("The plan starts {end_s}.", end_s=numbers.date(log.end_s - 1)),
            note=tr("The log ended {days} ago. Plan from today?", days=days),
            icon="triangle",
            icon_role="amber",
            kind="plan_from",
            tip=tr("Start date of plans"),
        )
    ]


def _short_log(hours: int) -> list[ListRow]:
    """What the log is too short for; nothing where it supports all that a plan shows."""
    missing = cannot_support(hours)
    weak = [
        support.message
        for support in log_support(hours)
        if support.support is Support.WEAK and support.figure == "range"
    ]
    if not missing and not weak:
        return []
    short = short_advice_words(hours)
    is_short = bool(short)
    sentences = [short, tr("It gives {missing}.", missing=missing) if missing else "", *weak]
    return [
        ListRow(
            title=tr("The log has {hours}.", hours=days_words(hours)),
            note=" ".join(filter(None, map(spoken, sentences))),
            icon="triangle" if is_short else "info",
            icon_role="amber" if is_short else "muted",
        )
    ]


def _checkpoints(shown: ViewState) -> list[ListRow]:
    """How often to write checkpoints on spot, where that saves; it opens the workload that it saves most for."""
    advice = () if shown.outlook is None else shown.outlook.spot
    if (summary := spot_summary(advice)) is None:
        return []
    title, note, usd = summary
    most = max(worth_saying(advice), key=lambda spot: spot.saves_usd_per_month or 0.0)
    return [
        ListRow(
            title=spoken(title),
            note=spoken(note),
            amount=numbers.change(-usd),
            icon="burst",
            kind="workload",
            key=most.key,
            tip=spoken(joined(spot_sentences(most), " ")),
            more=tr("See Hardware for each workload"),
            figure_id=figure("spot_saves"),
        )
    ]


def _spot(advice: Advice) -> list[ListRow]:
    """What runs on spot; its amount is what that changes beside all on demand, so a saving has a minus."""
    rows = []
    for plan in advice.pools:
        for layer in plan.layers:
            if (
                layer.pricing_category not in (PricingCategory.DYNAMIC, PricingCategory.MIXED)
                or layer.spot_share <= 0
            ):
                continue
            rate = tr("{rate} per GPU-hour, lost work included", rate=numbers.cents(layer.rate))
            if layer.spot_share <= 0.9995:
                share = tr("{share} of hours on spot", share=numbers.percent(layer.spot_share))
                rate = tr("{first}, {second}", first=rate, second=share)
            called = " ".join(filter(None, (spoken(plan.pool), plan.gpu_model)))
            usd = layer.beside_on_demand
            saves = ""
            if usd is not None and usd <= -0.5:
                saves = tr("{usd} per month below on demand", usd=numbers.dollars(-usd))
            rows.append(
                ListRow(
                    title=tr("Run {workloads} on spot.", workloads=called),
                    note=f"{rate}.",
                    amount="" if usd is None else numbers.change(usd),
                    icon="burst",
                    more=saves,
                    figure_id=""
                    if usd is None
                    else figure("spot_instead", row_subject(plan, part_of(layer))),
                )
            )
    return rows
