"""The board brief of a plan: its pages, from what to approve to what to sign by when."""

from collections.abc import Sequence
from dataclasses import replace

from gpuplanner.domain.brief.approval import approval_of
from gpuplanner.domain.brief.figure_words import counted, days
from gpuplanner.domain.brief.pages import (
    Block,
    BridgeChart,
    Brief,
    MonthsChart,
    Page,
    TableBlock,
    TextBlock,
    TimelineChart,
    brief_in_money,
)
from gpuplanner.domain.brief.plan_pages import plan_page, question_page, sensitivity_page
from gpuplanner.domain.brief.price_page import price_page
from gpuplanner.domain.brief.savings_page import savings_page
from gpuplanner.domain.brief.sensitivity import Sensitivity
from gpuplanner.domain.brief.signing_page import later_page, signing_page
from gpuplanner.domain.brief.today_pages import stranded_page, today_page
from gpuplanner.domain.commitment.requests.asked_rows import AskedRow
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.writing import day
from gpuplanner.domain.model.book.contracts_apart import any_ran
from gpuplanner.domain.model.book.exchange import USD
from gpuplanner.domain.model.window import Window, has_calendar
from gpuplanner.domain.reports.plan.order_days import seen_on


def brief_of(
    evaluation: Evaluation,
    generated_at_s: int,
    version: str,
    sensitivity: Sensitivity | None = None,
    asked: Sequence[AskedRow] = (),
) -> Brief:
    """The brief of an evaluation with its advice. generated_at_s: epoch seconds UTC; version: of the application.

    asked: the rows of a request of that day (`asked_on`); without them nothing is said of what vendors are asked for.

    No figure is worked out here: each is the evaluation's, as it is written. Errors: ValueError without advice.
    """
    advice, totals = evaluation.advice, evaluation.totals
    if advice is None or totals is None:
        raise ValueError("no advice to write a brief of")
    title = evaluation.project.title or "GPU capacity plan"
    window = evaluation.project.window
    begins, outlook = evaluation.project.plan_window, evaluation.outlook
    seen = seen_on(generated_at_s, begins.end_s, evaluation.project.offers)
    approval = approval_of(advice, seen)
    plan_from = "" if begins is window else f" · plan from {seen.day(begins.end_s)}"
    made = f"written {day(generated_at_s)} by gpuplanner {version}"
    foot = f"{_log_words(window)}{plan_from} · {made}"
    has_today = any_ran(evaluation.project.contracts, window)
    pages = (
        question_page(evaluation, advice, outlook, totals, approval),
        today_page(evaluation),
        stranded_page(evaluation),
        plan_page(evaluation, advice, totals),
        savings_page(advice, outlook, evaluation.audit, has_today),
        price_page(evaluation, outlook, totals, sensitivity),
        sensitivity_page(evaluation, outlook, totals, sensitivity),
        signing_page(evaluation, advice, approval, asked),
        later_page(evaluation, advice, approval),
    )
    head = f"{title} · {evaluation.scenario}"
    brief = Brief(title, head, foot, tuple(map(_without_empty, pages)), generated_at_s)
    code = evaluation.project.currency
    return brief if code == USD else brief_in_money(brief, code)


def _log_words(window: Window) -> str:
    """The days of the log; how long it is, where it counts its time from 0."""
    if has_calendar(window.end_s):
        return f"Window {days(window.start_s, window.end_s)} (UTC)"
    return f"Window of {counted(round(window.hours / 24), 'day')}, without a calendar"


def _without_empty(page: Page) -> Page:
    """A page whose tables have rows and whose charts have something to draw."""
    kept = (tuple(block for block in row if not _is_empty(block)) for row in page.rows)
    return replace(page, rows=tuple(row for row in kept if row))


def _is_empty(block: Block) -> bool:
    """Whether a block has nothing to show."""
    if isinstance(block, TableBlock | TimelineChart):
        return not block.rows
    if isinstance(block, MonthsChart):
        return all(usd is None for line in block.lines for usd in line.usd)
    if isinstance(block, BridgeChart):
        return not any(bar.usd for bar in block.bars)
    return isinstance(block, TextBlock) and not block.sentences
