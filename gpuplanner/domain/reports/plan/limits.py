"""What the limits of the planner cost: each beside the plan without it, and what it keeps the plan from."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.commitment.outlook_result import LimitCost, Outlook
from gpuplanner.domain.commitment.uncertainty.limit_costs import is_binding
from gpuplanner.domain.figures.plan import LIMIT
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.reports.report import DOCUMENT_ALONE, TERMINAL, WINDOW, Column, Report

READ: Final = WINDOW | TERMINAL
DOES_NOT_BIND: Final = worded("does not bind: the plan is the same without it")


def _rows(outlook: Outlook) -> Sequence[LimitCost]:
    return outlook.limits


def binds_words(row: LimitCost) -> Text:
    """What a limit keeps the plan from, or that it keeps it from nothing; empty where its $ say all."""
    is_known = row.limit_cost is not None and row.limit_cost_in_year is not None
    return row.why if is_binding(row) or not is_known else DOES_NOT_BIND


LIMITS: Final = Report(
    title=worded("Limits"),
    one="limit",
    many="limits",
    rows=_rows,
    key=lambda row: str(row.limit.words),
    columns=(
        Column(key="limit", media=DOCUMENT_ALONE, value=lambda row: row.limit.limit),
        Column(key="value", media=DOCUMENT_ALONE, value=lambda row: row.limit.value),
        Column(key="provider", media=DOCUMENT_ALONE, value=lambda row: row.limit.who.provider or None),
        Column(key="region", media=DOCUMENT_ALONE, value=lambda row: row.limit.who.region or None),
        Column(
            key="not_provider", media=DOCUMENT_ALONE, value=lambda row: row.limit.who.not_provider or None
        ),
        Column(key="keys", media=DOCUMENT_ALONE, value=lambda row: list(row.limit.keys)),
        Column(key="name", title=worded("Limit"), media=READ, value=lambda row: row.limit.words),
        Column(LIMIT["limit_cost"], media=READ | DOCUMENT_ALONE, form="change"),
        Column(LIMIT["limit_cost_in_year"], media=READ | DOCUMENT_ALONE, form="change"),
        Column(key="unserved_gpu_hours", media=DOCUMENT_ALONE),
        Column(key="binds", media=DOCUMENT_ALONE, value=is_binding),
        Column(
            key="why",
            title=worded("What it does"),
            media=READ | DOCUMENT_ALONE,
            value=binds_words,
            form="aside",
        ),
    ),
    media=READ | DOCUMENT_ALONE,
    adds_up=False,
)
"""One row a limit that is set. Source: docs/formulas.md, Limits."""
