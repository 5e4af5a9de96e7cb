"""The totals of a plan as documents have them: those of the plan, and those of today beside which they stand."""

from operator import attrgetter
from typing import Final

from gpuplanner.domain.commitment.result import Totals
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.window import WINDOW
from gpuplanner.domain.reports.entries import Entry, entry, fields, named
from gpuplanner.domain.reports.report import Column


def _total(figure: Figure) -> Column:
    """A figure of the plan or of today: totals have it under the name that documents call it."""
    return named(figure, attrgetter(figure.json_name))


TOTALS: Final = fields(
    _total(WINDOW["spend"]),
    _total(PLAN["do_nothing"]),
    _total(PLAN["plan"]),
    _total(PLAN["savings"]),
    _total(PLAN["savings_percent"]),
    _total(PLAN["savings_vs_do_nothing"]),
    _total(PLAN["on_demand_equivalent"]),
    _total(PLAN["effective_savings_rate"]),
    _total(WINDOW["effective_utilization"]),
    _total(PLAN["effective_utilization_plan"]),
    _total(WINDOW["unused_per_month"]),
    "unused_plan_usd_per_month",
    "lock_in_now_months",
    _total(PLAN["lock_in_months"]),
    _total(PLAN["cost_of_separation"]),
    "liability_now_usd",
    "liability_usd",
)


def totals_entry(totals: Totals) -> Entry:
    """All totals by their names in documents; None is unknown. Units: those of Totals."""
    return entry(TOTALS, totals)
