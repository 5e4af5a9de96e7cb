"""The totals of a plan as documents have them: those of the plan, and those of today beside which they stand."""

from typing import Final

from gpuplanner.domain.commitment.result import Totals
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.figures.window import WINDOW
from gpuplanner.domain.reports.entries import Entry, entry, fields, named

TOTALS: Final = fields(
    named(WINDOW["spend"], "today"),
    PLAN["do_nothing"],
    PLAN["plan"],
    PLAN["savings"],
    PLAN["savings_percent"],
    PLAN["savings_vs_do_nothing"],
    PLAN["on_demand_equivalent"],
    PLAN["effective_savings_rate"],
    named(WINDOW["effective_utilization"], "effective_utilization_now"),
    PLAN["effective_utilization_plan"],
    named(WINDOW["unused_per_month"], "unused_now"),
    named("unused_plan_usd_per_month", "unused_plan"),
    "lock_in_now_months",
    PLAN["lock_in_months"],
    PLAN["cost_of_separation"],
    named("liability_now_usd", "liability_now"),
    ORDER["liability"],
    named("due_at_once_now_usd", "due_at_once_now"),
)


def totals_entry(totals: Totals) -> Entry:
    """All totals by their names in documents; None is unknown. Units: those of Totals."""
    return entry(TOTALS, totals)
