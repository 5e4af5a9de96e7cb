"""Statements: what each team is charged for the window, a page a team, behind a page of all of them."""

from typing import Final

from gpuplanner.domain.audit.costs.charge_rows import Charge, Charges
from gpuplanner.domain.audit.costs.charge_words import shared_words
from gpuplanner.domain.brief.figure_words import counted, days, dollars, whole
from gpuplanner.domain.brief.pages import (
    Brief,
    LargeFigure,
    Page,
    TextBlock,
    brief_in_money,
)
from gpuplanner.domain.brief.report_block import report_block
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.costs.chargeback import CHARGE
from gpuplanner.domain.figures.writing import day
from gpuplanner.domain.model.book.exchange import USD
from gpuplanner.domain.model.window import Window, has_calendar
from gpuplanner.domain.reports.chargeback import BUDGET, STATEMENT, charges_of, overview_of
from gpuplanner.domain.reports.report import Medium

KICKER: Final = "Who pays"
MOST_WORKLOADS: Final = 20
MOST_TEAMS: Final = 24
LARGE: Final = ("total_in_window", "direct_in_window", "idle_in_window", "overflow_in_window")
BEYOND: Final = "on the workbook's sheet Chargeback."
WHAT_IS_CHARGED: Final = (
    "Direct is GPU time that contracts served, at their rates; a workload pays for the GPU model that it ran on.",
    "Overflow is GPU time that no contract had room for, at the cheapest on-demand rate.",
)


def statements_of(evaluation: Evaluation, generated_at_s: int, version: str) -> Brief:
    """The statements of an evaluation. generated_at_s: epoch seconds UTC; version: of the application.

    Law: what the teams are charged adds up to what was paid and what overflowed.
    """
    project = evaluation.project
    found = charges_of(evaluation)
    title = project.title or "GPU capacity plan"
    rows = overview_of(found).rows_in(Medium.BRIEF, found)
    pages = (_overview(found), *(_statement(row, found) for row in rows))
    foot = f"{_when(project.window)} (UTC) \u00b7 written {day(generated_at_s)} by gpuplanner {version}"
    brief = Brief(f"{title}: who pays", f"{title} \u00b7 {KICKER}", foot, pages, generated_at_s)
    return brief if project.currency == USD else brief_in_money(brief, project.currency)


def _overview(found: Charges) -> Page:
    """All teams, with what they are charged together."""
    report = overview_of(found)
    teams = report_block(report, found, "Teams, most charged first", {"called": 2.0}, MOST_TEAMS, BEYOND)
    charged = sum(row.total_in_window != 0 for row in found.rows)
    title = f"{dollars(found.whole.total_in_window)} is charged to {counted(charged, 'team')}"
    if found.whole.total_in_window is None:
        title = "What teams are charged is unknown in part: a rate is missing, or what contracts serve"
    return Page("teams", KICKER, title, ((TextBlock("", _rules(found)),), (teams,)))


def _statement(row: Charge, found: Charges) -> Page:
    """One team: what it is charged, what is left of its budget, and its workloads."""
    has_budget = row.budget_in_window is not None
    table = report_block(
        STATEMENT, row, "Its workloads, most charged first", {"workload": 3.2}, MOST_WORKLOADS, BEYOND
    )
    title = f"{row.called} is charged {dollars(row.total_in_window)}"
    if row.total_in_window is None:
        title = f"What {row.called} is charged is unknown: a rate is missing, or what contracts serve"
    elif row.left_in_window is not None and row.left_in_window < 0:
        title += f", {dollars(-row.left_in_window)} over its budget"
    elif row.left_in_window is not None:
        title += f"; {dollars(row.left_in_window)} of its budget is left"
    rules = TextBlock("", _rules(found))
    return Page(
        f"team-{row.subject}",
        KICKER,
        title,
        ((table,), (rules,)) if table.rows else ((rules,),),
        tuple(_large(row, key) for key in ((*LARGE, *BUDGET) if has_budget else LARGE)),
    )


def _rules(found: Charges) -> tuple[str, ...]:
    """By what rules: how idle GPUs are shared is the planner's choice."""
    shared = str(shared_words(found.rule))
    return (f"{shared[0].upper()}{shared[1:]}.", *WHAT_IS_CHARGED)


def _large(row: Charge, key: str) -> LargeFigure:
    """One figure of the strip under the title."""
    figure, amount = CHARGE[key], getattr(row, key)
    return LargeFigure(
        figure.json_name, figure.short or figure.title, "$ in the window", amount, whole(amount)
    )


def _when(window: Window) -> str:
    """The days of the window; how long it is, where its time counts from 0."""
    if has_calendar(window.end_s):
        return days(window.start_s, window.end_s)
    return f"{whole(window.hours)} hours"
