"""Spend beside figures of the business, and how often training workloads are run again."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.audit.costs.business import BusinessCost, PlanMonth, business_costs, spend_by_hour
from gpuplanner.domain.audit.costs.retraining import Retraining
from gpuplanner.domain.audit.costs.unit_costs import past_of
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.costs.business import BUSINESS, RETRAINING
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.domain.reports.report import DOCUMENT_ALONE, TERMINAL, WINDOW, Column, Medium, Report, Unknown

READ: Final = WINDOW | TERMINAL
LISTED: Final = 20


def business_of(evaluation: Evaluation) -> tuple[BusinessCost, ...]:
    """Spend beside the business figures of the project, by month, and in month 12 of its plan where there is one."""
    project, advice = evaluation.project, evaluation.advice
    if not project.business:
        return ()
    month_12 = month_12_of(None if evaluation.scenario == TODAY else advice)
    return business_costs(project, spend_by_hour(past_of(project, evaluation.audit)), month_12)


def month_12_of(advice: Advice | None) -> PlanMonth | None:
    """The last of the twelve months of a plan; None without one."""
    if advice is None:
        return None
    last = advice.comparison[-1]
    return PlanMonth(last.start_s, last.plan_usd, last.unserved_gpu_hours)


def _business(rows: Sequence[BusinessCost]) -> Sequence[BusinessCost]:
    return rows


def _subject(row: BusinessCost) -> str:
    return row.subject


def _month(row: BusinessCost) -> Text:
    """The month; of the plan's twelfth whose count it has."""
    return row.month if not row.is_planned else worded("{month}, month 12", month=row.month)


def _held(row: BusinessCost) -> Text:
    if not row.is_planned:
        return ""
    if row.held_from == row.month:
        return worded("Month 12 of the plan, at the count given for it.")
    return worded("Month 12 of the plan, as if the count stayed at that of {month}.", month=row.held_from)


def _unknown(row: BusinessCost) -> Unknown:
    return Unknown(row.unknown)


BUSINESS_COSTS: Final = Report(
    title=worded("Spend for one of the business figures"),
    one="month",
    many="months",
    rows=_business,
    key=_subject,
    columns=(
        Column(key="name", title=worded("Of"), media=READ | DOCUMENT_ALONE),
        Column(key="month", title=worded("Month"), media=READ, value=_month, tip=_held),
        Column(key="month", media=DOCUMENT_ALONE),
        Column(key="held_from", media=DOCUMENT_ALONE, value=lambda row: row.held_from or None),
        Column(BUSINESS["value"]),
        Column(BUSINESS["counted_share"]),
        Column(BUSINESS["business_cost"], unknown=_unknown),
        Column(BUSINESS["cost_each"], unknown=_unknown),
        Column(BUSINESS["unserved"], is_rare=True),
        Column(key="unknown", media=DOCUMENT_ALONE, value=lambda row: str(row.unknown) or None),
    ),
    note=worded(
        "Of a month that the log has hours of, as much of its count is taken as these hours are of it. Month 12 is the "
        "plan's twelfth, at the count given for it, else as if the last count given stayed."
    ),
    media=READ | DOCUMENT_ALONE,
    adds_up=False,
)


def _retraining(rows: Sequence[Retraining]) -> Sequence[Retraining]:
    return rows


def _key(row: Retraining) -> str:
    return row.key


RETRAININGS: Final = Report(
    title=worded("Retraining"),
    one="workload",
    many="workloads",
    rows=_retraining,
    key=_key,
    columns=(
        Column(key="key", media=DOCUMENT_ALONE),
        Column(key="name", title=worded("Workload"), tip=_key),
        Column(key="cluster", title=worded("Cluster"), media=TERMINAL | DOCUMENT_ALONE),
        Column(RETRAINING["runs"]),
        Column(RETRAINING["days_between"]),
        Column(RETRAINING["cost_per_run"]),
    ),
    limits={Medium.TERMINAL: LISTED},
    media=READ | DOCUMENT_ALONE,
    adds_up=False,
)
