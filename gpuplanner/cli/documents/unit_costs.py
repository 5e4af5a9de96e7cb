"""Unit costs, variance and chargeback as JSON."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gpuplanner.cli.documents.head import Document
from gpuplanner.domain.audit import chargeback
from gpuplanner.domain.audit.cost_result import Period, UnitCosts, Variance
from gpuplanner.domain.audit.unit_costs.business_costs import BusinessCost
from gpuplanner.domain.audit.unit_costs.retraining import retraining_of
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.domain.reports import changes, costs
from gpuplanner.domain.reports.report import entries, entry, fields, named


class _PeriodRow(NamedTuple):
    """A period, and the window that its hours are counted in."""

    period: Period
    window: Window


PERIOD: Final = fields(
    named("start", lambda row: row.window.start_s + row.period.first * HOUR_S, "date"),
    named("end", lambda row: row.window.start_s + row.period.last * HOUR_S, "date"),
    named("hours", "period.hours"),
)
"""ISO 8601, the end exclusive."""


def cost_document(unit_costs: UnitCosts, variance: Variance, window: Window) -> Document:
    """unit_costs and variance of an audit.

    $ are of the window for runs, a month for all else; null where a rate is missing.
    """
    return {
        "unit_costs": {
            "run_gap_hours": unit_costs.run_gap_hours,
            "runs": entries(costs.RUNS, unit_costs),
            "models": entries(costs.MODELS, unit_costs),
            "endpoints": entries(costs.ENDPOINTS, unit_costs),
            "experiments": entries(costs.EXPERIMENTS, unit_costs),
            "retraining": entries(costs.RETRAININGS, retraining_of(unit_costs.runs, window)),
            "consolidation_premium_usd_per_month": unit_costs.premium.usd_per_month,
            "rate_premium_usd_per_month": unit_costs.premium.rate_usd_per_month,
            "idle_premium_usd_per_month": unit_costs.premium.idle_usd_per_month,
        },
        "variance": {
            "before": entry(PERIOD, _PeriodRow(variance.before, window)),
            "after": entry(PERIOD, _PeriodRow(variance.after, window)),
            **entry(changes.TOTALS, variance),
            "clusters": entries(changes.CHANGES, variance),
        },
    }


def business_document(rows: Sequence[BusinessCost]) -> Document:
    """Spend for one of the business figures; nothing where none are given."""
    return {"business": entries(costs.BUSINESS_COSTS, rows)} if rows else {}


def charge_document(charges: chargeback.Charges, *, has_names: bool) -> Document:
    """The chargeback of an audit, $ of the window. has_names: whether it was said by what, which rows then name."""
    table = costs.OF_ASKED if has_names else costs.OF_TEAMS
    return {"chargeback": [entry(table, row) for row in charges.rows]}
