"""The lists of pages: the board brief of a plan, which Present shows too, and statements of who pays for the window."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from gpuplanner.domain.audit.chargeback import Charge, Charges
from gpuplanner.domain.audit.cost_result import shared_words
from gpuplanner.domain.audit.utilization.contracts_apart import any_paid
from gpuplanner.domain.award.deciding import asked_on
from gpuplanner.domain.brief import today_pages
from gpuplanner.domain.brief.approval import approval_of
from gpuplanner.domain.brief.decisions_page import decisions_page
from gpuplanner.domain.brief.orders_page import orders_page
from gpuplanner.domain.brief.pages import (
    Block,
    BridgeChart,
    Brief,
    LargeFigure,
    MonthsChart,
    Page,
    TableBlock,
    TextBlock,
    TimelineChart,
    counted,
    days,
    report_block,
    written,
)
from gpuplanner.domain.brief.plan_pages import THE_YEAR, plan_page, steps_page, year_page
from gpuplanner.domain.brief.savings_page import savings_page
from gpuplanner.domain.brief.sensitivity_pages import Sensitivity, price_page, sensitivity_page
from gpuplanner.domain.commitment.order_days import seen_in
from gpuplanner.domain.commitment.outlook_result import trusted_band
from gpuplanner.domain.commitment.words.plan_costs import HYPOTHETICAL
from gpuplanner.domain.evaluation import Evaluation, charges_of
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.chargeback import CHARGE
from gpuplanner.domain.figures.typed import amount, day, whole
from gpuplanner.domain.message import Message, Text, capital, joined, worded
from gpuplanner.domain.model.book.exchange import english_in
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.window import Window, has_calendar
from gpuplanner.domain.queue.sentences import with_waiting
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.domain.reports.costs import BUDGET, STATEMENT, overview_of
from gpuplanner.domain.reports.report import Medium
from gpuplanner.domain.reports.serving import NamedSizing
from gpuplanner.domain.training.answer import Answer
from gpuplanner.lazy_dataclass import replace

BETWEEN: Final = " \u00b7 "
UNTITLED: Final = worded("GPU capacity plan")


def brief_of(evaluation: Evaluation, *given: Any, **named: Any) -> Brief:
    """`plan_brief` of an evaluation with its advice, in English and the money of its project, as files hold it.

    Errors: ValueError without advice. Else as `plan_brief`.
    """
    if evaluation.advice is None:
        raise ValueError("no advice to write a brief of")
    return _in_english(plan_brief(evaluation, *given, **named), evaluation)


def plan_brief(
    evaluation: Evaluation,
    generated_at_s: int,
    version: str,
    sensitivity: Sensitivity | None = None,
    is_asking: bool = False,
    endpoints: Sequence[NamedSizing] = (),
    training: Sequence[Answer] = (),
    waiting: Waiting | None = None,
) -> Brief:
    """The pages of an evaluation, in words that each medium writes. Those of a plan say so where there is no advice.

    generated_at_s: epoch seconds UTC; version: of the application. is_asking: it says what vendors are asked for.
    endpoints: those that are sized; training: what comes of the training runs that are stated; waiting:
    how long jobs wait; without them nothing is said of it.

    No figure is worked out here: each is the evaluation's, as it is written.
    """
    evaluation = with_waiting(evaluation, waiting)
    project, scenario = evaluation.project, evaluation.scenario
    title, begins = project.title or UNTITLED, project.plan_window
    parts: list[Text] = [write_lookback_period(project.window)]
    if begins is not project.window:
        seen = seen_in(project, generated_at_s)
        parts.append(worded("plan from {begin}", begin=seen.day(begins.end_s)))
    foot = joined((*parts, _written_words(generated_at_s, version)), BETWEEN)
    head = joined((title, worded(TODAY) if scenario == TODAY else scenario), BETWEEN)
    if evaluation.advice is not None and evaluation.is_hypothetical:
        head = joined((HYPOTHETICAL, head), " ")
    pages = _pages(evaluation, generated_at_s, sensitivity, is_asking, endpoints)
    if training:
        pages = (*pages, today_pages.training_page(training))
    if waiting is not None and waiting.measured:  # asked for right after what is unused
        at = 1 + [page.key for page in pages].index("stranded")
        pages = (*pages[:at], today_pages.waiting_page(waiting), *pages[at:])
    return Brief(
        title=title,
        head=head,
        foot=foot,
        pages=fold_pages(tuple(map(drop_empty_blocks, pages))),
        written_s=generated_at_s,
        most=MOST_PAGES,
    )


MOST_PAGES: Final = 10
FOLDED: Final = (
    ("inference", "latency"),
    ("prices", "rates"),
    ("months", "today"),
    ("steps", "plan"),
    ("training", "plan"),
    ("waiting", "stranded"),
)
"""Of too many pages each of these, in turn, stands below what it is close to."""


def fold_pages(pages: tuple[Page, ...]) -> tuple[Page, ...]:
    """At most ten pages, fewer where that is possible, so that the first has room for a second sheet: those of FOLDED
    go below another, with what they are about and what they say.
    """
    by_key = {page.key: page for page in pages}
    for key, host in FOLDED:
        if len(by_key) >= MOST_PAGES and key in by_key and host in by_key:
            guest = by_key.pop(key)
            head = TextBlock(joined((guest.kicker, guest.title), ": "), ())
            by_key[host] = replace(by_key[host], rows=(*by_key[host].rows, (head,), *guest.rows))
    return tuple(by_key.values())


def _in_english(brief: Brief, evaluation: Evaluation) -> Brief:
    return written(brief, partial(english_in, code=evaluation.project.currency))


def _written_words(at_s: int, version: str) -> Message:
    return worded("written {day} by gpuplanner {version}", day=day(at_s), version=version)


def _pages(
    evaluation: Evaluation,
    at_s: int,
    sensitivity: Sensitivity | None,
    is_asking: bool,
    endpoints: Sequence[NamedSizing],
) -> tuple[Page, ...]:
    """The one list of pages, in the order in which they are told."""
    past = (
        today_pages.today_page(evaluation),
        today_pages.stranded_page(evaluation),
        *today_pages.months_page(evaluation),
    )
    compared = tuple(today_pages.quarter_pages(evaluation))
    advice, totals, outlook, project = (
        evaluation.advice,
        evaluation.totals,
        evaluation.outlook,
        evaluation.project,
    )
    if advice is None or totals is None:
        pages = [page_without_advice(evaluation, key, kicker) for key, kicker in OF_A_PLAN]
        return (*pages[:BEFORE_TODAY], *past, *compared, *pages[BEFORE_TODAY:])
    if outlook is not None:
        band = trusted_band(outlook.uncertainty, totals.plan, project.window.hours)
        outlook = replace(outlook, uncertainty=band)
    seen = seen_in(project, at_s)
    approval = approval_of(advice, seen)
    has_today = any_paid(project)
    asked = asked_on(evaluation, at_s) if is_asking else ()
    return (
        decisions_page(evaluation, advice, approval),
        orders_page(evaluation, advice, approval, asked),
        savings_page(evaluation, advice, outlook, totals, sensitivity),
        year_page(evaluation, advice, approval),
        *steps_page(advice, outlook, evaluation.audit, has_today),
        *past,
        *compared,
        *((today_pages.inference_page(endpoints),) if endpoints else ()),
        plan_page(evaluation, advice, totals),
        price_page(evaluation, outlook, totals, sensitivity),
        sensitivity_page(evaluation, outlook, totals, sensitivity),
    )


OF_A_PLAN: Final[tuple[tuple[str, Text], ...]] = (
    ("question", worded("Decisions")),
    ("sign", worded("Orders")),
    ("savings", worded("Savings")),
    ("year", THE_YEAR.title),
    ("plan", titles.THE_PLAN),
    ("sensitivity", worded("Sensitivity")),
)
BEFORE_TODAY: Final = 4
"""Key -> what it is about: pages that say nothing without advice."""


def page_without_advice(evaluation: Evaluation, key: str, kicker: Text) -> Page:
    """In the place of a page of a plan that has no advice: what is missing, and what to do."""
    title, note = worded("Calculating the advice"), worded("It appears here when ready.")
    if evaluation.scenario == TODAY:
        title = worded("Today is the past: nothing to decide")
        note = worded("Show or add a plan to see commitments, savings and orders.")
    return Page(key=key, kicker=kicker, title=title, rows=((TextBlock("", (note,)),),))


def write_lookback_period(window: Window) -> Message:
    """The days of the log; how long it is, where it counts its time from 0."""
    if has_calendar(window.end_s):
        return worded("Lookback period {days} (UTC)", days=days(window.start_s, window.end_s))
    return worded("Period of {days}, without dates", days=counted(round(window.hours / 24), "day"))


def drop_empty_blocks(page: Page) -> Page:
    """A page whose tables have rows and whose charts have something to draw."""
    kept = (tuple(block for block in row if not is_block_empty(block)) for row in page.rows)
    return replace(page, rows=tuple(row for row in kept if row))


def is_block_empty(block: Block) -> bool:
    """Whether a block has nothing to show."""
    if isinstance(block, TableBlock | TimelineChart):
        return not block.rows
    if isinstance(block, MonthsChart):
        return all(usd is None for line in block.lines for usd in line.usd)
    if isinstance(block, BridgeChart):
        return not any(bar.usd for bar in block.bars)
    return isinstance(block, TextBlock) and not block.sentences


# ---------------------------------------------------------------- statements

KICKER: Final = worded("Chargeback")
MOST_WORKLOADS: Final = 20
MOST_TEAMS: Final = 24
LARGE: Final = ("total_in_window", "direct_in_window", "idle_in_window", "overflow_in_window")
WHAT_IS_CHARGED: Final = (
    worded("Direct: GPU time served by contracts, at their rates. A workload pays for the model it used."),
    worded("Overflow: GPU time over contract capacity, at the cheapest on-demand rate."),
)


def statements_of(evaluation: Evaluation, generated_at_s: int, version: str) -> Brief:
    """What each team is charged for the window, a page a team behind a page of all of them, in English.

    generated_at_s: epoch seconds UTC; version: of the application. Law: what the teams are charged adds up to what was
    paid and what overflowed.
    """
    project, charges = evaluation.project, charges_of(evaluation)
    title = project.title or UNTITLED
    rows = overview_of(charges).rows_in(Medium.BRIEF, charges)
    pages = (overview_page(charges), *(statement_page(row, charges) for row in rows))
    when = worded("{hours} hours (UTC)", hours=whole(project.window.hours))
    if has_calendar(project.window.end_s):
        when = worded("{days} (UTC)", days=days(project.window.start_s, project.window.end_s))
    foot = joined((when, _written_words(generated_at_s, version)), BETWEEN)
    brief = Brief(
        title=worded("{title}: chargeback", title=title),
        head=joined((title, KICKER), BETWEEN),
        foot=foot,
        pages=pages,
        written_s=generated_at_s,
    )
    return _in_english(brief, evaluation)


def overview_page(charges: Charges) -> Page:
    """All teams, with what they are charged together."""
    teams = report_block(
        overview_of(charges),
        charges,
        worded("Teams, most charged first"),
        {"called": 2.0},
        MOST_TEAMS,
        "Chargeback",
    )
    charged = sum(row.total_in_window != 0 for row in charges.rows)
    title = worded(
        "{usd} is charged to {teams}",
        usd=amount(charges.whole.total_in_window),
        teams=counted(charged, "team"),
    )
    if charges.whole.total_in_window is None:
        title = worded("Charges partly unknown: a rate or contract cluster is missing")
    return Page(key="teams", kicker=KICKER, title=title, rows=((TextBlock("", _rules(charges)),), (teams,)))


def statement_page(row: Charge, charges: Charges) -> Page:
    """One team: what it is charged, what is left of its budget, and its workloads."""
    table = report_block(
        STATEMENT,
        row,
        worded("Its workloads, most charged first"),
        {"workload": 3.2},
        MOST_WORKLOADS,
        "Chargeback",
    )
    rules = TextBlock("", _rules(charges))
    keys = LARGE if row.budget_in_window is None else (*LARGE, *BUDGET)
    return Page(
        key=f"team-{row.subject}",
        kicker=KICKER,
        title=charge_title(row),
        rows=((table,), (rules,)) if table.rows else ((rules,),),
        figures=tuple(charge_figure(row, key) for key in keys),
    )


def charge_title(row: Charge) -> Message:
    """What a team is charged, and how that stands beside its budget."""
    left, team, usd = row.left_in_window, row.called, amount(row.total_in_window)
    if row.total_in_window is None:
        return worded("Charge of {team} unknown: a rate or contract cluster is missing", team=team)
    if left is None:
        return worded("{team} is charged {usd}", team=team, usd=usd)
    if left < 0:
        return worded(
            "{team} is charged {usd}, {over} over its budget", team=team, usd=usd, over=amount(-left)
        )
    return worded(
        "{team} is charged {usd}; {left} of its budget remains", team=team, usd=usd, left=amount(left)
    )


def _rules(charges: Charges) -> tuple[Text, ...]:
    """By what rules: how idle GPUs are shared is the planner's choice."""
    return (joined((capital(shared_words(charges.rule)), ".")), *WHAT_IS_CHARGED)


def charge_figure(row: Charge, key: str) -> LargeFigure:
    """One figure of the strip under the title."""
    figure, usd = CHARGE[key], getattr(row, key)
    title = figure.short or figure.title
    return LargeFigure(
        key=figure.json_name,
        title=title,
        unit=worded("$ in the lookback period"),
        amount=usd,
        text=whole(usd),
    )
